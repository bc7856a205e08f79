"""What a holder staked and won in a settled round."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss.table.round.events import EnvyPaid, RoundEvent, StakePlaced, WagerSettled
from pitboss.table.session.state import TableSession


class PlayedWager(NamedTuple):
    """A settled wager of a holder.

    ``stake_cents`` is the stake as placed, ``staked_cents`` all that was put down on it in the end.
    """

    bet: str
    stake_cents: int
    staked_cents: int
    net_cents: int


class PlayedRound(NamedTuple):
    """A holder's wagers in a settled round, dealt ``at`` a time in seconds, and envy."""

    number: int
    at: int
    wagers: tuple[PlayedWager, ...]
    envy_cents: int

    @property
    def net_cents(self) -> int:
        """What the round won or lost, in cents."""
        return self.envy_cents + sum(wager.net_cents for wager in self.wagers)


def pair_settled_wagers(events: Iterable[RoundEvent]) -> Iterator[tuple[int, WagerSettled]]:
    """Yield each settled wager of a round after its stake in cents."""
    stakes: dict[tuple[int, str, int | None], int] = {}
    for event in events:
        if isinstance(event, StakePlaced):
            stakes[event.seat, event.bet, event.on] = event.cents
        elif isinstance(event, WagerSettled):
            yield stakes[event.seat, event.bet, event.on], event


def sum_staked_cents(settled: WagerSettled) -> int:
    """Sum what was put down on a wager, raises included, in cents."""
    return sum(leg.stake_cents for leg in settled.legs)


def find_played_round(sessions: Sequence[TableSession], holder: str) -> PlayedRound | None:
    """Return what a holder played in a settled round; None if nothing.

    ``sessions`` are the sessions that the round went through, in order.
    """
    last = sessions[-1]
    if last.round is None or holder not in last.round_holders:
        return None
    own = {index for index, each in enumerate(last.round_holders) if each == holder}
    wagers = tuple(
        PlayedWager(settled.bet, stake_cents, sum_staked_cents(settled), settled.net_cents)
        for stake_cents, settled in pair_settled_wagers(last.round.events)
        if settled.seat in own
    )
    envy = sum(event.cents for event in last.round.events if isinstance(event, EnvyPaid) and event.seat in own)
    dealt = next(each for each in sessions if each.round is not None)
    return PlayedRound(last.last_round_number, dealt.snapshot.since, wagers, envy)
