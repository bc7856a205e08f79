"""What somebody asks of a progressive: checked for form here, decided by ``procedure`` and ``changes``."""

from typing import Annotated, Literal

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.events import Adjustment, Amount, BackOut, Cards, Link, Name, Number, Reconfiguration, Text, Wager
from pitboss.jackpot.roles import Role


class Open(StrictModel):
    """COIN IN, START GAME: lock and take the progressive wagers of a table's next round.

    ``link`` is the table in the browser that plays it, which then alone enters its hands and ends it; ``version`` the
    settings that it was opened under, 0 for any.
    """

    kind: Literal["open"] = "open"
    table: Number
    round: Number
    wagers: Annotated[tuple[Wager, ...], Field(max_length=9)]
    link: Link = ""
    version: Amount = 0


class Hit(StrictModel):
    """The hand button: select a seat's winning hand; the same hand again turns it off."""

    kind: Literal["hit"] = "hit"
    table: Number
    round: Number
    seat: Number
    hand: str
    cards: Cards = ""
    link: Link = ""


class Cancel(StrictModel):
    """Turn a selected hand off, by the number of its award."""

    kind: Literal["cancel"] = "cancel"
    award: Number


class Confirm(StrictModel):
    """JPH and J-POT, confirm and card swipe: the win was verified and is to be logged."""

    kind: Literal["confirm"] = "confirm"
    award: Number


class Pay(StrictModel):
    """Pay a confirmed award."""

    kind: Literal["pay"] = "pay"
    award: Number


class Close(StrictModel):
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""

    kind: Literal["close"] = "close"
    table: Number
    round: Number
    link: Link = ""


class Adjust(StrictModel):
    """Ask for an adjustment of meter or reserve."""

    kind: Literal["adjust"] = "adjust"
    change: Adjustment


class AskBackOut(StrictModel):
    """Ask that a confirmed award be put back."""

    kind: Literal["back-out"] = "back-out"
    change: BackOut


class Configure(StrictModel):
    """Ask for new settings."""

    kind: Literal["configure"] = "configure"
    change: Reconfiguration


class Approve(StrictModel):
    """Approve what somebody else has asked for."""

    kind: Literal["approve"] = "approve"
    request: Number


class Decline(StrictModel):
    """Turn a request down, or withdraw one's own."""

    kind: Literal["decline"] = "decline"
    request: Number
    text: Text


class Report(StrictModel):
    """Open an incident at a table, or at all (0)."""

    kind: Literal["report"] = "report"
    table: Amount = 0
    text: Text


class Sign(StrictModel):
    """Say how an incident ends: the first of two people signs, the second closes it."""

    kind: Literal["sign"] = "sign"
    incident: Number
    text: Text


class Reprint(StrictModel):
    """Print a win page again."""

    kind: Literal["reprint"] = "reprint"
    award: Number


class Reconcile(StrictModel):
    """Compare what a display posts with what the ledger says."""

    kind: Literal["reconcile"] = "reconcile"
    posted_cents: Amount


class ChangeStaff(StrictModel):
    """Give somebody a role, or end it."""

    kind: Literal["staff"] = "staff"
    name: Name
    role: Role
    active: bool = True


Command = (
    Open
    | Hit
    | Cancel
    | Confirm
    | Pay
    | Close
    | Adjust
    | AskBackOut
    | Configure
    | Approve
    | Decline
    | Report
    | Sign
    | Reprint
    | Reconcile
    | ChangeStaff
)
