"""Simulate a progressive over millions of rounds.

The meter of ``meter.py`` follows the rounds of a simulation.  A simulation answers what no formula can: how often the
meter runs dry, its usual and its highest value, and what the house really holds under any contribution, reserve and
seed (the advice of the sheet's last page; SC-6 to SC-8).
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from functools import cache, cached_property
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pitboss.contract import PayTable, Wager
from pitboss.core.errors import SessionError
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.meter import (
    UNITS_PER_CENT,
    Meter,
    MeterAward,
    MeterSettings,
    WagerShares,
    add_contribution,
    compute_award_in_turn,
    compute_displayed_cents,
    compute_envy_dollars,
    divide_wager,
    find_seat_in_turn,
)
from pitboss.outcome_nets import compute_outcome_net, get_meter_percent

Integers = NDArray[np.int64]

WAGER_CENTS = 100
BATCHES = 32

_FULL_PERCENT = 100
_BINS = 4096
_CENTS_PER_DOLLAR = 100


class MeterTotal(IntEnum):
    """The totals of a meter simulation.

    Money is in cents, or in units of a meter where the name says so.
    """

    ROUNDS = 0
    WAGERS = 1
    METER_UNITS = 2
    RESERVE_UNITS = 3
    METER_PAID = 4
    TRAY_PAID = 5
    SHORT = 6
    DRY = 7
    SEEDED = 8
    RELEASED_UNITS = 9
    ENVY = 10
    JACKPOTS = 11
    JACKPOTS_PAID = 12
    DISPLAYED = 13
    HIGHEST = 14
    HIGHEST_JACKPOT = 15


@dataclass(frozen=True, slots=True)
class ProgressiveSetup:
    """The setup of a progressive: its awards, the shares of a wager, its settings.

    ``percents``, ``fixed_cents`` and ``envy`` (dollars) have the award of each outcome of a wager of ``wager_cents``.
    """

    percents: tuple[int, ...]
    fixed_cents: tuple[int, ...]
    envy: tuple[int, ...]
    meter_bps: int
    reserve_bps: int
    settings: MeterSettings
    wager_cents: int = WAGER_CENTS

    def with_rates(
        self, meter_bps: int | None = None, reserve_bps: int | None = None, seed_cents: int | None = None
    ) -> Self:
        """Return the setup with other rates or another seed.

        Raises:
            SessionError: a rate is negative, the rates together are above 100%, or the seed is negative.
        """
        changed = replace(
            self,
            meter_bps=self.meter_bps if meter_bps is None else meter_bps,
            reserve_bps=self.reserve_bps if reserve_bps is None else reserve_bps,
            settings=self.settings if seed_cents is None else self.settings._replace(seed_cents=seed_cents),
        )
        if (
            min(changed.meter_bps, changed.reserve_bps) < 0
            or changed.meter_bps + changed.reserve_bps > _FULL_PERCENT * _FULL_PERCENT
        ):
            message = (
                f"{changed.meter_bps / _FULL_PERCENT:g}% to the meter and {changed.reserve_bps / _FULL_PERCENT:g}% to "
                "the reserve are not valid shares of a wager: both are at least 0%, together at most 100%"
            )
            raise SessionError(message, code="rates-too-high")
        if changed.settings.seed_cents < 0:
            raise SessionError("a meter cannot have a negative seed: give $0 or more", code="negative-seed")
        return changed


def build_progressive_setup(wager: Wager, table: PayTable, settings: MeterSettings) -> ProgressiveSetup:
    """Build the setup of a pay table's progressive from its presets.

    ``settings`` are those of ``options.get_meter_settings``.

    Raises:
        SessionError: the pay table has no meter.
    """
    if table.progressive is None:
        message = f"{table.id} has no meter: give the pay table of a progressive"
        raise SessionError(message, code="no-meter", paytable=table.id)
    tables_by_kind = {table.kind: table}
    percents = tuple(get_meter_percent(outcome, tables_by_kind) for outcome in wager.outcomes)
    returned_cents = [
        WAGER_CENTS + int(compute_outcome_net(outcome, tables_by_kind, WAGER_CENTS)) for outcome in wager.outcomes
    ]
    return ProgressiveSetup(
        percents=percents,
        fixed_cents=tuple(0 if percent else cents for percent, cents in zip(percents, returned_cents, strict=True)),
        envy=tuple(
            sum(table.envy.get(line, 0) for leg in outcome.legs for line in leg.lines) for outcome in wager.outcomes
        ),
        meter_bps=table.progressive.meter_bps,
        reserve_bps=table.progressive.reserve_bps,
        settings=settings,
    )


@dataclass(frozen=True, eq=False)
class MeterHistory:
    """The history of a progressive: totals, displays, and the meter at both ends.

    ``tallies`` has a row for each batch of consecutive rounds and a column for each ``MeterTotal``.
    ``display_histogram[i]`` counts the rounds in which the display, after the wagers were taken, showed at least
    ``i * bin_cents`` and less than ``(i + 1) * bin_cents``.
    """

    setup: ProgressiveSetup
    seats: int
    tallies: Integers
    display_histogram: Integers
    bin_cents: int
    opening_meter: Meter
    closing_meter: Meter

    def get_total(self, total: MeterTotal) -> int:
        """Return a total over all rounds; the maximum for a total that is not a sum."""
        column = self.tallies[:, total]
        return int(column.max() if total in {MeterTotal.HIGHEST, MeterTotal.HIGHEST_JACKPOT} else column.sum())

    @property
    def hold(self) -> Fraction:
        """The house's share of a dollar wagered.

        Contributions to the meter belong to the players.
        """
        return _compute_hold(self.tallies.sum(axis=0).tolist())

    @cached_property
    def standard_error(self) -> float:
        """The standard error of the hold, from the holds of the batches."""
        holds = [float(_compute_hold(batch)) for batch in self.tallies.tolist()]
        return float(np.std(holds, ddof=1)) / sqrt(len(holds))

    @property
    def mean_display_cents(self) -> Fraction:
        """The mean display of the meter after a round's wagers are taken."""
        return Fraction(self.get_total(MeterTotal.DISPLAYED), self.get_total(MeterTotal.ROUNDS))

    def display_percentile_cents(self, percent: float) -> int:
        """Return the display that is not exceeded in ``percent`` of rounds.

        It is rounded up to a whole ``bin_cents``.
        """
        below = np.cumsum(self.display_histogram)
        return (int(np.searchsorted(below, percent / 100 * below[-1])) + 1) * self.bin_cents


