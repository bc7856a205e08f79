"""Rounds for dealer training: dealt out by the rules and played to their end by bots, with wagers of all kinds.

The engine shows every hand that wins before the draw by itself.  Here one may be planted that nobody turns up (ruling
W6-8): what had to be shown is lost, its seat is asked as any other is, and nothing more of it is settled before the
dealer has opened his hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Self

from pydantic import Field

from pitboss.cards import draw_below, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, Game, HandOwner
from pitboss.core.strict_model import StrictModel
from pitboss.table.optional_toml import load_optional_toml
from pitboss.table.round import (
    CardsDealt,
    DecisionMade,
    Round,
    RoundEvent,
    Stake,
    StakePlaced,
    WagerSettled,
    open_round,
)
from pitboss.table.round.bots import choose_bot_action, get_default_bot
from pitboss.table.round.wagers import compute_limits

LOSE = "lose"

_STAKE_MULTIPLES = (1, 2, 3, 5)
_CANDIDATES = 4


class DealingProcedure(StrictModel):
    """Where a game's dealing procedure stands: clauses by kind of step, of payments by wager as well.

    What a file leaves out is cited as nothing, and a game without a file cites nothing of its own.

    ``collect`` is that of the cards once the round is over.  With ``draws_together`` all seats choose before one is
    served.  ``keys`` is the clause of a progressive's keys,
    ``unshown`` that of a winning first hand which nobody turned up; it loses the wager ``forfeit``.
    """

    deal: str = ""
    show: str = ""
    ask: str = ""
    settle: str = ""
    pay: str = ""
    collect: str = "each round is dealt from a freshly shuffled deck (ALL-5)"
    pays: dict[str, str] = Field(default_factory=dict)
    draw: str = ""
    draws_together: bool = False
    envy: str = ""
    keys: str = ""
    unshown: str = ""
    forfeit: str = ""


@cache
def load_procedure(game: Game) -> DealingProcedure:
    """Return the clauses of a game's procedure, ``procedure.toml`` of its folder where it has one.

    Raises:
        PitbossError: the file is not in order.
    """
    return load_optional_toml(game, "procedure.toml", DealingProcedure) or DealingProcedure()


@dataclass(frozen=True)
class UnshownHandRound(Round):
    """A round in which seat ``hidden_seat`` does not turn up its first hand, and so loses the wager ``forfeit``."""

    hidden_seat: int = 0
    forfeit: str = ""

    @classmethod
    def from_round(cls, game_round: Round, hidden_seat: int, forfeit: str) -> Self:
        """Return a round that has not been dealt yet, in which a seat will keep its hand face down."""
        kept = {each.name: getattr(game_round, each.name) for each in fields(game_round)}
        return cls(**kept, hidden_seat=hidden_seat, forfeit=forfeit)

    def _get_decision(self, seat: int) -> int:
        asked = super()._get_decision(seat)
        has_decided = any(isinstance(event, DecisionMade) and event.seat == seat for event in self.events)
        return 0 if asked == NO_DECISION and seat == self.hidden_seat and not has_decided else asked

    def _settle_state(self, state: Any) -> tuple[int, ...]:
        ends = super()._settle_state(state)
        if state is not self.states[self.hidden_seat]:
            return ends
        return tuple(
            next(place for place, outcome in enumerate(wager.outcomes) if outcome.name == LOSE)
            if wager.id == self.forfeit
            else (end if self.is_dealer_open else UNSETTLED)
            for wager, end in zip(self.game.wagers, ends, strict=True)
        )


def find_hideable_hands(game_round: Round, deck: Sequence[int], forfeit: str) -> Iterator[tuple[int, int]]:
    """Yield seats that would win ``forfeit`` with their first hand from a deck, each with the cents it would be paid.

    Another side wager must lie there, for which the whole hand is turned up in the end: else nobody ever knew.
    """
    for event in game_round.deal(deck).events:
        if isinstance(event, WagerSettled) and event.bet == forfeit and event.net_cents > 0:
            others = {stake.bet for stake in game_round.stakes if stake.seat == event.seat} - {"main", forfeit}
            if others:
                yield event.seat, event.net_cents


def deal_training_round(game: Game, seats: int, bits: BitSource = system_bits, *, unshown: bool = False) -> Round:
    """Return a round that bots have played to its end, with wagers of all kinds.

    With ``unshown`` a winning first hand is never turned up, in a game whose procedure knows of that.
    """
    clauses = load_procedure(game)
    hides = unshown and clauses.forfeit
    now, deck = (
        _open_with_hidden_hand(game, seats, clauses.forfeit, bits) if hides else _open_with_wagers(game, seats, bits)
    )
    now = now.deal(deck, lambda cards: shuffle_cards(cards, bits))
    bot = get_default_bot(game)
    while now.turn is not None:
        action, cards = choose_bot_action(now, bot)
        now = now.decide(now.turn[0], action, cards, lambda left: shuffle_cards(left, bits))
    return replace(now, events=_group_draws(now.events)) if clauses.draws_together else now


def _open_with_wagers(game: Game, seats: int, bits: BitSource) -> tuple[Round, tuple[int, ...]]:
    """Return a round with its wagers placed, and a deck for it."""
    now = open_round(game, seats)
    for seat in range(seats):
        for stake in _choose_stakes(now, seat, bits):
            now = now.place_wager(stake)
    return now, tuple(shuffle_cards(game.deck.cards, bits))


def _open_with_hidden_hand(game: Game, seats: int, forfeit: str, bits: BitSource) -> tuple[Round, tuple[int, ...]]:
    """Return a round in which a winning first hand stays face down: of several, the one that would be paid best."""
    found: list[tuple[int, Round, tuple[int, ...]]] = []
    while len(found) < _CANDIDATES:
        now, deck = _open_with_wagers(game, seats, bits)
        for seat, cents in find_hideable_hands(now, deck, forfeit):
            found.append(
                (cents // now.get_stake_cents(seat, forfeit), UnshownHandRound.from_round(now, seat, forfeit), deck)
            )
    _, now, deck = max(found, key=lambda each: each[0])
    return now, deck


def _choose_stakes(game_round: Round, seat: int, bits: BitSource) -> Iterator[Stake]:
    """Yield what a seat wagers: what it must, and about half of what it may, within every tie."""
    limits = compute_limits(game_round.game, "", None)
    base = _STAKE_MULTIPLES[draw_below(len(_STAKE_MULTIPLES), bits)]
    placed: set[str] = set()
    for wager in game_round.game.wagers:
        needed = {tie.bet for tie in wager.constraints}
        may = game_round.get_wager_status(wager) == "optional" and needed <= placed and draw_below(2, bits)
        others = [other for other in range(game_round.seats) if other != seat]
        if not (game_round.get_wager_status(wager) == "mandatory" or may) or (
            wager.hand_owner is HandOwner.OTHER_SEAT and not others
        ):
            continue
        on = others[draw_below(len(others), bits)] if wager.hand_owner is HandOwner.OTHER_SEAT else None
        cents = min(base * limits[wager.id].minimum_cents, limits[wager.id].maximum_cents)
        placed.add(wager.id)
        yield Stake(seat, wager.id, cents, on)


def count_opening_events(events: tuple[RoundEvent, ...]) -> int:
    """Return how many events come before anything but wagers and the first cards."""
    return next(place for place, event in enumerate(events) if not isinstance(event, StakePlaced | CardsDealt))


def _group_draws(events: tuple[RoundEvent, ...]) -> tuple[RoundEvent, ...]:
    """Put what seats choose before what they are then given: the cards are the same, drawn in the same order."""
    first = count_opening_events(events)
    last = max((place for place, event in enumerate(events) if isinstance(event, DecisionMade)), default=first)
    choosing = [place for place in range(first, last) if isinstance(events[place], DecisionMade | CardsDealt)]
    start = choosing[0] if choosing else last
    chosen = sorted(events[start : last + 1], key=lambda event: isinstance(event, CardsDealt))
    return (*events[:start], *chosen, *events[last + 1 :])
