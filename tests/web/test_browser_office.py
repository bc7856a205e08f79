"""The office's pages in a real browser: staff, settings, tables and the shift, each with its second person."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pitboss.jackpot.roles import Role
from web.browsing import accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.consoles import logged_in, prove
from web.served import CHOSEN, Served, cheaply, copied, serving

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

REQUEST = "form[data-api='POST /api/staff']"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, and its pages."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


def approve(page: Page, house: Served, number: int, name: str = "eve") -> str:
    """Approve a request on the console; return what the page then says."""
    page.goto("/progressive/console")
    form = f"form[data-api='POST /api/requests/{number}/approve']"
    prove(page, house, name, form)
    page.locator(form).get_by_role("button", name="Approve").click()
    told = page.locator(f"{form} output, #told").filter(has_text="approved")
    expect(told).to_be_visible()
    return told.inner_text()


def half(line: str) -> str:
    """Return the half of a code in a line."""
    return line.partition("code to enrol is ")[2].partition(" ")[0]


@pytest.mark.more
def test_two_people_appoint_somebody_who_enrols_and_is_revoked(browser: Browser, house: Served) -> None:
    asking, approving = logged_in(browser, house, "sue"), logged_in(browser, house, "eve")
    follow(asking, asking.get_by_role("link", name="Staff"))
    accessible(asking)
    prove(asking, house, "sue", REQUEST)
    asking.get_by_label("Who is appointed").fill("dan")
    asking.locator("select[name=role]").select_option("Dealer")
    asking.get_by_role("button", name="Request this account").click()
    expect(asking.locator(f"{REQUEST} output")).to_contain_text("The account is requested. dan: your half")
    first = half(asking.locator(f"{REQUEST} output").inner_text())
    expect(asking.locator(f"{REQUEST} output code")).to_have_text(first)  # alone, to be copied
    second = half(approve(approving, house, 7))
    expect(approving.locator("[data-request='7'] output code")).to_have_text(second)
    expect(approving.locator("[data-request='7']").get_by_role("button")).to_have_count(0)  # it is approved
    person = visitor(browser, house).new_page()
    person.goto("/progressive/enrol")
    person.get_by_label("Name").fill("dan")
    person.get_by_label("Your code").fill(first + second)
    person.get_by_role("button", name="Continue").click()
    person.get_by_label("New password").fill(CHOSEN)
    person.get_by_label("Repeat the password").fill(CHOSEN)
    follow(person, person.get_by_role("button", name="Enrol"))
    asking.reload()
    expect(asking.get_by_role("row", name="dan")).to_contain_text("Enrolled")
    expect(asking.get_by_role("row", name="eve")).to_contain_text("UTC")
    asking.locator("summary", has_text="dan").click()
    revoke = "form[data-api='POST /api/staff/dan/end']"
    prove(asking, house, "sue", revoke)
    follow(asking, asking.locator(revoke).get_by_role("button"))
    expect(asking.locator("#told")).to_have_text(
        re.compile("^The end of dan.s account is requested. Another person must approve it.$")
    )
    kept(asking, "progressive-staff")
    assert "Request 8 is approved and done." in approve(approving, house, 8)
    assert not house.controller.refresh().staff["dan"].active
    assert house.controller.state.staff["dan"].role is Role.DEALER
    asking.reload()
    expect(asking.get_by_role("row", name="dan")).to_contain_text("Ended")


@pytest.mark.more
def test_settings_are_requested_in_dollars_and_percent_and_approved_by_another(browser: Browser, house: Served) -> None:
    page = logged_in(browser, house, "eve")
    follow(page, page.get_by_role("link", name="Settings"))
    accessible(page)
    page.get_by_label("Why").fill("a larger meter")
    page.get_by_role("button", name="Request these settings").click()
    expect(page.get_by_role("alert").filter(has_text="Nothing is different")).to_be_visible()
    page.get_by_label("Share of a wager for the meter, percent").fill("15.5")
    page.get_by_label("Limit of the display, dollars").fill("$50,000")
    page.get_by_label("Key names").select_option("Display")
    page.get_by_role("button", name="Request these settings").click()
    said = page.locator("output")
    expect(said).to_contain_text("The settings are requested. Another executive must approve them")
    expect(said).to_contain_text("Advice: ")  # more than the preset goes to the meter
    kept(page, "progressive-settings")
    request = house.controller.refresh().requests[7].change.model_dump()["settings"]
    changed = {name: request[name] for name in ("meter_bps", "limit_cents", "words", "seed_cents")}
    assert changed == {"meter_bps": 1_550, "limit_cents": 5_000_000, "words": "display", "seed_cents": 1_000_000}
    approving = logged_in(browser, house, "max")
    approve(approving, house, 7, "max")
    page.reload()
    expect(page.locator(".review")).to_contain_text("15.5%")
    page.get_by_label("Limit of the display, dollars").fill("")  # none again
    page.get_by_label("Why").fill("no limit")
    page.get_by_role("button", name="Request these settings").click()
    expect(said).to_contain_text("requested")
    assert house.controller.refresh().requests[8].change.model_dump()["settings"]["limit_cents"] == -1


def test_a_request_is_declined_with_a_reason(browser: Browser, house: Served) -> None:
    house.do("/adjustments", "sue", {"account": "meter", "cents": -5, "reason": "malfunction", "text": "a nickel"})
    page = logged_in(browser, house, "eve")
    page.get_by_text("Decline or withdraw request 7").click()
    form = "form[data-api='POST /api/requests/7/decline']"
    prove(page, house, "eve", form)
    page.locator(form).get_by_label("Why").fill("no nickel is missing")
    follow(page, page.locator(form).get_by_role("button", name="Decline"))
    expect(page.locator("#told")).to_have_text("Request 7 is declined.")
    assert not house.controller.refresh().requests


@pytest.mark.more
def test_a_shift_sees_what_it_takes_over_and_closes_a_table(browser: Browser, house: Served) -> None:
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": 3, "cents": 100}]})
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 3, "hand": "straight-flush"})
    page = logged_in(browser, house, "sue")
    follow(page, page.get_by_role("link", name="Shift"))
    expect(page.locator("main")).to_contain_text("Award 1, straight flush $1,000.01 at table 1: to be confirmed.")
    expect(page.get_by_role("row", name="dora")).to_contain_text("Dealer")
    assert not page.get_by_role("row", name="abe").count()
    accessible(page)
    follow(page, page.get_by_role("link", name="Progressive tables"))
    expect(page.get_by_role("row", name="Table 1")).to_contain_text("round 1 in play, 1 wager")
    accessible(page)
    kept(page, "progressive-tables")
    page.locator("select[name=table]").select_option("Table 2")
    page.get_by_label("What is wrong").fill("the lamp is out")
    follow(page, page.get_by_role("button", name="Report"))
    expect(page.locator("#told")).to_contain_text("The incident is open")
    assert house.controller.refresh().incidents[1].table == 2


def test_every_page_fits_a_phone(browser: Browser, house: Served) -> None:
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in range(1, 7)]})
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 3, "hand": "straight-flush", "cards": "9s 8s 7s 6s 5s"})
    house.do("/awards/1/confirm", "dora", proof="sam")
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 4, "hand": "four-of-a-kind"})
    house.do("/settings", "sam", {"changes": {"staff_apart_hours": 48, "limit_cents": 300_000_000}, "text": "longer"})
    house.do("/incidents", "sam", {"table": 2, "text": "the keypad hangs"})
    page = logged_in(browser, house, "sue")
    page.set_viewport_size({"width": 390, "height": 844})
    console = "/progressive/console"
    offices = page.locator("nav[aria-label=Consoles] a").evaluate_all("links => links.map(link => link.pathname)")
    assert len(offices) == 6
    for path in (*offices, f"{console}/tables/1", f"{console}/tables/2", "/progressive/enrol"):
        page.goto(path)
        wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], path
        inner = page.locator(".scroll").evaluate_all("parts => parts.map(part => part.scrollWidth - part.clientWidth)")
        assert not any(inner), path
        narrow = page.locator(".review dd").evaluate_all("parts => parts.map(part => part.clientWidth)")
        assert all(width > 100 for width in narrow), path
        keys = page.locator("[data-card]").evaluate_all("keys => keys.map(key => key.getBoundingClientRect().width)")
        assert all(width >= 32 for width in keys), path
        assert len(keys) == (52 if path == f"{console}/tables/1" else 0)


def test_an_award_is_confirmed_from_the_banner_with_password_and_code(browser: Browser, house: Served) -> None:
    house.do("/tables/2/rounds/1/open", "dora", {"wagers": [{"seat": 3, "cents": 100}]})
    house.do("/tables/2/rounds/1/hits", "dora", {"seat": 3, "hand": "straight-flush"})
    page = logged_in(browser, house, "sue")
    follow(page, page.get_by_role("link", name="Table 2: straight flush, $1,000.01"))
    expect(page.locator("#award-1")).to_be_in_viewport()
    proof = house.proof("sue")
    page.get_by_label("Password").fill("not the password")
    page.get_by_label("Code").fill(proof["code"])
    page.get_by_role("button", name="Confirm the award (JPH, J-POT)").click()
    expect(page.locator("#confirm-1").get_by_role("alert")).to_have_text("Name, password or code is wrong.")
    page.get_by_label("Password").fill(proof["password"])
    page.get_by_role("button", name="Confirm the award (JPH, J-POT)").click()
    expect(page.locator("#award-1")).to_contain_text("confirmed by sue")
    accessible(page)


def test_a_refusal_begins_with_a_capital_but_a_name_stays_as_it_is(browser: Browser, house: Served) -> None:
    page = visitor(browser, house).new_page()
    page.goto("/progressive/console")
    prove(page, house, "dora")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_have_text("Name, password or code is wrong.")
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": 3, "cents": 100}]})
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 3, "hand": "full-house"})
    dealer = logged_in(browser, house, "dora")
    dealer.goto("/progressive/console/tables/1")
    prove(dealer, house, "dora", "#confirm-1")
    dealer.get_by_role("button", name="Confirm the award").click()
    alert = dealer.locator("#confirm-1").get_by_role("alert")
    expect(alert).to_have_text("dora has the role dealer: confirm is for supervisor, executive.")
