"""A progressive in a real browser: from the bet to the win page, at the consoles of dealer, supervisor and auditor."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pyotp
import pytest
from playwright.sync_api import Browser, Dialog, Locator, Page, expect
from pypdf import PdfReader

from jackpot.house import appointed
from pitboss.jackpot.roles import Role
from pitboss.web.qr_code import trace_qr
from web.browsing import accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.consoles import logged_in, prove
from web.served import Served, cheaply, copied, serving

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, and its pages."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


@pytest.mark.more
def test_from_bet_to_win_page(browser: Browser, house: Served, tmp_path: Path) -> None:
    sign = visitor(browser, house).new_page()
    sign.goto("/progressive")
    expect(sign.locator(".jackpot")).to_have_text("$10,000.00")
    accessible(sign)
    dealer = logged_in(browser, house, "dora")
    follow(dealer, dealer.get_by_role("link", name="Table 1", exact=True))
    accessible(dealer)
    for seat in (1, 3, 6):
        dealer.get_by_label(f"Seat {seat}", exact=True).check()
    dealer.get_by_role("button", name="COIN IN").click()
    expect(dealer.get_by_role("heading", name="Round 1 in play")).to_be_visible()
    expect(sign.locator(".jackpot")).to_have_text("$10,000.42")  # three times 14 cents, seen elsewhere
    dealer.locator("select[name=seat]").select_option("3")
    dealer.get_by_label("Winning hand").select_option("straight-flush")
    dealer.get_by_label("Cards").fill("9s 8s 7s 6s 5s")
    dealer.get_by_role("button", name="Enter the hand").click()
    award = dealer.locator("[data-award]")
    expect(award).to_contain_text("$1,000.04")
    accessible(dealer)
    dealer.get_by_role("button", name="GAME OVER").click()
    expect(dealer.get_by_role("alert").filter(has_text="pending")).to_be_visible()
    kept(dealer, "progressive-dealer")
    prove(dealer, house, "dora", "[data-award]")
    dealer.get_by_role("button", name="JPH, J-POT").click()
    expect(dealer.get_by_role("alert").filter(has_text="dora has the role dealer")).to_be_visible()
    prove(dealer, house, "sue", "[data-award]")
    with dealer.expect_download() as download:
        dealer.get_by_role("button", name="JPH, J-POT").click()
    download.value.save_as(tmp_path / "win.pdf")
    page = PdfReader(tmp_path / "win.pdf").pages[0].extract_text()
    assert "1,000.04" in page
    assert "print 1 of award 1" in page
    expect(award).to_contain_text("confirmed by sue")
    dealer.get_by_role("button", name="Pay", exact=True).click()
    expect(award).to_contain_text("paid by dora")
    expect(dealer.get_by_role("alert")).to_have_count(0)  # the refusal is no longer true
    dealer.get_by_role("button", name="GAME OVER").click()
    expect(dealer.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(sign.locator(".jackpot")).to_have_text("$9,000.38")
    kept(sign, "progressive-display")
    supervisor = logged_in(browser, house, "sue")
    with supervisor.expect_download() as download:
        supervisor.get_by_role("button", name="Reprint").click()
    download.value.save_as(tmp_path / "again.pdf")
    assert "REPRINT, print 2 of award 1" in PdfReader(tmp_path / "again.pdf").pages[0].extract_text()
    accessible(supervisor)


@pytest.mark.more
def test_the_dealer_clicks_the_cards_and_sees_each_seats_envy(browser: Browser, house: Served) -> None:
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]})
    page = logged_in(browser, house, "dora")
    follow(page, page.get_by_role("link", name="Table 1", exact=True))
    page.locator("select[name=seat]").select_option("3")
    page.get_by_label("Winning hand").select_option("straight-flush")
    for card in ("Nine of spades", "Eight of spades", "Two of clubs", "Seven of spades"):
        page.get_by_role("button", name=card).click()
    page.get_by_role("button", name="Two of clubs").click()  # a slip, taken back
    page.get_by_role("button", name="Six of spades").focus()
    page.keyboard.press("Enter")  # without a mouse
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_label("Cards")).to_have_value("9s 8s 7s 6s 5s")
    expect(page.get_by_role("button", name="Five of spades")).to_have_attribute("aria-pressed", "true")
    accessible(page)
    page.get_by_role("button", name="Enter the hand").click()
    expect(page.locator("[data-award]")).to_contain_text("$1,000.04")
    expect(page.locator("[data-card][aria-pressed=true]")).to_have_count(0)  # ready for the next hand
    assert not page.locator(".envy").count()  # nobody has confirmed the hand
    hit(house, 6, "royal-flush")
    for award in (2, 1):
        house.do(f"/awards/{award}/confirm", "dora", proof="eve")
    due = page.locator(".envy li")
    expect(due).to_have_text(
        [
            "Seat 1 $110.00 for royal flush of seat 6 and straight flush of seat 3",
            "Seat 3 $100.00 for royal flush of seat 6",
            "Seat 6 $10.00 for straight flush of seat 3",
        ]
    )
    page.get_by_role("button", name="GAME OVER").click()
    expect(page.get_by_role("heading", name="Envy of round 1")).to_be_visible()
    expect(due).to_have_count(3)
    assert house.controller.refresh().counts[1].envy_cents == 22_000


def hit(house: Served, seat: int, hand: str = "flush") -> None:
    """Enter a hand at table 1 from elsewhere."""
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": seat, "hand": hand})


@pytest.mark.more
def test_a_console_drawn_again_keeps_what_is_written_and_a_button_held_down(browser: Browser, house: Served) -> None:
    house.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in (1, 3, 6)]})
    hit(house, 3)
    page = logged_in(browser, house, "sue")
    follow(page, page.get_by_role("link", name="Table 1", exact=True))
    prove(page, house, "sue", "[data-award='1']")
    page.get_by_label("Cards").fill("9s 8s")
    page.locator("[data-award='1']").get_by_label("Name").fill("eve")
    page.get_by_role("button", name="JPH, J-POT").click()
    refused = page.get_by_role("alert").filter(has_text="wrong")
    expect(refused).to_be_visible()
    page.locator("[data-award='1']").get_by_label("Name").fill("sue")
    page.get_by_role("button", name="JPH, J-POT").hover()
    page.mouse.down()
    hit(house, 1)
    expect(page.locator("[data-award='2']")).to_be_visible()
    expect(page.get_by_label("Cards")).to_have_value("9s 8s")
    expect(refused).to_be_visible()
    page.mouse.up()
    expect(page.locator("[data-award='1']")).to_contain_text("confirmed by sue")
    expect(page.get_by_label("Cards")).to_have_value("9s 8s")


@pytest.mark.more
def test_what_an_auditor_sees(browser: Browser, house: Served) -> None:
    page = logged_in(browser, house, "abe")
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.reload()
    expect(page.locator(".figures")).to_contain_text("$10,000.00")
    page.get_by_role("button", name="Verify the whole ledger").click()
    expect(page.locator("output")).to_have_text(
        re.compile(r"^The whole ledger holds: \d+ entries, each as it was written\.$")
    )
    assert not page.get_by_text("Request an adjustment").count()
    accessible(page)
    kept(page, "progressive-auditor")
    follow(page, page.get_by_role("link", name="Table 1", exact=True))
    expect(page.get_by_text("Waiting for the dealer")).to_be_visible()
    assert not thrown


@pytest.mark.more
def test_an_adjustment_takes_two(browser: Browser, house: Served) -> None:
    asking = logged_in(browser, house, "sue")
    asking.get_by_text("Request an adjustment").click()
    asking.get_by_label("Dollars, with a minus").fill("-12.50")
    asking.get_by_label("Reason").select_option("malfunction")
    asking.get_by_label("Explanation").fill("a wager counted twice")
    asking.get_by_role("button", name="Request", exact=True).click()
    expect(asking.get_by_text("Request 7", exact=True)).to_be_visible()
    approving = logged_in(browser, house, "eve")
    for shown in ("meter", "\u2212$12.50", "malfunction", "a wager counted twice"):
        expect(approving.locator("[data-request='7'] .review")).to_contain_text(shown)
    for width in (1280, 390):
        approving.set_viewport_size({"width": width, "height": 900})
        accessible(approving)
        kept(approving, f"progressive-approval-{width}")
    prove(approving, house, "eve", "form[data-api='POST /api/requests/7/approve']")
    approving.get_by_role("button", name="Approve").click()
    expect(approving.locator(".figures")).to_contain_text("$9,987.50")


@pytest.mark.more
def test_a_console_that_nobody_touches_logs_out_and_shows_nothing(browser: Browser, house: Served) -> None:
    page = visitor(browser, house).new_page()
    page.clock.install()
    page.goto("/progressive/console/tables/1")
    prove(page, house, "dora")
    follow(page, page.get_by_role("button", name="Log in"))
    follow(page, page.get_by_role("link", name="Table 1", exact=True))
    page.clock.fast_forward("14:00")
    page.get_by_label("Seat 1", exact=True).check()
    page.clock.fast_forward("14:00")  # since it was touched
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    session = next(each for each in page.context.cookies() if each.get("name") == "pitboss").get("value", "")
    page.clock.fast_forward("02:00")
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    expect(page.get_by_role("heading", name="Round 1")).to_have_count(0)
    kept = httpx.get(f"{house.address}/api/session", cookies={"pitboss": session}, trust_env=False)
    assert kept.status_code == 401  # no longer good


@pytest.mark.more
def test_a_wrong_password_is_told_in_a_line(browser: Browser, house: Served) -> None:
    page = visitor(browser, house).new_page()
    page.goto("/progressive/console")
    page.get_by_label("Name").first.fill("sue")
    page.get_by_label("Password", exact=True).fill("no such password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    accessible(page)


def begin_enrolment(page: Page, name: str, code: str) -> Locator:
    """Enter somebody's code, and return the form that it leads to."""
    page.goto("/progressive/console")
    follow(page, page.get_by_role("link", name="Enrol"))
    page.get_by_label("Name").fill(name)
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Continue").click()
    form = page.locator("#enrol")
    expect(form).to_be_visible()
    return form


