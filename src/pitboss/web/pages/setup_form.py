"""The form of a host's own table.

The module makes its default fields and parses its fields into the table's terms.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pydantic import ValidationError

from pitboss.builders import display_name
from pitboss.contract import Game, PayTable
from pitboss.core.errors import PayTableError, PitbossError, UnknownNameError, WagerError, quote
from pitboss.core.money import format_dollars, parse_cents
from pitboss.core.numbers import parse_integer
from pitboss.core.strict_model import first_error
from pitboss.options import resolve_options
from pitboss.paytable_toml import format_pay_input
from pitboss.paytables import load_builtin_paytables, to_document
from pitboss.reports.paytable_editing import edit_paytable, verify_pay_text
from pitboss.table.round.bots import get_default_bot
from pitboss.table.round.wagers import CentsRange, compute_limits, verify_limits
from pitboss.table.session import HOUSE, TableSession, TableTerms, TakeSeat, verify_command
from pitboss.table.session.available_wagers import compute_minimum_cents
from pitboss.table.session.snapshot import TableSnapshot
from pitboss.web.pages.house_rules import PayTableKind, can_set_limits, list_paytable_kinds
from pitboss.web.registry import TableRegistry, make_bot_command

DEFAULT_FIELDS = {
    "name": "",
    "dollars": "1000",
    "seats": "6",
    "bots": "2",
    "wager_seconds": "0",
    "decide_seconds": "0",
    "fair": "",
}
"""The default fields of the form, without those of the house rules."""

_MAX_CENTS = 10**9


class FieldError(PitbossError):
    """An invalid field of the form.

    ``field`` is its name, and ``others`` are fields that are wrong together with it.
    """

    def __init__(
        self, field: str, line: str, others: Sequence[str] = (), /, *, code: str = "", **fields: object
    ) -> None:
        """Take the field's name, the message, the code and the other fields."""
        super().__init__(line, code=code, **{**fields, "field": field})
        self.field, self.others = field, tuple(others)


class TableSetup(NamedTuple):
    """A host's table setup.

    It has the table's terms, the host's seat and chips, and the bots' seats and strategy.
    """

    terms: TableTerms
    sit: TakeSeat
    bots: tuple[int, ...]
    strategy: str


def make_default_fields(game: Game) -> dict[str, str]:
    """Return the default of every field of a game's form."""
    return {**DEFAULT_FIELDS, "strategy": get_default_bot(game), **make_house_fields(game)}


