"""A verifier of provably fair rounds, written from the page docs/fair-shuffle.md alone.

It shares no code with pitboss and needs only the standard library. It checks all that the page specifies
but the game's own rules: which decisions are allowed, and what the wagers come to.
"""

import hashlib
import hmac
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

Table = dict[str, Any]
Point = tuple[int, int, int, int]
Deal = tuple[str, list[int]]

VERSION = "pitboss-fair-2"
HIGHEST_NUMBER = 2**53 - 1
HIGHEST_SEAT = 6

DECK_SIZES = {"six-card": 52, "lunar": 52, "shifting-wilds": 52, "wild-52": 53, "wild-six-card": 54}
FIRST_DEALS = {
    "six-card": [("seats", 6), ("dh dealer", 6)],
    "lunar": [("seats", 5), ("dh dealer", 5)],
    "shifting-wilds": [("w1", 1), ("w2", 1), ("db", 2), ("seats", 4), ("dh dealer", 4)],
    "wild-52": [("seats", 5), ("dh dealer", 5), ("db", 2)],
    "wild-six-card": [("seats", 5), ("dh dealer", 5)],
}
LUNAR_KEPT_BACK = 1
JOKERS: dict[int, list[str]] = {52: [], 53: ["Jk"], 54: ["Jk1", "Jk2"]}

RECEIPT_FIELDS = {"version", "game", "table", "round", "seat", "commitment", "seats", "key", "signature"}


# Byte strings, hashes and the commitment


def pack(*fields: bytes) -> bytes:
    """Join byte strings, each behind its length in eight bytes."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def encode_text(text: str) -> bytes:
    """Turn a text into bytes."""
    return text.encode("utf-8")


def encode_number(number: int) -> bytes:
    """Turn a number into the bytes of its decimal digits."""
    return str(number).encode("ascii")


def pack_label(label: str, table: str, round_number: int) -> list[bytes]:
    """List the four fields with which most packed byte strings begin."""
    return [encode_text(VERSION), encode_text(label), encode_text(table), encode_number(round_number)]


def pack_commitment(table: str, round_number: int, secret: bytes) -> bytes:
    """Give the bytes whose hash is the commitment."""
    return pack(*pack_label("house", table, round_number), secret)


def make_commitment(table: str, round_number: int, secret: bytes) -> str:
    """Compute the commitment of the house to its secret."""
    return hashlib.sha256(pack_commitment(table, round_number, secret)).hexdigest()


def hash_seed(table: str, round_number: int, seat: int, seed: str) -> str:
    """Compute the hash of a seat's seed."""
    fields = pack_label("seat", table, round_number)
    return hashlib.sha256(pack(*fields, encode_number(seat), encode_text(seed))).hexdigest()


# The key and the stream


def pack_seeds(table: str, round_number: int, seats: Sequence[tuple[int, str]]) -> bytes:
    """Give the bytes whose hash is the salt, from each seat with its seed."""
    parts = [pack(encode_number(seat), encode_text(seed)) for seat, seed in sorted(seats)]
    return pack(*pack_label("seeds", table, round_number), *parts)


def pack_info(table: str, round_number: int) -> bytes:
    """Give the info that goes into the key."""
    return pack(*pack_label("deck", table, round_number))


