"""The arithmetic of the progressive: contributions, awards, reseeding, envy.

A meter counts units of 1/10,000 of a cent and rates are basis points, so contributions are exact.  Only awards are
rounded, down to a cent or a dollar; the remainder stays in the meter (rulings SC-4, SC-6, SC-7, SC-8).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from pitboss.core.rule import rule

UNITS_PER_CENT = 10_000
CENTS_PER_DOLLAR = 100

NO_LIMIT = -1
FULL_PERCENT = 100
"""The share of an award, or of the parts of a split round, that reseeds the meter."""

# Codes of the options award_order, award_rounding and fixed_awards_from.
AWARD_IN_SEQUENCE = 0
AWARD_SPLIT = 1
ROUND_TO_CENT = 0
ROUND_TO_DOLLAR = 1
FIXED_FROM_TRAY = 0
FIXED_FROM_METER = 1


class SeatValues(Protocol):
    """A sequence with an entry for each seat, seat 1 first.

    It is a tuple, a list, or a kernel's array.
    """

    def __len__(self) -> int:
        """Return the number of seats."""

    def __getitem__(self, seat: int, /) -> Any:
        """Return the integer of a seat."""


class Meter(NamedTuple):
    """The money of a progressive: meter with overflow, and hidden reserve."""

    units: int
    reserve_units: int


def add_meters(meter: Meter, added: Meter) -> Meter:
    """Return a meter after money came to it and its reserve."""
    return Meter(meter.units + added.units, meter.reserve_units + added.reserve_units)


def subtract_meters(meter: Meter, less: Meter) -> Meter:
    """Return a meter without some of its money."""
    return Meter(meter.units - less.units, meter.reserve_units - less.reserve_units)


class WagerShares(NamedTuple):
    """The parts of a wager for meter, reserve and house; they add up to the wager."""

    meter_units: int
    reserve_units: int
    house_units: int


class MeterSettings(NamedTuple):
    """The settings of a meter: its seed, display limit and option codes.

    ``seed_cents`` is what a 100% award leaves in the meter; ``limit_cents`` is the most that is displayed, or
    ``NO_LIMIT``.  The others are codes (``AWARD_IN_SEQUENCE``, ``ROUND_TO_CENT``, ``FIXED_FROM_TRAY`` and those after
    them).
    """

    seed_cents: int
    limit_cents: int = NO_LIMIT
    award_order: int = AWARD_IN_SEQUENCE
    award_rounding: int = ROUND_TO_CENT
    fixed_awards_from: int = FIXED_FROM_TRAY


class MeterAward(NamedTuple):
    """An award: the meter after it, and the amounts from meter and tray.

    ``short_cents`` is the part of ``tray_cents`` that the meter should have paid but did not hold: the meter ran dry.
    ``seed_cents`` and ``released_units`` (out of the reserve) are 0 unless the award reseeded the meter.
    """

    meter: Meter
    meter_cents: int
    tray_cents: int
    short_cents: int
    seed_cents: int
    released_units: int


@rule
def compute_contribution(wager_cents: int, rate_bps: int) -> int:
    """Return the contribution of a wager at a rate, in units.

    >>> compute_contribution(100, 1400)  # 14 cents of a dollar
    140000
    """
    return wager_cents * rate_bps


@rule
def divide_wager(wager_cents: int, meter_bps: int, reserve_bps: int) -> WagerShares:
    """Divide a wager among meter, reserve and house.

    The rates are at most 10,000 basis points together.
    """
    to_meter = compute_contribution(wager_cents, meter_bps)
    to_reserve = compute_contribution(wager_cents, reserve_bps)
    return WagerShares(to_meter, to_reserve, wager_cents * UNITS_PER_CENT - to_meter - to_reserve)


@rule
def add_contribution(meter: Meter, wager_cents: int, meter_bps: int, reserve_bps: int) -> Meter:
    """Add a wager's contributions to meter and reserve."""
    part = divide_wager(wager_cents, meter_bps, reserve_bps)
    return Meter(meter.units + part.meter_units, meter.reserve_units + part.reserve_units)


@rule
def compute_displayed_cents(meter: Meter, limit_cents: int) -> int:
    """Return the displayed amount in whole cents, at most the limit (SC-7).

    It is rounded down.

    >>> compute_displayed_cents(Meter(units=123_456_789, reserve_units=0), NO_LIMIT)
    12345
    """
    held_cents = meter.units // UNITS_PER_CENT
    return held_cents if limit_cents == NO_LIMIT else min(held_cents, limit_cents)


