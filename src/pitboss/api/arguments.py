"""What a caller passes: pay tables, options and stakes, checked first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from pitboss.analysis.exact_par_sheet import GameTerms, find_bet
from pitboss.analysis.side_stakes import parse_side_stakes
from pitboss.contract import Game, LinePay, PayTable, PayUnit
from pitboss.core.errors import (
    CardError,
    MagnitudeError,
    OptionError,
    PayTableError,
    PitbossError,
    ReportError,
    TuningError,
    UnknownNameError,
    WagerError,
    quote,
)
from pitboss.core.numbers import MAX_BITS, verify_integer
from pitboss.core.text import verify_text
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, parse_paytables, select_paytables, to_document

if TYPE_CHECKING:
    from pitboss.api.game import HouseGame

PayTableInput = str | PathLike[str] | PayTable
"""A pay table: its id, ``BET=ID`` where several bets have one of that id, the path of a TOML file, or the table."""

PayTableInputs = PayTableInput | Iterable[PayTableInput] | None
"""One pay table or several, at most one of each kind; the game's default tables fill the rest."""

OptionInputs = Mapping[str, str] | None
"""Values of options by name; the defaults fill the rest."""

StakeInputs = Mapping[str, int | str | Fraction] | None
"""Stakes of side wagers by bet, in Antes: 1, Fraction(1, 2), or a text such as "0.5"; no floats."""


def find_game(game: "str | HouseGame") -> Game:
    """Return a game by its id, or by itself (raises PitbossError)."""
    name: Any = getattr(game, "id", game)
    verify_text(name, "the id of a game", PitbossError)
    return load_game(name)


def choose_terms(
    game: Game, paytables: PayTableInputs, options: OptionInputs, stakes: StakeInputs = None, bet: str = ""
) -> GameTerms:
    """Return a game's terms: a table of each kind, every option, the stakes.

    An id is that of a table of ``bet``, if that is given.

    Raises:
        PitbossError: one of them is not valid (``select_paytables``, ``resolve_options``, ``parse_side_stakes``), or a
            table pays neither ``bet`` nor a staked side wager.
    """
    values = choose_options(game, options)
    staked = parse_side_stakes(game, values, format_stakes(stakes))
    inputs = _list_inputs(paytables)
    if bet:
        _verify_bets_paid(game, inputs, (bet, *staked))
    return GameTerms(choose_paytables(game, inputs, bet), values, staked)


def _verify_bets_paid(game: Game, inputs: Iterable[PayTableInput], bets: Iterable[str]) -> None:
    paid = {kind for bet in bets for kind in find_bet(game, bet).paytable_kinds}
    for table in inputs:
        if isinstance(table, PayTable) and table.kind not in paid:
            raise PayTableError(
                f"pay table {table.id} pays {table.kind}: give one of {', '.join(sorted(paid)) or 'no bet'}",
                code="other-pay-table",
                paytable=table.id,
                kind=table.kind,
                known=sorted(paid),
            )


def choose_options(game: Game, options: OptionInputs) -> dict[str, str]:
    """Return every option with its value (raises as ``resolve_options``)."""
    if not isinstance(options, Mapping | None):
        raise OptionError(
            f"options are {quote(options)}: give a mapping of names to values", code="invalid-options", options=options
        )
    return resolve_options(game, options or {})


def choose_paytables(game: Game, inputs: PayTableInputs, bet: str = "") -> dict[str, PayTable]:
    """Return one pay table for each kind (raises as ``select_paytables``)."""
    names, tables = list[str](), list[PayTable]()
    for each in _list_inputs(inputs):
        if isinstance(each, PayTable):
            tables.append(verify_paytable(game, each))
        elif isinstance(each, str | PathLike):
            name = fspath(each)
            names_bet = isinstance(each, str) and "=" in name
            names.append(f"{bet}={name}" if bet and not names_bet else name)
        else:
            raise PayTableError(
                f"a pay table is {quote(each)}: give its id, a file or a PayTable", code="invalid-pay-table", each=each
            )
    for kind, times in Counter(table.kind for table in tables).items():
        if times > 1:
            raise PayTableError(f"two pay tables for {kind}: give one", code="two-pay-tables", kind=kind)
    named, printed = select_paytables(game, names), select_paytables(game)
    for table in tables:
        if named[table.kind] != printed[table.kind]:
            raise PayTableError(f"two pay tables for {table.kind}: give one", code="two-pay-tables", kind=table.kind)
    return named | {table.kind: table for table in tables}


