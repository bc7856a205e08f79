"""What a leak is worth: published figures, every deal laid out, and more seen is never worth less."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.random_games import RandomGame, make_random_game
from examples.loading import load_example
from oracle.leaked_deals import KnownStub, LeakedDeals
from pitboss.analysis.solutions import build_problem
from pitboss.cards import FIRST_JOKER, RANK_COUNT
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.core.progress import ignore_progress
from pitboss.engine.card_leaks import CardLeak, LeakKind, SeenAspect, find_leak, list_leaks
from pitboss.engine.leak_census import prepare_leak_census, value_with_leak
from pitboss.engine.leak_estimate import FEWEST_POSITIONS, LeakEstimate, estimate_changed, estimate_leak_value
from pitboss.engine.leak_visit import ExactLeakValue, can_visit, compute_leak_value
from pitboss.engine.visit import prepare_visit, visit_roots
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem
from refusals import refusal
from tiers import keep_first

ONE_DECISION, TWO_DECISIONS = (1, 4, 10, 16), (5, 14, 20)
LAID_OUT, MORE_LAID_OUT = (4, 14), (1, 5, 10, 16, 20)
SAMPLED = (4, 10, 14, 16, 20)
DRAWN, MORE_DRAWN = (16,), (10, 41, 44)
ORDERED = SeenAspect.CARD, SeenAspect.RANK, SeenAspect.COLOUR


def mark(seeds: Sequence[int], longer: Sequence[int]) -> list[Any]:
    """Return seeds of games, the others marked for the longest tier."""
    return keep_first((*seeds, *longer), len(seeds))


def make_plain(seed: int) -> tuple[RandomGame, SolverProblem]:
    """Make a small game without a strategy to follow."""
    made = make_random_game(seed, 3, 300, 3_000)
    return made, SolverProblem(made.problem.options, made.problem.nets, made.problem.side_nets)


def find_hidden(made: RandomGame, problem: SolverProblem) -> list[int]:
    """Return the places that a seat does not see at its first decision."""
    visit = prepare_visit(made.game, problem, made.cards)
    return [place for index, group in enumerate(visit.groups) if index not in visit.first for place in group.places]


def measure(made: RandomGame, problem: SolverProblem, leak: CardLeak) -> ExactLeakValue:
    return compute_leak_value(made.game, problem, made.cards, leak, ignore_progress)


def make_leak(places: Sequence[int], aspect: SeenAspect = SeenAspect.CARD) -> CardLeak:
    return CardLeak("some", "some cards", LeakKind.DEALER, tuple(places), aspect)


def look_at(aspect: SeenAspect) -> Callable[[Sequence[int]], object]:
    """Return what an aspect shows of one card."""
    if aspect is SeenAspect.CARD:
        return tuple
    if aspect is SeenAspect.RANK:
        return lambda cards: "joker" if cards[0] >= FIRST_JOKER else cards[0] % RANK_COUNT
    return lambda cards: "joker" if cards[0] >= FIRST_JOKER else cards[0] // RANK_COUNT in (1, 2)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", mark(LAID_OUT, MORE_LAID_OUT))
def test_places_known_are_worth_what_every_deal_laid_out_says(seed: int) -> None:
    made, problem = make_plain(seed)
    hidden, deals = find_hidden(made, problem), LeakedDeals(made.game, problem, made.cards)
    plain = deals.average(())
    for places in {tuple(hidden[:1]), tuple(hidden[-1:]), tuple(hidden)}:
        worth = measure(made, problem, make_leak(places))
        assert (worth.value, worth.plain_value) == (deals.average(places), plain)
        assert (worth.changed > 0) >= (len(made.game.decisions) == 1 and worth.value > plain)


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize("seed", keep_first((*LAID_OUT, *MORE_LAID_OUT), 1))
def test_compiled_a_place_known_is_worth_what_every_deal_laid_out_says(seed: int) -> None:
    made, problem = make_plain(seed)
    places = find_hidden(made, problem)[:1]
    worth, deals = measure(made, problem, make_leak(places)), LeakedDeals(made.game, problem, made.cards)
    assert (worth.value, worth.plain_value) == (deals.average(places), deals.average(()))


@pytest.mark.more
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", ONE_DECISION)
def test_a_rank_or_a_colour_is_worth_what_every_deal_laid_out_says(seed: int) -> None:
    made, problem = make_plain(seed)
    hidden, deals = find_hidden(made, problem), LeakedDeals(made.game, problem, made.cards)
    worths = {aspect: measure(made, problem, make_leak(hidden[:1], aspect)) for aspect in ORDERED}
    for aspect, worth in worths.items():
        assert worth.value == deals.average(hidden[:1], look_at(aspect))
        assert worths[SeenAspect.CARD].value >= worth.value >= worth.plain_value


@pytest.mark.usefixtures("interpreted")
@pytest.mark.in_turn("seed")
@pytest.mark.parametrize("seed", ONE_DECISION + TWO_DECISIONS)
def test_more_places_known_are_never_worth_less(seed: int) -> None:
    made, problem = make_plain(seed)
    hidden = find_hidden(made, problem)
    worths = [measure(made, problem, make_leak(hidden[:count])) for count in range(1, len(hidden) + 1)]
    values = [worths[0].plain_value, *(worth.value for worth in worths)]
    assert values == sorted(values)


def measure_example(name: str, leak: str) -> ExactLeakValue:
    game = load_example(name)
    problem = build_problem(game, select_paytables(game), resolve_options(game, {}))
    found = find_leak(game, leak)
    assert can_visit(game, found)
    worth = compute_leak_value(game, problem.problem, game.deck.cards, found, ignore_progress)
    return ExactLeakValue(worth.value / problem.unit, worth.plain_value / problem.unit, worth.changed)


@pytest.mark.long
def test_one_dealer_card_seen_in_three_card_poker_is_worth_what_is_published() -> None:
    worth = measure_example("three_card_poker", "dealer-1")
    assert worth.plain_value == Fraction(-13_733_780, 407_170_400)
    assert worth.value == Fraction(443_162, 12_724_075)
    assert f"{float(100 * worth.value):.4f}" == "3.4829"


@pytest.mark.long
def test_the_rank_of_a_dealer_card_of_three_card_poker_is_worth_as_much_as_the_card() -> None:
    assert measure_example("three_card_poker", "dealer-1-rank").value == Fraction(443_162, 12_724_075)


@pytest.mark.long
def test_who_sees_a_dealer_card_of_three_card_poker_wins_as_often_as_is_published() -> None:
    """The hit frequency: the outcomes are counted along the play, which finds the value a second time."""
    game = load_example("three_card_poker")
    scaled = build_problem(game, select_paytables(game), resolve_options(game, {}))
    visit = prepare_visit(game, scaled.problem, game.deck.cards, find_leak(game, "dealer-1").places)
    value, tally = visit_roots(visit, scaled.problem, 0, len(visit.roots))
    counts = tally.outcomes[0, : len(scaled.problem.nets), 0].tolist()
    assert Fraction(value, sum(counts) * scaled.unit) == Fraction(443_162, 12_724_075)
    hits = sum(count for count, net in zip(counts, scaled.problem.nets, strict=True) if net > 0)
    assert f"{100 * hits / sum(counts):.4f}" == "54.2203"


@pytest.mark.long
def test_a_later_community_card_of_let_it_ride_is_worth_more() -> None:
    worths = [measure_example("let_it_ride", leak) for leak in ("early-first", "early-second", "early-all")]
    assert worths[0].plain_value < worths[0].value < worths[1].value < worths[2].value
    assert f"{float(-100 * worths[0].plain_value):.4f}" == "3.5057"


def test_the_leaks_of_a_game_follow_from_who_sees_what() -> None:
    assert [leak.id for leak in list_leaks(load_game("lunar"))] == [
        *("dealer-1", "dealer-2", "dealer-3", "dealer-4", "dealer-1-rank", "dealer-1-colour"),
        *(f"stub-{count}" for count in range(1, 6)),
        *(f"neighbours-{count}" for count in range(1, 6)),
    ]
    shifting = {leak.id: leak.sees for leak in list_leaks(load_game("shifting-wilds"))}
    assert shifting["early-w2-rank"] == "the rank of a card of w2 before the first decision"
    assert find_leak(load_game("six-card"), "dealer-2").places == (9, 10)


def test_a_leak_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownNameError, check=refusal("unknown-leak")):
        find_leak(load_game("six-card"), "stub-1")


def test_a_game_that_asks_nothing_has_no_leaks() -> None:
    made = make_random_game(3, 3, 300, 3_000)
    with pytest.raises(WagerError, check=refusal("no-decision")):
        list_leaks(made.game)


def estimate(made: RandomGame, problem: SolverProblem, leak: CardLeak) -> LeakEstimate:
    return estimate_leak_value(made.game, problem, made.cards, leak, 1.0, 60, 1, ignore_progress)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("seed", SAMPLED)
def test_a_sample_of_positions_finds_the_worth_of_each_place(seed: int) -> None:
    """The dealer draws in some of these games, and opens in others before the last decision."""
    made, problem = make_plain(seed)
    problem = SolverProblem(problem.options, problem.nets)
    deals = LeakedDeals(made.game, problem, made.cards)
    plain = deals.average(())
    for place in find_hidden(made, problem):
        exact, found = deals.average([place]) - plain, estimate(made, problem, make_leak([place]))
        assert abs(found.gain - float(exact)) <= 4 * found.standard_error


@pytest.mark.compiled
@pytest.mark.long
def test_a_sample_of_positions_finds_the_worth_within_its_error() -> None:
    made, problem = make_plain(16)
    problem = SolverProblem(problem.options, problem.nets)
    for aspect in ORDERED:
        leak = make_leak(find_hidden(made, problem)[:1], aspect)
        exact, found = measure(made, problem, leak), estimate(made, problem, leak)
        assert found == estimate(made, problem, leak)
        assert found.positions >= FEWEST_POSITIONS
        assert abs(found.gain - float(exact.value - exact.plain_value)) < 4 * found.standard_error
        assert abs(found.changed - float(exact.changed)) < 4 * found.changed_error


@pytest.mark.compiled
@pytest.mark.more
@pytest.mark.parametrize("seed", mark(DRAWN, MORE_DRAWN))
def test_the_top_of_the_stub_is_worth_what_every_deal_laid_out_says(seed: int) -> None:
    """The order of two known cards matters: who draws one gets the first."""
    made, problem = make_plain(seed)
    problem = SolverProblem(problem.options, problem.nets)
    first, deals = made.game.rules.count_dealt(1), KnownStub(made.game, problem, made.cards)
    plain = deals.average(0)
    for count in range(1, min(2, len(made.cards) - first) + 1):
        leak = CardLeak("stub", "", LeakKind.STUB, tuple(range(first, first + count)))
        exact, found = deals.average(count) - plain, estimate(made, problem, leak)
        assert found.gain > 0
        assert abs(found.gain - float(exact)) < 4 * found.standard_error


def estimate_example(name: str, leak: str) -> LeakEstimate:
    game = load_example(name)
    scaled = build_problem(game, select_paytables(game), resolve_options(game, {}))
    assert scaled.unit == 1
    return estimate_leak_value(
        game, scaled.problem, game.deck.cards, find_leak(game, leak), 0.004, 600, 1, ignore_progress
    )


@pytest.mark.long
def test_samples_find_the_exact_worths_of_three_card_poker() -> None:
    card, rank = (estimate_example("three_card_poker", leak) for leak in ("dealer-1", "dealer-1-rank"))
    assert (card.nested, rank.nested) == (False, True)
    gain = float(Fraction(443_162, 12_724_075) + Fraction(13_733_780, 407_170_400))
    assert abs(card.gain - gain) < 4 * card.standard_error
    assert abs(rank.gain - gain) < 4 * rank.standard_error


@pytest.mark.long
@pytest.mark.parametrize("leak", ["dealer-1", "dealer-1-rank", "dealer-1-colour"])
def test_samples_find_the_share_of_decisions_that_a_leak_changes(leak: str) -> None:
    """A rank changes more than a quarter, a colour one in two hundred: as many as chance changes in the samples."""
    exact, found = measure_example("three_card_poker", leak), estimate_example("three_card_poker", leak)
    assert abs(found.changed - float(exact.changed)) < 4 * found.changed_error
    assert found.changed_error < 0.015


@pytest.mark.parametrize("effect", [0.0, 0.01, 0.03, 0.3])
def test_the_share_of_changed_decisions_has_no_chance_of_the_samples_in_it(effect: float) -> None:
    """Margins of raising over folding, without the leak and with it, and what two halves of a sample show of them."""
    rng, count = np.random.default_rng(1), 400_000
    plain = rng.normal(0.1, 1, count)
    margins = np.stack([plain, plain + rng.normal(0, effect, count)])
    halves = margins + rng.normal(0, 0.2, (2, 1, count)) + rng.normal(0, 0.03, (2, 2, count))
    exact, by_samples, by_half = (
        (raised[0] != raised[1]).astype(float) for raised in (margins > 0, halves.mean(axis=0) > 0, halves[0] > 0)
    )
    changed, error = estimate_changed(by_samples, by_half)
    assert abs(changed - exact.mean()) < 4 * error
    assert error < 0.003
    assert effect > 0.1 or by_samples.mean() - exact.mean() > 0.002


def value_by_census(name: str, leak: str) -> Fraction:
    """Return the value of the best play that uses a leak, by a census."""
    game = load_example(name)
    scaled = build_problem(game, select_paytables(game), resolve_options(game, {}))
    census = prepare_leak_census(game, scaled.problem, game.deck.cards, find_leak(game, leak), 60)
    assert census
    return value_with_leak(census, scaled.problem, ignore_progress) / scaled.unit


@pytest.mark.long
def test_a_census_finds_what_a_dealer_card_of_three_card_poker_is_worth() -> None:
    one, two = (value_by_census("three_card_poker", leak) for leak in ("dealer-1", "dealer-2"))
    assert (one, two) == (Fraction(443_162, 12_724_075), Fraction(2_501_649, 14_541_800))


@pytest.mark.long
def test_two_dealer_cards_known_in_caribbean_stud_are_worth_what_is_published() -> None:
    """The house keeps 0.616036 % if one hidden card is seen with the open one; samples find as much."""
    exact = value_by_census("caribbean_stud", "dealer-1")
    assert exact == Fraction(-2_558_246_932, 415_275_635_775)
    assert f"{float(-100 * exact):.6f}" == "0.616036"
    found = estimate_example("caribbean_stud", "dealer-1")
    gain = float(exact + Fraction(1_041_372_912_372, 19_933_230_517_200))
    assert abs(found.gain - gain) < 4 * found.standard_error


def test_a_census_knows_whole_cards_and_keeps_to_its_time() -> None:
    game = load_example("caribbean_stud")
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    for leak, seconds in (("dealer-1-rank", 3_600), ("dealer-2", 60), ("dealer-4", 3_600), ("neighbours-5", 3_600)):
        assert prepare_leak_census(game, problem, game.deck.cards, find_leak(game, leak), seconds) is None
