"""Estimates how likely a meter that pays every award runs dry, by simulating random wagers."""

from collections.abc import Mapping

import numpy as np

from pitboss.jackpot.settings import Settings
from pitboss.simulate.meter_simulation import MeterTotal, ProgressiveSetup, simulate_meter

WAGERS_PER_RUN = 50_000
"""Five days of a full table: six seats, 70 rounds an hour."""

RUNS = 300


def estimate_ruin_probability(settings: Settings, probabilities: Mapping[str, float], seed: int = 1) -> float:
    """Return the share of runs in which a meter cannot pay an award in full within ``WAGERS_PER_RUN`` wagers.

    ``probabilities`` has the probability of every hand of the pay table.

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
    weights = [*paying, 1 - sum(paying)]
    setup = _make_setup(settings)
    histories = (
        simulate_meter(setup, 1, WAGERS_PER_RUN, [random.choice(len(weights), (WAGERS_PER_RUN, 1), p=weights)])
        for _ in range(RUNS)
    )
    return sum(history.get_total(MeterTotal.DRY) > 0 for history in histories) / RUNS


def _make_setup(settings: Settings) -> ProgressiveSetup:
    """Return the setup to simulate: the lines, then a hand that wins nothing; envy is left to the tray."""
    return ProgressiveSetup(
        percents=(*(line.percent for line in settings.lines), 0),
        fixed_cents=(*(line.cents for line in settings.lines), 0),
        envy=(0,) * (len(settings.lines) + 1),
        meter_bps=settings.meter_bps,
        reserve_bps=settings.reserve_bps,
        terms=settings.meter_terms,
        wager_cents=settings.wager_cents,
    )
