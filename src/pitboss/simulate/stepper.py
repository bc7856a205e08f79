"""Rounds that stop at every decision of one seat: a step decides, and goes on to the next decision or to the end.

A round is played again from the deal at each step, with what was decided so far: dealing it takes little, and nothing
is kept of it but its number and its decisions.  The driver is that of ``round``, stopped by an answer that is missing.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import popcount
from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.rule import rule
from pitboss.hands import HandTables
from pitboss.kernels.compile import inlined_helper, kernel
from pitboss.simulate.action_space import (
    NOTHING_ASKED,
    find_timeout_choices,
    list_choices,
    list_circles,
    list_view_fields,
    select_cards,
)
from pitboss.simulate.block_kernel import RANDOM_SOURCE
from pitboss.simulate.rng import WORD_BITS, WORD_MASK, RngState
from pitboss.simulate.round_driver import LEGAL, RandomSource, build_round, compute_round_shape
from pitboss.solver_api import Strategy

Integers = NDArray[np.int64]

_NOT_TAKEN = -1
_MISSING = -1

# What is remembered of a round, beside its decisions.
_KEY, _KEY_TOO, _NUMBER, _ASKED, _ALLOWED, _HELD, _OVER = range(7)
_REMEMBERED = 7


class StepConfig(NamedTuple):
    """What is the same in every round: who plays, what is staked, what it pays.

    ``wagered`` has for each seat a bit for each wager staked; ``stands_on`` is for each wager the seat on whose hand it
    stands.  ``nets`` (wagers, outcomes) are whole numbers of which ``unit`` are an Ante.  ``placed_chips`` are the
    chips in each circle at the deal, in Antes, and ``reuse_discards`` is 1 where cards given up serve when the stub
    runs short (LU-11).
    """

    seat: int
    wagered: tuple[int, ...]
    reuse_discards: int
    unit: int
    nets: Integers
    stands_on: Integers
    placed_chips: NDArray[np.float32]


class StepMemory(NamedTuple):
    """What is kept of rounds from step to step, a row each; lists in plain Python, and arrays in a kernel.

    ``actions`` has the action at each decision or ``_NOT_TAKEN``, ``discards`` the cards it gave up.  ``stub`` is
    scratch.
    """

    memory: Any
    actions: Any
    discards: Any
    stub: Any


class StepOutput(NamedTuple):
    """What a step shows of N rounds.

    ``fields`` (view fields, N, cards of the deck) and ``mask`` (N, choices) hold 0 or 1; ``decision`` is the number of
    decisions where nothing is asked; ``stakes`` (N, circles) are in Antes; ``outcomes`` (N, wagers) are ``UNSETTLED``
    until a round is over and for wagers not staked; ``timed_out`` tells of a choice that was not legal.
    """

    fields: NDArray[np.int8]
    decision: Integers
    stakes: NDArray[np.float32]
    mask: NDArray[np.int8]
    reward: NDArray[np.float64]
    is_over: NDArray[np.bool_]
    outcomes: Integers
    timed_out: NDArray[np.bool_]


StepFunction = Callable[[HandTables, StepConfig, Any, StepMemory, Any, StepOutput], None]
"""``step(tables, setting, options, kept, choices, shown)``: takes a choice in each round, and fills ``shown``.

A round that is over gives way to the next, whatever is chosen; a choice that is not legal is the decision's timeout.
"""


class _RecordedAnswers(NamedTuple):
    """What the round that is being played is answered with."""

    seat: int
    memory: Any
    actions: Any
    discards: Any


def make_step_memory(game: Game, rounds: int) -> StepMemory:
    """Return room for rounds that are all over, for a kernel's step to begin with."""
    memory = np.zeros((rounds, _REMEMBERED), np.int64)
    memory[:, _OVER] = 1
    decisions = rounds, len(game.decisions)
    return StepMemory(
        memory, np.zeros(decisions, np.int64), np.zeros(decisions, np.int64), np.zeros(2 * game.deck.size, np.int64)
    )


def restart_round(step_memory: StepMemory, index: int, key: tuple[int, int] | None) -> None:
    """End a round, so that the next step deals a new one: the first under ``key``, two words, if one is given."""
    memory = step_memory.memory[index]
    memory[_OVER] = 1
    if key is not None:
        memory[_KEY], memory[_KEY_TOO] = key
        memory[_NUMBER] = -1


