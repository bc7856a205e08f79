"""Wrong steps: the mistakes of dealers at a step of the procedure.

They are the order of seats, a count of cards, a step left out or taken too early, and a wrong key.  All come from the
contract and from what lies open at that moment, so none of them tells what the round will bring.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pitboss.builders import display_name
from pitboss.contract import Zone
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.paytables import find_progressive_table
from pitboss.table.round import CardsDealt, CardsShown, DecisionMade, Round
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.training.step_texts import (
    describe_ask_step,
    describe_collect_step,
    describe_deal_step,
    describe_draw_step,
    describe_settle_step,
    describe_turn_up_step,
    describe_zone_name,
)

COLLECT_ALL = "Collect the cards: the round is over"
RESHUFFLE = "Shuffle the discards into a new stub"
TAKE_OFF = "Take the progressive wagers off the sensors"
BACK_TO_RUN = "Have the supervisor turn the key back to RUN"


class WrongSteps:
    """The wrong steps of a round, after the events before each step."""

    def __init__(self, played: Round, key_system: str) -> None:
        """Prepare the wrong steps of a round with one of the systems of keys."""
        self._round, self._has_keypad = played, key_system == "keypad"
        words = STEP_LABELS[key_system]
        self._open_key, self._close_key = f"Press {words['open']}", f"Press {words['close']}"
        self.confirm_text = f"Call a supervisor: {words['confirm']}"
        self._table = find_progressive_table(played.paytables)
        self._has_keys = self._table is not None and played.has_meter_wager

    def _list_others(self, seat: int) -> list[int]:
        """List the other seats, the next ones first."""
        return sorted(set(range(self._round.seats)) - {seat}, key=lambda other: (abs(other - seat), -other))

    def format_hand_key(self, line: str, seat: int) -> str:
        """Describe the keys for a seat's winning hand."""
        hand = display_name(line)
        if self._has_keypad:
            return f"Press the {hand} button for seat {seat + 1}"
        return f"Select seat {seat + 1} and press {hand}"

    def iter_for_deal(self) -> Iterator[str]:
        """Yield wrong first deals, and what is done too early."""
        zones = self._round.game.deal_order
        if len(zones) > 1:
            yield describe_deal_step(_rotate(zones))
        yield describe_deal_step(_change_count(zones, -1))
        yield describe_deal_step(_change_count(zones, 1))

    def iter_for_turn_up(self, before: int, due: Collection[int]) -> Iterator[str]:
        """Yield other cards to turn up than those ``due``, and what is done instead."""
        hidden = {self._format_hidden(zone, before): cards for zone, cards in self._find_hidden(before).items()}
        yield from (f"Turn up {zone}" for zone, cards in hidden.items() if cards != set(due))
        if len(hidden) > 1 and set().union(*hidden.values()) != set(due):
            yield f"Turn up {' and '.join(hidden)}"
        yield from self._iter_last_question(0, before)
        yield describe_turn_up_step(self._round.seats - 1)
        yield describe_settle_step(self._round.seats - 1)
        yield COLLECT_ALL

    def _iter_last_question(self, seat: int, before: int) -> Iterator[str]:
        """Yield to a seat the question that was asked last, or the first one."""
        made = [event.decision for event in self._round.events[:before] if isinstance(event, DecisionMade)]
        decisions = self._round.game.decisions
        yield from (describe_ask_step(each, seat) for each in decisions if each.id == (made or [decisions[0].id])[-1])

    def _find_hidden(self, before: int) -> dict[str, set[int]]:
        """Find the cards of each zone that still lie face down, without the seats."""
        events, hidden = self._round.events[:before], dict[str, set[int]]()
        shown = {card for event in events if isinstance(event, CardsShown) for card in event.cards}
        for each in events:
            if isinstance(each, CardsDealt) and each.seat is None and not shown >= set(each.cards):
                hidden.setdefault(each.destination.lower(), set()).update(set(each.cards) - shown)
        return hidden

    def _format_hidden(self, zone: str, before: int) -> str:
        """Describe the cards of a zone that still lie face down."""
        events = self._round.events[:before]
        is_begun = any(isinstance(event, CardsShown) and event.zone == zone for event in events)
        return f"{'the rest of ' if is_begun else ''}{describe_zone_name(zone)}"

    def _iter_dealer(self, before: int) -> Iterator[str]:
        """Yield turning up the dealer's hand, where a card of it lies face down."""
        if "dealer" in self._find_hidden(before):
            yield f"Turn up {self._format_hidden('dealer', before)}"

    def iter_for_hand(self, seat: int, before: int) -> Iterator[str]:
        """Yield what is done instead of turning up a seat's hand."""
        folded = find_folded_seats(self._round.events[:before])
        yield describe_collect_step(seat) if seat in folded else describe_settle_step(seat)
        yield from (describe_turn_up_step(other) for other in self._list_others(seat))
        yield self._close_key if self._has_keys else COLLECT_ALL
        yield describe_settle_step(seat)
        yield f"Take the wagers of seat {seat + 1}"
        yield COLLECT_ALL

    def iter_for_ask(self, decision: int, seat: int, before: int) -> Iterator[str]:
        """Yield the same question to another seat, and what comes too early."""
        decisions = self._round.game.decisions
        others = self._list_others(seat)
        yield from (describe_ask_step(decisions[decision], other) for other in others[:2])
        yield from (describe_ask_step(each, seat) for each in decisions if each is not decisions[decision])
        yield from self._iter_dealer(before)
        yield describe_turn_up_step(seat)
        yield describe_settle_step(seat)

    def iter_for_draw(self, seat: int | None, count: int, before: int) -> Iterator[str]:
        """Yield other counts and receivers of a draw."""
        if seat is None:
            yield from self._iter_dealer(before)
            yield describe_settle_step(self._round.seats - 1)
            yield describe_draw_step(None, count + 1)
            yield describe_turn_up_step(self._round.seats - 1)
            return
        yield describe_draw_step(seat, count + 1)
        yield describe_draw_step(seat, count - 1) if count > 1 else describe_draw_step(None, count)
        others = self._list_others(seat)
        yield from (describe_draw_step(other, count) for other in others[:1])
        if self._round.options.get("short_deck") == "reshuffle":
            yield RESHUFFLE
        yield describe_turn_up_step(seat)

    def iter_for_reshuffle(self) -> Iterator[str]:
        """Yield what is done instead of shuffling the discards."""
        yield "Shuffle every card that is not on the table into a new stub"
        yield "Refuse the exchange: the stub is too short"
        yield "Deal the exchange from the other deck"

    def iter_for_settle(self, seat: int, before: int) -> Iterator[str]:
        """Yield other seats to settle, and what is done instead.

        Taking the seat's wagers, or leaving them, is not among it: where all of them lose or push, that settles it.
        """
        if seat in find_folded_seats(self._round.events[:before]):
            yield describe_collect_step(seat)
        yield from (describe_settle_step(other) for other in self._list_others(seat))
        yield self._close_key if self._has_keys else COLLECT_ALL
        yield from self._iter_last_question(seat, before)
        yield COLLECT_ALL
        yield from self._iter_dealer(before)
        yield describe_draw_step(seat, 1)

    def iter_for_folded_hand(self, seat: int) -> Iterator[str]:
        """Yield what is done with a folded hand instead of collecting it."""
        yield describe_turn_up_step(seat)
        yield f"Leave the folded hand of seat {seat + 1} until the end of the round"
        yield f"Put the folded hand of seat {seat + 1} back into the stub"

    def iter_for_finished_hand(self, seat: int) -> Iterator[str]:
        """Yield what is done with a settled hand, for envy or without it."""
        yield format_lock_up(seat)
        yield format_keep_for_envy(seat)
        yield "Pay envy for it to the other seats at once"
        yield self._close_key
        yield COLLECT_ALL

    def iter_for_envy(self, seat: int, due: Collection[int]) -> Iterator[str]:
        """Yield what is done instead of paying envy to a seat.

        Nothing sets the order of the seats ``due``, so paying another of them first would be no mistake.
        """
        yield self._close_key
        yield COLLECT_ALL
        yield from (f"Pay envy to seat {other + 1}" for other in self._list_others(seat) if other not in due)

    # The progressive's keys.

    def list_for_open_key(self) -> tuple[str, ...]:
        """List what is done instead of opening the progressive's round."""
        return describe_deal_step(self._round.game.deal_order), TAKE_OFF, self._close_key

    def list_for_sensors(self) -> tuple[str, ...]:
        """List what is done instead of taking the wagers off the sensors."""
        leave = "Leave the progressive wagers on the sensors until the showdown"
        return describe_deal_step(self._round.game.deal_order), self._open_key, leave

    def iter_for_hand_key(self, line: str, seat: int) -> Iterator[str]:
        """Yield the keys of the neighbouring hands, and what is done without a key."""
        lines = list(self._table.lines) if self._table else []
        place = lines.index(line) if line in lines else 0
        near = [each for each in (place - 1, place + 1) if 0 <= each < len(lines)]
        yield from (self.format_hand_key(lines[each], seat) for each in near)
        yield f"Pay seat {seat + 1} from the tray"
        yield self.confirm_text

    def list_for_confirm(self, line: str, seat: int) -> tuple[str, ...]:
        """List what is done instead of calling a supervisor."""
        return f"{self.format_hand_key(line, seat)} again", f"Pay seat {seat + 1} from the tray", self._close_key

    def list_for_run(self, line: str, seat: int) -> tuple[str, ...]:
        """List what is done while the key is still in JPH."""
        return self._close_key, f"{self.format_hand_key(line, seat)} again", self._open_key

    def list_for_close_key(self) -> tuple[str, ...]:
        """List what is done instead of closing the progressive's round."""
        return COLLECT_ALL, self._open_key, self.confirm_text

    def iter_for_collect(self) -> Iterator[str]:
        """Yield what is done instead of collecting the cards."""
        if self._has_keys:
            yield self._open_key
        yield describe_deal_step(self._round.game.deal_order)
        yield describe_settle_step(0)
        yield describe_turn_up_step(0)


