"""How bets move together: exact where every deal is counted, simulated with a standard error where not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

import pitboss.analysis.covariance
from pitboss.analysis.covariance import (
    BetCovariance,
    StakeMix,
    compute_stake_mix,
    report_covariances,
)
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.joint_census import CountTable, JointCounts, WagerPair, count_joint_outcomes, is_countable
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, Strategy

WILD_52 = load_game("wild-52")
MAIN, BONUS, JOKER = WILD_52.wagers
TERMS = GameTerms(select_paytables(WILD_52), resolve_options(WILD_52, {}))


def table_of(cells: Mapping[tuple[int, int], int], one: int, other: int) -> CountTable:
    """Return a table of deals with some cells filled."""
    return [[cells.get((row, column), 0) for column in range(other)] for row in range(one)]


BOTH = table_of({(0, 0): 1, (0, 2): 2, (11, 1): 3, (11, 2): 94}, 12, 3)
"""Bonus on five aces or lost; the Joker among the community cards, one's own, or nowhere."""


@pytest.fixture
def sheets() -> list[ParSheet]:
    """Return sheets whose counts are the sums of the table, and of main with half wins and half folds."""
    won = next(index for index, outcome in enumerate(MAIN.outcomes) if outcome.name == "raise-once-win-qualified")
    main = [50 if index in {0, won} else 0 for index in range(len(MAIN.outcomes))]
    columns = [sum(row[column] for row in BOTH) for column in range(3)]
    counted = zip((MAIN, BONUS, JOKER), (main, [sum(row) for row in BOTH], columns), strict=True)
    return [build_par_sheet(WILD_52, wager, TERMS.paytables, TERMS.options, counts) for wager, counts in counted]


def nets(sheet: ParSheet) -> list[Fraction]:
    """Return what each outcome nets."""
    return [line.net for line in sheet.lines]


@pytest.fixture
def _counted(monkeypatch: pytest.MonkeyPatch, sheets: list[ParSheet]) -> None:
    """Have main lose whenever the Bonus is lost, by the solver, and the side wagers as in the table."""
    main = sheets[0]
    total = int(main.expected_value * 100)
    beside = {"bonus": ((3, 30), *[(0, 0)] * 10, (97, total - 30)), "joker": ((1, 0), (3, 0), (96, total))}
    solved = Solution(tuple(line.deals for line in main.lines), {}, 0, side_outcomes=beside)
    monkeypatch.setattr(pitboss.analysis.covariance, "get_solution", lambda *_arguments, **_named: solved)

    def counts(
        _game: Game, pairs: Sequence[WagerPair], _options: object, _strategy: object, _progress: object
    ) -> dict[tuple[str, str], JointCounts]:
        return {(one.id, other.id): JointCounts(BOTH, is_exact=True) for one, other in pairs}

    monkeypatch.setattr(pitboss.analysis.covariance, "count_joint_outcomes", counts)


@pytest.mark.usefixtures("_counted")
def test_side_wagers_move_together_as_their_joint_counts_say(sheets: list[ParSheet]) -> None:
    found = {each.bets: each for each in report_covariances(WILD_52, TERMS, sheets, ignore_progress).covariances}
    assert list(found) == [("main", "bonus"), ("main", "joker"), ("bonus", "joker")]
    bonus, joker = nets(sheets[1]), nets(sheets[2])
    product = Fraction(bonus[0] * joker[0] + 2 * bonus[0] * joker[2] - 3 * joker[1] - 94 * joker[2], 100)
    wanted = product - sheets[1].expected_value * sheets[2].expected_value
    assert found["bonus", "joker"].covariance == wanted
    assert found["bonus", "joker"].correlation == pytest.approx(
        float(wanted) / (sheets[1].standard_deviation * sheets[2].standard_deviation)
    )
    assert found["bonus", "joker"].as_json()["method"] == "exact"


@pytest.mark.usefixtures("_counted")
def test_main_moves_with_a_side_wager_as_the_solver_says(sheets: list[ParSheet]) -> None:
    found = {each.bets: each for each in report_covariances(WILD_52, TERMS, sheets, ignore_progress).covariances}
    lost = sheets[0].expected_value * 100 - 30
    product = (nets(sheets[1])[0] * 30 - lost) / 100
    assert found["main", "bonus"].covariance == product - sheets[0].expected_value * sheets[1].expected_value
    assert found["main", "bonus"].standard_error is None


@pytest.mark.usefixtures("_counted")
def test_the_variance_of_a_mix_is_that_of_the_sum(sheets: list[ParSheet]) -> None:
    stakes = {"bonus": Fraction(1, 2), "joker": Fraction(2)}
    found = report_covariances(WILD_52, replace(TERMS, stakes=stakes), sheets, ignore_progress)
    assert found.mix is not None
    of_pair = {each.bets: each.covariance for each in found.covariances}
    main, bonus, joker = (sheet.variance for sheet in sheets)
    wanted = main + bonus / 4 + 4 * joker
    wanted += of_pair["main", "bonus"] + 4 * of_pair["main", "joker"] + 2 * of_pair["bonus", "joker"]
    assert found.mix.variance == wanted
    assert found.mix.is_exact
    assert found.mix.expected_value == sum(
        stake * sheet.expected_value for stake, sheet in zip((Fraction(1), *stakes.values()), sheets, strict=True)
    )
    assert found.as_json()["mix"]["stakes"] == {"main": 1, "bonus": 0.5, "joker": 2}


