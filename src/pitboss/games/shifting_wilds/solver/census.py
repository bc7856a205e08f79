"""All decisions with two community cards (an opening), and their results."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.games.shifting_wilds.rules import CHECK, REGULAR_BONUS_LOSES
from pitboss.games.shifting_wilds.solver.boards import list_boards, rank_multisets
from pitboss.games.shifting_wilds.solver.dealer_hands import make_table, make_transfers
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, make_workspace
from pitboss.games.shifting_wilds.solver.deck import DeckTables, make_opening
from pitboss.games.shifting_wilds.solver.lock_bad_beat import count_lock_bad_beats
from pitboss.games.shifting_wilds.solver.lock_events import make_lock_events
from pitboss.games.shifting_wilds.solver.lock_sweep import check_or_lock
from pitboss.games.shifting_wilds.solver.mistakes import add_first_mistakes, make_mistake_table
from pitboss.games.shifting_wilds.solver.multisets import list_opening_hands
from pitboss.games.shifting_wilds.solver.payoffs import (
    AFTER_LOCK,
    AFTER_PLAY,
    BAD_BEAT_OUTCOMES,
    bound_values,
    make_payoffs,
)
from pitboss.games.shifting_wilds.solver.play_bad_beat import (
    BEATEN_ROW_WIDTH,
    count_play_bad_beats,
    make_natural_board,
    make_no_bad_beats,
)
from pitboss.games.shifting_wilds.solver.play_sweep import list_play_flushes, sweep_board
from pitboss.games.shifting_wilds.solver.play_values import GROUP_COUNT, SUM_COUNT, CheckValues, Payoffs, PlayTotals
from pitboss.games.shifting_wilds.solver.policy_table import tabulate_policy, verify_w1_is_ignored
from pitboss.games.shifting_wilds.solver.strategy_follower import FollowedStrategies
from pitboss.games.shifting_wilds.solver.value_sweep import make_value_workspace, sweep_board_values
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import list_suit_orders
from pitboss.solver_api import SolverProblem, Strategy

StrategyOrBest = Strategy | None
"""A strategy, or None for the best play."""


class OpeningCounts(NamedTuple):
    """The counts of one play over all hands and W1s with two community cards.

    ``totals``, shape (2, outcomes of the Regular Bonus, groups, 4), has for Lock and Play the positions and the
    dealers below, up to and not qualified (after a Lock, W2s and dealers), weighted by suits.  ``beaten_counts``, shape
    (2, outcomes of the Bad Beat), has the dealers that hands are ahead of in the Bad Beat.  ``check_weight`` is the
    weight of the positions that check.  ``equal_counts`` is how many first and second decisions, up to suits, are worth
    the same either way; a strategy has none.  ``mistakes`` are those of a strategy, as in ``make_mistake_table``.
    """

    totals: IntArray
    beaten_counts: IntArray
    check_weight: int
    equal_counts: tuple[int, int]
    mistakes: IntArray


class OpeningDecisions(NamedTuple):
    """The figures of the best play with two community cards.

    They are known before its outcomes are counted.  ``lock_totals`` and ``beaten_counts`` are those of Locks, as in
    ``OpeningCounts``.  ``check_weight`` is the weight of the positions that check, ``check_value`` is their total value
    beyond a fold, and ``play_count`` is the number of W2s with which they play.
    """

    lock_totals: IntArray
    beaten_counts: IntArray
    check_weight: int
    check_value: int
    play_count: int


Result = TypeVar("Result")


def map_openings(
    openings: Sequence[tuple[int, int]], solve_opening: Callable[[tuple[int, int]], Result], progress: ProgressCallback
) -> list[Result]:
    """Return the result of each two community cards, solved on all cores."""
    stopped = Event()
    done: list[tuple[int, int]] = []

    def solve_unless_stopped(cards: tuple[int, int]) -> Result | None:
        if stopped.is_set():
            return None
        result = solve_opening(cards)
        done.append(cards)
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = [pool.submit(solve_unless_stopped, cards) for cards in openings]
        try:
            while wait(pending, timeout=0.1).not_done:
                progress(len(done), len(openings))
            progress(len(openings), len(openings))
        finally:
            stopped.set()
    return [result for future in pending if (result := future.result())]


def count_openings(
    deck: DeckTables,
    openings: Sequence[tuple[int, int]],
    problem: SolverProblem,
    plays: Sequence[StrategyOrBest],
    progress: ProgressCallback,
) -> list[tuple[OpeningCounts, ...]]:
    """Play all positions of each opening in several ways, and count the results.

    The plays are followed side by side.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
        ValueError: a strategy that cannot be followed (``policy_table``).
    """
    payoffs, strategies = make_both_payoffs(deck, problem), [play for play in plays if play]
    for strategy in strategies:
        verify_w1_is_ignored(strategy, problem.options)

    def count_opening(cards: tuple[int, int]) -> tuple[OpeningCounts, ...]:
        opening = OpeningSolver(deck, cards, problem.options, payoffs, strategies)
        opening.decide()
        strategy_counts = iter(opening.count_strategy(index) for index in range(len(strategies)))
        return tuple(next(strategy_counts) if play else opening.count_best() for play in plays)

    return map_openings(openings, count_opening, progress)


def decide_openings(
    deck: DeckTables, openings: Sequence[tuple[int, int]], problem: SolverProblem, progress: ProgressCallback
) -> list[OpeningDecisions]:
    """Decide all positions of each opening by the best play.

    The outcomes of Plays are not counted.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    payoffs = make_both_payoffs(deck, problem)
    return map_openings(
        openings, lambda cards: OpeningSolver(deck, cards, problem.options, payoffs, ()).decide(), progress
    )


