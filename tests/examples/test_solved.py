"""Published figures of the example games, from folders without a solver, and the page that lists them."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from examples.loading import load_example
from pitboss.analysis.solutions import build_problem, compute_average_wager, get_solution
from pitboss.core.progress import ignore_progress
from pitboss.engine.plan import make_plan
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution

PAGE = Path(__file__).parents[2] / "docs" / "example-games.md"
ROW = re.compile(
    r"^\| (?P<name>[^|]+) \| (?P<published>[0-9.]+)% \| [^|]+ \| (?P<ours>[0-9.]+)% "
    r"\| (?P<lost>[0-9,]+)/(?P<deals>[0-9,]+) \| [^|]+ \| [^|]+ \|$",
    re.MULTILINE,
)
ROWS = {row["name"]: row for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}
DEALS_OF_NINE = 27_813_810_024_000
FIGURES = {
    "three_card_poker": (13_733_780, 407_170_400),
    "let_it_ride": (1_822_224, 51_979_200),
    "caribbean_stud": (1_041_372_912_372, 19_933_230_517_200),
    "mississippi_stud": (7_664_112, 155_937_600),
    "casino_holdem": (600_123_513_880, DEALS_OF_NINE),
    "ultimate_texas_holdem": (607_723_787_676, DEALS_OF_NINE),
}
MARKS = {
    "three_card_poker": pytest.mark.more,
    "let_it_ride": pytest.mark.more,
    "caribbean_stud": pytest.mark.more,
    "mississippi_stud": pytest.mark.long,
    "casino_holdem": pytest.mark.long,
    "ultimate_texas_holdem": pytest.mark.long,
}
AVERAGE_WAGERS = {  # wizardofodds.com, glossary, "Element of Risk"; casinocitytimes.com, John Grochowski, 19 April 2018
    "caribbean_stud": "2.0445",
    "mississippi_stud": "3.59",
}
FOLDS = {"caribbean_stud": "47.7745", "casino_holdem": "18.0094", "ultimate_texas_holdem": "19.1858"}


def solve(name: str) -> tuple[Fraction, Solution]:
    """Return what the house keeps over all deals, in Antes, and the solution."""
    game = load_example(name)
    terms = select_paytables(game), resolve_options(game, {})
    scaled, solution = build_problem(game, *terms), get_solution(game, *terms, ignore_progress)
    total = sum(count * net for count, net in zip(solution.counts, scaled.problem.nets, strict=True))
    return Fraction(-total, scaled.unit), solution


@pytest.mark.compiled
@pytest.mark.parametrize("name", [pytest.param(name, marks=mark) for name, mark in MARKS.items()])
def test_the_published_edge_is_found_from_the_rules_alone(name: str) -> None:
    game = load_example(name)
    assert not game.solver
    lost, solution = solve(name)
    deals, (lost_antes, all_deals) = sum(solution.counts), FIGURES[name]
    assert lost * Fraction(all_deals, deals) == lost_antes
    folded = sum(count for path, count in solution.actions.items() if path.endswith("fold"))
    assert f"{100 * folded / deals:.4f}" == FOLDS.get(name, f"{100 * folded / deals:.4f}")
    published = AVERAGE_WAGERS.get(name)
    if published:
        assert f"{float(compute_average_wager(game, solution.counts)):.{len(published) - 2}f}" == published


def test_the_page_has_these_figures_and_they_are_those_published() -> None:
    names = {load_example(name).name: name for name in FIGURES}
    assert len(ROWS) == len(FIGURES) - 1
    for title, row in ROWS.items():
        lost, deals = FIGURES[names[title]]
        assert (f"{lost:,}", f"{deals:,}") == (row["lost"], row["deals"])
        assert f"{100 * lost / deals:.8f}" == row["ours"]
        digits = len(row["published"].partition(".")[2])
        assert f"{100 * lost / deals:.{digits}f}" == row["published"]


@pytest.mark.parametrize("name", MARKS)
def test_a_plan_says_how_an_example_is_solved_within_the_budget(name: str) -> None:
    plan = make_plan(load_example(name))
    assert plan.way == ("visit" if name in ("let_it_ride", "mississippi_stud") else "census")
    assert plan.seconds < 3600
    assert plan.memory_bytes < 1 << 30
