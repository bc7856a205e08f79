"""Mississippi Stud: its wagers, decisions, options, rules and folder of tables."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from pitboss.builders import collect_rules, make_fold_reason, make_line_wager, make_on_off_option
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Action, Decision, Game, HandOwner, Leg, LegResult, Outcome, ViewField, Wager, Zone
from pitboss.games.mississippi_stud import rules
from pitboss.hands import FIVE_CARD_LINES, THREE_CARD_LINES, find_three_card_line

_STREETS = ("third-street", "fourth-street", "fifth-street")
_LINES = (*FIVE_CARD_LINES, "pair-of-jacks-or-better")


def _make_outcome(bets: tuple[int, ...], name: str, result: LegResult, reason: str, line: str = "") -> Outcome:
    """Make an outcome of the Ante and the bets made, all with one result."""
    legs = (
        Leg(circle, stake, result, reason, (line,) if line else (), "main" if line else "")
        for circle, stake in zip(("ante", *_STREETS), (1, *bets), strict=False)
    )
    return Outcome("-".join(("bet", *map(str, bets), name)) if bets else name, tuple(legs))


def _list_main_outcomes() -> Iterator[Outcome]:
    """List the folds by path, then the results by path, as ``rules.settle_main``."""
    for street in range(len(_STREETS)):
        for bets in product((1, 2, 3), repeat=street):
            yield _make_outcome(bets, "fold", LegResult.LOSE, "folded")
    for bets in product((1, 2, 3), repeat=len(_STREETS)):
        yield from (_make_outcome(bets, line, LegResult.WIN, "{mine}", line) for line in _LINES)
        yield _make_outcome(bets, "push", LegResult.PUSH, "{mine}")
        yield _make_outcome(bets, "lose", LegResult.LOSE, "{made}less than a pair of sixes")


def _make_decision(street: int) -> Decision:
    """Make the decision to fold, or to bet one to three Antes on a street."""
    circle = _STREETS[street]
    bets = (Action(f"bet-{stake}", stake=stake, circle=circle) for stake in (1, 2, 3))
    seen = (ViewField("community", street, street),) if street else ()
    question = f"Fold, or bet one, two or three Antes on {circle.replace('-', ' ')}?"
    return Decision(circle, question, (Action("fold"), *bets), "fold", (ViewField("player", 2, 2), *seen))


GAME = Game(
    id="mississippi-stud",
    name="Mississippi Stud",
    summary="Two cards and three community cards: before each of them fold, or bet one to three Antes.",
    deck=DECK_52,
    deal_order=(Zone("seat", 2), Zone("community", 3)),
    wagers=(
        Wager("main", "Ante and Bets", tuple(_list_main_outcomes()), ("main",), ("ante",), mandatory=True),
        make_line_wager(
            "three-card-bonus",
            "3 Card Bonus",
            THREE_CARD_LINES,
            "{no_bonus}",
            CardSetCensus(3, find_three_card_line),
            hand_owner=HandOwner.COMMUNITY,
            census_option="bonus_after_fold",
        ),
    ),
    decisions=tuple(map(_make_decision, range(len(_STREETS)))),
    options=(make_on_off_option("bonus_after_fold", "on", "MS-4", "the 3 Card Bonus stays in action after a fold"),),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
    reason_fields={"no_bonus": make_fold_reason(rules.is_lost_by_fold, "community cards: less than a pair")},
)
