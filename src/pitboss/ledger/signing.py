"""Signatures and encrypted secrets of a ledger, by the keys of its key ring.

Heads signed with ed25519 and stored elsewhere reveal a ledger whose tail was cut or that was rewritten.  Secrets are
encrypted with ChaCha20-Poly1305, each bound to its place.
"""

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pitboss.ledger.chain import LedgerHead, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.key_ring import RingKey, create_keys, is_single_key, read_keys, revoke_key, rotate_keys, write_keys
from pitboss.ledger.public_keys import is_signed_by

_NONCE_BYTES = 12
_CODE_BYTES = 16

OTHER_RING = "other-key-ring"
"""The code of a refusal because a process has not the ledger's present key ring; the ledger may well hold."""

HEAD_REVOKED = "head-revoked"
"""The code of the refusal of a head that a revoked version signed."""


class Signer:
    """The key ring of a ledger, from a file that only its owner can read.

    A file that another process has changed is read again.
    """

    def __init__(self, path: Path) -> None:
        """Read the keys.

        Raises:
            LedgerError: the file does not hold a key ring.
        """
        self._path = path
        self._revoked: frozenset[int] = frozenset()
        self._compared: tuple[object, object] | None = None
        self._stamp, self._keys = _read_stamp(path), read_keys(path)
        self._first = {key.version: key.public_key for key in self._keys}

    @classmethod
    def load_or_create(cls, path: Path) -> "Signer":
        """Return the signer of a key file, which is created if it does not exist."""
        if not path.exists():
            create_keys(path)
        return cls(path)

    @property
    def keys(self) -> tuple[RingKey, ...]:
        """The versions, the active one last."""
        stamp = _read_stamp(self._path)
        if any(stamp) and stamp != self._stamp:
            self._stamp, self._keys = stamp, self._without_revoked(read_keys(self._path))
        return self._keys

    def _without_revoked(self, keys: tuple[RingKey, ...]) -> tuple[RingKey, ...]:
        """Return a ring in which the versions that the ledger revoked are revoked."""
        return tuple(key._replace(state="revoked") if key.version in self._revoked else key for key in keys)

    def compare(self, public_keys: Mapping[int, str], revoked: Collection[int]) -> None:
        """Compare the ring with what the ledger says of it.

        ``public_keys`` are those of versions that the ledger names.  The versions that it ``revoked`` are not trusted
        from here on, whatever the file says of them: an older copy of the file may have been put back.

        Raises:
            LedgerError: the ring lacks a version that the ledger names, or that the file had at first, or has another
                key in its place.
        """
        keys = self.keys
        if not self._revoked.issuperset(revoked):
            self._revoked |= frozenset(revoked)
            self._keys = keys = self._without_revoked(keys)
        if self._compared and self._compared[0] is keys and self._compared[1] is public_keys:
            return
        present = {key.version: key for key in keys}
        for version, public_key in {**self._first, **public_keys}.items():  # no entry names the first version
            key = present.get(version)
            if version not in self._revoked and (key is None or key.public_key != public_key):
                raise LedgerError(
                    f"the key ring {self._path} is not the latest: it lacks version {version} of the ledger's keys; "
                    "put the newest copy of the file there",
                    code=OTHER_RING,
                    version=version,
                )
        self._compared = keys, public_keys

    @property
    def is_single_key(self) -> bool:
        """Whether the file is the single key of a version before 0.3."""
        return is_single_key(self._path)

    def make_ring(self) -> None:
        """Write the one key of an earlier version as a key ring."""
        if self.is_single_key:
            self._replace_keys(self.keys)

    @property
    def version(self) -> int:
        """The active version."""
        return self.keys[-1].version

    @property
    def public_key(self) -> str:
        """The public key of the active version, in hexadecimal digits."""
        return self.keys[-1].public_key

    @property
    def trusted_public_keys(self) -> tuple[str, ...]:
        """The public keys of all versions that are not revoked."""
        return tuple(key.public_key for key in self.keys if key.state != "revoked")

    @property
    def revoked_public_keys(self) -> dict[str, int]:
        """The versions that are revoked, by their public keys."""
        return {key.public_key: key.version for key in self.keys if key.state == "revoked"}

    def sign(self, text: str) -> str:
        """Return the signature of a text by the active version, in hexadecimal digits."""
        return self.keys[-1].private_key.sign(text.encode()).hex()

    def has_signed(self, text: str, signature: str) -> bool:
        """Return whether a version that is not revoked has signed a text."""
        return any(is_signed_by(key, text.encode(), signature) for key in self.trusted_public_keys)

    def has_signed_by_revoked(self, text: str, signature: str) -> bool:
        """Return whether a revoked version has signed a text, which proves nothing."""
        return any(is_signed_by(key, text.encode(), signature) for key in self.revoked_public_keys)

    def rotate(self) -> int:
        """Make a new active version, retire the old one, and return the new one's number."""
        self._replace_keys(rotate_keys(self.keys))
        return self.version

    def revoke(self, version: int) -> None:
        """Stop trusting a retired version.

        Raises:
            LedgerError: there is no such version, it is active or revoked already.
        """
        is_known = version in self._revoked  # from the ledger, so only the file lacks it
        self._replace_keys(self.keys if is_known else revoke_key(self.keys, version))

    def _replace_keys(self, keys: tuple[RingKey, ...]) -> None:
        write_keys(self._path, keys)
        self._stamp, self._keys = _read_stamp(self._path), keys

    def encrypt(self, text: str, place: str) -> str:
        """Encrypt a text for a place with the active version; "" stays ""."""
        if not text:
            return ""
        nonce, key = secrets.token_bytes(_NONCE_BYTES), self.keys[-1]
        encrypted = ChaCha20Poly1305(bytes.fromhex(key.sealing)).encrypt(nonce, text.encode(), place.encode())
        return f"{key.version}.{(nonce + encrypted).hex()}"

    def decrypt(self, encrypted: str, place: str) -> str:
        """Decrypt a text that was encrypted for a place.

        Raises:
            LedgerError: it was encrypted for another place or altered, or its key is revoked or missing.
        """
        if not encrypted:
            return ""
        version, _, digits = encrypted.partition(".")
        try:
            key = next(each for each in self.keys if str(each.version) == version and each.state != "revoked")
            content = bytes.fromhex(digits)
            cipher = ChaCha20Poly1305(bytes.fromhex(key.sealing))
            return cipher.decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], place.encode()).decode()
        except (StopIteration, ValueError, InvalidTag):
            raise LedgerError(
                f"{place}: the secret cannot be decrypted with the key ring {self._path}",
                code="not-sealed",
                place=place,
            ) from None

    def derive_code(self, purpose: str) -> str:
        """Return a code of 128 bits for a purpose, the same until the next rotation."""
        digest = hmac.digest(bytes.fromhex(self.keys[-1].sealing), f"code {purpose}".encode(), sha256)
        return urlsafe_b64encode(digest[:_CODE_BYTES]).decode().rstrip("=")


