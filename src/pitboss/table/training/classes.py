"""Classes: a trainer follows several trainees.

A class belongs to the guest who opened it, and its code, which trainees type, is its name.  A class has a stream of its
own in the ledger: who opened it, and who joined.  What a trainee did is in the trainee's own stream alone.
"""

import secrets
from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pydantic import Field

from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.core.strict_model import StrictModel
from pitboss.ledger.store import Transaction
from pitboss.table.session.terms import verify_terms
from pitboss.table.training.drills import DrillRequest, Standard
from pitboss.table.training.exams import MAX_ROUNDS, Exam, ExamRequest
from pitboss.table.training.records import CaseRecord, TraineeRecords

MAX_CLASS_NAME = 40
"""The most characters of the name of a class, or of a trainee in it."""

MAX_TRAINEES = 60
"""The most trainees of a class."""

MAX_CLASSES = 50
"""The most classes that a guest may open."""

CLASS_PREFIX = "class/"
"""The prefix of the names of classes' streams."""

STANDARD_KIND = "class-standard"
"""The kind of the entries that set a class's standard."""

TABLE_KIND = "class-table"
"""The kind of the entries that set a class's table of a game."""

_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 10

Name = Annotated[str, Field(min_length=1, max_length=MAX_CLASS_NAME)]


class OpenedClass(StrictModel):
    """What the record says of a class: its code and its name."""

    code: str
    name: Name


class JoinedClass(StrictModel):
    """What the record says of a trainee who joined: the class's code and a name."""

    code: str
    name: Name


class ClassStandard(StrictModel):
    """What the record says of a class's standard and an exam's rounds."""

    code: str
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    standard: Standard


class ClassTable(StrictModel):
    """What the record says of the table at which a class deals a game.

    ``fields`` are those of the form that asked for it, which shows them again.
    """

    code: str
    asked: DrillRequest
    fields: dict[str, str]


class TrainingClass(NamedTuple):
    """A class: its code and name, the trainer and each trainee's name.

    ``standard`` is None until the trainer sets one.  ``tables`` has the table that the trainer set last for each
    game, by the game's id.  ``entries`` is the number of entries in its stream.
    """

    code: str
    name: str
    trainer: str
    trainees: dict[str, str]
    standard: ClassStandard | None
    tables: dict[str, ClassTable]
    entries: int


class TraineeProgress(NamedTuple):
    """A trainee's progress: the results by case, and the exams, newest first."""

    holder: str
    name: str
    cases: tuple[CaseRecord, ...]
    exams: tuple[Exam, ...]

    @property
    def asked_count(self) -> int:
        """How many questions were asked."""
        return sum(each.asked for each in self.cases)

    @property
    def right_count(self) -> int:
        """How many first answers were right."""
        return sum(each.right for each in self.cases)

    @property
    def mispaid_cents(self) -> int:
        """How much was mispaid in first answers, in cents."""
        return sum(each.mispaid_cents for each in self.cases)


class ThemeErrors(NamedTuple):
    """The errors of a class in one case of a game, and how many trainees made them."""

    game: str
    case: str
    asked: int
    wrong: int
    trainees: int


