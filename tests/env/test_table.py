"""A round of an environment equals a round at the table: cards, views, legal actions, draws and pays."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from env.playing import FixedDeckRounds, each_game
from pitboss.cards import make_mask
from pitboss.contract import Game, HandOwner
from pitboss.env.settings import EnvSettings
from pitboss.hands import load_hand_tables
from pitboss.simulate.action_space import list_choices, list_view_fields, select_cards
from pitboss.strategies import load_strategies
from pitboss.table.round import Round, RoundClosed, Stake, open_round

ANTE_CENTS = 1000


def stakes_cents(game: Game, seats: int) -> dict[str, int]:
    """Return a stake on every wager that can be placed: an Ante, or a dollar if it must be a dollar."""
    return {
        wager.id: min(ANTE_CENTS, wager.limits.maximum_cents)
        for wager in game.wagers
        if wager.hand_owner is not HandOwner.OTHER_SEAT or seats > 1
    }


class TableRound:
    """A round at the table in which the other seats play the practical strategy."""

    def __init__(self, game: Game, seats: int, seat: int, deck: Sequence[int]) -> None:
        self.game, self.seat, self.round = game, seat, open_round(game, seats)
        for wager in game.wagers:
            for each in range(seats):
                if wager.id in stakes_cents(game, seats):
                    on = (each + 1) % seats if wager.hand_owner is HandOwner.OTHER_SEAT else None
                    self.round = self.round.place_wager(Stake(each, wager.id, stakes_cents(game, seats)[wager.id], on))
        self.round = self._others(self.round.deal(deck, self.shuffle))

    def shuffle(self, cards: Sequence[int]) -> Sequence[int]:
        """Shuffle by drawing the first card each time, as in ``FixedDeckRounds``."""
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            order[last], order[0] = order[0], order[last]
        return order

    def decide(self, action: str, cards: int) -> None:
        """Take the seat's action and continue to its next decision."""
        given_up = [card for card in self.game.deck.cards if cards >> card & 1]
        self.round = self._others(self.round.decide(self.seat, action, given_up, self.shuffle))

    def _others(self, current: Round) -> Round:
        strategy = load_strategies(self.game)[0]
        while current.turn is not None and current.turn[0] != self.seat:
            seat, asked = current.turn
            action, given_up = strategy.choose(
                load_hand_tables(), current.get_view(seat), asked, strategy.numbers, current.option_codes
            )
            taken = self.game.decisions[asked].actions[action]
            cards: Sequence[int] = [card for card in self.game.deck.cards if given_up >> card & 1]
            word = taken.id
            if taken not in current.list_legal_actions():
                word, cards = current.choose_timeout_action()
            current = current.decide(seat, word, cards, self.shuffle)
        return current


def assert_played_alike(game: Game, seats: int, seat: int, deck: Sequence[int], random: np.random.Generator) -> None:
    """Play a round in both ways, and compare everything that the seat sees."""
    stakes = {bet: f"{cents}/{ANTE_CENTS}" for bet, cents in stakes_cents(game, seats).items() if bet != "main"}
    rounds = FixedDeckRounds(EnvSettings(game, wagers=stakes, seats=seats, seat=seat))
    table, shown = TableRound(game, seats, seat, deck), rounds.deal(deck)
    choices = list_choices(game)
    while not shown.is_over[0]:
        choice = int(random.choice(np.flatnonzero(shown.mask[0])))
        decision, action, positions = choices[choice]
        if table.round.turn is None:
            assert decision == -1
        else:
            assert table.round.turn == (seat, shown.decision[0])
            view = table.round.get_view(seat)
            seen = {
                name: make_mask(np.flatnonzero(field[0]).tolist())
                for name, field in zip(list_view_fields(game), shown.fields, strict=True)
            }
            assert view._asdict() == seen
            legal = {choices[each].action for each in np.flatnonzero(shown.mask[0])}
            actions = game.decisions[decision].actions
            assert {actions[each] for each in legal} == set(table.round.list_legal_actions())
            table.decide(actions[action].id, select_cards(view.player, positions))
        shown = rounds.step(choice)
    last = table.round.events[-1]
    assert isinstance(last, RoundClosed)
    assert shown.reward[0] * ANTE_CENTS == pytest.approx(last.nets_cents[seat])
    assert shown.stakes[0].sum() * ANTE_CENTS == pytest.approx(table.round.sum_staked_cents(seat))


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@given(data=st.data())
def test_a_round_of_an_environment_is_a_round_at_the_table(game: Game, data: st.DataObject) -> None:
    seats = data.draw(st.integers(1, game.seats))
    seat = data.draw(st.integers(0, seats - 1))
    random = np.random.default_rng(data.draw(st.integers(0, 1 << 32)))
    assert_played_alike(game, seats, seat, random.permutation(game.deck.size).tolist(), random)
