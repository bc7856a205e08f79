"""What is kept between runs: whole or not at all, under the source that made it, and not for ever."""

import os
import shutil
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.core import cache


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a cache of its own, forgotten afterwards."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    cache.cache_folder.cache_clear()
    yield tmp_path
    cache.cache_folder.cache_clear()


def test_the_folder_is_the_sources_own(root: Path) -> None:
    assert cache.cache_folder() == root / cache.source_hash()
    assert cache.cache_folder().is_dir()


def test_without_an_override_it_lies_in_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOSS_CACHE")
    assert cache.cache_root().name == "pitboss"


def test_folders_of_old_sources_are_pruned_when_a_new_one_is_made(root: Path) -> None:
    old, recent, file = root / "0ld", root / "recent", root / "note.txt"
    old.mkdir()
    recent.mkdir()
    file.touch()
    month_ago = time.time() - 30 * 24 * 3600
    os.utime(old, (month_ago, month_ago))
    os.utime(file, (month_ago, month_ago))
    folder = cache.cache_folder()
    assert {path.name for path in root.iterdir()} == {"recent", "note.txt", folder.name}


def test_a_text_is_made_once(root: Path) -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "counted"

    assert [cache.kept_text("deep/counts.json", make) for _ in range(3)] == ["counted"] * 3
    assert made == [1]
    kept = (root / cache.source_hash() / "deep" / "counts.json").read_text(encoding="utf-8")
    assert kept.splitlines()[1:] == ["counted"]


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xff\n\xfe", "altered"])
def test_a_text_that_was_damaged_or_altered_is_made_again(damage: bytes | str, root: Path) -> None:
    assert cache.kept_text("counts.json", lambda: "counted") == "counted"
    path = root / cache.source_hash() / "counts.json"
    path.write_bytes(damage if isinstance(damage, bytes) else path.read_bytes().replace(b"counted", b"mounted"))
    assert [cache.kept_text("counts.json", lambda: "again") for _ in range(2)] == ["again", "again"]


def test_a_file_that_is_not_finished_takes_nobodys_place(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("before", encoding="utf-8")

    def broken() -> None:
        with cache.written_whole(path) as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert [each.name for each in tmp_path.iterdir()] == ["kept.txt"]
    assert path.read_text(encoding="utf-8") == "before"


def test_the_hash_covers_games_found_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.source_hash.__wrapped__()
    monkeypatch.setenv("PITBOSS_GAMES", str(tmp_path))
    (tmp_path / "rules.py").write_text("A = 1\n", encoding="utf-8")
    with_game = cache.source_hash.__wrapped__()
    (tmp_path / "rules.py").write_text("A = 2\n", encoding="utf-8")
    assert len({before, with_game, cache.source_hash.__wrapped__()}) == 3


@pytest.mark.parametrize(("changed", "counts"), [("hands/order.py", True), ("cli/app.py", False)])
def test_the_hash_covers_all_that_a_count_can_depend_on(
    changed: str, *, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pitboss"
    shutil.copytree(Path(cache.__file__).parent.parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "_PACKAGE", package)
    before = cache.source_hash.__wrapped__()
    with (package / changed).open("a", encoding="utf-8") as file:
        file.write("# another line\n")
    assert (cache.source_hash.__wrapped__() != before) is counts


def test_what_is_not_hashed_are_the_floors_above_analysis_which_none_below_may_import() -> None:
    with (Path(__file__).parent.parent / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (floors,) = (each["layers"] for each in contracts if each["type"] == "layers")
    above = floors[: floors.index("analysis")]
    named = {name.strip(" ()") for floor in above for name in floor.split("|")}
    assert named - {"__main__"} == cache.UPPER_FLOORS
