"""The seeds of a provably fair table: who is bound to one, what the deck is drawn from, and a round that is void."""

from typing import Any

from pitboss.cards import Deck
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError
from pitboss.table.fair_shuffle import (
    SECRET_BYTES,
    VERSION,
    DeckOrders,
    SeatSeed,
    compute_commitment,
    derive_bits,
    draw_deck_orders,
    find_missing_seeds,
    hash_seed,
)
from pitboss.table.round.history_schema import describe_void
from pitboss.table.session.commands import PlaceWagers, ShowSeed
from pitboss.table.session.events import RoundVoided, SecretCommitted
from pitboss.table.session.state import TableSession
from pitboss.table.session.terms import TableTerms

Json = dict[str, Any]


def commit_house(terms: TableTerms, table: str, number: int, bits: BitSource) -> tuple[SecretCommitted, ...]:
    """Return what binds the house to a new secret for a round; nothing where the shuffle is not provably fair."""
    if not terms.fair:
        return ()
    secret = bits(8 * SECRET_BYTES).to_bytes(SECRET_BYTES, "big")
    bound = compute_commitment(secret, table, number)
    return (SecretCommitted(round=number, commitment=bound, secret=secret.hex(), version=VERSION),)


def verify_seed_hash(session: TableSession, command: PlaceWagers) -> None:
    """Check the hash that comes with wagers.

    Raises:
        IllegalActionError: the table takes no seeds, or none from this seat, or an older method is in force.
    """
    if not command.seed_hash:
        return
    if not session.terms.fair:
        raise IllegalActionError("this table's shuffle takes no seeds: leave seed_hash out")
    if not session.snapshot.can_add_seed(command.seat):
        raise IllegalActionError(
            f"seat {command.seat} has withheld a seed and adds none at this table any more: leave seed_hash out"
        )


def verify_seed(session: TableSession, command: ShowSeed) -> None:
    """Check a seed that is shown.

    Raises:
        IllegalActionError: the seat is bound to no seed or has shown it, or this is another.
    """
    held = session.seats[command.seat]
    if not held.seed_hash or not held.stakes:
        raise IllegalActionError(f"seat {command.seat} is bound to no seed: hand in its hash with your wagers")
    if held.seed:
        raise IllegalActionError(f"seat {command.seat} has shown its seed already")
    if hash_seed(command.seed, session.snapshot.table, session.snapshot.number, command.seat) != held.seed_hash:
        raise IllegalActionError("this seed does not have the hash that was handed in: show the seed that has")


def find_awaited_seeds(session: TableSession) -> tuple[int, ...]:
    """Return the seats that are bound to a seed and have not shown it."""
    return find_missing_seeds(session.entrants)


def draw_round_decks(session: TableSession, deck: Deck, bits: BitSource) -> DeckOrders:
    """Draw the chance of a round: provably fair from the secret and the seeds, else from ``bits``.

    Raises:
        IllegalActionError: the house is bound by an older method.
    """
    if not session.terms.fair:
        return draw_deck_orders(deck, bits)
    if session.fair_version != VERSION:
        raise IllegalActionError(f"this table was opened with {session.fair_version}, not {VERSION}: open another")
    return draw_deck_orders(
        deck,
        derive_bits(bytes.fromhex(session.secret), session.snapshot.table, session.snapshot.number, session.entrants),
    )


def void_round(session: TableSession, at: int, bits: BitSource) -> tuple[RoundVoided | SecretCommitted, ...]:
    """Return what calls a round off: all wagers go back, its secret is shown, and the house is bound for the next."""
    number = session.snapshot.number
    voided = RoundVoided(round=number, seats=find_awaited_seeds(session), revealed=session.secret, at=at)
    return (voided, *commit_house(session.terms, session.snapshot.table, number + 1, bits))


def find_receipt_seat(session: TableSession, holder: str) -> int | None:
    """Return the seat for which somebody is owed a receipt, of the round in play or the last; None for none."""
    if session.is_locked:
        holders = {each.seat: session.seats[each.seat].holder for each in session.entrants}
    else:
        holders = dict(zip(session.round_seats, session.round_holders, strict=True))
    bound = {each.seat for each in list_fixed_seats(session) if each.hash}
    return next((seat for seat, who in holders.items() if who == holder and seat in bound), None)


def list_fixed_seats(session: TableSession) -> tuple[SeatSeed, ...]:
    """Return the seats of the round whose wagers are closed, in play, or the last; no seed before the deal."""
    return tuple(each._replace(seed="") for each in session.entrants) if session.is_locked else session.seeds


def build_fairness_view(session: TableSession, seat: int | None) -> Json | None:
    """Return what a seat is shown of a provably fair shuffle: never the secret of a round that is not settled."""
    if not session.terms.fair:
        return None
    held = session.seats.get(seat) if seat is not None else None
    number = session.snapshot.number if session.is_locked else session.last_round_number
    return {
        "version": VERSION,
        "commitment": session.commitment or None,
        "awaited": list(find_awaited_seeds(session)) if session.is_locked else [],
        "round": number,
        "seats": [each._asdict() for each in list_fixed_seats(session)],
        "receipt": find_receipt_seat(session, held.holder) if held else None,
        "adds": seat is not None and held is not None and session.snapshot.can_add_seed(seat),
        "void": _build_void_notice(session),
        "last": {
            "round": session.last_round_number,
            "commitment": session.last_commitment,
            "secret": session.revealed_secret,
        }
        if session.revealed_secret
        else None,
        "faults": list(session.snapshot.faults),
    }


def _build_void_notice(session: TableSession) -> Json | None:
    if not session.withholding_seats or session.is_locked:
        return None
    text = describe_void(session.last_round_number, session.withholding_seats)
    return {"round": session.last_round_number, "seats": list(session.withholding_seats), "text": text}
