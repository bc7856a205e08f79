"""Files that a user names: read as text, or refused in a line."""

from pathlib import Path

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
