"""The page of leaks: measured in the background with progress, kept, and refused where nothing can be measured."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from clients import open_client
from pitboss.games import load_game
from pitboss.table.service import TableService
from pitboss.web.app import create_app
from pitboss.web.jobs.page_jobs import build_protection_job
from pitboss.web.jobs.spec import PROTECTION, JobSpec
from pitboss.web.registry import TableRegistry
from reports.conftest import make_leaks
from web.chores import hold_at
from web.served import answering, unlimited


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRegistry]:
    """A floor without tables."""
    folder = tmp_path_factory.mktemp("leaks")
    found = TableRegistry(TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key"), limits=unlimited())
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    """Somebody who asks for leaks."""
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


def test_leaks_are_measured_in_the_background_with_their_progress(
    web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = tmp_path / "release"
    spec = JobSpec(PROTECTION, "lunar", hold_at, (str(release), 3, 13))
    monkeypatch.setattr("pitboss.web.pages.protection.build_protection_job", lambda _game: spec)
    assert "Measure the leaks" in web.get("/protect?game=lunar").text
    answer = web.get("/protect/leaks?game=lunar")
    assert answer.status_code == 202
    while "3 of 13" not in answer.text:
        answer = web.get("/protect/leaks?game=lunar")
    assert "3 of 13" in web.get("/protect?game=lunar").text
    release.touch()


def test_leaks_once_measured_are_shown_at_once(web: httpx.Client, floor: TableRegistry) -> None:
    floor.jobs.store_result(build_protection_job(load_game("six-card")), make_leaks())
    for path in ("/protect?game=six-card", "/protect/leaks?game=six-card"):
        answer = web.get(path)
        assert answer.status_code == 200
        assert answer.text.index("Dealer-2</th>") < answer.text.index("Dealer-1</th>")
        assert "cards &lt;dealer-2&gt;" in answer.text
        for figure in ("\u221250.0000%", "25.0000%", "\u2212100.0000%", "\u221212.50", "$25", "Detect dealer-1."):
            assert figure in answer.text


@pytest.mark.parametrize("path", ["/protect?game=zzz", "/protect/leaks?game=zzz", "/protect/leaks"])
def test_a_game_that_is_not_known_is_refused(web: httpx.Client, path: str) -> None:
    assert web.get(path).status_code == 404
