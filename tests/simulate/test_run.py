"""Runs: the same seed counts the same whoever plays, and what was counted survives whatever ends a run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitboss.simulate.runner as under_test
from pitboss.contract import Game
from pitboss.core.errors import DeviceError, StrategyError, UnknownNameError, WagerError
from pitboss.core.numbers import MAX_SEED
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.simulate.block_kernel import BLOCK_ROUNDS, compute_strides
from pitboss.simulate.ordered_outcomes import OutcomeObserver, encode_outcomes
from pitboss.simulate.outcome_counts import OutcomeCounts, parse_counts
from pitboss.simulate.players import (
    CHANCE,
    OPTIMAL,
    Player,
    find_player,
    find_strategy,
    get_default_player,
    list_player_names,
)
from pitboss.simulate.runner import (
    MAX_ROUNDS,
    InterruptedRunError,
    Simulation,
    play_blocks,
    run_shard,
    run_simulation,
    split_into_shards,
)
from pitboss.tasks import Executor
from refusals import refusal

SIX_CARD, LUNAR, WILD_SIX = load_game("six-card"), load_game("lunar"), load_game("wild-six-card")
GOLDEN = [
    (448, 385, 299, 0, 0, 368, 0),
    (0, 0, 0, 10, 13, 24, 56, 189, 55, 1153),
    (0, 0, 0, 0, 2, 5, 59, 20, 1414),
    (0, 0, 0, 10, 13, 24, 1453),
]


def simulated(game: Game, name: str = "", **changes: Any) -> Simulation:
    """Return a simulation under the game's defaults."""
    player = find_player(game, name) if name else get_default_player(game)
    return replace(Simulation(game.id, tuple(resolve_options(game, {}).items()), player), **changes)


@pytest.mark.compiled
def test_a_seed_counts_what_it_always_counted() -> None:
    counted = run_simulation(simulated(SIX_CARD), 1_500, seed=2026)
    assert counted.rounds == sum(counted.cells.values()) == 1_500
    assert [counted.count_wager(wager) for wager in range(4)] == GOLDEN


