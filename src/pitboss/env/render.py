"""Renderings of a round as the seat sees it: text, and a picture of the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, RANK_COUNT
from pitboss.contract import UNSETTLED, Game
from pitboss.core.errors import ReportError
from pitboss.core.extras import write_install_hint
from pitboss.env.settings import EnvSettings
from pitboss.env.spaces import list_action_names
from pitboss.simulate.action_space import list_circles, list_view_fields
from pitboss.simulate.stepper import StepOutput

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

FACE_DOWN = -1

_RANKS = (*"23456789", "10", *"JQKA")
_SUITS = "♠♥♦♣"
_JOKER = "★"
_FACE_DOWN_TEXT = "▒"


@dataclass(frozen=True, slots=True)
class CardRow:
    """A named row of cards; ``FACE_DOWN`` stands for a card that lies face down."""

    name: str
    cards: tuple[int, ...]


def iter_rows(game: Game, shown: StepOutput) -> Iterator[CardRow]:
    """Yield the rows of cards that the seat sees, with its own row last."""
    seen = {
        name: tuple(int(card) for card in np.flatnonzero(field[0]))
        for name, field in zip(list_view_fields(game), shown.fields, strict=True)
    }
    dealt = {zone.destination: zone.cards for zone in game.deal_order}
    for name, cards in sorted(seen.items(), key=lambda each: each[0] == "player"):
        down = max(0, dealt.get(name, 0) - len(cards))
        if cards or down:
            title = "you" if name == "player" else display_name(name.replace("_", "-"))
            yield CardRow(title, (*sorted(cards, key=_get_sort_key, reverse=True), *[FACE_DOWN] * down))


def _get_sort_key(card: int) -> tuple[int, int]:
    return (card, 0) if card >= FIRST_JOKER else (card % RANK_COUNT, -card)


def iter_notes(game: Game, settings: EnvSettings, shown: StepOutput) -> Iterator[str]:
    """Yield lines with the stakes, and with the question or the result.

    The question has its actions.  The result is that of the round.
    """
    stakes = zip(list_circles(game), shown.stakes[0], strict=True)
    yield "Stakes in Antes: " + ", ".join(f"{display_name(circle)} {stake:g}" for circle, stake in stakes if stake)
    if shown.is_over[0]:
        config = settings.kernel_args
        for index, (wager, outcome) in enumerate(zip(game.wagers, shown.outcomes[0], strict=True)):
            if outcome != UNSETTLED:
                net = Fraction(int(config.nets[index, outcome]), config.unit)
                yield f"{wager.name}: {display_name(wager.outcomes[outcome].name)}, {float(net):+g}"
        yield f"Net: {shown.reward[0]:+g} Antes"
        return
    asked = int(shown.decision[0])
    yield game.decisions[asked].question if asked < len(game.decisions) else "You have nothing to decide."
    yield "Actions: " + _format_actions(game, shown)


def _format_actions(game: Game, shown: StepOutput) -> str:
    """Return the legal actions as text, each word with the numbers of its actions."""
    numbers: dict[str, list[int]] = {}
    for action in np.flatnonzero(shown.mask[0]):
        numbers.setdefault(list_action_names(game)[action].split()[0], []).append(int(action))
    return ", ".join(
        f"{actions[0]} {word}" if len(actions) == 1 else f"{actions[0]} to {actions[-1]} {word}"
        for word, actions in numbers.items()
    )


def format_card_face(card: int) -> str:
    """Return a card as its rank and the symbol of its suit.

    >>> format_card_face(12), format_card_face(13 + 8), format_card_face(52)
    ('A♠', '10♥', '★')
    """
    if card == FACE_DOWN:
        return _FACE_DOWN_TEXT
    return _JOKER if card >= FIRST_JOKER else f"{_RANKS[card % RANK_COUNT]}{_SUITS[card // RANK_COUNT]}"


def render_text(game: Game, settings: EnvSettings, shown: StepOutput) -> str:
    """Return the table as lines of text."""
    card_lines = [
        f"{row.name.capitalize():<11}" + " ".join(map(format_card_face, row.cards)) for row in iter_rows(game, shown)
    ]
    return "\n".join([game.name, *card_lines, *iter_notes(game, settings, shown)])


_WIDTH, _MARGIN = 720, 20
_CARD_WIDTH, _CARD_HEIGHT, _GAP = 54, 76, 8
_ROW, _LINE, _LARGE, _SMALL = 96, 22, 22, 14
_FELT, _PAPER, _BACK, _EDGE = (24, 92, 60), (250, 250, 246), (40, 66, 128), (16, 48, 34)
_WORDS, _FAINT = (240, 240, 232), (180, 208, 190)
_RED, _BLACK, _PURPLE = (190, 30, 45), (24, 24, 28), (120, 40, 140)


def verify_pillow() -> None:
    """Check that Pillow is installed, which draws the pictures.

    Raises:
        ReportError: Pillow is not installed.
    """
    if find_spec("PIL") is None:
        raise ReportError(
            f"a picture needs Pillow: {write_install_hint('gym')}, or use the render mode ansi", code="not-installed"
        )


def render_picture(game: Game, settings: EnvSettings, shown: StepOutput) -> NDArray[np.uint8]:
    """Return the table as a picture (height, width, 3).

    The size depends only on the game; it does not change from step to step.
    """
    from PIL import Image, ImageDraw, ImageFont

    height = _MARGIN + _LINE + _ROW * len(list_view_fields(game)) + _LINE * (len(game.wagers) + 3)
    image = Image.new("RGB", (_WIDTH, height), _FELT)
    draw = ImageDraw.Draw(image)
    large, small = ImageFont.load_default(_LARGE), ImageFont.load_default(_SMALL)
    draw.text((_MARGIN, _MARGIN // 2), game.name, _WORDS, large)
    top = _MARGIN + _LINE
    for row in iter_rows(game, shown):
        draw.text((_MARGIN, top + _CARD_HEIGHT // 2 - _SMALL), row.name, _FAINT, small)
        for index, card in enumerate(row.cards):
            _draw_card(draw, card, 6 * _MARGIN + index * (_CARD_WIDTH + _GAP), top, large)
        top += _ROW
    for line in iter_notes(game, settings, shown):
        draw.text((_MARGIN, top), line, _WORDS, small)
        top += _LINE
    return np.asarray(image, np.uint8).copy()


def _draw_card(draw: "ImageDraw", card: int, left: int, top: int, font: Any) -> None:
    """Draw a card, or the back of one."""
    box = (left, top, left + _CARD_WIDTH, top + _CARD_HEIGHT)
    draw.rounded_rectangle(box, 6, _BACK if card == FACE_DOWN else _PAPER, _EDGE)
    if card == FACE_DOWN:
        draw.rounded_rectangle((left + 5, top + 5, box[2] - 5, box[3] - 5), 4, outline=_FAINT)
    elif card >= FIRST_JOKER:
        draw.text((left + 6, top + 3), "JK", _PURPLE, font)
        _draw_star(draw, left + _CARD_WIDTH / 2, top + 50, 15)
    else:
        colour = _RED if card // RANK_COUNT in (1, 2) else _BLACK
        draw.text((left + 6, top + 3), _RANKS[card % RANK_COUNT], colour, font)
        _draw_suit(draw, card // RANK_COUNT, left + _CARD_WIDTH / 2, top + 51, colour)


def _draw_star(draw: "ImageDraw", x: float, y: float, size: float) -> None:
    turns = np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2, 0.4 * size, size)
    draw.polygon([(x + r * np.sin(turn), y - r * np.cos(turn)) for r, turn in zip(radii, turns, strict=True)], _PURPLE)


def _draw_suit(draw: "ImageDraw", suit: int, x: float, y: float, colour: tuple[int, int, int]) -> None:
    """Draw a suit symbol centred on a point: spades, hearts, diamonds, clubs."""

    def disc(dx: float, dy: float, radius: float) -> None:
        draw.ellipse((x + dx - radius, y + dy - radius, x + dx + radius, y + dy + radius), colour)

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([(x + dx, y + dy) for dx, dy in points], colour)

    stem = ((0, 2), (-6, 16), (6, 16))
    if suit == 0:
        disc(-6.5, 3.5, 7)
        disc(6.5, 3.5, 7)
        shape((0, -16), (-13, 1), (13, 1))
        shape(*stem)
    elif suit == 1:
        disc(-6.5, -5, 7)
        disc(6.5, -5, 7)
        shape((-13, -2), (13, -2), (0, 15))
    elif suit == 2:
        shape((0, -16), (11, 0), (0, 16), (-11, 0))
    else:
        disc(0, -8, 7)
        disc(-8, 4, 7)
        disc(8, 4, 7)
        shape(*stem)
