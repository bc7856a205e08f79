"""A submission as a page with numbered sections, which clauses of rules name."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pitboss.analysis.solutions import compute_method_hash
from pitboss.core.version import __version__
from pitboss.reports.document import LEFT, ListBlock, Section, TableBlock, TextBlock
from pitboss.reports.example_sections import make_examples_section, make_procedure_section
from pitboss.reports.formatting import format_changed_options
from pitboss.reports.method_section import make_method_section
from pitboss.reports.money_sections import make_exposure_section, make_win_section
from pitboss.reports.par_page import (
    iter_summary,
    make_bet_section,
    make_claims_section,
    make_covariance_section,
    make_options_section,
    make_paytables_section,
)
from pitboss.reports.play_section import make_play_section
from pitboss.reports.protection_section import make_protection_section
from pitboss.reports.report import GameReport
from pitboss.reports.rules import make_rules_sections, make_wager_table
from pitboss.reports.volatility_sections import make_awards_section, make_volatility_section

_NOT_CERTIFIED = (
    "This document states figures and how to check them. It is not a certificate: no laboratory or regulator has "
    "certified or approved it, and the rules it cites may have changed."
)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a public rule asks for, and the keys of the sections that have it."""

    rule: str
    asks: str
    sections: tuple[str, ...]
    adds: str = ""


@cache
def load_clauses() -> tuple[Clause, ...]:
    """Load what public rules ask for, from ``clauses.toml``."""
    text = (files("pitboss.reports") / "clauses.toml").read_text(encoding="utf-8")
    return tuple(Clause(**{**each, "sections": tuple(each["sections"])}) for each in tomllib.loads(text)["clause"])


def _make_limits_section(report: GameReport) -> Section:
    submission = report.submission
    limits = submission.limits if submission else None
    return Section("Wagers and limits", (make_wager_table(report.game, limits=limits),))


def _make_outcomes_section(report: GameReport) -> Section:
    about = TextBlock(
        "Every deal is counted once, as a whole number, and settled by the functions that settle the table. The "
        "combinations of a bet add up to all its equally likely deals; a probability is combinations divided by "
        "deals, a contribution is net times probability, and the house edge is the negative sum of the contributions. "
        "Hit frequency is the probability of a net above zero."
    )
    left_out = tuple(TextBlock(f"{bet}: left out, because it {reason}.") for bet, reason in report.not_counted.items())
    return Section(
        "Outcome tables", (about, *left_out), tuple(make_bet_section(report, each) for each in report.sheets)
    )


def _make_play_section(report: GameReport) -> Section:
    section = make_play_section(report)
    if report.main_sheet is None:
        return replace(section, blocks=(TextBlock("Main has no exact sheet, so no strategy is priced."),))
    if not (report.strategy_costs or report.no_costs):
        command = f"`pitboss strategy {report.game.id}`"
        note = f"What strategies cost is left out: it takes long, or none is written. {command} computes it."
        return replace(section, blocks=(*section.blocks, TextBlock(note)))
    return section


def _make_protection_section(report: GameReport) -> Section:
    section = make_protection_section(report)
    if section.blocks or not report.game.decisions:
        return replace(section, blocks=section.blocks or (TextBlock("The player decides nothing: no leak helps."),))
    note = (
        "What it is worth to see a hidden card is not measured here, because it takes minutes. `--protect` adds it to "
        f"this document; `pitboss protect {report.game.id}` prints it."
    )
    return replace(section, blocks=(TextBlock(note),))


SECTIONS: Mapping[str, Callable[[GameReport], Section]] = {
    "rules": lambda report: Section("Rules of play", (), tuple(make_rules_sections(report.game))),
    "limits": _make_limits_section,
    "examples": make_examples_section,
    "procedure": make_procedure_section,
    "paytables": make_paytables_section,
    "outcomes": _make_outcomes_section,
    "volatility": make_volatility_section,
    "awards": make_awards_section,
    "exposure": make_exposure_section,
    "win": make_win_section,
    "covariance": make_covariance_section,
    "play": _make_play_section,
    "protection": _make_protection_section,
    "options": make_options_section,
    "claims": make_claims_section,
    "method": make_method_section,
}
"""The sections in their order, by the keys that ``clauses.toml`` uses; ``summary`` and ``clauses`` come before them."""


def make_submission_page(report: GameReport) -> Section:
    """Return the page of a submission."""
    made = {key: section for key, make in SECTIONS.items() if (section := make(report)).blocks or section.subsections}
    numbers = {key: str(number) for number, key in enumerate(("summary", "clauses", *made), start=1)}
    sections = {"summary": _make_summary_section(report), "clauses": _make_clauses_section(numbers), **made}
    return Section(
        f"{report.game.name}: submission",
        (TextBlock(report.game.summary), TextBlock(_NOT_CERTIFIED)),
        tuple(_number(section, numbers[key]) for key, section in sections.items()),
    )


def _number(section: Section, number: str) -> Section:
    """Return a section with numbers in its headings."""
    parts = tuple(_number(part, f"{number}.{place}") for place, part in enumerate(section.subsections, start=1))
    return replace(section, title=f"{number} {section.title}", subsections=parts)


def _make_summary_section(report: GameReport) -> Section:
    game, changed = report.game, format_changed_options(report.game, report.terms.options)
    facts = (
        f"Deck: {game.deck.size} cards; 1 to {game.seats} seats.",
        f"Options: {changed or 'all at their defaults'}.",
        f"pitboss {__version__}; hash of the rules and methods {compute_method_hash(game)}.",
    )
    remark = (TextBlock(report.remark),) if report.remark else ()
    return Section("Summary", (ListBlock(facts), *remark, *iter_summary(report)))


def _make_clauses_section(numbers: Mapping[str, str]) -> Section:
    rows = tuple(_make_clause_rows(numbers))
    about = TextBlock(
        "Where this document has what public rules ask for, in our words. To cite a rule here does not mean that it is "
        "met: the applicant and the laboratory judge that, by the live text."
    )
    table = TableBlock("", ("Rule", "Asks for", "Section", "The applicant adds"), LEFT * 4, rows)
    return Section("Where each rule is answered", (about, table))


def _make_clause_rows(numbers: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for clause in load_clauses():
        places = ", ".join(numbers[key] for key in clause.sections if key in numbers)
        yield clause.rule, clause.asks, places or "-", clause.adds
