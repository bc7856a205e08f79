"""Pay tables: reading and checking, selection, writing, and the nets of circles."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest

from pitboss.contract import Game, Leg, LegResult, LinePay, PayUnit
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError
from pitboss.core.money import MAX_CENTS
from pitboss.games import load_game, load_games
from pitboss.outcome_nets import compute_leg_net, compute_outcome_net, get_meter_percent, list_required_lines
from pitboss.paytable_document import MAX_PAY
from pitboss.paytables import (
    compute_max_pay,
    get_wager_paytables,
    load_builtin_paytables,
    parse_paytables,
    read_paytables,
    select_paytables,
    to_document,
)
from refusals import refusal

SIX_CARD = load_game("six-card")
TAXED = load_game("wild-six-card")
PROGRESSIVE = """
[[paytable]]
id = "mine"
bet = "progressive"
unit = "for_one"
[paytable.lines]
royal-flush = { pay = 100, unit = "percent_of_meter" }
straight-flush = { pay = 10, unit = "percent_of_meter" }
four-of-a-kind = 100
full-house = 25
flush = 15
straight = "21:2"
[paytable.envy]
royal-flush = 100
[paytable.progressive]
seed_cents = 500000
meter_bps = 2000
reserve_bps = 0
source = "the house"
"""
TAX = """
[[paytable]]
id = "mine"
bet = "taxpayers-fortune"
unit = "dollars"
[paytable.lines]
tax-straight-or-better = 5
tax-three-of-a-kind = 2
tax-two-pair = 1
tax-one-pair-or-lower = 0
six-of-a-kind = 50000
six-card-straight-flush = 10000
four-aces-and-a-pair = 5000
four-of-a-kind-and-a-pair = 1000
double-three-of-a-kind = 500
six-card-flush = 100
six-card-straight = "51:2"
three-pair = 12
"""


def aces_up(name: str = "mine", default: str = "", **lines: str) -> str:
    """Return the text of a pay table for Aces Up; ``lines`` replace its lines, "" omits a line."""
    pays = {
        "royal-flush": "500",
        "straight-flush": "100",
        "four-of-a-kind": "30",
        "full-house": "9",
        "flush": "8",
        "straight": "7",
        "three-of-a-kind": "4",
        "two-pair": "2",
        "pair-of-aces": "1",
    } | {line.replace("_", "-"): pay for line, pay in lines.items()}
    lines_text = "\n".join(f"{line} = {pay}" for line, pay in pays.items() if pay)
    return f'[[paytable]]\nid = "{name}"\nbet = "aces-up"\nunit = "to_one"\n{default}\n[paytable.lines]\n{lines_text}\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write a file of pay tables."""

    def write_text(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


def test_every_built_in_table_has_a_source_and_every_kind_one_default() -> None:
    for game in load_games().values():
        kinds = {kind for wager in game.wagers for kind in wager.paytable_kinds}
        tables = load_builtin_paytables(game)
        assert {table.kind for table in tables} == kinds
        assert sorted(table.kind for table in tables if table.default) == sorted(kinds)
        assert all(table.source and not table.source.endswith(".toml") for table in tables)


def test_the_tables_of_a_wager_stand_in_printed_order() -> None:
    assert [table.id for table in get_wager_paytables(SIX_CARD, SIX_CARD.wagers[2])] == ["BB-01", "BB-02", "BB-03"]
    assert get_wager_paytables(SIX_CARD, SIX_CARD.wagers[0]) == ()


def test_a_kind_of_table_has_the_lines_of_the_outcomes_it_pays() -> None:
    assert list_required_lines(SIX_CARD.wagers[3], "progressive") == (
        "royal-flush",
        "straight-flush",
        "four-of-a-kind",
        "full-house",
        "flush",
        "straight",
    )


def test_the_garbled_straight_is_read_as_ten_for_one_and_keeps_the_sheets_words() -> None:
    straight = select_paytables(SIX_CARD)["progressive"].lines["straight"]
    assert straight.amount == 10
    assert straight.unit is PayUnit.FOR_ONE
    assert (straight.sheet_text, straight.ruling) == ("100 to 1 / 9 for 1", "SC-3")


def test_pays_are_whole_numbers_or_ratios(write: Callable[[str], Path]) -> None:
    (table,) = read_paytables(write(aces_up(flush='"15:2"', straight='"7"')), SIX_CARD)
    assert table.lines["flush"].amount == Fraction(15, 2)
    assert table.lines["straight"].amount == 7
    assert table.source == str(write(aces_up()))


def test_the_tables_of_a_kind_may_be_to_one_or_for_one_alike(write: Callable[[str], Path]) -> None:
    (table,) = read_paytables(write(aces_up().replace("to_one", "for_one")), SIX_CARD)
    assert {pay.unit for pay in table.lines.values()} == {PayUnit.FOR_ONE}


def test_a_progressive_has_percentages_envy_and_presets(write: Callable[[str], Path]) -> None:
    (table,) = read_paytables(write(PROGRESSIVE), SIX_CARD)
    assert table.lines["straight-flush"].unit is PayUnit.PERCENT_OF_METER
    assert table.lines["straight"].amount == Fraction(21, 2)
    assert table.envy == {"royal-flush": 100}
    assert table.progressive is not None
    assert table.progressive.seed_cents == 500_000


def test_flat_dollars_may_have_cents(write: Callable[[str], Path]) -> None:
    (table,) = read_paytables(write(TAX), TAXED)
    assert table.lines["six-card-straight"].amount == Fraction(51, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            aces_up(flush=""),
            "mine.toml: pay table mine: line 'flush' is missing: aces-up must have the lines royal-flush, ",
        ),
        (aces_up(flash="8"), "mine.toml: pay table mine: unknown line 'flash': did you mean 'flush'? known: royal"),
        (
            aces_up(flush="-8"),
            "pay table mine, line flush: -8 is not a pay: write a whole number up to 1,000,000, or a ratio",
        ),
        (aces_up(flush="8.5"), "pay table mine, line flush: 8.5 is not a pay"),
        (aces_up(flush="true"), "pay table mine, line flush: True is not a pay"),
        (aces_up(flush='"8:0"'), "pay table mine, line flush: '8:0' is not a pay"),
        (aces_up(flush='"eight"'), "pay table mine, line flush: 'eight' is not a pay"),
        (
            aces_up(flush='"25:3"'),
            "line 'flush' cannot be paid whole: 25/3 on 100 cents is 2500/3 cents; choose a pay that gives whole cents",
        ),
        (
            aces_up().replace("to_one", "to_two"),
            "pay table mine, unit: 'to_two' is not a unit: write to_one, for_one",
        ),
        (
            aces_up().replace("to_one", "dollars"),
            "mine.toml: pay table mine: unit dollars does not fit aces-up: it is paid for_one or to_one",
        ),
        (aces_up(flush='{ pay = 8, unit = "dollars" }'), "line 'flush' is in dollars, the table in to_one: do not"),
        (
            aces_up(flush='{ pay = 8, unit = "percent_of_meter" }'),
            "line 'flush' is 8% of a meter: write a whole percentage up to 100, in a table with [paytable.progressive]",
        ),
        (aces_up().replace("aces-up", "ace-up"), "unknown bet with pay tables 'ace-up': did you mean 'aces-up'?"),
        (
            aces_up().replace('bet = "aces-up"', 'bet = "aces-up"\ntable = "ante"'),
            "unknown kind of table 'ante': known",
        ),
        (aces_up() + aces_up(), "mine.toml: pay table mine of aces-up appears twice: give each its own id"),
        (aces_up(name="my table"), "pay table my table, id: "),
        (aces_up().replace("unit", "units"), "pay table mine, unit is missing"),
        (aces_up(default="note = 1"), "pay table mine, note is not known here: remove it"),
        (aces_up() + "[paytable.envy]\nroyal = 100\n", "pay table mine: envy: unknown line 'royal'"),
        (PROGRESSIVE.replace("pay = 10,", "pay = 110,"), "line 'straight-flush' is 110% of a meter"),
        (PROGRESSIVE.replace("pay = 10,", 'pay = "5:2",'), "line 'straight-flush' is 5/2% of a meter: write a whole"),
        (
            PROGRESSIVE.replace("reserve_bps = 0", "reserve_bps = 9000"),
            "meter_bps and reserve_bps are more than the wag",
        ),
        (
            PROGRESSIVE.replace("reserve_bps = 0", "reserve_bps = -1"),
            "pay table mine, progressive reserve_bps: -1 is too small: write at least 0",
        ),
        ("", "has no [[paytable]]: it is not a file of pay tables"),
        ("paytable = []", "paytable is too short: give at least 1"),
        ("[paytable", "mine.toml is not valid TOML: "),
    ],
)
def test_a_broken_table_is_refused_in_one_line(write: Callable[[str], Path], text: str, message: str) -> None:
    with pytest.raises(PayTableError) as refused:
        read_paytables(write(text), SIX_CARD)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_table_of_flat_dollars_is_paid_in_nothing_else(write: Callable[[str], Path]) -> None:
    with pytest.raises(PayTableError, check=refusal("wrong-unit", kind="taxpayers-fortune")):
        read_paytables(write(TAX.replace("dollars", "to_one")), TAXED)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PayTableError, check=refusal("cannot-read")):
        read_paytables(tmp_path / "none.toml", SIX_CARD)
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(PayTableError, check=refusal("not-utf-8")):
        read_paytables(tmp_path / "latin.toml", SIX_CARD)


