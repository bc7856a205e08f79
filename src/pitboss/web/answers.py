"""What is answered: money is whole cents, or units of 1/10,000 cent where the meter is meant."""

from typing import Self

from pydantic import BaseModel

from pitboss.jackpot.events import Event, Wager
from pitboss.jackpot.procedure import WORDS, settings_in
from pitboss.jackpot.report import hit_figures, status_of
from pitboss.jackpot.roles import Role
from pitboss.jackpot.service import Outcome
from pitboss.jackpot.settings import Advice
from pitboss.jackpot.state import Counts, Incident, Request, State, display_cents


class Done(BaseModel):
    """What came of a command: its events, and what the display shows now.  ``repeated``: it was done before."""

    repeated: bool
    events: list[Event]
    display_cents: int

    @classmethod
    def of(cls, outcome: Outcome, **more: object) -> Self:
        """Return the answer to an outcome."""
        shown_cents = display_cents(outcome.state)
        written = {"repeated": outcome.repeated, "events": outcome.events, "display_cents": shown_cents, **more}
        return cls.model_validate(written)


class DoneWithPage(Done):
    """The same with an award's win page, for a printer of lines; as ``application/pdf`` where that is accepted."""

    win_page: str


class DoneWithAdvice(Done):
    """The same with the sheet's recommendations that the settings do not follow, each with its reason."""

    advice: list[Advice]


class DoneWithToken(Done):
    """The same with the token that is given to somebody, who chooses a password with it: it works once."""

    name: str
    token: str


class Invited(BaseModel):
    """A token that works once."""

    name: str
    token: str


class Enrolled(BaseModel):
    """The secret of an authenticator, "" where none is needed."""

    name: str
    totp: str


class Me(BaseModel):
    """Whose session it is; ``csrf_token`` goes into ``X-CSRF-Token`` where the session is a cookie's."""

    name: str
    role: Role
    csrf_token: str


class SessionOpened(Me):
    """A new session: the bearer token, "" where it is in the cookie."""

    session: str
    idle_seconds: int
    absolute_seconds: int


class RoundShown(BaseModel):
    """A table's latest round."""

    round: int
    open: bool


class Display(BaseModel):
    """What a meter display shows: the amount, and the latest round of each table."""

    display_cents: int
    rounds: dict[int, RoundShown]

    @classmethod
    def of(cls, state: State) -> Self:
        """Return what is shown of a state."""
        return cls.model_validate(status_of(state, everything=False))


class HitShown(BaseModel):
    """A hit and how far it has come."""

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


class Books(Display):
    """All meters and counts, what is payable, what waits for a second person, and the last 25 hits."""

    meter_units: int
    reserve_units: int
    overflow_units: int
    held_cents: int
    payable_cents: int
    bank_units: int
    counts: Counts
    settings_version: int
    requests: dict[int, Request]
    incidents: dict[int, Incident]
    last_hits: list[HitShown]
    entries: int

    @classmethod
    def of(cls, state: State) -> Self:
        """Return the books of a state."""
        figures = status_of(state, everything=True)
        counts = Counts(**figures["counts"])
        held = {"counts": counts, "requests": state.requests, "incidents": state.incidents}
        return cls.model_validate({**figures, **held})


class TableShown(BaseModel):
    """A table for its consoles: its latest round (0: none yet), wagers and hits, hands that win, the steps' words.

    ``link`` is the table in the browser that plays the round, "" for none.
    """

    table: int
    round: int
    open: bool
    link: str
    display_cents: int
    wagers: list[Wager]
    hits: list[HitShown]
    hands: list[str]
    seats: int
    wager_cents: int
    words: dict[str, str]
    incidents: list[int]

    @classmethod
    def of(cls, state: State, table: int) -> Self:
        """Return a table that the settings have."""
        settings, now = settings_in(state), state.rounds.get(table)
        number = now.number if now else 0
        of_round = [hit for hit in state.hits.values() if (hit.table, hit.round) == (table, number)]
        return cls(
            table=table,
            round=number,
            open=bool(now and now.running),
            link=now.link if now else "",
            display_cents=display_cents(state),
            wagers=list(now.wagers) if now else [],
            hits=[HitShown.model_validate(hit_figures(hit)) for hit in of_round],
            hands=[line.hand for line in settings.lines],
            seats=settings.seats,
            wager_cents=settings.wager_cents,
            words=WORDS[settings.words],
            incidents=[number for number, each in state.incidents.items() if each.table in {0, table}],
        )


class MemberShown(BaseModel):
    """Somebody's role."""

    role: Role
    active: bool


class Verified(BaseModel):
    """How many entries hold, and the hash of the last."""

    entries: int
    hash: str
    holds: bool


class Fall(BaseModel):
    """A fall of the meter, explained."""

    entry: int
    at: str
    units: int
    why: str


class Day(BaseModel):
    """A day's reading."""

    day: str
    opening_units: int
    closing_units: int
    entries: dict[str, int]
    falls: list[Fall]
