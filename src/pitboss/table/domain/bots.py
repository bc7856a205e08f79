"""What bots do at a table: what a written strategy says, or any legal action in a game that has none."""

from hashlib import sha256

from pitboss.cards import FIRST_JOKER
from pitboss.contract import NO_DECISION, Game
from pitboss.core.errors import UnknownNameError
from pitboss.hands import load_hand_tables
from pitboss.strategies import get_strategy, load_strategies
from pitboss.table.domain.round import Round

CHANCE = "chance"
"""The bot of a game that has no written strategy."""


def bots_of(game: Game) -> dict[str, str]:
    """Return the names of a game's bots by their ids, the usual one first.

    >>> from pitboss.games import load_game
    >>> next(iter(bots_of(game_named("six-card"))))
    'practical'
    """
    return {each.id: each.name for each in load_strategies(game)} or {CHANCE: "By chance"}


def usual_bot(game: Game) -> str:
    """Return the id of the bot that plays where nobody has chosen another."""
    return next(iter(bots_of(game)))


def bot_name(game: Game, bot: str) -> str:
    """Return a bot's name.

    Raises:
        UnknownNameError: the game has none with that id.
    """
    known = bots_of(game)
    if bot not in known:
        raise UnknownNameError("strategy", bot, known)
    return known[bot]


def action_of(now: Round, bot: str) -> tuple[str, tuple[int, ...]]:
    """Return the action of a bot whose turn it is, and the cards given up for it.

    Where the stub is too short for what it would draw (LU-11), it is what a seat does that does not answer.
    """
    place, asked = now.turn or (0, NO_DECISION)
    if bot == CHANCE:
        return _by_chance(now, place, asked)
    strategy = get_strategy(now.game, bot)
    index, given = strategy.choose(load_hand_tables(), now.view(place), asked, strategy.numbers, now.codes)
    action = now.game.decisions[asked].actions[index]
    if action.id not in {allowed.id for allowed in now.legal_actions()}:
        return now.timed_out()
    return action.id, tuple(card for card in now.game.deck.cards if given >> card & 1)


def _by_chance(now: Round, place: int, asked: int) -> tuple[str, tuple[int, ...]]:
    """Take any legal action with any cards: drawn by the cards that the seat sees, so asked again it is the same."""
    view = now.view(place)

    def drawn(about: object) -> bytes:
        return sha256(repr((asked, tuple(view), about)).encode()).digest()

    action = min(now.legal_actions(), key=lambda each: drawn(each.id))
    held = [card for card in now.game.deck.cards if view.player >> card & 1 and card < FIRST_JOKER]
    return action.id, tuple(sorted(sorted(held, key=drawn)[: action.discards]))
