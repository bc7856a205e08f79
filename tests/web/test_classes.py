"""A trainer's class over HTTP: what is removed and downloaded, and by whom."""

import csv
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from clients import open_client
from pitboss.web.pages.class_results import COLUMNS, make_cell
from web.visits import Visit, token_of


class Guest:
    """Somebody with a browser that keeps its cookie."""

    def __init__(self, visit: Visit) -> None:
        self.web = open_client(visit.served.address)
        self.csrf = token_of(self.web.get("/").text)

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form."""
        return self.web.post(path, data={"csrf": self.csrf, **fields})

    def lead(self, path: str, **fields: str) -> str:
        """Send a form, and return the address to which it leads."""
        answer = self.post(path, **fields)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])


@pytest.fixture
def guests(visit: Visit) -> Iterator[tuple[Guest, Guest]]:
    """A trainer and a trainee."""
    tess, ann = Guest(visit), Guest(visit)
    yield tess, ann
    for guest in (tess, ann):
        guest.web.close()


def open_class(tess: Guest, ann: Guest, name: str = "Ann Example") -> str:
    """Open a class with a trainee, and return its address."""
    address = tess.lead("/training/classes", name="Swing shift")
    ann.lead(address, name=name)
    return address


def find_removal(page: str, part: str) -> str:
    """Find the address of a form of removal in a page."""
    (found,) = re.findall(rf'action="(/training/classes/\w+/{part}remove)"', page)
    return str(found)


def test_a_trainer_removes_a_trainee_who_keeps_the_training(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    drill = ann.lead("/training", game="six-card")
    removal = find_removal(tess.web.get(address).text, r"trainees/\d+/")
    assert ann.post(removal).status_code == 404
    assert tess.web.post(removal).status_code == 403
    assert tess.lead(removal) == f"{address}#trainees"
    assert "No trainee is in this class now" in tess.web.get(address).text
    assert "Your name" in ann.web.get(address).text  # the form with which one joins
    assert ann.web.get(drill).status_code == 200
    assert tess.lead(removal)  # once more changes nothing
    assert "You are no longer in this class" in ann.web.get(address).text


def test_a_trainer_removes_the_table_of_a_game(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    tess.lead("/training/table/six-card", own=address.rpartition("/")[2], assign="on")
    assert "Remove this table" not in ann.web.get(address).text
    removal = find_removal(tess.web.get(address).text, "tables/six-card/")
    assert ann.post(removal).status_code == 404
    assert tess.lead(removal) == f"{address}#tables"
    assert "Remove this table" not in tess.web.get(address).text
    assert ann.post(f"{address}/tables/six-card").status_code == 404


def test_a_trainer_removes_a_class(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    removal = find_removal(tess.web.get(address).text, "")
    assert ann.post(removal).status_code == 404
    assert tess.lead(removal) == "/training/classes?removed=1"
    for guest in guests:
        assert guest.web.get(address).status_code == 404
        assert "Swing shift" not in guest.web.get("/training/classes").text


def test_a_class_has_a_standard_for_each_game(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    standard = {"rounds": "1", "pace": "30", "errors": "5", "mispaid": ""}
    tess.lead(f"{address}/standard", **standard)
    tess.lead(f"{address}/standard", **(standard | {"game": "lunar", "errors": "1"}))
    assert tess.post(f"{address}/standard", **standard, game="nothing").status_code == 409
    page = ann.web.get(address).text
    assert "Other games: 1 round, at least 30 an hour, at most 5 errors" in page
    assert "Lunar Poker: 1 round, at least 30 an hour, at most 1 error<" in page
    exam = ann.lead("/training/table/lunar", exam="on", start="on", name="Ann", seats="1", disputes="only", pace="1")
    answer_all(ann, exam, "certificate")
    certificate = ann.web.get(exam).text
    assert "To pass: at most 0 errors" in certificate  # as large a share of disputes alone
    assert re.search(r"as with at most 1 error in the \d+ questions of the whole rounds", certificate)
    assert ann.post(f"{address}/standard/remove", game="lunar").status_code == 404
    assert tess.lead(f"{address}/standard/remove", game="lunar") == f"{address}#standards"
    assert "All games: 1 round, at least 30 an hour, at most 5 errors" in ann.web.get(address).text


def answer_once(ann: Guest, address: str, number: int, known: str = "") -> None:
    """Give the answer that is known, else the first without an amount, or collect a dollar where each has one."""
    choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', ann.web.get(address).text)
    offered = [unescape(each) for each in choices if each not in ("pay", "collect")]
    said = known if known in offered else next(iter(offered), "collect")
    ann.lead(address, said=said, number=str(number), **({"dollars": "1"} if said == "collect" else {}))


def answer_all(ann: Guest, address: str, end: str) -> None:
    """Give an answer to each question of a drill or an exam, until ``end`` is shown."""
    number = 0
    while end not in ann.web.get(address).text:
        answer_once(ann, address, number)
        number += 1


def test_the_errors_by_theme_say_how_many_questions_they_leave_out(guests: tuple[Guest, Guest]) -> None:
    """As it was: the questions of the listed cases did not add up to the trainees' questions."""
    tess, ann = guests
    address = open_class(tess, ann)
    drill = ann.lead("/training", game="six-card", seats="1")
    number = 0
    while "Errors by theme" in (page := tess.web.get(address).text) and "Only cases with an error" not in page:
        answer_once(ann, drill, number, "Deal 6 to each seat, 6 to yourself")  # and so one case is always right
        number += 1
        assert number < 40
    (asked,) = re.findall(r'<th scope="row"[^>]*>Ann Example</th><td class="number"[^>]*>(\d+)<', page)
    themes = page.partition("<h2>Errors by theme</h2>")[2].partition("</section>")[0]
    others = int(re.findall(r"(\d+) other question", themes)[0])
    rows = re.findall(r'<td class="number"[^>]*>(\d+)</td>', themes)
    assert others + sum(int(each) for each in rows[1::3]) == int(asked)


