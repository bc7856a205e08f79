"""Disputes: of each kind as many claims are right as wrong, and the settlement decides each."""

import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game, LegResult
from pitboss.core.money import format_dollars
from pitboss.games import load_games
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import EnvyPaid, Round, WagerSettled, open_round
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.session import TableTerms
from pitboss.table.training.console_steps import find_meter_bet
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.disputes import (
    DISPUTE_CASE,
    REFUSE,
    UPHOLD,
    DisputedClaim,
    DisputedClaimCounts,
    draw_claims,
)
from pitboss.table.training.drills import DrillRequest, PlantingRate, deal_drill, draw_deal
from pitboss.table.training.grading import grade_answer
from pitboss.table.training.procedure import list_foreign_clauses, load_procedure
from pitboss.table.training.questions import DisputeRate
from pitboss.table.training.rounds import deal_training_round
from table.laying import SIX_CARD

RESULTS = {LegResult.WIN: "win", LegResult.PUSH: "push", LegResult.LOSE: "lose"}


def disputes(game: Game, count: int = 15, rate: DisputeRate = "only") -> Iterator[tuple[Round, list[DealerQuestion]]]:
    """Yield rounds with what players claim in them."""
    for seed in range(count):
        terms = TableTerms(game=game.id, seats=min(4, game.seats))
        played, tasks = deal_drill(DrillRequest(terms=terms, seed=seed, stacked=bool(seed % 2), disputes=rate))
        yield played, [task for task in tasks if task.case == DISPUTE_CASE]


@pytest.mark.in_turn("game")
@each_game
def test_right_and_wrong_claims_have_four_answers(game: Game) -> None:
    seen, upheld = 0, 0
    for _, tasks in disputes(game):
        assert len(tasks) <= 6
        for task in tasks:
            assert task.answer in task.choices
            assert len(set(task.choices)) == len(task.choices)
            assert sum(each.startswith(REFUSE) for each in task.choices) == len(task.choices) // 2
            assert task.reason
            assert task.seat is not None
            upheld += task.answer.startswith(UPHOLD)
        seen += len(tasks)
    assert seen > 20
    assert 0.3 < upheld / seen < 0.7


KINDS = {
    "amount": "You owe me",
    "push": " pushes: leave it",
    "fold": "I folded, but",
    "beats": " beats your hand",
    "ties with": " ties with your hand",
    "You qualify.": "“You qualify",
    "You do not qualify.": "“You do not qualify",
    "envy": "Envy for",
}


def count_verdicts(game: Game, seats: int, rounds: int) -> Counter[tuple[str, bool]]:
    """Count the claims of disputes alone, by kind and by whether they hold."""
    counts = Counter[tuple[str, bool]]()
    terms = TableTerms(game=game.id, seats=seats)
    for seed in range(rounds):
        for task in deal_drill(DrillRequest(terms=terms, seed=seed, disputes="only"))[1]:
            if task.case == DISPUTE_CASE:
                (kind,) = (kind for kind, words in KINDS.items() if words in task.question)
                counts[kind, task.answer.startswith(UPHOLD)] += 1
    return counts


