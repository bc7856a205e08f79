"""``pitboss tune``: pay tables with a wanted edge, for people, for programs and as files."""

import csv
import json
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from cli.conftest import Invoke
from cli.fitting import check_fits
from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet, build_main_sheet
from pitboss.contract import Game, Wager
from pitboss.core.progress import ProgressCallback
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.pay_limits import change_pays, load_pay_limits
from pitboss.paytables import select_paytables
from refusals import refusal

ACES_UP = ("tune", "six-card", "--bet", "aces-up")
TWO_LINES = ("--vary", "flush=6..9", "--vary", "full-house=7..12")


def test_people_read_the_tables_next_to_the_present_one(invoke: Invoke) -> None:
    status, out, err = invoke(*ACES_UP, "--edge", "3%..3.5%", *TWO_LINES)
    assert (status, err) == (0, "")
    assert "2 tables: 2 with 1 changed" in out
    cells = [re.split(r"\s{2,}", line.strip()) for line in out.splitlines() if line.startswith(" ")]
    rows = {line: figures for line, *figures in cells}
    assert rows["flush"] == ["8", "* 7", "8"]
    assert rows["full house"] == ["9", "9", "* 8"]
    assert rows["House edge"] == ["2.3364%", "3.3472%", "3.1517%"]


def test_programs_get_one_object(invoke: Invoke) -> None:
    status, out, err = invoke(*ACES_UP, "--edge", "3%..3.5%", *TWO_LINES, "--limit", "1", "--json")
    found = json.loads(out)
    assert (status, err, found["found"], found["found_by_changes"], found["nearest"]) == (0, "", 2, [0, 2, 0], False)
    (table,) = found["tables"]
    assert table["changes"] == [{"line": "flush", "from": 8, "to": 7}]
    assert (table["pays"]["flush"], table["method"]) == (7, "exact")
    sheet = pb.game("six-card").par("aces-up")
    flush = next(row for row in sheet.rows if row.name == "flush")
    edge = sheet.house_edge + flush.probability
    assert (table["house_edge"], table["house_edge_exact"]) == (float(edge), f"{edge.numerator}/{edge.denominator}")
    assert found["present"]["house_edge"] == float(sheet.house_edge)


def test_a_table_is_a_file_ready_to_use(invoke: Invoke, tmp_path: Path) -> None:
    words = (*ACES_UP, "--edge", "3%..3.5%", *TWO_LINES)
    (tmp_path / "printed.toml").write_text(invoke(*words, "--toml", "1").out)
    assert invoke(*words, "--write", tmp_path / "none" / "in-none").status == 2
    assert invoke(*words, "--write", tmp_path / "printed.toml").status == 2
    for _ in range(2):  # the folder is made, or there
        assert invoke(*words, "--write", tmp_path / "all").status == 0
    assert {path.name for path in (tmp_path / "all").iterdir()} == {"aces-up-1.toml", "aces-up-2.toml"}
    for name, edge in (("printed", "3.3472%"), ("all/aces-up-1", "3.3472%"), ("all/aces-up-2", "3.1517%")):
        printed = invoke("par", "six-card", "--bet", "aces-up", "--paytable", tmp_path / f"{name}.toml").out
        assert edge in printed
    assert "SCP-01-edited-2  edited from SCP-01" in printed


def test_the_present_table_is_number_0(invoke: Invoke) -> None:
    words = (*ACES_UP, "--edge", "2.3%..2.4%", "--changes", "0", "--limit", "1")
    assert 'id = "SCP-01"' in invoke(*words, "--toml", "0").out
    assert "1 table: 1 with none changed" in invoke(*words).out
    assert invoke(*words, "--toml", "2") == (
        2,
        "",
        "pitboss: --toml 2: there is 1 table: give a number from 0 to 1\n",
    )


def test_spreadsheets_get_a_row_for_each_table(invoke: Invoke) -> None:
    rows = list(csv.DictReader(invoke(*ACES_UP, "--edge", "3%..3.5%", *TWO_LINES, "--csv").out.splitlines()))
    assert [(row["number"], row["changed"], row["flush"]) for row in rows] == [
        ("0", "", "8"),
        ("1", "flush", "7"),
        ("2", "full-house", "8"),
    ]


def test_the_nearest_are_printed_if_none_has_the_edge(invoke: Invoke) -> None:
    words = (*ACES_UP, "--edge", "3.2%..3.3%", *TWO_LINES)
    assert "has this edge" in invoke(*words).out
    found = json.loads(invoke(*words, "--json").out)
    assert (found["found"], found["nearest"]) == (0, True)
    assert found["tables"][0]["changes"] == [{"line": "flush", "from": 8, "to": 7}]


def test_a_weaker_hand_pays_less_unless_any_order_will_do(invoke: Invoke) -> None:
    words = (*ACES_UP, "--edge", "-5%..0%", "--vary", "flush=10..12", "--json")
    status, out, err = invoke(*words)
    assert (status, out) == (2, "")
    assert "out of order" in err
    assert json.loads(invoke(*words, "--any-order").out)["found"] == 2


