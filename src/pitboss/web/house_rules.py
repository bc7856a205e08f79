"""A table's house rules in words: options, pay tables, limits, and what becomes of who does not answer in time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.builders import display_name, display_value
from pitboss.contract import Decision, Game, Option, PayTable, Wager
from pitboss.core.money import format_dollars
from pitboss.options import get_wager_status, resolve_options
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.words import limits, notes, number, pay_words
from pitboss.table.domain.wagers import WASHINGTON, circle_name, limits_of
from pitboss.table.sitting import Phase, Sitting, Terms
from pitboss.table.sitting.late import SEED, WAGER
from pitboss.table.sitting.terms import game_of, paytables_of
from pitboss.web.templating import titled

PRESET_NAMES = {"": "none", WASHINGTON: "Washington (WA-1)"}
"""The jurisdictions whose limits a table may take, and none."""

_MOST_TOLD = 3


def span(least_cents: int, most_cents: int) -> str:
    """Write between which amounts a wager lies.

    >>> span(500, 40_000), span(100, 100)
    ('$5 to $400', 'exactly $1')
    """
    return (
        f"exactly {format_dollars(least_cents)}"
        if least_cents == most_cents
        else f"{format_dollars(least_cents)} to {format_dollars(most_cents)}"
    )


def if_late(decision: Decision) -> str:
    """Say what a seat does that does not answer a question in time (RULINGS, "If a decision times out").

    >>> from pitboss.games import load_game
    >>> if_late(game_named("wild-six-card").decisions[0])
    'discard the lowest card that is no Joker'
    """
    gives = next(action.discards for action in decision.actions if action.id == decision.timeout_action)
    return display_name(decision.timeout_action) + (" the lowest card that is no Joker" if gives else "")


def late_words(now: Sitting) -> str:
    """Say what becomes of whoever a table waits for, when the time is up."""
    match now.phase:
        case Phase.WAGERS:
            return "the cards are dealt without who has not wagered"
        case Phase.SEEDS:
            return "the round is void, and all wagers go back"
        case Phase.DECISIONS if now.round is not None and now.round.turn is not None:
            return if_late(now.round.game.decisions[now.round.turn[1]])
        case _:
            return ""


_DONE_FOR_YOU = {
    "check": "you checked",
    "discard": "your lowest card that is no Joker was discarded",
    "fold": "your hand was folded",
    "take-ante": "you took the Ante",
    WAGER: "the cards were dealt without you",
    SEED: "your seed was not shown, and the round is void",
}
_DONE_FOR_OTHERS = {WAGER: "no hand", SEED: "seed not shown"}


def ran_out(late: Sequence[Mapping[str, str]], *, mine: bool) -> str:
    """Say what was done for a seat whose time ran out in this round, as ``view`` has it; "" where none did.

    >>> ran_out([{"what": "decision", "action": "check"}, {"what": "decision", "action": "fold"}], mine=True)
    'Time ran out: you checked, then your hand was folded.'
    >>> ran_out([{"what": "wager", "action": ""}], mine=False)
    'Time ran out: no hand.'
    """
    done = (each["action"] or each["what"] for each in late)
    words = _DONE_FOR_YOU if mine else _DONE_FOR_OTHERS
    said = [
        words.get(each, f"{display_name(each)} was chosen for you" if mine else display_name(each)) for each in done
    ]
    return f"Time ran out: {', then '.join(said)}." if said else ""


class Kind(NamedTuple):
    """A kind of pay table: its name on the layout, the built-in tables of it, and their lines."""

    id: str
    name: str
    tables: tuple[PayTable, ...]

    @property
    def bet(self) -> str:
        """The bet that it belongs to."""
        return self.tables[0].bet

    @property
    def lines(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Each line with its name, and with what each table pays for it."""
        return tuple(
            (line, titled(display_name(line)), tuple(pay_words(table.lines[line]) for table in self.tables))
            for line in self.tables[0].lines
        )

    def told(self, table: PayTable) -> str:
        """Name a table by its id and the first of what sets it apart from others of its kind."""
        apart = [line for line, _, pays in self.lines if len(set(pays)) > 1]
        more = ", ".join(f"{display_name(line)} {number(table.lines[line].amount)}" for line in apart[:_MOST_TOLD])
        return ": ".join(filter(None, (table.id, more)))


