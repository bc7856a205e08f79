"""What is true of a sitting: a fold of its events, with the round in play driven by the round driver.

``apply_event`` adds an event; nothing here decides or refuses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pitboss.cards import parse_cards
from pitboss.meter import Meter
from pitboss.paytables import find_progressive_table
from pitboss.table.fair_shuffle import SeatSeed, make_fixed_shuffle
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.awards import apply_fixed_awards
from pitboss.table.round.events import FixedAward, WagerSettled
from pitboss.table.round.fast_replace import replace
from pitboss.table.round.payment import create_meter
from pitboss.table.round.wagers import get_wager
from pitboss.table.session.events import (
    ActionTaken,
    ChipsBought,
    DealerRelieved,
    MeterSnapshot,
    RoundDealt,
    RoundSettled,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    SecretCommitted,
    SeedRevealed,
    SessionEvent,
    TableClosed,
    TableOpened,
    WagersLocked,
    WagersPlaced,
    WagersReturned,
)
from pitboss.table.session.snapshot import Seat, TableSnapshot
from pitboss.table.session.terms import BetStake, TableTerms, get_table_paytables, load_table_game
from pitboss.table.session.timeouts import Timeout, collect_timeouts

DEFAULT_SEED_SECONDS = 30
"""How long seats may take to show their seeds where decisions may take any time."""


class Phase(StrEnum):
    """What the table is doing."""

    WAGERS = "wagers"
    SEEDS = "seeds"
    DECISIONS = "decisions"
    SETTLE = "settle"


@dataclass(frozen=True)
class TableSession:
    """A sitting as it stands.

    ``round`` is the round in play, or the last one until the next deal; ``round_seats`` are its chairs in the order of
    its seats and ``round_holders`` who sat there.  Of a linked table ``progressive_round`` is its round as the
    progressive counts, and ``refusal`` tells its guests why that did not take the wagers.  ``timeouts`` are those whose
    time ran out in this round.  ``seeds`` are all seats of round ``last_round_number``; ``withholding_seats`` are those
    of them that never showed the seed they were bound to, so that nothing was dealt.  ``fair_version`` is that of the
    method to which the house is bound.
    """

    snapshot: TableSnapshot
    is_locked: bool = False
    commitment: str = ""
    secret: str = ""
    revealed_secret: str = ""
    round: Round | None = None
    round_seats: tuple[int, ...] = ()
    round_holders: tuple[str, ...] = ()
    deck_back: str = ""
    last_round_number: int = 0
    seeds: tuple[SeatSeed, ...] = ()
    last_commitment: str = ""
    withholding_seats: tuple[int, ...] = ()
    fair_version: str = ""
    is_settled: bool = True
    spare: tuple[int, ...] = field(default=(), repr=False)
    progressive_round: int = 0
    refusal: str = ""
    timeouts: tuple[Timeout, ...] = ()
    is_closed: bool = False

    @property
    def terms(self) -> TableTerms:
        """The table's terms."""
        return self.snapshot.terms

    @property
    def seats(self) -> Mapping[int, Seat]:
        """Who sits where."""
        return self.snapshot.seats

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if not self.is_settled:
            return Phase.SETTLE if self.round is not None and self.round.is_closed else Phase.DECISIONS
        return Phase.SEEDS if self.is_locked else Phase.WAGERS

    @property
    def turn(self) -> int | None:
        """The chair that has to decide."""
        if self.round is None or self.round.turn is None:
            return None
        return self.round_seats[self.round.turn[0]]

    @property
    def entrants(self) -> tuple[SeatSeed, ...]:
        """The seats that have wagered on the coming round, with the hashes and seeds that they have handed in."""
        return tuple(SeatSeed(seat, held.seed_hash, held.seed) for seat, held in self.seats.items() if held.stakes)

    def is_seated(self, holder: str) -> bool:
        """Return whether somebody has a chair here."""
        return any(held.holder == holder for held in self.seats.values())

    def is_in_round(self, seat: int) -> bool:
        """Return whether a chair has a hand in the round that is not settled yet."""
        return not self.is_settled and seat in self.round_seats

    def sum_staked_cents(self, seat: int) -> int:
        """Return the chips that a chair has on the felt, or has had there in this round."""
        held = self.seats.get(seat)
        if self.is_in_round(seat) and self.round is not None:
            return self.round.sum_staked_cents(self.round_seats.index(seat))
        return 0 if held is None or not self.is_settled else sum_stakes_cents(self.terms, held.stakes or ())

    def get_available_cents(self, seat: int) -> int:
        """Return the chips before a chair that it may still stake: without those on the felt, with those paid back.

        What a linked progressive has fixed is not paid before it is confirmed and the round is settled.
        """
        back = 0
        if self.is_in_round(seat) and self.round is not None:
            place = self.round_seats.index(seat)
            table = find_progressive_table(self.round.paytables) if self.terms.linked else None
            back = sum(
                leg.stake_cents + leg.net_cents
                for event in self.round.events
                if isinstance(event, WagerSettled) and event.seat == place and not (table and event.bet == table.bet)
                for leg in event.legs
            )
        return self.seats[seat].chips_cents - self.sum_staked_cents(seat) + back

    @property
    def time_limit_seconds(self) -> int:
        """How long whoever is waited for may take; 0: for ever.  Seeds are never waited for that long."""
        match self.phase:
            case Phase.WAGERS:
                return self.terms.wager_seconds
            case Phase.SEEDS:
                return self.terms.decide_seconds or DEFAULT_SEED_SECONDS
            case Phase.DECISIONS:
                return self.terms.decide_seconds
            case Phase.SETTLE:
                return 0

    def get_meter(self) -> Meter | None:
        """Return the table's own progressive; a linked table's stands in the ledger, and not here."""
        if self.terms.linked:
            return None
        if self.round is not None and not self.is_settled:
            return self.round.meter
        return to_meter(self.snapshot.meter)


