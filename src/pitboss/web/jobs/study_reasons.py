"""Why the actions of a position have their values: sentences, counts and parts."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from pitboss.reports.chance_text import describe_parts


class CountedAction(NamedTuple):
    """How an action ends: how many of the equally likely ways win, push and lose.

    ``ways`` is the smallest number of which all counts are whole.  Ways that are folded, now or later, are not among
    those in which the dealer is ``unqualified``.
    """

    name: str
    cards: tuple[str, ...]
    ways: int
    wins: int
    pushes: int
    loses: int
    unqualified: int
    folds: int = 0


class ValueParts(NamedTuple):
    """What each wager is worth after an action, main first; they add up to its value.

    ``name`` is that of the action with its cards.
    """

    name: str
    parts: tuple[tuple[str, Fraction], ...]

    @property
    def sentence(self) -> str:
        """The parts in a sentence."""
        return describe_parts(self.name, self.parts)


class StudyReasons(NamedTuple):
    """Why actions are worth what they are: a sentence for each, and the exact counts.

    ``others`` are sentences on the choices of cards that are not an action's best.  ``note`` says what the values count
    where wins cannot be counted, "" if they are, and ``fees`` which actions then pay fees.  ``parts`` has every choice
    where side wagers count in the values: the wins are those of the main wager alone.
    """

    sentences: tuple[str, ...] = ()
    counts: tuple[CountedAction, ...] = ()
    others: tuple[str, ...] = ()
    note: str = ""
    fees: str = ""
    parts: tuple[ValueParts, ...] = ()

    @property
    def has_unqualified(self) -> bool:
        """Whether a dealer may fail to qualify."""
        return any(each.unqualified for each in self.counts)

    @property
    def has_later_folds(self) -> bool:
        """Whether an action may be followed by a fold."""
        return any(0 < each.folds < each.ways for each in self.counts)

    def find_other(self, name: str) -> str:
        """Return the sentence on a choice by its name and cards, or ""."""
        return self._find(self.others, name)

    def find_parts(self, name: str) -> ValueParts | None:
        """Return the parts of a choice by its name and cards, None if it has none."""
        return next((each for each in self.parts if each.name == name), None)

    def list_parts(self, name: str) -> list[str]:
        """List the sentences on the parts of a choice, and of each action's best.

        The choice is by its name and cards.
        """
        names = dict.fromkeys((name, *(" ".join((each.name, *each.cards)) for each in self.counts)))
        return [each.sentence for each in map(self.find_parts, names) if each]

    def split_sentences(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the sentences to say first, and the rest.

        A choice by its name and cards comes first.  What draws make of the hand is said of it and of the best action
        first, without a choice of the two best.

        >>> StudyReasons(("Fold loses.", "Play wins."), (), ("Play 2s wins.",)).split_sentences("Play 2s")
        (('Play 2s wins.', 'Fold loses.', 'Play wins.'), ())
        >>> drawn = StudyReasons(("Draw 2s makes a pair.", "Play keeps.", "Buy keeps."), note="No wins are counted.")
        >>> drawn.split_sentences("Buy")
        (('Buy keeps.', 'Draw 2s makes a pair.'), ('Play keeps.',))
        >>> drawn.split_sentences("")
        (('Draw 2s makes a pair.', 'Play keeps.'), ('Buy keeps.',))
        """
        if not self.note:
            return tuple(filter(None, (self.find_other(name), *self.sentences))), ()
        chosen = self._find((*self.sentences, *self.others), name)
        first = (chosen, *self.sentences[:1]) if name else self.sentences[:2]
        said = tuple(dict.fromkeys(filter(None, first)))
        return said, tuple(each for each in self.sentences if each not in said)

    @staticmethod
    def _find(sentences: Iterable[str], name: str) -> str:
        return next((each for each in sentences if name and each.startswith(f"{name} ")), "")
