"""What on the table makes a step of the procedure the right one.

A correction says it after the step.  It is read from the events of the round: who has acted, which cards are dealt and
open, and what is settled.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile

from pitboss.builders import display_name
from pitboss.core.joined_words import join_words
from pitboss.core.numbers import format_count
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import CardsDealt, CardsShown, DecisionMade, EnvyPaid, Round, RoundEvent, WagerSettled
from pitboss.table.round.events import StubReshuffled
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_wager
from pitboss.table.training.console_steps import find_meter_bet
from pitboss.table.training.dealer_question import ProcedureStep
from pitboss.table.training.seat_facts import describe_staying_wagers, find_open_stakes, list_foreign_circles
from pitboss.table.training.step_texts import (
    ALL_IS_SETTLED,
    describe_settle_step,
    describe_turn_up_step,
    describe_zone_name,
)


def describe_situation(played: Round, step: ProcedureStep) -> str:
    """Say what on the table makes a step right, "" where nothing there does."""
    describe = _DESCRIBE_BY_CASE.get(step.case)
    return describe(played, step) if describe else ""


def _describe_before_ask(played: Round, step: ProcedureStep) -> str:
    """Say which seats have answered the question, and which have not."""
    events, before, seat = played.events, step.event_count, _get_seat(step)
    decision = next(each.decision for each in events[before:] if isinstance(each, DecisionMade))
    answered = {each.seat for each in events[:before] if isinstance(each, DecisionMade) and each.decision == decision}
    left = {each.seat for each in events[before:] if isinstance(each, DecisionMade) and each.decision == decision}
    if not answered:
        return f"nobody has answered this question, and seat {seat + 1} is the first from your left that has to"
    others = left - {seat}
    open_text = f", {_name_seats(others)} {_agree(others, 'has', 'have')} not" if others else ""
    have = _agree(answered, "has", "have")
    return f"{_name_seats(answered)} {have} answered this question{open_text}, and seat {seat + 1} is the next one"


def _describe_before_draw(played: Round, step: ProcedureStep) -> str:
    """Say how many cards the hand, or the stub, has before cards are dealt to it."""
    events = played.events[: step.event_count]
    drawn = next(each for each in played.events[step.event_count :] if isinstance(each, CardsDealt))
    count = len(drawn.cards)
    if isinstance(played.events[step.event_count], StubReshuffled):
        dealt = sum(len(each.cards) for each in events if isinstance(each, CardsDealt))
        return f"the stub has {len(played.game.deck.cards) - dealt} cards, too few for the next draw of {count}"
    held = _count_cards(events, drawn.seat)[1]
    if drawn.seat is None:
        return f"{_describe_acted(played, step.event_count)}, and you hold {held} cards"
    return f"seat {drawn.seat + 1} holds {format_count(held, 'card')}, and its hand is to have {held + count}"


def _describe_before_turn_up(played: Round, step: ProcedureStep) -> str:
    """Say what lies open, and whether a seat has still to act."""
    before, seat = step.event_count, step.seat
    events = played.events[:before]
    if seat is None:
        shown = takewhile(lambda event: isinstance(event, CardsShown), played.events[before:])
        zones = (event.zone for event in shown if isinstance(event, CardsShown) and event.seat is None)
        closed = join_words(_describe_zone_open(events, zone) for zone in dict.fromkeys(zones))
        return f"{_describe_acted(played, before)}, and {closed}"
    mine, its = _describe_open(events, None), _describe_open(events, seat)
    return f"{mine} and {its} are open, and {_explain_turn(played, before, seat)}"


def _describe_before_settle(played: Round, step: ProcedureStep) -> str:
    """Say what lies open, and which wagers of the seat are next."""
    seat, before = _get_seat(step), step.event_count
    events = played.events[:before]
    if seat in find_folded_seats(events) and isinstance(events[-1], DecisionMade):
        return f"seat {seat + 1} has just folded: {_describe_chips(played, before, seat)} still on its hand"
    mine, its = _describe_open(events, None), _describe_open(events, seat)
    return f"{mine} and {its} are open, and {_explain_turn(played, before, seat)}"


def _describe_chips(played: Round, before: int, seat: int) -> str:
    """Say which circles hold chips on a seat's own hand, as in "its Ante is"."""
    places = build_layout_snapshot(played, before)
    chips = next(each.chips for each in places if each.name == f"Seat {seat + 1}")
    foreign = list_foreign_circles(played, before, seat)
    circles = [circle for circle, _ in chips if circle not in foreign]
    return f"its {join_words(circles)} {_agree(circles, 'is', 'are')}"


def _explain_turn(played: Round, before: int, seat: int) -> str:
    """Say why a seat's next wagers are settled now."""
    left = [each for each in played.events[before:] if isinstance(each, WagerSettled)]
    first = next(each for each in left if each.seat == seat)
    names = _list_settled_wagers(played, played.events.index(first, before), seat)
    later = {each.seat for each in left if each.seat > seat}
    if not later:
        return f"from your right the next to settle is its {join_words(names)}"
    are, others = _agree(names, "is", "are"), _describe_open_circles(played, before, later)
    folded = f"seat {seat + 1} has folded: " if seat in find_folded_seats(played.events[:before]) else ""
    return f"{folded}its {join_words(names)} {are} settled before what is left at {others}"


