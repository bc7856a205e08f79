"""Puzzles over HTTP: drawn alike for everybody, asked one at a time, judged, recorded and asked again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from html import unescape
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.hints import Hint
from pitboss.builders import display_name
from pitboss.games import load_games
from pitboss.table.service import TableService
from pitboss.table.training.puzzle_records import PuzzleAnswer, PuzzleState, choose_daily, name_daily_batch
from pitboss.web.app import create_app
from pitboss.web.jobs import puzzle_drawing
from pitboss.web.jobs.action_values import value_actions
from pitboss.web.jobs.coach import ActionAdvice
from pitboss.web.jobs.own_play import OwnLeak, PlacedMistake
from pitboss.web.jobs.player_leaks import ReviewedDecision, iter_decisions
from pitboss.web.jobs.puzzle_drawing import (
    DRAWN,
    LARGE_BATCH,
    LEAST_GAP,
    MOST_PUZZLES,
    SIMILAR_BATCH,
    DrawnPuzzle,
    PuzzleKind,
    build_puzzle_job,
    draw_puzzles,
    find_cost_level,
    list_puzzle_kinds,
    measure_ratio,
    name_similar_batch,
    name_theme,
)
from pitboss.web.jobs.requests import JobRefusedError
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages import puzzle_queue, puzzles
from pitboss.web.pages.page_call import PageCall
from pitboss.web.pages.puzzle_queue import MOST_DRILLED
from pitboss.web.registry import TableRegistry
from tiers import keep_named
from web.served import answering, unlimited
from web.test_guests import House, Person
from web.test_leaks import ROUNDS, SOLVED, played, value_all
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


def give(person: Person, address: str, chosen: str, card: str = "") -> str:
    """Answer a puzzle, by default giving up the first card, and return the page that judges it."""
    csrf = re.findall(r'name="csrf" value="([^"]*)"', ask(person, address))[0]
    first = parse_qs(urlsplit(address).query)["player"][0].split()[0]
    form = {"csrf": csrf, "chosen": chosen} | ({"discard": card or first} if chosen == "discard" else {})
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


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_theme_with_a_fold_has_the_names_of_the_buttons(kind: PuzzleKind) -> None:
    words = {"Qualifying", "Draws"}
    buttons = {display_name(action.id) for action in kind.decision.actions}
    if kind.theme not in words:
        assert set(kind.theme.lower().split(" or ")) <= buttons
    if "fold" in buttons and kind.theme not in words:
        assert set(kind.theme.lower().split(" or ")) == buttons
        assert kind.theme.startswith("Fold or ")


def test_a_puzzle_that_was_answered_under_an_older_theme_is_asked_again_under_its_theme(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(puzzles, "get_today", lambda: DAY)
    for origin, theme in ((f"{SIX_CARD.name}/0/0", "Fold or stay"), ("t/1/fold-or-play", "")):
        answer = PuzzleAnswer(
            address="a", game="six-card", source="theme", theme=theme, origin=origin, chosen="fold", cost="0"
        )
        state = PuzzleState(answer, 1, DAY)
        known = puzzle_queue.GuestPuzzles({answer.address: state}, frozenset(), 1, 0, (), ())
        asked = puzzles.choose_due(known)
        assert asked is not None
        assert asked.theme == (theme and SIX_CARD.theme)


def test_a_puzzle_is_asked_judged_recorded_and_due_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_puzzles(house)
    person, other = house.person(), house.person()
    overview = person.look("/puzzles")
    assert "You have answered it" not in overview
    assert f"Of every {DRAWN} positions drawn, the {MOST_PUZZLES} where the best choice is closest" in overview
    assert f"Choices less than {float(LEAST_GAP)} apart are left out" in overview
    assert "the day after your first answer" in overview
    address = lead(person, "/puzzles/next?source=daily")
    assert urlsplit(address)[2:] == urlsplit(lead(other, "/puzzles/next?source=daily"))[2:]  # alike for everybody
    asked = person.look(address)
    assert 'class="number"' not in asked  # no value before the answer
    assert f'<p class="soft">The puzzle of {DAY.isoformat()}. Theme: ' in asked
    assert "returns on" not in asked
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
    assert lead(person, "/puzzles/next?source=due") == "/puzzles?none=due"
    day = house.floor.puzzle_records.list_answers(holder)[-1].day  # answers carry the true day
    monkeypatch.setattr(puzzles, "get_today", lambda: day + timedelta(2))
    assert lead(person, "/puzzles/next?source=due").partition("&source")[0] == address.partition("&source")[0]
    assert lead(other, "/puzzles/next?source=due") == "/puzzles?none=due"


def list_records(house: House) -> tuple[str, ...]:
    """List the streams of answers."""
    with house.floor.tables.store.begin_read() as transaction:
        return transaction.list_streams("puzzles/")


def test_a_decision_without_its_stored_solution_is_left_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next kind stands in for it in the puzzle of the day, and any other in a theme; none is asked for twice."""
    lay_puzzles(house)
    kinds, asked = list_puzzle_kinds(), list[str]()
    first = choose_daily(DAY, len(kinds))
    unsolved = kinds[first]
    wait_for_result = PageCall.wait_for_result

    async def wait(call: PageCall, job: JobSpec, *more: Any, **named: Any) -> Any:
        if job.key in {build_puzzle_job(unsolved, batch).key for batch in ("0", name_daily_batch(DAY))}:
            asked.append(unsolved.game.id)
            raise JobRefusedError("it has no stored solution", code="needs-solution")
        return await wait_for_result(call, job, *more, **named)

    monkeypatch.setattr(PageCall, "wait_for_result", wait)
    monkeypatch.setattr(puzzles, "_MOST_BATCHES", 1)
    person = house.person()
    following = kinds[(first + 1) % len(kinds)]
    assert f"{following.game.id}%2F{following.decision.id}%2Fdaily" in lead(person, "/puzzles/next?source=daily")
    assert asked == [unsolved.game.id]
    theme = lead(person, f"/puzzles/next?source=theme&theme={unsolved.theme}")
    assert f"{unsolved.game.id}%2F{unsolved.decision.id}" not in theme


