"""The sections of a submission about volatility and rare awards."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from statistics import NormalDist

from pitboss.analysis.bet_charts import make_band_chart
from pitboss.analysis.par_sheet import ParLine, ParSheet
from pitboss.analysis.return_band import CONFIDENCES, Bracket, ReturnBand
from pitboss.analysis.round_exposure import RARE_AWARD, PaidLine
from pitboss.builders import display_name
from pitboss.contract import LegResult
from pitboss.reports.chart_drawings import draw_chart
from pitboss.reports.document import LEFT, RIGHT, ChartBlock, ListBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import format_pay, format_paytable_ids, format_percent, format_rounded
from pitboss.reports.report import GameReport

WRONG_BY = 0.001
"""How far a limit of the normal approximation may be from the exact one before it is called wrong: 0.1 of a point."""

WRONG_PROBABILITY = 0.005
"""How far the true probability of a normal band may be from the stated one: half a point."""


def is_normal_wrong(band: ReturnBand) -> bool:
    """Tell whether the normal approximation is wrong enough to be marked."""
    return band.normal_misses > WRONG_BY or abs(band.normal_probability - float(band.confidence)) > WRONG_PROBABILITY


def make_volatility_section(report: GameReport) -> Section:
    """Return each bet's volatility index, and the band of its return."""
    if report.submission is None:
        return Section("Volatility and the band of the return")
    bands = report.submission.bands
    sheets = [sheet for sheet in report.sheets if sheet.wager.id in bands]
    about = (
        TextBlock(
            "The volatility index is z times the standard deviation of one round, for the confidence in the heading. "
            "Divided by the square root of the number of rounds, it says how far the average net may be from the "
            "expected one, if the normal approximation holds."
        ),
        _make_index_table(sheets),
        make_frequency_table(sheets),
        TextBlock(
            "Something is paid where at least one circle of the bet wins. A win is a net above zero, which PAR "
            "sheets call a hit; a tie is a net of zero.",
            small=True,
        ),
        TextBlock(
            "The tables below do not use that approximation. A return is 100 % plus the net of all rounds per unit "
            "staked on the bet's first circle. The exact band is computed from the outcome table: the return is below "
            "it with at most half of what the confidence leaves, and above it with at most the other half. Rounds are "
            "independent, each of one unit. Probabilities have the error stated below each table; where that leaves "
            "a limit open, both ends are printed."
        ),
        TextBlock(
            "* marks where the normal approximation is wrong: a limit misses the exact one by more than "
            f"{WRONG_BY * 100:g} of a point, or its band has a true probability that differs from the stated one by "
            f"more than {WRONG_PROBABILITY * 100:g} of a point."
        ),
    )
    parts = tuple(_make_band_section(sheet, bands[sheet.wager.id]) for sheet in sheets)
    return Section("Volatility and the band of the return", about, parts)


def _make_index_table(sheets: Sequence[ParSheet]) -> TableBlock:
    scores = [NormalDist().inv_cdf((1 + float(confidence)) / 2) for confidence in CONFIDENCES]
    rows = tuple(
        (
            sheet.wager.name,
            format_percent(1 + sheet.expected_value),
            f"{float(sheet.variance):,.6f}",
            f"{sheet.standard_deviation:,.6f}",
            *(f"{score * sheet.standard_deviation:,.4f}" for score in scores),
        )
        for sheet in sheets
    )
    indexes = (
        f"Index at {float(confidence):.0%} (z = {score:.4f})"
        for confidence, score in zip(CONFIDENCES, scores, strict=True)
    )
    headings = ("Bet", "Return", "Variance", "Deviation", *indexes)
    return TableBlock("Volatility index", headings, LEFT + RIGHT * (len(headings) - 1), rows)


def make_frequency_table(sheets: Sequence[ParSheet]) -> TableBlock:
    """Return how often each bet is paid, wins, ties and loses."""

    def share(sheet: ParSheet, counts: Callable[[ParLine], bool]) -> str:
        return format_percent(sum((line.probability for line in sheet.lines if counts(line)), Fraction(0)))

    rows = tuple(
        (
            sheet.wager.name,
            share(sheet, partial(_is_paid, sheet)),
            share(sheet, lambda line: line.net > 0),
            share(sheet, lambda line: line.net == 0),
            share(sheet, lambda line: line.net < 0),
        )
        for sheet in sheets
    )
    return TableBlock("Frequencies", ("Bet", "Something is paid", "Win", "Tie", "Loss"), LEFT + RIGHT * 4, rows)


