"""A report as a page: its sections, tables and charts, independent of the format."""

from collections.abc import Iterator
from functools import partial

from pitboss.analysis.bet_charts import make_contribution_chart
from pitboss.analysis.meter_chart import compute_meter_chart
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_chart import PAY
from pitboss.analysis.paytable_comparison import name_paytables
from pitboss.analysis.ruin_chart import RUIN
from pitboss.analysis.session_report import PERCENTS
from pitboss.analysis.solutions import compute_method_hash
from pitboss.builders import display_name
from pitboss.contract import PayTable
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.core.version import __version__
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.chart_drawings import draw_chart, draw_outcome_chart, make_chart_blocks
from pitboss.reports.chart_tables import make_chart_table, make_pay_summary
from pitboss.reports.document import LEFT, RIGHT, ChartBlock, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import (
    describe_method,
    describe_paytable,
    describe_played_for,
    format_changed_options,
    format_pay,
    format_paytable_ids,
    format_percent,
    format_signed_percent,
)
from pitboss.reports.play_section import make_play_section
from pitboss.reports.protection_section import make_protection_section
from pitboss.reports.report import GameReport
from pitboss.reports.rules import make_paytable_table, make_rules_sections, make_wager_table
from pitboss.reports.sheet_tables import (
    COVARIANCE_TITLE,
    FIGURE_HEADINGS,
    collect_figures,
    describe_mix,
    iter_covariance_notes,
    list_dealt_lines,
    make_covariance_table,
    make_figure_table,
    make_outcome_table,
    make_paytable_comparison,
)
from pitboss.reports.simulation_charts import draw_session_chart
from pitboss.simulate.session_distribution import SessionDistribution


def make_par_page(report: GameReport) -> Section:
    """Return the page of a report of PAR sheets."""
    game = report.game
    changed = format_changed_options(game, report.terms.options)
    lead = [TextBlock(game.summary)]
    if changed:
        lead.append(TextBlock(f"Played with {changed}."))
    if report.remark:
        lead.append(TextBlock(report.remark))
    rules = *make_rules_sections(game), Section("Limits and constraints", (make_wager_table(game),))
    parts = [
        Section("Rules in brief", (), rules),
        make_paytables_section(report),
        *(make_bet_section(report, sheet) for sheet in report.sheets),
        make_covariance_section(report),
        make_play_section(report),
        make_protection_section(report),
        make_options_section(report),
        _make_session_section(report),
        make_claims_section(report),
        _make_method_section(report),
    ]
    return Section(
        f"{game.name}: PAR sheets",
        (*lead, *iter_summary(report)),
        tuple(part for part in parts if part.blocks or part.subsections),
    )


def iter_summary(report: GameReport) -> Iterator[PageBlock]:
    """Yield the figures that a reader looks for first."""
    headings = "Bet", "Pay table", "House edge", "Element of risk", "Hit frequency", "Standard deviation", "House wins"
    rows = (
        (
            sheet.wager.name,
            format_paytable_ids(sheet) or "even money",
            format_percent(sheet.house_edge),
            format_percent(sheet.element_of_risk),
            format_percent(sheet.hit_frequency),
            f"{sheet.standard_deviation:,.4f}",
            "" if sheet.wager in report.game.main_parts else report.format_house_win(sheet),
        )
        for sheet in report.sheets
    )
    yield TableBlock("The bets", headings, LEFT * 2 + RIGHT * 5, tuple(rows))
    bet, pace = format_cents(report.assumptions.average_bet_cents), report.assumptions.rounds_per_hour
    yield TextBlock(
        "Edges are per unit staked on the bet, for main per unit of its first wager; the element of risk is per unit "
        f"of all chips staked. The house's win is per hour, from one seat that bets {bet} on each bet, within its "
        f"limits, at {pace} rounds an hour.",
        small=True,
    )
    for sheet in report.sheets:
        if sheet.bounds:
            yield TextBlock(f"{sheet.wager.name}: {describe_method(sheet)}.")
    for bet, reason in report.not_counted.items():
        yield TextBlock(f"{bet}: no exact sheet, it {reason}.", small=True)


def make_paytables_section(report: GameReport) -> Section:
    """Return the pay tables of each kind side by side, with the selected one marked."""
    built_in = load_builtin_paytables(report.game)
    blocks: list[PageBlock] = []
    for kind, chosen in report.terms.paytables.items():
        tables = [table for table in built_in if table.kind == kind]
        name = next((wager.name for wager in report.game.wagers if wager.id == kind), display_name(kind).capitalize())
        shown = tables if chosen in tables else [*tables, chosen]
        blocks += _iter_paytable_blocks(name, shown, chosen, name_paytables(report.game, shown))
    return Section("Pay tables", tuple(blocks))


