"""Cards on the felt after a round: those that count, what wild ones stand for, the one that Force replaced."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.contract import Game
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.registry import TableRegistry
from table.laying import LUNAR, SIX_CARD, WILD_52, Laid
from web.served import answering, unlimited
from web.test_guests import Person


class Felt(NamedTuple):
    """A floor whose decks are laid, and a guest."""

    floor: TableRegistry
    laid: Laid
    guest: Person

    def deal(self, game: Game, cards: str, **stakes: str) -> str:
        """Open a table, take its first seat, and be dealt these cards; return the table's address."""
        table = self.floor.open_table(TableTerms(game=game.id))
        self.guest.look(f"/tables/{table}")
        self.guest.say(f"/tables/{table}/sit", seat="1", name="Ann", dollars="1000")
        self.laid.lay(game, cards)
        self.guest.say(f"/tables/{table}/wager", **stakes)
        return f"/tables/{table}"


@pytest.fixture
def felt(tmp_path: Path) -> Iterator[Felt]:
    """A floor with laid decks."""
    laid = Laid()
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", bits=laid)
    floor = TableRegistry(tables, limits=unlimited())
    with answering(create_app(None, floor)) as address:
        guest = Person(address)
        yield Felt(floor, laid, guest)
        guest.web.close()
    floor.close()


def _list_cards(page: str, label: str) -> list[tuple[str, str]]:
    """Return the class of each card of a hand without its place, and what is said of it."""
    (hand,) = re.findall(rf'<ul class="hand[^>]*aria-label="{label}">(.*?)</ul>', page, re.DOTALL)
    cards = re.findall(r'<li class="d\d+\s*([^"]*)"><svg[^>]*aria-label="([^"]*)"', hand)
    return [(marks.strip(), said) for marks, said in cards]


def test_the_card_of_six_that_does_not_count_is_marked_in_both_hands(felt: Felt) -> None:
    table = felt.deal(SIX_CARD, "As Ad Kc Qh 9s 2d  Ks Kd Jc 8h 7s 3d", **{"stake-main": "5"})
    assert " idle" not in felt.guest.sent[-1]
    page = felt.guest.say(f"{table}/decide", action="play").text
    own, dealers = _list_cards(page, "Your cards"), _list_cards(page, "Dealer")
    assert [said for marks, said in own if marks == "idle"] == ["Two of diamonds, does not count"]
    assert [said for marks, said in dealers if marks == "idle"] == ["Three of diamonds, does not count"]
    assert [marks for marks, _ in own].count("counts") == 5


def test_shared_cards_say_whose_hand_they_make_and_the_joker_what_it_is(felt: Felt) -> None:
    cards = "Jk As Ad Kc 4h  Ks Kd Jc 8h 3s  Ac Kh"  # four aces with the king in hand; three kings, ace and jack
    table = felt.deal(WILD_52, cards, **{"stake-main": "5"})
    felt.guest.say(f"{table}/decide", action="play")
    page = felt.guest.say(f"{table}/decide", action="check").text
    shared = {said: marks for marks, said in _list_cards(page, "Community")}
    assert "counts" in shared["Ace of clubs, counts for both hands"]
    assert any(said.startswith("King of hearts, counts for") for said in shared)
    assert "Joker, wild" not in page.replace("Joker, played as Ace of hearts", "")
    assert "as A♥</span>" in page


def test_the_card_that_force_replaced_lies_aside_as_an_exchanged_one_does(felt: Felt) -> None:
    cards = "As Ah Kd 7c 2s  Qd 9c 8h 4s 3d  5c"
    table = felt.deal(LUNAR, cards, **{"stake-main": "5", "stake-super": "5"})
    felt.guest.say(f"{table}/decide", action="play")
    assert "Replaced" not in felt.guest.sent[-1]
    page = felt.guest.say(f"{table}/decide", action="force").text
    assert [said for _, said in _list_cards(page, "Replaced card of the dealer")] == ["Queen of diamonds"]
    assert len(_list_cards(page, "Dealer")) == 5
