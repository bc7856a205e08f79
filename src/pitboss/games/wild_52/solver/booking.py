"""The exact solution of Wild 52's main wager: what the decisions lead to, counted over all deals."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from pitboss.counting.blocks import Integers, Progress
from pitboss.games.wild_52.solver.decisions import Decided, first_decisions, second_decisions
from pitboss.games.wild_52.solver.decks import CELLS, RANKS, Deck, deck_of, outcome_of_cells
from pitboss.solving import Problem, Solution

_OUTCOMES = 13


def solve(problem: Problem, progress: Progress) -> Solution:
    """Solve the main wager: every deal of the whole deck, both decisions best, equal values as ruling ALL-9 says.

    Deals are the player's five, the two community cards in their order and the dealer's five: C(53, 5) x 48 x 47 x
    C(46, 5).  ``equal_value_positions`` counts, up to suits, hands whose Play is worth a fold, and of the hands that
    play those with a first community card beside which a check is worth a second Play.

    Raises:
        OverflowError: nets beyond what 64-bit values hold.
    """
    return solve_deck(RANKS, problem.options, problem.nets, progress)


def solve_deck(ranks: Sequence[int], options: Any, nets: Sequence[int], progress: Progress) -> Solution:
    """Solve the main wager with a deck of four suits of ``ranks`` (three or more, rising) and the Joker."""
    deck = deck_of(ranks)
    if max(map(abs, nets)) * deck.rounds >= 1 << 62:
        raise OverflowError("a value of the first decision does not fit 64 bits: give nets in a larger unit")
    outcomes = outcome_of_cells(options)
    played_nets = np.array(nets, np.int64)[outcomes]
    naturals, joker = second_decisions(deck, options, played_nets, progress)
    return _booked(deck, outcomes, nets, naturals, joker)


def _booked(deck: Deck, outcomes: Integers, nets: Sequence[int], naturals: Decided, joker: Decided) -> Solution:
    """Fold or play, and count what comes of it over all hands.

    Over whole classes an exchange of suits only changes the order of adding up: natural first cards of four suits count
    four times what those of the first suit do.
    """
    classes = deck.orbits
    values, fold = first_decisions(deck, naturals, joker), nets[0] * deck.rounds
    played = values > fold
    weights = np.where(played, classes.weights, 0).astype(np.int64)
    counts = [0] * _OUTCOMES
    counts[0] = int((classes.weights - weights).sum()) * deck.rounds
    for raised, cell in product((0, 1), range(CELLS)):
        row = CELLS * raised + cell
        counts[outcomes[raised, cell]] += 4 * int(weights @ naturals.cells[row]) + int(weights @ joker.cells[row])
    equal = int((values[classes.least] == fold).sum())
    equal += int(naturals.equal[played].sum()) + int(joker.equal[played & classes.least].sum())
    once, twice = (sum(counts[first : first + CELLS]) for first in (1, 7))
    return Solution(tuple(counts), {"fold": counts[0], "raise-once": once, "raise-twice": twice}, equal)
