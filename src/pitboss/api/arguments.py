"""What a caller passes: pay tables, options and stakes, checked first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pitboss.analysis.exact_par_sheet import verify_has_meter
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.side_stakes import is_stake, parse_side_stakes
from pitboss.contract import Game, LinePay, MeterPresets, PayTable, PayUnit
from pitboss.core.arguments import verify_flag, verify_whole
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
from pitboss.core.money import MAX_CENTS
from pitboss.core.numbers import MAX_BITS
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.core.text import verify_text
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, parse_paytables, select_paytables, to_document
from pitboss.reports.paytable_editing import describe_edits, edit_paytable

if TYPE_CHECKING:
    from pitboss.api.game import HouseGame

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

PayTableInput = str | PathLike[str] | PayTable
"""A pay table: its id, ``BET=ID`` where several bets have one of that id, the path of a TOML file, or the table."""

PayTableInputs = PayTableInput | Iterable[PayTableInput] | None
"""One pay table or several, at most one of each kind; the game's default tables fill the rest."""

OptionInputs = Mapping[str, str] | None
"""Values of options by name; the defaults fill the rest."""

StakeInputs = Mapping[str, int | str | Fraction] | None
"""Stakes of side wagers by bet, in Antes: 1, Fraction(1, 2), or a text such as "0.5"; no floats."""

CardInputs = str | Sequence[str]
"""Cards as a text like ``As Td 9h``, or as a sequence of them."""


def join_cards(cards: CardInputs, what: str) -> str:
    """Return cards as one text, or raise CardError."""
    if isinstance(cards, list | tuple) and all(isinstance(each, str) for each in cards):
        return " ".join(cards)
    verify_text(cards, what, CardError)
    return str(cards)


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
        if isinstance(table, PayTable):
            _verify_fields(table)
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
    for value in (options or {}).values():
        verify_text(value, "the value of an option", OptionError)
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
    return [] if inputs is None else list(inputs)


def edit_pays(game: Game, table: PayTable, pays: Mapping[str, Fraction | int | str], name: str) -> PayTable:
    """Return a table with some pays changed (``HouseGame.edit_paytable``)."""
    if not isinstance(table, PayTable):
        raise PayTableError(f"the pay table is {quote(table)}: give a PayTable", code="invalid-pay-table", value=table)
    if not isinstance(pays, Mapping):
        raise PayTableError(
            f"pays are {quote(pays)}: give a mapping of lines to pays, like {{'flush': 9}}",
            code="invalid-line",
            pays=pays,
        )
    verify_text(name, "the id of a pay table", PayTableError)
    for line in pays:
        verify_text(line, "a line", PayTableError)
    verify_names("line", pays, list(verify_paytable(game, table).lines))
    texts = {line: str(pay).replace("/", ":") if _is_amount(pay) else quote(pay) for line, pay in pays.items()}
    return verify_paytable(game, edit_paytable(game, verify_paytable(game, table), texts, name))


def verify_paytable(game: Game, table: PayTable) -> PayTable:
    """Return the table if it can pay this game; other than its own are checked.

    Raises:
        PayTableError: it cannot (``read_paytables``), or it has the id of a printed table, and other pays.
    """
    _verify_fields(table)
    if table in load_builtin_paytables(game):
        return table
    pays: Iterable[tuple[str, object]] = table.lines.items()
    for name, pay in pays:
        verify_text(name, "the name of a line", PayTableError)
        parts: list[object] = [pay.amount, pay.unit] if isinstance(pay, LinePay) else []
        if list(map(type, parts)) != [Fraction, PayUnit]:
            raise PayTableError(
                f"line {quote(name)} is {quote(pay)}: give a LinePay with a Fraction and a PayUnit",
                code="invalid-line",
                name=name,
                pay=pay,
            )
    return _name_origin(game, parse_paytables({"paytable": [to_document(table)]}, game, "PayTable")[0])


