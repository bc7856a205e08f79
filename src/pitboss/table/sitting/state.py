"""What is true of a sitting: a fold of its events, with the round in play driven by the round driver.

``apply`` adds an event; nothing here decides or refuses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pitboss.cards import parse_cards
from pitboss.meter import Meter
from pitboss.paytables import find_progressive_table
from pitboss.table.domain import Round, Stake, open_round
from pitboss.table.domain.awards import awarded
from pitboss.table.domain.events import FixedAward
from pitboss.table.domain.events import Settled as WagerSettled
from pitboss.table.domain.payment import fresh_meter
from pitboss.table.domain.records import replace
from pitboss.table.domain.wagers import wager_named
from pitboss.table.fair import SeatSeed, given_back
from pitboss.table.sitting.events import (
    Acted,
    Bought,
    Committed,
    DealtOut,
    Event,
    Left,
    Locked,
    MeterAt,
    Opened,
    Paid,
    Relieved,
    SatDown,
    SeedShown,
    Staked,
    TableClosed,
    Unlocked,
    Voided,
)
from pitboss.table.sitting.late import Late, late_with
from pitboss.table.sitting.standing import Seat, Standing
from pitboss.table.sitting.terms import Stakes, Terms, game_of, paytables_of

SEED_SECONDS = 30
"""How long seats may take to show their seeds where decisions may take any time."""


class Phase(StrEnum):
    """What the table is doing."""

    WAGERS = "wagers"
    SEEDS = "seeds"
    DECISIONS = "decisions"
    SETTLE = "settle"


@dataclass(frozen=True)
class Sitting:
    """A sitting as it stands.

    ``round`` is the round in play, or the last one until the next deal; ``playing`` are its chairs in the order of
    its seats and ``holders`` who sat there.  Of a linked table ``progressive_round`` is its round as the progressive
    counts, and ``refused`` tells its guests why that did not take the wagers.  ``late`` are those whose time ran out in
    this round.  ``seeds`` are all seats of round ``dealt_number``; ``void`` are those of them that never showed the
    seed they were bound to, so that nothing was dealt.  ``version`` is that of the method to which the house is bound.
    """

    standing: Standing
    locked: bool = False
    commitment: str = ""
    secret: str = ""
    revealed: str = ""
    round: Round | None = None
    playing: tuple[int, ...] = ()
    holders: tuple[str, ...] = ()
    back: str = ""
    dealt_number: int = 0
    seeds: tuple[SeatSeed, ...] = ()
    dealt_commitment: str = ""
    void: tuple[int, ...] = ()
    version: str = ""
    paid: bool = True
    spare: tuple[int, ...] = field(default=(), repr=False)
    progressive_round: int = 0
    refused: str = ""
    late: tuple[Late, ...] = ()
    closed: bool = False

    @property
    def terms(self) -> Terms:
        """The table's terms."""
        return self.standing.terms

    @property
    def seats(self) -> Mapping[int, Seat]:
        """Who sits where."""
        return self.standing.seats

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if not self.paid:
            return Phase.SETTLE if self.round is not None and self.round.closed else Phase.DECISIONS
        return Phase.SEEDS if self.locked else Phase.WAGERS

    @property
    def turn(self) -> int | None:
        """The chair that has to decide."""
        if self.round is None or self.round.turn is None:
            return None
        return self.playing[self.round.turn[0]]

    @property
    def entered(self) -> tuple[SeatSeed, ...]:
        """The seats that have wagered on the coming round, with the hashes and seeds that they have handed in."""
        return tuple(SeatSeed(seat, held.seed_hash, held.seed) for seat, held in self.seats.items() if held.stakes)

    def sits(self, holder: str) -> bool:
        """Return whether somebody has a chair here."""
        return any(held.holder == holder for held in self.seats.values())

    def in_round(self, seat: int) -> bool:
        """Return whether a chair has a hand in the round that is not settled yet."""
        return not self.paid and seat in self.playing

    def down_cents(self, seat: int) -> int:
        """Return the chips that a chair has on the felt, or has had there in this round."""
        held = self.seats.get(seat)
        if self.in_round(seat) and self.round is not None:
            return self.round.down_cents(self.playing.index(seat))
        return 0 if held is None or not self.paid else staked_cents(self.terms, held.stakes or ())

    def free_cents(self, seat: int) -> int:
        """Return the chips before a chair that it may still stake: without those on the felt, with those paid back.

        What a linked progressive has fixed is not paid before it is confirmed and the round is settled.
        """
        back = 0
        if self.in_round(seat) and self.round is not None:
            place = self.playing.index(seat)
            table = find_progressive_table(self.round.paytables) if self.terms.linked else None
            back = sum(
                leg.stake_cents + leg.net_cents
                for event in self.round.events
                if isinstance(event, WagerSettled) and event.seat == place and not (table and event.bet == table.bet)
                for leg in event.legs
            )
        return self.seats[seat].chips_cents - self.down_cents(seat) + back

    @property
    def seconds(self) -> int:
        """How long whoever is waited for may take; 0: for ever.  Seeds are never waited for that long."""
        match self.phase:
            case Phase.WAGERS:
                return self.terms.wager_seconds
            case Phase.SEEDS:
                return self.terms.decide_seconds or SEED_SECONDS
            case Phase.DECISIONS:
                return self.terms.decide_seconds
            case Phase.SETTLE:
                return 0

    def meter_now(self) -> Meter | None:
        """Return the table's own progressive; a linked table's stands in the ledger, and not here."""
        if self.terms.linked:
            return None
        if self.round is not None and not self.paid:
            return self.round.meter
        return meter_of(self.standing.meter)


