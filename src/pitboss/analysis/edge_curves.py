"""How the house edge moves along the pays of each line, the others unchanged."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from pitboss.analysis.pay_grid import LineKey, PayGrid

EdgeCurves: TypeAlias = Mapping[LineKey, tuple[tuple[Fraction, Fraction], ...]]
"""For each line its pays, the lowest first, each with the house edge that the table then has."""


def list_edge_curves(grid: PayGrid) -> EdgeCurves:
    """Return the edge of the present table with each other pay, played as before."""
    unit = grid.sheet.deals * grid.scale
    curves = {}
    for line, terms in zip(grid.lines, grid.columns, strict=True):
        points = [(line.present, Fraction(-grid.present[0], unit))]
        points += [
            (pay, Fraction(-grid.present[0] - int(net), unit)) for pay, net in zip(line.pays, terms.nets, strict=True)
        ]
        curves[line.key] = tuple(sorted(points))
    return curves
