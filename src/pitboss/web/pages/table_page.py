"""The view model of a table's page.

It is what one seat sees, arranged by the game's layout.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from time import time
from typing import Any

from markupsafe import Markup

from pitboss.contract import Game
from pitboss.core.joined_words import join_words
from pitboss.games import load_game
from pitboss.table.round import DecisionMade, find_decisions
from pitboss.table.session import Phase, TableSession
from pitboss.table.session.available_wagers import compute_minimum_cents, list_available_wagers
from pitboss.table.session.perspective import Perspective
from pitboss.table.session.terms import BetStake
from pitboss.table.session.timeouts import ABSENT_SECONDS, find_absent_seat
from pitboss.table.session.view import describe_perspective
from pitboss.web.jobs.coach import is_not_fold
from pitboss.web.pages.circles import count_chips_at_stake, describe_results
from pitboss.web.pages.house_rules import describe_session_timeout, describe_timeouts, format_span
from pitboss.web.pages.known_results import describe_known_result
from pitboss.web.pages.table_layout import describe_bots, find_circle_wager, load_layout, name_circle
from pitboss.web.pages.wild_cards import find_wild_cards, list_replaced_cards
from pitboss.web.registry import compute_minimum_stakes
from pitboss.web.templating import CHIP_DOLLARS, RULING_LABELS, format_chips

Json = Mapping[str, Any]


def build_table_context(session: TableSession, seat: int | None, address: str) -> dict[str, Any]:
    """Return the context of the table's templates.

    It is limited to what ``build_view`` lets the seat see.
    """
    perspective = Perspective(session, seat)
    view = name_circles(describe_perspective(perspective), load_layout(load_game(session.terms.game)).circles)
    own = next((each for each in view["seats"] if each["mine"]), None)
    wagers = list_available_wagers(session)
    staking = seat is not None and own is not None and session.phase is Phase.WAGERS and not session.seats[seat].stakes
    actions, last_stakes = view["actions"], session.seats[seat].last_stakes if staking and seat is not None else ()
    dealers_counted = perspective.find_counted_hand_at(None) if _is_compared(view) else None
    return {
        "t": view,
        "address": address,
        "own": own,
        "results": rank_results(own["circles"]) if own else [],
        "sides": split_by_side(
            [
                {
                    **each,
                    **_describe_other_seat(session, seat, each),
                    "counted": perspective.find_counted_hand_at(each["seat"]) if _is_compared(view) else None,
                    "placing": list(_list_wagers_on_seat(each["seat"], last_stakes, wagers))
                    if staking and each["taken"]
                    else [],
                }
                for each in view["seats"]
                if not each["mine"]
            ],
            own["seat"] if own else 0,
        ),
        "ran_out": describe_timeouts(own["late"], own=True) if own else "",
        "bots": describe_bots(load_game(session.terms.game)),
        "staking": staking,
        "rows": list(_list_rows(session, own, wagers, staking=staking)) if own else [],
        "rack": [dollars for dollars in CHIP_DOLLARS if 100 * dollars <= max(each["maximum_cents"] for each in wagers)],
        "repeats_wagers": bool(last_stakes) and {each.on for each in last_stakes} <= {None, *session.seats},
        "choices": assign_keys(
            {**each, "brings": describe_known_result(session, seat, each["action"])}
            for each in sorted(_list_choices(actions), key=lambda each: is_not_fold(each["action"]))
        ),
        "dear": _compute_lacking_dollars(actions, own),
        "absent": find_absent_seat(session, seat),
        "absent_minutes": ABSENT_SECONDS // 60,
        "clock": _build_clock(session, view["deadline"], seat),
        "wild": find_wild_cards(session, seat, seat),
        "dealers_wild": find_wild_cards(session, seat, None),
        "counted": perspective.find_counted_hand_at(seat) if own and _is_compared(view) else None,
        "dealers_counted": dealers_counted,
        "dealers_others": list_other_hands(perspective.name_dealers_hands(), _list_folded(session), view["dealer"]),
        "replaced": list_replaced_cards(session, seat),
        "made_if": _find_condition(session, perspective),
        "broke": round_purchase(max(0, compute_minimum_cents(session) - own["chips_cents"])) if staking and own else 0,
        "choosing": any(each["gives"] for each in actions),
        "only_one": max((each["gives"] for each in actions), default=0) == 1,
        "live": True,
        "fresh": not view["over"] and view["phase"] == "decisions",
    }


def round_purchase(lacking_cents: int) -> int:
    """Return the dollars of chips to offer, a multiple of 25.

    >>> [round_purchase(cents) for cents in (1, 2_500, 16_500)]
    [25, 25, 175]
    """
    return 25 * -(-lacking_cents // 2_500)


def _compute_lacking_dollars(actions: Iterable[Json], own: Json | None) -> int:
    """Return the dollars that a seat lacks for its costliest action."""
    costs = [each["cost_cents"] for each in actions if not each["affordable"]]
    return round_purchase(max(costs) - own["chips_cents"]) if own and costs else 0


def _find_condition(session: TableSession, perspective: Perspective) -> str:
    """Return on what a hand depends until its first decision, "" if on nothing."""
    now, own_index = session.round, perspective.own_index
    if now is None or now.turn is None or own_index is None or any(find_decisions(now.events, own_index)):
        return ""
    condition = load_layout(now.game).made_if.get(now.game.decisions[now.turn[1]].id)
    if condition is None or perspective.name_hand_without(condition.zone) == perspective.name_hand(own_index):
        return ""
    return condition.words


def name_circles(view: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a view with circles named as the actions at the table are."""
    for seat in view["seats"]:
        for each in (*seat["circles"], *(seat["wagers"] or ())):
            each["name"] = names.get(each["circle"], each["name"])
    return view


