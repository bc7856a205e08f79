"""Page rendering: the common head, preferences and links, and the guest's cookie."""

from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.web.auth.guests import PREFERENCES, SEE_OTHER, Guest, admit_guest, set_guest_cookie
from pitboss.web.jobs.queue import RETRY_SECONDS
from pitboss.web.problems import log_refusal
from pitboss.web.templating import list_page_links, render_template, write_sentence

_REFUSALS = ("problem", "error", "refusal")


def render_page(template: str, request: Request, guest: Guest, status: int = 200, **context: Any) -> HTMLResponse:
    """Render a page for a guest and set the guest's cookie.

    A page that reports an error is logged.
    """
    guest = admit_guest(guest, request)
    refusals = {name: write_sentence(context[name]) for name in _REFUSALS if isinstance(context.get(name), str)}
    if status >= 400:
        log_refusal(request, status, str(context.get("problem") or context.get("error")))
    response = HTMLResponse(
        render_template(
            template,
            {
                "guest": guest,
                "look": guest.preferences,
                "looks": PREFERENCES,
                "pages": list_page_links(tables=True, progressive=bool(request.app.state.jackpot)),
                "staffed": request.app.state.jackpot is not None,
                "here": request.url.path,
                "site": str(request.base_url).rstrip("/"),
                **context,
                **refusals,
            },
        ),
        status,
        {"Referrer-Policy": "same-origin"},  # without a referrer, a browser does not say which site a form came from
    )
    set_guest_cookie(guest, request, response)
    return response


def render_pending(template: str, request: Request, guest: Guest, problem: str = "", **context: Any) -> HTMLResponse:
    """Render a part that reloads itself later.

    Its count is not finished, or was not accepted (``problem``).
    """
    counting = {"line": problem, "seconds": RETRY_SECONDS}
    response = render_page(
        template, request, guest, 429 if problem else 202, problem=problem, counting=counting, **context
    )
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def show_again(request: Request, address: str) -> Response:
    """Answer a form that changed how a page looks: the page is shown again.

    htmx reloads it, which adds nothing to the browser's history; without scripts the browser follows to ``address``.
    """
    if "hx-request" in request.headers:
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Refresh": "true"})
    return RedirectResponse(address, SEE_OTHER)
