"""Writes the test vectors of the provably fair shuffle into ``fair-shuffle.md``, between its two marks.

Run by ``make pages``, or by hand: ``python docs/vectors.py``.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pitboss.cards import DECK_52, DECK_53, DECK_54, draw_below, format_cards, seeded_bits
from pitboss.games import load_game
from pitboss.table.fair_shuffle import (
    VERSION,
    SeatSeed,
    bind_fields,
    build_fair_seats,
    compute_commitment,
    derive_bits,
    draw_deck_orders,
    hash_seed,
    pack_fields,
)
from pitboss.table.receipts import HouseKey, format_receipt
from pitboss.table.round.history_schema import FairRecord
from pitboss.table.round.history_writer import build_history, format_history
from pitboss.table.session import (
    HOUSE,
    BetStake,
    CallTime,
    DealRound,
    ExternalInputs,
    PlaceWagers,
    RevealSeed,
    TableSession,
    TableTerms,
    TakeAction,
    TakeSeat,
    choose_house_command,
    handle_command,
    open_table,
    replay_events,
)
from pitboss.table.session.fair_seeds import list_fixed_seats
from pitboss.table.session.state import prepare_round

PAGE = Path(__file__).parent / "fair-shuffle.md"
BEGIN, END = "<!-- vectors: written by docs/vectors.py -->\n", "<!-- end of vectors -->\n"

SECRET = bytes(range(32))
SIGNING_SECRET = bytes(range(32, 64))
TABLE, ROUND = "t1", 7
SEEDS = {2: "ann", 5: "0f" * 32}
_WORDS = 12


def primitives() -> dict[str, Any]:
    """Return the values of every step of one shuffle, and the decks it gives."""
    hashes = {seat: hash_seed(seed, TABLE, ROUND, seat) for seat, seed in SEEDS.items()}
    seats = [SeatSeed(2, hashes[2], SEEDS[2]), SeatSeed(3, "", ""), SeatSeed(5, hashes[5], SEEDS[5])]
    parts = [pack_fields([str(each.seat).encode(), each.seed.encode()]) for each in seats]
    salted = pack_fields(bind_fields("seeds", TABLE, ROUND, *parts))
    salt, info = sha256(salted).digest(), pack_fields(bind_fields("deck", TABLE, ROUND))
    octets = derive_bits(SECRET, TABLE, ROUND, seats)
    bits = derive_bits(SECRET, TABLE, ROUND, seats)
    house = HouseKey(SIGNING_SECRET)
    receipt = house.sign("lunar", TABLE, ROUND, 2, compute_commitment(SECRET, TABLE, ROUND), seats)
    return {
        "version": VERSION,
        "table": TABLE,
        "round": ROUND,
        "secret": SECRET.hex(),
        "committed_bytes": pack_fields(bind_fields("house", TABLE, ROUND, SECRET)).hex(),
        "commitment": compute_commitment(SECRET, TABLE, ROUND),
        "seats": [each._asdict() for each in seats],
        "salted_bytes": salted.hex(),
        "salt": salt.hex(),
        "info": info.hex(),
        "key": HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(SECRET).hex(),
        "stream": "".join(f"{octets(8):02x}" for _ in range(64)),
        "first_draws_of_52": [draw_below(last + 1, bits) for last in range(51, 51 - _WORDS, -1)],
        "decks": {
            str(deck.size): {
                "deck": format_cards(drawn.deck, deck),
                "second_order": format_cards(drawn.spare, deck),
                "deck_codes": list(drawn.deck),
            }
            for deck in (DECK_52, DECK_53, DECK_54)
            for drawn in (draw_deck_orders(deck, derive_bits(SECRET, TABLE, ROUND, seats)),)
        },
        "signing_secret": SIGNING_SECRET.hex(),
        "house_key": house.public,
        "receipt_bytes": receipt.signed_bytes.hex(),
        "receipt": json.loads(format_receipt(receipt)),
    }


class _Table:
    """A table on memory alone, whose seats are bound to seeds, but for seat 4."""

    def __init__(self, game: str, seats: Sequence[int] = (1, 3, 4), seed: int = 1) -> None:
        """Open it with chance from a fixed seed, and close the wagers of its first round."""
        self.chance, self.house = ExternalInputs(seeded_bits(seed)), HouseKey(SIGNING_SECRET)
        self.bound = [seat for seat in seats if seat != 4]
        self.now = replay_events(open_table("t1", TableTerms(game=game, fair=True), self.chance))
        for seat in seats:
            self.do(TakeSeat(seat=seat, cents=100_000, name=f"p{seat}"), f"p{seat}")
        for seat in seats:
            hashed = hash_seed(f"seed of {seat}", "t1", 1, seat) if seat in self.bound else ""
            stakes = tuple(BetStake(bet=wager.id, cents=1_000) for wager in load_game(game).wagers if wager.mandatory)
            self.do(PlaceWagers(seat=seat, stakes=stakes, seed_hash=hashed), f"p{seat}")
        self.do(DealRound(), f"p{seats[0]}")
        self.locked = self.now

    def show(self) -> None:
        """Have every bound seat show its seed."""
        for seat in self.bound:
            self.do(RevealSeed(seat=seat, seed=f"seed of {seat}"), f"p{seat}")

    def decide(self, choose: Callable[[int, Sequence[str]], str]) -> None:
        """Play the round: ``choose`` is given the seat and its legal actions; given up are the lowest codes held."""
        while self.now.turn is not None and self.now.round is not None:
            legal = {action.id: action for action in self.now.round.list_legal_actions()}
            action = legal[choose(self.now.turn, list(legal))]
            cards = _first_held(self.now, action.discards)
            self.do(TakeAction(seat=self.now.turn, action=action.id, cards=cards), f"p{self.now.turn}")

    def do(self, command: Any, by: str, at: int = 100) -> None:
        """Do a command, and what the house does at once after it."""
        self.now = replay_events(handle_command(self.now, command, by, at, self.chance), self.now)
        while (follows := choose_house_command(self.now)) is not None:
            self.now = replay_events(handle_command(self.now, follows, HOUSE, at, self.chance), self.now)

    def receipt(self, seat: int) -> str:
        """Return a seat's receipt, as its file holds it."""
        now = self.locked
        return format_receipt(self.house.sign(now.terms.game, "t1", 1, seat, now.commitment, list_fixed_seats(now)))

    def history(self) -> str:
        """Return the round's history, as its file holds it."""
        now = self.now
        played = now.round or prepare_round(self.locked, now.round_seats)
        fair = FairRecord(
            version=VERSION,
            table="t1",
            round=1,
            commitment=now.last_commitment,
            secret=now.revealed_secret,
            seats=build_fair_seats(now.seeds),
        )
        return format_history(build_history(played).model_copy(update={"fair": fair, "pitboss": "", "settlements": []}))


