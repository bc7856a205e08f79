"""The best play of single hands, fast enough for a simulation: what the strength tells, and beyond it what is counted.

Against most exposed cards a hand's strength alone says whether to fold or to play.  That is found once, for every class
of hands, as a solution is (``boards``); only between the bands, where hands of one strength differ by the cards beside
their best five or by their suits, the 12,341 completions of the dealer's hand are met one by one.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel
from pitboss.counting.numbers import place_among
from pitboss.counting.rank_hands import RankHands, rank_hands
from pitboss.counting.rank_tables import DRAWN, HandEntries, hand_entries
from pitboss.counting.subsets import first_subset, next_subset
from pitboss.counting.suits import exchanged, exchanges, sets_up_to_suits
from pitboss.games.six_card.rules import EXPOSED, HAND, Options, View, hand_strength, main_outcome
from pitboss.games.six_card.solver.crowd import LANE, all_stronger, pass_up_to
from pitboss.games.six_card.solver.values import Board, Room, by_strength, make_board, make_room, states_valued
from pitboss.hands import HandTables, load_hand_tables
from pitboss.solver_api import SolverProblem

DECK_MASK = DECK_52.mask
COMPLETIONS = comb(DECK_52.size - HAND - EXPOSED, DRAWN)

SOME_FOLD = 1
SOME_PLAY = 2

_FOLD, _PLAY = 0, 1
_PARTS = 64


class BestPlay(NamedTuple):
    """What the best play goes by: what the strength of a hand tells.

    ``boards`` (22100,) is the row of every three exposed cards, numbered as ``board_number`` does; ``strengths``
    (strengths,) rise; ``actions`` (rows, strengths) is ``SOME_FOLD``, ``SOME_PLAY``, both, or none where no hand has
    that strength.  ``worth`` (outcomes,) is what each outcome nets more than a fold.
    """

    boards: NDArray[np.int16]
    strengths: Integers
    actions: NDArray[np.int8]
    worth: Integers


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by; it takes about as long as a solution."""
    boards, _ = sets_up_to_suits(DECK_52.cards, EXPOSED)
    worth = np.array([int(net) - int(problem.nets[0]) for net in problem.nets], np.int64)
    strengths, actions = bands_of_boards(boards, problem.options, worth, progress)
    return BestPlay(rows_of(boards), strengths, actions, worth)


def bands_of_boards(
    boards: Integers, options: Options, worth: Integers, progress: ProgressCallback
) -> tuple[Integers, NDArray[np.int8]]:
    """Return all strengths, and for each of the boards what hands of each strength do: (boards, strengths)."""
    hands, of_hands = by_strength(rank_hands(), options)
    strengths, numbers = np.unique(of_hands, return_inverse=True)
    entries, orders = hand_entries(hands), exchanges(DECK_52.mask)
    actions = np.zeros((len(boards), len(strengths)), np.int8)
    parts = [np.arange(part, len(boards), _PARTS) for part in range(min(_PARTS, len(boards)))]

    def of_part(part: Integers) -> NDArray[np.int8]:
        found, room = np.zeros((len(part), len(strengths)), np.int8), make_room()
        for each, exposed in enumerate(boards[part].tolist()):
            board = make_board(load_hand_tables(), options, DECK_MASK, exposed, orders, COMPLETIONS)
            table = all_stronger(board.crowd, options, worth)
            _find(table, hands, entries, of_hands, numbers, options, worth, board, room, found[each])
        return found

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, (part, found) in enumerate(zip(parts, threads.map(of_part, parts), strict=True), 1):
            actions[part] = found
            progress(done, len(parts))
    return strengths, actions


def rows_of(boards: Integers) -> NDArray[np.int16]:
    """Return the row of every three cards: that of the board of their kind."""
    masks = np.array([sum(1 << card for card in held) for held in combinations(DECK_52.cards, EXPOSED)], np.int64)
    kinds = np.min([exchanged(masks, order) for order in exchanges(DECK_52.mask)], axis=0)
    rows = np.zeros(comb(DECK_52.size, EXPOSED), np.int16)
    rows[[board_number(int(mask)) for mask in masks]] = np.searchsorted(boards, kinds)
    return rows


@rule
def board_number(exposed: int) -> int:
    """Number three cards among all sets of three, in the combinatorial number system.

    >>> board_number(0b111), board_number(0b1011), board_number(1 << 51 | 1 << 50 | 1 << 49)
    (0, 1, 22099)
    """
    low = popcount((exposed & -exposed) - 1)
    above = exposed & exposed - 1
    middle = popcount((above & -above) - 1)
    high = popcount((above & above - 1) - 1)
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@rule
def choose_best(tables: HandTables, view: View, _asked: int, best: BestPlay, options: Options) -> tuple[int, int]:
    """Fold or play as the strength tells; where it does not, as all completions of the dealer's hand do (ALL-9)."""
    mine = hand_strength(tables, view.player, options)
    told = best.actions[best.boards[board_number(view.dealer)], place_among(best.strengths, mine)]
    if told == SOME_FOLD:
        return _FOLD, 0
    if told == SOME_PLAY:
        return _PLAY, 0
    return _PLAY if value_of_play(tables, view, mine, best.worth, options) > 0 else _FOLD, 0


@rule
def value_of_play(tables: HandTables, view: View, mine: int, worth: Any, options: Options) -> int:
    """Return what playing nets more than folding, summed over the 12,341 completions of the dealer's hand."""
    left = DECK_MASK & ~(view.player | view.dealer)
    hidden, value = first_subset(left, DRAWN), 0
    while hidden:
        value += worth[main_outcome(mine, hand_strength(tables, view.dealer | hidden, options), options)]
        hidden = next_subset(left, hidden)
    return value


@filling_kernel
def _find(
    table: Any,
    hands: RankHands,
    entries: HandEntries,
    strengths: Integers,
    numbers: Integers,
    options: Options,
    nets: Integers,
    board: Board,
    room: Room,
    found: Any,
) -> None:
    """Value every state of every class on a board and note by strength whether it folds or plays."""
    weaker, equal = 0, 0
    for hand in range(len(strengths)):
        weaker, equal = pass_up_to(board.crowd, table, nets, options, strengths[hand], weaker, equal)
        states = states_valued(table, hands, entries, hand, board, room, 0)
        if states == 0:
            found[numbers[hand]] |= SOME_FOLD
        for state in range(states):
            if room.ways[state] > 0:
                found[numbers[hand]] |= SOME_PLAY if room.first[state] >= LANE else SOME_FOLD
