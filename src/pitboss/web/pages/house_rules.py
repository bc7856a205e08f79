"""A table's house rules in words.

They are the options, pay tables and limits, and the actions taken on timeouts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.builders import capitalize_first, display_name, display_value
from pitboss.contract import Decision, Game, Option, PayTable, Wager
from pitboss.core.money import format_dollars
from pitboss.options import get_wager_status, resolve_options
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.formatting import format_limits, format_pay, format_ratio, iter_paytable_notes
from pitboss.table.round.wagers import WASHINGTON, compute_limits, get_circle_name
from pitboss.table.session import Phase, TableSession, TableTerms
from pitboss.table.session.terms import get_table_paytables, load_table_game
from pitboss.table.session.timeouts import SEED, WAGER

PRESET_NAMES = {"": "none", WASHINGTON: "Washington (WA-1)"}
"""The names of the jurisdictions whose limits a table may take, and of none."""

_MAX_DIFFERENCES = 3


def format_span(minimum_cents: int, maximum_cents: int) -> str:
    """Format the limits of a wager.

    >>> format_span(500, 40_000), format_span(100, 100)
    ('$5 to $400', 'exactly $1')
    """
    least, most = format_dollars(minimum_cents), format_dollars(maximum_cents)
    return f"exactly {least}" if least == most else f"{least} to {most}"


def describe_decision_timeout(decision: Decision) -> str:
    """Describe the action taken for a seat that does not decide in time.

    The rule is in RULINGS, "If a decision times out".

    >>> from pitboss.games import load_game
    >>> describe_decision_timeout(load_game("wild-six-card").decisions[0])
    'discard the lowest card that is not a Joker'
    """
    discards = next(action.discards for action in decision.actions if action.id == decision.timeout_action)
    return display_name(decision.timeout_action) + (" the lowest card that is not a Joker" if discards else "")


def describe_session_timeout(session: TableSession) -> str:
    """Describe what happens at a table when the time of the current phase runs out."""
    match session.phase:
        case Phase.WAGERS:
            return "the cards are dealt to the seats that have wagered"
        case Phase.SEEDS:
            return "the round is void, and all wagers are returned"
        case Phase.DECISIONS if session.round is not None and session.round.turn is not None:
            return describe_decision_timeout(session.round.game.decisions[session.round.turn[1]])
        case _:
            return ""


_OWN_TIMEOUT_WORDS = {
    "check": "you checked",
    "discard": "your lowest card that is not a Joker was discarded",
    "fold": "your hand was folded",
    "take-ante": "you took the Ante",
    WAGER: "the cards were dealt without you",
    SEED: "your seed was not shown, and the round is void",
}
_OTHER_TIMEOUT_WORDS = {WAGER: "no hand", SEED: "seed not shown"}


def describe_timeouts(timeouts: Sequence[Mapping[str, str]], *, own: bool) -> str:
    """Describe what was done for a seat whose time ran out in this round.

    Return "" if there were no timeouts.

    >>> describe_timeouts([{"what": "decision", "action": "check"}, {"what": "decision", "action": "fold"}], own=True)
    'Time ran out: you checked, then your hand was folded.'
    >>> describe_timeouts([{"what": "wager", "action": ""}], own=False)
    'Time ran out: no hand.'
    """
    actions = (each["action"] or each["what"] for each in timeouts)
    words = _OWN_TIMEOUT_WORDS if own else _OTHER_TIMEOUT_WORDS
    texts = [
        words.get(each, f"{display_name(each)} was chosen for you" if own else display_name(each)) for each in actions
    ]
    return f"Time ran out: {', then '.join(texts)}." if texts else ""


class PayTableKind(NamedTuple):
    """A kind of pay table, with its built-in tables.

    It has the kind's name on the layout, and the built-in tables with their lines.
    """

    id: str
    name: str
    tables: tuple[PayTable, ...]

    @property
    def bet(self) -> str:
        """The bet that it belongs to."""
        return self.tables[0].bet

    @property
    def lines(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Each line with its name and its pay in each table."""
        return tuple(
            (line, capitalize_first(display_name(line)), tuple(format_pay(table.lines[line]) for table in self.tables))
            for line in self.tables[0].lines
        )

    def describe(self, table: PayTable) -> str:
        """Describe a table by its id and the first pays that set it apart.

        These pays differ from those of other tables of its kind.
        """
        differing = [line for line, _, pays in self.lines if len(set(pays)) > 1]
        pays_text = ", ".join(
            f"{display_name(line)} {format_ratio(table.lines[line].amount)}" for line in differing[:_MAX_DIFFERENCES]
        )
        return ": ".join(filter(None, (table.id, pays_text)))


