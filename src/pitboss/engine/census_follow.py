"""Follow a strategy through a census, and say what its mistakes cost.

A census that *follows* takes the strategy's action at each position, so its sums are those of the strategy.  One that
*reviews* plays best, and compares the strategy's action with the best one wherever the strategy comes to: what follows
either is then the best play, so that the costs of all mistakes add up to the strategy's.
"""

from typing import Any, NamedTuple

from pitboss.contract import Game, RuleFunction
from pitboss.engine.census_hands import build_make_state
from pitboss.engine.census_types import KernelShape
from pitboss.engine.walk_state import find_category
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray

BEST, FOLLOWS, REVIEWS = range(3)
"""What a census plays: the best, what a strategy says, or the best with the strategy's mistakes noted."""


class FollowedStrategy(NamedTuple):
    """The strategy that a census follows, and the mistakes it finds in it.

    For each node: ``decision`` is its decision, ``parents`` the node before, -1 for the root, from which the action
    ``taken`` leads here; ``bases[node, field]`` is a state there without cards, and ``known[node, group]`` marks the
    public groups that are seen.  ``numbers`` are the strategy's, ``fields`` is for a state.
    ``mistakes[decision, taken, best, category of the hand]`` has deals and cost.  ``fault[0]`` is 1 more than a
    decision at which the strategy took an action that is not legal.
    """

    numbers: Any
    decision: IntArray
    parents: IntArray
    taken: IntArray
    bases: IntArray
    known: IntArray
    fields: IntArray
    mistakes: IntArray
    fault: IntArray


class FollowCallbacks(NamedTuple):
    """What a census calls at each position for a strategy.

    ``pick(work, node, hand, best) -> choice`` is the choice that is counted, ``find_other(work, node, hand, best)`` the
    choice that the best one is compared with, and ``note(work, node, hand, best, other, cost, deals)`` notes what that
    costs.
    """

    pick: RuleFunction
    find_other: RuleFunction
    note: RuleFunction


def build_follow_callbacks(game: Game, form: KernelShape, choose: RuleFunction | None) -> FollowCallbacks:
    """Build the callbacks that choose and review actions (``form.plays``)."""

    @inlined_helper
    def keep(_work: Any, _node: int, _hand: int, best: int) -> int:
        return best

    @inlined_helper
    def note_nothing(_work: Any, _node: int, _hand: int, _best: int, _other: int, _cost: int, _deals: int) -> None:
        pass

    if choose is None or form.plays == BEST:
        return FollowCallbacks(keep, keep, note_nothing)
    find_choice = _build_find_choice(_build_ask_strategy(game, form, choose))
    if form.plays == FOLLOWS:
        return FollowCallbacks(find_choice, keep, note_nothing)
    return FollowCallbacks(keep, find_choice, _build_note(game, form, _build_ask_strategy(game, form, choose)))


def _build_make_state(game: Game, form: KernelShape) -> RuleFunction:
    """Build the function that makes the state that a seat sees at a node.

    ``make_state(work, node, hand) -> state``
    """
    fields = form.fields
    put_hand = build_make_state(type(game.rules.deal(list(game.deck.cards), 1, 0, 1)), fields, form.own_fields)

    @inlined_helper
    def make_state(work: Any, node: int, hand: int) -> Any:
        follow, held, public = work.follow, work.workspace.held, work.boards.public
        for field in range(fields):
            cards = follow.bases[node, field]
            for group in range(len(held)):
                cards |= held[group] if follow.known[node, group] and public[group, field] else 0
            follow.fields[field] = cards
        return put_hand(follow.fields, hand)

    return make_state


def _build_ask_strategy(game: Game, form: KernelShape, choose: RuleFunction) -> RuleFunction:
    """Build the function that asks the strategy what it does at a position.

    ``ask_strategy(work, node, hand) -> (action, cards)``
    """
    make_state, view = _build_make_state(game, form), game.rules.view

    @kernel_helper
    def ask_strategy(work: Any, node: int, hand: int) -> tuple[int, int]:
        seen = view(make_state(work, node, hand))
        action, cards = choose(work.tables, seen, work.follow.decision[node], work.follow.numbers, work.options)
        return action, cards

    return ask_strategy


def _build_find_choice(ask_strategy: RuleFunction) -> RuleFunction:
    """Build the function that finds the strategy's choice at a node.

    ``find_choice(work, node, hand, best) -> choice`` is the strategy's, or the best one where that is not legal.
    """

    @inlined_helper
    def find_choice(work: Any, node: int, hand: int, best: int) -> int:
        tree, found = work.tree, -1
        action, cards = ask_strategy(work, node, hand)
        for choice in range(tree.children.shape[1]):
            if tree.children[node, choice] >= 0 and tree.first_actions[node, choice] == action:
                found = choice
        if found < 0 or cards:
            work.follow.fault[0] = 1 + work.follow.decision[node]
            return best
        return found

    return find_choice


def _build_note(game: Game, form: KernelShape, ask_strategy: RuleFunction) -> RuleFunction:
    """Build the function that notes a mistake, if the strategy comes to it."""
    make_state, evaluate_hands = _build_make_state(game, form), game.rules.evaluate_hands

    @kernel_helper
    def note(work: Any, node: int, hand: int, best: int, other: int, cost: int, deals: int) -> None:
        tree, follow, at = work.tree, work.follow, node
        while follow.parents[at] >= 0:
            action, _ = ask_strategy(work, follow.parents[at], hand)
            if action != follow.taken[at]:
                return
            at = follow.parents[at]
        category = find_category(evaluate_hands(work.tables, make_state(work, node, hand), work.options)[0])
        decision = follow.decision[node]
        taken, better = tree.first_actions[node, other], tree.first_actions[node, best]
        follow.mistakes[decision, taken, better, category, 0] += deals
        follow.mistakes[decision, taken, better, category, 1] += cost

    return note
