"""What a table's page shows: the view of a seat, laid out on the felt as the game's own layout is."""

from collections.abc import Iterator, Mapping
from time import time
from typing import Any

from pitboss.describe import spoken
from pitboss.games import game_named
from pitboss.table.sitting import Sitting, view
from pitboss.table.sitting.offered import wagers_offered
from pitboss.web.floor import least_stakes
from pitboss.web.house_rules import late_words, ran_out, span
from pitboss.web.layout import bot_words, layout_of
from pitboss.web.templating import chips

Json = Mapping[str, Any]


def picture(now: Sitting, seat: int | None, address: str) -> dict[str, Any]:
    """Return what the table's templates need: all of it is what ``view`` lets that seat see."""
    seen = view(now, seat)
    own = next((each for each in seen["seats"] if each["mine"]), None)
    offered = wagers_offered(now)
    staking = own is not None and seen["phase"] == "wagers" and not own["ready"]
    actions = seen["actions"]
    return {
        "t": seen,
        "address": address,
        "own": own,
        "others": [{**each, **_of_other(now, each)} for each in seen["seats"] if not each["mine"]],
        "ran_out": ran_out(own["late"], mine=True) if own else "",
        "bots": bot_words(game_named(now.terms.game)),
        "staking": staking,
        "rows": list(_rows(now, own, offered, staking=staking)) if own else [],
        "elsewhere": list(_elsewhere(seen, offered)) if staking else [],
        "choices": list(_choices(actions)),
        "clock": _clock(now, seen["deadline"], seat),
        "choosing": any(each["gives"] for each in actions),
        "live": True,
        "fresh": not seen["over"] and seen["phase"] == "decisions",
    }


def _of_other(now: Sitting, seen: Json) -> dict[str, str]:
    """Say of another seat what the bot there does, and what was done for it when its time ran out."""
    held = now.seats.get(seen["seat"])
    does = bot_words(game_named(now.terms.game)).get(held.bot, "") if held else ""
    return {"does": does, "ran_out": ran_out(seen["late"], mine=False)}


def _rows(now: Sitting, own: Json, offered: list[dict[str, Any]], *, staking: bool) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a seat's circles: where one may stake, and what lies there or came of it."""
    game = game_named(now.terms.game)
    wager_of = {
        circle["circle"]: (wager, place, circle["name"])
        for wager in offered
        if wager["place"] != "other_seat"
        for place, circle in enumerate(wager["circles"])
    }
    lying = {each["circle"]: each for each in (own["wagers"] or own["circles"]) if not each["on"]}
    before = {each["bet"]: each["cents"] for each in own["circles"] if not each["on"] and each["circle"] in wager_of}
    first = before or {each.bet: each.cents for each in least_stakes(now)}
    for row in layout_of(game).rows:
        yield [_spot(circle, wager_of.get(circle), lying.get(circle), first, staking=staking) for circle in row]


def _spot(
    circle: str,
    offer: tuple[Json, int, str] | None,
    lying: Json | None,
    first: Mapping[str, int],
    *,
    staking: bool,
) -> dict[str, Any]:
    shown = None if lying is None else {"result": None, "reason": "", "net_cents": 0, **lying}
    if offer is None:
        return {"name": spoken(circle).title(), "bet": "", "lying": shown}
    wager, place, name = offer
    suggested = first.get(wager["bet"], 0)
    return {
        "name": name,
        "bet": wager["bet"],
        "first": place == 0,
        "minimum_cents": wager["minimum_cents"],
        "span": span(wager["minimum_cents"], wager["maximum_cents"]),
        "suggested": chips(suggested).replace(",", "") if suggested and staking else "",
        "lying": shown,
    }


def _elsewhere(seen: Json, offered: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the wagers that may stand on each other hand at the table."""
    for wager in offered:
        if wager["place"] == "other_seat":
            for seat in seen["seats"]:
                if seat["taken"] and not seat["mine"]:
                    name = f"{wager['name']} on seat {seat['seat']}, {seat['name']}"
                    between = span(wager["minimum_cents"], wager["maximum_cents"])
                    yield {"bet": wager["bet"], "on": seat["seat"], "name": name, "span": between}


def _clock(now: Sitting, deadline: int | None, seat: int | None) -> Json | None:
    """Return how long whoever is waited for still has, whether that is this seat, and what happens then."""
    if deadline is None:
        return None
    held = now.seats.get(seat) if seat is not None else None
    mine = now.turn == seat if now.turn is not None else held is not None and held.stakes is None
    left = max(0, deadline - int(time()))
    return {"deadline": deadline, "left": left, "mine": mine, "then": late_words(now)}


def _choices(actions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a button for each action; actions that differ in how many cards are given up share one."""
    giving = [each for each in actions if each["gives"]]
    for each in actions:
        if each["gives"] and len(giving) > 1:
            if each is giving[0]:
                most = giving[-1]["gives"]
                name = f"Exchange the {each['gives']} to {most} cards chosen"
                yield {**each, "action": BY_COUNT, "name": name}
        elif each["gives"]:
            yield {**each, "name": f"{each['name']} the card chosen"}
        else:
            yield each


BY_COUNT = "by-count"
"""The action of a button whose meaning is how many cards are chosen."""
