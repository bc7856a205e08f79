"""The provably fair shuffle; ``docs/fair-shuffle.md`` specifies it to the byte.

1. Before wagers the house shows its commitment: the SHA-256 of its own secret 32 bytes, bound to the version of this
   method, the table and the round.
2. With its wagers a seat may hand in the hash of a seed of its own.
3. Wagers are closed.  The seats that are dealt in and their hashes are now fixed.  Each seat that is bound to a seed
   gets a signed receipt of all this (``table.receipts``), and only then shows its seed.
4. The deck is drawn from the house's secret and all seeds.  A seed that is not shown in time voids the round.
5. After the round the house shows its secret, and anybody can recompute the deck.

Each field is hashed after its length, so that no two lists of fields have the same bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pitboss.cards import Deck, shuffle_deck
from pitboss.cards.shuffle import BitSource
from pitboss.table.round.history_schema import FAIR_VERSION, FairSeat
from pitboss.table.round.stub import Shuffle

VERSION = FAIR_VERSION
SECRET_BYTES = 32
_NONCE = bytes(16)  # a key serves one deck


class SeatSeed(NamedTuple):
    """A seat that is dealt in, the hash that it is bound to, and its seed.

    ``hash`` is "" for none, and ``seed`` is "" until it is shown.
    """

    seat: int
    hash: str
    seed: str


def pack_fields(fields: Iterable[bytes]) -> bytes:
    """Join fields, each after its length in eight bytes.

    >>> pack_fields([b"a", b"bc"]) == pack_fields([b"ab", b"c"])
    False
    """
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def bind_fields(purpose: str, table: str, round_number: int, *fields: bytes) -> list[bytes]:
    """Return fields after those that bind them to a purpose, table and round.

    The first of the four added fields binds them to a version of the method.
    """
    return [VERSION.encode(), purpose.encode(), table.encode(), str(round_number).encode(), *fields]


def compute_commitment(secret: bytes, table: str, round_number: int) -> str:
    """Compute the hash that binds the house to its secret for one round.

    The hash is in hexadecimal digits.

    >>> compute_commitment(bytes(32), "t1", 1)[:16]
    'fc70906b53462646'
    """
    return sha256(pack_fields(bind_fields("house", table, round_number, secret))).hexdigest()


def hash_seed(seed: str, table: str, round_number: int, seat: int) -> str:
    """Compute the hash that binds a seat to its seed, in hexadecimal digits."""
    return sha256(pack_fields(bind_fields("seat", table, round_number, str(seat).encode(), seed.encode()))).hexdigest()


def derive_bits(secret: bytes, table: str, round_number: int, seeds: Sequence[SeatSeed]) -> BitSource:
    """Derive the random bits of one round from its secret and seeds.

    The bits come from ChaCha20 under a key from the secret, the seats that are dealt in and their seeds.
    """
    parts = [pack_fields([str(each.seat).encode(), each.seed.encode()]) for each in sorted(seeds)]
    salt = sha256(pack_fields(bind_fields("seeds", table, round_number, *parts))).digest()
    info = pack_fields(bind_fields("deck", table, round_number))
    key = HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(secret)
    cipher = Cipher(ChaCha20(key, _NONCE), mode=None).encryptor()
    return convert_bytes_to_bits(lambda size: cipher.update(bytes(size)))


def convert_bytes_to_bits(draw: Callable[[int], bytes]) -> BitSource:
    """Turn a source of bytes into a source of bits.

    Each draw takes as few whole bytes as it needs, the highest byte first, and drops surplus bits.

    >>> convert_bytes_to_bits(lambda size: bytes([255] * size))(6)
    63
    """
    return lambda count: int.from_bytes(draw(-(-count // 8)), "big") & ((1 << count) - 1)


class DeckOrders(NamedTuple):
    """The card orders of a round: its deck and its reshuffled discards.

    ``spare`` is the order in which discards come back if the stub runs out.
    """

    deck: tuple[int, ...]
    spare: tuple[int, ...]


def build_fair_seats(seeds: Iterable[SeatSeed]) -> list[FairSeat]:
    """Build the record of a round's seats; a missing hash or seed is left out.

    >>> build_fair_seats([SeatSeed(4, "", "")])[0].model_dump(exclude_defaults=True)
    {'seat': 4}
    """
    return [FairSeat.model_validate({name: each for name, each in seed._asdict().items() if each}) for seed in seeds]


def draw_deck_orders(deck: Deck, bits: BitSource) -> DeckOrders:
    """Draw the card orders of a round.

    Cards that come back are ordered as in a second shuffle of the whole deck.  The order of any few cards in it is
    uniform too, and it is fixed before anybody decides (LU-11).
    """
    return DeckOrders(shuffle_deck(deck, bits), shuffle_deck(deck, bits))


def make_fixed_shuffle(order: Sequence[int]) -> Shuffle:
    """Return a shuffle that puts cards into the order that they have in ``order``."""
    return lambda cards: tuple(card for card in order if card in set(cards))
