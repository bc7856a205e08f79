"""The best play of Six Card Poker's Ante, exactly: every board, every hand, every completion of the dealer's.

For each three exposed cards, up to suits, all classes of hands are taken in order of strength, and the dealer's
completions pass from stronger to equal to weaker.  What is left of them for a hand is read from ``rank_tables``; a
hand is played where that is worth more than a fold.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DECK_52
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers, Progress
from pitboss.counting.compile import kernel
from pitboss.counting.rank_hands import (
    NO_FLUSH,
    STATES,
    Live,
    RankHands,
    classes_of,
    hands_of_state,
    last_state,
    live_cards,
    rank_hands,
    state_of,
    ways_of_flush,
    ways_without_flush,
)
from pitboss.counting.rank_tables import (
    DRAWN,
    PLAIN,
    HandEntries,
    add_differences,
    hand_entries,
    one_difference,
    plain_value,
    spread,
)
from pitboss.counting.suits import exchanged, exchanges, sets_up_to_suits
from pitboss.games.six_card.rules import EXPOSED, HAND, Options, hand_strength, main_outcome
from pitboss.games.six_card.solver.crowd import (
    LANE,
    Crowd,
    all_stronger,
    crowd_of,
    differences_of,
    flush_suit,
    pass_up_to,
)
from pitboss.hands import HandTables, hand_tables
from pitboss.solving import Problem, Solution

FOLD = 0
OUTCOMES = 7
WIN, TIE, LOSE = 1, 3, 5  # with the dealer qualified; one more without
EQUAL = OUTCOMES  # the column after the outcomes: indifferent positions
_MOST_NET = (1 << 31) // comb(43, 3)
_PARTS = 64


class Board(NamedTuple):
    """Three exposed cards: what is live, what a suit matters to, who may stand against a hand, and suits alike."""

    live: Live
    differences: int
    crowd: Crowd
    orders: Integers
    completions: int


class Room(NamedTuple):
    """A number for each state of a class: its hands, and both words."""

    ways: Integers
    first: Integers
    second: Integers
    chosen: Integers


def solve(problem: Problem, progress: Progress) -> Solution:
    """Return the best play of ``main``, counted over all deals.

    A deal is the player's six cards, the dealer's six and which three of those lie open: C(52,6) x C(46,6) x 20.
    Its nets are what fold, and then win, tie and lose, each with the dealer qualified and not, are worth.  A position
    is three exposed cards and a hand, up to suits.

    Raises:
        ValueError: nets that differ by 174,012 or more.
    """
    return solve_deck(DECK_52.cards, problem.options, problem.nets, progress)


def solve_deck(deck: Sequence[int], options: Options, nets: Sequence[int], progress: Progress) -> Solution:
    """Solve the game for a deck of whole ranks, three or more.

    Raises:
        ValueError: a deck that lacks some cards of a rank, or nets too far apart.
    """
    if len(exchanges(sum(1 << card for card in deck))) < 24:
        raise ValueError("a deck must have four cards of every rank")
    worth = [int(net) - int(nets[FOLD]) for net in nets]
    if max(map(abs, worth)) >= _MOST_NET:
        raise ValueError(f"nets may differ by less than {_MOST_NET} units")
    boards, weights = sets_up_to_suits(deck, EXPOSED)
    counted = count_boards(deck, boards, options, worth, progress)
    counts = tuple(
        sum(int(weight) * int(count) for weight, count in zip(weights, column, strict=True))
        for column in counted[:, :OUTCOMES].T
    )
    actions = {"fold": counts[FOLD], "play": sum(counts) - counts[FOLD]}
    return Solution(counts, actions, int(counted[:, EQUAL].sum()))


def count_boards(
    deck: Sequence[int], boards: Integers, options: Options, worth: Sequence[int], progress: Progress
) -> Integers:
    """Return for each board the deals of every outcome, and in column ``EQUAL`` its indifferent positions."""
    tables, left = hand_tables(), sum(1 << card for card in deck)
    hands, strengths = _by_strength(rank_hands(), options)
    entries, orders, nets = hand_entries(hands), exchanges(left), np.array(worth, np.int64)
    dealt = comb(len(deck) - EXPOSED, HAND)
    completions = comb(len(deck) - HAND - EXPOSED, DRAWN)
    parts = [np.arange(part, len(boards), _PARTS) for part in range(min(_PARTS, len(boards)))]

    def of_part(part: Integers) -> Integers:
        chosen = boards[part]
        return _count_boards(tables, hands, entries, strengths, options, nets, left, chosen, orders, dealt, completions)

    counted = np.zeros((len(boards), OUTCOMES + 1), np.int64)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, (part, result) in enumerate(zip(parts, threads.map(of_part, parts), strict=True), 1):
            counted[part] = result
            progress(done, len(parts))
    return counted


def values_of(exposed: int, masks: Sequence[int], options: Options, worth: Sequence[int]) -> list[int]:
    """Return by how much playing each hand beats folding it, summed over the 12,341 completions of the exposed cards.

    ``worth`` is what the outcomes net more than a fold: a hand is played where its value is above 0.
    """
    hands = classes_of(masks)
    hands, strengths = _by_strength(hands, options)
    nets, same = np.array(worth, np.int64), exchanges(DECK_52.mask)[:1]
    values = _values_on_board(
        hand_tables(), hands, hand_entries(hands), strengths, options, nets, DECK_52.mask, exposed, same
    )
    by_mask = dict(zip(hands.masks.tolist(), values.tolist(), strict=True))
    return [by_mask[mask] for mask in masks]


def _by_strength(hands: RankHands, options: Options) -> tuple[RankHands, Integers]:
    """Return classes by rising strength, and their strengths."""
    strengths = np.array([hand_strength(hand_tables(), int(mask), options) for mask in hands.masks], np.int64)
    order = np.argsort(strengths, kind="stable")
    return RankHands._make(column[order] for column in hands), strengths[order]


@rule
def _book(sums: Integers, tie: int, played: int, first: int, second: int) -> None:
    """Add the deals of ``played``, hands times completions; the lanes hold sums over the hands.

    ``tie`` is the outcome of a tie.  It tells whether a dealer with the hand's own strength qualifies: then all who do
    not are weaker, otherwise all who do are stronger.
    """
    not_qualified = first & (LANE - 1)
    weaker = second & (LANE - 1)
    not_stronger = second >> 32
    sums[tie] += not_stronger - weaker
    if tie == TIE:
        sums[WIN] += weaker - not_qualified
        sums[WIN + 1] += not_qualified
        sums[LOSE] += played - not_stronger
    else:
        sums[WIN + 1] += weaker
        sums[LOSE] += played - not_qualified
        sums[LOSE + 1] += not_qualified - not_stronger


@rule
def _values_without_flush(
    table: Any, hands: RankHands, entries: HandEntries, hand: int, board: Board, room: Room
) -> int:
    """Value all states of a class without flush; return how many there are, 0 if all of them fold."""
    groups, states = hands.groups[hand], 1
    room.first[0], room.second[0] = plain_value(table, entries, hand)
    if board.differences != PLAIN:
        states = 1 << groups
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, groups)
    best = -LANE
    for state in range(states):
        best = max(best, room.first[np.uint64(state)])
    if best < 0:
        return 0
    ways_without_flush(hands, hand, board.live, room.ways)
    if states > 1:
        spread(room.second, groups)
    return states


@rule
def _values_with_flush(table: Any, hands: RankHands, entries: HandEntries, hand: int, board: Board, room: Room) -> int:
    """Value the three states of a class with a flush; return how many states are looked at, those between at 0 ways."""
    odd, last = hands.odd[hand], last_state(hands, hand)
    plain, mixed, inside = ways_of_flush(hands, hand, hands.flush[hand], odd, board.live)
    room.ways[0] = plain
    room.first[0], room.second[0] = plain_value(table, entries, hand)
    if mixed + inside == 0:
        return 1
    first, second = one_difference(table, hands, entries, hand, odd, board.differences)
    if inside:
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, hands.groups[hand])
        spread(room.second, hands.groups[hand])
    room.ways[1 : last + 1] = 0
    room.ways[1 << odd] = mixed
    room.first[1 << odd], room.second[1 << odd] = room.first[0] + first, room.second[0] + second
    room.ways[last] = inside
    return 1 + max(last if inside else 0, int(1 << odd))


@rule
def _count_board(
    table: Any,
    hands: RankHands,
    entries: HandEntries,
    strengths: Integers,
    options: Options,
    nets: Integers,
    board: Board,
    room: Room,
    sums: Integers,
) -> None:
    """Take all hands in order of strength, decide each and book what becomes of it."""
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = pass_up_to(board.crowd, table, nets, options, strengths[hand], weaker, equal)
        if hands.flush[hand] == NO_FLUSH:
            states = _values_without_flush(table, hands, entries, hand, board, room)
        else:
            states = _values_with_flush(table, hands, entries, hand, board, room)
        played, first, second, indifferent = 0, 0, 0, 0
        for each in range(states):
            state = np.uint64(each)
            ways, value = room.ways[state], room.first[state]
            indifferent += 0 <= value < LANE
            ways = ways if value >= LANE else 0
            played += ways
            first += ways * value
            second += ways * room.second[state]
        if played:
            tie = main_outcome(strengths[hand], strengths[hand], options)
            _book(sums, tie, played * board.completions, first, second)
        if indifferent:
            sums[EQUAL] += _indifferent(hands, hand, states, board, room)


@rule
def _indifferent(hands: RankHands, hand: int, states: int, board: Board, room: Room) -> int:
    """Return how many hands of a class, up to suits, are worth as much folded as played."""
    kinds = 0
    for state in range(states):
        if room.ways[state] > 0 and 0 <= room.first[state] < LANE:
            kinds += hands_of_state(hands, hand, state, board.live, board.orders, room.chosen)[1]
    return kinds


@kernel
def _room() -> Room:
    states = (np.zeros(STATES, np.int64), np.zeros(STATES, np.int64), np.zeros(STATES, np.int64))
    return Room(states[0], states[1], states[2], np.zeros(HAND, np.int64))


@kernel
def _board(tables: HandTables, options: Options, deck: int, exposed: int, orders: Integers, completions: int) -> Board:
    """Return what there is to know of three exposed cards; of ``orders`` those that leave them as they are."""
    live = live_cards(deck & ~exposed, flush_suit(exposed))
    fixing = np.array([exchanged(exposed, order) == exposed for order in orders])
    crowd = crowd_of(tables, options, exposed, live)
    return Board(live, differences_of(exposed), crowd, orders[fixing], completions)


@kernel
def _count_boards(
    tables: HandTables,
    hands: RankHands,
    entries: HandEntries,
    strengths: Integers,
    options: Options,
    nets: Integers,
    deck: int,
    boards: Integers,
    orders: Integers,
    hands_dealt: int,
    completions: int,
) -> Integers:
    """Count the deals of every outcome for each board, and its indifferent positions."""
    room = _room()
    sums = np.zeros((len(boards), OUTCOMES + 1), np.int64)
    for each in range(len(boards)):
        exposed = boards[each]
        board = _board(tables, options, deck, exposed, orders, completions)
        table = all_stronger(board.crowd, options, nets)
        _count_board(table, hands, entries, strengths, options, nets, board, room, sums[each])
        sums[each, FOLD] = hands_dealt * completions - sums[each, WIN:OUTCOMES].sum()
    return sums


@kernel
def _values_on_board(
    tables: HandTables,
    hands: RankHands,
    entries: HandEntries,
    strengths: Integers,
    options: Options,
    nets: Integers,
    deck: int,
    exposed: int,
    orders: Integers,
) -> Integers:
    """Return the values of single hands, one a row by rising strength, of which ``masks`` is the hand meant."""
    values = np.zeros(len(strengths), np.int64)
    room = _room()
    board = _board(tables, options, deck, exposed, orders, 0)
    table = all_stronger(board.crowd, options, nets)
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = pass_up_to(board.crowd, table, nets, options, strengths[hand], weaker, equal)
        room.first[0], room.second[0] = plain_value(table, entries, hand)
        add_differences(table, hands, entries, hand, board.differences, room.first, room.second)
        spread(room.first, hands.groups[hand])
        values[hand] = room.first[state_of(hands, hand, board.live)] >> 32
    return values
