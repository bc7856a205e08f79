"""Rounds that stop at every decision of one seat: a step decides, and goes on to the next decision or to the end.

A round is played again from the deal at each step, with what was decided so far.  So all that is kept of it are its
deck and its decisions, the rule functions need no way to stop in the middle, and one function serves plain Python
(one round) and a kernel (a batch of them).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import popcount
from pitboss.contract import OPEN, Game, RuleFunction
from pitboss.core.rule import rule
from pitboss.hands import HandTables
from pitboss.simulate.choices import NOTHING_ASKED, cards_at, choices, circles, timeouts
from pitboss.simulate.making import Making
from pitboss.simulate.memory import (
    ALLOWED,
    ASKED,
    DEAL_NEXT,
    GOING_ON,
    HELD,
    KEY,
    KEY_TOO,
    LAID,
    NOT_TAKEN,
    NUMBER,
    OVER,
    Kept,
    some_state,
    view_fields,
)
from pitboss.simulate.shuffles import lay, lay_below
from pitboss.solving import Strategy

Integers = NDArray[np.int64]


class Setting(NamedTuple):
    """What is the same in every round: who sits where, what is staked, what it pays.

    ``wagered`` has a bit for each wager staked, ``stands_on`` the seat on whose hand it stands.  ``nets`` (wagers,
    outcomes) are whole numbers of which ``unit`` are an Ante.  ``placed`` are the chips in each circle at the deal, in
    Antes, and ``again`` is 1 where cards that others give up may serve when the stub runs short (LU-11).
    """

    seats: int
    seat: int
    wagered: int
    again: int
    unit: int
    nets: Integers
    stands_on: Integers
    placed: NDArray[np.float32]


class Shown(NamedTuple):
    """What a step shows of N rounds.

    ``fields`` (view fields, N, cards of the deck) and ``mask`` (N, choices) hold 0 or 1; ``decision`` is the number of
    decisions where nothing is asked; ``stakes`` (N, circles) are in Antes; ``outcomes`` (N, wagers) are ``OPEN`` until
    a round is over and for wagers not staked; ``timed_out`` tells of a choice that was not legal.
    """

    fields: NDArray[np.int8]
    decision: Integers
    stakes: NDArray[np.float32]
    mask: NDArray[np.int8]
    reward: NDArray[np.float64]
    over: NDArray[np.bool_]
    outcomes: Integers
    timed_out: NDArray[np.bool_]


Step = Callable[[HandTables, Setting, Any, Kept, Any, Shown], None]
"""``step(tables, setting, options, kept, choices, shown)``: takes a choice in each round, and fills ``shown``.

