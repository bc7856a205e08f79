"""What a strength is called, and which five cards make it."""

from pitboss.cards import NATURALS, RANKS, SUITS
from pitboss.core.errors import CardError
from pitboss.hands.order import FLUSH, ROYAL_FLUSH, STRAIGHT_FLUSH, category

# The line's name for scripts, and its name at the table with the ranks of the five cards, one or many.
_NAMES = (
    ("high-card", "{one[0]}-{one[1]} high"),
    ("pair", "pair of {many[0]}"),
    ("two-pair", "two pair, {many[0]} and {many[2]}"),
    ("three-of-a-kind", "three of a kind, {many[0]}"),
    ("straight", "straight, {one[0]} high"),
    ("flush", "flush, {one[0]} high"),
    ("full-house", "full house, {many[0]} over {many[3]}"),
    ("four-of-a-kind", "four of a kind, {many[0]}"),
    ("straight-flush", "straight flush, {one[0]} high"),
    ("five-of-a-kind", "five of a kind, {many[0]}"),
    ("royal-flush", "royal flush"),
    ("five-of-a-kind", "five of a kind, {many[0]}"),
)
_RANK_NAMES = (
    "ace",
    "deuce",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_DEUCE = 2


def category_name(strength: int) -> str:
    """Return the name of a strength's category as scripts know it.

    >>> category_name(0x6DDD77)
    'full-house'
    """
    return _NAMES[category(strength)][0]


def rank_name(rank: int, *, many: bool = False) -> str:
    """Return what a dealer calls a rank: 2 to 14, and 1 for an ace that is low.

    >>> rank_name(14), rank_name(6, many=True)
    ('ace', 'sixes')
    """
    name = _RANK_NAMES[rank - 1]
    return name + ("es" if name == "six" else "s") if many else name


def hand_name(strength: int) -> str:
    """Return what a dealer calls the hand.

    >>> hand_name(0x6DDD77), hand_name(0x454321), hand_name(0x0ED974)
    ('full house, kings over sevens', 'straight, five high', 'ace-king high')
    """
    one = [rank_name(rank) for rank in _ranks(strength)]
    many = [rank_name(rank, many=True) for rank in _ranks(strength)]
    return _NAMES[category(strength)][1].format(one=one, many=many)


def best_five(mask: int, wilds: int, strength: int) -> tuple[int, ...]:
    """Return the five cards that make ``strength``, the most significant first.

    ``strength`` is the one evaluated from the natural cards ``mask`` (Jokers in it are ignored) and
    ``wilds`` wild ones.  A wild appears as the card it stands for, in a suit not in play where one is
    left, so a code may come twice when it stands for a card already in play (ALL-2).

    >>> from pitboss.cards import DECK_52, format_cards, mask_of, parse_cards
    >>> cards = mask_of(parse_cards("Ah Qh Jh Th 2c 2s", DECK_52))
    >>> format_cards(best_five(cards, 1, 0xAEDCBA), DECK_52)
    'Ah Kh Qh Jh Th'

    Raises:
        CardError: the cards do not make a hand of this strength.
    """
    one_suit = category(strength) in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
    for suits in [(suit,) for suit in range(SUITS)] if one_suit else [tuple(range(SUITS))]:
        five, wilds_used = _taken(mask & NATURALS, _ranks(strength), suits)
        if wilds_used <= wilds:
            return five
    message = f"the cards do not make {hand_name(strength)}: pass the strength evaluated from them"
    raise CardError(message)


def _taken(mask: int, ranks: list[int], suits: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return a card of these suits for each rank, naturals as far as they go, and the number of wilds."""
    five: list[int] = []
    wilds = 0
    for rank in ranks:
        codes = [suit * RANKS + (rank - _DEUCE) % RANKS for suit in suits]
        unused = [code for code in codes if code not in five]
        held = [code for code in unused if mask >> code & 1]
        wilds += not held
        five.append((held or unused or codes)[0])
    return tuple(five), wilds


def _ranks(strength: int) -> list[int]:
    """Return the five ranks of a strength, the ace below a deuce as 1."""
    return [strength >> shift & 15 for shift in (16, 12, 8, 4, 0)]
