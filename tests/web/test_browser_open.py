"""Tables by their hosts' own terms in a real browser: chosen on a phone, limits kept, time that runs out."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from pitboss.games import load_game
from web.browsing import accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)


def to_house_rules(page: Page, game: str) -> None:
    """Go from the lobby to where a game's terms are chosen."""
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    follow(page, page.locator(f".tile[data-game={game}]").get_by_role("link", name="House rules"))
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{load_game(game).name} with your house rules")


def opened(page: Page) -> None:
    """Press the button, and wait for the table."""
    follow(page, page.get_by_role("button", name="Open the table"))
    expect(page.locator("#stake-main")).to_be_visible()


@pytest.mark.more
def test_a_table_under_washingtons_limits_on_a_phone(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        to_house_rules(page, "wild-52")
        accessible(page)
        kept(page, "house-rules-phone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_label("Jurisdiction").select_option("Washington (WA-1)")
        page.get_by_label("Seconds to decide").fill("600")
        page.get_by_label("Strategy of the bots").select_option("plays every hand, then checks")
        opened(page)
        expect(page.locator(".seats")).to_contain_text("Always play (bot)")
        expect(page.locator("#span-main")).to_have_text("$5 to $200")
        page.locator("#stake-main").fill("250")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.get_by_role("alert")).to_contain_text("stake $5 to $200")
        page.locator("#stake-main").fill("200")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".clock")).to_contain_text(re.compile(r"5\d\d s left, then: fold"))
        accessible(page)
        kept(page, "limits-phone")
        page.locator(".clock").evaluate("clock => Object.assign(clock.dataset, { deadline: '1', left: '9' })")
        expect(page.locator(".clock [aria-live]")).to_have_text("9 seconds left")  # told aloud once, near the end
        page.get_by_text("House rules").click()
        expect(page.get_by_role("row", name="Limits of a jurisdiction")).to_contain_text("Washington (WA-1)")
        accessible(page)
        kept(page, "house-rules-told-phone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("\u2212$200")


@pytest.mark.more
@pytest.mark.in_turn("scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_cannot_stand_is_said_beside_its_field(browser: Browser, casino: Casino, scheme: str) -> None:
    with visitor(browser, casino, color_scheme=scheme) as context:
        page = context.new_page()
        to_house_rules(page, "wild-52")
        kept(page, f"house-rules-{scheme}")
        joker = page.locator("#pays-joker")
        joker.locator("summary").click()
        expect(joker.get_by_role("row", name="Exact house edge")).to_contain_text("%")
        page.get_by_label("Joker in hand: your own pay").fill("4.5")
        page.get_by_label("Your name").fill("Bea")
        follow(page, page.get_by_role("button", name="Open the table"))
        expect(page.get_by_role("alert")).to_contain_text("Joker, Joker in hand: '4.5' is not a pay")
        expect(joker.get_by_role("row", name="Exact house edge")).to_contain_text("%")
        wrong = page.get_by_label("Joker in hand: your own pay")
        expect(wrong).to_be_focused()
        expect(wrong).to_have_value("4.5")
        expect(page.get_by_label("Your name")).to_have_value("Bea")
        accessible(page)
        kept(page, f"house-rules-refused-{scheme}")
        wrong.fill("9:2")
        opened(page)
        page.get_by_text("House rules").click()
        expect(page.get_by_role("row", name="Joker, Joker in hand")).to_contain_text("9 to 2")


@pytest.mark.more
def test_who_lets_time_run_out_folds(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        to_house_rules(page, "six-card")
        page.get_by_label("Seconds to decide").fill("3")
        opened(page)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#ran-out")).to_have_text("Time ran out: your hand was folded.")
        expect(page.locator(".own .says strong")).to_have_text("\u2212$5")  # nobody has pressed anything
        accessible(page)
        kept(page, "time-ran-out")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#ran-out")).to_have_text("")


@pytest.mark.more
def test_a_table_is_opened_and_played_without_scripts(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, java_script_enabled=False) as context:
        page = context.new_page()
        to_house_rules(page, "six-card")
        page.get_by_label("Seconds to decide").fill("600")
        opened(page)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".clock")).to_contain_text("s left, then: fold")
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("\u2212$5")
