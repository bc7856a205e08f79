"""What a strategy did that is not legal, told in a line: the round is played again in Python up to it."""

from typing import Any

from pitboss.cards import format_cards
from pitboss.core.errors import StrategyError
from pitboss.hands import hand_tables
from pitboss.simulate.draws import Chance, lay
from pitboss.simulate.kernel import DRAWN
from pitboss.simulate.players import strategy_of
from pitboss.simulate.round import is_legal, may_give, seats_of, shape_of, together_of
from pitboss.simulate.setting import Setting


class _FoundError(Exception):
    """The fault, in words."""


def told_fault(setting: Setting, chance: Chance) -> str:
    """Return the first fault of a round, with the position in which it came.

    Raises:
        StrategyError: there is none, so that the strategy does not always do the same.
    """
    game, player = setting.game, setting.player
    strategy, shape = strategy_of(game, player), shape_of(game)

    def chosen(
        tables: Any, seen: Any, asked: int, allowed: int, _chance: Any, _turn: int, seat: int, codes: Any, _record: Any
    ) -> tuple[int, int]:
        action, cards = strategy.choose(tables, seen, asked, setting.told, codes) if strategy else (-1, 0)
        decision = game.decisions[asked]
        where = f"{player.name}, round {chance.round} of block {chance.block}, seat {seat + 1}, {decision.id}"
        position = ", ".join(
            f"{name} {format_cards(cards, game.deck)}" for name, cards in seen._asdict().items() if cards
        )
        legal = [each for index, each in enumerate(decision.actions) if allowed >> index & 1]
        if not is_legal(allowed, len(decision.actions), action):
            named = decision.actions[action].id if 0 <= action < len(decision.actions) else f"action {action}"
            words = ", ".join(f"{decision.actions.index(each)} {each.id}" for each in legal)
            raise _FoundError(f"{where}: {named} is not legal with {position}: legal are {words}")
        if not may_give(seen.player, shape.gives[asked][action], cards):
            given = format_cards(cards & game.deck.mask, game.deck) or "no card"
            wanted = decision.actions[action]
            raise _FoundError(
                f"{where}: {wanted.id} gives up {wanted.gives} of the cards held, not {given}: {position}"
            )
        return action, cards

    seats = len(setting.wagered)
    together = together_of(game.rules, seats)
    played = seats_of(game.rules, shape, seats, together, DRAWN, chosen)
    wagered = setting.wagered.tolist()
    stub = [*game.deck.cards, *game.deck.cards]
    try:
        laid = lay(stub, shape.deck, 0, game.rules.dealt(seats), chance)
        for first in range(0, seats, together):
            played(hand_tables(), stub, laid, first, chance, wagered, setting.options, setting.again, 0)
    except _FoundError as found:
        return str(found)
    raise StrategyError(
        f"{player.name} does not do the same when it is asked again: a rule depends on its arguments alone"
    )
