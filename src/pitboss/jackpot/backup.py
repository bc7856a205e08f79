"""Backups of a running progressive, and their restoration.

A backup is an SQLite ledger, whatever database the progressive runs on, with a signed manifest next to it.  It is
verified from its first entry before it counts as one, and again when it is restored.  A restored ledger is closed by an
incident until two people have signed what was lost.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.jackpot.audit import audit_ledger, verify_exported_head
from pitboss.jackpot.award_history import ensure_award_records
from pitboss.jackpot.controller import Controller
from pitboss.ledger.chain import LedgerHead, to_canonical_json
from pitboss.ledger.copying import copy_ledger
from pitboss.ledger.database import make_engine
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.key_ring import sync_folder, write_private_file
from pitboss.ledger.schema import session
from pitboss.ledger.signing import Signer
from pitboss.ledger.software import get_software_id
from pitboss.ledger.store import Store

FORMAT = "pitboss-backup-1"


class Backup(NamedTuple):
    """A verified backup: its file, its head, when it was made, and its bytes."""

    path: Path
    head: LedgerHead
    at: str
    size: int


class Restoration(NamedTuple):
    """A restored ledger: its backup, how many entries are lost, the closing incident."""

    backup: Backup
    lost_entries: int
    incident: int


def get_manifest_path(path: Path) -> Path:
    """Return the file of a backup's manifest."""
    return path.with_name(path.name + ".manifest.json")


def write_backup(store: Store, signer: Signer, path: Path, now: datetime) -> Backup:
    """Copy a running ledger to a new file, verify the copy and sign its manifest.

    Raises:
        LedgerError: the file exists or cannot be written, or the ledger does not hold.
    """
    if path.exists() or get_manifest_path(path).exists():
        raise LedgerError(f"{path} exists: name a new file for each backup", code="file-exists", path=path)
    try:
        with TemporaryDirectory(dir=path.absolute().parent) as folder:
            part = Path(folder) / path.name
            with _open_store(f"sqlite:///{part}") as copy:
                copy_ledger(store, copy)
                head = audit_ledger(copy, signer, full=True).head
            backup = Backup(path, head, now.isoformat(timespec="seconds"), part.stat().st_size)
            text = _write_manifest(backup, _digest(part), signer)
            part.replace(path)
            write_private_file(get_manifest_path(path), text)
    except OSError as error:
        raise LedgerError(f"cannot write {path}: {error.strerror}", code="cannot-write", path=path) from None
    return backup


def _write_manifest(backup: Backup, digest: str, signer: Signer) -> str:
    document = {
        "format": FORMAT,
        "at": backup.at,
        "bytes": backup.size,
        "head": backup.head._asdict(),
        "public_key": signer.public_key,
        "sha256": digest,
        "software": get_software_id(),
    }
    return json.dumps({**document, "signature": signer.sign(to_canonical_json(document))}, indent=2) + "\n"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@contextmanager
def _open_store(url: str) -> Iterator[Store]:
    store = Store.open_or_create(url)
    try:
        yield store
    finally:
        store.close()


