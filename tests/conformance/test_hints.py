"""Every game with hints values all that is legal, and what it calls best is worth what its round is worth."""

from math import comb

import pytest

from pitboss.analysis.hints import hints
from pitboss.analysis.position import cards_named, position
from pitboss.analysis.solutions import solver_of
from pitboss.cards import mask_of, parse_cards, reordered, seeded_bits
from pitboss.contract import NO_DECISION, Game
from pitboss.core.progress import silent
from pitboss.games import games
from pitboss.hands import hand_tables
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose

HINTED = [game for game in games().values() if game.solver and hasattr(solver_of(game), "hint")]
NO_ROUND_COMES_TO_IT = 200


def seen_at(game: Game, asked: int, seed: int) -> dict[str, tuple[int, ...]]:
    """Play rounds, each decision before by its last action, until one comes to ``asked``; return the cards seen."""
    rules, tables, bits = game.rules, hand_tables(), seeded_bits(seed)
    codes = option_codes(game, option_values(game, {}))
    for _ in range(NO_ROUND_COMES_TO_IT):
        deck = reordered(game.deck.cards, bits)
        state, opened, stub = rules.deal(deck, 1, 0, 1), False, list(deck[rules.dealt(1) :])
        while not opened:
            owed = rules.owed(tables, state, codes)
            state = rules.receive(state, mask_of(stub.pop(0) for _ in range(owed))) if owed else state
            if rules.decision(tables, state, codes) == NO_DECISION:
                state, opened = rules.show(state), True
            view, at = rules.view(state), rules.decision(tables, state, codes)
            if at == asked:
                named = cards_named(view, game.decisions[asked], game.deck)
                return {name: parse_cards(cards, game.deck) for name, cards in named.items()}
            if at != NO_DECISION:
                held = [card for card in deck if view.player >> card & 1]
                decision = game.decisions[at]
                action = bits(8) % len(decision.actions)
                state = rules.act(state, at, action, mask_of(held[: decision.actions[action].gives]))
    pytest.fail(f"no round came to {game.decisions[asked].id}")


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "asked"),
    [
        pytest.param(game, asked, id=f"{game.id}-{decision.id}")
        for game in HINTED
        for asked, decision in enumerate(game.decisions)
    ],
)
def test_a_hint_values_every_legal_action_and_choice_of_cards_once(game: Game, asked: int) -> None:
    chosen, options = choose(game), option_values(game, {})
    at = position(game, chosen, options, seen_at(game, asked, seed=asked))
    assert at.asked == asked
    found = hints(game, chosen, options, at, silent)
    held = at.view.player.bit_count()
    legal = {action.id: comb(held, action.gives) for action in at.legal}
    choices = {(each.action.id, each.cards) for each in found}
    assert len(choices) == len(found) == sum(legal.values())
    assert {name: sum(each.action.id == name for each in found) for name in legal} == legal
    assert all(each.cards & ~at.view.player == 0 for each in found)
    assert all(each.cards.bit_count() == each.action.gives for each in found)
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)


@pytest.mark.compiled
def test_what_a_fold_is_worth_needs_no_counting() -> None:
    """A fold at the first decision loses what lies there; where a game has it, hints say so."""
    for game in HINTED:
        first = game.decisions[0]
        if first.actions[0].id == "fold":
            chosen, options = choose(game), option_values(game, {})
            found = hints(game, chosen, options, position(game, chosen, options, seen_at(game, 0, seed=9)), silent)
            assert next(each.value for each in found if each.action.id == "fold") == -1
