"""What strategies cost, simulated against exact values."""

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss.analysis.simulated_strategy_cost as under_test
from pitboss.analysis.simulated_strategy_cost import (
    ObservedMistake,
    find_mistakes,
    get_simulated_rounds,
    simulate_strategy_costs,
    simulated_cost_as_json,
)
from pitboss.analysis.solutions import build_problem
from pitboss.analysis.strategy_cost import compute_strategy_costs
from pitboss.cards import DECK_52, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar.solver import SOLVER
from pitboss.games.lunar.solver.bundled import load_mistakes
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ActionValue, BundledMistakes, Solver, SolverProblem, Strategy
from pitboss.strategies import load_strategies

GAME = load_game("lunar")
CHOSEN, OPTIONS = select_paytables(GAME), resolve_options(GAME, {})
PROBLEM = build_problem(GAME, CHOSEN, OPTIONS).problem
# Seat, dealer's hidden and exposed cards, then what is drawn and turned.
DECK = parse_cards("As Kh 9d 8d 3c 2s 4s 6h Jc 7s Ah 5d 2h Qs", DECK_52)


class Worth:
    """Hints that are made up: folds are worth 0, all else 2 and draws of the lowest cards 3."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def hint(self, _problem: SolverProblem, view: Any, asked: int, _progress: Any) -> tuple[ActionValue, ...]:
        self.asked.append(asked)
        if asked == 2:
            return ActionValue("take-ante", 0, Fraction(1)), ActionValue("force", 0, Fraction(3, 2))
        fold, play = ActionValue("fold", 0, Fraction(0)), ActionValue("play", 0, Fraction(2))
        if asked == 1:
            return fold, play
        lowest = view.player & ~(1 << parse_cards("As", DECK_52)[0] | 1 << parse_cards("Kh", DECK_52)[0])
        return fold, play, ActionValue("exchange-3", lowest, Fraction(3))


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> Worth:
    made_up = Worth()
    solver = Solver(SOLVER.solve, made_up.hint, simulated_rounds=5)
    monkeypatch.setattr(under_test, "find_solver", lambda _game: solver)
    return made_up


@pytest.fixture
def _kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is simulated in a dictionary."""
    texts: dict[str, str] = {}
    monkeypatch.setattr(
        under_test, "get_or_make_text", lambda name, make: texts.get(name) or texts.setdefault(name, make())
    )


def doing(*actions: int) -> Strategy:
    """Make a strategy that takes these actions, decision by decision; a draw is of all cards but ace and king."""

    def chosen(_tables: Any, view: Any, asked: int, _numbers: Any, _options: Any) -> tuple[int, int]:
        given = view.player & ~(1 << 12 | 1 << (13 + 11)) if asked == 0 and actions[0] > 2 else 0
        return actions[asked], given

    return Strategy("doing", "Doing", ("Do it.",), chosen)


@pytest.mark.parametrize(
    ("actions", "errors"),
    [
        ((4, 1, 1), []),
        ((0, 0, 0), [ObservedMistake("fold", "exchange-3", "high card", Fraction(3))]),
        ((4, 0, 0), [ObservedMistake("fold", "play", "pair", Fraction(2))]),
        (
            (1, 1, 0),
            [
                ObservedMistake("play", "exchange-3", "high card", Fraction(1)),
                ObservedMistake("take-ante", "force", "high card", Fraction(1, 2)),
            ],
        ),
    ],
)
def test_a_round_is_followed_to_its_end(worth: Worth, actions: tuple[int, ...], errors: list[ObservedMistake]) -> None:
    assert find_mistakes(GAME, PROBLEM, doing(*actions), DECK, {}) == errors
    assert worth.asked == {0: [0], 1: [0, 2], 4: [0, 1, 2] if actions[1] else [0, 1]}[actions[0]]


def test_what_is_known_of_a_position_is_not_asked_again(worth: Worth) -> None:
    valued: dict[Any, tuple[ActionValue, ...]] = {}
    for actions in ((1, 1, 0), (0, 0, 0), (1, 1, 1)):
        find_mistakes(GAME, PROBLEM, doing(*actions), DECK, valued)
    assert worth.asked == [0, 2]


