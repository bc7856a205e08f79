"""What each decision of a seat in a settled round was worth: a chart and a table."""

from collections.abc import Sequence
from fractions import Fraction
from time import monotonic
from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams

from pitboss.builders import capitalize_first, display_name
from pitboss.cards import Deck, format_card
from pitboss.core.errors import PitbossError
from pitboss.engine.solver_lookup import can_solve
from pitboss.table.branches import SeatChoice, list_seat_choices
from pitboss.table.round import Round, RoundClosed, WagerSettled
from pitboss.value_units import name_value_unit
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.coach import get_side_stakes
from pitboss.web.jobs.player_leaks import ReviewedDecision, TakenDecision, list_seat_decisions, review_decision
from pitboss.web.jobs.queue import JobPriority
from pitboss.web.pages.guest_seat import TableName
from pitboss.web.pages.page_call import PageCall, ViewCall
from pitboss.web.pages.round_chart import RoundChart, draw_round
from pitboss.web.pages.seen_round import RoundNumber, SeatNumber, SeenRound, find_seen_round
from pitboss.web.pages.table_layout import name_circle

router = APIRouter(include_in_schema=False)

_WORK_SECONDS = 2.0
"""How long a request for the values waits for them."""


class ShownDecision(NamedTuple):
    """A decision: its step, its links, and its values, None while they are counted."""

    step: int
    link: str
    what_if: str
    name: str
    made: ReviewedDecision | None


class ValuedResult(NamedTuple):
    """What a seat won or lost on the wagers that values count, and on the others.

    ``bets`` are the names of the former, ``placed`` those of the circles with chips of theirs.
    """

    net: Fraction
    net_cents: int
    others_cents: int
    bets: tuple[str, ...]
    placed: tuple[str, ...]


@router.get("/tables/{table}/rounds/{number}/values")
async def show_round_values(
    call: ViewCall, table: TableName, number: RoundNumber, seat: SeatNumber = 0
) -> HTMLResponse:
    """Show what each decision of a seat was worth, as far as it is counted."""
    seen = await run_in_threadpool(find_seen_round, call, table, number, seat)
    shown = await value_round(call, seen, _WORK_SECONDS)
    if shown["pending"]:
        return await run_in_threadpool(call.render_pending, "table/values.html", **shown)
    return await call.render_in_thread("table/values.html", **shown)


async def value_round(call: PageCall, seen: SeenRound, seconds: float) -> dict[str, Any]:
    """Value the decisions of a seat for some seconds; return the template's context."""
    settled, last = seen.steps[-1].round, len(seen.steps) - 1
    shown: dict[str, Any] = {"seen": seen, "pending": False, "refusal": "", "chart": None, "decisions": ()}
    if seen.seat is None or settled is None:
        return shown
    game = settled.game
    if not can_solve(game):
        return shown | {"refusal": f"{game.name} has no solver to value decisions"}
    index = seen.steps[-1].round_seats.index(seen.seat)
    taken = await run_in_threadpool(list_seat_decisions, seen.steps, seen.seat)
    values, refusal = await _value(call, [each for _, each in taken], seconds)
    decisions = [
        ShownDecision(
            step,
            seen.get_step_link(step),
            _link_what_if(seen, game.deck, place),
            capitalize_first(display_name(each.decision)),
            made,
        )
        for place, ((step, each), made) in enumerate(zip(taken, values, strict=True))
    ]
    result, unit = _sum_result(settled, index), name_value_unit(game)
    return shown | {
        "decisions": decisions,
        "valued": sum(made is not None for made in values),
        "pending": None in values and not refusal,
        "refusal": refusal,
        "result": result,
        "last_link": seen.get_step_link(last),
        "unit": unit,
        "chart": _draw(decisions, result, seen.get_step_link(last), unit),
    }


def _draw(decisions: Sequence[ShownDecision], result: ValuedResult, link: str, unit: str) -> RoundChart | None:
    """Draw the chart once every decision is valued."""
    made = [(each.link, each.made) for each in decisions if each.made]
    return draw_round(made, result.net, link, unit) if made and len(made) == len(decisions) else None


async def _value(
    call: PageCall, taken: Sequence[TakenDecision], seconds: float
) -> tuple[list[ReviewedDecision | None], str]:
    """Return the values of decisions, and why one cannot be valued.

    Values that are still counted are None.
    """
    end, refusal = monotonic() + seconds, ""
    values = list[ReviewedDecision | None]()
    for each in taken:
        hints = None
        try:
            left = max(0.0, end - monotonic())
            hints = await call.wait_for_result(each.job, JobPriority.COACH, seconds=left)
        except RateLimitError:
            pass
        except PitbossError as error:
            refusal = str(error)
        values.append(review_decision(each, hints) if hints else None)
    return values, refusal


def _sum_result(settled: Round, index: int) -> ValuedResult:
    """Sum what a seat won or lost on the wagers that the values count.

    They are main and the side wagers that depend on the play.
    """
    main = settled.game.main.id
    counted = {main, *get_side_stakes(settled, index)}
    results = [
        event
        for event in settled.events
        if isinstance(event, WagerSettled) and event.seat == index and event.bet in counted
    ]
    net_cents = sum(event.net_cents for event in results)
    circles = dict.fromkeys(leg.circle for event in results for leg in event.legs if leg.stake_cents)
    placed = tuple(name_circle(settled.game, circle) for circle in circles)
    names = tuple(wager.name for wager in settled.game.wagers if wager.id in counted)
    others_cents = find_net_cents(settled, index) - net_cents
    return ValuedResult(
        Fraction(net_cents, settled.get_stake_cents(index, main)), net_cents, others_cents, names, placed
    )


def find_net_cents(closed: Round, index: int) -> int:
    """Return what a seat won or lost in a closed round, in cents."""
    return next(event.nets_cents[index] for event in closed.events if isinstance(event, RoundClosed))


def _link_what_if(seen: SeenRound, deck: Deck, place: int) -> str:
    """Return the address for another decision; "" if it would reveal a hand."""
    if not seen.is_open or seen.seat is None:
        return ""
    return link_what_if(seen, deck, list_seat_choices(seen.steps[-1], seen.seat)[:place])


def link_what_if(seen: SeenRound, deck: Deck, choices: Sequence[SeatChoice]) -> str:
    """Return the address of a round in which a seat makes these choices."""
    return f"{seen.address}/what-if?{QueryParams(list_choice_fields(seen, deck, choices))}"


def list_choice_fields(seen: SeenRound, deck: Deck, choices: Sequence[SeatChoice]) -> list[tuple[str, str]]:
    """List the fields of a form that asks for these choices of a seat."""
    did = [("did", " ".join((each.action, *(format_card(card, deck) for card in each.cards)))) for each in choices]
    return [("seat", str(seen.seat)), *did]
