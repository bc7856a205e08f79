"""What Hypothesis draws is the same in every run, whichever tests run with it and in whatever order."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers


def draw_integers() -> list[int]:
    """Return the numbers that a property is tried on."""
    drawn = list[int]()

    @given(integers(0, 10**9))
    def note(number: int) -> None:
        drawn.append(number)

    note()
    return drawn


def test_a_module_that_is_loaded_changes_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not settings().derandomize:
        pytest.skip("the long profile draws at random")
    before, path = draw_integers(), tmp_path / "constants_of_another.py"
    path.write_text(f"NUMBERS = {list(range(123_456_000, 123_457_000))}\n", encoding="utf-8")
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    monkeypatch.setitem(sys.modules, path.stem, loaded)
    assert len(before) == 100
    assert draw_integers() == before
