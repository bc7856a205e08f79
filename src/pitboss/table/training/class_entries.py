"""Entries of a class's stream, and the class that they add up to.

A class belongs to the guest who opened it.  Entries are only added: a removal is an entry of its own.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from pitboss.core.errors import UnknownIdError
from pitboss.core.strict_model import StrictModel
from pitboss.ledger.chain import Entry
from pitboss.table.training.drills import DrillRequest, Standard
from pitboss.table.training.exams import MAX_ROUNDS

MAX_CLASS_NAME = 40
"""The most characters of the name of a class, or of a trainee in it."""

Name = Annotated[str, Field(min_length=1, max_length=MAX_CLASS_NAME)]


class ClassEntryKind(StrEnum):
    """The kinds of the entries of a class."""

    OPENED = "opened-class"
    JOINED = "joined-class"
    STANDARD = "class-standard"
    TABLE = "class-table"
    REMOVED_TRAINEE = "class-trainee-removed"
    REMOVED_STANDARD = "class-standard-removed"
    REMOVED_TABLE = "class-table-removed"
    REMOVED = "class-removed"


class ClassEntry(StrictModel):
    """An entry of a class's stream, with the code of the class.

    Where a class was removed, its entry has no more.
    """

    code: str


class ClassOpened(ClassEntry):
    """A class was opened under a name."""

    name: Name


class TraineeJoined(ClassEntry):
    """A trainee joined the class under a name."""

    name: Name


class ClassStandardChosen(ClassEntry):
    """The trainer set the class's standard and an exam's rounds.

    ``game`` is the id of the game that has it, "" for all that have none of their own.
    """

    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    standard: Standard
    game: str = ""


class ClassTableChosen(ClassEntry):
    """The trainer set the table at which the class deals a game.

    ``fields`` are those of the form that asked for it, which shows them again.
    """

    asked: DrillRequest
    fields: dict[str, str]


class TraineeRemoved(ClassEntry):
    """A trainee was removed; ``joined`` is the number of the joining."""

    joined: int


class ClassSettingRemoved(ClassEntry):
    """A table or a standard of the class was removed.

    ``game`` is the id of its game, "" for the class's standard.
    """

    game: str


class TrainingClass(NamedTuple):
    """A class: its code and name, the trainer and each trainee's name.

    ``standards`` has the standard that the trainer set last for each game, by the game's id, and for the other games
    that of the class, as "".  ``tables`` has the table that the trainer set last for each
    game, by the game's id.  ``joined`` has the number of the entry with which each trainee joined, and ``entries`` is
    the number of entries in the class's stream.  ``former`` are those who had joined and are no longer in it.
    """

    code: str
    name: str
    trainer: str
    trainees: dict[str, str]
    standards: dict[str, ClassStandardChosen]
    tables: dict[str, ClassTableChosen]
    joined: dict[str, int]
    entries: int
    former: frozenset[str] = frozenset()

    def find_standard(self, game: str) -> ClassStandardChosen | None:
        """Find the standard of a game: its own, else the class's, else None."""
        return self.standards.get(game) or self.standards.get("")


def read_class(code: str, entries: Sequence[tuple[int, Entry]]) -> TrainingClass:
    """Read a class from its numbered entries.

    Raises:
        UnknownIdError: there is no such class, or it was removed.
    """
    if not entries or any(entry.kind == ClassEntryKind.REMOVED for _, entry in entries):
        raise UnknownIdError("class", code)
    opened = ClassOpened.model_validate_json(entries[0][1].data)
    trainees, joined, everyone = dict[str, str](), dict[str, int](), set[str]()
    tables, standards = dict[str, ClassTableChosen](), dict[str, ClassStandardChosen]()
    for number, entry in entries:
        match entry.kind:
            case ClassEntryKind.JOINED:
                trainees[entry.actor] = TraineeJoined.model_validate_json(entry.data).name
                joined[entry.actor] = number
                everyone.add(entry.actor)
            case ClassEntryKind.REMOVED_TRAINEE:
                place = TraineeRemoved.model_validate_json(entry.data).joined
                for holder in [each for each, own in joined.items() if own == place]:
                    del trainees[holder], joined[holder]
            case ClassEntryKind.STANDARD:
                standard = ClassStandardChosen.model_validate_json(entry.data)
                standards[standard.game] = standard
            case ClassEntryKind.REMOVED_STANDARD:
                standards.pop(ClassSettingRemoved.model_validate_json(entry.data).game, None)
            case ClassEntryKind.TABLE:
                table = ClassTableChosen.model_validate_json(entry.data)
                tables[table.asked.game] = table
            case ClassEntryKind.REMOVED_TABLE:
                tables.pop(ClassSettingRemoved.model_validate_json(entry.data).game, None)
    former = frozenset(everyone - trainees.keys())
    trainer = entries[0][1].actor
    return TrainingClass(opened.code, opened.name, trainer, trainees, standards, tables, joined, len(entries), former)
