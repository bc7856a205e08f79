"""Strategy charts: every cell is a position of the game, and its answer is that of a hint."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.strategy_chart import compute_strategy_chart, find_strategy_grid, is_strategy_chart_cached
from pitboss.cards import make_mask, parse_cards
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, StrategyError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.strategy_grids import StrategyGrid, load_strategy_grids
from refusals import refusal

GRIDS = [(game.id, grid.id) for game in load_games().values() for grid in load_strategy_grids(game)]
CHARTED = ("wild-six-card", "shifting-wilds", "lunar", "six-card", "wild-52")


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep rows of charts in this test alone, and kernels where they are."""
    rows = dict[str, str]()
    monkeypatch.setattr("pitboss.tasks.read_cached_text", rows.get)
    monkeypatch.setattr("pitboss.tasks.write_cached_text", rows.__setitem__)


def terms_of(game: Game) -> GameTerms:
    return GameTerms(select_paytables(game), resolve_options(game, {}))


def some_cells(grid: StrategyGrid) -> StrategyGrid:
    """Return a grid of one row, with a fourth of its cells, or two that take long."""
    row = grid.rows[len(grid.rows) // 2]
    columns = tuple(
        islice((each for each in grid.columns if grid.place(row, each)), 1, None, 4 if grid.seconds < 100 else 10)
    )
    return replace(grid, rows=(row,), columns=columns)


def test_every_game_of_ours_has_charts() -> None:
    assert sorted({game for game, _ in GRIDS}) == sorted(CHARTED)


@pytest.mark.parametrize(("name", "grid"), GRIDS)
def test_cells_are_positions_with_different_cards(name: str, grid: str) -> None:
    game = load_game(name)
    asked = find_strategy_grid(game, grid)
    cells = [cards for row in asked.rows for each in asked.columns if (cards := asked.place(row, each))]
    decisions = set()
    assert all(any(asked.place(row, each) for each in asked.columns) for row in asked.rows)
    assert all(any(asked.place(row, each) for row in asked.rows) for each in asked.columns)
    for cards in cells:
        together = parse_cards(" ".join(cards.values()), game.deck)  # no card twice
        assert len(together) == len(set(together))
    for cards in (cells[0], cells[-1]):
        decisions.add(parse_hint_request(game, terms_of(game), cards).position.decision.id)
    assert len(decisions) == 1
    assert len(cells) > len(asked.rows)


@pytest.mark.in_turn("name")
@pytest.mark.parametrize(
    ("name", "grid"),
    [pytest.param(*each, marks=[] if each[0] in {"six-card", "wild-six-card"} else pytest.mark.more) for each in GRIDS],
)
def test_answers_are_those_of_hints(name: str, grid: str) -> None:
    game = load_game(name)
    asked = some_cells(find_strategy_grid(game, grid))
    data = compute_strategy_chart(game, terms_of(game), asked)
    assert data.rows
    for record in data.list_records():
        cards = asked.place(record["row"], record["column"])
        assert cards is not None
        best, *others = parse_hint_request(game, terms_of(game), cards).compute(ignore_progress)
        assert record["action"] == best.action.id
        assert record["expected_value_exact"] == f"{best.value.numerator}/{best.value.denominator}"
        assert record["costs"] == pytest.approx(float(best.value - others[0].value), abs=1e-12)
        assert make_mask(parse_cards(record["gives_up"], game.deck)) == best.cards
        assert record["cards"] == "; ".join(cards.values())


def test_rows_of_the_same_cards_are_all_there() -> None:
    game = load_game("six-card")
    grid = some_cells(find_strategy_grid(game))
    twice = replace(grid, rows=("one", "two"), place=lambda _row, column: grid.place(grid.rows[0], column))
    data = compute_strategy_chart(game, terms_of(game), twice)
    assert [row[1:] for row in data.rows if row[0] == "one"] == [row[1:] for row in data.rows if row[0] == "two"]
    assert len(data.rows) == 2 * len(grid.columns)


def test_the_dealers_pair_is_beaten_by_a_higher_one_alone() -> None:
    game = load_game("six-card")
    data = compute_strategy_chart(game, terms_of(game), find_strategy_grid(game, "pair-shown"))
    pairs = [record for record in data.list_records() if record["row"].startswith("Pair of ")]
    names = list(dict.fromkeys(record["row"] for record in pairs))[::-1]
    for record in pairs:
        higher = names.index(record["row"]) > data.labels["column_names"].index(record["column"])
        assert record["answer"] == ("play" if higher else "fold")


def test_a_row_that_is_kept_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("six-card")
    terms, grid = terms_of(game), some_cells(find_strategy_grid(game))
    assert not is_strategy_chart_cached(game, terms, grid)
    seen = list[tuple[int, int]]()
    first = compute_strategy_chart(game, terms, grid, lambda *done: seen.append(done))
    assert seen == [(0, 1), (1, 1)]
    assert is_strategy_chart_cached(game, terms, grid)
    monkeypatch.setattr("pitboss.analysis.strategy_chart.solve_row", lambda _row: json.loads("no answer"))
    assert compute_strategy_chart(game, terms, grid) == first
    other = GameTerms(terms.paytables, resolve_options(game, {"dealer_qualifies": "always"}))
    assert not is_strategy_chart_cached(game, other, grid)


def test_a_game_or_a_grid_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("six-card")
    with pytest.raises(PitbossError, check=refusal("unknown-grid", name="none")):
        find_strategy_grid(game, "none")
    monkeypatch.setattr("pitboss.analysis.strategy_chart.load_strategy_grids", lambda _game: ())
    with pytest.raises(StrategyError, check=refusal("no-chart", game="six-card")):
        find_strategy_grid(game)