@pytest.mark.more
def test_a_password_is_chosen_twice(browser: Browser, house: Served) -> None:
    code = appointed(house.controller, "dan", Role.DEALER)
    page = visitor(browser, house).new_page()
    form = begin_enrolment(page, "dan", code)
    expect(form.get_by_label("First code")).to_be_hidden()  # a dealer has no authenticator
    form.get_by_label("New password").fill("correct horse battery")
    form.get_by_label("Repeat the password").fill("correct horse batery")
    form.get_by_role("button", name="Enrol").click()
    expect(form.locator(":invalid")).to_have_count(1)
    form.get_by_label("Repeat the password").fill("correct horse battery")
    follow(page, form.get_by_role("button", name="Enrol"))
    expect(page.locator("#told")).to_have_text("dan is enrolled. Log in with your new password.")


@pytest.mark.more
def test_an_authenticator_is_shown_as_a_qr_code_and_confirmed_before_the_form_is_left(
    browser: Browser, house: Served
) -> None:
    code = appointed(house.controller, "zoe", Role.SUPERVISOR)
    page = visitor(browser, house, "phone").new_page()
    form = begin_enrolment(page, "zoe", code)
    expect(form).to_contain_text("Save this now")
    secret = form.locator("code").inner_text()
    size = form.locator("svg.qr").evaluate("svg => [svg.viewBox.baseVal.width, svg.getBoundingClientRect().width]")
    drawn = form.locator("svg.qr .dark").get_attribute("d")
    uri = pyotp.TOTP(secret).provisioning_uri(name="zoe", issuer_name="pitboss")
    assert (size[0], drawn) == trace_qr(uri)
    assert size[1] >= 4 * size[0]  # four pixels a module are enough for a phone that scans the screen
    accessible(page)
    kept(page, "progressive-enrolment")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    with page.expect_event("dialog"):
        page.evaluate("location.assign('/')")
    expect(page.locator("#enrol")).to_be_visible()
    page.wait_for_timeout(100)
    assert asked == ["beforeunload"]
    form.get_by_label("New password").fill("correct horse battery")
    form.get_by_label("Repeat the password").fill("correct horse battery")
    right = pyotp.TOTP(secret).at(house.seconds)
    form.get_by_label("First code").fill(f"{(int(right) + 1) % 1_000_000:06}")
    form.get_by_role("button", name="Enrol").click()
    expect(form.get_by_role("alert")).to_contain_text("not a code of the new authenticator")
    form.get_by_label("First code").fill(right)
    follow(page, form.get_by_role("button", name="Enrol"))
    expect(page.locator("#told")).to_contain_text("zoe is enrolled")
    house.secrets["zoe"] = secret
    prove(page, house, "zoe")
    follow(page, page.get_by_role("button", name="Log in"))
    page.get_by_text("Your password and authenticator").click()
    page.get_by_role("button", name="Get a new authenticator").click()
    expect(page.locator("#new-authenticator svg.qr")).to_be_visible()
    accessible(page)


def test_settings_that_changed_after_they_were_shown_are_not_approved(browser: Browser, house: Served) -> None:
    for cents in (700, 800):
        house.do("/settings", "sue", {"changes": {"variance_cents": cents}, "text": "why not"})
    approving = logged_in(browser, house, "eve")
    expect(approving.locator("[data-request='8'] .review")).to_contain_text("$50.00 → $8.00")
    house.do("/requests/7/approve", "max", proof="max")
    prove(approving, house, "eve", "form[data-api='POST /api/requests/8/approve']")
    approving.locator("[data-request='8']").get_by_role("button", name="Approve").click()
    expect(approving.locator("[data-request='8']").get_by_role("alert")).to_contain_text("is not what you were shown")
    assert house.controller.refresh().settings is not None
    assert 8 in house.controller.state.requests
