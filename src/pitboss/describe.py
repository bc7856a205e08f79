"""Shorthand for describing a game: its rule functions, a side wager's outcomes, options that several games share."""

import re
from collections.abc import Iterable
from dataclasses import fields
from types import ModuleType

from pitboss.contract import Leg, Option, Outcome, Rules, Verdict
from pitboss.hands import HIGH_CARD, PAIR, lowest, rank_name

NOT_QUALIFIED = "dealer does not qualify: {dealers}, below {dealer_qualifies}"
"""Why a wager pushes, or wins, against a dealer below the option ``dealer_qualifies``."""

_PAIR_RANKS = "23456789TJQKA"
_HYPHENED = re.compile(r"(?<=ace)-(?=king)|(?<=ace-king)-(?=queen)|(?<=six)-(?=card)|(?<=same)-(?=coloured)")
_WORDS = {
    "five-same-coloured": "five same-coloured cards",
    "joker-in-community": "Joker in the community cards",
    "joker-in-hand": "Joker in hand",
    "play-2": "play again",
}


def spoken(name: str) -> str:
    """Turn an INTERFACE name into words.

    >>> spoken("pair-of-queens-or-better"), spoken("six-card-straight-flush")
    ('pair of queens or better', 'six-card straight flush')
    >>> spoken("win-ace-king-queen"), spoken("royal-flush-with-joker"), spoken("five-same-coloured")
    ('win ace-king-queen', 'royal flush with Joker', 'five same-coloured cards')
    """
    if name in _WORDS:
        return _WORDS[name]
    return "-".join(part.replace("-", " ") for part in _HYPHENED.split(name)).replace("joker", "Joker")


def value_words(value: str) -> str:
    """Write an option's value in words.

    >>> value_words("pair-of-T"), value_words("two_straights")
    ('pair of tens', 'two straights')
    """
    pair, _, rank = value.partition("pair-of-")
    if not pair and rank:
        return f"pair of {rank_name(2 + _PAIR_RANKS.index(rank), many=True)}"
    return spoken(value.replace("_", "-"))


def rules_in(module: ModuleType) -> Rules:
    """Take a game's rule functions from its ``rules`` module, each by its name in ``Rules``.

    Raises:
        TypeError: the module has none of a name that has no default; it says which.
    """
    names = [field.name for field in fields(Rules) if hasattr(module, field.name)]
    return Rules(**{name: getattr(module, name) for name in names})


def line_outcomes(bet: str, lines: Iterable[str], lose: str, won: str = "") -> tuple[Outcome, ...]:
    """Describe a side wager that wins what its pay table's line says and otherwise loses.

    Outcome ``i`` is line ``i`` of ``lines``, in printed order, and won for the reason ``won``, or that it is the line;
    the last outcome is ``lose``, for the reason given.

    >>> [outcome.name for outcome in line_outcomes("joker", ["joker-in-hand"], "no Joker")]
    ['joker-in-hand', 'lose']
    """
    paid = tuple(Outcome(line, (Leg(bet, 1, Verdict.WIN, won or spoken(line), (line,), bet),)) for line in lines)
    return (*paid, Outcome("lose", (Leg(bet, 1, Verdict.LOSE, lose),)))


def dealer_qualifies(default: str, ruling: str) -> Option:
    """Describe the option ``dealer_qualifies`` (ruling ALL-7); its codes are the lowest qualifying strengths."""
    values = ("always", "ace-king", *(f"pair-of-{rank}" for rank in _PAIR_RANKS))
    pairs = (lowest(PAIR, rank) for rank in range(2, 15))
    return Option(
        name="dealer_qualifies",
        values=values,
        default=default,
        ruling=ruling,
        meaning="the lowest hand with which the dealer qualifies",
        codes=(0, lowest(HIGH_CARD, 14, 13), *pairs),
    )


def on_off(name: str, default: str, ruling: str, meaning: str) -> Option:
    """Describe an option that is on (1) or off (0)."""
    return Option(name, ("off", "on"), default, ruling, meaning, codes=(0, 1))


def choice(name: str, values: tuple[str, ...], ruling: str, meaning: str, default: str = "") -> Option:
    """Describe an option of named values, coded 0, 1 ... in their order; the first is the default."""
    return Option(name, values, default or values[0], ruling, meaning, codes=tuple(range(len(values))))
