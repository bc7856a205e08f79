"""The declaration of Six Card Poker and its progressive.

It names the deck, the wagers, the decision, the options and the rules.
"""

from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    make_choice_option,
    make_dealer_qualifies_option,
    make_line_outcomes,
    make_on_off_option,
)
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus, HandPairCensus
from pitboss.contract import (
    ONE_DOLLAR,
    Action,
    Decision,
    Game,
    Leg,
    LegResult,
    Outcome,
    Showdown,
    ViewField,
    Wager,
    Zone,
)
from pitboss.games.six_card import reasons, rules

_ACES_UP_LINES = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-of-aces",
)


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List the outcomes of main, in the order of ``settle_main``.

    Fold is first, then win, tie and lose, each with the dealer qualified and not.
    """
    outcomes = [Outcome("fold", (Leg("ante", 1, LegResult.LOSE, "folded"),))]
    for result, verdict in (("win", LegResult.WIN), ("tie", LegResult.PUSH), ("lose", LegResult.LOSE)):
        play = Leg("play", 1, verdict, "{showdown}")
        outcomes.append(Outcome(f"play-{result}-qualified", (Leg("ante", 1, verdict, "{showdown}"), play)))
        ante_push = Leg("ante", 1, LegResult.PUSH, NOT_QUALIFIED_REASON)
        outcomes.append(Outcome(f"play-{result}-not-qualified", (ante_push, play)))
    return tuple(outcomes)


GAME = Game(
    id="six-card",
    name="Six Card Poker",
    summary="Six cards each, best five; you see three of the dealer's before you fold or play.",
    deck=DECK_52,
    deal_order=(Zone("seat", 6), Zone("dealer", 6)),
    wagers=(
        Wager("main", "Ante and Play", _list_main_outcomes(), circles=("ante",), mandatory=True),
        Wager(
            "aces-up",
            "Aces Up",
            make_line_outcomes("aces-up", _ACES_UP_LINES, "{made}less than a pair of aces"),
            paytable_kinds=("aces-up",),
            census=CardSetCensus(6, rules.settle_aces_up),
        ),
        Wager(
            "bad-beat",
            "Bad Beat",
            make_line_outcomes(
                "bad-beat", _ACES_UP_LINES[1:], "{no_bad_beat}", win_reason="{showdown}: the losing hand is paid"
            ),
            paytable_kinds=("bad-beat",),
            census=HandPairCensus(
                6, rules.rank_hand, rules.settle_bad_beat, lowest_strength=rules.PAIR_OF_ACES, default_outcome=8
            ),
        ),
        Wager(
            "progressive",
            "Progressive",
            make_line_outcomes("progressive", _ACES_UP_LINES[:6], "{made}less than a straight"),
            paytable_kinds=("progressive",),
            limits=ONE_DOLLAR,
            census=CardSetCensus(6, rules.settle_progressive),
        ),
    ),
    decisions=(
        Decision(
            "fold-or-play",
            "Fold, or play for one more Ante?",
            (Action("fold"), Action("play", stake=1, circle="play")),
            timeout_action="fold",
            view_fields=(ViewField("player", 6, 6), ViewField("dealer", 3, 3)),
        ),
    ),
    options=(
        make_dealer_qualifies_option("ace-king", "SC-1"),
        make_on_off_option(
            "envy_hitter_must_wager", "on", "SC-4", "envy is paid only for hits of seats with the progressive wager"
        ),
        make_choice_option(
            "award_order", ("sequence", "split"), "SC-6", "how several percentage awards of one round share the meter"
        ),
        make_choice_option(
            "award_rounding", ("cent", "dollar"), "SC-7", "the unit a percentage award is rounded down to"
        ),
        make_choice_option("fixed_awards_from", ("tray", "meter"), "SC-8", "where the fixed awards are paid from"),
    ),
    options_type=rules.SixCardOptions,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_showdown),
    reason_fields={"no_bad_beat": reasons.explain_lost_bad_beat},
)
