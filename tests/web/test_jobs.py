"""Jobs: whose turn it is, what is refused, dropped, kept and forgotten, and what becomes of who waits."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from time import sleep

import pytest

from pitboss.games import load_game, load_games
from pitboss.web.jobs import MOST_IN_ALL, MOST_OF_ADDRESS, MOST_OF_GUEST, Asker, Jobs, Kept, Rank
from pitboss.web.problems import LimitedError
from pitboss.web.questions import FILES, HINTS, SHEETS, Lane, Question, Shelf
from pitboss.web.worker import ENDING, LOST, Answer, pickled, unpickled
from web.chores import echo, fail, hold, note, refuse

ALICE, BOB = Asker("alice", "192.0.2.1"), Asker("bob", "192.0.2.2")


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    """Jobs of a test's own."""
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def done(tmp_path: Path) -> Callable[[], list[str]]:
    """What was counted so far, in order."""

    def lines() -> list[str]:
        path = tmp_path / "done"
        return path.read_text().splitlines() if path.exists() else []

    return lines


def noted(tmp_path: Path, line: str) -> Question:
    """Return a question whose counting is noted."""
    return Question(HINTS, line, note, (str(tmp_path / "done"), line))


def held(jobs: Jobs, tmp_path: Path, asker: Asker = ALICE, name: str = "held") -> tuple[Path, Future[Answer]]:
    """Have the quick worker counting until the file is there that is returned."""
    release = tmp_path / name
    future = jobs.ask(asker, Question(HINTS, name, hold, (str(release),)), Rank.COACH)
    while not Path(f"{release}.begun").exists():
        sleep(0.01)
    return release, future


