"""Results for ``pitboss monitor`` from the ledger of tables or of a progressive."""

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.table_results import ResultRow, verify_result_rows
from pitboss.cli.jackpot_ledger import LedgerCall
from pitboss.cli.ledger_location import to_database_url
from pitboss.cli.serve import get_table_key_path
from pitboss.core.errors import MonitorError, PitbossError
from pitboss.core.extras import write_install_hint

if TYPE_CHECKING:
    from pitboss.ledger.store import Store


def read_ledger(ledger: str, name: str, bet: MonitoredBet) -> tuple[tuple[ResultRow, ...], tuple[str, ...]]:
    """Read results from a ledger; return also the tables that play by other rules.

    A progressive's ledger is read by a member of staff, ``name`` or the one who is logged in.

    Raises:
        MonitorError: there is no ledger, or nothing in it can be judged.
        LedgerError: it cannot be read.
        ForbiddenError: the person may not read a progressive's ledger.
    """
    try:
        from pitboss.jackpot.lookups import get_settings
        from pitboss.jackpot.settled_results import collect_progressive_results
        from pitboss.ledger.store import Store
        from pitboss.table.encryption import TableCipher
        from pitboss.table.settled_results import collect_table_results
    except ModuleNotFoundError as error:
        raise PitbossError(
            f"{error.name} is not installed: {write_install_hint('ledger')}", code="not-installed"
        ) from None

    if "://" not in ledger and not Path(ledger).exists():
        raise MonitorError(f"there is no ledger {ledger}: name its file or URL", code="no-ledger", ledger=ledger)
    store = Store(to_database_url(ledger))
    try:
        if _has_tables(store):
            cipher = TableCipher.load(get_table_key_path(ledger))
            rows, skipped = collect_table_results(store, cipher, bet)
            if not rows:
                raise MonitorError(
                    f"no table in {ledger} has settled a wager on {bet.id} with these pay tables and options: give "
                    "them with --paytable and --option",
                    code="no-rows",
                )
            return verify_result_rows(rows, bet), skipped
    finally:
        store.close()
    with LedgerCall(ledger, name).open_as_reader() as opened:
        rows = collect_progressive_results(opened.store, get_settings(opened.controller.state), bet)
    if not rows:
        raise MonitorError(f"no round in {ledger} has ended: there is nothing to judge", code="no-rows")
    return verify_result_rows(rows, bet), ()


def _has_tables(store: "Store") -> bool:
    """Tell whether a ledger is one of tables; a progressive's has no streams."""
    with store.begin_read() as transaction:
        return bool(transaction.list_streams())
