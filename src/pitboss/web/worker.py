"""A process that counts for the server, one question at a time, so that no kernel is ever loaded by the server itself.

Questions and answers are pickled.  Games, their wagers and outcomes are sent as names: each process has its own.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

from pitboss.contract import Game, Outcome, Wager
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games

LOST = "the process that was counting this was lost: ask again"
ENDING = "the server is ending: ask again when it is back"


class Answer(NamedTuple):
    """What a question came to: ``found``, pickled, or the line with which it was refused, or not answered at all."""

    found: bytes = b""
    refused: str = ""
    lost: str = ""


def pickled(something: object) -> bytes:
    """Return the bytes that ``unpickled`` reads, here or in another process of this program."""
    return bytes(ForkingPickler.dumps(something))


def unpickled(text: bytes) -> Any:
    """Return what was pickled by this program."""
    return ForkingPickler.loads(text)


class Worker:
    """A worker process, started when it is first asked, and again after it was lost or grew too large.

    ``niceness`` is how far it stands back behind the server, ``most_bytes`` how much memory (resident, of Linux) it may
    hold between two questions, ``most_seconds`` how long a question may take.
    """

    def __init__(self, niceness: int, most_bytes: int, most_seconds: int) -> None:
        """Start nothing yet."""
        self._niceness, self._most_bytes, self._most_seconds = niceness, most_bytes, most_seconds
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process that counts now, if any."""
        process = self._process
        return process.pid if process else None

    def answer(self, question: bytes) -> Answer:
        """Have a pickled function and its arguments called, and wait; for one thread at a time."""
        try:
            line, new = self._ready()
            if new:
                line.recv_bytes()  # it has started: from here on its time counts
            line.send_bytes(question)
            if not line.poll(self._most_seconds):
                self._end()
                return Answer(lost=f"this was not counted within {self._most_seconds:,} s")
            refused = line.recv_bytes().decode()
            found = line.recv_bytes()
        except (EOFError, OSError):
            self._end()
            return Answer(lost=ENDING if self._closed else LOST)
        pid = self.pid
        if pid and resident_bytes(pid) > self._most_bytes:
            self._end()
        return Answer(found, refused)

    def close(self) -> None:
        """End the process at once, whatever it is counting; no other is started."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def _ready(self) -> tuple[Connection, bool]:
        """Return the line to the process, and whether it has only been started now."""
        with self._lock:
            if self._closed:
                raise EOFError
            new = self._line is None
            if self._line is None:
                spawn = get_context("spawn")
                self._line, its_end = spawn.Pipe()
                self._process = spawn.Process(target=_count, args=(its_end, self._niceness), daemon=True)
                # The process inherits what this thread blocks: Ctrl-C is the server's, which then ends its workers.
                # The tracker that comes with the first process would unblock it, so it is started before.
                resource_tracker.ensure_running()
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                self._process.start()
                its_end.close()
            return self._line, new

    def _end(self) -> None:
        with self._lock:
            if self._process:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._line:
                self._line.close()
            self._process = self._line = None


def resident_bytes(pid: int) -> int:
    """Return how much memory a process holds, 0 where the system does not tell."""
    with suppress(OSError, IndexError):
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


# In the worker's process.


def _count(line: Connection, niceness: int) -> None:
    """Answer questions; what fails without a line of its own ends the process, with its trace in the server's log."""
    os.nice(niceness)
    questions = SimpleQueue[bytes]()
    Thread(target=_listen, args=(line, questions), daemon=True).start()
    line.send_bytes(b"started")
    while True:
        function, arguments = unpickled(questions.get())
        try:
            refused, found = "", pickled(function(*arguments))
        except PitbossError as error:
            refused, found = str(error), b""
        line.send_bytes(refused.encode())
        line.send_bytes(found)


def _listen(line: Connection, questions: "SimpleQueue[bytes]") -> None:
    """Pass questions on; when the server has gone nobody waits for an answer."""
    while True:
        try:
            questions.put(line.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


# Names in the place of games and what belongs to them.


@cache
def _wagers(game: str) -> tuple[Wager, ...]:
    return (*load_game(game).wagers, *load_game(game).main_parts)


def _wager(game: str, place: int) -> Wager:
    return _wagers(game)[place]


def _outcome(game: str, place: int, number: int) -> Outcome:
    return _wagers(game)[place].outcomes[number]


@cache
def _places() -> dict[int, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return how every wager and outcome is found again, by its identity."""
    found: dict[int, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
    for game in load_games():
        for place, wager in enumerate(_wagers(game)):
            found[id(wager)] = _wager, (game, place)
            for number, outcome in enumerate(wager.outcomes):
                found.setdefault(id(outcome), (_outcome, (game, place, number)))
    return found


def _game_by_name(game: Game) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return load_game, (game.id,)


def _by_place(part: Wager | Outcome) -> Any:
    return _places().get(id(part)) or part.__reduce_ex__(4)


ForkingPickler.register(Game, _game_by_name)
ForkingPickler.register(Wager, _by_place)
ForkingPickler.register(Outcome, _by_place)
