"""A game that can no longer be loaded takes no page of the others down, and nothing of it is lost."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from clients import open_client
from outside_games import write_game
from web.casino import Casino

PAGES = ("/", "/training", "/par", "/static/pitboss.css", "/felts.css")
FILES = {
    "__init__.py": "1 / 0",
    "paytables.toml": "[[paytable]]",
    "layout.toml": "felt = 'green'",
    "procedure.toml": "pays = 3",
}


class Guest:
    """Somebody with a browser that keeps its cookie."""

    def __init__(self, address: str) -> None:
        self.web = open_client(address, follow_redirects=True)

    def post(self, path: str, **fields: str) -> httpx.Response:
        page = self.web.get("/").text
        (token,) = set(re.findall(r'name="csrf" value="([^"]*)"', page))
        return self.web.post(path, data={"csrf": token, "key": "key-00000001", **fields})


@pytest.fixture
def casino(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Casino]:
    monkeypatch.setenv("PITBOSS_GAMES", str(tmp_path / "games"))
    write_game(tmp_path / "games", "another")
    made = Casino(tmp_path)
    made.start()
    yield made
    made.kill()


@contextmanager
def visiting(casino: Casino) -> Iterator[Guest]:
    """Come in."""
    guest = Guest(casino.address)
    yield guest
    guest.web.close()


def see_broken(guest: Guest, broken: str, opened: dict[str, str]) -> None:
    """Look at all pages while a file of a game is broken, at its table and at one of another game."""
    assert ("Another" in guest.web.get("/training").text) == (broken == "layout.toml")
    for page in PAGES:
        assert guest.web.get(page).status_code == 200, page
    lobby = guest.web.get("/").text
    assert opened["six-card"] in lobby
    assert guest.web.get(opened["six-card"]).status_code == 200
    if broken != "procedure.toml":  # only training reads it
        assert opened["another"] not in lobby
        for refused in (guest.web.get(opened["another"]), guest.post("/tables", game="another", bots="1", name="Ann")):
            assert 400 <= refused.status_code < 500, refused.text
            assert refused.url.path in (opened["another"], "/tables")
    assert guest.post("/tables", game="lunar", bots="1", name="Ann").status_code == 200


@pytest.mark.more
def test_tables_and_training_of_a_broken_game_hide_nothing_else(casino: Casino, tmp_path: Path) -> None:
    """One file after the other is broken and made whole again; in the end all is as it was."""
    with visiting(casino) as first:
        opened = {
            game: first.post("/tables", game=game, bots="1", name="Ann").url.path for game in ("another", "six-card")
        }
        assert first.post("/training", game="another", seats="1", keys="keypad").status_code == 200
    for broken, text in FILES.items():
        casino.kill()
        path = tmp_path / "games" / "another" / broken
        whole = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        casino.start()
        with visiting(casino) as guest:
            see_broken(guest, broken, opened)
        if whole is None:
            path.unlink()
        else:
            path.write_text(whole, encoding="utf-8")
    casino.kill()
    casino.start()
    with visiting(casino) as guest:
        assert opened["another"] in guest.web.get("/").text
        assert "Another" in guest.web.get("/training").text
        assert guest.web.get(opened["another"]).status_code == 200
