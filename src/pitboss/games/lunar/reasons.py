"""Explain Ante and Bet of Lunar Poker, and which card Force replaced."""

from dataclasses import replace

from pitboss.builders import NOT_QUALIFIED_REASON, display_name
from pitboss.contract import Leg, LegResult, Outcome
from pitboss.games.lunar.rules import LunarOptions, LunarState, find_replaced_card

_MAIN = ("ante", "bet")


def explain_outcome(outcome: Outcome) -> Outcome:
    """Return an outcome of ``main`` with a reason on its Ante and its Bet."""
    legs = (replace(leg, reason=_get_reason(outcome.name, leg)) if leg.circle in _MAIN else leg for leg in outcome.legs)
    return replace(outcome, legs=tuple(legs))


def find_replaced_cards(state: LunarState, options: LunarOptions) -> int:
    """Return the mask of the dealer's card that Force replaced, 0 for none (LU-10)."""
    return find_replaced_card(state.exposed | state.hidden, options) if state.force_card else 0


def _get_reason(name: str, leg: Leg) -> str:
    if name.endswith("-take-ante"):
        return NOT_QUALIFIED_REASON if leg.circle == "ante" else "the Ante is taken: the Bet is returned"
    if name.endswith("-not-qualified"):
        return f"after Force the {NOT_QUALIFIED_REASON}"
    if name.endswith("-win-qualified"):
        return "{showdown}, but below ace-king no line is paid"
    if "-win-qualified-" not in name:
        return "{showdown}" if "qualified" in name else leg.reason
    if leg.result is LegResult.PUSH:
        return "a qualified dealer is beaten: the Bet is paid, the Ante pushes"
    return f"{{showdown}}: paid on {' and '.join(map(display_name, leg.lines))}"