def staked_cents(terms: Terms, stakes: Iterable[Stakes]) -> int:
    """Return the chips that wagers take: each of a wager's circles gets its stake."""
    game = game_of(terms)
    return sum(stake.cents * max(1, len(wager_named(game, stake.bet).circles)) for stake in stakes)


def meter_of(kept: MeterAt | None) -> Meter | None:
    """Return a progressive as the round driver takes it."""
    return Meter(kept.units, kept.reserve_units) if kept else None


def meter_at(meter: Meter | None) -> MeterAt | None:
    """Return a progressive as events keep it."""
    return MeterAt(units=meter.units, reserve_units=meter.reserve_units) if meter else None


@lru_cache(maxsize=256)
def _opened(terms: Terms, seats: int) -> Round:
    return open_round(
        game_of(terms),
        seats,
        options=terms.options,
        paytables=paytables_of(terms),
        preset=terms.preset,
        limits=terms.limits,
    )


def opening(terms: Terms, meter: Meter | None, seats: int = 1) -> Round:
    """Open a round by a table's terms (raises as ``open_round``)."""
    opened = _opened(terms, seats)
    return replace(opened, opening_meter=meter, meter=meter) if meter else opened


def folded(events: Iterable[Event], sitting: Sitting | None = None) -> Sitting:
    """Apply events one after another; the first of a table opens it."""
    for event in events:
        sitting = apply(sitting, event)
    if sitting is None:
        message = "a sitting begins with its table"
        raise ValueError(message)
    return sitting


def apply(sitting: Sitting | None, event: Event) -> Sitting:
    """Return the sitting after one more event."""
    if isinstance(event, Opened):
        meter = None if event.terms.linked else meter_at(fresh_meter(paytables_of(event.terms)))
        dealer = event.terms.linked.dealer if event.terms.linked else ""
        return Sitting(Standing(table=event.table, terms=event.terms, meter=meter, sequence=1, dealer=dealer))
    if sitting is None:
        message = "a sitting begins with its table"
        raise ValueError(message)
    after = _applied(sitting, event)
    return replace(after, standing=_with(after.standing, sequence=after.standing.sequence + 1))


def _applied(now: Sitting, event: Event) -> Sitting:
    match event:
        case Committed():
            return _committed(now, event)
        case SatDown():
            seat = Seat(name=event.name, holder=event.holder, bot=event.bot, standing=event.standing)
            return _seated(now, event.seat, seat)
        case Bought():
            after = _changed(now, event.seat, chips_cents=now.seats[event.seat].chips_cents + event.cents)
            return _standing(after, bought_cents=now.standing.bought_cents + event.cents)
        case Staked():
            after = _changed(now, event.seat, stakes=event.stakes, seed_hash=event.seed_hash, seed="")
            waits = not now.seats[event.seat].bot  # nobody is hurried by a bot
            return _standing(after, since=now.standing.since or (event.at if waits else 0))
        case Locked():
            locked, late = _standing(now, since=event.at), late_with(now, event)
            return replace(locked, locked=True, progressive_round=event.progressive_round, refused="", late=late)
        case Unlocked():
            given_up = {number: _without_wagers(seat) for number, seat in now.seats.items()}
            refused = f"Your wagers were given back: {event.why}. "
            return replace(_standing(now, seats=given_up, since=0), locked=False, refused=refused, late=())
        case Relieved():
            return _standing(now, dealer=event.dealer)
        case SeedShown():
            return _changed(now, event.seat, seed=event.seed)
        case DealtOut():
            return _dealt(now, event)
        case Acted():
            return _acted(now, event)
        case Paid():
            return _settled(now, event)
        case Voided():
            return _voided(now, event)
        case Left():
            seats = {number: seat for number, seat in now.seats.items() if number != event.seat}
            return _standing(now, seats=seats, changed_cents=now.standing.changed_cents + event.cents)
        case TableClosed():
            return replace(now, closed=True)
        case _:
            message = f"a sitting has one beginning, not {event.kind}"
            raise ValueError(message)


