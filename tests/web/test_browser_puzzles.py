"""Puzzles in a real browser: the puzzle of the day is asked, answered and judged."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.puzzle_drawing import build_puzzle_job, draw_puzzles, list_puzzle_kinds
from pitboss.web.registry import TableRegistry
from table.laying import Laid
from web.browsing import accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.served import answering, unlimited
from web.test_browser_my_play import COUNTING, Site

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER), pytest.mark.more]

THEME = "Fold or play"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A floor on which the first batch of each kind is drawn already, of Six Card Poker."""
    folder, laid = tmp_path_factory.mktemp("puzzles"), Laid()
    floor = TableRegistry(
        TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key", bits=laid), limits=unlimited()
    )
    kinds = list_puzzle_kinds()
    drawn = draw_puzzles(next(kind.game for kind in kinds if kind.game.id == "six-card"), 0, "0")
    for kind in kinds:
        floor.jobs.store_result(build_puzzle_job(kind, "0"), drawn)
    with answering(create_app(None, floor)) as address:
        yield Site(address, laid)
    floor.close()


def test_a_puzzle_is_answered_with_the_buttons_of_the_table(browser: Browser, site: Site) -> None:
    with visitor(browser, site, "phone") as context:
        page = context.new_page()
        page.goto("/puzzles")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        accessible(page)
        kept(page, "puzzles-phone")
        follow(page, page.get_by_role("link", name=THEME).first)
        button = page.get_by_role("button", name="Play", exact=True)
        expect(button).to_be_visible(timeout=COUNTING)
        expect(page.locator("#task")).not_to_contain_text("Value, in")
        accessible(page)
        follow(page, button)
        expect(page.locator("#task")).to_contain_text("Value, in Antes", timeout=COUNTING)
        accessible(page)
        kept(page, "puzzle-phone")
        follow(page, page.get_by_role("link", name="Next puzzle"))
        expect(page.get_by_role("heading", level=1)).to_contain_text("what would you do?")
        follow(page, page.get_by_role("link", name="All puzzles"))
        expect(page.locator(".figures")).to_contain_text("Answered")
        expect(page.locator(".figures dd").first).to_have_text("1")


ASKING = '<div id="asking" hx-get="/asked-on" hx-trigger="load delay:50ms" hx-swap="outerHTML">Drawing …</div>'


def test_a_part_that_asks_on_asks_again_after_what_passes_and_says_why_it_stops(browser: Browser, site: Site) -> None:
    answers = iter((429, 503, 422))
    problem = '{"code": "needs-solution", "detail": "run pitboss solve"}'

    def show(route: Route) -> None:
        page = route.fetch()
        route.fulfill(response=page, body=page.text().replace("<h1>Puzzles</h1>", f"<h1>Puzzles</h1>{ASKING}"))

    with visitor(browser, site) as context:
        context.route("**/puzzles", show)
        context.route(
            "**/asked-on",
            lambda route: route.fulfill(status=next(answers), body=problem, content_type="application/problem+json"),
        )
        page = context.new_page()
        page.goto("/puzzles")
        expect(page.locator("#asking")).to_have_text("Run pitboss solve.")
        expect(page.locator("#asking")).to_have_attribute("role", "alert")
    assert not list(answers)
