"""Grids of positions for strategy charts, from the ``charts`` modules of games.

A grid has names of rows and columns, and the cards of each cell.  What to do there is not written down: it is computed
(``analysis.strategy_chart``).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import combinations

from pitboss.cards.notation import RANK_LETTERS
from pitboss.contract import Game
from pitboss.core.errors import StrategyError
from pitboss.hands import format_rank

GRIDS_MODULE = "charts"

RANKS = tuple(RANK_LETTERS)
"""The letters of the ranks, the lowest first."""

CellCards = Mapping[str, str]
"""The cards of a position by the names that ``pitboss hint`` takes: ``player``, ``dealer`` ..."""

_STRAIGHT = 5


@dataclass(frozen=True, slots=True)
class StrategyGrid:
    """A grid of positions of one decision.

    ``about`` says which cards its cells have.  ``place(row, column)`` returns the cards of a cell, None if there is no
    such position.  Answers are named by the actions; a grid in which one action gives up different cards names them
    itself: ``name_answer(row, column, discards)`` returns one of ``answers``.  ``seconds`` is about how much processor
    time its answers take; a report has the grids that take little.
    """

    id: str
    title: str
    about: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    place: Callable[[str, str], CellCards | None]
    seconds: int = 1
    answers: tuple[str, ...] = ()
    name_answer: Callable[[str, str, str], str] | None = None


@cache
def load_strategy_grids(game: Game) -> tuple[StrategyGrid, ...]:
    """Return the grids of a game's ``charts`` module; none without one.

    Rows and columns without a position are left out.

    Raises:
        StrategyError: the module has no ``GRIDS``.
    """
    if not (game.folder / f"{GRIDS_MODULE}.py").is_file():
        return ()
    module = import_module(f"pitboss.games.{game.folder.name}.{GRIDS_MODULE}")
    grids: tuple[StrategyGrid, ...] | None = getattr(module, "GRIDS", None)
    if not grids or len({grid.id for grid in grids}) < len(grids):
        raise StrategyError(
            f"{module.__name__} has no grids with ids of their own: write GRIDS = (StrategyGrid(...), ...) there",
            code="no-grids",
            game=game.id,
        )
    return tuple(map(_drop_empty, grids))


def _drop_empty(grid: StrategyGrid) -> StrategyGrid:
    """Return a grid without rows and columns that have no position."""
    rows = tuple(row for row in grid.rows if any(grid.place(row, each) for each in grid.columns))
    columns = tuple(each for each in grid.columns if any(grid.place(row, each) for row in rows))
    return replace(grid, rows=rows, columns=columns)


def name_pair(rank: str) -> str:
    """Name a pair by the letter of its rank.

    >>> name_pair("T")
    'Pair of tens'
    """
    return f"Pair of {format_rank(RANKS.index(rank) + 2, plural=True)}"


def write_cards(ranks: Iterable[str], suits: str) -> str:
    """Write cards of these ranks, each of the next of ``suits``, which repeat.

    >>> write_cards("AK94", "sh")
    'As Kh 9s 4h'
    """
    return " ".join(f"{rank}{suits[place % len(suits)]}" for place, rank in enumerate(ranks))


def choose_kickers(held: Iterable[str], avoided: Iterable[str], count: int, most_in_five: int = 4) -> tuple[str, ...]:
    """Choose the lowest ranks that make no pair and no straight with the ranks held.

    No more than ``most_in_five`` of all ranks are within five ranks in a row.  The highest rank comes first.

    >>> choose_kickers("88", "2", 4)
    ('6', '5', '4', '3')
    >>> choose_kickers("88", "2", 4, most_in_five=3)
    ('9', '5', '4', '3')

    Raises:
        ValueError: there are no such ranks.
    """
    ranks = set(held)
    free = [rank for rank in RANKS if rank not in ranks | set(avoided)]
    for chosen in sorted(combinations(free, count), key=lambda each: [RANKS.index(rank) for rank in each[::-1]]):
        if count_in_five(ranks | set(chosen)) <= most_in_five:
            return chosen[::-1]
    raise ValueError(f"no {count} kickers for {''.join(sorted(ranks))}")


def count_in_five(ranks: Iterable[str]) -> int:
    """Return how many different ranks are within five in a row; an ace is also low.

    >>> count_in_five("A2359"), count_in_five("AK94")
    (4, 2)
    """
    places = {RANKS.index(rank) for rank in ranks}
    places |= {-1} if RANKS.index("A") in places else set()
    return max(len(places & set(range(low, low + _STRAIGHT))) for low in range(-1, len(RANKS) - _STRAIGHT + 1))
