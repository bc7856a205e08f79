"""Records of puzzles: each guest's answers, and when a puzzle is due again.

The entries are in the tables' ledger, append-only.  The schedule follows from them (Leitner 1972): a right answer in
time puts the puzzle into the next box, a wrong one into the first, and a puzzle of box n is due again 2^(n - 1) days
after.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from hashlib import sha256
from time import time
from typing import NamedTuple

from pitboss.core.strict_model import StrictModel
from pitboss.ledger.chain import EntryDraft, to_canonical_json
from pitboss.ledger.store import Store, Transaction
from pitboss.table.repository import PUZZLE_PREFIX, format_time

MAX_BOX = 7
"""The last box: its puzzles are due again after 64 days."""


class PuzzleAnswer(StrictModel):
    """An answer to a puzzle, which ``address`` tells from any other.

    ``address`` is the query of the position on the page *Study*, ``origin`` the round or the batch that it comes from.
    ``cost`` is what the answer costs against the best action, in the unit of the game, as p/q.
    """

    address: str
    game: str
    source: str
    theme: str
    origin: str = ""
    chosen: str
    cards: tuple[str, ...] = ()
    cost: str

    @property
    def is_right(self) -> bool:
        """Whether no action is better."""
        return self.cost == "0"


class DatedAnswer(NamedTuple):
    """An answer and the day (UTC) on which it was given."""

    day: date
    answer: PuzzleAnswer


class PuzzleState(NamedTuple):
    """A puzzle that was answered: its box, and the day from which it is due."""

    last: PuzzleAnswer
    box: int
    due: date


def schedule_puzzles(answers: Iterable[DatedAnswer]) -> dict[str, PuzzleState]:
    """Return the state of each puzzle by its address.

    A right answer before a puzzle is due leaves it where it is.
    """
    states: dict[str, PuzzleState] = {}
    for day, answer in answers:
        before = states.get(answer.address)
        if before and answer.is_right and day < before.due:
            continue
        box = min(MAX_BOX, before.box + 1 if before else 1) if answer.is_right else 1
        states[answer.address] = PuzzleState(answer, box, day + timedelta(days=2 ** (box - 1)))
    return states


class PuzzleRecords:
    """The records of all guests.  Safe for many threads."""

    def __init__(self, store: Store) -> None:
        """Store the records in the tables' ledger."""
        self._store = store

    def list_answers(self, holder: str) -> list[DatedAnswer]:
        """List a guest's answers, the oldest first."""
        with self._store.begin_read() as transaction:
            entries = transaction.read_stream(_get_stream_name(holder))
        return [
            DatedAnswer(datetime.fromisoformat(entry.at).date(), PuzzleAnswer.model_validate_json(entry.data))
            for _, entry in entries
        ]

    def record_answer(self, holder: str, answer: PuzzleAnswer, now: int | None = None) -> None:
        """Record an answer given ``now``, in seconds, by default at this moment."""

        def work(transaction: Transaction) -> None:
            stream = _get_stream_name(holder)
            entries = transaction.read_stream(stream)
            at = format_time(int(time()) if now is None else now)
            draft = EntryDraft(at, holder, "puzzle", to_canonical_json(answer.model_dump(mode="json")), 0, 0)
            entry = transaction.append_entries([draft])[0]
            transaction.append_to_stream(stream, len(entries) + 1, entry.sequence, is_snapshot=False)

        self._store.run_write(work)


def _get_stream_name(holder: str) -> str:
    return f"{PUZZLE_PREFIX}{holder}"


def name_daily_batch(day: date) -> str:
    """Name the batch of the puzzle that is alike for everybody on a day."""
    return f"daily {day.isoformat()}"


def choose_daily(day: date, count: int) -> int:
    """Choose one of ``count`` kinds of puzzles for a day."""
    return int.from_bytes(sha256(name_daily_batch(day).encode()).digest()[:8]) % count
