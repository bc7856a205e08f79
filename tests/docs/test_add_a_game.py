"""docs/add-a-game.md is followed to the letter, in a folder of its own, and the game it builds must hold."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from http import HTTPStatus
from pathlib import Path
from time import sleep

import pytest

from clients import open_client
from docs.console import run_console
from web.casino import Casino

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
GAME, FOLDER = "three-card-poker", "three_card_poker"
EXAMPLE = ROOT / "examples" / "games" / FOLDER
UNFOLLOWED = ROOT / "tests" / "unfollowed_games"
OPTIONAL = ("layout.toml", "procedure.toml")

BLOCK = re.compile(
    r"^```\{code-block\} (?P<language>\w+)\n(?::caption: (?P<path>\S+?)(?P<changed>, changed)?\n\n)?(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
ERROR_ROW = re.compile(r"^\| `(?P<line>[^`]+)` \| (?P<cause>.+) \|$", re.MULTILINE)
NOT_RUN = ("export ", "pitboss serve", "pytest ")  # the tests below serve it and run the conformance suite
SILENT = "pitboss simulate"
"""A lengthy command whose output the page does not show; a test below simulates the game."""

REFINED = """
from pitboss.games import load_game
from pitboss.table.training.procedure import load_procedure
from pitboss.web.pages.table_layout import load_layout
game = load_game("three-card-poker")
print(load_layout(game).felt, load_layout(game).rows, load_procedure(game).pays)
"""
STEPPED = """
import gymnasium
import pitboss.env
env = gymnasium.make("pitboss/ThreeCardPoker-v0")
env.reset(seed=1)
print(env.step(1)[2])
"""

Run = Callable[..., str]


def list_blocks() -> Iterator[re.Match[str]]:
    """Yield the blocks of the page."""
    yield from BLOCK.finditer(PAGE.read_text(encoding="utf-8"))


def name_statement(statement: ast.stmt) -> str:
    """Name what a statement of a module defines or imports."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.ImportFrom(module=module):
            return f"from {module}"
    return ""


def change(text: str, changes: str, deleted: str) -> str:
    """Return a module with the statements of a block in the place of those of the same name, and without another.

    New constants follow the imports, new rules come last: what somebody does who follows the page.
    """
    statements = {name_statement(each): each for each in ast.parse(text).body}
    del statements[deleted]
    for each in ast.parse(changes).body:
        statements[name_statement(each)] = each
    imports = [each for each in statements.values() if isinstance(each, ast.ImportFrom | ast.Expr)]
    constants = [each for each in statements.values() if isinstance(each, ast.Assign)]
    others = [each for each in statements.values() if each not in imports + constants]
    return "\n\n".join(ast.unparse(each) for each in imports + constants + others) + "\n"


