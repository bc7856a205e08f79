"""Solve a written strategy by a census: what it wins, and what its mistakes cost."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.core.errors import WagerError
from pitboss.engine.census import Census, add_by_class, count_roots, iter_first_choices
from pitboss.engine.census_follow import FOLLOWS, REVIEWS, FollowedStrategy
from pitboss.engine.census_limits import NO_NEW_CARD
from pitboss.engine.decision_names import list_action_paths
from pitboss.engine.mistakes import MistakeRow, iter_rows
from pitboss.engine.paths import ActionPath, follow_actions
from pitboss.engine.places import clear_cards
from pitboss.engine.rule_errors import make_illegal_choice_error
from pitboss.engine.walk_state import CATEGORIES, find_category
from pitboss.hands import load_hand_tables
from pitboss.solver_api import SolverProblem, Strategy


def follow_roots(census: Census, problem: SolverProblem, start: int, stop: int) -> list[Any]:
    """Count the boards under some roots by a strategy's play.

    Return what ``add_by_class`` does, then the rows of mistakes, and the sums of each first choice with the best play
    after it.

    Raises:
        WagerError: two decisions follow one another without a public card between them.
        StrategyError: the strategy takes an action that is not legal.
    """
    by_play, strategy = [], _require_strategy(problem)
    for plays in (FOLLOWS, REVIEWS):
        follow = _make_follow(census, problem)
        playing = census._replace(form=census.form._replace(plays=plays))
        sums, _ = count_roots(playing, problem, start, stop, follow=follow)
        if follow.fault[0]:
            raise make_illegal_choice_error(census.game, strategy, int(follow.fault[0]) - 1)
        by_play.append((add_by_class(census, sums), follow))
    (followed, _), (best, follow) = by_play
    return [*followed, list(iter_rows(follow.mistakes)), best[2]]


def _require_strategy(problem: SolverProblem) -> Strategy:
    if problem.strategy is None:
        raise ValueError("the problem has no strategy")
    return problem.strategy


def _make_follow(census: Census, problem: SolverProblem) -> FollowedStrategy:
    """Make what a census needs to ask the strategy at each node."""
    game, shape, action_paths = census.game, census.shape, list_action_paths(census.shape)
    strategy = _require_strategy(problem)
    if action_paths is None:
        raise WagerError(
            f"a strategy cannot be followed in {game.id}: {NO_NEW_CARD}",
            code="strategy-not-followed",
            game=game.id,
        )
    public = [(stage, group) for stage, groups in enumerate(shape.public) for group in groups]
    parents = [_find_parent(action_paths, name) for name in action_paths]
    states = [follow_actions(game, game.deck.cards, name) for name in action_paths]
    most = max(len(decision.actions) for decision in game.decisions)
    return FollowedStrategy(
        numbers=tuple(strategy.numbers),
        decision=np.array([len(name) for name in action_paths], np.int64),
        parents=np.array([-1 if each is None else action_paths.index(each) for each in parents], np.int64),
        taken=np.array(
            [-1 if each is None else name[len(each)] for each, name in zip(parents, action_paths, strict=True)],
            np.int64,
        ),
        bases=np.array([clear_cards(shape.groups, state) for state in states], np.int64),
        known=np.array([[stage <= len(name) for stage, _ in public] for name in action_paths], np.int64).reshape(
            len(action_paths), len(public)
        ),
        fields=np.zeros(census.form.fields, np.int64),
        mistakes=np.zeros((len(game.decisions), most, most, CATEGORIES, 2), np.int64),
        fault=np.zeros(1, np.int64),
    )


def _find_parent(action_paths: Sequence[ActionPath], name: ActionPath) -> ActionPath | None:
    """Return the decision before another, None for the first."""
    before = (other for other in action_paths if len(other) < len(name) and other == name[: len(other)])
    return max(before, key=len, default=None)


def follow_first(
    census: Census, problem: SolverProblem, by_choice: Any, best_after: Any
) -> tuple[Any, list[MistakeRow]]:
    """Take the strategy's first action where it comes before all public cards.

    Return the sums of what it chose, and the mistakes made.
    """
    game, strategy, own = census.game, _require_strategy(problem), census.shape.groups[census.shape.own].fields
    tables, rows, chosen = load_hand_tables(), list[MistakeRow](), 0
    state = clear_cards(census.shape.groups, follow_actions(game, game.deck.cards, ()))
    followed = np.array(by_choice, object)
    for of_class, (cards, choices) in enumerate(iter_first_choices(census, best_after)):
        at = state._replace(**dict.fromkeys(own, cards))
        action, given = strategy.choose(tables, game.rules.view(at), 0, strategy.numbers, problem.options)
        taken = next((each for each in choices if each.action == action), None)
        if taken is None or given:
            raise make_illegal_choice_error(game, strategy, 0)
        best = max(choices, key=lambda each: each.total)
        chosen = chosen + followed[taken.choice, of_class]
        if taken.total < best.total:
            category = find_category(game.rules.evaluate_hands(tables, at, problem.options)[0])
            rows.append((0, action, best.action, category, taken.deals, best.total - taken.total))
    return chosen, rows
