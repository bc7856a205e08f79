"""Reports of a game through whose hands no strategy and no side wager can be followed are written all the same."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.flush_game import Options, make_flush_game
from pitboss.engine.census_limits import explain_uncounted_sides, explain_why_not_followed
from pitboss.engine.showdown import explain_why_not_listed, learn_showdown

GAMES = Path(__file__).parents[1] / "unfollowed_games"
LIMITED = "the player's cards limit the legal actions"
SCRIPT = """
import json
from contextlib import nullcontext
from fractions import Fraction
from pitboss.analysis.game_terms import GameTerms
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.formats import REPORT_FORMATS, render_reports
from pitboss.reports.report import make_report
from pitboss.reports.submission import SubmissionSettings
game = load_game("four-card-flush")
terms = GameTerms(select_paytables(game), resolve_options(game, {}), {"flush": Fraction(1)})
made = {}
for submit in (None, SubmissionSettings()):
    report = make_report(game, terms, lambda _what: nullcontext(ignore_progress), submit=submit)
    written = {name: render_reports([report], name) for name in REPORT_FORMATS}
    assert all(written.values())
    made["plain" if submit is None else "submission"] = [written["md"].decode(), json.loads(written["json"])]
print(json.dumps(made))
"""


def run(folder: Path, *words: str, status: int = 0) -> str:
    """Run Python with the games of a folder, and return what it prints, errors too."""
    done = subprocess.run(
        [sys.executable, *words],
        env=os.environ | {"PITBOSS_GAMES": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def strip_strategies(root: Path) -> Path:
    """Return a folder with the game without its strategy."""
    shutil.copytree(GAMES, root / "games", ignore=shutil.ignore_patterns("strateg*", "__pycache__"))
    return root / "games"


@pytest.mark.parametrize(
    ("cards", "lengths", "cause"),
    [
        (7, (5, 6), "the 133,784,560 hands of 7 cards are too many to list one by one"),
        (5, (4, 5), LIMITED),
        (2, (2, 3), LIMITED),
    ],
)
def test_the_one_cause_is_named_before_anything_is_solved(cards: int, lengths: tuple[int, int], cause: str) -> None:
    game = make_flush_game(cards, lengths)
    assert explain_why_not_followed(game, Options()) == cause
    assert explain_uncounted_sides(game, Options()) == ("" if cards == 2 else cause)  # a visit of two cards is quick


def test_counts_that_do_not_fit_are_named_before_what_limits_the_actions() -> None:
    game = make_flush_game(5, (4, 5))
    shape = learn_showdown(game, Options(), list(game.deck.cards))
    more_cuts = replace(shape, dealer_cuts=(*shape.dealer_cuts, 1 << 20))
    assert explain_why_not_listed(more_cuts, game.deck.size) == "the counts of the dealer's hands do not fit 64 bits"
    assert explain_why_not_listed(replace(shape, limited=False), game.deck.size) == ""


@pytest.mark.more
def test_a_strategy_is_refused_before_anything_is_solved() -> None:
    said = run(GAMES, "-m", "pitboss", "strategy", "four-card-flush", status=2)
    assert said.startswith(f"pitboss: a strategy cannot be followed in four-card-flush: {LIMITED}; pitboss simulate")


@pytest.mark.more
@pytest.mark.compiled
def test_a_report_is_written_without_what_is_not_counted(tmp_path: Path) -> None:
    folder = strip_strategies(tmp_path)
    for text, found in json.loads(run(folder, "-c", SCRIPT)).values():
        assert [sheet["bet"] for sheet in found["sheets"]] == ["main", "flush"]
        assert found["covariance"] == []
        (pair,) = found["covariance_not_counted"]
        assert pair["bets"] == ["main", "flush"]
        assert pair["reason"].startswith(LIMITED)
        assert found["mix_not_counted"]
        assert f"covariance not counted, because {LIMITED}" in text
        assert "Deviation of all stakes together: not counted" in text
    said = " ".join(run(folder, "-m", "pitboss", "par", "four-card-flush").split())
    assert f"main and flush: covariance not counted, because {LIMITED}" in said


@pytest.mark.long
@pytest.mark.compiled
def test_a_report_with_a_strategy_says_that_its_cost_is_not_counted() -> None:
    for text, found in json.loads(run(GAMES, "-c", SCRIPT)).values():
        (pair,) = found["covariance"]
        assert (pair["method"], pair["play"]) == ("simulated", "two-of-a-suit")
        assert found["mix"]["method"] == "simulated"
        assert found["strategies_not_counted"] == LIMITED
        assert f"What it costs is not counted, because {LIMITED}." in text
        assert "takes long" not in text
