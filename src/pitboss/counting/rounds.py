"""Whole rounds at the table's pace, compiled: one to six seats, from the rule functions of a game alone.

The procedure is that of the table (``table/domain``), without its events and money: each decision is put to every
seat in order, draws are served from the stub, the dealer's hand is opened after the last decision or before the
first that may see it, and all wagers are settled.  Chance is an argument twice: the order of the deck, and a row of
numbers for what a round leaves open, the seats' choices and the shuffle of cards given up (LU-11).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import popcount
from pitboss.core.rule import rule
from pitboss.counting.compile import kernel
from pitboss.hands import HandTables

Integers = NDArray[np.int64]
RuleFunction = Callable[..., Any]
Rounds = Callable[[HandTables, Integers, Integers, Integers, Any, int], tuple[Integers, Integers]]
Compile = Callable[[RuleFunction], RuleFunction]

NOT_ASKED = -1


class Shape(NamedTuple):
    """What a round looks like: its wagers, its decisions, and the cards no seat may draw.

    ``gives[decision][action]`` is how many cards an action gives up, rows of one length; the dealer's hand is opened
    before decision ``opened_before``, which is their number where none may see it.
    """

    wagers: int
    gives: tuple[tuple[int, ...], ...]
    opened_before: int
    kept_back: int


def numbers_needed(shape: Shape, seats: int, deck: int) -> int:
    """Return how many numbers a round can use: one for each decision, one for each card that is shuffled again."""
    return seats * len(shape.gives) + deck


@rule
def action_by_number(allowed: int, number: int) -> int:
    """Return one of the actions of the set ``allowed``, all equally likely for numbers without end."""
    action = 0
    left = number % popcount(allowed)
    while not allowed >> action & 1 or left:
        left -= allowed >> action & 1
        action += 1
    return action


@rule
def cards_by_number(held: int, count: int, number: int) -> int:
    """Return ``count`` cards of the set ``held``, every set of them equally likely for numbers without end."""
    given = 0
    for _ in range(count):
        card = action_by_number(held & ~given, number)
        number //= popcount(held & ~given)
        given |= 1 << card
    return given


@rule
def cards_at(stub: Any, top: int, count: int) -> int:
    """Return the set of the next ``count`` cards of the stub."""
    cards = 0
    for place in range(top, top + count):
        cards |= 1 << stub[place]
    return cards


@rule
def laid_below(stub: Any, bottom: int, cards: int, numbers: Any, at: int) -> int:
    """Lay a set of cards below the stub, in an order that ``numbers`` from ``at`` on decide; return the new bottom."""
    first = bottom
    card = 0
    while cards >> card:
        if cards >> card & 1:
            stub[bottom] = card
            bottom += 1
        card += 1
    for last in range(bottom - 1, first, -1):
        chosen = first + numbers[at] % (last - first + 1)
        moved = stub[last]
        stub[last] = stub[chosen]
        stub[chosen] = moved
        at += 1
    return bottom


class Followed(NamedTuple):
    """A strategy as ``solving.Strategy`` describes it: its rule, and the numbers it is given."""

    choose: RuleFunction
    numbers: tuple[int, ...]


def rounds_of(rules: Any, shape: Shape, compiled: Compile = kernel, followed: Followed | None = None) -> Rounds:
    """Return rounds of a game whose choices are drawn from the legal ones, ``compiled`` or as plain Python.

    The attributes of ``rules`` are the game's rule functions, as ``contract.Rules`` describes them.  With a strategy
    to be ``followed`` every seat plays that, and nothing is drawn for it.

    The function takes the hand tables, decks of shape (rounds, cards), ``wagered`` of shape (rounds, seats) as
    ``deal`` takes it, non-negative numbers of shape (rounds, ``numbers_needed``), the game's options, and whether
    cards given up by others serve when the stub runs short.  It returns outcomes of shape (rounds, seats, wagers)
    and actions of shape (rounds, seats, decisions), ``NOT_ASKED`` where a seat had nothing to decide.
    """
    one_round = _one_round(
        rules, shape, _by_strategy(followed, compiled) if followed else _by_number(shape, compiled), compiled
    )
    wagers, decisions = shape.wagers, len(shape.gives)

    @compiled
    def rounds(
        tables: HandTables, decks: Integers, wagered: Integers, numbers: Integers, options: Any, again: int
    ) -> tuple[Integers, Integers]:
        outcomes = np.zeros((len(decks), wagered.shape[1], wagers), np.int64)
        actions = np.full((len(decks), wagered.shape[1], decisions), NOT_ASKED, np.int64)
        for i in range(len(decks)):
            one_round(tables, decks[i], wagered[i], numbers[i], options, again, outcomes[i], actions[i])
        return outcomes, actions

    played: Rounds = rounds
    return played


def _by_number(shape: Shape, compiled: Compile) -> RuleFunction:
    """Compile the choice of an action and of the cards it gives up by a number."""
    gives = np.array(shape.gives, np.int64)

    @compiled
    def chosen(_tables: HandTables, seen: Any, asked: int, allowed: int, number: int, _options: Any) -> tuple[int, int]:
        action = action_by_number(allowed, number)
        return action, cards_by_number(seen.player, gives[asked, action], number >> 8)

    return chosen


def _by_strategy(followed: Followed, compiled: Compile) -> RuleFunction:
    """Compile the choice of a strategy."""
    choose, numbers = followed

    @compiled
    def chosen(tables: HandTables, seen: Any, asked: int, _allowed: int, _number: int, options: Any) -> tuple[int, int]:
        taken: tuple[int, int] = choose(tables, seen, asked, numbers, options)
        return taken

    return chosen


def _one_round(rules: Any, shape: Shape, chosen: RuleFunction, compiled: Compile) -> RuleFunction:
    """Compile one round; what came of it is written into its last two arguments."""
    decision, legal, view, act, settle = rules.decision, rules.legal, rules.view, rules.act, rules.settle
    dealt, deal, owed, receive, released = rules.dealt, rules.deal, rules.owed, rules.receive, rules.released
    wagers, decisions, opened_before, kept_back = shape.wagers, len(shape.gives), shape.opened_before, shape.kept_back
    dealer_served = _dealer_served(rules, compiled)

    @compiled
    def one_round(
        tables: HandTables,
        deck: Integers,
        wagered: Integers,
        numbers: Integers,
        options: Any,
        again: int,
        outcomes: Integers,
        actions: Integers,
    ) -> None:
        seats = len(wagered)
        states = [deal(deck, seats, seat, wagered[seat]) for seat in range(seats)]
        stub = np.concatenate((deck, deck))
        top, bottom, returned, at = dealt(seats), len(deck), 0, 0
        for asked in range(decisions):
            if asked == opened_before:
                top = dealer_served(states, stub, top, 1)
            for seat in range(seats):
                reusable = 0
                for other in range(seats if again else 0):
                    if other != seat:
                        reusable |= released(states[other]) & ~returned
                if decision(tables, states[seat], options) == asked:
                    seen = view(states[seat])
                    available = bottom - top - kept_back + popcount(reusable)
                    allowed = legal(tables, seen, asked, available, options)
                    action, cards = chosen(tables, seen, asked, allowed, numbers[at], options)
                    states[seat] = act(states[seat], asked, action, cards)
                    actions[seat, asked] = action
                    at += 1
                count = owed(tables, states[seat], options)
                if bottom - top - kept_back < count:
                    old = bottom
                    bottom = laid_below(stub, bottom, reusable, numbers, at)
                    at += bottom - old
                    returned |= reusable
                if count:
                    states[seat] = receive(states[seat], cards_at(stub, top, count))
                    top += count
        if opened_before == decisions:
            top = dealer_served(states, stub, top, 1)
        dealer_served(states, stub, top, 0)
        for seat in range(seats):
            settled = settle(tables, states[seat], options)
            for wager in range(wagers):
                outcomes[seat, wager] = settled[wager]

    return one_round


def _dealer_served(rules: Any, compiled: Compile) -> RuleFunction:
    """Compile the dealer's turn: what one seat asks him to take serves every seat that asks; then he may open."""
    dealer_owed, dealer_receives, show = rules.dealer_owed, rules.dealer_receives, rules.show

    @compiled
    def dealer_served(states: Any, stub: Integers, top: int, opens: int) -> int:
        count = 0
        for state in states:
            count = max(count, dealer_owed(state))
        drawn = cards_at(stub, top, count)
        for seat in range(len(states)):
            if dealer_owed(states[seat]):
                states[seat] = dealer_receives(states[seat], drawn)
            if opens:
                states[seat] = show(states[seat])
        return top + count

    return dealer_served
