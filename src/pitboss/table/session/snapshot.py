"""What of a sitting lasts from round to round: its chairs, chips and counts."""

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.table.session.events import MeterSnapshot
from pitboss.table.session.terms import BetStake, TableTerms


class Seat(StrictModel):
    """Who sits in a chair, with what.  ``stakes`` is None until wagers for the coming round are said."""

    name: str
    holder: str
    bot: str = ""
    standing: tuple[BetStake, ...] = ()
    chips_cents: int = 0
    stakes: tuple[BetStake, ...] | None = None
    seed_hash: str = ""
    seed: str = ""


class TableSnapshot(StrictModel):
    """All of a sitting between two rounds: what is kept, so that a start need not play every round again.

    ``number`` is the round that is coming or in play.  Chips bought less chips changed back are what lies at the seats
    and what the house has won; ``house_cents`` counts the progressive's share in.  ``dealer`` is the member of staff in
    whose name a linked table presses the keys.  ``withheld_seats`` and ``withheld_holders`` did not show a seed that
    they were bound to, and add none at this table any more.
    """

    table: str
    terms: TableTerms
    seats: dict[int, Seat] = Field(default_factory=dict)
    number: int = 1
    sequence: int = 0
    bought_cents: int = 0
    changed_cents: int = 0
    house_cents: int = 0
    meter: MeterSnapshot | None = None
    since: int = 0
    faults: tuple[str, ...] = ()
    dealer: str = ""
    withheld_seats: tuple[int, ...] = ()
    withheld_holders: tuple[str, ...] = ()

    def can_add_seed(self, seat: int) -> bool:
        """Return whether who sits in a chair may add a seed: neither the chair nor the person has ever withheld one."""
        return seat not in self.withheld_seats and self.seats[seat].holder not in self.withheld_holders