def settled() -> tuple[str, str]:
    """Play a round of Lunar Poker in which seat 1 draws cards; return its history and the receipt of seat 1."""
    table = _Table("lunar")
    table.show()
    drew: list[int] = []

    def choose(seat: int, legal: Sequence[str]) -> str:
        if "exchange-2" in legal and not drew:
            drew.append(seat)
            return "exchange-2"
        return "fold"

    table.decide(choose)
    return table.history(), table.receipt(1)


def renewed() -> tuple[str, str]:
    """Play Lunar Poker with six seats, of which the third folds, so that cards come back, and Force takes another."""
    table = _Table("lunar", range(1, 7), seed=2)
    table.show()

    def choose(seat: int, legal: Sequence[str]) -> str:
        wanted = ("fold",) if seat == 3 else ("buy",) if seat == 6 else ("exchange-5",)
        return next(action for action in (*wanted, "force", "play") if action in legal)

    table.decide(choose)
    return table.history(), table.receipt(2)


def jokers() -> tuple[str, str]:
    """Play Wild 52 with three seats, where the Joker is dealt; return the history and the receipt of seat 5."""
    table = _Table("wild-52", (2, 4, 5), seed=1)
    table.show()
    table.decide(lambda seat, legal: "fold" if seat == 4 else "check" if seat == 2 and "check" in legal else legal[1])
    return table.history(), table.receipt(5)


def _first_held(now: TableSession, count: int) -> tuple[str, ...]:
    """Return the first cards that the seat to decide holds, in the order of their codes."""
    if now.round is None or now.round.turn is None or not count:
        return ()
    held, deck = now.round.get_view(now.round.turn[0]).player, now.round.game.deck
    cards = [card for card in deck.cards if held >> card & 1]
    return tuple(format_cards(tuple(cards[:count]), deck).split())


def void() -> tuple[str, str]:
    """Have seat 3 withhold its seed; return the history of the void round and the receipt of seat 1."""
    table = _Table("six-card")
    table.do(RevealSeed(seat=1, seed="seed of 1"), "p1")
    table.do(CallTime(), HOUSE, 1_000)
    return table.history(), table.receipt(1)


def vectors() -> str:
    """Return what stands between the marks of the page."""
    parts = ["Every step of one shuffle:", _block("json", json.dumps(primitives(), indent=1))]
    records = {
        "A settled round": (settled(), 1),
        "A round in which cards come back. Before p5 draws, 2 cards are left of the deck": (renewed(), 2),
        "A round with the Joker, community cards and a seat that folds": (jokers(), 5),
        "A void round": (void(), 1),
    }
    for words, ((history, receipt), seat) in records.items():
        parts += [
            f"{words}. Its history:",
            _block("toml", history),
            f"and the receipt of seat {seat}:",
            _block("json", receipt),
        ]
    return "\n\n".join(parts) + "\n"


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"


def page(text: str) -> str:
    """Return the page with its vectors written again."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + vectors() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
