"""Compile the walk that values a leak at one position.

It samples what is too much to enumerate.

The walk goes as that of a solution (``walk``), for two players at once.  One knows the leak.  The other plays by what
he may see, and is paid in the same deals: so the difference of the two has little chance in it, and is 0 where they
play alike.  Where cards are sampled, a decision takes the action that is best on one sample and is valued on another:
so its value is that of a play that somebody could play, and not too high on average.
"""

from functools import cache
from typing import Any

from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.rule import no_cards, no_draws
from pitboss.engine.leak_sampling import (
    LeakData,
    LeakValuation,
    count_ways,
    fill_at_random,
    find_used,
    is_aspect_known,
    mix_seed,
    take_from_stub,
)
from pitboss.engine.replay import build_replay, get_opening, keep_closed
from pitboss.engine.unknown_cards import (
    count_spare,
    fill_first,
    fill_next,
    find_free,
    find_newly_seen,
    find_seen,
    find_unknown,
    forget,
    put_cards,
    write_deck,
)
from pitboss.engine.walk_state import DRAWN, GIVEN, NOTHING, TAKEN, WalkState
from pitboss.kernels.compile import inlined_helper, kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

_CHOOSING, _VALUED = 1, 2
_ROUNDING = 1e-9


@cache
def build_leak_kernel(game: Game) -> RuleFunction:
    """Compile the values of both players at some roots.

    ``value_roots(data, roots, seeds, values)``: ``roots`` has the cards of each group by root, and after them their
    candidates; ``values[root]`` gets the value of the play with the leak, without it, and 1 if another action is better
    with the leak at the first decision.
    """
    level = _build_end(game)
    for decision in reversed(range(len(game.decisions))):
        level = _build_level(game, decision, level)
    walk_on, draws = level, game.rules.count_draws is not no_draws

    @kernel
    def value_roots(data: LeakData, roots: IntArray, seeds: IntArray, values: Any) -> None:
        leak, walk = data.leak, data.walk
        for root in range(len(roots)):
            for group in range(len(walk.held)):
                walk.held[group] = roots[root, group]
                leak.candidates[group] = roots[root, len(walk.held) + group]
            leak.chosen[:] = NOTHING
            leak.ends[0] = leak.samples[-1] * leak.samples[-2] if draws else leak.samples[-1]
            values[root, 1] = walk_on(data, seeds[root], 1)
            values[root, 0] = walk_on(data, seeds[root], 0)
            values[root, 2] = leak.improved[0]

    return value_roots


def _build_level(game: Game, decision: int, after: RuleFunction) -> RuleFunction:
    """Build the walk from one decision on: what is shown, then the decision."""
    decide, replay, view = _build_decide(game, decision, after), build_replay(game), game.rules.view
    show_dealer = get_opening(game, decision)

    @kernel_helper
    def level(data: LeakData, seed: int, plain: int) -> Any:
        walk_input, leak, places, walk = data.walk_input, data.leak, data.places, data.walk
        write_deck(walk_input, places, walk)
        newly = find_newly_seen(places, walk, find_seen(view(show_dealer(replay(walk_input, walk, decision)))))
        free, sampled, rounds = find_free(walk_input, walk), False, 1
        if newly:
            rounds = count_ways(places, walk, newly, free)
            sampled = rounds > leak.samples[decision] or is_aspect_known(leak, walk)
            rounds = leak.samples[decision] // leak.thinned if sampled else rounds
            if not sampled:
                fill_first(places, walk, newly, free, 0)
        total = 0.0
        for number in range(rounds):
            if sampled:
                forget(walk, newly)
                fill_at_random(leak, places, walk, newly, free, mix_seed(seed, number))
            write_deck(walk_input, places, walk)
            state = show_dealer(replay(walk_input, walk, decision))
            total += decide(data, mix_seed(seed, ~number), plain, state)
            if newly and not sampled:
                fill_next(places, walk, newly, free)
        forget(walk, newly)
        return total / rounds

    return level


@inlined_helper
def _hide(leak: LeakValuation, walk: WalkState, decision: int, seen: int) -> None:
    """Hide what the leak shows, but for cards that a seat may see by now."""
    for group in range(len(walk.held)):
        leak.saved[decision, group], leak.saved_candidates[decision, group] = walk.held[group], leak.candidates[group]
        if leak.leaked >> group & 1 and walk.held[group] & ~seen:
            walk.held[group] = 0
        leak.candidates[group] = 0


@inlined_helper
def _reveal(leak: LeakValuation, walk: WalkState, decision: int) -> None:
    """Take back what ``_hide`` hid."""
    for group in range(len(walk.held)):
        walk.held[group], leak.candidates[group] = leak.saved[decision, group], leak.saved_candidates[decision, group]


