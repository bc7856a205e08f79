"""A table linked to the progressive of ``jackpot``: the dealer's keys, pressed by the table itself.

The supervisor's half, confirming an award, stays with the people at the console: until it is done the table waits with
its settlement.
"""

from collections.abc import Mapping

from pitboss.jackpot.commands import Close, Hit, Open
from pitboss.jackpot.events import Opened, Wager
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.service import Controller, Outcome
from pitboss.jackpot.state import State
from pitboss.meter import UNITS_PER_CENT, Meter
from pitboss.table.meters import Won


class Linked:
    """Table ``number`` of a progressive.  The progressive counts this table's rounds as the table does, from 1."""

    def __init__(self, controller: Controller, number: int, dealer: Actor) -> None:
        """Press the keys as ``dealer``, who has a role at the progressive."""
        self._controller, self._number, self._dealer = controller, number, dealer

    def coin_in(self, round_number: int, wagers: Mapping[int, int]) -> Meter:
        """COIN IN, START GAME: take the wagers; return the meter without them."""
        taken = tuple(Wager(seat=seat, cents=cents) for seat, cents in sorted(wagers.items()))
        outcome = self._press(Open(table=self._number, round=round_number, wagers=taken), f"{round_number}-coin-in")
        meter = outcome.state.meter
        for event in outcome.events:
            if isinstance(event, Opened):
                meter = Meter(meter.units - event.meter_units, meter.reserve_units - event.reserve_units)
        return meter

    def enter(self, round_number: int, won: Mapping[int, Won]) -> Meter:
        """Press the hand buttons, from the dealer's right; return the meter that the awards are of."""
        state = self._controller.state
        for seat, hand in sorted(won.items(), reverse=True):
            hit = Hit(table=self._number, round=round_number, seat=seat, hand=hand.line, cards=hand.cards)
            state = self._press(hit, f"{round_number}-hit-{seat}").state
        return _before_awards(state, self._number, round_number)

    def close(self, round_number: int) -> None:
        """GAME OVER, END GAME (raises RefusalError while an award is not confirmed)."""
        # A refusal is a first answer too: so each press that is refused is one of its own.
        last = self._controller.refresh().rounds.get(self._number)
        if last is not None and last.running:
            entries = self._controller.state.entries
            self._press(Close(table=self._number, round=round_number), f"{round_number}-close-{entries}")

    def _press(self, command: Open | Hit | Close, what: str) -> Outcome:
        return self._controller.do(command, self._dealer, f"table-{self._number}-round-{what}")


def _before_awards(state: State, table: int, round_number: int) -> Meter:
    """Return the meter with everything still in it that was fixed for a round's hands."""
    units, reserve_units = state.meter
    for hit in state.pending(table, round_number):
        units += (hit.owed.meter_cents - hit.owed.seed_cents) * UNITS_PER_CENT - hit.owed.released_units
        reserve_units += hit.owed.released_units
    return Meter(units, reserve_units)
