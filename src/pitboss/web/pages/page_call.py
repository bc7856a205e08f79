"""A guest's call of a page: who sends it, and the page that answers it."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.core.errors import PitbossError
from pitboss.web.auth.guests import (
    PREFERENCES,
    SEE_OTHER,
    Guest,
    PlayingGuest,
    ViewingGuest,
    admit_guest,
    set_guest_cookie,
)
from pitboss.web.errors import RateLimitError
from pitboss.web.jackpot_context import get_client_address, get_client_network
from pitboss.web.jobs.queue import RETRY_SECONDS, JobClient, JobPriority
from pitboss.web.jobs.requests import wait_for_payload
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import JobProgress, unpickle_object
from pitboss.web.problems import log_refusal
from pitboss.web.registry import RegistryDep, TableRegistry
from pitboss.web.templating import list_page_links, render_template, write_sentence

PAUSE_SECONDS = 0.5
"""How long a part of a page rests before it asks on; its request then waits as well (``requests.WAIT_SECONDS``)."""

_REFUSALS = ("problem", "error", "refusal")


class PageCall(NamedTuple):
    """A request of a guest, with the tables and the jobs of this server."""

    request: Request
    registry: TableRegistry
    guest: Guest

    @property
    def sender(self) -> tuple[str, str]:
        """The guest and the address, as the rate limits count them."""
        return self.guest.holder, get_client_address(self.request)

    @property
    def client(self) -> JobClient:
        """The client that submits the jobs of this request: its guest and network.

        Clients of a network that have no cookie yet count as one guest: each of their requests has another name.
        """
        network = get_client_network(self.request)
        return JobClient(f"new at {network}" if self.guest.is_new else self.guest.holder, network)

    async def wait_for_result(
        self, job: JobSpec, priority: JobPriority, *, replace: bool = False, seconds: float | None = None
    ) -> Any:
        """Submit a job and return its result, None if the page should ask again.

        It waits for ``seconds``, and raises, as ``requests.wait_for_payload`` of a client that is not patient.
        """
        payload = await self.wait_for_payload(job, priority, is_patient=False, replace=replace, seconds=seconds)
        return unpickle_object(payload) if payload else None

    async def wait_for_payload(
        self,
        job: JobSpec,
        priority: JobPriority,
        *,
        is_patient: bool = True,
        replace: bool = False,
        seconds: float | None = None,
    ) -> bytes:
        """Submit a job and return its pickled result, as ``requests.wait_for_payload``."""
        own = self.request, self.registry.jobs, self.client
        return await wait_for_payload(*own, job, priority, is_patient=is_patient, replace=replace, seconds=seconds)

    def get_progress(self, job: JobSpec) -> JobProgress:
        """Return the progress of a job, (0, 0) until it reports one."""
        return self.registry.jobs.get_progress(job) or JobProgress(0, 0)

    def render(self, template: str, status: int | None = None, **context: Any) -> HTMLResponse:
        """Render a page for the guest and set the guest's cookie.

        By default a page with a ``problem`` has the status 409, and a form with an ``error`` 422.  Both are logged.
        """
        if status is None:
            status = 409 if context.get("problem") else 422 if context.get("error") else 200
        guest, request = admit_guest(self.guest, self.request), self.request
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
            {"Referrer-Policy": "same-origin"},  # without a referrer, a browser does not say which site a form is from
        )
        set_guest_cookie(guest, request, response)
        return response

    async def render_in_thread(self, template: str, status: int | None = None, **context: Any) -> HTMLResponse:
        """Render a page in a thread, where it takes too long for the event loop."""
        return await run_in_threadpool(self.render, template, status, **context)

    def render_pending(self, template: str, problem: str = "", **context: Any) -> HTMLResponse:
        """Render a part that reloads itself later.

        Its count is not finished, or was not accepted (``problem``).
        """
        counting = {"line": problem, "seconds": RETRY_SECONDS if problem else PAUSE_SECONDS}
        response = self.render(template, 429 if problem else 202, problem=problem, counting=counting, **context)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response

    def show_again(self, address: str) -> Response:
        """Answer a form that changed how a page looks: the page is shown again.

        htmx reloads it, which adds nothing to the browser's history; without scripts the browser follows to
        ``address``.
        """
        if "hx-request" in self.request.headers:
            return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Refresh": "true"})
        return RedirectResponse(address, SEE_OTHER)


class JobState(NamedTuple):
    """What became of a page's job: a problem, that it goes on, or its content.

    It has none of them if nothing was asked for.
    """

    problem: str = ""
    is_pending: bool = False
    content: Any = None


async def watch_job(content: Awaitable[Any]) -> JobState:
    """Say what became of a job by its content, which is None while it goes on."""
    try:
        found = await content
    except RateLimitError as error:
        return JobState(str(error), is_pending=True)
    except PitbossError as error:
        return JobState(str(error))
    return JobState(is_pending=found is None, content=found)


# Coroutines, as the guards are, because FastAPI runs any other dependency on a thread.


async def view_page(request: Request, registry: RegistryDep, guest: ViewingGuest) -> PageCall:
    """Return the call of a page that anybody may view."""
    return PageCall(request, registry, guest)


async def play_on_page(request: Request, registry: RegistryDep, guest: PlayingGuest) -> PageCall:
    """Return the call of a command that any guest may send from a page."""
    return PageCall(request, registry, guest)


async def read_form_fields(request: Request) -> dict[str, str]:
    """Return the form's fields, except its tokens."""
    return {name: str(text) for name, text in (await request.form()).items() if name not in ("csrf", "key")}


def make_download(content: str | bytes, name: str, media_type: str) -> Response:
    """Make the answer that a browser saves as a file of this name."""
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


ViewCall = Annotated[PageCall, Depends(view_page)]
PlayCall = Annotated[PageCall, Depends(play_on_page)]
SentFields = Annotated[dict[str, str], Depends(read_form_fields)]
