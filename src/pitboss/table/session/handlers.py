"""Handlers of a table session's commands, which change nothing themselves.

``verify_command`` raises, ``is_allowed`` answers, ``handle_command`` returns events for ``state.replay_events``.  All
take the session, the command, its giver ``by`` and the time ``at`` in seconds, the last also external inputs.
"""

from collections.abc import Callable
from typing import NamedTuple

from pitboss.cards import Deck, format_card, format_cards, parse_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError, PitbossError, WagerError, quote
from pitboss.core.money import format_dollars
from pitboss.table.round import RoundClosed
from pitboss.table.round.bots import get_bot_name
from pitboss.table.session.command_checks import (
    CommandForbiddenError,
    verify_holder,
    verify_phase,
    verify_placed_wagers,
)
from pitboss.table.session.commands import (
    HOUSE,
    CallTime,
    CloseTable,
    DealRound,
    LeaveSeat,
    PlaceWagers,
    RelieveDealer,
    RevealSeed,
    SettleRound,
    TableCommand,
    TakeAction,
    TakeSeat,
)
from pitboss.table.session.events import (
    ActionTaken,
    ChipsBought,
    DealerRelieved,
    MeterSnapshot,
    RoundDealt,
    RoundSettled,
    SeatAward,
    SeatLeft,
    SeatNet,
    SeatTaken,
    SeedRevealed,
    SessionEvent,
    TableClosed,
    TableOpened,
    WagersLocked,
    WagersPlaced,
)
from pitboss.table.session.fair_seeds import (
    commit_house,
    draw_round_decks,
    find_awaited_seeds,
    verify_seed,
    verify_seed_hash,
    void_round,
)
from pitboss.table.session.shown_awards import fix_shown_awards
from pitboss.table.session.state import Phase, TableSession, replay_events, to_meter_snapshot
from pitboss.table.session.terms import TableTerms, load_table_game, verify_terms
from pitboss.table.session.timeouts import find_awaited_seat, is_time_up, verify_absent

_Events = tuple[SessionEvent, ...]


class ExternalInputs(NamedTuple):
    """What a command may need from outside: random bits, and a progressive's data."""

    bits: BitSource = system_bits
    progressive_round: int = 0
    meter: MeterSnapshot | None = None
    awards: tuple[SeatAward, ...] = ()


def verify_command(session: TableSession, command: TableCommand, by: str, at: int) -> None:
    """Check whether a command may be given now.

    Raises:
        CommandForbiddenError: this person may not give it.
        WagerError: a wager is out of its limits, breaks a constraint, or is more than the chips at the seat.
        PitbossError: it is not possible now, or not in this form; the message says what would be right.
    """
    if session.is_closed:
        raise IllegalActionError("this table is closed: open another", code="table-closed")
    _VERIFIERS[command.kind](session, command, by, at)


def is_allowed(session: TableSession, command: TableCommand, by: str, at: int) -> bool:
    """Return whether a command may be given now."""
    return not explain_refusal(session, command, by, at)


def explain_refusal(session: TableSession, command: TableCommand, by: str, at: int) -> str:
    """Explain in one line why a command may not be given now; return "" if it may."""
    try:
        verify_command(session, command, by, at)
    except PitbossError as error:
        return str(error)
    return ""


def handle_command(
    session: TableSession, command: TableCommand, by: str, at: int, inputs: ExternalInputs | None = None
) -> tuple[SessionEvent, ...]:
    """Return the events of a command (raises as ``verify_command``)."""
    verify_command(session, command, by, at)
    return _HANDLERS[command.kind](session, command, by, at, inputs or ExternalInputs())


def open_table(table: str, terms: TableTerms, inputs: ExternalInputs | None = None) -> tuple[SessionEvent, ...]:
    """Return the events that open a table (raises as ``verify_terms``)."""
    verify_terms(terms)
    return (TableOpened(table=table, terms=terms), *commit_house(terms, table, 1, (inputs or ExternalInputs()).bits))


