"""The felt after a round: the cards that count, what wild ones stand for, and what the coach says."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.contract import Game
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.auth.guests import PREFERENCES_COOKIE
from pitboss.web.pages.refusal_words import describe_refusal
from pitboss.web.registry import TableRegistry
from table.laying import LUNAR, SIX_CARD, WILD_52, WILD_SIX_CARD, Laid
from web.served import answering, unlimited
from web.test_guests import Person

REFUSALS = Path(__file__).parents[2] / "docs/refusals.txt"


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


def test_a_shared_joker_says_what_it_is_in_both_hands(felt: Felt) -> None:
    cards = "As Ad Ac 4h 2c  Ks Kd Kc 8h 3s  Jk 7d"  # four aces; four kings
    table = felt.deal(WILD_52, cards, **{"stake-main": "5"})
    felt.guest.say(f"{table}/decide", action="play")
    page = felt.guest.say(f"{table}/decide", action="check").text
    both = "Joker, played as Ace of hearts by you and as King of hearts by the dealer, counts for both hands"
    assert both in [said for _, said in _list_cards(page, "Community")]
    assert "you A♥<br>dealer K♥</span>" in page


def test_the_card_that_force_replaced_lies_aside_as_an_exchanged_one_does(felt: Felt) -> None:
    cards = "As Ah Kd 7c 2s  Qd 9c 8h 4s 3d  5c"
    table = felt.deal(LUNAR, cards, **{"stake-main": "5", "stake-super": "5"})
    felt.guest.say(f"{table}/decide", action="play")
    assert "Replaced" not in felt.guest.sent[-1]
    page = felt.guest.say(f"{table}/decide", action="force").text
    assert [said for _, said in _list_cards(page, "Replaced card of the dealer")] == ["Queen of diamonds"]
    assert len(_list_cards(page, "Dealer")) == 5


def test_the_choice_against_a_dealer_who_does_not_qualify_says_what_it_brings(felt: Felt) -> None:
    table = felt.deal(LUNAR, "As Ah Kd 7c 2s  Qd 9c 8h 4s 3d  5c", **{"stake-main": "15", "stake-super": "15"})
    assert " back<" not in felt.guest.sent[-1]
    page = felt.guest.say(f"{table}/decide", action="play").text
    buttons = dict(re.findall(r'name="action" value="([\w-]+)"[^>]*>[\w ]+<small>(.*?)</small>', page))
    assert buttons == {
        "take-ante": "win $15, your Bet back",
        "force": "pay $15, the dealer\N{RIGHT SINGLE QUOTATION MARK}s Q♦ is replaced",
    }


@pytest.mark.parametrize(
    ("mine", "due"), [("Ts 6s 5h 7c 4h", []), ("Ts Th 7d 7c 4h", ["tax on two pair, tens and sevens"])]
)
def test_a_tax_is_among_the_results_only_if_it_is_due(felt: Felt, mine: str, due: list[str]) -> None:
    stakes = {"stake-main": "5", "stake-queens-or-better": "5", "stake-taxpayers-fortune": "1"}
    table = felt.deal(WILD_SIX_CARD, f"{mine}  Ks Jd 6h 4c 3s  8s  2d", **stakes)
    page = felt.guest.say(f"{table}/decide", action="discard", cards="4h").text
    (results,) = re.findall(r'<ul class="results".*?</ul>', page, re.DOTALL)
    assert re.findall(r"tax on [\w, ]+\b", re.sub(r"<[^>]*>", "", results)) == due


@pytest.mark.more
def test_each_seat_is_shown_the_dealers_hand_that_its_reason_names_when_another_forces(felt: Felt) -> None:
    table = felt.floor.open_table(TableTerms(game="lunar"))
    ann, bob, watcher = felt.guest, Person(str(felt.guest.web.base_url)), Person(str(felt.guest.web.base_url))
    for seat, person in enumerate((ann, bob), start=1):
        person.look(f"/tables/{table}")
        person.say(f"/tables/{table}/sit", seat=str(seat), name="Guest", dollars="1000")
    felt.laid.lay(LUNAR, "As Ah Kd 7c 2s  Ks Kh 4d 7s 2h  Qd 9c 8h 4s 3d  9d")
    for person in (ann, bob):
        person.look(f"/tables/{table}")
        person.say(f"/tables/{table}/wager", **{"stake-main": "5", "stake-super": "5"})
    for actions in (("play", "play"), ("take-ante", "force")):
        for person, action in zip((ann, bob), actions, strict=True):
            person.look(f"/tables/{table}")
            person.say(f"/tables/{table}/decide", action=action)
    ann_sees, bob_sees, watcher_sees = (unescape(each.look(f"/tables/{table}/felt")) for each in (ann, bob, watcher))
    first, forced = "queen-nine high", "pair of nines"
    for page, shown, other, others in (
        (ann_sees, first, forced, "For seat 2"),
        (bob_sees, forced, first, "For seat 1"),
        (watcher_sees, forced, first, "For seat 1"),
    ):
        (dealer,) = re.findall(r'aria-label="Dealer"><h2>.*?</section>', page, re.DOTALL)
        assert re.findall(r'class="says[^>]*>(.*?)</p>', dealer) == [shown, f"{others}: {other}"]
    for page, reason in ((ann_sees, f"dealer does not qualify: {first}"), (bob_sees, f"beats the dealer's {forced}")):
        (results,) = re.findall(r'<ul class="results".*?</ul>', page, re.DOTALL)
        assert reason in re.sub(r"<[^>]*>", "", results)
    assert [said for marks, said in _list_cards(ann_sees, "Dealer") if marks == "idle"] == [
        "Nine of diamonds, does not count"
    ]
    assert "Replaced" not in ann_sees
    for page in (bob_sees, watcher_sees):
        assert [said for _, said in _list_cards(page, "Replaced card of the dealer")] == ["Queen of diamonds"]
    for person in (bob, watcher):
        person.web.close()


@pytest.mark.more
@pytest.mark.compiled
def test_the_coach_says_at_once_that_it_counts_and_then_what_was_wrong_and_why(felt: Felt) -> None:
    table = felt.deal(SIX_CARD, "As Ks Qs Js Ts 2h  9d 8d 7c 4c 3c 2c", **{"stake-main": "5"})
    assert "coach is counting" not in felt.guest.sent[-1]
    page = felt.guest.say(f"{table}/decide", action="fold").text
    assert "The coach is counting your round …" in page
    assert '<progress id="counted">' in page
    while "Play always wins" not in felt.guest.look(f"{table}/coach"):
        assert "Fold" not in felt.guest.sent[-1] or "Counting how often each action wins" in felt.guest.sent[-1]
    page = felt.guest.look(f"{table}/felt")
    bar = page.partition('<section class="bar')[2]
    assert "Fold always loses. Play always wins." in re.sub(r"<[^>]*>", "", bar)
    assert "coach is counting" not in page


@pytest.mark.more
@pytest.mark.compiled
def test_who_sees_the_values_before_is_told_of_mistakes_after_too(felt: Felt) -> None:
    felt.guest.web.cookies.set(PREFERENCES_COOKIE, "system.two.normal.before")
    table = felt.deal(SIX_CARD, "As Ks Qs Js Ts 2h  9d 8d 7c 4c 3c 2c", **{"stake-main": "5"})
    felt.guest.say(f"{table}/decide", action="fold")
    while "Play always wins" not in felt.guest.look(f"{table}/coach"):
        assert "1 of 1 decisions right" not in felt.guest.sent[-1]
    bar = felt.guest.look(f"{table}/felt").partition('<section class="bar')[2]
    assert all(f">{way}" in bar for way in ("Try again", "Step through", "Practise"))


def test_nobody_is_told_that_the_coach_counts_who_did_not_ask_it(felt: Felt) -> None:
    felt.guest.web.cookies.set(PREFERENCES_COOKIE, "system.two.normal.off")
    table = felt.deal(SIX_CARD, "As Ks Qs Js Ts 2h  9d 8d 7c 4c 3c 2c", **{"stake-main": "5"})
    assert "coach is counting" not in felt.guest.say(f"{table}/decide", action="fold").text


def test_a_refusal_names_the_player_and_seats_and_no_label(felt: Felt) -> None:
    table = felt.floor.open_table(TableTerms(game="lunar"))
    felt.guest.look(f"/tables/{table}")
    felt.guest.say(f"/tables/{table}/sit", seat="3", name="Ann", dollars="1000")
    for stakes, said in (
        ({"stake-main": "10", "stake-super": "5"}, "Super is $5: it must be at least the Ante ($10)."),
        ({"stake-main": "5"}, "You have no Super: it is mandatory."),
    ):
        page = felt.guest.say(f"/tables/{table}/wager", **stakes).text
        (line,) = re.findall(r'<p class="notice bad" role="alert">(.*?)</p>', page)
        assert unescape(line) == said


REFUSED = (line.partition(": ")[2] for line in REFUSALS.read_text(encoding="utf-8").splitlines())
NUMBERED = [line for line in REFUSED if line.startswith("seat {seat + 1}")]


@pytest.mark.parametrize("line", NUMBERED)
def test_a_refusal_says_you_to_the_player_whose_seat_it_names(line: str) -> None:
    message = line.replace("{seat + 1}", "2")
    assert not describe_refusal(message, 2).startswith("seat")
    assert describe_refusal(message, 5).startswith("seat 2")
