"""The page of hints and strategies names every key, and its commands are those of the program."""

import re
import shlex
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import HintRequest
from pitboss.analysis.hints import Hint
from pitboss.analysis.position import find_position
from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost, simulated_cost_as_json
from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost, strategy_cost_as_json
from pitboss.cards import parse_cards
from pitboss.contract import Action
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Strategy

PAGE = (Path(__file__).parents[2] / "docs" / "best-play.md").read_text(encoding="utf-8")
LUNAR = load_game("lunar")
OPTIONS, CHOSEN = resolve_options(LUNAR, {}), select_paytables(LUNAR)


def named(section: str) -> set[str]:
    """Return what stands in backquotes in a section of the page."""
    return set(re.findall(r"`([^`\n]+)`", PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]))


def test_every_key_of_a_hint_is_named() -> None:
    seen = {"player": parse_cards("As Ks Qd 7h 2c", LUNAR.deck), "dealer": parse_cards("9d", LUNAR.deck)}
    found = (Hint(Action("exchange-2", discards=2), 3, Fraction(1, 2)),)
    position = find_position(LUNAR, CHOSEN, OPTIONS, seen)
    keys = HintRequest(LUNAR, GameTerms(CHOSEN, OPTIONS), position).as_json(found)
    assert {*keys, *keys["actions"][0]} <= named("What an action is worth")


def test_every_key_of_a_strategy_is_named() -> None:
    errs = PricedMistake("fold", "play", "an ace", 1, Fraction(1, 2), Fraction(1, 4))
    actions = {"fold": Fraction(1)}
    practical = Strategy("practical", "Practical", ("Fold.",), len)
    exact = strategy_cost_as_json(StrategyCost(practical, Fraction(0), Fraction(0), 2, actions, (errs,)))
    simulated = simulated_cost_as_json(SimulatedStrategyCost(practical, 2, Fraction(0), 0.5, (errs,)))
    for shown in (exact, simulated):
        assert {*shown, *shown["mistakes"][0], *shown.get("simulated", {})} <= named("A strategy to remember")


@pytest.mark.parametrize("command", re.findall(r"^\$ pitboss hint (.*)$", PAGE, re.MULTILINE))
def test_the_cards_of_each_example_come_to_a_decision(command: str) -> None:
    game, *words = shlex.split(command)
    of_game = load_game(game)
    given = {
        word.removeprefix("--"): parse_cards(value, of_game.deck)
        for word, value in pairwise(words)
        if word in {"--player", "--dealer", "--community", "--indicators", "--drew", "--discarded"}
    }
    assert find_position(of_game, select_paytables(of_game), resolve_options(of_game, {}), given).legal
