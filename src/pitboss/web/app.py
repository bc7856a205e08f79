"""The application: every part's routes, each with the act that it is, inside the headers and problems of the whole.

Another part (pages, say) is its router's routes in ``PARTS``.  A route that names no act keeps the application from
starting: what nobody thought about is open to nobody.
"""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from starlette.routing import BaseRoute

from pitboss.core.version import __version__
from pitboss.web import books, office, rounds, sessions
from pitboss.web.description import DESCRIPTION, TAGS, described, description_of
from pitboss.web.house import House
from pitboss.web.problems import install
from pitboss.web.security import Around
from pitboss.web.sessions import Guard, Open

PARTS = (books.display, sessions.router, rounds.router, office.changes, office.staff, books.books, described)
"""The routers that the application is made of."""


class Application(FastAPI):
    """FastAPI, described with its refusals."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        self.openapi_schema = self.openapi_schema or description_of(self)
        return self.openapi_schema


def create_app(house: House) -> FastAPI:
    """Make the application that serves a house."""
    app = Application(
        title="pitboss jackpot",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        openapi_url=None,  # ``described`` has it, with its act; there are no pages that load from elsewhere
        routes=[route for part in PARTS for route in part.routes],
    )
    for route in app.routes:
        act_of(route)
    app.state.house = house
    install(app)
    app.add_middleware(Around)
    return app


def act_of(route: BaseRoute) -> str:
    """Return the act that a route is, as ``roles`` names it.

    Raises:
        ValueError: its function has no ``Guard`` and is not ``Open``.
    """
    dependant: Any = getattr(route, "dependant", None)
    acts = [call.act for call in _calls(dependant) if isinstance(call, Guard | Open)] if dependant else []
    if not acts:
        raise ValueError(f"{route} names no act: give it a Guard, or Open")
    return acts[0]


def _calls(dependant: Dependant) -> Iterator[object]:
    """Yield what a route depends on."""
    for needed in dependant.dependencies:
        yield needed.call
        yield from _calls(needed)
