"""The exact solution of Shifting Wilds' main wager.

The results of both decisions are counted over all deals.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT
from pitboss.core.progress import ProgressCallback
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, REGULAR_BONUS_LOSES
from pitboss.games.shifting_wilds.solver.bundled import load_bundled_solution
from pitboss.games.shifting_wilds.solver.census import OpeningCounts, count_openings, decide_openings
from pitboss.games.shifting_wilds.solver.deck import DeckTables, build_deck, list_openings
from pitboss.games.shifting_wilds.solver.mistakes import list_mistakes
from pitboss.games.shifting_wilds.solver.payoffs import (
    AFTER_LOCK,
    AFTER_PLAY,
    BAD_BEAT,
    FOLD_OUTCOME,
    REGULAR_BONUS,
    make_payoffs,
    split_showdowns,
    tabulate_outcomes,
)
from pitboss.games.shifting_wilds.solver.play_values import GROUP_COUNT
from pitboss.solver_api import Solution, SolverProblem, Strategy

MAX_MISTAKES = 12

WeightedOpenings = Sequence[tuple[tuple[int, int], int]]
"""Pairs of community cards up to suits, each with how many it stands for; empty means all (``list_openings``)."""

_OUTCOME_COUNT = len(GAME.main.outcomes)


def solve(problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Return the best play of ``main`` or of all staked wagers, or a given strategy.

    The results are counted over all deals.  A deal is two community cards, W1, the player's four cards, W2 and the
    dealer's four: C(52, 2) x 50 x C(49, 4) x 45 x C(44, 4).  Positions of equal value are counted up to suits: first
    decisions, and second decisions of hands that check.

    A strategy is tabulated up to exchanges of suits, and its second decisions without W1 (``policy_table``).  Its
    mistakes are the costliest kinds.  The cost of a first decision is how much less it is worth than the other action
    with the best play later, so all mistakes together cost what the strategy does.  No position counts as equal then.

    The net of main with each outcome of the Bad Beat is left out: it would need two orders of the same hands.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
        ValueError: a strategy that looks at W1 after a Check, or takes an invalid action.
    """
    return solve_side_by_side(problem, (problem.strategy,), progress)[0]


def solve_side_by_side(
    problem: SolverProblem, plays: Sequence[Strategy | None], progress: ProgressCallback
) -> tuple[Solution, ...]:
    """Return the solutions of several plays, solved together in one sweep.

    A play is a strategy, or None for the best play, as in ``solve``.  If all of them are bundled with the package, they
    are not solved again.

    Raises:
        MagnitudeError, ValueError: as ``solve``.
    """
    bundled = [load_bundled_solution(replace(problem, strategy=play)) for play in plays]
    if all(bundled):
        return tuple(each for each in bundled if each)
    return solve_from_scratch(problem, plays, progress)


def solve_from_scratch(
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
    openings: WeightedOpenings = (),
) -> tuple[Solution, ...]:
    """Solve and follow these plays without bundled solutions.

    This covers all deals or those of the given openings.
    """
    solutions = solve_deck_side_by_side(range(RANK_COUNT), problem, plays, progress, openings)
    return tuple(replace(solution, mistakes=solution.mistakes[:MAX_MISTAKES]) for solution in solutions)


