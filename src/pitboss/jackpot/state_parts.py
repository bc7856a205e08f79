"""The parts of a state: rounds, hits, requests, incidents and counts."""

from typing import Literal

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.events import Change, OwedAward, ProgressiveWager
from pitboss.meter import Meter


class ProgressiveRound(StrictModel):
    """A table's latest round.

    ``fixed`` means that one of its wins from the meter was confirmed, so its awards are not computed again.  ``link``
    names the browser table that plays it, "" for the console.
    """

    table: int
    number: int
    version: int
    wagers: tuple[ProgressiveWager, ...]
    running: bool = True
    fixed: bool = False
    link: str = ""

    def get_wager_cents(self, seat: int) -> int:
        """Return a seat's wager in cents, 0 for none."""
        return next((wager.cents for wager in self.wagers if wager.seat == seat), 0)


class Hit(StrictModel):
    """An entered hand, its step, and the meter before and after its award.

    ``order`` and ``turn`` are its place among the hits of all tables (SC-9): the entry that entered the last hand of
    its round, and its turn among the hits that were figured then (SC-6).  ``received`` is what meter and reserve had
    received by then, in units; what came later does not count for its award.
    """

    owed: OwedAward
    order: int
    turn: int
    received: Meter
    table: int
    round: int
    before_units: int
    after_units: int
    step: Literal["pending", "confirmed", "paid", "cancelled", "backed-out"] = "pending"
    confirmed_by: str = ""
    paid_by: str = ""
    copies: int = 0

    @property
    def place(self) -> tuple[int, int]:
        """The hit's place among all hits, which compares as they follow each other."""
        return self.order, self.turn

    @property
    def cents(self) -> int:
        """The cents owed to the winner, from meter and tray."""
        return self.owed.cents


class ChangeRequest(StrictModel):
    """A requested change that nobody has approved yet."""

    by: str
    change: Change


class Incident(StrictModel):
    """A fault that two people must close; ``signed_by`` is the first of them."""

    table: int
    what: str
    text: str
    signed_by: str = ""
    software: str = ""


class TableCounts(StrictModel):
    """A table's counters: wagers, hits, wins, and amounts won and paid."""

    in_count: int = 0
    in_cents: int = 0
    hits: int = 0
    wins: int = 0
    won_cents: int = 0
    backed_out_cents: int = 0
    paid_cents: int = 0
    envy_cents: int = 0
