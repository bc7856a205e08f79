"""Compile the walk over every way a one-seat round can go.

The walk follows the procedure of the table.  Before each decision it enumerates the cards that the view shows for the
first time; at the decision it walks on with every legal action and takes the best; after the last one it enumerates the
cards that nobody has seen, and settles.  Cards not enumerated yet are held by placeholders, which no rule may read.

Sums are whole numbers.  A walk that counts outcomes first values every action without counting, then walks once more
along the best one: the second walk is shorter than the first by the number of actions, and no action needs counters of
its own.
"""

from functools import cache
from typing import Any

from pitboss.cards import popcount
from pitboss.contract import Game, RuleFunction
from pitboss.core.rule import no_cards, no_draws
from pitboss.engine.replay import build_replay, get_opening, keep_closed
from pitboss.engine.symmetry import compare_discards, count_symmetries, write_known
from pitboss.engine.unknown_cards import (
    count_spare,
    divide_scale,
    fill_first,
    fill_next,
    find_free,
    find_newly_seen,
    find_seen,
    forget,
    is_draw_seen,
    is_seen,
    limit_draw,
    share_scale,
    write_deck,
)
from pitboss.engine.walk_end import build_walk_end
from pitboss.engine.walk_state import (
    DRAWN,
    EARLY_DRAW,
    GIVEN,
    HIDDEN_DRAW,
    ILLEGAL_CHOICE,
    NO_ACTION,
    NOTHING,
    ODD_VIEW,
    TAKEN,
    WalkData,
    WalkInput,
    WalkState,
    find_category,
    note_fault,
)
from pitboss.kernels.compile import inlined_helper, kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset


def build_walk_from(game: Game, first: int, choose: RuleFunction | None = None) -> RuleFunction:
    """Build the walk from a decision to the end of the round.

    ``walk(data, scale, counting) -> value``

    The value is the mean net over all deals from here, times ``scale``, under the best play.  With the rule
    ``choose`` of a strategy, what is counted is its play.
    """
    level = build_walk_end(game)
    for decision in reversed(range(first, len(game.decisions))):
        level = _build_level(game, decision, level, choose)
    return level


def _build_level(game: Game, decision: int, after: RuleFunction, choose: RuleFunction | None) -> RuleFunction:
    """Build the walk from one decision on; ``after`` is the walk from the next one.

    ``after`` is called in one place, and so is each rule: the compiler inlines what is called, once for each call.
    """
    view, replay, decide = game.rules.view, build_replay(game), _build_decide(game, decision, after, choose)
    show_dealer = get_opening(game, decision)
    count_dealer_draws = no_cards if show_dealer is keep_closed else game.rules.count_dealer_draws

    @kernel_helper
    def level(data: WalkData, scale: int, counting: int) -> Any:
        walk_input, places, walk, tally = data.walk_input, data.places, data.walk, data.tally
        newly, free, total, enumerating = 0, 0, 0, False
        while True:
            write_deck(walk_input, places, walk)
            state = replay(walk_input, walk, decision)
            if count_dealer_draws(state):
                note_fault(tally, EARLY_DRAW, decision)
            state = show_dealer(state)
            seat_view = view(state)
            seen = find_seen(seat_view)
            shown = find_newly_seen(places, walk, seen)
            if not enumerating:
                enumerating, free, newly = True, find_free(walk_input, walk), shown
                if newly:
                    scale = divide_scale(places, walk, tally, newly, popcount(free), scale, decision)
                    fill_first(places, walk, newly, free, 0)
                    continue
            elif shown or not is_seen(walk, newly, seen):
                note_fault(tally, ODD_VIEW, decision)
            total += decide(data, scale, counting, state, seat_view)
            if newly == 0 or not fill_next(places, walk, newly, free):
                break
        forget(walk, newly)
        return total

    return level


