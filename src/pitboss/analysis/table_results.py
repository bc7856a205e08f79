"""Actual results of tables: a row for each table, period and stake, from CSV.

Nothing is judged unless every row is possible.  Amounts are whole cents.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.contract import Game, Wager
from pitboss.core.errors import MonitorError, UnknownNameError, quote
from pitboss.core.money import format_cents
from pitboss.core.numbers import NumberError, format_count, parse_integer

REQUIRED_COLUMNS = ("table", "period", "rounds", "staked_cents", "returned_cents")
OPTIONAL_COLUMNS = ("stake_cents", "drop_cents")
MAX_CSV_BYTES = 20_000_000
MAX_ROUNDS = 10**9
MAX_AMOUNT_CENTS = 10**12 - 1
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The settled wagers of one bet at a table in a period, all of one stake.

    ``staked_cents`` is everything put down, raises included, and ``returned_cents`` everything handed back: stakes that
    were not lost, and winnings.  ``stake_cents`` is the stake of each wager (for main its Ante), None if that is not
    known.  ``counts`` are the hits of lines, ``place`` names the row in messages.
    """

    place: str
    table: str
    period: str
    rounds: int
    staked_cents: int
    returned_cents: int
    stake_cents: int | None = None
    drop_cents: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def net_cents(self) -> int:
        """What the players won, in cents."""
        return self.returned_cents - self.staked_cents


def list_csv_columns(text: str) -> list[str]:
    """Return the names of the columns of results in CSV."""
    return [cell.strip() for cell in text.removeprefix("\ufeff").partition("\n")[0].split(",")]


def verify_line_columns(columns: Iterable[str], game: Game, wager: Wager) -> None:
    """Check, before anything is counted, that no column is a line of another bet.

    Raises:
        MonitorError: one is.
    """
    own = {outcome.name for outcome in wager.outcomes} | {*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS}
    for name in columns:
        others = [each.id for each in game.wagers if any(outcome.name == name for outcome in each.outcomes)]
        if name not in own and others:
            raise MonitorError(
                f"column {quote(name)} is not a line of {wager.id}, but of {', '.join(others)}: choose the bet of "
                "these results (--bet)",
                code="line-of-another-bet",
                column=name,
                known=others,
            )


def parse_results_csv(text: str, bet: MonitoredBet) -> tuple[ResultRow, ...]:
    """Parse results in CSV: a line of column names, then a row for each period.

    Raises:
        MonitorError: a column is missing or twice, a row is not possible, or there is none.
        UnknownNameError: a column is unknown.
    """
    try:
        reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
        lines = [(number, cells) for number, cells in enumerate(reader, start=1) if cells]
    except csv.Error as error:
        raise MonitorError(f"the results are not CSV: {error}", code="invalid-csv") from None
    if len(lines) < 2:
        raise MonitorError(
            f"the results have no rows: write a line of column names ({', '.join(REQUIRED_COLUMNS)}), then a row for "
            "each table and period",
            code="no-rows",
        )
    columns = [name.strip() for name in lines[0][1]]
    if len(columns) == 1 and (found := next((mark for mark in ";\t|" if mark in columns[0]), "")):
        raise MonitorError(
            f"the columns are separated by {quote(found)}: separate them by commas", code="other-separator", mark=found
        )
    _verify_columns(columns, bet)
    for number, cells in lines[1:]:
        if len(cells) != len(columns):
            raise MonitorError(
                f"row {number} has {format_count(len(cells), 'cell')}, and there are {len(columns)} columns",
                code="wrong-cell-count",
                row=number,
            )
    rows = [(number, dict(zip(columns, cells, strict=True))) for number, cells in lines[1:]]
    return verify_result_rows((_make_row(f"row {number}", row, bet) for number, row in rows), bet)


