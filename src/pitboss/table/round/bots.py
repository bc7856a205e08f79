"""The bots of a table: a written strategy, or any legal action without one."""

from hashlib import sha256

from pitboss.cards import FIRST_JOKER
from pitboss.contract import NO_DECISION, Game
from pitboss.core.errors import UnknownNameError
from pitboss.hands import load_hand_tables
from pitboss.strategies import get_strategy, load_strategies
from pitboss.table.round.driver import Round

RANDOM_BOT = "chance"
"""The bot of a game that has no written strategy."""


def list_bots(game: Game) -> dict[str, str]:
    """List the names of a game's bots by their ids, the default one first.

    >>> from pitboss.games import load_game
    >>> next(iter(list_bots(load_game("six-card"))))
    'practical'
    """
    return {each.id: each.name for each in load_strategies(game)} or {RANDOM_BOT: "By chance"}


def get_default_bot(game: Game) -> str:
    """Return the id of the bot that plays if no other is chosen."""
    return next(iter(list_bots(game)))


def get_bot_name(game: Game, bot: str) -> str:
    """Return a bot's name.

    Raises:
        UnknownNameError: the game has no bot with that id.
    """
    known = list_bots(game)
    if bot not in known:
        raise UnknownNameError("strategy", bot, known)
    return known[bot]


def choose_bot_action(game_round: Round, bot: str) -> tuple[str, tuple[int, ...]]:
    """Choose the action of a bot whose turn it is, and its discards.

    If the stub is too short for its draw (LU-11), the bot takes the timeout action.
    """
    seat, decision = game_round.turn or (0, NO_DECISION)
    if bot == RANDOM_BOT:
        return _choose_random_action(game_round, seat, decision)
    strategy = get_strategy(game_round.game, bot)
    index, discards = strategy.choose(
        load_hand_tables(), game_round.get_view(seat), decision, strategy.numbers, game_round.option_codes
    )
    action = game_round.game.decisions[decision].actions[index]
    if action.id not in {legal.id for legal in game_round.list_legal_actions()}:
        return game_round.choose_timeout_action()
    return action.id, tuple(card for card in game_round.game.deck.cards if discards >> card & 1)


def _choose_random_action(game_round: Round, seat: int, decision: int) -> tuple[str, tuple[int, ...]]:
    """Choose any legal action with any discards, in a repeatable way.

    A hash of the seat's view decides.
    """
    view = game_round.get_view(seat)

    def compute_rank(choice: object) -> bytes:
        return sha256(repr((decision, tuple(view), choice)).encode()).digest()

    action = min(game_round.list_legal_actions(), key=lambda each: compute_rank(each.id))
    hand = [card for card in game_round.game.deck.cards if view.player >> card & 1 and card < FIRST_JOKER]
    return action.id, tuple(sorted(sorted(hand, key=compute_rank)[: action.discards]))
