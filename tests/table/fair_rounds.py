"""Provably fair rounds for tests: seats that bind and show seeds, the record of what came of it, and receipts."""

from typing import NamedTuple

from pitboss.cards import draw_below, format_card, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.table.fair_shuffle import build_fair_seats, hash_seed
from pitboss.table.receipts import HouseKey, Receipt, format_receipt
from pitboss.table.round.history_schema import FairRecord, History
from pitboss.table.round.history_writer import build_history, format_history
from pitboss.table.session import (
    HOUSE,
    CallTime,
    DealRound,
    PlaceWagers,
    RevealSeed,
    TableSession,
    TableTerms,
    TakeAction,
)
from pitboss.table.session.fair_seeds import find_receipt_seat, list_fixed_seats
from pitboss.table.session.state import prepare_round
from table.seated import done, lowest_wagers, seated, some_decision, some_wagers

KEY = HouseKey(bytes(range(32)))


def bind(now: TableSession, seat: int, seed: str, wager: PlaceWagers | None = None) -> TableSession:
    """Have a seat wager with the hash of a seed."""
    hashed = hash_seed(seed, now.snapshot.table, now.snapshot.number, seat)
    return done(now, (wager or lowest_wagers(now, seat)).model_copy(update={"seed_hash": hashed}), f"p{seat}")


def receipt_for(now: TableSession, seat: int) -> Receipt:
    """Return the receipt that a seat is given once wagers are closed."""
    assert find_receipt_seat(now, f"p{seat}") == seat
    number, bound = now.snapshot.number, now.commitment
    return KEY.sign(now.terms.game, now.snapshot.table, number, seat, bound, list_fixed_seats(now))


def record(now: TableSession, before: TableSession | None = None) -> History:
    """Write the last round down as the tables' record does; of a void one, the sitting before it was called off."""
    played = prepare_round(before, now.round_seats) if before else now.round
    assert played is not None
    fair = FairRecord(
        version=now.fair_version,
        table=now.snapshot.table,
        round=now.last_round_number,
        commitment=now.last_commitment,
        secret=now.revealed_secret,
        seats=build_fair_seats(now.seeds),
    )
    return build_history(played, deck=now.deck_back).model_copy(update={"fair": fair})


class Kept(NamedTuple):
    """What is left of a round: its record and each bound seat's receipt, as their files hold them."""

    history: str
    receipts: tuple[str, ...]


def play_some_round(game: Game, bits: BitSource) -> Kept:
    """Play a round at random: who is dealt in, who is bound, who withholds, what is wagered and decided."""
    refuses = any(option.name == "short_deck" for option in game.options) and not draw_below(3, bits)
    terms = TableTerms(game=game.id, fair=True, options={"short_deck": "refuse"} if refuses else {})
    chairs = sorted(shuffle_cards(range(1, 7), bits)[: 6 if not draw_below(3, bits) else 1 + draw_below(6, bits)])
    now = seated(terms, *chairs, bits=bits)
    anybody = bool(draw_below(5, bits))
    seeds = {seat: _some_seed(bits) for seat in chairs if anybody and draw_below(4, bits)}
    for seat in chairs:
        wager = some_wagers(now, seat, bits)
        wager = wager if wager.stakes else lowest_wagers(now, seat)
        now = bind(now, seat, seeds[seat], wager) if seat in seeds else done(now, wager, f"p{seat}")
    before = now = done(now, DealRound(), f"p{chairs[0]}", bits=bits)
    receipts = tuple(format_receipt(receipt_for(now, seat)) for seat in seeds)
    hidden = {seat for seat in seeds if not draw_below(2, bits)} if not draw_below(5, bits) else set()
    for seat, seed in seeds.items():
        if seat not in hidden:
            before = now = done(now, RevealSeed(seat=seat, seed=seed), f"p{seat}", 105, bits)
    if hidden:
        return Kept(format_history(record(done(now, CallTime(), HOUSE, 1_000), before)), receipts)
    while now.turn is not None:
        now = done(now, _some_greedy_decision(now, bits), f"p{now.turn}", bits=bits)
    return Kept(format_history(record(now)), receipts)


def _some_seed(bits: BitSource) -> str:
    """Return a text of 1 to 128 printable characters."""
    length = (1, 64, 128, 1 + draw_below(54, bits))[draw_below(4, bits)]
    return "".join(chr(32 + draw_below(54, bits) + draw_below(42, bits)) for _ in range(length))


def _some_greedy_decision(now: TableSession, bits: BitSource) -> TakeAction:
    """Choose at random, and mostly what takes the most cards: so the deck runs short at Lunar Poker."""
    assert now.round is not None
    assert now.turn is not None
    most = max(now.round.list_legal_actions(), key=lambda action: action.discards)
    if not most.discards or not draw_below(4, bits):
        return some_decision(now, bits)
    deck = now.round.game.deck
    held = now.round.get_view(now.round_seats.index(now.turn)).player
    cards = shuffle_cards([card for card in deck.cards if held >> card & 1], bits)[: most.discards]
    return TakeAction(seat=now.turn, action=most.id, cards=tuple(format_card(card, deck) for card in cards))
