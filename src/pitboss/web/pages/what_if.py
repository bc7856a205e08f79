"""What if: a settled round played on after another decision, from the same deck."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from pitboss.builders import capitalize_first, display_name
from pitboss.cards import Deck, format_card, parse_cards
from pitboss.core.errors import IllegalActionError, PitbossError
from pitboss.engine.solver_lookup import can_solve
from pitboss.table.branches import Branch, SeatChoice, list_seat_choices, play_branch
from pitboss.table.round import EnvyPaid, Round, WagerSettled
from pitboss.table.round.wagers import get_wager
from pitboss.table.session.view import build_view
from pitboss.value_units import name_value_unit
from pitboss.web.auth.guests import SEE_OTHER
from pitboss.web.errors import NotFoundError, RateLimitError
from pitboss.web.jobs.coach import ActionAdvice, build_hint_job, describe_counted, iter_advice, select_best_forms
from pitboss.web.jobs.queue import JobPriority, JobQueue
from pitboss.web.jobs.requests import PAGE_SECONDS
from pitboss.web.jobs.value_bars import measure_values
from pitboss.web.jobs.worker import unpickle_object
from pitboss.web.pages.card_drawing import SVG_TYPE, draw_table_view
from pitboss.web.pages.coach import KnownAdvice, value_buttons
from pitboss.web.pages.guest_seat import TableName
from pitboss.web.pages.guide import Guide
from pitboss.web.pages.page_call import PageCall, ViewCall, make_download
from pitboss.web.pages.round_values import find_net_cents, link_what_if, list_choice_fields
from pitboss.web.pages.seen_round import HiddenError, RoundNumber, SeatNumber, SeenRound, find_seen_round
from pitboss.web.pages.study import CardsQuery, find_study_address
from pitboss.web.pages.table_page import BY_COUNT, build_table_context, explain_wrong_count

router = APIRouter(include_in_schema=False)

_MOST_CHOICES = 20
ChoicesQuery = Annotated[tuple[Annotated[str, Field(max_length=64)], ...], Query(max_length=_MOST_CHOICES)]


class ShownChoice(NamedTuple):
    """A choice of the seat: its name, its cards, and the address before it.

    ``is_made`` tells whether it was made when the round was played.  ``worth`` is its value, None if it is not counted.
    """

    name: str
    cards: tuple[str, ...]
    link: str
    is_made: bool
    worth: ActionAdvice | None = None


class ChangedWager(NamedTuple):
    """A wager of the seat: its net here, and its net as the round was played."""

    name: str
    here_cents: int
    there_cents: int


@router.get("/tables/{table}/rounds/{number}/what-if")
async def show_what_if(
    call: ViewCall,
    table: TableName,
    number: RoundNumber,
    seat: SeatNumber = 0,
    did: ChoicesQuery = (),
    chosen: Annotated[str, Query(max_length=64)] = "",
    cards: CardsQuery = (),
) -> Response:
    """Show a settled round in which a seat did otherwise.

    It is shown at the seat's next decision, or settled.

    ``did`` are the seat's choices from the first on, each an action and the cards that it gave up.  ``chosen`` and
    ``cards`` are one more, which leads to the address with it.

    Raises:
        HiddenError: the cards that come then would reveal a hand that was not shown.
        NotFoundError: no card was dealt, or the guest had no hand.
        PitbossError: as ``play_branch``.
    """
    seen = await run_in_threadpool(find_seen_round, call, table, number, seat)
    seat, deck, choices = _parse_choices(seen, did)
    branch = await run_in_threadpool(play_branch, seen.steps, seat, choices)
    problem = ""
    if chosen and branch.round.turn:
        try:
            added = _find_choice(branch.round, chosen, cards)
            await run_in_threadpool(play_branch, seen.steps, seat, (*choices, added))
            return RedirectResponse(link_what_if(seen, deck, (*choices, added)), SEE_OTHER)
        except PitbossError as error:
            problem = str(error)
    every, pending = await _value(call, seat, branch)
    shown = await run_in_threadpool(_describe, seen, branch, choices, call.registry.jobs) | {
        "problem": problem,
        "pending": pending,
    }
    ranked = list(select_best_forms(every))
    shown |= {"every": every if len(every) > len(ranked) else []}
    shown |= {"values": list(zip(ranked, measure_values(ranked), strict=True)) if ranked else []}
    values, best = value_buttons(shown["choices"], ranked), ranked[0].cards if ranked else ()
    counted = describe_counted(branch.round, branch.session.round_seats.index(seat))
    shown["coach"] = KnownAdvice(values, frozenset(best), *counted) if values else None
    return await call.render_in_thread("table/what_if.html", **shown)


@router.get("/tables/{table}/rounds/{number}/what-if.svg")
def download_picture(
    call: ViewCall, table: TableName, number: RoundNumber, seat: SeatNumber = 0, did: ChoicesQuery = ()
) -> Response:
    """Return a picture of a settled round in which a seat did otherwise.

    Raises:
        PitbossError: as ``show_what_if``.
    """
    seen = find_seen_round(call, table, number, seat)
    seat, _, choices = _parse_choices(seen, did)
    branch = play_branch(seen.steps, seat, choices)
    heading = f"What if? Round {seen.number}, seat {seat}, after {len(choices)} choices"
    drawing = draw_table_view(build_view(branch.session, seat), heading)
    return make_download(drawing, f"{seen.table}-{seen.number}-what-if.svg", SVG_TYPE)


def _parse_choices(seen: SeenRound, texts: Sequence[str]) -> tuple[int, Deck, tuple[SeatChoice, ...]]:
    """Return the seat, the deck and the choices (raises as ``show_what_if``)."""
    if not seen.is_open:
        raise HiddenError(
            "what comes then is in cards that were not shown: only provably fair tables and rounds against bots allow "
            "it",
            code="hands-hidden",
        )
    dealt, number = seen.steps[0].round, seen.number
    if seen.seat is None or dealt is None:
        raise NotFoundError(f"no hand to play again in round {number}", code="no-hand", round=number)
    return seen.seat, dealt.game.deck, tuple(_parse_choice(each, dealt.game.deck) for each in texts)


def _parse_choice(text: str, deck: Deck) -> SeatChoice:
    action, _, cards = text.partition(" ")
    return SeatChoice(action, tuple(sorted(parse_cards(cards, deck))) if cards else ())


def _find_choice(game_round: Round, chosen: str, discard: Sequence[str]) -> SeatChoice:
    """Return the choice of a button.

    One button stands for all actions that differ by the number of cards.
    """
    legal = game_round.list_legal_actions()
    counts = {action.discards: action.id for action in legal if action.discards}
    if chosen == BY_COUNT:
        if len(discard) not in counts:
            raise IllegalActionError(explain_wrong_count(len(discard), sorted(counts)), code="wrong-discard")
        chosen = counts[len(discard)]
    gives = any(action.id == chosen and action.discards for action in legal)
    return _parse_choice(" ".join((chosen, *discard)) if gives else chosen, game_round.game.deck)


async def _value(call: PageCall, seat: int, branch: Branch) -> tuple[list[ActionAdvice], bool]:
    """Return every choice with its value, best first; and whether to ask again."""
    game_round = branch.round
    if game_round.turn is None or not can_solve(game_round.game):
        return [], False
    job = build_hint_job(game_round, branch.session.round_seats.index(seat))
    try:
        hints = await call.wait_for_result(job, JobPriority.COACH, seconds=PAGE_SECONDS)
    except RateLimitError:
        return [], True
    except PitbossError:  # no values: the choice can be made without
        return [], False
    return (list(iter_advice(game_round, hints)), False) if hints else ([], True)


def _describe(seen: SeenRound, branch: Branch, choices: Sequence[SeatChoice], jobs: JobQueue) -> dict[str, Any]:
    """Return what the template shows."""
    game_round, seat = branch.round, seen.seat
    context = build_table_context(branch.session, seat, f"/tables/{seen.table}")
    made = list_seat_choices(seen.steps[-1], seat) if seat else ()
    deck, is_as_made = game_round.game.deck, choices == made[: len(choices)]
    here = link_what_if(seen, deck, choices)
    return {
        **context,
        "staking": False,
        "live": False,
        "guide": Guide(),
        "seen": seen,
        "game": game_round.game,
        "unit": name_value_unit(game_round.game),
        "taken": [
            _show_choice(
                each, link_what_if(seen, deck, choices[:place]), deck, is_made=choices[: place + 1] == made[: place + 1]
            )._replace(worth=_find_worth(jobs, seen, choices[:place], each))
            for place, each in enumerate(choices)
        ],
        "made": _show_choice(made[len(choices)], "", deck, is_made=True) if is_as_made and game_round.turn else None,
        "here": here,
        "shared": here,
        "picture": here.replace("/what-if?", "/what-if.svg?", 1),
        "number": seen.number,
        "is_what_if": True,
        "hindered": branch.hindered,
        "fields": list_choice_fields(seen, deck, choices),
        "study": find_study_address(branch.session, seat),
        "compared": _compare(game_round, seen) if game_round.is_closed else [],
    }


def _find_worth(
    jobs: JobQueue, seen: SeenRound, before: Sequence[SeatChoice], choice: SeatChoice
) -> ActionAdvice | None:
    """Return the value of a choice after those ``before`` it, None if unknown."""
    if seen.seat is None:
        return None
    branch = play_branch(seen.steps, seen.seat, before)
    game_round, index = branch.round, branch.session.round_seats.index(seen.seat)
    payload = (
        jobs.get_result(build_hint_job(game_round, index)) if game_round.turn and can_solve(game_round.game) else None
    )
    if payload is None:
        return None
    wanted = choice.action, {format_card(card, game_round.game.deck) for card in choice.cards}
    advice = iter_advice(game_round, unpickle_object(payload))
    return next((each for each in advice if (each.action, set(each.cards)) == wanted), None)


def _show_choice(choice: SeatChoice, link: str, deck: Deck, *, is_made: bool) -> ShownChoice:
    cards = tuple(format_card(card, deck) for card in choice.cards)
    return ShownChoice(capitalize_first(display_name(choice.action)), cards, link, is_made)


def _compare(here: Round, seen: SeenRound) -> list[ChangedWager]:
    """Return the net of each wager of the seat, here and as played, then of all."""
    last = seen.steps[-1]
    there = last.round
    if seen.seat is None or there is None:
        return []
    index = last.round_seats.index(seen.seat)
    nets = [_sum_nets(each, index) for each in (here, there)]
    bets = dict.fromkeys((*nets[1], *nets[0]))
    rows = [ChangedWager(name, nets[0].get(name, 0), nets[1].get(name, 0)) for name in bets]
    return [*rows, ChangedWager("The round", find_net_cents(here, index), find_net_cents(there, index))]


def _sum_nets(closed: Round, index: int) -> dict[str, int]:
    nets = dict[str, int]()
    for event in closed.events:
        if isinstance(event, WagerSettled) and event.seat == index:
            name = get_wager(closed.game, event.bet).name
            nets[name] = nets.get(name, 0) + event.net_cents
        elif isinstance(event, EnvyPaid) and event.seat == index:
            nets["Envy"] = nets.get("Envy", 0) + event.cents
    return nets
