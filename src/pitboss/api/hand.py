"""What is this hand worth: five to seven cards as text, or arrays of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from pitboss.cards import DECK_52, DECK_53, DECK_54, bit, format_card, get_rank, make_mask
from pitboss.cards.typed import parse_typed_cards, separate_cards
from pitboss.core.arguments import verify_flag
from pitboss.core.errors import CardError, UnknownNameError, quote
from pitboss.core.text import verify_text
from pitboss.hands import (
    ANY_CARD_FLUSH,
    EMPTY_KEY,
    FIVE_FIRST,
    ROYAL_FIRST,
    HandTables,
    evaluate_key,
    evaluate_strength,
    format_hand,
    format_rank,
    get_category_name,
    load_hand_tables,
)

if TYPE_CHECKING:
    # NumPy and Numba are loaded by the first array.
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

HandOrder = Literal["royal-first", "five-first"]
"""Which hand is the highest: a royal flush, or five of a kind."""

_ORDERS = {"royal-first": ROYAL_FIRST, "five-first": FIVE_FIRST}
_WILD_RANKS = {format_rank(index + 2, plural=True): index for index in range(13)}
_MIN_CARDS, _MAX_CARDS, _MAX_WILDS = 5, 7, 3
# A key of the evaluator fits into 64 bits, so the cards' bits stand above them.
_MASK_SHIFT = 64
_KEY_MASK = (1 << _MASK_SHIFT) - 1


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """A hand of five to seven cards with the strength of its best five.

    Hands compare as they do at the table, and equal hands tie; compare only those evaluated by the same rules.
    ``strength`` is an integer below 2**24 that compares in the same way; ``cards`` are the cards as they were written.

    >>> import pitboss as pb
    >>> pb.evaluate("As Ad Kh 9c 5d") > pb.evaluate("Ks Kd Ah 9s 5h")
    True
    """

    strength: int
    cards: str = field(compare=False)

    @property
    def name(self) -> str:
        """The dealer's name for the hand.

        >>> import pitboss as pb
        >>> pb.evaluate("As Kd Qh Jc Ts 2d").name
        'straight, ace high'
        """
        return _name_strength(self.strength, format_hand)

    @property
    def category(self) -> str:
        """The category for scripts, such as ``full-house``.

        >>> import pitboss as pb
        >>> pb.evaluate("As Kd Qh Jc Ts 2d").category
        'straight'
        """
        return _name_strength(self.strength, get_category_name)

    def to_dict(self) -> dict[str, Any]:
        """Return the hand as JSON data.

        >>> import pitboss as pb
        >>> pb.evaluate("As Kd Qh Jc Ts").to_dict()["category"]
        'straight'
        """
        return {"cards": self.cards, "strength": self.strength, "name": self.name, "category": self.category}


def _name_strength(strength: int, write: Callable[[int], str]) -> str:
    try:
        return write(strength)
    except (LookupError, TypeError, ValueError):
        raise CardError(
            f"{quote(strength)} is not the strength of a hand: take that of evaluate",
            code="invalid-strength",
            strength=strength,
        ) from None


def evaluate(cards: str, *, wild: str = "", order: HandOrder = "royal-first", any_card_flush: bool = False) -> Hand:
    """Evaluate five to seven cards, written like ``As Td 9h``.

    Jokers (``Jk``, or ``Jk1 Jk2``) are wild.
    ``wild`` names a rank that is wild too, in the plural: "deuces"; at most three cards are wild in all.  With
    ``order`` "royal-first" a royal flush beats five of a kind, with "five-first" it does not.  In a flush a wild
    card stands for the highest card missing, or with ``any_card_flush`` for any card, also one that the hand has.

    >>> import pitboss as pb
    >>> pb.evaluate("As Ad Ah 2c 2s 9d", wild="deuces", order="five-first").name
    'five of a kind, aces'

    Raises:
        Error: a word is not a card, a card appears twice, there are too few or too many cards or wild ones, or
            ``wild`` or ``order`` is unknown.
    """
    given: tuple[Any, ...] = (cards, wild, order)
    if all(isinstance(each, str) for each in given) and not wild and order == "royal-first" and any_card_flush is False:
        strength = _evaluate_naturals(cards)
        if strength is not None:
            return Hand(strength, cards)
    ranking = _read_ranking(order, any_card_flush=any_card_flush)
    verify_text(cards, "a hand", CardError)
    verify_text(wild, "a wild rank", CardError)
    if wild and wild not in _WILD_RANKS:
        raise UnknownNameError("wild rank", wild, _WILD_RANKS)
    separated = separate_cards(cards)
    words = set(separated.lower().split())
    deck = DECK_54 if words & {"jk1", "jk2"} else DECK_53 if "jk" in words else DECK_52
    codes = parse_typed_cards(separated, deck)
    naturals = [card for card in codes if card in DECK_52.cards and (not wild or get_rank(card) != _WILD_RANKS[wild])]
    wilds = len(codes) - len(naturals)
    if not _MIN_CARDS <= len(codes) <= _MAX_CARDS or wilds > _MAX_WILDS:
        raise CardError(
            f"a hand of {len(codes)} cards, {wilds} of them wild: give {_MIN_CARDS} to {_MAX_CARDS} cards, "
            f"at most {_MAX_WILDS} wild",
            code="wrong-card-count",
            given=len(codes),
            wilds=wilds,
            least=_MIN_CARDS,
            most=_MAX_CARDS,
        )
    return Hand(evaluate_strength(load_hand_tables(), make_mask(naturals), wilds, ranking), cards)


class _NaturalCards(NamedTuple):
    """What a hand without wild cards is evaluated with.

    ``tables`` are the evaluator's, which Python reads three times as fast as views of memory than as NumPy arrays.
    ``read_word`` returns the bit of a written card, ``_MASK_SHIFT`` places up, plus the key of the card.
    """

    tables: HandTables
    read_word: Callable[[str], int]


@cache
def _load_natural_cards() -> _NaturalCards:
    """Return the tables and the written cards, in upper and lower case."""
    tables = load_hand_tables()
    words = {}
    for card in DECK_52.cards:
        value = (bit(card) << _MASK_SHIFT) + int(tables.card_keys[card])
        spellings = ({letter.lower(), letter.upper()} for letter in format_card(card, DECK_52))
        words.update({"".join(letters): value for letters in product(*spellings)})
    return _NaturalCards(HandTables(*(cast("Any", table.data) for table in tables)), words.__getitem__)


def _evaluate_naturals(text: str) -> int | None:
    """Return the strength of five to seven natural cards; None for any other text."""
    tables, read_word = _load_natural_cards()
    words = text.split()
    try:
        total = sum(map(read_word, words), EMPTY_KEY)
    except KeyError:
        return None
    mask = total >> _MASK_SHIFT
    # Of numbers with one bit each, only different ones have a sum with as many bits.
    if not _MIN_CARDS <= len(words) <= _MAX_CARDS or mask.bit_count() != len(words):
        return None
    return evaluate_key(tables, total & _KEY_MASK, mask, 0, ROYAL_FIRST)


def evaluate_many(
    hands: "ArrayLike", *, order: HandOrder = "royal-first", any_card_flush: bool = False
) -> "NDArray[np.int32]":
    """Evaluate an array of hands with compiled code; return an int32 for each.

    ``hands`` has shape (n, k): a row for each hand, with the codes of its five to seven cards.  A card's code is
    ``13 * suit + rank``: suits 0 to 3 are spades, hearts, diamonds, clubs; ranks 0 to 12 are deuce to ace; 52 and 53
    are Jokers, which are wild.  The first array loads Numba.

    >>> import pitboss as pb
    >>> pb.evaluate_many([[12, 11, 10, 9, 8], [0, 13, 26, 39, 52]]).tolist()
    [11459770, 9576994]

    Raises:
        Error: the array is not one of integers of this shape, or a hand is not valid; the message and the field ``row``
            name the first.
    """
    import numpy as np

    from pitboss.kernels.batch_evaluation import compute_strengths

    ranking = _read_ranking(order, any_card_flush=any_card_flush)
    try:
        array = np.asarray(hands)
    except (TypeError, ValueError) as error:
        raise CardError(
            f"hands are an array of whole numbers, a row for each hand: {error}", code="invalid-hands", value=hands
        ) from None
    if array.ndim != 2 or array.dtype.kind not in "iu" or not _MIN_CARDS <= array.shape[1] <= _MAX_CARDS:
        raise CardError(
            f"hands are {array.dtype} of shape {array.shape}: give whole numbers of shape (n, cards), "
            f"{_MIN_CARDS} to {_MAX_CARDS} cards",
            code="invalid-hands",
            shape=array.shape,
            dtype=array.dtype,
        )
    try:
        return compute_strengths(array, ranking=ranking)
    except CardError:
        row = _find_invalid_row(array)
        raise CardError(
            f"hand {row} is {array[row].tolist()}: give different cards, 0 to {len(DECK_54.cards) - 1}",
            code="invalid-hands",
            row=row,
            cards=array[row].tolist(),
        ) from None


def _find_invalid_row(hands: "NDArray[np.integer]") -> int:
    """Return the first row with a card twice, or one that is not in the deck."""
    deck = set(DECK_54.cards)
    return next(row for row, cards in enumerate(hands.tolist()) if len({*cards} & deck) != len(cards))


def _read_ranking(order: str, *, any_card_flush: bool) -> int:
    """Return the flags of an order of hands."""
    verify_text(order, "an order of hands", CardError)
    verify_flag(any_card_flush, "any_card_flush", CardError)
    if order not in _ORDERS:
        raise UnknownNameError("order of hands", order, _ORDERS)
    return _ORDERS[order] + (ANY_CARD_FLUSH if any_card_flush else 0)
