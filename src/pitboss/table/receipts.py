"""Receipts of guests for provably fair rounds, signed by the house.

A receipt is signed before any seed is shown.  It names every seat that is dealt in and the hash that each is bound to.
So the house cannot replace, drop or add a seed once it knows the guest's.  Ed25519 is deterministic (RFC 8032), so a
receipt is not stored and can be issued again.  ``docs/fair-shuffle.md`` specifies its bytes.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import Field, ValidationError, field_validator, model_validator

from pitboss.core.errors import PitbossError
from pitboss.core.files import read_text
from pitboss.core.strict_model import StrictModel, first_error
from pitboss.ledger.public_keys import find_key_fault, is_signed_by
from pitboss.table.fair_shuffle import VERSION, SeatSeed, bind_fields, pack_fields
from pitboss.table.round.history_schema import DIGEST, OPTIONAL_DIGEST, RoundNumber, TableName


class ReceiptError(PitbossError):
    """An error for a receipt or a house key that is not valid."""


class BoundSeat(StrictModel):
    """A seat that is dealt in, and the hash of its seed ("" for none)."""

    seat: Annotated[int, Field(ge=1, le=6)]
    hash: Annotated[str, Field(pattern=OPTIONAL_DIGEST)]


class Receipt(StrictModel):
    """The house's promise to one seat.

    ``seats`` are all seats that are dealt in, in ascending order.
    """

    version: str
    game: str
    table: TableName
    round: RoundNumber
    seat: Annotated[int, Field(ge=1, le=6)]
    commitment: Annotated[str, Field(pattern=DIGEST)]
    seats: Annotated[tuple[BoundSeat, ...], Field(min_length=1, max_length=6)]
    key: Annotated[str, Field(pattern=DIGEST)]
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]

    @field_validator("key")
    @classmethod
    def _verify_key(cls, key: str) -> str:
        if fault := find_key_fault(key):
            raise ValueError(fault)
        return key

    @model_validator(mode="after")
    def _verify_order(self) -> Self:
        numbers = [each.seat for each in self.seats]
        if numbers != sorted(set(numbers)):
            raise ValueError(f"seats {', '.join(map(str, numbers))} are not in ascending order, each once")
        return self

    @property
    def signed_bytes(self) -> bytes:
        """The bytes that are signed: all fields except the key and the signature."""
        fields = str(self.seat).encode(), self.game.encode(), self.commitment.encode()
        seats = [pack_fields([str(each.seat).encode(), each.hash.encode()]) for each in self.seats]
        return pack_fields(bind_fields("receipt", self.table, self.round, *fields, *seats))

    def is_signed_by(self, key: str) -> bool:
        """Return whether a public key, in hexadecimal digits, signed this receipt."""
        return is_signed_by(key, self.signed_bytes, self.signature)


class HouseKey:
    """The key with which the house signs receipts."""

    def __init__(self, secret: bytes) -> None:
        """Use 32 secret bytes as an Ed25519 private key."""
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(
        self, game: str, table: str, round_number: int, seat: int, commitment: str, seats: Iterable[SeatSeed]
    ) -> Receipt:
        """Return a seat's signed receipt."""
        bound_seats = tuple(BoundSeat(seat=each.seat, hash=each.hash) for each in sorted(seats))
        unsigned = Receipt(
            version=VERSION,
            game=game,
            table=table,
            round=round_number,
            seat=seat,
            commitment=commitment,
            seats=bound_seats,
            key=self.public,
            signature="0" * 128,
        )
        return unsigned.model_copy(update={"signature": self._key.sign(unsigned.signed_bytes).hex()})


def format_receipt(receipt: Receipt) -> str:
    """Format a receipt as one line of JSON.

    Parsing the line gives the same receipt, and formatting that gives the same line.
    """
    return json.dumps(receipt.model_dump(mode="json"), separators=(",", ":")) + "\n"


def parse_receipt(text: str, where: str = "the receipt") -> Receipt:
    """Read a receipt from JSON.

    Raises:
        ReceiptError: it is not JSON, of another version, or a field is missing, unknown or not valid.
    """
    try:
        data = json.loads(text, object_pairs_hook=_reject_duplicate_keys)
        if isinstance(data, dict) and isinstance(data.get("version"), str) and data["version"] != VERSION:
            raise ReceiptError(
                f"{where} is of version {data['version']}: this program verifies {VERSION}",
                code="other-version",
                version=VERSION,
            )
        return Receipt.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise ReceiptError(f"{where}: {first_error(error)}", code="invalid-document") from None
    except (ValueError, RecursionError) as error:
        raise ReceiptError(f"{where} is not JSON: {error}", code="invalid-document") from None


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Reject an object that has the same name twice.

    Readers would differ in which of the two they take.
    """
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("one object has the same name twice")
    return data


def read_receipt(path: Path) -> Receipt:
    """Read a receipt from a file.

    Raises as ``parse_receipt``, also if the file cannot be read.
    """
    return parse_receipt(read_text(path, ReceiptError), str(path))
