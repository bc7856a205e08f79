"""The commands of a table session, validated here, decided in ``handlers``."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.strict_model import StrictModel, describe_pattern, first_error
from pitboss.table.round.history_schema import OPTIONAL_DIGEST
from pitboss.table.session.terms import BetStake, Cents, TableSeat

HOUSE = "house"
"""The giver of automatic commands: deals, settles, plays the bots and calls time."""


_ONE_LINE = describe_pattern(r"^[^\x00-\x1f\x7f]*$", "one line, without control characters")


class CommandError(PitbossError):
    """An error for a command with a missing, unknown or mistyped field."""


class TakeSeat(StrictModel):
    """Take a seat with chips, or buy more chips at your own seat.

    The house may seat a ``bot`` with its standing wagers.
    """

    kind: Literal["sit"] = "sit"
    seat: TableSeat
    cents: Cents
    name: Annotated[str, Field(max_length=24, pattern=_ONE_LINE)] = ""
    bot: Annotated[str, Field(max_length=64)] = ""
    standing: Annotated[tuple[BetStake, ...], Field(max_length=16)] = ()


class PlaceWagers(StrictModel):
    """Place all of a seat's wagers for the coming round, replacing earlier ones.

    Without stakes the seat sits the round out.
    """

    kind: Literal["wager"] = "wager"
    seat: TableSeat
    stakes: Annotated[tuple[BetStake, ...], Field(max_length=16)]
    seed_hash: Annotated[str, Field(pattern=OPTIONAL_DIGEST)] = ""


class RevealSeed(StrictModel):
    """Reveal the seed that the seat is bound to, in printable ASCII characters."""

    kind: Literal["seed"] = "seed"
    seat: TableSeat
    seed: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[ -~]*$")]


class DealRound(StrictModel):
    """Close the wagers, and deal."""

    kind: Literal["deal"] = "deal"


class TakeAction(StrictModel):
    """Take an action; ``cards`` are the discards, as ``["As", "Td"]``."""

    kind: Literal["decide"] = "decide"
    seat: TableSeat
    action: Annotated[str, Field(max_length=32)]
    cards: Annotated[tuple[Annotated[str, Field(max_length=3)], ...], Field(max_length=6)] = ()


class CallTime(StrictModel):
    """Call time: decide for the seat to act, or void a round that lacks seeds."""

    kind: Literal["time-out"] = "time-out"


class SettleRound(StrictModel):
    """Pay and take, and make the table ready for the next round."""

    kind: Literal["settle"] = "settle"


class RelieveDealer(StrictModel):
    """Have another member of staff deal a linked table."""

    kind: Literal["relieve"] = "relieve"
    dealer: Annotated[str, Field(min_length=1, max_length=32)]


class LeaveSeat(StrictModel):
    """Leave a seat, and change its chips back."""

    kind: Literal["leave"] = "leave"
    seat: TableSeat


class CloseTable(StrictModel):
    """Close a table for good: all chips are changed back, its rounds stay readable."""

    kind: Literal["close-table"] = "close-table"


TableCommand = (
    TakeSeat
    | PlaceWagers
    | RevealSeed
    | DealRound
    | TakeAction
    | CallTime
    | SettleRound
    | RelieveDealer
    | LeaveSeat
    | CloseTable
)

_COMMAND_ADAPTER: TypeAdapter[TableCommand] = TypeAdapter(Annotated[TableCommand, Field(discriminator="kind")])


def parse_command(data: Any) -> TableCommand:
    """Parse a command from JSON text or from decoded JSON.

    >>> parse_command({"kind": "decide", "seat": 2, "action": "fold"})
    TakeAction(kind='decide', seat=2, action='fold', cards=())

    Raises:
        CommandError: it is not a valid command.
    """
    try:
        return _COMMAND_ADAPTER.validate_json(data if isinstance(data, str | bytes) else json.dumps(data))
    except ValidationError as error:
        raise CommandError(f"this is not a valid command: {first_error(error)}", code="invalid-command") from None
    except (TypeError, ValueError) as error:
        raise CommandError(f"this is not a valid command: {error}", code="invalid-command") from None
