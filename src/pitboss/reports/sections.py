"""A report as a page: its sections, tables and charts, independent of the format."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.session_report import PERCENTS
from pitboss.analysis.solutions import compute_method_hash
from pitboss.builders import display_name
from pitboss.contract import Game, PayTable
from pitboss.core.money import format_cents
from pitboss.core.version import __version__
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.charts import draw_outcome_chart, draw_session_chart
from pitboss.reports.document import LEFT, RIGHT, ChartBlock, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import (
    COVARIANCE_REMARK,
    describe_method,
    describe_mix,
    describe_pays,
    describe_played_for,
    describe_simulated_errors,
    format_changed_options,
    format_fraction,
    format_limits,
    format_pay,
    format_paytable_ids,
    format_rounded,
    iter_figures,
    iter_paytable_notes,
    list_extra_figures,
    make_covariance_rows,
)
from pitboss.reports.play_section import make_play_section
from pitboss.reports.report import GameReport
from pitboss.reports.rules import describe_constraints, describe_placement, make_rules_sections

_FIGURE_HEADINGS = ("Figure", "Value", "Note")
_MIN_FIXED_PROBABILITY = 1e-6


def make_page(report: GameReport) -> Section:
    """Return the page of a report."""
    game = report.game
    changed = format_changed_options(game, report.terms.options)
    lead = [TextBlock(game.summary)]
    if changed:
        lead.append(TextBlock(f"Played with {changed}."))
    if report.remark:
        lead.append(TextBlock(report.remark))
    parts = [
        _make_rules_section(game),
        _make_paytables_section(report),
        *(_make_bet_section(report, sheet) for sheet in report.sheets),
        _make_covariance_section(report),
        make_play_section(report),
        _make_options_section(report),
        _make_session_section(report),
        _make_claims_section(report),
        _make_method_section(report),
    ]
    return Section(
        f"{game.name}: PAR sheets",
        (*lead, *_iter_summary(report)),
        tuple(part for part in parts if part.blocks or part.subsections),
    )


def format_probability(value: float) -> str:
    """Format a probability with ten decimal places, a very small one with five significant digits.

    >>> format_probability(0.25), format_probability(3e-13)
    ('0.2500000000', '3.0000e-13')
    """
    return f"{value:.10f}" if value >= _MIN_FIXED_PROBABILITY or not value else f"{value:.4e}"


def _iter_summary(report: GameReport) -> Iterator[PageBlock]:
    """Yield the figures that a reader looks for first."""
    headings = "Bet", "Pay table", "House edge", "Element of risk", "Hit frequency", "Standard deviation", "House wins"
    rows = []
    for sheet in report.sheets:
        risk = sheet.extras.get("element_of_risk")
        rows.append(
            (
                sheet.wager.name,
                format_paytable_ids(sheet) or "even money",
                f"{float(sheet.house_edge):.4%}",
                f"{float(risk if isinstance(risk, Fraction) else sheet.house_edge):.4%}",
                f"{float(sheet.hit_frequency):.4%}",
                f"{sheet.standard_deviation:,.4f}",
                "" if sheet.wager in report.game.main_parts else _format_house_win(report, sheet),
            )
        )
    yield TableBlock("The bets", headings, LEFT * 2 + RIGHT * 5, tuple(rows))
    bet, pace = format_cents(report.assumptions.average_bet_cents), report.assumptions.rounds_an_hour
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


def _format_house_win(report: GameReport, sheet: ParSheet) -> str:
    return format_cents(round(report.compute_house_win_cents(sheet)))


def _make_rules_section(game: Game) -> Section:
    """Return the rules from the game's own folder, and the limits and constraints of its wagers."""
    rows = tuple(
        (wager.id, wager.name, describe_placement(wager), format_limits(wager), describe_constraints(wager))
        for wager in game.wagers
    )
    bets = TableBlock("", ("Bet", "Name", "Placed", "Limits", "Tied to other wagers"), LEFT * 5, rows)
    return Section("Rules in brief", (), (*make_rules_sections(game), Section("Limits and ties", (bets,))))


