"""Pages that are made of something else: the papers of every game that is found, and the rulings they cite."""

import re
import runpy
from pathlib import Path

from pitboss.games import load_games
from pitboss.table.round.wagers import WASHINGTON, compute_limits, list_five_dollar_bets

DOCS = Path(__file__).parents[2] / "docs"
LABEL = re.compile(r"\b(?:ALL|W6|SW|LU|SC|WJ|WA)-\d+\b")


def test_the_page_of_the_games_holds_every_game() -> None:
    papers = runpy.run_path(str(DOCS / "conf.py"))["papers"]()
    for game in load_games().values():
        assert f"## {game.name}\n" in papers
    assert not re.search(r"^# ", papers, re.MULTILINE)


def test_every_ruling_that_a_paper_cites_is_on_the_page_of_rulings() -> None:
    rulings = set(re.findall(r"\*\*(\w+-\d+)\*\*", (DOCS / "rulings.md").read_text(encoding="utf-8")))
    for path in sorted((DOCS.parent / "src" / "pitboss").rglob("*")):
        if path.suffix in {".py", ".md", ".toml"}:
            assert set(LABEL.findall(path.read_text(encoding="utf-8"))) <= rulings, path


def test_the_washington_table_says_what_the_preset_does() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (yes|no) \| (.*) \|$", (DOCS / "games.md").read_text("utf-8"), re.MULTILINE)
    assert {name for name, _, _ in rows} <= set(load_games())
    assert len(rows) >= 5
    for name, halved, five_dollars in rows:
        game = load_games()[name]
        assert (compute_limits(game, WASHINGTON)["main"].maximum_cents == 20_000) == (halved == "yes")
        assert re.findall(r"`([\w-]+)`", five_dollars) == list(list_five_dollar_bets(game))


def test_no_page_needs_anything_from_elsewhere() -> None:
    assert "dollarmath" not in runpy.run_path(str(DOCS / "conf.py"))["myst_enable_extensions"]
    for path in DOCS.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\{math\}|<script|\\frac|\\sum|\\binom|!\[[^]]*\]\(http", text), path
