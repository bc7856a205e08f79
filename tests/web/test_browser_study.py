"""Rounds, positions and charts in a real browser: by keyboard, on a phone, in every game."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pitboss.cards import seeded_bits
from pitboss.games import load_game
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.game_words import link_words
from pitboss.web.jobs.chart_content import build_chart_job, lay_out_chart
from pitboss.web.pages.charts import parse_chart_query
from pitboss.web.registry import TableRegistry
from web.browsing import accessible, follow, kept, list_games_and_sizes, visitor
from web.casino import CHROMIUM, NO_BROWSER
from web.served import answering, unlimited
from web.test_guests import House
from web.test_leaks import SEAT, SOLVED, played, value_all
from web.test_study import value_as_listed

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER), pytest.mark.more]

MOST_BYTES = 300_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A floor that is served for a test; by this seed there is something to decide in the first round of every game."""
    bits = seeded_bits(1)
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", bits=bits)
    floor = TableRegistry(tables, limits=unlimited())
    made = House(floor, "")
    with answering(create_app(None, floor)) as made.address:
        yield made
        for person in made.people:
            person.web.close()
    floor.close()


def come_in(context: BrowserContext, house: House) -> Page:
    """Return a page of the person who played."""
    cookies = house.people[0].web.cookies
    context.add_cookies([{"name": name, "value": value, "url": house.address} for name, value in cookies.items()])
    return context.new_page()


def fits(page: Page) -> None:
    """Check that a page is as wide as the window and not too large."""
    width = page.viewport_size and page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= (width or 0)
    assert len(page.content().encode()) < MOST_BYTES


def push_each(page: Page) -> None:
    """Let every wager of one's own push: chance seldom makes two words that are links lie one above the other."""
    word = str(link_words("Push"))
    assert "<a " in word
    results = page.locator(".results .result")
    assert results.count()
    results.evaluate_all("(results, word) => results.forEach(result => { result.innerHTML = word })", word)


@pytest.mark.in_turn("game")
@pytest.mark.parametrize(("game", "size"), list_games_and_sizes(SOLVED))
def test_a_round_is_read_and_played_on_by_keyboard(browser: Browser, house: House, game: str, size: str) -> None:
    _, name = played(house, game)
    value_all(house.floor, name, house.floor.get_session(name).seats[SEAT].holder)
    with visitor(browser, house, size) as context:
        page = come_in(context, house)
        page.goto(f"/tables/{name}/rounds/1")
        points = page.locator("#values svg a")
        expect(points.first).to_be_attached()
        points.first.focus()
        asked = points.first.get_attribute("href") or ""
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{asked}")
        expect(page.get_by_role("link", name="Study this decision")).to_be_visible()
        fits(page)
        accessible(page)
        kept(page, f"round-{game}-{size}")
        page.get_by_role("link", name="What if?").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/what-if?*")
        expect(page.locator("#asked")).to_contain_text("best")
        accessible(page)
        kept(page, f"what-if-{game}-{size}")
        while page.locator("#asked").count():
            counts = re.search(r"the (\d) to \d chosen", page.locator("#asked").inner_text())
            boxes = page.get_by_role("checkbox")
            button = page.locator("#asked button").last
            for place in range(int(counts[1]) if counts else min(1, boxes.count())):
                boxes.nth(place).focus()
                page.keyboard.press("Space")
            button.focus()
            with page.expect_navigation():
                page.keyboard.press("Enter")
        expect(page.get_by_role("status").first).to_contain_text("The round now ends with")
        fits(page)
        accessible(page)
        kept(page, f"what-if-ended-{game}-{size}")
        push_each(page)
        accessible(page)


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", SOLVED)
def test_a_position_is_shared(browser: Browser, house: House, game: str) -> None:
    value_as_listed(house.floor, load_game(game))
    with visitor(browser, house, "phone") as context:
        page = context.new_page()
        page.goto(f"/study?game={game}")
        page.locator("#share summary").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Command line")).to_contain_text(f"pitboss hint {game} --player")
        fits(page)
        accessible(page)
        kept(page, f"shared-{game}")
        with page.expect_download() as found:
            page.get_by_role("link", name="Picture as SVG").click()
        assert found.value.suggested_filename == f"{game}.svg"
        with page.expect_download() as drawn:
            page.get_by_role("link", name="Picture", exact=True).click()
        assert drawn.value.suggested_filename == f"{game}.png"
        size = re.search(r' width="([\d.]+)" height="([\d.]+)"', found.value.path().read_text(encoding="utf-8"))
        assert size is not None
        signature, width, height = struct.unpack(">8s8x2I", drawn.value.path().read_bytes()[:24])
        assert signature == b"\x89PNG\r\n\x1a\n"
        assert (width, height) == (2 * round(float(size[1])), 2 * round(float(size[2])))
        link = page.get_by_role("link", name="Link to the position").get_attribute("href")
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy the address").press("Enter")
        expect(page.locator("#share [role=status]")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == f"{house.address}{link}"
        with visitor(browser, house, "desktop") as other:
            there = other.new_page()
            there.goto(link or "")
            expect(there.locator("#values h2")).to_have_text(page.locator("#values h2").inner_text())


def test_typed_cards_lie_on_the_board_however_they_are_written(browser: Browser, house: House) -> None:
    with visitor(browser, house) as context:
        page = context.new_page()
        page.goto("/study?game=six-card")
        typed = page.locator("[data-cards]").first
        typed.fill("A♥, 10d; 9C,8♠;5s")
        for card in ("Ah", "Td", "9c", "8s", "5s"):
            button = page.locator(f"[data-card='{card}']")
            expect(button).to_have_attribute("aria-pressed", "true")
            button.click()
            expect(button).to_have_attribute("aria-pressed", "false")
        expect(typed).to_have_value("")
        ten = page.locator("[data-card='Td']")
        ten.click()
        expect(typed).to_have_value("10d")  # as the card's face says it
        expect(ten).to_have_attribute("aria-pressed", "true")


def test_a_phone_brings_the_answer_of_a_clicked_card_into_view(browser: Browser, house: House) -> None:
    with visitor(browser, house, "phone") as context:
        page = context.new_page()
        page.goto("/study?game=six-card")
        answer = page.locator("#values .notice[role=status]")
        expect(answer).to_be_attached()
        page.locator("[data-card][aria-pressed=true]").first.click()
        expect(page.locator("#values [role=alert]")).to_be_attached()  # a card is missing: nothing moves
        expect(answer).to_have_count(0)
        page.evaluate("scrollTo(0, 0)")
        page.locator("[data-card='Kh']").click()
        expect(answer).to_be_in_viewport(ratio=0.9)


def test_show_leads_to_the_answer_on_a_phone_and_another_game_to_its_form(browser: Browser, house: House) -> None:
    with visitor(browser, house, "phone") as context:
        page = context.new_page()
        page.goto("/study?game=six-card")
        follow(page, page.get_by_role("button", name="Show"))
        page.wait_for_function("Math.abs(document.querySelector('#values').getBoundingClientRect().top) < 50")
        expect(page.locator("#values .notice[role=status]")).to_be_in_viewport(ratio=0.9)
        with page.expect_navigation(url="**/study?game=wild-52"):
            page.get_by_label("Game").select_option("wild-52")
        assert page.evaluate("scrollY") == 0
        expect(page.get_by_label("Game")).to_have_value("wild-52")


def test_the_choices_of_a_chart_fit_a_phone(browser: Browser, house: House) -> None:
    with visitor(browser, house, "phone") as context:
        page = context.new_page()
        page.goto("/charts")
        page.locator("[name=kind]").select_option("contribution")
        widths = page.locator("[name=kind]").evaluate(
            """(choice) => {
              const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(choice);
              pen.font = style.font;
              const texts = Array.from(choice.options, (each) => pen.measureText(each.text).width);
              const room = choice.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
              return [Math.max(...texts), room];
            }"""
        )
        arrow = 16
        assert widths[0] + arrow <= widths[1]


def test_a_joker_is_typed_by_the_name_on_its_button(browser: Browser, house: House) -> None:
    with visitor(browser, house) as context:
        page = context.new_page()
        page.goto("/study?game=wild-52")
        typed, button = page.locator("[data-cards]").first, page.locator("[data-card='Jk']")
        expect(button).to_have_text("Joker")
        typed.fill("Joker, 2s")
        expect(button).to_have_attribute("aria-pressed", "true")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "false")
        expect(typed).to_have_value("2s")


