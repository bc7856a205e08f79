"""What `import pitboss` returns cannot be changed, and what it is given is checked by its type first."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pitboss as pb
from conformance.drawing import each_game
from pitboss.contract import Game
from refusals import refusal


@each_game
def test_nothing_that_is_returned_can_be_changed(game: Game) -> None:
    own = pb.game(game.id)
    asked = own.round(seed=1).decision
    mappings: list[Any] = [table.lines for table in own.paytables()] + [table.envy for table in own.paytables()]
    mappings += [asked.cards] if asked else []
    for mapping in mappings:
        with pytest.raises(TypeError, match="cannot be changed"):
            mapping["main"] = 1
        with pytest.raises(TypeError, match="cannot be changed"):
            mapping.clear()


def test_a_decision_can_be_sent_to_a_browser_and_to_another_process() -> None:
    asked = pb.game("six-card").round(seed=4).decision
    assert asked is not None
    assert json.loads(json.dumps(asked.cards)) == asked.cards == asdict(asked)["cards"]
    assert deepcopy(asked) == asked
    assert len({asked, deepcopy(asked)}) == 1


CALLS: list[Callable[[Any], object]] = [
    pb.game,
    lambda number: pb.game("six-card").par("progressive", meter_cents=number),
    lambda number: pb.game("six-card").par("main", stakes={"bad-beat": number}),
    lambda number: pb.game("six-card").round(wagers={"main": number}),
    lambda number: pb.game("six-card").round(seats=number),
    lambda number: pb.game("six-card").round(seed=number),
    lambda number: pb.game("six-card").simulate(number),
    lambda number: pb.game("six-card").simulate(10, seed=number),
    lambda number: pb.game("six-card").simulate(10, workers=number),
    lambda number: pb.game("six-card").par("aces-up", options={"dealer_qualifies": number}),
    lambda number: pb.game("six-card").par("aces-up", options=number),
    lambda number: pb.game("six-card").round(seed=1).act(number),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", [10**5_000, -(10**5_000)], ids=["huge", "negative"])
def test_a_number_of_thousands_of_digits_is_refused_in_a_line(call: Callable[[Any], object], number: int) -> None:
    with pytest.raises(pb.Error, match="too many digits"):
        call(number)


@pytest.mark.parametrize("flag", ["no", 1, None])
def test_a_flag_is_true_or_false(flag: Any) -> None:
    with pytest.raises(pb.Error, check=refusal("invalid-option")):
        pb.evaluate("Jk As Kh 9s 5s 3s", any_card_flush=flag)


def test_a_table_and_the_id_of_another_of_its_kind_are_refused() -> None:
    game = pb.game("six-card")
    with pytest.raises(pb.Error, check=refusal("two-pay-tables", kind="aces-up")):
        game.par("aces-up", paytables=["SCP-02", game.paytables("aces-up")[0]])


@pytest.mark.parametrize("amount", [9.0, "9", "3:2", float("nan"), None, 10**5_000], ids=lambda each: str(type(each)))
@pytest.mark.parametrize("unit", [pb.PayUnit.TO_ONE, "to_one", None])
def test_a_pay_of_another_type_is_refused_in_a_line(amount: Any, unit: Any) -> None:
    printed = pb.game("six-card").paytables("aces-up")[0]
    pay = pb.LinePay(amount, unit)
    with pytest.raises(pb.Error, check=refusal("invalid-line", name="flush")):
        pb.game("six-card").par("aces-up", paytables=replace(printed, lines={**printed.lines, "flush": pay}))


@pytest.mark.parametrize("lines", [None, [], 7])
def test_lines_of_another_type_are_refused_in_a_line(lines: Any) -> None:
    printed = pb.game("six-card").paytables("aces-up")[0]
    with pytest.raises(pb.Error, check=refusal("invalid-pay-table")):
        pb.game("six-card").par("aces-up", paytables=replace(printed, lines=lines))


def test_a_pay_of_the_right_type_is_taken() -> None:
    printed = pb.game("six-card").paytables("aces-up")[0]
    own = replace(printed, id="own", lines={**printed.lines, "flush": pb.LinePay(Fraction(9), pb.PayUnit.TO_ONE)})
    assert pb.game("six-card").par("aces-up", paytables=own).house_edge < pb.game("six-card").par("aces-up").house_edge


@pytest.mark.parametrize("name", ["\0", "\ud800.toml"])
def test_a_name_that_no_file_can_have_is_refused_in_a_line(name: str) -> None:
    with pytest.raises(pb.Error, check=refusal("cannot-read")):
        pb.game("six-card").load_paytables(name)
    with pytest.raises(pb.Error, check=refusal("cannot-read")):
        pb.game("six-card").simulate(10, f"{name}.py:play")


@pytest.mark.compiled
@pytest.mark.parametrize("order", ["<", ">"])
def test_hands_are_evaluated_in_either_order_of_bytes(order: str) -> None:
    hands = np.array([[12, 11, 10, 9, 8], [0, 13, 26, 39, 1]], f"{order}i8")
    assert pb.evaluate_many(hands).tolist() == pb.evaluate_many(hands.tolist()).tolist()


def test_a_game_is_its_copy_in_another_process() -> None:
    for game in pb.all_games().values():
        copy = deepcopy(game)  # by the method that pickles
        assert (copy, hash(copy)) == (game, hash(game))


@pytest.mark.more
def test_a_hint_names_cards_as_the_decision_does() -> None:
    table = pb.game("lunar").round(deck="As Ks Qd 7h 2c", seed=1)
    asked = table.decision
    assert asked is not None
    hints = pb.game("lunar").hint(asked.cards)
    assert {(each.action, each.cards) for each in hints} == {(each.action, each.cards) for each in asked.legal}


@pytest.mark.parametrize("game", pb.all_games().values(), ids=list(pb.all_games()))
def test_a_sheet_refuses_the_pay_table_of_another_bet(game: pb.HouseGame) -> None:
    for bet in game.bets:
        own = {table.kind for table in game.paytables(bet)}
        for other in (table for each in game.bets for table in game.paytables(each) if table.kind not in own):
            with pytest.raises(pb.Error, check=refusal("other-pay-table", paytable=other.id, kind=other.kind)):
                game.par(bet, paytables=other)


@pytest.mark.parametrize("seed", [-5, 2**64])
def test_a_seed_of_a_round_is_in_range(seed: int) -> None:
    with pytest.raises(pb.Error, match=r"a seed is .*: (give|write) a whole number"):
        pb.game("six-card").round(seed=seed)


def test_paytable_is_another_name_of_paytables() -> None:
    game: Any = pb.game("six-card")
    named = game.par("aces-up", paytables="SCP-02")
    assert game.par("aces-up", paytable="SCP-02").to_dict() == named.to_dict()
    chart: Any = pb.chart
    terms = {"game": game, "kind": "contribution", "bet": "aces-up"}
    assert chart(**terms, paytable="SCP-02").to_dict() == chart(**terms, paytables="SCP-02").to_dict()
    with pytest.raises(pb.Error, check=refusal("two-pay-tables")):
        game.par("aces-up", paytable="SCP-02", paytables="SCP-02")


def test_stakes_and_lines_of_a_caller_are_refused_in_words_of_python() -> None:
    game: Any = pb.game("six-card")
    for stake in (-1, Fraction(-1, 2), "-1", "1e3", ""):
        with pytest.raises(pb.Error, match="write Antes as", check=refusal("invalid-stake", bet="aces-up")):
            game.par("main", stakes={"aces-up": stake})
    with pytest.raises(pb.Error, check=refusal("unknown-line", name="flsh", closest="flush")):
        game.edit_paytable(game.paytables("aces-up")[0], {"flsh": 9})
