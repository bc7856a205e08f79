"""Check that the declarations of a game fit together, when the game is loaded.

A reason with a field that nothing fills, or chips in a circle where no action puts them, would otherwise fail only in
the round that settles this way, or be paid there.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from pitboss.builders import FoldReason
from pitboss.contract import Decision, Game, Leg, LegResult, Outcome, Wager, no_hands
from pitboss.core.errors import PitbossError, UnknownNameError, quote

HAND_FIELDS = frozenset({"mine", "dealers", "showdown"})
"""The fields of a reason that name hands: they need ``Rules.evaluate_hands``."""

STANDARD_FIELDS = HAND_FIELDS | {"made", "paid"}
"""The fields that a reason of any game may have, next to the game's options and its own ``reason_fields``."""

_ID = re.compile("[a-z0-9]+(-[a-z0-9]+)*")

_ANY_FIELD = re.compile(r"\{([^{}]*)\}?")


class DeclarationError(PitbossError):
    """An error for a declaration that contradicts another or names nothing."""


def verify_declarations(game: Game) -> None:
    """Check names, whole numbers, circles and their stakes, options and reasons.

    Raises:
        DeclarationError: two things have one id, a number is not whole, a leg has chips where no action puts them, a
            reason has a field that is not filled in, or a wager names an option or a pay table that the game does not
            have.
    """
    _verify_ids(game)
    _verify_numbers(game)
    _verify_options(game)
    for wager in (*game.wagers, *game.main_parts):
        _verify_option_names(game, wager)
        _verify_lines(wager)
    for wager in game.wagers:
        _verify_circles(game, wager)
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


def _verify_ids(game: Game) -> None:
    """Check that each id is well formed, and used once where it must be."""
    wagers = (*game.wagers, *game.main_parts)
    if not game.wagers or game.main.id != "main":
        raise DeclarationError("wagers of GAME begins with another wager than main: put main first", code="no-main")
    named: dict[str, list[object]] = {
        "wagers": [wager.id for wager in wagers],
        "decisions": [each.id for each in game.decisions],
    }
    named |= {f"outcomes of {wager.id}": [outcome.name for outcome in wager.outcomes] for wager in wagers}
    named |= {f"actions of {each.id}": [action.id for action in each.actions] for each in game.decisions}
    for place, ids in named.items():
        for index, each in enumerate(ids):
            if not isinstance(each, str) or not _ID.fullmatch(each):
                raise DeclarationError(
                    f"{quote(each)} among the {place} is not a valid id: write words of lower-case letters and digits, "
                    "joined by hyphens",
                    code="invalid-id",
                    place=place,
                    name=each,
                )
            if each in ids[:index]:
                raise DeclarationError(
                    f"two of the {place} are called {each}: give each a name of its own",
                    code="name-twice",
                    place=place,
                    name=each,
                )
    for decision in game.decisions:
        _verify_known(
            f"timeout_action of {decision.id}", decision.timeout_action, [each.id for each in decision.actions]
        )


