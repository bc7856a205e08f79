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
from pitboss.reports.document import PageBlock, split_marks
from pitboss.web.card_sprite import get_card_name

CHIP_DOLLARS = (1, 5, 25, 100, 500)
"""Chips in the rack, in dollars."""

RULING_LABELS = re.compile(r"(\s\((?:[A-Z]+[0-9]*-[0-9]+(?:, | to )?)+\))")
"""The labels of rulings in a text, as in "the dealer plays (SC-1, ALL-7)"."""


def describe_card(name: str | None) -> str:
    """Return a card's name for people who hear it; None is a card that nobody here may see.

    >>> describe_card("Td"), describe_card(None)
    ('Ten of diamonds', 'A card face down')
    """
    if name is None:
        return "A card face down"
    if name.startswith("Jk"):
        return get_card_name(FIRST_JOKER)
    return get_card_name(parse_cards(name, DECK_54)[0])


def get_face_id(name: str | None) -> str:
    """Return the symbol of a card's face in the sprite; a deck's only Joker looks as either of two."""
    if name is None:
        return "back"
    return "Jk1" if name == "Jk" else name


def capitalize_first(text: str) -> str:
    """Begin a line with a capital, and leave the others as they are.

    >>> capitalize_first("a player may keep all five cards"), capitalize_first("Bad Beat: take")
    ('A player may keep all five cards', 'Bad Beat: take')
    """
    return text[:1].upper() + text[1:]


def format_signed(cents: int) -> str:
    """Write what was won or lost.

    >>> format_signed(1500), format_signed(0), format_signed(-500)
    ('+$15', '$0', '-$5')
    """
    return f"+{format_dollars(cents)}" if cents > 0 else format_dollars(cents)


def get_chip_colour(cents: int) -> int:
    """Return the largest chip, in dollars, that an amount holds."""
    return max((chip for chip in CHIP_DOLLARS if 100 * chip <= cents), default=CHIP_DOLLARS[0])


def format_chips(cents: int) -> str:
    """Write an amount as it stands on a chip: without the sign of the dollar."""
    return format_dollars(cents).replace("$", "")


def get_block_kind(block: PageBlock) -> str:
    """Return how a block of a text is shown."""
    return type(block).__name__.lower()


def split_labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text as ``split_marks`` does, the labels of rulings apart.

    >>> list(split_labels("The dealer **plays** (SC-1, ALL-7)."))
    [('', 'The dealer '), ('strong', 'plays'), ('small', ' (SC-1, ALL-7)'), ('', '.')]
    """
    for mark, words in split_marks(text):
        parts = [words] if mark else RULING_LABELS.split(words)
        yield from (("small" if not mark and place % 2 else mark, part) for place, part in enumerate(parts) if part)


def _make_environment() -> Environment:
    made = Environment(
        loader=PackageLoader("pitboss.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "block_kind": get_block_kind,
        "chip_colour": get_chip_colour,
        "chips": format_chips,
        "face_of": get_face_id,
        "marked": split_labels,
        "money": format_dollars,
        "money_exact": format_cents,
        "signed": format_signed,
        "spoken": display_name,
        "spoken_card": describe_card,
        "titled": capitalize_first,
    }
    made.globals |= {
        "ajax": Markup(
            'hx-boost="true" hx-push-url="false" hx-ext="morph" hx-target="#table" hx-swap="morph:outerHTML"'
        ),
        "new_key": lambda: uuid4().hex,
    }
    return made


_ENVIRONMENT = _make_environment()


def render_template(template: str, context: Mapping[str, Any]) -> str:
    """Return a template's page."""
    return _ENVIRONMENT.get_template(template).render(context)
