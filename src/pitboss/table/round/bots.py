"""What bots do at a table: what a written strategy says, or any legal action in a game that has none."""

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
    """Return the names of a game's bots by their ids, the usual one first.

    >>> from pitboss.games import load_game
    >>> next(iter(list_bots(game_named("six-card"))))
    'practical'
    """
    return {each.id: each.name for each in load_strategies(game)} or {RANDOM_BOT: "By chance"}


def get_default_bot(game: Game) -> str:
    """Return the id of the bot that plays where nobody has chosen another."""
    return next(iter(list_bots(game)))


def get_bot_name(game: Game, bot: str) -> str:
    """Return a bot's name.

    Raises:
        UnknownNameError: the game has none with that id.
    """
    known = list_bots(game)
    if bot not in known:
        raise UnknownNameError("strategy", bot, known)
    return known[bot]


def choose_bot_action(game_round: Round, bot: str) -> tuple[str, tuple[int, ...]]:
    """Return the action of a bot whose turn it is, and the cards given up for it.

    Where the stub is too short for what it would draw (LU-11), it is what a seat does that does not answer.
    """
    place, asked = game_round.turn or (0, NO_DECISION)
    if bot == RANDOM_BOT:
        return _choose_random_action(game_round, place, asked)
    strategy = get_strategy(game_round.game, bot)
    index, given = strategy.choose(
        load_hand_tables(), game_round.get_view(place), asked, strategy.numbers, game_round.option_codes
    )
    action = game_round.game.decisions[asked].actions[index]
    if action.id not in {allowed.id for allowed in game_round.list_legal_actions()}:
        return game_round.choose_timeout_action()
    return action.id, tuple(card for card in game_round.game.deck.cards if given >> card & 1)


def _choose_random_action(game_round: Round, seat: int, decision: int) -> tuple[str, tuple[int, ...]]:
    """Take any legal action with any cards: drawn by the cards that the seat sees, so asked again it is the same."""
    view = game_round.get_view(seat)

    def drawn(about: object) -> bytes:
        return sha256(repr((decision, tuple(view), about)).encode()).digest()

    action = min(game_round.list_legal_actions(), key=lambda each: drawn(each.id))
    held = [card for card in game_round.game.deck.cards if view.player >> card & 1 and card < FIRST_JOKER]
    return action.id, tuple(sorted(sorted(held, key=drawn)[: action.discards]))
