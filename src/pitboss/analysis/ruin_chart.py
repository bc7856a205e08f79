"""The data of the chart of a bet's risk of ruin, by bankroll and rounds."""

from fractions import Fraction

from pitboss.analysis.bet_charts import name_bet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.round_exposure import compute_max_wager
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.simulate.session_distribution import compute_session
from pitboss.value_units import name_one_unit

RUIN = "ruin"

SESSION_ROUNDS, MOST_SESSION_ROUNDS = 1_000, 10_000
"""The longest session of a chart, unless another is asked for, and the longest that may be."""

RUIN_COLUMNS = ("bankroll", "rounds", "risk_of_ruin")

_BANKROLLS = (5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300)
_PARTS = (20, 10, 5, 2, 1)


def compute_ruin_chart(
    sheet: ParSheet, most_rounds: int = SESSION_ROUNDS, progress: ProgressCallback = ignore_progress
) -> ChartData:
    """Compute how likely a bankroll is to be lost within sessions of flat bets.

    A session ends when the bankroll does not cover the most that a round may cost.  Bankrolls are in units of the bet's
    first stake (for main, Antes), sessions are a 20th, a tenth, a fifth, half and all of ``most_rounds``.

    Raises:
        SessionError: as ``compute_session``.
    """
    (unit, nets), cost = sheet.scale_nets(), compute_round_cost(sheet)
    bankrolls = [each for each in _BANKROLLS if each >= cost]
    lengths = sorted({max(1, most_rounds // part) for part in _PARTS})
    rows = []
    for done, bankroll in enumerate(bankrolls, 1):
        session = compute_session(nets, most_rounds, bankroll * unit, int(cost * unit))
        rows += [(bankroll, rounds, float(session.ruined_by[rounds])) for rounds in lengths]
        progress(done, len(bankrolls))
    one = name_one_unit(sheet.game) if sheet.is_main else "unit"
    units = f"{one}s"
    return ChartData(
        RUIN,
        sheet.game.id,
        f"{name_bet(sheet)}: the risk of ruin",
        "How likely a bankroll is to be lost within a number of rounds of one unit each. A session ends when the "
        f"bankroll no longer covers a round, which may cost {float(cost):g} {units if cost > 1 else one}.",
        RUIN_COLUMNS,
        tuple(rows),
        {"bet": sheet.wager.id, "unit": units, "round_cost": float(cost)},
    )


def compute_round_cost(sheet: ParSheet) -> Fraction:
    """Compute the most that a round of one unit may cost, as far as it is raised.

    A part of main costs what its losing outcomes lose.
    """
    if sheet.wager in sheet.game.wagers:
        return compute_max_wager(sheet.game, {sheet.wager.id: Fraction(1)})
    return max(Fraction(1), -min(sheet.deals_by_net))
