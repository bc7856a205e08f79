"""Tables of the progressive over HTTP: who opens and deals them, and what is said where that cannot be."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.ledger.errors import LedgerError
from pitboss.table.session import HOUSE, BetStake, DealRound, TableTerms, TakeSeat
from pitboss.web.app import create_app
from pitboss.web.pages.linked_tables import NOT_SERVED_TEXT
from table.laying import SIX_CARD
from web.served import Served, answering, cheaply, copied, serving


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive of two tables with its people, and pages."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


def text(house: Served, path: str) -> str:
    """Return a page as anybody sees it."""
    answer = house.client.get(path)
    assert answer.is_success, answer.text
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_a_dealer_or_a_supervisor_opens_a_table_once(house: Served) -> None:
    opened = house.do("/tables/1/browser", "dora")
    assert opened["address"] == f"/tables/{opened['table']}"
    assert house.do("/tables/1/browser", "sue") == opened
    assert house.do("/tables/2/browser", "sue") != opened
    for name in ("eve", "abe"):
        status, why = house.refused("/tables/2/browser", name)
        assert (status, " is for dealer, supervisor" in why) == (403, True)
        assert house.refused("/tables/2/dealer", name)[0] == 403
    assert house.ask("POST", "/tables/1/browser").status_code == 401
    assert house.refused("/tables/3/browser", "dora") == (409, "unknown table 3: tables are 1 to 2")
    lobby = text(house, "/")
    assert "Play for it at table 1" in lobby
    assert "Play for it at table 2" in lobby
    assert "Table 1, dealt by dora The progressive stands at $10,000.00" in text(house, opened["address"])


def test_whoever_takes_over_is_written_down(house: Served) -> None:
    assert house.refused("/tables/1/dealer", "sam") == (409, "table 1 is not open in the browser: open it first")
    address = house.do("/tables/1/browser", "dora")["address"]
    assert house.do("/tables/1/dealer", "sam")["dealer"] == "sam"
    assert house.floor is not None
    again = create_app(house.house, house.floor_again())
    with answering(again) as started:
        assert "dealt by sam" in house.client.get(f"{started}{address}").text


def test_settings_that_changed_ask_for_another_table(house: Served) -> None:
    first = house.do("/tables/1/browser", "dora")
    house.do("/settings", "sue", {"changes": {"seed_cents": 2_000_000}, "text": "a larger seed"})
    house.do("/requests/7/approve", "eve", {}, proof="eve")
    waits = text(house, f"{first['address']}/waits")
    assert f"No cards are dealt: the settings have version 2, but {first['table']} was opened with version 1" in waits
    assert "Play for it" not in text(house, "/")
    assert house.do("/tables/1/browser", "dora") != first


def test_a_table_says_that_its_progressive_is_closed_or_not_there(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = house.do("/tables/1/browser", "dora")["address"]

    def closed() -> None:
        raise LedgerError("the ledger cannot be reached")

    monkeypatch.setattr(house.controller, "refresh", closed)
    assert "No cards are dealt: the ledger cannot be reached." in text(house, address)
    assert "The progressive stands" not in text(house, "/")
    alone = create_app(None, house.floor)
    with answering(alone) as started:
        assert NOT_SERVED_TEXT in house.client.get(f"{started}{address}").text
        assert house.client.get(f"{started}/").is_success


def test_who_waits_for_whom_is_said(house: Served) -> None:
    name = house.do("/tables/1/browser", "dora")["table"]
    floor = house.floor
    assert floor is not None
    house.laid.lay(SIX_CARD, "As Ks Qs Js Ts 2h Ah Jd Td 8c 6c 3s")
    stakes = (BetStake(bet="main", cents=500), BetStake(bet="progressive", cents=100))
    floor.execute(name, TakeSeat(seat=4, cents=100_000, bot="practical", standing=stakes), HOUSE, "sit-bot")
    floor.execute(name, DealRound(), HOUSE, "deal-bot")
    said = "Waiting for an executive to confirm $10,000.14: royal flush at seat 4."
    assert said in text(house, f"/tables/{name}/waits")
    house.do("/awards/1/confirm", "eve", {}, proof="eve")
    floor.run_automation(name)
    assert floor.get_session(name).snapshot.number == 2
    assert "Waiting" not in text(house, f"/tables/{name}/waits")


def test_a_table_of_its_own_waits_for_no_progressive(house: Served) -> None:
    assert house.floor is not None
    name = house.floor.open_table(TableTerms(game="lunar"))
    assert house.client.get(f"/tables/{name}/waits").status_code == 404
