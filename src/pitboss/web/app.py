"""The application: the routes of every part, behind the admission middleware.

Each route names its permission.  The application does not start with a route that names no permission, so no route is
open by oversight.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Scope

from pitboss.core.version import __version__
from pitboss.web.api import admin, days, health, reports, rounds, screens
from pitboss.web.api.openapi import API_DESCRIPTION, OPENAPI_TAGS, build_openapi, openapi_router
from pitboss.web.auth import sessions
from pitboss.web.auth.guests import PlayGuard, ViewGuard, admit_form
from pitboss.web.auth.sessions import PublicGuard, StaffGuard
from pitboss.web.forms import CredentialsForm, InvitationForm, ReauthForm
from pitboss.web.jackpot_context import JackpotContext, get_client_address
from pitboss.web.pages import (
    assets,
    charts,
    class_removals,
    class_results,
    classes,
    coach,
    console_admin,
    design,
    exams,
    gaming_days,
    guide,
    linked_tables,
    lobby,
    monitoring,
    my_play,
    option_effects,
    par_sheets,
    pays,
    preferences,
    progressive,
    protection,
    puzzles,
    receipts,
    replay,
    restore_code,
    round_check,
    round_values,
    rules,
    study,
    table_setup,
    tables,
    training,
    what_if,
    words,
)
from pitboss.web.problems import install_error_handlers
from pitboss.web.rate_limits import RateLimits
from pitboss.web.registry import TableRegistry
from pitboss.web.server.measuring import MeasuringMiddleware, RequestMeasurements
from pitboss.web.server.middleware import AdmissionMiddleware
from pitboss.web.server.request_queue import (
    LOG_IN,
    MAX_CONCURRENT,
    MAX_CONCURRENT_PER_ADDRESS,
    PROOF,
    REQUESTS_PER_TURN,
    PasswordQueues,
    RequestQueue,
)
from pitboss.web.server.stream_slots import StreamSlots

PROGRESSIVE_ROUTERS = (
    reports.display_router,
    screens.screens_router,
    sessions.router,
    rounds.router,
    admin.changes_router,
    admin.staff_router,
    reports.reports_router,
    days.days_router,
    openapi_router,
)
"""The routers of the progressive's API, used if a progressive is served."""

TABLE_ROUTERS = (
    lobby.router,
    tables.router,
    coach.router,
    preferences.router,
    guide.router,
    rules.router,
    pays.router,
    words.router,
    table_setup.router,
    replay.router,
    round_values.router,
    what_if.router,
    receipts.router,
    round_check.router,
    par_sheets.router,
    option_effects.router,
    charts.router,
    study.router,
    my_play.router,
    restore_code.router,
    puzzles.router,
    protection.router,
    design.router,
    monitoring.router,
    classes.router,
    class_removals.router,
    class_results.router,
    training.router,
    exams.router,
    assets.router,
)
"""The routers of the tables and of the common pages, used if tables are served."""

CONSOLE_ROUTERS = (progressive.router, console_admin.router, gaming_days.router, linked_tables.router)
"""The routers of the progressive's pages, used if both are served."""


class Application(FastAPI):
    """A FastAPI application behind the admission middleware.

    Its OpenAPI document lists the refusals of the middleware.
    """

    def build_middleware_stack(self) -> ASGIApp:
        """Wrap everything in the admission middleware.

        This includes the framework's own answer to a failure.
        """
        passwords = PasswordQueues({kind: _match_routes(self.routes, kind) for kind in (LOG_IN, PROOF)})
        admission = AdmissionMiddleware(super().build_middleware_stack(), self._admit, self.state.queue, passwords)
        return MeasuringMiddleware(admission, self.state.measurements)

    def _admit(self, request: Request) -> None:
        """Admit a request by its head.

        For the form of a page, this also raises what ``admit_form`` raises.

        Raises:
            RateLimitError: the client's address has sent too many requests.
        """
        limits: RateLimits = self.state.limits
        limits.count_arrival(get_client_address(request))
        if self.state.registry and request.method == "POST" and not request.url.path.startswith("/api/"):
            admit_form(request)

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        self.openapi_schema = self.openapi_schema or build_openapi(self)
        return self.openapi_schema


