"""The rules of Lunar Poker: fold, play or draw, then Force.

Every hand is dealt five cards, and one of the dealer's is exposed.  Seat 1's five cards come first, then the other
seats' by seat, then the dealer's, whose fifth is turned up (ruling ALL-10).  Rulings LU-1 to LU-11.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import RANK_COUNT, SUIT_COUNT, bit, get_ranks, get_suit_ranks, popcount
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.games.lunar.combinations import (
    NO_COMBINATION,
    find_first_combination,
    find_second_combination,
    number_pair,
)
from pitboss.games.lunar.first_five import NO_INSTANT_CASH, settle_ranked_instant_cash, settle_ranked_super
from pitboss.games.lunar.outcomes import (
    AFTER_FORCE,
    BOUGHT,
    FOLD,
    LINES_NEVER_PLAYED,
    LOSE,
    NO_DRAW,
    NOT_FORCED,
    NOT_WON,
    TAKE_ANTE,
    TIE,
    WIN_WITHOUT_LINE,
    count_lines,
    get_path_start,
)
from pitboss.hands import NO_HAND, ROYAL_FIRST, HandTables, evaluate_strength

HAND = 5
MOST_EXCHANGED = 5

UNDECIDED = 0
FOLDED = 1
PLAYED = 2

TOOK_ANTE = 1
FORCED = 2

FIRST_DECISION = 0
AFTER_DRAW = 1
NOT_QUALIFIED = 2
LOWEST_REPLACED = 1


class LunarState(NamedTuple):
    """One seat's round.

    ``player`` are the cards it now holds, ``drew`` those of them that it drew, ``discarded`` those it exchanged;
    ``exposed`` is the dealer's fifth card, ``hidden`` the first four, ``force_card`` the one that Force turned.
    """

    player: int
    drew: int
    discarded: int
    exposed: int
    hidden: int
    force_card: int
    draw: int
    choice: int
    force: int
    shown: int


class LunarView(NamedTuple):
    """What a seat sees: its cards and draw, the dealer's open cards and Force's card."""

    player: int
    dealer: int
    forced: int
    drew: int
    discarded: int


class LunarOptions(NamedTuple):
    """The game's options as codes, in the order of ``GAME.options``.

    The first is the lowest qualifying strength.
    """

    dealer_qualifies: int
    super_at_least_ante: int
    akq_needs_no_pair: int
    paired_straight: int
    force_replaces: int
    short_deck: int


@rule
def count_dealt(seats: int) -> int:
    """Count the cards dealt: five to each seat and five to the dealer (LU-3)."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> LunarState:
    """Deal to ``seat`` (0 is first) and to the dealer, the fifth card exposed (LU-3)."""
    player = 0
    for place in range(HAND * seat, HAND * (seat + 1)):
        player |= bit(deck[place])
    hidden = 0
    for place in range(HAND * seats, HAND * (seats + 1) - 1):
        hidden |= bit(deck[place])
    exposed = bit(deck[HAND * (seats + 1) - 1])
    return LunarState(player, 0, 0, exposed, hidden, 0, NO_DRAW, UNDECIDED, UNDECIDED, 0)


@rule
def get_first_five(state: LunarState) -> int:
    """Return the five cards the seat was dealt, without what it has drawn since."""
    return state.player & ~state.drew | state.discarded


@rule
def get_dealer_five(state: LunarState) -> int:
    """Return the dealer's five cards before Force."""
    return state.exposed | state.hidden


@rule
def rank_hand(tables: HandTables, mask: int) -> int:
    """Rank the best five of five or six cards (ALL-3)."""
    return evaluate_strength(tables, mask, 0, ROYAL_FIRST)


@rule
def settle_instant_cash(tables: HandTables, mask: int, _options: LunarOptions) -> int:
    """Pay Instant Cash on five cards (LU-4)."""
    return settle_ranked_instant_cash(rank_hand(tables, mask))


@rule
def settle_super(tables: HandTables, mask: int, options: LunarOptions) -> int:
    """Settle Super on a first five, a seat's or the dealer's (LU-5)."""
    return settle_ranked_super(rank_hand(tables, mask), mask, options.akq_needs_no_pair)


@rule
def is_dealer_below(tables: HandTables, state: LunarState, options: LunarOptions) -> bool:
    """Tell whether the dealer's first five do not qualify (LU-7)."""
    return rank_hand(tables, get_dealer_five(state)) < options.dealer_qualifies


