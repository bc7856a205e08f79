"""Pay tables: reading, checking and selecting them, and computing nets.

No other module reads ``paytables.toml`` files, a game's own or a user's.  A pay is a number in the table's unit,
a ratio like ``"3:2"``, or ``{ pay = 10, unit = "for_one", sheet = "the sheet's words", ruling = "SC-3" }``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from pitboss.contract import Game, LinePay, MeterPresets, PayTable, PayUnit, Wager
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError, quote
from pitboss.core.joined_words import join_words
from pitboss.core.read_only_dict import ReadOnlyDict
from pitboss.core.strict_model import read_toml
from pitboss.outcome_nets import compute_pay, explain_why_not_for_one, list_paid_kinds, list_required_lines
from pitboss.paytable_document import MAX_PAY, PayTableModel, parse_amount, parse_document

_MAX_PAY_ON_ALL = 9_000_000  # on all units of a wager: times the highest stake, 10**12 cents, it is less than 2**63

_MAX_METER_PERCENT = 100
_MAX_BPS = 10_000

GetUnits = Callable[[str], frozenset[PayUnit]]


def _validate_lines(table: PayTableModel, wager: Wager, kind: str) -> dict[str, LinePay]:
    """Check a table's lines, each pay, and the order of the pays."""
    wanted = list_required_lines(wager, kind)
    for unknown in (name for name in table.lines if name not in wanted):
        raise PayTableError.from_error(UnknownNameError("line", unknown, wanted))
    for missing in (line for line in wanted if line not in table.lines):
        raise PayTableError(
            f"line {missing!r} is missing: {kind} must have the lines {', '.join(wanted)}",
            code="line-missing",
            missing=missing,
            kind=kind,
            wanted=wanted,
        )
    pays = {
        name: LinePay(line.pay, line.unit or table.unit, line.sheet, line.ruling) for name, line in table.lines.items()
    }
    for name, pay in pays.items():
        _check_pay(name, pay, table.unit, wager, has_meter=table.progressive is not None)
        if pay.unit is PayUnit.FOR_ONE and (reason := explain_why_not_for_one(wager, kind)):
            raise PayTableError(
                f"line {name!r} is paid for_one: {kind} {reason}, write them to_one",
                code="wrong-unit",
                name=name,
                kind=kind,
            )
    _check_order(pays, wager, kind)
    return pays


def _check_order(pays: Mapping[str, LinePay], wager: Wager, kind: str) -> None:
    """Reject pays that break an order that the rules rely on (``contract.PayOrder``)."""
    for order in wager.pay_orders:
        for other in order.lower_lines if order.paytable_kind == kind else ():
            if compute_pay(pays[other], Fraction(1), 0) > compute_pay(pays[order.line], Fraction(1), 0):
                higher, lower = pays[other].amount, pays[order.line].amount
                raise PayTableError(
                    f"line {other!r} pays {higher}, more than {order.line!r} with {lower}: if a hand makes both, the "
                    f"rules pay {order.line!r}, so let it pay at least {higher} ({order.ruling})",
                    code="pays-out-of-order",
                    other=other,
                    line=order.line,
                    ruling=order.ruling,
                )


