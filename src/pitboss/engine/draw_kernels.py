"""Build the kernels of a showdown census in which one card is drawn.

A *query* is a set of cards that the dealer cannot have, all that the player has held, and the strength of the
player's final hand.  Many first hands, discards and draws ask the same one: suits are exchanged, and a hand is often
ranked without the cards given up.
"""

from functools import cache
from typing import Any, NamedTuple

from pitboss.contract import Game, RuleFunction
from pitboss.core.rule import keep_state
from pitboss.engine.census_hands import STRENGTH_BITS, build_put_hand, find_worth
from pitboss.engine.census_types import TOTAL
from pitboss.engine.class_counts import add_answer
from pitboss.engine.draw_counts import DisjointQueries
from pitboss.engine.draw_shape import NOT_ASKED, DrawShape
from pitboss.engine.symmetry import compare_discards
from pitboss.engine.walk_state import WalkInput, WalkState, find_category
from pitboss.kernels.class_numbering import number_class
from pitboss.kernels.compile import inlined_helper, kernel, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

BAD_STRENGTH, BAD_DRAW, BAD_ENDING, BAD_CHOICE = -1, -2, -3, -4
"""The faults.

A strength is not 0 to 2**31 - 1; more than one card is drawn; no deal before showed this ending; a strategy takes an
action that is not legal.
"""


class DrawChoices(NamedTuple):
    """The endings of choices, and what they are worth.

    By 1 + action, ``endings`` has the choice's ending, ``compared`` whether that compares hands.
    ``worth[ending, class, lane]`` is what a hand of the dealer's in this lane nets; ``starts`` are the least strengths
    of the player's classes after the first.  ``drawn`` and ``kept`` are how many hands the dealer can have after a
    draw and without one, the latter times ``spread`` to count each card that could be drawn.
    """

    endings: IntArray
    compared: IntArray
    worth: IntArray
    starts: IntArray
    drawn: int
    kept: int
    spread: int


class DrawSums(NamedTuple):
    """The sums of lanes, by class of the player's hand.

    ``final`` is the result by ending, ``one`` that of a choice and ``best`` that of the best choice so far;
    ``followed`` that of a strategy's.  ``equal`` counts hands with equal choices, ``mistakes`` a strategy's as
    ``walk_state.WalkCounters`` does.
    """

    final: IntArray
    one: IntArray
    best: IntArray
    followed: IntArray
    equal: IntArray
    mistakes: IntArray


class _Steps(NamedTuple):
    """The player's round step by step, with no other cards dealt."""

    find_open: RuleFunction
    start: RuleFunction
    act: RuleFunction
    rank: RuleFunction


def build_player_steps(game: Game, learned: DrawShape) -> _Steps:
    """Build the functions that step through the player's round.

    ``start(base, first) -> state``, ``find_open(tables, options, walk_input, state) -> bits of 1 + action``,
    ``act(state, action, given) -> state`` and ``rank(tables, options, state, drawn) -> strength``.
    """
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    own, state_type = learned.shape.groups[learned.shape.own], type(learned.base)
    fill, mine, rules = build_put_hand(tuple(map(state_type._fields.index, own.fields))), game.showdown.mine, game.rules
    next_decision, view, legal_actions = rules.next_decision, rules.view, rules.legal_actions
    take, receive_draw, show_dealer = rules.act, rules.receive_draw, rules.show_dealer

    @inlined_helper
    def start(base: Any, first: int) -> Any:
        return state_type(*fill(base, first))

    @inlined_helper
    def find_open(tables: Any, options: Any, walk_input: WalkInput, state: Any) -> int:
        if next_decision(tables, state, options) != 0:
            return 1
        legal: int = legal_actions(tables, view(state), 0, walk_input.spare, options)
        return legal << 1

    @inlined_helper
    def act(state: Any, action: int, given: int) -> Any:
        if action != NOT_ASKED:
            state = take(state, 0, action, given)
        return state

    @inlined_helper
    def rank(tables: Any, options: Any, state: Any, drawn: int) -> int:
        if drawn:
            state = receive_draw(state, drawn)
        strength: int = mine(tables, show_dealer(state), options)
        return strength

    return _Steps(find_open, start, act, rank)


