"""The handlers of a round's commands: one procedure, named by the words of both progressive systems.

| step | keypad system | display system |
|---|---|---|
| ``open_round`` | COIN IN | START GAME |
| ``enter_hit`` | hand button | player spot, hand button |
| ``cancel_hit`` | hand button again | hand button again |
| ``confirm_award`` | key to JPH, J-POT | confirm, supervisor or executive card |
| ``pay_award`` | win page, house procedure | win page, house procedure |
| ``close_round`` | GAME OVER | END GAME |

Each handler takes the state, a command and the actor, and returns the events that follow, or raises an error.
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
"""The names of the steps on the dealer's device."""


def get_settings(state: ProgressiveState) -> Settings:
    """Return the progressive's settings (raises RefusalError if it has not been created)."""
    if state.settings is None:
        raise RefusalError("there is no progressive here: create one with init")
    return state.settings


def open_round(state: ProgressiveState, command: OpenRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Lock and take the progressive wagers of a table's next round.

    Raises:
        RefusalError: a table or seat is unknown, a seat wagers twice, a wager is not a multiple of the unit, a round
            is still open or not the next one, the settings have changed, or an incident is open.
        WagerOutOfRangeError: a wager is above the configured range (P13).
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
    next_number = get_next_round(state, table)
    if command.round != next_number:
        raise RefusalError(f"round {command.round} of table {table} is stale or early: the next one is {next_number}")
    if command.version not in {0, state.version}:
        raise RefusalError(
            f"the settings are version {state.version}, but {command.link} was opened with version {command.version}: "
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
            raise RefusalError(f"seat {wager.seat} wagers twice: give one wager for each seat")
        if wager.cents > settings.most_wager_cents:
            maximum = format_cents(settings.most_wager_cents)
            raise WagerOutOfRangeError(
                f"seat {wager.seat} wagers {format_cents(wager.cents)}: at most {maximum}", command.table
            )
        if wager.cents % settings.wager_cents:
            unit = format_cents(settings.wager_cents)
            raise RefusalError(f"seat {wager.seat} wagers {format_cents(wager.cents)}: the unit is {unit}")


def _get_open_round(state: ProgressiveState, command: EnterHit | CloseRound) -> ProgressiveRound:
    """Return the open round; if a browser table opened it, only that table may play it."""
    table, number = command.table, command.round
    current = state.rounds.get(table)
    if current is None or current.number != number or not current.running:
        status = (
            f"round {current.number} is {'open' if current.running else 'over'}" if current else "none has been opened"
        )
        raise RefusalError(f"round {number} of table {table} is not open: {status}")
    if command.link != current.link:
        place = current.link or "the console"
        raise RefusalError(f"round {number} of table {table} is played at {place}: end it there")
    return current


def enter_hit(state: ProgressiveState, command: EnterHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Select a seat's winning hand; selecting it again cancels it.

    With ``envy_hitter_must_wager`` off, a seat without the wager may be selected too: it wins nothing, but the other
    seats get envy (SC-4).

    Raises:
        RefusalError: the round is not open or not played here, the seat did not bet, the hand pays nothing, the seat
            already has a hit, or the cards make another hand.
    """
    settings = get_settings(state)
    current_round = _get_open_round(state, command)
    if command.seat > settings.seats:
        raise RefusalError(f"unknown seat {command.seat}: seats are 1 to {settings.seats}")
    line = settings.find_line(command.hand)
    is_envied = line is not None and line.envy_dollars > 0 and settings.envy_hitter_must_wager == "off"
    number = current_round.number
    if not current_round.get_wager_cents(command.seat) and not is_envied:
        raise RefusalError(f"seat {command.seat} has no progressive wager in round {number}: it wins nothing")
    if line is None:
        hands = ", ".join(line.hand for line in settings.lines)
        raise RefusalError(f"{command.hand!r} pays nothing: the paying hands are {hands}")
    for hit in state.hits.values():
        if (hit.table, hit.round, hit.owed.seat) != (current_round.table, number, command.seat):
            continue
        if hit.step == "pending" and hit.owed.hand == command.hand:
            return _release_hit(state, current_round, hit, actor)
        if hit.step in {"pending", "confirmed", "paid"}:
            more = ": cancel it first" if hit.step == "pending" else ""
            raise RefusalError(f"seat {command.seat} has {hit.owed.hand} {hit.step} as award {hit.owed.award}{more}")
    cards = " ".join(command.cards.split())
    verify_hand(settings, command.hand, cards)
    award = OwedAward(
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
    return _fix_awards(state, current_round, (award,), (), actor)


def cancel_hit(state: ProgressiveState, command: CancelHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Cancel a selected hand.

    Raises:
        RefusalError: there is no such award, it is not pending, or a browser table entered it, which never enters a
            wrong hand.
    """
    hit = get_hit(state, command.award)
    if hit.step != "pending":
        fix = ": only a back-out by two people undoes it" if hit.step == "confirmed" else ""
        raise RefusalError(f"award {command.award} is {hit.step}{fix}")
    current_round = state.rounds[hit.table]
    if current_round.link:
        raise RefusalError(
            f"award {command.award} was entered by {current_round.link} and cannot be cancelled: confirm it"
        )
    return _release_hit(state, current_round, hit, actor)


def _release_hit(
    state: ProgressiveState, current_round: ProgressiveRound, hit: Entry, actor: Actor
) -> tuple[ProgressiveEvent, ...]:
    return _fix_awards(state, current_round, (), (hit.owed,), actor)


def _fix_awards(
    state: ProgressiveState,
    current_round: ProgressiveRound,
    added: tuple[OwedAward, ...],
    dropped: tuple[OwedAward, ...],
    actor: Actor,
) -> tuple[ProgressiveEvent, ...]:
    """Fix a round's awards: all of them again until one is confirmed, then only those ``added`` (SC-6)."""
    settings = get_settings(state)
    others = (
        ()
        if current_round.fixed
        else tuple(hit.owed for hit in state.list_pending_hits(current_round.table, current_round.number))
    )
    replaced = dropped if current_round.fixed else others
    remaining = tuple(owed for owed in others if owed not in dropped)
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
            owed=compute_awards(settings, current_round, meter, (*remaining, *added)),
        ),
    )


def compute_reversal(meter: Meter, awards: Iterable[OwedAward]) -> Reversal:
    """Return what awards give back: all that was held, and the part of reserve and seed still in the meter."""
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
    """Compute awards, the highest seat's first; a seat without the wager is owed nothing."""
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
    """Return the award line of an entered hand: settings do not change while its round is open."""
    return next(line for line in settings.lines if line.hand == hand)


def get_hit(state: ProgressiveState, award: int) -> Entry:
    """Return a hit by the number of its award.

    Raises:
        RefusalError: there is none.
    """
    if award not in state.hits:
        fix = f"the last one is {state.last_award}" if state.last_award else "there is none yet"
        raise RefusalError(f"unknown award {award}: {fix}")
    return state.hits[award]


def confirm_award(state: ProgressiveState, command: ConfirmAward, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Log a verified win, which is owed from now on.

    Raises:
        RefusalError: the award is not pending.
        ForbiddenError: the same person entered it, or it needs an executive.
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
        raise ForbiddenError(f"award {command.award} is {format_cents(hit.cents)}: {limit} or more needs an executive")
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
        RefusalError: the award is not confirmed, or already paid.
    """
    hit = get_hit(state, command.award)
    if hit.step != "confirmed":
        raise RefusalError(f"award {command.award} is {hit.step}: only a confirmed award can be paid, and only once")
    return (AwardPaid(by=actor.name, award=command.award, cents=hit.cents),)


def close_round(state: ProgressiveState, command: CloseRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Pay envy and end the round, so that the table can open its next.

    Raises:
        RefusalError: the round is not open or not played here, or one of its hits is pending.
    """
    current = _get_open_round(state, command)
    for hit in state.list_pending_hits(current.table, current.number):
        raise RefusalError(f"award {hit.owed.award} of seat {hit.owed.seat} is pending: confirm or cancel it first")
    envy = tuple(_compute_envy(state, current))
    return (RoundEnded(by=actor.name, table=current.table, round=current.number, envy=envy),)


def _compute_envy(state: ProgressiveState, current_round: ProgressiveRound) -> Iterable[EnvyPayment]:
    """Yield the envy of each other seat with the wager for each hit of the round (SC-4), highest seats first."""
    settings = get_settings(state)
    must_wager = int(settings.envy_hitter_must_wager == "on")
    wagered = sum(1 << (wager.seat - 1) for wager in current_round.wagers)
    wins = [
        hit.owed
        for hit in state.hits.values()
        if (hit.table, hit.round) == (current_round.table, current_round.number) and hit.step in {"confirmed", "paid"}
    ]
    for owed in sorted(wins, key=lambda owed: -owed.seat):
        dollars = _get_line(settings, owed.hand).envy_dollars
        for seat in range(settings.seats, 0, -1):
            envy = compute_envy_dollars(dollars, wagered, owed.seat - 1, seat - 1, must_wager)
            if envy:
                yield EnvyPayment(seat=seat, hitter=owed.seat, hand=owed.hand, cents=envy * 100)
