"""How a game's table looks: ``layout.toml`` in the game's folder, its felt and where each circle lies."""

from functools import cache
from typing import Annotated

from pydantic import ConfigDict, Field

from pitboss.contract import Game
from pitboss.core.checked import Checked, toml_of
from pitboss.core.errors import PitbossError


class Layout(Checked):
    """A table's look: the felt's colour, a seat's circles in rows from the dealer to the rail, a hand to show."""

    model_config = ConfigDict(strict=False)

    felt: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
    rows: tuple[tuple[str, ...], ...]
    cover: str


@cache
def layout_of(game: Game) -> Layout:
    """Return the layout of a game's table.

    >>> from pitboss.games import game_named
    >>> layout_of(game_named("six-card")).rows[-1]
    ('play',)
    """
    return Layout.model_validate(toml_of(game.folder / "layout.toml", PitbossError))
