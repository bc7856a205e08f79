"""Commands of a sitting, each a trio: ``verify`` raises and says why not, ``can`` answers, ``do`` returns the events.

All three take the sitting, the command, ``by`` whom it is and the time ``at`` in seconds; ``do`` also takes the chance
that it may need.  They change nothing: the events do, by ``state.folded``.
"""

from collections.abc import Callable
from typing import NamedTuple

from pitboss.cards import Deck, format_card, format_cards, parse_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import IllegalActionError, PitbossError, WagerError
from pitboss.core.money import format_dollars
from pitboss.table.domain import Closed, Stake
from pitboss.table.domain.bots import bot_name
from pitboss.table.domain.wagers import verify_seat, verify_stakes, wager_named
from pitboss.table.sitting.commands import (
    HOUSE,
    Command,
    Deal,
    Decide,
    Leave,
    Relieve,
    Seed,
    Settle,
    Sit,
    TimeOut,
    Wager,
)
from pitboss.table.sitting.ending import close, verify_closing, verify_open
from pitboss.table.sitting.events import (
    Acted,
    Award,
    Bought,
    DealtOut,
    Event,
    Left,
    Locked,
    MeterAt,
    Net,
    Opened,
    Paid,
    Relieved,
    SatDown,
    SeedShown,
    Staked,
)
from pitboss.table.sitting.late import awaited, is_late, verify_absent
from pitboss.table.sitting.seeds import (
    commit_house,
    draw_decks,
    seeds_awaited,
    verify_seed,
    verify_seed_hash,
    void_round,
)
from pitboss.table.sitting.state import Phase, Sitting, meter_at, opening, staked_cents
from pitboss.table.sitting.terms import Stakes, Terms, game_of, verify_terms


class NotYoursError(IllegalActionError):
    """A command for a seat that somebody else holds, or that only the house gives."""


class Chance(NamedTuple):
    """What a command may need from outside: random bits; of a linked progressive its round, its meter, its awards."""

    bits: BitSource = system_bits
    progressive_round: int = 0
    meter: MeterAt | None = None
    awards: tuple[Award, ...] = ()


def verify(now: Sitting, command: Command, by: str, at: int) -> None:
    """Check whether a command may be given now.

    Raises:
        NotYoursError: not by this person.
        WagerError: a wager is out of its limits, breaks a tie, or is more than the chips at the seat.
        PitbossError: not now, or not so; the line says what would be right.
    """
    verify_open(now)
    _VERIFIED_BY[command.kind](now, command, by, at)


def can(now: Sitting, command: Command, by: str, at: int) -> bool:
    """Return whether a command may be given now."""
    return not why_not(now, command, by, at)


def why_not(now: Sitting, command: Command, by: str, at: int) -> str:
    """Return the one line that says why a command may not be given now, or nothing."""
    try:
        verify(now, command, by, at)
    except PitbossError as error:
        return str(error)
    return ""


def do(now: Sitting, command: Command, by: str, at: int, chance: Chance | None = None) -> tuple[Event, ...]:
    """Return what follows from a command (raises as ``verify``)."""
    verify(now, command, by, at)
    return _DONE_BY[command.kind](now, command, by, at, chance or Chance())


def open_table(table: str, terms: Terms, chance: Chance | None = None) -> tuple[Event, ...]:
    """Return what opens a table (raises as ``verify_terms``)."""
    verify_terms(terms)
    opened = Opened(table=table, terms=terms)
    return (opened, *commit_house(terms, table, 1, (chance or Chance()).bits))


def _verify_holder(now: Sitting, seat: int, by: str) -> None:
    held = now.seats.get(seat)
    if held is None:
        raise IllegalActionError(f"nobody sits in seat {seat}: sit down first")
    if held.holder != by:
        raise NotYoursError(f"seat {seat} is somebody else's: command your own")