def compute_max_pay(wager: Wager) -> int:
    """Compute the most that a line may pay on a whole wager in 64-bit cents."""
    units = max(sum(leg.paid_stake * len(leg.lines) for leg in outcome.legs) for outcome in wager.outcomes)
    return min(MAX_PAY, _MAX_PAY_ON_ALL // max(units, 1))


def _check_pay(name: str, pay: LinePay, table_unit: PayUnit, wager: Wager, *, has_meter: bool) -> None:
    """Reject a pay that is too high, in a wrong unit, or not payable in chips."""
    if pay.amount > (most := compute_max_pay(wager)):
        message = f"line {name!r} pays {pay.amount}: at most {most:,}, so that cents fit in 64 bits"
        raise PayTableError(message, code="pay-too-large", name=name, most=most)
    if (pay.unit is PayUnit.DOLLARS) != (table_unit is PayUnit.DOLLARS):
        raise PayTableError(
            f"line {name!r} is in {pay.unit}, the table in {table_unit}: do not mix dollars and ratios",
            code="mixed-units",
            name=name,
            table_unit=table_unit,
        )
    smallest_cents = pay.amount * wager.limits.unit_cents
    if pay.unit is PayUnit.PERCENT_OF_METER:
        if not has_meter or pay.amount > _MAX_METER_PERCENT or pay.amount.denominator != 1:
            raise PayTableError(
                f"line {name!r} is {pay.amount}% of a meter: write a whole percentage up to 100, "
                "in a table with [paytable.progressive]",
                code="invalid-percentage",
                name=name,
            )
    elif smallest_cents.denominator != 1:
        raise PayTableError(
            f"line {name!r} cannot be paid whole: {pay.amount} on {wager.limits.unit_cents} cents is "
            f"{smallest_cents} cents; choose a pay that gives whole cents",
            code="fraction-of-a-cent",
            name=name,
            unit_cents=wager.limits.unit_cents,
            smallest_cents=smallest_cents,
        )


def verify_pay(game: Game, table: PayTable, line: str, text: str) -> None:
    """Check a new pay of a line, like ``9`` or ``3:2``, in the line's unit.

    Raises:
        PayTableError: it cannot be read or paid.  The order of pays is not checked: that needs the whole table.
    """
    try:
        pay = LinePay(parse_amount(text), table.lines[line].unit)
    except ValueError as error:
        raise PayTableError(str(error), code="invalid-pay", line=line, pay=text) from None
    wager = next(wager for wager in game.wagers if wager.id == table.bet)
    _check_pay(line, pay, pay.unit, wager, has_meter=table.progressive is not None)


def _build_paytable(table: PayTableModel, game: Game, source: str, get_units: GetUnits) -> PayTable:
    """Check a table against its game; ``get_units`` gives a kind's allowed units."""
    wagers = {wager.id: wager for wager in game.wagers if wager.paytable_kinds}
    if table.bet not in wagers:
        raise UnknownNameError("bet with pay tables", table.bet, wagers)
    wager = wagers[table.bet]
    kind = table.table or wager.paytable_kinds[0]
    if kind not in wager.paytable_kinds:
        raise UnknownNameError("kind of table", kind, wager.paytable_kinds)
    if table.unit not in get_units(kind):
        raise PayTableError(
            f"unit {table.unit} does not fit {kind}: it is paid {' or '.join(sorted(get_units(kind)))}",
            code="wrong-unit",
            kind=kind,
        )
    pays = _validate_lines(table, wager, kind)
    for unknown in (line for line in table.envy if line not in pays):
        raise PayTableError.from_error(UnknownNameError("line", unknown, pays), "envy")
    presets = table.progressive
    if presets and presets.meter_bps + presets.reserve_bps > _MAX_BPS:
        raise PayTableError(
            "meter_bps and reserve_bps are more than the wager: together they may be at most 10000",
            code="rates-too-high",
        )
    return PayTable(
        id=table.id,
        bet=wager.id,
        kind=kind,
        lines=ReadOnlyDict(pays),
        source=table.source or source,
        default=table.default,
        claim=table.claim,
        envy=ReadOnlyDict(table.envy),
        progressive=MeterPresets(**presets.model_dump()) if presets else None,
    )


def _parse_tables(document: Mapping[str, object], game: Game, source: str, get_units: GetUnits) -> tuple[PayTable, ...]:
    tables: dict[tuple[str, str], PayTable] = {}
    for model in parse_document(document, source):
        try:
            table = _build_paytable(model, game, source, get_units)
        except PitbossError as error:
            raise PayTableError.from_error(error, f"{source}: pay table {model.id}") from None
        if (table.kind, table.id) in tables:
            raise PayTableError(
                f"{source}: pay table {table.id} of {table.bet} appears twice: give each its own id",
                code="id-twice",
                paytable=table.id,
                bet=table.bet,
            )
        tables[table.kind, table.id] = table
    return tuple(tables.values())


def read_paytables(path: Path, game: Game) -> tuple[PayTable, ...]:
    """Read a user's file of pay tables for ``game``.

    Raises:
        PayTableError: the file cannot be read, or a table in it is incomplete, has an unknown line, a wrong unit, a
            negative pay, or a pay that is not in whole cents.
    """
    file, document = str(path), read_toml(path, PayTableError)
    return tuple(replace(table, file=file) for table in parse_paytables(document, game, file))


def parse_paytables(document: Mapping[str, object], game: Game, source: str) -> tuple[PayTable, ...]:
    """Parse pay tables from a file or a history (raises as ``read_paytables``).

    Put the lines in the printed order of the game's own tables: a hand is paid on the first line it makes (ALL-8).
    """
    tables = _parse_tables(document, game, source, lambda kind: _get_allowed_units(game, kind))
    printed = {table.kind: table.lines for table in load_builtin_paytables(game)}
    return tuple(replace(table, lines={name: table.lines[name] for name in printed[table.kind]}) for table in tables)


def _get_allowed_units(game: Game, kind: str) -> frozenset[PayUnit]:
    """Return the units that a user's table may have: dollars, or to and for one."""
    first = next(table for table in load_builtin_paytables(game) if table.kind == kind)
    return frozenset({PayUnit.DOLLARS} if _has_dollar_pays(first) else {PayUnit.TO_ONE, PayUnit.FOR_ONE})


def _has_dollar_pays(table: PayTable) -> bool:
    return any(pay.unit is PayUnit.DOLLARS for pay in table.lines.values())


def to_document(table: PayTable) -> dict[str, object]:
    """Return a table as a document with units, for ``parse_paytables`` to read."""
    lines = {}
    for name, pay in table.lines.items():
        line = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
        lines[name] = line | {key: text for key, text in (("sheet", pay.sheet_text), ("ruling", pay.ruling)) if text}
    extras = {
        "claim": table.claim,
        "envy": dict(table.envy),
        "progressive": asdict(table.progressive) if table.progressive else None,
    }
    return {
        "id": table.id,
        "bet": table.bet,
        "table": table.kind,
        "unit": (PayUnit.DOLLARS if _has_dollar_pays(table) else PayUnit.TO_ONE).value,
        "source": table.source,
        "lines": lines,
        **{key: value for key, value in extras.items() if value},
    }


@cache
def load_builtin_paytables(game: Game) -> tuple[PayTable, ...]:
    """Return the pay tables in the game's folder, in printed order.

    A game whose wagers all pay even money needs no file of them.

    >>> from pitboss.games import load_game
    >>> [table.id for table in load_builtin_paytables(load_game("six-card")) if table.bet == "aces-up"]
    ['SCP-01', 'SCP-02', 'SCP-03', 'SCP-04']

    Raises:
        PayTableError: the file cannot be read, a table in it is not valid, or a kind of pay table has none.
    """
    path, kinds = game.folder / "paytables.toml", list_paid_kinds(game)
    if not kinds and not path.is_file():
        return ()
    tables = _parse_tables(read_toml(path, PayTableError), game, str(path), lambda _kind: frozenset(PayUnit))
    for kind, wager in kinds.items():
        if all(table.kind != kind for table in tables):
            raise PayTableError(
                f"{path} has no table for {kind}: add one with {', '.join(list_required_lines(wager, kind))}",
                code="no-pay-table",
                kind=kind,
                bet=wager.id,
            )
    return tables


def get_wager_paytables(game: Game, wager: Wager) -> tuple[PayTable, ...]:
    """Return the built-in pay tables that can pay ``wager``; wagers may share them."""
    return tuple(table for table in load_builtin_paytables(game) if table.kind in wager.paytable_kinds)


def select_paytables(game: Game, selections: Iterable[str] = ()) -> dict[str, PayTable]:
    """Return one pay table for each kind: the default, or the one selected.

    A selection is ``[BET=]ID`` or ``[BET=]FILE.toml``; of several tables of a kind in a file, the default one counts.

    >>> from pitboss.games import load_game
    >>> select_paytables(load_game("six-card"), ["bad-beat=BB-03"])["bad-beat"].id
    'BB-03'

    Raises:
        PayTableError: a file is not valid (see ``read_paytables``), or two tables of a kind are selected.
        UnknownNameError: the bet or id is unknown.
    """
    chosen: dict[str, PayTable] = {}
    for selection in selections:
        for kind, table in resolve_selection(game, selection).items():
            if kind in chosen:
                raise PayTableError(
                    f"two pay tables for {kind}, {chosen[kind].id} and {table.id}: select one",
                    code="two-pay-tables",
                    kind=kind,
                    paytable=table.id,
                )
            chosen[kind] = table
    return {table.kind: table for table in load_builtin_paytables(game) if table.default} | chosen


def resolve_selection(game: Game, selection: str) -> dict[str, PayTable]:
    """Return the tables that one ``[BET=]ID`` or ``[BET=]FILE.toml`` names, by kind."""
    bet, equals, name = selection.partition("=") if "=" in selection else ("", "", selection)
    wagers = {wager.id: wager for wager in (*game.wagers, *game.main_parts)}
    if equals and bet not in wagers:
        raise UnknownNameError("bet", bet, wagers)
    kinds = tuple(kind for each in ([wagers[bet]] if equals else game.wagers) for kind in each.paytable_kinds)
    if name.endswith(".toml"):
        return _pick_one_per_kind(read_paytables(Path(name), game), kinds, name, bet or game.id)
    known = [table for table in load_builtin_paytables(game) if table.kind in kinds]
    for table in known:
        if table.id == name:
            return {table.kind: table}
    others = join_words(dict.fromkeys(table.bet for table in load_builtin_paytables(game) if table.id == name))
    if not kinds:
        raise PayTableError(
            f"{bet or 'any bet'} of {game.id} has no pay tables: leave out {quote(name)}",
            code="unknown-pay-table",
            kind="pay table",
            name=name,
            known=[],
            closest=None,
        )
    reasons = [f"{name} is for {others}"] if others else []
    raise UnknownNameError("pay table", name, [table.id for table in known], reasons)


def _pick_one_per_kind(
    tables: Iterable[PayTable], kinds: Iterable[str], source: str, subject: str
) -> dict[str, PayTable]:
    """Return the only table of each kind, or the only one marked as the default."""
    selected: dict[str, PayTable] = {}
    for kind in dict.fromkeys(kinds):
        of_kind = [table for table in tables if table.kind == kind]
        marked = [table for table in of_kind if table.default] if len(of_kind) > 1 else of_kind
        if len(marked) > 1 or (of_kind and not marked):
            names = ", ".join(table.id for table in of_kind)
            raise PayTableError(
                f"{source} has several tables for {kind} ({names}): mark one of them with default = true",
                code="no-default",
                kind=kind,
            )
        if marked:
            selected[kind] = marked[0]
    if not selected:
        raise PayTableError(
            f"{source} has no pay table for {subject}: add one, or name another file", code="no-pay-table"
        )
    return selected


def find_progressive_table(paytables: Mapping[str, PayTable]) -> PayTable | None:
    """Return the table with a meter, if any; its ``bet`` is the progressive wager.

    >>> from pitboss.games import load_game
    >>> find_progressive_table(select_paytables(load_game("six-card"))).id
    'SIXCPP-01'
    """
    return next((table for table in paytables.values() if table.progressive), None)
