"""The values of fold and play at one position.

The dealer's completions are enumerated and settled by the game's own rules.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from pitboss.cards import DECK_52
from pitboss.core.progress import ProgressCallback
from pitboss.games.six_card.rules import SixCardOptions, SixCardState, SixCardView, act, settle, show_dealer
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray, get_card_bits
from pitboss.solver_api import ActionValue, SolverProblem

_ACTIONS = ("fold", "play")


def hint(
    problem: SolverProblem, view: SixCardView, _decision: int, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Return the values of fold and play.

    A value is the mean net over the 12,341 completions of the dealer's hand.

    Raises:
        ValueError: side wagers with main (none depends on the play).
    """
    if problem.side_nets:
        raise ValueError("no side wager of Six Card Poker depends on the play")
    left = [card for card in DECK_52.cards if not (view.player | view.dealer) >> card & 1]
    counts = np.zeros((len(_ACTIONS), len(problem.nets)), np.int64)
    _fill_showdowns(load_hand_tables(), view, get_card_bits(left), problem.options, counts)
    progress(1, 1)
    completions = int(counts[0].sum())
    return tuple(
        ActionValue(action, 0, Fraction(sum(map(int.__mul__, outcome_counts, problem.nets)), completions))
        for action, outcome_counts in zip(_ACTIONS, counts.tolist(), strict=True)
    )


@no_alloc_kernel
def _fill_showdowns(
    tables: HandTables, view: SixCardView, left: IntArray, options: SixCardOptions, counts: Any
) -> None:
    """Count the outcomes of main for each action.

    The dealer's hidden cards are every three of the cards left.
    """
    for high in range(len(left)):
        for middle in range(high):
            for low in range(middle):
                undecided = SixCardState(view.player, view.dealer, left[high] | left[middle] | left[low], 0, 0)
                for action in range(len(counts)):
                    decided = show_dealer(act(undecided, 0, action, 0))
                    counts[action, settle(tables, decided, options)[0]] += 1
