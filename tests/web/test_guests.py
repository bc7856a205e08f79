"""What guests may and may not do at tables."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from time import sleep, time
from typing import Any

import httpx
import pytest

from clients import open_client
from pitboss.cards import draw_below, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.games import load_game, load_games
from pitboss.strategies import load_strategies
from pitboss.table.service import TableService
from pitboss.table.session import TableSession, TableTerms
from pitboss.table.session.timeouts import ABSENT_SECONDS
from pitboss.web.app import create_app
from pitboss.web.pages.assets import render_felts
from pitboss.web.pages.table_layout import load_layout
from pitboss.web.pages.wild_cards import find_wild_cards
from pitboss.web.registry import TableRegistry
from pitboss.web.templating import describe_card
from web.served import answering, unlimited


class Person:
    """A guest's browser: its cookies, its forms."""

    def __init__(self, address: str) -> None:
        self.web = open_client(address, follow_redirects=True)
        self.sent: list[str] = []
        self.look("/")

    def look(self, path: str) -> str:
        """Load a page, as often as it says that what it shows is still being counted."""
        while (answer := self.web.get(path)).status_code == HTTPStatus.ACCEPTED:
            sleep(float(answer.headers["Retry-After"]))
        return self._read(answer)

    def say(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form of the page that was loaded last."""
        hidden = dict(re.findall(r'name="(csrf|round)" value="([^"]*)"', self.sent[-1]))
        hidden["key"] = f"key-{len(self.sent):08}-{id(self)}"
        answer = self.web.post(path, data={**hidden, **fields}, headers={"HX-Request": "true"})
        self._read(answer)
        return answer

    def _read(self, answer: httpx.Response) -> str:
        self.sent.append(answer.text)
        return answer.text


class House:
    """A floor of its own, served."""

    def __init__(self, floor: TableRegistry, address: str) -> None:
        self.floor, self.address = floor, address
        self.people: list[Person] = []
        self.seconds = int(time())

    def person(self) -> Person:
        """Return somebody who has come in."""
        self.people.append(Person(self.address))
        return self.people[-1]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A floor that is served for a test."""
    made: House
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", clock=lambda: made.seconds)
    floor = TableRegistry(tables, limits=unlimited())
    made = House(floor, "")
    with answering(create_app(None, floor)) as made.address:
        yield made
        for person in made.people:
            person.web.close()
    floor.close()


def two_at_a_table(house: House, game: str) -> tuple[str, list[Person]]:
    """Return a table's address and its two people, in seats 1 and 4."""
    name = house.floor.open_table(TableTerms(game=game, wager_seconds=0, decide_seconds=0))
    people = [house.person(), house.person()]
    for person, seat in zip(people, (1, 4), strict=True):
        person.look(f"/tables/{name}")
        assert person.say(f"/tables/{name}/sit", seat=seat, name=f"P{seat}", dollars="100000").status_code == 200
    return f"/tables/{name}", people


def played(address: str, people: list[Person], bits: BitSource) -> None:
    """Play a round by forms alone."""
    for person in people:
        person.look(f"{address}/felt")
        person.say(f"{address}/wager", **{"stake-main": "5", **({"stake-super": "5"} if "lunar" in address else {})})
    for _ in range(40):
        for person in people:
            page = person.look(f"{address}/felt")
            actions = re.findall(r'name="action" value="([\w-]+)" data-key="\w?">', page)
            if actions:
                action = actions[draw_below(len(actions), bits)]
                cards = re.findall(r'name="cards" value="(\w+)"', page)
                count = {"discard": 1, "by-count": 2 + draw_below(3, bits)}.get(action, 0)
                answer = person.say(f"{address}/decide", action=action, cards=shuffle_cards(cards, bits)[:count])
                assert answer.status_code == 200
        if "Place your wagers" in people[0].sent[-1]:
            return
    pytest.fail("the round did not end")


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_rounds_are_played_by_forms_alone(house: House, game: str) -> None:
    bits = seeded_bits(len(game))
    address, people = two_at_a_table(house, game)
    for _ in range(5):
        played(address, people, bits)
    assert house.floor.tables.verify()


def test_a_command_needs_the_token_of_its_own_page(house: House) -> None:
    person, other = house.person(), house.person()
    for csrf in ("", "0" * 64, re.findall(r'name="csrf" value="(\w+)"', other.sent[-1])[0]):
        answer = person.web.post("/tables", data={"game": "lunar", "csrf": csrf})
        assert (answer.status_code, "reload it" in answer.text) == (403, True)


@pytest.mark.parametrize("header", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])
def test_a_command_from_another_site_is_refused(house: House, header: dict[str, str]) -> None:
    person = house.person()
    csrf = re.findall(r'name="csrf" value="(\w+)"', person.sent[-1])[0]
    answer = person.web.post("/tables", data={"game": "lunar", "csrf": csrf}, headers=header)
    assert (answer.status_code, "another site" in answer.text) == (403, True)


