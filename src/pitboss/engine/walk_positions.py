"""Compile the values of positions that somebody else gives."""

from functools import cache
from typing import Any

from pitboss.contract import Game, RuleFunction
from pitboss.engine.replay import build_replay, get_opening
from pitboss.engine.unknown_cards import count_spare, write_deck
from pitboss.engine.walk import build_walk_draws, build_walk_from
from pitboss.engine.walk_state import GIVEN, NOTHING, TAKEN, WalkData
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset


@cache
def build_action_kernel(game: Game, decision: int) -> RuleFunction:
    """Compile the walk from an action of the decision ``decision`` on.

    The action is in the path already.

    ``walk_action(data, scale) -> value``
    """
    walk_draws = build_walk_draws(game, decision, build_walk_from(game, decision + 1))

    @kernel
    def walk_action(data: WalkData, scale: int) -> Any:
        return walk_draws(data, scale, 0)

    return walk_action


@cache
def build_position_kernel(game: Game, decision: int) -> RuleFunction:
    """Compile the best action at each of many positions of a decision.

    ``decide(data, scale, rows, views, actions)``: ``rows`` has the cards of each group by position (0 for unknown), and
    the path of ``data.walk`` the actions before.  The views and the actions found are written, ``NOTHING`` where the
    decision is not asked.  No action gives up cards.
    """
    walk_draws, replay = build_walk_draws(game, decision, build_walk_from(game, decision + 1)), build_replay(game)
    view, next_decision, legal_actions = game.rules.view, game.rules.next_decision, game.rules.legal_actions
    show_dealer = get_opening(game, decision)

    @kernel
    def decide(data: WalkData, scale: int, rows: IntArray, views: IntArray, actions: IntArray) -> None:
        tables, options, walk_input, walk = data.tables, data.options, data.walk_input, data.walk
        for row in range(len(rows)):
            for group in range(len(walk.held)):
                walk.held[group] = rows[row, group]
            write_deck(walk_input, data.places, walk)
            state = show_dealer(replay(walk_input, walk, decision))
            seat_view = view(state)
            for field, cards in enumerate(seat_view):
                views[row, field] = cards
            if next_decision(tables, state, options) != decision:
                continue
            allowed = legal_actions(tables, seat_view, decision, count_spare(walk_input, walk, decision), options)
            best = 0
            for action in walk_input.order[decision]:
                if action >= 0 and allowed >> action & 1:
                    walk.path[decision, TAKEN] = action
                    value = walk_draws(data, scale, 0)
                    if actions[row] == NOTHING or value > best:
                        best, actions[row] = value, action
            walk.path[decision, TAKEN] = NOTHING

    return decide


@cache
def build_choice_kernel(game: Game) -> RuleFunction:
    """Compile the value of every choice of the first decision, root by root.

    ``value_choices(data, roots, scale, values)``

    ``values[root]`` gets the value of each action with each choice of cards, in the order of the actions, times
    ``scale``; the least number for those that are not legal.  At a root where nothing is asked, all have its value.
    """
    walk_draws, replay = build_walk_draws(game, 0, build_walk_from(game, 1)), build_replay(game)
    view, next_decision, legal_actions = game.rules.view, game.rules.next_decision, game.rules.legal_actions
    show_dealer = get_opening(game, 0)

    @kernel
    def value_choices(data: WalkData, roots: IntArray, scale: int, values: IntArray) -> None:
        tables, options, walk_input, walk = data.tables, data.options, data.walk_input, data.walk
        for root in range(len(roots)):
            for group in range(len(walk.held)):
                walk.held[group] = roots[root, group]
            write_deck(walk_input, data.places, walk)
            state = show_dealer(replay(walk_input, walk, 0))
            seat_view = view(state)
            asks = next_decision(tables, state, options) == 0
            allowed = legal_actions(tables, seat_view, 0, walk_input.spare, options) if asks else 1
            action, cards = 0, 0
            for choice in range(values.shape[1]):
                cards = cards or first_subset(seat_view.player, walk_input.discards[0, action])
                if allowed >> action & 1:
                    walk.path[0, TAKEN], walk.path[0, GIVEN] = (action, cards) if asks else (NOTHING, 0)
                    values[root, choice] = walk_draws(data, scale, 0)
                    if asks == 0:
                        values[root, :] = values[root, choice]
                        break
                cards = next_subset(seat_view.player, cards) if cards else 0
                action += 1 if cards == 0 else 0
            walk.path[0, TAKEN], walk.path[0, GIVEN] = NOTHING, 0

    return value_choices
