"""What pages load: style sheet, script, cards and felts, all from here and nothing from elsewhere."""

import mimetypes
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Response

from pitboss.core.numbers import quote
from pitboss.games import load_game, load_games
from pitboss.web.cards import sprite
from pitboss.web.guests import Looking
from pitboss.web.layout import layout_of
from pitboss.web.problems import NotThereError

router = APIRouter(include_in_schema=False)

_KEPT = {"Cache-Control": "public, max-age=3600"}
_SVG = "image/svg+xml"
_CHARSET = "; charset=utf-8"
"""What Starlette adds to the type of texts alone."""


@cache
def _assets() -> dict[str, bytes]:
    """Return every file of ``static`` by its address."""
    root = files("pitboss.web") / "static"
    found = {each.name: each.read_bytes() for each in root.iterdir() if each.is_file()}
    return found | {f"vendor/{each.name}": each.read_bytes() for each in (root / "vendor").iterdir()}


@cache
def felts() -> str:
    """Return the style sheet that gives each game's table its felt."""
    return "\n".join(f'[data-game="{name}"] {{ --felt: {layout_of(load_game(name)).felt}; }}' for name in load_games())


@router.get("/static/{name:path}")
def static(name: str, _guest: Looking) -> Response:
    """Return a file that pages load."""
    if name not in _assets():
        raise NotThereError(f"there is no file {quote(name)} here")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(_assets()[name], media_type=kind + _CHARSET if kind == _SVG else kind, headers=_KEPT)


@router.get("/cards.svg")
def cards(_guest: Looking) -> Response:
    """Return the faces of all cards."""
    return Response(sprite(), media_type=_SVG + _CHARSET, headers=_KEPT)


@router.get("/felts.css")
def felt_styles(_guest: Looking) -> Response:
    """Return the felts of all games."""
    return Response(felts(), media_type="text/css", headers=_KEPT)
