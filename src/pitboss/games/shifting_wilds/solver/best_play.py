"""Tables of the best play of single hands, for a simulation to follow.

It is a table of Locks, and of Plays by the ranks of a hand.  The first decision is stored for every hand with every W1
and all community cards up to suits.  The second mostly follows from the hand's ranks with the community cards and W2
(``rank_bands``).  Where it does not, it is stored for every state of a hand of these ranks with every W1
(``hand_states``).
"""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, get_rank, get_suit_ranks, make_mask, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import (
    HAND,
    PLAY,
    ShiftingOptions,
    ShiftingView,
    find_wild_cards,
)
from pitboss.games.shifting_wilds.solver.boards import list_boards
from pitboss.games.shifting_wilds.solver.census import make_both_payoffs
from pitboss.games.shifting_wilds.solver.dealer_hands import ROW_WIDTH
from pitboss.games.shifting_wilds.solver.deck import DeckTables, build_deck, list_openings
from pitboss.games.shifting_wilds.solver.hand_states import list_suits_by_place, number_state
from pitboss.games.shifting_wilds.solver.rank_bands import FLUSH_SHIFT, MIXED, SOME_PLAY, BoardBands, find_rank_bands
from pitboss.hands import HandTables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, map_on_threads
from pitboss.kernels.set_numbering import build_same_size_steps, find_sorted_between, number_set
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits
from pitboss.solver_api import SolverProblem

_FOLD = 1

ORDER_BITS = 5
ORDER_MASK = (1 << ORDER_BITS) - 1
"""The row of one of 24 exchanges of suits takes five bits."""


class ShiftingBestPlay(NamedTuple):
    """The tables that the best play looks up.

    ``opening_codes`` (1326,) has for every two community cards the row of their opening up to suits, and in the lowest
    five bits the row in ``suit_orders`` (24, 4) of the exchange of suits that leads to it.  ``lock_words`` (openings,
    270725) has a word for each hand, numbered by ``steps`` (``number_set``): a bit for each lane of W1 with which the
    hand locks.  Every hand has a word of its own, because to look for the least of its images, and for that one's
    number, would take longer than to read the word.

    ``board_codes`` (1326, 52), by community cards and W2, has the same of a board.  Each board has ``role_counts``
    (boards,) suits that allow a flush.  ``multiset_numbers`` numbers four ranks in any order; ``play_bands`` (boards,
    multisets) is ``BoardBands.bands``.  The mixed multisets of a board are ``mixed`` from ``mixed_starts[row]`` to
    before ``mixed_starts[row + 1]``, and the words of the first begin at ``word_starts[row]`` in ``words``.
    """

    steps: IntArray
    suit_orders: IntArray
    opening_codes: NDArray[np.int16]
    lock_words: IntArray
    board_codes: NDArray[np.int32]
    role_counts: NDArray[np.int8]
    multiset_numbers: NDArray[np.int16]
    play_bands: NDArray[np.int8]
    mixed_starts: IntArray
    mixed: NDArray[np.int16]
    word_starts: IntArray
    words: IntArray


def tabulate_best_play(problem: SolverProblem, progress: ProgressCallback) -> ShiftingBestPlay:
    """Return the tables of ``choose_best``.

    This takes about half as long as a solution.

    Raises:
        MagnitudeError: as ``solve``.
    """
    openings = [cards for cards, _ in list_openings(range(RANK_COUNT))]
    return tabulate_openings(openings, problem, progress)


def tabulate_openings(
    opening_cards: Sequence[tuple[int, int]], problem: SolverProblem, progress: ProgressCallback
) -> ShiftingBestPlay:
    """Return the tables of ``choose_best`` for some openings.

    Raises:
        MagnitudeError: as ``solve``.
    """
    deck = build_deck(range(RANK_COUNT))
    payoffs = make_both_payoffs(deck, problem)
    best = make_empty_best_play(deck, opening_cards)
    boards: list[BoardBands] = []
    all_bands = map_on_threads(
        lambda cards: find_rank_bands(deck, cards, problem.options, payoffs), opening_cards, progress
    )
    for row, (cards, bands) in enumerate(all_bands):
        orders = list_suit_orders(deck.mask, make_mask(cards))
        store_locks(bands.hands.masks, bands.lock_words, orders, best.steps, best.lock_words[row])
        boards += bands.boards
    return best._replace(
        play_bands=np.stack([board.bands for board in boards]),
        mixed_starts=np.cumsum([0, *(len(board.mixed) for board in boards)]),
        mixed=np.concatenate([board.mixed for board in boards]),
        word_starts=np.cumsum([0, *(len(board.words) for board in boards[:-1])]),
        words=np.concatenate([board.words for board in boards]),
    )


