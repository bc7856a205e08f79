"""The positions of Wild Six Card Poker's charts: which card to discard."""

from pitboss.strategy_grids import RANKS, CellCards, StrategyGrid, count_in_five, name_pair, write_cards

_FIFTH, _LOWEST, _TOP, _MIDDLE = "Fifth card", "Lowest card", "Highest of the four", "Middle card"
_PAIR_CARD, _OTHER = "Pair: break it", "Keep it"
_INSIDE = {"-".join(RANKS[low + step] for step in (0, 1, 3, 4)): low for low in range(len(RANKS) - 4)}
_IN_A_ROW = {f"Joker, {'-'.join(RANKS[low : low + 3])}": low for low in range(len(RANKS) - 2)}
_PAIRS = {name_pair(rank): rank for rank in RANKS[:-1]}
_SUITS = "shdcs"


def _place_inside(row: str, column: str) -> CellCards | None:
    """Return four to an inside straight and a fifth card; None if nothing is open.

    Nothing is open where the fifth card is the lowest, or makes a pair or a straight.
    """
    four = tuple(row.split("-"))
    if RANKS.index(column) < _INSIDE[row] or column in four or count_in_five((*four, column)) == len(_SUITS):
        return None
    return {"player": write_cards((*four, column), _SUITS)}


def _place_in_a_row(row: str, column: str) -> CellCards | None:
    """Return a Joker, three in a row and a fifth card; None if nothing is open.

    Nothing is open where the fifth card is the lowest, or makes a pair or a straight.
    """
    low = _IN_A_ROW[row]
    three = RANKS[low : low + 3]
    if RANKS.index(column) < low or column in three or count_in_five((*three, column)) == len(three) + 1:
        return None
    return {"player": f"Jk1 {write_cards((*three, column), _SUITS)}"}


def _name_draw(row: str, column: str, discards: str) -> str:
    others = [rank for rank in row.removeprefix("Joker, ").split("-") if rank != column]
    return {column: _FIFTH, others[0]: _LOWEST, others[-1]: _TOP}.get(discards[0], _MIDDLE)


def _place_flush(row: str, column: str) -> CellCards | None:
    """Return a pair of which one card is the fourth of a suit, with the suit's ace."""
    rank = _PAIRS[row]
    third = "9" if rank != "9" else "8"
    if column in (rank, third):
        return None
    return {"player": f"As {column}s {third}s {rank}s {rank}h"}


def _name_break(row: str, _column: str, discards: str) -> str:
    return _PAIR_CARD if discards[0] == _PAIRS[row] else _OTHER


GRIDS = (
    StrategyGrid(
        "inside-straight",
        "Four to an inside straight: what to discard",
        "No three cards share a suit. Where a cell is empty, the fifth card is the lowest, or makes a pair or "
        "a straight.",
        "The four cards",
        "The fifth card",
        tuple(_INSIDE),
        RANKS,
        _place_inside,
        answers=(_LOWEST, _FIFTH, _TOP, _MIDDLE),
        name_answer=_name_draw,
    ),
    StrategyGrid(
        "joker-in-a-row",
        "A Joker and three in a row: what to discard",
        "No three cards share a suit. Where a cell is empty, the fifth card is the lowest, or makes a pair or "
        "a straight.",
        "The four cards",
        "The fifth card",
        tuple(_IN_A_ROW),
        RANKS,
        _place_in_a_row,
        answers=(_LOWEST, _FIFTH, _TOP, _MIDDLE),
        name_answer=_name_draw,
    ),
    StrategyGrid(
        "pair-or-flush",
        "A low pair with four to a flush: break it or keep it",
        "The suit has the ace, the card across, a 9 (an 8 with nines) and one card of the pair.",
        "The pair",
        "Second card of the suit",
        tuple(_PAIRS),
        RANKS[:-1],
        _place_flush,
        answers=(_OTHER, _PAIR_CARD),
        name_answer=_name_break,
    ),
)
