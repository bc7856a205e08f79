"""Dealer training: a round dealt out by the rules, taken apart into what the dealer is asked.

The procedure is the round driver's own order of events, the payments its own settlements.  What no event tells stands
in ``procedure.toml``: clauses, the progressive's keys, and what becomes of a winning hand that nobody turns up (W6-8).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from pitboss.builders import display_name
from pitboss.cards import shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner, LegResult, PayUnit, StakeConstraintKind
from pitboss.core.money import format_cents
from pitboss.jackpot.procedure import WORDS
from pitboss.meter import UNITS_PER_CENT
from pitboss.paytables import find_progressive_table
from pitboss.table.domain import Round
from pitboss.table.domain.events import Closed, Dealt, Decided, EnvyPaid, Event, LegPaid, Settled, Shown, Wagered
from pitboss.table.domain.payment import after_coin_in
from pitboss.table.domain.procedure import folded_in
from pitboss.table.domain.wagers import wager_named
from pitboss.table.practice import Unshown, first_of, procedure_of

UNSHOWN = "an unshown hand"
"""The case of a winning first hand that nobody turned up."""

_WRONG = 3
_CENTS = 100
_ABSURD = 10
_WHOSE = {"dealer": "your own cards", "community": "the community cards"}


class Deed(StrEnum):
    """What a dealer does with the chips in a circle, or without any."""

    TAKE = "take"
    PUSH = "leave"
    PAY = "pay"
    COLLECT = "collect"


@dataclass(frozen=True, slots=True)
class Task:
    """A question to the dealer.

    A step has ``choices``, of which ``answer`` is right.  A payment has none: its answer is a deed, and if that is to
    pay or to collect, ``cents``.  ``clause`` is where it stands, ``reason`` what the rules say of it, ``case`` what is
    to be learned; ``events`` of the round have happened when it is asked.
    """

    question: str
    answer: str
    case: str
    clause: str
    events: int
    choices: tuple[str, ...] = ()
    cents: int = 0
    reason: str = ""
    lies_cents: int = 0
    most_cents: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the procedure, and what else might be done there."""

    said: str
    case: str
    clause: str
    events: int
    lures: tuple[str, ...] = ()


def tasks_of(
    played: Round, bits: BitSource = system_bits, keys: str = "keypad", *, wary: bool = False
) -> tuple[Task, ...]:
    """Return what the dealer of a round is asked, in the order of the procedure.

    ``keys`` is the progressive's system, "keypad" or "display".  A ``wary`` dealer expects hands that were not shown:
    they are among the choices also where there is none.
    """
    asked = list(_Asking(played, keys, wary=wary).all())
    # That a hand went unshown is offered where it may be so, never by chance: else the words would tell of it.
    steps = [each for each in asked if isinstance(each, _Step) and each.case != UNSHOWN]
    words = list(dict.fromkeys(each.said for each in steps))
    return tuple(_choosing(each, words, bits) if isinstance(each, _Step) else each for each in asked)


def _choosing(step: _Step, words: list[str], bits: BitSource) -> Task:
    others = [place for place, word in enumerate(words) if word != step.said and word not in step.lures]
    wrong = (*step.lures, *(words[place] for place in shuffle_cards(others, bits)))[:_WRONG]
    offered = (step.said, *wrong)
    choices = tuple(offered[place] for place in shuffle_cards(range(len(offered)), bits))
    return Task("What do you do next?", step.said, step.case, step.clause, step.events, choices)