def parse_result_records(records: Sequence[Mapping[str, str]], bet: MonitoredBet) -> tuple[ResultRow, ...]:
    """Parse results that have the columns of a CSV file by name.

    Raises as ``parse_results_csv``; rows count from 1.
    """
    columns = list(records[0]) if records else []
    _verify_columns(columns, bet)
    for number, record in enumerate(records, start=1):
        if record.keys() != set(columns):
            raise MonitorError(
                f"row {number} and row 1 have different columns: give all rows the same",
                code="other-columns",
                row=number,
            )
    rows = (_make_row(f"row {number}", row, bet) for number, row in enumerate(records, start=1))
    return verify_result_rows(rows, bet)


def _verify_columns(columns: Sequence[str], bet: MonitoredBet) -> None:
    """Check the names of columns (raises MonitorError and UnknownNameError)."""
    fixed = (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS)
    for name in columns:
        if columns.count(name) > 1:
            raise MonitorError(f"column {quote(name)} appears twice: give it once", code="column-twice", column=name)
        if bet.depends_on_play and name in bet.chances:
            raise MonitorError(
                f"column {quote(name)}: how often {bet.id} ends this way depends on the play, so it cannot be judged; "
                "leave the column out",
                code="depends-on-play",
                column=name,
            )
        if name not in fixed and name not in bet.chances:
            raise UnknownNameError("column", name, (*fixed, *(() if bet.depends_on_play else bet.chances)))
    missing = [name for name in REQUIRED_COLUMNS if name not in columns]
    if missing:
        raise MonitorError(
            f"column {missing[0]} is missing: the required columns are {', '.join(REQUIRED_COLUMNS)}; "
            f"{', '.join(OPTIONAL_COLUMNS)} and the lines of the bet are optional",
            code="column-missing",
            column=missing[0],
        )


def _make_row(place: str, cells: Mapping[str, str], bet: MonitoredBet) -> ResultRow:
    """Make a row of its cells, and check that it is possible.

    Raises:
        MonitorError: it is not; the message names the row.
    """

    def read(name: str, most: int, least: int = 0) -> int:
        try:
            return parse_integer(cells[name].strip(), least, most, name)
        except NumberError as error:
            raise MonitorError.from_error(error, f"{place}{where}") from None

    table, period = (cells[name].strip() for name in ("table", "period"))
    where = f" (table {table[:_MAX_NAME]}, {period[:_MAX_NAME]})"
    for name, text in (("table", table), ("period", period)):
        if not 0 < len(text) <= _MAX_NAME or not text.isprintable():
            raise MonitorError(
                f"{place}: {name} is {quote(text)}: write a name of at most {_MAX_NAME} characters",
                code="invalid-name",
                place=place,
            )
    row = ResultRow(
        place=f"{place}{where}",
        table=table,
        period=period,
        rounds=read("rounds", MAX_ROUNDS),
        staked_cents=read("staked_cents", MAX_AMOUNT_CENTS),
        returned_cents=read("returned_cents", MAX_AMOUNT_CENTS, -MAX_AMOUNT_CENTS if bet.is_tax_possible else 0),
        stake_cents=read("stake_cents", MAX_AMOUNT_CENTS, 1) if "stake_cents" in cells else bet.fixed_stake_cents,
        drop_cents=read("drop_cents", MAX_AMOUNT_CENTS) if "drop_cents" in cells else None,
        counts={name: read(name, MAX_ROUNDS) for name in cells if name in bet.chances},
    )
    for fault in (_find_wrong_count(row, bet), _find_wrong_stake(row, bet), _find_wrong_return(row, bet)):
        if fault:
            raise MonitorError(f"{row.place}: {fault}", code="impossible-result", place=place)
    return row


def _find_wrong_count(row: ResultRow, bet: MonitoredBet) -> str:
    counted = sum(row.counts.values())
    for name, count in row.counts.items():
        if count and not bet.chances[name]:
            return f"{name} is {count:,}, and no deal makes it under these rules: check the line and the options"
    if counted > row.rounds:
        return f"the lines add up to {counted:,}, more than the {format_count(row.rounds, 'round')}"
    if counted < row.rounds and bet.nets.keys() <= row.counts.keys():
        return f"the lines add up to {counted:,}, and every round must be on one: there are {row.rounds:,}"
    return ""


