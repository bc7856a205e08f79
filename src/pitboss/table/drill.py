"""Dealer training: a round dealt out by the rules, taken apart into what the dealer is asked.

The procedure is the round driver's own order of events, the payments its own settlements: nothing is decided here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby

from pitboss.cards import below, format_card, reordered, system_bits
from pitboss.cards.shuffle import Bits
from pitboss.contract import Game, Place, Verdict
from pitboss.core.checked import Checked, toml_of
from pitboss.core.errors import PitbossError
from pitboss.core.money import format_cents
from pitboss.describe import spoken
from pitboss.strategies import strategy_named
from pitboss.table.domain import Round, Stake, open_round
from pitboss.table.domain.bots import action_of
from pitboss.table.domain.events import Closed, Dealt, Decided, EnvyPaid, Event, LegPaid, Settled, Shown, Wagered
from pitboss.table.domain.wagers import limits_of, status_of, wager_named

STRATEGY = "practical"
_STAKES = (1, 2, 3, 5)
_WRONG = 3
_WHOSE = {"dealer": "your own cards", "community": "the community cards"}


class Procedure(Checked):
    """Where a game's dealing procedure stands, by kind of step."""

    deal: str
    show: str
    ask: str
    settle: str
    pay: str
    draw: str = ""
    envy: str = ""


@cache
def procedure_of(game: Game) -> Procedure:
    """Return the clauses of a game's procedure, ``procedure.toml`` of its folder."""
    return Procedure.model_validate(toml_of(game.folder / "procedure.toml", PitbossError))


class Deed(StrEnum):
    """What a dealer does with the chips in a circle."""

    TAKE = "take"
    PUSH = "leave"
    PAY = "pay"


@dataclass(frozen=True, slots=True)
class Task:
    """A question to the dealer.

    A step has ``choices``, of which ``answer`` is right.  A payment has none: its answer is a deed, and if that is to
    pay, ``cents``.  ``clause`` is where it stands, ``reason`` what the rules say of it; ``events`` of the round have
    happened when it is asked.
    """

    question: str
    answer: str
    clause: str
    events: int
    choices: tuple[str, ...] = ()
    cents: int = 0
    reason: str = ""


def dealt_out(game: Game, seats: int, bits: Bits = system_bits) -> Round:
    """Return a round that bots have played to its end, with wagers of all kinds."""
    now = open_round(game, seats)
    for seat in range(seats):
        for stake in _stakes(now, seat, bits):
            now = now.wager(stake)
    now = now.deal(reordered(game.deck.cards, bits), lambda cards: reordered(cards, bits))
    strategy = strategy_named(game, STRATEGY)
    while now.turn is not None:
        action, cards = action_of(now, strategy)
        now = now.decide(now.turn[0], action, cards, lambda left: reordered(left, bits))
    return now


def _stakes(now: Round, seat: int, bits: Bits) -> Iterator[Stake]:
    """Yield what a seat wagers: what it must, and about half of what it may, within every tie."""
    limits = limits_of(now.game, "", None)
    base = _STAKES[below(len(_STAKES), bits)]
    placed: set[str] = set()
    for wager in now.game.wagers:
        needed = {tie.bet for tie in wager.ties}
        may = status_of(wager, now.options) == "optional" and needed <= placed and below(2, bits)
        others = [other for other in range(now.seats) if other != seat]
        if not (status_of(wager, now.options) == "mandatory" or may) or (
            wager.place is Place.OTHER_SEAT and not others
        ):
            continue
        on = others[below(len(others), bits)] if wager.place is Place.OTHER_SEAT else None
        cents = min(base * limits[wager.id].minimum_cents, limits[wager.id].maximum_cents)
        placed.add(wager.id)
        yield Stake(seat, wager.id, cents, on)


def tasks_of(played: Round, bits: Bits = system_bits) -> tuple[Task, ...]:
    """Return what the dealer of a round is asked, in the order of the procedure."""
    clauses = procedure_of(played.game)
    steps = list(_steps(played, clauses))
    words = list(dict.fromkeys(step.said for step in steps))
    tasks: list[Task] = []
    for step in steps:
        wrong = [place for place, word in enumerate(words) if word != step.said]
        offered = [words.index(step.said), *reordered(wrong, bits)[:_WRONG]]
        choices = tuple(words[place] for place in reordered(offered, bits))
        tasks.append(Task("What do you do next?", step.said, step.clause, step.events, choices))
        tasks += _payments(played, step, clauses)
    return tuple(tasks)


@dataclass(frozen=True, slots=True)
class _Step:
    said: str
    clause: str
    events: int
    done: tuple[Event, ...]


def _steps(played: Round, clauses: Procedure) -> Iterator[_Step]:
    """Yield the steps of a round: events that are done in one go are one."""
    dealing = True
    before = 0
    for said, run in groupby(_named(played), key=lambda each: each[0]):
        done = tuple(event for _, event in run)
        if said:
            match done[0]:
                case Dealt():
                    clause = clauses.deal if dealing else clauses.draw
                    dealing = False
                case Shown():
                    clause = clauses.show
                case Decided():
                    clause = clauses.ask
                case EnvyPaid():
                    clause = clauses.envy
                case _:
                    clause = clauses.settle
            yield _Step(said, clause, before, done)
        before += len(done)


