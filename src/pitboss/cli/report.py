"""``pitboss report``: write a report of one game or all to a file.

Its readers are analysts, buyers and programs.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pitboss.analysis.protection import SECONDS, WITHIN, ProtectionSettings
from pitboss.cli.app import report_error
from pitboss.cli.arguments import (
    PayTableOptions,
    RulingOptions,
    SideStakeOptions,
    complete_from,
    parse_dollars,
    parse_meter_cents,
    parse_terms,
)
from pitboss.cli.progress import show_progress
from pitboss.cli.submission import SubmissionWords, parse_submission
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, ReportError
from pitboss.core.files import verify_writable
from pitboss.games import load_game, load_games
from pitboss.reports.formats import REPORT_FORMATS, choose_format, save_reports
from pitboss.reports.report import GameReport, ReportAssumptions, make_report
from pitboss.reports.submission import SUBMISSION, open_submitted_round
from pitboss.simulate.session_distribution import verify_session

_ALL = "all"


_GameOrAll = Annotated[
    str,
    typer.Argument(
        metavar="GAME|all",
        help="A game, or `all` for every game.",
        autocompletion=complete_from(lambda: (*load_games(), _ALL)),
    ),
]
_Output = Annotated[Path, typer.Option(metavar="PATH", help="The file to write; an existing file is replaced.")]
_Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(REPORT_FORMATS),
        help="The file's format; default: from the extension of PATH.",
        autocompletion=complete_from(lambda: REPORT_FORMATS),
    ),
]
_Meter = Annotated[
    str | None, typer.Option(metavar="DOLLARS", help="The amount on the progressive's meter; default: its seed.")
]
_Pace = Annotated[
    int,
    typer.Option("--pace", "--hands-per-hour", min=1, metavar="ROUNDS", help="The rounds that a table plays per hour."),
]
_AverageBet = Annotated[
    str,
    typer.Option(metavar="DOLLARS", help="The average bet of a seat; the house's win per hour is computed from it."),
]
_Session = Annotated[int, typer.Option(metavar="ROUNDS", help="The length of the session that the report describes.")]
_Purpose = Annotated[
    str,
    typer.Option(
        "--for",
        metavar=SUBMISSION,
        help="Write what a test laboratory and a regulator ask for.",
        autocompletion=complete_from(lambda: (SUBMISSION,)),
    ),
]
_Seats = Annotated[int | None, typer.Option(metavar="SEATS", help="Submission: the seats taken; default: all.")]
_Limits = Annotated[
    list[str] | None,
    typer.Option(metavar="BET=LOW-HIGH", help="Submission: the table limits of a bet, in dollars; repeatable."),
]
_Preset = Annotated[str, typer.Option(metavar="NAME", help="Submission: use the limits of a jurisdiction: washington.")]
_Hours = Annotated[str | None, typer.Option(metavar="HOURS", help="Submission: how long a player plays; default: 4.")]
_BuyIn = Annotated[str | None, typer.Option(metavar="DOLLARS", help="Submission: a player's buy-in; default: 500.")]
_AggregateLimit = Annotated[
    str | None,
    typer.Option(metavar="DOLLARS", help="Submission: an aggregate limit to price too."),
]


def report(
    game: _GameOrAll,
    output: _Output,
    format_: _Format = "",
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    with_: SideStakeOptions = None,
    meter: _Meter = None,
    pace: _Pace = 40,
    average_bet: _AverageBet = "25",
    session: _Session = 200,
    purpose: _Purpose = "",
    seats: _Seats = None,
    limit: _Limits = None,
    preset: _Preset = "",
    hours: _Hours = None,
    buy_in: _BuyIn = None,
    aggregate_limit: _AggregateLimit = None,
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Also compute what takes minutes: best plays under other options.")
    ] = False,
    protect: Annotated[bool, typer.Option("--protect", help="Also measure what leaks are worth, in minutes.")] = False,
) -> None:
    r"""Write a report of one game or all: rules, pay tables, PAR sheets and play.

    HTML and PDF have charts.  XLSX has formulas: change a pay, and every figure that depends on it changes.  Markdown,
    CSV and JSON are for other programs.

    Figures that are not cached are computed first, as by `pitboss par` and `pitboss strategy`.  Figures that need
    another best play (other options, main's other pay tables) are included only if cached; `--full` computes them.

    `--for submission` writes what a test laboratory asks for: worked examples, bands of the return, exposure, hold.

    For example:

        pitboss report six-card --output six-card.html
        pitboss report wild-52 --output wild-52.pdf
        pitboss report six-card --paytable aces-up=SCP-03 --pace 55 \
            --average-bet 40 --output sheet.xlsx
        pitboss report six-card --for submission --output submission.pdf
        pitboss report all --format json --output games.json
    """
    report_format = choose_format(output, format_)
    assumptions = ReportAssumptions(pace, parse_dollars(average_bet, "--average-bet"), session)
    verify_session(session, None, 0)
    submit = parse_submission(
        purpose, assumptions, SubmissionWords(seats, limit, preset, hours, buy_in, aggregate_limit)
    )
    if game == _ALL and (paytable or option or with_ or limit or meter is not None):
        raise ReportError(
            "pay tables, options, stakes, limits and a meter belong to one game: name it instead of all",
            code="needs-one-game",
        )
    selected = load_games().values() if game == _ALL else [load_game(game)]
    setups = [(each, parse_terms(each, paytable, option, with_)) for each in selected]
    cents = parse_meter_cents(meter, setups[0][1].paytables.values())
    for each, terms in setups:
        if submit:
            open_submitted_round(each, terms, submit)
    verify_writable(output, ReportError)
    make = partial(
        make_report,
        meter_cents=cents,
        assumptions=assumptions,
        full=full,
        protect=ProtectionSettings(WITHIN, SECONDS, assumptions.average_bet_cents, pace, seed=1) if protect else None,
        submit=submit,
    )
    _save([(each, partial(make, each, terms)) for each, terms in setups], report_format, output)


def _save(makers: Sequence[tuple[Game, Callable[..., GameReport]]], report_format: str, output: Path) -> None:
    """Save reports; a game whose rules are refused costs the others nothing."""
    reports, statuses = list[GameReport](), list[int]()
    for game, make in makers:
        try:
            reports.append(make(show_progress))
        except PitbossError as error:
            if len(makers) == 1:
                raise
            statuses.append(report_error(f"{game.id} is left out: {error}"))
    if reports:
        save_reports(reports, report_format, output)
        sys.stderr.write(f"{output}: written, {output.stat().st_size:,} bytes\n")
    if statuses:
        raise typer.Exit(max(statuses))
