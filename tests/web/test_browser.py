"""Rounds played in a real browser, on phones and desktops, by mouse and by keyboard, against the real server."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from pitboss.cli.app import run
from pitboss.games import load_game, load_games
from waiting import wait_until
from web.browsing import SIZES, accessible, follow, kept, list_games_and_sizes, press_an_action, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)


def sit_down(context: BrowserContext, game: str, bots: int = 1) -> Page:
    """Return a person's page of a new table of a game."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/")
    tile = page.locator(f".tile[data-game={game}]")
    page.get_by_label("Bots").select_option(str(bots))
    follow(page, tile.get_by_role("button"))
    expect(page.locator(".question")).to_contain_text("Place your wagers")
    assert not faults
    return page


def deal(page: Page) -> None:
    """Place what is suggested, and wait for the cards of the round."""
    page.get_by_role("button", name="Place and deal").click()
    expect(page.locator(".own .hand li").first).to_be_visible()


def deal_until_asked(page: Page, *, key: str = "") -> None:
    """Deal rounds, by a key if one is given, until there is a decision: an automatic winner is settled at once."""
    while not page.locator("#decision").count():
        before = page.locator("#table").get_attribute("data-sequence")
        if key:
            page.keyboard.press(key)
        else:
            page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#table")).not_to_have_attribute("data-sequence", before or "")
        expect(page.locator("#decision, #wagers")).to_be_visible()  # not between the wagers and the deal


def at_hand(page: Page) -> None:
    """Check that what comes next can be pressed without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    box, size = page.locator(".bar .choices button").first.bounding_box(), page.viewport_size
    assert box
    assert size
    assert box["y"] + box["height"] <= size["height"]


def play_on(page: Page) -> None:
    """Take the last action offered that needs no cards chosen until the round is settled, else the first that does."""
    while page.locator("#decision").count():
        press_an_action(page)
    expect(page.locator(".question")).to_contain_text("Place your wagers")


def chips_of(page: Page) -> int:
    """Return what the head of the table says of one's chips, in cents."""
    written = page.locator(".status strong").inner_text().replace("$", "").replace(",", "")
    return round(100 * float(written))


def won(page: Page) -> int:
    """Return what one's place says of the last round, in cents."""
    written = page.locator(".own .says strong").inner_text().replace("\u2212", "-").translate({36: "", 43: "", 44: ""})
    return round(100 * float(written))


