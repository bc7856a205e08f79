"""PAR sheets and dealer training in a real browser: a pay edited, a round dealt to its score."""

import json
import re
from itertools import cycle
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pitboss.games import load_game, load_games
from pitboss.table.training.procedure import load_procedure
from tiers import keep_first
from web.browsing import SIZES, accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

FLUSHES, DEALS = 205_792, 20_358_520
"""Six-card hands whose best five are a flush, of all."""

COUNTING = 120_000
HEIGHTS = "texts => texts.map(text => text.getBoundingClientRect().height)"
VISITS = [*zip(load_games(), cycle(SIZES), cycle(("light", "dark", "dark", "light")), strict=False)]


def edge(page: Page) -> float:
    """Return the house edge that a sheet shows, in hundredths."""
    return float(page.locator("#sheet tr", has_text="House edge").locator("td").first.inner_text().rstrip("%"))


@pytest.mark.more
def test_a_pay_is_edited_and_the_edge_follows(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/par?game=six-card&bet=aces-up")
        figures = page.locator("#sheet table").first
        expect(figures).to_contain_text("House edge", timeout=COUNTING)
        before = edge(page)
        flush = page.get_by_label("Flush", exact=True)
        flush.fill(str(int(flush.input_value()) + 1))
        expect(figures).to_contain_text("SCP-01-edited")
        assert before - edge(page) == pytest.approx(100 * FLUSHES / DEALS, abs=1e-3)
        slider = page.get_by_label("Flush, slider", exact=True)
        expect(slider).to_have_value("9")
        slider.press("ArrowRight")
        expect(flush).to_have_value("10")
        expect(page.locator("#sheet")).to_contain_text("flush 10 to 1, was 8 to 1")
        assert before - edge(page) == pytest.approx(2 * 100 * FLUSHES / DEALS, abs=1e-3)
        assert "pay-flush=10" in page.url
        page.get_by_label("SCP-02", exact=True).check()
        expect(figures.get_by_role("columnheader")).to_have_text(["Figure", "SCP-01-edited", "SCP-02"])
        accessible(page)
        kept(page, "par-sheet")
        page.get_by_text("These pays as a file").click()
        page.get_by_role("button", name="Compare with these pays").click()
        own = ["Figure", "SCP-01-edited", "SCP-02", "own 1: SCP-01-edited"]
        expect(figures.get_by_role("columnheader")).to_have_text(own)
        page.get_by_text("What each ruling changes").click()
        expect(page.locator("#options-table")).to_contain_text("hanges", timeout=COUNTING)
        page.set_viewport_size(SIZES["phone"])
        accessible(page)
        kept(page, "par-sheet-phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]
        page.reload()  # the address holds it all
        expect(figures.get_by_role("columnheader")).to_have_text(own)


def test_a_pay_that_is_none_is_refused_in_a_line(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/par?game=six-card&bet=aces-up")
        page.get_by_label("Flush", exact=True).fill("-8")
        expect(page.get_by_role("alert")).to_contain_text("Flush: '-8' is not a pay: write a whole number")


@pytest.mark.more
def test_a_wanted_edge_is_typed_and_the_tables_follow(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/design?game=six-card&bet=aces-up")
        page.get_by_label("House edge", exact=True).fill("3%..3.5%")
        tables = page.locator("#sheet table.tuned")
        expect(tables).to_contain_text("House edge", timeout=COUNTING)
        accessible(page)
        kept(page, "design")
        slider = page.get_by_label("Pay of Flush, slider")
        slider.press("ArrowRight")
        picked = page.locator("figure", has=slider).locator("output")
        expect(picked).to_have_text(re.compile("^9: house edge 1"))  # the current table pays 8
        page.set_viewport_size(SIZES["phone"])
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]
        shown = tables.locator("tr", has_text="House edge").locator("td").nth(1).inner_text()
        follow(page, page.get_by_role("link", name="PAR sheet of table 1"))
        expect(page.locator("#sheet tr", has_text="House edge").locator("td").first).to_have_text(shown)


@pytest.mark.more
@pytest.mark.parametrize(("size", "scheme"), keep_first([("phone", "dark"), ("desktop", "light")], 1))
def test_a_chart_is_read_at_any_width(
    browser: Browser, casino: Casino, size: str, scheme: Literal["light", "dark"]
) -> None:
    with visitor(browser, casino, size, color_scheme=scheme) as context:
        page, problems = context.new_page(), list[str]()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto("/charts?game=six-card")
        picture, as_picture = page.get_by_role("img"), page.get_by_text("As a picture")
        as_picture.click(timeout=COUNTING)
        expect(picture).to_be_visible()
        accessible(page)
        kept(page, f"charts-{size}")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        letters = picture.locator("text").all_text_contents()
        expect(page.locator("[data-grid] a").filter(has_text="P").first).to_be_visible()
        assert "P" in [each.strip() for each in letters]
        for kind in ("strategy", "band", "contribution", "pay", "ruin", "meter"):
            page.goto(f"/charts?game=six-card&kind={kind}&bet={'progressive' if kind == 'meter' else 'aces-up'}")
            if kind == "strategy":
                as_picture.click(timeout=COUNTING)
            expect(picture).to_be_visible(timeout=COUNTING)
            accessible(page)
            kept(page, f"charts-{kind}-{size}")
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
            assert min(picture.locator("text").evaluate_all(HEIGHTS)) >= 9  # pixels
        assert problems == []  # no style that the page forbids


@pytest.mark.more
@pytest.mark.in_turn("size")
@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_a_hand_is_clicked_together_and_valued(
    browser: Browser, casino: Casino, size: str, scheme: Literal["light", "dark"]
) -> None:
    with visitor(browser, casino, size, color_scheme=scheme) as context:
        page, problems = context.new_page(), list[str]()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto("/study?game=six-card")
        own = page.get_by_label("Your cards", exact=True)
        expect(page.get_by_role("row", name="Fold")).to_be_visible(timeout=COUNTING)
        accessible(page)
        before = own.input_value().split()
        card = page.locator(f'[data-card="{before[0]}"]')
        expect(card).to_have_attribute("aria-pressed", "true")
        card.click()
        expect(own).to_have_value(" ".join(before[1:]))
        expect(page.get_by_role("alert")).to_contain_text("your hand must have 6 cards, not 5")
        own.focus()
        page.locator('[data-card="As"]').click()
        expect(own).to_have_value(" ".join([*before[1:], "As"]))
        expect(page.get_by_role("row", name="Fold")).to_be_visible(timeout=COUNTING)
        kept(page, f"study-{size}")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        expect(page.locator(".why-text")).to_contain_text("Fold", timeout=COUNTING)
        shown = page.locator("#values").inner_text()
        page.goto(page.url)  # the address is a link to the position
        expect(page.locator(".why-text")).to_contain_text("Fold", timeout=COUNTING)
        assert page.locator("#values").inner_text() == shown
        page.locator("select[name=game]").select_option("wild-52")
        page.wait_for_url(re.compile("game=wild-52"))
        assert problems == []


@pytest.mark.more
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["wild-52"])
def test_nothing_moves_when_it_is_counted_how_often_each_action_wins(
    browser: Browser, casino: Casino, game: str, size: str
) -> None:
    with visitor(browser, casino, size) as context:
        page, held = context.new_page(), list[Route]()
        place = list[float]()
        page.route("**/study/why*", lambda route: route.continue_() if place else held.append(route))
        page.goto(f"/study?game={game}")
        why, table = page.locator(".why-text"), page.get_by_role("group", name="Value of each action")
        expect(why).to_contain_text("Counting how often each action wins", timeout=COUNTING)
        while not held:
            page.wait_for_timeout(50)
        place.append(table.evaluate("each => each.offsetTop"))
        for each in held:
            each.continue_()
        expect(why).to_contain_text("of 100 rounds", timeout=COUNTING)
        assert table.evaluate("each => each.offsetTop") == place[0]


@pytest.mark.more
@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_results_are_judged_from_a_file(
    browser: Browser, casino: Casino, tmp_path: Path, size: str, scheme: Literal["light", "dark"]
) -> None:
    days = [f"{table},day {day},900,500,450000,{430_000 + 90_000 * table}" for table in (0, 1) for day in range(9)]
    results = tmp_path / "results.csv"
    results.write_text(
        "\n".join(["table,period,rounds,stake_cents,staked_cents,returned_cents", *days]), encoding="utf-8"
    )
    with visitor(browser, casino, size, color_scheme=scheme) as context:
        page, problems = context.new_page(), list[str]()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto("/monitor?game=shifting-wilds&bet=blackjack-bonus")
        accessible(page)
        page.get_by_label("File", exact=True).set_input_files(results)
        expect(page.get_by_role("textbox", name="Results in CSV")).to_have_value(re.compile("day 8"))
        page.get_by_role("button", name="Judge").click()
        expect(page.get_by_role("img")).to_be_visible(timeout=COUNTING)
        expect(page.get_by_role("status")).to_contain_text("1 of 2 tables out of tolerance")
        accessible(page)
        kept(page, f"monitor-{size}")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        with page.expect_download() as download:
            page.get_by_role("button", name="JSON").click()
        assert json.loads(download.value.path().read_text(encoding="utf-8"))["out_of_tolerance"] == ["1"]
        assert problems == []  # no style that the page forbids


def test_results_are_judged_without_a_script(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/monitor?game=shifting-wilds&bet=blackjack-bonus")
        text = "table,period,rounds,stake_cents,staked_cents,returned_cents\n7,Monday,900,500,450000,440000"
        page.get_by_role("textbox", name="Results in CSV").fill(text)
        for _ in range(20):
            follow(page, page.get_by_role("button", name="Judge"))
            if page.get_by_role("img").count():
                break
        expect(page.get_by_role("status")).to_contain_text("1 table within tolerance")


def test_a_pay_table_is_designed_without_a_script(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/design?game=six-card&bet=aces-up")
        page.get_by_label("House edge", exact=True).fill("3%..3.5%")
        follow(page, page.get_by_role("button", name="Find pay tables"))
        expect(page.locator("#sheet table.tuned")).to_contain_text("House edge", timeout=COUNTING)


@pytest.mark.more
@pytest.mark.in_turn("game")
@pytest.mark.parametrize(("game", "size", "scheme"), VISITS)
def test_the_rules_are_a_link_away_from_lobby_and_felt(
    browser: Browser, casino: Casino, game: str, size: str, scheme: Literal["light", "dark"]
) -> None:
    with visitor(browser, casino, size, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto("/")
        follow(page, page.get_by_role("link", name=f"Rules of {load_game(game).name}", exact=True))
        expect(page.get_by_role("heading", name="Settlement", exact=True)).to_be_visible()
        for wager in load_game(game).wagers:
            expect(page.locator("#in-force").get_by_role("rowheader", name=wager.name).first).to_be_visible()
        accessible(page)
        kept(page, f"rules-{game}")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        page.goto("/")
        follow(page, page.locator(f".tile[data-game={game}]").get_by_role("button"))
        with context.expect_page() as opened:
            page.locator(".status").get_by_role("link", name="Rules").click()
        expect(opened.value.get_by_role("heading", name=f"Rules of {load_game(game).name}")).to_be_visible()
        follow(opened.value, opened.value.get_by_role("link", name="Back to the table"))
        expect(opened.value.locator(".question")).to_contain_text("Place your wagers")


def begin(page: Page, game: str, seats: str = "1") -> None:
    """Begin a drill."""
    page.goto("/training")
    page.locator("select[name=game]").select_option(game)
    page.get_by_label("Seats").select_option(seats)
    follow(page, page.get_by_role("button", name="Deal", exact=True))


DEAL = "Deal 5 to each seat, 5 to yourself, 2 to the middle"


@pytest.mark.more
def test_a_dealer_is_asked_until_all_is_right_and_what_was_wrong_is_kept(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/training")
        accessible(page)
        begin(page, "wild-52")
        head, said = page.locator(".status"), page.get_by_role("status")
        follow(page, page.locator(".choices button").filter(has_not_text=DEAL).first)
        expect(said).to_contain_text("Wrong.")
        expect(said).to_contain_text(DEAL)
        expect(said).to_contain_text(load_procedure(load_game("wild-52")).deal)
        right, mispaid, wrong = 0, 0, [said.locator("strong").nth(1).inner_text()]
        while "Asked again" not in head.inner_text():
            if page.get_by_label("Pay, in dollars").count():
                answers = [page.get_by_role("button", name=name).bounding_box() for name in ("Pay", "Take it")]
                assert len({each and each["y"] for each in answers}) == 1  # the bar leaves the hand in sight
                answer(page, "pay $7.77")  # no table pays that
                expect(said).to_contain_text(re.compile("(Over|Short) by"))
                mispaid += 1
                if mispaid == 1:
                    accessible(page)
                    kept(page, "dealer-training")
            else:
                follow(page, page.locator(".choices button").first)
            if said.locator("strong").first.inner_text() == "Right.":
                right += 1
            else:
                wrong.append(said.locator("strong").nth(1).inner_text())
        for wanted in wrong:
            answer(page, wanted)
        expect(page.locator(".figures")).to_contain_text(f"{right} of {right + len(wrong)}")
        expect(page.locator(".notice tbody tr")).to_have_count(len(wrong))
        accessible(page)
        follow(page, page.get_by_role("link", name="your record"))
        dealt = page.locator(".record tbody tr").filter(has=page.get_by_role("rowheader", name="Deal", exact=True))
        expect(dealt.first).to_contain_text("wrong")
        accessible(page)
        kept(page, "training-record")
        follow(page, page.get_by_role("button", name="Practise my mistakes: Wild 52"))
        expect(page.get_by_role("heading", name="Dealing Wild 52")).to_be_visible()
        page.set_viewport_size(SIZES["phone"])
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]


@pytest.mark.more
def test_hands_that_may_go_unshown_are_among_the_choices(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto("/training")
        page.get_by_label("Now and then, leave a winning hand unshown").check()
        page.locator("select[name=game]").select_option("wild-six-card")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        offered = page.get_by_role("button", name=re.compile("its winning first hand was not shown"))
        while not offered.count():
            follow(page, page.locator(".choices button").first)
        accessible(page)
        kept(page, "training-unshown")
        follow(page, offered.first)
        expect(page.get_by_role("status")).to_contain_text(re.compile("Right|Wrong"))
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]


@pytest.mark.more
def test_a_drill_goes_on_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    casino.start()
    try:
        with visitor(browser, casino) as context:
            page = context.new_page()
            begin(page, "wild-six-card", "2")
            answer(page, "Deal 5 to each seat, 5 to yourself")
            asked = page.locator(".bar").inner_text()
            casino.kill()
            casino.start()
            page.goto(page.url)
            assert page.locator(".bar").inner_text() == asked
            expect(page.locator(".status")).to_contain_text("1 of 1 right")
    finally:
        casino.kill()


def answer(page: Page, wanted: str) -> None:
    """Give an answer as the page itself words what is right."""
    if wanted.startswith("collect $"):
        page.get_by_label("Collect, in dollars").fill(wanted.removeprefix("collect $"))
        follow(page, page.get_by_role("button", name="Collect", exact=True))
    elif not page.get_by_label("Pay, in dollars").count():
        follow(page, page.locator(f'.choices button[value="{wanted}"]'))  # its name says how the hand lies too
    elif wanted.startswith("pay $"):
        page.get_by_label("Pay, in dollars").fill(wanted.removeprefix("pay $"))
        follow(page, page.get_by_role("button", name="Pay", exact=True))
    else:
        follow(page, page.get_by_role("button", name={"take it": "Take it", "leave it": "Leave it: a push"}[wanted]))
