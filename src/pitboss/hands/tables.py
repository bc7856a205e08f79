"""The look-up tables of the evaluator, built from the order of hands and cached.

Building takes less than a second, loading a few milliseconds.
"""

import contextlib
from itertools import combinations
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT, SUIT_MASK
from pitboss.core.cache import atomic_write, get_cache_path
from pitboss.core.source_hash import hash_sources
from pitboss.hands.evaluator import COUNTER_BITS, ROW_BITS, ROW_MASK, SLOT_MASK, SUIT_SHIFT, HandTables
from pitboss.hands.order import (
    FIVE_FIRST,
    FIVE_OF_A_KIND,
    FIVE_OF_A_KIND_OVER_ROYAL,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    pack_strength,
)

Ranks = tuple[int, ...]  # from the highest down, 2..14

_HAND_SIZE = 5
_MAX_CARDS = 7
_MAX_WILDS = 3
# The weights of the thirteen ranks and of the wild: numbers of 31 bits, chosen so that no two multisets
# have sums with the same low 31 bits (the multiplier is from Park and Miller, "Random number generators: good
# ones are hard to find", Communications of the ACM 31, 1988).
WEIGHTS = [pow(16807, power, (1 << 31) - 1) for power in range(1, RANK_COUNT + 2)]
_WINDOW = 256
_DEUCE, _ACE = 2, 14
_RANKS = range(_ACE, _DEUCE - 1, -1)
# A multiset of ranks is one number, with a digit for each rank: how many of it there are, at most seven.
_COPIES = _MAX_CARDS + 1
_ONE_OF_RANK = _COPIES ** np.arange(RANK_COUNT)
_STRAIGHTS = [(high, high - 1, high - 2, high - 3, high - 4) for high in range(_ACE, _HAND_SIZE - 1, -1)]
_WHEEL = _STRAIGHTS[-1]  # its ace counts as one
_GROUP_CATEGORIES = {
    (5,): FIVE_OF_A_KIND,
    (4, 1): FOUR_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE_OF_A_KIND,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
}


def load_or_build_tables() -> HandTables:
    """Return the tables from the cache; build and cache them if necessary.

    It is necessary if they are missing or damaged.
    """
    path = get_cache_path(f"hands/{hash_sources(__name__)}.npz")
    with contextlib.suppress(FileNotFoundError, BadZipFile, EOFError, KeyError, ValueError):
        return _read_tables(path)
    with atomic_write(path) as temporary:
        np.savez(temporary, **build_tables()._asdict())
    return _read_tables(path)


def _read_tables(path: Path) -> HandTables:
    with path.open("rb") as file, np.load(file) as kept:
        return HandTables(*(kept[name] for name in HandTables._fields))


def build_tables() -> HandTables:
    """Build the tables from the order of hands alone."""
    sums, best = _compute_rank_strengths()
    rows, slots = _compute_displacements(sums)
    strengths = np.zeros((2, SLOT_MASK + 1), np.int32)
    strengths[:, slots] = best
    five_first = strengths[FIVE_FIRST]
    five_first[five_first >> 20 == FIVE_OF_A_KIND] += (FIVE_OF_A_KIND_OVER_ROYAL - FIVE_OF_A_KIND) << 20
    in_suit = 1 << SUIT_SHIFT + COUNTER_BITS * np.arange(SUIT_COUNT)
    naturals = (in_suit[:, None] + np.array(WEIGHTS[:RANK_COUNT])).ravel()
    suit_keys = np.zeros(SUIT_MASK + 1, np.int64)
    for rank in range(RANK_COUNT):
        suit_keys[1 << rank : 2 << rank] = suit_keys[: 1 << rank] + naturals[rank]
    wild = WEIGHTS[RANK_COUNT] + in_suit.sum()
    return HandTables(np.array([*naturals, wild, wild]), suit_keys, rows, strengths, _compute_flush_strengths())


def _evaluate_five_ranks(ranks: Ranks) -> int:
    """Return the strength of five ranks, the highest first, without a flush."""
    if ranks == (_ACE, *_WHEEL[:-1]):
        ranks = _WHEEL
    if ranks in _STRAIGHTS:
        return pack_strength(STRAIGHT, *ranks)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    in_order = [rank for copies, rank in groups for _ in range(copies)]
    return pack_strength(_GROUP_CATEGORIES[tuple(copies for copies, _ in groups)], *in_order)


