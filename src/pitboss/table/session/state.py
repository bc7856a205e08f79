"""The state of a table session, built from its events.

``apply_event`` adds an event.  Nothing here decides or refuses, and the round driver plays the round.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pitboss.cards import parse_cards
from pitboss.meter import Meter
from pitboss.paytables import find_progressive_table
from pitboss.table.fair_shuffle import SeatSeed, make_fixed_shuffle
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.events import WagerSettled
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
from pitboss.table.session.shown_awards import fix_shown_awards
from pitboss.table.session.snapshot import Seat, TableSnapshot
from pitboss.table.session.terms import BetStake, TableTerms, get_table_paytables, load_table_game
from pitboss.table.session.timeouts import Timeout, collect_timeouts

DEFAULT_SEED_SECONDS = 30
"""How long seats may take to show their seeds if decisions have no time limit."""


class Phase(StrEnum):
    """The phase of a table: what it waits for."""

    WAGERS = "wagers"
    SEEDS = "seeds"
    DECISIONS = "decisions"
    SETTLE = "settle"


@dataclass(frozen=True)
class TableSession:
    """The present state of a table session.

    ``round`` is the round in play, or the last one until the next deal; ``round_seats`` are its seats by seat index,
    and ``round_holders`` their players.  At a linked table ``progressive_round`` is the round as the progressive
    counts, and ``refusal`` tells the guests why the progressive did not take the wagers.  ``timeouts`` are those of
    this round.  ``seeds`` are all seats of round ``last_round_number``; ``withholding_seats`` are those of them that
    never showed the seed they were bound to, so nothing was dealt.  ``fair_version`` names the house's method.
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
        """The taken seats by number."""
        return self.snapshot.seats

    @property
    def phase(self) -> Phase:
        """The phase: what the table waits for."""
        if not self.is_settled:
            return Phase.SETTLE if self.round is not None and self.round.is_closed else Phase.DECISIONS
        return Phase.SEEDS if self.is_locked else Phase.WAGERS

    @property
    def turn(self) -> int | None:
        """The seat that has to decide, or None."""
        if self.round is None or self.round.turn is None:
            return None
        return self.round_seats[self.round.turn[0]]

    @property
    def entrants(self) -> tuple[SeatSeed, ...]:
        """The seats that wagered on the coming round, with their hashes and seeds."""
        return tuple(SeatSeed(seat, held.seed_hash, held.seed) for seat, held in self.seats.items() if held.stakes)

    def is_seated(self, holder: str) -> bool:
        """Return whether a holder has a seat here."""
        return any(held.holder == holder for held in self.seats.values())

    def is_in_round(self, seat: int) -> bool:
        """Return whether a seat has a hand in a round that is not settled yet."""
        return not self.is_settled and seat in self.round_seats

    def sum_staked_cents(self, seat: int) -> int:
        """Sum the chips that a seat has put on the felt in this round, in cents."""
        held = self.seats.get(seat)
        if self.is_in_round(seat) and self.round is not None:
            return self.round.sum_staked_cents(self.round_seats.index(seat))
        return 0 if held is None or not self.is_settled else sum_stakes_cents(self.terms, held.stakes or ())

    def get_available_cents(self, seat: int) -> int:
        """Return the chips a seat may stake: not those on the felt, but those paid back.

        A linked progressive's award is not paid before it is confirmed and the round is settled.
        """
        paid_cents = 0
        if self.is_in_round(seat) and self.round is not None:
            index = self.round_seats.index(seat)
            table = find_progressive_table(self.round.paytables) if self.terms.linked else None
            paid_cents = sum(
                leg.stake_cents + leg.net_cents
                for event in self.round.events
                if isinstance(event, WagerSettled) and event.seat == index and not (table and event.bet == table.bet)
                for leg in event.legs
            )
        return self.seats[seat].chips_cents - self.sum_staked_cents(seat) + paid_cents

    @property
    def time_limit_seconds(self) -> int:
        """The time limit of the present phase; 0 means none.  Seeds always have a limit."""
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
        """Return the table's own meter; a linked table's is in the progressive's ledger."""
        if self.terms.linked:
            return None
        if self.round is not None and not self.is_settled:
            return self.round.meter
        return to_meter(self.snapshot.meter)


