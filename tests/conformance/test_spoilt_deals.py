"""A history in which a card is missing, too many or there twice: the action and the card that are wrong are named."""

import re
from collections.abc import Iterator

import pytest

from conformance.drawing import each_game, shuffle_by
from pitboss.cards import format_card, seeded_bits, shuffle_deck
from pitboss.contract import Game, HandOwner
from pitboss.core.errors import HistoryError
from pitboss.games import load_game
from pitboss.options import get_wager_status, resolve_options
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.history import replay_history
from pitboss.table.round.history_schema import History
from pitboss.table.round.history_writer import build_history

SEATS = 3


def played(game: Game, seed: int) -> Round:
    """Play a round in which every seat draws where it may, and has all wagers on its own hand."""
    now = open_round(game, SEATS)
    for seat in range(SEATS):
        for wager in game.wagers:
            if (
                wager.hand_owner is HandOwner.OWN_HAND
                and get_wager_status(game, wager, resolve_options(game, {})) != "off"
            ):
                now = now.place_wager(Stake(seat, wager.id, wager.limits.minimum_cents))
    now = now.deal(shuffle_deck(game.deck, seeded_bits(seed)), shuffle_by(seed))
    while now.turn is not None:
        legal = now.list_legal_actions()
        action = next((each for each in legal if each.discards and each.draws), legal[-1])
        held = [card for card in game.deck.cards if now.get_view(now.turn[0]).player >> card & 1]
        now = now.decide(now.turn[0], action.id, held[: action.discards], shuffle_by(seed))
    return now


def histories(game: Game) -> Iterator[History]:
    for seed in range(3):
        yield build_history(played(game, seed)).model_copy(update={"settlements": []})


def cards_in(text: str, game: Game) -> list[str]:
    """Return the cards written together in a text, by their names in the game's deck."""
    return re.findall("|".join(format_card(code, game.deck) for code in game.deck.cards), text)


def deals(history: History) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number of each deal, where it goes, and its cards."""
    for place, action in enumerate(history.actions):
        if action.startswith("d "):
            to, cards = action.rsplit(" ", 1)
            yield place, to, cards_in(cards, load_game(history.variant))


def refusal(history: History, place: int, action: str) -> str:
    actions = [*history.actions[:place], action, *history.actions[place + 1 :]]
    with pytest.raises(HistoryError) as refused:
        replay_history(history.model_copy(update={"actions": actions}))
    assert "\n" not in str(refused.value)
    return str(refused.value)


@each_game
def test_a_deal_that_lacks_a_card_is_named_with_its_number(game: Game) -> None:
    for history in histories(game):
        for place, to, cards in deals(history):
            if len(cards) > 1:
                short, numbers = (
                    f"{to} {''.join(cards[:-1])}",
                    f"{len(cards) - 1} cards, but the rules deal {len(cards)}",
                )
                assert refusal(history, place, short) == f"action {place + 1} is {short!r}: {numbers}"


@each_game
def test_a_deal_with_a_card_too_many_is_named_with_its_number(game: Game) -> None:
    for history in histories(game):
        dealt = {card for _, _, cards in deals(history) for card in cards}
        spare = next(name for code in game.deck.cards if (name := format_card(code, game.deck)) not in dealt)
        for place, to, cards in deals(history):
            long = f"{to} {''.join(cards)}{spare}"
            said = refusal(history, place, long)
            assert said == f"action {place + 1} is {long!r}: {len(cards) + 1} cards, but the rules deal {len(cards)}"


@each_game
def test_a_card_that_is_dealt_twice_is_the_one_named(game: Game) -> None:
    for history in histories(game):
        seen: list[str] = []
        for place, to, cards in deals(history):
            for again in (*seen[-1:], *cards[:1]) if len(cards) > 1 else seen[:1]:
                twice = f"{to} {''.join(cards[:-1])}{again}"
                assert (
                    refusal(history, place, twice) == f"{twice!r}: {again} is already dealt: a card is dealt only once"
                )
            given = cards_in(" ".join(action for action in history.actions if " sd " in action), game)
            seen += [card for card in cards if card not in given]


@each_game
def test_a_deal_that_is_left_out_is_asked_for(game: Game) -> None:
    history = next(histories(game))
    for place, to, cards in list(deals(history))[: len(game.deal_order) + SEATS - 1]:
        actions = [*history.actions[:place], *history.actions[place + 1 :]]
        with pytest.raises(HistoryError) as refused:
            replay_history(history.model_copy(update={"actions": actions}))
        assert str(refused.value).startswith(f"action {place + 1} is ")
        assert str(refused.value).endswith(f": the rules deal {len(cards)} cards here, as '{to} ...'")
