"""Jobs: whose turn it is, what is refused, dropped, kept and forgotten, and what becomes of who waits."""

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path
from time import sleep

import pytest

from pitboss.contract import PayUnit
from pitboss.games import load_game, load_games
from pitboss.paytables import load_builtin_paytables
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs import spec as specs
from pitboss.web.jobs.page_jobs import make_paytable_key
from pitboss.web.jobs.queue import JobCache, JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import (
    ACCOUNTS,
    CHARTS,
    CONTENTS,
    DEALS,
    EXACT,
    FILES,
    HINTS,
    PRACTICE_LANE,
    PUZZLES,
    QUICK_LANE,
    RATIONS,
    SHEETS,
    SOLVED,
    STUDIED,
    JobKind,
    JobRation,
    JobSpec,
    WorkerLane,
)
from pitboss.web.jobs.worker import (
    ABANDONED_TEXT,
    LOST_TEXT,
    SHUTDOWN_TEXT,
    JobResult,
    WorkerProcess,
    pickle_object,
    send_message,
    unpickle_object,
)
from refusals import refusal
from waiting import PATIENT_SECONDS
from web.chores import echo, fail, hold, hold_at, hold_in_parts, note, note_in_turns, refuse

MOST_FREE = 11
"""With so many files free a worker starts, and with none it does not."""

ALICE, BOB = JobClient("alice", "192.0.2.1"), JobClient("bob", "192.0.2.2")


@pytest.fixture
def jobs() -> Iterator[JobQueue]:
    """Jobs of a test's own."""
    made = JobQueue()
    yield made
    made.close()


@pytest.fixture
def done(tmp_path: Path) -> Callable[[], list[str]]:
    """What was counted so far, in order."""

    def lines() -> list[str]:
        path = tmp_path / "done"
        return path.read_text().splitlines() if path.exists() else []

    return lines


def noted(tmp_path: Path, line: str, kind: JobKind = HINTS) -> JobSpec:
    """Return a question whose counting is noted."""
    return JobSpec(kind, line, note, (str(tmp_path / "done"), line))


def held(
    jobs: JobQueue, tmp_path: Path, asker: JobClient = ALICE, name: str = "held", kind: JobKind = HINTS
) -> tuple[Path, Future[JobResult]]:
    """Have a worker, the quick one unless another is named, counting until the file is there that is returned."""
    release = tmp_path / name
    future = jobs.submit(asker, JobSpec(kind, name, hold, (str(release),)), JobPriority.COACH)
    while not Path(f"{release}.begun").exists():
        sleep(0.01)
    return release, future


@pytest.mark.parametrize("kind", [HINTS, EXACT], ids=lambda kind: kind.lane.name)
def test_guests_take_turns_however_much_one_of_them_asks(
    kind: JobKind, jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RATIONS, kind.lane.name, RATIONS["quick"])
    release, _ = held(jobs, tmp_path, kind=kind)
    asked = [jobs.submit(ALICE, noted(tmp_path, f"alice {number}", kind), JobPriority.SHEET) for number in range(5)]
    asked += [jobs.submit(BOB, noted(tmp_path, f"bob {number}", kind), JobPriority.SHEET) for number in range(2)]
    release.touch()
    assert {unpickle_object(each.result(PATIENT_SECONDS).payload) for each in asked} == set(done())
    assert done() == ["bob 0", "alice 0", "bob 1", "alice 1", "alice 2", "alice 3", "alice 4"]


