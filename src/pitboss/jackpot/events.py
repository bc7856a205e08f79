"""What happened to a progressive: frozen records, each the data of one entry of the ledger.

Tables, rounds, seats, awards, requests and incidents count from 1; money is cents where it is paid and units of
1/10,000 cent where the meter is meant.  ``by`` is who did it.  Where it took two people the other one is named too.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import Settings

PositiveInt = Annotated[int, Field(ge=1)]
NonNegativeInt = Annotated[int, Field(ge=0)]
LoginName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9.-]{0,31}$")]
NoteText = Annotated[str, Field(min_length=3, max_length=500)]
TableLink = Annotated[str, Field(pattern=r"^[a-z0-9-]{0,40}$")]
CardsText = Annotated[str, Field(pattern=r"^([2-9TJQKA][shdc]|Jk[12]?|\s)*$", max_length=40)]


class ProgressiveWager(StrictModel):
    """A seat's progressive wager."""

    seat: PositiveInt
    cents: PositiveInt


class OwedAward(StrictModel):
    """An award as it was fixed: what meter and tray pay, and what it does to a meter of which 100% is gone."""

    award: PositiveInt
    seat: PositiveInt
    hand: str
    cards: str
    by: str
    meter_cents: NonNegativeInt
    tray_cents: NonNegativeInt
    short_cents: NonNegativeInt
    seed_cents: NonNegativeInt
    released_units: NonNegativeInt


class Reversal(StrictModel):
    """What awards that were held give back to the meter, and what of seed and reserve they return."""

    meter_cents: NonNegativeInt = 0
    seed_cents: NonNegativeInt = 0
    released_units: NonNegativeInt = 0


class EnvyPayment(StrictModel):
    """What a seat is paid for another seat's hand."""

    seat: PositiveInt
    hitter: PositiveInt
    hand: str
    cents: PositiveInt


class ProgressiveCreated(StrictModel):
    """A progressive was set up by some ``software``; its meter stands at the seed."""

    kind: Literal["founded"] = "founded"
    by: str
    settings: Settings
    software: str = ""


class RoundOpened(StrictModel):
    """COIN IN, START GAME: a table's progressive wagers of a round were locked and taken.

    ``link`` is the table in the browser that plays the round, "" for one that is played at the console.
    """

    kind: Literal["opened"] = "opened"
    by: str
    table: PositiveInt
    round: PositiveInt
    version: PositiveInt
    wagers: tuple[ProgressiveWager, ...]
    meter_units: NonNegativeInt
    reserve_units: NonNegativeInt
    house_units: NonNegativeInt
    link: TableLink = ""


class HitEntered(StrictModel):
    """A hand was selected or its selection cancelled: what the round's hits that this touches are owed now.

    ``replaced`` are awards that were held and are not any more, with what they gave back together; ``owed`` are those
    fixed in their stead.  An award in ``replaced`` alone is cancelled.
    """

    kind: Literal["entered"] = "entered"
    by: str
    table: PositiveInt
    round: PositiveInt
    replaced: tuple[int, ...]
    back: Reversal
    owed: tuple[OwedAward, ...]


class AwardConfirmed(StrictModel):
    """JPH and J-POT, confirm and card: a win was verified and logged; the meter is adjusted."""

    kind: Literal["confirmed"] = "confirmed"
    by: str
    entered_by: str
    award: PositiveInt
    meter_cents: NonNegativeInt
    tray_cents: NonNegativeInt


class AwardPaid(StrictModel):
    """A confirmed award was paid."""

    kind: Literal["paid"] = "paid"
    by: str
    award: PositiveInt
    cents: NonNegativeInt


class RoundEnded(StrictModel):
    """GAME OVER, END GAME: all action is reconciled, envy paid, the table ready for the next round."""

    kind: Literal["ended"] = "ended"
    by: str
    table: PositiveInt
    round: PositiveInt
    envy: tuple[EnvyPayment, ...]


AdjustmentReason = Literal["award", "malfunction", "above-limit", "gross-receipts", "seed-recovery", "house-funds"]
"""Why a meter is adjusted (after WAC 230-15-695); only ``house-funds`` and ``malfunction`` may raise it."""


