"""Classes: a trainer follows several trainees.

A class belongs to the guest who opened it, and its code, which trainees type, is its name.  A class has a stream of its
own in the ledger: who opened it, and who joined.  What a trainee did is in the trainee's own stream alone.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.core.strict_model import StrictModel
from pitboss.ledger.store import Transaction
from pitboss.table.session.terms import verify_terms
from pitboss.table.training.class_entries import (
    ClassEntry,
    ClassEntryKind,
    ClassOpened,
    ClassSettingRemoved,
    ClassStandardChosen,
    ClassTableChosen,
    TraineeJoined,
    TraineeRemoved,
    TrainingClass,
    read_class,
)
from pitboss.table.training.drills import USUAL_STANDARD, DrillRequest, Standard
from pitboss.table.training.exams import Exam, ExamRequest
from pitboss.table.training.records import CaseRecord, TraineeRecords

MAX_TRAINEES = 60
"""The most trainees of a class."""

MAX_CLASSES = 50
"""The most classes that a guest may open."""

CLASS_PREFIX = "class/"
"""The prefix of the names of classes' streams."""

_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 10


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
        opened = ClassOpened(code=code, name=name)

        def work(transaction: Transaction) -> None:
            if len(self._list_opened(transaction, trainer)) >= MAX_CLASSES:
                raise IllegalActionError(
                    f"you have {MAX_CLASSES} classes: use one of them, or remove one", code="too-many-classes"
                )
            self._records.append_shared(transaction, trainer, f"{CLASS_PREFIX}{code}", 1, ClassEntryKind.OPENED, opened)

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
            joined = TraineeJoined(code=code, name=name)
            self._append(transaction, known, trainee, ClassEntryKind.JOINED, joined)

        self._records.store.run_write(work)

    def set_standard(self, trainer: str, code: str, rounds: int, standard: Standard, game: str = "") -> None:
        """Set the standard by which the trainees of a class are examined from now on.

        It is that of a game, or with "" of all games that have none of their own.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        chosen = ClassStandardChosen(code=code, rounds=rounds, standard=standard, game=game)
        self._append_own(trainer, code, ClassEntryKind.STANDARD, chosen)

    def set_table(self, trainer: str, code: str, asked: DrillRequest, fields: Mapping[str, str]) -> None:
        """Set the table at which a class deals a game, in place of the one before.

        Raises:
            UnknownIdError: this trainer has no class of this code.
            PitbossError: there is no such table.
        """
        verify_terms(asked.terms)
        table = asked.without_deal().model_copy(update={"standard": USUAL_STANDARD})  # a class sets it by itself
        chosen = ClassTableChosen(code=code, asked=table, fields=dict(fields))
        self._append_own(trainer, code, ClassEntryKind.TABLE, chosen)

    # What a trainer removes.  The trainees' own records stay.

    def remove_trainee(self, trainer: str, code: str, joined: int) -> None:
        """End the membership of the trainee who joined with entry ``joined``.

        The record of that trainee stays.  An outdated page changes nothing.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        removed = TraineeRemoved(code=code, joined=joined)
        self._append_own(
            trainer, code, ClassEntryKind.REMOVED_TRAINEE, removed, lambda known: joined in known.joined.values()
        )

    def leave_class(self, trainee: str, code: str) -> None:
        """End a trainee's own membership; the record stays.

        Raises:
            UnknownIdError: no class has this code.
        """

        def work(transaction: Transaction) -> None:
            known = self._read(transaction, code)
            if trainee in known.joined:
                removed = TraineeRemoved(code=code, joined=known.joined[trainee])
                self._append(transaction, known, trainee, ClassEntryKind.REMOVED_TRAINEE, removed)

        self._records.store.run_write(work)

    def remove_table(self, trainer: str, code: str, game: str) -> None:
        """Remove the table of a game from a class, if it has one.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        removed = ClassSettingRemoved(code=code, game=game)
        self._append_own(trainer, code, ClassEntryKind.REMOVED_TABLE, removed, lambda known: game in known.tables)

    def remove_standard(self, trainer: str, code: str, game: str) -> None:
        """Remove the standard of a game, or the class's with "", if there is one.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        removed = ClassSettingRemoved(code=code, game=game)
        kind = ClassEntryKind.REMOVED_STANDARD
        self._append_own(trainer, code, kind, removed, lambda known: game in known.standards)

    def remove_class(self, trainer: str, code: str) -> None:
        """Remove a class: nobody finds it any more.

        The trainees keep their records, and the certificates still name the class.

        Raises:
            UnknownIdError: this trainer has no class of this code.
        """
        self._append_own(trainer, code, ClassEntryKind.REMOVED, ClassEntry(code=code))

    def _append_own(
        self,
        trainer: str,
        code: str,
        kind: str,
        data: StrictModel,
        applies: Callable[[TrainingClass], bool] = lambda _: True,
    ) -> None:
        """Append an entry to a trainer's own class where it applies."""

        def work(transaction: Transaction) -> None:
            known = self._read(transaction, code)
            if known.trainer != trainer:
                raise UnknownIdError("class", code)
            if applies(known):
                self._append(transaction, known, trainer, kind, data)

        self._records.store.run_write(work)

    def find_drill_standard(self, trainee: str, game: str) -> tuple[TrainingClass, ClassStandardChosen] | None:
        """Find the standard by which a trainee's drills of a game are measured.

        It is that of the one class that sets it for the trainee.  Where none does, or several do, there is none.
        """
        found = ((each, each.find_standard(game)) for each in self.list_classes(trainee)[1])
        chosen = [(known, standard) for known, standard in found if standard]
        return chosen[0] if len(chosen) == 1 else None

    def apply_drill_standard(self, trainee: str, request: DrillRequest) -> DrillRequest:
        """Return a request for a drill with the standard of the trainee's class."""
        found = self.find_drill_standard(trainee, request.game)
        if found is None:
            return request
        return request.model_copy(update={"standard": found[1].standard, "standard_set_by": found[0].name})

    def list_classes_at(self, guest: str, request: DrillRequest) -> tuple[TrainingClass, ...]:
        """List the classes of a guest whose table a drill is dealt at."""
        own = (each for classes in self.list_classes(guest) for each in classes)
        tables = ((each, each.tables.get(request.game)) for each in own)
        return tuple(each for each, table in tables if table and table.asked.terms == request.terms)

    def apply_standard(self, candidate: str, request: ExamRequest) -> ExamRequest:
        """Return a request with the rounds, standard and table of the candidate's class.

        That is the class ``set_by`` if the candidate has joined it, else the first one that has a standard of the game;
        a game's own standard is in force before the class's.  The table is the class's where it has one of the game,
        and the name is that under which the candidate joined.  Who is in no such class is examined by the standard of
        the request.
        """
        game = request.asked.game
        found = ((each, each.find_standard(game)) for each in self.list_classes(candidate)[1])
        classes = {known.code: (known, chosen) for known, chosen in found if chosen}
        known, chosen = classes.get(request.set_by) or next(iter(classes.values()), (None, None))
        if known is None or chosen is None:
            return request.model_copy(update={"set_by": "", "set_by_name": "", "is_table_set": False})
        return _apply_class(known, chosen, candidate, request)

    def apply_class_table(self, candidate: str, known: TrainingClass, request: ExamRequest) -> ExamRequest:
        """Return a request for an exam at the table of a candidate's class.

        Rounds and standard are the class's where it has set them for the game, else those of the request, which the
        candidate has chosen.
        """
        game = request.asked.game
        chosen, table = known.find_standard(game), known.tables[game]
        if chosen:
            return _apply_class(known, chosen, candidate, request)
        own = {"table_of": known.code, "set_by_name": known.name, "is_table_set": True, "set_by": ""}
        asked = table.asked.model_copy(update={"standard": request.asked.standard})
        return request.model_copy(update={**own, "name": known.trainees[candidate], "asked": asked})

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
            joined = self._read_known(transaction, holder, ClassEntryKind.JOINED)
            return self._list_opened(transaction, holder), tuple(each for each in joined if holder in each.trainees)

    def _list_opened(self, transaction: Transaction, trainer: str) -> tuple[TrainingClass, ...]:
        return tuple(self._read_known(transaction, trainer, ClassEntryKind.OPENED))

    def _read_known(self, transaction: Transaction, holder: str, kind: str) -> Iterator[TrainingClass]:
        """Read the classes in a guest's entries, each once and none that was removed."""
        for code in dict.fromkeys(self._records.read_classes(transaction, holder, kind)):
            with suppress(UnknownIdError):
                yield self._read(transaction, code)

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
        return read_class(code, transaction.read_stream(f"{CLASS_PREFIX}{code}"))


def _apply_class(
    known: TrainingClass, chosen: ClassStandardChosen, candidate: str, request: ExamRequest
) -> ExamRequest:
    """Return a request with the standard, rounds and table of a class.

    The table is that of the request where the class has none of the game.
    """
    table = known.tables.get(request.asked.game)
    asked = (table.asked if table else request.asked).model_copy(update={"standard": chosen.standard})
    own = {"set_by": known.code, "set_by_name": known.name, "is_table_set": table is not None}
    name, rounds = known.trainees[candidate], chosen.rounds
    return request.model_copy(update={**own, "name": name, "rounds": rounds, "asked": asked})


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
