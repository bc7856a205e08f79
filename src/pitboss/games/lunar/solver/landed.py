"""The solutions that come with Lunar Poker: a piece for each rank of the exposed card."""

from pathlib import Path

from pitboss.landed import Landed

LANDED = Landed(
    folder=Path(__file__).parent,
    rules=("combinations.py", "first_five.py", "outcomes.py", "rules.py"),
    touching=("dealer_qualifies", "paired_straight", "force_replaces"),
)
