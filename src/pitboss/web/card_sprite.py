"""The card faces as one SVG sprite, drawn by this module.

A page shows a card with `<svg><use href="cards.svg#As"/></svg>`.

Colours are CSS custom properties that a page sets on any element around the card (``--suit-s`` ... ``--suit-d``,
``--card-face``, ``--card-back``), so one sprite serves the two-colour and the four-colour deck, and red and blue
backs.  Symbols are named as ``format_card`` writes a card; ``back`` is the back of any card.
"""

from collections.abc import Iterable
from functools import cache

from pitboss.cards import DECK_54, FIRST_JOKER, format_card, get_rank

WIDTH, HEIGHT = 240, 336
"""The box of every face, in the proportions of the trade's 2.5 by 3.5 inches."""

_RANK_LETTERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_RANK_NAMES = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
_SUITS = "shdc"
_GOLD, _SKIN, _INK = "#e3b341", "#f3d3b3", "#2a2118"
_INK_OUTLINE = f'stroke="{_INK}" stroke-width="1.5"'
_BACK_OUTLINE = 'fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="3"'

# Each suit in a box of 100 by 100 around the origin.
_PIPS = {
    "s": (
        "M0-48C60-6 52 32 25 32C13 32 5 26 3 19C4 31 9 40 17 45H-17C-9 40-4 31-3 19C-5 26-13 32-25 32C-52 32-60-6 0-48Z"
    ),
    "h": "M0 45C-62 2-50-44-23-44C-9-44 0-34 0-23C0-34 9-44 23-44C50-44 62 2 0 45Z",
    "d": "M0-48C10-29 22-13 37 0C22 13 10 29 0 48C-10 29-22 13-37 0C-22-13-10-29 0-48Z",
    "c": (
        "M-21-24a21 21 0 1 1 42 0a21 21 0 0 1-7 16a21 21 0 1 1-11 33C4 34 9 41 17 46H-17C-9 41-4 34-3 25"
        "a21 21 0 1 1-11-33A21 21 0 0 1-21-24Z"
    ),
}

_LEFT, _MIDDLE, _RIGHT = 86, 120, 154
_PIP_ROWS = {"top": 66, "high": 100, "upper": 134, "centre": 168, "lower": 202, "low": 236, "bottom": 270}


def _place_column(column: int, *rows: str) -> tuple[tuple[int, int], ...]:
    return tuple((column, _PIP_ROWS[row]) for row in rows)


def _place_sides(*rows: str) -> tuple[tuple[int, int], ...]:
    return _place_column(_LEFT, *rows) + _place_column(_RIGHT, *rows)


_PIP_POSITIONS = (
    _place_column(_MIDDLE, "top", "bottom"),
    _place_column(_MIDDLE, "top", "centre", "bottom"),
    _place_sides("top", "bottom"),
    _place_sides("top", "bottom") + _place_column(_MIDDLE, "centre"),
    _place_sides("top", "centre", "bottom"),
    (*_place_sides("top", "centre", "bottom"), (_MIDDLE, 117)),
    (*_place_sides("top", "centre", "bottom"), (_MIDDLE, 117), (_MIDDLE, 219)),
    _place_sides("top", "upper", "lower", "bottom") + _place_column(_MIDDLE, "centre"),
    _place_sides("top", "upper", "lower", "bottom") + _place_column(_MIDDLE, "high", "low"),
)
"""The pip positions of 2 to 10."""


def get_card_name(card: int) -> str:
    """Return a card's spoken name.

    >>> get_card_name(12)
    'Ace of spades'
    """
    if card >= FIRST_JOKER:
        return "Joker"
    return f"{_RANK_NAMES[get_rank(card)]} of {_SUIT_NAMES[_SUITS.index(format_card(card, DECK_54)[1])]}"


def _get_ink(letter: str) -> str:
    fallback = "#c4122f" if letter in "hd" else "#15181d"
    return f"var(--suit-{letter},{fallback})"


def _draw_pip(letter: str, x: float, y: float, scale: float) -> str:
    """Draw one pip; below the middle of the card it is upside down."""
    turn = " rotate(180)" if y > HEIGHT / 2 else ""
    return f'<path d="{_PIPS[letter]}" transform="translate({x:g} {y:g}){turn} scale({scale:g})"/>'


def _mirror(half: str) -> str:
    """Draw half a card, and the same turned by 180 degrees."""
    return f'{half}<g transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})">{half}</g>'


