"""Strategies: reading them from a game's folder, printing numbers into their lines, and errors of bad files."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pitboss.contract import Game
from pitboss.core.errors import StrategyError, UnknownNameError
from pitboss.games import load_game
from pitboss.strategies import get_strategy, load_strategies

TOY = """
[[strategy]]
id = "practical"
name = "Practical"
rule = "practical"
lines = ["Play a pair of {lowest_pair:ranks} or better.", "Otherwise play {lowest_card:rank} high; never above {most}."]
[strategy.numbers]
lowest_pair = 6
lowest_card = 14
most = 21

[[strategy]]
id = "always-play"
name = "Always play"
rule = "always"
lines = ["Play every hand."]
"""


def practical(_tables: Any, _view: Any, _asked: int, _numbers: tuple[int, ...], _options: Any) -> tuple[int, int]:
    """Play."""
    return 1, 0


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Yield a game whose folder can hold strategies."""
    module = ModuleType("pitboss.games.toy.strategies")
    vars(module).update(practical=practical, always=practical)
    monkeypatch.setitem(sys.modules, "pitboss.games.toy.strategies", module)
    folder = tmp_path / "toy"
    folder.mkdir()
    yield replace(load_game("six-card"), folder=folder)
    load_strategies.cache_clear()


def write_strategies(game: Game, text: str) -> Game:
    """Write the game's strategy file and return the game."""
    (game.folder / "strategy.toml").write_text(text, encoding="utf-8")
    return game


def test_numbers_are_printed_into_the_lines_and_handed_over_in_their_order(toy: Game) -> None:
    first, second = load_strategies(write_strategies(toy, TOY))
    assert first.lines == ("Play a pair of sixes or better.", "Otherwise play ace high; never above 21.")
    assert first.numbers == (6, 14, 21)
    assert first.choose is practical
    assert (second.id, second.name, second.numbers) == ("always-play", "Always play", ())
    assert get_strategy(toy, "always-play") is second


def test_a_game_without_strategies_has_none(toy: Game) -> None:
    assert load_strategies(toy) == ()


def test_an_unknown_strategy_is_refused_with_those_there_are(toy: Game) -> None:
    with pytest.raises(UnknownNameError, match="unknown strategy 'allways-play': did you mean 'always-play'"):
        get_strategy(write_strategies(toy, TOY), "allways-play")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[strategy]]", "[strategy", "is not valid TOML"),
        ("rule =", "rules =", "strategy 1 rule is missing"),
        ("lowest_pair = 6", 'lowest_pair = "6"', "strategy 1 numbers lowest_pair: '6' is not a whole number"),
        ('"Play every hand."', "", "strategy 2 lines is too short: give at least 1"),
        ('"Play every hand."', '"a",' * 11, "strategy 2 lines is too long: give at most 10"),
        ('rule = "always"', 'rule = "never"', "strategy always-play: .*strategies has no rule 'never'"),
        ("lowest_card:rank}", "lowest_crad:rank}", "unknown number 'lowest_crad': did you mean 'lowest_card'"),
        ("{most}", "{most:x}", "'x' is not a number format"),
        ("{most}", "{most:rank}", "21 is not a rank: ranks run from 2 to 14"),
        ("{most}", "{most", "cannot be printed: expected '}'"),
        ("{most}", "{most.height}", "cannot be printed"),
        ("{most}", "{}", "cannot be printed"),
        ('id = "always-play"', 'id = "practical"', "strategy practical: the file has this id twice"),
    ],
)
def test_what_is_wrong_with_a_strategy_is_said_in_a_line(toy: Game, old: str, new: str, message: str) -> None:
    assert old in TOY
    with pytest.raises(StrategyError, match=message) as refused:
        load_strategies(write_strategies(toy, TOY.replace(old, new)))
    assert "\n" not in str(refused.value)
    assert "strategy.toml" in str(refused.value)


def test_rules_are_looked_for_in_the_games_own_module(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(practical=len, always=max, __name__="other")
    monkeypatch.setitem(sys.modules, "pitboss.games.toy.strategies", other)
    assert [each.choose for each in load_strategies(write_strategies(toy, TOY))] == [len, max]
