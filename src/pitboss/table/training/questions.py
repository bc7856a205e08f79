"""Dealer training: turns a finished round into questions to the dealer.

The procedure is the round driver's own order of events, and the payments are its own settlements.  ``procedure.toml``
holds the rest: clauses, the progressive's keys, and what happens to a winning hand that nobody turns up (W6-8).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from pitboss.builders import display_name
from pitboss.cards import shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import LegResult, PayUnit, StakeConstraintKind
from pitboss.core.money import format_cents
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.meter import UNITS_PER_CENT
from pitboss.paytables import find_progressive_table
from pitboss.table.round import Round
from pitboss.table.round.events import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    EnvyPaid,
    LegSettlement,
    RoundClosed,
    RoundEvent,
    StakePlaced,
    WagerSettled,
)
from pitboss.table.round.payment import apply_coin_in
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_wager
from pitboss.table.training.rounds import UnshownHandRound, count_opening_events, load_procedure
from pitboss.table.training.step_texts import describe_deal, describe_draw, describe_zone

UNSHOWN_CASE = "an unshown hand"
"""The case of a winning first hand that its player did not turn up."""

_WRONG_CHOICES = 3
_CENTS_PER_DOLLAR = 100
_ABSURD_FACTOR = 10


class ChipAction(StrEnum):
    """A dealer's action with the chips of a circle, or of a tax."""

    TAKE = "take"
    PUSH = "leave"
    PAY = "pay"
    COLLECT = "collect"


_ACTION_BY_RESULT = {
    LegResult.WIN: ChipAction.PAY,
    LegResult.PUSH: ChipAction.PUSH,
    LegResult.LOSE: ChipAction.TAKE,
}


@dataclass(frozen=True, slots=True)
class DealerQuestion:
    """A question to the dealer.

    A step has ``choices``; ``answer`` is the right one.  A payment has no choices: its answer is a ``ChipAction``, with
    ``cents`` if the dealer pays or collects.  ``clause`` is its place in the procedure, ``reason`` the reason by the
    rules, ``case`` what the question teaches.  It is asked after ``event_count`` events of the round, when the folded
    hands of the seats ``mucked`` are collected.
    """

    question: str
    answer: str
    case: str
    clause: str
    event_count: int
    choices: tuple[str, ...] = ()
    cents: int = 0
    reason: str = ""
    stake_cents: int = 0
    max_cents: int = 0
    mucked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _ProcedureStep:
    """A step of the procedure, and wrong steps that a dealer might take there."""

    text: str
    case: str
    clause: str
    event_count: int
    distractors: tuple[str, ...] = ()
    mucked: tuple[int, ...] = ()


def build_questions(
    game_round: Round, bits: BitSource = system_bits, key_system: str = "keypad", *, expects_unshown: bool = False
) -> tuple[DealerQuestion, ...]:
    """Build the questions to the dealer of a round, in the order of the procedure.

    ``key_system`` is the progressive's system, "keypad" or "display".  With ``expects_unshown`` the dealer expects
    unshown hands: they are among the choices even if there is none.
    """
    tasks = list(_QuestionBuilder(game_round, key_system, expects_unshown=expects_unshown).build())
    # An unshown hand is a choice wherever it is possible, and never by chance: else the choices would give it away.
    steps = [each for each in tasks if isinstance(each, _ProcedureStep) and each.case != UNSHOWN_CASE]
    step_texts = list(dict.fromkeys(each.text for each in steps))
    return tuple(
        _build_choice_question(each, step_texts, bits) if isinstance(each, _ProcedureStep) else each for each in tasks
    )


def _build_choice_question(step: _ProcedureStep, step_texts: list[str], bits: BitSource) -> DealerQuestion:
    others = [index for index, text in enumerate(step_texts) if text != step.text and text not in step.distractors]
    wrong = (*step.distractors, *(step_texts[index] for index in shuffle_cards(others, bits)))[:_WRONG_CHOICES]
    texts = (step.text, *wrong)
    choices = tuple(texts[index] for index in shuffle_cards(range(len(texts)), bits))
    asked = DealerQuestion("What do you do next?", step.text, step.case, step.clause, step.event_count, choices)
    return replace(asked, mucked=step.mucked)