def test_a_theme_goes_on_with_what_was_not_answered(house: House) -> None:
    drawn = lay_puzzles(house)
    person, seen = house.person(), list[str]()
    for _ in drawn:
        seen.append(lead(person, "/puzzles/next?source=theme&theme=Lock"))
        give(person, seen[-1], "play")
    assert len(set(seen)) == len(drawn)
    assert lead(person, "/puzzles/next?source=theme&theme=None") == "/puzzles?none=theme"


@pytest.mark.more
def test_own_mistakes_are_asked_the_costliest_first_and_once(house: House) -> None:
    person, name = played(house, "wild-six-card")
    value_all(house.floor, name, holder_at(house, name))
    assert lead(person, "/puzzles/next?source=own") == "/puzzles?none=own"  # nothing is judged yet
    page = load_known(person)
    mistakes = len(re.findall("/try/", page))
    assert mistakes
    card = r"(?:[2-9JQKA]|10)[♣♦♥♠]|Joker"
    titles = re.findall(r"<summary>Wild Six Card[^:]*: (Discard [^$]*?), \d+ times?, ", page)
    assert titles
    assert all(
        re.fullmatch(rf"Discard (the wrong card, such as )?({card}) instead of ({card}|Stand)", each) for each in titles
    )
    assert "You: choose the card to give up<" in ask(person, lead(person, "/puzzles/next?source=own"))
    for left in range(mistakes, 0, -1):
        assert f"not asked yet</dt><dd>{left}<" in person.look("/puzzles")
        said = give(person, lead(person, "/puzzles/next?source=own"), "discard")
        returns = re.findall(r"This puzzle returns on (\S+)\.</p>", said)
        assert len(returns) == 1
    page = person.look("/puzzles?none=own")
    assert f"None of your own mistakes is left to ask. The next one that you answered returns on {returns[0]}." in page
    assert "None of your own mistakes is left" not in person.look("/puzzles")
    assert lead(person, "/puzzles/next?source=own") == "/puzzles?none=own"


