"""What every test shares: where files are kept, how hard Hypothesis tries, and what each test costs."""

import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tiers import mark_out_of_turn

# Kernels are compiled once for all workers and runs, and never land in the user's own cache.
os.environ.setdefault("PITBOSS_CACHE", str(Path(__file__).parent.parent / ".cache" / "pitboss"))

MEMORY, ROOM_BYTES = Path("/dev") / "shm", 2**32


def keep_files_in_memory() -> None:
    """Put temporary files into memory, where there is room for them and programs among them may run.

    Tests sync thousands of small files, and wait milliseconds for a disk each time.  A killed process loses nothing of
    either.
    """
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    if shutil.disk_usage(MEMORY).free > ROOM_BYTES and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


keep_files_in_memory()

settings.register_profile("suite", derandomize=True, deadline=None)  # the same examples on every machine
settings.register_profile("long", max_examples=5_000, deadline=None)
settings.load_profile("suite")

MEASURED = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run list what costs the most."""
    parser.addoption("--slowest", type=int, default=0, metavar="N", help="list the N tests of most processor time")


def get_processor_seconds() -> float:
    """Return what this process and its ended children have used; a child counts where it is waited for."""
    return sum(os.times()[:4])


def pytest_configure(config: pytest.Config) -> None:
    """Begin to measure; let Hypothesis draw the same whatever else runs in the process.

    It also draws constants that it finds in the modules loaded so far.
    """
    if config.getoption("hypothesis_profile") != "long":
        vars(providers)["_get_local_constants"] = Constants
    config.stash[MEASURED] = get_processor_seconds()
    gc.disable()  # until all tests are collected: almost nothing that modules make while they load is garbage


def pytest_collection_finish() -> None:
    """Collect garbage again, and never look through what was loaded."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark cases out of turn long; put the files that have slow tests first, so that all workers end together."""
    mark_out_of_turn(items)
    slow_files = {item.path for item in items if item.get_closest_marker("more") or item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in slow_files)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Note what each phase of a test has used, on the report that a worker sends."""
    report = yield
    now = get_processor_seconds()
    report.processor_seconds = now - item.config.stash[MEASURED]
    item.config.stash[MEASURED] = now
    return report


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List the slowest tests."""
    if not config.option.slowest:
        return
    seconds = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid] += vars(report)["processor_seconds"]
    terminalreporter.section(f"slowest {config.option.slowest} of {seconds.total():.0f} s of processor time")
    for name, each in seconds.most_common(config.option.slowest):
        terminalreporter.write_line(f"{each:7.1f} s  {name}")
