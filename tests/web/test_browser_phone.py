"""A table on a phone and at 200 % zoom: everything of a round is in view or in reach, in every game."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.games import load_game, load_games
from waiting import wait_until
from web.browsing import accessible, kept, press_an_action, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.test_browser import deal, deal_until_asked, set_look, sit_down

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER), pytest.mark.more]

SIZES: dict[str, dict[str, Any]] = {
    "narrow": {"viewport": {"width": 320, "height": 640}},  # also a wide page at 400 %
    "phone": {"viewport": {"width": 360, "height": 740}},
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "zoomed": {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2},
    "zoomed-phone": {"viewport": {"width": 360, "height": 450}, "device_scale_factor": 2},
    "phone-on-its-side": {"viewport": {"width": 844, "height": 390}},
    "small-phone-on-its-side": {"viewport": {"width": 667, "height": 375}},
}

# One's hand ends above the bar, as far as it fits there; if not, it begins in view.  Where there are results or a guide
# the cards go first; and a guide to the circles before them.
UNDER_THE_BAR = """() => {
  if (document.querySelector('.zone #guide')) return scrollY ? 'the guide is scrolled away' : '';
  const held = document.querySelector('.own:has(.results, #guide) .held');
  const shown = held ?? document.querySelector('.own .mine:has(.hand)') ?? document.querySelector('.own .circles');
  const { top, bottom, height } = shown.getBoundingClientRect();
  const bar = document.querySelector('#table .bar'), felt = document.querySelector('#table .felt');
  const isBeside = bar.getBoundingClientRect().left >= felt.getBoundingClientRect().right - 1;
  const room = innerHeight - (isBeside ? 0 : bar.offsetHeight);
  return (height <= room ? bottom <= room + 1 : top >= -1 && top < room) ? '' : `${top} ${bottom} of ${room}`;
}"""
# Whatever can be pressed, and each line of a result, can be brought to where nothing covers it.
COVERED = """() => [...document.querySelectorAll('#table :is(.circle, .bar button, .results li, .stake)')]
  .filter(each => {
  if (!each.offsetParent) return false;
  each.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { left, top, width, height } = each.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return !each.contains(there) && !there?.closest('label')?.contains(each);
}).map(each => `${each.className} ${each.textContent.trim()}`)"""
CUT = """() => [...document.querySelectorAll('#table :is(.bar *, .circle, .results *, .held .card, .says)')]
  .filter(each => each.offsetParent && !each.closest('.hidden, .rack label'))
  .filter(each => { const box = each.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; })
  .map(each => each.outerHTML.slice(0, 80))"""


# The name of a circle lies on its chip, above the number below, and a flat circle in line with those beside it.
CROOKED = """() => {
  const place = each => each.getBoundingClientRect();
  const middle = each => (place(each).top + place(each).bottom) / 2;
  const spots = [...document.querySelectorAll('.spot')];
  const hidden = spots.filter(each => each.querySelector('.chip') && each.querySelector('.stake')
    && place(each.querySelector('.tag')).bottom > place(each.querySelector('.stake')).top);
  const rows = [...document.querySelectorAll('.circles > div')].filter(row => {
    const middles = [...row.querySelectorAll('.circle')].map(middle);
    return Math.max(...middles) - Math.min(...middles) > 1;
  });
  return [...hidden, ...rows].map(each => each.textContent.trim());
}"""


def check(page: Page) -> None:
    """Check what is in view now, and then what is in reach."""
    page.wait_for_timeout(300)  # the next step has been scrolled to
    place = page.evaluate("scrollY")
    assert page.evaluate(UNDER_THE_BAR) == ""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert page.evaluate(CUT) == []
    assert page.evaluate(COVERED) == []
    page.evaluate(f"scrollTo(0, {place})")


def list_games_and_sizes() -> list[Any]:
    """List every game with every size; each game in the narrowest and in one other is looked at before ``long``."""
    first, *others = SIZES
    return [
        pytest.param(game, size, marks=[] if size in {first, others[at % len(others)]} else pytest.mark.long)
        for at, game in enumerate(load_games())
        for size in SIZES
    ]


@pytest.mark.in_turn("game")
@pytest.mark.parametrize(("game", "size"), list_games_and_sizes())
def test_a_round_is_in_view_and_in_reach(browser: Browser, casino: Casino, game: str, size: str) -> None:
    with visitor(browser, casino, **SIZES[size]) as context:
        # Words of the coach come at any moment, and between them and the scroll that follows nothing is measured.
        context.add_cookies([{"name": "pitboss-look", "value": "system.two.normal.off", "url": casino.address}])
        page = sit_down(context, game)
        check(page)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".own .hand li").first).to_be_visible()
        for _ in range(4):
            expect(page.locator("#decision, #wagers")).to_be_visible()
            check(page)
            if page.locator("#wagers").count():
                break
            press_an_action(page)
        expect(page.locator("#wagers")).to_be_visible()
        expect(page.locator(".results li").first).to_be_in_viewport()
        kept(page, f"{game}-{size}-result")


@pytest.mark.parametrize("game", ["lunar", "shifting-wilds", "wild-six-card"])
def test_circles_are_straight_on_a_phone(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, "phone") as context:
        assert sit_down(context, game).evaluate(CROOKED) == []


LIST_NAMES_OUT_OF_PLACE = """() => [...document.querySelectorAll('.spot .circle:has(.chip)')].filter(circle => {
  const words = document.createRange();
  words.selectNodeContents(circle.querySelector('.tag'));
  const [name, whole] = [words, circle].map(each => each.getBoundingClientRect());
  const chip = circle.querySelector('.chip').getBoundingClientRect();
  return name.left < whole.left || name.right > whole.right || name.top < (chip.top + chip.bottom) / 2 + 5;
}).map(circle => circle.textContent)"""
"""The names of circles that are wider than them, or cover the number on their chip."""


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_a_name_is_not_wider_than_its_circle_and_leaves_the_number_of_its_chip(
    browser: Browser, casino: Casino, game: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game)
        for circle in page.locator("button.circle").all():
            circle.click()
        for width in (320, 360, 1440):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.locator(".spot .chip").count()
            assert page.evaluate(LIST_NAMES_OUT_OF_PLACE) == [], width


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", ["lunar", "shifting-wilds", "wild-six-card"])
def test_the_guide_is_not_cut_before_and_after_the_first_round(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game)
        page.wait_for_timeout(300)
        expect(page.locator("#guide")).to_contain_text("Skip the guide")
        assert page.evaluate("[scrollY, document.querySelector('#guide').getBoundingClientRect().top > 0]") == [0, True]
        deal(page)
        expect(page.locator("#decision, #wagers")).to_be_visible()
        while page.locator("#decision").count():
            press_an_action(page)
        page.wait_for_timeout(500)
        button, bar = page.evaluate(
            "['.mine #guide button', '.bar'].map(each => document.querySelector(each).getBoundingClientRect().toJSON())"
        )
        assert button["bottom"] <= bar["top"] or button["top"] >= bar["top"] - 1


LIST_WHAT_IS_NOT_IN_VIEW = """() => {
  const place = each => each.getBoundingClientRect();
  const bar = document.querySelector('#table .bar');
  const cards = [...document.querySelectorAll('.zone .card, .own .held .card'), document.querySelector('.mine #guide')];
  const under = cards.filter(each => each && (place(each).top < 0 || place(each).bottom > place(bar).top + 1));
  const buttons = [...bar.querySelectorAll('.choices button')].filter(each => place(each).bottom > innerHeight);
  return [...under, ...buttons].map(each => `${each.id} ${each.textContent.trim()} ${place(each).top}`);
}"""
"""The cards, the guide and the buttons of a decision that the top of the screen or the bar cuts."""


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_at_each_kind_of_decision_the_cards_the_guide_and_the_buttons_are_in_view(
    browser: Browser, casino: Casino, game: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game, bots=2)
        if game == "lunar":  # each of these wagers has a line of results before the first decision
            for name in ("Multi Super", "Dealer Super"):
                page.get_by_role("button", name=f"Add a chip to {name}").click()
        met = set[str]()
        for number in range(30):
            deal_until_asked(page)
            while page.locator("#decision").count():
                step = page.locator("#table").get_attribute("data-step") or ""
                page.wait_for_timeout(200)  # the step has been scrolled to
                if step.rpartition(" ")[2] not in met:
                    expect(page.locator(".mine #guide")).to_contain_text("Skip the guide")
                assert page.evaluate(LIST_WHAT_IS_NOT_IN_VIEW) == [], step
                met.add(step.rpartition(" ")[2])
                choose_in_turn(page, number)
            if len(met) == len(load_game(game).decisions):
                break
        assert len(met) == len(load_game(game).decisions)


LIST_CARDS_AND_BUTTONS_NOT_IN_VIEW = """() => {
  const shown = document.querySelectorAll('.zone .card, .own .held .card, #table .bar .choices button');
  return [...shown].filter(each => {
    const { top, bottom } = each.getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
  }).map(each => each.textContent.trim());
}"""


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_all_cards_and_buttons_are_in_view_on_a_phone_on_its_side(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, **SIZES["phone-on-its-side"]) as context:
        context.add_cookies([{"name": "pitboss-look", "value": "system.two.normal.before", "url": casino.address}])
        page = sit_down(context, game)
        for number in range(3):
            deal_until_asked(page)
            while page.locator("#decision").count():
                expect(page.locator("#decision .worth").first).to_be_visible()
                wait_until(lambda: not page.evaluate(LIST_CARDS_AND_BUTTONS_NOT_IN_VIEW))
                choose_in_turn(page, number)


def choose_in_turn(page: Page, number: int) -> None:
    """Take the action of this number, where there are so many, with two cards, or the one, that it discards."""
    before = page.locator("#table").get_attribute("data-sequence")
    actions = page.locator("#decision button:enabled").filter(has_not_text="Fold")
    action = actions.nth(number % actions.count())
    if "chosen" in action.inner_text():
        for box in page.locator(".own .hand input").all()[: 1 if "the chosen card" in action.inner_text() else 2]:
            box.check()
    action.click()
    expect(page.locator("#table")).not_to_have_attribute("data-sequence", before or "")
    expect(page.locator("#decision, #wagers")).to_be_visible()


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_the_circles_that_must_be_filled_are_in_view_below_the_guide(
    browser: Browser, casino: Casino, game: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game)
        page.wait_for_timeout(300)
        bar = page.evaluate("document.querySelector('.bar').getBoundingClientRect().top")
        for each in (wager.id for wager in load_game(game).wagers if wager.mandatory):
            circles = page.locator(f'.circle[data-adds-to~="stake-{each}"], #stake-{each}')
            bottoms = circles.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
            assert len(bottoms) > 1
            assert max(bottoms) <= bar, each
        rest = page.locator("#guide-more p")
        expect(rest).to_be_hidden()
        page.locator("#guide-more summary").click()
        expect(rest).to_contain_text("Then press Place and deal.")
        expect(rest).to_be_in_viewport(ratio=1)
        accessible(page)


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_nothing_is_cut_on_the_outer_screen_of_a_phone_that_folds(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, viewport={"width": 280, "height": 653}) as context:
        page = sit_down(context, game)
        assert page.evaluate("document.documentElement.scrollWidth") <= 280
        assert page.evaluate(CUT) == []
        deal_until_asked(page)
        assert page.evaluate(CUT) == []


def test_the_menu_of_a_phone_opens_and_every_page_is_in_it(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto("/")
        assert not page.get_by_role("link", name="Dealer training").is_visible()
        page.get_by_role("button", name="Menu").click()
        for link in page.locator("#pages a").all():
            expect(link).to_be_in_viewport()
        accessible(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name="Dealer training")).to_be_hidden()
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(page.get_by_role("link", name="Dealer training")).to_be_visible()
        assert not page.get_by_role("button", name="Menu").is_visible()


def test_a_word_is_explained_where_it_stands(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "shifting-wilds")
        page.locator(".guide a.word").first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        accessible(page)
        kept(page, "word-phone")
        dialog.get_by_role("button", name="Close").click()
        page.get_by_role("link", name="pays of Bad Beat").click()
        expect(dialog).to_contain_text("A pay in addition to the returned stake: 10 to 1 nets 10.")
        dialog.get_by_role("button", name="Close").click()


def test_a_chip_for_other_seats_says_how_many_it_takes(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "lunar", bots=2)
        expect(page.locator(".spot", has_text="Multi Super")).to_contain_text("on each of 2 other seats")
        page.get_by_role("button", name="Add a chip to Multi Super").click()
        said = page.locator("[data-says-spread]")
        expect(said).to_have_text("Multi Super: a chip on each of 2 other seats, $10 in all.")
        expect(said).to_be_in_viewport()


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_the_button_says_what_the_wagers_cost_and_that_they_are_those_of_the_last_time(
    browser: Browser, casino: Casino, game: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game)
        total = page.locator("[data-says-total]")
        chips = "[...document.querySelectorAll('.own .circle .chip')]"
        circles = f"{chips}.reduce((sum, each) => sum + Number(each.textContent), 0)"
        for _ in range(2):
            expect(total).to_have_text(f"${page.evaluate(circles)} in all")
            expect(total).to_be_in_viewport(ratio=1)
            for each in (wager.id for wager in load_game(game).wagers if wager.mandatory):
                page.locator(f'button.circle[data-adds-to="stake-{each}"]').first.click()
        staked = page.evaluate(circles)
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".own .hand li").first).to_be_visible()
        while page.locator("#decision").count():
            press_an_action(page)
        expect(total).to_have_text(f"${staked} in all, as last time")
        page.get_by_role("button", name="Clear").click()
        expect(total).to_have_text("no wagers yet")
        page.get_by_role("button", name="Rebet").click()
        expect(total).to_have_text(f"${staked} in all, as last time")
        page.locator("input.stake").first.fill("20")
        expect(total).not_to_contain_text("last time")


COUNT_AUDIO = """
const Real = AudioContext;
window.made = 0;
window.heard = [];
window.AudioContext = class extends Real { constructor() { super(); window.made += 1; } };
document.addEventListener("pitboss:sound", ({ detail }) => heard.push(detail));
"""


def test_sounds_are_off_until_asked_for_and_begin_with_a_press(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        context.add_init_script(COUNT_AUDIO)
        page = sit_down(context, "six-card", bots=0)
        page.get_by_role("button", name="Add a chip to Ante").click()
        assert page.evaluate("[window.made, window.heard]") == [0, []]
        set_look(page, "Sound", "play")
        assert page.evaluate("window.made") == 0
        page.get_by_role("button", name="Add a chip to Ante").click()
        assert page.evaluate("[window.made, window.heard]") == [1, ["chip"]]
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator("#decision")).to_be_visible()
        page.wait_for_function("window.heard.includes('cards')")
        set_look(page, "Sound", "off")
        page.get_by_role("button", name="Fold").click()
        expect(page.locator("#wagers")).to_be_visible()
        assert page.evaluate("[window.made, window.heard]") == [0, []]


@pytest.mark.in_turn("height")
@pytest.mark.parametrize("height", [640, 740])
@pytest.mark.parametrize("game", ["six-card", "shifting-wilds"])
def test_a_mistake_stands_with_the_hand_that_it_lost_to(
    browser: Browser, casino: Casino, game: str, height: int
) -> None:
    with visitor(browser, casino, viewport={"width": 360, "height": height}) as context:
        page = sit_down(context, game)
        mistake, lost_to = page.locator(".bar .notice.bad[role=status]"), page.locator(".bar .versus")
        while not mistake.count():
            deal_until_asked(page)
            while page.locator("#decision").count():
                before = page.locator("#table").get_attribute("data-sequence")
                page.locator("#decision button").first.click()
                expect(page.locator("#table")).not_to_have_attribute("data-sequence", before or "")
            expect(page.locator("#coach")).to_contain_text(re.compile("decisions right|was the best"))
            page.wait_for_timeout(500)
        expect(page.locator("#coach-count progress")).to_have_count(0)
        expect(lost_to).to_contain_text(page.locator(".zone .says").inner_text())
        expect(page.locator(".results li").first).to_be_in_viewport(ratio=0.95)
        expect(lost_to.locator(".written")).to_have_count(5)
        page.wait_for_timeout(1_500)
        for each in (lost_to, mistake, page.get_by_role("button", name="Place and deal"), page.locator(".own .hand")):
            expect(each.first).to_be_in_viewport(ratio=0.95)
        kept(page, f"lost-to-{game}-{height}")


def fold_until_a_mistake(page: Page) -> tuple[int, int]:
    """Fold until the coach has words on it; return the height of the bar while it counts, and with its words."""
    while True:
        deal_until_asked(page)
        while page.locator("#decision").count():
            before = page.locator("#table").get_attribute("data-sequence")
            page.locator("#decision button").first.click()
            expect(page.locator("#table")).not_to_have_attribute("data-sequence", before or "")
        counting = int(page.evaluate("document.querySelector('.bar').offsetHeight"))
        expect(page.locator(".bar :is(.mistake, .faultless)").first).to_be_visible()
        if page.locator(".bar .mistake").count():
            return counting, int(page.evaluate("document.querySelector('.bar').offsetHeight"))


@pytest.mark.in_turn("size")
@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_words_of_the_coach_move_nothing_and_open_on_a_touch(
    browser: Browser, casino: Casino, size: tuple[int, int]
) -> None:
    with visitor(browser, casino, viewport={"width": size[0], "height": size[1]}) as context:
        page = sit_down(context, "six-card")
        counting, said = fold_until_a_mistake(page)
        assert counting == said <= size[1] / (3 if size[0] < size[1] else 1)  # on its side the bar is beside the felt
        expect(page.locator(".results li").first).to_be_in_viewport(ratio=0.95)
        mistake = page.locator(".bar .mistake")
        expect(mistake.locator(".amount")).to_be_in_viewport()  # the end of a long line is cut, the dollars are not
        again = mistake.get_by_role("link", name="Try again")
        expect(again).to_be_hidden()
        mistake.locator("summary").click()
        expect(again).to_be_visible()
        accessible(page)
        words, more = page.locator(".reviewed"), page.locator(".reviewed[data-more]")
        words.evaluate("each => { each.scrollTop = 0; each.lastElementChild.append('and so on '.repeat(300)); }")
        page.set_viewport_size({"width": size[0], "height": size[1] - 1})
        expect(more).to_have_count(1)  # what scrolls says so where there is more below
        assert "Scroll" in more.evaluate("each => getComputedStyle(each, '::after').content")
        assert "gradient" in more.evaluate(
            "each => getComputedStyle(each, '::after').backgroundImage"
        )  # no word is cut
        words.evaluate("each => { each.scrollTop = each.scrollHeight; }")
        expect(more).to_have_count(0)


def test_a_list_of_results_that_the_bar_covers_says_that_it_goes_on(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "six-card")
        fold_until_a_mistake(page)
        results = page.locator(".own .results")
        results.evaluate("each => { for (const _ of Array(20)) each.append(each.lastElementChild.cloneNode(true)); }")
        page.evaluate("scrollTo(0, 0)")
        results.locator("li").first.scroll_into_view_if_needed()
        expect(page.locator(".results[data-below]")).to_have_count(1)
        assert "More results" in results.evaluate("each => getComputedStyle(each, '::after').content")
        results.locator("li").last.scroll_into_view_if_needed()
        expect(page.locator(".results[data-below]")).to_have_count(0)


def test_the_name_of_a_dealers_hand_wraps_in_the_words_of_the_coach(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "six-card")
        fold_until_a_mistake(page)
        versus = page.locator(".versus")
        versus.evaluate("each => each.lastChild.textContent = ' two pair, sixes and threes'.repeat(3)")
        assert versus.evaluate(
            "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 1"
        )
        assert versus.evaluate("each => getComputedStyle(each).whiteSpace") == "normal"


def test_a_watcher_sees_the_seats_that_play_first_and_opens_the_form_to_sit_down(
    browser: Browser, casino: Casino
) -> None:
    with visitor(browser, casino) as context, visitor(browser, casino, "phone") as phone:
        table = sit_down(context, "lunar", bots=2)
        deal_until_asked(table)
        page = phone.new_page()
        page.goto(table.url)
        assert page.evaluate("document.querySelector('.bar').offsetHeight") < 150
        lefts = page.evaluate(
            "['.seat:not(.empty)', '.seat.empty'].map(kind => Array.from("
            "document.querySelectorAll(kind), each => each.getBoundingClientRect().left))"
        )
        assert max(lefts[0]) < min(lefts[1])
        amount = page.locator(".seat .stakes span + span").first
        assert amount.evaluate("each => getComputedStyle(each).whiteSpace") == "nowrap"  # no line ends after a minus
        seats = page.locator(".seats")
        expect(seats).to_have_attribute("data-more", "")
        seats.evaluate("each => { each.scrollLeft = each.scrollWidth; }")
        expect(seats).not_to_have_attribute("data-more", "")
        accessible(page)
        name = page.get_by_label("Your name")
        expect(name).to_be_hidden()
        page.locator(".sits summary").click()
        expect(name).to_be_visible()
        name.fill("Bea")
        kept(page, "watcher-phone")
        page.locator("#sit").get_by_role("button", name="Sit down").click()
        expect(page.locator("#sit")).to_have_count(0)


FELT = """() => {
  const felt = document.querySelector('.felt').getBoundingClientRect();
  const header = Math.max(0, document.querySelector('.top').getBoundingClientRect().bottom);
  return Math.min(felt.bottom, document.querySelector('.bar').getBoundingClientRect().top) - Math.max(felt.top, header);
}"""
"""The height of the felt that is in view between the header and the bar."""


LIST_CUT_CARDS = """() => {
  const room = document.querySelector('#table .bar').getBoundingClientRect().top;
  const header = Math.max(0, document.querySelector('.top').getBoundingClientRect().bottom);
  const boxes = [...document.querySelectorAll('.zone .hand .card, .own .held .card')].map(card => {
    const { top, bottom } = card.getBoundingClientRect();
    return { top: Math.floor(top), bottom: Math.ceil(bottom), owner: card.closest('section').ariaLabel };
  });
  const tall = Math.max(...boxes.map(box => box.bottom)) - Math.min(...boxes.map(box => box.top));
  const fits = tall <= room - header;
  return boxes.filter(({ top, bottom, owner }) => fits || owner.startsWith('Your') || bottom > header
    ? top < header - 1 || bottom > room + 1 : false);
}"""
"""The cards that are not whole between the header and the bar; of a row that does not fit, those that are in view."""


LIST_ROWS_UNDER_THE_BAR = """() => [...document.querySelectorAll('.own .results li')].filter(row => {
  row.scrollIntoView({ block: 'nearest' });
  const { top, bottom } = row.getBoundingClientRect();
  return top < -1 || bottom > document.querySelector('#table .bar').getBoundingClientRect().top + 1;
}).map(row => row.textContent)"""
"""The rows of a result that cannot be brought wholly above the bar."""


def play_with_every_wager(page: Page) -> None:
    """Play a round with chips on every circle that takes them, to its end."""
    for circle in page.locator("button.circle").all():
        circle.click()
    deal_until_asked(page)
    while page.locator("#decision").count():
        press_an_action(page)
        expect(page.locator("#decision, #wagers")).to_be_visible()


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("size", [(360, 740), pytest.param((390, 844), marks=pytest.mark.long)])
@pytest.mark.parametrize("game", load_games())
def test_the_total_and_the_largest_amount_are_above_the_bar_and_every_row_can_be(
    browser: Browser, casino: Casino, game: str, size: tuple[int, int]
) -> None:
    with visitor(browser, casino, viewport={"width": size[0], "height": size[1]}) as context:
        page = sit_down(context, game)
        play_with_every_wager(page)
        expect(page.locator("#coach-count progress")).to_have_count(0)
        page.wait_for_timeout(500)  # it is scrolled to its place
        bar = page.locator("#table .bar").bounding_box()
        assert bar
        for shown in (page.locator(".own .says strong"), page.locator(".own .results li").first):
            box = shown.bounding_box()
            assert box
            assert 0 <= box["y"] <= box["y"] + box["height"] <= bar["y"] + 1
        texts = page.locator(".own .results .result").all_inner_texts()
        amounts = [float(re.sub(r"[^0-9.]", "", text) or 0) for text in texts]
        assert amounts == sorted(amounts, reverse=True)
        assert page.evaluate(LIST_ROWS_UNDER_THE_BAR) == []


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_two_thirds_of_a_phone_are_the_felts_once_a_round_has_ended(
    browser: Browser, casino: Casino, game: str
) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game, bots=2)
        play_with_every_wager(page)
        page.wait_for_timeout(500)
        assert page.evaluate(LIST_CUT_CARDS) == []
        for width, height in ((360, 740), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
            page.wait_for_timeout(500)  # it is scrolled to its place
            assert page.evaluate(LIST_CUT_CARDS) == []
            assert page.evaluate("document.querySelector('.bar').offsetHeight") <= height / 3
            assert page.evaluate(FELT) >= 0.6 * height
            for name in ("Rebet", "Place and deal"):
                expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=0.95)
        kept(page, f"ended-{game}")


NEWS = ("#table-news", "sse:changed"), ("body", "valued"), ("#coach", "sse:changed")
"""Whatever draws a part of a table again, and the event at which it does."""


def test_a_refusal_stays_whatever_is_drawn_again(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "wild-52")
        triggers = page.locator("[hx-trigger*='sse:'], [hx-trigger*='valued']")
        assert triggers.evaluate_all("all => all.map(each => each.id)") == ["table-news", "coach"]
        alert, why = page.locator(".bar > [role=alert]"), page.locator("[data-says-why]")

        def redraw(said: Locator, text: str) -> None:
            for place, event in NEWS:
                with page.expect_response(lambda answer: "/felt" in answer.url or answer.url.endswith("/coach")):
                    page.evaluate(f"document.querySelector('{place}').dispatchEvent(new Event('{event}'))")
                page.wait_for_timeout(200)  # it is swapped in
                expect(said).to_contain_text(text)

        page.locator(".rack label", has_text="100").click()
        for _ in range(4):
            page.get_by_role("button", name="Add a chip to Ante").click()
        redraw(why, "Ante takes at most $400.")
        page.get_by_role("button", name="Undo").click()
        expect(why).to_be_hidden()
        page.locator("#stake-main").fill("500")
        page.get_by_role("button", name="Place and deal").click()
        redraw(alert, "stake $5 to $400")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.get_by_role("button", name="Place and deal").click()
        expect(page.locator(".spot", has_text="Ante").locator(".circle")).to_be_in_viewport(ratio=0.95)
        expect(alert).to_be_in_viewport(ratio=0.95)
        page.locator("#stake-main").fill("5")
        page.get_by_role("button", name="Place and deal").click()
        expect(alert).to_have_count(0)


def deal_until_cards_are_asked_for(page: Page) -> Locator:
    """Deal and play until cards are to be discarded, and return the button that does."""
    discards = page.locator("#decision button", has_text="chosen")
    while not discards.count():
        if page.locator("#wagers").count():
            deal_until_asked(page)
        else:
            press_an_action(page)
            expect(page.locator("#decision, #wagers")).to_be_visible()
    page.wait_for_timeout(500)  # it is scrolled to its place
    return discards.first


def list_games_with_discards() -> list[str]:
    games = load_games().items()
    return [name for name, game in games if any(act.discards for each in game.decisions for act in each.actions)]


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", list_games_with_discards())
def test_a_wrong_number_of_cards_is_said_with_the_cards_in_view(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, game, bots=2)
        button, cards = deal_until_cards_are_asked_for(page), page.locator(".own .hand .card")
        place = page.evaluate("scrollY")
        button.focus()
        assert page.evaluate("scrollY") == place
        for key in ("Enter", ""):
            page.keyboard.press(key) if key else button.click()
            alert = page.locator(".bar > [role=alert]")
            expect(alert).to_contain_text("0 cards chosen: choose ")
            page.wait_for_timeout(500)  # it is scrolled to its place
            for shown in (alert, button, *cards.all()):
                expect(shown).to_be_in_viewport(ratio=0.95)
            bar = page.locator("#table .bar").bounding_box()
            box = cards.first.bounding_box()
            assert bar
            assert box
            assert box["y"] + box["height"] <= bar["y"]


def test_a_control_of_the_bar_is_reached_from_below_it(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "six-card")
        deal_until_asked(page)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.get_by_role("button", name="Fold").focus()
        expect(page.get_by_role("button", name="Fold")).to_be_in_viewport(ratio=0.95)


def test_who_lacks_chips_is_led_to_them(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "wild-52")
        for wager in ("main", "bonus", "joker"):
            page.locator(f"#stake-{wager}").fill("390")
        page.get_by_role("button", name="Place and deal").click()
        offer = page.get_by_role("button", name="Buy $175 of chips")
        expect(offer).to_be_in_viewport()
        offer.click()
        expect(page.locator(".purse strong")).to_have_text("$1,175")
        expect(page.locator(".said")).to_have_text("You bought $175 of chips.")
        expect(page.locator("#stake-bonus")).to_have_value("390")
        page.locator("#stake-main").fill("400")
        page.locator("#stake-bonus").fill("400")
        page.locator(".rack label", has_text="5").first.click()
        page.get_by_role("button", name="Add a chip to Joker").click()
        expect(page.get_by_role("button", name="Buy $25 of chips")).to_be_visible()
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#buys")).to_be_hidden()
        accessible(page)


def test_who_asks_for_the_guide_again_is_led_to_it(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "wild-52")
        page.get_by_role("button", name="Skip the guide").click()
        again = page.get_by_role("button", name="Show the guide again")
        expect(again).to_be_in_viewport()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.locator("button[name=again]").press("Enter")
        expect(page.locator("#guide")).to_be_focused()
        expect(page.locator("#guide")).to_be_in_viewport(ratio=0.95)


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_five_cards_of_a_dealer_lie_in_a_row(browser: Browser, casino: Casino, game: str) -> None:
    with visitor(browser, casino, viewport={"width": 320, "height": 640}) as context:
        page = sit_down(context, game)
        page.get_by_role("button", name="Place and deal").click()
        cards = page.locator("section[aria-label=Dealer] .hand li")
        expect(cards.first).to_be_visible()
        if cards.count() <= 5:
            tops = cards.evaluate_all("all => all.map(each => Math.round(each.getBoundingClientRect().top))")
            assert len(set(tops)) == 1


LIST_HEIGHTS = "all => all.map(each => each.getBoundingClientRect().height)"


def test_what_a_finger_presses_on_the_felt_is_high_enough(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = sit_down(context, "six-card")
        heights = page.locator(".changes button, input.stake:visible").evaluate_all(LIST_HEIGHTS)
        assert len(heights) == 4 + 4
        assert min(heights) >= 40


def test_why_cards_are_no_position_stands_between_their_fields_and_the_keys(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto("/study?game=six-card&player=As+As")
        expect(page.locator("#values [role=alert]")).to_be_visible()
        tops = [page.locator(each).first.evaluate(TOP) for each in ("#asked .row", "#values", ".pick")]
        assert tops == sorted(tops)
        assert page.locator(".pick button").first.evaluate("each => each.offsetWidth") >= 32


TOP = "each => each.getBoundingClientRect().top"
