"""A served progressive for each test, a floor and a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from web.browsing import PATIENCE
from web.casino import CHROMIUM, Casino
from web.served import Served, cheaply, copied, serving
from web.visits import Visit, visiting


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive of two tables in SQLite, with its people."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch) as made:
        yield made


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A progressive and tables, served once for all of a module that change nothing that another test looks at."""
    with pytest.MonkeyPatch.context() as patch:
        cheaply(patch)
        with serving(*copied(tmp_path_factory.mktemp("house")), patch, floor=True) as served:
            made = visiting(served)
            yield made
            made.web.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(autouse=True)
def _close_pages(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages that a test has left open: they would ask a server that has ended for news, again and again."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("browser")
    before = browser.contexts
    yield
    for context in browser.contexts:
        if context not in before:
            context.close()


@pytest.fixture(scope="session")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casino]:
    """A floor for all tests of a worker."""
    made = Casino(tmp_path_factory.mktemp("casino"))
    made.start()
    yield made
    made.kill()
