"""A page for a guest: the same head, looks and links on each, and the cookie by which the guest is known."""

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from pitboss.web.guests import LOOKS, Guest, let_in, remember
from pitboss.web.jobs import RETRY_SECONDS
from pitboss.web.problems import log_refusal
from pitboss.web.templating import rendered

PAGES = (("/", "Tables"), ("/par", "PAR sheets"), ("/training", "Dealer training"))
PROGRESSIVE_PAGE = ("/progressive", "Progressive")


def page(template: str, request: Request, guest: Guest, status: int = 200, **context: Any) -> HTMLResponse:
    """Return a page for a guest, who is known by a cookie from then on; one that says why not is logged."""
    guest = let_in(guest, request)
    if status >= 400:
        log_refusal(request, status, str(context.get("problem") or context.get("fault")))
    answer = HTMLResponse(
        rendered(
            template,
            {
                "guest": guest,
                "look": guest.look,
                "looks": LOOKS,
                "pages": (*PAGES, PROGRESSIVE_PAGE) if request.app.state.house else PAGES,
                "here": request.url.path,
                **context,
            },
        ),
        status,
        {"Referrer-Policy": "same-origin"},  # with none, a browser does not say which site a form came from
    )
    remember(guest, request, answer)
    return answer


def still_counting(template: str, request: Request, guest: Guest, problem: str = "", **context: Any) -> HTMLResponse:
    """Return a part that asks for itself again in a while: its count is not done, or for a ``problem`` not taken on."""
    counting = {"line": problem, "seconds": RETRY_SECONDS}
    answer = page(template, request, guest, 429 if problem else 202, problem=problem, counting=counting, **context)
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer
