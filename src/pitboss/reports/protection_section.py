"""The section about leaks: what it is worth to see more than one should."""

from collections.abc import Iterator

from pitboss.analysis.protection import EXACT, NESTED, SAMPLED, LeakReport, ProtectionReport
from pitboss.core.money import format_dollars
from pitboss.games import load_game
from pitboss.reports.document import LEFT, RIGHT, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.report import GameReport
from pitboss.value_units import name_first_wager

_HEADINGS = "Leak", "Edge", "Gain", "Error", "Changed", "$/hour", "Method"

_METHODS = {
    EXACT: "exact: every deal is counted",
    SAMPLED: "sampled: positions are dealt at random, and all that can follow each is counted",
    NESTED: "nested: what follows a position is sampled too, so the play found is not quite the best one",
}


def make_protection_section(report: GameReport) -> Section:
    """Return the section about leaks; it is empty if they were not measured."""
    return Section("What a leak is worth", tuple(iter_leak_blocks(report.protection)) if report.protection else ())


def iter_leak_blocks(report: ProtectionReport) -> Iterator[PageBlock]:
    """Yield the table of leaks, what its columns mean, and advice on each leak."""
    plain = report.expected_value
    wager = name_first_wager(load_game(report.game))
    if plain is not None:
        yield TextBlock(f"Without a leak the player's edge is {float(plain):+.4%} of {wager}.")
    yield make_leak_table(report)
    terms, used = report.terms, {leak.method for leak in report.leaks}
    yield TextBlock(
        f"Edge: the player's, of {wager}, with the best play that uses the leak. Gain: what that is more than without "
        "it. Error: the gain's standard error. Changed: the share of rounds in which another first action is better, ± "
        f"its standard error. $/hour: with {wager} of {format_dollars(terms.ante_cents)}, {terms.rounds_per_hour} "
        "rounds an hour. "
        f"{'; '.join(text for method, text in _METHODS.items() if method in used).capitalize()}.",
        small=True,
    )
    yield ListBlock(tuple(f"**{leak.id}**: {leak.sees}." for leak in report.leaks))
    for (exploit, detect), leaks in group_advice(report).items():
        yield TextBlock(f"**{', '.join(leak.id for leak in leaks)}**: {exploit} {detect}")


def make_leak_table(report: ProtectionReport) -> TableBlock:
    """Return a row for each leak, the costliest first."""
    return TableBlock("", _HEADINGS, LEFT + RIGHT * 5 + LEFT, tuple(_format_leak(leak) for leak in report.leaks))


def group_advice(report: ProtectionReport) -> dict[tuple[str, str], list[LeakReport]]:
    """Return the leaks by how they are exploited and detected."""
    advice: dict[tuple[str, str], list[LeakReport]] = {}
    for leak in report.leaks:
        advice.setdefault((leak.exploit, leak.detect), []).append(leak)
    return advice


def _format_leak(leak: LeakReport) -> tuple[str, ...]:
    return (
        leak.id,
        f"{float(leak.expected_value):+.4%}",
        f"{float(leak.gain):.4%}",
        "" if leak.method == EXACT else f"{leak.standard_error:.4%}",
        f"{leak.decisions_changed:.2%}" + (f" ± {leak.changed_error:.2%}" if leak.changed_error else ""),
        f"{leak.dollars_per_hour:+,.2f}",
        leak.method,
    )