def make_house_fields(game: Game) -> dict[str, str]:
    """Return the default of every field of a game's house rules.

    They are limits, pay tables and options.
    """
    fields = {"preset": ""}
    for wager in filter(can_set_limits, game.wagers):
        fields[f"least-{wager.id}"] = str(wager.limits.minimum_cents // 100)
        fields[f"most-{wager.id}"] = str(wager.limits.maximum_cents // 100)
    for kind in list_paytable_kinds(game):
        fields[f"paytable-{kind.id}"] = next(table.id for table in kind.tables if table.default)
        fields |= {f"pay-{kind.id}.{line}": "" for line in kind.tables[0].lines}
    return fields | {f"option-{option.name}": option.default for option in game.options}


def parse_setup_form(game: Game, sent: Mapping[str, str], holder: str) -> TableSetup:
    """Parse a form into a table setup that is valid and can be opened.

    Raises:
        FieldError: a field is not valid.
    """
    fields = complete_fields(make_default_fields(game), sent)
    terms = parse_house_terms(game, fields).model_copy(
        update={
            "fair": parse_checkbox(fields, "fair", "Provably fair shuffle"),
            "wager_seconds": parse_whole(fields, "wager_seconds", "Seconds to wager", 0, 3600),
            "decide_seconds": parse_whole(fields, "decide_seconds", "Seconds to decide", 0, 3600),
        }
    )
    return _seat_people(terms, fields, holder)


def complete_fields(defaults: Mapping[str, str], sent: Mapping[str, str]) -> dict[str, str]:
    """Return every field of a form, the default where none was sent.

    Raises:
        FieldError: there is no such field.
    """
    for field in sent:
        if field not in defaults:
            raise FieldError(
                field, f"{quote(field)} is not a field of this form: reload the page", code="unknown-field"
            )
    return {field: " ".join(text.split()) for field, text in {**defaults, **sent}.items()}


def parse_checkbox(fields: Mapping[str, str], field: str, name: str) -> bool:
    """Parse a checkbox (raises FieldError)."""
    if fields[field] not in ("", "on"):
        line = f"{name}: {quote(fields[field])} is not valid: send 'on' or nothing"
        raise FieldError(field, line, code="invalid-field")
    return fields[field] == "on"


def parse_house_terms(game: Game, fields: Mapping[str, str]) -> TableTerms:
    """Parse seats and house rules into a table's terms, without time limits.

    Raises:
        FieldError: a field is not valid.
    """
    seats = parse_whole(fields, "seats", "Seats", 1, game.seats)
    with field_errors("preset"):
        compute_limits(game, fields["preset"])
    limits = dict(_parse_limits(game, fields))
    options = dict(_parse_options(game, fields))
    with field_errors("least-main"):
        verify_limits(game, resolve_options(game, options), compute_limits(game, fields["preset"], limits))
    return TableTerms(
        game=game.id,
        seats=seats,
        options=options,
        paytables=tuple(_parse_paytables(game, fields)),
        own_paytables=tuple(_parse_own_paytables(game, fields)),
        preset=fields["preset"],
        limits=limits,
        wager_seconds=0,
        decide_seconds=0,
    )


def open_setup_table(registry: TableRegistry, setup: TableSetup, holder: str) -> str:
    """Open the table of a setup and return its name.

    The host and the bots are seated.
    """
    table = registry.open_table(setup.terms, holder)
    registry.execute(table, setup.sit, holder, f"{table}-sit")
    for seat in setup.bots:
        registry.seat_bot(table, seat, f"{table}-bot-{seat}", setup.strategy)
    return table


@contextmanager
def field_errors(field: str, name: str = "") -> Iterator[None]:
    """Turn errors into a ``FieldError`` for ``field``.

    ``name`` is put before the message; give it if the message does not contain it.
    """
    try:
        yield
    except PitbossError as error:
        line = ": ".join(filter(None, (name, str(error))))
        raise FieldError(field, line, code=error.code, **error.fields) from None
    except ValidationError as error:
        raise FieldError(field, ": ".join(filter(None, (name, first_error(error)))), code="invalid-field") from None


def parse_whole(fields: Mapping[str, str], field: str, name: str, minimum: int, maximum: int) -> int:
    """Parse a whole number from ``minimum`` to ``maximum`` (raises FieldError)."""
    with field_errors(field):
        return parse_integer(fields[field], minimum, maximum, name)


def _parse_limits(game: Game, fields: Mapping[str, str]) -> Iterator[tuple[str, CentsRange]]:
    """Yield the limits that differ from the defaults, by bet."""
    for wager in filter(can_set_limits, game.wagers):
        default_span = wager.limits.minimum_cents, wager.limits.maximum_cents
        low_field, high_field = f"least-{wager.id}", f"most-{wager.id}"
        with field_errors(low_field, f"Minimum {wager.name}"):
            low = _parse_cents(fields[low_field], default_span[0])
        with field_errors(high_field, f"Maximum {wager.name}"):
            high = _parse_cents(fields[high_field], default_span[1])
        if (low, high) != default_span:
            with field_errors(high_field if low == default_span[0] else low_field):
                compute_limits(game, fields["preset"], {wager.id: (low, high)})
            yield wager.id, (low, high)


def _parse_cents(text: str, default_cents: int) -> int:
    cents = parse_cents(text) if text else default_cents
    if cents > _MAX_CENTS:
        raise WagerError(
            f"{format_dollars(cents)} is too much: write at most {format_dollars(_MAX_CENTS)}",
            code="amount-too-large",
            cents=cents,
            most=_MAX_CENTS,
        )
    return cents


def _parse_options(game: Game, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the options that differ from the default."""
    for option in game.options:
        value = fields[f"option-{option.name}"]
        with field_errors(f"option-{option.name}"):
            resolve_options(game, {option.name: value})
        if value != option.default:
            yield option.name, value


def _find_paytable(kind: PayTableKind, fields: Mapping[str, str]) -> PayTable:
    """Return the chosen built-in pay table of a kind.

    The text is never read as a file name.
    """
    tables = {table.id: table for table in kind.tables}
    name = fields[f"paytable-{kind.id}"]
    if name not in tables:
        unknown = UnknownNameError("pay table", name, tables)
        raise FieldError(f"paytable-{kind.id}", str(unknown), code=unknown.code, **unknown.fields)
    return tables[name]


def _parse_paytables(game: Game, fields: Mapping[str, str]) -> Iterator[str]:
    """Yield the pay tables that differ from the default, as ``BET=ID``."""
    for kind in list_paytable_kinds(game):
        table = _find_paytable(kind, fields)
        if not table.default:
            yield f"{kind.bet}={table.id}"


def _parse_own_paytables(game: Game, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the pay tables with edited pays, in the form of a pay table file."""
    for kind in list_paytable_kinds(game):
        table = _find_paytable(kind, fields)
        pays = {line: text for line in table.lines if (text := fields[f"pay-{kind.id}.{line}"])}
        for line, text in pays.items():
            with field_errors(f"pay-{kind.id}.{line}", f"{kind.name}, {display_name(line)}"):
                verify_pay_text(game, table, line, text)
        try:
            own = edit_paytable(game, table, pays, f"{table.id}-own")
        except PayTableError as error:
            raise _locate_pay_error(kind, pays, error) from None
        if any(own.lines[line].amount != pay.amount for line, pay in table.lines.items()):
            yield to_document(own)


def _locate_pay_error(kind: PayTableKind, pays: Mapping[str, str], error: PayTableError) -> FieldError:
    """Return the error of edited pays at the lines that it names.

    The changed lines come first.
    """
    named = [str(error.fields[key]) for key in ("line", "other") if key in error.fields] or list(pays)[:1]
    first, *others = (f"pay-{kind.id}.{line}" for line in sorted(named, key=lambda line: line not in pays))
    return FieldError(first, f"{kind.name}: {error}", others, code=error.code, **error.fields)


def _seat_people(terms: TableTerms, fields: Mapping[str, str], holder: str) -> TableSetup:
    """Choose seats for the host and the bots.

    The host sits in the middle.  The table itself verifies each seat.
    """
    table = TableSession(TableSnapshot(table="new", terms=terms))  # as a new table begins
    chair, strategy = (terms.seats + 1) // 2, fields["strategy"]
    with field_errors("least-main", "Nobody could play"):  # whether these limits allow anybody to play
        verify_command(table, make_bot_command(table, chair), HOUSE, 0)
    with field_errors("strategy"):
        verify_command(table, make_bot_command(table, chair, strategy), HOUSE, 0)
    bots = parse_whole(fields, "bots", "Bots", 0, 5)
    if bots >= terms.seats:
        line = f"{bots} bots and you are {bots + 1} for {terms.seats} seats: take fewer bots, or more seats"
        raise FieldError("bots", line, code="too-many-bots", bots=bots, seats=terms.seats)
    with field_errors("name"):
        sit = TakeSeat(seat=chair, cents=1, name=fields["name"] or "Guest")
        verify_command(table, sit, holder, 0)
    with field_errors("dollars", "Your chips"):
        sit = sit.model_copy(update={"cents": _parse_cents(fields["dollars"], 0)})
        verify_command(table, sit, holder, 0)
    least_cents = compute_minimum_cents(table)
    if sit.cents < least_cents:
        least = format_dollars(least_cents)
        line = f"Your chips: {format_dollars(sit.cents)} do not cover the smallest wagers, {least} in all"
        raise FieldError("dollars", line, code="below-minimum", cents=sit.cents, least_cents=least_cents)
    nearest = sorted(set(range(1, terms.seats + 1)) - {chair}, key=lambda seat: abs(seat - chair))
    return TableSetup(terms, sit, tuple(nearest[:bots]), strategy)


def convert_sheet_query(game: Game, bet: str, query: Mapping[str, str]) -> dict[str, str]:
    """Convert the query of a PAR sheet into the pay table fields of the setup form."""
    wager = next((each for each in (*game.wagers, *game.main_parts) if each.id == bet and each.paytable_kinds), None)
    if wager is None:
        return {}
    tables = {table.id: table for table in load_builtin_paytables(game) if table.kind == wager.paytable_kinds[0]}
    default_table = next(table for table in tables.values() if table.default)
    table = tables.get(query.get("paytable", ""), default_table)
    texts = {line: query.get(f"pay-{line}", "").strip() for line in table.lines}
    pays = {
        f"pay-{table.kind}.{line}": text
        for line, text in texts.items()
        if text != format_pay_input(table.lines[line].amount)
    }
    return {f"paytable-{table.kind}": table.id, **pays}
