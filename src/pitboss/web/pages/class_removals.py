"""What a trainer removes from a class, and how a trainee leaves it.

Each button stands in a part of the class's page that says what is lost before it is opened.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, Response
from fastapi.responses import RedirectResponse

from pitboss.web.auth.guests import SEE_OTHER, Guest, PlayingGuest
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.pages.classes import ClassCode, find_class, find_own_class
from pitboss.web.registry import RegistryDep, TableRegistry

router = APIRouter(include_in_schema=False)


@router.post("/training/classes/{group}/remove")
def remove_class(request: Request, group: ClassCode, registry: RegistryDep, guest: PlayingGuest) -> Response:
    """Remove a class; its trainees keep their own training."""
    _begin_removal(request, group, registry, guest)
    registry.training_classes.remove_class(guest.holder, group)
    return RedirectResponse("/training/classes?removed=1", SEE_OTHER)


@router.post("/training/classes/{group}/leave")
def leave_class(request: Request, group: ClassCode, registry: RegistryDep, guest: PlayingGuest) -> Response:
    """Leave a class that one has joined; one's own training stays."""
    find_class(registry, group)
    registry.limits.count_drill(guest.holder, get_client_address(request))
    registry.training_classes.leave_class(guest.holder, group)
    return RedirectResponse(f"/training/classes/{group}", SEE_OTHER)


@router.post("/training/classes/{group}/trainees/{joined}/remove")
def remove_trainee(
    request: Request,
    group: ClassCode,
    joined: Annotated[Digits, Path(ge=0, le=MAX_NUMBER)],
    registry: RegistryDep,
    guest: PlayingGuest,
) -> Response:
    """Remove from a class the trainee who joined with this entry of it."""
    _begin_removal(request, group, registry, guest)
    registry.training_classes.remove_trainee(guest.holder, group, joined)
    return RedirectResponse(f"/training/classes/{group}#trainees", SEE_OTHER)


@router.post("/training/classes/{group}/tables/{game}/remove")
def remove_class_table(
    request: Request,
    group: ClassCode,
    game: Annotated[str, Path(max_length=32)],
    registry: RegistryDep,
    guest: PlayingGuest,
) -> Response:
    """Remove a class's table of a game: its trainees choose their own again."""
    _begin_removal(request, group, registry, guest)
    registry.training_classes.remove_table(guest.holder, group, game)
    return RedirectResponse(f"/training/classes/{group}#tables", SEE_OTHER)


@router.post("/training/classes/{group}/standard/remove")
def remove_class_standard(
    request: Request,
    group: ClassCode,
    registry: RegistryDep,
    guest: PlayingGuest,
    game: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Remove the standard of a game: the class's is then in force, if it has one."""
    _begin_removal(request, group, registry, guest)
    registry.training_classes.remove_standard(guest.holder, group, game)
    return RedirectResponse(f"/training/classes/{group}#standards", SEE_OTHER)


def _begin_removal(request: Request, group: str, registry: TableRegistry, guest: Guest) -> None:
    """Count a removal from a class.

    Raises:
        NotFoundError: the guest is not its trainer.
        RateLimitError: the guest, or the address, has asked for too much.
    """
    find_own_class(registry, group, guest)
    registry.limits.count_drill(guest.holder, get_client_address(request))
