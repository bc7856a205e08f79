"""``pitboss rules``: a game as a player needs it, told by its README and drawn from its data."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.builders import display_name
from pitboss.cli.arguments import GameName
from pitboss.cli.grids import Column, Grid, Prose, screen
from pitboss.contract import Game, PayTable
from pitboss.games import load_game
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.rules import bound, placed, told
from pitboss.reports.words import limits, notes, pay_words

_DRAWN_FROM_DATA = {"Pay tables", "Options"}


def rules(game: GameName) -> None:
    """Explain a game: how it is dealt and settled, its wagers, pay tables and options.

    Labels as SC-1 are rulings: how the game's rule sheet is read where it leaves something open.

    For example:

        pitboss rules six-card
        pitboss rules lunar | less
    """
    explained = load_game(game)
    console = screen()
    console.print(Text(explained.name, style="bold"))
    console.print(Text(explained.summary))
    for heading, body in _sections(explained):
        console.print()
        console.print(Text(heading, style="bold cyan"))
        console.print(body)


def _sections(game: Game) -> Iterator[tuple[str, RenderableType]]:
    """Yield what the README tells, then limits, pay tables and options, each under its heading."""
    for heading, text in told(game):
        if heading not in _DRAWN_FROM_DATA:
            yield heading, Prose(text)
    yield "Limits and ties", _wagers(game)
    for kind in dict.fromkeys(table.kind for table in load_builtin_paytables(game)):
        tables = [table for table in load_builtin_paytables(game) if table.kind == kind]
        yield f"Pay tables: {display_name(kind)}", _paytables(tables)
    yield "Options (--option NAME=VALUE)", _options(game)


def _wagers(game: Game) -> Grid:
    """Draw each wager: whether one must place it, between which amounts, and what binds it to others."""
    words = (Column(name, words=True) for name in ("Placed", "Limits", "Bound to others"))
    table = Grid((Column("Bet"), *words))
    for wager in game.wagers:
        table.add(wager.id, placed(wager), limits(wager), bound(wager))
    return table


def _paytables(tables: list[PayTable]) -> RenderableType:
    """Draw the tables of one kind side by side, then where each is printed and what it has besides lines."""
    ids = (Column(f"{table.id}{'*' * table.default}", right=True, alike=True) for table in tables)
    drawn = Grid((Column("Line", words=True), *ids))
    for line in tables[0].lines:
        drawn.add(display_name(line), *(pay_words(table.lines[line]) for table in tables))
    return Group(drawn, *(Text(f"{table.id}: {'; '.join(notes(table))}", style="dim") for table in tables))


def _options(game: Game) -> Grid:
    words = (Column(name, words=True) for name in ("Values (* default)", "What it decides"))
    table = Grid((Column("Name"), *words, Column("Ruling")))
    for option in game.options:
        values = ", ".join(f"{value}{'*' * (value == option.default)}" for value in option.values)
        table.add(option.name, values, option.meaning, option.ruling)
    return table
