"""A PostgreSQL that is stopped or locked closes the progressive, and nothing else; it opens again by itself."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

from ledger.databases import postgresql
from ledger.hanging import lock_kept, stopped
from waiting import wait_until
from web.served import Served, cheaply, serving, staffed
from web.test_events import listening

PATIENCE_SECONDS = 60.0
"""What no answer takes; the limits themselves are checked in the ledger's tests."""

pytestmark = pytest.mark.more


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive in PostgreSQL, with tables in SQLite."""
    cheaply(monkeypatch)
    url, key = postgresql(tmp_path), tmp_path / "key"
    with serving(url, key, staffed(url, key), monkeypatch, floor=True) as served:
        served.client.timeout = httpx.Timeout(PATIENCE_SECONDS)
        yield served


HANGS: dict[str, Callable[[Served], AbstractContextManager[None]]] = {
    "stopped": lambda _served: stopped(),
    "locked": lambda served: lock_kept(served.url),
}


def answers(served: Served, path: str) -> httpx.Response:
    """Ask for a page as a browser does."""
    return served.client.get(path, headers={"Accept": "text/html"})


@pytest.mark.parametrize("hang", HANGS)
def test_a_database_that_hangs_closes_the_progressive_and_no_other_page(floor: Served, hang: str) -> None:
    wagers = {"wagers": [{"seat": 1, "cents": 100}]}
    floor.do("/tables/1/rounds/1/open", "dora", wagers)
    with listening(floor, "/display/events") as events:
        assert next(events).kind == "display"
        with HANGS[hang](floor):
            refused = [floor.ask("POST", "/tables/2/rounds/1/open", "dora", "press-0002", json=wagers) for _ in "123"]
            for answer in refused:
                assert (answer.status_code, answer.json()["code"]) == (503, "database-unreachable")
            news = next(each for each in events if each.kind == "closed")
            assert json.loads(news.data)["detail"].startswith("the ledger does not answer, so the tables are closed")
            display = answers(floor, "/progressive/display")
            assert (display.status_code, "Closed" in display.text, "$" in display.text) == (200, True, False)
            assert "is closed" in answers(floor, "/progressive/meter").text
            assert floor.client.get("/api/display").status_code == 503
            for path in ("/", "/par", "/training", "/fair/key", "/felts.css"):
                assert answers(floor, path).status_code == 200, path

    def is_opened() -> bool:
        answer = floor.ask("POST", "/tables/2/rounds/1/open", "dora", "press-0002", json=wagers)
        assert answer.status_code in {200, 503}, answer.text
        return answer.is_success

    wait_until(is_opened)
    assert floor.controller.verify().state.counts[2].in_count == 1  # once, however often it was sent
    assert "$" in answers(floor, "/progressive/display").text
