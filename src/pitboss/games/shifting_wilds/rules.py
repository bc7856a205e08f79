"""The rules of Shifting Wilds Poker (rulings SW-1 to SW-9).

Each hand is four cards of its own, two community cards and one of two indicators.  The indicators W1 and W2 are dealt
first, then the two community cards, four cards to each seat and four to the dealer (ruling ALL-10).  W1 and the
community cards are open before any decision, W2 after the first.  A seat that locks uses W1, a seat that plays uses W2,
and the dealer always uses W2.  The holder's own cards of that rank are wild.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import SUIT_COUNT, bit, get_ranks, get_suit_ranks, popcount, select_ranks
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    ANY_CARD_FLUSH,
    FLUSH,
    NO_HAND,
    ROYAL_FIRST,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    HandTables,
    evaluate_strength,
    get_category,
)

HAND = 4
CARDS_BEFORE_HANDS = 4

UNDECIDED = 0
CHECKED = 1
FOLDED = 2
LOCKED = 3
PLAYED = 4

CHECK = 0
PLAY = 0

_ACE = 1 << 12
_TEN_TO_KING = 15 << 8

BLIND_LINES = 4
"""Royal flush, five of a kind, straight flush, four of a kind; a win below them pushes the Blind (SW-5)."""

RESULT_COUNT = 7
"""The results of a hand that was not folded: ahead with one of four Blind lines or without, tied, behind."""

NO_NATURAL_LINE = 7
NO_WILD_LINE = 6
WILD_LINES_BY_NATURAL = (
    (0, 6),
    (0, 2, 6),
    (0, 1, 2, 3, 6),
    (0, 1, 2, 3, 4, 6),
    (0, 2, 5, 6),
    (0, 2, 5, 6),
    (0, 2, 5, 6),
    (0, 2, 4, 5, 6),
)
"""For each natural line of the Regular Bonus, royal flush to three of a kind and then none: the wild lines (royal
flush, five of a kind, straight flush, four of a kind, full house, flush, 6 for none) that its seven cards can make as
well, counted over all hands.  A wild card and its indicator are already a natural pair.  So a wild four or five of a
kind comes with a natural full house at least, and a wild full house with a natural two pair or full house."""

REGULAR_BONUS_PAIRS = tuple(
    (natural, wild) for natural, possible in enumerate(WILD_LINES_BY_NATURAL) for wild in possible
)
"""The natural and wild lines that a hand can make together, in the order of the outcomes; the last pair loses."""

_PAIR_INDEX = tuple(
    REGULAR_BONUS_PAIRS.index((natural, wild)) if wild in possible else -1
    for natural, possible in enumerate(WILD_LINES_BY_NATURAL)
    for wild in range(NO_WILD_LINE + 1)
)

REGULAR_BONUS_LOSES = len(REGULAR_BONUS_PAIRS) - 1
BAD_BEAT_LOSES = 7


class ShiftingState(NamedTuple):
    """One seat's round: the cards dealt, its choice, and whether all is shown.

    All cards are sets; ``w1`` and ``w2`` hold one card each.
    """

    player: int
    dealer: int
    community: int
    w1: int
    w2: int
    choice: int
    shown: int


class ShiftingView(NamedTuple):
    """The cards that a seat sees.

    They are its own four, the dealer's once shown, the community cards, W1, and W2 once revealed.
    """

    player: int
    dealer: int
    community: int
    w1: int
    w2: int


class ShiftingOptions(NamedTuple):
    """The options as codes, in the order of ``GAME.options``.

    ``dealer_qualifies`` is the lowest strength that qualifies.
    """

    dealer_qualifies: int
    wild_flush: int
    bad_beat_unlisted: int


@rule
def count_dealt(seats: int) -> int:
    """Return how many cards are dealt.

    These are W1, W2, two community cards, four for each seat and four for the dealer.
    """
    return CARDS_BEFORE_HANDS + HAND * (seats + 1)


@rule
def _take_four(deck: Sequence[int], start: int) -> int:
    """Return the set of the four cards of one hand."""
    return bit(deck[start]) | bit(deck[start + 1]) | bit(deck[start + 2]) | bit(deck[start + 3])


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> ShiftingState:
    """Deal the shared cards, then four to each seat (0 first) and to the dealer.

    The shared cards are W1, W2 and the community cards, in this order.
    """
    player = _take_four(deck, CARDS_BEFORE_HANDS + HAND * seat)
    dealer = _take_four(deck, CARDS_BEFORE_HANDS + HAND * seats)
    return ShiftingState(player, dealer, bit(deck[2]) | bit(deck[3]), bit(deck[0]), bit(deck[1]), UNDECIDED, 0)


@rule
def next_decision(_tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> int:
    """Ask for Check or Lock, and after a Check for Play or Fold (SW-3)."""
    if state.choice == UNDECIDED:
        return 0
    return 1 if state.choice == CHECKED else NO_DECISION


@rule
def view(state: ShiftingState) -> ShiftingView:
    """Show the cards that a seat may see at this point of the round.

    It sees the community cards and W1 from the start, W2 after the first decision, the dealer's hand at the end.
    """
    return ShiftingView(
        state.player,
        state.dealer if state.shown else 0,
        state.community,
        state.w1,
        0 if state.choice == UNDECIDED else state.w2,
    )


@rule
def legal_actions(
    _tables: HandTables, _view: ShiftingView, _decision: int, _stub: int, _options: ShiftingOptions
) -> int:
    """Allow both actions of either decision: Check and Lock, Play and Fold."""
    return 3


@rule
def _replace_choice(state: ShiftingState, choice: int, shown: int) -> ShiftingState:
    """Return the state with another choice, and the dealer's hand shown or not."""
    return ShiftingState(state.player, state.dealer, state.community, state.w1, state.w2, choice, shown)


