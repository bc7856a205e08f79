"""The commands of a progressive: validated here, decided in ``round_handlers`` and ``admin_handlers``."""

from typing import Annotated, Literal

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.events import (
    Adjustment,
    BackOut,
    CardsText,
    LoginName,
    NonNegativeInt,
    NoteText,
    PositiveInt,
    ProgressiveWager,
    Reconfiguration,
    TableLink,
)
from pitboss.jackpot.roles import Role


class OpenRound(StrictModel):
    """Lock and take the progressive wagers of a table's next round (COIN IN, START GAME).

    ``link`` names the browser table that plays the round; only that table may then enter its hands and end it.
    ``version`` is the version of the settings that the table was opened with, 0 for any.
    """

    kind: Literal["open"] = "open"
    table: PositiveInt
    round: PositiveInt
    wagers: Annotated[tuple[ProgressiveWager, ...], Field(max_length=9)]
    link: TableLink = ""
    version: NonNegativeInt = 0


class EnterHit(StrictModel):
    """Select a seat's winning hand (hand button); selecting it again cancels it."""

    kind: Literal["hit"] = "hit"
    table: PositiveInt
    round: PositiveInt
    seat: PositiveInt
    hand: str
    cards: CardsText = ""
    link: TableLink = ""


class CancelHit(StrictModel):
    """Cancel a selected hand by the number of its award."""

    kind: Literal["cancel"] = "cancel"
    award: PositiveInt


class ConfirmAward(StrictModel):
    """Confirm and log a verified win (JPH and J-POT; confirm and card swipe)."""

    kind: Literal["confirm"] = "confirm"
    award: PositiveInt


class PayAward(StrictModel):
    """Pay a confirmed award."""

    kind: Literal["pay"] = "pay"
    award: PositiveInt


class CloseRound(StrictModel):
    """Pay envy and end the round, so that the table can open its next (GAME OVER, END GAME)."""

    kind: Literal["close"] = "close"
    table: PositiveInt
    round: PositiveInt
    link: TableLink = ""


class RequestAdjustment(StrictModel):
    """Request an adjustment of meter or reserve."""

    kind: Literal["adjust"] = "adjust"
    change: Adjustment


class RequestBackOut(StrictModel):
    """Request that a confirmed award be put back."""

    kind: Literal["back-out"] = "back-out"
    change: BackOut


class RequestSettings(StrictModel):
    """Request new settings."""

    kind: Literal["configure"] = "configure"
    change: Reconfiguration


class ApproveRequest(StrictModel):
    """Approve somebody else's request."""

    kind: Literal["approve"] = "approve"
    request: PositiveInt


class DeclineRequest(StrictModel):
    """Decline a request, or withdraw one's own."""

    kind: Literal["decline"] = "decline"
    request: PositiveInt
    text: NoteText


class OpenIncident(StrictModel):
    """Open an incident at a table, or at all tables (0)."""

    kind: Literal["report"] = "report"
    table: NonNegativeInt = 0
    text: NoteText


class SignIncident(StrictModel):
    """Sign that an incident is resolved: the first of two people signs, the second closes it."""

    kind: Literal["sign"] = "sign"
    incident: PositiveInt
    text: NoteText


class ReprintWinPage(StrictModel):
    """Print a win page again."""

    kind: Literal["reprint"] = "reprint"
    award: PositiveInt


class ReconcileDisplay(StrictModel):
    """Compare the amount that a display posts with the ledger."""

    kind: Literal["reconcile"] = "reconcile"
    posted_cents: NonNegativeInt


class ChangeStaff(StrictModel):
    """Give a person a role, or end it."""

    kind: Literal["staff"] = "staff"
    name: LoginName
    role: Role
    active: bool = True


ProgressiveCommand = (
    OpenRound
    | EnterHit
    | CancelHit
    | ConfirmAward
    | PayAward
    | CloseRound
    | RequestAdjustment
    | RequestBackOut
    | RequestSettings
    | ApproveRequest
    | DeclineRequest
    | OpenIncident
    | SignIncident
    | ReprintWinPage
    | ReconcileDisplay
    | ChangeStaff
)
