"""``pitboss monitor``: results of tables judged, for people and for programs, and what cannot be judged."""

import csv
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitboss as pb
from cli.conftest import KNOWN, Invoke
from cli.fitting import check_fits
from monitored import load_known_bet
from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.monitoring import monitor_results
from pitboss.analysis.period_runs import PeriodChances, compute_run_chance
from pitboss.analysis.sequential_test import KnownDistribution
from pitboss.analysis.table_results import parse_results_csv
from pitboss.reports.monitor_tables import RUNS_NOTE
from refusals import refusal

NETS = {
    "royal-flush": 500,
    "straight-flush": 100,
    "four-of-a-kind": 30,
    "full-house": 9,
    "flush": 8,
    "straight": 7,
    "three-of-a-kind": 4,
    "two-pair": 2,
    "pair-of-aces": 1,
    "lose": -1,
}
CHANCES = np.array([int(count) for count in KNOWN["six-card", "aces-up"].split()]) / 20_358_520
STAKE = 500
COLUMNS = ("table", "period", "rounds", "stake_cents", "staked_cents", "returned_cents")

Row = Mapping[str, int | str]

GOOD_ROW: list[Row] = [dict(zip(COLUMNS, ("1", "Monday", 9, 500, 4_500, 4_000), strict=True))]


def dealt(table: str, days: int, seed: int, overpaid: int = 0, chances: Any = CHANCES) -> list[dict[str, int | str]]:
    """Return days of 2,000 wagers on Aces Up, each flush paid ``overpaid`` units too much."""
    rows = list[dict[str, int | str]]()
    for day, drawn in enumerate(np.random.default_rng(seed).multinomial(2_000, chances, size=days), start=1):
        hits = dict(zip(NETS, map(int, drawn), strict=True))
        units = sum(hits[line] * (net + 1) for line, net in NETS.items()) + overpaid * hits["flush"]
        row: tuple[int | str, ...] = (table, f"2026-10-{day:02}", 2_000, STAKE, 2_000 * STAKE, units * STAKE)
        rows.append({**dict(zip(COLUMNS, row, strict=True)), **hits})
    return rows


def without(rows: Iterable[Row], *names: str) -> list[dict[str, int | str]]:
    """Return rows without some columns."""
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


def written(path: Path, rows: Iterable[Row]) -> Path:
    """Write rows to a CSV file."""
    lines = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return path


@pytest.fixture
def aces_up() -> MonitoredBet:
    """Return Aces Up with its exact sheet."""
    return load_known_bet("six-card", "aces-up")


def monitored(invoke: Invoke, path: Path, *more: str) -> Any:
    """Return what monitoring prints as JSON, and its exit status."""
    status, out, err = invoke("monitor", "six-card", path, "--bet", "aces-up", *more, "--json")
    assert err == ""
    return status, json.loads(out)


def read(invoke: Invoke, path: Path) -> str:
    """Return what people read, on one line."""
    return " ".join(invoke("monitor", "six-card", path, "--bet", "aces-up").out.split())


def test_honest_tables_are_within_tolerance(invoke: Invoke, tmp_path: Path) -> None:
    rows = [*dealt("1", 9, seed=1), *dealt("2", 9, seed=2)]
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    assert (status, found["out_of_tolerance"], found["false_alarms"], found["shared_wagers"]) == (0, [], 0.01, 1)
    for table, own in zip(found["tables"], (rows[:9], rows[9:]), strict=True):
        assert table["rounds"] == 18_000
        assert table["staked_cents"] == 18_000 * STAKE
        assert table["returned_cents"] == sum(int(row["returned_cents"]) for row in own)
        assert table["return"] == table["returned_cents"] / table["staked_cents"]
        assert table["expected"] == float(1 - Fraction(118913, 5089630))
        low, high = table["band"]
        assert low < table["return"] < high
        assert (table["out_of_tolerance"], table["unexplained_cents"]) == (False, 0)
        assert [line["line"] for line in table["lines"]] == list(NETS)
        flush = table["lines"][4]
        assert flush["hits"] == sum(int(row["flush"]) for row in own)
        assert flush["band"][0] < flush["hits"] < flush["band"][1]


