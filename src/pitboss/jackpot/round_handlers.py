"""A round's procedure, the same steps in both systems' words.

| step | keypad system | display system |
|---|---|---|
| ``open_round`` | COIN IN | START GAME |
| ``enter_hit`` | hand button | player spot, hand button |
| ``cancel_hit`` | hand button again | hand button again |
| ``confirm_award`` | key to JPH, J-POT | confirm, supervisor or executive card |
| ``pay_award`` | win page, house procedure | win page, house procedure |
| ``close_round`` | GAME OVER | END GAME |

Each takes the state, a command and who gives it, and returns the events that follow, or raises and says why not.
"""

from collections.abc import Iterable, Sequence

from pitboss.core.money import format_cents
from pitboss.jackpot.commands import CancelHit, CloseRound, ConfirmAward, EnterHit, OpenRound, PayAward
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WagerOutOfRangeError
from pitboss.jackpot.events import (
    AwardConfirmed,
    AwardPaid,
    EnvyPayment,
    HitEntered,
    OwedAward,
    ProgressiveEvent,
    Reversal,
    RoundEnded,
    RoundOpened,
)
from pitboss.jackpot.hand_check import verify_hand
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import AwardLine, Settings
from pitboss.jackpot.state import Hit as Entry
from pitboss.jackpot.state import ProgressiveRound, ProgressiveState
from pitboss.meter import UNITS_PER_CENT, Meter, compute_envy_dollars, compute_round_awards, divide_wager

STEP_LABELS = {
    "keypad": {"open": "COIN IN", "confirm": "JPH, J-POT", "close": "GAME OVER"},
    "display": {"open": "START GAME", "confirm": "CONFIRM, CARD", "close": "END GAME"},
}
"""What the steps are called on the dealer's device."""


def get_settings(state: ProgressiveState) -> Settings:
    """Return the settings of a progressive that has been set up."""
    if state.settings is None:
        raise RefusalError("no progressive has been set up here: begin with init")
    return state.settings


