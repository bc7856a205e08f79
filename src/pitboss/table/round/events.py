"""The events of a round: frozen records, in the order in which they happen.

Seats count from 0 here (seat 0 is at the dealer's left), cards are codes, money is whole cents.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pitboss.contract import LegResult


@dataclass(frozen=True, slots=True)
class StakePlaced:
    """A seat staked ``cents`` on ``bet``.

    ``on`` is the other seat whose hand the wager is on.
    """

    seat: int
    bet: str
    cents: int
    on: int | None = None


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Cards went to a zone, face down until ``CardsShown``.

    The zone is "dealer", "community" ... or "seat" with its number.
    """

    destination: str
    cards: tuple[int, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards of a zone or of a seat's hand were turned up for all to see."""

    zone: str
    cards: tuple[int, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A seat took ``action``, discarded ``cards`` and added ``cents`` to ``circle``."""

    seat: int
    decision: str
    action: str
    cards: tuple[int, ...] = ()
    cents: int = 0
    circle: str = ""


@dataclass(frozen=True, slots=True)
class StubReshuffled:
    """The others' discards became the bottom of the stub (ruling LU-11)."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LegSettlement:
    """The settlement of one circle: stake, result, the player's net, reason."""

    circle: str
    stake_cents: int
    result: LegResult
    net_cents: int
    reason: str

    @property
    def shown_result(self) -> LegResult:
        """What people see: a win that pays nothing is a push."""
        is_push = self.result is LegResult.WIN and not self.net_cents
        return LegResult.PUSH if is_push else self.result


@dataclass(frozen=True, slots=True)
class WagerSettled:
    """A wager was settled: its outcome and each of its circles.

    ``meter_cents`` came from a progressive's meter; ``short_cents`` is what an empty meter could not pay (SC-8).
    """

    seat: int
    bet: str
    on: int | None
    outcome: str
    net_cents: int
    legs: tuple[LegSettlement, ...]
    meter_cents: int = 0
    short_cents: int = 0


@dataclass(frozen=True, slots=True)
class FixedAward:
    """A linked progressive's award for a seat's hand.

    ``meter_cents`` is what its meter pays, ``short_cents`` what it could not pay.
    """

    seat: int
    meter_cents: int
    short_cents: int = 0


@dataclass(frozen=True, slots=True)
class EnvyPaid:
    """A seat was paid for another seat's hit (ruling SC-4)."""

    seat: int
    bet: str
    hitter: int
    line: str
    cents: int


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """The round is over; each seat's net, in cents."""

    nets_cents: tuple[int, ...]


RoundEvent = (
    StakePlaced | CardsDealt | CardsShown | DecisionMade | StubReshuffled | WagerSettled | EnvyPaid | RoundClosed
)


def find_decisions(events: Iterable[RoundEvent], seat: int) -> Iterator[DecisionMade]:
    """Yield the decisions of a seat, in order."""
    return (event for event in events if isinstance(event, DecisionMade) and event.seat == seat)