def test_lines_that_do_not_explain_the_payments_are_found_at_once(invoke: Invoke, tmp_path: Path) -> None:
    rows = [*dealt("1", 3, seed=1), *dealt("2", 3, seed=2, overpaid=3)]
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    assert (status, found["out_of_tolerance"]) == (1, ["2"])
    flushes = sum(int(row["flush"]) for row in rows[3:])
    assert found["tables"][1]["unexplained_cents"] == 3 * STAKE * flushes
    assert found["tables"][1]["unexplained_since"] == "2026-10-01"
    out = read(invoke, tmp_path / "r.csv")
    assert "1 of 2 tables out of tolerance" in out
    assert "table 2: payments and counted lines differ since 2026-10-01" in out


def test_differences_that_cancel_out_are_found_too(invoke: Invoke, tmp_path: Path) -> None:
    rows = dealt("1", 2, seed=1)
    for row, cents in zip(rows, (500, -500), strict=True):
        row["returned_cents"] = int(row["returned_cents"]) + cents
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    assert (status, found["tables"][0]["unexplained_cents"]) == (1, 0)
    assert "cancel out" in read(invoke, tmp_path / "r.csv")


def test_an_overpaid_line_is_found_in_the_return_alone(invoke: Invoke, tmp_path: Path) -> None:
    rows = without(dealt("1", 28, seed=3, overpaid=12), *NETS)
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    (table,) = found["tables"]
    assert (status, table["lines"], table["unexplained_cents"]) == (1, [], None)
    assert table["return_test"]["side"] == "high"
    assert "2026-10-01" < table["return_test"]["since"] <= "2026-10-28"
    assert table["return_test"]["chance"] <= 0.01
    said = read(invoke, tmp_path / "r.csv")
    assert f"too high since {table['return_test']['since']}" in said


def test_players_paid_short_are_found_too(invoke: Invoke, tmp_path: Path) -> None:
    rows = without(dealt("1", 9, seed=3), *NETS)
    for row in rows:
        row["returned_cents"] = int(row["returned_cents"]) * 8 // 10
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    assert (status, found["tables"][0]["return_test"]["side"]) == (1, "low")
    assert "too low since" in read(invoke, tmp_path / "r.csv")


def test_fewer_seats_on_the_same_cards_have_narrower_bands(invoke: Invoke, tmp_path: Path) -> None:
    cells: tuple[int | str, ...] = ("1", "Monday", 2_000, 500, 2_000_000, 2_000_000)
    path = written(tmp_path / "main.csv", [dict(zip(COLUMNS, cells, strict=True))])
    six, three, one = (
        json.loads(invoke("monitor", "six-card", path, *words, "--json").out)["tables"][0]["band"][1]
        for words in ((), ("--seats", "3"), ("--seats", "1"))
    )
    assert six > three > one
    assert pb.monitor("shifting-wilds", GOOD_ROW, "blackjack-bonus", seats=6).shared == 6
    with pytest.raises(pb.Error, check=refusal("out-of-range")):
        pb.monitor("shifting-wilds", GOOD_ROW, "blackjack-bonus", seats=0)


def test_a_line_too_likely_is_named(invoke: Invoke, tmp_path: Path) -> None:
    chances = CHANCES.copy()
    chances[4] *= 2
    rows = dealt("1", 5, seed=4, chances=chances / chances.sum())
    status, found = monitored(invoke, written(tmp_path / "r.csv", rows))
    out = [line["line"] for line in found["tables"][0]["lines"] if line["out_of_tolerance"]]
    assert (status, out, found["tables"][0]["lines"][4]["side"]) == (1, ["flush"], "high")
    assert "flush" in read(invoke, tmp_path / "r.csv")


