"""Wide tables on a phone: every table of every page is in view, or in a region that says that it scrolls."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import accessible, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.visits import Visit, page_routes

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER), pytest.mark.more]

COUNTING = 120_000
COUNTED = {
    "chart": "/charts?game=six-card",
    "outcomes": "/charts?game=six-card&kind=contribution&bet=aces-up",
    "par": "/par?game=six-card&bet=aces-up&beside=SCP-02",
    "rules": "/rules/lunar",
    "setup": "/open/six-card",
    "study": "/study?game=six-card",
}
"""Pages that are counted first, which a visit of every page leaves out."""

# What is wrong with the tables of a page, one line for each.
FAULTS = """() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the page is ${wide} pixels wide`);
  for (const table of document.querySelectorAll("table")) {
    if (!table.checkVisibility()) continue;
    const name = table.caption?.innerText ?? table.innerText.slice(0, 40);
    const region = table.closest(".scroll");
    if (!region) {
      if (table.getBoundingClientRect().right > innerWidth + 1) faults.push(`${name}: beyond the screen, in no region`);
      continue;
    }
    if (region.tabIndex !== 0 || !region.role || !(region.ariaLabel || region.getAttribute("aria-labelledby")))
      faults.push(`${name}: its region has no name, role or focus`);
    const { left, right } = region.getBoundingClientRect();
    if (left < 0 || right > innerWidth + 1) faults.push(`${name}: its region is beyond the screen`);
    const says = getComputedStyle(region, "::before").content;
    if (region.scrollWidth > region.clientWidth + 1 && !says.includes("scroll sideways"))
      faults.push(`${name}: it scrolls, and does not say so`);
    if (region.scrollWidth <= region.clientWidth + 1 && says.includes("scroll sideways"))
      faults.push(`${name}: it does not scroll, and says so`);
  }
  return faults;
}"""


@contextmanager
def _phone(browser: Browser, visit: Visit) -> Iterator[Page]:
    """Open the browser of the guest of a visit, on a phone."""
    with visitor(browser, visit.served, "phone") as context:
        for cookie in visit.web.cookies.jar:
            context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": visit.served.address}])
        yield context.new_page()


def _find_faults(page: Page) -> list[str]:
    """Open everything that opens, wait for its layout, and return what is wrong."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    faults: list[str] = page.evaluate(FAULTS)
    return faults


def test_every_table_of_every_page_is_in_view_or_says_that_it_scrolls(browser: Browser, visit: Visit) -> None:
    faults, tables = {}, 0
    with _phone(browser, visit) as page:
        for method, path in sorted(page_routes(visit.served)):
            address = visit.address(path)
            if method != "GET" or not visit.is_whole_page(path):
                continue
            page.goto(address, wait_until="domcontentloaded")
            tables += page.locator("table").count()
            if found := _find_faults(page):
                faults[address] = found
    assert faults == {}
    assert tables


@pytest.mark.parametrize("name", COUNTED)
def test_a_table_that_is_counted_is_in_view_or_says_that_it_scrolls(
    browser: Browser, casino: Casino, name: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto(COUNTED[name])
        expect(page.locator("main table").first).to_be_attached(timeout=COUNTING)
        assert _find_faults(page) == []
        accessible(page)
        kept(page, f"tables-{name}-phone")


def test_a_region_says_that_it_scrolls_only_while_it_does(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto(COUNTED["chart"])
        region = page.locator(".answers")
        expect(region).to_have_attribute("data-more", "", timeout=COUNTING)
        heading = region.locator("th[scope=row]").first
        before = heading.bounding_box()
        region.evaluate("each => each.scrollTo(200, 0)")
        assert heading.bounding_box() == before  # the first column stays
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(region).not_to_have_attribute("data-more", "")
