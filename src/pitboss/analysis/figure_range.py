"""Ranges of figures."""

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
