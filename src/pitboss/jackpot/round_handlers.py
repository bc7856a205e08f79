"""The handlers of a round's commands.

They are one procedure, for which the two progressive systems have their own words.

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
from typing import NoReturn

from pitboss.core.money import format_cents
from pitboss.jackpot.award_amounts import add_hit, get_line, remove_hit
from pitboss.jackpot.commands import CancelHit, CloseRound, ConfirmAward, EnterHit, OpenRound, PayAward
from pitboss.jackpot.errors import ForbiddenError, RefusalError, WagerOutOfRangeError
from pitboss.jackpot.events import (
    AwardConfirmed,
    AwardPaid,
    EnvyPayment,
    OwedAward,
    ProgressiveEvent,
    ProgressiveWager,
    RoundEnded,
    RoundOpened,
    WinPageReprinted,
)
from pitboss.jackpot.hand_check import are_same_cards, verify_cards_apart, verify_hand
from pitboss.jackpot.lookups import get_hit, get_round_settings, get_settings, verify_no_back_out
from pitboss.jackpot.lost_numbers import is_lost_round, verify_lost_award
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.jackpot.state_parts import Hit, ProgressiveRound
from pitboss.meter import compute_envy_dollars, divide_wager

STEP_LABELS = {
    "keypad": {"open": "COIN IN", "confirm": "JPH, J-POT", "close": "GAME OVER"},
    "display": {"open": "START GAME", "confirm": "CONFIRM, CARD", "close": "END GAME"},
}
"""The names of the steps on the dealer's device."""


