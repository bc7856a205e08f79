"""The commands of a progressive, validated here.

They are decided in ``round_handlers`` and ``admin_handlers``.

A command says what its sender knows, not what the sender has read in the ledger, so that it is the same command when
it is sent again.  What depends on the ledger is resolved when the command is decided: round 0 is the table's next round
for COIN IN and its open round for the hand button and GAME OVER.

A field that came after the first release is left out of the written command while it has its default: keys of commands
from before keep their answers.
"""

from operator import not_
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.events import (
    Adjustment,
    BackOut,
    CardsText,
    NonNegativeInt,
    NoteText,
    PositiveInt,
    ProgressiveWager,
    Reconfiguration,
    TableLink,
)
from pitboss.jackpot.plain_text import verify_texts
from pitboss.jackpot.roles import LoginName, Role

OUTSIDE_KEY = r"^[!-~]+$"
"""The keys that people and programs may choose: printable ASCII without spaces.

Keys of the program's own commands have spaces, so nobody can use them up.
"""


class Command(StrictModel):
    """A command, whose texts are each one line that prints as it is written.

    A line break or a character that changes the direction of writing would forge lines in reports, exports and win
    pages.  Entries of earlier versions may have some: reports print those escaped.
    """

    @model_validator(mode="after")
    def _verify_texts(self) -> Self:
        """Check all texts, also those of parts of the command."""
        verify_texts(self.model_dump())
        return self


class OpenRound(Command):
    """Lock and take the wagers of a table's next round (COIN IN, START GAME).

    ``seats`` wager the standard amount of the settings, ``wagers`` any other amount.  ``link`` names the browser table
    that plays the round; only that table may then enter its hands and end it.  ``version`` is the version of the
    settings that the table was opened with, 0 for any.
    """

    kind: Literal["open"] = "open"
    table: PositiveInt
    round: NonNegativeInt = 0
    wagers: Annotated[tuple[ProgressiveWager, ...], Field(max_length=9)] = ()
    seats: Annotated[tuple[PositiveInt, ...], Field(max_length=9, exclude_if=not_)] = ()
    link: TableLink = ""
    version: NonNegativeInt = 0


class EnterHit(Command):
    """Select a seat's winning hand (hand button); selecting it again cancels it.

    ``lost_award`` is the number that the award had before a restoration lost it, 0 for an award that never had another.
    """

    kind: Literal["hit"] = "hit"
    table: PositiveInt
    round: NonNegativeInt = 0
    seat: PositiveInt
    hand: str
    cards: CardsText = ""
    link: TableLink = ""
    lost_award: Annotated[NonNegativeInt, Field(exclude_if=not_)] = 0


class CancelHit(Command):
    """Cancel a selected hand by the number of its award."""

    kind: Literal["cancel"] = "cancel"
    award: PositiveInt


class ConfirmAward(Command):
    """Confirm and log a verified win, and print its win page.

    This is JPH and J-POT in the keypad system, confirm and card swipe in the display system.
    """

    kind: Literal["confirm"] = "confirm"
    award: PositiveInt


class PayAward(Command):
    """Pay a confirmed award; with ``prints``, print its win page once more."""

    kind: Literal["pay"] = "pay"
    award: PositiveInt
    prints: Annotated[bool, Field(exclude_if=not_)] = False


class CloseRound(Command):
    """Pay envy and end the round, so the next can open (GAME OVER, END GAME)."""

    kind: Literal["close"] = "close"
    table: PositiveInt
    round: NonNegativeInt = 0
    link: TableLink = ""


class RequestAdjustment(Command):
    """Request an adjustment of meter or reserve."""

    kind: Literal["adjust"] = "adjust"
    change: Adjustment


class RequestBackOut(Command):
    """Request that a confirmed award be put back."""

    kind: Literal["back-out"] = "back-out"
    change: BackOut


class RequestSettings(Command):
    """Request new settings."""

    kind: Literal["configure"] = "configure"
    change: Reconfiguration


class RequestSettingChanges(Command):
    """Request that some settings change, and the others stay as they are."""

    kind: Literal["configure"] = "configure"
    changes: dict[str, Any]
    text: NoteText


class ApproveRequest(Command):
    """Approve somebody else's request.

    ``shown`` is the digest of what the approver was shown of it, "" for none.
    """

    kind: Literal["approve"] = "approve"
    request: PositiveInt
    shown: Annotated[str, Field(max_length=64, exclude_if=not_)] = ""


class DeclineRequest(Command):
    """Decline a request, or withdraw the actor's own."""

    kind: Literal["decline"] = "decline"
    request: PositiveInt
    text: NoteText


class OpenIncident(Command):
    """Open an incident at a table, or at all tables (0)."""

    kind: Literal["report"] = "report"
    table: NonNegativeInt = 0
    text: NoteText


class SignIncident(Command):
    """Sign that an incident is resolved; the second of two people closes it."""

    kind: Literal["sign"] = "sign"
    incident: PositiveInt
    text: NoteText


class ReprintWinPage(Command):
    """Print a win page again."""

    kind: Literal["reprint"] = "reprint"
    award: PositiveInt


class ReconcileDisplay(Command):
    """Compare the amount that a display posts with the ledger."""

    kind: Literal["reconcile"] = "reconcile"
    posted_cents: NonNegativeInt


class ChangeStaff(Command):
    """Request a role for a person, another one, or its end.

    With ``reset`` a person who lost password or authenticator is to enrol again.  An end or a reset names no role:
    ``role`` then says nothing.
    """

    kind: Literal["staff"] = "staff"
    name: LoginName
    role: Role
    active: bool = True
    reset: Annotated[bool, Field(exclude_if=not_)] = False


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
    | RequestSettingChanges
    | ApproveRequest
    | DeclineRequest
    | OpenIncident
    | SignIncident
    | ReprintWinPage
    | ReconcileDisplay
    | ChangeStaff
)