@pytest.mark.more
def test_practise_asks_the_mistake_of_its_row(house: House) -> None:
    person, name = played(house, "wild-six-card")
    value_all(house.floor, name, holder_at(house, name))
    page = load_known(person)
    leaks = unescape(person.look(f"/tables/{name}/leaks"))
    links = [unescape(each) for each in re.findall(r'href="(/puzzles/next[^"]*)"', page)]
    assert len(set(links)) == len(links) >= 2  # one for each mistake
    assert all(each in leaks for each in links)
    newer = person.say("/tables", game="six-card").url.path  # where one has sat down last
    assert newer in person.look("/puzzles")
    for link in reversed(links):
        number, decision = link.rpartition(f"{name}/")[2].split("/")
        position = lead(person, f"/tables/{name}/rounds/{number}/try/{decision}").partition("?")[2]
        address = lead(person, link)
        assert address.partition("?")[2].startswith(position.partition("&back")[0])
        assert f'<a class="button" href="/tables/{name}">Back to your table</a>' in person.look(address)
        give(person, address, "discard")
        assert lead(person, link) == address  # it can be practised again
    (holder,) = {each.split("/")[1] for each in list_records(house)}
    assert len(house.floor.puzzle_records.list_answers(holder)) == len(links)
    assert lead(person, "/puzzles/next?source=own") == "/puzzles?none=own"


def value_worst(house: House, name: str) -> None:
    """Have the choice that was made worth less than another, where one gives up no cards too."""
    floor, holder = house.floor, holder_at(house, name)
    value_all(floor, name, holder)
    for number in range(1, ROUNDS + 1):
        for each in iter_decisions(floor.tables.list_round_sessions(name, number), holder):
            hints: tuple[Hint, ...] = unpickle_object(floor.jobs.get_result(each.job) or b"")
            if not any(hint.action.discards for hint in hints):
                floor.jobs.store_result(each.job, tuple(replace(hint, value=-hint.value) for hint in hints[::-1]))


@pytest.mark.more
@pytest.mark.parametrize("game", keep_named(SOLVED, "wild-six-card"))
def test_a_replay_of_a_mistake_leads_to_hands_like_it_and_not_to_itself(house: House, game: str) -> None:
    """More, Try again, Practise: the drill begins with another hand, and the replayed one comes later."""
    person, name = played(house, game)
    value_worst(house, name)
    load_known(person)
    for kind in KINDS.values():
        for level in range(-10, 4):
            drawn = DrawnPuzzle(game, (("player", "As"),), (), Fraction(1))
            house.floor.jobs.store_result(build_puzzle_job(kind, name_similar_batch(level, 0)), (drawn,))
    leaks = unescape(person.look(f"/tables/{name}/leaks"))
    ways = re.findall(
        rf'href="(/tables/{name}/rounds/(\d+)/try/([^"?]+))".*?mistake=[^"]*">(Practise [^<]*)</a>', leaks
    )
    assert ways
    for link, number, decision, label in ways:
        asked = next(each for each in load_games()[game].decisions if each.id == decision)
        # Two discards have one name: then it is not whether to discard that was decided wrongly.
        others = ["this decision"] * any(action.discards for action in asked.actions)
        assert label.removeprefix("Practise ") in [f"“{display_name(decision).capitalize()}”", *others]
        replayed = lead(person, link)
        position = replayed.partition("?")[2].partition("&back")[0]
        chosen = next(each.actions[-1].id for each in load_games()[game].decisions if each.id == decision)
        for page in (person.look(replayed), person.look(f"{replayed}&chosen={chosen}")):  # its values may be pending
            assert (
                f"{name}/{number}/{decision}" in page.partition('<div id="task">')[2]
            )  # and it is kept for the answer
            (practice,) = re.findall(r'href="([^"]*)">Practise similar hands</a>', page)
            first = lead(person, unescape(practice))
            assert f"game={game}" in first
            assert position not in first
    assert f"&mistake={name}/{ways[0][1]}/{ways[0][2]}" in lead(person, ways[0][0])
    other = house.person()
    assert "mistake" not in lead(other, f"/puzzles/next?source=own&after={name}/{ways[0][1]}/{ways[0][2]}")


