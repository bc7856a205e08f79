"""``pitboss report``: a game's PAR sheets, or every game's, as a file for an analyst, a buyer or a program."""

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.side_stakes import parse_side_stakes
from pitboss.cli.arguments import Options, PayTables, Stakes
from pitboss.cli.progress import counting
from pitboss.contract import Game
from pitboss.core.errors import ReportError, WagerError
from pitboss.core.files import verify_writable
from pitboss.core.money import parse_cents
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game, load_games
from pitboss.options import parse_options
from pitboss.paytables import find_progressive_table, select_paytables
from pitboss.reports.report import Report, Stated, report_of
from pitboss.reports.write import FORMATS, format_of, save
from pitboss.simulate.session_distribution import verify_session

_ALL = "all"


def _names(incomplete: str) -> list[str]:
    return [name for name in (*load_games(), _ALL) if name.startswith(incomplete)]


def _formats(incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


def report(
    game: Annotated[str, typer.Argument(metavar="GAME|all", help="A game, or all.", autocompletion=_names)],
    output: Annotated[Path, typer.Option(metavar="PATH", help="The file to write, in the place of one that is there.")],
    format_: Annotated[
        str,
        typer.Option(
            "--format", metavar="|".join(FORMATS), help="As PATH ends, unless given.", autocompletion=_formats
        ),
    ] = "",
    paytable: PayTables = None,
    option: Options = None,
    with_: Stakes = None,
    meter: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="What a progressive's meter shows; its seed unless given.")
    ] = None,
    pace: Annotated[
        int, typer.Option("--pace", "--hands-per-hour", min=1, metavar="ROUNDS", help="Rounds a table plays an hour.")
    ] = 40,
    average_bet: Annotated[
        str, typer.Option(metavar="DOLLARS", help="What a seat bets on average, for what the house wins an hour.")
    ] = "25",
    session: Annotated[int, typer.Option(metavar="ROUNDS", help="How long the session is that is told of.")] = 200,
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Find everything, also what takes long: best plays under other options.")
    ] = False,
) -> None:
    """Write a report of a game, or of all: rules, pay tables, PAR sheets, play and options, as a file.

    HTML and PDF have charts; XLSX has formulas, so that a pay changed there changes every figure that depends on it;
    Markdown, CSV and JSON are for other programs.  What is not known yet is found first and kept, as `pitboss par` and
    `pitboss strategy` do.  What takes a best play anew (options, main's other pay tables) is told where it is kept;
    `--full` finds it.

    For example:

        pitboss report six-card --output six-card.html
        pitboss report wild-52 --option ante_when_unqualified=push --output wild-52.pdf
        pitboss report six-card --paytable aces-up=SCP-03 --pace 55 --average-bet 40 --output sheet.xlsx
        pitboss report all --format json --output games.json
    """
    written_as = format_of(output, format_)
    stated = Stated(pace, parse_cents(average_bet), session)
    verify_session(session, None, 0)
    if game == _ALL and (paytable or option or with_ or meter is not None):
        raise ReportError("pay tables, options, stakes and a meter are of one game: name it in the place of all")
    asked = load_games().values() if game == _ALL else [load_game(game)]
    under = [(each, _terms(each, paytable, option, with_)) for each in asked]
    cents = None if meter is None else _meter_cents(meter, under[0][1])
    verify_writable(output, ReportError)
    reports = [_found(each, terms, stated, cents, full=full) for each, terms in under]
    save(reports, written_as, output)
    sys.stderr.write(f"{output}: written, {output.stat().st_size:,} bytes\n")


def _terms(game: Game, paytable: list[str] | None, option: list[str] | None, staked: list[str] | None) -> GameTerms:
    options = parse_options(game, option or [])
    return GameTerms(select_paytables(game, paytable or []), options, parse_side_stakes(game, options, staked or []))


def _meter_cents(dollars: str, terms: GameTerms) -> int:
    if find_progressive_table(terms.paytables) is None:
        raise WagerError("--meter is for a progressive wager: the game has none")
    return parse_cents(dollars)


def _found(game: Game, terms: GameTerms, stated: Stated, meter_cents: int | None, *, full: bool) -> Report:
    def watching(what: str) -> AbstractContextManager[ProgressCallback]:
        return counting(what)

    return report_of(game, terms, watching, meter_cents=meter_cents, stated=stated, full=full)