def _named(played: Round) -> Iterator[tuple[str, Event]]:
    """Yield each event with what the dealer does, nothing for what others do."""
    first = True
    for event in played.events:
        match event:
            case Wagered():
                yield "", event
                continue
            case Dealt():
                yield (_dealing(played.game) if first else _drawing(event)), event
                continue
            case Shown(seat=None):
                said = f"Turn up {_WHOSE.get(event.zone, event.zone.upper())}"
            case Shown():
                said = f"Turn up the hand of seat {(event.seat or 0) + 1}"
            case Decided():
                said = f"Ask seat {event.seat + 1}: {spoken(event.decision)}"
            case Settled():
                said = f"Settle seat {event.seat + 1}"
            case EnvyPaid():
                said = f"Pay envy to seat {event.seat + 1}"
            case Closed():
                said = "Collect the cards: the round is over"
            case _:
                said = "Shuffle what was given up into a new stub"
        first = False
        yield said, event


def _dealing(game: Game) -> str:
    whom = {"seat": "to each seat", "dealer": "to yourself", "community": "to the middle"}
    zones = (f"{zone.cards} {whom.get(zone.to, 'to ' + zone.to.upper())}" for zone in game.dealing)
    return f"Deal {', '.join(zones)}"


def _drawing(event: Dealt) -> str:
    whom = "yourself" if event.seat is None else f"seat {event.seat + 1}"
    return f"Give {whom} {len(event.cards)} from the stub"


def _payments(played: Round, step: _Step, clauses: Procedure) -> Iterator[Task]:
    """Yield a question for every circle that a step settles."""
    for event in step.done:
        if isinstance(event, Settled):
            for leg in event.legs:
                yield Task(
                    _asks(played, event, leg),
                    _deed(leg),
                    clauses.pay,
                    step.events,
                    cents=max(leg.net_cents, 0),
                    reason=leg.reason,
                )
        elif isinstance(event, EnvyPaid):
            question = f"Seat {event.seat + 1}, envy: seat {event.hitter + 1} has a {spoken(event.line)}"
            yield Task(question, Deed.PAY, clauses.envy, step.events, cents=event.cents)


def _deed(leg: LegPaid) -> Deed:
    return {Verdict.WIN: Deed.PAY, Verdict.PUSH: Deed.PUSH, Verdict.LOSE: Deed.TAKE}[leg.verdict]


def _asks(played: Round, event: Settled, leg: LegPaid) -> str:
    name = wager_named(played.game, event.bet).name
    circle = spoken(leg.circle).title()
    where = circle if circle == name or event.bet == "main" else f"{name}, {circle}"
    on = f" on seat {event.on + 1}" if event.on is not None else ""
    return f"Seat {event.seat + 1}, {where}{on}: {format_cents(leg.stake_cents)} lies there"


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies before the dealer: a place's name, its cards with None for those face down, its chips by circle."""

    name: str
    cards: tuple[str | None, ...]
    chips: tuple[tuple[str, int], ...] = ()


def laid(played: Round, events: int) -> Iterator[Laid]:
    """Yield what lies on the table once so many events of a round have happened: middle, dealer, then each seat."""
    passed = played.events[:events]
    shown = {card for event in passed if isinstance(event, Shown) for card in event.cards}
    gone = {(e.seat, card) for e in passed if isinstance(e, Decided) for card in e.cards}
    places: dict[str | int, list[int]] = {}
    for event in passed:
        if isinstance(event, Dealt):
            places.setdefault(event.to if event.seat is None else event.seat, []).extend(event.cards)
    for place in sorted(places, key=lambda each: (isinstance(each, int), str(each))):
        cards = [card for card in places[place] if (place, card) not in gone]
        faces = tuple(format_card(card, played.game.deck) if card in shown else None for card in cards)
        name = f"Seat {place + 1}" if isinstance(place, int) else spoken(place).capitalize()
        yield Laid(name, faces, tuple(_chips(played, place, passed)) if isinstance(place, int) else ())


def _chips(played: Round, seat: int, passed: Sequence[Event]) -> Iterator[tuple[str, int]]:
    """Yield what lies in a seat's circles: wagers and raises that are not settled yet."""
    lying: dict[tuple[str, str, int | None], int] = {}
    for event in (*(each for each in played.events if isinstance(each, Wagered)), *passed):
        if isinstance(event, Wagered) and event.seat == seat:
            for circle in wager_named(played.game, event.bet).circles or (event.bet,):
                lying[event.bet, circle, event.on] = event.cents
        elif isinstance(event, Decided) and event.seat == seat and event.cents:
            lying["main", event.circle, None] = lying.get(("main", event.circle, None), 0) + event.cents
        elif isinstance(event, Settled) and event.seat == seat:
            lying = {key: cents for key, cents in lying.items() if (key[0], key[2]) != (event.bet, event.on)}
    for (_, circle, on), cents in lying.items():
        yield spoken(circle).title() + (f" on seat {on + 1}" if on is not None else ""), cents
