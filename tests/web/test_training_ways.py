"""Ways through dealer training over HTTP: to an exam and its start, back to a class, and whose standard measures."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import takewhile
from random import Random

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.paytables import select_paytables
from pitboss.table.round import CardsShown, DecisionMade, WagerSettled, open_round
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.session import TableTerms
from pitboss.table.training.drills import Drill, DrillRequest
from pitboss.table.training.questions import build_questions
from pitboss.table.training.rounds import deal_training_round
from pitboss.table.training.seat_facts import list_early_wagers
from pitboss.web.pages.settle_steps import describe_settled_hands, explain_unshown_hands
from pitboss.web.pages.setup_form import FieldError
from pitboss.web.pages.training import build_final_layout, build_layout
from pitboss.web.pages.training_form import parse_training_form
from refusals import refusal
from web.test_classes import Guest, answer_all, open_class
from web.visits import Visit

FORM = {"name": "Ann", "rounds": "1", "seats": "1", "pace": "1", "errors": "99", "mispaid": "", "disputes": "only"}


@pytest.fixture
def guests(visit: Visit) -> Iterator[tuple[Guest, Guest]]:
    """A trainer and a trainee."""
    tess, ann = Guest(visit), Guest(visit)
    yield tess, ann
    for guest in (tess, ann):
        guest.web.close()


def finish_drill(ann: Guest, address: str) -> str:
    """Answer a drill to its end, from what each wrong answer is told; return its last page."""
    known = dict[str, str]()
    for number in range(200):
        page = ann.web.get(address).text
        if told := re.search(
            r"<strong>Wrong.</strong> (.*?) You said: .*? Right: <strong>(.*?)</strong>", page, re.DOTALL
        ):
            known[told[1].rstrip(".")] = unescape(told[2])
        if "The round is over" in page:
            return page
        step = re.findall(r'<p class="says last-step">(Last step: [^<]*)</p>', page)
        question = " ".join([*step, *re.findall(r'<h2 class="question">([^<]*)<', page)]).rstrip(".")
        choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', page)
        said = known.get(question, unescape(choices[0]))
        texts, drawn = [unescape(each) for each in choices], Random(number)
        if 'class="choices steps' in page and (said not in texts or (number > 40 and drawn.random() < 0.5)):
            said = drawn.choice(texts)  # the same words may be asked at another board
        action, _, amount = said.partition(" $")
        sent = {"said": action, "dollars": amount} if amount else {"said": said.removesuffix(" it"), "dollars": "0"}
        ann.lead(address, number=str(number), **sent)
    raise AssertionError(address)


def find_primary(page: str) -> str:
    """Find the words of the primary button of a page's form."""
    (found,) = re.findall(r'<(?:button|a)[^>]*class="(?:button )?primary"[^>]*>([^<]*)<', page)
    return str(found)


def find_hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a page's form, without its token."""
    main = page[page.index("<main") :]
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', main)
    return {name: unescape(text) for name, text in found if name != "csrf"}