def _build_decide(game: Game, decision: int, after: RuleFunction) -> RuleFunction:
    """Build a decision: every action on one sample, then the best on another."""
    view, next_decision, legal_actions = game.rules.view, game.rules.next_decision, game.rules.legal_actions
    walk_draws, first_asked = _build_draws(game, decision, after), decision == 0

    @inlined_helper
    def decide(data: LeakData, seed: int, plain: int, state: Any) -> Any:
        tables, options, walk_input, leak, walk = data.tables, data.options, data.walk_input, data.leak, data.walk
        asks, seat_view = next_decision(tables, state, options) == decision, view(state)
        allowed = (
            legal_actions(tables, seat_view, decision, count_spare(walk_input, walk, decision), options) if asks else 0
        )
        if asks and plain:
            _hide(leak, walk, decision, find_seen(seat_view))
        actions, cards = walk_input.order.shape[1], 0
        best, usual, taken, given = -1e300, -1e300, NOTHING, 0
        index = 0 if asks else actions
        value = 0.0
        while True:
            if index < actions:
                action = walk_input.order[decision, index]
                if action < 0 or allowed >> action & 1 == 0:
                    index += 1
                    continue
                cards = cards or first_subset(seat_view.player, walk_input.discards[decision, action])
                walk.path[decision, TAKEN], walk.path[decision, GIVEN] = action, cards
            else:
                if asks and plain:
                    _reveal(leak, walk, decision)
                walk.path[decision, TAKEN], walk.path[decision, GIVEN] = taken, given
            of_sample = _CHOOSING if index < actions else _VALUED
            value = walk_draws(data, mix_seed(seed, of_sample), plain)
            if index == actions:
                break
            if value > best:
                best, taken, given = value, action, cards
            if first_asked and action == leak.chosen[0] and cards == leak.chosen[1]:
                usual = value
            cards = next_subset(seat_view.player, cards) if cards else 0
            if cards == 0:
                index += 1
        if first_asked and plain:
            leak.chosen[0], leak.chosen[1] = taken, given
        elif first_asked:
            leak.improved[0] = 1 if best - usual > _ROUNDING else 0
        walk.path[decision, TAKEN], walk.path[decision, GIVEN] = NOTHING, 0
        return value

    return decide


def _build_draws(game: Game, decision: int, after: RuleFunction) -> RuleFunction:
    """Build the walk from an action on: the draw that it asks for, then ``after``."""
    if game.rules.count_draws is no_draws:
        return after
    count_draws, replay = game.rules.count_draws, build_replay(game)

    @inlined_helper
    def walk_draws(data: LeakData, seed: int, plain: int) -> Any:
        leak, walk = data.leak, data.walk
        write_deck(data.walk_input, data.places, walk)
        count = count_draws(data.tables, replay(data.walk_input, walk, decision + 1), data.options)
        known, used = 0, find_used(walk)
        for group in leak.stub:
            known += 1 if walk.held[group] & ~used else 0
        rounds, ends = leak.samples[-2] // leak.thinned if count > known else 1, leak.ends[0]
        if count > known:
            leak.ends[0] = leak.samples[-1]
        total = 0.0
        for number in range(rounds):
            drawn = take_from_stub(data, count, mix_seed(seed, number)) if count else 0
            walk.path[decision, DRAWN] = drawn
            total += after(data, mix_seed(seed, ~number), plain)
            walk.path[decision, DRAWN] = 0
        leak.ends[0] = ends
        return total / rounds

    return walk_draws


def _build_end(game: Game) -> RuleFunction:
    """Build the walk from the last decision on: unseen cards, the settlement."""
    settle, steps, replay = game.rules.settle, len(game.decisions), build_replay(game)
    serve, dealer_draws = _build_serve(game), game.rules.count_dealer_draws is not no_cards

    @kernel_helper
    def end(data: LeakData, seed: int, _plain: int) -> Any:
        tables, options, walk_input, leak = data.tables, data.options, data.walk_input, data.leak
        places, walk = data.places, data.walk
        write_deck(walk_input, places, walk)
        outcomes = settle(tables, replay(walk_input, walk, steps), options)
        if outcomes[0] != UNSETTLED:
            return float(walk_input.nets[0, outcomes[0]])
        free, newly = find_free(walk_input, walk), find_unknown(walk) & leak.read
        ways = count_ways(places, walk, newly, free)
        sampled, ends = ways > leak.ends[0] or is_aspect_known(leak, walk), leak.ends[0] // leak.thinned
        # What the dealer draws is sampled in any case: the ways are gone through again and again.
        rounds = ends if sampled else ways * (1 + ends // ways) if dealer_draws else ways
        total = 0
        for number in range(rounds):
            if sampled:
                forget(walk, newly)
                fill_at_random(leak, places, walk, newly, free, mix_seed(seed, number))
            elif number % ways == 0:
                forget(walk, newly)
                fill_first(places, walk, newly, free, 0)
            for group in range(len(walk.held)):
                if newly >> group & 1:
                    put_cards(walk.deck, places, group, walk.held[group])
            state = serve(data, replay(walk_input, walk, steps), mix_seed(seed, ~number))
            total += walk_input.nets[0, settle(tables, state, options)[0]]
            if newly and not sampled and number % ways < ways - 1:
                fill_next(places, walk, newly, free)
        forget(walk, newly)
        return total / rounds

    return end


def _build_serve(game: Game) -> RuleFunction:
    """Build what the dealer does at the end: he draws, opens, and draws again."""
    rules, show_dealer = game.rules, get_opening(game, len(game.decisions))
    opens = show_dealer is not keep_closed
    count_draws, receive_draw = rules.count_dealer_draws, rules.receive_dealer_draw

    @inlined_helper
    def show(_data: LeakData, state: Any, _seed: int) -> Any:
        return show_dealer(state)

    @inlined_helper
    def serve(data: LeakData, state: Any, seed: int) -> Any:
        walk, count = data.walk, count_draws(state)
        if count and opens:
            walk.dealer[0] = take_from_stub(data, count, mix_seed(seed, 0))
            state = receive_draw(state, walk.dealer[0])
        state = show_dealer(state)
        count = count_draws(state)
        if count:
            walk.dealer[1] = take_from_stub(data, count, mix_seed(seed, 1))
            state = receive_draw(state, walk.dealer[1])
        walk.dealer[0], walk.dealer[1] = 0, 0
        return state

    return show if count_draws is no_cards else serve
