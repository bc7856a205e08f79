"""Pays and figures as text, the same on a terminal, on a page and in a file."""

import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from pitboss.analysis.par_sheet import ParLine, ParSheet
from pitboss.analysis.paytable_comparison import name_sheets
from pitboss.builders import display_name
from pitboss.contract import Game, Leg, LegResult, LinePay, PayTable, PayUnit, StakeLimits
from pitboss.core.joined_words import join_words
from pitboss.core.money import format_cents, format_dollars

_MIN_FIXED_PROBABILITY = 1e-6
_HYPHEN_MINUS = re.compile(r"(?<![\w.)$-])-(?=\$?\.?[0-9])")


def write_minus(text: str) -> str:
    """Write the minus of numbers as a minus sign, which is read aloud.

    Pages and pictures do; files and commands keep the hyphen, which programs read.

    >>> write_minus("-$5, -0.25 to +1 (-3%); W6-6, 1-2, five-card")
    '−$5, −0.25 to +1 (−3%); W6-6, 1-2, five-card'
    """
    return _HYPHEN_MINUS.sub("\N{MINUS SIGN}", text)


def format_percent(value: Fraction | float, places: int = 4) -> str:
    """Format a share as a percentage.

    >>> format_percent(Fraction(1, 3)), format_percent(0.25, 2)
    ('33.3333%', '25.00%')
    """
    return f"{float(value):.{places}%}"


def format_signed_percent(value: Fraction | float, places: int = 4) -> str:
    """Format a change of a share in points, with its sign.

    >>> format_signed_percent(Fraction(-1, 800))
    '-0.1250%'
    """
    return f"{float(value):+.{places}%}"


def format_net(value: Fraction | float) -> str:
    """Format an average net per unit staked with its sign.

    >>> format_net(Fraction(-1, 8))
    '-0.12500000'
    """
    return f"{float(value):+.8f}"


def format_probability(value: Fraction | float) -> str:
    """Format a probability; a very small one has five significant digits.

    >>> format_probability(0.25), format_probability(3e-13)
    ('0.2500000000', '3.0000e-13')
    """
    return f"{float(value):.10f}" if value >= _MIN_FIXED_PROBABILITY or not value else f"{float(value):.4e}"


def format_rounded(value: Fraction) -> str:
    """Format a whole number as it is, another number with two decimal places."""
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.2f}"


def format_ratio(value: Fraction) -> str:
    """Format a whole number with thousands separators, or a ratio.

    >>> format_ratio(Fraction(10_000)), format_ratio(Fraction(3, 2))
    ('10,000', '3:2')
    """
    return f"{value.numerator:,}" if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def format_pay(pay: LinePay) -> str:
    """Format a pay as a layout prints it.

    >>> format_pay(LinePay(Fraction(3, 2), PayUnit.TO_ONE)), format_pay(LinePay(Fraction(10), PayUnit.PERCENT_OF_METER))
    ('3 to 2', '10% of meter')
    >>> format_pay(LinePay(Fraction(0), PayUnit.TO_ONE))
    'push'
    """
    if pay.unit is PayUnit.TO_ONE and not pay.amount:
        return "push"
    if pay.unit is PayUnit.DOLLARS:
        return format_dollars(round(100 * pay.amount))
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return f"{pay.amount}% of meter"
    return f"{pay.amount.numerator:,} {pay.unit.value.partition('_')[0]} {pay.amount.denominator}"


def describe_unit(pay: LinePay) -> str:
    """Return what stands after a pay that is typed.

    >>> describe_unit(LinePay(Fraction(9), PayUnit.TO_ONE)), describe_unit(LinePay(Fraction(9), PayUnit.DOLLARS))
    ('to 1', 'dollars')
    """
    return {PayUnit.DOLLARS: "dollars", PayUnit.PERCENT_OF_METER: "% of meter"}.get(
        pay.unit, f"{pay.unit.value.partition('_')[0]} 1"
    )


def _collect_pays(line: ParLine, sheet: ParSheet, result: LegResult) -> list[LinePay]:
    """Return the pays of an outcome's lines that are won (WIN) or taken (LOSE)."""
    tables = sheet.tables_by_kind

    def list_leg_pays(leg: Leg) -> list[LinePay]:
        pays = [tables[leg.paytable_kind].lines[name] for name in leg.lines]
        return [max(pays, key=lambda pay: pay.amount)] if leg.best_only and pays else pays

    return [pay for leg in line.outcome.legs if leg.result is result for pay in list_leg_pays(leg) if pay.amount]


def describe_pays(line: ParLine, sheet: ParSheet, *, numbers: bool = False) -> str:
    """Describe what an outcome pays, or else the result of the stake.

    The pays are those of its pay tables, less a tax; without one, chips that win are paid 1 to 1.  With ``numbers`` a
    pay is only the number before "to one".
    """
    won, lost = (
        [_format_number(pay) if numbers else format_pay(pay) for pay in _collect_pays(line, sheet, result)]
        for result in (LegResult.WIN, LegResult.LOSE)
    )
    if won or lost:
        taxes = " - ".join(map(str, lost))
        return " - ".join(filter(None, (" + ".join(won), taxes))) if won else f"-{taxes}"
    if line.net < 0:
        return "loses"
    return "1 to 1" if _wins_even_money(line) else "pushes"


def _format_number(pay: LinePay) -> str:
    """Format the number of a pay; that of a percentage has its sign."""
    return format_ratio(pay.amount) + "%" * (pay.unit is PayUnit.PERCENT_OF_METER)


def _wins_even_money(line: ParLine) -> bool:
    return any(leg.stake and leg.result is LegResult.WIN and not leg.lines for leg in line.outcome.legs)


