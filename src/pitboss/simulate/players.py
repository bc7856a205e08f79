"""Players of a simulation: a strategy of the game, a user's, or chance.

Any process can load them.
"""

import sys
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from pitboss.contract import Game, RuleFunction
from pitboss.core.cache import atomic_write, get_cache_path
from pitboss.core.errors import StrategyError, UnknownNameError
from pitboss.core.files import read_text
from pitboss.core.rule import list_rules
from pitboss.engine.plan import make_plan
from pitboss.engine.solver_lookup import can_solve, find_solver
from pitboss.solver_api import PlayTabulator, Strategy
from pitboss.strategies import get_strategy, load_strategies

_FILE_ERRORS = (Exception, SystemExit)
"""A user's file may raise anything when it is loaded."""

CHANCE = "chance"
"""The name of the player that draws its actions from the legal ones."""

OPTIMAL = "optimal"
"""The name of the player that follows the exact best play, where the game's solver can tabulate it hand by hand."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a simulation, by its name.

    A user's strategy has the name of its function, and ``source`` is the text of its file.
    """

    name: str
    source: str = ""


def find_player(game: Game, name: str) -> Player:
    """Return the player called ``name``.

    The name is a strategy's id, ``optimal``, ``chance``, or a user's ``FILE.py:function``.

    Raises:
        UnknownNameError: the game has no strategy of this name.
        StrategyError: the file cannot be read, is not valid Python, or has no function of this name marked ``@rule``;
            or the game's best play cannot be simulated.
    """
    path, colon, function = name.rpartition(":")
    if colon:
        player = Player(function, read_text(Path(path), StrategyError))
        find_strategy(game, player)
        return player
    if name.endswith(".py"):
        raise StrategyError(
            f"{name} is a file: name a function in it too, for example {name}:play", code="no-function", name=name
        )
    if name == OPTIMAL:
        load_best_play_solver(game)
    elif name != CHANCE and name not in [each.id for each in load_strategies(game)]:
        raise UnknownNameError("strategy", name, list_player_names(game))
    return Player(name)


def list_player_names(game: Game) -> tuple[str, ...]:
    """Return the names of all players of a game.

    They are its strategies, ``optimal`` and ``chance``.
    """
    best = (OPTIMAL,) if can_solve(game) and find_solver(game).best_play else ()
    return (*(each.id for each in load_strategies(game)), *best, CHANCE)


def load_best_play_solver(game: Game) -> PlayTabulator:
    """Return the part of the game's solver that tabulates the best play hand by hand.

    Raises:
        StrategyError: the game's solver cannot, or the game has none.
    """
    solver = find_solver(game).best_play if can_solve(game) else None
    if solver is None:
        reason = _explain_no_table(game)
        names = ", ".join(list_player_names(game))
        raise StrategyError(
            f"the best play of {game.id} cannot be simulated: {reason}; choose among {names}",
            code="no-best-play",
            game=game.id,
            reason=reason,
        )
    return solver


def _explain_no_table(game: Game) -> str:
    if game.solver:
        return "its solver does not list every position"
    return make_plan(game).no_table if can_solve(game) else "to solve it takes longer than the budget"


def get_default_player(game: Game) -> Player:
    """Return the game's practical strategy, or chance where it has none."""
    strategies = load_strategies(game)
    return Player(strategies[0].id if strategies else CHANCE)


def find_strategy(game: Game, player: Player) -> Strategy | None:
    """Return the strategy that a player follows.

    It is None for chance and for the best play.

    Raises:
        UnknownNameError: the game has no strategy of this name.
        StrategyError: the source is not valid Python, or has no function of this name marked ``@rule``.
    """
    if player.source:
        return Strategy(player.name, player.name, (), _find_rule(player.source, player.name))
    return None if player.name in (CHANCE, OPTIMAL) else get_strategy(game, player.name)


def _find_rule(source: str, name: str) -> RuleFunction:
    module = _load_module(source)
    function: RuleFunction | None = getattr(module, name, None)
    if function is None:
        raise StrategyError(
            f"the file has no function {name!r}: name one that it has, for example mine.py:play",
            code="no-function",
            name=name,
        )
    if function not in list_rules():
        raise StrategyError(
            f"{name} is not a rule: write @rule, from pitboss.core.rule, above it and above all that it calls",
            code="not-a-rule",
            name=name,
        )
    return function


@cache
def _load_module(source: str) -> ModuleType:
    """Load a module from a file named by a hash of its text.

    So kernels compiled from another text are never used.
    """
    name = f"strategy_{sha256(source.encode()).hexdigest()[:16]}"
    path = get_cache_path(f"strategies/{name}.py")
    if not path.is_file():
        with atomic_write(path) as temporary:
            temporary.write_text(source, encoding="utf-8")
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise StrategyError(f"{path} cannot be loaded", code="cannot-load", path=path)
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except _FILE_ERRORS as error:
        del sys.modules[name]
        message = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, SyntaxError):
            message = f"{error.msg} in line {error.lineno}"
        raise StrategyError(f"the strategy's file cannot be loaded: {message}", code="cannot-load") from None
    return module
