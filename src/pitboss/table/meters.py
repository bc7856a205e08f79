"""How a table plays for a progressive elsewhere: a few steps, each done once however often it is asked for."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitboss.cards import format_cards
from pitboss.meter import Meter
from pitboss.paytables import progressive_table
from pitboss.table.domain.events import Settled
from pitboss.table.sitting.state import Sitting
from pitboss.table.sitting.terms import paytables_of


class Won(NamedTuple):
    """A hand that wins on a progressive: its line, and its cards as ``As Ks ...``."""

    line: str
    cards: str


class Progressive(Protocol):
    """What a linked table asks of a progressive.  Each may be asked again after a crash, and answers as before."""

    def coin_in(self, round_number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN: take the wagers of a round, in cents by seat; return the meter before them.

        Raises:
            PitbossError: the progressive does not take them now; no cards are dealt.
        """

    def enter(self, round_number: int, won: Mapping[int, Won]) -> Meter:
        """Enter the winning hands of a round, by seat; return the meter that their awards are of."""

    def close(self, round_number: int) -> None:
        """GAME OVER.

        Raises:
            PitbossError: an award is not confirmed yet; the table waits.
        """


def _progressive_bet(now: Sitting) -> str:
    table = progressive_table(paytables_of(now.terms))
    return table.bet if table else ""


def wagers_on_meter(now: Sitting) -> dict[int, int]:
    """Return what seats have staked on the progressive for the coming round, in cents."""
    bet = _progressive_bet(now)
    return {seat: stake.cents for seat, held in now.seats.items() for stake in held.stakes or () if stake.bet == bet}


def hands_won(after: Sitting) -> dict[int, Won]:
    """Return the hands of a finished round that win on the progressive, by seat."""
    if after.round is None or not after.round.closed:
        return {}
    bet, game = _progressive_bet(after), after.round.game
    return {
        after.playing[event.seat]: Won(event.outcome, format_cards(after.round.view(event.seat).player, game.deck))
        for event in after.round.events
        if isinstance(event, Settled) and event.bet == bet and event.net_cents > 0
    }
