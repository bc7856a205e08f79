"""Define Wild 52: its wagers, decisions, options, rules and folder of tables."""

from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    make_choice_option,
    make_dealer_qualifies_option,
    make_line_outcomes,
    make_on_off_option,
)
from pitboss.cards import DECK_53, FIRST_JOKER
from pitboss.censuses import CardPositionCensus, CardSetCensus
from pitboss.contract import Action, Decision, Game, Leg, LegResult, Outcome, Showdown, ViewField, Wager, Zone
from pitboss.games.wild_52 import reasons, rules

_BONUS_LINES = (
    "five-of-a-kind-aces",
    "five-of-a-kind-below-aces",
    "royal-flush-without-joker",
    "royal-flush-with-joker",
    "straight-flush-without-joker",
    "straight-flush-with-joker",
    "four-of-a-kind-without-joker",
    "four-of-a-kind-with-joker",
    "full-house",
    "flush",
    "straight",
)


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List main's outcomes as ``settle_main`` numbers them.

    They are fold, then win, tie and lose for one Play and for two, each with a dealer who qualifies and with one who
    does not.  Against an unqualified dealer, win, tie and lose are those of the Ante (``ante_when_unqualified``).
    """
    outcomes = [Outcome("fold", (Leg("ante", 1, LegResult.LOSE, "folded"),))]
    for path, raises in (("raise-once", ("play",)), ("raise-twice", ("play", "option"))):
        for result, leg_result in (("win", LegResult.WIN), ("tie", LegResult.PUSH), ("lose", LegResult.LOSE)):
            played_legs = tuple(Leg(circle, 2, leg_result, "{showdown}") for circle in raises)
            pushed_legs = tuple(Leg(circle, 2, LegResult.PUSH, NOT_QUALIFIED_REASON) for circle in raises)
            ante = Leg("ante", 1, leg_result, "{ante_unqualified}")
            outcomes.append(
                Outcome(f"{path}-{result}-qualified", (Leg("ante", 1, leg_result, "{showdown}"), *played_legs))
            )
            outcomes.append(Outcome(f"{path}-{result}-not-qualified", (ante, *pushed_legs)))
    return tuple(outcomes)


GAME = Game(
    id="wild-52",
    name="Wild 52",
    summary="Five cards, two community cards and a Joker: fold or play, then check or play again.",
    deck=DECK_53,
    deal_order=(Zone("seat", 5), Zone("dealer", 5), Zone("community", 2)),
    wagers=(
        Wager("main", "Ante and Play", _list_main_outcomes(), circles=("ante",), mandatory=True),
        Wager(
            "bonus",
            "Bonus",
            make_line_outcomes("bonus", _BONUS_LINES, "{no_bonus}"),
            paytable_kinds=("bonus",),
            census=CardSetCensus(7, rules.settle_bonus),
            census_option="bonus_after_fold",
        ),
        Wager(
            "joker",
            "Joker",
            make_line_outcomes("joker", ("joker-in-community", "joker-in-hand"), "{no_joker}"),
            paytable_kinds=("joker",),
            census=CardPositionCensus(FIRST_JOKER),
            census_option="bonus_after_fold",
        ),
    ),
    decisions=(
        Decision(
            "fold-or-play",
            "Fold, or play for two Antes?",
            (Action("fold"), Action("play", stake=2, circle="play")),
            timeout_action="fold",
            view_fields=(ViewField("player", 5, 5),),
        ),
        Decision(
            "check-or-play",
            "Check, or play again for two more Antes?",
            (Action("check"), Action("play-2", stake=2, circle="option")),
            timeout_action="check",
            view_fields=(ViewField("player", 5, 5), ViewField("community", 1, 1)),
        ),
    ),
    options=(
        make_dealer_qualifies_option("pair-of-5", "WJ-3"),
        make_choice_option(
            "ante_when_unqualified",
            ("compare", "win", "push"),
            "WJ-3",
            "what happens to the Ante when the dealer does not qualify",
        ),
        make_on_off_option("bonus_after_fold", "on", "WJ-4", "Bonus and Joker stay in action after a fold"),
        make_choice_option(
            "wild_flush", ("highest_missing", "any_card"), "ALL-2", "which rank the Joker takes in a flush"
        ),
    ),
    options_type=rules.Wild52Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_showdown),
    reason_fields={
        "ante_unqualified": reasons.explain_ante_unqualified,
        "no_bonus": reasons.explain_lost_bonus,
        "no_joker": reasons.explain_lost_joker,
    },
)
