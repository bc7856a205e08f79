"""What a simulation plays."""

from dataclasses import dataclass

from pitboss.simulate.players import Player


@dataclass(frozen=True, slots=True)
class Simulation:
    """The settings of a simulation: game, options, player, seats and wagers.

    ``game`` is the game's id; ``options`` has a value for every option.  Bit i of ``wagered`` is set for a stake on
    wager i, at every seat.  With a player ``against``, both play the same deals of one seat, and every wager is counted
    twice, once for each player.  ``nets`` are the nets of the outcomes of main in one unit; only the best play needs
    them.
    """

    game: str
    options: tuple[tuple[str, str], ...]
    player: Player
    seats: int = 1
    wagered: int = -1
    against: Player | None = None
    nets: tuple[int, ...] = ()
