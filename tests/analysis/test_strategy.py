"""A strategy's cost is the best play's value less its own, per Ante, whatever the unit of the nets."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest

import pitboss.analysis.solutions
import pitboss.analysis.strategy_cost
from pitboss.analysis.solutions import build_problem
from pitboss.analysis.strategy_cost import compute_strategy_costs, strategy_cost_as_json
from pitboss.contract import Game
from pitboss.core.errors import StrategyError
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Mistake, Solution, Solver, SolverProblem, Strategy
from refusals import refusal

SIX_CARD = load_game("six-card")
NAMES = [outcome.name for outcome in SIX_CARD.wagers[0].outcomes]
OPTIONS, CHOSEN = resolve_options(SIX_CARD, {}), select_paytables(SIX_CARD)

PRACTICAL = Strategy("practical", "Practical", ("Play a pair.",), len, (2,))
ALWAYS = Strategy("always-play", "Always play", ("Play.",), len)
FOUND = {
    None: Solution((40, 30, 0, 0, 0, 30, 0), {"fold": 40, "play": 60}, 3),
    "practical": Solution(
        (50, 25, 0, 0, 0, 25, 0),
        {"fold": 50, "play": 50},
        0,
        mistakes=(Mistake("fold", "play", "an ace and a king", 10, 10),),
    ),
    "always-play": Solution((0, 30, 0, 0, 0, 70, 0), {"fold": 0, "play": 100}, 0),
}


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have two strategies played out in no time, and list what is watched."""
    assert [NAMES[1], NAMES[5]] == ["play-win-qualified", "play-lose-qualified"]

    def played(*arguments: object) -> Solution:
        strategy = arguments[4]
        return FOUND[strategy.id if isinstance(strategy, Strategy) else None]

    monkeypatch.setattr(pitboss.analysis.strategy_cost, "get_solution", played)
    monkeypatch.setattr(pitboss.analysis.strategy_cost, "load_strategies", lambda _game: (PRACTICAL, ALWAYS))
    return []


def watching(names: list[str]) -> pitboss.analysis.strategy_cost.OpenProgress:
    """Return a watch that notes what is worked on."""

    @contextmanager
    def noted(what: str) -> Iterator[ProgressCallback]:
        names.append(what)
        yield lambda _done, _total: None

    return noted


def test_costs_are_exact_and_per_ante(watched: list[str]) -> None:
    best, practical, always = compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching(watched))
    assert watched == ["Best play", "Practical", "Always play"]
    assert best.strategy is None
    assert (best.expected_value, best.cost) == (Fraction(-40, 100), Fraction(0))
    assert (practical.house_edge, practical.cost) == (Fraction(50, 100), Fraction(10, 100))
    assert always.cost == Fraction(80 - 40, 100)
    assert practical.actions == {"fold": Fraction(1, 2), "play": Fraction(1, 2)}
    assert practical.mistakes[0].cost == Fraction(1, 10) == practical.mistakes[0].frequency


def test_a_finer_unit_changes_no_figure(watched: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching(watched))
    asked = build_problem(SIX_CARD, CHOSEN, OPTIONS)
    finer = replace(asked, unit=4, problem=replace(asked.problem, nets=tuple(4 * net for net in asked.problem.nets)))
    monkeypatch.setattr(pitboss.analysis.strategy_cost, "build_problem", lambda *_arguments: finer)
    fine = compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching(watched))
    assert [each.cost for each in fine] == [each.cost for each in plain]
    assert fine[1].mistakes[0].cost == plain[1].mistakes[0].cost / 4


def test_plays_that_are_solved_side_by_side_are_solved_once_and_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, str] = {}
    asked: list[tuple[Strategy | None, ...]] = []

    def solve_side_by_side(
        _problem: SolverProblem, of: Sequence[Strategy | None], _told: ProgressCallback
    ) -> tuple[Solution, ...]:
        asked.append(tuple(of))
        return tuple(FOUND[each.id if each else None] for each in of)

    solver = Solver(lambda *_: pytest.fail("nothing is solved alone"), solve_side_by_side=solve_side_by_side)
    for module in (pitboss.analysis.solutions, pitboss.analysis.strategy_cost):
        monkeypatch.setattr(module, "find_solver", lambda _game: solver)
    monkeypatch.setattr(pitboss.analysis.solutions, "write_cached_text", kept.__setitem__)
    monkeypatch.setattr(pitboss.analysis.solutions, "read_cached_text", kept.get)
    monkeypatch.setattr(pitboss.analysis.solutions, "get_or_make_text", lambda name, _solve: kept[name])
    monkeypatch.setattr(pitboss.analysis.strategy_cost, "load_strategies", lambda _game: (PRACTICAL, ALWAYS))
    names: list[str] = []
    for _ in range(2):
        found = compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching(names))
        assert [play.cost for play in found] == [Fraction(0), Fraction(10, 100), Fraction(40, 100)]
    assert asked == [(None, PRACTICAL, ALWAYS)]
    assert (len(kept), names[:2]) == (3, ["Every play", "Best play"])


def test_programs_get_figures_by_name(watched: list[str]) -> None:
    best, practical, _ = (
        strategy_cost_as_json(each) for each in compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching(watched))
    )
    assert "cost" not in best
    assert (best["house_edge"], best["actions"]["fold"]) == (0.4, 0.4)
    assert (practical["cost_exact"], practical["expected_value_exact"]) == ("1/10", "-1/2")
    assert practical["mistakes"] == [
        {"taken": "fold", "best": "play", "hand": "an ace and a king", "deals": 10, "frequency": 0.1, "cost": 0.1}
    ]


def test_a_game_without_strategies_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_game: Game) -> tuple[Strategy, ...]:
        return ()

    monkeypatch.setattr(pitboss.analysis.strategy_cost, "load_strategies", none)
    with pytest.raises(StrategyError, check=refusal("no-strategy", game="six-card")):
        compute_strategy_costs(SIX_CARD, CHOSEN, OPTIONS, watching([]))