@pytest.mark.more
@pytest.mark.compiled
def test_any_cut_and_any_crew_counts_the_same() -> None:
    asked, rounds = simulated(SIX_CARD), 2 * 16 * BLOCK_ROUNDS + 777
    told: list[tuple[int, int]] = []
    whole = run_simulation(asked, rounds, 5, progress=lambda *each: told.append(each))
    assert told == [(0, rounds), (16 * BLOCK_ROUNDS, rounds), (32 * BLOCK_ROUNDS, rounds), (rounds, rounds)]
    assert run_simulation(asked, rounds, 5, Executor(workers=2)) == whole
    cells = np.concatenate([cells for cells, _ in play_blocks(asked, 5, 0, rounds)])
    assert cells.shape == (rounds, 1)
    assert dict(zip(*map(np.ndarray.tolist, np.unique(cells, return_counts=True)), strict=True)) == whole.cells
    later = np.concatenate([cells for cells, _ in play_blocks(asked, 5, 30 * BLOCK_ROUNDS, rounds - 30 * BLOCK_ROUNDS)])
    np.testing.assert_array_equal(later, cells[30 * BLOCK_ROUNDS :])
    assert run_simulation(asked, 1_000, 6).cells != run_simulation(asked, 1_000, 5).cells


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("crew", [Executor(), Executor(workers=2)])
def test_a_wager_is_watched_in_the_order_of_play_whoever_plays(crew: Executor) -> None:
    asked, rounds, seen = simulated(SIX_CARD, seats=2), 2 * 16 * BLOCK_ROUNDS + 777, list[Any]()
    counted = run_simulation(asked, rounds, 5, crew, observer=OutcomeObserver(1, seen.append))
    assert counted == run_simulation(asked, rounds, 5)
    cells = np.concatenate([cells for cells, _ in play_blocks(asked, 5, 0, rounds)])
    stride, outcomes = compute_strides(counted.outcomes)[1], counted.outcomes[1]
    np.testing.assert_array_equal(np.concatenate(seen), cells // stride % outcomes)


def test_pieces_finished_out_of_order_are_shown_in_order() -> None:
    seen: list[Any] = []
    watch = OutcomeObserver(0, lambda outcomes: seen.append(outcomes.tolist()))
    lines = [encode_outcomes(np.array([[cell, cell + 1]]), (9,), 0) for cell in range(4)]
    watch.add(1, lines[2:], 9, 2)
    assert seen == []
    watch.add(0, lines[:2], 9, 2)
    assert seen == [[[cell, cell + 1]] for cell in range(4)]


@pytest.mark.compiled
def test_cells_that_are_too_many_for_a_table_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = simulated(SIX_CARD)
    dense = run_simulation(asked, 3_000, 1)
    monkeypatch.setattr(under_test, "_MAX_DENSE_CELLS", 0)
    assert run_simulation(asked, 3_000, 1) == dense


@pytest.mark.compiled
def test_two_strategies_play_the_same_deals() -> None:
    asked, wagers = simulated(SIX_CARD), len(SIX_CARD.wagers)
    both = run_simulation(replace(asked, against=Player("always-play")), 2_000, 3)
    one, other = run_simulation(asked, 2_000, 3), run_simulation(replace(asked, player=Player("always-play")), 2_000, 3)
    for wager in range(wagers):
        assert both.count_wager(wager) == one.count_wager(wager)
        assert both.count_wager(wagers + wager) == other.count_wager(wager)
    side = both.count_joint(1, wagers + 1)
    assert sum(side[line][line] for line in range(len(side))) == 2_000
    assert both.count_wager(0)[0] > 0 == both.count_wager(wagers)[0]


@pytest.mark.compiled
def test_six_seats_at_lunar_exhaust_the_stub_and_draws_refused_are_folds() -> None:
    asked = simulated(LUNAR, seats=6)
    assert 100 < run_simulation(asked, 2_000, 1).reshuffled_rounds < 400
    values = resolve_options(LUNAR, {"short_deck": "refuse"})
    refused = run_simulation(replace(asked, options=tuple(values.items())), 2_000, 1)
    assert refused.reshuffled_rounds == 0
    assert refused.count_wager(0)[2] > run_simulation(asked, 2_000, 1).count_wager(0)[2]


@pytest.mark.compiled
def test_an_interrupted_run_gives_what_it_counted() -> None:
    asked = simulated(SIX_CARD)

    def interrupt(done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError) as interrupted:
        run_simulation(asked, 40 * BLOCK_ROUNDS, 5, progress=interrupt)
    assert interrupted.value.counts == run_simulation(asked, 16 * BLOCK_ROUNDS, 5)


def test_pieces_are_whole_blocks_and_not_too_many() -> None:
    asked = simulated(SIX_CARD)
    for rounds in (1, BLOCK_ROUNDS, 16 * BLOCK_ROUNDS + 1, 10**9, 10**12 + 7):
        pieces = split_into_shards(asked, rounds, 1)
        assert len(pieces) <= 1 << 14
        assert [each.first_round for each in pieces[1:]] == [each.first_round + each.rounds for each in pieces[:-1]]
        assert all(each.first_round % BLOCK_ROUNDS == 0 for each in pieces)
        assert sum(each.rounds for each in pieces) == rounds


@pytest.mark.parametrize(
    ("changes", "rounds", "seed", "said"),
    [
        ({}, 0, 1, r"^0 rounds cannot be simulated: give a whole number from 1 to"),
        ({}, -5, 1, r"^-5 rounds cannot be simulated"),
        ({}, MAX_ROUNDS + 1, 1, r"rounds cannot be simulated"),
        ({}, 1, -1, r"^-1 is not a valid seed"),
        ({}, 1, MAX_SEED + 1, r"is not a valid seed"),
        ({"seats": 0}, 1, 1, r"^the number of seats is 0: give"),
        ({"seats": 7}, 1, 1, r"^the number of seats is 7: give"),
        ({"seats": 2, "against": Player("practical")}, 1, 1, r"^two strategies are compared"),
    ],
)
def test_what_cannot_be_simulated_is_refused(changes: dict[str, Any], rounds: int, seed: int, said: str) -> None:
    with pytest.raises(WagerError, match=said):
        run_simulation(replace(simulated(SIX_CARD), **changes), rounds, seed)


def test_a_gpu_keeps_no_order() -> None:
    with pytest.raises(DeviceError, check=refusal("cpu-only")):
        run_simulation(simulated(SIX_CARD), 100, 1, gpu=True, observer=OutcomeObserver(0, print))


MINE = '''
from pitboss.core.rule import rule
from pitboss.cards import popcount


@rule
def fold(_tables, _view, _asked, _numbers, _options):
    """Fold."""
    return 0, 0


@rule
def greedy(_tables, _view, _asked, _numbers, _options):
    """Do what there is not."""
    return 2, 0


@rule
def foreign(_tables, view, _asked, _numbers, _options):
    """Give up a card that is not held."""
    lowest = 0
    while view.player >> lowest & 1:
        lowest += 1
    return 0, 1 << lowest


@rule
def vague(_tables, _view, _asked, _numbers, _options):
    """Decide by a word."""
    return "fold", 0


@rule
def lonely(_tables, _view, _asked, _numbers, _options):
    """Forget the cards."""
    return 1


@rule
def late(_tables, view, _asked, _numbers, _options):
    """Divide by nothing, some day."""
    return 1 // (view.player >> 51 & 1 ^ 1), 0


@rule
def outside(_tables, _view, _asked, _numbers, _options):
    """Give up a card that does not exist."""
    return 0, 1 << 60


def helper(view):
    """Be forgotten."""
    return view.player & 1


@rule
def helped(_tables, view, _asked, _numbers, _options):
    """Ask somebody who is no rule."""
    return helper(view), 0


@rule
def listing(_tables, view, _asked, _numbers, _options):
    """Make a list."""
    return [0, 1][view.player & 1], 0


def unmarked(_tables, _view, _asked, _numbers, _options):
    return 0, 0
'''


@pytest.fixture
def mine(tmp_path: Path) -> Callable[[str], str]:
    """Write a file of strategies and name the functions in it."""
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return lambda name: f"{path}:{name}"


@pytest.mark.compiled
def test_a_strategy_of_the_users_own_is_played(mine: Callable[[str], str]) -> None:
    counted = run_simulation(simulated(SIX_CARD, mine("fold")), 500, 1)
    assert counted.count_wager(0)[0] == 500


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("game")
@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        (
            SIX_CARD,
            "greedy",
            r"^greedy, round 0 of block 0, seat 1, fold-or-play: action 2 is not legal with player",
        ),
        (
            SIX_CARD,
            "foreign",
            r"^foreign, .*, fold-or-play: fold gives up 0 of the cards held, not",
        ),
        (WILD_SIX, "foreign", r"^foreign, .* discard gives up 1 of the cards held, not .*: player"),
        (WILD_SIX, "fold", r"^fold, .* discard gives up 1 of the cards held, not no card: player"),
        (SIX_CARD, "outside", r"^outside, .*: fold gives up 0 of the cards held, not cards that do not exist: player"),
        (
            SIX_CARD,
            "vague",
            r"^vague, round 0 .*: \('fold', 0\) with player .*: a rule returns the number of an action",
        ),
        (
            SIX_CARD,
            "lonely",
            r"^lonely, round 0 .*: 1 with player .*: a rule returns the number of an action and a set",
        ),
        (SIX_CARD, "late", r"^late, round \d+ of .*: ZeroDivisionError: .*, with player A[^,]*c"),
        (
            SIX_CARD,
            "helped",
            r"^helped cannot be compiled: helper is not marked: write @rule above it too \(line \d+\)$",
        ),
        (SIX_CARD, "listing", r"^listing cannot be compiled: a rule makes no list, set, dictionary or array"),
    ],
)
def test_what_a_strategy_must_not_do_is_told_with_the_position(
    game: Game, name: str, said: str, mine: Callable[[str], str], request: pytest.FixtureRequest
) -> None:
    if name in {"foreign", "fold", "outside"}:  # a kernel finds them as it finds what the greedy one does
        request.getfixturevalue("interpreted")
    with pytest.raises(StrategyError, match=said) as refused:
        run_simulation(simulated(game, mine(name)), 3_000, 1)
    assert "\n" not in str(refused.value)


