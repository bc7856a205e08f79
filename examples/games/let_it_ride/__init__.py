"""Let It Ride: its wagers, decisions, options, rules and folder of tables."""

from pathlib import Path

from pitboss.builders import collect_rules, make_choice_option, make_line_wager
from pitboss.cards import DECK_52
from pitboss.censuses import CardSetCensus
from pitboss.contract import Action, Decision, Game, Leg, LegResult, Outcome, ViewField, Wager, Zone
from pitboss.games.let_it_ride import rules
from pitboss.hands import FIVE_CARD_LINES, THREE_CARD_LINES, find_three_card_line

_LINES = (*FIVE_CARD_LINES, "pair-of-tens-or-better")
_CIRCLES = ("bet-1", "bet-2", "bet-3")
_PATHS = {"pull-both": (0, 0, 1), "pull-first": (0, 1, 1), "pull-second": (1, 0, 1), "ride-both": (1, 1, 1)}
"""Which of the three bets ride, in the order of ``rules.settle``."""


def _make_leg(circle: str, rides: int, line: str) -> Leg:
    """Make the end of one bet: pulled back, paid on a line, or lost without one."""
    if not rides:
        return Leg(circle, 1, LegResult.PUSH, "pulled back", pulled_back=True)
    if line == "lose":
        return Leg(circle, 1, LegResult.LOSE, "{made}less than a pair of tens")
    return Leg(circle, 1, LegResult.WIN, "{mine}", (line,), "main")


def _list_main_outcomes() -> tuple[Outcome, ...]:
    """List every line and lose, for each choice of the bets that ride."""
    return tuple(
        Outcome(f"{path}-{line}", tuple(map(_make_leg, _CIRCLES, riding, (line,) * 3)))
        for path, riding in _PATHS.items()
        for line in (*_LINES, "lose")
    )


_ACTIONS = (Action("pull-back"), Action("let-it-ride"))
_OWN = ViewField("player", 3, 3)

GAME = Game(
    id="let-it-ride",
    name="Let It Ride",
    summary="Three bets on your three cards and two community cards: pull two of them back, or let them ride.",
    deck=DECK_52,
    deal_order=(Zone("seat", 3), Zone("community", 2)),
    wagers=(
        Wager("main", "Three Bets", _list_main_outcomes(), ("main",), _CIRCLES, mandatory=True),
        make_line_wager(
            "three-card-bonus",
            "3 Card Bonus",
            THREE_CARD_LINES,
            "first three cards: less than a pair",
            CardSetCensus(3, find_three_card_line),
            status_option="three_card_bonus",
        ),
    ),
    decisions=(
        Decision("first-bet", "Pull the first bet back, or let it ride?", _ACTIONS, "pull-back", (_OWN,)),
        Decision(
            "second-bet",
            "Pull the second bet back, or let it ride?",
            _ACTIONS,
            timeout_action="pull-back",
            view_fields=(_OWN, ViewField("community", 1, 1)),
        ),
    ),
    options=(
        make_choice_option(
            "three_card_bonus", ("optional", "mandatory", "off"), "LIR-4", "whether the 3 Card Bonus is offered"
        ),
    ),
    options_type=rules.Options,
    rules=collect_rules(rules),
    folder=Path(__file__).parent,
)
