"""``pitboss play`` through a pipe and in a terminal, and ``pitboss replay`` of what it records."""

import contextlib
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from cli.conftest import Invoke, Result
from conformance.drawing import each_game
from pitboss.contract import Game
from pitboss.games import load_games
from pitboss.table.round.history_schema import build_history_schema
from waiting import PATIENT_SECONDS

Play = Callable[..., Result]

ROYAL = """\
variant = "six-card"
antes = [1000]
actions = [
  "d dh p1 AsKsQsJsTs2d",
  "d dh dealer AhKc9d7c5h3s",
  "p1 play",
]
"""


@pytest.fixture
def play(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Play with these lines typed; rounds are recorded in ``tmp_path``."""

    def played(typed: str, *arguments: object) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return invoke("play", *arguments, "--record", tmp_path)

    return played


def recorded(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


@each_game
def test_a_round_of_every_game_ends_through_a_pipe_and_replays(
    game: Game, play: Play, invoke: Invoke, tmp_path: Path
) -> None:
    stakes = [f"--wager={wager.id}={wager.limits.minimum_cents // 100}" for wager in game.wagers if wager.mandatory]
    status, out, err = play("", game.id, "--rounds", 1, "--seed", 11, *stakes)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("Bankroll $")
    (path,) = recorded(tmp_path)
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), build_history_schema())
    status, again, err = invoke("replay", path)
    assert (status, err) == (0, "")
    assert "Settled again to the same cent." in again


def test_a_closed_standard_input_ends_as_any_input_does(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    status, out, err = invoke("play", "six-card", "--record", tmp_path)
    assert (status, err) == (0, "")
    assert out.endswith("after 0 rounds.\n")


def test_a_folder_that_cannot_hold_records_is_refused_before_a_card_is_dealt(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    status, out, err = invoke("play", "six-card", "--wager", "main=10", "--record", tmp_path / "file" / "rounds")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cannot record rounds in " in err
    assert "--record" in err


def test_stakes_are_asked_for_and_enter_stakes_as_before(play: Play) -> None:
    out = play("10\n5\n\n1\nplay\n\n\n\n\nf\nq\n", "six-card", "--seed", 4).out
    assert "Ante [$5.00] 10" in out
    assert "Bad Beat [none]" in out
    assert "Ante [$10.00]" in out
    assert "Aces Up [$5.00]" in out
    assert "Progressive [$1.00]" in out
    assert "after 2 rounds." in out


def test_a_tables_limits_go_into_the_record_and_replay(play: Play, invoke: Invoke, tmp_path: Path) -> None:
    play("play\n", "six-card", "--rounds", 1, "--seed", 4, "--limit", "main=100-2000", "--wager", "main=1000")
    (path,) = recorded(tmp_path)
    assert tomllib.loads(path.read_text(encoding="utf-8"))["_limits"] == {
        "main": {"minimum_cents": 10_000, "maximum_cents": 200_000}
    }
    assert "Settled again to the same cent." in invoke("replay", path).out


def test_a_raise_that_the_bankroll_cannot_pay_is_refused(play: Play) -> None:
    out = play("play\nfold\n", "wild-52", "--rounds", 1, "--bankroll", 10, "--wager", "main=10", "--seed", 3).out
    assert "play costs $20.00 more, but only $0.00 is left" in out
    assert "Bankroll $0.00 after 1 round." in out


def test_what_a_round_has_paid_already_may_be_staked_again(play: Play) -> None:
    wagers = ["--wager", "main=10", "--wager", "super=10"]
    out = play("play\ntake\n", "lunar", "--rounds", 1, "--bankroll", 20, "--seed", 5, *wagers).out
    assert "Super" in out
    assert "more, and" not in out
    assert "Bet" in out.rsplit("Circle", maxsplit=1)[-1]


def test_a_wrong_answer_is_asked_again(play: Play) -> None:
    out = play("3\nten\n0\n10\n0\n0\n0\nraise\n\nplay\n", "six-card", "--rounds", 1, "--seed", 4).out
    assert "Ante of $3 is not allowed: stake $5 to $400 in steps of $1" in out
    assert "'ten' is not an amount" in out
    assert "Ante and Play is mandatory: at least $5.00" in out
    assert "'raise' is not an action here: type fold or play" in out
    assert "Play" in out.rsplit("Circle", maxsplit=1)[-1]


def test_stakes_that_do_not_fit_together_are_asked_for_again(play: Play) -> None:
    out = play("10\n20\n5\n\n7\ncheck\nfold\n", "shifting-wilds", "--rounds", 1, "--seed", 1).out
    assert "seat 1: Regular Bonus is $20: it must be at most the Ante ($10)" in out
    assert out.count("Ante and Blind [") == out.count("Bad Beat [") == out.count("Blackjack Bonus [") == 1
    assert out.count("Regular Bonus [") == 2
    assert "after 1 round." in out


def test_a_discard_names_its_card_and_only_one_of_ones_own(play: Play) -> None:
    typed = "discard\ndiscard 2x\ndiscard 2h\ndiscard 9d\n"
    out = play(typed, "wild-six-card", "--rounds", 1, "--seed", 3, "--wager", "main=10").out
    assert "discard takes 1 of your cards: name 1 of 9d 6h 6c 5s 5d" in out
    assert "'2x' is not a card" in out
    assert "discard takes 1 of your cards: name 1 of 9d 6h 6c 5s 5d, not 2h" in out
    assert "Discarded   9d" in out


def test_input_that_ends_within_a_round_lets_it_time_out(play: Play, tmp_path: Path) -> None:
    status, out, _ = play("", "six-card", "--seed", 4, "--wager", "main=10")
    assert status == 0
    assert "The input has ended: the remaining decisions time out." in out
    assert "folded" in out
    assert "Bankroll $990.00 after 1 round." in out
    assert len(recorded(tmp_path)) == 1


def test_leaving_before_a_stake_plays_nothing(play: Play, tmp_path: Path) -> None:
    out = play("q\n", "lunar").out
    assert "after 0 rounds." in out
    assert recorded(tmp_path) == []


def test_several_seats_are_asked_one_after_another(play: Play) -> None:
    wagers = ["--wager", "main=10", "--wager", "super=10"]
    out = play("fold\nplay\nfold\n", "lunar", "--seats", 3, "--rounds", 1, "--seed", 2, *wagers).out
    assert out.index("Seat 1: ") < out.index("Seat 2: ") < out.index("Seat 3: ")


def test_a_wager_on_another_seat_is_asked_for_by_seat(play: Play) -> None:
    out = play("10\n10\n5\n0\nq\n", "lunar", "--seats", 2).out
    assert "Seat 1: Multi Super on seat 2 [none] 5" in out


def test_a_seed_deals_the_same_round_again_and_says_what_it_is_for(play: Play, tmp_path: Path) -> None:
    for _ in range(2):
        out = play("play\n", "six-card", "--rounds", 1, "--seed", 7, "--wager", "main=10").out
        assert "not for real play" in out
    first, second = (path.read_text(encoding="utf-8") for path in recorded(tmp_path))
    assert first == second
    assert "_seed = 7" in first


def test_without_a_seed_no_round_is_like_another(play: Play, tmp_path: Path) -> None:
    for _ in range(2):
        play("play\n", "six-card", "--rounds", 1, "--wager", "main=10")
    first, second = (path.read_text(encoding="utf-8") for path in recorded(tmp_path))
    assert first != second
    assert "_seed" not in first


def test_the_meter_goes_on_from_round_to_round(play: Play, tmp_path: Path) -> None:
    play("play\n\nplay\n", "six-card", "--rounds", 2, "--seed", 4, "--wager", "main=10", "--wager", "progressive=1")
    meters = [tomllib.loads(path.read_text(encoding="utf-8"))["_meter"] for path in recorded(tmp_path)]
    assert meters == [
        {"meter_units": 10_000_000_000},
        {"meter_units": 10_000_140_000, "reserve_units": 20_000},
    ]


def test_lunar_takes_its_two_decks_in_turn(play: Play, tmp_path: Path) -> None:
    wagers = ["--wager", "main=10", "--wager", "super=10"]
    play("fold\n\nfold\n\nfold\n", "lunar", "--rounds", 3, "--seed", 2, *wagers)
    decks = [tomllib.loads(path.read_text(encoding="utf-8"))["_deck"] for path in recorded(tmp_path)]
    assert decks[0] == decks[2] != decks[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["poker"], "unknown game 'poker'"),
        (["six-card", "--wager", "main"], "'main' is not a wager: write BET=DOLLARS"),
        (["six-card", "--wager", "main=3"], "Ante of $3 is not allowed"),
        (["six-card", "--wager", "mian=5"], "unknown bet 'mian'"),
        (["six-card", "--wager", "main=5", "--wager", "main=10"], "already has Ante and Play"),
        (["six-card", "--wager", "aces-up=5"], "has no Ante and Play: it is mandatory"),
        (["six-card", "--wager", "main=5.5"], "in steps of $1"),
        (["six-card", "--wager", "main=400", "--bankroll", "300"], "are more than the bankroll of $300.00"),
        (["six-card", "--limit", "main=10"], "'main=10' is not a limit: write BET=LOW-HIGH"),
        (["six-card", "--seats", "7"], "the number of seats is 7: give a whole number from 1 to 6"),
        (["six-card", "--bankroll", "much"], "--bankroll 'much' is not an amount"),
        (["six-card", "--preset", "nevada"], "unknown preset 'nevada'"),
        (["six-card", "--option", "award_order=first"], "option award_order has no value 'first'"),
        (["six-card", "--paytable", "SCP-09"], "unknown pay table 'SCP-09'"),
        (["six-card", "--seed", "-1"], "--seed: "),
        (["six-card", "--rounds", "-1"], "--rounds: "),
        (["wild-52", "--preset", "washington", "--wager", "main=300"], "stake $5 to $200"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    arguments: list[str], says: str, play: Play, tmp_path: Path
) -> None:
    status, _, err = play("", *arguments)
    assert (status, err.count("\n")) == (2, 1)
    assert says in err
    assert recorded(tmp_path) == []


def test_a_round_written_by_hand_is_worked_out(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "royal.toml"
    path.write_text(ROYAL, encoding="utf-8")
    assert "No settlements to compare." in invoke("replay", path).out
    filled = invoke("replay", path, "--toml").out
    assert 'outcome = "play-win-qualified"' in filled
    path.write_text(filled, encoding="utf-8")
    assert "Settled again to the same cent." in invoke("replay", path).out
    told = json.loads(invoke("replay", path, "--json").out)
    assert told["nets_cents"] == [2000]
    assert told["settlements"][0]["circles"][0] == {
        "circle": "ante",
        "stake_cents": 1000,
        "result": "win",
        "net_cents": 1000,
        "reason": "royal flush beats the dealer's ace-king high",
    }


def test_a_round_of_several_seats_and_draws_is_told(game_round: Path, invoke: Invoke) -> None:
    out = invoke("replay", game_round).out
    assert "exchange" in out
    assert "Seat 2" in out


@pytest.fixture
def game_round(play: Play, tmp_path: Path) -> Path:
    """Record a round of Lunar in which the second seat exchanges two cards."""
    wagers = ["--wager", "main=10", "--wager", "super=10"]
    asked = play("fold\n", "lunar", "--seats", 2, "--rounds", 1, "--seed", 2, *wagers).out
    hand = asked.rsplit("  Seat 2", maxsplit=1)[-1].split()[:2]
    for path in recorded(tmp_path):
        path.unlink()
    play(f"fold\nexchange-2 {' '.join(hand)}\nplay\ntake\n", "lunar", "--seats", 2, "--rounds", 1, "--seed", 2, *wagers)
    return recorded(tmp_path)[0]


@pytest.mark.parametrize(
    ("changed", "to", "says"),
    [
        ("p1 play", "p1 raise", "'p1 raise': not a legal action here: write fold, play"),
        ("p1 play", "p2 play", "it is seat 1's turn"),
        ("2d", "Ts", "Ts"),
        ("2d", "Jk", "Jk is not in this deck of 52"),
        ("six-card", "seven-card", "unknown game 'seven-card'"),
        ("antes = [1000]", "antes = [150]", "is not allowed"),
        ("antes = [1000]", "", "antes is missing"),
        ("variant", "_colour = 1\nvariant", "_colour is not known here"),
        ("antes", "antes ==", "is not valid TOML"),
        ("antes", '_deck = "green"\nantes', "_deck is 'green': the deck of six-card is left out: the game has one"),
    ],
)
def test_a_history_that_is_not_in_order_is_refused_in_a_line(
    changed: str, to: str, says: str, invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "round.toml"
    path.write_text(ROYAL.replace(changed, to, 1), encoding="utf-8")
    status, out, err = invoke("replay", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_a_wrong_settlement_is_found(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    settled = '[[_settlements]]\nseat = 1\nbet = "main"\noutcome = "play-win-qualified"\nnet_cents = 2001\n'
    path.write_text(ROYAL + settled, encoding="utf-8")
    status, _, err = invoke("replay", path)
    assert status == 2
    assert "the rules give play-win-qualified, net 2000 cents; the history has play-win-qualified, net 2001" in err


def test_a_missing_file_and_a_missing_argument_are_told(invoke: Invoke, tmp_path: Path) -> None:
    status, _, err = invoke("replay", tmp_path / "none.toml")
    assert (status, "No such file" in err) == (2, True)
    status, _, err = invoke("replay")
    assert (status, "replay needs a FILE" in err) == (2, True)


def test_a_file_without_end_is_not_read_for_ever(invoke: Invoke) -> None:
    status, _, err = invoke("replay", "/dev/zero")
    assert (status, "it has more than 1,000,000 bytes" in err) == (2, True)


def test_the_schema_is_printed(invoke: Invoke) -> None:
    assert json.loads(invoke("replay", "--schema").out) == build_history_schema()


@pytest.mark.parametrize("interrupts", ["default", "ignored"])
def test_a_terminal_gets_coloured_suits_and_ctrl_c_leaves_with_130(tmp_path: Path, interrupts: str) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pitboss", "play", "six-card", "--seed", "4", "--wager", "main=10"]
    if interrupts == "ignored":  # as a shell without job control starts a job in the background
        command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(
        [*command, "--record", str(tmp_path)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as playing:
        os.close(theirs)
        try:
            seen = b""
            while b"[fold, play]" not in seen:
                ready, _, _ = select.select([ours], [], [], PATIENT_SECONDS)
                assert ready, seen
                seen += os.read(ours, 4096)
            assert b"\x1b[1;31m" in seen
            for _ in range(12):  # Python may miss one that comes just before it reads: a person would press again
                playing.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    assert playing.wait(5) == 130
                    break
            assert playing.returncode == 130
        finally:
            playing.kill()
            os.close(ours)


def test_envy_and_a_renewed_stub_are_told_when_a_round_is_replayed(invoke: Invoke) -> None:
    rounds = {game.id: game.folder / "rounds" for game in load_games().values()}
    envied = next(
        path for path in rounds["six-card"].glob("*.toml") if "envy-royal" in path.read_text(encoding="utf-8")
    )
    assert "Progressive envy" in invoke("replay", envied).out
    told = [invoke("replay", path).out for path in rounds["lunar"].glob("*.toml")]
    assert any("The stub has run out" in text for text in told)
