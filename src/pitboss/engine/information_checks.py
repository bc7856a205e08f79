"""Check rules on some deals: nothing unseen decides, and every round ends.

Compiled code cannot tell what a rule reads.  So deals are played by the interpreted rules, and at each decision once
more with the cards that the seat has not seen in other places: what it is asked, sees, may do, is paid and draws must
stay the same.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pitboss.cards import draw_below, make_mask, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, Game
from pitboss.core.errors import PitbossError
from pitboss.engine.paths import find_opening
from pitboss.engine.places import deal_one_seat, list_counted_wagers
from pitboss.engine.rule_errors import (
    make_no_action_error,
    make_too_many_draws_error,
    make_unknown_outcome_error,
    make_unsettled_error,
    translate_rule_exceptions,
    verify_decision_order,
)
from pitboss.engine.symmetry import exchange_cards, list_exchanges
from pitboss.hands import load_hand_tables

_DEALS = 400

_NOT_ASKED = -1
"""The action taken at a decision that is not asked."""


class _Moment(NamedTuple):
    """What the rules of these names say at a decision."""

    next_decision: int
    view: tuple[int, ...]
    legal_actions: int
    settle: tuple[int, ...]
    count_draws: int


class _Round(NamedTuple):
    """One deal, and the actions taken in it with the cards given up."""

    game: Game
    options: Any
    deck: tuple[int, ...]
    choices: tuple[tuple[int, int], ...]
    bits: BitSource

    def play(self) -> Iterator[tuple[_Moment, tuple[int, int], Any, int]]:
        """Yield the moment, the choice, the state after it and the top of the deck.

        It yields once for each decision.

        The choices are those noted, then random ones.
        """
        rules, tables = self.game.rules, load_hand_tables()
        state, top = deal_one_seat(self.game, self.deck), rules.count_dealt(1)
        for decision in range(len(self.game.decisions)):
            if decision == find_opening(self.game):
                state = rules.show_dealer(state)
            asks, view, legal = rules.next_decision(tables, state, self.options), rules.view(state), 0
            paid, choice = rules.settle(tables, state, self.options), (_NOT_ASKED, 0)
            if asks == decision:
                spare = len(self.deck) - top - self.game.undrawable_cards
                legal = rules.legal_actions(tables, view, decision, spare, self.options)
                choice = (
                    self.choices[decision]
                    if decision < len(self.choices)
                    else self._choose(decision, view.player, legal)
                )
                state = rules.act(state, decision, *choice)
            _verify_outcomes(self.game, paid)
            count = rules.count_draws(tables, state, self.options)
            self.verify_draw(count, top, f"at {self.game.decisions[decision].id}")
            state = rules.receive_draw(state, make_mask(self.deck[top : top + count])) if count else state
            top += count
            yield _Moment(asks, tuple(view), legal, tuple(paid), count), choice, state, top

    def verify_draw(self, count: int, top: int, moment: str) -> None:
        """Verify that the deck has the cards drawn after its first ``top``."""
        left = len(self.deck) - top
        if not 0 <= count <= left:
            raise make_too_many_draws_error(self.game, moment, count, left)

    def _choose(self, decision: int, held: int, legal: int) -> tuple[int, int]:
        """Choose a legal action at random, and cards to give up."""
        asked = self.game.decisions[decision]
        allowed = [index for index in range(len(asked.actions)) if legal >> index & 1]
        if not allowed:
            raise make_no_action_error(self.game, asked.id)
        action = allowed[draw_below(len(allowed), self.bits)]
        cards = shuffle_cards([card for card in self.deck if held >> card & 1], self.bits)
        return action, make_mask(cards[: asked.actions[action].discards])


@lru_cache(maxsize=64)
def verify_rules(game: Game, options: Any, cards: tuple[int, ...]) -> None:
    """Verify on some deals that the rules of a game can be solved.

    Raises:
        PitbossError: a rule reads cards that the seat has not seen; a view shows something other than cards dealt; a
            decision allows no action; the rules ask again for what is decided, leave a wager unsettled, or raise an
            exception.
    """
    bits = seeded_bits(0)
    with translate_rule_exceptions(game):
        for _ in range(_DEALS):
            played = _Round(game, options, shuffle_cards(cards, bits), (), bits)
            _verify_round(played)


def _verify_round(played: _Round) -> None:
    """Verify one deal."""
    game, seen = played.game, 0
    state, top = deal_one_seat(game, played.deck), game.rules.count_dealt(1)
    moments, choices = list[_Moment](), list[tuple[int, int]]()
    for index, (moment, choice, after, next_top) in enumerate(played.play()):
        verify_decision_order(game, moment.next_decision, index)
        for shown in moment.view:
            _verify_shown(game, shown, played.deck[:top])
            seen |= shown
        moments.append(moment)
        choices.append(choice)
        _verify_unseen(played._replace(choices=tuple(choices)), moments, seen)
        state, top = after, next_top
    _verify_suits(played._replace(choices=tuple(choices)), moments, _finish(played, state, top))


def _verify_shown(game: Game, shown: int, dealt: Sequence[int]) -> None:
    """Verify that a field of a view is a set of cards dealt."""
    if shown & ~make_mask(dealt):
        raise PitbossError(
            f"view of {game.id} shows something other than cards that are dealt: each of its fields is a set of cards",
            code="view-not-cards",
            game=game.id,
        )


def _verify_unseen(played: _Round, moments: Sequence[_Moment], seen: int) -> None:
    """Verify that other places of the cards not seen change nothing so far.

    What is drawn or dealt face down may lie anywhere.
    """
    unseen = iter(shuffle_cards([card for card in played.deck if not seen >> card & 1], played.bits))
    deck = tuple(card if seen >> card & 1 else next(unseen) for card in played.deck)
    for index, (before, (now, _, _, _)) in enumerate(zip(moments, played._replace(deck=deck).play(), strict=False)):
        for rule, was, says in zip(_Moment._fields, before, now, strict=True):
            if was != says:
                decision = played.game.decisions[index].id
                raise PitbossError(
                    f"{rule} of {played.game.id} depends on cards that a seat has not seen at {decision}: let it read "
                    "only what view shows",
                    code="rules-peek",
                    game=played.game.id,
                    rule=rule,
                    decision=decision,
                )


def _verify_suits(played: _Round, moments: Sequence[_Moment], ending: Sequence[tuple[str, object]]) -> None:
    """Verify that a deal with other suits is the same game.

    ``ending`` is what the rules say at its end.  The engine visits one deal of each class up to suits.  Strengths are
    compared too: a suit that breaks ties would change few outcomes.
    """
    game = played.game
    keeps_colours = any(game.wagers[index].depends_on_colour for index in list_counted_wagers(game))
    exchanges = list_exchanges(make_mask(played.deck), keeps_colours=keeps_colours)
    exchange = exchanges[draw_below(len(exchanges), played.bits)].tolist()
    deck = tuple(exchange_cards(1 << card, exchange).bit_length() - 1 for card in played.deck)
    choices = tuple((action, exchange_cards(given, exchange)) for action, given in played.choices)
    other = played._replace(deck=deck, choices=choices)
    state, top = deal_one_seat(game, deck), game.rules.count_dealt(1)
    for index, (before, (now, _, after, next_top)) in enumerate(zip(moments, other.play(), strict=True)):
        expected = before._replace(view=tuple(exchange_cards(shown, exchange) for shown in before.view))
        for rule, was, says in zip(_Moment._fields, expected, now, strict=True):
            if was != says:
                raise _make_suits_error(game, rule, f"at {game.decisions[index].id}")
        state, top = after, next_top
    for (rule, was), (_, says) in zip(ending, _finish(other, state, top), strict=True):
        if was != says:
            raise _make_suits_error(game, rule, "at the end")


def _make_suits_error(game: Game, rule: str, moment: str) -> PitbossError:
    return PitbossError(
        f"{rule} of {game.id} tells suits apart {moment}: let only ranks matter and which cards share a suit, or set "
        "depends_on_colour on a wager that tells red from black",
        code="rules-tell-suits",
        game=game.id,
        rule=rule,
    )


def _verify_outcomes(game: Game, outcomes: Sequence[int]) -> None:
    """Verify that each wager is not settled yet, or has the outcome."""
    for index, (wager, outcome) in enumerate(zip(game.wagers, outcomes, strict=False)):
        if outcome != UNSETTLED and outcome not in range(len(wager.outcomes)):
            raise make_unknown_outcome_error(game, index)


def _finish(played: _Round, state: Any, top: int) -> list[tuple[str, object]]:
    """Return outcomes and strengths at the end, each with its rule.

    Verify that nothing is asked and every wager is settled.

    The dealer has opened and drawn his cards then.
    """
    game, rules, tables = played.game, played.game.rules, load_hand_tables()
    for opens in (True, False) if find_opening(game) == len(game.decisions) else (False,):
        count = rules.count_dealer_draws(state)
        played.verify_draw(count, top, "by the dealer")
        state = rules.receive_dealer_draw(state, make_mask(played.deck[top : top + count])) if count else state
        state, top = rules.show_dealer(state) if opens else state, top + count
    asks = rules.next_decision(tables, state, played.options)
    if asks != NO_DECISION:
        verify_decision_order(game, asks, len(game.decisions))
    outcomes = rules.settle(tables, state, played.options)
    _verify_outcomes(game, outcomes)
    for wager in list_counted_wagers(game):
        if outcomes[wager] == UNSETTLED:
            raise make_unsettled_error(game, game.wagers[wager].id)
    ranking = [rules.evaluate_hands, *((game.showdown.mine, game.showdown.theirs) if game.showdown else ())]
    return [("settle", outcomes), *((each.__name__, each(tables, state, played.options)) for each in ranking)]
