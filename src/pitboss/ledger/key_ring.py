"""The key ring of a ledger: versions of its keys, in a file of its own.

One version is active: it signs and encrypts.  Retired versions are still trusted, revoked ones are not.
"""

import json
import os
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pitboss.core.cache import atomic_write
from pitboss.ledger.errors import LedgerError

KEY_BYTES = 32
KeyState = Literal["active", "retired", "revoked"]


class RingKey(NamedTuple):
    """A version of the keys: when it was made, and its keys in hexadecimal digits.

    ``signing`` signs; ``sealing`` encrypts secrets.
    """

    version: int
    state: KeyState
    made: str
    signing: str
    sealing: str

    @property
    def private_key(self) -> Ed25519PrivateKey:
        """The key that signs."""
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.signing))

    @property
    def public_key(self) -> str:
        """The public key of the signing key, in hexadecimal digits."""
        return self.private_key.public_key().public_bytes_raw().hex()


def make_key(version: int) -> RingKey:
    """Return a new active version from the operating system's randomness."""
    signing = Ed25519PrivateKey.generate().private_bytes_raw().hex()
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return RingKey(version, "active", made, signing, secrets.token_hex(KEY_BYTES))


def read_keys(path: Path) -> tuple[RingKey, ...]:
    """Read a key ring, the active version last.

    The file of a version before 0.3 holds one signing key: the key that encrypts is derived from it.

    Raises:
        LedgerError: the file does not hold a key ring, or others than its owner may read or write it.
    """
    if not path.exists():
        raise LedgerError(
            f"there is no key file {path}: put the newest copy of it there, or name it with PITBOSS_KEY",
            code="no-key-file",
            path=path,
        )
    _verify_private(path)
    try:
        text = path.read_text(encoding="ascii").strip()
        if not text.startswith("{"):
            return (_read_single_key(text),)
        keys = tuple(RingKey(**each) for each in json.loads(text)["keys"])
        are_whole = all(key.public_key and len(bytes.fromhex(key.sealing)) == KEY_BYTES for key in keys)
        are_usable = are_whole and [key.version for key in keys if key.state == "active"] == [keys[-1].version]
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        are_usable = False
    if not are_usable:
        raise LedgerError(
            f"{path} holds no signing key: pitboss jackpot init wrote it next to the ledger",
            code="no-signing-key",
            path=path,
        )
    return keys


def is_single_key(path: Path) -> bool:
    """Return whether a file holds the single key of a version before 0.3."""
    return not path.read_text(encoding="ascii").strip().startswith("{")


def _verify_private(path: Path) -> None:
    """Check that a key file is its owner's alone, if there is one."""
    mode = path.stat().st_mode & 0o777 if os.name == "posix" and path.exists() else 0o600
    if mode & 0o077:
        raise LedgerError(
            f"{path} has mode {mode:03o}, so others can read or replace the keys: chmod 600 {path}",
            code="key-file-not-private",
            path=path,
            mode=f"{mode:03o}",
        )


def _read_single_key(digits: str) -> RingKey:
    signing = bytes.fromhex(digits)
    sealing = HKDF(SHA256(), KEY_BYTES, salt=None, info=b"pitboss jackpot sealing").derive(signing)
    return RingKey(
        1, "active", "", Ed25519PrivateKey.from_private_bytes(signing).private_bytes_raw().hex(), sealing.hex()
    )


def write_keys(path: Path, keys: Sequence[RingKey]) -> None:
    """Replace the file of a key ring; it is on the disk when this returns."""
    with atomic_write(path) as temporary:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            json.dump({"keys": [key._asdict() for key in keys]}, file, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Write the names of a folder's files to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def create_keys(path: Path) -> None:
    """Write a new key ring, unless there is a file already."""
    write_private_file(path, json.dumps({"keys": [make_key(1)._asdict()]}, indent=2) + "\n")


def write_private_file(path: Path, text: str) -> None:
    """Write a new file that only its owner can read (raises OSError)."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)


def rotate_keys(keys: Sequence[RingKey]) -> tuple[RingKey, ...]:
    """Return a ring with a new active version; the old one is retired."""
    retired = [key._replace(state="retired") if key.state == "active" else key for key in keys]
    return (*retired, make_key(max(key.version for key in keys) + 1))


def revoke_key(keys: Sequence[RingKey], version: int) -> tuple[RingKey, ...]:
    """Return a ring in which a retired version is no longer trusted.

    Raises:
        LedgerError: there is no such version, it is active or revoked already.
    """
    states = {key.version: key.state for key in keys}
    if states.get(version) != "retired":
        reason = {"active": "is active: rotate first", "revoked": "is revoked already"}
        fault = reason.get(states.get(version, ""), "is not in the key ring")
        raise LedgerError(f"key version {version} {fault}", code="key-not-retired", version=version)
    return tuple(key._replace(state="revoked") if key.version == version else key for key in keys)
