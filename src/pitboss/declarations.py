"""Check that the names in a game's declarations exist, when the game is loaded.

A reason with a field that nothing fills would otherwise fail only in the round that settles this way.
"""

import re
from collections.abc import Iterator

from pitboss.builders import FoldReason
from pitboss.contract import Game, Leg, Wager, no_hands
from pitboss.core.errors import PitbossError, quote

HAND_FIELDS = frozenset({"mine", "dealers", "showdown"})
"""The fields of a reason that name hands: they need ``Rules.evaluate_hands``."""

STANDARD_FIELDS = HAND_FIELDS | {"made", "paid"}
"""The fields that a reason of any game may have, next to the game's options and its own ``reason_fields``."""

_ANY_FIELD = re.compile(r"\{([^{}]*)\}?")


class DeclarationError(PitbossError):
    """A declaration of a game names something that the game does not have."""


def verify_declarations(game: Game) -> None:
    """Check the names in reasons, wagers and stake constraints.

    Raises:
        DeclarationError: a reason has a field that is not filled in, or a wager names an option that the game does not
            have.
    """
    for wager in (*game.wagers, *game.main_parts):
        _verify_option_names(game, wager)
    checked = set[str]()
    for place, text, leg in _iterate_reasons(game):
        if text not in checked:
            checked.add(text)
            verify_fields(game, place, text)
        if leg and not leg.lines and "{paid}" in text:
            raise DeclarationError(
                f"{place} is {quote(text)}, but this leg is paid on no line: give it lines, or leave out {{paid}}",
                code="no-paid-line",
                place=place,
            )


def verify_fields(game: Game, place: str, text: str) -> None:
    """Check that each field of a reason is filled in (raises DeclarationError)."""
    options = {option.name for option in game.options}
    for name in _ANY_FIELD.findall(text):
        if name not in STANDARD_FIELDS | options | set(game.reason_fields):
            raise DeclarationError(
                f"{place} is {quote(text)}, and {{{name}}} is not an option, a reason field or a standard field: write "
                f"the words instead, add an option or an entry of reason_fields of this name, or use one of "
                f"{', '.join(sorted(options | STANDARD_FIELDS | set(game.reason_fields)))}",
                code="unknown-reason-field",
                place=place,
                name=name,
            )
        if name in HAND_FIELDS and game.rules.evaluate_hands is no_hands:
            raise DeclarationError(
                f"{place} is {quote(text)}, but there is no rule evaluate_hands to fill in {{{name}}}: "
                "add that rule, or write the words instead",
                code="no-evaluate-hands",
                place=place,
                name=name,
            )


def _iterate_reasons(game: Game) -> Iterator[tuple[str, str, Leg | None]]:
    """Yield every reason known before a round: its place, its text, and its leg."""
    for wager in (*game.wagers, *game.main_parts):
        for outcome in wager.outcomes:
            for leg in outcome.legs:
                yield f"the reason of {leg.circle} in outcome {outcome.name} of {wager.id}", leg.reason, leg
    for name, function in game.reason_fields.items():
        if isinstance(function, FoldReason):
            yield f"the reason field {name}", function.reason, None


def _verify_option_names(game: Game, wager: Wager) -> None:
    """Check the options that a wager names (raises DeclarationError)."""
    known = [option.name for option in game.options]
    named = {"status_option": wager.status_option, "census_option": wager.census_option}
    named |= {f"stake constraint on {each.bet}": each.option for each in wager.constraints}
    for place, name in named.items():
        if name and name not in known:
            raise DeclarationError(
                f"the {place} of {wager.id} names {quote(name)}, which is not an option: known: "
                f"{', '.join(known) or 'none'}",
                code="unknown-option-named",
                place=place,
                name=name,
            )
