"""Rounds for dealer training: dealt out by the rules and played to their end by bots, with wagers of all kinds.

The engine shows every hand that wins before the draw by itself.  Here one may be planted that nobody turns up (ruling
W6-8): what had to be shown is lost, its seat is asked as any other is, and nothing more of it is settled before the
dealer has opened his hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Self

from pydantic import Field

from pitboss.cards import draw_below, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, Game, HandOwner
from pitboss.core.strict_model import StrictModel
from pitboss.table.domain import Dealt, Decided, Event, Round, Settled, Stake, Wagered, open_round
from pitboss.table.domain.bots import action_of, usual_bot
from pitboss.table.domain.wagers import limits_of
from pitboss.table.papers import paper

LOSE = "lose"

_STAKES = (1, 2, 3, 5)
_PLANTS = 4


class Procedure(StrictModel):
    """Where a game's dealing procedure stands: clauses by kind of step, of payments by wager as well.

    What a file leaves out is cited as nothing, and a game without a file cites nothing of its own.

    ``collect`` is that of the cards once the round is over.  With ``draws_together`` all seats choose before one is
    served.  ``keys`` is the clause of a progressive's keys,
    ``unshown`` that of a winning first hand which nobody turned up; it loses the wager ``forfeit``.
    """

    deal: str = ""
    show: str = ""
    ask: str = ""
    settle: str = ""
    pay: str = ""
    collect: str = "each round is dealt from a freshly shuffled deck (ALL-5)"
    pays: dict[str, str] = Field(default_factory=dict)
    draw: str = ""
    draws_together: bool = False
    envy: str = ""
    keys: str = ""
    unshown: str = ""
    forfeit: str = ""


@cache
def procedure_of(game: Game) -> Procedure:
    """Return the clauses of a game's procedure, ``procedure.toml`` of its folder where it has one.

    Raises:
        PitbossError: the file is not in order.
    """
    return paper(game, "procedure.toml", Procedure) or Procedure()


@dataclass(frozen=True)
class Unshown(Round):
    """A round in which seat ``hidden`` does not turn up its first hand, and so loses the wager ``forfeit``."""

    hidden: int = 0
    forfeit: str = ""

    @classmethod
    def of(cls, now: Round, hidden: int, forfeit: str) -> Self:
        """Return a round that has not been dealt yet, in which a seat will keep its hand face down."""
        kept = {each.name: getattr(now, each.name) for each in fields(now)}
        return cls(**kept, hidden=hidden, forfeit=forfeit)

    def _decision_of(self, seat: int) -> int:
        asked = super()._decision_of(seat)
        has_decided = any(isinstance(event, Decided) and event.seat == seat for event in self.events)
        return 0 if asked == NO_DECISION and seat == self.hidden and not has_decided else asked

    def _ended(self, state: Any) -> tuple[int, ...]:
        ends = super()._ended(state)
        if state is not self.states[self.hidden]:
            return ends
        return tuple(
            next(place for place, outcome in enumerate(wager.outcomes) if outcome.name == LOSE)
            if wager.id == self.forfeit
            else (end if self.opened else UNSETTLED)
            for wager, end in zip(self.game.wagers, ends, strict=True)
        )


def could_hide(now: Round, deck: Sequence[int], forfeit: str) -> Iterator[tuple[int, int]]:
    """Yield seats that would win ``forfeit`` with their first hand from a deck, each with the cents it would be paid.

    Another side wager must lie there, for which the whole hand is turned up in the end: else nobody ever knew.
    """
    for event in now.deal(deck).events:
        if isinstance(event, Settled) and event.bet == forfeit and event.net_cents > 0:
            others = {stake.bet for stake in now.stakes if stake.seat == event.seat} - {"main", forfeit}
            if others:
                yield event.seat, event.net_cents


def dealt_out(game: Game, seats: int, bits: BitSource = system_bits, *, unshown: bool = False) -> Round:
    """Return a round that bots have played to its end, with wagers of all kinds.

    With ``unshown`` a winning first hand is never turned up, in a game whose procedure knows of that.
    """
    clauses = procedure_of(game)
    hides = unshown and clauses.forfeit
    now, deck = _hiding(game, seats, clauses.forfeit, bits) if hides else _opened(game, seats, bits)
    now = now.deal(deck, lambda cards: shuffle_cards(cards, bits))
    bot = usual_bot(game)
    while now.turn is not None:
        action, cards = action_of(now, bot)
        now = now.decide(now.turn[0], action, cards, lambda left: shuffle_cards(left, bits))
    return replace(now, events=_drawn_together(now.events)) if clauses.draws_together else now


def _opened(game: Game, seats: int, bits: BitSource) -> tuple[Round, tuple[int, ...]]:
    """Return a round with its wagers placed, and a deck for it."""
    now = open_round(game, seats)
    for seat in range(seats):
        for stake in _stakes(now, seat, bits):
            now = now.wager(stake)
    return now, tuple(shuffle_cards(game.deck.cards, bits))


def _hiding(game: Game, seats: int, forfeit: str, bits: BitSource) -> tuple[Round, tuple[int, ...]]:
    """Return a round in which a winning first hand stays face down: of several, the one that would be paid best."""
    found: list[tuple[int, Round, tuple[int, ...]]] = []
    while len(found) < _PLANTS:
        now, deck = _opened(game, seats, bits)
        for seat, cents in could_hide(now, deck, forfeit):
            found.append((cents // now.stake_cents(seat, forfeit), Unshown.of(now, seat, forfeit), deck))
    _, now, deck = max(found, key=lambda each: each[0])
    return now, deck


def _stakes(now: Round, seat: int, bits: BitSource) -> Iterator[Stake]:
    """Yield what a seat wagers: what it must, and about half of what it may, within every tie."""
    limits = limits_of(now.game, "", None)
    base = _STAKES[draw_below(len(_STAKES), bits)]
    placed: set[str] = set()
    for wager in now.game.wagers:
        needed = {tie.bet for tie in wager.constraints}
        may = now.status_of(wager) == "optional" and needed <= placed and draw_below(2, bits)
        others = [other for other in range(now.seats) if other != seat]
        if not (now.status_of(wager) == "mandatory" or may) or (
            wager.hand_owner is HandOwner.OTHER_SEAT and not others
        ):
            continue
        on = others[draw_below(len(others), bits)] if wager.hand_owner is HandOwner.OTHER_SEAT else None
        cents = min(base * limits[wager.id].minimum_cents, limits[wager.id].maximum_cents)
        placed.add(wager.id)
        yield Stake(seat, wager.id, cents, on)


def first_of(events: tuple[Event, ...]) -> int:
    """Return how many events come before anything but wagers and the first cards."""
    return next(place for place, event in enumerate(events) if not isinstance(event, Wagered | Dealt))


def _drawn_together(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Put what seats choose before what they are then given: the cards are the same, drawn in the same order."""
    first = first_of(events)
    last = max((place for place, event in enumerate(events) if isinstance(event, Decided)), default=first)
    choosing = [place for place in range(first, last) if isinstance(events[place], Decided | Dealt)]
    start = choosing[0] if choosing else last
    chosen = sorted(events[start : last + 1], key=lambda event: isinstance(event, Dealt))
    return (*events[:start], *chosen, *events[last + 1 :])
