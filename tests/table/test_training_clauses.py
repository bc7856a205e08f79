"""What training cites, offers and asks at the console, for every game and wager."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import chain, product

import pytest

from conformance.drawing import each_game
from pitboss.builders import display_value
from pitboss.cards import seeded_bits
from pitboss.contract import Game, LegResult
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    EnvyPaid,
    LegSettlement,
    Round,
    WagerSettled,
    open_round,
)
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.reasons import LOST_BY_FOLD
from pitboss.table.round.wagers import get_wager
from pitboss.table.session import TableTerms
from pitboss.table.training.clause_words import find_references, load_clauses
from pitboss.table.training.console_steps import ENVY_HAND_CASE, KEYS_CASE
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.drills import DrillRequest, deal_drill, draw_deal
from pitboss.table.training.grading import grade_answer
from pitboss.table.training.procedure import SettledClause, cite_settlement, load_procedure
from pitboss.table.training.questions import DisputeRate, build_questions
from pitboss.table.training.rounds import deal_training_round, open_training_round
from pitboss.table.training.step_texts import describe_zone_name
from pitboss.table.training.wrong_steps import BACK_TO_RUN
from pitboss.web.forms import MAX_ANSWER
from table.laying import SIX_CARD, deck_of, opened


def rounds(game: Game, count: int = 30, seats: int = 3) -> Iterator[tuple[Round, tuple[DealerQuestion, ...]]]:
    """Yield rounds of a game with what is asked in them."""
    for seed in range(count):
        played = deal_training_round(open_round(game, min(seats, game.seats)), seeded_bits(seed))
        yield played, build_questions(played, seeded_bits(seed))


def citations(game: Game) -> Iterator[tuple[WagerSettled, LegSettlement, bool, str]]:
    """Yield every way in which a circle can be settled, before and after a fold, with its clause."""
    played = open_round(game, 1)
    for wager in game.wagers:
        for outcome in wager.outcomes:
            legs = tuple(LegSettlement(leg.circle, 1, leg.result, 0, leg.reason) for leg in outcome.legs)
            event = WagerSettled(0, wager.id, None, outcome.name, 0, legs)
            for leg in legs:
                for folded in (False, True):
                    yield event, leg, folded, cite_settlement(played, event, leg, is_folded=folded)


# Clauses.


@pytest.mark.parametrize("name", load_games())
def test_every_settlement_has_a_clause_and_a_fold_its_own(name: str) -> None:
    game = load_game(name)
    by_fold, others = set[str](), set[str]()
    for event, leg, _, clause in citations(game):
        assert clause
        if event.bet == "main":
            (by_fold if leg.reason == LOST_BY_FOLD else others).add(clause)
    assert bool(by_fold) == any(action.id == "fold" for each in game.decisions for action in each.actions)
    assert all("fold" in each for each in by_fold)
    assert not by_fold & others
    assert load_procedure(game).pay not in by_fold


@pytest.mark.parametrize("name", load_games())
def test_no_clause_of_a_procedure_is_left_unused(name: str) -> None:
    cited = {clause for *_, clause in citations(load_game(name))}
    assert {each.clause for each in load_procedure(load_game(name)).settled} <= cited


@pytest.mark.parametrize(
    ("name", "bet", "outcome", "circle", "folded", "clause"),
    [
        ("six-card", "main", "fold", "ante", True, "5a and 6"),
        ("six-card", "main", "play-lose-not-qualified", "ante", False, "8: below"),
        ("six-card", "main", "play-win-qualified", "play", False, "10:"),
        ("six-card", "main", "play-lose-qualified", "ante", False, "11:"),
        ("six-card", "main", "play-tie-qualified", "ante", False, "12:"),
        ("six-card", "aces-up", "lose", "aces-up", True, "5a and 6"),
        ("six-card", "aces-up", "flush", "aces-up", True, "6a"),
        ("six-card", "aces-up", "flush", "aces-up", False, "13"),
        ("lunar", "main", "exchange-2-fold", "ante", True, "6: a fold"),
        ("lunar", "main", "exchange-2-fold", "fee", True, "6: a draw"),
        ("lunar", "main", "play-take-ante", "bet", False, "9: not qualified"),
        ("lunar", "main", "play-win-qualified-four-of-a-kind-ace-king", "bet", False, "8 and the Bet"),
        ("lunar", "main", "play-win-qualified-four-of-a-kind", "bet", False, "7 and the Bet"),
        ("lunar", "main", "instant-cash-royal-flush", "ante", False, "4 and"),
        ("shifting-wilds", "bad-beat", "lose", "bad-beat", True, "forfeited by a fold"),
        ("shifting-wilds", "main", "play-win-not-qualified", "ante", False, "SW-4"),
        ("wild-52", "main", "raise-once-tie-not-qualified", "play", False, "10b"),
        ("wild-52", "bonus", "lose", "bonus", True, "WJ-4"),
        ("wild-six-card", "main", "discard-push", "poker", False, "Poker Bet, 1"),
        ("wild-six-card", "taxpayers-fortune", "tax-two-pair-lose", "tax", False, "Tax Schedule"),
    ],
)
def test_a_settlement_cites_the_clause_that_it_used(
    name: str, bet: str, outcome: str, circle: str, clause: str, *, folded: bool
) -> None:
    cited = [
        cited
        for event, leg, after_fold, cited in citations(load_game(name))
        if (event.bet, event.outcome, leg.circle, after_fold) == (bet, outcome, circle, folded)
    ]
    assert cited
    assert all(clause in each for each in cited)


@pytest.mark.parametrize("name", load_games())
def test_a_fold_in_a_round_cites_the_fold_alone(name: str) -> None:
    seen = 0
    for _, tasks in rounds(load_game(name)):
        for task in tasks:
            if task.reason == LOST_BY_FOLD:
                assert "fold" in task.clause
                seen += 1
    assert seen or name == "wild-six-card"


def test_a_house_that_plays_otherwise_is_told_in_the_clause() -> None:
    terms = TableTerms(game="wild-52", seats=3, options={"ante_when_unqualified": "push"})
    cited = set[str]()
    for seed in range(10):
        played = deal_training_round(open_training_round(terms), seeded_bits(seed))
        cited |= {task.clause for task in build_questions(played) if task.question.split(", ")[-1].startswith("Ante")}
    assert any(
        each.endswith("WJ-3; but at this house, what happens to the Ante when the dealer does not qualify: push")
        for each in cited
    )


# Choices.


@each_game
def test_no_two_choices_are_alike_and_there_are_enough(game: Game) -> None:
    for seats in (1, 3, 6):
        for played, tasks in rounds(game, 8, seats):
            for task in tasks:
                assert not task.choices or len(task.choices) == len(set(task.choices)) == 4, (task, played.seats)
                rests = {each.replace("the rest of ", "") for each in task.choices if "the rest of your" in each}
                assert not rests & set(task.choices)


PLAYED_OUT = re.compile(r"(Push|Take) the wagers of seat (\d)")


def find_turned_up(played: Round, task: DealerQuestion, choice: str) -> frozenset[int]:
    """Find the cards without a seat that a choice would turn up."""
    events = played.events[: task.event_count]
    shown = {card for event in events if isinstance(event, CardsShown) for card in event.cards}
    closed: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, CardsDealt) and event.seat is None:
            closed.setdefault(describe_zone_name(event.destination.lower()), []).extend(set(event.cards) - shown)
    following = played.events[task.event_count]
    if "your replacement card" in choice and isinstance(following, CardsShown):
        return frozenset(following.cards)
    named = choice.removeprefix("Turn up ").replace("the rest of ", "").split(" and ")
    counts = {each: re.match(r"(\d) of (.*)", each) for each in named}
    zones = [(found[2], int(found[1])) if (found := counts[each]) else (each, None) for each in named]
    return frozenset(card for zone, count in zones for card in closed.get(zone, ())[:count])


@pytest.mark.in_turn("game")
@each_game
def test_no_wrong_choice_does_what_the_right_one_does(game: Game) -> None:
    """As it was: the rest of the dealer's cards was offered too where only the replacement card lay face down."""
    found = 0
    for seats in (1, 3):
        for played, tasks in rounds(game, 60, seats):
            for task in (each for each in tasks if each.choices and each.case in ("turn up", "settle")):
                others = [each for each in task.choices if each != task.answer]
                if task.case == "settle":
                    same_seat = [each for each in others if PLAYED_OUT.fullmatch(each)]
                    assert not [each for each in same_seat if task.answer.endswith(each[-1])], task
                elif task.seat is None:
                    right = find_turned_up(played, task, task.answer)
                    assert right
                    alike = [each for each in others if each.startswith("Turn up") and "seat" not in each]
                    turned = [find_turned_up(played, task, each) for each in alike]
                    assert right not in turned, task
                    assert all(turned)  # nothing that lies open is turned up
                    found += 1
    assert found


