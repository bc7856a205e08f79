"""Rare events of a round, found in its events and in the game's contract.

A game lists none: two hits, envy, a part of the main wager that pays by itself, a decision with the dealer's hand open
that costs chips, a reshuffle, an unshown hand, a tie, a dealer who does not qualify, and the highest pays are events of
the round driver or words of its outcomes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from pitboss.builders import capitalize_first, display_name
from pitboss.contract import LegResult, Outcome, PayUnit
from pitboss.outcome_nets import get_meter_percent
from pitboss.paytables import find_progressive_table
from pitboss.table.round import DecisionMade, EnvyPaid, Round, StubReshuffled, WagerSettled
from pitboss.table.round.wagers import get_outcome, get_wager
from pitboss.table.training.rounds import UnshownHandRound, hides_hands

_HIGHEST_PAYS = 3
_FEW_LINES = 5
_NOT_QUALIFIED = "not-qualified"
_EVEN = {"tie", "push"}

UNSHOWN_EVENT = "unshown"
"""The event of a winning first hand that stays face down."""


class RareEvent(NamedTuple):
    """A kind of rare event: its id, its name, and whether it occurred in a round."""

    id: str
    name: str
    occurs: Callable[[Round], bool]


def iter_rare_events(opened: Round) -> Iterator[RareEvent]:
    """Yield the rare events that can occur at the table of an opened round."""
    yield from _iter_meter_events(opened)
    game = opened.game
    for part in game.main_parts:
        yield RareEvent(part.id, part.name, partial(_is_part_paid, frozenset(part.paytable_kinds)))
    for decision in game.decisions:
        for action in decision.actions:
            if decision.shows_dealer and action.stake:
                name = capitalize_first(display_name(action.id))
                yield RareEvent(action.id, name, partial(_is_chosen, action.id))
    if _can_run_short(opened):
        yield RareEvent("reshuffle", "A reshuffle of the discards", _is_reshuffled)
    if hides_hands(opened):
        yield RareEvent(UNSHOWN_EVENT, "A winning hand that is not shown", _is_unshown)
    names = [outcome.name for outcome in game.main.outcomes]
    if any(_EVEN & set(name.split("-")) for name in names):
        yield RareEvent("tie", "A tie, or a push of the main wager", _is_even)
    if any(_NOT_QUALIFIED in name for name in names):
        yield RareEvent(_NOT_QUALIFIED, "A dealer who does not qualify", _is_not_qualified)
    if _list_high_lines(opened):
        yield RareEvent("high-pay", "One of the highest pays of a pay table", _is_highly_paid)


def _iter_meter_events(opened: Round) -> Iterator[RareEvent]:
    table = find_progressive_table(opened.paytables)
    if table is None or opened.get_wager_status(get_wager(opened.game, table.bet)) == "off":
        return
    if opened.seats > 1:
        yield RareEvent("two-hits", "Two progressive hits in one round", lambda played: _count_hits(played) > 1)
        if table.envy:
            yield RareEvent("envy", "Envy", lambda played: any(isinstance(each, EnvyPaid) for each in played.events))
    if any(pay.unit is PayUnit.PERCENT_OF_METER for pay in table.lines.values()):
        yield RareEvent("meter-percent", "A part of the meter", _is_paid_by_meter)


def _iter_settled(played: Round) -> Iterator[WagerSettled]:
    return (event for event in played.events if isinstance(event, WagerSettled))


def _get_outcome(played: Round, event: WagerSettled) -> Outcome:
    return get_outcome(played.game, event.bet, event.outcome)


def _count_hits(played: Round) -> int:
    table = find_progressive_table(played.paytables)
    return sum(table is not None and each.bet == table.bet and each.net_cents > 0 for each in _iter_settled(played))


def _is_paid_by_meter(played: Round) -> bool:
    return any(get_meter_percent(_get_outcome(played, event), played.paytables) for event in _iter_settled(played))


def _is_part_paid(kinds: frozenset[str], played: Round) -> bool:
    return any(
        leg.result is LegResult.WIN and leg.paytable_kind in kinds
        for event in _iter_settled(played)
        if event.bet == played.game.main.id
        for leg in _get_outcome(played, event).legs
    )


def _is_chosen(action: str, played: Round) -> bool:
    return any(isinstance(event, DecisionMade) and event.action == action for event in played.events)


def _can_run_short(opened: Round) -> bool:
    """Return whether the seats can draw more cards than the stub has.

    Then the discards are shuffled in (LU-11).
    """
    game = opened.game
    draws = max((action.draws for decision in game.decisions for action in decision.actions), default=0)
    stub = game.deck.size - game.rules.count_dealt(opened.seats) - game.undrawable_cards
    return opened.options.get("short_deck") == "reshuffle" and opened.seats * draws > stub


def _is_unshown(played: Round) -> bool:
    return isinstance(played, UnshownHandRound)


def _is_reshuffled(played: Round) -> bool:
    return any(isinstance(event, StubReshuffled) for event in played.events)


def _is_even(played: Round) -> bool:
    return any(
        event.bet == played.game.main.id and _EVEN & set(event.outcome.split("-")) for event in _iter_settled(played)
    )


def _is_not_qualified(played: Round) -> bool:
    return any(event.bet == played.game.main.id and _NOT_QUALIFIED in event.outcome for event in _iter_settled(played))


def _list_high_lines(played: Round) -> set[tuple[str, str]]:
    """List the highest lines of each pay table of some length, as kind and line."""
    high = set[tuple[str, str]]()
    for kind, table in played.paytables.items():
        lines = sorted(table.lines, key=lambda line: table.lines[line].amount, reverse=True)
        if len(lines) >= _FEW_LINES:
            high |= {(kind, line) for line in lines[:_HIGHEST_PAYS]}
    return high


def _is_highly_paid(played: Round) -> bool:
    high = _list_high_lines(played)
    return any(
        leg.result is LegResult.WIN and (leg.paytable_kind, line) in high
        for event in _iter_settled(played)
        for leg in _get_outcome(played, event).legs
        for line in leg.lines
    )
