"""Ranges of figures, and the targets of a tuning search."""

from fractions import Fraction
from typing import NamedTuple


class FigureRange(NamedTuple):
    """A range of a figure, with both ends."""

    low: Fraction
    high: Fraction

    @property
    def middle(self) -> Fraction:
        """The middle of the range."""
        return (self.low + self.high) / 2


class TuningTargets(NamedTuple):
    """What a table should have: its house edge, and if given its other figures.

    ``hit`` is the frequency of a net above zero, ``deviation`` the standard deviation in stakes, ``top`` the highest
    pay of the table, ``jackpot`` the average award of the whole meter, in dollars.
    """

    edge: FigureRange
    hit: FigureRange | None = None
    deviation: FigureRange | None = None
    top: FigureRange | None = None
    jackpot: FigureRange | None = None