def create_app(
    jackpot: JackpotContext | None = None,
    registry: TableRegistry | None = None,
    *,
    behind_proxy: bool = False,
    slots: StreamSlots | None = None,
    metrics_token: str = "",
    screen_tokens: Mapping[str, str] | None = None,
) -> FastAPI:
    """Make the application that serves a progressive, tables, or both.

    With ``behind_proxy``, no client counts as local to this machine.  ``slots`` limits the event streams.
    ``metrics_token`` reads the metrics, in addition to staff; "" for none.
    ``screen_tokens`` are the tokens of other makers' screens by their names.
    """
    parts = (
        (health.health_router,)
        + (PROGRESSIVE_ROUTERS if jackpot else ())
        + (TABLE_ROUTERS if registry else ())
        + (CONSOLE_ROUTERS if jackpot and registry else ())
    )
    app = Application(
        title="pitboss jackpot",
        version=__version__,
        description=API_DESCRIPTION,
        openapi_tags=OPENAPI_TAGS,
        openapi_url=None,  # ``openapi_router`` serves it with a permission; no page loads from other sites
        redirect_slashes=False,  # it would redirect to any Host that the request names
        routes=[route for part in parts for route in part.routes],
    )
    for route in app.routes:
        find_permission(route)
        if isinstance(route, APIRoute) and not route.include_in_schema and not route.path.endswith("/events"):
            route.methods = {*(route.methods or ()), *(("HEAD",) if route.methods == {"GET"} else ())}
    app.state.jackpot, app.state.registry, app.state.behind_proxy = jackpot, registry, behind_proxy
    app.state.slots = StreamSlots() if slots is None else slots
    app.state.screens = dict(screen_tokens or {})
    app.state.measurements, app.state.metrics_token = RequestMeasurements(), metrics_token
    limits = registry.limits if registry else jackpot.limits if jackpot else RateLimits()
    extra = max(0, limits.per_address // REQUESTS_PER_TURN - MAX_CONCURRENT_PER_ADDRESS)
    app.state.limits, app.state.queue = limits, RequestQueue(MAX_CONCURRENT + extra, MAX_CONCURRENT_PER_ADDRESS + extra)
    install_error_handlers(app)
    return app


def find_password_kind(route: BaseRoute) -> str:
    """Return how a route checks a password: as a log-in, as a proof, or not ("")."""
    parameters = inspect.signature(route.endpoint).parameters.values() if isinstance(route, APIRoute) else ()
    forms = tuple(each.annotation for each in parameters if isinstance(each.annotation, type))
    if any(issubclass(form, CredentialsForm | InvitationForm) for form in forms):
        return LOG_IN
    return PROOF if any(issubclass(form, ReauthForm) for form in forms) else ""


def _match_routes(routes: Sequence[BaseRoute], kind: str) -> Callable[[Scope], bool]:
    """Return whether a request is for a route that checks passwords in this way."""
    chosen = tuple(route for route in routes if find_password_kind(route) == kind)
    return lambda scope: any(route.matches(scope)[0] is Match.FULL for route in chosen)


def find_permission(route: BaseRoute) -> str:
    """Return the permission that a route requires, as ``roles`` names it.

    Raises:
        ValueError: the route depends on no guard.
    """
    calls = _iter_dependency_calls(route.dependant) if isinstance(route, APIRoute) else ()
    for call in calls:
        if isinstance(call, StaffGuard | PublicGuard | PlayGuard | ViewGuard):
            return call.permission
    raise ValueError(f"{route} names no permission: give it a StaffGuard or a PublicGuard")


def _iter_dependency_calls(dependant: Dependant) -> Iterator[object]:
    """Yield every callable that a route depends on, directly or indirectly."""
    for dependency in dependant.dependencies:
        yield dependency.call
        yield from _iter_dependency_calls(dependency)