def make_step_output(game: Game, rounds: int) -> StepOutput:
    """Return arrays for a step to fill."""
    return StepOutput(
        np.empty((len(list_view_fields(game)), rounds, game.deck.size), np.int8),
        np.empty(rounds, np.int64),
        np.empty((rounds, len(list_circles(game))), np.float32),
        np.empty((rounds, len(list_choices(game))), np.int8),
        np.empty(rounds, np.float64),
        np.empty(rounds, np.bool_),
        np.empty((rounds, len(game.wagers)), np.int64),
        np.empty(rounds, np.bool_),
    )


def build_step(
    game: Game, seats: int, others: Strategy | None, *, compiled: bool, source: RandomSource = RANDOM_SOURCE
) -> StepFunction:
    """Return the step of rounds of so many seats, as a kernel or as plain Python.

    Seats but one follow ``others``, and are dealt with as seats that do not answer where that is not legal (six who
    draw can empty Lunar's stub) or where there is no strategy.
    """
    played = build_round(game.rules, compute_round_shape(game), seats, source, _build_choose(game, others))
    decide, observe, settled, stakes_now = (
        _build_decide(game),
        _build_observe(game, seats),
        _build_settle(game),
        _build_stakes(game),
    )
    size, decisions, wagers = game.deck.size, len(game.decisions), len(game.wagers)

    @inlined_helper
    def each_round(
        tables: HandTables, setting: StepConfig, options: Any, kept: StepMemory, chosen: Any, shown: StepOutput
    ) -> None:
        for i in range(len(chosen)):
            memory, taken, given = kept.memory[i], kept.actions[i], kept.discards[i]
            new = memory[_OVER] == 1
            if new:
                for asked in range(decisions):
                    taken[asked] = _NOT_TAKEN
                memory[_NUMBER] += 1
            shown.timed_out[i] = not new and decide(memory, taken, given, chosen[i])
            for card in range(size):
                kept.stub[card] = card
            number = memory[_NUMBER]
            chance = RngState(memory[_KEY], memory[_KEY_TOO], number >> WORD_BITS, number & WORD_MASK)
            answers = _RecordedAnswers(setting.seat, memory, taken, given)
            end = played(tables, kept.stub, chance, setting.wagered, options, setting.reuse_discards, answers)
            over = end.fault == LEGAL and not new
            memory[_ASKED] = NOTHING_ASKED if end.fault == LEGAL else end.fault - setting.seat * decisions
            memory[_OVER] = 1 if over else 0
            shown.decision[i] = decisions if end.fault == LEGAL else memory[_ASKED]
            observe(setting, kept.stub, memory, end.states, shown.fields, shown.mask, i)
            stakes_now(setting.placed_chips, taken, shown.stakes[i])
            for wager in range(wagers):
                shown.outcomes[i, wager] = UNSETTLED
            shown.is_over[i] = over
            net = settled(tables, setting, options, end.states, shown.outcomes[i]) if over else 0
            shown.reward[i] = net / setting.unit

    def step(
        tables: HandTables, setting: StepConfig, options: Any, kept: StepMemory, chosen: Any, shown: StepOutput
    ) -> None:
        each_round(tables, setting, options, kept, chosen, shown)

    return kernel(step) if compiled else step


def _list_choice_columns(game: Game) -> tuple[Integers, Integers, Integers]:
    """Return of every choice the decision, the action and the positions."""
    decisions, actions, positions = (np.array(column, np.int64) for column in zip(*list_choices(game), strict=True))
    return decisions, actions, positions


def _build_decide(game: Game) -> RuleFunction:
    """Return what writes a choice down; it tells whether that was not legal and the timeout was taken."""
    decision_of, action_of, positions_of = _list_choice_columns(game)
    on_time_out = np.array(find_timeout_choices(game), np.int64)

    @inlined_helper
    def decide(memory: Any, taken: Any, given: Any, choice: int) -> bool:
        asked, held = memory[_ASKED], memory[_HELD]
        legal = (
            decision_of[choice] == asked
            and memory[_ALLOWED] >> action_of[choice] & 1 == 1
            and positions_of[choice] >> popcount(held) == 0
        )
        if asked != NOTHING_ASKED:
            answer = choice if legal else on_time_out[asked]
            taken[asked] = int(action_of[answer])
            given[asked] = select_cards(held, int(positions_of[answer]))
        return not legal

    return decide


