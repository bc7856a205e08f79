"""How a game's table looks: its felt and where each circle lies, by ``layout.toml`` in its folder or by what it is."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated

from pydantic import ConfigDict, Field

from pitboss.cards import FIRST_JOKER, format_cards, get_rank
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.strict_model import StrictModel
from pitboss.table.domain.bots import CHANCE, bots_of
from pitboss.table.papers import paper
from pitboss.table.sitting.offered import circles_of

FELT = "#1d4a3a"
"""The felt of a game that names none."""

_ABREAST = 3
_BY_CHANCE = {CHANCE: "does anything that is allowed"}


class Wild(StrictModel):
    """Where a game's rules say which cards of a hand are wild: the ``rule`` asked, for a hand and a card.

    That card is what the rule ``by`` finds for a seat, and a field of its state for the dealer.
    """

    rule: str
    by: str
    dealers: str


class Layout(StrictModel):
    """A table's look: the felt's colour, a seat's circles in rows from the dealer to the rail, a hand to show.

    ``bots`` says in a few words what a bot does, by the id of its strategy; ``wild`` is for games
    whose wild cards are no Jokers.
    """

    model_config = ConfigDict(strict=False)

    felt: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")] = FELT
    rows: tuple[tuple[str, ...], ...] = ()
    cover: str = ""
    bots: dict[str, str] = Field(default_factory=dict)
    wild: Wild | None = None


@cache
def layout_of(game: Game) -> Layout:
    """Return the layout of a game's table: its own, and for what that leaves out what any game can have.

    >>> from pitboss.games import load_game
    >>> layout_of(game_named("six-card")).rows[-1]
    ('play',)

    Raises:
        PitbossError: the file is not in order.
    """
    own = paper(game, "layout.toml", Layout) or Layout()
    return own.model_copy(update={"rows": own.rows or usual_rows(game), "cover": own.cover or usual_cover(game)})


def usual_rows(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return circles for all that may lie before a seat: side wagers, then the main wager, then its raises.

    >>> from pitboss.games import load_game
    >>> usual_rows(game_named("wild-52"))
    (('bonus', 'joker'), ('ante',), ('play', 'option'))
    """
    main, *others = game.wagers
    beside = [circle for wager in others if wager.hand_owner is not HandOwner.OTHER_SEAT for circle in _circles(wager)]
    placed = circles_of(main)
    raised = [circle for circle in _circles(main) if circle not in placed]
    return (*_abreast(beside), *_abreast(placed), *_abreast(raised))


def _circles(wager: Wager) -> tuple[str, ...]:
    """Return where chips of a wager may ever lie: when it is placed, then when it is settled."""
    settled = (leg.circle for outcome in wager.outcomes for leg in outcome.legs)
    return tuple(dict.fromkeys((*circles_of(wager), *settled)))


def _abreast(circles: Iterable[str]) -> Iterator[tuple[str, ...]]:
    in_order = tuple(dict.fromkeys(circles))
    return (in_order[first : first + _ABREAST] for first in range(0, len(in_order), _ABREAST))


def usual_cover(game: Game) -> str:
    """Return as many cards as a seat is dealt, the highest of the first suit.

    >>> from pitboss.games import load_game
    >>> usual_cover(game_named("six-card"))
    'As Ks Qs Js Ts 9s'
    """
    dealt = sum(zone.cards for zone in game.deal_order if zone.destination == "seat")
    best = sorted(
        (card for card in game.deck.cards if card < FIRST_JOKER), key=lambda card: (card // 13, -get_rank(card))
    )
    return format_cards(best[:dealt], game.deck)


def bot_words(game: Game) -> dict[str, str]:
    """Say what each bot does that the game has; the usual one comes first.

    >>> from pitboss.games import load_game
    >>> bot_words(game_named("shifting-wilds"))["always-lock"]
    'locks every hand'
    """
    words = _BY_CHANCE | layout_of(game).bots
    return {bot: words.get(bot, f"plays: {name}") for bot, name in bots_of(game).items()}
