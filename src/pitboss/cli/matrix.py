"""How the bets of a game move together, as people read it: one small matrix, and the spread of what is staked."""

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from pitboss.analysis.covariance import CovarianceReport
from pitboss.analysis.par_sheet import ParSheet
from pitboss.cli.grids import Column, Grid
from pitboss.reports.words import MATRIX_REMARK, matrix, mixed, simulated_moves


def drawn_together(found: CovarianceReport, sheets: Sequence[ParSheet]) -> Group:
    """Draw variances on the diagonal, covariances below it, correlations above; what is simulated has a ``~``."""
    rows = matrix(found, sheets)
    table = Grid((Column(words=True), *(Column(bet, right=True, alike=True) for bet, *_ in rows)))
    for row in rows:
        table.add(*row)
    return Group(
        Text(),
        Text("How the bets move together", "bold"),
        table,
        Text(MATRIX_REMARK, "dim"),
        *(Text(remark, "dim") for remark in simulated_moves(found)),
        *([Text(mixed(found.mix))] if found.mix else []),
    )
