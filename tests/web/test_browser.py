"""Rounds played in a real browser, on phones and desktops, by mouse and by keyboard, against the real server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from pitboss.games import game_named, games
from web.browsing import accessible, kept
from web.casino import CHROMIUM, NO_BROWSER, Casino

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}
PATIENCE = 30_000


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casino]:
    """A floor for all tests of this module."""
    made = Casino(tmp_path_factory.mktemp("casino"))
    made.start()
    yield made
    made.kill()


def visitor(browser: Browser, casino: Casino, size: str = "desktop", **more: Any) -> BrowserContext:
    """Return a new person's browser."""
    context = browser.new_context(viewport=SIZES[size], base_url=casino.address, reduced_motion="reduce", **more)
    context.set_default_timeout(PATIENCE)
    return context


def sit_down(context: BrowserContext, game: str, bots: int = 1) -> Page:
    """Return a person's page of a new table of a game."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/")
    tile = page.locator(f".tile[data-game={game}]")
    tile.get_by_label("Bots").select_option(str(bots))
    tile.get_by_role("button").click()
    expect(page.locator(".question")).to_contain_text("Place your wagers")
    assert not faults
    return page


def play_on(page: Page) -> None:
    """Take the last action offered that needs no cards chosen until the round is settled, else the first that does."""
    while page.locator("#decision").count():
        before = page.locator("#table").inner_html()
        actions = page.locator("#decision button:enabled")
        if actions.count() == 1 and "chosen" in actions.first.inner_text():
            page.locator(".own input[type=checkbox]").first.check()
            actions.first.click()
        else:
            actions.filter(has_not_text="chosen").last.click()
        page.wait_for_function("was => document.getElementById('table').innerHTML != was", arg=before)
    expect(page.locator(".question")).to_contain_text("Place your wagers")


def chips_of(page: Page) -> int:
    """Return what the head of the table says of one's chips, in cents."""
    written = page.locator(".status strong").inner_text().replace("$", "").replace(",", "")
    return round(100 * float(written))


def won(page: Page) -> int:
    """Return what one's place says of the last round, in cents."""
    written = page.locator(".own .says strong").inner_text().replace("$", "").replace(",", "").replace("+", "")
    return round(100 * float(written))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games())
def test_a_round_of_each_game(browser: Browser, casino: Casino, game: str, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = sit_down(context, game)
        accessible(page)
        before = chips_of(page)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".own .hand li").first).to_be_visible()
        if page.locator("#decision").count():
            accessible(page)
            kept(page, f"{game}-{size}")
        play_on(page)
        assert chips_of(page) == before + won(page)
        accessible(page)
        kept(page, f"{game}-{size}-settled")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby(browser: Browser, casino: Casino, scheme: str) -> None:
    with visitor(browser, casino, "phone", color_scheme=scheme) as context:
        page = context.new_page()
        page.goto("/")
        for name in games():
            expect(page.get_by_role("heading", name=game_named(name).name, exact=True)).to_be_visible()
        accessible(page)
        kept(page, f"lobby-{scheme}")


def test_a_round_by_keyboard_alone(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.locator("#stake-main").focus()
        page.keyboard.press("End")
        page.keyboard.type("0")  # fifty dollars, where five were suggested
        page.keyboard.press("Enter")
        expect(page.locator("#decision")).to_be_visible()
        page.get_by_role("button", name="Fold").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".own .says strong")).to_have_text("-$50")


def test_chips_are_placed_by_click(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.locator(".rack label", has_text="25").click()
        page.get_by_role("button", name="Add a chip to Aces Up").click()
        page.get_by_role("button", name="Add a chip to Aces Up").click()
        expect(page.locator("#stake-aces-up")).to_have_value("50")
        expect(page.locator("[data-shows=stake-aces-up] .chip")).to_have_text("50")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".spot", has_text="Aces Up").locator(".chip")).to_have_text("50")


