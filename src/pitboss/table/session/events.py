"""The events of a table session, stored in the order in which they happen.

Seats count from 1, money is whole cents, cards are written as ``As Td``, time is in whole seconds of UTC.  Hands and
payments are not stored: the round driver computes them again from the deck and the decisions.  The fields named in
``SECRET_FIELDS`` hold what nobody may see yet; they are stored encrypted.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from pitboss.core.strict_model import StrictModel
from pitboss.table.session.terms import BetStake, TableSeat, TableTerms

SECRET_FIELDS = ("deck", "spare", "cards", "secret")
"""Fields of events that are encrypted when stored."""


class MeterSnapshot(StrictModel):
    """A progressive's meter and reserve at a moment, in 1/10,000 of a cent."""

    units: int
    reserve_units: int


class TableOpened(StrictModel):
    """A table was opened."""

    kind: Literal["opened"] = "opened"
    table: str
    terms: TableTerms


class SecretCommitted(StrictModel):
    """The house bound itself to its ``secret`` for a provably fair round.

    ``version`` is the version of the method.
    """

    kind: Literal["committed"] = "committed"
    round: int
    commitment: str
    secret: str
    version: str = "pitboss-fair-1"


class SeatTaken(StrictModel):
    """A player or a bot took a seat.

    ``bot`` is the bot's strategy, ``standing`` its standing wagers.
    """

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
    """A seat placed its wagers for the coming round, replacing earlier ones.

    Without stakes the seat sits the round out.
    """

    kind: Literal["staked"] = "staked"
    seat: TableSeat
    stakes: tuple[BetStake, ...]
    seed_hash: str = ""
    at: int


class WagersLocked(StrictModel):
    """Wagers were closed; the seats that are bound to seeds now show them (``fair``).

    At a linked table ``progressive_round`` is the number of the round as the progressive counts.
    """

    kind: Literal["locked"] = "locked"
    progressive_round: int = 0
    at: int


class WagersReturned(StrictModel):
    """The progressive did not take the wagers, which went back to the seats.

    ``why`` is the reason.  The wagers have to be placed again.
    """

    kind: Literal["unlocked"] = "unlocked"
    why: str


class DealerRelieved(StrictModel):
    """Another member of staff deals a linked table from now on."""

    kind: Literal["relieved"] = "relieved"
    dealer: str


class SeatAward(StrictModel):
    """A linked progressive's award for a seat's hand.

    ``meter_cents`` is what the meter pays, ``short_cents`` how much it falls short.
    """

    seat: TableSeat
    meter_cents: int
    short_cents: int = 0


class SeedRevealed(StrictModel):
    """A seat showed the seed that it was bound to."""

    kind: Literal["seed-shown"] = "seed-shown"
    seat: TableSeat
    seed: str


class RoundDealt(StrictModel):
    """A round was dealt to ``seats`` from the top of ``deck``.

    ``back`` says which of two decks it was (LU-2).  ``meter`` is the progressive before it takes the round's wagers.
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
    """A seat decided, in time or not.

    ``awards`` are those of a linked progressive, if this ended the round.
    """

    kind: Literal["acted"] = "acted"
    seat: TableSeat
    action: str
    cards: str = ""
    late: bool = False
    awards: tuple[SeatAward, ...] = ()
    at: int


class SeatNet(StrictModel):
    """What a seat won in a round, in cents; below zero if it lost."""

    seat: TableSeat
    cents: int


class RoundSettled(StrictModel):
    """A round was settled: each seat's net and the progressive after it.

    ``awards`` are the confirmed ones of a linked progressive, whatever was shown before (SC-9).  ``revealed`` is the
    secret.
    """

    kind: Literal["paid"] = "paid"
    round: int
    nets: tuple[SeatNet, ...]
    awards: Annotated[tuple[SeatAward, ...], Field(exclude_if=lambda awards: not awards)] = ()
    meter: MeterSnapshot | None = None
    revealed: str = ""
    at: int


class RoundVoided(StrictModel):
    """A round was voided because ``seats`` did not show their seeds.

    All wagers went back.  ``revealed`` is the secret.
    """

    kind: Literal["voided"] = "voided"
    round: int
    seats: tuple[TableSeat, ...]
    revealed: str
    at: int


class SeatLeft(StrictModel):
    """A seat was left, and its chips were changed back."""

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
