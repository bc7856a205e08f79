"""The positions of Shifting Wilds' charts: hands against W1, pairs on boards."""

from pitboss.strategy_grids import RANKS, CellCards, StrategyGrid, choose_kickers, write_cards

_HANDS = {
    "K9": {
        "Jack high": "Js 8h 6d 3s",
        "Ace high": "As Jh 6d 3s",
        "Four to a straight": "Qs Jh Td 4s",
        "Four of a suit": "Js 6s 3h 2d",
        "Pair of fours": "4s 4h Jd 6s",
        "Pair of queens": "Qs Qh 6d 3s",
        "Pair of aces": "As Ah 6d 3s",
        "A nine, pairing the board": "9d Jh 6d 3s",
        "A king, pairing the board": "Kd Jh 6d 3s",
        "Two pair, nines and sixes": "9d 6h 6d Js",
    },
    "84": {
        "Jack high": "Js 9h 6d 2s",
        "Ace high": "As Jh 6d 2s",
        "Four to a straight": "Js Th 9d 2s",
        "Four of a suit": "Js 6s 3h 2d",
        "Pair of threes": "3s 3h Jd 6s",
        "Pair of sixes": "6s 6h Jd 2s",
        "Pair of queens": "Qs Qh 6d 2s",
        "Pair of aces": "As Ah 6d 2s",
        "A four, pairing the board": "4d Jh 6d 2s",
        "Two pair, eights and sixes": "8d 6h 6d Js",
    },
}
_COMMUNITY = {"K9": "Ks 9h", "84": "8s 4h"}
_SUITED = {"K9": "Ks 9s", "84": "8s 4s"}
_FOUR_SUITED = "Four of a suit"
_BOARDS = {
    "Ace and king": "As Kh",
    "Queen and nine": "Qs 9h",
    "Nine and five": "9s 5h",
    "Five and three": "5s 3h",
    "A pair of sevens": "7s 7h",
}


def _place_lock(community: str, row: str, column: str) -> CellCards:
    """Return a hand with W1 of clubs."""
    shown = (_SUITED if row == _FOUR_SUITED else _COMMUNITY)[community]
    return {"player": _HANDS[community][row], "community": shown, "indicators": f"{column}c"}


def _place_lock_high(row: str, column: str) -> CellCards:
    return _place_lock("K9", row, column)


def _place_lock_low(row: str, column: str) -> CellCards:
    return _place_lock("84", row, column)


def _place_play(row: str, column: str) -> CellCards:
    """Return a pair against the table; nothing is wild and nothing else pairs."""
    community = _BOARDS[row]
    shown = set(community[::3])
    wilds = choose_kickers((*shown, column), "", 2, most_in_five=3)
    rest = choose_kickers((*shown, column, *wilds), "", 2, most_in_five=3)
    return {
        "player": write_cards((column, column, *rest), "cdsh"),
        "community": community,
        "indicators": write_cards(wilds, "cd"),
    }


GRIDS = (
    *(
        StrategyGrid(
            name,
            f"Check or lock with {title} on the board",
            "The cards of each hand are in the table; W1 is a club. Your cards of W1's rank are wild.",
            "Your hand",
            "W1",
            tuple(_HANDS[community]),
            RANKS,
            place,
            seconds=7,
        )
        for name, title, community, place in (
            ("lock-king-nine", "a king and a nine", "K9", _place_lock_high),
            ("lock-eight-four", "an eight and a four", "84", _place_lock_low),
        )
    ),
    StrategyGrid(
        "play-pair",
        "After W2: a pair in your hand",
        "W1, W2 and your other cards are the lowest that make nothing; nothing is wild.",
        "Community cards",
        "Rank of your pair",
        tuple(_BOARDS),
        RANKS,
        _place_play,
    ),
)
