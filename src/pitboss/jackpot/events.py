"""The events of a progressive: frozen records, each the data of one ledger entry.

Tables, rounds, seats, awards, requests and incidents count from 1.  Payments are in cents, meter amounts in units of
1/10,000 cent.  ``by`` names who did it; where it took two people, another field names the other one.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from pitboss.cards.typed import spell_typed_cards
from pitboss.core.strict_model import StrictModel, describe_pattern
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.staff_events import ApprovedEvent, RecordedEvent, StaffEvent, StaffRequest

PositiveInt = Annotated[int, Field(ge=1)]
NonNegativeInt = Annotated[int, Field(ge=0)]
LaterNumber = Annotated[int, Field(ge=0, exclude_if=lambda number: bool(number == 0))]
"""A number that came after the first version; 0 is not written, so older entries keep their form."""
NoteText = Annotated[str, Field(min_length=3, max_length=500)]
TableLink = Annotated[str, Field(pattern=r"^[a-z0-9-]{0,40}$")]
CardsText = Annotated[
    str,
    BeforeValidator(lambda text: spell_typed_cards(text) if isinstance(text, str) else text),
    Field(
        pattern=describe_pattern(
            r"^([2-9TJQKA][shdc]|Jk[12]?|\s)*$", "cards like As or 10d, with spaces or commas between"
        ),
        max_length=40,
    ),
]
"""Cards as people type them; they are kept in the notation."""


class ProgressiveWager(StrictModel):
    """A seat's progressive wager."""

    seat: PositiveInt
    cents: PositiveInt


class OwedAward(StrictModel):
    """An award as it was fixed: what meter and tray pay.

    It also has what a 100% award takes from seed and reserve.  ``table`` and ``round`` are those of its hand; awards of
    the first version name neither, and belong to the table and round of their entry.  ``lost_award`` is the number that
    it had before a restoration lost it, 0 for none.
    """

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
    table: LaterNumber = 0
    round: LaterNumber = 0
    lost_award: LaterNumber = 0

    @property
    def cents(self) -> int:
        """The cents owed to the winner, from meter and tray."""
        return self.meter_cents + self.tray_cents

    @property
    def lost_note(self) -> str:
        """What a line about it adds if a restoration had lost it, "" otherwise."""
        return f", award {self.lost_award} entered again" if self.lost_award else ""


class Reversal(StrictModel):
    """What released awards give back to the meter, and return as seed and reserve."""

    meter_cents: NonNegativeInt = 0
    seed_cents: NonNegativeInt = 0
    released_units: NonNegativeInt = 0


class EnvyPayment(StrictModel):
    """The envy bonus that a seat is paid for another seat's hand."""

    seat: PositiveInt
    hitter: PositiveInt
    hand: str
    cents: PositiveInt


class ProgressiveCreated(RecordedEvent):
    """A progressive was created by this ``software``; its meter stands at the seed.

    It is ``covered`` if its entries account for every credential and session from the beginning.
    """

    kind: Literal["founded"] = "founded"
    settings: Settings
    software: str = ""
    covered: bool = False


class RoundOpened(RecordedEvent):
    """A table's wagers of a round were locked and taken (COIN IN, START GAME).

    ``link`` names the browser table that plays the round, "" for a round played at the console.
    """

    kind: Literal["opened"] = "opened"
    table: PositiveInt
    round: PositiveInt
    version: PositiveInt
    wagers: tuple[ProgressiveWager, ...]
    meter_units: NonNegativeInt
    reserve_units: NonNegativeInt
    house_units: NonNegativeInt
    link: TableLink = ""


SeedKeeper = Annotated[int, Field(ge=0, exclude_if=lambda award: award == 0)]
"""The award that keeps the seed and reserve of one that is removed (SC-6), 0 for none.

It is not written then, so entries from before there was one keep their form.
"""


class HitEntered(RecordedEvent):
    """A hand was selected, or its selection was cancelled.

    This fixes the awards of the round's affected hits again.  ``replaced`` lists awards no longer held, and ``back``
    what they gave back together; ``owed`` are the awards fixed in their place.  An award only in ``replaced`` is
    cancelled; ``heir`` keeps its seed and reserve.
    """

    kind: Literal["entered"] = "entered"
    table: PositiveInt
    round: PositiveInt
    replaced: tuple[int, ...]
    back: Reversal
    owed: tuple[OwedAward, ...]
    heir: SeedKeeper = 0


class AwardConfirmed(RecordedEvent):
    """A win was verified and logged, and the meter adjusted.

    This is JPH and J-POT in the keypad system, confirm and card in the display system.
    """

    kind: Literal["confirmed"] = "confirmed"
    entered_by: str
    award: PositiveInt
    meter_cents: NonNegativeInt
    tray_cents: NonNegativeInt


class AwardPaid(RecordedEvent):
    """A confirmed award was paid."""

    kind: Literal["paid"] = "paid"
    award: PositiveInt
    cents: NonNegativeInt


