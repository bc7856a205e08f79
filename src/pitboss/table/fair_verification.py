"""Verification of a provably fair round from its history and receipts.

It checks the commitment, the seeds, the deck, the settlements and the guests' receipts.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitboss.cards import format_card
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.table.fair_shuffle import (
    VERSION,
    DeckOrders,
    SeatSeed,
    compute_commitment,
    derive_bits,
    draw_deck_orders,
    hash_seed,
    make_fixed_shuffle,
)
from pitboss.table.receipts import Receipt
from pitboss.table.round.history import list_dealt_cards, replay_history
from pitboss.table.round.history_schema import FairRecord, History, describe_void

NO_RECEIPT_NOTE = (
    "no receipt was given, so the record only agrees with itself. It does not show that its commitment stood before "
    "wagers, nor that its seats and seeds are those of the table: give the receipt that your browser keeps, --receipt"
)


class FairCheck(NamedTuple):
    """The result of one check: its name, whether it holds, and the details."""

    name: str
    holds: bool
    text: str


def verify_fair_round(history: History, receipts: Iterable[Receipt] = (), house_key: str = "") -> Iterator[FairCheck]:
    """Check a provably fair round in the order of play, then its receipts.

    ``house_key`` must have signed the receipts.  Without it each receipt is checked with the key that it names, which
    must be the same in all.

    Raises:
        HistoryError: the shuffle was not provably fair, or used another method.
        PitbossError: the game or an option of it is not known.
    """
    fair = history.fair
    if fair is None:
        raise HistoryError(
            "this round was not dealt with a provably fair shuffle, which only tables of pitboss serve have: "
            "check its payments with pitboss replay",
            code="not-fair",
        )
    if fair.version != VERSION:
        raise HistoryError(
            f"this round was shuffled by {fair.version}: this program verifies {VERSION}",
            code="other-version",
            version=fair.version,
        )
    resolve_options(load_game(history.variant), history.options)
    if fair.secret:
        yield from _check_record(history, fair)
    else:
        yield FairCheck("commitment", holds=False, text="the house never opened it: nothing can be verified")
    all_receipts = list(receipts)
    for receipt in all_receipts:
        yield _check_receipt(history, fair, receipt, house_key)
    keys = sorted({receipt.key for receipt in all_receipts})
    if len(keys) > 1 and not house_key:
        yield FairCheck("key", holds=False, text=f"a house has one key, and the receipts name {' and '.join(keys)}")


def _check_record(history: History, fair: FairRecord) -> Iterator[FairCheck]:
    yield _check_commitment(fair)
    yield _check_seats(history, fair)
    yield from _check_seeds(fair)
    if fair.missing_seats:
        yield _check_void(history, fair)
        return
    seeds = [SeatSeed(each.seat, each.hash, each.seed) for each in fair.seats]
    game = load_game(history.variant)
    orders = draw_deck_orders(game.deck, derive_bits(bytes.fromhex(fair.secret), fair.table, fair.round, seeds))
    if not history.actions:
        wrong = "no card was dealt, though every seat showed its seed: the house may not call such a round off"
        yield FairCheck("deck", holds=False, text=wrong)
        return
    yield _check_deck(history, orders)
    yield _check_round(history, orders)


def _check_commitment(fair: FairRecord) -> FairCheck:
    computed = compute_commitment(bytes.fromhex(fair.secret), fair.table, fair.round)
    holds = computed == fair.commitment
    text = "the secret has the hash that was shown before wagers" if holds else f"the secret has the hash {computed}"
    return FairCheck("commitment", holds, text)


def _check_seats(history: History, fair: FairRecord) -> FairCheck:
    seats = [each.seat for each in fair.seats]
    if seats != sorted(set(seats)):
        return FairCheck("seats", holds=False, text="they are not in ascending order, each once")
    if len(seats) != len(history.antes):
        wrong = f"{len(seats)} are named, and {len(history.antes)} have placed an Ante"
        return FairCheck("seats", holds=False, text=wrong)
    return FairCheck("seats", holds=True, text=f"the Antes are those of seats {', '.join(map(str, seats))}")


def _check_seeds(fair: FairRecord) -> Iterator[FairCheck]:
    for each in fair.seats:
        name = f"seed of seat {each.seat}"
        if each.hash and not each.seed:
            yield FairCheck(name, holds=True, text="it was never shown: the round is void")
        elif each.hash or each.seed:
            holds = hash_seed(each.seed, fair.table, fair.round, each.seat) == each.hash
            yield FairCheck(name, holds, "it has the hash that was handed in" if holds else "it has another hash")


def _check_void(history: History, fair: FairRecord) -> FairCheck:
    """Check a void round: no card was dealt, and no chip moved."""
    holds = not (history.actions or history.settlements or history.awards)
    void = describe_void(fair.round, fair.missing_seats)
    if holds:
        return FairCheck("void", holds=True, text=f"{void} A record alone does not show who withheld")
    return FairCheck("void", holds=False, text=f"{void[:-1]}: yet the record deals cards or settles wagers")


def _check_deck(history: History, orders: DeckOrders) -> FairCheck:
    game = load_game(history.variant)
    try:
        dealt = list(dict.fromkeys(list_dealt_cards(history, game)))
    except HistoryError as error:
        return FairCheck("deck", holds=False, text=str(error))
    for place, (card, due) in enumerate(zip(dealt, orders.deck, strict=False), 1):
        if card != due:
            wrong = f"card {place} dealt is {format_card(card, game.deck)}, the deck has {format_card(due, game.deck)}"
            return FairCheck("deck", holds=False, text=wrong)
    return FairCheck("deck", holds=True, text=f"the {len(dealt)} cards dealt are the deck's, in its order")


def _check_round(history: History, orders: DeckOrders) -> FairCheck:
    try:
        replay_history(history, (orders.deck, make_fixed_shuffle(orders.spare)))
    except PitbossError as error:
        return FairCheck("round", holds=False, text=str(error))
    if not history.settlements:
        text = "dealt from this deck it follows the rules; the record does not say how it was settled"
        return FairCheck("round", holds=True, text=text)
    return FairCheck("round", holds=True, text="dealt from this deck it is settled to the same cent")


def _check_receipt(history: History, fair: FairRecord, receipt: Receipt, house_key: str) -> FairCheck:
    name = f"receipt of seat {receipt.seat}"
    wrong = _find_mismatch(history, fair, receipt, house_key or receipt.key)
    if wrong:
        return FairCheck(name, holds=False, text=wrong)
    by = "the house key" if house_key else f"the key {receipt.key}: check that this is the house's key"
    if receipt.seat in fair.missing_seats:
        agrees = "the record keeps to it, and says that this seat never showed its seed"
        return FairCheck(name, holds=True, text=f"{agrees}: if it did, the house has lost it; signed by {by}")
    return FairCheck(name, holds=True, text=f"the record keeps to it; signed by {by}")


def _find_mismatch(history: History, fair: FairRecord, receipt: Receipt, key: str) -> str:
    """Describe the first difference between a record and a receipt, "" if none."""
    if receipt.key != key or not receipt.is_signed_by(key):
        return f"it was not signed by the house key {key}"
    fields = {
        "game": (receipt.game, history.variant),
        "table": (receipt.table, fair.table),
        "round": (receipt.round, fair.round),
        "commitment": (receipt.commitment, fair.commitment),
    }
    for field, (bound, recorded) in fields.items():
        if bound != recorded:
            return f"it is of {field} {bound}, the record of {field} {recorded}"
    if not any(each.seat == receipt.seat and each.hash for each in receipt.seats):
        return f"it binds its own seat {receipt.seat} to no seed"
    bound_to = {each.seat: each.hash for each in receipt.seats}
    recorded_as = {each.seat: each.hash for each in fair.seats}
    for seat in sorted(bound_to.keys() | recorded_as.keys()):
        if seat not in recorded_as:
            return f"seat {seat} is missing in the record"
        if seat not in bound_to:
            return f"the record adds seat {seat}"
        if bound_to[seat] != recorded_as[seat]:
            return f"the record binds seat {seat} to another hash"
    if [each.seat for each in receipt.seats] != [each.seat for each in fair.seats]:
        return "the record has its seats in another order, or one of them twice"
    return ""