def _committed(now: Sitting, event: Committed) -> Sitting:
    if now.secret:
        fault = f"round {event.round}: a commitment was never opened"
        now = _standing(now, faults=(*now.standing.faults, fault))
    return replace(now, commitment=event.commitment, secret=event.secret, version=event.version)


def _dealt(now: Sitting, event: DealtOut) -> Sitting:
    game = game_of(now.terms)
    spare = parse_cards(event.spare, game.deck)
    dealt = undealt(now, event.seats, meter_of(event.meter)).deal(parse_cards(event.deck, game.deck), given_back(spare))
    return replace(
        _standing(now, since=event.at),
        locked=False,
        round=dealt,
        playing=event.seats,
        holders=tuple(now.seats[seat].holder for seat in event.seats),
        back=event.back,
        dealt_number=event.round,
        dealt_commitment=now.commitment,
        revealed="",
        seeds=now.entered,
        void=(),
        paid=False,
        spare=spare,
        late=late_with(now, event),
    )


def undealt(now: Sitting, seats: Sequence[int], meter: Meter | None = None) -> Round:
    """Return a round of these chairs with the wagers that they have placed, before its cards."""
    opened = opening(now.terms, meter or meter_of(now.standing.meter), len(seats))
    for stake in placed(now, seats):
        opened = opened.wager(stake)
    return opened


def placed(now: Sitting, seats: Sequence[int]) -> list[Stake]:
    """Return the stakes of a round's seats as the driver numbers them; one on a hand that is not dealt is no stake."""
    return [
        Stake(place, stake.bet, stake.cents, None if stake.on is None else seats.index(stake.on))
        for place, seat in enumerate(seats)
        for stake in now.seats[seat].stakes or ()
        if stake.on is None or stake.on in seats
    ]


def _acted(now: Sitting, event: Acted) -> Sitting:
    if now.round is None:
        message = "a decision has a round"
        raise ValueError(message)
    cards = parse_cards(event.cards, now.round.game.deck) if event.cards else ()
    going = now.round.decide(now.playing.index(event.seat), event.action, cards, given_back(now.spare))
    if event.awards:
        places = {chair: place for place, chair in enumerate(now.playing)}
        going = awarded(
            going, (FixedAward(places[each.seat], each.meter_cents, each.short_cents) for each in event.awards)
        )
    return replace(_standing(now, since=event.at), round=going, late=late_with(now, event))


def _settled(now: Sitting, event: Paid) -> Sitting:
    seats = {number: _without_wagers(seat) for number, seat in now.seats.items()}
    for net in event.nets:
        seat = seats[net.seat]
        seats[net.seat] = seat.model_copy(update={"chips_cents": seat.chips_cents + net.cents})
    after = _standing(
        now,
        seats=seats,
        number=event.round + 1,
        house_cents=now.standing.house_cents - sum(net.cents for net in event.nets),
        meter=event.meter,
        since=0,
    )
    return replace(after, paid=True, revealed=event.revealed, commitment="", secret="")


def _voided(now: Sitting, event: Voided) -> Sitting:
    """Give all wagers back: no chip has moved since they were placed.  The felt is empty, as after a restart."""
    withheld = now.standing.withheld_holders, (now.seats[seat].holder for seat in event.seats)
    after = _standing(
        now,
        seats={number: _without_wagers(seat) for number, seat in now.seats.items()},
        number=event.round + 1,
        since=0,
        withheld_seats=tuple(sorted({*now.standing.withheld_seats, *event.seats})),
        withheld_holders=tuple(sorted({*withheld[0], *withheld[1]})),
    )
    entered = now.entered
    return replace(
        after,
        locked=False,
        round=None,
        playing=tuple(each.seat for each in entered),
        holders=tuple(now.seats[each.seat].holder for each in entered),
        back="",
        dealt_number=event.round,
        dealt_commitment=now.commitment,
        seeds=entered,
        void=event.seats,
        revealed=event.revealed,
        commitment="",
        secret="",
        spare=(),
        late=late_with(now, event),
    )


def _without_wagers(seat: Seat) -> Seat:
    return seat.model_copy(update={"stakes": None, "seed_hash": "", "seed": ""})


def _with(standing: Standing, **changes: Any) -> Standing:
    return standing.model_copy(update=changes)


def _standing(now: Sitting, **changes: Any) -> Sitting:
    return replace(now, standing=_with(now.standing, **changes))


def _seated(now: Sitting, number: int, seat: Seat) -> Sitting:
    return _standing(now, seats=dict(sorted({**now.seats, number: seat}.items())))


def _changed(now: Sitting, number: int, **changes: Any) -> Sitting:
    return _seated(now, number, now.seats[number].model_copy(update=changes))
