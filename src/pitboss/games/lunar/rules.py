"""The rules of Lunar Poker: five cards each, one of the dealer's exposed; fold, play or draw; Force.

Seat 1's five cards come first, then the other seats' by seat, then the dealer's, whose fifth is turned up
(ruling ALL-10).  Rulings LU-1 to LU-11.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.cards import RANK_COUNT, SUIT_COUNT, bit, get_ranks, get_suit_ranks, popcount
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.games.lunar.combinations import NO_COMBINATION, first_combination, pair_number, second_combination
from pitboss.games.lunar.first_five import NO_INSTANT_CASH, instant_cash_outcome, super_outcome
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
    lines_of,
    path_start,
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


class State(NamedTuple):
    """One seat's round.

    ``player`` are the cards it now holds, ``drew`` those of them that it drew, ``discarded`` those it exchanged;
    ``exposed`` is the dealer's fifth card, ``hidden`` his first four, ``force_card`` the one that Force turned.
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


class View(NamedTuple):
    """What a seat sees: the cards it holds, the dealer's that lie face up, the one that Force turned, its own draw."""

    player: int
    dealer: int
    forced: int
    drew: int
    discarded: int


class Options(NamedTuple):
    """The game's options as codes, in the order of ``GAME.options``; the first is the lowest qualifying strength."""

    dealer_qualifies: int
    super_at_least_ante: int
    akq_needs_no_pair: int
    paired_straight: int
    force_replaces: int
    short_deck: int


@rule
def count_dealt(seats: int) -> int:
    """Return how many cards are dealt: five a seat and five to the dealer (LU-3)."""
    return HAND * (seats + 1)


@rule
def deal(deck: Sequence[int], seats: int, seat: int, _wagered: int) -> State:
    """Give ``seat`` (0 is dealt first) its five cards; the dealer's come last and his fifth is exposed (LU-3)."""
    player = 0
    for place in range(HAND * seat, HAND * (seat + 1)):
        player |= bit(deck[place])
    hidden = 0
    for place in range(HAND * seats, HAND * (seats + 1) - 1):
        hidden |= bit(deck[place])
    exposed = bit(deck[HAND * (seats + 1) - 1])
    return State(player, 0, 0, exposed, hidden, 0, NO_DRAW, UNDECIDED, UNDECIDED, 0)


@rule
def first_five(state: State) -> int:
    """Return the five cards the seat was dealt, whatever it has drawn since."""
    return state.player & ~state.drew | state.discarded


@rule
def dealers_five(state: State) -> int:
    """Return the dealer's five cards before Force."""
    return state.exposed | state.hidden


@rule
def strength_of(tables: HandTables, mask: int) -> int:
    """Rank the best five of five or six cards (ALL-3)."""
    return evaluate_strength(tables, mask, 0, ROYAL_FIRST)


@rule
def instant_cash_of(tables: HandTables, mask: int, _options: Options) -> int:
    """Pay Instant Cash on five cards (LU-4)."""
    return instant_cash_outcome(strength_of(tables, mask))


@rule
def super_of(tables: HandTables, mask: int, options: Options) -> int:
    """Settle Super on a first five, a seat's or the dealer's (LU-5)."""
    return super_outcome(strength_of(tables, mask), mask, options.akq_needs_no_pair)


@rule
def dealer_is_below(tables: HandTables, state: State, options: Options) -> bool:
    """Tell whether the dealer's first five do not qualify (LU-7)."""
    return strength_of(tables, dealers_five(state)) < options.dealer_qualifies


@rule
def next_decision(tables: HandTables, state: State, options: Options) -> int:
    """Ask at first; after a draw; and, the dealer's hand being open and not qualified, who played (LU-6, LU-10)."""
    if instant_cash_of(tables, first_five(state), options) != NO_INSTANT_CASH or undrawn(state) > 0:
        return NO_DECISION
    if state.choice == UNDECIDED:
        return FIRST_DECISION if state.draw == NO_DRAW else AFTER_DRAW
    if state.choice == PLAYED and state.shown and state.force == UNDECIDED and dealer_is_below(tables, state, options):
        return NOT_QUALIFIED
    return NO_DECISION


@rule
def view(state: State) -> View:
    """Show the dealer's exposed card; once his hand is opened all five, and what Force turned (LU-3, LU-10)."""
    dealer = dealers_five(state) if state.shown else state.exposed
    return View(state.player, dealer, state.force_card, state.drew, state.discarded)


@rule
def legal_actions(_tables: HandTables, _view: View, asked: int, stub: int, _options: Options) -> int:
    """Allow fold (bit 0) and play (bit 1), or take-ante and force; at first also each draw that can be served.

    Buying takes one card from the stub, exchanging as many as are given up (LU-6, LU-11).
    """
    allowed = 3
    if asked == FIRST_DECISION:
        for cards in range(1, MOST_EXCHANGED + 1):
            if stub >= cards:
                allowed |= 1 << (cards + 1)
    return allowed


