"""Chips of a tray: payouts cut in chips, and the fewest chips of an amount."""

import re

TRAY_DOLLARS = (1, 5, 25, 100, 500, 1_000, 5_000)
"""The chips of a dealer's tray, in dollars."""

MAX_CUT = 80
"""The most characters of a cut in a form."""

_STACK = re.compile(r"(\d{1,4})x(\d{1,4})")
_CENTS_PER_DOLLAR = 100


def parse_cut(text: str, cents: int) -> tuple[tuple[int, int], ...]:
    """Parse a cut such as "3x25 1x5" into counts and dollars.

    Return () if it is not a cut of these cents.

    >>> parse_cut("3x25 1x5", 8_000), parse_cut("3x25", 8_000), parse_cut("2x7", 1_400)
    (((3, 25), (1, 5)), (), ())
    """
    matches = [_STACK.fullmatch(part) for part in text.split()]
    stacks = tuple((int(each[1]), int(each[2])) for each in matches if each)
    known = len(stacks) == len(matches) and all(dollars in TRAY_DOLLARS for _, dollars in stacks)
    total = sum(count * dollars for count, dollars in stacks) * _CENTS_PER_DOLLAR
    return stacks if known and total == cents else ()


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