def _build_decide(game: Game, decision: int, after: RuleFunction, choose: RuleFunction | None) -> RuleFunction:
    """Build the walk with every legal action, then along the one taken again."""
    follows, pick = choose is not None, choose or _pick_nothing
    next_decision, legal_actions = game.rules.next_decision, game.rules.legal_actions
    walk_draws = build_walk_draws(game, decision, after)
    note_mistake = _build_note_mistake(game, decision) if follows else _note_nothing
    compare, count_alike = _get_comparison(game, decision)

    @inlined_helper
    def decide(data: WalkData, scale: int, counting: int, state: Any, view: Any) -> Any:
        tables, options, walk_input, walk, tally = data.tables, data.options, data.walk_input, data.walk, data.tally
        asks = next_decision(tables, state, options) == decision
        if asks and not is_draw_seen(walk, decision, find_seen(view)):
            note_fault(tally, HIDDEN_DRAW, decision)
        allowed = legal_actions(tables, view, decision, count_spare(walk_input, walk, decision), options) if asks else 0
        best, taken, given, equal = 0, NOTHING, 0, False
        chosen, chosen_cards, chosen_value, found = NOTHING, 0, 0, 0
        if follows and asks and counting:
            chosen, chosen_cards = pick(tables, view, decision, walk_input.numbers, options)
        # After the last action, ``index`` is the number of actions, and the best path is walked once more.
        actions, cards, alike, before = walk_input.order.shape[1], 0, 1, 0
        index = 0 if asks else actions
        while True:
            if index < actions:
                action = walk_input.order[decision, index]
                if action < 0 or allowed >> action & 1 == 0:
                    index += 1
                    continue
                cards = cards or first_subset(view.player, walk_input.discards[decision, action])
                walk.path[decision, TAKEN], walk.path[decision, GIVEN] = action, cards
            else:
                if asks and (counting == 0 or taken == NOTHING or (follows and found == 0)):
                    break
                walk.path[decision, TAKEN] = chosen if follows and asks else taken
                walk.path[decision, GIVEN] = chosen_cards if follows and asks else given
                alike, before = count_alike(walk_input, walk, view, decision, given), tally.deals[0]
                walk.root[0] *= alike
            value = walk_draws(data, scale, counting if index == actions else 0)
            if index == actions:
                walk.root[0] //= alike
                best = best if asks else value
                break
            if follows and action == chosen and cards == chosen_cards:
                found, chosen_value = 1, value
            comes_first, equal = compare(walk_input, walk, view, decision, value - best, taken, given, equal)
            if comes_first:
                best, taken, given = value, action, cards
            cards = next_subset(view.player, cards) if cards else 0
            if cards == 0:
                index += 1
        if asks and taken == NOTHING:
            note_fault(tally, NO_ACTION, decision)
        elif follows and asks and counting:
            note_mistake(data, state, taken, found, best - chosen_value, before)
        elif equal and counting:
            tally.equal[decision] += walk.root[0] * count_symmetries(
                walk_input, walk, write_known(walk, view, decision), 0
            )
        walk.path[decision, TAKEN], walk.path[decision, GIVEN] = NOTHING, 0
        return best

    return decide


@inlined_helper
def _pick_nothing(_tables: Any, _view: Any, _decision: int, _numbers: Any, _options: Any) -> tuple[int, int]:
    """Stand in for a strategy where the best play is walked."""
    return NOTHING, 0


def _get_comparison(game: Game, decision: int) -> tuple[RuleFunction, RuleFunction]:
    """Return how choices are compared and counted: it is simple without discards."""
    gives_up = any(action.discards for action in game.decisions[decision].actions)
    return (_compare_choices, _count_alike) if gives_up else (_compare_actions, _count_one)


@inlined_helper
def _compare_actions(
    _terms: WalkInput, walk: WalkState, _view: Any, decision: int, gain: int, taken: int, _given: int, equal: int
) -> tuple[bool, bool]:
    """Compare the action in the path with the best one so far.

    ``gain`` is how much more it is worth, ``equal`` whether two best ones are equal so far.  Return whether it is
    booked first, and whether two best ones are equal now.
    """
    if taken == NOTHING or gain > 0:
        return True, False
    return False, bool(equal) or (gain == 0 and walk.path[decision, TAKEN] != taken)


