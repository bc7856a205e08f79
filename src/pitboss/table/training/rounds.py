"""Rounds for dealer training, played by bots with wagers of all kinds.

They are dealt by the rules and played to their end.  The round driver itself shows every hand that wins before the
draw.  Here a round may have one that nobody turns up (ruling W6-8): the wager that had to be shown is lost, its seat is
asked like any other, and nothing more of it is settled before the dealer's hand is opened.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from pitboss.cards import draw_below, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, HandOwner, StakeConstraintKind, Wager
from pitboss.core.errors import IllegalActionError
from pitboss.meter import Meter
from pitboss.options import find_active_constraints
from pitboss.table.round import (
    CardsDealt,
    DecisionMade,
    Round,
    RoundEvent,
    Stake,
    StakePlaced,
    WagerSettled,
    find_decisions,
)
from pitboss.table.round.bots import choose_bot_action, get_default_bot
from pitboss.table.round.wagers import get_wager, is_violated
from pitboss.table.session.state import open_table_round
from pitboss.table.session.terms import TableTerms
from pitboss.table.training.procedure import load_procedure
from pitboss.table.training.stacking import stack_deck

LOSE = "lose"

_STAKE_MULTIPLES = (1, 2, 3, 5)
_CANDIDATES = 4
_MOST_DEALS = 400


@dataclass(frozen=True)
class UnshownHandRound(Round):
    """A round in which a seat does not turn up its first hand.

    Seat ``hidden_seat`` loses the wager ``forfeit`` by this.
    """

    hidden_seat: int = 0
    forfeit: str = ""

    @classmethod
    def from_round(cls, game_round: Round, hidden_seat: int, forfeit: str) -> Self:
        """Convert an undealt round into one in which a seat hides its hand."""
        values = {each.name: getattr(game_round, each.name) for each in fields(game_round)}
        return cls(**values, hidden_seat=hidden_seat, forfeit=forfeit)

    def _get_decision(self, seat: int) -> int:
        decision = super()._get_decision(seat)
        has_decided = any(find_decisions(self.events, seat))
        return 0 if decision == NO_DECISION and seat == self.hidden_seat and not has_decided else decision

    def _settle_state(self, state: Any) -> tuple[int, ...]:
        outcomes = super()._settle_state(state)
        if state is not self.states[self.hidden_seat]:
            return outcomes
        return tuple(
            next(index for index, each in enumerate(wager.outcomes) if each.name == LOSE)
            if wager.id == self.forfeit
            else (outcome if self.is_dealer_open else UNSETTLED)
            for wager, outcome in zip(self.game.wagers, outcomes, strict=True)
        )


def find_hideable_hands(game_round: Round, deck: Sequence[int], forfeit: str) -> Iterator[tuple[int, int]]:
    """Yield seats whose first hand from a deck would win ``forfeit``.

    Each comes with the cents that it would be paid.  The seat must have another side wager, for which its whole hand is
    turned up in the end: else nobody would know.
    """
    for event in game_round.deal(deck).events:
        if isinstance(event, WagerSettled) and event.bet == forfeit and event.net_cents > 0:
            others = {stake.bet for stake in game_round.stakes if stake.seat == event.seat} - {"main", forfeit}
            if others:
                yield event.seat, event.net_cents


def open_training_round(terms: TableTerms, meter: Meter | None = None) -> Round:
    """Open a round at a table of these terms, with all its seats taken.

    Its progressive has ``meter``, else its seed.
    """
    return open_table_round(terms, meter, terms.seats)


def deal_training_round(
    opened: Round, bits: BitSource = system_bits, *, unshown: bool = False, stacked: bool = False
) -> Round:
    """Deal an opened round with wagers of all kinds, which bots play to its end.

    With ``unshown`` a winning first hand is not turned up, if the game's procedure has a clause for that.  With
    ``stacked`` the shuffle makes rare hands likelier.
    """
    if unshown and hides_hands(opened):
        hidden = _place_with_hidden_hand(opened, load_procedure(opened.game).forfeit, bits)
        if hidden:
            return _play_out(*hidden, bits)
    placed = _place_wagers(opened, bits)
    deck = stack_deck(opened.game, opened.seats, bits) if stacked else _shuffle_deck(opened, bits)
    return _play_out(placed, deck, bits)


def hides_hands(opened: Round) -> bool:
    """Return whether a winning first hand may stay unshown at this table."""
    forfeit = load_procedure(opened.game).forfeit
    return bool(forfeit) and opened.get_wager_status(get_wager(opened.game, forfeit)) != "off"


def _play_out(placed: Round, deck: Sequence[int], bits: BitSource) -> Round:
    """Deal a deck to placed wagers; bots play the round to its end."""
    played = placed.deal(deck, lambda cards: shuffle_cards(cards, bits))
    bot = get_default_bot(played.game)
    while played.turn is not None:
        action, discards = choose_bot_action(played, bot)
        played = played.decide(played.turn[0], action, discards, lambda cards: shuffle_cards(cards, bits))
    together = load_procedure(played.game).draws_together
    return replace(played, events=_group_draws(played.events)) if together else played


def _shuffle_deck(opened: Round, bits: BitSource) -> tuple[int, ...]:
    return tuple(shuffle_cards(opened.game.deck.cards, bits))


def find_closing_meter(played: Round) -> tuple[int, int] | None:
    """Find the meter and the reserve that a round leaves, in units."""
    return (played.meter.units, played.meter.reserve_units) if played.meter else None


def _place_wagers(opened: Round, bits: BitSource) -> Round:
    """Place every seat's stakes, which bits choose."""
    game_round = opened
    for seat in range(opened.seats):
        for stake in _choose_stakes(opened, seat, bits):
            game_round = game_round.place_wager(stake)
    return game_round


