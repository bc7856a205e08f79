"""The rules of Let It Ride (LIR-1 to LIR-4): two bets may be pulled back."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import bit, take_cards
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    NO_HAND,
    PAIR,
    ROYAL_FIRST,
    HandTables,
    evaluate_strength,
    find_five_card_line,
    find_three_card_line,
    pack_lowest_strength,
)

HAND = 3
UNDECIDED, PULLED_BACK, RIDES = 0, 1, 2
PAIR_OF_TENS = pack_lowest_strength(PAIR, 10)
NO_LINE = 9


class State(NamedTuple):
    """One seat's round: its cards, the community cards, two bets, and the end."""

    player: int
    first: int
    second: int
    first_bet: int
    second_bet: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, and the community cards turned up."""

    player: int
    community: int


class Options(NamedTuple):
    """The options as codes, in the order of ``GAME.options``."""

    three_card_bonus: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: three to each seat and two community cards."""
    return HAND * seats + 2


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal three cards to each seat (0 first), then two community cards (ALL-10)."""
    board = HAND * seats
    return State(take_cards(deck, HAND * seat, HAND), bit(deck[board]), bit(deck[board + 1]), UNDECIDED, UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask for the first bet, then for the second (LIR-1)."""
    if state.first_bet == UNDECIDED:
        return 0
    return 1 if state.second_bet == UNDECIDED else NO_DECISION


@rule
def view(state: State) -> View:
    """Show a community card after the first decision, both at the end."""
    turned_up = 0 if state.first_bet == UNDECIDED else state.first
    return View(state.player, turned_up | state.second if state.shown else turned_up)


@rule
def legal_actions(_tables: HandTables, _view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow to pull a bet back (bit 0) and to let it ride (bit 1) (LIR-1)."""
    return 3


@rule
def act(state: State, decision: int, action: int, _cards: int) -> State:
    """Pull a bet back, or let it ride."""
    first_bet = PULLED_BACK + action if decision == 0 else state.first_bet
    second_bet = PULLED_BACK + action if decision == 1 else state.second_bet
    return State(state.player, state.first, state.second, first_bet, second_bet, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Turn up the second community card."""
    return State(state.player, state.first, state.second, state.first_bet, state.second_bet, 1)


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle the three bets and the 3 Card Bonus, when all cards are shown.

    Main is 10 x (2 if the first bet rides + 1 if the second does) + the line that the five cards make (LIR-3).
    """
    if state.shown == 0:
        return UNSETTLED, UNSETTLED
    mine = evaluate_hands(tables, state, options)[0]
    line = find_five_card_line(mine) if mine >= PAIR_OF_TENS else NO_LINE
    riding = 2 * (state.first_bet - PULLED_BACK) + state.second_bet - PULLED_BACK
    return (NO_LINE + 1) * riding + line, find_three_card_line(tables, state.player, options)


@rule
def evaluate_hands(tables: HandTables, state: State, _options: Options) -> tuple[int, int]:
    """Return the strength of the five cards once all are shown (LIR-2)."""
    five = state.player | state.first | state.second
    return evaluate_strength(tables, five, 0, ROYAL_FIRST) if state.shown else NO_HAND, NO_HAND
