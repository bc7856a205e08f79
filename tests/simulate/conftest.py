"""What tests of simulation share."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games import load_game
from pitboss.simulate import runner
from pitboss.simulate.block_kernel import BlockFunction, BlockResult, build_block
from pitboss.simulate.kernel_args import build_player_choice
from pitboss.simulate.players import Player
from pitboss.simulate.round_driver import compute_round_shape


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter play blocks: a few rounds end sooner than a kernel is compiled."""

    def build(game_id: str, player: Player, seats: int) -> BlockFunction:
        game = load_game(game_id)
        play: Callable[..., BlockResult] = build_block(
            game.rules, compute_round_shape(game), seats, build_player_choice(game, player)
        )

        def play_listed(*terms: Any) -> BlockResult:
            *first, stub, player_data, cells = terms
            return play(*first, [0] * len(stub), player_data, cells)  # cards of an array would not be Python's integers

        return play_listed

    monkeypatch.setattr(runner, "_compile_kernel", build)