def _list_inputs(inputs: PayTableInputs) -> Sequence[PayTableInput]:
    if isinstance(inputs, str | PathLike | PayTable):
        return [inputs]
    if not isinstance(inputs, Iterable | None):
        raise PayTableError(
            f"a pay table is {quote(inputs)}: give its id, a file or a PayTable",
            code="invalid-pay-table",
            inputs=inputs,
        )
    return list(inputs or ())


def verify_paytable(game: Game, table: PayTable) -> PayTable:
    """Return the table if it can pay this game; other than its own are checked.

    Raises:
        PayTableError: it cannot (``read_paytables``).
    """
    if table in load_builtin_paytables(game):
        return table
    lines: object = table.lines
    if not isinstance(lines, Mapping):
        raise PayTableError(
            f"the lines of a pay table are {quote(lines)}: give a mapping of names to LinePay", code="invalid-pay-table"
        )
    for name, pay in lines.items():
        parts: list[object] = [pay.amount, pay.unit] if isinstance(pay, LinePay) else []
        if list(map(type, parts)) != [Fraction, PayUnit]:
            raise PayTableError(
                f"line {quote(name)} is {quote(pay)}: give a LinePay with a Fraction and a PayUnit",
                code="invalid-line",
                name=name,
                pay=pay,
            )
    return parse_paytables({"paytable": [to_document(table)]}, game, "PayTable")[0]


def format_stakes(stakes: StakeInputs) -> list[str]:
    """Return stakes as the words ``BET=STAKE`` that ``parse_side_stakes`` reads.

    Raises:
        WagerError: they are not a mapping, or a stake is a float.
    """
    if not isinstance(stakes, Mapping | None):
        raise WagerError(
            f"stakes are {quote(stakes)}: give a mapping of bets to Antes", code="invalid-stakes", stakes=stakes
        )
    for bet, stake in (stakes or {}).items():
        if not _can_be_stake(stake):
            raise WagerError(
                f"the stake on {bet} is {quote(stake)}: write Antes as 1, Fraction(1, 2) or '0.5'",
                code="invalid-stake",
                bet=bet,
                stake=stake,
            )
    return [f"{bet}={stake}" for bet, stake in (stakes or {}).items()]


def _can_be_stake(value: object) -> bool:
    """Tell whether a value has the type of a stake, and is not far too long."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
    return isinstance(value, str)


def verify_names(kind: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Check that names are known, or raise UnknownNameError."""
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, known)


@contextmanager
def name_parameters() -> Iterator[None]:
    """Name parameters in errors that name options of the command line.

    >>> with name_parameters():
    ...     raise WagerError("a wager on another seat's hand: give --seats 2 or more")
    Traceback (most recent call last):
    pitboss.core.errors.WagerError: a wager on another seat's hand: give seats 2 or more
    """
    try:
        yield
    except (CardError, MagnitudeError, ReportError, TuningError, WagerError) as error:
        error.args = (str(error).replace("--", ""),)  # the error keeps its code and fields
        raise


def verify_whole(value: int, what: str, minimum: int, maximum: int) -> None:
    """Check that a value is a whole number in a range, or raise WagerError."""
    verify_integer(value, what, WagerError)
    if not minimum <= value <= maximum:
        raise WagerError(
            f"{what} is {quote(value)}: give a whole number from {minimum} to {maximum}",
            code="out-of-range",
            value=value,
            minimum=minimum,
            maximum=maximum,
            what=what,
        )
