"""A broken game takes no page of the others down, and nothing of it is lost.

It is broken if it can no longer be loaded, or if the engine refuses the rules that are loaded.
"""

import html
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients import open_client
from outside_games import finding_games, forget_modules, write_game
from pitboss.core.errors import PitbossError
from pitboss.engine.plan import make_plan
from pitboss.games import load_game
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.queue import JobQueue
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import JobResult, pickle_object
from web.casino import Casino
from web.served import answering, cheaply, copied, said, serving
from web.visits import Visit, fields_of, page_routes
from web.visits import visiting as begin_visit

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


GAMES = Path(__file__).parents[1] / "unfollowed_games"
REFUSED, ANOTHER = "four-card-flush", "six-card"  # its name comes first, so that it would be the choice of every list
ACT = "return State(state.player, state.dealer, action, state.shown)"
RULES = {
    "act forgets the choice": (ACT, "return state"),
    "act fails at one action": (ACT, ACT.replace("action", "(0, 1)[action]")),
    "act fails at an action of few hands": (ACT, ACT.replace("action", "(0, 1, 2)[action] if action < 2 else (2,)[1]")),
    "settle returns no outcome": ("return main, settle_flush", "return main - 9, settle_flush"),
    "view hides the cards": ("return View(state.player", "return View(0"),
}


def write_rules(folder: Path, before: str = "", after: str = "") -> None:
    """Write the game as it is, or with other rules."""
    shutil.copytree(GAMES, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    rules = folder / "four_card_flush" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert before in text
    rules.write_text(text.replace(before, after) if before else text, encoding="utf-8")
    forget_modules("four_card_flush")


def answer_here(
    queue: JobQueue, _client: object, job: JobSpec, _priority: object, *, replace: bool = False
) -> Future[JobResult]:
    """Do what is about the refused game, which is soon refused, in this process; nothing else is counted."""
    assert replace in {True, False}
    answered: Future[JobResult] = Future()
    games = [getattr(each, "id", getattr(getattr(each, "game", None), "id", "")) for each in job.arguments]
    if REFUSED not in games:
        answered.set_result(JobResult(failure="nothing is counted in this test"))
        return answered
    try:
        counted = job.function(*job.arguments)
    except PitbossError as error:
        answered.set_result(JobResult(refusal=error))
    else:
        queue.store_result(job, counted)
        answered.set_result(JobResult(pickle_object(counted)))
    return answered


def list_addresses(visit: Visit, game: str) -> list[str]:
    """Return every page as a visit has it, and what a query may ask: of no game, of one, of bets and tables of none."""
    addresses = []
    for method, path in sorted(page_routes(visit.served)):
        if method != "GET" or path.endswith("/events"):
            continue
        addresses.append(visit.address(path))
        asked, page = fields_of(visit, method, path)[0], addresses[-1].partition("?")[0]
        if "game" in asked:
            addresses += [page, f"{page}?game={game}"]
            addresses += [f"{page}?game={game}&{each}=none" for each in ("bet", "paytable", "grid") if each in asked]
    return addresses


def load_pages(web: httpx.Client, addresses: list[str]) -> dict[str, tuple[int, str]]:
    """Return the status and the text of each page."""
    answers = {each: web.get(each, headers={"Accept": "text/html"}) for each in addresses}
    return {each: (answer.status_code, answer.text) for each, answer in answers.items()}


def play_refused(visit: Visit) -> Visit:
    """Play a round of the game while its rules are whole, and begin a hand, a drill and an exam of it."""
    form: dict[str, Any] = {"csrf": visit.csrf, "game": REFUSED, "bots": "0"}
    table = visit.web.post("/tables", data=form).headers["location"]
    steps = ("wager", {"stake-main": "5", "round": "1"}), ("decide", {"action": "fold", "round": "1"})
    for number, (act, fields) in enumerate((*steps, ("wager", {"stake-main": "5", "round": "2"}))):
        sent = {"csrf": visit.csrf, "key": f"whole-{number:04}", **fields}
        assert visit.web.post(f"{table}/{act}", data=sent).status_code == 303
    drill = visit.web.post("/training", data=form).headers["location"]
    form = {"csrf": visit.csrf, "exam": "on", "start": "on", "name": "Ann", "rounds": "1"}
    exam = visit.web.post(f"/training/table/{REFUSED}", data=form).headers["location"]
    table, drill, exam = (each.rpartition("/")[2] for each in (table, drill, exam))
    return visit._replace(table=table, drill=drill, exam=exam)


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """A guest of a floor whose workers count nothing."""
    monkeypatch.setattr(JobQueue, "submit", answer_here)
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch, floor=True) as served:
        made = begin_visit(served)
        yield made
        made.web.close()
    forget_modules("four_card_flush")


@pytest.mark.more
@pytest.mark.parametrize("wrong", RULES)
def test_rules_that_the_engine_refuses_take_no_page_of_another_game_down(
    wrong: str, floor: Visit, tmp_path: Path
) -> None:
    """Lists and other games answer as without the game; its own pages say in a line what to correct."""
    addresses, games = list_addresses(floor, ANOTHER), tmp_path / "games"
    expected = {each: status for each, (status, _) in load_pages(floor.web, addresses).items()}
    write_rules(games)
    with finding_games(games):
        own_visit = play_refused(floor)
    own = [each.replace(ANOTHER, REFUSED) for each in list_addresses(own_visit._replace(table="TABLE"), ANOTHER)]
    own = [each.replace("TABLE", own_visit.table) for each in own]
    write_rules(games, *RULES[wrong])
    with finding_games(games), restarted(floor) as web:
        with pytest.raises(PitbossError) as refusal:
            make_plan(load_game(REFUSED))
        found = load_pages(web, addresses)
        assert {each: status for each, (status, _) in found.items()} == expected
        for address, (status, text) in load_pages(web, [each for each in own if each not in addresses]).items():
            assert status < 500, (address, text)
            if status == 422 and "game=" in address:
                assert str(refusal.value)[1:] in html.unescape(text), address


@contextmanager
def restarted(visit: Visit) -> Iterator[httpx.Client]:
    """Serve the same tables anew, as after a start, to the same guest."""
    app = create_app(visit.served.house, visit.served.floor_again())
    with answering(app) as address, open_client(address, cookies=visit.web.cookies) as web:
        yield web


def test_a_table_whose_rules_refuse_what_was_played_is_left_out_of_the_lobby(
    floor: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its guest plays on elsewhere, and its own page says what is wrong."""
    form = {"csrf": floor.csrf, "game": "lunar", "bots": "0"}
    other, load = floor.web.post("/tables", data=form).headers["location"], vars(TableService)["_load"]

    def refuse(service: TableService, transaction: object, table: str) -> object:
        if table == floor.table:
            raise PitbossError("settle returns 99")
        return load(service, transaction, table)

    monkeypatch.setattr(TableService, "_load", refuse)
    with restarted(floor) as web:
        lobby = web.get("/")
        assert lobby.status_code == 200
        assert f'"{other}"' in lobby.text
        assert floor.table not in lobby.text
        for page in ("/play", "/puzzles", other):
            assert web.get(page).status_code == 200, page
        opened = web.post("/tables", data={**form, "game": ANOTHER})
        assert opened.status_code == 303
        assert floor.table not in opened.headers["location"]
        assert said(web.get(f"/tables/{floor.table}")) == (422, "settle returns 99")
