"""The identity of the running software: version and file digest (P15).

The digest reveals software that was changed by accident or without notice.  Software that was changed to lie about
itself can lie about the digest too: against that, use signed packages and the operator's own inventory.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from pitboss.core.version import __version__

_PACKAGE_FOLDER = Path(__file__).resolve().parent.parent


@cache
def get_software_id() -> str:
    """Return the version and digest of the running package."""
    return f"{__version__} {hash_folder(_PACKAGE_FOLDER)}"


def hash_folder(folder: Path) -> str:
    """Return the SHA-256 of a folder's file names and contents.

    Python's compiled files are left out.
    """
    digest = sha256()
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    for name, path in sorted(paths.items()):
        if path.parent.name != "__pycache__":
            content = path.read_bytes()
            digest.update(f"{len(name)} {name} {len(content)} ".encode() + content)
    return digest.hexdigest()
