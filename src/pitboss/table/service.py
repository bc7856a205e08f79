"""Tables in their ledger: each command is decided on what is written, and written whole with its first answer.

Whoever is not answered asks again with the same key, and is given the first answer.  Commands that arrive together are
written together, in their order; the database's lock keeps writers of other processes apart.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from pitboss.cards import system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError, PitbossError, UnknownIdError
from pitboss.ledger.chain import Answer, canonical, digest
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction
from pitboss.table import live
from pitboss.table.domain.form import FairRecord, History
from pitboss.table.domain.history import history_of
from pitboss.table.fair import record_seats
from pitboss.table.meters import Progressive, hands_won, wagers_on_meter
from pitboss.table.receipts import HouseKey, Receipt
from pitboss.table.sealed import Seal
from pitboss.table.sitting.commands import HOUSE, Command, Deal, Decide, Settle, TimeOut
from pitboss.table.sitting.decide import Chance, NotYoursError, do, open_table, verify
from pitboss.table.sitting.events import Acted, Award, Event, Locked, Unlocked
from pitboss.table.sitting.house import late_command, next_of_house
from pitboss.table.sitting.seeds import fixed_seats, receipt_seat, seeds_awaited
from pitboss.table.sitting.state import Phase, Sitting, folded, meter_at, undealt
from pitboss.table.sitting.terms import Terms
from pitboss.table.store import Known, Latest, Record, Step, moment, steps_of
from pitboss.table.together import Fresh, Together

DONE, REFUSED, FORBIDDEN = "done", "refused", "forbidden"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class Done(NamedTuple):
    """What came of a command: the table after all that is known, and whether it was done before."""

    sitting: Sitting
    repeated: bool


def _now() -> int:
    return int(time())


class Tables:
    """All tables of a house.  May be used by many threads."""

    def __init__(
        self,
        store: Store,
        seal: Seal,
        *,
        clock: Callable[[], int] = _now,
        bits: BitSource = system_bits,
        progressive: Callable[[Sitting], Progressive] | None = None,
    ) -> None:
        """Open the tables that are kept; ``progressive`` gives that which a linked table plays for, where it is served.

        Raises:
            LedgerError: the ledger cannot be reached, or was sealed with another key.
        """
        self._store, self._seal, self._record = store, seal, Record(seal)
        self.house_key = HouseKey(seal.derive("receipts"))
        self._clock, self._bits = clock, bits
        self._progressive_of = progressive
        self._known = Latest()
        self._together = Together(store, self._known)
        with store.reading() as transaction:
            self._record.verify_key(transaction)

    @classmethod
    def made(cls, url: str, key: Path, **more: Any) -> "Tables":
        """Open the tables of a database and the key that they are sealed with, both made where there are none.

        Raises:
            LedgerError: either cannot be reached, or tables are there and their key is not.
        """
        store = Store.made(url)
        try:
            with store.reading() as transaction:
                kept = bool(transaction.streams())
            return cls(store, Seal.read(key) if kept else Seal.made(key), **more)
        except LedgerError:
            store.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def derive_key(self, purpose: str) -> bytes:
        """Return a key for another purpose, which follows from the tables' own and does not give it away."""
        return self._seal.derive(purpose)

    @property
    def store(self) -> Store:
        """The ledger, for what is kept beside the tables."""
        return self._store

    # Reading.

    def names(self) -> tuple[str, ...]:
        """Return the names of all tables that are open, the oldest first."""
        with self._store.reading() as transaction:
            return live.names(transaction)

    def opened_by(self, who: str) -> tuple[str, ...]:
        """Return the names of the open tables that somebody opened, the oldest first."""
        with self._store.reading() as transaction:
            return live.opened_by(transaction, who)

    def some(self, after: int, most: int) -> list[live.Watched]:
        """Return so many open tables, those that were opened after an entry."""
        with self._store.reading() as transaction:
            return live.some(transaction, after, most)

    def sitting(self, table: str) -> Sitting:
        """Return a table as it stands.

        Raises:
            NoSuchIdError: there is none of that name.
        """
        with self._store.reading() as transaction:
            known = self._read(transaction, table)
            if known is None:
                raise UnknownIdError("table", table)
        return known.sitting

    def latest(self, most: int) -> list[Sitting]:
        """Return the tables that were opened last as they stand, the newest first.

        One question to the database, where they are known here as they stand.
        """
        with self._store.reading() as transaction:
            found = [
                known if known and known.number >= number else self._read(transaction, table)
                for table, number in live.newest(transaction, most).items()
                for known in (self._known.get(table),)
            ]
        return [known.sitting for known in found if known]

    def _read(self, transaction: Transaction, table: str) -> Known | None:
        known = self._known.get(table)
        known = self._record.followed(transaction, table, known) if known else self._record.read(transaction, table)
        if known:
            self._known.keep(table, known)
        return known

    def history(self, table: str, round_number: int) -> History:
        """Return a settled round as it is written down, with every card: for the house, not for a seat.

        Raises:
            LedgerError: it has not been settled.
        """
        sitting, events = self._steps(table, round_number)
        before, after = folded(events[:-1], sitting), folded(events, sitting)
        played = undealt(before, after.playing) if after.void else after.round
        if played is None:
            raise LedgerError(f"round {round_number} of table {table} was not dealt")
        history = history_of(played, title=f"{table}, round {round_number}", deck=after.back)
        history = history.model_copy(update={"late": _late_in(history, events)})
        if not after.terms.fair:
            return history
        fair = FairRecord(
            version=before.version,
            table=table,
            round=round_number,
            commitment=after.dealt_commitment,
            secret=after.revealed,
            seats=record_seats(after.seeds),
        )
        return history.model_copy(update={"fair": fair})

    def sittings(self, table: str, round_number: int) -> list[Sitting]:
        """Return a table as it stood after each step of a settled round, with every card: for the house.

        Raises:
            LedgerError: it has not been settled.
        """
        sitting, events = self._steps(table, round_number)
        passed = [sitting := folded((event,), sitting) for event in events]
        return [each for each in passed if each.dealt_number == round_number]

    def _steps(self, table: str, round_number: int) -> tuple[Sitting, list[Event]]:
        with self._store.reading() as transaction:
            return self._record.steps(transaction, table, round_number)

    def receipt(self, table: str, holder: str, round_number: int = 0) -> Receipt:
        """Return somebody's receipt of a settled or void round, or with 0 of the one in play, else the last.

        Raises:
            UnknownNameError: there is no such table.
            LedgerError: the round has not been settled.
            IllegalActionError: this person's seat was bound to no seed in it.
        """
        now = self.sittings(table, round_number)[-1] if round_number else self.sitting(table)
        seat = receipt_seat(now, holder)
        if seat is None:
            raise IllegalActionError("you have no receipt of this round: your seat was bound to no seed in it")
        number = now.standing.number if now.locked else now.dealt_number
        bound = now.commitment if now.locked else now.dealt_commitment
        return self.house_key.sign(now.terms.game, table, number, seat, bound, fixed_seats(now))

    def verify(self) -> int:
        """Check the whole record and play it again; return how many entries it has.

        Raises:
            LedgerError: something is not what was written.
        """
        with self._store.reading() as transaction:
            return self._record.verify(transaction)

    # Writing.

    def open(self, table: str, terms: Terms, key: str, by: str = HOUSE) -> Sitting:
        """Open a table for somebody.

        Raises:
            PitbossError: its name or its terms are not in order, or there is one of that name.
        """
        if not _NAME.fullmatch(table):
            raise IllegalActionError(f"{table!r} is no table's name: write small letters, digits and '-', 32 at most")
        asked = digest(canonical({"open": table, "terms": terms.model_dump(mode="json")}))

        def decided(known: Known | None) -> list[Step]:
            if known is not None:
                raise IllegalActionError(f"there is a table {table!r} already: give this one another name")
            return steps_of(open_table(table, terms, Chance(self._bits)), None)

        return self._do(table, "open", by, key, asked, decided).sitting

    def do(self, table: str, command: Command, by: str, key: str, expected: int | None = None) -> Done:
        """Do a command once, whatever number of times it comes with this key, and what the house does at once after it.

        ``expected`` is the sequence of the view that the command was given on: the table must stand there still.

        Raises:
            NotYoursError: not by this person.
            PitbossError: it may not be done now, or its key was used for another command.
            LedgerError: the ledger cannot be reached, or does not hold: nothing was done.
        """
        asked = digest(canonical({"table": table, "by": by, "command": command.model_dump(mode="json")}))

        def decided(known: Known | None) -> list[Step]:
            if known is None:
                raise IllegalActionError(f"there is no table {table!r}: open it first")
            if expected is not None and expected != known.sitting.standing.sequence:
                raise IllegalActionError("the table has moved on since this page was drawn: look again")
            return self._with_house(known.sitting, command, by)

        done = self._do(table, command.kind, by, key, asked, decided)
        if done.sitting.phase is Phase.SEEDS and not seeds_awaited(done.sitting):
            return Done(self.tend(table), done.repeated)  # a linked table is dealt once its closed wagers are written
        return done

    def tend(self, table: str) -> Sitting:
        """Do what is the house's to do at a table now: its bots, its settlement, and calling time.  Often nothing."""
        return self.by_house(table, lambda now, at: next_of_house(now) or late_command(now, at))

    def by_house(self, table: str, choose: Callable[[Sitting, int], Command | None]) -> Sitting:
        """Do what ``choose`` names as the house's to do at a table as it stands, at a time; often nothing."""

        def work(transaction: Transaction, fresh: Fresh) -> Sitting:
            known = self._caught_up(transaction, fresh, table)
            if known is None:
                raise UnknownIdError("table", table)
            at = self._clock()
            command = choose(known.sitting, at)
            if command is None:
                return known.sitting
            try:
                steps = self._with_house(known.sitting, command, HOUSE)
            except PitbossError:  # a progressive that makes the table wait
                return known.sitting
            fresh[table], _ = self._record.write(transaction, table, known, HOUSE, command.kind, steps, at)
            return fresh[table].sitting

        now = self.sitting(table)
        if choose(now, self._clock()) is None:
            return now
        sitting: Sitting = self._together.done(work)
        if sitting.closed:
            self._known.forget(table)
        return sitting

    def _do(
        self, table: str, kind: str, by: str, key: str, asked: str, decided: Callable[[Known | None], list[Step]]
    ) -> Done:
        def work(transaction: Transaction, fresh: Fresh) -> tuple[Answer, Known | None, bool]:
            known = self._caught_up(transaction, fresh, table)
            first = transaction.answer(key)
            if first:
                return first, known, True
            at, status, message, entry = self._clock(), DONE, "", 0
            try:
                steps = decided(known)
            except LedgerError:
                raise
            except PitbossError as error:
                status, message = (FORBIDDEN if isinstance(error, NotYoursError) else REFUSED), str(error)
            else:
                known, entry = self._record.write(transaction, table, known, by, kind, steps, at)
                fresh[table] = known
            answer = Answer(0, key, asked, moment(at), by, status, message, entry, entry, "", "")
            return transaction.keep_answer(answer), known, False

        answer, known, repeated = self._together.done(work)
        if answer.command != asked:
            raise IllegalActionError(f"key {key!r} was used for another command: choose a new one")
        if answer.status != DONE or known is None:
            raise (NotYoursError if answer.status == FORBIDDEN else IllegalActionError)(answer.message)
        return Done(known.sitting, repeated)

    def _caught_up(self, transaction: Transaction, fresh: Fresh, table: str) -> Known | None:
        known = fresh.get(table) or self._known.get(table)
        known = self._record.followed(transaction, table, known) if known else self._record.read(transaction, table)
        if known:
            fresh[table] = known
        return known

    # What follows from a command.

    def _with_house(self, now: Sitting, command: Command | None, by: str) -> list[Step]:
        """Return what follows from a command, and from all that the house does at once after it."""
        steps: list[Step] = []
        while command is not None:
            try:
                fresh = self._events(now, command, by)
            except PitbossError:
                if not steps:
                    raise
                break  # the house waits, as for an award to be confirmed
            steps += steps_of(fresh, now)
            now = steps[-1].sitting
            if now.terms.linked and any(isinstance(event, Locked) for event in fresh):
                break
            command, by = next_of_house(now), HOUSE
        return steps

    def _events(self, now: Sitting, command: Command, by: str) -> tuple[Event, ...]:
        at, chance = self._clock(), Chance(self._bits)
        if not now.terms.linked:
            return do(now, command, by, at, chance)
        verify(now, command, by, at)
        match command:
            case Deal() if now.phase is Phase.WAGERS:
                due = self._progressive(now).due(wagers_on_meter(now))
                chance = chance._replace(progressive_round=due)
            case Deal():
                progressive = self._progressive(now)
                try:
                    before = progressive.coin_in(now.progressive_round, wagers_on_meter(now))
                except LedgerError:
                    raise  # nobody knows: it is asked again
                except PitbossError as error:
                    return (Unlocked(why=str(error)),)
                chance = chance._replace(meter=meter_at(before))
            case Decide() | TimeOut():
                events = do(now, command, by, at, chance)
                won = hands_won(folded(events, now))
                if not won:
                    return events
                chance = chance._replace(awards=self._progressive(now).enter(now.progressive_round, won))
            case Settle():
                self._progressive(now).close(now.progressive_round, _awards_on_felt(now))
        return do(now, command, by, at, chance)

    def _progressive(self, now: Sitting) -> Progressive:
        if self._progressive_of is None:
            raise IllegalActionError(
                f"table {now.standing.table} plays for a progressive that is not served: serve it with its ledger"
            )
        return self._progressive_of(now)


def _late_in(history: History, events: Sequence[Event]) -> list[int]:
    """Return the places of the decisions that were taken for a seat whose time had run out."""
    places = (place for place, action in enumerate(history.actions, start=1) if not action.startswith("d "))
    acted = (event for event in events if isinstance(event, Acted))
    return [place for place, event in zip(places, acted, strict=True) if event.late]


def _awards_on_felt(now: Sitting) -> tuple[Award, ...]:
    fixed = now.round.awards if now.round else ()
    return tuple(
        Award(seat=now.playing[each.seat], meter_cents=each.meter_cents, short_cents=each.short_cents) for each in fixed
    )
