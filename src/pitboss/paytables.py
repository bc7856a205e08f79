"""Pay tables: TOML read and checked, chosen by id or file, and turned into what a circle nets.

The only reader of ``paytables.toml`` files, a game's own or a user's.  A pay is written as a number in the table's
unit, as ``"3:2"``, or as ``{ pay = 10, unit = "for_one", sheet = "the sheet's words", ruling = "SC-3" }``.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pitboss.contract import Game, Leg, Outcome, Pay, PayTable, Progressive, Unit, Verdict, Wager
from pitboss.core.errors import PayTableError, UnknownNameError

_PAY = re.compile(r"(\d+)(?::([1-9]\d*))?")
_ALL_OF_A_METER = 100


def _amount(written: object) -> Fraction:
    """Read 9, "9" or "3:2" as a pay; anything else, or a pay below zero, is refused."""
    readable = isinstance(written, int | str) and not isinstance(written, bool)
    match = _PAY.fullmatch(str(written)) if readable else None
    if match is None:
        message = f"{written!r} is no pay: write a whole number not below 0, or a ratio as '3:2'"
        raise ValueError(message)
    return Fraction(int(match[1]), int(match[2] or 1))


def _unit(written: object) -> Unit:
    """Read the name of a unit."""
    return Unit(str(written))


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Line(_Checked):
    pay: Annotated[Fraction, BeforeValidator(_amount)]
    unit: Annotated[Unit | None, BeforeValidator(_unit)] = None
    sheet: str = ""
    ruling: str = ""


class _Progressive(_Checked):
    seed_cents: int = Field(ge=0)
    meter_bps: int = Field(ge=0, le=10_000)
    reserve_bps: int = Field(ge=0, le=10_000)
    source: str


class _Table(_Checked):
    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    bet: str
    table: str = ""
    unit: Annotated[Unit, BeforeValidator(_unit)]
    source: str
    default: bool = False
    claim: str = ""
    lines: dict[str, Annotated[_Line, BeforeValidator(lambda line: line if isinstance(line, dict) else {"pay": line})]]
    envy: dict[str, Annotated[int, Field(ge=0)]] = {}
    progressive: _Progressive | None = None


class _File(_Checked):
    paytable: list[_Table] = Field(min_length=1)


def _first_fault(error: ValidationError) -> str:
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"])
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}"


def lines_of(wager: Wager, table: str) -> tuple[str, ...]:
    """Return the lines that pay table ``table`` must have for ``wager``, in the order of its outcomes."""
    named = (line for outcome in wager.outcomes for leg in outcome.legs if leg.table == table for line in leg.lines)
    return tuple(dict.fromkeys(named))


def _checked_lines(table: _Table, wager: Wager, where: str) -> dict[str, Pay]:
    """Check lines against the wager's outcomes, units against each other, and that every payout is whole cents."""
    kind = table.table or wager.tables[0]
    wanted = lines_of(wager, kind)
    for missing in (line for line in wanted if line not in table.lines):
        message = f"{where}: line {missing!r} is missing: {kind} has the lines {', '.join(wanted)}"
        raise PayTableError(message)
    for name in table.lines:
        if name not in wanted:
            raise PayTableError(f"{where}: {UnknownNameError('line', name, wanted)}")
    pays = {name: Pay(line.pay, line.unit or table.unit, line.sheet, line.ruling) for name, line in table.lines.items()}
    for name, pay in pays.items():
        if (pay.unit is Unit.DOLLARS) != (table.unit is Unit.DOLLARS):
            message = f"{where}: line {name!r} is in {pay.unit}, the table in {table.unit}: dollars do not mix"
            raise PayTableError(message)
        if pay.unit is Unit.PERCENT_OF_METER and (table.progressive is None or pay.amount > _ALL_OF_A_METER):
            message = f"{where}: line {name!r} is {pay.amount}% of a meter: at most 100, in a table with [progressive]"
            raise PayTableError(message)
        smallest = pay.amount * wager.limits.unit_cents
        if smallest.denominator != 1:
            message = (
                f"{where}: line {name!r} cannot be paid whole: {pay.amount} on {wager.limits.unit_cents} cents is "
                f"{smallest} cents; let it divide the stake's unit"
            )
            raise PayTableError(message)
    return pays


def _built(table: _Table, game: Game, where: str) -> PayTable:
    wagers = {wager.id: wager for wager in game.wagers if wager.tables}
    if table.bet not in wagers:
        raise PayTableError(f"{where}: {UnknownNameError('bet with pay tables', table.bet, wagers)}")
    wager = wagers[table.bet]
    kind = table.table or wager.tables[0]
    if kind not in wager.tables:
        raise PayTableError(f"{where}: {UnknownNameError('kind of table', kind, wager.tables)}")
    units = frozenset({table.unit}) if where == _own_file(game) else _units_of(game, kind)
    if table.unit not in units:
        message = f"{where}: unit {table.unit} does not fit {kind}: it is paid {' or '.join(sorted(units))}"
        raise PayTableError(message)
    pays = _checked_lines(table, wager, where)
    for line in table.envy:
        if line not in pays:
            raise PayTableError(f"{where}: envy: {UnknownNameError('line', line, pays)}")
    return PayTable(
        id=table.id,
        bet=wager.id,
        table=kind,
        lines=pays,
        source=table.source,
        default=table.default,
        claim=table.claim,
        envy=table.envy,
        progressive=Progressive(**table.progressive.model_dump()) if table.progressive else None,
    )


def _own_file(game: Game) -> str:
    return str(game.folder / "paytables.toml")


