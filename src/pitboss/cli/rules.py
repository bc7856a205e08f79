"""``pitboss rules``: a game as a player needs it, told by its README and drawn from its data."""

import re
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from pitboss.cli.arguments import GameName
from pitboss.cli.pays import pay_words
from pitboss.contract import Game, PayTable, TieKind, Wager
from pitboss.core.money import format_cents
from pitboss.describe import spoken
from pitboss.games import game_named
from pitboss.paytables import built_in_paytables

_HEADING = re.compile(r"^##? (.+)$", re.MULTILINE)
_DRAWN_FROM_DATA = {"Pay tables", "Options"}
_TIES = {
    TieKind.AT_MOST: "at most {bet} ({ruling})",
    TieKind.AT_LEAST: "at least {bet} ({ruling})",
    TieKind.ONLY_WITH: "only with {bet} ({ruling})",
}


def rules(game: GameName) -> None:
    """Explain a game: how it is dealt and settled, its wagers, pay tables and options.

    Labels as SC-1 are rulings: how the game's rule sheet is read where it leaves something open.

    For example:

        pitboss rules six-card
        pitboss rules lunar | less
    """
    explained = game_named(game)
    console = Console(highlight=False)
    console.print(Text(explained.name, style="bold"))
    console.print(Text(explained.summary))
    for heading, body in _sections(explained):
        console.print()
        console.print(Text(heading, style="bold cyan"))
        console.print(body)


def _sections(game: Game) -> Iterator[tuple[str, RenderableType]]:
    """Yield what the README tells, then limits, pay tables and options, each under its heading."""
    for heading, text in _told(game):
        if heading not in _DRAWN_FROM_DATA:
            yield heading, Markdown(text)
    yield "Limits and ties", _wagers(game)
    for kind in dict.fromkeys(table.table for table in built_in_paytables(game)):
        tables = [table for table in built_in_paytables(game) if table.table == kind]
        yield f"Pay tables: {spoken(kind)}", _paytables(tables)
    yield "Options (--option NAME=VALUE)", _options(game)


def _told(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the headings of the README, each with the text under it; a game without a README tells nothing."""
    readme = game.folder / "README.md"
    if readme.exists():
        _, _, *parts = _HEADING.split(readme.read_text(encoding="utf-8"))
        yield "Cards and seats", parts.pop(0)
        yield from zip(parts[::2], parts[1::2], strict=True)


def _wagers(game: Game) -> Table:
    """Draw each wager: whether one must place it, between which amounts, and what binds it to others."""
    table = Table("Bet", "Placed", "Limits", "Bound to others", box=SIMPLE_HEAD, pad_edge=False)
    table.columns[0].no_wrap = True
    for wager in game.wagers:
        bound = ", ".join(_TIES[tie.kind].format(bet=tie.bet, ruling=tie.ruling) for tie in wager.ties)
        table.add_row(wager.id, _placed(wager), _limits(wager), bound)
    return table


def _placed(wager: Wager) -> str:
    if wager.switch:
        return f"option {wager.switch}"
    return "mandatory" if wager.mandatory else "optional"


def _limits(wager: Wager) -> str:
    lowest, highest = wager.limits.minimum_cents, wager.limits.maximum_cents
    amounts = format_cents(lowest) if lowest == highest else f"{format_cents(lowest)} to {format_cents(highest)}"
    return amounts.replace(".00", "")


def _paytables(tables: list[PayTable]) -> RenderableType:
    """Draw the tables of one kind side by side, then where each is printed and what it has besides lines."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    drawn.add_column("Line")
    for table in tables:
        drawn.add_column(f"{table.id}{'*' * table.default}", justify="right")
    for line in tables[0].lines:
        drawn.add_row(spoken(line), *(pay_words(table.lines[line]) for table in tables))
    return Group(drawn, *(Text(f"{table.id}: {'; '.join(_notes(table))}", style="dim") for table in tables))


def _notes(table: PayTable) -> Iterator[str]:
    yield table.source
    if table.claim:
        yield f"printed: {table.claim}"
    for line, pay in table.lines.items():
        if pay.sheet:
            yield f"{spoken(line)} is printed {pay.sheet!r} ({pay.ruling})"
    if table.envy:
        yield "envy " + ", ".join(f"${dollars:,} for a {spoken(line)}" for line, dollars in table.envy.items())
    if table.progressive:
        presets = table.progressive
        yield (
            f"seed {format_cents(presets.seed_cents)}, {presets.meter_bps / 100:g}% to the meter, "
            f"{presets.reserve_bps / 100:g}% to the reserve ({presets.source})"
        )


def _options(game: Game) -> Table:
    table = Table("Name", "Values (* default)", "What it decides", "Ruling", box=SIMPLE_HEAD, pad_edge=False)
    for option in game.options:
        values = ", ".join(f"{value}{'*' * (value == option.default)}" for value in option.values)
        table.add_row(option.name, values, option.meaning, option.ruling)
    return table
