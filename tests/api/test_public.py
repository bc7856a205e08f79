"""`import pitboss`: the same figures as the commands print, in every game, and one line for whatever is wrong."""

import ast
import io
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pitboss as pb
from cli.conftest import Invoke
from conformance.drawing import each_game
from oddities import NOT_TEXT, ODD_TEXT, WRONG_KINDS
from pitboss.cards import DECK_52, DECK_54, format_cards, make_mask, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.games import load_game, load_games
from pitboss.hands import ROYAL_FIRST, evaluate_strength, load_hand_tables
from pitboss.solver_api import load_solver
from pitboss.table.round.history import parse_history
from refusals import refusal
from tiers import keep_named

HERE = Path(__file__).parent
SOURCES = Path(pb.__file__).parents[1]
BLACKJACK = "blackjack-bonus"


def run_alone(code: str) -> list[str]:
    """Run code in a process of its own, and return which of the heavy modules it has loaded."""
    heavy = "print(*(name for name in ('numba', 'numpy', 'pydantic', 'rich', 'typer') if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; {heavy}"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


# What is there.


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(getattr(pb, name) is not None for name in pb.__all__)
    assert set(pb.__all__) <= set(dir(pb))
    assert pb.Error is not None
    for name in ("nothing", "PitbossError"):
        with pytest.raises(AttributeError):
            getattr(pb, name)


