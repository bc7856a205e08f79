"""The deals of Six Card Poker counted board by board: every three exposed cards, every hand, every completion.

Every class of hands is valued (``values``) and played where that is worth more than a fold, or as a given strategy
says.  What comes of it is booked by the *line* of the hand, what Aces Up calls it; other wagers' lines follow from it.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.counting.rank_hands import (
    NO_FLUSH,
    NO_SUIT,
    Live,
    RankHands,
    hands_of_state,
    live_cards,
    rank_hands,
    ways_of_flush,
    ways_without_flush,
)
from pitboss.counting.rank_tables import DRAWN, ENTRIES, HandEntries, hand_entries
from pitboss.counting.suits import exchanges
from pitboss.games.six_card.rules import EXPOSED, HAND, PAIR_OF_ACES, Options, aces_up_outcome, main_outcome
from pitboss.games.six_card.solver.crowd import LANE, all_stronger, pass_up_to
from pitboss.games.six_card.solver.values import (
    EVERY,
    Board,
    Room,
    by_strength,
    make_board,
    make_room,
    states_valued,
    values_with_flush,
    values_without_flush,
)
from pitboss.hands import load_hand_tables

FOLD = 0
OUTCOMES = 7
WIN, TIE, LOSE = 1, 3, 5  # with the dealer qualified; one more without
LINES = 10  # of Aces Up; below the ninth there is no pair of aces
# The columns after the outcomes: indifferent positions, and the deals that a folded hand of aces up would have lost,
# by its own line, and won against a dealer's hand of aces up, by that one's line.
EQUAL, GIVEN_UP_LOST, GIVEN_UP_WON, COLUMNS = 7, 8, 9, 10
_BELOW_ACES = LINES - 1
_PARTS = 64

SmallIntegers = NDArray[np.int8]
Plays = Callable[[Integers], SmallIntegers]


class Classes(NamedTuple):
    """All classes of hands by rising strength: the line of each, its group for ``Counted.mistakes``, its strength."""

    hands: RankHands
    strengths: Integers
    lines: SmallIntegers
    groups: Integers


class Counted(NamedTuple):
    """What was counted of boards, one a row: the deals by line and column, and mistakes by group.

    ``mistakes`` (boards, groups, 2, 2): of folds and of plays that should have been the other, the deals and the cost.
    Column ``FOLD`` is left empty: those are the deals that no other outcome has.
    """

    deals: Integers
    mistakes: Integers


def classes_by_strength(options: Options, words: Callable[[int], str] | None = None) -> tuple[Classes, list[str]]:
    """Return all classes of hands, grouped by what ``words`` says of their strengths, and the words of each group."""
    hands, strengths = by_strength(rank_hands(), options)
    lines = np.array([aces_up_outcome(strength) for strength in strengths.tolist()], np.int8)
    groups = np.zeros(len(strengths), np.int64)
    numbers: dict[str, int] = {}
    if words is not None:
        groups[:] = [numbers.setdefault(words(strength), len(numbers)) for strength in strengths.tolist()]
    return Classes(hands, strengths, lines, groups), list(numbers)


def hands_by_line(deck: Sequence[int], classes: Classes) -> list[int]:
    """Return how many hands of the deck make each line."""
    sizes = _sizes(classes.hands, sum(1 << card for card in deck))
    return [int(sizes[classes.lines == line].sum()) for line in range(LINES)]


def count_boards(
    deck: Sequence[int],
    boards: Integers,
    options: Options,
    worth: Sequence[int],
    classes: Classes,
    plays: Plays | None,
    progress: ProgressCallback,
) -> Counted:
    """Count the deals of each board; ``plays(boards)``, if given, says which classes are played, (boards, classes).

    ``worth`` is what the outcomes net more than a fold.  No number exceeds a board's deals, 1.7e11, or cost, 2**55.
    """
    tables, left = load_hand_tables(), sum(1 << card for card in deck)
    entries, orders, nets = hand_entries(classes.hands), exchanges(left), np.array(worth, np.int64)
    completions = comb(len(deck) - HAND - EXPOSED, DRAWN)
    parts = [np.arange(part, len(boards), _PARTS) for part in range(min(_PARTS, len(boards)))]
    groups = int(classes.groups.max()) + 1 if plays else 0

    def of_part(part: Integers) -> Counted:
        played = plays(boards[part]) if plays else np.zeros((len(part), 0), np.int8)
        room, kept = make_room(), np.zeros((LINES, ENTRIES, 2), np.int64)
        sums = np.zeros((len(part), LINES, COLUMNS), np.int64)
        mistakes = np.zeros((len(part), groups, 2, 2), np.int64)
        for each, exposed in enumerate(boards[part].tolist()):
            board = make_board(tables, options, left, exposed, orders, completions)
            table = all_stronger(board.crowd, options, nets)
            _count_board(
                table, kept, classes, entries, options, nets, board, played[each], room, sums[each], mistakes[each]
            )
        return Counted(sums, mistakes)

    counted = Counted(
        np.zeros((len(boards), LINES, COLUMNS), np.int64), np.zeros((len(boards), groups, 2, 2), np.int64)
    )
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, (part, result) in enumerate(zip(parts, threads.map(of_part, parts), strict=True), 1):
            counted.deals[part], counted.mistakes[part] = result.deals, result.mistakes
            progress(done, len(parts))
    return counted


@part
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


@filling_kernel
def _book_given_up(
    kept: Any, classes: Classes, entries: HandEntries, hand: int, states: int, board: Board, room: Room, sums: Integers
) -> None:
    """Book what the folded hands of a class of aces up would have lost and won.

    The weaker completions of a line are those weaker than the hand, or than the next line, less those weaker than the
    line; ``kept`` has the tables as they were where each line began.  A kernel of its own, for it is called seldom and
    would burden the sweep that calls it.
    """
    own = classes.lines[hand]
    folded, weaker, not_stronger = 0, 0, 0
    for state in range(states):
        folded += room.folded[state]
        weaker += room.folded[state] * (room.second[state] & (LANE - 1))
        not_stronger += room.folded[state] * (room.second[state] >> 32)
    sums[own, GIVEN_UP_LOST] += folded * board.completions - not_stronger
    for line in range(own, _BELOW_ACES):
        states_valued(kept[line], classes.hands, entries, hand, board, room, EVERY)
        below = 0
        for state in range(states):
            below += room.folded[state] * (room.second[state] & (LANE - 1))
        sums[line, GIVEN_UP_WON] += weaker - below
        weaker = below


@part
def _note_mistakes(mistakes: Integers, played: int, states: int, board: Board, room: Room) -> None:
    """Add the hands of a class for which the other action is worth more: ``mistakes`` has deals and cost by action."""
    for state in range(states):
        value = room.first[state] >> 32
        if value != 0 and (value > 0) != (played > 0):
            mistakes[played, 0] += room.ways[state] * board.completions
            mistakes[played, 1] += room.ways[state] * abs(value)


@part
def _follow(given: int, states: int, room: Room) -> None:
    """Make of the states' values what books a class as given, played or folded: those of states folded fall below 0."""
    for state in range(states):
        room.first[state] = room.first[state] & (LANE - 1) | (LANE if given else -LANE)


