"""Pieces of work for tests of ``work``: functions that other processes can import."""

import os
import signal
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


def killed_once(argument: tuple[str, str]) -> str:
    """Be killed the first time that a piece is begun, and return its word in capitals from then on."""
    folder, word = argument
    begun = Path(folder) / word
    if not begun.exists():
        begun.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return shouted(word)


def killed(_word: str) -> str:
    """Be killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