def _draw_index(text: str, letter: str) -> str:
    tight = ' textLength="48" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return _mirror(
        f'<text x="33" y="58" text-anchor="middle" font-family="Georgia,\'Times New Roman\',serif" font-size="58"'
        f' font-weight="700"{tight}>{text}</text>{_draw_pip(letter, 33, 90, 0.42)}'
    )


def _draw_blank(content: str) -> str:
    return (
        f'<rect x="1.5" y="1.5" width="{WIDTH - 3}" height="{HEIGHT - 3}" rx="16" fill="var(--card-face,#fffef9)"'
        f' stroke="#9aa0a6" stroke-width="2"/>{content}'
    )


# Court figures: half of each, mirrored to make the whole.  The robe has the suit's ink.
_COURT_ROBE = (
    '<path d="M50 168V150C56 126 88 116 120 116C152 116 184 126 190 150V168Z"/>'
    f'<path d="M96 118L120 168L144 118C128 114 112 114 96 118Z" fill="{_GOLD}"/>'
    f'<path d="M108 117L120 142L132 117Z" fill="var(--card-face,#fffef9)"/>'
    f'<path d="M66 168L84 124M174 168L156 124" stroke="{_GOLD}" stroke-width="5" fill="none"/>'
)
_COURT_FACE = (
    f'<path d="M101 84C101 108 110 122 120 122C130 122 139 108 139 84Z" fill="{_SKIN}" {_INK_OUTLINE}/>'
    f'<g fill="{_INK}"><circle cx="112" cy="93" r="2.2"/><circle cx="128" cy="93" r="2.2"/></g>'
    f'<path d="M108 88q4-3 8 0M124 88q4-3 8 0M120 94v8h-3M115 110q5 3 10 0" {_INK_OUTLINE} fill="none"/>'
)
_COURT_HEADS = {
    "K": (
        f'<path d="M99 82C94 112 104 134 120 136C136 134 146 112 141 82L137 98C137 112 129 106 120 106C111 106 103 112'
        f' 103 98Z" fill="#7a5230"/>'
        f'<path d="M95 84L88 50L105 66L120 42L135 66L152 50L145 84Z" fill="{_GOLD}" {_INK_OUTLINE}/>'
        f'<path d="M95 84H145V77H95Z" fill="currentColor"/><g fill="currentColor"><circle cx="88" cy="49" r="4"/>'
        f'<circle cx="120" cy="42" r="4.5"/><circle cx="152" cy="49" r="4"/></g>'
    ),
    "Q": (
        '<path d="M97 80C84 98 88 128 80 138C94 140 102 126 103 84Z" fill="#a8672b"/>'
        '<path d="M143 80C156 98 152 128 160 138C146 140 138 126 137 84Z" fill="#a8672b"/>'
        f'<path d="M95 84C94 66 106 62 120 62C134 62 146 66 145 84Z" fill="{_GOLD}" {_INK_OUTLINE}/>'
        f'<path d="M95 84H145V78H95Z" fill="currentColor"/>'
        f'<g fill="currentColor"><circle cx="96" cy="64" r="4"/><circle cx="107" cy="55" r="4"/>'
        f'<circle cx="120" cy="51" r="5"/><circle cx="133" cy="55" r="4"/><circle cx="144" cy="64" r="4"/></g>'
    ),
    "J": (
        '<path d="M98 82C92 94 92 112 96 120C102 118 103 104 103 86Z" fill="#5b3a1e"/>'
        '<path d="M142 82C148 94 148 112 144 120C138 118 137 104 137 86Z" fill="#5b3a1e"/>'
        f'<path d="M92 84C88 62 104 54 124 56C142 58 152 68 148 84Z" fill="currentColor" {_INK_OUTLINE}/>'
        f'<path d="M92 84H148V77H92Z" fill="{_GOLD}"/>'
        f'<path d="M140 66C150 50 164 46 176 48C170 60 158 70 142 74Z" fill="{_GOLD}" {_INK_OUTLINE}/>'
    ),
}


def _draw_court(text: str, letter: str) -> str:
    half = _COURT_ROBE + _COURT_FACE + _COURT_HEADS[text] + _draw_pip(letter, 168, 60, 0.34)
    return (
        f'<rect x="58" y="34" width="128" height="268" rx="6" fill="var(--card-panel,#f6ecd2)"/>'
        f'<g color="{_get_ink(letter)}" clip-path="url(#court)">{_mirror(half)}</g>'
        f'<path d="M58 168H186" stroke="{_GOLD}" stroke-width="6"/>'
        f'<rect x="58" y="34" width="128" height="268" rx="6" fill="none" stroke="{_get_ink(letter)}" '
        'stroke-width="2"/>'
    )