@pytest.mark.more
@pytest.mark.parametrize(("game", "size"), list_games_and_sizes(load_games()))
def test_a_round_of_each_game(browser: Browser, casino: Casino, game: str, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = sit_down(context, game)
        accessible(page)
        at_hand(page)
        before = chips_of(page)
        deal(page)
        at_hand(page)
        if page.locator("#decision").count():
            accessible(page)
            kept(page, f"{game}-{size}")
        play_on(page)
        assert chips_of(page) == before + won(page)
        accessible(page)
        at_hand(page)
        kept(page, f"{game}-{size}-settled")
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


FILL_HANDS = """count => {
  for (const hand of document.querySelectorAll('.seat > .hand, .zone .hand, .own .held > .hand'))
    while (hand.children.length && hand.children.length < count) hand.append(hand.lastElementChild.cloneNode(true));
}"""
LIST_CARDS_OUTSIDE = """() => [...document.querySelectorAll('.seat > .hand')].flatMap(hand => {
  const seat = hand.closest('.seat').getBoundingClientRect();
  return [...hand.querySelectorAll('.card')].map(card => card.getBoundingClientRect())
    .filter(card => card.right > seat.right || card.left < seat.left || card.bottom > seat.bottom || card.width < 16);
})"""
COUNT_ROWS = """() => [...document.querySelectorAll('.zone .hand, .own .held > .hand')]
  .map(hand => new Set([...hand.children].map(card => card.getBoundingClientRect().top)).size)"""


@pytest.mark.more
def test_seven_cards_stay_in_their_box_and_on_one_row(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=3)
        set_look(page, "Coach", "off")  # whose words draw the table again, without the cards that are added here
        deal(page)
        play_on(page)
        for count in (6, 7):
            page.evaluate(FILL_HANDS, count)
            assert page.locator(".seat > .hand").first.locator(".card").count() == count
            for width in (360, 768, 1024, 1200, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(LIST_CARDS_OUTSIDE) == [], width
                assert set(page.evaluate(COUNT_ROWS)) == {1}, width
                assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.more
def test_a_result_of_a_hand_without_a_name_begins_with_the_amount(browser: Browser, tmp_path: Path) -> None:
    casino = Casino(tmp_path, games=Path(__file__).parents[1] / "unfollowed_games")
    casino.start()
    try:
        with visitor(browser, casino) as context:
            page = sit_down(context, "four-card-flush", bots=0)
            deal(page)
            play_on(page)
            assert re.fullmatch(r"[+\u2212]?\$\d+ this round", page.locator(".own .says").inner_text().strip())
    finally:
        casino.kill()


@pytest.mark.more
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby(browser: Browser, casino: Casino, scheme: str) -> None:
    with visitor(browser, casino, "phone", color_scheme=scheme) as context:
        page = context.new_page()
        page.goto("/")
        for name in load_games():
            expect(page.get_by_role("heading", name=load_game(name).name, exact=True)).to_be_visible()
        accessible(page)
        kept(page, f"lobby-{scheme}")


@pytest.mark.more
def test_the_lobby_keeps_ones_name_and_the_game_played_last(browser: Browser, casino: Casino) -> None:
    """A newcomer is offered the game with the fewest decisions; who comes back, the last one, under the same name."""
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("button", name="Play now")).to_have_text("Play nowSix Card Poker")
        page.get_by_label("Your name").fill("Béa & Co")
        follow(page, page.locator(".tile[data-game=wild-52]").get_by_role("button"))
        expect(page.locator(".status h1")).to_have_text("Wild 52")
        page.goto("/")
        expect(page.get_by_label("Your name")).to_have_value("Béa & Co")
        follow(page, page.get_by_role("button", name="Play now Wild 52"))
        expect(page.locator(".status h1")).to_have_text("Wild 52")
        page.goto("/")
        leave = page.get_by_role("button", name="Leave Wild 52")
        expect(leave).to_have_count(1)  # *Play now* led back to the same seat
        follow(page, page.get_by_role("link", name="Back to your seat at Wild 52", exact=True))
        expect(page.locator(".own")).to_be_visible()
        page.goto("/")
        leave.click()
        page.goto("/")
        expect(leave).to_have_count(0)


LIST_OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.felt :is(.seat, .zone, .spot, .own .hand, .own .results)')]
    .map(each => [each.className, each.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  const felt = document.querySelector('.felt').getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const met = ([one, a], at) => boxes.slice(at + 1).filter(([, b]) => meet(a, b)).map(([two]) => [one, two]);
  const pairs = boxes.flatMap(met);
  const row = document.querySelector('.seats');
  const scrolled = getComputedStyle(row).overflowX === 'auto' ? row : null;  // its seats go on beyond the felt
  const within = boxes.filter(([name]) => !scrolled || !name.startsWith('seat'));
  const past = (box) => box.left < felt.left || box.right > felt.right || box.bottom > felt.bottom;
  const outside = within.filter(([, box]) => past(box));
  return [...pairs, ...outside.map(([name]) => [name, 'outside'])];
}"""


@pytest.mark.more
@pytest.mark.parametrize("game", load_games())
def test_nothing_on_a_felt_covers_anything_else(browser: Browser, casino: Casino, game: str) -> None:
    """With a full table, before, in and after a round, at the widths where the felt changes."""
    with visitor(browser, casino) as context:
        page = sit_down(context, game, bots=5)

        def verify() -> None:
            for width in (360, 768, 1_199, 1_200, 1_440):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(LIST_OVERLAPS) == [], width
                assert page.evaluate("document.documentElement.scrollWidth") <= width

        verify()
        deal(page)
        verify()
        play_on(page)
        verify()
        own = page.locator(".own .held > .hand").bounding_box()
        sides = [page.locator(f".seats .{side} .seat").first.bounding_box() for side in ("left", "right")]
        assert own
        assert sides[0]
        assert sides[1]
        assert sides[0]["x"] < own["x"] < sides[1]["x"]
        page.locator("#chair summary").click()
        page.get_by_role("button", name="Leave the table").click()
        expect(page.get_by_role("button", name="Sit here").first).to_be_attached()
        verify()


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus, as somebody does who has no mouse."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            return
    pytest.fail(f"{wanted} is not reached by Tab")


@pytest.mark.more
def test_a_round_by_keyboard_alone(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/")
        tile = page.locator(".tile[data-game=six-card]")
        tab_to(page, page.get_by_label("Bots"))
        page.keyboard.press("Home")  # none
        tab_to(page, tile.get_by_role("button"))
        page.keyboard.press("Enter")
        stake = page.locator("#stake-main")
        expect(stake).to_be_visible()
        tab_to(page, stake)
        page.keyboard.press("End")
        page.keyboard.type("0")  # fifty dollars, where five were suggested
        page.keyboard.press("Enter")
        fold = page.get_by_role("button", name="Fold")
        expect(fold).to_be_visible()
        tab_to(page, fold)
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"  # seen, not only had
        page.keyboard.press("Enter")
        expect(page.locator(".own .says strong")).to_have_text("\u2212$50")
        tab_to(page, page.get_by_role("button", name="Place and deal"))


def test_chips_are_placed_by_click(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.locator(".rack label", has_text="25").click()
        page.get_by_role("button", name="Add a chip to Aces Up").click()
        page.get_by_role("button", name="Add a chip to Aces Up").click()
        expect(page.locator("#stake-aces-up")).to_have_value("50")
        expect(page.locator("[data-stakes=stake-aces-up] .chip")).to_have_text("50")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".spot", has_text="Aces Up").locator(".chip")).to_have_text("50")


def read_stakes(page: Page) -> dict[str, str]:
    """Return what is written in each stake field that is not empty."""
    fields = page.locator("input.stake").evaluate_all("all => all.map(each => [each.name, each.value])")
    return {name: value for name, value in fields if value}


@pytest.mark.more
def test_a_chip_that_a_circle_cannot_take_is_not_placed_and_it_says_why(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        why = page.locator("[data-says-why]")
        progressive = page.get_by_role("button", name="Add a chip to Progressive")
        progressive.click()  # with the chip of five: the wager is one dollar exactly
        assert read_stakes(page) == {"stake-progressive": "1", "stake-main": "5"}
        progressive.click()
        expect(why).to_have_text("Progressive takes exactly $1.")
        page.locator(".rack label", has_text="100").click()
        ante = page.get_by_role("button", name="Add a chip to Ante")
        for placed in ("105", "205", "305"):
            ante.click()
            assert read_stakes(page) == {"stake-progressive": "1", "stake-main": placed}
        expect(why).to_be_hidden()
        ante.click()
        expect(why).to_have_text("Ante takes at most $400.")
        page.get_by_role("button", name="Double").click()
        expect(why).to_have_text("Ante takes at most $400.")
        assert read_stakes(page)["stake-main"] == "305"
        for _ in range(3):
            page.get_by_role("button", name="Undo").click()
        assert read_stakes(page) == {"stake-progressive": "1", "stake-main": "5"}
        page.locator("#stake-aces-up").fill("399")
        page.locator("#stake-bad-beat").fill("400")
        for _ in range(2):
            ante.click()
        expect(why).to_contain_text("These wagers cost $1,005, and you have $1,000")
        accessible(page)
        page.get_by_role("button", name="Clear").click()
        assert read_stakes(page) == {}
        page.get_by_role("button", name="Rebet").click()
        assert read_stakes(page) == {"stake-main": "5"}


@pytest.mark.more
def test_a_round_by_keys_alone(browser: Browser, casino: Casino) -> None:
    """Digits take chips and mark cards, letters press the buttons that show them, Space the next step; or none does."""
    with visitor(browser, casino) as context:
        page = sit_down(context, "wild-six-card", bots=0)
        page.keyboard.press("3")
        expect(page.locator(".rack input:checked")).to_have_value("25")
        page.keyboard.press("x")
        doubled = read_stakes(page)
        deal_until_asked(page, key="Space")
        expect(page.locator(".own .hand input").first).to_be_visible()
        expect(page.locator(".question")).to_be_focused()  # Tab leads to the first answer, and Space takes none
        page.keyboard.press("Space")
        page.keyboard.press("2")
        expect(page.locator(".own .hand input").nth(1)).to_be_checked()
        actions = page.locator("#decision button")
        assert len(set(actions.evaluate_all("all => all.map(each => each.dataset.key)")) - {""}) == actions.count()
        page.keyboard.press("d")
        expect(page.locator(".question")).to_contain_text("Place your wagers")
        assert read_stakes(page) == doubled
        page.locator("#stake-main").focus()
        page.keyboard.press("End")  # where the caret is after news too
        page.keyboard.press("c")  # typed into a field, it is no key
        page.keyboard.press("Backspace")
        assert read_stakes(page) == doubled
        set_look(page, "Keys", "off")
        page.keyboard.press("c")
        page.keyboard.press("Space")
        assert read_stakes(page) == doubled


@pytest.mark.more
def test_a_chip_on_multi_super_is_one_on_each_other_hand(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "lunar", 2)
        page.get_by_role("button", name="Add a chip to Multi Super on each other seat").click()
        page.get_by_label("Multi Super on seat 4, Practical, in dollars").fill("10")
        expect(page.locator(".spot", has_text="Multi Super").locator(".chip")).to_have_text("15")
        deal(page)
        play_on(page)
        for seat in (2, 4):
            expect(page.locator(".results li", has_text=f"Multi Super, seat {seat}")).to_be_visible()
        accessible(page)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("3", "stake $5 to"), ("500", "to $400"), ("-5", "not an amount"), ("a lot", "not an amount"), ("5.50", "$1")],
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


@pytest.mark.more
def test_two_people_at_one_table(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as one, visitor(browser, casino) as other:
        first = sit_down(one, "wild-52", bots=0)
        second = other.new_page()
        second.goto(first.url)
        second.get_by_label("Your name").fill("Bea")
        second.get_by_role("button", name="Sit down").click()
        expect(first.locator(".seats")).to_contain_text("Bea")  # without a click
        first.get_by_role("button", name="Place and deal").click()
        expect(first.locator(".question")).to_contain_text("Your wagers are placed")
        second.get_by_role("button", name="Place and deal").click()
        for page in (first, second):
            expect(page.locator(".own .hand li").first).to_be_visible()  # only then is it known who decides
        deciding, waiting = (first, second) if first.locator("#decision").count() else (second, first)
        expect(waiting.locator(".question")).to_contain_text("is deciding")
        for page in (first, second):
            expect(page.locator(".seats .hand use").first).to_have_attribute("href", "/cards.svg#back")
        deciding.get_by_role("button", name="Fold").click()
        expect(waiting.locator("#decision")).to_be_visible()
        waiting.get_by_role("button", name="Fold").click()
        for page in (first, second):
            expect(page.locator(".own .says strong")).to_have_text("\u2212$5")


@pytest.mark.more
def test_cards_chosen_stay_chosen_when_somebody_sits_down(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as one, visitor(browser, casino) as other:
        page, second = sit_down(one, "lunar", bots=0), other.new_page()
        deal(page)
        page.locator(".own input[type=checkbox]").nth(1).check()
        second.goto(page.url)
        second.get_by_label("Your name").fill("Bea")
        second.get_by_role("button", name="Sit down").click()
        expect(page.locator(".seats")).to_contain_text("Bea")
        expect(page.locator(".own input[type=checkbox]").nth(1)).to_be_checked()


@pytest.mark.more
def test_two_tabs_on_one_seat(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        old = context.new_page()
        old.route("**/events*", lambda route: route.abort())  # a tab that hears of nothing
        old.goto(page.url)
        page.get_by_role("button", name="Place and deal").click()
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("\u2212$5")
        old.get_by_role("button", name="Place and deal").click()
        expect(old.get_by_role("alert")).to_contain_text("This page showed round 1, but round 2 is in play")
        assert chips_of(old) == chips_of(page) == 99_500


@pytest.mark.more
def test_who_goes_back_finds_the_table_as_it_stands_and_goes_on(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        table = page.url
        follow(page, page.get_by_role("link", name="PAR sheets"))
        expect(page.get_by_role("heading", name="PAR sheets")).to_be_visible()
        newer = context.new_page()
        newer.goto(table)
        deal(newer)
        newer.get_by_role("button", name="Fold").click()
        expect(newer.locator(".own .says strong")).to_have_text("\u2212$5")
        page.go_back()
        expect(page.locator(".status")).to_contain_text("Round 1 is over")  # nothing is shown that was kept
        deal(page)
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("\u2212$5")
        assert chips_of(page) == 99_000


@pytest.mark.more
def test_who_reloads_in_mid_round_finds_the_same_cards(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "lunar")
        deal(page)
        cards = page.locator(".own .hand").inner_html()
        page.reload()
        assert page.locator(".own .hand").inner_html() == cards


@pytest.mark.more
def test_who_loses_the_line_is_told_and_comes_back_to_the_same_round(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as one, visitor(browser, casino) as other:
        page = sit_down(one, "six-card", bots=0)
        deal(page)
        expect(page.locator("#table-news")).not_to_have_class(re.compile("htmx-request"))  # nothing is on its way
        cards = page.locator(".own .hand").inner_html()
        one.set_offline(True)
        page.get_by_role("button", name="Fold").click()
        expect(page.get_by_role("alert")).to_contain_text("the connection is lost")
        assert page.locator(".own .hand").inner_html() == cards
        second = other.new_page()
        second.goto(page.url)
        second.get_by_label("Your name").fill("Bea")
        second.get_by_role("button", name="Sit down").click()
        expect(second.get_by_label("Your place, seat 1")).to_be_visible()
        assert "Bea" not in page.locator(".seats").inner_text()
        one.set_offline(False)
        expect(page.locator(".seats")).to_contain_text("Bea")  # what was missed comes by itself
        page.get_by_role("button", name="Fold").click()
        expect(page.locator(".own .says strong")).to_have_text("\u2212$5")
        expect(page.get_by_role("alert")).to_have_count(0)
        assert chips_of(page) == 99_500


SUITS = ("s", "h", "d", "c")


def inks(page: Page) -> list[str]:
    """Return the colour of each suit, as the cards are drawn with it."""
    return [page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--suit-{s}')") for s in SUITS]


def set_look(page: Page, label: str, value: str) -> None:
    """Choose how pages look; a page that still comes into view may move away from the first press."""
    field = page.locator(".look").get_by_label(label)

    def open_settings() -> bool:
        if not field.is_visible():
            page.get_by_text("Display and coach").click()
        return field.is_visible()

    wait_until(open_settings)
    field.select_option(value)
    follow(page, page.get_by_role("button", name="Save"))


@pytest.mark.more
def test_presses_on_the_coach_add_nothing_to_go_back_through(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        entries = page.evaluate("history.length")
        page.locator(".rack label", has_text="25").click()
        page.get_by_role("button", name="Add a chip to Ante").click()
        page.locator("#stake-aces-up").fill("15")
        for mode in ("before", "off", "after"):
            follow(page, page.locator(".status form button"))
            expect(page.locator(".status form button")).to_contain_text(f"Coach: {mode}")
            expect(page.locator("#stake-main")).to_have_value("30")  # what lies on the circles stays there
            expect(page.locator("#stake-aces-up")).to_have_value("15")
            expect(page.locator(".own .chip").first).to_have_text("15")
        assert page.evaluate("history.length") == entries


@pytest.mark.more
def test_a_four_colour_deck(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        assert len(set(inks(page))) == 2
        set_look(page, "Deck", "four")
        expect(page.locator("html")).to_have_attribute("data-deck", "four")
        assert len(set(inks(page))) == 4
        deal(page)
        kept(page, "four-colours")
        other = context.new_page()
        other.goto("/")
        assert len(set(inks(other))) == 4  # it is kept


@pytest.mark.more
@pytest.mark.parametrize(
    ("motion", "speed", "moves"),
    [("no-preference", "normal", True), ("no-preference", "none", False), ("reduce", "normal", False)],
)
def test_cards_move_only_for_whom_they_may(
    browser: Browser, casino: Casino, motion: Literal["no-preference", "reduce"], speed: str, *, moves: bool
) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.emulate_media(reduced_motion=motion)
        if speed != "normal":
            set_look(page, "Dealing", speed)
        deal(page)
        card = page.locator(".dealt .card").first
        assert (card.evaluate("each => getComputedStyle(each).animationName") == "deal") == moves


@pytest.mark.more
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", ["six-card", "wild-six-card"])
def test_the_coach_and_ones_leaks(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, game, bots=0)
        set_look(page, "Coach", "before")
        deal_until_asked(page)
        worth = page.locator("#coach tbody tr")
        expect(worth.first).to_contain_text("best", timeout=120_000)
        on_buttons = page.locator("#decision button .worth")
        expect(on_buttons.filter(has_text="best")).not_to_have_count(0)
        shown = {text.split()[0] for text in on_buttons.all_inner_texts()}
        assert shown <= set(page.locator("#coach tbody td").all_inner_texts())
        given_up = page.locator("#coach tbody tr").first.get_by_role("img")
        marked = page.get_by_role("checkbox", name="best to discard").locator("..").get_by_role("img")
        name_of = "all => all.map(each => each.ariaLabel)"
        assert marked.evaluate_all(name_of) == given_up.evaluate_all(name_of)
        for width in (1440, 360):
            page.set_viewport_size({"width": width, "height": 800})
            expect(on_buttons.first).to_be_in_viewport()
            kept(page, f"coach-{game}" if width > 1_000 else f"coach-{game}-phone")
            accessible(page)
        play_on(page)
        follow(page, page.get_by_role("link", name="Your leaks at this table", exact=True))
        expect(page.locator(".figures")).to_contain_text(re.compile(r"Decisions\s*1"))
        accessible(page)


@pytest.mark.more
def test_a_coach_that_speaks_after_the_round_tells_nothing_before(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        set_look(page, "Coach", "after")
        coach, number = page.locator("#coach"), 0
        while "was worth" not in coach.inner_text():  # two of three hands are worth a play
            number += 1
            assert number <= 40
            page.get_by_role("button", name="Place and deal").click()
            expect(page.get_by_role("button", name="Fold")).to_be_visible()
            assert page.locator(".worth, .give, .bar .bad").count() == 0
            page.get_by_role("button", name="Fold").click()
            counted = re.compile(f"of {number} decisions right, cost|your decision was the best")
            expect(coach).to_contain_text(counted, timeout=120_000)
            expect(page.locator(".status")).to_contain_text(f"of {number} right")
        page.set_viewport_size({"width": 360, "height": 740})
        said = page.locator(".bar .bad", has_text="Fold was worth \u22121.0000, Play")
        expect(said).to_be_in_viewport()
        kept(page, "coach-after")
        accessible(page)
        said.locator("summary").click()
        again = said.get_by_role("link", name="Try again")
        kept_address = page.url
        follow(page, again)
        accessible(page)
        kept(page, "try-again-phone")
        assert "was worth" not in page.content()
        follow(page, page.get_by_role("button", name="Fold"))
        expect(page.locator("#task .bad")).to_contain_text("Fold costs")
        follow(page, page.get_by_role("link", name="Try it again"))
        follow(page, page.get_by_role("button", name="Play"))
        expect(page.locator("#task .notice").first).to_contain_text("Right: Play is worth")
        accessible(page)
        kept(page, "tried-phone")
        page.goto(kept_address)
        page.locator(".bar .bad summary").click()
        follow(page, page.locator(".bar .bad").get_by_role("link", name="Step through the round"))


@pytest.mark.more
def test_a_round_is_replayed_step_by_step(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "shifting-wilds")
        deal(page)
        play_on(page)
        settled = page.locator(".own .says").inner_text()
        follow(page, page.get_by_role("link", name="Last round"))
        accessible(page)
        forward, places = page.get_by_role("link", name="Step forward"), set[float]()
        while forward.count():
            box = forward.bounding_box()
            assert box
            places.add(box["x"])
            follow(page, forward)
        assert len(places) == 1  # the button stays where it is pressed
        assert page.locator(".own .says").inner_text() == settled
        kept(page, "replay")


@pytest.mark.more
def test_a_provably_fair_round_is_verified_from_its_history(
    browser: Browser, casino: Casino, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/")
        tile = page.locator(".tile[data-game=shifting-wilds]")
        page.get_by_label("Provably fair").check()
        follow(page, tile.get_by_role("button"))
        page.get_by_text("Provably fair shuffle").click()
        bound = page.locator("details.notice code").first.inner_text()
        deal(page)  # the browser's own seed goes with it
        play_on(page)
        with page.expect_download() as download:
            page.get_by_role("link", name="history").click()
        download.value.save_as(tmp_path / "round.toml")
    assert bound in (tmp_path / "round.toml").read_text()
    assert run(["verify", str(tmp_path / "round.toml")]) == 0
    assert "seed of seat 3: it has the hash that was handed in" in capsys.readouterr().out


@pytest.mark.more
def test_bots_are_added_with_the_strategies_that_are_chosen(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "six-card", bots=0)
        chosen = page.get_by_label("Strategy of the bot in seat 5")
        chosen.select_option("plays any pair or better")
        page.get_by_label("Strategy of the bot in seat 4").select_option("plays every hand")
        page.locator(".seat", has_text="Seat 4").get_by_role("button", name="Add a bot").click()
        expect(page.locator(".seat", has_text="Seat 4: Always play (bot)")).to_contain_text("plays every hand")
        expect(chosen).to_have_value("any-pair")  # what is chosen elsewhere is not lost meanwhile
        accessible(page)
        kept(page, "bots-phone")


def test_chips_are_bought_and_the_chair_given_up(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "six-card", bots=0)
        page.get_by_text("Chips and seat").click()
        page.get_by_label("Buy chips").fill("250")
        page.get_by_role("button", name="Buy").click()
        expect(page.locator(".status strong")).to_have_text("$1,250")
        page.get_by_role("button", name="Leave the table").click()
        expect(page.get_by_label("Your name")).to_be_visible()


@pytest.mark.more
def test_an_address_that_is_none_is_told_on_a_page(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto("/tables/none")
        expect(page.get_by_role("alert")).to_contain_text("There is no table 'none'")
        accessible(page)
        follow(page, page.get_by_role("link", name="All tables"))
        expect(page.get_by_role("heading", name="Poker against the house")).to_be_visible()


@pytest.mark.more
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
            expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
            casino.start()
            expect(page.get_by_role("alert")).to_have_count(0)  # by itself
            assert page.locator(".own .hand").inner_html() == cards
            page.reload()
            assert page.locator(".own .hand").inner_html() == cards
            play_on(page)
    finally:
        casino.kill()
