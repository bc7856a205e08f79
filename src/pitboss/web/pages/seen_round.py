"""What a guest may see of a settled round: its steps, a seat, or every card."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import Path, Query

from pitboss.builders import capitalize_first, display_name
from pitboss.cards import format_card
from pitboss.table.round import CardsShown, DecisionMade
from pitboss.table.session import HOUSE, TableSession
from pitboss.web.auth.guests import Guest
from pitboss.web.errors import NotFoundError, WebError
from pitboss.web.forms import MAX_NUMBER, Digits
from pitboss.web.pages.page_call import PageCall

RoundNumber = Annotated[Digits, Path(ge=1, le=MAX_NUMBER)]
SeatNumber = Annotated[Digits, Query(ge=0, le=MAX_NUMBER)]
"""A seat; 0 is the guest's own."""


class HiddenError(WebError):
    """A request whose answer would reveal a hand that was not shown."""

    status = HTTPStatus.FORBIDDEN


class SeenRound(NamedTuple):
    """A settled round as a guest may see it.

    ``steps`` are the sessions that it went through.  ``seat`` is the seat whose decisions are shown: the one asked for,
    or the guest's own; None if there is none.  ``asked`` is 0 if none is asked for.
    """

    table: str
    number: int
    steps: Sequence[TableSession]
    seat: int | None
    asked: int
    is_open: bool

    @property
    def address(self) -> str:
        """The address of the round's replay."""
        return f"/tables/{self.table}/rounds/{self.number}"

    @property
    def is_public(self) -> bool:
        """Whether everybody may see every card of it."""
        return bool(self.steps[-1].terms.fair)

    @property
    def seats(self) -> list[tuple[int, str]]:
        """The numbers and names of the seats that may be chosen, if any."""
        last = self.steps[-1]
        return (
            [(each, last.seats[each].name) for each in last.round_seats if each in last.seats] if self.is_open else []
        )

    def get_step_link(self, step: int) -> str:
        """Return the address of a step, for the seat asked for."""
        return f"{self.address}?step={step}" + (f"&seat={self.asked}" if self.asked else "")

    def describe_step(self, step: int) -> str:
        """Describe what the seat decides at a step, and what happened before it."""
        happened, decided = self._describe_change(step), self._describe_decision(step)
        return f"{decided}; before it: {happened}" if decided else happened

    def _describe_decision(self, step: int) -> str:
        """Name the decision that the seat takes at a step, "" if it takes none."""
        if self.seat is None or self.steps[step].turn != self.seat or step + 1 == len(self.steps):
            return ""
        now, after = self.steps[step].round, self.steps[step + 1].round
        if now is None or after is None:
            return ""
        events = after.events[len(now.events) :]
        made = next((event for event in events if isinstance(event, DecisionMade)), None)
        if made is None:
            return ""
        cards = (format_card(card, now.game.deck) for card in made.cards)
        return f"{self._name_seat(self.seat)} decides: {' '.join((display_name(made.action), *cards))}"

    def _describe_change(self, step: int) -> str:
        """Describe what has happened since the step before."""
        now, before = self.steps[step].round, self.steps[step - 1].round if step else None
        if now is None:
            return ""
        if before is None:  # a round in which nobody has a choice is settled at once
            return "the cards are dealt" + "; the wagers are settled" * now.is_closed
        told, turned_up = list[str](), list[str]()
        for event in now.events[len(before.events) :]:
            if isinstance(event, DecisionMade):
                seat = self.steps[step].round_seats[event.seat]
                told.append(f"{self._name_seat(seat)}: {display_name(event.action)}")
            elif isinstance(event, CardsShown) and event.seat is None:
                turned_up.append(capitalize_first(display_name(event.zone.replace("_", "-"))))
        told += [f"turned up: {', '.join(dict.fromkeys(turned_up))}"] * bool(turned_up)
        told += ["the wagers are settled"] * (now.is_closed and not before.is_closed)
        return "; ".join(told or ["the chips are paid"])

    def _name_seat(self, seat: int) -> str:
        """Name a seat in a sentence; one that was asked for need not be the guest's."""
        return "your seat" if seat == self.seat and not self.asked else f"seat {seat}"


def find_seen_round(call: PageCall, table: str, number: int, asked: int) -> SeenRound:
    """Return a settled round as a guest may see it, for a seat.

    Raises:
        UnsettledError: the round has not been settled.
        NotFoundError: the seat was not in the round.
        HiddenError: the seat is another one, and its hand may not be seen.
    """
    steps = call.registry.tables.list_round_sessions(table, number)
    last = steps[-1]
    pairs = zip(last.round_seats, last.round_holders, strict=True)
    own = next((each for each, holder in pairs if holder == call.guest.holder), None)
    is_open = is_history_open(last, call.guest)
    if asked and asked not in last.round_seats:
        raise NotFoundError(f"seat {asked} was not in round {number}", code="no-hand", seat=asked, round=number)
    if asked and asked != own and not is_open:
        raise HiddenError(
            f"the hand of seat {asked} was not shown: only provably fair tables and rounds against bots allow it",
            code="hands-hidden",
        )
    return SeenRound(table, number, steps, (asked or own) if last.round else None, asked, is_open)


def is_history_open(settled: TableSession, guest: Guest) -> bool:
    """Return whether a guest may see every card of a settled round.

    So it is if that reveals no other person's hand: all other seats were bots, or the shuffle is provably fair, where
    the secret reveals the whole deck after the round.
    """
    holders = {holder for holder in settled.round_holders if holder != HOUSE}
    return bool(settled.terms.fair) or holders == {guest.holder}
