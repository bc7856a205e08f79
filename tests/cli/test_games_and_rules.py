"""What there is, and how it is played: ``pitboss games`` and ``pitboss rules``."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import pitboss.cli.games
import pitboss.cli.rules
from cli.conftest import Invoke
from pitboss.games import load_game, load_games

BETS = {
    "wild-six-card": ["main", "queens-or-better", "taxpayers-fortune", "draw-bonus"],
    "shifting-wilds": ["main", "regular-bonus", "bad-beat", "blackjack-bonus"],
    "lunar": ["main", "super", "multi-super", "dealer-super"],
    "six-card": ["main", "aces-up", "bad-beat", "progressive"],
    "wild-52": ["main", "bonus", "joker"],
}
DEFAULTS = {
    "wild-six-card": "A1 T1 B2",
    "shifting-wilds": "BL-1 RB-1 BB-1 BJ-1",
    "lunar": "BET-1 IC-2 SUPER-1",
    "six-card": "SCP-01 BB-01 SIXCPP-01",
    "wild-52": "W52-1 J-1",
}


def test_games_are_listed_for_scripts_as_the_interface_names_them(invoke: Invoke) -> None:
    status, out, err = invoke("games", "--json")
    assert (status, err) == (0, "")
    listed = {game["id"]: game for game in json.loads(out)["games"]}
    assert set(listed) == set(BETS)
    for name, game in listed.items():
        assert set(game) == {"id", "name", "seats", "deck_cards", "bets", "options"}
        assert [bet["id"] for bet in game["bets"]] == BETS[name]
        defaults = [table for bet in game["bets"] for table in bet["default_paytables"]]
        assert list(dict.fromkeys(defaults)) == DEFAULTS[name].split()
        assert all(set(bet["default_paytables"]) <= set(bet["paytables"]) for bet in game["bets"])
        assert all(set(option) == {"name", "values", "default", "ruling"} for option in game["options"])
    decks = {name: game["deck_cards"] for name, game in listed.items()}
    assert decks == {"wild-six-card": 54, "shifting-wilds": 52, "lunar": 52, "six-card": 52, "wild-52": 53}


def test_games_are_listed_for_people(invoke: Invoke) -> None:
    out = " ".join(invoke("games").out.split())
    for game in load_games().values():
        assert game.name in out
        assert game.summary in out
    assert "SCP-01*, SCP-02, SCP-03, SCP-04" in out


@pytest.mark.parametrize("name", BETS)
def test_the_rules_tell_what_a_player_needs(name: str, invoke: Invoke) -> None:
    status, out, err = invoke("rules", name)
    assert (status, err) == (0, "")
    game = load_game(name)
    for heading in ("Order of dealing", "Settlement", "Limits and constraints", "Pay tables", "Options"):
        assert heading in out
    for option in game.options:
        assert option.name in out
    for table in DEFAULTS[name].split():
        assert f"{table}*" in out


def test_the_rules_show_the_sheets_own_words_where_they_had_to_be_read(invoke: Invoke) -> None:
    out = " ".join(invoke("rules", "six-card").out.split())
    assert "straight is printed '100 to 1 / 9 for 1' (SC-3)" in out
    assert "printed: expected hold 20%" in out
    assert "envy $100 for a royal flush, $10 for a straight flush" in out
    assert "seed $10,000.00, 14% to the meter, 2% to the reserve" in out


def test_limits_and_ties_are_told_from_the_game(invoke: Invoke) -> None:
    out = " ".join(invoke("rules", "wild-six-card").out.split())
    assert "taxpayers-fortune optional $1 only with queens-or-better (W6-6)" in out
    assert "queens-or-better optional (set by $5 to $400 queens_or_better)" in out
    assert "at least main (LU-1)" in " ".join(invoke("rules", "lunar").out.split())


def test_a_game_without_a_readme_is_told_from_its_data(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = load_game("wild-52")
    (tmp_path / "paytables.toml").write_bytes((game.folder / "paytables.toml").read_bytes())
    bare = replace(game, folder=tmp_path)
    monkeypatch.setattr(pitboss.cli.rules, "load_game", lambda _name: bare)
    out = invoke("rules", "wild-52").out
    assert "Order of dealing" not in out
    assert "five of a kind, aces" in out


def test_a_game_without_options_has_no_table_of_options(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(load_game("six-card"), options=())
    monkeypatch.setattr(pitboss.cli.rules, "load_game", lambda _name: bare)
    assert "Options" not in invoke("rules", "six-card").out
    monkeypatch.setattr(pitboss.cli.games, "load_games", lambda: {"six-card": bare})
    assert "options: none" in invoke("games").out


def test_an_unknown_game_is_told_with_those_there_are(invoke: Invoke) -> None:
    status, out, err = invoke("rules", "six-cards")
    assert (status, out) == (2, "")
    assert err.startswith("pitboss: unknown game 'six-cards': did you mean 'six-card'? known: ")


@pytest.mark.parametrize("game", load_games())
def test_the_rules_leave_out_what_is_about_source_code(game: str, invoke: Invoke) -> None:
    out = invoke("rules", game).out
    for word in ("solver/", "strategy.toml", "python -m", "`", "How the rule finds"):
        assert word not in out
    assert f"pitboss strategy {game} prints strategies to remember" in " ".join(out.split())
