"""Dealer training like the pit, in a real browser: at a house's own table."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tiers import keep_first
from web.browsing import SIZES, accessible, follow, kept, visitor
from web.casino import Casino


def fits(page: Page) -> None:
    """Assert that a page has no wider content than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")


@pytest.mark.more
@pytest.mark.in_turn("size")
@pytest.mark.parametrize("size", SIZES)
def test_a_drill_is_dealt_at_the_table_of_ones_own_house(browser: Browser, casino: Casino, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        page.goto("/training")
        follow(page, page.get_by_role("link", name="Six Card Poker", exact=True))
        accessible(page)
        fits(page)
        kept(page, f"training-table-{size}")
        page.locator("#f-seats").select_option("2")
        page.locator("#f-paytable-aces-up").select_option("SCP-02")
        page.locator("#pays-bad-beat summary").click()
        page.get_by_label("Bad Beat, Two pair: your own pay").fill("nine")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        expect(page.get_by_role("alert")).to_contain_text("Bad Beat, two pair")
        accessible(page)
        page.get_by_label("Bad Beat, Two pair: your own pay").fill("12")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        house = page.locator("#house-rules")
        expect(house).to_contain_text("4 changed")
        house.locator("summary").click()
        expect(house.locator(".otherwise")).to_contain_text("SCP-02")
        expect(house.locator(".otherwise")).to_contain_text("12 to 1")
        accessible(page)
        fits(page)
        kept(page, f"training-house-{size}")


def begin_exam(page: Page, game: str, name: str) -> None:
    """Begin an exam of a round of one seat, in which rare hands are planted."""
    page.goto(f"/training/table/{game}")
    page.locator("#f-seats").select_option("1")
    page.locator("#f-rare").select_option("every")
    if page.locator("#f-rounds").count():  # a class sets them for its trainees
        page.locator("#f-rounds").fill("1")
        page.locator("#f-name").fill(name)
    page.locator("#f-errors").fill("99")
    page.locator("#f-pace").fill("1")
    page.locator("#f-mispaid").fill("")
    begin_from_form(page)


def begin_from_form(page: Page) -> None:
    """Go from the form to the page that starts the exam, and start it."""
    follow(page, page.get_by_role("button", name="Begin the exam"))
    if not page.get_by_role("alert").count():
        follow(page, page.get_by_role("button", name="Start the exam"))


def answer_anything(page: Page) -> None:
    """Give the first answer that is offered, right or wrong."""
    if page.get_by_label("Collect, in dollars").count():
        page.get_by_label("Collect, in dollars").fill("0")
    follow(page, page.locator(".choices button[name=said]:not([value=pay])").first)


@pytest.mark.more
@pytest.mark.parametrize("size", keep_first(SIZES, 1))
def test_an_exam_corrects_nothing_before_its_certificate(browser: Browser, casino: Casino, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        begin_exam(page, "six-card", "")
        expect(page.get_by_role("alert")).to_contain_text("Name on the certificate")
        page.locator("#f-name").fill("Ann Example")
        begin_from_form(page)
        expect(page.locator(".status")).to_contain_text("Question 1 of")
        accessible(page)
        fits(page)
        kept(page, f"training-exam-{size}")
        asked = 0
        while not page.locator(".certificate").count():
            assert not page.get_by_role("status").count()
            assert "Right" not in page.locator("main").inner_text()
            answer_anything(page)
            asked += 1
        expect(page.locator(".certificate h1")).to_have_text("Passed: Ann Example")
        expect(page.locator(".certificate table").first.locator("tbody tr")).to_have_count(asked)
        expect(page.locator(".certificate")).to_contain_text("SCP-01")
        expect(page.locator(".certificate")).to_contain_text("own standard")
        expect(page.locator("td.open", has_text="Dealer").first).to_be_visible()
        shared = page.locator(".unprinted .address").get_attribute("href")
        assert len(page.content()) < 300_000
        accessible(page)
        fits(page)
        kept(page, f"training-certificate-{size}")
        asked_list = page.locator(".asked")
        page.set_viewport_size({"width": 768, "height": 1024})
        accessible(page)
        fits(page)
        expect(asked_list).to_have_css("display", "block")
        assert asked_list.evaluate("each => each.scrollWidth <= each.clientWidth")
        kept(page, "training-certificate-tablet")
        clause = asked_list.locator("[data-label=Clause]").first
        clause.evaluate("each => each.parentElement.querySelector('[data-label=Result]').append(' wrong'.repeat(60))")
        assert clause.evaluate("each => each.scrollWidth <= each.clientWidth && each.clientWidth > 60")  # in one line
        page.emulate_media(media="print", color_scheme="dark")
        expect(asked_list).to_have_css("display", "table")
        expect(page.locator(".certificate")).to_have_css("color", "rgb(0, 0, 0)")
        page.set_viewport_size({"width": 688, "height": 1017})  # a sheet of A4 without its margins
        fits(page)
        kept(page, "training-certificate-print")
        expect(page.locator(".top")).to_be_hidden()
        for each in page.locator(".unprinted").all():
            expect(each).to_be_hidden()
        expect(page.locator(".signatures")).to_be_visible()
        expect(page.locator(".signatures")).to_contain_text("Candidate")
        page.emulate_media(media="screen", color_scheme="light")
        page.set_viewport_size(SIZES[size])
        page.goto("/training")
        expect(page.get_by_role("row", name="Ann Example")).to_contain_text("passed")
        accessible(page)
        fits(page)
    with visitor(browser, casino) as other:
        assert other.request.get(page.url).ok  # the page of dealer training, of which nothing is Ann's
        certificate = other.new_page()
        certificate.goto(shared or "")
        expect(certificate.locator(".certificate h1")).to_have_text("Passed: Ann Example")
        expect(certificate.locator("body")).not_to_contain_text("Others can open this")
        accessible(certificate)
        assert other.request.get(f"{casino.address}/training/certificates/{'0' * 16}").status == 404
        assert other.request.get(f"{casino.address}/training/exams/{'0' * 16}").status == 404


def open_class(page: Page, name: str) -> None:
    """Open a class as its trainer."""
    page.goto("/training/classes")
    page.get_by_label("Name of your class").fill(name)
    follow(page, page.get_by_role("button", name="Open a class as its trainer"))


@pytest.mark.more
def test_a_trainer_follows_a_class_and_nobody_else_sees_it(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as trainer, visitor(browser, casino, "phone") as trainee:
        page, other = trainer.new_page(), trainee.new_page()
        open_class(page, "Swing shift")
        expect(page.locator("main")).to_contain_text("Nobody has joined yet")
        code = page.locator(".code").inner_text()
        other.goto("/training/classes")
        other.get_by_label("Code from your trainer").fill(code.upper())
        follow(other, other.get_by_role("button", name="Join a class"))
        expect(other.locator("h1")).to_have_text("Class: Swing shift")
        accessible(other)
        fits(other)
        kept(other, "training-join-phone")
        other.get_by_label("Your name").fill("Ann Example")
        follow(other, other.get_by_role("button", name="Join the class"))
        expect(other.locator("main")).to_contain_text("You are in this class as Ann Example")
        page.reload()
        page.get_by_label("Rounds of the exam").fill("1")
        page.get_by_label("Rounds an hour, at least").fill("1")
        page.get_by_label("Errors, at most").fill("98")
        page.get_by_label("Dollars mispaid, at most").fill("")
        follow(page, page.get_by_role("button", name="Set the standard"))
        expect(page.locator("main")).to_contain_text("Trainees of this class are examined by it")
        begin_exam(other, "wild-52", "Ann Example")
        while not other.locator(".certificate").count():
            answer_anything(other)
        expect(other.locator(".certificate")).to_contain_text("set by the trainer of the class Swing shift")
        expect(other.locator(".figures")).to_contain_text("at most 98")
        address = other.url
        page.reload()
        expect(page.get_by_role("table").first.get_by_role("row", name="Ann Example")).to_contain_text("1 of 1")
        expect(page.get_by_role("heading", name="Errors by theme")).to_be_visible()
        for size in SIZES.values():
            page.set_viewport_size(size)
            accessible(page)
            fits(page)
            kept(page, f"training-class-{size['width']}")
        follow(page, page.get_by_role("link", name=re.compile("^Wild 52, ")))
        expect(page.locator(".certificate h1")).to_have_text("Passed: Ann Example")
        assert "/training/certificates/" in page.url
        assert trainer.request.get(address).status == 404  # the trainee's own address is the trainee's
        page.goto("/training/classes")
        expect(page.get_by_role("listitem").filter(has_text="Swing shift")).to_contain_text("1 trainee")
        accessible(page)


@pytest.mark.more
def test_a_class_deals_and_is_examined_at_the_table_that_its_trainer_has_set(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as trainer, visitor(browser, casino, "phone") as trainee:
        page, other = trainer.new_page(), trainee.new_page()
        open_class(page, "Night shift")
        address = page.url
        other.goto(address)
        other.get_by_label("Your name").fill("Ann Example")
        follow(other, other.get_by_role("button", name="Join the class"))
        expect(other.locator("#tables")).to_have_count(0)
        follow(page, page.get_by_role("link", name="Six Card Poker", exact=True))
        page.locator("[name='option-dealer_qualifies']").select_option("always")
        page.locator("[name=rare]").select_option("every")
        follow(page, page.get_by_role("button", name="Set as the table of this class"))
        assert page.url.partition("#")[0] == address
        for size in SIZES.values():
            page.set_viewport_size(size)
            accessible(page)
            fits(page)
            kept(page, f"training-class-table-{size['width']}")
        follow(page, page.get_by_role("link", name="Six Card Poker", exact=True))
        expect(page.locator("[name='option-dealer_qualifies']")).to_have_value("always")  # as it was set
        page.goto(address)
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        expect(page.locator("#house-rules")).to_contain_text("1 changed")
        other.reload()
        expect(other.locator("#tables")).to_contain_text("rare hands in every round")
        accessible(other)
        fits(other)
        kept(other, "training-class-table-trainee")
        follow(other, other.get_by_role("link", name="Take the exam"))
        for size in SIZES.values():
            other.set_viewport_size(size)
            accessible(other)
            fits(other)
            kept(other, f"training-class-exam-{size['width']}")
        follow(other, other.get_by_role("button", name="Start the exam"))
        expect(other.locator("h1")).to_have_text("Exam: Six Card Poker")
        expect(other.locator("#house-rules")).to_contain_text("1 changed")
        other.goto(address)
        follow(other, other.get_by_role("button", name="Deal", exact=True))
        expect(other.locator("#house-rules")).to_contain_text("1 changed")
        with visitor(browser, casino) as stranger:
            there = stranger.new_page()
            there.goto(address)
            expect(there.locator("#tables")).to_have_count(0)


def come_to_a_payment(page: Page) -> None:
    """Answer steps until the chips of a circle are asked about."""
    while not page.get_by_label("Pay, in dollars").count():
        follow(page, page.locator(".choices button[name=said]").first)


@pytest.mark.more
@pytest.mark.in_turn("size")
@pytest.mark.parametrize("size", SIZES)
def test_a_payout_is_cut_from_the_tray_at_the_seat_that_is_asked_about(
    browser: Browser, casino: Casino, size: str
) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        page.goto("/training/table/six-card")
        page.locator("#f-seats").select_option("6")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        come_to_a_payment(page)
        seat = page.locator(".drill .seat.turn")
        expect(seat).to_have_count(1)
        expect(seat).to_be_in_viewport(ratio=0.5)
        assert seat.locator(".name").inner_text().split()[1] == page.locator(".question").inner_text().split()[1].strip(
            ","
        )
        amount = page.get_by_label("Pay, in dollars")
        for dollars in (25, 5, 25):
            page.get_by_role("button", name=f"Cut a ${dollars} chip", exact=True).click()
        expect(amount).to_have_value("55")
        page.locator(".question").click()
        page.keyboard.press("1")
        expect(amount).to_have_value("56")
        expect(page.locator("[data-cut]")).to_have_text("Payout: $56")
        for part in ("Clear", "Put back one of 1 chips of $1"):  # as it was: a phone cut off what stood at the right
            expect(page.get_by_role("button", name=part, exact=True)).to_be_in_viewport(ratio=1)
        accessible(page)
        fits(page)
        kept(page, f"training-tray-{size}")
        page.get_by_role("button", name="Put back one of 2 chips of $25").click()
        expect(amount).to_have_value("31")
        assert page.locator("input[name=cut]").input_value() == "1x25 1x5 1x1"
        follow(page, page.get_by_role("button", name="Pay", exact=True))
        expect(page.get_by_role("status").first).to_contain_text("pay $31.00 (1 x $25, 1 x $5, 1 x $1)")
        accessible(page)


@pytest.mark.more
def test_enter_in_the_amount_pays(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/training")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        come_to_a_payment(page)
        page.get_by_label("Pay, in dollars").fill("7.77")
        page.get_by_label("Pay, in dollars").press("Enter")
        expect(page.get_by_role("status").first).to_contain_text("pay $7.77")


def test_enter_pays_what_the_keys_have_cut(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/training")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        come_to_a_payment(page)
        expect(page.locator(".tray")).to_contain_text("Keys 1 to 7 cut chips, Enter pays.")
        page.get_by_role("button", name="Cut a $5 chip", exact=True).press("Enter")  # reached by keyboard: cuts
        page.locator(".question").click()
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").first).to_contain_text("pay $30.00 (1 x $25, 1 x $5)")


def test_seats_stand_in_an_arc_from_the_dealers_left(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "desktop") as context:
        page = context.new_page()
        page.goto("/training/table/lunar")
        page.locator("#f-seats").select_option("6")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        follow(page, page.locator(".choices button", has_text="Deal").first)
        boxes = [each.bounding_box() for each in page.locator(".drill .seat").all()]
        places = [(box["x"], box["y"]) for box in boxes if box]
        assert [x for x, _ in places] == sorted((x for x, _ in places), reverse=True)
        tops = [y for _, y in places]
        assert tops[0] < tops[1] < tops[2] == tops[3] > tops[4] > tops[5]


@pytest.mark.more
def test_cards_of_few_seats_grow_on_a_tablet(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 768, "height": 1024})
        page.goto("/training/table/six-card")
        page.locator("#f-seats").select_option("2")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        while not (cards := page.locator(".drill .seat .card")).count():
            follow(page, page.locator(".choices button[name=said]").first)
        assert cards.first.evaluate("card => card.getBoundingClientRect().width") > 45
        fits(page)


@pytest.mark.more
def test_an_exam_ends_by_itself_when_its_time_is_up(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/training/table/wild-52")
        page.locator("#f-rounds").fill("1")
        page.locator("#f-pace").fill("500")  # a round in seven seconds
        page.locator("#f-name").fill("Ann Example")
        begin_from_form(page)
        expect(page.locator(".certificate h1")).to_have_text("Not passed: Ann Example")
        expect(page.locator(".figures")).to_contain_text("Not answered in time")


@pytest.mark.more
def test_disputes_are_asked_alone(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino, "phone") as context:
        page = context.new_page()
        page.goto("/training/table/six-card")
        page.locator("#f-disputes").select_option("only")
        page.locator("#f-least-main").fill("500")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        expect(page.get_by_role("alert")).to_contain_text("the minimum, $500, is above its maximum, $400")
        page.locator("#f-least-main").fill("10")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        expect(page.locator(".question")).to_contain_text("Do you uphold it?")
        expect(page.locator(".drill .seat.turn")).to_be_in_viewport(ratio=0.4)
        accessible(page)
        fits(page)
        kept(page, "training-dispute-phone")
        follow(page, page.locator(".choices button", has_text="Refuse it").first)
        expect(page.get_by_role("status").first).to_contain_text("says: ")


@pytest.mark.more
@pytest.mark.in_turn("size")
@pytest.mark.parametrize("size", SIZES)
def test_the_clock_of_a_drill_shows_the_pace_and_stays_closed(browser: Browser, casino: Casino, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        page.goto("/training")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        pace = page.locator(".pace")
        expect(pace).to_contain_text("\N{EN DASH} rounds an hour at this pace, at least 20 to pass")
        expect(pace.get_by_role("timer")).not_to_have_text("0:00")
        pace.evaluate("part => part.dataset.elapsed = part.dataset.pausesIn = '0.4'")
        expect(pace.get_by_role("timer")).to_have_text("0:00")  # it has paused
        follow(page, page.locator(".choices button[name=said]").first)
        expect(pace.locator("[data-shows-pace]")).to_have_text(re.compile(r"^\d+$"))
        accessible(page)
        fits(page)
        kept(page, f"training-clock-{size}")
        pace.locator("summary").click()
        expect(pace.get_by_role("timer")).to_be_hidden()
        follow(page, page.locator(".choices button[name=said]").first)
        expect(pace.get_by_role("timer")).to_be_hidden()
        accessible(page)


@pytest.mark.more
@pytest.mark.in_turn("size")
@pytest.mark.parametrize("size", SIZES)
def test_a_payout_of_an_exam_is_cut_by_keyboard(browser: Browser, casino: Casino, size: str) -> None:
    with visitor(browser, casino, size) as context:
        page = context.new_page()
        begin_exam(page, "six-card", "Ann Example")
        while not page.locator("[data-tray]").count():
            follow(page, page.locator(".choices button[name=said]").first)
        expect(page.get_by_label("Pay, in dollars")).to_have_count(0)
        for dollars in (25, 5, 5):
            page.get_by_role("button", name=f"Cut a ${dollars} chip", exact=True).press("Enter")
        page.get_by_role("button", name="Put back one of 2 chips of $5").press("Space")
        expect(page.locator("[data-cut]")).to_have_text("Payout: 1 x $25, 1 x $5")  # the sum is the dealer's
        accessible(page)
        fits(page)
        kept(page, f"training-exam-tray-{size}")
        follow(page, page.get_by_role("button", name="Pay", exact=True))
        while not page.locator(".certificate").count():
            answer_anything(page)
        expect(page.locator(".certificate")).to_contain_text("pay $30.00 (1 x $25, 1 x $5)")
        expect(page.locator(".figures")).to_contain_text("1 of 1")


def test_what_was_opened_below_the_layout_stays_open(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/training/table/wild-52")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        page.locator("#house-rules > summary").click()
        follow(page, page.locator(".choices button").first)
        expect(page.locator("#house-rules")).to_have_attribute("open", "")
        page.locator("#house-rules > summary").click()
        follow(page, page.locator(".choices button").first)
        expect(page.locator("#house-rules")).not_to_have_attribute("open", "")


@pytest.mark.more
@pytest.mark.in_turn("width")
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1440, 900)])
def test_a_long_correction_leaves_the_seats_of_a_step_in_view(
    browser: Browser, casino: Casino, width: int, height: int
) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/training/table/wild-52")
        page.locator("#f-seats").select_option("6")
        follow(page, page.get_by_role("button", name="Deal", exact=True))
        seen = 0
        while seen < 4:
            answer_anything(page)
            if page.locator(".notice.bad").count() and page.locator(".seat[data-last-seat]").count():
                of_step = page.locator(".last-step").inner_text().partition("eat ")[2][0]
                expect(page.locator(".seat[data-last-seat] .name")).to_contain_text(f"Seat {of_step}")
                assert not page.locator(".seat.turn").count()  # which would tell the answer
                which = ".seat[data-last-seat]" if width < 700 else ".drill .seat"
                bottoms = "seats => Math.max(...seats.map(each => each.getBoundingClientRect().bottom))"
                bar = page.locator(".bar.wide").evaluate("bar => bar.getBoundingClientRect().top")
                assert page.locator(which).evaluate_all(bottoms) <= bar
                assert page.locator(which).first.evaluate("each => each.getBoundingClientRect().top") > 0
                seen += 1
