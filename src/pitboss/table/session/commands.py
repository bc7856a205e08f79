"""What somebody asks of a sitting: checked for form here, decided by ``decide``."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.strict_model import StrictModel, first_error
from pitboss.table.session.terms import BetStake, Cents, TableSeat

HOUSE = "house"
"""Who deals, settles, plays the bots and calls time."""


class CommandError(PitbossError):
    """A command that is none: a field is missing, unknown or of a wrong kind."""


class TakeSeat(StrictModel):
    """Take a chair with chips, or put more chips before your own; the house may seat a ``bot`` with its wagers."""

    kind: Literal["sit"] = "sit"
    seat: TableSeat
    cents: Cents
    name: Annotated[str, Field(max_length=24, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    bot: Annotated[str, Field(max_length=64)] = ""
    standing: Annotated[tuple[BetStake, ...], Field(max_length=16)] = ()


class PlaceWagers(StrictModel):
    """Place all of a chair's wagers for the coming round, in place of any before; none: sit it out."""

    kind: Literal["wager"] = "wager"
    seat: TableSeat
    stakes: Annotated[tuple[BetStake, ...], Field(max_length=16)]
    seed_hash: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""


class ShowSeed(StrictModel):
    """Show the seed that the chair is bound to: printable characters of ASCII."""

    kind: Literal["seed"] = "seed"
    seat: TableSeat
    seed: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[ -~]*$")]


class DealRound(StrictModel):
    """Close the wagers, and deal."""

    kind: Literal["deal"] = "deal"


class TakeAction(StrictModel):
    """Take an action; ``cards`` are those given up, as ``["As", "Td"]``."""

    kind: Literal["decide"] = "decide"
    seat: TableSeat
    action: Annotated[str, Field(max_length=32)]
    cards: Annotated[tuple[Annotated[str, Field(max_length=3)], ...], Field(max_length=6)] = ()


class CallTime(StrictModel):
    """Time is up: the seat to act has its decision taken for it; a round whose seeds are not all shown is void."""

    kind: Literal["time-out"] = "time-out"


class SettleRound(StrictModel):
    """Pay and take, and make the table ready for the next round."""

    kind: Literal["settle"] = "settle"


class RelieveDealer(StrictModel):
    """Have another member of staff deal a linked table."""

    kind: Literal["relieve"] = "relieve"
    dealer: Annotated[str, Field(min_length=1, max_length=32)]


class LeaveSeat(StrictModel):
    """Give up a chair, and change its chips back."""

    kind: Literal["leave"] = "leave"
    seat: TableSeat


class CloseTable(StrictModel):
    """Close a table for good: its chips are changed back, its rounds stay readable."""

    kind: Literal["close-table"] = "close-table"


TableCommand = (
    TakeSeat
    | PlaceWagers
    | ShowSeed
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
    """Read a command from JSON, or from what JSON holds.

    >>> parse_command({"kind": "decide", "seat": 2, "action": "fold"})
    Decide(kind='decide', seat=2, action='fold', cards=())

    Raises:
        CommandError: it is none.
    """
    try:
        return _COMMAND_ADAPTER.validate_json(data if isinstance(data, str | bytes) else json.dumps(data))
    except ValidationError as error:
        raise CommandError(f"this is no command: {first_error(error)}") from None
    except (TypeError, ValueError) as error:
        raise CommandError(f"this is no command: {error}") from None
