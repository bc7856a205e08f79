"""What somebody asks of a progressive: checked for form here, decided by ``procedure`` and ``changes``."""

from typing import Annotated, Literal

from pydantic import Field

from pitboss.core.checked import Checked
from pitboss.jackpot.events import Adjustment, Amount, BackOut, Cards, Link, Name, Number, Reconfiguration, Text, Wager
from pitboss.jackpot.roles import Role


class Open(Checked):
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


class Hit(Checked):
    """The hand button: select a seat's winning hand; the same hand again turns it off."""

    kind: Literal["hit"] = "hit"
    table: Number
    round: Number
    seat: Number
    hand: str
    cards: Cards = ""
    link: Link = ""


class Cancel(Checked):
    """Turn a selected hand off, by the number of its award."""

    kind: Literal["cancel"] = "cancel"
    award: Number


class Confirm(Checked):
    """JPH and J-POT, confirm and card swipe: the win was verified and is to be logged."""

    kind: Literal["confirm"] = "confirm"
    award: Number


class Pay(Checked):
    """Pay a confirmed award."""

    kind: Literal["pay"] = "pay"
    award: Number


class Close(Checked):
    """GAME OVER, END GAME: pay envy and set the table ready for its next round."""

    kind: Literal["close"] = "close"
    table: Number
    round: Number
    link: Link = ""


class Adjust(Checked):
    """Ask for an adjustment of meter or reserve."""

    kind: Literal["adjust"] = "adjust"
    change: Adjustment


class AskBackOut(Checked):
    """Ask that a confirmed award be put back."""

    kind: Literal["back-out"] = "back-out"
    change: BackOut


class Configure(Checked):
    """Ask for new settings."""

    kind: Literal["configure"] = "configure"
    change: Reconfiguration


class Approve(Checked):
    """Approve what somebody else has asked for."""

    kind: Literal["approve"] = "approve"
    request: Number


class Decline(Checked):
    """Turn a request down, or withdraw one's own."""

    kind: Literal["decline"] = "decline"
    request: Number
    text: Text


class Report(Checked):
    """Open an incident at a table, or at all (0)."""

    kind: Literal["report"] = "report"
    table: Amount = 0
    text: Text


class Sign(Checked):
    """Say how an incident ends: the first of two people signs, the second closes it."""

    kind: Literal["sign"] = "sign"
    incident: Number
    text: Text


class Reprint(Checked):
    """Print a win page again."""

    kind: Literal["reprint"] = "reprint"
    award: Number


class Reconcile(Checked):
    """Compare what a display posts with what the ledger says."""

    kind: Literal["reconcile"] = "reconcile"
    posted_cents: Amount


class ChangeStaff(Checked):
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
