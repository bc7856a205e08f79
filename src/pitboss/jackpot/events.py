"""What happened to a progressive: frozen records, each the data of one entry of the ledger.

Tables, rounds, seats, awards, requests and incidents count from 1; money is cents where it is paid and units of
1/10,000 cent where the meter is meant.  ``by`` is who did it.  Where it took two people the other one is named too.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import Settings

Number = Annotated[int, Field(ge=1)]
Amount = Annotated[int, Field(ge=0)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9.-]{0,31}$")]
Text = Annotated[str, Field(min_length=3, max_length=500)]
Link = Annotated[str, Field(pattern=r"^[a-z0-9-]{0,40}$")]
Cards = Annotated[str, Field(pattern=r"^([2-9TJQKA][shdc]|Jk[12]?|\s)*$", max_length=40)]


class Wager(StrictModel):
    """A seat's progressive wager."""

    seat: Number
    cents: Number


class Owed(StrictModel):
    """An award as it was fixed: what meter and tray pay, and what it does to a meter of which 100% is gone."""

    award: Number
    seat: Number
    hand: str
    cards: str
    by: str
    meter_cents: Amount
    tray_cents: Amount
    short_cents: Amount
    seed_cents: Amount
    released_units: Amount


class TakenBack(StrictModel):
    """What awards that were held give back to the meter, and what of seed and reserve they return."""

    meter_cents: Amount = 0
    seed_cents: Amount = 0
    released_units: Amount = 0


class Envy(StrictModel):
    """What a seat is paid for another seat's hand."""

    seat: Number
    hitter: Number
    hand: str
    cents: Number


class Founded(StrictModel):
    """A progressive was set up by some ``software``; its meter stands at the seed."""

    kind: Literal["founded"] = "founded"
    by: str
    settings: Settings
    software: str = ""


class Opened(StrictModel):
    """COIN IN, START GAME: a table's progressive wagers of a round were locked and taken.

    ``link`` is the table in the browser that plays the round, "" for one that is played at the console.
    """

    kind: Literal["opened"] = "opened"
    by: str
    table: Number
    round: Number
    version: Number
    wagers: tuple[Wager, ...]
    meter_units: Amount
    reserve_units: Amount
    house_units: Amount
    link: Link = ""


class Entered(StrictModel):
    """A hand was selected or its selection cancelled: what the round's hits that this touches are owed now.

    ``replaced`` are awards that were held and are not any more, with what they gave back together; ``owed`` are those
    fixed in their stead.  An award in ``replaced`` alone is cancelled.
    """

    kind: Literal["entered"] = "entered"
    by: str
    table: Number
    round: Number
    replaced: tuple[int, ...]
    back: TakenBack
    owed: tuple[Owed, ...]


class Confirmed(StrictModel):
    """JPH and J-POT, confirm and card: a win was verified and logged; the meter is adjusted."""

    kind: Literal["confirmed"] = "confirmed"
    by: str
    entered_by: str
    award: Number
    meter_cents: Amount
    tray_cents: Amount


class Paid(StrictModel):
    """A confirmed award was paid."""

    kind: Literal["paid"] = "paid"
    by: str
    award: Number
    cents: Amount


class Ended(StrictModel):
    """GAME OVER, END GAME: all action is reconciled, envy paid, the table ready for the next round."""

    kind: Literal["ended"] = "ended"
    by: str
    table: Number
    round: Number
    envy: tuple[Envy, ...]


Reason = Literal["award", "malfunction", "above-limit", "gross-receipts", "seed-recovery", "house-funds"]
"""Why a meter is adjusted (after WAC 230-15-695); only ``house-funds`` and ``malfunction`` may raise it."""


class Adjustment(StrictModel):
    """A change of meter or reserve by hand; ``award`` names the award that it corrects, 0 none."""

    what: Literal["adjustment"] = "adjustment"
    account: Literal["meter", "reserve"]
    cents: int
    reason: Reason
    text: Text
    award: Amount = 0


class BackOut(StrictModel):
    """An award that was confirmed in error is put back: all of it, before it is paid."""

    what: Literal["back-out"] = "back-out"
    award: Number
    text: Text


class Reconfiguration(StrictModel):
    """A new version of the settings."""

    what: Literal["settings"] = "settings"
    settings: Settings
    text: Text


Change = Annotated[Adjustment | BackOut | Reconfiguration, Field(discriminator="what")]


class Requested(StrictModel):
    """The first half of what takes two people."""

    kind: Literal["requested"] = "requested"
    by: str
    request: Number
    change: Change


class Adjusted(StrictModel):
    """Meter or reserve was adjusted."""

    kind: Literal["adjusted"] = "adjusted"
    by: str
    requested_by: str
    request: Number
    adjustment: Adjustment


class BackedOut(StrictModel):
    """A confirmed award was put back into the meter."""

    kind: Literal["backed-out"] = "backed-out"
    by: str
    requested_by: str
    request: Number
    award: Number
    text: str
    tray_cents: Amount
    back: TakenBack


class Configured(StrictModel):
    """The settings have a new version."""

    kind: Literal["configured"] = "configured"
    by: str
    requested_by: str
    request: Number
    version: Number
    text: str
    settings: Settings


class Declined(StrictModel):
    """A request was turned down or withdrawn."""

    kind: Literal["declined"] = "declined"
    by: str
    request: Number
    text: Text


class IncidentOpened(StrictModel):
    """Something is wrong: no new round opens at ``table`` (0: at any) before two people have closed it.

    Where another ``software`` than was accepted has started, closing accepts it.
    """

    kind: Literal["incident-opened"] = "incident-opened"
    by: str
    incident: Number
    table: Amount
    what: Literal["variance", "contribution", "reported", "software"]
    text: Text
    software: str = ""


class IncidentSigned(StrictModel):
    """The first of two people has said how an incident ends."""

    kind: Literal["incident-signed"] = "incident-signed"
    by: str
    incident: Number
    text: Text


class IncidentClosed(StrictModel):
    """The second has said so too."""

    kind: Literal["incident-closed"] = "incident-closed"
    by: str
    signed_by: str
    incident: Number
    text: Text


class Reprinted(StrictModel):
    """A win page was printed again; ``copy_number`` counts the reprints."""

    kind: Literal["reprinted"] = "reprinted"
    by: str
    award: Number
    copy_number: Number


class Reading(StrictModel):
    """What a display posted was read off and compared."""

    kind: Literal["reading"] = "reading"
    by: str
    posted_cents: Amount
    computed_cents: Amount


class StaffChanged(StrictModel):
    """Somebody was given a role, or lost it."""

    kind: Literal["staff-changed"] = "staff-changed"
    by: str
    name: Name
    role: Role
    active: bool


Event = Annotated[
    Founded
    | Opened
    | Entered
    | Confirmed
    | Paid
    | Ended
    | Requested
    | Adjusted
    | BackedOut
    | Configured
    | Declined
    | IncidentOpened
    | IncidentSigned
    | IncidentClosed
    | Reprinted
    | Reading
    | StaffChanged,
    Field(discriminator="kind"),
]

_EVENTS: TypeAdapter[Event] = TypeAdapter(Event)


def event_of(data: str) -> Event:
    """Read an event from its JSON (pydantic's ``ValidationError`` where it is none)."""
    return _EVENTS.validate_json(data)
