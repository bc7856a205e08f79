"""The exact solution of Shifting Wilds' main wager: what both decisions lead to, counted over all deals."""

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
"""Two community cards of each kind and how many there are of the kind; none for all kinds (``list_openings``)."""

_OUTCOME_COUNT = len(GAME.wagers[0].outcomes)


def solve(problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Return the best play of ``main``, or of all wagers staked together, or a given one, counted over all deals.

    A deal is two community cards, W1, the player's four cards, W2 and the dealer's four: C(52, 2) x 50 x C(49, 4) x 45
    x C(44, 4).  Positions of equal value are counted up to suits: first decisions, and second ones of hands that check.

    A strategy is asked up to exchanges of suits, and for its second decisions with no W1 in view (``told``).  Its
    mistakes are the dearest kinds: a first decision errs by what it is worth less than the other with the best play
    later, so all of them together cost what the strategy does.  No position is of equal value then.

    What main nets with each outcome of the Bad Beat is left out: it takes two orders of the same hands.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
        ValueError: a strategy that minds W1 after a Check, or takes an action that there is not.
    """
    return solve_side_by_side(problem, (problem.strategy,), progress)[0]


def solve_side_by_side(
    problem: SolverProblem, plays: Sequence[Strategy | None], progress: ProgressCallback
) -> tuple[Solution, ...]:
    """Return what each of these plays leads to, as ``solve`` does, the best one (None) and given ones in one sweep.

    What comes with the package is not solved again.

    Raises:
        MagnitudeError, ValueError: as ``solve`` says.
    """
    landed = [load_bundled_solution(replace(problem, strategy=play)) for play in plays]
    if all(landed):
        return tuple(each for each in landed if each)
    return solve_from_scratch(problem, plays, progress)


def solve_from_scratch(
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
    openings: WeightedOpenings = (),
) -> tuple[Solution, ...]:
    """Solve and follow these plays whatever the package comes with, over all deals or those of some openings."""
    solutions = solve_deck_side_by_side(range(RANK_COUNT), problem, plays, progress, openings)
    return tuple(replace(solution, mistakes=solution.mistakes[:MAX_MISTAKES]) for solution in solutions)


def solve_deck(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager with a deck of four suits of ``ranks`` (three or more, rising), with all mistakes."""
    return solve_deck_side_by_side(ranks, problem, (problem.strategy,), progress)[0]


def solve_deck_side_by_side(
    ranks: Sequence[int],
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
    openings: WeightedOpenings = (),
) -> tuple[Solution, ...]:
    """Solve a deck for each of these plays, over all openings where none are given."""
    deck, of = build_deck(ranks), openings or list_openings(ranks)
    counted = count_openings(deck, [cards for cards, _ in of], problem, plays, progress)
    weights = [weight for _, weight in of]
    return tuple(build_solution(deck, problem, weights, of_play) for of_play in zip(*counted, strict=True))


class BestPlayFigures(NamedTuple):
    """What is known of the best play before it is counted: the sum of what all deals net, and the deals by action."""

    total: int
    deals: int
    actions: dict[str, int]


def compute_best_figures(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> BestPlayFigures:
    """Decide every position of a deck at best: its value and the frequency of each action, and no outcome.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    deck, openings = build_deck(ranks), list_openings(ranks)
    stakes = make_payoffs(problem, deck, AFTER_LOCK)
    lost = {REGULAR_BONUS: REGULAR_BONUS_LOSES, BAD_BEAT: BAD_BEAT_LOSES}
    folded = problem.nets[FOLD_OUTCOME] + sum(nets[lost[bet]] for bet, nets in problem.side_nets.items())
    checked, locked, best, plays = 0, 0, 0, 0
    decided = decide_openings(deck, [cards for cards, _ in openings], problem, progress)
    for (_, weight), each in zip(openings, decided, strict=True):
        checked, best, plays = (
            checked + weight * each.check_weight,
            best + weight * each.check_value,
            plays + weight * each.play_count,
        )
        positions, *met = each.lock_totals.astype(object).transpose(2, 0, 1)
        locked += weight * positions.sum()
        gained = (stakes.group_values[:, 0] + stakes.bonus_values[:, None]) * stakes.dealer_count * positions
        gained += sum(worth * sums for worth, sums in zip(stakes.group_values.T[1:], met, strict=True))
        best += weight * (gained.sum() + (stakes.bad_beat_values * each.beaten_counts.astype(object)).sum())
    deals, played = (checked + locked) * deck.lock_event_count, plays * deck.dealer_hand_count
    actions = {
        "fold": checked * deck.lock_event_count - played,
        "lock": int(locked * deck.lock_event_count),
        "play": played,
    }
    return BestPlayFigures(int(folded * deals + best), int(deals), actions)


def build_solution(
    deck: DeckTables, problem: SolverProblem, weights: Sequence[int], opening_counts: Sequence[OpeningCounts]
) -> Solution:
    """Add up what comes of all openings, by outcome of main, and by outcome of the Regular Bonus."""
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