def make_empty_best_play(deck: DeckTables, opening_cards: Sequence[tuple[int, int]]) -> ShiftingBestPlay:
    """Return the tables, with locks and bands still empty."""
    board_codes, role_counts = index_boards(deck, opening_cards)
    return ShiftingBestPlay(
        build_same_size_steps(DECK_52.size, HAND),
        list_suit_orders(DECK_52.mask),
        index_openings(opening_cards),
        np.zeros((len(opening_cards), comb(DECK_52.size, HAND)), np.int64),
        board_codes,
        role_counts,
        number_unordered_ranks(deck),
        np.zeros((0, len(deck.subsets.multisets.slots)), np.int8),
        np.zeros(1, np.int64),
        np.zeros(0, np.int16),
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
    )


def index_openings(opening_cards: Sequence[tuple[int, int]]) -> NDArray[np.int16]:
    """Return the ``opening_codes`` of openings, -1 for other cards."""
    rows = np.full((DECK_52.size, DECK_52.size), -1, np.int32)
    for row, cards in enumerate(opening_cards):
        rows[min(cards), max(cards)] = row
    codes = np.full(comb(DECK_52.size, 2), -1, np.int16)
    low, high = list_pairs()
    for number, order in enumerate(list_suit_orders(DECK_52.mask).tolist()):
        one, other = move_to_places(low, order), move_to_places(high, order)
        found = rows[np.minimum(one, other), np.maximum(one, other)]
        codes = np.where(found >= 0, found << ORDER_BITS | number, codes).astype(np.int16)
    return codes