def pays_equal_net(line: ParLine, sheet: ParSheet) -> bool:
    """Tell whether what ``describe_pays`` says of an outcome is its net too.

    It is not where other circles are won or lost with the paid one, or where more than one unit is lost.
    """
    won, lost = (_collect_pays(line, sheet, result) for result in (LegResult.WIN, LegResult.LOSE))
    if any(pay.unit not in {PayUnit.TO_ONE, PayUnit.DOLLARS} for pay in (*won, *lost)):
        return False
    if won or lost:
        return line.net == sum(pay.amount for pay in won) - sum(pay.amount for pay in lost)
    return line.net == -1 if line.net < 0 else line.net == _wins_even_money(line)


def format_paytable_ids(sheet: ParSheet) -> str:
    """Return the ids of a sheet's pay tables, with a file under a printed id."""
    return name_sheets([sheet])[0]


def format_changed_options(game: Game, options: Mapping[str, str]) -> str:
    """Return the options that are not the default, as NAME=VALUE."""
    return ", ".join(f"{each.name}={options[each.name]}" for each in game.options if options[each.name] != each.default)


def describe_method(sheet: ParSheet) -> str:
    """Describe how exact the figures of a sheet are."""
    if not sheet.bounds:
        return "exact"
    text = "with the play unchanged"
    return f"{text}: a lower bound for the player" if sheet.is_main else text


def describe_bounds(sheet: ParSheet) -> str:
    """Describe the play of a bounded sheet, and main's proved bounds."""
    if not sheet.bounds or not sheet.is_main:
        return describe_method(sheet)
    lower, upper = sheet.bounds
    edges = f"{format_percent(-upper)} and {format_percent(-lower)}"
    return f"{describe_method(sheet)}. Under the best play the house edge is between {edges}, both proved"


def describe_played_for(sheet: ParSheet) -> str:
    """Describe what a sheet's play is the best for.

    The text is "" for main's own sheet or if the play does not matter.
    """
    if sheet.strategy == "joint":
        stakes = ", ".join(f"{bet}={stake}" for bet, stake in sheet.stakes.items())
        return f"under the play that is best for main with {stakes} an Ante"
    return "under the play that is best for main alone" if sheet.strategy and not sheet.is_main else ""


def format_limits(limits: StakeLimits) -> str:
    """Format the limits of a stake."""
    lowest, highest = limits.minimum_cents, limits.maximum_cents
    return format_dollars(lowest) if lowest == highest else f"{format_dollars(lowest)} to {format_dollars(highest)}"


def describe_paytable(table: PayTable) -> str:
    """Describe a pay table in a line: its id and its notes."""
    return f"{table.id}: {'; '.join(iter_paytable_notes(table))}"


def iter_paytable_notes(table: PayTable) -> Iterator[str]:
    """Yield the notes of a pay table.

    They are its source, claims, misprints, envy and progressive presets.
    """
    yield table.source
    if table.claim:
        yield f"printed: {table.claim}"
    for line, pay in table.lines.items():
        if pay.sheet_text:
            yield f"{display_name(line)} is printed {pay.sheet_text!r} ({pay.ruling})"
    if table.envy:
        yield "envy " + ", ".join(f"${dollars:,} for a {display_name(line)}" for line, dollars in table.envy.items())
    if table.progressive:
        presets = table.progressive
        yield (
            f"seed {format_cents(presets.seed_cents)}, {presets.meter_bps / 100:g}% to the meter, "
            f"{presets.reserve_bps / 100:g}% to the reserve ({presets.source})"
        )


def format_difference(best: Fraction, value: Fraction, places: int = 4) -> str:
    """Format the difference of two values as printed.

    >>> format_difference(Fraction("-0.10307"), Fraction("-0.56843"))  # −0.1031 and −0.5684
    '0.4653'
    """
    difference = subtract_printed(best, value, places)
    if best != value and not difference:
        return f"under {Decimal(1).scaleb(-places)}"
    return f"{difference:.{places}f}"


def subtract_printed(best: Fraction, value: Fraction, places: int = 4) -> Decimal:
    """Return the difference of two values rounded as they are printed."""
    printed = [Decimal(f"{float(each):.{places}f}") for each in (best, value)]
    return printed[0] - printed[1]


def name_valued_wagers(game: Game, side_bets: Collection[str]) -> str:
    """Name the wagers that values of actions are of.

    It is "" if that is the main wager alone.

    >>> from pitboss.games import load_game
    >>> name_valued_wagers(load_game("shifting-wilds"), ["regular-bonus", "bad-beat"])
    'Ante, Blind, and Lock or Play, with Regular Bonus and Bad Beat'
    >>> name_valued_wagers(load_game("shifting-wilds"), [])
    ''
    """
    sides = [wager.name for wager in game.wagers if wager.id in side_bets]
    return f"{game.main.name}, with {' and '.join(sides)}" if sides else ""


def explain_left_out_wagers(game: Game, side_bets: Collection[str]) -> str:
    """Say why values of actions leave out side wagers, "" if there are none.

    They are those of which ``depends_on_play`` is false.

    >>> from pitboss.games import load_game
    >>> explain_left_out_wagers(load_game("shifting-wilds"), ["blackjack-bonus"])
    'Without Blackjack Bonus: no choice changes its result.'
    >>> explain_left_out_wagers(load_game("six-card"), ["aces-up", "bad-beat", "progressive"])
    'Without Aces Up, Bad Beat and Progressive: no choice changes their results.'
    """
    names = [wager.name for wager in game.wagers if wager.id in side_bets]
    if not names:
        return ""
    return f"Without {join_words(names)}: no choice changes {'their results' if len(names) > 1 else 'its result'}."
