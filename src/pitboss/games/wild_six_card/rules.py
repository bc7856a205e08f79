"""The rules of Wild Six Card Poker: one discard and one draw, Jokers wild.

The seats' first five cards come first, by seat, then the dealer's five; then one card for each seat that draws,
in seat order, and the dealer's sixth (ruling ALL-10).  Rulings W6-1 to W6-10.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import bit
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import (
    FIVE_OF_A_KIND,
    FOUR_OF_A_KIND,
    NO_HAND,
    PAIR,
    ROYAL_FIRST,
    ROYAL_FLUSH,
    SIX_CARD_NOTHING,
    SIX_CARD_STRAIGHT,
    SIX_OF_A_KIND,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    THREE_PAIR,
    TWO_PAIR,
    HandTables,
    evaluate_six_cards,
    evaluate_with_jokers,
    get_category,
    get_natural_category,
    pack_lowest_strength,
)

HAND = 5

UNDECIDED = 0
DISCARDED = 1
STOOD = 2

DISCARD = 0

TAXPAYERS_FORTUNE = 2
DRAW_BONUS = 3
_NEEDS_SIXTH_CARD = 1 << TAXPAYERS_FORTUNE | 1 << DRAW_BONUS

PAIR_OF_QUEENS = pack_lowest_strength(PAIR, 12)
FOUR_OR_BETTER = pack_lowest_strength(FOUR_OF_A_KIND)

# Indexes of main's outcomes: automatic first, then four results after a discard and four after standing.
AUTOMATIC = 0
WIN = 1
TIE = 2
LOSE = 3
PUSH = 4
RESULT_COUNT = 4

# The rows of the Tax Schedule.
TAX_STRAIGHT_OR_BETTER = 0
TAX_THREE_OF_A_KIND = 1
TAX_TWO_PAIR = 2
TAX_ONE_PAIR_OR_LOWER = 3

# Indexes of Taxpayer's Fortune's outcomes after the lines that only a straight or better can lead to.
UNTAXED_SIX_CARD_STRAIGHT = 7
TWO_PAIR_THREE_PAIR = 8
TAXED_LOSE = 9


class WildSixState(NamedTuple):
    """One seat's round.

    It has the seat's first five, its discard, the card it drew, the dealer's five and the dealer's sixth.  Cards not
    discarded or not yet drawn are 0.  ``sixth_wanted`` is 1 when a wager needs a sixth card whatever the choice.
    """

    first: int
    discard: int
    drawn: int
    dealer: int
    dealers_sixth: int
    sixth_wanted: int
    choice: int
    shown: int


class WildSixView(NamedTuple):
    """The cards that a seat sees.

    They are its hand, the dealer's hand once it is opened, and its own discard in the Draw box.
    """

    player: int
    dealer: int
    discarded: int


class WildSixOptions(NamedTuple):
    """The game's options as codes, in the order of ``GAME.options``.

    ``wild_flush`` is a flag of the ranking.
    """

    stand_pat: int
    queens_or_better: int
    draw_bonus: int
    wild_flush: int


@rule
def is_automatic_winner(tables: HandTables, state: WildSixState, options: WildSixOptions) -> bool:
    """Tell whether the first five are an automatic winner (W6-2).

    That is a straight or better, Jokers wild.
    """
    return get_category(rank_hand(tables, state.first, options)) >= STRAIGHT


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt before the draws: five to each seat and the dealer."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, wagered: int) -> WildSixState:
    """Deal ``seat`` (0 is first) its five cards, and the dealer the last five.

    The state notes whether a wager needs a sixth card.
    """
    first = 0
    for place in range(HAND * seat, HAND * (seat + 1)):
        first |= bit(deck[place])
    dealer = 0
    for place in range(HAND * seats, HAND * (seats + 1)):
        dealer |= bit(deck[place])
    sixth_wanted = 1 if wagered & _NEEDS_SIXTH_CARD else 0
    return WildSixState(first, 0, 0, dealer, 0, sixth_wanted, UNDECIDED, 0)


@rule
def next_decision(tables: HandTables, state: WildSixState, options: WildSixOptions) -> int:
    """Ask once, but never where the first five are an automatic winner (W6-2)."""
    return NO_DECISION if state.choice != UNDECIDED or is_automatic_winner(tables, state, options) else 0


@rule
def view(state: WildSixState) -> WildSixView:
    """Show the hand without its discard.

    The drawn card and the dealer's hand are shown only once the dealer has opened (W6-9).
    """
    kept = state.first & ~state.discard
    if state.shown:
        return WildSixView(kept | state.drawn, state.dealer | state.dealers_sixth, state.discard)
    return WildSixView(kept, 0, state.discard)


@rule
def legal_actions(_tables: HandTables, _view: WildSixView, _decision: int, _stub: int, options: WildSixOptions) -> int:
    """Allow discard (bit 0), and stand (bit 1) where players may stand pat (W6-3)."""
    return 3 if options.stand_pat else 1


@rule
def _replace_cards(state: WildSixState, drawn: int, dealers_sixth: int, shown: int) -> WildSixState:
    """Return the state after a sixth card or the opening of the dealer's hand."""
    return WildSixState(
        state.first, state.discard, drawn, state.dealer, dealers_sixth, state.sixth_wanted, state.choice, shown
    )


