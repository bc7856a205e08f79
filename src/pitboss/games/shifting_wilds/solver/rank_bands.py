"""The hands that lock, and the bands of ranks that play or fold.

Both are computed with two given community cards.  A sweep of each board values every hand with every W1, as
``play_sweep`` does.  What all hands of the same ranks do with every W1 is their band: all play, all fold, or some play
and some fold; flushes have a band of their own.  Every single hand has been valued, so a hand outside a mixed band
cannot be decided wrongly.  A hand in a mixed band is decided by its state and W1 (``hand_states``).  The test
``python -m pytest -m long -k played_as tests/games`` compares this play with the solution and the hints.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.shifting_wilds.rules import REGULAR_BONUS_LOSES, ShiftingOptions
from pitboss.games.shifting_wilds.solver.boards import PlayBoard, RankStrengths
from pitboss.games.shifting_wilds.solver.census import OpeningSolver
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    INDEX_BITS,
    INDEX_MASK,
    NO_CARD,
    ROW_WIDTH,
    UNQUALIFIED_UNIT,
    UP_TO_UNIT,
    DealerHands,
    DealerTransfers,
    advance_to,
    make_dealer_hands,
)
from pitboss.games.shifting_wilds.solver.dealer_sums import (
    LANE_COUNT,
    PlayWorkspace,
    SubsetNumbers,
    get_lane,
    invalidate_rows,
    sort_by_strength,
    sum_all_rows,
    sum_hand_words,
)
from pitboss.games.shifting_wilds.solver.deck import DeckTables
from pitboss.games.shifting_wilds.solver.hand_states import count_states, fill_state_words, store_flush_word
from pitboss.games.shifting_wilds.solver.lock_events import Opening
from pitboss.games.shifting_wilds.solver.lock_flushes import is_free
from pitboss.games.shifting_wilds.solver.multisets import (
    STATE_COUNT,
    OpeningHands,
    count_copies,
    find_other_cards,
)
from pitboss.games.shifting_wilds.solver.payoffs import AFTER_PLAY
from pitboss.games.shifting_wilds.solver.play_sweep import (
    STRENGTH_SHIFT,
    get_flush_hand,
    get_flush_image,
    list_play_flushes,
)
from pitboss.games.shifting_wilds.solver.play_values import (
    Payoffs,
    PlayTotals,
    get_base_value,
    get_group,
    get_role_states,
    spread_rows,
    value_rows,
    value_word,
)
from pitboss.games.shifting_wilds.solver.strategy_follower import FollowedStrategies
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

SOME_FOLD = 1
SOME_PLAY = 2
MIXED = SOME_FOLD | SOME_PLAY

FLUSH_SHIFT = 2
"""Where in a band the two bits of flushes are, above those of the other hands."""


class BoardBands(NamedTuple):
    """The bands of one board, a W2 with two community cards.

    ``bands`` (multisets,) has ``SOME_FOLD``, ``SOME_PLAY``, both, or none where there is no hand; the same for flushes
    is ``FLUSH_SHIFT`` bits higher.  ``mixed`` are the rising multisets with both in one of the two, and ``words``
    (mixed x states,) says with which W1s the hands of these in a mixed band play (``hand_states``).
    """

    bands: NDArray[np.int8]
    mixed: NDArray[np.int16]
    words: IntArray


class RankBands(NamedTuple):
    """The decisions of one opening.

    ``lock_words`` has a word for each hand, with a bit for each lane of W1.  ``boards`` are those of ``list_boards``.
    """

    hands: OpeningHands
    lock_words: IntArray
    boards: list[BoardBands]


class _RankBandSolver(OpeningSolver):
    """Solver of an opening that notes which ranks play.

    It decides all first positions, and notes the ranks on the way.
    """

    def find_bands(self) -> RankBands:
        """Return the bands of the opening."""
        free_lanes = np.zeros(len(self.hands.masks) * LANE_COUNT, np.int32)
        _mark_free_lanes(self.deck.subsets, self.hands, self.opening, free_lanes)
        self._free_lanes = free_lanes
        self._board_bands: list[BoardBands] = []
        self.decide()
        locked = (self._check_weights[0] == 0) & (free_lanes > 0)
        bits = np.packbits(locked.reshape(-1, LANE_COUNT), axis=1, bitorder="little")
        return RankBands(self.hands, bits.view("<i8")[:, 0], self._board_bands)

    def _sweep_boards(self, _strategies: FollowedStrategies, _is_counting: int, _play_totals: PlayTotals) -> int:
        """Sweep all boards for the values of Checks and the bands of ranks."""
        multiset_count = len(self.deck.subsets.multisets.slots)
        for board in self.boards:
            bands, words = (
                np.zeros(multiset_count, np.int8),
                np.zeros(multiset_count * count_states(board), np.int64),
            )
            board_args = (
                self.hands,
                board,
                self.rank_strengths[board.wild_slot],
                self.payoffs[AFTER_PLAY],
                *self._buffers,
            )
            _mark_board(
                self.deck.subsets,
                load_hand_tables(),
                self.options,
                *board_args,
                self._free_lanes,
                self._check_values.values,
                bands,
                words,
            )
            mixed = np.flatnonzero((bands & MIXED == MIXED) | (bands >> FLUSH_SHIFT == MIXED))
            mixed_words = words.reshape(multiset_count, -1)[mixed].ravel()
            self._board_bands.append(BoardBands(bands, mixed.astype(np.int16), mixed_words))
        return 0


def find_rank_bands(
    deck: DeckTables, cards: tuple[int, int], options: ShiftingOptions, payoffs: Sequence[Payoffs]
) -> RankBands:
    """Decide all positions with two community cards, and return their bands."""
    return _RankBandSolver(deck, cards, options, payoffs, ()).find_bands()


@no_alloc_kernel
def _mark_free_lanes(subsets: SubsetNumbers, hands: OpeningHands, opening: Opening, free_lanes: Any) -> None:
    """Mark the lanes of every hand whose card can be W1."""
    for hand in range(len(hands.masks)):
        for lane in range(LANE_COUNT):
            free_lanes[hand * LANE_COUNT + lane] = 1 if is_free(subsets, opening, hands.masks[hand], lane) else 0


def _mark_board(
    subsets: SubsetNumbers,
    tables: HandTables,
    options: ShiftingOptions,
    hands: OpeningHands,
    board: PlayBoard,
    rank_strengths: RankStrengths,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    table: IntArray,
    workspace: PlayWorkspace,
    free_lanes: Any,
    check_values: Any,
    bands: Any,
    words: Any,
) -> None:
    """Sweep a board and mark the actions of its hands in ``bands``.

    The gains of Plays over a fold are added to ``check_values``.  ``words`` has a word for each multiset and state, in
    which those of mixed bands are stored.
    """
    strengths = rank_strengths.strengths
    dealer_hands = make_dealer_hands(
        subsets.multisets, tables, options, board, strengths, payoffs.qualifying_strength, transfers, table
    )
    listed = sort_by_strength(strengths), list_play_flushes(subsets, tables, options, hands, board)
    workspace.lane_values[:] = 0
    _sweep_by_strength(
        subsets,
        hands,
        board,
        *listed,
        payoffs,
        transfers,
        dealer_hands,
        workspace,
        free_lanes,
        check_values,
        bands,
        words,
    )


@no_alloc_kernel
def _sweep_by_strength(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    order: IntArray,
    flushes: IntArray,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    dealer_hands: DealerHands,
    workspace: PlayWorkspace,
    free_lanes: Any,
    check_values: Any,
    bands: Any,
    words: Any,
) -> None:
    """Sweep the multisets and the flushes of a board by rising strength."""
    each, flush = 0, 0
    while each < len(order) or flush < len(flushes):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(flushes, flush, STRENGTH_SHIFT))
        advance_to(transfers, dealer_hands, strength)
        group = get_group(strength, payoffs.qualifying_strength)
        base_value = get_base_value(payoffs, group, REGULAR_BONUS_LOSES)
        own_unit = UP_TO_UNIT + (UNQUALIFIED_UNIT if strength < payoffs.qualifying_strength else 0)
        while read_strength(order, each, INDEX_BITS) == strength:
            multiset = order[each] & INDEX_MASK
            each += 1
            if hands.starts[multiset] < hands.starts[multiset + 1]:
                sum_all_rows(subsets, board, dealer_hands, multiset, own_unit, workspace)
                value_rows(board, payoffs, group, base_value, workspace)
                for image in range(len(board.indicators)):
                    spread_rows(board, image, workspace)
                    bands[multiset] |= _mark_multiset(
                        subsets, board, image, hands, multiset, workspace, free_lanes, check_values
                    )
                if bands[multiset] & MIXED == MIXED:
                    # States and places are the same with each W2, so those with the first W2 stand for all.
                    spread_rows(board, 0, workspace)
                    fill_state_words(board, multiset, subsets.multisets.slots[multiset], workspace, words)
        invalidate_rows(workspace)
        while read_strength(flushes, flush, STRENGTH_SHIFT) == strength:
            hand, image = get_flush_hand(flushes[flush]), get_flush_image(flushes[flush])
            flush += 1
            sum_hand_words(subsets, board, image, dealer_hands, hands, hand, own_unit, workspace)
            multiset = hands.multisets[hand]
            some, lanes = _mark_flush(
                subsets, board, image, payoffs, hand, group, base_value, workspace, free_lanes, check_values
            )
            bands[multiset] |= some << FLUSH_SHIFT
            slots = subsets.multisets.slots[multiset]
            store_flush_word(board, image, multiset, slots, hands.states[hand], lanes, words)


@kernel_helper
def _mark_multiset(
    subsets: SubsetNumbers,
    board: PlayBoard,
    w2_index: int,
    hands: OpeningHands,
    multiset: int,
    workspace: PlayWorkspace,
    free_lanes: Any,
    check_values: Any,
) -> int:
    """Add the values of a multiset's hands that are not a flush; return their band."""
    slots = subsets.multisets.slots[multiset]
    naturals, wild_cards = find_other_cards(slots, board.wild_slot), count_copies(slots, board.wild_slot)
    indicator, values = board.indicators[w2_index], workspace.lane_values
    own = np.uint64(get_lane(subsets.multisets, indicator, board.wild_slot))
    some = 0
    for hand in range(hands.starts[multiset], hands.starts[multiset + 1]):
        if hands.masks[hand] & indicator:
            continue
        first, second, third, is_flush = get_role_states(board, w2_index, hands.states[hand], naturals, wild_cards)
        if is_flush:
            continue
        at, one = np.uint64(hand * LANE_COUNT), np.uint64((STATE_COUNT + first) * LANE_COUNT)
        two, three = (
            np.uint64((2 * STATE_COUNT + second) * LANE_COUNT),
            np.uint64((3 * STATE_COUNT + third) * LANE_COUNT),
        )
        saved_value, was_free = check_values[at + own], free_lanes[at + own]
        free_lanes[at + own] = 0
        folds, plays = np.int32(0), np.int32(0)  # as wide as the values, so that the loop is vectorised
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            check_values[at + lane] += max(value, np.int32(0))
            folds |= free_lanes[at + lane] if value < 0 else np.int32(0)
            plays |= free_lanes[at + lane] if value >= 0 else np.int32(0)
        some |= (SOME_FOLD if folds else 0) | (SOME_PLAY if plays else 0)
        check_values[at + own], free_lanes[at + own] = saved_value, was_free
    return some


@kernel_helper
def _mark_flush(
    subsets: SubsetNumbers,
    board: PlayBoard,
    w2_index: int,
    payoffs: Payoffs,
    hand: int,
    group: int,
    base_value: int,
    workspace: PlayWorkspace,
    free_lanes: Any,
    check_values: Any,
) -> tuple[int, int]:
    """Add the values of one hand, from ``workspace.hand_words``.

    Return its band, and a bit for each lane with which it plays.
    """
    own = get_lane(subsets.multisets, board.indicators[w2_index], board.wild_slot)
    some, lanes = 0, 0
    for each in range(LANE_COUNT):
        at = np.uint64(hand * LANE_COUNT + each)
        value = np.int32(base_value + value_word(payoffs.group_values, group, workspace.hand_words[np.uint64(each)]))
        # The last place of a suit is no card: without it, the sign bit of a word is never set.
        if each & ROW_WIDTH - 1 != NO_CARD:
            lanes |= (1 if value >= 0 else 0) << each
        if free_lanes[at] and each != own:
            check_values[at] += max(value, np.int32(0))
            some |= SOME_PLAY if value >= 0 else SOME_FOLD
    return some, lanes
