"""The rules of Casino Hold'em (CH-1 to CH-4): fold, or call on the flop."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    PAIR,
    ROYAL_FIRST,
    HandTables,
    count_holdem_cards,
    evaluate_strength,
    find_five_card_line,
    pack_lowest_strength,
    rank_holdem_dealer,
    rank_holdem_player,
    rank_holdem_view,
    take_holdem_cards,
)

UNDECIDED, FOLDED, CALLED = 0, 1, 2
STRAIGHT_OR_LESS, LINES = 5, 6
PAIR_OF_ACES = pack_lowest_strength(PAIR, 14)
PAIR_LINE, NO_BONUS_LINE = 8, 9


class State(NamedTuple):
    """One seat's round: its cards, the dealer's, the board, its choice, the end."""

    player: int
    dealer: int
    flop: int
    river: int
    choice: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, the board's, and at the end the dealer's."""

    player: int
    community: int
    dealer: int


class Options(NamedTuple):
    """The options as codes; ``dealer_qualifies`` is the lowest such strength."""

    dealer_qualifies: int
    aa_bonus_after_fold: int


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal two cards to each seat and the dealer, then the board (ALL-10)."""
    cards = take_holdem_cards(deck, seats, seat)
    return State(cards.player, cards.dealer, cards.flop, cards.river, UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask once: fold or call."""
    return 0 if state.choice == UNDECIDED else NO_DECISION


@rule
def view(state: State) -> View:
    """Show the flop from the beginning, turn, river and the dealer's hand at the end."""
    if state.shown:
        return View(state.player, state.flop | state.river, state.dealer)
    return View(state.player, state.flop, 0)


@rule
def legal_actions(_tables: HandTables, _view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow fold (bit 0) and call (bit 1)."""
    return 3


@rule
def act(state: State, _decision: int, action: int, _cards: int) -> State:
    """Fold or call."""
    return State(state.player, state.dealer, state.flop, state.river, FOLDED + action, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Turn up turn and river, and open the dealer's hand."""
    return State(state.player, state.dealer, state.flop, state.river, state.choice, 1)


@rule
def settle_main(state: State, mine: int, theirs: int, options: Options) -> int:
    """Settle Ante and Call by the two strengths (CH-1 to CH-3).

    Return 0 for a fold; 1 + the line of the Ante for a win, with 6 more where the dealer does not qualify; 13 for a
    tie and 14 for a loss.
    """
    if state.choice == FOLDED:
        return 0
    line = min(find_five_card_line(mine), STRAIGHT_OR_LESS)
    if theirs < options.dealer_qualifies:
        return 1 + LINES + line
    if mine > theirs:
        return 1 + line
    return 1 + 2 * LINES + (0 if mine == theirs else 1)


@rule
def settle_aa_bonus(tables: HandTables, five: int, _options: Options) -> int:
    """Settle the AA Bonus on the player's cards and the flop (CH-4)."""
    strength = evaluate_strength(tables, five, 0, ROYAL_FIRST)
    line = find_five_card_line(strength)
    return line if line < PAIR_LINE or strength >= PAIR_OF_ACES else NO_BONUS_LINE


@rule
def is_lost_by_fold(state: State, options: Options) -> bool:
    """Tell whether a fold has lost the AA Bonus (CH-4)."""
    return state.choice == FOLDED and options.aa_bonus_after_fold == 0


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle main at a fold or at the end, and the AA Bonus at the end (CH-4)."""
    if state.shown == 0 and state.choice != FOLDED:
        return UNSETTLED, UNSETTLED
    mine, theirs = rank_holdem_player(tables, state, options), rank_holdem_dealer(tables, state, options)
    main = settle_main(state, mine, theirs, options)
    if is_lost_by_fold(state, options):
        return main, NO_BONUS_LINE
    return main, settle_aa_bonus(tables, state.player | state.flop, options) if state.shown else UNSETTLED


@rule
def evaluate_hands(tables: HandTables, state: State, _options: Options) -> tuple[int, int]:
    """Return the strengths of the hands as far as the seat sees them."""
    return rank_holdem_view(tables, view(state))


count_dealt = count_holdem_cards
