"""What a trainer removes from a class, and how a trainee leaves it.

Each button stands in a part of the class's page that says what is lost before it is opened.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Response
from fastapi.responses import RedirectResponse

from pitboss.web.auth.guests import SEE_OTHER
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.pages.classes import ClassCode, find_class, find_own_class
from pitboss.web.pages.page_call import PageCall, PlayCall
from pitboss.web.pages.table_setup import GameName

router = APIRouter(include_in_schema=False)


@router.post("/training/classes/{group}/remove")
def remove_class(call: PlayCall, group: ClassCode) -> Response:
    """Remove a class; its trainees keep their own training."""
    _begin_removal(call, group)
    call.registry.training_classes.remove_class(call.guest.holder, group)
    return RedirectResponse("/training/classes?removed=1", SEE_OTHER)


@router.post("/training/classes/{group}/leave")
def leave_class(call: PlayCall, group: ClassCode) -> Response:
    """Leave a class that one has joined; one's own training stays."""
    find_class(call.registry, group)
    call.registry.limits.count_recorded("drills", *call.sender)
    call.registry.training_classes.leave_class(call.guest.holder, group)
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/trainees/{joined}/remove")
def remove_trainee(call: PlayCall, group: ClassCode, joined: Annotated[Digits, Path(ge=0, le=MAX_NUMBER)]) -> Response:
    """Remove from a class the trainee who joined with this entry of it."""
    _begin_removal(call, group)
    call.registry.training_classes.remove_trainee(call.guest.holder, group, joined)
    return RedirectResponse(f"/training/classes/{group}#trainees", SEE_OTHER)


@router.post("/training/classes/{group}/tables/{game}/remove")
def remove_class_table(call: PlayCall, group: ClassCode, game: GameName) -> Response:
    """Remove a class's table of a game: its trainees choose their own again."""
    _begin_removal(call, group)
    call.registry.training_classes.remove_table(call.guest.holder, group, game)
    return RedirectResponse(f"/training/classes/{group}#tables", SEE_OTHER)


@router.post("/training/classes/{group}/standard/remove")
def remove_class_standard(call: PlayCall, group: ClassCode, game: Annotated[str, Form(max_length=32)] = "") -> Response:
    """Remove the standard of a game: the class's is then in force, if it has one."""
    _begin_removal(call, group)
    call.registry.training_classes.remove_standard(call.guest.holder, group, game)
    return RedirectResponse(f"/training/classes/{group}#standards", SEE_OTHER)


def _begin_removal(call: PageCall, group: str) -> None:
    """Count a removal from a class.

    Raises:
        NotFoundError: the guest is not its trainer.
        RateLimitError: the guest, or the address, has asked for too much.
    """
    find_own_class(call, group)
    call.registry.limits.count_recorded("drills", *call.sender)
