"""The rules of Mississippi Stud (MS-1 to MS-4): a bet before each community card."""

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

HAND, COMMUNITY, FOLD = 2, 3, 0
PAIR_OF_JACKS, PAIR_OF_SIXES = pack_lowest_strength(PAIR, 11), pack_lowest_strength(PAIR, 6)
PUSH, LOSE, NO_BONUS_LINE = 9, 10, 6
FEWER_BETS = (0, 1, 4, 13)
"""How many paths have fewer bets: each of them may end with a fold."""


class State(NamedTuple):
    """One seat's round: its cards, each community card, and its play.

    ``bets`` counts the bets made; ``path`` has a digit to base three for each, one less than the bet in Antes.
    """

    player: int
    first: int
    second: int
    third: int
    bets: int
    path: int
    folded: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, and the community cards turned up."""

    player: int
    community: int


class Options(NamedTuple):
    """The options as codes, in the order of ``GAME.options``."""

    bonus_after_fold: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: two to each seat and three community cards."""
    return HAND * seats + COMMUNITY


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal two cards to each seat (0 first), then three community cards (ALL-10)."""
    board, player = HAND * seats, take_cards(deck, HAND * seat, HAND)
    return State(player, bit(deck[board]), bit(deck[board + 1]), bit(deck[board + 2]), 0, 0, 0, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask before each community card, until the seat folds (MS-1)."""
    return NO_DECISION if state.folded or state.bets == COMMUNITY else state.bets


@rule
def view(state: State) -> View:
    """Show a community card after each bet, but the third at the end."""
    if state.shown:
        return View(state.player, state.first | state.second | state.third)
    first = state.first if state.bets >= 1 else 0
    return View(state.player, first | state.second if state.bets >= 2 else first)


@rule
def legal_actions(_tables: HandTables, _view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow to fold (bit 0), and to bet one, two or three Antes (MS-1)."""
    return 15


@rule
def act(state: State, _decision: int, action: int, _cards: int) -> State:
    """Fold, or bet as many Antes as the number of the action."""
    folded = 1 if action == FOLD else 0
    bets, path = (state.bets, state.path) if folded else (state.bets + 1, 3 * state.path + action - 1)
    return State(state.player, state.first, state.second, state.third, bets, path, folded, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Turn up all community cards."""
    return State(state.player, state.first, state.second, state.third, state.bets, state.path, state.folded, 1)


@rule
def is_lost_by_fold(state: State, options: Options) -> bool:
    """Tell whether a fold has lost the 3 Card Bonus (MS-4)."""
    return state.folded == 1 and options.bonus_after_fold == 0


@rule
def settle_main(state: State, mine: int) -> int:
    """Settle the Ante and the bets made by the strength of five cards (MS-3).

    The folds of each street come first, by their path, then eleven results for each path of three bets.
    """
    first = FEWER_BETS[state.bets]
    if state.folded:
        return first + state.path
    line = find_five_card_line(mine) if mine >= PAIR_OF_JACKS else PUSH if mine >= PAIR_OF_SIXES else LOSE
    return first + (LOSE + 1) * state.path + line


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle main at a fold or at the end, the 3 Card Bonus at the end (MS-4)."""
    main = settle_main(state, evaluate_hands(tables, state, options)[0]) if state.folded or state.shown else UNSETTLED
    if is_lost_by_fold(state, options):
        return main, NO_BONUS_LINE
    community = state.first | state.second | state.third
    return main, find_three_card_line(tables, community, options) if state.shown else UNSETTLED


@rule
def evaluate_hands(tables: HandTables, state: State, _options: Options) -> tuple[int, int]:
    """Return the strength of the five cards once all are shown (MS-2)."""
    five = state.player | state.first | state.second | state.third
    return evaluate_strength(tables, five, 0, ROYAL_FIRST) if state.shown else NO_HAND, NO_HAND