def _units_of(game: Game, kind: str) -> frozenset[Unit]:
    """Return the units a user's table of this kind may be in: dollars, or to one and for one alike."""
    first = next(table for table in built_in_paytables(game) if table.table == kind)
    dollars = any(pay.unit is Unit.DOLLARS for pay in first.lines.values())
    return frozenset({Unit.DOLLARS} if dollars else {Unit.TO_ONE, Unit.FOR_ONE})


def read_paytables(path: Path, game: Game) -> tuple[PayTable, ...]:
    """Read a file of pay tables for ``game``.

    Raises:
        PayTableError: the file cannot be read, or a table in it is incomplete, has an unknown line or a wrong unit, a
            negative pay, or one that cannot be paid in whole cents.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is no UTF-8 text'}"
        raise PayTableError(message) from None
    except tomllib.TOMLDecodeError as error:
        message = f"{path} is no TOML: {error}"
        raise PayTableError(message) from None
    return paytables_in(document, game, str(path))


def paytables_in(document: Mapping[str, object], game: Game, where: str) -> tuple[PayTable, ...]:
    """Check a document of pay tables, as a TOML file or a round's history holds it (raises as ``read_paytables``)."""
    try:
        parsed = _File.model_validate(document)
    except ValidationError as error:
        message = f"{where}: {_first_fault(error)}"
        raise PayTableError(message) from None
    tables = tuple(_built(table, game, where) for table in parsed.paytable)
    names = [(table.bet, table.id) for table in tables]
    for twice in (name for name in names if names.count(name) > 1):
        message = f"{where}: pay table {twice[1]} of {twice[0]} stands twice: give each its own id"
        raise PayTableError(message)
    return tables


def as_document(table: PayTable) -> dict[str, object]:
    """Return a pay table as it is written in a file, every pay with its unit (read again by ``paytables_in``)."""
    unit = next(iter(table.lines.values())).unit
    lines = {}
    for name, pay in table.lines.items():
        written = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
        lines[name] = written | {key: text for key, text in (("sheet", pay.sheet), ("ruling", pay.ruling)) if text}
    document = {"id": table.id, "bet": table.bet, "table": table.table, "unit": unit.value, "source": table.source}
    extras = {"claim": table.claim, "envy": dict(table.envy), "progressive": table.progressive}
    if table.progressive:
        extras["progressive"] = asdict(table.progressive)
    return document | {"lines": lines} | {key: value for key, value in extras.items() if value}


@cache
def built_in_paytables(game: Game) -> tuple[PayTable, ...]:
    """Return the pay tables in the game's own folder, in printed order.

    >>> from pitboss.games import game_named
    >>> [table.id for table in built_in_paytables(game_named("six-card")) if table.bet == "aces-up"]
    ['SCP-01', 'SCP-02', 'SCP-03', 'SCP-04']
    """
    return read_paytables(game.folder / "paytables.toml", game)


def paytables_of(game: Game, wager: Wager) -> tuple[PayTable, ...]:
    """Return the built-in pay tables that can pay ``wager`` (Lunar's three Super wagers share theirs)."""
    return tuple(table for table in built_in_paytables(game) if table.table in wager.tables)


def choose(game: Game, selections: Iterable[str] = ()) -> dict[str, PayTable]:
    """Return one pay table for each kind: the defaults, replaced by ``[BET=]ID`` or ``[BET=]FILE.toml``.

    >>> from pitboss.games import game_named
    >>> choose(game_named("six-card"), ["bad-beat=BB-03"])["bad-beat"].id
    'BB-03'

    Raises:
        PayTableError: a file is not in order (see ``read_paytables``).
        UnknownNameError: an unknown bet or id.
    """
    chosen = {table.table: table for table in built_in_paytables(game) if table.default}
    for selection in selections:
        for table in _selected(game, selection):
            chosen[table.table] = table
    return chosen


def _selected(game: Game, selection: str) -> Sequence[PayTable]:
    bet, equals, name = selection.rpartition("=")
    wagers = {wager.id: wager for wager in game.wagers}
    if equals and bet not in wagers:
        raise UnknownNameError("bet", bet, wagers)
    kinds = set(wagers[bet].tables) if equals else {kind for wager in game.wagers for kind in wager.tables}
    if name.endswith(".toml"):
        found = [table for table in read_paytables(Path(name), game) if table.table in kinds]
        if not found:
            message = f"{name} has no pay table for {bet}: its tables must name a bet of {game.id}"
            raise PayTableError(message)
        return found
    known = [table for table in built_in_paytables(game) if table.table in kinds]
    for table in known:
        if table.id == name:
            return [table]
    raise UnknownNameError("pay table", name, [table.id for table in known])


def leg_net(leg: Leg, chosen: Mapping[str, PayTable], stake_cents: int, award_cents: int = 0) -> Fraction:
    """Return what a circle nets, in cents, of a wager of which one unit is ``stake_cents``.

    A percentage of a meter is ``award_cents``, the award fixed by ``meter.py``; all else comes from the table's line.
    """
    staked = Fraction(leg.stake * stake_cents)
    if not leg.lines or leg.verdict is Verdict.PUSH:
        return leg.verdict * staked
    paid = [_paid(chosen[leg.table].lines[line], staked, award_cents) for line in leg.lines]
    return leg.verdict * (max(paid) if leg.best else sum(paid, Fraction(0)))


def _paid(pay: Pay, staked: Fraction, award_cents: int) -> Fraction:
    match pay.unit:
        case Unit.TO_ONE:
            return pay.amount * staked
        case Unit.FOR_ONE:
            return pay.amount * staked - staked
        case Unit.DOLLARS:
            return pay.amount * 100
        case Unit.PERCENT_OF_METER:
            return award_cents - staked


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
