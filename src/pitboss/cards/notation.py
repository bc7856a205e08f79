"""The text notation of cards, such as ``As Td 9h``.

One Joker is ``Jk``; two Jokers are ``Jk1 Jk2``.
"""

from collections.abc import Iterable, Sequence

from pitboss.cards.codes import FIRST_JOKER, RANK_COUNT
from pitboss.cards.deck import Deck
from pitboss.core.errors import CardError
from pitboss.core.numbers import verify_integer

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "shdc"
_NATURAL_CARDS = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)
_JOKER_CARDS: tuple[tuple[str, ...], ...] = ((), ("Jk",), ("Jk1", "Jk2"))
_CODES = tuple(
    {name.lower(): code for code, name in enumerate(_NATURAL_CARDS + joker_names)} for joker_names in _JOKER_CARDS
)
_SUIT_SYMBOLS = str.maketrans("♠♥♦♣", SUIT_LETTERS)
_JOKER_WORDS = {"jk", "jk1", "jk2"}


def parse_cards(text: str, deck: Deck) -> tuple[int, ...]:
    """Parse cards separated by white space, in the order written.

    Upper and lower case are the same.  A ten may be written 10 too, and a suit as its symbol.

    >>> from pitboss.cards import DECK_52
    >>> parse_cards("2s As 2H", DECK_52)
    (0, 12, 13)
    >>> parse_cards("10h A♠", DECK_52) == parse_cards("Th As", DECK_52)
    True

    Raises:
        CardError: a word is not a card, a card is not in ``deck``, or a card appears twice.
    """
    codes: list[int] = []
    for word in text.split():
        code = _CODES[deck.jokers].get(_spell_in_letters(word.lower()))
        if code is None:
            raise CardError(_explain_bad_card(word, deck), code="unreadable-card")
        if code in codes:
            message = f"{format_card(code, deck)} appears twice in {text!r}: write each card once"
            raise CardError(message, code="card-twice", text=text)
        codes.append(code)
    return tuple(codes)


def _spell_in_letters(word: str) -> str:
    """Return a card's name in letters where it is written as on its face."""
    return (f"t{word[2:]}" if word.startswith("10") else word).translate(_SUIT_SYMBOLS)


def _explain_bad_card(word: str, deck: Deck) -> str:
    """Explain why ``word`` is not a card of ``deck``, and what would be one."""
    names = _JOKER_CARDS[deck.jokers]
    if word.lower() in _JOKER_WORDS:
        held = f"its Joker is written {names[0]}" if deck.jokers == 1 else f"its Jokers are {' and '.join(names)}"
        return f"{word} is not in this deck of {deck.size}: {held if names else 'it has no Joker'}"
    joker_hint = f", or {' or '.join(names)}" if names else ""
    return f"{word!r} is not a card: write a rank of 23456789TJQKA and a suit of shdc, for example Td{joker_hint}"


def verify_cards(cards: object, deck: Deck, what: str) -> None:
    """Check that ``cards`` is a sequence of different card codes of ``deck``.

    Raises:
        CardError: it is not; the message names ``what`` and the value.
    """
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise CardError(
            f"{what} is {cards!r}: give the codes of its cards, 0 to {deck.size - 1}", code="invalid-cards", cards=cards
        )
    seen = set[int]()
    for code in cards:
        verify_integer(code, f"a card of {what}", CardError)
        name = format_card(code, deck)
        if code in seen:
            raise CardError(
                f"{what} has {name} (card code {code}) twice: give each card once",
                code="card-twice",
                name=name,
                card_code=code,
            )
        seen.add(code)


def format_card(code: int, deck: Deck) -> str:
    """Format one card.

    >>> from pitboss.cards import DECK_53
    >>> format_card(12, DECK_53), format_card(52, DECK_53)
    ('As', 'Jk')

    Raises:
        CardError: ``code`` is not in ``deck``.
    """
    verify_integer(code, "a card code", CardError)
    if not 0 <= code < deck.size:
        message = f"card code {code} is not in a deck of {deck.size}: codes run from 0 to {deck.size - 1}"
        raise CardError(message, code="unknown-card", card_code=code, size=deck.size)
    return _NATURAL_CARDS[code] if code < FIRST_JOKER else _JOKER_CARDS[deck.jokers][code - FIRST_JOKER]


def format_cards(cards: int | Iterable[int], deck: Deck) -> str:
    """Format a sequence of cards or a set of cards.

    A sequence keeps its order.  A set has its highest ranks first and Jokers last.

    >>> from pitboss.cards import DECK_52
    >>> format_cards((0, 25), DECK_52), format_cards(1 << 0 | 1 << 25, DECK_52)
    ('2s Ah', 'Ah 2s')

    Raises:
        CardError: a card is not in ``deck``.
    """
    if isinstance(cards, int):
        if cards < 0:
            raise CardError(f"{cards} is not a set of cards: it is below zero", code="invalid-cards", cards=cards)
        held = [code for code in range(cards.bit_length()) if cards >> code & 1]
        cards = sorted(
            held, key=lambda code: (code >= FIRST_JOKER, code if code >= FIRST_JOKER else -(code % RANK_COUNT))
        )
    return " ".join(format_card(code, deck) for code in cards)


def make_mask(cards: Iterable[int]) -> int:
    """Return the set of the given cards.

    >>> make_mask((0, 2))
    5

    Raises:
        CardError: a code is not a whole number, or below zero.
    """
    mask = 0
    for code in cards:
        verify_integer(code, "a card code", CardError)
        if code < 0:
            raise CardError(
                f"card code {code} is not in any deck: codes start at 0", code="unknown-card", card_code=code
            )
        mask |= 1 << code
    return mask
