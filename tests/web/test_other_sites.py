"""Whatever another site makes a browser ask for, a guest stays who they are: the same cookie, the same seat."""

import pytest
from playwright.sync_api import Browser, expect

from web.browsing import follow, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

FOLLOWED = {
    "a link": '<a id="it" href="{table}">Look</a>',
    "a form that asks": '<form action="{table}"><button id="it">Look</button></form>',
    "a form that sends": '<form method="post" action="{table}/leave"><button id="it">Look</button></form>',
    "a form to another page": '<form method="post" action="{house}/look"><button id="it">Look</button></form>',
    "a script": '<button id="it" onclick="location = \'{table}\'">Look</button>',
}
"""What takes a visitor from another site's page to this one."""

EMBEDDED = {
    "a picture": '<img src="{table}">',
    "a frame": '<iframe src="{table}"></iframe>',
    "a frame of a page": '<iframe src="{house}/"></iframe>',
}
"""What makes a browser ask this site without leaving the other."""

REQUEST = "address => fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => null)"


@pytest.mark.more
def test_another_site_takes_no_guest_from_their_seat(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/")
        page.locator(".tile[data-game=six-card]").get_by_role("button").click()
        expect(page.locator(".question")).to_contain_text("Place your wagers")
        own, table = context.cookies(), page.url
        for way, text in {**FOLLOWED, **EMBEDDED}.items():
            other = context.new_page()  # of no origin: to a browser another site than any
            other.set_content(text.format(table=table, house=casino.address))
            if way in FOLLOWED:
                follow(other, other.locator("#it"))
            else:
                other.evaluate(REQUEST, table)
            assert context.cookies() == own, way
            other.close()
        page.reload()
        expect(page.locator(".question")).to_contain_text("Place your wagers")