def _iter_paytable_blocks(
    name: str, tables: list[PayTable], selected: PayTable, names: list[str]
) -> Iterator[PageBlock]:
    yield make_paytable_table(name, tables, [selected] if len(tables) > 1 else [], names)
    yield ListBlock(tuple(map(describe_paytable, tables)))
    if len(tables) > 1:
        yield TextBlock(f"* marks the pay table of this report: {names[tables.index(selected)]}.", small=True)


def _describe_left_out(count: int) -> str:
    return f"{format_count(count, 'further outcome')} never occur{'s' if count == 1 else ''}."


def make_bet_section(report: GameReport, sheet: ParSheet) -> Section:
    """Return the sheet of a bet: its outcomes, figures and a chart.

    The figures under other pay tables are there too.
    """
    part = "Part of main, per Ante. " if sheet.wager in report.game.main_parts else ""
    tables = f"Pay table {format_paytable_ids(sheet)}. " if sheet.paytables else ""
    play = describe_played_for(sheet)
    deals = f"{sheet.deals:,} equally likely deals{', ' + play if play else ''}."
    about = f"{part}{tables}{describe_method(sheet).capitalize()}: {deals}"
    shown = list_dealt_lines([sheet])
    left_out = len(sheet.lines) - len(shown)
    contributions = make_contribution_chart(sheet)
    blocks: list[PageBlock] = [
        TextBlock(about),
        make_outcome_table([sheet], lines=shown),
        *([TextBlock(_describe_left_out(left_out), small=True)] if left_out else []),
        make_figure_table([sheet]),
        ChartBlock(f"{sheet.wager.name}: the probability of each net", partial(draw_outcome_chart, sheet)),
        ChartBlock(contributions.title, partial(draw_chart, contributions)),
    ]
    for data in report.charts:
        if data.kind == PAY and data.labels["bet"] == sheet.wager.id:
            blocks += make_chart_blocks(data, make_pay_summary(data))
    if sheet.presets:
        growth = compute_meter_chart(sheet)
        blocks += make_chart_blocks(growth, make_chart_table(growth))
    others = report.other_paytables.get(sheet.wager.id)
    if others:
        printed = [table.id for table in load_builtin_paytables(report.game)]
        blocks.append(
            make_paytable_comparison(
                sorted(
                    (sheet, *others),
                    key=lambda sheet: [printed.index(each.id) for each in sheet.paytables if each.id in printed],
                )
            )
        )
    return Section(sheet.wager.name, tuple(blocks))


def make_covariance_section(report: GameReport) -> Section:
    """Return how the bets move together."""
    covariance = report.covariance_report
    if covariance is None:
        return Section(COVARIANCE_TITLE)
    table = [make_covariance_table(covariance, report.sheets)] if covariance.covariances else []
    notes = (TextBlock(f"{note[0].upper()}{note[1:]}.", small=True) for note in iter_covariance_notes(covariance))
    mix = [TextBlock(f"{describe_mix(covariance.mix)}.")] if covariance.mix else []
    return Section(COVARIANCE_TITLE, (*table, *notes, *mix))


def make_options_section(report: GameReport) -> Section:
    """Return the options that a casino may change, and what each changes."""
    options = report.game.options
    rows = tuple(
        (each.name, report.terms.options[each.name], ", ".join(each.values), each.meaning, each.ruling)
        for each in options
    )
    blocks: list[PageBlock] = [
        TableBlock("The options", ("Option", "Here", "Values", "Decides", "Ruling"), LEFT * 5, rows)
    ]
    effects, missing = [], dict[tuple[str, str], list[str]]()
    for effect in report.effects:
        if effect.sheet is None:
            missing.setdefault((effect.option.name, effect.bet), []).append(effect.value)
        else:
            long_run = collect_figures(effect.sheet).get("long_run_house_edge")
            effects.append(
                (
                    f"{effect.option.name}={effect.value}",
                    effect.bet,
                    format_percent(effect.sheet.house_edge),
                    format_signed_percent(effect.sheet.house_edge - effect.base.house_edge).removesuffix("%"),
                    f"long-run edge {long_run.text}" if long_run else "",
                )
            )
    if effects:
        headings = ("Option", "Bet", "House edge", "Change, percentage points", "Note")
        blocks.append(TableBlock("What each changes", headings, LEFT * 2 + RIGHT * 2 + LEFT, tuple(effects)))
    if report.effects:
        blocks.append(TextBlock("Bets and values that are not listed have the figures of this report.", small=True))
    if missing:
        blocks.append(
            TextBlock("Not computed yet, because each needs another best play (use `pitboss report --full`):")
        )
        blocks.append(
            ListBlock(tuple(f"{bet} with {name}: {', '.join(values)}" for (name, bet), values in missing.items()))
        )
    return Section("Options", tuple(blocks if options else ()))


