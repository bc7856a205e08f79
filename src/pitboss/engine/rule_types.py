"""Check on some deals that the rules of a game return whole numbers."""

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from pitboss.cards import draw_below, make_mask, popcount, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, UNSETTLED, Decision, Game
from pitboss.core.errors import PitbossError
from pitboss.engine.paths import find_opening
from pitboss.engine.places import list_counted_wagers
from pitboss.hands import load_hand_tables

_DEALS = 24


def verify_types(game: Game, options: Any, cards: Sequence[int]) -> None:
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
        for asked in range(len(game.decisions)):
            if asked == find_opening(game):
                state = self._move("show_dealer", state)
            asks = self._call("next_decision", self._tables, state, self._options)
            self._require("next_decision", asks, NO_DECISION, len(game.decisions) - 1)
            self._settle(state)
            if asks == asked:
                state = self._act(state, asked, len(deck) - top - game.undrawable_cards)
            draws = self._call("count_draws", self._tables, state, self._options)
            self._require("count_draws", draws, 0, len(deck) - top)
            state = self._move("receive_draw", state, make_mask(deck[top : top + draws])) if draws else state
            top += draws
        if find_opening(game) == len(game.decisions):
            state = self._move("show_dealer", state)
        self._settle(state)
        self._compare(state)

    def _act(self, state: Any, asked: int, spare: int) -> Any:
        """Take a random action; without a legal one, the state stays as it is."""
        decision, view = self._game.decisions[asked], self._call("view", state)
        if not _are_whole(view):
            self._refuse("view", view, "a named tuple of sets of cards")
        self._verify_view_fields(decision, view)
        legal = self._call("legal_actions", self._tables, view, asked, spare, self._options)
        self._require("legal_actions", legal, 0, (1 << len(decision.actions)) - 1)
        allowed = [index for index in range(len(decision.actions)) if legal >> index & 1]
        if not allowed:
            return state
        action = allowed[draw_below(len(allowed), self._bits)]
        held = [card for card in self._deck if view[0] >> card & 1]
        return self._move("act", state, asked, action, make_mask(held[: decision.actions[action].discards]))

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

    def _verify_view_fields(self, decision: Decision, view: Any) -> None:
        """Verify that a view has as many cards in each field as the description says."""
        for each in decision.view_fields:
            shown = popcount(getattr(view, each.field, 0))
            if not each.min_cards <= shown <= each.max_cards:
                raise PitbossError(
                    f"view of {self._game.id} shows {shown} cards in {each.field} at {decision.id}, where the decision "
                    f"names {each.min_cards} to {each.max_cards}: correct view or ViewField",
                    code="view-field",
                    game=self._game.id,
                    decision=decision.id,
                )

    def _settle(self, state: Any) -> None:
        wagers = self._game.wagers
        outcomes = self._call("settle", self._tables, state, self._options)
        if not _are_whole(outcomes) or len(outcomes) != len(wagers):
            self._refuse("settle", outcomes, f"a tuple of the outcomes of {', '.join(each.id for each in wagers)}")
        for wager, outcome in zip(wagers, outcomes, strict=True):
            if not UNSETTLED <= outcome < len(wager.outcomes):
                self._refuse(
                    "settle",
                    outcome,
                    f"UNSETTLED or 0 to {len(wager.outcomes) - 1}, the outcomes of {wager.id}",
                )

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
            return rule(*arguments)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            raise PitbossError(
                f"{rule.__name__} of {self._game.id} fails with {type(error).__name__}: {error} ({at.filename}, line "
                f"{at.lineno}): correct it",
                code="rule-fails",
                game=self._game.id,
                rule=rule.__name__,
            ) from error

    def _require(self, rule: str, value: Any, low: int, high: int) -> None:
        if not isinstance(value, int) or not low <= value <= high:
            self._refuse(rule, value, f"a whole number from {low:,} to {high:,}")

    def _require_state(self, rule: str, state: Any) -> None:
        if not _are_whole(state) or getattr(state, "_fields", ()) != self._fields or not self._fields:
            self._refuse(rule, state, "the State, a named tuple of whole numbers")

    def _refuse(self, rule: str, value: Any, wanted: str) -> None:
        raise PitbossError(
            f"{rule} of {self._game.id} returns {value!r}: return {wanted}",
            code="rule-returns",
            game=self._game.id,
            rule=rule,
        )


def _are_whole(values: Any) -> bool:
    """Tell whether a value is a tuple of whole numbers."""
    return isinstance(values, tuple) and all(isinstance(value, int) for value in values)