def _make_paytables_section(report: GameReport) -> Section:
    """Return the pay tables of each kind side by side, with the selected one marked."""
    built_in = load_builtin_paytables(report.game)
    blocks: list[PageBlock] = []
    for kind, chosen in report.terms.paytables.items():
        tables = [table for table in built_in if table.kind == kind]
        name = next((wager.name for wager in report.game.wagers if wager.id == kind), display_name(kind).capitalize())
        blocks += _iter_paytable_blocks(name, tables if chosen in tables else [*tables, chosen], chosen)
    return Section("Pay tables", tuple(blocks))


def _iter_paytable_blocks(name: str, tables: list[PayTable], selected: PayTable) -> Iterator[PageBlock]:
    headings = tuple(f"{table.id}{'*' * (table is selected and len(tables) > 1)}" for table in tables)
    rows = tuple((display_name(line), *(format_pay(table.lines[line]) for table in tables)) for line in selected.lines)
    yield TableBlock(name, ("Line", *headings), LEFT + RIGHT * len(tables), rows)
    yield ListBlock(tuple(f"{table.id}: {'; '.join(iter_paytable_notes(table))}" for table in tables))
    if len(tables) > 1:
        yield TextBlock(f"* marks the pay table of this report: {selected.id}.", small=True)


def _make_bet_section(report: GameReport, sheet: ParSheet) -> Section:
    """Return the sheet of a bet: outcomes, figures, a chart, and its figures under other pay tables."""
    part = "Part of main, per Ante. " if sheet.wager in report.game.main_parts else ""
    tables = f"Pay table {format_paytable_ids(sheet)}. " if sheet.paytables else ""
    play = describe_played_for(sheet)
    deals = f"{sheet.deals:,} equally likely deals{', ' + play if play else ''}."
    about = f"{part}{tables}{describe_method(sheet).capitalize()}: {deals}"
    rows = tuple(
        (
            display_name(line.outcome.name),
            describe_pays(line, sheet),
            format_rounded(line.net),
            f"{line.deals:,}",
            format_probability(float(line.probability)),
            format_rounded(1 / line.probability),
            f"{float(line.contribution):+.8f}",
        )
        for line in sheet.lines
        if line.deals
    )
    left_out = len(sheet.lines) - len(rows)
    headings = ("Outcome", "Pays", "Net", "Combinations", "Probability", "1 in", "Contribution")
    blocks: list[PageBlock] = [
        TextBlock(about),
        TableBlock("Outcomes", headings, LEFT + RIGHT * 6, rows),
        *([TextBlock(f"{left_out} further outcomes never occur.", small=True)] if left_out else []),
        TableBlock("Figures", _FIGURE_HEADINGS, LEFT + RIGHT + LEFT, tuple(iter_figures(sheet))),
        ChartBlock(
            f"{sheet.wager.name}: the probability of each net, and its contribution to the return",
            partial(draw_outcome_chart, sheet),
        ),
    ]
    others = report.other_paytables.get(sheet.wager.id)
    if others:
        blocks.append(_make_paytable_comparison([sheet, *others]))
    return Section(sheet.wager.name, tuple(blocks))


def _make_paytable_comparison(sheets: list[ParSheet]) -> TableBlock:
    printed = [table.id for table in load_builtin_paytables(sheets[0].game)]
    sheets.sort(key=lambda sheet: [printed.index(each.id) for each in sheet.paytables if each.id in printed])
    rows = tuple(
        (
            f"{format_paytable_ids(sheet)}{' (same play)' if sheet.bounds else ''}",
            f"{float(sheet.house_edge):.4%}",
            f"{float(sheet.hit_frequency):.4%}",
            f"{sheet.standard_deviation:,.4f}",
            format_fraction(sheet.house_edge),
        )
        for sheet in sheets
    )
    headings = ("Pay table", "House edge", "Hit frequency", "Standard deviation", "House edge, exactly")
    return TableBlock("The pay tables compared", headings, LEFT + RIGHT * 4, rows)


