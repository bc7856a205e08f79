"""What a seat may see of a sitting, as JSON holds it: its own cards, what lies open, the backs of all others.

Everything that is sent to a seat is made here.  A card that the seat may not see is null.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pitboss.builders import display_name
from pitboss.cards import format_card, make_mask, popcount
from pitboss.contract import Game
from pitboss.core.money import format_dollars
from pitboss.hands import NO_HAND, format_hand, load_hand_tables
from pitboss.meter import NO_LIMIT, compute_displayed_cents
from pitboss.table.domain.events import Closed, Dealt, Decided, EnvyPaid, Event, Reshuffled, Settled, Shown, Wagered
from pitboss.table.domain.seen import state_as_seen
from pitboss.table.domain.wagers import circle_name, wager_named
from pitboss.table.sitting.offered import circles_of, least_cents
from pitboss.table.sitting.seeds import seeds_awaited, show_fairness
from pitboss.table.sitting.standing import Seat
from pitboss.table.sitting.state import Phase, Sitting
from pitboss.table.sitting.terms import game_of

Json = dict[str, Any]


def view(now: Sitting, seat: int | None = None) -> Json:
    """Return what a seat may see, or who only watches (None)."""
    standing, game = now.standing, game_of(now.terms)
    eyes = _Eyes(now, seat)
    meter = now.meter_now()
    return {
        "table": standing.table,
        "game": game.id,
        "name": game.name,
        "sequence": standing.sequence,
        "round": standing.number if now.paid else now.dealt_number,
        "phase": str(now.phase),
        "over": now.round is not None and now.round.closed,
        "you": seat,
        "seats": [_seat(eyes, number) for number in range(1, now.terms.seats + 1)],
        "zones": list(eyes.zones()),
        "dealer": eyes.made(None),
        "turn": _turn(now),
        "deadline": _deadline(now),
        "actions": _actions(now, seat),
        "next": _next(now, seat),
        "deck": now.back,
        "meter_cents": None if meter is None else compute_displayed_cents(meter, NO_LIMIT),
        "fair": show_fairness(now, seat),
        "log": [each for event in eyes.events() for each in _told(eyes, event)],
    }


class _Eyes:
    """What of the round in play, or the last one, a seat sees."""

    def __init__(self, now: Sitting, seat: int | None) -> None:
        self.now = now
        self.seat = seat
        self.round = now.round
        self._seen: dict[int | None, int] = {}
        self.own = now.playing.index(seat) if seat is not None and self.dealt_in(seat) else None

    def dealt_in(self, seat: int) -> bool:
        """Return whether who sits there now was dealt the hand that lies there."""
        held = self.now.seats.get(seat)
        if self.round is None or held is None or seat not in self.now.playing:
            return False
        return self.now.holders[self.now.playing.index(seat)] == held.holder

    def events(self) -> tuple[Event, ...]:
        """Return what has happened in the round."""
        return self.round.events if self.round is not None else ()

    def seen(self, place: int | None) -> int:
        """Return the cards before a seat, or with None in the middle, that are to be seen there, as a mask.

        Each place has its own: a card given up may come to another hand (LU-11), and neither hand tells of it.
        """
        if place in self._seen:
            return self._seen[place]
        shown = (event for event in self.events() if isinstance(event, Shown) and event.seat == place)
        seen = make_mask({card for event in shown for card in event.cards})
        if self.round is not None and place is not None and place == self.own:
            mine = make_mask({card for event in self._dealt_to(place) for card in event.cards})
            for cards in self.round.view(place):
                seen |= cards & mine
        self._seen[place] = seen
        return seen

    def _dealt_to(self, place: int) -> Iterator[Dealt]:
        return (event for event in self.events() if isinstance(event, Dealt) and event.seat == place)

    def cards(self, cards: Iterable[int], place: int | None) -> list[str | None]:
        """Write cards that lie before a seat, or in the middle; null for those that are not to be seen there."""
        if self.round is None:
            return []
        seen = self.seen(place)
        return [format_card(card, self.round.game.deck) if seen >> card & 1 else None for card in cards]

    def hand(self, place: int) -> tuple[list[int], list[int]]:
        """Return the cards that a seat holds, and those it has given up, in the order in which they came."""
        aside = {
            card
            for event in self.events()
            if isinstance(event, Decided) and event.seat == place
            for card in event.cards
        }
        dealt = [card for event in self._dealt_to(place) for card in event.cards]
        return [card for card in dealt if card not in aside], [card for card in dealt if card in aside]

    def zones(self) -> Iterator[Json]:
        """Yield what lies before the dealer and in the middle, in the order of the deal."""
        laid: dict[str, list[int]] = {}
        for event in self.events():
            if isinstance(event, Dealt) and event.seat is None:
                laid.setdefault(event.to, []).extend(event.cards)
        for zone, cards in laid.items():
            yield {"zone": zone.lower(), "name": display_name(zone).capitalize(), "cards": self.cards(cards, None)}

    def state(self, place: int | None) -> Any:
        """Return a seat's state, or with None one with the dealer's hand, of the cards that are to be seen alone.

        None where it is not to be known what the hand comes to.  What Force turned stands only in the states of those
        who forced (LU-10), so the dealer's is the one with the most cards.
        """
        if self.round is None or not self.round.dealt:
            return None
        now, middle = self.round, self.seen(None)
        if place is not None:
            return state_as_seen(now, place, self.seen(place), middle) if self.seen(place) else None
        if not now.opened:
            return None
        states = (state_as_seen(now, each, None, middle) for each in range(now.seats))
        known = (state for state in states if state is not None)
        return max(known, key=lambda state: sum(map(popcount, now.game.rules.view(state))), default=None)

    def made(self, place: int | None) -> str:
        """Name what a seat's cards make, or with None the dealer's; nothing where that is not to be known."""
        state = self.state(place)
        if self.round is None or state is None:
            return ""
        mine, dealers = self.round.game.rules.evaluate_hands(load_hand_tables(), state, self.round.codes)
        made = dealers if place is None else mine
        return format_hand(made) if made != NO_HAND else ""


def known_state(now: Sitting, viewer: int | None, seat: int | None) -> Any:
    """Return the state of ``seat``, or with None one with the dealer's hand, of the cards alone that ``viewer`` sees.

    None where nobody was dealt in there, or where it is not to be known what the hand comes to.
    """
    eyes = _Eyes(now, viewer)
    if seat is None:
        return eyes.state(None)
    return eyes.state(now.playing.index(seat)) if eyes.dealt_in(seat) else None


def _seat(eyes: _Eyes, number: int) -> Json:
    now = eyes.now
    held = now.seats.get(number)
    place = now.playing.index(number) if eyes.dealt_in(number) else None
    kept, aside = eyes.hand(place) if place is not None else ([], [])
    return {
        "seat": number,
        "name": held.name if held else "",
        "taken": held is not None,
        "bot": bool(held and held.bot),
        "mine": number == eyes.seat,
        "chips_cents": now.free_cents(number) if held else 0,
        "ready": bool(held and held.stakes is not None),
        "playing": place is not None,
        "turn": now.turn == number,
        "cards": eyes.cards(kept, place),
        "aside": eyes.cards(aside, place),
        "made": eyes.made(place) if place is not None else "",
        "wagers": _coming(now, held),
        "circles": list(_circles_of(eyes, place)),
        "net_cents": _net(eyes, place),
        "late": [
            {"what": each.what, "action": each.action}
            for each in now.late
            if held and (each.seat, each.holder) == (number, held.holder)
        ],
    }


def _net(eyes: _Eyes, place: int | None) -> int | None:
    if place is None:
        return None
    return next((event.nets_cents[place] for event in eyes.events() if isinstance(event, Closed)), None)


def _coming(now: Sitting, held: Seat | None) -> list[Json] | None:
    """Return the wagers that a seat has placed for the coming round: none: it sits out, null: it has not said."""
    if held is None or held.stakes is None or not now.paid:
        return None
    game = game_of(now.terms)
    return [
        _circle(stake.bet, circle, stake.on, stake.cents, game)
        for stake in held.stakes
        for circle in circles_of(wager_named(game, stake.bet))
    ]


def _circles_of(eyes: _Eyes, place: int | None) -> Iterator[Json]:
    """Yield a seat's circles of the round on the felt: what lies there and what became of it."""
    now = eyes.now
    if place is None or now.round is None:
        return
    game = now.round.game
    decided = {
        (event.bet, event.on, leg.circle): leg
        for event in eyes.events()
        if isinstance(event, Settled) and event.seat == place
        for leg in event.legs
    }
    lying: dict[tuple[str, int | None, str], int] = {}
    for event in eyes.events():
        if isinstance(event, Wagered) and event.seat == place:
            for circle in circles_of(wager_named(game, event.bet)):
                lying[event.bet, event.on, circle] = event.cents
        elif isinstance(event, Decided) and event.seat == place and event.cents:
            raised = ("main", None, event.circle)
            lying[raised] = lying.get(raised, 0) + event.cents
    for key in dict.fromkeys((*lying, *decided)):
        bet, on, circle = key
        chair = None if on is None else now.playing[on]
        leg = decided.get(key)
        yield {
            **_circle(bet, circle, chair, lying.get(key, 0), game),
            "result": leg.verdict.name.lower() if leg else None,
            "net_cents": leg.net_cents if leg else None,
            "reason": leg.reason if leg else "",
        }
    for event in eyes.events():
        if isinstance(event, EnvyPaid) and event.seat == place:
            reason = f"seat {now.playing[event.hitter]} has a {display_name(event.line)}"
            envy = {**_circle(event.bet, "envy", now.playing[event.hitter], 0, game), "name": "Envy"}
            yield {**envy, "result": "win", "net_cents": event.cents, "reason": reason}


