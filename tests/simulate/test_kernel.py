"""The kernel of a block: what Python plays, wherever a block begins; and every seat as it sees its own table."""

from typing import Any

import numpy as np
import pytest

from conformance.drawing import each_game
from pitboss.contract import Game
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.simulate.block_kernel import (
    BLOCK_ROUNDS,
    BlockFunction,
    Cells,
    build_block,
    build_random_choice,
    compile_block,
    compute_strides,
)
from pitboss.simulate.rng import RngState
from pitboss.simulate.round_driver import LEGAL, compute_round_shape
from tiers import keep_first

CHANCE = RngState(123, 456, 7, 0)


def cells_of(
    game: Game, play: BlockFunction, seats: int, rounds: int, chance: RngState, stub: Any
) -> tuple[Cells, int]:
    """Play rounds with every wager staked."""
    cells = np.zeros((rounds, seats), np.int32)
    codes = encode_options(game, resolve_options(game, {}))
    wagered = np.full(seats, (1 << len(game.wagers)) - 1, np.int64)
    block = play(load_hand_tables(), codes, wagered, 1, chance, stub, (), cells)
    assert (block.fault, block.fault_round) == (LEGAL, -1)
    return cells, block.reshuffled_rounds


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("seats", keep_first([1, 6], 1))
@each_game
def test_a_block_compiled_is_the_block_in_python(game: Game, seats: int) -> None:
    shape = compute_round_shape(game)
    compiled = compile_block(game.rules, shape, seats, build_random_choice(shape))
    plain = build_block(game.rules, shape, seats, build_random_choice(shape))
    rounds = 120 // seats
    fast, renewed = cells_of(game, compiled, seats, rounds, CHANCE, np.zeros(2 * game.deck.size, np.uint8))
    slow, renewed_slowly = cells_of(game, plain, seats, rounds, CHANCE, [0] * 2 * game.deck.size)
    np.testing.assert_array_equal(fast, slow)
    assert renewed == renewed_slowly
    assert len(np.unique(fast)) > 10
    later = CHANCE._replace(round=rounds // 2)
    half, _ = cells_of(game, compiled, seats, rounds - rounds // 2, later, np.zeros(2 * game.deck.size, np.uint8))
    np.testing.assert_array_equal(half, fast[rounds // 2 :])


def test_a_cell_has_a_digit_for_every_outcome() -> None:
    assert compute_strides((7, 10, 9, 7)) == (630, 63, 7, 1)
    assert BLOCK_ROUNDS == 65_536


@each_game
def test_a_wager_elsewhere_stands_on_the_hand_of_the_next_seat(game: Game) -> None:
    shape, seats = compute_round_shape(game), 3
    own = build_block(
        game.rules, shape._replace(on_other_seat=(0,) * len(shape.on_other_seat)), seats, build_random_choice(shape)
    )
    play = build_block(game.rules, shape, seats, build_random_choice(shape))
    stub = [0] * 2 * game.deck.size
    on_own, _ = cells_of(game, own, seats, 20, CHANCE, stub)
    cells, _ = cells_of(game, play, seats, 20, CHANCE, stub)
    for stride, count, elsewhere in zip(
        compute_strides(shape.outcomes), shape.outcomes, shape.on_other_seat, strict=True
    ):
        wanted = on_own // stride % count
        np.testing.assert_array_equal(cells // stride % count, np.roll(wanted, -1, axis=1) if elsewhere else wanted)
