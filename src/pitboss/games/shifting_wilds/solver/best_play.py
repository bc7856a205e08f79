"""The best play of single hands, for a simulation to follow.

It is a table of Locks, and of Plays by the ranks of a hand.  The first decision is stored for every hand up to suits
with every W1.  The second mostly follows from the hand's ranks with the community cards and W2 (``rank_bands``).  Where
it does not, the dealer's C(44, 4) hands are enumerated.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, get_rank, get_suit_ranks, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import (
    HAND,
    PLAY,
    ShiftingOptions,
    ShiftingView,
    find_wild_cards,
    rank_hand,
    settle_main,
)
from pitboss.games.shifting_wilds.solver.census import make_both_payoffs
from pitboss.games.shifting_wilds.solver.dealer_hands import ROW_WIDTH
from pitboss.games.shifting_wilds.solver.deck import DeckTables, build_deck, list_openings
from pitboss.games.shifting_wilds.solver.rank_bands import SOME_FOLD, SOME_PLAY, RankBands, find_rank_bands
from pitboss.hands import HandTables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.kernels.set_numbering import build_same_size_steps, number_set
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits
from pitboss.solver_api import SolverProblem

_DECK_MASK = DECK_52.mask
_FOLD = 1


class BestPlay(NamedTuple):
    """The tables that the best play looks up.

    Sets of cards are numbered by ``steps`` (``number_set``).

    ``opening_rows`` (1326,) is the row of every two community cards among the openings up to suits, ``permutations``
    (1326, 4) the exchange of suits that leads to that opening.  ``opening_kinds`` (openings,) is 0 for cards of two
    suits, 1 for a pair, 2 for cards of one suit.  By kind, ``kind_permutations`` (3, 6, 4) are the exchanges that leave
    an opening as it is, padded with the identity, and ``class_numbers`` (3, 270725) numbers the least hand of each
    class of hands that they turn into one another.  ``lock_words`` has a word for each class, from ``lock_starts``
    (openings,) on: a bit for each lane of W1 with which the hand locks.  ``multiset_numbers`` numbers rising ranks, and
    ``play_bands`` (openings, 52, multisets + 1) is ``RankBands.play_bands``.  ``gains`` (outcomes,) is what each
    outcome nets beyond a fold.
    """

    steps: IntArray
    opening_rows: NDArray[np.int16]
    permutations: IntArray
    opening_kinds: NDArray[np.int8]
    kind_permutations: IntArray
    class_numbers: NDArray[np.int32]
    lock_starts: IntArray
    lock_words: IntArray
    multiset_numbers: NDArray[np.int16]
    play_bands: NDArray[np.int8]
    gains: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return the tables of ``choose_best``, 150 MB in all.

    This takes about half as long as a solution.

    Raises:
        MagnitudeError: as ``solve``.
    """
    deck = build_deck(range(RANK_COUNT))
    payoffs = make_both_payoffs(deck, problem)
    openings = [cards for cards, _ in list_openings(range(RANK_COUNT))]
    best = make_empty_best_play(deck, openings, problem)
    all_bands = map_on_threads(lambda cards: find_rank_bands(deck, cards, problem.options, payoffs), openings, progress)
    for number, (_, bands) in enumerate(all_bands):
        store_bands(bands, number, best)
    return best


def make_empty_best_play(
    deck: DeckTables, opening_cards: Sequence[tuple[int, int]], problem: SolverProblem
) -> BestPlay:
    """Return the tables, with locks and bands still empty.

    Each two cards have the row of their opening up to suits.
    """
    steps = build_same_size_steps(DECK_52.size, HAND)
    examples = [
        list_suit_orders(DECK_52.mask, _make_mask(cards)) for cards in ((0, RANK_COUNT + 1), (0, RANK_COUNT), (0, 1))
    ]
    sizes = [len(orders) for orders in examples]
    groups = np.stack([np.concatenate([orders, *[orders[:1]] * (max(sizes) - len(orders))]) for orders in examples])
    kinds = [sizes.index(len(list_suit_orders(DECK_52.mask, _make_mask(cards)))) for cards in opening_cards]
    classes = np.zeros((len(groups), comb(DECK_52.size, HAND)), np.int32)
    lengths = [number_classes(orders, row) for orders, row in zip(groups, classes, strict=True)]
    ends = np.cumsum([lengths[kind] for kind in kinds])
    openings = np.full(comb(DECK_52.size, 2), -1, np.int16)
    orders = np.zeros((len(openings), SUIT_COUNT), np.int64)
    for community in combinations(DECK_52.cards, 2):
        number = number_set(_make_mask(community), steps)
        for order in list_suit_orders(DECK_52.mask).tolist():
            cards = [code for code in DECK_52.cards if permute_suits(_make_mask(community), order) >> code & 1]
            if (cards[0], cards[1]) in opening_cards:
                openings[number], orders[number] = opening_cards.index((cards[0], cards[1])), order
    multisets = deck.subsets.multisets
    return BestPlay(
        steps,
        openings,
        orders,
        np.array(kinds, np.int8),
        groups,
        classes,
        np.append(0, ends[:-1]),
        np.zeros(ends[-1], np.int64),
        multisets.numbers.astype(np.int16),
        np.zeros((len(opening_cards), DECK_52.size, len(multisets.slots) + 1), np.int8),
        np.array([net - problem.nets[0] for net in problem.nets], np.int64),
    )


