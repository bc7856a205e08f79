"""Archives: signed exports of gaming days that can be verified alone.

An archive is lines of canonical JSON: a heading with the state and the hashes before its first entry, each entry, each
answer, and at the end the head with a signature over everything before it.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from pitboss.core.errors import quote
from pitboss.jackpot.audit import AuditResult, has_present_form, replay_entries, resume_checkpoint, verify_answers
from pitboss.jackpot.gaming_days import GamingDayClock
from pitboss.jackpot.invariants import find_violations
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.chain import (
    GENESIS_HASH,
    CommandAnswer,
    Contribution,
    Entry,
    LedgerHead,
    LedgerPosting,
    to_canonical_json,
)
from pitboss.ledger.entry_pages import (
    EntryRange,
    find_answers_between,
    find_entries_between,
    read_answer_pages,
    read_entry_pages,
)
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.public_keys import find_key_fault, is_signed_by
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store

FORMAT = "pitboss-archive-1"

Facts = dict[str, Any]


def write_archive(store: Store, signer: Signer, clock: GamingDayClock, first: date, last: date, file: TextIO) -> Facts:
    """Write the archive of gaming days, and return what it holds.

    Raises:
        LedgerError: the ledger cannot be reached or does not hold.
    """
    digest, counts = sha256(), {"entry": 0, "answer": 0}
    for line in _iter_lines(store, signer, clock, first, last):
        kind = next(iter(line))
        text = to_canonical_json(line) + "\n"
        if kind == "head":
            signature = signer.sign(f"{digest.hexdigest()} {text}")
            file.write(to_canonical_json({**line, "digest": digest.hexdigest(), "signature": signature}) + "\n")
        else:
            digest.update(text.encode())
            file.write(text)
            counts[kind] = counts.get(kind, 0) + 1
    return {"entries": counts["entry"], "answers": counts["answer"], "digest": digest.hexdigest()}


def _iter_lines(store: Store, signer: Signer, clock: GamingDayClock, first: date, last: date) -> Iterator[Facts]:
    begins, ends = clock.get_bounds(first).begins, clock.get_bounds(last).ends
    with store.begin_read() as transaction:
        entries = find_entries_between(transaction, begins, ends)
        answers = find_answers_between(transaction, begins, ends)
        numbers = (number for number in reversed(transaction.list_checkpoints()) if number < entries.first)
        checkpoints = [each for each in map(transaction.find_checkpoint, numbers) if each]
    before = _replay_to(store, signer, entries.first - 1, checkpoints)
    previous = [each.hash for each in read_answer_pages(store, EntryRange(answers.first - 1, answers.first - 1))]
    head = before.head._replace(answers=answers.first - 1, answers_hash=previous[0] if previous else GENESIS_HASH)
    yield {
        "archive": FORMAT,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "before": head._asdict(),
        "day": first.isoformat(),
        "last_day": last.isoformat(),
        "zone": clock.zone.key,
        "hour": clock.hour,
        "public_key": signer.public_key,
        "state": before.state.model_dump(mode="json"),
    }
    for entry in read_entry_pages(store, entries):
        head = head._replace(sequence=entry.sequence, hash=entry.hash)
        yield {"entry": entry._asdict() | {"postings": entry.postings, "contributions": entry.contributions}}
    for answer in read_answer_pages(store, answers):
        head = head._replace(answers=answer.number, answers_hash=answer.hash)
        yield {"answer": answer._asdict()}
    yield {"head": head._asdict()}


def _replay_to(store: Store, signer: Signer, entry: int, checkpoints: Iterable[Any]) -> AuditResult:
    """Return the state after an entry, replayed from the last signed checkpoint."""
    start = AuditResult(ProgressiveState(), LedgerHead(), 0)
    for each in checkpoints:
        if signer.has_signed(each.head + each.state, each.signature) and has_present_form(each):
            start = resume_checkpoint(each, signer)
            break
    return replay_entries(start, read_entry_pages(store, EntryRange(start.head.sequence + 1, entry)))


def verify_archive(path: Path, public_key: str = "") -> Facts:
    """Verify an archive alone, and return what it holds.

    Entries are replayed from the state in the heading: chain, postings, meters and every identity.

    Raises:
        LedgerError: it is not an archive, was changed, or was signed by another key than ``public_key``.
    """
    try:
        with path.open(encoding="ascii") as file:
            return _verify_lines(file, path, public_key)
    except OSError as error:
        raise LedgerError(f"cannot read {path}: {error.strerror}", code="cannot-read", path=path) from None
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        raise LedgerError(
            f"{path} is not an archive: pitboss jackpot archive writes one", code="invalid-archive", path=path
        ) from None


def _verify_lines(file: Iterable[str], path: Path, public_key: str) -> Facts:
    lines = _ArchiveLines(file)
    heading = lines.heading
    before = LedgerHead(**heading["before"])
    state = ProgressiveState.model_validate_json(to_canonical_json(heading["state"]))
    audited = replay_entries(AuditResult(state, before, 0), lines.read_entries())
    head = verify_answers(audited.head, lines.read_answers())
    answers = head.answers - before.answers
    footing = lines.footing
    signed = f"{footing['digest']} {to_canonical_json({'head': footing['head']})}\n"
    key = public_key or heading["public_key"]
    if key_fault := find_key_fault(key):
        raise LedgerError(f"the public key {quote(key)} is not valid: {key_fault}", code="invalid-key", public_key=key)
    own = heading["public_key"]
    if key != own and not find_key_fault(own) and is_signed_by(own, signed.encode(), footing["signature"]):
        raise LedgerError(
            f"{path} was signed with another key, {own}: give that one if `keys list` shows it, "
            "since the version signs an archive that is active when it is written",
            code="archive-other-key",
            path=path,
            public_key=own,
        )
    if footing["digest"] != lines.digest.hexdigest() or not is_signed_by(key, signed.encode(), footing["signature"]):
        raise LedgerError(f"{path} is not what was signed with key {key}", code="archive-not-signed", path=path)
    faults = find_violations(audited.state)
    if footing["head"] != head._asdict() or faults:
        raise LedgerError(
            f"{path} does not end in the state that it records: {faults or head}", code="archive-changed", path=path
        )
    facts = {name: heading[name] for name in ("day", "last_day", "zone", "hour", "public_key")}
    return facts | {"entries": audited.checked_entries, "answers": answers, "hash": head.hash, "holds": True}


class _ArchiveLines:
    """Reads the lines of an archive in order, and their digest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.digest = sha256()
        self._text = ""
        self._line: Facts = {}
        self._advance()
        self.heading = self._line
        if self.heading.get("archive") != FORMAT:
            raise ValueError(FORMAT)
        self._advance()

    def _advance(self) -> None:
        self.digest.update(self._text.encode())
        self._text = next(self._lines, "null")
        self._line = json.loads(self._text)

    def _read(self, kind: str) -> Iterator[Facts]:
        while kind in self._line:
            yield self._line[kind]
            self._advance()

    def read_entries(self) -> Iterator[Entry]:
        """Yield the entries, which come first."""
        for each in self._read("entry"):
            postings = tuple(LedgerPosting(*line) for line in each.pop("postings"))
            wagers = tuple(Contribution(*line) for line in each.pop("contributions"))
            yield Entry(**each, postings=postings, contributions=wagers)

    def read_answers(self) -> Iterator[CommandAnswer]:
        """Yield the answers, which come after the entries."""
        return (CommandAnswer(**each) for each in self._read("answer"))

    @property
    def footing(self) -> Facts:
        """The last line, after which there is nothing."""
        footing = self._line
        if set(footing) != {"head", "digest", "signature"} or next(self._lines, None) is not None:
            raise ValueError(FORMAT)
        return footing
