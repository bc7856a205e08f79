"""The best play of somebody who knows more: every deal laid out, each kind of knowledge played on its own."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

from oracle.whole_deals import WholeDeals, World
from pitboss.cards import make_mask

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


class KnownStub(WholeDeals):
    """Deals of which the seat knows the top cards of the stub, in order; the rest of a world's stub has no order."""

    def average(self, known: int) -> Fraction:
        """Return the mean net of the best play over all deals."""
        self._known, told = known, defaultdict[tuple[int, ...], list[World]](list)
        for world in self.deal():
            self._size = len(world.stub)
            for top in permutations(world.stub, known):
                rest = tuple(card for card in world.stub if card not in top)
                told[top].append(World(factorial(len(rest)), world.state, (*top, *rest)))
        value = sum(self._play_unseen(worlds, 0, (), ()).value for worlds in told.values())
        return Fraction(value, sum(world.weight for worlds in told.values() for world in worlds))

    def _draw(self, worlds: Iterable[World], counts: Iterable[int], receive: Any) -> Iterator[World]:
        """Yield the worlds after a draw of so many cards in each: known ones first."""
        for world, count in zip(worlds, counts, strict=True):
            known = max(0, self._known - (self._size - len(world.stub)))
            first, rest = world.stub[: min(known, count)], world.stub[known:]
            weight, left_over = divmod(world.weight, comb(len(rest), count - len(first)))
            assert left_over == 0
            for others in combinations(rest, count - len(first)):
                drawn = make_mask((*first, *others))
                stub = tuple(card for card in world.stub if not drawn >> card & 1)
                state = receive(world.state, drawn) if count else world.state
                yield World(weight, state, stub, (*world.moved, drawn))
