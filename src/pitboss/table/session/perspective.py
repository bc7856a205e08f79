"""The round in play, or the last one, as a seat sees it.

It has the cards, the names of the hands, and which of the cards count.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.builders import display_name
from pitboss.cards import NATURALS_MASK, bit, format_card, make_mask, popcount
from pitboss.core.errors import CardError
from pitboss.hands import NO_HAND, find_best_five, format_hand, load_hand_tables
from pitboss.table.round.driver import Round
from pitboss.table.round.events import CardsDealt, CardsShown, RoundEvent, find_decisions
from pitboss.table.round.visible_state import compute_reduced_state, compute_visible_state
from pitboss.table.session.state import TableSession

Json = dict[str, Any]

_HAND = 5
_DEALER = "dealer"


class CountedHand(NamedTuple):
    """The cards that make a hand.

    ``wild`` has the card that each wild one among them stands for.
    """

    cards: frozenset[str] = frozenset()
    wild: Mapping[str, str] = MappingProxyType({})


class Perspective:
    """The round in play, or the last one, as a seat sees it."""

    def __init__(self, session: TableSession, seat: int | None) -> None:
        """Look at a session from ``seat``, with None as a spectator."""
        self.session = session
        self.seat = seat
        self.round = session.round
        self._visible_masks: dict[int | None, int] = {}
        self._visible_states: dict[int | None, tuple[int, Any] | None] = {}
        self.own_index = session.round_seats.index(seat) if seat is not None and self.is_dealt_in(seat) else None

    def is_dealt_in(self, seat: int) -> bool:
        """Return whether the seat's present holder was dealt the hand that lies there."""
        held = self.session.seats.get(seat)
        if self.round is None or held is None or seat not in self.session.round_seats:
            return False
        return self.session.round_holders[self.session.round_seats.index(seat)] == held.holder

    def get_events(self) -> tuple[RoundEvent, ...]:
        """Return the events of the round."""
        return self.round.events if self.round is not None else ()

    def get_visible_mask(self, seat_index: int | None) -> int:
        """Return a mask of a seat's visible cards, with None of those in the middle.

        Each place has its own mask: a discard may come to another hand (LU-11), and neither hand reveals it.
        """
        if seat_index in self._visible_masks:
            return self._visible_masks[seat_index]
        shown = (event for event in self.get_events() if isinstance(event, CardsShown) and event.seat == seat_index)
        visible = make_mask({card for event in shown for card in event.cards})
        if self.round is not None and seat_index is not None and seat_index == self.own_index:
            own = make_mask({card for event in self._find_deals_to(seat_index) for card in event.cards})
            for cards in self.round.get_view(seat_index):
                visible |= cards & own
        self._visible_masks[seat_index] = visible
        return visible

    def _find_deals_to(self, seat_index: int) -> Iterator[CardsDealt]:
        return (event for event in self.get_events() if isinstance(event, CardsDealt) and event.seat == seat_index)

    def format_visible_cards(self, cards: Iterable[int], seat_index: int | None) -> list[str | None]:
        """Format a seat's cards, or with None the middle's; hidden cards are None."""
        if self.round is None:
            return []
        visible = self.get_visible_mask(seat_index)
        return [format_card(card, self.round.game.deck) if visible >> card & 1 else None for card in cards]

    def split_hand(self, seat_index: int) -> tuple[list[int], list[int]]:
        """Return a seat's cards and its discards, in the order in which they came."""
        discards = {card for event in find_decisions(self.get_events(), seat_index) for card in event.cards}
        dealt = [card for event in self._find_deals_to(seat_index) for card in event.cards]
        return [card for card in dealt if card not in discards], [card for card in dealt if card in discards]

    def build_zones(self) -> Iterator[Json]:
        """Yield the cards before the dealer and in the middle, in the order of the deal."""
        zones: dict[str, list[int]] = {}
        for event in self.get_events():
            if isinstance(event, CardsDealt) and event.seat is None:
                zones.setdefault(event.destination, []).extend(event.cards)
        for zone, cards in zones.items():
            yield {
                "zone": zone.lower(),
                "name": display_name(zone).capitalize(),
                "cards": self.format_visible_cards(cards, None),
            }

    def get_visible_state(self, seat_index: int | None) -> Any:
        """Return a seat's state, with None the dealer's, from the visible cards only.

        The result is None if the visible cards do not decide the hand.
        """
        found = self._find_visible_state(seat_index)
        return found and found[1]

    def _find_visible_state(self, seat_index: int | None) -> tuple[int, Any] | None:
        """Return the seat index whose state decides a hand, and that state."""
        if seat_index not in self._visible_states:
            self._visible_states[seat_index] = self._compute_visible_state(seat_index)
        return self._visible_states[seat_index]

    def _compute_visible_state(self, seat_index: int | None) -> tuple[int, Any] | None:
        """Compute what ``_find_visible_state`` returns.

        Cards that Force turned up are only in the states of seats that forced (LU-10).  So the dealer's state is that
        of the viewer's own hand, and for one without a hand the one with the most cards.
        """
        if self.round is None or not self.round.is_dealt:
            return None
        game_round, middle = self.round, self.get_visible_mask(None)
        if seat_index is not None:
            own = self.get_visible_mask(seat_index)
            state = compute_visible_state(game_round, seat_index, own, middle) if own else None
            return None if state is None else (seat_index, state)
        if not game_round.is_dealer_open:
            return None
        known = dict(self._compute_dealers_states(game_round, middle))
        if self.own_index in known:
            return self.own_index, known[self.own_index]
        view = game_round.game.rules.view
        return max(known.items(), key=lambda found: sum(map(popcount, view(found[1]))), default=None)

    @staticmethod
    def _compute_dealers_states(game_round: Round, middle: int) -> Iterator[tuple[int, Any]]:
        """Yield the seats whose dealer's hand is decided, with their states."""
        for seat_index in range(game_round.seats):
            state = compute_visible_state(game_round, seat_index, None, middle)
            if state is not None:
                yield seat_index, state

    def name_dealers_hands(self) -> dict[int, str]:
        """Name the dealer's hand that counts for each seat, by its number.

        A card that Force turned counts only for those who forced (LU-10).  There are none before the dealer's hand is
        open.
        """
        if self.round is None or not self.round.is_dealer_open:
            return {}
        states = self._compute_dealers_states(self.round, self.get_visible_mask(None))
        hands = ((self.session.round_seats[each], self._rank_hand(state, None)) for each, state in states)
        return {seat: format_hand(hand) for seat, hand in hands if hand != NO_HAND}

    def name_hand(self, seat_index: int | None) -> str:
        """Name a seat's hand, with None the dealer's; "" if it is not decided."""
        state = self.get_visible_state(seat_index)
        hand = NO_HAND if state is None else self._rank_hand(state, seat_index)
        return format_hand(hand) if hand != NO_HAND else ""

    def name_hand_without(self, zone: str) -> str:
        """Name one's own hand as it would be without the cards of a zone in the middle."""
        if self.round is None or self.own_index is None:
            return ""
        middle = self.get_visible_mask(None) & ~make_mask(self._iter_cards_in(zone))
        state = compute_reduced_state(self.round, self.own_index, self.get_visible_mask(self.own_index), middle)
        hand = self._rank_hand(state, self.own_index)
        return format_hand(hand) if hand != NO_HAND else ""

    def _rank_hand(self, state: Any, seat_index: int | None) -> int:
        """Return the strength of a seat's hand in a state, with None the dealer's."""
        if self.round is None:
            return NO_HAND
        player, dealer = self.round.game.rules.evaluate_hands(load_hand_tables(), state, self.round.option_codes)
        return int(dealer if seat_index is None else player)

    def find_counted_hand_at(self, seat: int | None) -> CountedHand:
        """Return the cards that make a seat's hand, with None the dealer's.

        There are none if the hand is not decided.  The game's own rules say which: without a card that does not count,
        they find the same strength.
        """
        if seat is not None and not self.is_dealt_in(seat):
            return CountedHand()
        seat_index = None if seat is None else self.session.round_seats.index(seat)
        found = self._find_visible_state(seat_index)
        strength = NO_HAND if found is None else self._rank_hand(found[1], seat_index)
        if self.round is None or found is None or strength == NO_HAND:
            return CountedHand()
        own, middle = self._keep_counting(seat_index, found[0], strength)
        marked = self.round.game.find_wild_cards
        masks = marked(found[1]) if marked else (0, 0)
        wild = (masks[seat_index is None] | ~NATURALS_MASK) & (own | middle)
        try:
            five = find_best_five((own | middle) & ~wild, popcount(wild), strength)
        except CardError:  # a game may rank hands by an order of its own
            return CountedHand()
        return self._name_counted(five, (own | middle) & ~wild, wild)

    def _keep_counting(self, seat_index: int | None, state_index: int, strength: int) -> tuple[int, int]:
        """Return a hand's own cards and those in the middle that count, as masks.

        Shared cards are left out first, then own ones, until five are left.
        """
        if self.round is None:
            return 0, 0
        middle, own = self.get_visible_mask(None), None
        if seat_index is not None:
            held, _ = self.split_hand(seat_index)
            own = self.get_visible_mask(seat_index) & make_mask(held)
            middle &= ~make_mask(self._iter_cards_in(_DEALER))
        shared = middle & ~make_mask(self._iter_cards_in(_DEALER))
        everything = middle | (own or 0)
        for card in sorted(self.round.game.deck.cards, key=lambda card: not shared >> card & 1):
            if popcount(everything) > _HAND and everything >> card & 1:
                fewer = everything & ~bit(card)
                own_fewer = None if own is None else own & fewer
                state = compute_reduced_state(self.round, state_index, own_fewer, middle & fewer)
                everything = fewer if self._rank_hand(state, seat_index) == strength else everything
        return (own or 0) & everything, middle & everything

    def _iter_cards_in(self, zone: str) -> Iterator[int]:
        for event in self.get_events():
            if isinstance(event, CardsDealt) and event.destination.lower() == zone:
                yield from event.cards

    def _name_counted(self, five: Iterable[int], natural: int, wild: int) -> CountedHand:
        """Name the cards that make a hand, and those that wild ones stand for."""
        if self.round is None:
            return CountedHand()
        deck, counted, stands_for = self.round.game.deck, list[int](), list[int]()
        for card in five:
            is_held = natural >> card & 1 and card not in counted
            (counted if is_held else stands_for).append(card)
        wild_cards = (card for card in deck.cards if wild >> card & 1)
        wild_names = {  # a wild card that nothing is missing for does not count
            format_card(card, deck): format_card(other, deck)
            for card, other in zip(wild_cards, stands_for, strict=False)
        }
        return CountedHand(frozenset((*(format_card(card, deck) for card in counted), *wild_names)), wild_names)


def get_state_for_viewer(session: TableSession, viewer: int | None, seat: int | None) -> Any:
    """Return a seat's state, with None the dealer's, as ``viewer`` sees it.

    The result is None if nobody was dealt in there, or if the visible cards do not decide the hand.
    """
    perspective = Perspective(session, viewer)
    if seat is None:
        return perspective.get_visible_state(None)
    return perspective.get_visible_state(session.round_seats.index(seat)) if perspective.is_dealt_in(seat) else None
