"""The coach gets ready before anybody asks: where it is wanted, once."""

from pathlib import Path

import pytest

from pitboss.games import load_game, load_games
from pitboss.table.service import Tables
from pitboss.web.app import create_app
from pitboss.web.coach import get_ready, some_round
from pitboss.web.floor import Floor
from pitboss.web.jobs import Asker, Jobs, Rank
from pitboss.web.worker import unpickled
from web.served import answering
from web.test_guests import Person


@pytest.mark.parametrize("game", load_games())
def test_in_some_round_of_a_game_there_is_something_to_decide(game: str) -> None:
    now = some_round(load_game(game))
    assert now.legal_actions()
    assert now == some_round(load_game(game))


@pytest.mark.compiled
def test_getting_ready_is_to_value_a_hand_once() -> None:
    jobs, question = Jobs(), get_ready(load_game("six-card"))
    try:
        answer = jobs.ask(Asker("guest", "here"), question, Rank.LEAKS).result()
        assert {each.action.id for each in unpickled(answer.found)} == {"fold", "play"}
        assert jobs.known(question) == answer.found
    finally:
        jobs.close()


def test_a_solver_is_made_ready_for_who_sits_down_with_the_coach_and_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, asked = Tables.made(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key"), list[str]()
    monkeypatch.setattr(Jobs, "ask", lambda _jobs, _asker, question, _rank: asked.append(question.arguments[0].id))
    with answering(create_app(None, Floor(tables))) as address:
        guest, stranger = Person(address), Person(address)
        table = guest.say("/tables", game="wild-52").url.path
        guest.look(f"{table}/felt")
        stranger.look(f"{table}/coach")
        assert asked == []
        assert "Before each of your decisions" in guest.look(f"{table}/coach")
        assert asked == ["wild-52"]
        for person in (guest, stranger):
            person.web.close()
    tables.close()
