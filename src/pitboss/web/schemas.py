"""The models of API responses.

Money is whole cents.  The meter is in units of 1/10,000 cent.
"""

from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel

from pitboss.jackpot.authenticator_offers import AuthenticatorOffer
from pitboss.jackpot.command_execution import CommandOutcome
from pitboss.jackpot.day_report import DayReport
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.events import ProgressiveEvent, ProgressiveWager
from pitboss.jackpot.lookups import get_settings
from pitboss.jackpot.reports import summarize_hit, summarize_status
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.jackpot.settings import Advice
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import ChangeRequest, Hit, Incident, TableCounts
from pitboss.web.qr_code import trace_qr


class CommandResponse(BaseModel):
    """The result of a command: its events, and the display after it.

    ``repeated`` means that the command was executed before.  ``warnings`` say what people should know about it, for
    example that nobody can confirm an award yet.
    """

    repeated: bool
    events: list[ProgressiveEvent]
    display_cents: int
    warnings: list[str]

    @classmethod
    def from_outcome(cls, outcome: CommandOutcome, **more: object) -> Self:
        """Make the response to an outcome."""
        shown_cents = outcome.display_cents
        fields = {"repeated": outcome.is_repeat, "events": outcome.events, "display_cents": shown_cents}
        return cls.model_validate(fields | {"warnings": outcome.warnings, **more})


class WinPageResponse(CommandResponse):
    """The result of a command, with the win page that it printed, "" for none.

    The page is lines of text, or ``application/pdf`` if the client accepts it.
    """

    win_page: str


class AdviceResponse(CommandResponse):
    """The result of a request for new settings, with advice.

    The advice is the rule sheet's recommendations that the settings do not follow, with reasons.
    """

    advice: list[Advice]


class HalfCodeResponse(CommandResponse):
    """The result of a command, with half of the code to enrol of ``name``.

    Both are "" if the command makes no account.  The same half is in the answer to a repetition.
    """

    name: str
    half_code: str

    @classmethod
    def from_half_code(cls, outcome: CommandOutcome, reader: Actor) -> Self:
        """Make the response; only the person who gave the command gets the half."""
        is_own = all(event.by == reader.name for event in outcome.events)
        name, half_code = (outcome.half_code if is_own else None) or ("", "")
        return cls.from_outcome(outcome, name=name, half_code=half_code)


class EnrolmentResponse(BaseModel):
    """The enrolled person, with the secret of the authenticator.

    The secret is "" if the person needs no authenticator.
    """

    name: str
    totp: str


class OfferResponse(BaseModel):
    """An authenticator that is offered.

    Nothing is changed until its ticket comes back with its first code.  ``address`` is what the QR code says,
    ``qr_path`` the path of its dark modules in a square of ``qr_size``.  All are empty for a person who needs none.
    """

    name: str
    totp: str
    ticket: str
    address: str
    qr_size: int
    qr_path: str

    @classmethod
    def from_offer(cls, name: str, offer: AuthenticatorOffer) -> Self:
        """Make the response to an offer."""
        size, path = trace_qr(offer.address) if offer.address else (0, "")
        return cls(name=name, **offer._asdict(), qr_size=size, qr_path=path)


class SessionResponse(BaseModel):
    """The owner of a session.

    ``csrf_token`` goes into ``X-CSRF-Token`` if the session is in a cookie.
    """

    name: str
    role: Role
    csrf_token: str


class NewSessionResponse(SessionResponse):
    """A new session: its bearer token, "" if it is in the cookie."""

    session: str
    idle_seconds: int
    absolute_seconds: int


class DisplayedRound(BaseModel):
    """A table's latest round."""

    round: int
    open: bool


class DisplayResponse(BaseModel):
    """The display of the meter: the amount, and the latest round of each table.

    ``jackpot_pending`` says that an undecided hit takes all of the meter (SC-9).
    """

    display_cents: int
    jackpot_pending: bool
    rounds: dict[int, DisplayedRound]

    @classmethod
    def from_state(cls, state: ProgressiveState) -> Self:
        """Make the display of a state."""
        return cls.model_validate(summarize_status(state, full=False))


class HitSummary(BaseModel):
    """A hit and its current step.

    ``waits_for`` is the earlier award that makes this one provisional, 0 if it is final (SC-9).  ``lost_award`` is the
    number that it had before a restoration lost it, 0 for none.
    """

    award: int
    table: int
    round: int
    seat: int
    hand: str
    cards: str
    lost_award: int
    cents: int
    step: str
    waits_for: int
    entered_by: str
    confirmed_by: str
    paid_by: str


class StatusResponse(DisplayResponse):
    """The books of the progressive.

    They have meters, counts, the payable amount, requests for a second person, and the last 25 hits.
    ``clock`` is what is wrong with the clock of the server, "" if nothing.
    """

    meter_units: int
    reserve_units: int
    overflow_units: int
    held_cents: int
    payable_cents: int
    bank_units: int
    counts: TableCounts
    settings_version: int
    requests: dict[int, ChangeRequest]
    incidents: dict[int, Incident]
    last_hits: list[HitSummary]
    entries: int
    clock: str = ""

    @classmethod
    def from_books(cls, state: ProgressiveState, last_hits: Iterable[Hit], clock: str = "") -> Self:
        """Make the books of a state and of the last hits in the ledger.

        ``clock`` is what is wrong with the clock.
        """
        figures = summarize_status(state, full=True, last_hits=last_hits)
        counts = TableCounts(**figures["counts"])
        fields = {"counts": counts, "requests": state.requests, "incidents": state.incidents}
        return cls.model_validate({**figures, **fields, "clock": clock})


class TableResponse(BaseModel):
    """A table for its consoles.

    It has its latest round (0: none yet), wagers, hits, winning hands, and names of steps.  ``link`` is the table in
    the browser that plays the round, "" for none.  Rounds and awards are numbered after ``numbers_after``, which is 0
    unless the ledger was restored.
    """

    table: int
    round: int
    open: bool
    link: str
    display_cents: int
    wagers: list[ProgressiveWager]
    hits: list[HitSummary]
    hands: list[str]
    seats: int
    wager_cents: int
    words: dict[str, str]
    incidents: list[int]
    numbers_after: int

    @classmethod
    def from_state(cls, state: ProgressiveState, table: int) -> Self:
        """Make the response for a table of the settings."""
        settings, latest = get_settings(state), state.rounds.get(table)
        number = latest.number if latest else 0
        hits = [hit for hit in state.hits.values() if (hit.table, hit.round) == (table, number)]
        return cls(
            table=table,
            round=number,
            open=bool(latest and latest.running),
            link=latest.link if latest else "",
            display_cents=get_display_cents(state),
            wagers=list(latest.wagers) if latest else [],
            hits=[HitSummary.model_validate(summarize_hit(state, hit)) for hit in hits],
            hands=[line.hand for line in settings.lines],
            seats=settings.seats,
            wager_cents=settings.wager_cents,
            words=STEP_LABELS[settings.words],
            incidents=[number for number, each in state.incidents.items() if each.table in {0, table}],
            numbers_after=state.numbers_after,
        )


class StaffMemberResponse(BaseModel):
    """The role of a member of staff, and whether the person has enrolled."""

    role: Role
    active: bool
    enrolled: bool


class VerificationResponse(BaseModel):
    """The number of verified entries, and the hash of the last."""

    entries: int
    hash: str
    holds: bool


class DaysResponse(BaseModel):
    """The reports of gaming days, and that of all of them together."""

    days: list[DayReport]
    total: DayReport
