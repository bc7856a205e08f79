"""``pitboss strategy``: a few lines to remember, and what every strategy costs."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

import pitboss.cli.strategy
import pitboss.reports.report
from cli.conftest import Invoke
from cli.fitting import check_fits
from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost
from pitboss.analysis.strategy_cost import PricedMistake, StrategyCost
from pitboss.solver_api import Strategy

PRACTICAL = Strategy("practical", "Practical", ("Play a pair of deuces or better.", "Fold the rest."), len, (2,))
ALWAYS = Strategy("always-play", "Always play", ("Play every hand.",), len)
ERRS = PricedMistake("fold", "play", "an ace and a king", 10, Fraction(1, 8), Fraction(1, 64))


def played(strategy: Strategy | None, edge: Fraction, *mistakes: PricedMistake) -> StrategyCost:
    """Return a play of that edge, the best play's being 1/32."""
    actions = {"fold": Fraction(1, 4), "play": Fraction(3, 4)}
    return StrategyCost(strategy, -edge, edge - Fraction(1, 32), 80, actions, mistakes)


@pytest.fixture(autouse=True)
def _played(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (
        played(None, Fraction(1, 32)),
        played(PRACTICAL, Fraction(3, 64), ERRS),
        played(ALWAYS, Fraction(1, 4)),
    )
    monkeypatch.setattr(pitboss.cli.strategy, "compute_strategy_costs", lambda *_arguments: found)


def test_people_read_the_lines_the_costs_and_the_errors(invoke: Invoke) -> None:
    status, out, err = invoke("strategy", "six-card")
    assert (status, err) == (0, "")
    assert "  1. Play a pair of deuces or better." in out
    assert "  2. Fold the rest." in out
    assert "It costs 1.5625% of an Ante more than the best play, exactly 1/64" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["Best", "play", "3.1250%", "25.00%", "75.00%"] in rows
    assert ["Always", "play", "25.0000%", "21.8750%", "25.00%", "75.00%"] in rows
    assert ["fold", "play", "an", "ace", "and", "a", "king", "12.5000%", "1.56250%"] in rows
    assert "Always play: Play every hand." in out


def test_where_actions_are_many_each_has_a_row(monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> None:
    actions = {f"exchange-{cards}": Fraction(cards, 100) for cards in range(1, 8)}
    found = [replace(each, actions=actions) for each in (played(None, Fraction(1, 32)), played(ALWAYS, Fraction(1, 4)))]
    monkeypatch.setattr(pitboss.cli.strategy, "compute_strategy_costs", lambda *_arguments: found)
    rows = [line.split() for line in invoke("strategy", "six-card").out.splitlines()]
    assert ["Strategy", "Best", "play", "Always", "play"] in rows
    assert ["House", "edge", "3.1250%", "25.0000%"] in rows
    assert ["Costs", "21.8750%"] in rows
    assert ["exchange", "7", "7.00%", "7.00%"] in rows


def test_it_fits_any_terminal(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    check_fits(invoke, monkeypatch, "strategy", "six-card")


def test_programs_get_one_object(invoke: Invoke) -> None:
    status, out, err = invoke("strategy", "six-card", "--option", "dealer_qualifies=always", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert (found["game"], found["paytable"], found["options"]["dealer_qualifies"]) == ("six-card", [], "always")
    assert found["best"]["house_edge"] == 1 / 32
    assert [each["id"] for each in found["strategies"]] == ["practical", "always-play"]
    assert found["strategies"][0]["cost_exact"] == "1/64"


def test_an_unknown_option_is_refused(invoke: Invoke) -> None:
    status, out, err = invoke("strategy", "six-card", "--option", "dealer=always")
    assert (status, out) == (2, "")
    assert "unknown option 'dealer'" in err


def test_simulated_mistakes_say_so_beside_the_exact_cost(monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> None:
    found = (
        SimulatedStrategyCost(PRACTICAL, 400, Fraction(1, 160), 0.00125, (replace(ERRS, standard_error=0.0025),)),
        SimulatedStrategyCost(ALWAYS, 400, Fraction(3, 8), 0.0175, ()),
    )
    monkeypatch.setattr(pitboss.reports.report, "get_simulated_rounds", lambda _game: 400)
    monkeypatch.setattr(pitboss.reports.report, "simulate_strategy_costs", lambda *_arguments: found)
    status, out, err = invoke("strategy", "lunar")
    assert (status, err) == (0, "")
    assert "It costs 1.5625% of an Ante more than the best play, exactly 1/64" in out
    assert "in 400 simulated rounds (they cost 0.62%, standard error 0.12%)" in " ".join(out.split())
    rows = [line.split() for line in out.splitlines()]
    assert ["fold", "play", "an", "ace", "and", "a", "king", "12.5000%", "1.56250%", "0.25000%"] in rows
    status, out, err = invoke("strategy", "lunar", "--json")
    first, second = json.loads(out)["strategies"]
    assert (first["cost_exact"], first["simulated"]["standard_error"]) == ("1/64", 0.00125)
    assert first["mistakes"][0]["standard_error"] == 0.0025
    assert (second["simulated"]["cost"], second["mistakes"]) == (0.375, [])
