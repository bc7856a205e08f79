"""The words of the games: explained where they stand, in the words of the glossary."""

import re
from html import unescape
from pathlib import Path

import pytest

from pitboss.games import load_games
from pitboss.reports.formatting import write_minus
from pitboss.table.round.wagers import get_circle_name
from pitboss.web.game_words import find_words, link_words, load_words
from pitboss.web.pages.plot import Scale
from pitboss.web.pages.table_layout import load_layout
from web.visits import Visit

GLOSSARY = Path(__file__).parents[2] / "docs/glossary.md"


def _read_glossary() -> dict[str, str]:
    """Return the text of each entry of the glossary, without its marks."""
    entries = re.split(r"\n\n(?=\S)", GLOSSARY.read_text(encoding="utf-8"))
    pairs = (entry.removeprefix("```{glossary}\n").partition("\n") for entry in entries)
    plain = ((name, re.sub(r"[*`]", "", re.sub(r"\{term\}`([^`]*)`", r"\1", text))) for name, _, text in pairs)
    return {name: " ".join(text.split()) for name, text in plain}


@pytest.mark.parametrize("word", load_words())
def test_a_word_is_explained_as_the_glossary_does(word: str) -> None:
    known = load_words()[word]
    assert _read_glossary()[known.name].startswith(known.text)
    assert all(find_words(form) == [known] for form in known.forms)


@pytest.mark.parametrize("name", load_games())
def test_the_glossary_has_every_wager_and_every_fee_of_a_game(name: str) -> None:
    game, entries = load_games()[name], _read_glossary()
    legs = [leg.circle for wager in game.wagers for outcome in wager.outcomes for leg in outcome.legs]
    paid = [action.circle for decision in game.decisions for action in decision.actions if action.circle]
    circles = {get_circle_name(circle, game) for circle in (*legs, *paid)}
    side = {wager.name for wager in (*game.wagers[1:], *(game.main_parts or ()))}
    assert {word for word in circles | side if not {word, word.lower()} & set(entries)} == set()


def test_the_words_that_newcomers_asked_for_are_there() -> None:
    assert {"ante", "fee", "force", "leak"} <= set(load_words())
    assert {"qualify", "push", "blind", "for-one", "to-one", "envy"} <= set(load_words())


@pytest.mark.parametrize("name", load_games())
def test_whatever_a_guide_and_a_reason_say_is_linked_without_a_mark_of_its_own(name: str) -> None:
    game = load_games()[name]
    reasons = {leg.reason for wager in game.wagers for outcome in wager.outcomes for leg in outcome.legs}
    for text in (load_layout(game).guide.wagers, *load_layout(game).guide.decisions.values(), *reasons):
        linked = link_words(f"<b> {text}")
        assert "<b>" not in linked
        assert re.sub(r"</?a[^>]*>", "", linked) == str(link_words("<b> ")) + _escape(text)
        assert linked.count("<a ") == len(find_words(text))


def _escape(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;").replace('"', "&#34;")
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [("-$1,000.50", "\u2212$1,000.50"), ("from -3 to -.5%", "from \u22123 to \u2212.5%"), ("W6-6 2026-11-27", "")],
)
def test_a_minus_is_a_minus_sign_and_a_hyphen_a_hyphen(written: str, shown: str) -> None:
    assert write_minus(written) == (shown or written)


_UNREAD = re.compile(r"<(script|style|pre|code|textarea|title|desc)\b.*?</\1>|<[^>]*>", re.DOTALL)


@pytest.mark.more
def test_every_number_of_every_page_has_a_true_minus(visit: Visit) -> None:
    """What a program reads keeps its hyphen: files, commands, what is typed."""
    for path, answer in visit.pages():
        if answer.headers.get("content-type", "").startswith("text/html") and answer.is_closed:
            texts = unescape(_UNREAD.sub("\n", answer.text)).splitlines()
            assert [text for text in texts if write_minus(text) != text] == [], path


def test_an_axis_has_a_true_minus() -> None:
    assert [text for text, _ in Scale(-0.5, 0.5, 0, 100).list_ticks(2, percent=False)] == ["\u22120.50", "0.00", "0.50"]
    assert Scale(-0.02, 0, 0, 100).list_ticks(1, percent=True)[0][0].startswith("\u22122")
