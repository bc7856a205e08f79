"""Sittings for tests: commands done on memory alone, with chance from a seed, by people who choose at random."""

from collections.abc import Iterator, Mapping

from pitboss.cards import draw_below, format_card, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner, StakeConstraintKind
from pitboss.table.sitting import (
    HOUSE,
    Chance,
    Command,
    Deal,
    Decide,
    Leave,
    Sit,
    Sitting,
    Stakes,
    Terms,
    TimeOut,
    Wager,
    can,
    do,
    folded,
    next_of_house,
    open_table,
)
from pitboss.table.sitting.events import Event
from pitboss.table.sitting.offered import wagers_offered
from pitboss.table.sitting.state import Phase
from pitboss.table.sitting.terms import game_of

CHIPS = 500_000


def seated(terms: Terms, *seats: int, bits: BitSource | None = None) -> Sitting:
    """Open a table and seat ``p1``, ``p2`` ... there."""
    now = folded(open_table("t1", terms, Chance(bits or seeded_bits(0))))
    for seat in seats:
        now = done(now, Sit(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}")
    return now


def done(now: Sitting, command: Command, by: str = HOUSE, at: int = 100, bits: BitSource | None = None) -> Sitting:
    """Do a command and what the house does at once after it."""
    return folded(happened(now, command, by, at, bits), now)


def happened(
    now: Sitting, command: Command, by: str = HOUSE, at: int = 100, bits: BitSource | None = None
) -> tuple[Event, ...]:
    """Return the events of a command and of what the house does at once after it."""
    events = do(now, command, by, at, Chance(bits or seeded_bits(1)))
    now = folded(events, now)
    while (follows := next_of_house(now)) is not None:
        fresh = do(now, follows, HOUSE, at, Chance(bits or seeded_bits(2)))
        now, events = folded(fresh, now), (*events, *fresh)
    return events


def lowest_wagers(now: Sitting, seat: int, bets: tuple[str, ...] = ()) -> Wager:
    """Return the lowest wagers of a seat: what is mandatory, and ``bets``."""
    stakes = [
        Stakes(bet=each["bet"], cents=each["minimum_cents"])
        for each in wagers_offered(now)
        if each["status"] == "mandatory" or each["bet"] in bets
    ]
    return Wager(seat=seat, stakes=tuple(stakes))


def dealt(terms: Terms, *seats: int, bets: tuple[str, ...] = (), bits: BitSource | None = None) -> Sitting:
    """Seat people, let them wager, and deal."""
    now = seated(terms, *seats)
    for seat in seats:
        now = done(now, lowest_wagers(now, seat, bets), f"p{seat}")
    return done(now, Deal(), bits=bits)


def some_decision(now: Sitting, bits: BitSource) -> Decide:
    """Choose at random what the seat that has to decide may do."""
    assert now.round is not None
    assert now.turn is not None
    legal = now.round.legal_actions()
    action = legal[draw_below(len(legal), bits)]
    view = now.round.view(now.playing.index(now.turn))
    held = shuffle_cards([card for card in now.round.game.deck.cards if view.player >> card & 1], bits)
    cards = tuple(format_card(card, now.round.game.deck) for card in held[: action.discards])
    return Decide(seat=now.turn, action=action.id, cards=cards)


def some_wagers(now: Sitting, seat: int, bits: BitSource) -> Wager:
    """Choose wagers at random, within limits and ties; now and then none at all."""
    if not draw_below(8, bits):
        return Wager(seat=seat, stakes=())
    stakes: list[Stakes] = []
    placed: dict[str, int] = {}
    for wager in game_of(now.terms).wagers:
        others: list[int | None] = [other for other in now.seats if other != seat]
        for on in others if wager.hand_owner is HandOwner.OTHER_SEAT else [None]:
            if wager.mandatory or draw_below(2, bits):
                cents = wager.limits.minimum_cents
                ties = {tie.kind: placed.get(tie.bet, 0) for tie in wager.constraints}
                if StakeConstraintKind.ONLY_WITH in ties and not ties[StakeConstraintKind.ONLY_WITH]:
                    continue
                placed[wager.id] = max(cents, ties.get(StakeConstraintKind.AT_LEAST, 0))
                stakes.append(Stakes(bet=wager.id, cents=placed[wager.id], on=on))
    return Wager(seat=seat, stakes=tuple(stakes))


def evening(game: Game, seed: int, rounds: int = 3, options: Mapping[str, str] | None = None) -> Iterator[Sitting]:
    """Play rounds at random with people who come and go; yield the sitting after every step."""
    return (now for _, now in evening_with_events(game, seed, rounds, options))


def evening_with_events(
    game: Game, seed: int, rounds: int = 3, options: Mapping[str, str] | None = None
) -> Iterator[tuple[tuple[Event, ...], Sitting]]:
    """Play an evening; yield what has happened in every step, and the sitting after it."""
    bits = seeded_bits(seed)
    fair = bool(draw_below(2, bits))
    events = open_table("t1", Terms(game=game.id, fair=fair, options=dict(options or {})), Chance(bits))
    now = folded(events)
    yield events, now
    while now.standing.number <= rounds:
        for command, by in _some_commands(now, bits):
            if can(now, command, by, 1_000):
                events = happened(now, command, by, 1_000, bits)
                now = folded(events, now)
                yield events, now


def _some_commands(now: Sitting, bits: BitSource) -> Iterator[tuple[Command, str]]:
    """Yield commands that might be given now, sensible or not."""
    seat = 1 + draw_below(6, bits)
    if now.phase is Phase.WAGERS:
        if not draw_below(3, bits):
            yield Sit(seat=seat, cents=CHIPS, name="x"), f"p{seat}"
        if not draw_below(9, bits):
            yield Leave(seat=seat), f"p{seat}"
        if seat in now.seats:
            yield some_wagers(now, seat, bits), f"p{seat}"
        yield Deal(), f"p{seat}"
    elif not draw_below(6, bits):
        yield TimeOut(), HOUSE
    elif now.turn is not None:
        yield some_decision(now, bits), f"p{now.turn}"
