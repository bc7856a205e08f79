"""The exact solution of the Poker bet: the best choice for each first five.

The discard is the only decision and there are no shared cards, so one sweep is enough for all fives (``census``).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import DECK_54
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.wild_six_card.rules import HAND, WildSixView, legal_actions
from pitboss.games.wild_six_card.solver.census import SIX, STEPS, FirstFives, Flags, SixesCensus, take_census
from pitboss.games.wild_six_card.solver.decide import (
    NO_CHOICE,
    SCALE,
    STAND,
    ChoiceCodes,
    ChoiceTotals,
    choose_best_discards,
    total_choices,
)
from pitboss.games.wild_six_card.solver.outcome_counts import SIDE_OUTCOME_COUNTS, tally_outcomes
from pitboss.games.wild_six_card.solver.policy_table import list_mistakes, tabulate_policy
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import SuitedDeck
from pitboss.solver_api import Mistake, Solution, SolverProblem, Strategy

WHOLE_DECK = SuitedDeck(jokers=DECK_54.jokers)
_VALUE_LIMIT = 1 << 62


class CountedFives(NamedTuple):
    """Every first five of a deck, counted for any play.

    ``best`` has the choice of the best play, and ``equal`` is true where another choice has the same value.
    """

    first_fives: FirstFives
    census: SixesCensus
    totals: ChoiceTotals
    may_stand: bool
    best: ChoiceCodes
    equal: Flags


class PlayedFives(NamedTuple):
    """A play of every first five, with its results.

    ``totals`` has the results of each choice.  ``equal`` is true where another choice has the same value as the best;
    it is false everywhere for a given strategy.  ``outcomes`` has the deals by outcome of the side wagers
    (``SIDE_OUTCOME_COUNTS``) and of ``main``.
    """

    first_fives: FirstFives
    totals: ChoiceTotals
    choices: ChoiceCodes
    equal: Flags
    mistakes: tuple[Mistake, ...]
    outcomes: IntArray


def solve(
    problem: SolverProblem, progress: ProgressCallback = ignore_progress, deck: SuitedDeck = WHOLE_DECK
) -> Solution:
    """Solve the Poker bet for the best play, or for ``problem.strategy``.

    A deal is the first five, the card drawn and the dealer's six: C(54, 5) x 49 x C(48, 6) deals.  Where nothing is
    drawn, each remaining card counts as the one drawn.  A position is a first five, up to suits, that is not an
    automatic winner.  Two choices of the same value count as equal unless an exchange of suits or Jokers maps one to
    the other.

    Raises:
        MagnitudeError: the nets are so large that values could exceed 63 bits.
        ValueError: a strategy makes a choice that the rules do not allow; or ``problem.side_nets`` has a wager, though
            no side wager of this game depends on the play.
    """
    return solve_side_by_side(problem, (problem.strategy,), progress, deck)[0]


def solve_side_by_side(
    problem: SolverProblem,
    plays: Sequence[Strategy | None],
    progress: ProgressCallback = ignore_progress,
    deck: SuitedDeck = WHOLE_DECK,
) -> tuple[Solution, ...]:
    """Solve for several plays with one census.

    A play is a strategy, or None for the best play, as in ``solve``.

    Raises:
        MagnitudeError, ValueError: as ``solve``.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Wild Six Card Poker depends on the play")
    counted = _count_fives(problem, progress, deck)
    solutions = tuple(
        _make_solution(_play(counted, replace(problem, strategy=play), deck), problem.nets, deck) for play in plays
    )
    progress(STEPS, STEPS)
    return solutions


def _make_solution(played: PlayedFives, nets: Sequence[int], deck: SuitedDeck) -> Solution:
    deals = _count_deals(deck)
    is_winner, is_standing = played.choices == NO_CHOICE, played.choices == STAND
    choice_masks = {
        "automatic": is_winner,
        "discard": ~(is_winner | is_standing),
        "stand": is_standing,
    }
    actions = {path: int(played.first_fives.orbits[is_taken].sum()) * deals for path, is_taken in choice_masks.items()}
    counts = tuple(map(int, played.outcomes.sum(axis=(0, 1, 2))))
    side_outcomes = _total_side_wagers(played.outcomes, nets)
    return Solution(counts, actions, int(np.count_nonzero(played.equal)), side_outcomes, played.mistakes)


def _count_deals(deck: SuitedDeck) -> int:
    """Count the deals of one first five: cards drawn times the dealer's hands."""
    size = len(deck.cards)
    return (size - HAND) * comb(size - SIX, SIX)


def _total_side_wagers(outcomes: IntArray, nets: Sequence[int]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Total the deals and main's net for each outcome of each side wager."""
    totals = {}
    for place, bet in enumerate(SIDE_OUTCOME_COUNTS):
        others = tuple(axis for axis in range(len(SIDE_OUTCOME_COUNTS)) if axis != place)
        lines = outcomes.sum(axis=others).tolist()
        totals[bet] = tuple(
            (sum(line), sum(net * deals for net, deals in zip(nets, line, strict=True))) for line in lines
        )
    return totals


def play_first_fives(
    problem: SolverProblem, progress: ProgressCallback = ignore_progress, deck: SuitedDeck = WHOLE_DECK
) -> PlayedFives:
    """Play every first five of a deck of twelve cards or more.

    Raises:
        MagnitudeError, ValueError: as ``solve``.
    """
    played = _play(_count_fives(problem, progress, deck), problem, deck)
    progress(STEPS, STEPS)
    return played


def _count_fives(problem: SolverProblem, progress: ProgressCallback, deck: SuitedDeck) -> CountedFives:
    """Count what each choice brings, and choose the best."""
    options, nets = problem.options, problem.nets
    largest = max(map(abs, nets))
    if largest * _count_deals(deck) * deck.relabellings * SCALE >= _VALUE_LIMIT:
        raise MagnitudeError(
            f"nets of up to {largest} units are too large for sums in 63 bits: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            largest=largest,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    first_fives, census = take_census(deck, options, progress)
    totals = total_choices(first_fives, census)
    may_stand = bool(legal_actions(load_hand_tables(), WildSixView(0, 0, 0), 0, 0, options) >> 1 & 1)
    best, equal = choose_best_discards(first_fives, totals, nets, may_stand=may_stand)
    progress(STEPS - 1, STEPS)
    return CountedFives(first_fives, census, totals, may_stand, best, equal)


def _play(counted: CountedFives, problem: SolverProblem, deck: SuitedDeck) -> PlayedFives:
    """Play every first five that was counted, by the problem's strategy or best."""
    first_fives, census, totals, may_stand, best, equal = counted
    options, strategy, choices = problem.options, problem.strategy, best
    mistakes: tuple[Mistake, ...] = ()
    if strategy:
        choices = tabulate_policy(strategy, first_fives, options, may_stand=may_stand)
        mistakes = list_mistakes(first_fives, totals, problem.nets, choices, best, _count_deals(deck))
        equal = np.zeros_like(equal)
    outcomes = tally_outcomes(first_fives, census, choices, options)
    return PlayedFives(first_fives, totals, choices, equal, mistakes, outcomes)
