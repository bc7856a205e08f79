"""Sheets of wagers that depend on the play: under the play for main alone, or for all that is staked."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

import pitboss.analysis.exact_par_sheet
from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.contract import Game, PayTable
from pitboss.core.errors import WagerError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution
from refusals import refusal

GAME = replace(load_game("shifting-wilds"), solver="solver")
MAIN, REGULAR, BAD_BEAT, BLACKJACK = GAME.wagers
TERMS = GameTerms(select_paytables(GAME), resolve_options(GAME, {}))
HALF = Fraction(1, 2)


def counts(outcomes: int, **deals: int) -> tuple[int, ...]:
    """Return counts by outcome, its number written after an underscore."""
    return tuple(deals.get(f"_{index}", 0) for index in range(outcomes))


def found(fold: int, locked: int, bad_beats: int) -> Solution:
    """Return a solution of 100 deals: folds, locks that win, and Bad Beats that win; the rest loses."""
    wins = [outcome.name for outcome in MAIN.outcomes].index("lock-win-qualified")
    lost = [outcome.name for outcome in MAIN.outcomes].index("lock-lose-qualified")
    main = counts(len(MAIN.outcomes), _0=fold, **{f"_{wins}": locked, f"_{lost}": 100 - fold - locked})
    beside = {"bad-beat": tuple((deals, 0) for deals in (bad_beats, 0, 0, 0, 0, 0, 0, 100 - bad_beats, 0))}
    return Solution(main, {"fold": fold, "lock": 100 - fold, "play": 0}, 0, side_outcomes=beside)


ALONE, JOINT = found(20, 50, 0), found(10, 45, 5)


@pytest.fixture(autouse=True)
def _solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def solution(
        _game: Game,
        _chosen: Mapping[str, PayTable],
        _options: Mapping[str, str],
        _progress: object,
        side_stakes: Mapping[str, Fraction] | None = None,
        **_more: object,
    ) -> Solution:
        return JOINT if side_stakes else ALONE

    monkeypatch.setattr(pitboss.analysis.exact_par_sheet, "get_solution", solution)


def test_a_side_wager_that_depends_on_the_play_is_counted_under_it() -> None:
    sheet = compute_par_sheet(GAME, BAD_BEAT, TERMS, ignore_progress)
    assert (sheet.strategy, sheet.stakes, sheet.deals) == ("main", {}, 100)
    assert sheet.house_edge == 1
    assert sheet.as_json()["strategy"] == "main"
    assert sheet.as_json()["stakes"] == {}
    assert not explain_missing_sheet(GAME, BAD_BEAT, TERMS.options)
    assert explain_missing_sheet(replace(GAME, solver=""), BAD_BEAT, TERMS.options)


def test_with_stakes_the_play_is_for_all_and_the_sheet_says_what_that_moves() -> None:
    terms = replace(TERMS, stakes={"bad-beat": HALF, "blackjack-bonus": Fraction(1)})
    main, bad_beat = (
        compute_par_sheet(GAME, MAIN, terms, ignore_progress),
        compute_par_sheet(GAME, BAD_BEAT, terms, ignore_progress),
    )
    assert (main.strategy, main.stakes) == ("joint", {"bad-beat": HALF})
    royal = TERMS.paytables["bad-beat"].lines["royal-flush"].amount
    assert bad_beat.expected_value == (5 * royal - 95) / 100
    assert bad_beat.extras["main_strategy_house_edge"] == 1
    alone = compute_par_sheet(GAME, MAIN, TERMS, ignore_progress)
    assert main.extras["main_strategy_house_edge"] == alone.house_edge != main.house_edge
    assert main.extras["main_strategy_actions"] == {"fold": Fraction(1, 5), "lock": Fraction(4, 5), "play": 0}
    assert main.extras["all_bets_house_edge"] == main.house_edge + HALF * bad_beat.house_edge
    assert main.extras["main_strategy_all_bets_house_edge"] == alone.house_edge + HALF
    assert bad_beat.as_json()["stakes"] == {"bad-beat": 0.5}


def test_a_wager_that_no_play_can_change_has_the_sheet_it_always_has() -> None:
    terms = replace(TERMS, stakes={"blackjack-bonus": Fraction(1)})
    assert compute_par_sheet(GAME, MAIN, terms, ignore_progress).strategy == "main"


def test_a_wager_that_its_solver_does_not_follow_has_no_sheet() -> None:
    with pytest.raises(WagerError, check=refusal("depends-on-choices", wager="regular-bonus", game="shifting-wilds")):
        compute_par_sheet(GAME, REGULAR, TERMS, ignore_progress)
