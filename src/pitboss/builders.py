"""Builders of the rules, side-wager outcomes and options that games share."""

import re
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from pitboss.censuses import Census
from pitboss.contract import Action, Decision, Leg, LegResult, Option, Outcome, RuleFunction, Rules, ViewField, Wager
from pitboss.core.errors import PitbossError
from pitboss.hands import CATEGORY_COUNT, HIGH_CARD, PAIR, format_rank, get_category_name, pack_lowest_strength

NOT_QUALIFIED_REASON = "dealer does not qualify: {dealers}, below {dealer_qualifies}"
"""The reason of a wager that pushes or wins because the dealer is below the option ``dealer_qualifies``.

A game whose dealer always needs the same hand writes that hand instead of ``{dealer_qualifies}``.
"""

_PAIR_RANKS = "23456789TJQKA"
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_KEPT_HYPHENS = re.compile(
    "|".join(
        (
            r"(?<=ace)-(?=king)|(?<=ace-king)-(?=queen)|(?<=same)-(?=coloured)",
            *(rf"(?<=\b{count})-(?=card\b)" for count in _COUNTS),
        )
    )
)
_SPECIAL_NAMES = {
    "automatic-win": "automatic win",
    "five-of-a-kind-aces": "five of a kind, aces",
    "five-same-coloured": "five same-coloured cards",
    "fold-play-or-draw": "fold, play or draw",
    "joker-in-community": "Joker in the community cards",
    "joker-in-hand": "Joker in hand",
    "play-2": "play again",
    "take-ante": "take the Ante",
    "take-ante-or-force": "take the Ante or force",
}
_CATEGORIES = (get_category_name(pack_lowest_strength(each)) for each in range(CATEGORY_COUNT))
_LINES = "|".join(sorted({"ace-king", *_CATEGORIES}, key=len, reverse=True))
_OUTCOME = re.compile(r"(.+?)-(win|tie|lose|push)(?:-(not-)?(qualified))?(?:-(.+))?")
_TAXED = r"[a-z-]+-or-(?:better|lower)|three-of-a-kind|two-pair"
_OUTCOME_WORDS = (
    (re.compile(rf"(?!(?:{_LINES})$)({_LINES})-({_LINES})"), "{} and {}"),  # a line and the second that is paid too
    (re.compile(r"(natural-.+)-(wild-.+)"), "{}, {}"),
    (re.compile(rf"tax-({_TAXED})"), "tax on {}"),
    (re.compile(rf"tax-({_TAXED})-(.+)"), "tax on {}: {}"),
    (re.compile(r"instant-cash-(.+)"), "Instant Cash: {}"),
    (re.compile(r"((?:play|buy|exchange-\d).*)(?<!-or)-(fold|play|force|take-ante)"), "{}, {}"),
)


def display_name(name: str) -> str:
    """Format an id as words.

    >>> display_name("pair-of-queens-or-better"), display_name("six-card-straight-flush")
    ('pair of queens or better', 'six-card straight flush')
    >>> display_name("seven-card-flush"), display_name("exchange-two-cards")
    ('seven-card flush', 'exchange two cards')
    >>> display_name("fold-play-or-draw")
    'fold, play or draw'
    >>> display_name("win-ace-king-queen"), display_name("royal-flush-with-joker"), display_name("five-same-coloured")
    ('win ace-king-queen', 'royal flush with Joker', 'five same-coloured cards')
    >>> display_name("exchange-3-play-lose-qualified"), display_name("buy-fold")
    ('exchange 3, play: lose, dealer qualified', 'buy, fold')
    >>> display_name("play-force-win-qualified-two-pair-ace-king")
    'play, force: win with two pair and ace-king, dealer qualified'
    """
    if name in _SPECIAL_NAMES:
        return _SPECIAL_NAMES[name]
    if outcome := _OUTCOME.fullmatch(name):
        path, result, negation, qualified, lines = outcome.groups()
        ending = f"{result} with {display_name(lines)}" if lines else result
        dealer = f", dealer {'not ' if negation else ''}{qualified}" if qualified else ""
        return f"{display_name(path)}: {ending}{dealer}"
    for pattern, words in _OUTCOME_WORDS:
        if parts := pattern.fullmatch(name):
            return words.format(*map(display_name, parts.groups()))
    return "-".join(part.replace("-", " ") for part in _KEPT_HYPHENS.split(name)).replace("joker", "Joker")


def capitalize_first(text: str) -> str:
    """Capitalize the first letter, and leave the others as they are.

    >>> capitalize_first("a player may keep all five cards"), capitalize_first("Bad Beat: take")
    ('A player may keep all five cards', 'Bad Beat: take')
    """
    return text[:1].upper() + text[1:]


def make_title(name: str) -> str:
    """Return an id as a title.

    >>> make_title("pair-of-queens-or-better")
    'Pair of queens or better'
    """
    return capitalize_first(display_name(name))


def display_value(value: str) -> str:
    """Format the value of an option as words.

    >>> display_value("pair-of-T"), display_value("two_straights")
    ('pair of tens', 'two straights')
    """
    pair, _, rank = value.partition("pair-of-")
    if not pair and rank:
        return f"pair of {format_rank(2 + _PAIR_RANKS.index(rank), plural=True)}"
    return display_name(value.replace("_", "-"))


