"""Example games, loaded from their folders, and the exact figures of their wagers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pitboss.games
from pitboss.analysis.census import count_outcomes
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.progress import ignore_progress
from pitboss.options import resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "games"
FOLDERS = tuple(sorted(rules.parent.name for rules in EXAMPLES.glob("*/rules.py")))
"""The folder of each example game."""

UNIT_CENTS = 100


def load_example(name: str) -> Game:
    """Load the game in a folder of the examples."""
    if str(EXAMPLES) not in pitboss.games.__path__:
        pitboss.games.__path__.append(str(EXAMPLES))
    game: Game = import_module(f"pitboss.games.{name}").GAME
    return game


def compute_nets(wager: Wager, tables: Mapping[str, PayTable]) -> list[Fraction]:
    """Return the net of each outcome of a wager, per unit."""
    return [compute_outcome_net(outcome, tables, UNIT_CENTS) / UNIT_CENTS for outcome in wager.outcomes]


def compute_side_edge(game: Game, bet: str, table: str) -> Fraction:
    """Return the exact house edge of a side wager under a pay table."""
    wager = next(wager for wager in game.wagers if wager.id == bet)
    counts: Sequence[int] = count_outcomes(game, wager, resolve_options(game, {}), ignore_progress)
    nets = compute_nets(wager, select_paytables(game, [f"{bet}={table}"]))
    return -sum((net * count for net, count in zip(nets, counts, strict=True)), Fraction(0)) / sum(counts)


def as_percent(edge: Fraction, digits: int) -> str:
    """Return an edge in per cent, rounded as it is published."""
    return f"{float(100 * edge):.{digits}f}"
