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
from pitboss.counting.compile import inner_part, kernel
from pitboss.hands import HandTables
from pitboss.simulate.choices import NOTHING_ASKED, cards_at, choices, circles, timeouts, view_fields
from pitboss.simulate.draws import WORD, WORD_BITS, Chance
from pitboss.simulate.kernel import DRAWN
from pitboss.simulate.round import LEGAL, Source, round_of, shape_of
from pitboss.solver_api import Strategy

Integers = NDArray[np.int64]

_NOT_TAKEN = -1
_MISSING = -1

# What is remembered of a round, beside its decisions.
_KEY, _KEY_TOO, _NUMBER, _ASKED, _ALLOWED, _HELD, _OVER = range(7)
_REMEMBERED = 7


class Setting(NamedTuple):
    """What is the same in every round: who plays, what is staked, what it pays.

    ``wagered`` has for each seat a bit for each wager staked; ``stands_on`` is for each wager the seat on whose hand it
    stands.  ``nets`` (wagers, outcomes) are whole numbers of which ``unit`` are an Ante.  ``placed`` are the chips in
    each circle at the deal, in Antes, and ``again`` is 1 where cards given up serve when the stub runs short (LU-11).
    """

    seat: int
    wagered: tuple[int, ...]
    again: int
    unit: int
    nets: Integers
    stands_on: Integers
    placed: NDArray[np.float32]


class Kept(NamedTuple):
    """What is kept of rounds from step to step, a row each; lists in plain Python, and arrays in a kernel.

    ``taken`` has the action at each decision or ``_NOT_TAKEN``, ``given`` the cards it gave up.  ``stub`` is scratch.
    """

    memory: Any
    taken: Any
    given: Any
    stub: Any


class Shown(NamedTuple):
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
    over: NDArray[np.bool_]
    outcomes: Integers
    timed_out: NDArray[np.bool_]


Step = Callable[[HandTables, Setting, Any, Kept, Any, Shown], None]
"""``step(tables, setting, options, kept, choices, shown)``: takes a choice in each round, and fills ``shown``.

A round that is over gives way to the next, whatever is chosen; a choice that is not legal is the decision's timeout.
"""


class _Answers(NamedTuple):
    """What the round that is being played is answered with."""

    seat: int
    memory: Any
    taken: Any
    given: Any


def fresh(game: Game, rounds: int) -> Kept:
    """Return room for rounds that are all over, for a kernel's step to begin with."""
    memory = np.zeros((rounds, _REMEMBERED), np.int64)
    memory[:, _OVER] = 1
    decisions = rounds, len(game.decisions)
    return Kept(
        memory, np.zeros(decisions, np.int64), np.zeros(decisions, np.int64), np.zeros(2 * game.deck.size, np.int64)
    )


def begin_again(kept: Kept, index: int, key: tuple[int, int] | None) -> None:
    """End a round, so that the next step deals a new one: the first under ``key``, two words, if one is given."""
    memory = kept.memory[index]
    memory[_OVER] = 1
    if key is not None:
        memory[_KEY], memory[_KEY_TOO] = key
        memory[_NUMBER] = -1


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


def stepping(game: Game, seats: int, others: Strategy | None, *, compiled: bool, source: Source = DRAWN) -> Step:
    """Return the step of rounds of so many seats, as a kernel or as plain Python.

    Seats but one follow ``others``, and are dealt with as seats that do not answer where that is not legal (six who
    draw can empty Lunar's stub) or where there is no strategy.
    """
    played = round_of(game.rules, shape_of(game), seats, source, _chosen(game, others))
    decide, observe, settled, stakes_now = _decide(game), _observe(game, seats), _settled(game), _stakes_now(game)
    size, decisions, wagers = game.deck.size, len(game.decisions), len(game.wagers)

    @inner_part
    def each_round(tables: HandTables, setting: Setting, options: Any, kept: Kept, chosen: Any, shown: Shown) -> None:
        for i in range(len(chosen)):
            memory, taken, given = kept.memory[i], kept.taken[i], kept.given[i]
            new = memory[_OVER] == 1
            if new:
                for asked in range(decisions):
                    taken[asked] = _NOT_TAKEN
                memory[_NUMBER] += 1
            shown.timed_out[i] = not new and decide(memory, taken, given, chosen[i])
            for card in range(size):
                kept.stub[card] = card
            number = memory[_NUMBER]
            chance = Chance(memory[_KEY], memory[_KEY_TOO], number >> WORD_BITS, number & WORD)
            answers = _Answers(setting.seat, memory, taken, given)
            end = played(tables, kept.stub, chance, setting.wagered, options, setting.again, answers)
            over = end.fault == LEGAL and not new
            memory[_ASKED] = NOTHING_ASKED if end.fault == LEGAL else end.fault - setting.seat * decisions
            memory[_OVER] = 1 if over else 0
            shown.decision[i] = decisions if end.fault == LEGAL else memory[_ASKED]
            observe(setting, kept.stub, memory, end.states, shown.fields, shown.mask, i)
            stakes_now(setting.placed, taken, shown.stakes[i])
            for wager in range(wagers):
                shown.outcomes[i, wager] = UNSETTLED
            shown.over[i] = over
            net = settled(tables, setting, options, end.states, shown.outcomes[i]) if over else 0
            shown.reward[i] = net / setting.unit

    def step(tables: HandTables, setting: Setting, options: Any, kept: Kept, chosen: Any, shown: Shown) -> None:
        each_round(tables, setting, options, kept, chosen, shown)

    return kernel(step) if compiled else step


