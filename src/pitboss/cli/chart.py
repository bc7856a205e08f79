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
    verify_only_one,
)
from pitboss.cli.progress import show_progress
from pitboss.games import load_game

_Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help=f"What to draw: {', '.join(CHART_SETTINGS)}.",
        autocompletion=complete_from(lambda: CHART_SETTINGS),
    ),
]
_Out = Annotated[
    Path | None, typer.Option("--output", "--out", metavar="FILE", help="Draw it to a file: .svg, .png or .pdf.")
]
_GridName = Annotated[str, typer.Option("--grid", metavar="ID", help="Strategy: which grid; default: the first.")]
_Bet = Annotated[
    str, typer.Option(help="The bet to draw; default: main, or the progressive.", autocompletion=complete_bets)
]
_Line = Annotated[str, typer.Option(metavar="LINE", help="Pay: only this line of the pay table.")]
_Rounds = Annotated[str, typer.Option(metavar="N", help="Band, ruin and meter: up to how many rounds.")]


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
    """Draw a chart of a game or a bet, or print its data.

    `strategy` is a grid of positions with the best action for each.  It is the exact answer of `pitboss hint` for the
    cards of the cell, which the data name; other cards of the same kind may need another answer.  Results are cached;
    Lunar Poker's take two minutes the first time.

    `band`: the exact ranges that contain 90%, 95% and 99% of a bet's returns after 100 rounds and more.

    `contribution`: what each outcome adds to the expected value of a bet.

    `pay`: how the house edge changes with the pay of each line.

    `ruin`: how likely a bankroll is to be lost in sessions of flat bets.

    `meter`: how a progressive's meter grows from its seed.

    Without `--output`, `--json` or `--csv` the data are printed as a table.

    For example:

        pitboss chart six-card strategy --output six-card.svg
        pitboss chart lunar strategy --json
        pitboss chart six-card pay --bet aces-up --line flush
        pitboss chart lunar ruin --rounds 400 --output ruin.png
        pitboss chart wild-52 band --bet bonus --rounds 10000000 --output bonus.png
    """
    verify_only_one(csv=as_csv, json=as_json)
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


_BAND_DROP_ORDER = {"Normal from": 1, "Normal to": 2}


def _print_chart(data: ChartData) -> None:
    from rich.text import Text

    from pitboss.cli.terminal_tables import make_console, make_terminal_table
    from pitboss.reports.chart_tables import make_answer_grid, make_chart_table

    table = make_answer_grid(data) if data.kind == "strategy" else make_chart_table(data)
    drops = dict.fromkeys(table.headings, 0) | _BAND_DROP_ORDER if data.kind == "band" else None
    console = make_console()
    console.print()
    console.print(Text(table.title, "bold"))
    console.print(make_terminal_table(table, drops))
    console.print(Text(data.about, "dim"))
    console.print()
