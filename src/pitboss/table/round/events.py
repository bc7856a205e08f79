"""What happens in a round: frozen records, in the order in which they happen.

Seats count from 0 here (seat 0 is at the dealer's left), cards are codes, money is whole cents.
"""

from dataclasses import dataclass

from pitboss.contract import LegResult


@dataclass(frozen=True, slots=True)
class StakePlaced:
    """A seat staked ``cents`` on ``bet``; ``on`` is the other seat on whose hand it stands."""

    seat: int
    bet: str
    cents: int
    on: int | None = None


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Cards went to a zone ("dealer", "community" ... or "seat" with its number), face down as far as rules say."""

    destination: str
    cards: tuple[int, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards of a zone, or of a seat's hand, were turned up for all to see."""

    zone: str
    cards: tuple[int, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A seat took ``action``, gave up ``cards`` and put ``cents`` more into ``circle``."""

    seat: int
    decision: str
    action: str
    cards: tuple[int, ...] = ()
    cents: int = 0
    circle: str = ""


@dataclass(frozen=True, slots=True)
class StubReshuffled:
    """Cards given up by others became the bottom of the stub (ruling LU-11)."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LegSettlement:
    """One circle's end: what lay there, what became of it, what it nets the player, and why."""

    circle: str
    stake_cents: int
    result: LegResult
    net_cents: int
    reason: str


@dataclass(frozen=True, slots=True)
class WagerSettled:
    """A wager ended: its outcome and each of its circles.

    ``meter_cents`` came from a progressive's meter; ``short_cents`` should have and did not, as it had run dry (SC-8).
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
    """What a progressive elsewhere has fixed for a seat's hand: what comes from its meter, and what should have."""

    seat: int
    meter_cents: int
    short_cents: int = 0


@dataclass(frozen=True, slots=True)
class EnvyPaid:
    """A seat is paid for another seat's hit (ruling SC-4)."""

    seat: int
    bet: str
    hitter: int
    line: str
    cents: int


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """The round is over; what each seat won or lost, in cents."""

    nets_cents: tuple[int, ...]


RoundEvent = (
    StakePlaced | CardsDealt | CardsShown | DecisionMade | StubReshuffled | WagerSettled | EnvyPaid | RoundClosed
)
