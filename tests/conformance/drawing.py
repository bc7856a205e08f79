"""Rounds drawn at random: options, pay tables, seats, stakes, deck and legal choices, all shrinking to the plainest.

A ``Draw`` is what Hypothesis hands a test (``data.draw``): each function takes one and asks it for what it needs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from pitboss.cards import FIRST_JOKER, RANKS, SUITS, below, reordered, seeded_bits
from pitboss.contract import Game, Pay, PayTable, Place, TieKind, Unit, Wager
from pitboss.games import games
from pitboss.options import binding_ties, option_values, status_of
from pitboss.paytables import as_document, built_in_paytables, choose, paytables_in
from pitboss.table.domain import Round, Stake, open_round

Draw = Callable[[st.SearchStrategy[Any]], Any]

each_game = pytest.mark.parametrize("game", games().values(), ids=games())
"""Runs a test on every game there is."""

each_option_value = pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        pytest.param(game, option.name, value, id=f"{game.id}-{option.name}-{value}")
        for game in games().values()
        for option in game.options
        for value in option.values
    ],
)
"""Runs a test on every game with every value of each of its options."""

SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Decision:
    """What a seat chose: the name of its action and the cards it gave up."""

    seat: int
    action: str
    cards: tuple[int, ...]


def draw_options(draw: Draw, game: Game) -> dict[str, str]:
    """Draw a value for every option, its default first."""
    return {
        option.name: draw(st.sampled_from((option.default, *option.values)))
        for option in game.options  # drawn in the game's order, so that a failure shrinks to the defaults
    }


def draw_paytables(draw: Draw, game: Game) -> dict[str, PayTable]:
    """Draw a table of each kind: one of the game's own, or one that a user wrote."""
    chosen = choose(game)
    for kind in chosen:
        table = draw(
            st.sampled_from([chosen[kind], *(each for each in built_in_paytables(game) if each.table == kind)])
        )
        chosen[kind] = draw_own_table(draw, game, table) if draw(st.booleans()) else table
    return chosen


def draw_own_table(draw: Draw, game: Game, table: PayTable) -> PayTable:
    """Write a user's table after ``table``: other pays, whole or by halves, in the units that the lines had."""
    bits = seeded_bits(draw(SEEDS))
    lines = {}
    for name, pay in table.lines.items():
        most, parts = (100, 1) if pay.unit is Unit.PERCENT_OF_METER else (2_000, 1 + below(2, bits))
        lines[name] = Pay(Fraction(below(most + 1, bits), parts), pay.unit, ruling=pay.ruling)
    for order in reversed([each for wager in game.wagers for each in wager.pay_orders if each.table == table.table]):
        highest = max((lines[name] for name in (order.line, *order.others)), key=lambda pay: pay.amount)
        lines[order.line] = replace(lines[order.line], amount=highest.amount)
    own = replace(table, id="house-table", lines=lines, source="the house", default=False)
    return paytables_in({"paytable": [as_document(own)]}, game, "a user's table")[0]


def draw_stakes(draw: Draw, game: Game, options: Mapping[str, str], seats: int) -> list[Stake]:
    """Draw for each seat which wagers it has and how much, within limits and ties."""
    stakes = []
    for seat in range(seats):
        placed: dict[str, int] = {}
        for wager in game.wagers:
            for on in _hands_of(wager, seat, seats):
                if _wanted(draw, game, wager, options, placed):
                    placed[wager.id] = _draw_cents(draw, wager, options, placed)
                    stakes.append(Stake(seat, wager.id, placed[wager.id], on))
    return stakes


def _hands_of(wager: Wager, seat: int, seats: int) -> Sequence[int | None]:
    return [other for other in range(seats) if other != seat] if wager.place is Place.OTHER_SEAT else [None]


def _wanted(draw: Draw, game: Game, wager: Wager, options: Mapping[str, str], placed: Mapping[str, int]) -> bool:
    if any(tie.kind is TieKind.ONLY_WITH and tie.bet not in placed for tie in wager.ties):
        return False
    status = status_of(game, wager, options)
    return status == "mandatory" or (status == "optional" and bool(draw(st.booleans())))


def _draw_cents(draw: Draw, wager: Wager, options: Mapping[str, str], placed: Mapping[str, int]) -> int:
    """Draw a stake in whole units, within the wager's limits and what ties it to a wager placed before."""
    low, high = wager.limits.minimum_cents, wager.limits.maximum_cents
    for tie in binding_ties(wager, options):
        low = max(low, placed[tie.bet]) if tie.kind is TieKind.AT_LEAST else low
        high = min(high, placed[tie.bet]) if tie.kind is TieKind.AT_MOST else high
    unit = wager.limits.unit_cents
    return unit * int(draw(st.integers(-(-low // unit), high // unit)))


def draw_deck(draw: Draw, game: Game) -> tuple[int, ...]:
    """Draw an order of the deck; two of three begin with the cards of a suit or of few ranks, for great hands."""
    bits = seeded_bits(draw(SEEDS))
    cards = reordered(game.deck.cards, bits)
    focus, chosen = draw(st.sampled_from(("none", "suit", "ranks"))), below(RANKS, bits)
    if focus == "none":
        return cards
    wanted = [
        card
        for card in cards
        if card >= FIRST_JOKER
        or (card // RANKS == chosen % SUITS if focus == "suit" else card % RANKS - chosen in {0, 1, 2})
    ]
    head = reordered([*wanted, *(card for card in cards if card not in wanted)][:24], bits)
    return (*head, *(card for card in cards if card not in head))


def some_of(cards: Sequence[int], count: int, seed: int) -> tuple[int, ...]:
    """Return ``count`` of the cards, chosen and ordered by ``seed`` alone."""
    return reordered(cards, seeded_bits(seed))[:count]


def draw_opening(draw: Draw, game: Game, seats: int = 0, **given: Mapping[str, Any]) -> Round:
    """Draw a round with its wagers placed; ``given`` are ``options`` or ``paytables`` not to be drawn."""
    seats = seats or int(draw(st.integers(1, game.seats)))
    options = option_values(game, given["options"]) if "options" in given else draw_options(draw, game)
    tables = given["paytables"] if "paytables" in given else draw_paytables(draw, game)
    now = open_round(game, seats, options=options, paytables=tables)
    for stake in draw_stakes(draw, game, options, seats):
        now = now.wager(stake)
    return now


def draw_decision(draw: Draw, now: Round) -> Decision:
    """Draw a legal action for the seat whose turn it is, and cards to give up."""
    assert now.turn is not None
    seat = now.turn[0]
    action = draw(st.sampled_from(now.legal_actions()))
    held = [card for card in now.game.deck.cards if now.view(seat).player >> card & 1]
    return Decision(seat, action.id, some_of(held, action.gives, draw(SEEDS)) if action.gives else ())


def draw_trail(draw: Draw, game: Game, seats: int = 0, **given: Mapping[str, Any]) -> list[Round]:
    """Play a round to its end; return it as it was before the deal, after it, and after each decision."""
    trail = [draw_opening(draw, game, seats, **given)]
    shuffle = shuffle_by(draw(SEEDS))
    trail.append(trail[0].deal(draw_deck(draw, game), shuffle))
    while trail[-1].turn is not None:
        chosen = draw_decision(draw, trail[-1])
        trail.append(trail[-1].decide(chosen.seat, chosen.action, chosen.cards, shuffle))
    return trail


def shuffle_by(seed: int) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return a shuffle of given-up cards (LU-11) that depends on nothing but ``seed``."""
    return lambda cards: reordered(cards, seeded_bits(seed))