def sum_stakes_cents(terms: TableTerms, stakes: Iterable[BetStake]) -> int:
    """Sum the cents that wagers take: each circle of a wager gets its stake."""
    game = load_table_game(terms)
    return sum(stake.cents * max(1, len(get_wager(game, stake.bet).circles)) for stake in stakes)


def to_meter(snapshot: MeterSnapshot | None) -> Meter | None:
    """Convert a snapshot into the round driver's meter."""
    return Meter(snapshot.units, snapshot.reserve_units) if snapshot else None


def to_meter_snapshot(meter: Meter | None) -> MeterSnapshot | None:
    """Convert a meter into the snapshot that events store."""
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
    blank = _open_cached_round(terms, seats)
    return replace(blank, opening_meter=meter, meter=meter) if meter else blank


def replay_events(events: Iterable[SessionEvent], session: TableSession | None = None) -> TableSession:
    """Apply events one after another; the first of a table opens it."""
    for event in events:
        session = apply_event(session, event)
    if session is None:
        raise ValueError("a session begins with the opening of its table")
    return session


def apply_event(session: TableSession | None, event: SessionEvent) -> TableSession:
    """Return the session after one more event."""
    if isinstance(event, TableOpened):
        meter = None if event.terms.linked else to_meter_snapshot(create_meter(get_table_paytables(event.terms)))
        dealer = event.terms.linked.dealer if event.terms.linked else ""
        return TableSession(TableSnapshot(table=event.table, terms=event.terms, meter=meter, sequence=1, dealer=dealer))
    if session is None:
        raise ValueError("a session begins with the opening of its table")
    match event:
        case SecretCommitted():
            return _apply_committed(session, event)
        case SeatTaken():
            seat = Seat(name=event.name, holder=event.holder, bot=event.bot, standing=event.standing)
            return _advance(session, {"seats": _put_seat(session, event.seat, seat)})
        case ChipsBought():
            seats = _change_seat(session, event.seat, chips_cents=session.seats[event.seat].chips_cents + event.cents)
            return _advance(session, {"seats": seats, "bought_cents": session.snapshot.bought_cents + event.cents})
        case WagersPlaced():
            last = event.stakes or session.seats[event.seat].last_stakes
            chosen = {"stakes": event.stakes, "last_stakes": last, "seed_hash": event.seed_hash, "seed": ""}
            seats = _change_seat(session, event.seat, **chosen)
            starts_clock = not session.seats[event.seat].bot  # a bot's wagers hurry nobody
            since = session.snapshot.since or (event.at if starts_clock else 0)
            return _advance(session, {"seats": seats, "since": since})
        case WagersLocked():
            late, number = tuple(collect_timeouts(session, event)), event.progressive_round
            return _advance(
                session, {"since": event.at}, is_locked=True, progressive_round=number, refusal="", timeouts=late
            )
        case WagersReturned():
            refusal = f"Your wagers were returned: {event.why}. "
            cleared = {"seats": _clear_wagers(session), "since": 0}
            return _advance(session, cleared, is_locked=False, refusal=refusal, timeouts=())
        case DealerRelieved():
            return _advance(session, {"dealer": event.dealer})
        case SeedRevealed():
            return _advance(session, {"seats": _change_seat(session, event.seat, seed=event.seed)})
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
            return _advance(session, {"seats": seats, "changed_cents": session.snapshot.changed_cents + event.cents})
        case TableClosed():
            return _advance(session, {}, is_closed=True)
        case _:
            raise ValueError(f"a session is opened once, and cannot apply {event.kind}")


def _apply_committed(session: TableSession, event: SecretCommitted) -> TableSession:
    faults = session.snapshot.faults
    if session.secret:
        faults = (*faults, f"round {event.round}: a commitment was never opened")
    return _advance(
        session, {"faults": faults}, commitment=event.commitment, secret=event.secret, fair_version=event.version
    )


def _apply_dealt(session: TableSession, event: RoundDealt) -> TableSession:
    game = load_table_game(session.terms)
    spare = parse_cards(event.spare, game.deck)
    dealt = prepare_round(session, event.seats, to_meter(event.meter)).deal(
        parse_cards(event.deck, game.deck), make_fixed_shuffle(spare)
    )
    return _advance(
        session,
        {"since": event.at},
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
        timeouts=tuple(collect_timeouts(session, event)),
    )


