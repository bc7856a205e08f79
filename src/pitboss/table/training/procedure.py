"""The clauses of a game's dealing procedure, which training cites.

They are in ``procedure.toml`` of the game's folder.  A settlement is cited by what it was: the wager, its outcome, the
circle, and whether the seat had folded.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from pydantic import Field

from pitboss.builders import display_value
from pitboss.contract import Game, LegResult
from pitboss.core.strict_model import StrictModel
from pitboss.jackpot.round_handlers import STEP_LABELS
from pitboss.table.optional_toml import load_optional_toml
from pitboss.table.round import CardsShown, LegSettlement, Round, WagerSettled
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_outcome, get_wager

_RESULTS = {LegResult.WIN: "win", LegResult.PUSH: "push", LegResult.LOSE: "lose"}


class SettledClause(StrictModel):
    """The clause of the settlements that match everything it names.

    ``outcome`` is a pattern of outcome names, as ``*-not-qualified``.  With ``after_fold`` it is of seats that have
    folded, with ``pairs_lines`` of circles paid on two lines.  ``option`` names what the settlement follows,
    one option or several.
    """

    bet: str
    clause: str
    outcome: str = "*"
    circles: list[str] = Field(default_factory=list)
    result: Literal["", "win", "push", "lose"] = ""
    after_fold: bool = False
    pairs_lines: bool = False
    option: str | list[str] = ""


class ShownClause(StrictModel):
    """The clause of turning up the cards of a zone, "player" for a seat's hand.

    With ``rest`` it is of what still lies face down there, with ``after_fold`` of a seat that has folded.  ``option``
    names the options that change it, one or several.
    """

    zone: str
    clause: str
    rest: bool = False
    after_fold: bool = False
    option: str | list[str] = ""


class KeyClauses(StrictModel):
    """The clauses of a progressive system's keys.

    They are of opening a round, a hand's button, the supervisor's keys, the key back to RUN, and closing the round.
    """

    open: str = ""
    hand: str = ""
    confirm: str = ""
    run: str = ""
    close: str = ""


class DealingProcedure(StrictModel):
    """The clauses of a game's dealing procedure, by kind of step.

    The clauses of payments are by settlement, then by wager; each of ``also`` is added where it matches.  A clause that
    the file leaves out is empty, and so are all of them for a game without a file.

    ``show`` is the clause of what is turned up and ``shown`` does not name; a seat's hand is turned up to be settled.

    ``asks`` says when a question is asked, by decision: it follows "that one is".

    ``settle_fold`` is the clause of a seat that is settled when it folds, ``muck`` of a folded hand, ``collect`` of
    collecting the cards once the round is over, ``qualify`` of the dealer's hand.  With ``draws_together`` all seats
    choose before any is served.  ``keys`` are the clauses of each progressive system, ``envy_hand`` that of a hand
    that pays envy, ``unshown`` that of a winning first hand that nobody turned up; it loses the wager ``forfeit``.
    ``options`` are the options that change the clause of a kind of step, and ``pay_options`` that of a wager's pays.
    """

    deal: str = ""
    show: str = ""
    shown: list[ShownClause] = Field(default_factory=list)
    ask: str = ""
    asks: dict[str, str] = Field(default_factory=dict)
    settle: str = ""
    settle_fold: str = ""
    muck: str = "house procedure: a folded hand is collected face down once no wager is on it"
    pay: str = ""
    collect: str = "each round is dealt from a freshly shuffled deck (ALL-5)"
    qualify: str = ""
    pays: dict[str, str] = Field(default_factory=dict)
    settled: list[SettledClause] = Field(default_factory=list)
    also: list[SettledClause] = Field(default_factory=list)
    draw: str = ""
    draws_together: bool = False
    envy: str = ""
    envy_hand: str = ""
    keys: dict[str, KeyClauses] = Field(default_factory=dict)
    unshown: str = ""
    forfeit: str = ""
    options: dict[str, list[str]] = Field(default_factory=dict)
    pay_options: dict[str, list[str]] = Field(default_factory=dict)


class ConsoleStep(NamedTuple):
    """A step at a progressive's console in words, and its clause."""

    words: str
    clause: str


def list_console_steps(played: Round, key_system: str) -> list[ConsoleStep]:
    """List the steps at a progressive's console in order.

    There are none in a round without progressive wagers.
    """
    procedure = load_house_procedure(played)
    keys = procedure.keys.get(key_system)
    if keys is None or not played.has_meter_wager:
        return []
    labels = STEP_LABELS[key_system]
    hand = "Press the button of the winning hand" if key_system == "keypad" else "Select the seat, and press its hand"
    steps = (
        ConsoleStep(
            f"Press {labels['open']}: it counts the progressive wagers into the meter. Then take them off the sensors.",
            keys.open,
        ),
        ConsoleStep(f"{hand}: the display shows what it is paid.", keys.hand),
        ConsoleStep(f"Call a supervisor, who confirms the win: {labels['confirm']}. Then pay the seat.", keys.confirm),
        ConsoleStep("The supervisor turns the key back to RUN: the table goes on, and the meter is lower.", keys.run),
        ConsoleStep("Leave a hand that pays envy face up, and lock up every other settled hand.", procedure.envy_hand),
        ConsoleStep("At the end of the round, pay envy to the seats that it is due to.", procedure.envy),
        ConsoleStep(f"Press {labels['close']} once everything is settled and paid: the round is over.", keys.close),
    )
    return [each for each in steps if each.clause]


