"""The rules page of a game for newcomers.

It shows the limits and pay tables in force.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse

from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.reports.document import Section, TableBlock
from pitboss.reports.rules import make_rules_sections
from pitboss.table.session import TableTerms
from pitboss.table.training.clause_words import load_clauses
from pitboss.web.pages.guest_seat import TableName
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, ViewCall
from pitboss.web.templating import RULING_LABELS

router = APIRouter(include_in_schema=False)


@router.get("/rules/{game}")
def show_rules(call: ViewCall, game: Annotated[str, Path(max_length=32)]) -> HTMLResponse:
    """Show the rules of a game, with the default pay tables and limits."""
    return _render_rules(call, HouseRules(TableTerms(game=load_game(game).id)), "")


@router.get("/tables/{table}/rules")
def show_table_rules(call: ViewCall, table: TableName) -> HTMLResponse:
    """Show the rules of a table's game as they are at this table.

    They have the table's own pay tables, limits and other changes.
    """
    return _render_rules(call, HouseRules(call.registry.get_session(table).terms), f"/tables/{table}")


def _render_rules(call: PageCall, house: HouseRules, table: str) -> HTMLResponse:
    sections = [(_make_anchor(each.title), each) for each in list_plain_sections(house.game)]
    # The words of the clauses by sheet, the rulings last, as "".
    by_sheet = groupby(load_clauses(house.game).values(), key=lambda each: each.sheet)
    clauses = [] if table else [(sheet, list(each)) for sheet, each in by_sheet]
    return call.render("rules.html", game=house.game, house=house, table=table, sections=sections, clauses=clauses)


def list_plain_sections(game: Game) -> Iterator[Section]:
    """Yield the sections of the rules, without the wager ids of the command line.

    >>> next(list_plain_sections(load_game("six-card"))).title
    'Cards and seats'
    """
    ids = "|".join(re.escape(wager.id) for wager in game.wagers)
    named = re.compile(rf" \(({ids})\)")
    for section in make_rules_sections(game):
        blocks = [
            replace(block, rows=tuple(tuple(named.sub("", cell) for cell in row) for row in block.rows))
            if isinstance(block, TableBlock)
            else block
            for block in section.blocks
        ]
        yield Section(section.title, tuple(blocks))


def _make_anchor(title: str) -> str:
    """Make the link anchor of a section.

    >>> _make_anchor("The decisions (WJ-2)")
    'the-decisions'
    """
    return "-".join(re.findall(r"[a-z]+", RULING_LABELS.sub("", title).lower()))