def _verify_phase(now: Sitting, wanted: Phase, what: str) -> None:
    if now.phase is wanted:
        return
    then = {
        Phase.WAGERS: "wagers are being placed",
        Phase.SEEDS: "seeds are being shown",
        Phase.DECISIONS: f"seat {now.turn} is deciding",
        Phase.SETTLE: "the round is being settled",
    }
    raise IllegalActionError(f"{what} now: {then[now.phase]}")


# Sit.


def _verify_sit(now: Sitting, command: Sit, by: str, _at: int) -> None:
    held = now.seats.get(command.seat)
    if command.seat > now.terms.seats:
        raise IllegalActionError(f"there is no seat {command.seat}: seats are 1 to {now.terms.seats}")
    if not command.cents:
        raise WagerError("a seat needs chips: buy some")
    if held is not None:
        if held.holder != by:
            free = [str(seat) for seat in range(1, now.terms.seats + 1) if seat not in now.seats]
            where = f"free: {', '.join(free)}" if free else "the table is full"
            raise IllegalActionError(f"seat {command.seat} is taken; {where}")
        return
    if command.bot:
        if by != HOUSE:
            raise NotYoursError("only the house seats bots")
        bot_name(game_of(now.terms), command.bot)
        _verify_stakes(now, command.seat, command.standing, command.cents, occupied=False)
        return
    if by == HOUSE:
        raise IllegalActionError("the house seats bots only: name a strategy")
    if not command.name.strip():
        raise IllegalActionError("a seat needs a name: write yours")
    mine = next((seat for seat, each in now.seats.items() if each.holder == by), None)
    if mine is not None:
        raise IllegalActionError(f"you sit in seat {mine}: leave it first")


def _sit(now: Sitting, command: Sit, by: str, _at: int, _chance: Chance) -> tuple[Event, ...]:
    bought = Bought(seat=command.seat, cents=command.cents)
    if command.seat in now.seats:
        return (bought,)
    name = command.name.strip() or bot_name(game_of(now.terms), command.bot)
    sat = SatDown(seat=command.seat, name=name, holder=by, bot=command.bot, standing=command.standing)
    return (sat, bought)


# Wager.


def _verify_wager(now: Sitting, command: Wager, by: str, _at: int) -> None:
    _verify_holder(now, command.seat, by)
    _verify_phase(now, Phase.WAGERS, "no wagers")
    verify_seed_hash(now, command)
    _verify_stakes(now, command.seat, command.stakes, now.seats[command.seat].chips_cents, occupied=True)


def _verify_stakes(now: Sitting, seat: int, wagers: tuple[Stakes, ...], chips_cents: int, *, occupied: bool) -> None:
    """Check wagers together; with ``occupied`` the hands of others that they stand on must be there already."""
    if not wagers:
        return
    first = opening(now.terms, None)
    stakes = [Stake(seat - 1, each.bet, each.cents, None if each.on is None else each.on - 1) for each in wagers]
    verify_stakes(first.game, first.options, first.limits, now.terms.seats, stakes, now.terms.preset)
    for place, stake in enumerate(stakes):
        name = wager_named(first.game, stake.bet).name
        if any((old.bet, old.on) == (stake.bet, stake.on) for old in stakes[:place]):
            raise WagerError(f"{name} stands twice: a wager is placed once")
        if occupied and stake.on is not None and stake.on + 1 not in now.seats:
            raise WagerError(f"{name} goes on another occupied seat: nobody sits in seat {stake.on + 1}")
    verify_seat(first.game, first.options, seat - 1, stakes)
    needed = staked_cents(now.terms, wagers)
    if needed > chips_cents:
        raise WagerError(
            f"wagers of {format_dollars(needed)} are more than the {format_dollars(chips_cents)} at your seat"
        )


def _wager(_now: Sitting, command: Wager, _by: str, at: int, _chance: Chance) -> tuple[Event, ...]:
    return (Staked(seat=command.seat, stakes=command.stakes, seed_hash=command.seed_hash, at=at),)


