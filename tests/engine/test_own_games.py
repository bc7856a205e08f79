"""The engine solves our own games as their solvers do: a second derivation that shares none of their code."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from pitboss.analysis.solutions import build_problem
from pitboss.cards import FIRST_JOKER, make_mask, seeded_bits, shuffle_cards
from pitboss.core.progress import ignore_progress
from pitboss.engine.census import add_by_class, count_roots, prepare_census
from pitboss.engine.census_solver import combine_parts
from pitboss.engine.draw_census import prepare_draws, solve_draws
from pitboss.engine.plan import make_plan
from pitboss.engine.solver import build_solver, make_solution
from pitboss.engine.visit import prepare_visit, visit_roots
from pitboss.games import load_game
from pitboss.games.lunar.solver.census import solve_exposed_card
from pitboss.games.shifting_wilds.solver.solution import solve_deck as solve_shifting_wilds
from pitboss.games.six_card.solver.solution import solve_deck as solve_six_card
from pitboss.games.wild_52.solver.solution import solve_deck as solve_wild_52
from pitboss.games.wild_six_card.rules import WildSixView
from pitboss.games.wild_six_card.solver.solution import solve as solve_wild_six_card
from pitboss.kernels.suit_symmetry import SuitedDeck
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ShardedTask, Solution, SolverProblem, get_hint_function, load_solver
from pitboss.strategies import load_strategies
from tiers import keep_first

Own = Callable[[SolverProblem], Solution]


def make_problem(name: str, chosen: dict[str, str]) -> SolverProblem:
    """Return the problem of main, staked alone."""
    game = load_game(name)
    return build_problem(game, select_paytables(game), resolve_options(game, chosen)).problem


def visit(name: str, problem: SolverProblem, cards: Sequence[int]) -> Solution:
    """Solve a deck by a visit of every deal."""
    game = load_game(name)
    prepared = prepare_visit(game, problem, cards)
    _, tally = visit_roots(prepared, problem, 0, len(prepared.roots))
    return make_solution(game, tally, len(prepared.walk_input.exchanges))


def take_census(name: str, problem: SolverProblem, cards: Sequence[int], parts: int = 1) -> Solution:
    """Solve a deck by a census of its showdowns."""
    prepared = prepare_census(load_game(name), problem, cards)
    roots = len(prepared.roots)
    bounds = [roots * part // parts for part in range(parts + 1)]
    sums = (add_by_class(prepared, count_roots(prepared, problem, start, stop)[0]) for start, stop in pairwise(bounds))
    return combine_parts(prepared, sums, problem)


def assert_same(found: Solution, own: Solution) -> None:
    """Compare two solutions outcome by outcome; one can count each deal several times."""
    scale, rest = divmod(sum(found.counts), sum(own.counts))
    assert rest == 0
    assert list(found.counts) == [scale * deals for deals in own.counts]


def assert_same_paths(found: Solution, own: Solution) -> None:
    """Compare how often each path is taken: the games' own solvers name some otherwise."""
    assert sorted(found.actions.values()) == sorted(deals for deals in own.actions.values() if deals)


def in_four_suits(ranks: Sequence[int], jokers: int = 0) -> list[int]:
    """Return the cards of whole ranks, and Jokers."""
    return [*(13 * suit + rank for suit in range(4) for rank in ranks), *range(FIRST_JOKER, FIRST_JOKER + jokers)]


PAIRS = SuitedDeck((1, 4, 6, 9, 11), 2, 2)
NINES = (3, 5, 7, 8, 10, 12)
ODD_OPTIONS = {"stand_pat": "on", "wild_flush": "any_card"}


def solve_lunar(problem: SolverProblem, ranks: Sequence[int], suits: int) -> Solution:
    """Solve Lunar Poker for each exposed card of a deck in turn."""
    found = [solve_exposed_card(rank, problem.options, problem.nets, ranks, suits) for rank in ranks]
    counts = tuple(suits * sum(column) for column in zip(*(each["counts"] for each in found), strict=True))
    return Solution(counts, {}, 0)


