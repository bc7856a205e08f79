"""The restore code, by which a guest goes on in another browser."""

from typing import Annotated

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.core.errors import IllegalActionError
from pitboss.web.auth.guests import MAX_CODE, SEE_OTHER, restore_guest
from pitboss.web.pages.page_call import PlayCall, ViewCall

router = APIRouter(include_in_schema=False)

_PAGE = "play/code.html"


@router.get("/play/code")
def show_restore_page(call: ViewCall) -> HTMLResponse:
    """Show the forms: one shows the code, one takes one."""
    return call.render(_PAGE, code="", problem="")


@router.post("/play/code")
def show_restore_code(call: PlayCall) -> HTMLResponse:
    """Show the guest's restore code, on demand only."""
    return call.render(_PAGE, code=call.registry.tokens.write_code(call.guest.token), problem="")


@router.post("/play/restore")
def restore_by_code(call: PlayCall, code: Annotated[str, Form(max_length=MAX_CODE)] = "") -> Response:
    """Go on as the guest whose code this is."""
    response = RedirectResponse("/play", SEE_OTHER)
    try:
        restore_guest(call.request, response, code, call.sender[1])
    except IllegalActionError as error:
        return call.render(_PAGE, code="", problem=str(error))
    return response