class _Asking:
    """Takes a round apart."""

    def __init__(self, played: Round, keys: str, *, wary: bool) -> None:
        self._played = played
        self._keys, self._keypad = WORDS[keys], keys == "keypad"
        self._clauses = procedure_of(played.game)
        self._wary = wary and bool(self._clauses.forfeit)
        self._first = first_of(played.events)
        table = find_progressive_table(played.paytables)
        self._meter_bet = table.bet if table and played.on_meter else ""

    def all(self) -> Iterator[_Step | Task]:
        """Yield every question in order; events that are done in one go are one step."""
        before = 0
        for _, run in groupby(enumerate(self._played.events), key=self._at_once):
            done = [event for _, event in run]
            yield from self._about(done, before)
            before += len(done)

    def _at_once(self, placed: tuple[int, Event]) -> tuple[object, ...]:
        place, event = placed
        match event:
            case Dealt() if place < self._first:
                return ("deal",)
            case Dealt() | Decided():
                return ("one", place)
            case Shown() | Settled() | EnvyPaid():
                return (type(event), event.seat)
        return (type(event),)

    def _about(self, done: list[Event], before: int) -> Iterator[_Step | Task]:
        clauses = self._clauses
        match done[0]:
            case Wagered():
                if self._meter_bet:
                    yield self._key(f"Press {self._keys['open']}", len(done))
                    yield self._key("Take the progressive wagers off the sensors", len(done))
            case Dealt() if before < self._first:
                yield _Step(_dealing(self._played.game), "deal", clauses.deal, before)
            case Dealt() as dealt:
                yield _Step(_drawing(dealt), "draw", clauses.draw, before)
            case Shown():
                yield from self._turned_up([event for event in done if isinstance(event, Shown)], before)
            case Decided() as decided:
                question = self._question(decided.decision)
                yield _Step(f"Ask seat {decided.seat + 1}: {question}", "ask", clauses.ask, before)
            case Settled() as settled:
                paid = [task for event in done if isinstance(event, Settled) for task in self._paid(event, before)]
                if paid:
                    lures = (self._noted(settled.seat), self._after_all(settled.seat)) if self._wary else ()
                    yield _Step(f"Settle seat {settled.seat + 1}", "settle", clauses.settle, before, lures)
                    yield from paid
            case EnvyPaid() as envy:
                yield _Step(f"Pay envy to seat {envy.seat + 1}", "envy", clauses.envy, before)
                yield from (self._envy(event, before) for event in done if isinstance(event, EnvyPaid))
            case Closed():
                if self._meter_bet:
                    yield self._key(f"Press {self._keys['close']}", before)
                yield _Step("Collect the cards: the round is over", "collect the cards", clauses.collect, before)
            case _:
                said = "Shuffle what was given up into a new stub"
                yield _Step(said, "draw", clauses.draw, before)

    def _key(self, said: str, before: int) -> _Step:
        return _Step(said, "the progressive's keys", self._clauses.keys, before)

    def _question(self, decision: str) -> str:
        return next(each.question for each in self._played.game.decisions if each.id == decision)

    # Cards.

    def _turned_up(self, done: list[Shown], before: int) -> Iterator[_Step]:
        seat, played = done[0].seat, self._played
        earlier = [event for event in played.events[:before] if isinstance(event, Shown)]
        if seat is None:
            said = " and ".join(_zone(played, event, before) for event in done)
            yield _Step(f"Turn up {said}", "turn up", self._clauses.show, before)
            return
        if self._is_claim(seat, before):
            return  # what a player turns up the dealer is not asked to
        rest = "the rest of " if any(event.seat == seat for event in earlier) else ""
        yield _Step(f"Turn up {rest}the hand of seat {seat + 1}", "turn up", self._clauses.show, before)
        if isinstance(played, Unshown) and played.hidden == seat and rest:
            lures = (self._after_all(seat), f"Settle seat {seat + 1}")
            yield _Step(self._noted(seat), UNSHOWN, self._clauses.unshown, before + len(done), lures)

    def _is_claim(self, seat: int, before: int) -> bool:
        """Return whether a hand is turned up by its player, who claims a win: before a fold and the dealer's hand."""
        passed = self._played.events[:before]
        dealers = {
            card for event in passed if isinstance(event, Dealt) and event.to == "dealer" for card in event.cards
        }
        return seat not in folded_in(passed) and not dealers <= _shown(passed, None)

    def _is_unclaimed(self, settled: Settled, before: int) -> bool:
        """Return whether a wager stands on a hand in play that lies face down: its player claims no win."""
        passed, seat = self._played.events[:before], settled.seat if settled.on is None else settled.on
        if wager_named(self._played.game, settled.bet).hand_owner is HandOwner.DEALER or seat in folded_in(passed):
            return False
        return not _dealt(passed, seat) & _shown(passed, seat)

    def _noted(self, seat: int) -> str:
        return f"Tell seat {seat + 1}: its winning first hand was not shown, {self._forfeit} stays lost"

    def _after_all(self, seat: int) -> str:
        return f"Pay seat {seat + 1} its {self._forfeit} after all"

    @property
    def _forfeit(self) -> str:
        return wager_named(self._played.game, self._clauses.forfeit).name

    # Chips.

    def _paid(self, event: Settled, before: int) -> Iterator[_Step | Task]:
        """Yield a question for every circle that is settled, and for a tax once what it is tied to is paid."""
        if event.bet == self._meter_bet:
            yield from self._off_meter(event, before)
            return
        for leg in event.legs:
            if leg.stake_cents or event.bet not in self._taxed_before(event.seat):
                yield self._circle(event, leg, before)
        if _pays(event):
            for other in self._played.events:
                if isinstance(other, Settled) and other.seat == event.seat and self._tied(other.bet) == event.bet:
                    yield from (self._circle(other, leg, before) for leg in other.legs if not leg.stake_cents)

    def _tied(self, bet: str) -> str:
        """Return the wager that another is placed only with, "" for none."""
        ties = wager_named(self._played.game, bet).constraints
        return next((tie.bet for tie in ties if tie.kind is StakeConstraintKind.ONLY_WITH), "")

    def _taxed_before(self, seat: int) -> set[str]:
        """Return the wagers of a seat whose tax was asked for when the wager that they are tied to was paid."""
        own = [event for event in self._played.events if isinstance(event, Settled) and event.seat == seat]
        paid = {event.bet for event in own if _pays(event)}
        return {event.bet for event in own if self._tied(event.bet) in paid}

    def _circle(self, event: Settled, leg: LegPaid, before: int) -> Task:
        clause = self._clauses.pays.get(event.bet, self._clauses.pay)
        wager = wager_named(self._played.game, event.bet)
        circle = display_name(leg.circle)
        alone = len(event.legs) == 1 or leg.circle == event.bet
        name = wager.name if alone and event.bet != "main" else circle.capitalize()
        on = f" on seat {event.on + 1}" if event.on is not None else ""
        if not leg.stake_cents:
            question = f"Seat {event.seat + 1}, {wager.name}: how much {circle} do you collect"
            case, cents = f"{wager.name}, {circle}", -leg.net_cents
            most = _ABSURD * sum(stake.cents for stake in self._played.stakes)
            return Task(question, Deed.COLLECT, case, clause, before, (), cents, leg.reason, most_cents=most)
        deed = {LegResult.WIN: Deed.PAY, LegResult.PUSH: Deed.PUSH, LegResult.LOSE: Deed.TAKE}[leg.verdict]
        unclaimed = deed is Deed.TAKE and self._is_unclaimed(event, before)
        return Task(
            f"Seat {event.seat + 1}, {name}{on}: {format_cents(leg.stake_cents)} lies there",
            deed,
            f"{name}: {deed}",
            clause,
            before,
            cents=max(leg.net_cents, 0),
            reason="no winning hand was turned up" if unclaimed else leg.reason,
            lies_cents=leg.stake_cents,
            most_cents=self._most_cents(event.bet, leg.stake_cents),
        )

    def _off_meter(self, event: Settled, before: int) -> Iterator[_Step | Task]:
        """Yield what is done for a progressive's winner; COIN IN has taken the wager, so the pay is for one."""
        played = self._played
        stake = sum(leg.stake_cents for leg in event.legs)
        if event.net_cents <= 0:
            return
        hand, seat = display_name(event.outcome), event.seat + 1
        key = f"Press the {hand} button for seat {seat}" if self._keypad else f"Select seat {seat} and press {hand}"
        yield self._key(key, before)
        yield self._key(f"Call a supervisor: {self._keys['confirm']}", before)
        meter = after_coin_in(played.paytables, played.opening_meter, played.stakes)
        shown = f" (the display showed {format_cents(meter.units // UNITS_PER_CENT)})" if meter else ""
        yield Task(
            f"Seat {seat}, {wager_named(played.game, event.bet).name}: {hand}{shown}",
            Deed.PAY,
            "Progressive: pay",
            self._clauses.pays.get(event.bet, self._clauses.pay),
            before,
            cents=event.net_cents + stake,
            reason=event.legs[0].reason,
            most_cents=self._most_cents(event.bet, stake),
        )

    def _envy(self, event: EnvyPaid, before: int) -> Task:
        question = f"Seat {event.seat + 1}, envy: seat {event.hitter + 1} has a {display_name(event.line)}"
        most = _ABSURD * event.cents
        return Task(question, Deed.PAY, "envy: pay", self._clauses.envy, before, cents=event.cents, most_cents=most)

    def _most_cents(self, bet: str, stake_cents: int) -> int:
        """Return what no dealer means to pay: many times the most that a line of the wager's pay tables could."""
        played, most = self._played, Fraction(stake_cents)
        each = {PayUnit.DOLLARS: _CENTS, PayUnit.PERCENT_OF_METER: 0}
        for kind in wager_named(played.game, bet).paytable_kinds:
            for pay in played.paytables[kind].lines.values():
                most = max(most, pay.amount * each.get(pay.unit, stake_cents))
        meter = after_coin_in(played.paytables, played.opening_meter, played.stakes)
        shown_cents = meter.units // UNITS_PER_CENT if meter and bet == self._meter_bet else 0
        return _ABSURD * max(int(most), shown_cents)


