"""Four Card Flush: its hands are counted by classes, and no strategy or side wager is followed through them."""

from collections.abc import Iterator
from pathlib import Path

from pitboss.builders import collect_rules, make_line_wager, make_raise_decision
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Game, Leg, LegResult, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.four_card_flush import rules
from pitboss.hands import HandTables

_WIN, _PUSH, _LOSE = LegResult.WIN, LegResult.PUSH, LegResult.LOSE


def _list_main_outcomes() -> Iterator[Outcome]:
    """List the outcomes as ``rules.settle_main`` numbers them."""
    yield Outcome("fold", (Leg("ante", 1, _LOSE, "folded"),))
    for size in (1, 2):
        for name, result, reason in (
            ("win", _WIN, "{longest}: player beats dealer"),
            ("tie", _PUSH, "player ties dealer"),
            ("lose", _LOSE, "dealer beats player"),
        ):
            yield Outcome(f"raise-{size}x-{name}", (Leg("ante", 1, result, reason), Leg("raise", size, result, reason)))


def name_longest(_tables: HandTables, state: rules.State, _options: rules.Options) -> str:
    """Name the player's longest flush."""
    return f"{rules.evaluate_flush(state.player) >> rules.LENGTH_BIT} cards of a suit"


FLUSH_LINES = ("four-card-flush", "three-card-flush")
FLUSH = make_line_wager(
    "flush", "Flush", FLUSH_LINES, "less than a three-card flush", CardSetCensus(4, rules.settle_flush)
)

GAME = Game(
    id="four-card-flush",
    name="Four Card Flush",
    summary="Four cards each, the longest flush wins: three cards of a suit may raise twice.",
    deck=DECK_52,
    deal_order=(Zone("seat", 4), Zone("dealer", 4)),
    wagers=(
        Wager("main", "Ante and Raise", tuple(_list_main_outcomes()), circles=("ante",), mandatory=True),
        FLUSH,
    ),
    decisions=(make_raise_decision("raise", "Fold, or raise?", "fold", "raise", (1, 2), ViewField("player", 4, 4)),),
    options=(),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    reason_fields={"longest": name_longest},
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_main),
)
