"""Replay the deal and the first steps of a path by the rules."""

from functools import cache
from typing import Any

from pitboss.contract import Game, RuleFunction
from pitboss.engine.paths import find_opening
from pitboss.engine.walk_state import DRAWN, GIVEN, TAKEN, WalkInput, WalkState
from pitboss.kernels.compile import inlined_helper


def get_opening(game: Game, decision: int) -> RuleFunction:
    """Return the rule that opens the dealer's hand before a decision, if one does."""
    return game.rules.show_dealer if find_opening(game) == decision else keep_closed


@inlined_helper
def keep_closed(state: Any) -> Any:
    """Stand in for the opening of the dealer's hand where it is not opened."""
    return state


@cache
def build_replay(game: Game) -> RuleFunction:
    """Build the function that replays the deal and the first steps of a path.

    ``replay(walk_input, walk, steps) -> state``

    The dealer's hand is open if that happened before the last of these steps.
    """
    rules, opening = game.rules, find_opening(game)
    deal, act, receive_draw, show_dealer = rules.deal, rules.act, rules.receive_draw, rules.show_dealer

    @inlined_helper
    def replay(walk_input: WalkInput, walk: WalkState, steps: int) -> Any:
        state = deal(walk.deck, 1, 0, walk_input.wagered)
        for step in range(steps):
            if step == opening:
                state = show_dealer(state)
            if walk.path[step, TAKEN] >= 0:
                state = act(state, step, walk.path[step, TAKEN], walk.path[step, GIVEN])
            if walk.path[step, DRAWN]:
                state = receive_draw(state, walk.path[step, DRAWN])
        return state

    return replay
