"""A report as a page: its sections, tables and charts, in words and figures that any format can write."""

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
from pitboss.reports.charts import outcome_chart, session_chart
from pitboss.reports.document import LEFT, RIGHT, Block, Chart, Items, Section, Table, Words
from pitboss.reports.play import play_section
from pitboss.reports.report import Report
from pitboss.reports.rules import bound, in_brief, placed
from pitboss.reports.words import (
    MATRIX_REMARK,
    changed_options,
    exact,
    extras,
    figures,
    limits,
    matrix,
    method,
    mixed,
    notes,
    pay_words,
    pays,
    played_for,
    rounded,
    simulated_moves,
    table_name,
)

_FIGURE = ("Figure", "Value", "Note")
_SMALL = 1e-6


def page(report: Report) -> Section:
    """Return the page of a report."""
    game = report.game
    changed = changed_options(game, report.terms.options)
    lead = [Words(game.summary)]
    if changed:
        lead.append(Words(f"Played with {changed}."))
    if report.remark:
        lead.append(Words(report.remark))
    parts = [
        _rules(game),
        _pay_tables(report),
        *(_bet(report, sheet) for sheet in report.sheets),
        _together(report),
        play_section(report),
        _options(report),
        _session(report),
        _claims(report),
        _method(report),
    ]
    return Section(
        f"{game.name}: PAR sheets",
        (*lead, *_summary(report)),
        tuple(part for part in parts if part.blocks or part.parts),
    )


def probability(value: float) -> str:
    """Write a probability with ten places, one too small for that with five figures.

    >>> probability(0.25), probability(3e-13)
    ('0.2500000000', '3.0000e-13')
    """
    return f"{value:.10f}" if value >= _SMALL or not value else f"{value:.4e}"


def _summary(report: Report) -> Iterator[Block]:
    """Yield the figures that a reader looks for first."""
    heads = "Bet", "Pay table", "House edge", "Element of risk", "Hit frequency", "Standard deviation", "House wins"
    rows = []
    for sheet in report.sheets:
        risk = sheet.extras.get("element_of_risk")
        rows.append(
            (
                sheet.wager.name,
                table_name(sheet) or "even money",
                f"{float(sheet.house_edge):.4%}",
                f"{float(risk if isinstance(risk, Fraction) else sheet.house_edge):.4%}",
                f"{float(sheet.hit_frequency):.4%}",
                f"{sheet.standard_deviation:,.4f}",
                "" if sheet.wager in report.game.main_parts else _dollars(report, sheet),
            )
        )
    yield Table("The bets", heads, LEFT * 2 + RIGHT * 5, tuple(rows))
    stated = report.stated
    yield Words(
        "Edges are per unit staked on the bet, of main per unit of its first wager; the element of risk is per unit of "
        "all chips put down. What the house wins is an hour's, of a seat that bets "
        f"{format_cents(stated.average_bet_cents)} on each, within its limits, {stated.rounds_an_hour} rounds an hour.",
        small=True,
    )
    for sheet in report.sheets:
        if sheet.bounds:
            yield Words(f"{sheet.wager.name}: {method(sheet)}.")
    for bet, reason in report.not_counted.items():
        yield Words(f"{bet}: no exact sheet, it {reason}.", small=True)


def _dollars(report: Report, sheet: ParSheet) -> str:
    return format_cents(round(report.house_wins_cents(sheet)))


def _rules(game: Game) -> Section:
    """Tell the rules as the game's own folder does, and the limits and ties of its wagers."""
    rows = tuple((wager.id, wager.name, placed(wager), limits(wager), bound(wager)) for wager in game.wagers)
    bets = Table("", ("Bet", "Name", "Placed", "Limits", "Bound to others"), LEFT * 5, rows)
    return Section("Rules in brief", (), (*in_brief(game), Section("Limits and ties", (bets,))))


def _pay_tables(report: Report) -> Section:
    """Set the pay tables of each kind side by side, the one chosen marked."""
    built_in = load_builtin_paytables(report.game)
    blocks: list[Block] = []
    for kind, chosen in report.terms.paytables.items():
        tables = [table for table in built_in if table.kind == kind]
        name = next((wager.name for wager in report.game.wagers if wager.id == kind), display_name(kind).capitalize())
        blocks += _of_kind(name, tables if chosen in tables else [*tables, chosen], chosen)
    return Section("Pay tables", tuple(blocks))


