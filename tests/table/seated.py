"""Sittings for tests: commands done on memory alone, with chance from a seed, by people who choose at random."""

from collections.abc import Iterator, Mapping

from pitboss.cards import draw_below, format_card, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner, StakeConstraintKind
from pitboss.table.session import (
    HOUSE,
    BetStake,
    CallTime,
    DealRound,
    ExternalInputs,
    LeaveSeat,
    PlaceWagers,
    TableCommand,
    TableSession,
    TableTerms,
    TakeAction,
    TakeSeat,
    choose_house_command,
    handle_command,
    is_allowed,
    open_table,
    replay_events,
)
from pitboss.table.session.available_wagers import list_available_wagers
from pitboss.table.session.events import SessionEvent
from pitboss.table.session.state import Phase
from pitboss.table.session.terms import load_table_game

CHIPS = 500_000


def seated(terms: TableTerms, *seats: int, bits: BitSource | None = None) -> TableSession:
    """Open a table and seat ``p1``, ``p2`` ... there."""
    now = replay_events(open_table("t1", terms, ExternalInputs(bits or seeded_bits(0))))
    for seat in seats:
        now = done(now, TakeSeat(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}")
    return now


def done(
    now: TableSession, command: TableCommand, by: str = HOUSE, at: int = 100, bits: BitSource | None = None
) -> TableSession:
    """Do a command and what the house does at once after it."""
    return replay_events(happened(now, command, by, at, bits), now)


def happened(
    now: TableSession, command: TableCommand, by: str = HOUSE, at: int = 100, bits: BitSource | None = None
) -> tuple[SessionEvent, ...]:
    """Return the events of a command and of what the house does at once after it."""
    events = handle_command(now, command, by, at, ExternalInputs(bits or seeded_bits(1)))
    now = replay_events(events, now)
    while (follows := choose_house_command(now)) is not None:
        fresh = handle_command(now, follows, HOUSE, at, ExternalInputs(bits or seeded_bits(2)))
        now, events = replay_events(fresh, now), (*events, *fresh)
    return events


def lowest_wagers(now: TableSession, seat: int, bets: tuple[str, ...] = ()) -> PlaceWagers:
    """Return the lowest wagers of a seat: what is mandatory, and ``bets``."""
    stakes = [
        BetStake(bet=each["bet"], cents=each["minimum_cents"])
        for each in list_available_wagers(now)
        if each["status"] == "mandatory" or each["bet"] in bets
    ]
    return PlaceWagers(seat=seat, stakes=tuple(stakes))


def dealt(terms: TableTerms, *seats: int, bets: tuple[str, ...] = (), bits: BitSource | None = None) -> TableSession:
    """Seat people, let them wager, and deal."""
    now = seated(terms, *seats)
    for seat in seats:
        now = done(now, lowest_wagers(now, seat, bets), f"p{seat}")
    return done(now, DealRound(), bits=bits)


def some_decision(now: TableSession, bits: BitSource) -> TakeAction:
    """Choose at random what the seat that has to decide may do."""
    assert now.round is not None
    assert now.turn is not None
    legal = now.round.list_legal_actions()
    action = legal[draw_below(len(legal), bits)]
    view = now.round.get_view(now.round_seats.index(now.turn))
    held = shuffle_cards([card for card in now.round.game.deck.cards if view.player >> card & 1], bits)
    cards = tuple(format_card(card, now.round.game.deck) for card in held[: action.discards])
    return TakeAction(seat=now.turn, action=action.id, cards=cards)


def some_wagers(now: TableSession, seat: int, bits: BitSource) -> PlaceWagers:
    """Choose wagers at random, within limits and ties; now and then none at all."""
    if not draw_below(8, bits):
        return PlaceWagers(seat=seat, stakes=())
    stakes: list[BetStake] = []
    placed: dict[str, int] = {}
    for wager in load_table_game(now.terms).wagers:
        others: list[int | None] = [other for other in now.seats if other != seat]
        for on in others if wager.hand_owner is HandOwner.OTHER_SEAT else [None]:
            if wager.mandatory or draw_below(2, bits):
                cents = wager.limits.minimum_cents
                ties = {tie.kind: placed.get(tie.bet, 0) for tie in wager.constraints}
                if StakeConstraintKind.ONLY_WITH in ties and not ties[StakeConstraintKind.ONLY_WITH]:
                    continue
                placed[wager.id] = max(cents, ties.get(StakeConstraintKind.AT_LEAST, 0))
                stakes.append(BetStake(bet=wager.id, cents=placed[wager.id], on=on))
    return PlaceWagers(seat=seat, stakes=tuple(stakes))


def evening(game: Game, seed: int, rounds: int = 3, options: Mapping[str, str] | None = None) -> Iterator[TableSession]:
    """Play rounds at random with people who come and go; yield the sitting after every step."""
    return (now for _, now in evening_with_events(game, seed, rounds, options))


def evening_with_events(
    game: Game, seed: int, rounds: int = 3, options: Mapping[str, str] | None = None
) -> Iterator[tuple[tuple[SessionEvent, ...], TableSession]]:
    """Play an evening; yield what has happened in every step, and the sitting after it."""
    bits = seeded_bits(seed)
    fair = bool(draw_below(2, bits))
    events = open_table("t1", TableTerms(game=game.id, fair=fair, options=dict(options or {})), ExternalInputs(bits))
    now = replay_events(events)
    yield events, now
    while now.snapshot.number <= rounds:
        for command, by in _some_commands(now, bits):
            if is_allowed(now, command, by, 1_000):
                events = happened(now, command, by, 1_000, bits)
                now = replay_events(events, now)
                yield events, now


def _some_commands(now: TableSession, bits: BitSource) -> Iterator[tuple[TableCommand, str]]:
    """Yield commands that might be given now, sensible or not."""
    seat = 1 + draw_below(6, bits)
    if now.phase is Phase.WAGERS:
        if not draw_below(3, bits):
            yield TakeSeat(seat=seat, cents=CHIPS, name="x"), f"p{seat}"
        if not draw_below(9, bits):
            yield LeaveSeat(seat=seat), f"p{seat}"
        if seat in now.seats:
            yield some_wagers(now, seat, bits), f"p{seat}"
        yield DealRound(), f"p{seat}"
    elif not draw_below(6, bits):
        yield CallTime(), HOUSE
    elif now.turn is not None:
        yield some_decision(now, bits), f"p{now.turn}"