def test_guests_take_turns_however_much_one_of_them_asks(
    jobs: Jobs, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    release, _ = held(jobs, tmp_path)
    asked = [jobs.ask(ALICE, noted(tmp_path, f"alice {number}"), Rank.SHEET) for number in range(5)]
    asked += [jobs.ask(BOB, noted(tmp_path, f"bob {number}"), Rank.SHEET) for number in range(2)]
    release.touch()
    assert {unpickled(each.result(20).found) for each in asked} == set(done())
    assert done() == ["bob 0", "alice 0", "bob 1", "alice 1", "alice 2", "alice 3", "alice 4"]


def test_many_names_at_one_address_take_one_addresss_turns(
    jobs: Jobs, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    release, _ = held(jobs, tmp_path)
    many = [Asker(f"name {number}", ALICE.address) for number in range(10)]
    asked = [jobs.ask(each, noted(tmp_path, each.guest), Rank.SHEET) for each in many]
    asked.append(jobs.ask(BOB, noted(tmp_path, "bob"), Rank.SHEET))
    release.touch()
    for each in asked:
        each.result(20)
    assert done()[0] == "bob"


def test_a_coach_goes_before_sheets_and_sheets_before_leaks_until_somebody_has_waited_long(
    jobs: Jobs, tmp_path: Path, done: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = {"leaks": Rank.LEAKS, "sheet": Rank.SHEET, "coach": Rank.COACH}
    release, _ = held(jobs, tmp_path)
    asked = [jobs.ask(ALICE, noted(tmp_path, name), rank) for name, rank in ranks.items()]
    release.touch()
    for future in asked:
        future.result(20)
    assert done() == ["coach", "sheet", "leaks"]
    monkeypatch.setattr("pitboss.web.jobs._AGEING_SECONDS", 1e-9)
    release, _ = held(jobs, tmp_path, name="again")
    asked = [jobs.ask(ALICE, noted(tmp_path, f"old {name}"), rank) for name, rank in ranks.items()]
    release.touch()
    for future in asked:
        future.result(20)
    assert done()[3:] == ["old leaks", "old sheet", "old coach"]


def test_one_question_is_counted_once_for_all_who_ask_and_kept(
    jobs: Jobs, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    asked = [jobs.ask(who, noted(tmp_path, "once"), Rank.COACH) for who in (ALICE, BOB, ALICE)]
    assert {each.result(20) for each in asked} == {Answer(pickled("once"))}
    assert jobs.ask(BOB, noted(tmp_path, "once"), Rank.COACH).done()
    assert done() == ["once"]


def test_so_much_waits_and_no_more(jobs: Jobs, tmp_path: Path) -> None:
    held(jobs, tmp_path, Asker("holder", "192.0.2.9"))
    for number in range(MOST_OF_GUEST):
        jobs.ask(ALICE, noted(tmp_path, f"alice {number}"), Rank.SHEET)
    with pytest.raises(LimitedError, match=f"{MOST_OF_GUEST} counts wait for you already: ask again in 2 s") as refused:
        jobs.ask(ALICE, noted(tmp_path, "one more"), Rank.SHEET)
    assert refused.value.headers == {"Retry-After": "2"}
    jobs.ask(ALICE, noted(tmp_path, "alice 0"), Rank.SHEET)  # it waits already
    for number in range(MOST_OF_GUEST, MOST_OF_ADDRESS):
        jobs.ask(Asker(f"other {number}", ALICE.address), noted(tmp_path, f"other {number}"), Rank.SHEET)
    with pytest.raises(LimitedError, match="for your address"):
        jobs.ask(Asker("yet another", ALICE.address), noted(tmp_path, "one more"), Rank.SHEET)
    for number in range(MOST_OF_ADDRESS + 1, MOST_IN_ALL):
        jobs.ask(Asker(f"far {number}", f"198.51.100.{number}"), noted(tmp_path, f"far {number}"), Rank.SHEET)
    with pytest.raises(LimitedError, match=f"{MOST_IN_ALL} counts wait here"):
        jobs.ask(BOB, noted(tmp_path, "one more"), Rank.SHEET)
    assert jobs.waiting == MOST_IN_ALL - 1


def test_what_nobody_waits_for_any_more_is_never_begun(
    jobs: Jobs, tmp_path: Path, done: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    release, _ = held(jobs, tmp_path)
    gone, shared = noted(tmp_path, "gone"), noted(tmp_path, "shared")
    left = jobs.ask(ALICE, gone, Rank.SHEET)
    for who in (ALICE, BOB):
        jobs.ask(who, shared, Rank.SHEET)
    for question in (gone, shared):
        jobs.leave(ALICE, question)
    first = jobs.ask(BOB, noted(tmp_path, "first"), Rank.COACH, instead=True)
    second = jobs.ask(BOB, noted(tmp_path, "second"), Rank.COACH, instead=True)
    monkeypatch.setattr("pitboss.web.jobs.PATIENCE_SECONDS", 0)
    silent = jobs.ask(Asker("silent", "192.0.2.3"), noted(tmp_path, "silent"), Rank.COACH)
    release.touch()
    assert unpickled(second.result(20).found) == "second"
    for each in (left, first, silent):
        assert each.result(20).lost.startswith("nobody waited for this any more")
    while jobs.waiting:
        sleep(0.01)
    assert unpickled(jobs.ask(BOB, shared, Rank.SHEET).result(20).found) == "shared"
    assert done() == ["second", "shared"]


def test_a_request_that_goes_away_takes_nothing_from_another_of_the_same_guest(jobs: Jobs, tmp_path: Path) -> None:
    release, _ = held(jobs, tmp_path)
    question = noted(tmp_path, "twice")  # a page that is drawn again asks again, and breaks its first request off
    for _ in range(2):
        future = jobs.ask(ALICE, question, Rank.COACH, instead=True)
        jobs.arrive(ALICE, question)
    jobs.leave(ALICE, question)
    assert jobs.waiting == 1
    jobs.leave(ALICE, question, gone=False)  # answered that it is still being counted: it is asked again soon
    assert jobs.waiting == 1
    release.touch()
    assert unpickled(future.result(20).found) == "twice"


def test_who_waits_for_a_worker_that_is_killed_is_answered_and_the_next_question_works(
    jobs: Jobs, tmp_path: Path
) -> None:
    _, waiting = held(jobs, tmp_path)
    pid = jobs.workers["quick"].pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    assert waiting.result(20) == Answer(lost=LOST)
    assert unpickled(jobs.ask(ALICE, Question(HINTS, "next", echo, ("next",)), Rank.COACH).result(20).found) == "next"
    assert jobs.workers["quick"].pid not in {pid, None}


def test_a_fault_of_the_program_is_answered_in_a_line_and_a_refusal_in_its_own(jobs: Jobs) -> None:
    assert jobs.ask(ALICE, Question(HINTS, "fault", fail, ()), Rank.COACH).result(20) == Answer(lost=LOST)
    why = "there is no such hand"
    for _ in range(2):  # a refusal is not kept: what was missing may have been added
        answer = jobs.ask(ALICE, Question(HINTS, "refusal", refuse, (why,)), Rank.COACH).result(20)
        assert answer == Answer(refused=why)


def test_a_count_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    jobs = Jobs((Lane("quick", 0, 1 << 40, 2),))
    try:
        answer = jobs.ask(ALICE, Question(HINTS, "long", hold, (str(tmp_path / "never"),)), Rank.COACH).result(20)
        assert answer.lost == "this was not counted within 2 s"
        again = Question(HINTS, "short", echo, ("short",))
        assert unpickled(jobs.ask(ALICE, again, Rank.COACH).result(20).found) == "short"
    finally:
        jobs.close()


@pytest.mark.parametrize(("most_bytes", "processes"), [(1, 2), (1 << 40, 1)])
def test_a_worker_that_has_grown_too_large_makes_room_for_another(most_bytes: int, processes: int) -> None:
    jobs, pids = Jobs((Lane("quick", 0, most_bytes, 60),)), set()
    try:
        for number in range(2):
            jobs.ask(ALICE, Question(HINTS, number, os.getpid, ()), Rank.COACH).add_done_callback(
                lambda future: pids.add(unpickled(future.result().found))
            )
            while len(pids) <= min(number, processes - 1):
                sleep(0.01)
    finally:
        jobs.close()
    assert len(pids) == processes


def test_workers_stand_back_behind_the_server(jobs: Jobs) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice = {
        shelf.lane.name: unpickled(
            jobs.ask(ALICE, Question(shelf, "nice", os.getpriority, (os.PRIO_PROCESS, 0)), Rank.FILE).result(20).found
        )
        for shelf in (SHEETS, FILES)
    }
    assert own < nice["quick"] < nice["long"]


def test_the_end_waits_for_nothing_that_is_being_counted(tmp_path: Path) -> None:
    jobs = Jobs()
    _, counting = held(jobs, tmp_path)
    waiting = jobs.ask(BOB, noted(tmp_path, "waiting"), Rank.COACH)
    pid = jobs.workers["quick"].pid
    assert pid
    jobs.close()
    assert counting.result(0) == waiting.result(0) == Answer(lost=ENDING)
    assert jobs.ask(BOB, noted(tmp_path, "late"), Rank.COACH).result(0) == Answer(lost=ENDING)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_answers_are_kept_within_bounds_the_last_used_ones() -> None:
    kept = Kept(Shelf("some", FILES.lane, 3, 100))
    for number in range(5):
        kept.put(number, bytes(10))
    assert kept.get(2) == bytes(10)
    kept.put(5, bytes(85))
    assert (len(kept), kept.size, kept.get(2)) == (2, 95, bytes(10))
    kept.put(2, bytes(101))  # larger than all that may be kept
    assert (len(kept), kept.size) == (0, 0)


@pytest.mark.parametrize("name", load_games())
def test_games_and_what_belongs_to_them_are_the_same_objects_after_a_journey(name: str) -> None:
    game = load_game(name)
    sent = game, game.wagers, game.main_parts, [wager.outcomes for wager in (*game.wagers, *game.main_parts)]
    came = unpickled(pickled(sent))
    assert came[0] is game
    for mine, theirs in zip((*sent[1], *sent[2]), (*came[1], *came[2]), strict=True):
        assert mine is theirs
    for own, other in zip(sum(sent[3], ()), sum(came[3], ()), strict=True):
        assert own is other
    assert len(pickled(sent)) < 20_000
