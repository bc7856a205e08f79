"""Dealer training like the pit, in a real browser: at a house's own table."""

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import SIZES, accessible, follow, kept, visitor
from web.casino import Casino


def fits(page: Page) -> None:
    """Assert that a page has no wider content than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")


@pytest.mark.parametrize("size", SIZES)
def test_a_drill_is_dealt_at_the_table_of_ones_own_house(browser: Browser, casino: Casino, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        page.goto("/training")
        follow(page, page.get_by_role("link", name="Six Card Poker", exact=True))
        accessible(page)
        fits(page)
        kept(page, f"training-table-{size}")
        page.locator("#f-seats").select_option("2")
        page.locator("#f-paytable-aces-up").select_option("SCP-02")
        page.locator("#pays-bad-beat summary").click()
        page.get_by_label("Bad Beat, Two pair: your own pay").fill("nine")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        expect(page.get_by_role("alert")).to_contain_text("Bad Beat, two pair")
        accessible(page)
        page.get_by_label("Bad Beat, Two pair: your own pay").fill("12")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        house = page.locator("#house-rules")
        expect(house).to_contain_text("3 changed")
        house.locator("summary").click()
        expect(house.locator(".otherwise")).to_contain_text("SCP-02")
        expect(house.locator(".otherwise")).to_contain_text("12 to 1")
        accessible(page)
        fits(page)
        kept(page, f"training-house-{size}")
