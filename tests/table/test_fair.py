"""The provably fair shuffle: its vectors derived again by hand, its bits without bias, its records tampered with."""

import hmac
import struct
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from cli.conftest import Invoke, invoke
from pitboss.cards import DECK_52, draw_below, format_cards, parse_cards, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import HistoryError, IllegalActionError
from pitboss.table.fair_shuffle import (
    VERSION,
    SeatSeed,
    compute_commitment,
    convert_bytes_to_bits,
    derive_bits,
    draw_deck_orders,
    hash_seed,
    pack_fields,
)
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.round.events import StubReshuffled
from pitboss.table.round.history import parse_history
from pitboss.table.round.history_writer import format_history
from pitboss.table.session import (
    HOUSE,
    CallTime,
    DealRound,
    PlaceWagers,
    RevealSeed,
    TableSession,
    TableTerms,
    TakeAction,
    build_view,
    replay_events,
)
from pitboss.table.session.commands import TableCommand
from pitboss.table.session.events import SecretCommitted
from refusals import refusal
from table.fair_rounds import record
from table.seated import done, lowest_wagers, seated, some_decision

__all__ = ["invoke"]

SECRET = bytes(range(32))
FAIR = TableTerms(game="lunar", fair=True, decide_seconds=20)
CARDS = DECK_52.size

# The method written a second time, from its description alone: HKDF of RFC 5869, ChaCha20 of RFC 8439.


def by_hand(secret: bytes, table: str, round_number: int, seeds: list[tuple[int, str]]) -> Iterator[int]:
    """Yield the bytes of a round's stream."""

    def fields(*each: bytes) -> bytes:
        return b"".join(struct.pack(">Q", len(field)) + field for field in each)

    about = (b"pitboss-fair-2", table.encode(), str(round_number).encode())
    parts = [fields(str(seat).encode(), seed.encode()) for seat, seed in seeds]
    salt = sha256(fields(about[0], b"seeds", *about[1:], *parts)).digest()
    extracted = hmac.digest(salt, secret, "sha256")
    key = hmac.digest(extracted, fields(about[0], b"deck", *about[1:]) + b"\x01", "sha256")
    for counter in range(2**32):
        yield from chacha_block(key, counter)


def chacha_block(key: bytes, counter: int) -> bytes:
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key), counter, 0, 0, 0]
    state = list(start)
    for _ in range(10):
        for a, b, c, d in (
            *((place, place + 4, place + 8, place + 12) for place in range(4)),
            *((place, 4 + (place + 1) % 4, 8 + (place + 2) % 4, 12 + (place + 3) % 4) for place in range(4)),
        ):
            for target, other, mixed, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[target] = (state[target] + state[other]) & 0xFFFFFFFF
                word = state[mixed] ^ state[target]
                state[mixed] = (word << turn | word >> (32 - turn)) & 0xFFFFFFFF
    return struct.pack("<16I", *((now + first) & 0xFFFFFFFF for now, first in zip(state, start, strict=True)))


def shuffled_by_hand(octets: Iterator[int], size: int = CARDS) -> list[int]:
    cards = list(range(size))
    for last in range(size - 1, 0, -1):
        width = last.bit_length()
        while (chosen := next(octets) % 2**width) > last:
            pass
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


HASHES = [hash_seed("ann", "t1", 1, 2), hash_seed("bo", "t1", 1, 5)]


@pytest.mark.parametrize(
    ("seeds", "first_cards", "first_spare"),
    [
        ([], "7c 4s Tc Qs Kh 3c 8s 2c 4h Ad", "4s Th 9s As Tc"),
        (
            [SeatSeed(5, "", ""), SeatSeed(2, HASHES[0], "ann")],
            "5d Kh 6d 4h Ks Ah 3s 4d 2c 9d",
            "Th Ks 4s Qd Ad",
        ),
    ],
)
def test_the_deck_of_a_secret_and_its_seeds(seeds: list[SeatSeed], first_cards: str, first_spare: str) -> None:
    drawn = draw_deck_orders(DECK_52, derive_bits(SECRET, "t1", 1, seeds))
    assert drawn.deck[:10] == parse_cards(first_cards, DECK_52)
    assert drawn.spare[:5] == parse_cards(first_spare, DECK_52)
    written = [(each.seat, each.seed) for each in sorted(seeds)]
    octets = by_hand(SECRET, "t1", 1, written)
    assert [shuffled_by_hand(octets), shuffled_by_hand(octets)] == [list(drawn.deck), list(drawn.spare)]