def open_round(state: ProgressiveState, command: OpenRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Lock and take the progressive wagers of a table's next round.

    Raises:
        RefusalError: an unknown table or seat, a seat twice, a wager off the unit, a round still open or stale, other
            settings than expected, or an incident that is not closed.
        UnreasonableError: a wager beyond the configured range (P13).
    """
    settings = get_settings(state)
    table = command.table
    if table > settings.tables:
        raise RefusalError(f"unknown table {table}: tables are 1 to {settings.tables}")
    for number, incident in state.incidents.items():
        if incident.table in {0, table}:
            raise RefusalError(
                f"table {table} is closed by incident {number} ({incident.text}): two people must close it"
            )
    last = state.rounds.get(table)
    if last and last.running:
        close = STEP_LABELS[settings.words]["close"]
        raise RefusalError(f"round {last.number} of table {table} is still open: end it with {close} first")
    due = get_next_round(state, table)
    if command.round != due:
        raise RefusalError(f"round {command.round} of table {table} is stale or early: the next one is {due}")
    if command.version not in {0, state.version}:
        raise RefusalError(
            f"the settings are version {state.version}, {command.link} was opened by version {command.version}: "
            "staff must open it again"
        )
    _verify_wagers(settings, command)
    parts = [divide_wager(wager.cents, settings.meter_bps, settings.reserve_bps) for wager in command.wagers]
    return (
        RoundOpened(
            by=actor.name,
            table=table,
            round=command.round,
            version=state.version,
            link=command.link,
            wagers=tuple(sorted(command.wagers, key=lambda wager: wager.seat)),
            meter_units=sum(part.meter_units for part in parts),
            reserve_units=sum(part.reserve_units for part in parts),
            house_units=sum(part.house_units for part in parts),
        ),
    )


def get_next_round(state: ProgressiveState, table: int) -> int:
    """Return the number of a table's next round."""
    last = state.rounds.get(table)
    return last.number + 1 if last else 1


def _verify_wagers(settings: Settings, command: OpenRound) -> None:
    seats = [wager.seat for wager in command.wagers]
    for wager in command.wagers:
        if wager.seat > settings.seats:
            raise RefusalError(f"unknown seat {wager.seat}: seats are 1 to {settings.seats}")
        if seats.count(wager.seat) > 1:
            raise RefusalError(f"seat {wager.seat} wagers twice: one wager a seat")
        if wager.cents > settings.most_wager_cents:
            most = format_cents(settings.most_wager_cents)
            raise WagerOutOfRangeError(
                f"seat {wager.seat} wagers {format_cents(wager.cents)}: at most {most}", command.table
            )
        if wager.cents % settings.wager_cents:
            unit = format_cents(settings.wager_cents)
            raise RefusalError(f"seat {wager.seat} wagers {format_cents(wager.cents)}: the unit is {unit}")


def _get_open_round(state: ProgressiveState, command: EnterHit | CloseRound) -> ProgressiveRound:
    """Return the round in play, which only the table that opened it in the browser plays, where one did."""
    table, number = command.table, command.round
    now = state.rounds.get(table)
    if now is None or now.number != number or not now.running:
        which = f"round {now.number} is {'open' if now.running else 'over'}" if now else "none has been opened"
        raise RefusalError(f"round {number} of table {table} is not open: {which}")
    if command.link != now.link:
        raise RefusalError(f"round {number} of table {table} is played at {now.link or 'the console'}: end it there")
    return now


def enter_hit(state: ProgressiveState, command: EnterHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Select a seat's winning hand; the same hand again turns it off.

    Where ``envy_hitter_must_wager`` is off, also that of a seat without the wager: it wins nothing, the others envy it
    (SC-4).

    Raises:
        RefusalError: the round is not open or not played here, the seat did not bet, the hand pays nothing, the seat
            has a hit already, or the cards make another hand.
    """
    settings = get_settings(state)
    now = _get_open_round(state, command)
    if command.seat > settings.seats:
        raise RefusalError(f"unknown seat {command.seat}: seats are 1 to {settings.seats}")
    line = settings.find_line(command.hand)
    envied = line is not None and line.envy_dollars > 0 and settings.envy_hitter_must_wager == "off"
    if not now.get_wager_cents(command.seat) and not envied:
        raise RefusalError(f"seat {command.seat} has no progressive wager in round {now.number}: it wins nothing")
    if line is None:
        paying = ", ".join(line.hand for line in settings.lines)
        raise RefusalError(f"{command.hand!r} pays nothing: {paying} do")
    for hit in state.hits.values():
        if (hit.table, hit.round, hit.owed.seat) != (now.table, now.number, command.seat):
            continue
        if hit.step == "pending" and hit.owed.hand == command.hand:
            return _release_hit(state, now, hit, actor)
        if hit.step in {"pending", "confirmed", "paid"}:
            more = ": cancel it first" if hit.step == "pending" else ""
            raise RefusalError(f"seat {command.seat} has {hit.owed.hand} {hit.step} as award {hit.owed.award}{more}")
    cards = " ".join(command.cards.split())
    verify_hand(settings, command.hand, cards)
    fresh = OwedAward(
        award=state.last_award + 1,
        seat=command.seat,
        hand=command.hand,
        cards=cards,
        by=actor.name,
        meter_cents=0,
        tray_cents=0,
        short_cents=0,
        seed_cents=0,
        released_units=0,
    )
    return _fix_awards(state, now, (fresh,), (), actor)


def cancel_hit(state: ProgressiveState, command: CancelHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Turn a selected hand off.

    Raises:
        RefusalError: there is no such award, or it is confirmed, or cancelled already, or a table in the browser has
            entered it, which makes no mistakes of that kind.
    """
    hit = get_hit(state, command.award)
    if hit.step != "pending":
        only = ": only a back-out by two people undoes it" if hit.step == "confirmed" else ""
        raise RefusalError(f"award {command.award} is {hit.step}{only}")
    now = state.rounds[hit.table]
    if now.link:
        raise RefusalError(f"award {command.award} is of a hand that lies at {now.link}: confirm it, it stands")
    return _release_hit(state, now, hit, actor)


def _release_hit(
    state: ProgressiveState, current_round: ProgressiveRound, hit: Entry, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    return _fix_awards(state, current_round, (), (hit.owed,), actor)


def _fix_awards(
    state: ProgressiveState,
    current_round: ProgressiveRound,
    fresh: tuple[OwedAward, ...],
    dropped: tuple[OwedAward, ...],
    actor: Actor,
) -> tuple[ProgressiveEvent, ...]:
    """Fix what a round's hits are owed: all of them anew until one is confirmed, from then on only ``fresh`` (SC-6)."""
    settings = get_settings(state)
    others = (
        ()
        if current_round.fixed
        else tuple(hit.owed for hit in state.list_pending_hits(current_round.table, current_round.number))
    )
    replaced = dropped if current_round.fixed else others
    kept = tuple(owed for owed in others if owed not in dropped)
    back = compute_reversal(state.meter, replaced)
    meter = Meter(
        state.meter_units + (back.meter_cents - back.seed_cents) * UNITS_PER_CENT - back.released_units,
        state.reserve_units + back.released_units,
    )
    return (
        HitEntered(
            by=actor.name,
            table=current_round.table,
            round=current_round.number,
            replaced=tuple(owed.award for owed in replaced),
            back=back,
            owed=compute_awards(settings, current_round, meter, (*kept, *fresh)),
        ),
    )


def compute_reversal(meter: Meter, awards: Iterable[OwedAward]) -> Reversal:
    """Return what awards give back: all that was held, and of reserve and seed what the meter still has of them."""
    awards = tuple(awards)
    meter_cents = sum(owed.meter_cents for owed in awards)
    left_units = meter.units + meter_cents * UNITS_PER_CENT
    released_units = min(left_units, sum(owed.released_units for owed in awards))
    left_units -= released_units
    seed_cents = min(left_units // UNITS_PER_CENT, sum(owed.seed_cents for owed in awards))
    return Reversal(meter_cents=meter_cents, seed_cents=seed_cents, released_units=released_units)


def compute_awards(
    settings: Settings, current_round: ProgressiveRound, meter: Meter, hits: Sequence[OwedAward]
) -> tuple[OwedAward, ...]:
    """Fix awards, the highest seat's first; a seat without the wager is owed nothing."""
    percents, fixed_cents = [0] * settings.seats, [0] * settings.seats
    for hit in hits:
        line, wager_cents = _get_line(settings, hit.hand), current_round.get_wager_cents(hit.seat)
        percents[hit.seat - 1] = line.percent if wager_cents else 0
        fixed_cents[hit.seat - 1] = settings.compute_fixed_cents(line, wager_cents)
    _, awards = compute_round_awards(meter, percents, fixed_cents, settings.meter_terms)
    owed = []
    for hit in sorted(hits, key=lambda hit: -hit.seat):
        award = awards[hit.seat - 1]
        amounts = {
            "meter_cents": award.meter_cents,
            "tray_cents": award.tray_cents,
            "short_cents": award.short_cents,
            "seed_cents": award.seed_cents,
            "released_units": award.released_units,
        }
        owed.append(hit.model_copy(update=amounts))
    return tuple(owed)


def _get_line(settings: Settings, hand: str) -> AwardLine:
    """Return what a hand wins that was entered: settings do not change while its round is open."""
    return next(line for line in settings.lines if line.hand == hand)


def get_hit(state: ProgressiveState, award: int) -> Entry:
    """Return a hit by the number of its award.

    Raises:
        RefusalError: there is none.
    """
    if award not in state.hits:
        known = f"the last is {state.last_award}" if state.last_award else "there is none yet"
        raise RefusalError(f"award {award} is not known: {known}")
    return state.hits[award]


def confirm_award(state: ProgressiveState, command: ConfirmAward, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Log a win that was verified: it is owed from now on.

    Raises:
        RefusalError: it is not pending.
        ForbiddenError: the same person entered it, or it takes an executive.
    """
    hit = get_hit(state, command.award)
    if hit.step != "pending":
        by = f" by {hit.confirmed_by}" if hit.confirmed_by else ""
        raise RefusalError(f"award {command.award} is {hit.step}{by}: nothing is left to confirm")
    if actor.name == hit.owed.by:
        raise ForbiddenError(f"{actor.name} entered award {command.award}: somebody else must confirm it")
    limit_cents = get_settings(state).executive_cents
    if hit.cents >= limit_cents and actor.role is not Role.EXECUTIVE:
        limit = format_cents(limit_cents)
        raise ForbiddenError(f"award {command.award} is {format_cents(hit.cents)}: from {limit} an executive confirms")
    return (
        AwardConfirmed(
            by=actor.name,
            entered_by=hit.owed.by,
            award=command.award,
            meter_cents=hit.owed.meter_cents,
            tray_cents=hit.owed.tray_cents,
        ),
    )


def pay_award(state: ProgressiveState, command: PayAward, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Pay a confirmed award, once.

    Raises:
        RefusalError: it is not confirmed, or paid already.
    """
    hit = get_hit(state, command.award)
    if hit.step != "confirmed":
        raise RefusalError(f"award {command.award} is {hit.step}: only a confirmed award is paid, and once")
    return (AwardPaid(by=actor.name, award=command.award, cents=hit.cents),)


def close_round(state: ProgressiveState, command: CloseRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Pay envy and set the table ready for its next round.

    Raises:
        RefusalError: the round is not open or not played here, or a hit of it is not confirmed.
    """
    now = _get_open_round(state, command)
    for hit in state.list_pending_hits(now.table, now.number):
        raise RefusalError(f"award {hit.owed.award} of seat {hit.owed.seat} is pending: confirm or cancel it first")
    return (RoundEnded(by=actor.name, table=now.table, round=now.number, envy=tuple(_compute_envy(state, now))),)


def _compute_envy(state: ProgressiveState, current_round: ProgressiveRound) -> Iterable[EnvyPayment]:
    """Yield what each other seat with the wager is paid for each hit of the round (SC-4), highest seats first."""
    settings = get_settings(state)
    must_wager = int(settings.envy_hitter_must_wager == "on")
    wagered = sum(1 << (wager.seat - 1) for wager in current_round.wagers)
    won = [
        hit.owed
        for hit in state.hits.values()
        if (hit.table, hit.round) == (current_round.table, current_round.number) and hit.step in {"confirmed", "paid"}
    ]
    for owed in sorted(won, key=lambda owed: -owed.seat):
        dollars = _get_line(settings, owed.hand).envy_dollars
        for seat in range(settings.seats, 0, -1):
            due = compute_envy_dollars(dollars, wagered, owed.seat - 1, seat - 1, must_wager)
            if due:
                yield EnvyPayment(seat=seat, hitter=owed.seat, hand=owed.hand, cents=due * 100)
