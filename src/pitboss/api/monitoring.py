"""Actual results of tables against the exact distribution, for callers."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.monitor_report import MonitorReport
from pitboss.analysis.monitored_bet import count_shared_wagers
from pitboss.analysis.monitoring import (
    FALSE_ALARMS,
    monitor_results,
    parse_false_alarms,
    prepare_bet,
    verify_false_alarms,
)
from pitboss.analysis.table_results import (
    MAX_CSV_BYTES,
    list_csv_columns,
    parse_result_records,
    parse_results_csv,
    verify_line_columns,
)
from pitboss.api.arguments import (
    OptionInputs,
    PayTableInputs,
    accept_paytable,
    choose_terms,
    find_game,
    name_parameters,
    verify_progress,
)
from pitboss.api.game import HouseGame
from pitboss.core.arguments import read_index, verify_whole
from pitboss.core.errors import MonitorError, PitbossError, quote
from pitboss.core.files import read_text
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text

_MOST_SHARED = 1_000

ResultInputs: TypeAlias = str | PathLike[str] | Iterable[Mapping[str, str | int]]
"""Results of tables: the path of a CSV file, or its rows by column names."""


@accept_paytable
@name_parameters()
def monitor(
    game: str | HouseGame,
    results: ResultInputs,
    bet: str = "main",
    *,
    false_alarms: float | str = FALSE_ALARMS,
    seats: int | None = None,
    paytables: PayTableInputs = None,
    options: OptionInputs = None,
    progress: ProgressCallback | None = None,
) -> MonitorReport:
    """Judge actual results of tables against the exact distribution of a bet.

    ``results`` has a row for each table, period and stake: ``table``, ``period``, ``rounds``, ``staked_cents``,
    ``returned_cents``, and if known ``stake_cents``, ``drop_cents`` and the hits of lines.  ``false_alarms`` is the
    chance that honest results ever put anything out of tolerance, however often they are looked at.  ``seats`` is how
    many wagers of a round the same cards may decide, by default what the rules allow.

    >>> import pitboss as pb
    >>> day = {"table": "7", "period": "Monday", "rounds": 900, "stake_cents": 500, "staked_cents": 450_000}
    >>> report = pb.monitor("shifting-wilds", [day | {"returned_cents": 632_500}], "blackjack-bonus")
    >>> report, report.tables[0].result.since
    (<1 of 1 tables out of tolerance>, 'Monday')

    Raises:
        Error: the game, the bet, a table, an option or a number is not valid, a column is unknown, a row is not
            possible, or nothing in the results can be judged.
    """
    of_game = find_game(game)
    verify_text(bet, "a bet", PitbossError)
    wager = find_bet(of_game, bet)
    terms = choose_terms(of_game, paytables, options, bet=bet)
    rate = _read_false_alarms(false_alarms)
    if seats is not None:
        seats = verify_whole(seats, "the number of seats", 1, _MOST_SHARED)
    is_file = isinstance(results, str | PathLike)
    text = read_text(Path(results), MonitorError, MAX_CSV_BYTES) if isinstance(results, str | PathLike) else ""
    records = [] if is_file else _read_records(results)
    verify_line_columns(
        list_csv_columns(text) if is_file else [name for row in records[:1] for name in row], of_game, wager
    )
    monitored = prepare_bet(of_game, wager, terms, verify_progress(progress))
    rows = parse_results_csv(text, monitored) if is_file else parse_result_records(records, monitored)
    return monitor_results(monitored, rows, rate, seats or count_shared_wagers(of_game, wager))


def _read_false_alarms(given: Any) -> float:
    if isinstance(given, str):
        return parse_false_alarms(given)
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return verify_false_alarms(float(max(0, min(given, 1))) if is_number else 0.0, given)


def _read_records(results: object) -> list[Mapping[str, str]]:
    """Return rows with every cell as a text, or raise MonitorError."""
    records: list[Any] = list(results) if isinstance(results, Iterable) else [results]
    for each in records:
        if not isinstance(each, Mapping) or not all(isinstance(name, str) for name in each):
            raise MonitorError(
                f"the results have {quote(each)}: give the path of a CSV file, or a mapping of columns for each row",
                code="invalid-results",
                value=each,
            )
    return [{name: _read_cell(value, name, row) for name, value in each.items()} for row, each in enumerate(records, 1)]


def _read_cell(value: Any, column: str, row: int) -> str:
    if isinstance(value, str):
        return value
    number = read_index(value)
    if number is None:
        raise MonitorError(
            f"row {row}: {quote(column)} is {quote(value)}: give a text or a whole number",
            code="invalid-results",
            row=row,
            column=column,
            value=value,
        )
    return quote(number)
