"""Estimates of how likely a meter that pays every award runs dry.

They come from a simulation of random wagers, in which only those that win are looked at.
"""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.jackpot.settings import RELEASED_GAME, Settings
from pitboss.meter import (
    FIXED_FROM_TRAY,
    UNITS_PER_CENT,
    Meter,
    compute_award_in_turn,
    compute_displayed_cents,
    divide_wager,
)

WAGERS_PER_RUN = 50_000
"""Five days of a full table: six seats, 70 rounds an hour."""

RUNS = 300

_SIX_CARD_HANDS = {
    "royal-flush": 188,
    "straight-flush": 1_656,
    "four-of-a-kind": 14_664,
    "full-house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
}

KNOWN_PROBABILITIES: Mapping[str, Mapping[str, float]] = {
    RELEASED_GAME: {hand: count / comb(52, 6) for hand, count in _SIX_CARD_HANDS.items()}
}
"""The probabilities of hands that need not be counted again; a test counts them."""


def estimate_ruin_probability(settings: Settings, probabilities: Mapping[str, float], seed: int = 1) -> float:
    """Return the share of runs in which a meter cannot pay an award in full.

    A run has ``WAGERS_PER_RUN`` wagers.  ``probabilities`` has the probability of every hand of the pay table.

    >>> from pitboss.games import load_game
    >>> from pitboss.jackpot.settings import make_settings
    >>> from pitboss.paytables import select_paytables
    >>> table = select_paytables(load_game("six-card"))["progressive"]
    >>> rich = make_settings(table, fixed_awards_from="meter", meter_bps=9_000)
    >>> estimate_ruin_probability(rich, {line.hand: 0.0001 for line in rich.lines})
    0.0
    """
    random = np.random.default_rng(seed)
    paying = [probabilities[line.hand] for line in settings.lines]
    winning = sum(paying)
    if not winning or settings.meter_settings.fixed_awards_from == FIXED_FROM_TRAY:
        return 0.0
    weights = [each / winning for each in paying]
    dry = 0
    for _ in range(RUNS):
        hits = random.binomial(WAGERS_PER_RUN, winning)
        wagers = np.sort(random.choice(WAGERS_PER_RUN, hits, replace=False)) + 1
        dry += runs_dry(settings, wagers, random.choice(len(weights), hits, p=weights))
    return dry / RUNS


def runs_dry(settings: Settings, wagers: NDArray[Any], lines: NDArray[Any]) -> bool:
    """Return whether a meter that starts at the seed cannot pay an award in full.

    ``wagers`` are the numbers of the wagers that win, ascending from 1, ``lines`` the places of their hands in the
    pay table.  Between two percentages the meter only grows by contributions and falls by fixed awards, so all of
    these are compared at once.
    """
    share = divide_wager(settings.wager_cents, settings.meter_bps, settings.reserve_bps)
    fixed = np.array([settings.compute_fixed_cents(line, settings.wager_cents) for line in settings.lines])[lines]
    meter, taken, begin = Meter(settings.seed_cents * UNITS_PER_CENT, 0), 0, 0
    for end in [*np.flatnonzero(fixed == 0), len(lines)]:
        cents, held = fixed[begin:end], wagers[begin:end] - taken
        paid = np.cumsum(cents) * UNITS_PER_CENT
        before = meter.units + held * share.meter_units - (paid - cents * UNITS_PER_CENT)
        if (before // UNITS_PER_CENT < cents).any():
            return True
        if end < len(lines):
            grown = int(wagers[end]) - taken
            total_paid = int(paid[-1]) if len(paid) else 0
            meter = Meter(
                meter.units + grown * share.meter_units - total_paid, meter.reserve_units + grown * share.reserve_units
            )
            meter = _pay_percentage(settings, meter, settings.lines[lines[end]].percent)
            taken, begin = int(wagers[end]), end + 1
    return False


def _pay_percentage(settings: Settings, meter: Meter, percent: int) -> Meter:
    """Return the meter after a percentage of it was won by one seat."""
    terms = settings.meter_settings
    displayed = compute_displayed_cents(meter, terms.limit_cents)
    award = compute_award_in_turn(meter, displayed, (percent,), (0,), 0, terms)
    return Meter(*award.meter)