def test_what_binds_the_house_and_a_seat() -> None:
    assert compute_commitment(SECRET, "t1", 1) == "9bb3ac68a5ff43d388b177e647e0772ac3dc0cb727c55cd371b8c072f11215d2"
    assert HASHES[0] == "6e849bbb03db94b6e44713a06395c803b809a78728fe7468bc134dc20c0a17a4"
    words = [VERSION.encode(), b"house", b"t1", b"1", SECRET]
    written = b"".join(len(word).to_bytes(8, "big") + word for word in words)
    assert pack_fields(words) == written
    assert sha256(written).hexdigest() == compute_commitment(SECRET, "t1", 1)


def test_every_field_counts() -> None:
    seeds = [SeatSeed(2, HASHES[0], "ann")]
    others = [
        (bytes(32), "t1", 1, seeds),
        (SECRET, "t2", 1, seeds),
        (SECRET, "t1", 2, seeds),
        (SECRET, "t1", 1, []),
        (SECRET, "t1", 1, [SeatSeed(3, HASHES[0], "ann")]),
        (SECRET, "t1", 1, [SeatSeed(2, HASHES[0], "anna")]),
        (SECRET, "t1", 1, [SeatSeed(2, "", "")]),
        (SECRET, "t1", 1, [*seeds, SeatSeed(3, "", "")]),
        (SECRET, "t1", 1, seeds),
    ]
    drawn = [draw_deck_orders(DECK_52, derive_bits(*each)).deck for each in others]
    assert len(set(drawn)) == len(drawn)


# No bias.


@pytest.mark.more
def test_every_number_and_every_order_comes_from_equally_many_strings_of_bytes() -> None:
    """Every string of two bytes is fed: those that refuse nothing, or one draw, lead to each result equally often."""
    for limit in range(1, 9):
        numbers = Counter(
            draw_below(limit, _listed(octets)) for octets in product(range(256), repeat=2) if _serves(octets, limit)
        )
        assert len(set(numbers.values())) == 1
        assert set(numbers) == set(range(limit))
    orders: Counter[tuple[int, ...]] = Counter()
    for octets in product(range(16), repeat=4):
        try:
            orders[shuffle_cards(range(3), _listed(octets))] += 1
        except IndexError:
            continue
    assert set(orders) == set(permutations(range(3)))
    assert len(set(orders.values())) == 1


def _listed(octets: tuple[int, ...]) -> BitSource:
    left = list(octets)
    return convert_bytes_to_bits(lambda size: bytes(left.pop(0) for _ in range(size)))


def _serves(octets: tuple[int, ...], limit: int) -> bool:
    mask = (1 << (limit - 1).bit_length()) - 1
    return limit == 1 or any(octet & mask < limit for octet in octets)


def test_every_card_is_equally_often_in_every_place() -> None:
    seen, count = np.zeros((CARDS, CARDS)), 1_500
    for number in range(count):
        for cards in draw_deck_orders(DECK_52, derive_bits(SECRET, "t1", number, [])):
            seen[np.array(cards), np.arange(CARDS)] += 1
    expected = 2 * count / CARDS
    statistic = ((seen - expected) ** 2 / expected).sum() * (CARDS - 1) / CARDS
    assert stats.chi2.sf(statistic, (CARDS - 1) ** 2) > 1e-6


# At the table.


