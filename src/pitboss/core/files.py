"""Files that a user names: read as text, written whole, or refused in a line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitboss.core.cache import atomic_write
from pitboss.core.errors import PitbossError

MAX_FILE_BYTES = 1_000_000


def read_text(path: Path, error_type: type[PitbossError]) -> str:
    """Return the text of a file of at most a million bytes, as no history and no pay table is larger.

    Raises:
        PitbossError: of the type ``error_type``: the file cannot be read, is larger, or is no UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise error_type(f"cannot read {path}: it has more than {MAX_FILE_BYTES:,} bytes")
        return content.decode("utf-8")
    except OSError as error:
        raise error_type(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise error_type(f"cannot read {path}: it is no UTF-8 text") from None


def verify_writable(path: Path, error_type: type[PitbossError]) -> None:
    """Check that a file can be written there, before what it is to hold is worked out.

    Raises:
        PitbossError: of the type ``error_type``: it is a folder, or the folder it would lie in is missing or may
            not be written to.
    """
    with _translate_os_errors(path, error_type):
        if path.is_dir():
            raise error_type(f"cannot write {path}: it is a folder; name a file in it")
        if not path.parent.is_dir():
            raise error_type(f"cannot write {path}: there is no folder {path.parent}")
        if not os.access(path.parent, os.W_OK):
            raise error_type(f"cannot write {path}: {path.parent} may not be written to")


def write_file(path: Path, content: bytes, error_type: type[PitbossError]) -> None:
    """Write a file whole, in the place of one that is there, or not at all.

    Raises:
        PitbossError: of the type ``error_type``: as ``verify_writable``, or the file cannot be written.
    """
    verify_writable(path, error_type)
    with _translate_os_errors(path, error_type), atomic_write(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def _translate_os_errors(path: Path, error_type: type[PitbossError]) -> Iterator[None]:
    """Say what the system has against writing there in the words of a refusal."""
    try:
        yield
    except OSError as error:
        raise error_type(f"cannot write {path}: {error.strerror}") from None
