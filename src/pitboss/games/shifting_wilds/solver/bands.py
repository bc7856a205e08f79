"""Which hands lock, and which ranks of a hand tell whether it plays, beside two community cards.

A sweep of each board (``sweep``) values every hand with every W1, flushes apart by the ranks they have.  What all hands
of some ranks do with every W1 is a band: they play, they fold, or some do this and some that.  Hands that may be a
flush are one band.  So no hand outside a mixed band can be decided wrongly: every single one has been valued.  How it
is followed is held against the solution and hints by ``python -m pytest -m long -k played_as tests/games``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.shifting_wilds.rules import REGULAR_BONUS_LOSES, Options
from pitboss.games.shifting_wilds.solver.boards import Board, Ranked
from pitboss.games.shifting_wilds.solver.crowd import (
    INDEX,
    NEVER,
    SHIFT,
    UNQUALIFIED,
    UP_TO,
    Crowd,
    Movers,
    gather,
    pass_up_to,
)
from pitboss.games.shifting_wilds.solver.decide import is_free
from pitboss.games.shifting_wilds.solver.decks import Deck
from pitboss.games.shifting_wilds.solver.follow import Followed
from pitboss.games.shifting_wilds.solver.hands import (
    BONUS_BITS,
    HAND_BITS,
    HAND_MASK,
    STATES,
    Hands,
    copies_of,
    others_than,
)
from pitboss.games.shifting_wilds.solver.lock import Opening
from pitboss.games.shifting_wilds.solver.openings import Beside
from pitboss.games.shifting_wilds.solver.play import (
    Books,
    Stakes,
    group_of,
    role_states,
    spread_rows,
    value_of,
    value_rows,
    whole_of,
)
from pitboss.games.shifting_wilds.solver.sums import (
    LANES,
    Room,
    Sets,
    all_rows,
    by_strength,
    forget_rows,
    lane_of,
    own_words,
)
from pitboss.games.shifting_wilds.solver.sweep import IMAGE_BITS, STRENGTH, maybe_flushes
from pitboss.games.shifting_wilds.solver.worth import PLAYED
from pitboss.hands import HandTables, load_hand_tables

SOME_FOLD = 1
SOME_PLAY = 2


class Marks(NamedTuple):
    """Of one opening: ``locks`` has a word for each hand, a bit for each lane of W1; ``plays`` (52, multisets + 1).

    ``plays`` is by W2 and multiset, flushes behind them: ``SOME_FOLD``, ``SOME_PLAY``, both, or none where no hand is.
    """

    hands: Hands
    locks: Integers
    plays: NDArray[np.int8]


class _Marked(Beside):
    """Decides all first positions beside two community cards, and notes on the way which ranks play."""

    def marks(self) -> Marks:
        """Return them all."""
        there = np.zeros(len(self.hands.masks) * LANES, np.int32)
        _lay_free(self.deck.sets, self.hands, self.opening, there)
        self._there, self._plays = there, np.zeros((DECK_52.size, len(self.deck.sets.multisets.slots) + 1), np.int8)
        self.decide()
        locked = (self._checked[0] == 0) & (there > 0)
        bits = np.packbits(locked.reshape(-1, LANES), axis=1, bitorder="little")
        return Marks(self.hands, bits.view("<i8")[:, 0], self._plays)

    def _swept(self, _followed: Followed, _counting: int, _books: Books) -> int:
        """Sweep all boards for what Checks are worth and what the ranks of hands tell."""
        for board in self.boards:
            found = np.zeros((len(board.indicators), self._plays.shape[1]), np.int8)
            around = self.hands, board, self.by_ranks[board.wild], self.stakes[PLAYED], *self._room
            _mark(self.deck.sets, load_hand_tables(), self.options, *around, self._there, self._checks.best, found)
            self._plays[[int(w2).bit_length() - 1 for w2 in board.indicators]] = found
        return 0


def marks_of(deck: Deck, cards: tuple[int, int], options: Options, stakes: Sequence[Stakes]) -> Marks:
    """Decide all positions beside two community cards."""
    return _Marked(deck, cards, options, stakes, ()).marks()


@filling_kernel
def _lay_free(sets: Sets, hands: Hands, opening: Opening, there: Any) -> None:
    """Mark the lanes of every hand whose cards W1 can be."""
    for hand in range(len(hands.masks)):
        for lane in range(LANES):
            there[hand * LANES + lane] = 1 if is_free(sets, opening, hands.masks[hand], lane) else 0


def _mark(
    sets: Sets,
    tables: HandTables,
    options: Options,
    hands: Hands,
    board: Board,
    ranks_beside: Ranked,
    stakes: Stakes,
    movers: Movers,
    table: Integers,
    space: Room,
    there: Any,
    best: Any,
    found: Any,
) -> None:
    """Sweep a board: add what Plays are worth beyond a fold to ``best``, and note by ranks which actions are taken."""
    strengths = ranks_beside.strengths
    crowd = gather(sets.multisets, tables, options, board, strengths, stakes.lowest, movers, table)
    listed = by_strength(strengths), maybe_flushes(sets, tables, options, hands, board)
    space.values[:] = 0
    _sweep(sets, hands, board, *listed, stakes, movers, crowd, space, there, best, found)


@filling_kernel
def _sweep(
    sets: Sets,
    hands: Hands,
    board: Board,
    order: Integers,
    flushes: Integers,
    stakes: Stakes,
    movers: Movers,
    crowd: Crowd,
    space: Room,
    there: Any,
    best: Any,
    found: Any,
) -> None:
    """Sweep the multisets and the flushes of a board by rising strength."""
    each, flush = 0, 0
    while each < len(order) or flush < len(flushes):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(flushes):
            made = min(made, flushes[flush] >> STRENGTH)
        pass_up_to(movers, crowd, made)
        group = group_of(made, stakes.lowest)
        whole = whole_of(stakes, group, REGULAR_BONUS_LOSES)
        itself = UP_TO + (UNQUALIFIED if made < stakes.lowest else 0)
        while each < len(order) and order[each] >> SHIFT == made:
            multiset = order[each] & INDEX
            each += 1
            if hands.first[multiset] < hands.first[multiset + 1]:
                all_rows(sets, board, crowd, multiset, itself, space)
                value_rows(board, stakes, group, whole, space)
                for image in range(len(board.indicators)):
                    spread_rows(board, image, space)
                    found[image, multiset] |= _mark_all(sets, board, image, hands, multiset, space, there, best)
        forget_rows(space)
        while flush < len(flushes) and flushes[flush] >> STRENGTH == made:
            hand = flushes[flush] & HAND_MASK
            image = flushes[flush] >> HAND_BITS + BONUS_BITS & (1 << IMAGE_BITS) - 1
            flush += 1
            own_words(sets, board, image, crowd, hands, hand, itself, space)
            found[image, -1] |= _mark_one(sets, board, image, stakes, hand, group, whole, space, there, best)


@part
def _mark_all(
    sets: Sets, board: Board, image: int, hands: Hands, multiset: int, space: Room, there: Any, best: Any
) -> int:
    """Add what the hands of a multiset are worth that make no flush; return what they do."""
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator, values = board.indicators[image], space.values
    own = np.uint64(lane_of(sets.multisets, indicator, board.wild))
    some = 0
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        if hands.masks[hand] & indicator:
            continue
        first, second, third, is_flush = role_states(board, image, hands.states[hand], naturals, wild_cards)
        if is_flush:
            continue
        at, one = np.uint64(hand * LANES), np.uint64((STATES + first) * LANES)
        two, three = np.uint64((2 * STATES + second) * LANES), np.uint64((3 * STATES + third) * LANES)
        kept, was_there = best[at + own], there[at + own]
        there[at + own] = 0
        folds, plays = np.int32(0), np.int32(0)  # of one width with the values: so the loop is done in vectors
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            best[at + lane] += max(value, np.int32(0))
            folds |= there[at + lane] if value < 0 else np.int32(0)
            plays |= there[at + lane] if value >= 0 else np.int32(0)
        some |= (SOME_FOLD if folds else 0) | (SOME_PLAY if plays else 0)
        best[at + own], there[at + own] = kept, was_there
    return some


@part
def _mark_one(
    sets: Sets,
    board: Board,
    image: int,
    stakes: Stakes,
    hand: int,
    group: int,
    whole: int,
    space: Room,
    there: Any,
    best: Any,
) -> int:
    """Add what one hand is worth, from the words in ``lanes``; return what it does."""
    own = lane_of(sets.multisets, board.indicators[image], board.wild)
    some = 0
    for each in range(LANES):
        at = np.uint64(hand * LANES + each)
        value = np.int32(whole + value_of(stakes.worth, group, space.lanes[np.uint64(each)]))
        if there[at] and each != own:
            best[at] += max(value, np.int32(0))
            some |= SOME_PLAY if value >= 0 else SOME_FOLD
    return some