@pytest.mark.more
@each_game
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("seats", [1, 3])
def test_the_kind_of_a_claim_does_not_tell_its_answer(game: Game, seats: int) -> None:
    """As it was: at one seat a claim to a push was wrong, and one to an amount right, nearly each time."""
    counts = count_verdicts(game, seats, 400 // seats)
    guessed = sum(max(counts[kind, True], counts[kind, False]) for kind in KINDS)
    assert counts.total() > 300
    assert guessed / counts.total() < 0.6
    for kind in KINDS:
        asked = counts[kind, True] + counts[kind, False]
        assert asked < 30 or 0.3 < counts[kind, True] / asked < 0.7, kind


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_every_kind_that_is_right_and_wrong_in_a_game_is_asked_so(game: Game) -> None:
    possible = Counter[tuple[str, bool]]()
    for seed in range(150):
        bits = seeded_bits(seed)
        played = deal_training_round(open_round(game, 1), bits)
        possible.update((each.kind, each.holds) for each in draw_claims(played, find_meter_bet(played), bits))
    counts = count_verdicts(game, 1, 400)
    for kind in KINDS:
        if min(possible[kind, True], possible[kind, False]) > 10:
            assert counts[kind, True] > 10
            assert counts[kind, False] > 10


def test_claims_of_one_verdict_alone_are_hardly_asked() -> None:
    claim = DisputedClaim("push", "", "main", 0, 0, "", holds=False, clause="", reason="", circle="Ante")
    tied = claim._replace(kind="fold", circle="Bonus")
    counts = DisputedClaimCounts([claim] * 199 + [tied] * 30 + [tied._replace(holds=True, circle="Ante")] * 30)
    drawn = [counts.draw_if_asked(claim, seeded_bits(seed)) for seed in range(1_000)]
    assert sum(drawn) < 20
    assert all(counts.draw_if_asked(tied, seeded_bits(seed)) for seed in range(50))
    assert all(DisputedClaimCounts().draw_if_asked(claim, seeded_bits(seed)) for seed in range(50))


@pytest.mark.parametrize("name", load_games())
def test_a_claim_holds_if_the_settlement_says_so(name: str) -> None:
    kinds = set[str]()
    for played, tasks in disputes(load_games()[name], 25):
        for task in tasks:
            said = task.question.split("“")[1].split("”")[0]
            own = [each for each in played.events if isinstance(each, WagerSettled) and each.seat == task.seat]
            main = next(each for each in own if each.bet == "main")
            if said.startswith("You owe me"):
                amounts = {format_dollars(leg.net_cents) for event in own for leg in event.legs if leg.net_cents > 0}
                if "on Progressive" not in said:  # which is paid for one
                    holds = said.split("owe me ")[1].split(" on ")[0] in amounts
                    assert holds or task.answer.startswith(REFUSE)
            elif "beats your hand" in said:
                assert ("win" in main.outcome.split("-")) == task.answer.startswith(UPHOLD)
            elif "ties with" in said:
                assert ("tie" in main.outcome.split("-")) == task.answer.startswith(UPHOLD)
            elif "qualify" in said:
                fails = "not-qualified" in main.outcome
                assert (("not" in said) == fails) == task.answer.startswith(UPHOLD)
            elif said.startswith("I folded"):
                assert main.outcome.endswith("fold")
            kinds.add(said.split()[0] + said.split()[1])
    assert len(kinds) > 3


@pytest.mark.more
def test_envy_is_owed_to_those_whom_it_is_paid() -> None:
    right, wrong = 0, 0
    for seed in range(60):
        terms = TableTerms(game="six-card", seats=6)
        played, tasks = deal_drill(DrillRequest(terms=terms, seed=seed, stacked=True, disputes="only"))
        paid = {(event.seat, event.hitter) for event in played.events if isinstance(event, EnvyPaid)}
        for task in tasks:
            if "Envy for" in task.question:
                hitter = task.seat if "my own" in task.question else int(task.question.split("seat ")[1][0]) - 1
                owed = (task.seat, hitter) in paid
                assert task.answer.startswith(UPHOLD) == owed
                right, wrong = right + owed, wrong + (not owed)
    assert right
    assert wrong


@each_game
@pytest.mark.parametrize("rare", ["", "every"])
def test_disputes_alone_are_nothing_else_at_a_table_of_one_seat_too(game: Game, rare: PlantingRate) -> None:
    asked = DrillRequest(terms=TableTerms(game=game.id, seats=1), rare=rare, disputes="only")
    for seed in range(6):
        _, questions = deal_drill(draw_deal(asked, seeded_bits(seed)))
        assert {each.case for each in questions} == {DISPUTE_CASE}


def test_disputes_may_come_in_a_round_that_is_asked_whole() -> None:
    terms = TableTerms(game="six-card", seats=3)
    whole = deal_drill(DrillRequest(terms=terms, seed=5))[1]
    both = deal_drill(DrillRequest(terms=terms, seed=5, disputes="also"))[1]
    claims = [task for task in both if task.case == DISPUTE_CASE]
    assert [task for task in both if task.case != DISPUTE_CASE] == list(whole)
    assert len(claims) == 2
    for claim in claims:  # before the chips are settled that it is about
        after = both[both.index(claim) + 1 :]
        assert any(not task.choices and task.seat == claim.seat for task in after)
    assert next(disputes(SIX_CARD, 1, ""))[1] == []


@pytest.mark.more
@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", load_games())
def test_no_wrong_answer_of_a_dispute_is_a_true_ground(name: str) -> None:
    """Another ground with the right verdict is of another wager, or of an outcome that this seat did not have."""
    game = load_games()[name]
    procedure = load_procedure(game)
    names = {wager.id: wager for wager in game.wagers}
    kinds, seen = set[str](), 0
    for played, tasks in (pair for rate in ("only", "also") for pair in disputes(game, 40, rate)):
        for task in tasks:
            verdict, _, right = task.answer.partition(": ")
            others = [each.partition(": ")[2] for each in task.choices if each.startswith(verdict)]
            for other in set(others) - {right}:
                bet = find_bet(played, right)
                assert other not in (procedure.pay, procedure.qualify, procedure.envy, procedure.pays.get(bet))
                shared = [
                    each
                    for each in procedure.pays
                    if each != bet and set(names[each].paytable_kinds) & set(names[bet].paytable_kinds)
                ]
                assert other not in [procedure.pays[each] for each in shared]
                own = [
                    (event.outcome, leg.result)
                    for event in played.events
                    if isinstance(event, WagerSettled) and (event.seat, event.bet) == (task.seat, bet)
                    for leg in event.legs
                ]
                for each in procedure.settled:
                    if each.bet == bet and each.clause == other:  # it says what did not happen
                        happened = [
                            result
                            for outcome, result in own
                            if fnmatchcase(outcome, each.outcome) and each.result in ("", RESULTS[result])
                        ]
                        assert not happened or each.circles or each.pairs_lines, (task.question, other)
                seen += 1
            kinds.add(task.question.split("“")[1].split()[0])
    assert seen > 40
    assert len(kinds) > 1


def find_bet(played: Round, clause: str) -> str:
    """Find the wager that a claim is about by its clause."""
    procedure = load_procedure(played.game)
    settled = next((each.bet for each in procedure.settled if clause.startswith(each.clause)), "main")
    if clause == procedure.envy:
        return "progressive"
    return next((bet for bet, each in procedure.pays.items() if each == clause), settled)


def test_a_claim_to_a_folded_seat_s_bad_beat_cites_what_decides_it() -> None:
    found = 0
    for seed in range(120):
        bits = seeded_bits(seed)
        played = deal_training_round(open_round(SIX_CARD, 4), bits)
        folded = find_folded_seats(played.events)
        for claim in draw_claims(played, find_meter_bet(played), bits):
            if claim.seat in folded and "My Bad Beat pushes" in claim.text:
                assert "rule sheet, 14: " in claim.clause
                foreign = list_foreign_clauses(played, claim.bet, claim.seat)
                assert not any("does not touch Bad Beat" in each for each in foreign)
                found += 1
            assert "Aces Up is still in play" not in claim.text  # it is settled at the fold
    assert found


def test_a_claim_to_a_part_of_the_meter_says_what_the_display_shows() -> None:
    shown = [
        task.question for _, tasks in disputes(SIX_CARD, 60) for task in tasks if "on Progressive." in task.question
    ]
    assert shown
    assert all("” The display shows $10,000." in each for each in shown)


def test_a_claim_to_an_amount_says_what_lies_on_the_circle_and_how_the_pay_is_found() -> None:
    """As it was: the question named neither the chips nor, on the certificate, the pay."""
    found = 0
    for played, tasks in disputes(SIX_CARD, 30):
        for task in tasks:
            said = re.search(r"You owe me .* on ([\w ]+)\.”(.*) Do you", task.question)
            if said and said[1] != "Progressive":
                places = build_layout_snapshot(played, task.event_count)
                chips = next(dict(each.chips) for each in places if each.name == f"Seat {(task.seat or 0) + 1}")
                assert said[2] == f" ({format_dollars(chips[said[1]])} on the circle.)"
                odds = re.search(r", ([\d,]+) to 1 on (\S+): it is paid (\S+)$", task.reason)
                if odds:
                    paid = int(odds[1].replace(",", "")) * chips[said[1]]
                    assert odds[3] == format_dollars(paid)
                    found += 1
    assert found


@each_game
def test_a_right_verdict_by_a_wrong_clause_is_told(game: Game) -> None:
    """As it was: such an answer was "wrong" like any other."""
    found = 0
    for _, tasks in disputes(game, 6):
        for task in tasks:
            for choice in task.choices:
                graded = grade_answer(task, choice, 0)
                verdict, _, clause = task.answer.partition(": ")
                is_half_right = choice != task.answer and choice.startswith(verdict)
                assert graded.right_clause == (clause if is_half_right else "")
                assert graded.fault.endswith("the verdict is right, the clause is not") == is_half_right
                found += is_half_right
    assert found


@each_game
def test_no_claim_comes_twice_in_a_round_and_none_is_to_less_than_is_due(game: Game) -> None:
    """As it was: two seats said the same, and of a claim to a part of the pay neither verdict was clear."""
    amounts = 0
    for _, tasks in disputes(game, 40):
        claims = [task.question.split("“")[1].split("”")[0] for task in tasks]
        assert len(set(claims)) == len(claims)
        assert sum("qualify." in each for each in claims) <= 1  # one would tell the other
        for task, claim in zip(tasks, claims, strict=True):
            said, due = re.search(r"You owe me \$([\d,.]+)", claim), re.search(r"is paid \$([\d,.]+)", task.reason)
            if said and due:
                claimed, paid = (float(each[1].rstrip(".").replace(",", "")) for each in (said, due))
                assert claimed >= paid, task
                amounts += 1
            if " ties with your hand" in claim and task.answer.startswith(REFUSE):
                assert "player wins" not in task.reason
    assert amounts


@each_game
def test_a_clause_is_cited_where_another_one_can_be(game: Game) -> None:
    """As it was: both answers cited the same clause, so that it told nothing."""
    for _, tasks in disputes(game, 40):
        for task in tasks:
            clauses = {each.partition(": ")[2] for each in task.choices}
            assert len(clauses) == 2 or clauses == {""}, task
            assert task.clause


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", load_games())
def test_a_claim_that_a_fold_leaves_a_wager_cites_a_clause_of_folds(name: str) -> None:
    """As it was: of Dealer Super it cited the pays, which do not say that a fold leaves it."""
    for _, tasks in disputes(load_games()[name], 80):
        for task in tasks:
            if "“I folded, but" in task.question:
                assert "fold" in task.clause.lower(), task
