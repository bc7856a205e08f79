"""Opening a round: its seats, options, pay tables, limits and meter."""

from collections.abc import Mapping

from pitboss.contract import Game, PayTable
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import IllegalActionError
from pitboss.meter import Meter
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round.driver import Round
from pitboss.table.round.payment import create_meter
from pitboss.table.round.wagers import CentsRange, compute_limits


def open_round(
    game: Game,
    seats: int = 1,
    *,
    options: Mapping[str, str] | None = None,
    paytables: Mapping[str, PayTable] | None = None,
    preset: str = "",
    limits: Mapping[str, CentsRange] | None = None,
    meter: Meter | None = None,
) -> Round:
    """Open a round for ``seats`` players; wagers may now be placed.

    Missing ``options`` and ``paytables`` are the game's defaults; ``preset`` names a jurisdiction's limits, ``limits``
    are the table's own minimum and maximum of a bet in cents; ``meter`` is the present progressive (at its seed if none
    is given).

    Raises:
        IllegalActionError: the game does not have this many seats.
        OptionError: an option has no such value.
        UnknownNameError: there is no such option, preset or bet.
        WagerError: the limits cannot be staked or are not allowed by the preset.
    """
    seats = verify_whole(seats, "the number of seats", 1, game.seats, IllegalActionError)
    table_limits = compute_limits(game, preset, limits)
    all_paytables = {**select_paytables(game), **(paytables or {})}
    values = resolve_options(game, options or {})
    return Round(
        game=game,
        seats=seats,
        options=values,
        option_codes=encode_options(game, values),
        paytables=all_paytables,
        preset=preset,
        limit_overrides=limits or {},
        limits=table_limits,
        opening_meter=meter or create_meter(all_paytables),
        meter=meter or create_meter(all_paytables),
    )