def collect_rules(module: ModuleType) -> Rules:
    """Collect a game's rule functions from its ``rules`` module.

    Each has the name of its field in ``Rules``.

    Raises:
        PitbossError: the module lacks a function without a default; the message names it.
    """
    for field in fields(Rules):
        if field.default is MISSING and not hasattr(module, field.name):
            close = get_close_matches(field.name, vars(module), 1)
            hint = f"is it {close[0]}?" if close else "write it, with @rule above it"
            raise PitbossError(
                f"{module.__name__.rpartition('.')[2]}.py has no rule {field.name}: {hint}",
                code="rule-missing",
                rule=field.name,
            )
    names = [field.name for field in fields(Rules) if hasattr(module, field.name)]
    return Rules(**{name: getattr(module, name) for name in names})


def make_line_outcomes(bet: str, lines: Iterable[str], lose_reason: str, win_reason: str = "") -> tuple[Outcome, ...]:
    """Make the outcomes of a side wager that wins by a line of its pay table.

    Without a line it loses.  Outcome ``i`` is line ``i`` of ``lines``, in printed order; its reason is ``win_reason``,
    or else the name of the line.  The last outcome is the loss, with the reason ``lose_reason``.

    >>> [outcome.name for outcome in make_line_outcomes("joker", ["joker-in-hand"], "no Joker")]
    ['joker-in-hand', 'lose']
    """
    paid = tuple(
        Outcome(line, (Leg(bet, 1, LegResult.WIN, win_reason or display_name(line), (line,), bet),)) for line in lines
    )
    return (*paid, Outcome("lose", (Leg(bet, 1, LegResult.LOSE, lose_reason),)))


def make_line_wager(
    bet: str, name: str, lines: Iterable[str], lose_reason: str, census: Census, **others: Any
) -> Wager:
    """Make a side wager that wins by a line of its own pay table.

    Its outcomes are those of ``make_line_outcomes``; ``others`` are further fields of ``Wager``.
    """
    outcomes = make_line_outcomes(bet, lines, lose_reason)
    return Wager(bet, name, outcomes, paytable_kinds=(bet,), census=census, **others)


def make_fold_or_raise(question: str, raise_to: str, stake: int, *view_fields: ViewField) -> Decision:
    """Make the decision to fold, or to put ``stake`` Antes on circle ``raise_to``.

    The action has the circle's name.  A seat that does not answer folds.
    """
    actions = (Action("fold"), Action(raise_to, stake=stake, circle=raise_to))
    return Decision(f"fold-or-{raise_to}", question, actions, timeout_action="fold", view_fields=view_fields)


def make_raise_decision(
    name: str, question: str, otherwise: str, circle: str, antes: Iterable[int], *view_fields: ViewField
) -> Decision:
    """Make the decision to raise by one of several numbers of Antes.

    Its other action, ``otherwise``, is to check or to fold: that of a seat that does not answer.

    >>> decision = make_raise_decision("preflop", "Check, or raise?", "check", "play", (3, 4))
    >>> [action.id for action in decision.actions]
    ['check', 'raise-3x', 'raise-4x']
    """
    raises = (Action(f"raise-{stake}x", stake=stake, circle=circle) for stake in antes)
    return Decision(name, question, (Action(otherwise), *raises), otherwise, view_fields)


@dataclass(frozen=True, slots=True)
class FoldReason:
    """The reason for a lost side wager: "folded" if the fold lost it, else another."""

    is_lost_by_fold: RuleFunction
    reason: str

    def __call__(self, _tables: Any, state: Any, options: Any) -> str:
        """Return why the wager is lost."""
        return "folded" if self.is_lost_by_fold(state, options) else self.reason


def make_fold_reason(is_lost_by_fold: RuleFunction, reason: str) -> FoldReason:
    """Make a function for ``Game.reason_fields`` that says why a side wager is lost.

    The reason is "folded" if the rule ``is_lost_by_fold(state, options)`` says so, else ``reason``.
    """
    return FoldReason(is_lost_by_fold, reason)


def make_dealer_qualifies_option(default: str, ruling: str) -> Option:
    """Make the option ``dealer_qualifies`` (ruling ALL-7).

    Its codes are the lowest qualifying strengths.
    """
    values = ("always", "ace-king", *(f"pair-of-{rank}" for rank in _PAIR_RANKS))
    pairs = (pack_lowest_strength(PAIR, rank) for rank in range(2, 15))
    return Option(
        name="dealer_qualifies",
        values=values,
        default=default,
        ruling=ruling,
        meaning="the lowest hand with which the dealer qualifies",
        codes=(0, pack_lowest_strength(HIGH_CARD, 14, 13), *pairs),
    )


def make_on_off_option(name: str, default: str, ruling: str, meaning: str) -> Option:
    """Make an option that is on (1) or off (0)."""
    return Option(name, ("off", "on"), default, ruling, meaning, codes=(0, 1))


def make_choice_option(name: str, values: tuple[str, ...], ruling: str, meaning: str, default: str = "") -> Option:
    """Make an option of named values.

    They are coded 0, 1 ... in their order; the first is the default unless one is given.
    """
    return Option(name, values, default or values[0], ruling, meaning, codes=tuple(range(len(values))))
