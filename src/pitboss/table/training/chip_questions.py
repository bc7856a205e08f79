"""Questions about chips: what happens to each circle, and to a tax."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from pitboss.builders import display_name
from pitboss.contract import LegResult, PayUnit, StakeConstraintKind
from pitboss.core.money import format_cents
from pitboss.meter import AWARD_SPLIT, ROUND_TO_DOLLAR, UNITS_PER_CENT, compute_displayed_cents, compute_round_awards
from pitboss.options import get_meter_settings
from pitboss.outcome_nets import get_meter_percent
from pitboss.paytables import find_progressive_table
from pitboss.table.round import CardsDealt, CardsShown, EnvyPaid, LegSettlement, Round, WagerSettled
from pitboss.table.round.payment import apply_coin_in
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_outcome, get_wager
from pitboss.table.training.dealer_question import ACTION_BY_RESULT, ChipAction, DealerQuestion
from pitboss.table.training.mispays import describe_pay, list_mispays
from pitboss.table.training.procedure import cite_settlement, load_house_procedure
from pitboss.table.training.wild_cards import add_wild_cards

_CENTS_PER_DOLLAR = 100
_ABSURD_FACTOR = 10
_WHOLE_PERCENT = 100
_NOT_TURNED_UP = "a first hand is shown to be paid (ALL-6)"


class ChipQuestions:
    """The questions about chips of one round; ``meter_bet`` is the progressive's."""

    def __init__(self, played: Round, meter_bet: str) -> None:
        """Prepare the questions of a round."""
        self._round, self._meter_bet = played, meter_bet
        table = find_progressive_table(played.paytables)
        presets = table.progressive if table else None
        self._terms = get_meter_settings(played.options, presets.seed_cents) if presets else None

    def build_for_wager(self, event: WagerSettled, before: int) -> Iterator[DealerQuestion]:
        """Yield a question for every settled circle, and for taxes.

        A tax is asked for once the wager that it is tied to is paid.
        """
        cleared: tuple[str, ...] = ()
        for leg in event.legs:
            if leg.stake_cents or event.bet not in self._find_taxed_bets(event.seat):
                yield replace(self._build_circle_question(event, leg, before), cleared=cleared)
                cleared += (leg.circle,)
        if is_paid(event):
            for other in self._round.events:
                if (
                    isinstance(other, WagerSettled)
                    and other.seat == event.seat
                    and self._find_required_bet(other.bet) == event.bet
                ):
                    taxes = (leg for leg in other.legs if not leg.stake_cents)
                    asked = (self._build_circle_question(other, leg, before) for leg in taxes)
                    yield from (replace(each, cleared=cleared) for each in asked)

    def _find_required_bet(self, bet: str) -> str:
        """Find the wager that a bet requires to be placed too, "" for none."""
        constraints = get_wager(self._round.game, bet).constraints
        return next((each.bet for each in constraints if each.kind is StakeConstraintKind.ONLY_WITH), "")

    def _find_taxed_bets(self, seat: int) -> set[str]:
        """Find a seat's wagers whose tax was asked for when their tied wager was paid."""
        own = [event for event in self._round.events if isinstance(event, WagerSettled) and event.seat == seat]
        paid = {event.bet for event in own if is_paid(event)}
        return {event.bet for event in own if self._find_required_bet(event.bet) in paid}

    def cite(self, event: WagerSettled, leg: LegSettlement, before: int) -> str:
        """Return the clause by which a circle was settled."""
        is_folded = event.seat in find_folded_seats(self._round.events[:before])
        return cite_settlement(self._round, event, leg, is_folded=is_folded)

    def describe_display(self, event: WagerSettled) -> str:
        """Say what the progressive's display shows when a wager is paid.

        Return "" for another wager.

        Awards of a round are paid one after the other, and each confirmed one lowers the display (SC-6, SC-9).  Where
        the house splits the meter, all percentages are of what it showed before the first, and fixed together when the
        last hand is entered: what they add up to is said, because a hand may still lie face down here.
        """
        terms, cents = self._terms, self._find_displayed_cents(event)
        if terms is None or cents is None:
            return ""
        rounding = f"; what is paid of it is {self._describe_rounding()}" if self._get_percent(event) else ""
        if terms.award_order == AWARD_SPLIT:
            together = f"; with every hand entered, {self._sum_percents()}% of it is won in this round"
            shown = f"Before the round's first award the display showed {format_cents(cents)}"
            return f"{shown}{together if rounding else ''}{rounding}"
        return f"The display shows {format_cents(cents)}{rounding}"

    def _describe_rounding(self) -> str:
        to_dollar = self._terms is not None and self._terms.award_rounding == ROUND_TO_DOLLAR
        return f"rounded down to a {'dollar' if to_dollar else 'cent'}"

    def _sum_percents(self) -> int:
        """Sum what the awards of the round take of the meter, in percent."""
        settled = (each for each in self._round.events if isinstance(each, WagerSettled))
        return sum(self._get_percent(each) for each in settled if each.bet == self._meter_bet)

    def _find_displayed_cents(self, event: WagerSettled) -> int | None:
        """Find what the display shows that a win is paid from.

        Return None for another wager than the progressive.
        """
        played, place, terms = self._round, self._round.events.index(event), self._terms
        meter = apply_coin_in(played.paytables, played.opening_meter, played.stakes)
        if meter is None or terms is None or event.bet != self._meter_bet:
            return None
        if terms.award_order == AWARD_SPLIT:
            return compute_displayed_cents(meter, terms.limit_cents)
        percents, fixed_cents = [0] * played.seats, [0] * played.seats
        for earlier in played.events[:place]:
            if isinstance(earlier, WagerSettled) and earlier.bet == self._meter_bet and earlier.net_cents > 0:
                percents[earlier.seat] = self._get_percent(earlier)
                paid_cents = earlier.net_cents + earlier.legs[0].stake_cents
                fixed_cents[earlier.seat] = 0 if percents[earlier.seat] else paid_cents
        meter, _ = compute_round_awards(meter, percents, fixed_cents, terms)
        return compute_displayed_cents(meter, terms.limit_cents)

    def _get_percent(self, event: WagerSettled) -> int:
        """Return the percentage of the meter that a settlement pays, 0 if it pays none."""
        return get_meter_percent(get_outcome(self._round.game, event.bet, event.outcome), self._round.paytables)

    def name_circle(self, event: WagerSettled, leg: LegSettlement) -> str:
        """Name a circle as the felt does."""
        alone = len(event.legs) == 1 or leg.circle == event.bet
        wager = get_wager(self._round.game, event.bet)
        return wager.name if alone and event.bet != "main" else display_name(leg.circle).capitalize()

    def is_unclaimed(self, settled: WagerSettled, before: int) -> bool:
        """Return whether a wager's hand is in play face down, so no win is claimed."""
        return self._is_in_play(settled, before) and not self.is_turned_up(_get_hand_seat(settled), before)

    def _is_in_play(self, settled: WagerSettled, before: int) -> bool:
        """Return whether a wager is on a seat's hand that has not folded."""
        is_on_seat = get_wager(self._round.game, settled.bet).hand_owner.is_seat
        return is_on_seat and _get_hand_seat(settled) not in find_folded_seats(self._round.events[:before])

    def is_turned_up(self, seat: int | None, before: int) -> bool:
        """Return whether a hand is turned up.

        A seat's is once a card of it lies open, the dealer's, for no seat, once all of its cards do.
        """
        events = self._round.events[:before]
        own = [event for event in events if isinstance(event, CardsDealt | CardsShown) and event.seat == seat]
        dealt = {
            card
            for event in own
            if isinstance(event, CardsDealt) and (seat is not None or event.destination == "dealer")
            for card in event.cards
        }
        shown = {card for event in own if isinstance(event, CardsShown) for card in event.cards}
        return bool(dealt & shown) if seat is not None else dealt <= shown

    def _describe_claim(self, settled: WagerSettled, before: int) -> str:
        """Say whether a hand is turned up, while players turn theirs up to claim a win."""
        if not self._is_in_play(settled, before) or self.is_turned_up(None, before):
            return ""
        seat = _get_hand_seat(settled)
        return f"; the hand of seat {seat + 1} is {'' if self.is_turned_up(seat, before) else 'not '}turned up"

    def _build_circle_question(self, event: WagerSettled, leg: LegSettlement, before: int) -> DealerQuestion:
        wager, name = get_wager(self._round.game, event.bet), self.name_circle(event, leg)
        clause = self.cite(event, leg, before)
        if not leg.stake_cents:  # a bonus or a tax
            circle = display_name(leg.circle)
            action, case = ChipAction.COLLECT, f"{wager.name}, {circle}"
            question = f"Seat {event.seat + 1}, {wager.name}: how much {circle} do you collect?"
            if leg.result is LegResult.WIN:
                action, question = ChipAction.PAY, f"Seat {event.seat + 1}, {circle}: {leg.reason}"
            most = self._compute_max_cents(event.bet, sum(stake.cents for stake in self._round.stakes))
            return DealerQuestion(
                question,
                action,
                case,
                clause,
                before,
                cents=abs(leg.net_cents),
                reason=leg.reason,
                max_cents=most,
                seat=event.seat,
                mispays=self._list_mispays(event, leg),
            )
        action = ACTION_BY_RESULT[leg.result]
        reason = add_wild_cards(self.explain_pay(event, leg), self._round, event, leg)
        if action is ChipAction.TAKE and self.is_unclaimed(event, before):
            reason = f"the hand of seat {_get_hand_seat(event) + 1} was not turned up, so it is not paid"
            clause = "; ".join(filter(None, (clause, _NOT_TURNED_UP)))
        on = f" on seat {event.on + 1}" if event.on is not None else ""
        shown = self._describe_claim(event, before)
        return DealerQuestion(
            f"Seat {event.seat + 1}, {name}{on}: {format_cents(leg.stake_cents)} on the circle{shown}",
            action,
            f"{name}: {action}",
            clause,
            before,
            cents=max(leg.net_cents, 0),
            reason=reason,
            stake_cents=leg.stake_cents,
            max_cents=self._compute_max_cents(event.bet, leg.stake_cents),
            seat=event.seat,
            mispays=self._list_mispays(event, leg),
        )

    def explain_pay(self, event: WagerSettled, leg: LegSettlement) -> str:
        """Say what a circle is settled by, and how the amount of a win is found."""
        pay = describe_pay(self._round, event, leg)
        percent, terms = self._get_percent(event), self._terms
        if percent and terms:
            together = self._sum_percents() if terms.award_order == AWARD_SPLIT else 0
            share = f"{percent} parts in {together}" if together > _WHOLE_PERCENT else f"{percent}%"
            pay = f"{share} of {format_cents(self._find_displayed_cents(event) or 0)}, {self._describe_rounding()}"
        return f"{leg.reason}, {pay}" if pay else leg.reason

    def _list_mispays(
        self, event: WagerSettled, leg: LegSettlement, returned_cents: int = 0
    ) -> tuple[tuple[str, int], ...]:
        """List the known mispays that the dealer may enter."""
        most = self._compute_max_cents(event.bet, leg.stake_cents)
        mispays = list_mispays(self._round, event, leg, returned_cents)
        return tuple((mistake, cents) for mistake, cents in mispays if cents <= most)

    def build_award_question(self, event: WagerSettled, before: int) -> DealerQuestion:
        """Build the question of a progressive win.

        COIN IN has taken the wager, so it is paid for one.
        """
        played, (leg,) = self._round, event.legs
        stake, hand, seat = leg.stake_cents, display_name(event.outcome), event.seat
        shown = self.describe_display(event)
        return DealerQuestion(
            f"Seat {seat + 1}, {get_wager(played.game, event.bet).name}: {hand}{f'. {shown}' if shown else ''}",
            ChipAction.PAY,
            "Progressive: pay",
            self.cite(event, leg, before),
            before,
            cents=event.net_cents + stake,
            reason=self.explain_pay(event, leg),
            max_cents=self._compute_max_cents(event.bet, stake),
            seat=seat,
            mispays=self._list_mispays(event, leg, stake),
        )

    def build_envy_question(self, event: EnvyPaid, before: int) -> DealerQuestion:
        """Build the question of the envy that a seat is paid for another seat's hand."""
        question = f"Seat {event.seat + 1}, envy: seat {event.hitter + 1} has a {display_name(event.line)}"
        return DealerQuestion(
            question,
            ChipAction.PAY,
            "envy: pay",
            load_house_procedure(self._round).envy,
            before,
            cents=event.cents,
            max_cents=_ABSURD_FACTOR * event.cents,
            seat=event.seat,
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


def _get_hand_seat(event: WagerSettled) -> int:
    """Return the seat on whose hand a wager is."""
    return event.seat if event.on is None else event.on


def is_paid(event: WagerSettled) -> bool:
    """Return whether a wager was paid."""
    return any(leg.result is LegResult.WIN for leg in event.legs)
