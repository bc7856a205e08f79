"""Classes: who may join, what the trainer sees, and that it is the trainer's alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.core.errors import IllegalActionError, PitbossError, UnknownIdError
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.training import classes
from pitboss.table.training.chips import break_down
from pitboss.table.training.classes import TrainingClasses, list_theme_errors
from pitboss.table.training.dealer_question import ChipAction
from pitboss.table.training.drills import DrillRequest, Standard
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
        trainees.record_answer(holder, name, len(drill.answers), said, task.cents)
        drill = trainees.get_drill(holder, name)


def examined(trainees: TraineeRecords, holder: str) -> str:
    """Take an exam without an error."""
    name = trainees.begin_exam(holder, ExamRequest(name=holder, rounds=1, asked=DRILL))
    exam = trainees.get_exam(holder, name)
    while not exam.is_finished:
        task = exam.position[2]
        cut = " ".join(f"{count}x{dollars}" for count, dollars in break_down(task.cents))
        trainees.record_answer(holder, name, len(exam.answers), task.answer, task.cents, cut)
        exam = trainees.get_exam(holder, name)
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
    assert trainees.get_certificate(exam).result.errors == 0
    for name in (running, "0" * 16):
        with pytest.raises(UnknownIdError):
            trainees.get_certificate(name)


def test_the_last_table_that_the_trainer_sets_for_a_game_is_the_class_s(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "Swing shift")
    assert known.get_class(code).tables == {}
    strict = DRILL.model_copy(update={"terms": TableTerms(game="six-card", options={"dealer_qualifies": "always"})})
    other = DrillRequest(terms=TableTerms(game="lunar"), rare="some", seed=7, planted="force", stacked=True)
    for asked in (DRILL, other, strict):
        known.set_table("tess", code, asked, {"seats": str(asked.terms.seats)})
    set_last = known.get_class(code).tables
    assert {game: each.asked for game, each in set_last.items()} == {"six-card": strict, "lunar": other.without_deal()}
    assert set_last["six-card"].fields == {"seats": str(strict.terms.seats)}
    before = known.get_class(code)
    with pytest.raises(UnknownIdError):
        known.set_table("ann", code, DRILL, {})
    unknown = DrillRequest(terms=TableTerms(game="six-card", options={"envy": "sometimes"}))
    with pytest.raises(PitbossError):
        known.set_table("tess", code, unknown, {})
    assert known.get_class(code) == before


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


def test_a_candidate_in_a_class_is_examined_by_its_standard_alone(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    free, first, second = (known.open_class("tess", name) for name in ("Free", "One", "Two"))
    strict = Standard(rounds_per_hour=60, errors=0, mispaid_cents=0)
    known.set_standard("tess", first, 9, Standard(errors=9))
    known.set_standard("tess", first, 4, strict)  # the latest is in force
    known.set_standard("tess", second, 2, Standard(errors=1))
    own = ExamRequest(name="Ann", rounds=1, asked=DRILL)
    for code, name in ((free, "Ann"), (first, "Ann")):
        assert known.apply_standard("ann", own.model_copy(update={"set_by": first})) == own
        known.join_class("ann", code, name)
    examined = known.apply_standard("ann", own)
    assert (examined.rounds, examined.asked.standard) == (4, strict)
    assert (examined.set_by, examined.set_by_name, examined.is_table_set) == (first, "One", False)
    other = DRILL.model_copy(update={"rare": "every"})
    known.set_table("tess", first, other, {})
    there = known.apply_standard("ann", own.model_copy(update={"name": "Somebody else"}))
    assert there.asked == other.model_copy(update={"standard": strict})
    assert (there.name, there.is_table_set) == ("Ann", True)
    known.join_class("ann", second, "Ann")
    assert known.apply_standard("ann", own.model_copy(update={"set_by": second})).set_by_name == "Two"
    assert known.apply_standard("ann", own.model_copy(update={"set_by": "nobody"})).set_by_name == "One"
    assert known.get_class(first).trainees == {"ann": "Ann"}
    with pytest.raises(UnknownIdError):
        known.set_standard("ann", first, 1, strict)


def test_a_removed_trainee_keeps_the_record_and_can_join_again(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "Swing shift")
    for holder, name in (("ann", "Ann"), ("bob", "Bob")):
        known.join_class(holder, code, name)
    practised(trainees, "ann", wrong=1)
    learned = trainees.list_case_records("ann")
    first = known.get_class(code).joined["ann"]
    with pytest.raises(UnknownIdError):
        known.remove_trainee("bob", code, first)
    known.remove_trainee("tess", code, first)
    assert known.get_class(code).trainees == {"bob": "Bob"}
    assert known.list_classes("ann") == ((), ())
    assert trainees.list_case_records("ann") == learned
    known.join_class("ann", code, "Ann again")
    again = known.get_class(code)
    known.remove_trainee("tess", code, first)  # an outdated page, of the membership before
    assert known.get_class(code) == again
    assert [each.code for each in known.list_classes("ann")[1]] == [code]


def test_a_removed_table_gives_way_to_the_candidate_s_own(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "Swing shift")
    known.set_standard("tess", code, 2, Standard())
    known.join_class("ann", code, "Ann")
    known.set_table("tess", code, DRILL.model_copy(update={"rare": "every"}), {})
    with pytest.raises(UnknownIdError):
        known.remove_table("ann", code, "six-card")
    known.remove_table("tess", code, "six-card")
    removed = known.get_class(code)
    assert removed.tables == {}
    known.remove_table("tess", code, "six-card")
    assert known.get_class(code) == removed
    asked = known.apply_standard("ann", ExamRequest(name="Ann", rounds=1, asked=DRILL))
    assert (asked.asked.rare, asked.is_table_set, asked.set_by) == ("", False, code)


def test_a_removed_class_is_found_by_nobody_and_makes_room(
    trainees: TraineeRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = TrainingClasses(trainees)
    monkeypatch.setattr(classes, "MAX_CLASSES", 1)
    code = known.open_class("tess", "One")
    known.set_standard("tess", code, 2, Standard())
    known.join_class("ann", code, "Ann")
    with pytest.raises(UnknownIdError):
        known.remove_class("ann", code)
    known.remove_class("tess", code)
    for act in (lambda: known.get_class(code), lambda: known.remove_class("tess", code)):
        with pytest.raises(UnknownIdError):
            act()
    with pytest.raises(UnknownIdError):
        known.join_class("bob", code, "Bob")
    assert (known.list_classes("tess"), known.list_classes("ann")) == (((), ()), ((), ()))
    own = ExamRequest(name="Ann", rounds=1, asked=DRILL)
    assert known.apply_standard("ann", own) == own
    assert known.open_class("tess", "Two") != code


def test_a_game_has_its_own_standard_or_that_of_the_class(trainees: TraineeRecords) -> None:
    known = TrainingClasses(trainees)
    code = known.open_class("tess", "Swing shift")
    known.join_class("ann", code, "Ann")
    lunar = ExamRequest(name="Ann", rounds=1, asked=DrillRequest(terms=TableTerms(game="lunar")))
    six_card = ExamRequest(name="Ann", rounds=1, asked=DRILL)
    known.set_standard("tess", code, 4, Standard(errors=1), "lunar")
    assert known.apply_standard("ann", six_card) == six_card  # no standard for this game
    known.set_standard("tess", code, 2, Standard(errors=7))
    found = [known.apply_standard("ann", each) for each in (six_card, lunar)]
    assert [(each.rounds, each.asked.standard.errors, each.set_by) for each in found] == [(2, 7, code), (4, 1, code)]
    with pytest.raises(UnknownIdError):
        known.remove_standard("ann", code, "lunar")
    known.remove_standard("tess", code, "lunar")
    assert known.apply_standard("ann", lunar).asked.standard.errors == 7
    removed = known.get_class(code)
    known.remove_standard("tess", code, "lunar")
    assert known.get_class(code) == removed
    known.remove_standard("tess", code, "")
    assert known.apply_standard("ann", lunar) == lunar