def list_paytable_kinds(game: Game) -> tuple[PayTableKind, ...]:
    """Return the kinds of pay table of a game.

    >>> from pitboss.games import load_game
    >>> bad_beat = list_paytable_kinds(load_game("shifting-wilds"))[2]
    >>> bad_beat.name, bad_beat.describe(bad_beat.tables[1])
    ('Bad Beat', 'BB-2: three of a kind 15')
    """
    tables = load_builtin_paytables(game)
    return tuple(
        PayTableKind(kind, get_circle_name(kind, game), tuple(table for table in tables if table.kind == kind))
        for kind in dict.fromkeys(table.kind for table in tables)
    )


class RuleChange(NamedTuple):
    """One difference of a table's rules from the defaults."""

    rule: str
    current: str
    usual: str
    ruling: str = ""


class PrintedLimit(NamedTuple):
    """The limits of a wager, and whether it must be placed."""

    name: str
    status: str
    span: str


class PrintedPayTable(NamedTuple):
    """A pay table as a table's page shows it.

    ``is_own`` marks one that is not built in.  Each line has its id, its name and its pay; envy has lines of its own.
    """

    kind: str
    name: str
    id: str
    is_own: bool
    lines: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class HouseRules:
    """The terms of a table in words, computed on demand."""

    terms: TableTerms

    @property
    def game(self) -> Game:
        """The table's game."""
        return load_table_game(self.terms)

    @property
    def changes(self) -> tuple[RuleChange, ...]:
        """The differences from the game's rule sheet."""
        return tuple(self._list_changes())

    def _list_changes(self) -> Iterator[RuleChange]:
        values = resolve_options(self.game, self.terms.options)
        for option in self.game.options:
            if values[option.name] != option.default:
                value_names = display_value(values[option.name]), display_value(option.default)
                yield RuleChange(capitalize_first(option.meaning), *value_names, option.ruling)
        tables = get_table_paytables(self.terms)
        for kind in list_paytable_kinds(self.game):
            default = next(table for table in kind.tables if table.default)
            table = tables[kind.id]
            if table != default and table.id != f"{default.id}-own":  # only the house's own pays are listed then
                yield RuleChange(f"Pay table of {kind.name}", table.id, default.id)
            for line, pay in table.lines.items():
                if pay.amount != default.lines[line].amount:
                    yield RuleChange(
                        f"{kind.name}, {display_name(line)}", format_pay(pay), format_pay(default.lines[line])
                    )
        for wager in self.game.wagers:
            if wager.id in self.terms.limits:
                low, high = self.terms.limits[wager.id]
                yield RuleChange(f"Limits of {wager.name}", format_span(low, high), format_limits(wager.limits))
        if self.terms.preset:
            yield RuleChange("Limits of a jurisdiction", PRESET_NAMES[self.terms.preset], PRESET_NAMES[""])

    @property
    def limits(self) -> tuple[PrintedLimit, ...]:
        """The limits in force, for every wager that the table offers."""
        limits = compute_limits(self.game, self.terms.preset, self.terms.limits)
        options = resolve_options(self.game, self.terms.options)
        return tuple(
            PrintedLimit(
                wager.name, status, format_span(limits[wager.id].minimum_cents, limits[wager.id].maximum_cents)
            )
            for wager in self.game.wagers
            if (status := get_wager_status(self.game, wager, options)) != "off"
        )

    @property
    def paytables(self) -> tuple[PrintedPayTable, ...]:
        """The pay tables in force."""
        tables = get_table_paytables(self.terms)
        return tuple(
            PrintedPayTable(
                kind.id,
                kind.name,
                tables[kind.id].id,
                tables[kind.id] not in kind.tables,
                tuple(_list_lines(tables[kind.id])),
                tuple(iter_paytable_notes(tables[kind.id])),
            )
            for kind in list_paytable_kinds(self.game)
        )

    @property
    def timeouts(self) -> tuple[tuple[str, str], ...]:
        """Each question with the action taken for a seat that does not answer in time."""
        return tuple(
            (decision.question, capitalize_first(describe_decision_timeout(decision)))
            for decision in self.game.decisions
        )


def _list_lines(table: PayTable) -> Iterator[tuple[str, str, str]]:
    """Yield each line of a pay table with its pay, then each envy."""
    for line, pay in table.lines.items():
        yield line, capitalize_first(display_name(line)), format_pay(pay)
    for line, dollars in table.envy.items():
        yield f"envy-{line}", f"Envy for a {display_name(line)}", f"${dollars:,}"


def list_option_values(option: Option) -> Sequence[tuple[str, str]]:
    """Return an option's values with their words; the default is marked.

    >>> from pitboss.games import load_game
    >>> list_option_values(load_game("lunar").options[4])
    [('highest', 'highest (default)'), ('lowest', 'lowest')]
    """
    marks = {option.default: " (default)"}
    return [(value, display_value(value) + marks.get(value, "")) for value in option.values]


def can_set_limits(wager: Wager) -> bool:
    """Return whether a table may set its own limits for a wager.

    A fixed amount stays as it is (ALL-4).
    """
    return wager.limits.minimum_cents != wager.limits.maximum_cents