@rule
def next_decision(tables: HandTables, state: LunarState, options: LunarOptions) -> int:
    """Return the next question: the first, the one after a draw, or Force.

    Force is asked if the open dealer does not qualify (LU-6, LU-10).
    """
    if settle_instant_cash(tables, get_first_five(state), options) != NO_INSTANT_CASH or count_undrawn(state) > 0:
        return NO_DECISION
    if state.choice == UNDECIDED:
        return FIRST_DECISION if state.draw == NO_DRAW else AFTER_DRAW
    if state.choice == PLAYED and state.shown and state.force == UNDECIDED and is_dealer_below(tables, state, options):
        return NOT_QUALIFIED
    return NO_DECISION


@rule
def view(state: LunarState) -> LunarView:
    """Show the dealer's exposed card, and all five once opened (LU-3, LU-10).

    The card that Force turned is shown with them.
    """
    dealer = get_dealer_five(state) if state.shown else state.exposed
    return LunarView(state.player, dealer, state.force_card, state.drew, state.discarded)


@rule
def legal_actions(_tables: HandTables, _view: LunarView, decision: int, stub: int, _options: LunarOptions) -> int:
    """Allow fold (bit 0) and play (bit 1), or take-ante (bit 0) and force (bit 1).

    At first each draw that the stub can serve is allowed too.  Buying takes one card from the stub, exchanging takes as
    many as are given up (LU-6, LU-11).
    """
    allowed = 3
    if decision == FIRST_DECISION:
        for cards in range(1, MOST_EXCHANGED + 1):
            if stub >= cards:
                allowed |= 1 << (cards + 1)
    return allowed


@rule
def act(state: LunarState, decision: int, action: int, cards: int) -> LunarState:
    """Fold, play, buy or exchange ``cards``; or take the Ante or force.

    The actions are 0 to fold, 1 to play, 2 to buy and 3 to 6 to exchange; or 0 to take the Ante and 1 to force.
    """
    draw, choice, force = state.draw, state.choice, state.force
    if decision == NOT_QUALIFIED:
        force = TOOK_ANTE if action == 0 else FORCED
    elif action <= 1:
        choice = FOLDED if action == 0 else PLAYED
    else:
        draw = action - 1
    return LunarState(
        state.player & ~cards,
        state.drew,
        state.discarded | cards,
        state.exposed,
        state.hidden,
        state.force_card,
        draw,
        choice,
        force,
        state.shown,
    )


@rule
def count_undrawn(state: LunarState) -> int:
    """Count the cards still to draw; a draw is coded as its number of cards (LU-6)."""
    return state.draw - popcount(state.drew)


@rule
def count_draws(_tables: HandTables, state: LunarState, _options: LunarOptions) -> int:
    """Return how many cards a seat has paid to draw and not yet received."""
    return count_undrawn(state)


@rule
def receive_draw(state: LunarState, drawn: int) -> LunarState:
    """Give the seat the cards it drew."""
    return LunarState(
        state.player | drawn,
        state.drew | drawn,
        state.discarded,
        state.exposed,
        state.hidden,
        state.force_card,
        state.draw,
        state.choice,
        state.force,
        state.shown,
    )


@rule
def get_muck(state: LunarState) -> int:
    """Return what a seat exchanged or folded: a short stub may need it (LU-11)."""
    return state.discarded | state.player if state.choice == FOLDED else state.discarded


@rule
def count_dealer_draws(state: LunarState) -> int:
    """Return 1 if this seat forced and the card is not turned yet (LU-10)."""
    return 1 if state.force == FORCED and state.force_card == 0 else 0


@rule
def receive_dealer_draw(state: LunarState, drawn: int) -> LunarState:
    """Turn the card for all seats that forced; others settle without it (LU-10)."""
    return LunarState(
        state.player,
        state.drew,
        state.discarded,
        state.exposed,
        state.hidden,
        drawn,
        state.draw,
        state.choice,
        state.force,
        state.shown,
    )


@rule
def show_dealer(state: LunarState) -> LunarState:
    """Open the dealer's hand."""
    return LunarState(
        state.player,
        state.drew,
        state.discarded,
        state.exposed,
        state.hidden,
        state.force_card,
        state.draw,
        state.choice,
        state.force,
        1,
    )