def index_boards(
    deck: DeckTables, opening_cards: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Return the ``board_codes`` and ``role_counts`` of the boards of openings.

    A board's suits are brought into the order of its places (``hand_states``).
    """
    rows = np.full((DECK_52.size,) * 3, -1, np.int32)
    role_counts: list[int] = []
    for cards in opening_cards:
        orders = list_suit_orders(deck.mask, make_mask(cards))
        for board in list_boards(deck.ranks, cards, orders, deck.mask):
            suits = list_suits_by_place(board)
            open_cards = np.array([*cards, int(board.indicators[0]).bit_length() - 1])
            low, high, w2 = move_to_places(open_cards, suits).tolist()
            rows[min(low, high), max(low, high), w2] = len(role_counts)
            role_counts.append(len(board.role_modes) - 1)
    codes = np.full((comb(DECK_52.size, 2), DECK_52.size), -1, np.int32)
    low, high = (cards[:, None] for cards in list_pairs())
    for number, order in enumerate(list_suit_orders(DECK_52.mask).tolist()):
        one, other = move_to_places(low, order), move_to_places(high, order)
        w2 = move_to_places(np.arange(DECK_52.size), order)
        found = rows[np.minimum(one, other), np.maximum(one, other), w2]
        codes = np.where(found >= 0, found << ORDER_BITS | number, codes).astype(np.int32)
    return codes, np.array(role_counts, np.int8)


def list_pairs() -> tuple[IntArray, IntArray]:
    """Return the lower and the higher card of every two.

    They are in the order of ``number_pair``.
    """
    high, low = np.tril_indices(DECK_52.size, -1)
    return low, high


def move_to_places(cards: IntArray, suits: Sequence[int]) -> IntArray:
    """Return the cards with the suit ``suits[i]`` in place of suit ``i``.

    This is ``permute_suits`` for codes of cards.
    """
    moved: IntArray = cards % RANK_COUNT + RANK_COUNT * np.argsort(suits)[cards // RANK_COUNT]
    return moved


def number_unordered_ranks(deck: DeckTables) -> NDArray[np.int16]:
    """Return the multiset of four ranks in any order, by their digits of base 13."""
    units = RANK_COUNT ** np.arange(HAND)
    ranks = np.arange(RANK_COUNT**HAND)[:, None] // units % RANK_COUNT
    numbers: NDArray[np.int16] = deck.subsets.multisets.numbers[np.sort(ranks, axis=1) @ units].astype(np.int16)
    return numbers


@no_alloc_kernel
def store_locks(masks: IntArray, words: IntArray, orders: IntArray, steps: IntArray, locks: Any) -> None:
    """Store the word of every hand for all its images.

    ``orders`` are the exchanges of suits that leave the community cards as they are.
    """
    for each in range(len(masks)):
        for order in range(len(orders)):
            word = 0
            for place in range(SUIT_COUNT):
                lanes = words[each] >> orders[order, place] * ROW_WIDTH & (1 << ROW_WIDTH) - 1
                word |= lanes << place * ROW_WIDTH
            locks[number_set(permute_suits(masks[each], orders[order]), steps)] = word


@rule
def encode_ranks(hand: int) -> int:
    """Return the ranks of a hand as digits of base 13, in the order of its cards.

    >>> encode_ranks(0b1010 | 0b1000 << 13) == 1 * 169 + 3 * 13 + 3
    True
    """
    number = 0
    while hand:
        number = number * RANK_COUNT + get_rank(popcount((hand & -hand) - 1))
        hand &= hand - 1
    return number


@rule
def number_pair(cards: int) -> int:
    """Number two cards, as ``number_set`` does.

    >>> number_pair(0b11), number_pair(0b110), number_pair(0b11 << 50)
    (0, 2, 1325)
    """
    low, high = popcount((cards & -cards) - 1), popcount((cards & cards - 1) - 1)
    return low + high * (high - 1) // 2


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
    _tables: HandTables, view: ShiftingView, decision: int, best: ShiftingBestPlay, _options: ShiftingOptions
) -> tuple[int, int]:
    """Decide as the best play, by the tables (ALL-9).

    Check or Lock is stored by hand and W1.  Play or Fold follows from the ranks or, where they do not decide, is stored
    by state and W1.
    """
    if decision == 0:
        return look_up_lock(view, best), 0
    return PLAY if look_up_play(view, best) else _FOLD, 0


@rule
def look_up_lock(view: ShiftingView, best: ShiftingBestPlay) -> int:
    """Return 1 for a Lock and 0 for a Check."""
    code = best.opening_codes[number_pair(view.community)]
    order = best.suit_orders[code & ORDER_MASK]
    word = best.lock_words[code >> ORDER_BITS, number_set(permute_suits(view.player, order), best.steps)]
    return int(word >> get_w1_lane(permute_suits(view.w1, order)) & 1)


@rule
def get_w1_lane(w1: int) -> int:
    """Return the bit of a W1 in a word: 16 for each suit."""
    card = popcount(w1 - 1)
    return card // RANK_COUNT * ROW_WIDTH + get_rank(card)


@rule
def look_up_play(view: ShiftingView, best: ShiftingBestPlay) -> int:
    """Return 1 for a Play and 0 for a Fold."""
    code = best.board_codes[number_pair(view.community), popcount(view.w2 - 1)]
    row, order = code >> ORDER_BITS, best.suit_orders[code & ORDER_MASK]
    multiset = best.multiset_numbers[encode_ranks(view.player)]
    bands = best.play_bands[row, multiset]
    band = bands & MIXED | bands >> FLUSH_SHIFT
    if band == MIXED:
        band = bands >> FLUSH_SHIFT if can_make_flush(view.player, view.community, view.w2) else bands & MIXED
    if band != MIXED:
        return 1 if band == SOME_PLAY else 0
    return look_up_state(view, row, order, multiset, best)


@rule
def look_up_state(view: ShiftingView, row: int, order: Any, multiset: int, best: ShiftingBestPlay) -> int:
    """Return 1 for a Play of a hand in a mixed band, 0 for a Fold.

    ``order`` brings the suits into the order of the board's places.
    """
    first, roles = best.mixed_starts[row], best.role_counts[row]
    place = find_sorted_between(best.mixed, first, best.mixed_starts[row + 1] - 1, multiset)
    hand = permute_suits(view.player, order)
    state = number_state(hand, permute_suits(find_wild_cards(view.player, view.w2), order), roles)
    word = best.words[best.word_starts[row] + (place - first) * (roles + 1) ** HAND + state]
    return int(word >> get_w1_lane(permute_suits(view.w1, order)) & 1)
