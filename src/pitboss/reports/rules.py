"""A game's rules: the sections of its README, and the constraints of its wagers."""

import re
from collections.abc import Iterator

from pitboss.contract import Game, StakeConstraintKind, Wager
from pitboss.reports.document import Section, parse_markdown

_HEADING = re.compile(r"^##? (.+)$", re.MULTILINE)
_CONSTRAINT_TEXTS = {
    StakeConstraintKind.AT_MOST: "at most {bet} ({ruling})",
    StakeConstraintKind.AT_LEAST: "at least {bet} ({ruling})",
    StakeConstraintKind.ONLY_WITH: "only with {bet} ({ruling})",
}

_GENERATED_HEADINGS = ("Pay tables", "Options", "A play to remember", "The best play", "Outcomes of")


def read_readme_sections(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each heading of a game's README with the text under it; nothing if there is no README."""
    readme = game.folder / "README.md"
    if readme.exists():
        _, _, *parts = _HEADING.split(readme.read_text(encoding="utf-8"))
        yield "Cards and seats", parts.pop(0)
        yield from zip(parts[::2], parts[1::2], strict=True)


def make_rules_sections(game: Game) -> Iterator[Section]:
    """Yield the rules of a game from its README, without the sections generated from the game's data."""
    for heading, text in read_readme_sections(game):
        if not heading.startswith(_GENERATED_HEADINGS):
            yield Section(heading, tuple(parse_markdown(text)))


def describe_placement(wager: Wager) -> str:
    """Describe whether a wager must be placed."""
    if wager.status_option:
        return f"option {wager.status_option}"
    return "mandatory" if wager.mandatory else "optional"


def describe_constraints(wager: Wager) -> str:
    """Describe the constraints between a wager's stake and others."""
    return ", ".join(
        _CONSTRAINT_TEXTS[each.kind].format(bet=each.bet, ruling=each.ruling) for each in wager.constraints
    )
