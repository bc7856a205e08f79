"""Public keys of Ed25519 (RFC 8032), and the signatures that they verify.

Under a public key of small order, signatures exist that hold for any message.  No private key has such a public key,
so none is accepted, nor is an encoding that RFC 8032 does not produce.
"""

import re
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_PRIME = 2**255 - 19
_D = -121_665 * pow(121_666, -1, _PRIME) % _PRIME
"""The curve is -x**2 + y**2 = 1 + d * x**2 * y**2 modulo the prime (RFC 8032, 5.1)."""


@lru_cache(64)
def find_key_fault(public_key: str) -> str:
    """Describe the fault of a public key in hexadecimal digits; "" if it has none.

    Whether the curve has the point is left to the verification: no signature holds under a key that has none.

    >>> find_key_fault("01" + "00" * 31)
    'any signature can hold under it (its point has a small order)'
    """
    if not re.fullmatch("[0-9a-f]{64}", public_key):
        return "write 64 hexadecimal digits, 0-9 and a-f"
    y = int.from_bytes(bytes.fromhex(public_key), "little") % 2**255  # the highest bit is the sign of x
    if _has_small_order(y % _PRIME):
        return "any signature can hold under it (its point has a small order)"
    if y >= _PRIME:
        return "it is not an encoding of RFC 8032 (its y is not below 2**255 - 19)"
    return ""


def _has_small_order(y: int) -> bool:
    """Return whether the order of the points with this y divides 8.

    The points of order 1 and 2 have y = 1 and -1, those of order 4 have y = 0.  Twice a point has y = 0 where
    x**2 = -y**2, which is d * y**4 + 2 * y**2 = 1 on the curve: those points have order 8.
    """
    return y in {0, 1, _PRIME - 1} or (_D * y**4 + 2 * y**2 - 1) % _PRIME == 0


def is_signed_by(public_key: str, message: bytes, signature: str) -> bool:
    """Return whether a valid public key has signed a message.

    Key and signature are hexadecimal digits.
    """
    if find_key_fault(public_key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True