@rule
def act(state: ShiftingState, decision: int, action: int, _cards: int) -> ShiftingState:
    """Check or lock; after a Check, play or fold (SW-3).

    Lock and Play exclude each other.
    """
    if decision == 0:
        return _replace_choice(state, CHECKED if action == CHECK else LOCKED, state.shown)
    return _replace_choice(state, PLAYED if action == PLAY else FOLDED, state.shown)


@rule
def show_dealer(state: ShiftingState) -> ShiftingState:
    """Show the dealer's hand."""
    return _replace_choice(state, state.choice, 1)


@rule
def find_wild_cards(hole: int, indicator: int) -> int:
    """Return which of a holder's own cards are wild (SW-2).

    They are those of the indicator's rank.
    """
    return select_ranks(hole, get_ranks(indicator))


@rule
def get_indicator(state: ShiftingState) -> int:
    """Return the seat's indicator (SW-2).

    It is W1 before the seat's first decision and after a Lock, else W2.
    """
    return state.w1 if state.choice in (UNDECIDED, LOCKED) else state.w2


@rule
def rank_hand(tables: HandTables, hole: int, community: int, indicator: int, options: ShiftingOptions) -> int:
    """Return the strength of a holder's best five cards (SW-1, SW-2).

    They are chosen from its four cards, the community cards and the indicator; some of its own may be wild.
    """
    wild = find_wild_cards(hole, indicator)
    ranking = ROYAL_FIRST + ANY_CARD_FLUSH * options.wild_flush
    return evaluate_strength(tables, (hole ^ wild) | community | indicator, popcount(wild), ranking)


@rule
def evaluate_hands(tables: HandTables, state: ShiftingState, options: ShiftingOptions) -> tuple[int, int]:
    """Return the strengths of the player's and the dealer's hands.

    The player's is with its own indicator, the dealer's with W2 once that hand is shown.
    """
    mine = rank_hand(tables, state.player, state.community, get_indicator(state), options)
    if state.shown == 0:
        return mine, NO_HAND
    return mine, rank_hand(tables, state.dealer, state.community, state.w2, options)


@rule
def rank_natural_hand(tables: HandTables, hole: int, indicator: int) -> int:
    """Rank a holder's four cards and the indicator, nothing wild (SW-7).

    This is the hand of the Bad Beat.
    """
    return evaluate_strength(tables, hole | indicator, 0, ROYAL_FIRST)


