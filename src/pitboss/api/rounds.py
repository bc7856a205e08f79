"""A round without a screen: wagers, decisions, and each circle's settlement."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from pitboss.analysis.position import format_view_cards
from pitboss.api.arguments import (
    CardInputs,
    OptionInputs,
    PayTableInputs,
    choose_options,
    choose_paytables,
    join_cards,
    read_meter,
)
from pitboss.api.choices import LegalChoice
from pitboss.builders import display_name
from pitboss.cards import format_cards, seeded_bits, shuffle_cards, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.cards.typed import parse_typed_cards
from pitboss.contract import Game
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import IllegalActionError, WagerError, quote
from pitboss.core.money import MAX_CENTS
from pitboss.core.numbers import MAX_SEED
from pitboss.core.read_only_dict import ReadOnlyDict
from pitboss.core.text import verify_text
from pitboss.meter import UNITS_PER_CENT, Meter
from pitboss.options import get_wager_status
from pitboss.table.round import CardsShown, EnvyPaid, Round, Stake, WagerSettled, open_round
from pitboss.table.round.payment import sum_nets_cents

WagerInputs = Mapping[str, int | Mapping[int, int]]
"""A seat's wagers by bet, in whole dollars; on other seats' hands, a mapping of those seats to dollars."""

_CENTS = 100
_DEFAULT_CENTS = 1_000
_MOST_DOLLARS = MAX_CENTS // _CENTS - 1


@dataclass(frozen=True, slots=True)
class PendingDecision:
    """A question to a seat: the cards it sees, by name, and every legal choice.

    Seats count from 0.  ``HouseGame.hint(decision.cards)`` values the choices.

    >>> import pitboss as pb
    >>> asked = pb.game("six-card").round(seed=4).decision
    >>> asked.seat, asked.id, dict(asked.cards)
    (0, 'fold-or-play', {'player': 'Ac Kc Th 5c 2h 2c', 'dealer': 'Kd 6c 3d'})
    """

    seat: int
    id: str
    question: str
    cards: Mapping[str, str]
    legal: tuple[LegalChoice, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the question as JSON data.

        >>> import pitboss as pb
        >>> pb.game("six-card").round(seed=4).decision.to_dict()["legal"]
        [{'action': 'fold', 'cards': []}, {'action': 'play', 'cards': []}]
        """
        cards, legal = dict(self.cards), [choice.to_dict() for choice in self.legal]
        return {"seat": self.seat, "id": self.id, "question": self.question, "cards": cards, "legal": legal}