def test_the_exam_of_a_game_leads_to_an_exam(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    link = re.findall(r'href="([^"]*)">Exam of Wild 52<', ann.web.get("/training").text)[0]
    page = ann.web.get(link).text
    assert "Exam at your own table: Wild 52</h1>" in page
    assert find_primary(page) == "Begin the exam"
    usual = ann.web.get("/training/table/wild-52").text
    assert "Train at your own table: Wild 52</h1>" in usual
    assert find_primary(usual) == "Deal"


def test_an_exam_has_a_page_before_its_clock_starts(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    started = ann.post("/training/table/lunar", exam="on", **FORM)
    assert started.status_code == 200
    assert "Your own standard: 1 round of disputes alone. Whole rounds would ask about" in started.text
    assert "You have 60:00 (minutes and seconds)" in started.text or "You have 1:00:00" in started.text
    assert find_primary(started.text) == "Start the exam"
    assert "question 1 of" not in ann.web.get("/training").text  # no exam has begun
    sent = find_hidden(started.text)
    changed = ann.post("/training/table/lunar", change="on", **sent).text
    assert 'value="99"' in changed
    assert find_primary(changed) == "Begin the exam"
    exam = ann.lead("/training/table/lunar", start="on", **sent)
    assert "Question 1 of" in ann.web.get(exam).text


@pytest.mark.parametrize("errors", [0, 1, 3, 30])
def test_an_exam_of_disputes_alone_says_before_its_clock_starts_how_many_may_be_wrong(
    guests: tuple[Guest, Guest], errors: int
) -> None:
    """As it was: "often none", and the number was seen once the clock ran."""
    tess, ann = guests
    address = open_class(tess, ann)
    standard = {"rounds": "4", "pace": "1", "errors": str(errors), "mispaid": ""}
    tess.lead("/training/table/lunar", own=address[-10:], assign="on", seats="1", disputes="only")
    own = ann.post("/training/table/lunar", exam="on", **{**FORM, **standard}).text
    tess.lead(f"{address}/standard", **standard)
    for page in (own, ann.web.get(f"{address}/exams/lunar").text):
        words = re.findall(r"4 rounds of disputes alone\. (.*?) The exam.s page", page)[0]
        if not errors:
            assert words == "No dispute may be wrong."
            continue
        whole, percent = re.findall(rf"about (\d+) questions, of which {errors} may be wrong: ([\d.]+)%", words)[0]
        assert abs(float(percent) - 100 * errors / int(whole)) < 0.06
        assert f"of ten disputes {10 * errors // int(whole) or 'none'}" in words
        first = re.findall(r"one from about (\d+) disputes on", words)
        assert [int(each) * errors // int(whole) for each in first] == [1] * (10 * errors < int(whole))
        assert all((int(each) - 1) * errors < int(whole) for each in first)


def test_a_form_with_an_error_stays_that_of_an_exam(guests: tuple[Guest, Guest]) -> None:
    answer = guests[1].post("/training/table/lunar", exam="on", **{**FORM, "name": ""})
    assert answer.status_code == 422
    assert find_primary(answer.text) == "Begin the exam"


def test_a_finished_drill_of_a_class_s_table_leads_back_to_the_class(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    tess.lead("/training/table/six-card", own=address[-10:], assign="on", seats="1", disputes="only")
    for guest in guests:
        drill = guest.lead(f"{address}/tables/six-card")
        assert f'href="{address}">Back to the class Swing shift' in finish_drill(guest, drill)
    other = ann.lead("/training", game="six-card", seats="2", disputes="only")
    assert "Back to the class" not in finish_drill(ann, other)


def test_the_class_s_standard_measures_every_drill_of_its_trainee(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    page = ann.web.get(ann.lead("/training", game="lunar")).text
    assert "at least 20 to pass<" in page
    tess.lead(f"{address}/standard", rounds="1", pace="34", errors="2", mispaid="7")
    page = ann.web.get(ann.lead("/training", game="lunar")).text
    assert "at least 34 to pass in the class Swing shift" in page
    form = ann.web.get("/training/table/lunar").text
    assert re.search(r'name="pace"[^>]* value="34"', form)
    assert "those of the class Swing shift unless you change them" in form
    own = {"seats": "1", "errors": "2", "mispaid": "7"}
    kept = ann.web.get(ann.lead("/training/table/lunar", pace="34", **own)).text
    assert "at least 34 to pass in the class Swing shift" in kept
    assert "at least 33 to pass<" in ann.web.get(ann.lead("/training/table/lunar", pace="33", **own)).text
    second = open_class(tess, ann)  # two classes: none of them alone
    tess.lead(f"{second}/standard", rounds="1", pace="35", errors="2", mispaid="7")
    assert "at least 20 to pass<" in ann.web.get(ann.lead("/training", game="lunar")).text


def test_a_drill_says_at_its_end_whose_standard_measured_it(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    drill = ann.lead("/training", game="wild-52", seats="1")
    assert "Measured by the usual standard." in finish_drill(ann, drill)


def test_a_certificate_can_be_printed(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    exam = ann.lead("/training/table/six-card", exam="on", start="on", **FORM)
    answer_all(ann, exam, "certificate")
    page = ann.web.get(exam).text
    assert "data-prints>Print</button>" in page
    assert "/static/training.js" in page
    assert 'href="/training/table/six-card?exam=on">Another exam' in page


def test_a_class_lists_each_changed_line_of_a_standard_pay_table(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    form = {"own": address[-10:], "assign": "on", "paytable-bad-beat": "BB-2"}
    tess.lead("/training/table/shifting-wilds", **form)
    page = re.sub(r"<[^>]*>", " ", tess.web.get(address).text)
    assert "Pay table of Bad Beat" in page
    assert re.search(r"Bad Beat, three of a kind\s+15 to 1\s+\d+ to 1", page)


def test_a_drill_lists_envy_and_says_in_words_how_the_console_is_worked(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    page = ""
    while 'id="console"' not in page:  # seats without the progressive wager, once in 64
        page = ann.web.get(ann.lead("/training", game="six-card", seats="6")).text
    assert re.search(r'<th scope="row">Envy for a [^<]*</th><td class="number">\$100<', page)
    console = page[page.index('id="console"') :]
    assert "Press COIN IN: it counts the progressive wagers into the meter." in console
    assert "Press GAME OVER once everything is settled and paid" in console


@pytest.mark.parametrize(
    ("order", "said"), [("split", "before the first of them: this house splits the meter"), ("sequence", "lowers the")]
)
def test_the_words_on_awards_follow_the_house(guests: tuple[Guest, Guest], order: str, said: str) -> None:
    form = {**FORM, "seats": "6", "disputes": "", "option-award_order": order}
    page = ""
    while 'id="console"' not in page:
        page = guests[1].web.get(guests[1].lead("/training/table/six-card", **form)).text
    console = page[page.index('id="console"') :].partition("</details>")[0]
    assert said in console
    assert ("the next is taken from what it then shows" in console) == (order == "sequence")


def test_the_verdict_of_a_dispute_is_bold(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    page = ann.web.get(ann.lead("/training", game="six-card", disputes="only")).text
    assert '<div class="choices steps claims">' in page
    assert page.count("<strong>Uphold it</strong>: ") == page.count("<strong>Refuse it</strong>: ") == 2


def test_a_class_that_everybody_left_does_not_say_that_nobody_joined(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    ann.lead(f"{address}/leave")
    assert "No trainee is in this class now." in tess.web.get(address).text


def test_the_page_to_enrol_speaks_to_whoever_enrols(guests: tuple[Guest, Guest]) -> None:
    page = guests[1].web.get("/progressive/enrol").text
    assert "or one whole code if you are the first executive" in page
    assert "first code and a password" not in page


def test_the_link_of_a_removed_class_leads_to_dealer_training(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    tess.lead(f"{address}/remove")
    answer = ann.web.get(address, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert '<a class="button" href="/training">Dealer training</a>' in answer.text


def test_the_correction_of_a_step_says_what_was_on_the_table(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    drill = ann.lead("/training", game="lunar", seats="1")
    choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', ann.web.get(drill).text)
    wrong = next(each for each in choices if each != "Deal 5 to each seat, 5 to yourself")
    ann.lead(drill, said=unescape(wrong), number="0")
    page = " ".join(ann.web.get(drill).text.split())
    assert "Deal 5 to each seat, 5 to yourself</strong>." in page
    said = page.partition("Deal 5 to each seat, 5 to yourself</strong>. When you were asked: ")[2]
    assert said.partition(".")[0].endswith("the wagers are placed, and no card is dealt")


def test_disputes_alone_ask_and_show_no_dollars(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    tess.lead("/training/table/lunar", own=address[-10:], assign="on", seats="1", disputes="only")
    tess.lead("/training/table/six-card", own=address[-10:], assign="on", seats="1")
    assert 'name="mispaid"' not in ann.web.get(f"{address}/exams/lunar").text
    assert 'name="mispaid"' in ann.web.get(f"{address}/exams/six-card").text
    standard = {"rounds": "1", "pace": "1", "errors": "9"}
    exam = ann.lead(f"{address}/exams/lunar", mispaid="nothing", **standard)  # an old page may still send it
    assert ann.post(f"{address}/exams/six-card", mispaid="nothing", **standard).status_code == 422
    answer_all(ann, exam, "certificate")
    tess.lead(f"{address}/standard", mispaid="7", **standard, game="lunar")
    tess.lead(f"{address}/standard", mispaid="7", **standard, game="six-card")
    for page in (tess.web.get(address).text, ann.web.get(address).text):
        assert "Lunar Poker: 1 round, at most 9 errors<" in page
        assert "Six Card Poker: 1 round, at least 1 an hour, at most 9 errors and $7 mispaid" in page
    (row,) = re.findall(r"/training/certificates/.*?</tr>", tess.web.get(address).text)
    assert "$" not in row
    csv = tess.web.get(f"{address}/results.csv").text.splitlines()
    cells = dict(zip(csv[0].split(","), csv[1].split(","), strict=True))
    assert (cells["dollars mispaid"], cells["standard: dollars mispaid"]) == ("", "")
    drill = finish_drill(ann, ann.lead(f"{address}/tables/lunar"))
    assert "<dt>Mispaid" not in drill
    for page in (ann.web.get("/training").text, tess.web.get(address).text):
        (row,) = re.findall(r"<tr[^>]*><th[^>]*>A dispute</th>.*?</tr>", page.partition("case by case")[2] or page)
        assert "$" not in row


def test_a_form_of_disputes_alone_does_not_read_dollars(guests: tuple[Guest, Guest]) -> None:
    form = {**FORM, "mispaid": "nothing"}
    assert guests[1].post("/training/table/lunar", exam="on", **form).status_code == 200
    assert guests[1].post("/training/table/lunar", exam="on", **(form | {"disputes": "also"})).status_code == 422


def test_no_hidden_field_of_a_standard_can_make_the_browser_refuse_the_form(guests: tuple[Guest, Guest]) -> None:
    """As it was: a value out of range in the dollars, hidden for disputes alone, refused the form without a word."""
    for page in (guests[1].web.get("/training/table/lunar").text, guests[0].web.get(open_class(*guests)).text):
        (field,) = re.findall(r'<label class="field mispaid">.*?<input ([^>]*)>', page)
        assert not re.search(r'\b(min|max|pattern)=|\brequired\b|type="number"', field)
    answer = guests[1].post("/training/table/lunar", **{**FORM, "mispaid": "-1", "disputes": ""})
    assert answer.status_code == 422
    assert "Dollars mispaid: " in unescape(answer.text)


def test_a_house_counts_the_pays_that_it_changes_not_the_name_of_their_table(guests: tuple[Guest, Guest]) -> None:
    pays = {"pay-bet.royal-flush": "99", "pay-super.flush": "59", "pay-super.straight": "29"}
    page = guests[1].web.get(guests[1].lead("/training/table/lunar", seats="1", **pays)).text
    assert re.findall(r'<span class="soft">(\d+) changed</span>', page) == ["3"]
    rows = page.partition('class="otherwise')[2].partition("</table>")[0]
    assert "Pay table of" not in rows


def test_a_class_without_tables_leads_to_an_exam(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    link = f"/training/table/wild-52?exam=on&amp;group={address[-10:]}"
    page = ann.web.get(address).text
    assert "The class has no table of its own, so you choose yours" in page
    assert f'href="{link}">Exam of Wild 52<' in page
    assert find_primary(ann.web.get(unescape(link)).text) == "Begin the exam"
    tess.lead("/training/table/wild-52", own=address[-10:], assign="on")
    page = ann.web.get(address).text
    assert "The class has no table of these games, so you choose yours" in page
    assert link not in page
    assert f'href="{address}/exams/wild-52">Take the exam' in page
    assert "?exam=on" not in tess.web.get(address).text


def test_the_link_of_a_class_chooses_its_exam(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    for errors in ("1", "2"):
        address = open_class(tess, ann)
        tess.lead(f"{address}/standard", rounds="1", pace="30", errors=errors, mispaid="")
        page = ann.web.get(f"/training/table/lunar?exam=on&group={address[-10:]}").text
    chosen = re.findall(r'<option value="(\w{10})" selected', page)
    assert chosen == [address[-10:]]


@pytest.mark.parametrize(("field", "text"), [("name", ""), ("errors", "many")])
def test_an_error_of_an_exam_stands_at_its_field(guests: tuple[Guest, Guest], field: str, text: str) -> None:
    page = guests[1].post("/training/table/lunar", exam="on", **{**FORM, field: text}).text
    assert re.search(rf'id="f-{field}" name="{field}" aria-invalid="true" aria-describedby="fault" autofocus', page)
    assert page.count('id="fault"') == 1
    place = page.index('id="fault"')
    assert page.index(f'id="f-{field}"') < place < page.index("</fieldset>", place) < page.index('class="bar closing"')


def test_an_error_of_another_field_stands_in_the_bar(guests: tuple[Guest, Guest]) -> None:
    page = guests[1].post("/training/table/lunar", exam="on", **{**FORM, "seats": "9"}).text
    assert page.count('id="fault"') == 1
    assert page.index('class="bar closing"') < page.index('id="fault"')


def test_pays_out_of_order_are_marked_at_the_lines_that_the_refusal_names(guests: tuple[Guest, Guest]) -> None:
    """As it was: the first changed pay was marked, which might be of another line."""
    changed = {"pay-bet.two-pair": "4", "pay-bet.pair": "3:2", "pay-bet.ace-king": "2"}
    page = guests[1].post("/training/table/lunar", seats="1", **changed).text
    fault = page.partition('id="fault"')[2].partition("</p>")[0]
    marked = re.findall(r'name="pay-bet.([\w-]+)" aria-invalid="true" aria-describedby="fault"( autofocus)?', page)
    assert sorted(line for line, _ in marked) == ["ace-king", "pair"]
    assert all(line in fault for line, _ in marked)
    assert [focus for _, focus in marked].count(" autofocus") == 1
    assert page.count(" autofocus") == 1


@each_game
def test_every_pay_out_of_order_is_refused_at_the_line_that_was_changed(game: Game) -> None:
    tables = select_paytables(game)
    for order in (each for wager in game.wagers for each in wager.pay_orders):
        for other in order.lower_lines:
            more = int(tables[order.paytable_kind].lines[order.line].amount) + 1
            with pytest.raises(FieldError, check=refusal("pays-out-of-order", other=other)) as refused:
                parse_training_form(game, {f"pay-{order.paytable_kind}.{other}": str(more)})
            assert refused.value.field == f"pay-{order.paytable_kind}.{other}"
            assert refused.value.others == (f"pay-{order.paytable_kind}.{refused.value.fields['line']}",)


def test_an_error_of_a_name_stands_where_a_class_is_joined(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = tess.lead("/training/classes", name="Swing shift")
    page = ann.post(address, name="").text
    form = page[page.index(f'action="{address}"') :].partition("</form>")[0]
    assert 'aria-invalid="true" aria-describedby="fault" autofocus' in form
    assert "Your name: " in form.partition('id="fault"')[2]


def test_an_error_of_a_standard_stands_in_its_form(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    page = tess.post(f"{address}/standard", rounds="1", pace="0", errors="1", mispaid="").text
    form = page[page.index(f'action="{address}/standard"') :].partition("</form>")[0]
    assert page.count('id="fault"') == form.count('id="fault"') == 1


@each_game
def test_a_step_that_settles_a_seat_says_how_its_hand_lies(game: Game) -> None:
    """It is said of every such choice, right or wrong, and as the events before it have it."""
    said, named = set[str](), 0
    for seed in range(25):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed))
        for task in build_questions(played, seeded_bits(seed)):
            before, places = played.events[: task.event_count], build_layout(played, task)
            hands = describe_settled_hands(played, task, places)
            for choice in (each for each in task.choices if re.fullmatch(r"Settle seat \d", each)):
                seat = int(choice[-1]) - 1
                folded = seat in find_folded_seats(before)
                shown = any(isinstance(each, CardsShown) and each.seat == seat for each in before)
                collected = seat in task.mucked
                wagers, _, hand = hands.pop(choice).rpartition("; ")
                decided = any(isinstance(each, DecisionMade) for each in before)
                assert not (wagers and decided)
                settled = [(each.seat, each.bet) for each in before if isinstance(each, WagerSettled)]
                early = [each for each in game.wagers if each.name in wagers.split(", ")]
                assert not any((seat, each.id) in settled for each in early if each.hand_owner.name == "OWN_HAND")
                if task.case == "settle" and choice == task.answer and not decided:
                    following = takewhile(
                        lambda each: isinstance(each, WagerSettled), played.events[task.event_count :]
                    )
                    due = {each.bet for each in following if isinstance(each, WagerSettled) and each.seat == seat} - {
                        "main"
                    }
                    assert due & {each.id for each in early} or not due
                    named += 1
                assert (hand == "folded") == folded
                assert folded or collected == (hand == "no hand there") or not before
                assert hand != "hand turned up" or (shown and not collected)
                said.add(hand)
            assert not hands
    assert "hand turned up" in said
    assert bool(named) == (game.id in ("lunar", "wild-six-card"))
    assert ("folded" in said) == any(action.id == "fold" for each in game.decisions for action in each.actions)


def walk(ann: Guest, address: str) -> Iterator[str]:
    """Yield the pages of the first questions of a drill or an exam, and give each some answer."""
    for number in range(16):
        yield (page := ann.web.get(address).text)
        choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', page)
        said = next(each for each in choices if each != "pay")
        ann.lead(address, said=unescape(said), number=str(number), dollars="0")


def test_a_page_of_training_says_how_the_hands_lie_and_an_exam_does_not(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    drill = " ".join(walk(ann, ann.lead("/training", game="six-card", seats="3")))
    assert re.search(
        r">Settle seat \d <small>(hand face down|hand turned up|folded|no hand there)</small></button>", drill
    )
    assert not re.search(r">Settle seat \d</button>", drill)
    form = FORM | {"seats": "3", "disputes": ""}
    exam = " ".join(walk(ann, ann.lead("/training/table/six-card", start="on", exam="on", **form)))
    assert re.search(r">Settle seat \d</button>", exam)
    assert not re.search(r">Settle seat \d <small>", exam)


@each_game
def test_a_folded_hand_that_was_collected_stays_so_at_the_end(game: Game) -> None:
    """As it was: it lay face down on the felt again once the round was over."""
    found = 0
    for seed in range(15):
        drill = Drill("0" * 16, DrillRequest(terms=TableTerms(game=game.id, seats=min(3, game.seats)), seed=seed))
        gone = {seat for each in drill.questions for seat in each.mucked}
        folded = find_folded_seats(drill.played_round.events)
        for seat, place in enumerate(each for each in build_final_layout(drill) if each.name.startswith("Seat ")):
            assert bool(place.cards) == (seat not in folded & gone)
            found += not place.cards
    assert bool(found) == any(action.id == "fold" for each in game.decisions for action in each.actions)


def test_a_drill_says_what_an_unshown_hand_loses_and_an_exam_does_not(guests: tuple[Guest, Guest]) -> None:
    ann = guests[1]
    page = ann.web.get(ann.lead("/training", game="lunar", seats="1")).text
    assert "Super is settled before any decision." in page
    assert "a wager on a hand that stays face down loses: take it (ALL-6)." in page
    assert "stays face down" not in ann.web.get(ann.lead("/training", game="six-card", seats="1")).text
    form = FORM | {"seats": "1", "disputes": ""}
    exam = ann.web.get(ann.lead("/training/table/lunar", start="on", exam="on", **form)).text
    assert "stays face down" not in exam


@each_game
def test_wagers_that_are_settled_early_do_not_differ_between_rounds(game: Game) -> None:
    """Else they would tell what the round brings."""
    dealt = [deal_training_round(open_round(game, 3), seeded_bits(seed)) for seed in range(40)]
    early = {wager.id for played in dealt for wager in list_early_wagers(played, 0)}
    for played in dealt:
        placed = {stake.bet for stake in played.stakes}
        assert {wager.id for wager in list_early_wagers(played, 0)} == early & placed
        assert bool(explain_unshown_hands(played)) == bool(early & placed)
