"""A round's history: written, read and written again it is the same, and it replays to the same cent."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from conformance.drawing import draw_trail, each_game, in_fewer_rounds
from pitboss.contract import Game
from pitboss.table.round import Round, WagerSettled
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.round.history_schema import build_history_schema
from pitboss.table.round.history_writer import build_history, format_history

DATA = st.data()
VALIDATOR = Draft202012Validator(build_history_schema())


def _settled(now: Round) -> list[WagerSettled]:
    return [event for event in now.events if isinstance(event, WagerSettled)]


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@in_fewer_rounds
@given(data=DATA)
def test_a_history_is_the_same_when_written_and_read_again(game: Game, data: st.DataObject) -> None:
    now = draw_trail(data.draw, game)[-1]
    title, deck, seed = data.draw(st.text()), data.draw(st.text()), data.draw(st.none() | st.integers())
    history = build_history(now, title=title, seed=seed, deck=deck)
    written = format_history(history)
    assert parse_history(written) == history
    assert format_history(parse_history(written)) == written
    VALIDATOR.validate(tomllib.loads(written))


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@in_fewer_rounds
@given(data=DATA)
def test_a_history_replays_to_the_same_events(game: Game, data: st.DataObject) -> None:
    now = draw_trail(data.draw, game)[-1]
    again = replay_history(parse_history(format_history(build_history(now))))
    assert _settled(again) == _settled(now)
    assert again.events[-1] == now.events[-1]
    assert again.states == now.states
    assert again.meter == now.meter or not now.has_meter_wager