def test_many_names_at_one_address_take_one_addresss_turns(
    jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    release, _ = held(jobs, tmp_path)
    many = [JobClient(f"name {number}", ALICE.address) for number in range(10)]
    asked = [jobs.submit(each, noted(tmp_path, each.guest), JobPriority.SHEET) for each in many]
    asked.append(jobs.submit(BOB, noted(tmp_path, "bob"), JobPriority.SHEET))
    release.touch()
    for each in asked:
        each.result(PATIENT_SECONDS)
    assert done()[0] == "bob"


def test_a_coach_goes_before_sheets_and_sheets_before_leaks_until_somebody_has_waited_long(
    jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = {"leaks": JobPriority.LEAKS, "sheet": JobPriority.SHEET, "coach": JobPriority.COACH}
    release, _ = held(jobs, tmp_path)
    asked = [jobs.submit(ALICE, noted(tmp_path, name), rank) for name, rank in ranks.items()]
    release.touch()
    for future in asked:
        future.result(PATIENT_SECONDS)
    assert done() == ["coach", "sheet", "leaks"]
    monkeypatch.setattr("pitboss.web.jobs.queue._AGEING_SECONDS", 1e-9)
    release, _ = held(jobs, tmp_path, name="again")
    asked = [jobs.submit(ALICE, noted(tmp_path, f"old {name}"), rank) for name, rank in ranks.items()]
    release.touch()
    for future in asked:
        future.result(PATIENT_SECONDS)
    assert done()[3:] == ["old leaks", "old sheet", "old coach"]


def test_one_question_is_counted_once_for_all_who_ask_and_kept(
    jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    asked = [jobs.submit(who, noted(tmp_path, "once"), JobPriority.COACH) for who in (ALICE, BOB, ALICE)]
    assert {each.result(PATIENT_SECONDS) for each in asked} == {JobResult(pickle_object("once"))}
    assert jobs.submit(BOB, noted(tmp_path, "once"), JobPriority.COACH).done()
    assert done() == ["once"]


def _told(jobs: JobQueue, spec: JobSpec) -> tuple[int, int] | None:
    """Return how far a job is."""
    progress = jobs.get_progress(spec)
    return progress and (progress.done, progress.total)


def test_a_job_that_runs_tells_how_far_it_is(jobs: JobQueue, tmp_path: Path) -> None:
    release = tmp_path / "release"
    spec = JobSpec(EXACT, "far", hold_at, (str(release), 3, 13))
    assert jobs.get_progress(spec) is None
    future = jobs.submit(ALICE, spec, JobPriority.EXACT)
    assert _told(jobs, spec) in {(0, 0), (3, 13)}
    while not Path(f"{release}.begun").exists():
        sleep(0.01)
    while _told(jobs, spec) != (3, 13):
        sleep(0.01)
    progress = jobs.get_progress(spec)
    assert progress is not None
    assert 0 < progress.seconds < PATIENT_SECONDS
    assert progress.describe_left().endswith(" left")
    release.touch()
    assert unpickle_object(future.result(PATIENT_SECONDS).payload) == str(release)
    assert jobs.get_progress(spec) is None


def test_the_time_left_is_that_of_the_part_that_is_counted(jobs: JobQueue, tmp_path: Path) -> None:
    """A job of several parts, as the sheets of a guest's bets: a part that took long says nothing of the next."""
    path, parts = tmp_path / "part", ((9, 10, "first"), (1, 10, "second"))
    spec = JobSpec(EXACT, "parts", hold_in_parts, (str(path), *parts))
    future = jobs.submit(ALICE, spec, JobPriority.EXACT)
    seconds, waited = [], []
    for number, (done, total, what) in enumerate(parts):
        while (progress := jobs.get_progress(spec)) is None or progress.what != what:
            sleep(0.01)
        assert (progress.done, progress.total) == (done, total)
        sleep(0.3 * (1 - number))
        progress = jobs.get_progress(spec)
        assert progress is not None
        seconds.append(progress.seconds)
        waited.append(progress.waited)
        Path(f"{path}.{number}").touch()
    assert seconds[0] >= 0.3 > seconds[1]
    assert waited == sorted(waited)  # what a page shows never goes back
    assert unpickle_object(future.result(PATIENT_SECONDS).payload) == str(path)


JOB_KINDS = [each for each in vars(specs).values() if isinstance(each, JobKind)]
SHORT_LANES = (QUICK_LANE, PRACTICE_LANE)
SHORT = (HINTS, STUDIED, PUZZLES, DEALS, SHEETS, CONTENTS, ACCOUNTS)
"""What a person waits for at a table, at a puzzle or at a position, and figures that chance alone decides."""


@pytest.mark.parametrize("kind", JOB_KINDS, ids=lambda kind: kind.name)
def test_a_kind_of_jobs_that_may_take_minutes_shares_no_worker_with_a_short_one(kind: JobKind) -> None:
    assert (kind.lane in SHORT_LANES) == (kind in SHORT)


def test_a_long_job_that_runs_never_lets_a_short_one_wait_for_its_end(jobs: JobQueue, tmp_path: Path) -> None:
    lanes = {kind.lane.name: kind for kind in JOB_KINDS if kind not in SHORT}
    running = [held(jobs, tmp_path, name=kind.name, kind=kind) for kind in lanes.values()]
    for kind in SHORT:
        found = jobs.submit(BOB, JobSpec(kind, "short", echo, ("short",)), JobPriority.LEAKS)
        assert unpickle_object(found.result(PATIENT_SECONDS).payload) == "short"
    assert [future.done() for _, future in running] == [False] * len(lanes)
    for release, _ in running:
        release.touch()


def test_a_sheet_does_not_wait_for_a_chart(jobs: JobQueue, tmp_path: Path) -> None:
    release, chart = held(jobs, tmp_path, kind=CHARTS)
    sheet = jobs.submit(BOB, JobSpec(SOLVED, "sheet", echo, ("sheet",)), JobPriority.SHEET)
    assert unpickle_object(sheet.result(PATIENT_SECONDS).payload) == "sheet"
    assert not chart.done()
    release.touch()


def test_a_long_job_in_turns_lets_a_short_one_overtake_it(
    jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]]
) -> None:
    path = tmp_path / "done"
    spec = JobSpec(CHARTS, "long", note_in_turns, (str(path), "long", 3))
    long = jobs.submit(ALICE, spec, JobPriority.SHEET)
    while not done():
        sleep(0.01)
    short = jobs.submit(ALICE, noted(tmp_path, "short", CHARTS), JobPriority.SHEET)
    (tmp_path / "done.go").touch()
    assert unpickle_object(short.result(PATIENT_SECONDS).payload) == "short"
    assert not long.done()
    waiting = jobs.get_progress(spec)
    assert waiting is not None
    assert (waiting.done, waiting.total) in {(1, 3), (2, 3), (3, 3)}
    assert unpickle_object(long.result(PATIENT_SECONDS).payload) == "long"
    assert done() == ["long", "short", "long", "long"]


class Idle:
    """A thread that does nothing, so that whatever is submitted waits."""

    def __init__(self, **_more: object) -> None:
        """Take what a thread takes."""

    def start(self) -> None:
        """Do nothing."""

    def join(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("kind", [HINTS, SOLVED, EXACT], ids=lambda kind: kind.lane.name)
def test_so_much_waits_for_each_worker_and_no_more(kind: JobKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.jobs.queue.Thread", Idle)
    jobs, ration, elsewhere = JobQueue(), RATIONS[kind.lane.name], 0
    for each in (HINTS, SOLVED, EXACT):
        if each is not kind:  # what waits elsewhere takes no place here
            for number in range(RATIONS[each.lane.name].guest):
                jobs.submit(ALICE, JobSpec(each, number, echo, ("x",)), JobPriority.SHEET)
                elsewhere += 1

    def ask(client: JobClient, line: str) -> Future[JobResult]:
        return jobs.submit(client, JobSpec(kind, line, echo, (line,)), JobPriority.SHEET)

    hers = [ask(ALICE, f"alice {number}") for number in range(ration.guest)]
    with pytest.raises(RateLimitError, check=refusal("too-many-jobs")) as refused:
        ask(ALICE, "one more")
    assert refused.value.headers == {"Retry-After": str(ration.retry_seconds)}
    ask(ALICE, "alice 0")  # it waits already
    for number in range(ration.guest, ration.address):
        ask(JobClient(f"other {number}", ALICE.address), f"other {number}")
    with pytest.raises(RateLimitError, check=refusal("too-many-jobs", seconds=ration.retry_seconds)):
        ask(JobClient("yet another", ALICE.address), "one more")
    for number in range(ration.address, ration.total):
        ask(JobClient(f"far {number}", f"198.51.100.{number}"), f"far {number}")
    ask(BOB, "one more")  # his address has none, hers most, and she most of it
    assert [each.done() for each in hers] == [False] * (ration.guest - 1) + [True]
    assert hers[-1].result() == JobResult(failure=ABANDONED_TEXT)
    with pytest.raises(RateLimitError, match="are already waiting here: try", check=refusal("too-many-jobs")):
        ask(ALICE, "alice again")
    assert jobs.waiting_count - elsewhere == ration.total
    jobs.close()


def test_those_who_wait_for_what_has_begun_take_no_place_in_a_full_lane(
    jobs: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RATIONS, "quick", JobRation(6, 32, 2))
    release, begun = held(jobs, tmp_path)
    spec = JobSpec(HINTS, "held", hold, (str(release),))
    for each in ("far", "farther", "farthest"):
        assert jobs.submit(JobClient(each, each), spec, JobPriority.COACH) is begun
    own = jobs.submit(BOB, noted(tmp_path, "own"), JobPriority.COACH)
    release.touch()
    assert unpickle_object(own.result(20).payload) == "own"


def test_who_asks_for_what_the_one_who_makes_room_waits_for_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.jobs.queue.Thread", Idle)
    monkeypatch.setitem(RATIONS, "quick", JobRation(6, 32, 2))
    jobs = JobQueue()
    for line in ("first", "second"):
        last = jobs.submit(ALICE, JobSpec(HINTS, line, echo, (line,)), JobPriority.COACH)
    assert jobs.submit(BOB, JobSpec(HINTS, "second", echo, ("second",)), JobPriority.COACH) is last
    assert (jobs.waiting_count, last.done()) == (2, False)
    jobs.close()


def test_what_nobody_waits_for_any_more_is_never_begun(
    jobs: JobQueue, tmp_path: Path, done: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    release, _ = held(jobs, tmp_path)
    gone, shared = noted(tmp_path, "gone"), noted(tmp_path, "shared")
    left = jobs.submit(ALICE, gone, JobPriority.SHEET)
    for who in (ALICE, BOB):
        jobs.submit(who, shared, JobPriority.SHEET)
    for question in (gone, shared):
        jobs.remove_request(ALICE, question)
    first = jobs.submit(BOB, noted(tmp_path, "first"), JobPriority.COACH, replace=True)
    second = jobs.submit(BOB, noted(tmp_path, "second"), JobPriority.COACH, replace=True)
    monkeypatch.setattr("pitboss.web.jobs.queue.PATIENCE_SECONDS", 0)
    silent = jobs.submit(JobClient("silent", "192.0.2.3"), noted(tmp_path, "silent"), JobPriority.COACH)
    release.touch()
    assert unpickle_object(second.result(PATIENT_SECONDS).payload) == "second"
    for each in (left, first, silent):
        assert each.result(PATIENT_SECONDS).failure.startswith("nobody waited for this result")
    while jobs.waiting_count:
        sleep(0.01)
    assert unpickle_object(jobs.submit(BOB, shared, JobPriority.SHEET).result(PATIENT_SECONDS).payload) == "shared"
    assert done() == ["second", "shared"]


def test_a_request_that_goes_away_takes_nothing_from_another_of_the_same_guest(jobs: JobQueue, tmp_path: Path) -> None:
    release, _ = held(jobs, tmp_path)
    question = noted(tmp_path, "twice")  # a page that is drawn again asks again, and breaks its first request off
    for _ in range(2):
        future = jobs.submit(ALICE, question, JobPriority.COACH, replace=True)
        jobs.add_request(ALICE, question)
    jobs.remove_request(ALICE, question)
    assert jobs.waiting_count == 1
    jobs.remove_request(ALICE, question, gone=False)  # answered that it is still being counted: it is asked again soon
    assert jobs.waiting_count == 1
    release.touch()
    assert unpickle_object(future.result(PATIENT_SECONDS).payload) == "twice"


def test_who_waits_for_a_worker_that_is_killed_is_answered_and_the_next_question_works(
    jobs: JobQueue, tmp_path: Path
) -> None:
    _, waiting = held(jobs, tmp_path)
    pid = jobs.workers["quick"].pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    assert waiting.result(PATIENT_SECONDS) == JobResult(failure=LOST_TEXT)
    assert (
        unpickle_object(
            jobs.submit(ALICE, JobSpec(HINTS, "next", echo, ("next",)), JobPriority.COACH)
            .result(PATIENT_SECONDS)
            .payload
        )
        == "next"
    )
    assert jobs.workers["quick"].pid not in {pid, None}


def kill_fork_server(worker: int | None) -> None:
    """Kill the fork server that forked a worker."""
    status = Path(f"/proc/{worker}/stat").read_text(encoding="utf-8")
    os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)


@pytest.mark.more
def test_a_fork_server_that_is_killed_takes_no_job_with_it_and_the_next_worker_has_another(
    jobs: JobQueue, tmp_path: Path
) -> None:
    release, counting = held(jobs, tmp_path)
    kill_fork_server(jobs.workers["quick"].pid)
    other = jobs.submit(BOB, noted(tmp_path, "other lane", EXACT), JobPriority.EXACT)
    assert unpickle_object(other.result(PATIENT_SECONDS).payload) == "other lane"
    release.touch()
    assert unpickle_object(counting.result(PATIENT_SECONDS).payload) == str(release)


def test_a_server_that_closes_waits_for_no_worker_whose_fork_server_was_killed(jobs: JobQueue, tmp_path: Path) -> None:
    _, counting = held(jobs, tmp_path)
    pid = jobs.workers["quick"].pid
    kill_fork_server(pid)
    jobs.close()
    assert counting.result(0) == JobResult(failure=SHUTDOWN_TEXT)
    while Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text():
        sleep(0.01)


@pytest.mark.more
def test_a_worker_has_the_servers_environment_of_its_own_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("first", "second"):
        monkeypatch.setenv("PITBOSS_GAMES", value)
        queue = JobQueue()
        asked = queue.submit(ALICE, JobSpec(HINTS, value, os.getenv, ("PITBOSS_GAMES",)), JobPriority.COACH)
        assert unpickle_object(asked.result(PATIENT_SECONDS).payload) == value
        queue.close()


@pytest.mark.in_turn("free")
@pytest.mark.parametrize("free", range(MOST_FREE + 1))
def test_where_the_system_has_no_files_for_a_worker_who_waits_is_answered_and_the_next_question_works(
    free: int, jobs: JobQueue
) -> None:
    def ask(number: int) -> JobResult:
        question = JobSpec(HINTS, number, echo, (str(number),))
        return jobs.submit(ALICE, question, JobPriority.COACH).result(PATIENT_SECONDS)

    def list_open() -> list[int]:
        return [int(each.name) for each in Path("/dev/fd").iterdir()]

    resource_tracker.ensure_running()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest, taken = max(list_open()), [os.open(os.devnull, os.O_RDONLY)]
    while taken[-1] < highest:
        taken.append(os.open(os.devnull, os.O_RDONLY))
    before = len(list_open())
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1 + free, hard))
        answers = [ask(number) for number in range(20)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        left = len(list_open()) - before
        for each in taken:
            os.close(each)
    started = {bool(answer.payload) for answer in answers}
    assert started == {free == MOST_FREE} or 0 < free < MOST_FREE
    assert left < len(answers)
    assert unpickle_object(ask(20).payload) == "20"


def test_a_fault_of_the_program_is_answered_in_a_line_and_a_refusal_in_its_own(jobs: JobQueue) -> None:
    assert jobs.submit(ALICE, JobSpec(HINTS, "fault", fail, ()), JobPriority.COACH).result(
        PATIENT_SECONDS
    ) == JobResult(failure=LOST_TEXT)
    why = "there is no such hand"
    for _ in range(2):  # a refusal is not kept: what was missing may have been added
        answer = jobs.submit(ALICE, JobSpec(HINTS, "refusal", refuse, (why,)), JobPriority.COACH).result(
            PATIENT_SECONDS
        )
        assert str(answer.refusal) == why


@pytest.mark.more
def test_a_count_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    jobs = JobQueue((WorkerLane("quick", 0, 1 << 40, 2),))
    try:
        answer = jobs.submit(ALICE, JobSpec(HINTS, "long", hold, (str(tmp_path / "never"),)), JobPriority.COACH).result(
            20
        )
        assert answer.failure == "the calculation did not finish within 2 s"
        again = JobSpec(HINTS, "short", echo, ("short",))
        assert unpickle_object(jobs.submit(ALICE, again, JobPriority.COACH).result(PATIENT_SECONDS).payload) == "short"
    finally:
        jobs.close()


def test_a_worker_that_ended_between_two_jobs_is_replaced() -> None:
    worker = WorkerProcess(0, 1 << 40, PATIENT_SECONDS)
    job = pickle_object((echo, ("asked",)))
    assert unpickle_object(worker.run_job(job).payload) == "asked"
    pid = worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}").exists():
        sleep(0.01)
    assert worker.run_job(job).failure == LOST_TEXT
    assert unpickle_object(worker.run_job(job).payload) == "asked"
    worker.close()


@pytest.mark.parametrize(("most_bytes", "processes"), [(1, 2), (1 << 40, 1)])
def test_a_worker_that_has_grown_too_large_makes_room_for_another(most_bytes: int, processes: int) -> None:
    jobs, pids = JobQueue((WorkerLane("quick", 0, most_bytes, 60),)), set()
    try:
        for number in range(2):
            jobs.submit(ALICE, JobSpec(HINTS, number, os.getpid, ()), JobPriority.COACH).add_done_callback(
                lambda future: pids.add(unpickle_object(future.result().payload))
            )
            while len(pids) <= min(number, processes - 1):
                sleep(0.01)
    finally:
        jobs.close()
    assert len(pids) == processes


def test_workers_stand_back_behind_the_server(jobs: JobQueue) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice = {
        shelf.lane.name: unpickle_object(
            jobs.submit(ALICE, JobSpec(shelf, "nice", os.getpriority, (os.PRIO_PROCESS, 0)), JobPriority.FILE)
            .result(PATIENT_SECONDS)
            .payload
        )
        for shelf in (SHEETS, FILES)
    }
    assert own < nice["quick"] < nice["long"]


def test_a_thread_that_starts_a_worker_keeps_its_signals() -> None:
    worker = WorkerProcess(0, 1 << 40, 60)
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
        assert worker.run_job(pickle_object((os.getpid, ()))).payload
        assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before
    finally:
        worker.close()


def test_the_end_waits_for_nothing_that_is_being_counted(tmp_path: Path) -> None:
    jobs = JobQueue()
    _, counting = held(jobs, tmp_path)
    waiting = jobs.submit(BOB, noted(tmp_path, "waiting"), JobPriority.COACH)
    pid = jobs.workers["quick"].pid
    assert pid
    jobs.close()
    assert counting.result(0) == waiting.result(0) == JobResult(failure=SHUTDOWN_TEXT)
    assert jobs.submit(BOB, noted(tmp_path, "late"), JobPriority.COACH).result(0) == JobResult(failure=SHUTDOWN_TEXT)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_worker_whose_server_is_gone_ends_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe()
    here.close()
    worker = processes.Process(target=send_message, args=(there, b"started"))
    worker.start()
    worker.join(PATIENT_SECONDS)
    assert (worker.exitcode, capfd.readouterr().err) == (0, "")


def test_answers_are_kept_within_bounds_the_last_used_ones() -> None:
    kept = JobCache(JobKind("some", FILES.lane, 3, 100))
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
    came = unpickle_object(pickle_object(sent))
    assert came[0] is game
    for mine, theirs in zip((*sent[1], *sent[2]), (*came[1], *came[2]), strict=True):
        assert mine is theirs
    for own, other in zip(sum(sent[3], ()), sum(came[3], ()), strict=True):
        assert own is other
    assert len(pickle_object(sent)) < 20_000


def test_tables_that_differ_in_anything_are_told_apart() -> None:
    """Two visitors' tables of one name are not one another's, whatever differs."""
    for game in load_games().values():
        for table in load_builtin_paytables(game):
            line, pay = next(iter(table.lines.items()))
            unit = next(each for each in PayUnit if each is not pay.unit)
            others = [
                replace(table, source="my own"),
                replace(table, lines={**table.lines, line: replace(pay, amount=pay.amount + 1)}),
                replace(table, lines={**table.lines, line: replace(pay, unit=unit)}),
                replace(table, envy={**table.envy, line: 1_000}),
            ]
            if table.progressive:
                terms = table.progressive
                others += [
                    replace(table, progressive=replace(terms, seed_cents=terms.seed_cents + 1)),
                    replace(table, progressive=replace(terms, meter_bps=terms.meter_bps + 1)),
                    replace(table, progressive=replace(terms, reserve_bps=terms.reserve_bps + 1)),
                ]
            keys = {make_paytable_key(each) for each in (table, *others)}
            assert len(keys) == 1 + len(others), table.id
            assert make_paytable_key(replace(table)) == make_paytable_key(table)
