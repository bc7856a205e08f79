"""How likely a meter that pays every award runs dry: wagers drawn at random, paid by the rules of ``meter.py``."""

from collections.abc import Mapping

import numpy as np

from pitboss.jackpot.settings import Settings
from pitboss.meter import UNITS_PER_CENT, Meter, contribute, fixed_award, percentage_award

WAGERS = 50_000
"""Five days of a full table: six seats, 70 rounds an hour."""

RUNS = 300


def chance_of_running_dry(settings: Settings, chances: Mapping[str, float], seed: int = 1) -> float:
    """Return in which share of ``RUNS`` a meter, from its seed, cannot pay an award in full within ``WAGERS`` wagers.

    ``chances`` has the probability of every hand of the pay table.

    >>> from pitboss.games import game_named
    >>> from pitboss.jackpot.settings import settings_of
    >>> from pitboss.paytables import choose
    >>> table = choose(game_named("six-card"))["progressive"]
    >>> rich = settings_of(table, fixed_awards_from="meter", meter_bps=9_000)
    >>> chance_of_running_dry(rich, {line.hand: 0.0001 for line in rich.lines})
    0.0
    """
    random = np.random.default_rng(seed)
    each = np.array([chances[line.hand] for line in settings.lines])
    return sum(_runs_dry(settings, each, random) for _ in range(RUNS)) / RUNS


def _runs_dry(settings: Settings, chances: np.ndarray, random: np.random.Generator) -> bool:
    """Draw the hits among the wagers, and pay them until one cannot be paid."""
    number = random.binomial(WAGERS, chances.sum())
    places = np.sort(random.choice(WAGERS, number, replace=False))
    lines = random.choice(len(chances), number, p=chances / chances.sum())
    meter = Meter(settings.seed_cents * UNITS_PER_CENT, 0)
    before = -1
    for place, which in zip(places.tolist(), lines.tolist(), strict=True):
        cents = (place - before) * settings.wager_cents
        meter = contribute(meter, cents, settings.meter_bps, settings.reserve_bps)
        line = settings.lines[which]
        if line.percent:
            award = percentage_award(meter, line.percent, settings.terms)
        else:
            award = fixed_award(meter, line.cents, settings.terms)
        if award.short_cents:
            return True
        meter, before = award.meter, place
    return False
