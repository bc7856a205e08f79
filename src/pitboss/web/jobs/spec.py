"""Job specifications: workers, kinds of jobs, and sizes of their result caches."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

_MIB = 1 << 20


class JobRation(NamedTuple):
    """How many jobs of one lane may wait.

    They are counted for one guest, for one address, and in total; a refused client asks again after ``retry_seconds``.
    """

    guest: int
    address: int
    total: int
    retry_seconds: int = 2


class WorkerLane(NamedTuple):
    """A worker with its limits, as ``WorkerProcess`` takes them."""

    name: str
    niceness: int
    max_bytes: int
    max_seconds: int


# A person waits for the jobs of the first two, which take seconds: none that may take minutes runs there.
QUICK_LANE = WorkerLane("quick", 5, 768 * _MIB, 300)
PRACTICE_LANE = WorkerLane("practice", 7, 768 * _MIB, 300)
LONG_LANE = WorkerLane("long", 10, 1_024 * _MIB, 3_600)
CHART_LANE = WorkerLane("chart", 12, 1_024 * _MIB, 3_600)
SOLVE_LANE = WorkerLane("solve", 15, 1_024 * _MIB, 10_800)
LANES = (QUICK_LANE, PRACTICE_LANE, LONG_LANE, CHART_LANE, SOLVE_LANE)

RATIONS = {lane.name: JobRation(6, 32, 256) for lane in LANES}
RATIONS[SOLVE_LANE.name] = JobRation(2, 8, 256, retry_seconds=60)
"""The ration of each lane.  Lanes share none: jobs that take minutes leave the places of quick ones free."""


class JobKind(NamedTuple):
    """A kind of jobs, with its worker lane and the limits of its cache.

    The limits are the maximum number and the maximum total bytes of cached results.
    """

    name: str
    lane: WorkerLane
    max_results: int
    max_bytes: int


HINTS = JobKind("hints", QUICK_LANE, 20_000, 16 * _MIB)
STUDIED = JobKind("studied", QUICK_LANE, 2_000, 16 * _MIB)
SHEETS = JobKind("sheets", QUICK_LANE, 500, 16 * _MIB)
CONTENTS = JobKind("contents", QUICK_LANE, 500, 16 * _MIB)
SOLVED = JobKind("solved", LONG_LANE, 500, 16 * _MIB)
REPORTS = JobKind("reports", LONG_LANE, 50, 16 * _MIB)
FILES = JobKind("files", LONG_LANE, 50, 64 * _MIB)
OPTION_EFFECTS = JobKind("option-effects", LONG_LANE, 200, 4 * _MIB)
TUNED = JobKind("tuned", LONG_LANE, 200, 32 * _MIB)
CHARTS = JobKind("charts", CHART_LANE, 100, 16 * _MIB)
PICTURES = JobKind("pictures", LONG_LANE, 100, 16 * _MIB)
MONITORED = JobKind("monitored", LONG_LANE, 50, 16 * _MIB)
DEALS = JobKind("deals", PRACTICE_LANE, 20, 4 * _MIB)
PUZZLES = JobKind("puzzles", PRACTICE_LANE, 2_000, 16 * _MIB)
ACCOUNTS = JobKind("accounts", PRACTICE_LANE, 100, 16 * _MIB)
OPTION_SOLUTIONS = JobKind("option-solutions", SOLVE_LANE, 100, 4 * _MIB)
EXACT = JobKind("exact", SOLVE_LANE, 500, 16 * _MIB)
PROTECTION = JobKind("protection", SOLVE_LANE, 100, 4 * _MIB)


class JobSpec(NamedTuple):
    """A job: a module-level function with its arguments.

    ``key`` identifies the job within its kind.
    """

    kind: JobKind
    key: Hashable
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
