"""Writes a page for each game, ``game-ID.md``: its PAR sheets and strategy, each as a command prints them.

Run by ``make pages``, or by hand for some games: ``python docs/pages.py six-card wild-52``.
"""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.cli.app import run
from pitboss.contract import Game
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import get_wager_paytables
from pitboss.strategies import load_strategies

DOCS = Path(__file__).parent
COLUMNS = "100"
MATRIX = "Covariances and correlations"

_ABOUT = """{summary} Its rules are on the page [The games](games.md);
[PAR sheets](par-sheets.md) explains the figures.

Every block shows what its command prints. `make pages` writes this page."""


def commands(game: Game) -> Iterator[tuple[str, list[str]]]:
    """Yield the heading of each section and the commands whose output stands there."""
    options = resolve_options(game, {})
    for wager in (*game.wagers, *game.main_parts):
        if explain_missing_sheet(game, wager, options):
            continue
        sheet = f"par {game.id} --bet {wager.id}"
        tables = (
            [f"{sheet} --paytable all"] if len(get_wager_paytables(game, wager)) > len(wager.paytable_kinds) else []
        )
        yield wager.name, [sheet, *(tables if wager is not game.main else [])]
    if game.solver:
        yield from _joint(game)
    yield MATRIX, [f"par {game.id}"]
    if load_strategies(game):
        yield "A strategy to remember", [f"strategy {game.id}"]


def _joint(game: Game) -> Iterator[tuple[str, list[str]]]:
    """Yield what is played for side wagers too, one Ante on each that depends on the play or does under an option."""
    switches = {wager.census_option for wager in game.wagers if wager.census_option}
    off = dict.fromkeys(sorted(switches), "off")
    options = resolve_options(game, off)
    bets = [wager.id for wager in game.wagers[1:] if depends_on_play(game, wager, options)]
    if bets:
        words = [*(f"--option {name}={value}" for name, value in off.items()), *(f"--with {bet}=1" for bet in bets)]
        yield (
            "The best play with side wagers",
            [f"par {game.id} --bet {bet} {' '.join(words)}" for bet in ("main", *bets)],
        )


def printed(command: str) -> str:
    """Return what a command prints on a page of 100 columns, without spaces at the ends of lines.

    Raises:
        RuntimeError: it does not end well.
    """
    os.environ["COLUMNS"] = COLUMNS
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = run(command.split())
    if status:
        message = f"pitboss {command} ended with {status}"
        raise RuntimeError(message)
    return tidy(out.getvalue())


def tidy(text: str) -> str:
    """Return a text without empty lines around it and spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def page(game: Game) -> str:
    """Return the page of a game."""
    parts = [f"# {game.name}: PAR sheets", _ABOUT.format(summary=game.summary)]
    for heading, asked in commands(game):
        parts.append(f"## {heading}")
        for command in asked:
            text = printed(command)
            if heading == MATRIX:
                text = "...\n" + text[text.index(MATRIX) :] if MATRIX in text else ""
            if text:
                parts.append(f"```{{code-block}} console\n$ pitboss {command}\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def main(names: list[str]) -> None:
    """Write the pages of the games named, of all unless any is."""
    for game in [load_game(name) for name in names] or load_games().values():
        (DOCS / f"game-{game.id}.md").write_text(page(game), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
