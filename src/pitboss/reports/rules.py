"""A game's rules: the sections of its README, its wagers and its pay tables."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from pitboss.builders import display_name
from pitboss.contract import Game, PayTable, StakeConstraintKind, StakeLimits, Wager
from pitboss.reports.document import LEFT, RIGHT, Section, TableBlock, parse_markdown
from pitboss.reports.formatting import format_limits, format_pay

_HEADING = re.compile(r"^##? (.+)$", re.MULTILINE)
_CONSTRAINT_TEXTS = {
    StakeConstraintKind.AT_MOST: "at most {bet} ({ruling})",
    StakeConstraintKind.AT_LEAST: "at least {bet} ({ruling})",
    StakeConstraintKind.ONLY_WITH: "only with {bet} ({ruling})",
}

_GENERATED_HEADINGS = ("Pay tables", "Options", "A strategy to remember", "The best play", "Outcomes of")


def read_readme_sections(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each heading of a game's README with the text under it.

    Yield nothing if there is no README.
    """
    readme = game.folder / "README.md"
    if readme.exists():
        _, _, *parts = _HEADING.split(readme.read_text(encoding="utf-8"))
        yield "Cards and seats", parts.pop(0)
        yield from zip(parts[::2], parts[1::2], strict=True)


def make_rules_sections(game: Game) -> Iterator[Section]:
    """Yield the rules of a game from its README.

    Sections generated from the game's data are left out.
    """
    for heading, text in read_readme_sections(game):
        if not heading.startswith(_GENERATED_HEADINGS):
            yield Section(heading, tuple(parse_markdown(text)))


def _describe_placement(wager: Wager) -> str:
    """Describe whether a wager must be placed."""
    if wager.status_option:
        return f"optional (set by {wager.status_option})"
    return "mandatory" if wager.mandatory else "optional"


def _describe_constraints(wager: Wager) -> str:
    """Describe the constraints between a wager's stake and others."""
    return ", ".join(
        _CONSTRAINT_TEXTS[each.kind].format(bet=each.bet, ruling=each.ruling) for each in wager.constraints
    )


def make_wager_table(
    game: Game, *, with_names: bool = True, limits: Mapping[str, StakeLimits] | None = None
) -> TableBlock:
    """Return when each wager is placed, its limits and its constraints.

    ``limits`` are those of a table, instead of the game's own.
    """
    rows = tuple(
        (
            wager.id,
            *([wager.name] if with_names else []),
            _describe_placement(wager),
            format_limits(limits[wager.id] if limits else wager.limits),
            _describe_constraints(wager),
        )
        for wager in game.wagers
    )
    headings = ("Bet", *(["Name"] if with_names else []), "Placed", "Limits", "Constraint")
    return TableBlock("", headings, LEFT * len(headings), rows)


def make_paytable_table(
    name: str, tables: Sequence[PayTable], marked: Container[PayTable], names: Sequence[str] = ()
) -> TableBlock:
    """Return the pays of tables of one kind side by side.

    ``marked`` tables have a ``*``.  ``names`` are headings instead of the ids.
    """
    titles = names or [table.id for table in tables]
    headings = (f"{title}{'*' * (table in marked)}" for title, table in zip(titles, tables, strict=True))
    rows = ((display_name(line), *(format_pay(table.lines[line]) for table in tables)) for line in tables[0].lines)
    return TableBlock(name, ("Line", *headings), LEFT + RIGHT * len(tables), tuple(rows))