def _place_with_hidden_hand(opened: Round, forfeit: str, bits: BitSource) -> tuple[Round, tuple[int, ...]] | None:
    """Place wagers and choose a deck in which a winning first hand stays face down.

    Of several, it is the one that would pay best.  There is none where the house offers no other wager on that hand.
    """
    candidates: list[tuple[int, Round, tuple[int, ...]]] = []
    for _ in range(_MOST_DEALS):
        if len(candidates) >= _CANDIDATES:
            break
        game_round, deck = _place_wagers(opened, bits), _shuffle_deck(opened, bits)
        for seat, cents in find_hideable_hands(game_round, deck, forfeit):
            odds = cents // game_round.get_stake_cents(seat, forfeit)
            candidates.append((odds, UnshownHandRound.from_round(game_round, seat, forfeit), deck))
    return max(candidates, key=lambda each: each[0])[1:] if candidates else None


def _choose_stakes(opened: Round, seat: int, bits: BitSource) -> tuple[Stake, ...]:
    """Choose a seat's stakes, which meet every stake constraint.

    They are the mandatory wagers and about half of the optional ones, all at one multiple of their minimum as far as
    limits and constraints allow it.  Where a constraint allows none of a mandatory wager, the main wager is the lowest
    or the highest that it can be.
    """
    multiple = _STAKE_MULTIPLES[draw_below(len(_STAKE_MULTIPLES), bits)]
    wagers = tuple(_choose_wagers(opened, seat, bits))
    limits = opened.limits["main"]
    chosen_cents = min(multiple * limits.minimum_cents, limits.maximum_cents)
    for main_cents in (chosen_cents, limits.minimum_cents, limits.maximum_cents):
        cents = _size_stakes(opened, [wager for wager, _ in wagers], multiple, main_cents)
        mandatory = {wager.id for wager, _ in wagers if opened.get_wager_status(wager) == "mandatory"}
        if mandatory <= cents.keys():
            return tuple(Stake(seat, wager.id, cents[wager.id], on) for wager, on in wagers if wager.id in cents)
    raise IllegalActionError(
        f"no stakes within the limits of {opened.game.name} meet its rules: change the limits", code="invalid-limit"
    )


def _choose_wagers(opened: Round, seat: int, bits: BitSource) -> Iterator[tuple[Wager, int | None]]:
    """Yield the wagers of a seat, each with the other seat that it is on."""
    placed: set[str] = set()
    others = [other for other in range(opened.seats) if other != seat]
    for wager in opened.game.wagers:
        status = opened.get_wager_status(wager)
        needed = {each.bet for each in wager.constraints}
        is_chosen = status == "optional" and needed <= placed and draw_below(2, bits)
        if not (status == "mandatory" or is_chosen) or (wager.hand_owner is HandOwner.OTHER_SEAT and not others):
            continue
        on = others[draw_below(len(others), bits)] if wager.hand_owner is HandOwner.OTHER_SEAT else None
        placed.add(wager.id)
        yield wager, on


def _size_stakes(opened: Round, wagers: Iterable[Wager], multiple: int, main_cents: int) -> dict[str, int]:
    """Return the cents of each wager; one that no amount fits is left out."""
    cents = dict[str, int]()
    for wager in wagers:
        limits, constraints = opened.limits[wager.id], find_active_constraints(wager, opened.options)
        amount = main_cents if wager.id == "main" else min(multiple * limits.minimum_cents, limits.maximum_cents)
        for each in constraints:
            other_cents = cents.get(each.bet, 0)
            if each.kind is not StakeConstraintKind.ONLY_WITH and is_violated(each, amount, other_cents):
                amount = other_cents
        fits = limits.minimum_cents <= amount <= limits.maximum_cents and not amount % limits.unit_cents
        if fits and not any(is_violated(each, amount, cents.get(each.bet, 0)) for each in constraints):
            cents[wager.id] = amount
    return cents


def count_opening_events(events: tuple[RoundEvent, ...]) -> int:
    """Count the opening events: wagers and the first cards, before anything else."""
    return next(place for place, event in enumerate(events) if not isinstance(event, StakePlaced | CardsDealt))


def _group_draws(events: tuple[RoundEvent, ...]) -> tuple[RoundEvent, ...]:
    """Move all decisions before the draws that follow them.

    The cards are the same, drawn in the same order.
    """
    first = count_opening_events(events)
    last = max((index for index, event in enumerate(events) if isinstance(event, DecisionMade)), default=first)
    moved = [index for index in range(first, last) if isinstance(events[index], DecisionMade | CardsDealt)]
    start = moved[0] if moved else last
    grouped = sorted(events[start : last + 1], key=lambda event: isinstance(event, CardsDealt))
    return (*events[:start], *grouped, *events[last + 1 :])
