"""The targets of a tuning search."""

from typing import NamedTuple

from pitboss.analysis.figure_range import FigureRange


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