def rank_results(circles: Iterable[Json]) -> list[Json]:
    """Return the settled circles, the largest amount first.

    On a phone those that come first are in view above the bar.  A circle that loses nothing is left out, as a tax that
    is not due.

    >>> circles = [{"result": "lose", "net_cents": -500}, {"result": "", "net_cents": None},
    ...     {"result": "push", "net_cents": 0}, {"result": "win", "net_cents": 2_000},
    ...     {"result": "lose", "net_cents": 0}]
    >>> [each["net_cents"] for each in rank_results(circles)]
    [2000, -500, 0]
    """
    settled = (each for each in circles if each["result"] and (each["result"] != "lose" or each["net_cents"]))
    return sorted(settled, key=lambda each: -abs(each["net_cents"]))


def list_other_hands(hands: Mapping[int, str], folded: Collection[int], shown: str) -> list[str]:
    """Name the dealer's other hands, and the seats that they count for.

    >>> list_other_hands({1: "ace-king high", 2: "pair of tens", 3: "queen-jack high", 4: "pair of tens"}, {3},
    ...     "ace-king high")
    ['For seats 2 and 4: pair of tens']
    """
    seats: dict[str, list[int]] = {}
    for seat, name in hands.items():
        if seat not in folded and name != shown:
            seats.setdefault(name, []).append(seat)
    return [f"For {_name_seats(numbers)}: {name}" for name, numbers in seats.items()]


def _name_seats(numbers: Sequence[int]) -> str:
    return f"seat{'s' if len(numbers) > 1 else ''} {join_words(map(str, numbers))}"


def _list_folded(session: TableSession) -> set[int]:
    """Return the seats that have folded, for which no hand of the dealer counts."""
    if session.round is None:
        return set()
    decisions = (each for each in session.round.events if isinstance(each, DecisionMade))
    return {session.round_seats[each.seat] for each in decisions if not is_not_fold(each.action)}


def _is_compared(view: Json) -> bool:
    """Return whether the dealer's hand is open, or the round over.

    The cards that count are marked then.
    """
    return bool(view["dealer"] or view["over"])


def split_by_side(others: list[dict[str, Any]], own: int) -> dict[str, list[dict[str, Any]]]:
    """Return the other seats to the right and to the left of one's own.

    The seat ``own`` faces the dealer; a spectator's is 0.

    Seats are numbered from the dealer's left, which is a player's right, and go on to the player's left.

    >>> {side: [each["seat"] for each in seats] for side, seats in split_by_side(
    ...     [{"seat": number} for number in (1, 2, 4, 5, 6)], own=3).items()}
    {'right': [1, 2], 'left': [4, 5, 6]}
    """
    start = own or len(others) // 2
    clockwise = sorted(others, key=lambda each: (each["seat"] <= start, each["seat"]))
    half = (len(others) + 1) // 2
    return {"right": clockwise[half:], "left": clockwise[:half]}


def _describe_other_seat(session: TableSession, viewer: int | None, seat_view: Json) -> dict[str, Any]:
    """Describe another seat: its bot, its timeouts and its wild cards.

    This says what the bot does, what the seat's timeouts did, and which of its cards are wild.
    """
    state = session.seats.get(seat_view["seat"])
    bot_words = describe_bots(load_game(session.terms.game)).get(state.bot, "") if state else ""
    return {
        "does": bot_words,
        "ran_out": describe_timeouts(seat_view["late"], own=False),
        "wild": find_wild_cards(session, viewer, seat_view["seat"]),
    }


