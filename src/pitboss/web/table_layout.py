"""How a game's table looks: its felt and where each circle lies, by ``layout.toml`` in its folder or by what it is."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated

from pydantic import ConfigDict, Field

from pitboss.cards import FIRST_JOKER, format_cards, get_rank
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.strict_model import StrictModel
from pitboss.table.optional_toml import load_optional_toml
from pitboss.table.round.bots import RANDOM_BOT, list_bots
from pitboss.table.session.available_wagers import get_circles

DEFAULT_FELT = "#1d4a3a"
"""The felt of a game that names none."""

_CIRCLES_PER_ROW = 3
_RANDOM_BOT_WORDS = {RANDOM_BOT: "does anything that is allowed"}


class WildRule(StrictModel):
    """Where a game's rules say which cards of a hand are wild: the ``rule`` asked, for a hand and a card.

    That card is what the rule ``by`` finds for a seat, and a field of its state for the dealer.
    """

    rule: str
    by: str
    dealers: str


class TableLayout(StrictModel):
    """A table's look: the felt's colour, a seat's circles in rows from the dealer to the rail, a hand to show.

    ``bots`` says in a few words what a bot does, by the id of its strategy; ``wild`` is for games
    whose wild cards are no Jokers.
    """

    model_config = ConfigDict(strict=False)

    felt: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")] = DEFAULT_FELT
    rows: tuple[tuple[str, ...], ...] = ()
    cover: str = ""
    bots: dict[str, str] = Field(default_factory=dict)
    wild: WildRule | None = None


@cache
def load_layout(game: Game) -> TableLayout:
    """Return the layout of a game's table: its own, and for what that leaves out what any game can have.

    >>> from pitboss.games import load_game
    >>> load_layout(game_named("six-card")).rows[-1]
    ('play',)

    Raises:
        PitbossError: the file is not in order.
    """
    own = load_optional_toml(game, "layout.toml", TableLayout) or TableLayout()
    return own.model_copy(
        update={"rows": own.rows or make_default_rows(game), "cover": own.cover or make_default_cover(game)}
    )


def make_default_rows(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return circles for all that may lie before a seat: side wagers, then the main wager, then its raises.

    >>> from pitboss.games import load_game
    >>> make_default_rows(game_named("wild-52"))
    (('bonus', 'joker'), ('ante',), ('play', 'option'))
    """
    main, *others = game.wagers
    beside = [
        circle for wager in others if wager.hand_owner is not HandOwner.OTHER_SEAT for circle in _list_circles(wager)
    ]
    placed = get_circles(main)
    raised = [circle for circle in _list_circles(main) if circle not in placed]
    return (*_split_rows(beside), *_split_rows(placed), *_split_rows(raised))


def _list_circles(wager: Wager) -> tuple[str, ...]:
    """Return where chips of a wager may ever lie: when it is placed, then when it is settled."""
    settled = (leg.circle for outcome in wager.outcomes for leg in outcome.legs)
    return tuple(dict.fromkeys((*get_circles(wager), *settled)))


def _split_rows(circles: Iterable[str]) -> Iterator[tuple[str, ...]]:
    in_order = tuple(dict.fromkeys(circles))
    return (in_order[first : first + _CIRCLES_PER_ROW] for first in range(0, len(in_order), _CIRCLES_PER_ROW))


def make_default_cover(game: Game) -> str:
    """Return as many cards as a seat is dealt, the highest of the first suit.

    >>> from pitboss.games import load_game
    >>> make_default_cover(game_named("six-card"))
    'As Ks Qs Js Ts 9s'
    """
    dealt = sum(zone.cards for zone in game.deal_order if zone.destination == "seat")
    best = sorted(
        (card for card in game.deck.cards if card < FIRST_JOKER), key=lambda card: (card // 13, -get_rank(card))
    )
    return format_cards(best[:dealt], game.deck)


def describe_bots(game: Game) -> dict[str, str]:
    """Say what each bot does that the game has; the usual one comes first.

    >>> from pitboss.games import load_game
    >>> describe_bots(game_named("shifting-wilds"))["always-lock"]
    'locks every hand'
    """
    words = _RANDOM_BOT_WORDS | load_layout(game).bots
    return {bot: words.get(bot, f"plays: {name}") for bot, name in list_bots(game).items()}