class _QuestionBuilder:
    """Builds the questions of one round."""

    def __init__(self, game_round: Round, key_system: str, *, expects_unshown: bool) -> None:
        self._round = game_round
        self._key_words, self._has_keypad = STEP_LABELS[key_system], key_system == "keypad"
        self._clauses = load_procedure(game_round.game)
        self._expects_unshown = expects_unshown and bool(self._clauses.forfeit)
        self._opening_count = count_opening_events(game_round.events)
        table = find_progressive_table(game_round.paytables)
        self._meter_bet = table.bet if table and game_round.has_meter_wager else ""

    def build(self) -> Iterator[_ProcedureStep | DealerQuestion]:
        """Yield all questions in order; what a dealer does in one go is one step."""
        before = 0
        mucked: tuple[int, ...] = ()
        for _, group in groupby(enumerate(self._round.events), key=self._get_group_key):
            events = [event for _, event in group]
            for task in self._build_for_group(events, before):
                yield replace(task, mucked=mucked)
            before += len(events)
            for seat in self._find_dead_hands(before, mucked) if isinstance(events[0], WagerSettled) else ():
                yield replace(self._build_muck_step(seat, before), mucked=mucked)
                mucked = (*mucked, seat)

    def _get_group_key(self, placed: tuple[int, RoundEvent]) -> tuple[object, ...]:
        place, event = placed
        match event:
            case CardsDealt() if place < self._opening_count:
                return ("deal",)
            case CardsDealt() | DecisionMade():
                return ("one", place)
            case CardsShown() | WagerSettled() | EnvyPaid():
                return (type(event), event.seat)
        return (type(event),)

    def _build_for_group(self, events: list[RoundEvent], before: int) -> Iterator[_ProcedureStep | DealerQuestion]:
        clauses = self._clauses
        match events[0]:
            case StakePlaced():
                if self._meter_bet:
                    yield self._build_key_step(f"Press {self._key_words['open']}", len(events))
                    yield self._build_key_step("Take the progressive wagers off the sensors", len(events))
            case CardsDealt() if before < self._opening_count:
                yield _ProcedureStep(describe_deal(self._round.game), "deal", clauses.deal, before)
            case CardsDealt() as dealt:
                yield _ProcedureStep(describe_draw(dealt), "draw", clauses.draw, before)
            case CardsShown():
                yield from self._build_reveal_steps([each for each in events if isinstance(each, CardsShown)], before)
            case DecisionMade() as decision:
                question = self._get_decision_question(decision.decision)
                yield _ProcedureStep(f"Ask seat {decision.seat + 1}: {question}", "ask", clauses.ask, before)
            case WagerSettled() as first:
                tasks = [
                    task
                    for event in events
                    if isinstance(event, WagerSettled)
                    for task in self._build_settlement_questions(event, before)
                ]
                if tasks:
                    distractors = (
                        (self._format_forfeit_notice(first.seat), self._format_late_payment(first.seat))
                        if self._expects_unshown
                        else ()
                    )
                    yield _ProcedureStep(f"Settle seat {first.seat + 1}", "settle", clauses.settle, before, distractors)
                    yield from tasks
            case EnvyPaid() as envy:
                yield _ProcedureStep(f"Pay envy to seat {envy.seat + 1}", "envy", clauses.envy, before)
                yield from (self._build_envy_question(each, before) for each in events if isinstance(each, EnvyPaid))
            case RoundClosed():
                if self._meter_bet:
                    yield self._build_key_step(f"Press {self._key_words['close']}", before)
                yield _ProcedureStep(
                    "Collect the cards: the round is over", "collect the cards", clauses.collect, before
                )
            case _:
                yield _ProcedureStep("Shuffle the discards into a new stub", "draw", clauses.draw, before)

    def _build_key_step(self, text: str, before: int) -> _ProcedureStep:
        return _ProcedureStep(text, "the progressive's keys", self._clauses.keys, before)

    def _get_decision_question(self, decision: str) -> str:
        return next(each.question for each in self._round.game.decisions if each.id == decision)

    # Cards.

    def _find_dead_hands(self, before: int, mucked: Sequence[int]) -> list[int]:
        """Find folded hands that no wager is on any more, and that still lie there."""
        events = self._round.events[:before]
        settled = {(event.seat, event.bet, event.on) for event in events if isinstance(event, WagerSettled)}
        live = {
            stake.seat if stake.on is None else stake.on
            for stake in self._round.stakes
            if get_wager(self._round.game, stake.bet).hand_owner.is_seat
            and (stake.seat, stake.bet, stake.on) not in settled
        }
        return sorted(find_folded_seats(events) - live - set(mucked))

    def _build_muck_step(self, seat: int, before: int) -> _ProcedureStep:
        text, wrong = f"Collect the folded hand of seat {seat + 1}", f"Turn up the hand of seat {seat + 1}"
        return _ProcedureStep(text, "collect a folded hand", self._clauses.muck, before, (wrong,))

    def _build_reveal_steps(self, events: list[CardsShown], before: int) -> Iterator[_ProcedureStep]:
        seat, played = events[0].seat, self._round
        earlier = [event for event in played.events[:before] if isinstance(event, CardsShown)]
        if seat is None:
            zones = " and ".join(describe_zone(played, event, before) for event in events)
            yield _ProcedureStep(f"Turn up {zones}", "turn up", self._clauses.show, before)
            return
        if self._is_claim(seat, before):
            return  # the player turns this hand up, not the dealer
        rest = "the rest of " if any(event.seat == seat for event in earlier) else ""
        yield _ProcedureStep(f"Turn up {rest}the hand of seat {seat + 1}", "turn up", self._clauses.show, before)
        if isinstance(played, UnshownHandRound) and played.hidden_seat == seat and rest:
            distractors = (self._format_late_payment(seat), f"Settle seat {seat + 1}")
            notice, after = self._format_forfeit_notice(seat), before + len(events)
            yield _ProcedureStep(notice, UNSHOWN_CASE, self._clauses.unshown, after, distractors)

    def _is_claim(self, seat: int, before: int) -> bool:
        """Return whether a player turns up the hand to claim a win.

        That is before a fold and before the dealer's hand.
        """
        events = self._round.events[:before]
        dealer_cards = {
            card
            for event in events
            if isinstance(event, CardsDealt) and event.destination == "dealer"
            for card in event.cards
        }
        return seat not in find_folded_seats(events) and not dealer_cards <= _get_shown_cards(events, None)

    def _is_unclaimed(self, settled: WagerSettled, before: int) -> bool:
        """Return whether a wager's hand is in play face down, so no win is claimed."""
        events, seat = self._round.events[:before], settled.seat if settled.on is None else settled.on
        if not get_wager(self._round.game, settled.bet).hand_owner.is_seat or seat in find_folded_seats(events):
            return False
        return not _get_dealt_cards(events, seat) & _get_shown_cards(events, seat)

    def _format_forfeit_notice(self, seat: int) -> str:
        return f"Tell seat {seat + 1}: its winning first hand was not shown, {self._forfeit_name} stays lost"

    def _format_late_payment(self, seat: int) -> str:
        return f"Pay seat {seat + 1} its {self._forfeit_name} after all"

    @property
    def _forfeit_name(self) -> str:
        return get_wager(self._round.game, self._clauses.forfeit).name

    # Chips.

    def _build_settlement_questions(
        self, event: WagerSettled, before: int
    ) -> Iterator[_ProcedureStep | DealerQuestion]:
        """Yield a question for every settled circle, and for taxes.

        A tax is asked for once the wager that it is tied to is paid.
        """
        if event.bet == self._meter_bet:
            yield from self._build_progressive_questions(event, before)
            return
        for leg in event.legs:
            if leg.stake_cents or event.bet not in self._find_taxed_bets(event.seat):
                yield self._build_circle_question(event, leg, before)
        if _is_paid(event):
            for other in self._round.events:
                if (
                    isinstance(other, WagerSettled)
                    and other.seat == event.seat
                    and self._find_required_bet(other.bet) == event.bet
                ):
                    yield from (
                        self._build_circle_question(other, leg, before) for leg in other.legs if not leg.stake_cents
                    )

    def _find_required_bet(self, bet: str) -> str:
        """Find the wager that a bet requires to be placed too, "" for none."""
        constraints = get_wager(self._round.game, bet).constraints
        return next((each.bet for each in constraints if each.kind is StakeConstraintKind.ONLY_WITH), "")

    def _find_taxed_bets(self, seat: int) -> set[str]:
        """Find a seat's wagers whose tax was asked for when their tied wager was paid."""
        own = [event for event in self._round.events if isinstance(event, WagerSettled) and event.seat == seat]
        paid = {event.bet for event in own if _is_paid(event)}
        return {event.bet for event in own if self._find_required_bet(event.bet) in paid}

    def _build_circle_question(self, event: WagerSettled, leg: LegSettlement, before: int) -> DealerQuestion:
        clause = self._clauses.pays.get(event.bet, self._clauses.pay)
        wager = get_wager(self._round.game, event.bet)
        circle = display_name(leg.circle)
        alone = len(event.legs) == 1 or leg.circle == event.bet
        name = wager.name if alone and event.bet != "main" else circle.capitalize()
        on = f" on seat {event.on + 1}" if event.on is not None else ""
        if not leg.stake_cents:  # a bonus or a tax
            action, case = ChipAction.COLLECT, f"{wager.name}, {circle}"
            question = f"Seat {event.seat + 1}, {wager.name}: how much {circle} do you collect?"
            if leg.result is LegResult.WIN:
                action, question = ChipAction.PAY, f"Seat {event.seat + 1}, {circle}: {leg.reason}"
            most = self._compute_max_cents(event.bet, sum(stake.cents for stake in self._round.stakes))
            cents = abs(leg.net_cents)
            return DealerQuestion(question, action, case, clause, before, (), cents, leg.reason, max_cents=most)
        action = _ACTION_BY_RESULT[leg.result]
        unclaimed = action is ChipAction.TAKE and self._is_unclaimed(event, before)
        return DealerQuestion(
            f"Seat {event.seat + 1}, {name}{on}: {format_cents(leg.stake_cents)} on the circle",
            action,
            f"{name}: {action}",
            clause,
            before,
            cents=max(leg.net_cents, 0),
            reason="no winning hand was turned up" if unclaimed else leg.reason,
            stake_cents=leg.stake_cents,
            max_cents=self._compute_max_cents(event.bet, leg.stake_cents),
        )

    def _build_progressive_questions(
        self, event: WagerSettled, before: int
    ) -> Iterator[_ProcedureStep | DealerQuestion]:
        """Yield a winner's steps; COIN IN has taken the wager, so the pay is for one."""
        played = self._round
        stake = sum(leg.stake_cents for leg in event.legs)
        if event.net_cents <= 0:
            return
        hand, seat = display_name(event.outcome), event.seat + 1
        key = f"Press the {hand} button for seat {seat}" if self._has_keypad else f"Select seat {seat} and press {hand}"
        yield self._build_key_step(key, before)
        yield self._build_key_step(f"Call a supervisor: {self._key_words['confirm']}", before)
        meter = apply_coin_in(played.paytables, played.opening_meter, played.stakes)
        shown = f" (the display showed {format_cents(meter.units // UNITS_PER_CENT)})" if meter else ""
        yield DealerQuestion(
            f"Seat {seat}, {get_wager(played.game, event.bet).name}: {hand}{shown}",
            ChipAction.PAY,
            "Progressive: pay",
            self._clauses.pays.get(event.bet, self._clauses.pay),
            before,
            cents=event.net_cents + stake,
            reason=event.legs[0].reason,
            max_cents=self._compute_max_cents(event.bet, stake),
        )

    def _build_envy_question(self, event: EnvyPaid, before: int) -> DealerQuestion:
        question = f"Seat {event.seat + 1}, envy: seat {event.hitter + 1} has a {display_name(event.line)}"
        most = _ABSURD_FACTOR * event.cents
        return DealerQuestion(
            question, ChipAction.PAY, "envy: pay", self._clauses.envy, before, cents=event.cents, max_cents=most
        )

    def _compute_max_cents(self, bet: str, stake_cents: int) -> int:
        """Compute an amount that no dealer means to pay, far above the highest pay."""
        played, most = self._round, Fraction(stake_cents)
        unit_cents = {PayUnit.DOLLARS: _CENTS_PER_DOLLAR, PayUnit.PERCENT_OF_METER: 0}
        for kind in get_wager(played.game, bet).paytable_kinds:
            for pay in played.paytables[kind].lines.values():
                most = max(most, pay.amount * unit_cents.get(pay.unit, stake_cents))
        meter = apply_coin_in(played.paytables, played.opening_meter, played.stakes)
        shown_cents = meter.units // UNITS_PER_CENT if meter and bet == self._meter_bet else 0
        return _ABSURD_FACTOR * max(int(most), shown_cents)


def _get_dealt_cards(events: Sequence[RoundEvent], seat: int | None) -> set[int]:
    return {card for event in events if isinstance(event, CardsDealt) and event.seat == seat for card in event.cards}


def _get_shown_cards(events: Sequence[RoundEvent], seat: int | None) -> set[int]:
    return {card for event in events if isinstance(event, CardsShown) and event.seat == seat for card in event.cards}


def _is_paid(event: WagerSettled) -> bool:
    return any(leg.result is LegResult.WIN for leg in event.legs)
