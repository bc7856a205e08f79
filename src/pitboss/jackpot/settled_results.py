"""Results of a progressive, as monitoring takes them: a row per table and day."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from pitboss.analysis.monitored_bet import MonitoredBet
from pitboss.analysis.table_results import ResultRow
from pitboss.core.errors import MonitorError
from pitboss.jackpot.day_report import get_day_clock
from pitboss.jackpot.events import (
    AwardBackedOut,
    AwardConfirmed,
    HitEntered,
    OwedAward,
    ProgressiveEvent,
    RoundEnded,
    RoundOpened,
    parse_event,
)
from pitboss.jackpot.settings import Settings
from pitboss.ledger.entry_pages import read_entries
from pitboss.ledger.store import Store

_RoundKey = tuple[int, int]


class _Collector:
    """Counts wagers and confirmed awards of ended rounds, by table and gaming day."""

    def __init__(self, settings: Settings) -> None:
        self._clock = get_day_clock(settings)
        self._open: dict[int, tuple[int, str, tuple[int, ...]]] = {}  # the round of each table, its day and wagers
        self._awards: dict[int, tuple[_RoundKey, str, OwedAward]] = {}
        self._confirmed = set[int]()
        self.wagers: Counter[tuple[int, str]] = Counter()
        self.staked_cents: Counter[tuple[int, str]] = Counter()

    def add(self, event: ProgressiveEvent, at: str) -> None:
        """Add an event of a time."""
        match event:
            case RoundOpened():
                day = self._clock.find_day(datetime.fromisoformat(at)).isoformat()
                self._open[event.table] = (event.round, day, tuple(wager.cents for wager in event.wagers))
            case HitEntered():
                for owed in event.owed:
                    table, number = owed.table or event.table, owed.round or event.round
                    known = self._awards.get(owed.award)
                    day = known[1] if known else self._open[table][1]
                    self._awards[owed.award] = ((table, number), day, owed)
            case AwardConfirmed():
                self._confirmed.add(event.award)
            case AwardBackedOut():
                self._confirmed.discard(event.award)
            case RoundEnded():
                _, day, wagers = self._open.pop(event.table)
                self.wagers[event.table, day] += len(wagers)
                self.staked_cents[event.table, day] += sum(wagers)
            case _:
                pass

    def make_rows(self, lines: Sequence[str]) -> tuple[ResultRow, ...]:
        """Make the rows, with the hits of lines, but without rounds that go on."""
        running = {(table, number) for table, (number, _, _) in self._open.items()}
        hits: Counter[tuple[int, str, str]] = Counter()
        won: Counter[tuple[int, str]] = Counter()
        for award in self._confirmed:
            key, day, owed = self._awards[award]
            if key not in running:
                hits[key[0], day, owed.hand] += 1
                won[key[0], day] += owed.cents
        return tuple(
            ResultRow(
                place=f"table {table}, {day}",
                table=str(table),
                period=day,
                rounds=rounds,
                staked_cents=self.staked_cents[table, day],
                returned_cents=won[table, day],
                counts={name: hits[table, day, name] for name in lines},
            )
            for (table, day), rounds in self.wagers.items()
        )


def collect_progressive_results(store: Store, settings: Settings, bet: MonitoredBet) -> tuple[ResultRow, ...]:
    """Collect wagers and confirmed hits of every table of a progressive.

    What is returned is without envy.

    Raises:
        MonitorError: the progressive has other lines than the bet.
        LedgerError: the ledger cannot be reached.
    """
    lines = [line.hand for line in settings.lines]
    unknown = [line for line in lines if line not in bet.chances]
    if unknown or not bet.has_meter:
        raise MonitorError(
            f"this ledger is of a progressive with {', '.join(lines)}, and {bet.id} is another bet: name its bet",
            code="other-bet",
            bet=bet.id,
        )
    collector = _Collector(settings)
    for entry in read_entries(store):
        collector.add(parse_event(entry.data), entry.at)
    return collector.make_rows(lines)