@rule
def act(state: WildSixState, _decision: int, action: int, cards: int) -> WildSixState:
    """Discard one card, or keep all five."""
    discard = cards if action == DISCARD else 0
    choice = DISCARDED if action == DISCARD else STOOD
    return WildSixState(
        state.first, discard, state.drawn, state.dealer, state.dealers_sixth, state.sixth_wanted, choice, state.shown
    )


@rule
def count_draws(tables: HandTables, state: WildSixState, options: WildSixOptions) -> int:
    """Count the cards that a seat draws: one or none (W6-2, W6-3).

    It draws one after a discard; to five cards it draws only for Draw Bonus or Taxpayer's Fortune.
    """
    if state.drawn:
        return 0
    if state.choice == DISCARDED:
        return 1
    return state.sixth_wanted if state.choice == STOOD or is_automatic_winner(tables, state, options) else 0


@rule
def receive_draw(state: WildSixState, drawn: int) -> WildSixState:
    """Take the sixth card, face down."""
    return _replace_cards(state, drawn, state.dealers_sixth, state.shown)


@rule
def count_dealer_draws(state: WildSixState) -> int:
    """Count the cards that the dealer draws: 1 until there is a sixth."""
    return 0 if state.dealers_sixth else 1


@rule
def receive_dealer_draw(state: WildSixState, drawn: int) -> WildSixState:
    """Give the dealer a sixth card."""
    return _replace_cards(state, state.drawn, drawn, state.shown)


@rule
def show_dealer(state: WildSixState) -> WildSixState:
    """Open the dealer's hand, and with it the card that the seat drew."""
    return _replace_cards(state, state.drawn, state.dealers_sixth, 1)


@rule
def rank_hand(tables: HandTables, mask: int, options: WildSixOptions) -> int:
    """Rank the best five of five or six cards, Jokers wild (W6-1).

    The royal flush is the highest.
    """
    return evaluate_with_jokers(tables, mask, ROYAL_FIRST + options.wild_flush)


@rule
def find_final_hand(state: WildSixState) -> int:
    """Return the cards compared with the dealer's (W6-3).

    They are the four kept and the one drawn, or the first five.
    """
    return state.first & ~state.discard | state.drawn if state.choice == DISCARDED else state.first


@rule
def evaluate_hands(tables: HandTables, state: WildSixState, options: WildSixOptions) -> tuple[int, int]:
    """Rank the player's and the dealer's hand.

    The player's is ranked unless its drawn card is hidden (W6-9), the dealer's once it is opened.
    """
    if state.shown == 0:
        return NO_HAND if state.choice == DISCARDED else rank_hand(tables, state.first, options), NO_HAND
    return rank_player(tables, state, options), rank_dealer(tables, state, options)


@rule
def rank_player(tables: HandTables, state: WildSixState, options: WildSixOptions) -> int:
    """Rank the player's final hand."""
    return rank_hand(tables, find_final_hand(state), options)


@rule
def rank_dealer(tables: HandTables, state: WildSixState, options: WildSixOptions) -> int:
    """Rank the best five of the dealer's six cards."""
    return rank_hand(tables, state.dealer | state.dealers_sixth, options)


@rule
def settle_showdown(state: WildSixState, mine: int, theirs: int, _options: WildSixOptions) -> int:
    """Settle main by the two strengths: an automatic winner, else ``settle_main``."""
    return AUTOMATIC if state.choice == UNDECIDED else settle_main(state.choice, mine, theirs)


@rule
def settle_main(choice: int, mine: int, theirs: int) -> int:
    """Compare a final hand with the dealer's (W6-4).

    A lower hand pushes against four of a kind or better.
    """
    after = RESULT_COUNT * (choice - DISCARDED)
    if mine > theirs:
        return after + WIN
    if mine == theirs:
        return after + TIE
    return after + (PUSH if theirs >= FOUR_OR_BETTER else LOSE)


