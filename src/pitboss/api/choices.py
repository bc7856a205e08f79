"""One answer to a decision: an action with its cards, and what it is worth."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.par_sheet import format_fraction, value_as_json


@dataclass(frozen=True, slots=True)
class LegalChoice:
    """A legal action, and the names of the cards that it gives up.

    >>> import pitboss as pb
    >>> table = pb.game("lunar").round(deck="As Ks Qd 7h 2c")
    >>> table.decision.legal[-1]
    LegalChoice(action='exchange-5', cards=('As', 'Ks', 'Qd', '7h', '2c'))
    """

    action: str
    cards: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON data.

        >>> import pitboss as pb
        >>> pb.LegalChoice("exchange-2", ("7h", "2c")).to_dict()
        {'action': 'exchange-2', 'cards': ['7h', '2c']}
        """
        return {"action": self.action, "cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class ValuedChoice(LegalChoice):
    """A legal choice with its exact value and its cost, both in Antes.

    ``value`` is the expected net of the whole round if the choice is taken and the rest is played best: the first bet,
    its raises and fees count, also those placed before.  ``cost`` is how much less that is than the value of the best
    choice.

    >>> from fractions import Fraction
    >>> import pitboss as pb
    >>> pb.ValuedChoice("fold", (), Fraction(-1), Fraction(1, 20)).cost
    Fraction(1, 20)
    """

    value: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)

    @property
    def choice(self) -> LegalChoice:
        """The choice alone, which is equal to the one in ``PendingDecision.legal``.

        >>> import pitboss as pb
        >>> six_card = pb.game("six-card")
        >>> asked = six_card.round(seed=4).decision
        >>> [each.choice in asked.legal for each in six_card.hint(asked.cards)]
        [True, True]
        """
        return LegalChoice(self.action, self.cards)

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON data, named as in ``pitboss hint --json``.

        >>> from fractions import Fraction
        >>> import pitboss as pb
        >>> pb.ValuedChoice("fold", (), Fraction(-1), Fraction(1, 20)).to_dict()["cost_exact"]
        '1/20'
        """
        costs = {"cost": float(self.cost), "cost_exact": format_fraction(self.cost)}
        return {**self.choice.to_dict(), **value_as_json(self.value), **costs}
