"""List the leaks of a game: what a seat could see that it should not.

A leak is more places of the deck that a seat knows before its first decision, or only the rank or the colour of one.
Which places a seat does not know is learned from the rules, as for a solution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pitboss.cards import FIRST_JOKER, RANK_COUNT
from pitboss.contract import Game
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.engine.plan import SeenPlaces, make_plan

_HEARTS, _DIAMONDS = 1, 2


class SeenAspect(StrEnum):
    """What of a card is seen."""

    CARD = "card"
    RANK = "rank"
    COLOUR = "colour"


class LeakKind(StrEnum):
    """Whose cards a leak shows."""

    DEALER = "dealer"
    COMMUNITY = "community"
    STUB = "stub"
    NEIGHBOURS = "neighbours"


@dataclass(frozen=True, slots=True)
class CardLeak:
    """What a seat sees that it should not, before its first decision.

    ``places`` are indexes into the deck of a one-seat round; those after the cards dealt are the stub's, from the top,
    or a neighbour's, which are as good as any cards that take no part in the round.  ``aspect`` says what of the cards
    is seen; one that is not the whole card is of one place.
    """

    id: str
    sees: str
    kind: LeakKind
    places: tuple[int, ...]
    aspect: SeenAspect = SeenAspect.CARD


def list_leaks(game: Game) -> tuple[CardLeak, ...]:
    """Return the leaks of a game.

    >>> from pitboss.games import load_game
    >>> [leak.id for leak in list_leaks(load_game("six-card"))][:5]
    ['dealer-1', 'dealer-2', 'dealer-3', 'dealer-1-rank', 'dealer-1-colour']

    Raises:
        WagerError: the game asks the player nothing.
        PitbossError: ``deal`` puts something other than whole cards into the state.
    """
    if not game.decisions:
        raise WagerError(f"{game.id} asks for no decision: no leak can change one", code="no-decision", game=game.id)
    unseen = [seen for seen in make_plan(game).places if seen.decision != game.decisions[0].id]
    dealers = _find_dealer_places(game)
    hidden = [place for seen in unseen for place in seen.places if place in dealers]
    board = [seen for seen in unseen if not set(seen.places) <= dealers]
    leaks = [*_iter_dealer_leaks(hidden), *_iter_board_leaks(board), *_iter_stub_leaks(game)]
    return (*leaks, *_iter_neighbour_leaks(game))


def find_leak(game: Game, name: str) -> CardLeak:
    """Return the leak of a game with this id.

    Raises:
        UnknownNameError: the game has no such leak.
    """
    leaks = {leak.id: leak for leak in list_leaks(game)}
    if name not in leaks:
        raise UnknownNameError("leak", name, leaks)
    return leaks[name]


def classify_cards(cards: Sequence[int], aspect: SeenAspect) -> tuple[int, ...]:
    """Return the sets of cards that look the same under an aspect.

    >>> [f"{cards:b}" for cards in classify_cards([0, 1, 13], SeenAspect.RANK)]
    ['10000000000001', '10']
    """
    classes: dict[tuple[str, int], int] = {}
    for card in cards:
        value = ("joker", 0) if card >= FIRST_JOKER else (aspect.value, _look_at(card, aspect))
        classes[value] = classes.get(value, 0) | 1 << card
    return tuple(classes.values())


def _look_at(card: int, aspect: SeenAspect) -> int:
    if aspect is SeenAspect.COLOUR:
        return int(card // RANK_COUNT in (_HEARTS, _DIAMONDS))
    return card % RANK_COUNT if aspect is SeenAspect.RANK else card


def _find_dealer_places(game: Game) -> frozenset[int]:
    """Return the places of a one-seat deal that go to the dealer."""
    places, first = list[int](), 0
    for zone in game.deal_order:
        if zone.destination == "dealer":
            places += range(first, first + zone.cards)
        first += zone.cards
    return frozenset(places)


def _iter_dealer_leaks(hidden: Sequence[int]) -> Iterator[CardLeak]:
    for count in range(1, len(hidden) + 1):
        cards = "one" if count == 1 else "all" if count == len(hidden) else str(count)
        sees = f"{cards} of the dealer's {len(hidden)} hidden cards" if len(hidden) > 1 else "the dealer's hidden card"
        yield CardLeak(f"dealer-{count}", sees, LeakKind.DEALER, tuple(hidden[:count]))
    for aspect in (SeenAspect.RANK, SeenAspect.COLOUR) if hidden else ():
        sees = f"the {aspect.value} of one of the dealer's hidden cards"
        yield CardLeak(f"dealer-1-{aspect.value}", sees, LeakKind.DEALER, (hidden[0],), aspect)


def _iter_board_leaks(board: Sequence[SeenPlaces]) -> Iterator[CardLeak]:
    """Yield each group of cards that is opened late, seen early."""
    for seen in board:
        name = seen.fields[0].replace("_", "-")
        for count in range(1, len(seen.places) + 1):
            number = f"-{count}" if len(seen.places) > 1 else ""
            cards = f"{count} of {len(seen.places)} cards" if len(seen.places) > 1 else "the card"
            sees = f"{cards} of {name} before the first decision"
            yield CardLeak(f"early-{name}{number}", sees, LeakKind.COMMUNITY, seen.places[:count])
        for aspect in (SeenAspect.RANK, SeenAspect.COLOUR):
            sees = f"the {aspect.value} of a card of {name} before the first decision"
            yield CardLeak(f"early-{name}-{aspect.value}", sees, LeakKind.COMMUNITY, seen.places[:1], aspect)
    places = tuple(place for seen in board for place in seen.places)
    if len(board) > 1:
        yield CardLeak("early-all", "all cards that are opened later", LeakKind.COMMUNITY, places)


def _iter_stub_leaks(game: Game) -> Iterator[CardLeak]:
    """Yield the top cards of the stub, as many as an action can draw."""
    most = max(action.draws for decision in game.decisions for action in decision.actions)
    first = game.rules.count_dealt(1)
    for count in range(1, most + 1):
        sees = f"the top {count} cards of the stub" if count > 1 else "the top card of the stub"
        yield CardLeak(f"stub-{count}", sees, LeakKind.STUB, tuple(range(first, first + count)))


def _iter_neighbour_leaks(game: Game) -> Iterator[CardLeak]:
    """Yield the hands of other seats, shared by one to all of them."""
    size, first = sum(zone.cards for zone in game.deal_order if zone.destination == "seat"), game.rules.count_dealt(1)
    for count in range(1, game.seats):
        sees = f"the hands of {count} neighbours" if count > 1 else "the hand of a neighbour"
        places = tuple(range(first, first + count * size))
        yield CardLeak(f"neighbours-{count}", sees, LeakKind.NEIGHBOURS, places)
