"""The settings of a progressive, and advice about them.

They are the pay table, seed, rates, limits, tables and seats.  Money is in whole cents, rates are in basis points of a
wager.  The rule sheet's recommendations are advice, each with its reason; only settings that cannot be played at all
are refused.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from pitboss.contract import LinePay, PayTable, PayUnit
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel, describe_pattern, first_error
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.gaming_days import load_zone
from pitboss.jackpot.plain_text import verify_texts
from pitboss.meter import (
    AWARD_IN_SEQUENCE,
    AWARD_SPLIT,
    FIXED_FROM_METER,
    FIXED_FROM_TRAY,
    NO_LIMIT,
    ROUND_TO_CENT,
    ROUND_TO_DOLLAR,
    MeterSettings,
)

FULL_BPS = 10_000
MIN_METER_BPS = 7_000
"""From the rule sheet: if all pays come from the meter, it grows at a contribution of 70% or more."""

RUIN_ADVICE = "runs-dry"
"""The advice that comes with a probability (``ruin.estimate_ruin_probability``)."""

RELEASED_GAME = "six-card"
"""The game of settings that name none: the only one with a progressive when they did not.

It is not written to the ledger, so settings of this game are stored, and their commands recognised, as ever.
"""

FIXED_SETTINGS = frozenset({"lines", "paytable", "most_wager_cents"})
"""Fields of the settings that come from the pay table or from version 0.1, and cannot be set by name."""

STAFF_APART_HOURS = 24
"""How long people share no approval with those whose accounts they made; it is not written to the ledger either."""

MAX_CENTS = 10**12
"""The most cents of an amount, and of a meter that is raised by hand: the ledger counts 10,000 units a cent."""

Cents = Annotated[int, Field(ge=0, le=MAX_CENTS)]
Bps = Annotated[int, Field(ge=0, le=FULL_BPS)]
HandId = Annotated[
    str, Field(pattern=describe_pattern(r"^[a-z]+(-[a-z]+)*$", "its name in the pay table, for example straight-flush"))
]


DEFAULT_DAY_ZONE = "UTC"

DayZone = Annotated[
    str,
    Field(
        pattern=describe_pattern(r"^[A-Za-z][A-Za-z0-9_+/-]{0,63}$", "a time zone, for example America/New_York"),
        exclude_if=lambda zone: bool(zone == DEFAULT_DAY_ZONE),
    ),
]
"""The time zone of gaming days; the default is not written, so older commands and entries keep their form."""

DayHour = Annotated[int, Field(ge=0, le=23, exclude_if=lambda hour: bool(hour == 0))]
"""The hour at which a gaming day begins there."""


class AwardLine(StrictModel):
    """The award of a hand, and the envy for other seats.

    The award is ``percent`` of the meter, or ``cents`` for every ``per_cents`` wagered (SC-10).  Flat dollars, which
    do not grow with the wager, are for 0 cents.  Lines of version 0.1 name no ``per_cents``: theirs are for the
    settings' ``wager_cents``.
    """

    hand: HandId
    percent: Annotated[int, Field(ge=0, le=100)] = 0
    cents: Cents = 0
    per_cents: Annotated[int | None, Field(ge=0, le=10**6, exclude_if=lambda per: per is None)] = None
    envy_dollars: Annotated[int, Field(ge=0, le=10**6)] = 0

    @model_validator(mode="after")
    def _verify_one_pay(self) -> Self:
        if (self.percent > 0) == (self.cents > 0):
            raise ValueError(f"{self.hand} must pay either a percentage of the meter or a fixed award")
        return self


class Settings(StrictModel):
    """One version of the settings.

    A ``limit_cents`` of -1 means that the display has no limit.  The wager is one amount, ``wager_cents`` (SC-10);
    version 0.1 took multiples of it up to ``most_wager_cents``.
    """

    game: Annotated[str, Field(max_length=64, exclude_if=lambda game: bool(game == RELEASED_GAME))] = RELEASED_GAME
    paytable: str
    lines: Annotated[tuple[AwardLine, ...], Field(min_length=1, max_length=20)]
    seed_cents: Cents
    preset_meter_bps: Bps
    meter_bps: Bps
    reserve_bps: Bps
    limit_cents: Annotated[int, Field(ge=NO_LIMIT, le=10**12)] = NO_LIMIT
    executive_cents: Cents = 1_000_000
    variance_cents: Cents = 5_000
    wager_cents: Annotated[int, Field(ge=1, le=10**6)] = 100
    most_wager_cents: Annotated[int | None, Field(ge=1, le=10**6, exclude_if=lambda most: most is None)] = None
    tables: Annotated[int, Field(ge=1, le=1_000)] = 1
    seats: Annotated[int, Field(ge=1, le=9)] = 6
    award_order: Literal["sequence", "split"] = "sequence"
    award_rounding: Literal["cent", "dollar"] = "cent"
    fixed_awards_from: Literal["tray", "meter"] = "tray"
    envy_hitter_must_wager: Literal["on", "off"] = "on"
    zero_seed: bool = False
    staff_apart_hours: Annotated[
        int, Field(ge=0, le=720, exclude_if=lambda hours: bool(hours == STAFF_APART_HOURS))
    ] = STAFF_APART_HOURS
    words: Literal["keypad", "display"] = "keypad"
    day_zone: DayZone = DEFAULT_DAY_ZONE
    day_hour: DayHour = 0

    @model_validator(mode="after")
    def _verify_playable(self) -> Self:
        if self.meter_bps + self.reserve_bps > FULL_BPS:
            raise ValueError("meter_bps and reserve_bps are more than the wager: together at most 10000")
        if self.seed_cents == 0 and not self.zero_seed:
            raise ValueError("a seed of $0 is not recommended: set zero_seed to allow it")
        for line in self.lines:
            if line.per_cents and line.cents * self.wager_cents % line.per_cents:
                raise ValueError(f"{line.hand} would pay a fraction of a cent on this wager_cents: choose another one")
        if self.limit_cents != NO_LIMIT and self.limit_cents < self.seed_cents:
            raise ValueError("limit_cents is below seed_cents: a limit must leave room for the seed")
        hands = [line.hand for line in self.lines]
        if len(set(hands)) < len(hands):
            raise ValueError("a hand appears twice in the pay table")
        return self

    @property
    def meter_settings(self) -> MeterSettings:
        """The terms that ``meter.py`` computes with."""
        return MeterSettings(
            seed_cents=self.seed_cents,
            limit_cents=self.limit_cents,
            award_order=AWARD_SPLIT if self.award_order == "split" else AWARD_IN_SEQUENCE,
            award_rounding=ROUND_TO_DOLLAR if self.award_rounding == "dollar" else ROUND_TO_CENT,
            fixed_awards_from=FIXED_FROM_METER if self.fixed_awards_from == "meter" else FIXED_FROM_TRAY,
        )

    def find_line(self, hand: str) -> AwardLine | None:
        """Return the award line of a hand, None if it wins nothing."""
        return next((line for line in self.lines if line.hand == hand), None)

    def compute_fixed_cents(self, line: AwardLine, wager_cents: int) -> int:
        """Return the fixed award of a line for a wager (SC-10).

        It is 0 for a percentage, and without a wager.
        """
        per_cents = self.wager_cents if line.per_cents is None else line.per_cents
        if per_cents and wager_cents:
            return line.cents * wager_cents // per_cents
        return line.cents if wager_cents else 0


def make_settings(table: PayTable, **changes: Any) -> Settings:
    """Return the settings of a pay table: its presets with these changes.

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> settings = make_settings(select_paytables(load_game("six-card"))["progressive"], tables=4)
    >>> settings.seed_cents, settings.meter_bps, settings.find_line("flush").cents
    (1000000, 1400, 1500)

    Raises:
        RefusalError: the pay table has no meter, or a setting is unknown or out of range.
    """
    presets = table.progressive
    if presets is None:
        raise RefusalError(
            f"pay table {table.id} has no meter: choose a progressive's pay table", code="no-meter", paytable=table.id
        )
    lines = tuple(_make_line(hand, pay, table.envy.get(hand, 0)) for hand, pay in table.lines.items())
    values = {
        "paytable": table.id,
        "lines": lines,
        "seed_cents": presets.seed_cents,
        "preset_meter_bps": presets.meter_bps,
        "meter_bps": presets.meter_bps,
        "reserve_bps": presets.reserve_bps,
    }
    return validate_settings({**values, **changes})


def change_settings(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with some changed.

    What a line pays for stays: its award grows with the wager, or is flat (SC-10).

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> settings = make_settings(select_paytables(load_game("six-card"))["progressive"])
    >>> high = change_settings(settings, {"wager_cents": 500})
    >>> high.compute_fixed_cents(high.find_line("flush"), 500)
    7500

    Raises:
        RefusalError: a setting is unknown or out of range.
    """
    lines = [line.model_dump() for line in settings.lines]
    for line in lines:
        if line["cents"]:
            line.setdefault("per_cents", settings.wager_cents)
    values: dict[str, Any] = {**settings.model_dump(), "lines": tuple(lines)}
    values.pop("most_wager_cents", None)
    return validate_settings({**values, **changes})