def test_a_try_without_a_mistake_or_of_no_decision_leads_to_no_drill(house: House) -> None:
    person = house.person()
    for more in ("", "&mistake=t/1/none", "&mistake=t"):
        assert "Practise" not in person.look(f"/study/try?game=six-card{more}")
    assert person.web.get("/study/try?game=six-card&mistake=%3Cb%3E").status_code == 422
    player, name = played(house, "six-card")
    assert "mistake" not in lead(player, f"/tables/{name}/rounds/1/try/fold-or-play")  # nothing is judged yet


def test_nobody_practises_a_decision_of_another(house: House) -> None:
    _, name = played(house, "six-card")
    other = house.person()
    for origin in (f"{name}/1/fold-or-play", f"{name}/999999/fold-or-play", "nothing", "none/1/fold-or-play"):
        answer = other.web.get(f"/puzzles/next?source=own&mistake={origin}", follow_redirects=False)
        assert answer.status_code in {303, 404}
        assert answer.headers.get("location", "/puzzles") == "/puzzles"


def make_mistake(game: str, decision: str, chosen: str, number: int, cost: int) -> ReviewedDecision:
    """Return a mistake in a round, with its cost in Antes."""
    made = ActionAdvice(chosen, chosen, (), Fraction(-cost), Fraction(cost))
    return ReviewedDecision(number, decision, (), made, made._replace(name=game, cost=Fraction(0)), cost * 100, 100)


def test_after_a_mistake_come_those_of_its_kind() -> None:
    folds = [PlacedMistake("t", make_mistake("six-card", "fold-or-play", "Fold", each, 2)) for each in (1, 2)]
    plays = [PlacedMistake("t", make_mistake("six-card", "fold-or-play", "Play", each, 5)) for each in (3, 4)]
    leaks = tuple(OwnLeak(SIX_CARD.game, "?", tuple(each)) for each in (plays, folds))
    known = puzzle_queue.GuestPuzzles({}, frozenset(), 0, 0, (*plays, folds[1]), leaks)
    assert known.list_alike(SIX_CARD.name, "") == [*plays, folds[1]]
    assert known.list_alike(SIX_CARD.name, puzzle_queue.name_origin(folds[0])) == [folds[1], *plays]
    assert known.list_alike("lunar/draw", puzzle_queue.name_origin(folds[0])) == []


def test_drawn_positions_cost_about_what_the_mistake_did() -> None:
    for cost in (Fraction(1, 8), Fraction(1, 5), Fraction(3, 4), Fraction(7, 5), Fraction(5, 2)):
        drawn = draw_puzzles(SIX_CARD.game, 0, name_similar_batch(find_cost_level(cost), 0))
        assert len(drawn) == MOST_PUZZLES
        assert all(cost / 4 <= each.gap <= 4 * cost for each in drawn)
        level = Fraction(2) ** find_cost_level(cost)
        assert measure_ratio(drawn[0].gap, level) <= measure_ratio(drawn[1].gap, level)  # the nearest first


def test_where_no_position_costs_so_little_the_nearest_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = name_similar_batch(find_cost_level(Fraction(1, 1000)), 0)
    drawn = draw_puzzles(SIX_CARD.game, 0, batch)
    monkeypatch.setattr(puzzle_drawing, "MOST_PUZZLES", puzzle_drawing.MOST_DRAWN)
    gaps = sorted(each.gap for each in draw_puzzles(SIX_CARD.game, 0, batch))
    assert [each.gap for each in drawn] == gaps[:MOST_PUZZLES]


def test_the_level_is_that_of_the_mistake_before() -> None:
    small, large = (
        PlacedMistake("t", make_mistake("six-card", "fold-or-play", "Fold", number, cost))
        for number, cost in ((1, 1), (2, 4))
    )
    known = puzzle_queue.GuestPuzzles({}, frozenset(), 0, 0, (), (OwnLeak(SIX_CARD.game, "?", (large, small)),))
    levels = {
        puzzle_queue.name_origin(small): 0,
        puzzle_queue.name_origin(large): 2,
        f"{SIX_CARD.name}/{name_similar_batch(-3, 4)}/1": -3,
        f"{SIX_CARD.name}/{name_similar_batch(-3000, 4)}/1": 2,  # no such level: the costliest mistake
        "": 2,
    }
    assert {after: known.find_level(SIX_CARD.name, after) for after in levels} == levels
    assert known.find_level("lunar/draw", "") == 0


