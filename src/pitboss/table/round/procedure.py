"""The order of a round: decisions, the dealer's hand and the first deal."""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any

from pitboss.cards import make_mask
from pitboss.contract import Game, LegResult
from pitboss.table.round.events import CardsDealt, CardsShown, DecisionMade, RoundEvent, WagerSettled
from pitboss.table.round.reasons import LOST_BY_FOLD
from pitboss.table.round.wagers import get_wager


class RoundStep(Enum):
    """A kind of step of a round."""

    ASK = "ask"
    OPEN_DEALER = "open dealer"
    FINISH = "finish"


@cache
def list_steps(game: Game, seats: int) -> tuple[tuple[RoundStep, int, int], ...]:
    """List every step of a round as (step, decision, seat).

    Each decision is put to every seat in order (ALL-10).  The dealer's hand is opened after the last decision, or
    before the first decision that may see it.
    """
    steps: list[tuple[RoundStep, int, int]] = []
    is_dealer_open = False
    for index, decision in enumerate(game.decisions):
        if decision.shows_dealer and not is_dealer_open:
            steps.append((RoundStep.OPEN_DEALER, 0, 0))
            is_dealer_open = True
        steps.extend((RoundStep.ASK, index, seat) for seat in range(seats))
    if not is_dealer_open:
        steps.append((RoundStep.OPEN_DEALER, 0, 0))
    return (*steps, (RoundStep.FINISH, 0, 0))


def deal_first_cards(game: Game, seats: int, deck: Sequence[int]) -> Iterator[CardsDealt]:
    """Yield the first deal from ``deck``, zone by zone.

    The zones are in the game's order; a zone "seat" is dealt once for each seat.
    """
    place = 0
    for zone in game.deal_order:
        for seat in range(seats) if zone.destination == "seat" else (None,):
            yield CardsDealt(zone.destination, tuple(deck[place : place + zone.cards]), seat)
            place += zone.cards


def is_decision_complete(steps: Sequence[tuple[RoundStep, int, int]], index: int) -> bool:
    """Return whether every seat has made the decision of the step before ``index``."""
    return not 0 < index < len(steps) or steps[index - 1][:2] != steps[index][:2]


def find_open_cards(game: Game, states: Sequence[Any], events: Sequence[RoundEvent]) -> Iterator[CardsShown]:
    """Yield the open cards of each zone that have not been shown yet.

    They lie open in ``states``, and ``events`` have not shown them.  The cards that a seat was dealt (its hand, its
    draw, its discards) are seen by that seat alone.  Any other card that one seat may see lies open on the felt for
    all.
    """
    public, shown = 0, dict[str, int]()
    for event in events:
        if isinstance(event, CardsDealt):  # a discard may come back to a seat (LU-11)
            cards = make_mask(event.cards)
            public = public & ~cards if event.destination == "seat" else public | cards
        elif isinstance(event, CardsShown):
            shown[event.zone] = shown.get(event.zone, 0) | make_mask(event.cards)
    views = [game.rules.view(state) for state in states]
    for zone in views[0]._fields:
        fresh = 0
        for view in views:
            fresh |= getattr(view, zone)
        fresh &= public & ~shown.get(zone, 0)
        if fresh:
            yield CardsShown(zone, tuple(card for card in game.deck.cards if fresh >> card & 1))


def find_folded_seats(events: Sequence[RoundEvent]) -> set[int]:
    """Find the seats that have folded."""
    return {event.seat for event in events if isinstance(event, DecisionMade) and event.action == "fold"}


def is_turned_up(*, is_paid: bool, dealer_open: bool, is_folded: bool, lost_by_fold: bool) -> bool:
    """Return whether a hand is turned up when a wager on it is settled.

    It is if the wager is paid, and if the dealer's hand is open to compare it with.  A folded hand is turned up only
    for a wager that the fold did not lose, because only its cards can settle that (SC-2, SW-3, WJ-4).
    """
    return is_paid or (not lost_by_fold if is_folded else dealer_open)


def insert_shown_hands(
    game: Game,
    states: Sequence[Any],
    events: Sequence[RoundEvent],
    settled: Sequence[WagerSettled],
    *,
    dealer_open: bool,
) -> Iterator[RoundEvent]:
    """Yield settlements, each after the cards that its hand shows then (ALL-6).

    ``is_turned_up`` says which hands are turned up.  For a side wager the seat's discards count too (W6-5).
    """
    folded = find_folded_seats(events)
    shown = {
        event.seat: make_mask(event.cards)
        for event in events
        if isinstance(event, CardsShown) and event.seat is not None
    }
    for each in settled:
        seat = each.seat if each.on is None else each.on
        paid = any(leg.result is LegResult.WIN for leg in each.legs)
        by_fold = any(leg.reason == LOST_BY_FOLD for leg in each.legs)
        up = is_turned_up(is_paid=paid, dealer_open=dealer_open, is_folded=seat in folded, lost_by_fold=by_fold)
        if up and get_wager(game, each.bet).hand_owner.is_seat:
            earlier = shown.get(seat, 0)
            fresh = get_hand_mask(game, states[seat], with_discards=each.bet != "main") & ~earlier
            if fresh:
                shown[seat] = earlier | fresh
                yield CardsShown("player", tuple(card for card in game.deck.cards if fresh >> card & 1), seat)
        yield each


def get_hand_mask(game: Game, state: Any, *, with_discards: bool) -> int:
    """Return a mask of a seat's own hand, ``with_discards`` also of its discards."""
    view = game.rules.view(state)
    return int(view.player | (getattr(view, "discarded", 0) if with_discards else 0))
