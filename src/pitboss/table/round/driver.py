"""The driver of a round for one to six seats: commands in, events out.

``open_round`` -> ``place_wager`` for each stake -> ``deal`` a deck -> ``decide`` while there is a ``turn`` -> closed.
Each command returns a new ``Round`` and leaves the old one unchanged; its ``verify_...`` raises if it is not possible.
Whatever differs between the sheets (who is asked when, what is paid before the draw, which card comes next) is in the
games' rules.  The driver only asks, serves cards, and pays decided wagers, highest seat first (ALL-10).

>>> from pitboss.cards import parse_cards
>>> from pitboss.games import load_game
>>> from pitboss.table.round.opening import open_round
>>> game = load_game("six-card")
>>> cards = parse_cards("As Ad Kh 9c 5d 2s 4c 4d 9s 9h Kc Qc", game.deck)
>>> deck = cards + tuple(card for card in game.deck.cards if card not in cards)
>>> game_round = open_round(game).place_wager(Stake(0, "main", 1000)).deal(deck)
>>> game_round.turn
(0, 0)
>>> game_round.decide(0, "play").events[-1]
RoundClosed(nets_cents=(-2000,))
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from pitboss.cards import FIRST_JOKER, format_cards, get_rank, make_mask, verify_cards
from pitboss.contract import Action, Game, LegResult, Outcome, PayTable, StakeLimits, Wager
from pitboss.core.errors import CardError, IllegalActionError, UnknownNameError
from pitboss.core.numbers import verify_integer
from pitboss.engine.rule_errors import verify_outcomes
from pitboss.hands import load_hand_tables
from pitboss.meter import Meter
from pitboss.options import get_wager_status
from pitboss.table.round.events import (
    CardsDealt,
    DecisionMade,
    FixedAward,
    RoundClosed,
    RoundEvent,
    StakePlaced,
    StubReshuffled,
    find_decisions,
)
from pitboss.table.round.payment import (
    apply_coin_in,
    list_decided_wagers,
    order_for_settlement,
    pay_envy,
    settle_wagers,
    sum_nets_cents,
)
from pitboss.table.round.procedure import (
    RoundStep,
    deal_first_cards,
    find_folded_seats,
    find_open_cards,
    insert_shown_hands,
    is_decision_complete,
    is_turned_up,
    list_steps,
)
from pitboss.table.round.reasons import LOST_BY_FOLD, SettledHand
from pitboss.table.round.rule_faults import list_legal, report_rule_faults, verify_chips_put_down
from pitboss.table.round.stub import Shuffle, Stub
from pitboss.table.round.wagers import CentsRange, Stake, get_wager, verify_seat_stakes, verify_stake


@dataclass(frozen=True)
class Round:
    """The present state of one round.  Seats count from 0; money is whole cents.

    ``options`` holds every option of the game, ``option_codes`` those that the rules take, ``paytables`` one table of
    each kind, ``limits`` those of each wager, ``states`` each seat's state once the cards are dealt.
    ``opening_meter`` is the progressive before the round, ``meter`` the present one; ``awards`` are those that a
    linked progressive has fixed.
    """

    game: Game
    seats: int
    options: Mapping[str, str]
    option_codes: Any
    paytables: Mapping[str, PayTable]
    preset: str
    limit_overrides: Mapping[str, CentsRange]
    limits: Mapping[str, StakeLimits]
    opening_meter: Meter | None
    meter: Meter | None
    stakes: tuple[Stake, ...] = ()
    states: tuple[Any, ...] = ()
    events: tuple[RoundEvent, ...] = ()
    is_closed: bool = False
    awards: tuple[FixedAward, ...] = ()
    _stub: Stub = field(default_factory=Stub)
    _step_index: int = 0
    _unsettled: tuple[Stake, ...] = ()
    _outcomes_by_state: tuple[tuple[Any, tuple[int, ...]], ...] = ()

    # Reading.

    @property
    def is_dealt(self) -> bool:
        """Whether the cards are dealt; after that no wager changes."""
        return bool(self.states)

    @cached_property
    def turn(self) -> tuple[int, int] | None:
        """The seat to act and its decision's index; None if no decision is due."""
        if not self.is_dealt or self.is_closed:
            return None
        step, decision, seat = list_steps(self.game, self.seats)[self._step_index]
        return (seat, decision) if step is RoundStep.ASK and self._get_decision(seat) == decision else None

    def get_view(self, seat: int) -> Any:
        """Return a seat's view of the cards, a named tuple of card masks."""
        return self.game.rules.view(self.states[seat])

    def list_legal_actions(self) -> tuple[Action, ...]:
        """List the legal actions in the game's order; none if it is nobody's turn."""
        return tuple(self._legal_by_id.values())

    @cached_property
    def _legal_by_id(self) -> dict[str, Action]:
        if self.turn is None:
            return {}
        seat, decision = self.turn
        stub = self._stub.count_available(self._get_discards_mask(seat), self.game.undrawable_cards)
        view = self.get_view(seat)
        legal_mask = self.game.rules.legal_actions(load_hand_tables(), view, decision, stub, self.option_codes)
        return list_legal(self.game, self.game.decisions[decision], legal_mask)

    def get_wager_status(self, wager: Wager) -> str:
        """Return whether a wager is "mandatory", "optional" or "off" at this table."""
        return get_wager_status(self.game, wager, self.options)

    def choose_timeout_action(self) -> tuple[str, tuple[int, ...]]:
        """Choose the timeout action, with the lowest cards but Jokers as discards.

        Raises:
            IllegalActionError: it is nobody's turn.
        """
        if self.turn is None:
            raise IllegalActionError("nobody has anything to decide", code="no-decision")
        seat, index = self.turn
        decision = self.game.decisions[index]
        action = next(action for action in decision.actions if action.id == decision.timeout_action)
        held = [card for card in range(FIRST_JOKER) if self.get_view(seat).player >> card & 1]
        return action.id, tuple(sorted(held, key=lambda card: (get_rank(card), card))[: action.discards])

    def get_stake_cents(self, seat: int, bet: str) -> int:
        """Return a seat's stake on a bet in cents, summed over all hands that it is on."""
        return sum(stake.cents for stake in self.stakes if (stake.seat, stake.bet) == (seat, bet))

    @property
    def has_meter_wager(self) -> bool:
        """Whether any seat has a wager that a meter pays."""
        bets = {table.bet for table in self.paytables.values() if table.progressive}
        return any(stake.bet in bets for stake in self.stakes)

    def sum_staked_cents(self, seat: int) -> int:
        """Sum the chips that a seat has put down in this round, raises and fees included."""
        stakes = (stake for stake in self.stakes if stake.seat == seat)
        wagers = sum(stake.cents * len(get_wager(self.game, stake.bet).circles or (stake.bet,)) for stake in stakes)
        return wagers + sum(event.cents for event in find_decisions(self.events, seat))

    def verify_wager(self, stake: Stake) -> None:
        """Check a stake by itself; the deal checks its constraints by other wagers.

        Raises:
            WagerError: the wager is off, outside its limits, or on a wrong hand.
            UnknownNameError: there is no such bet.
            IllegalActionError: the cards are dealt, the seat does not exist, or the wager is already placed.
        """
        if self.is_dealt:
            raise IllegalActionError("no more wagers: the cards are dealt", code="cards-dealt")
        verify_stake(self.game, self.options, self.limits, self.seats, stake, self.preset, self.stakes)

    def place_wager(self, stake: Stake) -> Self:
        """Place a stake (raises as ``verify_wager``)."""
        self.verify_wager(stake)
        event = StakePlaced(stake.seat, stake.bet, stake.cents, stake.on)
        return replace(self, stakes=(*self.stakes, stake), events=(*self.events, event))

    def verify_wagers(self) -> None:
        """Check mandatory wagers and stake constraints, or raise WagerError."""
        for seat in range(self.seats):
            verify_seat_stakes(self.game, self.options, seat, self.stakes)

    def verify_deal(self, deck: Sequence[int]) -> None:
        """Check that the wagers are complete and the deck is this game's full deck.

        Raises:
            WagerError: a mandatory wager is missing or a stake constraint is broken.
            CardError: ``deck`` does not hold every card of the game's deck once.
            IllegalActionError: the cards are dealt already.
        """
        if self.is_dealt:
            raise IllegalActionError("the cards of this round are already dealt", code="cards-dealt")
        verify_cards(deck, self.game.deck, "the deck")
        if len(deck) != self.game.deck.size:
            raise CardError(
                f"the deck has {len(deck)} cards: {self.game.id} is dealt from {self.game.deck.size}",
                code="wrong-card-count",
                given=len(deck),
            )
        self.verify_wagers()

    @report_rule_faults
    def deal(self, deck: Sequence[int], shuffle: Shuffle | None = None) -> Self:
        """Deal the first cards from ``deck`` and advance to the first decision.

        Wagers that are decided are paid.  ``shuffle`` reshuffles the others' discards when the stub runs out (LU-11).
        Raises as ``verify_deal``.
        """
        self.verify_deal(deck)
        rules = self.game.rules
        states = tuple(rules.deal(deck, self.seats, seat, self.get_wager_mask(seat)) for seat in range(self.seats))
        after = replace(
            self,
            states=states,
            meter=apply_coin_in(self.paytables, self.meter, self.stakes),
            events=(*self.events, *deal_first_cards(self.game, self.seats, deck)),
            _stub=Stub(tuple(deck[rules.count_dealt(self.seats) :])),
            _unsettled=order_for_settlement(self.game, self.stakes),
            _outcomes_by_state=((None, ()),) * self.seats,
        )
        return after._show_open_cards()._pay_decided()._advance(shuffle)

    def verify_action(self, seat: int, action: str, cards: Iterable[int] = ()) -> Action:
        """Check an action and return it.

        Raises:
            IllegalActionError: it is not this seat's turn, the action is not legal now, or its discards are not the
                seat's cards or not the right number.
            UnknownNameError: the game has no such action.
            CardError: a card is not one of the game's deck.
        """
        verify_integer(seat, "a seat", IllegalActionError)
        if self.turn is None or self.turn[0] != seat:
            who = "nobody's" if self.turn is None else f"seat {self.turn[0] + 1}'s"
            message = f"seat {seat + 1} cannot {action} now: it is {who} turn"
            raise IllegalActionError(message, code="not-your-turn", seat=seat, action=action)
        legal = self._legal_by_id
        if action not in legal:
            known = {each.id: each for decision in self.game.decisions for each in decision.actions}
            if action not in known:
                raise UnknownNameError("action", action, known)
            raise IllegalActionError(
                f"seat {seat + 1} cannot {action} now: the legal actions are {', '.join(legal)}",
                code="illegal-now",
                seat=seat,
                action=action,
                legal=legal,
            )
        discards = list(cards)
        text = format_cards(discards, self.game.deck)
        hand = self.get_view(seat).player
        count = legal[action].discards
        if len(discards) != count or len(set(discards)) != len(discards) or make_mask(discards) & ~hand:
            wrong = f", not {text}" if discards else ""
            own_cards = format_cards(hand, self.game.deck)
            rule = f"{count} of your cards: name {count} of {own_cards}" if count else "no cards: name none"
            raise IllegalActionError(f"{action} takes {rule}{wrong}", code="wrong-discard", action=action)
        return legal[action]

    @report_rule_faults
    def decide(self, seat: int, action: str, cards: Iterable[int] = (), shuffle: Shuffle | None = None) -> Self:
        """Take the acting seat's action and advance (raises as ``verify_action``)."""
        discards = tuple(cards)
        chosen = self.verify_action(seat, action, discards)
        index = list_steps(self.game, self.seats)[self._step_index][1]
        decision = self.game.decisions[index]
        state = self.game.rules.act(self.states[seat], index, decision.actions.index(chosen), make_mask(discards))
        cents = chosen.stake * self.get_stake_cents(seat, "main")
        event = DecisionMade(seat, decision.id, action, discards, cents, chosen.circle)
        states = (*self.states[:seat], state, *self.states[seat + 1 :])
        after = replace(self, events=(*self.events, event), states=states, _step_index=self._step_index + 1)
        after = after._serve_seat(seat, shuffle)._show_open_cards()
        # With the dealer's hand open all seats choose first: they are settled together, highest seat first (LU-10).
        return (after if decision.shows_dealer else after._pay_decided())._advance(shuffle)

    # Steps that follow by themselves.

    def _get_decision(self, seat: int) -> int:
        return int(self.game.rules.next_decision(load_hand_tables(), self.states[seat], self.option_codes))

    def get_wager_mask(self, seat: int) -> int:
        """Return a mask of a seat's placed wagers: bit i for the game's wager i."""
        placed = {stake.bet for stake in self.stakes if stake.seat == seat}
        return sum(1 << index for index, wager in enumerate(self.game.wagers) if wager.id in placed)

    def _advance(self, shuffle: Shuffle | None) -> Self:
        after = self
        while not after.is_closed and after.turn is None:
            step, _, seat = list_steps(after.game, after.seats)[after._step_index]
            before = after.states
            after = after._serve_seat(seat, shuffle) if step is RoundStep.ASK else after._serve_dealer()
            states = after.states
            if step is RoundStep.OPEN_DEALER:
                states = tuple(after.game.rules.show_dealer(state) for state in states)
            after = replace(after, states=states, _step_index=after._step_index + 1)._show_open_cards()
            if after.states is not before or step is RoundStep.FINISH:
                after = after._pay_decided()
            if step is RoundStep.FINISH:
                after = after._finish()
        return after

    def _show_open_cards(self) -> Self:
        """Turn up the open cards, unless seats that must not see them have yet to decide."""
        if not is_decision_complete(list_steps(self.game, self.seats), self._step_index):
            return self
        events = tuple(find_open_cards(self.game, self.states, self.events))
        return replace(self, events=self.events + events) if events else self

    def _get_discards_mask(self, seat: int) -> int:
        """Return the others' discards that ``seat`` may get in a new stub (LU-11)."""
        if self.options.get("short_deck") != "reshuffle":
            return 0
        discards_mask = 0
        for other, state in enumerate(self.states):
            if other != seat:
                discards_mask |= self.game.rules.get_muck(state)
        return discards_mask

    def _serve_seat(self, seat: int, shuffle: Shuffle | None) -> Self:
        """Give a seat its cards from the stub, then from the others' discards."""
        count = self.game.rules.count_draws(load_hand_tables(), self.states[seat], self.option_codes)
        if not count:
            return self
        stub, events = self._stub, self.events
        if stub.count_available(0, self.game.undrawable_cards) < count:
            order, stub = stub.reshuffle(self._get_discards_mask(seat), shuffle)
            events = (*events, StubReshuffled(order))
        drawn, stub = stub.draw(count)
        state = self.game.rules.receive_draw(self.states[seat], make_mask(drawn))
        states = (*self.states[:seat], state, *self.states[seat + 1 :])
        return replace(self, states=states, _stub=stub, events=(*events, CardsDealt("seat", drawn, seat)))

    def _serve_dealer(self) -> Self:
        """Give the dealer the cards drawn now, in every state that asks."""
        rules = self.game.rules
        count = max(rules.count_dealer_draws(state) for state in self.states)
        if not count:
            return self
        drawn, stub = self._stub.draw(count)
        states = tuple(
            rules.receive_dealer_draw(state, make_mask(drawn)) if rules.count_dealer_draws(state) else state
            for state in self.states
        )
        return replace(self, states=states, _stub=stub, events=(*self.events, CardsDealt("dealer", drawn)))

    @property
    def is_dealer_open(self) -> bool:
        """Whether the dealer's hand has been opened."""
        steps = list_steps(self.game, self.seats)[: self._step_index]
        return any(step is RoundStep.OPEN_DEALER for step, _, _ in steps)

    def _build_hand(self, seat: int, outcome: Outcome) -> SettledHand:
        closed = SettledHand(self.game, self.states[seat], self.option_codes, self.options, is_face_up=False)
        is_face_up = is_turned_up(
            is_paid=any(leg.result is LegResult.WIN for leg in outcome.legs),
            dealer_open=self.is_dealer_open,
            is_folded=seat in find_folded_seats(self.events),
            lost_by_fold=any(closed.fill_reason(leg.reason, "") == LOST_BY_FOLD for leg in outcome.legs),
        )
        return replace(closed, is_face_up=is_face_up) if is_face_up else closed

    def _settle_state(self, state: Any) -> tuple[int, ...]:
        """Return the outcome of each wager, UNSETTLED if it is not decided yet."""
        return verify_outcomes(self.game, self.game.rules.settle(load_hand_tables(), state, self.option_codes))

    def _pay_decided(self) -> Self:
        """Pay every wager that the rules now call decided and that is not paid yet."""
        by_state = tuple(  # a state that has not changed keeps its outcomes
            (state, outcomes) if state is before else (state, self._settle_state(state))
            for state, (before, outcomes) in zip(self.states, self._outcomes_by_state, strict=True)
        )
        results = [outcomes for _, outcomes in by_state]
        decided = list_decided_wagers(self.game, self._unsettled, results, self._build_hand)
        if not decided:
            return replace(self, _outcomes_by_state=by_state)
        verify_chips_put_down(self.game, decided, self.events)
        settled, meter = settle_wagers(decided, self.paytables, self.options, self.seats, self.meter)
        events = insert_shown_hands(self.game, self.states, self.events, settled, dealer_open=self.is_dealer_open)
        paid_stakes = {each.stake for each in decided}
        return replace(
            self,
            events=(*self.events, *events),
            meter=meter,
            _unsettled=tuple(stake for stake in self._unsettled if stake not in paid_stakes),
            _outcomes_by_state=by_state,
        )

    def _finish(self) -> Self:
        """Pay envy last, and close the round."""
        results = [outcomes for _, outcomes in self._outcomes_by_state]
        events = (*self.events, *pay_envy(self.game, self.paytables, self.options, self.stakes, results))
        return replace(self, events=(*events, RoundClosed(sum_nets_cents(events, self.seats))), is_closed=True)
