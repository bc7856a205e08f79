"""The payoffs of positions, and the outcomes behind them.

Payoffs are sums over the dealers that a position meets.
"""

from collections.abc import Sequence

import numpy as np

from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, REGULAR_BONUS_LOSES, ShiftingOptions, settle_main
from pitboss.games.shifting_wilds.solver.deck import DeckTables
from pitboss.games.shifting_wilds.solver.play_values import GROUP_COUNT, SUM_COUNT, Payoffs
from pitboss.hands import ROYAL_FLUSH
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import SolverProblem

FOLD_OUTCOME = 0
BAD_BEAT_OUTCOMES = BAD_BEAT_LOSES + 2
AFTER_LOCK, AFTER_PLAY = 0, 1
REGULAR_BONUS, BAD_BEAT = "regular-bonus", "bad-beat"


def tabulate_outcomes(options: ShiftingOptions, after: int) -> IntArray:
    """Return the outcomes of each group, shape (groups, 6).

    They are win, tie and lose with a dealer who qualifies, then with one who does not.  They come from the rule that
    compares two strengths, applied to neighbouring strengths.
    """
    groups = []
    for group in range(GROUP_COUNT):
        mine = ROYAL_FLUSH - group // 2 << 20 | 5
        cells = []
        for qualified in (1, 0):
            for theirs in (mine - 1, mine, mine + 1):
                qualifier = options._replace(dealer_qualifies=theirs + 1 - qualified)
                cells.append(settle_main(mine, theirs, after, qualifier))
        groups.append(cells)
    return np.array(groups, np.int64)


def split_showdowns(group: int, sums: Sequence[int], showdowns: int) -> tuple[int, ...]:
    """Return how many of a group's ``showdowns`` have each outcome.

    This follows from the group's sums of dealers.  If the player's strength qualifies (odd groups), all dealers that do
    not qualify are below it; otherwise all that qualify are above it.
    """
    below, up_to, low = sums
    if group & 1:
        return below - low, up_to - below, showdowns - up_to, low, 0, 0
    return 0, 0, showdowns - low, below, up_to - below, low - up_to


def make_payoffs(problem: SolverProblem, deck: DeckTables, after: int) -> Payoffs:
    """Return the payoffs that decide a Lock or a Play."""
    group_values = np.zeros((GROUP_COUNT, SUM_COUNT), np.int64)
    for group, outcomes in enumerate(tabulate_outcomes(problem.options, after)):
        nets = [problem.nets[outcome] - problem.nets[FOLD_OUTCOME] for outcome in outcomes]
        for each in range(SUM_COUNT):
            # A position has its value with no dealer below, tied or unqualified; each sum adds to that in proportion.
            sums = [int(each == place) for place in range(1, SUM_COUNT)]
            cells = split_showdowns(group, sums, int(each == 0))
            group_values[group, each] = sum(net * cell for net, cell in zip(nets, cells, strict=True))
    bonus = problem.side_nets.get(REGULAR_BONUS, (0,) * (REGULAR_BONUS_LOSES + 1))
    beat = problem.side_nets.get(BAD_BEAT, (0,) * BAD_BEAT_OUTCOMES)
    return Payoffs(
        group_values=group_values,
        bonus_values=np.array([net - bonus[REGULAR_BONUS_LOSES] for net in bonus], np.int64),
        bad_beat_values=np.array([net - beat[BAD_BEAT_LOSES] for net in beat], np.int64),
        qualifying_strength=problem.options.dealer_qualifies,
        dealer_count=deck.dealer_hand_count if after else deck.lock_event_count,
    )


def bound_values(payoffs: Payoffs) -> int:
    """Bound the difference in value between any position and a fold."""
    return int(
        (
            np.abs(payoffs.group_values).sum(axis=1).max()
            + np.abs(payoffs.bonus_values).max()
            + np.abs(payoffs.bad_beat_values).max()
        )
        * payoffs.dealer_count
    )