def test_a_trainer_downloads_a_row_for_each_drill_and_exam(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann, "=HYPERLINK(1)")
    drill = ann.lead("/training", game="six-card", seats="1")
    page = ann.web.get(drill).text
    said = re.findall(r'<button name="said" value="([^"]*)"', page)[0]
    ann.lead(drill, said=unescape(said), number="0")
    ann.lead("/training", game="lunar", seats="1")  # nothing is answered
    form = {
        "exam": "on",
        "start": "on",
        "name": "Ann",
        "rounds": "1",
        "seats": "1",
        "pace": "1",
        "errors": "99",
        "mispaid": "",
    }
    exam = ann.lead("/training/table/six-card", disputes="only", **form)
    ann.lead("/training/table/lunar", disputes="only", **form)
    answer_all(ann, exam, "certificate")
    answer = tess.web.get(f"{address}/results.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "class-results.csv" in answer.headers["content-disposition"]
    first, *rows = csv.reader(answer.text.splitlines())
    assert tuple(first) == COLUMNS
    cells = [dict(zip(first, row, strict=True)) for row in rows]
    assert {each["trainee"] for each in cells} == {"'=HYPERLINK(1)"}
    drilled, examined, running = cells
    assert (drilled["kind"], drilled["game"], drilled["questions answered"]) == ("drill", "Six Card Poker", "1")
    assert (drilled["result"], drilled["rounds an hour"]) == ("unfinished", "")
    assert (examined["kind"], examined["rounds"], examined["result"]) == ("exam", "1", "passed")
    assert (examined["rounds an hour"], examined["not answered in time"]) == ("", "0")  # disputes alone have no pace
    assert (drilled["standard set by"], drilled["standard: errors"]) == ("usual", "3")
    assert examined["standard set by"] == "candidate"
    assert int(examined["errors"]) <= int(examined["standard: errors"]) < 99  # as large a share of disputes alone
    assert (running["game"], running["errors"], running["result"]) == ("Lunar Poker", "", "unfinished")
    for other in (ann, None):
        web = other.web if other else httpx
        assert web.get(str(tess.web.base_url.join(f"{address}/results.csv"))).status_code == 404


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert make_cell(text) == f"'{text}"


def test_a_field_that_no_form_has_is_refused_in_words(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    page = tess.post(f"{open_class(tess, ann)}/standard", **{"paytable@2": "x"})
    assert page.status_code >= 400
    assert 'role="alert"' in page.text


def test_the_form_of_a_class_s_table_asks_no_standard(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    code = open_class(tess, ann).rpartition("/")[2]
    page = tess.web.get(f"/training/table/six-card?own={code}").text
    assert "The table of the class Swing shift" in page
    for field in ("rounds", "pace", "errors", "mispaid", "name"):
        assert f'name="{field}"' not in page
    assert 'name="pace"' in tess.web.get("/training/table/six-card").text


@pytest.mark.parametrize("has_standard", [False, True])
def test_no_certificate_calls_a_standard_the_candidate_s_that_the_candidate_did_not_choose(
    guests: tuple[Guest, Guest], *, has_standard: bool
) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    sent = {"pace": "7", "errors": "41", "rounds": "3"}  # of the table's form: an old page may still send them
    tess.lead("/training/table/six-card", own=address[-10:], assign="on", seats="1", disputes="only", **sent)
    if has_standard:
        tess.lead(f"{address}/standard", rounds="1", pace="30", errors="98", mispaid="")
    assert ann.lead(f"{address}/tables/six-card", exam="on") == f"{address}/exams/six-card"
    page = ann.web.get(f"{address}/exams/six-card").text
    assert ('name="pace"' in page) is not has_standard
    assert ("Whole rounds would ask about" in page) is has_standard
    chosen = {"rounds": "2", "pace": "1", "errors": "97", "mispaid": ""}
    if not has_standard:
        assert ann.post(f"{address}/exams/six-card", **(chosen | {"pace": "0"})).status_code == 422
    exam = ann.lead(f"{address}/exams/six-card", **chosen)  # ignored where the class has a standard
    (allowed,) = re.findall(r"To pass: .*at most (\d+) error", ann.web.get(exam).text)
    answer_all(ann, exam, "certificate")
    certificate = ann.web.get(exam).text
    assert ("own standard and rounds: no class" in certificate) is not has_standard
    assert ("set the table" in certificate) is not has_standard
    assert f"as with at most {98 if has_standard else 97} errors in the" in certificate
    assert f'href="{address}">Back to the class Swing shift' in certificate
    (row,) = csv.DictReader(tess.web.get(f"{address}/results.csv").text.splitlines())
    assert row["standard set by"] == ("Swing shift" if has_standard else "candidate")
    assert (row["standard: errors"], row["rounds"]) == (allowed, "1" if has_standard else "2")


def test_only_a_trainee_takes_the_exam_of_a_class(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    assert ann.web.get(f"{address}/exams/lunar").status_code == 404
    tess.lead("/training/table/lunar", own=address[-10:], assign="on")
    seen = tess.web.get(f"{address}/exams/lunar").text
    assert "Trainees of the class see this page" in seen
    assert "Start the exam</button>" not in seen
    assert tess.post(f"{address}/exams/lunar").status_code == 404
    assert ann.web.post(f"{address}/exams/lunar").status_code == 403


def test_a_trainee_leaves_a_class(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    assert "Leave the class" in ann.web.get(address).text
    assert ann.web.post(f"{address}/leave").status_code == 403
    tess.lead(f"{address}/leave")  # who is not in it changes nothing
    assert "Ann Example" in tess.web.get(address).text
    assert ann.lead(f"{address}/leave") == address
    assert "You are no longer in this class" in ann.web.get(address).text
    assert "Ann Example" not in tess.web.get(address).text
    ann.lead(address, name="Ann Again")
    assert "Ann Again" in tess.web.get(address).text


def test_a_drill_says_how_the_console_is_worked_and_an_exam_does_not(guests: tuple[Guest, Guest]) -> None:
    _, ann = guests
    drill = ann.lead("/training", game="six-card", seats="6")
    form = {
        "exam": "on",
        "start": "on",
        "name": "Ann",
        "rounds": "1",
        "seats": "6",
        "pace": "1",
        "errors": "9",
        "mispaid": "",
    }
    exam = ann.lead("/training/table/six-card", **form)
    words = "console is worked"
    assert words not in ann.web.get(exam).text
    page = ann.web.get(drill).text
    while words not in page:  # seats without the progressive wager, once in 64
        page = ann.web.get(ann.lead("/training", game="six-card", seats="6")).text
    page = page[page.index('id="console"') :]
    places = [page.index(each) for each in ("COIN IN", "JPH", "key back to RUN", "GAME OVER")]
    assert places == sorted(places)


def test_a_trainer_reads_each_error_of_the_class_and_nobody_else_does(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    assert "No errors yet" in tess.web.get(f"{address}/errors").text
    drill = ann.lead("/training", game="wild-52", seats="1")
    told = set[str]()
    for number in range(12):
        choices = re.findall(r'<button[^>]* name="said" value="([^"]*)"', ann.web.get(drill).text)
        ann.lead(drill, said=unescape(choices[0] if choices[0] != "pay" else "leave"), number=str(number))
        page = ann.web.get(drill).text
        told |= set(re.findall(r"<strong>Wrong.</strong>.*? You said: (.*?)\.? Right: <strong>", page))
    assert told
    page = tess.web.get(f"{address}/errors").text
    rows = re.findall(r'<tr role="row"><th scope="row" role="rowheader">Ann Example</th>(.*?)</tr>', page)
    wrong = sum(int(each) for each in re.findall(r": (\d+) of \d+ wrong</summary>", page))
    assert len(rows) == wrong >= len(told)
    assert ('<details class="more" open' in page) == (wrong <= 20)  # so few are read at one go
    for said in told:
        assert any(f">{said}" in row for row in rows), said
    assert all(re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC, drill<", row) for row in rows)
    assert all(re.search(r'data-label="Clause" role="cell"><div>.*href="/rules/wild-52#', row) for row in rows)
    assert f'href="{address}/errors"' in tess.web.get(address).text
    assert ann.web.get(f"{address}/errors").status_code == 404


def test_the_errors_of_an_exam_are_told_once_it_is_over(guests: tuple[Guest, Guest]) -> None:
    tess, ann = guests
    address = open_class(tess, ann)
    exam = ann.lead("/training/table/lunar", exam="on", start="on", name="Ann", seats="1", rounds="1", pace="1")
    first = re.findall(r'<button[^>]* name="said" value="([^"]*)"', ann.web.get(exam).text)
    ann.lead(exam, said=unescape(first[0]), number="0")
    assert "Ann Example" not in tess.web.get(f"{address}/errors").text
    answer_all(ann, exam, "certificate")
    page = tess.web.get(f"{address}/errors").text
    assert f'href="/training/certificates/{exam.rpartition("/")[2]}">exam</a>' in page
