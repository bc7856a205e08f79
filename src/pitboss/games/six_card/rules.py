"""The rules of Six Card Poker (rulings SC-1 to SC-8).

The player and the dealer have six cards each; three of the dealer's are exposed, and the player folds or plays.  Seat 1
is dealt its six cards first, then each other seat in order, then the dealer, whose first three cards are turned up
(ruling ALL-10).
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import bit
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    NO_HAND,
    PAIR,
    ROYAL_FIRST,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TWO_PAIR,
    HandTables,
    evaluate_strength,
    get_category,
    pack_lowest_strength,
)

HAND = 6
EXPOSED = 3

UNDECIDED = 0
FOLDED = 1
PLAYED = 2

PAIR_OF_ACES = pack_lowest_strength(PAIR, 14)


class SixCardState(NamedTuple):
    """One seat's round: the cards dealt, its choice, and what is shown.

    The cards are the player's six, and the dealer's three exposed and three hidden.
    """

    player: int
    exposed: int
    hidden: int
    choice: int
    shown: int


class SixCardView(NamedTuple):
    """The cards a seat sees: its own six, and those of the dealer that are face up."""

    player: int
    dealer: int


class SixCardOptions(NamedTuple):
    """The options as codes, in the order of ``GAME.options``.

    ``dealer_qualifies`` is the lowest strength that qualifies.
    """

    dealer_qualifies: int
    envy_hitter_must_wager: int
    award_order: int
    award_rounding: int
    fixed_awards_from: int


@rule
def count_dealt(seats: int) -> int:
    """Return how many cards are dealt: six for each seat and six for the dealer."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> SixCardState:
    """Deal six cards to each seat (0 first), then six to the dealer.

    The first three of the dealer's cards are face up.  The state returned is that of ``seat``.
    """
    player = 0
    for place in range(HAND * seat, HAND * (seat + 1)):
        player |= bit(deck[place])
    exposed = 0
    for place in range(HAND * seats, HAND * seats + EXPOSED):
        exposed |= bit(deck[place])
    hidden = 0
    for place in range(HAND * seats + EXPOSED, HAND * (seats + 1)):
        hidden |= bit(deck[place])
    return SixCardState(player, exposed, hidden, UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: SixCardState, _options: SixCardOptions) -> int:
    """Ask once: fold or play."""
    return 0 if state.choice == UNDECIDED else NO_DECISION


@rule
def view(state: SixCardState) -> SixCardView:
    """Show the dealer's three exposed cards, and all six once the hand is shown."""
    return SixCardView(state.player, state.exposed | state.hidden if state.shown else state.exposed)


@rule
def legal_actions(_tables: HandTables, _view: SixCardView, _decision: int, _stub: int, _options: SixCardOptions) -> int:
    """Allow fold (bit 0) and play (bit 1)."""
    return 3


@rule
def act(state: SixCardState, _decision: int, action: int, _cards: int) -> SixCardState:
    """Fold or play."""
    return SixCardState(state.player, state.exposed, state.hidden, FOLDED if action == 0 else PLAYED, state.shown)


@rule
def show_dealer(state: SixCardState) -> SixCardState:
    """Show the dealer's hand."""
    return SixCardState(state.player, state.exposed, state.hidden, state.choice, 1)


@rule
def settle_main(mine: int, theirs: int, options: SixCardOptions) -> int:
    """Compare a played hand with the dealer's (SC-1).

    The Play is always compared, the Ante only if the dealer qualifies.  Returns 1 + 2 x (0 win, 1 tie, 2 lose) + (1 if
    the dealer does not qualify); 0 is a fold.
    """
    result = 0 if mine > theirs else 1 if mine == theirs else 2
    return 1 + 2 * result + (0 if theirs >= options.dealer_qualifies else 1)


@rule
def settle_ranked_aces_up(mine: int) -> int:
    """Find the first line of Aces Up that a strength makes; the last outcome is lose."""
    made = get_category(mine)
    if made == ROYAL_FLUSH:
        return 0
    if made >= TWO_PAIR:
        return 1 + STRAIGHT_FLUSH - made
    return 8 if mine >= PAIR_OF_ACES else 9


@rule
def settle_bad_beat(mine: int, theirs: int, _options: SixCardOptions) -> int:
    """Settle the Bad Beat, which pays on the losing hand (SC-2).

    It pays if both hands are a pair of aces or better and do not tie.
    """
    loser = min(mine, theirs)
    if mine == theirs or loser < PAIR_OF_ACES:
        return 8
    return STRAIGHT_FLUSH - get_category(loser)


@rule
def settle_ranked_progressive(mine: int) -> int:
    """Find the first line of the progressive that a hand makes.

    The lines are royal flush to straight; the last outcome is lose.
    """
    made = get_category(mine)
    if made == ROYAL_FLUSH:
        return 0
    return 1 + STRAIGHT_FLUSH - made if made >= STRAIGHT else 6


@rule
def rank_hand(tables: HandTables, mask: int, _options: SixCardOptions) -> int:
    """Rank the best five of six cards."""
    return evaluate_strength(tables, mask, 0, ROYAL_FIRST)


@rule
def rank_player(tables: HandTables, state: SixCardState, options: SixCardOptions) -> int:
    """Rank the player's six cards."""
    return rank_hand(tables, state.player, options)


@rule
def rank_dealer(tables: HandTables, state: SixCardState, options: SixCardOptions) -> int:
    """Rank the dealer's six cards."""
    return rank_hand(tables, state.exposed | state.hidden, options)


@rule
def settle_showdown(state: SixCardState, mine: int, theirs: int, options: SixCardOptions) -> int:
    """Settle main by the two strengths: 0 for a fold, else ``settle_main``."""
    return 0 if state.choice == FOLDED else settle_main(mine, theirs, options)


@rule
def settle_aces_up(tables: HandTables, mask: int, options: SixCardOptions) -> int:
    """Settle Aces Up on six cards, whatever the dealer has."""
    return settle_ranked_aces_up(rank_hand(tables, mask, options))


@rule
def settle_progressive(tables: HandTables, mask: int, options: SixCardOptions) -> int:
    """Settle the progressive wager on six cards."""
    return settle_ranked_progressive(rank_hand(tables, mask, options))


@rule
def settle(tables: HandTables, state: SixCardState, options: SixCardOptions) -> tuple[int, int, int, int]:
    """Settle main, Aces Up, Bad Beat and progressive.

    A fold settles main and Aces Up at once; Bad Beat and progressive wait for the dealer's hand (SC-2).
    """
    if state.shown == 0:
        if state.choice == FOLDED:
            return 0, settle_aces_up(tables, state.player, options), UNSETTLED, UNSETTLED
        return UNSETTLED, UNSETTLED, UNSETTLED, UNSETTLED
    mine, theirs = rank_player(tables, state, options), rank_dealer(tables, state, options)
    main = settle_showdown(state, mine, theirs, options)
    return main, settle_ranked_aces_up(mine), settle_bad_beat(mine, theirs, options), settle_ranked_progressive(mine)


@rule
def evaluate_hands(tables: HandTables, state: SixCardState, options: SixCardOptions) -> tuple[int, int]:
    """Return the player's strength, and the dealer's once that hand is shown."""
    return rank_player(tables, state, options), rank_dealer(tables, state, options) if state.shown else NO_HAND