@pytest.mark.in_turn("game")
@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("wild-52", {"player": 5, "community": 1}),
        ("lunar", {"player": 5, "dealer": 1, "drew": 1}),
        ("six-card", {"player": 6, "dealer": 3}),
        ("shifting-wilds", {"player": 4, "community": 2, "indicators": 2}),
    ],
)
def test_a_full_field_passes_the_next_card_on(
    browser: Browser, house: House, game: str, counts: dict[str, int]
) -> None:
    with visitor(browser, house) as context:
        page = context.new_page()
        page.goto(f"/study?game={game}")
        for field in page.locator("[data-cards]").all():
            field.fill("")
        page.locator("[data-cards]").first.focus()
        buttons = page.locator("[data-card]")
        for each in range(sum(counts.values())):
            buttons.nth(each).press("Enter") if each % 2 else buttons.nth(each).click()
        for name, count in counts.items():
            assert len(page.locator(f"[name={name}]").input_value().split()) == count, name
        for each in range(sum(counts.values()), 30):
            buttons.nth(each).click()
        for field in page.locator("[data-cards]").all():
            assert len(field.input_value().split()) == int(field.get_attribute("data-most") or 0)


def test_a_chart_is_walked_with_the_arrow_keys_and_a_cell_opened(browser: Browser, house: House) -> None:
    asked = parse_chart_query("six-card", "strategy", "ace-high-low-card").request
    house.floor.jobs.store_result(build_chart_job(asked), lay_out_chart(asked))
    for scheme, size in (("light", "phone"), ("dark", "desktop")):
        with visitor(browser, house, size, color_scheme=scheme) as context:
            page = context.new_page()
            page.goto("/charts?game=six-card&kind=strategy&grid=ace-high-low-card")
            cells = page.locator("[data-grid] a")
            assert page.locator("[data-grid] a[tabindex='0']").count() == 1
            cells.first.focus()
            for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
                page.keyboard.press(key)
            reached = page.locator("[data-grid] a:focus")
            wanted = reached.get_attribute("aria-label") or ""
            assert (reached.get_attribute("href") or "").endswith("cell=1.1#cell")
            page.keyboard.press("Enter")
            page.wait_for_url("**cell=1.1#cell")
            expect(page.locator("#cell h2").first).to_have_text(wanted.rpartition(":")[0])
            expect(page.get_by_role("group", name="Value of each action")).to_be_visible()
            expect(page.locator("#counts")).to_be_attached()
            assert "game=six-card&kind=strategy&grid=ace-high-low-card" in page.url
            fits(page)
            accessible(page)
            kept(page, f"chart-cell-{scheme}")
