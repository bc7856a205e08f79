"""A round that is changed: what it had worked out before is worked out again."""

from dataclasses import replace

from pitboss.games import load_game
from pitboss.table.round import Stake, open_round


def test_what_a_record_had_worked_out_is_worked_out_again() -> None:
    deck = load_game("six-card").deck.cards
    dealt = open_round(load_game("six-card")).place_wager(Stake(0, "main", 500)).deal(deck)
    assert dealt.turn == (0, 0)
    assert replace(dealt, is_closed=True).turn is None
