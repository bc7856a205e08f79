"""The settings of an environment.

They are wagers, pay tables, rulings and seats, checked and converted for rounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from typing import Any, Self

import numpy as np

from pitboss.analysis.par_sheet import compute_nets_per_unit
from pitboss.analysis.side_stakes import parse_side_stakes
from pitboss.api.arguments import PayTableInputs, choose_options, choose_paytables
from pitboss.contract import Game, HandOwner, PayTable
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import IllegalActionError, UnknownNameError, WagerError, quote
from pitboss.options import encode_options
from pitboss.paytables import find_progressive_table
from pitboss.simulate.action_space import list_circles
from pitboss.simulate.stepper import StepConfig, StepFunction, build_step
from pitboss.strategies import load_strategies

_LARGEST_EXACT = 1 << 53

StakeAmount = int | float | str | Fraction


@dataclass(frozen=True)
class EnvSettings:
    """The settings under which an environment plays a game.

    ``wagers`` has stakes in Antes by bet: main is always one Ante, and a side wager without a stake is not played.
    ``paytables`` are as those of ``HouseGame``, ``rules`` its ``options``.  ``seats`` is the
    number of seats that play, and ``seat`` is the one of the environment, counted from 0.

    Raises:
        IllegalActionError: the number of seats or the seat is out of range.
        OptionError, PayTableError, UnknownNameError, WagerError: as on the command line for the same input.
    """

    game: Game
    wagers: Mapping[str, StakeAmount] = field(default_factory=dict)
    paytables: PayTableInputs = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    seats: int = 1
    seat: int = 0

    def __post_init__(self) -> None:
        """Reject settings that cannot be played."""
        verify_whole(self.seats, "the number of seats", 1, self.game.seats, IllegalActionError)
        verify_whole(self.seat, "the seat", 0, self.seats - 1, IllegalActionError)
        _ = self.kernel_args, self.option_codes  # computed now, so that their errors are raised now

    def with_changes(self, changes: Mapping[str, Any] | None) -> Self:
        """Return these settings with changes (raises as the class does)."""
        known = [each.name for each in fields(self) if each.name != "game"]
        for name in changes or {}:
            if name not in known:
                raise UnknownNameError("option of an environment", name, known)
        return replace(self, **changes) if changes else self

    @cached_property
    def option_values(self) -> dict[str, str]:
        """Return the value of every option of the game."""
        return choose_options(self.game, self.rules)

    @cached_property
    def option_codes(self) -> Any:
        """Return the option codes for the rules."""
        return encode_options(self.game, self.option_values)

    def make_step(self, *, compiled: bool) -> StepFunction:
        """Return the step function.

        Other seats play the game's practical strategy, if there is one.
        """
        return _make_step(self.game, self.seats, compiled=compiled)

    @cached_property
    def stakes(self) -> dict[str, Fraction]:
        """Return the stake on each bet, in Antes, main first."""
        main = self.game.main.id
        if not isinstance(self.wagers, Mapping):
            raise WagerError(
                f"wagers are {quote(self.wagers)}: give a mapping of bets to Antes",
                code="invalid-wagers",
                wagers=self.wagers,
            )
        if str(self.wagers.get(main, 1)) not in ("1", "1.0"):
            raise WagerError(
                f"{main} is always one Ante, not {self.wagers[main]}: give stakes in Antes",
                code="fixed-stake",
                main=main,
            )
        assignments = [f"{bet}={stake}" for bet, stake in self.wagers.items() if bet != main]
        side = parse_side_stakes(self.game, self.option_values, assignments)
        for wager in self.game.wagers:
            stake = side.get(wager.id, Fraction(0))
            if stake and wager.hand_owner is HandOwner.OTHER_SEAT and self.seats == 1:
                raise WagerError(
                    f"{wager.id} needs another seat's hand: give seats=2 or more",
                    code="needs-other-seat",
                    wager=wager.id,
                )
        return {main: Fraction(1)} | {bet: stake for bet, stake in side.items() if stake}

    @cached_property
    def kernel_args(self) -> StepConfig:
        """Return the arguments of the step function that are the same in every round."""
        game, stakes, values = self.game, self.stakes, self.option_values
        paytables = choose_paytables(game, self.paytables)
        nets = [
            [
                stakes.get(wager.id, 0) * net
                for net in compute_nets_per_unit(wager, paytables, values, _get_seed_cents(paytables))
            ]
            for wager in game.wagers
        ]
        unit = lcm(*(net.denominator for wager_nets in nets for net in wager_nets))
        if sum(max(abs(net) for net in wager_nets) for wager_nets in nets) * unit >= _LARGEST_EXACT:
            raise WagerError(
                f"stakes and pays in steps of 1/{unit} Ante add up too high: choose smaller or rounder stakes",
                code="stakes-too-large",
            )
        unit_nets = np.zeros((len(nets), max(len(wager_nets) for wager_nets in nets)), np.int64)
        for index, wager_nets in enumerate(nets):
            unit_nets[index, : len(wager_nets)] = [int(net * unit) for net in wager_nets]
        neighbour = (self.seat + 1) % self.seats
        stands_on = [neighbour if wager.hand_owner is HandOwner.OTHER_SEAT else self.seat for wager in game.wagers]
        return StepConfig(
            seat=int(self.seat),
            wagered=(sum(1 << index for index, wager in enumerate(game.wagers) if wager.id in stakes),) * self.seats,
            reuse_discards=int(values.get("short_deck") == "reshuffle"),
            unit=unit,
            nets=unit_nets,
            stands_on=np.array(stands_on, np.int64),
            placed_chips=np.array([_sum_stakes(game, stakes, circle) for circle in list_circles(game)], np.float32),
        )


@cache
def _make_step(game: Game, seats: int, *, compiled: bool) -> StepFunction:
    practical = load_strategies(game)[:1]
    return build_step(game, seats, practical[0] if practical else None, compiled=compiled)


def _get_seed_cents(paytables: Mapping[str, PayTable]) -> int:
    """Return the amount on the progressive's meter: its seed."""
    table = find_progressive_table(paytables)
    return table.progressive.seed_cents if table and table.progressive else 0


def _sum_stakes(game: Game, stakes: Mapping[str, Fraction], circle: str) -> float:
    """Return the stakes in a circle before the deal, in Antes."""
    return float(sum(stakes.get(wager.id, 0) for wager in game.wagers if circle in (wager.circles or (wager.id,))))