@rule
def settle_main(mine: int, theirs: int, played: int, options: ShiftingOptions) -> int:
    """Compare a hand that was not folded with the dealer's.

    This decides the Ante (SW-4), the Lock or Play (SW-3) and the Blind (SW-5).

    ``played`` is 0 after a Lock, 1 after a Play.  Returns 1 + 14 x played + 2 x standing + (1 if the dealer does
    not qualify); standing is the Blind's line, 4 for a win without one, 5 for a tie, 6 for a loss; 0 is a fold.
    """
    if mine > theirs:
        standing = min(ROYAL_FLUSH - get_category(mine), BLIND_LINES)
    else:
        standing = BLIND_LINES + (1 if mine == theirs else 2)
    return 1 + 2 * RESULT_COUNT * played + 2 * standing + (0 if theirs >= options.dealer_qualifies else 1)


@rule
def settle_regular_bonus(natural: int, mine: int, wild_cards: int) -> int:
    """Find the lines a hand makes in both columns of the Regular Bonus (SW-6).

    The pay tables decide which line is paid.  ``natural`` is the strength with nothing wild, ``mine`` the one with wild
    cards.  Without a wild card a hand makes no line in the wild column.
    """
    made = get_category(natural)
    natural_line = NO_NATURAL_LINE
    if made == ROYAL_FLUSH:
        natural_line = 0
    elif made >= THREE_OF_A_KIND:
        natural_line = 1 + STRAIGHT_FLUSH - made
    wild_line = NO_WILD_LINE
    if wild_cards and get_category(mine) >= FLUSH:
        wild_line = ROYAL_FLUSH - get_category(mine)
    return _PAIR_INDEX[natural_line * (NO_WILD_LINE + 1) + wild_line]


@rule
def settle_bad_beat(mine: int, theirs: int, options: ShiftingOptions) -> int:
    """Pay the player's own natural five when it outranks the dealer's (SW-7).

    A hand that is ahead with less than three of a kind loses too, or pushes under the option ``bad_beat_unlisted``.
    """
    made = get_category(mine)
    if mine <= theirs:
        return BAD_BEAT_LOSES
    if made == ROYAL_FLUSH:
        return 0
    return 1 + STRAIGHT_FLUSH - made if made >= THREE_OF_A_KIND else BAD_BEAT_LOSES + options.bad_beat_unlisted


@rule
def settle_blackjack(_tables: HandTables, player: int, _options: ShiftingOptions) -> int:
    """Find the blackjack in the seat's four cards, suited first (SW-9).

    A blackjack is an ace with a ten, jack, queen or king.
    """
    for suit_index in range(SUIT_COUNT):
        held = get_suit_ranks(player, suit_index)
        if held & _ACE and held & _TEN_TO_KING:
            return 0
    held = get_ranks(player)
    return 1 if held & _ACE and held & _TEN_TO_KING else 2


@rule
def settle(tables: HandTables, state: ShiftingState, options: ShiftingOptions) -> tuple[int, int, int, int]:
    """Settle main, Regular Bonus, Bad Beat and Blackjack Bonus.

    A fold loses the first three at once.  The Blackjack Bonus stands whatever the seat does (SW-3); it is settled when
    the dealer's hand is shown.
    """
    blackjack = settle_blackjack(tables, state.player, options) if state.shown else UNSETTLED
    if state.choice == FOLDED:
        return 0, REGULAR_BONUS_LOSES, BAD_BEAT_LOSES, blackjack
    if state.shown == 0:
        return UNSETTLED, UNSETTLED, UNSETTLED, UNSETTLED
    indicator = get_indicator(state)
    played = 0 if state.choice == LOCKED else 1
    mine, theirs = evaluate_hands(tables, state, options)
    natural = evaluate_strength(tables, state.player | state.community | indicator, 0, ROYAL_FIRST)
    return (
        settle_main(mine, theirs, played, options),
        settle_regular_bonus(natural, mine, find_wild_cards(state.player, indicator)),
        settle_bad_beat(
            rank_natural_hand(tables, state.player, indicator),
            rank_natural_hand(tables, state.dealer, state.w2),
            options,
        ),
        blackjack,
    )
