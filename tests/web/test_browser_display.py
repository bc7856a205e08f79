"""The public display in a real browser: seen from afar, rolling, and quiet about who wins."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browsing import accessible, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.served import PEOPLE, Served, cheaply, copied, serving

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

WHOLE = {"television": {"width": 1920, "height": 1080}, "phone": {"width": 360, "height": 740}}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive with its people, and its pages."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as made:
        yield made


def wager(house: Served, *seats: int, number: int = 1) -> None:
    """Take a dollar from some seats at table 1."""
    house.do(f"/tables/1/rounds/{number}/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in seats]})


def fits(page: Page) -> bool:
    """Tell whether the figure is within the screen, and nothing scrolls."""
    return bool(
        page.evaluate(
            """() => {
              const figure = document.createRange();
              figure.selectNodeContents(document.querySelector(".jackpot"));
              const box = figure.getBoundingClientRect();
              const root = document.documentElement;
              return box.left >= 0 && box.right <= innerWidth && root.scrollWidth <= innerWidth
                && root.scrollHeight <= innerHeight;
            }"""
        )
    )


@pytest.mark.more
@pytest.mark.parametrize("size", WHOLE)
def test_the_display_fills_its_screen_and_has_nothing_of_staff(browser: Browser, house: Served, size: str) -> None:
    page = visitor(browser, house, viewport=WHOLE[size]).new_page()
    page.goto("/progressive")
    expect(page.locator(".jackpot")).to_have_text("$10,000.00")
    wager(house, *range(1, 7))
    expect(page.locator(".jackpot")).to_have_text("$10,000.84")
    assert fits(page)
    tall = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.jackpot')).fontSize)")
    assert tall >= 0.14 * WHOLE[size]["width"]  # ten metres from a screen of 1.2 m: figures of 12 cm
    assert not page.locator("header, [href*=console]").count()
    accessible(page)
    kept(page, f"display-{size}")


@pytest.mark.more
def test_a_win_is_announced_by_amount_and_hand_without_a_name(browser: Browser, house: Served) -> None:
    page = visitor(browser, house, viewport=WHOLE["television"]).new_page()
    page.goto("/progressive")
    wager(house, 1, 3)
    house.do("/tables/1/rounds/1/hits", "dora", {"seat": 3, "hand": "straight-flush", "cards": "9s 8s 7s 6s 5s"})
    expect(page.locator(".lights")).to_contain_text("round 1 in play")
    assert not page.locator(".win").count()  # nobody has confirmed it
    house.do("/awards/1/confirm", "dora", proof="sue")
    expect(page.locator(".win")).to_have_text("Winner: straight flush $1,000.02")
    assert fits(page)
    said = page.locator("body").inner_text().lower()
    assert not [name for name in PEOPLE if name in said]
    assert "seat" not in said
    accessible(page)
    kept(page, "display-win")
    house.do("/tables/1/rounds/1/close", "dora")
    expect(page.locator(".lights")).to_contain_text("between rounds")
    expect(page.locator(".win")).to_have_count(1)  # for half a minute, however soon the round is over
    page.reload()
    expect(page.locator(".win")).to_have_count(0)


SHOWN = """() => {
  window.shown = [];
  new MutationObserver(() => window.shown.push(document.querySelector(".jackpot").textContent))
    .observe(document.querySelector(".sign"), { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.more
def test_the_meter_rolls_unless_motion_is_reduced(browser: Browser, house: Served) -> None:
    pages = {
        motion: visitor(browser, house, reduced_motion=motion).new_page() for motion in ("no-preference", "reduce")
    }
    for page in pages.values():
        page.goto("/progressive")
        page.evaluate(SHOWN)
    wager(house, *range(1, 7))
    for page in pages.values():
        expect(page.locator("[role=status]").first).to_have_text("$10,000.84")
        expect(page.locator(".jackpot")).to_have_text("$10,000.84")
    between = {motion: set(page.evaluate("window.shown")) for motion, page in pages.items()}
    assert between["reduce"] <= {"$10,000.00", "$10,000.84"}
    assert len(between["no-preference"]) > 4
    assert all("$10,000.00" <= amount <= "$10,000.84" for amount in between["no-preference"])


@pytest.mark.more
def test_a_display_without_its_server_says_so(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(tmp_path)
    monkeypatch.setenv("PITBOSS_KEY", str(tmp_path / "key"))
    casino = Casino(tmp_path, "--ledger", str(tmp_path / "ledger.db"))
    casino.start()
    page = visitor(browser, casino).new_page()
    page.goto("/progressive")
    expect(page.locator(".jackpot")).to_have_text("$10,000.00")
    expect(page.locator(".lost")).to_be_hidden()
    casino.kill()
    expect(page.get_by_role("alert").filter(has_text="No connection")).to_be_visible()
    casino.start()
    expect(page.locator(".lost")).to_be_hidden()
    casino.kill()
