"""Hold the best play as a table: an action for every position.

Simulations look it up.  A position is a decision, the actions before it, and the cards that the seat sees.  What it
sees but for its own hand is reduced to the least that an exchange of suits makes of it, and its own hand is exchanged
along: so a table holds a twenty-fourth of the positions.
"""

from collections.abc import Sequence
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.contract import Game
from pitboss.core.rule import rule
from pitboss.engine.paths import ActionPath
from pitboss.engine.places import deal_one_seat
from pitboss.engine.roots import list_roots
from pitboss.engine.symmetry import exchange_cards
from pitboss.engine.walk_state import NOTHING
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set

OWN_FIELD = "player"


class PlayTable(NamedTuple):
    """The best action of every position.

    It is -1 where the best play does not come to.

    Decision d has the entries from ``starts[d]`` on: as many for each path of earlier actions, which has the number
    ``action_paths[d, path]`` (-1 if no round goes that way), as ``hands[d]`` times its classes.  ``classes`` are the
    least sets of each field of the view, those of decision d from ``class_starts[d]`` on, in rising order; the field
    ``own[0]``, the seat's hand, is 0 there.  The hand is numbered by ``steps``.  ``exchanges`` are those of suits.
    """

    actions: NDArray[np.int8]
    starts: IntArray
    action_paths: IntArray
    classes: IntArray
    class_starts: IntArray
    hands: IntArray
    own: IntArray
    exchanges: IntArray
    steps: IntArray


def make_play_table(
    game: Game,
    cards: Sequence[int],
    exchanges: IntArray,
    sizes: Sequence[Sequence[int]],
    action_paths: Sequence[Sequence[ActionPath]],
) -> PlayTable:
    """Make a table without actions.

    ``sizes`` says for each decision how many cards each field of its view has, ``action_paths`` which actions can come
    before it.
    """
    fields = type(game.rules.view(deal_one_seat(game, cards)))._fields
    own, positions = fields.index(OWN_FIELD), max(cards) + 1
    classes = [_list_classes(cards, exchanges, each, own) for each in sizes]
    hands = [comb(positions, each[own]) for each in sizes]
    counts = [
        len(rows) * of_hands * len(each) for rows, of_hands, each in zip(classes, hands, action_paths, strict=True)
    ]
    numbers = np.full((len(sizes), prod(len(each.actions) + 1 for each in game.decisions)), NOTHING, np.int64)
    for decision, each in enumerate(action_paths):
        for index, action_path in enumerate(each):
            numbers[decision, number_path(game, action_path)] = index
    return PlayTable(
        actions=np.full(sum(counts), NOTHING, np.int8),
        starts=np.cumsum([0, *counts]),
        action_paths=numbers,
        classes=np.concatenate(classes),
        class_starts=np.cumsum([0, *map(len, classes)]),
        hands=np.array(hands, np.int64),
        own=np.array([own], np.int64),
        exchanges=exchanges,
        steps=build_same_size_steps(positions, max(1, *(each[own] for each in sizes))),
    )


def _list_classes(cards: Sequence[int], exchanges: IntArray, sizes: Sequence[int], own: int) -> IntArray:
    """List what the fields of a view but the seat's hand can show, up to an exchange."""
    shown = [field for field, size in enumerate(sizes) if size and field != own]
    sets, _ = list_roots(cards, [sizes[field] for field in shown], exchanges)
    rows = np.zeros((len(sets), len(sizes)), np.int64)
    rows[:, shown] = sets
    return rows[np.lexsort(rows.T[::-1])]


def number_path(game: Game, action_path: ActionPath) -> int:
    """Number the actions before a decision, as ``PlayTabulator`` has it."""
    number = 0
    for each, action in zip(game.decisions, action_path, strict=False):
        number = number * (len(each.actions) + 1) + (0 if action is None else action + 1)
    return number


@rule
def compare_images(view: Any, one: int, other: int, play: PlayTable) -> int:
    """Compare what two exchanges make of a view, but for the seat's hand."""
    order = 0
    for field, cards in enumerate(view):
        if order == 0 and cards and field != play.own[0]:
            order = exchange_cards(cards, play.exchanges[one]) - exchange_cards(cards, play.exchanges[other])
    return order


@rule
def find_least_image(view: Any, play: PlayTable) -> int:
    """Return the exchange that makes the least of a view, but for the seat's hand."""
    least = 0
    for each in range(1, len(play.exchanges)):
        if compare_images(view, each, least, play) < 0:
            least = each
    return least


@rule
def find_base(view: Any, least: int, decision: int, path: int, play: PlayTable) -> int:
    """Return the entry of the first hand with a view; -1 if no round goes that way."""
    index = play.action_paths[decision, path]
    if index < 0:
        return -1
    first, stop = play.class_starts[decision], play.class_starts[decision + 1]
    low, high = first, stop - 1
    while low < high:
        middle = (low + high) // 2
        order = 0
        for field, cards in enumerate(view):
            if order == 0 and field != play.own[0]:
                order = play.classes[middle, field] - exchange_cards(cards, play.exchanges[least])
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return int(play.starts[decision] + ((stop - first) * index + low - first) * play.hands[decision])


@rule
def find_own_hand(view: Any, play: PlayTable) -> int:
    """Return the seat's hand of a view."""
    own = 0
    for field, cards in enumerate(view):
        if field == play.own[0]:
            own = cards
    return own


@rule
def choose_from_table(
    _tables: HandTables, view: Any, decision: int, path: int, play: PlayTable, _options: Any
) -> tuple[int, int]:
    """Choose the best action at a position by the table."""
    least = find_least_image(view, play)
    base = find_base(view, least, decision, path, play)
    if base < 0:
        return NOTHING, 0
    own = exchange_cards(find_own_hand(view, play), play.exchanges[least])
    return int(play.actions[base + number_set(own, play.steps)]), 0


@kernel
def fill_positions(views: IntArray, actions: IntArray, decision: int, path: int, play: PlayTable) -> None:
    """Write the action of each position, and of all that an exchange makes of it."""
    for row in range(len(views)):
        least = find_least_image(views[row], play)
        base, own = find_base(views[row], least, decision, path, play), find_own_hand(views[row], play)
        for each in range(len(play.exchanges)):
            if compare_images(views[row], each, least, play) == 0:
                play.actions[base + number_set(exchange_cards(own, play.exchanges[each]), play.steps)] = actions[row]
