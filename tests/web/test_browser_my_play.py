"""*My play* in a real browser: each mistake is understood, replayed and drilled in three clicks."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.registry import TableRegistry
from table.laying import SIX_CARD, Laid
from web.browsing import accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.served import answering, unlimited

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER), pytest.mark.more]

ROYAL = "As Ks Qs Js Ts 2h 9d 8d 7c 4c 3c 2c"
"""Six cards for the only seat, whose fold is a mistake, and six for the dealer."""

COUNT_CLICKS = """
addEventListener("click", () => sessionStorage.setItem("clicks", 1 + clicksSoFar()), true);
const clicksSoFar = () => Number(sessionStorage.getItem("clicks") || 0);
"""
COUNTING = 180_000
CLICKS = "Number(sessionStorage.getItem('clicks') || 0)"


class Site(NamedTuple):
    """A served floor whose decks can be laid."""

    address: str
    laid: Laid


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A floor for the tests of this module."""
    folder, laid = tmp_path_factory.mktemp("own"), Laid()
    floor = TableRegistry(
        TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key", bits=laid), limits=unlimited()
    )
    with answering(create_app(None, floor)) as address:
        yield Site(address, laid)
    floor.close()


def fold_a_royal(page: Page, site: Site) -> None:
    """Sit down alone, be dealt a royal flush, and fold it."""
    site.laid.lay(SIX_CARD, ROYAL)
    page.goto("/open/six-card")
    page.get_by_label("Bots", exact=False).first.select_option("0")
    follow(page, page.get_by_role("button", name="Open the table").first)
    page.locator('[name="stake-main"]').fill("5")
    page.get_by_role("button", name="Place and deal").click()
    page.get_by_role("button", name="Fold").click()
    expect(page.locator("#wagers")).to_be_visible()  # the fold is done: before, the button itself says Fold


def begin_counting(page: Page) -> None:
    """Count clicks from here on."""
    page.evaluate("sessionStorage.setItem('clicks', 0)")


@pytest.fixture
def guest(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A guest who counts clicks."""
    with visitor(browser, site, "phone") as context:
        context.add_init_script(COUNT_CLICKS)
        yield context


def test_a_mistake_is_understood_replayed_and_drilled_in_three_clicks(guest: BrowserContext, site: Site) -> None:
    page = guest.new_page()
    fold_a_royal(page, site)
    begin_counting(page)
    follow(page, page.get_by_role("link", name="My play"))
    again = page.get_by_role("link", name="Try again")
    expect(again).to_be_visible(timeout=COUNTING)  # the hand, the choice, the best and the cost are there: understood
    expect(page.locator("#play")).to_contain_text("Fold instead of Play")
    expect(page.get_by_role("img", name="Ace of spades").first).to_be_visible()
    assert page.evaluate(CLICKS) == 1
    follow(page, again)
    follow(page, page.get_by_role("button", name="Play"))
    expect(page.get_by_role("status").first).to_contain_text("Right: Play", timeout=COUNTING)
    assert page.evaluate(CLICKS) == 3  # drilled
    follow(page, page.get_by_role("link", name="Back to my play"))
    begin_counting(page)
    follow(page, page.get_by_role("link", name="Step through"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("ound 1")
    assert page.evaluate(CLICKS) == 1  # replayed
    page.goto("/play")
    expect(page.locator("[hx-trigger]")).to_have_count(0, timeout=COUNTING)
    expect(page.locator("#play svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)
    kept(page, "my-play-phone")


def test_my_play_is_accessible_in_the_dark_and_empty(browser: Browser, site: Site) -> None:
    with visitor(browser, site, "desktop", color_scheme="dark") as context:
        page = context.new_page()
        page.goto("/play")
        expect(page.locator("#play")).to_contain_text("Play a round first")
        accessible(page)