def _of_kind(name: str, tables: list[PayTable], chosen: PayTable) -> Iterator[Block]:
    heads = tuple(f"{table.id}{'*' * (table is chosen and len(tables) > 1)}" for table in tables)
    rows = tuple((display_name(line), *(pay_words(table.lines[line]) for table in tables)) for line in chosen.lines)
    yield Table(name, ("Line", *heads), LEFT + RIGHT * len(tables), rows)
    yield Items(tuple(f"{table.id}: {'; '.join(notes(table))}" for table in tables))
    if len(tables) > 1:
        yield Words(f"* is what this report is made with: {chosen.id}.", small=True)


def _bet(report: Report, sheet: ParSheet) -> Section:
    """Return the sheet of a bet: outcomes, figures, their picture, and its figures under other pay tables."""
    part = "Part of main, per Ante. " if sheet.wager in report.game.main_parts else ""
    tables = f"Pay table {table_name(sheet)}. " if sheet.paytables else ""
    played = played_for(sheet)
    deals = f"{sheet.deals:,} equally likely deals{', ' + played if played else ''}."
    about = f"{part}{tables}{method(sheet).capitalize()}: {deals}"
    rows = tuple(
        (
            display_name(line.outcome.name),
            pays(line, sheet),
            rounded(line.net),
            f"{line.deals:,}",
            probability(float(line.probability)),
            rounded(1 / line.probability),
            f"{float(line.contribution):+.8f}",
        )
        for line in sheet.lines
        if line.deals
    )
    left_out = len(sheet.lines) - len(rows)
    heads = ("Outcome", "Pays", "Net", "Combinations", "Probability", "1 in", "Contribution")
    found = _FIGURE, LEFT + RIGHT + LEFT, tuple(figures(sheet))
    blocks: list[Block] = [
        Words(about),
        Table("Outcomes", heads, LEFT + RIGHT * 6, rows),
        *([Words(f"No deal comes to {left_out} further outcomes.", small=True)] if left_out else []),
        Table("Figures", *found),
        Chart(
            f"{sheet.wager.name}: how often each net comes, and what it adds to the return",
            partial(outcome_chart, sheet),
        ),
    ]
    others = report.beside.get(sheet.wager.id)
    if others:
        blocks.append(_other_tables([sheet, *others]))
    return Section(sheet.wager.name, tuple(blocks))


def _other_tables(sheets: list[ParSheet]) -> Table:
    printed = [table.id for table in load_builtin_paytables(sheets[0].game)]
    sheets.sort(key=lambda sheet: [printed.index(each.id) for each in sheet.paytables if each.id in printed])
    rows = tuple(
        (
            f"{table_name(sheet)}{' (play kept)' if sheet.bounds else ''}",
            f"{float(sheet.house_edge):.4%}",
            f"{float(sheet.hit_frequency):.4%}",
            f"{sheet.standard_deviation:,.4f}",
            exact(sheet.house_edge),
        )
        for sheet in sheets
    )
    heads = ("Pay table", "House edge", "Hit frequency", "Standard deviation", "House edge, exactly")
    return Table("The pay tables compared", heads, LEFT + RIGHT * 4, rows)


def _together(report: Report) -> Section:
    """Tell how the bets move together."""
    title, found = "How the bets move together", report.together
    if found is None or not found.covariances:
        return Section(title)
    rows = tuple(tuple(row) for row in matrix(found, report.sheets))
    heads = ("", *(row[0] for row in rows))
    blocks: list[Block] = [
        Table("Covariance and correlation", heads, LEFT + RIGHT * len(rows), rows),
        Words(f"{MATRIX_REMARK[0].upper()}{MATRIX_REMARK[1:]}.", small=True),
        *(Words(f"{remark}.", small=True) for remark in simulated_moves(found)),
    ]
    if found.mix:
        blocks.append(Words(f"{mixed(found.mix)}."))
    return Section(title, tuple(blocks))


