"""What is asked of workers: which of them answers what, and how much of their answers is kept."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

_MIB = 1 << 20


class Lane(NamedTuple):
    """A worker's terms, as ``Worker`` has them."""

    name: str
    niceness: int
    most_bytes: int
    most_seconds: int


QUICK = Lane("quick", 5, 768 * _MIB, 300)
LONG = Lane("long", 10, 1_024 * _MIB, 3_600)


class Shelf(NamedTuple):
    """A kind of answers: which lane counts them, and how many of them, of how many bytes together, are kept."""

    name: str
    lane: Lane
    most: int
    most_bytes: int


HINTS = Shelf("hints", QUICK, 20_000, 16 * _MIB)
SHEETS = Shelf("sheets", QUICK, 500, 16 * _MIB)
SOLVED = Shelf("solved", LONG, 500, 16 * _MIB)
REPORTS = Shelf("reports", LONG, 50, 16 * _MIB)
FILES = Shelf("files", LONG, 50, 64 * _MIB)
SHELVES = (HINTS, SHEETS, SOLVED, REPORTS, FILES)


class Question(NamedTuple):
    """What is to be counted: a function of a module and its arguments, and the ``key`` that tells it from others."""

    shelf: Shelf
    key: Hashable
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
