"""Every strategy that is written down can be followed: it takes legal actions, and tells no suit from another."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drawing import SEEDS, draw_trail, in_fewer_rounds
from pitboss import games
from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, make_mask, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.games import load_games
from pitboss.hands import load_hand_tables
from pitboss.solver_api import Strategy
from pitboss.strategies import load_strategies

each_strategy = pytest.mark.parametrize(
    ("game", "strategy"),
    [
        pytest.param(game, strategy, id=f"{game.id}-{strategy.id}")
        for game in load_games().values()
        for strategy in load_strategies(game)
    ],
)


@pytest.mark.more
@each_strategy
@in_fewer_rounds
@given(data=st.data())
@pytest.mark.in_turn("game")
def test_a_strategy_takes_a_legal_action_and_the_same_whatever_the_suits(
    game: Game, strategy: Strategy, data: st.DataObject
) -> None:
    suits = shuffle_cards(range(SUIT_COUNT), seeded_bits(data.draw(SEEDS)))

    def relabelled(cards: int) -> int:
        held = [card for card in game.deck.cards if cards >> card & 1]
        return make_mask(
            card if card >= FIRST_JOKER else suits[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT for card in held
        )

    tables = load_hand_tables()
    for now in draw_trail(data.draw, game, seats=1)[1:-1]:
        assert now.turn is not None
        asked, view = now.turn[1], now.get_view(0)
        action, cards = strategy.choose(tables, view, asked, strategy.numbers, now.option_codes)
        taken = game.decisions[asked].actions[action]
        assert taken in now.list_legal_actions()
        assert cards & ~view.player == 0
        assert cards.bit_count() == taken.discards
        other = type(view)(*map(relabelled, view))
        again, other_cards = strategy.choose(tables, other, asked, strategy.numbers, now.option_codes)
        assert again == action
        assert other_cards.bit_count() == taken.discards


@pytest.mark.parametrize(
    "game", [game for game in load_games().values() if load_strategies(game)], ids=lambda game: game.id
)
def test_a_person_reads_every_number_that_the_rule_is_given(game: Game) -> None:
    written = tomllib.loads((game.folder / "strategy.toml").read_text(encoding="utf-8"))["strategy"]
    for each in written:
        printed = set(re.findall(r"\{(\w+)", " ".join(each["lines"])))
        assert printed == set(each.get("numbers", {}))


def test_the_practical_strategy_comes_first() -> None:
    """The games of this package have one; a game of somebody else names its strategies as it likes."""
    own = [game for game in load_games().values() if game.folder.parent == Path(games.__file__).parent]
    assert {load_strategies(game)[0].id for game in own} == {"practical"}
