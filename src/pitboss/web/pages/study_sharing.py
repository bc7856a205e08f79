"""A position to share: a command line, three lines of Python, and a picture."""

import re
from textwrap import wrap
from typing import NamedTuple

from pitboss.contract import Game
from pitboss.options import resolve_options
from pitboss.web.jobs.study_content import StudyContent, StudyRequest
from pitboss.web.pages.card_drawing import (
    LEAST_WIDTH,
    LINE,
    LINE_LETTERS,
    MARGIN,
    HandPicture,
    draw_rows,
    measure_row,
    wrap_drawing,
    write_line,
)
from pitboss.web.templating import describe_card, format_cost, format_signed_value, format_suited

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

    >>> from pitboss.analysis.game_terms import GameTerms
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

    >>> from pitboss.analysis.game_terms import GameTerms
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
    width = max(LEAST_WIDTH, *(measure_row(cards) for _, cards in content.seen))
    parts, y = [], float(MARGIN + 14)
    parts.append(write_line(MARGIN, y, game.name, "700"))
    for line in wrap(content.question, LINE_LETTERS):
        y += LINE - 4
        parts.append(write_line(MARGIN, y, line))
    best = shown[0]
    hands = [
        HandPicture("You", cards, best.cards) if name == "player" else HandPicture(name.capitalize(), cards)
        for name, cards in content.seen
    ]
    rows, y = draw_rows(hands, y)
    parts += rows
    for each in shown:
        y += LINE
        words = format_suited(" ".join((each.name, *each.cards)))
        cost = "best" if each is best else f"costs {format_cost(each)}"
        parts.append(write_line(MARGIN, y, words, "700" if each is best else "400"))
        parts.append(write_line(width / 2, y, f"{format_signed_value(each.value)} {content.unit}"))
        parts.append(write_line(width * 0.76, y, cost))
    names = [each for _, cards in content.seen for each in cards]
    described = "; ".join(f"{name}: {', '.join(map(describe_card, cards))}" for name, cards in content.seen)
    return wrap_drawing(f"{game.name}: {content.question}", described, (width, y + MARGIN), names, parts)
