"""Check on some deals that rules return what the declarations of a game say."""

import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pitboss.cards import draw_below, make_mask, popcount, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, Action, Decision, Game
from pitboss.core.errors import PitbossError
from pitboss.engine.paths import find_opening
from pitboss.engine.places import list_counted_wagers
from pitboss.engine.rule_errors import (
    make_failing_rule_error,
    make_no_action_error,
    make_return_error,
    verify_chips,
    verify_decision_order,
    verify_outcomes,
)
from pitboss.hands import load_hand_tables

_DEALS = 24

_MOST_LINES = 1_000_000
"""How many lines one call of a rule may run: real ones run a few thousand."""


class _EndlessError(Exception):
    """A rule runs on and on."""


def verify_rule_results(game: Game, options: Any, cards: Sequence[int]) -> None:
    """Verify on some deals that every rule returns whole numbers in range.

    Raises:
        PitbossError: a rule returns something else, or raises an exception; the message names the rule.
    """
    bits = seeded_bits(0)
    for _ in range(_DEALS):
        _Checked(game, options, shuffle_cards(cards, bits), bits).play()


class _Checked:
    """One round, in which every rule is called and what it returns is checked."""

    def __init__(self, game: Game, options: Any, deck: Sequence[int], bits: BitSource) -> None:
        self._game, self._options, self._deck, self._bits = game, options, deck, bits
        self._tables = load_hand_tables()
        self._fields: tuple[str, ...] = ()
        self._taken: tuple[str, ...] = ()

    def play(self) -> None:
        """Play the round with random actions."""
        game, deck = self._game, self._deck
        count = self._call("count_dealt", 1)
        self._require("count_dealt", count, 1, len(deck))
        self._verify_deal_order(count)
        wagered = sum(1 << index for index in list_counted_wagers(game))
        state, top = self._call("deal", deck, 1, 0, wagered), count
        self._fields = getattr(state, "_fields", ())
        self._require_state("deal", state)
        self._verify_hand(state)
        laid = [(circle, 1) for circle in game.main.circles or (game.main.id,)]
        for decision in range(len(game.decisions)):
            if decision == find_opening(game):
                state = self._move("show_dealer", state)
            asks = self._call("next_decision", self._tables, state, self._options)
            self._require("next_decision", asks, NO_DECISION, len(game.decisions) - 1)
            self._settle(state)
            if asks == decision:
                state, action = self._act(state, decision, len(deck) - top - game.undrawable_cards)
                laid += [(action.circle, action.stake)] if action.stake else []
                verify_decision_order(
                    game, self._call("next_decision", self._tables, state, self._options), decision + 1
                )
            draws = self._call("count_draws", self._tables, state, self._options)
            self._require("count_draws", draws, 0, len(deck) - top)
            state = self._move("receive_draw", state, make_mask(deck[top : top + draws])) if draws else state
            top += draws
        if find_opening(game) == len(game.decisions):
            state = self._move("show_dealer", state)
        self._verify_chips(self._settle(state)[0], laid)
        self._compare(state)

    def _act(self, state: Any, decision: int, spare: int) -> tuple[Any, Action]:
        """Take a random legal action; return the state after it and the action."""
        asked, view = self._game.decisions[decision], self._call("view", state)
        self._verify_view_fields(asked, view)
        legal = self._call("legal_actions", self._tables, view, decision, spare, self._options)
        self._require("legal_actions", legal, 0, (1 << len(asked.actions)) - 1)
        allowed = [index for index in range(len(asked.actions)) if legal >> index & 1]
        if not allowed:
            raise make_no_action_error(self._game, asked.id)
        index = allowed[draw_below(len(allowed), self._bits)]
        action = asked.actions[index]
        held = [card for card in self._deck if view[0] >> card & 1]
        self._taken = (*self._taken, action.id)
        return self._move("act", state, decision, index, make_mask(held[: action.discards])), action

    def _verify_deal_order(self, count: int) -> None:
        """Verify that the description deals as many cards as the rules."""
        described = sum(zone.cards for zone in self._game.deal_order)
        if described != count:
            raise PitbossError(
                f"deal_order of {self._game.id} has {described} cards for one seat, and count_dealt says {count}: "
                "correct one of them",
                code="deal-order",
                game=self._game.id,
            )

    def _verify_hand(self, state: Any) -> None:
        """Verify that the seat has its cards, and other zones have a field."""
        game, view, start, hand = self._game, self._call("view", state), 0, 0
        if not _are_whole(view):
            raise make_return_error(game, "view", view, "a named tuple of sets of cards")
        for zone in game.deal_order:
            if zone.destination == "seat":
                hand |= make_mask(self._deck[start : start + zone.cards])
            elif zone.destination not in getattr(view, "_fields", ()):
                raise PitbossError(
                    f"deal_order of {game.id} deals to {zone.destination}, which is not a field of View: known: seat, "
                    f"{', '.join(getattr(view, '_fields', ()))}",
                    code="deal-order",
                    game=game.id,
                )
            start += zone.cards
        if view[0] & ~hand:
            raise PitbossError(
                f"deal of {game.id} gives the seat other cards than deal_order: correct one of them, and let view have "
                "the seat's own cards first",
                code="deal-order",
                game=game.id,
            )

    def _verify_chips(self, outcome: int, laid: Sequence[tuple[str, int]]) -> None:
        """Verify that main ends in an outcome with the chips that were put down.

        Where nothing was asked the State begins with something else than it should (``learn_place_groups``).
        """
        if outcome == UNSETTLED or not self._taken:
            return
        put = Counter[str]()
        for circle, stake in laid:
            put[circle] += stake
        verify_chips(self._game, self._game.main.outcomes[outcome], put, self._describe_actions())

    def _describe_actions(self) -> str:
        return f" after {' and '.join(self._taken) or 'no action'}"

    def _verify_view_fields(self, decision: Decision, view: Any) -> None:
        """Verify that a view has as many cards in each field as the description says."""
        named = {each.field: (each.min_cards, each.max_cards) for each in decision.view_fields}
        fields = getattr(view, "_fields", ())
        for field in (*named, *fields):
            shown, (least, most) = popcount(getattr(view, field, 0)), named.get(field, (0, 0))
            if field not in fields or not least <= shown <= most:
                has = f"shows {shown} in {field}" if field in fields else f"has no field {field}"
                wanted = f"{least or 'no'} card{'s' * (least != 1)}" if least == most else f"{least} to {most} cards"
                raise PitbossError(
                    f"view of {self._game.id} {has} at {decision.id}, where the decision names {wanted}: correct view "
                    "or ViewField",
                    code="view-field",
                    game=self._game.id,
                    decision=decision.id,
                )

    def _settle(self, state: Any) -> tuple[int, ...]:
        outcomes = self._call("settle", self._tables, state, self._options)
        return verify_outcomes(self._game, outcomes, self._describe_actions())

    def _compare(self, state: Any) -> None:
        """Ask the rules of the showdown, if there is one."""
        showdown = self._game.showdown
        if showdown:
            strengths = []
            for rank in (showdown.mine, showdown.theirs):
                strengths.append(self._ask(rank, self._tables, state, self._options))
                self._require(rank.__name__, strengths[-1], 0, (1 << 31) - 1)
            outcome = self._ask(showdown.outcome, state, *strengths, self._options)
            self._require(showdown.outcome.__name__, outcome, 0, len(self._game.main.outcomes) - 1)

    def _move(self, rule: str, state: Any, *arguments: Any) -> Any:
        """Call a rule that returns the next state."""
        after = self._call(rule, state, *arguments)
        self._require_state(rule, after)
        return after

    def _call(self, rule: str, *arguments: Any) -> Any:
        return self._ask(getattr(self._game.rules, rule), *arguments)

    def _ask(self, rule: Callable[..., Any], *arguments: Any) -> Any:
        """Call a rule, and say in a line what it raises."""
        try:
            with _stop_endless():
                return rule(*arguments)
        except _EndlessError:
            raise PitbossError(
                f"{rule.__name__} of {self._game.id} does not end ({rule.__code__.co_filename}, line "
                f"{rule.__code__.co_firstlineno}): let each of its loops come to an end",
                code="rule-endless",
                game=self._game.id,
                rule=rule.__name__,
            ) from None
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            raise make_failing_rule_error(self._game, rule.__name__, error, at) from error

    def _require(self, rule: str, value: Any, low: int, high: int) -> None:
        if not isinstance(value, int) or not low <= value <= high:
            raise make_return_error(self._game, rule, value, f"a whole number from {low:,} to {high:,}")

    def _require_state(self, rule: str, state: Any) -> None:
        if not _are_whole(state) or getattr(state, "_fields", ()) != self._fields or not self._fields:
            raise make_return_error(self._game, rule, state, "the State, a named tuple of whole numbers")


def _are_whole(values: Any) -> bool:
    """Tell whether a value is a tuple of whole numbers."""
    return isinstance(values, tuple) and all(isinstance(value, int) for value in values)


@contextmanager
def _stop_endless() -> Iterator[None]:
    """Stop a rule that runs too many lines (raises _EndlessError)."""
    before, lines = sys.gettrace(), 0

    def count(_frame: Any, _event: str, _arg: Any) -> Any:
        nonlocal lines
        lines += 1
        if lines > _MOST_LINES:
            raise _EndlessError
        return count

    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
