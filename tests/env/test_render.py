"""Renderings of a round as text and as a picture."""

import numpy as np
import pytest

from env.playing import each_game, make_env
from pitboss.contract import Game
from pitboss.core.errors import OptionError
from pitboss.env import GameEnv
from refusals import refusal


def test_the_table_as_text() -> None:
    env = make_env("six-card", render_mode="ansi", wagers={"aces-up": 0.5})
    assert env.render() is None
    env.reset(seed=5)
    lines = str(env.render()).splitlines()
    assert lines[0] == "Six Card Poker"
    assert lines[1].split()[0] == "Dealer"
    assert lines[1].split()[4:] == ["▒", "▒", "▒"]
    assert lines[2].split()[0] == "You"
    assert lines[3:] == [
        "Stakes in Antes: ante 1, aces up 0.5",
        "Fold, or play for one more Ante?",
        "Actions: 0 fold, 1 play",
    ]
    _, reward, *_ = env.step(1)
    lines = str(env.render()).splitlines()
    assert "▒" not in lines[1]
    assert lines[-1] == f"Net: {reward:+g} Antes"


def test_a_round_without_a_decision_says_so() -> None:
    env = make_env("wild-six-card", render_mode="ansi")
    while env.reset()[0]["decision"] == 0:
        pass
    assert "You have nothing to decide.\nActions: 6 next" in str(env.render())


@each_game
def test_a_picture_shows_the_cards_and_never_changes_its_size(game: Game) -> None:
    env = make_env(game.id, render_mode="rgb_array")
    _, info = env.reset(seed=2)
    pictures = [env.render()]
    over = False
    while not over:
        _, _, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        pictures.append(env.render())
    shapes = set()
    for picture in pictures:
        assert isinstance(picture, np.ndarray)
        assert picture.dtype == np.uint8
        assert (picture > 240).all(axis=2).mean() > 0.02
        shapes.add(picture.shape)
    assert len(shapes) == 1


def test_jokers_are_drawn() -> None:
    env = make_env("wild-52", render_mode="ansi")
    while not env.reset()[0]["player"][52]:
        pass
    assert "★" in str(env.render())
    env.render_mode = "rgb_array"
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    assert (picture == (120, 40, 140)).all(axis=2).any()


def test_nothing_is_drawn_without_a_mode() -> None:
    env = make_env("six-card")
    env.reset()
    assert env.render() is None
    with pytest.raises(OptionError, check=refusal("unknown-render-mode", render_mode="png")):
        GameEnv("six-card", render_mode="png")
