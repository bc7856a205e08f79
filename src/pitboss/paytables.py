"""Pay tables: TOML read and checked, chosen by id or file, and turned into what a circle nets.

The only reader of ``paytables.toml`` files, a game's own or a user's.  A pay is written as a number in the table's
unit, as ``"3:2"``, or as ``{ pay = 10, unit = "for_one", sheet = "the sheet's words", ruling = "SC-3" }``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError

from pitboss.contract import Game, Leg, Outcome, Pay, PayTable, Progressive, Unit, Verdict, Wager
from pitboss.core.checked import Checked, first_fault, toml_of
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError

_PAY = re.compile(r"([0-9]+)(?::([1-9][0-9]*))?")
_ALL_OF_A_METER = 100
_ALL_BPS = 10_000


def _amount(written: object) -> Fraction:
    """Read 9, "9" or "3:2" as a pay; anything else, or a pay below zero, is refused."""
    readable = isinstance(written, int | str) and not isinstance(written, bool)
    match = _PAY.fullmatch(str(written)) if readable else None
    if match is None:
        raise ValueError(f"{written!r} is no pay: write a whole number not below 0, or a ratio as '3:2'")
    return Fraction(int(match[1]), int(match[2] or 1))


def _unit(written: object) -> Unit:
    """Read the name of a unit."""
    if written not in {unit.value for unit in Unit}:
        raise ValueError(f"{written!r} is no unit: a pay is {', '.join(Unit)}")
    return Unit(str(written))


class _Line(Checked):
    pay: Annotated[Fraction, BeforeValidator(_amount)]
    unit: Annotated[Unit | None, BeforeValidator(_unit)] = None
    sheet: str = ""
    ruling: str = ""


class _Progressive(Checked):
    seed_cents: int = Field(ge=0)
    meter_bps: int = Field(ge=0, le=10_000)
    reserve_bps: int = Field(ge=0, le=10_000)
    source: str


class _Table(Checked):
    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    bet: str
    table: str = ""
    unit: Annotated[Unit, BeforeValidator(_unit)]
    source: str = ""
    default: bool = False
    claim: str = ""
    lines: dict[str, Annotated[_Line, BeforeValidator(lambda line: line if isinstance(line, dict) else {"pay": line})]]
    envy: dict[str, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    progressive: _Progressive | None = None


class _File(Checked):
    paytable: list[_Table] = Field(min_length=1)


def lines_of(wager: Wager, table: str) -> tuple[str, ...]:
    """Return the lines that pay table ``table`` must have for ``wager``, in the order of its outcomes."""
    named = (line for outcome in wager.outcomes for leg in outcome.legs if leg.table == table for line in leg.lines)
    return tuple(dict.fromkeys(named))


def _checked_lines(table: _Table, wager: Wager, kind: str) -> dict[str, Pay]:
    """Check the lines against the wager's outcomes, and each pay as ``_checked_pay`` does."""
    wanted = lines_of(wager, kind)
    for missing in (line for line in wanted if line not in table.lines):
        raise PayTableError(f"line {missing!r} is missing: {kind} has the lines {', '.join(wanted)}")
    for name in table.lines:
        if name not in wanted:
            raise PayTableError(str(UnknownNameError("line", name, wanted)))
    pays = {name: Pay(line.pay, line.unit or table.unit, line.sheet, line.ruling) for name, line in table.lines.items()}
    for name, pay in pays.items():
        _check_pay(name, pay, table, wager)
    return pays


def _check_pay(name: str, pay: Pay, table: _Table, wager: Wager) -> None:
    """Refuse a pay that goes with no other of its table, or that no chips can pay."""
    if (pay.unit is Unit.DOLLARS) != (table.unit is Unit.DOLLARS):
        raise PayTableError(f"line {name!r} is in {pay.unit}, the table in {table.unit}: dollars do not mix")
    smallest_cents = pay.amount * wager.limits.unit_cents
    if pay.unit is Unit.PERCENT_OF_METER:
        if table.progressive is None or pay.amount > _ALL_OF_A_METER or pay.amount.denominator != 1:
            raise PayTableError(
                f"line {name!r} is {pay.amount}% of a meter: write a whole percentage up to 100, "
                "in a table with [paytable.progressive]"
            )
    elif smallest_cents.denominator != 1:
        raise PayTableError(
            f"line {name!r} cannot be paid whole: {pay.amount} on {wager.limits.unit_cents} cents is "
            f"{smallest_cents} cents; let it divide the stake's unit"
        )


