"""What browser tests share: pictures that are kept, and the clauses of WCAG 2.2 AA that a program can check."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

KEPT = Path(os.environ.get("PITBOSS_SCREENSHOTS", "build/screenshots"))
CLAUSES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def accessible(page: Page) -> None:
    """Check a page against WCAG 2.2 AA as far as a program can."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": CLAUSES}})
    assert not found.response["violations"], found.generate_report()


def kept(page: Page, name: str) -> None:
    """Keep a picture of a page."""
    KEPT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=KEPT / f"{name}.png")