@rule
def compute_overflow_units(meter: Meter, limit_cents: int) -> int:
    """Return the units above the limit.

    They are in the meter, but not displayed until an award makes room.
    """
    return 0 if limit_cents == NO_LIMIT else max(0, meter.units - limit_cents * UNITS_PER_CENT)


@rule
def round_award(cents: int, award_rounding: int) -> int:
    """Round an award down to a dollar, or leave it in whole cents (SC-7)."""
    return cents - cents % CENTS_PER_DOLLAR if award_rounding == ROUND_TO_DOLLAR else cents


@rule
def compute_percentage_cents(displayed: int, percent: int, award_rounding: int) -> int:
    """Return the award of a percentage of the displayed cents, rounded down (SC-7).

    >>> compute_percentage_cents(1_234_567, 10, ROUND_TO_CENT), compute_percentage_cents(1_234_567, 10, ROUND_TO_DOLLAR)
    (123456, 123400)
    """
    return round_award(displayed * percent // 100, award_rounding)


@rule
def compute_split_cents(displayed: int, percents: SeatValues, seat: int, award_rounding: int) -> int:
    """Return one seat's award in a split round (SC-6).

    All percentages of the round are of the same displayed cents.  ``percents`` has a percentage for each seat, 0
    without an award.  If they add up to more than 100%, they are scaled down in proportion, and the odd cents (dollars,
    if awards are whole dollars) go to the winner farthest right.

    >>> [compute_split_cents(100_000, (10, 0, 100), seat, ROUND_TO_CENT) for seat in range(3)]
    [9090, 0, 90910]
    """
    total = 0
    farthest_right = 0
    for other in range(len(percents)):
        total += percents[other]
        if percents[other] > 0:
            farthest_right = other
    if total <= 100:
        return compute_percentage_cents(displayed, percents[seat], award_rounding)
    whole = round_award(displayed, award_rounding)
    if seat != farthest_right:
        return round_award(whole * percents[seat] // total, award_rounding)
    left = whole
    for other in range(farthest_right):
        left -= round_award(whole * percents[other] // total, award_rounding)
    return left


@rule
def pay_from_meter(meter: Meter, cents: int) -> MeterAward:
    """Compute an award out of the meter, and what is left of it."""
    return MeterAward(Meter(meter.units - cents * UNITS_PER_CENT, meter.reserve_units), cents, 0, 0, 0, 0)


@rule
def reseed(award: MeterAward, seed_cents: int) -> MeterAward:
    """Add the seed and the whole reserve to the meter after an award (SC-7)."""
    released_units = award.meter.reserve_units
    units = award.meter.units + seed_cents * UNITS_PER_CENT + released_units
    return MeterAward(
        Meter(units, 0), award.meter_cents, award.tray_cents, award.short_cents, seed_cents, released_units
    )


@rule
def compute_percentage_award(meter: Meter, percent: int, settings: MeterSettings) -> MeterAward:
    """Compute an award of a percentage of the current meter (SC-6 in sequence, SC-7).

    Reseed the meter after an award of 100%.

    >>> settings = MeterSettings(seed_cents=2_000)
    >>> compute_percentage_award(Meter(units=50_000_007, reserve_units=3_000), 100, settings).meter
    Meter(units=20003007, reserve_units=0)
    """
    cents = compute_percentage_cents(
        compute_displayed_cents(meter, settings.limit_cents), percent, settings.award_rounding
    )
    award = pay_from_meter(meter, cents)
    return reseed(award, settings.seed_cents) if percent == 100 else award


@rule
def compute_split_award(
    meter: Meter, displayed: int, percents: SeatValues, seat: int, settings: MeterSettings
) -> MeterAward:
    """Compute one seat's part of a split round (SC-6).

    After the last part, reseed if all of the meter was won.  ``displayed`` is the amount displayed before the round's
    first award, ``meter`` the meter that is left now.  The seats are paid from the highest down.
    """
    total = 0
    to_come = 0
    for other in range(len(percents)):
        total += percents[other]
        if other < seat:
            to_come += percents[other]
    award = pay_from_meter(meter, compute_split_cents(displayed, percents, seat, settings.award_rounding))
    return reseed(award, settings.seed_cents) if total >= 100 and to_come == 0 else award


@rule
def compute_fixed_award(meter: Meter, cents: int, settings: MeterSettings) -> MeterAward:
    """Compute a fixed award, from the tray or from the meter (SC-8).

    If the meter is short, the tray pays the rest.

    >>> settings = MeterSettings(seed_cents=0, fixed_awards_from=FIXED_FROM_METER)
    >>> compute_fixed_award(Meter(90_000_004, 0), 10_000, settings).short_cents
    1000
    """
    if settings.fixed_awards_from == FIXED_FROM_TRAY:
        return MeterAward(meter, 0, cents, 0, 0, 0)
    held = pay_from_meter(meter, min(cents, meter.units // UNITS_PER_CENT))
    short_cents = cents - held.meter_cents
    return MeterAward(held.meter, held.meter_cents, short_cents, short_cents, 0, 0)


@rule
def compute_envy_dollars(dollars: int, wagered: int, hitter: int, seat: int, hitter_must_wager: int) -> int:
    """Return the envy pay of ``seat`` for the hand of ``hitter`` (SC-4).

    The hand is worth ``dollars`` of envy.  ``wagered`` has bit i set for a progressive wager of seat i.  Envy is paid
    from the tray, never for the seat's own hand.
    """
    if seat == hitter or wagered >> seat & 1 == 0:
        return 0
    return 0 if hitter_must_wager and wagered >> hitter & 1 == 0 else dollars


@rule
def find_seat_in_turn(percents: SeatValues, turn: int, settings: MeterSettings) -> int:
    """Return the seat whose award is paid in this turn of a round (SC-6).

    Turns and seats are counted from 0.  The highest seat comes first.  In a split round the seats with percentages come
    before those without.

    >>> [find_seat_in_turn((10, 0, 100), turn, MeterSettings(0, award_order=AWARD_SPLIT)) for turn in range(3)]
    [2, 0, 1]
    """
    seats = len(percents)
    seat = seats - 1 - turn
    if settings.award_order == AWARD_SPLIT:
        left = turn
        for place in range(2 * seats):
            other = seats - 1 - place % seats
            if (percents[other] > 0) == (place < seats):
                if left == 0:
                    seat = other
                left -= 1
    return seat


@rule
def compute_award_in_turn(
    meter: Meter, displayed: int, percents: SeatValues, fixed_cents: SeatValues, seat: int, settings: MeterSettings
) -> MeterAward:
    """Compute the award of one seat of a round (SC-6).

    ``meter`` is what the seats before it left.  ``displayed`` is the amount displayed before the round's first award.
    """
    if percents[seat] == 0:
        return compute_fixed_award(meter, fixed_cents[seat], settings)
    if settings.award_order == AWARD_SPLIT:
        return compute_split_award(meter, displayed, percents, seat, settings)
    return compute_percentage_award(meter, percents[seat], settings)


def compute_round_awards(
    meter: Meter, percents: Sequence[int], fixed_cents: Sequence[int], settings: MeterSettings
) -> tuple[Meter, tuple[MeterAward, ...]]:
    """Compute the awards of one round (SC-6).

    Return the meter after them, and an award for each seat.  ``percents`` and ``fixed_cents`` have an entry for each
    seat, seat 1 first, 0 without an award; a seat has one or the other.  ``meter`` includes the round's contributions.
    Awards are paid from the dealer's right, the highest seat first.  In sequence, each is paid from the meter that the
    one before left.  In a split round the percentages come first, all of the meter before the round's awards; then the
    fixed awards from the meter as left or reseeded.  This is not a rule but plain Python, because it builds a tuple of
    any length.

    >>> settings = MeterSettings(seed_cents=1_000_000)
    >>> after, awards = compute_round_awards(Meter(10_000_000_000, 0), (10, 10), (0, 0), settings)
    >>> [award.meter_cents for award in awards], after.units
    ([90000, 100000], 8100000000)
    """
    displayed = compute_displayed_cents(meter, settings.limit_cents)
    awards: dict[int, MeterAward] = {}
    for turn in range(len(percents)):
        seat = find_seat_in_turn(percents, turn, settings)
        awards[seat] = compute_award_in_turn(meter, displayed, percents, fixed_cents, seat, settings)
        meter = awards[seat].meter
    return meter, tuple(awards[seat] for seat in range(len(percents)))
