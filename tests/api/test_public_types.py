"""What public functions return is of public types, and what is not valid is an error of their own."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from inspect import ismethod
from typing import Any

import numpy as np
import pytest

import pitboss as pb

SIX_CARD = pb.game("six-card")
DAY: dict[str, str | int] = {
    "table": "7",
    "period": "Monday",
    "rounds": 900,
    "stake_cents": 500,
    "staked_cents": 450_000,
}
PUBLIC = tuple(getattr(pb, name) for name in pb.__all__ if isinstance(getattr(pb, name), type))
PLAIN = (str, bytes, int, float, Fraction, bool, type(None))


def play_round() -> pb.TableRound:
    table = SIX_CARD.round(2, {"main": 10, "aces-up": 5, "progressive": 1}, seed=4, meter_cents=5_000_000)
    table.act("fold")
    return table


def make_leaks() -> pb.ProtectionReport:
    # A leak that nobody counts: what is reported of the settings is of the same types.
    leak = pb.LeakReport(
        "dealer-1", "a card", "exact", Fraction(1), Fraction(1), 0.0, 0.5, 0.0, 0, 10.0, "play", "watch"
    )
    return pb.ProtectionReport("six-card", (), {}, pb.ProtectionSettings(), Fraction(1), (leak,))


RETURNED: dict[str, Callable[[], Any]] = {
    "game": lambda: SIX_CARD,
    "all_games": pb.all_games,
    "evaluate": lambda: pb.evaluate("As Kd Qh Jc Ts"),
    "chart": lambda: pb.chart(SIX_CARD, "contribution", bet="aces-up"),
    "monitor": lambda: pb.monitor("shifting-wilds", [DAY | {"returned_cents": 632_500}], "blackjack-bonus"),
    "tune": lambda: pb.tune(SIX_CARD, "aces-up", "3%..3.5%", vary={"flush": (6, 9)}),
    "tune a meter": lambda: pb.tune(SIX_CARD, "progressive", "20%..30%", vary={"seed": (10_000, 20_000)}, limit=1),
    "protect": make_leaks,
    "par": lambda: SIX_CARD.par("aces-up"),
    "par of a meter": lambda: SIX_CARD.par("progressive"),
    "par of the play": SIX_CARD.par,
    "sensitivity": SIX_CARD.par("aces-up").sensitivity,
    "edit_paytable": lambda: SIX_CARD.edit_paytable(SIX_CARD.paytables("aces-up")[0], {"flush": 9}),
    "round": play_round,
    "hint": lambda: SIX_CARD.hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h"),
}


def iter_foreign(value: Any, path: str, seen: set[int]) -> Iterator[str]:
    """Yield the paths of what is neither public nor plain, through every public attribute and property."""
    if isinstance(value, PLAIN) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, PUBLIC):
        for name in dir(value):
            if not name.startswith("_") and not ismethod(each := getattr(value, name)) and not callable(each):
                yield from iter_foreign(each, f"{path}.{name}", seen)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from iter_foreign(key, f"a key of {path}", seen)
            yield from iter_foreign(each, f"{path}[{key!r}]", seen)
    elif isinstance(value, tuple | list):
        for index, each in enumerate(value):
            yield from iter_foreign(each, f"{path}[{index}]", seen)
    else:
        yield f"{path}: {type(value).__name__}"


@pytest.mark.parametrize("name", RETURNED)
def test_what_is_returned_is_of_public_types(name: str) -> None:
    assert list(iter_foreign(RETURNED[name](), name, set())) == []


@pytest.mark.compiled
def test_a_simulation_is_of_public_types() -> None:
    result = SIX_CARD.simulate(100, seed=7, stakes={"main": 1})
    assert list(iter_foreign(result, "simulate", set())) == []


def list_public(value: Any) -> Iterator[Any]:
    """Yield what is public in what is returned."""
    if isinstance(value, PUBLIC):
        yield value
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ():
        yield from list_public(each)


@pytest.mark.parametrize("name", ["round", "a decision", "results", "hint", "evaluate", "monitor", "a table"])
def test_what_is_returned_can_be_sent_as_json(name: str) -> None:
    parts: dict[str, Callable[[], Any]] = {
        "a decision": lambda: SIX_CARD.round(seed=4).decision,
        "results": lambda: play_round().results,
        "a table": lambda: RETURNED["monitor"]().tables,
    }
    returned = list(list_public(parts.get(name, RETURNED.get(name, dict))()))
    assert returned
    for each in returned:
        assert json.loads(json.dumps(each.to_dict())) == each.to_dict()


# What is not valid.

ARRAY = np.array([1, 2])
HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 2**64, 10**30, 10**5_000, 1.5, float("nan"), float("inf"), 1j, Fraction(-1, 3)),
    *(b"x", "", "x", "\0", "\ud800", [], {}, set(), [None], {"x": None}, {1: 1}, object(), ARRAY, np.zeros((2, 2))),
)
"""What no parameter means, or only as its default."""

ANY: Any = pb
GAME: Any = SIX_CARD
PRINTED = SIX_CARD.paytables("aces-up")[0]
CARDS = {"player": "As Kd 9h 7c 4s 2d", "dealer": "Qs Jd 3h"}
ROW = DAY | {"returned_cents": 432_500}
CHART = {"game": "six-card", "kind": "pay", "bet": "aces-up"}
MONITOR = {"game": "six-card", "results": [ROW], "bet": "aces-up"}
LEAK = {"game": "six-card", "leaks": "no"}
TUNE = {"game": "six-card", "bet": "aces-up", "edge": "3%..3.5%", "vary": {"flush": (8, 9)}, "limit": 1}
PAYTABLE = ("id", "bet", "kind", "lines", "source", "default", "claim", "envy", "progressive", "file")

Door = Callable[[Any], Any]


def call_each(call: Callable[..., Any], valid: Mapping[str, Any], names: str) -> dict[str, Door]:
    """Return calls that give one of the named parameters the hostile value, and the others a valid one."""
    return {f"{call.__qualname__} {name}": give(call, valid, name) for name in names.split()}


def give(call: Callable[..., Any], valid: Mapping[str, Any], name: str) -> Door:
    return lambda value: call(**{**valid, name: value})


def pay_with(name: str) -> Door:
    return lambda value: GAME.par("aces-up", paytables=replace(PRINTED, **{name: value}))


def answer(*given: Any) -> Any:
    table: Any = SIX_CARD.round(seed=1)
    table.act(*given)
    return table.results, table.open_cards


DOORS: dict[str, Door] = {
    **call_each(ANY.game, {}, "name"),
    **call_each(ANY.evaluate, {"cards": "As Kd Qh Jc Ts"}, "cards wild order any_card_flush"),
    **call_each(ANY.evaluate_many, {"hands": [[0, 1, 2, 3, 4]]}, "hands order any_card_flush"),
    **call_each(ANY.chart, CHART, "game kind bet grid line rounds paytables options stakes progress"),
    **call_each(ANY.chart_results, {}, "report"),
    **call_each(ANY.monitor, MONITOR, "game results bet seats false_alarms paytables options progress"),
    "monitor a cell": lambda value: ANY.monitor(**{**MONITOR, "results": [{**ROW, "period": value}]}),
    **call_each(ANY.protect, LEAK, "game within seconds ante_cents rounds_per_hour seed paytables options progress"),
    "protect leaks": lambda value: ANY.protect("six-card", [value]),
    **call_each(ANY.tune, TUNE, "game bet edge hit deviation top jackpot between_hours wagers_per_hour changes ladder"),
    **call_each(ANY.tune, TUNE, "any_order limit exact paytables options progress"),
    "tune vary": lambda value: ANY.tune(**{**TUNE, "vary": {"flush": value}}),
    "tune a line": lambda value: ANY.tune(**{**TUNE, "vary": [value]}),
    **call_each(GAME.paytables, {}, "bet"),
    **call_each(GAME.load_paytables, {}, "path"),
    **call_each(GAME.edit_paytable, {"table": PRINTED, "pays": {"flush": 9}}, "table pays new_id"),
    "edit_paytable a pay": lambda value: GAME.edit_paytable(PRINTED, {"flush": value}),
    **call_each(GAME.par, {"bet": "aces-up"}, "bet paytables options stakes meter_cents progress"),
    "par an option": lambda value: GAME.par("aces-up", options={"dealer_qualifies": value}),
    "par a stake": lambda value: GAME.par("aces-up", stakes={"bad-beat": value}),
    **call_each(GAME.solve, {}, "paytables options workers progress"),
    **call_each(GAME.hint, CARDS, "player dealer decision paytables taken options stakes progress"),
    "hint cards": GAME.hint,
    **call_each(GAME.round, {}, "seats wagers deck seed options paytables meter_cents"),
    "round a wager": lambda value: GAME.round(wagers={"main": value}),
    "round another seat": lambda value: GAME.round(2, [{"main": 10}, {"main": 10, "bad-beat": {1: value}}]),
    "act": answer,
    "act cards": lambda value: answer("fold", value),
    "act a choice": lambda value: answer(ANY.LegalChoice(value, value)),
    "Hand name": lambda value: ANY.Hand(value, "x").name,
    "Hand category": lambda value: ANY.Hand(value, "x").category,
    **{f"PayTable {name}": pay_with(name) for name in PAYTABLE},
    "to_png": pb.chart(SIX_CARD, "contribution", bet="aces-up").to_png,
}
COMPILED = call_each(
    GAME.simulate,
    {"rounds": 10, "stakes": {"main": 1}},
    "rounds strategy against seats seed stakes paytables options progress",
)


def try_each(door: Door) -> list[str]:
    """Return the errors that are not of pitboss, and those of more than one line."""
    faults = []
    for value in HOSTILE:
        try:
            door(value)
        except pb.Error as error:
            faults += [str(error)] if len(str(error).splitlines()) != 1 else []
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, OSError) as error:
            faults.append(f"{type(value).__name__}: {error!r:.200}")
    return faults


@pytest.mark.parametrize("name", DOORS)
def test_what_is_not_valid_is_an_error_of_pitboss(name: str) -> None:
    assert try_each(DOORS[name]) == []


@pytest.mark.compiled
@pytest.mark.parametrize("name", COMPILED)
def test_what_is_not_valid_is_not_simulated(name: str) -> None:
    assert try_each(COMPILED[name]) == []
