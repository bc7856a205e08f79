"""Hints in the example games: they come from the rules, and from what the seat did before."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest

import pitboss as pb
from examples.loading import compute_nets, load_example
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import HintRequest, parse_hint_request
from pitboss.analysis.hints import has_values_ready
from pitboss.analysis.single_round import ActionChoice, play_round
from pitboss.analysis.solutions import build_problem
from pitboss.cards import make_mask, parse_cards
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError, UnknownNameError, WagerError
from pitboss.core.progress import ignore_progress
from pitboss.engine.hints import value_actions
from pitboss.engine.visit import prepare_visit
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import FirstValue, Solution
from pitboss.web.jobs.action_values import value_actions as value_on_page
from refusals import refusal


def find_hints(game: Game, cards: dict[str, str], *taken: str) -> dict[str, Fraction]:
    """Return the value of each action by the engine."""
    terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    request = parse_hint_request(game, terms, cards, taken)
    return {each.action.id: each.value for each in request.compute(ignore_progress)}


def average_net(game: Game, dealt: Sequence[int], unseen: int, actions: Sequence[int]) -> Fraction:
    """Return the mean net of main over all ways in which the next cards can come, by the interpreted rules."""
    codes, nets = encode_options(game, resolve_options(game, {})), compute_nets(game.main, select_paytables(game))
    free = [card for card in game.deck.cards if card not in dealt]
    total, deals = Fraction(0), 0

    def follow(_state: object, asked: int) -> ActionChoice:
        return actions[asked], 0

    for cards in combinations(free, unseen):
        deck = (*dealt, *cards, *(card for card in free if card not in cards))
        end = play_round(game, deck, codes, follow)
        total += nets[game.rules.settle(load_hand_tables(), end.state, codes)[0]]
        deals += 1
    return total / deals


@pytest.mark.compiled
@pytest.mark.more
def test_the_last_bet_of_mississippi_stud_depends_on_the_bets_before() -> None:
    """A pair of fives on fifth street: every way to come there, against the rules read card by card."""
    game = load_example("mississippi_stud")
    shown = parse_cards("5s Td 3h 5c", game.deck)
    best = {}
    for third, fourth in product((1, 2, 3), repeat=2):
        values = find_hints(game, {"player": "5s Td", "community": "3h 5c"}, f"bet-{third}", f"bet-{fourth}")
        assert values == {
            name: average_net(game, shown, 1, (third, fourth, action))
            for action, name in enumerate(("fold", "bet-1", "bet-2", "bet-3"))
        }
        best[third + fourth] = max(values, key=lambda name: values[name])
    assert best[2] != "bet-3"
    assert values["fold"] == -7


@pytest.mark.compiled
@pytest.mark.more
def test_what_was_pulled_back_counts_in_the_values_of_let_it_ride() -> None:
    game = load_example("let_it_ride")
    shown = parse_cards("Ts 9d 8c 7c", game.deck)
    for first, name in enumerate(("pull-back", "let-it-ride")):
        values = find_hints(game, {"player": "Ts 9d 8c", "community": "7c"}, name)
        assert values == {
            action: average_net(game, shown, 1, (first, second))
            for second, action in enumerate(("pull-back", "let-it-ride"))
        }


@pytest.mark.compiled
@pytest.mark.more
def test_the_river_of_ultimate_texas_holdem_is_valued_over_every_dealers_hand() -> None:
    """Two pair on the board and a king: the seat has come there in one way, so nothing need be told."""
    game = load_example("ultimate_texas_holdem")
    cards = {"player": "Ks 2d", "community": "9h 9c 4d 4s 7h"}
    values = find_hints(game, cards)
    assert values["fold"] == -2
    assert values == find_hints(game, cards, "check", "check")
    assert max(values, key=lambda name: values[name]) != "fold"


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize(("player", "best"), [("Qs 6d 4c", "play"), ("Qs 6d 3c", "fold")])
def test_queen_six_four_is_the_least_hand_to_play_in_three_card_poker(player: str, best: str) -> None:
    """As every book on the game has it."""
    values = find_hints(load_example("three_card_poker"), {"player": player})
    assert max(values, key=lambda name: values[name]) == best


@pytest.mark.parametrize(
    ("name", "cards", "taken", "code"),
    [
        ("mississippi_stud", {"player": "5s Td", "community": "3h 5c"}, (), "actions-needed"),
        ("let_it_ride", {"player": "Ts 9d 8c", "community": "7c"}, (), "actions-needed"),
        ("mississippi_stud", {"player": "5s Td", "community": "3h 5c"}, ("bet-3",), "unreachable-position"),
        ("mississippi_stud", {"player": "5s Td", "community": "3h 5c"}, ("fold", "bet-3"), "unreachable-position"),
    ],
)
def test_a_hint_that_cannot_be_given_says_what_is_missing(
    name: str, cards: dict[str, str], taken: tuple[str, ...], code: str
) -> None:
    with pytest.raises(IllegalActionError, check=refusal(code)):
        find_hints(load_example(name), cards, *taken)


def make_first_request(name: str, player: str) -> HintRequest:
    """Ask for the values of a hand at the first decision."""
    game = load_example(name)
    terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    return parse_hint_request(game, terms, {"player": player})


@pytest.mark.compiled
def test_too_much_can_follow_the_first_cards_of_ultimate_texas_holdem_to_be_counted_at_once() -> None:
    asked = make_first_request("ultimate_texas_holdem", "As Ks")
    game, problem = asked.game, build_problem(asked.game, asked.terms.paytables, asked.terms.options).problem
    visit = prepare_visit(game, problem, list(game.deck.cards), lists_roots=False)
    with pytest.raises(IllegalActionError, check=refusal("hint-past-budget")):
        value_actions(visit, problem, asked.position.view, 0, ignore_progress)


def make_solution(hand: str) -> Solution:
    """Return a solution that knows the first values of one hand."""
    game = load_example("ultimate_texas_holdem")
    values = (FirstValue(make_mask(parse_cards(hand, game.deck)), "check", 4, 6),)
    return Solution((), {}, 0, first_values=(*values, replace(values[0], action="raise-4x", total=-2)))


def test_a_first_hint_of_ultimate_texas_holdem_comes_from_its_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least of all hands of two suits stands for all of them."""
    asked = make_first_request("ultimate_texas_holdem", "Kd 9c")
    solution = make_solution("Ks 9h")
    monkeypatch.setattr("pitboss.analysis.hints.get_solution", lambda *_, **__: solution)
    unit = build_problem(asked.game, asked.terms.paytables, asked.terms.options).unit
    assert [(each.action.id, each.value * unit) for each in asked.compute(ignore_progress)] == [
        ("check", Fraction(3, 2)),
        ("raise-4x", Fraction(-1, 2)),
    ]
    with pytest.raises(IllegalActionError, check=refusal("unreachable-position")):
        make_first_request("ultimate_texas_holdem", "Kd 9d").compute(ignore_progress)


def test_the_coach_does_not_solve_a_game_for_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = make_first_request("ultimate_texas_holdem", "Kd 9c")
    for solution, ready in ((None, False), (make_solution("Ks 9h"), True)):
        monkeypatch.setattr("pitboss.analysis.hints.get_cached_solution", lambda *_, kept=solution, **__: kept)
        terms = asked.terms
        assert has_values_ready(asked.game, terms.paytables, terms.options, asked.position) is ready
        if not ready:
            with pytest.raises(WagerError, check=refusal("needs-solution", game=asked.game.id)):
                value_on_page(asked.game, terms.paytables, terms.options, asked.position, {})


def test_an_unknown_action_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownNameError, match="bet-1"):
        find_hints(load_example("mississippi_stud"), {"player": "5s Td", "community": "3h 5c"}, "raise")


@pytest.mark.compiled
@pytest.mark.more
def test_the_library_takes_earlier_actions_too() -> None:
    game = pb.game("mississippi-stud")
    best, *_ = game.hint(player="5s Td", community="3h 5c", taken=["bet-3", "bet-3"])
    assert best.action != "fold"
    with pytest.raises(pb.Error, match="give the ids of actions"):
        game.hint(player="5s Td", community="3h 5c", taken="bet-3")
