"""How a game's table looks: ``layout.toml`` in the game's folder, its felt and where each circle lies."""

from functools import cache
from typing import Annotated

from pydantic import ConfigDict, Field

from pitboss.contract import Game
from pitboss.core.checked import Checked, toml_of
from pitboss.core.errors import PitbossError
from pitboss.strategies import strategies


class Wild(Checked):
    """Where a game's rules say which cards of a hand are wild: the ``rule`` asked, for a hand and a card.

    That card is what the rule ``by`` finds for a seat, and a field of its state for the dealer.
    """

    rule: str
    by: str
    dealers: str


class Layout(Checked):
    """A table's look: the felt's colour, a seat's circles in rows from the dealer to the rail, a hand to show.

    ``bots`` says in a few words what a bot does, by the id of its strategy; ``wild`` is for games
    whose wild cards are no Jokers.
    """

    model_config = ConfigDict(strict=False)

    felt: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
    rows: tuple[tuple[str, ...], ...]
    cover: str
    bots: dict[str, str] = Field(default_factory=dict)
    wild: Wild | None = None


@cache
def layout_of(game: Game) -> Layout:
    """Return the layout of a game's table.

    >>> from pitboss.games import game_named
    >>> layout_of(game_named("six-card")).rows[-1]
    ('play',)
    """
    return Layout.model_validate(toml_of(game.folder / "layout.toml", PitbossError))


def bot_words(game: Game) -> dict[str, str]:
    """Say what a bot does with each strategy that the game has; the practical one comes first.

    >>> from pitboss.games import game_named
    >>> bot_words(game_named("shifting-wilds"))["always-lock"]
    'locks every hand'
    """
    return {each.id: layout_of(game).bots.get(each.id, f"plays: {each.name}") for each in strategies(game)}
