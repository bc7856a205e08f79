"""The Jinja2 templates of the pages.

They have autoescaping, and filters for money, cards and chips.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, SupportsFloat
from uuid import uuid4

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pitboss.builders import capitalize_first, display_name
from pitboss.cards import DECK_54, FIRST_JOKER, parse_cards
from pitboss.core.money import format_cents, format_dollars
from pitboss.jackpot.day_report import format_short_units
from pitboss.jackpot.setting_words import label_setting
from pitboss.reports.document import PageBlock, TableBlock, split_marks
from pitboss.reports.formatting import format_difference, subtract_printed, write_minus
from pitboss.table.training.clause_words import split_citation
from pitboss.web.card_sprite import get_card_name
from pitboss.web.game_words import find_words, link_words
from pitboss.web.qr_code import draw_invitation
from pitboss.web.responsive_tables import stack_table

CHIP_DOLLARS = (1, 5, 25, 100, 500)
"""The chips in the rack, in dollars."""

_CARD = re.compile(r"\b([2-9TJQKA])([shdc])\b")
_TEN = re.compile(r"(?<![A-Za-z0-9])T(?![A-Za-z0-9])")
_TYPED_TEN = re.compile(r"(?<!or )\bT([shdc])\b")
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

RULING_LABELS = re.compile(r"(\s\((?:[A-Z]+[0-9]*-[0-9]+(?:, | to )?)+\))")
"""Matches the labels of rulings in a text, as in "the dealer plays (SC-1, ALL-7)"."""


def write_sentence(refusal: str) -> str:
    """Write a refusal as a sentence, as a page shows it.

    A name that it begins with stays as it is.

    >>> [write_sentence(each) for each in ("place your wagers", "aces-up: at most $5", "")]
    ['Place your wagers.', 'aces-up: at most $5.', '']
    """
    text = capitalize_first(refusal) if _FIRST_WORD.match(refusal) else refusal
    return text if not text or text.endswith((".", "?", "!", "\N{HORIZONTAL ELLIPSIS}")) else f"{text}."


_FIRST_WORD = re.compile(r"[a-z]+[,:;]?(?:\s|$)")


def describe_card(name: str | None) -> str:
    """Return a card's spoken name; None is a card that the viewer may not see.

    >>> describe_card("Td"), describe_card(None)
    ('Ten of diamonds', 'A card face down')
    """
    if name is None:
        return "A card face down"
    if name.startswith("Jk"):
        return get_card_name(FIRST_JOKER)
    return get_card_name(parse_cards(name, DECK_54)[0])


def get_face_id(name: str | None) -> str:
    """Return the sprite symbol of a card's face.

    A deck's only Joker uses the first of the two Joker symbols.
    """
    if name is None:
        return "back"
    return "Jk1" if name == "Jk" else name


def format_money(cents: int) -> str:
    """Format an amount, without ``.00``.

    >>> format_money(1500), format_money(-1250)
    ('$15', '−$12.50')
    """
    return write_minus(format_dollars(cents))


def format_money_exact(cents: int) -> str:
    """Format an amount to the cent.

    >>> format_money_exact(1500), format_money_exact(-1250)
    ('$15.00', '−$12.50')
    """
    return write_minus(format_cents(cents))


def format_money_units(units: int) -> str:
    """Format units of a meter as dollars, with what is left of a cent.

    >>> format_money_units(12_340_007), format_money_units(-12_340_000)
    ('$12.340007', '−$12.34')
    """
    return write_minus(format_short_units(units))


def format_signed(cents: int) -> str:
    """Format an amount won or lost, with its sign.

    >>> format_signed(1500), format_signed(0), format_signed(-500)
    ('+$15', '$0', '−$5')
    """
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)


def format_signed_exact(cents: int) -> str:
    """Format an amount won or lost to the cent, with its sign.

    >>> format_signed_exact(1505), format_signed_exact(0), format_signed_exact(-500)
    ('+$15.05', '$0.00', '−$5.00')
    """
    return f"+{format_money_exact(cents)}" if cents > 0 else format_money_exact(cents)


def format_signed_value(value: SupportsFloat, places: int = 4) -> str:
    """Format the value of an action, with its sign.

    >>> format_signed_value(0.5), format_signed_value(-1, 6)
    ('+0.5000', '−1.000000')
    """
    return write_minus(f"{float(value):+.{places}f}")


class ValuedAction(Protocol):
    """An action with its value, and its cost against the best action."""

    @property
    def value(self) -> Fraction:
        """What it is worth."""

    @property
    def cost(self) -> Fraction:
        """What it loses against the best."""


def format_cost(action: ValuedAction, places: int = 4) -> str:
    """Format the cost of an action as the difference of printed values.

    Whoever subtracts the printed values finds it.  It is off by less than one unit of the last place.

    >>> from collections import namedtuple
    >>> action = namedtuple("Action", "value cost")
    >>> format_cost(action(Fraction("-0.56843"), Fraction("0.46536")))  # of −0.5684 and −0.1031
    '0.4653'
    >>> format_cost(action(Fraction("0.12341"), Fraction("0.00001")))
    'under 0.0001'
    """
    return format_difference(action.value + action.cost, action.value, places)


def format_total_cost(mistakes: Collection[ValuedAction]) -> str:
    """Format what mistakes cost as the sum of their printed costs.

    Whoever adds the printed costs finds it.

    >>> from collections import namedtuple
    >>> made = namedtuple("Action", "value cost")(Fraction("0.12345"), Fraction("0.26458"))
    >>> format_cost(made), format_total_cost([made]), format_total_cost([made] * 2), format_total_cost([])
    ('0.2645', '0.2645', '0.5290', '0.0000')
    """
    if len(mistakes) == 1:
        return format_cost(next(iter(mistakes)))
    costs = (subtract_printed(each.value + each.cost, each.value) for each in mistakes)
    return str(sum(costs, Decimal("0.0000")))


_PAGE_LINKS = (
    ("/", "Tables", "the games, and a seat to play"),
    ("/play", "My play", "your results, and what your mistakes cost"),
    ("/puzzles", "Puzzles", "close decisions to practise"),
    ("/study", "Study", "what each action is worth with cards that you choose"),
    ("/charts", "Charts", "the best play of a game as a grid"),
    ("/par", "PAR sheets", "the exact odds of each bet and what the house keeps"),
    ("/design", "Design", "pays that give a bet the house edge you want"),
    ("/monitor", "Monitor", "whether the results of a bet at a table fit its odds"),
    ("/protect", "Protect", "what a hidden card that a player sees is worth"),
    ("/training", "Dealer training", "deal and pay hands as a dealer"),
)
_PROGRESSIVE_LINK = ("/progressive", "Progressive", "the jackpot of linked tables")


def list_page_links(*, tables: bool, progressive: bool) -> tuple[tuple[str, str, str], ...]:
    """Return the addresses and names of the menu's pages, and what each is.

    A server of a progressive alone has no pages of tables.
    """
    return (*_PAGE_LINKS, *([_PROGRESSIVE_LINK] if progressive else [])) if tables else ()


def get_chip_colour(cents: int) -> int:
    """Return the largest chip, in dollars, that fits in an amount."""
    return max((chip for chip in CHIP_DOLLARS if 100 * chip <= cents), default=CHIP_DOLLARS[0])


def format_chips(cents: int) -> str:
    """Format an amount as on a chip: without the dollar sign."""
    return format_dollars(cents).replace("$", "")


def format_duration(seconds: float) -> str:
    """Format a time in minutes and seconds, with hours if there are any.

    >>> format_duration(65.4), format_duration(3_601)
    ('1:05', '1:00:01')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_suited(text: str) -> str:
    """Format the cards of a text as on their faces.

    >>> format_suited("Dealer Kh Td, Seat 1 As Jk1")
    'Dealer K♥ 10♦, Seat 1 A♠ Joker'
    """
    suited = _CARD.sub(lambda match: match[1].replace("T", "10") + SUIT_SIGNS[match[2]], text)
    return re.sub(r"\bJk\d?\b", "Joker", suited)