def test_the_defaults_are_chosen_unless_another_is_named() -> None:
    chosen = select_paytables(SIX_CARD, ["SCP-03", "bad-beat=BB-02"])
    assert {kind: table.id for kind, table in chosen.items()} == {
        "aces-up": "SCP-03",
        "bad-beat": "BB-02",
        "progressive": "SIXCPP-01",
    }


def test_a_part_of_main_is_chosen_by_its_own_name_or_by_main() -> None:
    lunar = load_game("lunar")
    assert select_paytables(lunar, ["main=IC-3"]) == select_paytables(lunar, ["instant-cash=IC-3"])


def test_a_users_file_replaces_the_tables_it_has(write: Callable[[str], Path]) -> None:
    path = write(aces_up(name="loose", default="default = true") + aces_up(name="tight") + PROGRESSIVE)
    for selections in ([str(path)], [f"aces-up={path}", f"progressive={path}"]):
        chosen = select_paytables(SIX_CARD, selections)
        assert (chosen["aces-up"].id, chosen["progressive"].id) == ("loose", "mine")
        assert chosen["bad-beat"].id == "BB-01"


@pytest.mark.parametrize("default", ["", "default = true"])
def test_of_several_tables_in_a_file_one_must_be_marked(write: Callable[[str], Path], default: str) -> None:
    path = write(aces_up(name="loose", default=default) + aces_up(name="tight", default=default))
    with pytest.raises(PayTableError, check=refusal("no-default", kind="aces-up")):
        select_paytables(SIX_CARD, [str(path)])