def prepare_round(session: TableSession, seats: Sequence[int], meter: Meter | None = None) -> Round:
    """Return a round of these seats with their wagers placed, before the deal."""
    prepared = open_table_round(session.terms, meter or to_meter(session.snapshot.meter), len(seats))
    for stake in list_stakes(session, seats):
        prepared = prepared.place_wager(stake)
    return prepared


def list_stakes(session: TableSession, seats: Sequence[int]) -> list[Stake]:
    """List a round's stakes by seat index, except those on hands not dealt."""
    return [
        Stake(index, stake.bet, stake.cents, None if stake.on is None else seats.index(stake.on))
        for index, seat in enumerate(seats)
        for stake in session.seats[seat].stakes or ()
        if stake.on is None or stake.on in seats
    ]


def _apply_action(session: TableSession, event: ActionTaken) -> TableSession:
    if session.round is None:
        raise ValueError("a decision needs a round in play")
    cards = parse_cards(event.cards, session.round.game.deck) if event.cards else ()
    place = session.round_seats.index(event.seat)
    after = session.round.decide(place, event.action, cards, make_fixed_shuffle(session.spare))
    after = fix_shown_awards(after, session.round_seats, event.awards)
    return _advance(session, {"since": event.at}, round=after, timeouts=tuple(collect_timeouts(session, event)))


def _apply_settled(session: TableSession, event: RoundSettled) -> TableSession:
    seats = _clear_wagers(session)
    for net in event.nets:
        seat = seats[net.seat]
        seats[net.seat] = seat.model_copy(update={"chips_cents": seat.chips_cents + net.cents})
    changes = {
        "seats": seats,
        "number": event.round + 1,
        "house_cents": session.snapshot.house_cents - sum(net.cents for net in event.nets),
        "meter": event.meter,
        "since": 0,
    }
    settled = session.round and fix_shown_awards(session.round, session.round_seats, event.awards)
    return _advance(
        session, changes, round=settled, is_settled=True, revealed_secret=event.revealed, commitment="", secret=""
    )


def _apply_voided(session: TableSession, event: RoundVoided) -> TableSession:
    """Return all wagers, as no chip has moved since; the felt is empty."""
    holders = (session.seats[seat].holder for seat in event.seats)
    changes = {
        "seats": _clear_wagers(session),
        "number": event.round + 1,
        "since": 0,
        "withheld_seats": tuple(sorted({*session.snapshot.withheld_seats, *event.seats})),
        "withheld_holders": tuple(sorted({*session.snapshot.withheld_holders, *holders})),
    }
    entrants = session.entrants
    return _advance(
        session,
        changes,
        is_locked=False,
        round=None,
        round_seats=tuple(each.seat for each in entrants),
        round_holders=tuple(session.seats[each.seat].holder for each in entrants),
        deck_back="",
        last_round_number=event.round,
        last_commitment=session.commitment,
        seeds=entrants,
        withholding_seats=event.seats,
        revealed_secret=event.revealed,
        commitment="",
        secret="",
        spare=(),
        timeouts=tuple(collect_timeouts(session, event)),
    )


def _clear_wagers(session: TableSession) -> dict[int, Seat]:
    cleared = {"stakes": None, "seed_hash": "", "seed": ""}
    return {number: seat.model_copy(update=cleared) for number, seat in session.seats.items()}


def _put_seat(session: TableSession, number: int, seat: Seat) -> dict[int, Seat]:
    return dict(sorted({**session.seats, number: seat}.items()))


def _change_seat(session: TableSession, number: int, **changes: Any) -> dict[int, Seat]:
    return _put_seat(session, number, session.seats[number].model_copy(update=changes))


def _advance(session: TableSession, snapshot: Mapping[str, Any], **changes: Any) -> TableSession:
    """Return the session after an event: with changes of its snapshot and of itself."""
    sequence = session.snapshot.sequence + 1
    return replace(session, snapshot=session.snapshot.model_copy(update={**snapshot, "sequence": sequence}), **changes)
