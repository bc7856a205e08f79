"""Rounds dealt at random, as many as asked for, and how often two wagers of a round ended each way."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pitboss.core.progress import Progress, silent
from pitboss.counting.blocks import Integers
from pitboss.counting.joint import Table
from pitboss.counting.rounds import Rounds, Shape, numbers_needed
from pitboss.hands import hand_tables

_BLOCK = 1 << 14

Spot = tuple[int, int, int]
"""A wager of a round: the seat on whose hand it stands, its number in the game, and how many outcomes it has."""


def joint_dealt(
    played: Rounds,
    shape: Shape,
    deck: Sequence[int],
    pairs: Sequence[tuple[Spot, Spot]],
    options: Any,
    rounds: int,
    seed: int,
    progress: Progress = silent,
) -> list[Table]:
    """Deal ``rounds`` rounds with every wager staked and count each pair of wagers by both outcomes.

    The same seed deals the same rounds.
    """
    seats = 1 + max(seat for pair in pairs for seat, _, _ in pair)
    counts = np.zeros((len(pairs), max(one[2] * other[2] for one, other in pairs)), np.int64)
    done = 0
    for outcomes in _blocks(played, shape, deck, seats, options, rounds, seed):
        for pair, (one, other) in enumerate(pairs):
            cells = outcomes[:, one[0], one[1]] * other[2] + outcomes[:, other[0], other[1]]
            counts[pair] += np.bincount(cells, minlength=counts.shape[1])
        done += len(outcomes)
        progress(done, rounds)
    return [
        counted[: one[2] * other[2]].reshape(one[2], other[2]).tolist()
        for counted, (one, other) in zip(counts, pairs, strict=True)
    ]


def _blocks(
    played: Rounds, shape: Shape, deck: Sequence[int], seats: int, options: Any, rounds: int, seed: int
) -> Iterator[Integers]:
    """Yield the outcomes of rounds, shape (rounds, seats, wagers), a block at a time."""
    random = np.random.default_rng(seed)
    needed = numbers_needed(shape, seats, len(deck))
    every = (1 << shape.wagers) - 1
    for first in range(0, rounds, _BLOCK):
        size = min(_BLOCK, rounds - first)
        decks = random.permuted(np.tile(np.array(deck, np.int64), (size, 1)), axis=1)
        wagered = np.full((size, seats), every, np.int64)
        numbers = random.integers(0, 1 << 62, (size, needed))
        yield played(hand_tables(), decks, wagered, numbers, options, 1)[0]
