"""Files that a user names, read as text or written whole.

Errors are one line.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitboss.core.cache import atomic_write
from pitboss.core.errors import PitbossError

MAX_FILE_BYTES = 1_000_000


def read_text(path: Path, error_type: type[PitbossError], max_bytes: int = MAX_FILE_BYTES) -> str:
    """Return the text of a file of at most ``max_bytes``, by default a million.

    No history and no pay table is larger.

    Raises:
        PitbossError: of the type ``error_type``: the file cannot be read, is larger, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise error_type(
                f"cannot read {path}: it has more than {max_bytes:,} bytes", code="file-too-large", path=path
            )
        return content.decode("utf-8")
    except OSError as error:
        raise error_type(f"cannot read {path}: {error.strerror}", code="cannot-read", path=path) from None
    except UnicodeDecodeError:
        raise error_type(f"cannot read {path}: it is not UTF-8 text", code="not-utf-8", path=path) from None
    except ValueError:  # a NUL, or half a character
        raise error_type(
            f"cannot read {str(path)!r}: no file can have this name", code="cannot-read", path=path
        ) from None


def verify_writable(path: Path, error_type: type[PitbossError]) -> None:
    """Check that a file can be written there, before its content is computed.

    Raises:
        PitbossError: of the type ``error_type``: the path is a folder, or its folder is missing or not writable.
    """
    with _translate_os_errors(path, error_type):
        if path.is_dir():
            raise error_type(f"cannot write {path}: it is a folder; name a file", code="is-a-folder", path=path)
        if not path.parent.is_dir():
            raise error_type(f"cannot write {path}: there is no folder {path.parent}", code="no-such-folder", path=path)
        if not os.access(path.parent, os.W_OK):
            raise error_type(
                f"cannot write {path}: the folder {path.parent} is not writable", code="folder-not-writable", path=path
            )


def write_file(path: Path, content: bytes, error_type: type[PitbossError]) -> None:
    """Write a whole file, replacing one that is there, or write nothing.

    Raises:
        PitbossError: of the type ``error_type``: as ``verify_writable``, or the file cannot be written.
    """
    verify_writable(path, error_type)
    with _translate_os_errors(path, error_type), atomic_write(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def _translate_os_errors(path: Path, error_type: type[PitbossError]) -> Iterator[None]:
    """Raise the system's errors for a path as errors of the type ``error_type``."""
    try:
        yield
    except OSError as error:
        raise error_type(f"cannot write {path}: {error.strerror}", code="cannot-write", path=path) from None
