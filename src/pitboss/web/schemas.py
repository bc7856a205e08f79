"""The models of API responses.  Money is whole cents; the meter is in units of 1/10,000 cent."""

from typing import Self

from pydantic import BaseModel

from pitboss.jackpot.controller import CommandOutcome
from pitboss.jackpot.events import ProgressiveEvent, ProgressiveWager
from pitboss.jackpot.reports import summarize_hit, summarize_status
from pitboss.jackpot.roles import Role
from pitboss.jackpot.round_handlers import STEP_LABELS, get_settings
from pitboss.jackpot.settings import Advice
from pitboss.jackpot.state import ChangeRequest, Incident, ProgressiveState, TableCounts, get_display_cents


class CommandResponse(BaseModel):
    """The result of a command: its events, and the display after it.  ``repeated``: it was executed before."""

    repeated: bool
    events: list[ProgressiveEvent]
    display_cents: int

    @classmethod
    def from_outcome(cls, outcome: CommandOutcome, **more: object) -> Self:
        """Make the response to an outcome."""
        shown_cents = get_display_cents(outcome.state)
        fields = {"repeated": outcome.is_repeat, "events": outcome.events, "display_cents": shown_cents, **more}
        return cls.model_validate(fields)


class WinPageResponse(CommandResponse):
    """The result with an award's win page as lines of text, or as ``application/pdf`` if accepted."""

    win_page: str


class AdviceResponse(CommandResponse):
    """The result with the rule sheet's recommendations that the settings do not follow, with reasons."""

    advice: list[Advice]


class NewStaffResponse(CommandResponse):
    """The result with the new person's token for setting a password; it works once."""

    name: str
    token: str


class InvitationResponse(BaseModel):
    """A person's new token; it works once."""

    name: str
    token: str


class EnrolmentResponse(BaseModel):
    """The enrolled person, with the secret of the authenticator, "" if none is needed."""

    name: str
    totp: str


class SessionResponse(BaseModel):
    """The owner of a session; ``csrf_token`` goes into ``X-CSRF-Token`` if the session is in a cookie."""

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
    """The display of the meter: the amount, and the latest round of each table."""

    display_cents: int
    rounds: dict[int, DisplayedRound]

    @classmethod
    def from_state(cls, state: ProgressiveState) -> Self:
        """Make the display of a state."""
        return cls.model_validate(summarize_status(state, full=False))


class HitSummary(BaseModel):
    """A hit and its current step."""

    award: int
    table: int
    round: int
    seat: int
    hand: str
    cards: str
    cents: int
    step: str
    entered_by: str
    confirmed_by: str
    paid_by: str


class StatusResponse(DisplayResponse):
    """The books: meters, counts, the payable amount, requests for a second person, and the last 25 hits."""

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

    @classmethod
    def from_state(cls, state: ProgressiveState) -> Self:
        """Make the books of a state."""
        figures = summarize_status(state, full=True)
        counts = TableCounts(**figures["counts"])
        fields = {"counts": counts, "requests": state.requests, "incidents": state.incidents}
        return cls.model_validate({**figures, **fields})


class TableResponse(BaseModel):
    """A table for its consoles: its latest round (0: none yet), wagers, hits, winning hands, names of steps.

    ``link`` is the table in the browser that plays the round, "" for none.
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
            hits=[HitSummary.model_validate(summarize_hit(hit)) for hit in hits],
            hands=[line.hand for line in settings.lines],
            seats=settings.seats,
            wager_cents=settings.wager_cents,
            words=STEP_LABELS[settings.words],
            incidents=[number for number, each in state.incidents.items() if each.table in {0, table}],
        )


class StaffMemberResponse(BaseModel):
    """The role of a member of staff."""

    role: Role
    active: bool


class VerificationResponse(BaseModel):
    """The number of verified entries, and the hash of the last."""

    entries: int
    hash: str
    holds: bool


class MeterFall(BaseModel):
    """A fall of the meter and its reason."""

    entry: int
    at: str
    units: int
    why: str


class DailyResponse(BaseModel):
    """The report of a day: the meter, the entries and the falls."""

    day: str
    opening_units: int
    closing_units: int
    entries: dict[str, int]
    falls: list[MeterFall]