def sum_stakes_cents(terms: TableTerms, stakes: Iterable[BetStake]) -> int:
    """Return the chips that wagers take: each of a wager's circles gets its stake."""
    game = load_table_game(terms)
    return sum(stake.cents * max(1, len(get_wager(game, stake.bet).circles)) for stake in stakes)


def to_meter(snapshot: MeterSnapshot | None) -> Meter | None:
    """Return a progressive as the round driver takes it."""
    return Meter(snapshot.units, snapshot.reserve_units) if snapshot else None


def to_meter_snapshot(meter: Meter | None) -> MeterSnapshot | None:
    """Return a progressive as events keep it."""
    return MeterSnapshot(units=meter.units, reserve_units=meter.reserve_units) if meter else None


@lru_cache(maxsize=256)
def _open_cached_round(terms: TableTerms, seats: int) -> Round:
    return open_round(
        load_table_game(terms),
        seats,
        options=terms.options,
        paytables=get_table_paytables(terms),
        preset=terms.preset,
        limits=terms.limits,
    )


def open_table_round(terms: TableTerms, meter: Meter | None, seats: int = 1) -> Round:
    """Open a round by a table's terms (raises as ``open_round``)."""
    opened = _open_cached_round(terms, seats)
    return replace(opened, opening_meter=meter, meter=meter) if meter else opened


def replay_events(events: Iterable[SessionEvent], session: TableSession | None = None) -> TableSession:
    """Apply events one after another; the first of a table opens it."""
    for event in events:
        session = apply_event(session, event)
    if session is None:
        message = "a sitting begins with its table"
        raise ValueError(message)
    return session