def test_the_rate_is_divided_over_tables_and_tests(aces_up: MonitoredBet) -> None:
    def rates(rows: list[dict[str, int | str]]) -> list[float]:
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        report = monitor_results(aces_up, parse_results_csv("\n".join(lines), aces_up), 0.04, 1)
        for table in report.tables:
            for verdict in table.verdicts:
                assert verdict.compute_report_chance(0.04) == pytest.approx(
                    min(1, verdict.chance * 0.04 / verdict.rate)
                )
        return [verdict.rate for table in report.tables for verdict in table.verdicts]

    one, two = dealt("1", 2, seed=1), dealt("2", 2, seed=2)
    assert rates(without(one, *NETS)) == [0.04]
    assert rates([*without(one, *NETS), *without(two, *NETS)]) == [0.02, 0.02]
    assert rates([*one, *two]) == [0.01, *[0.001] * 10] * 2
    assert rates(without(one, "stake_cents")) == [0.004] * 10


def test_stakes_have_rows_of_their_own_and_weigh_as_they_are(invoke: Invoke, tmp_path: Path) -> None:
    """Two stakes of a day: expected and returned are in money, and a band is no wider than that of separate tables."""
    rows = without(dealt("1", 4, seed=5), *NETS)
    double = [
        {name: value * 2 if name.endswith("cents") and isinstance(value, int) else value for name, value in row.items()}
        for row in without(dealt("1", 4, seed=6), *NETS)
    ]
    both = [each for pair in zip(rows, double, strict=True) for each in pair]
    table = monitored(invoke, written(tmp_path / "r.csv", both))[1]["tables"][0]
    assert (table["periods"], table["staked_cents"]) == (4, 8_000 * STAKE * 3)
    assert table["expected_returned_cents"] == pytest.approx(8_000 * STAKE * 3 * (1 - 118913 / 5089630))
    alone = [monitored(invoke, written(tmp_path / "r.csv", each))[1]["tables"][0] for each in (rows, double)]
    assert alone[0]["band"] == pytest.approx(alone[1]["band"])
    width = table["band_cents"][1] - table["band_cents"][0]
    assert width < sum(each["band_cents"][1] - each["band_cents"][0] for each in alone)


def test_hold_on_drop_has_the_band_of_the_return(invoke: Invoke, tmp_path: Path) -> None:
    rows: list[Row] = [{**row, "drop_cents": 250_000} for row in dealt("1", 3, seed=7)]
    table = monitored(invoke, written(tmp_path / "r.csv", rows))[1]["tables"][0]
    staked, drop = table["staked_cents"], 750_000
    assert table["drop_cents"] == drop
    assert table["hold"] == (staked - table["returned_cents"]) / drop
    assert table["expected_hold"] == pytest.approx((1 - table["expected"]) * staked / drop)
    assert table["hold_band"] == pytest.approx([(1 - end) * staked / drop for end in reversed(table["band"])])


def test_without_stakes_lines_are_judged_and_the_return_is_not(invoke: Invoke, tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", without(dealt("1", 3, seed=8), "stake_cents"))
    status, found = monitored(invoke, path)
    table = found["tables"][0]
    assert (status, table["expected"], table["band"], table["return_test"]) == (0, None, None, None)
    assert len(table["lines"]) == len(NETS)
    assert "Neither the return is judged, nor whether the lines explain the payments: the stakes are not known" in read(
        invoke, path
    )


def test_a_played_bet_is_judged_from_above_only(invoke: Invoke, tmp_path: Path) -> None:
    """A bad player loses every round: that is no fault of the table.  One who wins far more than the best play is."""

    def day(returned: int) -> Path:
        cells: tuple[int | str, ...] = ("1", "Monday", 2_000, 500, 2_000_000, returned)
        return written(tmp_path / "main.csv", [dict(zip(COLUMNS, cells, strict=True))])

    status, out, err = invoke("monitor", "six-card", day(0), "--json")
    found = json.loads(out)
    assert (status, err, found["play"], found["shared_wagers"]) == (0, "", "best", 6)
    assert found["tables"][0]["band"][0] is None
    assert invoke("monitor", "six-card", day(2_900_000)).status == 1
    out = " ".join(invoke("monitor", "six-card", day(2_900_000)).out.split())
    assert "only a return above it can be out of tolerance" in out
    assert "6 wagers of a round decided by the same cards" in out


def test_a_progressive_is_judged_by_its_lines(invoke: Invoke, tmp_path: Path) -> None:
    row: Row = {
        "table": "1",
        "period": "a",
        "rounds": 1_000,
        "staked_cents": 100_000,
        "returned_cents": 60_000,
        "flush": 60,
    }
    status, out, _ = invoke("monitor", "six-card", written(tmp_path / "r.csv", [row]), "--bet", "progressive", "--json")
    table = json.loads(out)["tables"][0]
    assert (status, table["return_test"], table["lines"][0]["out_of_tolerance"]) == (1, None, True)


def test_people_read_every_table_at_any_width(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**row, "drop_cents": 300_000} for row in [*dealt("1", 3, seed=9), *dealt("Pit 3", 3, seed=2)]]
    path = written(tmp_path / "r.csv", rows)
    check_fits(invoke, monkeypatch, "monitor", "six-card", path, "--bet", "aces-up", note=RUNS_NOTE)


