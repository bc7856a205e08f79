"""``pitboss hint``: for people a table, for programs one JSON object, and one line for what cannot be valued."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

import pitboss.analysis.hints
from cli.conftest import Invoke
from cli.fitting import check_fits
from conformance.drawing import each_game
from pitboss.cards import format_card
from pitboss.contract import Decision, Game
from pitboss.solver_api import ActionValue, Solver, SolverProblem

LUNAR = ("hint", "lunar", "--player", "As Ks Qd 7h 2c", "--dealer", "9d")


@pytest.fixture(autouse=True)
def _valued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every game value its actions by a sum of no meaning: nothing is compiled."""

    def solver(game: Game) -> Solver:
        def hint(
            _problem: SolverProblem, view: Any, asked: int, _progress: Callable[[int, int], None]
        ) -> tuple[ActionValue, ...]:
            held = [card for card in game.deck.cards if view.player >> card & 1]
            return tuple(
                ActionValue(action.id, sum(1 << card for card in cards), Fraction(sum(cards) - 7 * place, 8))
                for place, action in enumerate(game.decisions[asked].actions)
                for cards in combinations(held, action.discards)
            )

        return Solver(lambda *_: pytest.fail("nothing is solved"), hint)

    monkeypatch.setattr(pitboss.analysis.hints, "find_solver", solver)


