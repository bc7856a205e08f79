"""Files that a user names: written whole, with the permissions of new files, or an error of one line."""

import os
from pathlib import Path

import pytest

from pitboss.core.errors import ReportError
from pitboss.core.files import verify_writable, write_file
from refusals import refusal


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_file_has_the_rights_of_any_new_file(umask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_file(tmp_path / "a.csv", b"1,2\n", ReportError)
    finally:
        os.umask(before)
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == mode
    assert (tmp_path / "a.csv").read_bytes() == b"1,2\n"


def test_a_file_that_is_there_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for content in (b"old", b"new"):
        write_file(path, content, ReportError)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (".", "is-a-folder"),
        ("none/a.csv", "no-such-folder"),
        ("file/a.csv", "no-such-folder"),
        ("a" * 300, "cannot-write"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_named(name: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ReportError, check=refusal(code)):
        write_file(tmp_path / name, b"new", ReportError)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_may_not_be_written_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)  # root may write anywhere
    with pytest.raises(ReportError, check=refusal("folder-not-writable", path=str(tmp_path / "a.csv"))):
        verify_writable(tmp_path / "a.csv", ReportError)