class Adjustment(StrictModel):
    """A change of meter or reserve by hand; ``award`` names the award that it corrects, 0 none."""

    what: Literal["adjustment"] = "adjustment"
    account: Literal["meter", "reserve"]
    cents: int
    reason: AdjustmentReason
    text: NoteText
    award: NonNegativeInt = 0


class BackOut(StrictModel):
    """An award that was confirmed in error is put back: all of it, before it is paid."""

    what: Literal["back-out"] = "back-out"
    award: PositiveInt
    text: NoteText


class Reconfiguration(StrictModel):
    """A new version of the settings."""

    what: Literal["settings"] = "settings"
    settings: Settings
    text: NoteText


Change = Annotated[Adjustment | BackOut | Reconfiguration, Field(discriminator="what")]


class ChangeRequested(StrictModel):
    """The first half of what takes two people."""

    kind: Literal["requested"] = "requested"
    by: str
    request: PositiveInt
    change: Change


class AdjustmentMade(StrictModel):
    """Meter or reserve was adjusted."""

    kind: Literal["adjusted"] = "adjusted"
    by: str
    requested_by: str
    request: PositiveInt
    adjustment: Adjustment


class AwardBackedOut(StrictModel):
    """A confirmed award was put back into the meter."""

    kind: Literal["backed-out"] = "backed-out"
    by: str
    requested_by: str
    request: PositiveInt
    award: PositiveInt
    text: str
    tray_cents: NonNegativeInt
    back: Reversal


class SettingsChanged(StrictModel):
    """The settings have a new version."""

    kind: Literal["configured"] = "configured"
    by: str
    requested_by: str
    request: PositiveInt
    version: PositiveInt
    text: str
    settings: Settings


class RequestDeclined(StrictModel):
    """A request was turned down or withdrawn."""

    kind: Literal["declined"] = "declined"
    by: str
    request: PositiveInt
    text: NoteText


class IncidentOpened(StrictModel):
    """Something is wrong: no new round opens at ``table`` (0: at any) before two people have closed it.

    Where another ``software`` than was accepted has started, closing accepts it.
    """

    kind: Literal["incident-opened"] = "incident-opened"
    by: str
    incident: PositiveInt
    table: NonNegativeInt
    what: Literal["variance", "contribution", "reported", "software"]
    text: NoteText
    software: str = ""


class IncidentSigned(StrictModel):
    """The first of two people has said how an incident ends."""

    kind: Literal["incident-signed"] = "incident-signed"
    by: str
    incident: PositiveInt
    text: NoteText


class IncidentClosed(StrictModel):
    """The second has said so too."""

    kind: Literal["incident-closed"] = "incident-closed"
    by: str
    signed_by: str
    incident: PositiveInt
    text: NoteText


class WinPageReprinted(StrictModel):
    """A win page was printed again; ``copy_number`` counts the reprints."""

    kind: Literal["reprinted"] = "reprinted"
    by: str
    award: PositiveInt
    copy_number: PositiveInt


class DisplayReconciled(StrictModel):
    """What a display posted was read off and compared."""

    kind: Literal["reading"] = "reading"
    by: str
    posted_cents: NonNegativeInt
    computed_cents: NonNegativeInt


class StaffChanged(StrictModel):
    """Somebody was given a role, or lost it."""

    kind: Literal["staff-changed"] = "staff-changed"
    by: str
    name: LoginName
    role: Role
    active: bool


ProgressiveEvent = Annotated[
    ProgressiveCreated
    | RoundOpened
    | HitEntered
    | AwardConfirmed
    | AwardPaid
    | RoundEnded
    | ChangeRequested
    | AdjustmentMade
    | AwardBackedOut
    | SettingsChanged
    | RequestDeclined
    | IncidentOpened
    | IncidentSigned
    | IncidentClosed
    | WinPageReprinted
    | DisplayReconciled
    | StaffChanged,
    Field(discriminator="kind"),
]

_EVENT_ADAPTER: TypeAdapter[ProgressiveEvent] = TypeAdapter(ProgressiveEvent)


def parse_event(data: str) -> ProgressiveEvent:
    """Read an event from its JSON (pydantic's ``ValidationError`` where it is none)."""
    return _EVENT_ADAPTER.validate_json(data)
