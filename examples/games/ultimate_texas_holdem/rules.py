"""The rules of Ultimate Texas Hold'em (UTH-1 to UTH-4): raise early, bet more."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    ROYAL_FIRST,
    HandTables,
    count_holdem_cards,
    evaluate_strength,
    find_five_card_line,
    rank_holdem_dealer,
    rank_holdem_player,
    rank_holdem_view,
    take_holdem_cards,
)

PREFLOP, FLOP, RIVER, FOLDED = 0, 1, 2, 3
CHECK = 0
NO_BLIND_LINE, TIE, LOSE, RESULTS = 6, 7, 8, 9
NO_TRIPS_LINE = 7


class State(NamedTuple):
    """One seat's round; ``raised`` is its Play bet in Antes, 0 for none."""

    player: int
    dealer: int
    flop: int
    river: int
    street: int
    raised: int
    shown: int


class View(NamedTuple):
    """The cards a seat sees: its own, the board's, and at the end the dealer's."""

    player: int
    community: int
    dealer: int


class Options(NamedTuple):
    """The options as codes; ``dealer_qualifies`` is the lowest such strength."""

    dealer_qualifies: int
    trips_after_fold: int


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Deal two cards to each seat and the dealer, then the board (ALL-10)."""
    cards = take_holdem_cards(deck, seats, seat)
    return State(cards.player, cards.dealer, cards.flop, cards.river, PREFLOP, 0, 0)


@rule
def next_decision(_tables: HandTables, state: State, _options: Options) -> int:
    """Ask on each street until the seat raises or folds (UTH-1)."""
    return NO_DECISION if state.raised or state.street == FOLDED else state.street


@rule
def view(state: State) -> View:
    """Show the flop after a check, the river after another, the rest at the end."""
    if state.shown:
        return View(state.player, state.flop | state.river, state.dealer)
    flop = state.flop if state.street >= FLOP else 0
    return View(state.player, flop | state.river if state.street >= RIVER else flop, 0)


@rule
def legal_actions(_tables: HandTables, _view: View, decision: int, _stub: int, _options: Options) -> int:
    """Allow every action: to check or fold, two raises preflop, then one."""
    return 7 if decision == PREFLOP else 3


@rule
def act(state: State, decision: int, action: int, _cards: int) -> State:
    """Check, fold or raise: three or four Antes preflop, then two, then one."""
    raised = 0 if action == CHECK else 2 + action if decision == PREFLOP else FOLDED - decision
    street = decision + 1 if action == CHECK else decision
    return State(state.player, state.dealer, state.flop, state.river, street, raised, state.shown)


@rule
def show_dealer(state: State) -> State:
    """Turn up all community cards and open the dealer's hand."""
    return State(state.player, state.dealer, state.flop, state.river, state.street, state.raised, 1)


@rule
def settle_main(state: State, mine: int, theirs: int, options: Options) -> int:
    """Settle Ante, Blind and Play (UTH-2, UTH-3): 0 is a fold.

    For each Play bet come the results (a win by each line of the Blind and by none, TIE, LOSE), each with the dealer
    qualified and not.
    """
    if state.street == FOLDED:
        return 0
    result = min(find_five_card_line(mine), NO_BLIND_LINE) if mine > theirs else TIE if mine == theirs else LOSE
    return 1 + 2 * (RESULTS * (state.raised - 1) + result) + (0 if theirs >= options.dealer_qualifies else 1)


@rule
def settle_trips(tables: HandTables, seven: int, _options: Options) -> int:
    """Settle Trips on the best five of the player's seven cards (UTH-4)."""
    return min(find_five_card_line(evaluate_strength(tables, seven, 0, ROYAL_FIRST)), NO_TRIPS_LINE)


@rule
def is_lost_by_fold(state: State, options: Options) -> bool:
    """Tell whether a fold has lost Trips (UTH-4)."""
    return state.street == FOLDED and options.trips_after_fold == 0


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Settle main at a fold or at the end, and Trips at the end (UTH-4)."""
    if state.shown == 0 and state.street != FOLDED:
        return UNSETTLED, UNSETTLED
    mine, theirs = rank_holdem_player(tables, state, options), rank_holdem_dealer(tables, state, options)
    main = settle_main(state, mine, theirs, options)
    if is_lost_by_fold(state, options):
        return main, NO_TRIPS_LINE
    return main, settle_trips(tables, state.player | state.flop | state.river, options) if state.shown else UNSETTLED


@rule
def evaluate_hands(tables: HandTables, state: State, _options: Options) -> tuple[int, int]:
    """Return the strengths of the hands as far as the seat sees them."""
    return rank_holdem_view(tables, view(state))


count_dealt = count_holdem_cards
