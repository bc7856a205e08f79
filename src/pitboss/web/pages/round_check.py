"""The page on which a guest's browser checks a provably fair round by itself.

The same page can be saved as one file.
"""

from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from pitboss.contract import Game, Zone
from pitboss.core.version import __version__
from pitboss.games import load_game, load_games
from pitboss.table.round import CardsDealt
from pitboss.table.round.history_writer import format_deal
from pitboss.web.auth.guests import ViewingGuest
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.pages.assets import load_assets
from pitboss.web.pages.page_call import ViewCall, make_download
from pitboss.web.templating import render_template

router = APIRouter(include_in_schema=False)

SCRIPTS = (
    "fair_shuffle.js",
    "fair_receipts.js",
    "fair_files.js",
    "vendor/smol-toml-1.9.1.js",
    "fair_check.js",
    "fair_page.js",
)
"""The scripts of the page, in the order in which they are loaded."""

FILE_NAME = f"pitboss-{__version__}-check-a-round.html"


@router.get("/fair")
def show_round_check(
    call: ViewCall,
    table: Annotated[str, Query(pattern="^([a-z0-9-]{1,32})?$")] = "",
    number: Annotated[Digits, Query(alias="round", ge=1, le=MAX_NUMBER)] = 1,
) -> HTMLResponse:
    """Show the page that checks a round.

    If a table and a round are named, it leads to their file.
    """
    saved = build_saved_page()
    return call.render(
        "fair/check.html",
        table=table,
        number=number,
        games=describe_games(),
        scripts=SCRIPTS,
        version=__version__,
        file_name=FILE_NAME,
        file_kilobytes=-(-len(saved) // 1_000),
        file_hash=sha256(saved).hexdigest(),
    )


@router.get("/fair/page.html")
def download_round_check(_guest: ViewingGuest) -> Response:
    """Return the page as one file for the disk; its scripts do not run on this site."""
    return make_download(build_saved_page(), FILE_NAME, "text/html")


def describe_games() -> list[dict[str, Any]]:
    """Describe what a deck's check needs of each game.

    That is its deck, its first deal, and the cards kept from seats where given up cards may be dealt again.
    """
    return [_describe_game(load_game(name)) for name in load_games()]


def _describe_game(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name,
        "size": game.deck.size,
        "deal": [{"to": _name_place(zone, game), "cards": zone.cards} for zone in game.deal_order],
        "shortDeck": next((option.default for option in game.options if option.name == "short_deck"), ""),
        "reserve": game.undrawable_cards,
    }


def _name_place(zone: Zone, game: Game) -> str:
    """Name a zone's place as a history does, or "seat" for each seat in turn."""
    if zone.destination == "seat":
        return zone.destination
    words = format_deal(CardsDealt(zone.destination, (0,)), game).split()
    return " ".join(words[1:-1])


@cache
def build_saved_page() -> bytes:
    """Build the page as one file.

    Its policy allows its own scripts and style by their hashes, and nothing else: no request can leave it.
    """
    assets = load_assets()
    context = {
        "table": "",
        "games": describe_games(),
        "scripts": [assets[name].decode() for name in SCRIPTS],
        "style": assets["pitboss.css"].decode(),
        "sources": _list_sources,
        "version": __version__,
    }
    return render_template("fair/saved.html", context).encode()


def _list_sources(texts: Iterable[str]) -> str:
    """List the hashes of inline texts as a content security policy names them."""
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)
