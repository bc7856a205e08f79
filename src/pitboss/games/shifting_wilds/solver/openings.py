"""All decisions beside two community cards, and what comes of them."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.counting.blocks import Integers
from pitboss.counting.suits import exchanges
from pitboss.games.shifting_wilds.rules import CHECK, REGULAR_BONUS_LOSES
from pitboss.games.shifting_wilds.solver.beats import WORDS, beats_beside, board_of_fives, no_beats
from pitboss.games.shifting_wilds.solver.boards import boards_of, ranked
from pitboss.games.shifting_wilds.solver.crowd import room_for, table_for
from pitboss.games.shifting_wilds.solver.decide import check_or_lock
from pitboss.games.shifting_wilds.solver.decks import Deck, opening_of
from pitboss.games.shifting_wilds.solver.follow import Followed
from pitboss.games.shifting_wilds.solver.hands import hands_beside
from pitboss.games.shifting_wilds.solver.lock import events_room
from pitboss.games.shifting_wilds.solver.lock_beats import lock_beats
from pitboss.games.shifting_wilds.solver.mistakes import add_first_errors, no_errors
from pitboss.games.shifting_wilds.solver.play import GROUPS, SUMS, Books, Checks, Stakes
from pitboss.games.shifting_wilds.solver.sums import LANES, room
from pitboss.games.shifting_wilds.solver.sweep import sweep
from pitboss.games.shifting_wilds.solver.told import check_that_w1_is_dead, told_by
from pitboss.games.shifting_wilds.solver.worth import BEATS, LOCKED, PLAYED, most_of, stakes_of
from pitboss.hands import load_hand_tables
from pitboss.solver_api import SolverProblem, Strategy

Asked = Strategy | None
"""A strategy, or None for the best play."""


class Counted(NamedTuple):
    """What comes of all hands and W1s beside some community cards by one play of them.

    ``totals``, shape (2, outcomes of the Regular Bonus, groups, 4): positions that lock and play, and dealers (after a
    Lock, W2s and dealers) below, up to and not qualified, weighed by suits; ``ahead``, shape (2,
    outcomes of the Bad Beat), dealers that these are ahead of by it; ``checked``: the weight of the positions
    that check; ``equal``: how many first and second decisions, up to suits, are worth the same either way; ``errors``,
    as ``no_errors``, are those of a strategy that is followed, of which nothing is ``equal``.
    """

    totals: Integers
    ahead: Integers
    checked: int
    equal: tuple[int, int]
    errors: Integers


class Decided(NamedTuple):
    """What is known of the best play beside some community cards before it is counted.

    ``locks`` and ``ahead`` are what Locks meet, as in ``Counted``; ``checked`` is the weight of positions that check,
    ``best`` what these are worth together beyond a fold, ``plays`` over how many W2s they play.
    """

    locks: Integers
    ahead: Integers
    checked: int
    best: int
    plays: int


Result = TypeVar("Result")


def each_opening(
    openings: Sequence[tuple[int, int]], of_opening: Callable[[tuple[int, int]], Result], progress: ProgressCallback
) -> list[Result]:
    """Return what comes of each two community cards, on all cores."""
    stopped = Event()
    done: list[tuple[int, int]] = []

    def unless_stopped(cards: tuple[int, int]) -> Result | None:
        if stopped.is_set():
            return None
        found = of_opening(cards)
        done.append(cards)
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = [pool.submit(unless_stopped, cards) for cards in openings]
        try:
            while wait(pending, timeout=0.1).not_done:
                progress(len(done), len(openings))
            progress(len(openings), len(openings))
        finally:
            stopped.set()
    return [found for each in pending if (found := each.result())]


def count_openings(
    deck: Deck,
    openings: Sequence[tuple[int, int]],
    problem: SolverProblem,
    plays: Sequence[Asked],
    progress: ProgressCallback,
) -> list[tuple[Counted, ...]]:
    """Play all positions beside each two community cards in all these ways side by side, and count what comes of it.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
        ValueError: a strategy that cannot be followed (``told``).
    """
    stakes, strategies = both_stakes(deck, problem), [play for play in plays if play]
    for strategy in strategies:
        check_that_w1_is_dead(strategy, problem.options)

    def of_opening(cards: tuple[int, int]) -> tuple[Counted, ...]:
        opening = Beside(deck, cards, problem.options, stakes, strategies)
        opening.decide()
        told = iter(opening.told(which) for which in range(len(strategies)))
        return tuple(next(told) if play else opening.counted() for play in plays)

    return each_opening(openings, of_opening, progress)


def decide_openings(
    deck: Deck, openings: Sequence[tuple[int, int]], problem: SolverProblem, progress: ProgressCallback
) -> list[Decided]:
    """Decide all positions beside each two community cards at best, and count no more than that tells.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    stakes = both_stakes(deck, problem)
    return each_opening(openings, lambda cards: Beside(deck, cards, problem.options, stakes, ()).decide(), progress)


