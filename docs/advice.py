"""Writes docs/progressive-advice.md: the advice on the last page of Six Card Poker's rule sheet, as figures.

``python docs/advice.py [ROUNDS]``.  All settings are carried through the same rounds, so they differ by nothing else.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.games import load_game
from pitboss.options import get_meter_settings, resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.meter_simulation import (
    MeterHistory,
    MeterTotal,
    ProgressiveSetup,
    build_progressive_setup,
    simulate_meter,
)
from pitboss.simulate.ordered_outcomes import OutcomeObserver
from pitboss.simulate.players import get_default_player
from pitboss.simulate.runner import Simulation, run_simulation

PAGE = Path(__file__).parent / "progressive-advice.md"
GAME = load_game("six-card")
WAGER = "progressive"
ROUNDS = 10_000_000
SEATS = 6
SEED = 1

TEXT = """\
# The progressive: the sheet's advice as figures

The last page of Six Card Poker's rule sheet advises an operator on contribution, reserve and seed. This page shows what
each piece of advice is worth, over {rounds:,} rounds of six seats, every seat with a dollar on the progressive of
SIXCPP-01, the same rounds for every setting. `python docs/advice.py` writes this page (seed {seed}); `pitboss simulate
six-card --rounds {rounds} --seats 6 --seed {seed} --meter` with `--contribution`, `--reserve`, `--meter-seed` and
`--option fixed_awards_from=meter` shows the same for any other setting. Unless stated otherwise, the setting is
pitboss's own preset (SC-8): {preset}.

- *Runs dry*: awards that the meter could not pay in full, so that the tray paid the rest, and in how many rounds there
  was one.
- *Starts again at*: the average meter after a 100% award, from seed and reserve.
- *House holds*: what is left of the wagers after all that went to meter and reserve, to seeds, to the tray's awards and
  to envy, with its standard error. Part of it is luck that all settings share: compare the rows, not the last digit.

## All pays out of the meter

The sheet says that such a meter grows over time with a contribution of 70% or more, and may run dry with less.

{contribution}

## Only percentage pays out of the meter

The sheet warns of a contribution above the preset. Every point that goes to the meter is a point that the house does
not hold.

{percentage}

## Reserve

The sheet wants a small reserve, so that play drops less after a jackpot. It is added to the seed when the meter starts
again, and costs the house what it gives the players.

{reserve}

## Seed

The sheet wants it to be at least the largest fixed award ($100 here), and never $0. All pays come out of the
meter, 70% goes to it: a small seed makes it run dry just after a jackpot.

{seeded}

## A reserve as the only seed

The sheet advises against it: a jackpot soon after another starts the meter very low. There is no seed at all here,
and only percentage pays come out of the meter.

{only_reserve}
"""

COLUMNS = (
    "setting",
    "runs dry",
    "one round in",
    "meter, mean",
    "5% below",
    "95% below",
    "starts again at",
    "house holds",
)


def told(found: MeterHistory) -> list[str]:
    """Return the cells of a setting but its name."""
    dry, jackpots = found.get_total(MeterTotal.DRY), found.get_total(MeterTotal.JACKPOTS)
    again = found.get_total(MeterTotal.SEEDED) + found.get_total(MeterTotal.RELEASED_UNITS) / 10_000
    return [
        f"{dry:,}",
        f"{found.get_total(MeterTotal.ROUNDS) / dry:,.0f}" if dry else "never",
        f"${float(found.mean_display_cents) / 100:,.0f}",
        f"${found.display_percentile_cents(5) / 100:,.0f}",
        f"${found.display_percentile_cents(95) / 100:,.0f}",
        f"${again / jackpots / 100:,.0f}" if jackpots else "",
        f"{float(found.hold):.2%} ± {found.standard_error:.2%}",
    ]


def table(settings: Mapping[str, ProgressiveSetup], blocks: Sequence[NDArray[np.uint8]]) -> str:
    """Carry every setting through the rounds played, and return what came of it as a table."""
    lines: list[Iterable[str]] = [COLUMNS, ("---", *["--:"] * (len(COLUMNS) - 1))]
    for name, run in settings.items():
        lines.append((name, *told(simulate_meter(run, SEATS, sum(map(len, blocks)), blocks))))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def house(fixed_awards_from: str) -> ProgressiveSetup:
    """Return the preset of the game's own pay table."""
    wager = next(wager for wager in GAME.wagers if wager.id == WAGER)
    paytable = select_paytables(GAME)[WAGER]
    seed_cents = paytable.progressive.seed_cents if paytable.progressive else 0
    options = resolve_options(GAME, {"fixed_awards_from": fixed_awards_from})
    return build_progressive_setup(wager, paytable, get_meter_settings(options, seed_cents))


def page(rounds: int) -> str:
    """Play the rounds, and write the page."""
    place = next(place for place, wager in enumerate(GAME.wagers) if wager.id == WAGER)
    simulation = Simulation(GAME.id, tuple(resolve_options(GAME, {}).items()), get_default_player(GAME), SEATS)
    blocks: list[NDArray[np.uint8]] = []
    run_simulation(simulation, rounds, SEED, observer=OutcomeObserver(place, blocks.append))
    preset, all_pays = house("tray"), house("meter")
    rates, seeds = (5_000, 6_000, 6_500, 7_000, 7_500, 8_000), (0, 1_000, 10_000, 100_000, 1_000_000)
    said = f"{preset.meter_bps / 100:g}% of every wager to the meter, {preset.reserve_bps / 100:g}% to the reserve"
    return TEXT.format(
        rounds=rounds,
        seed=SEED,
        preset=f"a seed of {dollars(preset.settings.seed_cents)}, {said}",
        contribution=table({f"{rate / 100:g}%": all_pays.with_rates(rate) for rate in rates}, blocks),
        percentage=table(
            {f"{rate / 100:g}%": preset.with_rates(rate) for rate in (1_000, preset.meter_bps, 2_000, 3_000)}, blocks
        ),
        reserve=table({f"{rate / 100:g}%": preset.with_rates(None, rate) for rate in (0, 200, 500)}, blocks),
        seeded=table({dollars(seed): all_pays.with_rates(7_000, None, seed) for seed in seeds}, blocks),
        only_reserve=table(
            {f"reserve {rate / 100:g}%": preset.with_rates(None, rate, 0) for rate in (200, 500, 1_000)}, blocks
        ),
    )


def dollars(cents: int) -> str:
    """Write whole dollars."""
    return f"${cents // 100:,}"


if __name__ == "__main__":
    PAGE.write_text(page(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS), encoding="utf-8")
