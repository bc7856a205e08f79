"""The results of a class for its trainer: its errors, and its courses as CSV."""

import csv
from io import StringIO

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from pitboss.games import load_games
from pitboss.table.repository import format_time
from pitboss.table.training.class_errors import list_class_errors
from pitboss.table.training.classes import TraineeProgress
from pitboss.table.training.drills import USUAL_STANDARD, Drill, DrillRequest, Standard, TrainingResult
from pitboss.table.training.exams import Exam
from pitboss.web.pages.classes import ClassCode, find_own_class
from pitboss.web.pages.page_call import ViewCall, make_download
from pitboss.web.registry import TableRegistry

router = APIRouter(include_in_schema=False)

COLUMNS = (
    "trainee",
    "kind",
    "game",
    "begun",
    "rounds",
    "questions answered",
    "not answered in time",
    "errors",
    "dollars mispaid",
    "seconds",
    "rounds an hour",
    "standard: rounds an hour",
    "standard: errors",
    "standard: dollars mispaid",
    "standard set by",
    "result",
)
"""The columns of the file; "result" is passed, not passed, unfinished, or finished for disputes alone."""

_MAX_OPEN = 20
"""So many errors are shown unfolded: they can be read at one go."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def make_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> make_cell("Ann"), make_cell("=1+1"), make_cell(" -2")
    ('Ann', "'=1+1", "' -2")
    """
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text


@router.get("/training/classes/{group}/errors")
def show_errors(call: ViewCall, group: ClassCode) -> HTMLResponse:
    """Show each error of a class's trainees to their trainer."""
    known = find_own_class(call, group)
    progress = call.registry.training_classes.list_progress(known)
    themes = list_class_errors(call.registry.training_records, progress)
    return call.render(
        "training/class_errors.html",
        code=known.code,
        title=known.name,
        themes=themes,
        is_short=sum(len(errors) for _, errors in themes) <= _MAX_OPEN,
        games=load_games(),
        format_when=_format_when,
    )


def _format_when(at_ms: int) -> str:
    """Format when an answer was given; earlier versions did not record it."""
    return f"{format_time(at_ms // 1_000)[:16].replace('T', ' ')} UTC" if at_ms else "not recorded"


@router.get("/training/classes/{group}/results.csv")
def download_results(call: ViewCall, group: ClassCode) -> Response:
    """Return the results of a class's trainees to their trainer."""
    progress = call.registry.training_classes.list_progress(find_own_class(call, group))
    return make_download(_write_results(call.registry, progress), "class-results.csv", "text/csv")


def _write_results(registry: TableRegistry, progress: tuple[TraineeProgress, ...]) -> str:
    games = {name: game.name for name, game in load_games().items()}
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for trainee in progress:
        drills = registry.training_records.list_drills(trainee.holder)
        courses = [*filter(None, map(_describe_drill, drills)), *map(_describe_exam, trainee.exams)]
        for begun_ms, kind, game, cells in sorted(courses, key=lambda each: each[0]):
            begun = format_time(begun_ms // 1_000) if begun_ms else ""
            row = (trainee.name, kind, games.get(game, game), begun, *cells)
            writer.writerow([make_cell(str(each)) for each in row])
    return out.getvalue()


def _describe_drill(drill: Drill) -> tuple[int, str, str, tuple[object, ...]] | None:
    """Describe a drill by its first answers; None without an answer.

    Whether a drill of another version of the program was finished is not known: then the result is empty.
    """
    answers = drill.first_answers
    if not answers:
        return None
    is_finished = drill.is_current and len(answers) == len(drill.questions)
    word = _name_result(drill.result, is_finished=is_finished) if drill.is_current else ""
    standard: tuple[object, ...] = ("", "", "", "")
    if drill.is_paced:
        standard = (*_list_standard(drill.request.standard), _name_setter(drill.request))
    elif is_finished:
        word = "finished"
    measured = _list_measures(
        drill.result, 1, len(answers), is_timed=is_finished and bool(drill.begun_ms), is_paid=drill.is_paced
    )
    cells = (*measured, *standard, word)
    return drill.begun_ms, "drill", drill.request.game, cells


def _describe_exam(exam: Exam) -> tuple[int, str, str, tuple[object, ...]]:
    """Describe an exam, finished or running."""
    request = exam.begun.request
    is_finished, is_paid = exam.is_finished, request.asked.disputes != "only"
    if is_finished:
        measured = _list_measures(exam.result, request.rounds, len(exam.answers), is_timed=True, is_paid=is_paid)
        word = _name_result(exam.result, is_finished=True)
    else:  # what went wrong is told once it is over
        measured, word = (request.rounds, len(exam.answers), "", "", "", "", ""), "unfinished"
    cells = (
        *measured,
        *_list_standard(exam.begun.standard, is_paid=is_paid),
        request.set_by_name if request.set_by else "candidate",
        word,
    )
    return exam.begun.begun_ms, "exam", request.asked.game, cells


def _list_measures(
    result: TrainingResult, rounds: int, answered: int, *, is_timed: bool, is_paid: bool
) -> tuple[object, ...]:
    pace = "" if result.rounds_per_hour is None else result.rounds_per_hour
    dollars = _format_amount(result.mispaid_cents) if is_paid else ""
    times = (f"{result.seconds:.1f}", pace) if is_timed else ("", "")
    return rounds, answered, result.unanswered, result.errors, dollars, *times


def _name_setter(request: DrillRequest) -> str:
    """Name who set the standard of a drill, "" where it is not known."""
    return request.standard_set_by or ("usual" if request.standard == USUAL_STANDARD else "")


def _list_standard(standard: Standard, *, is_paid: bool = True) -> tuple[object, ...]:
    most = standard.mispaid_cents if is_paid else None
    return standard.rounds_per_hour, standard.errors, "" if most is None else _format_amount(most)


def _name_result(result: TrainingResult, *, is_finished: bool) -> str:
    if not is_finished:
        return "unfinished"
    return "passed" if result.has_passed else "not passed"


def _format_amount(cents: int) -> str:
    """Format cents as dollars that a spreadsheet reads as a number."""
    return f"{cents // 100}.{cents % 100:02d}"
