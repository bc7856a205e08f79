"""How the bets of a game move together, as people read it: one small matrix, and the spread of what is staked."""

from collections.abc import Sequence
from math import sqrt

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from pitboss.analysis.covariance import Mix, Moves, Together
from pitboss.analysis.sheet import ParSheet


def drawn_together(found: Together, sheets: Sequence[ParSheet]) -> Group:
    """Draw variances on the diagonal, covariances below it, correlations above; what is simulated has a ``~``."""
    moving = {bet for each in found.moves for bet in each.bets}
    shown = [sheet for sheet in sheets if sheet.wager.id in moving]
    of_pair = {frozenset(each.bets): each for each in found.moves}
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("")
    for sheet in shown:
        table.add_column(sheet.wager.id, justify="right", no_wrap=True)
    for row, one in enumerate(shown):
        cells = []
        for column, other in enumerate(shown):
            each = of_pair.get(frozenset((one.wager.id, other.wager.id)))
            if row == column:
                cells.append(f"{float(one.variance):,.4f}")
            else:
                cells.append(_written(each, covariance=column < row))
        table.add_row(one.wager.id, *cells)
    return Group(
        Text(),
        Text("How the bets move together", "bold"),
        table,
        Text("variances on the diagonal, covariances below, correlations above; per unit staked on each", "dim"),
        *(_remark(each) for each in found.moves if each.standard_error is not None),
        *([_mixed(found.mix)] if found.mix else []),
    )


def _written(each: Moves | None, *, covariance: bool) -> str:
    if each is None:
        return "-"
    mark = "" if each.standard_error is None else "~"
    return mark + (f"{float(each.covariance):+,.6f}" if covariance else f"{each.correlation:+.4f}")


def _remark(each: Moves) -> Text:
    """Say of a simulated covariance how far it may be off, and how was played."""
    play = f", played by the strategy {each.play}" if each.play else ""
    return Text(f"~ {' and '.join(each.bets)}: simulated, standard error {each.standard_error:.6f}{play}", "dim")


def _mixed(mix: Mix) -> Text:
    staked = " + ".join(f"{stake} {bet}" for bet, stake in mix.stakes.items())
    spread = f"standard deviation {sqrt(mix.variance):,.6f}" + ("" if mix.exact else " (in part simulated)")
    return Text(f"{staked}: expected value {float(mix.expected_value):+.8f}, {spread}")