def _build_choose(game: Game, others: Strategy | None) -> RuleFunction:
    """Return what answers in a round: for the seat what was written down or nothing, for others their strategy."""
    late = [list_choices(game)[number] for number in find_timeout_choices(game)]
    late_actions = np.array([choice.action for choice in late], np.int64)
    late_positions = np.array([choice.positions for choice in late], np.int64)
    choose, numbers = (others.choose, others.numbers) if others else (_give_no_answer, ())

    @inlined_helper
    def chosen(
        tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        _chance: Any,
        _turn: int,
        seat: int,
        options: Any,
        answers: _RecordedAnswers,
    ) -> tuple[int, int]:
        if seat == answers.seat:
            answers.memory[_ALLOWED] = allowed
            return answers.actions[asked], answers.discards[asked]
        action, cards = choose(tables, seen, asked, numbers, options)
        if action == _MISSING or not allowed >> action & 1:
            return int(late_actions[asked]), select_cards(seen.player, int(late_positions[asked]))
        return action, cards

    return chosen


@rule
def _give_no_answer(
    _tables: HandTables, _seen: Any, _asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Answer nothing."""
    return _MISSING, 0


def _build_observe(game: Game, seats: int) -> RuleFunction:
    """Return what shows the seat what it may see, and which choices are legal."""
    deal, view = game.rules.deal, game.rules.view
    decision_of, action_of, positions_of = _list_choice_columns(game)
    fields, size = len(list_view_fields(game)), game.deck.size

    @inlined_helper
    def observe(setting: StepConfig, stub: Any, memory: Any, states: Any, shown_fields: Any, mask: Any, i: int) -> None:
        asked, allowed = memory[_ASKED], memory[_ALLOWED] if memory[_ASKED] != NOTHING_ASKED else 1
        seen = view(states[setting.seat])
        if asked == NOTHING_ASKED and memory[_OVER] == 0:  # played to its end, of which only the deal may be seen yet
            seen = view(deal(stub, seats, setting.seat, setting.wagered[setting.seat]))
        memory[_ALLOWED], memory[_HELD] = allowed, seen.player
        for field in range(fields):
            cards, row = seen[field], shown_fields[field, i]
            for code in range(size):
                row[code] = 0
            while cards:
                row[popcount((cards & -cards) - 1)] = 1
                cards &= cards - 1
        held = popcount(seen.player)
        for choice in range(len(decision_of)):
            fits = decision_of[choice] == asked and positions_of[choice] >> held == 0
            mask[i, choice] = 1 if fits and allowed >> action_of[choice] & 1 else 0

    return observe


def _build_stakes(game: Game) -> RuleFunction:
    """Return what shows the chips in the circles: what was placed before the deal, and raises and fees."""
    places, width = list_circles(game), max(len(decision.actions) for decision in game.decisions)
    decisions = len(game.decisions)
    circle_of = np.full((decisions, width), -1, np.int64)
    adds = np.zeros((decisions, width), np.float32)
    for index, decision in enumerate(game.decisions):
        for number, action in enumerate(decision.actions):
            if action.circle:
                circle_of[index, number], adds[index, number] = places.index(action.circle), action.stake

    @inlined_helper
    def stakes_now(placed: Any, taken: Any, stakes: Any) -> None:
        for circle in range(len(placed)):
            stakes[circle] = placed[circle]
        for asked in range(decisions):
            if taken[asked] != _NOT_TAKEN and circle_of[asked, taken[asked]] >= 0:
                stakes[circle_of[asked, taken[asked]]] += adds[asked, taken[asked]]

    return stakes_now


def _build_settle(game: Game) -> RuleFunction:
    """Return what tells what a round that is over nets; it writes the outcomes of the wagers staked."""
    settle, wagers = game.rules.settle, len(game.wagers)

    @inlined_helper
    def settled(tables: HandTables, setting: StepConfig, options: Any, states: Any, outcomes: Any) -> int:
        total = 0
        own = settle(tables, states[setting.seat], options)
        for wager in range(wagers):
            if setting.wagered[setting.seat] >> wager & 1:
                outcome = own[wager]
                if setting.stands_on[wager] != setting.seat:
                    outcome = settle(tables, states[setting.stands_on[wager]], options)[wager]
                outcomes[wager] = outcome
                total += setting.nets[wager, outcome]
        return total

    return settled