def _compute_hold(batch: Sequence[int]) -> Fraction:
    wagered = batch[MeterTotal.WAGERS] * UNITS_PER_CENT
    paid = (batch[MeterTotal.TRAY_PAID] + batch[MeterTotal.ENVY] + batch[MeterTotal.SEEDED]) * UNITS_PER_CENT
    held_units = wagered - batch[MeterTotal.METER_UNITS] - batch[MeterTotal.RESERVE_UNITS] - paid
    return Fraction(held_units, wagered)


class MeterSimulation:
    """A meter that starts at its seed and follows rounds in which every seat wagers."""

    def __init__(self, setup: ProgressiveSetup, seats: int, rounds: int) -> None:
        """Begin before the first of ``rounds`` rounds.

        Raises:
            SessionError: there are fewer rounds than batches.
        """
        if rounds < BATCHES:
            message = f"{rounds} rounds are too few to simulate a meter: give at least {BATCHES}"
            raise SessionError(message, code="too-few-rounds", rounds=rounds, batches=BATCHES)
        self._setup, self._seats = setup, seats
        self._opening_meter = Meter(setup.settings.seed_cents * UNITS_PER_CENT, 0)
        self._meter_units = np.array(self._opening_meter, np.int64)
        self._tallies = np.zeros((BATCHES, len(MeterTotal)), np.int64)
        self._display_histogram, self._bins = np.zeros(_BINS, np.int64), np.array([_CENTS_PER_DOLLAR], np.int64)
        self._outcome_worth = np.array([setup.percents, setup.fixed_cents, setup.envy], np.int64)
        self._edges = [rounds * batch // BATCHES for batch in range(1, BATCHES)]
        self._rounds_done = 0

    def add_rounds(self, played_outcomes: NDArray[Any]) -> None:
        """Run the meter through the next rounds.

        ``played_outcomes`` are the outcomes of the wager, of shape (rounds, seats).
        """
        setup, outcomes = self._setup, np.ascontiguousarray(played_outcomes, np.int64)
        rates = (setup.wager_cents, setup.meter_bps, setup.reserve_bps)
        ends = [
            edge - self._rounds_done
            for edge in self._edges
            if self._rounds_done < edge < self._rounds_done + len(outcomes)
        ]
        for batch_outcomes in np.split(outcomes, ends):
            tally = self._tallies[bisect_right(self._edges, self._rounds_done)]
            _compile_meter_kernel()(
                batch_outcomes,
                self._outcome_worth,
                rates,
                setup.settings,
                self._meter_units,
                tally,
                self._display_histogram,
                self._bins,
            )
            self._rounds_done += len(batch_outcomes)

    def get_history(self) -> MeterHistory:
        """Return the history so far."""
        closing_meter = Meter(*self._meter_units.tolist())
        return MeterHistory(
            self._setup,
            self._seats,
            self._tallies,
            self._display_histogram,
            int(self._bins[0]),
            self._opening_meter,
            closing_meter,
        )


def simulate_meter(
    setup: ProgressiveSetup, seats: int, rounds: int, outcome_batches: Iterable[NDArray[Any]]
) -> MeterHistory:
    """Run a ``MeterSimulation`` through all rounds (raises as the class).

    The batches may have any sizes.
    """
    simulation = MeterSimulation(setup, seats, rounds)
    for outcomes in outcome_batches:
        simulation.add_rounds(outcomes)
    return simulation.get_history()


@kernel_helper
def count_wagers(tally: Integers, cents: int, seats: int, part_of_one: WagerShares, displayed: int) -> None:
    """Count a round's wagers and the display after them."""
    tally[MeterTotal.ROUNDS] += 1
    tally[MeterTotal.WAGERS] += cents
    tally[MeterTotal.METER_UNITS] += seats * part_of_one.meter_units
    tally[MeterTotal.RESERVE_UNITS] += seats * part_of_one.reserve_units
    tally[MeterTotal.DISPLAYED] += displayed
    tally[MeterTotal.HIGHEST] = max(tally[MeterTotal.HIGHEST], displayed)


@kernel_helper
def count_display(histogram: Integers, bins: Integers, displayed: int) -> None:
    """Count the display in the histogram.

    While it is above the last bin, bins are joined in pairs.
    """
    while displayed // bins[0] >= len(histogram):
        for place in range(len(histogram) // 2):
            histogram[place] = histogram[2 * place] + histogram[2 * place + 1]
        for place in range(len(histogram) // 2, len(histogram)):
            histogram[place] = 0
        bins[0] *= 2
    histogram[displayed // bins[0]] += 1


@kernel_helper
def count_award(tally: Integers, award: MeterAward, percent: int) -> None:
    """Count an award."""
    tally[MeterTotal.METER_PAID] += award.meter_cents
    tally[MeterTotal.TRAY_PAID] += award.tray_cents
    tally[MeterTotal.SHORT] += award.short_cents
    tally[MeterTotal.DRY] += 1 if award.short_cents else 0
    tally[MeterTotal.SEEDED] += award.seed_cents
    tally[MeterTotal.RELEASED_UNITS] += award.released_units
    if percent == _FULL_PERCENT:
        tally[MeterTotal.JACKPOTS] += 1
        tally[MeterTotal.JACKPOTS_PAID] += award.meter_cents
        tally[MeterTotal.HIGHEST_JACKPOT] = max(tally[MeterTotal.HIGHEST_JACKPOT], award.meter_cents)


@kernel_helper
def count_envy(tally: Integers, seats: int, hitter: int, dollars: int) -> None:
    """Count the envy that a hit pays the other seats; all of them have wagered."""
    for seat in range(seats if dollars else 0):
        tally[MeterTotal.ENVY] += _CENTS_PER_DOLLAR * compute_envy_dollars(dollars, (1 << seats) - 1, hitter, seat, 1)


@cache
def _compile_meter_kernel() -> Any:
    """Compile the kernel that runs a meter through rounds."""

    @kernel
    def run_meter(
        outcomes: Integers,
        outcome_worth: Integers,
        rates: tuple[int, int, int],
        settings: MeterSettings,
        meter_units: Integers,
        tally: Integers,
        display_histogram: Integers,
        bins: Integers,
    ) -> None:
        seats = outcomes.shape[1]
        wager_cents, meter_bps, reserve_bps = rates
        percents, fixed_cents = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
        shares = divide_wager(wager_cents, meter_bps, reserve_bps)
        meter = Meter(meter_units[0], meter_units[1])
        for row in outcomes:
            hit = 0
            for seat in range(seats):
                meter = add_contribution(meter, wager_cents, meter_bps, reserve_bps)
                percents[seat], fixed_cents[seat] = outcome_worth[0, row[seat]], outcome_worth[1, row[seat]]
                hit |= percents[seat] | fixed_cents[seat]
            displayed = compute_displayed_cents(meter, settings.limit_cents)
            count_wagers(tally, seats * wager_cents, seats, shares, displayed)
            count_display(display_histogram, bins, displayed)
            for turn in range(seats if hit else 0):
                seat = find_seat_in_turn(percents, turn, settings)
                award = compute_award_in_turn(meter, displayed, percents, fixed_cents, seat, settings)
                meter = award.meter
                count_award(tally, award, percents[seat])
                count_envy(tally, seats, seat, outcome_worth[2, row[seat]])
        meter_units[0], meter_units[1] = meter.units, meter.reserve_units

    return run_meter


def meter_history_as_json(history: MeterHistory) -> Mapping[str, object]:
    """Return the figures by their names in JSON, money in dollars."""
    jackpots, rounds = history.get_total(MeterTotal.JACKPOTS), history.get_total(MeterTotal.ROUNDS)
    return {
        "seats": history.seats,
        "rounds": rounds,
        "meter_rate": history.setup.meter_bps / _FULL_PERCENT / _FULL_PERCENT,
        "reserve_rate": history.setup.reserve_bps / _FULL_PERCENT / _FULL_PERCENT,
        "seed": history.setup.settings.seed_cents / _CENTS_PER_DOLLAR,
        "wagered": history.get_total(MeterTotal.WAGERS) / _CENTS_PER_DOLLAR,
        "hold": float(history.hold),
        "standard_error": history.standard_error,
        "runs_dry": history.get_total(MeterTotal.DRY),
        "short": history.get_total(MeterTotal.SHORT) / _CENTS_PER_DOLLAR,
        "jackpots": jackpots,
        "mean_jackpot": history.get_total(MeterTotal.JACKPOTS_PAID) / _CENTS_PER_DOLLAR / jackpots
        if jackpots
        else None,
        "highest_jackpot": history.get_total(MeterTotal.HIGHEST_JACKPOT) / _CENTS_PER_DOLLAR,
        "mean_display": float(history.mean_display_cents) / _CENTS_PER_DOLLAR,
        "display_percentiles": {
            str(percent): history.display_percentile_cents(percent) / _CENTS_PER_DOLLAR
            for percent in (5, 25, 50, 75, 95, 99)
        },
        "highest_display": history.get_total(MeterTotal.HIGHEST) / _CENTS_PER_DOLLAR,
    }
