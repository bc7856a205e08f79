"""Rules that the engine would solve wrongly are refused in a line that says what is wrong and where."""

from dataclasses import replace
from typing import Any

import pytest

from conformance.drawing import each_game
from engine import random_rules
from engine.random_games import RandomGame, get_game, make_random_game
from engine.random_rules import BUY, NEVER, STAY, State, View, hash_sets
from pitboss.cards import DECK_52, SUIT_MASK, get_ranks, popcount
from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.errors import PitbossError, StrategyError
from pitboss.engine.information_checks import verify_rules
from pitboss.engine.places import learn_place_groups
from pitboss.engine.visit import make_walk_data, prepare_visit
from pitboss.engine.walk import build_walk_kernel
from pitboss.engine.walk_faults import verify_walk
from pitboss.options import encode_options, resolve_options
from pitboss.solver_api import SolverProblem, Strategy
from refusals import refusal

CARDS = (0, 1, 2, 15, 16, 30, 45)
NETS = (1,) * random_rules.MAIN_OUTCOMES
PLAIN = make_random_game(4, 3, 300, 3_000).problem.options._replace(
    odds_first=0, odds_second=0, legal_first=1 << STAY, legal_second=1 << STAY, automatic=0, legal_varies=0
)


def make_game(decisions: int = 2, opening: int = 2, **switches: int) -> RandomGame:
    """Make a game of one card, one on the board after the first decision and one hidden, or as the switches say."""
    chosen = {"own": 1, "board": 1, "hidden": 1, "board_at": 1, "hidden_at": NEVER}
    bits, first = 0, 0
    for name, width in random_rules.SWITCHES.items():
        bits |= (chosen | switches).get(name, 0) << first
        first += width
    game = get_game((decisions, opening), bits, 0, coloured=False)
    options = PLAIN._replace(decisions=decisions, opening=opening if opening < decisions else 3)
    return RandomGame(0, game, SolverProblem(options, NETS), CARDS, 0)


def with_rules(game: Game, **rules: RuleFunction) -> Game:
    """Return a game with other rules."""
    return replace(game, rules=replace(game.rules, **rules))


def walk(made: RandomGame) -> None:
    """Walk over every deal in Python."""
    visit = prepare_visit(made.game, made.problem, made.cards)
    data, strategy = make_walk_data(visit, made.problem.options), made.problem.strategy
    kernel: Any = build_walk_kernel(made.game, strategy and strategy.choose)
    getattr(kernel, "py_func", kernel)(data, visit.roots, visit.weights, visit.scale, 1)
    verify_walk(made.game, data.tally, strategy)


@each_game
def test_the_rules_of_games_are_accepted(game: Game) -> None:
    verify_rules(game, encode_options(game, resolve_options(game, {})), tuple(game.deck.cards))


def test_the_plain_game_is_accepted() -> None:
    walk(make_game())


def is_low(cards: int) -> bool:
    """Tell whether cards are low, as rules of this page do of cards that they may not read."""
    return get_ranks(cards) & 5 != 0


def show_by_hidden(state: State) -> View:
    """Show the board early if a hidden card is low."""
    return random_rules.view(state._replace(passed=9) if is_low(state.hidden) else state)


def ask_by_board(tables: Any, state: State, options: Any) -> int:
    """Ask no first decision if the board, which is not seen, is low."""
    asks = random_rules.next_decision(tables, state, options)
    return 1 if asks == 0 and is_low(state.board) else asks


def settle_early(tables: Any, state: State, options: Any) -> tuple[int, ...]:
    """Settle the side wager by a card that is still hidden."""
    main, _, *others = random_rules.settle(tables, state, options)
    return main, hash_sets(state.hidden, 0, 0, 0, options) % 3, *others


def draw_by_hidden(_tables: Any, state: State, _options: Any) -> int:
    """Let the seat draw a card if a hidden card is low."""
    return 1 if is_low(state.hidden) and state.drawn == 0 else 0


def show_a_count(state: State) -> View:
    """Show how many cards are hidden in the place of cards."""
    return random_rules.view(state)._replace(discarded=7 << 40 | popcount(state.hidden))


@pytest.mark.parametrize(
    ("rule", "function", "decision"),
    [
        ("view", show_by_hidden, "decision-0"),
        ("next_decision", ask_by_board, "decision-0"),
        ("settle", settle_early, "decision-0"),
        ("count_draws", draw_by_hidden, "decision-0"),
    ],
)
def test_a_rule_that_reads_cards_not_seen_is_refused(rule: str, function: RuleFunction, decision: str) -> None:
    made = make_game()
    game = with_rules(made.game, **{rule: function})
    with pytest.raises(PitbossError, check=refusal("rules-peek", game="random", rule=rule, decision=decision)):
        verify_rules(game, made.problem.options, made.cards)


