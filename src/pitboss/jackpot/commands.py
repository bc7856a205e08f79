"""What somebody asks of a progressive: checked for form here, decided by ``procedure`` and ``changes``."""

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
    """COIN IN, START GAME: lock and take the progressive wagers of a table's next round.

    ``link`` is the table in the browser that plays it, which then alone enters its hands and ends it; ``version`` the
    settings that it was opened under, 0 for any.
    """

    kind: Literal["open"] = "open"
    table: PositiveInt
    round: PositiveInt
    wagers: Annotated[tuple[ProgressiveWager, ...], Field(max_length=9)]
    link: TableLink = ""
    version: NonNegativeInt = 0


class EnterHit(StrictModel):
    """The hand button: select a seat's winning hand; the same hand again turns it off."""

    kind: Literal["hit"] = "hit"
    table: PositiveInt
    round: PositiveInt
    seat: PositiveInt
    hand: str
    cards: CardsText = ""
    link: TableLink = ""


class CancelHit(StrictModel):
    """Turn a selected hand off, by the number of its award."""

    kind: Literal["cancel"] = "cancel"
    award: PositiveInt


class ConfirmAward(StrictModel):
    """JPH and J-POT, confirm and card swipe: the win was verified and is to be logged."""

    kind: Literal["confirm"] = "confirm"
    award: PositiveInt


class PayAward(StrictModel):
    """Pay a confirmed award."""

    kind: Literal["pay"] = "pay"
    award: PositiveInt


class CloseRound(StrictModel):
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""

    kind: Literal["close"] = "close"
    table: PositiveInt
    round: PositiveInt
    link: TableLink = ""


class RequestAdjustment(StrictModel):
    """Ask for an adjustment of meter or reserve."""

    kind: Literal["adjust"] = "adjust"
    change: Adjustment


class RequestBackOut(StrictModel):
    """Ask that a confirmed award be put back."""

    kind: Literal["back-out"] = "back-out"
    change: BackOut


class RequestSettings(StrictModel):
    """Ask for new settings."""

    kind: Literal["configure"] = "configure"
    change: Reconfiguration


class ApproveRequest(StrictModel):
    """Approve what somebody else has asked for."""

    kind: Literal["approve"] = "approve"
    request: PositiveInt


class DeclineRequest(StrictModel):
    """Turn a request down, or withdraw one's own."""

    kind: Literal["decline"] = "decline"
    request: PositiveInt
    text: NoteText


class OpenIncident(StrictModel):
    """Open an incident at a table, or at all (0)."""

    kind: Literal["report"] = "report"
    table: NonNegativeInt = 0
    text: NoteText


class SignIncident(StrictModel):
    """Say how an incident ends: the first of two people signs, the second closes it."""

    kind: Literal["sign"] = "sign"
    incident: PositiveInt
    text: NoteText


class ReprintWinPage(StrictModel):
    """Print a win page again."""

    kind: Literal["reprint"] = "reprint"
    award: PositiveInt


class ReconcileDisplay(StrictModel):
    """Compare what a display posts with what the ledger says."""

    kind: Literal["reconcile"] = "reconcile"
    posted_cents: NonNegativeInt


class ChangeStaff(StrictModel):
    """Give somebody a role, or end it."""

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