def test_lines_of_another_bet_are_refused_before_anything_is_counted(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = list[object]()
    monkeypatch.setattr("pitboss.cli.monitor.prepare_bet", lambda *given: counted.append(given))
    monkeypatch.setattr("pitboss.api.monitoring.prepare_bet", lambda *given: counted.append(given))
    rows = dealt("1", 2, seed=2)
    status, _, line = invoke("monitor", "six-card", written(tmp_path / "r.csv", rows))
    assert (status, line.count("\n")) == (2, 1)
    assert "is not a line of main, but of aces-up, progressive" in line
    for results in (rows, tmp_path / "r.csv"):
        with pytest.raises(pb.Error, check=refusal("line-of-another-bet")):
            pb.monitor("six-card", results)
    assert counted == []


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_columns_that_no_comma_separates_are_refused_with_what_would_be_right(
    invoke: Invoke, tmp_path: Path, mark: str
) -> None:
    path = written(tmp_path / "r.csv", dealt("1", 2, seed=2))
    path.write_text(path.read_text(encoding="utf-8").replace(",", mark), encoding="utf-8")
    status, _, line = invoke("monitor", "six-card", path, "--bet", "aces-up")
    assert (status, line.count("\n")) == (2, 1)
    assert "separate them by commas" in line


@pytest.mark.parametrize("name", ["picture.svg", "picture.png", "picture.pdf"])
def test_the_return_is_drawn_in_its_band(invoke: Invoke, tmp_path: Path, name: str) -> None:
    path, out = written(tmp_path / "r.csv", dealt("Pit 3", 3, seed=2)), tmp_path / name
    plain = invoke("monitor", "six-card", path, "--bet", "aces-up")
    assert invoke("monitor", "six-card", path, "--bet", "aces-up", "--out", out) == plain
    assert out.stat().st_size > 1_000
    if name.endswith("svg"):
        assert "table Pit 3" in out.read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_drawn_or_written_is_refused_in_a_line(invoke: Invoke, tmp_path: Path) -> None:
    rows = without(dealt("1", 3, seed=2), "stake_cents")
    path, out = written(tmp_path / "r.csv", rows), tmp_path / "r.svg"
    status, printed, line = invoke("monitor", "six-card", path, "--bet", "aces-up", "--out", out)
    assert (status, printed, line.count("\n")) == (2, "", 1)
    assert "the return can be tested only if stakes" in line
    assert not out.exists()
    status, printed, line = invoke("monitor", "six-card", path, "--bet", "aces-up", "--out", tmp_path / "r.gif")
    assert (status, printed, line.count("\n")) == (2, "", 1)


def test_python_takes_a_file_or_rows(tmp_path: Path) -> None:
    rows = dealt("1", 2, seed=1)
    report = pb.monitor("six-card", rows, "aces-up", false_alarms="2%")
    assert (
        report.to_dict()
        == pb.monitor("six-card", written(tmp_path / "r.csv", rows), "aces-up", false_alarms=0.02).to_dict()
    )
    assert repr(report) == "<0 of 1 tables out of tolerance>"
    odd: tuple[Any, ...] = (7, ["x"], [{1: 2}])
    for wrong in odd:
        with pytest.raises(pb.Error, check=refusal("invalid-results")):
            pb.monitor("six-card", wrong, "aces-up")
    with pytest.raises(pb.Error, check=refusal("other-columns")):
        pb.monitor("six-card", [rows[0], {"table": "1"}], "aces-up")


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_bands_of_a_few_rounds_are_possible_results(invoke: Invoke, tmp_path: Path, rounds: int) -> None:
    """The likeliest and the rarest lines cannot be out so soon, and nothing in the JSON is infinite."""
    hits = {line: rounds * (line == "lose") for line in NETS}
    cells: tuple[int | str, ...] = ("2", "a", rounds, STAKE, rounds * STAKE, 0)
    rows = [*dealt("1", 1, seed=1), {**dict(zip(COLUMNS, cells, strict=True)), **hits}]
    words = ("monitor", "six-card", written(tmp_path / "r.csv", rows), "--bet", "aces-up")
    status, out, _ = invoke(*words, "--json")
    table = json.loads(out, parse_constant=pytest.fail)["tables"][1]
    assert (status, table["rounds"], table["return"]) == (0, rounds, 0 if rounds else None)
    for line in table["lines"]:
        assert 0 <= line["band"][0] <= line["hits"] <= line["band"][1] <= rounds
    if rounds:
        low, high = table["band_cents"]
        assert low == 0 < high <= rounds * STAKE * 501
    assert invoke(*words).status == 0


# Runs of periods.


def test_the_chance_of_a_losing_period_is_that_of_every_sequence() -> None:
    distribution = KnownDistribution(
        {Fraction(-1): Fraction(3, 4), Fraction(3, 2): Fraction(1, 8), Fraction(4): Fraction(1, 8)}
    )
    house = players = Fraction(0)
    for results in product(distribution.probabilities, repeat=6):
        chance = Fraction(1)
        for each in results:
            chance *= distribution.probabilities[each]
        net = sum(results[:4]) * 2 + sum(results[4:]) * 5
        house, players = house + chance * (net < 0), players + chance * (net > 0)
    assert PeriodChances(distribution).compute({2: 4, 5: 2}) == pytest.approx((float(house), float(players)), abs=1e-9)


def test_the_chance_of_a_large_period_is_binomial() -> None:
    coin = KnownDistribution({Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)})
    found = PeriodChances(coin).compute({500: 1_000})
    level = comb(1_000, 500) / 2**1_000
    assert found == pytest.approx(((1 - level) / 2, (1 - level) / 2), abs=1e-9)


