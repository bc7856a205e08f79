"""Tables in a terminal of any width and in a pipe."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from cli.conftest import Invoke
from cli.fitting import WIDTHS, check_fits
from pitboss.cli.markdown import MarkdownProse
from pitboss.cli.terminal_tables import Column, TerminalTable, make_number_columns
from pitboss.games import load_games

ROUND = Path(__file__).parents[2] / "src" / "pitboss" / "games" / "lunar" / "rounds" / "pair-and-ace-king.toml"
LONG = "733,995,659,496,406,507,213,884,521"


def drawn(grid: TerminalTable | MarkdownProse, width: int) -> list[str]:
    """Return the lines of what is drawn at a width."""
    console = Console(width=width)
    with console.capture() as drawing:
        console.print(grid)
    return drawing.get().splitlines()


def outcomes(*counts: str) -> TerminalTable:
    grid = TerminalTable(
        (
            Column("Outcome", wraps=True),
            *make_number_columns("Pays"),
            Column("Combinations", right_aligned=True, drop_order=2),
            *make_number_columns("Edge"),
        )
    )
    for count in counts:
        grid.add_row("three of a kind in five cards", "1,000 to 1", count, "+0.00461723")
    return grid


@pytest.mark.parametrize("bet", [("--bet", "main"), ()])
@pytest.mark.parametrize("game", load_games())
def test_every_sheet_fits(game: str, bet: Sequence[str], invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    if bet or game == "six-card":
        assert "House edge" in check_fits(invoke, monkeypatch, "par", game, *bet)


@pytest.mark.parametrize(
    "arguments",
    [
        ("par", "six-card", "--bet", "aces-up", "--paytable", "all"),
        ("par", "six-card", "--bet", "progressive", "--paytable", "all"),
        ("games",),
        *(("rules", game) for game in load_games()),
        ("replay", ROUND),
    ],
)
def test_every_table_fits(arguments: tuple[object, ...], invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    check_fits(invoke, monkeypatch, *arguments)


def test_a_pipe_gets_every_column_of_a_wide_sheet(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    out = invoke("par", "lunar", "--bet", "main").out
    assert "9,656,058,877,264,800   0.0000015391    +0.00153908" in out
    assert "Widen" not in out


def test_words_take_more_lines_before_a_column_goes() -> None:
    lines = drawn(outcomes("1,656"), 60)
    assert any("three of a kind" in line and "1,656" in line for line in lines)
    assert any(line.strip() == "in five cards" for line in lines)


def test_the_column_least_needed_goes_first_and_is_named() -> None:
    lines = drawn(outcomes(LONG), 60)
    assert not any(LONG in line for line in lines)
    assert lines[-1] == "Widen the window to 76 columns for: Combinations"
    assert any(LONG in line for line in drawn(outcomes(LONG), 76))


def test_where_nothing_may_go_each_row_has_lines_of_its_own() -> None:
    assert drawn(outcomes(LONG), 30) == [
        "three of a kind in five cards",
        "  Pays: 1,000 to 1",
        "  Combinations: ",
        "733,995,659,496,406,507,213,88",
        "4,521",
        "  Edge: +0.00461723",
    ]


def test_columns_that_are_alike_go_on_in_a_further_table() -> None:
    names = [f"SCP-0{number}" for number in range(1, 6)]
    grid = TerminalTable(
        (Column("Line", wraps=True), *(Column(name, right_aligned=True, splits=True) for name in names))
    )
    grid.add_row("full house", *("9 to 1" for _ in names))
    lines = drawn(grid, 40)
    assert [line.split()[1:] for line in lines if "Line" in line] == [names[:3], names[3:]]
    assert sum(line.split()[:2] == ["full", "house"] for line in lines) == 2


@pytest.mark.parametrize("width", [*WIDTHS, 500])
def test_prose_stays_readable_where_the_page_is_wide(width: int) -> None:
    lines = drawn(MarkdownProse("Five cards each. " * 20 + "\n\n- **LU-1** one hand"), width)
    assert max(map(len, lines)) <= min(width, 80)
    assert any("• LU-1 one hand" in line for line in lines)