@pytest.mark.parametrize(
    ("typed", "said"),
    [("3", "it takes $5.00 to"), ("500", "to $400.00"), ("-5", "no amount"), ("a lot", "no amount"), ("5.50", "$1.00")],
)
def test_a_wager_that_cannot_stand_is_refused_in_a_line(
    browser: Browser, casino: Casino, typed: str, said: str
) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.locator("#stake-main").fill(typed)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(page.locator("#stake-main")).to_be_visible()
        assert chips_of(page) == 100_000


def test_two_people_at_one_table(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as one, visitor(browser, casino) as other:
        first = sit_down(one, "wild-52", bots=0)
        second = other.new_page()
        second.goto(first.url)
        second.get_by_label("Your name").fill("Bea")
        second.get_by_role("button", name="Sit down").click()
        expect(first.locator(".seats")).to_contain_text("Bea")  # without a click
        first.get_by_role("button", name="Place and deal").click()
        expect(first.locator(".question")).to_contain_text("is wagering")
        second.get_by_role("button", name="Place and deal").click()
        deciding, waiting = (first, second) if first.locator("#decision").count() else (second, first)
        expect(waiting.locator(".question")).to_contain_text("is deciding")
        for page in (first, second):
            expect(page.locator(".seats .hand use").first).to_have_attribute("href", "/cards.svg#back")
        deciding.get_by_role("button", name="Fold").click()
        expect(waiting.locator("#decision")).to_be_visible()
        waiting.get_by_role("button", name="Fold").click()
        for page in (first, second):
            expect(page.locator(".own .says strong")).to_have_text("-$5")


def test_two_tabs_on_one_seat(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        old = context.new_page()
        old.route("**/events*", lambda route: route.abort())  # a tab that hears of nothing
        old.goto(page.url)
        page.get_by_role("button", name="Place and deal").click()
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("-$5")
        old.get_by_role("button", name="Place and deal").click()
        expect(old.get_by_role("alert")).to_contain_text("this page showed round 1, and round 2 is played now")
        assert chips_of(old) == chips_of(page) == 99_500


def test_who_reloads_or_loses_the_line_finds_the_same_round(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "lunar")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".own .hand li").first).to_be_visible()
        cards = page.locator(".own .hand").inner_html()
        context.set_offline(True)
        context.set_offline(False)
        page.reload()
        assert page.locator(".own .hand").inner_html() == cards


def test_the_coach_and_ones_leaks(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "wild-six-card", bots=0)
        page.get_by_text("Display and coach").click()
        page.get_by_label("Coach").select_option("on")
        page.get_by_role("button", name="Set").click()
        page.get_by_role("button", name="Place and deal").click()
        worth = page.locator("#coach tbody tr")
        expect(worth.first).to_contain_text("best", timeout=120_000)
        kept(page, "coach")
        accessible(page)
        play_on(page)
        page.get_by_role("link", name="Your leaks").click()
        expect(page.locator(".figures")).to_contain_text(re.compile(r"Decisions\s*1"))
        accessible(page)


def test_a_round_is_replayed_step_by_step(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "shifting-wilds")
        page.get_by_role("button", name="Place and deal").click()
        play_on(page)
        settled = page.locator(".own .says").inner_text()
        page.get_by_role("link", name="Last round").click()
        accessible(page)
        while page.get_by_role("link", name="Step on").count():
            page.get_by_role("link", name="Step on").click()
        assert page.locator(".own .says").inner_text() == settled
        kept(page, "replay")


def test_a_server_killed_in_mid_round_goes_on_with_the_same_cards(browser: Browser, tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    casino.start()
    try:
        with visitor(browser, casino) as context:
            page = sit_down(context, "lunar")
            page.get_by_role("button", name="Place and deal").click()
            expect(page.locator(".own .hand li").first).to_be_visible()
            cards = page.locator(".own .hand").inner_html()
            casino.kill()
            casino.start()
            page.reload()
            assert page.locator(".own .hand").inner_html() == cards
            play_on(page)
    finally:
        casino.kill()