def _circle(bet: str, circle: str, on: int | None, cents: int, game: Game) -> Json:
    return {"bet": bet, "circle": circle, "name": circle_name(circle, game), "on": on, "cents": cents}


def _turn(now: Sitting) -> Json | None:
    if now.turn is None or now.round is None or now.round.turn is None:
        return None
    decision = now.round.game.decisions[now.round.turn[1]]
    return {"seat": now.turn, "decision": decision.id, "question": decision.question}


def _deadline(now: Sitting) -> int | None:
    """Return the second at which whoever is waited for is late."""
    return now.standing.since + now.seconds if now.standing.since and now.seconds else None


def _actions(now: Sitting, seat: int | None) -> list[Json]:
    if seat is None or now.turn != seat or now.round is None:
        return []
    ante_cents = now.round.stake_cents(now.playing.index(seat), "main")
    free_cents = now.free_cents(seat)
    return [
        {
            "action": action.id,
            "name": display_name(action.id).capitalize(),
            "gives": action.discards,
            "takes": action.draws,
            "cost_cents": action.stake * ante_cents,
            "circle": action.circle,
            "affordable": action.stake * ante_cents <= free_cents,
        }
        for action in now.round.legal_actions()
    ]


def _next(now: Sitting, seat: int | None) -> Json:
    """Return the one thing that the seat does next, in a line."""
    held = now.seats.get(seat) if seat is not None else None
    if held is None:
        full = len(now.seats) >= now.terms.seats
        return _step("wait", "Every seat is taken: you watch.") if full else _step("sit", "Take a free seat.")
    match now.phase:
        case Phase.WAGERS:
            return _next_wager(now, held)
        case Phase.SEEDS:
            own = held.stakes and held.seed_hash and not held.seed
            waits = "Seeds are being shown." if seeds_awaited(now) else "The progressive takes its wagers."
            return _step("seed", "Show your seed.") if own else _step("wait", waits)
        case Phase.DECISIONS:
            if now.turn == seat:
                turn = _turn(now)
                return _step("decide", turn["question"] if turn else "")
            name = "" if now.turn is None else now.seats[now.turn].name
            return _step("wait", f"Seat {now.turn}, {name}, is deciding.")
        case Phase.SETTLE:
            return _step("wait" if now.terms.linked else "settle", "The round is played.")