def _read_stamp(path: Path) -> tuple[int, int, int]:
    """Return what changes when a file does, zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_ino, found.st_mode


def sign_head(head: LedgerHead, at: str, signer: Signer) -> str:
    """Return a signed head as a JSON document, to be stored elsewhere."""
    document = {**head._asdict(), "at": at, "public_key": signer.public_key}
    return json.dumps({**document, "signature": signer.sign(to_canonical_json(document))}, indent=2)


def read_head(text: str, public_keys: str | Collection[str], revoked: Mapping[str, int] = {}) -> LedgerHead:
    """Parse an exported head.

    ``revoked`` are the versions of revoked public keys, for the reason of a refusal.

    Raises:
        LedgerError: the text is not an exported head, or was signed by none of the ``public_keys``.
    """
    trusted = {public_keys} if isinstance(public_keys, str) else set(public_keys)
    try:
        document: dict[str, Any] = json.loads(text)
        signature = document.pop("signature")
        head = LedgerHead(**{name: document[name] for name in LedgerHead._fields})
        public_key = document["public_key"]
        is_known = public_key in trusted or public_key in revoked
        is_signed = is_known and is_signed_by(public_key, to_canonical_json(document).encode(), signature)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LedgerError(
            "this is not an exported head: pitboss jackpot export --format head writes one", code="invalid-head"
        ) from None
    if is_signed and public_key not in trusted:
        version = revoked[public_key]
        raise LedgerError(
            f"this head was signed by key version {version}, which is revoked, so it proves nothing: use a later head",
            code=HEAD_REVOKED,
            version=version,
        )
    if not is_signed:
        raise LedgerError("this head was not signed by the key of this ledger", code="head-not-signed")
    return head


def read_own_head(text: str, signer: Signer) -> LedgerHead:
    """Parse a head that a ledger's own keys signed.

    Raises:
        LedgerError: the text is not an exported head, or was signed by no trusted version of the keys.
    """
    return read_head(text, signer.trusted_public_keys, signer.revoked_public_keys)
