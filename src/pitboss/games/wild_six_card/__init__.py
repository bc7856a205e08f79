"""Define Wild Six Card Poker: its wagers, options, rules and folder of tables."""

from pathlib import Path

from pitboss.builders import collect_rules, display_name, make_choice_option, make_line_outcomes, make_on_off_option
from pitboss.cards import DECK_54
from pitboss.censuses import CardSetCensus, LastCardCensus
from pitboss.contract import (
    ONE_DOLLAR,
    Action,
    Decision,
    Game,
    Leg,
    LegResult,
    Option,
    Outcome,
    Showdown,
    StakeConstraint,
    StakeConstraintKind,
    ViewField,
    Wager,
    Zone,
)
from pitboss.games.wild_six_card import reasons, rules
from pitboss.hands import ANY_CARD_FLUSH

_DRAW_BONUS_LINES = (
    "natural-royal-flush",
    "five-of-a-kind",
    "wild-royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
)

_TAX_SCHEDULE = ("straight-or-better", "three-of-a-kind", "two-pair", "one-pair-or-lower")

_STRAIGHT_OR_BETTER_LINES = (
    "six-of-a-kind",
    "six-card-straight-flush",
    "four-aces-and-a-pair",
    "four-of-a-kind-and-a-pair",
    "double-three-of-a-kind",
    "six-card-flush",
    "six-card-straight",
)


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List main's outcomes as ``rules.settle`` numbers them.

    They are the automatic win, four after a discard, and four after standing.
    """
    automatic = Leg("poker", 1, LegResult.WIN, "{mine}: paid before the dealer's hand is seen")
    outcomes = [Outcome("automatic-win", (automatic,))]
    for path in ("discard", "stand"):
        for result, leg_result, reason in (
            ("win", LegResult.WIN, "{showdown}"),
            ("tie", LegResult.PUSH, "{showdown}"),
            ("lose", LegResult.LOSE, "{showdown}"),
            ("push", LegResult.PUSH, "{showdown}: Poker pushes against four of a kind or better"),
        ):
            outcomes.append(Outcome(f"{path}-{result}", (Leg("poker", 1, leg_result, reason),)))
    return tuple(outcomes)


def _make_tax_outcome(tax: str, line: str) -> Outcome:
    """Make the outcome of a tax and a line.

    The tax is taken, the line paid, and the dollar always returned.
    """
    bet = "taxpayers-fortune"
    tax_leg = Leg("tax", 0, LegResult.LOSE, "tax on {first_five}", (f"tax-{tax}",), bet)
    if line == "lose":
        wager_leg = Leg(bet, 1, LegResult.PUSH, "no paying six-card hand, the dollar is returned")
    else:
        wager_leg = Leg(bet, 1, LegResult.WIN, display_name(line), (line,), bet)
    return Outcome(f"tax-{tax}-{line}", (tax_leg, wager_leg))


def _list_tax_outcomes() -> tuple[Outcome, ...]:
    """List the pairs of tax and line that can occur.

    They are in the order of ``rules.number_tax_outcome``.
    """
    return (
        *(_make_tax_outcome("straight-or-better", line) for line in _STRAIGHT_OR_BETTER_LINES),
        _make_tax_outcome("one-pair-or-lower", "six-card-straight"),
        _make_tax_outcome("two-pair", "three-pair"),
        *(_make_tax_outcome(tax, "lose") for tax in _TAX_SCHEDULE),
    )


GAME = Game(
    id="wild-six-card",
    name="Wild Six Card Poker",
    summary="Five cards, one discard, one draw, two Jokers wild; a straight or better wins at once.",
    deck=DECK_54,
    deal_order=(Zone("seat", 5), Zone("dealer", 5)),
    wagers=(
        Wager("main", "Poker", _list_main_outcomes(), circles=("poker",), mandatory=True),
        Wager(
            "queens-or-better",
            "Queens Or Better",
            make_line_outcomes(
                "queens-or-better", (*_DRAW_BONUS_LINES, "pair-of-queens-or-better"), "less than a pair of queens"
            ),
            paytable_kinds=("queens-or-better",),
            status_option="queens_or_better",
            census=CardSetCensus(5, rules.settle_queens_or_better),
        ),
        Wager(
            "taxpayers-fortune",
            "Taxpayer's Fortune",
            _list_tax_outcomes(),
            paytable_kinds=("taxpayers-fortune",),
            limits=ONE_DOLLAR,
            constraints=(StakeConstraint(StakeConstraintKind.ONLY_WITH, "queens-or-better", "W6-6"),),
            census=LastCardCensus(6, rules.settle_taxpayers_fortune),
            settles_last=True,
        ),
        Wager(
            "draw-bonus",
            "Draw Bonus",
            make_line_outcomes(
                "draw-bonus",
                _DRAW_BONUS_LINES,
                "all six cards: {all_six}, less than two pair",
                win_reason="{paid}{with_card}",
            ),
            paytable_kinds=("draw-bonus",),
            status_option="draw_bonus",
            census=CardSetCensus(6, rules.settle_draw_bonus),
        ),
    ),
    decisions=(
        Decision(
            "discard-or-stand",
            "Which card do you discard?",
            (Action("discard", discards=1, draws=1), Action("stand")),
            timeout_action="discard",
            view_fields=(ViewField("player", 5, 5),),
        ),
    ),
    options=(
        make_on_off_option("stand_pat", "off", "W6-3", "a player may keep all five cards"),
        make_choice_option(
            "queens_or_better", ("optional", "mandatory", "off"), "W6-7", "whether Queens Or Better is offered"
        ),
        make_choice_option("draw_bonus", ("optional", "mandatory", "off"), "W6-7", "whether Draw Bonus is offered"),
        Option(
            "wild_flush",
            ("highest_missing", "any_card"),
            "highest_missing",
            "ALL-2",
            "which rank a wild card takes in a flush",
            codes=(0, ANY_CARD_FLUSH),
        ),
    ),
    options_type=rules.WildSixOptions,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    showdown=Showdown(rules.rank_player, rules.rank_dealer, rules.settle_showdown),
    reason_fields={
        "first_five": reasons.name_first_five,
        "all_six": reasons.name_all_six,
        "with_card": reasons.name_needed_card,
    },
)