def test_no_choice_names_what_is_planted_before_it_lies_open() -> None:
    asked = DrillRequest(terms=TableTerms(game="six-card", seats=6), rare="every", wanted="envy")
    _, tasks = deal_drill(draw_deal(asked, seeded_bits(4)))
    hit = next(place for place, task in enumerate(tasks) if "button" in task.answer)
    for task in tasks[:hit]:
        if task.case != ENVY_HAND_CASE:  # which offers envy for every hand
            assert not any("button" in each or "envy" in each for each in task.choices), task


@pytest.mark.parametrize("wanted", ["envy", "two-hits"])
def test_no_wrong_choice_pays_envy_to_a_seat_that_it_is_due_to(wanted: str) -> None:
    asked, seen = DrillRequest(terms=TableTerms(game="six-card", seats=4), rare="every", wanted=wanted), 0
    for seed in range(12):
        _, tasks = deal_drill(draw_deal(asked, seeded_bits(seed)))
        answers = [task.answer if task.answer.startswith("Pay envy to") else "" for task in tasks]
        for place, task in enumerate(tasks):
            if answers[place]:
                assert not set(task.choices) & set(answers[place:]) - {task.answer}
                seen += 1
    assert seen > 12


# Mispays.


@each_game
def test_known_mispays_are_other_amounts_each_once(game: Game) -> None:
    seen = 0
    for _, tasks in rounds(game, 20):
        for task in tasks:
            amounts = [cents for _, cents in task.mispays]
            assert len(amounts) == len(set(amounts))
            assert task.cents not in amounts
            assert all(0 < each <= task.max_cents for each in amounts)
            assert not amounts or task.answer == ChipAction.PAY
            seen += len(amounts)
    assert seen


