"""The tables of the evaluator: built from the order of hands, cached, and of the documented sizes."""

from pathlib import Path

import numpy as np
import pytest

from pitboss.hands import tables
from pitboss.hands.tables import build_tables, load_or_build_tables
from tiers import keep_first


@pytest.mark.more
def test_tables_are_built_once_and_then_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    built = load_or_build_tables()
    monkeypatch.setattr(tables, "build_tables", None)
    loaded = load_or_build_tables()
    for name, array in built._asdict().items():
        np.testing.assert_array_equal(array, getattr(loaded, name))
        assert array.dtype == getattr(loaded, name).dtype


@pytest.mark.more
@pytest.mark.parametrize("length", keep_first([20, 0, 100_000], 1))
def test_tables_that_were_damaged_are_built_again(length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    built = load_or_build_tables()
    (path,) = tmp_path.glob("hands/*.npz")
    path.write_bytes(path.read_bytes()[:length])
    np.testing.assert_array_equal(load_or_build_tables().strengths, built.strengths)


@pytest.mark.more
def test_tables_have_the_shapes_and_sizes_the_notes_tell() -> None:
    sizes = {
        name: (array.shape, array.dtype.itemsize, array.nbytes) for name, array in build_tables()._asdict().items()
    }
    assert sizes == {
        "card_keys": ((54,), 8, 432),
        "suit_keys": ((8192,), 8, 65_536),
        "rows": ((16_384,), 2, 32_768),
        "strengths": ((2, 131_072), 4, 1_048_576),
        "flushes": ((2, 4, 8192), 4, 262_144),
    }


@pytest.mark.more
def test_no_two_multisets_of_ranks_share_a_slot() -> None:
    used = build_tables().strengths[0]
    assert np.count_nonzero(used) == 110_981
    assert len(np.unique(used[used > 0])) == 6_188
