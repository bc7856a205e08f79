"""Drawings of cards and lines of text, as SVG files that need no page."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from pitboss.cards import DECK_54, format_card
from pitboss.web.card_sprite import HEIGHT, WIDTH, draw_symbols
from pitboss.web.templating import describe_card, format_signed, get_face_id

SVG_TYPE = "image/svg+xml; charset=utf-8"
"""The media type of a drawing; Starlette adds the charset only to text types."""

CARD, MARGIN, LINE = 72, 24, 26
LEAST_WIDTH, LINE_LETTERS = 560, 58
_GAP = 8

_VARIABLE = re.compile(r"var\(--[a-z-]+,([^()]+)\)")
"""A colour that a page may set: a file of its own has the colour that is meant without a page."""

Names = Sequence[str | None]


class HandPicture(NamedTuple):
    """Cards in a row with what stands above them; None is a card face down.

    Those that are ``marked`` have a frame.
    """

    name: str
    cards: Names
    marked: Names = ()


def draw_table_view(view: Mapping[str, Any], heading: str) -> str:
    """Draw the view of a round: every hand in play, and what each seat won or lost.

    It has only what the view has: a card that its seat may not see is face down.
    """
    hands = [HandPicture(zone["name"], zone["cards"]) for zone in view["zones"]]
    hands += [HandPicture(_name_seat(seat), seat["cards"]) for seat in view["seats"] if seat["playing"]]
    lines = [
        f"{_name_seat(seat)}: {format_signed(seat['net_cents'])}"
        for seat in view["seats"]
        if seat["net_cents"] is not None
    ]
    if view["turn"]:
        lines.append(view["turn"]["question"])
    return draw_hands(view["name"], heading, hands, lines)


def _name_seat(seat: Mapping[str, Any]) -> str:
    """Name a seat without its player, whom a picture for others need not name."""
    return f"Seat {seat['seat']}" + (f", {seat['made']}" if seat["made"] else "")


def draw_hands(title: str, heading: str, hands: Sequence[HandPicture], lines: Iterable[str]) -> str:
    """Draw hands one below another, then lines of text."""
    width = max(LEAST_WIDTH, *(measure_row(each.cards) for each in hands), 0)
    y = float(MARGIN + 14)
    parts = [write_line(MARGIN, y, title, "700"), write_line(MARGIN, y + LINE - 4, heading)]
    rows, y = draw_rows(hands, y + LINE - 4)
    parts += rows
    for line in lines:
        y += LINE
        parts.append(write_line(MARGIN, y, line))
    described = "; ".join(f"{hand.name}: {', '.join(map(describe_card, hand.cards))}" for hand in hands)
    names = [each for hand in hands for each in hand.cards]
    return wrap_drawing(f"{title}: {heading}", described, (width, y + MARGIN), names, parts)


def draw_rows(hands: Iterable[HandPicture], y: float) -> tuple[list[str], float]:
    """Draw hands one below another from a height on; return them and where they end."""
    parts = list[str]()
    for hand in hands:
        y += LINE + 4
        parts.append(write_line(MARGIN, y, hand.name))
        y += 8
        parts += [_place_card(each, place, y, marked=each in hand.marked) for place, each in enumerate(hand.cards)]
        y += CARD * HEIGHT / WIDTH
    return parts, y + 8


def wrap_drawing(title: str, described: str, size: tuple[float, float], cards: Names, parts: Iterable[str]) -> str:
    """Return the SVG file of a drawing with the symbols of its cards."""
    width, height = size
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}" font-family="Verdana, DejaVu Sans, sans-serif" '
        f'font-size="15"><title>{escape(title)}</title><desc>{escape(described)}</desc>'
        f'<rect width="100%" height="100%" fill="#fffdf7"/>{_draw_faces(cards)}{"".join(parts)}</svg>\n'
    )


def measure_row(cards: Names) -> int:
    """Return the width of a row of cards with its margins."""
    return 2 * MARGIN + len(cards) * (CARD + _GAP)


def _draw_faces(cards: Names) -> str:
    """Return the symbols of cards, in the colours that need no page."""
    names = {get_face_id(each) for each in cards}
    faces = [card for card in DECK_54.cards if format_card(card, DECK_54) in names]
    return _VARIABLE.sub(r"\1", draw_symbols(faces))


def _place_card(name: str | None, place: int, y: float, *, marked: bool) -> str:
    """Return a card at a place of a row, in a frame if it is marked."""
    x, height = MARGIN + place * (CARD + _GAP), CARD * HEIGHT / WIDTH
    drawn = f'<use href="#{get_face_id(name)}" x="{x}" y="{y:g}" width="{CARD}" height="{height:g}"/>'
    if not marked:
        return drawn
    frame = f'x="{x - 2}" y="{y - 2:g}" width="{CARD + 4}" height="{height + 4:g}"'
    return f'{drawn}<rect {frame} fill="none" stroke="#9a6700" stroke-width="3" stroke-dasharray="8 5"/>'


def write_line(x: float, y: float, text: str, weight: str = "400") -> str:
    """Return a line of text."""
    return f'<text x="{x:g}" y="{y:g}" fill="#1b2a24" font-weight="{weight}">{escape(text)}</text>'