def apply_event(session: TableSession | None, event: SessionEvent) -> TableSession:
    """Return the sitting after one more event."""
    if isinstance(event, TableOpened):
        meter = None if event.terms.linked else to_meter_snapshot(create_meter(get_table_paytables(event.terms)))
        dealer = event.terms.linked.dealer if event.terms.linked else ""
        return TableSession(TableSnapshot(table=event.table, terms=event.terms, meter=meter, sequence=1, dealer=dealer))
    if session is None:
        message = "a sitting begins with its table"
        raise ValueError(message)
    after = _dispatch_event(session, event)
    return replace(after, snapshot=_copy_snapshot(after.snapshot, sequence=after.snapshot.sequence + 1))


def _dispatch_event(session: TableSession, event: SessionEvent) -> TableSession:
    match event:
        case SecretCommitted():
            return _apply_committed(session, event)
        case SeatTaken():
            seat = Seat(name=event.name, holder=event.holder, bot=event.bot, standing=event.standing)
            return _with_seat(session, event.seat, seat)
        case ChipsBought():
            after = _with_seat_changes(
                session, event.seat, chips_cents=session.seats[event.seat].chips_cents + event.cents
            )
            return _with_snapshot(after, bought_cents=session.snapshot.bought_cents + event.cents)
        case WagersPlaced():
            after = _with_seat_changes(session, event.seat, stakes=event.stakes, seed_hash=event.seed_hash, seed="")
            waits = not session.seats[event.seat].bot  # nobody is hurried by a bot
            return _with_snapshot(after, since=session.snapshot.since or (event.at if waits else 0))
        case WagersLocked():
            locked, late = _with_snapshot(session, since=event.at), collect_timeouts(session, event)
            return replace(locked, is_locked=True, progressive_round=event.progressive_round, refusal="", timeouts=late)
        case WagersReturned():
            given_up = {number: _clear_wagers(seat) for number, seat in session.seats.items()}
            refused = f"Your wagers were given back: {event.why}. "
            return replace(
                _with_snapshot(session, seats=given_up, since=0), is_locked=False, refusal=refused, timeouts=()
            )
        case DealerRelieved():
            return _with_snapshot(session, dealer=event.dealer)
        case SeedRevealed():
            return _with_seat_changes(session, event.seat, seed=event.seed)
        case RoundDealt():
            return _apply_dealt(session, event)
        case ActionTaken():
            return _apply_action(session, event)
        case RoundSettled():
            return _apply_settled(session, event)
        case RoundVoided():
            return _apply_voided(session, event)
        case SeatLeft():
            seats = {number: seat for number, seat in session.seats.items() if number != event.seat}
            return _with_snapshot(session, seats=seats, changed_cents=session.snapshot.changed_cents + event.cents)
        case TableClosed():
            return replace(session, is_closed=True)
        case _:
            message = f"a sitting has one beginning, not {event.kind}"
            raise ValueError(message)


def _apply_committed(session: TableSession, event: SecretCommitted) -> TableSession:
    if session.secret:
        fault = f"round {event.round}: a commitment was never opened"
        session = _with_snapshot(session, faults=(*session.snapshot.faults, fault))
    return replace(session, commitment=event.commitment, secret=event.secret, fair_version=event.version)


def _apply_dealt(session: TableSession, event: RoundDealt) -> TableSession:
    game = load_table_game(session.terms)
    spare = parse_cards(event.spare, game.deck)
    dealt = prepare_round(session, event.seats, to_meter(event.meter)).deal(
        parse_cards(event.deck, game.deck), make_fixed_shuffle(spare)
    )
    return replace(
        _with_snapshot(session, since=event.at),
        is_locked=False,
        round=dealt,
        round_seats=event.seats,
        round_holders=tuple(session.seats[seat].holder for seat in event.seats),
        deck_back=event.back,
        last_round_number=event.round,
        last_commitment=session.commitment,
        revealed_secret="",
        seeds=session.entrants,
        withholding_seats=(),
        is_settled=False,
        spare=spare,
        timeouts=collect_timeouts(session, event),
    )


