"""Number the hands of a deck by groups of ranks.

All suits of one multiset of ranks are next to each other.

A *hand* is a set of ``cards`` cards, a *set* one of fewer.  A *group* is its cards of one rank and has a *kind*:
one to four cards of a rank, or the Joker.  A group of h cards has 4, 6, 4, 1 *states*, its sets of suits in
lexicographic order; the Joker has one.  The *shape* of a hand is the kinds of its groups, in the order of their ranks,
the Joker last.  All hands of one multiset of ranks are one block, numbered by the states of the groups, the last group
fastest, and so are all sets.

A set within a hand has a *code*, mixed radix: how many cards it takes of each group, the first group fastest.

    hand number = block_starts[block] + state of group 0 ... state of the last group   (mixed radix, last fastest)
    set number  = set_starts[block, code] + states of the groups it takes cards of     (mixed radix, last fastest)
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.kernels.enumeration import IntArray

JOKER_KIND = 5
MAX_CARDS = 5
SUITS = 4

SetCounts = NDArray[np.int16]
RankGroups = tuple[tuple[int, int], ...]  # (rank slot, kind) of each group, the slots rising


def _list_suit_sets(size: int) -> list[int]:
    return [sum(1 << suit for suit in suits) for suits in combinations(range(SUITS), size)]


_SUIT_SETS = [_list_suit_sets(size) for size in range(SUITS + 1)]
_STATE_COUNTS = [len(sets) for sets in _SUIT_SETS]

STATE_SUITS = np.array([*([*sets, *[0] * (6 - len(sets))] for sets in _SUIT_SETS), [0] * 6], np.int64)
"""Shape (kinds, 6): the suits of each state of a kind, a set of four bits; none for the Joker."""

KIND_CARDS = np.array([0, 1, 2, 3, 4, 1], np.int64)
"""Shape (kinds,): the cards of a group of a kind."""

KIND_STATES = np.array([*_STATE_COUNTS, 1], np.int64)
"""Shape (kinds,): the states of a group of a kind."""


def _tabulate_subset_states() -> IntArray:
    """Return the state of every set of a group's cards.

    The array is by kind, state and set (a number).
    """
    table = np.zeros((JOKER_KIND + 1, 6, 16), np.int64)
    for kind in range(1, SUITS + 1):
        for state, held in enumerate(_SUIT_SETS[kind]):
            suits = [suit for suit in range(SUITS) if held >> suit & 1]
            for taken in range(1 << kind):
                chosen = [suit for place, suit in enumerate(suits) if taken >> place & 1]
                table[kind, state, taken] = _SUIT_SETS[len(chosen)].index(sum(1 << suit for suit in chosen))
    return table


SUBSET_STATES = _tabulate_subset_states()
"""Shape (kinds, 6, 16): the state of every set of the cards of a group."""


class HandLayout(NamedTuple):
    """How hands and sets are numbered.

    By shape: ``kinds`` (shapes, 5), 0 after the last group; ``codes``, how many sets of ranks a hand has, the whole one
    included; ``lengths`` (shapes, 32), how many sets have a code; ``code_starts`` (shapes, 33), where they start when
    those of one shape are laid out by code; ``steps`` and ``first_step`` (shapes + 1,), the expansion that
    ``disjoint_counts`` runs; ``subset_codes`` (shapes, 32), the code of each subset of a hand: subsets are in the order
    of binary numbers, a bit for each card, so the last is the hand itself.  By shape and state, from ``first_state``
    (shapes,) on: ``subset_places`` (states, 32), the place of each subset among the sets of its code, and ``suits``,
    the suits of the groups, four bits each, the first group lowest.  By block of hands: ``shape``; ``slots`` (blocks,
    5), the ranks' places in the deck, -1 after the last; ``set_starts`` (blocks, 32), where the sets of each code start
    in a table of all sets; ``block_starts`` (blocks + 1,), its first hand.  ``ranks`` has the rank of each slot.  A
    table of sets has ``table_size`` words, of which those from ``zero_start`` on stay zero and stand for the whole
    hand, which has no entry.  ``cards`` is the size of a hand.
    """

    ranks: IntArray
    kinds: IntArray
    codes: IntArray
    lengths: IntArray
    code_starts: IntArray
    steps: IntArray
    first_step: IntArray
    subset_codes: IntArray
    first_state: IntArray
    subset_places: NDArray[np.int16]
    suits: IntArray
    shape: IntArray
    slots: IntArray
    set_starts: NDArray[np.int32]
    block_starts: IntArray
    zero_start: int
    table_size: int
    cards: int


def iterate_multisets(slots: int, cards: int, first: int = 0) -> Iterator[RankGroups]:
    """Yield the multisets of ``cards`` cards of slots ``first`` and later.

    The last slot is the Joker's.
    """
    if cards == 0:
        yield ()
        return
    for slot in range(first, slots + 1):
        most = 1 if slot == slots else min(SUITS, cards)
        for kind in range(1, most + 1):
            for rest in iterate_multisets(slots, cards - kind, slot + 1):
                yield ((slot, JOKER_KIND if slot == slots else kind), *rest)


def _iterate_subsets(groups: RankGroups) -> Iterator[RankGroups]:
    """Yield the multisets within a multiset, by code."""
    for counts in product(*(range(KIND_CARDS[kind] + 1) for _, kind in groups[::-1])):
        pairs = zip(groups, counts[::-1], strict=True)
        yield tuple((slot, kind if kind == JOKER_KIND else count) for (slot, kind), count in pairs if count)


def _count_states(groups: RankGroups) -> int:
    return prod(int(KIND_STATES[kind]) for _, kind in groups)


def make_layout(ranks: Sequence[int], cards: int = MAX_CARDS) -> HandLayout:
    """Number the hands of ``cards`` cards (2 to 5) of a deck with a Joker.

    The deck has four suits of ``ranks`` (rising, 0..12).
    """
    return _make_layout(tuple(ranks), cards)


@cache
def _make_layout(ranks: tuple[int, ...], cards: int) -> HandLayout:
    slots = len(ranks)
    blocks = list(iterate_multisets(slots, cards))
    offsets: dict[RankGroups, int] = {}
    zero_start = 0
    for size in range(cards):
        for groups in iterate_multisets(slots, size):
            offsets[groups] = zero_start
            zero_start += _count_states(groups)
    shapes = sorted({tuple(kind for _, kind in groups) for groups in blocks})
    lengths, steps = np.zeros((len(shapes), 32), np.int64), [_plan_expansion(shape) for shape in shapes]
    for number, shape in enumerate(shapes):
        each = [_count_states(taken) for taken in _iterate_subsets(tuple(enumerate(shape)))]
        lengths[number, : len(each)] = each
    # A whole hand is not among ``offsets``: its code leads to the words that stay zero.
    sets = np.full((len(blocks), 32), zero_start, np.int32)
    for number, groups in enumerate(blocks):
        each = [offsets.get(taken, zero_start) for taken in _iterate_subsets(groups)]
        sets[number, : len(each)] = each
    longest = max(_count_states(groups) for groups in blocks)
    subsets = [_tabulate_subsets(shape) for shape in shapes]
    return HandLayout(
        ranks=np.array(ranks, np.int64),
        kinds=_pad_rows(shapes, 0),
        codes=np.array([prod(int(KIND_CARDS[kind]) + 1 for kind in shape) for shape in shapes], np.int64),
        lengths=lengths,
        code_starts=np.concatenate((np.zeros((len(shapes), 1), np.int64), lengths.cumsum(axis=1)), axis=1),
        steps=np.array([step for each in steps for step in each], np.int64),
        first_step=np.cumsum([0, *map(len, steps)]),
        subset_codes=np.array([codes for codes, _, _ in subsets], np.int64),
        first_state=np.cumsum([0, *(len(suits) for _, _, suits in subsets)]),
        subset_places=np.concatenate([places for _, places, _ in subsets]).astype(np.int16),
        suits=np.concatenate([suits for _, _, suits in subsets]),
        shape=np.array([shapes.index(tuple(kind for _, kind in groups)) for groups in blocks], np.int64),
        slots=_pad_rows([[slot for slot, _ in groups] for groups in blocks], -1),
        set_starts=sets,
        block_starts=np.cumsum([0, *map(_count_states, blocks)]),
        zero_start=zero_start,
        table_size=zero_start + longest,
        cards=cards,
    )


def _tabulate_subsets(shape: tuple[int, ...]) -> tuple[IntArray, IntArray, IntArray]:
    """Return the codes of a hand's subsets, with their places and suits.

    Places and suits are given for every state of the hand's groups.
    """
    states = np.indices([int(KIND_STATES[kind]) for kind in shape]).reshape(len(shape), -1)
    codes, places = [0], [np.zeros_like(states[0])]
    suits = np.zeros_like(states[0])
    radix = 1
    for group, kind in enumerate(shape):
        joker = kind == JOKER_KIND
        taken = [
            (number.bit_count(), SUBSET_STATES[kind, states[group], number]) for number in range(1 << KIND_CARDS[kind])
        ]
        # Each group multiplies the list by the sets of its own cards: bits of later groups are higher, and so is the
        # weight of their digit in the code, but a place has the later group's state as its fastest digit.
        codes = [code + size * radix for size, _ in taken for code in codes]
        places = [place * (1 if joker else _STATE_COUNTS[size]) + held for size, held in taken for place in places]
        suits |= STATE_SUITS[kind, states[group]] << SUITS * group
        radix *= int(KIND_CARDS[kind]) + 1
    padding = 32 - len(codes)
    return np.pad(codes, (0, padding)), np.pad(np.stack(places, axis=1), ((0, 0), (0, padding))), suits


def _pad_rows(rows: Sequence[Sequence[int]], filler: int) -> IntArray:
    return np.array([[*row, *[filler] * (MAX_CARDS - len(row))] for row in rows], np.int64)


def _plan_expansion(shape: tuple[int, ...]) -> list[list[int]]:
    """Return the steps that turn a shape's sets into its hands, a group at a time.

    A step makes one array of (groups expanded, this group, groups still taken in part) from those that take 0, 1 ...
    cards of this group.  It is ``[depth, kind, outer, inner, to, from_0 ... from_4]``: the first group's sources are
    codes of sets, later ones places in the buffer that the step before has filled; ``outer`` and ``inner`` are how many
    combinations of states come before and after this group's.
    """
    steps = []
    places: dict[tuple[int, ...], int] = {}  # where each array is, by the cards taken of the groups left
    for code, counts in enumerate(product(*(range(KIND_CARDS[kind] + 1) for kind in shape[::-1]))):
        places[counts[::-1]] = code
    outer = 1
    for depth, kind in enumerate(shape):
        next_places: dict[tuple[int, ...], int] = {}
        end = 0
        for left in product(*(range(KIND_CARDS[later] + 1) for later in shape[depth + 1 :])):
            inner = prod(
                1 if later == JOKER_KIND else _STATE_COUNTS[count]
                for later, count in zip(shape[depth + 1 :], left, strict=True)
            )
            sources = [places[taken, *left] for taken in range(KIND_CARDS[kind] + 1)]
            steps.append([depth, kind, outer, inner, end, *sources, *[0] * (SUITS + 1 - len(sources))])
            next_places[left] = end
            end += outer * int(KIND_STATES[kind]) * inner
        places = next_places
        outer *= int(KIND_STATES[kind])
    return steps
