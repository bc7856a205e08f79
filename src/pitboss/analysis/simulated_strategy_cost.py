"""Where a strategy errs, and what that costs, simulated: for games that cannot tell it apart over every deal.

Rounds are dealt and the strategy is followed.  Whatever it does is valued exactly (``hint``): it costs what the action
taken is worth less than the best one there, and the costs of a round add up to what it loses, on average, against the
best play (S. Kakade and J. Langford, "Approximately optimal approximate reinforcement learning", 2002, lemma 6.1).  So
the chance of the cards is all but left out, and few rounds tell much.  That a mistake is one is certain then; how often
it is made, and so its cost, has a standard error.

    python -m pitboss.analysis.simulated_strategy_cost lunar

simulates the mistakes of a game's strategies and lands them in the package, beside its solver.
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
    """An action ``taken`` where ``best`` was better, with what sort of hand, and what that costs, in units."""

    taken: str
    best: str
    hand: str
    cost: Fraction


@dataclass(frozen=True, slots=True)
class SimulatedStrategyCost:
    """A strategy and what it costs per Ante of a round, estimated: so many rounds, with this standard error."""

    strategy: Strategy
    rounds: int
    cost: Fraction
    standard_error: float
    mistakes: tuple[PricedMistake, ...]


def get_simulated_rounds(game: Game) -> int:
    """Return over how many rounds the mistakes of the game's strategies are simulated; 0 where they are counted."""
    return int(getattr(load_solver(game), "SIMULATED_ROUNDS", 0))


def simulate_strategy_costs(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], rounds: int, progress: ProgressCallback
) -> tuple[SimulatedStrategyCost, ...]:
    """Return what the game's strategies cost, all followed in the same rounds, as it was landed, or else and keep it.

    ``rounds`` is two or more.
    """
    written, landed = load_strategies(game), getattr(load_solver(game), "landed_mistakes", None)
    asked = build_problem(game, paytables, options)
    decided = [sorted(options.items()), asked.problem.nets, [[each.id, each.numbers] for each in written], rounds]
    digest = sha256(json.dumps(decided).encode()).hexdigest()[:16]
    source = hash_sources(
        __name__, get_solver_module(game), *collect_modules(game.rules, [each.choose for each in written])
    )

    def simulated() -> str:
        return json.dumps(_simulate_mistakes(game, asked.problem, written, rounds, progress))

    kept = landed(asked.problem, written, rounds) if landed else None
    kept = kept or json.loads(get_or_make_text(f"simulated/{game.id}.{digest}.{source}.json", simulated))
    return tuple(
        _summarize(strategy, [[_parse_mistake(each) for each in errors] for errors in found], asked.unit)
        for strategy, found in zip(written, kept, strict=True)
    )


def _simulate_mistakes(
    game: Game, problem: SolverProblem, followed_strategies: Sequence[Strategy], rounds: int, progress: ProgressCallback
) -> list[list[list[tuple[str, str, str, str]]]]:
    """Follow each strategy in the same rounds, and return for each the errors of each round."""
    bits, found = seeded_bits(_SEED), [list[Any]() for _ in followed_strategies]
    for done in range(rounds):
        deck, valued = shuffle_deck(game.deck, bits), dict[Any, tuple[ActionValue, ...]]()
        for strategy, of_rounds in zip(followed_strategies, found, strict=True):
            errors = find_mistakes(game, problem, strategy, deck, valued)
            of_rounds.append([(*each[:3], str(each.cost)) for each in errors])
        progress(done + 1, rounds)
    return found


def find_mistakes(
    game: Game,
    problem: SolverProblem,
    strategy: Strategy,
    deck: Sequence[int],
    value_cache: dict[Any, tuple[ActionValue, ...]],
) -> list[ObservedMistake]:
    """Deal a round of one seat, follow the strategy to its end, and return where it errs.

    ``value_cache`` remembers what actions are worth by position, for other strategies in the same round.
    """
    rules, tables, options = game.rules, load_hand_tables(), problem.options
    hint = load_solver(game).hint
    state, dealt, errors = rules.deal(deck, 1, 0, 1), rules.count_dealt(1), list[ObservedMistake]()
    while True:
        owed = rules.count_draws(tables, state, options)
        if owed:
            state = rules.receive_draw(state, make_mask(deck[dealt : dealt + owed]))
            dealt += owed
        asked = rules.next_decision(tables, state, options)
        if asked == NO_DECISION:
            if rules.show_dealer(state) == state:
                return errors
            state = rules.show_dealer(state)
            continue
        view = rules.view(state)
        if (view, asked) not in value_cache:
            value_cache[view, asked] = hint(problem, view, asked, lambda _done, _total: None)
        action, cards = strategy.choose(tables, view, asked, strategy.numbers, options)
        taken = game.decisions[asked].actions[action].id
        best = max(value_cache[view, asked], key=lambda each: each.value)
        (value,) = (each.value for each in value_cache[view, asked] if (each.action, each.cards) == (taken, cards))
        if value < best.value:
            hand = display_name(get_category_name(rules.evaluate_hands(tables, state, options)[0]))
            errors.append(ObservedMistake(taken, best.action, hand, best.value - value))
        state = rules.act(state, asked, action, cards)


def _parse_mistake(words: Sequence[str]) -> ObservedMistake:
    taken, best, hand, cost = words
    return ObservedMistake(taken, best, hand, Fraction(cost))


def _summarize(strategy: Strategy, rounds: Sequence[Sequence[ObservedMistake]], unit: int) -> SimulatedStrategyCost:
    """Return the mean of the costs of rounds and its standard error, per Ante, and the errors of one sort together."""
    cost, error = _compute_mean(
        [sum((each.cost for each in errors), Fraction()) / unit for errors in rounds], len(rounds)
    )
    alike: dict[tuple[str, str, str], list[Fraction]] = defaultdict(list)
    for errors in rounds:
        for each in errors:
            # No action is taken twice in a round, so no sort is.
            alike[each[:3]].append(each.cost / unit)
    mistakes = [
        PricedMistake(*sort, len(found), Fraction(len(found), len(rounds)), *_compute_mean(found, len(rounds)))
        for sort, found in alike.items()
    ]
    mistakes.sort(key=lambda each: -each.cost)
    return SimulatedStrategyCost(strategy, len(rounds), cost, error, tuple(mistakes[:_MAX_MISTAKES]))


def _compute_mean(costs: Sequence[Fraction], rounds: int) -> tuple[Fraction, float]:
    """Return the mean cost of rounds and its standard error; rounds that are not among ``costs`` cost nothing."""
    mean = sum(costs, Fraction()) / rounds
    squares = sum((cost * cost for cost in costs), Fraction())
    return mean, sqrt((squares - rounds * mean * mean) / (rounds - 1) / rounds)


def simulated_cost_as_json(simulated_cost: SimulatedStrategyCost) -> dict[str, Any]:
    """Return mistakes as INTERFACE writes figures, and as ``simulated`` over how many rounds and what they add to."""
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
    """Return the bundled file of where a game's strategies err and the text that it should have; None for none.

    They are simulated anew under the default options and pay tables.
    """
    solver, written, rounds = load_solver(game), load_strategies(game), get_simulated_rounds(game)
    if not hasattr(solver, "mistakes_text"):
        return None
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    found = _simulate_mistakes(game, problem, written, rounds, progress)
    return solver.MISTAKES_PATH, solver.mistakes_text(problem, written, rounds, found, made_by)
