"""Records that follow one another: changed quickly, and as the standard library would."""

import dataclasses

import pytest

from pitboss.games import load_game
from pitboss.table.round import Stake, open_round
from pitboss.table.round.fast_replace import replace


def test_a_changed_record_is_the_one_that_the_standard_library_makes() -> None:
    before = open_round(load_game("six-card"), 2)
    stakes = (Stake(0, "main", 500),)
    assert replace(before, stakes=stakes) == dataclasses.replace(before, stakes=stakes) != before
    assert before.stakes == ()


def test_what_a_record_had_worked_out_is_worked_out_again() -> None:
    deck = load_game("six-card").deck.cards
    dealt = open_round(load_game("six-card")).place_wager(Stake(0, "main", 500)).deal(deck)
    assert dealt.turn == (0, 0)
    assert replace(dealt, is_closed=True).turn is None


def test_a_field_that_a_record_has_not_is_refused() -> None:
    with pytest.raises(TypeError, match="Round has no field stake"):
        replace(open_round(load_game("six-card")), stake=())
