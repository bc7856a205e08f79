"""``pitboss jackpot``: the commands for system operators.

They are backup, restoration, upgrade, anchors and health.  They need the ledger's files and key, not a person's
password: anybody who has those could copy the files anyway.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

import typer

from pitboss.cli.jackpot_ledger import (
    ANCHOR_VARIABLE,
    LedgerCall,
    OpenLedger,
    list_anchor_files,
    verify_last_anchors,
    with_ledger_options,
)
from pitboss.cli.ledger_location import get_key_path, to_database_url
from pitboss.cli.logs import SECURITY_LOG
from pitboss.core.errors import PitbossError
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.plain_text import describe_entries

STOP_SECONDS = 2
NOT_READY = 1

AnchorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--anchor",
        metavar="FILE|URL|-",
        envvar=ANCHOR_VARIABLE,
        help="Where to keep signed heads: a file to append to, an https:// address, or - to print; repeatable.",
    ),
]


def register_commands(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for command in (backup, restore, upgrade, head, health):
        app.command()(command)


@with_ledger_options("name", "key")
def backup(
    call: LedgerCall, output: Annotated[Path, typer.Option(metavar="FILE", help="The new file to write.")]
) -> None:
    """Copy the ledger while it runs, to an SQLite file with a signed manifest.

    The copy is verified from its first entry.  Tables can play while it is made.
    """
    from pitboss.jackpot.backup import get_manifest_path, write_backup

    with call.open() as at:
        made = write_backup(at.store, at.signer, output, datetime.now(UTC))
    facts = {"backup": str(output), "manifest": str(get_manifest_path(output)), "bytes": made.size, "at": made.at}
    call.print(
        {**facts, "entries": made.head.sequence, "hash": made.head.hash},
        f"{output}: {describe_entries(made.head.sequence)}; last hash {made.head.hash}",
    )


@with_ledger_options("name", "key")
def restore(
    call: LedgerCall,
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="The backup; its manifest is next to it.")],
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor",
            metavar="FILE",
            envvar=ANCHOR_VARIABLE,
            help="A file of anchored heads: the backup must have every entry that they name; repeatable.",
        ),
    ] = None,
    *,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Restore even if anchored entries are missing from the backup.")
    ] = False,
) -> None:
    """Restore a backup into a new ledger, and verify it from its first entry.

    Give the anchors of the ledger: they show which entries are missing.  An incident closes all tables until two
    people have signed it.
    """
    from pitboss.jackpot.anchors import read_anchors
    from pitboss.jackpot.backup import restore_backup
    from pitboss.ledger.signing import Signer

    signer, url = Signer(get_key_path(call.ledger)), to_database_url(call.ledger)
    if "://" not in call.ledger and Path(call.ledger).exists():
        raise RefusalError(
            f"{call.ledger} exists: move it elsewhere, and keep it", code="ledger-exists", ledger=call.ledger
        )
    heads = tuple(head for path in list_anchor_files(anchor) for head in read_anchors(path, signer))
    done = restore_backup(file, url, signer, heads, accept_loss=accept_loss)
    # Entries after the last head that was anchored are not known: an anchor says only what was lost at least.
    in_words = {0: "no anchored entry is lost", 1: "at least 1 entry is lost"}
    lost = in_words.get(done.lost_entries, f"at least {done.lost_entries:,} entries are lost")
    if not heads:
        lost = "no anchors were given, so nobody knows whether entries are lost"
    call.print(
        {
            "ledger": call.ledger,
            "entries": done.backup.head.sequence,
            "hash": done.backup.head.hash,
            "lost_entries": done.lost_entries,
            "anchored_heads": len(heads),
            "incident": done.incident,
        },
        f"restored {done.backup.head.sequence:,} entries, last hash {done.backup.head.hash}: {lost}\n"
        f"numbers continue with {done.incident:,}, so that no round, award or request on paper has its number twice\n"
        f"all tables are closed by incident {done.incident}: two people must close it"
        + _describe_lost_anchors(list_anchor_files(anchor) if done.lost_entries else ()),
    )


def _describe_lost_anchors(files: Iterable[Path]) -> str:
    """Describe what to do with anchors of which a restored ledger lacks heads."""
    names = ", ".join(map(str, files))
    fix = "and keep it with the incident: it has heads that this ledger lacks"
    return f"\nmove {names} away before the next command, {fix}" if names else ""


@with_ledger_options("name", "key")
def upgrade(call: LedgerCall) -> None:
    """Upgrade a ledger's database, and prove that its record has not changed.

    The whole chain is checked before and after.  Stop the servers first, and keep a backup.
    """
    from pitboss.ledger.upgrade import upgrade_ledger

    if "://" not in call.ledger and not Path(call.ledger).exists():
        raise RefusalError(
            f"there is no ledger {call.ledger}: name it with --ledger", code="no-ledger", ledger=call.ledger
        )
    before, after = upgrade_ledger(to_database_url(call.ledger))
    call.print(
        {"before": before.version, "after": after.version, "entries": after.head.sequence, "hash": after.head.hash},
        f"{before.version} to {after.version}: {after.head.sequence:,} entries, last hash {after.head.hash}, "
        "the same before and after",
    )


@with_ledger_options("name", "key")
def head(call: LedgerCall, anchor: AnchorOption = None) -> None:
    """Sign the head of the ledger, and send it to the anchors; default: print it.

    The heads in anchor files are checked first: if the ledger lacks one, it was cut off or rewritten.
    """
    from pitboss.jackpot.anchors import anchor_head, read_anchors, verify_anchors

    with call.open() as at:
        for path in list_anchor_files(anchor):
            verify_anchors(at.store, read_anchors(path, at.signer))
        targets = tuple(anchor or ["-"])
        given = tuple(each for each in targets if not (call.as_json and each == "-"))
        anchored = anchor_head(at.store, at.signer, given, datetime.now(UTC))
    if call.as_json:
        typer.echo(anchored.document)
    elif "-" not in targets:
        typer.echo(f"entry {anchored.head.sequence:,} {anchored.head.hash} anchored at {', '.join(targets)}")


@with_ledger_options("name", "key")
def health(call: LedgerCall) -> None:
    """Check ledger, incidents, clock and disk; the exit status is 1 if one fails."""
    from pitboss.jackpot.health import check_health

    with call.open() as at:
        report = check_health(at.store, at.controller)
    lines = (f"{'ok  ' if check.holds else 'FAIL'} {check.name}: {check.line}" for check in report.checks)
    call.print(report.to_dict(), "\n".join(lines))
    if not report.is_ready:
        raise typer.Exit(NOT_READY)


@contextmanager
def keep_anchored(at: OpenLedger, anchors: tuple[str, ...], seconds: float) -> Iterator[None]:
    """Check the anchored heads, then anchor the current one at regular intervals.

    Raises:
        LedgerError: the ledger lacks an anchored head, or cannot be anchored at the start.
    """
    from pitboss.jackpot.anchors import anchor_head, read_anchors, verify_anchors

    for path in list_anchor_files(anchors):
        verify_anchors(at.store, read_anchors(path, at.signer))
    stop = Event()

    def anchor_again() -> None:
        while not stop.wait(seconds):
            try:
                verify_last_anchors(at.store, at.signer, list_anchor_files(anchors))
                anchor_head(at.store, at.signer, anchors, datetime.now(UTC))
            except PitbossError as error:
                logging.getLogger(SECURITY_LOG).log(logging.ERROR, "%s", error)

    if anchors:
        anchor_head(at.store, at.signer, anchors, datetime.now(UTC))
        thread = Thread(target=anchor_again, daemon=True)
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if anchors:
            thread.join(STOP_SECONDS)
