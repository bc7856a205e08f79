"""Count, for all sets in one sweep, the disjoint hands weaker and no stronger.

Hands are swept from the weakest up, and for every set S of cards a table holds how many hands so far contain all of S.
By inclusion and exclusion the number of hands that share no card with the set K is the sum, over all S within K, of
(-1)^|S| times that entry.  The entry is the same for all sets of a class (``set_classes``), and hands of a class are
equally strong: so only least hands are swept, each for all of its class, only classes of S have entries, and only least
sets K are asked about.

A hand T of a class of ``orbit(T)`` hands adds that many to the class of S, for each S within it; each of the
``orbit(S)`` sets of the class gets an equal part.  To stay with integers every entry is held ``relabellings`` times
too large, because ``orbit(S)`` divides ``relabellings``.

Both counts share a word:

    63 ............. 32 | 31 ............. 0
        no stronger     |      weaker

The hands of a strength first enter the high half, then one pass answers the questions at this strength, then the hands
enter the low half too.  Partial sums may wrap.  The final counts fit: both halves are below
``relabellings * C(54, 6)`` < 2**31, and ``count_weaker`` refuses what would not fit.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.wild_six_card.solver.set_classes import ClassIndexes, SetClasses
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, count_workers

_STRENGTH_LIMIT = 1 << 24
_LANE = 32
_BOTH = 1 << _LANE | 1
_SLICES = 25

Strengths = NDArray[np.int32]
HandCounts = NDArray[np.int32]


def list_even_first(cards: int) -> list[int]:
    """Return the proper subsets of ``cards`` cards, those of an even size first.

    >>> list_even_first(3)
    [0, 3, 5, 6, 1, 2, 4]
    """
    return sorted(range((1 << cards) - 1), key=lambda subset: subset.bit_count() & 1)


class SweptHands(NamedTuple):
    """All hands by their least sets.

    Each has the classes of its proper ``list_even_first`` subsets, its orbit and its strength.
    """

    rows: ClassIndexes
    orbits: IntArray
    strengths: Strengths


class _Sweep(NamedTuple):
    """What all parts of a sweep read.

    ``weights`` is ``relabellings`` / ``orbit(S)`` for each class: the equal part of each of its sets, in integers.  The
    hands of a level are ``hand_order`` between two of ``hand_ends``, its questions ``query_order`` between two of
    ``query_ends``.  ``own`` is the level of each hand.  The first ``even`` subsets of a hand count plus, and the whole
    hand has the sign ``whole``.
    """

    hands: SweptHands
    weights: IntArray
    hand_order: IntArray
    hand_ends: IntArray
    query_order: IntArray
    query_ends: IntArray
    own: IntArray
    even: int
    whole: int
    relabellings: int


def count_weaker(
    classes: SetClasses, hands: SweptHands, strengths: Strengths, progress: ProgressCallback = ignore_progress
) -> tuple[HandCounts, HandCounts]:
    """Count the hands weaker than some strengths, and those that are no stronger.

    ``strengths`` has a row for each of ``hands``, and only hands that share no card with it count.  The counts have the
    shape of ``strengths``.

    Raises:
        ValueError: there are too many hands: a count could outgrow its half of a word.
    """
    relabellings = classes.deck.relabellings
    if relabellings * int(hands.orbits.sum()) >= 1 << _LANE - 1:
        raise ValueError(f"{relabellings} times {hands.orbits.sum()} hands outgrow 31 bits")
    level_of, levels = _rank_strengths(hands.strengths, strengths)
    own, whole = level_of[hands.strengths], -1 if classes.cards & 1 else 1
    sweep = _Sweep(
        hands,
        np.int64(relabellings) // classes.orbits,
        *_sort_by_level(own, levels),
        *_sort_by_level(level_of[strengths].ravel(), levels),
        own.astype(np.int64),
        (hands.rows.shape[1] - whole) // 2,
        whole,
        relabellings,
    )
    answers = np.empty((2, *strengths.shape), np.int32)
    flat, slices = answers.reshape(2, -1), _cut_slices(sweep.query_ends)
    holding = np.zeros((len(slices), len(sweep.weights)), np.int64)

    def sweep_part(index: int, part: int) -> None:
        first, after = slices[part][index : index + 2]
        if index == 0:
            _add_hands(sweep, sweep.hand_order[: sweep.hand_ends[first]], _BOTH, holding[part])
        _sweep_levels(sweep, first, after, holding[part], flat)

    with ThreadPoolExecutor(len(slices)) as threads:
        for index in range(_SLICES):
            list(threads.map(partial(sweep_part, index), range(len(slices))))
            progress(index + 1, _SLICES)
    return answers[0], answers[1]


def _rank_strengths(*strengths: Strengths) -> tuple[NDArray[np.uint16], int]:
    """Return the rank of each strength among all that occur, and how many occur.

    Fewer than 2**16 can occur.
    """
    occurs = np.zeros(_STRENGTH_LIMIT, np.bool_)
    for each in strengths:
        occurs[each] = True
    return np.cumsum(occurs, dtype=np.uint16) - np.uint16(1), int(np.count_nonzero(occurs))


def _sort_by_level(levels_of: NDArray[np.uint16], levels: int) -> tuple[IntArray, IntArray]:
    """Return the items in rising order of levels, and ``ends``.

    The items of a level lie between two of the ``ends``.
    """
    ends = np.concatenate(([0], np.cumsum(np.bincount(levels_of, minlength=levels))))
    return np.argsort(levels_of, kind="stable"), ends


def _cut_slices(query_ends: IntArray) -> list[list[int]]:
    """Cut the levels into a part for each core, and each part into slices.

    Slices have about equal numbers of questions.
    """
    parts = count_workers()
    cuts = np.arange(parts * _SLICES + 1) * query_ends[-1] // (parts * _SLICES)
    bounds = np.searchsorted(query_ends, cuts)
    bounds[-1] = len(query_ends) - 1
    return [bounds[part * _SLICES : (part + 1) * _SLICES + 1].tolist() for part in range(parts)]


@kernel
def _add_hands(sweep: _Sweep, hands: IntArray, lanes: int, holding: IntArray) -> None:
    """Add hands to the halves of words that have a one in ``lanes``."""
    rows, orbits, weights = sweep.hands.rows, sweep.hands.orbits, sweep.weights
    for hand in hands:
        times = orbits[hand] * lanes
        for subset in rows[hand]:
            holding[subset] += times * weights[subset]


@kernel
def _sweep_levels(sweep: _Sweep, first: int, after: int, holding: IntArray, answers: HandCounts) -> None:
    """Sweep the levels from ``first`` to before ``after``.

    ``holding`` has all weaker hands, in both halves.
    """
    rows, own, even, relabellings = sweep.hands.rows, sweep.own, sweep.even, sweep.relabellings
    queries_per_hand = answers.shape[1] // len(rows)
    for level in range(first, after):
        hands = sweep.hand_order[sweep.hand_ends[level] : sweep.hand_ends[level + 1]]
        _add_hands(sweep, hands, 1 << _LANE, holding)
        for question in sweep.query_order[sweep.query_ends[level] : sweep.query_ends[level + 1]]:
            hand = question // queries_per_hand
            held = rows[hand]
            # The whole hand is left out of the rows: only it contains all of its cards.  From its own level on it
            # counts in the high half, above that level in both.
            total = 0
            if own[hand] <= level:
                total = sweep.whole * relabellings * (1 << _LANE if own[hand] == level else _BOTH)
            for subset in range(even):
                total += holding[held[subset]]
            for subset in range(even, len(held)):
                total -= holding[held[subset]]
            # Both final counts fit their halves, so the word splits exactly, whatever partial sums did.
            low = total & (1 << _LANE) - 1
            answers[0, question] = low // relabellings
            answers[1, question] = (total - low >> _LANE) // relabellings
        _add_hands(sweep, hands, 1, holding)
