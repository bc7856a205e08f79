"""Tabulate the best play of a game by a visit of what can follow each position."""

from collections.abc import Sequence

import numpy as np

from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.engine.paths import ActionPath, Path, list_paths
from pitboss.engine.places import deal_one_seat
from pitboss.engine.play_table import PlayTable, fill_positions, make_play_table, number_path
from pitboss.engine.roots import list_roots
from pitboss.engine.visit import Visit, make_walk_data, prepare_visit
from pitboss.engine.walk_faults import verify_walk
from pitboss.engine.walk_positions import build_position_kernel
from pitboss.engine.walk_state import NOTHING, TAKEN
from pitboss.games import load_game
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import SolverProblem


def tabulate_play(game_id: str, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play of a game.

    Raises:
        PitbossError: the rules do what cannot be solved (``prepare_visit``).
    """
    game = load_game(game_id)
    return tabulate_visit(prepare_visit(game, problem, list(game.deck.cards), lists_roots=False), problem, progress)


def tabulate_visit(visit: Visit, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play with the cards of a visit, as ``tabulate_play`` does."""
    game = visit.game
    paths = [path for deal in list_paths(game, problem.options, visit.groups, visit.cards) for path in deal]
    decisions = range(len(game.decisions))
    asking = [[path for path in paths if path.actions[decision] is not None] for decision in decisions]
    action_paths = [
        tuple(dict.fromkeys(path.actions[:decision] for path in asking[decision])) for decision in decisions
    ]
    decided: list[list[tuple[IntArray, IntArray]]] = []
    for decision in decisions:
        rows = _list_rows(visit, asking[decision][:1], decision)
        decided.append(
            [_decide_positions(visit, problem, decision, rows, action_path) for action_path in action_paths[decision]]
        )
        progress(decision + 1, len(decisions))
    no_view = [0] * len(game.rules.view(deal_one_seat(game, visit.cards)))
    sizes = [[int(cards).bit_count() for cards in each[0][0][0]] if each else no_view for each in decided]
    play = make_play_table(game, visit.cards, visit.walk_input.exchanges, sizes, action_paths)
    for decision in decisions:
        for action_path, (views, actions) in zip(action_paths[decision], decided[decision], strict=True):
            fill_positions(views, actions, decision, number_path(game, action_path), play)
    return play


def _decide_positions(
    visit: Visit, problem: SolverProblem, decision: int, rows: IntArray, action_path: ActionPath
) -> tuple[IntArray, IntArray]:
    """Return the views of one decision, up to suits, and the best actions.

    They come after the actions of ``action_path``.
    """
    game: Game = visit.game
    views = np.zeros((len(rows), len(game.rules.view(deal_one_seat(game, visit.cards)))), np.int64)
    actions = np.full(len(rows), NOTHING, np.int64)
    data = make_walk_data(visit, problem.options)
    data.walk.path[:decision, TAKEN] = [NOTHING if action is None else action for action in action_path]
    build_position_kernel(game, decision)(data, visit.scale, rows, views, actions)
    verify_walk(game, data.tally)
    return views, actions


def _list_rows(visit: Visit, asking: Sequence[Path], decision: int) -> IntArray:
    """Return the cards of each group up to suits, 0 for groups not seen."""
    seen = sorted(asking[0].seen[decision]) if asking else []
    sets, _ = list_roots(visit.cards, [len(visit.groups[group].places) for group in seen], visit.walk_input.exchanges)
    rows = np.zeros((len(sets), len(visit.groups)), np.int64)
    rows[:, seen] = sets
    return rows