@pytest.mark.parametrize("length", range(6))
def test_the_chance_of_a_run_is_that_of_every_sequence(length: int) -> None:
    chances = [0.1, 0.5, 0.7, 0.4, 0.9]
    total = 0.0
    for wins in product((0, 1), repeat=5):
        longest = max(len(run) for run in "".join(map(str, wins)).split("0"))
        probability = np.prod([chance if won else 1 - chance for chance, won in zip(chances, wins, strict=True)])
        total += float(probability) * (longest >= length)
    assert compute_run_chance(chances, length) == pytest.approx(total)


def test_runs_of_days_are_counted(invoke: Invoke, tmp_path: Path) -> None:
    rows = without(dealt("1", 6, seed=1), *NETS)
    for row, more in zip(rows, (-1, -1, -1, 1, 1, -1), strict=True):
        row["returned_cents"] = int(row["staked_cents"]) + more * 100_000
    runs = monitored(invoke, written(tmp_path / "r.csv", rows))[1]["tables"][0]["runs"]
    assert [(run["winner"], run["periods"]) for run in runs] == [("house", 3), ("players", 2)]
    assert all(0 < run["chance"] < 1 for run in runs)


# What is refused.

GOOD = {"table": "1", "period": "Monday", "rounds": "10", "stake_cents": "500", "staked_cents": "5000"} | {
    "returned_cents": "4000",
    "flush": "1",
    "lose": "8",
}


