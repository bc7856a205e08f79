"""The positions of Six Card Poker's charts: hands against exposed ranks."""

from pitboss.strategy_grids import RANKS, CellCards, StrategyGrid, choose_kickers, name_pair, write_cards

_PAIRS = {name_pair(rank): rank for rank in reversed(RANKS)}
_TWO_PAIR, _SAME_PAIR, _ACE_KING = "Two pair, threes and deuces", "The same pair, highest kicker", "Ace-king"
_SECONDS = "KQJT"
_MATCHES = {
    f"Ace-{second}, {count} of the dealer's ranks": (second, count) for second in _SECONDS for count in range(4)
}


def _place_pair(row: str, column: str) -> CellCards:
    """Return a hand against a pair; no other rank is on both sides."""
    third = "5" if column != "5" else "6"
    shown = write_cards((column, column), "sh") + f" {third}s"
    if row == _TWO_PAIR:
        held: tuple[str, ...] = ("3", "3", "2", "2")
    elif row == _SAME_PAIR:
        held = (column, column, "A" if column != "A" else "K")
    else:
        held = (_PAIRS[row],) * 2 if row in _PAIRS else ("A", "K")
    kickers = choose_kickers(held, (column, third), 6 - len(held))
    return {"player": write_cards((*held, *kickers), "cdsh" if len(held) != 4 else "cdcdsh"), "dealer": shown}


def _place_ace_high(low: str, row: str, column: str) -> CellCards | None:
    """Return an ace-high hand against three ranks of three suits.

    The hand has exactly as many of these ranks as the row says; None if that is not possible.
    """
    (second, count), shown = _MATCHES[row], (column, "9", low)
    below = RANKS[: RANKS.index(second)]
    missing = count - len({"A", second} & set(shown))
    free = [rank for rank in shown if rank in below]
    if not 0 <= missing <= len(free):
        return None
    held = ("A", second, *free[:missing])
    kickers = choose_kickers(held, {*shown, *RANKS[RANKS.index(second) :]} - set(held), 6 - len(held))
    suits = "dh" + "c" * missing + "shds"
    cards = write_cards((*held, *kickers), suits)
    return {"player": cards.replace(f"{second}h", f"{second}c") if second in shown else cards,
            "dealer": write_cards(shown, "shd")}  # fmt: skip


def _place_against_low(row: str, column: str) -> CellCards | None:
    return _place_ace_high("4", row, column)


def _place_against_high(row: str, column: str) -> CellCards | None:
    return _place_ace_high("8", row, column)


GRIDS = (
    StrategyGrid(
        "pair-shown",
        "The dealer shows a pair",
        "The dealer's third card is a 5 (a 6 next to fives); your other cards are the lowest that make no straight and "
        "that the dealer does not show, and no five cards share a suit.",
        "Your hand",
        "The dealer's pair",
        (_TWO_PAIR, *_PAIRS, _SAME_PAIR, _ACE_KING),
        RANKS,
        _place_pair,
    ),
    *(
        StrategyGrid(
            name,
            f"You have ace high, the dealer shows 9 and {low}",
            "The dealer's cards have three suits; your other cards are the lowest that make no straight, and no five "
            "cards share a suit. Where a cell is empty, no hand has that many of the dealer's ranks.",
            "Your hand",
            "The dealer's highest card",
            tuple(_MATCHES),
            tuple("TJQKA"),
            place,
        )
        for name, low, place in (
            ("ace-high-low-card", "4", _place_against_low),
            ("ace-high-high-cards", "8", _place_against_high),
        )
    ),
)
