"""Step through rounds that stop at every decision of one seat.

A step goes on to the next decision or to the end.  Each step plays the round again from the deal with the decisions so
far: dealing is cheap, and only the round's number and its decisions are stored.  The driver is that of
``round_driver``; a missing answer stops it.
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

# The columns of ``StepMemory.memory``: what is stored of a round in addition to its decisions.
_KEY, _KEY_TOO, _NUMBER, _ASKED, _ALLOWED, _HELD, _OVER = range(7)
_REMEMBERED = 7


class StepConfig(NamedTuple):
    """What is the same in every round: the seat that plays, the stakes and the nets.

    ``wagered`` has for each seat a bit for each staked wager; ``stands_on`` has for each wager the seat whose hand
    decides it.  ``nets`` (wagers, outcomes) are whole numbers; ``unit`` of them are an Ante.  ``placed_chips`` are the
    chips in each circle at the deal, in Antes.  ``reuse_discards`` is 1 where cards given up serve when the stub runs
    short (LU-11).
    """

    seat: int
    wagered: tuple[int, ...]
    reuse_discards: int
    unit: int
    nets: Integers
    stands_on: Integers
    placed_chips: NDArray[np.float32]


class StepMemory(NamedTuple):
    """What is stored of rounds from step to step, a row for each round.

    The rows are lists in plain Python, arrays in a kernel.  ``actions`` has the action at each decision or
    ``_NOT_TAKEN``; ``discards`` has the cards it gave up.  ``stub`` is a scratch array.
    """

    memory: Any
    actions: Any
    discards: Any
    stub: Any


class StepOutput(NamedTuple):
    """The output of a step for N rounds.

    ``fields`` (view fields, N, cards of the deck) and ``mask`` (N, choices) hold 0 or 1.  ``decision`` is the number of
    decisions where nothing is asked.  ``stakes`` (N, circles) are in Antes.  ``outcomes`` (N, wagers) are ``UNSETTLED``
    until a round is over, and for wagers not staked.  ``timed_out`` is true where the choice was not legal.
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
"""``step(tables, config, options, step_memory, choices, output)``: take a choice in each round and fill ``output``.

After a round that is over the next one is dealt, whatever the choice; an illegal choice becomes the decision's timeout.
"""


class _RecordedAnswers(NamedTuple):
    """The recorded answers of one seat, for the round that is played again."""

    seat: int
    memory: Any
    actions: Any
    discards: Any


def make_step_memory(game: Game, rounds: int) -> StepMemory:
    """Make the memory of rounds that are all over, for the first step of a kernel."""
    memory = np.zeros((rounds, _REMEMBERED), np.int64)
    memory[:, _OVER] = 1
    decisions = rounds, len(game.decisions)
    return StepMemory(
        memory, np.zeros(decisions, np.int64), np.zeros(decisions, np.int64), np.zeros(2 * game.deck.size, np.int64)
    )


def end_round(step_memory: StepMemory, index: int, key: tuple[int, int] | None) -> None:
    """End a round, so that the next step deals a new one.

    If given, ``key`` is two words, and the new round is the first under this key.
    """
    memory = step_memory.memory[index]
    memory[_OVER] = 1
    if key is not None:
        memory[_KEY], memory[_KEY_TOO] = key
        memory[_NUMBER] = -1


def make_step_output(game: Game, rounds: int) -> StepOutput:
    """Make empty arrays for a step to fill."""
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
    """Build the step function of rounds of ``seats`` seats.

    It is a kernel or plain Python.  The other seats follow ``others``.  They time out where its action is not legal
    (six seats that draw can empty Lunar's stub) or where there is no strategy.
    """
    play_round = build_round(game.rules, compute_round_shape(game), seats, source, _build_choose(game, others))
    decide, observe, settle, write_stakes = (
        _build_decide(game),
        _build_observe(game, seats),
        _build_settle(game),
        _build_stakes(game),
    )
    size, decisions, wagers = game.deck.size, len(game.decisions), len(game.wagers)

    @inlined_helper
    def step_each(
        tables: HandTables, config: StepConfig, options: Any, step_memory: StepMemory, chosen: Any, output: StepOutput
    ) -> None:
        for i in range(len(chosen)):
            memory, actions, discards = step_memory.memory[i], step_memory.actions[i], step_memory.discards[i]
            is_new = memory[_OVER] == 1
            if is_new:
                for asked in range(decisions):
                    actions[asked] = _NOT_TAKEN
                memory[_NUMBER] += 1
            output.timed_out[i] = not is_new and decide(memory, actions, discards, chosen[i])
            for card in range(size):
                step_memory.stub[card] = card
            round_number = memory[_NUMBER]
            rng = RngState(memory[_KEY], memory[_KEY_TOO], round_number >> WORD_BITS, round_number & WORD_MASK)
            answers = _RecordedAnswers(config.seat, memory, actions, discards)
            end = play_round(tables, step_memory.stub, rng, config.wagered, options, config.reuse_discards, answers)
            is_over = end.fault == LEGAL and not is_new
            memory[_ASKED] = NOTHING_ASKED if end.fault == LEGAL else end.fault - config.seat * decisions
            memory[_OVER] = 1 if is_over else 0
            output.decision[i] = decisions if end.fault == LEGAL else memory[_ASKED]
            observe(config, step_memory.stub, memory, end.states, output.fields, output.mask, i)
            write_stakes(config.placed_chips, actions, output.stakes[i])
            for wager in range(wagers):
                output.outcomes[i, wager] = UNSETTLED
            output.is_over[i] = is_over
            net = settle(tables, config, options, end.states, output.outcomes[i]) if is_over else 0
            output.reward[i] = net / config.unit

    def step(
        tables: HandTables, config: StepConfig, options: Any, step_memory: StepMemory, chosen: Any, output: StepOutput
    ) -> None:
        step_each(tables, config, options, step_memory, chosen, output)

    return kernel(step) if compiled else step


