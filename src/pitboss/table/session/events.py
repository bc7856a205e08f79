"""What happens at a sitting: records that are kept, in the order in which they happen.

Chairs count from 1, money is whole cents, cards are written as ``AsOption``, time is in whole seconds of UTC.  What a
card or a payment comes to is not among them: the round driver gives it again from the deck and the decisions.  The
fields named in ``SECRET_FIELDS`` hold what nobody may see yet, and are kept sealed.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from pitboss.core.strict_model import StrictModel
from pitboss.table.session.terms import BetStake, TableSeat, TableTerms

SECRET_FIELDS = ("deck", "spare", "cards", "secret")
"""Fields of events that are sealed where they are kept."""


class MeterSnapshot(StrictModel):
    """A progressive as it stood, in 1/10,000 of a cent."""

    units: int
    reserve_units: int


class TableOpened(StrictModel):
    """A table was opened."""

    kind: Literal["opened"] = "opened"
    table: str
    terms: TableTerms


class SecretCommitted(StrictModel):
    """The house bound itself to its ``secret`` for a round (``fair``), by a ``version`` of the method."""

    kind: Literal["committed"] = "committed"
    round: int
    commitment: str
    secret: str
    version: str = "pitboss-fair-1"


class SeatTaken(StrictModel):
    """Somebody took a chair; ``bot`` is the strategy of one that plays by itself, ``standing`` its wagers."""

    kind: Literal["sat-down"] = "sat-down"
    seat: TableSeat
    name: str
    holder: str
    bot: str = ""
    standing: tuple[BetStake, ...] = ()


class ChipsBought(StrictModel):
    """Chips were bought."""

    kind: Literal["bought"] = "bought"
    seat: TableSeat
    cents: int


class WagersPlaced(StrictModel):
    """A chair's wagers for the coming round, in place of any before; none: it sits the round out."""

    kind: Literal["staked"] = "staked"
    seat: TableSeat
    stakes: tuple[BetStake, ...]
    seed_hash: str = ""
    at: int


class WagersLocked(StrictModel):
    """Wagers are closed, and the seats that are bound to seeds show them (``fair``).

    A linked table's are taken as those of its ``progressive_round``, as the progressive counts.
    """

    kind: Literal["locked"] = "locked"
    progressive_round: int = 0
    at: int


class WagersReturned(StrictModel):
    """A progressive did not take the wagers, and why: they are given back, to be placed anew."""

    kind: Literal["unlocked"] = "unlocked"
    why: str


class DealerRelieved(StrictModel):
    """Another member of staff deals a linked table from now on."""

    kind: Literal["relieved"] = "relieved"
    dealer: str


class SeatAward(StrictModel):
    """What a progressive elsewhere has fixed for a chair's hand: what its meter pays, and what it should have."""

    seat: TableSeat
    meter_cents: int
    short_cents: int = 0


class SeedRevealed(StrictModel):
    """A chair showed the seed that it was bound to."""

    kind: Literal["seed-shown"] = "seed-shown"
    seat: TableSeat
    seed: str


class RoundDealt(StrictModel):
    """A round was dealt to ``seats``, from the top of ``deck``; ``back`` says which of two decks it was (LU-2).

    ``meter`` is the progressive before the round's wagers are taken.
    """

    kind: Literal["dealt"] = "dealt"
    round: int
    seats: tuple[TableSeat, ...]
    deck: str
    spare: str
    back: str = ""
    meter: MeterSnapshot | None = None
    at: int


class ActionTaken(StrictModel):
    """A chair decided, in time or not; ``awards`` are those of a progressive elsewhere, where this ended the round."""

    kind: Literal["acted"] = "acted"
    seat: TableSeat
    action: str
    cards: str = ""
    late: bool = False
    awards: tuple[SeatAward, ...] = ()
    at: int


class SeatNet(StrictModel):
    """What a chair won or lost in a round."""

    seat: TableSeat
    cents: int


class RoundSettled(StrictModel):
    """A round was settled: what each chair won or lost, and the progressive after it; ``revealed`` is the secret."""

    kind: Literal["paid"] = "paid"
    round: int
    nets: tuple[SeatNet, ...]
    meter: MeterSnapshot | None = None
    revealed: str = ""
    at: int


class RoundVoided(StrictModel):
    """A round was called off because ``seats`` did not show their seeds: all wagers went back.

    ``revealed`` is the secret.
    """

    kind: Literal["voided"] = "voided"
    round: int
    seats: tuple[TableSeat, ...]
    revealed: str
    at: int


class SeatLeft(StrictModel):
    """A chair was given up, and its chips changed back."""

    kind: Literal["left"] = "left"
    seat: TableSeat
    cents: int


class TableClosed(StrictModel):
    """A table was closed for good."""

    kind: Literal["table-closed"] = "table-closed"
    at: int


SessionEvent = (
    TableOpened
    | SecretCommitted
    | SeatTaken
    | ChipsBought
    | WagersPlaced
    | WagersLocked
    | WagersReturned
    | DealerRelieved
    | SeedRevealed
    | RoundDealt
    | ActionTaken
    | RoundSettled
    | RoundVoided
    | SeatLeft
    | TableClosed
)

EVENT_ADAPTER: TypeAdapter[tuple[SessionEvent, ...]] = TypeAdapter(
    tuple[Annotated[SessionEvent, Field(discriminator="kind")], ...]
)
"""Reads and writes events."""
