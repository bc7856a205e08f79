"""Files that a user names: read as text, written whole, or refused in a line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitboss.core.cache import written_whole
from pitboss.core.errors import PitbossError

LARGEST_BYTES = 1_000_000


def text_of(path: Path, refusal: type[PitbossError]) -> str:
    """Return the text of a file of at most a million bytes, as no history and no pay table is larger.

    Raises:
        PitbossError: of the type ``refusal``: the file cannot be read, is larger, or is no UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
        if len(content) > LARGEST_BYTES:
            raise refusal(f"cannot read {path}: it has more than {LARGEST_BYTES:,} bytes")
        return content.decode("utf-8")
    except OSError as error:
        raise refusal(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise refusal(f"cannot read {path}: it is no UTF-8 text") from None


def verify_place(path: Path, refusal: type[PitbossError]) -> None:
    """Check that a file can be written there, before what it is to hold is worked out.

    Raises:
        PitbossError: of the type ``refusal``: it is a folder, or what it would lie in is none or may not be written to.
    """
    with _refused(path, refusal):
        if path.is_dir():
            raise refusal(f"cannot write {path}: it is a folder; name a file in it")
        if not path.parent.is_dir():
            raise refusal(f"cannot write {path}: there is no folder {path.parent}")
        if not os.access(path.parent, os.W_OK):
            raise refusal(f"cannot write {path}: {path.parent} may not be written to")


def write_file(path: Path, content: bytes, refusal: type[PitbossError]) -> None:
    """Write a file whole, in the place of one that is there, or not at all.

    Raises:
        PitbossError: of the type ``refusal``: as ``verify_place``, or the file cannot be written.
    """
    verify_place(path, refusal)
    with _refused(path, refusal), written_whole(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def _refused(path: Path, refusal: type[PitbossError]) -> Iterator[None]:
    """Say what the system has against writing there in the words of a refusal."""
    try:
        yield
    except OSError as error:
        raise refusal(f"cannot write {path}: {error.strerror}") from None
