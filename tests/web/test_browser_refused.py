"""A refusal at the table, whoever refuses and whatever for, leaves the felt as it lies and says why in a line."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pitboss.ledger.errors import LedgerError
from pitboss.table.session import TakeSeat
from pitboss.web.rate_limits import RateLimits
from pitboss.web.registry import TableRegistry
from web.browsing import PATIENCE
from web.casino import CHROMIUM, NO_BROWSER
from web.served import Served, cheaply, copied, serving

TEMPLATES = Path(__file__).parents[2] / "src/pitboss/web/templates/table"

needs_browser = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

SPOILT = {
    "it is not formed as it should be": ("key", "short", "key:"),
    "its token is another's": ("csrf", "0" * 64, "this page is out of date"),
    "it is too large": ("key", "k" * 70_000, "the body is too large"),
    "it is of another round": ("round", "99", "this page showed round 99"),
}
"""What is written into a hidden field of a form, and what a refusal then says."""

FAILING = {
    "the server fails": (ZeroDivisionError("nobody expects this"), "Something went wrong on the server"),
    "the database does not hold": (LedgerError("the tables cannot be written now"), "the tables cannot be written now"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A progressive with its people, and tables."""
    with pytest.MonkeyPatch.context() as patch:
        cheaply(patch)
        with serving(*copied(tmp_path_factory.mktemp("house")), patch, floor=True) as made:
            yield made


@pytest.fixture
def guest(browser: Browser, house: Served) -> Iterator[BrowserContext]:
    """Somebody's browser."""
    with browser.new_context(base_url=house.address) as context:
        context.set_default_timeout(PATIENCE)
        yield context


def at(context: BrowserContext, state: str) -> Page:
    """Return the page of a new table: its guest watches it, places wagers at it, or decides."""
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Bots").select_option("1")
    page.locator(".tile[data-game=six-card] button").click()
    page.wait_for_url("**/tables/*")
    if state == "deciding":
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#decision")).to_be_visible()
    if state == "watching":
        page.get_by_text("Chips and seat").click()
        page.get_by_role("button", name="Leave the table").click()
        expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    return page


def acts(page: Page) -> set[str]:
    """Return what the forms of a table ask for."""
    forms = page.locator("#table form[hx-target]")
    return {
        form.rpartition("/")[2]
        for form in forms.evaluate_all("forms => forms.map((form) => form.getAttribute('action'))")
    }


def press(page: Page, act: str, field: str = "", text: str = "") -> None:
    """Press the first button of the form that asks for an act, a hidden field of which is spoilt if one is named."""
    page.locator(f"#table form[action$='/{act}']").first.evaluate(
        """(form, [field, text]) => {
          if (field) form.elements[field].value = text;
          form.querySelector("button").click();
        }""",
        [field, text],
    )


def refused(page: Page, says: str) -> None:
    """Check that a refusal is read at the table, and that the table is still there, also when it is drawn again."""
    alert = page.locator("#table .bar [role=alert]")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text(says, ignore_case=True)
    expect(alert).to_have_text(re.compile(r"^[A-Z0-9'].*[.?!…]$"))
    assert "\n" not in alert.inner_text()
    assert "{" not in alert.inner_text()
    expect(page.locator("#table .felt")).to_be_visible()
    expect(page.locator("#table h1")).to_have_text("Six Card Poker")
    with page.expect_response(lambda answer: answer.url.endswith("/felt")):
        page.locator("#table-news").dispatch_event("sse:changed")
    page.wait_for_timeout(100)  # it is swapped in
    expect(alert).to_contain_text(says, ignore_case=True)
    alert.evaluate("each => each.remove()")  # as the next press does