def _find_wrong_stake(row: ResultRow, bet: MonitoredBet) -> str:
    fixed, stake = bet.fixed_stake_cents, row.stake_cents
    if fixed and stake != fixed:
        return f"stake_cents is {stake:,}, and a wager of {bet.id} is exactly {fixed:,}"
    if not row.rounds and (row.staked_cents or row.returned_cents):
        return "no rounds, but chips were staked or returned"
    if row.rounds and not row.staked_cents:
        return f"{format_count(row.rounds, 'round')}, but nothing was staked"
    if stake is None:
        return ""
    least = row.rounds * stake
    if row.staked_cents < least or (row.staked_cents > least and not bet.may_stake_more):
        return (
            f"staked_cents is {row.staked_cents:,}, and {format_count(row.rounds, 'wager')} of {stake:,} are "
            f"{least:,}{' or more' if bet.may_stake_more else ''}: write a row for each stake"
        )
    return ""


def _find_wrong_return(row: ResultRow, bet: MonitoredBet) -> str:
    if bet.has_meter or row.stake_cents is None:
        return ""
    stakes = row.rounds * row.stake_cents
    low, high = (row.staked_cents + stakes * net for net in (min(bet.nets.values()), max(bet.nets.values())))
    if row.returned_cents > high:
        return f"{format_cents(row.returned_cents)} returned is more than the highest pay on every wager"
    if row.returned_cents < low:
        return f"{format_cents(row.returned_cents)} returned is less than when every wager loses"
    return ""


def verify_result_rows(rows: Iterable[ResultRow], bet: MonitoredBet) -> tuple[ResultRow, ...]:
    """Return rows that can be judged together.

    The periods of each table follow one another.

    Raises:
        MonitorError: a period of a table comes back after another one, a row comes twice, or nothing in the rows can be
            judged.
    """
    last: dict[str, str] = {}
    ended = set[tuple[str, str]]()
    read = set[tuple[str, str, int | None]]()
    kept = tuple(rows)
    for row in kept:
        before = last.get(row.table, row.period)
        if before != row.period:
            ended.add((row.table, before))
        if (row.table, row.period) in ended:
            raise MonitorError(
                f"{row.place}: this period appeared earlier, before {last[row.table]}: put the rows in order of time, "
                "with the rows of a period together",
                code="period-again",
                place=row.place,
            )
        last[row.table] = row.period
        key = (row.table, row.period, row.stake_cents)
        if key in read:
            raise MonitorError(
                f"{row.place}: there is a row of this period and stake already: give one for each",
                code="row-again",
                place=row.place,
            )
        read.add(key)
    if not any(row.rounds for row in kept):
        raise MonitorError("the results have no rounds: there is nothing to judge", code="no-rounds")
    if not kept[0].counts and (bet.has_meter or any(row.stake_cents is None for row in kept)):
        advice = (
            "an award depends on the meter, so give a column for each line"
            if bet.has_meter
            else "the spread of a sum depends on the stakes, so give a column stake_cents, and a row for each stake"
        )
        raise MonitorError(f"nothing in these results of {bet.id} can be judged: {advice}", code="cannot-judge")
    return kept


def compute_line_net_cents(row: ResultRow, bet: MonitoredBet) -> Fraction | None:
    """Compute what the counted lines of a row pay, in cents.

    Return None where that is not known: other lines pay differently, or the stake or the meter is not known.
    """
    others = {net for name, net in bet.nets.items() if name not in row.counts}
    if not row.counts or row.stake_cents is None or bet.has_meter or len(others) > 1:
        return None
    counted = sum((count * bet.nets[name] for name, count in row.counts.items() if count), Fraction(0))
    rest = row.rounds - sum(row.counts.values())
    return row.stake_cents * (counted + rest * (others.pop() if others else 0))