def kinds_of(game: Game) -> tuple[Kind, ...]:
    """Return the kinds of pay table of a game.

    >>> from pitboss.games import load_game
    >>> bad_beat = kinds_of(game_named("shifting-wilds"))[2]
    >>> bad_beat.name, bad_beat.told(bad_beat.tables[1])
    ('Bad Beat', 'BB-2: three of a kind 15')
    """
    known = load_builtin_paytables(game)
    return tuple(
        Kind(kind, circle_name(kind, game), tuple(table for table in known if table.kind == kind))
        for kind in dict.fromkeys(table.kind for table in known)
    )


class Changed(NamedTuple):
    """What is otherwise at a table than usual."""

    what: str
    now: str
    usual: str
    ruling: str = ""


class Limit(NamedTuple):
    """Between which amounts a wager lies, and whether it must be placed."""

    name: str
    status: str
    span: str


class Pays(NamedTuple):
    """A pay table as a table shows it; ``own`` is none of the game's."""

    name: str
    id: str
    own: bool
    lines: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class HouseRules:
    """The terms of a table, told; nothing is worked out before a page asks for it."""

    terms: Terms

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self.terms)

    @property
    def changed(self) -> tuple[Changed, ...]:
        """What differs from the game as its sheet has it."""
        return tuple(self._changed())

    def _changed(self) -> Iterator[Changed]:
        values = resolve_options(self.game, self.terms.options)
        for option in self.game.options:
            if values[option.name] != option.default:
                words = display_value(values[option.name]), display_value(option.default)
                yield Changed(titled(option.meaning), *words, option.ruling)
        chosen = paytables_of(self.terms)
        for kind in kinds_of(self.game):
            usual = next(table for table in kind.tables if table.default)
            table = chosen[kind.id]
            if table != usual:
                yield Changed(f"Pay table of {kind.name}", table.id, usual.id)
            if table not in kind.tables:
                for line, pay in table.lines.items():
                    if pay.amount != usual.lines[line].amount:
                        yield Changed(
                            f"{kind.name}, {display_name(line)}", pay_words(pay), pay_words(usual.lines[line])
                        )
        for wager in self.game.wagers:
            if wager.id in self.terms.limits:
                low, high = self.terms.limits[wager.id]
                yield Changed(f"Limits of {wager.name}", span(low, high), limits(wager))
        if self.terms.preset:
            yield Changed("Limits of a jurisdiction", PRESET_NAMES[self.terms.preset], PRESET_NAMES[""])

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits in force of every wager that is offered."""
        found = limits_of(self.game, self.terms.preset, self.terms.limits)
        options = resolve_options(self.game, self.terms.options)
        return tuple(
            Limit(wager.name, status, span(found[wager.id].minimum_cents, found[wager.id].maximum_cents))
            for wager in self.game.wagers
            if (status := get_wager_status(self.game, wager, options)) != "off"
        )

    @property
    def paytables(self) -> tuple[Pays, ...]:
        """The pay tables in force."""
        chosen = paytables_of(self.terms)
        return tuple(
            Pays(
                kind.name,
                chosen[kind.id].id,
                chosen[kind.id] not in kind.tables,
                tuple((titled(display_name(line)), pay_words(pay)) for line, pay in chosen[kind.id].lines.items()),
                tuple(notes(chosen[kind.id])),
            )
            for kind in kinds_of(self.game)
        )

    @property
    def late(self) -> tuple[tuple[str, str], ...]:
        """Each question with what a seat does that does not answer it in time."""
        return tuple((decision.question, titled(if_late(decision))) for decision in self.game.decisions)


def values_of(option: Option) -> Sequence[tuple[str, str]]:
    """Return an option's values, each with its words; the default is marked.

    >>> from pitboss.games import load_game
    >>> values_of(game_named("lunar").options[4])
    [('highest', 'highest (usual)'), ('lowest', 'lowest')]
    """
    return [(value, display_value(value) + (" (usual)" if value == option.default else "")) for value in option.values]


def may_be_set(wager: Wager) -> bool:
    """Return whether a table may have limits of its own for a wager: not where it is one amount exactly (ALL-4)."""
    return wager.limits.minimum_cents != wager.limits.maximum_cents
