"""The chances of an action: they add up, give the solver's value back, and are those of an enumeration."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from pitboss.analysis.hints import compute_hints
from pitboss.analysis.outcome_chances import compute_outcome_chances, value_outcome_groups
from pitboss.analysis.position import Position
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.solutions import build_problem
from pitboss.cards import DECK_52, bit, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.games.shifting_wilds.rules import PLAYED, ShiftingState
from pitboss.games.shifting_wilds.rules import settle as settle_shifting
from pitboss.games.six_card.rules import SixCardState, act, settle, show_dealer
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.table.round import Stake, open_round
from tiers import keep_named

SETUPS = {name: (select_paytables(game), resolve_options(game, {})) for name, game in load_games().items()}


def list_positions(game: Game, seed: int) -> list[Position]:
    """Return the positions of a random round in which the first action but a fold is always taken."""
    now = open_round(game)
    for wager in game.wagers:
        if wager.mandatory:
            now = now.place_wager(Stake(0, wager.id, wager.limits.minimum_cents))
    now, found = now.deal(shuffle_cards(game.deck.cards, seeded_bits(seed))), []
    while now.turn:
        asked, legal = now.turn[1], now.list_legal_actions()
        found.append(Position(asked, game.decisions[asked], now.get_view(0), legal, None))
        action = next(each for each in legal if each.id != "fold")
        cards = [card for card in game.deck.cards if now.get_view(0).player >> card & 1][: action.discards]
        now = now.decide(0, action.id, tuple(cards))
    return found


@pytest.mark.more
@pytest.mark.parametrize("name", keep_named(SETUPS, "six-card", "shifting-wilds", "wild-six-card"))
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_chances_add_up_and_give_the_value_back(name: str, seed: int) -> None:
    """The value is the nets weighed with their chances: a group for each net, found in the same way."""
    game, (paytables, options) = load_game(name), SETUPS[name]
    problem = build_problem(game, paytables, options)
    for position in list_positions(game, seed):
        chances = compute_outcome_chances(game, paytables, options, position)
        hints = {
            (each.action.id, each.cards): each.value
            for each in compute_hints(game, paytables, options, position, ignore_progress)
        }
        is_last = position.decision_index == len(game.decisions) - 1
        assert {(each.action, each.cards) for each in chances} == (set(hints) if chances or is_last else set())
        assert bool(chances) or name == "lunar"
        for each in chances:
            assert each.wins + each.pushes + each.loses == 1
            assert min(each.wins, each.pushes, each.loses, each.unqualified) >= 0
        nets = sorted(set(problem.problem.nets))
        if chances and name != "lunar":
            groups = [[int(net == own) for own in problem.problem.nets] for net in nets]
            columns = value_outcome_groups(game, problem.problem, groups, position)
            for choice, value in hints.items():
                of_net = [column[choice] for column in columns]
                assert sum(of_net) == 1
                assert sum(net * chance for net, chance in zip(nets, of_net, strict=True)) == value * problem.unit


def test_the_chances_of_a_hand_are_those_of_every_hand_that_the_dealer_may_hold() -> None:
    game, (paytables, options) = load_game("six-card"), SETUPS["six-card"]
    (position,) = list_positions(game, 5)
    view, codes, tables = position.view, encode_options(game, options), load_hand_tables()
    left = [card for card in DECK_52.cards if not (view.player | view.dealer) >> card & 1]
    counts: Counter[str] = Counter()
    for hidden in combinations(left, 3):
        state = SixCardState(view.player, view.dealer, sum(map(bit, hidden)), 0, 0)
        counts[game.main.outcomes[settle(tables, show_dealer(act(state, 0, 1, 0)), codes)[0]].name] += 1
    total = sum(counts.values())
    play = next(each for each in compute_outcome_chances(game, paytables, options, position) if each.action == "play")
    assert play.loses == Fraction(counts["play-lose-qualified"] + counts["play-lose-not-qualified"], total)
    assert play.wins == Fraction(counts["play-win-qualified"] + counts["play-win-not-qualified"], total)
    assert play.unqualified == Fraction(sum(n for name, n in counts.items() if "not-qualified" in name), total)


def test_side_stakes_may_change_the_play_and_with_it_the_chances() -> None:
    game, (paytables, options) = load_game("shifting-wilds"), SETUPS["shifting-wilds"]
    position = list_positions(game, 1)[0]
    stakes = {"bad-beat": Fraction(80)}
    without, beside = (
        {each.action: each for each in compute_outcome_chances(game, paytables, options, position, side)}
        for side in ({}, stakes)
    )
    assert without["lock"] == replace(beside["lock"], sides=())  # nothing is decided after it
    assert all(each.wins + each.pushes + each.loses == 1 for each in beside.values())


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", SETUPS)
def test_what_each_wager_adds_is_exact_and_adds_up_to_the_value(name: str) -> None:
    """Every game with side wagers that the play changes; without them the main wager is all of the value."""
    game, (paytables, options) = load_game(name), SETUPS[name]
    played = [wager.id for wager in game.wagers[1:] if depends_on_play(game, wager, options)]
    stakes = {bet: Fraction(place + 1, 2) for place, bet in enumerate(played)}
    for position in list_positions(game, 3):
        chances = compute_outcome_chances(game, paytables, options, position, stakes)
        if not chances:
            continue
        hints = compute_hints(game, paytables, options, position, ignore_progress, stakes)
        values = {(each.action.id, each.cards): each.value for each in hints}
        for each in chances:
            assert [bet for bet, _ in each.sides] == sorted(played)
            total = each.won - each.lost + sum(net for _, net in each.sides)
            assert total == values[each.action, each.cards]


@pytest.mark.more
def test_a_part_of_a_value_is_the_average_over_every_hand_that_the_dealer_may_hold() -> None:
    game, (paytables, options) = load_game("shifting-wilds"), SETUPS["shifting-wilds"]
    position = list_positions(game, 3)[-1]
    view, codes, tables = position.view, encode_options(game, options), load_hand_tables()
    stakes = {"regular-bonus": Fraction(1), "bad-beat": Fraction(1)}
    nets = build_problem(game, paytables, options, side_stakes=stakes).problem
    places = {wager.id: place for place, wager in enumerate(game.wagers)}
    seen = view.player | view.community | view.w1 | view.w2
    left = [card for card in DECK_52.cards if not seen >> card & 1]
    hands = list(combinations(left, 4))
    totals: Counter[str] = Counter()
    for hidden in hands:
        dealer = sum(map(bit, hidden))
        state = ShiftingState(view.player, dealer, view.community, view.w1, view.w2, PLAYED, 1)
        results = settle_shifting(tables, state, codes)
        totals["main"] += nets.nets[results[0]]
        for bet in stakes:
            totals[bet] += nets.side_nets[bet][results[places[bet]]]
    chances = compute_outcome_chances(game, paytables, options, position, stakes)
    play = next(each for each in chances if each.action == "play")
    unit = build_problem(game, paytables, options, side_stakes=stakes).unit
    assert play.won - play.lost == Fraction(totals["main"], len(hands) * unit)
    assert dict(play.sides) == {bet: Fraction(totals[bet], len(hands) * unit) for bet in stakes}
