"""Trainees' rounds: what they are asked, what they answered, what is asked again."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from pitboss.core.money import format_cents
from pitboss.games import game_named
from pitboss.table.domain import Round
from pitboss.table.drill import Deed, Task, dealt_out, tasks_of
from pitboss.web.problems import NotThereError

_KEPT = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """What a trainee answered, and whether that is right."""

    task: Task
    said: str
    right: bool
    mispaid_cents: int = 0

    @property
    def wanted(self) -> str:
        """What would have been right, in words."""
        if self.task.choices:
            return self.task.answer
        return f"pay {format_cents(self.task.cents)}" if self.task.answer == Deed.PAY else f"{self.task.answer} it"


@dataclass
class Drill:
    """A trainee's round: what is still to be asked, and what was answered; what went wrong is asked again."""

    holder: str
    played: Round
    left: list[Task]
    asked: int
    answers: list[Answer] = field(default_factory=list)

    def answer(self, said: str, cents: int) -> None:
        """Take an answer to the question at hand."""
        task = self.left.pop(0)
        if task.choices:
            answer = Answer(task, said, said == task.answer)
        else:
            due = task.cents if task.answer == Deed.PAY else 0
            paid = cents if said == Deed.PAY else 0
            told = f"pay {format_cents(cents)}" if said == Deed.PAY else f"{said} it"
            answer = Answer(task, told, said == task.answer and paid == due, paid - due)
        self.answers.append(answer)
        if not answer.right:
            self.left.append(task)

    @property
    def first(self) -> list[Answer]:
        """The answers to each question when it was first asked: the score."""
        return self.answers[: self.asked]


@dataclass
class Drills:
    """The drills of all trainees, the latest of them."""

    _kept: OrderedDict[str, Drill] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def begin(self, holder: str, game: str, seats: int) -> str:
        """Deal out a round for a trainee, and return its name."""
        played = dealt_out(game_named(game), seats)
        tasks = tasks_of(played)
        name = secrets.token_hex(8)
        with self._lock:
            self._kept[name] = Drill(holder, played, list(tasks), len(tasks))
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return name

    def of(self, name: str, holder: str) -> Drill:
        """Return a trainee's own drill (raises NotThereError)."""
        drill = self._kept.get(name)
        if drill is None or drill.holder != holder:
            raise NotThereError("this drill is over: begin another at /training")
        return drill
