"""Every byte that a guest is sent, by any route: the same in two houses that differ only in cards they cannot see."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.drawing import each_game
from pitboss.cards import draw_below, seeded_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError
from pitboss.games import load_game
from pitboss.table.session import TableSession
from pitboss.web.pages.page_call import PageCall
from pitboss.web.pages.table_page import build_table_context
from pitboss.web.registry import TableRegistry
from table.twins import Moment, moments, twin_of
from web.examples import routes
from web.twin_worlds import Answer, Asked, Houses

HEAVY = ("/par", "/protect", "/charts", "/study")
"""Pages of games, which count for seconds and have nothing of a table."""

FOLLOWED = ("/felt", "/events", "/coach")
"""What a seat is sent as a round goes on: asked at every step, however many rounds there are."""

TELLING = ("/history.toml", "/what-if", "/what-if.svg")
"""What tells a settled round whole: every card of a history, and the cards that come after another choice."""

DRAWN = 8
"""Of all other answers, one of so many is compared at a step where rounds are many."""

GUESTS: dict[int | None, str] = {None: "p7", **{seat: f"p{seat}" for seat in range(1, 7)}}


@pytest.fixture
def houses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Houses]:
    """Houses whose forms all have the same key."""
    monkeypatch.setattr("pitboss.web.templating.uuid4", lambda: SimpleNamespace(hex="0" * 32))
    with closing(Houses(tmp_path)) as houses:
        yield houses


def requests(houses: Houses, now: TableSession, viewer: int | None, *, everything: bool) -> Iterator[Asked]:
    """Yield a request for every route: all that there is to look at, then forms that may be refused."""
    cookie, csrf, _ = houses.guests[GUESTS[viewer]]
    found = sorted(routes(houses.app))
    number = now.last_round_number
    for method, route in found:
        path = _filled(route, number, now.terms.game)
        if method == "GET" and ("{table}" in route or route == "/" or (everything and not route.startswith(HEAVY))):
            yield Asked(method, path, "", (), cookie, route)
            if route.endswith("{number}"):
                yield from (Asked(method, path, f"step={step}", (), cookie, route) for step in (1, 4))
    for method, route in found:
        if method == "POST" and "{table}" in route:
            for at, form in enumerate(_forms(now, viewer or 1, deciding=route.endswith("/decide"))):
                said = [("csrf", csrf), ("key", f"key-{at:06}-{route}"), ("round", str(now.snapshot.number)), *form]
                yield Asked(method, _filled(route, number, now.terms.game), "", tuple(said), cookie, route)


def _filled(route: str, number: int, game: str) -> str:
    """Return a route's path; of what is not said here there is none, which the site says."""
    known = {"{table}": "t1", "{number}": str(number), "{game}": game, "{name:path}": "pitboss.css"}
    path = route
    for part, value in known.items():
        path = path.replace(part, value)
    return path.replace("{name}", "0" * 16).replace("{kind}", "csv")


def _forms(now: TableSession, seat: int, *, deciding: bool) -> Iterator[list[tuple[str, str]]]:
    """Yield forms with all fields that any route has: out of turn, with wrong cards, of another's seat."""
    assert now.round is not None
    actions = sorted({action.id for decision in now.round.game.decisions for action in decision.actions})
    fields = [("dollars", "100"), ("name", "x"), ("seed", "x"), ("do", "deal"), ("stake-main", "0")]
    six = [("cards", card) for card in ("2s", "3s", "4h", "5h", "Kd", "As")]
    yield [*fields, ("seat", str(seat)), ("action", "bluff")]
    for action in actions[:2] if deciding else ():
        yield [*fields, ("seat", str(1 + seat % 6)), ("action", action), *six]


def differences(
    houses: Houses,
    moment: Moment,
    viewer: int | None,
    bits: BitSource,
    *,
    everything: bool,
    only: str = "",
    one_of: int = 1,
) -> list[tuple[str, Any]]:
    """Return what a guest is sent otherwise in a twin house; nothing where that is nothing, or there is no twin.

    Of the requests that are not followed, ``one_of`` so many is drawn and asked.
    """
    twin = twin_of(moment, viewer, bits)
    if not twin:
        return []
    every = requests(houses, moment.now, viewer, everything=everything)
    asked = [
        each for each in every if only in each.path and (each.path.endswith(FOLLOWED) or not draw_below(one_of, bits))
    ]
    houses.asked |= {each.route for each in asked}
    answers = [houses.house((*moment.past, since)).ask(asked) for since in (moment.since, twin)]
    return [
        (f"{each.method} {each.path}?{each.query} {each.form[-8:]}", _difference(mine, other))
        for each, mine, other in zip(asked, *answers, strict=True)
        if mine != other and not (each.path.endswith(TELLING) and _tells_all(moment.now, viewer))
    ]


