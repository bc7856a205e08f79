"""The best play of single hands, fast enough for a simulation.

A hand is decided by its strength and, where that is not enough, by its ranks and those it has in the suit that matters
(``hand_classes``).  Against most exposed cards a hand's strength alone says whether to fold or play.  In between, hands
of one strength differ by their sixth card or by their suits: those without a flush are looked up, and for the few that
have one the 12,341 completions of the dealer's hand are enumerated.  All that is looked up is computed once, as for a
solution (``census``).
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
from pitboss.games.six_card.solver.dealer_hands import UPPER_UNIT, advance_to, find_flush_suit, make_initial_table
from pitboss.games.six_card.solver.disjoint_weights import DRAWN, HandEntries, find_entries
from pitboss.games.six_card.solver.hand_classes import NO_FLUSH, HandClasses, find_suited_groups, list_hand_classes
from pitboss.games.six_card.solver.play_values import (
    ExposedBoard,
    StateWorkspace,
    make_board,
    make_workspace,
    sort_by_strength,
    value_states,
)
from pitboss.hands import (
    FLUSH,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    HandTables,
    compute_key,
    get_category,
    load_hand_tables,
)
from pitboss.hands.evaluator import RANK_SUM_MASK
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.kernels.set_numbering import find_sorted, find_sorted_between
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import list_suit_classes, list_suit_orders, permute_suits
from pitboss.solver_api import SolverProblem

DECK_MASK = DECK_52.mask
COMPLETION_COUNT = comb(DECK_52.size - HAND - EXPOSED, DRAWN)

SOME_FOLD = 1
SOME_PLAY = 2

_FOLD, _PLAY = 0, 1
_SHARDS = 64


class SixCardBestPlay(NamedTuple):
    """The tables that the best play looks up.

    ``board_rows`` (22100,) is the row of every three exposed cards, numbered by ``number_board``; ``strengths``
    (strengths,) rise; ``bands`` (rows, strengths) is ``SOME_FOLD``, ``SOME_PLAY``, both, or none where no hand has
    that strength.  ``gains`` (outcomes,) is what each outcome nets beyond a fold.

    Where a band is both, the classes without a flush have a place of their own: those of a row from ``row_starts[row]``
    to before ``row_starts[row + 1]``, with the rising ``rank_sums`` (places,) of their ranks and ``plays`` (places,),
    bits that say which states play.
    """

    board_rows: NDArray[np.int16]
    strengths: IntArray
    bands: NDArray[np.int8]
    gains: IntArray
    row_starts: IntArray
    rank_sums: IntArray
    plays: IntArray


class _BoardDecisions(NamedTuple):
    """What ``SixCardBestPlay`` has of one board.

    ``rank_sums`` and ``plays`` are those of the classes that ``bands`` do not decide.
    """

    bands: NDArray[np.int8]
    rank_sums: IntArray
    plays: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> SixCardBestPlay:
    """Return the tables of ``choose_best``; this takes about as long as a solution."""
    boards, _ = list_suit_classes(DECK_52.cards, EXPOSED)
    gains = np.array([int(net) - int(problem.nets[0]) for net in problem.nets], np.int64)
    return tabulate_boards(boards, index_boards(boards), problem.options, gains, progress)


def tabulate_boards(
    boards: IntArray,
    board_rows: NDArray[np.int16],
    options: SixCardOptions,
    gains: IntArray,
    progress: ProgressCallback,
) -> SixCardBestPlay:
    """Return the tables of ``choose_best`` for some boards, one a row."""
    hands, hand_strengths = sort_by_strength(list_hand_classes(), options)
    strengths, numbers = np.unique(hand_strengths, return_inverse=True)
    entries, orders = find_entries(hands), list_suit_orders(DECK_52.mask)
    rank_sums = np.array([sum_ranks(load_hand_tables(), int(mask)) for mask in hands.masks], np.int64)
    shards = [np.arange(first, len(boards), _SHARDS) for first in range(min(_SHARDS, len(boards)))]

    def decide_shard(shard: IntArray) -> list[_BoardDecisions]:
        workspace, plays, decisions = make_workspace(), np.zeros(len(hand_strengths), np.int64), []
        for exposed in boards[shard].tolist():
            board = make_board(load_hand_tables(), options, DECK_MASK, exposed, orders, COMPLETION_COUNT)
            table = make_initial_table(board.completions, options, gains)
            bands = np.zeros(len(strengths), np.int8)
            _fill_bands(table, hands, entries, hand_strengths, numbers, options, gains, board, workspace, bands, plays)
            undecided = (bands[numbers] == SOME_FOLD | SOME_PLAY) & (hands.flush == NO_FLUSH)
            order = np.argsort(rank_sums[undecided])
            decisions.append(_BoardDecisions(bands, rank_sums[undecided][order], plays[undecided][order]))
        return decisions

    rows: dict[int, _BoardDecisions] = {}
    for shard, decisions in map_on_threads(decide_shard, shards, progress):
        rows.update(zip(shard.tolist(), decisions, strict=True))
    in_order = [rows[row] for row in range(len(boards))]
    return SixCardBestPlay(
        board_rows,
        strengths,
        np.array([each.bands for each in in_order]),
        gains,
        np.cumsum([0, *(len(each.plays) for each in in_order)]),
        np.concatenate([each.rank_sums for each in in_order]),
        np.concatenate([each.plays for each in in_order]),
    )


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
def sum_ranks(tables: HandTables, hand: int) -> int:
    """Return a number that differs for every multiset of ranks: the sum of weights."""
    return compute_key(tables, hand, 0) & RANK_SUM_MASK


@rule
def choose_best(
    tables: HandTables, view: SixCardView, _decision: int, best: SixCardBestPlay, options: SixCardOptions
) -> tuple[int, int]:
    """Fold or play by the hand's strength or by its class and state (ALL-9).

    If neither decides, all completions of the dealer's hand are counted.
    """
    mine = rank_hand(tables, view.player, options)
    row = best.board_rows[number_board(view.dealer)]
    band = best.bands[row, find_sorted(best.strengths, mine)]
    if band == SOME_FOLD:
        return _FOLD, 0
    if band == SOME_PLAY:
        return _PLAY, 0
    made = get_category(mine)
    if made not in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH):
        first, last = best.row_starts[row], best.row_starts[row + 1] - 1
        place = find_sorted_between(best.rank_sums, first, last, sum_ranks(tables, view.player))
        return int(best.plays[place]) >> find_suited_groups(view.player, find_flush_suit(view.dealer)) & 1, 0
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
    plays: IntArray,
) -> None:
    """Value every state of every class on a board.

    Mark in ``bands``, by strength, whether hands fold or play, and in ``plays``, by class, the bits of the states that
    play.  If no suit matters there is one state, the first.
    """
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = advance_to(board.completions, table, gains, options, strengths[hand], weaker, equal)
        states = value_states(table, hands, entries, hand, board, workspace, 0)
        plays[hand] = 0
        if states == 0:
            bands[numbers[hand]] |= SOME_FOLD
        for state in range(states):
            if workspace.ways[state] > 0:
                playing = workspace.first_words[state] >= UPPER_UNIT
                bands[numbers[hand]] |= SOME_PLAY if playing else SOME_FOLD
                plays[hand] |= (1 if playing else 0) << state
