"""Twin worlds: the same table on which only the cards differ that a viewer cannot see.

What a viewer can see is worked out here from the deal, the order of the decisions and the settlements, by none of the
code that makes what is sent.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitboss.cards import format_cards, parse_cards, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner, LegResult
from pitboss.core.errors import PitbossError
from pitboss.table.round import (
    CardsDealt,
    DecisionMade,
    EnvyPaid,
    Round,
    RoundClosed,
    StakePlaced,
    StubReshuffled,
    WagerSettled,
)
from pitboss.table.round import RoundEvent as Happened
from pitboss.table.round.wagers import get_wager
from pitboss.table.session import TableSession, replay_events
from pitboss.table.session.events import ActionTaken, RoundDealt, RoundSettled, SessionEvent
from table.seated import evening_with_events

TRIES = 12
"""How many twins are drawn before one is taken to be out of reach: in most the public events are others."""


def cards_in(masks: Sequence[int]) -> set[int]:
    """Return the cards of some sets."""
    return {card for mask in masks for card in range(mask.bit_length()) if mask >> card & 1}


@dataclass
class Oracle:
    """What lies open in a round, followed step by step."""

    dealt_number: int = 0
    settled: int = 0
    middle: set[int] = field(default_factory=set)
    laid: dict[int, set[int]] = field(default_factory=dict)
    own: dict[int, set[int]] = field(default_factory=dict)

    def follow(self, now: TableSession) -> None:
        """Take in one more step."""
        if now.round is None:
            return
        if now.last_round_number != self.dealt_number:
            self.dealt_number, self.settled, self.middle, self.laid, self.own = now.last_round_number, 0, set(), {}, {}
        seats = range(now.round.seats)
        views = [cards_in(now.round.get_view(place)) for place in seats]
        if not _amid_a_decision(now.round):
            self.middle |= set().union(*views) & _dealt_to(now.round, None)
        for place in seats:
            self.own[place] = self.own.get(place, set()) | views[place] & _dealt_to(now.round, place)
        self._lay_open(now.round)

    def _lay_open(self, now: Round) -> None:
        """Lay open the hands that a settlement shows: paid, folded with a wager to settle, or met by the dealer's."""
        settled = [event for event in now.events if isinstance(event, WagerSettled)]
        fresh, self.settled = settled[self.settled :], len(settled)
        gone = {event.seat for event in now.events if isinstance(event, DecisionMade) and event.action == "fold"}
        for event in fresh:
            if get_wager(now.game, event.bet).hand_owner is HandOwner.DEALER:
                continue
            place = event.seat if event.on is None else event.on
            paid = any(leg.result is LegResult.WIN for leg in event.legs)
            lost_by_fold = any(leg.reason == "folded" for leg in event.legs)
            if paid or (not lost_by_fold if place in gone else now.is_closed):
                hand = now.get_view(place)
                shown = cards_in((hand.player, getattr(hand, "discarded", 0) if event.bet != "main" else 0))
                self.laid[place] = self.laid.get(place, set()) | shown & _dealt_to(now, place)

    def seen(self, now: TableSession, viewer: int | None) -> set[int]:
        """Return the cards that a chair may see; with None what lies open to all."""
        seen = self.middle.union(*self.laid.values())
        if now.round is not None and viewer in now.round_seats and viewer in now.seats:
            place = now.round_seats.index(viewer)
            if now.round_holders[place] == now.seats[viewer].holder:
                seen |= self.own[place]
        return seen


def _amid_a_decision(now: Round) -> bool:
    """Return whether some have taken the decision that is asked, and others have yet to."""
    decided = [event.decision for event in now.events if isinstance(event, DecisionMade)]
    return bool(decided) and now.turn is not None and now.game.decisions[now.turn[1]].id == decided[-1]


def _dealt_to(now: Round, place: int | None) -> set[int]:
    return {
        card for event in now.events if isinstance(event, CardsDealt) and event.seat == place for card in event.cards
    }


def public(now: TableSession) -> list[Any]:
    """Return what everybody at the table learns of a round but for faces."""
    return [] if now.round is None else [now.round.turn, now.phase, *public_events(now.round.events)]


