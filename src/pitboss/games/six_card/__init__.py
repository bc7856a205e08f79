"""Six Card Poker, with its progressive: what it is, which wagers it has, where its rules and tables are."""

from pathlib import Path

from pitboss.cards import DECK_52
from pitboss.contract import (
    ONE_DOLLAR,
    Action,
    Decision,
    EveryPairOfHands,
    EverySet,
    Game,
    Leg,
    Outcome,
    Seen,
    Verdict,
    Wager,
    Zone,
)
from pitboss.describe import NOT_QUALIFIED, choice, dealer_qualifies, line_outcomes, on_off, rules_in
from pitboss.games.six_card import rules, words

_ACES_UP = (
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


def _main_outcomes() -> tuple[Outcome, ...]:
    """List fold, then win, tie and lose, each with the dealer qualified and not, as ``main_outcome`` numbers them."""
    listed = [Outcome("fold", (Leg("ante", 1, Verdict.LOSE, "folded"),))]
    for result, verdict in (("win", Verdict.WIN), ("tie", Verdict.PUSH), ("lose", Verdict.LOSE)):
        played = Leg("play", 1, verdict, "{showdown}")
        listed.append(Outcome(f"play-{result}-qualified", (Leg("ante", 1, verdict, "{showdown}"), played)))
        pushed = Leg("ante", 1, Verdict.PUSH, NOT_QUALIFIED)
        listed.append(Outcome(f"play-{result}-not-qualified", (pushed, played)))
    return tuple(listed)


GAME = Game(
    id="six-card",
    name="Six Card Poker",
    summary="Six cards each, best five; three of the dealer's are seen before you fold or play.",
    deck=DECK_52,
    dealing=(Zone("seat", 6), Zone("dealer", 6)),
    wagers=(
        Wager("main", "Ante and Play", _main_outcomes(), circles=("ante",), mandatory=True),
        Wager(
            "aces-up",
            "Aces Up",
            line_outcomes("aces-up", _ACES_UP, "{made}less than a pair of aces"),
            tables=("aces-up",),
            census=EverySet(6, rules.aces_up_of),
        ),
        Wager(
            "bad-beat",
            "Bad Beat",
            line_outcomes("bad-beat", _ACES_UP[1:], "{no_bad_beat}", won="{showdown}: the losing hand is paid"),
            tables=("bad-beat",),
            census=EveryPairOfHands(
                6, rules.hand_strength, rules.bad_beat_outcome, lowest=rules.PAIR_OF_ACES, otherwise=8
            ),
        ),
        Wager(
            "progressive",
            "Progressive",
            line_outcomes("progressive", _ACES_UP[:6], "{made}less than a straight"),
            tables=("progressive",),
            limits=ONE_DOLLAR,
            census=EverySet(6, rules.progressive_of),
        ),
    ),
    decisions=(
        Decision(
            "fold-or-play",
            "Fold, or play for one Ante more?",
            (Action("fold"), Action("play", stake=1, circle="play")),
            timeout="fold",
            sees=(Seen("player", 6, 6), Seen("dealer", 3, 3)),
        ),
    ),
    options=(
        dealer_qualifies("ace-king", "SC-1"),
        on_off("envy_hitter_must_wager", "on", "SC-4", "envy is paid only for the hit of a seat that wagered itself"),
        choice("award_order", ("sequence", "split"), "SC-6", "how percentage awards of one round share the meter"),
        choice("award_rounding", ("cent", "dollar"), "SC-7", "what a percentage award is rounded down to"),
        choice("fixed_awards_from", ("tray", "meter"), "SC-8", "what pays the fixed awards"),
    ),
    options_type=rules.Options,
    rules=rules_in(rules),
    folder=Path(__file__).parent,
    solver="solver",
    words={"no_bad_beat": words.no_bad_beat},
)
