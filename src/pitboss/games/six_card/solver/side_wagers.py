"""What main nets with every outcome of the side wagers.

The side wagers depend on the same two hands as main.  Aces Up and the progressive depend on the player's hand alone, so
on its line.  Bad Beat pays by the line of the weaker hand where both hands are a pair of aces or better and differ.
Two given hands are dealt one way round as often as the other, and the dealer qualifies with both.  So the deals that
the player's hand loses are counted by its own line, and the same number is won.  Only for hands that fold the deals
they would have lost and won are counted separately.
"""

from collections.abc import Mapping

from pitboss.games.six_card import GAME
from pitboss.games.six_card.rules import (
    PAIR_OF_ACES,
    settle_bad_beat,
    settle_main,
    settle_ranked_aces_up,
    settle_ranked_progressive,
)
from pitboss.games.six_card.solver.census import FOLD, FOLDED_LOST, FOLDED_WON, LOSE, OUTCOME_COUNT, StrengthClasses
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import SolverProblem

LineTotals = tuple[tuple[int, int], ...]


def count_side_wagers(totals: IntArray, classes: StrengthClasses, problem: SolverProblem) -> Mapping[str, LineTotals]:
    """Count the deals of each side wager's outcomes, and sum main's net in them.

    ``totals`` has the deals of the whole deck by line and column, with column ``FOLD`` filled.
    """
    lengths = {wager.id: len(wager.outcomes) for wager in GAME.wagers}
    own = {bet: [[0, 0] for _ in range(lengths[bet])] for bet in ("aces-up", "progressive", "bad-beat")}
    strengths = dict(zip(classes.lines.tolist(), classes.strengths.tolist(), strict=True))
    all_deals = [0, 0]
    for line, strength in strengths.items():
        outcome_counts = [int(deals) for deals in totals[line, :OUTCOME_COUNT]]
        line_total = sum(outcome_counts), sum(map(int.__mul__, outcome_counts, problem.nets))
        for sums in (
            own["aces-up"][settle_ranked_aces_up(strength)],
            own["progressive"][settle_ranked_progressive(strength)],
        ):
            _add_total(sums, *line_total)
        _add_total(all_deals, *line_total)
        deals, net = _sum_bad_beat(totals, line, strength, problem)
        if deals:
            _add_total(own["bad-beat"][settle_bad_beat(strength, strength + 1, problem.options)], deals, net)
    paying_lines = own["bad-beat"][:-1]
    _add_total(
        own["bad-beat"][-1],
        all_deals[0] - sum(deals for deals, _ in paying_lines),
        all_deals[1] - sum(net for _, net in paying_lines),
    )
    return {bet: tuple((deals, net) for deals, net in lines) for bet, lines in own.items()}


def _add_total(sums: list[int], deals: int, net: int) -> None:
    sums[0] += deals
    sums[1] += net


def _sum_bad_beat(totals: IntArray, line: int, strength: int, problem: SolverProblem) -> tuple[int, int]:
    """Count the deals in which ``line`` is the losing hand of a Bad Beat.

    It is the weaker of two hands of aces or better.  Return also the sum of main's nets in these deals.
    """
    if strength < PAIR_OF_ACES:
        return 0, 0
    nets = problem.nets
    lost, lost_unqualified, given_up, forgone = (
        int(totals[line, column]) for column in (LOSE, LOSE + 1, FOLDED_LOST, FOLDED_WON)
    )
    one_way = lost + lost_unqualified + given_up
    won = nets[settle_main(strength + 1, strength, problem.options)]
    net = lost * nets[LOSE] + lost_unqualified * nets[LOSE + 1] + (one_way - forgone) * won
    return 2 * one_way, net + (given_up + forgone) * nets[FOLD]
