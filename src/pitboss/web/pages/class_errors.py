"""The page of a class's errors, by theme, for its trainer."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pitboss.games import load_games
from pitboss.table.repository import format_time
from pitboss.table.training.class_errors import list_class_errors
from pitboss.web.pages.classes import ClassCode, find_own_class
from pitboss.web.pages.page_call import ViewCall

router = APIRouter(include_in_schema=False)

_MAX_OPEN = 20
"""So many errors are shown unfolded: they can be read at one go."""


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
