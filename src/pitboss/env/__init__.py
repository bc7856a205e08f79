"""The games as Gymnasium environments.

To make one, write ``import pitboss.env``, then ``gymnasium.make("pitboss/SixCard-v0")``.

Importing this package registers an environment for every installed game, so a new game has one too.  Gymnasium imports
the package itself if the id names it: ``gymnasium.make("pitboss.env:pitboss/SixCard-v0")``.

Raises:
    ModuleNotFoundError: Gymnasium is not installed.
"""

from pitboss.core.extras import write_install_hint

try:
    import gymnasium
except ModuleNotFoundError:
    raise ModuleNotFoundError(f"pitboss.env needs Gymnasium: {write_install_hint('gym')}", name="gymnasium") from None

from pitboss.contract import Game
from pitboss.env.single import GameEnv
from pitboss.env.vector import GameVectorEnv
from pitboss.games import load_games

VERSION = 0
"""The version of all environments.  It goes up if equal actions no longer give equal observations and rewards."""


def make_environment_id(game: Game) -> str:
    """Return the id of a game's environment.

    It has the words of the game's id, or of its name if the id is a single word.

    >>> from pitboss.games import load_game
    >>> make_environment_id(load_game("six-card")), make_environment_id(load_game("lunar"))
    ('pitboss/SixCard-v0', 'pitboss/LunarPoker-v0')
    """
    words = game.id.split("-") if "-" in game.id else game.name.split()
    return f"pitboss/{''.join(word.capitalize() for word in words)}-v{VERSION}"


for _game in load_games().values():
    gymnasium.register(
        make_environment_id(_game),
        entry_point="pitboss.env.single:GameEnv",
        vector_entry_point="pitboss.env.vector:GameVectorEnv",
        kwargs={"game": _game.id},
    )

__all__ = ["VERSION", "GameEnv", "GameVectorEnv", "make_environment_id"]