def test_a_ladder_is_a_file_of_pays(invoke: Invoke, tmp_path: Path) -> None:
    ladder = tmp_path / "ladder.txt"
    ladder.write_text("# ours\n7, 15:2\n", encoding="utf-8")
    words = (*ACES_UP, "--edge", "2.5%..3%", "--vary", "flush=7..8", "--ladder", ladder, "--json")
    (table,) = json.loads(invoke(*words).out)["tables"]
    assert table["changes"] == [{"line": "flush", "from": 8, "to": "15:2"}]


@pytest.mark.parametrize("ladder", [None, [0, 1, 2], [1, 2]])
def test_a_range_from_0_has_tables_that_push(ladder: list[int] | None) -> None:
    """Only so the hit frequency changes; a range from 1 has none."""
    sheet = pb.game("six-card").par("aces-up")
    aces = next(row for row in sheet.rows if row.name == "pair-of-aces")
    ladders: Any = {} if ladder is None else {"ladder": ladder}
    for low, pays in ((0, {0, 1}), (1, {1})):
        found = pb.tune("six-card", "aces-up", "-900%..900%", vary={"pair-of-aces": (low, 1)}, **ladders)
        assert {table.pays["pair-of-aces"] for table in found.tables} == pays
        for table in found.tables:
            hit = sheet.hit_frequency - (aces.probability if table.pays["pair-of-aces"] == 0 else 0)
            assert table.hit_frequency == hit


def test_pays_that_change_the_play_have_bounds(invoke: Invoke) -> None:
    words = ("tune", "shifting-wilds", "--bet", "main", "--edge", "4.9%..5%", "--limit", "3")
    found = json.loads(invoke(*words, "--json").out)
    assert found["method"] == "bounded"
    assert 0 < found["proved"] < found["found"]
    for table in found["tables"]:
        assert table["lower_bound"] <= -table["house_edge"] <= table["upper_bound"]
        assert -table["lower_bound"] >= 0.049
        assert -table["upper_bound"] <= 0.05
    out = invoke(*words).out
    assert "House edge at least" in out
    assert "proved bounds" in out


def test_a_table_whose_exact_edge_is_wanted_is_not_ruled_out() -> None:
    game = load_game("shifting-wilds")
    tables, options = select_paytables(game), resolve_options(game, {})
    limits = load_pay_limits(game, options)
    assert limits
    (solved,) = limits.solved
    assert solved.changes == {("blind", "four-of-a-kind"): 3}
    edge = build_main_sheet(game, change_pays(tables, solved.changes), options, solved.solution).house_edge
    report = pb.tune("shifting-wilds", "main", (edge, edge), vary={"four-of-a-kind": (1, 3)}, any_order=True)
    assert [table.pays["four-of-a-kind"] for table in report.tables] == [3]
    assert report.tables[0].edge_bounds == (edge, edge)


def test_printed_tables_are_solved_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = pb.tune("shifting-wilds", "main", "4.9%..5%", limit=6)
    solved, get_sheet = list[ParSheet](), attrgetter("_sheet")

    def solve(game: Game, wager: Wager, terms: GameTerms, progress: ProgressCallback) -> ParSheet:
        if terms.paytables["blind"].default:
            return compute_par_sheet(game, wager, terms, progress)
        sheet: ParSheet = next(
            get_sheet(each) for each in bounded.tables if each.paytables[0].lines == terms.paytables["blind"].lines
        )
        solved.append(sheet)
        return replace(
            sheet, bounds=None
        )  # as if the present play were the best, so that the edge is the most it can be

    monkeypatch.setattr("pitboss.analysis.tuning.compute_par_sheet", solve)
    exact = pb.tune("shifting-wilds", "main", "4.9%..5%", limit=6, exact=True)
    assert (bounded.method, exact.method, len(solved)) == ("bounded", "exact", 6)
    assert len(exact.tables) == sum(0.049 <= each.house_edge <= 0.05 for each in bounded.tables)
    assert [table.number for table in exact.tables] == list(range(1, len(exact.tables) + 1))


PAGE = (Path(__file__).parents[2] / "docs" / "tune.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", re.findall(r"^\$ pitboss (tune .*)$", PAGE, re.MULTILINE))
def test_each_command_of_the_page_finds_tables(command: str, invoke: Invoke) -> None:
    words = shlex.split(command.partition(" > ")[0])
    status, out, err = invoke(*words)
    assert (status, err) == (0, "")
    assert "has this edge" not in out


def test_the_page_names_every_key_and_every_option(invoke: Invoke) -> None:
    named = " ".join(re.findall(r"`([^`\n]+)`", PAGE))
    report = json.loads(invoke("tune", "six-card", "--bet", "progressive", "--edge", "10%..11%", "--json").out)
    keys = {*report, *report["tables"][0]} - {"game", "bet", "paytable", "options", "targets"}
    assert sorted(each for each in keys if not re.search(rf"\b{each}\b", named)) == []
    options = set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", invoke("tune", "--help").out)) - {"--help", "--option"}
    assert sorted(each for each in options if each not in named) == []


