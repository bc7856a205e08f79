"""Lunar Poker by the letter of its rulings, slow and obvious: no masks, no numbering, pays spelt out.

Cards are codes (suit * 13 + rank); a hand is a tuple of them; amounts are in Antes.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

ACE, KING, QUEEN = 14, 13, 12
BET = {  # LU-8, in printed order
    "royal-flush": 100,
    "straight-flush": 50,
    "four-of-a-kind": 20,
    "full-house": 7,
    "flush": 5,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
    "pair": 1,
    "ace-king": 1,
}
ORDER = list(BET)
SUPER = {  # LU-5
    "four-of-a-kind": 250,
    "same-coloured-straight": 150,
    "full-house": 100,
    "flush": 60,
    "straight": 30,
    "three-of-a-kind": 8,
    "ace-king-queen": 6,
    "five-same-coloured": 2,
}
INSTANT_CASH = {"royal-flush": 1000, "straight-flush": 250}  # LU-4, IC-2
CATEGORIES = ["high-card", *ORDER[-2::-1]]
QUALIFIERS = {"always": (0,), "ace-king": (0, ACE, KING)} | {
    f"pair-of-{name}": (1, rank) for rank, name in enumerate("23456789TJQKA", start=2)
}

Hand = Sequence[int]


def hands_up_to_suits(ranks: Collection[int], cards: int) -> Iterator[tuple[Hand, int]]:
    """Yield a hand for each class of hands that differ by a renaming of suits alone, and the size of the class."""
    held = [list(combinations(ranks, size)) for size in range(cards + 1)]
    for sizes in combinations_with_replacement(range(cards + 1), 4):
        if sum(sizes) != cards:
            continue
        groups = Counter(sizes).items()
        for chosen in product(*(combinations_with_replacement(held[size], count) for size, count in groups)):
            suits = [suit for group in chosen for suit in group]
            alike = prod(factorial(count) for count in Counter(suits).values())
            yield [13 * place + rank - 2 for place, suit in enumerate(suits) for rank in suit], factorial(4) // alike


def rank(card: int) -> int:
    return card % 13 + 2


def suit(card: int) -> int:
    return card // 13


def is_straight(ranks: Collection[int]) -> bool:
    held = set(ranks)
    if held == {ACE, 2, 3, 4, 5}:
        return True
    return len(held) == 5 and max(held) - min(held) == 4


def formed_by(cards: Hand) -> str:
    """Name the combination that exactly these cards form, or nothing."""
    ranks = [rank(card) for card in cards]
    shape = sorted(Counter(ranks).values())
    if len(cards) == 2:
        return "pair" if shape == [2] else "ace-king" if set(ranks) == {ACE, KING} else ""
    if len(cards) == 3:
        return "three-of-a-kind" if shape == [3] else ""
    if len(cards) == 4:
        return "four-of-a-kind" if shape == [4] else "two-pair" if shape == [2, 2] else ""
    if shape == [2, 3]:
        return "full-house"
    flush, straight = len({suit(card) for card in cards}) == 1, is_straight(ranks)
    if flush and straight:
        return "royal-flush" if {ACE, KING} < set(ranks) else "straight-flush"
    return "flush" if flush else "straight" if straight else ""


def paid_by_way(hand: Hand, *, paired_straight: str = "two_straights") -> list[tuple[str, ...]]:
    """Return, for every way of forming the first combination, the lines paid with the best of all others beside it."""
    subsets = [subset for size in range(2, 6) for subset in combinations(hand, size)]
    ways = [(name, subset) for subset in subsets if (name := formed_by(subset))]
    highest = min((name for name, _ in ways), key=ORDER.index, default="")
    return [
        max(
            ((highest, *further) for further in [(), *_beside(first, ways, paired_straight)]),
            key=lambda lines: (total(lines), -ORDER.index(lines[-1])),
        )
        for name, first in ways
        if name == highest
    ]


def payable(hand: Hand, *, paired_straight: str = "two_straights") -> set[tuple[str, ...]]:
    """Return every choice of lines that LU-9 leaves: the first combination, alone or with a further one, in any way."""
    subsets = [subset for size in range(2, 6) for subset in combinations(hand, size)]
    ways = [(name, subset) for subset in subsets if (name := formed_by(subset))]
    highest = min((name for name, _ in ways), key=ORDER.index, default="")
    firsts = [first for name, first in ways if name == highest]
    return {(highest, *further) for first in firsts for further in [(), *_beside(first, ways, paired_straight)]}


def _beside(first: Hand, ways: Sequence[tuple[str, Hand]], paired_straight: str) -> list[tuple[str]]:
    """Name the combinations with a card outside the first."""
    found = []
    for name, second in ways:
        same_ranks = {rank(card) for card in first} == {rank(card) for card in second}
        both_straights = formed_by(first) == name == "straight"
        one_straight = paired_straight == "straight_and_pair" and both_straights and same_ranks
        if not set(second) <= set(first) and not one_straight:
            found.append((name,))
    return found


def best_combinations(hand: Hand, *, paired_straight: str = "two_straights") -> tuple[str, ...]:
    """Return the lines a winning hand is paid on: those of the way with the largest total, none below ace-king."""
    return max(paid_by_way(hand, paired_straight=paired_straight), key=total, default=())


def total(lines: tuple[str, ...], pays: Mapping[str, int] = BET) -> int:
    return sum(pays[line] for line in lines)


def value_of_five(five: Hand) -> tuple[int, ...]:
    """Rank five cards: category, then groups, then kickers (ALL-1)."""
    ranks = [rank(card) for card in five]
    counts = Counter(ranks)
    shape = sorted(counts.values(), reverse=True)
    groups = sorted(counts, key=lambda held: (counts[held], held), reverse=True)
    flush, straight = len({suit(card) for card in five}) == 1, is_straight(ranks)
    if straight and groups[:2] == [ACE, 5]:
        groups = [5, 4, 3, 2, 1]
    if straight and flush:
        return 9 if groups[0] == ACE else 8, *groups
    if shape in ([4, 1], [3, 2]):
        return 7 if shape == [4, 1] else 6, *groups
    if flush or straight:
        return 5 if flush else 4, *groups
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), *groups


def value(hand: Hand) -> tuple[int, ...]:
    return max(value_of_five(five) for five in combinations(hand, 5))


def super_line(five: Hand, *, needs_no_pair: bool = False) -> str:
    """Return the line of Super that a first five makes, or lose (LU-5)."""
    made = CATEGORIES[value(five)[0]]
    ranks = [rank(card) for card in five]
    red = sum(suit(card) in (1, 2) for card in five)
    alike = red in (0, 5)
    if made in ("royal-flush", "straight-flush") or (made == "straight" and alike):
        return "same-coloured-straight"
    if made in SUPER:
        return made
    if {ACE, KING, QUEEN} <= set(ranks) and not (needs_no_pair and len(set(ranks)) < 5):
        return "ace-king-queen"
    return "five-same-coloured" if alike else "lose"


def forced(dealer: Hand, card: int, *, lowest: bool = False) -> Hand:
    """Replace the dealer's highest (or lowest) card; of two alike, the one that keeps four of a suit together."""
    end = (min if lowest else max)(rank(held) for held in dealer)
    kept = [[other for other in dealer if other != held] for held in dealer if rank(held) == end]
    return [*max(kept, key=lambda four: max(Counter(suit(held) for held in four).values())), card]


