"""Shifting Wilds Poker: what it is, which wagers it has, where its rules and tables are."""

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
from pitboss.contract import (
    Action,
    CardSetCensus,
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
    """List the wins: a suffix, the legs of Ante and raise, and what the Blind pays, line by line and then nothing."""
    ante, raise_ = (Leg(circle, 1, LegResult.WIN, "{showdown}") for circle in ("ante", raised))
    paid = [
        (f"-{line}", ante, raise_, Leg("blind", 1, LegResult.WIN, display_name(line), (line,), "blind"))
        for line in _BLIND_LINES
    ]
    pushed = Leg("blind", 1, LegResult.PUSH, "won with {mine}: the Blind is paid on four of a kind or better")
    return [*paid, ("", ante, raise_, pushed)]


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List fold, then for Lock and Play each way to stand, the dealer qualified and not, as ``main_outcome`` does."""
    listed = [Outcome("fold", (Leg("ante", 1, LegResult.LOSE, "folded"), Leg("blind", 1, LegResult.LOSE, "folded")))]
    for raised in ("lock", "play"):
        standings = [("win", *each) for each in _list_wins(raised)]
        for result, verdict in (("tie", LegResult.PUSH), ("lose", LegResult.LOSE)):
            ante, raise_, blind = (Leg(circle, 1, verdict, "{showdown}") for circle in ("ante", raised, "blind"))
            standings.append((result, "", ante, raise_, blind))
        pushed = Leg("ante", 1, LegResult.PUSH, NOT_QUALIFIED_REASON)
        for result, line, ante, raise_, blind in standings:
            listed.append(Outcome(f"{raised}-{result}-qualified{line}", (ante, raise_, blind)))
            listed.append(Outcome(f"{raised}-{result}-not-qualified{line}", (pushed, raise_, blind)))
    return tuple(listed)


def _list_regular_bonus_outcomes() -> tuple[Outcome, ...]:
    """List what a hand can make on both columns, in the order of ``REGULAR_BONUS_PAIRS``; the better line is paid."""
    listed = []
    for natural, wild in rules.REGULAR_BONUS_PAIRS[:-1]:
        lines = (*_name_column_line("natural", _NATURAL_LINES, natural), *_name_column_line("wild", _WILD_LINES, wild))
        leg = Leg("regular-bonus", 1, LegResult.WIN, "{paid}", lines, "regular-bonus", best_only=True)
        listed.append(Outcome("-".join(lines), (leg,)))
    lost = Leg("regular-bonus", 1, LegResult.LOSE, "{no_regular_bonus}")
    return (*listed, Outcome("lose", (lost,)))


def _name_column_line(column: str, lines: tuple[str, ...], place: int) -> tuple[str, ...]:
    """Name the line at a place of a column; past its end there is none."""
    return tuple(f"{column}-{line}" for line in lines[place : place + 1])


def _list_bad_beat_outcomes() -> tuple[Outcome, ...]:
    """List the seven lines, lose, and the push of the option ``bad_beat_unlisted``."""
    listed = make_line_outcomes("bad-beat", _NATURAL_LINES, "{no_bad_beat}", win_reason="{natural_showdown}")
    return (*listed, Outcome("push", (Leg("bad-beat", 1, LegResult.PUSH, "{no_bad_beat}"),)))


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
            "Check, or lock W1 as your indicator for one Ante more?",
            (Action("check"), Action("lock", stake=1, circle="lock")),
            timeout_action="check",
            view_fields=(ViewField("player", 4, 4), ViewField("community", 2, 2), ViewField("w1", 1, 1, "indicators")),
        ),
        Decision(
            "play-or-fold",
            "Play with W2 as your indicator for one Ante more, or fold?",
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
            "wild_flush", ("highest_missing", "any_card"), "ALL-2", "what a wild card may stand for in a flush"
        ),
        make_choice_option(
            "bad_beat_unlisted", ("lose", "push"), "SW-7", "what becomes of a Bad Beat won below three of a kind"
        ),
    ),
    options_type=rules.ShiftingOptions,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    solver="solver",
    reason_fields={
        "no_regular_bonus": reasons.explain_lost_regular_bonus,
        "natural_showdown": reasons.describe_natural_showdown,
        "no_bad_beat": reasons.explain_lost_bad_beat,
    },
)
