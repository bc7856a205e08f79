"""The exact solution of Six Card Poker's main wager, over all deals."""

from collections.abc import Sequence
from math import comb

import numpy as np

from pitboss.cards import DECK_52
from pitboss.core.errors import SMALLER_PAYS_ADVICE, MagnitudeError
from pitboss.core.progress import ProgressCallback
from pitboss.games.six_card.rules import EXPOSED, HAND
from pitboss.games.six_card.solver.census import (
    EQUAL,
    FOLD,
    OUTCOME_COUNT,
    count_boards,
    count_hands_by_line,
    make_classes,
)
from pitboss.games.six_card.solver.policy_table import MAX_MISTAKES, describe_hand, list_mistakes, tabulate_policy
from pitboss.games.six_card.solver.side_wagers import count_side_wagers
from pitboss.kernels.suit_symmetry import list_suit_classes, list_suit_orders
from pitboss.solver_api import Solution, SolverProblem

_MAX_NET = (1 << 31) // comb(43, 3)


def solve(problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Return the best play of ``main``, or the given strategy, over all deals.

    A deal is the player's six cards, the dealer's six and which three of those are exposed: C(52,6) x C(46,6) x 20.
    The problem's nets are those of fold, then of win, tie and lose, each with the dealer qualified and not.  A position
    is three exposed cards and a hand, up to suits.

    For a strategy no position counts as equal, and ``mistakes`` are grouped by the player's hand and by what the dealer
    shows.

    Raises:
        ValueError: nets that differ by 174,012 or more, side wagers with main (none depends on the play), or a strategy
            that looks at suits it may not look at (``policy_table``).
    """
    return solve_deck(DECK_52.cards, problem, progress)


def solve_deck(deck: Sequence[int], problem: SolverProblem, progress: ProgressCallback) -> Solution:
    """Solve the game for a deck of whole ranks, three or more.

    Raises:
        ValueError: a deck that lacks some cards of a rank, or a problem that ``solve`` refuses.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Six Card Poker depends on the play")
    if len(list_suit_orders(sum(1 << card for card in deck))) < 24:
        raise ValueError("a deck must have four cards of every rank")
    gains = [int(net) - int(problem.nets[FOLD]) for net in problem.nets]
    if max(map(abs, gains)) >= _MAX_NET:
        raise MagnitudeError(
            f"nets that differ by {_MAX_NET} units or more are too large: {SMALLER_PAYS_ADVICE}",
            code="pays-too-large",
            most=_MAX_NET,
            smaller_pays_advice=SMALLER_PAYS_ADVICE,
        )
    boards, weights = list_suit_classes(deck, EXPOSED)
    classes, group_names = make_classes(problem.options, describe_hand if problem.strategy else None)
    policy = tabulate_policy(problem.strategy, classes, problem.options) if problem.strategy else None
    board_counts = count_boards(deck, boards, problem.options, gains, classes, policy, progress)
    totals = np.tensordot(weights, board_counts.deals, 1)  # at most the number of deals, 3.9e15
    deals_per_hand = comb(len(deck) - HAND, HAND) * comb(HAND, EXPOSED)
    for line, hands in enumerate(count_hands_by_line(deck, classes)):
        totals[line, FOLD] = hands * deals_per_hand - sum(totals[line, FOLD + 1 : OUTCOME_COUNT])
    counts = tuple(int(column.sum()) for column in totals[:, :OUTCOME_COUNT].T)
    actions = {"fold": counts[FOLD], "play": sum(counts) - counts[FOLD]}
    mistakes = list_mistakes(board_counts, boards, weights, group_names)[:MAX_MISTAKES]
    return Solution(
        counts,
        actions,
        int(board_counts.deals[:, :, EQUAL].sum()),
        count_side_wagers(totals, classes, problem),
        tuple(mistakes),
    )
