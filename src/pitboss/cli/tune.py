"""``pitboss tune``: the pay tables that have a target house edge."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.pay_ladder import ROUND, read_ladder
from pitboss.analysis.tuning import tune_paytable
from pitboss.analysis.tuning_report import TuningReport
from pitboss.analysis.tuning_request import (
    CHANGES,
    LIMIT,
    MOST_CHANGES,
    MOST_SHOWN,
    WAGERS_PER_HOUR,
    TuningRequest,
    parse_figure_range,
    parse_vary,
)
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.cli.arguments import (
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    complete_bets,
    parse_terms,
    verify_only_one,
    verify_percent_sign,
)
from pitboss.cli.progress import show_progress
from pitboss.core.errors import ReportError, TuningError
from pitboss.core.files import write_file
from pitboss.core.numbers import format_count
from pitboss.games import load_game

BetToTune = Annotated[str, typer.Option(help="The bet to tune.", autocompletion=complete_bets)]
EdgeOption = Annotated[
    str,
    typer.Option(
        metavar="LO[..HI]", help="The target house edge, for example 4.0%..4.2%; of a progressive in the long run."
    ),
]
HitOption = Annotated[
    str | None,
    typer.Option(
        metavar="LO[..HI]",
        help="The target hit frequency, for example 20%..25%.",
    ),
]
DeviationOption = Annotated[
    str | None,
    typer.Option(
        metavar="LO[..HI]",
        help="The target standard deviation, in units staked, for example 5..5.5.",
    ),
]
TopOption = Annotated[
    str | None,
    typer.Option(metavar="LO[..HI]", help="The target highest pay to 1, for example 500..1000."),
]
JackpotOption = Annotated[
    str | None,
    typer.Option(
        metavar="LO[..HI]",
        help="The target average jackpot of a progressive, in dollars, for example 15000..20000.",
    ),
]
BetweenOption = Annotated[
    str | None,
    typer.Option(
        metavar="LO[..HI]",
        help="The target hours between jackpots of a progressive, for example 400..600.",
    ),
]
PerHourOption = Annotated[
    int, typer.Option(min=1, max=1_000_000, help="Wagers per hour on a progressive, at all of its tables.")
]
VaryOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LINE=LO[..HI]",
        help="Pays that a line may have, for example flush=6..9; repeatable. Default: every line.",
    ),
]
ChangesOption = Annotated[int, typer.Option(min=0, max=MOST_CHANGES, help="How many lines may change.")]
LadderOption = Annotated[
    str, typer.Option(metavar="round|FILE", help="The pays to choose from: round ones, or those of a text file.")
]
LimitOption = Annotated[int, typer.Option(min=1, max=MOST_SHOWN, help="How many tables are printed.")]
TomlOption = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Print table N as a file for --paytable; 0: the current one.")
]
WriteOption = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Also write each printed table to a file in a folder, new or not."),
]
AnyOrderFlag = Annotated[
    bool, typer.Option("--any-order", help="Also find tables in which a weaker hand pays more than a stronger one.")
]
ExactFlag = Annotated[
    bool, typer.Option("--exact", help="Solve each printed table, where the play depends on the pays.")
]
CsvFlag = Annotated[bool, typer.Option("--csv", help="Print a row for each table.")]
_PERCENT_EXAMPLES = {"--edge": "4.0%..4.2%", "--hit": "20%..25%"}


def tune(
    game: GameArgument,
    bet: BetToTune,
    edge: EdgeOption,
    hit: HitOption = None,
    deviation: DeviationOption = None,
    top: TopOption = None,
    jackpot: JackpotOption = None,
    between: BetweenOption = None,
    per_hour: PerHourOption = WAGERS_PER_HOUR,
    vary: VaryOptions = None,
    changes: ChangesOption = CHANGES,
    ladder: LadderOption = ROUND,
    limit: LimitOption = LIMIT,
    toml: TomlOption = None,
    write: WriteOption = None,
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    *,
    any_order: AnyOrderFlag = False,
    exact: ExactFlag = False,
    as_json: JsonOption = False,
    as_csv: CsvFlag = False,
) -> None:
    r"""Find pay tables of a bet that have a target house edge.

    Only a few pays of the current table change. Every table within the ranges is considered, and every figure is exact.
    The fewest changes come first, then the roundest pays, then the edge nearest to the middle of its range. If no table
    has the target edge, the nearest are printed.

    A range `LO..HI` may be one number.  A house edge and a hit frequency need their % sign.

    Pays are taken from a ladder: `round` has 1 to 30, 35 to 100 by 5, 125 to 500 by 25 and 600 to 3000 by 100. A hand
    never pays less than a weaker one, unless `--any-order`.

    Where pays change the best play (Lunar Poker's Bet, Shifting Wilds' Blind), each edge has two proved bounds;
    `--exact` solves the printed tables, which takes minutes each.

    For example:

        pitboss tune wild-52 --bet bonus --edge 4.0%..4.2%
        pitboss tune six-card --bet aces-up --edge 3%..3.5% --changes 1 \
            --vary flush=6..9 --vary full-house=8..12
        pitboss tune wild-52 --bet bonus --edge 5%..6% --deviation 5..5.5 \
            --toml 1 > mine.toml
    """
    of_game = load_game(game)
    wager = find_bet(of_game, bet)
    verify_only_one(csv=as_csv, json=as_json, toml=toml is not None)
    others = (("--hit", hit), ("--deviation", deviation), ("--top", top), ("--jackpot", jackpot))
    targets = TuningTargets(
        _parse_target(edge, "--edge"), *(None if text is None else _parse_target(text, name) for name, text in others)
    )
    pays, hours = parse_vary(vary or []), None if between is None else parse_figure_range(between, "--between")
    shown = max(limit, toml or 0)
    request = TuningRequest(targets, pays, changes, read_ladder(ladder), any_order, shown, exact, hours, per_hour)
    terms = parse_terms(of_game, paytable, option, bet=bet)
    _make_folder(write)
    with show_progress(f"pay tables of {wager.name}") as progress:
        report = tune_paytable(of_game, wager, terms, request, progress)
    if write is not None:
        _write_tables(report, write)
    if toml is not None:
        _print_toml(report, toml)
    elif as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    elif as_csv:
        typer.echo(report.to_csv(), nl=False)
    else:
        _print_report(report)


def _parse_target(text: str, option: str) -> FigureRange:
    """Parse a target; an edge or a frequency needs its % sign (raises PitbossError)."""
    if option in _PERCENT_EXAMPLES:
        verify_percent_sign(text, option, _PERCENT_EXAMPLES[option])
    return parse_figure_range(text, option)


def _print_toml(report: TuningReport, number: int) -> None:
    tables = (report.present, *report.tables)
    if number >= len(tables):
        raise TuningError(
            f"--toml {number}: there {'is' if len(report.tables) == 1 else 'are'} "
            f"{format_count(len(report.tables), 'table')}: give a number from 0 to {len(report.tables)}",
            code="no-such-table",
            number=number,
            tables=len(report.tables),
        )
    typer.echo(tables[number].to_toml(), nl=False)


def _make_folder(folder: Path | None) -> None:
    """Make the folder to write to, unless it is there (raises ReportError)."""
    try:
        if folder is not None:
            folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ReportError(
            f"--write {folder}: cannot make this folder: {error.strerror}", code="cannot-write", path=folder
        ) from None


def _write_tables(report: TuningReport, folder: Path) -> None:
    for table in report.tables:
        name = f"{report.bet}-{table.number}.toml"
        write_file(folder / name, table.to_toml().encode(), ReportError)


def _print_report(report: TuningReport) -> None:
    from pitboss.cli.terminal_tables import make_console
    from pitboss.cli.tune_display import render_tuning

    make_console().print(render_tuning(report))
