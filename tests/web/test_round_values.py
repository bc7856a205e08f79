"""A settled round over HTTP: what each decision was worth, and what comes of another one."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import count, pairwise
from pathlib import Path

import pytest

from pitboss.builders import capitalize_first, display_name
from pitboss.cards import format_cards, seeded_bits
from pitboss.table.branches import SeatChoice, list_seat_choices, play_branch
from pitboss.table.round import DecisionMade
from pitboss.table.service import TableService
from pitboss.table.session import DealRound, PlaceWagers, TableTerms, TakeAction
from pitboss.web.app import create_app
from pitboss.web.jobs.player_leaks import list_seat_decisions
from pitboss.web.pages.plot import ChartPoint
from pitboss.web.pages.round_chart import ChartColumn, _place_values
from pitboss.web.pages.round_values import find_net_cents
from pitboss.web.pages.seen_round import SeenRound
from pitboss.web.registry import TableRegistry, compute_minimum_stakes
from pitboss.web.templating import format_signed
from table.seated import done, lowest_wagers, seated
from web.served import answering, said, unlimited
from web.test_guests import House, Person
from web.test_leaks import SEAT, SOLVED, played, value_all


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A floor that is served for a test."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    floor = TableRegistry(tables, limits=unlimited())
    made = House(floor, "")
    with answering(create_app(None, floor)) as made.address:
        yield made
        for person in made.people:
            person.web.close()
    floor.close()


@pytest.mark.parametrize("game", SOLVED)
def test_each_decision_has_its_values_and_a_point_that_opens_its_step(house: House, game: str) -> None:
    person, name = played(house, game)
    value_all(house.floor, name, house.floor.get_session(name).seats[SEAT].holder)
    steps = house.floor.tables.list_round_sessions(name, 1)
    taken = list_seat_decisions(steps, SEAT)
    for path in ("", "/values"):
        page = unescape(person.look(f"/tables/{name}/rounds/1{path}"))
        links = re.findall(r'<a href="(\S+)" aria-label="(Decision \d+|Result): ', page)
        places = [(f"Decision {place}", step) for place, (step, _) in enumerate(taken, start=1)]
        address = f"/tables/{name}/rounds/1?step="
        assert links == [
            *((f"{address}{step}", label) for label, step in places),
            (f"{address}{len(steps) - 1}", "Result"),
        ] * bool(taken)
        rows = re.findall(r'<tr[^>]*><th scope="row"[^>]*><a href="\S+">\d: (.*?)</tr>', page, re.DOTALL)
        assert len(rows) == len(taken)
        for row, (_, each) in zip(rows, taken, strict=True):
            best = len(house.floor.jobs.get_result(each.job) or b"")
            assert best
            assert "?step=" not in row
            assert "what-if" in row
            assert re.search(r'class="number"[^>]*>\D?\d+\.\d{4}<', row)
        assert "hx-trigger" not in page.partition('id="values"')[2]
        assert "fees included" not in page
        names = re.findall(r'<a href="\S+">\d: (.*?)<', page)
        assert names == [capitalize_first(display_name(each.decision)) for _, each in taken]


@pytest.mark.parametrize(("action", "circles"), [("fold", "Ante"), ("play", "Ante, Play")])
def test_the_result_names_the_circles_that_had_chips(
    house: House, monkeypatch: pytest.MonkeyPatch, action: str, circles: str
) -> None:
    monkeypatch.setattr("web.test_leaks.taken", lambda _now: (action, ()))
    person, name = played(house, "six-card")
    value_all(house.floor, name, house.floor.get_session(name).seats[SEAT].holder)
    page = unescape(person.look(f"/tables/{name}/rounds/1/values"))
    assert re.findall(r'data-label="Chips on"[^>]*>(.*?)</td>', page) == [circles]


def test_no_line_runs_into_the_values_of_a_chart_and_a_ring_has_its_own() -> None:
    columns = [
        ChartColumn("", "", x, best, made)
        for x, best, made in (
            (50.0, ChartPoint(50.0, 80.0, "+0.50"), ChartPoint(50.0, 80.0, "+0.50")),
            (100.0, ChartPoint(100.0, 40.0, "+1.00"), ChartPoint(100.0, 100.0, "-0.20")),
            (150.0, None, ChartPoint(150.0, 160.0, "-1.00")),
        )
    ]
    first, second, result = (column.values for column in _place_values(columns))
    assert [(each.text, each.anchor, each.y < 80) for each in first] == [("+0.50", "across", True)]  # the line falls
    assert [(each.text, each.y) for each in second if each.y < 40] == [("+1.00", 29.0)]
    below = second[1]
    assert (below.text, below.anchor, below.y > 100, below.x < 100) == ("-0.20", "upright", True, True)
    assert [(each.text, each.y > 160) for each in result] == [("-1.00", True)]  # the line comes from above


@pytest.mark.parametrize("game", SOLVED)
def test_every_step_says_what_has_happened_since_the_one_before(house: House, game: str) -> None:
    person, name = played(house, game)
    steps = house.floor.tables.list_round_sessions(name, 1)
    pages = [unescape(person.look(f"/tables/{name}/rounds/1?step={step}")) for step in range(len(steps))]
    told = [
        re.findall(rf"<span>Step {step} of {len(steps)}: ([^<]+)</span>", page) for step, page in enumerate(pages, 1)
    ]
    assert all(len(each) == 1 for each in told)
    assert all(here != there for here, there in pairwise(told))
    settled = steps[-1].round
    assert settled
    decided = sum(isinstance(event, DecisionMade) for event in settled.events)
    happened = [each[0].rpartition("; before it: ")[2] for each in told]
    assert sum(each.count("seat") for each in happened) == decided
    assert sum("; before it: " in each[0] for each in told) == len(list_seat_choices(steps[-1], SEAT))
    assert sum("settled" in each[0] for each in told) == 1


def test_a_round_in_which_nobody_has_a_choice_says_that_it_is_settled() -> None:
    now = seated(TableTerms(game="wild-six-card"), SEAT)
    now = done(now, lowest_wagers(now, SEAT), f"p{SEAT}")
    dealt = (done(now, DealRound(), f"p{SEAT}", bits=seeded_bits(seed)) for seed in count())
    settled = next(each for each in dealt if each.turn is None)
    assert settled.round
    seen = SeenRound("t1", 1, [settled], SEAT, 0, is_open=True)
    assert seen.describe_step(0) == "the cards are dealt; the wagers are settled"


def test_values_that_are_counted_say_how_far_they_are(house: House) -> None:
    person, name = played(house, "six-card")
    page = person.look(f"/tables/{name}/rounds/1")
    assert "0 of 1 decisions valued" in page
    assert f'hx-get="/tables/{name}/rounds/1/values?seat=0"' in page


@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", SOLVED)
def test_every_other_action_is_settled_as_the_rules_settle_it(house: House, game: str) -> None:
    person, name = played(house, game)
    value_all(house.floor, name, house.floor.get_session(name).seats[SEAT].holder)
    steps = house.floor.tables.list_round_sessions(name, 1)
    settled = steps[-1].round
    assert settled
    address, index = f"/tables/{name}/rounds/1/what-if", 0
    page = unescape(person.look(address))
    actions = [action for action in re.findall(r'name="chosen" value="([^"]+)"', page) if action != "by-count"]
    if not list_seat_choices(steps[-1], SEAT):
        assert "The round now ends" in page
        return
    now = play_branch(steps, SEAT, ()).round
    for action in actions:
        legal = next(each for each in now.list_legal_actions() if each.id == action)
        own = [card for card in now.game.deck.cards if now.get_view(index).player >> card & 1][: legal.discards]
        cards = format_cards(own, now.game.deck).split()
        page = unescape(person.look(f"{address}?chosen={action}" + "".join(f"&cards={card}" for card in cards)))
        assert re.search(
            r"</a>.* (instead|as played)<span class=\"soft\">"
            r": \S+ [\w ]+, (the best choice|\S+ less than the best)</span>",
            page,
        )
        branch = play_branch(steps, SEAT, [SeatChoice(action, tuple(own))])
        if branch.round.turn:
            assert branch.round.game.decisions[branch.round.turn[1]].question in page
        else:
            here, there = (format_signed(find_net_cents(each, index)) for each in (branch.round, settled))
            assert f"ends with <strong>{here}</strong>. It ended with {there}" in page
            assert f'<td class="number">{here}</td><td class="number">{there}</td></tr></tbody>' in page


@pytest.mark.more
def test_a_wrong_number_of_cards_is_said_and_nothing_else_changes(house: House) -> None:
    person, name = played(house, "lunar")
    answer = person.web.get(f"/tables/{name}/rounds/1/what-if?chosen=by-count&cards=2s")
    assert answer.status_code == 409
    assert "1 card chosen: choose 2, 3, 4 or 5" in answer.text
    for did, line in {"bluff": "unknown action", "fold&did=play": "over before play"}.items():
        status, text = said(person.web.get(f"/tables/{name}/rounds/1/what-if?did={did}"))
        assert status in {404, 409, 422}
        assert line in text


def play_together(house: House, seats: int, *, fair: bool) -> tuple[str, dict[int, Person]]:
    """Have people play a round of Six Card Poker, in which all fold; return the table and them by seat."""
    floor = house.floor
    name = floor.open_table(TableTerms(game="six-card", wager_seconds=0, decide_seconds=0, fair=fair))
    people = {seat: house.person() for seat in range(1, seats + 1)}
    for seat, person in people.items():
        assert person.say(f"/tables/{name}/sit", seat=seat, name="P", dollars="100").status_code == 200
    now = floor.get_session(name)
    holders = {seat: now.seats[seat].holder for seat in people}
    for seat, holder in holders.items():
        floor.execute(name, PlaceWagers(seat=seat, stakes=compute_minimum_stakes(now)), holder, f"wager {seat} ..")
    now = floor.get_session(name)
    if not now.turn:
        now = floor.execute(name, DealRound(), holders[1], "deal it now")
    while now.turn:
        seat = now.turn
        now = floor.execute(name, TakeAction(seat=seat, action="fold"), holders[seat], f"decide {seat} ..")
    assert now.snapshot.number == 2
    return name, people


def test_where_another_person_sat_no_card_that_was_not_shown_is_told(house: House) -> None:
    name, people = play_together(house, 2, fair=False)
    address = f"/tables/{name}/rounds/1"
    for person in (*people.values(), house.person()):
        status, line = said(person.web.get(f"{address}/what-if", headers={"Accept": "application/json"}))
        assert (status, "were not shown" in line) == (403, True)
    for path in ("", "/values", "/what-if"):
        assert people[1].web.get(f"{address}{path}?seat=2").status_code == 403
    page = people[1].look(address)
    assert "decisions valued" in page
    assert "what-if" not in page
    assert 'id="values" aria-live="polite"></section>' in house.person().look(address)
    assert people[1].web.get(f"{address}/values?seat=5").status_code == 404


def test_a_provably_fair_round_is_open_to_whoever_has_its_link(house: House) -> None:
    name, _ = play_together(house, 2, fair=True)
    address, other = f"/tables/{name}/rounds/1", house.person()
    assert f'href="{address}?seat=2#values"' in other.look(address)
    page = other.look(f"{address}?seat=2")
    assert "decisions valued" in page
    assert "2, P (shown)" in page
    assert f'href="{address}?step=1&amp;seat=2"' in page
    assert 'aria-label="Your place, seat 2"' in page
    page = unescape(other.look(f"{address}/what-if?seat=2&did=play"))
    assert "The round now ends with" in page
    assert other.look(f"{address}/history.toml").startswith("variant")


def list_shared(page: str) -> list[str]:
    """Return the addresses that a page offers to share."""
    part = unescape(page).partition('id="share"')[2].partition("</details>")[0]
    return re.findall(r'href="([^"]+)"', part)


def test_a_round_is_shared_as_a_link_a_picture_and_its_history(house: House) -> None:
    name, people = play_together(house, 2, fair=True)
    address, other = f"/tables/{name}/rounds/1", house.person()
    link, png, svg, history = list_shared(people[1].look(f"{address}?step=1"))
    assert (link, history) == (f"{address}?step=1&seat=1", f"{address}/history.toml")
    page = unescape(people[1].look(f"{address}?step=1"))
    assert f'value="{house.address}{link}" readonly>' in page
    assert 'data-copies="shared-address"' in page
    assert f'value="{house.address}/tables/{name}" readonly>' in people[1].look(f"/tables/{name}")
    assert 'aria-label="Your place, seat 1"' in other.look(link)  # as its sender sees it
    assert png == svg
    answer = people[1].web.get(svg)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert f'filename="{name}-1-2.svg"' in answer.headers["content-disposition"]
    assert re.search(r"<desc>Dealer: .*Seat 1", answer.text)
    assert "Round 1, step 2 of" in answer.text
    link, _, svg, _ = list_shared(people[1].look(f"{address}/what-if?seat=1&did=play"))
    assert "The round now ends with" in other.look(link) or "What to do" in other.look(link)
    assert "What if? Round 1, seat 1" in other.look(svg)


def test_a_picture_has_no_card_that_was_not_shown(house: House) -> None:
    name, people = play_together(house, 2, fair=False)
    address = f"/tables/{name}/rounds/1"
    page = people[1].look(f"{address}?step=1")
    link, _, svg = list_shared(page)  # without the history
    assert link == f"{address}?step=1"
    assert "as a spectator" in page
    own, other, away = (each.look(svg) for each in (people[1], people[2], house.person()))
    step = house.floor.tables.list_round_sessions(name, 1)[1]
    assert step.round is not None
    hands = [format_cards(step.round.get_view(index).player, step.round.game.deck).split() for index in (0, 1)]
    for drawing, seen in ((own, {0}), (other, {1}), (away, set[int]())):
        for index in (0, 1):
            assert all((f'#{card}"' in drawing) == (index in seen) for card in hands[index])
    assert people[1].web.get(f"{address}/position.svg?seat=2").status_code == 403
    assert people[1].web.get(f"{address}/what-if.svg").status_code == 403