# Seed.


def _verify_seed(now: Sitting, command: Seed, by: str, _at: int) -> None:
    _verify_holder(now, command.seat, by)
    _verify_phase(now, Phase.SEEDS, "no seeds")
    verify_seed(now, command)


def _seed(_now: Sitting, command: Seed, _by: str, _at: int, _chance: Chance) -> tuple[Event, ...]:
    return (SeedShown(seat=command.seat, seed=command.seed),)


# Deal.


def _verify_deal(now: Sitting, _command: Deal, by: str, at: int) -> None:
    if now.phase is Phase.SEEDS:
        if awaited := seeds_awaited(now):
            raise IllegalActionError(f"seat {awaited[0]} has yet to show its seed: wait for it")
        return
    _verify_phase(now, Phase.WAGERS, "no deal")
    if not any(held.stakes for held in now.seats.values()):
        raise IllegalActionError("nobody has wagered: place a wager first")
    if by == HOUSE:
        return
    if not now.sits(by):
        raise NotYoursError("only who sits here may call for the cards")
    waiting = [seat for seat, held in now.seats.items() if held.stakes is None]
    if waiting and not is_late(now, at):
        raise IllegalActionError(f"seat {waiting[0]} has yet to wager or to sit out: wait for it")


def _deal(now: Sitting, _command: Deal, _by: str, at: int, chance: Chance) -> tuple[Event, ...]:
    standing = now.standing
    if now.phase is Phase.WAGERS and (seeds_awaited(now) or now.terms.linked):
        return (Locked(progressive_round=chance.progressive_round, at=at),)
    seats = tuple(seat for seat, held in now.seats.items() if held.stakes)
    game = game_of(now.terms)
    drawn = draw_decks(now, game.deck, chance.bits)
    return (
        DealtOut(
            round=standing.number,
            seats=seats,
            deck=_written(drawn.deck, game.deck),
            spare=_written(drawn.spare, game.deck),
            back=game.deck_backs[(standing.number - 1) % len(game.deck_backs)] if game.deck_backs else "",
            meter=chance.meter if now.terms.linked else standing.meter,
            at=at,
        ),
    )


def _written(cards: tuple[int, ...], deck: Deck) -> str:
    return " ".join(format_card(card, deck) for card in cards)


# Decide.


def _verify_decide(now: Sitting, command: Decide, by: str, _at: int) -> None:
    _verify_holder(now, command.seat, by)
    _verify_phase(now, Phase.DECISIONS, "no decision")
    if now.round is None or now.turn != command.seat:
        raise IllegalActionError(f"seat {command.seat} cannot {command.action} now: it is seat {now.turn}'s turn")
    legal = {action.id: action for action in now.round.legal_actions()}
    if command.action not in legal:
        raise IllegalActionError(f"{command.action!r} is not possible now: legal are {', '.join(legal)}")
    place = now.playing.index(command.seat)
    cards = parse_cards(" ".join(command.cards), now.round.game.deck) if command.cards else ()
    cost_cents = now.round.verify_decide(place, command.action, cards).stake * now.round.stake_cents(place, "main")
    free_cents = now.free_cents(command.seat)
    if cost_cents > free_cents:
        left = f"{format_dollars(free_cents)} is left"
        raise WagerError(
            f"{command.action} takes {format_dollars(cost_cents)} more, and {left}: buy chips, or choose again"
        )


def _decide(_now: Sitting, command: Decide, _by: str, at: int, chance: Chance) -> tuple[Event, ...]:
    cards = " ".join(command.cards)
    return (Acted(seat=command.seat, action=command.action, cards=cards, awards=chance.awards, at=at),)


# Time out.


