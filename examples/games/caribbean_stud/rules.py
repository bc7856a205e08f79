"""The rules of Caribbean Stud (CS-1 to CS-5): five cards each; fold or raise."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import bit, take_cards
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import NO_HAND, ROYAL_FIRST, HandTables, evaluate_strength, find_five_card_line

HAND = 5
UNDECIDED, FOLDED, RAISED = 0, 1, 2
PAIR_OR_LESS, TIE, LOSE, NOT_QUALIFIED = 9, 10, 11, 12
NO_PROGRESSIVE_LINE = 5


class State(NamedTuple):
    """One seat's round: its cards, the dealer's, its choice, and the end."""

    player: int
    exposed: int
    hidden: int
    choice: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, and those of the dealer that are face up."""

    player: int
    dealer: int


class Options(NamedTuple):
    """The options as codes; ``dealer_qualifies`` is the lowest such strength."""

    dealer_qualifies: int
    progressive_after_fold: int
    award_order: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: five to each seat and five to the dealer."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal five cards to each seat, then to the dealer, the last face up (CS-1)."""
    first, last = HAND * seats, HAND * seats + HAND - 1
    return State(take_cards(deck, HAND * seat, HAND), bit(deck[last]), take_cards(deck, first, HAND - 1), UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask once: fold or raise."""
    return 0 if state.choice == UNDECIDED else NO_DECISION


@rule
def view(state: State) -> View:
    """Show the seat its cards and the dealer's exposed card, at the end the whole hand."""
    return View(state.player, state.exposed | state.hidden if state.shown else state.exposed)


@rule
def legal_actions(_tables: HandTables, _view: View, _decision: int, _stub: int, _options: Options) -> int:
    """Allow fold (bit 0) and raise (bit 1)."""
    return 3


@rule
def act(state: State, _decision: int, action: int, _cards: int) -> State:
    """Fold or raise."""
    return State(state.player, state.exposed, state.hidden, FOLDED + action, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Open the dealer's hand."""
    return State(state.player, state.exposed, state.hidden, state.choice, 1)


@rule
def rank_player(tables: HandTables, state: State, _options: Options) -> int:
    """Rank the player's five cards."""
    return evaluate_strength(tables, state.player, 0, ROYAL_FIRST)


@rule
def rank_dealer(tables: HandTables, state: State, _options: Options) -> int:
    """Rank the dealer's five cards."""
    return evaluate_strength(tables, state.exposed | state.hidden, 0, ROYAL_FIRST)


@rule
def settle_main(state: State, mine: int, theirs: int, options: Options) -> int:
    """Settle Ante and Raise (CS-2, CS-3): a fold, the lines of a win, the rest."""
    if state.choice == FOLDED:
        return 0
    if theirs < options.dealer_qualifies:
        return NOT_QUALIFIED
    if mine > theirs:
        return min(1 + find_five_card_line(mine), PAIR_OR_LESS)
    return TIE if mine == theirs else LOSE


@rule
def settle_progressive(tables: HandTables, five: int, _options: Options) -> int:
    """Settle the progressive on the player's five cards (CS-4)."""
    return min(find_five_card_line(evaluate_strength(tables, five, 0, ROYAL_FIRST)), NO_PROGRESSIVE_LINE)


@rule
def is_lost_by_fold(state: State, options: Options) -> bool:
    """Tell whether a fold has lost the progressive (CS-4)."""
    return state.choice == FOLDED and options.progressive_after_fold == 0


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle main at a fold or at the end, and the progressive at the end (CS-4)."""
    if state.shown == 0 and state.choice != FOLDED:
        return UNSETTLED, UNSETTLED
    mine, theirs = rank_player(tables, state, options), rank_dealer(tables, state, options)
    main = settle_main(state, mine, theirs, options)
    if is_lost_by_fold(state, options):
        return main, NO_PROGRESSIVE_LINE
    return main, settle_progressive(tables, state.player, options) if state.shown else UNSETTLED


@rule
def evaluate_hands(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Return the player's strength, and the dealer's once that hand is open."""
    return rank_player(tables, state, options), rank_dealer(tables, state, options) if state.shown else NO_HAND
