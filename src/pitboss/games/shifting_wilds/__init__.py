"""The declaration of Shifting Wilds: deck, wagers, decisions, options, rules."""

from pathlib import Path

from pitboss.builders import (
    NOT_QUALIFIED_REASON,
    collect_rules,
    display_name,
    make_choice_option,
    make_dealer_qualifies_option,
    make_line_outcomes,
)
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import (
    Action,
    Decision,
    Game,
    Leg,
    LegResult,
    Outcome,
    StakeConstraint,
    StakeConstraintKind,
    ViewField,
    Wager,
    Zone,
)
from pitboss.games.shifting_wilds import reasons, rules

_BLIND_LINES = ("royal-flush", "five-of-a-kind", "straight-flush", "four-of-a-kind")

_NATURAL_LINES = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
)

_WILD_LINES = ("royal-flush", "five-of-a-kind", "straight-flush", "four-of-a-kind", "full-house", "flush")


def _list_wins(raised: str) -> list[tuple[str, Leg, Leg, Leg]]:
    """List the wins: one for each line of the Blind, then one without a line.

    A win is a suffix for the outcome's name and the legs of the Ante, the raise and the Blind.
    """
    ante, raise_ = (Leg(circle, 1, LegResult.WIN, "{showdown}") for circle in ("ante", raised))
    line_wins = [
        (f"-{line}", ante, raise_, Leg("blind", 1, LegResult.WIN, display_name(line), (line,), "blind"))
        for line in _BLIND_LINES
    ]
    blind_push = Leg("blind", 1, LegResult.PUSH, "won with {mine}: the Blind is paid on four of a kind or better")
    return [*line_wins, ("", ante, raise_, blind_push)]


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List the outcomes of main, in the order of ``settle_main``.

    Fold is first, then each result of a Lock and of a Play, with the dealer qualified and not.
    """
    outcomes = [Outcome("fold", (Leg("ante", 1, LegResult.LOSE, "folded"), Leg("blind", 1, LegResult.LOSE, "folded")))]
    for raised in ("lock", "play"):
        results = [("win", *win) for win in _list_wins(raised)]
        for result, verdict in (("tie", LegResult.PUSH), ("lose", LegResult.LOSE)):
            ante, raise_, blind = (Leg(circle, 1, verdict, "{showdown}") for circle in ("ante", raised, "blind"))
            results.append((result, "", ante, raise_, blind))
        ante_push = Leg("ante", 1, LegResult.PUSH, NOT_QUALIFIED_REASON)
        for result, line, ante, raise_, blind in results:
            outcomes.append(Outcome(f"{raised}-{result}-qualified{line}", (ante, raise_, blind)))
            outcomes.append(Outcome(f"{raised}-{result}-not-qualified{line}", (ante_push, raise_, blind)))
    return tuple(outcomes)


def _list_regular_bonus_outcomes() -> tuple[Outcome, ...]:
    """List the outcomes of the Regular Bonus, ordered as ``REGULAR_BONUS_PAIRS``.

    An outcome is the lines that a hand can make in both columns; the better line is paid.
    """
    outcomes = []
    for natural, wild in rules.REGULAR_BONUS_PAIRS[:-1]:
        lines = (*_name_column_line("natural", _NATURAL_LINES, natural), *_name_column_line("wild", _WILD_LINES, wild))
        leg = Leg("regular-bonus", 1, LegResult.WIN, "{paid}{both_columns}", lines, "regular-bonus", best_only=True)
        outcomes.append(Outcome("-".join(lines), (leg,)))
    losing_leg = Leg("regular-bonus", 1, LegResult.LOSE, "{no_regular_bonus}")
    return (*outcomes, Outcome("lose", (losing_leg,)))


def _name_column_line(column: str, lines: tuple[str, ...], place: int) -> tuple[str, ...]:
    """Return the name of the line at a place of a column, or nothing past its end."""
    return tuple(f"{column}-{line}" for line in lines[place : place + 1])


def _list_bad_beat_outcomes() -> tuple[Outcome, ...]:
    """List the seven lines, lose, and the push of the option ``bad_beat_unlisted``."""
    outcomes = make_line_outcomes("bad-beat", _NATURAL_LINES, "{no_bad_beat}", win_reason="{natural_showdown}")
    return (*outcomes, Outcome("push", (Leg("bad-beat", 1, LegResult.PUSH, "{no_bad_beat}"),)))


GAME = Game(
    id="shifting-wilds",
    name="Shifting Wilds Poker",
    summary="Four cards, two community cards and two indicators: lock in the first wild rank or wait for the next.",
    deck=DECK_52,
    deal_order=(Zone("w1", 1), Zone("w2", 1), Zone("community", 2), Zone("seat", 4), Zone("dealer", 4)),
    wagers=(
        Wager(
            "main",
            "Ante, Blind, and Lock or Play",
            _list_main_outcomes(),
            paytable_kinds=("blind",),
            circles=("ante", "blind"),
            mandatory=True,
        ),
        Wager(
            "regular-bonus",
            "Regular Bonus",
            _list_regular_bonus_outcomes(),
            paytable_kinds=("regular-bonus",),
            constraints=(StakeConstraint(StakeConstraintKind.AT_MOST, "main", "SW-6"),),
        ),
        Wager("bad-beat", "Bad Beat", _list_bad_beat_outcomes(), paytable_kinds=("bad-beat",)),
        Wager(
            "blackjack-bonus",
            "Blackjack Bonus",
            make_line_outcomes(
                "blackjack-bonus", ("suited-blackjack", "unsuited-blackjack"), "no ace with a ten, jack, queen or king"
            ),
            paytable_kinds=("blackjack-bonus",),
            census=CardSetCensus(4, rules.settle_blackjack),
        ),
    ),
    decisions=(
        Decision(
            "check-or-lock",
            "Check, or lock W1 as your indicator for one more Ante?",
            (Action("check"), Action("lock", stake=1, circle="lock")),
            timeout_action="check",
            view_fields=(ViewField("player", 4, 4), ViewField("community", 2, 2), ViewField("w1", 1, 1, "indicators")),
        ),
        Decision(
            "play-or-fold",
            "Play with W2 as your indicator for one more Ante, or fold?",
            (Action("play", stake=1, circle="play"), Action("fold")),
            timeout_action="fold",
            view_fields=(
                ViewField("player", 4, 4),
                ViewField("community", 2, 2),
                ViewField("w1", 1, 1, "indicators"),
                ViewField("w2", 1, 1, "indicators"),
            ),
        ),
    ),
    options=(
        make_dealer_qualifies_option("pair-of-2", "SW-4"),
        make_choice_option(
            "wild_flush", ("highest_missing", "any_card"), "ALL-2", "which rank a wild card takes in a flush"
        ),
        make_choice_option(
            "bad_beat_unlisted", ("lose", "push"), "SW-7", "how a Bad Beat won below three of a kind is settled"
        ),
    ),
    options_type=rules.ShiftingOptions,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    reason_fields={
        "both_columns": reasons.compare_columns,
        "no_regular_bonus": reasons.explain_lost_regular_bonus,
        "natural_showdown": reasons.describe_natural_showdown,
        "no_bad_beat": reasons.explain_lost_bad_beat,
    },
    find_wild_cards=reasons.find_both_wild_cards,
)
