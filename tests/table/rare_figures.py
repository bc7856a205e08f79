"""Measure how many of 200 drills hold each rare event, with none planted and with one in every round.

Run it with ``python tests/table/rare_figures.py``: it prints the table of docs/dealers.md.
"""

import sys
from collections import Counter
from collections.abc import Sequence

from pitboss.cards import seeded_bits
from pitboss.games import load_games
from pitboss.table.session import TableTerms
from pitboss.table.training.drills import DrillRequest, PlantingRate, deal_request, draw_deal
from pitboss.table.training.rare_events import RareEvent, iter_rare_events
from pitboss.table.training.rounds import open_training_round

DRILLS, SEATS = 200, 6


def count_events(asked: DrillRequest, events: Sequence[RareEvent], drills: int) -> Counter[str]:
    """Count how many of so many drills hold each event."""
    found = Counter[str]()
    bits = seeded_bits(1)
    for _ in range(drills):
        played, _ = deal_request(draw_deal(asked, bits))
        found.update(each.id for each in events if each.occurs(played))
    return found


def main() -> None:
    """Print a row for every event of every game."""
    for game in load_games().values():
        terms = TableTerms(game=game.id, seats=SEATS)
        events = tuple(iter_rare_events(open_training_round(terms)))
        rates: tuple[PlantingRate, ...] = ("", "every")
        columns = [count_events(DrillRequest(terms=terms, rare=rate), events, DRILLS) for rate in rates]
        for event in events:
            counts = " | ".join(str(each[event.id]) for each in columns)
            sys.stdout.write(f"| {game.name} | {event.name} | {counts} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