def _is_paid(sheet: ParSheet, line: ParLine) -> bool:
    """Tell whether an outcome wins a circle; a line with a pay of 0 wins nothing."""
    tables = sheet.tables_by_kind
    return any(
        leg.result is LegResult.WIN
        and (not leg.lines or any(tables[leg.paytable_kind].lines[name].amount for name in leg.lines))
        for leg in line.outcome.legs
    )


def _make_band_section(sheet: ParSheet, bands: Sequence[ReturnBand]) -> Section:
    rows = tuple(
        (
            f"{band.rounds:,}",
            f"{float(band.confidence):.0%}",
            format_return(band.low),
            format_return(band.high),
            f"{1 + band.normal_low:.3%}",
            f"{1 + band.normal_high:.3%}",
            f"{100 * band.normal_misses:,.3f}",
            f"{band.normal_probability:.3%}",
            "*" if is_normal_wrong(band) else "",
        )
        for band in bands
    )
    exact, normal = ("Exact, from", "to"), ("Normal, from", "to")
    headings = ("Rounds", "Confidence", *exact, *normal, "Misses by points", "Its true probability", "")
    tables = f", {format_paytable_ids(sheet)}" if sheet.paytables else ""
    title = f"{sheet.wager.name}{tables}: the return by rounds played"
    return Section(
        sheet.wager.name,
        (
            TableBlock(title, headings, RIGHT * 8 + LEFT, rows),
            TextBlock(_describe_errors(bands), small=True),
            ChartBlock(title, partial(draw_chart, make_band_chart(sheet, bands))),
        ),
    )


def format_return(limit: Bracket) -> str:
    """Format a limit of the return; both ends if they differ in what is printed."""
    texts = dict.fromkeys(f"{1 + float(end):.3%}" for end in limit)
    return " .. ".join(texts)


def _describe_errors(bands: Sequence[ReturnBand]) -> str:
    worst = max(band.error for band in bands)
    open_limits = sum(ends.least != ends.most for band in bands for ends in (band.low, band.high))
    certain = "every limit is certain" if not open_limits else f"{open_limits} of {2 * len(bands)} limits are brackets"
    last = max((band.rounds for band in bands if is_normal_wrong(band)), default=0)
    wrong = f"The normal approximation is wrong up to {last:,} rounds" if last else "The normal approximation holds"
    return f"Error of a probability: at most {worst:.1e}; {certain}. {wrong}, by the measure above."


def make_awards_section(report: GameReport) -> Section:
    """Return every award with its odds; very rare ones are flagged."""
    submission = report.submission
    if submission is None or not submission.awards:
        return Section("Awards and their odds")
    rare = [award for award in submission.awards if award.is_rare]
    rows = tuple(_format_award(award) for award in submission.awards)
    limit = f"1 in {format_rounded(1 / RARE_AWARD)}"
    verdict: tuple[TextBlock | ListBlock, ...] = (
        TextBlock(f"No award that can be won is rarer than {limit}; none needs its odds shown for that (GLI-11 3.0)."),
    )
    if rare:
        verdict = (
            TextBlock(f"Rarer than {limit}: the artwork or the layout must show these odds (GLI-11 3.0, 4.8.2)."),
            ListBlock(
                tuple(f"{award.sheet.wager.name}, {display_name(award.line)}: {_format_odds(award)}" for award in rare)
            ),
        )
    headings = ("Bet", "Pay table", "Award", "Pays", "Combinations", "Of", "Odds", "")
    table = TableBlock("", headings, LEFT * 3 + RIGHT * 4 + LEFT, rows)
    about = TextBlock(
        "How often each line is paid to one player, in the deals of the outcome tables. Where the player's choices "
        "matter, the play is the best one for main. A line that is never paid is marked; it may be advertised "
        "only if it can be won."
    )
    return Section("Awards and their odds", (about, *verdict, table))


def _format_odds(award: PaidLine) -> str:
    return f"1 in {format_rounded(1 / award.probability)}" if award.deals else "never"


def _format_award(award: PaidLine) -> tuple[str, ...]:
    flag = "rarer than 1 in 100 million" if award.is_rare else "" if award.deals else "cannot be won"
    return (
        award.sheet.wager.name,
        award.table.id,
        display_name(award.line),
        format_pay(award.table.lines[award.line]),
        f"{award.deals:,}",
        f"{award.sheet.deals:,}",
        _format_odds(award),
        flag,
    )
