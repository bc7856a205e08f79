"""The exact solution of Lunar Poker's main wager, solved in shards.

There is one shard for each rank of the exposed card; ``combine_shards`` adds them up over all deals.

A deal is a first five, the exposed card, five cards to draw, the dealer's hidden four and a card for Force to turn:
52 C(51, 5) C(46, 5) C(41, 4) 37, which is 6.27e20.  Each is counted ten times, so that a path of four cards exchanged
counts in whole numbers.
"""

import json
from collections.abc import Sequence
from typing import Any

from pitboss.cards import SUIT_COUNT
from pitboss.games.lunar.outcomes import FIRST_PATH, FOLD, list_main_outcomes
from pitboss.games.lunar.solver.bundled import BUNDLED
from pitboss.games.lunar.solver.census import solve_exposed_card
from pitboss.games.lunar.solver.policy_table import check_ranks_decide
from pitboss.games.lunar.solver.strategy_follower import follow_strategy
from pitboss.solver_api import Solution, SolverProblem

SHARD_NAMES = tuple("23456789TJQKA")

_ACTION_NAMES = ("fold", "play", "buy", "exchange-2", "exchange-3", "exchange-4", "exchange-5")


def list_shards(_problem: SolverProblem) -> tuple[str, ...]:
    """Return the names of the shards: the ranks of the exposed card."""
    return SHARD_NAMES


def solve_shard(problem: SolverProblem, name: str) -> str:
    """Solve one exposed card, follow a strategy with it, or take the bundled result.

    Raises:
        ValueError: the problem has side wagers; nets that cannot be counted (``solve_exposed_card``); a strategy that
            depends on more than it may after a draw (``policy_table``), or takes an action that the rules do not allow.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Lunar Poker depends on the play: leave out stakes")
    bundled = BUNDLED.find_shard(problem, name)
    return json.dumps(bundled) if bundled else solve_unbundled(problem, name)


def solve_unbundled(problem: SolverProblem, name: str) -> str:
    """Solve or follow a shard without looking at the bundled results."""
    setup = SHARD_NAMES.index(name), problem.options, problem.nets
    if problem.strategy is None:
        return json.dumps(solve_exposed_card(*setup))
    check_ranks_decide(problem.strategy, problem.options)
    return json.dumps(follow_strategy(problem.strategy, *setup))


def combine_shards(_problem: SolverProblem, results: Sequence[str]) -> Solution:
    """Add up the shards; each exposed card has four suits.

    Equal values are reported for first decisions only.  Later decisions are tallied by the thousand, with all that is
    worth no more than a fold: none is examined alone.
    """
    shards: list[dict[str, Any]] = [json.loads(result) for result in results]
    counts = tuple(SUIT_COUNT * sum(column) for column in zip(*(each["counts"] for each in shards), strict=True))
    taken = [
        SUIT_COUNT * sum(each["taken"][place] * each["deals"] for each in shards) for place in range(len(_ACTION_NAMES))
    ]
    names = [outcome.name for outcome in list_main_outcomes()]
    forced = sum(deals for name, deals in zip(names, counts, strict=True) if "-force-" in name)
    actions = dict(zip(_ACTION_NAMES, taken, strict=True))
    actions |= {"fold-after-draw": sum(counts[FOLD + 1 : FIRST_PATH]), "force": forced}
    return Solution(counts, actions, sum(each["equal"] for each in shards), equal_first_only=True)
