"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five.

Only the discard is decided and no board is shared, so one sweep answers for all (``met``).
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import DECK_54
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.wild_six_card.rules import HAND, WildSixView, legal_actions
from pitboss.games.wild_six_card.solver.census import SIX, STEPS, FirstFives, Flags, take_census
from pitboss.games.wild_six_card.solver.decide import (
    NO_CHOICE,
    SCALE,
    STAND,
    Choices,
    ChoiceTotals,
    choose_best_discards,
    total_choices,
)
from pitboss.games.wild_six_card.solver.mistakes import list_mistakes, tabulate_policy
from pitboss.games.wild_six_card.solver.outcomes import SIDE_OUTCOME_COUNTS, book_outcomes
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import SuitedDeck
from pitboss.solver_api import Mistake, Solution, SolverProblem

WHOLE_DECK = SuitedDeck(jokers=DECK_54.jokers)
_VALUE_LIMIT = 1 << 62


class PlayedFives(NamedTuple):
    """A play of every first five.

    With it the deals by outcome of the side wagers, ``SIDE_OUTCOME_COUNTS``, and ``main``.

    ``totals`` has what each choice comes to; ``equal`` tells where another choice than the best is worth as much,
    nowhere if the play was given.
    """

    first_fives: FirstFives
    totals: ChoiceTotals
    choices: Choices
    equal: Flags
    mistakes: tuple[Mistake, ...]
    outcomes: IntArray


def solve(
    problem: SolverProblem, progress: ProgressCallback = ignore_progress, deck: SuitedDeck = WHOLE_DECK
) -> Solution:
    """Return what the best play leads to, or ``problem.strategy``.

    A deal is the first five, the card drawn and the dealer's six: C(54, 5) x 49 x C(48, 6) deals.  Where nothing is
    drawn every card left counts as the one that would have been.  A position is a first five up to suits that is no
    automatic winner; two choices count as equal there when no exchange of suits or Jokers makes one the other.

    Raises:
        ValueError: nets so large that values could outgrow 63 bits; a strategy that chooses what the rules do not
            allow; or ``problem.beside`` has a wager: none of this game's depends on the play.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Wild Six Card Poker depends on the play")
    found = play_first_fives(problem, progress, deck)
    deals = _count_deals(deck)
    automatic_winners, standing = found.choices == NO_CHOICE, found.choices == STAND
    taken = {
        "automatic": automatic_winners,
        "discard": ~(automatic_winners | standing),
        "stand": standing,
    }
    actions = {path: int(found.first_fives.orbits[where].sum()) * deals for path, where in taken.items()}
    counts = tuple(map(int, found.outcomes.sum(axis=(0, 1, 2))))
    beside = _total_side_wagers(found.outcomes, problem.nets)
    return Solution(counts, actions, int(np.count_nonzero(found.equal)), beside, found.mistakes)


def _count_deals(deck: SuitedDeck) -> int:
    """Return the deals of one first five: cards drawn times the dealer's hands."""
    size = len(deck.cards)
    return (size - HAND) * comb(size - SIX, SIX)


def _total_side_wagers(outcomes: IntArray, nets: Sequence[int]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return for each outcome of each side wager its deals and the sum of what ``main`` nets there."""
    beside = {}
    for place, bet in enumerate(SIDE_OUTCOME_COUNTS):
        others = tuple(axis for axis in range(len(SIDE_OUTCOME_COUNTS)) if axis != place)
        lines = outcomes.sum(axis=others).tolist()
        beside[bet] = tuple(
            (sum(line), sum(net * deals for net, deals in zip(nets, line, strict=True))) for line in lines
        )
    return beside


def play_first_fives(
    problem: SolverProblem, progress: ProgressCallback = ignore_progress, deck: SuitedDeck = WHOLE_DECK
) -> PlayedFives:
    """Play every first five of a deck of twelve cards or more.

    Raises:
        ValueError: as ``solve``.
    """
    options, nets, strategy = problem.options, problem.nets, problem.strategy
    largest = max(map(abs, nets))
    if largest * _count_deals(deck) * deck.relabellings * SCALE >= _VALUE_LIMIT:
        raise MagnitudeError(
            f"nets of up to {largest} units are too large to be weighed in 63 bits: {SMALLER_PAYS_ADVICE}"
        )
    firsts, met = take_census(deck, options, progress)
    ends = total_choices(firsts, met)
    may_stand = bool(legal_actions(load_hand_tables(), WildSixView(0, 0, 0), 0, 0, options) >> 1 & 1)
    choices, equal = choose_best_discards(firsts, ends, nets, may_stand=may_stand)
    wrong: tuple[Mistake, ...] = ()
    if strategy:
        best, choices = choices, tabulate_policy(strategy, firsts, options, may_stand=may_stand)
        wrong = list_mistakes(firsts, ends, nets, choices, best, _count_deals(deck))
        equal = np.zeros_like(equal)
    progress(STEPS - 1, STEPS)
    outcomes = book_outcomes(firsts, met, choices, options)
    progress(STEPS, STEPS)
    return PlayedFives(firsts, ends, choices, equal, wrong, outcomes)
