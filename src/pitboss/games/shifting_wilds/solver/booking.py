"""The exact solution of Shifting Wilds' main wager: what both decisions lead to, counted over all deals."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT
from pitboss.core.progress import ProgressCallback
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, REGULAR_BONUS_LOSES
from pitboss.games.shifting_wilds.solver.decks import Deck, deck_of, openings_of
from pitboss.games.shifting_wilds.solver.landed import landed_solution
from pitboss.games.shifting_wilds.solver.mistakes import mistakes_in_words
from pitboss.games.shifting_wilds.solver.openings import Counted, count_openings, decide_openings
from pitboss.games.shifting_wilds.solver.play import GROUPS
from pitboss.games.shifting_wilds.solver.worth import (
    BAD_BEAT,
    FOLD,
    LOCKED,
    PLAYED,
    REGULAR_BONUS,
    cells_of,
    outcomes_of,
    stakes_of,
)
from pitboss.solver_api import Solution, SolverProblem, Strategy

MOST_MISTAKES = 12

Openings = Sequence[tuple[tuple[int, int], int]]
"""Two community cards of each kind and how many there are of the kind; none for all kinds (``openings_of``)."""

_OUTCOMES = len(GAME.wagers[0].outcomes)


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
    landed = [landed_solution(replace(problem, strategy=play)) for play in plays]
    if all(landed):
        return tuple(each for each in landed if each)
    return solved_anew(problem, plays, progress)


def solved_anew(
    problem: SolverProblem, plays: Sequence[Strategy | None], progress: ProgressCallback, openings: Openings = ()
) -> tuple[Solution, ...]:
    """Solve and follow these plays whatever the package comes with, over all deals or those of some openings."""
    solutions = solve_deck_by(range(RANK_COUNT), problem, plays, progress, openings)
    return tuple(replace(solution, mistakes=solution.mistakes[:MOST_MISTAKES]) for solution in solutions)


def solve_deck(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the main wager with a deck of four suits of ``ranks`` (three or more, rising), with all mistakes."""
    return solve_deck_by(ranks, problem, (problem.strategy,), progress)[0]


def solve_deck_by(
    ranks: Sequence[int],
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
    openings: Openings = (),
) -> tuple[Solution, ...]:
    """Solve a deck for each of these plays, over all openings where none are given."""
    deck, of = deck_of(ranks), openings or openings_of(ranks)
    counted = count_openings(deck, [cards for cards, _ in of], problem, plays, progress)
    weights = [weight for _, weight in of]
    return tuple(booked(deck, problem, weights, of_play) for of_play in zip(*counted, strict=True))


class Figures(NamedTuple):
    """What is known of the best play before it is counted: the sum of what all deals net, and the deals by action."""

    total: int
    deals: int
    actions: dict[str, int]


def best_figures(ranks: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Figures:
    """Decide every position of a deck at best: its value and the frequency of each action, and no outcome.

    Raises:
        MagnitudeError: nets too far apart for values of 32 bits.
    """
    deck, openings = deck_of(ranks), openings_of(ranks)
    stakes = stakes_of(problem, deck, LOCKED)
    lost = {REGULAR_BONUS: REGULAR_BONUS_LOSES, BAD_BEAT: BAD_BEAT_LOSES}
    folded = problem.nets[FOLD] + sum(nets[lost[bet]] for bet, nets in problem.side_nets.items())
    checked, locked, best, plays = 0, 0, 0, 0
    decided = decide_openings(deck, [cards for cards, _ in openings], problem, progress)
    for (_, weight), each in zip(openings, decided, strict=True):
        checked, best, plays = checked + weight * each.checked, best + weight * each.best, plays + weight * each.plays
        positions, *met = each.locks.astype(object).transpose(2, 0, 1)
        locked += weight * positions.sum()
        gained = (stakes.worth[:, 0] + stakes.bonus[:, None]) * stakes.dealers * positions
        gained += sum(worth * sums for worth, sums in zip(stakes.worth.T[1:], met, strict=True))
        best += weight * (gained.sum() + (stakes.beat * each.ahead.astype(object)).sum())
    deals, played = (checked + locked) * deck.events, plays * deck.dealers
    actions = {"fold": checked * deck.events - played, "lock": int(locked * deck.events), "play": played}
    return Figures(int(folded * deals + best), int(deals), actions)


def booked(deck: Deck, problem: SolverProblem, weights: Sequence[int], counted: Sequence[Counted]) -> Solution:
    """Add up what comes of all openings, by outcome of main, and by outcome of the Regular Bonus."""
    totals, checked = np.zeros(counted[0].totals.shape, object), 0
    for weight, each in zip(weights, counted, strict=True):
        totals += weight * each.totals.astype(object)
        checked += weight * each.checked
    counts = np.zeros((REGULAR_BONUS_LOSES + 1, _OUTCOMES), object)
    for played, showdowns in ((LOCKED, deck.events), (PLAYED, deck.dealers)):
        outcomes = outcomes_of(problem.options, played)
        for bonus in range(REGULAR_BONUS_LOSES + 1):
            for group in range(GROUPS):
                positions, *sums = totals[played, bonus, group]
                for outcome, cell in zip(outcomes[group], cells_of(group, sums, positions * showdowns), strict=True):
                    counts[bonus, outcome] += cell
    played_positions = totals[PLAYED, :, :, 0].sum()
    counts[REGULAR_BONUS_LOSES, FOLD] = checked * deck.events - played_positions * deck.dealers
    ahead = sum(weight * each.ahead.sum(axis=0).astype(object) for weight, each in zip(weights, counted, strict=True))
    ahead[BAD_BEAT_LOSES] = counts.sum() - ahead.sum()
    by_outcome = tuple(int(count) for count in counts.sum(axis=0))
    errors = sum(weight * each.errors.astype(object) for weight, each in zip(weights, counted, strict=True))
    after_lock = 1 + (_OUTCOMES - 1) // 2
    return Solution(
        counts=by_outcome,
        actions={"fold": by_outcome[FOLD], "lock": sum(by_outcome[1:after_lock]), "play": sum(by_outcome[after_lock:])},
        equal_value_positions=sum(sum(each.equal) for each in counted),
        side_outcomes={
            REGULAR_BONUS: tuple((int(row.sum()), int(row @ np.array(problem.nets, object))) for row in counts),
            BAD_BEAT: tuple((int(count), None) for count in ahead),
        },
        mistakes=mistakes_in_words(errors, (deck.events, deck.dealers)),
    )