@dataclass(frozen=True, slots=True)
class CircleResult:
    """How one circle of a seat was settled, in cents, and why.

    ``result`` is "win", "push" or "lose".
    ``on`` is the other seat whose hand the wager is on.  An envy award has the circle ``envy`` and no stake.

    >>> import pitboss as pb
    >>> table = pb.game("six-card").round(deck="As Kd 9h 7c 4s 2d")
    >>> table.act("fold")
    >>> (ante,) = table.results
    >>> ante.circle, ante.result, ante.stake_cents, ante.net_cents, ante.reason
    ('ante', 'lose', 1000, -1000, 'folded')
    """

    seat: int
    bet: str
    circle: str
    result: str
    stake_cents: int
    net_cents: int
    reason: str
    on: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON data, with the names of the attributes."""
        return asdict(self)


class TableRound:
    """A round, dealt and waiting for decisions; ``HouseGame.round`` deals it.

    >>> import pitboss as pb
    >>> table = pb.game("six-card").round(wagers={"main": 10, "aces-up": 5}, seed=4)
    >>> while asked := table.decision:
    ...     table.act(asked.legal[-1])
    >>> [(each.circle, each.net_cents) for each in table.results]
    [('ante', 1000), ('play', 1000), ('aces-up', -500)]
    >>> table.results[0].reason
    "pair of deuces beats the dealer's ace-king high"
    """

    def __init__(self, dealt: Round, bits: BitSource) -> None:
        """Take a dealt round, and the bits that reshuffle discards (LU-11)."""
        self._round = dealt
        self._bits = bits

    def __repr__(self) -> str:
        """Name the game, and what it waits for."""
        asked = self.decision
        waits = f"seat {asked.seat} to {asked.id}" if asked else "nothing: it is settled"
        return f"<a round of {self._round.game.name}, waiting for {waits}>"

    @property
    def decision(self) -> PendingDecision | None:
        """The question to the seat whose turn it is; None once the round is over."""
        now = self._round
        if now.turn is None:
            return None
        seat, index = now.turn
        decision, deck = now.game.decisions[index], now.game.deck
        view = now.get_view(seat)
        held = format_cards(view.player, deck).split()
        legal = (
            LegalChoice(action.id, cards)
            for action in now.list_legal_actions()
            for cards in combinations(held, action.discards)
        )
        cards = ReadOnlyDict(format_view_cards(view, decision, deck))
        return PendingDecision(seat, decision.id, decision.question, cards, tuple(legal))

    def act(self, choice: LegalChoice | str, cards: CardInputs = "") -> None:
        """Answer the decision with a choice, or with an action's id and cards.

        The cards are those that the action gives up: a text like ``7h 2c``, or a sequence of them.

        >>> import pitboss as pb
        >>> table = pb.game("lunar").round(deck="As Ks Qd 7h 2c")
        >>> table.act("exchange-2", ("7h", "2c"))
        >>> table.decision.cards["discarded"]
        '7h 2c'

        Raises:
            Error: the round is over, the action is not legal now, or its cards are not the seat's or too few or many.
        """
        now = self._round
        if isinstance(choice, LegalChoice):
            cards, choice = choice.cards, choice.action
        verify_text(choice, "an action", IllegalActionError)
        text = join_cards(cards, "the cards given up")
        if now.turn is None:
            raise IllegalActionError("the round is over: open another one", code="round-over", action=choice)
        given_up = parse_typed_cards(text, now.game.deck)
        self._round = now.decide(now.turn[0], choice, given_up, lambda muck: shuffle_cards(muck, self._bits))

    @property
    def results(self) -> tuple[CircleResult, ...]:
        """Each circle that is settled already, in the order of settlement."""
        results = list[CircleResult]()
        for event in self._round.events:
            if isinstance(event, WagerSettled):
                results += [
                    CircleResult(
                        event.seat,
                        event.bet,
                        leg.circle,
                        leg.result.name.lower(),
                        leg.stake_cents,
                        leg.net_cents,
                        leg.reason,
                        event.on,
                    )
                    for leg in event.legs
                ]
            elif isinstance(event, EnvyPaid):
                reason = f"{display_name(event.line)} at another seat"
                results.append(CircleResult(event.seat, event.bet, "envy", "win", 0, event.cents, reason, event.hitter))
        return tuple(results)

    @property
    def nets_cents(self) -> tuple[int, ...]:
        """The net of each seat in cents, over all circles that are settled.

        >>> import pitboss as pb
        >>> table = pb.game("six-card").round(seats=2, wagers={"main": 25}, seed=1)
        >>> table.act("fold"), table.act("fold"), table.nets_cents
        (None, None, (-2500, -2500))
        """
        return sum_nets_cents(self._round.events, self._round.seats)

    @property
    def open_cards(self) -> Mapping[str, str]:
        """The cards turned up for all to see, those of ``dealer``, ``seat 0`` ...

        >>> import pitboss as pb
        >>> dict(pb.game("six-card").round(seed=4).open_cards)
        {'dealer': '3d Kd 6c'}
        """
        shown = self._list_shown_cards()
        return ReadOnlyDict({f"seat {each}" if isinstance(each, int) else each: shown[each] for each in shown})

    @property
    def open_hands(self) -> Mapping[int, str]:
        """The cards of each seat that are turned up for all to see.

        >>> import pitboss as pb
        >>> table = pb.game("six-card").round(deck="As Kd 9h 7c 4s 2d", seed=4)
        >>> table.act("play")
        >>> dict(table.open_hands)
        {0: '4s As 9h 2d Kd 7c'}
        """
        return ReadOnlyDict({seat: cards for seat, cards in self._list_shown_cards().items() if isinstance(seat, int)})

    def _list_shown_cards(self) -> dict[str | int, str]:
        shown = dict[str | int, list[int]]()
        for event in self._round.events:
            if isinstance(event, CardsShown):
                shown.setdefault(event.zone if event.seat is None else event.seat, []).extend(event.cards)
        return {place: format_cards(cards, self._round.game.deck) for place, cards in shown.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return what all seats may see of the round, and the decision, as JSON data.

        The decision has the cards of the seat that is asked: show them to it alone.

        >>> import pitboss as pb
        >>> table = pb.game("six-card").round(seed=4)
        >>> table.act("fold")
        >>> table.to_dict()["decision"], table.to_dict()["nets_cents"]
        (None, [-1000])
        """
        asked = self.decision
        return {
            "game": self._round.game.id,
            "decision": asked and asked.to_dict(),
            "open_cards": dict(self.open_cards),
            "results": [each.to_dict() for each in self.results],
            "nets_cents": list(self.nets_cents),
        }


