"""Three Card Poker: its wagers, decision, options, rules and folder of tables."""

from pathlib import Path

from pitboss.builders import NOT_QUALIFIED_REASON, collect_rules, make_fold_or_raise, make_line_wager
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Game, Leg, LegResult, Option, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.three_card_poker import rules
from pitboss.hands import FIVE_CARD_LINES, THREE_CARD_HIGH, THREE_CARD_LINES, find_three_card_line, pack_lowest_strength

_ANTE_BONUS_LINES = ("straight-flush", "three-of-a-kind", "straight")
_WIN, _PUSH, _LOSE = LegResult.WIN, LegResult.PUSH, LegResult.LOSE
_THREE_CARDS, _SIX_CARDS = CardSetCensus(3, find_three_card_line), CardSetCensus(6, rules.settle_six_card_bonus)


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List the outcomes as ``rules.settle_main`` numbers them."""
    outcomes = [Outcome("fold", (Leg("ante", 1, _LOSE, "folded"),))]
    for name, ante, play, reason in (
        ("win-qualified", _WIN, _WIN, "{showdown}"),
        ("tie-qualified", _PUSH, _PUSH, "{showdown}"),
        ("lose-qualified", _LOSE, _LOSE, "{showdown}"),
        ("win-not-qualified", _WIN, _PUSH, NOT_QUALIFIED_REASON),
    ):
        legs = (Leg("ante", 1, ante, reason), Leg("play", 1, play, reason))
        for line in _ANTE_BONUS_LINES:
            bonus = Leg("ante-bonus", 0, _WIN, "{paid}", (line,), "ante-bonus", pays_on=1)
            outcomes.append(Outcome(f"play-{name}-{line}", (*legs, bonus)))
        outcomes.append(Outcome(f"play-{name}", legs))
    return tuple(outcomes)


_DEALER_QUALIFIES = Option(
    name="dealer_qualifies",
    values=("queen-high", "jack-high", "always"),
    default="queen-high",
    ruling="TCP-2",
    meaning="the lowest hand with which the dealer qualifies",
    codes=(pack_lowest_strength(THREE_CARD_HIGH, 12), pack_lowest_strength(THREE_CARD_HIGH, 11), 0),
)

GAME = Game(
    id="three-card-poker",
    name="Three Card Poker",
    summary="Three cards each: fold or play against a dealer who needs a queen; Pair Plus and 6 Card Bonus.",
    deck=DECK_52,
    deal_order=(Zone("seat", 3), Zone("dealer", 3)),
    wagers=(
        Wager("main", "Ante and Play", _list_main_outcomes(), ("ante-bonus",), ("ante",), mandatory=True),
        make_line_wager("pair-plus", "Pair Plus", THREE_CARD_LINES, "{made}less than a pair", _THREE_CARDS),
        make_line_wager("six-card-bonus", "6 Card Bonus", FIVE_CARD_LINES[:7], "below three of a kind", _SIX_CARDS),
    ),
    decisions=(make_fold_or_raise("Fold, or play for one Ante more?", "play", 1, ViewField("player", 3, 3)),),
    options=(_DEALER_QUALIFIES,),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_main),
)
