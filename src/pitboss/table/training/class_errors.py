"""The errors of a class, derived from the trainees' records."""

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.table.training.classes import ThemeErrors, TraineeProgress, list_theme_errors
from pitboss.table.training.drills import Drill
from pitboss.table.training.exams import Exam
from pitboss.table.training.grading import TraineeAnswer
from pitboss.table.training.records import TraineeRecords

MOST_SHOWN = 30
"""The most errors of a theme that are listed, the newest first."""


class TraineeError(NamedTuple):
    """A wrong first answer, and whose it is.

    ``exam`` is the name of its exam, "" in a drill.
    """

    trainee: str
    answer: TraineeAnswer
    exam: str = ""


class ThemeList(NamedTuple):
    """A theme of a class, and its errors.

    The newest come first, and there are at most ``MOST_SHOWN``.
    """

    theme: ThemeErrors
    errors: tuple[TraineeError, ...]


def list_class_errors(records: TraineeRecords, progress: tuple[TraineeProgress, ...]) -> tuple[ThemeList, ...]:
    """List the errors of a class by theme, the theme with the most errors first.

    They are those that its report counts: an exam's are listed once it is finished.
    """
    errors = [
        error
        for trainee in progress
        for error in _iter_errors(trainee.name, records.list_drills(trainee.holder), trainee.exams)
    ]
    newest_first = sorted(errors, key=lambda each: -each.answer.at_ms)
    return tuple(
        ThemeList(theme, tuple(each for each in newest_first if _has_theme(each, theme))[:MOST_SHOWN])
        for theme in list_theme_errors(progress)
    )


def _iter_errors(name: str, drills: tuple[Drill, ...], exams: tuple[Exam, ...]) -> Iterator[TraineeError]:
    for drill in drills:
        yield from (TraineeError(name, each) for each in drill.first_answers if not each.right)
    for exam in exams:
        if exam.is_finished:
            yield from (TraineeError(name, each, exam.name) for each in exam.answers if not each.right)


def _has_theme(error: TraineeError, theme: ThemeErrors) -> bool:
    return (error.answer.game, error.answer.case) == (theme.game, theme.case)
