"""docs/add-a-game.md is followed to the letter, in a folder of its own, and the game it builds must hold."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from time import sleep

import httpx
import pytest

from waiting import PATIENT_SECONDS
from web.casino import Casino

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
GAME = "three-card-duel"
OPTIONAL = ("layout.toml", "procedure.toml")

BLOCK = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)

REFINED = """
from pitboss.games import load_game
from pitboss.table.training.rounds import load_procedure
from pitboss.web.pages.table_layout import load_layout
game = load_game("three-card-duel")
print(load_layout(game).felt, load_layout(game).rows, load_procedure(game).pays)
"""
STEPPED = """
import gymnasium
import pitboss.env
env = gymnasium.make("pitboss/ThreeCardDuel-v0")
env.reset(seed=1)
print(env.step(1)[1:3])
"""

Run = Callable[..., str]


def written(root: Path, *left_out: str) -> Path:
    """Write the files of the page where it says, and return the folder that is to be named in PITBOSS_GAMES."""
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        path = root / name
        if path.name not in left_out:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return root / "my-games"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the game's folder without what may be left out."""
    return written(tmp_path_factory.mktemp("following"), *OPTIONAL)


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Return a function that runs a module of Python with the folder named, and gives back what it printed."""

    def run_module(*words: str, answers: str = "", among: Path = folder, status: int = 0) -> str:
        environment = os.environ | {"PITBOSS_GAMES": str(among), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("COVERAGE_PROCESS_START", None)
        done = subprocess.run(
            [sys.executable, *(words if words[0] == "-c" else ("-m", *words))],
            cwd=ROOT,
            env=environment,
            input=answers,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stderr if status else done.stdout

    return run_module


class Guest:
    """Somebody who plays by forms."""

    def __init__(self, address: str) -> None:
        self.web = httpx.Client(base_url=address, follow_redirects=True, trust_env=False, timeout=PATIENT_SECONDS)
        self._said = 0
        self.page, self.path = self.look("/"), "/"

    def look(self, path: str) -> str:
        """Load a page, as often as it says that what it shows is still being counted."""
        while (answer := self.web.get(path)).status_code == HTTPStatus.ACCEPTED:
            sleep(float(answer.headers["Retry-After"]))
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return answer.text

    def say(self, path: str, **fields: str) -> str:
        """Send a form of the page that was loaded last, and return the page that comes of it."""
        self._said += 1
        hidden = dict(re.findall(r'name="(csrf|round|number)" value="([^"]*)"', self.page))
        answer = self.web.post(path, data={**hidden, "key": f"key-{self._said:08}", **fields})
        assert answer.status_code == 200, f"{path}: {answer.text}"
        self.page, self.path = answer.text, answer.url.path
        return self.page


@pytest.fixture(scope="module")
def guest(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """Come in where the game is served beside the others."""
    casino = Casino(tmp_path_factory.mktemp("served"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITBOSS_GAMES", str(folder))
        casino.start()
    guest = Guest(casino.address)
    yield guest
    guest.web.close()
    casino.kill()


def test_the_page_writes_one_folder_and_nothing_else(folder: Path) -> None:
    names = [name for name, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    assert {Path(name).parts[:2] for name in names} == {("my-games", "three_card_duel")}
    assert len(set(names)) == len(names)
    assert [path.name for path in folder.parent.iterdir()] == ["my-games"]
    assert [path.name for path in folder.iterdir()] == ["three_card_duel"]


def test_the_game_is_discovered_beside_the_others(run: Run) -> None:
    listed = {game["id"]: game for game in json.loads(run("pitboss", "games", "--json"))["games"]}
    assert len(listed) > 1
    assert [bet["id"] for bet in listed[GAME]["bets"]] == ["main", "trio"]
    assert "Three Card Duel" in run("pitboss", "rules", GAME)


def test_the_game_plays_and_its_record_replays(run: Run, tmp_path: Path) -> None:
    words = ("--rounds", "1", "--seed", "7", "--wager", "main=10", "--wager", "trio=5", "--record", str(tmp_path))
    assert "Round 1" in run("pitboss", "play", GAME, *words, answers="play\n")
    (record,) = tmp_path.glob("*.toml")
    run("pitboss", "replay", str(record))


@pytest.mark.more
def test_every_golden_round_of_the_page_replays(run: Run, folder: Path) -> None:
    rounds = sorted(folder.glob("*/rounds/*.toml"))
    assert len(rounds) >= 6
    for path in rounds:
        run("pitboss", "replay", str(path))


def test_the_side_wagers_sheet_is_exact(run: Run) -> None:
    sheet = json.loads(run("pitboss", "par", GAME, "--bet", "trio", "--json"))
    assert sheet["method"] == "exact"
    assert sheet["deals"] == 22_100
    assert {outcome["name"]: outcome["deals"] for outcome in sheet["outcomes"]} == {
        "three-of-a-kind": 52,
        "flush": 1_144,
        "lose": 20_904,
    }
    assert sheet["expected_value_exact"] == "-12/425"
    both = json.loads(run("pitboss", "par", GAME, "--bet", "trio", "--paytable", "all", "--json"))
    assert "TRIO-40" in json.dumps(both)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/training",
        "/par",
        f"/par?game={GAME}",
        f"/par/sheet?game={GAME}&bet=trio&pay-flush=14",
        f"/par/{GAME}.html?game={GAME}",
        f"/open/{GAME}",
        "/felts.css",
    ],
)
def test_every_page_has_the_game(guest: Guest, path: str) -> None:
    assert GAME in guest.look(path) or "Three Card Duel" in guest.look(path)


def test_a_round_is_played_in_the_browser(guest: Guest) -> None:
    guest.say("/tables", game=GAME, bots="2")
    table = guest.path
    guest.page = guest.look(table)
    assert "picks any legal action at random" in guest.page
    placed = {"stake-main": "10", "stake-trio": "5"}
    assert all(f'name="{stake}"' in guest.page for stake in placed)
    guest.say(f"{table}/wager", **placed, do="deal")
    assert "Fold, or play for one more Ante?" in guest.page
    assert "The coach cannot advise" not in guest.look(f"{table}/coach")
    told = guest.say(f"{table}/decide", action="play")
    assert re.search(r"player beats dealer|dealer beats player|player ties dealer|dealer without a queen", told)


def test_its_dealing_is_trained(guest: Guest) -> None:
    guest.look("/training")
    asked = guest.say("/training", game=GAME, seats="2")
    step = "Deal 3 to each seat, 3 to yourself"
    assert step in asked
    answered = guest.say(guest.path, said=step)
    assert "<strong>Right.</strong>" in answered
    assert '<p class="soft"></p>' not in answered


@pytest.mark.more
def test_what_may_be_left_out_refines_the_table_and_the_training(run: Run, tmp_path: Path) -> None:
    rows = (("trio",), ("ante",), ("play",))
    assert run("-c", REFINED).strip() == f"#1d4a3a {rows} {{}}"
    refined = "#4a2545 (('trio',), ('ante', 'play')) {'trio': 'TD-3 and the pay table'}"
    assert run("-c", REFINED, among=written(tmp_path)).strip() == refined


@pytest.mark.more
@pytest.mark.compiled
def test_its_best_play_is_found_from_its_rules(run: Run) -> None:
    """With a king exposed, a player with an ace plays; the page has the deals and the exact value."""
    page = PAGE.read_text(encoding="utf-8")
    assert json.loads(run("pitboss", "solve", GAME, "--plan", "--json"))["way"] == "visit"
    solved = json.loads(run("pitboss", "solve", GAME, "--json"))
    assert f"all {solved['deals']:,} deals" in page
    assert f"players {solved['expected_value_exact']} of an Ante" in page
    assert f"an edge of {100 * solved['house_edge']:.4f}%".replace("-", "\N{MINUS SIGN}") in page
    hinted = json.loads(run("pitboss", "hint", GAME, "--player", "As 5d 3c", "--dealer", "Kd", "--json"))
    assert [each["action"] for each in hinted["actions"]] == ["play", "fold"]


@pytest.mark.more
def test_reports_and_environments_have_it(run: Run, tmp_path: Path) -> None:
    run("pitboss", "report", GAME, "--output", str(tmp_path / "duel.json"))
    assert json.loads((tmp_path / "duel.json").read_text(encoding="utf-8"))["game"] == GAME
    assert run("-c", STEPPED).strip() == "(-2.0, True)"


@pytest.mark.more
@pytest.mark.compiled
def test_it_is_simulated_by_chance(run: Run) -> None:
    told = json.loads(run("pitboss", "simulate", GAME, "--rounds", "1000", "--seed", "1", "--json"))
    assert told["strategy"] == "chance"


@pytest.mark.more
def test_the_game_passes_the_conformance_suite(run: Run) -> None:
    marks = "not long and not compiled" if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" else "not long"
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "-m", marks, "tests/conformance", "-k", GAME)
    assert re.search(r"^\d+ passed", printed, re.MULTILINE)
    assert int(printed.split(" passed")[0].split()[-1]) >= 40