A round that is over gives way to the next, whatever is chosen; a choice that is not legal is the decision's timeout.
"""


def nothing_shown(game: Game, rounds: int) -> Shown:
    """Return arrays for a step to fill."""
    return Shown(
        np.empty((len(view_fields(game)), rounds, game.deck.size), np.int8),
        np.empty(rounds, np.int64),
        np.empty((rounds, len(circles(game))), np.float32),
        np.empty((rounds, len(choices(game))), np.int8),
        np.empty(rounds, np.float64),
        np.empty(rounds, np.bool_),
        np.empty((rounds, len(game.wagers)), np.int64),
        np.empty(rounds, np.bool_),
    )


@rule
def cards_from(deck: Any, top: int, count: int) -> int:
    """Return the set of ``count`` cards from a place of the deck on."""
    cards = 0
    for place in range(top, top + count):
        cards |= 1 << deck[place]
    return cards


def stepping(game: Game, others: Strategy | None, making: Making) -> Step:
    """Return the step of a game's rounds, compiled or as plain Python.

    Seats but one follow ``others``, and answer as if they did not answer in time where that is not legal (six who draw
    can empty Lunar's stub) or where there is no strategy.
    """
    played_on = _played_on(game, _others_choice(game, others, making), making)
    decide, observe, settled = _decide(game, making), _observe(game, making), _settled(game, making)
    stakes_now, size = _stakes_now(game, making), game.deck.size
    decisions, wagers = len(game.decisions), len(game.wagers)

    @making.part
    def each_round(tables: HandTables, setting: Setting, options: Any, kept: Kept, chosen: Any, shown: Shown) -> None:
        for i in range(len(chosen)):
            deck, memory, taken, given = kept.decks[i], kept.memory[i], kept.taken[i], kept.given[i]
            new = memory[OVER] != GOING_ON
            if new:
                for asked in range(decisions):
                    taken[asked] = NOT_TAKEN
                memory[NUMBER] += 1
            if memory[OVER] == DEAL_NEXT:
                for place in range(size):
                    deck[place] = place
                memory[LAID] = 0
            shown.timed_out[i] = not new and decide(memory, taken, given, chosen[i])
            asked, allowed = played_on(tables, setting, options, deck, memory, taken, given, kept.states)
            over = asked == NOTHING_ASKED and not new
            memory[ASKED], memory[ALLOWED], memory[OVER] = asked, allowed, DEAL_NEXT if over else GOING_ON
            shown.decision[i] = decisions if asked == NOTHING_ASKED else asked
            observe(setting, deck, memory, kept.states, shown.fields, shown.mask, i)
            stakes_now(setting.placed, taken, shown.stakes[i])
            for wager in range(wagers):
                shown.outcomes[i, wager] = OPEN
            shown.over[i] = over
            net = settled(tables, setting, options, kept.states, shown.outcomes[i]) if over else 0
            shown.reward[i] = net / setting.unit

    @making.whole
    def step(tables: HandTables, setting: Setting, options: Any, kept: Kept, chosen: Any, shown: Shown) -> None:
        each_round(tables, setting, options, kept, chosen, shown)

    return step


def _decide(game: Game, making: Making) -> RuleFunction:
    """Make the function that writes a choice down; it tells whether it was not legal and the timeout was taken."""
    listed = choices(game)
    decision_of, action_of, positions_of = (np.array(column, np.int64) for column in zip(*listed, strict=True))
    on_time_out = np.array(timeouts(game), np.int64)

    @making.part
    def decide(memory: Any, taken: Any, given: Any, choice: int) -> bool:
        asked, held = memory[ASKED], memory[HELD]
        legal = (
            decision_of[choice] == asked
            and memory[ALLOWED] >> action_of[choice] & 1 == 1
            and positions_of[choice] >> popcount(held) == 0
        )
        if asked != NOTHING_ASKED:
            answer = choice if legal else on_time_out[asked]
            taken[asked] = int(action_of[answer])
            given[asked] = cards_at(held, int(positions_of[answer]))
        return not legal

    return decide


def _others_choice(game: Game, others: Strategy | None, making: Making) -> RuleFunction:
    """Make what the other seats answer."""
    late = [choices(game)[number] for number in timeouts(game)]
    late_actions = np.array([choice.action for choice in late], np.int64)
    late_positions = np.array([choice.positions for choice in late], np.int64)
    choose, numbers = (others.choose, others.numbers) if others else (_no_answer, ())

    @making.part
    def answer(tables: HandTables, seen: Any, asked: int, allowed: int, options: Any) -> tuple[int, int]:
        action, cards = choose(tables, seen, asked, numbers, options)
        if action < 0 or not allowed >> action & 1:
            return late_actions[asked], cards_at(seen.player, late_positions[asked])
        return action, cards

    return answer


@rule
def _no_answer(
    _tables: HandTables, _seen: Any, _asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Answer nothing."""
    return -1, 0


def _played_on(game: Game, others_choice: RuleFunction, making: Making) -> RuleFunction:
    """Make a round from the deal to the first decision that the seat has not taken, or to the end.

    It fills ``states`` and returns the decision and the actions legal there, ``NOTHING_ASKED`` and 1 at the end.
    """
    rules, size, kept_back, decisions = game.rules, game.deck.size, game.kept_back, len(game.decisions)
    decision, legal, view, act = rules.decision, rules.legal, rules.view, rules.act
    dealt, deal, owed, receive, released = rules.dealt, rules.deal, rules.owed, rules.receive, rules.released
    shown_before = [index for index, each in enumerate(game.decisions) if each.dealer_shown]
    opened_before = shown_before[0] if shown_before else decisions
    dealer_served, state_of = _dealer_served(game, making), making.state_of(type(some_state(game)))
    put = _put(game, making)

    @making.part
    def played_on(
        tables: HandTables, setting: Setting, options: Any, deck: Any, memory: Any, taken: Any, given: Any, states: Any
    ) -> tuple[int, int]:
        k0, k1, number = memory[KEY], memory[KEY_TOO], memory[NUMBER]
        seats, top, bottom, returned = setting.seats, dealt(setting.seats), size, 0
        memory[LAID] = lay(deck, size, memory[LAID], top, number, k0, k1)
        for each in range(seats):
            put(states, each, deal(deck, seats, each, setting.wagered))
        for asked in range(decisions):
            if asked == opened_before:
                top = dealer_served(states, seats, deck, memory, top, 1)
            for each in range(seats):
                reusable = 0
                for other in range(seats if setting.again else 0):
                    if other != each:
                        reusable |= released(state_of(states[other])) & ~returned
                state = state_of(states[each])
                if decision(tables, state, options) == asked:
                    seen = view(state)
                    allowed = legal(tables, seen, asked, bottom - top - kept_back + popcount(reusable), options)
                    if each != setting.seat:
                        action, cards = others_choice(tables, seen, asked, allowed, options)
                    elif taken[asked] == NOT_TAKEN:
                        return asked, allowed
                    else:
                        action, cards = taken[asked], given[asked]
                    state = act(state, asked, action, cards)
                count = owed(tables, state, options)
                if bottom - top - kept_back < count:
                    bottom = lay_below(deck, bottom, reusable, number, k0, k1)
                    returned |= reusable
                if count:
                    memory[LAID] = lay(deck, size, memory[LAID], min(size, top + count), number, k0, k1)
                    state = receive(state, cards_from(deck, top, count))
                    top += count
                put(states, each, state)
        if opened_before == decisions:
            top = dealer_served(states, seats, deck, memory, top, 1)
        dealer_served(states, seats, deck, memory, top, 0)
        return NOTHING_ASKED, 1

    return played_on


def _dealer_served(game: Game, making: Making) -> RuleFunction:
    """Make the dealer's turn: what one seat asks him to take serves every seat that asks; then he may open."""
    dealer_owed, dealer_receives, show = game.rules.dealer_owed, game.rules.dealer_receives, game.rules.show
    size, state_of, put = game.deck.size, making.state_of(type(some_state(game))), _put(game, making)

    @making.part
    def dealer_served(states: Any, seats: int, deck: Any, memory: Any, top: int, opens: int) -> int:
        count = 0
        for each in range(seats):
            count = max(count, dealer_owed(state_of(states[each])))
        k0, k1, number = memory[KEY], memory[KEY_TOO], memory[NUMBER]
        memory[LAID] = lay(deck, size, memory[LAID], min(size, top + count), number, k0, k1)
        drawn = cards_from(deck, top, count)
        for each in range(seats):
            state = state_of(states[each])
            if dealer_owed(state):
                state = dealer_receives(state, drawn)
            put(states, each, show(state) if opens else state)
        return top + count

    return dealer_served


def _put(game: Game, making: Making) -> RuleFunction:
    """Make the function that writes a seat's state into its row."""
    fields = len(some_state(game))

    @making.part
    def put(states: Any, seat: int, state: Any) -> None:
        for field in range(fields):
            states[seat][field] = state[field]

    return put


def _observe(game: Game, making: Making) -> RuleFunction:
    """Make what is shown to the seat: what it may see, and which choices are legal."""
    deal, view, state_of = game.rules.deal, game.rules.view, making.state_of(type(some_state(game)))
    listed = choices(game)
    decision_of, action_of, positions_of = (np.array(column, np.int64) for column in zip(*listed, strict=True))
    fields, size = len(view_fields(game)), game.deck.size

    @making.part
    def observe(setting: Setting, deck: Any, memory: Any, states: Any, seen_fields: Any, mask: Any, i: int) -> None:
        asked, allowed = memory[ASKED], memory[ALLOWED]
        seen = view(state_of(states[setting.seat]))
        if (
            asked == NOTHING_ASKED and memory[OVER] == GOING_ON
        ):  # played to its end, of which only the deal may be seen yet
            seen = view(deal(deck, setting.seats, setting.seat, setting.wagered))
        memory[HELD] = seen.player
        for field in range(fields):
            cards, row = seen[field], seen_fields[field, i]
            for code in range(size):
                row[code] = cards >> code & 1
        held = popcount(seen.player)
        for choice in range(len(decision_of)):
            fits = decision_of[choice] == asked and positions_of[choice] >> held == 0
            mask[i, choice] = 1 if fits and allowed >> action_of[choice] & 1 else 0

    return observe


def _stakes_now(game: Game, making: Making) -> RuleFunction:
    """Make what lies in the circles: what was placed before the deal, and raises and fees."""
    places, width = circles(game), max(len(decision.actions) for decision in game.decisions)
    decisions = len(game.decisions)
    circle_of = np.full((decisions, width), -1, np.int64)
    adds = np.zeros((decisions, width), np.float32)
    for index, decision in enumerate(game.decisions):
        for number, action in enumerate(decision.actions):
            if action.circle:
                circle_of[index, number], adds[index, number] = places.index(action.circle), action.stake

    @making.part
    def stakes_now(placed: Any, taken: Any, stakes: Any) -> None:
        for circle in range(len(placed)):
            stakes[circle] = placed[circle]
        for asked in range(decisions):
            if taken[asked] != NOT_TAKEN and circle_of[asked, taken[asked]] >= 0:
                stakes[circle_of[asked, taken[asked]]] += adds[asked, taken[asked]]

    return stakes_now


def _settled(game: Game, making: Making) -> RuleFunction:
    """Make what a round that is over nets; it writes the outcomes of the wagers staked."""
    settle, wagers, state_of = game.rules.settle, len(game.wagers), making.state_of(type(some_state(game)))

    @making.part
    def settled(tables: HandTables, setting: Setting, options: Any, states: Any, outcomes: Any) -> int:
        total = 0
        own = settle(tables, state_of(states[setting.seat]), options)
        for wager in range(wagers):
            if setting.wagered >> wager & 1:
                outcome = own[wager]
                if setting.stands_on[wager] != setting.seat:
                    outcome = settle(tables, state_of(states[setting.stands_on[wager]]), options)[wager]
                outcomes[wager] = outcome
                total += setting.nets[wager, outcome]
        return total

    return settled