def next_of(page: str) -> str:
    """Return where an answered puzzle leads on."""
    links: list[str] = re.findall(r'href="([^"]+)">Next puzzle</a>', page)
    return links[0]


@pytest.mark.more
def test_after_a_mistake_only_its_kind_follows_until_it_is_used_up(house: House) -> None:
    """A guest with mistakes in two games practises one of them, right or wrong."""
    person, first = played(house, "wild-six-card")
    _, second = played(house, "lunar", person)
    for name in (first, second):
        value_all(house.floor, name, holder_at(house, name))
    page = load_known(person)
    alike = re.findall(rf'href="(/puzzles/next[^"]*mistake={first}/[^"]*)"', page)
    assert len(alike) > 1
    assert f"mistake={second}/" in page
    kind = KINDS["wild-six-card", "discard-or-stand"]
    drawn = draw_puzzles(kind.game, 0, f"{LARGE_BATCH} 0")
    for level in range(-10, 4):
        for batch in range(MOST_DRILLED // MOST_PUZZLES):
            house.floor.jobs.store_result(build_puzzle_job(kind, name_similar_batch(level, batch)), drawn)
    link, asked = alike[-1], list[str]()
    for turn in range(len(alike) + MOST_DRILLED):
        address = lead(person, link)
        assert "game=wild-six-card" in address
        ask(person, address)
        ranked = person.web.get(address.replace("/puzzles/solve", "/study/hint.json")).json()["actions"]
        answer = ranked[-1 if turn % 2 else 0]
        said = give(person, address, answer["action"], *answer.get("cards", ()))
        assert ("Right:" in said) == (turn % 2 == 0)  # it stays with the kind either way
        asked.append(parse_qs(urlsplit(address).query)["origin"][0])
        assert ("Like your mistakes. Theme: Draws" in said) == (turn >= len(alike))
        link = next_of(said)
        assert f"kind={kind.name}" in unquote(link)
    assert len(set(asked)) == len(asked)
    assert all(each.startswith(f"{first}/") for each in asked[: len(alike)])  # the own ones come first
    levels = {each.rpartition("/")[0].rpartition(" ")[0] for each in asked[len(alike) :]}
    assert len(levels) == 1  # the level of the last own mistake stays
    assert levels.pop().startswith(f"{kind.name}/{SIMILAR_BATCH} ")
    address = lead(person, link)
    assert "game=lunar" in address
    used_up = "You have answered every position of the kind before (Wild Six Card Poker: "
    assert used_up in ask(person, address)
    assert used_up not in person.look(address.partition("&finished=")[0])


@pytest.mark.parametrize("kind", ["", "none", "six-card/none", "none/fold-or-play"])
def test_a_kind_that_is_none_leaves_the_own_mistakes(house: House, kind: str) -> None:
    assert lead(house.person(), f"/puzzles/next?source=own&after=t/1/x&kind={kind}") == "/puzzles?none=own"


def test_large_puzzles_are_the_costliest_drawn(house: House) -> None:
    batch = f"{LARGE_BATCH} 0"
    large = draw_puzzles(SIX_CARD.game, 0, batch)
    gaps = sorted((each.gap for each in draw_all(SIX_CARD, batch)), reverse=True)
    assert [each.gap for each in large] == gaps[:MOST_PUZZLES]
    for kind in KINDS.values():
        house.floor.jobs.store_result(build_puzzle_job(kind, batch), large)
    person = house.person()
    assert "source=large&amp;theme=Lock" in person.look("/puzzles")
    address = lead(person, "/puzzles/next?source=large&theme=Lock")
    assert f"player={large[0].cards[0][1].split()[0]}" in address
    assert "source=large" in give(person, address, "play")  # the next is a large one too


def draw_all(kind: PuzzleKind, batch: str) -> list[DrawnPuzzle]:
    """Draw every position of a batch."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(puzzle_drawing, "MOST_PUZZLES", puzzle_drawing.DRAWN)
        return list(draw_puzzles(kind.game, kind.game.decisions.index(kind.decision), batch))


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
