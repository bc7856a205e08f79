"""What browser tests share: a visitor, pictures that are kept, the clauses of WCAG 2.2 AA that a program can check."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from waiting import PATIENT_SECONDS

KEPT = Path(os.environ.get("PITBOSS_SCREENSHOTS", "build/screenshots"))
CLAUSES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 800}}
PATIENCE = 1_000 * PATIENT_SECONDS
"""Milliseconds that a page is waited for."""


class Site(Protocol):
    """A server that pages come from."""

    @property
    def address(self) -> str:
        """Its URL."""


def visitor(browser: Browser, site: Site, size: str = "desktop", **more: Any) -> BrowserContext:
    """Return a new person's browser."""
    context = browser.new_context(
        **{"viewport": SIZES[size], "base_url": site.address, "reduced_motion": "reduce", **more}
    )
    context.set_default_timeout(PATIENCE)
    return context


def list_games_and_sizes(games: Iterable[str]) -> list[Any]:
    """List every game with every size; before the longest tier each game has one, in turn."""
    return [
        pytest.param(game, size, marks=[] if at % len(SIZES) == place else pytest.mark.long)
        for at, game in enumerate(games)
        for place, size in enumerate(SIZES)
    ]


def follow(page: Page, control: Locator) -> None:
    """Click a link or a button, and wait until the page that it leads to is loaded.

    Without that, the next step could read the old page, or press a button whose script has not run yet.
    """
    with page.expect_navigation():
        control.click()


def accessible(page: Page) -> None:
    """Check a page against WCAG 2.2 AA as far as a program can, from its end, where a bar that sticks hides nothing."""
    page.wait_for_load_state()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    # To describe as fully what passes would take as long again.
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": CLAUSES}, "resultTypes": ["violations"]})
    page.evaluate("scrollTo(0, 0)")
    assert not found.response["violations"], found.generate_report()


def kept(page: Page, name: str) -> None:
    """Keep a picture of a page."""
    KEPT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=KEPT / f"{name}.png")


def press_an_action(page: Page) -> None:
    """Take the last action offered that needs no cards chosen, else the first that does, and wait until it is done."""
    before = page.locator("#table").get_attribute("data-sequence")
    actions = page.locator("#decision button:enabled")
    if actions.count() == 1 and "chosen" in actions.first.inner_text():
        page.locator(".own input[type=checkbox]").first.check()
        actions.first.click()
    else:
        actions.filter(has_not_text="chosen").last.click()
    expect(page.locator("#table")).not_to_have_attribute("data-sequence", before or "")
