"""What main nets beside every outcome of the side wagers, which stand on the same two hands.

Aces Up and the progressive go by the player's hand alone, so by its line.  Bad Beat pays where two hands of aces up
differ, by the line of the weaker.  Two such hands are dealt one way round as often as the other, and the dealer
qualifies with both; so the deals that the player's hand loses are counted with its own line, and as many are won.
Only of hands that fold it must be known apart what they would have lost and won.
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
    """Return for each side wager, outcome by outcome, its deals and the sum of what main nets there.

    ``totals`` has the deals of the whole deck by line and column, ``FOLD_OUTCOME`` too.
    """
    lengths = {wager.id: len(wager.outcomes) for wager in GAME.wagers}
    own = {bet: [[0, 0] for _ in range(lengths[bet])] for bet in ("aces-up", "progressive", "bad-beat")}
    strengths = dict(zip(classes.lines.tolist(), classes.strengths.tolist(), strict=True))
    everything = [0, 0]
    for line, strength in strengths.items():
        booked = [int(deals) for deals in totals[line, :OUTCOME_COUNT]]
        come = sum(booked), sum(map(int.__mul__, booked, problem.nets))
        for sums in (
            own["aces-up"][settle_ranked_aces_up(strength)],
            own["progressive"][settle_ranked_progressive(strength)],
        ):
            _add_total(sums, *come)
        _add_total(everything, *come)
        lost, net = _sum_bad_beat(totals, line, strength, problem)
        if lost:
            _add_total(own["bad-beat"][settle_bad_beat(strength, strength + 1, problem.options)], lost, net)
    paid = own["bad-beat"][:-1]
    _add_total(
        own["bad-beat"][-1],
        everything[0] - sum(deals for deals, _ in paid),
        everything[1] - sum(net for _, net in paid),
    )
    return {bet: tuple((deals, net) for deals, net in lines) for bet, lines in own.items()}


def _add_total(sums: list[int], deals: int, net: int) -> None:
    sums[0] += deals
    sums[1] += net


def _sum_bad_beat(totals: IntArray, line: int, strength: int, problem: SolverProblem) -> tuple[int, int]:
    """Return the deals in which a hand of ``line`` is the weaker of two of aces up, and the sum of what main nets."""
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
