"""The page of leaks names every key and every leak, and its commands are those of the program."""

import re
import shlex
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from examples.loading import load_example
from pitboss.analysis.protection import LeakReport, ProtectionReport, ProtectionSettings
from pitboss.contract import Game
from pitboss.engine.card_leaks import find_leak, list_leaks
from pitboss.games import load_game, load_games

PAGE = (Path(__file__).parents[2] / "docs" / "protect.md").read_text(encoding="utf-8")


def test_every_key_is_named() -> None:
    named = set(re.findall(r"`([^`\n]+)`", PAGE))
    for value in (Fraction(1, 2), 0.5):
        leak = LeakReport("id", "sees", "exact", value, value, 0.0, 0.0, 0.0, 1, 1.0, "exploit", "detect")
        report = ProtectionReport("six-card", (), {}, ProtectionSettings(), Fraction(1), (leak,)).to_dict()
        assert {*report, *report["leaks"][0]} <= named


def test_every_kind_of_leak_is_in_the_table() -> None:
    shown = {re.sub(r"\d", "1", name) for name in re.findall(r"`((?:dealer|early|stub|neighbours)-[^`]+)`", PAGE)}
    for game in load_games().values():
        for leak in list_leaks(game):
            name = re.sub(r"early-(?!all)[a-z0-9]+", "early-NAME", leak.id)
            assert re.sub(r"-\d", "-1", name) in shown, leak.id


def find_game(name: str) -> Game:
    return load_example(name.replace("-", "_")) if name == "three-card-poker" else load_game(name)


@pytest.mark.parametrize("command", re.findall(r"^\$ .*pitboss protect (.*)$", PAGE, re.MULTILINE))
def test_each_command_asks_for_leaks_that_its_game_has(command: str) -> None:
    name, *words = shlex.split(command)
    for option, value in pairwise(words):
        if option == "--leak":
            assert find_leak(find_game(name), value).id == value