def open_round(state: ProgressiveState, command: OpenRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Lock and take the progressive wagers of a table's next round.

    Raises:
        RefusalError: a table or seat is unknown, a seat wagers twice or another amount than the wager (SC-10), a
            round is still open or not the next one, the settings have changed, or an incident is open.
        WagerOutOfRangeError: a wager is above the configured one (P13).
    """
    settings = get_settings(state)
    table = command.table
    if table > settings.tables:
        raise RefusalError(
            f"unknown table {table}: tables are 1 to {settings.tables}",
            code="unknown-table",
            table=table,
            tables=settings.tables,
        )
    for number, incident in state.incidents.items():
        if incident.table in {0, table}:
            raise RefusalError(
                f"table {table} is closed by incident {number} ({incident.text}): two people must close it",
                code="table-closed",
                table=table,
                incident=number,
                text=incident.text,
            )
    last = state.rounds.get(table)
    if last and last.running:
        close = STEP_LABELS[settings.words]["close"]
        raise RefusalError(
            f"round {last.number} of table {table} is still open: end it with {close} first",
            code="round-open",
            round=last.number,
            table=table,
        )
    next_number = get_next_round(state, table)
    if command.round not in {0, next_number} and not is_lost_round(state, command):
        raise RefusalError(
            f"round {command.round} of table {table} cannot be opened: the next one is {next_number}",
            code="stale-round",
            round=command.round,
            table=table,
            next=next_number,
        )
    if command.version not in {0, state.version}:
        raise RefusalError(
            f"the settings have version {state.version}, but {command.link} was opened with version {command.version}: "
            "staff must open it again",
            code="settings-changed",
            version=state.version,
            link=command.link,
        )
    standard = (ProgressiveWager(seat=seat, cents=settings.wager_cents) for seat in command.seats)
    wagers = (*standard, *command.wagers)
    _verify_wagers(settings, table, wagers)
    parts = [divide_wager(wager.cents, settings.meter_bps, settings.reserve_bps) for wager in wagers]
    return (
        RoundOpened(
            by=actor.name,
            table=table,
            round=command.round or next_number,
            version=state.version,
            link=command.link,
            wagers=tuple(sorted(wagers, key=lambda wager: wager.seat)),
            meter_units=sum(part.meter_units for part in parts),
            reserve_units=sum(part.reserve_units for part in parts),
            house_units=sum(part.house_units for part in parts),
        ),
    )


def get_next_round(state: ProgressiveState, table: int) -> int:
    """Return the number of a table's next round."""
    last = state.rounds.get(table)
    return max(last.number if last else 0, state.numbers_after) + 1


def _verify_wagers(settings: Settings, table: int, wagers: Sequence[ProgressiveWager]) -> None:
    seats = [wager.seat for wager in wagers]
    for wager in wagers:
        if wager.seat > settings.seats:
            raise RefusalError(
                f"unknown seat {wager.seat}: seats are 1 to {settings.seats}",
                code="unknown-seat",
                seat=wager.seat,
                seats=settings.seats,
            )
        if seats.count(wager.seat) > 1:
            raise RefusalError(
                f"seat {wager.seat} wagers twice: give one wager for each seat", code="wager-twice", seat=wager.seat
            )
        wanted = settings.wager_cents
        message = f"seat {wager.seat} wagers {format_cents(wager.cents)}: the wager is {format_cents(wanted)}"
        fields = {"seat": wager.seat, "cents": wager.cents, "wager_cents": wanted}
        if wager.cents > wanted:
            raise WagerOutOfRangeError(message, table, code="above-limit", **fields)
        if wager.cents != wanted:
            raise RefusalError(message, code="wrong-wager", **fields)


def _get_open_round(state: ProgressiveState, command: EnterHit | CloseRound) -> ProgressiveRound:
    """Return the open round; only the browser table that opened it may play it."""
    table, current = command.table, state.rounds.get(command.table)
    number = command.round or (current.number if current else 1)
    if current is None or current.number != number or not current.running:
        status = (
            f"round {current.number} is {'open' if current.running else 'over'}" if current else "none has been opened"
        )
        raise RefusalError(
            f"round {number} of table {table} is not open: {status}", code="round-not-open", round=number, table=table
        )
    if command.link != current.link:
        place = current.link or "the console"
        raise RefusalError(
            f"round {number} of table {table} is played at {place}: end it there",
            code="round-elsewhere",
            round=number,
            table=table,
        )
    return current


def enter_hit(state: ProgressiveState, command: EnterHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Select a seat's winning hand; selecting it again cancels it.

    With ``envy_hitter_must_wager`` off, a seat without the wager may be selected too: it wins nothing, but the other
    seats get envy (SC-4).

    Raises:
        RefusalError: the round is not open or not played here, the seat did not bet, the hand pays nothing, the cards
            make another hand or are in another one of the round, the seat already has another hit, or no restoration
            lost the award that this one was.
    """
    current_round = _get_open_round(state, command)
    settings = get_round_settings(state, current_round)
    if command.seat > settings.seats:
        raise RefusalError(
            f"unknown seat {command.seat}: seats are 1 to {settings.seats}",
            code="unknown-seat",
            seat=command.seat,
            seats=settings.seats,
        )
    line = settings.find_line(command.hand)
    is_envied = line is not None and line.envy_dollars > 0 and settings.envy_hitter_must_wager == "off"
    number = current_round.number
    if not current_round.get_wager_cents(command.seat) and not is_envied:
        raise RefusalError(
            f"seat {command.seat} has no progressive wager in round {number}: it wins nothing",
            code="no-wager",
            seat=command.seat,
            round=number,
        )
    if line is None:
        hands = ", ".join(line.hand for line in settings.lines)
        raise RefusalError(
            f"{command.hand!r} pays nothing: the paying hands are {hands}", code="unknown-hand", hand=command.hand
        )
    cards = " ".join(command.cards.split())
    verify_hand(settings, command.hand, cards)
    for hit in state.list_standing_hits(current_round.table, number):
        if hit.owed.seat != command.seat:
            verify_cards_apart(cards, hit.owed)
            continue
        can_cancel = hit.step == "pending" and not current_round.link
        is_same = hit.owed.hand == command.hand and are_same_cards(cards, hit.owed.cards)
        if can_cancel and is_same and not command.lost_award:
            return remove_hit(state, current_round, hit, actor)
        _refuse_second_hit(hit, can_cancel=can_cancel)
    if command.lost_award:
        verify_lost_award(state, command.lost_award)
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
        lost_award=command.lost_award,
    )
    return add_hit(state, current_round, award, actor)


def _refuse_second_hit(hit: Hit, *, can_cancel: bool) -> NoReturn:
    what = f"{hit.owed.hand} {hit.owed.cards}".rstrip()
    more = ": cancel it first" if can_cancel else ""
    raise RefusalError(
        f"seat {hit.owed.seat} has {what} {hit.step} as award {hit.owed.award}{more}",
        code="hit-entered",
        seat=hit.owed.seat,
        hand=hit.owed.hand,
        step=hit.step,
        award=hit.owed.award,
    )


def cancel_hit(state: ProgressiveState, command: CancelHit, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Cancel a selected hand.

    Raises:
        RefusalError: there is no such award, it is not pending, or a browser table entered it, which never enters a
            wrong hand.
    """
    hit = get_hit(state, command.award)
    if hit.step != "pending":
        fix = ": only a back-out by two people undoes it" if hit.step == "confirmed" else ""
        raise RefusalError(
            f"award {command.award} is {hit.step}{fix}", code="award-not-pending", award=command.award, step=hit.step
        )
    current_round = state.rounds[hit.table]
    if current_round.link:
        raise RefusalError(
            f"award {command.award} was entered by {current_round.link} and cannot be cancelled: confirm it",
            code="entered-by-table",
            award=command.award,
            link=current_round.link,
        )
    return remove_hit(state, current_round, hit, actor)


def confirm_award(state: ProgressiveState, command: ConfirmAward, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Log a verified win, which is owed from now on.

    Raises:
        RefusalError: the award is not pending, or an earlier hit of any table is undecided (SC-9).
        ForbiddenError: the same person entered it, or it needs an executive.
    """
    hit = get_hit(state, command.award)
    if hit.step != "pending":
        person = hit.paid_by if hit.step == "paid" else hit.confirmed_by
        by = f" by {person}" if person else ""
        raise RefusalError(
            f"award {command.award} is {hit.step}{by}: nothing is left to confirm",
            code="award-not-pending",
            award=command.award,
            step=hit.step,
        )
    if actor.name == hit.owed.by:
        raise ForbiddenError(
            f"{actor.name} entered award {command.award}: somebody else must confirm it",
            code="second-person-needed",
            person=actor.name,
            award=command.award,
        )
    _verify_final(state, hit)
    limit_cents = get_round_settings(state, state.rounds[hit.table]).executive_cents
    if hit.cents >= limit_cents and actor.role is not Role.EXECUTIVE:
        limit = format_cents(limit_cents)
        raise ForbiddenError(
            f"award {command.award} is {format_cents(hit.cents)}: awards of {limit} or more need an executive",
            code="executive-needed",
            award=command.award,
            cents=hit.cents,
        )
    return (
        AwardConfirmed(
            by=actor.name,
            entered_by=hit.owed.by,
            award=command.award,
            meter_cents=hit.owed.meter_cents,
            tray_cents=hit.owed.tray_cents,
        ),
    )


def _verify_final(state: ProgressiveState, hit: Hit) -> None:
    """Raise ``RefusalError`` while an earlier hit is undecided (SC-9).

    The amount may still change.
    """
    earlier = state.find_earlier_hit(hit)
    if earlier:
        raise RefusalError(
            f"award {hit.owed.award} is provisional: award {earlier.owed.award} of table {earlier.table} comes first, "
            "confirm or cancel that one",
            code="award-provisional",
            award=hit.owed.award,
            waits_for=earlier.owed.award,
            table=earlier.table,
        )


def pay_award(state: ProgressiveState, command: PayAward, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Pay a confirmed award, once.

    The confirmation printed its win page, so another print is a reprint.

    Raises:
        RefusalError: the award is not confirmed, already paid, or to be backed out.
    """
    hit = get_hit(state, command.award)
    if hit.step != "confirmed":
        raise RefusalError(
            f"award {command.award} is {hit.step}: only a confirmed award can be paid, and only once",
            code="award-not-confirmed",
            award=command.award,
            step=hit.step,
        )
    verify_no_back_out(state, command.award)
    paid = AwardPaid(by=actor.name, award=command.award, cents=hit.cents)
    reprinted = WinPageReprinted(by=actor.name, award=command.award, copy_number=hit.copies + 1)
    return (paid, reprinted) if command.prints else (paid,)


def close_round(state: ProgressiveState, command: CloseRound, actor: Actor) -> tuple[ProgressiveEvent, ...]:
    """Pay envy and end the round, so that the table can open its next.

    Raises:
        RefusalError: the round is not open or not played here, or one of its hits is pending.
    """
    current = _get_open_round(state, command)
    for hit in state.list_pending_hits(current.table, current.number):
        raise RefusalError(
            f"award {hit.owed.award} of seat {hit.owed.seat} is pending: confirm or cancel it first",
            code="award-pending",
            award=hit.owed.award,
            seat=hit.owed.seat,
        )
    envy = tuple(compute_envy(state, current))
    return (RoundEnded(by=actor.name, table=current.table, round=current.number, envy=envy),)


def compute_envy(state: ProgressiveState, current_round: ProgressiveRound) -> Iterable[EnvyPayment]:
    """Yield the envy of each other seat with the wager for each confirmed hit (SC-4).

    The highest seats come first.
    """
    settings = get_round_settings(state, current_round)
    must_wager = int(settings.envy_hitter_must_wager == "on")
    wagered = sum(1 << (wager.seat - 1) for wager in current_round.wagers)
    wins = [
        hit.owed
        for hit in state.hits.values()
        if (hit.table, hit.round) == (current_round.table, current_round.number) and hit.step in {"confirmed", "paid"}
    ]
    for owed in sorted(wins, key=lambda owed: -owed.seat):
        dollars = get_line(settings, owed.hand).envy_dollars
        for seat in range(settings.seats, 0, -1):
            envy = compute_envy_dollars(dollars, wagered, owed.seat - 1, seat - 1, must_wager)
            if envy:
                yield EnvyPayment(seat=seat, hitter=owed.seat, hand=owed.hand, cents=envy * 100)