def _make_covariance_section(report: GameReport) -> Section:
    """Return how the bets move together."""
    title, covariance = "How the bets move together", report.covariance_report
    if covariance is None or not covariance.covariances:
        return Section(title)
    rows = tuple(tuple(row) for row in make_covariance_rows(covariance, report.sheets))
    headings = ("", *(row[0] for row in rows))
    blocks: list[PageBlock] = [
        TableBlock("Covariance and correlation", headings, LEFT + RIGHT * len(rows), rows),
        TextBlock(f"{COVARIANCE_REMARK[0].upper()}{COVARIANCE_REMARK[1:]}.", small=True),
        *(TextBlock(f"{remark}.", small=True) for remark in describe_simulated_errors(covariance)),
    ]
    if covariance.mix:
        blocks.append(TextBlock(f"{describe_mix(covariance.mix)}."))
    return Section(title, tuple(blocks))


def _make_options_section(report: GameReport) -> Section:
    """Return the options that a casino may change, and what each changes."""
    options = report.game.options
    rows = tuple(
        (each.name, report.terms.options[each.name], ", ".join(each.values), each.meaning, each.ruling)
        for each in options
    )
    blocks: list[PageBlock] = [
        TableBlock("The options", ("Option", "Here", "Values", "Decides", "Ruling"), LEFT * 5, rows)
    ]
    edges = {sheet.wager.id: sheet.house_edge for sheet in report.sheets}
    effects, missing = [], dict[tuple[str, str], list[str]]()
    for effect in report.effects:
        if effect.sheet is None:
            missing.setdefault((effect.option.name, effect.bet), []).append(effect.value)
        else:
            edge, row = effect.sheet.house_edge, list_extra_figures(effect.sheet).get("long_run_house_edge")
            effects.append(
                (
                    f"{effect.option.name}={effect.value}",
                    effect.bet,
                    f"{float(edge):.4%}",
                    f"{100 * float(edge - edges[effect.bet]):+.4f}",
                    f"long-run edge {row[0].format_figure(row[1])}" if row else "",
                )
            )
    if effects:
        headings = ("Option", "Bet", "House edge", "Change in points", "Note")
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


def _make_session_section(report: GameReport) -> Section:
    """Return the results of a session of flat bets on main."""
    session, unit = report.session, report.units_per_ante
    if session is None:
        return Section("A session")
    hours = session.rounds / report.assumptions.rounds_an_hour
    rows = [
        ("Rounds", f"{session.rounds:,}", f"{hours:.1f} hours at {report.assumptions.rounds_an_hour} rounds an hour"),
        ("Mean result", f"{session.mean / unit:+,.4f}", "Antes"),
        ("Standard deviation", f"{session.standard_deviation / unit:,.4f}", ""),
        ("Ends ahead", f"{session.probability_ahead:.4%}", ""),
        ("Ends even", f"{session.probability_even:.4%}", ""),
        ("Ends behind", f"{1 - session.probability_ahead - session.probability_even:.4%}", ""),
        *((f"{percent}% end at or below", f"{session.percentile(percent) / unit:+,g}", "") for percent in PERCENTS),
    ]
    title = f"A session of {session.rounds:,} rounds, one Ante flat"
    chart = ChartBlock(title, partial(draw_session_chart, session, unit, ""))
    return Section("A session", (TableBlock(title, _FIGURE_HEADINGS, LEFT + RIGHT + LEFT, tuple(rows)), chart))


def _make_claims_section(report: GameReport) -> Section:
    """Compare the rule sheet's claims with the exact figures, and its printed pays with how they are read."""
    claims, misprints = [], []
    for sheet in report.sheets:
        for each in (sheet, *report.other_paytables.get(sheet.wager.id, ())):
            claims += [
                (table.id, table.claim, f"{float(each.house_edge):.4%}", f"{float(each.hit_frequency):.4%}")
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
        columns = ("Pay table", "Line", "Printed", "Read as", "Ruling")
        blocks.append(TableBlock("How unclear pays are read", columns, LEFT * 5, tuple(misprints)))
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