@cache
def build_query_kernel(game: Game, learned: DrawShape) -> Any:
    """Compile the kernel that lists the queries about sets of cards.

    ``list_queries(tables, options, walk_input, base, choices, sets, draws, counts, strengths) -> found``

    It writes the strengths that hands of each set's cards can have, the last of them drawn if ``draws`` is 1, and how
    many they are.  It returns a fault in place of their number.
    """
    steps, count_draws = build_player_steps(game, learned), game.rules.count_draws
    start, find_open, act, rank = steps.start, steps.find_open, steps.act, steps.rank

    @no_alloc_kernel
    def list_queries(
        tables: Any,
        options: Any,
        walk_input: WalkInput,
        base: Any,
        choices: DrawChoices,
        sets: IntArray,
        draws: int,
        counts: IntArray,
        strengths: IntArray,
    ) -> int:
        found = 0
        for index in range(len(sets)):
            begin, rest = found, sets[index] if draws else 1
            while rest:
                drawn = rest & -rest if draws else 0
                rest &= rest - 1
                first = sets[index] & ~drawn
                state = start(base, first)
                available = find_open(tables, options, walk_input, state)
                for choice in range(len(choices.endings)):
                    if available >> choice & 1 == 0 or choices.compared[choice] == 0:
                        continue
                    action = choice + NOT_ASKED
                    size = walk_input.discards[0, action] if action >= 0 else 0
                    given = first_subset(first, size)
                    while True:
                        after = act(state, action, given)
                        if count_draws(tables, after, options) == draws:
                            strength = rank(tables, options, after, drawn)
                            if strength >> STRENGTH_BITS:
                                return BAD_STRENGTH
                            place = begin
                            while place < found and strengths[place] != strength:
                                place += 1
                            strengths[place] = strength
                            found = max(found, place + 1)
                        given = next_subset(first, given) if size else 0
                        if given == 0:
                            break
            counts[index] = found - begin
        return found

    return list_queries


@cache
def build_dealer_kernel(game: Game, learned: DrawShape) -> Any:
    """Compile the kernel that ranks the dealer's final hands.

    ``rank_hands(tables, options, base, masks, strengths) -> same`` returns 1 if each hand has one strength, whichever
    of its cards the dealer drew, else 0.
    """
    if game.showdown is None:
        raise ValueError(f"{game.id} declares no showdown")
    hidden, state_type = learned.shape.groups[learned.shape.hidden], type(learned.base)
    fill, theirs = build_put_hand(tuple(map(state_type._fields.index, hidden.fields))), game.showdown.theirs
    receive, show_dealer = game.rules.receive_dealer_draw, game.rules.show_dealer
    early, late = learned.early, learned.late
    first, last = receive if early else keep_state, receive if late else keep_state

    @no_alloc_kernel
    def rank_hands(tables: Any, options: Any, base: Any, masks: IntArray, strengths: IntArray) -> int:
        same = 1
        for index in range(len(masks)):
            rest, ranked = masks[index] if early + late else 1, 0
            while rest:
                drawn = rest & -rest if early + late else 0
                rest &= rest - 1
                state = state_type(*fill(base, masks[index] & ~drawn))
                strength = theirs(tables, last(show_dealer(first(state, drawn)), drawn), options)
                same = 0 if ranked and strength != strengths[index] else same
                strengths[index], ranked = strength, 1
        return same

    return rank_hands


@inlined_helper
def _add_answer(
    queries: DisjointQueries, choices: DrawChoices, held: int, strength: int, total: int, times: int, one: IntArray
) -> None:
    """Add the answer to a query to the lanes of the player's class."""
    number, _ = number_class(held, queries.numbers)
    query = queries.starts[queries.places[number]]
    while queries.strengths[query] != strength:
        query += 1
    own = 0
    while own < len(choices.starts) and strength >= choices.starts[own]:
        own += 1
    add_answer(queries.answers[query], total, times, one[own])


def build_count_choice(game: Game, learned: DrawShape) -> RuleFunction:
    """Build the function that counts the dealer's hands against a choice.

    ``count_choice(..., state, first, choice, ..., sums) -> fault`` puts into ``sums.one`` what the dealer's hands do
    after a choice, over all cards that can be drawn.
    """
    rank, count_draws = build_player_steps(game, learned).rank, game.rules.count_draws

    @inlined_helper
    def count_choice(
        tables: Any,
        options: Any,
        walk_input: WalkInput,
        state: Any,
        first: int,
        choice: int,
        choices: DrawChoices,
        queries: DisjointQueries,
        sums: DrawSums,
    ) -> int:
        one = sums.one
        one[:] = 0
        draws: int = count_draws(tables, state, options)
        if choices.compared[choice] == 0:
            one[0, TOTAL] = choices.kept * choices.spread
        elif draws == 0:
            _add_answer(queries, choices, first, rank(tables, options, state, 0), choices.kept, choices.spread, one)
        else:
            free = walk_input.cards & ~first
            while free:
                drawn = free & -free
                strength = rank(tables, options, state, drawn)
                _add_answer(queries, choices, first | drawn, strength, choices.drawn, 1, one)
                free ^= drawn
        return BAD_DRAW if draws < 0 or draws > 1 else 0

    return count_choice