def _verify_time_out(now: Sitting, _command: TimeOut, by: str, at: int) -> None:
    waits = by != HOUSE and now.sits(by) and now.turn == awaited(now)
    if by != HOUSE and not waits:
        raise NotYoursError("only the house calls time")
    if now.phase is Phase.SEEDS and (hidden := seeds_awaited(now)):
        if by != HOUSE:
            raise NotYoursError("only the house calls a round off")
        if not is_late(now, at):
            raise IllegalActionError(f"seat {hidden[0]} still has time: wait until it is up")
        return
    _verify_phase(now, Phase.DECISIONS, "nobody to call time on")
    if waits and now.turn is not None:
        verify_absent(now, now.turn, at)
    elif not is_late(now, at):
        raise IllegalActionError(f"seat {now.turn} still has time: wait until it is up")


def _time_out(now: Sitting, _command: TimeOut, _by: str, at: int, chance: Chance) -> tuple[Event, ...]:
    if now.phase is Phase.SEEDS:
        return void_round(now, at, chance.bits)
    if now.round is None or now.turn is None:
        return ()
    action, cards = now.round.timed_out()
    given = format_cards(cards, now.round.game.deck)
    return (Acted(seat=now.turn, action=action, cards=given, late=True, awards=chance.awards, at=at),)


# Settle.


def _verify_settle(now: Sitting, _command: Settle, by: str, _at: int) -> None:
    _verify_phase(now, Phase.SETTLE, "nothing to settle")
    if by != HOUSE and not now.sits(by):
        raise NotYoursError("only the house or a seat of this table settles a round")


def _settle(now: Sitting, _command: Settle, _by: str, at: int, chance: Chance) -> tuple[Event, ...]:
    if now.round is None:
        return ()
    nets = next(event.nets_cents for event in now.round.events if isinstance(event, Closed))
    paid = Paid(
        round=now.standing.number,
        nets=tuple(Net(seat=seat, cents=cents) for seat, cents in zip(now.playing, nets, strict=True)),
        meter=None if now.terms.linked else meter_at(now.round.meter),
        revealed=now.secret,
        at=at,
    )
    return (paid, *commit_house(now.terms, now.standing.table, now.standing.number + 1, chance.bits))


def _verify_relieve(now: Sitting, _command: Relieve, by: str, _at: int) -> None:
    if by != HOUSE:
        raise NotYoursError("only the house says who deals")
    if now.terms.linked is None:
        raise IllegalActionError("this table plays for no progressive: it needs no dealer")


def _verify_leave(now: Sitting, command: Leave, by: str, at: int) -> None:
    held = now.seats.get(command.seat)
    if held and by not in (HOUSE, held.holder) and now.sits(by) and now.paid and command.seat == awaited(now):
        verify_absent(now, command.seat, at)  # others give up the chair of who walked off
    elif by != HOUSE or held is None:
        _verify_holder(now, command.seat, by)
    if now.in_round(command.seat) or (now.locked and now.seats[command.seat].stakes):
        raise IllegalActionError(f"seat {command.seat} is in this round: leave when it is settled")


def _leave(now: Sitting, command: Leave, _by: str, _at: int, _chance: Chance) -> tuple[Event, ...]:
    return (Left(seat=command.seat, cents=now.seats[command.seat].chips_cents),)


_VERIFIED_BY: dict[str, Callable[..., None]] = {
    "sit": _verify_sit,
    "wager": _verify_wager,
    "seed": _verify_seed,
    "deal": _verify_deal,
    "decide": _verify_decide,
    "time-out": _verify_time_out,
    "settle": _verify_settle,
    "relieve": _verify_relieve,
    "leave": _verify_leave,
    "close-table": verify_closing,
}

_DONE_BY: dict[str, Callable[..., tuple[Event, ...]]] = {
    "sit": _sit,
    "wager": _wager,
    "seed": _seed,
    "deal": _deal,
    "decide": _decide,
    "time-out": _time_out,
    "settle": _settle,
    "relieve": lambda _now, command, *_: (Relieved(dealer=command.dealer),),
    "leave": _leave,
    "close-table": lambda now, _command, by, at, chance: close(now, by, at, chance, _DONE_BY),
}