def public_events(events: Sequence[Happened]) -> list[Any]:
    """Return what everybody learns of events but for faces: who got, did, won and lost how much."""
    told: list[Any] = []
    for event in events:
        match event:
            case StakePlaced() | EnvyPaid() | RoundClosed():
                told.append(event)
            case CardsDealt(to, cards, seat):
                told.append((to, len(cards), seat))
            case DecisionMade():
                told.append((event.seat, event.decision, event.action, len(event.cards), event.cents))
            case StubReshuffled(cards):
                told.append(len(cards))
            case WagerSettled():
                legs = [(leg.circle, leg.stake_cents, leg.result, leg.net_cents) for leg in event.legs]
                told.append((event.seat, event.bet, event.on, event.meter_cents, event.short_cents, legs))
    return told


Drawn = Callable[[list[int], BitSource], Sequence[int]]
"""Returns cards in another order."""


@dataclass(frozen=True)
class Moment:
    """A table after a step: ``past`` has happened up to the last deal, one group a round, and led to ``before``."""

    now: TableSession
    past: tuple[tuple[SessionEvent, ...], ...]
    before: TableSession | None
    since: tuple[SessionEvent, ...]
    oracle: Oracle

    def unseen(self, viewer: int | None) -> list[int]:
        """Return the cards that a chair cannot see."""
        return sorted({*self.game.deck.cards} - self.oracle.seen(self.now, viewer))

    @property
    def game(self) -> Game:
        """The game of the round."""
        assert self.now.round is not None
        return self.now.round.game

    def twin(self, viewer: int | None, bits: BitSource, drawn: Drawn) -> tuple[SessionEvent, ...]:
        """Lay the cards that a chair cannot see otherwise; return what then has happened, nothing if that is public."""
        unseen = self.unseen(viewer)
        other = dict(zip(unseen, drawn(unseen, bits), strict=True))
        since = tuple(self.swapped(other, bits))
        try:
            twin = replay_events(since, self.before)
        except PitbossError:  # somebody could not have done what was done
            return ()
        return since if public(twin) == public(self.now) else ()

    def swapped(self, other: dict[int, int], bits: BitSource) -> Iterator[SessionEvent]:
        """Yield what has happened with some cards in place of others; how the spare deck lies nobody knows either."""
        assert self.now.round is not None
        shuffled = any(isinstance(event, StubReshuffled) for event in self.now.round.events)
        deck = self.game.deck

        def written(text: str) -> str:
            return format_cards([other.get(card, card) for card in parse_cards(text, deck)], deck)

        for event in self.since:
            match event:
                case RoundDealt():
                    spare = parse_cards(written(event.spare), deck)
                    spare = spare if shuffled else tuple(shuffle_cards(spare, bits))
                    cards = {"deck": written(event.deck), "spare": format_cards(spare, deck)}
                    yield event.model_copy(update=cards)
                case ActionTaken() if event.cards:
                    yield event.model_copy(update={"cards": written(event.cards)})
                case _:
                    yield event


def all_others(unseen: list[int], bits: BitSource) -> Sequence[int]:
    """Lay all unseen cards otherwise."""
    return shuffle_cards(unseen, bits)


def few_others(unseen: list[int], bits: BitSource) -> Sequence[int]:
    """Exchange a few of the unseen cards, which changes the public events less often."""
    moved = sorted(list(shuffle_cards(range(len(unseen)), bits))[:4])
    turned = [*moved[1:], *moved[:1]]
    cards = list(unseen)
    for place, source in zip(moved, turned, strict=True):
        cards[place] = unseen[source]
    return cards


def moments(game: Game, seed: int, rounds: int, options: dict[str, str] | None = None) -> Iterator[Moment]:
    """Play an evening and yield it after every step of a round, from the deal to the settlement."""
    oracle, before = Oracle(), None
    past: tuple[tuple[SessionEvent, ...], ...] = ()
    since: tuple[SessionEvent, ...] = ()
    last: TableSession | None = None
    for events, now in evening_with_events(game, seed, rounds, options):
        dealt = next((place for place, event in enumerate(events) if isinstance(event, RoundDealt)), None)
        if dealt is not None:
            past = (*past, since, events[:dealt])
            before, since = replay_events(events[:dealt], last), events[dealt:]
        else:
            since = (*since, *events)
        last = now
        oracle.follow(now)
        if now.round is not None and (not now.is_settled or any(isinstance(event, RoundSettled) for event in events)):
            yield Moment(now, past, before, since, oracle)


def twin_of(moment: Moment, viewer: int | None, bits: BitSource) -> tuple[SessionEvent, ...]:
    """Return what has happened since the deal at a twin of a table; nothing where none is found."""
    for attempt in range(TRIES):
        twin = moment.twin(viewer, bits, few_others if attempt % 3 else all_others)
        if twin:
            return twin
    return ()
