"""A position to share: a command line, three lines of Python, and a picture."""

import re
from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

from pitboss.cards import DECK_54, format_card
from pitboss.contract import Game
from pitboss.options import resolve_options
from pitboss.web.card_sprite import HEIGHT, WIDTH, draw_symbols
from pitboss.web.jobs.study_content import StudyContent, StudyRequest
from pitboss.web.templating import describe_card, format_cost, format_signed_value, get_face_id

_VARIABLE = re.compile(r"var\(--[a-z-]+,([^()]+)\)")
"""A colour that a page may set: a file of its own has the colour that is meant without a page."""

_CARD, _GAP, _MARGIN, _LINE = 72, 8, 24, 26
_LEAST_WIDTH, _LINE_LETTERS = 560, 58
_MOST_ACTIONS = 8


class SharedTerms(NamedTuple):
    """The terms of a house that differ from those of the rule sheet."""

    paytables: tuple[str, ...]
    options: dict[str, str]


def find_shared_terms(request: StudyRequest) -> SharedTerms:
    """Return the pay tables and options that a command has to name."""
    game, terms = request.game, request.terms
    usual = resolve_options(game, {})
    tables = tuple(table.id for table in terms.paytables.values() if not table.default)
    return SharedTerms(tables, {name: value for name, value in terms.options.items() if value != usual[name]})


def write_command(request: StudyRequest) -> str:
    """Write the line that values a position in a terminal.

    >>> from pitboss.analysis.exact_par_sheet import GameTerms
    >>> from pitboss.games import load_game
    >>> cards = (("player", "As Kd 9h 7c 4s 2d"), ("dealer", "Qs Jd 3h"))
    >>> write_command(StudyRequest(load_game("six-card"), GameTerms({}, {}), cards, ()))
    'pitboss hint six-card --player "As Kd 9h 7c 4s 2d" --dealer "Qs Jd 3h"'
    """
    shared = find_shared_terms(request)
    words = [f'--{name} "{_clean(text)}"' for name, text in request.cards]
    words += [f'--taken "{" ".join(map(_clean, request.taken))}"'] if request.taken else []
    words += [f"--with {bet}={stake}" for bet, stake in request.terms.stakes.items()]
    words += [f"--option {name}={value}" for name, value in shared.options.items()]
    words += [f"--paytable {table}" for table in shared.paytables]
    return " ".join((f"pitboss hint {request.game.id}", *words))


def write_program(request: StudyRequest) -> str:
    r"""Write three lines of Python that value a position.

    >>> from pitboss.analysis.exact_par_sheet import GameTerms
    >>> from pitboss.games import load_game
    >>> cards = (("player", "As Kd 9h 7c 4s 2d"), ("dealer", "Qs Jd 3h"))
    >>> print(write_program(StudyRequest(load_game("six-card"), GameTerms({}, {}), cards, ())))
    import pitboss as pb
    choices = pb.game("six-card").hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h")
    print(*choices, sep="\n")
    """
    shared = find_shared_terms(request)
    words = [f'{name}="{_clean(text)}"' for name, text in request.cards]
    words += [f"taken={list(map(_clean, request.taken))}"] if request.taken else []
    stakes = {bet: str(stake) for bet, stake in request.terms.stakes.items()}
    words += [f"stakes={stakes}"] if stakes else []
    words += [f"options={shared.options}"] if shared.options else []
    words += [f"paytables={list(shared.paytables)}"] if shared.paytables else []
    hint = f'choices = pb.game("{request.game.id}").hint({", ".join(words)})'
    return f'import pitboss as pb\n{hint}\nprint(*choices, sep="\\n")'


def _clean(text: str) -> str:
    """Return a text without what a shell or Python would read as more than a text."""
    return re.sub(r"[^A-Za-z0-9 ,-]", "", text)


def draw_position(game: Game, content: StudyContent) -> str:
    """Draw a position with the value of its best actions, as an SVG file of its own."""
    shown = [each for each, _ in content.actions][:_MOST_ACTIONS]
    width = max(_LEAST_WIDTH, *(_measure_row(cards) for _, cards in content.seen))
    parts, y = [], float(_MARGIN + 14)
    parts.append(_write(_MARGIN, y, game.name, "700"))
    for line in wrap(content.question, _LINE_LETTERS):
        y += _LINE - 4
        parts.append(_write(_MARGIN, y, line))
    best = shown[0]
    for name, cards in content.seen:
        y += _LINE + 4
        parts.append(_write(_MARGIN, y, {"player": "You"}.get(name, name.capitalize())))
        y += 8
        parts += [
            _place_card(each, place, y, marked=name == "player" and each in best.cards)
            for place, each in enumerate(cards)
        ]
        y += _CARD * HEIGHT / WIDTH
    y += 8
    for each in shown:
        y += _LINE
        words = " ".join((each.name, *each.cards))
        cost = "best" if each is best else f"costs {format_cost(each)}"
        parts.append(_write(_MARGIN, y, words, "700" if each is best else "400"))
        parts.append(_write(width / 2, y, f"{format_signed_value(each.value)} {content.unit}"))
        parts.append(_write(width * 0.76, y, cost))
    height = y + _MARGIN
    title = f"{game.name}: {content.question}"
    described = "; ".join(f"{name}: {', '.join(map(describe_card, cards))}" for name, cards in content.seen)
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}" font-family="Verdana, DejaVu Sans, sans-serif" '
        f'font-size="15"><title>{escape(title)}</title><desc>{escape(described)}</desc>'
        f'<rect width="100%" height="100%" fill="#fffdf7"/>{_draw_symbols(content)}{"".join(parts)}</svg>\n'
    )


def _measure_row(cards: Sequence[str]) -> int:
    return 2 * _MARGIN + len(cards) * (_CARD + _GAP)


def _draw_symbols(content: StudyContent) -> str:
    """Return the symbols of the cards seen, in the colours that need no page."""
    names = {get_face_id(each) for _, cards in content.seen for each in cards}
    cards = [card for card in DECK_54.cards if format_card(card, DECK_54) in names]
    return _VARIABLE.sub(r"\1", draw_symbols(cards))


def _place_card(name: str, place: int, y: float, *, marked: bool) -> str:
    x, height = _MARGIN + place * (_CARD + _GAP), _CARD * HEIGHT / WIDTH
    drawn = f'<use href="#{get_face_id(name)}" x="{x}" y="{y:g}" width="{_CARD}" height="{height:g}"/>'
    if not marked:
        return drawn
    frame = f'x="{x - 2}" y="{y - 2:g}" width="{_CARD + 4}" height="{height + 4:g}"'
    return f'{drawn}<rect {frame} fill="none" stroke="#9a6700" stroke-width="3" stroke-dasharray="8 5"/>'


def _write(x: float, y: float, text: str, weight: str = "400") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="#1b2a24" font-weight="{weight}">{escape(text)}</text>'
