"""Games made at random are solved as laying out every deal says, integer for integer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.random_games import RandomGame, get_game, make_random_game
from engine.random_rules import BOARD_AT, FIRST_SWITCH, HIDDEN_AT, NEVER, View
from oracle.whole_deals import Ending, WholeDeals, count_outcomes, count_paths, sum_errors
from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, RANK_COUNT
from pitboss.core.progress import ignore_progress
from pitboss.engine.hints import value_actions
from pitboss.engine.solver import make_solution
from pitboss.engine.visit import Visit, make_walk_data, prepare_visit, visit_roots
from pitboss.engine.walk import build_walk_kernel
from pitboss.engine.walk_state import WalkCounters
from pitboss.solver_api import Solution, SolverProblem

QUICK, MORE, ALL = range(20), range(20, 26), range(26, 200)
CHOSEN = (21, 23, 24)
"""Of the larger games: one decided for by the rules, one whose dealer opens first, one with two decisions followed."""

REST = [*(seed for seed in MORE if seed not in CHOSEN), *ALL]


def mark(*seeds: Iterable[int]) -> list[Any]:
    """Mark the seeds of each tier."""
    tiers: tuple[tuple[pytest.MarkDecorator, ...], ...] = ((), (pytest.mark.more,), (pytest.mark.long,))
    return [pytest.param(seed, marks=marks) for of, marks in zip(seeds, tiers, strict=False) for seed in of]


def make_game(seed: int) -> RandomGame:
    """Make a game: the first ones are small, and of few shapes, because each shape is compiled."""
    if seed in QUICK:
        return make_random_game(seed, 3, 300, 3_000)
    return make_random_game(seed, 5, 1_000, 12_000) if seed in MORE else make_random_game(seed, 7, 3_000, 60_000)


def solve(made: RandomGame, problem: SolverProblem | None = None) -> tuple[int, WalkCounters, Solution, Visit]:
    """Solve a game by the engine."""
    problem = problem or made.problem
    visit = prepare_visit(made.game, problem, made.cards)
    value, tally = visit_roots(visit, problem, 0, len(visit.roots))
    return value, tally, make_solution(made.game, tally, len(visit.walk_input.exchanges)), visit


def assert_solved(made: RandomGame, ending: Ending) -> None:
    """Compare every figure of a solution with what laying out every deal says."""
    value, tally, solution, visit = solve(made)
    deals = visit.scale * int(sum(visit.weights))
    each = Fraction(deals, sum(leaf.weight for leaf in ending.leaves))
    assert value == ending.value * each
    assert sum(solution.counts) == deals
    for wager in range(3):
        told = count_outcomes(ending, wager, made.problem.nets)
        counts = tally.outcomes[wager].tolist()
        found = {outcome: (count, net) for outcome, (count, net) in enumerate(counts) if count}
        assert found == {outcome: (count * each, net * each) for outcome, (count, net) in told.items()}
        assert wager == 0 or solution.side_outcomes[made.game.wagers[wager].id] == tuple(
            map(tuple, counts[: len(made.game.wagers[wager].outcomes)])
        )
    assert solution.actions == {path: count * each for path, count in count_paths(ending, made.game).items()}
    assert made.problem.strategy or solution.equal_value_positions == len(ending.equal)
    mistakes: dict[Any, Any] = {(one.taken, one.best, one.hand): (one.deals, one.cost) for one in solution.mistakes}
    assert mistakes == {
        (taken, best, describe(made, decision, hand)): (count * each, cost * each)
        for (decision, taken, best, hand), (count, cost) in sum_errors(ending).items()
    }


def describe(made: RandomGame, decision: int, hand: str) -> str:
    """Describe a position by the hand, and by the decision if there are others."""
    words = [hand] if hand else []
    return ", ".join(words + [display_name(made.game.decisions[decision].id)] * (len(made.game.decisions) > 1))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", mark(QUICK, CHOSEN, REST))
def test_a_game_made_at_random_is_solved_as_every_deal_laid_out(seed: int) -> None:
    made = make_game(seed)
    assert_solved(made, WholeDeals(made.game, made.problem, made.cards).play())


def test_games_made_at_random_have_everything_that_games_have() -> None:
    made = [make_game(seed) for seed in (*QUICK, *MORE, *ALL)]
    options = [each.problem.options for each in made]
    assert {(each.decisions, each.opening) for each in options} >= {(0, 3), (1, 0), (1, 3), (2, 1), (2, 3), (3, 2)}
    assert sum(each.problem.strategy is not None for each in made) >= 20
    assert sum(bool(each.problem.side_nets) for each in made) >= 40
    assert sum(each.automatic and each.decisions > 0 for each in options) >= 10
    assert sum(any(card >= FIRST_JOKER for card in each.cards) for each in made) >= 40
    assert sum(each.coloured and each.suited for each in options) >= 20
    assert sum(each.game.undrawable_cards > 0 for each in made) >= 20
    assert {len(each.cards) for each in made} == set(range(6, 13)) - {11}


def renamed(cards: Sequence[int], suits: Sequence[int]) -> tuple[int, ...]:
    """Return a deck with the suits renamed, and two Jokers exchanged."""
    return tuple(
        sorted(
            suits[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT if card < FIRST_JOKER else 105 - card
            for card in cards
        )
    )


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(range(1, 20, 6), MORE[:1], MORE[4::4]))
def test_other_names_of_suits_change_nothing(seed: int) -> None:
    made = make_game(seed)
    value, _, solution, _ = solve(made)
    for suits in ((3, 2, 1, 0), (1, 0, 3, 2)) if made.problem.options.coloured else ((1, 2, 3, 0), (2, 0, 1, 3)):
        again = solve(made._replace(cards=renamed(made.cards, suits)))
        found = again[2]
        if solution.equal_value_positions:  # which of equal draws is taken depends on the order of the cards
            found = replace(found, side_outcomes=solution.side_outcomes)
        assert (again[0], found) == (value, solution)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(range(2, 20, 6), MORE[:1], MORE[4::4]))
def test_larger_stakes_win_and_lose_as_much_more(seed: int) -> None:
    made = make_game(seed)
    nets = tuple(3 * net for net in made.problem.nets)
    side_nets = {bet: tuple(3 * net for net in paid) for bet, paid in made.problem.side_nets.items()}
    value, _, solution, _ = solve(made)
    larger, _, same, _ = solve(
        made, SolverProblem(made.problem.options, nets, side_nets, strategy=made.problem.strategy)
    )
    assert larger == 3 * value
    assert (same.counts, same.actions) == (solution.counts, solution.actions)
    assert same.equal_value_positions == solution.equal_value_positions


def set_switch(made: RandomGame, first: int, number: int) -> RandomGame:
    """Return the game with one switch, of two bits, set otherwise."""
    switches = sum(1 << bit for bit, wager in enumerate(made.game.wagers[FIRST_SWITCH:]) if wager.hand_owner == 0)
    switches = switches & ~(3 << first) | number << first
    options, coloured = made.problem.options, made.game.wagers[2].depends_on_colour
    shape = options.decisions, min(options.opening, options.decisions)
    return made._replace(game=get_game(shape, switches, made.game.undrawable_cards, coloured=coloured))


@pytest.mark.more
@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("group", [BOARD_AT, HIDDEN_AT])
@pytest.mark.parametrize("seed", mark(range(1, 20, 9), MORE[:1], MORE[5::5]))
def test_who_sees_more_never_wins_less(seed: int, group: int) -> None:
    made = make_game(seed)
    fixed = made.problem.options._replace(odds_first=0, odds_second=0, odds_third=0, legal_varies=0, automatic=0)
    problem = SolverProblem(fixed, made.problem.nets, made.problem.side_nets)
    values = list[Fraction]()
    for start in (NEVER, 2, 1, 0):
        value, _, solution, _ = solve(set_switch(made, group, start), problem)
        values.append(Fraction(value, sum(solution.counts)))
    assert values == sorted(values)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark((1, 4), (2,), (8, 14)))
def test_hints_at_first_decisions_add_up_to_the_value(seed: int) -> None:
    made = make_game(seed)
    problem = SolverProblem(made.problem.options._replace(odds_first=0, automatic=0), made.problem.nets)
    value, _, _, visit = solve(made, problem)
    total = Fraction(0)
    for root, weight in zip(visit.roots.tolist(), visit.weights.tolist(), strict=True):
        held = {field: cards for group, cards in zip(visit.groups, root, strict=True) for field in group.fields}
        extra, board, hidden = (held.get(field, 0) for field in ("extra", "board", "hidden"))
        view = View(held["own"], extra, board, hidden, 0, 0)
        values = value_actions(visit, problem, view, 0, ignore_progress)
        total += weight * max(each.value for each in values)
    assert total * visit.scale == value


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("seed", [*QUICK, *MORE, *ALL])
def test_the_walk_as_python_counts_as_compiled(seed: int) -> None:
    made = make_game(seed)
    value, tally, _, visit = solve(made)
    kernel: Any = build_walk_kernel(made.game, made.problem.strategy and made.problem.strategy.choose)
    data = make_walk_data(visit, made.problem.options)
    assert getattr(kernel, "py_func", kernel)(data, visit.roots, visit.weights, visit.scale, 1) == value
    assert all(map(np.array_equal, data.tally, tally))
