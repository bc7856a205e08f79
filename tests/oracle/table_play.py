"""Play every deal of a small deck by a table of positions, with the interpreted rules."""

from collections.abc import Sequence
from typing import Any

from oracle.whole_deals import WholeDeals
from pitboss.contract import Game
from pitboss.engine.play_table import PlayTable, choose_from_table
from pitboss.hands import load_hand_tables
from pitboss.solver_api import SolverProblem


def play_by_table(game: Game, problem: SolverProblem, cards: Sequence[int], play: PlayTable) -> int:
    """Return what main nets over all deals, each counted as often as the oracle counts it."""
    whole = WholeDeals(game, problem, cards)
    return sum(world.weight * problem.nets[play_deal(whole, world.state, play)] for world in whole.deal())


def play_deal(whole: WholeDeals, state: Any, play: PlayTable) -> int:
    """Return the outcome of main in one deal."""
    rules, tables, options, path = whole.rules, load_hand_tables(), whole.problem.options, 0
    for asked, decision in enumerate(whole.game.decisions):
        state, digit = rules.show_dealer(state) if asked == whole.opening else state, 0
        if rules.next_decision(tables, state, options) == asked:
            action, _ = choose_from_table(tables, rules.view(state), asked, path, play, options)
            assert rules.legal_actions(tables, rules.view(state), asked, 0, options) >> action & 1
            state, digit = rules.act(state, asked, action, 0), action + 1
        path = path * (len(decision.actions) + 1) + digit
    state = rules.show_dealer(state) if whole.opening == len(whole.game.decisions) else state
    return int(rules.settle(tables, state, options)[0])
