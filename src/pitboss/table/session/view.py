"""The view of a table session as JSON: what one seat may see.

Everything that is sent to a seat is built here.  A card that the seat may not see is null.
"""

from collections.abc import Iterator
from typing import Any

from pitboss.builders import capitalize_first, display_name
from pitboss.contract import Game
from pitboss.core.money import format_dollars
from pitboss.meter import NO_LIMIT, compute_displayed_cents
from pitboss.table.round.events import (
    CardsDealt,
    CardsShown,
    DecisionMade,
    EnvyPaid,
    RoundClosed,
    RoundEvent,
    StakePlaced,
    StubReshuffled,
    WagerSettled,
)
from pitboss.table.round.wagers import get_circle_name, get_wager
from pitboss.table.session.available_wagers import compute_minimum_cents, get_circles
from pitboss.table.session.fair_seeds import build_fairness_view, find_awaited_seeds
from pitboss.table.session.perspective import Perspective
from pitboss.table.session.snapshot import Seat
from pitboss.table.session.state import Phase, TableSession, sum_stakes_cents
from pitboss.table.session.terms import load_table_game

Json = dict[str, Any]


def build_view(session: TableSession, seat: int | None = None) -> Json:
    """Build the view of a seat, or with None that of a spectator."""
    return describe_perspective(Perspective(session, seat))


def describe_perspective(perspective: Perspective) -> Json:
    """Describe what ``build_view`` returns."""
    session, seat = perspective.session, perspective.seat
    snapshot, game = session.snapshot, load_table_game(session.terms)
    meter, since, limit = session.get_meter(), snapshot.since, session.time_limit_seconds
    return {
        "table": snapshot.table,
        "game": game.id,
        "name": game.name,
        "sequence": snapshot.sequence,
        "round": snapshot.number if session.is_settled else session.last_round_number,
        "phase": str(session.phase),
        "over": session.round is not None and session.round.is_closed,
        "you": seat,
        "seats": [_build_seat(perspective, number) for number in range(1, session.terms.seats + 1)],
        "zones": list(perspective.build_zones()),
        "dealer": perspective.name_hand(None),
        "turn": _build_turn(session),
        "deadline": since + limit if since and limit else None,  # the second at which the time limit ends
        "actions": _build_actions(session, seat),
        "next": _build_next_step(session, seat),
        "deck": session.deck_back,
        "meter_cents": None if meter is None else compute_displayed_cents(meter, NO_LIMIT),
        "fair": build_fairness_view(session, seat),
        "log": [each for event in perspective.get_events() for each in _describe_event(perspective, event)],
    }


def _build_seat(perspective: Perspective, number: int) -> Json:
    session = perspective.session
    held = session.seats.get(number)
    index = session.round_seats.index(number) if perspective.is_dealt_in(number) else None
    cards, discards = perspective.split_hand(index) if index is not None else ([], [])
    return {
        "seat": number,
        "name": held.name if held else "",
        "taken": held is not None,
        "bot": bool(held and held.bot),
        "mine": number == perspective.seat,
        "chips_cents": session.get_available_cents(number) if held else 0,
        "ready": bool(held and held.stakes is not None),
        "playing": index is not None,
        "turn": session.turn == number,
        "cards": perspective.format_visible_cards(cards, index),
        "aside": perspective.format_visible_cards(discards, index),
        "made": perspective.name_hand(index) if index is not None else "",
        "wagers": _build_next_wagers(session, held),
        "circles": list(_build_circles(perspective, index)),
        "net_cents": _get_net_cents(perspective, index),
        "late": [
            {"what": each.kind, "action": each.action}
            for each in session.timeouts
            if held and (each.seat, each.holder) == (number, held.holder)
        ],
    }


def _get_net_cents(perspective: Perspective, seat_index: int | None) -> int | None:
    if seat_index is None:
        return None
    ends = (event for event in perspective.get_events() if isinstance(event, RoundClosed))
    return next((event.nets_cents[seat_index] for event in ends), None)


def _build_next_wagers(session: TableSession, held: Seat | None) -> list[Json] | None:
    """Build a seat's next wagers: an empty list to sit out, None if not chosen."""
    if held is None or held.stakes is None or not session.is_settled:
        return None
    game = load_table_game(session.terms)
    return [
        _build_circle(stake.bet, circle, stake.on, stake.cents, game)
        for stake in held.stakes
        for circle in get_circles(get_wager(game, stake.bet))
    ]


def _build_circles(perspective: Perspective, seat_index: int | None) -> Iterator[Json]:
    """Yield a seat's circles of the round, with their chips and settlements."""
    session = perspective.session
    if seat_index is None or session.round is None:
        return
    game = session.round.game
    settled = {
        (event.bet, event.on, leg.circle): leg
        for event in perspective.get_events()
        if isinstance(event, WagerSettled) and event.seat == seat_index
        for leg in event.legs
    }
    chips: dict[tuple[str, int | None, str], int] = {}
    for event in perspective.get_events():
        if isinstance(event, StakePlaced) and event.seat == seat_index:
            for circle in get_circles(get_wager(game, event.bet)):
                chips[event.bet, event.on, circle] = event.cents
        elif isinstance(event, DecisionMade) and event.seat == seat_index and event.cents:
            raised = ("main", None, event.circle)
            chips[raised] = chips.get(raised, 0) + event.cents
    for key in dict.fromkeys((*chips, *settled)):
        bet, on, circle = key
        other_seat = None if on is None else session.round_seats[on]
        leg = settled.get(key)
        yield {
            **_build_circle(bet, circle, other_seat, chips.get(key, 0), game),
            "result": leg.result.name.lower() if leg else None,
            "net_cents": leg.net_cents if leg else None,
            "reason": leg.reason if leg else "",
        }
    for event in perspective.get_events():
        if isinstance(event, EnvyPaid) and event.seat == seat_index:
            hitter = session.round_seats[event.hitter]
            reason = f"seat {hitter} has a {display_name(event.line)}"
            envy = {**_build_circle(event.bet, "envy", hitter, 0, game), "name": "Envy"}
            yield {**envy, "result": "win", "net_cents": event.cents, "reason": reason}


