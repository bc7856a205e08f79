"""What trainees are asked and have answered, kept beside the tables as entries that are only added.

Each trainee has a stream of their own.  A drill is its seed: the round and its questions are dealt again from it, so a
restart goes on at the same question.  What an answer was about is written with it, whatever becomes of the program.
"""

import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from time import time
from types import MappingProxyType
from typing import Literal, NamedTuple

from pitboss.cards import draw_below, seeded_bits
from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel
from pitboss.games import load_game
from pitboss.ledger.chain import Draft, Entry, broken, canonical
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.software import software
from pitboss.ledger.store import Store, Transaction
from pitboss.table.domain import Round
from pitboss.table.drill import UNSHOWN, Deed, Task, tasks_of
from pitboss.table.practice import dealt_out
from pitboss.table.store import TRAINEES, moment

NOW_AND_THEN = 3
"""One round in so many has an unshown hand, where it may."""

_DEALS = 20
_REMEMBERED = 500

Keys = Literal["keypad", "display"]


class Asked(StrictModel):
    """A drill as it is begun: ``seed`` deals it; ``unshown`` says whether a hand may go unshown, or does ("now")."""

    game: str
    seats: int
    keys: Keys = "keypad"
    unshown: Literal["", "may", "now"] = ""
    seed: int = 0


class Answer(StrictModel):
    """What a trainee answered: ``first`` when the question was asked for the first time.

    ``mispaid_cents`` is what then lies in the seat's circle less what should.
    """

    drill: str
    game: str
    case: str
    clause: str
    question: str
    reason: str
    said: str
    wanted: str
    first: bool
    right: bool
    mispaid_cents: int = 0


@lru_cache(maxsize=256)
def dealt_from(asked: Asked) -> tuple[Round, tuple[Task, ...]]:
    """Return the round of a drill, and what is asked in it: the same each time."""
    bits = seeded_bits(asked.seed)
    now_and_then = asked.unshown == "may" and not draw_below(NOW_AND_THEN, bits)
    played = dealt_out(load_game(asked.game), asked.seats, bits, unshown=asked.unshown == "now" or now_and_then)
    return played, tasks_of(played, bits, asked.keys, wary=bool(asked.unshown))


@dataclass(frozen=True)
class Drill:
    """A trainee's round: what went wrong is asked again at its end, until it is right."""

    name: str
    asked: Asked
    answers: tuple[Answer, ...] = ()

    @property
    def played(self) -> Round:
        """The round."""
        return dealt_from(self.asked)[0]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """What is asked in it."""
        return dealt_from(self.asked)[1]

    @property
    def left(self) -> tuple[Task, ...]:
        """What is still to be answered."""
        left = list(self.tasks)
        for answer in self.answers:
            task = left.pop(0)
            left += [] if answer.right else [task]
        return tuple(left)

    @property
    def first(self) -> tuple[Answer, ...]:
        """The answers to each question when it was first asked: the score."""
        return tuple(answer for answer in self.answers if answer.first)

    def answered(self, said: str, cents: int) -> Answer:
        """Return the answer to the question at hand.

        Raises:
            IllegalActionError: it is none of the answers, or far more than any hand could win.
        """
        task = self.left[0]
        if said not in (task.choices or tuple(Deed)):
            raise IllegalActionError("choose one of the answers")
        paid = cents if said in _WITH_AMOUNT and not task.choices else 0
        if paid > task.most_cents:
            raise IllegalActionError(
                f"{format_cents(paid)} is far more than any hand could win here: look at the amount"
            )
        mispaid = 0 if task.choices else _left_lying(task, said, paid) - _left_lying(task, task.answer, task.cents)
        return Answer(
            drill=self.name,
            game=self.asked.game,
            case=task.case,
            clause=task.clause,
            question=task.question,
            reason=task.reason,
            said=said if task.choices else _worded(said, paid),
            wanted=task.answer if task.choices else _worded(task.answer, task.cents),
            first=len(self.answers) < len(self.tasks),
            right=said == task.answer and not mispaid,
            mispaid_cents=mispaid,
        )


_WITH_AMOUNT = (Deed.PAY, Deed.COLLECT)


def _left_lying(task: Task, deed: str, cents: int) -> int:
    """Return what then lies in the circle, less what the seat hands over."""
    given = {Deed.TAKE: -task.lies_cents, Deed.PAY: cents, Deed.COLLECT: -cents}
    return task.lies_cents + given.get(Deed(deed), 0)


def _worded(deed: str, cents: int) -> str:
    return f"{deed} {format_cents(cents)}" if deed in _WITH_AMOUNT else f"{deed} it"


class Learned(NamedTuple):
    """How often a case was asked at first asking, was right, and what was mispaid; ``weak``: drill it again."""

    game: str
    case: str
    clause: str
    asked: int
    right: int
    mispaid_cents: int
    weak: bool


class _Trainee(NamedTuple):
    """A trainee's stream up to an entry."""

    number: int = 0
    drills: Mapping[str, Drill] = MappingProxyType({})


