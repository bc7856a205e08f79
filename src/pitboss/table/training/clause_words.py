"""What the clauses and rulings that training cites say.

Each has an anchor on the game's rules page.  ``clauses.toml`` of a game's folder holds the words of its clauses, by
sheet, and of its rulings.  A citation such as "rule sheet, 4 and 7 to 9; LU-7 (ALL-10)" is split into references.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from pydantic import Field

from pitboss.builders import display_value
from pitboss.contract import Game
from pitboss.core.strict_model import StrictModel
from pitboss.table.optional_toml import load_optional_toml

SHARED_RULINGS = {
    "ALL-5": "One to six seats play, and each round is dealt from one freshly shuffled deck.",
    "ALL-6": "Cards of other seats that lie face down tell nobody anything. "
    "A hand that is shown early to be paid is open to the whole table; "
    "a wager that is settled early on a hand that stays face down loses.",
    "ALL-10": "Seat 1 is at the dealer's left and is dealt to and asked first. "
    "The highest seat is farthest to the right and is settled first: counter-clockwise.",
    "house procedure": "What no sheet says follows the house's own procedure. "
    "Here: a folded hand is collected face down once no wager on it is left, and a wager on another hand does not "
    "hold it. A hand that is still in is turned up before it is settled.",
}
"""The words of what every game's training cites."""

_LABEL = re.compile(r"\bhouse procedure\b|\b([A-Z]+[0-9]*-)([0-9]+)\b")
_NUMBER = r"[0-9]+[a-z]?"


class ClauseBook(StrictModel):
    """The words of a game's clauses, by sheet and name, and of its rulings."""

    sheets: dict[str, dict[str, str]] = Field(default_factory=dict)
    rulings: dict[str, str] = Field(default_factory=dict)


class ClauseEntry(NamedTuple):
    """What a clause of a sheet says; ``sheet`` is "" for a ruling."""

    sheet: str
    name: str
    words: str

    @property
    def anchor(self) -> str:
        """The anchor on the rules page.

        >>> ClauseEntry("progressive's sheet (keypad)", "8d", "").anchor
        'progressive-s-sheet-keypad-8d'
        """
        return "-".join(re.findall(r"[a-z0-9]+", f"{self.sheet} {self.name}".lower()))


class Reference(NamedTuple):
    """A clause or ruling that a citation names from ``start`` to ``end``.

    Those within a range, as 8 in "7 to 9", have no place of their own: both are where the next one starts.
    """

    sheet: str
    name: str
    start: int
    end: int


class CitedPart(NamedTuple):
    """A part of a citation, and what it refers to, if anything."""

    text: str
    entry: ClauseEntry | None = None


@cache
def load_clauses(game: Game) -> dict[tuple[str, str], ClauseEntry]:
    """Load what a game's clauses and rulings say, by sheet and name.

    Without ``clauses.toml`` there are none.

    Raises:
        PitbossError: the file is not valid.
    """
    book = load_optional_toml(game, "clauses.toml", ClauseBook)
    if book is None:
        return {}
    sheets = {**book.sheets, "": book.rulings | SHARED_RULINGS}
    return {
        (sheet, name): ClauseEntry(sheet, name, words) for sheet, each in sheets.items() for name, words in each.items()
    }


def split_citation(game: Game, citation: str) -> list[CitedPart]:
    """Split a citation into parts, of which some refer to a clause or a ruling."""
    entries, parts, end = load_clauses(game), list[CitedPart](), 0
    for each in find_references(game, citation):
        entry = entries.get((each.sheet, each.name))
        if entry and each.end > each.start:
            parts += [CitedPart(citation[end : each.start]), CitedPart(citation[each.start : each.end], entry)]
            end = each.end
    return [part for part in (*parts, CitedPart(citation[end:])) if part.text]


def list_cited_entries(game: Game, citations: Iterable[str], options: Mapping[str, str]) -> list[ClauseEntry]:
    """List what citations refer to, each once, in the order of the rules page.

    A ruling says what a house with these options plays otherwise.
    """
    cited = {(each.sheet, each.name) for text in citations for each in find_references(game, text)}
    others = {
        option.ruling: f" At this house, {option.meaning}: {display_value(options[option.name])}."
        for option in game.options
        if options[option.name] != option.default
    }
    return [
        entry._replace(words=entry.words + ("" if entry.sheet else others.get(entry.name, "")))
        for key, entry in load_clauses(game).items()
        if key in cited
    ]


def find_references(game: Game, citation: str) -> list[Reference]:
    """Find every clause and ruling that a citation names, in order.

    One without words is found too.
    """
    found = [*_find_clauses(game, citation), *_find_labels(citation)]
    return sorted(found, key=lambda each: (each.start, each.end))


def _find_clauses(game: Game, citation: str) -> Iterator[Reference]:
    """Find the clauses of each sheet, from its name to the next colon or semicolon."""
    names = dict[str, list[str]]()
    for sheet, name in load_clauses(game):
        if sheet:
            names.setdefault(sheet, []).append(name)
    if not names:
        return
    sheets = re.compile(rf"(?:^|(?<=; ))({_join_longest_first(names)})(?![\w(]| \()([^:;]*)")
    for found in sheets.finditer(citation):
        yield from _find_numbers(found[1], names[found[1]], citation, found.start(), found.span(2))


def _find_numbers(
    sheet: str, names: list[str], citation: str, sheet_start: int, span: tuple[int, int]
) -> Iterator[Reference]:
    """Find the names and numbers of a sheet's clauses, and those within ranges.

    The first takes the sheet's name with it.  A number after a section, as in "Poker Bet, 1", may be of the section.
    """
    titles = [name for name in names if not re.fullmatch(rf"(?:.*, )?{_NUMBER}", name)]
    token = re.compile(rf"(?<!\w)(?:{'|'.join(filter(None, (_join_longest_first(titles), _NUMBER)))})(?!\w)")
    section, before, end = "", "", span[0]
    for found in token.finditer(citation, *span):
        start, name = found.start(), found[0]
        if name in titles:
            section = name
        elif f"{section}, {name}" in names:
            name = f"{section}, {name}"
        elif citation[end:start] == " to " and before.isdigit() and name.isdigit():
            for number in range(int(before) + 1, int(name)):
                yield Reference(sheet, str(number), start, start)
        is_first = citation[span[0] : start] == ", "
        yield Reference(sheet, name, sheet_start if is_first else start, found.end())
        before, end = name, found.end()


def _find_labels(citation: str) -> Iterator[Reference]:
    """Find the labels of rulings, and those within their ranges."""
    before: re.Match[str] | None = None
    for found in _LABEL.finditer(citation):
        if before and before[1] and before[1] == found[1] and citation[before.end() : found.start()] == " to ":
            for number in range(int(before[2]) + 1, int(found[2])):
                yield Reference("", f"{found[1]}{number}", found.start(), found.start())
        yield Reference("", found[0], *found.span())
        before = found


def _join_longest_first(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
