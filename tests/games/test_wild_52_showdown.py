"""Showdowns with a board, compared with every dealer's hand."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.cards import DECK_53, make_mask, parse_cards
from pitboss.games import load_game
from pitboss.games.wild_52.rules import rank_hand
from pitboss.games.wild_52.solver.census import (
    NO_STRENGTH,
    WORD_BITS,
    get_cards,
    make_kept_counts,
    make_sorter,
    sweep_board,
)
from pitboss.games.wild_52.solver.flush_patterns import make_patterns
from pitboss.games.wild_52.solver.hand_layout import HandLayout, make_layout
from pitboss.hands import ANY_CARD_FLUSH, FIVE_FIRST, load_hand_tables
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.options import encode_options, resolve_options

GAME = load_game("wild-52")
JOKER = 52
LOW = (1 << WORD_BITS) - 1


def options_of(**chosen: str) -> Any:
    return encode_options(GAME, resolve_options(GAME, chosen))


def board_of(numbered: HandLayout, text: str) -> tuple[NDArray[np.int64], tuple[int, int], int]:
    """Return slots, suits and set of a board; its suits must be named in the order spades, hearts."""
    cards = parse_cards(text, DECK_53)
    ranks = numbered.ranks.tolist()
    slots = [len(ranks) if card == JOKER else ranks.index(card % 13) for card in cards]
    first, second = (-1 if card == JOKER else card // 13 for card in cards)
    return np.array(slots), (first, second), make_mask(cards)


def swept(numbered: HandLayout, text: str, options: Any) -> NDArray[np.int64]:
    slots, suits, mask = board_of(numbered, text)
    patterns = make_patterns(numbered, suits)
    fives = make_sorter(rank_hand)(numbered, patterns, load_hand_tables(), options, slots, mask)
    sums = np.zeros((3, int(numbered.block_starts[-1])), np.int64)
    sweep_board(
        numbered, patterns, fives, options.dealer_qualifies, sums, make_kept_counts(numbered, fives, NO_STRENGTH)
    )
    return sums


def expected(mine: int, dealers: NDArray[np.int32], lowest: int) -> list[int]:
    """Return the words of ``sums`` for one hand from the strengths of all dealers it can meet."""
    compared = int((dealers < mine).sum()) | int((dealers <= mine).sum()) << WORD_BITS
    unqualified = int((dealers < lowest).sum())
    return [compared, unqualified, 0] if mine >= lowest else [0, unqualified << WORD_BITS, compared]


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("text")
@pytest.mark.parametrize("text", ["3s 9s", "6s 9h", "6s 6h", "9s Jk"])
@pytest.mark.parametrize(
    "chosen", [{}, {"dealer_qualifies": "always"}, {"dealer_qualifies": "pair-of-A", "wild_flush": "any_card"}]
)
def test_every_hand_of_a_small_deck_meets_every_dealer(text: str, chosen: dict[str, str]) -> None:
    numbered, options = make_layout((1, 4, 5, 7)), options_of(**chosen)
    _, _, board = board_of(numbered, text)
    deck = [*(13 * suit + rank for suit in range(4) for rank in numbered.ranks.tolist()), JOKER]
    left = [1 << card for card in deck if not board >> card & 1]
    masks = np.array([sum(five) for five in combinations(left, 5)], np.int64)
    ranking = FIVE_FIRST + ANY_CARD_FLUSH * options.wild_flush
    made = compute_strengths(masks | board, ranking=ranking)
    by_hand = dict(zip(masks.tolist(), made.tolist(), strict=True))
    sums = swept(numbered, text, options)
    for block, start in enumerate(numbered.block_starts[:-1]):
        for place in range(int(numbered.block_starts[block + 1] - start)):
            mask = int(get_cards(numbered, block, place))
            words = sums[:, start + place].tolist()
            if mask & board:
                assert words == [0, 0, 0]
            else:
                assert words == expected(by_hand[mask], made[(masks & mask) == 0], options.dealer_qualifies)


AIMED = {
    "3s Js": "2s 4s 5s 9h Td, Ts Qs Ks As 2h, 4s 5s 6s 7s 3h, Jk As 2h 2d 2c, Jk 9s 8s Jh Jd, 3h 3d 3c Jh Jd, "
    "Jk 3h 3d 3c 2s, 2h 4d 6c 7h 8d, Ah Kh Qh Th Jk, 4h 5h 6h 7h 8h, 5h 5d 2c 7s 8s, 4h 4d 2c 7s 9s",
    "3s Jh": "4s 5s 6s 7s Jk, Jk 2h 4h 5h 9h, Js Jd Jc Jk 3h, 2d 4d 6d 8d Td, Ac Kc Qc Tc Jc, 2s 4d 6c 7h 8d, "
    "5s 5d 2c 7h 8s, 4s 4d 2c 7h 9s",
    "5s 5h": "Jk 5d 5c As Ah, 6s 7s 8s 9s 2d, 2h 3h 4h 6h Ad, 2d 3c 4s 7h 9d, As Ah Ad Ac Jk, 2s 3s 4s 6s Jk",
    "As Jk": "Ks Qs Js 2h 2d, Ah Ad Ac 2s 3s, Kh Qh Jh Th 2s, 2s 3s 4s 5s 9h, 2h 3d 5c 7h 9d, 9h 9d 9c 2s 3s, "
    "2h 3h 4h 5h 9h, 8s 9s Ts 8h 8d",
}


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("text")
@pytest.mark.parametrize("text", AIMED)
def test_hands_of_the_whole_deck_meet_every_dealer(text: str) -> None:
    """Aimed hands (flushes, straight flushes, five of a kind, quads with a flush) and twenty at random."""
    numbered, options = make_layout(range(13)), options_of()
    _, _, board = board_of(numbered, text)
    left = [1 << card for card in range(53) if not board >> card & 1]
    fives = np.array(list(combinations(left, 5)), np.int64).sum(axis=1)
    made = compute_strengths(fives | board, ranking=FIVE_FIRST)
    sums = swept(numbered, text, options)
    chosen = [make_mask(parse_cards(hand, DECK_53)) for hand in AIMED[text].split(", ")]
    chosen += np.random.default_rng(53).choice(fives, 20).tolist()
    numbers = {
        int(get_cards(numbered, block, place)): start + place for block, start, place in places(numbered, chosen)
    }
    for mask in chosen:
        mine = int(made[fives == mask][0])
        words = sums[:, numbers[mask]].tolist()
        assert words == expected(mine, made[(fives & mask) == 0], options.dealer_qualifies), hex(mask)


def places(numbered: HandLayout, masks: list[int]) -> list[tuple[int, int, int]]:
    """Return block, its first hand and place of hands given as sets of cards."""
    found = []
    by_ranks: dict[tuple[tuple[int, int], ...], int] = {}
    for block, row in enumerate(numbered.slots.tolist()):
        kinds = numbered.kinds[numbered.shape[block]].tolist()
        by_ranks[tuple((slot, kind) for slot, kind in zip(row, kinds, strict=True) if kind)] = block
    for mask in masks:
        cards = [card for card in range(53) if mask >> card & 1]
        held = [13 if card == JOKER else card % 13 for card in cards]
        key = tuple((slot, 5 if slot == 13 else held.count(slot)) for slot in sorted(set(held)))
        block = by_ranks[key]
        start, end = int(numbered.block_starts[block]), int(numbered.block_starts[block + 1])
        found += [(block, start, place) for place in range(end - start) if get_cards(numbered, block, place) == mask]
    return found
