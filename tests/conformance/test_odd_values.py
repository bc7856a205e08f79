"""The library's own doors: a value of a wrong kind or size is refused in one line that names it, of every game."""

from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

import pytest

from conformance.drawing import each_game
from oddities import NOT_TEXT, ODD_TEXT, WRONG_KINDS, WRONG_SIZES
from pitboss.cards import format_card, format_cards, make_mask, parse_cards, verify_cards
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.core.money import parse_cents
from pitboss.options import parse_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.simulate.players import find_player
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.history import parse_history

Door = Callable[[Any], Any]


def refused(door: Door, value: object) -> str:
    """Return the line with which a call refuses a value; nothing else may come of it."""
    with pytest.raises(PitbossError) as error:
        door(value)
    line = str(error.value)
    assert line.strip(), value
    assert len(line) < 10_000
    return line


def staked(game: Game) -> Round:
    now = open_round(game)
    for wager in game.wagers:
        if wager.mandatory:
            now = now.place_wager(Stake(0, wager.id, wager.limits.minimum_cents))
    return now


def deciding(game: Game) -> Round:
    """Return a round in which somebody has something to decide."""
    decks = ([*game.deck.cards[shift:], *game.deck.cards[:shift]] for shift in range(1, 52, 5))
    mixed = ([*deck[::3], *deck[1::3], *deck[2::3]] for deck in decks)
    return next(now for deck in mixed if (now := staked(game).deal(deck)).turn)


def doors(game: Game) -> tuple[Door, ...]:
    """Return every call that takes a whole number."""
    now, asked, cards = staked(game), deciding(game), list(game.deck.cards)
    action = asked.list_legal_actions()[0].id
    return (
        lambda value: open_round(game, value),
        lambda value: open_round(game).place_wager(Stake(value, "main", 500)),
        lambda value: open_round(game).place_wager(Stake(0, "main", value)),
        lambda value: open_round(game, limits={"main": (value, 40_000)}),
        lambda value: now.deal([*cards[:-1], value]),
        lambda value: asked.decide(value, action),
        lambda value: asked.decide(0, action, [value]),
        lambda value: format_card(value, game.deck),
        lambda value: format_cards([value], game.deck),
        lambda value: verify_cards([value], game.deck, "a hand"),
    )


@each_game
def test_a_number_of_a_wrong_kind_is_refused_by_name(game: Game) -> None:
    for door in doors(game):
        for value in WRONG_KINDS:
            assert repr(value) in refused(door, value)


@each_game
def test_a_number_of_a_wrong_size_is_refused(game: Game) -> None:
    for door in doors(game):
        for value in WRONG_SIZES:
            refused(door, value)


@each_game
def test_another_seat_that_is_not_a_number_is_refused_by_name(game: Game) -> None:
    side, now = game.wagers[-1], open_round(game, 2)
    for value in WRONG_KINDS:
        if value is not None:
            said = refused(lambda on: now.place_wager(Stake(0, side.id, side.limits.minimum_cents, on)), value)
            assert repr(value) in said


def test_a_set_of_cards_is_made_of_card_codes() -> None:
    for value in (*WRONG_KINDS, -1, -(10**30)):
        assert repr(value) in refused(lambda code: make_mask([code]), value)


@each_game
def test_a_deck_that_is_not_whole_is_refused(game: Game) -> None:
    now, cards = staked(game), list(game.deck.cards)
    decks: list[object] = [None, 5, "As", 1.5, {}, [], cards[:-1], [*cards, 0], [*cards[:-1], 0], [*cards[:-1], -1]]
    for deck in decks:
        refused(now.deal, deck)
    assert f"{format_card(7, game.deck)} (card code 7) twice" in refused(now.deal, [*cards[:-1], 7])


@each_game
def test_a_name_of_a_wrong_kind_is_refused_by_name(game: Game) -> None:
    asked = deciding(game)
    calls: tuple[Door, ...] = (
        lambda name: open_round(game).place_wager(Stake(0, name, 500)),
        lambda name: asked.decide(0, name),
        lambda name: open_round(game, options={name: "on"}),
        lambda name: open_round(game, limits={name: (500, 1_000)}),
        *(lambda name, option=each.name: open_round(game, options={option: name}) for each in game.options[:1]),
    )
    for call in calls:
        for value in NOT_TEXT:
            assert repr(value) in refused(call, value)


@each_game
def test_odd_text_is_refused_or_read_and_nothing_else(game: Game) -> None:
    calls: tuple[Door, ...] = (
        lambda word: parse_cards(word, game.deck),
        parse_cents,
        lambda word: parse_options(game, [word]),
        lambda word: select_paytables(game, [word]),
        parse_history,
        lambda word: resolve_options(game, {word: word}),
        lambda word: None if "/" in word else find_player(game, word),
    )
    taken, names = 0, ("main", *(option.name for option in game.options[:1]))
    for text in ODD_TEXT:
        joined = chain.from_iterable((f"{name}={text}", f"{text}={name}") for name in names)
        for word in (text, *joined):
            for call in calls:
                with suppress(PitbossError):
                    call(word)
                    taken += 1
    assert taken < len(ODD_TEXT) * len(calls)
