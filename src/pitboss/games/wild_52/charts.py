"""The positions of Wild 52's charts: draws and high cards, then pairs."""

from collections.abc import Callable

from pitboss.strategy_grids import RANKS, CellCards, StrategyGrid, choose_kickers, count_in_five, write_cards

_SECONDS, _THIRDS = tuple("KQJT98"), tuple("QJT987")
_INSIDE = tuple("-".join(RANKS[low + step] for step in (0, 1, 3, 4)) for low in range(5))


def _place_ace_high(row: str, column: str) -> CellCards | None:
    """Return an ace-high hand without four to a straight, three cards of one suit.

    None if it would pair.
    """
    if RANKS.index(column) >= RANKS.index(row):
        return None
    held = ("A", row, column)
    return {"player": write_cards((*held, *choose_kickers(held, (), 2, most_in_five=3)), "ssshd")}


def _place_inside(row: str, column: str) -> CellCards | None:
    """Return four to an inside straight and a fifth card.

    None where it makes a pair, a straight, or a straight open at both ends.
    """
    four = tuple(row.split("-"))
    is_open = any(count_in_five((*four[:skipped], *four[skipped + 1 :], column)) == len(four) for skipped in range(4))
    if column in four or is_open or count_in_five((*four, column)) > len(four):
        return None
    return {"player": write_cards((*four, column), "shdcs")}


def _place_own_pair(rank: str) -> CellCards:
    three = choose_kickers(rank, "", 3, most_in_five=3)
    other = choose_kickers((rank, *three), "", 1, most_in_five=3)
    return {"player": write_cards((rank, rank, *three), "hdscs"), "community": write_cards(other, "d")}


def _place_made_pair(rank: str) -> CellCards:
    four = choose_kickers(rank, "", 4, most_in_five=3)
    return {"player": write_cards((rank, *four), "hscsc"), "community": f"{rank}d"}


def _place_made_pair_suited(rank: str) -> CellCards:
    four = choose_kickers(rank, "", 4, most_in_five=3)
    return {"player": write_cards((rank, *four), "ssssh"), "community": f"{rank}d"}


def _place_two_own_pairs(rank: str) -> CellCards | None:
    low = "2"
    if rank == low:
        return None
    kicker = choose_kickers((rank, low), "", 1, most_in_five=3)
    other = choose_kickers((rank, low, *kicker), "", 1, most_in_five=3)
    return {"player": write_cards((rank, rank, low, low, *kicker), "hdscs"), "community": write_cards(other, "d")}


def _place_two_pair_made(rank: str) -> CellCards | None:
    low = "2"
    if rank == low:
        return None
    two = choose_kickers((rank, low), "", 2, most_in_five=3)
    return {"player": write_cards((rank, rank, low, *two), "hdscs"), "community": f"{low}d"}


def _place_joker_shown(rank: str) -> CellCards:
    return {**_place_own_pair(rank), "community": "Jk"}


_KINDS: dict[str, Callable[[str], CellCards | None]] = {
    "Pair in your hand": _place_own_pair,
    "Pair with the community card": _place_made_pair,
    "The same, four of a suit": _place_made_pair_suited,
    "Two pair in your hand, lower deuces": _place_two_own_pairs,
    "Own pair, and deuces with the card": _place_two_pair_made,
    "Own pair, community Joker": _place_joker_shown,
}


def _place_second(row: str, column: str) -> CellCards | None:
    return _KINDS[row](column)


GRIDS = (
    StrategyGrid(
        "ace-high",
        "Ace high, three cards of one suit",
        "The ace and both cards share a suit; the other two are the lowest without four to a straight.",
        "Second card",
        "Third card",
        _SECONDS,
        _THIRDS,
        _place_ace_high,
        seconds=15,
    ),
    StrategyGrid(
        "inside-straight",
        "Four to an inside straight",
        "No three cards share a suit. Where a cell is empty, the fifth card pairs, or more than one rank makes the "
        "straight.",
        "The four cards",
        "The fifth card",
        _INSIDE,
        RANKS,
        _place_inside,
        seconds=20,
    ),
    StrategyGrid(
        "second-play",
        "After the first community card",
        "All other cards are the lowest without four to a straight; only in the third row do four cards share a suit.",
        "You have",
        "Rank of the pair (of two pair: the higher)",
        tuple(_KINDS),
        RANKS,
        _place_second,
    ),
)
