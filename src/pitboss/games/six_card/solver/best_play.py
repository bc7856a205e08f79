"""The best play of single hands, fast enough for a simulation.

A hand is decided by its strength and, where that is not enough, by counting.  Against most exposed cards a hand's
strength alone says whether to fold or play.  That is computed once for every class of hands, as for a solution
(``census``).  In between, hands of one strength differ by their sixth card or by their suits; for those the 12,341
completions of the dealer's hand are enumerated.
"""

from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.six_card.rules import EXPOSED, HAND, SixCardOptions, SixCardView, rank_hand, settle_main
from pitboss.games.six_card.solver.dealer_hands import UPPER_UNIT, advance_to, make_initial_table
from pitboss.games.six_card.solver.disjoint_weights import DRAWN, HandEntries, find_entries
from pitboss.games.six_card.solver.hand_classes import HandClasses, list_hand_classes
from pitboss.games.six_card.solver.play_values import (
    ExposedBoard,
    StateWorkspace,
    make_board,
    make_workspace,
    sort_by_strength,
    value_states,
)
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.kernels.set_numbering import find_sorted
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import list_suit_classes, list_suit_orders, permute_suits
from pitboss.solver_api import SolverProblem

DECK_MASK = DECK_52.mask
COMPLETION_COUNT = comb(DECK_52.size - HAND - EXPOSED, DRAWN)

SOME_FOLD = 1
SOME_PLAY = 2

_FOLD, _PLAY = 0, 1
_SHARDS = 64


class BestPlay(NamedTuple):
    """The tables that the best play looks up.

    ``board_rows`` (22100,) is the row of every three exposed cards, numbered by ``number_board``; ``strengths``
    (strengths,) rise; ``bands`` (rows, strengths) is ``SOME_FOLD``, ``SOME_PLAY``, both, or none where no hand has
    that strength.  ``gains`` (outcomes,) is what each outcome nets beyond a fold.
    """

    board_rows: NDArray[np.int16]
    strengths: IntArray
    bands: NDArray[np.int8]
    gains: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return the tables of ``choose_best``; this takes about as long as a solution."""
    boards, _ = list_suit_classes(DECK_52.cards, EXPOSED)
    gains = np.array([int(net) - int(problem.nets[0]) for net in problem.nets], np.int64)
    strengths, bands = find_strength_bands(boards, problem.options, gains, progress)
    return BestPlay(index_boards(boards), strengths, bands, gains)


def find_strength_bands(
    boards: IntArray, options: SixCardOptions, gains: IntArray, progress: ProgressCallback
) -> tuple[IntArray, NDArray[np.int8]]:
    """Return all strengths and, for each board, the band of each strength.

    A band says what the hands of a strength do against the board; the shape is (boards, strengths).
    """
    hands, hand_strengths = sort_by_strength(list_hand_classes(), options)
    strengths, numbers = np.unique(hand_strengths, return_inverse=True)
    entries, orders = find_entries(hands), list_suit_orders(DECK_52.mask)
    bands = np.zeros((len(boards), len(strengths)), np.int8)
    shards = [np.arange(first, len(boards), _SHARDS) for first in range(min(_SHARDS, len(boards)))]

    def find_shard_bands(shard: IntArray) -> NDArray[np.int8]:
        shard_bands, workspace = np.zeros((len(shard), len(strengths)), np.int8), make_workspace()
        for row, exposed in enumerate(boards[shard].tolist()):
            board = make_board(load_hand_tables(), options, DECK_MASK, exposed, orders, COMPLETION_COUNT)
            table = make_initial_table(board.completions, options, gains)
            kernel_args = (table, hands, entries, hand_strengths, numbers, options, gains, board, workspace)
            _fill_bands(*kernel_args, shard_bands[row])
        return shard_bands

    for shard, shard_bands in map_on_threads(find_shard_bands, shards, progress):
        bands[shard] = shard_bands
    return strengths, bands


def index_boards(boards: IntArray) -> NDArray[np.int16]:
    """Return the row of every three cards: the row of the board they are up to suits."""
    masks = np.array([sum(1 << card for card in held) for held in combinations(DECK_52.cards, EXPOSED)], np.int64)
    kinds = np.min([permute_suits(masks, order) for order in list_suit_orders(DECK_52.mask)], axis=0)
    rows = np.zeros(comb(DECK_52.size, EXPOSED), np.int16)
    rows[[number_board(int(mask)) for mask in masks]] = np.searchsorted(boards, kinds)
    return rows


@rule
def number_board(exposed: int) -> int:
    """Number three cards among all sets of three, in the combinatorial number system.

    >>> number_board(0b111), number_board(0b1011), number_board(1 << 51 | 1 << 50 | 1 << 49)
    (0, 1, 22099)
    """
    low = popcount((exposed & -exposed) - 1)
    above = exposed & exposed - 1
    middle = popcount((above & -above) - 1)
    high = popcount((above & above - 1) - 1)
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@rule
def choose_best(
    tables: HandTables, view: SixCardView, _asked: int, best: BestPlay, options: SixCardOptions
) -> tuple[int, int]:
    """Fold or play by the hand's strength or, where needed, by counting (ALL-9).

    If the strength does not decide, all completions of the dealer's hand are counted.
    """
    mine = rank_hand(tables, view.player, options)
    band = best.bands[best.board_rows[number_board(view.dealer)], find_sorted(best.strengths, mine)]
    if band == SOME_FOLD:
        return _FOLD, 0
    if band == SOME_PLAY:
        return _PLAY, 0
    return _PLAY if compute_play_value(tables, view, mine, best.gains, options) > 0 else _FOLD, 0


@rule
def compute_play_value(tables: HandTables, view: SixCardView, mine: int, worth: Any, options: SixCardOptions) -> int:
    """Return the gain of playing over folding.

    It is summed over the 12,341 completions of the dealer's hand.
    """
    left = DECK_MASK & ~(view.player | view.dealer)
    hidden, value = first_subset(left, DRAWN), 0
    while hidden:
        value += worth[settle_main(mine, rank_hand(tables, view.dealer | hidden, options), options)]
        hidden = next_subset(left, hidden)
    return value


@no_alloc_kernel
def _fill_bands(
    table: Any,
    hands: HandClasses,
    entries: HandEntries,
    strengths: IntArray,
    numbers: IntArray,
    options: SixCardOptions,
    gains: IntArray,
    board: ExposedBoard,
    workspace: StateWorkspace,
    bands: Any,
) -> None:
    """Value every state of every class on a board, and mark the bands.

    They say by strength whether hands fold or play.
    """
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = advance_to(board.completions, table, gains, options, strengths[hand], weaker, equal)
        states = value_states(table, hands, entries, hand, board, workspace, 0)
        if states == 0:
            bands[numbers[hand]] |= SOME_FOLD
        for state in range(states):
            if workspace.ways[state] > 0:
                bands[numbers[hand]] |= SOME_PLAY if workspace.first_words[state] >= UPPER_UNIT else SOME_FOLD