def _make_mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def store_bands(bands: RankBands, row: int, best: BestPlay) -> None:
    """Store the bands and locks of one opening in its row."""
    best.play_bands[row] = bands.play_bands
    store_locks(
        bands.hands.masks,
        bands.lock_words,
        best.steps,
        best.class_numbers[best.opening_kinds[row]],
        best.lock_words[best.lock_starts[row] :],
    )


@no_alloc_kernel
def store_locks(masks: IntArray, words: IntArray, steps: IntArray, classes: Any, locks: IntArray) -> None:
    """Store the word of every hand at the number of its class."""
    for each in range(len(masks)):
        locks[classes[number_set(masks[each], steps)]] = words[each]


@no_alloc_kernel
def number_classes(permutations: IntArray, classes: Any) -> int:
    """Number the least hand of each class and return how many classes there are.

    A class is the hands that a group of suit exchanges turns into one another.
    """
    mask, class_count = first_subset(_DECK_MASK, HAND), 0
    for number in range(len(classes)):
        if find_least_image(mask, 0, permutations)[0] == mask:
            classes[number] = class_count
            class_count += 1
        mask = next_subset(_DECK_MASK, mask)
    return class_count


@rule
def find_least_image(hand: int, w1: int, orders: Any) -> tuple[int, int]:
    """Return the least image of a hand under suit exchanges, and W1's image.

    W1 is exchanged in the same way as the hand.
    """
    least, w1_image = hand, w1
    for order in range(len(orders)):
        image = permute_suits(hand, orders[order])
        if image < least:
            least, w1_image = image, permute_suits(w1, orders[order])
    return least, w1_image


@rule
def encode_ranks(hand: int) -> int:
    """Return the rising ranks of a hand as digits of base 13, the lowest rank first.

    >>> encode_ranks(0b1010 | 0b1000 << 13) == 1 + 3 * 13 + 3 * 169
    True
    """
    number, place = 0, 1
    for height in range(RANK_COUNT):
        for suit_index in range(SUIT_COUNT):
            if get_suit_ranks(hand, suit_index) >> height & 1:
                number += height * place
                place *= RANK_COUNT
    return number


@rule
def can_make_flush(hand: int, community: int, indicator: int) -> bool:
    """Tell whether a hand makes a flush with the community cards and its indicator."""
    wild, shown = find_wild_cards(hand, indicator), community | indicator
    for suit_index in range(SUIT_COUNT):
        open_cards = popcount(get_suit_ranks(shown, suit_index))
        if open_cards and open_cards + popcount(wild) + popcount(get_suit_ranks(hand & ~wild, suit_index)) > HAND:
            return True
    return False


@rule
def choose_best(
    tables: HandTables, view: ShiftingView, asked: int, best: BestPlay, options: ShiftingOptions
) -> tuple[int, int]:
    """Decide as the best play: by the tables or, where needed, by counting (ALL-9).

    Check or Lock is in the table.  Play or Fold follows from the ranks; where they do not decide, the dealer's hands
    are counted.
    """
    if asked == 0:
        return look_up_lock(view, best), 0
    band = look_up_band(view, best)
    if band == SOME_FOLD:
        return _FOLD, 0
    if band == SOME_PLAY:
        return PLAY, 0
    return PLAY if compute_play_value(tables, view, best.gains, options) >= 0 else _FOLD, 0


@rule
def look_up_lock(view: ShiftingView, best: BestPlay) -> int:
    """Return 1 for a Lock and 0 for a Check."""
    number = number_set(view.community, best.steps)
    row, order = best.opening_rows[number], best.permutations[number]
    kind = best.opening_kinds[row]
    hand, w1 = find_least_image(
        permute_suits(view.player, order), permute_suits(view.w1, order), best.kind_permutations[kind]
    )
    word = best.lock_words[best.lock_starts[row] + best.class_numbers[kind, number_set(hand, best.steps)]]
    card = popcount(w1 - 1)
    return int(word >> (card // RANK_COUNT * ROW_WIDTH + get_rank(card)) & 1)


@rule
def look_up_band(view: ShiftingView, best: BestPlay) -> int:
    """Return the band of the hand's ranks, or that of flushes.

    It is ``SOME_FOLD``, ``SOME_PLAY`` or both.
    """
    number = number_set(view.community, best.steps)
    w2 = permute_suits(view.w2, best.permutations[number])
    column = best.play_bands.shape[2] - 1
    if not can_make_flush(view.player, view.community, view.w2):
        column = best.multiset_numbers[encode_ranks(view.player)]
    return int(best.play_bands[best.opening_rows[number], popcount(w2 - 1), column])


@rule
def compute_play_value(tables: HandTables, view: ShiftingView, worth: Any, options: ShiftingOptions) -> int:
    """Return the gain of playing over folding.

    It is summed over the C(44, 4) hands of the dealer.
    """
    mine = rank_hand(tables, view.player, view.community, view.w2, options)
    left = _DECK_MASK & ~(view.player | view.community | view.w1 | view.w2)
    held, value = first_subset(left, HAND), 0
    while held:
        dealers = rank_hand(tables, held, view.community, view.w2, options)
        value += worth[settle_main(mine, dealers, 1, options)]
        held = next_subset(left, held)
    return value
