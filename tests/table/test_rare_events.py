"""Rare events: found by the rules in the deals of any game, and planted at a chosen rate."""

import inspect

import pytest

from conformance.drawing import each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.core.errors import UnknownNameError
from pitboss.games import load_games
from pitboss.table.round import DecisionMade, EnvyPaid, StubReshuffled, WagerSettled
from pitboss.table.session import TableTerms
from pitboss.table.training import rare_events, stacking
from pitboss.table.training.drills import DrillRequest, deal_request, draw_deal
from pitboss.table.training.questions import UNSHOWN_CASE, build_questions
from pitboss.table.training.rare_events import iter_rare_events
from pitboss.table.training.rounds import open_training_round
from refusals import refusal
from table.rare_figures import count_events


def ids(game: str, seats: int = 6, **terms: object) -> set[str]:
    """Return the rare events that a table can have."""
    opened = open_training_round(TableTerms.model_validate({"game": game, "seats": seats, **terms}))
    return {each.id for each in iter_rare_events(opened)}


def test_events_are_found_from_the_contract_alone() -> None:
    code = inspect.getsource(rare_events) + inspect.getsource(stacking)
    for game in load_games().values():
        assert game.id not in code
        assert game.name not in code


def test_each_table_has_the_events_that_can_occur_at_it() -> None:
    assert {"two-hits", "envy", "meter-percent", "tie", "not-qualified"} <= ids("six-card")
    assert {"instant-cash", "force", "reshuffle", "tie"} <= ids("lunar")
    assert "reshuffle" not in ids("lunar", seats=2)  # the stub is long enough for two seats
    assert not {"two-hits", "envy"} & ids("six-card", seats=1)
    assert "unshown" in ids("wild-six-card")
    assert "unshown" not in ids("wild-six-card", options={"queens_or_better": "off"})


@pytest.mark.more
@each_game
def test_a_planted_event_occurs_in_the_round_that_is_dealt_again_from_its_seed(game: Game) -> None:
    terms = TableTerms(game=game.id, seats=6)
    events = {each.id: each for each in iter_rare_events(open_training_round(terms))}
    bits, planted = seeded_bits(3), set()
    for _ in range(6):
        deal = draw_deal(DrillRequest(terms=terms, rare="every"), bits)
        assert deal.planted
        assert events[deal.planted].occurs(deal_request(deal)[0])
        planted.add(deal.planted)
    assert len(planted) > 1


@each_game
def test_without_a_rate_nothing_is_planted(game: Game) -> None:
    deal = draw_deal(DrillRequest(terms=TableTerms(game=game.id, seats=3)), seeded_bits(1))
    assert (deal.planted, deal.stacked) == ("", False)


@pytest.mark.more
def test_some_rounds_are_about_one_in_three() -> None:
    bits, asked = seeded_bits(5), DrillRequest(terms=TableTerms(game="six-card", seats=3), rare="some")
    assert 3 <= sum(bool(draw_deal(asked, bits).planted) for _ in range(30)) <= 18


@pytest.mark.more
@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("six-card", "envy"),
        ("six-card", "two-hits"),
        ("lunar", "instant-cash"),
        ("lunar", "force"),
        ("lunar", "reshuffle"),
    ],
)
def test_the_event_that_is_wanted_is_planted(game: str, wanted: str) -> None:
    asked = DrillRequest(terms=TableTerms(game=game, seats=6), rare="every", wanted=wanted)
    for seed in range(2):
        deal = draw_deal(asked, seeded_bits(seed))
        played, _ = deal_request(deal)
        settled = [each for each in played.events if isinstance(each, WagerSettled)]
        occurs = {
            "envy": any(isinstance(each, EnvyPaid) for each in played.events),
            "two-hits": len([each for each in settled if each.bet == "progressive" and each.net_cents > 0]) > 1,
            "instant-cash": any(each.outcome.startswith("instant-cash") for each in settled),
            "force": any(isinstance(each, DecisionMade) and each.action == "force" for each in played.events),
            "reshuffle": any(isinstance(each, StubReshuffled) for each in played.events),
        }
        assert (deal.planted, occurs[wanted]) == (wanted, True)


def test_a_planted_unshown_hand_is_asked_about_and_expected_wherever_hands_are_planted() -> None:
    terms = TableTerms(game="wild-six-card", seats=3)
    deal = draw_deal(DrillRequest(terms=terms, rare="every", wanted="unshown"), seeded_bits(2))
    played, bits = deal_request(deal)
    assert deal.expects_unshown
    assert UNSHOWN_CASE in {each.case for each in build_questions(played, bits, expects_unshown=True)}
    assert DrillRequest(terms=terms, rare="some").expects_unshown
    assert deal.without_deal() == DrillRequest(terms=terms, unshown="may", rare="every", wanted="unshown")


def test_an_event_that_the_table_cannot_have_is_refused() -> None:
    asked = DrillRequest(terms=TableTerms(game="wild-52", seats=2), rare="every", wanted="envy")
    with pytest.raises(UnknownNameError, check=refusal("unknown-rare-event")):
        draw_deal(asked, seeded_bits(1))


@pytest.mark.more
def test_planting_makes_rare_what_is_hardly_ever_seen() -> None:
    terms = TableTerms(game="six-card", seats=3)
    events = tuple(iter_rare_events(open_training_round(terms)))
    plain = count_events(DrillRequest(terms=terms), events, 40)
    planted = count_events(DrillRequest(terms=terms, rare="every"), events, 40)
    for each in ("two-hits", "envy", "meter-percent"):
        assert plain[each] <= 1 < planted[each]
