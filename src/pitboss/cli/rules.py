"""``pitboss rules``: a game explained to a player, from its README and its data."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.builders import display_name
from pitboss.cli.arguments import GameArgument
from pitboss.cli.grids import Column, Grid, MarkdownProse, make_console
from pitboss.contract import Game, PayTable
from pitboss.games import load_game
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.formatting import format_limits, format_pay, iter_paytable_notes
from pitboss.reports.rules import describe_constraints, describe_placement, read_readme_sections

_GENERATED_HEADINGS = {"Pay tables", "Options"}


def rules(game: GameArgument) -> None:
    """Explain a game: how it is dealt and settled, its wagers, pay tables and options.

    Labels like SC-1 are rulings: they say how pitboss reads the game's rule sheet where it leaves something open.

    For example:

        pitboss rules six-card
        pitboss rules lunar | less
    """
    explained = load_game(game)
    console = make_console()
    console.print(Text(explained.name, style="bold"))
    console.print(Text(explained.summary))
    for heading, body in _iter_sections(explained):
        console.print()
        console.print(Text(heading, style="bold cyan"))
        console.print(body)


def _iter_sections(game: Game) -> Iterator[tuple[str, RenderableType]]:
    """Yield the README's sections, then limits, pay tables and options, each with its heading."""
    for heading, text in read_readme_sections(game):
        if heading not in _GENERATED_HEADINGS:
            yield heading, MarkdownProse(text)
    yield "Limits and ties", _render_wagers(game)
    for kind in dict.fromkeys(table.kind for table in load_builtin_paytables(game)):
        tables = [table for table in load_builtin_paytables(game) if table.kind == kind]
        yield f"Pay tables: {display_name(kind)}", _render_paytables(tables)
    yield "Options (--option NAME=VALUE)", _render_options(game)


def _render_wagers(game: Game) -> Grid:
    """Draw each wager: when it is placed, its limits, and its constraints to other wagers."""
    words = (Column(name, wraps=True) for name in ("Placed", "Limits", "Tied to other wagers"))
    table = Grid((Column("Bet"), *words))
    for wager in game.wagers:
        table.add_row(wager.id, describe_placement(wager), format_limits(wager), describe_constraints(wager))
    return table


def _render_paytables(tables: list[PayTable]) -> RenderableType:
    """Draw the tables of one kind side by side, then the source and notes of each."""
    ids = (Column(f"{table.id}{'*' * table.default}", right_aligned=True, splits=True) for table in tables)
    drawn = Grid((Column("Line", wraps=True), *ids))
    for line in tables[0].lines:
        drawn.add_row(display_name(line), *(format_pay(table.lines[line]) for table in tables))
    return Group(
        drawn, *(Text(f"{table.id}: {'; '.join(iter_paytable_notes(table))}", style="dim") for table in tables)
    )


def _render_options(game: Game) -> Grid:
    words = (Column(name, wraps=True) for name in ("Values (* default)", "What it decides"))
    table = Grid((Column("Name"), *words, Column("Ruling")))
    for option in game.options:
        values = ", ".join(f"{value}{'*' * (value == option.default)}" for value in option.values)
        table.add_row(option.name, values, option.meaning, option.ruling)
    return table
