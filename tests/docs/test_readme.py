"""Figures that README prints are those of the games' pages, which are held against the program."""

import doctest
import re
from pathlib import Path

import pytest

from pitboss.games import load_games

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(game: str) -> str:
    """Return a game's page."""
    return (ROOT / "docs" / f"game-{game}.md").read_text(encoding="utf-8")


def test_edges_and_deals_of_every_game() -> None:
    rows = re.findall(r"^\| (.*?) \| `([\w-]+)` \| ([\d.]+)% of .*? \| ([\d,]+) \|$", README, re.MULTILINE)
    assert {game for _, game, _, _ in rows} == set(load_games())
    for name, game, edge, deals in rows:
        assert name == load_games()[game].name
        assert f"  exact, {deals} deals\n" in page(game)
        pattern = r"--bet main\n.*?^ House edge +([\d.]+)%  of an? "
        (printed,) = re.findall(pattern, page(game), re.MULTILINE | re.DOTALL)[:1]
        assert edge == printed
    in_order = [float(edge) for _, _, edge, _ in rows]
    assert in_order == sorted(in_order)


def test_the_sheet_is_the_one_of_its_game() -> None:
    (sheet,) = re.findall(r"^(\$ pitboss par six-card --bet aces-up\n.*?)^```$", README, re.MULTILINE | re.DOTALL)
    lines = [line.rstrip() for line in sheet.splitlines() if line.strip()]
    assert len(lines) > 15
    printed = [line.rstrip() for line in page("six-card").splitlines() if line.strip()]
    start = printed.index(lines[0])
    assert printed[start : start + len(lines)] == lines


@pytest.mark.compiled
def test_the_example_in_python_runs() -> None:
    (example,) = re.findall(r"^```python\n(>>> .*?)^```$", README, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest(example, {}, "README.md", None, None)
    assert doctest.DocTestRunner().run(test) == doctest.TestResults(failed=0, attempted=4)
