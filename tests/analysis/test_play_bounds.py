"""Bounds of the best play under edited pays hold its exact value: random pay tables of small decks, solved again."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from pitboss.analysis.exact_par_sheet import compute_par_sheet, get_bounded_sheet, reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.play_bounds import BestValue, compute_upper_bound, list_pays
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.contract import Game, PayTable
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.pay_limits import PayLimits, PaysByLine, change_pays, load_pay_limits
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem

LUNAR, SHIFTING_WILDS = load_game("lunar"), load_game("shifting-wilds")
CENTS = 100
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


def verify(game: Game, solve: Solve, limits: PayLimits, tables_each: int, seed: int) -> None:
    """Compare bounds from one best play, and from three, with the exact value under random pay tables."""
    rng, options = random.Random(seed), resolve_options(game, {})
    known: list[BestValue] = []
    plays: list[Counts] = []
    for tables in [select_paytables(game), *(random_tables(game, rng) for _ in range(tables_each + 2))]:
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


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("tables_each", [8, 45])
@pytest.mark.parametrize("ranks", [(2, 3, 4), (0, 3, 12)])
def test_bounds_hold_the_exact_value_in_small_decks_of_shifting_wilds(ranks: tuple[int, ...], tables_each: int) -> None:
    from pitboss.games.shifting_wilds.solver.line_limits import count_pay_limits
    from pitboss.games.shifting_wilds.solver.solution import solve_deck

    limits = count_pay_limits(
        encode_options(SHIFTING_WILDS, resolve_options(SHIFTING_WILDS, {})), ignore_progress, ranks
    )

    def solve(problem: SolverProblem) -> Counts:
        return solve_deck(ranks, problem, ignore_progress).counts

    verify(SHIFTING_WILDS, solve, limits, tables_each, seed=ranks[0])


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("tables_each", [4, pytest.param(25, marks=pytest.mark.long)])
@pytest.mark.parametrize("ranks", [(3, 7, 8, 10, 11, 12), pytest.param((0, 1, 2, 3, 4, 12), marks=pytest.mark.long)])
def test_bounds_hold_the_exact_value_in_small_decks_of_lunar_poker(ranks: tuple[int, ...], tables_each: int) -> None:
    from pitboss.games.lunar.solver.census import solve_exposed_card
    from pitboss.games.lunar.solver.line_limits import count_pay_limits

    suits = 2
    limits = count_pay_limits(encode_options(LUNAR, resolve_options(LUNAR, {})), ignore_progress, ranks, suits)

    def solve(problem: SolverProblem) -> Counts:
        shards = [solve_exposed_card(rank, problem.options, problem.nets, ranks, suits) for rank in sorted(ranks)]
        return tuple(sum(column) for column in zip(*(shard["counts"] for shard in shards), strict=True))

    verify(LUNAR, solve, limits, tables_each, seed=ranks[0])


@pytest.mark.parametrize("game", [LUNAR, SHIFTING_WILDS], ids=lambda game: game.id)
def test_best_plays_that_come_with_a_game_are_within_the_bounds_from_its_default_pays(game: Game) -> None:
    options, defaults = resolve_options(game, {}), select_paytables(game)
    limits = load_pay_limits(game, options)
    assert limits
    assert limits.most.keys() == limits.least.keys() == list_pays(game.main, defaults).keys()
    default = get_solution(game, defaults, options, ignore_progress).counts
    known = [BestValue(list_pays(game.main, defaults), value_of(game, defaults, default))]
    for each in limits.solved:
        tables = change_pays(defaults, each.changes)
        exact = value_of(game, tables, each.solution.counts)
        upper = compute_upper_bound(list_pays(game.main, tables), known, limits)
        assert value_of(game, tables, default) <= exact <= upper


def test_what_is_staked_on_a_line_by_the_best_play_is_within_its_limits() -> None:
    for game in (LUNAR, SHIFTING_WILDS):
        options, defaults = resolve_options(game, {}), select_paytables(game)
        limits, counts = load_pay_limits(game, options), get_solution(game, defaults, options, ignore_progress).counts
        assert limits
        for line in limits.most:
            more = change_pays(defaults, {line: list_pays(game.main, defaults)[line] + 1})
            staked = value_of(game, more, counts) - value_of(game, defaults, counts)
            assert limits.least[line] <= staked <= limits.most[line], line


def test_instant_cash_is_exact_at_once_as_it_is_paid_before_a_decision() -> None:
    options, defaults = resolve_options(LUNAR, {}), select_paytables(LUNAR)
    sheet = compute_par_sheet(LUNAR, LUNAR.main, GameTerms(defaults, options), ignore_progress)
    richer = change_pays(defaults, {("instant-cash", "royal-flush"): Fraction(2000)})
    assert reprice_sheet(sheet, richer).method == "exact"
    again = get_bounded_sheet(LUNAR, LUNAR.main, GameTerms(richer, options), ignore_progress)
    assert again
    assert again.expected_value == sheet.expected_value + 1000 * Fraction(4, 2_598_960)


def test_edited_pays_are_bounded_at_once_and_default_pays_are_not() -> None:
    options, defaults = resolve_options(SHIFTING_WILDS, {}), select_paytables(SHIFTING_WILDS)
    main, changes = SHIFTING_WILDS.main, {("blind", "royal-flush"): Fraction(8)}
    edited = GameTerms(change_pays(defaults, changes), options)
    sheet = get_bounded_sheet(SHIFTING_WILDS, main, edited, ignore_progress)
    assert sheet
    assert sheet.bounds
    document = sheet.as_json()
    assert (document["method"], document["play"]) == ("bounded", "frozen")
    assert Fraction(document["lower_bound_exact"]) == sheet.expected_value < Fraction(document["upper_bound_exact"])
    assert get_bounded_sheet(SHIFTING_WILDS, main, GameTerms(defaults, options), ignore_progress) is None
    other = GameTerms(edited.paytables, resolve_options(SHIFTING_WILDS, {"dealer_qualifies": "always"}))
    assert get_bounded_sheet(SHIFTING_WILDS, main, other, ignore_progress) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "changes"),
    [(SHIFTING_WILDS, {("blind", "straight-flush"): Fraction(4)}), (LUNAR, {("bet", "flush"): Fraction(6)})],
    ids=["shifting-wilds", "lunar"],
)
def test_bounds_hold_the_exact_value_of_the_whole_deck(game: Game, changes: PaysByLine) -> None:
    options, tables = resolve_options(game, {}), change_pays(select_paytables(game), changes)
    default = compute_par_sheet(game, game.main, GameTerms(select_paytables(game), options), ignore_progress)
    bounded = reprice_sheet(default, tables)
    exact = compute_par_sheet(game, game.main, GameTerms(tables, options), ignore_progress)
    assert bounded.bounds is None or bounded.bounds[0] <= exact.expected_value <= bounded.bounds[1]
    assert reprice_sheet(default, tables) == exact  # kept, and used from now on
