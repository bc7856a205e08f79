"""A sitting: one game at one table for one to six seats, round after round; commands in, events out."""

from pitboss.table.sitting.commands import (
    HOUSE,
    CloseTable,
    Command,
    CommandError,
    Deal,
    Decide,
    Leave,
    Relieve,
    Seed,
    Settle,
    Sit,
    TimeOut,
    Wager,
    parse_command,
)
from pitboss.table.sitting.decide import Chance, NotYoursError, can, do, open_table, verify, why_not
from pitboss.table.sitting.house import late_command, next_of_house
from pitboss.table.sitting.state import Phase, Sitting, folded
from pitboss.table.sitting.terms import Link, Stakes, Terms
from pitboss.table.sitting.view import view

__all__ = [
    "HOUSE",
    "Chance",
    "CloseTable",
    "Command",
    "CommandError",
    "Deal",
    "Decide",
    "Leave",
    "Link",
    "NotYoursError",
    "Phase",
    "Relieve",
    "Seed",
    "Settle",
    "Sit",
    "Sitting",
    "Stakes",
    "Terms",
    "TimeOut",
    "Wager",
    "can",
    "do",
    "folded",
    "late_command",
    "next_of_house",
    "open_table",
    "parse_command",
    "verify",
    "view",
    "why_not",
]
