"""The layout of a game's table: the felt and the circles.

It comes from the game's ``layout.toml``, or has default values.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated

from pydantic import ConfigDict, Field

from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, format_cards, get_rank
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.errors import UnknownNameError
from pitboss.core.strict_model import StrictModel, describe_pattern
from pitboss.table.optional_toml import load_optional_toml
from pitboss.table.round.bots import RANDOM_BOT, list_bots
from pitboss.table.session.available_wagers import get_circles

DEFAULT_FELT = "#1d4a3a"
"""The felt colour of a game whose layout names none."""

_CIRCLES_PER_ROW = 3
_MOST_ON_COVER = 5
_RANDOM_BOT_WORDS = {RANDOM_BOT: "picks any legal action at random"}


class GuideWords(StrictModel):
    """What a newcomer reads in the first rounds.

    ``wagers`` is about the circles.  ``decisions`` has a text for each decision, by its id.
    """

    model_config = ConfigDict(strict=False)

    wagers: str = ""
    decisions: dict[str, str] = Field(default_factory=dict)


class HandCondition(StrictModel):
    """The cards on which a hand depends while a decision is open.

    They are those of ``zone``; ``words`` say so after the name of the hand.
    """

    model_config = ConfigDict(strict=False)

    zone: str
    words: str


class TableLayout(StrictModel):
    """A table's layout.

    It has the felt colour, a seat's circles in rows from the dealer to the rail, and a hand for the cover.  ``bots``
    describes each bot in a few words, by the id of its strategy.  ``guide`` has the words for somebody's first rounds.
    ``circles`` names circles that the actions at the table call otherwise than the printed layout.
    ``option_words`` has, for the values of options other than the default, which words of the rules change into which.
    ``made_if`` says, by the id of a decision that is still open, on what the hand named below the cards depends.
    """

    model_config = ConfigDict(strict=False)

    felt: Annotated[str, Field(pattern=describe_pattern(r"^#[0-9a-f]{6}$", "a colour, for example #0b5d3b"))] = (
        DEFAULT_FELT
    )
    rows: tuple[tuple[str, ...], ...] = ()
    cover: str = ""
    bots: dict[str, str] = Field(default_factory=dict)
    guide: GuideWords = GuideWords()
    made_if: dict[str, HandCondition] = Field(default_factory=dict)
    circles: dict[str, str] = Field(default_factory=dict)
    option_words: dict[str, dict[str, dict[str, str]]] = Field(default_factory=dict)


@cache
def load_layout(game: Game) -> TableLayout:
    """Return the layout of a game's table.

    What the game's ``layout.toml`` leaves out has default values.

    >>> from pitboss.games import load_game
    >>> load_layout(load_game("six-card")).rows[-1]
    ('play',)

    Raises:
        PitbossError: the file is not valid.
        UnknownNameError: its guide is about a decision that the game does not have.
    """
    own = load_optional_toml(game, "layout.toml", TableLayout) or TableLayout()
    for decision in own.guide.decisions:
        if decision not in (each.id for each in game.decisions):
            raise UnknownNameError("decision", decision, (each.id for each in game.decisions))
    return own.model_copy(
        update={"rows": own.rows or make_default_rows(game), "cover": own.cover or make_default_cover(game)}
    )


def make_default_rows(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return the circles of a seat in rows.

    Side wagers come first, then the main wager, then its raises.

    >>> from pitboss.games import load_game
    >>> make_default_rows(load_game("wild-52"))
    (('bonus', 'joker'), ('ante',), ('play', 'option'))
    """
    main, *others = game.wagers
    side = [
        circle for wager in others if wager.hand_owner is not HandOwner.OTHER_SEAT for circle in _list_circles(wager)
    ]
    first = get_circles(main)
    raises = [circle for circle in _list_circles(main) if circle not in first]
    return (*_split_rows(side), *_split_rows(first), *_split_rows(raises))


def find_circle_wager(game: Game, circle: str) -> Wager:
    """Return the wager whose chips may lie in a circle.

    It is the main wager if none names the circle.

    >>> from pitboss.games import load_game
    >>> find_circle_wager(load_game("six-card"), "play").id
    'main'
    """
    return next((wager for wager in game.wagers if circle in _list_circles(wager)), game.main)


def name_circle(game: Game, circle: str) -> str:
    """Return a circle's name as the actions at the table have it.

    >>> from pitboss.games import load_game
    >>> name_circle(load_game("wild-52"), "option"), name_circle(load_game("six-card"), "aces-up")
    ('Play again', 'Aces Up')
    """
    return load_layout(game).circles.get(circle, display_name(circle).title())


def _list_circles(wager: Wager) -> tuple[str, ...]:
    """Return the circles that a wager's chips may use.

    Those used when it is placed come first, then those used when it is settled.
    """
    settled = (leg.circle for outcome in wager.outcomes for leg in outcome.legs)
    return tuple(dict.fromkeys((*get_circles(wager), *settled)))


def _split_rows(circles: Iterable[str]) -> Iterator[tuple[str, ...]]:
    in_order = tuple(dict.fromkeys(circles))
    return (in_order[first : first + _CIRCLES_PER_ROW] for first in range(0, len(in_order), _CIRCLES_PER_ROW))


def make_default_cover(game: Game) -> str:
    """Return the highest cards of the first suit, as many as a seat is dealt.

    There are at most five.

    >>> from pitboss.games import load_game
    >>> make_default_cover(load_game("six-card"))
    'As Ks Qs Js Ts'
    """
    card_count = sum(zone.cards for zone in game.deal_order if zone.destination == "seat")
    best = sorted(
        (card for card in game.deck.cards if card < FIRST_JOKER), key=lambda card: (card // 13, -get_rank(card))
    )
    return format_cards(best[: min(card_count, _MOST_ON_COVER)], game.deck)


def describe_bots(game: Game) -> dict[str, str]:
    """Return a description of each bot of the game, the default bot first.

    >>> from pitboss.games import load_game
    >>> describe_bots(load_game("shifting-wilds"))["always-lock"]
    'locks every hand'
    """
    words = _RANDOM_BOT_WORDS | load_layout(game).bots
    return {bot: words.get(bot, f"plays: {name}") for bot, name in list_bots(game).items()}