def read_manifest(path: Path, signer: Signer) -> Backup:
    """Return a backup as its manifest says, after checking signature and file.

    Raises:
        LedgerError: the manifest is missing, was not signed by this key or only by a revoked version of it, or the file
            is not what was backed up.
    """
    try:
        document: dict[str, Any] = json.loads(get_manifest_path(path).read_text(encoding="ascii"))
        signature = document.pop("signature")
        text = to_canonical_json(document)
        is_signed = signer.has_signed(text, signature) and document["format"] == FORMAT
        is_revoked = not is_signed and signer.has_signed_by_revoked(text, signature)
        backup = Backup(path, LedgerHead(**document["head"]), document["at"], document["bytes"])
        is_whole = path.stat().st_size == backup.size and _digest(path) == document["sha256"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise LedgerError(
            f"{path} is not a backup with its manifest: pitboss jackpot backup writes both",
            code="invalid-backup",
            path=path,
        ) from None
    if is_revoked:
        raise LedgerError(
            f"the manifest of {path} was signed with a key version that is revoked: restore a backup made since then, "
            "or one made before with the copy of the key file from before",
            code="backup-key-revoked",
            path=path,
        )
    if not is_signed:
        raise LedgerError(f"the manifest of {path} was not signed with this key", code="backup-not-signed", path=path)
    if not is_whole:
        raise LedgerError(f"{path} is not the file that was backed up", code="backup-changed", path=path)
    return backup


def restore_backup(
    path: Path, url: str, signer: Signer, anchors: tuple[LedgerHead, ...] = (), *, accept_loss: bool = False
) -> Restoration:
    """Restore a backup into an empty database, verified before and after.

    The backup is replayed from its first entry, and must contain each anchored head that is not newer than it.  With
    ``accept_loss``, newer heads may be missing: their entries are lost.

    Raises:
        LedgerError: the backup does not hold or does not contain a head, entries would be lost, or the database
            already has a ledger.
    """
    backup = read_manifest(path, signer)
    newest = max((head.sequence for head in anchors), default=backup.head.sequence)
    lost = max(0, newest - backup.head.sequence)
    if lost and not accept_loss:
        raise LedgerError(
            f"{path} ends at entry {backup.head.sequence}, but entry {newest} was anchored: what came between would be "
            "lost; restore a later backup, or accept the loss with --accept-loss",
            code="backup-behind",
            entry=backup.head.sequence,
            anchored=newest,
            lost=lost,
        )
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        with _open_store(f"sqlite:///{copy}") as kept:  # which brings an older one up to date
            held = tuple(head for head in anchors if head.sequence <= backup.head.sequence)
            _verify_copy(kept, signer, backup.head, path, held)
            kept.run_write(lambda transaction: transaction.connection.execute(sa.delete(session)))
            controller = Controller(kept, signer)
            incident = controller.report_restoration(_describe_restoration(backup, lost))
            with _open_target(url) as target:
                copy_ledger(kept, target)
                _verify_copy(target, signer, controller.head, path, held)
    return Restoration(backup, lost, incident)


@contextmanager
def _open_target(url: str) -> Iterator[Store]:
    """Open the database of a restored ledger.

    A restoration that is interrupted leaves no ledger that opens.  An SQLite file gets its name at the end.  In
    PostgreSQL the last page of the copy has the balances, the signed head and the incident, in one transaction.
    """
    parsed = make_engine(url).url
    if parsed.get_backend_name() != "sqlite":
        with _open_store(url) as target:
            yield target
        return
    path = Path(str(parsed.database)).absolute()
    _verify_absent(path)
    try:
        with TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.restoring-") as folder:
            part = Path(folder) / path.name
            with _open_store(f"sqlite:///{part}") as target:
                yield target
            _verify_absent(path)
            part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise LedgerError(f"cannot write {path}: {error.strerror}", code="cannot-write", path=path) from None


def _verify_absent(path: Path) -> None:
    if path.exists():
        raise LedgerError(f"{path} exists: move it elsewhere, and keep it", code="ledger-exists", path=path)


def _verify_copy(store: Store, signer: Signer, end: LedgerHead, path: Path, anchors: tuple[LedgerHead, ...]) -> None:
    ensure_award_records(store)
    head = audit_ledger(store, signer, full=True).head
    if head != end:
        raise LedgerError(
            f"the copy ends at entry {head.sequence}, but its manifest says {end.sequence}",
            code="backup-changed",
            path=path,
        )
    with store.begin_read() as transaction:
        for anchored in anchors:
            kept = anchored if anchored.answers <= head.answers else head  # the copy may be older
            verify_exported_head(transaction, LedgerHead(*anchored[:2], *kept[2:]))


def _describe_restoration(backup: Backup, lost: int) -> str:
    more = (
        f"entries {backup.head.sequence + 1} to {backup.head.sequence + lost} are lost" if lost else "none known lost"
    )
    return f"restored from the backup of {backup.at}, which ends at entry {backup.head.sequence}; {more}"
