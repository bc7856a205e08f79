"""Puzzles over HTTP: drawn alike for everybody, asked one at a time, judged, recorded and asked again."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from html import unescape
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

import pytest

from pitboss.analysis.hint_request import parse_hint_request
from pitboss.table.service import TableService
from pitboss.table.training.puzzle_records import choose_daily, name_daily_batch
from pitboss.web.app import create_app
from pitboss.web.jobs.functions import value_actions
from pitboss.web.jobs.puzzle_drawing import (
    LEAST_GAP,
    MOST_PUZZLES,
    DrawnPuzzle,
    build_puzzle_job,
    draw_puzzles,
    list_puzzle_kinds,
    name_theme,
)
from pitboss.web.pages import puzzles
from pitboss.web.registry import TableRegistry
from web.served import answering, unlimited
from web.test_guests import House, Person
from web.test_leaks import played, value_all
from web.test_my_play import holder_at, load_known
from web.test_study import read_address

DAY = date(2026, 11, 1)
KINDS = {(kind.game.id, kind.decision.id): kind for kind in list_puzzle_kinds()}
SIX_CARD = KINDS["six-card", "fold-or-play"]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A floor that is served for a test, on a day of its own."""
    monkeypatch.setattr(puzzles, "get_today", lambda: DAY)
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    floor = TableRegistry(tables, limits=unlimited())
    made = House(floor, "")
    with answering(create_app(None, floor)) as made.address:
        yield made
        for person in made.people:
            person.web.close()
    floor.close()


def lay_puzzles(house: House) -> tuple[DrawnPuzzle, ...]:
    """Draw Six Card puzzles, and have them ready as the daily puzzle and for every kind of decision."""
    drawn = draw_puzzles(SIX_CARD.game, 0, "0")
    for kind in KINDS.values():
        for batch in ("0", name_daily_batch(DAY)):
            house.floor.jobs.store_result(build_puzzle_job(kind, batch), drawn)
    return drawn


