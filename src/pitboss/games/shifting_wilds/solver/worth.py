"""What positions are worth, as sums of what the dealers met add to it, and which outcomes these are."""

from collections.abc import Sequence

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, REGULAR_BONUS_LOSES, Options, main_outcome
from pitboss.games.shifting_wilds.solver.decks import Deck
from pitboss.games.shifting_wilds.solver.play import GROUPS, SUMS, Stakes
from pitboss.hands import ROYAL_FLUSH
from pitboss.solver_api import SolverProblem

FOLD = 0
BEATS = BAD_BEAT_LOSES + 2
LOCKED, PLAYED = 0, 1
REGULAR_BONUS, BAD_BEAT = "regular-bonus", "bad-beat"


def outcomes_of(options: Options, played: int) -> Integers:
    """Return the outcomes of each group, shape (groups, 6): win, tie, lose against a qualified dealer, then another.

    They are asked of the rule that compares two strengths, with strengths next to one another.
    """
    made = []
    for group in range(GROUPS):
        mine = ROYAL_FLUSH - group // 2 << 20 | 5
        cells = []
        for qualified in (1, 0):
            for dealers in (mine - 1, mine, mine + 1):
                qualifier = options._replace(dealer_qualifies=dealers + 1 - qualified)
                cells.append(main_outcome(mine, dealers, played, qualifier))
        made.append(cells)
    return np.array(made, np.int64)


def cells_of(group: int, sums: Sequence[int], whole: int) -> tuple[int, ...]:
    """Return how many of ``whole`` showdowns have each outcome of a group, from its sums of dealers.

    Where the player's strength qualifies (odd groups) all who do not are below it; otherwise all who do are above.
    """
    below, up_to, low = sums
    if group & 1:
        return below - low, up_to - below, whole - up_to, low, 0, 0
    return 0, 0, whole - low, below, up_to - below, low - up_to


def stakes_of(problem: SolverProblem, deck: Deck, played: int) -> Stakes:
    """Return what a Lock or a Play is decided by."""
    worth = np.zeros((GROUPS, SUMS), np.int64)
    for group, outcomes in enumerate(outcomes_of(problem.options, played)):
        nets = [problem.nets[outcome] - problem.nets[FOLD] for outcome in outcomes]
        for each in range(SUMS):
            # A position is worth what it is without dealers below; each sum adds to that in proportion.
            sums = [int(each == place) for place in range(1, SUMS)]
            cells = cells_of(group, sums, int(each == 0))
            worth[group, each] = sum(net * cell for net, cell in zip(nets, cells, strict=True))
    bonus = problem.side_nets.get(REGULAR_BONUS, (0,) * (REGULAR_BONUS_LOSES + 1))
    beat = problem.side_nets.get(BAD_BEAT, (0,) * BEATS)
    return Stakes(
        worth=worth,
        bonus=np.array([net - bonus[REGULAR_BONUS_LOSES] for net in bonus], np.int64),
        beat=np.array([net - beat[BAD_BEAT_LOSES] for net in beat], np.int64),
        lowest=problem.options.dealer_qualifies,
        dealers=deck.dealers if played else deck.events,
    )


def most_of(stakes: Stakes) -> int:
    """Return a bound of what any position is worth more or less than a fold."""
    return int(
        (np.abs(stakes.worth).sum(axis=1).max() + np.abs(stakes.bonus).max() + np.abs(stakes.beat).max())
        * stakes.dealers
    )
