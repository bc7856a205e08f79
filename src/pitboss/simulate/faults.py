"""What a strategy did that is not legal, told in a line: the round is played again in Python up to it."""

import re
from operator import index
from typing import Any

from pitboss.cards import format_cards
from pitboss.contract import Decision
from pitboss.core.errors import StrategyError
from pitboss.hands import load_hand_tables
from pitboss.simulate.draws import Chance, lay
from pitboss.simulate.kernel import DRAWN
from pitboss.simulate.players import strategy_of
from pitboss.simulate.round import is_legal, may_give, seats_of, shape_of, together_of
from pitboss.simulate.setting import Setting

RAISED = (Exception,)
"""What a user's rule may raise: anything."""

_PLAYED = 200
_ALLOCATES = "NRT required but not enabled"
_UNMARKED = re.compile(r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>")
_LINE = re.compile(r'strategy_[0-9a-f]{16}\.py", line (\d+)')


class _FoundError(Exception):
    """The fault, in words."""


def told_fault(setting: Setting, chance: Chance) -> str:
    """Return the first fault of a round, with the position in which it came.

    Raises:
        StrategyError: there is none, so that the strategy does not always do the same.
    """
    fault = first_fault(setting, chance, 1)
    if fault:
        return fault
    raise StrategyError(
        f"{setting.player.name} does not do the same when it is asked again: a rule depends on its arguments alone"
    )


def told_error(setting: Setting, chance: Chance, rounds: int, error: Exception) -> str:
    """Return why a strategy cannot be compiled or played: what it does wrong in Python too, or what Numba says."""
    fault = first_fault(setting, chance, max(rounds, _PLAYED))
    if fault:
        return fault
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = max((place for place, line in enumerate(lines[:-1]) if "Failed in nopython mode" in line), default=-1)
    said = re.sub(r",? defined at \S+ \(\d+\)", "", lines[last + 1]) if lines else type(error).__name__
    unmarked = _UNMARKED.match(said)
    if unmarked:
        said = f"{unmarked[1]} is not marked: write @rule above it too"
    elif said == _ALLOCATES:
        said = "a rule makes no list, set, dictionary or array"
    at = _LINE.findall(str(error))
    return f"{setting.player.name} cannot be compiled: {said}{f' (line {at[-1]})' if at else ''}"


def first_fault(setting: Setting, chance: Chance, rounds: int) -> str | None:
    """Return the first fault in so many rounds from that of ``chance`` on, None if there is none."""
    game, player = setting.game, setting.player
    strategy, shape = strategy_of(game, player), shape_of(game)

    def chosen(
        tables: Any, seen: Any, asked: int, allowed: int, at: Chance, _turn: int, seat: int, codes: Any, _record: Any
    ) -> tuple[int, int]:
        decision = game.decisions[asked]
        where = f"{player.name}, round {at.round} of block {at.block}, seat {seat + 1}, {decision.id}"
        position = ", ".join(
            f"{name} {format_cards(cards, game.deck)}" for name, cards in seen._asdict().items() if cards
        )
        try:
            answer = strategy.choose(tables, seen, asked, setting.told, codes) if strategy else (-1, 0)
        except RAISED as error:
            raise _FoundError(f"{where}: {type(error).__name__}: {error}, with {position}") from None
        try:
            action, cards = (index(each) for each in answer)
        except (TypeError, ValueError):
            wanted = "a rule returns the number of an action and a set of cards, as 1, 0"
            raise _FoundError(f"{where}: {answer!r} with {position}: {wanted}") from None
        _verify(where, position, decision, allowed, action)
        gives = shape.gives[asked][action]
        if not may_give(seen.player, gives, cards):
            unknown = cards & ~game.deck.mask
            given = "what is no card" if unknown else format_cards(cards, game.deck) or "no card"
            named = decision.actions[action].id
            raise _FoundError(f"{where}: {named} gives up {gives} of the cards held, not {given}: {position}")
        return action, cards

    seats = len(setting.wagered)
    together = together_of(game.rules, seats)
    played = seats_of(game.rules, shape, seats, together, DRAWN, chosen)
    wagered = setting.wagered.tolist()
    for number in range(chance.round, chance.round + rounds):
        now, stub = chance._replace(round=number), [*game.deck.cards, *game.deck.cards]
        try:
            laid = lay(stub, shape.deck, 0, game.rules.count_dealt(seats), now)
            for first in range(0, seats, together):
                played(load_hand_tables(), stub, laid, first, now, wagered, setting.options, setting.again, 0)
        except _FoundError as found:
            return " ".join(str(found).split())
    return None


def _verify(where: str, position: str, decision: Decision, allowed: int, action: int) -> None:
    """Find fault with an action that is not legal."""
    if not is_legal(allowed, len(decision.actions), action):
        named = decision.actions[action].id if 0 <= action < len(decision.actions) else f"action {action}"
        legal = ", ".join(
            f"{number} {each.id}" for number, each in enumerate(decision.actions) if allowed >> number & 1
        )
        raise _FoundError(f"{where}: {named} is not legal with {position}: legal are {legal}")
