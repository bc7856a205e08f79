"""The wagers that a table offers or requires."""

from typing import Any

from pitboss.contract import Game, StakeConstraint, Wager
from pitboss.options import find_active_constraints
from pitboss.table.round.wagers import describe_constraint, get_circle_name
from pitboss.table.session.state import TableSession, open_table_round

Json = dict[str, Any]


def list_available_wagers(session: TableSession) -> list[Json]:
    """List every wager of the table with its limits, circles and constraints."""
    first = open_table_round(session.terms, None)
    return [
        {
            "bet": wager.id,
            "name": wager.name,
            "status": first.get_wager_status(wager),
            "place": wager.hand_owner.name.lower(),
            "circles": [{"circle": each, "name": get_circle_name(each, first.game)} for each in get_circles(wager)],
            "minimum_cents": first.limits[wager.id].minimum_cents,
            "maximum_cents": first.limits[wager.id].maximum_cents,
            "unit_cents": first.limits[wager.id].unit_cents,
            "ties": [_format_constraint(each, first.game) for each in find_active_constraints(wager, first.options)],
            "paytables": {kind: first.paytables[kind].id for kind in wager.paytable_kinds},
        }
        for wager in first.game.wagers
        if first.get_wager_status(wager) != "off"
    ]


def get_circles(wager: Wager) -> tuple[str, ...]:
    """Return the circles of a wager; each takes one stake."""
    return wager.circles or (wager.id,)


def _format_constraint(constraint: StakeConstraint, game: Game) -> Json:
    return {
        "kind": constraint.kind.name.lower(),
        "bet": constraint.bet,
        "text": f"{describe_constraint(game, constraint)} ({constraint.ruling})",
    }


def compute_minimum_cents(session: TableSession) -> int:
    """Compute the least stake for being dealt in, in cents over all circles."""
    wagers = {each["bet"]: each for each in list_available_wagers(session)}

    def compute_lowest(wager: Json) -> int:
        bounds = [wagers[each["bet"]]["minimum_cents"] for each in wager["ties"] if each["kind"] == "at_least"]
        return int(max(wager["minimum_cents"], *bounds, 0))

    return sum(compute_lowest(each) * len(each["circles"]) for each in wagers.values() if each["status"] == "mandatory")
