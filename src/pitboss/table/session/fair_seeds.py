"""The seeds of a provably fair table: bound seats, draws and void rounds."""

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
    hash_seed,
)
from pitboss.table.round.history_schema import describe_void
from pitboss.table.session.commands import PlaceWagers, RevealSeed
from pitboss.table.session.events import RoundVoided, SecretCommitted
from pitboss.table.session.state import TableSession
from pitboss.table.session.terms import TableTerms

Json = dict[str, Any]


def commit_house(terms: TableTerms, table: str, number: int, bits: BitSource) -> tuple[SecretCommitted, ...]:
    """Return the event that binds the house to a new secret for a round.

    There is none if the shuffle is not provably fair.
    """
    if not terms.fair:
        return ()
    secret = bits(8 * SECRET_BYTES).to_bytes(SECRET_BYTES, "big")
    commitment = compute_commitment(secret, table, number)
    return (SecretCommitted(round=number, commitment=commitment, secret=secret.hex(), version=VERSION),)


def verify_seed_hash(session: TableSession, command: PlaceWagers) -> None:
    """Check the hash that comes with wagers.

    Raises:
        IllegalActionError: the table takes no seeds, or none from this seat.
    """
    if not command.seed_hash:
        return
    if not session.terms.fair:
        raise IllegalActionError("this table's shuffle takes no seeds: leave seed_hash out", code="no-seeds-here")
    if not session.snapshot.can_add_seed(command.seat):
        raise IllegalActionError(
            f"seat {command.seat} has withheld a seed and cannot add another at this table: leave seed_hash out",
            code="seed-withheld",
            seat=command.seat,
        )


def verify_seed(session: TableSession, command: RevealSeed) -> None:
    """Check a seed that is shown.

    Raises:
        IllegalActionError: the seat is not bound to a seed or has shown it, or this is another seed.
    """
    holder = session.seats[command.seat]
    if not holder.seed_hash or not holder.stakes:
        raise IllegalActionError(
            f"seat {command.seat} is not bound to a seed: hand in its hash with your wagers",
            code="seed-not-bound",
            seat=command.seat,
        )
    if holder.seed:
        raise IllegalActionError(
            f"seat {command.seat} has shown its seed already", code="seed-shown", seat=command.seat
        )
    if hash_seed(command.seed, session.snapshot.table, session.snapshot.number, command.seat) != holder.seed_hash:
        raise IllegalActionError(
            "this seed does not have the hash that was handed in: show the seed with that hash", code="other-seed"
        )


def find_awaited_seeds(session: TableSession) -> tuple[int, ...]:
    """Find the seats that are bound to a seed and have not shown it."""
    return tuple(each.seat for each in session.entrants if each.hash and not each.seed)


def draw_round_decks(session: TableSession, deck: Deck, bits: BitSource) -> DeckOrders:
    """Draw the card orders of a round.

    A provably fair table draws them from the secret and the seeds, any other from ``bits``.

    Raises:
        IllegalActionError: the house is bound by an older method.
    """
    if not session.terms.fair:
        return draw_deck_orders(deck, bits)
    if session.fair_version != VERSION:
        raise IllegalActionError(
            f"this table was opened with {session.fair_version}, not {VERSION}: open another",
            code="other-version",
            fair_version=session.fair_version,
            version=VERSION,
        )
    return draw_deck_orders(
        deck,
        derive_bits(bytes.fromhex(session.secret), session.snapshot.table, session.snapshot.number, session.entrants),
    )


def void_round(session: TableSession, at: int, bits: BitSource) -> tuple[RoundVoided | SecretCommitted, ...]:
    """Return the events that void a round.

    Wagers go back, the secret is shown, and the house commits to the next round.
    """
    number = session.snapshot.number
    voided = RoundVoided(round=number, seats=find_awaited_seeds(session), revealed=session.secret, at=at)
    return (voided, *commit_house(session.terms, session.snapshot.table, number + 1, bits))


def find_receipt_seat(session: TableSession, holder: str) -> int | None:
    """Find the seat for which a holder is owed a receipt, None if there is none.

    The receipt is of the round in play, or of the last.
    """
    if session.is_locked:
        holders = {each.seat: session.seats[each.seat].holder for each in session.entrants}
    else:
        holders = dict(zip(session.round_seats, session.round_holders, strict=True))
    bound = {each.seat for each in list_fixed_seats(session) if each.hash}
    return next((seat for seat, who in holders.items() if who == holder and seat in bound), None)


def list_fixed_seats(session: TableSession) -> tuple[SeatSeed, ...]:
    """List the seats of the round in play, or of the last, with their seeds.

    They are listed once the wagers are closed; seeds are left out before the deal.
    """
    return tuple(each._replace(seed="") for each in session.entrants) if session.is_locked else session.seeds


def build_fairness_view(session: TableSession, seat: int | None) -> Json | None:
    """Build a seat's view of a provably fair shuffle.

    It never has the secret of a round that is not settled.
    """
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
