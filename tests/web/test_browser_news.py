"""News that come while a page is still being drawn after the last: none is lost, and what is older does not stay."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Route, expect

from pitboss.table.session import TakeSeat
from web.browsing import PATIENCE
from web.casino import CHROMIUM, NO_BROWSER
from web.served import Served, cheaply, copied, serving

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

WAGER = {"wagers": [{"seat": 1, "cents": 100}]}
COUNTED = """document.addEventListener("htmx:sseMessage", (event) => {
  const body = document.body, name = `data-heard-${event.target.id}`;
  body.setAttribute(name, (body.getAttribute(name) ?? "") + ".");
});"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, and tables."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


class Slow:
    """A page on a slow line: what the server answers when it is asked for a part of it comes when it is let through."""

    def __init__(self, browser: Browser, house: Served, path: str, part: str, asked_at: str) -> None:
        """Load the page, and wait until it listens."""
        context = browser.new_context(base_url=house.address)
        context.set_default_timeout(PATIENCE)
        context.request.post("/api/session", data={**house.proof("dora"), "cookie": True})
        context.add_init_script(COUNTED)
        self._page, self._part = context.new_page(), part
        self._on_the_line: list[tuple[Route, APIResponse]] = []
        self._is_slow = True
        with self._page.expect_response(lambda answer: "/events" in answer.url):
            self._page.goto(path)
        self._page.route(f"{house.address}{asked_at}", self._answered)

    def _answered(self, route: Route) -> None:
        answer = route.fetch()
        if self._is_slow:
            self._on_the_line.append((route, answer))
        else:
            route.fulfill(response=answer)

    @property
    def part(self) -> Locator:
        """The part that is drawn again."""
        return self._page.locator(self._part)

    def hears(self, times: int) -> None:
        """Wait until the part has been told so often that there is news."""
        told = re.compile(rf"^\.{{{times},}}$")
        expect(self._page.locator("body")).to_have_attribute(f"data-heard-{self._part[1:]}-news", told)

    def asks(self) -> None:
        """Wait until the server has answered what the part asks for."""
        for _ in range(PATIENCE // 10):
            if self._on_the_line:
                return
            self._page.wait_for_timeout(10)
        pytest.fail(f"{self._part} has asked for nothing")

    def is_told(self) -> None:
        """Let an answer through: the latest, where one could overtake another."""
        self.asks()
        self._page.wait_for_timeout(200)  # does it ask again meanwhile?
        route, answer = self._on_the_line.pop()
        with self._page.expect_response(answer.url):
            route.fulfill(response=answer)
        self._page.wait_for_timeout(100)  # and does it now?

    def catches_up(self) -> None:
        """Let all answers through, also those that are asked for later."""
        while self._on_the_line:
            self.is_told()
        self._is_slow = False


@pytest.mark.more
def test_a_consoles_news(browser: Browser, house: Served) -> None:
    console = "/progressive/console/tables/1"
    slow = Slow(browser, house, console, "#console", console)
    house.do("/tables/1/rounds/1/open", "dora", WAGER)
    slow.asks()
    house.do("/tables/1/rounds/1/close", "dora")
    slow.hears(2)
    slow.is_told()
    expect(slow.part.get_by_role("heading", name="Round 1 in play")).to_be_visible()
    slow.catches_up()
    expect(slow.part.get_by_role("heading", name="Round 2")).to_be_visible()


@pytest.mark.more
def test_a_signs_news(browser: Browser, house: Served) -> None:
    slow = Slow(browser, house, "/progressive", "#amount", "/progressive/display")
    slow.hears(1)  # how it stands is told to whoever begins to listen
    house.do("/tables/1/rounds/1/open", "dora", WAGER)
    slow.hears(2)  # changes that come close together are told once
    slow.asks()
    house.do("/tables/2/rounds/1/open", "dora", WAGER)
    slow.hears(3)
    slow.catches_up()
    expect(slow.part).to_contain_text("$10,000.28")


def sits(house: Served, table: str, seat: int) -> None:
    """Have a guest sit down elsewhere."""
    assert house.floor is not None
    house.floor.execute(table, TakeSeat(seat=seat, cents=10_000, name=f"Guest {seat}"), f"guest-{seat}", f"sit-{seat}")


@pytest.mark.more
def test_a_tables_news(browser: Browser, house: Served) -> None:
    table = house.do("/tables/1/browser", "dora")["table"]
    slow = Slow(browser, house, f"/tables/{table}", "#table", f"/tables/{table}/felt")
    for seat in (1, 2):
        sits(house, table, seat)
        slow.hears(seat)
        slow.asks()
    slow.is_told()
    expect(slow.part).to_contain_text("Seat 1: Guest 1")
    slow.asks()  # how the table stands now: its second guest
    sits(house, table, 3)
    slow.hears(3)
    slow.catches_up()
    expect(slow.part).to_contain_text("Seat 3: Guest 3")


@pytest.mark.more
def test_news_that_overtake_the_answer_to_ones_own_command(browser: Browser, house: Served) -> None:
    table = house.do("/tables/1/browser", "dora")["table"]
    slow = Slow(browser, house, f"/tables/{table}", "#table", f"/tables/{table}/sit")
    slow.part.get_by_role("button", name="Sit here").first.click()
    slow.asks()
    sits(house, table, 4)
    expect(slow.part).to_contain_text("Seat 4: Guest 4")
    slow.catches_up()
    expect(slow.part.locator(".own")).to_be_visible()
    expect(slow.part).to_contain_text("Seat 4: Guest 4")


@pytest.mark.more
def test_the_answer_to_a_command_is_not_asked_for_again(browser: Browser, house: Served) -> None:
    with browser.new_context(base_url=house.address) as context:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(COUNTED)
        context.add_cookies([{"name": "pitboss-look", "value": "system.two.normal.off", "url": house.address}])
        page = context.new_page()
        page.goto("/")
        page.get_by_label("Bots").select_option("2")
        page.locator(".tile[data-game=six-card] button").click()
        page.get_by_role("button", name="Place and deal").wait_for()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.method} {request.url.rsplit('/', 1)[-1]}"))
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#decision")).to_be_visible()
        page.get_by_role("button", name="Fold").click()
        expect(page.locator("#wagers")).to_be_visible()
        expect(page.locator("body")).to_have_attribute("data-heard-table-news", re.compile(r"^\.{2,}$"))
        page.wait_for_timeout(600)  # does it ask now?
        assert [each for each in asked if each in {"GET felt", "POST wager", "POST decide"}] == [
            "POST wager",
            "POST decide",
        ]


