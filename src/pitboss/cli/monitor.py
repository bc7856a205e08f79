"""``pitboss monitor``: actual results of tables against the exact distribution."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.monitored_bet import count_shared_wagers
from pitboss.analysis.monitoring import monitor_results, parse_false_alarms, prepare_bet
from pitboss.analysis.table_results import MAX_CSV_BYTES, list_csv_columns, parse_results_csv, verify_line_columns
from pitboss.cli.arguments import (
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    complete_bets,
    parse_terms,
    verify_percent_sign,
)
from pitboss.cli.progress import show_progress
from pitboss.core.errors import MonitorError
from pitboss.core.files import read_text
from pitboss.games import load_game

OUT_OF_TOLERANCE = 1
"""The exit status if a table is out of tolerance."""

ResultsArgument = Annotated[
    Path | None, typer.Argument(metavar="FILE.csv", help="Results: a row for each table, period and stake.")
]
BetToMonitor = Annotated[str, typer.Option(help="The bet whose results these are.", autocompletion=complete_bets)]
FalseAlarmsOption = Annotated[
    str,
    typer.Option(metavar="PERCENT", help="The highest chance that honest results ever raise an alarm, such as 1%."),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "--out", metavar="FILE", help="Draw each table's return in its band to a file: .svg, .png or .pdf."
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1_000,
        help="The most wagers of a round that the same cards may decide.  Default: as many as the rules allow.",
    ),
]
TableLedgerOption = Annotated[
    str,
    typer.Option(metavar="FILE|URL", help="Take the results from the tables' database or a progressive's ledger."),
]
ReaderOption = Annotated[
    str,
    typer.Option("--as", metavar="NAME", help="Your name, for a progressive's ledger; as in `pitboss jackpot`."),
]


def monitor(
    game: GameArgument,
    file: ResultsArgument = None,
    bet: BetToMonitor = "main",
    false_alarms: FalseAlarmsOption = "1%",
    seats: SeatsOption = None,
    ledger: TableLedgerOption = "",
    name: ReaderOption = "",
    out: PictureOption = None,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Judge actual results of tables against the exact distribution of a bet.

    It judges the return on the stakes, how often each line was hit, and whether the lines explain what was paid. It
    also shows the hold on the drop and the longest runs. The exit status is 1 if a table is out of tolerance.

    Columns of the file: `table`, `period` (a day or shift, in order of time), `rounds` (settled wagers of the bet),
    `staked_cents`, `returned_cents`; if you have them `stake_cents` (the stake of each wager: a row for each stake),
    `drop_cents`, and a column of hits for each line of the bet. The return is judged only with `stake_cents`.

    Look at the results as often as you like: the chance that honest results ever put anything out of tolerance is at
    most `--false-alarms`.

    For example:

        pitboss monitor six-card results.csv --bet aces-up --output results.svg
        pitboss monitor wild-52 results.csv --false-alarms 0.1% --json
        pitboss monitor six-card --bet aces-up --ledger tables.db
    """
    of_game = load_game(game)
    wager = find_bet(of_game, bet)
    verify_percent_sign(false_alarms, "--false-alarms", "0.1%")
    rate = parse_false_alarms(false_alarms)
    if (file is None) == (not ledger):
        raise MonitorError("give the results once: as FILE.csv, or with --ledger", code="one-source")
    if out is not None:
        from pitboss.reports.chart_style import verify_chart

        verify_chart(out)
    terms = parse_terms(of_game, paytable, option, bet=bet)
    text = read_text(file, MonitorError, MAX_CSV_BYTES) if file else ""
    verify_line_columns(list_csv_columns(text), of_game, wager)
    with show_progress(f"deals of {wager.name}") as progress:
        monitored = prepare_bet(of_game, wager, terms, progress)
    if file:
        rows, skipped = parse_results_csv(text, monitored), tuple[str, ...]()
    else:
        from pitboss.cli.monitor_ledger import read_ledger

        rows, skipped = read_ledger(ledger, name, monitored)
    report = monitor_results(monitored, rows, rate, seats or count_shared_wagers(of_game, wager), skipped)
    if out is not None:
        from pitboss.analysis.results_chart import make_results_chart
        from pitboss.reports.chart_drawings import save_chart

        save_chart(make_results_chart(report), out)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        from pitboss.cli.monitor_display import render_monitor
        from pitboss.cli.terminal_tables import make_console

        make_console().print(render_monitor(report))
    if report.out_of_tolerance:
        raise typer.Exit(OUT_OF_TOLERANCE)
