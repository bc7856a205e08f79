"""What a chair is sent depends on nothing that it cannot see: twin tables that differ only in such cards."""

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import pytest

from conformance.drawing import each_game, each_option_value
from pitboss.cards import draw_below, format_card, seeded_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.table.round.bots import choose_bot_action, list_bots
from pitboss.table.session import (
    CallTime,
    DealRound,
    LeaveSeat,
    PlaceWagers,
    RevealSeed,
    SettleRound,
    TableCommand,
    TableSession,
    TakeAction,
    TakeSeat,
    build_view,
    explain_refusal,
    replay_events,
)
from pitboss.table.session.perspective import Perspective
from pitboss.web.pages.table_page import build_table_context
from table.twins import Moment, moments, twin_of

FACE = re.compile(r'"((?:[2-9TJQKA][shdc])|(?:Jk[12]?))"')
VIEWERS = (None, 1, 2, 3, 4, 5, 6)


def wrong_commands(now: TableSession, viewer: int) -> Iterator[TableCommand]:
    """Yield commands of a chair that may be refused: out of turn, not legal, with wrong cards, for another's seat."""
    assert now.round is not None
    deck = now.round.game.deck
    cards = [format_card(card, deck) for card in deck.cards]
    actions = {action.id for decision in now.round.game.decisions for action in decision.actions}
    for action in (*sorted(actions), "bluff"):
        for given in ((), tuple(cards[-2:])):
            yield TakeAction(seat=viewer, action=action, cards=given)
    for seat in (viewer, 1 + viewer % 6):
        yield TakeAction(seat=seat, action=min(actions), cards=tuple(cards[:6]))
        yield from (TakeSeat(seat=seat, cents=100, name="x"), PlaceWagers(seat=seat, stakes=()), LeaveSeat(seat=seat))
        yield RevealSeed(seat=seat, seed="x")
    yield from (DealRound(), SettleRound(), CallTime())


def told(now: TableSession, viewer: int | None) -> dict[str, Any]:
    """Return all that a chair is sent of a table, or can find out by asking for what it may not do."""
    chair = viewer if viewer in now.seats else None
    seen = build_table_context(now, chair, "/tables/t1")  # ``build_view`` and all that a page adds to it
    found: dict[str, Any] = {"picture": seen}
    if viewer is None or now.round is None:
        return found
    by = now.seats[viewer].holder if viewer in now.seats else f"p{viewer}"
    found["refusals"] = [explain_refusal(now, command, by, 1_000) for command in wrong_commands(now, viewer)]
    if now.turn == viewer:
        place = now.round_seats.index(viewer)
        found["legal"] = (now.round.list_legal_actions(), now.round.choose_timeout_action(), now.round.get_view(place))
        found["bots"] = {bot: choose_bot_action(now.round, bot) for bot in list_bots(now.round.game)}
    return found


def differences(game: Game, seed: int, rounds: int, options: dict[str, str] | None = None) -> Iterator[Any]:
    """Play; at every step compare a chair's world with its twin, and yield True or what differs."""
    bits = seeded_bits(seed + 1)
    for moment in moments(game, seed, rounds, options):
        turn = moment.now.turn
        viewer = turn if turn is not None and not draw_below(3, bits) else VIEWERS[draw_below(len(VIEWERS), bits)]
        yield from compared(moment, viewer, bits)


def compared(moment: Moment, viewer: int | None, bits: BitSource) -> Iterator[Any]:
    """Yield True where a chair is sent the same in a twin world, else what differs; nothing where no twin is found."""
    twin = twin_of(moment, viewer, bits)
    if not twin:
        return
    faces = {format_card(card, moment.game.deck) for card in moment.oracle.seen(moment.now, viewer)}
    assert set(FACE.findall(json.dumps(build_view(moment.now, viewer)))) <= faces
    mine, other = told(moment.now, viewer), told(replay_events(twin, moment.before), viewer)
    wrong = [_first_difference(name, str(mine[name]), str(other[name])) for name in mine if mine[name] != other[name]]
    yield wrong or True


def _first_difference(name: str, mine: str, other: str) -> str:
    place = next(at for at, pair in enumerate(zip_longest(mine, other)) if pair[0] != pair[1])
    around = slice(max(0, place - 80), place + 80)
    return f"{name}: {mine[around]!r} and {other[around]!r}"


def checked(game: Game, seed: int, rounds: int, options: dict[str, str] | None = None) -> int:
    """Check an evening and return how many twins were compared."""
    compared_twins = 0
    for found in differences(game, seed, rounds, options):
        assert found is True
        compared_twins += 1
    return compared_twins


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see(game: Game) -> None:
    assert checked(game, seed=11, rounds=30) > 90


@pytest.mark.long
@each_game
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see_in_two_thousand_rounds(game: Game) -> None:
    assert sum(checked(game, seed, rounds=100) for seed in range(100, 120)) > 6_000


@pytest.mark.long
@each_option_value
def test_what_a_chair_is_sent_depends_on_nothing_hidden_whatever_is_ruled(game: Game, name: str, value: str) -> None:
    assert checked(game, seed=12, rounds=20, options={name: value}) > 20


@pytest.mark.parametrize("game", ["shifting-wilds", "wild-52"])
def test_a_hand_named_by_the_full_state_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault that was there: the rules were asked about all cards, those that lie face down too."""

    def full(eyes: Perspective, place: int | None) -> Any:
        return eyes.round.states[place or 0] if eyes.round is not None and eyes.round.is_dealt else None

    monkeypatch.setattr(Perspective, "get_visible_state", full)
    assert any(found is not True for found in differences(load_game(game), seed=11, rounds=20))
