"""The rules of Wild 52: fold or play, then check or play again.

Each hand has five cards and shares two community cards; the deck has a Joker.

Seat 1's five cards come first, then the other seats' by seat, the dealer's and the two community cards
(ruling ALL-10).  The first community card is turned up after the first decision, the second after the
next.  Rulings WJ-1 to WJ-5.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import FIRST_JOKER, bit
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    ANY_CARD_FLUSH,
    FIVE_FIRST,
    FIVE_OF_A_KIND_OVER_ROYAL,
    FULL_HOUSE,
    NO_HAND,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    HandTables,
    evaluate_with_jokers,
    get_category,
    get_first_rank,
    get_natural_category,
)

HAND = 5
COMMUNITY = 2

UNDECIDED = 0
FOLDED = 1
PLAYED = 2
RAISED_ONCE = 3
RAISED_TWICE = 4

FOLD = 0
CHECK = 0

COMPARE = 0
ANTE_WINS = 1

WIN = 0
TIE = 1
LOSE = 2

BONUS_LOSES = 11
JOKER_LOSES = 2

_ACE = 14


class Wild52State(NamedTuple):
    """One seat's round.

    It has all cards as sets (each community card alone), the choice made, and whether all cards are shown.
    """

    player: int
    dealer: int
    first: int
    second: int
    choice: int
    shown: int


class Wild52View(NamedTuple):
    """The cards that a seat sees.

    They are its own five, the community cards turned up, and the dealer's hand once it is opened.
    """

    player: int
    community: int
    dealer: int


class Wild52Options(NamedTuple):
    """The options as codes, in the order of ``GAME.options``.

    ``dealer_qualifies`` is the lowest strength with which the dealer qualifies.
    """

    dealer_qualifies: int
    ante_when_unqualified: int
    bonus_after_fold: int
    wild_flush: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: five to each seat and the dealer, two community cards."""
    return HAND * (seats + 1) + COMMUNITY


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> Wild52State:
    """Deal five cards to each seat and the dealer, and two community cards.

    Seat 0 is dealt first, then the other seats and the dealer; the community cards come last.
    """
    player = 0
    for place in range(HAND * seat, HAND * (seat + 1)):
        player |= bit(deck[place])
    dealer = 0
    for place in range(HAND * seats, HAND * (seats + 1)):
        dealer |= bit(deck[place])
    board = HAND * (seats + 1)
    return Wild52State(player, dealer, bit(deck[board]), bit(deck[board + 1]), UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: Wild52State, _options: Wild52Options) -> int:
    """Ask for Fold or Play, and after a Play for Check or a second Play (WJ-2)."""
    if state.choice == UNDECIDED:
        return 0
    return 1 if state.choice == PLAYED else NO_DECISION


@rule
def view(state: Wild52State) -> Wild52View:
    """Show the first community card after a Play, and the other cards at the end."""
    if state.shown:
        return Wild52View(state.player, state.first | state.second, state.dealer)
    return Wild52View(state.player, state.first if state.choice >= PLAYED else 0, 0)


@rule
def legal_actions(_tables: HandTables, _view: Wild52View, _decision: int, _stub: int, _options: Wild52Options) -> int:
    """Allow Fold and Play, or Check and a second Play (WJ-2).

    Both actions of a decision are always allowed.  After a Play there is no fold.
    """
    return 3


@rule
def _replace_choice(state: Wild52State, choice: int, shown: int) -> Wild52State:
    """Return the state after a choice or the opening of the cards."""
    return Wild52State(state.player, state.dealer, state.first, state.second, choice, shown)


@rule
def act(state: Wild52State, decision: int, action: int, _cards: int) -> Wild52State:
    """Fold or play for two Antes; after a Play, check or play for two more Antes."""
    if decision == 0:
        return _replace_choice(state, FOLDED if action == FOLD else PLAYED, state.shown)
    return _replace_choice(state, RAISED_ONCE if action == CHECK else RAISED_TWICE, state.shown)


@rule
def show_dealer(state: Wild52State) -> Wild52State:
    """Turn up the second community card and open the dealer's hand."""
    return _replace_choice(state, state.choice, 1)


