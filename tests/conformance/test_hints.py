"""Every game with hints values all that is legal, and what it calls best is worth what its round is worth."""

from math import comb

import pytest

from pitboss.analysis.hints import compute_hints
from pitboss.analysis.position import find_position, format_view_cards
from pitboss.cards import make_mask, parse_cards, seeded_bits, shuffle_cards
from pitboss.contract import NO_DECISION, Game
from pitboss.core.progress import ignore_progress
from pitboss.games import load_games
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import load_solver

HINTED = [game for game in load_games().values() if game.solver and load_solver(game).hint]
NO_ROUND_COMES_TO_IT = 200


def seen_at(game: Game, asked: int, seed: int) -> dict[str, tuple[int, ...]]:
    """Play rounds, each decision before by its last action, until one comes to ``asked``; return the cards seen."""
    rules, tables, bits = game.rules, load_hand_tables(), seeded_bits(seed)
    codes = encode_options(game, resolve_options(game, {}))
    for _ in range(NO_ROUND_COMES_TO_IT):
        deck = shuffle_cards(game.deck.cards, bits)
        state, opened, stub = rules.deal(deck, 1, 0, 1), False, list(deck[rules.count_dealt(1) :])
        while not opened:
            owed = rules.count_draws(tables, state, codes)
            state = rules.receive_draw(state, make_mask(stub.pop(0) for _ in range(owed))) if owed else state
            if rules.next_decision(tables, state, codes) == NO_DECISION:
                state, opened = rules.show_dealer(state), True
            view, at = rules.view(state), rules.next_decision(tables, state, codes)
            if at == asked:
                named = format_view_cards(view, game.decisions[asked], game.deck)
                return {name: parse_cards(cards, game.deck) for name, cards in named.items()}
            if at != NO_DECISION:
                held = [card for card in deck if view.player >> card & 1]
                decision = game.decisions[at]
                action = bits(8) % len(decision.actions)
                state = rules.act(state, at, action, make_mask(held[: decision.actions[action].discards]))
    pytest.fail(f"no round came to {game.decisions[asked].id}")


@pytest.mark.more
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
    chosen, options = select_paytables(game), resolve_options(game, {})
    at = find_position(game, chosen, options, seen_at(game, asked, seed=asked))
    assert at.decision_index == asked
    found = compute_hints(game, chosen, options, at, ignore_progress)
    held = at.view.player.bit_count()
    legal = {action.id: comb(held, action.discards) for action in at.legal}
    choices = {(each.action.id, each.cards) for each in found}
    assert len(choices) == len(found) == sum(legal.values())
    assert {name: sum(each.action.id == name for each in found) for name in legal} == legal
    assert all(each.cards & ~at.view.player == 0 for each in found)
    assert all(each.cards.bit_count() == each.action.discards for each in found)
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)


@pytest.mark.more
@pytest.mark.compiled
def test_what_a_fold_is_worth_needs_no_counting() -> None:
    """A fold at the first decision loses what lies there; where a game has it, hints say so."""
    for game in HINTED:
        first = game.decisions[0]
        if first.actions[0].id == "fold":
            chosen, options = select_paytables(game), resolve_options(game, {})
            found = compute_hints(
                game, chosen, options, find_position(game, chosen, options, seen_at(game, 0, seed=9)), ignore_progress
            )
            assert next(each.value for each in found if each.action.id == "fold") == -1
