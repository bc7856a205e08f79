"""What lies in a seat's circles: chips, or the result of a wager."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.paytables import find_progressive_table
from pitboss.table.session import TableSession
from pitboss.web.templating import format_money

Json = Mapping[str, Any]


def count_chips_at_stake(session: TableSession, own: Json) -> Counter[str]:
    """Count the cents at stake in each of a seat's circles, by the circle's id.

    These are the next wagers once they are placed, before that those of the round.  Chips of a settled wager are no
    longer in its circle: the dealer has taken them, or the seat has them.
    """
    chips = Counter[str]()
    for each in own["wagers"] or own["circles"]:
        if not _is_paid(session, own, each):
            chips[each["circle"]] += each["cents"]
    return chips


def describe_results(session: TableSession, own: Json) -> dict[str, Json]:
    """Say what each settled circle of a seat won or lost, by the circle's id.

    There are none once the next wagers are placed.  Several wagers of one circle, on other seats' hands, are summed.
    """
    settled: dict[str, list[Json]] = {}
    for each in () if own["wagers"] else own["circles"]:
        if _is_paid(session, own, each):
            settled.setdefault(each["circle"], []).append(each)
    return {circle: result for circle, parts in settled.items() if (result := describe_circle_result(parts))}


def describe_circle_result(parts: Iterable[Json]) -> Json | None:
    """Say what a circle won or lost, and its kind as in the list of results.

    A circle that loses nothing has no result, as a tax that is not due.

    >>> for parts in ([("win", 500)], [("lose", -500)], [("push", 0)], [("win", 500), ("lose", -500)], [("lose", 0)]):
    ...     print(describe_circle_result([{"result": result, "net_cents": cents} for result, cents in parts]))
    {'words': 'won $5', 'kind': 'win'}
    {'words': 'lost $5', 'kind': 'lose'}
    {'words': 'push', 'kind': 'same'}
    {'words': 'even', 'kind': 'same'}
    None
    """
    counted = [each for each in parts if each["result"] != "lose" or each["net_cents"]]
    net_cents = sum(each["net_cents"] for each in counted)
    if not counted:
        return None
    if not net_cents:
        return {"words": "push" if not any(each["net_cents"] for each in counted) else "even", "kind": "same"}
    verb, kind = ("won", "win") if net_cents > 0 else ("lost", "lose")
    return {"words": f"{verb} {format_money(abs(net_cents))}", "kind": kind}


def _is_paid(session: TableSession, own: Json, circle: Json) -> bool:
    """Return whether a circle is settled and all that it won is paid.

    A linked progressive pays an award once it is confirmed and the round is settled.
    """
    if not circle.get("result"):
        return False
    if circle["result"] == "lose" or not session.terms.linked or not session.is_in_round(own["seat"]):
        return True
    table = session.round and find_progressive_table(session.round.paytables)
    return not (table and circle["bet"] == table.bet)
