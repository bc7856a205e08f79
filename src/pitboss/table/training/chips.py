"""Chips of a tray: payouts cut in chips, and the fewest chips of an amount."""

import re
from collections import Counter

TRAY_DOLLARS = (1, 5, 25, 100, 500, 1_000, 5_000)
"""The chips of a dealer's tray, in dollars."""

MAX_CUT = 80
"""The most characters of a cut in a form."""

_STACK = re.compile(r"(\d{1,4})x(\d{1,4})")
_CENTS_PER_DOLLAR = 100


def parse_stacks(text: str) -> tuple[tuple[int, int], ...]:
    """Parse a cut such as "1x5 3x25" into counts and dollars, the largest first.

    Return () if these are not chips of a tray.

    >>> parse_stacks("1x5 3x25 2x5"), parse_stacks("2x7")
    (((3, 25), (3, 5)), ())
    """
    matches = [_STACK.fullmatch(part) for part in text.split()]
    counts = Counter[int]()
    for match in matches:
        if match is None or int(match[2]) not in TRAY_DOLLARS:
            return ()
        counts[int(match[2])] += int(match[1])
    return tuple((counts[dollars], dollars) for dollars in reversed(TRAY_DOLLARS) if counts[dollars])


def sum_stacks(stacks: tuple[tuple[int, int], ...]) -> int:
    """Return the cents of some stacks."""
    return sum(count * dollars for count, dollars in stacks) * _CENTS_PER_DOLLAR


def parse_cut(text: str, cents: int) -> tuple[tuple[int, int], ...]:
    """Parse a cut such as "3x25 1x5" into counts and dollars.

    Return () if it is not a cut of these cents, of which those that no chip has are paid in coins.

    >>> parse_cut("3x25 1x5", 8_050), parse_cut("3x25", 8_000), parse_cut("2x7", 1_400)
    (((3, 25), (1, 5)), (), ())
    """
    stacks = parse_stacks(text)
    return stacks if sum_stacks(stacks) == cents - cents % _CENTS_PER_DOLLAR else ()


def break_down(cents: int) -> tuple[tuple[int, int], ...]:
    """Return the fewest chips of an amount, without its cents, as counts and dollars.

    >>> break_down(18_650)
    ((1, 100), (3, 25), (2, 5), (1, 1))
    """
    stacks, left = [], cents // _CENTS_PER_DOLLAR
    for dollars in reversed(TRAY_DOLLARS):
        count, left = divmod(left, dollars)
        if count:
            stacks.append((count, dollars))
    return tuple(stacks)


def format_stacks(stacks: tuple[tuple[int, int], ...], cents: int = 0) -> str:
    """Format stacks of chips, with the cents of an amount that no chip has.

    >>> format_stacks(break_down(18_650), 18_650)
    '1 x $100, 3 x $25, 2 x $5, 1 x $1, and 50¢'
    """
    text = ", ".join(f"{count} x ${dollars:,}" for count, dollars in stacks)
    rest = f"{cents % _CENTS_PER_DOLLAR}¢" if cents % _CENTS_PER_DOLLAR else ""
    return ", and ".join(filter(None, (text, rest)))
