"""``pitboss rules``: a game explained to a player, from its README and its data."""

import re
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from pitboss.builders import display_name
from pitboss.cli.arguments import GameArgument
from pitboss.cli.markdown import MarkdownProse
from pitboss.cli.terminal_tables import Column, TerminalTable, make_console, make_terminal_table
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.formatting import describe_paytable
from pitboss.reports.rules import make_paytable_table, make_wager_table, read_readme_sections

_GENERATED_HEADINGS = {"Pay tables", "Options"}
_ABOUT_RULES = "### How the rule "
_PART = re.compile(r"^(?=### )", re.MULTILINE)
_SOURCE_FILE = re.compile(r"`(?:solver/|strategy\.toml|python -m )")


def rules(game: GameArgument) -> None:
    """Explain a game: its deal, settlement, wagers, pay tables and options.

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
        console.print(Text(heading.replace("`", ""), style="bold cyan"))
        console.print(body)


def _iter_sections(game: Game) -> Iterator[tuple[str, RenderableType]]:
    """Yield the sections of a game's rules, each with its heading.

    The README's sections come first, then limits, pay tables and options.
    """
    for heading, text in read_readme_sections(game):
        for_players = _leave_out_source(text)
        if heading not in _GENERATED_HEADINGS and for_players:
            yield heading, MarkdownProse(for_players)
    if (game.folder / "strategy.toml").is_file():
        text = f"`pitboss strategy {game.id}` prints strategies to remember, and what each costs."
        yield "Strategies", MarkdownProse(text)
    yield "Limits and constraints", make_terminal_table(make_wager_table(game, with_names=False))
    for kind in dict.fromkeys(table.kind for table in load_builtin_paytables(game)):
        tables = [table for table in load_builtin_paytables(game) if table.kind == kind]
        pays = make_terminal_table(make_paytable_table("", tables, [table for table in tables if table.default]))
        notes = (Text(describe_paytable(table), style="dim") for table in tables)
        yield f"Pay tables: {_name_kind(game, kind)}", Group(pays, *notes)
    if game.options:
        yield "Options (--option NAME=VALUE)", _render_options(game)


def _leave_out_source(text: str) -> str:
    """Leave out the parts and paragraphs of a section that are about source code."""
    parts = [part for part in _PART.split(text) if not part.startswith(_ABOUT_RULES)]
    paragraphs = [each for part in parts for each in part.split("\n\n") if not _SOURCE_FILE.search(each)]
    kept = [
        each
        for each, after in zip(paragraphs, [*paragraphs[1:], ""], strict=True)
        if not (each.startswith("### ") and (not after.strip() or after.startswith("### ")))
    ]
    return "\n\n".join(kept).strip()


def _name_kind(game: Game, kind: str) -> str:
    """Return the name of a kind of pay table."""
    names = {wager.id: wager.name for wager in (*game.wagers, *game.main_parts)}
    return names.get(kind) or display_name(kind).title()


def _render_options(game: Game) -> TerminalTable:
    words = (Column(name, wraps=True) for name in ("Values (* default)", "What it decides"))
    table = TerminalTable((Column("Name"), *words, Column("Ruling")))
    for option in game.options:
        values = ", ".join(f"{value}{'*' * (value == option.default)}" for value in option.values)
        table.add_row(option.name, values, option.meaning, option.ruling)
    return table
