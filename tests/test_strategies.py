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
from refusals import refusal

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


def practical(_tables: Any, _view: Any, _decision: int, _numbers: tuple[int, ...], _options: Any) -> tuple[int, int]:
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
    with pytest.raises(
        UnknownNameError,
        check=refusal(
            "unknown-strategy",
            kind="strategy",
            name="allways-play",
            known=["practical", "always-play"],
            closest="always-play",
        ),
    ):
        get_strategy(write_strategies(toy, TOY), "allways-play")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("[[strategy]]", "[strategy", "invalid-document"),
        ("rule =", "rules =", "invalid-document"),
        ("lowest_pair = 6", 'lowest_pair = "6"', "invalid-document"),
        ('"Play every hand."', "", "invalid-document"),
        ('"Play every hand."', '"a",' * 11, "invalid-document"),
        ('rule = "always"', 'rule = "never"', "no-rule"),
        ("lowest_card:rank}", "lowest_crad:rank}", "unknown-number"),
        ("{most}", "{most:x}", "unknown-number-format"),
        ("{most}", "{most:rank}", "not-a-rank"),
        ("{most}", "{most", "line-not-printable"),
        ("{most}", "{most.height}", "line-not-printable"),
        ("{most}", "{}", "line-not-printable"),
        ('id = "always-play"', 'id = "practical"', "id-twice"),
    ],
)
def test_what_is_wrong_with_a_strategy_is_said_in_a_line(toy: Game, old: str, new: str, code: str) -> None:
    assert old in TOY
    with pytest.raises(StrategyError, check=refusal(code)) as refused:
        load_strategies(write_strategies(toy, TOY.replace(old, new)))
    assert "\n" not in str(refused.value)
    assert "strategy.toml" in str(refused.value)


def test_rules_are_looked_for_in_the_games_own_module(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(practical=len, always=max, __name__="other")
    monkeypatch.setitem(sys.modules, "pitboss.games.toy.strategies", other)
    assert [each.choose for each in load_strategies(write_strategies(toy, TOY))] == [len, max]
