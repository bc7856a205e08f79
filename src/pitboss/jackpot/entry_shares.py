"""The shares of an entry: what of it belongs to which award, round and table.

One entry may change awards of several tables, since the hits of all tables stand in one order (SC-9).  Reports, exports
and messages therefore never ask an entry for its table, but split it here.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitboss.builders import display_name
from pitboss.core.money import format_cents
from pitboss.jackpot.accounts import Posting, make_award_postings, make_postings, make_reversal_postings
from pitboss.jackpot.award_history import find_hits_before
from pitboss.jackpot.events import (
    AdjustmentMade,
    AwardBackedOut,
    AwardConfirmed,
    AwardPaid,
    ChangeRequested,
    HitEntered,
    OwedAward,
    ProgressiveEvent,
    Reversal,
    WinPageReprinted,
)
from pitboss.ledger.store import Store

MAX_KNOWN = 2_000
"""The awards that are remembered; others are read from the ledger again."""


class AwardPlace(NamedTuple):
    """Where an award was won, and its amounts as last computed."""

    table: int
    round: int
    owed: OwedAward


class EntryShare(NamedTuple):
    """The share of one award in an entry, or the whole entry if it is about no award.

    ``before`` and ``after`` are the award as it was held and as it is held from now on: one that is new has no
    ``before``, one that is cancelled no ``after``.  Table, round and award are 0 where the share belongs to none.
    """

    table: int
    round: int
    award: int
    postings: tuple[Posting, ...]
    before: OwedAward | None = None
    after: OwedAward | None = None

    def describe(self) -> str:
        """Describe what happened to an award in a few words."""
        owed = self.after or self.before
        if owed is None:
            return ""
        what = f"award {self.award} table {self.table} seat {owed.seat} {display_name(owed.hand)}"
        amount = format_cents(owed.cents)
        if self.after is None:
            return f"{what} {amount} cancelled"
        if self.before is None:
            return f"{what} {amount} entered{owed.lost_note}"
        return f"{what} changed from {format_cents(self.before.cents)} to {amount}"


class EntrySplitter:
    """Splits entries, in any order; it is fastest in theirs."""

    def __init__(self, store: Store) -> None:
        """Look in a ledger for the awards that an entry names."""
        self._store = store
        self._known: dict[int, AwardPlace] = {}
        self._last = 0

    def split(self, entry: int, event: ProgressiveEvent) -> tuple[EntryShare, ...]:
        """Return the shares of an entry; their postings add up to those of the entry.

        Raises:
            LedgerError: the ledger cannot be reached.
        """
        if entry < self._last:
            self._known = {}
        self._last = entry
        match event:
            case HitEntered():
                self._find(entry, event.replaced)
                shares = _split_hits(event, self._known)
                for share in shares:
                    if share.after:
                        self._known[share.award] = AwardPlace(share.table, share.round, share.after)
                return shares
            case AwardConfirmed() | AwardPaid() | AwardBackedOut() | WinPageReprinted():
                self._find(entry, (event.award,))
                place = self._known.get(event.award)
                table, number = (place.table, place.round) if place else (0, 0)
                return (EntryShare(table, number, event.award, make_postings(event)),)
            case AdjustmentMade():
                return (EntryShare(0, 0, event.adjustment.award, make_postings(event)),)
            case ChangeRequested():
                return (EntryShare(0, 0, getattr(event.change, "award", 0), ()),)
            case _:
                return (EntryShare(getattr(event, "table", 0), getattr(event, "round", 0), 0, make_postings(event)),)

    def _find(self, entry: int, awards: tuple[int, ...]) -> None:
        """Read the awards that are not known yet, as they were before an entry."""
        missing = {award for award in awards if award not in self._known}
        if len(self._known) > MAX_KNOWN:
            self._known = {award: self._known[award] for award in awards if award in self._known}
        if not missing:
            return
        with self._store.begin_read() as transaction:
            for award, hit in find_hits_before(transaction, missing, entry).items():
                self._known[award] = AwardPlace(hit.table, hit.round, hit.owed)


def split_hits(store: Store, first: int, events: Iterable[ProgressiveEvent]) -> tuple[EntryShare, ...]:
    """Return the shares of hits and cancellations among events.

    ``first`` is the entry of the first event.

    Raises:
        LedgerError: the ledger cannot be reached.
    """
    splitter = EntrySplitter(store)
    hits = ((entry, event) for entry, event in enumerate(events, first) if isinstance(event, HitEntered))
    return tuple(share for entry, event in hits for share in splitter.split(entry, event))


def _split_hits(event: HitEntered, known: Mapping[int, AwardPlace]) -> tuple[EntryShare, ...]:
    """Return the share of each award that a hit or its cancellation changed.

    What went back to the meter is divided in the order of ``replaced``.  What no award accounts for, as in an entry of
    the first version whose awards are unknown, stays with the entry's table.
    """
    left, back = event.back, dict[int, Reversal]()
    for award in event.replaced:
        if award in known:
            back[award], left = _take_back(left, known[award].owed)
    fixed = {owed.award: owed for owed in event.owed}
    shares = []
    for award in (*(each for each in event.replaced if each not in fixed), *fixed):
        after, place = fixed.get(award), known.get(award) if award in event.replaced else None
        table, number = (place.table, place.round) if place else (event.table, event.round)
        if after and after.table:
            table, number = after.table, after.round
        postings = (
            *make_reversal_postings(back.get(award, Reversal())),
            *(make_award_postings(after) if after else ()),
        )
        shares.append(EntryShare(table, number, award, postings, place.owed if place else None, after))
    rest = make_reversal_postings(left)
    return (*shares, EntryShare(event.table, event.round, 0, rest)) if rest else tuple(shares)


def _take_back(left: Reversal, owed: OwedAward) -> tuple[Reversal, Reversal]:
    """Return what one award gives back, and what is left for the others."""
    taken = Reversal(
        meter_cents=min(left.meter_cents, owed.meter_cents),
        seed_cents=min(left.seed_cents, owed.seed_cents),
        released_units=min(left.released_units, owed.released_units),
    )
    return taken, Reversal(
        meter_cents=left.meter_cents - taken.meter_cents,
        seed_cents=left.seed_cents - taken.seed_cents,
        released_units=left.released_units - taken.released_units,
    )