def _verify_take_seat(session: TableSession, command: TakeSeat, by: str, _at: int) -> None:
    held = session.seats.get(command.seat)
    if command.seat > session.terms.seats:
        raise IllegalActionError(
            f"there is no seat {command.seat}: seats are 1 to {session.terms.seats}",
            code="unknown-seat",
            seat=command.seat,
            seats=session.terms.seats,
        )
    if not command.cents:
        raise WagerError("a seat needs chips: buy some", code="no-chips")
    if held is not None:
        if held.holder != by:
            free = [str(seat) for seat in range(1, session.terms.seats + 1) if seat not in session.seats]
            where = f"free: {', '.join(free)}" if free else "the table is full"
            raise IllegalActionError(f"seat {command.seat} is taken; {where}", code="seat-taken", seat=command.seat)
        return
    if command.bot:
        if by != HOUSE:
            raise CommandForbiddenError("only the house seats bots", code="house-only")
        get_bot_name(load_table_game(session.terms), command.bot)
        verify_placed_wagers(session, command.seat, command.standing, command.cents, occupied=False)
        return
    if by == HOUSE:
        raise IllegalActionError("the house can seat only bots: name a strategy", code="bots-only")
    if not command.name.strip():
        raise IllegalActionError("a seat needs a name: enter yours", code="no-name")
    mine = next((seat for seat, each in session.seats.items() if each.holder == by), None)
    if mine is not None:
        raise IllegalActionError(f"you sit in seat {mine}: leave it first", code="already-seated", seat=mine)


def _handle_take_seat(session: TableSession, command: TakeSeat, by: str, _at: int, _inputs: ExternalInputs) -> _Events:
    purchase = ChipsBought(seat=command.seat, cents=command.cents)
    if command.seat in session.seats:
        return (purchase,)
    name = command.name.strip() or get_bot_name(load_table_game(session.terms), command.bot)
    arrival = SeatTaken(seat=command.seat, name=name, holder=by, bot=command.bot, standing=command.standing)
    return (arrival, purchase)


def _verify_place_wagers(session: TableSession, command: PlaceWagers, by: str, _at: int) -> None:
    verify_holder(session, command.seat, by)
    verify_phase(session, Phase.WAGERS, "no wagers")
    verify_seed_hash(session, command)
    verify_placed_wagers(session, command.seat, command.stakes, session.seats[command.seat].chips_cents, occupied=True)


def _handle_place_wagers(
    _session: TableSession, command: PlaceWagers, _by: str, at: int, _inputs: ExternalInputs
) -> _Events:
    return (WagersPlaced(seat=command.seat, stakes=command.stakes, seed_hash=command.seed_hash, at=at),)


def _verify_reveal_seed(session: TableSession, command: RevealSeed, by: str, _at: int) -> None:
    verify_holder(session, command.seat, by)
    verify_phase(session, Phase.SEEDS, "no seeds")
    verify_seed(session, command)


def _handle_reveal_seed(
    _session: TableSession, command: RevealSeed, _by: str, _at: int, _inputs: ExternalInputs
) -> _Events:
    return (SeedRevealed(seat=command.seat, seed=command.seed),)


def _verify_deal_round(session: TableSession, _command: DealRound, by: str, at: int) -> None:
    if session.phase is Phase.SEEDS:
        if awaited := find_awaited_seeds(session):
            raise IllegalActionError(f"seat {awaited[0]} has yet to show its seed: wait for it", code="seed-awaited")
        return
    verify_phase(session, Phase.WAGERS, "no deal")
    if not any(held.stakes for held in session.seats.values()):
        raise IllegalActionError("nobody has wagered: place a wager first", code="no-wagers")
    if by == HOUSE:
        return
    if not session.is_seated(by):
        raise CommandForbiddenError("only a player at this table can call for the deal", code="players-only")
    waiting = [seat for seat, held in session.seats.items() if held.stakes is None]
    if waiting and not is_time_up(session, at):
        raise IllegalActionError(
            f"seat {waiting[0]} has yet to wager or to sit out: wait for it", code="wagers-awaited"
        )


