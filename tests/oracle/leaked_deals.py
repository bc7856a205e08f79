"""The best play of somebody who knows more: every deal laid out, each kind of knowledge played on its own."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from oracle.whole_deals import WholeDeals, World

Look = Callable[[Sequence[int]], object]


class LeakedDeals(WholeDeals):
    """Deals of which the seat knows some places, or what ``look`` makes of their cards, before its first decision."""

    def average(self, known: Sequence[int], look: Look = tuple) -> Fraction:
        """Return the mean net of the best play over all deals."""
        kinds = [[place for place in kind if place not in known] for kind in self._find_kinds()]
        told: dict[object, list[World]] = defaultdict(list)
        self._fill([*([place] for place in known), *filter(None, kinds)], {}, self.cards, (tuple(known), look), told)
        value = sum(self._play_unseen(worlds, 0, (), ()).value for worlds in told.values())
        return Fraction(value, sum(world.weight for worlds in told.values() for world in worlds))

    def _fill(
        self,
        kinds: Sequence[Sequence[int]],
        deck: dict[int, int],
        left: tuple[int, ...],
        seen: tuple[tuple[int, ...], Look],
        told: dict[object, list[World]],
    ) -> None:
        """Lay out every deal, sorted by what is known of it."""
        if not kinds:
            others = iter(left)
            dealt = [deck[at] if at in deck else next(others) for at in range(self.rules.count_dealt(1))]
            state = self.rules.deal(dealt, 1, 0, self.wagered)
            weight = factorial(len(left))
            told[seen[1]([deck[place] for place in seen[0]])].append(World(weight, state, left))
            return
        for chosen in combinations(left, len(kinds[0])):
            lies = deck | dict(zip(kinds[0], chosen, strict=True))
            self._fill(kinds[1:], lies, tuple(card for card in left if card not in chosen), seen, told)
