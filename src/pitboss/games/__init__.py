"""The games, one folder each, discovered when they are first asked for.

A game is a folder whose ``__init__`` has a ``GAME``.  It lies in this package, in a folder that the environment
variable ``PITBOSS_GAMES`` names, or in an installed package that the entry point group ``pitboss.games`` names
(``core.game_folders``).  Wherever it lies, its modules are imported as ``pitboss.games.NAME``.

A game that cannot be loaded is left out, and the others are not affected: ``list_load_errors`` says what is wrong.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb

from pitboss.cards import Deck
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, UnknownNameError, quote
from pitboss.core.game_folders import GameFolder, list_game_folders
from pitboss.declarations import verify_declarations
from pitboss.rule_language import verify_rule_language

_OWN = GameFolder(Path(__file__).parent, "pitboss")
__path__ = [*__path__, *(str(folder.path) for folder in list_game_folders())]

_ID_PATTERN = re.compile("[a-z0-9]+(-[a-z0-9]+)*")

_MODULE_ERRORS = (Exception, SystemExit)
"""The module of a game may raise anything when it is imported."""


class GameLoadError(PitbossError):
    """An error for a folder that is not a game that can be loaded."""


@cache
def _discover() -> tuple[dict[str, Game], tuple[GameLoadError, ...]]:
    """Import every game; return the games by id, and the errors of the others."""
    games, errors, packages = dict[str, Game](), list[GameLoadError](), dict[str, Path]()
    for folder in (_OWN, *list_game_folders()):
        found = tuple(_iter_packages(folder.path))
        if not found:
            errors.append(
                GameLoadError(
                    f"{folder.named_by} names {folder.path}: {_explain_emptiness(folder.path)}",
                    code="no-game-folder",
                    named_by=folder.named_by,
                    path=folder.path,
                )
            )
        for package in found:
            path = folder.path / package
            try:
                if package in packages:
                    raise GameLoadError(
                        f"{packages[package]} has the same name: rename one of the folders", code="folder-name-twice"
                    )
                packages[package] = path
                _verify_package(package)
                game = _import_game(package)
                _verify_game(game)
                verify_declarations(game)
                if folder is not _OWN:  # of the package's own games tests ask it
                    verify_rule_language(game)
                    _load_files(game)
                if game.id in games:
                    raise GameLoadError(
                        f"the id {game.id} is in use by {games[game.id].folder}: choose another",
                        code="id-in-use",
                        game=game.id,
                        folder=games[game.id].folder,
                    )
            except _MODULE_ERRORS as error:
                errors.append(
                    GameLoadError(
                        f"the game in {path} is left out: {_describe(error, path)}", code="game-left-out", path=path
                    )
                )
            else:
                games[game.id] = game
    return dict(sorted(games.items())), tuple(errors)


def _iter_packages(folder: Path) -> Iterator[str]:
    """Yield the names of the packages in a folder."""
    return (each.name for each in iter_modules([str(folder)]) if each.ispkg and not each.name.startswith("_"))


def _verify_package(package: str) -> None:
    """Check that a folder can be imported (raises GameLoadError)."""
    if not package.isidentifier():
        raise GameLoadError(
            "its name is not a valid Python name: write letters, digits and _, as three_card_poker", code="folder-name"
        )


def _explain_emptiness(folder: Path) -> str:
    """Explain why no game is found in a folder."""
    if not os.access(folder, os.F_OK):  # Path.exists raises an error where a parent cannot be read
        return "there is no such folder"
    if not folder.is_dir():
        return "it is a file: name the folder that holds the folders of games"
    if not os.access(folder, os.R_OK | os.X_OK):
        return "it cannot be read"
    return "there is no game in it: name the folder that holds the folders of games"


def _verify_game(game: Game) -> None:
    """Check the fields by which games are listed (raises GameLoadError)."""
    game_id: object = game.id
    if not isinstance(game_id, str) or not _ID_PATTERN.fullmatch(game_id):
        raise GameLoadError(
            f"its id is {quote(game_id)}: write words of lower-case letters and digits, joined by hyphens",
            code="invalid-id",
            game_id=game_id,
        )
    for name in ("name", "summary"):
        text = getattr(game, name)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            raise GameLoadError(
                f"its {name} is {quote(text)}: write a line of text", code="invalid-text", name=name, text=text
            )
    if not isinstance(game.deck, Deck):
        raise GameLoadError(
            f"its deck is {quote(game.deck)}: give a Deck of pitboss.cards", code="invalid-deck", deck=game.deck
        )


def _load_files(game: Game) -> None:
    """Load the files that every list of games reads (raises PitbossError).

    Their readers are imported only here: a command that needs no pay table starts in half the time.
    """
    from pitboss.paytables import load_builtin_paytables
    from pitboss.strategies import load_strategies

    tables = load_builtin_paytables(game)
    for kind in {table.kind for table in tables}:
        defaults = [table.default for table in tables if table.kind == kind]
        if sum(defaults) != 1:
            raise GameLoadError(
                f"{sum(defaults)} of the {len(defaults)} pay tables for {kind} have default = true: write it in one",
                code="one-default",
                kind=kind,
            )
    load_strategies(game)


def _import_game(package: str) -> Game:
    """Import a game (raises GameLoadError, and whatever its module raises)."""
    with redirect_stdout(sys.stderr):  # what it prints is not part of a command's output
        game = getattr(import_module(f"{__name__}.{package}"), "GAME", None)
    if not isinstance(game, Game):
        raise GameLoadError("its __init__.py has no GAME = Game(...)", code="no-game")
    return game


def _describe(error: BaseException, folder: Path) -> str:
    """Return what an exception says.

    One that is not of this program is named by its type, and by its line in the folder.
    """
    if isinstance(error, PitbossError):
        return str(error)
    is_placed = isinstance(error, SyntaxError)  # it says itself where it is
    frames = () if is_placed else extract_tb(error.__traceback__)
    lines = [each for each in frames if Path(each.filename).is_relative_to(folder)]
    place = f"{Path(lines[-1].filename).name}, line {lines[-1].lineno}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"


def load_games() -> dict[str, Game]:
    """Return every game that can be loaded, by id.

    >>> load_games()["six-card"].name
    'Six Card Poker'
    """
    return _discover()[0]


def list_load_errors() -> tuple[GameLoadError, ...]:
    """Return an error for each folder without a game that can be loaded."""
    return _discover()[1]


def load_game(name: str) -> Game:
    """Return the game with this id.

    Raises:
        UnknownNameError: no game has this id; the message says which folders are left out.
    """
    game = _load_own_game(name) or load_games().get(name)
    if game is None:
        raise UnknownNameError("game", name, load_games(), list_load_errors())
    return game


@cache
def _load_own_game(name: str) -> Game | None:
    """Load one of the package's own games alone; None if there is no such game.

    A command then waits for no other game.  A folder elsewhere cannot take the game's id: the package's own come first.
    """
    package = name.replace("-", "_")
    if package not in _iter_packages(_OWN.path):
        return None
    try:
        game = _import_game(package)
    except _MODULE_ERRORS:
        return None  # ``list_load_errors`` says why
    return game if game.id == name else None
