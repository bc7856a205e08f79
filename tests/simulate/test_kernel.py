"""The kernel of a block: what Python plays, wherever a block begins; and every seat as it sees its own table."""

from typing import Any

import numpy as np
import pytest

from conformance.drawing import each_game
from pitboss.contract import Game
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.simulate.draws import Chance
from pitboss.simulate.kernel import BLOCK, Cells, Play, blocks_of, by_chance, plain_blocks_of, strides_of
from pitboss.simulate.round import LEGAL, shape_of

CHANCE = Chance(123, 456, 7, 0)


def cells_of(game: Game, play: Play, seats: int, rounds: int, chance: Chance, stub: Any) -> tuple[Cells, int]:
    """Play rounds with every wager staked."""
    cells = np.zeros((rounds, seats), np.int32)
    codes = encode_options(game, resolve_options(game, {}))
    wagered = np.full(seats, (1 << len(game.wagers)) - 1, np.int64)
    block = play(load_hand_tables(), codes, wagered, 1, chance, stub, (), cells)
    assert (block.fault, block.fault_round) == (LEGAL, -1)
    return cells, block.renewed


@pytest.mark.compiled
@pytest.mark.parametrize("seats", [1, 6])
@each_game
def test_a_block_compiled_is_the_block_in_python(game: Game, seats: int) -> None:
    shape = shape_of(game)
    compiled = blocks_of(game.rules, shape, seats, by_chance(shape))
    plain = plain_blocks_of(game.rules, shape, seats, by_chance(shape))
    rounds = 240 // seats
    fast, renewed = cells_of(game, compiled, seats, rounds, CHANCE, np.zeros(2 * game.deck.size, np.uint8))
    slow, renewed_slowly = cells_of(game, plain, seats, rounds, CHANCE, [0] * 2 * game.deck.size)
    np.testing.assert_array_equal(fast, slow)
    assert renewed == renewed_slowly
    assert len(np.unique(fast)) > 10
    later = CHANCE._replace(round=rounds // 2)
    half, _ = cells_of(game, compiled, seats, rounds - rounds // 2, later, np.zeros(2 * game.deck.size, np.uint8))
    np.testing.assert_array_equal(half, fast[rounds // 2 :])


def test_a_cell_has_a_digit_for_every_outcome() -> None:
    assert strides_of((7, 10, 9, 7)) == (630, 63, 7, 1)
    assert BLOCK == 65_536


@each_game
def test_a_wager_elsewhere_stands_on_the_hand_of_the_next_seat(game: Game) -> None:
    shape, seats = shape_of(game), 3
    own = plain_blocks_of(game.rules, shape._replace(elsewhere=(0,) * len(shape.elsewhere)), seats, by_chance(shape))
    play = plain_blocks_of(game.rules, shape, seats, by_chance(shape))
    stub = [0] * 2 * game.deck.size
    on_own, _ = cells_of(game, own, seats, 20, CHANCE, stub)
    cells, _ = cells_of(game, play, seats, 20, CHANCE, stub)
    for stride, count, elsewhere in zip(strides_of(shape.outcomes), shape.outcomes, shape.elsewhere, strict=True):
        wanted = on_own // stride % count
        np.testing.assert_array_equal(cells // stride % count, np.roll(wanted, -1, axis=1) if elsewhere else wanted)
