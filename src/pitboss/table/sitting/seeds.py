"""The seeds of a provably fair table: who is bound to one, what the deck is drawn from, and a round that is void."""

from typing import Any

from pitboss.cards import Deck
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError
from pitboss.table.domain.form import describe_void
from pitboss.table.fair import (
    SECRET_BYTES,
    VERSION,
    Decks,
    SeatSeed,
    commitment,
    decks,
    missing_seeds,
    seed_hash,
    stream,
)
from pitboss.table.sitting.commands import Seed, Wager
from pitboss.table.sitting.events import Committed, Voided
from pitboss.table.sitting.state import Sitting
from pitboss.table.sitting.terms import Terms

Json = dict[str, Any]


def commit_house(terms: Terms, table: str, number: int, bits: BitSource) -> tuple[Committed, ...]:
    """Return what binds the house to a new secret for a round; nothing where the shuffle is not provably fair."""
    if not terms.fair:
        return ()
    secret = bits(8 * SECRET_BYTES).to_bytes(SECRET_BYTES, "big")
    bound = commitment(secret, table, number)
    return (Committed(round=number, commitment=bound, secret=secret.hex(), version=VERSION),)


def verify_seed_hash(now: Sitting, command: Wager) -> None:
    """Check the hash that comes with wagers.

    Raises:
        IllegalActionError: the table takes no seeds, or none from this seat, or an older method is in force.
    """
    if not command.seed_hash:
        return
    if not now.terms.fair:
        raise IllegalActionError("this table's shuffle takes no seeds: leave seed_hash out")
    if not now.standing.may_add_seed(command.seat):
        raise IllegalActionError(
            f"seat {command.seat} has withheld a seed and adds none at this table any more: leave seed_hash out"
        )


def verify_seed(now: Sitting, command: Seed) -> None:
    """Check a seed that is shown.

    Raises:
        IllegalActionError: the seat is bound to no seed or has shown it, or this is another.
    """
    held = now.seats[command.seat]
    if not held.seed_hash or not held.stakes:
        raise IllegalActionError(f"seat {command.seat} is bound to no seed: hand in its hash with your wagers")
    if held.seed:
        raise IllegalActionError(f"seat {command.seat} has shown its seed already")
    if seed_hash(command.seed, now.standing.table, now.standing.number, command.seat) != held.seed_hash:
        raise IllegalActionError("this seed does not have the hash that was handed in: show the seed that has")


def seeds_awaited(now: Sitting) -> tuple[int, ...]:
    """Return the seats that are bound to a seed and have not shown it."""
    return missing_seeds(now.entered)


def draw_decks(now: Sitting, deck: Deck, bits: BitSource) -> Decks:
    """Draw the chance of a round: provably fair from the secret and the seeds, else from ``bits``.

    Raises:
        IllegalActionError: the house is bound by an older method.
    """
    if not now.terms.fair:
        return decks(deck, bits)
    if now.version != VERSION:
        raise IllegalActionError(f"this table was opened with {now.version}, not {VERSION}: open another")
    return decks(deck, stream(bytes.fromhex(now.secret), now.standing.table, now.standing.number, now.entered))


def void_round(now: Sitting, at: int, bits: BitSource) -> tuple[Voided | Committed, ...]:
    """Return what calls a round off: all wagers go back, its secret is shown, and the house is bound for the next."""
    number = now.standing.number
    voided = Voided(round=number, seats=seeds_awaited(now), revealed=now.secret, at=at)
    return (voided, *commit_house(now.terms, now.standing.table, number + 1, bits))


def receipt_seat(now: Sitting, holder: str) -> int | None:
    """Return the seat for which somebody is owed a receipt, of the round in play or the last; None for none."""
    if now.locked:
        holders = {each.seat: now.seats[each.seat].holder for each in now.entered}
    else:
        holders = dict(zip(now.playing, now.holders, strict=True))
    bound = {each.seat for each in fixed_seats(now) if each.hash}
    return next((seat for seat, who in holders.items() if who == holder and seat in bound), None)


def fixed_seats(now: Sitting) -> tuple[SeatSeed, ...]:
    """Return the seats of the round whose wagers are closed, in play, or the last; no seed before the deal."""
    return tuple(each._replace(seed="") for each in now.entered) if now.locked else now.seeds


def show_fairness(now: Sitting, seat: int | None) -> Json | None:
    """Return what a seat is shown of a provably fair shuffle: never the secret of a round that is not settled."""
    if not now.terms.fair:
        return None
    held = now.seats.get(seat) if seat is not None else None
    number = now.standing.number if now.locked else now.dealt_number
    return {
        "version": VERSION,
        "commitment": now.commitment or None,
        "awaited": list(seeds_awaited(now)) if now.locked else [],
        "round": number,
        "seats": [each._asdict() for each in fixed_seats(now)],
        "receipt": receipt_seat(now, held.holder) if held else None,
        "adds": seat is not None and held is not None and now.standing.may_add_seed(seat),
        "void": _void(now),
        "last": {"round": now.dealt_number, "commitment": now.dealt_commitment, "secret": now.revealed}
        if now.revealed
        else None,
        "faults": list(now.standing.faults),
    }


def _void(now: Sitting) -> Json | None:
    if not now.void or now.locked:
        return None
    text = describe_void(now.dealt_number, now.void)
    return {"round": now.dealt_number, "seats": list(now.void), "text": text}
