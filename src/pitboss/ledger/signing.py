"""Heads signed with ed25519: stored elsewhere, they reveal a ledger whose tail was cut or that was rewritten."""

import json
import os
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitboss.ledger.chain import LedgerHead, to_canonical_json
from pitboss.ledger.errors import LedgerError


class Signer:
    """A signer with a private key from a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        """Read the key.

        Raises:
            LedgerError: the file does not hold a key.
        """
        try:
            self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text(encoding="ascii").strip()))
        except (OSError, ValueError):
            raise LedgerError(f"{path} holds no signing key: init wrote it next to the ledger") from None

    @classmethod
    def load_or_create(cls, path: Path) -> "Signer":
        """Return the signer of a key file, which is created if it does not exist."""
        if not path.exists():
            key = Ed25519PrivateKey.generate().private_bytes_raw().hex()
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(key + "\n")
        return cls(path)

    @property
    def public_key(self) -> str:
        """The public key, in hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """Return the signature of a text, in hexadecimal digits."""
        return self._key.sign(text.encode()).hex()

    def has_signed(self, text: str, signature: str) -> bool:
        """Return whether this key has signed a text."""
        return _is_signed_by(self.public_key, text, signature)


def _is_signed_by(public_key: str, text: str, signature: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def sign_head(head: LedgerHead, at: str, signer: Signer) -> str:
    """Return a signed head as a JSON document, to be stored elsewhere."""
    document = {**head._asdict(), "at": at, "public_key": signer.public_key}
    return json.dumps({**document, "signature": signer.sign(to_canonical_json(document))}, indent=2)


def read_head(text: str, public_key: str) -> LedgerHead:
    """Parse an exported head.

    Raises:
        LedgerError: the text is not an exported head, or was not signed by the key ``public_key``.
    """
    try:
        document: dict[str, Any] = json.loads(text)
        signature = document.pop("signature")
        head = LedgerHead(**{name: document[name] for name in LedgerHead._fields})
        is_same_key = document["public_key"] == public_key
        is_signed = is_same_key and _is_signed_by(public_key, to_canonical_json(document), signature)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LedgerError("this is not an exported head: export writes one") from None
    if not is_signed:
        raise LedgerError("this head was not signed by the key of this ledger")
    return head