def test_a_guest_is_known_by_a_cookie_that_nobody_guesses(house: House) -> None:
    proxied = {"X-Forwarded-Proto": "https", "Host": "casino.example"}
    said = httpx.get(house.address, headers=proxied, trust_env=False).headers["set-cookie"]
    name, _, token = said.partition(";")[0].partition("=")
    assert (name, len(token)) == ("__Host-pitboss-guest", 66)
    assert {"HttpOnly", "Secure", "SameSite=lax", "Path=/"} <= set(said.split("; "))
    assert "set-cookie" not in house.person().web.get("/").headers


def test_somebody_elses_seat_cannot_be_commanded(house: House) -> None:
    address, (first, _) = two_at_a_table(house, "six-card")
    stranger = house.person()
    stranger.look(address)
    answer = stranger.say(f"{address}/wager", **{"stake-main": "5"})
    assert (answer.status_code, "You have no seat at this table" in answer.text) == (409, True)
    answer = stranger.say(f"{address}/sit", seat=1, name="Eve", dollars="100")
    assert (answer.status_code, "Seat 1 is taken" in answer.text) == (409, True)
    assert "Place your wagers" in first.look(address)


def test_a_decision_out_of_turn_or_twice_is_refused_and_changes_nothing(house: House) -> None:
    address, people = two_at_a_table(house, "six-card")
    for person in people:
        person.look(address)
        person.say(f"{address}/wager", **{"stake-main": "5"})
    before = house.floor.tables.get_session(address.removeprefix("/tables/")).snapshot.sequence
    answer = people[1].say(f"{address}/decide", action="play")
    assert (answer.status_code, "it is seat 1&#39;s turn" in answer.text) == (409, True)
    assert house.floor.tables.get_session(address.removeprefix("/tables/")).snapshot.sequence == before
    people[0].look(address)
    assert people[0].say(f"{address}/decide", action="fold").status_code == 200
    assert people[0].say(f"{address}/decide", action="fold").status_code == 409


@pytest.mark.parametrize(("game", "costs"), [("six-card", 5), ("wild-52", 10)])
def test_who_has_too_few_chips_to_play_on_buys_some_with_the_cards_in_hand(house: House, game: str, costs: int) -> None:
    name = house.floor.open_table(TableTerms(game=game, wager_seconds=0, decide_seconds=0))
    person, address = house.person(), f"/tables/{name}"
    person.look(address)
    assert person.say(f"{address}/sit", seat=1, name="Ann", dollars="5").status_code == 200
    page = person.say(f"{address}/wager", **{"stake-main": "5"}).text
    assert f"${costs}: buy chips first" in page
    assert person.say(f"{address}/decide", action="play").status_code == 409
    assert 'name="dollars" inputmode="decimal" value="25"' in person.look(address)  # rounded up
    assert "buy chips first" not in person.say(f"{address}/sit", seat=1, dollars=str(costs)).text
    assert person.say(f"{address}/decide", action="play").status_code == 200


