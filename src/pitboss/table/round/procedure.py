"""The order of a round: whom to ask what, when the dealer's hand is opened, which cards go where first."""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any

from pitboss.cards import make_mask
from pitboss.contract import Game, HandOwner, LegResult
from pitboss.table.round.events import CardsDealt, CardsShown, DecisionMade, RoundEvent, WagerSettled
from pitboss.table.round.reasons import LOST_BY_FOLD
from pitboss.table.round.wagers import get_wager


class RoundStep(Enum):
    """What a round does next."""

    ASK = "ask"
    OPEN_DEALER = "open dealer"
    FINISH = "finish"


@cache
def list_steps(game: Game, seats: int) -> tuple[tuple[RoundStep, int, int], ...]:
    """List every step of a round as (step, decision, seat): each decision is put to every seat in order (ALL-10).

    The dealer's hand is opened after the last decision, or before the first that may see it.
    """
    steps: list[tuple[RoundStep, int, int]] = []
    opened = False
    for index, decision in enumerate(game.decisions):
        if decision.shows_dealer and not opened:
            steps.append((RoundStep.OPEN_DEALER, 0, 0))
            opened = True
        steps.extend((RoundStep.ASK, index, seat) for seat in range(seats))
    if not opened:
        steps.append((RoundStep.OPEN_DEALER, 0, 0))
    return (*steps, (RoundStep.FINISH, 0, 0))


def deal_first_cards(game: Game, seats: int, deck: Sequence[int]) -> Iterator[CardsDealt]:
    """Yield what the first cards of ``deck`` are: the game's zones in their order, a zone "seat" once for each."""
    place = 0
    for zone in game.deal_order:
        for seat in range(seats) if zone.destination == "seat" else (None,):
            yield CardsDealt(zone.destination, tuple(deck[place : place + zone.cards]), seat)
            place += zone.cards


def is_decision_complete(steps: Sequence[tuple[RoundStep, int, int]], index: int) -> bool:
    """Return whether the step before ``index`` was not a decision that other seats have yet to come to."""
    return not 0 < index < len(steps) or steps[index - 1][:2] != steps[index][:2]


def find_open_cards(game: Game, states: Sequence[Any], events: Sequence[RoundEvent]) -> Iterator[CardsShown]:
    """Yield the cards of each zone that lie open in ``states`` and have not been shown in ``events``.

    What a seat was dealt, its hand, its draw and its discards, it alone sees; any other card that one seat may see
    lies on the felt for all.
    """
    public, shown = 0, dict[str, int]()
    for event in events:
        if isinstance(event, CardsDealt):  # a card given up may come back to a seat (LU-11)
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
    """Return the seats that have folded."""
    return {event.seat for event in events if isinstance(event, DecisionMade) and event.action == "fold"}


def is_turned_up(*, is_paid: bool, dealer_open: bool, is_folded: bool, lost_by_fold: bool) -> bool:
    """Return whether a hand is turned up when a wager on it is settled.

    It is when the wager is paid, and when the hand meets the dealer's ``dealer_open`` hand.  A folded hand is turned up
    for a wager that the fold did not lose, which only its cards can settle (SC-2, SW-3, WJ-4); else it stays face down.
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
    """Yield settlements, before each of them what the hand it stands on then shows (ALL-6).

    Which hands are turned up ``is_turned_up`` says.  For a side wager what the seat has set aside counts too (W6-5).
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
        if up and get_wager(game, each.bet).hand_owner is not HandOwner.DEALER:
            before = shown.get(seat, 0)
            fresh = get_hand_mask(game, states[seat], with_discards=each.bet != "main") & ~before
            if fresh:
                shown[seat] = before | fresh
                yield CardsShown("player", tuple(card for card in game.deck.cards if fresh >> card & 1), seat)
        yield each


def get_hand_mask(game: Game, state: Any, *, with_discards: bool) -> int:
    """Return the cards of a seat's own hand that it sees, also those it has set ``with_discards``, as a mask."""
    view = game.rules.view(state)
    return int(view.player | (getattr(view, "discarded", 0) if with_discards else 0))