def bound(now: TableSession, seat: int, seed: str) -> PlaceWagers:
    made = hash_seed(seed, now.snapshot.table, now.snapshot.number, seat)
    return lowest_wagers(now, seat).model_copy(update={"seed_hash": made})


def fair_round() -> TableSession:
    """Play a round whose first two seats are bound to seeds."""
    now = seated(FAIR, 1, 2, 4)
    for seat, seed in ((1, "one"), (2, "two")):
        now = done(now, bound(now, seat, seed), f"p{seat}")
    now = done(now, lowest_wagers(now, 4), "p4")
    now = done(now, DealRound(), "p1")
    now = done(now, RevealSeed(seat=1, seed="one"), "p1")
    now = done(now, RevealSeed(seat=2, seed="two"), "p2")
    bits = seeded_bits(3)
    while now.turn is not None:
        now = done(now, some_decision(now, bits), f"p{now.turn}")
    return now


def test_the_house_is_bound_before_wagers_and_shows_its_secret_only_after_the_round() -> None:
    now = seated(FAIR, 1)
    first = build_view(now, 1)["fair"]
    assert len(first["commitment"]) == 64
    assert first["last"] is None
    now = done(done(now, bound(now, 1, "mine"), "p1"), DealRound(), "p1")
    assert build_view(now, 1)["next"]["step"] == "seed"
    assert build_view(now, None)["fair"]["awaited"] == [1]
    now = done(now, RevealSeed(seat=1, seed="mine"), "p1")
    assert now.secret not in str(build_view(now, 1))
    secret, bits = now.secret, seeded_bits(1)
    while now.turn is not None:
        now = done(now, some_decision(now, bits), "p1")
    told = build_view(now, None)["fair"]
    assert told["last"] == {"round": 1, "commitment": first["commitment"], "secret": secret}
    assert told["commitment"] != first["commitment"]
    assert compute_commitment(bytes.fromhex(secret), "t1", 1) == first["commitment"]


@pytest.mark.parametrize(
    ("command", "by", "code"),
    [
        (RevealSeed(seat=1, seed="other"), "p1", "other-seed"),
        (RevealSeed(seat=4, seed="four"), "p4", "seed-not-bound"),
        (DealRound(), HOUSE, "seed-awaited"),
        (PlaceWagers(seat=1, stakes=()), "p1", "wrong-phase"),
    ],
)
def test_between_wagers_and_cards_seeds_are_shown_and_nothing_else(command: TableCommand, by: str, code: str) -> None:
    now = seated(FAIR, 1, 4)
    now = done(done(now, bound(now, 1, "one"), "p1"), lowest_wagers(now, 4), "p4")
    now = done(now, DealRound(), "p1")
    with pytest.raises(IllegalActionError, check=refusal(code)):
        done(now, command, by, 105)


def test_seeds_are_not_waited_for_for_ever_even_where_decisions_are() -> None:
    now = seated(FAIR.model_copy(update={"decide_seconds": 0}), 1)
    now = done(done(now, bound(now, 1, "one"), "p1"), DealRound(), "p1")
    assert build_view(now, 1)["deadline"] == 130
    assert done(now, CallTime(), HOUSE, 130).withholding_seats == (1,)


def test_a_commitment_that_is_never_opened_is_a_fault_for_all_to_see() -> None:
    now = seated(FAIR, 1)
    other = SecretCommitted(round=1, commitment=compute_commitment(SECRET, "t1", 1), secret=SECRET.hex())
    assert build_view(replay_events((other,), now), None)["fair"]["faults"] == [
        "round 1: a commitment was never opened"
    ]


# The record, as it is and tampered with.

HELD = fair_round()
TEXT = format_history(record(HELD))


def _swapped() -> str:
    """Return the record with two cards of the first hand exchanged for two that were not dealt."""
    first = next(line for line in TEXT.splitlines() if "d dh p1 " in line)
    cards = first.split("d dh p1 ")[1][:10]
    return TEXT.replace(cards, cards[2:4] + cards[:2] + cards[4:])


