"""What a table's page shows: the view of a seat, laid out on the felt as the game's own layout is."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import time
from typing import Any

from pitboss.builders import display_name
from pitboss.games import load_game
from pitboss.table.sitting import Phase, Sitting, view
from pitboss.table.sitting.late import ABSENT_SECONDS, absent
from pitboss.table.sitting.offered import wagers_offered
from pitboss.web.floor import least_stakes
from pitboss.web.house_rules import late_words, ran_out, span
from pitboss.web.layout import bot_words, layout_of
from pitboss.web.templating import CHIPS, chips
from pitboss.web.wilds import wild_cards

Json = Mapping[str, Any]


def picture(now: Sitting, seat: int | None, address: str) -> dict[str, Any]:
    """Return what the table's templates need: all of it is what ``view`` lets that seat see."""
    seen = view(now, seat)
    own = next((each for each in seen["seats"] if each["mine"]), None)
    offered = wagers_offered(now)
    staking = seat is not None and own is not None and now.phase is Phase.WAGERS and not now.seats[seat].stakes
    actions = seen["actions"]
    return {
        "t": seen,
        "address": address,
        "own": own,
        "others": [
            {**each, **_of_other(now, seat, each), "placing": list(_placing(each, own, offered)) if staking else []}
            for each in seen["seats"]
            if not each["mine"]
        ],
        "ran_out": ran_out(own["late"], mine=True) if own else "",
        "bots": bot_words(load_game(now.terms.game)),
        "staking": staking,
        "rows": list(_rows(now, own, offered, staking=staking)) if own else [],
        "rack": [dollars for dollars in CHIPS if 100 * dollars <= max(each["maximum_cents"] for each in offered)],
        "choices": list(_choices(actions)),
        "absent": absent(now, seat),
        "absent_minutes": ABSENT_SECONDS // 60,
        "clock": _clock(now, seen["deadline"], seat),
        "wild": wild_cards(now, seat, seat),
        "dealers_wild": wild_cards(now, seat, None),
        "choosing": any(each["gives"] for each in actions),
        "live": True,
        "fresh": not seen["over"] and seen["phase"] == "decisions",
    }


def _of_other(now: Sitting, viewer: int | None, seen: Json) -> dict[str, Any]:
    """Say of another seat what the bot there does, what was done for it when its time ran out, what is wild there."""
    held = now.seats.get(seen["seat"])
    does = bot_words(load_game(now.terms.game)).get(held.bot, "") if held else ""
    return {"does": does, "ran_out": ran_out(seen["late"], mine=False), "wild": wild_cards(now, viewer, seen["seat"])}


def _rows(now: Sitting, own: Json, offered: list[dict[str, Any]], *, staking: bool) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a seat's circles: where one may stake, and what lies there."""
    game = load_game(now.terms.game)
    wager_of = {
        circle["circle"]: (wager, place, circle["name"])
        for wager in offered
        for place, circle in enumerate(wager["circles"])
    }
    lying = Counter[str]()
    for each in own["wagers"] or own["circles"]:
        lying[each["circle"]] += each["cents"]
    before = {each["bet"]: each["cents"] for each in own["circles"] if not each["on"] and each["circle"] in wager_of}
    first = before or {each.bet: each.cents for each in least_stakes(now)}
    others = [seat for seat in now.seats if seat != own["seat"]]
    for row in layout_of(game).rows:
        yield [_spot(circle, wager_of.get(circle), lying[circle], first if staking else {}, others) for circle in row]


def _spot(
    circle: str, offer: tuple[Json, int, str] | None, lying: int, first: Mapping[str, int], others: Sequence[int]
) -> dict[str, Any]:
    """Return a circle; one whose wagers stand on other hands takes a chip for each of these."""
    if offer is None:
        name = display_name(circle).title()
        return {"name": name, "tag": name, "fields": [], "lying": lying}
    wager, place, name = offer
    on_others = wager["place"] == "other_seat"
    suggested = first.get(wager["bet"], 0)
    return {
        "name": f"{name} on each other seat" if on_others else name,
        "tag": name,
        "bet": wager["bet"],
        "fields": [field_of(wager["bet"], seat) for seat in others] if on_others else [field_of(wager["bet"])],
        "first": place == 0,
        "written": place == 0 and not on_others,
        "minimum_cents": wager["minimum_cents"],
        "span": span(wager["minimum_cents"], wager["maximum_cents"]) + (" each" if on_others else ""),
        "suggested": chips(suggested).replace(",", "") if suggested else "",
        "lying": lying,
    }


def field_of(bet: str, on: int | None = None) -> str:
    """Return the name of the field that holds a stake.

    >>> field_of("multi-super", 3)
    'stake-multi-super@3'
    """
    return f"stake-{bet}" + (f"@{on}" if on else "")


def _placing(other: Json, own: Json | None, offered: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the wagers that may stand on another's hand, with what lay there last."""
    for wager in offered:
        if own and other["taken"] and wager["place"] == "other_seat":
            there = (each for each in own["circles"] if (each["bet"], each["on"]) == (wager["bet"], other["seat"]))
            before = next((chips(each["cents"]).replace(",", "") for each in there), "")
            yield {"field": field_of(wager["bet"], other["seat"]), "name": wager["name"], "before": before}


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