def test_a_mispay_is_told_by_its_mistake() -> None:
    now = opened(SIX_CARD, {"main": 10, "aces-up": 10}).deal(deck_of(SIX_CARD, "As Ks 9s 5s 3s 2d Ad Kd 7c 6h 4h 2c"))
    task = next(each for each in build_questions(now.decide(0, "play")) if ", Aces Up" in each.question)
    assert (task.cents, task.reason) == (8_000, "flush, 8 to 1 on $10.00")
    slips = [grade_answer(task, ChipAction.PAY, cents).slip for cents in (9_000, 7_000, 1_000, 1_100)]
    assert slips == ["that is the pay of full house", "that is the pay of straight", "that is even money", ""]
    assert grade_answer(task, ChipAction.PAY, 8_000).slip == ""
    taken = grade_answer(task, ChipAction.TAKE, 0)
    assert taken.fault == "wrong: short by $90.00: $10.00 was taken, and the win of $80.00 was not paid"


@pytest.mark.parametrize(
    ("said", "cents", "fault"),
    [
        (ChipAction.TAKE, 0, ""),
        (ChipAction.PUSH, 0, "wrong: over by $50.00: the losing $50.00 was not taken"),
        (ChipAction.PAY, 5_000, "wrong: over by $100.00: $50.00 was paid, and the losing $50.00 was not taken"),
    ],
)
def test_an_amount_over_or_short_says_what_it_counts(said: str, cents: int, fault: str) -> None:
    lost = DealerQuestion("Seat 1, Ante", ChipAction.TAKE, "Ante: take", "", 0, stake_cents=5_000, max_cents=90_000)
    assert grade_answer(lost, said, cents).fault == fault


