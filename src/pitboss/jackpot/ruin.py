"""How likely a meter that pays every award runs dry: wagers drawn at random, and the meter carried through them."""

from collections.abc import Mapping

import numpy as np

from pitboss.jackpot.settings import Settings
from pitboss.simulate.meter_simulation import MeterTotal, ProgressiveSetup, simulate_meter

WAGERS_PER_RUN = 50_000
"""Five days of a full table: six seats, 70 rounds an hour."""

RUNS = 300


def estimate_ruin_probability(settings: Settings, probabilities: Mapping[str, float], seed: int = 1) -> float:
    """Return the share of ``RUNS`` in which a meter cannot pay an award in full within ``WAGERS_PER_RUN`` wagers.

    ``probabilities`` has the probability of every hand of the pay table.

    >>> from pitboss.games import load_game
    >>> from pitboss.jackpot.settings import make_settings
    >>> from pitboss.paytables import select_paytables
    >>> table = choose(game_named("six-card"))["progressive"]
    >>> rich = settings_of(table, fixed_awards_from="meter", meter_bps=9_000)
    >>> estimate_ruin_probability(rich, {line.hand: 0.0001 for line in rich.lines})
    0.0
    """
    random = np.random.default_rng(seed)
    paid = [probabilities[line.hand] for line in settings.lines]
    each = [*paid, 1 - sum(paid)]
    run = _make_setup(settings)
    runs = (
        simulate_meter(run, 1, WAGERS_PER_RUN, [random.choice(len(each), (WAGERS_PER_RUN, 1), p=each)])
        for _ in range(RUNS)
    )
    return sum(found.get_total(MeterTotal.DRY) > 0 for found in runs) / RUNS


def _make_setup(settings: Settings) -> ProgressiveSetup:
    """Return how the house runs it: its lines, and last a hand that wins nothing.  Envy is the tray's."""
    return ProgressiveSetup(
        percents=(*(line.percent for line in settings.lines), 0),
        fixed_cents=(*(line.cents for line in settings.lines), 0),
        envy=(0,) * (len(settings.lines) + 1),
        meter_bps=settings.meter_bps,
        reserve_bps=settings.reserve_bps,
        terms=settings.meter_terms,
        wager_cents=settings.wager_cents,
    )
