"""The search of a tuning finds what trying every table finds, and what a solver of integer programs finds."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from oracle.tuned_tables import Key, list_tables, meets, rank
from pitboss.analysis import paytable_search
from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet
from pitboss.analysis.pay_grid import GridLine, PayGrid, build_grid
from pitboss.analysis.pay_ladder import ROUND_LADDER
from pitboss.analysis.paytable_search import search_paytables
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.contract import Wager
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from refusals import refusal

BONUS_DEALS = (1128, 13536, 4512, 21620, 38728, 146104, 224848, 896176, 5997144, 6027224, 11083940, 129688120)

# Bets whose outcomes are paid in every way: one line, two added up, the better of two, a tax, for one, two tables.
BETS = (
    ("wild-52", "bonus"),
    ("six-card", "bad-beat"),
    ("six-card", "progressive"),
    ("shifting-wilds", "regular-bonus"),
    ("wild-six-card", "taxpayers-fortune"),
    ("lunar", "main"),
    ("lunar", "instant-cash"),
)


def make_sheet(name: str, bet: str, deals: Sequence[int]) -> ParSheet:
    """Return the sheet of a bet that has these deals."""
    game = load_game(name)
    wager = find(game.wagers + game.main_parts, bet)
    return build_par_sheet(game, wager, select_paytables(game), resolve_options(game, {}), deals)


def find(wagers: Sequence[Wager], bet: str) -> Wager:
    return next(wager for wager in wagers if wager.id == bet)


def make_lines(pays: dict[Key, list[Fraction]], sheet: ParSheet) -> list[GridLine]:
    lines = []
    for (kind, line), several in pays.items():
        present = sheet.tables_by_kind[kind].lines[line].amount
        lines.append(GridLine((kind, line), present, tuple(sorted({*several} - {present})), present not in several))
    return lines


def draw_grid(random: Random) -> tuple[ParSheet, dict[Key, list[Fraction]], TuningTargets, int, bool]:
    """Draw a bet with deals, some lines with their pays, and targets that some of its tables meet."""
    name, bet = random.choice(BETS)
    wager = find(load_game(name).wagers + load_game(name).main_parts, bet)
    most = random.choice((50, 10**7, 10**19))
    deals = [random.randrange(most) for _ in wager.outcomes]
    deals[-1] += 30 * sum(deals)
    sheet = make_sheet(name, bet, deals)
    keys = [
        (table.kind, line)
        for table in sheet.paytables
        for line, pay in table.lines.items()
        if pay.unit.value != "percent_of_meter"
    ]
    chosen = random.sample(keys, min(len(keys), random.randint(1, 4)))
    pays: dict[Key, list[Fraction]] = {}
    for kind, line in sorted(chosen, key=keys.index):
        present = sheet.tables_by_kind[kind].lines[line].amount
        drawn = {Fraction(random.randrange(0, 60), random.choice((1, 1, 1, 2))) for _ in range(random.randint(1, 4))}
        pays[kind, line] = sorted(drawn | ({present} if random.random() < 0.8 else set()))
    changes, any_order = random.randint(0, 4), random.random() < 0.5
    tables = list(list_tables(sheet, pays, changes, any_order=any_order))
    middle = random.choice(tables).edge if tables else Fraction(0)
    width = Fraction(random.randrange(1, 1000), 10_000)
    targets = TuningTargets(FigureRange(middle - width, middle + width * Fraction(random.randrange(0, 3), 2)))
    if tables and random.random() < 0.5:
        other = random.choice(tables)
        root = Fraction(str(round(float(other.variance) ** 0.5, 3)))
        targets = random.choice(
            (
                targets._replace(hit=FigureRange(other.hit, other.hit + Fraction(1, 50))),
                targets._replace(deviation=FigureRange(root - Fraction(1, 2), root + Fraction(1, 2))),
                targets._replace(top=FigureRange(other.top, other.top + 5)),
            )
        )
    return sheet, pays, targets, changes, any_order


@pytest.mark.parametrize("seed", range(60))
def test_a_search_finds_every_table_in_the_stated_order(seed: int) -> None:
    sheet, pays, targets, changes, any_order = draw_grid(Random(seed))
    expected = [each for each in list_tables(sheet, pays, changes, any_order=any_order) if meets(each, targets)]
    grid = build_grid(sheet, make_lines(pays, sheet), any_order=any_order)
    result = search_paytables(grid, targets, changes, 10_000, ignore_progress)
    assert sum(result.found) == len(expected)
    assert [found for found in result.found if found] == [
        found for size in range(changes + 1) if (found := sum(len(each.changes) == size for each in expected))
    ]
    listed = [{grid.lines[place].key: pay for place, pay in each.changes} for each in result.best]
    assert sorted(map(sorted, (each.items() for each in listed))) == sorted(
        sorted(each.changes.items()) for each in expected
    )
    by_changes = {tuple(sorted(each.changes.items())): rank(each, targets) for each in expected}
    ranks = [by_changes[tuple(sorted(each.items()))] for each in listed]
    assert ranks == sorted(ranks)
    first = search_paytables(grid, targets, changes, 2, ignore_progress)
    assert (first.found, first.best) == (result.found, result.best[:2])


@pytest.mark.parametrize("seed", range(60, 80))
def test_the_nearest_tables_are_the_nearest(seed: int) -> None:
    sheet, pays, targets, changes, any_order = draw_grid(Random(seed))
    targets = targets._replace(edge=FigureRange(targets.edge.low, targets.edge.low))
    every = list(list_tables(sheet, pays, changes, any_order=any_order))
    expected = sorted(abs(each.edge - targets.edge.low) for each in every if meets(each, targets, edge=False))
    grid = build_grid(sheet, make_lines(pays, sheet), any_order=any_order)
    result = search_paytables(grid, targets, changes, 3, ignore_progress, Fraction(10**6))
    found = [abs(grid.price(dict(each.changes)).house_edge - targets.edge.low) for each in result.best]
    assert found == expected[: len(found)]
    assert len(found) == min(3, len(expected))


@pytest.mark.parametrize("seed", range(100, 150))
def test_an_integer_program_finds_the_same_fewest_changes(seed: int) -> None:
    """HiGHS decides whether a table exists, and how few changes it takes; its table is verified in whole numbers."""
    random = Random(seed)
    sheet = make_sheet("wild-52", "bonus", BONUS_DEALS)
    table = sheet.paytables[0]
    names = random.sample(list(table.lines), random.randint(4, 8))
    pays = {
        ("bonus", name): sorted({table.lines[name].amount, *random.sample(ROUND_LADDER, random.randint(3, 12))})
        for name in table.lines
        if name in names
    }
    changes, low = random.randint(1, 4), Fraction(random.randrange(0, 80), 1000)
    targets = TuningTargets(FigureRange(low, low + Fraction(random.randrange(1, 300), 100_000)))
    grid = build_grid(sheet, make_lines(pays, sheet), any_order=True)
    result = search_paytables(grid, targets, changes, 5, ignore_progress)
    solved = solve_program(grid, targets, changes)
    if solved is None:
        assert sum(result.found) == 0
    else:
        assert targets.edge.low <= grid.price(solved).house_edge <= targets.edge.high
        assert len(result.best[0].changes) == len(solved)


def solve_program(grid: PayGrid, targets: TuningTargets, changes: int) -> dict[int, Fraction] | None:
    """Return the fewest changes that meet the edge, found by an integer program."""
    choices = [(place, pay) for place, line in enumerate(grid.lines) for pay in line.pays]
    unit = grid.sheet.deals * grid.scale
    added = np.array([float(net) / unit for terms in grid.columns for net in terms.nets])
    once = np.array([[float(of == place) for of, _ in choices] for place in range(len(grid.lines))])
    present = -grid.present[0] / unit
    edge = LinearConstraint(-added, float(targets.edge.low) - present, float(targets.edge.high) - present)
    few = LinearConstraint(np.ones(len(choices)), 0, changes)
    solved: Any = milp(
        np.ones(len(choices)),
        constraints=[edge, few, LinearConstraint(once, 0, 1)],
        integrality=np.ones(len(choices)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    if solved.x is None:
        return None
    return dict(choice for choice, chosen in zip(choices, solved.x, strict=True) if chosen > 0.5)


def test_two_pays_of_the_wild_52_bonus_are_changed_in_597_ways() -> None:
    sheet = make_sheet("wild-52", "bonus", BONUS_DEALS)
    table = sheet.paytables[0]
    lines = make_lines({("bonus", name): [pay.amount, *ROUND_LADDER] for name, pay in table.lines.items()}, sheet)
    targets = TuningTargets(FigureRange(Fraction(40, 1000), Fraction(42, 1000)))
    grid = build_grid(sheet, lines, any_order=True)
    result = search_paytables(grid, targets, 2, 1_000, ignore_progress)
    pays = [(int(pay.amount), deals) for pay, deals in zip(table.lines.values(), BONUS_DEALS, strict=False)]
    total, present = sum(BONUS_DEALS), sum(pay * deals for pay, deals in pays) - BONUS_DEALS[-1]
    expected = {
        ((one, Fraction(first)), (other, Fraction(second)))
        for (one, (old, deals)), (other, (other_old, other_deals)) in combinations(enumerate(pays), 2)
        for first in map(int, ROUND_LADDER)
        for second in map(int, ROUND_LADDER)
        if first != old and second != other_old
        if 40 * total <= -1000 * (present + (first - old) * deals + (second - other_old) * other_deals) <= 42 * total
    }
    assert len(expected) == 597
    assert {each.changes for each in result.best if len(each.changes) == 2} == expected


def test_a_search_that_is_too_large_says_what_would_shrink_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = make_sheet("wild-52", "bonus", BONUS_DEALS)
    pays = {("bonus", name): [pay.amount, *ROUND_LADDER] for name, pay in sheet.paytables[0].lines.items()}
    grid = build_grid(sheet, make_lines(pays, sheet), any_order=True)
    edge = TuningTargets(FigureRange(Fraction(4, 100), Fraction(5, 100)))
    with pytest.raises(MagnitudeError, match="narrow --vary", check=refusal("search-too-large", changes=6)):
        search_paytables(grid, edge, 8, 1, ignore_progress)
    monkeypatch.setattr(paytable_search, "MOST_ROWS", 100_000)
    everything = TuningTargets(
        FigureRange(Fraction(-100), Fraction(100)), deviation=FigureRange(Fraction(1), Fraction(9))
    )
    with pytest.raises(MagnitudeError, match="narrow --edge", check=refusal("search-too-large", changes=2)):
        search_paytables(grid, everything, 4, 1, ignore_progress)