def _verify_fields(table: PayTable) -> None:
    """Check the type of every field of a pay table, or raise PayTableError."""
    for name in ("id", "bet", "kind", "source", "claim", "file"):
        verify_text(getattr(table, name), f"the {name} of a pay table", PayTableError)
    verify_flag(table.default, "the default of a pay table", PayTableError)
    presets: object = table.progressive
    kinds = {"lines": "LinePay", "envy": "dollars"}
    for name, kind in kinds.items():
        value = getattr(table, name)
        if not isinstance(value, Mapping):
            raise PayTableError(
                f"the {name} of a pay table are {quote(value)}: give a mapping of names to {kind}",
                code="invalid-pay-table",
                name=name,
                value=value,
            )
    for line, dollars in table.envy.items():
        verify_text(line, "a line of envy", PayTableError)
        verify_whole(dollars, f"the envy of {line}", 0, MAX_CENTS, PayTableError)
    if presets is not None:
        if not isinstance(presets, MeterPresets):
            raise PayTableError(
                f"the progressive of a pay table is {quote(presets)}: give MeterPresets or None",
                code="invalid-pay-table",
                value=presets,
            )
        verify_text(presets.source, "the source of a meter", PayTableError)
        for name in ("seed_cents", "meter_bps", "reserve_bps"):
            verify_whole(getattr(presets, name), f"{name} of a meter", 0, MAX_CENTS, PayTableError)


def _name_origin(game: Game, table: PayTable) -> PayTable:
    """Return a table with its edits as its source, if that is a printed table's.

    Raises:
        PayTableError: it has the id of a printed table, and other pays.
    """
    for printed in (each for each in load_builtin_paytables(game) if each.kind == table.kind):
        edited = describe_edits(table, printed)
        is_other = edited is not table or (table.envy, table.progressive) != (printed.envy, printed.progressive)
        if is_other and printed.id == table.id:
            raise PayTableError(
                f"pay table {table.id} does not pay as the printed one: give it another id",
                code="printed-id",
                paytable=table.id,
            )
        if printed.source == table.source:
            return edited
    return table


def read_meter(meter_cents: int | None, tables: Iterable[PayTable]) -> int | None:
    """Return a meter in cents, None for the seed, or raise WagerError."""
    if meter_cents is None:
        return None
    cents = verify_whole(meter_cents, "a meter, in cents,", 0, MAX_CENTS)
    verify_has_meter(tables)
    return cents


def format_stakes(stakes: StakeInputs) -> list[str]:
    """Return stakes as the words ``BET=STAKE`` that ``parse_side_stakes`` reads.

    Raises:
        WagerError: they are not a mapping, or a stake is a float or below zero.
    """
    if not isinstance(stakes, Mapping | None):
        raise WagerError(
            f"stakes are {quote(stakes)}: give a mapping of bets to Antes", code="invalid-stakes", stakes=stakes
        )
    for bet, stake in (stakes or {}).items():
        verify_text(bet, "a bet", WagerError)
        if not _is_amount(stake) or not is_stake(str(stake)) or "=" in bet:
            raise WagerError(
                f"the stake on {quote(bet)} is {quote(stake)}: write Antes as 1, Fraction(1, 2) or '0.5'",
                code="invalid-stake",
                bet=bet,
                stake=stake,
            )
    return [f"{bet}={stake}" for bet, stake in (stakes or {}).items()]


def _is_amount(value: object) -> bool:
    """Tell whether a value has the type of a stake or a pay, and is not far too long."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
    return isinstance(value, str)


def verify_names(kind: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Check that names are known, or raise UnknownNameError."""
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, known)


def verify_progress(progress: ProgressCallback | None) -> ProgressCallback:
    """Return the callback, or one that does nothing, or raise PitbossError."""
    if progress is not None and not callable(progress):
        raise PitbossError(
            f"progress is {quote(progress)}: give a function of done and total", code="invalid-progress", value=progress
        )
    return progress or ignore_progress


def accept_paytable(call: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Return a function that takes ``paytable`` as another name of ``paytables``."""

    @wraps(call)
    def called(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        if "paytable" in kwargs:
            if "paytables" in kwargs:
                raise PayTableError(
                    "paytable and paytables are one parameter: give paytables alone", code="two-pay-tables"
                )
            kwargs["paytables"] = kwargs.pop("paytable")
        return call(*args, **kwargs)

    return called


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
