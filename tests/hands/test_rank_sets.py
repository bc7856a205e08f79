"""Sets of ranks against straights laid out one by one."""

from itertools import combinations

import pytest

from pitboss.cards import make_mask
from pitboss.games.wild_six_card.strategies import count_straight_ranks
from pitboss.hands.rank_sets import find_straight_draws, get_highest_rank

LOW_ACE = 0
STRAIGHTS = [{*range(low, low + 5)} for low in range(LOW_ACE, 10)]
"""The straights as places in a row of fourteen ranks, from the low ace to the high one."""


def places_of(ranks: int) -> set[int]:
    """Return the places of a set of ranks in the row; an ace has two."""
    held = {rank + 1 for rank in range(13) if ranks >> rank & 1}
    return held | {LOW_ACE} if 13 in held else held


def test_every_set_of_ranks_has_the_draws_laid_out_one_by_one() -> None:
    for ranks in range(1 << 13):
        draws = [place for place, straight in enumerate(STRAIGHTS) if len(straight & places_of(ranks)) >= 4]
        assert find_straight_draws(ranks) == sum(1 << place for place in draws)
        assert ranks == 0 or get_highest_rank(ranks) == max(places_of(ranks)) + 1


@pytest.mark.more
def test_every_four_cards_are_filled_by_the_ranks_tried_one_by_one() -> None:
    """Suits do not matter, so each rank comes in one suit, twice in two; a Joker fills one rank more."""
    ranks = [*range(13), *range(13, 26), 52]
    for four in combinations(ranks, 4):
        natural = [card % 13 for card in four if card < 52]
        filling = set()
        for fifth in set(range(13)) - set(natural):
            held = {*natural, fifth}
            makes = any(held <= {(place - 1) % 13 for place in straight} for straight in STRAIGHTS)
            filling |= {fifth} if makes and len(held) == len(natural) + 1 else set()
        assert count_straight_ranks(make_mask(four)) == len(filling), four
