"""Define Lunar Poker: its wagers, outcomes, rules and folder of tables."""

from pathlib import Path

from pitboss.builders import collect_rules, make_choice_option, make_dealer_qualifies_option, make_on_off_option
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import (
    Action,
    Decision,
    Game,
    HandOwner,
    Leg,
    LegResult,
    Outcome,
    PayOrder,
    StakeConstraint,
    StakeConstraintKind,
    ViewField,
    Wager,
    Zone,
)
from pitboss.games.lunar import rules
from pitboss.games.lunar.first_five import INSTANT_CASH_LINES, SUPER_LINES
from pitboss.games.lunar.outcomes import list_main_outcomes, make_paid_outcome
from pitboss.games.lunar.reasons import explain_outcome, find_replaced_cards


def _list_super_outcomes(bet: str) -> tuple[Outcome, ...]:
    """List the outcomes of a Super wager: its eight lines, and lose.

    Three wagers share this table, each with its own circle.
    """
    paid = (make_paid_outcome(bet, line, "super") for line in SUPER_LINES)
    return (*paid, Outcome("lose", (Leg(bet, 1, LegResult.LOSE, "no combination that pays at this table"),)))


def _list_instant_cash_outcomes() -> tuple[Outcome, ...]:
    """List the outcomes of Instant Cash, which is a part of `main`.

    They are its two lines, paid on the Ante, or nothing.
    """
    paid = (make_paid_outcome("ante", line, "instant-cash") for line in INSTANT_CASH_LINES)
    return (*paid, Outcome("push", (Leg("ante", 1, LegResult.PUSH, "no straight flush: the round goes on"),)))


_PAY_ORDERS = tuple(
    PayOrder("bet", line, others, "LU-9")
    for line, others in {
        "straight-flush": ("flush",),
        "full-house": ("three-of-a-kind", "two-pair", "pair", "ace-king"),
        "flush": ("ace-king",),
        "straight": ("pair", "ace-king"),
        "two-pair": ("pair", "ace-king"),
        "pair": ("ace-king",),
    }.items()
)
"""The second combination that ``find_second_combination`` takes, and the others that a hand may also have."""

_DRAW_FIELDS = (ViewField("drew", 1, 5), ViewField("discarded", 0, 5))

GAME = Game(
    id="lunar",
    name="Lunar Poker",
    summary="Five cards each; you see one of the dealer's. Fold, play or draw, and force a weak dealer to draw.",
    deck=DECK_52,
    deal_order=(Zone("seat", 5), Zone("dealer", 5)),
    wagers=(
        Wager(
            "main",
            "Ante and Bet",
            tuple(explain_outcome(outcome) for outcome in list_main_outcomes()),
            paytable_kinds=("bet", "instant-cash"),
            circles=("ante",),
            mandatory=True,
            pay_orders=_PAY_ORDERS,
        ),
        Wager(
            "super",
            "Super",
            _list_super_outcomes("super"),
            paytable_kinds=("super",),
            mandatory=True,
            constraints=(StakeConstraint(StakeConstraintKind.AT_LEAST, "main", "LU-1", option="super_at_least_ante"),),
            census=CardSetCensus(5, rules.settle_super),
            depends_on_colour=True,
        ),
        Wager(
            "multi-super",
            "Multi Super",
            _list_super_outcomes("multi-super"),
            paytable_kinds=("super",),
            hand_owner=HandOwner.OTHER_SEAT,
            census=CardSetCensus(5, rules.settle_super),
            depends_on_colour=True,
        ),
        Wager(
            "dealer-super",
            "Dealer Super",
            _list_super_outcomes("dealer-super"),
            paytable_kinds=("super",),
            hand_owner=HandOwner.DEALER,
            census=CardSetCensus(5, rules.settle_super),
            depends_on_colour=True,
        ),
    ),
    main_parts=(
        Wager(
            "instant-cash",
            "Instant Cash",
            _list_instant_cash_outcomes(),
            paytable_kinds=("instant-cash",),
            circles=("ante",),
            census=CardSetCensus(5, rules.settle_instant_cash),
        ),
    ),
    decisions=(
        Decision(
            "fold-play-or-draw",
            "Fold, play for two more Antes, or draw for one: buy a sixth card, or exchange two to five?",
            (
                Action("fold"),
                Action("play", stake=2, circle="bet"),
                Action("buy", stake=1, circle="fee", draws=1),
                *(Action(f"exchange-{n}", discards=n, stake=1, circle="fee", draws=n) for n in range(2, 6)),
            ),
            timeout_action="fold",
            view_fields=(ViewField("player", 5, 5), ViewField("dealer", 1, 1)),
        ),
        Decision(
            "fold-or-play",
            "Fold, or play for two more Antes?",
            (Action("fold"), Action("play", stake=2, circle="bet")),
            timeout_action="fold",
            view_fields=(ViewField("player", 5, 6), ViewField("dealer", 1, 1), *_DRAW_FIELDS),
        ),
        Decision(
            "take-ante-or-force",
            "The dealer does not qualify.  Take the Ante, or pay one Ante to force the dealer to replace a card?",
            (Action("take-ante"), Action("force", stake=1, circle="force")),
            timeout_action="take-ante",
            view_fields=(
                ViewField("player", 5, 6),
                ViewField("dealer", 5, 5),
                ViewField("drew", 0, 5),
                ViewField("discarded", 0, 5),
            ),
            shows_dealer=True,
        ),
    ),
    options=(
        make_dealer_qualifies_option("ace-king", "LU-7"),
        make_on_off_option("super_at_least_ante", "on", "LU-1", "Super is at least the Ante"),
        make_on_off_option(
            "akq_needs_no_pair", "off", "LU-5", "Super pays ace-king-queen only on a hand without a pair"
        ),
        make_choice_option(
            "paired_straight",
            ("two_straights", "straight_and_pair"),
            "LU-9",
            "how a straight with one paired rank is paid",
        ),
        make_choice_option(
            "force_replaces", ("highest", "lowest"), "LU-10", "which of the dealer's cards Force replaces"
        ),
        make_choice_option(
            "short_deck",
            ("reshuffle", "refuse"),
            "LU-11",
            "what happens when the stub is too short for a draw: shuffle in other seats' discards, or refuse the draw",
        ),
    ),
    options_type=rules.LunarOptions,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    find_replaced_cards=find_replaced_cards,
    deck_backs=("red", "blue"),
    undrawable_cards=1,
)
