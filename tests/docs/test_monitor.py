"""The page on monitoring: its example is what the command prints, and it names every key and every column."""

import re
from pathlib import Path

from docs.console import run_console
from monitored import load_known_bet
from pitboss.analysis.monitoring import monitor_results
from pitboss.analysis.table_results import OPTIONAL_COLUMNS, REQUIRED_COLUMNS, parse_results_csv

PAGE = (Path(__file__).parents[2] / "docs" / "monitor.md").read_text(encoding="utf-8")
RESULTS = re.findall(r"^```\n(table,.*?\n)```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def test_the_example_is_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(RESULTS, encoding="utf-8")
    (shown,) = re.findall(r"^```console\n(\$ [^\n]*\n[^$`].*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    command, printed = shown.split("\n", maxsplit=1)
    run_console(f"{command} || test $? = 1\n{printed}", tmp_path)


def test_every_column_and_every_key_of_a_table_is_named() -> None:
    bet = load_known_bet("six-card", "aces-up")
    report = monitor_results(bet, parse_results_csv(RESULTS, bet), 0.01, 1).to_dict()
    plain = {"game", "bet", "paytable", "options", "play", "expected_value", "periods", "first_period", "last_period"}
    keys = {*report, *report["tables"][0], *REQUIRED_COLUMNS, *OPTIONAL_COLUMNS}
    assert {key for key in keys - plain if f"`{key}`" not in PAGE} == set()