def lead(person: Person, path: str) -> str:
    """Return where a choice of puzzles leads."""
    answer = person.web.get(path, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def ask(person: Person, address: str) -> str:
    """Load a puzzle until its position is valued."""
    while 'hx-trigger="load' in (page := person.look(address)):
        sleep(0.1)
    return page


def give(person: Person, address: str, chosen: str) -> str:
    """Answer a puzzle, and return the page that judges it."""
    csrf = re.findall(r'name="csrf" value="([^"]*)"', ask(person, address))[0]
    form = {"csrf": csrf, "chosen": chosen}
    answer = person.web.post(address.replace("/solve?", "/answer?"), data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return unescape(person.look(answer.headers["location"]))


def test_a_batch_is_alike_for_everybody_close_and_the_costliest_first() -> None:
    drawn = draw_puzzles(SIX_CARD.game, 0, "daily 2026-11-01")
    assert drawn == draw_puzzles(SIX_CARD.game, 0, "daily 2026-11-01")
    assert drawn != draw_puzzles(SIX_CARD.game, 0, "daily 2026-11-02")
    assert 0 < len(drawn) <= MOST_PUZZLES
    assert all(each.gap >= LEAST_GAP for each in drawn)
    assert [each.gap for each in drawn] == sorted((each.gap for each in drawn), reverse=True)
    for each in drawn:
        asked = parse_hint_request(SIX_CARD.game, read_address("/study?game=six-card").request.terms, dict(each.cards))
        terms = asked.terms
        best, second = value_actions(SIX_CARD.game, terms.paytables, terms.options, asked.position, {})
        assert best.value - second.value == each.gap > 0


def test_every_decision_has_a_theme_from_what_it_asks() -> None:
    themes = {name: kind.theme for name, kind in KINDS.items()}
    assert themes["lunar", "take-ante-or-force"] == "Qualifying"
    assert themes["shifting-wilds", "check-or-lock"] == "Lock"
    assert themes["wild-52", "check-or-play"] == "Play again"
    assert themes["wild-six-card", "discard-or-stand"] == "Draws"
    assert all(name_theme(kind.decision) for kind in KINDS.values())


def test_a_puzzle_is_asked_judged_recorded_and_due_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_puzzles(house)
    person, other = house.person(), house.person()
    overview = person.look("/puzzles")
    assert "You have answered it" not in overview
    address = lead(person, "/puzzles/next?source=daily")
    assert urlsplit(address)[2:] == urlsplit(lead(other, "/puzzles/next?source=daily"))[2:]  # alike for everybody
    asked = person.look(address)
    assert 'class="number"' not in asked  # no value before the answer
    pages = [give(person, address, action) for action in ("fold", "play")]
    assert sorted("Right:" in page for page in pages) == [False, True]
    assert all("Next puzzle" in page and "Value, in Antes" in page for page in pages)
    (holder,) = {each.split("/")[1] for each in list_records(house)}
    answers = house.floor.puzzle_records.list_answers(holder)
    assert [each.answer.chosen for each in answers] == ["fold", "play"]
    assert sum(each.answer.is_right for each in answers) == 1
    assert all(Fraction(each.answer.cost) >= 0 for each in answers)
    overview = unescape(person.look("/puzzles"))
    assert "You have answered it" in overview
    assert "Answered</dt><dd>2<" in overview
    assert "Right</dt><dd>1<" in overview
    assert lead(person, "/puzzles/next?source=due") == "/puzzles"
    day = house.floor.puzzle_records.list_answers(holder)[-1].day  # answers carry the true day
    monkeypatch.setattr(puzzles, "get_today", lambda: day + timedelta(2))
    assert lead(person, "/puzzles/next?source=due").partition("&source")[0] == address.partition("&source")[0]
    assert lead(other, "/puzzles/next?source=due") == "/puzzles"


def list_records(house: House) -> tuple[str, ...]:
    """List the streams of answers."""
    with house.floor.tables.store.begin_read() as transaction:
        return transaction.list_streams("puzzles/")


def test_a_theme_goes_on_with_what_was_not_answered(house: House) -> None:
    drawn = lay_puzzles(house)
    person, seen = house.person(), list[str]()
    for _ in drawn:
        seen.append(lead(person, "/puzzles/next?source=theme&theme=Lock"))
        give(person, seen[-1], "play")
    assert len(set(seen)) == len(drawn)
    assert lead(person, "/puzzles/next?source=theme&theme=None") == "/puzzles"


def test_own_mistakes_are_asked_the_costliest_first_and_once(house: House) -> None:
    person, name = played(house, "six-card")
    value_all(house.floor, name, holder_at(house, name))
    assert lead(person, "/puzzles/next?source=own") == "/puzzles"  # nothing is judged yet
    page = load_known(person)
    mistakes = len(re.findall("/try/", page))
    for left in range(mistakes, 0, -1):
        assert f"not asked yet</dt><dd>{left}<" in person.look("/puzzles")
        give(person, lead(person, "/puzzles/next?source=own"), "play")
    assert lead(person, "/puzzles/next?source=own") == "/puzzles"


def test_an_answer_needs_the_own_page_and_an_action(house: House) -> None:
    lay_puzzles(house)
    person = house.person()
    asked = lead(person, "/puzzles/next?source=daily")
    csrf, address = (
        re.findall(r'name="csrf" value="([^"]*)"', ask(person, asked))[0],
        asked.replace("/solve?", "/answer?"),
    )
    assert person.web.post(address, data={"csrf": "0" * 32, "chosen": "play"}).status_code == 403
    assert person.web.post(address, data={"csrf": csrf}).status_code == 422
    assert person.web.post(address, data={"csrf": csrf, "chosen": "dance"}).status_code == 409
    assert list_records(house) == ()


def test_the_day_chooses_the_kind() -> None:
    kinds = list_puzzle_kinds()
    assert len({choose_daily(DAY + timedelta(day), len(kinds)) for day in range(200)}) == len(kinds)
