"""Hints are in Antes and best first; of equal values the one booked stands first (ALL-9)."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import pitboss.analysis.hints
from pitboss.analysis.hints import compute_hints
from pitboss.analysis.position import Position, find_position
from pitboss.cards import make_mask, parse_cards
from pitboss.contract import Game
from pitboss.core.errors import WagerError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ActionValue, Solution, Solver, SolverProblem
from refusals import refusal

LUNAR, SIX_CARD, SHIFTING = load_game("lunar"), load_game("six-card"), load_game("shifting-wilds")
FIRST_FIVE = {"player": "As Ks Qd 7h 2c", "dealer": "9d"}


def nothing_solved(_problem: SolverProblem, _progress: Callable[[int, int], None]) -> Solution:
    """Fail: a hint solves nothing."""
    pytest.fail("nothing is solved")


def at(game: Game, **cards: str) -> Position:
    """Return the position of a game in which these cards are seen."""
    given = {name: parse_cards(text, game.deck) for name, text in cards.items()}
    return find_position(game, select_paytables(game), resolve_options(game, {}), given)


def answering(monkeypatch: pytest.MonkeyPatch, *valued: ActionValue) -> list[SolverProblem]:
    """Let every solver answer this; list what it is asked."""
    asked: list[SolverProblem] = []

    def hint(
        problem: SolverProblem, _view: Any, _asked: int, _progress: Callable[[int, int], None]
    ) -> tuple[ActionValue, ...]:
        asked.append(problem)
        return valued

    monkeypatch.setattr(pitboss.analysis.hints, "find_solver", lambda _game: Solver(nothing_solved, hint))
    return asked


def mask(text: str) -> int:
    """Return a set of cards."""
    return make_mask(parse_cards(text, LUNAR.deck))


def test_the_best_comes_first_and_ties_as_they_are_booked(monkeypatch: pytest.MonkeyPatch) -> None:
    tied, best = Fraction(-1), Fraction(1, 3)
    answering(
        monkeypatch,
        ActionValue("exchange-2", mask("Ks 7h"), tied),
        ActionValue("exchange-2", mask("7h 2c"), tied),
        ActionValue("buy", 0, tied),
        ActionValue("play", 0, tied),
        ActionValue("exchange-3", mask("Qd 7h 2c"), best),
        ActionValue("fold", 0, tied),
    )
    found = compute_hints(
        LUNAR, select_paytables(LUNAR), resolve_options(LUNAR, {}), at(LUNAR, **FIRST_FIVE), ignore_progress
    )
    assert [(each.action.id, each.cards) for each in found] == [
        ("exchange-3", mask("Qd 7h 2c")),
        ("fold", 0),
        ("play", 0),
        ("buy", 0),
        ("exchange-2", mask("7h 2c")),
        ("exchange-2", mask("Ks 7h")),
    ]
    assert found[0].value == best


def test_values_are_in_antes_whatever_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, ActionValue("check", 0, Fraction(3)))
    seen = at(SHIFTING, player="As Ks Qs 2d", community="3d 4d", indicators="2c")
    stakes = {"regular-bonus": Fraction(1, 2)}
    found = compute_hints(
        SHIFTING, select_paytables(SHIFTING), resolve_options(SHIFTING, {}), seen, ignore_progress, stakes
    )
    assert found[0].value == Fraction(3, 2)
    assert set(asked[0].side_nets) == {"regular-bonus"}


def test_a_solver_without_hints_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.analysis.hints, "find_solver", lambda _game: Solver(nothing_solved))
    with pytest.raises(WagerError, check=refusal("no-hints", game="lunar")):
        compute_hints(
            LUNAR, select_paytables(LUNAR), resolve_options(LUNAR, {}), at(LUNAR, **FIRST_FIVE), ignore_progress
        )