TAMPERED = {
    "secret": (TEXT.replace(HELD.revealed_secret, "00" + HELD.revealed_secret[2:]), "commitment"),
    "commitment": (TEXT.replace(HELD.last_commitment, "00" + HELD.last_commitment[2:]), "commitment"),
    "table": (TEXT.replace('table = "t1"', 'table = "t2"'), "commitment"),
    "seed": (TEXT.replace('seed = "two"', 'seed = "too"'), "seed of seat 2"),
    "card": (_swapped(), "deck"),
    "seat": (TEXT.replace("seat = 4", "seat = 3"), "deck"),
    "dropped": (TEXT.replace(f'hash = "{HELD.seeds[1].hash}"\n', ""), "seed of seat 2"),
    "withheld": (TEXT.replace('seed = "two"\n', ""), "void"),
    "never opened": (TEXT.replace(f'secret = "{HELD.revealed_secret}"', 'secret = ""'), "commitment"),
}


def test_a_round_is_verified_line_by_line(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    path.write_text(TEXT, encoding="utf-8")
    result = invoke("verify", path)
    assert (result.status, result.err) == (0, "")
    *lines, note = result.out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "holds   commitment",
        "holds   seats",
        "holds   seed of seat 1",
        "holds   seed of seat 2",
        "holds   deck",
        "holds   round",
    ]
    assert note.startswith("note    no receipt was given, so the record only agrees with itself.")

    assert '"holds": true' in invoke("verify", path, "--json").out
    assert invoke("replay", path).status == 0


def test_nothing_is_said_to_hold_of_what_a_record_leaves_out(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    path.write_text(format_history(record(HELD).model_copy(update={"settlements": []})), encoding="utf-8")
    result = invoke("verify", path)
    assert "holds   round: dealt from this deck it follows the rules; the record does not say how" in result.out
    assert "settled to the same cent" not in result.out


@pytest.mark.parametrize("what", TAMPERED)
def test_a_record_that_was_tampered_with_fails(what: str, invoke: Invoke, tmp_path: Path) -> None:
    text, failing = TAMPERED[what]
    assert text != TEXT
    path = tmp_path / "round.toml"
    path.write_text(text, encoding="utf-8")
    result = invoke("verify", path)
    assert result.status == 1
    assert f"FAILED  {failing}: " in result.out


def test_a_round_that_was_shuffled_otherwise_has_nothing_to_verify() -> None:
    history = parse_history(TEXT)
    with pytest.raises(HistoryError, check=refusal("not-fair")):
        list(verify_fair_round(history.model_copy(update={"fair": None})))
    assert history.fair is not None
    other = history.fair.model_copy(update={"version": "pitboss-fair-9"})
    with pytest.raises(HistoryError, check=refusal("other-version", version="pitboss-fair-9")):
        list(verify_fair_round(history.model_copy(update={"fair": other})))


def test_a_seat_draws_from_cards_given_up_in_the_order_of_the_second_deck() -> None:
    """Six seats that exchange empty the stub (LU-11); the record of that is verified like any other."""
    bits = seeded_bits(11)
    now = seated(FAIR, 1, 2, 3, 4, 5, 6)
    for seat in range(1, 7):
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    now = done(now, DealRound(), "p1", bits=bits)
    while now.turn is not None and now.round is not None:
        place = now.round.turn[0] if now.round.turn else 0
        held = format_cards(now.round.get_view(place).player, DECK_52).split()
        legal = [action.id for action in now.round.list_legal_actions()]
        action = next((f"exchange-{n}" for n in (5, 4, 3, 2) if f"exchange-{n}" in legal), legal[0])
        cards = tuple(held[: int(action[-1])]) if action.startswith("exchange") else ()
        now = done(now, TakeAction(seat=now.turn, action=action, cards=cards), f"p{now.turn}")
    assert now.round is not None
    assert any(isinstance(event, StubReshuffled) for event in now.round.events)
    assert all(check.holds for check in verify_fair_round(record(now)))
