"""Interpreted and compiled, by the table's driver and by that of simulation: the same deals end the same."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drawing import SEEDS, draw_opening, each_game
from conformance.replayed import NOT_ASKED, Integers, RoundsFunction, build_rounds, count_numbers_needed
from pitboss.contract import Game
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.simulate.block_kernel import pick_action, pick_cards
from pitboss.simulate.round_driver import compute_round_shape
from pitboss.table.round import DecisionMade, Round

SEATS_COMPILED = (1, 6)
ROUNDS_INTERPRETED = 36
"""How many seats are dealt for each setting of the options and each number of seats."""


@cache
def plain(game: Game, seats: int) -> RoundsFunction:
    """Return the game's rounds of so many seats in Python."""
    return build_rounds(game.rules, compute_round_shape(game), seats, compiled=False)


def chances(game: Game, seats: int, rounds: int, seed: int) -> tuple[Integers, Integers, Integers]:
    """Return decks, what is wagered, and the numbers that decide the rest; every other deck holds great hands."""
    random = np.random.default_rng(seed)
    keys = random.random((rounds, game.deck.size))
    suits = np.arange(game.deck.size) // 13 == random.integers(0, 4, (rounds, 1))
    ranks = np.abs(np.arange(game.deck.size) % 13 - random.integers(0, 13, (rounds, 1))) <= 1
    keys[::3] -= 0.6 * suits[::3]
    keys[1::3] -= 0.8 * ranks[1::3]
    wagered = 1 | random.integers(0, 1 << len(game.wagers), (rounds, seats))
    numbers = random.integers(0, 1 << 62, (rounds, count_numbers_needed(compute_round_shape(game), seats)))
    return keys.argsort(axis=1), wagered, numbers


def option_settings(game: Game) -> list[dict[str, str]]:
    """Return settings that take every option to every one of its values."""
    longest = max((len(option.values) for option in game.options), default=1)
    return [
        resolve_options(game, {option.name: option.values[turn % len(option.values)] for option in game.options})
        for turn in range(longest)
    ]


def driven(opening: Round, deck: Sequence[int], numbers: Sequence[int]) -> Round:
    """Play a round at the table, choosing by the numbers by which the kernel chooses."""
    chance = iter(numbers)

    def shuffle(cards: Sequence[int]) -> Sequence[int]:
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            chosen = next(chance) % (last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        for _ in order[:1]:
            next(chance)
        return order

    now = opening.deal(deck, shuffle)
    while now.turn is not None:
        seat, decision = now.turn
        number = next(chance)
        actions = now.game.decisions[decision].actions
        action = actions[pick_action(sum(1 << actions.index(each) for each in now.list_legal_actions()), number)]
        given_up = pick_cards(now.get_view(seat).player, action.discards, number >> 8)
        cards = [card for card in now.game.deck.cards if given_up >> card & 1]
        now = now.decide(seat, action.id, cards, shuffle)
    return now


def taken(now: Round) -> list[list[int]]:
    """Return the index of the action that each seat took at each decision."""
    actions = [[NOT_ASKED] * len(now.game.decisions) for _ in range(now.seats)]
    for event in now.events:
        if isinstance(event, DecisionMade):
            index = next(i for i, decision in enumerate(now.game.decisions) if decision.id == event.decision)
            names = [action.id for action in now.game.decisions[index].actions]
            actions[event.seat][index] = names.index(event.action)
    return actions


def played_at_once(opening: Round, deck: Integers, numbers: Integers) -> tuple[Integers, Integers]:
    """Play one round of the same stakes and chances as simulation does."""
    wagers = [wager.id for wager in opening.game.wagers]
    wagered = np.zeros((1, opening.seats), np.int64)
    for stake in opening.stakes:
        wagered[0, stake.seat] |= 1 << wagers.index(stake.bet)
    again = int(opening.options.get("short_deck") == "reshuffle")
    play = plain(opening.game, opening.seats)
    outcomes, actions = play(load_hand_tables(), deck[None], wagered, numbers[None], opening.option_codes, again)
    return outcomes[0], actions[0]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("game")
@each_game
def test_compiled_rules_give_what_interpreted_rules_give(game: Game) -> None:
    for seats in SEATS_COMPILED:
        compiled = build_rounds(game.rules, compute_round_shape(game), seats)
        for turn, values in enumerate(option_settings(game)):
            codes, again = encode_options(game, values), int(values.get("short_deck") == "reshuffle")
            chance = chances(game, seats, ROUNDS_INTERPRETED // seats, 100 * turn + seats)
            fast = compiled(load_hand_tables(), *chance, codes, again)
            slow = plain(game, seats)(load_hand_tables(), *chance, codes, again)
            for quick, careful in zip(fast, slow, strict=True):
                np.testing.assert_array_equal(quick, careful)


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
@given(data=st.data())
def test_a_round_simulated_is_a_round_at_the_table(game: Game, data: st.DataObject) -> None:
    opening = draw_opening(data.draw, game)
    decks, _, numbers = chances(game, opening.seats, 1, data.draw(SEEDS))
    now = driven(opening, decks[0].tolist(), numbers[0].tolist())
    outcomes, actions = played_at_once(opening, decks[0], numbers[0])
    settled = [game.rules.settle(load_hand_tables(), state, now.option_codes) for state in now.states]
    np.testing.assert_array_equal(outcomes, settled)
    np.testing.assert_array_equal(actions, taken(now))