@rule
def rank_hand(tables: HandTables, seven: int, options: Wild52Options) -> int:
    """Rank the best five of seven cards, the Joker wild (WJ-1).

    The seven are a hand's own five cards and the community cards.
    """
    return evaluate_with_jokers(tables, seven, FIVE_FIRST + ANY_CARD_FLUSH * options.wild_flush)


@rule
def evaluate_hands(tables: HandTables, state: Wild52State, options: Wild52Options) -> tuple[int, int]:
    """Return the strengths of the player's and of the dealer's hand.

    The player's is with the community cards turned up, the dealer's is given once that hand is opened.
    """
    seen = view(state)
    mine = rank_hand(tables, seen.player | seen.community, options)
    return mine, rank_hand(tables, seen.dealer | seen.community, options) if state.shown else NO_HAND


@rule
def settle_main(mine: int, theirs: int, raised_twice: int, options: Wild52Options) -> int:
    """Compare a played hand with the dealer's (WJ-3).

    If the dealer qualifies, the Ante and the Play bets are compared.  If not, the Ante alone: it is compared, wins, or
    pushes, by the option ``ante_when_unqualified``.

    The outcome is 1 + 6 x raised_twice + 2 x (0 win, 1 tie, 2 lose) + (1 if the dealer does not qualify); 0 is a fold.
    """
    result = WIN if mine > theirs else TIE if mine == theirs else LOSE
    unqualified = 0 if theirs >= options.dealer_qualifies else 1
    if unqualified and options.ante_when_unqualified != COMPARE:
        result = WIN if options.ante_when_unqualified == ANTE_WINS else TIE
    return 1 + 6 * raised_twice + 2 * result + unqualified


@rule
def rank_player(tables: HandTables, state: Wild52State, options: Wild52Options) -> int:
    """Rank the player's five cards with both community cards."""
    return rank_hand(tables, state.player | state.first | state.second, options)


@rule
def rank_dealer(tables: HandTables, state: Wild52State, options: Wild52Options) -> int:
    """Rank the dealer's five cards with both community cards."""
    return rank_hand(tables, state.dealer | state.first | state.second, options)


@rule
def settle_showdown(state: Wild52State, mine: int, theirs: int, options: Wild52Options) -> int:
    """Settle main by the two strengths: 0 for a fold, else ``settle_main``."""
    return 0 if state.choice == FOLDED else settle_main(mine, theirs, int(state.choice == RAISED_TWICE), options)


@rule
def settle_bonus(tables: HandTables, seven: int, options: Wild52Options) -> int:
    """Find the first line of the Bonus that seven cards make (WJ-4).

    The last outcome is lose.  A line counts as made with the Joker when the natural cards do not make it by themselves.
    """
    best = rank_hand(tables, seven, options)
    made = get_category(best)
    if made == FIVE_OF_A_KIND_OVER_ROYAL:
        return 0 if get_first_rank(best) == _ACE else 1
    if made <= FULL_HOUSE:
        return 8 + FULL_HOUSE - made if made >= STRAIGHT else BONUS_LOSES
    with_joker = 0 if get_natural_category(tables, seven) == made else 1
    return (2 if made == ROYAL_FLUSH else 4 if made == STRAIGHT_FLUSH else 6) + with_joker


@rule
def settle_joker(player: int, community: int) -> int:
    """Find the Joker: 0 on the board, 1 in the player's five, 2 in neither (WJ-5)."""
    if community & bit(FIRST_JOKER):
        return 0
    return 1 if player & bit(FIRST_JOKER) else JOKER_LOSES


@rule
def settle(tables: HandTables, state: Wild52State, options: Wild52Options) -> tuple[int, int, int]:
    """Settle main, Bonus and Joker.

    A fold settles main at once; Bonus and Joker wait for the second community card, or are lost with the hand where
    the option ``bonus_after_fold`` is off (WJ-4).
    """
    if state.choice == FOLDED and options.bonus_after_fold == 0:
        return 0, BONUS_LOSES, JOKER_LOSES
    if state.shown == 0:
        return 0 if state.choice == FOLDED else UNSETTLED, UNSETTLED, UNSETTLED
    community = state.first | state.second
    main = 0
    if state.choice != FOLDED:
        main = settle_showdown(state, *evaluate_hands(tables, state, options), options)
    return main, settle_bonus(tables, state.player | community, options), settle_joker(state.player, community)