def changed(**cells: str | None) -> str:
    """Return CSV of a good row and a second one with other cells; a column that is None is left out."""
    second = {name: value for name, value in (GOOD | {"period": "Tuesday"} | cells).items() if value is not None}
    first = {name: GOOD.get(name, "0") for name in second}
    return "\n".join(",".join(row) for row in (second, first.values(), second.values()))


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (changed(), "", ""),
        ("", "no-rows", "write a line of column names"),
        ("table,period\n", "no-rows", "a row for each table and period"),
        (changed(flushes="1"), "unknown-column", "did you mean 'flush'?"),
        (changed(rounds=None), "column-missing", "column rounds is missing"),
        (changed().replace("lose", "flush", 1), "column-twice", "'flush' appears twice"),
        (changed().replace("\n", "\r\n\r\n") + ",9", "wrong-cell-count", "row 5 has 9 cells"),
        (changed() + ",9", "wrong-cell-count", "row 3 has 9 cells, and there are 8 columns"),
        (changed(rounds="ten"), "out-of-range", "row 3 (table 1, Tuesday): rounds: 'ten' is not allowed"),
        (changed(rounds="-1"), "out-of-range", "row 3 (table 1, Tuesday): rounds"),
        (changed(rounds="1_0"), "out-of-range", "rounds"),
        (changed(staked_cents="5000.00"), "out-of-range", "staked_cents"),
        (changed(returned_cents="-1"), "out-of-range", "returned_cents"),
        (changed(table=""), "invalid-name", "row 3: table is ''"),
        (changed(period="x" * 61), "invalid-name", "row 3: period"),
        (changed(flush="11"), "impossible-result", "row 3 (table 1, Tuesday): the lines add up to 19"),
        (changed(staked_cents="4999"), "impossible-result", "10 wagers of 500 are 5,000: write a row for each stake"),
        (changed(staked_cents="6000"), "impossible-result", "write a row for each stake"),
        (changed(staked_cents="0"), "impossible-result", "nothing was staked"),
        (changed(rounds="0", flush="0", lose="0"), "impossible-result", "no rounds, but chips"),
        (changed(returned_cents="2505001"), "impossible-result", "more than the highest pay on every wager"),
        (changed(period="Monday", table="2") + "\n2,Tuesday,10,500,5000,4000,1,8\n2,Monday,10,500,5000,4000,1,8",
         "period-again", "row 5 (table 2, Monday)"),
        (changed(flush=None, lose=None, stake_cents=None), "cannot-judge", "give a column stake_cents"),
        ('table,period\n"1,2\n', "invalid-csv", "not CSV"),
    ],
)  # fmt: skip
def test_bad_results_are_refused_whole_and_the_row_is_named(
    invoke: Invoke, tmp_path: Path, text: str, code: str, said: str, aces_up: MonitoredBet
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    status, out, err = invoke("monitor", "six-card", path, "--bet", "aces-up")
    if not code:
        assert (status, err) == (0, "")
        return
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    with pytest.raises(pb.Error, check=refusal(code)):
        parse_results_csv(text, aces_up)


def test_a_side_bet_that_the_play_changes_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    """Somebody who plays for it wins more of it than the best play for main does."""
    path = written(tmp_path / "r.csv", [without([GOOD], "flush", "lose")[0]])
    status, out, err = invoke("monitor", "shifting-wilds", path, "--bet", "regular-bonus")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "depends on how main is played" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bet", "aces-up"), "give the results once"),
        (("missing.csv", "--bet", "aces-up"), "cannot read missing.csv"),
        (("FILE", "--bet", "aces-up", "--false-alarms", "0"), "the rate of false alarms is '0'"),
        (("FILE", "--bet", "aces-up", "--false-alarms", "0.01"), "--false-alarms '0.01' has no % sign"),
        (("FILE", "--bet", "aces-up", "--false-alarms", "60%"), "at most 50%"),
        (("FILE", "--bet", "aces-up", "--ledger", "x.db"), "give the results once"),
        (("FILE", "--bet", "aces-ups"), "did you mean 'aces-up'"),
        (("FILE", "--bet", "main"), "how often main ends this way depends on the play"),
        (("--bet", "aces-up", "--ledger", "missing.db"), "there is no ledger missing.db"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    invoke: Invoke, tmp_path: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"fold": "1", **without([GOOD], "flush", "lose")[0]} if "main" in words else GOOD
    path = written(tmp_path / "r.csv", [row])
    status, out, err = invoke("monitor", "six-card", *(str(path) if word == "FILE" else word for word in words))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