def test_a_form_sent_twice_is_done_once(house: House) -> None:
    address, (person, _) = two_at_a_table(house, "six-card")
    person.look(address)
    hidden = dict(re.findall(r'name="(csrf|round|key)" value="([^"]*)"', person.sent[-1]))
    fields = {**hidden, "seat": "1", "name": "P1", "dollars": "50"}
    for _ in range(2):
        assert person.web.post(f"{address}/sit", data=fields, headers={"HX-Request": "true"}).status_code == 200
    assert house.floor.tables.get_session(address.removeprefix("/tables/")).seats[1].chips_cents == 10_005_000


def test_who_sits_out_sees_the_others_play_and_wagers_again(house: House) -> None:
    for bots in ("0", "2"):
        alone = house.person()
        alone.look("/")
        address = alone.say("/tables", game="six-card", bots=bots).url.path
        page = alone.say(f"{address}/wager", do="sit-out").text
        assert "You sit this round out. Nobody has wagered." in page if bots == "0" else "Round 1 is over" in page
        assert alone.say(f"{address}/wager", **{"stake-main": "0"}).status_code == 409
        assert "No chips are on the felt" in alone.sent[-1]
        assert 'name="action" value="fold"' in alone.say(f"{address}/wager", **{"stake-main": "5"}).text


def test_who_sat_out_a_round_finds_the_last_wagers_again(house: House) -> None:
    guest = house.person()
    guest.look("/")
    address = guest.say("/tables", game="six-card", bots="2").url.path
    guest.say(f"{address}/wager", **{"stake-main": "25", "stake-aces-up": "10"})
    guest.say(f"{address}/decide", action="fold")
    for _ in range(2):
        page = guest.say(f"{address}/wager", do="sit-out").text
        fields = re.findall(r'<input [^>]*name="stake-(main|aces-up)"[^>]*>', page)
        values = dict(re.findall(r'name="stake-(main|aces-up)"[^>]* value="([^"]*)"', page))
        assert (sorted(fields), values) == (["aces-up", "main"], {"main": "25", "aces-up": "10"})


def test_a_table_goes_on_without_who_walked_off(house: House) -> None:
    address, (host, walked_off) = two_at_a_table(house, "six-card")
    assert "Go on without" not in host.look(f"{address}/felt")
    assert "Go on without seat 4" in host.say(f"{address}/wager", **{"stake-main": "5"}).text
    assert "Go on without" not in walked_off.look(f"{address}/felt")
    host.look(f"{address}/felt")
    assert host.say(f"{address}/go-on", seat=4).status_code == 409
    assert "Seat 4 may still return" in host.sent[-1]
    house.seconds += ABSENT_SECONDS
    assert 'name="action" value="fold"' in host.say(f"{address}/go-on", seat=4).text
    assert "You are watching. To play, take a free seat." in walked_off.look(f"{address}/felt")


def test_the_lobby_names_who_plays_and_lists_the_newest_of_the_tables_where_one_sits_alone(house: House) -> None:
    guest = house.person()
    addresses = []
    for _ in range(3):
        guest.look("/")
        addresses.append(guest.say("/open/wild-52", name="Ann", bots="0").url.path)
    listed = house.person().look("/")
    assert [address in listed for address in addresses] == [False, False, True]
    assert f'<a href="{addresses[-1]}">Watch<' in listed  # or Join
    assert ">Ann</td>" in listed


def test_play_leads_back_to_the_own_seat_on_the_same_terms(house: House) -> None:
    guest, other = house.person(), house.person()
    guest.look("/")
    own = guest.say("/tables", game="lunar", bots="0").url.path
    assert guest.say("/tables", game="lunar", bots="2").url.path == own
    assert other.say("/tables", game="lunar").url.path != own
    fair = guest.say("/tables", game="lunar", fair="on").url.path
    asked_for = guest.say("/open/lunar").url.path  # who wants another table opens it in the form
    assert len({own, fair, asked_for}) == 3
    for address in (own, asked_for):
        guest.look(address)
        guest.say(f"{address}/leave")
    assert guest.say("/tables", game="lunar").url.path not in (own, fair, asked_for)