def _options(report: Report) -> Section:
    """List what a casino may decide otherwise, and what that changes."""
    of_game = report.game.options
    rows = tuple(
        (each.name, report.terms.options[each.name], ", ".join(each.values), each.meaning, each.ruling)
        for each in of_game
    )
    blocks: list[Block] = [
        Table("What may be ruled otherwise", ("Option", "Here", "Values", "Decides", "Ruling"), LEFT * 5, rows)
    ]
    edges = {sheet.wager.id: sheet.house_edge for sheet in report.sheets}
    found, missing = [], dict[tuple[str, str], list[str]]()
    for effect in report.effects:
        if effect.sheet is None:
            missing.setdefault((effect.option.name, effect.bet), []).append(effect.value)
        else:
            edge, row = effect.sheet.house_edge, extras(effect.sheet).get("long_run_house_edge")
            found.append(
                (
                    f"{effect.option.name}={effect.value}",
                    effect.bet,
                    f"{float(edge):.4%}",
                    f"{100 * float(edge - edges[effect.bet]):+.4f}",
                    f"long-run edge {row[0].written(row[1])}" if row else "",
                )
            )
    if found:
        heads = ("Option", "Bet", "House edge", "Change in points", "Note")
        blocks.append(Table("What each changes", heads, LEFT * 2 + RIGHT * 2 + LEFT, tuple(found)))
    if report.effects:
        blocks.append(Words("Bets and values that are not listed have the figures of this report.", small=True))
    if missing:
        blocks.append(Words("Not found yet, as each needs the best play anew (`pitboss report --full` finds them):"))
        blocks.append(
            Items(tuple(f"{bet} with {name}: {', '.join(values)}" for (name, bet), values in missing.items()))
        )
    return Section("Options", tuple(blocks if of_game else ()))


def _session(report: Report) -> Section:
    """Tell what becomes of a session of flat bets on main."""
    found, unit = report.session, report.unit
    if found is None:
        return Section("A session")
    hours = found.rounds / report.stated.rounds_an_hour
    rows = [
        ("Rounds", f"{found.rounds:,}", f"{hours:.1f} hours at {report.stated.rounds_an_hour} rounds an hour"),
        ("Mean result", f"{found.mean / unit:+,.4f}", "Antes"),
        ("Standard deviation", f"{found.standard_deviation / unit:,.4f}", ""),
        ("Ends ahead", f"{found.probability_ahead:.4%}", ""),
        ("Ends even", f"{found.probability_even:.4%}", ""),
        ("Ends behind", f"{1 - found.probability_ahead - found.probability_even:.4%}", ""),
        *((f"{percent}% end at or below", f"{found.percentile(percent) / unit:+,g}", "") for percent in PERCENTS),
    ]
    title = f"A session of {found.rounds:,} rounds, one Ante flat"
    drawn = Chart(title, partial(session_chart, found, unit, ""))
    return Section("A session", (Table(title, _FIGURE, LEFT + RIGHT + LEFT, tuple(rows)), drawn))


def _claims(report: Report) -> Section:
    """Set what the rule sheet prints of a pay table beside the exact figures, and its words beside what is read."""
    claimed, read = [], []
    for sheet in report.sheets:
        for each in (sheet, *report.beside.get(sheet.wager.id, ())):
            claimed += [
                (table.id, table.claim, f"{float(each.house_edge):.4%}", f"{float(each.hit_frequency):.4%}")
                for table in each.paytables
                if table.claim
            ]
    for table in load_builtin_paytables(report.game):
        lines = ((line, pay) for line, pay in table.lines.items() if pay.sheet_text)
        read += [(table.id, display_name(line), pay.sheet_text, pay_words(pay), pay.ruling) for line, pay in lines]
    blocks: list[Block] = []
    if claimed:
        heads = ("Pay table", "The sheet says", "House edge", "Hit frequency")
        blocks.append(Table("What the sheet says of its tables", heads, LEFT * 2 + RIGHT * 2, tuple(claimed)))
        blocks.append(Words("A hold is a share of the drop, not the edge of a wager (SC-5).", small=True))
    if read:
        printed = ("Pay table", "Line", "Printed", "Read as", "Ruling")
        blocks.append(Table("What had to be read", printed, LEFT * 5, tuple(read)))
    if not blocks:
        blocks.append(Words("The rule sheet states no figure of its wagers: no edge, hold or frequency."))
    return Section("The sheet's claims", tuple(blocks))


def _method(report: Report) -> Section:
    """Say how the figures were found, and by which program."""
    rows = [("pitboss", __version__), ("Rules and methods, hash of the source", compute_method_hash(report.game))]
    for sheet in report.sheets:
        how = "every deal under the best play of main" if sheet.strategy else "every deal"
        rows.append((sheet.wager.name, f"{method(sheet)}, {how}: {sheet.deals:,} deals"))
    return Section(
        "Method and versions",
        (
            Words(
                "Counts are whole numbers and values fractions from end to end; they are rounded where they are "
                "printed. Every deal is settled by the functions that settle the table. Figures that are simulated say "
                "so, with their standard error."
            ),
            Table("", ("What", "How"), LEFT * 2, tuple(rows)),
        ),
    )
