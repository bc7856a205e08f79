"""``pitboss cache``: what is kept between runs is listed by kind, and removed on command."""

import json
import os
import time
from pathlib import Path

import pytest

from cli.conftest import Invoke

MONTH_SECONDS = 30 * 24 * 3600


def lay(path: Path, size: int, age_seconds: float = 0) -> None:
    """Write a file of so many bytes that was last used so long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    used = time.time() - age_seconds
    os.utime(path, (used, used))


def test_what_is_kept_is_listed_by_kind_and_removed_on_command(
    tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path
    monkeypatch.setenv("PITBOSS_CACHE", str(root))
    lay(root / "counts" / "a.json", 1_000)
    lay(root / "counts" / "b.json", 500, MONTH_SECONDS)
    lay(root / "kernels" / "module" / "a.kernel", 2_000_000)
    listed = json.loads(invoke("cache", "list", "--json").out)
    assert (listed["folder"], listed["bytes"]) == (str(root), 2_001_500)
    kinds = [(each["kind"], each["files"], each["bytes"]) for each in listed["kinds"]]
    assert kinds == [("counts", 2, 1_500), ("kernels", 1, 2_000_000)]
    status, out, _ = invoke("cache")
    assert status == 0
    assert ["kernels", "1", "1.9", "MiB"] in [line.split()[:4] for line in out.splitlines()]
    assert invoke("cache", "prune").out == f"freed 500 B in {root}\n"
    assert invoke("cache", "prune", "--days", "0").out == f"freed 1.9 MiB in {root}\n"
    assert json.loads(invoke("cache", "list", "--json").out)["kinds"] == []
    assert invoke("cache", "prune", "--days", "-1").status == 2
