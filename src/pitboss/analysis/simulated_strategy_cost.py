"""Simulate where a strategy errs and what that costs, for games whose mistakes cannot be counted over every deal.

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

from pitboss.analysis.solutions import build_problem, load_solver
from pitboss.analysis.strategy_cost import PricedMistake
from pitboss.builders import display_name
from pitboss.cards import make_mask, seeded_bits, shuffle_deck
from pitboss.contract import NO_DECISION, Game, PayTable
from pitboss.core.cache import get_or_make_text
from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.hands import get_category_name, load_hand_tables
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ActionValue, SolverProblem, Strategy, get_solver_module
from pitboss.strategies import load_strategies

_SEED = 1
_MAX_MISTAKES = 12


class ObservedMistake(NamedTuple):
    """An action ``taken`` where ``best`` was better, the sort of hand, and the cost in the solver's units."""

    taken: str
    best: str
    hand: str
    cost: Fraction


@dataclass(frozen=True, slots=True)
class SimulatedStrategyCost:
    """The estimated cost of a strategy per Ante of a round, from ``rounds`` rounds, with its standard error."""

    strategy: Strategy
    rounds: int
    cost: Fraction
    standard_error: float
    mistakes: tuple[PricedMistake, ...]


def get_simulated_rounds(game: Game) -> int:
    """Return the number of rounds to simulate for the mistakes of a game's strategies; 0 where they are counted."""
    return int(getattr(load_solver(game), "SIMULATED_ROUNDS", 0))


def simulate_strategy_costs(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], rounds: int, progress: ProgressCallback
) -> tuple[SimulatedStrategyCost, ...]:
    """Return the costs of the game's strategies, all followed in the same rounds: bundled, cached or simulated now.

    ``rounds`` is two or more.
    """
    strategies, load_bundled = load_strategies(game), getattr(load_solver(game), "load_bundled_mistakes", None)
    scaled = build_problem(game, paytables, options)
    key_parts = [sorted(options.items()), scaled.problem.nets, [[each.id, each.numbers] for each in strategies], rounds]
    digest = sha256(json.dumps(key_parts).encode()).hexdigest()[:16]
    source = hash_sources(
        __name__, get_solver_module(game), *collect_modules(game.rules, [each.choose for each in strategies])
    )

    def simulate() -> str:
        return json.dumps(_simulate_mistakes(game, scaled.problem, strategies, rounds, progress))

    rounds_mistakes = load_bundled(scaled.problem, strategies, rounds) if load_bundled else None
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
    """Follow each strategy in the same rounds, and return for each strategy the mistakes of each round."""
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
    """Deal a round of one seat, follow the strategy to the end, and return its mistakes.

    ``value_cache`` holds the values of actions by position, for other strategies in the same round.
    """
    rules, tables, options = game.rules, load_hand_tables(), problem.options
    hint = load_solver(game).hint
    state, dealt, mistakes = rules.deal(deck, 1, 0, 1), rules.count_dealt(1), list[ObservedMistake]()
    while True:
        draw_count = rules.count_draws(tables, state, options)
        if draw_count:
            state = rules.receive_draw(state, make_mask(deck[dealt : dealt + draw_count]))
            dealt += draw_count
        decision_index = rules.next_decision(tables, state, options)
        if decision_index == NO_DECISION:
            if rules.show_dealer(state) == state:
                return mistakes
            state = rules.show_dealer(state)
            continue
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
        state = rules.act(state, decision_index, action, cards)


def _parse_mistake(words: Sequence[str]) -> ObservedMistake:
    taken, best, hand, cost = words
    return ObservedMistake(taken, best, hand, Fraction(cost))


def _summarize(strategy: Strategy, rounds: Sequence[Sequence[ObservedMistake]], unit: int) -> SimulatedStrategyCost:
    """Compute the mean cost of a round and its standard error, per Ante, and merge mistakes of one sort."""
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
    """Return the mean cost of a round and its standard error; rounds that are not among ``costs`` cost nothing."""
    mean = sum(costs, Fraction()) / rounds
    squares = sum((cost * cost for cost in costs), Fraction())
    return mean, sqrt((squares - rounds * mean * mean) / (rounds - 1) / rounds)


def simulated_cost_as_json(simulated_cost: SimulatedStrategyCost) -> dict[str, Any]:
    """Return the mistakes with their names in JSON; ``simulated`` has the rounds and the total cost."""
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
    """Return the path of a game's bundled mistakes and the text that the file should have; None for none.

    The mistakes are simulated again under the default options and pay tables.
    """
    solver, strategies, rounds = load_solver(game), load_strategies(game), get_simulated_rounds(game)
    if not hasattr(solver, "mistakes_text"):
        return None
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    mistakes = _simulate_mistakes(game, problem, strategies, rounds, progress)
    return solver.MISTAKES_PATH, solver.mistakes_text(problem, strategies, rounds, mistakes, made_by)
