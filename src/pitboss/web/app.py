"""The application: every part's routes, each with the act that it is, inside the headers and problems of the whole.

A route that names no act keeps the application from
starting: what nobody thought about is open to nobody.
"""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from pitboss.core.version import __version__
from pitboss.web import (
    assets,
    books,
    consoles,
    linked,
    looks,
    office,
    opening,
    past,
    receipts,
    rounds,
    rules,
    sessions,
    sheets,
    tables,
    training,
)
from pitboss.web.description import DESCRIPTION, TAGS, described, description_of
from pitboss.web.floor import Floor
from pitboss.web.gate import Gate
from pitboss.web.guests import Look, Play, admit_command
from pitboss.web.house import House, address_of
from pitboss.web.limits import Limits
from pitboss.web.places import Places
from pitboss.web.problems import install
from pitboss.web.sessions import Guard, Open
from pitboss.web.turns import AT_ONCE, AT_ONCE_OF_ADDRESS, REQUESTS_A_TURN, Turns

PROGRESSIVE = (
    books.display,
    sessions.router,
    rounds.router,
    office.changes,
    office.staff,
    books.books,
    described,
)
"""The routers of a progressive, where there is one: its API."""

FLOOR = (
    tables.router,
    looks.router,
    rules.router,
    opening.router,
    past.router,
    receipts.router,
    sheets.router,
    training.router,
    assets.router,
)
"""The routers of the tables and of all pages, where there are any."""

CONSOLES = (consoles.router, linked.router)
"""The routers of a progressive's pages, where there are both."""


class Application(FastAPI):
    """FastAPI, described with its refusals, inside the gate."""

    def build_middleware_stack(self) -> ASGIApp:
        """Put the gate outside all else, the framework's own answer to a failure included."""
        return Gate(super().build_middleware_stack(), self._admit, self.state.turns)

    def _admit(self, request: Request) -> None:
        """Let a request in by its head (raises LimitedError; for a page's form as ``admit_command`` does)."""
        limits: Limits = self.state.limits
        limits.arrive(address_of(request))
        if self.state.floor and request.method == "POST" and not request.url.path.startswith("/api/"):
            admit_command(request)

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        self.openapi_schema = self.openapi_schema or description_of(self)
        return self.openapi_schema


def create_app(
    house: House | None = None, floor: Floor | None = None, *, proxied: bool = False, places: Places | None = None
) -> FastAPI:
    """Make the application that serves a house's progressive, and its tables.

    Where it is ``proxied``, nobody counts as being on this machine itself; ``places`` are those of its streams.
    """
    parts = (PROGRESSIVE if house else ()) + (FLOOR if floor else ()) + (CONSOLES if house and floor else ())
    app = Application(
        title="pitboss jackpot",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        openapi_url=None,  # ``described`` has it, with its act; there are no pages that load from elsewhere
        redirect_slashes=False,  # it would send to whatever Host the request names
        routes=[route for part in parts for route in part.routes],
    )
    for route in app.routes:
        act_of(route)
        if isinstance(route, APIRoute) and not route.include_in_schema and not route.path.endswith("/events"):
            route.methods = {*(route.methods or ()), *(("HEAD",) if route.methods == {"GET"} else ())}
    app.state.house, app.state.floor, app.state.proxied = house, floor, proxied
    app.state.places = Places() if places is None else places
    limits = floor.limits if floor else house.limits if house else Limits()
    more = max(0, limits.of_address // REQUESTS_A_TURN - AT_ONCE_OF_ADDRESS)
    app.state.limits, app.state.turns = limits, Turns(AT_ONCE + more, AT_ONCE_OF_ADDRESS + more)
    install(app)
    return app


def act_of(route: BaseRoute) -> str:
    """Return the act that a route is, as ``roles`` names it.

    Raises:
        ValueError: its function has no ``Guard`` and is not ``Open``.
    """
    dependant: Any = getattr(route, "dependant", None)
    acts = [call.act for call in _calls(dependant) if isinstance(call, Guard | Open | Play | Look)] if dependant else []
    if not acts:
        raise ValueError(f"{route} names no act: give it a Guard, or Open")
    return acts[0]


def _calls(dependant: Dependant) -> Iterator[object]:
    """Yield what a route depends on."""
    for needed in dependant.dependencies:
        yield needed.call
        yield from _calls(needed)
