"""Learn from a game's ``deal`` which places of the deck it tells apart.

No second description of a game is written: shuffled decks of different cards are dealt, and the fields of the state
that hold a place's card are the place's.  Places held by the same fields are exchangeable, because the rules see
nothing but the state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pitboss.cards import seeded_bits, shuffle_deck
from pitboss.contract import Game, HandOwner
from pitboss.core.errors import PitbossError

_DECKS = 12
"""How many shuffled decks are dealt: a field that holds a card in all of them by chance has odds below 1e-9."""


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """Places of the deck that the rules cannot tell apart.

    ``fields`` are the fields of the state that hold their cards, as sets; ``places`` are indexes into the deck.
    """

    fields: tuple[str, ...]
    places: tuple[int, ...]


def list_counted_wagers(game: Game) -> tuple[int, ...]:
    """Return the wagers that a round of one seat decides.

    They are all but those on another seat's hand.

    >>> from pitboss.games import load_game
    >>> list_counted_wagers(load_game("lunar"))
    (0, 1, 3)
    """
    return tuple(index for index, wager in enumerate(game.wagers) if wager.hand_owner is not HandOwner.OTHER_SEAT)


def deal_one_seat(game: Game, deck: Sequence[int]) -> Any:
    """Deal a round of one seat that stakes on each of these wagers."""
    return game.rules.deal(deck, 1, 0, sum(1 << index for index in list_counted_wagers(game)))


def clear_cards(groups: Sequence[PlaceGroup], state: Any) -> Any:
    """Return a state without the cards of these groups."""
    return state._replace(**{field: 0 for group in groups for field in group.fields})


def learn_place_groups(game: Game) -> tuple[PlaceGroup, ...]:
    """Return the groups of places that a one-seat round reads, in deck order.

    Places that no field of the state holds cannot be read by any rule, and are left out: they are burnt.

    >>> from pitboss.games import load_game
    >>> [(group.fields, len(group.places)) for group in learn_place_groups(load_game("six-card"))]
    [(('player',), 6), (('exposed',), 3), (('hidden',), 3)]

    Raises:
        PitbossError: a field of the state is neither a set of dealt cards nor a number that the cards do not change, or
            one card lies in two fields and another in none.
    """
    bits = seeded_bits(0)
    decks = [shuffle_deck(game.deck, bits) for _ in range(_DECKS)]
    states = [deal_one_seat(game, deck) for deck in decks]
    dealt, fields = game.rules.count_dealt(1), type(states[0])._fields
    # A number that is the same for every deck is not a set of cards, even -1, which has every bit.
    changing = [field for field in fields if len({getattr(state, field) for state in states}) > 1]
    held_by = [
        tuple(
            field
            for field in changing
            if all(getattr(state, field) >> deck[place] & 1 for state, deck in zip(states, decks, strict=True))
        )
        for place in range(dealt)
    ]
    for field in changing:
        places = [place for place in range(dealt) if field in held_by[place]]
        sets = [sum(1 << deck[place] for place in places) for deck in decks]
        values = [getattr(state, field) for state in states]
        if not places or values != sets:
            raise PitbossError(
                f"deal of {game.id} puts something other than whole cards into {field}: write a set of cards there, "
                "or a number that is the same for every deck",
                code="derived-field",
                game=game.id,
                field=field,
            )
    twice = next((place for place in range(dealt) if len(held_by[place]) > 1), None)
    unread = next((place for place in range(dealt) if not held_by[place]), None)
    if twice is not None and unread is not None:
        raise PitbossError(
            f"deal of {game.id} puts card {twice + 1} into {' and '.join(held_by[twice])}, and card {unread + 1} into "
            "no field: put each card into one field",
            code="card-in-two-fields",
            game=game.id,
            fields=held_by[twice],
        )
    order = sorted((place for place in range(dealt) if held_by[place]), key=lambda place: held_by[place])
    groups = [PlaceGroup(held, tuple(places)) for held, places in groupby(order, key=lambda place: held_by[place])]
    return tuple(sorted(groups, key=lambda group: group.places))


def split_known(groups: Sequence[PlaceGroup], known: Sequence[int], *, apart: bool = False) -> tuple[PlaceGroup, ...]:
    """Split places that a seat knows off their groups, and put them last.

    Known places that no rule reads are a group of their own, or each is one if they are ``apart``: what is drawn from
    them depends on their order.

    >>> split_known((PlaceGroup(("player",), (0, 1)), PlaceGroup(("dealer",), (2, 3))), (3, 9))[1:]
    (PlaceGroup(fields=('dealer',), places=(2,)), PlaceGroup(fields=('dealer',), places=(3,)), \
PlaceGroup(fields=(), places=(9,)))
    """
    read = {place for group in groups for place in group.places}
    kept = [PlaceGroup(group.fields, tuple(each for each in group.places if each not in known)) for group in groups]
    split = [PlaceGroup(group.fields, tuple(each for each in group.places if each in known)) for group in groups]
    unread = [each for each in known if each not in read]
    others = [PlaceGroup((), (each,)) for each in unread] if apart else [PlaceGroup((), tuple(unread))]
    return tuple(group for group in (*kept, *split, *others) if group.places)


def find_known(groups: Sequence[PlaceGroup], known: Sequence[int]) -> frozenset[int]:
    """Return the groups all of whose places a seat knows, as indexes."""
    return frozenset(index for index, group in enumerate(groups) if set(group.places) <= set(known))
