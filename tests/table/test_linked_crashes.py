"""A linked table that loses its line or its process at every step: felt, ledger and chips agree after each round."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jackpot.house import EXECUTIVE
from pitboss.cards import draw_below, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.jackpot.commands import ConfirmAward
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import RoundEnded, RoundOpened
from pitboss.jackpot.invariants import find_violations
from pitboss.ledger.errors import LedgerError
from pitboss.table.progressive_client import ProgressiveClient
from pitboss.table.session import DealRound, Phase, TableCommand, TableSession, TakeAction
from refusals import refusal
from table.laying import SIX_CARD
from table.linking import NAME, Pit, envied, felt, ledgers
from table.seated import lowest_wagers

SEATS = (1, 3, 6)
HANDS = (
    "As Ks Qs Js Ts 2h",
    "9h 8h 7h 6h 5h 2c",
    "9d 8d 7d 6d 5d 2d",
    "4s 4h 4d 4c Kh Qh",
    "Kc Kd Jh Jd Jc 3c",
    "Ac Tc 8c 7c 5c 3d",
)
DEALER_HAND = "Ah 9c 8s 6c 5s 3h"


class Line:
    """A line to the progressive that breaks when it is told to, before a command gets there or before its answer does.

    What follows is what follows a crash there: the table has written nothing, its process starts again, and whoever
    gave a command gives it again with its key.
    """

    def __init__(self, at: Pit, bits: BitSource) -> None:
        self._at, self._bits = at, bits
        self.breaks = {"before": 0, "after": 0}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._at.controller, name)

    def execute(self, *command: Any) -> Any:
        """Send a command."""
        chance = draw_below(6, self._bits)
        if chance == 0:
            self._break("before")
        done = self._at.controller.execute(*command)
        if chance == 1:
            if draw_below(2, self._bits):
                confirm_one(self._at, self._bits)  # a supervisor is quicker than the table that starts again
            self._break("after")
        return done

    def _break(self, where: str) -> None:
        self.breaks[where] += 1
        raise LedgerError("the line is lost")


SHARES = {"royal-flush", "straight-flush"}
"""The hands that SIXCPP-01 pays a share of the meter."""


def confirm_one(at: Pit, bits: BitSource) -> None:
    """Have any award confirmed; while it is provisional, that is refused, and the first one is confirmed.

    Only awards from the meter wait for one another: those from the tray are what they are (SC-9).
    """
    pending = at.pending()
    if not pending:
        return
    settings = at.controller.state.settings
    assert settings
    hit = pending[draw_below(len(pending), bits)]
    all_from_meter = settings.fixed_awards_from == "meter"
    from_meter = [each for each in pending if all_from_meter or each.owed.hand in SHARES]
    award = first = hit.owed.award
    if hit in from_meter:
        first = min(from_meter, key=lambda each: each.place).owed.award
    if award != first:
        with pytest.raises(RefusalError, check=refusal("award-provisional", award=award, waits_for=first)):
            at.controller.execute(ConfirmAward(award=award), EXECUTIVE, at.key())
    at.confirm(first)


def restarted(at: Pit, line: Any) -> None:
    """Start the tables again, which know nothing but what is written."""
    at.tables.close()
    at.start(partial(ProgressiveClient, line))


def given(at: Pit, line: Line, command: TableCommand, by: str) -> TableSession:
    """Give a command until it is answered, each time with its key."""
    key = at.key()
    while True:
        try:
            return at.tables.execute(NAME, command, by, key).session
        except LedgerError:
            restarted(at, line)


def tended(at: Pit, line: Line, phase: Phase) -> TableSession:
    """Tend the table until it is no longer in a phase, starting it again each time that it still is."""
    while (now := at.tables.run_automation(NAME)).phase is phase:
        restarted(at, line)
    return now


def played(at: Pit, line: Line, bits: BitSource) -> tuple[TableSession, dict[int, tuple[str, int, int]], int]:
    """Play a round; return the table after it, what the felt showed, and how many entries the ledger had before."""
    entries = at.controller.state.entries
    for seat in SEATS:
        bets = ("progressive",) if draw_below(5, bits) else ()
        given(at, line, lowest_wagers(at.now, seat, bets), f"p{seat}")
    order = shuffle_cards(range(len(HANDS)), bits)
    at.laid.lay(SIX_CARD, " ".join((*(HANDS[place] for place in order[:3]), DEALER_HAND)))
    given(at, line, DealRound(), "p1")
    now = tended(at, line, Phase.SEEDS)
    while now.turn is not None:
        action = ("play", "fold")[draw_below(2, bits)]
        now = given(at, line, TakeAction(seat=now.turn, action=action), f"p{now.turn}")
    shown = felt(now)
    while at.pending():
        assert felt(at.tables.run_automation(NAME)) == shown
        confirm_one(at, bits)
    return tended(at, line, Phase.SETTLE), shown, entries


def agree(at: Pit, now: TableSession, shown: dict[int, tuple[str, int, int]], entries: int) -> None:
    """Check a played round: felt and ledger to the cent, the ledger's identities, and the chips."""
    state = at.controller.refresh()
    assert find_violations(state) == ()
    number = now.progressive_round
    (opened,) = [
        each for each in at.controller.load_events(entries + 1, state.entries) if isinstance(each, RoundOpened)
    ]
    (ended,) = [each for each in at.controller.load_events(entries + 1, state.entries) if isinstance(each, RoundEnded)]
    assert (opened.round, opened.link, ended.round) == (number, NAME, number)
    assert now.round is not None
    staked = {now.round_seats[stake.seat]: stake.cents for stake in now.round.stakes if stake.bet == "progressive"}
    assert {wager.seat: wager.cents for wager in opened.wagers} == staked
    hits = tuple(hit for hit in state.hits.values() if hit.round == number and hit.step != "cancelled")
    assert felt(now) == shown == {seat: each for seat, each in ledgers(hits).items() if each[1] > 0}
    assert {hit.step for hit in hits} <= {"confirmed"}
    assert envied(now) == {(each.seat, each.hitter, each.hand, each.cents) for each in ended.envy}
    kept = now.snapshot
    assert kept.bought_cents == kept.house_cents + sum(seat.chips_cents for seat in now.seats.values())


def simulated(folder: Path, rounds: int, seed: int, **settings: Any) -> Any:
    """Play so many rounds with a line that breaks at a third of the commands, and check each."""
    at = Pit(folder, *SEATS, **settings)
    bits = seeded_bits(seed)
    line: Any = Line(at, bits)
    at.start(partial(ProgressiveClient, line))
    for count in range(1, rounds + 1):
        now, shown, entries = played(at, line, bits)
        assert now.snapshot.number == count + 1
        agree(at, now, shown, entries)
    assert at.controller.verify().state.entries == at.controller.state.entries
    at.tables.verify()
    at.close()
    return line


@pytest.mark.more
def test_rounds_with_a_line_that_breaks(tmp_path: Path) -> None:
    line = simulated(tmp_path, 60, 1, limit_cents=1_000_000, meter_bps=8_000)
    assert min(line.breaks.values()) > 20


@pytest.mark.more
def test_split_awards_from_a_meter_that_runs_dry(tmp_path: Path) -> None:
    simulated(tmp_path, 30, 2, seed_cents=30_000, fixed_awards_from="meter", award_order="split")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 7))
def test_many_rounds_with_a_line_that_breaks(seed: int, tmp_path: Path) -> None:
    simulated(tmp_path, 150, seed, award_rounding="dollar" if seed % 2 else "cent", limit_cents=1_100_000)
