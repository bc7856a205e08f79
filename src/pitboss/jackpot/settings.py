"""The settings of a progressive: pay table, seed, rates, limits, tables and seats, and advice about them.

Money is in whole cents, rates are in basis points of a wager.  The rule sheet's recommendations are advice, each with
its reason; only settings that cannot be played at all are refused.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from pitboss.contract import LinePay, PayTable, PayUnit
from pitboss.core.money import format_cents
from pitboss.core.strict_model import StrictModel, first_error
from pitboss.jackpot.errors import RefusalError
from pitboss.meter import (
    AWARD_IN_SEQUENCE,
    AWARD_SPLIT,
    FIXED_FROM_METER,
    FIXED_FROM_TRAY,
    NO_LIMIT,
    ROUND_TO_CENT,
    ROUND_TO_DOLLAR,
    MeterTerms,
)

FULL_BPS = 10_000
MIN_METER_BPS = 7_000
"""From the rule sheet: if all pays come from the meter, it grows at a contribution of 70% or more."""

RUIN_ADVICE = "runs-dry"
"""The advice that comes with a probability (``ruin.estimate_ruin_probability``)."""

Cents = Annotated[int, Field(ge=0, le=10**12)]
Bps = Annotated[int, Field(ge=0, le=FULL_BPS)]
HandId = Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$")]


class AwardLine(StrictModel):
    """The award of a hand: ``percent`` of the meter or ``cents`` per unit wagered, and envy for other seats."""

    hand: HandId
    percent: Annotated[int, Field(ge=0, le=100)] = 0
    cents: Cents = 0
    envy_dollars: Annotated[int, Field(ge=0, le=10**6)] = 0

    @model_validator(mode="after")
    def _verify_one_pay(self) -> Self:
        if (self.percent > 0) == (self.cents > 0):
            raise ValueError(f"{self.hand} must pay either a percentage of the meter or a fixed award")
        return self


class Settings(StrictModel):
    """One version of the settings; ``limit_cents`` -1 means that the display has no limit."""

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
    most_wager_cents: Annotated[int, Field(ge=1, le=10**6)] = 100
    tables: Annotated[int, Field(ge=1, le=1_000)] = 1
    seats: Annotated[int, Field(ge=1, le=9)] = 6
    award_order: Literal["sequence", "split"] = "sequence"
    award_rounding: Literal["cent", "dollar"] = "cent"
    fixed_awards_from: Literal["tray", "meter"] = "tray"
    envy_hitter_must_wager: Literal["on", "off"] = "on"
    zero_seed: bool = False
    words: Literal["keypad", "display"] = "keypad"

    @model_validator(mode="after")
    def _verify_playable(self) -> Self:
        if self.meter_bps + self.reserve_bps > FULL_BPS:
            raise ValueError("meter_bps and reserve_bps are more than the wager: together at most 10000")
        if self.seed_cents == 0 and not self.zero_seed:
            raise ValueError("a seed of $0 is not recommended: set zero_seed to allow it")
        if self.most_wager_cents % self.wager_cents:
            raise ValueError("most_wager_cents must be a multiple of wager_cents")
        if self.limit_cents != NO_LIMIT and self.limit_cents < self.seed_cents:
            raise ValueError("limit_cents is below seed_cents: a limit must leave room for the seed")
        hands = [line.hand for line in self.lines]
        if len(set(hands)) < len(hands):
            raise ValueError("a hand appears twice in the pay table")
        return self

    @property
    def meter_terms(self) -> MeterTerms:
        """The terms that ``meter.py`` computes with."""
        return MeterTerms(
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
        """Return the fixed award of a line for a wager, 0 for a percentage."""
        return line.cents * (wager_cents // self.wager_cents)


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
        raise RefusalError(f"pay table {table.id} has no meter: choose one of a progressive")
    wager_cents = changes.get("wager_cents", 100)
    lines = tuple(_make_line(hand, pay, table.envy.get(hand, 0), wager_cents) for hand, pay in table.lines.items())
    values = {
        "paytable": table.id,
        "lines": lines,
        "seed_cents": presets.seed_cents,
        "preset_meter_bps": presets.meter_bps,
        "meter_bps": presets.meter_bps,
        "reserve_bps": presets.reserve_bps,
    }
    return validate_settings(values | changes)


def validate_settings(values: dict[str, Any]) -> Settings:
    """Validate the values of settings.

    Raises:
        RefusalError: one is missing, unknown or out of range.
    """
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise RefusalError(f"settings: {first_error(error)}") from None


def _make_line(hand: str, pay: LinePay, envy_dollars: int, wager_cents: Any) -> AwardLine:
    if pay.unit is PayUnit.PERCENT_OF_METER:
        return AwardLine(hand=hand, percent=int(pay.amount), envy_dollars=envy_dollars)
    pay_cents = pay.amount * 100 if pay.unit is PayUnit.DOLLARS else pay.amount * wager_cents
    cents = pay_cents + wager_cents if pay.unit is PayUnit.TO_ONE else pay_cents
    return AwardLine(hand=hand, cents=int(cents), envy_dollars=envy_dollars)


class Advice(NamedTuple):
    """A recommendation of the rule sheet that the settings do not follow, with its reason."""

    name: str
    reason: str


def list_advice(settings: Settings) -> tuple[Advice, ...]:
    """Return the rule sheet's recommendations that these settings do not follow."""
    return tuple(_iter_advice(settings))


def _iter_advice(settings: Settings) -> Iterator[Advice]:
    largest_cents = max(line.cents for line in settings.lines)
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