@part
def _played(states: int, room: Room) -> tuple[int, int, int, int]:
    """Return how many hands of a class are worth more than a fold, both their words, and how many states are equal."""
    played, first, second, indifferent = 0, 0, 0, 0
    for each in range(states):
        state = np.uint64(each)
        ways, value = room.ways[state], room.first[state]
        indifferent += 0 <= value < LANE
        ways = ways if value >= LANE else 0
        played += ways
        first += ways * value
        second += ways * room.second[state]
    return played, first, second, indifferent


@part
def _folded(states: int, room: Room) -> int:
    """Set apart the hands of a class that fold, and return how many they are."""
    folded = 0
    for each in range(states):
        state = np.uint64(each)
        room.folded[state] = room.ways[state] if room.first[state] < LANE else 0
        folded += room.folded[state]
    return folded


@part
def _keep(table: Any, kept: Any) -> None:
    """Copy both words of every entry."""
    for entry in range(len(table)):
        kept[entry, 0], kept[entry, 1] = table[entry, 0], table[entry, 1]


@filling_kernel
def _count_board(
    table: Any,
    kept: Any,
    classes: Classes,
    entries: HandEntries,
    options: Options,
    nets: Integers,
    board: Board,
    plays: Any,
    room: Room,
    sums: Integers,
    mistakes: Integers,
) -> None:
    """Take all hands in order of strength, decide each and book what becomes of it."""
    weaker, equal, line = 0, 0, LINES
    for hand in range(len(classes.strengths)):
        strength = classes.strengths[hand]
        weaker, equal = pass_up_to(board.crowd, table, nets, options, strength, weaker, equal)
        if classes.lines[hand] != line:
            line = classes.lines[hand]
            _keep(table, kept[line])
        given = plays[hand] if len(plays) else -1
        aces = strength >= PAIR_OF_ACES
        if classes.hands.flush[hand] == NO_FLUSH:
            least = EVERY if aces or given >= 0 else 0
            states = values_without_flush(table, classes.hands, entries, hand, board, room, least)
        else:
            states = values_with_flush(table, classes.hands, entries, hand, board, room)
        if given >= 0:
            _note_mistakes(mistakes[classes.groups[hand]], given, states, board, room)
            _follow(given, states, room)
        played, first, second, indifferent = _played(states, room)
        if played:
            tie = main_outcome(strength, strength, options)
            _book(sums[line], tie, played * board.completions, first, second)
        if indifferent:
            sums[line, EQUAL] += _indifferent(classes.hands, hand, states, board, room)
        if aces and _folded(states, room):
            _book_given_up(kept, classes, entries, hand, states, board, room, sums)


@part
def _indifferent(hands: RankHands, hand: int, states: int, board: Board, room: Room) -> int:
    """Return how many hands of a class, up to suits, are worth as much folded as played."""
    kinds = 0
    for state in range(states):
        if room.ways[state] > 0 and 0 <= room.first[state] < LANE:
            kinds += hands_of_state(hands, hand, state, board.live, board.orders, room.chosen)[1]
    return kinds


def _sizes(hands: RankHands, deck: int) -> Integers:
    """Return how many hands of the deck each class has."""
    sizes = np.zeros(len(hands.groups), np.int64)
    _fill_sizes(hands, live_cards(deck, NO_SUIT), make_room().ways, sizes)
    return sizes


@filling_kernel
def _fill_sizes(hands: RankHands, live: Live, ways: Integers, sizes: Integers) -> None:
    """Count the live hands of each class; ``ways`` is room for those of one."""
    for hand in range(len(sizes)):
        if hands.flush[hand] == NO_FLUSH:
            ways_without_flush(hands, hand, live, ways)
            sizes[hand] = ways[0]
        else:
            sizes[hand] = ways_of_flush(hands, hand, hands.flush[hand], hands.odd[hand], live)[0]
