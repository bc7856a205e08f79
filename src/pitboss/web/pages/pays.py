"""The pays of one wager at a table."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse

from pitboss.builders import display_value
from pitboss.contract import Game, Wager
from pitboss.core.errors import UnknownNameError
from pitboss.options import resolve_options
from pitboss.reports.document import ListBlock, PageBlock, TableBlock, TextBlock
from pitboss.reports.rules import make_rules_sections
from pitboss.table.round import WagerSettled
from pitboss.table.round.wagers import get_wager
from pitboss.table.session import TableSession
from pitboss.web.errors import NotFoundError
from pitboss.web.game_words import find_circle_word
from pitboss.web.pages.guest_seat import TableName
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import ViewCall
from pitboss.web.pages.table_layout import load_layout, name_circle
from pitboss.web.templating import RULING_LABELS

router = APIRouter(include_in_schema=False)

BetName = Annotated[str, Path(max_length=32)]

_DEFAULTS: Mapping[str, str] = {}
_CELLS = " | "
_ANY_OTHER = "*"
"""In the words of an option, what stands for every value that is not named."""


@router.get("/tables/{table}/pays/{bet}")
def show_pays(
    call: ViewCall, table: TableName, bet: BetName, circle: Annotated[str, Query(max_length=32)] = ""
) -> HTMLResponse:
    """Show what a wager is, what it pays here, and what the last round made.

    It begins with what the touched ``circle`` is.  Of the last round it shows the lines of the guest's own wager.

    Raises:
        NotFoundError: the game has no such wager.
    """
    session = call.registry.get_session(table)
    house = HouseRules(session.terms)
    options = resolve_options(house.game, session.terms.options)
    try:
        wager = get_wager(house.game, bet)
    except UnknownNameError as error:
        raise NotFoundError(str(error), code="unknown-wager", bet=bet) from None
    return call.render(
        "table/pays.html",
        address=f"/tables/{table}",
        wager=wager,
        circle=name_circle(house.game, circle),
        circle_word=find_circle_word(circle),
        described=describe_wager(house.game, wager, options),
        limit=next((each for each in house.limits if each.name == wager.name), None),
        blocks=list(list_settlement_blocks(house.game, wager, options)),
        changed=bool(house.changes),
        paytables=[each for each in house.paytables if each.kind in wager.paytable_kinds],
        made=set(list_made_lines(session, wager, call.guest.holder)),
    )


def describe_wager(game: Game, wager: Wager, options: Mapping[str, str] = _DEFAULTS) -> str:
    """Return what the game's rules say of a wager, "" if they have no such line.

    They are the rules under these ``options``, by default the rule sheet's.

    >>> from pitboss.games import load_game
    >>> six_card = load_game("six-card")
    >>> describe_wager(six_card, six_card.wagers[1])
    "optional; on the player's own hand"
    """
    tables = (block.rows for block in _list_blocks(game, "The wagers", options) if isinstance(block, TableBlock))
    return next((what for rows in tables for name, what, *_ in rows if name.endswith(f"({wager.id})")), "")


def list_settlement_blocks(game: Game, wager: Wager, options: Mapping[str, str] = _DEFAULTS) -> Iterator[PageBlock]:
    """Yield what the rules say of how a wager is settled, under these ``options``.

    Of the main wager that is all up to the first table; of another, the paragraph that begins with its name.

    >>> from pitboss.games import load_game
    >>> six_card = load_game("six-card")
    >>> next(list_settlement_blocks(six_card, six_card.wagers[1])).text
    '**Aces Up** pays for a pair of aces or better, whatever the dealer holds.'
    """
    blocks = iter(_list_blocks(game, "Settlement", options))
    if wager is game.main:
        for block in blocks:
            yield block
            if isinstance(block, TableBlock):
                return
    for block in blocks:
        if isinstance(block, TextBlock) and block.text.startswith(f"**{wager.name}**"):
            yield block
            yield from takewhile(lambda block: not isinstance(block, TextBlock), blocks)


def _list_blocks(game: Game, title: str, options: Mapping[str, str]) -> Iterator[PageBlock]:
    """Yield the blocks of a section of the rules, without the labels of rulings."""
    for section in make_rules_sections(game):
        for block in section.blocks if section.title == title else ():
            if isinstance(block, TextBlock):
                yield replace(block, text=_write_rule(game, block.text, options))
            elif isinstance(block, ListBlock):
                yield replace(block, items=tuple(_write_rule(game, item, options) for item in block.items))
            elif isinstance(block, TableBlock):
                rows = tuple(tuple(_write_rule(game, _CELLS.join(row), options).split(_CELLS)) for row in block.rows)
                yield replace(block, headings=tuple(RULING_LABELS.sub("", each) for each in block.headings), rows=rows)
            else:
                yield block


def _write_rule(game: Game, text: str, options: Mapping[str, str]) -> str:
    """Write a rule as it is under these options, without the labels of rulings."""
    written = RULING_LABELS.sub("", text)
    for option, words in load_layout(game).option_words.items():
        value = options.get(option, "")
        if value and value != next(each.default for each in game.options if each.name == option):
            for usual, here in words.get(value, words.get(_ANY_OTHER, {})).items():
                written = written.replace(usual, here.format(value=display_value(value)))
    return written


def list_made_lines(session: TableSession, wager: Wager, holder: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and line of each pay of a guest's wager in the last round."""
    legs_of = {outcome.name: outcome.legs for outcome in wager.outcomes}
    for event in session.round.events if session.round else ():
        if isinstance(event, WagerSettled) and event.bet == wager.id and session.round_holders[event.seat] == holder:
            yield from ((leg.paytable_kind, line) for leg in legs_of[event.outcome] for line in leg.lines)