@cache
def load_procedure(game: Game) -> DealingProcedure:
    """Load the clauses of a game's procedure, if it has a file of them.

    The file is ``procedure.toml`` of the game's folder.

    Raises:
        PitbossError: the file is not valid.
    """
    return load_optional_toml(game, "procedure.toml", DealingProcedure) or DealingProcedure()


def load_house_procedure(played: Round) -> DealingProcedure:
    """Load the clauses of a round's game; each says what its house plays otherwise.

    Raises as ``load_procedure``.
    """
    return _apply_options(played.game, tuple(sorted(played.options.items())))


@lru_cache(maxsize=64)
def _apply_options(game: Game, chosen: tuple[tuple[str, str], ...]) -> DealingProcedure:
    """Add to each clause what the house plays otherwise."""
    procedure, values = load_procedure(game), dict(chosen)
    others = {
        option.name: f"{option.meaning}: {display_value(values[option.name])}"
        for option in game.options
        if values[option.name] != option.default
    }

    def add_options(clause: str, names: Sequence[str]) -> str:
        words = "; ".join(others[name] for name in names if name in others)
        return f"{clause}; but at this house, {words}" if words and clause else clause

    steps = {step: add_options(getattr(procedure, step), names) for step, names in procedure.options.items()}
    pays = {bet: add_options(clause, procedure.pay_options.get(bet, ())) for bet, clause in procedure.pays.items()}
    named = {
        kind: [
            each.model_copy(update={"clause": add_options(each.clause, _list_names(each.option))})
            for each in getattr(procedure, kind)
        ]
        for kind in ("shown", "settled", "also")
    }
    return procedure.model_copy(update={**steps, "pays": pays, **named})


def cite_settlement(played: Round, event: WagerSettled, leg: LegSettlement, *, is_folded: bool) -> str:
    """Return the clause by which a circle was settled.

    ``is_folded`` tells whether the seat had folded by then.  If the house plays an option of the clause otherwise, the
    clause says so.
    """
    procedure = load_house_procedure(played)

    def find_clauses(listed: Iterable[SettledClause]) -> list[str]:
        return [each.clause for each in listed if _matches(each, played.game, event, leg, is_folded=is_folded)]

    general = procedure.pays.get(event.bet, procedure.pay)
    return "; ".join([*(find_clauses(procedure.settled) or [general])[:1], *find_clauses(procedure.also)])


def cite_shown(played: Round, event: CardsShown, before: int) -> str:
    """Return the clause by which cards are turned up after a number of events."""
    procedure, events = load_house_procedure(played), played.events[:before]
    is_rest = any(
        isinstance(each, CardsShown) and (each.zone, each.seat) == (event.zone, event.seat) for each in events
    )
    is_folded = event.seat in find_folded_seats(events)
    for each in procedure.shown:
        if each.zone == event.zone and (is_rest or not each.rest) and (is_folded or not each.after_fold):
            return each.clause
    return procedure.show if event.seat is None else procedure.settle


def list_foreign_clauses(played: Round, bet: str, seat: int) -> list[str]:
    """List clauses that decide nothing about a seat's wager, each once.

    They are those of its other outcomes, and those of wagers that another pay table pays.  A general clause of the
    wager is not among them: it is true of every claim to it.  Where there is no other, those of the main
    wager are taken.
    """
    procedure, game = load_house_procedure(played), played.game
    settled = [
        (event, leg)
        for event in played.events
        if isinstance(event, WagerSettled) and event.seat == seat and event.bet == bet
        for leg in event.legs
    ]
    others = {wager.id for wager in game.wagers if _have_other_tables(game, wager.id, bet)}
    own = [
        each.clause
        for each in procedure.settled
        if each.bet == bet and not any(_matches(each, game, event, leg, is_folded=True) for event, leg in settled)
    ]
    theirs = [each.clause for each in procedure.settled if each.bet in others and each.bet != "main"]
    general = [clause for each, clause in procedure.pays.items() if each in others]
    wrong = own if settled else []
    found = [each for each in dict.fromkeys((*wrong, *theirs, *general)) if each]
    return found or ([each.clause for each in procedure.settled if each.bet == "main"] if "main" in others else [])


def _have_other_tables(game: Game, one: str, other: str) -> bool:
    """Return whether two wagers are different and share no pay table."""
    kinds = set(get_wager(game, one).paytable_kinds) & set(get_wager(game, other).paytable_kinds)
    return one != other and not kinds


def _matches(clause: SettledClause, game: Game, event: WagerSettled, leg: LegSettlement, *, is_folded: bool) -> bool:
    return (
        clause.bet == event.bet
        and (not clause.after_fold or is_folded)
        and (not clause.circles or leg.circle in clause.circles)
        and clause.result in ("", _RESULTS[leg.result])
        and fnmatchcase(event.outcome, clause.outcome)
        and (not clause.pairs_lines or _count_lines(game, event, leg) > 1)
    )


def _list_names(option: str | list[str]) -> list[str]:
    return [option] if isinstance(option, str) else option


def _count_lines(game: Game, event: WagerSettled, leg: LegSettlement) -> int:
    """Count the lines on which a circle was paid together."""
    legs = get_outcome(game, event.bet, event.outcome).legs
    return next((len(each.lines) for each in legs if each.circle == leg.circle and not each.best_only), 0)
