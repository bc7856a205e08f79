"""What browser tests of the consoles share: credentials, and a person's console."""

from playwright.sync_api import Browser, Page, expect

from web.browsing import follow, visitor
from web.served import Served


def prove(page: Page, served: Served, name: str, within: str = "form[data-api='POST /api/session']") -> None:
    """Write somebody's credentials into a form."""
    form = page.locator(within)
    proof = served.proof(name)
    form.get_by_label("Name").fill(proof["name"])
    form.get_by_label("Password").fill(proof["password"])
    form.get_by_label("Code").fill(proof["code"])


def logged_in(browser: Browser, served: Served, name: str) -> Page:
    """Return the console of somebody in a browser of their own."""
    page = visitor(browser, served, accept_downloads=True).new_page()
    page.goto("/progressive/console")
    prove(page, served, name)
    follow(page, page.get_by_role("button", name="Log in"))
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page
