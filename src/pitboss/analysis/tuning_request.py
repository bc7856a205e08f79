"""A request for a tuning search: targets, lines that may change, pays.

Ranges are written ``LO..HI``, with per cent or without, or as one number.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.meter_grid import METER_KEYS, METER_LADDERS, METER_RATE, RESERVE_RATE, get_settings
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_grid import GridLine, LineKey
from pitboss.analysis.pay_ladder import ROUND_LADDER
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.contract import Game, LegResult, PayTable, PayUnit, Wager
from pitboss.core.errors import PayTableError, TuningError, UnknownNameError, quote
from pitboss.core.joined_words import join_words
from pitboss.core.numbers import format_count
from pitboss.paytables import verify_pay

MOST_CHANGES, MOST_SHOWN = 20, 1_000
CHANGES, LIMIT = 2, 10
WAGERS_PER_HOUR = 240
"""Of a progressive: six seats, 40 rounds an hour."""

_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)"
_RANGE_PATTERN = re.compile(rf"{_NUMBER}(?:\.\.{_NUMBER})?")
_PAY = r"([0-9]{1,9}(?::[1-9][0-9]{0,8}|\.[0-9]{1,4})?)"
_PAY_RANGE_PATTERN = re.compile(rf"{_PAY}(?:\.\.{_PAY})?")


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """A tuning search.

    ``vary`` has the lowest and highest pay of each line that may change, by its name; without it every line may.  At
    most ``changes`` lines change, to pays of ``ladder``, in the printed order of strength unless ``any_order``.  Of the
    tables found, ``limit`` are returned.  With ``exact`` they are solved again, where the play depends on the pays.  A
    progressive with ``wagers_per_hour`` has ``between_hours`` from one jackpot to the next.
    """

    targets: TuningTargets
    vary: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    changes: int = CHANGES
    ladder: tuple[Fraction, ...] = ROUND_LADDER
    any_order: bool = False
    limit: int = LIMIT
    exact: bool = False
    between_hours: FigureRange | None = None
    wagers_per_hour: int = WAGERS_PER_HOUR


def parse_figure_range(text: str, name: str) -> FigureRange:
    """Parse a range of a figure.

    >>> parse_figure_range("4.0%..4.2%", "--edge")
    FigureRange(low=Fraction(1, 25), high=Fraction(21, 500))
    >>> parse_figure_range("5..6", "--deviation").middle
    Fraction(11, 2)

    Raises:
        TuningError: it cannot be read, or is empty.
    """
    match = _RANGE_PATTERN.fullmatch(text)
    if match is None:
        raise TuningError(
            f"{name} is {quote(text)}: write a range like 4.0%..4.2%, or one number", code="invalid-range", name=name
        )
    low, low_unit, high, high_unit = match.groups()
    if high is not None and low_unit != high_unit:
        low_unit = high_unit = "%"  # 4..4.2% means per cent at both ends
    first = Fraction(low) / (100 if low_unit else 1)
    last = first if high is None else Fraction(high) / (100 if high_unit else 1)
    return verify_range(FigureRange(first, last), name, text)


def verify_shares(targets: TuningTargets) -> None:
    """Check that some edge and some hit frequency wanted is 100% at most.

    Raises:
        TuningError: all are above, as with 4..4.2.
    """
    for name, given in (("house edge", targets.edge), ("hit frequency", targets.hit)):
        if given and given.low > 1:
            raise TuningError(
                f"the target {name} is {describe_range(given, percent=True)}, and 100% is the most: write four per "
                "cent as 4% or 0.04",
                code="above-everything",
                name=name,
            )


def verify_range(given: FigureRange, name: str, text: str) -> FigureRange:
    """Return a range that is not empty, or raise TuningError."""
    if given.low > given.high:
        raise TuningError(
            f"{name} is {quote(text)}, an empty range: write the lower number first", code="empty-range", name=name
        )
    return given


def describe_range(target: FigureRange, *, percent: bool) -> str:
    """Return a range as a user writes it.

    >>> describe_range(FigureRange(Fraction(1, 25), Fraction(21, 500)), percent=True)
    '4%..4.2%'
    """

    def write(value: Fraction) -> str:
        return f"{float(100 * value):g}%" if percent else f"{float(value):g}"

    return write(target.low) + (f"..{write(target.high)}" if target.low != target.high else "")


def parse_vary(texts: Iterable[str]) -> dict[str, tuple[Fraction, Fraction]]:
    """Parse the ranges of pays of lines, ``LINE=LO..HI``.

    >>> parse_vary(["flush=3..6"])
    {'flush': (Fraction(3, 1), Fraction(6, 1))}

    Raises:
        TuningError: one cannot be read or is empty, or a line is given twice.
    """
    ranges: dict[str, tuple[Fraction, Fraction]] = {}
    for text in texts:
        line, _, pays = text.partition("=")
        if not line or not pays:
            raise TuningError(
                f"--vary {quote(text)} is not LINE=LO..HI: write for example flush=3..6",
                code="invalid-range",
                name=line,
            )
        if line in ranges:
            raise TuningError(f"--vary names {quote(line)} twice: give one range", code="line-twice", line=line)
        ranges[line] = parse_pay_range(line, pays)
    return ranges


def parse_pay_range(line: str, text: str) -> tuple[Fraction, Fraction]:
    """Parse the lowest and the highest pay of a line (raises TuningError)."""
    is_rate = any(line == key[1] for key in (METER_RATE, RESERVE_RATE))
    match = _PAY_RANGE_PATTERN.fullmatch(text.replace("%", "") if is_rate else text)
    if match is None:
        raise TuningError(
            f"{quote(text)} is not a range of pays of {quote(line)}: write a range, for example flush=3..6",
            code="invalid-range",
            name=line,
        )
    low, high = (Fraction(pay.replace(":", "/")) for pay in (match[1], match[2] or match[1]))
    verify_range(FigureRange(low, high), f"--vary {line}", text)
    return low, high


def name_lines(wager: Wager, paytables: Mapping[str, PayTable]) -> dict[str, LineKey]:
    """Return the lines of a bet by name.

    Those of a second kind of table are named ``KIND:LINE``.  A progressive also has the settings of its meter.
    """
    lines = {
        name if number == 0 else f"{kind}:{name}": (kind, name)
        for number, kind in enumerate(wager.paytable_kinds)
        for name in paytables[kind].lines
    }
    has_meter = any(paytables[kind].progressive for kind in wager.paytable_kinds)
    return lines | ({key[1]: key for key in METER_KEYS} if has_meter else {})


def choose_lines(game: Game, sheet: ParSheet, request: TuningRequest) -> list[GridLine]:
    """Return the lines that vary, with their pays.

    Raises:
        TuningError: a line has no pay within its range, or more lines must change than may.
        UnknownNameError: a line is unknown.
        PayTableError: a pay cannot be paid.
    """
    tables = sheet.tables_by_kind
    names = name_lines(sheet.wager, tables)
    for name in request.vary:
        if name not in names:
            raise UnknownNameError("line", name, names)
    wanted = request.vary or _list_paid_lines(sheet, names)
    lines = [
        _choose_settings(sheet, name, key, request)
        if key in METER_KEYS
        else _choose_pays(game, tables, name, key, request)
        for name, key in names.items()
        if name in wanted
    ]
    forced = [line for line in lines if line.must_change]
    if len(forced) > request.changes:
        listed = join_words([f"{line.key[1]} pays {line.present}" for line in forced])
        raise TuningError(
            f"{listed}, outside {'its --vary range' if len(forced) == 1 else 'their --vary ranges'}, and --changes "
            f"allows {format_count(request.changes, 'change')}: raise --changes, or widen --vary",
            code="too-few-changes",
            lines=[line.key[1] for line in forced],
            changes=request.changes,
        )
    return lines


def _list_paid_lines(sheet: ParSheet, names: Mapping[str, LineKey]) -> list[str]:
    """Return the lines that some deal is paid by, other than percentages of a meter."""
    tables = sheet.tables_by_kind
    paid = {
        (leg.paytable_kind, line)
        for each in sheet.lines
        if each.deals
        for leg in each.outcome.legs
        if leg.result is not LegResult.PUSH
        for line in leg.lines
    }
    return [
        name
        for name, (kind, line) in names.items()
        if (kind, line) in METER_KEYS
        or ((kind, line) in paid and tables[kind].lines[line].unit is not PayUnit.PERCENT_OF_METER)
    ]


def _choose_pays(
    game: Game, tables: Mapping[str, PayTable], name: str, key: LineKey, request: TuningRequest
) -> GridLine:
    """Return a line with the pays of the ladder that are within its range.

    A range from 0 has a pay of 0 too, which is a push.
    """
    table, pay = tables[key[0]], tables[key[0]].lines[key[1]]
    if pay.unit is PayUnit.PERCENT_OF_METER:
        raise TuningError(
            f"{name} pays {pay.amount}% of the meter, which is not a pay of a ladder: vary another line",
            code="percentage-of-meter",
            line=name,
        )
    asks_for_push = name in request.vary and request.vary[name][0] == 0
    ladder = tuple(sorted({Fraction(0), *request.ladder})) if asks_for_push else request.ladder
    line = _choose_values(key, name, pay.amount, ladder, request)
    for each in line.pays:
        try:
            verify_pay(game, table, key[1], str(each).replace("/", ":"))
        except PayTableError as error:
            raise TuningError.from_error(error) from None
    return line


def _choose_settings(sheet: ParSheet, name: str, key: LineKey, request: TuningRequest) -> GridLine:
    """Return a setting of a meter with the values within its range."""
    line = _choose_values(key, name, get_settings(sheet.presets)[key], METER_LADDERS[key], request)
    return replace(line, is_pay=False)


def _choose_values(
    key: LineKey, name: str, present: Fraction, ladder: tuple[Fraction, ...], request: TuningRequest
) -> GridLine:
    low, high = request.vary.get(name, (ladder[0], ladder[-1]))
    values = tuple(each for each in ladder if low <= each <= high)
    is_within = low <= present <= high
    if not values and not is_within:
        raise TuningError(
            f"--vary {name}: the ladder has no pay from {low} to {high}: widen the range, or give another --ladder",
            code="no-pay-in-range",
            line=name,
        )
    must_change = name in request.vary and not is_within
    return GridLine(key, present, tuple(each for each in values if each != present), must_change)