def list_session_rows(
    session: SessionDistribution, unit: int, rounds_per_hour: int, *, digits: int = 4
) -> list[tuple[str, str, str]]:
    """List the figures of a session in Antes; ``unit`` of its units are one Ante."""
    hours = session.rounds / rounds_per_hour
    behind = 1 - session.probability_ahead - session.probability_even
    return [
        ("Rounds", f"{session.rounds:,}", f"{hours:.1f} hours at {rounds_per_hour} rounds an hour"),
        ("Mean result", f"{session.mean / unit:+,.{digits}f}", "Antes"),
        ("Standard deviation", f"{session.standard_deviation / unit:,.{digits}f}", ""),
        ("Ends ahead", format_percent(session.probability_ahead, digits), ""),
        ("Ends even", format_percent(session.probability_even, digits), ""),
        ("Ends behind", format_percent(behind, digits), ""),
        *((f"{percent}% end at or below", f"{session.percentile(percent) / unit:+,g}", "") for percent in PERCENTS),
    ]


def _make_session_section(report: GameReport) -> Section:
    """Return the results of a session of flat bets on main."""
    session, unit = report.session, report.units_per_ante
    if session is None:
        return Section("A session")
    rows = list_session_rows(session, unit, report.assumptions.rounds_per_hour)
    title = f"A session of {session.rounds:,} rounds, one Ante flat"
    chart = ChartBlock(title, partial(draw_session_chart, session, unit, ""))
    ruin = [
        block
        for data in report.charts
        if data.kind == RUIN
        for block in make_chart_blocks(data, make_chart_table(data))
    ]
    return Section("A session", (TableBlock(title, FIGURE_HEADINGS, LEFT + RIGHT + LEFT, tuple(rows)), chart, *ruin))


def make_claims_section(report: GameReport) -> Section:
    """Compare the rule sheet's claims with the exact figures.

    Also compare its printed pays with how they are read.
    """
    claims, misprints = [], []
    for sheet in report.sheets:
        for each in (sheet, *report.other_paytables.get(sheet.wager.id, ())):
            claims += [
                (table.id, table.claim, format_percent(each.house_edge), format_percent(each.hit_frequency))
                for table in each.paytables
                if table.claim
            ]
    for table in load_builtin_paytables(report.game):
        lines = ((line, pay) for line, pay in table.lines.items() if pay.sheet_text)
        misprints += [
            (table.id, display_name(line), pay.sheet_text, format_pay(pay), pay.ruling) for line, pay in lines
        ]
    blocks: list[PageBlock] = []
    if claims:
        headings = ("Pay table", "The sheet says", "House edge", "Hit frequency")
        blocks.append(TableBlock("What the sheet says of its tables", headings, LEFT * 2 + RIGHT * 2, tuple(claims)))
        blocks.append(TextBlock("A hold is a share of the drop, not the edge of a wager (SC-5).", small=True))
    if misprints:
        readings = ("Pay table", "Line", "Printed", "Read as", "Ruling")
        blocks.append(TableBlock("How unclear pays are read", readings, LEFT * 5, tuple(misprints)))
    if not blocks:
        blocks.append(TextBlock("The rule sheet states no figures for its wagers: no edge, hold or frequency."))
    return Section("The sheet's claims", tuple(blocks))


def _make_method_section(report: GameReport) -> Section:
    """Return how the figures were computed, and by which version."""
    rows = [("pitboss", __version__), ("Rules and methods, hash of the source", compute_method_hash(report.game))]
    for sheet in report.sheets:
        how = "every deal under the best play of main" if sheet.strategy else "every deal"
        rows.append((sheet.wager.name, f"{describe_method(sheet)}, {how}: {sheet.deals:,} deals"))
    return Section(
        "Method and versions",
        (
            TextBlock(
                "Counts are whole numbers and values are fractions throughout; they are rounded only when printed. "
                "Every deal is settled by the same functions that settle the table. Simulated figures say so, with "
                "their standard error."
            ),
            TableBlock("", ("What", "How"), LEFT * 2, tuple(rows)),
        ),
    )