def both_stakes(deck: Deck, problem: SolverProblem) -> tuple[Stakes, Stakes]:
    """Return what a Lock and a Play are decided by.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    stakes = stakes_of(problem, deck, LOCKED), stakes_of(problem, deck, PLAYED)
    if most_of(stakes[PLAYED]) >= 1 << 31:
        raise MagnitudeError(f"pays and stakes are too far apart to be weighed in 32 bits: {SMALLER_PAYS_ADVICE}")
    return stakes


class Beside:
    """All hands and W1s beside two community cards: decided, strategies followed on the way, then counted."""

    def __init__(
        self,
        deck: Deck,
        cards: tuple[int, int],
        options: Any,
        stakes: Sequence[Stakes],
        strategies: Sequence[Strategy],
    ) -> None:
        """Lay out the hands and what lies open beside them, and ask the strategies."""
        self.deck, self.options, self.stakes, plays = deck, options, stakes, 1 + len(strategies)
        community, multisets = sum(1 << card for card in cards), deck.sets.multisets
        self.orders = exchanges(deck.mask, community)
        self.hands = hands_beside(multisets, community, self.orders)
        slots = np.array([deck.ranks.index(card % RANK_COUNT) for card in cards], np.int64)
        self.by_ranks = [ranked(multisets, load_hand_tables(), options, slots, wild) for wild in range(len(deck.ranks))]
        self.boards = boards_of(deck.ranks, cards, self.orders, deck.mask)
        self.opening = opening_of(deck, cards, self.by_ranks)
        self._room = room_for(len(deck.ranks)), table_for(len(deck.ranks)), room(plays)
        self._of_fives = np.zeros((len(multisets.slots), WORDS), np.int32)
        self.totals = np.zeros((2, plays, REGULAR_BONUS_LOSES + 1, GROUPS, SUMS), np.int64)
        self.ahead = np.zeros((2, plays, BEATS), np.int64)
        self.errors = np.array([no_errors() for _ in range(plays)])
        lanes = len(self.hands.masks) * LANES
        weights = np.repeat(self.hands.weights, LANES).astype(np.int8)
        self._checked, self._equal = np.zeros((1, lanes), np.int8), 0
        self._checks = Checks(np.zeros(lanes, self._width()), np.zeros(lanes, np.int8), np.zeros(2, np.int64))
        asked = [told_by(each, options, deck.sets, self.hands, self.opening) for each in strategies]
        self._first = np.array([each.first for each in asked], np.int8).reshape(plays - 1, lanes)
        second = np.array([each.second for each in asked], np.int8).reshape(plays - 1, lanes)
        checked = np.where(self._first == CHECK, weights, 0).astype(np.int8)
        idle = np.array([not each.any() for each in checked], np.int8)
        self._followed = Followed(checked, second, self.errors[1:], idle)

    def _width(self) -> type[np.int32 | np.int64]:
        """Return what holds all that a Check may be worth beyond a Lock: half as many bytes to move are soon added."""
        most = sum(most_of(stakes) for stakes in self.stakes)
        return (
            np.int32 if most + len(self.deck.ranks) * SUIT_COUNT * most_of(self.stakes[PLAYED]) < 1 << 31 else np.int64
        )

    def _books(self, played: int, first: int) -> Books:
        return Books(self.totals[played, first:], self.ahead[played, first:], self.orders)

    def _swept(self, followed: Followed, counting: int, books: Books) -> int:
        """Sweep all boards."""
        deck, tables, options, hands = self.deck, load_hand_tables(), self.options, self.hands
        stakes, equal, nobody = self.stakes[PLAYED], 0, no_beats(deck.sets.multisets)
        for board in self.boards:
            beats, ranks = nobody, self.by_ranks[board.wild]
            if len(followed.checked) or stakes.beat.any():
                fives, naturals = board_of_fives(board), deck.naturals[board.wild]
                beats = beats_beside(deck.sets, tables, options, hands, fives, naturals, *self._room, self._of_fives)
            around = (hands, board, ranks, beats, stakes, *self._room, self._checks)
            equal += sweep(deck.sets, tables, options, *around, followed, counting, books)
        return equal

    def decide(self) -> Decided:
        """Find what every Check and Lock is worth, and who checks."""
        deck, tables, options, opening = self.deck, load_hand_tables(), self.options, self.opening
        self._swept(self._followed, 0, self._books(PLAYED, 1))
        events = events_room(len(deck.ranks))
        beats = lock_beats(deck.sets, deck.lock_sets, tables, options, self.hands, opening, deck.naturals, events)
        beside = (self.hands, opening, beats, self.stakes[LOCKED], events, self._checks, self._first)
        books = self._books(LOCKED, 0)
        self._equal = check_or_lock(deck.sets, deck.lock_sets, tables, options, *beside, self._checked[0], books)
        checked = int(self._checked.sum(dtype=np.int64))
        best, plays = self._checks.sums.tolist()
        return Decided(self.totals[LOCKED, 0], self.ahead[LOCKED, 0], checked, best, plays)

    def counted(self) -> Counted:
        """Count what comes of the best play, once it is decided."""
        followed = Followed(self._checked, np.zeros((1, 0), np.int8), self.errors[:1], np.zeros(1, np.int8))
        equal = self._equal, self._swept(followed, 1, self._books(PLAYED, 0))
        checked = int(self._checked.sum(dtype=np.int64))
        return Counted(self.totals[:, 0], self.ahead[:, 0], checked, equal, self.errors[0])

    def told(self, which: int) -> Counted:
        """Return what comes of a strategy that was followed, once all is decided."""
        errors, checked = self.errors[1 + which], int(self._followed.checked[which].sum(dtype=np.int64))
        around = (self.hands, self.opening, self._first[which], self._checks.best)
        add_first_errors(self.deck.sets, load_hand_tables(), self.options, *around, errors)
        return Counted(self.totals[:, 1 + which], self.ahead[:, 1 + which], checked, (0, 0), errors)
