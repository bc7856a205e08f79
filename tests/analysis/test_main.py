"""Solutions are found once for the rules, options and pays they hold for; main sheets are made from them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import pitboss.analysis.solutions
import pitboss.core.cache
from pitboss.analysis.census import explain_missing_sheet, explain_uncounted
from pitboss.analysis.par_sheet import build_main_sheet
from pitboss.analysis.solutions import compute_average_wager, compute_main_nets, count_finished_shards, get_solution
from pitboss.core.errors import WagerError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ShardedTask, Solution, Solver, SolverProblem, Strategy
from refusals import refusal

SIX_CARD, LUNAR, WILD_SIX = load_game("six-card"), load_game("lunar"), load_game("wild-six-card")
SOLVED = replace(SIX_CARD, solver="solver")
UNSOLVED = replace(LUNAR, solver="")
OUTCOMES = [outcome.name for outcome in SIX_CARD.wagers[0].outcomes]
COUNTS = tuple(range(1, len(OUTCOMES) + 1))
FOUND = Solution(COUNTS, {"fold": COUNTS[0], "play": sum(COUNTS[1:])}, 7)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[SolverProblem]:
    """Solve in no time, keep in a dictionary, and list what was solved."""
    texts: dict[str, str] = {}
    solved: list[SolverProblem] = []

    def keep(name: str, make: Callable[[], str]) -> str:
        if name not in texts:
            texts[name] = make()
        return texts[name]

    def solve(problem: SolverProblem, _progress: Callable[[int, int], None]) -> Solution:
        solved.append(problem)
        return FOUND

    monkeypatch.setattr(pitboss.analysis.solutions, "get_or_make_text", keep)
    monkeypatch.setattr(pitboss.analysis.solutions, "find_solver", lambda _game: Solver(solve))
    return solved


def test_a_game_is_solved_once_for_its_options_and_pays(asked: list[SolverProblem]) -> None:
    chosen, options = select_paytables(SOLVED), resolve_options(SOLVED, {})
    assert get_solution(SOLVED, chosen, options, ignore_progress) == FOUND
    assert get_solution(SOLVED, chosen, options, ignore_progress) == FOUND
    assert len(asked) == 1
    get_solution(SOLVED, chosen, resolve_options(SOLVED, {"dealer_qualifies": "always"}), ignore_progress)
    assert len(asked) == 2
    assert asked[0].options != asked[1].options


def test_each_strategy_is_played_out_once_for_its_rule_and_numbers(asked: list[SolverProblem]) -> None:
    chosen, options = select_paytables(SOLVED), resolve_options(SOLVED, {})
    played = Strategy("practical", "Practical", ("Play pairs.",), ignore_progress, (8,))
    others = (replace(played, numbers=(9,)), replace(played, choose=select_paytables), replace(played, id="other"))
    for strategy in (None, played, *others, played, replace(played, lines=("Play a pair.",))):
        get_solution(SOLVED, chosen, options, ignore_progress, strategy)
    assert [problem.strategy for problem in asked] == [None, played, *others]


def test_stakes_of_side_wagers_are_solved_along_each_for_itself(asked: list[SolverProblem]) -> None:
    chosen, options = select_paytables(SOLVED), resolve_options(SOLVED, {})
    for stake in (Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1)):
        get_solution(SOLVED, chosen, options, ignore_progress, side_stakes={"bad-beat": stake})
    assert [len(problem.side_nets) for problem in asked] == [0, 1, 1]
    alone, whole, thirds = asked
    assert alone.nets == whole.nets
    assert thirds.nets == tuple(3 * net for net in whole.nets)
    assert thirds.side_nets == whole.side_nets
    assert whole.side_nets["bad-beat"][-1] == -1


def test_a_game_without_a_solver_has_no_solution() -> None:
    with pytest.raises(WagerError, check=refusal("past-budget", game="lunar")):
        get_solution(UNSOLVED, select_paytables(UNSOLVED), resolve_options(UNSOLVED, {}), ignore_progress)


def test_nets_are_whole_numbers_of_one_unit() -> None:
    assert set(compute_main_nets(SIX_CARD, select_paytables(SIX_CARD))) == {-2, -1, 0, 1, 2}
    assert compute_main_nets(WILD_SIX, {}) == (1, 1, 0, -1, 0, 1, 0, -1, 0)
    quarters = {
        kind: replace(table, lines={name: replace(pay, amount=pay.amount / 4) for name, pay in table.lines.items()})
        for kind, table in select_paytables(LUNAR).items()
    }
    whole, in_halves = compute_main_nets(LUNAR, select_paytables(LUNAR)), compute_main_nets(LUNAR, quarters)
    fold = next(index for index, outcome in enumerate(LUNAR.wagers[0].outcomes) if outcome.name == "fold")
    assert (whole[fold], in_halves[fold]) == (-1, -2)


def test_every_chip_of_main_is_part_of_the_average_wager() -> None:
    folds = tuple(3 if name == "fold" else 0 for name in OUTCOMES)
    assert compute_average_wager(SIX_CARD, folds) == 1
    one_play = tuple(1 if name in {"fold", OUTCOMES[-1]} else 0 for name in OUTCOMES)
    assert OUTCOMES[-1].startswith("play")
    assert compute_average_wager(SIX_CARD, one_play) == Fraction(3, 2)


def test_a_main_sheet_has_its_figures_per_ante_and_per_chip() -> None:
    sheet = build_main_sheet(SOLVED, select_paytables(SOLVED), resolve_options(SOLVED, {}), FOUND)
    wagered = compute_average_wager(SOLVED, COUNTS)
    assert sheet.extras["average_wager"] == wagered
    assert sheet.extras["element_of_risk"] == sheet.house_edge / wagered
    assert sheet.extras["equal_value_positions"] == 7
    shown = sheet.as_json()
    assert shown["actions"]["fold"] == COUNTS[0] / sum(COUNTS)
    assert shown["equal_value_positions"] == 7
    assert isinstance(shown["element_of_risk"], float)


@pytest.mark.parametrize("decisions", [1, 2])
def test_where_only_the_first_of_several_decisions_are_compared_the_sheet_says_so(decisions: int) -> None:
    game = replace(SOLVED, decisions=SOLVED.decisions * decisions)
    every, first = (
        build_main_sheet(
            game, select_paytables(game), resolve_options(game, {}), replace(FOUND, equal_first_only=only)
        ).as_json()
        for only in (False, True)
    )
    assert len(SOLVED.decisions) == 1
    assert first == every | ({"equal_value_first_decisions_only": True} if decisions > 1 else {})


def test_main_has_a_sheet_where_the_game_has_a_solver() -> None:
    main = SIX_CARD.wagers[0]
    assert explain_missing_sheet(SOLVED, main, {}) == ""
    unsolved = UNSOLVED.wagers[0]
    assert explain_missing_sheet(UNSOLVED, unsolved, {}) == explain_uncounted(UNSOLVED, unsolved, {}) != ""
    assert explain_missing_sheet(SOLVED, SIX_CARD.wagers[1], {}) == ""


def test_a_solver_that_works_in_pieces_is_asked_for_each_and_puts_them_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    asked: list[str] = []

    def solve_shard(_problem: SolverProblem, piece: str) -> str:
        asked.append(piece)
        return piece.upper()

    def combine_shards(_problem: SolverProblem, results: Sequence[str]) -> Solution:
        assert results == ["TWO", "THREE"]
        return FOUND

    solver = Solver(ShardedTask(lambda _problem: ("two", "three"), solve_shard, combine_shards))
    monkeypatch.setattr(pitboss.analysis.solutions, "find_solver", lambda _game: solver)
    chosen, options = select_paytables(SOLVED), resolve_options(SOLVED, {})
    assert count_finished_shards(SOLVED, chosen, options) == (0, 2)
    assert (
        get_solution(SOLVED, chosen, options, ignore_progress)
        == get_solution(SOLVED, chosen, options, ignore_progress)
        == FOUND
    )
    assert asked == ["two", "three"]
    assert count_finished_shards(SOLVED, chosen, options) == (2, 2)
    assert count_finished_shards(SOLVED, chosen, resolve_options(SOLVED, {"dealer_qualifies": "always"})) == (0, 2)


def test_a_solver_of_one_piece_has_none_to_count() -> None:
    assert count_finished_shards(SIX_CARD, select_paytables(SIX_CARD), resolve_options(SIX_CARD, {})) is None
