"""What a host writes into the form for a table of their own, read into the table's terms."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from pydantic import ValidationError

from pitboss.builders import display_name
from pitboss.contract import Game, PayTable
from pitboss.core.errors import PitbossError, UnknownNameError, WagerError
from pitboss.core.money import format_dollars, parse_cents
from pitboss.core.strict_model import first_error
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, to_document
from pitboss.reports.pricing import edited, verify_written
from pitboss.reports.words import plain
from pitboss.table.domain.bots import usual_bot
from pitboss.table.domain.wagers import Span, limits_of, verify_limits
from pitboss.table.sitting import HOUSE, Sit, Sitting, Terms, verify
from pitboss.table.sitting.standing import Standing
from pitboss.web.floor import Floor, bot
from pitboss.web.house_rules import Kind, kinds_of, may_be_set

USUAL = {
    "name": "",
    "dollars": "1000",
    "seats": "6",
    "bots": "2",
    "wager_seconds": "0",
    "decide_seconds": "0",
    "fair": "",
    "preset": "",
}
"""What stands in the form before anything is chosen, beside what each game adds."""

_MOST_CENTS = 10**9


class FieldError(PitbossError):
    """A field of the form that cannot stand as it is; ``field`` is its name."""

    def __init__(self, field: str, line: str) -> None:
        """Say which and why."""
        super().__init__(line)
        self.field = field


class Asked(NamedTuple):
    """What a host asks for: the table's terms, who sits down, with what, and who beside."""

    terms: Terms
    sit: Sit
    bots: tuple[int, ...]
    strategy: str


