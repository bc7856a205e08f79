"""The round driver, without clock, disk or network: commands in, events out."""

from pitboss.table.round.driver import Round
from pitboss.table.round.events import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    EnvyPaid,
    LegSettlement,
    RoundClosed,
    RoundEvent,
    StakePlaced,
    StubReshuffled,
    WagerSettled,
    find_decisions,
)
from pitboss.table.round.opening import open_round
from pitboss.table.round.wagers import Stake

__all__ = [
    "CardsDealt",
    "CardsShown",
    "DecisionMade",
    "EnvyPaid",
    "LegSettlement",
    "Round",
    "RoundClosed",
    "RoundEvent",
    "Stake",
    "StakePlaced",
    "StubReshuffled",
    "WagerSettled",
    "find_decisions",
    "open_round",
]
