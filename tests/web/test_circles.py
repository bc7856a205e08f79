"""The circles of one's own place: chips at stake lie there, and what a settled wager won or lost is said instead."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings

from conformance.drawing import SEEDS, each_game
from pitboss.contract import Game
from pitboss.core.money import format_dollars
from pitboss.table.round import WagerSettled
from pitboss.table.session import TableSession
from pitboss.web.pages.table_page import build_table_context
from table.seated import evening

Json = Mapping[str, Any]


def list_spots(now: TableSession, seat: int) -> tuple[Json, list[Json]]:
    """Return a seat's context, and its circles as the page draws them."""
    context = build_table_context(now, seat, "/tables/t1")
    return context, [spot for row in context["rows"] for spot in row]


def list_settled(now: TableSession, seat: int) -> list[WagerSettled]:
    """List a seat's settled wagers of a round that is not over: later, its chips are those after the round."""
    if now.round is None or not now.is_in_round(seat):
        return []
    own = now.round_seats.index(seat)
    return [event for event in now.round.events if isinstance(event, WagerSettled) and event.seat == own]


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@settings(max_examples=8)
@given(seed=SEEDS)
def test_a_settled_circle_says_its_result_and_its_chips_are_in_the_bar(game: Game, seed: int) -> None:
    for now in evening(game, seed):
        for seat, held in now.seats.items():
            context, spots = list_spots(now, seat)
            own, settled = context["own"], list_settled(now, seat)
            lying, won = sum(spot["lying"] for spot in spots), sum(event.net_cents for event in settled)
            assert lying + own["chips_cents"] == held.chips_cents + won
            open_circles = {each["circle"] for each in own["wagers"] or own["circles"] if not each.get("result")}
            nets = Counter[str]()
            for leg in (leg for event in settled for leg in event.legs):
                nets[leg.circle] += leg.net_cents
            for spot in spots:
                if spot["circle"] not in open_circles:
                    assert not spot["lying"]
                if net := nets[spot["circle"]]:
                    words = f"{'won' if net > 0 else 'lost'} {format_dollars(abs(net))}"
                    assert spot["result"]["words"] == words


@each_game
def test_a_wager_is_seen_to_be_settled_while_another_waits(game: Game) -> None:
    """The rounds that the other tests draw would prove nothing if no wager were settled before the end."""
    for seed in range(100):
        for now in (each for each in evening(game, seed) if each.turn):
            for seat in now.seats:
                spots = list_spots(now, seat)[1]
                if any(spot["lying"] for spot in spots) and any(spot["result"] for spot in spots):
                    return
    pytest.fail("no wager was settled before another")
