"""The names of hands, and the five cards that make a hand."""

from pitboss.cards import NATURALS_MASK, RANK_COUNT, SUIT_COUNT
from pitboss.core.errors import CardError
from pitboss.hands.four_cards import FOUR_CARD_HIGH
from pitboss.hands.low import LOW
from pitboss.hands.order import get_category
from pitboss.hands.three_cards import THREE_CARD_HIGH

# For each category: its name for scripts; its name at the table, with the ranks of its cards in the singular (one), in
# the plural (many), or the highest of them joined by hyphens (high); and how many ranks that name includes.
_FIVE_CARD_NAMES = (
    ("high-card", "{high} high", 2),
    ("pair", "pair of {many[0]}", 2),
    ("two-pair", "two pair, {many[0]} and {many[2]}", 4),
    ("three-of-a-kind", "three of a kind, {many[0]}", 3),
    ("straight", "straight, {one[0]} high", 5),
    ("flush", "flush, {high} high", 1),
    ("full-house", "full house, {many[0]} over {many[3]}", 5),
    ("four-of-a-kind", "four of a kind, {many[0]}", 4),
    ("straight-flush", "straight flush, {one[0]} high", 5),
    ("five-of-a-kind", "five of a kind, {many[0]}", 5),
    ("royal-flush", "royal flush", 5),
    ("five-of-a-kind", "five of a kind, {many[0]}", 5),
)
_OF_FIVE_CARDS = {name: (words, named) for name, words, named in _FIVE_CARD_NAMES}
_THREE_CARD_NAMES = ("high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush")
_FOUR_CARD_NAMES = (
    *("high-card", "pair", "two-pair", "straight", "flush", "three-of-a-kind", "straight-flush", "four-of-a-kind"),
)
_CATEGORY_NAMES = {
    **dict(enumerate(_FIVE_CARD_NAMES)),
    **{number: (name, *_OF_FIVE_CARDS[name]) for number, name in enumerate(_THREE_CARD_NAMES, THREE_CARD_HIGH)},
    **{number: (name, *_OF_FIVE_CARDS[name]) for number, name in enumerate(_FOUR_CARD_NAMES, FOUR_CARD_HIGH)},
    LOW: ("low", "{high} low", 2),
}
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


def get_category_name(strength: int) -> str:
    """Return the name of a strength's category for scripts.

    >>> get_category_name(0x6DDD77)
    'full-house'
    """
    return _CATEGORY_NAMES[get_category(strength)][0]


def format_rank(rank: int, *, plural: bool = False) -> str:
    """Return the dealer's name for a rank: 2 to 14, and 1 for a low ace.

    >>> format_rank(14), format_rank(6, plural=True)
    ('ace', 'sixes')
    """
    name = _RANK_NAMES[rank - 1]
    return name + ("es" if name == "six" else "s") if plural else name


def format_hand(strength: int, min_ranks: int = 0) -> str:
    """Return the dealer's name for a hand.

    It has at least ``min_ranks`` of the hand's ranks, kickers included.

    >>> format_hand(0x6DDD77), format_hand(0x454321), format_hand(0x0ED974)
    ('full house, kings over sevens', 'straight, five high', 'ace-king high')
    >>> format_hand(0x177ED5, 3), format_hand(0x177ED5, 5), format_hand(0x5ED974, 2)
    ('pair of sevens, ace kicker', 'pair of sevens, ace-king-five kickers', 'flush, ace-king high')
    """
    _, words, named = _CATEGORY_NAMES[get_category(strength)]
    one = [format_rank(rank) for rank in _unpack_ranks(strength)]
    many = [format_rank(rank, plural=True) for rank in _unpack_ranks(strength)]
    name = words.format(one=one, many=many, high="-".join(one[: max(named, min_ranks)]))
    kickers = () if "{high}" in words else one[named:min_ranks]
    return f"{name}, {'-'.join(kickers)} kicker{'s' * (len(kickers) > 1)}" if kickers else name


def format_showdown(mine: int, theirs: int) -> str:
    """Compare a hand with the dealer's in words, with the kickers that decide.

    >>> format_showdown(0x177ED5, 0x177EC9)
    "pair of sevens, ace-king kickers, beats the dealer's pair of sevens, ace-queen kickers"
    >>> format_showdown(0x0ED974, 0x122543), format_showdown(0x122543, 0x122543)
    ("the dealer's pair of deuces beats ace-king high", 'both have pair of deuces, five-four-three kickers')
    """
    if mine == theirs:
        return f"both have {format_hand(mine, min_ranks=5)}"
    shown = 0
    if format_hand(mine) == format_hand(theirs):
        pairs = zip(_unpack_ranks(mine), _unpack_ranks(theirs), strict=True)
        shown = next(place for place, (one, other) in enumerate(pairs, start=1) if one != other)
    better, worse = format_hand(max(mine, theirs), shown), format_hand(min(mine, theirs), shown)
    better += "," if "," in better else ""
    return f"{better} beats the dealer's {worse}" if mine > theirs else f"the dealer's {better} beats {worse}"


def find_best_five(mask: int, wilds: int, strength: int) -> tuple[int, ...]:
    """Return the five cards that make ``strength``, the most significant first.

    ``strength`` is the one evaluated from the natural cards ``mask`` (Jokers in it are ignored) and
    ``wilds`` wild cards.  A wild appears as the card that it stands for, in an unused suit if there is
    one; otherwise a code appears twice, because the wild stands for a card already in play (ALL-2).

    >>> from pitboss.cards import DECK_52, format_cards, make_mask, parse_cards
    >>> cards = make_mask(parse_cards("Ah Qh Jh Th 2c 2s", DECK_52))
    >>> format_cards(find_best_five(cards, 1, 0xAEDCBA), DECK_52)
    'Ah Kh Qh Jh Th'

    Raises:
        CardError: the cards do not make a hand of this strength.
    """
    one_suit = "flush" in get_category_name(strength)
    for suits in [(suit,) for suit in range(SUIT_COUNT)] if one_suit else [tuple(range(SUIT_COUNT))]:
        five, wilds_used = _pick_cards(mask & NATURALS_MASK, _unpack_ranks(strength), suits)
        if wilds_used <= wilds:
            return five
    message = f"the cards do not make {format_hand(strength)}: pass the strength evaluated from them"
    raise CardError(message, code="other-hand")


def _pick_cards(mask: int, ranks: list[int], suits: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return a card of these suits for each rank, and the number of wilds used.

    The cards are natural if possible.
    """
    five: list[int] = []
    wilds = 0
    for rank in ranks:
        codes = [suit * RANK_COUNT + (rank - _DEUCE) % RANK_COUNT for suit in suits]
        unused = [code for code in codes if code not in five]
        held = [code for code in unused if mask >> code & 1]
        wilds += not held
        five.append((held or unused or codes)[0])
    return tuple(five), wilds


def _unpack_ranks(strength: int) -> list[int]:
    """Return the three to five ranks of a strength, the ace below a deuce as 1."""
    ranks = [strength >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    return [15 - rank for rank in ranks] if get_category(strength) == LOW else [rank for rank in ranks if rank]
