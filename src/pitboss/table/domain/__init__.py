"""The table without clock, disk or network: commands in, events out."""

from pitboss.table.domain.events import (
    Closed,
    Dealt,
    Decided,
    EnvyPaid,
    Event,
    LegPaid,
    Reshuffled,
    Settled,
    Shown,
    Wagered,
)
from pitboss.table.domain.opening import open_round
from pitboss.table.domain.round import Round
from pitboss.table.domain.wagers import Stake

__all__ = [
    "Closed",
    "Dealt",
    "Decided",
    "EnvyPaid",
    "Event",
    "LegPaid",
    "Reshuffled",
    "Round",
    "Settled",
    "Shown",
    "Stake",
    "Wagered",
    "open_round",
]
