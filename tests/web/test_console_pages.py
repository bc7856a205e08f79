"""The pages of the consoles: what waits comes first, forms know who is logged in, accounts have one name everywhere."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from clients import open_client
from pitboss.jackpot.accounts import Account
from pitboss.jackpot.award_history import LAST_HITS
from pitboss.jackpot.reports import summarize_status
from web.served import PEOPLE, Served, cheaply, copied, serving

OFFICE = ("", "/tables", "/shift", "/day", "/staff", "/settings")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, its pages, and a straight flush at table 2 that waits for its confirmation."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        made.do("/tables/2/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]})
        made.do("/tables/2/rounds/1/hits", "dora", {"seat": 3, "hand": "straight-flush"})
        yield made


@contextmanager
def console(house: Served, name: str) -> Iterator[httpx.Client]:
    """Log in a person's browser."""
    with open_client(house.address, headers={"Accept": "text/html"}) as web:
        assert web.post("/api/session", json={**house.proof(name), "cookie": True}).status_code == 201
        yield web


def read_page(web: httpx.Client, path: str) -> str:
    """Return a page of the consoles."""
    answer = web.get(f"/progressive/console{path}")
    assert answer.status_code == 200, path
    return answer.text


def find_forms(page: str) -> dict[str, str]:
    """Return the forms of a page by the commands that they give."""
    return {form.partition('"')[0]: form for form in re.findall(r'<form[^>]* data-api="(.*?)</form>', page, re.DOTALL)}


def list_accounts(page: str) -> dict[str, str]:
    """Return the figures of the console's cards."""
    return dict(re.findall(r"<div><dt>([^<]*)</dt><dd>([^<]*)</dd></div>", page.partition('<dl class="figures">')[2]))


@pytest.mark.parametrize("name", PEOPLE)
def test_every_page_begins_with_the_awards_that_wait(house: Served, name: str) -> None:
    with console(house, name) as web:
        for path in (*(OFFICE if name != "dora" else [""]), "/tables/1"):
            page = read_page(web, path)
            before, _, after = page.partition('<a href="/progressive/console/tables/2#award-1">')
            assert after.startswith("Table 2: straight flush, $1,000.04</a>, waits for confirmation."), path
            assert not re.search("<h2|<table", before), path
        assert 'id="award-1"' in read_page(web, "/tables/2")
    house.do("/awards/1/cancel", "dora")
    with console(house, name) as web:
        assert "waits for confirmation" not in read_page(web, "")


def test_only_the_first_of_many_awards_that_wait_are_told_one_by_one(house: Served) -> None:
    for seat in (1, 6):
        house.do("/tables/2/rounds/1/hits", "dora", {"seat": seat, "hand": "straight-flush"})
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in range(1, 7)]})
    for seat in range(1, 7):
        house.do("/tables/1/rounds/1/hits", "dora", {"seat": seat, "hand": "flush"})
    with console(house, "sue") as web:
        page = read_page(web, "/day")
        assert page.count("#award-") == 5
        assert "4 more wait" in page
        assert re.search(r"waits for award \d, which came first\.", page)


@pytest.mark.parametrize(("name", "is_first"), [("sue", True), ("eve", True), ("dora", False)])
def test_whoever_confirms_finds_the_form_first(house: Served, name: str, *, is_first: bool) -> None:
    with console(house, name) as web:
        page = read_page(web, "/tables/2")
    form = page.index('id="confirm-1"')
    others = [page.find(each) for each in ("Open this table in the browser", "Enter the hand", "Round 1 in play")]
    assert any(each >= 0 for each in others)
    assert all((form < each) is is_first for each in others if each >= 0)
    assert ("waits for confirmation" in page) is not is_first
    assert "Confirm the award (JPH, J-POT)" in page


