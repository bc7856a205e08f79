"""``pitboss report --for submission``: its options, and the commands that it prints."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss.cli.report
from cli.conftest import Invoke
from pitboss.contract import Game
from pitboss.core.money import format_net_cents
from pitboss.reports.method_section import make_method_section
from pitboss.reports.report import GameReport
from pitboss.reports.submission import SubmissionSettings
from pitboss.table.round import RoundClosed
from reports.conftest import made
from reports.test_submission import get_submission, list_cells, submit
from tiers import keep_first


@pytest.fixture(scope="module")
def six_card() -> GameReport:
    """Return the submission of Six Card Poker."""
    return submit(made("six-card"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[SubmissionSettings | None]:
    """Remember the submissions asked for."""
    found: list[SubmissionSettings | None] = []

    def known(game: Game, *_: object, submit: SubmissionSettings | None, **_stated: object) -> GameReport:
        found.append(submit)
        return made(game.id)

    monkeypatch.setattr(pitboss.cli.report, "make_report", known)
    return found


@pytest.mark.more
def test_the_commands_play_the_examples_again(
    six_card: GameReport, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands = {row[0]: row[1] for row in list_cells(make_method_section(six_card))}
    for example in get_submission(six_card).examples:
        if example.seed is not None:
            typed, _, command = commands[f"Example of seed {example.seed}"].partition(" | pitboss ")
            answers = typed.removeprefix("printf '").removesuffix("'").replace("\\n", "\n")
            monkeypatch.setattr("sys.stdin", io.StringIO(answers))
            result = invoke(*command.split(), "--record", tmp_path)
            (closed,) = (event for event in example.played.events if isinstance(event, RoundClosed))
            assert f"Round 1: {format_net_cents(closed.nets_cents[0])}." in result.out


def test_a_recorded_example_is_replayed_from_the_folder_of_games(
    six_card: GameReport, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(six_card.game.folder.parent)
    (command,) = (row[1] for row in list_cells(make_method_section(six_card)) if row[0].startswith("Recorded"))
    assert invoke(*command.split()[1:]).status == 0


def test_every_command_is_one_that_there_is(six_card: GameReport, invoke: Invoke) -> None:
    for _, command in list_cells(make_method_section(six_card)):
        if command.startswith("pitboss "):
            words = command.split()
            shown = invoke(words[1], "--help").out
            for word in words[2:]:
                assert not word.startswith("--") or word in shown


def test_the_table_and_the_player_reach_the_submission(
    invoke: Invoke, asked: list[SubmissionSettings | None], tmp_path: Path
) -> None:
    table = ["--seats", "4", "--limit", "main=10-200", "--preset", "washington", "--aggregate-limit", "30000"]
    player = ["--pace", "55", "--average-bet", "40", "--hours", "2.5", "--buy-in", "300"]
    words = ["report", "six-card", "--for", "submission", *table, *player, "--output", tmp_path / "six.md"]
    assert invoke(*words).status == 0
    (terms,) = asked
    assert terms is not None
    assert (terms.seats, terms.preset, terms.limits) == (4, "washington", {"main": (1_000, 20_000)})
    assert (terms.player.bet_cents, terms.player.buy_in_cents, terms.player.rounds) == (4_000, 30_000, 137)
    assert terms.aggregate_cents == 3_000_000


def test_a_report_is_no_submission_unasked(
    invoke: Invoke, asked: list[SubmissionSettings | None], tmp_path: Path
) -> None:
    assert invoke("report", "six-card", "--output", tmp_path / "six.md").status == 0
    assert asked == [None]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--for court", "unknown purpose 'court'"),
        ("--hours 3", "--hours belongs to a submission: add --for submission"),
        ("--limit main=5-10", "--limit belongs to a submission"),
        ("--for submission --hours soon", "'soon' is not a number of hours"),
        ("--for submission --hours -1", "'-1' is not a number of hours"),
        ("--for submission --hours 1/0", "'1/0' is not a number of hours"),
        ("--for submission --hours 0.01", "a session has 1 to 100,000 rounds, not 0"),
        ("--for submission --buy-in lots", "'lots' is not an amount"),
        ("--for submission --seats 7", "the number of seats is 7: give a whole number from 1 to 6"),
        ("--for submission --limit main", "'main' is not a limit"),
        ("--for submission --limit main=400-5", "the minimum, $400, is above its maximum, $5"),
        ("--for submission --preset ohio", "unknown preset 'ohio'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_counted(
    words: str,
    says: str,
    invoke: Invoke,
    asked: list[SubmissionSettings | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = invoke("report", "six-card", "--output", "six.md", *words.split())
    assert (status, out, err.count("\n"), asked) == (2, "", 1, [])
    assert says in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.more
@pytest.mark.parametrize("game", keep_first(["lunar", "let-it-ride"], 1))
def test_a_whole_submission_is_made_from_nothing(game: str, tmp_path: Path) -> None:
    """A game with a bundled solution, and one from a folder of its own, in a process of their own."""
    path = tmp_path / f"{game}.json"
    command = [sys.executable, "-m", "pitboss", "report", game, "--for", "submission", "--output", str(path)]
    folder = Path(__file__).parents[2] / "examples" / "games"
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PITBOSS_GAMES": str(folder)})
    found = json.loads(path.read_text(encoding="utf-8"))
    figures = found["submission"]
    assert set(figures["return_bands"]) == {wager["bet"] for wager in figures["exposures"]}
    assert {"main"} <= set(figures["return_bands"])
    edges = {sheet["bet"]: sheet["expected_value"] for sheet in found["sheets"]}
    for bet, bands in figures["return_bands"].items():
        assert all(band["low"][0] < edges[bet] < band["high"][1] for band in bands)
    assert {"win", "loss"} <= {result for each in figures["examples"] for _, result in each["shows"]}
    assert len(figures["page"]["sections"]) >= 16
