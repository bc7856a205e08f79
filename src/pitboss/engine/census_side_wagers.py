"""Count the outcomes of side wagers along with main, in a showdown census.

A side wager that the player's and the public cards decide makes the classes of hands finer: each strength's class is
split by the outcomes of these wagers.  So the sums of every ending say how often each outcome comes with it.  After
some endings a wager may end otherwise than after the others, for example if a fold loses it: a table has its outcome
there for each outcome after the ending that tells most, and each hand is checked against it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import seeded_bits, shuffle_cards
from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.errors import WagerError
from pitboss.core.rule import rule
from pitboss.engine.census_hands import build_make_state
from pitboss.engine.census_types import KernelShape
from pitboss.engine.paths import follow_actions
from pitboss.engine.places import clear_cards
from pitboss.engine.showdown import ShowdownShape
from pitboss.engine.showdown_outcomes import Ending
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset
from pitboss.solver_api import SolverProblem

_DEALS = 300


class CountedSideWagers(NamedTuple):
    """The side wagers that are counted.

    ``wagers`` are their indexes, ``sizes`` their numbers of outcomes, ``strides`` the factors of their outcomes in a
    number, of which there are ``numbers``.
    ``order`` are the endings, first the one that tells most; ``maps[ending, wager, outcome]`` is a wager's outcome
    after an ending, by that after the first of them.  ``bases[ending, field]`` are states without cards,
    ``hidden[field]`` marks those of the dealer's hidden cards.  The first ``checked`` endings are looked at: one where
    no wager depends on the ending.  ``values`` is for a state, and ``fault[0]`` is 1 where the table was wrong.
    """

    wagers: IntArray
    sizes: IntArray
    strides: IntArray
    numbers: int
    order: IntArray
    maps: IntArray
    bases: IntArray
    hidden: IntArray
    checked: int
    values: IntArray
    fault: IntArray


def learn_side_wagers(
    game: Game, shape: ShowdownShape, problem: SolverProblem, cards: Sequence[int]
) -> tuple[CountedSideWagers | None, tuple[str, ...]]:
    """Learn how the side wagers of a problem end.

    Return them, and the ids of those that can be counted: hidden cards decide the others.

    Raises:
        WagerError: a staked wager cannot be counted.
    """
    asked = [each for each in game.wagers[1:] if each.id in problem.side_nets or each.id in problem.counted]
    indexes = [game.wagers.index(each) for each in asked]
    bits = seeded_bits(2)
    seen = [_settle_endings(game, shape, problem.options, shuffle_cards(cards, bits)) for _ in range(_DEALS)]
    kept = [index for index in indexes if all(_is_settled_alone(outcomes, index) for outcomes in seen)]
    ids = tuple(game.wagers[index].id for index in kept)
    for bet in problem.side_nets:
        if bet not in ids:
            raise WagerError(
                f"{bet} of {game.id} cannot be solved together with main: it depends on cards that are not counted",
                code="main-alone",
                bet=bet,
                game=game.id,
            )
    if not kept:
        return None, ()
    sizes = [len(game.wagers[index].outcomes) for index in kept]
    most = max(sizes)
    maps = np.full((len(shape.endings), len(kept), most), -1, np.int64)
    order = _order_endings([outcomes for outcomes, _ in seen], kept)
    maps[order[0]] = np.arange(most)
    for outcomes, _ in seen:
        for ending, each in enumerate(outcomes):
            for place, index in enumerate(kept):
                maps[ending, place, outcomes[order[0]][index]] = each[index]
    depends = [bool(((row >= 0) & (row != np.arange(most))).any()) for row in maps.reshape(-1, most)]
    for row, differs in zip(maps.reshape(-1, most), depends, strict=True):
        known = set(row[row >= 0].tolist())
        # What no deal tells is taken from the others: nothing changes, or all end alike.  Each hand is checked.
        row[row < 0] = known.pop() if differs and len(known) == 1 else np.arange(most)[row < 0]
    fields = type(shape.endings[0].state)._fields
    return CountedSideWagers(
        wagers=np.array(kept, np.int64),
        sizes=np.array(sizes, np.int64),
        strides=np.array([int(np.prod(sizes[:place])) for place in range(len(kept))], np.int64),
        numbers=int(np.prod(sizes)),
        order=np.array(order, np.int64),
        maps=maps,
        bases=np.array([clear_cards(shape.groups, ending.state) for ending in shape.endings], np.int64),
        hidden=np.array([int(field in shape.groups[shape.hidden].fields) for field in fields], np.int64),
        checked=len(shape.endings) if any(_may_depend(game, index, problem.options) for index in kept) else 1,
        values=np.zeros(len(fields), np.int64),
        fault=np.zeros(1, np.int64),
    ), ids


def _order_endings(seen: Sequence[Sequence[Sequence[int]]], kept: Sequence[int]) -> list[int]:
    """Return the endings in the order in which they are looked at.

    The first is the one after which most outcomes of the wagers are different.
    """
    count = len(seen[0])
    kinds = [{tuple(outcomes[end][index] for index in kept) for outcomes in seen} for end in range(count)]
    return sorted(range(count), key=lambda end: (-len(kinds[end]), end))


def _may_depend(game: Game, index: int, options: Any) -> bool:
    """Tell whether the play may change how a wager ends."""
    wager = game.wagers[index]
    return wager.census is None or (bool(wager.census_option) and not getattr(options, wager.census_option))


_Settled = tuple[list[tuple[int, ...]], list[tuple[int, ...]]]


def _settle_endings(game: Game, shape: ShowdownShape, options: Any, deck: Sequence[int]) -> _Settled:
    """Return the outcomes of all wagers after each ending.

    They are followed by those with other hidden cards.
    """
    known, stub = {shape.own, *(group for groups in shape.public for group in groups)}, list(deck)
    places = [place for group, each in enumerate(shape.groups) if group not in known for place in each.places]
    free = range(game.rules.count_dealt(1), len(deck))
    for place, other in zip(places, free, strict=False):
        stub[place], stub[other] = stub[other], stub[place]
    return [_settle(game, end, options, deck) for end in shape.endings], [
        _settle(game, end, options, stub) for end in shape.endings
    ]


def _settle(game: Game, ending: Ending, options: Any, deck: Sequence[int]) -> tuple[int, ...]:
    return tuple(game.rules.settle(load_hand_tables(), follow_actions(game, deck, ending.actions), options))


def _is_settled_alone(outcomes: _Settled, index: int) -> bool:
    """Tell whether a wager is settled, and alike with other hidden cards."""
    return all(one[index] == other[index] != UNSETTLED for one, other in zip(outcomes[0], outcomes[1], strict=True))


@rule
def find_outcome(sides: CountedSideWagers, ending: int, place: int, number: int) -> int:
    """Return the outcome of a counted wager after an ending."""
    return int(sides.maps[ending, place, number // sides.strides[place] % sides.sizes[place]])


def build_find_side(game: Game, form: KernelShape) -> RuleFunction:
    """Build the function that finds the outcomes of the side wagers with a hand.

    ``find_side(work, hand) -> number``: the number stands for the outcomes with this hand on the board.
    """

    @inlined_helper
    def find_none(_work: Any, _hand: int) -> int:
        return 0

    if form.sides == 1:
        return find_none
    settle, fields, hidden_cards = game.rules.settle, form.fields, form.hidden
    put_hand = build_make_state(type(game.rules.deal(list(game.deck.cards), 1, 0, 1)), fields, form.own_fields)

    @kernel_helper
    def find_side(work: Any, hand: int) -> int:
        sides, held, public = work.sides, work.workspace.held, work.boards.public
        free, number = work.boards.cards & ~hand, 0
        for group in range(len(held)):
            free &= ~held[group]
        hidden = first_subset(free, hidden_cards)
        for step in range(sides.checked):
            ending = sides.order[step]
            for field in range(fields):
                cards = sides.bases[ending, field] | (hidden if sides.hidden[field] else 0)
                for group in range(len(held)):
                    cards |= held[group] if public[group, field] else 0
                sides.values[field] = cards
            outcomes = settle(work.tables, put_hand(sides.values, hand), work.options)
            for place in range(len(sides.wagers)):
                outcome = outcomes[sides.wagers[place]]
                if step == 0:
                    number += sides.strides[place] * outcome
                elif find_outcome(sides, ending, place, number) != outcome:
                    sides.fault[0] = 1
        return number

    return find_side


def add_side_worth(worth: IntArray, sides: CountedSideWagers, nets: Sequence[Sequence[int]]) -> IntArray:
    """Split each class of ``worth`` by side outcomes, and add the nets staked.

    ``nets`` has the nets of each counted wager, none if it is not staked.
    """
    finer = np.repeat(worth, sides.numbers, axis=1)
    for ending in range(worth.shape[0]):
        for number in range(sides.numbers):
            net = sum(paid[find_outcome(sides, ending, place, number)] for place, paid in enumerate(nets) if len(paid))
            finer[ending, number :: sides.numbers, 0] += net
    return finer


def count_side_outcomes(
    game: Game, sides: CountedSideWagers, final: Any, main_worth: IntArray
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the deals of each outcome of the counted wagers.

    Each comes with the sum of main's nets in them.
    """
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for place, wager in enumerate(sides.wagers.tolist()):
        counts = [[0, 0] for _ in game.wagers[wager].outcomes]
        for ending, cells in enumerate(final):
            for cell, lanes in enumerate(cells):
                each = counts[find_outcome(sides, ending, place, cell % sides.numbers)]
                each[0] += int(lanes[0])
                worth = main_worth[ending, cell // sides.numbers].tolist()
                each[1] += sum(net * int(deals) for net, deals in zip(worth, lanes, strict=True))
        found[game.wagers[wager].id] = tuple((deals, total) for deals, total in counts)
    return found
