"""A round, driven once for one to six seats: commands in, events out.

``open_round`` -> ``wager`` for each stake -> ``deal`` a deck -> ``decide`` while there is a ``turn`` -> closed.  Each
command has a ``verify_...`` that raises and says why not, and returns a new ``Round``; the old one stands.  What the
sheets order differently (who is asked when, what is paid before the draw, which card comes next) is in the games'
rules; this driver only asks, serves cards, and pays what the rules call decided, highest seat first (ALL-10).

>>> from pitboss.cards import parse_cards
>>> from pitboss.games import load_game
>>> from pitboss.table.domain.opening import open_round
>>> game = game_named("six-card")
>>> cards = parse_cards("As Ad Kh 9c 5d 2s 4c 4d 9s 9h Kc Qc", game.deck)
>>> deck = cards + tuple(card for card in game.deck.cards if card not in cards)
>>> now = open_round(game).wager(Stake(0, "main", 1000)).deal(deck)
>>> now.turn
(0, 0)
>>> now.decide(0, "play").events[-1]
Closed(nets_cents=(-2000,))
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from pitboss.cards import FIRST_JOKER, format_cards, get_rank, make_mask, verify_cards
from pitboss.contract import Action, Game, LegResult, Outcome, PayTable, StakeLimits, Wager
from pitboss.core.errors import CardError, IllegalActionError, UnknownNameError
from pitboss.core.integers import verify_integer
from pitboss.hands import load_hand_tables
from pitboss.meter import Meter
from pitboss.options import get_wager_status
from pitboss.table.domain.events import Closed, Dealt, Decided, Event, FixedAward, Reshuffled, Wagered
from pitboss.table.domain.payment import after_coin_in, decided_wagers, envy, in_turn, nets_cents, settle
from pitboss.table.domain.procedure import (
    Step,
    first_dealings,
    folded_in,
    is_turned_up,
    passed_by_all,
    program,
    uncovered,
    with_hands_shown,
)
from pitboss.table.domain.reasons import LOST_BY_FOLD, Hand
from pitboss.table.domain.records import replace
from pitboss.table.domain.stub import Shuffle, Stub
from pitboss.table.domain.wagers import Span, Stake, verify_all, verify_stake, wager_named


@dataclass(frozen=True)
class Round:
    """One round, as far as it has come.  Seats count from 0; money is whole cents.

    ``options`` holds every option of the game, and ``codes`` what the rules take of them, ``paytables`` one table of
    each kind, ``limits`` each wager's, ``states`` each seat's state once the cards are dealt, ``opening_meter`` the
    progressive before the round and ``meter`` as it now stands; ``awards`` are those that a progressive elsewhere has
    fixed.
    """

    game: Game
    seats: int
    options: Mapping[str, str]
    codes: Any
    paytables: Mapping[str, PayTable]
    preset: str
    own_limits: Mapping[str, Span]
    limits: Mapping[str, StakeLimits]
    opening_meter: Meter | None
    meter: Meter | None
    stakes: tuple[Stake, ...] = ()
    states: tuple[Any, ...] = ()
    events: tuple[Event, ...] = ()
    closed: bool = False
    awards: tuple[FixedAward, ...] = ()
    _stub: Stub = field(default_factory=Stub)
    _at: int = 0
    _open: tuple[Stake, ...] = ()
    _ends: tuple[tuple[Any, tuple[int, ...]], ...] = ()

    # What there is to know.

    @property
    def dealt(self) -> bool:
        """Whether cards have been dealt, after which no wager changes."""
        return bool(self.states)

    @cached_property
    def turn(self) -> tuple[int, int] | None:
        """The seat to act and the index of its decision; None before the deal and after the last decision."""
        if not self.dealt or self.closed:
            return None
        step, decision, seat = program(self.game, self.seats)[self._at]
        waits = step is Step.ASK and self._decision_of(seat) == decision
        return (seat, decision) if waits else None

    def view(self, seat: int) -> Any:
        """Return what a seat may see: its game's view, a named tuple of card masks."""
        return self.game.rules.view(self.states[seat])

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the actions of the seat whose turn it is, in the game's order; none when it is nobody's."""
        return tuple(self._legal.values())

    @cached_property
    def _legal(self) -> dict[str, Action]:
        if self.turn is None:
            return {}
        seat, decision = self.turn
        stub = self._stub.could_serve(self._given_up(seat), self.game.undrawable_cards)
        allowed = self.game.rules.legal_actions(load_hand_tables(), self.view(seat), decision, stub, self.codes)
        actions = self.game.decisions[decision].actions
        return {action.id: action for index, action in enumerate(actions) if allowed >> index & 1}

    def status_of(self, wager: Wager) -> str:
        """Return whether a wager is "mandatory", "optional" or "off" at this table."""
        return get_wager_status(self.game, wager, self.options)

    def timed_out(self) -> tuple[str, tuple[int, ...]]:
        """Return what a seat does that does not answer in time: the action, and the lowest cards that are no Jokers.

        Raises:
            IllegalActionError: it is nobody's turn.
        """
        if self.turn is None:
            raise IllegalActionError("nobody has anything to decide")
        seat, index = self.turn
        decision = self.game.decisions[index]
        action = next(action for action in decision.actions if action.id == decision.timeout_action)
        held = [card for card in range(FIRST_JOKER) if self.view(seat).player >> card & 1]
        return action.id, tuple(sorted(held, key=lambda card: (get_rank(card), card))[: action.discards])

    def stake_cents(self, seat: int, bet: str) -> int:
        """Return what a seat has on a bet, over all hands it stands on."""
        return sum(stake.cents for stake in self.stakes if (stake.seat, stake.bet) == (seat, bet))

    @property
    def on_meter(self) -> bool:
        """Whether any seat has a wager that a meter pays."""
        bets = {table.bet for table in self.paytables.values() if table.progressive}
        return any(stake.bet in bets for stake in self.stakes)

    def down_cents(self, seat: int) -> int:
        """Return all chips a seat has put down in this round, raises and fees included."""
        placed = sum(
            stake.cents * len(wager_named(self.game, stake.bet).circles or (stake.bet,))
            for stake in self.stakes
            if stake.seat == seat
        )
        return placed + sum(event.cents for event in self.events if isinstance(event, Decided) and event.seat == seat)

    # Wagers.

    def verify_wager(self, stake: Stake) -> None:
        """Check a stake by itself; what ties it to others is checked when the cards are dealt.

        Raises:
            WagerError: it is off, outside its limits, or on a wrong hand.
            UnknownNameError: there is no such bet.
            IllegalActionError: the cards are dealt, the seat does not exist, or the wager already stands.
        """
        if self.dealt:
            raise IllegalActionError("no more wagers: the cards are dealt")
        verify_integer(stake.seat, "a seat", IllegalActionError)
        if not 0 <= stake.seat < self.seats:
            raise IllegalActionError(f"there is no seat p{stake.seat + 1}: seats are p1 to p{self.seats}")
        verify_stake(self.game, self.options, self.limits, self.seats, stake, self.preset)
        if any((old.seat, old.bet, old.on) == (stake.seat, stake.bet, stake.on) for old in self.stakes):
            message = f"p{stake.seat + 1} already has {wager_named(self.game, stake.bet).name}: a wager is placed once"
            raise IllegalActionError(message)

    def wager(self, stake: Stake) -> Self:
        """Place a stake (raises as ``verify_wager``)."""
        self.verify_wager(stake)
        event = Wagered(stake.seat, stake.bet, stake.cents, stake.on)
        return replace(self, stakes=(*self.stakes, stake), events=(*self.events, event))

    def verify_wagers(self) -> None:
        """Check that no mandatory wager is missing and no tie between wagers is broken, or raise WagerError."""
        verify_all(self.game, self.options, self.seats, self.stakes)

    # The deal.

    def verify_deal(self, deck: Sequence[int]) -> None:
        """Check that the wagers are complete and the deck is this game's, whole.

        Raises:
            WagerError: a mandatory wager is missing or a tie between wagers is broken.
            CardError: ``deck`` is not every card of the game's deck once.
            IllegalActionError: the cards are dealt already.
        """
        if self.dealt:
            raise IllegalActionError("the cards of this round are dealt already")
        verify_cards(deck, self.game.deck, "the deck")
        if len(deck) != self.game.deck.size:
            raise CardError(f"the deck has {len(deck)} cards: {self.game.id} is dealt from {self.game.deck.size}")
        self.verify_wagers()

    def deal(self, deck: Sequence[int], shuffle: Shuffle | None = None) -> Self:
        """Deal the first cards from ``deck`` in order, pay what is decided at once, and go on to the first decision.

        ``shuffle`` puts cards given up by others into a new order when a stub runs out (LU-11).  Raises as
        ``verify_deal``.
        """
        self.verify_deal(deck)
        rules = self.game.rules
        states = tuple(rules.deal(deck, self.seats, seat, self.wagered(seat)) for seat in range(self.seats))
        now = replace(
            self,
            states=states,
            meter=after_coin_in(self.paytables, self.meter, self.stakes),
            events=(*self.events, *first_dealings(self.game, self.seats, deck)),
            _stub=Stub(tuple(deck[rules.count_dealt(self.seats) :])),
            _open=in_turn(self.game, self.stakes),
            _ends=((None, ()),) * self.seats,
        )
        return now._uncovered()._paid()._advanced(shuffle)

    # Decisions.

    def verify_decide(self, seat: int, action: str, cards: Iterable[int] = ()) -> Action:
        """Check an action and return it.

        Raises:
            IllegalActionError: it is not this seat's turn, the action is not legal now, or it gives up cards the seat
                does not have or the wrong number of them.
            UnknownNameError: the game has no such action.
            CardError: a card is not one of the game's deck.
        """
        verify_integer(seat, "a seat", IllegalActionError)
        if self.turn is None or self.turn[0] != seat:
            who = "nobody's" if self.turn is None else f"p{self.turn[0] + 1}'s"
            raise IllegalActionError(f"p{seat + 1} cannot {action} now: it is {who} turn")
        legal = self._legal
        if action not in legal:
            known = {known.id: known for decision in self.game.decisions for known in decision.actions}
            if action not in known:
                raise UnknownNameError("action", action, known)
            raise IllegalActionError(f"p{seat + 1} cannot {action} now: legal are {', '.join(legal)}")
        given = list(cards)
        named = format_cards(given, self.game.deck)
        held = self.view(seat).player
        if len(given) != legal[action].discards or len(set(given)) != len(given) or make_mask(given) & ~held:
            wrong = f", not {named}" if given else ""
            count, held_cards = legal[action].discards, format_cards(held, self.game.deck)
            rule = f"{count} of your cards: name {count} of {held_cards}" if count else "no card: name none"
            raise IllegalActionError(f"{action} gives up {rule}{wrong}")
        return legal[action]

    def decide(self, seat: int, action: str, cards: Iterable[int] = (), shuffle: Shuffle | None = None) -> Self:
        """Take an action for the seat whose turn it is, and go on to the next decision or the end.

        Raises as ``verify_decide``.
        """
        given = tuple(cards)
        taken = self.verify_decide(seat, action, given)
        index = program(self.game, self.seats)[self._at][1]
        decision = self.game.decisions[index]
        state = self.game.rules.act(self.states[seat], index, decision.actions.index(taken), make_mask(given))
        cents = taken.stake * self.stake_cents(seat, "main")
        event = Decided(seat, decision.id, action, given, cents, taken.circle)
        now = replace(self, events=(*self.events, event), _at=self._at + 1)
        now = now._with_state(seat, state)._served(seat, shuffle)._uncovered()
        # With the dealer's hand open all seats choose first: they are settled together, highest seat first (LU-10).
        return (now if decision.shows_dealer else now._paid())._advanced(shuffle)

    # How it goes on by itself.

    def _decision_of(self, seat: int) -> int:
        return int(self.game.rules.next_decision(load_hand_tables(), self.states[seat], self.codes))

    def wagered(self, seat: int) -> int:
        """Return the wagers that a seat has placed as the rules take them: bit i for the game's wager i."""
        placed = {stake.bet for stake in self.stakes if stake.seat == seat}
        return sum(1 << index for index, wager in enumerate(self.game.wagers) if wager.id in placed)

    def _with_state(self, seat: int, state: Any) -> Self:
        return replace(self, states=(*self.states[:seat], state, *self.states[seat + 1 :]))

    def _advanced(self, shuffle: Shuffle | None) -> Self:
        now = self
        while not now.closed and now.turn is None:
            step, _, seat = program(now.game, now.seats)[now._at]
            before = now.states
            match step:
                case Step.ASK:
                    now = now._served(seat, shuffle)
                case Step.OPEN_DEALER:
                    now = now._dealer_served()
                    now = replace(now, states=tuple(now.game.rules.show_dealer(state) for state in now.states))
                case Step.FINISH:
                    now = now._dealer_served()
            now = replace(now, _at=now._at + 1)._uncovered()
            if now.states is not before or step is Step.FINISH:
                now = now._paid()
            if step is Step.FINISH:
                now = now._finished()
        return now

    def _uncovered(self) -> Self:
        """Turn up what lies open, but not while seats that must not see it have yet to decide."""
        if not passed_by_all(program(self.game, self.seats), self._at):
            return self
        events = tuple(uncovered(self.game, self.states, self.events))
        return replace(self, events=self.events + events) if events else self

    def _given_up(self, seat: int) -> int:
        """Return what other seats have given up, if it may be shuffled into a new stub for ``seat`` (LU-11)."""
        if self.options.get("short_deck") != "reshuffle":
            return 0
        given_up = 0
        for other, state in enumerate(self.states):
            if other != seat:
                given_up |= self.game.rules.get_muck(state)
        return given_up

    def _served(self, seat: int, shuffle: Shuffle | None) -> Self:
        """Give a seat the cards it is owed, from the stub and, when that runs short, from what others gave up."""
        count = self.game.rules.count_draws(load_hand_tables(), self.states[seat], self.codes)
        if not count:
            return self
        stub, events = self._stub, self.events
        if stub.could_serve(0, self.game.undrawable_cards) < count:
            order, stub = stub.renewed(self._given_up(seat), shuffle)
            events = (*events, Reshuffled(order))
        drawn, stub = stub.drawn(count)
        state = self.game.rules.receive_draw(self.states[seat], make_mask(drawn))
        return replace(self._with_state(seat, state), _stub=stub, events=(*events, Dealt("seat", drawn, seat)))

    def _dealer_served(self) -> Self:
        """Give the dealer the cards he takes now; what one seat's state asks for, every seat's state receives."""
        count = max(self.game.rules.count_dealer_draws(state) for state in self.states)
        if not count:
            return self
        drawn, stub = self._stub.drawn(count)
        states = tuple(
            self.game.rules.receive_dealer_draw(state, make_mask(drawn))
            if self.game.rules.count_dealer_draws(state)
            else state
            for state in self.states
        )
        events = (*self.events, Dealt("dealer", drawn))
        return replace(self, states=states, _stub=stub, events=events)

    @property
    def opened(self) -> bool:
        """Whether the dealer's hand has been opened."""
        return any(step is Step.OPEN_DEALER for step, _, _ in program(self.game, self.seats)[: self._at])

    def _hand(self, seat: int, outcome: Outcome) -> Hand:
        closed = Hand(self.game, self.states[seat], self.codes, self.options, open_to_all=False)
        up = is_turned_up(
            paid=any(leg.result is LegResult.WIN for leg in outcome.legs),
            opened=self.opened,
            folded=seat in folded_in(self.events),
            lost_by_fold=any(closed.reason(leg.reason, "") == LOST_BY_FOLD for leg in outcome.legs),
        )
        return replace(closed, open_to_all=up)

    def _ended(self, state: Any) -> tuple[int, ...]:
        """Return how each wager of a seat's state ends, OPEN where that is not decided yet."""
        ends: tuple[int, ...] = self.game.rules.settle(load_hand_tables(), state, self.codes)
        return ends

    def _paid(self) -> Self:
        """Pay every wager that the rules now call decided and that is not paid yet."""
        ends = tuple(  # of a seat that has not moved on the rules are not asked again
            (state, ended) if state is before else (state, self._ended(state))
            for state, (before, ended) in zip(self.states, self._ends, strict=True)
        )
        decided = decided_wagers(self.game, self._open, [ended for _, ended in ends], self._hand)
        if not decided:
            return replace(self, _ends=ends)
        settled, meter = settle(decided, self.paytables, self.options, self.seats, self.meter)
        events = with_hands_shown(self.game, self.states, self.events, settled, opened=self.opened)
        done = {each.stake for each in decided}
        return replace(
            self,
            events=(*self.events, *events),
            meter=meter,
            _open=tuple(stake for stake in self._open if stake not in done),
            _ends=ends,
        )

    def _finished(self) -> Self:
        """Pay envy last, and close."""
        last = envy(self.game, self.paytables, self.options, self.stakes, [ended for _, ended in self._ends])
        events = (*self.events, *last)
        return replace(self, events=(*events, Closed(nets_cents(events, self.seats))), closed=True)