def _columns(game: Game) -> tuple[Integers, Integers, Integers]:
    """Return of every choice the decision, the action and the positions."""
    decisions, actions, positions = (np.array(column, np.int64) for column in zip(*choices(game), strict=True))
    return decisions, actions, positions


def _decide(game: Game) -> RuleFunction:
    """Return what writes a choice down; it tells whether that was not legal and the timeout was taken."""
    decision_of, action_of, positions_of = _columns(game)
    on_time_out = np.array(timeouts(game), np.int64)

    @inner_part
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
            given[asked] = cards_at(held, int(positions_of[answer]))
        return not legal

    return decide


def _chosen(game: Game, others: Strategy | None) -> RuleFunction:
    """Return what answers in a round: for the seat what was written down or nothing, for others their strategy."""
    late = [choices(game)[number] for number in timeouts(game)]
    late_actions = np.array([choice.action for choice in late], np.int64)
    late_positions = np.array([choice.positions for choice in late], np.int64)
    choose, numbers = (others.choose, others.numbers) if others else (_no_answer, ())

    @inner_part
    def chosen(
        tables: Any,
        seen: Any,
        asked: int,
        allowed: int,
        _chance: Any,
        _turn: int,
        seat: int,
        options: Any,
        answers: _Answers,
    ) -> tuple[int, int]:
        if seat == answers.seat:
            answers.memory[_ALLOWED] = allowed
            return answers.taken[asked], answers.given[asked]
        action, cards = choose(tables, seen, asked, numbers, options)
        if action == _MISSING or not allowed >> action & 1:
            return int(late_actions[asked]), cards_at(seen.player, int(late_positions[asked]))
        return action, cards

    return chosen


@rule
def _no_answer(
    _tables: HandTables, _seen: Any, _asked: int, _numbers: tuple[int, ...], _options: Any
) -> tuple[int, int]:
    """Answer nothing."""
    return _MISSING, 0


def _observe(game: Game, seats: int) -> RuleFunction:
    """Return what shows the seat what it may see, and which choices are legal."""
    deal, view = game.rules.deal, game.rules.view
    decision_of, action_of, positions_of = _columns(game)
    fields, size = len(view_fields(game)), game.deck.size

    @inner_part
    def observe(setting: Setting, stub: Any, memory: Any, states: Any, shown_fields: Any, mask: Any, i: int) -> None:
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


def _stakes_now(game: Game) -> RuleFunction:
    """Return what shows the chips in the circles: what was placed before the deal, and raises and fees."""
    places, width = circles(game), max(len(decision.actions) for decision in game.decisions)
    decisions = len(game.decisions)
    circle_of = np.full((decisions, width), -1, np.int64)
    adds = np.zeros((decisions, width), np.float32)
    for index, decision in enumerate(game.decisions):
        for number, action in enumerate(decision.actions):
            if action.circle:
                circle_of[index, number], adds[index, number] = places.index(action.circle), action.stake

    @inner_part
    def stakes_now(placed: Any, taken: Any, stakes: Any) -> None:
        for circle in range(len(placed)):
            stakes[circle] = placed[circle]
        for asked in range(decisions):
            if taken[asked] != _NOT_TAKEN and circle_of[asked, taken[asked]] >= 0:
                stakes[circle_of[asked, taken[asked]]] += adds[asked, taken[asked]]

    return stakes_now


def _settled(game: Game) -> RuleFunction:
    """Return what tells what a round that is over nets; it writes the outcomes of the wagers staked."""
    settle, wagers = game.rules.settle, len(game.wagers)

    @inner_part
    def settled(tables: HandTables, setting: Setting, options: Any, states: Any, outcomes: Any) -> int:
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
