"""The coach gets ready before anybody asks: where it is wanted, once; and nobody waits for it at the end."""

import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from pitboss.analysis.hints import Hint
from pitboss.contract import Game
from pitboss.games import game_named, games
from pitboss.table.service import Tables
from pitboss.web.app import create_app
from pitboss.web.coach import Coach, some_round
from pitboss.web.floor import Floor
from web.served import answering
from web.test_guests import Person

LEFT = """
from contextlib import ExitStack
from threading import Event
from pitboss.cli.serve import _Leave
from pitboss.web.counted import Counted

class Floor:
    counted = Counted()
    counting = property(lambda floor: floor.counted.busy)

with ExitStack() as opened:
    leave = opened.push(_Leave())
    leave.floor = Floor()
    leave.floor.counted.begun("without end", Event().wait)
    print("left")
"""


class Asked(Coach):
    """A coach who notes for which games it is to get ready."""

    games: list[str]

    def warm(self, game: Game) -> Future[tuple[Hint, ...]]:
        """Note it."""
        self.games.append(game.id)
        return Future()


@pytest.mark.parametrize("game", games())
def test_in_some_round_of_a_game_there_is_something_to_decide(game: str) -> None:
    now = some_round(game_named(game))
    assert now.legal_actions()
    assert now == some_round(game_named(game))


@pytest.mark.compiled
def test_getting_ready_is_to_value_a_hand_once() -> None:
    coach, game = Coach(), game_named("six-card")
    begun = coach.warm(game)
    assert coach.warm(game) is begun
    assert {each.action.id for each in begun.result()} == {"fold", "play"}
    assert not coach.busy


def test_a_solver_is_made_ready_for_who_sits_down_with_the_coach_and_for_nobody_else(tmp_path: Path) -> None:
    tables = Tables.made(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    coach = Asked()
    coach.games = []
    with answering(create_app(None, Floor(tables, coach))) as address:
        guest, stranger = Person(address), Person(address)
        table = guest.say("/tables", game="wild-52").url.path
        guest.look(f"{table}/felt")
        stranger.look(f"{table}/coach")
        assert coach.games == []
        assert "Before each of your decisions" in guest.look(f"{table}/coach")
        assert coach.games == ["wild-52"]
        for person in (guest, stranger):
            person.web.close()
    tables.close()


@pytest.mark.parametrize(("end", "status"), [("", 0), ("    raise KeyboardInterrupt", 130)])
def test_what_is_still_being_counted_holds_up_nobody_who_leaves(end: str, status: int) -> None:
    left = subprocess.run([sys.executable, "-c", LEFT + end], timeout=60, capture_output=True, text=True, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (status, "left\n", "")
