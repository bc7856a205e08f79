"""``pitboss report``: files of every kind, and what is refused before anything is counted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import pitboss.cli.report
from cli.conftest import Invoke
from pitboss.analysis.game_terms import GameTerms
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games
from pitboss.reports.formats import REPORT_FORMATS
from pitboss.reports.report import GameReport
from reports.conftest import made

STARTS = {"html": b"<!doctype html>", "pdf": b"%PDF", "xlsx": b"PK", "md": b"# Six", "csv": b"game,bet,", "json": b"{"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[GameTerms]:
    """Remember the terms reports are made under; they are made of known counts."""
    terms: list[GameTerms] = []

    def known(game: Game, under: GameTerms, _watching: object, **_stated: object) -> GameReport:
        terms.append(under)
        found = made(game.id)
        return replace(found, sheets=found.sheets[1:2], other_paytables={}, session=None)

    monkeypatch.setattr(pitboss.cli.report, "make_report", known)
    return terms


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("name", REPORT_FORMATS)
def test_a_report_is_written_as_its_file_is_called(name: str, invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / f"six.{name}"
    assert invoke("report", "six-card", "--output", path) == (
        0,
        "",
        f"{path}: written, {path.stat().st_size:,} bytes\n",
    )
    assert path.read_bytes().startswith(STARTS[name])


def test_terms_reach_the_report(invoke: Invoke, asked: list[GameTerms], tmp_path: Path) -> None:
    words = ["--paytable", "aces-up=SCP-03", "--option", "award_rounding=dollar", "--with", "aces-up=0.5"]
    given = ["--meter", "12000", "--pace", "55", "--average-bet", "40", "--session", "100"]
    status, _, _ = invoke("report", "six-card", "--format", "json", "--output", tmp_path / "six", *words, *given)
    assert status == 0
    (terms,) = asked
    assert terms.paytables["aces-up"].id == "SCP-03"
    assert terms.options["award_rounding"] == "dollar"
    assert float(terms.stakes["aces-up"]) == 0.5
    assert json.loads((tmp_path / "six").read_text())["game"] == "six-card"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("holdem --output six.md", "unknown game 'holdem'"),
        ("six-card --output six", "the extension of six is not a known format: give --format, one of html, pdf"),
        ("six-card --format doc --output six", "unknown format 'doc'"),
        ("six-card --output none/six.md", "there is no folder none"),
        ("six-card --paytable SCP-09 --output six.md", "unknown pay table 'SCP-09'"),
        ("six-card --option colour=red --output six.md", "unknown option 'colour'"),
        ("wild-52 --meter 100 --output six.md", "--meter is for a progressive wager"),
        ("six-card --average-bet lots --output six.md", "--average-bet 'lots' is not an amount"),
        ("six-card --session 0 --output six.md", "a session has 1 to 100,000 rounds"),
        ("all --option colour=red --output six.md", "belong to one game"),
        ("six-card --format md", "--output"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    words: str, says: str, invoke: Invoke, asked: list[GameTerms], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = invoke("report", *words.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert asked == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.more
def test_all_games_go_into_one_file(
    invoke: Invoke, asked: list[GameTerms], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = {name: load_game(name) for name in ("six-card", "wild-six-card")}
    monkeypatch.setattr(pitboss.cli.report, "load_games", lambda: two)
    assert invoke("report", "all", "--output", tmp_path / "all.json").status == 0
    assert [each["game"] for each in json.loads((tmp_path / "all.json").read_text())["reports"]] == list(two)
    assert invoke("report", "all", "--output", tmp_path / "all.html").status == 0
    text = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert all(f"{game.name}: PAR sheets" in text for game in two.values())
    assert len(asked) == 4


def test_a_game_that_is_refused_is_left_out_of_the_file_of_all_games(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(game: Game, *_: object, **__: object) -> str:
        if game.id == "six-card":
            raise PitbossError("settle returns 99")
        return game.id

    written = list[list[str]]()
    monkeypatch.setattr(pitboss.cli.report, "make_report", make)
    monkeypatch.setattr(pitboss.cli.report, "save_reports", lambda made, *_: written.append(made))
    (tmp_path / "all.json").touch()
    status, out, err = invoke("report", "all", "--output", tmp_path / "all.json")
    assert (status, out) == (2, "")
    assert err.startswith("pitboss: six-card is left out: settle returns 99\n")
    assert written == [[name for name in load_games() if name != "six-card"]]
    assert invoke("report", "six-card", "--output", tmp_path / "all.json")[0] == 2
    assert len(written) == 1