@pytest.mark.parametrize(
    ("selections", "error", "message"),
    [
        (["SCP-09"], UnknownNameError, "unknown pay table 'SCP-09': did you mean 'SCP-0"),
        (["bad-beat=SCP-01"], UnknownNameError, "unknown pay table 'SCP-01': known: BB-01, BB-02, BB-03"),
        (["aces=SCP-01"], UnknownNameError, "unknown bet 'aces': did you mean 'aces-up'?"),
        (["SCP-01", "SCP-02"], PayTableError, "two pay tables for aces-up, SCP-01 and SCP-02: select one"),
    ],
)
def test_a_table_that_is_not_there_is_refused(selections: list[str], error: type[PitbossError], message: str) -> None:
    with pytest.raises(error) as refused:
        select_paytables(SIX_CARD, selections)
    assert str(refused.value).startswith(message)


def test_a_file_without_a_table_for_the_bet_is_refused(write: Callable[[str], Path]) -> None:
    with pytest.raises(PayTableError, check=refusal("no-pay-table")):
        select_paytables(SIX_CARD, [f"bad-beat={write(aces_up())}"])


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_a_table_written_and_read_again_is_the_same(game: Any) -> None:
    for table in load_builtin_paytables(game):
        (again,) = parse_paytables({"paytable": [to_document(table)]}, game, "here")
        assert again.lines == table.lines
        assert (again.id, again.bet, again.kind, again.source) == (table.id, table.bet, table.kind, table.source)
        assert (again.claim, again.envy, again.progressive) == (table.claim, table.envy, table.progressive)


