"""Nobody at a table of an example game is sent anything that depends on a card they cannot see."""

import pytest

from examples.loading import FOLDERS, load_example
from table.test_secrecy import checked
from tiers import keep_named
from web.test_secrecy import DRAWN, compare_rounds, houses
from web.twin_worlds import Houses

__all__ = ["houses"]

each_example = pytest.mark.parametrize("name", FOLDERS)


@each_example
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see(name: str) -> None:
    assert checked(load_example(name), seed=11, rounds=5) > 15


@pytest.mark.long
@each_example
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see_in_many_rounds(name: str) -> None:
    assert sum(checked(load_example(name), seed, rounds=100) for seed in range(100, 120)) > 6_000


@pytest.mark.more
@pytest.mark.parametrize("name", keep_named(FOLDERS, "mississippi_stud", "ultimate_texas_holdem"))
def test_no_byte_of_any_answer_depends_on_a_card_that_is_not_seen(name: str, houses: Houses) -> None:
    assert list(compare_rounds(houses, load_example(name), seed=5, rounds=1, everything=True)) == []


@pytest.mark.long
@each_example
def test_no_byte_depends_on_a_card_that_is_not_seen_in_two_thousand_rounds(name: str, houses: Houses) -> None:
    game = load_example(name)
    for seed in range(1_000, 2_000):
        assert list(compare_rounds(houses, game, seed, rounds=2, one_of=DRAWN)) == []
