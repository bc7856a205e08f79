"""List how `main` can end: the outcomes by name, and the rules that number them.

Two outcomes of Instant Cash come first, then the fold and the five folds after a draw, then six paths: ``play``,
``buy-play``, ``exchange-2-play`` to ``exchange-5-play``.  Each path has the same parts: take-ante, the win that no
line pays, tie, lose and the lines won; then, after Force, three ends against a dealer who still does not qualify, and
again tie, lose and the lines won.  A path lists the lines that its hands can make: no straight flush if the
first five are played (LU-4), two combinations of six cards only if a sixth was bought (LU-9).

    0..1          2..7                 FIRST_PATH ...
    Instant Cash  folds, by draw       paths: play, buy-play, exchange-2-play ... exchange-5-play

    a path: take-ante, win without line, tie, lose, lines ... | after Force: 3 not qualified, tie, lose, lines ...
"""

from collections.abc import Iterator, Mapping

from pitboss.builders import display_name
from pitboss.contract import Leg, LegResult, Outcome
from pitboss.core.rule import rule
from pitboss.games.lunar.combinations import ACE_KING, SECONDS_OF_FIVE, SECONDS_OF_SIX
from pitboss.games.lunar.first_five import INSTANT_CASH_LINES
from pitboss.hands import CATEGORY_COUNT, ROYAL_FLUSH, STRAIGHT_FLUSH, get_category_name, pack_lowest_strength

# A draw is coded as the number of its cards; one card is a sixth that is bought.
NO_DRAW = 0
BOUGHT = 1
_DRAWS = ("", "buy-", "exchange-2-", "exchange-3-", "exchange-4-", "exchange-5-")

# Offsets: in the list, in a path, from tie on, and from the first end after Force on.
FOLD = 2
FIRST_PATH = FOLD + len(_DRAWS)
TAKE_ANTE = 0
WIN_WITHOUT_LINE = 1
NOT_FORCED = 2
TIE = 0
LOSE = 1
NOT_WON = 2
AFTER_FORCE = 3

LINES_NEVER_PLAYED = 2
LINES_EXCHANGED = sum(1 + len(seconds) for seconds in SECONDS_OF_FIVE.values())
LINES_PLAYED = LINES_EXCHANGED - LINES_NEVER_PLAYED
LINES_BOUGHT = sum(1 + len(seconds) for seconds in SECONDS_OF_SIX.values())

_LINES = tuple(
    "ace-king" if made == ACE_KING else get_category_name(pack_lowest_strength(made)) for made in range(CATEGORY_COUNT)
)
_NOT_QUALIFIED = "dealer below {dealer_qualifies}"
_TIES = "player ties dealer"
_LOSES = "dealer beats player"


@rule
def count_lines(draw: int) -> int:
    """Return how many lines, or pairs of lines, can be paid on a path."""
    return LINES_PLAYED if draw == NO_DRAW else LINES_BOUGHT if draw == BOUGHT else LINES_EXCHANGED


@rule
def count_path_outcomes(draw: int) -> int:
    """Return how many outcomes a path has."""
    return NOT_FORCED + AFTER_FORCE + 2 * (NOT_WON + count_lines(draw))


@rule
def get_path_start(draw: int) -> int:
    """Return the index of a path's first outcome."""
    start = FIRST_PATH
    for before in range(draw):
        start += count_path_outcomes(before)
    return start


def make_paid_outcome(circle: str, line: str, table: str) -> Outcome:
    """Describe a win of one unit in a circle, paid by a line of a pay table.

    The line names the outcome.

    >>> make_paid_outcome("super", "flush", "super").legs[0].reason
    'flush'
    """
    return Outcome(line, (Leg(circle, 1, LegResult.WIN, display_name(line), (line,), table),))


def _iterate_lines(seconds: Mapping[int, tuple[int, ...]], *, played: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield the lines that can be paid on a hand.

    Each first combination comes alone, then with each of its seconds.
    """
    for first, possible in seconds.items():
        if not (played and first in (ROYAL_FLUSH, STRAIGHT_FLUSH)):
            yield (_LINES[first],)
            yield from ((_LINES[first], _LINES[second]) for second in possible)


def _make_main_legs(ante: LegResult, bet: LegResult, reason: str, lines: tuple[str, ...] = ()) -> tuple[Leg, Leg]:
    return Leg("ante", 1, ante, reason), Leg("bet", 2, bet, reason, lines, "bet" if lines else "")


def _iterate_qualified(path: str, fees: tuple[Leg, ...], pairs: tuple[tuple[str, ...], ...]) -> Iterator[Outcome]:
    """Yield the outcomes against a qualified dealer (LU-7).

    They are tie, lose and every line or pair of lines: the Ante pushes and the Bet is paid by its table.
    """
    yield Outcome(f"{path}-tie-qualified", (*_make_main_legs(LegResult.PUSH, LegResult.PUSH, _TIES), *fees))
    yield Outcome(f"{path}-lose-qualified", (*_make_main_legs(LegResult.LOSE, LegResult.LOSE, _LOSES), *fees))
    for lines in pairs:
        reason = f"player beats dealer: {display_name(' and '.join(lines))}"
        legs = _make_main_legs(LegResult.PUSH, LegResult.WIN, reason, lines)
        yield Outcome("-".join((path, "win-qualified", *lines)), (*legs, *fees))


def _iterate_path(draw: int) -> Iterator[Outcome]:
    """Yield the outcomes of one path, in the order of their numbers.

    ``get_path_start`` and ``count_path_outcomes`` number them.
    """
    path = f"{_DRAWS[draw]}play"
    fees = (_make_fee_leg(),) if draw else ()
    pairs = tuple(_iterate_lines(SECONDS_OF_SIX if draw == BOUGHT else SECONDS_OF_FIVE, played=draw == NO_DRAW))
    yield Outcome(f"{path}-take-ante", (*_make_main_legs(LegResult.WIN, LegResult.PUSH, _NOT_QUALIFIED), *fees))
    beaten = "player beats dealer: below ace-king, no line"
    yield Outcome(f"{path}-win-qualified", (*_make_main_legs(LegResult.PUSH, LegResult.PUSH, beaten), *fees))
    yield from _iterate_qualified(path, fees, pairs)
    fees = (*fees, Leg("force", 1, LegResult.LOSE, "fee to force the dealer"))
    for result in ("win", "tie", "lose"):
        legs = _make_main_legs(LegResult.PUSH, LegResult.PUSH, f"still {_NOT_QUALIFIED}")
        yield Outcome(f"{path}-force-{result}-not-qualified", (*legs, *fees))
    yield from _iterate_qualified(f"{path}-force", fees, pairs)


def _make_fee_leg() -> Leg:
    return Leg("fee", 1, LegResult.LOSE, "fee for the draw")


def list_main_outcomes() -> tuple[Outcome, ...]:
    """List every way `main` can end, in the order in which the rules number them."""
    cash = (make_paid_outcome("ante", line, "instant-cash") for line in INSTANT_CASH_LINES)
    listed = [Outcome(f"instant-cash-{won.name}", won.legs) for won in cash]
    for draw, words in enumerate(_DRAWS):
        fees = (_make_fee_leg(),) if draw else ()
        listed.append(Outcome(f"{words}fold", (Leg("ante", 1, LegResult.LOSE, "folded"), *fees)))
    for draw in range(len(_DRAWS)):
        listed.extend(_iterate_path(draw))
    return tuple(listed)
