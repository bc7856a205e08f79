"""Pay tables with a target house edge, for callers."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.pay_ladder import ROUND, make_ladder, read_ladder
from pitboss.analysis.tuning import tune_paytable
from pitboss.analysis.tuning_report import TuningReport
from pitboss.analysis.tuning_request import (
    CHANGES,
    LIMIT,
    MOST_CHANGES,
    MOST_SHOWN,
    WAGERS_PER_HOUR,
    TuningRequest,
    parse_figure_range,
    parse_pay_range,
    verify_range,
)
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.api.arguments import (
    OptionInputs,
    PayTableInputs,
    accept_paytable,
    choose_terms,
    find_game,
    name_parameters,
    verify_progress,
)
from pitboss.api.game import HouseGame
from pitboss.core.arguments import verify_flag, verify_whole
from pitboss.core.errors import PitbossError, TuningError, quote
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text

Number: TypeAlias = Fraction | float | str

RangeInput: TypeAlias = str | tuple[Number, Number]
"""A range: its two ends, or a text such as "4.0%..4.2%".  A float is read as it is printed."""


@accept_paytable
@name_parameters()
def tune(
    game: str | HouseGame,
    bet: str,
    edge: RangeInput,
    *,
    hit: RangeInput | None = None,
    deviation: RangeInput | None = None,
    top: RangeInput | None = None,
    jackpot: RangeInput | None = None,
    between_hours: RangeInput | None = None,
    wagers_per_hour: int = WAGERS_PER_HOUR,
    vary: Mapping[str, RangeInput] | None = None,
    changes: int = CHANGES,
    ladder: str | Iterable[Fraction | int | str] = ROUND,
    any_order: bool = False,
    limit: int = LIMIT,
    exact: bool = False,
    paytables: PayTableInputs = None,
    options: OptionInputs = None,
    progress: ProgressCallback | None = None,
) -> TuningReport:
    """Find the pay tables of a bet that have a target house edge.

    Every table within the ranges is considered, and every figure is exact.  ``hit`` is a range of the hit frequency,
    ``deviation`` of the standard deviation, ``top`` of the highest pay, ``jackpot`` of a progressive's average jackpot
    in dollars; its jackpots are ``between_hours`` apart at ``wagers_per_hour``.  ``vary`` has the pays of each line
    that may change; without it, every line may get every pay of the ``ladder``.  Tables are ranked by the fewest
    changes, the roundest pays, and the nearest edge.  If none has the target edge, the nearest are returned.  Where the
    play depends on the pays, edges are bounded, or with ``exact`` solved.

    >>> import pitboss as pb
    >>> report = pb.tune("six-card", "aces-up", "3%..3.5%", vary={"flush": (6, 9), "full-house": (7, 12)})
    >>> report.found, report.tables[0]
    (2, <flush 7: house edge 3.3472%>)

    Raises:
        Error: the game, the bet, a line, a range, a table or an option is not valid, no table can meet a target, two
            targets contradict one another, or the search is too large.
    """
    of_game = find_game(game)
    verify_text(bet, "a bet", PitbossError)
    wager = find_bet(of_game, bet)
    terms = choose_terms(of_game, paytables, options, bet=bet)
    for name, flag in (("any_order", any_order), ("exact", exact)):
        verify_flag(flag, name, TuningError)
    changes = verify_whole(changes, "the number of changes", 0, MOST_CHANGES)
    wagers_per_hour = verify_whole(wagers_per_hour, "the number of wagers an hour", 1, 1_000_000)
    limit = verify_whole(limit, "the limit", 1, MOST_SHOWN)
    others = (("hit", hit), ("deviation", deviation), ("top", top), ("jackpot", jackpot))
    request = TuningRequest(
        TuningTargets(
            _read_range(edge, "edge"), *(None if each is None else _read_range(each, name) for name, each in others)
        ),
        _read_vary(vary),
        changes,
        read_ladder(ladder) if isinstance(ladder, str) else _read_ladder(ladder),
        any_order,
        limit,
        exact,
        None if between_hours is None else _read_range(between_hours, "between_hours"),
        wagers_per_hour,
    )
    return tune_paytable(of_game, wager, terms, request, verify_progress(progress))


def _read_range(given: object, name: str) -> FigureRange:
    """Return a range of a figure (raises TuningError)."""
    if isinstance(given, str):
        return parse_figure_range(given, name)
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise TuningError(
            f"{name} is {quote(given)}: give a pair of numbers, or a text like '4.0%..4.2%'",
            code="invalid-range",
            name=name,
        )
    low, high = (_read_number(each, name) for each in given)
    return verify_range(FigureRange(low, high), name, f"{given[0]}..{given[1]}")


def _read_number(value: object, name: str) -> Fraction:
    """Return a number as a fraction; a float is the decimal that it prints."""
    if isinstance(value, Fraction):
        return value
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return parse_figure_range(text, name).low


def _read_vary(vary: object) -> dict[str, tuple[Fraction, Fraction]]:
    if not isinstance(vary, Mapping | None):
        raise TuningError(
            f"vary is {quote(vary)}: give a mapping of lines to ranges, like {{'flush': (3, 6)}}",
            code="invalid-range",
            value=vary,
        )
    ranges = {}
    for line, given in (vary or {}).items():
        ends = given if isinstance(given, tuple | list) and len(given) == 2 else None
        text = given if ends is None else "..".join(str(each).replace("/", ":") for each in ends)
        ranges[line] = parse_pay_range(line, text if isinstance(text, str) else quote(text))
    return ranges


def _read_ladder(ladder: object) -> tuple[Fraction, ...]:
    if not isinstance(ladder, Iterable):
        raise TuningError(
            f"ladder is {quote(ladder)}: give 'round', a file of pays, or a list of them",
            code="invalid-ladder",
            value=ladder,
        )
    return make_ladder(ladder)
