"""Drills at a house's own table: its pay tables, options and limits."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.games import load_game
from pitboss.paytables import load_builtin_paytables
from pitboss.table.round import RoundClosed, WagerSettled
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.table.training.drills import DrillRequest, deal_drill
from pitboss.table.training.records import TraineeRecords
from pitboss.table.training.rounds import deal_training_round, open_training_round


@pytest.fixture
def trainees(tmp_path: Path) -> Iterator[TraineeRecords]:
    """The records of a house."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    yield TraineeRecords(tables.store)
    tables.close()


def houses(game: Game) -> Iterator[TableTerms]:
    """Yield terms with each value of each option, with each pay table, and with limits of every width."""
    for option in game.options:
        for value in option.values:
            yield TableTerms(game=game.id, seats=2, options={option.name: value})
    for table in load_builtin_paytables(game):
        yield TableTerms(game=game.id, seats=2, paytables=(f"{table.bet}={table.id}",))
    free = [wager for wager in game.wagers if wager.limits.minimum_cents < wager.limits.maximum_cents]
    for main, other in product(((500, 500), (2_500, 40_000)), ((500, 2_500), (2_500, 40_000))):
        limits = {wager.id: main if wager.id == "main" else other for wager in free}
        yield TableTerms(game=game.id, seats=2, limits=limits)


@each_game
def test_a_round_can_be_dealt_at_every_house(game: Game) -> None:
    for terms in houses(game):
        for seed in range(3):
            played = deal_training_round(open_training_round(terms), seeded_bits(seed))
            assert isinstance(played.events[-1], RoundClosed)
            for stake in played.stakes:
                assert played.limits[stake.bet].minimum_cents <= stake.cents <= played.limits[stake.bet].maximum_cents


def test_no_stake_of_a_house_is_outside_its_limits_or_against_a_constraint() -> None:
    terms = TableTerms(game="lunar", seats=3, limits={"main": (2_000, 40_000), "super": (500, 3_000)})
    for seed in range(30):
        for stake in deal_training_round(open_training_round(terms), seeded_bits(seed)).stakes:
            if stake.bet == "main":
                assert 2_000 <= stake.cents <= 3_000  # Super must be at least the Ante (LU-1)


@pytest.mark.more
def test_circles_are_asked_by_the_pay_table_of_the_house() -> None:
    pays = set()
    for name in ("SCP-01", "SCP-02"):
        terms = TableTerms(game="six-card", seats=6, paytables=(f"aces-up={name}",))
        for seed in range(40):
            played, questions = deal_drill(DrillRequest(terms=terms, seed=seed))
            for event in played.events:
                if isinstance(event, WagerSettled) and (event.bet, event.outcome) == ("aces-up", "straight"):
                    cents = next(
                        each.cents for each in questions if each.question.startswith(f"Seat {event.seat + 1}, Aces Up")
                    )
                    pays.add((name, cents / sum(leg.stake_cents for leg in event.legs)))
    assert pays == {("SCP-01", 7), ("SCP-02", 6)}


def test_a_house_without_the_wager_of_unshown_hands_has_none() -> None:
    terms = TableTerms(game="wild-six-card", seats=2, options={"queens_or_better": "off"})
    played, _ = deal_drill(DrillRequest(terms=terms, unshown="now", seed=1))
    assert isinstance(played.events[-1], RoundClosed)


def test_the_house_of_a_drill_is_kept_with_it(trainees: TraineeRecords) -> None:
    own = {"id": "mine", "bet": "aces-up", "unit": "to_one", "lines": {}}
    lines = next(each for each in load_builtin_paytables(load_game("six-card")) if each.id == "SCP-01").lines
    own["lines"] = {line: int(pay.amount) + 1 for line, pay in lines.items()}
    terms = TableTerms(game="six-card", seats=2, own_paytables=(own,), limits={"main": (1_000, 2_000)})
    name = trainees.begin_drill("ann", DrillRequest(terms=terms))
    assert trainees.get_drill("ann", name).request.terms == terms
    assert trainees.get_drill("ann", name).played_round.paytables["aces-up"].id == "mine"
    last = trainees.find_last_request("ann", "six-card")
    assert last is not None
    assert last.terms == terms
    assert trainees.find_last_request("ann", "lunar") is None


@pytest.mark.parametrize(
    "changes", [{"options": {"nonsense": "on"}}, {"paytables": ("aces-up=none",)}, {"limits": {"main": (1, 2)}}]
)
def test_a_house_that_cannot_be_is_refused_and_nothing_is_written(
    trainees: TraineeRecords, changes: dict[str, object]
) -> None:
    terms = TableTerms.model_validate({"game": "six-card", "seats": 2, **changes})
    with pytest.raises(PitbossError):
        trainees.begin_drill("ann", DrillRequest(terms=terms))
    assert trainees.find_last_request("ann", "six-card") is None
