"""A round's history: written, read and written again it is the same, and it replays to the same cent."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from conformance.drawing import draw_trail, each_game
from pitboss.contract import Game
from pitboss.table.domain import Round, Settled
from pitboss.table.domain.form import history_schema
from pitboss.table.domain.history import format_history, history_of, parse_history, replay

DATA = st.data()
VALIDATOR = Draft202012Validator(history_schema())


def _settled(now: Round) -> list[Settled]:
    return [event for event in now.events if isinstance(event, Settled)]


@each_game
@given(data=DATA)
def test_a_history_is_the_same_when_written_and_read_again(game: Game, data: st.DataObject) -> None:
    now = draw_trail(data.draw, game)[-1]
    title, deck, seed = data.draw(st.text()), data.draw(st.text()), data.draw(st.none() | st.integers())
    history = history_of(now, title=title, seed=seed, deck=deck)
    written = format_history(history)
    assert parse_history(written) == history
    assert format_history(parse_history(written)) == written
    VALIDATOR.validate(tomllib.loads(written))


@each_game
@given(data=DATA)
def test_a_history_replays_to_the_same_events(game: Game, data: st.DataObject) -> None:
    now = draw_trail(data.draw, game)[-1]
    again = replay(parse_history(format_history(history_of(now))))
    assert _settled(again) == _settled(now)
    assert again.events[-1] == now.events[-1]
    assert again.states == now.states
    assert again.meter == now.meter or not now.on_meter
