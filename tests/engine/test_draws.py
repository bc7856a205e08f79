"""A census of draws finds what laying out every deal says, integer for integer."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.draw_games import ACTIONS, State, View, draw_parts, follow_a_hash, make_draw_game
from engine.showdown_games import ShowdownGame, rank_cards
from engine.test_census import assert_solved
from oracle.whole_deals import WholeDeals
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.engine import hints
from pitboss.engine.draw_census import DrawCensus, prepare_draws, rank_dealers, solve_draws
from pitboss.engine.draw_shape import learn_draws
from pitboss.engine.hints import value_actions
from pitboss.engine.showdown_outcomes import NoCensusError
from pitboss.engine.visit import prepare_visit
from refusals import refusal

DRAWS = 47
"""A game in which the dealer draws after showing the hand."""

QUICK, MORE, ALL = range(12), range(12, 24), range(24, 200)


def mark(*seeds: Iterable[int]) -> list[Any]:
    """Mark the seeds of each tier."""
    tiers: tuple[tuple[pytest.MarkDecorator, ...], ...] = ((), (pytest.mark.more,), (pytest.mark.long,))
    return [pytest.param(seed, marks=marks) for of, marks in zip(seeds, tiers, strict=True) for seed in of]


@cache
def make_game(seed: int) -> ShowdownGame:
    """Make a game from a seed, once for all tests."""
    return make_draw_game(seed)


@cache
def prepare(seed: int) -> DrawCensus:
    """Prepare the census of a game made from a seed, once for all tests."""
    return prepare_draws(*make_game(seed))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", mark(QUICK, MORE, ALL))
def test_a_game_made_at_random_is_solved_as_every_deal_laid_out(seed: int) -> None:
    made = make_game(seed)
    solution = solve_draws(prepare(seed), made.problem)
    assert_solved(made.game, made.problem, WholeDeals(*made).play(), solution)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(QUICK[1::2], MORE[1::2], ALL[1::2]))
def test_a_strategy_is_followed_as_in_every_deal_laid_out(seed: int) -> None:
    """What it wins, and the deals and the cost of each kind of mistake."""
    made = follow_a_hash(make_game(seed), seed)
    assert_solved(made.game, made.problem, WholeDeals(*made).play(), solve_draws(prepare_draws(*made), made.problem))


def test_games_made_at_random_have_everything_that_games_with_a_draw_have() -> None:
    shapes = [draw_parts(seed).shape for seed in (*QUICK, *MORE, *ALL)]
    assert Counter(shape.dealer_draws for shape in shapes).keys() == {0, 1, 2}
    assert all(sum(shape.legal >> action & 1 for shape in shapes) > 20 for action in range(len(ACTIONS)))
    assert all(sum(map(bool, each)) > 20 for each in zip(*shapes, strict=True))
    assert sum(shape.own + 1 > shape.hidden + (shape.dealer_draws > 0) for shape in shapes) > 40


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(QUICK[::3], MORE[::4], ALL[::4]))
def test_a_hint_is_what_a_visit_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, problem, cards = make_game(seed)
    visit = prepare_visit(game, problem, cards)
    asked = 0
    for root in visit.roots[:, visit.first[0]].tolist():
        state = prepare(seed).learned.base._replace(player=root)
        if game.rules.next_decision(None, state, problem.options) != 0:
            continue
        told = []
        for finds in (True, False):
            with monkeypatch.context() as patch:
                if not finds:
                    patch.setattr(hints, "can_value_draws", lambda *_: False)
                told.append(value_actions(visit, problem, View(root, 0), 0, ignore_progress))
        assert told[0] == told[1]
        asked += 1
    assert bool(asked) == any(ending >= 0 for ending in prepare(seed).learned.endings[1:])


def refuse(**changes: Any) -> Callable[[Game], Game]:
    """Return what changes rules of a game."""
    return lambda game: replace(game, rules=replace(game.rules, **changes))


def rank_theirs(rank: Callable[[State], int]) -> Callable[[Game], Game]:
    """Return what ranks the dealer's hand otherwise; settle ranks it as before."""

    def change(game: Game) -> Game:
        assert game.showdown
        return replace(game, showdown=replace(game.showdown, theirs=lambda _, state, __: rank(state)))

    return change


BUYS_TWO = replace(ACTIONS[-1], draws=2)
REFUSED: dict[str, Callable[[Game], Game]] = {
    "two decisions": lambda game: replace(game, decisions=game.decisions * 2),
    "two cards": lambda game: replace(game, decisions=(replace(game.decisions[0], actions=(*ACTIONS[:-1], BUYS_TWO)),)),
    "no showdown": lambda game: replace(game, showdown=None),
    "colours": lambda game: replace(game, wagers=(replace(game.main, depends_on_colour=True),)),
    "the dealer's cards in view": refuse(view=lambda state: View(state.player, state.dealer)),
    "own cards out of view": refuse(view=lambda state: View(state.player & (state.player - 1), 0)),
    "a dealer's draw by cards": refuse(
        count_dealer_draws=lambda state: int(state.shown and not state.sixth and state.dealer & 8191 > 0)
    ),
    "a hand with the other's draw": rank_theirs(lambda state: rank_cards(state.dealer | state.drawn, 1)),
    "a hand with the other's cards": rank_theirs(lambda state: rank_cards(state.dealer | state.player, 1)),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_other_games_are_refused(reason: str) -> None:
    game, problem, cards = make_game(DRAWS)
    assert learn_draws(game, problem.options, cards)
    with pytest.raises(NoCensusError, check=refusal("no-showdown")):
        learn_draws(REFUSED[reason](game), problem.options, cards)


def test_suits_with_other_cards_are_refused() -> None:
    game, problem, cards = make_game(DRAWS)
    with pytest.raises(NoCensusError, check=refusal("no-showdown")):
        learn_draws(game, problem.options, (*cards, next(card for card in range(52) if card not in cards)))


@pytest.mark.usefixtures("interpreted")
def test_a_dealer_whose_last_card_matters_is_refused_at_the_first_hand_that_shows_it() -> None:
    game, problem, cards = make_game(DRAWS)
    changed = rank_theirs(lambda state: rank_cards(state.sixth, 1))(game)
    with pytest.raises(NoCensusError, check=refusal("no-showdown")):
        rank_dealers(game_settled_so(changed), problem.options, cards)


def game_settled_so(game: Game) -> Game:
    """Return a game that settles by its showdown."""
    shown = game.showdown
    assert shown

    def settle(tables: Any, state: State, options: Any) -> tuple[int]:
        mine, theirs = shown.mine(tables, state, options), shown.theirs(tables, state, options)
        return (shown.outcome(state, mine, theirs, options),)

    return replace(game, rules=replace(game.rules, settle=settle))
