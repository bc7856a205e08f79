"""Encryption of stored secrets with a key kept outside the database.

The cipher is ChaCha20-Poly1305.
"""

import os
import secrets
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.key_ring import write_private_file

KEY_VARIABLE = "PITBOSS_TABLE_KEY"
"""The environment variable that may hold the key, in hexadecimal digits, in place of a file."""

_KEY_BYTES = 32
_NONCE_BYTES = 12


class TableCipher:
    """A key that encrypts texts, each bound to its location.

    A text cannot be moved to another location.
    """

    def __init__(self, key: bytes, key_source: str) -> None:
        """Use a key of 32 bytes; errors name ``key_source``, where it was read from."""
        self._key, self._aead = key, ChaCha20Poly1305(key)
        self._key_source = key_source
        self.fingerprint = sha256(b"pitboss table key" + key).hexdigest()[:16]

    @classmethod
    def load(cls, path: Path) -> "TableCipher":
        """Read the key from the environment, else from its file.

        Raises:
            LedgerError: there is no key, or it is not valid.
        """
        digits = os.environ.get(KEY_VARIABLE)
        where = KEY_VARIABLE if digits else str(path)
        try:
            key = bytes.fromhex(digits or path.read_text(encoding="ascii"))
        except FileNotFoundError:
            raise LedgerError(
                f"the tables' key {path} is missing: put it back, or set {KEY_VARIABLE}",
                code="key-missing",
                path=path,
                key_variable=KEY_VARIABLE,
            ) from None
        except (OSError, ValueError):
            key = b""
        if len(key) != _KEY_BYTES:
            raise LedgerError(
                f"{where} is not a valid key: write {2 * _KEY_BYTES} hexadecimal digits", code="invalid-key"
            )
        return cls(key, where)

    @classmethod
    def load_or_create(cls, path: Path) -> "TableCipher":
        """Load the key, or create it in a file that only its owner can read.

        Raises as ``load``.
        """
        if not os.environ.get(KEY_VARIABLE) and not path.exists():
            try:
                write_private_file(path, secrets.token_hex(_KEY_BYTES) + "\n")
            except OSError as error:
                raise LedgerError(
                    f"the tables' key cannot be written to {path}: {error.strerror}", code="cannot-write", path=path
                ) from None
        return cls.load(path)

    def derive_key(self, purpose: str) -> bytes:
        """Derive another key of 32 bytes for a purpose.

        The derivation is HKDF-SHA256 of RFC 5869, without a salt.
        """
        info = f"pitboss {purpose}".encode()
        return HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(self._key)

    def encrypt(self, text: str, location: str) -> str:
        """Encrypt a text for a location."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return (nonce + self._aead.encrypt(nonce, text.encode(), location.encode())).hex()

    def decrypt(self, text: str, location: str) -> str:
        """Decrypt a text that was encrypted for a location.

        Raises:
            LedgerError: it was encrypted for another location, or with another key.
        """
        try:
            data = bytes.fromhex(text)
            return self._aead.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], location.encode()).decode()
        except (InvalidTag, ValueError):
            raise LedgerError(
                f"{location} cannot be decrypted with the key in {self._key_source}",
                code="other-key",
                location=location,
                key_source=self._key_source,
            ) from None

    def verify_fingerprint(self, fingerprint: str) -> None:
        """Check that tables were encrypted with this key.

        Raises:
            LedgerError: they were encrypted with another key.
        """
        if fingerprint != self.fingerprint:
            raise LedgerError(
                f"the key in {self._key_source} is not the key of these tables: put back the key that encrypted them",
                code="other-key",
                key_source=self._key_source,
            )