def test_a_view_of_something_other_than_cards_dealt_is_refused() -> None:
    made = make_game()
    with pytest.raises(PitbossError, check=refusal("view-not-cards", game="random")):
        verify_rules(with_rules(made.game, view=show_a_count), made.problem.options, made.cards)


def allow_by_suit(_tables: Any, view: View, *_: Any) -> int:
    """Allow another action to a seat whose card is a spade."""
    return 1 << STAY if view.player & SUIT_MASK else 1 << BUY


def settle_by_suit(tables: Any, state: State, options: Any) -> tuple[int, ...]:
    """Settle main by the suit of the card that the dealer opens."""
    main, *others = random_rules.settle(tables, state, options)
    return (main if main == UNSETTLED else int(state.hidden & SUIT_MASK > 0)), *others


@pytest.mark.parametrize(("rule", "function"), [("legal_actions", allow_by_suit), ("settle", settle_by_suit)])
def test_rules_that_tell_suits_apart_are_refused(rule: str, function: RuleFunction) -> None:
    """Before cards that are hidden or seen: deals are visited up to an exchange of suits."""
    made = make_game()
    game = with_rules(made.game, **{rule: function})
    with pytest.raises(PitbossError, check=refusal("rules-tell-suits", game="random", rule=rule)):
        verify_rules(game, made.problem.options, tuple(DECK_52.cards))


@pytest.mark.parametrize(("decisions", "opening"), [(1, 1), (1, 0), (2, 2), (2, 1)])
def test_a_decision_asked_without_end_is_refused(decisions: int, opening: int) -> None:
    """The action is not noted, so that the first decision is asked again and again."""
    made = make_game(decisions, opening)
    game = with_rules(made.game, act=lambda state, *_: state)
    with pytest.raises(PitbossError, check=refusal("asked-again", game="random", decision="decision-0")):
        verify_rules(game, made.problem.options, made.cards)


def test_a_wager_that_is_never_settled_is_refused() -> None:
    def settle(tables: Any, state: State, options: Any) -> tuple[int, ...]:
        main, side, _, *others = random_rules.settle(tables, state, options)
        return main, side, UNSETTLED, *others

    made = make_game()
    with pytest.raises(PitbossError, check=refusal("wager-unsettled", game="random", wager="late")):
        verify_rules(with_rules(made.game, settle=settle), made.problem.options, made.cards)


@pytest.mark.parametrize("outcome", [random_rules.SIDE_OUTCOMES, -2, 0.5])
def test_an_outcome_that_a_wager_does_not_have_is_refused(outcome: Any) -> None:
    """Its deals would be counted nowhere, and totals would be unequal."""

    def settle(tables: Any, state: State, options: Any) -> tuple[int, ...]:
        main, side, *others = random_rules.settle(tables, state, options)
        return main, outcome if side == 1 else side, *others

    made = make_game()
    with pytest.raises(PitbossError, check=refusal("odd-outcome", game="random", wager="side", rule="settle")):
        verify_rules(with_rules(made.game, settle=settle), made.problem.options, made.cards)


@pytest.mark.parametrize("count", [2, -1])
@pytest.mark.parametrize("rule", ["count_draws", "count_dealer_draws"])
def test_a_draw_of_cards_that_are_not_there_is_refused(rule: str, count: int) -> None:
    made = make_game()
    moment = "at decision-0" if rule == "count_draws" else "by the dealer"
    with pytest.raises(PitbossError, check=refusal("odd-draws", game="random", moment=moment)):
        verify_rules(with_rules(made.game, **{rule: lambda *_: count}), made.problem.options, made.cards)


def test_a_decision_without_an_action_is_refused() -> None:
    made = make_game()
    game = with_rules(made.game, legal_actions=lambda _t, _v, decision, *_: decision)
    with pytest.raises(PitbossError, check=refusal("no-action", game="random", decision="decision-0")):
        verify_rules(game, made.problem.options, made.cards)


def test_a_state_of_something_other_than_cards_is_refused() -> None:
    made = make_game()

    def deal(deck: Any, seats: int, seat: int, wagered: int) -> State:
        state = random_rules.deal(deck, seats, seat, wagered)
        return state._replace(raises=get_ranks(state.hidden))

    with pytest.raises(PitbossError, check=refusal("derived-field", game="random", field="raises")):
        learn_place_groups(with_rules(made.game, deal=deal))


# What no sample of deals need show is noted by the walk itself: the sample is passed by here.


@pytest.fixture
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.engine.visit.verify_rules", lambda *_: None)
    monkeypatch.setattr("pitboss.engine.visit.DECKS", 1)
    monkeypatch.setattr("pitboss.engine.visit._DECKS_OF_DRAWS", 1)


