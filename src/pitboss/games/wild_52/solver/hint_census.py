"""Count one player's five cards against every dealer.

All hands of a multiset of ranks are counted at once, flushes apart.

With a given board, all hands of one multiset of ranks have the same strength, except those that make a flush; flushes
with the same suited ranks have the same strength.  So a board takes some 8,000 multisets and their suited subsets, each
with its number of hands, instead of the dealer's 1,370,754 hands.  A first decision takes 1,128 boards.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, count_jokers, get_suit_ranks, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.deck import CELLS
from pitboss.games.wild_52.solver.hand_layout import JOKER_KIND, MAX_CARDS, iterate_multisets
from pitboss.hands import FLUSH, HandTables, load_hand_tables, pack_lowest_strength
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

_WAYS = np.array(
    [[1, n, n * (n - 1) // 2, n * (n - 1) * (n - 2) // 6, int(n == 4)] for n in range(SUIT_COUNT + 1)], np.int64
)
_IMPOSSIBLE = -1
_DEALER_WINS = 2  # see _find_cell


class JokerMultisets(NamedTuple):
    """Multisets of five ranks.

    Each has the number of different ranks, the ranks (n, 5), their copies, and 1 with a Joker.
    """

    groups: IntArray
    ranks: IntArray
    copies: IntArray
    jokers: IntArray


def list_multisets(ranks: Sequence[int], cards: int = MAX_CARDS) -> JokerMultisets:
    """List the multisets of ``cards`` cards of a deck, the Joker apart.

    ``ranks`` are the deck's, rising.
    """
    multisets = list(iterate_multisets(len(ranks), cards))
    natural = [[each for each in groups if each[1] != JOKER_KIND] for groups in multisets]
    padded = np.array([groups + [(0, 0)] * (MAX_CARDS - len(groups)) for groups in natural], np.int64)
    groups = np.array([len(groups) for groups in natural], np.int64)
    jokers = np.array([len(groups) for groups in multisets], np.int64) - groups
    held = np.arange(MAX_CARDS) < groups[:, None]
    return JokerMultisets(groups, np.where(held, np.array(ranks)[padded[:, :, 0]], 0), padded[:, :, 1], jokers)


def count_showdowns(
    five: int, first_cards: int, deck: int, multisets: JokerMultisets, options: Any, progress: ProgressCallback
) -> IntArray:
    """Count the showdowns of ``five`` by cell, after each of ``first_cards``.

    ``first_cards`` is a set; the counts have shape (54, ``CELLS``), by first card.  All second cards and dealer's hands
    of the rest of ``deck`` are counted: at most 47 x C(46, 5) = 64,425,438.
    """
    tables = load_hand_tables()
    remaining = [card for card in range(FIRST_JOKER + 1) if (deck & ~five) >> card & 1]
    first_list = [card for card in remaining if first_cards >> card & 1]
    cells = np.zeros((FIRST_JOKER + 2, CELLS), np.int64)
    by_ranks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for first in first_list:
        for second in remaining:
            # A board of two possible first cards is counted once, for both.
            if second != first and not (second in first_list and second < first):
                lower, higher = sorted((_get_rank(first), _get_rank(second)))
                by_ranks.setdefault((lower, higher), []).append((first, second))
    for ranks_done, (ranks, boards) in enumerate(by_ranks.items()):
        ordinary = _rank_without_flush(multisets, tables, options, *ranks)
        masks = np.array([1 << first | 1 << second for first, second in boards], np.int64)
        counted = _count_boards(multisets, ordinary, tables, options, five, deck & ~five, masks, *ranks)
        for (first, second), board_cells in zip(boards, counted, strict=True):
            cells[first] += board_cells
            if second in first_list:
                cells[second] += board_cells
        progress(ranks_done + 1, len(by_ranks))
    return cells


def _get_rank(card: int) -> int:
    return RANK_COUNT if card == FIRST_JOKER else card % RANK_COUNT


@kernel
def _rank_without_flush(
    multisets: JokerMultisets, tables: HandTables, options: Any, first: int, second: int
) -> IntArray:
    """Rank every multiset, without a flush, with a board of two ranks.

    Rank 13 is the Joker's.  The cards get the suits in turn, rank by rank, so that no suit has more than two of them.
    """
    strengths = np.full(len(multisets.groups), _IMPOSSIBLE, np.int64)
    for each in range(len(multisets.groups)):
        copies = np.zeros(RANK_COUNT + 1, np.int64)
        copies[first] += 1
        copies[second] += 1
        copies[RANK_COUNT] += multisets.jokers[each]
        for group in range(multisets.groups[each]):
            copies[multisets.ranks[each, group]] += multisets.copies[each, group]
        mask, turn = copies[RANK_COUNT] << FIRST_JOKER, 0
        is_possible = copies[RANK_COUNT] < 2
        for rank in range(RANK_COUNT):
            is_possible = is_possible and copies[rank] <= SUIT_COUNT
            for _ in range(copies[rank]):
                mask |= 1 << (turn % SUIT_COUNT * RANK_COUNT + rank)
                turn += 1
        if is_possible:
            strengths[each] = rules.rank_hand(tables, mask, options)
    return strengths


@rule
def _find_cell(mine: int, theirs: int, options: Any) -> int:
    """Return the cell of a showdown.

    Cells are win, tie and lose, and three more if the dealer does not qualify.
    """
    result = 0 if mine > theirs else 1 if mine == theirs else 2
    return result if theirs >= options.dealer_qualifies else result + 3


@kernel
def _count_boards(
    multisets: JokerMultisets,
    ordinary: IntArray,
    tables: HandTables,
    options: Any,
    five: int,
    left: int,
    boards: IntArray,
    lower: int,
    higher: int,
) -> IntArray:
    """Count all dealer's hands against the five, with each board of two ranks.

    The dealer's hands are made of the cards ``left``, without the board's.  Return the cells, shape (boards, CELLS).

    ``ordinary`` has each multiset's strength without a flush.  All its hands are counted with it first; then its
    flushes are moved to their own cell.  Where every flush beats the five, the first is the same for all boards, since
    as many cards of each rank are left; and what a suit's flushes move depends on which of the board's two ranks are of
    that suit, so that four counts for each suit do for all boards.
    """
    cells = np.zeros((len(boards), CELLS), np.int64)
    suits_left, work = np.zeros(RANK_COUNT, np.int64), np.zeros((3, MAX_CARDS + 1), np.int64)
    shared, has_shared = np.zeros(CELLS, np.int64), False
    moved, has_moved = np.zeros((SUIT_COUNT, 4, CELLS), np.int64), np.zeros((SUIT_COUNT, 4), np.int64)
    for index in range(len(boards)):
        board = boards[index]
        mine = rules.rank_hand(tables, five | board, options)
        _fill_suits_left(left & ~board, suits_left)
        jokers_left = count_jokers(left & ~board)
        if mine >= pack_lowest_strength(FLUSH) or options.dealer_qualifies > pack_lowest_strength(FLUSH):
            _count_ordinary(multisets, ordinary, options, mine, suits_left, jokers_left, cells[index])
            _rank_flushes(
                multisets, ordinary, tables, options, mine, board, suits_left, jokers_left, work, cells[index]
            )
            continue
        if not has_shared:
            _count_ordinary(multisets, ordinary, options, mine, suits_left, jokers_left, shared)
            has_shared = True
        cells[index] += shared
        for suit in range(SUIT_COUNT):
            on_board = get_suit_ranks(board, suit)
            which = on_board >> lower & 1 | (on_board >> higher & 1) << 1
            if not has_moved[suit, which]:
                needed = MAX_CARDS - popcount(on_board) - count_jokers(board)
                to = moved[suit, which]
                _move_flushes(multisets, ordinary, options, mine, suit, needed, suits_left, jokers_left, work, to)
                has_moved[suit, which] = 1
            cells[index] += moved[suit, which]
    return cells


@kernel_helper
def _fill_suits_left(left: int, suits_left: IntArray) -> None:
    """Fill in which suits of each rank are among the cards ``left``, as sets."""
    for rank in range(RANK_COUNT):
        suits_left[rank] = 0
        for suit in range(SUIT_COUNT):
            suits_left[rank] |= (left >> (RANK_COUNT * suit + rank) & 1) << suit


@kernel_helper
def _count_ordinary(
    multisets: JokerMultisets,
    ordinary: IntArray,
    options: Any,
    mine: int,
    suits_left: IntArray,
    jokers_left: int,
    cells: IntArray,
) -> None:
    """Add all hands to ``cells`` as if none were a flush."""
    for each in range(len(ordinary)):
        if ordinary[each] == _IMPOSSIBLE or multisets.jokers[each] > jokers_left:
            continue
        hands = 1
        for group in range(multisets.groups[each]):
            hands *= _WAYS[popcount(suits_left[multisets.ranks[each, group]]), multisets.copies[each, group]]
        cells[_find_cell(mine, ordinary[each], options)] += hands


@kernel_helper
def _fill_suited(
    multisets: JokerMultisets, index: int, suit: int, suits_left: IntArray, suited: IntArray, unsuited: IntArray
) -> None:
    """Fill in how many ways each group of a multiset has.

    They are counted with a card of the suit, and without.
    """
    for group in range(multisets.groups[index]):
        suits_here, copies = suits_left[multisets.ranks[index, group]], multisets.copies[index, group]
        others = popcount(suits_here & ~(1 << suit))
        unsuited[group] = _WAYS[others, copies]
        suited[group] = _WAYS[others, copies - 1] if suits_here >> suit & 1 else 0


@kernel_helper
def _move_flushes(
    multisets: JokerMultisets,
    ordinary: IntArray,
    options: Any,
    mine: int,
    suit: int,
    needed: int,
    suits_left: IntArray,
    jokers_left: int,
    work: IntArray,
    cells: IntArray,
) -> None:
    """Move the flushes of a suit to the cell of a dealer's win.

    They are the hands with ``needed`` cards of the suit, a Joker among them.  The hands of a multiset with a card of
    the suit in 0, 1, ... groups are the coefficients of a polynomial: each group multiplies it by ``unsuited`` +
    ``suited`` x.
    """
    suited, unsuited, of_suited = work
    for each in range(len(ordinary)):
        groups, least = multisets.groups[each], needed - multisets.jokers[each]
        if ordinary[each] == _IMPOSSIBLE or multisets.jokers[each] > jokers_left or least > groups:
            continue
        _fill_suited(multisets, each, suit, suits_left, suited, unsuited)
        of_suited[0] = 1
        for group in range(groups):
            of_suited[group + 1] = 0
            for count in range(group + 1, 0, -1):
                of_suited[count] = of_suited[count] * unsuited[group] + of_suited[count - 1] * suited[group]
            of_suited[0] *= unsuited[group]
        flushes = 0
        for count in range(least, groups + 1):
            flushes += of_suited[count]
        cells[_find_cell(mine, ordinary[each], options)] -= flushes
        cells[_DEALER_WINS] += flushes


@kernel_helper
def _rank_flushes(
    multisets: JokerMultisets,
    ordinary: IntArray,
    tables: HandTables,
    options: Any,
    mine: int,
    board: int,
    suits_left: IntArray,
    jokers_left: int,
    work: IntArray,
    cells: IntArray,
) -> None:
    """Move every flush to the cell of its own strength.

    Flushes are counted by suit and by set of suited groups.
    """
    suited, unsuited, _ = work
    for each in range(len(ordinary)):
        if ordinary[each] == _IMPOSSIBLE or multisets.jokers[each] > jokers_left:
            continue
        cell = _find_cell(mine, ordinary[each], options)
        for suit in range(SUIT_COUNT):
            on_board = popcount(get_suit_ranks(board, suit)) + count_jokers(board)
            needed = MAX_CARDS - on_board - multisets.jokers[each]
            if needed > multisets.groups[each]:
                continue
            _fill_suited(multisets, each, suit, suits_left, suited, unsuited)
            for suited_groups in range(1 << multisets.groups[each]):
                if popcount(suited_groups) < needed:
                    continue
                flushes = 1
                for group in range(multisets.groups[each]):
                    flushes *= suited[group] if suited_groups >> group & 1 else unsuited[group]
                if flushes:
                    hand = _make_hand(multisets, each, suits_left, suit, suited_groups)
                    cells[cell] -= flushes
                    cells[_find_cell(mine, rules.rank_hand(tables, hand | board, options), options)] += flushes


@kernel_helper
def _make_hand(multisets: JokerMultisets, index: int, suits_left: IntArray, suit: int, suited_groups: int) -> Any:
    """Return a hand of a multiset with some of its ranks held in ``suit``.

    These are the ranks of ``suited_groups``, and no others.
    """
    hand = multisets.jokers[index] << FIRST_JOKER
    for group in range(multisets.groups[index]):
        rank, wanted = multisets.ranks[index, group], multisets.copies[index, group]
        if suited_groups >> group & 1:
            hand |= 1 << (RANK_COUNT * suit + rank)
            wanted -= 1
        for other in range(SUIT_COUNT):
            if wanted and other != suit and suits_left[rank] >> other & 1:
                hand |= 1 << (RANK_COUNT * other + rank)
                wanted -= 1
    return hand
