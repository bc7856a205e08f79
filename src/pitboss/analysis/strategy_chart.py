"""Strategy charts: the exact answer at each position of a game's grids.

A row of a chart is cached as soon as it is computed, under a hash of the rules, the solver and all that it depends on.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.par_sheet import format_fraction
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.analysis.solutions import build_problem, compute_method_hash
from pitboss.contract import Game
from pitboss.core.errors import StrategyError, UnknownNameError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.core.source_hash import hash_sources
from pitboss.games import load_game, load_games
from pitboss.strategy_grids import StrategyGrid, load_strategy_grids
from pitboss.tasks import SERIAL, Shard, count_finished, run_shards

STRATEGY = "strategy"

_ROW_FORM = 2
"""The form of a cached row: rows of another form are computed again."""

_WITHOUT_CHIPS = ("fold", "check")

COLUMNS = (
    "row",
    "column",
    "cards",
    "answer",
    "action",
    "gives_up",
    "expected_value",
    "expected_value_exact",
    "next_best",
    "costs",
    "next_gives_up",
)
"""The columns of a strategy chart; ``costs`` is what the next best answer costs, in Antes."""


class _Row(NamedTuple):
    """A row of a grid to compute: the game, its terms, and the cards of its cells."""

    game: str
    terms: GameTerms
    cells: tuple[Mapping[str, str], ...]


def find_strategy_grid(game: Game, name: str = "") -> StrategyGrid:
    """Return the grid of a game with this id, its first one by default.

    Raises:
        StrategyError: the game has no grids.
        UnknownNameError: it has no grid with this id.
    """
    grids = {grid.id: grid for grid in load_strategy_grids(game)}
    if not grids:
        known = [each.id for each in load_games().values() if load_strategy_grids(each)]
        raise StrategyError(
            f"{game.id} has no strategy chart: games with one are {', '.join(known)}", code="no-chart", game=game.id
        )
    if name and name not in grids:
        raise UnknownNameError("grid", name, grids)
    return grids[name or next(iter(grids))]


def compute_strategy_chart(
    game: Game,
    terms: GameTerms,
    grid: StrategyGrid,
    progress: ProgressCallback = ignore_progress,
) -> ChartData:
    """Compute the best action of each cell of a grid, with the best play after it.

    Only stakes of side wagers that depend on the play matter.  ``progress`` counts rows of the grid.

    Raises:
        PitbossError: as ``compute_hints``, or a cell is not a position of the game.
    """
    shards = _list_shards(game, terms, grid)
    texts = run_shards(shards, solve_row, _name_folder(game), SERIAL, progress)
    rows = []
    for name, text in zip(grid.rows, texts, strict=True):
        answers = iter(json.loads(text))
        rows += [
            _make_cell(grid, name, column, cards, next(answers))
            for column in grid.columns
            if (cards := grid.place(name, column)) is not None
        ]
    return ChartData(
        STRATEGY,
        game.id,
        grid.title,
        grid.about,
        COLUMNS,
        tuple(rows),
        {
            "chart": grid.id,
            "down": grid.down,
            "across": grid.across,
            "row_names": list(grid.rows),
            "column_names": list(grid.columns),
            "answers": _order_answers(game, grid, rows),
        },
    )


def is_strategy_chart_cached(game: Game, terms: GameTerms, grid: StrategyGrid) -> bool:
    """Tell whether all rows of a chart are cached from earlier runs."""
    return count_cached_rows(game, terms, grid) == len(grid.rows)


def count_cached_rows(game: Game, terms: GameTerms, grid: StrategyGrid) -> int:
    """Count the rows of a chart that are cached."""
    return count_finished(_list_shards(game, terms, grid), _name_folder(game))


def solve_row(row: _Row) -> str:
    """Return the answers of a row's cells, as text."""
    game = load_game(row.game)
    answers = []
    for cards in row.cells:
        request = parse_hint_request(game, row.terms, cards)
        ranked = request.compute(ignore_progress)
        best = ranked[0]
        # The cheapest other answer: another action, or for one that gives up cards another choice of them.
        other = next((each for each in ranked[1:] if each.action is not best.action), ranked[1])
        answers.append(
            {
                "action": best.action.id,
                "gives_up": " ".join(request.list_cards(best)) if best.action.discards else "",
                "value": float(best.value),
                "exact": format_fraction(best.value),
                "next": other.action.id,
                "costs": float(best.value - other.value),
                "next_gives_up": " ".join(request.list_cards(other)) if other.action.discards else "",
            }
        )
    return json.dumps(answers)


def _list_shards(game: Game, terms: GameTerms, grid: StrategyGrid) -> list[Shard]:
    stakes = select_played_stakes(game, terms.options, terms.stakes)
    played = GameTerms(terms.paytables, terms.options, stakes)
    problem = build_problem(game, terms.paytables, terms.options, side_stakes=stakes)
    depends_on = json.dumps([dict(terms.options), problem.problem.nets, problem.problem.side_nets, problem.unit])
    shards = []
    for name in grid.rows:
        cells = tuple(cards for column in grid.columns if (cards := grid.place(name, column)) is not None)
        key = sha256(
            f"{_ROW_FORM} {depends_on} {name} {json.dumps([dict(cards) for cards in cells])}".encode()
        ).hexdigest()[:32]
        shards.append(Shard(key, _Row(game.id, played, cells)))
    return shards


def _name_folder(game: Game) -> str:
    return f"pieces/{game.id}-chart.{compute_method_hash(game)}.{hash_sources('pitboss.analysis.hints')}"


def _make_cell(grid: StrategyGrid, row: str, column: str, cards: Mapping[str, str], found: Any) -> tuple[Any, ...]:
    answer = grid.name_answer(row, column, found["gives_up"]) if grid.name_answer else found["action"]
    shown = "; ".join(cards.values())
    return (
        row,
        column,
        shown,
        answer,
        found["action"],
        found["gives_up"],
        found["value"],
        found["exact"],
        found["next"],
        found["costs"],
        found["next_gives_up"],
    )


def _order_answers(game: Game, grid: StrategyGrid, rows: list[tuple[Any, ...]]) -> list[str]:
    """Return the answers of a chart, those that add no chips first."""
    known = grid.answers or tuple(dict.fromkeys(action.id for each in game.decisions for action in each.actions))
    given = {row[COLUMNS.index("answer")] for row in rows}
    return sorted((answer for answer in known if answer in given), key=lambda answer: answer not in _WITHOUT_CHIPS)
