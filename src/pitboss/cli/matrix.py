"""How the bets of a game move together, as people read it: one small matrix, and the spread of what is staked."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from pitboss.analysis.covariance import Together
from pitboss.analysis.sheet import ParSheet
from pitboss.reports.words import MATRIX_REMARK, matrix, mixed, simulated_moves


def drawn_together(found: Together, sheets: Sequence[ParSheet]) -> Group:
    """Draw variances on the diagonal, covariances below it, correlations above; what is simulated has a ``~``."""
    rows = matrix(found, sheets)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("")
    for bet, *_ in rows:
        table.add_column(bet, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return Group(
        Text(),
        Text("How the bets move together", "bold"),
        table,
        Text(MATRIX_REMARK, "dim"),
        *(Text(remark, "dim") for remark in simulated_moves(found)),
        *([Text(mixed(found.mix))] if found.mix else []),
    )
