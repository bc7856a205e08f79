"""Dealer training: turns a finished round into questions to the dealer.

The procedure is the round driver's own order of events, and the payments are its own settlements.  ``procedure.toml``
holds the rest: clauses, the progressive's keys, and what happens to a winning hand that nobody turns up (W6-8).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Literal

from pitboss.cards import shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.table.round import Round
from pitboss.table.round.events import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    EnvyPaid,
    RoundClosed,
    RoundEvent,
    StakePlaced,
    WagerSettled,
)
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_wager
from pitboss.table.training.chip_questions import ChipQuestions
from pitboss.table.training.console_steps import ConsoleSteps
from pitboss.table.training.dealer_question import DealerQuestion, ProcedureStep
from pitboss.table.training.disputes import DisputedClaimCounts, build_disputes
from pitboss.table.training.procedure import cite_shown, load_house_procedure
from pitboss.table.training.rounds import UnshownHandRound, count_opening_events
from pitboss.table.training.seat_facts import explain_wrong_seats, find_live_hands
from pitboss.table.training.situations import describe_situation, explain_later_seats
from pitboss.table.training.step_texts import (
    describe_ask_step,
    describe_collect_step,
    describe_deal_step,
    describe_draw_step,
    describe_settle_step,
    describe_zone,
)
from pitboss.table.training.wrong_steps import (
    COLLECT_ALL,
    RESHUFFLE,
    WrongSteps,
    explain_wrong_deals,
    format_keep_for_envy,
)

UNSHOWN_CASE = "an unshown hand"
"""The case of a winning first hand that its player did not turn up."""

_WRONG_CHOICES = 3
_DISPUTES = {"also": 2, "only": 6}

DisputeRate = Literal["", "also", "only"]
"""How players dispute: not at all, in the round, or alone."""

_Task = ProcedureStep | DealerQuestion


def build_questions(
    game_round: Round,
    bits: BitSource = system_bits,
    key_system: str = "keypad",
    *,
    expects_unshown: bool = False,
    disputes: DisputeRate = "",
    counts: DisputedClaimCounts | None = None,
) -> tuple[DealerQuestion, ...]:
    """Build the questions to the dealer of a round, in the order of the procedure.

    ``key_system`` is the progressive's system, "keypad" or "display".  With ``expects_unshown`` the dealer expects
    unshown hands: they are among the choices even if there is none.  ``disputes`` says whether players claim something
    too ("also"), or nothing else is asked ("only"); ``counts`` are those of claims at such a table.
    """
    builder = _QuestionBuilder(game_round, key_system, expects_unshown=expects_unshown)
    steps = tuple(_build_steps(game_round, builder.build(), bits))
    if not disputes:
        return steps
    claims = build_disputes(game_round, builder.meter_bet, _DISPUTES[disputes], bits, counts or DisputedClaimCounts())
    return _insert_disputes(() if disputes == "only" and claims else steps, steps, claims)


def _insert_disputes(
    asked: tuple[DealerQuestion, ...], steps: tuple[DealerQuestion, ...], claims: tuple[DealerQuestion, ...]
) -> tuple[DealerQuestion, ...]:
    """Insert disputes once their seat is settled, before its chips are."""
    merged, left = [], list(asked)
    for claim in claims:
        earlier = [each for each in steps if each.event_count <= claim.event_count]
        while left and (left[0].event_count, left[0].case != "settle") < (claim.event_count, True):
            merged.append(left.pop(0))
        merged.append(replace(claim, mucked=earlier[-1].mucked if earlier else ()))
    return (*merged, *left)


def _build_steps(played: Round, tasks: Iterable[_Task], bits: BitSource) -> Iterator[DealerQuestion]:
    """Yield the questions; a step says which one was done before, and why it is due."""
    last = ""
    for task in tasks:
        if isinstance(task, ProcedureStep):
            situation = task.situation or describe_situation(played, task)
            asked = _build_choice_question(task, bits)
            faults = explain_wrong_seats(played, task.event_count, task.mucked, asked.choices)
            later = explain_later_seats(played, task, asked.choices) if "what is left at" in situation else ()
            faults += tuple(each for each in later if each[0] not in dict(faults))
            if task.case == "deal":
                faults = tuple(explain_wrong_deals(played.game.deal_order))
            yield replace(asked, last_step=last, situation=situation, faults=faults)
            last = task.text
        else:
            yield task


def _build_choice_question(step: ProcedureStep, bits: BitSource) -> DealerQuestion:
    wrong = tuple(each for each in dict.fromkeys(step.wrong) if each != step.text)[:_WRONG_CHOICES]
    texts = (step.text, *wrong)
    choices = tuple(texts[index] for index in shuffle_cards(range(len(texts)), bits))
    asked = DealerQuestion("What do you do next?", step.text, step.case, step.clause, step.event_count, choices)
    return replace(asked, mucked=step.mucked, seat=step.seat)


class _QuestionBuilder:
    """Builds the questions of one round."""

    def __init__(self, game_round: Round, key_system: str, *, expects_unshown: bool) -> None:
        self._round, self._wrong = game_round, WrongSteps(game_round, key_system)
        self._clauses = load_house_procedure(game_round)
        self._expects_unshown = expects_unshown and bool(self._clauses.forfeit)
        self._opening_count = count_opening_events(game_round.events)
        self._console = ConsoleSteps(game_round, key_system, self._wrong)
        self._chips = ChipQuestions(game_round, self._console.bet)
        self.meter_bet = self._console.bet
        self._mucked: tuple[int, ...] = ()
        self._finished: set[int] = set()

    def build(self) -> Iterator[_Task]:
        """Yield all questions in order; what a dealer does in one go is one step."""
        before = 0
        for _, group in groupby(enumerate(self._round.events), key=self._get_group_key):
            events = [event for _, event in group]
            for task in self._build_for_group(events, before):
                yield replace(task, mucked=self._mucked)
            before += len(events)
            if isinstance(events[0], WagerSettled):
                yield from self._build_finished_hands(before)

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

    def _build_for_group(self, events: list[RoundEvent], before: int) -> Iterator[_Task]:
        clauses, wrong = self._clauses, self._wrong
        match events[0]:
            case StakePlaced():
                if self._console.bet:
                    yield from self._console.build_opening(len(events))
            case CardsDealt() if before < self._opening_count:
                text = describe_deal_step(self._round.game.deal_order)
                yield ProcedureStep(text, "deal", clauses.deal, before, tuple(wrong.iter_for_deal()))
            case CardsDealt() as dealt:
                seat, count = dealt.seat, len(dealt.cards)
                text, others = describe_draw_step(seat, count), tuple(wrong.iter_for_draw(seat, count, before))
                yield ProcedureStep(text, "draw", clauses.draw, before, others, seat=seat)
            case CardsShown():
                yield from self._build_reveal_steps([each for each in events if isinstance(each, CardsShown)], before)
            case DecisionMade() as made:
                index = next(i for i, each in enumerate(self._round.game.decisions) if each.id == made.decision)
                text = describe_ask_step(self._round.game.decisions[index], made.seat)
                others = tuple(wrong.iter_for_ask(index, made.seat, before))
                yield ProcedureStep(text, "ask", clauses.ask, before, others, seat=made.seat)
            case WagerSettled():
                yield from self._build_settlement([each for each in events if isinstance(each, WagerSettled)], before)
            case EnvyPaid() as envy:
                due = {each.seat for each in self._round.events[before:] if isinstance(each, EnvyPaid)}
                others = tuple(wrong.iter_for_envy(envy.seat, due))
                text = f"Pay envy to seat {envy.seat + 1}"
                yield ProcedureStep(text, "envy", clauses.envy, before, others, seat=envy.seat)
                paid = (each for each in events if isinstance(each, EnvyPaid))
                yield from (self._chips.build_envy_question(each, before) for each in paid)
            case RoundClosed():
                if self._console.bet:
                    yield from self._console.build_closing(before)
                others = tuple(wrong.iter_for_collect())
                yield ProcedureStep(COLLECT_ALL, "collect the cards", clauses.collect, before, others)
            case _:
                others = tuple(wrong.iter_for_reshuffle())
                yield ProcedureStep(RESHUFFLE, "draw", clauses.draw, before, others)

    # Settlements.

    def _build_settlement(self, events: list[WagerSettled], before: int) -> Iterator[_Task]:
        tasks = [task for place, event in enumerate(events, before) for task in self._build_for_wager(event, place)]
        if not tasks:
            return
        seat = events[0].seat
        is_fold = seat in find_folded_seats(self._round.events[:before]) and isinstance(
            self._round.events[before - 1], DecisionMade
        )
        wrong = tuple(self._wrong.iter_for_settle(seat, before))
        if self._expects_unshown:
            wrong = (self._format_forfeit_notice(seat), self._format_late_payment(seat), *wrong)
        clause = self._clauses.settle
        if is_fold and self._clauses.settle_fold:
            clause = f"{self._clauses.settle_fold}; {self._clauses.muck}"
        yield ProcedureStep(describe_settle_step(seat), "settle", clause, before, wrong, seat=seat)
        yield from tasks

    def _build_for_wager(self, event: WagerSettled, before: int) -> Iterator[_Task]:
        if event.bet != self._console.bet:
            yield from self._chips.build_for_wager(event, before)
        elif event.net_cents > 0:
            yield from self._console.build_before_pay(event, before)
            yield self._chips.build_award_question(event, before)
            yield from self._console.build_after_pay(event, before + 1)

    def _build_finished_hands(self, before: int) -> Iterator[ProcedureStep]:
        """Yield what happens to the hands that no wager is on any more.

        A folded hand is collected; where envy is paid, every hand is locked up or stays for it.
        """
        live, folded = find_live_hands(self._round, before), find_folded_seats(self._round.events[:before])
        for seat in sorted(set(range(self._round.seats)) - live - self._finished):
            is_folded = seat in folded
            step = self._console.build_finished_hand(seat, before, is_folded=is_folded)
            stays = step is not None and step.text == format_keep_for_envy(seat)
            if step is None and is_folded:
                wrong = tuple(self._wrong.iter_for_folded_hand(seat))
                text = describe_collect_step(seat)
                step = ProcedureStep(text, "collect a folded hand", self._clauses.muck, before, wrong, seat=seat)
            if step is not None:
                yield replace(step, mucked=self._mucked)
                self._finished.add(seat)
                self._mucked += () if stays else (seat,)

    # Cards.

    def _build_reveal_steps(self, events: list[CardsShown], before: int) -> Iterator[ProcedureStep]:
        seat, played = events[0].seat, self._round
        earlier = [event for event in played.events[:before] if isinstance(event, CardsShown)]
        if seat is None:
            zones = " and ".join(describe_zone(played, event, before) for event in events)
            wrong = tuple(self._wrong.iter_for_turn_up(before, {card for event in events for card in event.cards}))
            clause = "; ".join(filter(None, dict.fromkeys(cite_shown(played, event, before) for event in events)))
            yield ProcedureStep(f"Turn up {zones}", "turn up", clause, before, wrong)
            return
        if self._is_claim(seat, before):
            return  # the player turns this hand up, not the dealer
        rest = "the rest of " if any(event.seat == seat for event in earlier) else ""
        wrong = tuple(self._wrong.iter_for_hand(seat, before))
        text = f"Turn up {rest}the hand of seat {seat + 1}"
        clause = cite_shown(played, events[0], before)
        yield ProcedureStep(text, "turn up", clause, before, wrong, seat=seat)
        if isinstance(played, UnshownHandRound) and played.hidden_seat == seat and rest:
            late, settle = self._format_late_payment(seat), describe_settle_step(seat)
            wrong = (late, settle, *self._wrong.iter_for_settle(seat, before))
            notice, after = self._format_forfeit_notice(seat), before + len(events)
            case, why = UNSHOWN_CASE, f"the first hand of seat {seat + 1} wins, and it lay face down until now"
            yield ProcedureStep(notice, case, self._clauses.unshown, after, wrong, seat=seat, situation=why)

    def _is_claim(self, seat: int, before: int) -> bool:
        """Return whether a player turns up the hand to claim a win.

        That is before a fold and before the dealer's hand.
        """
        folded = find_folded_seats(self._round.events[:before])
        return seat not in folded and not self._chips.is_turned_up(None, before)

    def _format_forfeit_notice(self, seat: int) -> str:
        return f"Tell seat {seat + 1}: its winning first hand was not shown, {self._forfeit_name} stays lost"

    def _format_late_payment(self, seat: int) -> str:
        return f"Pay seat {seat + 1} its {self._forfeit_name} after all"

    @property
    def _forfeit_name(self) -> str:
        return get_wager(self._round.game, self._clauses.forfeit).name
