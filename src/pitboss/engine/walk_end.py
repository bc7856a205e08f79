"""Walk over a round's end: cards not seen yet, dealer's draws, settlement."""

from typing import Any

from pitboss.cards import popcount
from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.rule import no_cards
from pitboss.engine.replay import build_replay, get_opening, keep_closed
from pitboss.engine.unknown_cards import (
    divide_scale,
    fill_first,
    fill_next,
    find_free,
    find_unknown,
    forget,
    limit_draw,
    put_cards,
    share_scale,
    write_deck,
)
from pitboss.engine.walk_state import (
    ODD_OUTCOME,
    TAKEN,
    UNSETTLED_WAGER,
    WalkCounters,
    WalkData,
    WalkInput,
    WalkState,
    note_fault,
)
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset


def build_walk_end(game: Game) -> RuleFunction:
    """Build the walk from after the last decision to the settlement.

    What is settled before the dealer's hand is opened ends there: the cards that nobody has seen change nothing then.
    The rules that settle are called in one place, as in the walk.
    """
    settle, steps = game.rules.settle, len(game.decisions)
    serve, replay, count_end = _build_serve(game), build_replay(game), _build_count_end(game)

    @kernel_helper
    def end(data: WalkData, scale: int, counting: int) -> Any:
        walk_input, places, walk = data.walk_input, data.places, data.walk
        newly, free, total, deals, enumerating = 0, 0, 0, scale, False
        watched = walk_input.counted if counting else walk_input.staked
        write_deck(walk_input, places, walk)
        while True:
            for group in range(len(walk.held)):
                if newly >> group & 1:
                    put_cards(walk.deck, places, group, walk.held[group])
            state = replay(walk_input, walk, steps)
            if enumerating:
                state, deals = serve(data, state, scale)
            outcomes = settle(data.tables, state, data.options)
            if not enumerating:
                if _is_settled(outcomes, watched):
                    return count_end(data, outcomes, scale, counting)
                enumerating, free = True, find_free(walk_input, walk)
                newly = find_unknown(walk)
                scale = divide_scale(places, walk, data.tally, newly, popcount(free), scale, steps)
                fill_first(places, walk, newly, free, 0)
                continue
            total += count_end(data, outcomes, deals, counting)
            if _draw_next(walk_input, walk):
                continue
            if newly == 0 or not fill_next(places, walk, newly, free):
                break
        forget(walk, newly)
        return total

    return end


@inlined_helper
def _is_settled(outcomes: Any, watched: IntArray) -> bool:
    """Tell whether all these wagers are settled."""
    settled = True
    for wager in watched:
        settled = settled and outcomes[wager] != UNSETTLED
    return settled


@inlined_helper
def _has_outcome(walk_input: WalkInput, tally: WalkCounters, outcomes: Any, wager: int) -> bool:
    """Tell whether a wager has the outcome; note a fault otherwise."""
    if 0 <= outcomes[wager] < walk_input.sizes[wager]:
        return True
    note_fault(tally, UNSETTLED_WAGER if outcomes[wager] == UNSETTLED else ODD_OUTCOME, wager)
    return False


def _build_serve(game: Game) -> RuleFunction:
    """Build what the dealer does at the end.

    ``serve(data, state, scale) -> (state, deals)``

    He draws what the rules ask for before his hand is opened, opens it, and draws what they ask for then.
    """
    steps, show_dealer = len(game.decisions), get_opening(game, len(game.decisions))
    count_draws, receive_draw = game.rules.count_dealer_draws, game.rules.receive_dealer_draw
    opens = show_dealer is not keep_closed

    @inlined_helper
    def show(_data: WalkData, state: Any, scale: int) -> Any:
        return show_dealer(state), scale

    @inlined_helper
    def serve(data: WalkData, state: Any, scale: int) -> Any:
        places, walk, tally = data.places, data.walk, data.tally
        left, ways = find_free(data.walk_input, walk), 1
        if opens:
            count = limit_draw(tally, count_draws(state), left, steps)
            if count:
                ways = places.ways[popcount(left), count]
                walk.dealer[0] = walk.dealer[0] or first_subset(left, count)
                state = receive_draw(state, walk.dealer[0])
        state = show_dealer(state)
        left &= ~walk.dealer[0]
        count = limit_draw(tally, count_draws(state), left, steps)
        if count:
            ways *= places.ways[popcount(left), count]
            walk.dealer[1] = walk.dealer[1] or first_subset(left, count)
            state = receive_draw(state, walk.dealer[1])
        return state, share_scale(tally, scale, ways, steps)

    return show if count_draws is no_cards else serve


@inlined_helper
def _draw_next(walk_input: WalkInput, walk: WalkState) -> bool:
    """Step to the next cards that the dealer draws.

    Return False after the last, and where he draws none.
    """
    if walk.dealer[1]:
        walk.dealer[1] = next_subset(find_free(walk_input, walk) & ~walk.dealer[0], walk.dealer[1])
        if walk.dealer[1]:
            return True
    if walk.dealer[0]:
        walk.dealer[0] = next_subset(find_free(walk_input, walk), walk.dealer[0])
    return bool(walk.dealer[0])


def _build_count_end(game: Game) -> RuleFunction:
    """Build the sum of a settlement, and its count where the walk counts."""
    steps = len(game.decisions)
    # One number more, because a compiled function cannot have an empty tuple.
    actions = (*(len(decision.actions) + 1 for decision in game.decisions), 1)

    @inlined_helper
    def count_end(data: WalkData, outcomes: Any, deals: int, counting: int) -> int:
        walk_input, tally, value = data.walk_input, data.tally, 0
        for wager in walk_input.staked:
            if not _has_outcome(walk_input, tally, outcomes, wager):
                return 0
            value += walk_input.nets[wager, outcomes[wager]]
        if counting:
            main_net = walk_input.nets[0, outcomes[0]]
            for wager in walk_input.counted:
                if not _has_outcome(walk_input, tally, outcomes, wager):
                    return 0
                tally.outcomes[wager, outcomes[wager], 0] += deals
                tally.outcomes[wager, outcomes[wager], 1] += deals * main_net
            number = 0
            for step in range(steps):
                number = number * actions[step] + data.walk.path[step, TAKEN] + 1
            tally.paths[number] += deals
            tally.deals[0] += deals
        return value * deals

    return count_end