def documents(game: Game) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every built-in table as a user would write it, once for each of its lines."""
    for table in load_builtin_paytables(game):
        for line in table.lines:
            yield to_document(table), line


def said_of(game: Game, document: dict[str, Any]) -> str:
    with pytest.raises(PayTableError) as refused:
        parse_paytables({"paytable": [document]}, game, "mine")
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_a_misspelt_line_of_any_table_is_named_with_the_nearest(game: Game) -> None:
    for document, line in documents(game):
        lines = {(f"{name}h" if name == line else name): pay for name, pay in document["lines"].items()}
        said = said_of(game, {**document, "lines": lines})
        assert f"unknown line '{line}h': did you mean '{line}'? known: " in said


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_a_pay_beyond_what_records_hold_is_refused_in_any_table(game: Game) -> None:
    for document, line in documents(game):
        for pay in (MAX_PAY + 1, 999_999_999_999_999_999_999_999, f"{2 * MAX_PAY + 1}:2"):
            lines = {**document["lines"], line: {**document["lines"][line], "pay": pay}}
            said = said_of(game, {**document, "lines": lines})
            if document["lines"][line]["unit"] != "percent_of_meter":
                assert f"line '{line}' pays {Fraction(str(pay).replace(':', '/'))}: at most {MAX_PAY:,}" in said


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_the_highest_pay_on_the_highest_stake_fits_a_record(game: Game) -> None:
    for wager in game.wagers:
        for outcome in wager.outcomes:
            highest = {
                table.kind: replace(
                    table,
                    lines={name: LinePay(Fraction(compute_max_pay(wager)), PayUnit.TO_ONE) for name in table.lines},
                )
                for table in select_paytables(game).values()
            }
            assert abs(compute_outcome_net(outcome, highest, MAX_CENTS)) < 2**63


@pytest.mark.parametrize("game", load_games().values(), ids=list(load_games()))
def test_lines_in_any_order_are_those_of_the_printed_table(game: Game) -> None:
    for table in load_builtin_paytables(game):
        document = to_document(table)
        lines = cast("dict[str, object]", document["lines"])
        turned = {**document, "lines": dict(reversed(lines.items()))}
        (read,) = parse_paytables({"paytable": [turned]}, game, "mine")
        assert list(read.lines.items()) == list(table.lines.items())


def leg(verdict: LegResult, *lines: str, stake: int = 1, best: bool = False, table: str = "aces-up") -> Leg:
    return Leg("circle", stake, verdict, "why", lines, table, best)


@pytest.mark.parametrize(
    ("circle", "net_cents"),
    [
        (leg(LegResult.WIN), 500),
        (leg(LegResult.WIN, stake=2), 1000),
        (leg(LegResult.LOSE), -500),
        (leg(LegResult.PUSH, "flush"), 0),
        (leg(LegResult.WIN, "flush"), 4000),
        (leg(LegResult.WIN, "flush", "pair-of-aces"), 4500),
        (leg(LegResult.WIN, "flush", "pair-of-aces", best=True), 4000),
        (leg(LegResult.WIN, "four-of-a-kind", table="progressive"), 49_500),
        (leg(LegResult.WIN, "royal-flush", table="progressive"), 1_000_000 - 500),
    ],
)
def test_a_circle_nets_what_its_lines_pay(circle: Leg, net_cents: int) -> None:
    assert compute_leg_net(circle, select_paytables(SIX_CARD), 500, award_cents=1_000_000) == net_cents


def test_flat_dollars_are_paid_and_taken_whatever_the_stake() -> None:
    chosen = select_paytables(TAXED)
    for stake_cents in (100, 500):
        assert (
            compute_leg_net(leg(LegResult.WIN, "three-pair", table="taxpayers-fortune"), chosen, stake_cents) == 1_200
        )
        assert (
            compute_leg_net(leg(LegResult.LOSE, "tax-two-pair", table="taxpayers-fortune"), chosen, stake_cents) == -100
        )


def test_an_outcome_nets_the_sum_of_its_circles() -> None:
    wager = next(wager for wager in TAXED.wagers if wager.id == "taxpayers-fortune")
    outcome = next(outcome for outcome in wager.outcomes if outcome.name == "tax-two-pair-three-pair")
    assert compute_outcome_net(outcome, select_paytables(TAXED), 100) == 1_200 - 100


def test_an_outcome_knows_its_percentage_of_the_meter() -> None:
    outcomes = {outcome.name: outcome for outcome in SIX_CARD.wagers[3].outcomes}
    percents = [get_meter_percent(outcome, select_paytables(SIX_CARD)) for outcome in outcomes.values()]
    assert percents == [100, 10, 0, 0, 0, 0, 0]