def _built(table: _Table, game: Game, where: str, units: Callable[[str], frozenset[Unit]]) -> PayTable:
    """Check a table against its game; ``units`` gives those in which a kind of table may be paid."""
    wagers = {wager.id: wager for wager in game.wagers if wager.tables}
    if table.bet not in wagers:
        raise UnknownNameError("bet with pay tables", table.bet, wagers)
    wager = wagers[table.bet]
    kind = table.table or wager.tables[0]
    if kind not in wager.tables:
        raise UnknownNameError("kind of table", kind, wager.tables)
    if table.unit not in units(kind):
        raise PayTableError(f"unit {table.unit} does not fit {kind}: it is paid {' or '.join(sorted(units(kind)))}")
    pays = _checked_lines(table, wager, kind)
    for line in table.envy:
        if line not in pays:
            raise PayTableError(f"envy: {UnknownNameError('line', line, pays)}")
    presets = table.progressive
    if presets and presets.meter_bps + presets.reserve_bps > _ALL_BPS:
        raise PayTableError("meter_bps and reserve_bps are more than the wager: together at most 10000")
    return PayTable(
        id=table.id,
        bet=wager.id,
        table=kind,
        lines=pays,
        source=table.source or where,
        default=table.default,
        claim=table.claim,
        envy=table.envy,
        progressive=Progressive(**presets.model_dump()) if presets else None,
    )


def _tables_in(
    document: Mapping[str, object], game: Game, where: str, units: Callable[[str], frozenset[Unit]]
) -> tuple[PayTable, ...]:
    try:
        parsed = _File.model_validate(document)
    except ValidationError as error:
        raise PayTableError(f"{where}: {first_fault(error)}") from None
    tables: dict[tuple[str, str], PayTable] = {}
    for written in parsed.paytable:
        try:
            table = _built(written, game, where, units)
        except PitbossError as error:
            raise PayTableError(f"{where}: pay table {written.id}: {error}") from None
        if (table.table, table.id) in tables:
            raise PayTableError(f"{where}: pay table {table.id} of {table.bet} stands twice: give each its own id")
        tables[table.table, table.id] = table
    return tuple(tables.values())


def read_paytables(path: Path, game: Game) -> tuple[PayTable, ...]:
    """Read a user's file of pay tables for ``game``.

    Raises:
        PayTableError: the file cannot be read, or a table in it is incomplete, has an unknown line or a wrong unit, a
            negative pay, or one that cannot be paid in whole cents.
    """
    return paytables_in(toml_of(path, PayTableError), game, str(path))


def paytables_in(document: Mapping[str, object], game: Game, where: str) -> tuple[PayTable, ...]:
    """Check a document of pay tables, as a TOML file or a round's history holds it (raises as ``read_paytables``)."""
    return _tables_in(document, game, where, lambda kind: _units_of(game, kind))


def _units_of(game: Game, kind: str) -> frozenset[Unit]:
    """Return the units a user's table of this kind may be in: dollars, or to one and for one alike."""
    first = next(table for table in built_in_paytables(game) if table.table == kind)
    dollars = any(pay.unit is Unit.DOLLARS for pay in first.lines.values())
    return frozenset({Unit.DOLLARS} if dollars else {Unit.TO_ONE, Unit.FOR_ONE})


def as_document(table: PayTable) -> dict[str, object]:
    """Return a pay table as it is written in a file, every pay with its unit (read again by ``paytables_in``)."""
    dollars = any(pay.unit is Unit.DOLLARS for pay in table.lines.values())
    lines = {}
    for name, pay in table.lines.items():
        written = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
        lines[name] = written | {key: text for key, text in (("sheet", pay.sheet), ("ruling", pay.ruling)) if text}
    extras = {
        "claim": table.claim,
        "envy": dict(table.envy),
        "progressive": asdict(table.progressive) if table.progressive else None,
    }
    return {
        "id": table.id,
        "bet": table.bet,
        "table": table.table,
        "unit": (Unit.DOLLARS if dollars else Unit.TO_ONE).value,
        "source": table.source,
        "lines": lines,
        **{key: value for key, value in extras.items() if value},
    }


@cache
def built_in_paytables(game: Game) -> tuple[PayTable, ...]:
    """Return the pay tables in the game's own folder, in printed order.

    >>> from pitboss.games import game_named
    >>> [table.id for table in built_in_paytables(game_named("six-card")) if table.bet == "aces-up"]
    ['SCP-01', 'SCP-02', 'SCP-03', 'SCP-04']
    """
    path = game.folder / "paytables.toml"
    return _tables_in(toml_of(path, PayTableError), game, str(path), lambda _kind: frozenset(Unit))


def paytables_of(game: Game, wager: Wager) -> tuple[PayTable, ...]:
    """Return the built-in pay tables that can pay ``wager`` (Lunar's three Super wagers share theirs)."""
    return tuple(table for table in built_in_paytables(game) if table.table in wager.tables)


