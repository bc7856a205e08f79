"""The application: every part's routes, each with the act that it is, inside the headers and problems of the whole.

A route that names no act keeps the application from
starting: what nobody thought about is open to nobody.
"""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from pitboss.core.version import __version__
from pitboss.web import (
    assets,
    books,
    consoles,
    linked,
    office,
    opening,
    past,
    rounds,
    rules,
    sessions,
    sheets,
    tables,
    training,
)
from pitboss.web.description import DESCRIPTION, TAGS, described, description_of
from pitboss.web.floor import Floor
from pitboss.web.guests import Look, Play
from pitboss.web.house import House
from pitboss.web.problems import install
from pitboss.web.security import Around
from pitboss.web.sessions import Guard, Open

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

FLOOR = (tables.router, rules.router, opening.router, past.router, sheets.router, training.router, assets.router)
"""The routers of the tables and of all pages, where there are any."""

CONSOLES = (consoles.router, linked.router)
"""The routers of a progressive's pages, where there are both."""


class Application(FastAPI):
    """FastAPI, described with its refusals."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        self.openapi_schema = self.openapi_schema or description_of(self)
        return self.openapi_schema


def create_app(house: House | None = None, floor: Floor | None = None) -> FastAPI:
    """Make the application that serves a house's progressive, and its tables."""
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
    app.state.house, app.state.floor = house, floor
    install(app)
    app.add_middleware(Around)
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
