"""A table linked to a progressive, for tests: both in ledgers of their own, started anew as often as one likes."""

from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, appointed
from jackpot.house import settings as progressive_settings
from pitboss.jackpot.commands import ApproveRequest, ConfirmAward, RequestSettings
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import Reconfiguration
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state_parts import Hit
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.table.progressive_client import ProgressiveClient, build_linked_terms
from pitboss.table.round import EnvyPaid, WagerSettled
from pitboss.table.service import TableService
from pitboss.table.session import DealRound, TableSession, TakeAction, TakeSeat
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
        self.store = Store.open_or_create(f"sqlite:///{folder / 'progressive.db'}")
        self.controller = Controller(self.store, Signer.load_or_create(folder / "signing"))
        self.controller.create(progressive_settings(**settings), EXECUTIVE.name)
        for who in (DEALER, SUPERVISOR, SECOND_DEALER):
            self.staff(who)
        self.start(partial(ProgressiveClient, self.controller))
        self.tables.open_table(NAME, build_linked_terms(self.controller, 1, DEALER.name), "open")
        for seat in seats:
            self.tables.execute(NAME, TakeSeat(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}", f"sit-{seat}")

    def start(self, progressive: Any) -> None:
        """Start the tables, as a process does."""
        url, key = f"sqlite:///{self._folder / 'tables.db'}", self._folder / "tables.key"
        self.tables = TableService.connect(url, key, clock=lambda: 100, bits=self.laid, connect_progressive=progressive)

    def key(self) -> str:
        """Return a command's own key."""
        return f"key-{next(self._keys)}"

    def staff(self, who: Actor, *, active: bool = True) -> None:
        """Give somebody a role, or end it."""
        appointed(self.controller, who.name, who.role, active=active)

    @property
    def now(self) -> TableSession:
        """The table as it stands."""
        return self.tables.get_session(NAME)

    def wager(self, *seats: int, bets: tuple[str, ...] = ("progressive",)) -> None:
        """Have seats place the least, and a dollar on the progressive."""
        for seat in seats:
            self.tables.execute(NAME, lowest_wagers(self.now, seat, bets), f"p{seat}", self.key())

    def deal(self, cards: str = "") -> TableSession:
        """Have cards dealt, as laid."""
        if cards:
            self.laid.lay(SIX_CARD, cards)
        return self.tables.execute(NAME, DealRound(), f"p{min(self.now.seats)}", self.key()).session

    def play(self) -> TableSession:
        """Have every seat play."""
        now = self.now
        while now.turn is not None:
            decision = TakeAction(seat=now.turn, action="play")
            now = self.tables.execute(NAME, decision, f"p{now.turn}", self.key()).session
        return now

    def pending(self) -> tuple[Hit, ...]:
        """Return what waits for a supervisor."""
        return self.controller.refresh().list_pending_hits()

    def confirm(self, award: int) -> None:
        """Confirm an award."""
        self.controller.execute(ConfirmAward(award=award), EXECUTIVE, f"confirm-{award}")

    def configure(self, **changes: Any) -> None:
        """Have two people change settings."""
        settings = self.controller.state.settings
        assert settings is not None
        change = Reconfiguration(settings=settings.model_copy(update=changes), text="as decided")
        asked = self.controller.execute(RequestSettings(change=change), SUPERVISOR, f"ask-{changes}").state.last_request
        self.controller.execute(ApproveRequest(request=asked), EXECUTIVE, f"approve-{asked}")

    def close(self) -> None:
        """Let go of both databases."""
        self.tables.close()
        self.store.close()


def felt(now: TableSession) -> dict[int, tuple[str, int, int]]:
    """Return what the felt shows of the progressive's winners: by chair the hand, the win, and what is the meter's."""
    assert now.round is not None
    return {
        now.round_seats[event.seat]: (event.outcome, event.net_cents, event.meter_cents)
        for event in now.round.events
        if isinstance(event, WagerSettled) and event.bet == "progressive" and event.net_cents > 0
    }


def envied(now: TableSession) -> set[tuple[int, int, str, int]]:
    """Return chair, hitter, hand and cents of envy on the felt."""
    assert now.round is not None
    return {
        (now.round_seats[event.seat], now.round_seats[event.hitter], event.line, event.cents)
        for event in now.round.events
        if isinstance(event, EnvyPaid)
    }


def ledgers(hits: tuple[Hit, ...], wager_cents: int = 100) -> dict[int, tuple[str, int, int]]:
    """Return what the ledger says of hits, as ``felt`` does."""
    return {hit.owed.seat: (hit.owed.hand, hit.cents - wager_cents, hit.owed.meter_cents) for hit in hits}