def test_wild_cards_are_marked_and_discards_stay_beside_their_hand(house: House) -> None:
    guest = house.person()
    now = table_of(house, guest, "shifting-wilds")
    while not find_wild_cards(now, 3, 3):  # until the indicator makes a card wild
        for action in ("check", "fold"):
            guest.say(f"/tables/{now.snapshot.table}/decide", action=action)
        guest.say(f"/tables/{now.snapshot.table}/wager", **{"stake-main": "5"})
        now = house.floor.tables.get_session(now.snapshot.table)
    (wild, *_) = find_wild_cards(now, 3, 3)
    assert f'aria-label="{describe_card(wild)}, wild"' in guest.sent[-1]
    now = table_of(house, guest, "wild-six-card")
    while not now.turn:
        guest.say(f"/tables/{now.snapshot.table}/wager", **{"stake-main": "5"})
        now = house.floor.tables.get_session(now.snapshot.table)
    given = re.findall(r'name="cards" value="(\w+)"', guest.sent[-1])[0]
    page = guest.say(f"/tables/{now.snapshot.table}/decide", action="discard", cards=given).text
    assert describe_card(given) in page.partition("<span>Discarded</span>")[2].partition("</ul>")[0]


def table_of(house: House, guest: Person, game: str) -> TableSession:
    """Return a guest's own table of a game with the cards dealt."""
    guest.look("/")
    address = guest.say("/tables", game=game).url.path
    guest.say(f"{address}/wager", **{"stake-main": "5"})
    return house.floor.tables.get_session(address.removeprefix("/tables/"))


def test_histories_tell_nobody_elses_hidden_hand(house: House) -> None:
    address, people = two_at_a_table(house, "six-card")
    played(address, people, seeded_bits(1))
    answer = people[0].web.get(f"{address}/rounds/1/history.toml")
    assert (answer.status_code, "hands that were not shown" in answer.text) == (403, True)


def circles_of(game: Game) -> frozenset[str]:
    """Return every place where chips of a game can lie: its wagers' circles, and those of raises, fees and taxes."""
    placed = {circle for wager in game.wagers for circle in (wager.circles or (wager.id,))}
    raised = {action.circle for decision in game.decisions for action in decision.actions if action.circle}
    return frozenset(placed | raised | {leg.circle for w in game.wagers for o in w.outcomes for leg in o.legs})


def test_every_circle_has_its_place_on_the_felt_and_every_game_its_felt() -> None:
    for name in load_games():
        game = load_game(name)
        placed = [circle for row in load_layout(game).rows for circle in row]
        assert sorted(placed) == sorted(circles_of(game))
        assert f'[data-game="{name}"]' in render_felts()


def test_a_bot_plays_as_whoever_adds_it_chooses(house: House) -> None:
    address, (person, _) = two_at_a_table(house, "wild-52")
    assert "plays every hand, then plays again" in person.look(address)
    for seat, chosen in ((2, {}), (3, {"strategy": "always-play-twice"})):
        assert person.say(f"{address}/bot", seat=seat, **chosen).status_code == 200
    seats = house.floor.tables.get_session(address.removeprefix("/tables/")).seats
    assert (seats[2].bot, seats[3].bot) == ("practical", "always-play-twice")
    assert re.search(
        r"Seat 3: Always play twice \(bot\).*?plays every hand, then plays again", person.look(address), re.DOTALL
    )
    answer = person.say(f"{address}/bot", seat=5, strategy="always-lock")
    assert (answer.status_code, "Unknown strategy" in answer.text) == (409, True)
    stranger = house.person()
    stranger.look(address)
    answer = stranger.say(f"{address}/bot", seat=5)
    assert (answer.status_code, "You have no seat at this table" in answer.text) == (409, True)


@pytest.mark.parametrize("name", load_games())
def test_every_strategy_is_said_in_words_of_its_own_that_fit_the_chair(name: str) -> None:
    game = load_game(name)
    words = load_layout(game).bots
    assert list(words) == [each.id for each in load_strategies(game)]
    assert len(set(words.values())) == len(words)
    assert max(map(len, words.values())) <= 36