def deal_round(
    game: Game,
    seats: int | None,
    wagers: WagerInputs | Sequence[WagerInputs] | None,
    deck: CardInputs,
    seed: int | None,
    options: OptionInputs,
    paytables: PayTableInputs,
    meter_cents: int | None,
) -> TableRound:
    """Place the wagers and deal a round, as ``HouseGame.round`` describes."""
    values = choose_options(game, options)
    by_seat = _list_wagers_by_seat(game, wagers if wagers is not None else _get_default_wagers(game, values), seats)
    tables = choose_paytables(game, paytables)
    cents = read_meter(meter_cents, tables.values())
    meter = None if cents is None else Meter(cents * UNITS_PER_CENT, 0)
    opened = open_round(game, len(by_seat), options=values, paytables=tables, meter=meter)
    for seat, of_seat in enumerate(by_seat):
        for stake in _read_stakes(game, seat, of_seat):
            opened = opened.place_wager(stake)
    if seed is not None:
        seed = verify_whole(seed, "a seed", 0, MAX_SEED)
    bits = system_bits if seed is None else seeded_bits(seed)
    top = parse_typed_cards(join_cards(deck, "a deck"), game.deck)
    rest = shuffle_cards([card for card in game.deck.cards if card not in top], bits)
    return TableRound(opened.deal((*top, *rest), lambda muck: shuffle_cards(muck, bits)), bits)


def _get_default_wagers(game: Game, options: Mapping[str, str]) -> WagerInputs:
    """Return $10 on each mandatory wager, or what its limits allow."""
    mandatory = (wager for wager in game.wagers if get_wager_status(game, wager, options) == "mandatory")
    return {
        wager.id: min(max(_DEFAULT_CENTS, wager.limits.minimum_cents), wager.limits.maximum_cents) // _CENTS
        for wager in mandatory
    }


def _list_wagers_by_seat(
    game: Game, wagers: WagerInputs | Sequence[WagerInputs], seats: int | None
) -> Sequence[WagerInputs]:
    """Return the wagers of each seat; one mapping is staked by every seat."""
    if seats is not None:
        seats = verify_whole(seats, "the number of seats", 1, game.seats, IllegalActionError)
    if isinstance(wagers, Mapping):
        return [wagers] * (seats or 1)
    if not isinstance(wagers, list | tuple):
        raise WagerError(
            f"wagers are {quote(wagers)}: give a mapping for each seat, for example {{'main': 10}}",
            code="invalid-wagers",
            wagers=wagers,
        )
    if seats is not None and seats != len(wagers):
        raise WagerError(
            f"there are wagers of {len(wagers)} seats, and seats is {seats}: give one mapping for each",
            code="unequal-seats",
            given=len(wagers),
            seats=seats,
        )
    return wagers


def _read_stakes(game: Game, seat: int, wagers: WagerInputs) -> list[Stake]:
    """Return a seat's stakes, in cents, from its wagers in dollars."""
    if not isinstance(wagers, Mapping):
        raise WagerError(
            f"the wagers of a seat are {quote(wagers)}: give a mapping, for example {{'main': 10}}",
            code="invalid-wagers",
            wagers=wagers,
        )
    stakes = []
    for bet, placed in wagers.items():
        verify_text(bet, "a bet", WagerError)
        for other, dollars in (placed if isinstance(placed, Mapping) else {None: placed}).items():
            on = None if other is None else verify_whole(other, f"the other seat of {bet}", 0, game.seats - 1)
            whole = verify_whole(dollars, f"the wager on {bet}, in dollars,", 1, _MOST_DOLLARS)
            stakes.append(Stake(seat, bet, whole * _CENTS, on))
    return stakes
