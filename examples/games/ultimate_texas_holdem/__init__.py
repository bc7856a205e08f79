"""Ultimate Texas Hold'em: its wagers, decisions, options, rules and tables."""

from collections.abc import Iterator
from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    make_dealer_qualifies_option,
    make_fold_reason,
    make_line_wager,
    make_on_off_option,
    make_raise_decision,
)
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Game, Leg, LegResult, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.ultimate_texas_holdem import rules
from pitboss.hands import FIVE_CARD_LINES, rank_holdem_dealer, rank_holdem_player

_WIN, _PUSH, _LOSE = LegResult.WIN, LegResult.PUSH, LegResult.LOSE
_PLAYER, _FLOP, _BOARD = ViewField("player", 2, 2), ViewField("community", 3, 3), ViewField("community", 5, 5)


def _list_results() -> Iterator[tuple[str, str, LegResult, Leg]]:
    """List the results, each with the leg of the Blind: wins by line, tie, loss."""
    for line in FIVE_CARD_LINES[:6]:
        yield "win", f"-{line}", _WIN, Leg("blind", 1, _WIN, "{paid}", (line,), "blind")
    yield "win", "", _WIN, Leg("blind", 1, _PUSH, "won with {mine}: the Blind is paid on a straight or better")
    yield "tie", "", _PUSH, Leg("blind", 1, _PUSH, "{showdown}")
    yield "lose", "", _LOSE, Leg("blind", 1, _LOSE, "{showdown}")


def _list_main_outcomes() -> Iterator[Outcome]:
    """List the outcomes as ``rules.settle_main`` numbers them."""
    yield Outcome("fold", (Leg("ante", 1, _LOSE, "folded"), Leg("blind", 1, _LOSE, "folded")))
    ante_push = Leg("ante", 1, _PUSH, NOT_QUALIFIED_REASON)
    for antes in (1, 2, 3, 4):
        for name, line, result, blind in _list_results():
            ante, play = Leg("ante", 1, result, "{showdown}"), Leg("play", antes, result, "{showdown}")
            yield Outcome(f"raise-{antes}x-{name}-qualified{line}", (ante, blind, play))
            yield Outcome(f"raise-{antes}x-{name}-not-qualified{line}", (ante_push, blind, play))


GAME = Game(
    id="ultimate-texas-holdem",
    name="Ultimate Texas Hold'em",
    summary="Two cards and five community cards: raise once, by four Antes early or by one Ante late.",
    deck=DECK_52,
    deal_order=(Zone("seat", 2), Zone("dealer", 2), Zone("community", 5)),
    wagers=(
        Wager(
            "main", "Ante, Blind and Play", tuple(_list_main_outcomes()), ("blind",), ("ante", "blind"), mandatory=True
        ),
        make_line_wager(
            "trips",
            "Trips",
            FIVE_CARD_LINES[:7],
            "{no_trips}",
            CardSetCensus(7, rules.settle_trips),
            census_option="trips_after_fold",
        ),
    ),
    decisions=(
        make_raise_decision("preflop", "Check, or raise by three or four Antes?", "check", "play", (3, 4), _PLAYER),
        make_raise_decision("flop", "Check, or raise by two Antes?", "check", "play", (2,), _PLAYER, _FLOP),
        make_raise_decision("river", "Fold, or raise by one Ante?", "fold", "play", (1,), _PLAYER, _BOARD),
    ),
    options=(
        make_dealer_qualifies_option("pair-of-2", "UTH-2"),
        make_on_off_option("trips_after_fold", "on", "UTH-4", "Trips stays in action after a fold"),
    ),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    reason_fields={"no_trips": make_fold_reason(rules.is_lost_by_fold, "{made}less than three of a kind")},
    showdown=Showdown(rank_holdem_player, rank_holdem_dealer, rules.settle_main),
)
