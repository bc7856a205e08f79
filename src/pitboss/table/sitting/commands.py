"""What somebody asks of a sitting: checked for form here, decided by ``decide``."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from pitboss.core.errors import PitbossError
from pitboss.core.strict_model import StrictModel, first_error
from pitboss.table.sitting.terms import Cents, Chair, Stakes

HOUSE = "house"
"""Who deals, settles, plays the bots and calls time."""


class CommandError(PitbossError):
    """A command that is none: a field is missing, unknown or of a wrong kind."""


class Sit(StrictModel):
    """Take a chair with chips, or put more chips before your own; the house may seat a ``bot`` with its wagers."""

    kind: Literal["sit"] = "sit"
    seat: Chair
    cents: Cents
    name: Annotated[str, Field(max_length=24, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    bot: Annotated[str, Field(max_length=64)] = ""
    standing: Annotated[tuple[Stakes, ...], Field(max_length=16)] = ()


class Wager(StrictModel):
    """Place all of a chair's wagers for the coming round, in place of any before; none: sit it out."""

    kind: Literal["wager"] = "wager"
    seat: Chair
    stakes: Annotated[tuple[Stakes, ...], Field(max_length=16)]
    seed_hash: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""


class Seed(StrictModel):
    """Show the seed that the chair is bound to: printable characters of ASCII."""

    kind: Literal["seed"] = "seed"
    seat: Chair
    seed: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[ -~]*$")]


class Deal(StrictModel):
    """Close the wagers, and deal."""

    kind: Literal["deal"] = "deal"


class Decide(StrictModel):
    """Take an action; ``cards`` are those given up, as ``["As", "Td"]``."""

    kind: Literal["decide"] = "decide"
    seat: Chair
    action: Annotated[str, Field(max_length=32)]
    cards: Annotated[tuple[Annotated[str, Field(max_length=3)], ...], Field(max_length=6)] = ()


class TimeOut(StrictModel):
    """Time is up: the seat to act has its decision taken for it; a round whose seeds are not all shown is void."""

    kind: Literal["time-out"] = "time-out"


class Settle(StrictModel):
    """Pay and take, and make the table ready for the next round."""

    kind: Literal["settle"] = "settle"


class Relieve(StrictModel):
    """Have another member of staff deal a linked table."""

    kind: Literal["relieve"] = "relieve"
    dealer: Annotated[str, Field(min_length=1, max_length=32)]


class Leave(StrictModel):
    """Give up a chair, and change its chips back."""

    kind: Literal["leave"] = "leave"
    seat: Chair


class CloseTable(StrictModel):
    """Close a table for good: its chips are changed back, its rounds stay readable."""

    kind: Literal["close-table"] = "close-table"


Command = Sit | Wager | Seed | Deal | Decide | TimeOut | Settle | Relieve | Leave | CloseTable

_COMMAND: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])


def parse_command(said: Any) -> Command:
    """Read a command from JSON, or from what JSON holds.

    >>> parse_command({"kind": "decide", "seat": 2, "action": "fold"})
    Decide(kind='decide', seat=2, action='fold', cards=())

    Raises:
        CommandError: it is none.
    """
    try:
        return _COMMAND.validate_json(said if isinstance(said, str | bytes) else json.dumps(said))
    except ValidationError as error:
        raise CommandError(f"this is no command: {first_error(error)}") from None
    except (TypeError, ValueError) as error:
        raise CommandError(f"this is no command: {error}") from None
