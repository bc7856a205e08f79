"""What a seat may not see does not change what it sees, may do, or is paid."""

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drawing import SEEDS, Draw, draw_deck, draw_options, draw_trail, each_game, in_fewer_rounds, some_of
from pitboss.cards import make_mask, popcount, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, Game
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options
from pitboss.table.round import CardsDealt

PLENTY = 20


class Asked(NamedTuple):
    """All that a seat can know when it is asked: what for, what it sees, may do, is paid already, and is told."""

    decision: int
    view: tuple[int, ...]
    legal: int
    paid: tuple[int, ...]
    hands: tuple[int, ...]


class Seat:
    """One seat of a full table, driven by its own rules; what it draws lies right behind the first deal."""

    def __init__(self, game: Game, deck: tuple[int, ...], seats: int, seat: int, wagered: int, options: Any) -> None:
        self.game, self.deck, self.options = game, deck, options
        self.state = game.rules.deal(deck, seats, seat, wagered)
        self.top = game.rules.count_dealt(seats)
        self._go_on()

    def asked(self) -> Asked | None:
        """Return what the seat knows when it is next asked, None when it is asked no more."""
        rules, tables = self.game.rules, load_hand_tables()
        decision = rules.next_decision(tables, self.state, self.options)
        if decision == NO_DECISION:
            return None
        view = rules.view(self.state)
        legal = rules.legal_actions(tables, view, decision, PLENTY, self.options)
        paid = rules.settle(tables, self.state, self.options)
        return Asked(decision, view, legal, paid, rules.evaluate_hands(tables, self.state, self.options))

    def act(self, decision: int, action: int, cards: int) -> None:
        """Take an action and go on."""
        self.state = self.game.rules.act(self.state, decision, action, cards)
        self._go_on()

    def _go_on(self) -> None:
        """Serve what the seat is owed; open the dealer's hand once only decisions remain that may see it."""
        rules = self.game.rules
        owed = rules.count_draws(load_hand_tables(), self.state, self.options)
        if owed:
            self.state = rules.receive_draw(self.state, self._next(owed))
        waits = rules.next_decision(load_hand_tables(), self.state, self.options)
        if waits == NO_DECISION:
            dealers = rules.count_dealer_draws(self.state)
            if dealers:
                self.state = rules.receive_dealer_draw(self.state, self._next(dealers))
            self.state = rules.show_dealer(self.state)

    def _next(self, count: int) -> int:
        self.top += count
        return make_mask(self.deck[self.top - count : self.top])


def _shuffled_unseen(deck: tuple[int, ...], view: tuple[int, ...], bits: BitSource) -> tuple[int, ...]:
    """Return the deck with every card in its place that is in ``view``, and all others in another order."""
    seen = 0
    for cards in view:
        seen |= cards
    unseen = list(shuffle_cards([card for card in deck if not seen >> card & 1], bits))
    return tuple(card if seen >> card & 1 else unseen.pop() for card in deck)


def _play(draw: Draw, game: Game) -> int:
    """Play one seat, and at each of its decisions again with everything it cannot see dealt otherwise."""
    seats = draw(st.integers(1, game.seats))
    seat = draw(st.integers(0, seats - 1))
    wagered = 1 | draw(st.integers(0, (1 << len(game.wagers)) - 1))
    options = encode_options(game, draw_options(draw, game))
    deck, bits = draw_deck(draw, game), seeded_bits(draw(SEEDS))
    played = Seat(game, deck, seats, seat, wagered, options)
    done: list[tuple[int, int, int]] = []
    while (asked := played.asked()) is not None:
        for _ in range(3):
            other = Seat(game, _shuffled_unseen(deck, asked.view, bits), seats, seat, wagered, options)
            for each in done:
                other.act(*each)
            assert other.asked() == asked
        allowed = [index for index in range(len(game.decisions[asked.decision].actions)) if asked.legal >> index & 1]
        action = draw(st.sampled_from(allowed))
        held = [card for card in game.deck.cards if asked.view[0] >> card & 1]
        given_up = make_mask(some_of(held, game.decisions[asked.decision].actions[action].discards, bits(32)))
        done.append((asked.decision, action, given_up))
        played.act(*done[-1])
    return len(done)


@each_game
@given(data=st.data())
def test_what_a_seat_cannot_see_does_not_change_what_it_knows_at_a_decision(game: Game, data: st.DataObject) -> None:
    assert _play(data.draw, game) <= len(game.decisions)


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@in_fewer_rounds
@given(data=st.data())
def test_a_seat_sees_no_other_seats_cards_and_not_all_of_the_dealers_before_he_opens(
    game: Game, data: st.DataObject
) -> None:
    for now in draw_trail(data.draw, game)[1:-1]:
        assert now.turn is not None
        seat, decision = now.turn
        seen = 0
        for cards in now.get_view(seat):
            seen |= cards
        last_dealt = {card: event for event in now.events if isinstance(event, CardsDealt) for card in event.cards}
        dealers = make_mask(card for card, event in last_dealt.items() if event.destination == "dealer")
        others = make_mask(card for card, event in last_dealt.items() if event.seat not in {None, seat})
        assert not seen & others
        assert (dealers != 0 and seen & dealers == dealers) == game.decisions[decision].shows_dealer


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@in_fewer_rounds
@given(data=st.data())
def test_what_a_decision_says_it_sees_is_what_lies_before_the_seat(game: Game, data: st.DataObject) -> None:
    for now in draw_trail(data.draw, game)[1:-1]:
        assert now.turn is not None
        seat, decision = now.turn
        held = {name: popcount(cards) for name, cards in now.get_view(seat)._asdict().items()}
        said = {seen.field: range(seen.min_cards, seen.max_cards + 1) for seen in game.decisions[decision].view_fields}
        assert said.keys() <= held.keys()
        assert all(cards in said.get(name, (0,)) for name, cards in held.items())
