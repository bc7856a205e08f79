"""Public keys under which anything is signed are refused wherever a key is read."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from cli.conftest import Invoke, invoke
from oracle import fair_verifier as curve
from pitboss.ledger.public_keys import find_key_fault, is_signed_by
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.receipts import ReceiptError, format_receipt, parse_receipt
from pitboss.table.round.history_writer import format_history
from table.test_receipts import HELD

__all__ = ["invoke"]

SIGN = 2**255


def encode(y: int) -> list[bytes]:
    """Return every encoding of the points with a y, also those that nobody should write."""
    numbers = [number for number in (y, y + curve.PRIME) if number < SIGN]
    return [(number | sign).to_bytes(32, "little") for number in numbers for sign in (0, SIGN)]


@cache
def list_small_orders() -> tuple[bytes, ...]:
    """Return all encodings of the points of small order: multiples of points by the prime order."""
    points, y = set[bytes](), 2
    while len(points) < 8:
        try:
            point = curve.decode_point(y.to_bytes(32, "little"))
            points.add(curve.encode_point(curve.multiply_point(curve.ORDER, point)))
        except ValueError:
            pass
        y += 1
    ys = {int.from_bytes(each, "little") % SIGN for each in points}
    return tuple(sorted(each for y in ys for each in encode(y)))


def forge(key: bytes, message: bytes) -> str:
    """Return a signature that the bare library takes, made without any private key; "" if there is none."""
    for commitment in list_small_orders():
        signature = commitment + bytes(32)
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except InvalidSignature:
            continue
        return signature.hex()
    return ""


def test_the_points_of_small_order_are_eight_and_have_fourteen_encodings() -> None:
    small = list_small_orders()
    assert len(small) == len(set(small)) == 14
    for each in small:
        y = int.from_bytes(each, "little") % SIGN % curve.PRIME
        x = 0 if y in {1, curve.PRIME - 1} else curve.find_x(y, 0)
        eightfold = curve.multiply_point(8, (x, y, 1, x * y % curve.PRIME))
        assert curve.encode_point(eightfold) == curve.encode_point(curve.NEUTRAL)


def test_no_key_of_small_order_signs_anything_though_the_bare_library_believes_it() -> None:
    believed = 0
    for key in list_small_orders():
        assert find_key_fault(key.hex()).startswith("any signature can hold under it")
        for number in range(16):
            message = str(number).encode()
            signature = forge(key, message)
            believed += bool(signature)
            assert not signature or not is_signed_by(key.hex(), message, signature)
    assert believed > 14 * 4


def test_keys_that_are_no_encoding_are_refused_and_those_of_private_keys_are_not() -> None:
    for y in range(2, 19):
        for each in encode(y)[2:]:
            assert find_key_fault(each.hex()).startswith("it is not an encoding of RFC 8032"), y
    for number in range(64):
        private = Ed25519PrivateKey.from_private_bytes(sha256(str(number).encode()).digest())
        key = private.public_key().public_bytes_raw().hex()
        assert find_key_fault(key) == ""
        assert is_signed_by(key, b"message", private.sign(b"message").hex())
        assert not is_signed_by(key, b"another", private.sign(b"message").hex())


@pytest.mark.parametrize("key", [each.hex() for each in list_small_orders()])
def test_a_receipt_under_a_key_of_small_order_is_refused_by_both_verifiers(key: str) -> None:
    """The receipt names another deck, and is signed as well as such a key can sign."""
    history, forged = HELD.history, None
    for number in range(64):
        other = HELD.receipts[0].model_copy(update={"key": key, "commitment": sha256(str(number).encode()).hexdigest()})
        if signature := forge(bytes.fromhex(key), other.signed_bytes):
            forged = other.model_copy(update={"signature": signature})
            break
    if forged is None:  # the library believes no signature under some that are not canonical
        forged = HELD.receipts[0].model_copy(update={"key": key})
    text = format_receipt(forged)
    with pytest.raises(ReceiptError, match=r"^the receipt: key: any signature can hold under it"):
        parse_receipt(text)
    with pytest.raises(ValueError, match="key"):
        curve.read_receipt(text)
    assert any(
        "the house's key: " in each for each in curve.find_faults(curve.read_history(format_history(history)), [], key)
    )
    assert not all(each.holds for each in verify_fair_round(history, [forged], key))


def test_verify_refuses_such_a_key_in_a_line(invoke: Invoke, tmp_path: Path) -> None:
    path, receipt = tmp_path / "round.toml", tmp_path / "receipt.json"
    path.write_text(format_history(HELD.history), encoding="utf-8")
    key = list_small_orders()[0].hex()
    receipt.write_text(format_receipt(HELD.receipts[0].model_copy(update={"key": key})), encoding="utf-8")
    for given in (("--house-key", key), ("--receipt", receipt)):
        result = invoke("verify", path, *given)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
        assert "any signature can hold under it (its point has a small order)" in result.err