@rule
def act(state: State, asked: int, action: int, cards: int) -> State:
    """Fold (0), play (1), buy (2) or exchange ``cards`` (3 to 6); or take the Ante (0) or force (1)."""
    draw, choice, force = state.draw, state.choice, state.force
    if asked == NOT_QUALIFIED:
        force = TOOK_ANTE if action == 0 else FORCED
    elif action <= 1:
        choice = FOLDED if action == 0 else PLAYED
    else:
        draw = action - 1
    return State(
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
def undrawn(state: State) -> int:
    """Return how many cards of its draw a seat has yet to get: a draw is coded as its number of cards (LU-6)."""
    return state.draw - popcount(state.drew)


@rule
def count_draws(_tables: HandTables, state: State, _options: Options) -> int:
    """Owe a seat the cards it has paid to draw."""
    return undrawn(state)


@rule
def receive_draw(state: State, drawn: int) -> State:
    """Give the seat the cards it drew."""
    return State(
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
def get_muck(state: State) -> int:
    """Return what a seat has exchanged or folded: cards that may serve others when the stub runs short (LU-11)."""
    return state.discarded | state.player if state.choice == FOLDED else state.discarded


@rule
def count_dealer_draws(state: State) -> int:
    """Return 1 where this seat forced and the card is not turned yet (LU-10)."""
    return 1 if state.force == FORCED and state.force_card == 0 else 0


@rule
def receive_dealer_draw(state: State, drawn: int) -> State:
    """Turn the card that serves all who forced; a seat that did not is settled without it (LU-10)."""
    return State(
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
def show_dealer(state: State) -> State:
    """Open the dealer's hand."""
    return State(
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
def replaced_card(dealer: int, options: Options) -> int:
    """Return which of the dealer's cards Force replaces: the highest (ace high), or the lowest (LU-10).

    Of two that rank alike it is the one of whose suit he holds fewer: the better chance of a flush stays.
    Where he holds as many of both suits no flush can come and either gives the same hand.
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
def dealers_hand(state: State, options: Options) -> int:
    """Return the dealer's five cards as they stand: after Force with the new card in place of the old (LU-10)."""
    five = dealers_five(state)
    return five if state.force_card == 0 else five & ~replaced_card(five, options) | state.force_card


@rule
def lines_paid(mask: int, mine: int, draw: int, options: Options) -> int:
    """Number the first and the second combination of a winning hand among those of its path (LU-8, LU-9)."""
    first = first_combination(mine)
    second = second_combination(mask, first, options.paired_straight)
    if draw == BOUGHT:
        return pair_number(first, second, HAND + 1)
    number = pair_number(first, second, HAND)
    return number - LINES_NEVER_PLAYED if draw == NO_DRAW else number


@rule
def showdown(tables: HandTables, state: State, dealers: int, at: int, options: Options) -> int:
    """Compare with a qualified dealer: from ``at`` on stand tie, lose and the lines of the path (LU-7, LU-8)."""
    mine = strength_of(tables, state.player)
    if mine <= dealers:
        return at + (TIE if mine == dealers else LOSE)
    if first_combination(mine) == NO_COMBINATION:
        return path_start(state.draw) + WIN_WITHOUT_LINE
    return at + NOT_WON + lines_paid(state.player, mine, state.draw, options)


@rule
def forced_outcome(tables: HandTables, state: State, options: Options) -> int:
    """Settle after Force: on whether the dealer qualifies with the new card, then as without it (LU-10)."""
    start = path_start(state.draw) + NOT_FORCED + NOT_WON + lines_of(state.draw)
    dealers = strength_of(tables, dealers_hand(state, options))
    if dealers >= options.dealer_qualifies:
        return showdown(tables, state, dealers, start + AFTER_FORCE, options)
    mine = strength_of(tables, state.player)
    return start + (0 if mine > dealers else 1 if mine == dealers else 2)


@rule
def main_outcome(tables: HandTables, state: State, first: int, options: Options) -> int:
    """Settle the Ante with its Bet, fees and Instant Cash; ``first`` is the strength of the first five."""
    if instant_cash_outcome(first) != NO_INSTANT_CASH:
        return instant_cash_outcome(first)
    if state.choice == FOLDED:
        return FOLD + state.draw
    if state.choice == UNDECIDED or state.shown == 0:
        return UNSETTLED
    dealers = strength_of(tables, dealers_five(state))
    if dealers >= options.dealer_qualifies:
        return showdown(tables, state, dealers, path_start(state.draw) + NOT_FORCED, options)
    if state.force == TOOK_ANTE:
        return path_start(state.draw) + TAKE_ANTE
    if state.force == FORCED and state.force_card:
        return forced_outcome(tables, state, options)
    return UNSETTLED


@rule
def settle(tables: HandTables, state: State, options: Options) -> tuple[int, int, int, int]:
    """Settle main, Super, Multi Super and Dealer Super.

    Super on a seat's hand is decided by its first five, Dealer Super when the dealer opens, also for a seat
    that folded (LU-5); Instant Cash and a fold end main at once (LU-4, LU-6).
    """
    five = first_five(state)
    first = strength_of(tables, five)
    own = super_outcome(first, five, options.akq_needs_no_pair)
    dealers = super_of(tables, dealers_five(state), options) if state.shown else UNSETTLED
    return main_outcome(tables, state, first, options), own, own, dealers


@rule
def evaluate_hands(tables: HandTables, state: State, options: Options) -> tuple[int, int]:
    """Return the strengths of both hands: the player's when no card is missing, the dealer's once it is opened."""
    mine = strength_of(tables, state.player) if popcount(state.player) >= HAND else NO_HAND
    dealers = strength_of(tables, dealers_hand(state, options)) if state.shown else NO_HAND
    return mine, dealers
