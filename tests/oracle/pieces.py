"""Pieces of work for tests of ``work``: functions that other processes can import."""

import os
import time
from pathlib import Path


def shouted(word: str) -> str:
    """Return a word in capitals."""
    return word.upper()


def noted(argument: tuple[str, str]) -> str:
    """Note in a file that a piece is run, take a while, and return its word in capitals."""
    path, word = argument
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(f"{word}\n")
    time.sleep(0.2)
    return shouted(word)


def refused(word: str) -> str:
    """Refuse a word."""
    raise ValueError(word)


def worker(_word: str) -> str:
    """Tell which process works."""
    return str(os.getpid())


def slept(seconds: float) -> str:
    """Sleep, and tell how long."""
    time.sleep(seconds)
    return str(seconds)
