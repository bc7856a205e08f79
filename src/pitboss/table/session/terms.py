"""The terms of a table: game, options, pay tables, limits, shuffle and times."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from pitboss.contract import Game, PayTable
from pitboss.core.errors import IllegalActionError
from pitboss.core.strict_model import StrictModel
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import parse_paytables, select_paytables
from pitboss.table.round.wagers import CentsRange, compute_limits, verify_limits

TableSeat = Annotated[int, Field(ge=1, le=6)]
"""A seat at the table: 1 is at the dealer's left, 6 farthest right (ALL-10)."""

Cents = Annotated[int, Field(ge=0, le=10**12)]


class BetStake(StrictModel):
    """A stake on a bet, in cents; ``on`` is the other seat whose hand it is on."""

    bet: str
    cents: Cents
    on: TableSeat | None = None


class ProgressiveLink(StrictModel):
    """The table of a progressive that this table is linked to.

    ``ledger`` is the first hash of the progressive's ledger, ``version`` is that of the settings by which the table was
    opened, ``dealer`` is the member of staff in whose name the table first presses the keys.
    """

    table: Annotated[int, Field(ge=1)]
    version: Annotated[int, Field(ge=1)]
    ledger: str
    dealer: str


class TableTerms(StrictModel):
    """The terms of a table.

    ``paytables`` chooses pay tables as ``BET=ID``, ``own_paytables`` holds others in the form of a pay table file; all
    the rest are the game's defaults.  ``limits`` are the table's own by bet, minimum and maximum in cents.  With
    ``fair`` the shuffle is provably fair.  Seconds of 0 mean that there is no time limit.  If a person deals
    (``dealer``), rounds are settled on command.  ``linked`` names the progressive elsewhere that takes and pays.
    """

    game: str
    seats: TableSeat = 6
    options: dict[str, str] = Field(default_factory=dict)
    paytables: tuple[str, ...] = ()
    own_paytables: tuple[dict[str, Any], ...] = ()
    preset: str = ""
    limits: dict[str, CentsRange] = Field(default_factory=dict)
    fair: bool = False
    wager_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    decide_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    dealer: bool = False
    linked: ProgressiveLink | None = None

    def __hash__(self) -> int:
        """Hash the hashable fields: equal terms share their cached rounds."""
        return hash((self.game, self.seats, self.paytables, self.preset, *self.options.items()))


def load_table_game(terms: TableTerms) -> Game:
    """Return the game of a table."""
    return load_game(terms.game)


_select_paytables = lru_cache(maxsize=256)(select_paytables)


def get_table_paytables(terms: TableTerms) -> Mapping[str, PayTable]:
    """Return a pay table of each kind (raises PayTableError, UnknownNameError)."""
    game = load_table_game(terms)
    chosen = _select_paytables(game, terms.paytables)
    if not terms.own_paytables:
        return chosen
    own = parse_paytables({"paytable": list(terms.own_paytables)}, game, "the table's own pay tables")
    return {**chosen, **{table.kind: table for table in own}}


def verify_terms(terms: TableTerms) -> None:
    """Check the terms of a table.

    Raises:
        PitbossError: there is no such game, option, pay table or preset, or the limits cannot be staked.
    """
    if terms.fair and terms.linked:
        raise IllegalActionError(
            "the shuffle of a linked table is not provably fair: leave fair out", code="no-seeds-here"
        )
    game = load_table_game(terms)
    options = resolve_options(game, terms.options)
    get_table_paytables(terms)
    verify_limits(game, options, compute_limits(game, terms.preset, terms.limits))