def _verify_known(place: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise DeclarationError.from_error(UnknownNameError("name", name, known), place)


def _verify_numbers(game: Game) -> None:
    """Check that stakes, cards and draws are whole numbers."""
    for place, value in _iterate_numbers(game):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise DeclarationError(
                f"{place} is {quote(value)}: write a whole number, 0 or more",
                code="not-whole",
                place=place,
            )


def _iterate_numbers(game: Game) -> Iterator[tuple[str, object]]:
    """Yield each number of a declaration, with its place."""
    for zone in game.deal_order:
        yield f"the number of cards to {zone.destination} in deal_order", zone.cards
    for decision in game.decisions:
        for action in decision.actions:
            for name in ("stake", "discards", "draws"):
                yield f"{name} of action {action.id} of {decision.id}", getattr(action, name)
        for field in decision.view_fields:
            yield f"min_cards of {field.field} at {decision.id}", field.min_cards
            yield f"max_cards of {field.field} at {decision.id}", field.max_cards
    for wager in (*game.wagers, *game.main_parts):
        for outcome in wager.outcomes:
            for leg in outcome.legs:
                for name in ("stake", "pays_on"):
                    yield f"{name} of {leg.circle} in outcome {outcome.name} of {wager.id}", getattr(leg, name)


def _verify_options(game: Game) -> None:
    """Check that each option has a code for each value, and its default among them."""
    for option in game.options:
        if not len(set(option.values)) == len(option.values) == len(option.codes) == len(set(option.codes)):
            raise DeclarationError(
                f"option {option.name} has {len(option.values)} values and {len(option.codes)} codes: give each value "
                "a code, none twice",
                code="option-codes",
                name=option.name,
            )
        _verify_known(f"the default of option {option.name}", option.default, option.values)
    taken = getattr(game.options_type, "_fields", ())
    if tuple(taken) != tuple(option.name for option in game.options):
        raise DeclarationError(
            f"options_type has the fields {', '.join(taken) or 'none'}, and options are "
            f"{', '.join(option.name for option in game.options) or 'none'}: list the same names in the same order",
            code="options-type",
        )


def _verify_lines(wager: Wager) -> None:
    """Check that what pays lines names a pay table of its wager."""
    for outcome in wager.outcomes:
        for leg in outcome.legs:
            place = f"{leg.circle} in outcome {outcome.name} of {wager.id}"
            if bool(leg.lines) != bool(leg.paytable_kind):
                raise DeclarationError(
                    f"{place} has {'lines and no' if leg.lines else 'no lines and a'} paytable_kind: give both or none",
                    code="lines-without-table",
                    place=place,
                )
            if leg.paytable_kind:
                _verify_known(f"paytable_kind of {place}", leg.paytable_kind, wager.paytable_kinds)
            if leg.pulled_back and leg.result is not LegResult.PUSH:
                result = "wins" if leg.result is LegResult.WIN else "loses"
                raise DeclarationError(
                    f"{place} is pulled back and {result}: let it be a PUSH",
                    code="pulled-back-without-push",
                    place=place,
                )


def _verify_circles(game: Game, wager: Wager) -> None:
    """Check that each outcome has chips that a player can have put down."""
    base = wager.circles or (wager.id,)
    stakes = _list_stakes(base, game.decisions if wager is game.main else ())
    for outcome in wager.outcomes:
        place = f"outcome {outcome.name} of {wager.id}"
        laid = [leg for leg in outcome.legs if leg.stake]
        for leg in laid:
            _verify_known(f"{place}: circle", leg.circle, stakes)
            if leg.stake not in stakes[leg.circle]:
                raise DeclarationError(
                    f"{place} has {leg.stake} on {leg.circle}, where a player puts {_list(stakes[leg.circle])}: let "
                    "Leg and Action have the same stake",
                    code="stake-of-no-action",
                    place=place,
                    circle=leg.circle,
                )
        _verify_legs(place, outcome, base)


def _list_stakes(base: Iterable[str], decisions: Iterable[Decision]) -> dict[str, set[int]]:
    """List what can lie in each circle, in units of the wager's base."""
    stakes = {circle: {1} for circle in base}
    for decision in decisions:
        before = {circle: set(totals) for circle, totals in stakes.items()}
        for action in decision.actions:
            if bool(action.stake) != bool(action.circle):
                raise DeclarationError(
                    f"action {action.id} of {decision.id} has {'a stake and no' if action.stake else 'no stake and a'} "
                    "circle: give both or none",
                    code="stake-without-circle",
                    decision=decision.id,
                    action=action.id,
                )
            if action.stake:
                totals = (total + action.stake for total in before.get(action.circle, {0}))
                stakes.setdefault(action.circle, {0}).update(totals)  # 0 where nobody raises
    return stakes


def _verify_legs(place: str, outcome: Outcome, base: Iterable[str]) -> None:
    """Check that an outcome has one leg for each circle with chips."""
    laid = [leg.circle for leg in outcome.legs if leg.stake]
    missing = [circle for circle in base if circle not in laid]
    twice = [circle for circle in laid if laid.count(circle) > 1]
    if missing or twice:
        fault = f"no leg for {missing[0]}" if missing else f"two legs for {twice[0]}"
        raise DeclarationError(
            f"{place} has {fault}: give one leg to each circle with chips",
            code="legs-of-outcome",
            place=place,
        )


def _list(stakes: Iterable[int]) -> str:
    return " or ".join(str(stake) for stake in sorted(stakes) if stake)