def _list_choice_columns(game: Game) -> tuple[Integers, Integers, Integers]:
    """Return three columns of all choices: their decisions, actions and positions."""
    decisions, actions, positions = (np.array(column, np.int64) for column in zip(*list_choices(game), strict=True))
    return decisions, actions, positions


def _build_decide(game: Game) -> RuleFunction:
    """Build a function that records a choice.

    It returns True where the choice was illegal and timed out.
    """
    decision_of, action_of, positions_of = _list_choice_columns(game)
    timeout_choices = np.array(find_timeout_choices(game), np.int64)

    @inlined_helper
    def decide(memory: Any, actions: Any, discards: Any, choice: int) -> bool:
        asked, held = memory[_ASKED], memory[_HELD]
        legal = (
            decision_of[choice] == asked
            and memory[_ALLOWED] >> action_of[choice] & 1 == 1
            and positions_of[choice] >> popcount(held) == 0
        )
        if asked != NOTHING_ASKED:
            answer = choice if legal else timeout_choices[asked]
            actions[asked] = int(action_of[answer])
            discards[asked] = select_cards(held, int(positions_of[answer]))
        return not legal

    return decide


def _build_choose(game: Game, others: Strategy | None) -> RuleFunction:
    """Build the answers in a round.

    The seat gives its recorded answer or none; the other seats follow their strategy.
    """
    timeout_choices = [list_choices(game)[number] for number in find_timeout_choices(game)]
    timeout_actions = np.array([choice.action for choice in timeout_choices], np.int64)
    timeout_positions = np.array([choice.positions for choice in timeout_choices], np.int64)
    choose, numbers = (others.choose, others.numbers) if others else (_give_no_answer, ())

    @inlined_helper
    def choose_action(
        tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        _path: int,
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
            return int(timeout_actions[asked]), select_cards(seen.player, int(timeout_positions[asked]))
        return action, cards

    return choose_action


@rule
def _give_no_answer(
    _tables: HandTables, _seen: Any, _asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Answer nothing."""
    return _MISSING, 0


def _build_observe(game: Game, seats: int) -> RuleFunction:
    """Build a function that writes the cards a seat sees and its legal choices."""
    deal, view = game.rules.deal, game.rules.view
    decision_of, action_of, positions_of = _list_choice_columns(game)
    fields, size = len(list_view_fields(game)), game.deck.size

    @inlined_helper
    def observe(config: StepConfig, stub: Any, memory: Any, states: Any, shown_fields: Any, mask: Any, i: int) -> None:
        asked, allowed = memory[_ASKED], memory[_ALLOWED] if memory[_ASKED] != NOTHING_ASKED else 1
        seat_view = view(states[config.seat])
        if asked == NOTHING_ASKED and memory[_OVER] == 0:  # the replay ran to the end; only the deal may be seen yet
            seat_view = view(deal(stub, seats, config.seat, config.wagered[config.seat]))
        memory[_ALLOWED], memory[_HELD] = allowed, seat_view.player
        for field in range(fields):
            cards, row = seat_view[field], shown_fields[field, i]
            for code in range(size):
                row[code] = 0
            while cards:
                row[popcount((cards & -cards) - 1)] = 1
                cards &= cards - 1
        held = popcount(seat_view.player)
        for choice in range(len(decision_of)):
            fits = decision_of[choice] == asked and positions_of[choice] >> held == 0
            mask[i, choice] = 1 if fits and allowed >> action_of[choice] & 1 else 0

    return observe


def _build_stakes(game: Game) -> RuleFunction:
    """Build a function that writes the chips in the circles.

    They are those placed before the deal, then raises and fees.
    """
    circles, width = list_circles(game), max(len(decision.actions) for decision in game.decisions)
    decisions = len(game.decisions)
    circle_of = np.full((decisions, width), -1, np.int64)
    added_stakes = np.zeros((decisions, width), np.float32)
    for index, decision in enumerate(game.decisions):
        for number, action in enumerate(decision.actions):
            if action.circle:
                circle_of[index, number], added_stakes[index, number] = circles.index(action.circle), action.stake

    @inlined_helper
    def write_stakes(placed: Any, actions: Any, stakes: Any) -> None:
        for circle in range(len(placed)):
            stakes[circle] = placed[circle]
        for asked in range(decisions):
            if actions[asked] != _NOT_TAKEN and circle_of[asked, actions[asked]] >= 0:
                stakes[circle_of[asked, actions[asked]]] += added_stakes[asked, actions[asked]]

    return write_stakes


def _build_settle(game: Game) -> RuleFunction:
    """Build a function that settles a finished round.

    It returns the net and writes the outcomes of the staked wagers.
    """
    settle, wagers = game.rules.settle, len(game.wagers)

    @inlined_helper
    def settle_round(tables: HandTables, config: StepConfig, options: Any, states: Any, outcomes: Any) -> int:
        total = 0
        own_outcomes = settle(tables, states[config.seat], options)
        for wager in range(wagers):
            if config.wagered[config.seat] >> wager & 1:
                outcome = own_outcomes[wager]
                if config.stands_on[wager] != config.seat:
                    outcome = settle(tables, states[config.stands_on[wager]], options)[wager]
                outcomes[wager] = outcome
                total += config.nets[wager, outcome]
        return total

    return settle_round
