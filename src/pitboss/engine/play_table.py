"""Tabulate the best play of a small game: an action for every position.

Simulations look it up.  A position is a decision and the cards that the seat sees; where earlier actions matter too,
there is no table.
"""

from collections.abc import Sequence
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import StrategyError
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.engine.faults import verify_walk
from pitboss.engine.paths import Path, list_paths
from pitboss.engine.places import deal_one_seat
from pitboss.engine.roots import list_roots
from pitboss.engine.symmetry import exchange_cards
from pitboss.engine.visit import Visit, get_position_kernel, make_tally, make_walk, prepare_visit
from pitboss.engine.walk_state import NOTHING, TAKEN
from pitboss.games import load_game
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set
from pitboss.solver_api import SolverProblem


class PlayTable(NamedTuple):
    """The best action of every position, -1 for those that no round comes to.

    Decision d has ``actions[starts[d] : starts[d + 1]]``.  A position's number there has a digit for each field of the
    view, to the base ``sets[d, field]``: the number of the field's cards by ``steps`` (``number_set``).
    """

    actions: NDArray[np.int8]
    starts: IntArray
    sets: IntArray
    steps: IntArray


@rule
def number_position(view: Any, asked: int, play: PlayTable) -> int:
    """Number a position among those of all decisions."""
    number = 0
    for field, cards in enumerate(view):
        number = number * play.sets[asked, field] + number_set(cards, play.steps)
    return int(play.starts[asked] + number)


@rule
def choose_from_table(_tables: HandTables, view: Any, asked: int, play: PlayTable, _options: Any) -> tuple[int, int]:
    """Choose the best action at a position by the table."""
    return int(play.actions[number_position(view, asked, play)]), 0


def tabulate_play(game_id: str, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play of a game.

    Raises:
        StrategyError: what is best depends on earlier actions.
        PitbossError: the rules do what cannot be solved (``prepare_visit``).
    """
    game = load_game(game_id)
    return tabulate_visit(prepare_visit(game, problem, list(game.deck.cards)), problem, progress)


def tabulate_visit(visit: Visit, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play with the cards of a visit, as ``tabulate_play`` does."""
    game, count = visit.game, len(visit.game.decisions)
    paths = [path for deal in list_paths(game, problem.options, visit.groups, visit.cards) for path in deal]
    decided = []
    for asked in range(count):
        decided.append(_decide_positions(visit, problem, asked, paths))
        progress(asked + 1, count)
    positions = max(visit.cards) + 1
    sizes = [[int(cards).bit_count() for cards in views[0]] for views, _ in decided]
    sets = np.array([[comb(positions, size) for size in each] for each in sizes], np.int64)
    starts = np.cumsum([0, *(prod(each) for each in sets.tolist())])
    steps = build_same_size_steps(positions, max(max(each) for each in sizes))
    play = PlayTable(np.full(starts[-1], NOTHING, np.int8), starts, sets, steps)
    for asked, (views, actions) in enumerate(decided):
        _fill_table(views, actions, asked, visit.terms.exchanges, play)
    return play


def _decide_positions(
    visit: Visit, problem: SolverProblem, asked: int, paths: Sequence[Path]
) -> tuple[IntArray, IntArray]:
    """Return the views of one decision up to suits, and the best actions.

    Raises:
        StrategyError: it is another one after other actions.
    """
    game, tables = visit.game, load_hand_tables()
    asking = [path for path in paths if path.actions[asked] is not None]
    rows = _list_rows(visit, sorted(asking[0].seen[asked]))
    views = np.zeros((len(rows), len(game.rules.view(deal_one_seat(game, visit.cards)))), np.int64)
    actions = np.full(len(rows), NOTHING, np.int64)
    for taken in dict.fromkeys(path.actions[:asked] for path in asking):
        walk, tally, now = make_walk(visit), make_tally(game), np.full(len(rows), NOTHING, np.int64)
        walk.line[:asked, TAKEN] = [NOTHING if action is None else action for action in taken]
        terms = (visit.terms, visit.places, walk, tally, visit.scale)
        get_position_kernel(game, asked)(tables, problem.options, *terms, rows, views, now)
        verify_walk(game, tally)
        if ((actions != now) & (actions != NOTHING) & (now != NOTHING)).any():
            decision = game.decisions[asked].id
            raise StrategyError(
                f"{game.id} cannot be simulated by its best play: what is best at {decision} depends on what was "
                "done before",
                code="no-best-play",
                game=game.id,
                decision=decision,
            )
        actions = np.maximum(actions, now)
    return views, actions


def _list_rows(visit: Visit, seen: Sequence[int]) -> IntArray:
    """Return the cards of each group up to suits, 0 for groups not seen."""
    sets, _ = list_roots(visit.cards, [len(visit.groups[group].places) for group in seen], visit.terms.exchanges)
    rows = np.zeros((len(sets), len(visit.groups)), np.int64)
    rows[:, seen] = sets
    return rows


@kernel
def _fill_table(views: IntArray, actions: IntArray, asked: int, exchanges: IntArray, play: PlayTable) -> None:
    """Write the action of each position, and of all that an exchange makes of it."""
    for row in range(len(views)):
        for exchange in exchanges:
            number = 0
            for field in range(views.shape[1]):
                cards = exchange_cards(views[row, field], exchange)
                number = number * play.sets[asked, field] + number_set(cards, play.steps)
            play.actions[play.starts[asked] + number] = actions[row]
