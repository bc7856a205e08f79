"""Games outside the package, written for a test."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest

import pitboss.games
from pitboss.core.game_folders import VARIABLE
from pitboss.table.session import state
from pitboss.table.training.drills import count_claims, deal_drill
from pitboss.web.game_lists import load_games_with
from pitboss.web.jobs import worker
from pitboss.web.pages.assets import render_felts
from pitboss.web.pages.round_check import build_saved_page

_BY_GAMES: tuple[Any, ...] = (
    vars(pitboss.games)["_discover"],
    vars(worker)["_index_parts"],
    build_saved_page,
    count_claims,
    deal_drill,
    vars(state)["_open_cached_round"],
    load_games_with,
    render_felts,
)
"""What a process finds once, for the games that it has then."""

WHOLE = "from dataclasses import replace\nfrom pathlib import Path\nfrom pitboss.games.six_card import GAME\n"
ANOTHER = WHOLE + "GAME = replace(GAME, id='another', name='Another', folder=Path(__file__).parent)\n"

PAY_TABLES = Path(__file__).parent.parent / "src/pitboss/games/six_card/paytables.toml"


def write_game(folder: Path, name: str, source: str = ANOTHER, **files: str) -> Path:
    """Write a game's folder: its ``__init__.py``, Six Card's pay tables, and ``files`` as TOML."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "__init__.py").write_text(source, encoding="utf-8")
    (made / "paytables.toml").write_bytes(PAY_TABLES.read_bytes())
    for stem, text in files.items():
        (made / f"{stem}.toml").write_text(text, encoding="utf-8")
    return made


@contextmanager
def finding_games(folder: Path) -> Iterator[None]:
    """Let this process find the games of a folder too, as they are written now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, os.pathsep.join(filter(None, (os.environ.get(VARIABLE), str(folder)))))
        patch.setattr(pitboss.games, "__path__", [*pitboss.games.__path__, str(folder)])
        _forget_games()
        try:
            yield
        finally:
            patch.undo()
            _forget_games()


def forget_modules(package: str) -> None:
    """Forget the modules of a game whose files are written anew."""
    invalidate_caches()
    for name in [each for each in sys.modules if f"{each}.".startswith(f"pitboss.games.{package}.")]:
        del sys.modules[name]


def _forget_games() -> None:
    for found in _BY_GAMES:
        found.cache_clear()
