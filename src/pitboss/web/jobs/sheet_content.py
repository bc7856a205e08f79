"""What the page of a PAR sheet shows.

These are the tables of several sheets with the same deals, and the chart of the first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pitboss.analysis.exact_par_sheet import compute_par_sheet, reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.option_effects import OptionEffect, compute_option_effects
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.sensitivity import compute_sensitivity
from pitboss.builders import capitalize_first, display_value, make_title
from pitboss.contract import Game, PayTable
from pitboss.core.joined_words import join_words
from pitboss.core.money import format_dollars
from pitboss.paytable_toml import format_paytables
from pitboss.reports.comparison_tables import (
    group_unsolved_values,
    iter_sensitivity_notes,
    list_options_without_effect,
    make_option_table,
    make_sensitivity_table,
)
from pitboss.reports.document import TableBlock
from pitboss.reports.formatting import describe_bounds
from pitboss.reports.report import GameReport, ReportAssumptions
from pitboss.reports.sheet_tables import (
    DIFFERENCE_MARK,
    list_columns,
    list_dealt_lines,
    make_figure_table,
    make_outcome_table,
)
from pitboss.value_units import name_one_unit
from pitboss.web.jobs.worker import end_turn, open_no_progress, report_job_progress, unpickle_object

_MAX_BARS = 12
_MAX_UNFOLDED = 24  # more outcomes are folded below the twelve most frequent


class ContributionBar(NamedTuple):
    """The contribution of an outcome, as a bar to one side of zero.

    ``width`` is in percent of the largest.
    """

    name: str
    width: float
    gives: bool


class SheetContent(NamedTuple):
    """What the page shows of one or more sheets.

    ``kept`` says where the play was kept as it was.  ``frequent`` has the most frequent outcomes, None where all are
    few.  ``steps`` is what one step more on each line changes, None without a pay table.  ``has_bounds`` tells whether
    the first sheet has bounds, and ``file`` is its pay table in TOML.
    """

    figures: TableBlock
    kept: tuple[str, ...]
    outcomes: TableBlock
    frequent: TableBlock | None
    under: str
    chart: str
    unit: str
    bars: tuple[ContributionBar, ...]
    mark: str
    steps: TableBlock | None
    step_notes: tuple[str, ...]
    has_bounds: bool
    file: str


def lay_out_sheet(
    counted: bytes,
    terms: GameTerms,
    columns: Sequence[tuple[str, PayTable | None]],
    assumptions: ReportAssumptions,
    meter_cents: int | None = None,
) -> SheetContent:
    """Price a counted sheet under the named pay tables and lay it out.

    ``counted`` is pickled.  A column without a pay table has the sheet as it is.  Percentages are of a meter of
    ``meter_cents``; without it, of the seed.
    """
    sheet: ParSheet = unpickle_object(counted)
    priced = [
        (
            name,
            reprice_sheet(sheet, {**terms.paytables, table.kind: table}, meter_cents=meter_cents) if table else sheet,
        )
        for name, table in columns
    ]
    return _lay_out(terms, priced, assumptions)


class OptionContent(NamedTuple):
    """What each ruling changes in a sheet, with notes.

    The table is None if nothing known changes.  ``is_complete`` tells whether every best play is known.
    """

    table: TableBlock | None
    notes: tuple[str, ...]
    is_complete: bool


def lay_out_options(counted: bytes, terms: GameTerms) -> OptionContent:
    """Return what each ruling changes in a sheet, which is pickled.

    A best play that is not known is not computed: it would take minutes (``solve_options``).
    """
    sheet: ParSheet = unpickle_object(counted)
    meanings = {option.name: capitalize_first(option.meaning) for option in sheet.game.options}
    effects = compute_option_effects(sheet.game, terms, [sheet], open_no_progress, full=False)
    table = make_option_table(effects)
    known = [each for each in effects if each.sheet]
    rows = tuple(
        (f"{meanings[each.option.name]}: {display_value(each.value)}", *figures)
        for each, (_, *figures) in zip(known, table.rows, strict=True)
    )
    notes = tuple(_iter_option_notes(sheet.game, effects, meanings))
    return OptionContent(replace(table, rows=rows) if rows else None, notes, len(known) == len(effects))


def solve_options(counted: bytes, terms: GameTerms) -> OptionContent:
    """Find the best play under every ruling, and return what each changes.

    Each best play is cached when it is found, so a paused job continues with the next.
    """
    sheet: ParSheet = unpickle_object(counted)
    effects = compute_option_effects(sheet.game, terms, [sheet], open_no_progress, full=False)
    missing = [each for each in effects if each.sheet is None]
    for number, each in enumerate(missing, 1):
        what = f"Best play {number} of {len(missing)}, {each.option.meaning}: {display_value(each.value)}"
        changed = GameTerms(terms.paytables, {**terms.options, each.option.name: each.value})
        compute_par_sheet(sheet.game, sheet.wager, changed, partial(report_job_progress, what=what))
        end_turn()
    return lay_out_options(counted, terms)


def _iter_option_notes(game: Game, effects: Sequence[OptionEffect], meanings: Mapping[str, str]) -> Iterator[str]:
    """Yield what has no known best play, and the options that change nothing."""
    if missing := group_unsolved_values(effects):
        listed = (
            f"{meanings[name]}: {join_words([*map(display_value, each)], 'or')}" for name, each in missing.items()
        )
        yield f"not computed yet: {'; '.join(listed)}. Each needs another best play"
    if same := list_options_without_effect(game, effects):
        yield f"changes nothing here: {'; '.join(meanings[name] for name in same)}"


def _lay_out(terms: GameTerms, columns: Sequence[tuple[str, ParSheet]], assumptions: ReportAssumptions) -> SheetContent:
    names, sheets = zip(*columns, strict=True)
    first: ParSheet = sheets[0]
    report = GameReport(first.game, terms, sheets, assumptions)
    bet, pace = format_dollars(report.get_bet_cents(first.wager)), assumptions.rounds_per_hour
    figures, title = make_figure_table(sheets, names), f"{first.game.name}, {first.wager.name}"
    win = (f"House win per hour, one seat betting {bet}, {pace} rounds", *map(report.format_house_win, sheets))
    rows = (*figures.rows, win if len(sheets) > 1 else (*win, ""))
    headings = figures.headings if len(sheets) > 1 else ("Figure", names[0], "Note")
    possible, steps = list_dealt_lines(sheets), compute_sensitivity(first)
    frequent = sorted(possible, key=lambda number: -first.lines[number].deals)[:_MAX_BARS]
    columns_shown, under = list_columns(sheets), f"under {' and '.join(names)}"
    most_frequent = f"The twelve most frequent outcomes {under}"
    return SheetContent(
        figures=replace(figures, title=title, headings=headings, rows=rows),
        kept=tuple(f"{name}: {describe_bounds(sheet)}." for name, sheet in columns if sheet.bounds),
        outcomes=make_outcome_table(sheets, columns_shown, names, f"Outcomes {under}", possible),
        frequent=make_outcome_table(sheets, columns_shown, names, most_frequent, frequent)
        if len(possible) > _MAX_UNFOLDED
        else None,
        under=under,
        chart=f", under {names[0]}" if len(sheets) > 1 else "",
        unit=name_one_unit(first.game) if first.is_main else "unit staked",
        bars=_list_bars(first),
        mark=f"{DIFFERENCE_MARK} differs from {names[0]}" if len(sheets) > 1 else "",
        steps=make_sensitivity_table(steps) if steps else None,
        step_notes=tuple(iter_sensitivity_notes(steps)),
        has_bounds=bool(first.bounds),
        file=format_paytables(first.paytables[:1]) if first.paytables else "",
    )


def _list_bars(sheet: ParSheet) -> tuple[ContributionBar, ...]:
    """Return the largest contributions as bars."""
    contributions = [(each.contribution, each.outcome.name) for each in sheet.lines if each.contribution]
    largest = sorted(contributions, key=lambda each: -abs(each[0]))[:_MAX_BARS]
    return tuple(
        ContributionBar(
            f"{make_title(name)} {float(share):+.4f}", round(float(100 * abs(share / largest[0][0])), 2), share > 0
        )
        for share, name in largest
    )
