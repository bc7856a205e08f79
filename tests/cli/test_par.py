"""``pitboss par``: sheets for scripts, sheets for people, and what is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from cli.conftest import SOLVED, Invoke
from pitboss.analysis.par_sheet import build_main_sheet
from pitboss.builders import display_name
from pitboss.cli.par_display import render_par_sheets
from pitboss.contract import LinePay, PayUnit
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.formatting import format_pay

PAGE = (Path(__file__).parents[2] / "docs" / "par-sheets.md").read_text(encoding="utf-8")
"""Its pay table is the one of these tests."""
ACES_UP = PAGE.partition(":caption: house.toml\n")[2].partition("```")[0]


@pytest.fixture
def own_table(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(ACES_UP, encoding="utf-8")
    return path


def test_one_bet_is_one_object_and_nothing_else(invoke: Invoke) -> None:
    status, out, err = invoke("par", "six-card", "--bet", "aces-up", "--json")
    assert (status, err) == (0, "")
    sheet = json.loads(out)
    assert (sheet["game"], sheet["bet"], sheet["paytable"], sheet["method"]) == (
        "six-card",
        "aces-up",
        "SCP-01",
        "exact",
    )
    assert sheet["deals"] == 20_358_520


def test_counts_stay_integers_of_any_size(invoke: Invoke) -> None:
    sheet = json.loads(invoke("par", "six-card", "--bet", "bad-beat", "--json").out)
    assert sheet["deals"] == 190_694_571_947_880
    assert sheet["outcomes"][-1]["deals"] == 180_194_056_147_008


def test_without_a_bet_every_bet_is_listed(invoke: Invoke) -> None:
    status, out, err = invoke("par", "six-card", "--json")
    assert (status, err) == (0, "")
    everything = json.loads(out)
    assert [sheet["bet"] for sheet in everything["sheets"]] == ["main", "aces-up", "bad-beat", "progressive"]
    assert everything["not_counted"] == {}


@pytest.mark.usefixtures("unsolved")
def test_bets_that_no_solver_follows_are_named_beside_those_counted(invoke: Invoke) -> None:
    not_counted = json.loads(invoke("par", "shifting-wilds", "--json").out)["not_counted"]
    assert set(not_counted) == {"main", "regular-bonus", "bad-beat"}
    status, out, err = invoke("par", "shifting-wilds")
    assert status == 0
    assert "Blackjack Bonus" in out
    assert [line.partition(":")[0] for line in err.splitlines()] == ["main", "regular-bonus", "bad-beat"]
    assert "it depends on the player's choices, and this version has no solver" in err


def test_all_tables_stand_side_by_side(invoke: Invoke) -> None:
    both = json.loads(invoke("par", "six-card", "--bet", "bad-beat", "--paytable", "all", "--json").out)
    assert (both["game"], both["bet"]) == ("six-card", "bad-beat")
    assert [sheet["paytable"] for sheet in both["sheets"]] == ["BB-01", "BB-02", "BB-03"]
    out = invoke("par", "six-card", "--bet", "bad-beat", "--paytable", "all").out
    assert out.count("1,967,920") == 1
    row = next(line.split() for line in out.splitlines() if line.strip().startswith("straight flush"))
    assert row[2:] == ["1,967,920", "10,000", "*", "2,500", "*", "500"]


def test_all_tables_of_a_bet_that_has_one_are_a_list_too(invoke: Invoke) -> None:
    only = json.loads(invoke("par", "shifting-wilds", "--bet", "blackjack-bonus", "--paytable", "all", "--json").out)
    assert [sheet["paytable"] for sheet in only["sheets"]] == ["BJ-1"]


def test_all_may_mean_the_tables_of_one_bet(invoke: Invoke) -> None:
    sheets = json.loads(invoke("par", "six-card", "--paytable", "progressive=all", "--json").out)["sheets"]
    assert [sheet["paytable"] for sheet in sheets] == [[], "SCP-01", "BB-01", "SIXCPP-01", "SIXCPP-02"]


def test_a_table_of_ones_own_prints_alone_or_beside_the_others(invoke: Invoke, own_table: Path) -> None:
    sheet = json.loads(invoke("par", "six-card", "--bet", "aces-up", "--paytable", own_table, "--json").out)
    assert sheet["paytable"] == "house"
    assert sheet["outcomes"][5]["net"] == 7.5
    beside = ("par", "six-card", "--bet", "aces-up", "--paytable", own_table, "--paytable", "all")
    sheets = json.loads(invoke(*beside, "--json").out)["sheets"]
    assert [sheet["paytable"] for sheet in sheets] == ["house", "SCP-01", "SCP-02", "SCP-03", "SCP-04"]
    out = invoke(*beside).out
    assert "15:2" in out
    assert str(own_table) in out.replace("\n", "")


def test_tables_of_one_id_are_told_apart_by_their_files(invoke: Invoke, own_table: Path, tmp_path: Path) -> None:
    other, printed = tmp_path / "other" / "house.toml", tmp_path / "mine.toml"
    other.parent.mkdir()
    other.write_text(cut("flush = 9\n"), encoding="utf-8")
    printed.write_text(ACES_UP.replace('"house"', '"SCP-02"'), encoding="utf-8")
    chosen = [word for table in (own_table, other, printed, "SCP-02") for word in ("--paytable", table)]
    sheets = json.loads(invoke("par", "six-card", "--bet", "aces-up", *chosen, "--json").out)["sheets"]
    folder = tmp_path.name
    names = [f"house ({folder}/house.toml)", "house (other/house.toml)", "SCP-02 (mine.toml)", "SCP-02"]
    assert [sheet["heading"] for sheet in sheets] == names
    assert [sheet.get("different_outcomes") for sheet in sheets] == [None, ["flush"], [], ["full-house", "straight"]]
    assert [sheet.get("compared_with") for sheet in sheets] == [None, names[0], names[0], names[0]]
    change = Fraction(sheets[1]["house_edge_change_exact"])
    assert change == Fraction(sheets[0]["expected_value_exact"]) - Fraction(sheets[1]["expected_value_exact"])
    assert change == -Fraction(205_792, 20_358_520)
    assert "SCP-02 (mine.toml)" in invoke("par", "six-card", "--bet", "aces-up", "--paytable", printed, "--csv").out
    text = invoke("par", "six-card", "--bet", "aces-up", *chosen).out
    assert f"* differs from {names[0]}" in text.replace("\n", " ")


def test_one_step_more_on_each_line_is_exact(invoke: Invoke, own_table: Path) -> None:
    command = ("par", "six-card", "--bet", "aces-up")
    first = json.loads(invoke(*command, "--paytable", own_table, "--sensitivity", "--json").out)
    own_table.write_text(cut("flush = 9\n"), encoding="utf-8")
    after = json.loads(invoke(*command, "--paytable", own_table, "--json").out)
    flush = next(each for each in first["sensitivity"] if each["line"] == "flush")
    edges = [-Fraction(each["expected_value_exact"]) for each in (first, after)]
    assert Fraction(flush["house_edge_change_exact"]) == edges[1] - edges[0]
    spread = after["standard_deviation"] - first["standard_deviation"]
    assert flush["standard_deviation_change"] == pytest.approx(spread, rel=1e-9)
    assert flush["hit_frequency_change"] == 0
    text, rows = invoke(*command, "--sensitivity").out, invoke(*command, "--sensitivity", "--csv").out
    assert "-1.010840%" in text
    assert "aces-up,SCP-01,step,flush house_edge," in rows


def test_a_line_that_cannot_pay_more_says_why(invoke: Invoke) -> None:
    sheet = json.loads(invoke("par", "six-card", "--bet", "progressive", "--sensitivity", "--json").out)
    assert (sheet["sensitivity"][0]["house_edge_change"], sheet["sensitivity"][1]["method"]) == (None, "exact")
    assert "101% of a meter" in sheet["sensitivity"][0]["reason"]


def test_a_line_that_begins_to_win_raises_the_hit_frequency(invoke: Invoke, own_table: Path) -> None:
    own_table.write_text(ACES_UP.replace("pair-of-aces = 1", "pair-of-aces = 0"), encoding="utf-8")
    command = ("par", "six-card", "--bet", "aces-up", "--paytable", own_table, "--sensitivity", "--json")
    last = json.loads(invoke(*command).out)["sensitivity"][-1]
    assert last["hit_frequency_change"] == 751_332 / 20_358_520


def test_every_other_ruling_has_its_price(invoke: Invoke) -> None:
    command = ("par", "six-card", "--bet", "progressive", "--option-by-option")
    (effect,) = json.loads(invoke(*command, "--json").out)["option_effects"]
    assert (effect["option"], effect["value"], effect["house_edge_change"]) == ("fixed_awards_from", "meter", 0)
    text = " ".join(invoke(*command).out.split())
    assert "leaves the edge as it is; long-run edge 74.7655%" in text
    assert "changes nothing here: dealer_qualifies" in text


def test_outcomes_that_no_deal_makes_are_folded_away(invoke: Invoke) -> None:
    short, full = (invoke("par", "wild-six-card", "--bet", "main", *rows).out for rows in ([], ["--all-rows"]))
    command = "pitboss par wild-six-card --bet main --all-rows"
    assert f"4 outcomes that no deal makes are left out; to see all: {command}" in " ".join(short.split())
    outcomes = json.loads(invoke("par", "wild-six-card", "--bet", "main", "--json").out)["outcomes"]
    assert len(outcomes) == 9
    for outcome in outcomes:
        shown = f" {display_name(outcome['name'])} "
        assert (shown in short, shown in full) == (outcome["deals"] > 0, True)


def test_a_page_too_narrow_for_all_tables_is_begun_again(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = invoke("par", "six-card", "--bet", "aces-up", "--paytable", "all").out
    assert out.count("15,592,308") == 2
    assert max(map(len, out.splitlines())) <= 60


def test_the_meter_sets_the_percentages(invoke: Invoke) -> None:
    arguments = ("par", "six-card", "--bet", "progressive", "--meter", "25,000.50")
    sheet = json.loads(invoke(*arguments, "--json").out)
    assert sheet["meter"] == 25_000.5
    assert sheet["outcomes"][0]["net"] == 24_999.5
    assert sheet["outcomes"][1]["meter_percent"] == 10
    out = invoke(*arguments).out
    assert "24,999.50" in out
    assert "$25,000.50" in out
    assert invoke("par", "six-card", "--meter", "25000").status == 0


def test_options_are_followed_and_told(invoke: Invoke) -> None:
    arguments = ("par", "six-card", "--bet", "progressive", "--option", "fixed_awards_from=meter")
    assert json.loads(invoke(*arguments, "--json").out)["runs_dry"] is True
    out = invoke(*arguments).out
    assert "with fixed_awards_from=meter" in out
    assert "Meter runs dry" in out


def test_a_sheet_for_people_has_its_title_pays_counts_and_figures(invoke: Invoke) -> None:
    out = invoke("par", "six-card", "--bet", "aces-up").out
    assert "Six Card Poker: Aces Up  exact, 20,358,520 deals" in out
    assert "SCP-01  sheet, table under rule 15 (Aces Up Paytables), column SCP-01" in out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "royal flush 500 to 1 188 0.0000092345 +0.00461723" in lines
    assert "lose loses 15,592,308 0.7658861253 -0.76588613" in lines
    assert "House edge 2.3364% return to player 97.6636%" in lines
    assert "Hit frequency 23.4114% 1 in 4.27" in lines
    assert "Expected value -0.02336378 exactly -118913/5089630" in lines
    assert "Hold the sheet expects 20% on drop, not the edge of a wager (SC-5)" in lines


def test_a_tax_is_taken_off_what_is_paid(invoke: Invoke) -> None:
    out = invoke("par", "wild-six-card", "--bet", "taxpayers-fortune").out
    assert "$50,000 - $5" in out
    assert "Expected tax" in out
    beside = invoke("par", "wild-six-card", "--bet", "taxpayers-fortune", "--paytable", "all").out
    assert "-$0.088531" in beside


def test_the_main_wager_of_a_game_that_is_solved_has_a_sheet(invoke: Invoke) -> None:
    status, out, err = invoke("par", "wild-six-card", "--bet", "main", "--json")
    assert (status, err) == (0, "")
    sheet = json.loads(out)
    assert (sheet["bet"], sheet["paytable"], sheet["method"]) == ("main", [], "exact")
    assert sheet["expected_value_exact"] == "-4340402594837/158469182611740"
    assert (sheet["average_wager"], sheet["equal_value_positions"]) == (1, 0)
    assert sheet["element_of_risk"] == sheet["house_edge"]
    assert sheet["actions"] == {"automatic": 0.020715823823481982, "discard": 0.979284176176518, "stand": 0}
    everything = json.loads(invoke("par", "wild-six-card", "--json").out)
    assert everything["sheets"][0] == sheet
    assert everything["not_counted"] == {}


def test_a_main_sheet_for_people_says_what_is_staked_and_done(invoke: Invoke) -> None:
    out = invoke("par", "wild-six-card", "--bet", "main").out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "Wild Six Card Poker: Poker exact, 1,901,630,191,340,880 deals" in lines
    assert "Average wager 1.000000 all main chips staked" in lines
    assert "Element of risk 2.7390% of the average wager" in lines
    assert "discard 97.9284% of rounds" in lines
    assert "Equal values 0 positions up to suits with two best choices (ALL-9)" in lines


def test_a_main_sheet_says_where_only_first_decisions_are_compared() -> None:
    game, solved = load_game("wild-six-card"), replace(SOLVED["wild-six-card"], equal_first_only=True)
    game = replace(game, decisions=game.decisions * 2)
    console = Console(width=100)
    with console.capture() as drawing:
        console.print(
            render_par_sheets([build_main_sheet(game, select_paytables(game), resolve_options(game, {}), solved)])
        )
    lines = [" ".join(line.split()) for line in drawing.get().splitlines()]
    assert "First decisions only yes equal values at later ones are not counted" in lines


def test_solve_prints_the_sheet_of_main(invoke: Invoke) -> None:
    assert invoke("solve", "wild-six-card", "--json") == invoke("par", "wild-six-card", "--bet", "main", "--json")
    solved, sheet = invoke("solve", "wild-six-card"), invoke("par", "wild-six-card", "--bet", "main")
    assert solved.out.startswith(sheet.out.rstrip())
    assert "deals together: " in solved.out.removeprefix(sheet.out.rstrip())


@pytest.mark.usefixtures("unsolved")
def test_a_game_without_a_solver_is_told_in_a_line(invoke: Invoke) -> None:
    status, out, err = invoke("par", "lunar", "--bet", "main")
    assert (status, out) == (2, "")
    assert err.startswith(
        "pitboss: main of lunar has no exact sheet: it depends on the player's choices, and this version has no "
    )
    status, out, err = invoke("solve", "lunar")
    assert (status, out) == (2, "")
    assert err.startswith("pitboss: the best play of lunar takes ")
    assert err.endswith("give a larger --budget, declare its showdown, or write a solver for it\n")
    assert err.count("\n") == 1


def test_a_part_of_main_is_printed_per_ante(invoke: Invoke) -> None:
    out = invoke("par", "lunar", "--bet", "instant-cash").out
    assert "Lunar Poker: Instant Cash, part of main, per Ante" in out
    assert "pushes" in out
    assert "+0.00500200" in out


def test_a_bet_that_is_off_is_left_out(invoke: Invoke) -> None:
    out = invoke("par", "wild-six-card", "--option", "draw_bonus=off", "--json").out
    assert json.loads(out)["not_counted"]["draw-bonus"] == "is not offered with draw_bonus=off"


def test_a_figure_that_one_table_has_and_another_lacks_is_a_dash(invoke: Invoke, own_table: Path) -> None:
    out = invoke("par", "six-card", "--bet", "aces-up", "--paytable", own_table, "--paytable", "all").out
    hold = next(line.split() for line in out.splitlines() if line.strip().startswith("Hold the sheet"))
    assert [word for word in hold if word not in {"Hold", "the", "sheet", "expects"}] == [
        "-",
        "*",
        "20%",
        "*",
        "25%",
        "*",
        "28%",
        "*",
        "30%",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("poker", "unknown game 'poker': "),
        (
            "six-card --bet aces",
            "unknown bet 'aces': did you mean 'aces-up'? known: main, aces-up, bad-beat, progressive",
        ),
        (
            "wild-six-card --bet draw-bonus --option draw_bonus=off",
            "draw-bonus of wild-six-card has no exact sheet: it is not offered with",
        ),
        (
            "wild-52 --bet joker --option bonus_after_fold=off",
            "joker of wild-52 depends on the player's choices, and its solver does not follow it",
        ),
        ("six-card --bet aces-up --paytable BB-01", "unknown pay table 'BB-01': known: SCP-01, SCP-02, SCP-03, SCP-04"),
        ("six-card --paytable SCP-09", "unknown pay table 'SCP-09': did you mean 'SCP-0"),
        ("six-card --paytable aces=all", "unknown bet 'aces': did you mean 'aces-up'?"),
        ("six-card --paytable aces=SCP-01", "unknown bet 'aces': did you mean 'aces-up'?"),
        (
            "six-card --bet aces-up --paytable bad-beat=BB-01",
            "--paytable bad-beat=BB-01 is for bad-beat, and aces-up does not depend on it: leave it out",
        ),
        ("six-card --bet aces-up --csv --json", "--csv and --json exclude each other: give only one"),
        (
            "shifting-wilds --bet main --with bad-beat=1 --option-by-option",
            "--option-by-option is for the best play of main alone: leave out --with",
        ),
        ("six-card --paytable none.toml", "cannot read none.toml: No such file or directory"),
        (
            "six-card --option dealer_qualify=always",
            "unknown option 'dealer_qualify': did you mean 'dealer_qualifies'?",
        ),
        (
            "six-card --option dealer_qualifies=pair-of-1",
            "option dealer_qualifies has no value 'pair-of-1': choose",
        ),
        ("six-card --option dealer_qualifies", "'dealer_qualifies' is not an option: write NAME=VALUE"),
        ("six-card --bet progressive --meter ten", "--meter 'ten' is not an amount: write dollars, for example 25"),
        ("six-card --bet progressive --meter -5", "--meter '-5' is not an amount: write dollars of 0 or more, for"),
        ("six-card --bet main --paytable SCP-9", "main of six-card has no pay tables: leave out 'SCP-9'"),
        (
            "six-card --bet bad-beat --paytable SCP-01",
            "unknown pay table 'SCP-01': known: BB-01, BB-02, BB-03; SCP-01 is for aces-up",
        ),
        (
            "six-card --bet aces-up --meter 10000",
            "--meter is for a progressive wager: none of these bets has a meter",
        ),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["people", "scripts"])
def test_bad_input_is_one_line_and_status_2(arguments: str, says: str, form: list[str], invoke: Invoke) -> None:
    status, out, err = invoke("par", *arguments.split(), *form)
    assert (status, out) == (2, "")
    assert err.startswith(f"pitboss: {says}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "to", "says"),
    [
        ("flush = 8\n", "", "line 'flush' is missing: aces-up must have the lines"),
        (
            "flush = 8\n",
            "flush = -8\n",
            "-8 is not a pay: write a whole number up to 1,000,000, or a ratio like '3:2'",
        ),
        ("flush = 8\n", 'flush = "8:3"\n', "line 'flush' cannot be paid whole"),
        ("to_one", "dollars", "unit dollars does not fit aces-up: it is paid for_one or to_one"),
        ("to_one", "to_1", "'to_1' is not a unit: write to_one, for_one, dollars, percent_of_meter"),
    ],
)
def test_a_broken_table_is_one_line_and_status_2(
    changed: str, to: str, says: str, invoke: Invoke, own_table: Path
) -> None:
    own_table.write_text(ACES_UP.replace(changed, to, 1) if changed != "flush = 8\n" else cut(to), encoding="utf-8")
    status, out, err = invoke("par", "six-card", "--paytable", own_table)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def cut(to: str) -> str:
    """Replace the line of the flush alone."""
    return ACES_UP.replace("\nflush = 8\n", f"\n{to}")


@pytest.mark.parametrize(
    ("pay", "words"),
    [
        (LinePay(Fraction(1), PayUnit.TO_ONE), "1 to 1"),
        (LinePay(Fraction(10_000), PayUnit.FOR_ONE), "10,000 for 1"),
        (LinePay(Fraction(12), PayUnit.DOLLARS), "$12"),
        (LinePay(Fraction(12_345), PayUnit.DOLLARS), "$12,345"),
        (LinePay(Fraction(51, 2), PayUnit.DOLLARS), "$25.50"),
        (LinePay(Fraction(100), PayUnit.PERCENT_OF_METER), "100% of meter"),
    ],
)
def test_pays_are_written_as_a_layout_prints_them(pay: LinePay, words: str) -> None:
    assert format_pay(pay) == words


@pytest.mark.parametrize(
    ("game", "options"), [("six-card", ["--option", "fixed_awards_from=meter"]), ("wild-six-card", [])]
)
def test_the_guide_names_every_key(game: str, options: list[str], invoke: Invoke) -> None:
    everything = json.loads(invoke("par", game, *options, "--json").out)
    sheets = everything["sheets"]
    keys = {key for sheet in sheets for key in (*sheet, *(key for line in sheet["outcomes"] for key in line))}
    assert {key for key in keys | set(everything) if f"`{key}`" not in PAGE and f'"{key}"' not in PAGE} == set()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "bet", "expected_value"),
    [
        ("shifting-wilds", "blackjack-bonus", "-2893/270725"),
        ("shifting-wilds", "main", "-52186374896563/1021578064006500"),
        ("lunar", "main", "-1611036647145128341/261413653954751298000"),
    ],
)
def test_a_sheet_is_counted_once_and_then_printed_without_numba_or_numpy(
    game: str, bet: str, expected_value: str
) -> None:
    command = ["par", game, "--bet", bet, "--json"]
    asked = f"import sys; from pitboss.cli.app import run; run({command}); print(*sys.modules, file=sys.stderr)"
    first, second = (
        subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert json.loads(first.stdout)["expected_value_exact"] == expected_value
    assert second.stdout == first.stdout
    assert {"numba", "numpy"} & set(second.stderr.split()) == set()


def test_stakes_are_read_in_antes_and_only_of_side_wagers(invoke: Invoke) -> None:
    status, out, err = invoke("par", "six-card", "--bet", "main", "--with", "main=1")
    assert (status, out) == (2, "")
    assert "main is always one Ante" in err
    sheet = json.loads(invoke("par", "six-card", "--bet", "main", "--with", "aces-up=1", "--json").out)
    assert (sheet["strategy"], sheet["stakes"]) == ("main", {})


def test_edited_pays_that_change_the_play_are_bounded_at_once(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "blind.toml"
    lines = "royal-flush = 10\nfive-of-a-kind = 5\nstraight-flush = 2\nfour-of-a-kind = 1\n"
    head = '[[paytable]]\nid = "MINE"\nbet = "main"\ntable = "blind"\nunit = "to_one"\n[paytable.lines]\n'
    path.write_text(head + lines, encoding="utf-8")
    arguments = ("par", "shifting-wilds", "--bet", "main", "--paytable", path)
    status, out, err = invoke(*arguments, "--json")
    assert (status, err) == (0, "")
    sheet = json.loads(out)
    assert (sheet["method"], sheet["play"]) == ("bounded", "frozen")
    lower, upper = (Fraction(sheet[f"{name}_exact"]) for name in ("lower_bound", "upper_bound"))
    assert lower == Fraction(sheet["expected_value_exact"]) < upper < lower + Fraction(1, 1000)
    words = " ".join(invoke(*arguments).out.split())
    assert "bounded, 85,812,557,376,546,000 deals" in words
    assert "a lower bound for the player. Under the best play the house edge is between 4.7878% and 4.8315%" in words
    assert "--exact solves again" in words
    default = json.loads(invoke("par", "shifting-wilds", "--bet", "main", "--json").out)
    assert (default["method"], default["play"]) == ("exact", "best")


def test_options_that_do_not_change_a_sheet_are_named(invoke: Invoke) -> None:
    plain = invoke("par", "six-card", "--bet", "aces-up", "--json")
    found = invoke("par", "six-card", "--bet", "aces-up", "--with", "bad-beat=1", "--exact", "--json")
    assert (found.status, found.out) == (0, plain.out)
    assert found.err.splitlines() == [
        "--exact has no effect: no decision of the player changes aces-up",
        "--with has no effect: no decision of the player changes aces-up",
    ]
