"""Tabulate a strategy at every position of Wild 52, and list its mistakes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, bit, get_ranks, get_suit_ranks, popcount
from pitboss.contract import RuleFunction
from pitboss.core.rule import rule
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.deck import JokerDeck
from pitboss.hands import HIGH_CARD, PAIR, HandTables, format_rank, get_category_name, load_hand_tables
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Mistake, Strategy

MAX_MISTAKES = 12

_FIVE_IN_A_ROW = 0b11111
_MAX_KINDS = 1 << 12
_DRAWS = ("", ", three of a suit", ", four to a straight", ", four of a suit")
_JOKERS = ("", ", the Joker in hand", ", the Joker on the board")
_ACTIONS = (("fold", "play"), ("check", "play-2"))

MistakeTotals = dict[tuple[int, int], tuple[int, int]]
"""By the action taken (0 or 1) and the kind of position (``_classify_position``): the number of deals and the cost."""


@dataclass(frozen=True, slots=True)
class Wild52PolicyTable:
    """A strategy's decisions by class of fives.

    ``play`` has the first decisions, ``twice`` (first cards, classes) the second, with the Joker last.

    ``losses``, shape (2, classes), are what its second decisions lose against the best, in units of the nets: after
    natural first cards, and after the Joker.  ``mistakes`` has the deals and the total cost of those that are reached.
    """

    play: NDArray[np.bool_]
    twice: NDArray[np.bool_]
    losses: IntArray
    mistakes: MistakeTotals = field(default_factory=dict)


def tabulate_policy(deck: JokerDeck, strategy: Strategy, options: Any) -> Wild52PolicyTable:
    """Tabulate a strategy's decisions.

    They are those for a hand of each class of fives, alone and with every first card.
    """
    firsts = np.array([*(1 << int(rank) for rank in deck.layout.ranks), 1 << FIRST_JOKER])
    play = np.zeros(len(deck.masks), np.bool_)
    twice = np.zeros((len(firsts), len(deck.masks)), np.bool_)
    numbers = tuple(int(number) for number in strategy.numbers)
    _compile_tabulate(strategy.choose)(load_hand_tables(), deck.masks, firsts, numbers, options, play, twice)
    return Wild52PolicyTable(play, twice, np.zeros((2, len(deck.masks)), np.int64))


@cache
def _compile_tabulate(choose: RuleFunction) -> Callable[..., None]:
    @no_alloc_kernel
    def tabulate(
        tables: HandTables,
        fives: IntArray,
        firsts: IntArray,
        numbers: Any,
        options: Any,
        play: NDArray[np.bool_],
        twice: NDArray[np.bool_],
    ) -> None:
        for each in range(len(fives)):
            action, _ = choose(tables, rules.Wild52View(fives[each], 0, 0), 0, numbers, options)
            play[each] = action != rules.FOLD
            for number in range(len(firsts)):
                if not fives[each] & firsts[number]:
                    second_action, _ = choose(
                        tables, rules.Wild52View(fives[each], firsts[number], 0), 1, numbers, options
                    )
                    twice[number, each] = second_action != rules.CHECK

    return tabulate


def add_second_mistakes(deck: JokerDeck, policy: Wild52PolicyTable, number: int, gains: IntArray, options: Any) -> None:
    """Add the mistakes of the second decisions after first card ``number``.

    ``gains`` has by class the value of a second Play over a check; it is 0 for hands that hold the card.
    """
    is_joker = number == len(deck.layout.ranks)
    first = bit(FIRST_JOKER if is_joker else int(deck.layout.ranks[number]))
    times = 1 if is_joker else SUIT_COUNT
    mistakes = _collect_mistakes(
        deck, policy.play, policy.twice[number], gains, first, policy.losses[int(is_joker)], options
    )
    for key, (hands, cost) in mistakes.items():
        deals, cost_before = policy.mistakes.get(key, (0, 0))
        policy.mistakes[key] = (deals + hands * times * deck.showdowns, cost_before + cost * times)


def find_first_mistakes(deck: JokerDeck, policy: Wild52PolicyTable, gains: IntArray, options: Any) -> MistakeTotals:
    """Find the mistakes of the first decisions.

    ``gains`` has by class the value of a Play over a fold.
    """
    everywhere = np.ones_like(policy.play)
    mistakes = _collect_mistakes(deck, everywhere, policy.play, gains, 0, np.zeros_like(gains), options)
    return {key: (hands * deck.rounds, cost) for key, (hands, cost) in mistakes.items()}


def _collect_mistakes(
    deck: JokerDeck,
    reached: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    gains: IntArray,
    first: int,
    losses: IntArray,
    options: Any,
) -> MistakeTotals:
    """Collect hands and cost by action taken and kind of position.

    All costs by class are added to ``losses``.
    """
    tallies = np.zeros((2, _MAX_KINDS, 2), np.int64)
    _tally_mistakes(
        load_hand_tables(), options, deck.masks, deck.orbits.weights, reached, taken, gains, first, losses, tallies
    )
    keys = [(action, kind) for action in (0, 1) for kind in np.flatnonzero(tallies[action, :, 0]).tolist()]
    return {key: (int(tallies[*key, 0]), int(tallies[*key, 1])) for key in keys}


@no_alloc_kernel
def _tally_mistakes(
    tables: HandTables,
    options: Any,
    fives: IntArray,
    weights: NDArray[np.int32],
    reached: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    gains: IntArray,
    first: int,
    losses: IntArray,
    tallies: IntArray,
) -> None:
    for each in range(len(fives)):
        action = 1 if taken[each] else 0
        cost = max(gains[each], 0) - action * gains[each]
        losses[each] += cost
        if cost and reached[each]:
            kind = _classify_position(tables, fives[each], first, options)
            tallies[action, kind, 0] += weights[each]
            tallies[action, kind, 1] += weights[each] * cost


@rule
def _classify_position(tables: HandTables, five: int, first: int, options: rules.Wild52Options) -> int:
    """Classify a position as a person sees it.

    The kind is the hand's category and rank, its draw, and the place of the Joker.
    """
    mask = five | first
    made = rules.rank_hand(tables, mask, options) >> 16
    suited = 0
    for each in range(SUIT_COUNT):
        suited = max(suited, popcount(get_suit_ranks(mask, each)))
    held = get_ranks(mask)
    from_ace = held << 1 | held >> (RANK_COUNT - 1)
    to_straight = 0
    for lowest_of_five in range(RANK_COUNT - 3):
        to_straight = max(to_straight, popcount(from_ace >> lowest_of_five & _FIVE_IN_A_ROW))
    draw = 3 if suited >= 4 else 2 if to_straight >= 4 else 1 if suited == 3 and first == 0 else 0
    if made >> 4 > PAIR:
        made, draw = made >> 4 << 4, 0
    joker = 2 if first & bit(FIRST_JOKER) else 1 if five & bit(FIRST_JOKER) else 0
    return (made * 4 + draw) * 3 + joker


def _describe_kind(kind: int) -> str:
    """Describe a kind of position in words.

    >>> _describe_kind(((1 << 4 | 13) * 4 + 3) * 3)
    'pair of kings, four of a suit'
    """
    rest, joker = divmod(kind, 3)
    made, draw = divmod(rest, 4)
    category, rank = divmod(made, 16)
    name = get_category_name(category << 20).replace("-", " ")
    if category == HIGH_CARD:
        name = f"{format_rank(rank)} high"
    elif category == PAIR:
        name = f"pair of {format_rank(rank, plural=True)}"
    return name + _DRAWS[draw] + _JOKERS[joker]


def list_mistakes(first: MistakeTotals, second: MistakeTotals) -> tuple[Mistake, ...]:
    """List all mistakes, the costliest first."""
    mistakes = [
        Mistake(_ACTIONS[decision][taken], _ACTIONS[decision][1 - taken], _describe_kind(kind), deals, cost)
        for decision, totals in enumerate((first, second))
        for (taken, kind), (deals, cost) in totals.items()
    ]
    return tuple(sorted(mistakes, key=lambda mistake: (-mistake.cost, mistake.hand, mistake.taken)))