def _compute_rank_strengths() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sums of weights of all hands, and their best strengths.

    Hands have five to seven cards; flushes are not considered.

    A wild takes the best of the thirteen ranks.  The best hand of more than five cards is the best that is left after
    removing one natural card (never a wild, because a wild can stand for the removed card).
    """
    multisets = [np.zeros(1, np.int64)]  # by size, each in ascending order
    for _ in range(_MAX_CARDS):
        multisets.append(np.unique(multisets[-1][:, None] + _ONE_OF_RANK))
    best = {
        (_HAND_SIZE, 0): np.array([_evaluate_five_ranks(ranks) for ranks in map(_list_ranks, multisets[5].tolist())])
    }

    def look_up(size: int, wilds: int, held: NDArray[np.int64]) -> NDArray[np.int64]:
        return best[size, wilds].take(np.searchsorted(multisets[size - wilds], held), mode="clip")

    for wilds in range(1, _MAX_WILDS + 1):
        made = multisets[_HAND_SIZE - wilds][:, None] + _ONE_OF_RANK
        best[_HAND_SIZE, wilds] = look_up(_HAND_SIZE, wilds - 1, made).max(axis=1)
    for size in range(_HAND_SIZE + 1, _MAX_CARDS + 1):
        for wilds in range(_MAX_WILDS + 1):
            held = multisets[size - wilds]
            left = look_up(size - 1, wilds, held[:, None] - _ONE_OF_RANK)
            best[size, wilds] = np.where(_count_ranks(held), left, 0).max(axis=1)
    sums, strengths = [], []
    for (size, wilds), found in best.items():
        counts = _count_ranks(multisets[size - wilds])
        real = counts.max(axis=1) <= SUIT_COUNT
        sums.append(counts[real] @ WEIGHTS[:RANK_COUNT] + wilds * WEIGHTS[RANK_COUNT])
        strengths.append(found[real])
    return np.concatenate(sums), np.concatenate(strengths)


def _count_ranks(multisets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the cards of each rank, from the deuce."""
    return multisets[:, None] // _ONE_OF_RANK % _COPIES


def _list_ranks(multiset: int) -> Ranks:
    """List the ranks, the highest first."""
    return tuple(rank for rank in _RANKS for _ in range(multiset // _COPIES ** (rank - _DEUCE) % _COPIES))


def _compute_displacements(sums: NDArray[np.int64]) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return the displacements of the rows, and the slot of each sum.

    The low bits of a sum name its row, the next bits its place in the row.  Rows are placed into one array,
    from the fullest to the emptiest, each at the first displacement at which all its places fall on free
    slots (Tarjan and Yao, "Storing a sparse table", Communications of the ACM 22, 1979).
    """
    rows, places = sums & ROW_MASK, sums >> ROW_BITS & SLOT_MASK
    displacements = np.zeros(ROW_MASK + 1, np.int16)
    free = np.ones(SLOT_MASK + 1, np.bool_)
    by_row = np.argsort(rows, kind="stable")
    ends = np.cumsum(np.bincount(rows, minlength=ROW_MASK + 1))
    held = np.split(places[by_row], ends[:-1])
    for row in sorted(range(ROW_MASK + 1), key=lambda row: -len(held[row])):
        windows = held[row][:, None] + np.arange(_WINDOW)
        start = 0
        while not (fits := free[windows + start & SLOT_MASK].all(axis=0)).any():
            start += _WINDOW
        displacements[row] = start + fits.argmax()
        free[held[row] + displacements[row] & SLOT_MASK] = False
    return displacements, places + displacements[rows] & SLOT_MASK


def _compute_flush_strengths() -> NDArray[np.int32]:
    """Return the best flush by kind and number of wilds and the suit's ranks.

    The first index is what a wild may be (0: highest missing, 1: any card).  The value is zero if there is no flush,
    and for more than seven ranks, which no hand has.
    """
    table = np.zeros((2, _MAX_WILDS + 1, SUIT_MASK + 1), np.int32)
    for size in range(_HAND_SIZE - _MAX_WILDS, _MAX_CARDS + 1):
        for held in combinations(_RANKS, size):
            ranks = sum(1 << rank - _DEUCE for rank in held)
            for wilds in range(max(0, _HAND_SIZE - size), min(_MAX_WILDS, _MAX_CARDS - size) + 1):
                straight = _find_straight_flush(held, wilds)
                missing = [rank for rank in _RANKS if rank not in held][:wilds]
                for any_card, wild_ranks in enumerate((missing, [_ACE] * wilds)):
                    five = sorted((*held, *wild_ranks), reverse=True)[:_HAND_SIZE]
                    table[any_card, wilds, ranks] = straight or pack_strength(FLUSH, *five)
    return table


def _find_straight_flush(held: Ranks, wilds: int) -> int:
    """Return the best straight flush of these ranks of one suit and the wilds, or 0."""
    for straight in _STRAIGHTS:
        needed = {_ACE if rank == 1 else rank for rank in straight}
        if len(needed.difference(held)) <= wilds:
            return pack_strength(ROYAL_FLUSH if straight[0] == _ACE else STRAIGHT_FLUSH, *straight)
    return 0