def show_in_turn(state: State) -> View:
    """Show the hidden card with the board, but only if the board is low."""
    seen = random_rules.view(state)
    return seen._replace(hidden=state.hidden if seen.board and is_low(seen.board) else seen.hidden)


def test_cards_shown_by_others_shown_at_the_same_time_are_refused() -> None:
    made = make_game()
    with pytest.raises(PitbossError, check=refusal("odd-view", game="random", decision="decision-1")):
        walk(made._replace(game=with_rules(made.game, view=show_in_turn)))


def test_a_card_drawn_face_down_before_a_decision_is_refused() -> None:
    made = make_game(face_down=1)
    problem = replace(made.problem, options=made.problem.options._replace(legal_first=1 << BUY))
    with pytest.raises(PitbossError, check=refusal("hidden-draw", game="random", decision="decision-1")):
        walk(made._replace(problem=problem))


def test_a_card_drawn_face_down_after_the_last_decision_is_accepted() -> None:
    made = make_game(face_down=1)
    walk(
        made._replace(problem=replace(made.problem, options=made.problem.options._replace(legal_second=1 << BUY))),
    )


def test_a_dealer_who_draws_before_a_decision_that_sees_his_hand_is_refused() -> None:
    with pytest.raises(PitbossError, check=refusal("early-draw", game="random", decision="decision-1")):
        walk(make_game(opening=1, dealer_draws=1))


@pytest.mark.usefixtures("_unchecked")
def test_a_decision_without_an_action_is_refused_by_the_walk() -> None:
    made = make_game()
    game = with_rules(
        made.game,
        legal_actions=lambda _t, seen, decision, *_: 0 if decision and seen.board == 2 and seen.player == 1 else 2,
    )
    with pytest.raises(PitbossError, check=refusal("no-action", game="random", decision="decision-1")):
        walk(made._replace(game=game))


@pytest.mark.usefixtures("_unchecked")
def test_a_wager_that_is_never_settled_is_refused_by_the_walk() -> None:
    def settle(tables: Any, state: State, options: Any) -> tuple[int, ...]:
        main, _, *others = random_rules.settle(tables, state, options)
        return main, UNSETTLED, *others

    made = make_game()
    with pytest.raises(PitbossError, check=refusal("wager-unsettled", game="random", wager="side")):
        walk(made._replace(game=with_rules(made.game, settle=settle)))


def is_rare(state: State) -> bool:
    """Tell one deal of 42 from the others."""
    return state.own == 1 and state.hidden == 1 << 45


@pytest.mark.usefixtures("_unchecked")
@pytest.mark.parametrize("count", [1, 2, 60, -1])
def test_dealers_draws_that_no_deal_of_the_sample_showed_are_refused(count: int) -> None:
    made, draws = make_game(), lambda state: count if is_rare(state) and not state.dealers else 0
    with pytest.raises(PitbossError, check=refusal("odd-draws", game="random", decision="")):
        walk(made._replace(game=with_rules(made.game, count_dealer_draws=draws)))


@pytest.mark.usefixtures("_unchecked")
@pytest.mark.parametrize(("count", "decision"), [(1, ""), (2, "decision-1"), (60, "decision-0"), (-1, "decision-0")])
def test_draws_that_no_deal_of_the_sample_showed_are_refused(count: int, decision: str) -> None:
    """Where they are too many, or where no whole number of deals is left for each."""
    made, draws = make_game(), lambda _tables, state, _options: count if state.own == 1 and not state.drawn else 0
    with pytest.raises(PitbossError, check=refusal("odd-draws", game="random", decision=decision)):
        walk(made._replace(game=with_rules(made.game, count_draws=draws)))


@pytest.mark.usefixtures("_unchecked")
@pytest.mark.parametrize("outcome", [random_rules.MAIN_OUTCOMES, 10**9, -2])
def test_an_outcome_that_main_does_not_have_is_refused_by_the_walk(outcome: int) -> None:
    def settle(tables: Any, state: State, options: Any) -> tuple[int, ...]:
        main, *others = random_rules.settle(tables, state, options)
        return outcome if main != UNSETTLED and is_rare(state) else main, *others

    made = make_game()
    with pytest.raises(PitbossError, check=refusal("odd-outcome", game="random", wager="main")):
        walk(made._replace(game=with_rules(made.game, settle=settle)))


def test_a_strategy_that_takes_an_action_that_is_not_legal_is_refused() -> None:
    strategy = Strategy("buys", "Buys", (), lambda *_: (BUY, 0))
    made = make_game()
    with pytest.raises(
        StrategyError, check=refusal("illegal-choice", game="random", strategy="buys", decision="decision-0")
    ):
        walk(made._replace(problem=replace(made.problem, strategy=strategy)))