def test_players_are_found_or_refused(mine: Callable[[str], str], tmp_path: Path) -> None:
    assert find_strategy(SIX_CARD, find_player(SIX_CARD, CHANCE)) is None
    practical = find_strategy(SIX_CARD, find_player(SIX_CARD, "practical"))
    assert practical is not None
    assert practical.id == "practical"
    with pytest.raises(UnknownNameError, check=refusal("unknown-strategy", name="practicl", closest="practical")):
        find_player(SIX_CARD, "practicl")
    with pytest.raises(StrategyError, check=refusal("not-a-rule", name="unmarked")):
        find_player(SIX_CARD, mine("unmarked"))
    with pytest.raises(StrategyError, check=refusal("no-function", name="other")):
        find_player(SIX_CARD, mine("other"))
    with pytest.raises(StrategyError, check=refusal("cannot-read")):
        find_player(SIX_CARD, f"{tmp_path / 'nowhere.py'}:play")
    with pytest.raises(StrategyError, check=refusal("no-function")):
        find_player(SIX_CARD, mine("").rstrip(":"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import pitboss.nowhere", "No module named 'pitboss.nowhere'"),
        ("def play(:", "invalid syntax in line 1"),
        ("raise SystemExit('enough')", "enough"),
        ("class Own(Exception): pass\nraise Own", "Own"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_in_a_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(text, encoding="utf-8")
    with pytest.raises(StrategyError, match=f"^the strategy's file cannot be loaded: {said}$"):
        find_player(SIX_CARD, f"{tmp_path / 'broken.py'}:play")


def test_a_game_without_a_best_play_to_simulate_says_so() -> None:
    too_long, too_large = replace(LUNAR, solver=""), replace(SIX_CARD, solver="")
    for game, reason in (
        (too_long, "to solve it takes longer than the budget"),
        (too_large, "a table of its 18,746,803,833 positions is too large"),
    ):
        with pytest.raises(StrategyError, check=refusal("no-best-play", game=game.id, reason=reason)):
            find_player(game, OPTIMAL)
    assert all(find_player(game, OPTIMAL) == Player(OPTIMAL) for game in load_games().values())


def test_every_player_of_a_game_is_named_where_another_is_asked_for() -> None:
    for game in load_games().values():
        names = list_player_names(game)
        assert {OPTIMAL, CHANCE} < set(names)
        assert all(find_player(game, name).name == name for name in names)
        with pytest.raises(UnknownNameError) as refused:
            find_player(game, "optimall")
        assert str(refused.value).endswith(f"did you mean 'optimal'? known: {', '.join(names)}")


def test_a_piece_is_text() -> None:
    asked = simulated(SIX_CARD, CHANCE)
    (piece,) = split_into_shards(asked, 4, 1)
    counted = parse_counts(run_shard(piece))
    assert isinstance(counted, OutcomeCounts)
    assert (counted.rounds, sum(counted.cells.values()), counted.seats) == (4, 4, 1)