def ending(
    first_five: Hand,
    final: Hand,
    dealer: Hand,
    words: Sequence[str],
    force_card: int,
    options: Mapping[str, str],
) -> tuple[str, int]:
    """Return how `main` ends and what it nets, Ante 1, for a seat that did ``words`` and held ``final`` at last."""
    made = CATEGORIES[value(first_five)[0]]
    if made in INSTANT_CASH:
        return f"instant-cash-{made}", INSTANT_CASH[made]
    path = "-".join(words)
    spent = (words[0] not in ("fold", "play")) + ("force" in words)
    if words[-1] == "fold":
        return path, -1 - spent
    if words[-1] == "take-ante":
        return path, 1 - spent
    if "force" in words:
        dealer = forced(dealer, force_card, lowest=options["force_replaces"] == "lowest")
    dealers, mine = value(dealer), value(final)
    result = "win" if mine > dealers else "tie" if mine == dealers else "lose"
    if dealers < QUALIFIERS[options["dealer_qualifies"]]:
        return f"{path}-{result}-not-qualified", -spent
    if result == "win":
        lines = best_combinations(final, paired_straight=options["paired_straight"])
        return "-".join((path, "win-qualified", *lines)), 2 * total(lines) - spent
    return f"{path}-{result}-qualified", -spent - 3 * (result == "lose")
