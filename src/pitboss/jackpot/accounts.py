"""The double entry: what each event moves between accounts, in units of 1/10,000 cent.

What is owned stands positive, what is owed negative, and the postings of an entry add up to zero.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from pitboss.jackpot.events import (
    Adjusted,
    BackedOut,
    Confirmed,
    Ended,
    Entered,
    Event,
    Founded,
    Opened,
    Paid,
    TakenBack,
)
from pitboss.meter import UNITS_PER_CENT


class Account(StrEnum):
    """Where value stands."""

    BANK = "bank"
    CAGE = "cage"
    METER = "meter"
    RESERVE = "reserve"
    HELD = "held"
    PAYABLE = "payable"
    HOUSE = "house"


class Purpose(StrEnum):
    """What it was moved for."""

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
    """A change of an account, for a purpose."""

    account: Account
    purpose: Purpose
    units: int


def postings(event: Event) -> tuple[Posting, ...]:
    """Return what an event moves; none where it moves nothing.

    >>> [(line.account.value, line.units) for line in postings(Paid(by="ann", award=1, cents=5))]
    [('payable', 50000), ('bank', -50000)]
    """
    return tuple(line for line in _postings(event) if line.units)


def _postings(event: Event) -> Iterator[Posting]:
    match event:
        case Founded():
            yield from _seed(event.settings.seed_cents)
        case Opened():
            yield from _coin_in(event)
        case Entered():
            yield from _taken_back(event.back, Account.HELD)
            for owed in event.owed:
                yield from _moved(Account.METER, Account.HELD, Purpose.AWARD, owed.meter_cents * UNITS_PER_CENT)
                yield from _seed(owed.seed_cents)
                yield from _moved(Account.RESERVE, Account.METER, Purpose.RELEASE, owed.released_units)
        case Confirmed():
            units = event.meter_cents * UNITS_PER_CENT
            yield from _moved(Account.HELD, Account.PAYABLE, Purpose.CONFIRMED, units)
            yield from _from_tray(event.tray_cents)
        case Paid():
            yield from _moved(Account.PAYABLE, Account.BANK, Purpose.PAID, event.cents * UNITS_PER_CENT)
        case Ended():
            envy_cents = sum(envy.cents for envy in event.envy)
            yield from _moved(Account.HOUSE, Account.CAGE, Purpose.ENVY, envy_cents * UNITS_PER_CENT)
        case Adjusted():
            units = event.adjustment.cents * UNITS_PER_CENT
            yield from _moved(Account.HOUSE, Account(event.adjustment.account), Purpose.ADJUSTMENT, units)
            yield from _moved(Account.BANK, Account.CAGE, Purpose.ADJUSTMENT, units)
        case BackedOut():
            yield from _taken_back(event.back, Account.PAYABLE)
            yield from _from_tray(-event.tray_cents)
        case _:  # it moves nothing
            return


def _moved(debit: Account, credit: Account, purpose: Purpose, units: int) -> Iterator[Posting]:
    """Debit one account and credit another: value goes from ``credit`` to ``debit``, or a debt the other way."""
    yield Posting(debit, purpose, units)
    yield Posting(credit, purpose, -units)


def _coin_in(event: Opened) -> Iterator[Posting]:
    """Wagers come in: the contributions are set aside, the rest goes to the cage."""
    yield Posting(Account.BANK, Purpose.CONTRIBUTION, event.meter_units + event.reserve_units)
    yield Posting(Account.METER, Purpose.CONTRIBUTION, -event.meter_units)
    yield Posting(Account.RESERVE, Purpose.CONTRIBUTION, -event.reserve_units)
    yield from _moved(Account.CAGE, Account.HOUSE, Purpose.SHARE, event.house_units)


def _seed(cents: int) -> Iterator[Posting]:
    """The house gives the meter its seed and sets the money aside; a negative one is taken back."""
    yield from _moved(Account.HOUSE, Account.METER, Purpose.SEED, cents * UNITS_PER_CENT)
    yield from _moved(Account.BANK, Account.CAGE, Purpose.SEED, cents * UNITS_PER_CENT)


def _from_tray(cents: int) -> Iterator[Posting]:
    """The house owes an award that no meter pays and sets the money aside; a negative one is put back."""
    yield from _moved(Account.HOUSE, Account.PAYABLE, Purpose.TRAY_AWARD, cents * UNITS_PER_CENT)
    yield from _moved(Account.BANK, Account.CAGE, Purpose.TRAY_AWARD, cents * UNITS_PER_CENT)


def _taken_back(back: TakenBack, held: Account) -> Iterator[Posting]:
    """An award goes back to the meter, and so do seed and reserve to where they came from."""
    yield from _moved(held, Account.METER, Purpose.AWARD, back.meter_cents * UNITS_PER_CENT)
    yield from _seed(-back.seed_cents)
    yield from _moved(Account.METER, Account.RESERVE, Purpose.RELEASE, back.released_units)
