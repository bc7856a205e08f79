"""Stacked decks: shuffles in which rare hands are likelier.

A stacked deck is a shuffle in which one or two hands come from a few neighbouring cards, or in which the dealer gets
the ranks of a seat.  No hand is written down: which hands are rare, and whether there is one, only the rules say.
"""

from collections.abc import Iterator, Sequence

from pitboss.cards import FIRST_JOKER, draw_below, get_rank, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.table.round.procedure import deal_first_cards

_RANKS_OF_ONE_SUIT = 6
_RANKS_OF_ALL_SUITS = 2
_SUIT_SIZE = 13


def stack_deck(game: Game, seats: int, bits: BitSource) -> tuple[int, ...]:
    """Shuffle a deck in which rare hands are likelier.

    A hand or two come from neighbouring cards, or the dealer's has the ranks of a seat's.
    """
    deck = list(shuffle_cards(game.deck.cards, bits))
    places = _list_hand_places(game, seats)
    seat_places = [place for owner, place in places if owner is not None]
    dealer_places = [place for owner, place in places if owner is None]
    first = seat_places[draw_below(len(seat_places), bits)]
    kind = draw_below(4, bits)
    if kind == 0 and dealer_places:
        _place_cards(deck, dealer_places[0], tuple(_iter_partners([deck[each] for each in first], game, bits)), first)
        return tuple(deck)
    pool = _draw_neighbours(game, bits)
    _place_cards(deck, first, pool, ())
    if kind == 1 and len(seat_places) > 1:
        others = [each for each in seat_places if each != first]
        _place_cards(deck, others[draw_below(len(others), bits)], _draw_neighbours(game, bits), first)
    return tuple(deck)


def _list_hand_places(game: Game, seats: int) -> list[tuple[int | None, tuple[int, ...]]]:
    """List the places of the deck that make each hand; the dealer's is of None."""
    hands = dict[int | None, list[int]]()
    dealt = deal_first_cards(game, seats, range(game.deck.size))
    for event in dealt:
        if event.seat is not None or event.destination == "dealer":
            hands.setdefault(event.seat, []).extend(event.cards)
    return [(owner, tuple(place)) for owner, place in hands.items()]


def _draw_neighbours(game: Game, bits: BitSource) -> tuple[int, ...]:
    """Draw a few cards that are neighbours, in one suit or in all, in any order."""
    cards = [card for card in game.deck.cards if card < FIRST_JOKER]
    centre = cards[draw_below(len(cards), bits)]
    by_suit = draw_below(2, bits)
    span = _RANKS_OF_ONE_SUIT if by_suit else _RANKS_OF_ALL_SUITS
    low = get_rank(centre)
    near = [
        card
        for card in cards
        if low <= get_rank(card) < low + span and (not by_suit or card // _SUIT_SIZE == centre // _SUIT_SIZE)
    ]
    jokers = [card for card in game.deck.cards if card >= FIRST_JOKER]
    return tuple(shuffle_cards(near + jokers, bits))


def _iter_partners(cards: Sequence[int], game: Game, bits: BitSource) -> Iterator[int]:
    """Yield a card of the same rank as each of these, each once."""
    used = set(cards)
    for card in cards:
        same = [
            each
            for each in game.deck.cards
            if each < FIRST_JOKER and card < FIRST_JOKER and get_rank(each) == get_rank(card) and each not in used
        ]
        if same:
            chosen = same[draw_below(len(same), bits)]
            used.add(chosen)
            yield chosen


def _place_cards(deck: list[int], places: Sequence[int], cards: Sequence[int], kept: Sequence[int]) -> None:
    """Exchange cards of the deck so that ``cards`` lie at these places.

    Those at ``kept`` stay where they are.
    """
    fixed = {deck[place] for place in kept}
    for place, card in zip(places, (card for card in cards if card not in fixed), strict=False):
        other = deck.index(card)
        deck[place], deck[other] = deck[other], deck[place]