@rule
def find_bonus_line(tables: HandTables, mask: int, made: int) -> int:
    """Return the line, 0 to 9, of a hand of two pair or better (W6-1, ALL-8).

    The lines have the order of both bonus tables.
    """
    if made == ROYAL_FLUSH:
        return 0 if get_natural_category(tables, mask) == ROYAL_FLUSH else 2
    return 1 if made == FIVE_OF_A_KIND else 3 + STRAIGHT_FLUSH - made


@rule
def settle_queens_or_better(tables: HandTables, first: int, options: WildSixOptions) -> int:
    """Settle Queens Or Better on the first five.

    The outcomes are the lines of two pair or better, a pair of queens or better (10), and lose (11).
    """
    return settle_ranked_queens_or_better(tables, first, rank_hand(tables, first, options))


@rule
def settle_ranked_queens_or_better(tables: HandTables, first: int, mine: int) -> int:
    """Settle Queens Or Better on the first five, given their strength."""
    made = get_category(mine)
    if made >= TWO_PAIR:
        return find_bonus_line(tables, first, made)
    return 10 if mine >= PAIR_OF_QUEENS else 11


@rule
def settle_draw_bonus(tables: HandTables, six: int, options: WildSixOptions) -> int:
    """Settle Draw Bonus on the best five of all six cards (W6-5).

    The discard is included.  Below two pair the outcome is 10, lose.
    """
    made = get_category(rank_hand(tables, six, options))
    return find_bonus_line(tables, six, made) if made >= TWO_PAIR else 10


@rule
def find_tax(tables: HandTables, first: int, options: WildSixOptions) -> int:
    """Return the row of the Tax Schedule for the first five, Jokers wild (W6-6)."""
    return find_category_tax(get_category(rank_hand(tables, first, options)))


@rule
def find_category_tax(made: int) -> int:
    """Return the row of the Tax Schedule for a category of the first five."""
    if made >= STRAIGHT:
        return TAX_STRAIGHT_OR_BETTER
    if made == THREE_OF_A_KIND:
        return TAX_THREE_OF_A_KIND
    return TAX_TWO_PAIR if made == TWO_PAIR else TAX_ONE_PAIR_OR_LOWER


@rule
def number_tax_outcome(tax: int, line: int) -> int:
    """Number the pairs of tax and six-card line that can occur.

    A six-card straight whose first five were not a straight pays no tax; three pair come from two pair; every higher
    line, like any other six-card straight, comes from a straight or better.
    """
    if line > SIX_CARD_STRAIGHT or (line == SIX_CARD_STRAIGHT and tax == TAX_STRAIGHT_OR_BETTER):
        return SIX_OF_A_KIND - line
    if line == SIX_CARD_STRAIGHT:
        return UNTAXED_SIX_CARD_STRAIGHT
    return TWO_PAIR_THREE_PAIR if line == THREE_PAIR else TAXED_LOSE + tax


@rule
def settle_taxpayers_fortune(tables: HandTables, first: int, last: int, options: WildSixOptions) -> int:
    """Settle Taxpayer's Fortune (W6-6).

    The tax is on the first five, the line on all six cards.  Without a sixth card there is no line; this happens only
    where the wager is not staked.
    """
    return number_tax_outcome(find_tax(tables, first, options), find_six_card_line(first, last))


@rule
def find_six_card_line(first: int, last: int) -> int:
    """Return the line of Taxpayer's Fortune that all six cards make."""
    return evaluate_six_cards(first | last) if last else SIX_CARD_NOTHING


@rule
def settle(tables: HandTables, state: WildSixState, options: WildSixOptions) -> tuple[int, int, int, int]:
    """Settle main, Queens Or Better, Taxpayer's Fortune and Draw Bonus.

    Before the draw an automatic winner's Poker bet is paid and Queens Or Better is settled (W6-2); the rest is settled
    when the dealer's hand is opened.  The first five are ranked once for everything that depends on them.
    """
    first = rank_hand(tables, state.first, options)
    main = AUTOMATIC if get_category(first) >= STRAIGHT else UNSETTLED
    queens = settle_ranked_queens_or_better(tables, state.first, first)
    if state.shown == 0:
        return main, queens, UNSETTLED, UNSETTLED
    if state.choice != UNDECIDED:
        mine, theirs = evaluate_hands(tables, state, options)
        main = settle_showdown(state, mine, theirs, options)
    taxed = number_tax_outcome(find_category_tax(get_category(first)), find_six_card_line(state.first, state.drawn))
    return main, queens, taxed, settle_draw_bonus(tables, state.first | state.drawn, options)
