"""Pages from Jinja2 templates: what they may call money, cards and chips, and nothing unescaped."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pitboss.builders import display_name
from pitboss.cards import DECK_54, FIRST_JOKER, parse_cards
from pitboss.core.money import format_cents, format_dollars
from pitboss.reports.document import Block, segments
from pitboss.web.cards import name_of

CHIPS = (1, 5, 25, 100, 500)
"""Chips in the rack, in dollars."""

LABELS = re.compile(r"(\s\((?:[A-Z]+[0-9]*-[0-9]+(?:, | to )?)+\))")
"""The labels of rulings in a text, as in "the dealer plays (SC-1, ALL-7)"."""


def spoken_card(name: str | None) -> str:
    """Return a card's name for people who hear it; None is a card that nobody here may see.

    >>> spoken_card("Td"), spoken_card(None)
    ('Ten of diamonds', 'A card face down')
    """
    if name is None:
        return "A card face down"
    if name.startswith("Jk"):
        return name_of(FIRST_JOKER)
    return name_of(parse_cards(name, DECK_54)[0])


def face_of(name: str | None) -> str:
    """Return the symbol of a card's face in the sprite; a deck's only Joker looks as either of two."""
    if name is None:
        return "back"
    return "Jk1" if name == "Jk" else name


def titled(text: str) -> str:
    """Begin a line with a capital, and leave the others as they are.

    >>> titled("a player may keep all five cards"), titled("Bad Beat: take")
    ('A player may keep all five cards', 'Bad Beat: take')
    """
    return text[:1].upper() + text[1:]


def signed(cents: int) -> str:
    """Write what was won or lost.

    >>> signed(1500), signed(0), signed(-500)
    ('+$15', '$0', '-$5')
    """
    return f"+{format_dollars(cents)}" if cents > 0 else format_dollars(cents)


def chip_colour(cents: int) -> int:
    """Return the largest chip, in dollars, that an amount holds."""
    return max((chip for chip in CHIPS if 100 * chip <= cents), default=CHIPS[0])


def chips(cents: int) -> str:
    """Write an amount as it stands on a chip: without the sign of the dollar."""
    return format_dollars(cents).replace("$", "")


def block_kind(block: Block) -> str:
    """Return how a block of a text is shown."""
    return type(block).__name__.lower()


def marked(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text as ``segments`` does, the labels of rulings apart.

    >>> list(marked("The dealer **plays** (SC-1, ALL-7)."))
    [('', 'The dealer '), ('strong', 'plays'), ('small', ' (SC-1, ALL-7)'), ('', '.')]
    """
    for mark, words in segments(text):
        parts = [words] if mark else LABELS.split(words)
        yield from (("small" if not mark and place % 2 else mark, part) for place, part in enumerate(parts) if part)


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("pitboss.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "block_kind": block_kind,
        "chip_colour": chip_colour,
        "chips": chips,
        "face_of": face_of,
        "marked": marked,
        "money": format_dollars,
        "money_exact": format_cents,
        "signed": signed,
        "spoken": display_name,
        "spoken_card": spoken_card,
        "titled": titled,
    }
    made.globals |= {
        "ajax": Markup(
            'hx-boost="true" hx-push-url="false" hx-ext="morph" hx-target="#table" hx-swap="morph:outerHTML"'
        ),
        "new_key": lambda: uuid4().hex,
    }
    return made


_ENVIRONMENT = _environment()


def rendered(template: str, context: Mapping[str, Any]) -> str:
    """Return a template's page."""
    return _ENVIRONMENT.get_template(template).render(context)
