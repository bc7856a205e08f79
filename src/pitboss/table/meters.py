"""How a table plays for a progressive elsewhere: a few steps, each done once however often it is asked for."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitboss.cards import format_cards
from pitboss.meter import Meter
from pitboss.paytables import find_progressive_table
from pitboss.table.domain.events import EnvyPaid, Settled
from pitboss.table.sitting.events import Award
from pitboss.table.sitting.state import Sitting
from pitboss.table.sitting.terms import paytables_of


class Won(NamedTuple):
    """A hand that wins on a progressive: its line, and its cards as ``As Ks ...``."""

    line: str
    cards: str


class Progressive(Protocol):
    """What a linked table asks of a progressive.  Each may be asked again after a crash, and answers as before."""

    def due(self, wagers: Mapping[int, int]) -> int:
        """Return the number of the round that would take these wagers, in cents by seat.

        Raises:
            PitbossError: the progressive takes none now; nothing has changed.
        """

    def coin_in(self, number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN: take the wagers of a round; return the meter before them.

        Raises:
            LedgerError: there is no answer: they may have been taken; ask again.
            PitbossError: they are not taken.
        """

    def enter(self, number: int, won: Mapping[int, Won]) -> tuple[Award, ...]:
        """Enter the winning hands of a round, by seat; return what is fixed for them.

        Raises:
            PitbossError: not now; ask again.
        """

    def close(self, number: int, awards: tuple[Award, ...]) -> None:
        """GAME OVER, where these are the awards that the felt shows.

        Raises:
            PitbossError: an award is not confirmed yet; the table waits.
        """


def _progressive_bet(now: Sitting) -> str:
    table = find_progressive_table(paytables_of(now.terms))
    return table.bet if table else ""


def wagers_on_meter(now: Sitting) -> dict[int, int]:
    """Return what seats have staked on the progressive for the coming round, in cents."""
    bet = _progressive_bet(now)
    return {seat: stake.cents for seat, held in now.seats.items() for stake in held.stakes or () if stake.bet == bet}


def hands_won(after: Sitting) -> dict[int, Won]:
    """Return the hands of a finished round that the progressive must know of, by seat.

    These win its wager, or are envied without one (SC-4, ``envy_hitter_must_wager`` off).
    """
    if after.round is None or not after.round.closed:
        return {}
    table = find_progressive_table(paytables_of(after.terms))
    lines: dict[int, str] = {}
    for event in after.round.events:
        if isinstance(event, Settled) and table and event.bet == table.bet and event.outcome in table.lines:
            lines[event.seat] = event.outcome
        elif isinstance(event, EnvyPaid):
            lines[event.hitter] = event.line
    deck = after.round.game.deck
    return {
        after.playing[place]: Won(line, format_cards(after.round.view(place).player, deck))
        for place, line in lines.items()
    }