def format_ranks(text: str) -> str:
    """Format the ranks of a text as on the faces of cards: a ten is 10.

    >>> format_ranks("Ace-T, 2 of the dealer's ranks"), format_ranks("The pair"), format_ranks("7-8-T-J")
    ("Ace-10, 2 of the dealer's ranks", 'The pair', '7-8-10-J')
    """
    return _TEN.sub("10", text)


def format_tens(text: str) -> str:
    """Format cards as people type them: a ten is 10.

    >>> format_tens("As Td 9h"), format_tens("for example 10d (or Td)")
    ('As 10d 9h', 'for example 10d (or Td)')
    """
    return _TYPED_TEN.sub(r"10\1", text)


def format_table_cards(block: TableBlock) -> TableBlock:
    """Format the cards and the ranks of a table as on the faces of cards."""
    rows = tuple(tuple(format_ranks(format_suited(cell)) for cell in row) for row in block.rows)
    return replace(block, rows=rows)


def get_block_kind(block: PageBlock) -> str:
    """Return the lower-case type name of a block, which selects its markup."""
    return type(block).__name__.lower()


def split_labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text as ``split_marks`` does.

    The labels of rulings are separate parts.

    >>> list(split_labels("The dealer **plays** (SC-1, ALL-7)."))
    [('', 'The dealer '), ('strong', 'plays'), ('small', ' (SC-1, ALL-7)'), ('', '.')]
    """
    for mark, words in split_marks(write_minus(text)):
        parts = [words] if mark else RULING_LABELS.split(words)
        yield from (("small" if not mark and index % 2 else mark, part) for index, part in enumerate(parts) if part)


def make_environment() -> Environment:
    """Make the environment that every template is rendered in."""
    environment = Environment(
        loader=PackageLoader("pitboss.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "block_kind": get_block_kind,
        "tens": format_tens,
        "chip_colour": get_chip_colour,
        "chips": format_chips,
        "cited": lambda citation, game: split_citation(game, citation),
        "cost": format_cost,
        "duration": format_duration,
        "explained": link_words,
        "faces": format_table_cards,
        "face_of": get_face_id,
        "marked": split_labels,
        "minus": write_minus,
        "money": format_money,
        "money_exact": format_money_exact,
        "sentence": write_sentence,
        "ranks": format_ranks,
        "setting": label_setting,
        "short_units": format_money_units,
        "signed": format_signed,
        "signed_exact": format_signed_exact,
        "signed_value": format_signed_value,
        "spoken": display_name,
        "suited": format_suited,
        "spoken_card": describe_card,
        "stacked": stack_table,
        "titled": capitalize_first,
        "total_cost": format_total_cost,
    }
    environment.globals |= {
        "ajax": Markup(
            'hx-boost="true" hx-push-url="false" hx-ext="morph" hx-target="#table" hx-swap="morph:outerHTML show:none"'
        ),
        "draw_invitation": draw_invitation,
        "find_words": find_words,
        "new_key": lambda: uuid4().hex,
    }
    return environment


_ENVIRONMENT = make_environment()


def render_template(template: str, context: Mapping[str, Any]) -> str:
    """Render a template."""
    return _ENVIRONMENT.get_template(template).render(context)
