"""The rules of Three Card Poker (TCP-1 to TCP-5): fold, or play for one Ante."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import take_cards
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    NO_HAND,
    ROYAL_FIRST,
    THREE_CARD_STRAIGHT_FLUSH,
    HandTables,
    evaluate_strength,
    evaluate_three_cards,
    find_five_card_line,
    find_three_card_line,
    get_category,
)

HAND = 3
UNDECIDED, FOLDED, PLAYED = 0, 1, 2
NO_ANTE_BONUS = 3
NO_SIX_CARD_LINE = 7


class State(NamedTuple):
    """One seat's round: its cards, the dealer's, its choice, and the end."""

    player: int
    dealer: int
    choice: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, and the dealer's once that hand is open."""

    player: int
    dealer: int


class Options(NamedTuple):
    """The options as codes; ``dealer_qualifies`` is the lowest such strength."""

    dealer_qualifies: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: three to each seat and three to the dealer."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal three cards to each seat (0 first), then three to the dealer (ALL-10)."""
    return State(take_cards(deck, HAND * seat, HAND), take_cards(deck, HAND * seats, HAND), UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask once: fold or play."""
    return 0 if state.choice == UNDECIDED else NO_DECISION


@rule
def view(state: State) -> View:
    """Show the seat its cards, and the dealer's hand once it is open."""
    return View(state.player, state.dealer if state.shown else 0)


@rule
def legal_actions(_tables: HandTables, _view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow fold (bit 0) and play (bit 1)."""
    return 3


@rule
def act(state: State, _decision: int, action: int, _cards: int) -> State:
    """Fold or play."""
    return State(state.player, state.dealer, FOLDED + action, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Open the dealer's hand."""
    return State(state.player, state.dealer, state.choice, 1)


@rule
def rank_player(_tables: HandTables, state: State, _options: Options) -> int:
    """Rank the player's three cards (TCP-1)."""
    return evaluate_three_cards(state.player)


@rule
def rank_dealer(_tables: HandTables, state: State, _options: Options) -> int:
    """Rank the dealer's three cards (TCP-1)."""
    return evaluate_three_cards(state.dealer)


@rule
def settle_main(state: State, mine: int, theirs: int, options: Options) -> int:
    """Settle Ante, Play and Ante Bonus by the two strengths (TCP-2, TCP-3).

    Return 0 for a fold, else 1 + 4 x (0 win, 1 tie, 2 lose, 3 dealer not qualified) + the line of the Ante Bonus.
    """
    if state.choice == FOLDED:
        return 0
    result = 0 if mine > theirs else 1 if mine == theirs else 2
    if theirs < options.dealer_qualifies:
        result = 3
    return 1 + 4 * result + min(THREE_CARD_STRAIGHT_FLUSH - get_category(mine), NO_ANTE_BONUS)


@rule
def settle_six_card_bonus(tables: HandTables, six: int, _options: Options) -> int:
    """Settle the 6 Card Bonus on the player's and the dealer's cards (TCP-5)."""
    return min(find_five_card_line(evaluate_strength(tables, six, 0, ROYAL_FIRST)), NO_SIX_CARD_LINE)


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int, int]:
    """Settle all wagers at the end; a fold settles main and Pair Plus (TCP-4)."""
    if state.shown == 0 and state.choice != FOLDED:
        return UNSETTLED, UNSETTLED, UNSETTLED
    main = settle_main(state, rank_player(tables, state, options), rank_dealer(tables, state, options), options)
    pair_plus = find_three_card_line(tables, state.player, options)
    if state.shown == 0:
        return main, pair_plus, UNSETTLED
    return main, pair_plus, settle_six_card_bonus(tables, state.player | state.dealer, options)


@rule
def evaluate_hands(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Return the player's strength, and the dealer's once that hand is open."""
    return rank_player(tables, state, options), rank_dealer(tables, state, options) if state.shown else NO_HAND
