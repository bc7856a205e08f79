"""The rules of Four Card Flush: the longest flush wins, and its length limits the raise."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import get_suit_ranks, popcount, take_cards
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import HandTables

HAND = 4
UNDECIDED, FOLDED = -1, 0
LENGTH_BIT = 13


class State(NamedTuple):
    """One seat's round: its cards, the dealer's, its Raise in Antes (0 a fold), and the end."""

    player: int
    dealer: int
    raised: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees."""

    player: int
    dealer: int


class Options(NamedTuple):
    """No options."""


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal four cards to each seat, then four to the dealer."""
    return State(take_cards(deck, HAND * seat, HAND), take_cards(deck, HAND * seats, HAND), UNDECIDED, 0)


@rule
def evaluate_flush(cards: int) -> int:
    """Rank the longest flush, then its ranks from the top."""
    best = 0
    for suit in range(4):
        ranks = get_suit_ranks(cards, suit)
        best = max(best, (popcount(ranks) << LENGTH_BIT) + ranks)
    return best


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask once."""
    return 0 if state.raised == UNDECIDED else NO_DECISION


@rule
def view(state: State) -> View:
    """Show the seat its cards, and the dealer's hand once it is open."""
    return View(state.player, state.dealer if state.shown else 0)


@rule
def legal_actions(_tables: HandTables, view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow fold (bit 0), 1x, and 2x with three cards of a suit."""
    return 7 if evaluate_flush(view.player) >> LENGTH_BIT >= 3 else 3


@rule
def act(state: State, _decision: int, action: int, _cards: int) -> State:
    """Fold, or raise by as many Antes as the action's number."""
    return State(state.player, state.dealer, action, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Open the dealer's hand."""
    return State(state.player, state.dealer, state.raised, 1)


@rule
def rank_player(_tables: HandTables, state: State, _options: Options) -> int:
    """Rank the player's cards."""
    return evaluate_flush(state.player)


@rule
def rank_dealer(_tables: HandTables, state: State, _options: Options) -> int:
    """Rank the dealer's cards."""
    return evaluate_flush(state.dealer)


@rule
def settle_main(state: State, mine: int, theirs: int, _options: Options) -> int:
    """Return 0 for a fold, else 1 + 3 x (Raise - 1) + (0 win, 1 tie, 2 lose)."""
    if state.raised == FOLDED:
        return 0
    return 3 * state.raised - 2 + (0 if mine > theirs else 1 if mine == theirs else 2)


@rule
def settle_flush(_tables: HandTables, cards: int, _options: Options) -> int:
    """Return the line of the side bet Flush: 0 four cards, 1 three, 2 less."""
    return min(HAND - (evaluate_flush(cards) >> LENGTH_BIT), 2)


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle main and Flush at a fold, or when the dealer's hand is open."""
    if state.shown == 0 and state.raised != FOLDED:
        return UNSETTLED, UNSETTLED
    main = settle_main(state, rank_player(tables, state, options), rank_dealer(tables, state, options), options)
    return main, settle_flush(tables, state.player, options)
