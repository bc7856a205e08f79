"""The part of a table session that lasts between rounds.

It has the seats, chips and counts.
"""

from pydantic import Field

from pitboss.core.strict_model import StrictModel
from pitboss.table.session.events import MeterSnapshot
from pitboss.table.session.terms import BetStake, TableTerms


class Seat(StrictModel):
    """A taken seat: its player and chips.

    ``stakes`` is None until wagers for the coming round are placed.  ``last_stakes`` are the last that were not empty:
    somebody who sits out a round finds them again.
    """

    name: str
    holder: str
    bot: str = ""
    standing: tuple[BetStake, ...] = ()
    chips_cents: int = 0
    stakes: tuple[BetStake, ...] | None = None
    last_stakes: tuple[BetStake, ...] = ()
    seed_hash: str = ""
    seed: str = ""


class TableSnapshot(StrictModel):
    """The state of a table session between two rounds.

    It is stored so that a start does not replay every round.  ``number`` is the round that is coming or in play.  Chips
    bought minus chips changed back equal the chips at the seats plus what the house has won; ``house_cents`` includes
    the progressive's share.  ``dealer`` is the member of staff in whose name a linked table presses the keys.
    ``withheld_seats`` and ``withheld_holders`` did not show a seed that they were bound to; they may not add a seed at
    this table again.
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
        """Return whether neither the seat nor its holder has ever withheld a seed."""
        return seat not in self.withheld_seats and self.seats[seat].holder not in self.withheld_holders