@pytest.mark.parametrize(
    ("said", "cents", "cut", "fault"),
    [
        (ChipAction.PAY, 2_500, "1x25", ""),
        (ChipAction.PAY, 3_000, "1x25 1x5", "wrong: over by $5.00"),
        (ChipAction.PAY, 3_000, "6x5", "wrong: over by $5.00, and not the fewest chips"),
        (ChipAction.PUSH, 0, "", "wrong: short by $25.00: the win of $25.00 was not paid"),
        (ChipAction.COLLECT, 0, "", "wrong: short by $25.00: the win of $25.00 was not paid"),
    ],
)
def test_a_wrong_payout_has_its_true_fault_and_a_bad_cut_besides(said: str, cents: int, cut: str, fault: str) -> None:
    won = DealerQuestion("Seat 1, Ante", ChipAction.PAY, "", "", 0, cents=2_500, stake_cents=2_500, max_cents=90_000)
    assert grade_answer(won, said, cents, cut).fault == fault


def test_a_right_amount_in_too_many_chips_is_an_error_of_its_cut_alone() -> None:
    won = DealerQuestion("Seat 1, Ante", ChipAction.PAY, "", "", 0, cents=2_500, stake_cents=2_500, max_cents=90_000)
    spoiled = grade_answer(won, ChipAction.PAY, 2_500, "5x5")
    assert spoiled.fault == ""  # in a drill
    assert spoiled.model_copy(update={"right": False}).fault == "wrong: not the fewest chips"  # as in an exam


# The console.


FOUR_HANDS = "9s 8s 7s 6s 5s 2d Ad Kd 7c 6h 4h 2c Kh Qc 9d 7h 4c 3d Jd Th 8c 5d 3c 2h"


def a_hit() -> Round:
    """Return a round with a straight flush before the dealer's left, and wagers of the progressive at three seats."""
    stakes = {"main": 10, "progressive": 1}
    now = opened(SIX_CARD, stakes, stakes, stakes).deal(deck_of(SIX_CARD, FOUR_HANDS))
    return now.decide(0, "play").decide(1, "play").decide(2, "fold")


@pytest.mark.parametrize(("keys", "goes_back"), [("keypad", True), ("display", False)])
def test_the_key_goes_back_to_run_after_each_win_of_a_keypad(keys: str, *, goes_back: bool) -> None:
    tasks = build_questions(a_hit(), seeded_bits(1), keys)
    paid = next(place for place, task in enumerate(tasks) if task.case == "Progressive: pay")
    after = tasks[paid + 1]
    assert (after.answer == BACK_TO_RUN) == goes_back
    if goes_back:
        assert (after.case, "8g" in after.clause) == (KEYS_CASE, True)
        assert {"Press GAME OVER", "Press COIN IN"} < set(after.choices)
    assert sum(task.answer == BACK_TO_RUN for task in tasks) == goes_back
    closing = next(task for task in tasks if task.answer in ("Press GAME OVER", "Press END GAME"))
    assert ("8h" if goes_back else "8g") in closing.clause


def test_a_hand_that_pays_envy_stays_and_the_others_are_locked_up() -> None:
    played = a_hit()
    tasks = build_questions(played, seeded_bits(1))
    asked = {task.seat: task for task in tasks if task.case == ENVY_HAND_CASE}
    assert {seat: task.answer for seat, task in asked.items()} == {
        0: "Leave the hand of seat 1 face up: it pays envy",
        1: "Lock up the cards of seat 2",
    }
    assert all("9b" in task.clause for task in asked.values())
    folded = next(task for task in tasks if task.case == "collect a folded hand")
    assert folded.answer == "Collect the folded hand of seat 3"
    last = tasks[-1]
    cards = [place.cards for place in build_layout_snapshot(played, last.event_count, last.mucked)][-3:]
    assert [len(each) for each in cards] == [6, 0, 0]


