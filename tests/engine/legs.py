"""The chips of games that are made for a test: their nets are numbers beside them, and raises lie in no circle."""

from pitboss.contract import Leg, LegResult

MAIN_LEGS = (Leg("main", 1, LegResult.LOSE, ""),)