def build_note_mistake(game: Game) -> RuleFunction:
    """Build the function that notes what a strategy's choice costs."""
    evaluate_hands = game.rules.evaluate_hands

    @inlined_helper
    def note_mistake(
        tables: Any, options: Any, state: Any, taken: int, best: int, cost: int, weight: int, sums: DrawSums
    ) -> None:
        category = find_category(evaluate_hands(tables, state, options)[0])
        for own in range(sums.followed.shape[0]):
            sums.mistakes[0, taken, best, category, 0] += weight * sums.followed[own, TOTAL]
        sums.mistakes[0, taken, best, category, 1] += weight * cost

    return note_mistake


@inlined_helper
def _pick_nothing(_tables: Any, _view: Any, _decision: int, _numbers: Any, _options: Any) -> tuple[int, int]:
    """Stand in for a strategy where the best play is counted."""
    return NOT_ASKED - 1, 0


@inlined_helper
def _compare_choice(
    walk_input: WalkInput, walk: WalkState, gain: int, action: int, given: int, taken: int, chosen: int, equal: int
) -> tuple[bool, bool]:
    """Compare a choice with the best so far, ``taken`` with the cards ``chosen``.

    ``gain`` is how much more it is worth.  Return whether it is booked first, and whether two best ones are equal now.
    """
    if taken < NOT_ASKED or gain > 0:
        return True, False
    order = compare_discards(walk_input, walk, 1, given, chosen) if gain == 0 and action == taken else 1
    return order < 0, bool(equal) or (gain == 0 and order != 0)


@cache
def build_decision_kernel(game: Game, learned: DrawShape, choose: RuleFunction | None = None) -> Any:
    """Compile the kernel that decides with each first hand.

    ``decide(tables, options, walk_input, walk, base, choices, queries, firsts, weights, sums) -> fault``
    adds to ``sums.final`` what the best choice with each first hand comes to, or that of a strategy's rule
    ``choose``.  Equal choices are booked as a visit does (``symmetry.compare_discards``).
    """
    steps, count_choice = build_player_steps(game, learned), build_count_choice(game, learned)
    start, find_open, act, note_mistake = steps.start, steps.find_open, steps.act, build_note_mistake(game)
    follows, pick, view = choose is not None, choose or _pick_nothing, game.rules.view

    @kernel
    def decide(
        tables: Any,
        options: Any,
        walk_input: WalkInput,
        walk: WalkState,
        base: Any,
        choices: DrawChoices,
        queries: DisjointQueries,
        firsts: IntArray,
        weights: IntArray,
        sums: DrawSums,
    ) -> int:
        for index in range(len(firsts)):
            first, state = firsts[index], start(base, firsts[index])
            available = find_open(tables, options, walk_input, state)
            walk.known[0] = first
            best, taken, chosen, equal, followed = 0, NOT_ASKED - 1, 0, False, 0
            picked, cards = NOT_ASKED - 1, 0
            if follows and available > 1:
                picked, cards = pick(tables, view(state), 0, walk_input.numbers, options)
            found = picked < NOT_ASKED
            for place in range(NOT_ASKED, walk_input.order.shape[1]):
                action = walk_input.order[0, place] if place >= 0 else NOT_ASKED
                choice = action - NOT_ASKED
                if (place >= 0 and action < 0) or available >> choice & 1 == 0:
                    continue
                size = walk_input.discards[0, action] * (place >= 0)
                ending, given = choices.endings[choice], first_subset(first, size)
                if ending < 0:
                    return BAD_ENDING
                while True:
                    after = act(state, action, given)
                    fault: int = count_choice(tables, options, walk_input, after, first, choice, choices, queries, sums)
                    if fault:
                        return fault
                    value = find_worth(sums.one, choices.worth[ending])
                    if action == picked and given == cards:
                        found, followed = True, value
                        sums.followed[:] = sums.one
                    booked, equal = _compare_choice(walk_input, walk, value - best, action, given, taken, chosen, equal)
                    if booked:
                        best, taken, chosen = value, action, given
                        sums.best[:] = sums.one
                    given = next_subset(first, given) if given else 0
                    if given == 0:
                        break
            if taken < NOT_ASKED or not found:
                return BAD_ENDING if found else BAD_CHOICE
            if picked < NOT_ASKED:
                sums.equal[0] += 1 if equal else 0
                sums.final[choices.endings[taken - NOT_ASKED]] += weights[index] * sums.best
                continue
            sums.final[choices.endings[picked - NOT_ASKED]] += weights[index] * sums.followed
            if best > followed:
                note_mistake(tables, options, state, picked, taken, best - followed, weights[index], sums)
        return 0

    return decide
