"""The state of a progressive, built from its events (``replay``).

Every number in the state is a whole number, so the state can be written as JSON and read back.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.accounts import Account, Purpose
from pitboss.jackpot.events import BackOut
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.staff_state import StaffMember, StaffSession
from pitboss.jackpot.state_parts import ChangeRequest, Hit, Incident, Moment, ProgressiveRound, TableCounts
from pitboss.meter import Meter

_BALANCE_KEYS = {account: tuple(f"{account}:{purpose}" for purpose in Purpose) for account in Account}

STATE_FORM = 5
"""The form of this state in checkpoints: those of an earlier form lack the keys, or what an award is computed from."""


class ProgressiveState(StrictModel):
    """The state of a progressive after ``entries`` entries.

    ``totals`` has the balance of every ACCOUNT:PURPOSE; ``software`` is the accepted software.  ``earlier_settings``
    are those of rounds that were opened before the latest change, by version (SC-10).  ``received`` is what meter and
    reserve have received in contributions, adjustments and backed-out awards.  ``decided`` is the moment of the last
    confirmed award from the meter, in the order of hits (SC-9).  Rounds are numbered after
    ``numbers_after``, as are awards, requests and incidents.  ``entered_again`` are the awards that a restoration lost
    and that were entered again, by the numbers they had before.  The entries account for every credential
    and session if ``covered``.  ``signing_keys`` are the public keys that entries name, by version.
    """

    form: int = STATE_FORM
    entries: int = 0
    software: str = ""
    version: int = 0
    settings: Settings | None = None
    earlier_settings: dict[int, Settings] = Field(default_factory=dict)
    meter_units: int = 0
    reserve_units: int = 0
    received: Meter = Meter(0, 0)
    decided: Moment | None = None
    totals: dict[str, int] = Field(default_factory=dict)
    rounds: dict[int, ProgressiveRound] = Field(default_factory=dict)
    hits: dict[int, Hit] = Field(default_factory=dict)
    requests: dict[int, ChangeRequest] = Field(default_factory=dict)
    incidents: dict[int, Incident] = Field(default_factory=dict)
    counts: dict[int, TableCounts] = Field(default_factory=dict)
    staff: dict[str, StaffMember] = Field(default_factory=dict)
    sessions: dict[str, StaffSession] = Field(default_factory=dict)
    covered: bool = False
    signing_keys: dict[int, str] = Field(default_factory=dict)
    revoked_keys: tuple[int, ...] = ()
    last_award: int = 0
    last_request: int = 0
    last_incident: int = 0
    numbers_after: int = 0
    entered_again: Annotated[dict[int, int], Field(exclude_if=lambda again: not again)] = Field(default_factory=dict)

    @property
    def meter(self) -> Meter:
        """The meter after every held award."""
        return Meter(self.meter_units, self.reserve_units)

    def get_balance(self, account: Account, *purposes: Purpose) -> int:
        """Return the balance of an account, for these purposes or for all."""
        keys = [f"{account}:{purpose}" for purpose in purposes] if purposes else _BALANCE_KEYS[account]
        return sum(self.totals.get(key, 0) for key in keys)

    def get_round_settings(self, played: ProgressiveRound) -> Settings | None:
        """Return the settings that a round was opened with (SC-10)."""
        return self.earlier_settings.get(played.version, self.settings)

    def find_earlier_hit(self, hit: Hit) -> Hit | None:
        """Return the first undecided hit that this one waits for (SC-9), if any.

        Only hits that take from the meter wait for one another: a fixed award from the tray is the same whatever the
        others come to, and changes none of them.
        """
        if not self.is_from_meter(hit):
            return None
        place = self.get_place(hit)
        earlier = (other for other in self.list_pending_hits() if self.get_place(other) < place)
        return min(filter(self.is_from_meter, earlier), key=self.get_place, default=None)

    def get_group_place(self, hit: Hit) -> tuple[bool, int]:
        """Return the place of the hands that a hit was computed with (SC-9).

        If one of these is confirmed, the others come before all hits, whatever is entered or comes back to an earlier
        place: their amounts were fixed before (SC-6).
        """
        return hit.fixed.entry not in self.rounds[hit.table].settled, hit.fixed.entry

    def get_place(self, hit: Hit) -> tuple[bool, int, int]:
        """Return a hit's place among the undecided ones of all tables (SC-9)."""
        return *self.get_group_place(hit), hit.turn

    def find_round_moment(self, table: int, round_number: int, entered: Iterable[Moment]) -> Moment:
        """Return the moment at which a running round's undecided hands stand.

        They were ``entered`` at these moments, and stand at that of the last hand of the round that was not cancelled
        (SC-9): one paid from the tray counts, also if it is backed out later.  A confirmed award comes before every
        undecided one, also before a hand that was entered earlier and waited for another hand of its round, which was
        then cancelled.  Such a hand sees what the confirmed award saw.
        """
        of_round = self._iter_round_hits(table, round_number)
        decided = (hit.entered for hit in of_round if hit.step in {"confirmed", "paid", "backed-out"})
        last = max((*entered, *decided), key=lambda moment: moment.entry)
        if self.decided is None or self.decided.entry < last.entry:
            return last
        return last._replace(received=self.decided.received)

    def is_from_meter(self, hit: Hit) -> bool:
        """Return whether a hit's award is paid from the meter."""
        settings = self.get_round_settings(self.rounds[hit.table])
        line = settings.find_line(hit.owed.hand) if settings else None
        return line is None or line.percent > 0 or settings is None or settings.fixed_awards_from == "meter"

    def list_standing_hits(self, table: int, round_number: int) -> tuple[Hit, ...]:
        """Return the hits of a running round that were not cancelled or backed out."""
        of_round = self._iter_round_hits(table, round_number)
        return tuple(hit for hit in of_round if hit.step in {"pending", "confirmed", "paid"})

    def _iter_round_hits(self, table: int, round_number: int) -> Iterator[Hit]:
        return (hit for hit in self.hits.values() if (hit.table, hit.round) == (table, round_number))

    def find_back_out(self, award: int) -> int:
        """Return the open request to back an award out, 0 for none."""
        for number, request in self.requests.items():
            if isinstance(request.change, BackOut) and request.change.award == award:
                return number
        return 0

    def list_pending_hits(self, table: int = 0, round_number: int = 0) -> tuple[Hit, ...]:
        """Return the hits that are not confirmed yet, of one round of a table or of all."""
        return tuple(
            hit
            for hit in self.hits.values()
            if hit.step == "pending" and (not table or (hit.table, hit.round) == (table, round_number))
        )
