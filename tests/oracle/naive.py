"""The slow, obvious evaluator that every fast one is compared to.

It shares no code with the package and no idea either: every wild card is replaced by every card of the
deck, every five of the cards are looked at, and the best of all that is the hand.  A card is a code
0..51, suit * 13 + rank with the deuce 0; a Joker is told only by the number of wilds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

ORDER = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "five-of-a-kind",
    "royal-flush",
)
FIVE_ABOVE_ROYAL = (*ORDER[:-2], "royal-flush", "five-of-a-kind")

Hand = tuple[str, tuple[int, ...]]  # what it is, and its ranks 2..14 in order of significance


def best_hand(cards: Sequence[int], wilds: int, *, five_first: bool = False, any_card: bool = False) -> Hand:
    """Return the best five of the natural ``cards`` and ``wilds`` wild ones.

    ``five_first`` puts five of a kind above the royal flush.  ``any_card`` lets a flush hold the same
    rank twice; without it five cards of one suit of which two are of one rank are no flush, and so a wild
    in a flush is a rank the flush lacks, the highest as the best hand is sought.
    """
    order = FIVE_ABOVE_ROYAL if five_first else ORDER
    return max(
        (five_cards(five, any_card=any_card) for five in every_five(cards, wilds)),
        key=lambda hand: (order.index(hand[0]), hand[1]),
    )


def every_five(cards: Sequence[int], wilds: int) -> Iterator[tuple[int, ...]]:
    """Yield every five cards that can be shown, each wild replaced by any card, in play or not."""
    for used in range(wilds + 1):
        for kept in combinations(cards, 5 - used):
            for shown in combinations_with_replacement(range(52), used):
                yield tuple(sorted(kept + shown))


@lru_cache(maxsize=1 << 16)
def five_cards(five: tuple[int, ...], *, any_card: bool) -> Hand:
    """Return what exactly five cards are; the same card may come twice, where a wild stands for it."""
    ranks = sorted((code % 13 + 2 for code in five), reverse=True)
    one_suit = len({code // 13 for code in five}) == 1
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    shape = [copies for _, copies in groups]
    in_order = tuple(rank for rank, copies in groups for _ in range(copies))
    different = len(groups) == 5
    if ranks == [14, 5, 4, 3, 2]:
        in_order = (5, 4, 3, 2, 1)
    straight = different and in_order[0] - in_order[4] == 4
    if straight and one_suit:
        return ("royal-flush" if in_order[0] == 14 else "straight-flush"), in_order
    if shape == [5]:
        return "five-of-a-kind", in_order
    if shape == [4, 1]:
        return "four-of-a-kind", in_order
    if shape == [3, 2]:
        return "full-house", in_order
    if one_suit and (different or any_card):
        return "flush", tuple(ranks)
    if straight:
        return "straight", in_order
    if shape[0] == 3:
        return "three-of-a-kind", in_order
    if shape[:2] == [2, 2]:
        return "two-pair", in_order
    return ("pair" if shape[0] == 2 else "high-card"), in_order


def six_cards(codes: Iterable[int]) -> str:
    """Return the line of Taxpayer's Fortune that exactly six cards make, ``nothing`` if none (W6-6).

    Codes 52 and 53 are Jokers, with which a hand can only be six of a kind.
    """
    codes = sorted(codes)
    natural = [code for code in codes if code < 52]
    ranks = sorted(code % 13 + 2 for code in natural)
    if len(natural) < 6:
        return "six-of-a-kind" if len(natural) == 4 and len(set(ranks)) == 1 else "nothing"
    runs = [[14, 2, 3, 4, 5, 6], *([low, low + 1, low + 2, low + 3, low + 4, low + 5] for low in range(2, 10))]
    straight = ranks in [sorted(run) for run in runs]
    flush = len({code // 13 for code in natural}) == 1
    copies = sorted(Counter(ranks).values())
    if straight and flush:
        return "six-card-straight-flush"
    if copies == [2, 4]:
        return "four-aces-and-a-pair" if ranks.count(14) == 4 else "four-of-a-kind-and-a-pair"
    if copies == [3, 3]:
        return "double-three-of-a-kind"
    if flush:
        return "six-card-flush"
    if straight:
        return "six-card-straight"
    return "three-pair" if copies == [2, 2, 2] else "nothing"
