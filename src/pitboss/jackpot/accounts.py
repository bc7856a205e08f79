"""The double entry: each event's postings, in units of 1/10,000 cent.

Assets are positive, liabilities negative, and the postings of an entry add up to zero.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    HitEntered,
    OwedAward,
    ProgressiveCreated,
    ProgressiveEvent,
    Reversal,
    RoundEnded,
    RoundOpened,
)
from pitboss.meter import UNITS_PER_CENT


class Account(StrEnum):
    """An account of the double entry."""

    BANK = "bank"
    CAGE = "cage"
    METER = "meter"
    RESERVE = "reserve"
    HELD = "held"
    PAYABLE = "payable"
    HOUSE = "house"


class Purpose(StrEnum):
    """The purpose of a posting."""

    CONTRIBUTION = "contribution"
    SHARE = "share"
    SEED = "seed"
    RELEASE = "release"
    AWARD = "award"
    TRAY_AWARD = "tray-award"
    CONFIRMED = "confirmed"
    PAID = "paid"
    ENVY = "envy"
    ADJUSTMENT = "adjustment"


class Posting(NamedTuple):
    """A change of an account's balance, for a purpose."""

    account: Account
    purpose: Purpose
    units: int


def make_postings(event: ProgressiveEvent) -> tuple[Posting, ...]:
    """Return the postings of an event, an empty tuple if it moves no money.

    >>> [(line.account.value, line.units) for line in make_postings(AwardPaid(by="ann", award=1, cents=5))]
    [('payable', 50000), ('bank', -50000)]
    """
    return tuple(line for line in _iter_postings(event) if line.units)


def make_award_postings(owed: OwedAward) -> tuple[Posting, ...]:
    """Return the postings that hold an award."""
    lines = (
        *_transfer(Account.METER, Account.HELD, Purpose.AWARD, owed.meter_cents * UNITS_PER_CENT),
        *_post_seed(owed.seed_cents),
        *_transfer(Account.RESERVE, Account.METER, Purpose.RELEASE, owed.released_units),
    )
    return tuple(line for line in lines if line.units)


def make_reversal_postings(back: Reversal) -> tuple[Posting, ...]:
    """Return the postings that give held awards back."""
    return tuple(line for line in _post_reversal(back, Account.HELD) if line.units)


def _iter_postings(event: ProgressiveEvent) -> Iterator[Posting]:
    match event:
        case ProgressiveCreated():
            yield from _post_seed(event.settings.seed_cents)
        case RoundOpened():
            yield from _post_coin_in(event)
        case HitEntered():
            yield from make_reversal_postings(event.back)
            for owed in event.owed:
                yield from make_award_postings(owed)
        case AwardConfirmed():
            units = event.meter_cents * UNITS_PER_CENT
            yield from _transfer(Account.HELD, Account.PAYABLE, Purpose.CONFIRMED, units)
            yield from _post_tray_award(event.tray_cents)
        case AwardPaid():
            yield from _transfer(Account.PAYABLE, Account.BANK, Purpose.PAID, event.cents * UNITS_PER_CENT)
        case RoundEnded():
            envy_cents = sum(envy.cents for envy in event.envy)
            yield from _transfer(Account.HOUSE, Account.CAGE, Purpose.ENVY, envy_cents * UNITS_PER_CENT)
        case AdjustmentMade():
            units = event.adjustment.cents * UNITS_PER_CENT
            yield from _transfer(Account.HOUSE, Account(event.adjustment.account), Purpose.ADJUSTMENT, units)
            yield from _transfer(Account.BANK, Account.CAGE, Purpose.ADJUSTMENT, units)
        case AwardBackedOut():
            yield from _post_reversal(event.back, Account.PAYABLE)
            yield from _post_tray_award(-event.tray_cents)
        case _:  # it moves no money
            return


def _transfer(debit: Account, credit: Account, purpose: Purpose, units: int) -> Iterator[Posting]:
    """Yield the postings that debit one account and credit another equally."""
    yield Posting(debit, purpose, units)
    yield Posting(credit, purpose, -units)


def _post_coin_in(event: RoundOpened) -> Iterator[Posting]:
    """Yield the postings of wagers.

    The contributions are set aside, the rest goes to the cage.
    """
    yield Posting(Account.BANK, Purpose.CONTRIBUTION, event.meter_units + event.reserve_units)
    yield Posting(Account.METER, Purpose.CONTRIBUTION, -event.meter_units)
    yield Posting(Account.RESERVE, Purpose.CONTRIBUTION, -event.reserve_units)
    yield from _transfer(Account.CAGE, Account.HOUSE, Purpose.SHARE, event.house_units)


def _post_seed(cents: int) -> Iterator[Posting]:
    """Yield the postings of a seed.

    The house sets the money aside for the meter; a negative seed is returned.
    """
    yield from _transfer(Account.HOUSE, Account.METER, Purpose.SEED, cents * UNITS_PER_CENT)
    yield from _transfer(Account.BANK, Account.CAGE, Purpose.SEED, cents * UNITS_PER_CENT)


def _post_tray_award(cents: int) -> Iterator[Posting]:
    """Yield the postings of a tray award.

    The house sets the money aside; a negative award is returned.
    """
    yield from _transfer(Account.HOUSE, Account.PAYABLE, Purpose.TRAY_AWARD, cents * UNITS_PER_CENT)
    yield from _transfer(Account.BANK, Account.CAGE, Purpose.TRAY_AWARD, cents * UNITS_PER_CENT)


def _post_reversal(back: Reversal, held: Account) -> Iterator[Posting]:
    """Yield the postings of a reversal.

    The award returns to the meter, seed and reserve to where they came from.
    """
    yield from _transfer(held, Account.METER, Purpose.AWARD, back.meter_cents * UNITS_PER_CENT)
    yield from _post_seed(-back.seed_cents)
    yield from _transfer(Account.METER, Account.RESERVE, Purpose.RELEASE, back.released_units)
