"""The benchmarks are not run here, only imported, so that all that they use still exists."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.compiled
@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "bench").glob("[a-z]*.py")))
def test_a_benchmark_finds_all_that_it_measures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    import_module(f"bench.{name}")
