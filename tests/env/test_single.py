"""The environment of single rounds: Gymnasium's own checks, and the uses of a researcher."""

import os
import subprocess
import sys
import warnings
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import pitboss as pb
from env.playing import each_game, make_env
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError, OptionError, PitbossError, ReportError, UnknownNameError, WagerError
from pitboss.core.extras import write_install_hint
from pitboss.env import GameEnv
from refusals import refusal


@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
@each_game
def test_gymnasium_finds_no_fault(game: Game, render_mode: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make_env(game.id, render_mode=render_mode))


def test_the_five_games_have_the_ids_that_are_documented() -> None:
    known = {"SixCard", "Wild52", "WildSixCard", "ShiftingWilds", "LunarPoker"}
    assert {f"pitboss/{name}-v0" for name in known} <= set(gymnasium.registry)


def in_a_process_of_its_own(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new Python process."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.more
def test_gymnasium_imports_the_module_that_is_named_before_the_environment() -> None:
    command = "import gymnasium; print(gymnasium.{}('pitboss.env:pitboss/SixCard-v0').unwrapped)"
    assert in_a_process_of_its_own(command.format("make")).stdout == "<GameEnv<pitboss/SixCard-v0>>\n"
    assert "GameVectorEnv" in in_a_process_of_its_own(command.format("make_vec")).stdout


def test_without_gymnasium_the_extra_is_named() -> None:
    done = in_a_process_of_its_own("import sys; sys.modules['gymnasium'] = None; import pitboss.env")
    assert done.stderr.endswith(f"ModuleNotFoundError: pitboss.env needs Gymnasium: {write_install_hint('gym')}\n")


def test_without_pillow_a_picture_is_refused_before_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.env.render.find_spec", lambda _name: None)
    assert make_env("six-card", render_mode="ansi").render_mode == "ansi"
    with pytest.raises(ReportError, check=refusal("not-installed")):
        make_env("six-card", render_mode="rgb_array")


@each_game
def test_there_is_always_a_legal_action_and_a_round_ends(game: Game) -> None:
    env, random = make_env(game.id), np.random.default_rng(1)
    for _ in range(60):
        _, info = env.reset()
        for _ in range(len(game.decisions) + 1):
            legal = np.flatnonzero(env.action_masks())
            assert env.action_masks().dtype == np.bool_
            assert legal.tolist() == np.flatnonzero(info["action_mask"]).tolist() != []
            _, reward, over, _, info = env.step(random.choice(legal))
            assert not info["timed_out"]
            if over:
                break
            assert reward == 0
        assert over
        assert (info["outcomes"] >= 0).tolist() == [True, *[False] * (len(game.wagers) - 1)]


def test_no_mask_before_a_round_is_dealt() -> None:
    with pytest.raises(IllegalActionError, check=refusal("no-round")):
        make_env("six-card").action_masks()


@each_game
def test_an_action_that_is_not_legal_is_the_decisions_timeout(game: Game) -> None:
    last = len(make_env(game.id).action_names) - 1
    ended = []
    for answer in (last, None):
        env = make_env(game.id)
        observation, _ = env.reset(seed=6)
        decision = game.decisions[observation["decision"]]
        late = env.action_names.index(
            " ".join([decision.timeout_action, "0"][: 1 + (decision.timeout_action == "discard")])
        )
        ended.append(env.step(late if answer is None else answer))
    assert ended[0][4]["timed_out"]
    assert not ended[1][4]["timed_out"]
    assert ended[0][1:4] == ended[1][1:4]
    for name, observed in ended[0][0].items():
        np.testing.assert_array_equal(observed, ended[1][0][name])


def test_a_round_without_a_decision_ends_with_next() -> None:
    env = make_env("wild-six-card", wagers={"queens-or-better": 1})
    for seed in range(200):
        observation, info = env.reset(seed=seed)
        if observation["decision"] == 1:
            break
    assert [env.action_names[action] for action in np.flatnonzero(info["action_mask"])] == ["next"]
    assert observation["player"].sum() == 5
    assert not observation["dealer"].any()
    observation, reward, over, _, info = env.step(len(env.action_names) - 1)
    assert over
    assert observation["dealer"].sum() == 6
    assert env.game.wagers[0].outcomes[info["outcomes"][0]].name == "automatic-win"
    assert reward >= 2


def test_the_same_seed_gives_the_same_rounds_and_the_next_is_another() -> None:
    first, again = make_env("lunar"), make_env("lunar")
    rounds = [[env.reset(seed=5)[0], env.reset()[0], env.reset()[0]] for env in (first, again)]
    for one, other in zip(*rounds, strict=True):
        np.testing.assert_array_equal(one["player"], other["player"])
    assert (rounds[0][0]["player"] != rounds[0][1]["player"]).any()
    assert (first.reset(seed=6)[0]["player"] != rounds[0][0]["player"]).any()


def test_terms_stay_until_they_are_changed() -> None:
    env = make_env("six-card", wagers={"main": 1, "aces-up": 0.5}, paytables=["aces-up=SCP-03"])
    for changes in (None, {"rules": {"dealer_qualifies": "always"}}, None):
        observation, _ = env.reset(options=changes)
        assert observation["stakes"].tolist() == [1, 0.5, 0, 0, 0]
    assert env.settings.rules == {"dealer_qualifies": "always"}
    assert env.settings.paytables == ["aces-up=SCP-03"]
    observation, _ = env.reset(options={"wagers": {"bad-beat": "1/4"}})
    assert observation["stakes"].tolist() == [1, 0, 0.25, 0, 0]


def test_a_reward_is_what_all_wagers_net() -> None:
    env = make_env("six-card", wagers={"aces-up": 0.5, "bad-beat": 2, "progressive": 0.1}, paytables=["BB-02"])
    env.reset(seed=1)
    _, reward, _, _, info = env.step(0)
    nets = zip(env.settings.kernel_args.nets, info["outcomes"], strict=True)
    assert reward == pytest.approx(sum(of_wager[outcome] for of_wager, outcome in nets) / env.settings.kernel_args.unit)
    assert env.settings.kernel_args.nets[1, info["outcomes"][1]] / env.settings.kernel_args.unit == -0.5


def test_seats_beside_play_and_a_wager_may_stand_on_the_next_one() -> None:
    env = make_env("lunar", seats=6, seat=5, wagers={"multi-super": 1})
    assert env.settings.kernel_args.stands_on.tolist() == [5, 5, 0, 5]
    env.reset(seed=1)
    _, _, over, _, info = env.step(env.action_names.index("fold"))
    assert over
    assert (info["outcomes"] >= 0).tolist() == [True, False, True, False]


@pytest.mark.parametrize(
    ("terms", "error", "code"),
    [
        ({"wagers": {"aces": 1}}, UnknownNameError, "unknown-side-wager"),
        ({"wagers": {"aces-up": -1}}, WagerError, "invalid-stake"),
        ({"wagers": {"aces-up": 1001}}, WagerError, "above-limit"),
        ({"wagers": {"main": 2}}, WagerError, "fixed-stake"),
        ({"paytables": ["SCP-09"]}, UnknownNameError, "unknown-pay-table"),
        ({"rules": {"dealer_qualifies": "never"}}, OptionError, "unknown-value"),
        ({"seats": 7}, IllegalActionError, "out-of-range"),
        ({"seats": 2, "seat": 2}, IllegalActionError, "out-of-range"),
        ({"wager": {}}, UnknownNameError, "unknown-option-of-an-environment"),
    ],
)
def test_bad_terms_are_refused_in_a_line_and_the_old_ones_stand(
    terms: dict[str, Any], error: type[PitbossError], code: str
) -> None:
    env = make_env("six-card", wagers={"aces-up": 1})
    before = env.settings
    with pytest.raises(error, check=refusal(code)) as raised:
        env.reset(options=terms)
    assert "\n" not in str(raised.value)
    assert env.settings is before


def test_stakes_that_cannot_be_added_up_exactly_are_refused() -> None:
    with pytest.raises(WagerError, check=refusal("stakes-too-large")):
        make_env("six-card", wagers={"aces-up": "1/9007199254740993"})


def test_a_wager_on_another_hand_needs_another_seat() -> None:
    with pytest.raises(WagerError, check=refusal("needs-other-seat", wager="multi-super")):
        make_env("lunar", wagers={"multi-super": 1})


def test_no_action_after_the_end_and_none_that_does_not_exist() -> None:
    env = make_env("six-card")
    env.reset()
    for action in (-1, 3):
        with pytest.raises(IllegalActionError, check=refusal("unknown-action")):
            env.step(action)
    env.step(0)
    with pytest.raises(IllegalActionError, check=refusal("round-over")):
        env.step(0)


def test_the_settings_are_those_of_a_public_game() -> None:
    game, make = pb.game("six-card"), cast("Any", GameEnv)
    own = game.edit_paytable(game.paytables("aces-up")[0], {"flush": 9})
    assert GameEnv(game, wagers={"aces-up": 1}, paytables=own).settings.kernel_args.unit == 1
    for name in ("wagers", "paytables", "rules", "seats", "seat"):
        for value in (3.5, object(), [None], "x", 10**30):
            with pytest.raises(pb.Error):
                make(game, **{name: value})
