"""The assets of the pages: style sheet, scripts, cards and felts.

This site serves all of them.
"""

import mimetypes
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Response

from pitboss.core.errors import quote
from pitboss.web.auth.guests import ViewingGuest
from pitboss.web.card_sprite import draw_sprite
from pitboss.web.errors import NotFoundError
from pitboss.web.game_lists import load_games_with
from pitboss.web.pages.card_drawing import SVG_TYPE
from pitboss.web.pages.table_layout import load_layout

router = APIRouter(include_in_schema=False)

_CACHE_HEADERS = {"Cache-Control": "public, max-age=3600"}


@cache
def load_assets() -> dict[str, bytes]:
    """Load every static file, by its path below ``/static``."""
    root = files("pitboss.web") / "static"
    assets = {each.name: each.read_bytes() for each in root.iterdir() if each.is_file()}
    return assets | {f"vendor/{each.name}": each.read_bytes() for each in (root / "vendor").iterdir()}


@cache
def render_felts() -> str:
    """Render the style sheet with the felt colour of each game's table."""
    return "\n".join(
        f'[data-game="{name}"] {{ --felt: {load_layout(game).felt}; }}'
        for name, game in load_games_with(load_layout).items()
    )


@router.get("/static/{name:path}")
def serve_static(name: str, _guest: ViewingGuest) -> Response:
    """Return a static file."""
    if name not in load_assets():
        raise NotFoundError(f"there is no file {quote(name)} here", code="unknown-file", name=name)
    kind = SVG_TYPE if name.endswith(".svg") else mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(load_assets()[name], media_type=kind, headers=_CACHE_HEADERS)


@router.get("/cards.svg")
def serve_card_sprite(_guest: ViewingGuest) -> Response:
    """Return the sprite of all cards."""
    return Response(draw_sprite(), media_type=SVG_TYPE, headers=_CACHE_HEADERS)


@router.get("/felts.css")
def serve_felts(_guest: ViewingGuest) -> Response:
    """Return the style sheet of all felts."""
    return Response(render_felts(), media_type="text/css", headers=_CACHE_HEADERS)
