"""A game's rules as its folder tells them: the sections of its README, what its wagers are bound to."""

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
    """Yield the headings of the README, each with the text under it; a game without a README tells nothing."""
    readme = game.folder / "README.md"
    if readme.exists():
        _, _, *parts = _HEADING.split(readme.read_text(encoding="utf-8"))
        yield "Cards and seats", parts.pop(0)
        yield from zip(parts[::2], parts[1::2], strict=True)


def make_rules_sections(game: Game) -> Iterator[Section]:
    """Yield the rules of a game as its README tells them, without what is drawn from the game's data."""
    for heading, text in read_readme_sections(game):
        if not heading.startswith(_GENERATED_HEADINGS):
            yield Section(heading, tuple(parse_markdown(text)))


def describe_placement(wager: Wager) -> str:
    """Say whether a wager must be placed."""
    if wager.status_option:
        return f"option {wager.status_option}"
    return "mandatory" if wager.mandatory else "optional"


def describe_constraints(wager: Wager) -> str:
    """Say what binds a wager's stake to others."""
    return ", ".join(_CONSTRAINT_TEXTS[tie.kind].format(bet=tie.bet, ruling=tie.ruling) for tie in wager.constraints)