@rule
def find_replaced_card(dealer: int, options: LunarOptions) -> int:
    """Return which card Force replaces: the dealer's highest or lowest (LU-10).

    An ace is high.  Of two cards of one rank, Force replaces the one of whose suit the dealer holds fewer: the better
    chance of a flush stays.  If the dealer has equally many of both suits no flush is possible, and either gives the
    same hand.
    """
    wanted = get_ranks(dealer)
    if options.force_replaces == LOWEST_REPLACED:
        wanted &= -wanted
    while wanted & (wanted - 1):
        wanted &= wanted - 1
    chosen = 0
    fewest = HAND + 1
    for suit_index in range(SUIT_COUNT):
        held = get_suit_ranks(dealer, suit_index)
        if held & wanted and popcount(held) < fewest:
            fewest = popcount(held)
            chosen = wanted << (RANK_COUNT * suit_index)
    return chosen


@rule
def get_dealer_hand(state: LunarState, options: LunarOptions) -> int:
    """Return the dealer's five cards, after Force with the new card (LU-10)."""
    five = get_dealer_five(state)
    return five if state.force_card == 0 else five & ~find_replaced_card(five, options) | state.force_card


@rule
def number_lines(mask: int, mine: int, draw: int, options: LunarOptions) -> int:
    """Number a winning hand's first and second combination in its path (LU-8, LU-9)."""
    first = find_first_combination(mine)
    second = find_second_combination(mask, first, options.paired_straight)
    if draw == BOUGHT:
        return number_pair(first, second, HAND + 1)
    number = number_pair(first, second, HAND)
    return number - LINES_NEVER_PLAYED if draw == NO_DRAW else number


@rule
def settle_showdown(tables: HandTables, state: LunarState, theirs: int, at: int, options: LunarOptions) -> int:
    """Compare with a qualified dealer (LU-7, LU-8).

    The outcomes from ``at`` on are tie, lose and the lines of the path.
    """
    mine = rank_hand(tables, state.player)
    if mine <= theirs:
        return at + (TIE if mine == theirs else LOSE)
    if find_first_combination(mine) == NO_COMBINATION:
        return get_path_start(state.draw) + WIN_WITHOUT_LINE
    return at + NOT_WON + number_lines(state.player, mine, state.draw, options)


@rule
def settle_forced(tables: HandTables, state: LunarState, options: LunarOptions) -> int:
    """Settle after Force by the dealer's new hand, otherwise as without it (LU-10)."""
    start = get_path_start(state.draw) + NOT_FORCED + NOT_WON + count_lines(state.draw)
    theirs = rank_hand(tables, get_dealer_hand(state, options))
    if theirs >= options.dealer_qualifies:
        return settle_showdown(tables, state, theirs, start + AFTER_FORCE, options)
    mine = rank_hand(tables, state.player)
    return start + (0 if mine > theirs else 1 if mine == theirs else 2)


@rule
def settle_main(tables: HandTables, state: LunarState, first: int, options: LunarOptions) -> int:
    """Settle Ante, Bet, fees and Instant Cash, given the first five's strength."""
    if settle_ranked_instant_cash(first) != NO_INSTANT_CASH:
        return settle_ranked_instant_cash(first)
    if state.choice == FOLDED:
        return FOLD + state.draw
    if state.choice == UNDECIDED or state.shown == 0:
        return UNSETTLED
    theirs = rank_hand(tables, get_dealer_five(state))
    if theirs >= options.dealer_qualifies:
        return settle_showdown(tables, state, theirs, get_path_start(state.draw) + NOT_FORCED, options)
    if state.force == TOOK_ANTE:
        return get_path_start(state.draw) + TAKE_ANTE
    if state.force == FORCED and state.force_card:
        return settle_forced(tables, state, options)
    return UNSETTLED


@rule
def settle(tables: HandTables, state: LunarState, options: LunarOptions) -> tuple[int, int, int, int]:
    """Settle main, Super, Multi Super and Dealer Super.

    Super on a seat's hand is decided by its first five, Dealer Super when the dealer opens, also for a seat
    that folded (LU-5); Instant Cash and a fold end main at once (LU-4, LU-6).
    """
    five = get_first_five(state)
    first = rank_hand(tables, five)
    own = settle_ranked_super(first, five, options.akq_needs_no_pair)
    dealer_super = settle_super(tables, get_dealer_five(state), options) if state.shown else UNSETTLED
    return settle_main(tables, state, first, options), own, own, dealer_super


@rule
def evaluate_hands(tables: HandTables, state: LunarState, options: LunarOptions) -> tuple[int, int]:
    """Return the strengths of the player's and of the dealer's hand.

    The player's is given if no card is missing, the dealer's once it is opened.
    """
    mine = rank_hand(tables, state.player) if popcount(state.player) >= HAND else NO_HAND
    theirs = rank_hand(tables, get_dealer_hand(state, options)) if state.shown else NO_HAND
    return mine, theirs
