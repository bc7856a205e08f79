"""Results of the tables in a database, as monitoring takes them: a row per day."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.table_results import ResultRow
from pitboss.ledger.chain import Entry
from pitboss.ledger.statements import PAGE_SIZE
from pitboss.ledger.store import Store
from pitboss.options import resolve_options
from pitboss.table.encryption import TableCipher
from pitboss.table.played_rounds import pair_settled_wagers, sum_staked_cents
from pitboss.table.repository import TableRepository
from pitboss.table.round.events import WagerSettled
from pitboss.table.session.events import RoundSettled
from pitboss.table.session.state import TableSession, apply_event
from pitboss.table.session.terms import TableTerms, get_table_paytables, load_table_game


class TableResults(NamedTuple):
    """Rows of settled wagers, and the tables that play by other rules."""

    rows: tuple[ResultRow, ...]
    skipped: tuple[str, ...]


@dataclass
class _Tally:
    """The settled wagers of a day at one stake."""

    rounds: int = 0
    staked_cents: int = 0
    net_cents: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    def add(self, settled: WagerSettled) -> None:
        """Add a settled wager."""
        self.rounds += 1
        self.staked_cents += sum_staked_cents(settled)
        self.net_cents += settled.net_cents
        self.outcomes[settled.outcome] += 1


def collect_table_results(store: Store, cipher: TableCipher, bet: MonitoredBet) -> TableResults:
    """Collect the settled wagers on a bet at every table with its rules and pays.

    Raises:
        LedgerError: the ledger cannot be reached or is not one of tables, or an entry is not what was written.
    """
    repository = TableRepository(cipher)
    rows, skipped = list[ResultRow](), list[str]()
    with store.begin_read() as transaction:
        repository.verify_key(transaction)
        tables = transaction.list_streams()
    for table in tables:
        with store.begin_read() as transaction:
            loaded = repository.load(transaction, table)
        if loaded is None or not _plays_same(loaded.session.terms, bet):
            skipped.append(table)
        else:
            rows += _collect_table(store, repository, table, bet)
    return TableResults(tuple(rows), tuple(skipped))


def _plays_same(terms: TableTerms, bet: MonitoredBet) -> bool:
    """Tell whether a table has the game, the options and the pays of the sheet."""
    sheet = bet.sheet
    if terms.game != sheet.game.id:
        return False
    game, tables = load_table_game(terms), get_table_paytables(terms)
    return resolve_options(game, terms.options) == dict(sheet.options) and all(
        tables[kind] == table for kind, table in sheet.tables_by_kind.items()
    )


def _collect_table(store: Store, repository: TableRepository, table: str, bet: MonitoredBet) -> list[ResultRow]:
    session: TableSession | None = None
    tallies: dict[tuple[str, int], _Tally] = {}
    day = ""
    for entry in _read_stream(store, table):
        for event in repository.read_events(entry):
            session = apply_event(session, event)
            if isinstance(event, RoundSettled):
                # A clock that was set back does not bring a day back.
                day = max(day, datetime.fromtimestamp(event.at, UTC).date().isoformat())
                _add_round(tallies, day, session, bet.id)
    return [_make_row(table, day, stake, tally, bet) for (day, stake), tally in tallies.items()]


def _read_stream(store: Store, table: str) -> Iterator[Entry]:
    """Yield a table's entries in pages: no long transaction holds up players."""
    after = 0
    while True:
        with store.begin_read() as transaction:
            page = transaction.read_stream(table, after, after + PAGE_SIZE)
        if not page:
            return
        yield from (entry for _, entry in page)
        after = page[-1][0]


def _add_round(tallies: dict[tuple[str, int], _Tally], day: str, session: TableSession, bet: str) -> None:
    for stake_cents, settled in pair_settled_wagers(session.round.events if session.round else ()):
        if settled.bet == bet:
            tallies.setdefault((day, stake_cents), _Tally()).add(settled)


def _make_row(table: str, day: str, stake: int, tally: _Tally, bet: MonitoredBet) -> ResultRow:
    counts = {} if bet.depends_on_play else {name: tally.outcomes[name] for name in bet.chances}
    return ResultRow(
        place=f"table {table}, {day}",
        table=table,
        period=day,
        rounds=tally.rounds,
        staked_cents=tally.staked_cents,
        returned_cents=tally.staked_cents + tally.net_cents,
        stake_cents=stake,
        counts=counts,
    )