@pytest.mark.more
def test_what_happened_before_a_page_listened_is_told_when_it_does(browser: Browser, house: Served) -> None:
    table = house.do("/tables/1/browser", "dora")["table"]
    pages = {"/progressive/console/tables/1": "Round 1 in play", f"/tables/{table}": "$10,000.14"}
    context = browser.new_context(base_url=house.address)
    context.set_default_timeout(PATIENCE)
    context.request.post("/api/session", data={**house.proof("dora"), "cookie": True})
    deaf: list[Route] = []

    def wait(route: Route) -> None:
        deaf.append(route)

    context.route("**/events?*", wait)
    opened = [context.new_page() for _ in pages]
    for page, path in zip(opened, pages, strict=True):
        page.goto(path)
    house.do("/tables/1/rounds/1/open", "dora", WAGER)
    while len(deaf) < len(pages):
        opened[0].wait_for_timeout(10)
    for route in deaf:
        route.continue_()
    for page, told in zip(opened, pages.values(), strict=True):
        expect(page.locator("#main")).to_contain_text(told)


@pytest.mark.more
def test_what_somebody_writes_at_a_console_stays_when_there_is_news(browser: Browser, house: Served) -> None:
    three = {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]}
    house.do("/tables/1/rounds/1/open", "dora", three)
    console = "/progressive/console/tables/1"
    part = Slow(browser, house, console, "#console", "/nothing").part
    part.locator("select[name=seat]").select_option("3")
    part.get_by_label("Winning hand").select_option("straight-flush")
    part.get_by_label("Cards").fill("9s 8s 7s 6s 5s")
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 6, "hand": "royal-flush", "cards": ""})
    first, second = (part.locator(f"#award-{number}") for number in (1, 2))
    first.get_by_label("Password").fill("not sent yet")
    expect(part.locator("select[name=seat]")).to_have_value("3")
    part.get_by_role("button", name="Enter the hand").click()
    expect(second).to_contain_text("seat 3, straight flush")
    expect(second.get_by_label("Password")).to_have_count(0)  # award 1 comes first
    expect(first.get_by_label("Password")).to_have_value("not sent yet")
    expect(part.get_by_label("Cards")).to_have_value("")  # what was sent is done with
    house.do("/awards/1/cancel", "dora")
    expect(second.get_by_label("Password")).to_have_value("")  # what was written for award 1 is not taken over
