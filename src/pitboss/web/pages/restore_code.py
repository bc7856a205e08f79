"""The restore code, by which a guest goes on in another browser."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import IllegalActionError
from pitboss.web.auth.guests import MAX_CODE, SEE_OTHER, PlayingGuest, ViewingGuest, restore_guest
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.pages.render import render_page
from pitboss.web.registry import RegistryDep

router = APIRouter(include_in_schema=False)

_PAGE = "play/code.html"


@router.get("/play/code")
def show_restore_page(request: Request, guest: ViewingGuest) -> HTMLResponse:
    """Show the forms: one shows the code, one takes one."""
    return render_page(_PAGE, request, guest, code="", problem="")


@router.post("/play/code")
def show_restore_code(request: Request, registry: RegistryDep, guest: PlayingGuest) -> HTMLResponse:
    """Show the guest's restore code, on demand only."""
    return render_page(_PAGE, request, guest, code=registry.tokens.write_code(guest.token), problem="")


@router.post("/play/restore")
def restore_by_code(
    request: Request, guest: PlayingGuest, code: Annotated[str, Form(max_length=MAX_CODE)] = ""
) -> Response:
    """Go on as the guest whose code this is."""
    response = RedirectResponse("/play", SEE_OTHER)
    try:
        restore_guest(request, response, code, get_client_address(request))
    except IllegalActionError as error:
        return render_page(_PAGE, request, guest, 409, code="", problem=str(error))
    return response
