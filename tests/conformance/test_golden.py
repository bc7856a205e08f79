"""Golden rounds: every game has them, each replays to the cent, and together they take every action there is."""

from pathlib import Path

import pytest

from pitboss.contract import Game
from pitboss.games import load_games
from pitboss.table.round import DecisionMade, WagerSettled
from pitboss.table.round.history import parse_history, read_history, replay_history
from pitboss.table.round.history_writer import format_history

FEWEST = 6

GOLDEN = [
    pytest.param(game, path, id=f"{game.id}-{path.stem}")
    for game in load_games().values()
    for path in sorted((game.folder / "rounds").glob("*.toml"))
]

each_game = pytest.mark.parametrize("game", load_games().values(), ids=load_games())
each_golden_round = pytest.mark.parametrize(("game", "path"), GOLDEN)


@each_golden_round
def test_a_golden_round_replays_to_the_settlements_written_in_it(game: Game, path: Path) -> None:
    history = read_history(path)
    assert history.variant == game.id
    assert history.settlements
    now = replay_history(history)
    written = {(each.seat, each.bet, each.on): each for each in history.settlements if "envy-" not in each.outcome}
    settled = [event for event in now.events if isinstance(event, WagerSettled)]
    assert len(settled) == len(written) == len(now.stakes)
    for event in settled:
        record = written[event.seat + 1, event.bet, None if event.on is None else event.on + 1]
        assert (event.outcome, event.net_cents) == (record.outcome, record.net_cents)


@each_golden_round
def test_a_golden_round_says_what_it_shows_and_whence(game: Game, path: Path) -> None:
    history = read_history(path)
    assert history.title
    assert history.source
    assert path.stem == path.stem.lower().replace("_", "-").replace(" ", "-"), game.id


@each_golden_round
def test_a_golden_round_reads_the_same_when_written_and_read_again(game: Game, path: Path) -> None:
    history = read_history(path)
    assert history.variant == game.id
    written = format_history(history)
    assert parse_history(written) == history
    assert format_history(parse_history(written)) == written


@each_game
def test_there_are_golden_rounds_of_one_seat_and_of_several(game: Game) -> None:
    histories = [read_history(path) for path in (game.folder / "rounds").glob("*.toml")]
    assert len(histories) >= FEWEST
    assert {len(history.antes) > 1 for history in histories} == {False, True}
    assert len({history.title for history in histories}) == len(histories)


@each_game
def test_golden_rounds_take_every_action_of_every_decision(game: Game) -> None:
    rounds = [replay_history(read_history(path)) for path in (game.folder / "rounds").glob("*.toml")]
    taken = {
        (event.decision, event.action) for now in rounds for event in now.events if isinstance(event, DecisionMade)
    }
    known = {(decision.id, action.id) for decision in game.decisions for action in decision.actions}
    assert taken == known


@each_game
def test_golden_rounds_win_and_lose_every_wager(game: Game) -> None:
    rounds = [replay_history(read_history(path)) for path in (game.folder / "rounds").glob("*.toml")]
    settled = [event for now in rounds for event in now.events if isinstance(event, WagerSettled)]
    assert {event.bet for event in settled if event.net_cents > 0} == {wager.id for wager in game.wagers}
    assert {event.bet for event in settled if event.net_cents < 0} == {wager.id for wager in game.wagers}