def list_decks() -> list[Any]:
    """List a small deck of each game, with what solves it by the game's own code."""
    low, high = (0, 6, 12), (3, 8, 9)
    two_suits = [13 * suit + rank for suit in range(2) for rank in NINES]
    return [
        ("six-card", {}, in_four_suits(low), lambda one: solve_six_card(in_four_suits(low), one, ignore_progress)),
        ("wild-six-card", {}, PAIRS.cards, lambda one: solve_wild_six_card(one, ignore_progress, PAIRS)),
        ("shifting-wilds", {}, in_four_suits(high), lambda one: solve_shifting_wilds(high, one, ignore_progress)),
        ("wild-52", {}, in_four_suits(high, 1), lambda one: solve_wild_52(high, one, ignore_progress)),
        ("lunar", {}, two_suits, lambda one: solve_lunar(one, NINES, 2)),
    ]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "chosen", "cards", "solve_own"),
    keep_first(list_decks(), 1),
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_small_deck_is_solved_by_a_visit_as_by_the_games_own_solver(
    name: str, chosen: dict[str, str], cards: list[int], solve_own: Own
) -> None:
    problem = make_problem(name, chosen)
    assert_same(visit(name, problem, cards), solve_own(problem))


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize(
    ("name", "cards", "solve_own"),
    [
        pytest.param(name, cards, own, id=name, marks=[] if name == "six-card" else pytest.mark.long)
        for name, _, cards, own in list_decks()
        if name in {"six-card", "wild-52"}  # the games of a showdown without draws
    ],
)
def test_a_small_deck_is_solved_by_a_census_as_by_the_games_own_solver(
    name: str, cards: list[int], solve_own: Own, request: pytest.FixtureRequest
) -> None:
    if name == "six-card":  # the other one has too many boards for the interpreter
        request.getfixturevalue("interpreted")
    problem = make_problem(name, {})
    found, own = take_census(name, problem, cards), solve_own(problem)
    assert_same(found, own)
    assert_same_paths(found, own)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.more
@pytest.mark.parametrize(
    ("ranks", "chosen"),
    [
        ((0, 8, 9, 10), ODD_OPTIONS),
        pytest.param((1, 6, 12), {}, marks=pytest.mark.long),
        pytest.param((1, 6, 12), ODD_OPTIONS, marks=pytest.mark.long),
        pytest.param((0, 8, 9, 10), {}, marks=pytest.mark.long),
    ],
)
def test_a_small_deck_of_wild_six_card_is_solved_by_a_census_as_by_its_own_solver(
    ranks: tuple[int, ...], chosen: dict[str, str]
) -> None:
    """Nets at random make standing worth while."""
    problem, deck = make_problem("wild-six-card", chosen), SuitedDeck(ranks, 4, 2)
    for nets in (problem.nets, (1, 2, 0, -3, 1, 1, 0, -1, 2)):
        problem = replace(problem, nets=nets)
        found = solve_draws(prepare_draws(load_game("wild-six-card"), problem, deck.cards), problem)
        own = solve_wild_six_card(problem, ignore_progress, deck)
        assert_same(found, own)
        assert_same_paths(found, own)
        assert found.equal_value_positions == own.equal_value_positions


@pytest.mark.long
@pytest.mark.compiled
def test_a_strategy_of_wild_six_card_is_followed_by_a_census_as_by_its_own_solver() -> None:
    game, deck = load_game("wild-six-card"), SuitedDeck((0, 8, 9, 10), 4, 2)
    best = make_problem("wild-six-card", {})
    most = win(solve_draws(prepare_draws(game, best, deck.cards), best), best)
    for strategy in load_strategies(game):
        problem = replace(best, strategy=strategy)
        found = solve_draws(prepare_draws(game, problem, deck.cards), problem)
        own = solve_wild_six_card(problem, ignore_progress, deck)
        assert_same(found, own)
        assert_same_paths(found, own)
        # Its own solver lists the costliest mistakes alone; all of them cost what the best play wins more.
        lost = [sum(each.cost for each in solution.mistakes) for solution in (found, own)]
        assert lost[1] <= lost[0] == most - win(found, problem)


def win(solution: Solution, problem: SolverProblem) -> int:
    """Return what all deals of a solution net."""
    return sum(deals * net for deals, net in zip(solution.counts, problem.nets, strict=True))


@pytest.mark.long
@pytest.mark.compiled
def test_the_whole_deck_of_wild_six_card_is_solved_by_a_census_as_by_its_own_solver() -> None:
    """The plan of the game without its solver, its counts, and some hints."""
    game, problem = load_game("wild-six-card"), make_problem("wild-six-card", {"stand_pat": "on"})
    plan, own = make_plan(replace(game, solver="")), load_solver(game)
    assert plan.way == "draw-census"
    engine = build_solver(game, plan, sharded=False)
    assert callable(engine.solve)
    assert callable(own.solve)
    found, known = engine.solve(problem, ignore_progress), own.solve(problem, ignore_progress)
    assert_same(found, known)
    assert_same_paths(found, known)
    bits = seeded_bits(17)
    for _ in range(10):
        view = WildSixView(make_mask(shuffle_cards(game.deck.cards, bits)[:5]), 0, 0)
        told = [get_hint_function(game, each)(problem, view, 0, ignore_progress) for each in (engine, own)]
        values, own_values = ({(each.action, each.cards): each.value for each in one} for one in told)
        assert values == own_values


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("name", ["six-card", "wild-52"])
def test_the_whole_deck_is_solved_by_a_census_as_by_the_games_own_solver(name: str) -> None:
    problem, solve_own = make_problem(name, {}), load_solver(load_game(name)).solve
    assert not isinstance(solve_own, ShardedTask)
    own = solve_own(problem, ignore_progress)
    found = take_census(name, problem, load_game(name).deck.cards, 16)
    assert_same(found, own)
    assert_same_paths(found, own)