class TrainingClasses:
    """The classes of a casino.  Safe for many threads."""

    def __init__(self, records: TraineeRecords) -> None:
        """Store the classes with the records of the trainees."""
        self._records = records

    def open_class(self, trainer: str, name: str) -> str:
        """Open a class and return its code.

        Raises:
            IllegalActionError: the guest has opened as many as there may be.
        """
        code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
        opened = OpenedClass(code=code, name=name)

        def work(transaction: Transaction) -> None:
            if len(self._records.read_classes(transaction, trainer, "opened-class")) >= MAX_CLASSES:
                raise IllegalActionError(
                    f"you have opened {MAX_CLASSES} classes: use one of them", code="too-many-classes"
                )
            self._records.append_shared(transaction, trainer, f"{CLASS_PREFIX}{code}", 1, "opened-class", opened)

        self._records.store.run_write(work)
        return code

    def join_class(self, trainee: str, code: str, name: str) -> None:
        """Join a class, once; a trainee who has joined stays as they are.

        Raises:
            UnknownIdError: no class has this code.
            IllegalActionError: the class is full, or it is the trainer's own.
        """

        def work(transaction: Transaction) -> None:
            known = self._read(transaction, code)
            if trainee in known.trainees:
                return
            if trainee == known.trainer:
                raise IllegalActionError("this is your own class: trainees join it", code="own-class")
            if len(known.trainees) >= MAX_TRAINEES:
                raise IllegalActionError(f"this class is full: it takes {MAX_TRAINEES} trainees", code="class-full")
            joined = JoinedClass(code=code, name=name)
            self._append(transaction, known, trainee, "joined-class", joined)

        self._records.store.run_write(work)

    def set_standard(self, trainer: str, code: str, rounds: int, standard: Standard) -> None:
        """Set the standard by which the trainees of a class are examined from now on.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        self._append_own(trainer, code, STANDARD_KIND, ClassStandard(code=code, rounds=rounds, standard=standard))

    def set_table(self, trainer: str, code: str, asked: DrillRequest, fields: Mapping[str, str]) -> None:
        """Set the table at which a class deals a game, in place of the one before.

        Raises:
            UnknownIdError: this trainer has no class of this code.
            PitbossError: there is no such table.
        """
        verify_terms(asked.terms)
        chosen = ClassTable(code=code, asked=asked.without_deal(), fields=dict(fields))
        self._append_own(trainer, code, TABLE_KIND, chosen)

    def _append_own(self, trainer: str, code: str, kind: str, data: StrictModel) -> None:
        def work(transaction: Transaction) -> None:
            known = self._read(transaction, code)
            if known.trainer != trainer:
                raise UnknownIdError("class", code)
            self._append(transaction, known, trainer, kind, data)

        self._records.store.run_write(work)

    def apply_standard(self, candidate: str, request: ExamRequest) -> ExamRequest:
        """Return a request with the rounds, standard and table of the candidate's class.

        That is the class ``set_by`` if the candidate has joined it, else the first one that has a standard.  The table
        is the class's where it has one of the game, and the name is that under which the candidate joined.  Who is in
        no such class is examined by the standard of the request.
        """
        classes = {each.code: each for each in self.list_classes(candidate)[1] if each.standard}
        known = classes.get(request.set_by) or next(iter(classes.values()), None)
        if known is None or known.standard is None:
            return request.model_copy(update={"set_by": "", "set_by_name": "", "is_table_set": False})
        table = known.tables.get(request.asked.game)
        asked = (table.asked if table else request.asked).model_copy(update={"standard": known.standard.standard})
        own = {"set_by": known.code, "set_by_name": known.name, "is_table_set": table is not None}
        name, rounds = known.trainees[candidate], known.standard.rounds
        return request.model_copy(update={**own, "name": name, "rounds": rounds, "asked": asked})

    def get_class(self, code: str) -> TrainingClass:
        """Return a class.

        Raises:
            UnknownIdError: no class has this code.
        """
        with self._records.store.begin_read() as transaction:
            return self._read(transaction, code)

    def list_classes(self, holder: str) -> tuple[tuple[TrainingClass, ...], tuple[TrainingClass, ...]]:
        """List the classes that a guest has opened, and those that the guest has joined."""
        with self._records.store.begin_read() as transaction:
            opened, joined = (
                tuple(self._read(transaction, code) for code in self._records.read_classes(transaction, holder, kind))
                for kind in ("opened-class", "joined-class")
            )
        return opened, joined

    def list_progress(self, known: TrainingClass) -> tuple[TraineeProgress, ...]:
        """List the progress of each trainee of a class, by name."""
        by_name = sorted(known.trainees.items(), key=lambda each: (each[1].casefold(), each[0]))
        return tuple(
            TraineeProgress(holder, name, self._records.list_case_records(holder), self._records.list_exams(holder))
            for holder, name in by_name
        )

    def _append(
        self, transaction: Transaction, known: TrainingClass, holder: str, kind: str, data: StrictModel
    ) -> None:
        stream = f"{CLASS_PREFIX}{known.code}"
        self._records.append_shared(transaction, holder, stream, known.entries + 1, kind, data)

    def _read(self, transaction: Transaction, code: str) -> TrainingClass:
        entries = [entry for _, entry in transaction.read_stream(f"{CLASS_PREFIX}{code}")]
        if not entries:
            raise UnknownIdError("class", code)
        opened = OpenedClass.model_validate_json(entries[0].data)
        joined = {
            entry.actor: JoinedClass.model_validate_json(entry.data).name
            for entry in entries
            if entry.kind == "joined-class"
        }
        standards = [ClassStandard.model_validate_json(each.data) for each in entries if each.kind == STANDARD_KIND]
        standard = standards[-1] if standards else None
        chosen = [ClassTable.model_validate_json(each.data) for each in entries if each.kind == TABLE_KIND]
        tables = {each.asked.game: each for each in chosen}
        return TrainingClass(opened.code, opened.name, entries[0].actor, joined, standard, tables, len(entries))


def list_theme_errors(progress: tuple[TraineeProgress, ...]) -> tuple[ThemeErrors, ...]:
    """List the cases that went wrong in a class, the most errors first."""
    themes = dict[tuple[str, str], list[CaseRecord]]()
    for trainee in progress:
        for each in trainee.cases:
            themes.setdefault((each.game, each.case), []).append(each)
    errors = (
        ThemeErrors(
            game,
            case,
            sum(each.asked for each in found),
            sum(each.asked - each.right for each in found),
            sum(each.asked > each.right for each in found),
        )
        for (game, case), found in themes.items()
    )
    return tuple(sorted((each for each in errors if each.wrong), key=lambda each: (-each.wrong, each.game, each.case)))