def make_both_payoffs(deck: DeckTables, problem: SolverProblem) -> tuple[Payoffs, Payoffs]:
    """Return the payoffs that decide a Lock and a Play.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    payoffs = make_payoffs(problem, deck, AFTER_LOCK), make_payoffs(problem, deck, AFTER_PLAY)
    if bound_values(payoffs[AFTER_PLAY]) >= 1 << 31:
        raise MagnitudeError(
            f"pays and stakes are too far apart for values of 32 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    return payoffs


class OpeningSolver:
    """Solver of one opening, for the best play and strategies.

    It decides all hands and W1s, follows strategies on the way, then counts the best play.
    """

    def __init__(
        self,
        deck: DeckTables,
        cards: tuple[int, int],
        options: Any,
        payoffs: Sequence[Payoffs],
        strategies: Sequence[Strategy],
    ) -> None:
        """List the hands and the boards of the opening, and tabulate the strategies."""
        self.deck, self.options, self.payoffs, plays = deck, options, payoffs, 1 + len(strategies)
        community, multisets = sum(1 << card for card in cards), deck.subsets.multisets
        self.permutations = list_suit_orders(deck.mask, community)
        self.hands = list_opening_hands(multisets, community, self.permutations)
        slots = np.array([deck.ranks.index(card % RANK_COUNT) for card in cards], np.int64)
        self.rank_strengths = [
            rank_multisets(multisets, load_hand_tables(), options, slots, wild) for wild in range(len(deck.ranks))
        ]
        self.boards = list_boards(deck.ranks, cards, self.permutations, deck.mask)
        tables = load_hand_tables()
        self._flushes = [list_play_flushes(deck.subsets, tables, options, self.hands, board) for board in self.boards]
        self.opening = make_opening(deck, cards, self.rank_strengths)
        self._buffers = make_transfers(len(deck.ranks)), make_table(len(deck.ranks)), make_workspace(plays)
        self._value_buffers = np.zeros(len(self._buffers[1]), np.int32), make_value_workspace()
        self._beaten_buffer = np.zeros((len(multisets.slots), BEATEN_ROW_WIDTH), np.int32)
        self.totals = np.zeros((2, plays, REGULAR_BONUS_LOSES + 1, GROUP_COUNT, SUM_COUNT), np.int64)
        self.beaten_counts = np.zeros((2, plays, BAD_BEAT_OUTCOMES), np.int64)
        self.mistakes = np.array([make_mistake_table() for _ in range(plays)])
        lanes = len(self.hands.masks) * LANE_COUNT
        weights = np.repeat(self.hands.weights, LANE_COUNT).astype(np.int8)
        self._check_weights, self._equal_count = np.zeros((1, lanes), np.int8), 0
        self._check_values = CheckValues(
            np.zeros(lanes, self._choose_dtype()), np.zeros(lanes, np.int8), np.zeros(2, np.int64)
        )
        policies = [tabulate_policy(each, options, deck.subsets, self.hands, self.opening) for each in strategies]
        self._first_actions = np.array([each.first_actions for each in policies], np.int8).reshape(plays - 1, lanes)
        second_actions = np.array([each.second_actions for each in policies], np.int8).reshape(plays - 1, lanes)
        check_weights = np.where(self._first_actions == CHECK, weights, 0).astype(np.int8)
        never_checks = np.array([not each.any() for each in check_weights], np.int8)
        self._strategies = FollowedStrategies(check_weights, second_actions, self.mistakes[1:], never_checks)

    def _choose_dtype(self) -> type[np.int32 | np.int64]:
        """Return the smaller type that holds every value of a Check beyond a Lock.

        Values of 32 bits are faster to add.
        """
        most = sum(bound_values(payoffs) for payoffs in self.payoffs)
        return (
            np.int32
            if most + len(self.deck.ranks) * SUIT_COUNT * bound_values(self.payoffs[AFTER_PLAY]) < 1 << 31
            else np.int64
        )

    def _get_totals(self, after: int, first_play: int) -> PlayTotals:
        return PlayTotals(self.totals[after, first_play:], self.beaten_counts[after, first_play:], self.permutations)

    def _sweep_boards(self, strategies: FollowedStrategies, is_counting: int, play_totals: PlayTotals) -> int:
        """Sweep all boards and return how many positions have equal values.

        These are the positions, up to suits, whose Play is worth as much as a fold.
        """
        deck, tables, options, hands = self.deck, load_hand_tables(), self.options, self.hands
        payoffs, equal, no_beats = self.payoffs[AFTER_PLAY], 0, make_no_bad_beats(deck.subsets.multisets)
        for board, flushes in zip(self.boards, self._flushes, strict=True):
            beats, ranks = no_beats, self.rank_strengths[board.wild_slot]
            if len(strategies.check_weights) or payoffs.bad_beat_values.any():
                fives, naturals = make_natural_board(board), deck.natural_strengths[board.wild_slot]
                beats = count_play_bad_beats(
                    deck.subsets, tables, options, hands, fives, naturals, *self._buffers, self._beaten_buffer
                )
            board_args = (deck.subsets, tables, options, hands, board, flushes, ranks, beats, payoffs)
            if is_counting or len(strategies.check_weights):
                scratch = (*self._buffers, self._check_values)
                equal += sweep_board(*board_args, *scratch, strategies, is_counting, play_totals)
            else:
                sweep_board_values(*board_args, *self._buffers[:2], *self._value_buffers, self._check_values)
        return equal

    def decide(self) -> OpeningDecisions:
        """Compute the value of every Check and Lock, and decide which positions check."""
        deck, tables, options, opening = self.deck, load_hand_tables(), self.options, self.opening
        self._sweep_boards(self._strategies, 0, self._get_totals(AFTER_PLAY, 1))
        events = make_lock_events(len(deck.ranks))
        beats = count_lock_bad_beats(
            deck.subsets, deck.lock_subsets, tables, options, self.hands, opening, deck.natural_strengths, events
        )
        payoffs, lock_totals = self.payoffs[AFTER_LOCK], self._get_totals(AFTER_LOCK, 0)
        lock_args = (self.hands, opening, beats, payoffs, events, self._check_values, self._first_actions)
        self._equal_count = check_or_lock(
            deck.subsets, deck.lock_subsets, tables, options, *lock_args, self._check_weights[0], lock_totals
        )
        weight = int(self._check_weights.sum(dtype=np.int64))
        value, plays = self._check_values.sums.tolist()
        return OpeningDecisions(self.totals[AFTER_LOCK, 0], self.beaten_counts[AFTER_LOCK, 0], weight, value, plays)

    def count_best(self) -> OpeningCounts:
        """Count the outcomes of the best play, after ``decide``."""
        best_play = FollowedStrategies(
            self._check_weights, np.zeros((1, 0), np.int8), self.mistakes[:1], np.zeros(1, np.int8)
        )
        equal = self._equal_count, self._sweep_boards(best_play, 1, self._get_totals(AFTER_PLAY, 0))
        check_weight = int(self._check_weights.sum(dtype=np.int64))
        return OpeningCounts(self.totals[:, 0], self.beaten_counts[:, 0], check_weight, equal, self.mistakes[0])

    def count_strategy(self, index: int) -> OpeningCounts:
        """Return the counts of a strategy that ``decide`` followed.

        This adds the mistakes of its first decisions.
        """
        play, mistakes = 1 + index, self.mistakes[1 + index]
        check_weight = int(self._strategies.check_weights[index].sum(dtype=np.int64))
        positions = (self.hands, self.opening, self._first_actions[index], self._check_values.values)
        add_first_mistakes(self.deck.subsets, load_hand_tables(), self.options, *positions, mistakes)
        return OpeningCounts(self.totals[:, play], self.beaten_counts[:, play], check_weight, (0, 0), mistakes)