def choose(game: Game, selections: Iterable[str] = ()) -> dict[str, PayTable]:
    """Return one pay table for each kind: the defaults, replaced by ``[BET=]ID`` or ``[BET=]FILE.toml``.

    Of several tables of a kind in a file the one marked ``default = true`` is meant.

    >>> from pitboss.games import game_named
    >>> choose(game_named("six-card"), ["bad-beat=BB-03"])["bad-beat"].id
    'BB-03'

    Raises:
        PayTableError: a file is not in order (see ``read_paytables``), or a kind of table is chosen twice.
        UnknownNameError: an unknown bet or id.
    """
    chosen: dict[str, PayTable] = {}
    for selection in selections:
        for kind, table in _selected(game, selection).items():
            if kind in chosen:
                raise PayTableError(f"two pay tables for {kind}, {chosen[kind].id} and {table.id}: choose one")
            chosen[kind] = table
    return {table.table: table for table in built_in_paytables(game) if table.default} | chosen


def _selected(game: Game, selection: str) -> dict[str, PayTable]:
    """Return the tables that one ``[BET=]ID`` or ``[BET=]FILE.toml`` names, by kind."""
    bet, equals, name = selection.partition("=") if "=" in selection else ("", "", selection)
    wagers = {wager.id: wager for wager in (*game.wagers, *game.parts)}
    if equals and bet not in wagers:
        raise UnknownNameError("bet", bet, wagers)
    kinds = wagers[bet].tables if equals else tuple(kind for wager in game.wagers for kind in wager.tables)
    if name.endswith(".toml"):
        return _one_of_each(read_paytables(Path(name), game), kinds, name, bet or game.id)
    known = [table for table in built_in_paytables(game) if table.table in kinds]
    for table in known:
        if table.id == name:
            return {table.table: table}
    raise UnknownNameError("pay table", name, [table.id for table in known])


def _one_of_each(tables: Iterable[PayTable], kinds: Iterable[str], where: str, what: str) -> dict[str, PayTable]:
    """Return of each kind the only table, or the only default one."""
    found: dict[str, PayTable] = {}
    for kind in dict.fromkeys(kinds):
        of_kind = [table for table in tables if table.table == kind]
        marked = [table for table in of_kind if table.default] if len(of_kind) > 1 else of_kind
        if len(marked) > 1 or (of_kind and not marked):
            names = ", ".join(table.id for table in of_kind)
            raise PayTableError(
                f"{where} has several tables for {kind} ({names}): mark the one meant with default = true"
            )
        if marked:
            found[kind] = marked[0]
    if not found:
        raise PayTableError(f"{where} has no pay table for {what}: let a table in it name one of its bets")
    return found


def progressive_table(chosen: Mapping[str, PayTable]) -> PayTable | None:
    """Return the table that has a meter, None where none has; its ``bet`` is the progressive wager.

    >>> from pitboss.games import game_named
    >>> progressive_table(choose(game_named("six-card"))).id
    'SIXCPP-01'
    """
    return next((table for table in chosen.values() if table.progressive), None)


def leg_net(leg: Leg, chosen: Mapping[str, PayTable], stake_cents: int, award_cents: int = 0) -> Fraction:
    """Return what a circle nets, in cents, of a wager of which one unit is ``stake_cents``.

    A percentage of a meter is ``award_cents``, the award fixed by ``meter.py``; all else comes from the table's line.
    """
    staked = Fraction(leg.stake * stake_cents)
    if not leg.lines or leg.verdict is Verdict.PUSH:
        return leg.verdict * staked
    paid = [_paid(chosen[leg.table].lines[line], staked, award_cents) for line in leg.lines]
    return leg.verdict * (max(paid) if leg.best else sum(paid, Fraction(0)))


def best_line(leg: Leg, chosen: Mapping[str, PayTable]) -> str:
    """Return the line of a circle that pays best, the first of equals; "" where it has none."""
    return max(leg.lines, key=lambda line: _paid(chosen[leg.table].lines[line], Fraction(1), 1), default="")


def _paid(pay: Pay, staked: Fraction, award_cents: int) -> Fraction:
    if pay.unit is Unit.DOLLARS:
        return pay.amount * 100
    if pay.unit is Unit.PERCENT_OF_METER:
        return award_cents - staked
    won = pay.amount * staked
    return won - staked if pay.unit is Unit.FOR_ONE else won


def meter_percent(outcome: Outcome, chosen: Mapping[str, PayTable]) -> int:
    """Return which percentage of the meter this outcome is paid, 0 for one that is paid otherwise."""
    pays = (chosen[leg.table].lines[line] for leg in outcome.legs for line in leg.lines if leg.verdict is Verdict.WIN)
    return int(sum(pay.amount for pay in pays if pay.unit is Unit.PERCENT_OF_METER))


def outcome_net(outcome: Outcome, chosen: Mapping[str, PayTable], stake_cents: int, award_cents: int = 0) -> Fraction:
    """Return what an outcome nets over all its circles, in cents.

    >>> from pitboss.games import game_named
    >>> game = game_named("six-card")
    >>> full_house = next(outcome for outcome in game.wagers[1].outcomes if outcome.name == "full-house")
    >>> outcome_net(full_house, choose(game), 500)
    Fraction(4500, 1)
    """
    return sum((leg_net(leg, chosen, stake_cents, award_cents) for leg in outcome.legs), Fraction(0))
