"""What ``pitboss play`` proposes can be staked, and after a refusal it asks again only for what was wrong."""

import io
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cli.conftest import Invoke, Result
from conformance.drawing import each_game
from pitboss.cli.prompts import NoAnswerError
from pitboss.cli.stake_prompts import PreviousStakes, ask_stakes, compute_needed_cents, parse_wagers
from pitboss.cli.terminal_tables import make_console
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, WagerError
from pitboss.games import load_game
from pitboss.table.round import Round, open_round
from refusals import refusal

Asked = Callable[..., tuple[Round | None, list[str]]]
REFUSALS = (
    "it must be",
    "it may be placed",
    "is not allowed",
    "is mandatory",
    "is not an amount",
    "more than the bankroll",
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    """Ask for the stakes of a round with these lines typed; return it, None where they ran out, and what was said."""

    def staked(typed: list[str], now: Round, bankroll: int = 10**9, **before: int) -> tuple[Round | None, list[str]]:
        monkeypatch.setenv("COLUMNS", "200")  # no line is folded
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        usual: PreviousStakes = {(0, bet.replace("_", "-"), None): cents for bet, cents in before.items()}
        found = None
        with suppress(NoAnswerError):
            found = ask_stakes(make_console(), now, usual, bankroll)
        return found, capsys.readouterr().out.splitlines()

    return staked


def refusals(said: list[str]) -> list[str]:
    return [line for line in said if any(words in line for words in REFUSALS)]


@each_game
@pytest.mark.parametrize("ante", ["5", "20", "400"])
def test_what_is_proposed_can_be_staked(game: Game, ante: str, asked: Asked) -> None:
    now = open_round(game, 2)
    found, said = asked([ante, *[""] * 40], now)
    assert refusals(said) == []
    assert found is not None
    found.verify_wagers()


@each_game
def test_stakes_as_before_are_proposed_as_far_as_they_still_fit(game: Game, asked: Asked) -> None:
    side = {wager.id.replace("-", "_"): wager.limits.maximum_cents for wager in game.wagers if wager.hand_owner == 0}
    for ante in ("400", "7"):
        found, said = asked([ante, *[""] * 12], open_round(game), **side)
        assert refusals(said) == []
        assert found is not None
        found.verify_wagers()
        assert {stake.bet for stake in found.stakes} >= {wager.id for wager in game.wagers if wager.mandatory}


def test_super_is_proposed_at_the_ante_and_asked_again_alone(asked: Asked) -> None:
    found, said = asked(["20", "5", "", "0"], open_round(load_game("lunar")))
    assert refusals(said) == ["  seat 1: Super is $5: it must be at least the Ante ($20) (LU-1)"]
    assert [line.split(" [")[0] for line in said if "[" in line] == ["Ante", "Super", "Super", "Dealer Super"]
    assert "Super [$20.00] " in said
    assert found is not None
    assert (found.get_stake_cents(0, "main"), found.get_stake_cents(0, "super")) == (2_000, 2_000)


def test_a_wager_that_needs_another_is_asked_for_only_with_it(asked: Asked) -> None:
    now = open_round(load_game("wild-six-card"))
    for queens, wanted in (("0", False), ("5", True)):
        _, said = asked(["10", queens, "0", "0"], now)
        assert any("Taxpayer's Fortune" in line for line in said) is wanted
    off = open_round(load_game("wild-six-card"), options={"queens_or_better": "off"})
    found, said = asked(["10", "5"], off)
    assert found is not None
    assert not any("Taxpayer" in line or "Queens" in line for line in said)


def test_what_the_bankroll_must_still_cover_is_kept_back(asked: Asked) -> None:
    now = open_round(load_game("lunar"))
    found, said = asked(["30", "20", "21", "", "5", "0"], now, 4_000)
    assert refusals(said) == [
        "  stakes of $30.00, and $30.00 for mandatory wagers, are more than the bankroll of $40.00",
        "  stakes of $41.00 are more than the bankroll of $40.00",
        "  stakes of $45.00 are more than the bankroll of $40.00",
    ]
    assert found is not None
    assert found.sum_staked_cents(0) == 4_000
    with pytest.raises(WagerError, check=refusal("below-minimum", bankroll="$9.00", minimum="$10.00")):
        asked([], now, 900)


def test_an_ante_that_super_cannot_reach_is_refused_at_once(asked: Asked) -> None:
    now = open_round(load_game("lunar"), limits={"main": (500, 100_000)})
    found, said = asked(["500", "400", "", "0"], now)
    assert "  Ante is at most $400.00 here: Super is at least the Ante (LU-1)" in said
    assert found is not None
    assert found.get_stake_cents(0, "super") == 40_000


@each_game
def test_least_stakes_are_what_a_round_needs(game: Game, asked: Asked) -> None:
    now = open_round(game, 3)
    needed = compute_needed_cents(now)
    lowest = {wager.name: wager.limits.minimum_cents for wager in game.wagers if wager.mandatory}
    found, _ = asked([""] * 40, now, needed)
    assert lowest
    assert found is not None
    assert sum(found.sum_staked_cents(seat) for seat in range(3)) == needed


@pytest.mark.parametrize(
    ("word", "seats", "says"),
    [
        ("multi-super=5", 2, "multi-super must be on another seat's hand: name one, for example multi-super@2=5"),
        ("multi-super@3=5", 2, "there is no other seat '3': seats are 1 to 2"),
        ("multi-super@1=5", 1, "there is no other seat '1': give --seats 2 or more"),
        ("multi-super@²=5", 2, "there is no other seat '²'"),
        ("multi-super@=5", 2, "there is no other seat ''"),
        ("super@2=5", 2, "super cannot be on another seat's hand: write super=5"),
        ("super", 2, "'super' is not a wager: write BET=DOLLARS"),
        ("supper=5", 2, "unknown bet 'supper': did you mean 'super'?"),
        ("super=five", 2, "'five' is not an amount"),
        ("super=\u0665", 2, "'\u0665' is not an amount"),
    ],
)
def test_a_wager_that_cannot_be_read_is_refused_by_name(word: str, seats: int, says: str) -> None:
    with pytest.raises(PitbossError) as refused:
        parse_wagers(load_game("lunar"), [word], seats)
    assert says in str(refused.value)


def test_a_wager_on_another_seat_is_given_by_its_number(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    words = ["--wager=main=10", "--wager=super=10", "--wager=multi-super@2=5", "--wager=multi-super@p3=6"]
    played: Result = invoke("play", "lunar", "--seats", 3, *words, "--rounds", 1, "--seed", 3, "--record", tmp_path)
    assert (played.status, played.err) == (0, "")
    (path,) = tmp_path.glob("*.toml")
    wagers = tomllib.loads(path.read_text(encoding="utf-8"))["_wagers"]
    placed = {(each["seat"], each["on"]): each["cents"] for each in wagers if each["bet"] == "multi-super"}
    assert placed == {(1, 2): 500, (3, 2): 500, (1, 3): 600, (2, 3): 600}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lunar", "--wager=main=20", "--wager=super=5"], "Super is $5: it must be at least the Ante ($20) (LU-1)"),
        (["wild-six-card", "--wager=main=10", "--wager=taxpayers-fortune=1"], "only with Queens Or Better (W6-6)"),
        (
            ["wild-six-card", "--option=queens_or_better=off", "--wager=main=10", "--wager=taxpayers-fortune=1"],
            "Taxpayer's Fortune is off at this table: option queens_or_better=off",
        ),
        (["lunar", "--limit=main=500-1000"], "Super cannot be $400 at most: it must reach $500"),
        (["wild-52", "--preset=washington", "--wager=main=250"], "is not allowed under washington (WA-1): stake"),
    ],
)
def test_stakes_that_do_not_fit_are_refused_before_anything_is_said(
    words: list[str], says: str, invoke: Invoke
) -> None:
    status, out, err = invoke("play", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err