def _build_circle(bet: str, circle: str, on_seat: int | None, cents: int, game: Game) -> Json:
    return {"bet": bet, "circle": circle, "name": get_circle_name(circle, game), "on": on_seat, "cents": cents}


def _build_turn(session: TableSession) -> Json | None:
    if session.turn is None or session.round is None or session.round.turn is None:
        return None
    decision = session.round.game.decisions[session.round.turn[1]]
    return {"seat": session.turn, "decision": decision.id, "question": decision.question}


def _build_actions(session: TableSession, seat: int | None) -> list[Json]:
    if seat is None or session.turn != seat or session.round is None:
        return []
    ante_cents = session.round.get_stake_cents(session.round_seats.index(seat), "main")
    free_cents = session.get_available_cents(seat)
    return [
        {
            "action": action.id,
            "name": capitalize_first(display_name(action.id)),
            "gives": action.discards,
            "takes": action.draws,
            "cost_cents": action.stake * ante_cents,
            "circle": action.circle,
            "affordable": action.stake * ante_cents <= free_cents,
        }
        for action in session.round.list_legal_actions()
    ]


def _build_next_step(session: TableSession, seat: int | None) -> Json:
    """Build the next step of a seat, with one line of text."""
    held = session.seats.get(seat) if seat is not None else None
    if held is None:
        if len(session.seats) >= session.terms.seats:
            return _build_step("wait", "Every seat is taken. You are watching.")
        return _build_step("sit", "You are watching. To play, take a free seat.")
    match session.phase:
        case Phase.WAGERS:
            return _build_wager_step(session, held)
        case Phase.SEEDS:
            if held.stakes and held.seed_hash and not held.seed:
                return _build_step("seed", "Show your seed.")
            others = "Seeds are being shown." if find_awaited_seeds(session) else "The progressive takes its wagers."
            return _build_step("wait", others)
        case Phase.DECISIONS:
            if session.turn == seat:
                turn = _build_turn(session)
                return _build_step("decide", turn["question"] if turn else "")
            name = "" if session.turn is None else session.seats[session.turn].name
            return _build_step("wait", f"Seat {session.turn}, {name}, is deciding.")
        case Phase.SETTLE:
            return _build_step("wait" if session.terms.linked else "settle", "The round is played.")


def _build_wager_step(session: TableSession, held: Seat) -> Json:
    waiting = [number for number, each in session.seats.items() if each.stakes is None]
    if held.stakes is None:
        least = format_dollars(compute_minimum_cents(session))
        return _build_step("wager", f"{session.refusal}Place your wagers: at least {least}, or sit this round out.")
    others = f"Seat {waiting[0]}, {session.seats[waiting[0]].name}, is wagering." if waiting else ""
    if not held.stakes:  # the choice may be changed until the deal
        return _build_step(
            "wager", f"You sit this round out. {others or 'Nobody has wagered.'} You may still place wagers."
        )
    if not waiting:
        return _build_step("deal", "All wagers are placed: deal.")
    placed = format_dollars(sum_stakes_cents(session.terms, held.stakes))
    name = session.seats[waiting[0]].name
    return _build_step("wait", f"Your wagers are placed: {placed}. Waiting for seat {waiting[0]}, {name}.")


def _build_step(step: str, text: str) -> Json:
    return {"step": step, "text": text}


def _describe_event(perspective: Perspective, event: RoundEvent) -> Iterator[Json]:
    """Yield the log entries of an event as the seat sees it."""
    seats = perspective.session.round_seats
    match event:
        case CardsDealt() | CardsShown():
            seat = None if event.seat is None else seats[event.seat]
            cards = perspective.format_visible_cards(event.cards, event.seat)
            if isinstance(event, CardsDealt):
                yield {"kind": "dealt", "to": event.destination.lower(), "seat": seat, "cards": cards}
            else:
                yield {"kind": "shown", "zone": event.zone, "seat": seat, "cards": cards}
        case DecisionMade():
            yield {
                "kind": "decided",
                "seat": seats[event.seat],
                "action": event.action,
                "cards": perspective.format_visible_cards(event.cards, event.seat),
                "cents": event.cents,
                "circle": event.circle,
            }
        case StubReshuffled():
            yield {"kind": "reshuffled", "cards": [None] * len(event.cards)}
        case WagerSettled():
            yield _build_settlement(event, seats)
        case EnvyPaid():
            seat, hitter = seats[event.seat], seats[event.hitter]
            yield {"kind": "envy", "seat": seat, "hitter": hitter, "line": event.line, "cents": event.cents}
        case RoundClosed():
            nets = dict(zip(map(str, seats), event.nets_cents, strict=True))
            yield {"kind": "closed", "nets_cents": nets}


def _build_settlement(event: WagerSettled, seats: tuple[int, ...]) -> Json:
    return {
        "kind": "settled",
        "seat": seats[event.seat],
        "bet": event.bet,
        "on": None if event.on is None else seats[event.on],
        "outcome": event.outcome,
        "net_cents": event.net_cents,
        "meter_cents": event.meter_cents,
        "circles": [
            {
                "circle": leg.circle,
                "cents": leg.stake_cents,
                "result": leg.result.name.lower(),
                "net_cents": leg.net_cents,
                "reason": leg.reason,
            }
            for leg in event.legs
        ],
    }
