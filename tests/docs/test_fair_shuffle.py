"""The specification of the provably fair shuffle: its vectors are the program's, and a second program's too."""

import json
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Invoke, invoke
from pitboss.cards import DECK_52, DECK_53, DECK_54, Deck, format_cards
from table.test_fair import by_hand, shuffled_by_hand

__all__ = ["invoke"]

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "fair-shuffle.md"


@pytest.fixture(scope="module")
def blocks() -> list[tuple[str, str]]:
    text = PAGE.read_text(encoding="utf-8").partition("## Test vectors")[2]
    return re.findall(r"```(json|toml)\n(.*?)\n```", text, re.DOTALL)


def test_the_vectors_are_what_the_program_gives() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert runpy.run_path(str(DOCS / "vectors.py"))["page"](text) == text


@pytest.mark.parametrize("deck", [DECK_52, DECK_53, DECK_54])
def test_the_decks_of_the_vectors_follow_from_the_method_written_a_second_time(
    deck: Deck, blocks: list[tuple[str, str]]
) -> None:
    said: dict[str, Any] = json.loads(blocks[0][1])
    seeds = [(each["seat"], each["seed"]) for each in said["seats"]]
    octets = by_hand(bytes.fromhex(said["secret"]), said["table"], said["round"], seeds)
    first, second = shuffled_by_hand(octets, deck.size), shuffled_by_hand(octets, deck.size)
    drawn = said["decks"][str(deck.size)]
    assert drawn["deck_codes"] == first
    assert drawn["deck"] == format_cards(tuple(first), deck)
    assert drawn["second_order"] == format_cards(tuple(second), deck)


def test_the_records_of_the_page_hold_against_its_receipts(
    blocks: list[tuple[str, str]], invoke: Invoke, tmp_path: Path
) -> None:
    assert [kind for kind, _ in blocks] == ["json", *("toml", "json") * 4]
    key = json.loads(blocks[0][1])["house_key"]
    for place in range(1, len(blocks), 2):
        (tmp_path / "round.toml").write_text(blocks[place][1], encoding="utf-8")
        (tmp_path / "receipt.json").write_text(blocks[place + 1][1], encoding="utf-8")
        result = invoke("verify", tmp_path / "round.toml", "--receipt", tmp_path / "receipt.json", "--house-key", key)
        assert (result.status, result.err) == (0, ""), result.out


def test_the_records_of_the_page_show_what_is_hard_to_read_about(blocks: list[tuple[str, str]]) -> None:
    """Cards of a seat that folded come back and Force takes one more; the Joker, community cards; a void round."""
    _, renewed, jokers, void = (tomllib.loads(text)["actions"] for kind, text in blocks if kind == "toml")
    fold = renewed.index("p3 f")
    folded = set(re.findall("..", next(each for each in renewed if each.startswith("d dh p3 ")).split()[-1]))
    later = re.findall("..", "".join(each.split()[-1] for each in renewed[fold:] if each.startswith("d ")))
    assert folded & set(later)
    assert renewed[-1].startswith("d dh dealer ")
    assert any("Jk" in each for each in jokers if each.startswith("d dh p"))
    assert any(each.startswith("d db ") for each in jokers)
    assert any(each.endswith(" f") for each in jokers)
    assert void == []
