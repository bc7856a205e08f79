"""What the consoles write: dollars and words, never a number of internal units, a name of the program or a literal."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import httpx
import pytest

from clients import open_client
from pitboss.jackpot.accounts import Purpose
from pitboss.jackpot.events import AdjustmentReason, ProgressiveEvent
from pitboss.jackpot.setting_words import SETTING_LABELS
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state_parts import Hit
from web.served import PEOPLE, Served, cheaply, copied, serving
from web.visits import page_routes

HANDS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house")
IDS = {
    *HANDS,
    *get_args(AdjustmentReason),
    *Purpose,
    *get_args(Hit.model_fields["step"].annotation),
    *(get_args(each.model_fields["kind"].annotation)[0] for each in get_args(get_args(ProgressiveEvent)[0])
      if hasattr(each, "model_fields")),
}  # fmt: skip
AGAINST = {
    "a name of the program": re.compile(r"\b[a-z]+_[a-z_]+\b"),
    "an id": re.compile(rf"\b({'|'.join(sorted(each for each in IDS if '-' in each))})\b"),
    "a literal": re.compile(r"\b(true|false|null|None|True|False|undefined|NaN)\b|[{}\[\]]"),
    "units": re.compile(r"\b(units?|cents? ?\d|bps|basis points)\b|(?<![$\d.,-])-?\d{1,3}(,?\d{3}){2,}|\.\d\d0000\b"),
    "a moment as programs write it": re.compile(r"\d{4}-\d\d-\d\dT\d\d"),
}


class Words(HTMLParser):
    """The words of a page that a person reads: texts, and what fields and pictures are called."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag if tag in {"script", "style"} else ""
        named = dict(attrs)
        shown = ("aria-label", "title", "placeholder", "alt")
        self.found += [named[name] or "" for name in shown if name in named]
        self.found.append(re.sub(r"\{\w+\}", "", named.get("data-says") or ""))

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = "" if tag else self._inside


def read_words(page: str) -> list[str]:
    """Return the words of a page, one text after another."""
    words = Words()
    words.feed(page)
    return [text.strip() for text in words.found if text.strip()]


def find_faults(page: str) -> list[str]:
    """Return what a page should not say, and in which text."""
    return [f"{what}: {text!r}" for text in read_words(page) for what, bad in AGAINST.items() if bad.search(text)]


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A progressive where there is something of each kind to show."""
    with pytest.MonkeyPatch.context() as patch:
        cheaply(patch)
        with serving(*copied(tmp_path_factory.mktemp("busy")), patch, floor=True) as made:
            fill(made)
            yield made


def fill(served: Served) -> None:
    """Play rounds, and ask for changes of each kind."""
    served.do("/tables/1/rounds/1/open", "dora", {"wagers": [{"seat": seat, "cents": 100} for seat in range(1, 7)]})
    for seat, hand in enumerate(HANDS, 1):
        served.do("/tables/1/rounds/1/hits", "dora", {"seat": seat, "hand": hand})
    for award in (2, 1, 3):
        served.do(f"/awards/{award}/confirm", "dora", proof="eve")
    served.do("/awards/2/pay", "dora")
    served.do("/awards/4/cancel", "dora")
    served.do("/tables/2/rounds/1/open", "dora", {"wagers": [{"seat": 1, "cents": 100}]})
    served.do("/tables/2/rounds/1/hits", "dora", {"seat": 1, "hand": "full-house", "cards": "Ks Kh Kd 2s 2h"})
    raised = {"account": "meter", "cents": 123_456_789, "reason": "house-funds", "text": "a promotion"}
    number = served.do("/adjustments", "sue", raised)["events"][0]["request"]
    served.do(f"/requests/{number}/approve", "eve", proof="eve")
    served.do("/awards/3/back-out", "sue", {"text": "misread hand"})
    served.do("/adjustments", "sue", {"account": "reserve", "cents": -1, "reason": "above-limit", "text": "a cent"})
    others = {
        "seed_cents": 1_000_001,
        "meter_bps": 1_500,
        "reserve_bps": 100,
        "limit_cents": 300_000_000,
        "executive_cents": 1,
        "variance_cents": 1,
        "award_order": "split",
        "award_rounding": "dollar",
        "fixed_awards_from": "meter",
        "envy_hitter_must_wager": "off",
        "zero_seed": True,
        "words": "display",
        "day_hour": 6,
        "wager_cents": 200,
    }
    served.do("/settings", "sue", {"changes": others, "text": "all of them"})
    served.do("/staff", "sue", {"name": "dan", "role": "dealer"}, proof="sue")
    served.do("/incidents", "sue", {"table": 1, "text": "the keypad hangs"})


@pytest.fixture(params=["", *PEOPLE])
def reader(busy: Served, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The browser of each person, and of nobody."""
    with open_client(busy.address, headers={"Accept": "text/html"}) as web:
        if request.param:
            login = {**busy.proof(request.param), "cookie": True}
            assert web.post("/api/session", json=login).status_code == 201
        yield web


def test_every_page_of_the_progressive_writes_dollars_and_words(busy: Served, reader: httpx.Client) -> None:
    paths = sorted(path for method, path in page_routes(busy) if path.startswith("/progressive") and method == "GET")
    assert len(paths) > 4
    for path in paths:
        for table in "12" if "{table}" in path else "1":
            answer = reader.get(path.replace("{table}", table), follow_redirects=True)
            assert not find_faults(answer.text), path


def test_what_is_looked_for_is_found() -> None:
    for bad in (
        "<p>Meter, units 10,000,000,000</p>",
        "<p>Meter 10,000,000,000</p>",
        "<output>entries: 26, holds: true</output>",
        "<dt>variance_cents</dt>",
        "<td>straight-flush</td>",
        "<td>tray-award</td>",
        "<p>incident-opened</p>",
        "<p>$9,000.660000</p>",
        "<p>2026-11-27T00:00</p>",
        "<p>{'a': 1}</p>",
        "<form data-says='repeated: false'></form>",
    ):
        assert find_faults(bad), bad
    for good in ("<p>$12,345,678.90</p>", "<p>$0.100014</p>", "<p>straight flush</p>", "<p>26 entries</p>"):
        assert not find_faults(good), good


def test_every_setting_has_a_label() -> None:
    assert set(SETTING_LABELS) == set(Settings.model_fields) - {"lines"}
    assert len(set(SETTING_LABELS.values())) == len(SETTING_LABELS)


def test_what_a_form_says_is_in_the_answer_of_its_operation() -> None:
    """A name in braces that no answer has would be read as *undefined*."""
    templates = Path(__file__).parents[2] / "src/pitboss/web/templates/progressive"
    named = {
        name
        for page in templates.glob("*.html")
        for said in re.findall(r'data-says="([^"]*)"', page.read_text(encoding="utf-8"))
        for name in re.findall(r"(?<!\{)\{(\w+)\}", said)
    }
    assert named == {"entries", "name", "half_code"}
