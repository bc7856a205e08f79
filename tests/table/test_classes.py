"""Classes: who may join, what the trainer sees, and that it is the trainer's alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.core.errors import IllegalActionError, UnknownIdError
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.training import classes
from pitboss.table.training.classes import TrainingClasses, list_theme_errors
from pitboss.table.training.dealer_question import ChipAction
from pitboss.table.training.drills import DrillRequest
from pitboss.table.training.exams import ExamRequest
from pitboss.table.training.records import TraineeRecords
from refusals import refusal

DRILL = DrillRequest(terms=TableTerms(game="six-card", seats=1))


@pytest.fixture
def trainees(tmp_path: Path) -> Iterator[TraineeRecords]:
    """The records of a house."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    yield TraineeRecords(tables.store)
    tables.close()


def practised(trainees: TraineeRecords, holder: str, *, wrong: int) -> None:
    """Answer a drill to its end, the first ``wrong`` questions first wrongly."""
    name = trainees.begin_drill(holder, DRILL)
    drill = trainees.get_drill(holder, name)
    while drill.remaining:
        task, said = drill.remaining[0], drill.remaining[0].answer
        if len(drill.answers) < wrong:
            said = next((each for each in task.choices if each != said), ChipAction.PAY)
        drill = trainees.record_answer(holder, name, len(drill.answers), said, task.cents)


def examined(trainees: TraineeRecords, holder: str) -> str:
    """Take an exam without an error."""
    name = trainees.begin_exam(holder, ExamRequest(name=holder, rounds=1, asked=DRILL))
    exam = trainees.get_exam(holder, name)
    while not exam.is_finished:
        task = exam.position[2]
        exam = trainees.record_exam_answer(holder, name, len(exam.answers), task.answer, task.cents)
    return name


def test_a_trainer_sees_progress_errors_by_theme_and_exams_of_those_who_joined(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "Swing shift")
    for holder, name in (("ann", "Ann"), ("bob", "Bob")):
        known.join_class(holder, code, name)
    practised(trainees, "ann", wrong=1)
    practised(trainees, "cy", wrong=2)  # who has not joined
    exam = examined(trainees, "bob")
    running = trainees.begin_exam("ann", ExamRequest(name="Ann", rounds=1, asked=DRILL))
    shown = known.get_class(code)
    assert (shown.name, shown.trainer, shown.trainees) == ("Swing shift", "tess", {"ann": "Ann", "bob": "Bob"})
    ann, bob = known.list_progress(shown)
    assert (ann.name, ann.asked_count - ann.right_count) == ("Ann", 1)
    assert (bob.name, bob.right_count, [each.name for each in bob.exams]) == ("Bob", bob.asked_count, [exam])
    (theme,) = list_theme_errors((ann, bob))
    assert (theme.wrong, theme.trainees) == (1, 1)
    assert known.get_exam("tess", shown, exam).result.errors == 0
    for trainer, name in (("ann", exam), ("tess", running), ("tess", "0" * 16)):
        with pytest.raises(UnknownIdError):
            known.get_exam(trainer, shown, name)


def test_classes_are_listed_to_their_trainer_and_to_those_who_joined(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    first, second = known.open_class("tess", "One"), known.open_class("tess", "Two")
    known.join_class("ann", second, "Ann")
    known.join_class("ann", second, "Somebody else")  # once: the name stays
    assert first != second
    opened, joined = known.list_classes("tess")
    assert ([each.code for each in opened], joined) == ([first, second], ())
    opened, joined = known.list_classes("ann")
    assert (opened, [each.trainees for each in joined]) == ((), [{"ann": "Ann"}])
    assert trainees.list_case_records("ann") == ()


def test_a_code_that_is_nobodys_a_full_class_and_ones_own_are_refused(
    trainees: TraineeRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "One")
    with pytest.raises(UnknownIdError):
        known.join_class("ann", "aaaaaaaaaa", "Ann")
    with pytest.raises(IllegalActionError, check=refusal("own-class")):
        known.join_class("tess", code, "Tess")
    monkeypatch.setattr(classes, "MAX_TRAINEES", 1)
    known.join_class("ann", code, "Ann")
    with pytest.raises(IllegalActionError, check=refusal("class-full")):
        known.join_class("bob", code, "Bob")
    monkeypatch.setattr(classes, "MAX_CLASSES", 1)
    with pytest.raises(IllegalActionError, check=refusal("too-many-classes")):
        known.open_class("tess", "Two")
    assert known.get_class(code).trainees == {"ann": "Ann"}


def test_a_house_whose_first_entries_are_of_a_class_can_be_started_again(tmp_path: Path) -> None:
    url, key = f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key"
    tables = TableService.connect(url, key)
    code = TrainingClasses(TraineeRecords(tables.store)).open_class("tess", "One")
    tables.close()
    tables = TableService.connect(url, key)
    assert TrainingClasses(TraineeRecords(tables.store)).get_class(code).trainer == "tess"
    tables.close()