def _handle_deal_round(
    session: TableSession, _command: DealRound, _by: str, at: int, inputs: ExternalInputs
) -> _Events:
    snapshot = session.snapshot
    if session.phase is Phase.WAGERS and (find_awaited_seeds(session) or session.terms.linked):
        return (WagersLocked(progressive_round=inputs.progressive_round, at=at),)
    seats = tuple(seat for seat, held in session.seats.items() if held.stakes)
    game = load_table_game(session.terms)
    orders = draw_round_decks(session, game.deck, inputs.bits)
    return (
        RoundDealt(
            round=snapshot.number,
            seats=seats,
            deck=_format_deck(orders.deck, game.deck),
            spare=_format_deck(orders.spare, game.deck),
            back=game.deck_backs[(snapshot.number - 1) % len(game.deck_backs)] if game.deck_backs else "",
            meter=inputs.meter if session.terms.linked else snapshot.meter,
            at=at,
        ),
    )


def _format_deck(cards: tuple[int, ...], deck: Deck) -> str:
    return " ".join(format_card(card, deck) for card in cards)


def _verify_take_action(session: TableSession, command: TakeAction, by: str, _at: int) -> None:
    verify_holder(session, command.seat, by)
    verify_phase(session, Phase.DECISIONS, "no decision")
    if session.round is None or session.turn != command.seat:
        raise IllegalActionError(
            f"seat {command.seat} cannot {command.action} now: it is seat {session.turn}'s turn",
            code="not-your-turn",
            seat=command.seat,
            action=command.action,
            turn=session.turn,
        )
    legal = {action.id: action for action in session.round.list_legal_actions()}
    if command.action not in legal:
        raise IllegalActionError(
            f"{quote(command.action)} is not possible now: the legal actions are {', '.join(legal)}",
            code="illegal-now",
            action=command.action,
            legal=legal,
        )
    index = session.round_seats.index(command.seat)
    cards = parse_cards(" ".join(command.cards), session.round.game.deck) if command.cards else ()
    action = session.round.verify_action(index, command.action, cards)
    cost_cents = action.stake * session.round.get_stake_cents(index, "main")
    free_cents = session.get_available_cents(command.seat)
    if cost_cents > free_cents:
        cost, rest = format_dollars(cost_cents), format_dollars(free_cents)
        raise WagerError(
            f"{command.action} takes {cost} more, and {rest} is left: buy chips, or choose again",
            code="above-chips",
            action=command.action,
        )


def _handle_take_action(
    _session: TableSession, command: TakeAction, _by: str, at: int, inputs: ExternalInputs
) -> _Events:
    cards = " ".join(command.cards)
    return (ActionTaken(seat=command.seat, action=command.action, cards=cards, awards=inputs.awards, at=at),)


def _verify_call_time(session: TableSession, _command: CallTime, by: str, at: int) -> None:
    is_waiting = by != HOUSE and session.is_seated(by) and session.turn == find_awaited_seat(session)
    if by != HOUSE and not is_waiting:
        raise CommandForbiddenError("only the house calls time", code="house-only")
    if session.phase is Phase.SEEDS and (awaited := find_awaited_seeds(session)):
        if by != HOUSE:
            raise CommandForbiddenError("only the house voids a round", code="house-only")
        if not is_time_up(session, at):
            raise IllegalActionError(f"seat {awaited[0]} still has time: wait until it is up", code="time-left")
        return
    verify_phase(session, Phase.DECISIONS, "nobody to call time on")
    if is_waiting and session.turn is not None:
        verify_absent(session, session.turn, at)
    elif not is_time_up(session, at):
        raise IllegalActionError(
            f"seat {session.turn} still has time: wait until it is up", code="time-left", turn=session.turn
        )


def _handle_call_time(session: TableSession, _command: CallTime, _by: str, at: int, inputs: ExternalInputs) -> _Events:
    if session.phase is Phase.SEEDS:
        return void_round(session, at, inputs.bits)
    if session.round is None or session.turn is None:
        return ()
    action, cards = session.round.choose_timeout_action()
    discards = format_cards(cards, session.round.game.deck)
    return (ActionTaken(seat=session.turn, action=action, cards=discards, late=True, awards=inputs.awards, at=at),)


def _verify_settle_round(session: TableSession, _command: SettleRound, by: str, _at: int) -> None:
    verify_phase(session, Phase.SETTLE, "nothing to settle")
    if by != HOUSE and not session.is_seated(by):
        raise CommandForbiddenError("only the house or a player at this table can settle a round", code="players-only")