def test_forms_know_who_is_logged_in_and_ask_for_a_code_only_where_there_is_one(house: Served) -> None:
    house.do("/adjustments", "sue", {"account": "meter", "cents": -5, "reason": "malfunction", "text": "a nickel"})
    house.do("/incidents", "sue", {"table": 1, "text": "the keypad hangs"})
    seen = set[str]()
    for name, role in PEOPLE.items():
        with console(house, name) as web:
            paths = [*(OFFICE if name != "dora" else [""]), "/tables/2"]
            forms = [form for path in paths for form in find_forms(read_page(web, path)).items()]
        for command, form in forms:
            if 'name="proof.name"' not in form:
                continue
            seen.add(command)
            is_theirs = command != "POST /api/awards/1/confirm" or role in {"supervisor", "executive"}
            assert f'value="{name if is_theirs else ""}"' in form, (name, command)
            has_code = 'name="proof.code"' in form
            assert has_code is (role in {"supervisor", "executive"} or not is_theirs), (name, command)
    assert {"POST /api/awards/1/confirm", "POST /api/requests/7/approve", "POST /api/incidents/1/sign"} <= seen
    assert {"POST /api/password", "POST /api/authenticator", "POST /api/staff"} <= seen


def test_a_hand_that_its_supervisor_entered_is_confirmed_by_another(house: Served) -> None:
    house.do("/tables/1/rounds/1/open", "sue", {"wagers": [{"seat": 1, "cents": 100}]})
    house.do("/tables/1/rounds/1/hits", "sue", {"seat": 1, "hand": "full-house"})
    for name, shown in (("sue", ""), ("sam", "sam")):
        with console(house, name) as web:
            form = find_forms(read_page(web, "/tables/1"))["POST /api/awards/2/confirm"]
        assert f'autocomplete="username" value="{shown}"' in form


def test_the_money_of_an_award_is_on_a_card_at_every_step(house: Served) -> None:
    def read() -> dict[str, str]:
        with console(house, "abe") as web:
            return list_accounts(read_page(web, ""))

    before = read()
    assert (before["Display"], before["Meter"]) == ("$10,000.42", "$9,000.38")
    assert (before["Held"], before["Payable"]) == ("$1,000.04", "$0.00")
    house.do("/awards/1/confirm", "dora", proof="sue")
    confirmed = read()
    assert (confirmed["Display"], confirmed["Held"], confirmed["Payable"]) == ("$9,000.38", "$0.00", "$1,000.04")
    house.do("/awards/1/pay", "dora")
    paid = read()
    assert (paid["Held"], paid["Payable"]) == ("$0.00", "$0.00")


def test_an_account_has_one_name_on_the_console_the_gaming_day_and_the_command_line(house: Served) -> None:
    names = [account.title() for account in (Account.METER, Account.RESERVE, Account.HELD, Account.PAYABLE)]
    figures = summarize_status(house.controller.refresh(), full=True)
    with house.store.begin_read() as transaction:
        first, *_, last = (entry.at[:10] for entry in transaction.read_entries())  # midnight may be between them
    with console(house, "abe") as web:
        cards, day = list_accounts(read_page(web, "")), read_page(web, f"/day?day={last}")
        assert "Overflow" in cards
        for name in names:
            assert name in cards
            assert f">{name}</th>" in day
            assert {f"{name.lower()}_units", f"{name.lower()}_cents"} & set(figures)
        assert "Outside the tables" in read_page(web, f"/day?day={first}")
        assert "award \N{MINUS SIGN}$1,000.04" in day
        assert "rounds opened 1, hands entered or cancelled 1" in day


def test_earlier_and_latest_hits_are_offered_where_there_are_some(house: Served) -> None:
    with console(house, "sue") as web:
        page = read_page(web, "")
        assert "entered by dora</td>" in page
        assert "Earlier hits" not in page
        assert "Latest hits</a>" not in page
        assert "Latest hits</a>" in read_page(web, "?before=1")
        for number in range(1, 6):
            wagers = [{"seat": seat, "cents": 100} for seat in range(1, 7)]
            house.do(f"/tables/1/rounds/{number}/open", "dora", {"wagers": wagers})
            for seat in range(1, 7):
                house.do(f"/tables/1/rounds/{number}/hits", "dora", {"seat": seat, "hand": "straight"})
            for award in range(6 * number - 4, 6 * number + 2):
                house.do(f"/awards/{award}/confirm", "dora", proof="sam")
            house.do(f"/tables/1/rounds/{number}/close", "dora")
        page = read_page(web, "")
        assert page.count("entered by dora") == LAST_HITS
        assert "Earlier hits" in page
        assert "Latest hits</a>" not in page