def derive_key(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """Derive the key of 32 bytes with HKDF-SHA256."""
    pseudo_random_key = hmac.digest(salt, secret, "sha256")
    return hmac.digest(pseudo_random_key, info + b"\x01", "sha256")


def derive_round_key(secret: bytes, table: str, round_number: int, seats: Sequence[tuple[int, str]]) -> bytes:
    """Derive the key of a round from the secret and each seat's seed."""
    salt = hashlib.sha256(pack_seeds(table, round_number, seats)).digest()
    return derive_key(secret, salt, pack_info(table, round_number))


def rotate_left(word: int, bits: int) -> int:
    """Rotate a word of 32 bits."""
    return ((word << bits) | (word >> (32 - bits))) & 0xFFFFFFFF


def mix_quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """Do the ChaCha quarter round on four places of the state."""
    for first, second, third, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[first] = (state[first] + state[second]) & 0xFFFFFFFF
        state[third] = rotate_left(state[third] ^ state[first], bits)


def make_block(key: bytes, counter: int) -> bytes:
    """Compute one ChaCha20 block of 64 bytes under a nonce of zeros."""
    data = b"expand 32-byte k" + key + counter.to_bytes(4, "little") + bytes(12)
    start = [int.from_bytes(data[place : place + 4], "little") for place in range(0, 64, 4)]
    state = list(start)
    for _ in range(10):
        for column in range(4):
            mix_quarter(state, column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            mix_quarter(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    words = [(mixed + old) & 0xFFFFFFFF for mixed, old in zip(state, start, strict=True)]
    return b"".join(word.to_bytes(4, "little") for word in words)


def make_stream(key: bytes) -> Iterator[int]:
    """Give the bytes of the key stream, one by one."""
    for counter in range(2**32):
        yield from make_block(key, counter)


# Numbers, decks and cards


def draw_number(stream: Iterator[int], limit: int) -> int:
    """Draw a number below the limit from the stream, by rejection."""
    mask = (1 << (limit - 1).bit_length()) - 1
    while True:
        number = next(stream) & mask
        if number < limit:
            return number


def shuffle_codes(stream: Iterator[int], cards: int) -> list[int]:
    """Shuffle the codes of a deck."""
    codes = list(range(cards))
    for last in range(cards - 1, 0, -1):
        other = draw_number(stream, last + 1)
        codes[last], codes[other] = codes[other], codes[last]
    return codes


def draw_decks(
    secret: bytes, table: str, round_number: int, seats: Sequence[tuple[int, str]], cards: int
) -> tuple[list[int], list[int]]:
    """Draw the deck and the second order of a round; a seat that is not bound has the empty seed."""
    stream = make_stream(derive_round_key(secret, table, round_number, seats))
    deck = shuffle_codes(stream, cards)
    return deck, shuffle_codes(stream, cards)


def list_names(cards: int) -> list[str]:
    """List the names of a deck's cards in the order of their codes."""
    return [rank + suit for suit in "shdc" for rank in "23456789TJQKA"] + JOKERS[cards]


def name_cards(codes: Sequence[int], cards: int) -> str:
    """Write cards with a space between them."""
    names = list_names(cards)
    return " ".join(names[code] for code in codes)


def parse_cards(word: str, cards: int) -> list[int]:
    """Read cards that are written together; raise ValueError where one is no card of the deck."""
    names = list_names(cards)
    codes = []
    place = 0
    while place < len(word):
        length = len(JOKERS[cards][0]) if JOKERS[cards] and word.startswith("Jk", place) else 2
        name = word[place : place + length]
        if name not in names:
            raise ValueError(f"{name!r} is no card of this deck")
        codes.append(names.index(name))
        place += length
    return codes


# Ed25519, as in RFC 8032

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
NEUTRAL: Point = (0, 1, 1, 0)


def find_x(y: int, odd: int) -> int:
    """Find the x of a point from its y; raise ValueError where there is none."""
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if (x * x - square) % PRIME or (x == 0 and odd):
        raise ValueError("no point of the curve")
    return x if x % 2 == odd else PRIME - x


def decode_point(data: bytes) -> Point:
    """Read a point from its 32 bytes; raise ValueError where they are none."""
    number = int.from_bytes(data, "little")
    y = number & (2**255 - 1)
    if y >= PRIME:
        raise ValueError("no point of the curve")
    x = find_x(y, number >> 255)
    return x, y, 1, x * y % PRIME


def encode_point(point: Point) -> bytes:
    """Write a point in 32 bytes."""
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x % 2) << 255).to_bytes(32, "little")


def add_points(first: Point, second: Point) -> Point:
    """Add two points in extended coordinates."""
    a = (first[1] - first[0]) * (second[1] - second[0]) % PRIME
    b = (first[1] + first[0]) * (second[1] + second[0]) % PRIME
    c = 2 * first[3] * second[3] * CURVE % PRIME
    d = 2 * first[2] * second[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def multiply_point(factor: int, point: Point) -> Point:
    """Multiply a point by a number."""
    total = NEUTRAL
    while factor:
        if factor % 2:
            total = add_points(total, point)
        point = add_points(point, point)
        factor //= 2
    return total


def get_base() -> Point:
    """Give the base point."""
    return decode_point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def hash_number(*parts: bytes) -> int:
    """Hash bytes with SHA-512 to a number below the order of the base point."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def verify_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether an Ed25519 signature holds."""
    if len(key) != 32 or len(signature) != 64:
        return False
    number = int.from_bytes(signature[32:], "little")
    try:
        public, commitment = decode_point(key), decode_point(signature[:32])
    except ValueError:
        return False
    challenge = hash_number(signature[:32], key, message)
    wanted = add_points(commitment, multiply_point(challenge, public))
    return number < ORDER and encode_point(multiply_point(number, get_base())) == encode_point(wanted)


def check_key(digits: str) -> None:
    """Check that a public key is none under which any signature may hold; raise ValueError where it is."""
    key = bytes.fromhex(digits)
    y = int.from_bytes(key, "little") & (2**255 - 1)
    require(y < PRIME, "the key's y is not below the prime")
    require(y not in {1, PRIME - 1}, "the key's point has an order of 1 or 2")
    try:
        point = decode_point(key)
    except ValueError:  # no signature holds under what is no point
        return
    require(
        encode_point(multiply_point(8, point)) != encode_point(NEUTRAL), "the key's point has an order of 8 or less"
    )


def expand_private(private: bytes) -> tuple[int, bytes]:
    """Expand a private key to its number and its prefix."""
    digest = hashlib.sha512(private).digest()
    number = int.from_bytes(digest[:32], "little")
    return (number & (2**254 - 8)) | 2**254, digest[32:]


def make_public_key(private: bytes) -> bytes:
    """Compute the public key of a private key."""
    return encode_point(multiply_point(expand_private(private)[0], get_base()))


def sign_bytes(private: bytes, message: bytes) -> bytes:
    """Sign bytes with Ed25519; only the test vectors need it."""
    number, prefix = expand_private(private)
    nonce = hash_number(prefix, message)
    commitment = encode_point(multiply_point(nonce, get_base()))
    challenge = hash_number(commitment, make_public_key(private), message)
    return commitment + ((nonce + challenge * number) % ORDER).to_bytes(32, "little")


# The form of histories and receipts


def require(condition: object, message: str) -> None:
    """Raise ValueError with this message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def take_text(value: object, name: str, longest: int | None = None) -> str:
    """Return a value that is a printable text, not empty."""
    if not isinstance(value, str) or not re.fullmatch(r"[\x20-\x7e]+", value):
        raise ValueError(f"{name} is no text of printable ASCII")
    require(longest is None or len(value) <= longest, f"{name} is too long")
    return value


def take_digits(value: object, name: str, digits: int) -> str:
    """Return a value that is this many lower-case hexadecimal digits."""
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{digits}}}", value):
        raise ValueError(f"{name} is not {digits} lower-case hexadecimal digits")
    return value


def take_number(value: object, name: str, lowest: int, highest: int = HIGHEST_NUMBER) -> int:
    """Return a value that is a whole number within limits."""
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise ValueError(f"{name} is no whole number from {lowest} to {highest}")
    return value


def take_list(value: object, name: str) -> list[Any]:
    """Return a value that is a list."""
    if isinstance(value, list):
        return value
    raise ValueError(f"{name} is no list")


def take_table(value: object, name: str) -> Table:
    """Return a value that is a table."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{name} is no table")


def check_round(source: Table) -> None:
    """Check the fields that a receipt and the fair part of a history share."""
    require(source.get("version") == VERSION, f"version is not {VERSION}")
    table = take_text(source.get("table"), "table")
    require(bool(re.fullmatch(r"[a-z0-9-]{1,32}", table)), "table is not 1 to 32 small letters, digits and hyphens")
    take_number(source.get("round"), "round", 1)
    take_digits(source.get("commitment"), "commitment", 64)


def check_fair_seat(entry: object) -> None:
    """Check the form of one seat in a history."""
    seat = take_table(entry, "an entry of _fair.seats")
    number = take_number(seat.get("seat"), "seat", 1, HIGHEST_SEAT)
    if "hash" in seat:
        take_digits(seat["hash"], f"hash of seat {number}", 64)
    if "seed" in seat:
        take_text(seat["seed"], f"seed of seat {number}", 128)


def check_options(history: Table) -> None:
    """Check the option that says whether cards may come back."""
    options = take_table(history.get("_options", {}), "_options")
    if history["variant"] == "lunar":
        allowed = options.get("short_deck", "reshuffle") in ("reshuffle", "refuse")
        require(allowed, "_options.short_deck is neither reshuffle nor refuse")


def check_history(history: object) -> Table:
    """Check the form of a history; raise ValueError where the page does not allow it."""
    record = take_table(history, "the history")
    take_text(record.get("variant"), "variant")
    for ante in take_list(record.get("antes"), "antes"):
        take_number(ante, "an entry of antes", 0)
    for action in take_list(record.get("actions", []), "actions"):
        take_text(action, "an action")
    for name in ("_settlements", "_awards"):
        take_list(record.get(name, []), name)
    check_options(record)
    fair = take_table(record.get("_fair"), "_fair")
    check_round(fair)
    if fair.get("secret", "") != "":
        take_digits(fair["secret"], "secret", 64)
    for entry in take_list(fair.get("seats"), "_fair.seats"):
        check_fair_seat(entry)
    return record


def check_receipt_seat(entry: object) -> int:
    """Check the form of one seat in a receipt and return its number."""
    seat = take_table(entry, "an entry of seats")
    require(set(seat) == {"seat", "hash"}, "an entry of seats has not just the fields seat and hash")
    number = take_number(seat["seat"], "seat", 1, HIGHEST_SEAT)
    if seat["hash"] != "":
        take_digits(seat["hash"], f"hash of seat {number}", 64)
    return number


def check_receipt(receipt: object) -> Table:
    """Check the form of a receipt; raise ValueError where the page does not allow it."""
    record = take_table(receipt, "the receipt")
    missing, other = RECEIPT_FIELDS - set(record), set(record) - RECEIPT_FIELDS
    require(not missing, f"the receipt lacks {', '.join(sorted(missing))}")
    require(not other, f"the receipt has other fields: {', '.join(map(repr, sorted(other)))}")
    check_round(record)
    take_text(record["game"], "game")
    take_number(record["seat"], "seat", 1, HIGHEST_SEAT)
    numbers = [check_receipt_seat(entry) for entry in take_list(record["seats"], "seats")]
    require(is_ascending(numbers), "seats are not in ascending order")
    take_digits(record["key"], "key", 64)
    check_key(record["key"])
    take_digits(record["signature"], "signature", 128)
    return record


def is_ascending(numbers: Sequence[int]) -> bool:
    """Tell whether numbers stand in ascending order and none stands twice."""
    return list(numbers) == sorted(set(numbers))


def read_history(text: str) -> Table:
    """Read a history from its TOML."""
    try:
        return check_history(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no history: {' '.join(str(error).split())}") from None


def refuse_doubles(pairs: list[tuple[str, Any]]) -> Table:
    """Make a table of a JSON object; raise ValueError where a name stands twice."""
    require(len(pairs) == len(dict(pairs)), "a name stands twice")
    return dict(pairs)


def read_receipt(text: str) -> Table:
    """Read a receipt from its JSON."""
    try:
        require(text.endswith("\n"), "no line feed at the end")
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text[:-1])
        require(not re.search(r"\s", bare), "white space between its parts")
        return check_receipt(json.loads(text, object_pairs_hook=refuse_doubles))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no receipt: {' '.join(str(error).split())}") from None


# Faults of a record


def find_faults(history: Table, receipts: Sequence[Table] = (), house_key: str = "") -> list[str]:
    """Find each way in which a record does not hold or does not keep to a receipt."""
    try:
        record = check_history(history)
    except ValueError as error:
        return [f"history: {error}"]
    faults = find_seat_faults(record) + find_secret_faults(record["_fair"]) + find_seed_faults(record["_fair"])
    faults += find_void_faults(record) if list_lacking(record) else find_play_faults(record)
    return faults + find_receipts_faults(record, receipts, house_key)


def list_lacking(history: Table) -> list[int]:
    """List the bound seats that did not show their seed."""
    return [entry["seat"] for entry in history["_fair"]["seats"] if "hash" in entry and "seed" not in entry]


def find_seat_faults(history: Table) -> list[str]:
    """Find faults in the list of seats."""
    numbers = [entry["seat"] for entry in history["_fair"]["seats"]]
    faults = []
    if not numbers:
        faults.append("no seat is dealt in")
    if not is_ascending(numbers):
        faults.append("_fair.seats is not in ascending order, or has a seat twice")
    if len(numbers) != len(history["antes"]):
        faults.append("_fair.seats has not as many entries as antes")
    return faults


def find_secret_faults(fair: Table) -> list[str]:
    """Find faults of the secret."""
    if not fair.get("secret"):
        return ["the house never opened its secret"]
    if make_commitment(fair["table"], fair["round"], bytes.fromhex(fair["secret"])) != fair["commitment"]:
        return ["the secret does not have this commitment"]
    return []


def find_seed_faults(fair: Table) -> list[str]:
    """Find seeds without their hash."""
    faults = []
    for entry in fair["seats"]:
        seat = entry["seat"]
        if "seed" in entry and "hash" not in entry:
            faults.append(f"seat {seat} has a seed but no hash")
        elif "seed" in entry and hash_seed(fair["table"], fair["round"], seat, entry["seed"]) != entry["hash"]:
            faults.append(f"the seed of seat {seat} does not have its hash")
    return faults


def find_void_faults(history: Table) -> list[str]:
    """Find what a void round must not have."""
    seats = ", ".join(map(str, list_lacking(history)))
    return [
        f"{name} is not empty, though the round is void: no seed of seat {seats}"
        for name in ("actions", "_settlements", "_awards")
        if history.get(name)
    ]


def find_play_faults(history: Table) -> list[str]:
    """Find faults of a round that was played."""
    actions: list[str] = history.get("actions", [])
    variant: str = history["variant"]
    if not actions:
        return ["nothing was dealt, but no bound seat lacks its seed"]
    if variant not in DECK_SIZES:
        return [f"the cards cannot be checked: {variant!r} is no game of the page"]
    try:
        deals = [parse_deal(action, DECK_SIZES[variant]) for action in actions if is_deal(action)]
    except ValueError as error:
        return [str(error)]
    faults = find_player_faults(actions, len(history["_fair"]["seats"]))
    faults += find_place_faults(deals, len(history["_fair"]["seats"]))
    faults += find_first_deal_faults(deals, variant, len(history["_fair"]["seats"]))
    return faults + find_card_faults(history, deals)


def is_deal(action: str) -> bool:
    """Tell whether an action deals cards."""
    return action.startswith("d ")


def parse_deal(action: str, cards: int) -> Deal:
    """Read to which place an action deals which cards."""
    words = action.split(" ")
    place = " ".join(words[1:-1])
    require(len(words) > 2 and bool(words[-1]), f"{action!r} deals no cards")
    try:
        return place, parse_cards(words[-1], cards)
    except ValueError as error:
        raise ValueError(f"{action!r}: {error}") from None


def find_player_faults(actions: Sequence[str], count: int) -> list[str]:
    """Find decisions of players that are not at the table."""
    players = list_players(count)
    faults = []
    for action in actions:
        player = action.split(" ")[0]
        if re.fullmatch(r"p\d+", player) and player not in players:
            faults.append(f"{action!r}: there is no {player}")
    return faults


def find_place_faults(deals: Sequence[Deal], count: int) -> list[str]:
    """Find deals to places that the page does not name."""
    places = [f"dh {player}" for player in list_players(count)] + ["dh dealer", "db", "w1", "w2"]
    return [f"cards are dealt to {place!r}, which is no place" for place, _ in deals if place not in places]


def list_players(count: int) -> list[str]:
    """List the names that actions give to the seats."""
    return [f"p{number}" for number in range(1, count + 1)]


def list_first_places(variant: str, count: int) -> list[str]:
    """List the place of each card that is dealt first."""
    places: list[str] = []
    for place, cards in FIRST_DEALS[variant]:
        hands = [f"dh {player}" for player in list_players(count)] if place == "seats" else [place]
        places += [hand for hand in hands for _ in range(cards)]
    return places


def find_first_deal_faults(deals: Sequence[Deal], variant: str, count: int) -> list[str]:
    """Find whether the first cards go elsewhere than the game's table says."""
    places = [place for place, codes in deals for _ in codes]
    wanted = list_first_places(variant, count)
    return [] if places[: len(wanted)] == wanted else [f"the first deal is not that of {variant} for {count} seats"]


def may_come_back(history: Table) -> bool:
    """Tell whether cards may come back in a round."""
    return bool(history["variant"] == "lunar" and history.get("_options", {}).get("short_deck") != "refuse")


def find_card_faults(history: Table, deals: Sequence[Deal]) -> list[str]:
    """Find whether the cards dealt are other than the deck's."""
    fair = history["_fair"]
    numbers = [entry["seat"] for entry in fair["seats"]]
    if not fair.get("secret") or len(set(numbers)) != len(numbers):
        return ["the cards cannot be checked"]
    seats = [(entry["seat"], entry.get("seed", "") if "hash" in entry else "") for entry in fair["seats"]]
    cards = DECK_SIZES[history["variant"]]
    deck, second = draw_decks(bytes.fromhex(fair["secret"]), fair["table"], fair["round"], seats, cards)
    if may_come_back(history):
        return find_return_faults(history["actions"], deck, second)
    dealt = [code for _, codes in deals for code in codes]
    return [] if dealt == deck[: len(dealt)] else [describe_difference(dealt, deck, cards)]


def describe_difference(dealt: Sequence[int], deck: Sequence[int], cards: int) -> str:
    """Say which card is the first that is not the deck's."""
    if len(dealt) > len(deck):
        return "more cards are dealt than the deck has"
    place = next(place for place, code in enumerate(dealt) if code != deck[place])
    wanted, found = name_cards([deck[place]], cards), name_cards([dealt[place]], cards)
    return f"card {place + 1} dealt is {found}, but the deck's is {wanted}"


class LunarTable:
    """The cards of a round of Lunar, in which cards may come back."""

    def __init__(self, deck: Sequence[int], second: Sequence[int]) -> None:
        """Begin with the whole deck."""
        self.queue = list(deck)
        self.second = list(second)
        self.hands: dict[str, list[int]] = {}
        self.given_up: list[tuple[str, int]] = []
        self.put_back: set[int] = set()

    def deal(self, place: str, codes: Sequence[int]) -> None:
        """Take cards from the queue; raise ValueError where it has others."""
        if place != "dh dealer" and len(self.queue) < len(codes) + LUNAR_KEPT_BACK:
            self.return_cards(place)
        wanted = self.queue[: len(codes)]
        if wanted != list(codes):
            raise ValueError(f"the deck's cards are {name_cards(wanted, 52) or 'none'}")
        del self.queue[: len(codes)]
        self.hands.setdefault(place, []).extend(codes)

    def return_cards(self, place: str) -> None:
        """Put the cards that other seats gave up at the end of the queue, in the second order."""
        back = {code for giver, code in self.given_up if giver != place} - self.put_back
        self.queue += [code for code in self.second if code in back]
        self.put_back |= back

    def give_up(self, place: str, codes: Sequence[int]) -> None:
        """Take cards from a seat's hand; raise ValueError where it does not hold them."""
        hand = self.hands.get(place, [])
        for code in codes:
            if code not in hand:
                raise ValueError(f"the seat does not hold {name_cards([code], 52)}")
            hand.remove(code)
            self.given_up.append((place, code))

    def fold(self, place: str) -> None:
        """Give up the whole hand of a seat."""
        self.give_up(place, list(self.hands.get(place, [])))


def play_action(table: LunarTable, action: str) -> None:
    """Play one action at the table; raise ValueError where the cards are not so."""
    words = action.split(" ")
    if is_deal(action):
        table.deal(*parse_deal(action, 52))
    elif words[1:2] == ["sd"]:
        table.give_up(f"dh {words[0]}", parse_cards("".join(words[2:]), 52))
    elif words[1:] == ["f"]:
        table.fold(f"dh {words[0]}")


def find_return_faults(actions: Sequence[str], deck: Sequence[int], second: Sequence[int]) -> list[str]:
    """Find the first action of a Lunar round that does not agree with the deck and the second order."""
    table = LunarTable(deck, second)
    for action in actions:
        try:
            play_action(table, action)
        except ValueError as error:
            return [f"{action!r}: {error}"]
    return []


# Faults against receipts


def find_receipts_faults(history: Table, receipts: Sequence[Table], house_key: str) -> list[str]:
    """Find each way in which a record does not keep to receipts."""
    faults = []
    if house_key and not re.fullmatch(r"[0-9a-f]{64}", house_key):
        faults.append("the house's key is not 64 lower-case hexadecimal digits")
    elif house_key:
        try:
            check_key(house_key)
        except ValueError as error:
            faults.append(f"the house's key: {error}")
    checked = []
    for number, receipt in enumerate(receipts, 1):
        try:
            checked.append(check_receipt(receipt))
        except ValueError as error:
            faults.append(f"receipt {number}: {error}")
    if len({receipt["key"] for receipt in checked}) > 1:
        faults.append("the receipts are signed under different keys")
    for receipt in checked:
        seat = receipt["seat"]
        faults += [f"receipt of seat {seat}: {fault}" for fault in find_receipt_faults(history, receipt, house_key)]
    return faults


def find_receipt_faults(history: Table, receipt: Table, house_key: str) -> list[str]:
    """Find each way in which a record does not keep to one receipt."""
    fair = history["_fair"]
    faults = []
    if house_key and receipt["key"] != house_key:
        faults.append("its key is not the house's")
    if not holds_signature(receipt):
        faults.append("its signature does not hold")
    if receipt["game"] != history["variant"]:
        faults.append("its game is not the record's")
    shared = ("table", "round", "commitment")
    faults += [f"its {name} is not the record's" for name in shared if receipt[name] != fair[name]]
    listed = [(entry["seat"], entry["hash"]) for entry in receipt["seats"]]
    if listed != [(entry["seat"], entry.get("hash", "")) for entry in fair["seats"]]:
        faults.append("its seats and hashes are not the record's")
    if not dict(listed).get(receipt["seat"]):
        faults.append("its own seat does not stand in it with a hash")
    return faults


def pack_receipt(receipt: Table) -> bytes:
    """Give the bytes of a receipt that are signed."""
    seats = [pack(encode_number(entry["seat"]), encode_text(entry["hash"])) for entry in receipt["seats"]]
    fields = pack_label("receipt", receipt["table"], receipt["round"])
    texts = [encode_text(receipt["game"]), encode_text(receipt["commitment"])]
    return pack(*fields, encode_number(receipt["seat"]), *texts, *seats)


def holds_signature(receipt: Table) -> bool:
    """Tell whether the signature of a receipt holds under its key."""
    key, signature = bytes.fromhex(receipt["key"]), bytes.fromhex(receipt["signature"])
    return verify_signature(key, pack_receipt(receipt), signature)


def read_file(path: str) -> str:
    """Read a file as UTF-8, line ends as they are."""
    return Path(path).read_bytes().decode("utf-8")


def main(arguments: Sequence[str]) -> int:
    """Verify a history and its receipts: fair_verifier.py HISTORY [RECEIPT ...] [--key=KEY]."""
    paths = [argument for argument in arguments if not argument.startswith("--key=")]
    keys = [argument.removeprefix("--key=") for argument in arguments if argument.startswith("--key=")]
    if not paths:
        sys.stderr.write("usage: fair_verifier.py HISTORY [RECEIPT ...] [--key=KEY]\n")
        return 2
    try:
        receipts = [read_receipt(read_file(path)) for path in paths[1:]]
        faults = find_faults(read_history(read_file(paths[0])), receipts, keys[-1] if keys else "")
    except (OSError, ValueError) as error:
        faults = [str(error)]
    sys.stdout.write(("\n".join(faults) or "all holds (the game's rules and settlements are not checked)") + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
