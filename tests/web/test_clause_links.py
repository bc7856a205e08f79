"""Each clause that a page of training cites can be read: its link leads to its words on the game's rules page."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from conformance.drawing import each_game
from pitboss.contract import Game
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.table.training.clause_words import list_cited_entries, load_clauses
from web.test_classes import Guest, answer_all, answer_once
from web.visits import Visit


@pytest.fixture
def ann(visit: Visit) -> Iterator[Guest]:
    """A trainee."""
    guest = Guest(visit)
    yield guest
    guest.web.close()


def find_links(page: str, game: Game) -> set[str]:
    """Find the clauses that a page links to."""
    return set(re.findall(rf'href="/rules/{game.id}#([^"]+)"', page))


def read_clauses(ann: Guest, game: Game) -> dict[str, str]:
    """Return the words of each anchor of the clauses on a game's rules page."""
    page = ann.web.get(f"/rules/{game.id}").text
    found = re.findall(r'<div id="([^"]+)"><dt>[^<]+</dt><dd>([^<]+)</dd>', page)
    assert len(dict(found)) == len(found)
    return {anchor: unescape(words) for anchor, words in found}


@each_game
def test_the_rules_page_has_the_words_of_every_clause(ann: Guest, game: Game) -> None:
    assert read_clauses(ann, game) == {each.anchor: each.words for each in load_clauses(game).values()}
    page = ann.web.get(f"/rules/{game.id}").text
    assert ('href="#clauses"' in page) == ('id="clauses"' in page) == bool(load_clauses(game))


@pytest.mark.parametrize(
    "game", [each for each in load_games().values() if load_clauses(each)], ids=lambda game: game.id
)
def test_a_drill_and_a_certificate_lead_to_the_clauses_they_cite(ann: Guest, game: Game) -> None:
    words = read_clauses(ann, game)
    drill = ann.lead("/training", game=game.id, disputes="also")
    linked = set[str]()
    for number in range(6):
        answer_once(ann, drill, number)
        page = ann.web.get(drill).text
        (correction,) = re.findall(r'<p class="soft">(.*?) <a href="/rules/[^"#]+">Rules of', page)
        assert find_links(correction, game), correction
        linked |= find_links(page, game)
    linked |= find_links(ann.web.get("/training").text, game)
    exam = ann.lead(f"/training/table/{game.id}", exam="on", start="on", name="Ann", seats="1", rounds="1", pace="1")
    answer_all(ann, exam, "certificate")
    certificate = ann.web.get(exam).text
    (cited,) = re.findall(r'<ol class="clauses">(.*?)</ol>', certificate, re.DOTALL)
    clauses = [unescape(re.sub(r"<[^>]*>", "", each)) for each in re.findall(r"<li>(.*?)</li>", cited)]
    for each in list_cited_entries(game, clauses, resolve_options(game, {})):  # on paper nothing is linked
        assert f"<dd>{each.words}</dd>" in certificate.replace("&#39;", "'"), each
    linked |= find_links(cited, game)
    assert linked
    assert linked <= set(words)
