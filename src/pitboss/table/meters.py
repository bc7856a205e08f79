"""How a table plays for a progressive elsewhere: a few steps, each done once however often it is asked for."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitboss.meter import Meter


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
