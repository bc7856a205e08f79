"""A disk that forgets what was not synced when its power is cut, as SQLite sees it: a VFS in memory that keeps a log.

A cut at any instant of the log leaves of what was not synced by then nothing, what came first, or any of it, sector by
sector; so do names that were given or taken away in a folder that was not synced.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import apsw
import numpy as np

SECTOR = 512
NAME = "power"

Loss = Literal["all", "tail", "any"]
LOSSES: tuple[Loss, ...] = ("all", "tail", "any")


class Written(NamedTuple):
    """Bytes went to a file."""

    file: int
    offset: int
    data: bytes


class Sized(NamedTuple):
    """A file was cut, or made longer."""

    file: int
    size: int


class Named(NamedTuple):
    """A name was given to a file, or (``file`` 0) taken away."""

    name: str
    file: int


class Synced(NamedTuple):
    """All of a file is on the disk; with ``folder`` all names too, with ``file`` 0 only they."""

    file: int
    folder: bool


Change = Written | Sized | Named


class Disk:
    """Files as they are, and the log of how they came to be so."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        """Begin with files that are on the disk."""
        self.names = {name: number for number, name in enumerate(files or {}, 1)}
        self.files = {self.names[name]: bytearray(content) for name, content in (files or {}).items()}
        self.log: list[Change | Synced] = []
        self._began = dict(self.names), {number: bytes(content) for number, content in self.files.items()}

    def copied(self) -> "Disk":
        """Return a disk on which all of these files are, with an empty log."""
        return Disk({name: bytes(self.files[number]) for name, number in self.names.items()})

    def done(self, change: Change) -> None:
        """Make a change, and log it."""
        _apply(change, self.names, self.files)
        self.log.append(change)

    def cut(self, instant: int, loss: Loss, chance: np.random.Generator) -> "Disk":
        """Return what is found when the power comes back, if it went after ``instant`` steps of the log."""
        names = dict(self._began[0])
        files = {number: bytearray(content) for number, content in self._began[1].items()}
        waiting: list[Change] = []
        for step in self.log[:instant]:
            if not isinstance(step, Synced):
                waiting.append(step)
                continue
            left: list[Change] = []
            for change in waiting:
                safe = step.folder if isinstance(change, Named) else change.file == step.file
                if safe:
                    _apply(change, names, files)
                else:
                    left.append(change)
            waiting = left
        for change in _survivors(waiting, loss, chance):
            _apply(change, names, files)
        return Disk({name: bytes(files.get(number, b"")) for name, number in names.items()})


def _apply(change: Change, names: dict[str, int], files: dict[int, bytearray]) -> None:
    match change:
        case Written(file, offset, data):
            content = files.setdefault(file, bytearray())
            content.extend(bytes(max(0, offset - len(content))))
            content[offset : offset + len(data)] = data
        case Sized(file, size):
            content = files.setdefault(file, bytearray())
            del content[size:]
            content.extend(bytes(size - len(content)))
        case Named(name, 0):
            names.pop(name, None)
        case Named(name, file):
            names[name] = file
            files.setdefault(file, bytearray())


def _survivors(waiting: list[Change], loss: Loss, chance: np.random.Generator) -> Iterator[Change]:
    """Yield what of the changes that were not synced reached the disk all the same."""
    if loss == "tail":
        yield from waiting[: int(chance.integers(len(waiting) + 1))]
    elif loss == "any":
        parts = [part for change in waiting for part in _sectors(change)]
        kept = chance.random(len(parts)) < chance.random()
        yield from (part for part, stays in zip(parts, kept, strict=True) if stays)


def _sectors(change: Change) -> Iterator[Change]:
    """Yield a write as writes of a sector each."""
    if not isinstance(change, Written):
        yield change
        return
    begin, end = change.offset, change.offset + len(change.data)
    while begin < end:
        until = min(end, (begin // SECTOR + 1) * SECTOR)
        yield Written(change.file, begin, change.data[begin - change.offset : until - change.offset])
        begin = until


class Power(apsw.VFS):
    """What SQLite is told of the disk that is ``disk`` now."""

    def __init__(self) -> None:
        """Register under ``NAME``."""
        super().__init__(NAME, "")
        self.disk = Disk()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> Any:
        """Open or make a file; one without a name is nobody else's."""
        flags[1] = flags[0]
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        new = path is None or path not in self.disk.names
        if not new:
            return File(self.disk, self.disk.names[str(path)], fresh=False)
        number = 1 + max(self.disk.files, default=0)
        self.disk.done(Named(path or f"temporary {number}", number))
        journal = flags[0] & (apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL)
        return File(self.disk, number, fresh=bool(journal))

    def xAccess(self, pathname: str, _flags: int) -> bool:
        """Say whether there is a file."""
        return pathname in self.disk.names

    def xDelete(self, filename: str, syncdir: int) -> None:
        """Take a name away."""
        if filename not in self.disk.names:
            raise apsw.IOError
        self.disk.done(Named(filename, 0))
        if syncdir:
            self.disk.log.append(Synced(0, folder=True))


class File:
    """An open file, as SQLite's own VFS for Unix treats it: a journal's first sync is one of its folder too."""

    def __init__(self, disk: Disk, number: int, *, fresh: bool) -> None:
        """Open a file by its number."""
        self._disk = disk
        self._number = number
        self._fresh = fresh

    def xRead(self, amount: int, offset: int) -> bytes:
        """Read."""
        return bytes(self._disk.files[self._number][offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        """Write."""
        self._disk.done(Written(self._number, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:
        """Cut."""
        self._disk.done(Sized(self._number, size))

    def xSync(self, _flags: int) -> None:
        """Bring all that was written to the disk."""
        self._disk.log.append(Synced(self._number, folder=self._fresh))
        self._fresh = False

    def xFileSize(self) -> int:
        """Return how long the file is."""
        return len(self._disk.files[self._number])

    def xSectorSize(self) -> int:
        """Return what SQLite assumes of a disk on Unix."""
        return 4_096

    def xDeviceCharacteristics(self) -> int:
        """Return what SQLite assumes of a disk on Unix: bytes beside those written stay as they are."""
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xFileControl(self, _op: int, _pointer: int) -> bool:
        """Understand nothing."""
        return False

    def xCheckReservedLock(self) -> bool:
        """Nobody else is there."""
        return False

    def xLock(self, _level: int) -> None:
        """Nobody else is there."""

    def xUnlock(self, _level: int) -> None:
        """Nobody else is there."""

    def xClose(self) -> None:
        """Do nothing: what is not synced stays so."""
