"""Display of how the bets of a game move together: one small matrix, and the spread of the stakes."""

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from pitboss.analysis.covariance import CovarianceReport
from pitboss.analysis.par_sheet import ParSheet
from pitboss.cli.grids import Column, Grid
from pitboss.reports.formatting import COVARIANCE_REMARK, describe_mix, describe_simulated_errors, make_covariance_rows


def render_covariance(report: CovarianceReport, sheets: Sequence[ParSheet]) -> Group:
    """Draw variances on the diagonal, covariances below, correlations above; ``~`` marks simulated figures."""
    rows = make_covariance_rows(report, sheets)
    table = Grid((Column(wraps=True), *(Column(bet, right_aligned=True, splits=True) for bet, *_ in rows)))
    for row in rows:
        table.add_row(*row)
    return Group(
        Text(),
        Text("How the bets move together", "bold"),
        table,
        Text(COVARIANCE_REMARK, "dim"),
        *(Text(remark, "dim") for remark in describe_simulated_errors(report)),
        *([Text(describe_mix(report.mix))] if report.mix else []),
    )