class RoundEnded(RecordedEvent):
    """A round ended and envy was paid (GAME OVER, END GAME).

    Action is reconciled, and the table is ready for the next round.
    """

    kind: Literal["ended"] = "ended"
    table: PositiveInt
    round: PositiveInt
    envy: tuple[EnvyPayment, ...]


AdjustmentReason = Literal["award", "malfunction", "above-limit", "gross-receipts", "seed-recovery", "house-funds"]
"""Reasons for adjusting a meter (WAC 230-15-695); ``house-funds``, ``malfunction`` and ``award`` may raise it."""


class Adjustment(StrictModel):
    """A manual change of meter or reserve.

    ``award`` is the award that it corrects, 0 for none.
    """

    what: Literal["adjustment"] = "adjustment"
    account: Literal["meter", "reserve"]
    cents: int
    reason: AdjustmentReason
    text: NoteText
    award: NonNegativeInt = 0


class BackOut(StrictModel):
    """The return of a whole award that was confirmed in error and is not paid."""

    what: Literal["back-out"] = "back-out"
    award: PositiveInt
    text: NoteText


class Reconfiguration(StrictModel):
    """A new version of the settings."""

    what: Literal["settings"] = "settings"
    settings: Settings
    text: NoteText


Change = Annotated[Adjustment | BackOut | Reconfiguration | StaffRequest, Field(discriminator="what")]


class ChangeRequested(RecordedEvent):
    """A change that needs two people was requested by the first."""

    kind: Literal["requested"] = "requested"
    request: PositiveInt
    change: Change


class AdjustmentMade(ApprovedEvent):
    """Meter or reserve was adjusted."""

    kind: Literal["adjusted"] = "adjusted"
    adjustment: Adjustment


class AwardBackedOut(ApprovedEvent):
    """A confirmed award was put back into the meter.

    ``heir`` keeps its seed and reserve.  Otherwise ``kept_seed_cents`` and ``kept_reserve_units`` are what of them was
    not left to give back: they stay in the meter.
    """

    kind: Literal["backed-out"] = "backed-out"
    award: PositiveInt
    text: str
    tray_cents: NonNegativeInt
    back: Reversal
    heir: SeedKeeper = 0
    kept_seed_cents: Annotated[int, Field(ge=0, exclude_if=lambda cents: cents == 0)] = 0
    kept_reserve_units: Annotated[int, Field(ge=0, exclude_if=lambda units: units == 0)] = 0


class SettingsChanged(ApprovedEvent):
    """The settings got a new version."""

    kind: Literal["configured"] = "configured"
    version: PositiveInt
    text: str
    settings: Settings


class RequestDeclined(RecordedEvent):
    """A request was declined or withdrawn."""

    kind: Literal["declined"] = "declined"
    request: PositiveInt
    text: NoteText


class IncidentOpened(RecordedEvent):
    """A fault was reported and an incident opened, for two people to close.

    Until then no new round opens at ``table`` (0: at any table).  If the fault is a ``software`` that is not the
    accepted one, closing the incident while it runs accepts it.  After a restoration all numbers continue after
    ``numbers_after``, as the lost entries may have used any before it.
    """

    kind: Literal["incident-opened"] = "incident-opened"
    incident: PositiveInt
    table: NonNegativeInt
    what: Literal["variance", "contribution", "reported", "software"]
    text: NoteText
    software: str = ""
    numbers_after: LaterNumber = 0


class IncidentSigned(RecordedEvent):
    """The first of two people signed that an incident is resolved."""

    kind: Literal["incident-signed"] = "incident-signed"
    incident: PositiveInt
    text: NoteText


class IncidentClosed(RecordedEvent):
    """The second person signed too, which closed the incident.

    It accepts the incident's software, unless ``is_absent``: another one ran when it was closed.
    """

    kind: Literal["incident-closed"] = "incident-closed"
    signed_by: str
    incident: PositiveInt
    text: NoteText
    is_absent: Annotated[bool, Field(exclude_if=lambda is_absent: not is_absent)] = False


class WinPageReprinted(RecordedEvent):
    """A win page was printed again; ``copy_number`` counts the reprints.

    The confirmation printed the first page, so reprint 1 is print 2 of its award.
    """

    kind: Literal["reprinted"] = "reprinted"
    award: PositiveInt
    copy_number: PositiveInt


class DisplayReconciled(RecordedEvent):
    """The amount that a display posted was compared with the ledger."""

    kind: Literal["reading"] = "reading"
    posted_cents: NonNegativeInt
    computed_cents: NonNegativeInt


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
    | StaffEvent,
    Field(discriminator="kind"),
]

_EVENT_ADAPTER: TypeAdapter[ProgressiveEvent] = TypeAdapter(ProgressiveEvent)


def parse_event(data: str) -> ProgressiveEvent:
    """Parse an event from its JSON.

    Raises pydantic's ``ValidationError`` if it is not an event.
    """
    return _EVENT_ADAPTER.validate_json(data)
