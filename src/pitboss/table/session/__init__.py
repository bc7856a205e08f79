"""A table session: one game at one table, round after round.

A table has one to six seats.  Commands go in, events come out.
"""

from pitboss.table.session.automation import choose_house_command, choose_timeout_command
from pitboss.table.session.command_checks import CommandForbiddenError
from pitboss.table.session.commands import (
    HOUSE,
    CallTime,
    CloseTable,
    CommandError,
    DealRound,
    LeaveSeat,
    PlaceWagers,
    RelieveDealer,
    RevealSeed,
    SettleRound,
    TableCommand,
    TakeAction,
    TakeSeat,
    parse_command,
)
from pitboss.table.session.handlers import (
    ExternalInputs,
    explain_refusal,
    handle_command,
    is_allowed,
    open_table,
    verify_command,
)
from pitboss.table.session.state import Phase, TableSession, replay_events
from pitboss.table.session.terms import BetStake, ProgressiveLink, TableTerms
from pitboss.table.session.view import build_view

__all__ = [
    "HOUSE",
    "BetStake",
    "CallTime",
    "CloseTable",
    "CommandError",
    "CommandForbiddenError",
    "DealRound",
    "ExternalInputs",
    "LeaveSeat",
    "Phase",
    "PlaceWagers",
    "ProgressiveLink",
    "RelieveDealer",
    "RevealSeed",
    "SettleRound",
    "TableCommand",
    "TableSession",
    "TableTerms",
    "TakeAction",
    "TakeSeat",
    "build_view",
    "choose_house_command",
    "choose_timeout_command",
    "explain_refusal",
    "handle_command",
    "is_allowed",
    "open_table",
    "parse_command",
    "replay_events",
    "verify_command",
]
