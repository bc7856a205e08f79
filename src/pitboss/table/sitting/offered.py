"""What may be wagered at a table, and what must be."""

from typing import Any

from pitboss.contract import Game, StakeConstraint, Wager
from pitboss.options import find_active_constraints
from pitboss.table.domain.wagers import circle_name, tie_words
from pitboss.table.sitting.state import Sitting, opening

Json = dict[str, Any]


def wagers_offered(now: Sitting) -> list[Json]:
    """Return every wager of the table: what may be staked on it, where its chips lie, and what ties it to others."""
    first = opening(now.terms, None)
    return [
        {
            "bet": wager.id,
            "name": wager.name,
            "status": first.status_of(wager),
            "place": wager.hand_owner.name.lower(),
            "circles": [{"circle": each, "name": circle_name(each, first.game)} for each in circles_of(wager)],
            "minimum_cents": first.limits[wager.id].minimum_cents,
            "maximum_cents": first.limits[wager.id].maximum_cents,
            "unit_cents": first.limits[wager.id].unit_cents,
            "ties": [_tie(tie, first.game) for tie in find_active_constraints(wager, first.options)],
            "paytables": {kind: first.paytables[kind].id for kind in wager.paytable_kinds},
        }
        for wager in first.game.wagers
        if first.status_of(wager) != "off"
    ]


def circles_of(wager: Wager) -> tuple[str, ...]:
    """Return the circles in which a wager lies, a stake in each."""
    return wager.circles or (wager.id,)


def _tie(tie: StakeConstraint, game: Game) -> Json:
    return {"kind": tie.kind.name.lower(), "bet": tie.bet, "text": f"{tie_words(game, tie)} ({tie.ruling})"}


def least_cents(now: Sitting) -> int:
    """Return what must be put down to be dealt in, in all circles together."""
    offered = {each["bet"]: each for each in wagers_offered(now)}

    def low(wager: Json) -> int:
        bound = [offered[tie["bet"]]["minimum_cents"] for tie in wager["ties"] if tie["kind"] == "at_least"]
        return int(max(wager["minimum_cents"], *bound, 0))

    return sum(low(each) * len(each["circles"]) for each in offered.values() if each["status"] == "mandatory")