def format_lock_up(seat: int) -> str:
    """Describe locking up a seat's cards."""
    return f"Lock up the cards of seat {seat + 1}"


def format_keep_for_envy(seat: int) -> str:
    """Describe leaving a hand face up for envy."""
    return f"Leave the hand of seat {seat + 1} face up: it pays envy"


def explain_wrong_deals(zones: Sequence[Zone]) -> Iterator[tuple[str, str]]:
    """Yield the wrong first deals, each with what is wrong with it."""
    names = {"seat": "each seat", "dealer": "you", "community": "the middle"}
    order = ", then ".join(names.get(each.destination, each.destination.upper()) for each in zones)
    count = sum(each.cards for each in zones if each.destination == "seat")
    for change in (-1, 1):
        yield (
            describe_deal_step(_change_count(zones, change)),
            f"each seat is dealt {count} cards, not {count + change}",
        )
    if len(zones) > 1:
        yield describe_deal_step(_rotate(zones)), f"the cards are dealt in this order: {order}"


def _rotate(zones: Sequence[Zone]) -> tuple[Zone, ...]:
    return (*zones[1:], zones[0])


def _change_count(zones: Sequence[Zone], change: int) -> tuple[Zone, ...]:
    """Return zones of which the seats get another number of cards."""
    return tuple(replace(each, cards=each.cards + change) if each.destination == "seat" else each for each in zones)
