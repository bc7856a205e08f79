"""Casino Hold'em: its wagers, decision, options, rules and folder of tables."""

from collections.abc import Iterator
from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    make_dealer_qualifies_option,
    make_fold_or_raise,
    make_fold_reason,
    make_line_wager,
    make_on_off_option,
)
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Game, Leg, LegResult, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.casino_holdem import rules
from pitboss.hands import FIVE_CARD_LINES, rank_holdem_dealer, rank_holdem_player

_ANTE_LINES = (*FIVE_CARD_LINES[:5], "straight-or-less")
_PLAYER, _FLOP = ViewField("player", 2, 2), ViewField("community", 3, 3)


def _list_main_outcomes() -> Iterator[Outcome]:
    """List the outcomes as ``rules.settle_main`` numbers them."""
    yield Outcome("fold", (Leg("ante", 1, LegResult.LOSE, "folded"),))
    for dealer, call, reason in (
        ("qualified", LegResult.WIN, "{showdown}"),
        ("not-qualified", LegResult.PUSH, NOT_QUALIFIED_REASON),
    ):
        for line in _ANTE_LINES:
            ante = Leg("ante", 1, LegResult.WIN, reason, (line,), "ante")
            yield Outcome(f"call-win-{dealer}-{line}", (ante, Leg("call", 2, call, reason)))
    for name, result in (("tie", LegResult.PUSH), ("lose", LegResult.LOSE)):
        legs = (Leg(circle, stake, result, "{showdown}") for circle, stake in (("ante", 1), ("call", 2)))
        yield Outcome(f"call-{name}-qualified", tuple(legs))


GAME = Game(
    id="casino-holdem",
    name="Casino Hold'em",
    summary="Two cards and the flop: fold, or call with two Antes against a dealer who needs a pair of fours.",
    deck=DECK_52,
    deal_order=(Zone("seat", 2), Zone("dealer", 2), Zone("community", 5)),
    wagers=(
        Wager("main", "Ante and Call", tuple(_list_main_outcomes()), ("ante",), ("ante",), mandatory=True),
        make_line_wager(
            "aa-bonus",
            "AA Bonus",
            (*FIVE_CARD_LINES, "pair-of-aces"),
            "{no_aa_bonus}",
            CardSetCensus(5, rules.settle_aa_bonus),
            census_option="aa_bonus_after_fold",
        ),
    ),
    decisions=(make_fold_or_raise("Fold, or call with two Antes?", "call", 2, _PLAYER, _FLOP),),
    options=(
        make_dealer_qualifies_option("pair-of-4", "CH-2"),
        make_on_off_option("aa_bonus_after_fold", "on", "CH-4", "the AA Bonus stays in action after a fold"),
    ),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    reason_fields={"no_aa_bonus": make_fold_reason(rules.is_lost_by_fold, "less than a pair of aces with the flop")},
    showdown=Showdown(rank_holdem_player, rank_holdem_dealer, rules.settle_main),
)