def _draw_natural(card: int) -> str:
    text, letter = _RANK_LETTERS[get_rank(card)], format_card(card, DECK_54)[1]
    if text == "A":
        middle = _draw_pip(letter, WIDTH / 2, HEIGHT / 2, 1.5 if letter == "s" else 1.05)
    elif text in _COURT_HEADS:
        middle = _draw_court(text, letter)
    else:
        middle = "".join(_draw_pip(letter, x, y, 0.48) for x, y in _PIP_POSITIONS[get_rank(card)])
    return f'<g fill="{_get_ink(letter)}">{_draw_index(text, letter)}{middle}</g>'


def _draw_joker() -> str:
    letters = _mirror(
        '<g font-family="Georgia,serif" font-size="22" font-weight="700" text-anchor="middle">'
        + "".join(f'<text x="25" y="{40 + 24 * place}">{letter}</text>' for place, letter in enumerate("JOKER"))
        + "</g>"
    )
    hat = (
        '<path d="M78 158C60 130 62 96 40 92C62 74 92 84 102 112C100 84 108 62 120 48C132 62 140 84 138 112C148 84 178'
        ' 74 200 92C178 96 180 130 162 158Z"/>'
    )
    bells = "".join(f'<circle cx="{x}" cy="{y}" r="9" fill="{_GOLD}"/>' for x, y in ((40, 94), (120, 46), (200, 94)))
    face = (
        f'<path d="M84 160C84 214 102 240 120 240C138 240 156 214 156 160Z" fill="{_SKIN}"/>'
        f'<path d="M74 150H166V166H74Z" fill="{_GOLD}"/>'
        f'<g fill="{_INK}"><circle cx="105" cy="186" r="4"/><circle cx="135" cy="186" r="4"/></g>'
        f'<path d="M102 208Q120 228 138 208" stroke="{_INK}" stroke-width="4" fill="none"/>'
        f'<circle cx="120" cy="198" r="5" fill="var(--suit-h,#c4122f)"/>'
    )
    ruff = '<path d="M70 246Q82 226 95 246Q107 226 120 246Q133 226 145 246Q158 226 170 246L158 272H82Z"/>'
    purple = 'fill="var(--joker,#6d3aa8)"'
    return f"<g {purple}>{letters}{hat}{ruff}</g>{bells}{face}"


def _draw_back() -> str:
    return _draw_blank(
        '<rect x="14" y="14" width="212" height="308" rx="10" fill="var(--card-back,#1d4f91)"/>'
        '<rect x="14" y="14" width="212" height="308" rx="10" fill="url(#lattice)"/>'
        f'<rect x="22" y="22" width="196" height="292" rx="7" {_BACK_OUTLINE}/>'
        f'<circle cx="120" cy="168" r="38" fill="var(--card-back,#1d4f91)"/>'
        f'<circle cx="120" cy="168" r="38" {_BACK_OUTLINE}/>'
        f'<path d="{_PIPS["s"]}" transform="translate(120 168) scale(.46)" fill="#fff" fill-opacity=".9"/>'
    )


@cache
def draw_sprite() -> str:
    """Draw the SVG document with a symbol for every card, both Jokers, and ``back``."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{draw_symbols(DECK_54.cards)}</svg>'


def draw_symbols(cards: Iterable[int]) -> str:
    """Draw the symbols of cards, and ``back``, for an SVG document."""
    faces = [
        f'<symbol id="{format_card(card, DECK_54)}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<title>{get_card_name(card)}</title>"
        f"{_draw_blank(_draw_joker() if card >= FIRST_JOKER else _draw_natural(card))}</symbol>"
        for card in cards
    ]
    return (
        "<defs>"
        '<clipPath id="court"><rect x="58" y="34" width="128" height="268" rx="6"/></clipPath>'
        '<pattern id="lattice" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="16" height="16" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="2"/>'
        '<circle cx="8" cy="8" r="2" fill="#fff" fill-opacity=".5"/></pattern></defs>'
        + "".join(faces)
        + f'<symbol id="back" viewBox="0 0 {WIDTH} {HEIGHT}"><title>A card face down</title>{_draw_back()}</symbol>'
    )