def explain_later_seats(played: Round, step: ProcedureStep, choices: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the choices of seats whose wager of the same kind comes later.

    The order refutes them where the situation names only what is left at other seats.
    """
    seat, before = step.seat, step.event_count
    left = [each for each in played.events[before:] if isinstance(each, WagerSettled)]
    if step.case not in ("turn up", "settle") or seat is None or isinstance(played.events[before - 1], DecisionMade):
        return
    first = next(each for each in left if each.seat == seat)
    names = _list_settled_wagers(played, played.events.index(first, before), seat)
    for other in range(seat):
        later = {get_wager(played.game, each.bet).name for each in left if each.seat == other}
        same = [name for name in names if name in later]
        order = f"you settle the {join_words(same)} of seat {seat + 1} before that of seat {other + 1}" if same else ""
        steps = (describe_settle_step(other), describe_turn_up_step(other))
        yield from ((each, f"{order}, from your right") for each in steps if order and each in choices)


def _describe_open_circles(played: Round, before: int, seats: set[int]) -> str:
    """Say which circles of seats are left, as in "seats 2 and 3 (Ante, Bet)"."""
    places = {each.name: each for each in build_layout_snapshot(played, before)}
    meter_bet = find_meter_bet(played)
    on_meter = {each.seat for each in find_open_stakes(played, before) if each.bet == meter_bet}
    found = dict[tuple[str, ...], set[int]]()
    for seat in sorted(seats):
        circles = [circle for circle, _ in places[f"Seat {seat + 1}"].chips]
        meter = [get_wager(played.game, meter_bet).name] if seat in on_meter else []
        found.setdefault((*circles, *meter), set()).add(seat)
    return join_words(f"{_name_seats(same)} ({', '.join(circles)})" for circles, same in found.items())


def _describe_before_envy(played: Round, step: ProcedureStep) -> str:
    paid = next(each for each in played.events[step.event_count :] if isinstance(each, EnvyPaid))
    wager = get_wager(played.game, paid.bet).name
    return f"seat {paid.hitter + 1} has a {display_name(paid.line)}, and seat {_get_seat(step) + 1} has its own {wager}"


def _describe_folded_hand(played: Round, step: ProcedureStep) -> str:
    seat, stays = _get_seat(step), describe_staying_wagers(played, step.event_count, _get_seat(step))
    return f"seat {seat + 1} has folded, and no wager on its hand is left{f'; {stays}' if stays else ''}"


def _describe_open(events: Sequence[RoundEvent], seat: int | None) -> str:
    """Say how many cards of a hand lie open, as in "none of your 5 cards"."""
    shown, held = _count_cards(events, seat)
    count = "all" if shown == held else shown or "none"
    return f"{count} of your {held} cards" if seat is None else f"{count} of the {held} cards of seat {seat + 1}"


def _describe_zone_open(events: Sequence[RoundEvent], zone: str) -> str:
    """Say how many cards of a zone without a seat lie open."""
    dealt = [each for each in events if isinstance(each, CardsDealt) and each.destination.lower() == zone]
    count = sum(len(each.cards) for each in dealt)
    shown = sum(len(each.cards) for each in events if isinstance(each, CardsShown) and each.zone == zone)
    name = describe_zone_name(zone)
    return (
        f"of {name} {shown or 'none'} of {count} {'are' if shown > 1 else 'is'} open"
        if count > 1
        else f"{name} lies face down"
    )


def _describe_acted(played: Round, before: int) -> str:
    """Say whether seats have acted, and whether some still have to."""
    made, left = (
        any(isinstance(event, DecisionMade) for event in events)
        for events in (played.events[:before], played.events[before:])
    )
    if not left:
        return "no seat has still to act"
    return "every seat that was asked has answered" if made else "no seat has been asked yet"


def _list_settled_wagers(played: Round, before: int, seat: int) -> list[str]:
    """List the wagers of a seat that are settled together from an event on."""
    settled = takewhile(lambda event: isinstance(event, WagerSettled) and event.seat == seat, played.events[before:])
    names = (get_wager(played.game, event.bet).name for event in settled if isinstance(event, WagerSettled))
    return list(dict.fromkeys(names))


def _count_cards(events: Sequence[RoundEvent], seat: int | None) -> tuple[int, int]:
    """Count the open cards and all cards of a seat's hand, or of the dealer's."""
    held, shown = set[int](), set[int]()
    for event in events:
        match event:
            case CardsDealt() if event.seat == seat and event.destination in ("seat", "dealer"):
                held |= set(event.cards)
            case CardsShown() if event.seat == seat:
                shown |= set(event.cards)
            case DecisionMade() if event.seat == seat:
                held -= set(event.cards)
    return len(held & shown), len(held)


def _get_seat(step: ProcedureStep) -> int:
    if step.seat is None:
        raise ValueError(step.case)
    return step.seat


def _agree(things: Collection[object], one: str, many: str) -> str:
    return one if len(things) == 1 else many


def _name_seats(seats: set[int]) -> str:
    return f"{_agree(seats, 'seat', 'seats')} {join_words(str(seat + 1) for seat in sorted(seats))}"


_DESCRIBE_BY_CASE: dict[str, Callable[[Round, ProcedureStep], str]] = {
    "deal": lambda _played, _step: "the wagers are placed, and no card is dealt",
    "ask": _describe_before_ask,
    "draw": _describe_before_draw,
    "turn up": _describe_before_turn_up,
    "settle": _describe_before_settle,
    "envy": _describe_before_envy,
    "collect the cards": lambda _played, _step: ALL_IS_SETTLED,
    "collect a folded hand": _describe_folded_hand,
}
