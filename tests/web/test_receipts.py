"""Receipts on the web: before the cards, to one's own seat only, of void rounds too, and checked by the page itself."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from clients import open_client
from pitboss.cli.app import run
from pitboss.table.fair_shuffle import VERSION, hash_seed
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.receipts import Receipt, parse_receipt
from pitboss.table.round.history import parse_history
from pitboss.table.session import Phase, TableSession, TableTerms
from web.browsing import visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.served import Served
from web.visits import Visit, token_of


class Guest:
    """A guest at a table, whose client is a program: it hands in a seed of its own."""

    def __init__(self, served: Served, table: str, name: str) -> None:
        self.table, self.name, self.keys = table, name, 0
        self.web = open_client(served.address)
        self.csrf = token_of(self.web.get(f"/tables/{table}").text)

    def do(self, act: str, **fields: str) -> httpx.Response:
        self.keys += 1
        form = {"csrf": self.csrf, "key": f"{self.table}-{self.name}-{self.keys}", **fields}
        answer = self.web.post(f"/tables/{self.table}/{act}", data=form)
        assert answer.status_code == 303, answer.text
        return answer

    def wager(self, number: int, seat: int, seed: str = "") -> None:
        hashed = hash_seed(seed, self.table, number, seat) if seed else ""
        self.do("wager", **{"stake-main": "5", "round": str(number), "seed_hash": hashed})

    def page(self) -> str:
        return self.web.get(f"/tables/{self.table}").text

    def receipt(self, number: int = 0) -> httpx.Response:
        return self.web.get(f"/tables/{self.table}{f'/rounds/{number}' if number else ''}/receipt")


class Table(NamedTuple):
    """A provably fair table with two guests, in seats 1 and 2, and a third who only watches."""

    served: Served
    name: str
    guests: tuple[Guest, Guest, Guest]

    def sitting(self) -> TableSession:
        assert self.served.floor
        return self.served.floor.get_session(self.name)


@pytest.fixture
def table(visit: Visit) -> Iterator[Table]:
    floor = visit.served.floor
    assert floor
    name = floor.open_table(TableTerms(game="six-card", fair=True, decide_seconds=1))
    ann, bo, watcher = (Guest(visit.served, name, each) for each in ("ann", "bo", "watcher"))
    for seat, guest in ((1, ann), (2, bo)):
        guest.do("sit", seat=str(seat), dollars="500", name=guest.name)
    for seat, guest in ((1, ann), (2, bo)):
        guest.wager(1, seat, f"seed of {guest.name}")
    yield Table(visit.served, name, (ann, bo, watcher))
    for guest in (ann, bo, watcher):
        guest.web.close()


def test_a_receipt_comes_before_the_cards_and_only_to_its_own_seat(table: Table) -> None:
    ann, bo, watcher = table.guests
    assert table.sitting().phase is Phase.SEEDS
    answer = ann.receipt()
    assert answer.headers["content-disposition"] == f'attachment; filename="{table.name}-1-receipt.json"'
    receipt = parse_receipt(answer.text)
    key = watcher.web.get("/fair/key").json()
    assert key == {"version": VERSION, "algorithm": "Ed25519", "key": receipt.key}
    assert receipt.is_signed_by(key["key"])
    assert (receipt.table, receipt.round, receipt.seat) == (table.name, 1, 1)
    assert receipt.commitment in ann.page()
    assert key["key"] in watcher.page()
    assert [each.hash for each in receipt.seats] == [
        hash_seed(f"seed of {guest.name}", table.name, 1, seat) for seat, guest in ((1, ann), (2, bo))
    ]
    assert parse_receipt(bo.receipt().text).seat == 2
    assert "Your receipt of round 1" in ann.page()
    assert "Your receipt" not in watcher.page()
    for refused in (watcher.receipt(), watcher.receipt(1), ann.receipt(1), ann.receipt(7)):
        assert refused.status_code == 404, refused.text
    assert watcher.web.get("/tables/none/receipt").status_code == 404
    for guest in (ann, bo):
        guest.do("seed", seed=f"seed of {guest.name}")
    for number, guest in enumerate((ann, bo)):
        guest.do("decide", action="fold", round="1")
        assert table.sitting().snapshot.number == number + 1
    assert ann.receipt().text == ann.receipt(1).text == answer.text
    verified(table, ann, 1, receipt)
    assert "Your receipt" not in watcher.web.get(f"/tables/{table.name}/rounds/1").text
    shared = watcher.web.get(f"/tables/{table.name}/rounds/1?seat=1")  # every card is open once the secret is shown
    assert (shared.status_code, "Your receipt" in shared.text) == (200, False)
    replay = ann.web.get(f"/tables/{table.name}/rounds/1").text
    assert "Your receipt" in replay
    assert f'href="/fair?table={table.name}&amp;round=1"' in replay


def verified(table: Table, guest: Guest, number: int, receipt: Receipt) -> None:
    """Check that the history which a guest loads keeps to a receipt."""
    history = guest.web.get(f"/tables/{table.name}/rounds/{number}/history.toml")
    assert all(check.holds for check in verify_fair_round(parse_history(history.text), [receipt], receipt.key))


def test_a_void_round_is_shown_to_everybody_and_has_a_page_a_history_and_receipts(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bo, watcher = table.guests
    receipt = parse_receipt(ann.receipt().text)
    ann.do("seed", seed="seed of ann")
    assert table.served.floor
    later = table.sitting().snapshot.since + 1
    monkeypatch.setattr(table.served.floor.tables, "_clock", lambda: later)
    table.served.floor.run_automation(table.name)
    line = "Round 1 is void: seat 2 never showed its seed; all wagers were returned."
    for guest in (ann, bo, watcher):
        assert line in guest.page()
        assert line in guest.web.get(f"/tables/{table.name}/rounds/1").text
    assert "so no more seeds are taken here" in bo.page()
    assert "data-seed-of" not in bo.page()
    assert "data-seed-of" in ann.page()
    assert ann.receipt(1).text == ann.receipt().text
    verified(table, watcher, 1, receipt)
    verified(table, watcher, 1, parse_receipt(bo.receipt(1).text))
    ann.wager(2, 1, "another")
    bo.wager(2, 2)
    ann.do("seed", seed="another")
    assert table.sitting().phase is Phase.DECISIONS
    assert line not in ann.page()
    leaks = ann.web.get(f"/tables/{table.name}/leaks")
    assert leaks.status_code == 200


# The page's own script.


needs_browser = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)


def sit_at_fair_table(page: Page) -> str:
    """Open a provably fair table alone, and return its name."""
    page.goto("/open/six-card")
    page.locator("[name=fair]").check()
    page.locator("[name=bots]").select_option("0")
    page.locator("[name=decide_seconds]").fill("600")  # a slow machine shows its seeds late
    page.locator("form[action^='/open'] button[type=submit], form[action^='/open'] button:not([type])").last.click()
    expect(page.locator("input[name=seed_hash]")).to_have_value(re.compile("^[0-9a-f]{64}$"))
    return page.url.rpartition("/")[2]


@pytest.mark.more
@needs_browser
def test_the_page_keeps_the_receipt_before_it_shows_its_seed(browser: Browser, casino: Casino, tmp_path: Path) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        name = sit_at_fair_table(page)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#decision")).to_be_visible()
        assert sent.index("wager") < sent.index("receipt") < sent.index("seed")
        found = page.evaluate("Object.keys(localStorage).map((key) => JSON.parse(localStorage.getItem(key)))")
        [kept] = [each for each in found if isinstance(each, dict) and "seed" in each]
        receipt = parse_receipt(kept["receipt"])
        assert (receipt.table, receipt.commitment, receipt.key) == (name, kept["commitment"], kept["key"])
        page.locator("#decision").get_by_role("button", name="Fold").click()
        expect(page.locator(".question")).to_contain_text("Place your wagers")
        page.get_by_text("Provably fair shuffle").click()
        page.route("**/receipt", lambda route: route.abort())  # the house gives it no more: the browser has its own
        with page.expect_download() as download:
            page.get_by_role("link", name="Your receipt of round 1").click()
        download.value.save_as(tmp_path / "receipt.json")
        with page.expect_download() as download:
            page.get_by_role("link", name="history").click()
        download.value.save_as(tmp_path / "round.toml")
    assert (tmp_path / "receipt.json").read_text() == kept["receipt"]
    asked = ["verify", tmp_path / "round.toml", "--receipt", tmp_path / "receipt.json", "--house-key", receipt.key]
    assert run([str(each) for each in asked]) == 0


Change = Callable[[dict[str, Any]], Any]

LIES: dict[str, tuple[Change, str]] = {
    "another commitment": (lambda said: said | {"commitment": "0" * 64}, "changed its commitment"),
    "another hash": (
        lambda said: said | {"seats": [{**said["seats"][0], "hash": "1" * 64}]},
        "that this browser did not hand in",
    ),
    "no hash": (lambda said: said | {"seats": [{**said["seats"][0], "hash": ""}]}, "did not hand in"),
    "another seat": (lambda said: said | {"seat": 5, "seats": [{**said["seats"][0], "seat": 5}]}, "another seat"),
    "another round": (lambda said: said | {"round": 9}, "another table or round"),
    "another table": (lambda said: said | {"table": "elsewhere"}, "another table or round"),
    "another game": (lambda said: said | {"game": "lunar"}, "another game"),
    "another key": (lambda said: said | {"key": "2" * 64}, "its key is not the one"),
    "a seat twice": (lambda said: said | {"seats": said["seats"] * 2}, "its seats are not in order"),
    "an older method": (lambda said: said | {"version": "pitboss-fair-1"}, "not pitboss-fair-2"),
    "no signature": (lambda said: said | {"signature": "0" * 128}, "its signature is not valid"),
    "a list added to": (
        lambda said: said | {"seats": [*said["seats"], {"seat": 6, "hash": "3" * 64}]},
        "its signature is not valid",
    ),
}


ASKED = """async ([receipt, place, version, kept]) => {
  const { findFault } = await import("/static/fair.js");
  return findFault(receipt, place, version, kept);
}"""


@pytest.mark.more
@needs_browser
def test_the_page_shows_no_seed_on_a_wrong_receipt(browser: Browser, casino: Casino) -> None:
    """The house lies, and then tells the truth, and the round goes on; every other lie is found by the same script."""
    with visitor(browser, casino) as context:
        page = context.new_page()
        sit_at_fair_table(page)
        told: list[dict[str, Any]] = []

        def lie(route: Route) -> None:
            answer = route.fetch()
            told.append(answer.json())
            route.fulfill(response=answer, body=json.dumps(told[0] | {"commitment": "0" * 64}))

        page.route("**/receipt", lie)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
        page.get_by_role("button", name="Place and deal").click()
        alert = page.locator("[data-shows-seed] [role=alert]")
        expect(alert).to_contain_text("changed its commitment since you wagered. Your seed was not shown")
        page.get_by_role("button", name="Add a bot").first.click()
        expect(page.get_by_role("button", name="Add a bot")).to_have_count(4)  # the table is drawn again
        expect(alert).to_contain_text("changed its commitment since you wagered. Your seed was not shown")
        assert "seed" not in sent
        page.unroute("**/receipt")
        page.get_by_role("button", name="Show your seed").click()
        expect(page.locator("#decision")).to_be_visible()
        assert "seed" in sent
        place = "/".join(str(told[0][part]) for part in ("table", "round", "seat"))
        kept = json.loads(page.evaluate("(start) => localStorage.getItem(start)", kept_under(told[0], place)))
        assert page.evaluate(ASKED, [told[0], place, VERSION, kept]) == ""
        for change, why in LIES.values():
            said = change(told[0])
            own = [each["hash"] for each in said["seats"] if each["seat"] == said["seat"]]
            found = kept if own[0] == kept["hash"] else None
            assert why in page.evaluate(ASKED, [said, place, VERSION, found]), why


def kept_under(receipt: dict[str, Any], place: str) -> str:
    """Return the name under which the page keeps what it knows of a receipt's round."""
    [own] = [each["hash"] for each in receipt["seats"] if each["seat"] == receipt["seat"]]
    return f"fair {place} {own}"


@pytest.mark.more
@needs_browser
def test_two_tabs_and_a_reload_find_the_seed_that_counts(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        sit_at_fair_table(page)
        first = page.locator("input[name=seed_hash]").input_value()
        other = context.new_page()
        other.goto(page.url)
        expect(other.locator("input[name=seed_hash]")).to_have_value(first)
        page.close()
        other.route("**/receipt", lambda route: route.abort())
        other.get_by_role("button", name="Place and deal").click()
        expect(other.locator("[data-shows-seed] [role=alert]")).to_contain_text("No receipt came from the house")
        other.unroute("**/receipt")
        other.reload()
        expect(other.locator("#decision")).to_be_visible()


REDRAWN = """async (address) => {
  await htmx.ajax("GET", `${address}/felt`, { source: "#table", target: "#table", swap: "morph:outerHTML" });
}"""


@needs_browser
def test_an_answer_that_comes_after_the_news_draws_no_second_table(browser: Browser, casino: Casino) -> None:
    """The news may have made another element of the form that sent a seed: any element draws the table alike."""
    with visitor(browser, casino) as context:
        page = context.new_page()
        name = sit_at_fair_table(page)
        page.evaluate(REDRAWN, f"/tables/{name}")
        assert page.locator("#table").count() == 1
