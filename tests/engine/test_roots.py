"""The ways to choose the first cards are the same, compiled or not."""

import pytest

from pitboss.engine import roots
from pitboss.engine.roots import list_roots
from pitboss.engine.symmetry import list_exchanges


@pytest.mark.parametrize(("jokers", "sizes"), [(0, (3,)), (1, (2, 1)), (2, (1, 2)), (2, (4,)), (0, ())])
def test_few_sets_are_listed_as_many_are(jokers: int, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [0, 1, 2, 5, 13, 14, 18, 26, 27, 31, *range(52, 52 + jokers)]
    exchanges = list_exchanges(sum(1 << card for card in cards), keeps_colours=False)
    few = [each.tolist() for each in list_roots(cards, sizes, exchanges)]
    monkeypatch.setattr(roots, "_FEW", -1)
    assert [each.tolist() for each in list_roots(cards, sizes, exchanges)] == few
