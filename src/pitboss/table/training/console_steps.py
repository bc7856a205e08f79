"""The steps at a progressive's console, from COIN IN to GAME OVER."""

from collections.abc import Iterator
from dataclasses import replace

from pitboss.builders import display_name
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.paytables import find_progressive_table
from pitboss.table.round import EnvyPaid, Round, WagerSettled
from pitboss.table.training.dealer_question import ProcedureStep
from pitboss.table.training.procedure import KeyClauses, load_house_procedure
from pitboss.table.training.step_texts import ALL_IS_SETTLED
from pitboss.table.training.wrong_steps import BACK_TO_RUN, TAKE_OFF, WrongSteps, format_keep_for_envy, format_lock_up

KEYS_CASE = "the progressive's keys"
ENVY_HAND_CASE = "whether a hand pays envy"


def find_meter_bet(played: Round) -> str:
    """Find the progressive's bet of a round, "" where nobody has placed it."""
    table = find_progressive_table(played.paytables)
    return table.bet if table and played.has_meter_wager else ""


class ConsoleSteps:
    """The steps of one round at a progressive's console."""

    def __init__(self, played: Round, key_system: str, wrong: WrongSteps) -> None:
        """Prepare the steps with the keys of a system, "keypad" or "display"."""
        self._round, self._words, self._wrong = played, STEP_LABELS[key_system], wrong
        procedure = load_house_procedure(played)
        self._clauses = procedure.keys.get(key_system, KeyClauses())
        self._envy_clause = procedure.envy_hand
        table = find_progressive_table(played.paytables)
        self.bet = find_meter_bet(played)
        self._pays_envy = bool(self.bet and table and table.envy and self._envy_clause)
        self._has_run = key_system == "keypad"

    @staticmethod
    def _make(text: str, clause: str, before: int, wrong: tuple[str, ...], why: str) -> ProcedureStep:
        return ProcedureStep(text, KEYS_CASE, clause, before, wrong, situation=why)

    def build_opening(self, before: int) -> Iterator[ProcedureStep]:
        """Yield the steps before the deal."""
        clause, key = self._clauses.open, self._words["open"]
        why = "the progressive wagers lie on the sensors, and its round is not open"
        yield self._make(f"Press {key}", clause, before, self._wrong.list_for_open_key(), why)
        why = "the progressive's round is open, its wagers lie on the sensors, and no card is dealt"
        yield self._make(TAKE_OFF, clause, before, self._wrong.list_for_sensors(), why)

    def build_before_pay(self, event: WagerSettled, before: int) -> Iterator[ProcedureStep]:
        """Yield the steps from a winning hand to its payment."""
        line, seat, wrong = event.outcome, event.seat, self._wrong
        key, hand = wrong.format_hand_key(line, seat), f"the {display_name(line)} of seat {seat + 1}"
        others, why = tuple(wrong.iter_for_hand_key(line, seat)), f"{hand} is open, and no key is pressed for it"
        yield replace(self._make(key, self._clauses.hand, before, others, why), seat=seat)
        others, why = wrong.list_for_confirm(line, seat), f"{hand} is entered, and nobody has confirmed it"
        yield replace(self._make(wrong.confirm_text, self._clauses.confirm, before, others, why), seat=seat)

    def build_after_pay(self, event: WagerSettled, before: int) -> Iterator[ProcedureStep]:
        """Yield the step after a win is paid: a keypad's key goes back to RUN."""
        if self._has_run:
            wrong = self._wrong.list_for_run(event.outcome, event.seat)
            why = f"seat {event.seat + 1} is paid, and the supervisor's key is not at RUN"
            yield replace(self._make(BACK_TO_RUN, self._clauses.run, before, wrong, why), seat=event.seat)

    def build_closing(self, before: int) -> Iterator[ProcedureStep]:
        """Yield the step after everything is settled."""
        key, wrong = self._words["close"], self._wrong.list_for_close_key()
        why = f"{ALL_IS_SETTLED}, and the progressive's round is still open"
        yield self._make(f"Press {key}", self._clauses.close, before, wrong, why)

    def build_finished_hand(self, seat: int, before: int, *, is_folded: bool) -> ProcedureStep | None:
        """Build the step for a hand that no wager is on any more.

        It stays for envy, or is locked up.  Return None where no envy is paid, and for a folded hand that pays none: it
        is collected like any other.
        """
        envy = any(isinstance(event, EnvyPaid) and event.hitter == seat for event in self._round.events)
        lies_open = any(stake.bet == self.bet and stake.seat == seat for stake in self._round.stakes) or not is_folded
        if not self._pays_envy or not lies_open or (is_folded and not envy):
            return None
        text = format_keep_for_envy(seat) if envy else format_lock_up(seat)
        wrong = tuple(self._wrong.iter_for_finished_hand(seat))
        why = f"no wager on the hand of seat {seat + 1} is left, and it pays {'envy to others' if envy else 'no envy'}"
        return ProcedureStep(text, ENVY_HAND_CASE, self._envy_clause, before, wrong, seat=seat, situation=why)