def validate_settings(values: dict[str, Any]) -> Settings:
    """Validate the values of settings.

    Raises:
        RefusalError: one is missing, unknown or out of range, or the time zone is unknown here.
    """
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise RefusalError(f"settings: {first_error(error)}", code="invalid-settings") from None
    verify_texts(settings.model_dump())
    load_zone(settings.day_zone)  # not in ``Settings``: entries must replay where this zone is unknown
    return settings


def _make_line(hand: str, pay: LinePay, envy_dollars: int) -> AwardLine:
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return AwardLine(hand=hand, percent=int(pay.amount), envy_dollars=envy_dollars)
    if pay.unit is PayUnit.DOLLARS:
        return AwardLine(hand=hand, cents=int(pay.amount * 100), per_cents=0, envy_dollars=envy_dollars)
    for_one = pay.amount + 1 if pay.unit is PayUnit.TO_ONE else pay.amount
    per_cents = 100 * for_one.denominator
    return AwardLine(hand=hand, cents=int(for_one * per_cents), per_cents=per_cents, envy_dollars=envy_dollars)


class Advice(NamedTuple):
    """A rule sheet's advice that the settings do not follow, with its reason."""

    name: str
    reason: str


def iter_advice(settings: Settings) -> Iterator[Advice]:
    """Yield the rule sheet's recommendations that these settings do not follow."""
    largest_cents = max(settings.compute_fixed_cents(line, settings.wager_cents) for line in settings.lines)
    from_meter = settings.fixed_awards_from == "meter"
    if settings.seed_cents == 0:
        yield Advice("zero-seed", "the seed is $0: after two awards close together the meter restarts near zero")
    elif settings.seed_cents < largest_cents:
        yield Advice(
            "small-seed",
            f"the seed of {format_cents(settings.seed_cents)} is below the largest fixed award of "
            f"{format_cents(largest_cents)}: make it at least as large",
        )
    if from_meter and settings.meter_bps < MIN_METER_BPS:
        yield Advice(
            RUIN_ADVICE,
            f"{settings.meter_bps} basis points go to a meter that pays every award: below {MIN_METER_BPS} the risk "
            "that it runs dry grows",
        )
    if not from_meter and settings.meter_bps > settings.preset_meter_bps:
        yield Advice(
            "dear-meter",
            f"{settings.meter_bps} basis points go to the meter, the preset is {settings.preset_meter_bps}: "
            "the excess reduces the house's advantage",
        )
    if settings.reserve_bps == 0:
        yield Advice(
            "no-reserve", "nothing goes to the reserve: after a 100% award the meter restarts at the seed alone"
        )