def _dealt(events: Sequence[Event], seat: int | None) -> set[int]:
    return {card for event in events if isinstance(event, Dealt) and event.seat == seat for card in event.cards}


def _shown(events: Sequence[Event], seat: int | None) -> set[int]:
    return {card for event in events if isinstance(event, Shown) and event.seat == seat for card in event.cards}


def _pays(event: Settled) -> bool:
    return any(leg.verdict is LegResult.WIN for leg in event.legs)


def _dealing(game: Game) -> str:
    whom = {"seat": "to each seat", "dealer": "to yourself", "community": "to the middle"}
    zones = (f"{zone.cards} {whom.get(zone.destination, 'to ' + zone.destination.upper())}" for zone in game.deal_order)
    return f"Deal {', '.join(zones)}"


def _drawing(event: Dealt) -> str:
    whom = "yourself" if event.seat is None else f"seat {event.seat + 1}"
    count = len(event.cards)
    return f"Give {whom} {'a card' if count == 1 else f'{count} cards'} from the stub"


def _zone(played: Round, event: Shown, before: int) -> str:
    """Say which cards of a zone are turned up: all, some of them, or the rest."""
    passed = played.events[:before]
    whose = _WHOSE.get(event.zone, event.zone.upper())
    dealt = sum(len(each.cards) for each in passed if isinstance(each, Dealt) and each.to.lower() == event.zone)
    if any(isinstance(each, Shown) and each.zone == event.zone for each in passed):
        return f"the rest of {whose}"
    return whose if len(event.cards) == dealt else f"{len(event.cards)} of {whose}"