def test_a_type_checker_sees_the_same_names() -> None:
    tree = ast.parse(Path(pb.__file__).read_text(encoding="utf-8"))
    (typed,) = [each for each in tree.body if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING"]
    names = [name.asname or name.name for each in typed.body if isinstance(each, ast.ImportFrom) for name in each.names]
    assert sorted([*names, "__version__"]) == pb.__all__
    assert (Path(pb.__file__).parent / "py.typed").is_file()


def test_every_public_name_is_described_with_an_example_that_runs() -> None:
    page = (HERE.parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. (?:autoclass|autodata|autofunction|py:exception):: (\w+)$", page, re.MULTILINE)
    assert sorted([*named, "__version__"]) == pb.__all__
    own = [getattr(pb, name) for name in named if name != "Error"]
    described = [each for each in own if each.__module__.startswith("pitboss.api.")]
    assert [each.__name__ for each in described if ">>> " not in (each.__doc__ or "")] == []
    methods = [
        member for each in described for name, member in vars(each).items() if callable(member) and name[0] != "_"
    ]
    assert [each.__qualname__ for each in methods if not each.__doc__] == []


@pytest.mark.more
def test_nothing_is_loaded_before_it_is_needed() -> None:
    assert run_alone("import pitboss") == []
    assert run_alone("import pitboss as pb; pb.evaluate('As Kd Qh Jc Ts')") == ["numpy"]
    assert "numba" not in run_alone("import pitboss as pb; pb.game('lunar').round(seed=1).act('fold')")


@each_game
def test_a_game_says_what_it_has(game: Game) -> None:
    shown = pb.all_games()[game.id]
    assert shown == pb.game(game.id)
    assert (shown.id, shown.name, shown.summary, shown.seats) == (game.id, game.name, game.summary, game.seats)
    assert shown.bets == tuple(wager.id for wager in game.wagers)
    assert {table.kind for table in shown.paytables()} >= {kind for each in game.wagers for kind in each.paytable_kinds}
    for bet in shown.bets:
        assert all(table in shown.paytables() for table in shown.paytables(bet))


# Hands.


@pytest.mark.compiled
@pytest.mark.parametrize("order", ["royal-first", "five-first"])
@pytest.mark.parametrize("any_card_flush", [False, True])
def test_a_hand_and_an_array_of_hands_have_one_strength(order: Any, any_card_flush: Any) -> None:
    bits = seeded_bits(1)
    hands = [shuffle_cards(DECK_54.cards, bits)[:7] for _ in range(500)]
    strengths = pb.evaluate_many(np.array(hands), order=order, any_card_flush=any_card_flush)
    assert strengths.dtype == np.int32
    texts = [format_cards(hand, DECK_54) for hand in hands]
    assert [pb.evaluate(each, order=order, any_card_flush=any_card_flush).strength for each in texts] == [*strengths]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_hand_has_one_strength_however_it_is_written(size: int) -> None:
    bits = seeded_bits(size)
    for _ in range(300):
        hand = shuffle_cards(DECK_52.cards, bits)[:size]
        strength = evaluate_strength(load_hand_tables(), make_mask(hand), 0, ROYAL_FIRST)
        text = format_cards(hand, DECK_52)
        spellings = [text, text.lower(), text.upper(), text.swapcase(), f"  {text.title()}\n".replace(" ", "\t")]
        spellings += [text.replace(" ", each) for each in (", ", ",", "; ", ";")]
        assert {pb.evaluate(each).strength for each in spellings} == {strength}


def test_hands_compare_as_they_do_at_the_table() -> None:
    kings, same, aces = (pb.evaluate(cards) for cards in ("Ks Kd 7h 4c 2s", "Kh Kc 7s 4d 2h", "As Ad 3h 4c 5s"))
    assert kings == same
    assert kings < aces
    assert max(kings, aces, same).name == "pair of aces"


def test_ranks_and_jokers_are_wild() -> None:
    assert pb.evaluate("As Ks Qs Js Jk").category == "royal-flush"
    assert pb.evaluate("As Ad Jk1 Jk2 9c 4h").category == "four-of-a-kind"
    assert pb.evaluate("2s 2d Ah Ac 9s 9h", wild="deuces").name == "four of a kind, aces"


# Figures.


@each_game
def test_each_sheet_is_that_of_the_command(game: Game, invoke: Invoke) -> None:
    shown = pb.game(game.id)
    for bet in (*shown.bets, *shown.main_parts):
        status, out, err = invoke("par", game.id, "--bet", bet, "--json")
        if status:
            with pytest.raises(pb.Error) as error:
                shown.par(bet)
            assert err.strip().endswith(str(error.value))
            continue
        sheet = shown.par(bet)
        assert sheet.to_dict() == json.loads(out)
        assert sum(row.deals for row in sheet.rows) == sheet.deals
        assert -sum((row.net * row.deals for row in sheet.rows), Fraction(0)) / sheet.deals == sheet.house_edge
        assert sum(sheet.actions.values()) >= (1 if bet == "main" else 0)


def test_a_sheet_under_other_terms_is_that_of_the_command(invoke: Invoke) -> None:
    shown = pb.game("six-card")
    terms = ("--paytable", "BB-02", "--option", "dealer_qualifies=always", "--json")
    sheet = shown.par("bad-beat", paytables="BB-02", options={"dealer_qualifies": "always"})
    assert sheet.to_dict() == json.loads(invoke("par", "six-card", "--bet", "bad-beat", *terms).out)
    metered = shown.par("progressive", meter_cents=2_500_000)
    told = invoke("par", "six-card", "--bet", "progressive", "--meter", "25000", "--json").out
    assert metered.to_dict() == json.loads(told)


def test_a_table_of_ones_own_is_a_file_or_an_object_and_is_checked(tmp_path: Path) -> None:
    game = pb.game("six-card")
    printed = game.paytables("aces-up")[0]
    own = replace(printed, id="MINE", lines={**printed.lines, "flush": pb.LinePay(Fraction(9), pb.PayUnit.TO_ONE)})
    sheet = game.par("aces-up", paytables=own)
    assert game.par("aces-up").house_edge - sheet.house_edge == Fraction(205_792, 20_358_520)
    lines = "\n".join(f"{name} = {pay.amount}" for name, pay in own.lines.items())
    path = tmp_path / "mine.toml"
    path.write_text(f'[[paytable]]\nid = "MINE"\nbet = "aces-up"\nunit = "to_one"\n[paytable.lines]\n{lines}\n')
    assert game.par("aces-up", paytables=path).house_edge == sheet.house_edge
    assert game.par("aces-up", paytables=game.load_paytables(path)).house_edge == sheet.house_edge
    for wrong in (
        replace(own, lines={"flush": own.lines["flush"]}),
        replace(own, lines={**own.lines, "flush": pb.LinePay(Fraction(-1), pb.PayUnit.TO_ONE)}),
        replace(own, bet="bad-beat"),
        (own, own),
    ):
        with pytest.raises(pb.Error):
            game.par("aces-up", paytables=wrong)


def test_the_solution_is_the_sheet_of_main() -> None:
    seen = list[tuple[int, int]]()
    solved = pb.game("lunar").solve(progress=lambda done, total: seen.append((done, total)))
    assert solved.to_dict() == pb.game("lunar").par("main").to_dict()
    assert solved.deals == 6_273_927_694_914_031_152_000
    assert f"{float(solved.house_edge):.4%}" == "0.6163%"


def test_a_sheet_is_a_table_in_a_notebook_and_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = pb.game("shifting-wilds").par(BLACKJACK)
    page = sheet._repr_html_()
    assert page.count("<tr>") == 2 + len(sheet.rows) + page.count("House edge") + 4
    assert "18,344" in page
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pb.Error, check=refusal("not-installed")):
        sheet.to_frame()
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    assert [row["deals"] for row in sheet.to_frame()] == [row.deals for row in sheet.rows]


@pytest.mark.more
@pytest.mark.compiled
@each_game
def test_each_hint_is_that_of_the_command(game: Game, invoke: Invoke) -> None:
    if not game.solver or load_solver(game).hint is None:
        pytest.skip("no hints")
    asked = next(
        asked for seed in range(50) if (asked := pb.game(game.id).round(seed=seed).decision) and len(asked.legal) > 1
    )
    words = [word for name, text in asked.cards.items() for word in (f"--{name}", text)]
    told = json.loads(invoke("hint", game.id, *words, "--json").out)
    ranked = pb.game(game.id).hint(asked.cards, decision=asked.id)
    assert [each.action for each in ranked] == [each["action"] for each in told["actions"]]
    assert [f"{each.value.numerator}/{each.value.denominator}" for each in ranked] == [
        each["expected_value_exact"] for each in told["actions"]
    ]
    assert [list(each.cards) for each in ranked] == [each.get("cards", []) for each in told["actions"]]
    assert [each.cost for each in ranked] == [ranked[0].value - each.value for each in ranked]
    assert {(each.action, *sorted(each.cards)) for each in ranked} == {
        (each.action, *sorted(each.cards)) for each in asked.legal
    }


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("name", keep_named(load_games(), "six-card", "shifting-wilds"))
def test_each_simulation_is_that_of_the_command(name: str, invoke: Invoke) -> None:
    game = load_game(name)
    result = pb.game(game.id).simulate(200, seats=2, seed=7)
    told = json.loads(invoke("simulate", game.id, "--rounds", 200, "--seats", 2, "--seed", 7, "--json").out)
    assert told.pop("rounds_per_second") >= 0
    assert result.to_dict() == told
    assert (result.rounds, result.seed, result.strategy) == (200, 7, told["strategy"])
    assert (result.seats, result.against) == (2, None)
    for bet, outcomes in result.counts.items():
        assert outcomes == told["bets"][bet]["outcomes"]
        assert float(result.mean(bet)) == told["bets"][bet]["mean"]
        assert result.standard_error(bet) == told["bets"][bet]["standard_error"]
    assert float(result.mean()) == told["round"]["mean"]


@pytest.mark.compiled
def test_a_seed_is_drawn_and_said_where_none_is_given() -> None:
    game = pb.game("six-card")
    drawn = game.simulate(100, "practical", stakes={"main": 1})
    assert game.simulate(100, "practical", stakes={"main": 1}, seed=drawn.seed).counts == drawn.counts


# Rounds.


@each_game
def test_a_round_is_played_by_its_legal_choices_to_the_end(game: Game) -> None:
    for seed in range(4):
        table, asked_of = pb.game(game.id).round(seats=2, seed=seed), list[int]()
        while asked := table.decision:
            asked_of.append(asked.seat)
            assert len(set(asked.legal)) == len(asked.legal)
            table.act(asked.legal[seed * 7 % len(asked.legal)])
        assert set(asked_of) <= {0, 1}
        for seat, net in enumerate(table.nets_cents):
            assert net == sum(each.net_cents for each in table.results if each.seat == seat)
        assert all(each.reason and each.result in {"win", "push", "lose"} for each in table.results)
        assert table.open_cards
        with pytest.raises(pb.Error, check=refusal("round-over")):
            table.act("fold")


def test_a_seed_deals_the_round_of_the_command(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("play\n"))
    wagers = ("--wager", "main=10", "--wager", "aces-up=5")
    assert invoke("play", "six-card", "--rounds", 1, *wagers, "--seed", 4, "--record", tmp_path).status == 0
    (path,) = tmp_path.iterdir()
    settled = parse_history(path.read_text(encoding="utf-8")).settlements
    table = pb.game("six-card").round(wagers={"main": 10, "aces-up": 5}, seed=4)
    table.act("play")
    nets = {bet: sum(each.net_cents for each in table.results if each.bet == bet) for bet in ("main", "aces-up")}
    assert {each.bet: each.net_cents for each in settled} == nets


def test_a_deck_is_dealt_from_its_top_and_a_wager_may_lie_on_another_hand() -> None:
    table = pb.game("lunar").round(
        wagers=[{"main": 10, "super": 10}, {"main": 20, "super": 20, "multi-super": {0: 5}}], deck="As Ks Qs Js 9s"
    )
    asked = table.decision
    assert asked
    assert (asked.seat, asked.cards["player"]) == (0, "As Ks Qs Js 9s")
    while asked := table.decision:
        table.act("play" if asked.id == "fold-play-or-draw" else asked.legal[-1])
    (on_another,) = [each for each in table.results if each.bet == "multi-super"]
    assert (on_another.seat, on_another.on, on_another.result) == (1, 0, "win")


def test_a_choice_that_a_hint_returns_can_be_taken() -> None:
    table = pb.game("lunar").round(deck="As Ks Qd 7h 2c", seed=1)
    table.act(pb.ValuedChoice("exchange-2", ("7h", "2c"), Fraction(0), Fraction(0)))
    asked = table.decision
    assert asked
    assert asked.cards["discarded"] == "7h 2c"


# What cannot be changed, and what is refused.


def test_what_is_returned_cannot_be_changed() -> None:
    game, table = pb.game("six-card"), pb.game("six-card").round(seed=4)
    sheet, asked, hand = game.par("aces-up"), table.decision, pb.evaluate("As Kd Qh Jc Ts")
    table.act("fold")
    for thing, name in (
        *((game, "id"), (game, "_game"), (sheet, "house_edge"), (sheet, "_sheet"), (sheet.rows[0], "net")),
        *((asked, "seat"), (table.results[0], "net_cents"), (hand, "strength"), (game.options[0], "default")),
    ):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(thing, name, 1)
    mappings: list[Any] = [sheet.options, sheet.figures, sheet.actions, table.open_cards, asked and asked.cards]
    for mapping in mappings:
        with pytest.raises(TypeError):
            mapping["x"] = 1


GAME = pb.game("six-card")
ANYTHING: Any = GAME
"""The same where a test passes what a type checker refuses."""

Door = Callable[[Any], Any]
TEXTS: dict[str, Door] = {
    "game": pb.game,
    "evaluate": pb.evaluate,
    "order": lambda value: pb.evaluate("As Kd Qh Jc Ts", order=value),
    "bet": GAME.par,
    "paytable": lambda value: GAME.par("aces-up", paytables=[value]),
    "option": lambda value: GAME.par("aces-up", options={"dealer_qualifies": value}),
    "cards": lambda value: GAME.hint(player=value),
    "decision": lambda value: GAME.hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h", decision=value or ""),
    "action": lambda value: GAME.round(seed=1).act(value),
    "given up": lambda value: GAME.round(seed=1).act("discard", value),
}
NUMBERS: dict[str, Door] = {
    "meter": lambda value: GAME.par("progressive", meter_cents=-1 if value is None else value),
    "stake": lambda value: GAME.hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h", stakes={"main": value}),
    "workers": lambda value: GAME.solve(workers=value),
    "rounds": GAME.simulate,
    "seats": lambda value: GAME.simulate(10, seats=value),
    "round": lambda value: GAME.round(-1 if value is None else value),
    "wager": lambda value: GAME.round(wagers={"main": value}),
    "another seat": lambda value: pb.game("lunar").round(2, [{"main": 10, "super": 10, "multi-super": {value: 5}}, {}]),
}


def is_hashable(value: object) -> bool:
    return getattr(type(value), "__hash__", None) is not None


@pytest.mark.parametrize("door", TEXTS.values(), ids=TEXTS)
def test_what_is_no_text_or_an_odd_one_is_refused_in_a_line(door: Door) -> None:
    for value in (*NOT_TEXT, *ODD_TEXT):
        with pytest.raises(pb.Error) as error:
            door(value)
        assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("door", NUMBERS.values(), ids=NUMBERS)
def test_a_number_of_a_wrong_kind_or_size_is_refused_in_a_line(door: Door) -> None:
    for value in (*filter(is_hashable, WRONG_KINDS), -1, -(10**30), 10**30):
        with pytest.raises(pb.Error) as error:
            door(value)
        assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("door", "line"),
    [
        (lambda: pb.evaluate("As Kd Qh"), "a hand of 3 cards, 0 of them wild: give 5 to 7 cards, at most 3 wild"),
        (lambda: pb.evaluate("As Kd Qh Jc Tz"), "'Tz' is not a card"),
        (lambda: pb.evaluate("As Kd Qh Jc aS"), "As appears twice"),
        (lambda: pb.evaluate("2s 2s 3s 4s 5s 6s"), "2s appears twice"),
        (lambda: pb.evaluate("2s 2d 2h 2c Ts", wild="deuces"), "4 of them wild"),
        (lambda: pb.evaluate("As Kd Qh Jc Ts", wild="duces"), "did you mean 'deuces'?"),
        (lambda: ANYTHING.round(wagers={"main": 10.0}), "in dollars, is 10.0: give a whole number from 1 to "),
        (lambda: GAME.round(3, wagers=[{"main": 10}]), "wagers of 1 seats, and seats is 3"),
        (lambda: GAME.par("aces-up", meter_cents=100), "meter is for a progressive wager"),
        (lambda: ANYTHING.par("main", stakes={"aces-up": 0.5}), "is 0.5: write Antes as 1, Fraction(1, 2) or '0.5'"),
        (
            lambda: GAME.hint(player="As Kd 9h 7c 4s", dealer="Qs Jd 3h"),
            "at the decision fold-or-play, player needs 6 cards, not 5",
        ),
        (lambda: GAME.hint(option="SCP-02"), "unknown parameter 'option': did you mean 'options'? known: "),
        (lambda: GAME.hint(hole="As"), "unknown parameter 'hole': known: player, dealer, decision, paytables, "),
        (lambda: GAME.hint({"hole": "As"}), "six-card shows no hole cards at a decision: give player, dealer"),
        (
            lambda: GAME.hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h", decision="draw"),
            "these cards belong to the decision fold-or-play, not to 'draw'",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_in_words_of_the_library(door: Callable[[], object], line: str) -> None:
    with pytest.raises(pb.Error) as error:
        door()
    assert line in str(error.value)
    assert "--" not in str(error.value)
    assert "code" in vars(error.value), "what is wrong is said to programs too, not only the kind of error"


@pytest.mark.compiled
@pytest.mark.parametrize(
    "hands", ["As Kd", None, [[1.5] * 5], [[0, 0, 1, 2, 3]], [[0, 1, 2]], [[0, 1], [0]], [[99] * 5]]
)
def test_an_array_without_hands_is_refused(hands: Any) -> None:
    with pytest.raises(pb.Error):
        pb.evaluate_many(hands)


@pytest.mark.compiled
def test_the_row_that_is_no_hand_is_named() -> None:
    for wrong in ([0, 0, 1, 2, 3], [0, 1, 2, 3, 54], [-1, 0, 1, 2, 3]):
        with pytest.raises(pb.Error, check=refusal("invalid-hands", row=1, cards=wrong)):
            pb.evaluate_many([[0, 1, 2, 3, 4], wrong, wrong])
    with pytest.raises(pb.Error, check=refusal("invalid-hands", shape=[5])):
        pb.evaluate_many([0, 1, 2, 3, 4])


# The user's side.


@pytest.mark.compiled
def test_the_script_of_a_user_runs() -> None:
    runpy.run_path(str(HERE / "user_script.py"), run_name="__main__")


@pytest.mark.long
def test_the_script_of_a_user_is_typed_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong_script.py"
    wrong.write_text(
        "import pitboss as pb\n"
        'pb.game("lunar").round(wagers={"main": 10.5})\n'
        'edge: float = pb.game("lunar").par().house_edge\n'
        "pb.nothing\n",
        encoding="utf-8",
    )
    checked = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", "--cache-dir=c"]
    environment = {**os.environ, "MYPYPATH": str(SOURCES)}
    for script, faults in ((HERE / "user_script.py", 0), (wrong, 3)):
        done = subprocess.run(
            [*checked, script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout.count(": error:") == faults, done.stdout + done.stderr
        assert done.returncode == bool(faults)
