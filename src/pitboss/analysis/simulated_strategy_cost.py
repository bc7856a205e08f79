"""Simulated mistakes of strategies, and what they cost.

This is for games whose mistakes cannot be counted over every deal.

Rounds are dealt and the strategy is followed.  Each of its actions is valued exactly (``hint``): an action costs the
difference between its value and that of the best action there.  On average the costs of a round add up to what the
strategy loses against the best play (S. Kakade and J. Langford, "Approximately optimal approximate reinforcement
learning", 2002, lemma 6.1).  This leaves out most of the chance of the cards, so few rounds are enough.  Each mistake
is certain; its frequency, and so its cost, has a standard error.

``python -m pitboss.bundle`` simulates the mistakes of a game's strategies for the files bundled with its solver.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.analysis.single_round import ActionChoice, play_round
from pitboss.analysis.solutions import build_problem
from pitboss.analysis.strategy_cost import PricedMistake
from pitboss.builders import display_name
from pitboss.cards import seeded_bits, shuffle_deck
from pitboss.contract import Game, PayTable
from pitboss.core.cache import get_or_make_text
from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.engine.solver_lookup import find_solver
from pitboss.hands import get_category_name, load_hand_tables
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import (
    ActionValue,
    SolverProblem,
    Strategy,
    get_hint_function,
    get_solver_module,
)
from pitboss.strategies import load_strategies

_SEED = 1
_MAX_MISTAKES = 12


class ObservedMistake(NamedTuple):
    """An action ``taken`` where ``best`` was better, and its cost.

    ``hand`` is the sort of hand.  The cost is in the solver's units.
    """

    taken: str
    best: str
    hand: str
    cost: Fraction


@dataclass(frozen=True, slots=True)
class SimulatedStrategyCost:
    """The estimated cost of a strategy per Ante of a round.

    It is simulated in ``rounds`` rounds, so it has a standard error.
    """

    strategy: Strategy
    rounds: int
    cost: Fraction
    standard_error: float
    mistakes: tuple[PricedMistake, ...]


def get_simulated_rounds(game: Game) -> int:
    """Return how many rounds to simulate for the mistakes of strategies.

    It is 0 where the mistakes are counted over every deal.
    """
    return find_solver(game).simulated_rounds


def simulate_strategy_costs(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], rounds: int, progress: ProgressCallback
) -> tuple[SimulatedStrategyCost, ...]:
    """Return the costs of strategies: bundled, cached or simulated now.

    All strategies of the game are followed in the same rounds, two or more.
    """
    strategies, bundled = load_strategies(game), find_solver(game).bundled_mistakes
    scaled = build_problem(game, paytables, options)
    key_parts = [sorted(options.items()), scaled.problem.nets, [[each.id, each.numbers] for each in strategies], rounds]
    digest = sha256(json.dumps(key_parts).encode()).hexdigest()[:16]
    source = hash_sources(
        __name__, get_solver_module(game), *collect_modules(game.rules, [each.choose for each in strategies])
    )

    def simulate() -> str:
        return json.dumps(_simulate_mistakes(game, scaled.problem, strategies, rounds, progress))

    rounds_mistakes = bundled.load(scaled.problem, strategies, rounds) if bundled else None
    rounds_mistakes = rounds_mistakes or json.loads(
        get_or_make_text(f"simulated/{game.id}.{digest}.{source}.json", simulate)
    )
    return tuple(
        _summarize(strategy, [[_parse_mistake(each) for each in errors] for errors in strategy_rounds], scaled.unit)
        for strategy, strategy_rounds in zip(strategies, rounds_mistakes, strict=True)
    )


def _simulate_mistakes(
    game: Game, problem: SolverProblem, followed_strategies: Sequence[Strategy], rounds: int, progress: ProgressCallback
) -> list[list[list[tuple[str, str, str, str]]]]:
    """Follow each strategy in the same rounds, and return its mistakes by round."""
    bits, mistakes = seeded_bits(_SEED), [list[Any]() for _ in followed_strategies]
    for done in range(rounds):
        deck, value_cache = shuffle_deck(game.deck, bits), dict[Any, tuple[ActionValue, ...]]()
        for strategy, strategy_rounds in zip(followed_strategies, mistakes, strict=True):
            errors = find_mistakes(game, problem, strategy, deck, value_cache)
            strategy_rounds.append([(*each[:3], str(each.cost)) for each in errors])
        progress(done + 1, rounds)
    return mistakes


def find_mistakes(
    game: Game,
    problem: SolverProblem,
    strategy: Strategy,
    deck: Sequence[int],
    value_cache: dict[Any, tuple[ActionValue, ...]],
) -> list[ObservedMistake]:
    """Deal a round of one seat, follow the strategy, and return its mistakes.

    ``value_cache`` holds the values of actions by position, for other strategies in the same round.
    """
    rules, tables, options = game.rules, load_hand_tables(), problem.options
    hint, mistakes = get_hint_function(game, find_solver(game)), list[ObservedMistake]()

    def follow(state: Any, decision_index: int) -> ActionChoice:
        view = rules.view(state)
        if (view, decision_index) not in value_cache:
            value_cache[view, decision_index] = hint(problem, view, decision_index, lambda _done, _total: None)
        action, cards = strategy.choose(tables, view, decision_index, strategy.numbers, options)
        taken = game.decisions[decision_index].actions[action].id
        best = max(value_cache[view, decision_index], key=lambda each: each.value)
        (value,) = (
            each.value for each in value_cache[view, decision_index] if (each.action, each.cards) == (taken, cards)
        )
        if value < best.value:
            hand = display_name(get_category_name(rules.evaluate_hands(tables, state, options)[0]))
            mistakes.append(ObservedMistake(taken, best.action, hand, best.value - value))
        return action, cards

    play_round(game, deck, options, follow)
    return mistakes


def _parse_mistake(words: Sequence[str]) -> ObservedMistake:
    taken, best, hand, cost = words
    return ObservedMistake(taken, best, hand, Fraction(cost))


def _summarize(strategy: Strategy, rounds: Sequence[Sequence[ObservedMistake]], unit: int) -> SimulatedStrategyCost:
    """Compute the mean cost of a round, and merge mistakes of one sort.

    The cost and its standard error are per Ante.
    """
    cost, error = _compute_mean(
        [sum((each.cost for each in errors), Fraction()) / unit for errors in rounds], len(rounds)
    )
    costs_by_sort: dict[tuple[str, str, str], list[Fraction]] = defaultdict(list)
    for errors in rounds:
        for each in errors:
            # No action is taken twice in a round, so each sort occurs at most once.
            costs_by_sort[each[:3]].append(each.cost / unit)
    mistakes = [
        PricedMistake(*sort, len(costs), Fraction(len(costs), len(rounds)), *_compute_mean(costs, len(rounds)))
        for sort, costs in costs_by_sort.items()
    ]
    mistakes.sort(key=lambda each: -each.cost)
    return SimulatedStrategyCost(strategy, len(rounds), cost, error, tuple(mistakes[:_MAX_MISTAKES]))


def _compute_mean(costs: Sequence[Fraction], rounds: int) -> tuple[Fraction, float]:
    """Return the mean cost of a round and its standard error.

    Rounds that are not among ``costs`` cost nothing.
    """
    mean = sum(costs, Fraction()) / rounds
    squares = sum((cost * cost for cost in costs), Fraction())
    return mean, sqrt((squares - rounds * mean * mean) / (rounds - 1) / rounds)


def simulated_cost_as_json(simulated_cost: SimulatedStrategyCost) -> dict[str, Any]:
    """Return the mistakes with their names in JSON.

    ``simulated`` has the rounds and the total cost.
    """
    return {
        "simulated": {
            "rounds": simulated_cost.rounds,
            "cost": float(simulated_cost.cost),
            "standard_error": simulated_cost.standard_error,
        },
        "mistakes": [
            {
                "taken": each.taken,
                "best": each.best,
                "hand": each.hand,
                "rounds": each.deals,
                "frequency": float(each.frequency),
                "cost": float(each.cost),
                "standard_error": each.standard_error,
            }
            for each in simulated_cost.mistakes
        ],
    }


def rebuild_mistakes(game: Game, made_by: str, progress: ProgressCallback) -> tuple[Path, str] | None:
    """Return the path and text of a game's bundled mistakes, None if it has none.

    The mistakes are simulated again under the default options and pay tables.
    """
    solver, strategies = find_solver(game), load_strategies(game)
    if not solver.bundled_mistakes:
        return None
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    mistakes = _simulate_mistakes(game, problem, strategies, solver.simulated_rounds, progress)
    text = solver.bundled_mistakes.format(problem, strategies, solver.simulated_rounds, mistakes, made_by)
    return solver.bundled_mistakes.path, text