def test_without_a_covariance_there_is_no_mix(sheets: list[ParSheet]) -> None:
    stakes = {"bonus": Fraction(1)}
    assert compute_stake_mix(WILD_52, stakes, sheets, []) is None
    assert compute_stake_mix(WILD_52, stakes, sheets[1:], [BetCovariance(("main", "bonus"), Fraction(0), 0.0)]) is None
    simulated = BetCovariance(("main", "bonus"), Fraction(1), 0.1, standard_error=0.5)
    mixed = compute_stake_mix(WILD_52, stakes, sheets, [simulated])
    assert isinstance(mixed, StakeMix)
    assert not mixed.is_exact
    assert mixed.variance == sheets[0].variance + sheets[1].variance + 2
    assert mixed.as_json()["method"] == "simulated"


def test_what_is_dealt_has_the_standard_error_of_its_products(
    sheets: list[ParSheet], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Strategy("practical", "Practical", ("Play.",), len)

    def counts(
        _game: Game, pairs: Sequence[WagerPair], _options: object, _strategy: object, _progress: object
    ) -> dict[tuple[str, str], JointCounts]:
        assert [(one.id, other.id) for one, other in pairs] == [("bonus", "joker")]
        return {("bonus", "joker"): JointCounts(BOTH, is_exact=False, strategy=played)}

    monkeypatch.setattr(pitboss.analysis.covariance, "count_joint_outcomes", counts)
    (found,) = report_covariances(WILD_52, TERMS, sheets[1:], ignore_progress).covariances
    bonus, joker = nets(sheets[1]), nets(sheets[2])
    deals = [(bonus[0], joker[0])] + [(bonus[0], joker[2])] * 2 + [(bonus[11], joker[1])] * 3
    deals += [(bonus[11], joker[2])] * 94
    means = [sum(values) / len(deals) for values in zip(*deals, strict=True)]
    products = [(x - means[0]) * (y - means[1]) for x, y in deals]
    mean = sum(products) / len(deals)
    assert found.covariance == mean
    spread = sum((product - mean) ** 2 for product in products) / len(deals)
    assert found.standard_error == pytest.approx(sqrt(spread / len(deals)))
    assert (found.strategy_id, found.as_json()["method"]) == ("practical", "simulated")


@pytest.mark.parametrize(
    ("game", "options", "counted"),
    [
        ("six-card", {}, {"aces-up bad-beat", "aces-up progressive", "bad-beat progressive"}),
        (
            "wild-six-card",
            {},
            {
                "queens-or-better taxpayers-fortune",
                "queens-or-better draw-bonus",
                "taxpayers-fortune draw-bonus",
            },
        ),
        ("wild-52", {}, {"bonus joker"}),
        ("wild-52", {"bonus_after_fold": "off"}, set()),
        ("lunar", {}, {"super multi-super", "super dealer-super", "multi-super dealer-super"}),
        ("shifting-wilds", {}, set()),
    ],
)
def test_wagers_that_chance_alone_decides_are_counted_together(
    game: str, options: dict[str, str], counted: set[str]
) -> None:
    of_game = load_game(game)
    values = resolve_options(of_game, options)
    pairs = [(one, other) for at, one in enumerate(of_game.wagers) for other in of_game.wagers[at + 1 :]]
    assert {f"{one.id} {other.id}" for one, other in pairs if is_countable(of_game, one, other, values)} == counted


def test_without_a_strategy_what_depends_on_the_play_has_no_counts() -> None:
    game = load_game("shifting-wilds")
    pairs = [(game.wagers[1], game.wagers[2])]
    assert count_joint_outcomes(game, pairs, resolve_options(game, {}), None, ignore_progress) == {}


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("game", load_games().values(), ids=load_games())
def test_each_wager_of_a_joint_count_has_its_own_counts(game: Game) -> None:
    from pitboss.analysis.census import count_outcomes

    options = resolve_options(game, {})
    pairs = [(one, other) for at, one in enumerate(game.wagers) for other in game.wagers[at + 1 :]]
    counted = [pair for pair in pairs if is_countable(game, *pair, options)]
    for (one, other), joint in zip(
        counted, count_joint_outcomes(game, counted, options, None, ignore_progress).values(), strict=True
    ):
        for wager, sums in ((one, map(sum, joint.table)), (other, map(sum, zip(*joint.table, strict=True)))):
            of_wager, together_counted = count_outcomes(game, wager, options, ignore_progress), list(sums)
            times = Fraction(sum(together_counted), sum(of_wager))
            assert together_counted == [count * times for count in of_wager]