def test_it_fits_any_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    check_fits(invoke, monkeypatch, *ACES_UP, "--edge", "3%..4%")


def test_python_gets_the_same_figures(invoke: Invoke) -> None:
    report = pb.tune("six-card", "aces-up", (0.03, "3.5%"), vary={"flush": (6, 9), "full-house": "7..12"})
    assert report.to_dict() == json.loads(invoke(*ACES_UP, "--edge", "3%..3.5%", *TWO_LINES, "--json").out)
    assert report.tables[0].pays["flush"] == Fraction(7)
    assert pb.game("six-card").par("aces-up", paytables=report.tables[0].paytables[0]).house_edge == (
        report.tables[0].house_edge
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--edge", "4%..3%"), "an empty range"),
        (("--edge", "0.04"), "--edge '0.04' has no % sign"),
        (("--edge", "3%..4%", "--hit", "0.2..0.3"), "--hit '0.2..0.3' has no % sign"),
        (
            ("--edge", "3%..4%", "--vary", "flush=5", "--changes", "0"),
            "flush pays 8, outside its --vary range, and --changes allows 0 changes",
        ),
        (("--edge", "soon"), "write a range like 4.0%..4.2%"),
        (("--edge", "3%..4%", "--vary", "flus=3..4"), "unknown line 'flus': did you mean 'flush'?"),
        (("--edge", "3%..4%", "--vary", "flush"), "--vary 'flush' is not LINE=LO..HI: write for example flush=3..6"),
        (("--edge", "3%..4%", "--vary", "flush=4..3"), "an empty range"),
        (("--edge", "3%..4%", "--vary", "flush=31..34"), "the ladder has no pay from 31 to 34"),
        (("--edge", "3%..4%", "--vary", "flush=3..4", "--vary", "flush=3..5"), "twice"),
        (("--edge", "3%..4%", "--vary", "flush=5", "--vary", "straight=5", "--changes", "1"), "raise --changes"),
        (("--edge", "3%..4%", "--hit", "40%..50%"), "their hit frequencies are all 23.4114%"),
        (
            ("--edge", "3%..4%", "--top", "5..20"),
            "has both --edge 3%..4% and --top 5..20: those of this edge have top awards",
        ),
        (("--edge", "3%..4%", "--top", "5000..6000"), "their top awards are from 1 to 3,000"),
        (("--edge", "3%..4%", "--deviation", "90..99"), "has both --edge 3%..4% and --deviation 90..99"),
        (("--edge", "3%..4%", "--json", "--csv"), "give only one"),
        (("--edge", "3%..4%", "--ladder", "missing.txt"), "cannot read missing.txt"),
        (("--edge", "3%..4%", "--changes", "8", "--any-order"), "too many to search"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: tuple[str, ...], said: str, invoke: Invoke) -> None:
    status, out, err = invoke(*ACES_UP, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_pays_that_no_chips_make_up_are_refused(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "ladder.txt").write_text("5 16:3", encoding="utf-8")
    status, out, err = invoke(*ACES_UP, "--edge", "3%..4%", "--ladder", tmp_path / "ladder.txt")
    assert (status, out) == (2, "")
    assert "cannot be paid whole: 16/3" in err


@pytest.mark.parametrize(("edge", "hit"), [("4..4.2", None), ("4", None), ("3%..4%", "19..20")])
def test_per_cent_without_their_sign_are_not_taken_for_hundreds(edge: str, hit: str | None) -> None:
    with pytest.raises(pb.Error, check=refusal("above-everything")) as refused:
        pb.tune("six-card", "aces-up", edge, hit=hit)
    assert "4% or 0.04" in str(refused.value)


def test_targets_that_contradict_one_another_are_named() -> None:
    with pytest.raises(pb.Error, check=refusal("targets-contradict", targets=["hit", "top"])):
        pb.tune(
            "six-card",
            "aces-up",
            "-900%..900%",
            hit="19%..20%",
            top="600..700",
            vary={"pair-of-aces": (0, 1), "royal-flush": (500, 700)},
            ladder=[0, 600],
            changes=1,
        )


def test_a_bet_without_a_pay_table_names_those_with_one(invoke: Invoke) -> None:
    status, out, err = invoke("tune", "six-card", "--bet", "main", "--edge", "1%..2%")
    assert (status, out) == (2, "")
    assert "bets with one: aces-up, bad-beat, progressive" in err


@pytest.mark.parametrize(
    "wrong",
    [
        {"edge": 3},
        {"edge": (0.01, 0.02, 0.03)},
        {"edge": (True, 1)},
        {"vary": ["flush"]},
        {"vary": {"flush": 3}},
        {"ladder": 5},
        {"ladder": [-1]},
        {"ladder": []},
        {"changes": 99},
        {"limit": 0},
    ],
)
def test_what_is_not_valid_in_python_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(pb.Error) as raised:
        pb.tune("six-card", "aces-up", **{"edge": "3%..4%", **wrong})
    assert "--" not in str(raised.value)
