"""Count one player's five cards against every dealer.

All hands of a multiset of ranks are counted at once, flushes apart.

With a given board, all hands of one multiset of ranks have the same strength, except those that make a flush; flushes
with the same suited ranks have the same strength.  So a board takes some 8,000 multisets and their suited subsets, each
with its number of hands, instead of the dealer's 1,370,754 hands.  A first decision takes 1,128 boards.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, count_jokers, get_suit_ranks, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.deck import CELLS
from pitboss.games.wild_52.solver.hand_layout import JOKER_KIND, KIND_CARDS, HandLayout
from pitboss.hands import FLUSH, HandTables, load_hand_tables, pack_lowest_strength
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

_WAYS = np.array(
    [[1, n, n * (n - 1) // 2, n * (n - 1) * (n - 2) // 6, int(n == 4)] for n in range(SUIT_COUNT + 1)], np.int64
)
_IMPOSSIBLE = -1


class JokerMultisets(NamedTuple):
    """Multisets of five ranks.

    Each has the number of different ranks, the ranks (n, 5), their copies, and 1 with a Joker.
    """

    groups: IntArray
    ranks: IntArray
    copies: IntArray
    jokers: IntArray


def list_multisets(numbered: HandLayout) -> JokerMultisets:
    """List the multisets of ranks of a layout's hands, the Joker apart."""
    kinds = numbered.kinds[numbered.shape]
    natural = (kinds > 0) & (kinds != JOKER_KIND)
    ranks = np.where(natural, np.append(numbered.ranks, 0)[numbered.slots], 0)
    return JokerMultisets(
        natural.sum(axis=1), ranks, np.where(natural, KIND_CARDS[kinds], 0), (kinds == JOKER_KIND).sum(axis=1)
    )


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
    for boards_done, (ranks, boards) in enumerate(by_ranks.items()):
        ordinary = _rank_without_flush(multisets, tables, options, *ranks)
        for first, second in boards:
            board_cells = np.zeros(CELLS, np.int64)
            _count_dealer_hands(
                multisets, ordinary, tables, options, five, deck & ~five, 1 << first | 1 << second, board_cells
            )
            cells[first] += board_cells
            if second in first_list:
                cells[second] += board_cells
        progress(boards_done + 1, len(by_ranks))
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
def _find_cell(mine: int, dealers: int, options: Any) -> int:
    """Return the cell of a showdown.

    Cells are win, tie and lose, and three more if the dealer does not qualify.
    """
    result = 0 if mine > dealers else 1 if mine == dealers else 2
    return result if dealers >= options.dealer_qualifies else result + 3


@kernel
def _count_dealer_hands(
    multisets: JokerMultisets,
    ordinary: IntArray,
    tables: HandTables,
    options: Any,
    five: int,
    left: int,
    board: int,
    cells: IntArray,
) -> None:
    """Count all dealer's hands against the five with this board.

    The dealer's hands are made of the cards ``left``, without the board's.

    ``ordinary`` has each multiset's strength without a flush.  All its hands are counted with it first; then
    its flushes, by suit and by set of suited groups, are moved to the cell of their own strength.
    """
    left &= ~board
    mine = rules.rank_hand(tables, five | board, options)
    suits_left = np.zeros(RANK_COUNT, np.int64)
    for rank in range(RANK_COUNT):
        for each in range(SUIT_COUNT):
            suits_left[rank] |= (left >> (RANK_COUNT * each + rank) & 1) << each
    suited, unsuited = np.empty(5, np.int64), np.empty(5, np.int64)
    flush_loses = mine < pack_lowest_strength(FLUSH) and options.dealer_qualifies <= pack_lowest_strength(FLUSH)
    for each in range(len(ordinary)):
        if ordinary[each] == _IMPOSSIBLE or multisets.jokers[each] > count_jokers(left):
            continue
        hands = 1
        for group in range(multisets.groups[each]):
            hands *= _WAYS[popcount(suits_left[multisets.ranks[each, group]]), multisets.copies[each, group]]
        if hands == 0:
            continue
        cell = _find_cell(mine, ordinary[each], options)
        cells[cell] += hands
        for suit in range(SUIT_COUNT):
            needed = 5 - popcount(get_suit_ranks(board, suit)) - count_jokers(board) - multisets.jokers[each]
            if needed > multisets.groups[each]:
                continue
            for group in range(multisets.groups[each]):
                suits_here, copies = suits_left[multisets.ranks[each, group]], multisets.copies[each, group]
                others = popcount(suits_here & ~(1 << suit))
                unsuited[group] = _WAYS[others, copies]
                suited[group] = _WAYS[others, copies - 1] if suits_here >> suit & 1 else 0
            for suited_groups in range(1 << multisets.groups[each]):
                if popcount(suited_groups) < needed:
                    continue
                flushes = 1
                for group in range(multisets.groups[each]):
                    flushes *= suited[group] if suited_groups >> group & 1 else unsuited[group]
                if flushes:
                    cells[cell] -= flushes
                    if flush_loses:
                        cells[2] += flushes
                    else:
                        hand = _make_hand(multisets, each, suits_left, suit, suited_groups)
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
