"""The rules of a game, for whoever has never played it: as its folder tells them, with what a table has in force."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.reports.document import Section, Table
from pitboss.reports.rules import in_brief
from pitboss.table.sitting import Terms
from pitboss.web.floor import TheFloor
from pitboss.web.guests import Guest, Looking
from pitboss.web.house_rules import HouseRules
from pitboss.web.paging import page
from pitboss.web.tables import Name
from pitboss.web.templating import LABELS

router = APIRouter(include_in_schema=False)


@router.get("/rules/{game}")
def rules(request: Request, game: Annotated[str, Path(max_length=32)], guest: Looking) -> HTMLResponse:
    """Show the rules of a game, with the pay tables and limits that are usual."""
    return _shown(request, guest, HouseRules(Terms(game=load_game(game).id)), "")


@router.get("/tables/{table}/rules")
def rules_here(request: Request, table: Name, floor: TheFloor, guest: Looking) -> HTMLResponse:
    """Show the rules of the game that a table plays, with its own pay tables and limits, and what else is its own."""
    return _shown(request, guest, HouseRules(floor.sitting(table).terms), f"/tables/{table}")


def _shown(request: Request, guest: Guest, house: HouseRules, table: str) -> HTMLResponse:
    sections = [(_anchor(each.title), each) for each in told_plainly(house.game)]
    return page("rules.html", request, guest, game=house.game, house=house, table=table, sections=sections)


def told_plainly(game: Game) -> Iterator[Section]:
    """Yield the rules without the names by which the command line calls the wagers.

    >>> next(told_plainly(load_game("six-card"))).title
    'Cards and seats'
    """
    ids = "|".join(re.escape(wager.id) for wager in game.wagers)
    named = re.compile(rf" \(({ids})\)")
    for section in in_brief(game):
        blocks = [
            replace(block, rows=tuple(tuple(named.sub("", cell) for cell in row) for row in block.rows))
            if isinstance(block, Table)
            else block
            for block in section.blocks
        ]
        yield Section(section.title, tuple(blocks))


def _anchor(title: str) -> str:
    """Return what a section is linked by.

    >>> _anchor("The decisions (WJ-2)")
    'the-decisions'
    """
    return "-".join(re.findall(r"[a-z]+", LABELS.sub("", title).lower()))
