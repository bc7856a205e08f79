"""Suits have no rank and Jokers no face: relabelled, the same round ends the same."""

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drawing import SEEDS, draw_deck, draw_opening, each_game, in_fewer_rounds, shuffle_by, some_of
from pitboss.cards import FIRST_JOKER, RANK_COUNT, draw_below, make_mask, seeded_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.table.round import Round, WagerSettled
from pitboss.table.round.wagers import get_wager

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
RELABELLINGS = list(permutations((SPADES, HEARTS, DIAMONDS, CLUBS)))
WITH_THEIR_COLOURS = [suits for suits in RELABELLINGS if {suits[SPADES], suits[CLUBS]} in ({0, 3}, {1, 2})]


def _relabelled(game: Game, suits: Sequence[int], *, swap_jokers: bool) -> dict[int, int]:
    """Return for each card the one it becomes."""
    naturals = {card: suits[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT for card in range(FIRST_JOKER)}
    jokers = list(range(FIRST_JOKER, game.deck.size))
    return naturals | dict(zip(jokers, reversed(jokers) if swap_jokers else jokers, strict=True))


def _settled(now: Round, *, with_coloured: bool) -> list[tuple[int, str, int | None, str, int]]:
    return [
        (event.seat, event.bet, event.on, event.outcome, event.net_cents)
        for event in now.events
        if isinstance(event, WagerSettled) and (with_coloured or not get_wager(now.game, event.bet).depends_on_colour)
    ]


def _shuffle_in_step(becomes: dict[int, int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return the shuffle that does to relabelled cards what ``shuffle_by(0)`` does to those they were."""
    was = {after: before for before, after in becomes.items()}
    return lambda cards: [becomes[card] for card in shuffle_by(0)(sorted(was[card] for card in cards))]


def _play_alike(first: Round, second: Round, becomes: dict[int, int], bits: BitSource) -> tuple[Round, Round]:
    """Play the same decisions in both rounds, chosen at random, and check that both are asked and may do the same."""
    while first.turn is not None:
        assert second.turn == first.turn
        seat = first.turn[0]
        legal = first.list_legal_actions()
        assert second.list_legal_actions() == legal
        action = legal[draw_below(len(legal), bits)]
        held = [card for card in becomes if first.get_view(seat).player >> card & 1]
        assert second.get_view(seat).player == make_mask(becomes[card] for card in held)
        cards = some_of(held, action.discards, bits(32))
        first = first.decide(seat, action.id, cards, shuffle_by(0))
        second = second.decide(seat, action.id, [becomes[card] for card in cards], _shuffle_in_step(becomes))
    return first, second


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@in_fewer_rounds
@given(data=st.data())
def test_suits_and_jokers_may_be_relabelled(game: Game, data: st.DataObject) -> None:
    opening = draw_opening(data.draw, game)
    deck = draw_deck(data.draw, game)
    suits = data.draw(st.sampled_from(RELABELLINGS))
    becomes = _relabelled(game, suits, swap_jokers=data.draw(st.booleans()))
    assert sorted(becomes.values()) == list(game.deck.cards)
    relabelled = opening.deal([becomes[card] for card in deck], _shuffle_in_step(becomes))
    bits = seeded_bits(data.draw(SEEDS))
    first, second = _play_alike(opening.deal(deck, shuffle_by(0)), relabelled, becomes, bits)
    assert second.turn is None
    keeps = suits in WITH_THEIR_COLOURS
    assert _settled(second, with_coloured=keeps) == _settled(first, with_coloured=keeps)
    assert not keeps or second.events[-1] == first.events[-1]


def test_eight_relabellings_keep_colours_together() -> None:
    assert len(WITH_THEIR_COLOURS) == 8
