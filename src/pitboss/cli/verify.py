"""``pitboss verify``: check the record of a provably fair round.

The deck is recomputed, and the record is also checked against receipts.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.arguments import JsonOption
from pitboss.cli.terminal_tables import make_console
from pitboss.core.errors import HistoryError, quote
from pitboss.core.extras import write_install_hint
from pitboss.table.round.history import read_history

FAILED_STATUS = 1


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The history of a round with a provably fair shuffle.")],
    *,
    receipt: Annotated[
        list[Path] | None,
        typer.Option("--receipt", help="A receipt that a seat got before the cards were dealt; repeatable."),
    ] = None,
    house_key: Annotated[
        str, typer.Option("--house-key", help="The server's public key, 64 hexadecimal digits, as its page shows it.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Check a provably fair round: recompute its deck and compare the record.

    Each check is printed on its own line.  With the receipt that a seat got before the cards were dealt, the record is
    also checked against what the house committed to.  The exit status is 1 if a check fails.

    Such a round is played at a table of `pitboss serve` with a provably fair shuffle, and its page *Check a round* has
    the file.  `pitboss play` deals without one: `pitboss replay` checks the rounds that it records.

    For example:

        pitboss verify round.toml
        pitboss verify round.toml --receipt receipt.json
    """
    try:
        from pitboss.ledger.public_keys import find_key_fault
        from pitboss.table.fair_verification import NO_RECEIPT_NOTE, verify_fair_round
        from pitboss.table.receipts import ReceiptError, read_receipt
    except ModuleNotFoundError as error:
        raise HistoryError(
            f"{error.name} is not installed: {write_install_hint('ledger')}", code="not-installed"
        ) from None
    if house_key and (fault := find_key_fault(house_key)):
        raise ReceiptError(
            f"--house-key {quote(house_key)} is not a valid key: {fault}",
            code="invalid-key",
            house_key=house_key,
        )
    receipts = [read_receipt(each) for each in receipt or ()]
    checks = list(verify_fair_round(read_history(file), receipts, house_key))
    holds = all(check.holds for check in checks)
    note = "" if receipts else NO_RECEIPT_NOTE
    if as_json:
        json.dump({"holds": holds, "checks": [check._asdict() for check in checks], "note": note}, sys.stdout)
        sys.stdout.write("\n")
    else:
        lines = [f"{'holds ' if check.holds else 'FAILED'}  {check.name}: {check.text}" for check in checks]
        for line in [*lines, *([f"note    {note}"] if note else ())]:
            make_console().print(line, markup=False, soft_wrap=True)
    if not holds:
        raise typer.Exit(FAILED_STATUS)
