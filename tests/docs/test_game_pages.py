"""The pages of the games are what the program prints today."""

import runpy
from pathlib import Path

import pytest

from cli.conftest import KNOWN, Invoke, invoke
from pitboss.games import load_game, load_games

DOCS = Path(__file__).parents[2] / "docs"
PAGES = runpy.run_path(str(DOCS / "pages.py"))

__all__ = ["invoke"]


def page(game: str) -> str:
    """Return the landed page of a game."""
    return (DOCS / f"game-{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", load_games())
def test_a_game_has_its_page_with_every_section(game: str) -> None:
    headings = [line.removeprefix("## ") for line in page(game).splitlines() if line.startswith("## ")]
    assert headings == [heading for heading, _ in PAGES["commands"](load_game(game))]


@pytest.mark.parametrize(("game", "bet"), KNOWN)
def test_a_sheet_on_a_page_is_what_is_printed_now(game: str, bet: str, invoke: Invoke) -> None:
    status, out, _ = invoke("par", game, "--bet", bet)
    assert status == 0
    assert f"$ pitboss par {game} --bet {bet}\n{PAGES['tidy'](out)}\n```" in page(game)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("game", load_games())
def test_a_whole_page_is_what_is_printed_now(game: str) -> None:
    assert PAGES["page"](load_game(game)) == page(game)
