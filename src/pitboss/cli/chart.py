"""``pitboss chart``: a picture of a game or a bet, with its data."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.chart_request import CHART_SETTINGS, ChartRequest
from pitboss.cli.arguments import (
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    SideStakeOptions,
    complete_bets,
    complete_from,
    parse_terms,
)
from pitboss.cli.progress import show_progress
from pitboss.core.errors import ReportError
from pitboss.games import load_game

_Kind = Annotated[
    str,
    typer.Argument(
        metavar="|".join(CHART_SETTINGS), help="What is drawn.", autocompletion=complete_from(lambda: CHART_SETTINGS)
    ),
]
_Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it to a file: .svg, .png or .pdf.")]
_GridName = Annotated[str, typer.Option("--grid", metavar="ID", help="Strategy: which grid; default: the first.")]
_Bet = Annotated[
    str, typer.Option(help="The bet to draw; default: main, or the progressive.", autocompletion=complete_bets)
]
_Line = Annotated[str, typer.Option(metavar="LINE", help="Pay: only this line of the pay table.")]
_Rounds = Annotated[str, typer.Option(metavar="N", help="The greatest number of rounds.")]


def chart(
    game: GameArgument,
    kind: _Kind,
    out: _Out = None,
    bet: _Bet = "",
    grid: _GridName = "",
    line: _Line = "",
    rounds: _Rounds = "",
    paytable: PayTableOptions = None,
    option: RulingOptions = None,
    with_: SideStakeOptions = None,
    *,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a row for each point.")] = False,
) -> None:
    """Draw a picture of a game or a bet, or print its data.

    `strategy` is a grid of positions with the best action for each. It is the exact answer of `pitboss hint` for the
    cards of the cell, which the data name; other cards of the same kind may need another answer. Rows are kept, so a
    chart that was drawn once is drawn at once; Lunar Poker's takes two minutes the first time.

    `band` is the fan of a bet's return: what 90, 95 and 99 % of results are within after 100 rounds and more, exactly.

    `contribution` is what each outcome of a bet wins or costs, to two sides.

    `pay` is the house edge with another pay of one line, line by line.

    `ruin` is how likely a bankroll is to be lost within sessions of flat bets.

    `meter` is how a progressive's meter grows from its seed.

    Without `--out`, `--json` or `--csv` the data are printed as a table.

    For example:

        pitboss chart six-card strategy --out six-card.svg
        pitboss chart lunar strategy --json
        pitboss chart six-card pay --bet aces-up --line flush
        pitboss chart lunar ruin --rounds 400 --out ruin.png
        pitboss chart wild-52 band --bet bonus --rounds 10000000 --out bonus.png
    """
    if as_json and as_csv:
        raise ReportError("--csv and --json exclude each other: give only one", code="exclusive-options")
    of_game = load_game(game)
    terms = parse_terms(of_game, paytable, option, with_, bet)
    given = {"bet": bet, "grid": grid, "line": line, "rounds": rounds}
    settings = {name: text for name, text in given.items() if text}
    request = ChartRequest(of_game, kind, terms, settings)
    request.verify()
    if out is not None:
        from pitboss.reports.chart_style import verify_chart

        verify_chart(out)
    with show_progress(f"{kind} of {of_game.name}") as progress:
        data = request.compute(progress)
    if out is not None:
        from pitboss.reports.chart_drawings import save_chart

        save_chart(data, out)
    if as_json:
        typer.echo(json.dumps(data.as_json(), indent=2))
    elif as_csv:
        typer.echo(data.to_csv(), nl=False)
    elif out is None:
        _print_chart(data)


def _print_chart(data: ChartData) -> None:
    from rich.text import Text

    from pitboss.cli.grids import make_console, make_grid
    from pitboss.reports.chart_tables import make_answer_grid, make_chart_table

    table = make_answer_grid(data) if data.kind == "strategy" else make_chart_table(data)
    console = make_console()
    console.print()
    console.print(Text(table.title, "bold"))
    console.print(make_grid(table))
    console.print(Text(data.about, "dim"))
    console.print()
