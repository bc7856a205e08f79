"""What is kept of rounds that stop at every decision, and how they begin."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.contract import Game

NOT_TAKEN = -1

# What is remembered of a round, beside its deck and its decisions.
KEY, KEY_TOO, NUMBER, LAID, ASKED, ALLOWED, HELD, OVER = range(8)
REMEMBERED = 8

# What stands at ``OVER``.
GOING_ON = 0
DEAL_NEXT = 1
DECK_LAID = 2


class Kept(NamedTuple):
    """What is kept of rounds from step to step, a row each.

    ``decks`` are twice the deck's size wide, for what is laid below the stub.  ``taken`` has the action at each
    decision or ``NOT_TAKEN``, ``given`` the cards it gave up.  ``states`` is a scratch pad: each seat's state.
    """

    decks: Any
    memory: Any
    taken: Any
    given: Any
    states: Any


def view_fields(game: Game) -> tuple[str, ...]:
    """Return the names of what a seat sees."""
    fields: tuple[str, ...] = game.rules.view(some_state(game))._fields
    return fields


def some_state(game: Game) -> Any:
    """Return a state of the game, whichever: for its kind and its fields."""
    return game.rules.deal(game.deck.cards, 1, 0, 1)


def fresh(game: Game, rounds: int) -> Kept:
    """Return room for rounds that are all over, as ``step`` begins with."""
    memory = np.zeros((rounds, REMEMBERED), np.int64)
    memory[:, OVER] = DEAL_NEXT
    memory[:, NUMBER] = -1
    decisions = rounds, len(game.decisions)
    return Kept(
        np.zeros((rounds, 2 * game.deck.size), np.int8),
        memory,
        np.zeros(decisions, np.int64),
        np.zeros(decisions, np.int64),
        np.zeros((game.seats, len(some_state(game))), np.int64),
    )


def begin_again(kept: Kept, index: int, key: tuple[int, int] | None) -> None:
    """End a round, so that the next step deals a new one: the first under ``key``, two words, if one is given."""
    memory = kept.memory[index]
    memory[OVER] = DEAL_NEXT
    if key is not None:
        memory[KEY], memory[KEY_TOO] = key
        memory[NUMBER] = -1


def begin_with(kept: Kept, index: int, deck: Sequence[int]) -> None:
    """End a round, so that the next step deals a new one from this deck."""
    for place, code in enumerate(deck):
        kept.decks[index][place] = code
    kept.memory[index][LAID] = len(deck)
    kept.memory[index][OVER] = DECK_LAID
