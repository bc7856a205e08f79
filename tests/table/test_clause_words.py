"""The words of what training cites: each clause and ruling of each game has some, also within a range."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pitboss.games
from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.table.round import open_round
from pitboss.table.training.clause_words import (
    ClauseEntry,
    find_references,
    list_cited_entries,
    load_clauses,
    split_citation,
)
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rounds import deal_training_round

NAMES = {"asks", "zone", "bet", "outcome", "circles", "result", "forfeit", "option", "options", "pay_options"}
"""The fields of a procedure that are names or words on a question; every other text is a clause."""


def is_bundled(game: Game) -> bool:
    """Tell whether a game belongs to the package; another one may leave the words out."""
    return Path(game.folder).parent == Path(pitboss.games.__file__).parent


def list_clauses(part: Any, name: str = "") -> Iterator[str]:
    """Yield every clause of a procedure's file."""
    if name in NAMES:
        return
    if isinstance(part, dict | list):
        for key, each in part.items() if isinstance(part, dict) else enumerate(part):
            yield from list_clauses(each, str(key))
    elif isinstance(part, str) and part:
        yield part


@pytest.mark.parametrize("game", [each for each in load_games().values() if is_bundled(each)], ids=lambda game: game.id)
def test_every_clause_that_training_can_cite_has_words(game: Game) -> None:
    clauses = set(list_clauses(load_procedure(game).model_dump()))
    assert len(clauses) > 10
    for seed in range(20):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed))
        clauses |= {each.clause for each in build_questions(played, seeded_bits(seed), disputes="also") if each.clause}
    for clause in clauses:
        found = find_references(game, clause)
        assert found, clause
        for each in found:
            assert (each.sheet, each.name) in load_clauses(game), (clause, each)


@each_game
def test_a_citation_is_split_and_nothing_of_it_is_lost(game: Game) -> None:
    anchors = [each.anchor for each in load_clauses(game).values()]
    assert len(set(anchors)) == len(anchors)
    for clause in list_clauses(load_procedure(game).model_dump()):
        assert "".join(each.text for each in split_citation(game, clause)) == clause


def refer(game: str, citation: str) -> list[tuple[str, str]]:
    """Return what the parts of a citation refer to."""
    parts = split_citation(load_game(game), citation)
    return [(each.text, each.entry.name) for each in parts if each.entry]


def test_a_part_refers_to_the_clause_that_it_names() -> None:
    several = "rule sheet, 4 and 7 to 9, and the Bet pay table; LU-4, LU-7 to LU-10"
    labels = [(name, name) for name in ("LU-4", "LU-7", "LU-10")]
    assert refer("lunar", several) == [("rule sheet, 4", "4"), ("7", "7"), ("9", "9"), *labels]
    names = [
        each.name for each in list_cited_entries(load_game("lunar"), [several], resolve_options(load_game("lunar"), {}))
    ]
    assert names == ["4", "7", "8", "9", "LU-4", "LU-7", "LU-8", "LU-9", "LU-10"]
    section = "rule sheet, Poker Bet, 1 and 2: the better hand is paid even money; W6-4"
    assert [name for _, name in refer("wild-six-card", section)] == [
        "Poker Bet",
        "Poker Bet, 1",
        "Poker Bet, 2",
        "W6-4",
    ]
    assert refer("shifting-wilds", "rule sheet, Main Wager Resolution and Table 1; but at this house, pays 5 to 1") == [
        ("rule sheet, Main Wager Resolution", "Main Wager Resolution"),
        ("Table 1", "Table 1"),
    ]


def test_two_sheets_of_a_game_have_their_own_clauses() -> None:
    keypad, display = "progressive's sheet (keypad), 8g: RUN", "progressive's sheet (display), 8g: END GAME"
    game = load_game("six-card")
    options = resolve_options(game, {})
    (one,), (other,) = (list_cited_entries(game, [each], options) for each in (keypad, display))
    assert isinstance(one, ClauseEntry)
    assert one.anchor != other.anchor
    assert [each.anchor for each in list_cited_entries(game, ["rule sheet, 8"], options)] == ["rule-sheet-8"]


def test_a_ruling_says_what_the_house_plays_otherwise() -> None:
    game = load_game("lunar")
    options = resolve_options(game, {"force_replaces": "lowest"})
    (sheet, ruling) = list_cited_entries(game, ["rule sheet, 9: after Force; LU-10"], options)
    assert ruling.words.endswith(" At this house, which of the dealer's cards Force replaces: lowest.")
    assert "At this house" not in sheet.words


def test_a_game_without_words_cites_plainly(tmp_path: Path) -> None:
    game = load_game("six-card")
    plain = replace(game, folder=tmp_path)
    (part,) = split_citation(plain, "rule sheet, 4; ALL-10")
    assert part == ("rule sheet, 4; ALL-10", None)
