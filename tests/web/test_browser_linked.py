"""A progressive hit from bet to win page on a table in the browser: guests, a dealer, a supervisor and the big sign."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from jackpot.house import appointed
from pitboss.jackpot.roles import Role
from table.laying import SIX_CARD
from web.browsing import SIZES, accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.served import Served, cheaply, copied, serving

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

HANDS = "9h 8h 7h 6h 5h 2c Kc Jc 9c 7c 3h 2s Ah Jd Td 8c 6c 3s"  # seat 1, seat 2, the dealer


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, and tables."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


def opened(browser: Browser, house: Served, path: str, size: str = "desktop") -> Page:
    """Return a page in a browser of its own."""
    page = visitor(browser, house, size, accept_downloads=True).new_page()
    page.goto(path)
    return page


def prove(page: Page, house: Served, name: str, within: str) -> None:
    """Write somebody's credentials into a form."""
    form, proof = page.locator(within), house.proof(name)
    for label, field in (("Name", "name"), ("Password", "password"), ("Code", "code")):
        form.get_by_label(label).fill(proof[field])


def at_console(browser: Browser, house: Served, name: str) -> Page:
    """Return table 1's console, with somebody logged in."""
    page = opened(browser, house, "/progressive/console/tables/1")
    prove(page, house, name, "form[data-api='POST /api/session']")
    follow(page, page.get_by_role("button", name="Log in"))
    follow(page, page.get_by_role("link", name="Table 1", exact=True))
    expect(page.get_by_role("heading", name="Table 1")).to_be_visible()
    return page


def joined(browser: Browser, house: Served, size: str, seat: int) -> Page:
    """Return a guest's page who joined the linked table from the lobby."""
    page = opened(browser, house, "/", size)
    follow(page, page.get_by_role("link", name="Play for it at table 1"))
    if size == "phone":  # its form is folded
        page.locator(".sits summary").click()
    page.get_by_label("Your name").fill(f"Guest {seat}")
    page.get_by_role("button", name=f"Sit here in seat {seat}").click()
    expect(page.locator(".question")).to_contain_text("Place your wagers")
    return page


@pytest.mark.more
def test_a_progressive_hit_from_bet_to_win_page(browser: Browser, house: Served, tmp_path: Path) -> None:
    sign = opened(browser, house, "/progressive")
    dealer = at_console(browser, house, "dora")
    dealer.get_by_role("button", name="Open this table in the browser").click()
    expect(dealer.get_by_text("Dealt by dora")).to_be_visible()
    accessible(dealer)
    kept(dealer, "linked-console")

    lobby = opened(browser, house, "/", "phone")
    expect(lobby.get_by_role("row", name="for the progressive, table 1")).to_be_visible()
    accessible(lobby)
    kept(lobby, "linked-lobby")
    guests = [joined(browser, house, size, seat) for seat, size in ((1, "desktop"), (2, "phone"))]
    house.laid.lay(SIX_CARD, HANDS)
    for guest in guests:
        expect(guest.locator(".status")).to_contain_text("$10,000.00")
        guest.get_by_role("button", name="Add a chip to Progressive").locator("..").get_by_role("textbox").fill("1")
        guest.get_by_role("button", name="Place and deal").click()
        expect(guest.locator(".question")).not_to_contain_text("Place your wagers")
    expect(guests[1].locator(".own .hand li").first).to_be_visible()
    expect(sign.locator(".jackpot")).to_have_text("$10,000.28")
    for guest in guests:
        expect(guest.locator(".status")).to_contain_text("$10,000.28")
        guest.get_by_role("button", name="Play").first.click()
    for guest, size in zip(guests, ("desktop", "phone"), strict=True):
        waits = guest.locator("#waits")
        expect(waits).to_have_text("Waiting for the supervisor to confirm $1,000.02: straight flush at seat 1.")
        accessible(guest)
        kept(guest, f"linked-waiting-{size}")
        assert guest.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    expect(guests[0].locator(".own")).to_contain_text("+$999.02")
    expect(guests[0].locator(".status strong")).to_have_text("$1,004")  # Ante and Play are paid, the award is not yet

    supervisor = at_console(browser, house, "sue")
    award = supervisor.locator("[data-award]")
    expect(award).to_contain_text("$1,000.02")
    expect(supervisor.get_by_role("button", name="cancel")).to_have_count(0)
    prove(supervisor, house, "sue", "[data-award]")
    kept(supervisor, "linked-confirm")
    with supervisor.expect_download() as download:
        supervisor.get_by_role("button", name="JPH, J-POT").click()
    expect(award).to_contain_text("confirmed by sue")
    dealer.get_by_role("button", name="Pay", exact=True).click()
    download.value.save_as(tmp_path / "win.pdf")
    page = PdfReader(tmp_path / "win.pdf").pages[0].extract_text()
    assert "1,000.02" in page
    assert "9h 8h 7h 6h 5h" in page

    for guest in guests:
        expect(guest.locator(".question")).to_contain_text("Place your wagers")  # the table went on by itself
        expect(guest.locator("#waits")).to_have_text("")
    expect(guests[0].locator(".status strong")).to_have_text("$2,004.02")  # Play, the award, and no Ante lost
    expect(guests[1].locator(".own")).to_contain_text("+$10")  # envy
    expect(sign.locator(".jackpot")).to_have_text("$9,000.26")
    expect(dealer.get_by_role("heading", name="Round 2")).to_be_visible()
    kept(guests[0], "linked-paid")


@pytest.mark.more
def test_another_dealer_takes_over(browser: Browser, house: Served) -> None:
    dealer = at_console(browser, house, "dora")
    dealer.get_by_role("button", name="Open this table in the browser").click()
    expect(dealer.get_by_text("Dealt by dora")).to_be_visible()
    guest = joined(browser, house, "phone", 3)
    appointed(house.controller, "dora", Role.DEALER, active=False)
    said = "No cards are dealt: dora no longer deals, so staff must take over table 1 at its console."
    expect(guest.locator("#waits")).to_have_text(said)
    guest.get_by_role("button", name="Place and deal").click()
    expect(guest.locator(".question")).to_have_text("All wagers are placed: deal.")
    expect(guest.locator("#waits")).to_have_text(said)
    assert not house.controller.refresh().rounds
    accessible(guest)
    kept(guest, "linked-no-dealer")
    other = at_console(browser, house, "sam")
    other.get_by_role("button", name="Take over this table").click()
    expect(other.get_by_text("Dealt by sam")).to_be_visible()
    expect(guest.locator(".status")).to_contain_text("dealt by sam")
    guest.get_by_role("button", name="Deal", exact=True).click()
    expect(guest.locator("#decision")).to_be_visible()
