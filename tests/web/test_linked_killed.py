"""A table that plays for the progressive, its server killed in mid-round: the same cards, each wager taken once."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pyotp
import pytest

from clients import open_client
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import RoundOpened
from pitboss.jackpot.invariants import find_violations
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.table.service import TableService
from web.casino import Casino
from web.served import CHOSEN, cheaply, copied
from web.test_guests import Person

FACE = re.compile(r"/cards\.svg#(\w+)")

SEATS = (1, 4)
STAKES = {"stake-main": "5", "stake-progressive": "1"}
CONFIRMING = ("eve", "max", "sue", "sam")


class Killed:
    """A served progressive and a table of it with two people, whose server is killed now and then."""

    def __init__(self, folder: Path) -> None:
        """Start, and open the table."""
        self.folder = folder
        url, key, self._secrets = copied(folder)
        self._confirming = iter(CONFIRMING)  # each once: a code counts once in its half minute
        self._store = Store(url)
        self.ledger = Controller(self._store, Signer(key))
        self._casino = Casino(folder, "--ledger", str(folder / "ledger.db"))
        self._casino.start()
        self._staff = open_client(self._casino.address)
        session = self._command("/session", {"name": "dora", "password": CHOSEN})["session"]
        self._staff.headers["Authorization"] = f"Bearer {session}"
        self.table = self._command("/tables/1/browser", None)["table"]
        self.address = f"/tables/{self.table}"
        self.people = [Person(self._casino.address) for _ in SEATS]
        for person, seat in zip(self.people, SEATS, strict=True):
            self.says(person, "sit", seat=seat, name=f"P{seat}", dollars="1000")

    def _command(self, path: str, body: Any) -> Any:
        headers = {"Idempotency-Key": f"key{path.replace('/', '-')}"}
        answer = self._staff.post(f"/api{path}", json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def says(self, person: Person, what: str, **fields: Any) -> None:
        """Send a form of the table's page, which must be done."""
        person.look(self.address)
        answer = person.say(f"{self.address}/{what}", **fields)
        assert answer.status_code == 200, answer.text

    def is_killed(self) -> None:
        """Kill the server as a power cut does, and start it again."""
        self._casino.kill()
        self._casino.start()

    def cards(self) -> list[list[str]]:
        """Return the cards that each of the two sees."""
        return [FACE.findall(person.look(f"{self.address}/felt")) for person in self.people]

    def coin_ins(self) -> list[tuple[int, list[int]]]:
        """Return each COIN IN of the table: its round, and the seats whose wagers it took."""
        events = self.ledger.load_events(1, self.ledger.refresh().entries)
        opened = [event for event in events if isinstance(event, RoundOpened)]
        assert {event.link for event in opened} <= {self.table}
        return [(event.round, [wager.seat for wager in event.wagers]) for event in opened]

    def is_settled(self) -> None:
        """Have what was won confirmed, and the table tended, as it is when somebody looks at it."""
        for hit in self.ledger.refresh().list_pending_hits():
            name = next(self._confirming)
            proof = {"name": name, "password": CHOSEN, "code": pyotp.TOTP(self._secrets[name]).now()}
            self._command(f"/awards/{hit.owed.award}/confirm", {"proof": proof})
        with self.people[0].web.stream("GET", f"{self.address}/events?since=0") as news:
            assert next(line for line in news.iter_lines() if line.startswith("event: "))

    def close(self) -> None:
        """End it all."""
        self._casino.kill()
        self._store.close()
        for client in (self._staff, *(person.web for person in self.people)):
            client.close()


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Killed]:
    """A table of a progressive in a process of its own."""
    cheaply(monkeypatch)
    monkeypatch.setenv("PITBOSS_KEY", str(tmp_path / "key"))
    made = Killed(tmp_path)
    yield made
    made.close()


@pytest.mark.more
def test_a_linked_round_survives_its_server(killed: Killed) -> None:
    first, second = killed.people
    killed.says(first, "wager", **STAKES)
    killed.says(second, "wager", **STAKES)
    dealt = killed.cards()
    assert all(len(set(seen) - {"back"}) == 9 for seen in dealt)  # six of one's own, and three of the dealer's
    killed.is_killed()
    assert killed.cards() == dealt
    assert killed.coin_ins() == [(1, [1, 4])]
    killed.says(first, "decide", action="play")
    killed.is_killed()
    killed.says(second, "decide", action="play")
    killed.is_settled()
    assert killed.coin_ins() == [(1, [1, 4])]
    assert "Round 1 is over" in first.look(killed.address)

    # Killed as soon as COIN IN stands in the ledger, most likely before the table has written what it dealt.
    killed.says(first, "wager", **STAKES)
    second.look(killed.address)
    with ThreadPoolExecutor(1) as browser:
        pressed = browser.submit(second.say, f"{killed.address}/wager", **STAKES)
        while len(killed.coin_ins()) < 2 and not pressed.done():
            sleep(0.001)
        killed.is_killed()
        if pressed.exception():  # no answer: "press again when it is back: it is done once"
            assert second.say(f"{killed.address}/wager", **STAKES).status_code == 200
    for person in killed.people:
        killed.says(person, "decide", action="fold")
    killed.is_settled()
    assert killed.coin_ins() == [(1, [1, 4]), (2, [1, 4])]
    state = killed.ledger.verify().state
    assert find_violations(state) == ()
    assert [(count.in_count, count.in_cents) for count in state.counts.values() if count.in_count] == [(4, 400)]
    tables = TableService.connect(f"sqlite:///{killed.folder / 'tables.db'}", killed.folder / "tables.db.key")
    now = tables.get_session(killed.table).snapshot
    assert now.number == 3
    assert now.bought_cents == 200_000 == now.house_cents + sum(seat.chips_cents for seat in now.seats.values())
    assert tables.verify()
    tables.close()
