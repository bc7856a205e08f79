"""The schema of a round's history: its records, and their JSON Schema."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from pitboss.core.joined_words import join_words
from pitboss.core.strict_model import describe_pattern

FAIR_VERSION = "pitboss-fair-2"
"""The method of the provably fair shuffle, as histories, receipts and hashes name it."""

HistorySeat = Annotated[int, Field(ge=1, le=9)]
MAX_SAFE_INTEGER = 2**53 - 1
"""The highest number of a record or receipt: every JSON reader holds it exactly (RFC 8259, section 6)."""
Cents = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]
RoundNumber = Annotated[int, Field(ge=1, le=MAX_SAFE_INTEGER)]
TableName = Annotated[str, Field(pattern="^[a-z0-9-]{1,32}$")]

DIGEST, OPTIONAL_DIGEST = (
    describe_pattern(pattern, "the 64 hexadecimal digits of SHA-256")
    for pattern in ("^[0-9a-f]{64}$", "^([0-9a-f]{64})?$")
)


PHH_ACTIONS = {"fold": "f", "check": "cc"}
DISCARD_WORD = "sd"
STAND_ACTION = "stand"
"""Words of the Poker Hand History conventions; an action without one is written by its id."""


def _abbreviate_action(action: str) -> str:
    """Write an action by its word of the conventions: ``p1 f`` for ``p1 fold``."""
    seat, _, name = action.partition(" ")
    return f"{seat} {(PHH_ACTIONS | {STAND_ACTION: DISCARD_WORD}).get(name, name)}" if name else action


class _StrictRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class WagerRecord(_StrictRecord):
    """A side wager: its seat, bet and stake in cents.

    ``on`` is the other seat whose hand it is on.
    """

    seat: HistorySeat
    bet: str
    cents: Cents
    on: HistorySeat | None = None


class SettlementRecord(_StrictRecord):
    """The outcome and the net of a wager.

    ``on`` is the other seat whose hand it was on; for envy, the seat that hit.
    """

    seat: HistorySeat
    bet: str
    outcome: str
    net_cents: int
    on: HistorySeat | None = None


class LimitRecord(_StrictRecord):
    """A table's own limits of a bet."""

    minimum_cents: Cents
    maximum_cents: Cents


class MeterRecord(_StrictRecord):
    """The progressive before the round, in 1/10,000 of a cent."""

    meter_units: Annotated[int, Field(ge=0)]
    reserve_units: Annotated[int, Field(ge=0)] = 0


class AwardRecord(_StrictRecord):
    """A linked progressive's award for a seat's hand.

    ``meter_cents`` is what its meter paid, ``short_cents`` what it could not pay.
    """

    seat: HistorySeat
    meter_cents: Cents
    short_cents: Cents = 0


class FairSeat(_StrictRecord):
    """A seat of a provably fair round: its hash and its seed.

    The hash is absent where the seat was bound to no seed, the seed where it was not shown.
    In the program an absent text is empty; in a file an empty text is an error.
    """

    seat: Annotated[int, Field(ge=1, le=6)]
    hash: Annotated[str, Field(pattern=DIGEST)] = ""
    seed: Annotated[str, Field(min_length=1, max_length=128, pattern="^[ -~]*$")] = ""


class FairRecord(_StrictRecord):
    """A provably fair shuffle: its commitment, secret and seats.

    The commitment was shown before wagers; the secret opened it after the round.
    ``seats`` are p1, p2 ... in that order.  A seat with a hash and no seed makes the round void.
    """

    version: str
    table: TableName
    round: RoundNumber
    commitment: Annotated[str, Field(pattern=DIGEST)]
    secret: Annotated[str, Field(pattern=OPTIONAL_DIGEST)] = ""
    seats: Annotated[list[FairSeat], Field(min_length=1, max_length=6)]

    @model_validator(mode="before")
    @classmethod
    def _verify_version(cls, data: Any) -> Any:
        """Check the method first: an older one has other fields."""
        version = data.get("version", FAIR_VERSION) if isinstance(data, dict) else FAIR_VERSION
        if version != FAIR_VERSION:
            raise ValueError(f"this round was shuffled by {version!r}: this program verifies {FAIR_VERSION!r}")
        return data

    @property
    def missing_seats(self) -> tuple[int, ...]:
        """The seats that were bound to a seed and never showed it."""
        return tuple(each.seat for each in self.seats if each.hash and not each.seed)


class History(_StrictRecord):
    """The history of one round.

    ``antes`` are the stakes of ``main`` in cents, one for each seat.
    ``late`` are the places in ``actions``, from 1, of actions taken for a seat whose time had run out.
    """

    variant: str
    antes: Annotated[list[Cents], Field(min_length=1)]
    actions: list[Annotated[str, AfterValidator(_abbreviate_action)]]
    late: Annotated[list[Annotated[int, Field(ge=1)]], Field(alias="_late")] = []
    title: Annotated[str, Field(alias="_title")] = ""
    source: Annotated[str, Field(alias="_source")] = ""
    pitboss: Annotated[str, Field(alias="_pitboss")] = ""
    seed: Annotated[int | None, Field(alias="_seed")] = None
    deck: Annotated[str, Field(alias="_deck")] = ""
    preset: Annotated[str, Field(alias="_preset")] = ""
    limits: Annotated[dict[str, LimitRecord], Field(alias="_limits")] = {}
    options: Annotated[dict[str, str], Field(alias="_options")] = {}
    paytables: Annotated[list[str], Field(alias="_paytables")] = []
    meter: Annotated[MeterRecord | None, Field(alias="_meter")] = None
    awards: Annotated[list[AwardRecord], Field(alias="_awards")] = []
    fair: Annotated[FairRecord | None, Field(alias="_fair")] = None
    own_paytables: Annotated[list[dict[str, Any]], Field(alias="_own_paytables")] = []
    wagers: Annotated[list[WagerRecord], Field(alias="_wagers")] = []
    settlements: Annotated[list[SettlementRecord], Field(alias="_settlements")] = []


def describe_void(round_number: int, seats: Sequence[int]) -> str:
    """Describe a void round and the seats that made it void.

    >>> describe_void(12, (3,))
    'Round 12 is void: seat 3 never showed its seed; all wagers were returned.'
    """
    named = join_words(map(str, seats))
    cause = f"seats {named} never showed their seeds" if len(seats) > 1 else f"seat {named} never showed its seed"
    return f"Round {round_number} is void: {cause}; all wagers were returned."


def build_history_schema() -> dict[str, Any]:
    """Return the JSON Schema of a history (``docs/history.schema.json``)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **History.model_json_schema()}
