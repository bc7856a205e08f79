"""Describe a strategy's illegal action in one line.

To find it, the round is played again in Python up to that action.
"""

import re
from operator import index
from typing import Any

from pitboss.cards import format_cards
from pitboss.contract import Decision
from pitboss.core.errors import StrategyError
from pitboss.hands import load_hand_tables
from pitboss.simulate.block_kernel import RANDOM_SOURCE
from pitboss.simulate.kernel_args import KernelArgs
from pitboss.simulate.players import find_strategy
from pitboss.simulate.rng import RngState, shuffle_until
from pitboss.simulate.round_driver import build_seats, can_discard, compute_round_shape, count_seats_together, is_legal

USER_RULE_ERRORS = (Exception,)
"""What a user's rule may raise: anything."""

_MIN_REPLAYED = 200
_ALLOCATION_MESSAGE = "NRT required but not enabled"
_UNMARKED = re.compile(r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>")
_LINE = re.compile(r'strategy_[0-9a-f]{16}\.py", line (\d+)')


class _IllegalAnswerError(Exception):
    """An illegal answer, described in words."""


def describe_fault(kernel_args: KernelArgs, rng: RngState) -> str:
    """Describe the first fault of a round and its position.

    Raises:
        StrategyError: there is no fault this time, so the strategy does not always give the same answer.
    """
    fault = find_first_fault(kernel_args, rng, 1)
    if fault:
        return fault
    raise StrategyError(
        f"{kernel_args.player.name} answers differently in the same position: "
        "a rule must depend on its arguments alone",
        code="unsteady-rule",
        player=kernel_args.player.name,
    )


def describe_error(kernel_args: KernelArgs, rng: RngState, rounds: int, error: Exception) -> str:
    """Explain why a strategy cannot be compiled or played.

    The explanation is its first fault in Python or, without one, Numba's message.
    """
    fault = find_first_fault(kernel_args, rng, max(rounds, _MIN_REPLAYED))
    if fault:
        return fault
    numbas = str(error.__cause__ or error)  # a kernel names the file of what it cannot compile, and not the rule
    lines = [line.strip() for line in numbas.splitlines() if line.strip()]
    last_failure = max(
        (place for place, line in enumerate(lines[:-1]) if "Failed in nopython mode" in line), default=-1
    )
    message = re.sub(r",? defined at \S+ \(\d+\)", "", lines[last_failure + 1]) if lines else type(error).__name__
    unmarked = _UNMARKED.match(message)
    if unmarked:
        message = f"{unmarked[1]} is not marked: write @rule above it too"
    elif message == _ALLOCATION_MESSAGE:
        message = "a rule makes no list, set, dictionary or array"
    line_numbers = _LINE.findall(numbas)
    where = f" (line {line_numbers[-1]})" if line_numbers else ""
    return f"{kernel_args.player.name} cannot be compiled: {message}{where}"


def find_first_fault(kernel_args: KernelArgs, rng: RngState, rounds: int) -> str | None:
    """Return the first fault in some rounds, or None if there is none.

    These are ``rounds`` rounds from that of ``rng`` on.
    """
    game, player = kernel_args.game, kernel_args.player
    strategy, shape = find_strategy(game, player), compute_round_shape(game)

    def choose_action(
        tables: Any,
        seat_view: Any,
        asked: int,
        allowed: int,
        _path: int,
        at: RngState,
        _turn: int,
        seat: int,
        codes: Any,
        _record: Any,
    ) -> tuple[int, int]:
        decision = game.decisions[asked]
        where = f"{player.name}, round {at.round} of block {at.block}, seat {seat + 1}, {decision.id}"
        position = ", ".join(
            f"{name} {format_cards(cards, game.deck)}" for name, cards in seat_view._asdict().items() if cards
        )
        try:
            answer = strategy.choose(tables, seat_view, asked, kernel_args.player_data, codes) if strategy else (-1, 0)
        except USER_RULE_ERRORS as error:
            raise _IllegalAnswerError(f"{where}: {type(error).__name__}: {error}, with {position}") from None
        try:
            action, cards = (index(each) for each in answer)
        except (TypeError, ValueError):
            expected = "a rule returns the number of an action and a set of cards, as 1, 0"
            raise _IllegalAnswerError(f"{where}: {answer!r} with {position}: {expected}") from None
        _verify_action(where, position, decision, allowed, action)
        discard_count = shape.discards[asked][action]
        if not can_discard(seat_view.player, discard_count, cards):
            unknown = cards & ~game.deck.mask
            given_cards = "cards that do not exist" if unknown else format_cards(cards, game.deck) or "no card"
            action_name = decision.actions[action].id
            raise _IllegalAnswerError(
                f"{where}: {action_name} gives up {discard_count} of the cards held, not {given_cards}: {position}"
            )
        return action, cards

    seats = len(kernel_args.wagered)
    together = count_seats_together(game.rules, seats)
    play_seats = build_seats(game.rules, shape, seats, together, RANDOM_SOURCE, choose_action)
    wagered = kernel_args.wagered.tolist()
    for number in range(rng.round, rng.round + rounds):
        round_rng, stub = rng._replace(round=number), [*game.deck.cards, *game.deck.cards]
        try:
            shuffled = shuffle_until(stub, shape.deck_cards, 0, game.rules.count_dealt(seats), round_rng)
            for first in range(0, seats, together):
                play_seats(
                    load_hand_tables(),
                    stub,
                    shuffled,
                    first,
                    round_rng,
                    wagered,
                    kernel_args.options,
                    kernel_args.reuse_discards,
                    0,
                )
        except _IllegalAnswerError as fault:
            return " ".join(str(fault).split())
    return None


def _verify_action(where: str, position: str, decision: Decision, allowed: int, action: int) -> None:
    """Raise _IllegalAnswerError for an action that is not legal."""
    if not is_legal(allowed, len(decision.actions), action):
        action_name = decision.actions[action].id if 0 <= action < len(decision.actions) else f"action {action}"
        legal = ", ".join(
            f"{number} {each.id}" for number, each in enumerate(decision.actions) if allowed >> number & 1
        )
        raise _IllegalAnswerError(f"{where}: {action_name} is not legal with {position}: legal are {legal}")
