"""Bounds of the best play under edited pays hold its exact value: random pay tables of small decks, solved again."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from pitboss.analysis.play_bounds import BestValue, compute_upper_bound, list_pays
from pitboss.analysis.solutions import build_problem
from pitboss.contract import Game, PayTable
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.pay_limits import PayLimits, change_pays
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

LUNAR, SHIFTING_WILDS = load_game("lunar"), load_game("shifting-wilds")
CENTS = 100
TABLES_EACH = 25
Counts = tuple[int, ...]
Solve = Callable[[SolverProblem], Counts]


def value_of(game: Game, tables: Mapping[str, PayTable], counts: Counts) -> Fraction:
    """Return what a play is worth in Antes, from the deals of its outcomes."""
    nets = (compute_outcome_net(outcome, tables, CENTS) / CENTS for outcome in game.main.outcomes)
    return Fraction(sum(net * deals for net, deals in zip(nets, counts, strict=True))) / sum(counts)


def random_tables(game: Game, rng: random.Random) -> dict[str, PayTable]:
    """Return pay tables of main with some pays raised, lowered, or set to nothing."""
    tables = dict(select_paytables(game))
    pays = list_pays(game.main, tables)
    changed = rng.sample(sorted(pays), rng.randint(1, len(pays)))
    return change_pays(tables, {line: Fraction(rng.choice((0, 1, 2, 3, 5, 9, 15, 40))) for line in changed})


def verify(game: Game, solve: Solve, limits: PayLimits, seed: int) -> None:
    """Compare bounds from one best play, and from three, with the exact value under random pay tables."""
    rng, options = random.Random(seed), resolve_options(game, {})
    known: list[BestValue] = []
    plays: list[Counts] = []
    for tables in [select_paytables(game), *(random_tables(game, rng) for _ in range(TABLES_EACH + 2))]:
        pays, counts = list_pays(game.main, tables), solve(build_problem(game, tables, options).problem)
        exact = value_of(game, tables, counts)
        if known:
            frozen = [value_of(game, tables, play) for play in plays]
            assert max(frozen) <= exact <= compute_upper_bound(pays, known, limits)
            assert frozen[0] <= exact <= compute_upper_bound(pays, known[:1], limits)
            assert compute_upper_bound(pays, known, limits) <= compute_upper_bound(pays, known[:1], limits)
        if len(known) < 3:
            known.append(BestValue(pays, exact))
            plays.append(counts)
        assert compute_upper_bound(known[-1].pays, known[-1:], limits) == known[-1].value


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("ranks", [(2, 3, 4), (0, 3, 12)])
def test_bounds_hold_the_exact_value_in_small_decks_of_shifting_wilds(ranks: tuple[int, ...]) -> None:
    from pitboss.games.shifting_wilds.solver.book import solve_deck
    from pitboss.games.shifting_wilds.solver.line_limits import count_pay_limits

    limits = count_pay_limits(
        encode_options(SHIFTING_WILDS, resolve_options(SHIFTING_WILDS, {})), ignore_progress, ranks
    )

    def solve(problem: SolverProblem) -> Counts:
        return solve_deck(ranks, problem, ignore_progress).counts

    verify(SHIFTING_WILDS, solve, limits, seed=ranks[0])


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("ranks", [(0, 3, 5, 7, 8, 10, 11), (7, 8, 9, 10, 11, 12, 3)])
def test_bounds_hold_the_exact_value_in_small_decks_of_lunar_poker(ranks: tuple[int, ...]) -> None:
    from pitboss.games.lunar.solver.census import solve_exposed_card
    from pitboss.games.lunar.solver.line_limits import count_pay_limits

    suits = 2
    limits = count_pay_limits(encode_options(LUNAR, resolve_options(LUNAR, {})), ignore_progress, ranks, suits)

    def solve(problem: SolverProblem) -> Counts:
        shards = [solve_exposed_card(rank, problem.options, problem.nets, ranks, suits) for rank in sorted(ranks)]
        return tuple(sum(column) for column in zip(*(shard["counts"] for shard in shards), strict=True))

    verify(LUNAR, solve, limits, seed=ranks[0])