@inlined_helper
def _compare_choices(
    walk_input: WalkInput, walk: WalkState, view: Any, decision: int, gain: int, taken: int, given: int, equal: int
) -> tuple[bool, bool]:
    """Compare actions with their cards given up, as ``_compare_actions`` does."""
    if gain == 0 and walk.path[decision, TAKEN] == taken:
        order = compare_discards(walk_input, walk, write_known(walk, view, decision), walk.path[decision, GIVEN], given)
        return order < 0, bool(equal) or order != 0
    return _compare_actions(walk_input, walk, view, decision, gain, taken, given, equal)


@inlined_helper
def _count_one(_terms: WalkInput, _walk: WalkState, _view: Any, _decision: int, _given: int) -> int:
    """Stand in for the count of choices where no cards are given up."""
    return 1


@inlined_helper
def _count_alike(walk_input: WalkInput, walk: WalkState, view: Any, decision: int, given: int) -> int:
    """Count the choices of cards that an exchange makes of those given up.

    They are booked together.
    """
    if given == 0:
        return 1
    count = write_known(walk, view, decision)
    return count_symmetries(walk_input, walk, count, 0) // count_symmetries(walk_input, walk, count, given)


@inlined_helper
def _note_nothing(_data: WalkData, _state: Any, _best: int, _found: int, _cost: int, _before: int) -> None:
    """Stand in for the note of a mistake where the best play is walked."""


def _build_note_mistake(game: Game, decision: int) -> RuleFunction:
    """Build the function that notes what a strategy's action costs."""
    evaluate_hands = game.rules.evaluate_hands

    @inlined_helper
    def note_mistake(data: WalkData, state: Any, best_action: int, found: int, cost: int, before: int) -> None:
        tally = data.tally
        if found == 0:
            note_fault(tally, ILLEGAL_CHOICE, decision)
        elif cost > 0:
            category = find_category(evaluate_hands(data.tables, state, data.options)[0])
            action = data.walk.path[decision, TAKEN]
            tally.mistakes[decision, action, best_action, category, 0] += tally.deals[0] - before
            tally.mistakes[decision, action, best_action, category, 1] += cost

    return note_mistake


def build_walk_draws(game: Game, decision: int, after: RuleFunction) -> RuleFunction:
    """Build the walk from an action on: the draw that it asks for, then ``after``."""
    if game.rules.count_draws is no_draws:
        return after
    count_draws, replay = game.rules.count_draws, build_replay(game)

    @inlined_helper
    def walk_draws(data: WalkData, scale: int, counting: int) -> Any:
        walk_input, places, walk, tally = data.walk_input, data.places, data.walk, data.tally
        write_deck(walk_input, places, walk)
        free, value = find_free(walk_input, walk), 0
        count = limit_draw(
            tally, count_draws(data.tables, replay(walk_input, walk, decision + 1), data.options), free, decision
        )
        each = share_scale(tally, scale, places.ways[popcount(free), count], decision)
        cards = first_subset(free, count)
        while True:
            walk.path[decision, DRAWN] = cards
            value += after(data, each, counting)
            cards = next_subset(free, cards) if count else 0
            if cards == 0:
                break
        walk.path[decision, DRAWN] = 0
        return value

    return walk_draws


@cache
def build_walk_kernel(game: Game, choose: RuleFunction | None = None) -> RuleFunction:
    """Compile the walks from some roots.

    ``walk_roots(data, roots, weights, scale, counting) -> value``: ``roots`` has the cards of each group by root (0 for
    unknown), ``weights`` how many deals each root stands for.
    """
    walk_on = build_walk_from(game, 0, choose)

    @kernel
    def walk_roots(data: WalkData, roots: IntArray, weights: IntArray, scale: int, counting: int) -> int:
        walk, value = data.walk, 0
        for root in range(len(roots)):
            for group in range(len(walk.held)):
                walk.held[group] = roots[root, group]
            walk.root[0] = weights[root]
            value += walk_on(data, scale * weights[root], counting)
        return value

    return walk_roots