def _tells_all(now: TableSession, viewer: int | None) -> bool:
    """Return whether a settled round is told whole, with every card: it is fair, or for one alone."""
    return now.is_settled and (now.terms.fair or {GUESTS[viewer]} == set(now.round_holders))


def _difference(mine: Answer, other: Answer) -> Any:
    if (mine.status, mine.headers) != (other.status, other.headers):
        return mine[:2], other[:2]
    lines = zip(mine.body.splitlines(), other.body.splitlines(), strict=False)
    return next(((one, two) for one, two in lines if one != two), "")


def compare_rounds(
    houses: Houses, game: Game, seed: int, rounds: int, *, everything: bool = False, one_of: int = 1
) -> Iterator[tuple[str, Any]]:
    """Yield what differs at any step of so many rounds; with everything, at the first also of pages about no table."""
    bits = seeded_bits(seed)
    for at, moment in enumerate(moments(game, seed, rounds)):
        first = everything and not at
        yield from differences(houses, moment, _draw_viewer(moment, bits), bits, everything=first, one_of=one_of)


def _draw_viewer(moment: Moment, bits: BitSource) -> int | None:
    """Draw who looks: every second time the one whose turn it is."""
    seats = [None, *moment.now.seats]
    return moment.now.turn if moment.now.turn and draw_below(2, bits) else seats[draw_below(len(seats), bits)]


@pytest.mark.more
@each_game
def test_no_byte_of_any_answer_depends_on_a_card_that_is_not_seen(houses: Houses, game: Game) -> None:
    assert list(compare_rounds(houses, game, seed=5, rounds=1, everything=True)) == []


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_no_byte_depends_on_a_card_that_is_not_seen_in_ten_rounds(houses: Houses, game: Game) -> None:
    for seed in range(20, 25):  # short evenings: a house reads all that has happened before it answers
        assert list(compare_rounds(houses, game, seed, rounds=2, one_of=DRAWN)) == []
    assert {route for _, route in routes(houses.app) if "{table}" in route} == houses.asked - {"/"}


@pytest.mark.long
@each_game
@pytest.mark.parametrize("part", range(10))
def test_no_byte_depends_on_a_card_that_is_not_seen_in_two_thousand_rounds(
    houses: Houses, game: Game, part: int
) -> None:
    for seed in range(1_000 + 50 * part, 1_050 + 50 * part):
        assert list(compare_rounds(houses, game, seed, rounds=4)) == []


def _all_of(now: TableSession) -> str:
    """Return what gives away every card of a round, those of the stub too."""
    return sha256(repr(now.round).encode()).hexdigest()


def _in_a_page(*said: Any) -> dict[str, Any]:
    seen = build_table_context(*said)
    seen["t"]["name"] += _all_of(said[0])
    return seen


_RENDER = PageCall.render


def _in_a_header(call: PageCall, *said: Any, **more: Any) -> Any:
    answer = _RENDER(call, *said, **more)
    answer.headers["ETag"] = _all_of(call.registry.get_session("t1"))
    return answer


def _in_a_refusal(now: TableSession, _number: int) -> None:
    raise IllegalActionError(f"not now: {_all_of(now)}")


async def _in_a_stream(floor: TableRegistry, table: str, _sequence: int) -> AsyncGenerator[str]:
    yield f"data: {_all_of(floor.get_session(table))}\n\n"


PLANTED = {
    "page": ("pitboss.web.pages.tables.build_table_context", _in_a_page, "/felt"),
    "replay": ("pitboss.web.pages.replay.build_table_context", _in_a_page, "/rounds/1"),
    "header": ("pitboss.web.pages.page_call.PageCall.render", _in_a_header, "/felt"),
    "refusal": ("pitboss.web.pages.tables._verify_round", _in_a_refusal, "/decide"),
    "coach": ("pitboss.web.jobs.coach.get_side_stakes", lambda now, _place: {"main": repr(now)}, "/coach"),
    "reasons": ("pitboss.web.jobs.study_content.list_taken", lambda now, _place: (repr(now),), "/coach"),
    "stream": ("pitboss.web.registry.TableRegistry.stream_events", _in_a_stream, "/events"),
}
"""By channel: where a fault is planted that gives a round's cards away, and the route that then tells them."""


@pytest.mark.parametrize("channel", PLANTED)
def test_a_fault_in_any_channel_is_found(houses: Houses, channel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, fault, route = PLANTED[channel]
    monkeypatch.setattr(place, fault)
    for at, moment in enumerate(moments(load_game("wild-52"), seed=5, rounds=2)):
        viewer = moment.now.turn if moment.now.turn in moment.now.seats else min(moment.now.seats, default=None)
        found = differences(houses, moment, viewer, seeded_bits(at), everything=False, only=route)
        if found:
            return
    pytest.fail("the planted fault was not found")