def _handle_settle_round(
    session: TableSession, _command: SettleRound, _by: str, at: int, inputs: ExternalInputs
) -> _Events:
    if session.round is None:
        return ()
    settled_round = fix_shown_awards(session.round, session.round_seats, inputs.awards)
    nets = next(event.nets_cents for event in settled_round.events if isinstance(event, RoundClosed))
    settled = RoundSettled(
        round=session.snapshot.number,
        nets=tuple(SeatNet(seat=seat, cents=cents) for seat, cents in zip(session.round_seats, nets, strict=True)),
        awards=inputs.awards,
        meter=None if session.terms.linked else to_meter_snapshot(session.round.meter),
        revealed=session.secret,
        at=at,
    )
    return (settled, *commit_house(session.terms, session.snapshot.table, session.snapshot.number + 1, inputs.bits))


def _verify_relieve_dealer(session: TableSession, _command: RelieveDealer, by: str, _at: int) -> None:
    if by != HOUSE:
        raise CommandForbiddenError("only the house names the dealer", code="house-only")
    if session.terms.linked is None:
        raise IllegalActionError("this table is not linked to a progressive: it needs no dealer", code="not-linked")


def _verify_leave_seat(session: TableSession, command: LeaveSeat, by: str, at: int) -> None:
    held = session.seats.get(command.seat)
    is_other = held is not None and by not in (HOUSE, held.holder) and session.is_seated(by)
    if is_other and session.is_settled and command.seat == find_awaited_seat(session):
        verify_absent(session, command.seat, at)  # the others clear the seat of a player who walked off
    elif by != HOUSE or held is None:
        verify_holder(session, command.seat, by)
    if session.is_in_round(command.seat) or (session.is_locked and session.seats[command.seat].stakes):
        raise IllegalActionError(
            f"seat {command.seat} is in this round: leave when it is settled", code="seat-in-round", seat=command.seat
        )


def _handle_leave_seat(session: TableSession, command: LeaveSeat, *_: object) -> _Events:
    return (SeatLeft(seat=command.seat, cents=session.seats[command.seat].chips_cents),)


def _verify_close_table(session: TableSession, _command: CloseTable, by: str, _at: int) -> None:
    if by != HOUSE:
        raise IllegalActionError("only the house closes a table", code="house-only")
    if session.phase is Phase.SEEDS or (session.terms.linked and session.phase is not Phase.WAGERS):
        raise IllegalActionError(
            "the round waits for seeds or for its progressive: close the table when it is over", code="round-waits"
        )


def _handle_close_table(
    session: TableSession, _command: CloseTable, by: str, at: int, inputs: ExternalInputs
) -> _Events:
    """Play a round out by timeouts, change all chips back, and close the table."""
    events: _Events = ()
    while session.phase is not Phase.WAGERS:
        command = SettleRound() if session.phase is Phase.SETTLE else CallTime()
        fresh = _HANDLERS[command.kind](session, command, by, at, inputs)
        events, session = (*events, *fresh), replay_events(fresh, session)
    left = (SeatLeft(seat=seat, cents=held.chips_cents) for seat, held in session.seats.items())
    return (*events, *left, TableClosed(at=at))


_VERIFIERS: dict[str, Callable[..., None]] = {
    "sit": _verify_take_seat,
    "wager": _verify_place_wagers,
    "seed": _verify_reveal_seed,
    "deal": _verify_deal_round,
    "decide": _verify_take_action,
    "time-out": _verify_call_time,
    "settle": _verify_settle_round,
    "relieve": _verify_relieve_dealer,
    "leave": _verify_leave_seat,
    "close-table": _verify_close_table,
}

_HANDLERS: dict[str, Callable[..., _Events]] = {
    "sit": _handle_take_seat,
    "wager": _handle_place_wagers,
    "seed": _handle_reveal_seed,
    "deal": _handle_deal_round,
    "decide": _handle_take_action,
    "time-out": _handle_call_time,
    "settle": _handle_settle_round,
    "relieve": lambda _session, command, *_: (DealerRelieved(dealer=command.dealer),),
    "leave": _handle_leave_seat,
    "close-table": _handle_close_table,
}
