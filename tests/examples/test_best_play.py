"""The best play of example games as a table: what simulations look up is what the solution plays."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

from examples.loading import FOLDERS, load_example
from oracle.table_play import play_by_table
from oracle.whole_deals import WholeDeals
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.cards import make_mask
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.engine.play_table import PlayTable, choose_from_table
from pitboss.engine.solver_lookup import find_solver
from pitboss.engine.visit import prepare_visit
from pitboss.engine.visit_play import tabulate_visit
from pitboss.hands import load_hand_tables
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.players import CHANCE, OPTIMAL, list_player_names
from pitboss.solver_api import Solution, SolverProblem

FIRST, NO_PATH = 0, 0


def prepare(game: Game) -> tuple[SolverProblem, Solution]:
    """Return a game's problem and its solution."""
    terms = select_paytables(game), resolve_options(game, {})
    return build_problem(game, *terms).problem, get_solution(game, *terms, ignore_progress)


def tabulate(game: Game, problem: SolverProblem) -> PlayTable:
    """Return the table that a simulation of the best play looks up."""
    best_play = find_solver(game).best_play
    assert best_play
    assert callable(best_play.tabulate)
    play: PlayTable = best_play.tabulate(problem, ignore_progress)
    return play


def count_first_actions(game: Game, problem: SolverProblem, play: PlayTable) -> dict[str, int]:
    """Return how many hands take each action at the first decision."""
    counts: dict[str, int] = {}
    others = (0,) * (len(game.rules.view(game.rules.deal(game.deck.cards, 1, 0, 1))) - 1)
    for held in combinations(game.deck.cards, 3):
        view: Any = (make_mask(held), *others)
        action, given = choose_from_table(load_hand_tables(), view, FIRST, NO_PATH, play, problem.options)
        assert given == 0
        name = game.decisions[FIRST].actions[action].id
        counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.compiled
@pytest.mark.long
def test_every_hand_of_three_card_poker_is_played_as_solved() -> None:
    game = load_example("three_card_poker")
    problem, solution = prepare(game)
    play = tabulate(game, problem)
    assert len(play.actions) == comb(52, 3)
    counts = count_first_actions(game, problem, play)
    each = Fraction(sum(solution.counts), comb(52, 3))
    assert {name: count * each for name, count in counts.items()} == solution.actions


@pytest.mark.compiled
@pytest.mark.long
def test_every_position_of_let_it_ride_is_played_as_solved() -> None:
    """The first bet rides with as many hands as the solution says, and each second choice is that of a hint."""
    game = load_example("let_it_ride")
    problem, solution = prepare(game)
    play = tabulate(game, problem)
    assert len(play.actions) == comb(52, 3) * (1 + 2 * 13)
    counts = count_first_actions(game, problem, play)
    each = Fraction(sum(solution.counts), comb(52, 3))
    for first in ("pull-back", "let-it-ride"):
        deals = sum(deals for path, deals in solution.actions.items() if path.startswith(first))
        assert counts[first] * each == deals
    hint = find_solver(game).hint_on_path
    assert hint
    for cards in ((0, 13, 26, 1), (7, 21, 35, 11), (8, 9, 10, 24), (0, 2, 4, 6)):
        view = type(game.rules.view(game.rules.deal(game.deck.cards, 1, 0, 1)))(make_mask(cards[:3]), 1 << cards[3])
        values = hint(problem, view, 1, ("pull-back",), ignore_progress)
        best = max(values, key=lambda value: value.value).action
        action, _ = choose_from_table(load_hand_tables(), view, 1, 1, play, problem.options)
        assert game.decisions[1].actions[action].id == best


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("name", ["mississippi_stud", "let_it_ride"])
def test_later_bets_follow_from_earlier_ones_as_every_deal_laid_out_says(name: str) -> None:
    """In Mississippi Stud the table tells what was bet before: a fold loses it."""
    game, cards = load_example(name), (8, 10, 11, 21, 22, 24, 34, 36)
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    play = tabulate_visit(prepare_visit(game, problem, cards), problem, ignore_progress)
    assert play_by_table(game, problem, cards, play) == WholeDeals(game, problem, cards).play().value


@pytest.mark.parametrize("name", FOLDERS)
def test_the_best_play_of_every_example_is_simulated(name: str) -> None:
    assert {OPTIMAL, CHANCE} <= set(list_player_names(load_example(name)))