def test_programs_get_every_action_and_choice_best_first(invoke: Invoke) -> None:
    status, out, err = invoke(*LUNAR, "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert (found["game"], found["decision"]) == ("lunar", "fold-play-or-draw")
    assert found["seen"] == {"player": "As Ks Qd 7h 2c", "dealer": "9d"}
    values = [each["expected_value"] for each in found["actions"]]
    assert values == sorted(values, reverse=True)
    assert found["actions"][0] == {
        "action": "exchange-5",
        "expected_value": (11 + 12 + 18 + 36 + 39 - 42) / 8,
        "expected_value_exact": "37/4",
        "cards": ["As", "Ks", "Qd", "7h", "2c"],
    }
    assert (found["best"], found["best_cards"]) == ("exchange-5", ["As", "Ks", "Qd", "7h", "2c"])
    assert sum(each["action"] == "exchange-2" for each in found["actions"]) == 10
    assert all(("cards" in each) == each["action"].startswith("exchange") for each in found["actions"])


def test_people_get_the_best_few_choices_of_each_action(invoke: Invoke) -> None:
    status, out, err = invoke(*LUNAR)
    assert (status, err) == (0, "")
    assert "Lunar Poker: Fold, play for two more Antes, or draw for one" in out
    assert sum(line.split()[:1] == ["exchange-2"] for line in out.splitlines()) == 3
    assert "2 more choices of exchange-4, 7 of exchange-3 and 7 of exchange-2 are not shown (--all shows them)" in out
    best = next(line for line in out.splitlines() if "best" in line.split())
    assert best.split()[0] == "exchange-5"
    everything = invoke(*LUNAR, "--all").out
    assert sum(line.split()[:1] == ["exchange-2"] for line in everything.splitlines()) == 10
    assert "Not shown" not in everything


def test_it_fits_any_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "exchange-5" in check_fits(invoke, monkeypatch, *LUNAR, "--all")


def test_what_an_action_costs_stands_beside_it(invoke: Invoke) -> None:
    out = invoke("hint", "six-card", "--player", "As Ks Qd 7h 2c 2d", "--dealer", "9d 8d 7d").out
    rows = [line.split() for line in out.splitlines() if "000" in line]
    assert rows == [["fold", "+0.000000", "best"], ["play", "-0.875000", "0.875000"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "As Ks Qs Js Ts", "--dealer", "9d"], "nothing is left to decide with these cards: Ante and Bet"),
        (
            ["--player", "As Ks Qd 7h", "--dealer", "9d"],
            "at the decision fold-play-or-draw, --player needs 5 cards, not 4",
        ),
        (["--player", "As Ks Qd 7h As", "--dealer", "9d"], "As appears twice"),
        (["--player", "As Ks Qd 7h Jk", "--dealer", "9d"], "Jk is not in this deck of 52: it has no Joker"),
        (["--player", "As Ks Qd 7h 2c", "--dealer", "9d", "--with", "super=1"], "super does not depend on your play"),
        (["--player", "As Ks Qd 7h 2c", "--dealer", "9d", "--with", "supper=1"], "unknown side wager 'supper'"),
        (["--dealer", "9d"], "Missing option '--player'"),
    ],
)
def test_what_cannot_be_valued_is_said_in_one_line(arguments: list[str], said: str, invoke: Invoke) -> None:
    status, out, err = invoke("hint", "lunar", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("pitboss: ")
    assert said in err
    assert err.count("\n") == 1


def test_capital_and_small_letters_are_alike(invoke: Invoke) -> None:
    cards = ("--player", "As Kd Qc Jh 9s 2d", "--dealer", "9d 8d 7d")
    small = [word.lower() if not word.startswith("--") else word for word in cards]
    assert invoke("hint", "six-card", *small) == invoke("hint", "six-card", *cards)


def test_commas_may_be_between_cards_and_a_wrong_one_is_still_one_line(invoke: Invoke) -> None:
    cards = ("--player", "As Kd Qc Jh 9s 2d", "--dealer", "9d 8d 7d")
    typed = ("--player", "As, Kd,Qc; Jh;9s 2d,", "--dealer", "9d,8d,7d")
    assert invoke("hint", "six-card", *typed) == invoke("hint", "six-card", *cards)
    status, _, err = invoke("hint", "six-card", "--player", "As, Kx", "--dealer", "9d 8d 7d")
    assert (status, err.count("\n")) == (2, 1)
    assert "'Kx' is not a card" in err


@each_game
def test_a_card_too_many_is_told_at_the_nearest_decision(game: Game, invoke: Invoke) -> None:
    """Of every decision the cards are given, and one more of a name that can hold no more there."""
    names = [format_card(code, game.deck) for code in game.deck.cards]
    for decision in game.decisions:
        most = Counter[str]()
        for seen in decision.view_fields:
            most[seen.group or seen.field] += seen.max_cards
        for name in most.keys() & {"community", "indicators"}:
            left = iter(names)
            given = {each: [next(left) for _ in range(count + (each == name))] for each, count in most.items()}
            higher = [each for each in game.decisions if each is not decision and _holds(each, name, len(given[name]))]
            if not higher:
                words = [word for each, cards in given.items() for word in (f"--{each}", " ".join(cards))]
                status, _, err = invoke("hint", game.id, *words)
                right = f"{most[name]} card{'s' * (most[name] > 1)}"
                assert (status, err) == (
                    2,
                    f"pitboss: at the decision {decision.id}, --{name} needs {right}, not {most[name] + 1}\n",
                )


def _holds(decision: Decision, name: str, count: int) -> bool:
    return sum(seen.max_cards for seen in decision.view_fields if (seen.group or seen.field) == name) >= count


def test_two_community_cards_of_wild_52_are_told_of_the_decision_that_sees_one(invoke: Invoke) -> None:
    err = invoke("hint", "wild-52", "--player", "Ks Kd 8h 5c Jk", "--community", "2h 3h").err
    assert err == "pitboss: at the decision check-or-play, --community needs 1 card, not 2\n"


def test_side_wagers_that_play_can_change_are_valued_with_it(invoke: Invoke) -> None:
    cards = ("--player", "As 9d 9h 4c", "--community", "9s 2d", "--indicators", "4h 9c")
    status, out, _ = invoke("hint", "shifting-wilds", *cards, "--with", "bad-beat=1", "--json")
    assert (status, json.loads(out)["stakes"]) == (0, {"bad-beat": 1})