def test_a_hand_stays_only_for_envy_that_is_paid() -> None:
    for played, tasks in rounds(SIX_CARD, 40, 6):
        hitters = {event.hitter for event in played.events if isinstance(event, EnvyPaid)}
        kept = {task.seat for task in tasks if task.case == ENVY_HAND_CASE and task.answer.startswith("Leave")}
        assert kept == hitters
        assert played.has_meter_wager or not any(task.case == ENVY_HAND_CASE for task in tasks)
        won = [leg for event in played.events if isinstance(event, WagerSettled) for leg in event.legs]
        assert any(leg.result is LegResult.WIN for leg in won) or not hitters


# What a house plays otherwise.


def other_values(game: Game) -> Iterator[tuple[str, str]]:
    """Yield every option of a game with each value that is not its default."""
    for option in game.options:
        yield from ((option.name, value) for value in option.values if value != option.default)


def replay(played: Round, deck: tuple[int, ...], name: str, value: str) -> Round | None:
    """Return a round with the same cards, wagers and decisions at a house with an option; None where none goes on."""
    now = open_round(played.game, played.seats, options={name: value})
    try:
        for stake in played.stakes:
            now = now.place_wager(stake)
        now = now.deal(deck)
        for event in played.events:
            if isinstance(event, DecisionMade):
                now = now.decide(event.seat, event.action, event.cards)
    except PitbossError:
        return None
    return now if now.is_closed else None


def nets(played: Round) -> dict[tuple[int, str, int | None, str], tuple[WagerSettled, LegSettlement]]:
    """Return how each circle was settled."""
    settled = (event for event in played.events if isinstance(event, WagerSettled))
    return {(event.seat, event.bet, event.on, leg.circle): (event, leg) for event in settled for leg in event.legs}


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_every_settlement_that_an_option_changes_says_so_in_its_clause(game: Game) -> None:
    """The same cards, wagers and decisions are settled at the rule sheet's table and at a house's."""
    for seed in range(60):
        played = deal_training_round(open_round(game, min(3, game.seats)), seeded_bits(seed), stacked=bool(seed % 2))
        dealt = [card for event in played.events if isinstance(event, CardsDealt) for card in event.cards]
        deck = (*dealt, *(card for card in game.deck.cards if card not in dealt))
        for name, value in other_values(game):
            other = replay(played, deck, name, value)
            usual, here = nets(played), nets(other) if other else {}
            for place in usual.keys() & here.keys():
                event, leg = here[place]
                if leg.net_cents != usual[place][1].net_cents:
                    folded = event.seat in find_folded_seats(played.events)
                    said = cite_settlement(played, event, leg, is_folded=folded)
                    told = cite_settlement(other or played, event, leg, is_folded=folded)
                    words = next(each.meaning for each in game.options if each.name == name)
                    assert f"at this house, {words}: {display_value(value)}" in told, (name, value, place)
                    assert "at this house" not in said


@each_game
def test_every_clause_that_names_an_option_is_of_the_game(game: Game) -> None:
    """A misspelt option would never be said."""
    procedure, options = load_procedure(game), {option.name for option in game.options}
    named = {*chain(*procedure.options.values()), *chain(*procedure.pay_options.values())}
    for option in [each.option for each in (*procedure.settled, *procedure.also)] + [
        each.option for each in procedure.shown
    ]:
        named |= {option} - {""} if isinstance(option, str) else set(option)
    assert named <= options
    assert procedure.options.keys() <= type(procedure).model_fields.keys()
    assert procedure.pay_options.keys() <= procedure.pays.keys()
    if procedure.qualify and "dealer_qualifies" in options:
        assert "dealer_qualifies" in procedure.options["qualify"]


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_what_a_house_plays_otherwise_is_said_of_the_ruling_that_has_the_option(game: Game) -> None:
    """A trainee would take it for a part of the clause that it stands at."""
    words = load_clauses(game)
    for option in (each for each in game.options if ("", each.ruling) in words):
        value = next(each for each in option.values if each != option.default)
        said = f"; but at this house, {option.meaning}: {display_value(value)}"
        terms = TableTerms(game=game.id, seats=min(3, game.seats), options={option.name: value})
        for seed in range(12):
            asked = deal_drill(DrillRequest(terms=terms, seed=seed, stacked=True, disputes="also"))[1]
            for cited in (text for task in asked for text in (task.clause, *task.choices) if said in text):
                named = [each.name for each in find_references(game, cited[: cited.index(said)]) if not each.sheet]
                assert option.ruling in named, cited


