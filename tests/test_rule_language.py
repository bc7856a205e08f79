"""A rule in other Python than kernels can compile is refused when its game is loaded, in a line that names the line."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.drawing import each_game
from pitboss.contract import Game
from pitboss.core.rule import rule
from pitboss.games import load_games
from pitboss.rule_language import RuleLanguageError, verify_rule_language
from refusals import refusal

SIX_CARD = load_games()["six-card"]
HEAD = "from pitboss.core.rule import rule\n\nLIMIT = 7\n\n\ndef help_me(cards):\n    return [cards]\n\n\n@rule\n"


def write_rule(folder: Path, body: str) -> Game:
    """Return a game whose folder has a file with one rule."""
    path = folder / "rules.py"
    path.write_text(f'{HEAD}def choose(cards: int) -> int:\n    """Choose."""\n    {body}\n', encoding="utf-8")
    spec = importlib.util.spec_from_file_location("written_rules", path)
    assert spec
    assert spec.loader
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return replace(SIX_CARD, folder=folder)


@each_game
def test_every_game_is_written_in_it(game: Game) -> None:
    verify_rule_language(game)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("return max([cards])", "a list"),
        ("return len({cards})", "a set"),
        ("return {1: cards}[1]", "a dictionary"),
        ("return sum(card for card in (cards, 1))", "a generator"),
        ("return int(cards == 'fold')", "text"),
        ("return len(f'{cards}')", "text"),
        ("return int(cards * 1.5)", "a fraction"),
        ("return int(cards / 2)", "a division by / (write //)"),
        ("raise ValueError", "an exception"),
        ("assert cards", "an exception"),
        ("print(cards)", "print"),
        ("return sorted((cards, 1))[0]", "sorted"),
        ("return cards._replace(rank=1)", "_replace"),
        ("return (lambda: cards)()", "a lambda"),
    ],
)
def test_what_cannot_be_compiled_is_named_with_its_line(tmp_path: Path, body: str, fault: str) -> None:
    game = write_rule(tmp_path, body)
    with pytest.raises(RuleLanguageError, check=refusal("rule-language", rule="choose", line=13, fault=fault)):
        verify_rule_language(game)


@pytest.mark.parametrize(
    "body",
    [
        "return sum((abs(cards), min(cards, 2), max(1, 2), len((1, 2)), int(cards > 0)))",
        "return tuple(divmod(cards, 2))[0] // 2",
        "print = cards\n    return print + LIMIT",
        "total = 0\n    for at, each in enumerate((cards, 1)):\n        total += at * each\n    return total",
    ],
)
def test_whole_numbers_loops_and_other_names_are_accepted(tmp_path: Path, body: str) -> None:
    verify_rule_language(write_rule(tmp_path, body))


def test_a_rule_that_is_not_marked_is_refused() -> None:
    def view(state: Any) -> Any:
        return SIX_CARD.rules.view(state)

    with pytest.raises(RuleLanguageError, match="write @rule above it", check=refusal("rule-not-marked", rule="view")):
        verify_rule_language(replace(SIX_CARD, rules=replace(SIX_CARD.rules, view=view)))


def test_a_rule_with_other_arguments_is_refused() -> None:
    @rule
    def settle(_state: Any) -> tuple[int, ...]:
        return (0,)

    with pytest.raises(
        RuleLanguageError, match="tables, state, options", check=refusal("rule-arguments", rule="settle")
    ):
        verify_rule_language(replace(SIX_CARD, rules=replace(SIX_CARD.rules, settle=settle)))