def _list_rows(
    session: TableSession, own: Json, offered: list[dict[str, Any]], *, staking: bool
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a seat's circles, with their stake fields and chips."""
    game = load_game(session.terms.game)
    wager_of = {
        circle["circle"]: (wager, place, circle["name"])
        for wager in offered
        for place, circle in enumerate(wager["circles"])
    }
    chips = count_chips_at_stake(session, own)
    results = {} if staking else describe_results(session, own)
    last_stakes = {each.bet: each.cents for each in session.seats[own["seat"]].last_stakes if each.on is None}
    suggested_stakes = last_stakes or {each.bet: each.cents for each in compute_minimum_stakes(session)}
    others = [seat for seat in session.seats if seat != own["seat"]]
    for row in load_layout(game).rows:
        yield [
            {
                **_build_spot(
                    game, circle, wager_of.get(circle), chips[circle], suggested_stakes if staking else {}, others
                ),
                "result": results.get(circle),
            }
            for circle in row
        ]


def _build_spot(
    game: Game,
    circle: str,
    offer: tuple[Json, int, str] | None,
    cents: int,
    stakes: Mapping[str, int],
    others: Sequence[int],
) -> dict[str, Any]:
    """Return a circle.

    A circle for wagers on other hands has one stake field for each other seat.
    """
    if offer is None:
        name = name_circle(game, circle)
        return {
            "circle": circle,
            "name": name,
            "tag": name,
            "bet": find_circle_wager(game, circle).id,
            "fields": [],
            "lying": cents,
        }
    wager, place, name = offer
    on_others = wager["place"] == "other_seat"
    suggested = stakes.get(wager["bet"], 0)
    return {
        "circle": circle,
        "name": f"{name} on each other seat" if on_others else name,
        "tag": name,
        "bet": wager["bet"],
        "fields": [make_stake_field(wager["bet"], seat) for seat in others]
        if on_others
        else [make_stake_field(wager["bet"])],
        "first": place == 0,
        "written": place == 0 and not on_others,
        "limits": _format_limits(wager),
        "span": format_span(wager["minimum_cents"], wager["maximum_cents"])
        + (f" on each of {len(others)} other seats" if len(others) > 1 else " on the other seat") * on_others
        + "".join(f", {RULING_LABELS.sub('', tie['text'])}" for tie in wager["ties"]),
        "suggested": format_chips(suggested).replace(",", "") if suggested else "",
        "lying": cents,
    }


def _format_limits(wager: Json) -> Markup:
    """Return a stake field's limits as attributes, by which the page refuses chips."""
    circles = 1 if wager["place"] == "other_seat" else len(wager["circles"])
    least, most = wager["minimum_cents"], wager["maximum_cents"]
    return Markup('data-least="{}" data-most="{}" data-circles="{}"').format(least, most, circles)


def make_stake_field(bet: str, other_seat: int | None = None) -> str:
    """Return the form field name of a stake.

    >>> make_stake_field("multi-super", 3)
    'stake-multi-super@3'
    """
    return f"stake-{bet}" + (f"@{other_seat}" if other_seat else "")


def _list_wagers_on_seat(
    seat: int, last_stakes: Iterable[BetStake], offered: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the wagers that may be placed on another seat's hand.

    Each comes with its last stake.
    """
    for wager in offered:
        if wager["place"] == "other_seat":
            stakes = (each for each in last_stakes if (each.bet, each.on) == (wager["bet"], seat))
            last_stake = next((format_chips(each.cents).replace(",", "") for each in stakes), "")
            field = make_stake_field(wager["bet"], seat)
            yield {"field": field, "name": wager["name"], "before": last_stake, "limits": _format_limits(wager)}


def _build_clock(session: TableSession, deadline: int | None, seat: int | None) -> Json | None:
    """Return the time left until the deadline.

    The result also says whether this seat is awaited, and what happens at the deadline.
    """
    if deadline is None:
        return None
    state = session.seats.get(seat) if seat is not None else None
    is_own = session.turn == seat if session.turn is not None else state is not None and state.stakes is None
    seconds_left = max(0, deadline - int(time()))
    return {"deadline": deadline, "left": seconds_left, "mine": is_own, "then": describe_session_timeout(session)}


def assign_keys(choices: Iterable[Json]) -> list[dict[str, Any]]:
    """Give each button a key of its own.

    It is the first letter of its name that no button before it has, "" if there is none.

    >>> [each["key"] for each in assign_keys([{"name": "Fold"}, {"name": "Force"}, {"name": "Take ante"}])]
    ['f', 'o', 't']
    """
    keyed: list[dict[str, Any]] = []
    for each in choices:
        taken = {other["key"] for other in keyed}
        letters = (letter for letter in each["name"].lower() if "a" <= letter <= "z")
        keyed.append({**each, "key": next((letter for letter in letters if letter not in taken), "")})
    return keyed


def _list_choices(actions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a button for each action.

    Actions that differ only in the number of cards share one button.
    """
    with_cards = [each for each in actions if each["gives"]]
    for each in actions:
        if each["gives"] and len(with_cards) > 1:
            if each is with_cards[0]:
                maximum = with_cards[-1]["gives"]
                cards = f"the {each['gives']} to {maximum} chosen cards"
                yield {**each, "action": BY_COUNT, "name": "Exchange", "cards": cards}
        elif each["gives"]:
            yield {**each, "cards": "the chosen card"}
        else:
            yield {**each, "cards": ""}


def explain_wrong_count(card_count: int, possible: Collection[int]) -> str:
    """Say how many cards an action gives up, and that these were not as many.

    >>> explain_wrong_count(1, [2, 3, 4])
    '1 card chosen: choose 2, 3 or 4'
    """
    counts = join_words(map(str, possible or ("none",)), "or")
    return f"{card_count} card{'' if card_count == 1 else 's'} chosen: choose {counts}"


BY_COUNT = "by-count"
"""The action id of a button whose action depends on the number of chosen cards."""