def usual(game: Game) -> dict[str, str]:
    """Return every field of a game's form as it stands before anything is chosen."""
    fields = {**USUAL, "strategy": usual_bot(game)}
    for wager in filter(may_be_set, game.wagers):
        fields[f"least-{wager.id}"] = str(wager.limits.minimum_cents // 100)
        fields[f"most-{wager.id}"] = str(wager.limits.maximum_cents // 100)
    for kind in kinds_of(game):
        fields[f"paytable-{kind.id}"] = next(table.id for table in kind.tables if table.default)
        fields |= {f"pay-{kind.id}.{line}": "" for line in kind.tables[0].lines}
    return fields | {f"option-{option.name}": option.default for option in game.options}


def asked_for(game: Game, said: Mapping[str, str], holder: str) -> Asked:
    """Read a form into a table's terms, so that what it asks for can be opened as it stands.

    Raises:
        FieldError: a field cannot stand as it is.
    """
    known = usual(game)
    for field in said:
        if field not in known:
            raise FieldError(field, f"{field} is not known here: load this page again")
    if said.get("fair", "") not in ("", "on"):
        raise FieldError("fair", f"Provably fair shuffle: {said['fair']!r} is neither chosen nor left out")
    fields = {field: " ".join(text.split()) for field, text in {**known, **said}.items()}
    seats = _whole(fields, "seats", "Seats", 1, game.seats)
    with _at("preset"):
        limits_of(game, fields["preset"])
    limits = dict(_limits(game, fields))
    options = dict(_options(game, fields))
    with _at("least-main"):
        verify_limits(game, resolve_options(game, options), limits_of(game, fields["preset"], limits))
    terms = Terms(
        game=game.id,
        seats=seats,
        options=options,
        paytables=tuple(_chosen(game, fields)),
        own_paytables=tuple(_own(game, fields)),
        preset=fields["preset"],
        limits=limits,
        fair=fields["fair"] == "on",
        wager_seconds=_whole(fields, "wager_seconds", "Seconds to wager", 0, 3600),
        decide_seconds=_whole(fields, "decide_seconds", "Seconds to decide", 0, 3600),
    )
    return _with_people(terms, fields, holder)


def begun(floor: Floor, asked: Asked, holder: str) -> str:
    """Open the table that a host asks for, seat host and bots, and return its name."""
    table = floor.open(asked.terms, holder)
    floor.do(table, asked.sit, holder, f"{table}-sit")
    for seat in asked.bots:
        floor.seat_bot(table, seat, f"{table}-bot-{seat}", asked.strategy)
    return table


@contextmanager
def _at(field: str, name: str = "") -> Iterator[None]:
    """Say of whatever is refused which field it stands in, by its ``name`` where the line does not."""
    try:
        yield
    except PitbossError as error:
        raise FieldError(field, ": ".join(filter(None, (name, str(error))))) from None
    except ValidationError as error:
        raise FieldError(field, ": ".join(filter(None, (name, first_error(error))))) from None


def _whole(fields: Mapping[str, str], field: str, name: str, least: int, most: int) -> int:
    text = fields[field]
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise FieldError(field, f"{name}: {text!r} is not possible: write a whole number from {least} to {most}")
    return int(text)


def _limits(game: Game, fields: Mapping[str, str]) -> Iterator[tuple[str, Span]]:
    """Yield the limits that are not the usual ones, by bet."""
    for wager in filter(may_be_set, game.wagers):
        usual_span = wager.limits.minimum_cents, wager.limits.maximum_cents
        least, most = f"least-{wager.id}", f"most-{wager.id}"
        with _at(least, f"Least {wager.name}"):
            low = _cents(fields[least], usual_span[0])
        with _at(most, f"Most {wager.name}"):
            high = _cents(fields[most], usual_span[1])
        if (low, high) != usual_span:
            with _at(most if low == usual_span[0] else least):
                limits_of(game, fields["preset"], {wager.id: (low, high)})
            yield wager.id, (low, high)


def _cents(text: str, usual_cents: int) -> int:
    cents = parse_cents(text) if text else usual_cents
    if cents > _MOST_CENTS:
        raise WagerError(f"{format_dollars(cents)} is too much: {format_dollars(_MOST_CENTS)} at most")
    return cents


def _options(game: Game, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the options that are not the default."""
    for option in game.options:
        value = fields[f"option-{option.name}"]
        with _at(f"option-{option.name}"):
            resolve_options(game, {option.name: value})
        if value != option.default:
            yield option.name, value


def _table_of(kind: Kind, fields: Mapping[str, str]) -> PayTable:
    """Return the built-in pay table that is chosen of a kind: what is written is never taken for a file."""
    known = {table.id: table for table in kind.tables}
    name = fields[f"paytable-{kind.id}"]
    if name not in known:
        raise FieldError(f"paytable-{kind.id}", str(UnknownNameError("pay table", name, known)))
    return known[name]


def _chosen(game: Game, fields: Mapping[str, str]) -> Iterator[str]:
    """Yield the pay tables that are not the default, as ``BET=ID``."""
    for kind in kinds_of(game):
        table = _table_of(kind, fields)
        if not table.default:
            yield f"{kind.bet}={table.id}"


def _own(game: Game, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the pay tables some of whose pays are written over, as a file has them."""
    for kind in kinds_of(game):
        table = _table_of(kind, fields)
        pays = {line: text for line in table.lines if (text := fields[f"pay-{kind.id}.{line}"])}
        for line, text in pays.items():
            with _at(f"pay-{kind.id}.{line}", f"{kind.name}, {display_name(line)}"):
                verify_written(game, table, line, text)
        with _at(f"pay-{kind.id}.{next(iter(pays), '')}", kind.name):
            own = edited(game, table, pays, f"{table.id}-own")
        if any(own.lines[line].amount != pay.amount for line, pay in table.lines.items()):
            yield to_document(own)


def _with_people(terms: Terms, fields: Mapping[str, str], holder: str) -> Asked:
    """Seat the host in the middle and bots beside, each as the table itself would let them sit down."""
    table = Sitting(Standing(table="new", terms=terms))  # as it would be opened
    chair, strategy = (terms.seats + 1) // 2, fields["strategy"]
    with _at("least-main", "Nobody could play"):  # whether anybody can play at such a table
        verify(table, bot(table, chair), HOUSE, 0)
    with _at("strategy"):
        verify(table, bot(table, chair, strategy), HOUSE, 0)
    bots = _whole(fields, "bots", "Bots", 0, 5)
    if bots >= terms.seats:
        line = f"{bots} bots and you are {bots + 1} for {terms.seats} seats: take fewer bots, or more seats"
        raise FieldError("bots", line)
    with _at("name"):
        sit = Sit(seat=chair, cents=1, name=fields["name"] or "Guest")
        verify(table, sit, holder, 0)
    with _at("dollars", "Your chips"):
        sit = sit.model_copy(update={"cents": _cents(fields["dollars"], 0)})
        verify(table, sit, holder, 0)
    beside = sorted(set(range(1, terms.seats + 1)) - {chair}, key=lambda seat: abs(seat - chair))
    return Asked(terms, sit, tuple(beside[:bots]), strategy)


def from_sheet(game: Game, bet: str, query: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that say of a bet's pay table what a PAR sheet's form says."""
    wager = next((each for each in (*game.wagers, *game.main_parts) if each.id == bet and each.paytable_kinds), None)
    if wager is None:
        return {}
    tables = {table.id: table for table in load_builtin_paytables(game) if table.kind == wager.paytable_kinds[0]}
    usual_table = next(table for table in tables.values() if table.default)
    table = tables.get(query.get("paytable", ""), usual_table)
    written = {line: query.get(f"pay-{line}", "").strip() for line in table.lines}
    pays = {
        f"pay-{table.kind}.{line}": text for line, text in written.items() if text != plain(table.lines[line].amount)
    }
    return {f"paytable-{table.kind}": table.id, **pays}