class Trainees:
    """All trainees of a house.  May be used by many threads."""

    def __init__(self, store: Store) -> None:
        """Keep them in the tables' ledger."""
        self._store = store
        self._known: OrderedDict[str, _Trainee] = OrderedDict()
        self._lock = Lock()

    def begin(self, holder: str, asked: Asked, *, again: bool = False) -> str:
        """Begin a drill and return its name; ``again`` deals a round in which what went wrong comes up.

        Raises:
            PitbossError: there is no such game, or it does not seat so many.
        """
        chosen = self._chosen(holder, asked) if again else _seeded(asked)
        name = secrets.token_hex(8)

        def work(transaction: Transaction) -> None:
            self._write(transaction, holder, "drill", {"drill": name, "asked": chosen.model_dump()})

        self._store.writing(work)
        return name

    def _chosen(self, holder: str, asked: Asked) -> Asked:
        """Return, of some deals, the first in which all weak cases of the game come up, else that with most of them."""
        weak = {each.case for each in self.learned(holder) if each.weak and each.game == asked.game}
        if UNSHOWN in weak:
            asked = asked.model_copy(update={"unshown": "now"})
        best, most = _seeded(asked), -1
        for _ in range(_DEALS):
            deal = _seeded(asked)
            found = len(weak & {task.case for task in dealt_from(deal)[1]})
            if found > most:
                best, most = deal, found
            if found == len(weak):
                break
        return best

    def drill(self, holder: str, name: str) -> Drill:
        """Return a trainee's own drill.

        Raises:
            NoSuchIdError: there is none of that name, or another version of the program dealt it.
        """
        with self._store.reading() as transaction:
            drills = self._read(transaction, holder).drills
        if name not in drills:
            raise UnknownIdError("drill", name)
        return drills[name]

    def answer(self, holder: str, name: str, number: int, said: str, cents: int = 0) -> Drill:
        """Take the answer to question ``number`` of a drill, counted from 0; an old page's changes nothing.

        Raises:
            IllegalActionError: it is none of the answers.
            NoSuchIdError: there is no such drill.
        """

        def work(transaction: Transaction) -> None:
            drill = self._read(transaction, holder).drills.get(name)
            if drill and drill.left and number == len(drill.answers):
                self._write(transaction, holder, "answer", drill.answered(said, cents).model_dump())

        self._store.writing(work)
        return self.drill(holder, name)

    def learned(self, holder: str) -> tuple[Learned, ...]:
        """Return a trainee's own record by game and case: weak is what was wrong in the last round that asked it."""
        with self._store.reading() as transaction:
            entries = transaction.streamed(_stream(holder))
        answers = [Answer.model_validate_json(entry.data) for _, entry in entries if entry.kind == "answer"]
        cases: dict[tuple[str, str], list[Answer]] = {}
        for answer in answers:
            if answer.first:
                cases.setdefault((answer.game, answer.case), []).append(answer)
        return tuple(_learned(each) for _, each in sorted(cases.items()))

    # The stream.

    def _read(self, transaction: Transaction, holder: str) -> _Trainee:
        known = self._known.get(holder, _Trainee())
        drills = dict(known.drills)
        entries = transaction.streamed(_stream(holder), known.number)
        for _, entry in entries:
            _taken(drills, entry)
        now = _Trainee(entries[-1][0] if entries else known.number, drills)
        with self._lock:
            self._known[holder] = now
            self._known.move_to_end(holder)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return now

    def _write(self, transaction: Transaction, holder: str, kind: str, said: dict[str, object]) -> None:
        number = self._read(transaction, holder).number + 1
        draft = Draft(moment(int(time())), holder, kind, canonical(said), 0, 0)
        entry = transaction.append([draft])[0]
        transaction.place(_stream(holder), number, entry.sequence, whole=False)


def _stream(holder: str) -> str:
    return f"{TRAINEES}{holder}"


def _seeded(asked: Asked) -> Asked:
    return asked.model_copy(update={"seed": secrets.randbits(64)})


def _taken(drills: dict[str, Drill], entry: Entry) -> None:
    """Take in an entry; a drill that another version of the program dealt might ask something else, and is over."""
    if broken(entry, entry.sequence, entry.previous):
        raise LedgerError(f"entry {entry.sequence} is not what was written")
    if entry.kind == "drill":
        said = json.loads(entry.data)
        if entry.software == software():
            drills[said["drill"]] = Drill(said["drill"], Asked.model_validate(said["asked"]))
        return
    answer = Answer.model_validate_json(entry.data)
    if answer.drill in drills:
        drill = drills[answer.drill]
        drills[answer.drill] = replace(drill, answers=(*drill.answers, answer))


def _learned(answers: Sequence[Answer]) -> Learned:
    last = [answer for answer in answers if answer.drill == answers[-1].drill]
    return Learned(
        answers[-1].game,
        answers[-1].case,
        answers[-1].clause,
        len(answers),
        sum(answer.right for answer in answers),
        sum(abs(answer.mispaid_cents) for answer in answers),
        weak=not all(answer.right for answer in last),
    )