@pytest.mark.more
@needs_browser
@pytest.mark.in_turn("state")
@pytest.mark.parametrize("state", ["watching", "wagering", "deciding"])
def test_no_refusal_takes_the_felt_away(guest: BrowserContext, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    page = at(guest, state)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    assert acts(page) > {"watching": set(), "wagering": {"wager", "sit"}, "deciding": {"decide"}}[state]
    for act in acts(page):
        for field, text, says in SPOILT.values():
            if field != "round" or act in {"wager", "decide"}:
                press(page, act, field, text)
                refused(page, says)
        for error, says in FAILING.values():
            with monkeypatch.context() as failing:
                failing.setattr(TableRegistry, "execute", _failing(error))
                press(page, act)
                refused(page, says)
        page.route("**/tables/*/*", lambda route: route.fulfill(status=502, body="<html><h1>Bad Gateway</h1></html>"))
        press(page, act)
        expect(page.locator("#table .bar [role=alert]")).to_contain_text("502")
        page.unroute("**/tables/*/*")
        refused(page, "502")
    assert faults == []


def _failing(error: Exception) -> object:
    def fails(*_arguments: object) -> None:
        raise error

    return fails


@pytest.mark.more
@needs_browser
def test_one_request_too_many_leaves_the_felt(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheaply(monkeypatch)
    with (
        serving(*copied(tmp_path), monkeypatch, RateLimits(requests="30/hour"), floor=True) as house,
        browser.new_context(base_url=house.address) as context,
    ):
        context.set_default_timeout(PATIENCE)
        page = at(context, "wagering")
        page.evaluate(
            """async () => {
              const csrf = document.querySelector("[name=csrf]").value;
              const form = () => ({ method: "POST", redirect: "manual", body: new URLSearchParams({ csrf }) });
              while ((await fetch("/look", form())).status !== 429);
            }"""
        )
        for act in acts(page):
            press(page, act)
            refused(page, "too many requests")


@pytest.mark.more
@needs_browser
def test_news_that_are_refused_leave_the_felt(guest: BrowserContext) -> None:
    page = at(guest, "wagering")
    page.route("**/felt", lambda route: route.fulfill(status=503, body='{"detail": "closed"}'))
    with page.expect_response("**/felt"):
        page.locator("#table-news").dispatch_event("sse:changed")
    page.wait_for_timeout(100)
    expect(page.locator("#table .felt")).to_be_visible()
    page.unroute("**/felt")
    page.get_by_role("button", name="Place and deal").click()
    expect(page.locator("#decision")).to_be_visible()


@pytest.mark.more
@needs_browser
def test_at_a_full_table_nobody_is_asked_to_sit_down(guest: BrowserContext, house: Served) -> None:
    page = at(guest, "watching")
    name = page.url.rpartition("/")[2]
    page.get_by_label("Your name").fill("Bea")
    assert house.floor
    for seat in range(1, 7):
        if seat not in house.floor.get_session(name).seats:
            house.floor.execute(
                name, TakeSeat(seat=seat, cents=1_000, name=f"P{seat}"), f"guest-{seat}", f"sit-{name}-{seat}"
            )
    expect(page.locator(".question")).to_have_text("Every seat is taken. You are watching.")
    expect(page.locator("#table").get_by_role("button", name=re.compile("Sit"))).to_have_count(0)


@pytest.mark.more
@needs_browser
@pytest.mark.parametrize("way", ["Sit down", "Sit here"])
def test_who_sits_down_keeps_the_name_and_the_chips_that_were_typed(
    guest: BrowserContext, house: Served, way: str
) -> None:
    page = at(guest, "watching")
    page.get_by_label("Your name").fill("Bea")
    page.get_by_label("Chips, in dollars").fill("250")
    name = page.url.rpartition("/")[2]
    assert house.floor
    house.floor.execute(name, TakeSeat(seat=1, cents=1_000, name="Somebody"), "guest-1", f"sit-{name}")
    expect(page.locator(".seats")).to_contain_text("Somebody")  # drawn again, and nothing is lost that was typed
    expect(page.get_by_label("Your name")).to_have_value("Bea")
    page.get_by_role("button", name=way).last.click()
    expect(page.locator(".own")).to_be_visible()
    held = house.floor.get_session(name).seats
    assert [(each.name, each.chips_cents) for each in held.values() if each.name == "Bea"] == [("Bea", 25_000)]
    assert (6 in held) == (way == "Sit here")


@pytest.mark.more
@needs_browser
def test_who_is_refused_a_seat_keeps_what_was_typed(guest: BrowserContext) -> None:
    page = at(guest, "watching")
    page.get_by_label("Your name").fill("Bea")
    page.get_by_label("Chips, in dollars").fill("a lot")
    page.get_by_role("button", name="Sit here").first.click()
    expect(page.locator("#table .bar [role=alert]")).to_have_count(1)
    expect(page.get_by_label("Your name")).to_have_value("Bea")
    expect(page.get_by_label("Chips, in dollars")).to_have_value("a lot")
    expect(page.locator("#table .felt")).to_be_visible()


def test_every_form_of_a_table_is_sent_and_refused_in_the_same_way() -> None:
    forms = [
        form
        for template in sorted(TEMPLATES.glob("*.html"))
        for form in re.findall(r"<form [^>]*>", template.read_text(encoding="utf-8"))
        if 'action="{{ address }}' in form
    ]
    assert len(forms) > 6
    assert [form for form in forms if "{{ ajax }}" not in form] == []