def prepare_round(session: TableSession, seats: Sequence[int], meter: Meter | None = None) -> Round:
    """Return a round of these chairs with the wagers that they have placed, before its cards."""
    opened = open_table_round(session.terms, meter or to_meter(session.snapshot.meter), len(seats))
    for stake in list_stakes(session, seats):
        opened = opened.place_wager(stake)
    return opened


def list_stakes(session: TableSession, seats: Sequence[int]) -> list[Stake]:
    """Return the stakes of a round's seats as the driver numbers them; one on a hand that is not dealt is no stake."""
    return [
        Stake(place, stake.bet, stake.cents, None if stake.on is None else seats.index(stake.on))
        for place, seat in enumerate(seats)
        for stake in session.seats[seat].stakes or ()
        if stake.on is None or stake.on in seats
    ]


def _apply_action(session: TableSession, event: ActionTaken) -> TableSession:
    if session.round is None:
        message = "a decision has a round"
        raise ValueError(message)
    cards = parse_cards(event.cards, session.round.game.deck) if event.cards else ()
    going = session.round.decide(
        session.round_seats.index(event.seat), event.action, cards, make_fixed_shuffle(session.spare)
    )
    if event.awards:
        places = {chair: place for place, chair in enumerate(session.round_seats)}
        going = apply_fixed_awards(
            going, (FixedAward(places[each.seat], each.meter_cents, each.short_cents) for each in event.awards)
        )
    return replace(_with_snapshot(session, since=event.at), round=going, timeouts=collect_timeouts(session, event))


def _apply_settled(session: TableSession, event: RoundSettled) -> TableSession:
    seats = {number: _clear_wagers(seat) for number, seat in session.seats.items()}
    for net in event.nets:
        seat = seats[net.seat]
        seats[net.seat] = seat.model_copy(update={"chips_cents": seat.chips_cents + net.cents})
    after = _with_snapshot(
        session,
        seats=seats,
        number=event.round + 1,
        house_cents=session.snapshot.house_cents - sum(net.cents for net in event.nets),
        meter=event.meter,
        since=0,
    )
    return replace(after, is_settled=True, revealed_secret=event.revealed, commitment="", secret="")


def _apply_voided(session: TableSession, event: RoundVoided) -> TableSession:
    """Give all wagers back: no chip has moved since they were placed.  The felt is empty, as after a restart."""
    withheld = session.snapshot.withheld_holders, (session.seats[seat].holder for seat in event.seats)
    after = _with_snapshot(
        session,
        seats={number: _clear_wagers(seat) for number, seat in session.seats.items()},
        number=event.round + 1,
        since=0,
        withheld_seats=tuple(sorted({*session.snapshot.withheld_seats, *event.seats})),
        withheld_holders=tuple(sorted({*withheld[0], *withheld[1]})),
    )
    entered = session.entrants
    return replace(
        after,
        is_locked=False,
        round=None,
        round_seats=tuple(each.seat for each in entered),
        round_holders=tuple(session.seats[each.seat].holder for each in entered),
        deck_back="",
        last_round_number=event.round,
        last_commitment=session.commitment,
        seeds=entered,
        withholding_seats=event.seats,
        revealed_secret=event.revealed,
        commitment="",
        secret="",
        spare=(),
        timeouts=collect_timeouts(session, event),
    )


def _clear_wagers(seat: Seat) -> Seat:
    return seat.model_copy(update={"stakes": None, "seed_hash": "", "seed": ""})


def _copy_snapshot(snapshot: TableSnapshot, **changes: Any) -> TableSnapshot:
    return snapshot.model_copy(update=changes)


def _with_snapshot(session: TableSession, **changes: Any) -> TableSession:
    return replace(session, snapshot=_copy_snapshot(session.snapshot, **changes))


def _with_seat(session: TableSession, number: int, seat: Seat) -> TableSession:
    return _with_snapshot(session, seats=dict(sorted({**session.seats, number: seat}.items())))


def _with_seat_changes(session: TableSession, number: int, **changes: Any) -> TableSession:
    return _with_seat(session, number, session.seats[number].model_copy(update=changes))
