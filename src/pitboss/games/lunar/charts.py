"""The positions of Lunar Poker's draw table: hands against the exposed rank."""

from pitboss.strategy_grids import RANKS, CellCards, StrategyGrid

_HANDS = {
    "Queen high": "Qs 9h 7d 4s 2h",
    "King high": "Ks Jh 8d 5s 3h",
    "Ace high": "As Jh 8d 5s 3h",
    "Ace-king": "As Kh 9d 6s 3h",
    "Three of one suit, 9-8-6": "9s 8s 6s Kh 2d",
    "Four to a straight, both ends": "9s 8h 7d 6s 2h",
    "Four of one suit": "Js 8s 5s 2s Kh",
    "Pair of threes": "3s 3h Jd 8s 6h",
    "Pair of eights": "8s 8h Jd 5s 3h",
    "Pair of queens": "Qs Qh 9d 5s 3h",
    "Pair of eights with ace-king": "8s 8h Ad Ks 4h",
    "Two pair": "9s 9h 5d 5s Jh",
    "Three of a kind": "7s 7h 7d Js 4h",
    "Three of a kind with ace-king": "7s 7h 7d As Kh",
    "Straight": "9s 8h 7d 6s 5h",
}


def _place(row: str, column: str) -> CellCards:
    """Return a hand against an exposed club; the hand has no clubs."""
    return {"player": _HANDS[row], "dealer": f"{column}c"}


GRIDS = (
    StrategyGrid(
        "draw",
        "Fold, play or draw",
        "The cards of each hand are in the table, none of them a club; the exposed card is a club. An exchange "
        "gives up the cards that the table names.",
        "Your hand",
        "The dealer's exposed card",
        tuple(_HANDS),
        RANKS,
        _place,
        seconds=150,
    ),
)
