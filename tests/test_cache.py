"""The cache between runs: files are written whole or not at all, and unused files are removed."""

import os
import time
from pathlib import Path

import pytest

from pitboss.core import cache

MONTH_SECONDS = 30 * 24 * 3600


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate, empty cache."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    return tmp_path


def write_old(path: Path, text: str, age_seconds: float = 0) -> Path:
    """Write a file that was last used ``age_seconds`` ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    used = time.time() - age_seconds
    os.utime(path, (used, used))
    return path


def test_without_an_override_it_lies_in_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOSS_CACHE")
    assert cache.cache_root().name == "pitboss"


def test_what_nothing_has_used_for_two_weeks_is_removed_and_nobody_elses_files(root: Path) -> None:
    old = write_old(root / "kernels" / "some.module" / "old.kernel", "12345", MONTH_SECONDS)
    earlier = write_old(root / "0123456789abcdef" / "counts" / "old.json", "12", MONTH_SECONDS)
    recent = write_old(root / "counts" / "recent.json", "123")
    others = [
        write_old(root / name, "mine", MONTH_SECONDS) for name in ("note.txt", "photos/a.jpg", "0123456789abcdeg/a")
    ]
    assert cache.prune_cache() == 7
    assert [path.exists() for path in (old.parent, earlier.parent.parent, recent)] == [False, False, True]
    assert cache.prune_cache(0) == 3
    assert not (root / "counts").exists()
    assert all(path.exists() for path in others)


def test_what_is_used_is_marked_as_used(root: Path) -> None:
    path = write_old(root / "counts" / "a.json", "", MONTH_SECONDS)
    assert cache.read_cached_text("counts/a.json") is None
    assert path.stat().st_mtime > time.time() - MONTH_SECONDS / 2


def test_a_text_is_made_once(root: Path) -> None:
    calls: list[int] = []

    def make() -> str:
        calls.append(1)
        return "counted"

    assert [cache.get_or_make_text("deep/counts.json", make) for _ in range(3)] == ["counted"] * 3
    assert calls == [1]
    text = (root / "deep" / "counts.json").read_text(encoding="utf-8")
    assert text.splitlines()[1:] == ["counted"]


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xff\n\xfe", "altered"])
def test_a_text_that_was_damaged_or_altered_is_made_again(damage: bytes | str, root: Path) -> None:
    assert cache.get_or_make_text("counts.json", lambda: "counted") == "counted"
    path = root / "counts.json"
    path.write_bytes(damage if isinstance(damage, bytes) else path.read_bytes().replace(b"counted", b"mounted"))
    assert [cache.get_or_make_text("counts.json", lambda: "again") for _ in range(2)] == ["again", "again"]


def test_a_file_that_is_not_finished_takes_nobodys_place(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("before", encoding="utf-8")

    def broken() -> None:
        with cache.atomic_write(path) as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert [each.name for each in tmp_path.iterdir()] == ["kept.txt"]
    assert path.read_text(encoding="utf-8") == "before"
