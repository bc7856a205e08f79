"""The solutions that come with the package: used where they are valid, and equal to a new solution of the rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pitboss.bundle
from pitboss.analysis.solutions import build_problem
from pitboss.bundle import find_bundled_games, main
from pitboss.games.lunar import GAME as LUNAR
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.solution import SHARD_NAMES
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables


@pytest.mark.parametrize("table", ["IC-1", "IC-2", "IC-3"])
def test_instant_cash_needs_no_other_solution_as_it_is_paid_before_a_decision(table: str) -> None:
    problem = build_problem(LUNAR, select_paytables(LUNAR, [table]), resolve_options(LUNAR, {})).problem
    assert all(BUNDLED.find_shard(problem, name) for name in SHARD_NAMES)


@pytest.mark.parametrize("option", ["dealer_qualifies=always", "paired_straight=straight_and_pair"])
def test_another_option_that_touches_the_play_is_not_answered_from_the_bundle(option: str) -> None:
    name, _, value = option.partition("=")
    problem = build_problem(LUNAR, select_paytables(LUNAR), resolve_options(LUNAR, {name: value})).problem
    assert BUNDLED.find_shard(problem, "A") is None


@pytest.mark.parametrize("altered", [False, True])
def test_a_bundled_file_that_does_not_hold_is_named_with_the_place(
    *, altered: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def rebuild_altered(*_arguments: Any) -> Iterator[tuple[Path, str]]:
        text = BUNDLED.best_play_path.read_text(encoding="utf-8")
        content = json.loads(text)
        content["pieces"]["A"]["counts"][3] += altered
        yield BUNDLED.best_play_path, json.dumps({**content, "made_by": ""})

    monkeypatch.setattr(pitboss.bundle, "rebuild_files", rebuild_altered)
    assert main(["lunar", "--check"]) == altered
    result = "differs at pieces.A.counts.3" if altered else "is up to date"
    assert capsys.readouterr().out == f"solution.json: {result}\n"


@pytest.mark.long
@pytest.mark.parametrize("name", find_bundled_games())
def test_every_bundled_file_is_found_again_from_the_rules(name: str) -> None:
    assert main([name, "--check"]) == 0
