"""The sections of a submission about money: what a round costs and wins."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from pitboss.analysis.round_exposure import LEAST_AGGREGATE_ODDS, BetExposure, find_second_prize
from pitboss.builders import display_name
from pitboss.core.money import format_cents, format_dollars
from pitboss.reports.document import LEFT, RIGHT, ListBlock, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.formatting import describe_pays, format_percent, format_rounded
from pitboss.reports.report import GameReport
from pitboss.reports.submission import Submission


def make_exposure_section(report: GameReport) -> Section:
    """Return the most that a round can cost, and what an aggregate limit saves."""
    submission = report.submission
    if submission is None or not submission.exposures:
        return Section("The most that a round can cost")
    parts = [
        Section("All seats at the maximum", tuple(_iter_exposure_blocks(submission))),
        Section("Aggregate limits", tuple(_iter_limit_blocks(submission))),
    ]
    return Section("The most that a round can cost", (), tuple(parts))


def _iter_exposure_blocks(submission: Submission) -> Iterator[PageBlock]:
    seats = submission.seats
    total = format_money(submission.exposure_cents)
    yield TextBlock(
        f"With {seats} seats, every bet of each at the table's maximum, a round costs the house at most **{total}**. "
        "This is a proved upper bound: no wager nets more than the greatest net of its outcome table. It is not the "
        "exact maximum, because seats share a deck and the hands that pay most exclude one another. A bet that all "
        "seats have on the same cards, or that one seat has alone, has its exact maximum, and the table says so."
    )
    rows = [_format_exposure(each) for each in submission.exposures]
    rows.append(("All bets", "", "", "", "", "", "", total, "at most"))
    headings = ("Bet", "Stake", "Greatest outcome", "Pays", "Odds", "One wager wins", "Wagers", "All win", "")
    yield TableBlock("", headings, LEFT + RIGHT + LEFT + RIGHT * 5 + LEFT, tuple(rows))
    yield ListBlock(tuple(_iter_exposure_notes(submission)))


def _format_exposure(exposure: BetExposure) -> tuple[str, ...]:
    sheet, best = exposure.sheet, exposure.best
    return (
        sheet.wager.name,
        format_dollars(exposure.stake_cents),
        display_name(best.outcome.name),
        describe_pays(best, sheet),
        f"1 in {format_rounded(1 / best.probability)}",
        format_money(exposure.win_cents),
        f"{exposure.wagers}",
        format_money(exposure.total_cents),
        "exact" if exposure.is_exact else "at most",
    )


def _iter_exposure_notes(submission: Submission) -> Iterator[str]:
    for each in submission.exposures:
        meters = [table for table in each.sheet.paytables if table.progressive]
        if meters:
            meter = each.sheet.extras.get("meter")
            amount = format_dollars(round(100 * meter)) if isinstance(meter, Fraction) else "its seed"
            yield (
                f"{each.sheet.wager.name}: percentages are of a meter of {amount}, and of what the round adds to it, "
                "for every seat; the players' own contributions have paid for most of it."
            )
        if each.envy_cents:
            envy = format_dollars(each.envy_cents)
            yield f"{each.sheet.wager.name}: {envy} of it is envy, each seat paid for all others."
    second = find_second_prize(submission.exposures)
    yield (
        f"Prizes at odds above $25,000: the second highest is {format_money(second)} at the highest wager "
        "(WAC 230-15-455 asks for funds of that amount)."
        if second
        else "At most one prize at odds exceeds $25,000 at the highest wager (WAC 230-15-455)."
    )


def _iter_limit_blocks(submission: Submission) -> Iterator[PageBlock]:
    yield TextBlock(
        "An aggregate limit is the most that the house pays for one kind of prize to all players of a deal (WAC "
        f"230-15-490). A bet may have one if its highest prize is at least {LEAST_AGGREGATE_ODDS} to 1; it is then for "
        "all prizes of the bet together, and is at least the highest wager times the odds up to "
        f"{LEAST_AGGREGATE_ODDS}: the first limit of each bet below. A progressive is paid from its own fund and has "
        "none."
    )
    if not submission.aggregate_limits:
        yield TextBlock(f"No bet of this game has a prize of {LEAST_AGGREGATE_ODDS} to 1 or more.")
        return
    rows = tuple(
        (
            each.exposure.sheet.wager.name,
            format_dollars(each.limit_cents),
            format_money(each.exposure.total_cents),
            f"{_format_dollars(each.least_saved_cents)} to {_format_dollars(each.most_saved_cents)}",
            " to ".join(f"{float(change):+.4%}" for change in each.get_edge_changes()),
        )
        for each in submission.aggregate_limits
    )
    headings = ("Bet", "Limit", "Without a limit", "Saves a round", "House edge changes")
    yield TableBlock("", headings, LEFT + RIGHT * 4, rows)
    yield TextBlock(
        "What a limit saves the house is a cost to the players, which the pay table does not show. All seats bet the "
        "maximum. The first figure counts by how much one seat's prize alone exceeds the limit, the second by how much "
        "it exceeds an equal share; the true saving is between them, however the seats' cards depend on one another.",
        small=True,
    )


def _format_dollars(cents: Fraction) -> str:
    return f"${float(cents) / 100:,.4f}"


def format_money(cents: Fraction) -> str:
    """Format an amount of money that may have parts of a cent."""
    return format_cents(round(cents)).removesuffix(".00")


def make_win_section(report: GameReport) -> Section:
    """Return the house's win: pace, theoretical win, and a player's hold on drop."""
    submission = report.submission
    if submission is None or not report.sheets:
        return Section("The house's win")
    player = submission.settings.player
    assumptions = (
        f"Pace: {player.rounds_per_hour} rounds an hour.",
        f"Bet: {format_dollars(player.bet_cents)} flat, within the limits of each bet.",
        f"Time: {float(player.hours):g} hours, {player.rounds:,} rounds.",
        (
            f"Buy-in: {format_dollars(player.buy_in_cents)} once, which is the drop; chips are not bought again, and "
            "none are brought to the table."
        ),
        (
            "The player stops early when the chips do not cover the most that a round may cost. Each bet is taken "
            "by itself."
        ),
        "The play of main is the best one; real players err, so the real win is greater (see what strategies cost).",
    )
    rows = tuple(_iter_win_rows(report, submission))
    headings = (
        "Bet",
        "Stake",
        "House edge",
        "Win per hour, one seat",
        "Deviation of it",
        f"Win per hour, {submission.seats} seats",
        "Rounds played",
        "Mean loss",
        "Hold on drop",
        "Chips do not last",
    )
    remarks: Sequence[PageBlock] = (
        TextBlock(
            "The theoretical win is edge times stake times rounds an hour; its standard deviation is that of one "
            "round times the stake and the root of the rounds. Hold on drop is the mean loss as a share "
            "of the buy-in, from the distribution of the session, exact except for floating-point rounding. It "
            "depends on the player, not on the game alone: longer play holds more of the same drop."
        ),
    )
    return Section(
        "The house's win",
        (ListBlock(assumptions), TableBlock("", headings, LEFT + RIGHT * 9, rows), *remarks),
    )


def _iter_win_rows(report: GameReport, submission: Submission) -> Iterator[tuple[str, ...]]:
    holds = {hold.sheet.wager.id: hold for hold in submission.holds}
    for sheet in report.sheets:
        if sheet.wager not in report.game.wagers:
            continue
        hold = holds.get(sheet.wager.id)
        stake = submission.get_bet_cents(sheet.wager)
        an_hour = sheet.house_edge * stake * submission.settings.player.rounds_per_hour
        session = (
            (f"{hold.rounds:,.1f}", f"${hold.loss_cents / 100:,.2f}", f"{hold.hold:.2%}", f"{hold.ruin:.2%}")
            if hold
            else ("the buy-in does not cover a round", "", "", "")
        )
        yield (
            sheet.wager.name,
            format_dollars(stake),
            format_percent(sheet.house_edge),
            format_cents(round(an_hour)),
            format_cents(round(stake * sheet.standard_deviation * sqrt(submission.settings.player.rounds_per_hour))),
            format_cents(round(an_hour * submission.seats)),
            *session,
        )