@pytest.mark.usefixtures("worth", "_kept_apart")
def test_costs_are_means_with_their_errors_and_errors_of_one_sort_stand_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fold = doing(0, 0, 0)
    monkeypatch.setattr(under_test, "load_strategies", lambda _game: (fold, replace(fold, id="again")))
    told: list[tuple[int, int]] = []
    rounds = get_simulated_rounds(GAME)
    first, second = simulate_strategy_costs(GAME, CHOSEN, OPTIONS, rounds, lambda *done: told.append(done))
    assert told == [(done + 1, rounds) for done in range(rounds)]
    assert (first.cost, first.standard_error, first.mistakes) == (second.cost, 0, second.mistakes)
    assert first.cost == Fraction(3) == sum(each.cost for each in first.mistakes)
    assert sum(each.deals for each in first.mistakes) == rounds
    assert simulate_strategy_costs(GAME, CHOSEN, OPTIONS, rounds, lambda *done: told.append(done)) == (first, second)
    assert len(told) == rounds
    found = simulated_cost_as_json(first)
    assert found["simulated"] == {"rounds": 5, "cost": 3.0, "standard_error": 0.0}


def test_solvers_that_count_strategies_do_not_simulate_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "find_solver", lambda _game: Solver(SOLVER.solve))
    assert get_simulated_rounds(GAME) == 0


def test_what_is_landed_holds_for_these_rules_and_strategies_alone() -> None:
    written, rounds = load_strategies(GAME), get_simulated_rounds(GAME)
    landed = load_mistakes(PROBLEM, written, rounds)
    assert [len(of_rounds) for of_rounds in landed] == [rounds] * len(written)
    assert load_mistakes(PROBLEM, written, rounds + 1) is None
    assert load_mistakes(replace(PROBLEM, nets=(*PROBLEM.nets[:-1], 9)), written, rounds) is None
    assert load_mistakes(PROBLEM, (replace(written[0], numbers=(1,)), *written[1:]), rounds) is None


def test_what_is_landed_costs_what_every_deal_says_within_its_error() -> None:
    found = simulate_strategy_costs(
        GAME, CHOSEN, OPTIONS, get_simulated_rounds(GAME), lambda *_: pytest.fail("nothing is simulated")
    )
    _, *exact = compute_strategy_costs(GAME, CHOSEN, OPTIONS, lambda _name: nullcontext(ignore_progress))
    for simulated, played in zip(found, exact, strict=True):
        assert abs(simulated.cost - played.cost) < 4 * simulated.standard_error
        assert all(each.standard_error for each in simulated.mistakes)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.usefixtures("_kept_apart")
@pytest.mark.parametrize("rounds", [2, pytest.param(40, marks=pytest.mark.long)])
def test_rounds_landed_are_simulated_again(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    again = simulate_strategy_costs(GAME, CHOSEN, OPTIONS, rounds, ignore_progress)
    landed = load_mistakes(PROBLEM, load_strategies(GAME), get_simulated_rounds(GAME))
    bundled = BundledMistakes(Path(), lambda *_: [of_rounds[:rounds] for of_rounds in landed], lambda *_: "")
    monkeypatch.setattr(under_test, "find_solver", lambda _game: replace(SOLVER, bundled_mistakes=bundled))
    assert simulate_strategy_costs(GAME, CHOSEN, OPTIONS, rounds, ignore_progress) == again


@pytest.mark.more
@pytest.mark.compiled
def test_exact_hints_never_value_a_strategy_above_the_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "find_solver", lambda _game: SOLVER)
    valued: dict[Any, tuple[ActionValue, ...]] = {}
    for strategy in load_strategies(GAME):
        assert all(each.cost > 0 for each in find_mistakes(GAME, PROBLEM, strategy, DECK, valued))
    first = valued[next(iter(valued))]
    best = max(each.value for each in first)
    always = find_mistakes(GAME, PROBLEM, load_strategies(GAME)[-1], DECK, valued)
    assert always[0].cost == best - next(each.value for each in first if each.action == "play")
