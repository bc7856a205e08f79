"""How the outcomes of a wager that no choice changes are counted exactly.

A rule function takes the hand tables, sets of cards and the options.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CardSetCensus:
    """The census of a wager that a set of ``cards`` cards decides.

    All sets are equally likely.  ``outcome(tables, mask, options)`` returns the index of the outcome.
    """

    cards: int
    outcome: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class LastCardCensus:
    """A ``CardSetCensus`` in which it also matters which card came last.

    ``outcome(tables, first_mask, last_mask, options)``; the deals are the sets times the cards of a set.
    """

    cards: int
    outcome: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class CardPositionCensus:
    """The census by the place of ``card``: all places of a one-seat round are alike."""

    card: int


@dataclass(frozen=True, slots=True)
class HandPairCensus:
    """The census of a wager on two disjoint hands of ``cards`` cards each.

    ``strength(tables, mask, options)`` ranks a hand; ``outcome(mine, theirs, options)`` returns the outcome of two
    strengths.  The weaker hand's strength alone decides: it must not depend on how strong the stronger hand is, and
    must be ``default_outcome`` if the strengths are equal or the weaker hand is below ``lowest_strength``.
    """

    cards: int
    strength: Callable[..., Any]
    outcome: Callable[..., Any]
    lowest_strength: int
    default_outcome: int


Census = CardSetCensus | LastCardCensus | CardPositionCensus | HandPairCensus
