"""The order of a round: whom to ask what, when the dealer's hand is opened, which cards go where first."""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any

from pitboss.cards import make_mask
from pitboss.contract import Game, HandOwner, LegResult
from pitboss.table.domain.events import Dealt, Decided, Event, Settled, Shown
from pitboss.table.domain.reasons import LOST_BY_FOLD
from pitboss.table.domain.wagers import wager_named


class Step(Enum):
    """What a round does next."""

    ASK = "ask"
    OPEN_DEALER = "open dealer"
    FINISH = "finish"


@cache
def program(game: Game, seats: int) -> tuple[tuple[Step, int, int], ...]:
    """List every step of a round as (step, decision, seat): each decision is put to every seat in order (ALL-10).

    The dealer's hand is opened after the last decision, or before the first that may see it.
    """
    steps: list[tuple[Step, int, int]] = []
    opened = False
    for index, decision in enumerate(game.decisions):
        if decision.shows_dealer and not opened:
            steps.append((Step.OPEN_DEALER, 0, 0))
            opened = True
        steps.extend((Step.ASK, index, seat) for seat in range(seats))
    if not opened:
        steps.append((Step.OPEN_DEALER, 0, 0))
    return (*steps, (Step.FINISH, 0, 0))


def first_dealings(game: Game, seats: int, deck: Sequence[int]) -> Iterator[Dealt]:
    """Yield what the first cards of ``deck`` are: the game's zones in their order, a zone "seat" once for each."""
    place = 0
    for zone in game.deal_order:
        for seat in range(seats) if zone.destination == "seat" else (None,):
            yield Dealt(zone.destination, tuple(deck[place : place + zone.cards]), seat)
            place += zone.cards


def passed_by_all(steps: Sequence[tuple[Step, int, int]], at: int) -> bool:
    """Return whether the step before ``at`` was not a decision that other seats have yet to come to."""
    return not 0 < at < len(steps) or steps[at - 1][:2] != steps[at][:2]


def uncovered(game: Game, states: Sequence[Any], events: Sequence[Event]) -> Iterator[Shown]:
    """Yield the cards of each zone that lie open in ``states`` and have not been shown in ``events``.

    What a seat was dealt, its hand, its draw and its discards, it alone sees; any other card that one seat may see
    lies on the felt for all.
    """
    public, shown = 0, dict[str, int]()
    for event in events:
        if isinstance(event, Dealt):  # a card given up may come back to a seat (LU-11)
            cards = make_mask(event.cards)
            public = public & ~cards if event.to == "seat" else public | cards
        elif isinstance(event, Shown):
            shown[event.zone] = shown.get(event.zone, 0) | make_mask(event.cards)
    views = [game.rules.view(state) for state in states]
    for zone in views[0]._fields:
        fresh = 0
        for view in views:
            fresh |= getattr(view, zone)
        fresh &= public & ~shown.get(zone, 0)
        if fresh:
            yield Shown(zone, tuple(card for card in game.deck.cards if fresh >> card & 1))


def folded_in(events: Sequence[Event]) -> set[int]:
    """Return the seats that have folded."""
    return {event.seat for event in events if isinstance(event, Decided) and event.action == "fold"}


def is_turned_up(*, paid: bool, opened: bool, folded: bool, lost_by_fold: bool) -> bool:
    """Return whether a hand is turned up when a wager on it is settled.

    It is when the wager is paid, and when the hand meets the dealer's ``opened`` hand.  A folded hand is turned up for
    a wager that the fold did not lose, which only its cards can settle (SC-2, SW-3, WJ-4); else it stays face down.
    """
    return paid or (not lost_by_fold if folded else opened)


def with_hands_shown(
    game: Game, states: Sequence[Any], events: Sequence[Event], settled: Sequence[Settled], *, opened: bool
) -> Iterator[Event]:
    """Yield settlements, before each of them what the hand it stands on then shows (ALL-6).

    Which hands are turned up ``is_turned_up`` says.  For a side wager what the seat has set aside counts too (W6-5).
    """
    folded = folded_in(events)
    shown = {
        event.seat: make_mask(event.cards) for event in events if isinstance(event, Shown) and event.seat is not None
    }
    for each in settled:
        seat = each.seat if each.on is None else each.on
        paid = any(leg.verdict is LegResult.WIN for leg in each.legs)
        by_fold = any(leg.reason == LOST_BY_FOLD for leg in each.legs)
        up = is_turned_up(paid=paid, opened=opened, folded=seat in folded, lost_by_fold=by_fold)
        if up and wager_named(game, each.bet).hand_owner is not HandOwner.DEALER:
            before = shown.get(seat, 0)
            fresh = hand_of(game, states[seat], aside=each.bet != "main") & ~before
            if fresh:
                shown[seat] = before | fresh
                yield Shown("player", tuple(card for card in game.deck.cards if fresh >> card & 1), seat)
        yield each


def hand_of(game: Game, state: Any, *, aside: bool) -> int:
    """Return the cards of a seat's own hand that it sees, also those it has set ``aside``, as a mask."""
    view = game.rules.view(state)
    return int(view.player | (getattr(view, "discarded", 0) if aside else 0))
