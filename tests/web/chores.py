"""Work for workers in tests: short, or held until a file lies there."""

from pathlib import Path
from time import sleep
from typing import Never

from pitboss.core.errors import WagerError
from pitboss.web.jobs.worker import JobPauseError, report_job_progress


def echo(something: str) -> str:
    """Return what was given."""
    return something


def note(path: str, line: str) -> str:
    """Write a line to a file, and return it."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return line


def hold(path: str) -> str:
    """Wait until a file lies there."""
    Path(f"{path}.begun").touch()
    while not Path(path).exists():
        sleep(0.01)
    return path


def hold_at(path: str, done: int, total: int, what: str = "") -> str:
    """Report how much is done, and wait until a file lies there."""
    report_job_progress(done, total, what)
    return hold(path)


def note_in_turns(path: str, line: str, turns: int) -> str:
    """Note a line in each of some turns; the first ends when a file lies there."""
    note(path, line)
    done = Path(path).read_text().splitlines().count(line)
    report_job_progress(done, turns)
    if done == turns:
        return line
    hold(f"{path}.go")
    raise JobPauseError


def hold_in_parts(path: str, *parts: tuple[int, int, str]) -> str:
    """Report one part after another, each once a file of its number lies there."""
    for number, part in enumerate(parts):
        hold_at(f"{path}.{number}", *part)
    return path


def refuse(line: str) -> Never:
    """Refuse with a line."""
    raise WagerError(line)


def fail() -> Never:
    """Fail as a fault of the program would."""
    raise AssertionError("a fault of the program")