def solve_deck(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager with a deck of four suits, and list all mistakes.

    The deck's ``ranks`` are three or more, rising.
    """
    return solve_deck_side_by_side(ranks, problem, (problem.strategy,), progress)[0]


def solve_deck_side_by_side(
    ranks: Sequence[int],
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
    openings: WeightedOpenings = (),
) -> tuple[Solution, ...]:
    """Solve a deck for each of these plays, over the given openings or all."""
    deck, weighted = build_deck(ranks), openings or list_openings(ranks)
    opening_counts = count_openings(deck, [cards for cards, _ in weighted], problem, plays, progress)
    weights = [weight for _, weight in weighted]
    return tuple(build_solution(deck, problem, weights, counts) for counts in zip(*opening_counts, strict=True))


class BestPlayFigures(NamedTuple):
    """The figures of the best play before its outcomes are counted.

    They are the sum of all deals' nets, and the deals by action.
    """

    total: int
    deals: int
    actions: dict[str, int]


def compute_best_figures(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> BestPlayFigures:
    """Find the best play's value and the frequency of each action.

    Every position of the deck is decided, but no outcomes are counted.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    deck, openings = build_deck(ranks), list_openings(ranks)
    payoffs = make_payoffs(problem, deck, AFTER_LOCK)
    lose_outcomes = {REGULAR_BONUS: REGULAR_BONUS_LOSES, BAD_BEAT: BAD_BEAT_LOSES}
    fold_net = problem.nets[FOLD_OUTCOME] + sum(nets[lose_outcomes[bet]] for bet, nets in problem.side_nets.items())
    checked, locked, best, plays = 0, 0, 0, 0
    decisions = decide_openings(deck, [cards for cards, _ in openings], problem, progress)
    for (_, weight), each in zip(openings, decisions, strict=True):
        checked, best, plays = (
            checked + weight * each.check_weight,
            best + weight * each.check_value,
            plays + weight * each.play_count,
        )
        positions, *dealer_sums = each.lock_totals.astype(object).transpose(2, 0, 1)
        locked += weight * positions.sum()
        gains = (payoffs.group_values[:, 0] + payoffs.bonus_values[:, None]) * payoffs.dealer_count * positions
        gains += sum(value * sums for value, sums in zip(payoffs.group_values.T[1:], dealer_sums, strict=True))
        best += weight * (gains.sum() + (payoffs.bad_beat_values * each.beaten_counts.astype(object)).sum())
    deals, play_deals = (checked + locked) * deck.lock_event_count, plays * deck.dealer_hand_count
    actions = {
        "fold": checked * deck.lock_event_count - play_deals,
        "lock": int(locked * deck.lock_event_count),
        "play": play_deals,
    }
    return BestPlayFigures(int(fold_net * deals + best), int(deals), actions)


def build_solution(
    deck: DeckTables, problem: SolverProblem, weights: Sequence[int], opening_counts: Sequence[OpeningCounts]
) -> Solution:
    """Add up the counts of all openings.

    They are by outcome of main, of the Regular Bonus and of the Bad Beat.
    """
    totals, checked = np.zeros(opening_counts[0].totals.shape, object), 0
    for weight, each in zip(weights, opening_counts, strict=True):
        totals += weight * each.totals.astype(object)
        checked += weight * each.check_weight
    counts = np.zeros((REGULAR_BONUS_LOSES + 1, _OUTCOME_COUNT), object)
    for played, showdowns in ((AFTER_LOCK, deck.lock_event_count), (AFTER_PLAY, deck.dealer_hand_count)):
        outcomes = tabulate_outcomes(problem.options, played)
        for bonus in range(REGULAR_BONUS_LOSES + 1):
            for group in range(GROUP_COUNT):
                positions, *sums = totals[played, bonus, group]
                for outcome, cell in zip(
                    outcomes[group], split_showdowns(group, sums, positions * showdowns), strict=True
                ):
                    counts[bonus, outcome] += cell
    played_positions = totals[AFTER_PLAY, :, :, 0].sum()
    counts[REGULAR_BONUS_LOSES, FOLD_OUTCOME] = (
        checked * deck.lock_event_count - played_positions * deck.dealer_hand_count
    )
    ahead = sum(
        weight * each.beaten_counts.sum(axis=0).astype(object)
        for weight, each in zip(weights, opening_counts, strict=True)
    )
    ahead[BAD_BEAT_LOSES] = counts.sum() - ahead.sum()
    by_outcome = tuple(int(count) for count in counts.sum(axis=0))
    errors = sum(weight * each.mistakes.astype(object) for weight, each in zip(weights, opening_counts, strict=True))
    after_lock = 1 + (_OUTCOME_COUNT - 1) // 2
    return Solution(
        counts=by_outcome,
        actions={
            "fold": by_outcome[FOLD_OUTCOME],
            "lock": sum(by_outcome[1:after_lock]),
            "play": sum(by_outcome[after_lock:]),
        },
        equal_value_positions=sum(sum(each.equal_counts) for each in opening_counts),
        side_outcomes={
            REGULAR_BONUS: tuple((int(row.sum()), int(row @ np.array(problem.nets, object))) for row in counts),
            BAD_BEAT: tuple((int(count), None) for count in ahead),
        },
        mistakes=list_mistakes(errors, (deck.lock_event_count, deck.dealer_hand_count)),
    )
