"""A table linked to a progressive, for tests: both in ledgers of their own, started anew as often as one likes."""

from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR
from jackpot.house import settings as progressive_settings
from pitboss.jackpot.commands import Approve, ChangeStaff, Configure, Confirm
from pitboss.jackpot.events import Reconfiguration
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.service import Controller
from pitboss.jackpot.state import Hit
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.table.domain import EnvyPaid, Settled
from pitboss.table.linked import Linked, linked_terms
from pitboss.table.service import Tables
from pitboss.table.sitting import Deal, Decide, Sit, Sitting
from table.laying import SIX_CARD, Laid
from table.seated import CHIPS, lowest_wagers

NAME = "linked-1-t"
SECOND_DEALER = Actor("max", Role.DEALER)


class Pit:
    """A progressive with a dealer and a supervisor, and table 1 of it."""

    def __init__(self, folder: Path, *seats: int, **settings: Any) -> None:
        """Open the table for ``p1``, ``p2`` ... in these seats."""
        self._folder, self._keys = folder, count(1)
        self.laid = Laid()
        self.store = Store.made(f"sqlite:///{folder / 'progressive.db'}")
        self.controller = Controller(self.store, Signer.made(folder / "signing"))
        self.controller.found(progressive_settings(**settings), EXECUTIVE.name)
        for who in (DEALER, SUPERVISOR, SECOND_DEALER):
            self.staff(who)
        self.start(partial(Linked, self.controller))
        self.tables.open(NAME, linked_terms(self.controller, 1, DEALER.name), "open")
        for seat in seats:
            self.tables.do(NAME, Sit(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}", f"sit-{seat}")

    def start(self, progressive: Any) -> None:
        """Start the tables, as a process does."""
        url, key = f"sqlite:///{self._folder / 'tables.db'}", self._folder / "tables.key"
        self.tables = Tables.made(url, key, clock=lambda: 100, bits=self.laid, progressive=progressive)

    def key(self) -> str:
        """Return a command's own key."""
        return f"key-{next(self._keys)}"

    def staff(self, who: Actor, *, active: bool = True) -> None:
        """Give somebody a role, or end it."""
        self.controller.do(ChangeStaff(name=who.name, role=who.role, active=active), EXECUTIVE, self.key())

    @property
    def now(self) -> Sitting:
        """The table as it stands."""
        return self.tables.sitting(NAME)

    def wager(self, *seats: int, bets: tuple[str, ...] = ("progressive",)) -> None:
        """Have seats place the least, and a dollar on the progressive."""
        for seat in seats:
            self.tables.do(NAME, lowest_wagers(self.now, seat, bets), f"p{seat}", self.key())

    def deal(self, cards: str = "") -> Sitting:
        """Have cards dealt, as laid."""
        if cards:
            self.laid.lay(SIX_CARD, cards)
        return self.tables.do(NAME, Deal(), f"p{min(self.now.seats)}", self.key()).sitting

    def play(self) -> Sitting:
        """Have every seat play."""
        now = self.now
        while now.turn is not None:
            decision = Decide(seat=now.turn, action="play")
            now = self.tables.do(NAME, decision, f"p{now.turn}", self.key()).sitting
        return now

    def pending(self) -> tuple[Hit, ...]:
        """Return what waits for a supervisor."""
        return self.controller.refresh().pending()

    def confirm(self, award: int) -> None:
        """Confirm an award."""
        self.controller.do(Confirm(award=award), EXECUTIVE, f"confirm-{award}")

    def configure(self, **changes: Any) -> None:
        """Have two people change settings."""
        settings = self.controller.state.settings
        assert settings is not None
        change = Reconfiguration(settings=settings.model_copy(update=changes), text="as decided")
        asked = self.controller.do(Configure(change=change), SUPERVISOR, f"ask-{changes}").state.last_request
        self.controller.do(Approve(request=asked), EXECUTIVE, f"approve-{asked}")

    def close(self) -> None:
        """Let go of both databases."""
        self.tables.close()
        self.store.close()


def felt(now: Sitting) -> dict[int, tuple[str, int, int]]:
    """Return what the felt shows of the progressive's winners: by chair the hand, the win, and what is the meter's."""
    assert now.round is not None
    return {
        now.playing[event.seat]: (event.outcome, event.net_cents, event.meter_cents)
        for event in now.round.events
        if isinstance(event, Settled) and event.bet == "progressive" and event.net_cents > 0
    }


def envied(now: Sitting) -> set[tuple[int, int, str, int]]:
    """Return chair, hitter, hand and cents of envy on the felt."""
    assert now.round is not None
    return {
        (now.playing[event.seat], now.playing[event.hitter], event.line, event.cents)
        for event in now.round.events
        if isinstance(event, EnvyPaid)
    }


def ledgers(hits: tuple[Hit, ...], wager_cents: int = 100) -> dict[int, tuple[str, int, int]]:
    """Return what the ledger says of hits, as ``felt`` does."""
    return {hit.owed.seat: (hit.owed.hand, hit.cents - wager_cents, hit.owed.meter_cents) for hit in hits}