def write_block(root: Path, block: re.Match[str]) -> None:
    """Write or change a file as the page says."""
    path = root / block["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = block["text"]
    if block["changed"]:
        text = change(path.read_text(encoding="utf-8"), text, "QUEEN_HIGH")
    path.write_text(text, encoding="utf-8")


def write_first_game(root: Path) -> Path:
    """Write the game of the first ten minutes: no option, side wager, pay table, strategy or paper."""
    for block in list_blocks():
        if block["path"] and not (root / block["path"]).exists() and Path(block["path"]).suffix == ".py":
            write_block(root, block)
    (root / "my-games" / FOLDER / "strategies.py").unlink()
    return root / "my-games"


def written(root: Path, *left_out: str) -> Path:
    """Write the files of the page where it says, and return the folder that is to be named in PITBOSS_GAMES."""
    for block in list_blocks():
        if block["path"] and Path(block["path"]).name not in left_out:
            write_block(root, block)
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
        self.web = open_client(address, follow_redirects=True)
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
    casino = Casino(tmp_path_factory.mktemp("served"), games=folder)
    casino.start()
    guest = Guest(casino.address)
    yield guest
    guest.web.close()
    casino.kill()


def test_the_page_writes_one_folder_and_nothing_else(folder: Path) -> None:
    names = [Path(block["path"]) for block in list_blocks() if block["path"]]
    assert {name.parts[:2] for name in names} == {("my-games", FOLDER)}
    assert [path.name for path in folder.parent.iterdir()] == ["my-games"]
    assert [path.name for path in folder.iterdir()] == [FOLDER]


def list_definitions(path: Path) -> dict[str, str]:
    """Return the functions and classes of a module by name, without their descriptions."""
    found = {}
    for each in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            each.body = each.body[1:]
            found[each.name] = ast.unparse(each)
    return found


def test_the_game_of_the_page_is_the_example_without_the_6_card_bonus(folder: Path) -> None:
    """Rules, pays and rounds are those of examples/games, so that no rule is written twice with two meanings."""
    mine, example = (list_definitions(path / "rules.py") for path in (folder / FOLDER, EXAMPLE))
    assert {name for name, text in mine.items() if example[name] != text} == {"settle"}
    assert set(example) - set(mine) == {"settle_six_card_bonus"}
    described, other = (list_definitions(path / "__init__.py") for path in (folder / FOLDER, EXAMPLE))
    assert set(described) == set(other)
    pays, all_pays = (read_pays(path / "paytables.toml") for path in (folder / FOLDER, EXAMPLE))
    assert pays.items() <= all_pays.items()
    for path in (folder / FOLDER / "rounds").iterdir():
        assert path.read_bytes() == (EXAMPLE / "rounds" / path.name).read_bytes()


@pytest.mark.more
def test_the_change_that_turns_a_dealers_card_up_is_complete(run: Run, tmp_path: Path) -> None:
    changed = written(tmp_path)
    (change_shown,) = re.findall(r"^```diff\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for step in change_shown.split("\n\n"):
        old, new = ("\n".join(line[1:] for line in step.splitlines() if line[0] == sign) for sign in "-+")
        (path,) = (path for path in changed.glob("*/*.py") if old in path.read_text(encoding="utf-8"))
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert "state.dealer" not in (changed / FOLDER / "rules.py").read_text(encoding="utf-8")
    shown = run("pitboss", "solve", GAME, "--plan", among=changed)
    assert re.search(r"^ *4 +exposed +fold-or-play *$", shown, re.MULTILINE), shown
    for path in (changed / FOLDER / "rounds").iterdir():
        run("pitboss", "replay", str(path), among=changed)
    hint = run("pitboss", "hint", GAME, "--player", "Qs 6d 3c", "--dealer", "Ac", among=changed)
    assert re.search(r"^ *fold +-1\.0+ +best", hint, re.MULTILINE), hint


def test_hands_and_lines_of_ones_own_are_those_of_a_game_whose_reports_are_tested() -> None:
    """``tests/reports/test_unfollowed.py`` runs the game; whatever the page shows of it stands in it word for word."""
    text = PAGE.read_text(encoding="utf-8")
    shown = [ast.parse(block).body for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]
    game = UNFOLLOWED / "four_card_flush"
    for statements, name in zip(shown, ("rules.py", "__init__.py"), strict=False):
        written = {ast.unparse(each) for each in ast.parse((game / name).read_text(encoding="utf-8")).body}
        assert {ast.unparse(each) for each in statements} <= written
    assert 'reason_fields={"longest": name_longest}' in text
    assert 'reason_fields={"longest": name_longest}' in (game / "__init__.py").read_text(encoding="utf-8")


def read_pays(path: Path) -> dict[str, object]:
    return {each.pop("id"): each for each in tomllib.loads(path.read_text(encoding="utf-8"))["paytable"]}


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("not_run", [(*NOT_RUN, SILENT), pytest.param(NOT_RUN, marks=pytest.mark.long)])
def test_every_step_of_the_page_does_what_it_shows(tmp_path: Path, not_run: tuple[str, ...]) -> None:
    """The files are written and the commands run in the order of the page, from an empty folder."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for block in list_blocks():
        if block["path"]:
            write_block(tmp_path, block)
        elif block["language"] == "console":
            run_console(block["text"], tmp_path, {"PITBOSS_GAMES": "my-games"}, "play\n", not_run)
    assert (tmp_path / "three-card-poker.html").is_file()


FAULTS = {
    "still closed": ("rules.py", "state.dealer if state.shown else 0", "state.dealer"),
    "peeks": (
        "rules.py",
        "if state.choice == UNDECIDED else",
        "if state.choice == UNDECIDED and evaluate_three_cards(state.dealer) >> 8 & 1 else",
    ),
    "does not end": ("rules.py", "FOLDED + action", "UNDECIDED"),
    "does not note it": ("rules.py", "state.choice, 1)", "state.choice, 0)"),
    "whole numbers": ("rules.py", "(main, find_three_card_line(tables, state.player, options))", "(main,)"),
    "another order": ("rules.py", "main = settle_main", "main = 4 if state.choice == FOLDED else settle_main"),
    "has not ended": ("rules.py", "take_cards(deck, HAND * seats, HAND)", "take_cards(deck, HAND * seats - 1, HAND)"),
    "disagree": ("rules.py", "main = settle_main", "main = 4 if state.choice != FOLDED else settle_main"),
    "no bit": ("rules.py", "return 3", "return 0"),
    "one suit": ("rules.py", "return 3", "return 3 if _view.player & 8191 else 1"),
    "computed from cards": ("rules.py", "HAND), UNDECIDED", "HAND), deck[0] % 13"),
    "another name": ("rules.py", "def legal_actions", "def legal_action"),
    "cannot have": (
        "rules.py",
        "return evaluate_three_cards(state.player)",
        "return max([evaluate_three_cards(state.player)])",
    ),
    "past the budget": ("__init__.py", "    showdown=Showdown(", "    reason_fields={} and Showdown("),
}


def mask(line: str) -> str:
    """Return a line without the numbers, cards and folders that differ."""
    cards = r"(?<=for the cards )[^:]+"
    return re.sub(r"\d[\d,]*", "0", re.sub(cards, "", line))


@pytest.mark.more
@pytest.mark.compiled
def test_each_line_about_wrong_rules_is_printed_for_the_cause_that_the_page_names(
    folder: Path, run: Run, tmp_path: Path
) -> None:
    rows = {row["cause"]: row["line"] for row in ERROR_ROW.finditer(PAGE.read_text(encoding="utf-8"))}
    assert len(rows) == len(FAULTS)
    for fault, (name, good, bad) in FAULTS.items():
        wrong = Path(shutil.copytree(folder, tmp_path / fault.replace(" ", "-")))
        text = (wrong / FOLDER / name).read_text(encoding="utf-8")
        assert good in text, fault
        (wrong / FOLDER / name).write_text(text.replace(good, bad), encoding="utf-8")
        (shown,) = (line for cause, line in rows.items() if fault in cause)
        budget = ("--budget", "1s") if "budget" in fault else ()
        printed = run("pitboss", "solve", GAME, *budget, among=wrong, status=2)
        line = printed.strip().removeprefix("pitboss: ").rpartition("is left out: ")[2]
        assert mask(line) == mask(shown), printed


@pytest.mark.more
def test_the_game_is_discovered_beside_the_others(run: Run) -> None:
    listed = {game["id"]: game for game in json.loads(run("pitboss", "games", "--json"))["games"]}
    assert len(listed) > 1
    assert [bet["id"] for bet in listed[GAME]["bets"]] == ["main", "pair-plus"]
    assert "Three Card Poker" in run("pitboss", "rules", GAME)


@pytest.mark.more
def test_the_game_plays_and_its_record_replays(run: Run, tmp_path: Path) -> None:
    words = ("--rounds", "1", "--seed", "7", "--wager", "main=10", "--wager", "pair-plus=5", "--record", str(tmp_path))
    assert "Round 1" in run("pitboss", "play", GAME, *words, answers="play\n")
    (record,) = tmp_path.glob("*.toml")
    run("pitboss", "replay", str(record))


@pytest.mark.more
def test_pair_plus_may_leave_the_mini_royal_out(run: Run, tmp_path: Path) -> None:
    game = written(tmp_path) / FOLDER
    text = PAGE.read_text(encoding="utf-8")
    signature, returned = re.findall(r"a rule `(settle_pair_plus.*?)` that returns `(.*?)`;", text)[0]
    rules = (game / "rules.py").read_text(encoding="utf-8")
    rules = rules.replace("find_three_card_line(tables, state.player", "settle_pair_plus(tables, state.player")
    rules += f'\n\n@rule\ndef {signature}:\n    """Settle Pair Plus."""\n    return {returned}\n'
    (game / "rules.py").write_text(rules, encoding="utf-8")
    described = (game / "__init__.py").read_text(encoding="utf-8")
    described = described.replace("            THREE_CARD_LINES,", "            THREE_CARD_LINES[1:],")
    described = described.replace("CardSetCensus(3, find_three_card_line)", "CardSetCensus(3, rules.settle_pair_plus)")
    (game / "__init__.py").write_text(described, encoding="utf-8")
    pays = (game / "paytables.toml").read_text(encoding="utf-8")
    (game / "paytables.toml").write_text(pays.replace("mini-royal = 40, ", ""), encoding="utf-8")
    sheet = json.loads(run("pitboss", "par", GAME, "--bet", "pair-plus", "--json", among=game.parent))
    assert {each["name"]: each["deals"] for each in sheet["outcomes"][:2]} == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
    }


@pytest.mark.more
def test_every_golden_round_of_the_page_replays(run: Run, folder: Path) -> None:
    rounds = sorted(folder.glob("*/rounds/*.toml"))
    assert rounds
    for path in rounds:
        run("pitboss", "replay", str(path))


@pytest.mark.more
def test_the_side_wagers_sheet_is_exact(run: Run) -> None:
    sheet = json.loads(run("pitboss", "par", GAME, "--bet", "pair-plus", "--json"))
    assert sheet["method"] == "exact"
    assert sheet["deals"] == 22_100
    assert {outcome["name"]: outcome["deals"] for outcome in sheet["outcomes"]} == {
        "mini-royal": 4,
        "straight-flush": 44,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "lose": 16_440,
    }
    assert sheet["expected_value_exact"] == "-402/5525"
    both = json.loads(run("pitboss", "par", GAME, "--bet", "pair-plus", "--paytable", "all", "--json"))
    assert "PP-2" in json.dumps(both)


@pytest.mark.more
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/training",
        "/par",
        f"/par?game={GAME}",
        f"/par/sheet?game={GAME}&bet=pair-plus&pay-flush=4",
        f"/open/{GAME}",
        "/felts.css",
    ],
)
def test_every_page_has_the_game(guest: Guest, path: str) -> None:
    assert GAME in guest.look(path) or "Three Card Poker" in guest.look(path)


def test_a_round_is_played_in_the_browser(guest: Guest) -> None:
    guest.say("/tables", game=GAME, bots="2")
    table = guest.path
    guest.page = guest.look(table)
    assert "plays: Queen-six-four" in guest.page
    placed = {"stake-main": "10", "stake-pair-plus": "5"}
    assert all(f'name="{stake}"' in guest.page for stake in placed)
    guest.say(f"{table}/wager", **placed, do="deal")
    assert "Fold, or play for one Ante more?" in guest.page
    assert "The coach cannot advise" not in guest.look(f"{table}/coach")
    told = guest.say(f"{table}/decide", action="play")
    # A word that is explained is a link.
    assert re.search(r"beats|ties|dealer does not qualify", re.sub("<[^>]+>", "", told))


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
    plain = (("pair-plus",), ("ante",), ("play", "ante-bonus"))
    assert run("-c", REFINED).strip() == f"#1d4a3a {plain} {{}}"
    rows = (("pair-plus",), ("ante",), ("play",))
    refined = f"#7a1f2b {rows} {{'pair-plus': 'TCP-4'}}"
    assert run("-c", REFINED, among=written(tmp_path)).strip() == refined


@pytest.mark.more
@pytest.mark.compiled
def test_its_best_play_is_found_from_its_rules(run: Run) -> None:
    """The figure that is published, by the census that the page says is quick."""
    assert json.loads(run("pitboss", "solve", GAME, "--plan", "--json"))["way"] == "census"
    solved = json.loads(run("pitboss", "solve", GAME, "--json"))
    lost, deals = 13_733_780, 407_170_400
    assert solved["deals"] == deals
    assert Fraction(solved["expected_value_exact"]) == Fraction(-lost, deals)
    page = PAGE.read_text(encoding="utf-8")
    assert f"{lost:,}/{deals:,} is the published edge, {100 * lost / deals:.4f}%" in page


@pytest.mark.more
def test_reports_and_environments_have_it(run: Run, tmp_path: Path) -> None:
    run("pitboss", "report", GAME, "--output", str(tmp_path / "sheet.json"))
    assert json.loads((tmp_path / "sheet.json").read_text(encoding="utf-8"))["game"] == GAME
    assert run("-c", STEPPED).strip() == "True"


@pytest.mark.more
def test_the_page_of_all_its_sheets_has_the_game(guest: Guest) -> None:
    """What it prints is counted and kept since the test above: a server's worker counts for minutes under load."""
    assert "Three Card Poker" in guest.look(f"/par/{GAME}.html?game={GAME}")


@pytest.mark.more
@pytest.mark.compiled
def test_it_is_simulated_by_its_strategy(run: Run) -> None:
    told = json.loads(run("pitboss", "simulate", GAME, "--rounds", "1000", "--seed", "1", "--json"))
    assert told["strategy"] == "queen-six-four"


@pytest.mark.long
def test_the_game_passes_the_conformance_suite(run: Run, folder: Path, tmp_path: Path) -> None:
    complete = Path(shutil.copytree(folder, tmp_path / "my-games"))
    (command,) = re.findall(r"cp (.*) \"\$OLDPWD\"", PAGE.read_text(encoding="utf-8"))
    for pattern in command.split():
        for path in (EXAMPLE / "rounds").glob(pattern):
            shutil.copy(path, complete / FOLDER / "rounds")
    marks = "not long and not compiled" if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" else "not long"
    printed = run(
        "pytest", "-q", "-p", "no:cacheprovider", "-m", marks, "tests/conformance", "-k", GAME, among=complete
    )
    assert re.search(r"^\d+ passed", printed, re.MULTILINE)
    assert int(printed.split(" passed")[0].split()[-1]) >= 40


@pytest.mark.more
def test_the_smallest_game_of_the_page_passes_all_of_the_suite_that_needs_no_papers(run: Run, tmp_path: Path) -> None:
    """A game without options, side wagers and pay tables is one like any other."""
    words = ("-q", "-p", "no:cacheprovider", "-m", "not more and not long and not compiled", "tests/conformance")
    chosen = f"practical or ({GAME} and not readme and not golden_rounds)"
    printed = run("pytest", *words, "-k", chosen, among=write_first_game(tmp_path))
    assert int(printed.split(" passed")[0].split()[-1]) >= 25
