"""The page that checks a round, as the server sends it, and the file that is saved from it."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from oracle.fair_verifier import DECK_SIZES, FIRST_DEALS, LUNAR_KEPT_BACK
from pitboss.web.pages.assets import load_assets
from pitboss.web.pages.round_check import SCRIPTS, build_saved_page, describe_games
from web.served import said
from web.visits import Visit

PUBLISHED = {
    "htmx-2.0.11.min.js": "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    "htmx-ext-sse-2.2.4.min.js": "98a46496de0c3605fbffdce9167ba427bdd9553184f83f149c261891a92c0136",
    "idiomorph-ext-0.8.0.min.js": "5811b9a7eda14878b7dab4378bf60432e1bb6f11fcfb970cc26540642650181e",
    "smol-toml-1.9.1.js": "f9029370259e9a43a2f3e64fa1d39e72f3598188380ace83a0abb8261fa33555",
}
"""SHA-256 of the files in the packages of npm: dist/htmx.min.js, dist/sse.min.js, dist/idiomorph-ext.min.js and
dist/index.cjs."""


def test_the_scripts_of_others_are_those_that_they_published() -> None:
    found = {
        name.removeprefix("vendor/"): sha256(content).hexdigest()
        for name, content in load_assets().items()
        if name.startswith("vendor/") and name.endswith(".js")
    }
    assert found == PUBLISHED
    assert b"BSD" in load_assets()["vendor/smol-toml-1.9.1.js"]
    assert "vendor/LICENSE-smol-toml" in load_assets()


def test_the_page_knows_of_each_game_what_the_specification_says() -> None:
    for game in describe_games():
        deal = [("seats" if zone["to"] == "seat" else zone["to"], zone["cards"]) for zone in game["deal"]]
        assert (game["size"], deal) == (DECK_SIZES[game["id"]], FIRST_DEALS[game["id"]])
        assert (game["shortDeck"], game["reserve"]) == (
            ("reshuffle", LUNAR_KEPT_BACK) if game["id"] == "lunar" else ("", 0)
        )
    assert len(describe_games()) == len(DECK_SIZES)


def test_the_saved_file_allows_its_own_scripts_alone() -> None:
    page = build_saved_page().decode()
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert scripts == [load_assets()[name].decode() for name in SCRIPTS]
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)

    def sources(texts: list[str]) -> str:
        return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)

    allowed = f"script-src {sources(scripts)}; style-src {sources(style)}"
    assert policy == [f"default-src 'none'; base-uri 'none'; form-action 'none'; {allowed}"]
    assert re.findall(r'(?:src|href|action)="[^#]', page) == []


def test_the_page_and_the_file_are_small_and_name_the_files_hash(visit: Visit) -> None:
    page = visit.web.get("/fair")
    file = visit.web.get("/fair/page.html")
    assert file.headers["content-disposition"].startswith("attachment; ")
    assert sha256(file.content).hexdigest() in page.text
    needed = ["pitboss.css", "pitboss.js", *SCRIPTS, *(f"vendor/{name}" for name in PUBLISHED if "toml" not in name)]
    assert len(page.content) + sum(len(load_assets()[name]) for name in needed) < 300_000
    assert len(file.content) < 150_000


def test_the_page_leads_to_the_round_that_it_is_for(visit: Visit) -> None:
    page = visit.web.get("/fair", params={"table": "t-1", "round": "7"}).text
    assert 'href="/tables/t-1/rounds/7/history.toml"' in page
    assert 'data-place="t-1/7"' in page
    assert "history.toml" not in visit.web.get("/fair").text


@pytest.mark.parametrize("asked", [{"table": "T 1"}, {"table": "t1", "round": "0"}, {"round": "x"}])
def test_a_round_that_cannot_be_is_refused_in_a_line(asked: dict[str, str], visit: Visit) -> None:
    status, line = said(visit.web.get("/fair", params=asked))
    assert status == 422
    assert line
