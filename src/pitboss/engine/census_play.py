"""Tabulate the best play of a game while a census counts it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pitboss.cards import seeded_bits, shuffle_cards
from pitboss.core.errors import StrategyError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.census import Census, add_by_class, count_roots, prepare_census, value_first
from pitboss.engine.census_record import PlayRecorder
from pitboss.engine.census_types import SHARDS
from pitboss.engine.decision_names import list_action_paths
from pitboss.engine.paths import ActionPath, follow_actions
from pitboss.engine.places import deal_one_seat
from pitboss.engine.play_table import OWN_FIELD, PlayTable, fill_positions, make_play_table, number_path
from pitboss.engine.roots import split_roots
from pitboss.games import load_game
from pitboss.kernels.enumeration import map_on_threads
from pitboss.solver_api import SolverProblem


def tabulate_play(game_id: str, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play of a game.

    Raises:
        StrategyError: a view shows other cards than the showdown reads, or two decisions follow one another without a
            card between them.
    """
    game = load_game(game_id)
    return tabulate_census(prepare_census(game, problem, list(game.deck.cards)), problem, progress)


def tabulate_census(census: Census, problem: SolverProblem, progress: ProgressCallback) -> PlayTable:
    """Tabulate the best play with the cards of a census, as ``tabulate_play`` does."""
    census = census._replace(form=census.form._replace(records=True))
    record = _make_record(census)
    tabulate = partial(_tabulate_part, census, problem, record)
    by_choices = [each for _, each in map_on_threads(tabulate, split_roots(len(census.roots), SHARDS), progress)]
    if census.tree.levels[0] == 0:
        _fill_first(census, by_choices, record)
    return record.play


def _tabulate_part(census: Census, problem: SolverProblem, record: PlayRecorder, part: tuple[int, int]) -> Any:
    """Count the boards of a part; return its sums by choice of the first decision."""
    workspace = ("seen", "bases", "kept", "kept_counts")
    own = record._replace(**{name: np.zeros_like(getattr(record, name)) for name in workspace})  # the table is shared
    sums, _ = count_roots(census, problem, *part, own)
    return add_by_class(census, sums)[2]


def _fill_first(census: Census, by_choices: Sequence[Any], record: PlayRecorder) -> None:
    """Write the best actions of a first decision that comes before all public cards."""
    first, actions = value_first(census, np.sum(by_choices, axis=0)), census.game.decisions[0].actions
    best: dict[int, tuple[int, int]] = {}
    for each in first:
        action = next(index for index, one in enumerate(actions) if one.id == each.action)
        if each.cards not in best or each.total > best[each.cards][0]:
            best[each.cards] = each.total, action
    views = np.zeros((len(best), len(record.seen)), np.int64)
    views[:, record.play.own[0]] = list(best)
    fill_positions(views, np.array([action for _, action in best.values()]), 0, 0, record.play)


def _make_record(census: Census) -> PlayRecorder:
    """Make the table and what is needed to write it.

    Raises:
        StrategyError: the positions cannot be told apart by the cards of the showdown.
    """
    game, shape = census.game, census.shape
    action_paths = list_action_paths(shape)
    shown = [_find_shown(census, decision) for decision in range(len(game.decisions))]
    if action_paths is None or None in shown:
        raise StrategyError(
            f"the best play of {game.id} cannot be tabulated by a census: a decision sees other cards than its "
            "showdown, or no new card",
            code="no-best-play",
            game=game.id,
        )
    marks = np.array(shown, np.int64)
    cards = [card for card in range(64) if census.boards.cards >> card & 1]
    own = type(game.rules.view(deal_one_seat(game, cards)))._fields.index(OWN_FIELD)
    sizes = np.zeros(marks.shape[:2], np.int64)
    for group, size in enumerate(census.boards.sizes):
        sizes += size * marks[:, :, group]
    sizes[:, own] = census.form.own
    by_decision: list[list[ActionPath]] = [[] for _ in game.decisions]
    for action_path in action_paths:
        by_decision[len(action_path)].append(action_path)
    play = make_play_table(game, cards, census.boards.exchanges, [row.tolist() for row in sizes], by_decision)
    nodes, exchanges = len(action_paths), len(census.boards.exchanges)
    return PlayRecorder(
        play=play,
        shown=marks,
        decision=np.array([len(action_path) for action_path in action_paths], np.int64),
        paths=np.array([number_path(game, action_path) for action_path in action_paths], np.int64),
        seen=np.zeros(marks.shape[1], np.int64),
        bases=np.zeros(nodes, np.int64),
        kept=np.zeros((nodes, exchanges), np.int64),
        kept_counts=np.zeros(nodes, np.int64),
    )


def _find_shown(census: Census, decision: int) -> list[list[int]] | None:
    """Return which public groups each field of the view shows at a decision.

    Return None if it shows others, or not the seat's hand alone in its field.
    """
    game, shape = census.game, census.shape
    path = next((end.actions for end in shape.endings if end.actions[decision] is not None), ())
    deck = shuffle_cards([card for card in range(64) if census.boards.cards >> card & 1], seeded_bits(0))
    view = game.rules.view(follow_actions(game, deck, path[:decision] or (None,) * decision))
    public = [group for groups in shape.public for group in groups]
    held = {group: sum(1 << deck[place] for place in shape.groups[group].places) for group in (shape.own, *public)}
    marks, own = [[int(bool(cards & held[group])) for group in public] for cards in view], held[shape.own]
    if not path:
        return [[0] * len(public)] * len(view)
    told = [sum(held[group] for group, mark in zip(public, row, strict=True) if mark) for row in marks]
    whole = [cards | (own if field == OWN_FIELD else 0) for field, cards in zip(view._fields, told, strict=True)]
    return marks if list(view) == whole and told[view._fields.index(OWN_FIELD)] == 0 else None