def _next_wager(now: Sitting, held: Seat) -> Json:
    waiting = [number for number, each in now.seats.items() if each.stakes is None]
    if held.stakes is None:
        least = format_dollars(least_cents(now))
        return _step("wager", f"{now.refused}Place your wagers: at least {least}, or sit this round out.")
    others = f"Seat {waiting[0]}, {now.seats[waiting[0]].name}, is wagering." if waiting else ""
    if not held.stakes:  # what was said is replaced until the cards come
        return _step("wager", f"You sit this round out. {others or 'Nobody has wagered.'} You may still place wagers.")
    return _step("wait", others) if waiting else _step("deal", "All wagers are placed: deal.")


def _step(step: str, text: str) -> Json:
    return {"step": step, "text": text}


def _told(eyes: _Eyes, event: Event) -> Iterator[Json]:
    """Yield what has happened as the seat sees it."""
    chairs = eyes.now.playing
    match event:
        case Dealt():
            seat = None if event.seat is None else chairs[event.seat]
            yield {"kind": "dealt", "to": event.to.lower(), "seat": seat, "cards": eyes.cards(event.cards, event.seat)}
        case Shown():
            seat = None if event.seat is None else chairs[event.seat]
            yield {"kind": "shown", "zone": event.zone, "seat": seat, "cards": eyes.cards(event.cards, event.seat)}
        case Decided():
            yield {
                "kind": "decided",
                "seat": chairs[event.seat],
                "action": event.action,
                "cards": eyes.cards(event.cards, event.seat),
                "cents": event.cents,
                "circle": event.circle,
            }
        case Reshuffled():
            yield {"kind": "reshuffled", "cards": [None] * len(event.cards)}
        case Settled():
            yield _settlement(event, chairs)
        case EnvyPaid():
            seat, hitter = chairs[event.seat], chairs[event.hitter]
            yield {"kind": "envy", "seat": seat, "hitter": hitter, "line": event.line, "cents": event.cents}
        case Closed():
            nets = dict(zip(map(str, chairs), event.nets_cents, strict=True))
            yield {"kind": "closed", "nets_cents": nets}


def _settlement(event: Settled, chairs: tuple[int, ...]) -> Json:
    return {
        "kind": "settled",
        "seat": chairs[event.seat],
        "bet": event.bet,
        "on": None if event.on is None else chairs[event.on],
        "outcome": event.outcome,
        "net_cents": event.net_cents,
        "meter_cents": event.meter_cents,
        "circles": [
            {
                "circle": leg.circle,
                "cents": leg.stake_cents,
                "result": leg.verdict.name.lower(),
                "net_cents": leg.net_cents,
                "reason": leg.reason,
            }
            for leg in event.legs
        ],
    }
