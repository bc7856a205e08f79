"""``pitboss verify``: the deck of a provably fair round drawn again."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.arguments import AsJson
from pitboss.cli.grids import screen
from pitboss.core.errors import HistoryError
from pitboss.table.domain.history import read_history

FAILED = 1


def verify(
    file: Annotated[Path, typer.Argument(help="The history of a round whose shuffle was provably fair.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Draw the deck of a provably fair round again, and say line by line what holds.

    The exit status is 1 if something does not.

    For example:

        pitboss verify round.toml
        pitboss verify round.toml --json
    """
    try:
        from pitboss.table.verify import checks
    except ModuleNotFoundError as error:
        raise HistoryError(f"{error.name} is not installed: pip install 'pitboss[ledger]'") from None
    found = list(checks(read_history(file)))
    holds = all(check.holds for check in found)
    if as_json:
        said = {"holds": holds, "checks": [check._asdict() for check in found]}
        json.dump(said, sys.stdout)
        sys.stdout.write("\n")
    else:
        console = screen()
        for check in found:
            console.print(f"{'holds ' if check.holds else 'FAILED'}  {check.name}: {check.text}", markup=False)
    if not holds:
        raise typer.Exit(FAILED)
