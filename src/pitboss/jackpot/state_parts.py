"""The parts of a state: rounds, hits, requests, incidents and counts."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.events import Change, OwedAward, ProgressiveWager
from pitboss.jackpot.staff_state import StaffMember
from pitboss.meter import FULL_PERCENT, Meter


class ProgressiveRound(StrictModel):
    """A table's latest round.

    ``settled`` are the entries of the moments at which its confirmed wins from the meter stand.  ``link`` names the
    browser table that plays it, "" for the console.
    """

    table: int
    number: int
    version: int
    wagers: tuple[ProgressiveWager, ...]
    running: bool = True
    settled: tuple[int, ...] = ()
    link: str = ""

    @property
    def fixed(self) -> bool:
        """Whether a win from the meter was confirmed, so its hands keep their place."""
        return bool(self.settled)

    def get_wager_cents(self, seat: int) -> int:
        """Return a seat's wager in cents, 0 for none."""
        return next((wager.cents for wager in self.wagers if wager.seat == seat), 0)


class Moment(NamedTuple):
    """The moment at which a hand was entered, and what decides its award.

    ``received`` is what meter and reserve had received by then, in units: what came later does not count.
    ``limit_cents`` is the limit of the display at that entry (SC-7).
    """

    entry: int
    received: Meter
    limit_cents: int


class Hit(StrictModel):
    """An entered hand, its step, and the meter before and after its award.

    ``entered`` is its own moment, which never changes.  ``fixed`` is the moment at which the awards of its round stand:
    that of the last of the hands that were computed together, and that are not turned off (SC-6); ``turn`` is its turn
    among them.  ``split_percent`` is the percentage that it won of a split round, 0 for any other.
    """

    owed: OwedAward
    entered: Moment
    fixed: Moment
    turn: int
    split_percent: int
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
        """The hit's place among those of its round (SC-6)."""
        return self.fixed.entry, self.turn

    @property
    def cents(self) -> int:
        """The cents owed to the winner, from meter and tray."""
        return self.owed.cents


def find_seed_keeper(hits: Iterable[Hit], removed: Hit) -> int:
    """Return the award that keeps the seed of a removed award, 0 for none.

    The parts of a split round reseed the meter together, after the last of them (SC-6).  While the parts that stay are
    100% or more, what the last of them reseeded stays too.
    """
    if not removed.split_percent or not (removed.owed.seed_cents or removed.owed.released_units):
        return 0
    place = (removed.table, removed.round, removed.fixed.entry)
    stay = [
        hit
        for hit in hits
        if (hit.table, hit.round, hit.fixed.entry) == place
        and hit.split_percent
        and hit.step in {"pending", "confirmed", "paid"}
        and hit.owed.award != removed.owed.award
    ]
    if sum(hit.split_percent for hit in stay) < FULL_PERCENT:
        return 0
    return max(stay, key=lambda hit: hit.turn).owed.award


def remove_seed(owed: OwedAward) -> OwedAward:
    """Return an award without its seed and reserve, which another award keeps."""
    return owed.model_copy(update={"seed_cents": 0, "released_units": 0})


class ChangeRequest(StrictModel):
    """A requested change that nobody has approved yet.

    ``version`` is that of the settings it was requested under.  ``requester`` is the account of the person ``by``, None
    in a ledger whose entries do not name it.
    """

    by: str
    change: Change
    version: int = 0
    requester: StaffMember | None = None


class Incident(StrictModel):
    """A fault that two people must close.

    ``signed_by`` is the first of them, ``signer`` that person's account.
    """

    table: int
    what: str
    text: str
    signed_by: str = ""
    signer: StaffMember | None = None
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
