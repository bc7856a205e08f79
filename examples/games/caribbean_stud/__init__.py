"""Caribbean Stud: its wagers, decision, options, rules and folder of tables."""

from collections.abc import Iterator
from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    make_choice_option,
    make_dealer_qualifies_option,
    make_fold_or_raise,
    make_fold_reason,
    make_line_wager,
    make_on_off_option,
)
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import ONE_DOLLAR, Game, Leg, LegResult, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.caribbean_stud import rules
from pitboss.hands import FIVE_CARD_LINES

_PLAYER, _DEALER = ViewField("player", 5, 5), ViewField("dealer", 1, 1)
_WIN, _PUSH, _LOSE = LegResult.WIN, LegResult.PUSH, LegResult.LOSE


def _list_main_outcomes() -> Iterator[Outcome]:
    """List the outcomes as ``rules.settle_main`` numbers them."""
    yield Outcome("fold", (Leg("ante", 1, _LOSE, "folded"),))
    for line in (*FIVE_CARD_LINES, "pair-or-less"):
        legs = Leg("ante", 1, _WIN, "{showdown}"), Leg("raise", 2, _WIN, "{showdown}", (line,), "raise")
        yield Outcome(f"raise-win-qualified-{line}", legs)
    for name, ante, raised, reason in (
        ("tie-qualified", _PUSH, _PUSH, "{showdown}"),
        ("lose-qualified", _LOSE, _LOSE, "{showdown}"),
        ("win-not-qualified", _WIN, _PUSH, NOT_QUALIFIED_REASON),
    ):
        yield Outcome(f"raise-{name}", (Leg("ante", 1, ante, reason), Leg("raise", 2, raised, reason)))


GAME = Game(
    id="caribbean-stud",
    name="Caribbean Stud",
    summary="Five cards each: you see one of the dealer's before you fold or raise by two Antes.",
    deck=DECK_52,
    deal_order=(Zone("seat", 5), Zone("dealer", 5)),
    wagers=(
        Wager("main", "Ante and Raise", tuple(_list_main_outcomes()), ("raise",), ("ante",), mandatory=True),
        make_line_wager(
            "progressive",
            "Progressive",
            FIVE_CARD_LINES[:5],
            "{no_progressive}",
            CardSetCensus(5, rules.settle_progressive),
            census_option="progressive_after_fold",
            limits=ONE_DOLLAR,
        ),
    ),
    decisions=(make_fold_or_raise("Fold, or raise by two Antes?", "raise", 2, _PLAYER, _DEALER),),
    options=(
        make_dealer_qualifies_option("ace-king", "CS-2"),
        make_on_off_option("progressive_after_fold", "on", "CS-4", "the progressive stays in action after a fold"),
        make_choice_option(
            "award_order", ("sequence", "split"), "CS-5", "how percentage awards of one round share the meter", "split"
        ),
    ),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    reason_fields={"no_progressive": make_fold_reason(rules.is_lost_by_fold, "{made}less than a flush")},
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_main),
)
