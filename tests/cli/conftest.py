"""Running the command line in this process, with counts known beforehand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

import pitboss.analysis.exact_par_sheet
import pitboss.cli.par
import pitboss.cli.solve
from pitboss.analysis.census import count_outcomes, explain_uncounted
from pitboss.analysis.covariance import CovarianceReport
from pitboss.analysis.solutions import get_solution
from pitboss.cli.app import run
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game
from pitboss.solver_api import Solution
from pitboss.tasks import SERIAL, Executor

KNOWN = {
    ("six-card", "aces-up"): "188 1656 14664 165984 205792 361620 732160 2532816 751332 15592308",
    ("six-card", "bad-beat"): (
        "1967920 150323712 18331506888 57651601832 185942016336 776263604160 6590308474656 2871866305368 "
        "180194056147008"
    ),
    ("six-card", "progressive"): "188 1656 14664 165984 205792 361620 19608616",
    ("wild-52", "bonus"): "1128 13536 4512 21620 38728 146104 224848 896176 5997144 6027224 11083940 129688120",
    ("lunar", "instant-cash"): "4 36 2598920",
    ("shifting-wilds", "blackjack-bonus"): "18344 34856 217525",
    ("wild-six-card", "taxpayers-fortune"): (
        "78 216 432 5184 7488 40968 74088 146880 370656 3081732 11415432 5683392 134136444"
    ),
    ("wild-six-card", "queens-or-better"): "4 78 80 540 9360 9360 11388 34704 232968 123552 499896 2240580",
    ("wild-six-card", "draw-bonus"): "196 3757 3780 24652 214848 413088 451868 1118964 2795716 2532816 18267480",
}

SOLVED = {
    "wild-52": Solution((60, *range(12)), {"fold": 60, "raise-once": 30, "raise-twice": 36}, equal_value_positions=0),
    "wild-six-card": Solution(
        (39393836021232, 876278787336096, 235887701244, 967757454495372, 17964225786936, 0, 0, 0, 0),
        {"automatic": 39393836021232, "discard": 1862236355319648, "stand": 0},
        equal_value_positions=0,
    ),
    "six-card": Solution(
        (
            1149185638843452,
            1040023036938348,
            755514209224548,
            210847746240,
            50992983876,
            865968968971212,
            2937744249924,
        ),
        {"fold": 1149185638843452, "play": 2664705800114148},
        equal_value_positions=114827,
    ),
}


class Result(NamedTuple):
    """How a command ended and what it wrote."""

    status: int
    out: str
    err: str


Invoke = Callable[..., Result]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Run a command line on a page of 100 columns; counts are those known, so that nothing is compiled."""

    def known_or_counted(
        game: Game, wager: Wager, options: Mapping[str, str], progress: ProgressCallback
    ) -> tuple[int, ...]:
        known = KNOWN.get((game.id, wager.id))
        if known and not explain_uncounted(game, wager, options):
            return tuple(map(int, known.split()))
        return count_outcomes(game, wager, options, progress)

    def known_or_solved(
        game: Game,
        chosen: Mapping[str, PayTable],
        options: Mapping[str, str],
        progress: ProgressCallback,
        beside: Mapping[str, Fraction] | None = None,
        executor: Executor = SERIAL,
        counted: Sequence[str] = (),
    ) -> Solution:
        return SOLVED.get(game.id) or get_solution(
            game, chosen, options, progress, side_stakes=beside, executor=executor, counted=counted
        )

    monkeypatch.setattr(pitboss.analysis.exact_par_sheet, "count_outcomes", known_or_counted)
    monkeypatch.setattr(pitboss.analysis.exact_par_sheet, "get_solution", known_or_solved)
    monkeypatch.setattr(pitboss.cli.solve, "get_solution", known_or_solved)
    monkeypatch.setattr(
        "pitboss.analysis.covariance.report_covariances", lambda *_arguments: CovarianceReport((), None)
    )
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", None)  # what a narrow terminal before has left

    def invoked(*arguments: object) -> Result:
        status = run([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return Result(status, written.out, written.err)

    return invoked


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find every game as it is before it has a solver."""

    def found(name: str) -> Game:
        return replace(load_game(name), solver="")

    for command in (pitboss.cli.par, pitboss.cli.solve):
        monkeypatch.setattr(command, "load_game", found)