def list_options(clause: SettledClause) -> set[str]:
    """Return the options that a clause names."""
    return {clause.option} if isinstance(clause.option, str) else set(clause.option)


@each_game
def test_what_a_house_plays_otherwise_is_said_once_of_an_outcome(game: Game) -> None:
    procedure = load_procedure(game)
    for also, clause in product(procedure.also, procedure.settled):
        if also.bet == clause.bet and list_options(also) & list_options(clause):
            names = [outcome.name for outcome in get_wager(game, also.bet).outcomes]
            assert not [name for name in names if fnmatchcase(name, also.outcome) and fnmatchcase(name, clause.outcome)]


@each_game
def test_every_choice_can_be_sent_whatever_the_house_plays(game: Game) -> None:
    options = {option.name: option.values[-1] for option in game.options}
    terms = TableTerms(game=game.id, seats=min(4, game.seats), options=options)
    rates: tuple[DisputeRate, ...] = ("also", "only")
    lengths = [
        len(choice)
        for seed, disputes in product(range(10), rates)
        for task in deal_drill(DrillRequest(terms=terms, seed=seed, stacked=True, disputes=disputes))[1]
        for choice in task.choices
    ]
    assert max(lengths) <= MAX_ANSWER


QUALIFYING = [name for name, game in load_games().items() if any(o.name == "dealer_qualifies" for o in game.options)]


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", QUALIFYING)
@pytest.mark.parametrize("lowest", ["always", "pair-of-2", "pair-of-K"])
def test_a_claim_about_the_dealer_cites_what_qualifies_at_this_house(name: str, lowest: str) -> None:
    game = load_game(name)
    default = next(option.default for option in game.options if option.name == "dealer_qualifies")
    terms = TableTerms(game=name, seats=min(4, game.seats), options={"dealer_qualifies": lowest})
    seen = 0
    for seed in range(30):
        for task in deal_drill(DrillRequest(terms=terms, seed=seed, stacked=bool(seed % 2), disputes="only"))[1]:
            if "ou qualify." in task.question or "ou do not qualify." in task.question:
                said = f"at this house, the lowest hand with which the dealer qualifies: {display_value(lowest)}"
                assert (said in task.answer) == (lowest != default)
                assert task.reason.startswith("the dealer has ")
                assert ("every hand" if lowest == "always" else f"{display_value(lowest)} or higher") in task.reason
                seen += 1
    assert seen or lowest == "always"  # where every hand qualifies, such a claim may tell its answer and is not asked


STEP_OPTIONS = [
    ("lunar", "dealer_qualifies", "pair-of-2", "ask"),
    ("lunar", "short_deck", "refuse", "draw"),
    ("six-card", "envy_hitter_must_wager", "off", "envy"),
    ("six-card", "award_rounding", "dollar", "Progressive: pay"),
    ("wild-six-card", "stand_pat", "on", "ask"),
]


@pytest.mark.more
@pytest.mark.in_turn("name")
@pytest.mark.parametrize(("name", "option", "value", "case"), STEP_OPTIONS)
def test_a_step_that_an_option_changes_says_so(name: str, option: str, value: str, case: str) -> None:
    terms = TableTerms(game=name, seats=6, options={option: value})
    asked = [
        task
        for seed in range(80)
        for task in deal_drill(DrillRequest(terms=terms, seed=seed, stacked=True))[1]
        if task.case == case
    ]
    assert asked
    words = next(each.meaning for each in load_game(name).options if each.name == option)
    assert all(f"at this house, {words}: {display_value(value)}" in each.clause for each in asked)
