"""Rounds drawn at random: options, pay tables, seats, stakes, deck and legal choices, all shrinking to the plainest.

A ``Draw`` is what Hypothesis hands a test (``data.draw``): each function takes one and asks it for what it needs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, draw_below, seeded_bits, shuffle_cards
from pitboss.contract import Game, HandOwner, LinePay, PayTable, PayUnit, StakeConstraintKind, Wager
from pitboss.games import load_games
from pitboss.options import find_active_constraints, get_wager_status, resolve_options
from pitboss.paytables import load_builtin_paytables, parse_paytables, select_paytables, to_document
from pitboss.table.round import Round, Stake, open_round

Draw = Callable[[st.SearchStrategy[Any]], Any]

each_game = pytest.mark.parametrize("game", load_games().values(), ids=load_games())
"""Runs a test on every game there is."""

each_option_value = pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        pytest.param(game, option.name, value, id=f"{game.id}-{option.name}-{value}")
        for game in load_games().values()
        for option in game.options
        for value in option.values
    ],
)
"""Runs a test on every game with every value of each of its options."""

SEEDS = st.integers(0, 2**32 - 1)

FEWER_EXAMPLES, USUAL_EXAMPLES = 40, 100
in_fewer_rounds = settings(
    max_examples=FEWER_EXAMPLES if settings().max_examples == USUAL_EXAMPLES else settings().max_examples
)
"""Runs a test whose rounds take long on fewer of them; the longest tier on all."""


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
    chosen = select_paytables(game)
    for kind in chosen:
        table = draw(
            st.sampled_from([chosen[kind], *(each for each in load_builtin_paytables(game) if each.kind == kind)])
        )
        chosen[kind] = draw_own_table(draw, game, table) if draw(st.booleans()) else table
    return chosen


def draw_own_table(draw: Draw, game: Game, table: PayTable) -> PayTable:
    """Write a user's table after ``table``: other pays, whole or by halves, in the units that the lines had."""
    bits = seeded_bits(draw(SEEDS))
    lines = {}
    for name, pay in table.lines.items():
        most, parts = (100, 1) if pay.unit is PayUnit.PERCENT_OF_METER else (2_000, 1 + draw_below(2, bits))
        lines[name] = LinePay(Fraction(draw_below(most + 1, bits), parts), pay.unit, ruling=pay.ruling)
    for order in reversed(
        [each for wager in game.wagers for each in wager.pay_orders if each.paytable_kind == table.kind]
    ):
        highest = max((lines[name] for name in (order.line, *order.lower_lines)), key=lambda pay: pay.amount)
        lines[order.line] = replace(lines[order.line], amount=highest.amount)
    own = replace(table, id="house-table", lines=lines, source="the house", default=False)
    return parse_paytables({"paytable": [to_document(own)]}, game, "a user's table")[0]


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
    return [other for other in range(seats) if other != seat] if wager.hand_owner is HandOwner.OTHER_SEAT else [None]


def _wanted(draw: Draw, game: Game, wager: Wager, options: Mapping[str, str], placed: Mapping[str, int]) -> bool:
    if any(tie.kind is StakeConstraintKind.ONLY_WITH and tie.bet not in placed for tie in wager.constraints):
        return False
    status = get_wager_status(game, wager, options)
    return status == "mandatory" or (status == "optional" and bool(draw(st.booleans())))


def _draw_cents(draw: Draw, wager: Wager, options: Mapping[str, str], placed: Mapping[str, int]) -> int:
    """Draw a stake in whole units, within the wager's limits and what ties it to a wager placed before."""
    low, high = wager.limits.minimum_cents, wager.limits.maximum_cents
    for tie in find_active_constraints(wager, options):
        low = max(low, placed[tie.bet]) if tie.kind is StakeConstraintKind.AT_LEAST else low
        high = min(high, placed[tie.bet]) if tie.kind is StakeConstraintKind.AT_MOST else high
    unit = wager.limits.unit_cents
    return unit * int(draw(st.integers(-(-low // unit), high // unit)))


def draw_deck(draw: Draw, game: Game) -> tuple[int, ...]:
    """Draw an order of the deck; two of three begin with the cards of a suit or of few ranks, for great hands."""
    bits = seeded_bits(draw(SEEDS))
    cards = shuffle_cards(game.deck.cards, bits)
    focus, chosen = draw(st.sampled_from(("none", "suit", "ranks"))), draw_below(RANK_COUNT, bits)
    if focus == "none":
        return cards
    wanted = [
        card
        for card in cards
        if card >= FIRST_JOKER
        or (card // RANK_COUNT == chosen % SUIT_COUNT if focus == "suit" else card % RANK_COUNT - chosen in {0, 1, 2})
    ]
    head = shuffle_cards([*wanted, *(card for card in cards if card not in wanted)][:24], bits)
    return (*head, *(card for card in cards if card not in head))


def some_of(cards: Sequence[int], count: int, seed: int) -> tuple[int, ...]:
    """Return ``count`` of the cards, chosen and ordered by ``seed`` alone."""
    return shuffle_cards(cards, seeded_bits(seed))[:count]


def draw_opening(draw: Draw, game: Game, seats: int = 0, **given: Mapping[str, Any]) -> Round:
    """Draw a round with its wagers placed; ``given`` are ``options`` or ``paytables`` not to be drawn."""
    seats = seats or int(draw(st.integers(1, game.seats)))
    options = resolve_options(game, given["options"]) if "options" in given else draw_options(draw, game)
    tables = given["paytables"] if "paytables" in given else draw_paytables(draw, game)
    now = open_round(game, seats, options=options, paytables=tables)
    for stake in draw_stakes(draw, game, options, seats):
        now = now.place_wager(stake)
    return now


def draw_decision(draw: Draw, now: Round) -> Decision:
    """Draw a legal action for the seat whose turn it is, and cards to give up."""
    assert now.turn is not None
    seat = now.turn[0]
    action = draw(st.sampled_from(now.list_legal_actions()))
    held = [card for card in now.game.deck.cards if now.get_view(seat).player >> card & 1]
    return Decision(seat, action.id, some_of(held, action.discards, draw(SEEDS)) if action.discards else ())


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
    return lambda cards: shuffle_cards(cards, seeded_bits(seed))
