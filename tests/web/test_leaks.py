"""Leaks: shown at once with how far they have come, each mistake with its cards, and nobody else waits for them."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from html import unescape
from itertools import combinations
from pathlib import Path
from time import sleep

import pytest

from pitboss.analysis.hints import Hint
from pitboss.builders import display_name
from pitboss.cards import format_card, format_cards
from pitboss.core.money import parse_cents
from pitboss.games import load_games
from pitboss.table.round import DecisionMade
from pitboss.table.service import TableService
from pitboss.table.session import DealRound, PlaceWagers, TableSession, TableTerms, TakeAction
from pitboss.web.app import create_app
from pitboss.web.auth.guests import BEFORE
from pitboss.web.jobs.coach import build_hint_job
from pitboss.web.jobs.player_leaks import iter_decisions
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import HINTS, JobSpec
from pitboss.web.registry import TableRegistry, compute_minimum_stakes
from pitboss.web.templating import describe_card
from web.chores import hold
from web.served import answering, choose_coach, unlimited
from web.test_guests import House, Person

SEAT, ROUNDS = 2, 3
SOLVED = [name for name, game in load_games().items() if game.solver]


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


def played(house: House, game: str, guest: Person | None = None) -> tuple[Person, str]:
    """Return a guest and their table, with rounds played in which each decision was the last action there is."""
    person, floor = guest or house.person(), house.floor
    name = floor.open_table(TableTerms(game=game, wager_seconds=0, decide_seconds=0))
    assert person.say(f"/tables/{name}/sit", seat=SEAT, name="P", dollars="100000").status_code == 200
    now = floor.get_session(name)
    holder = now.seats[SEAT].holder
    for number in range(ROUNDS):
        stakes = compute_minimum_stakes(now)
        now = floor.execute(name, PlaceWagers(seat=SEAT, stakes=stakes), holder, f"wager {number} {name}")
        now = (
            floor.execute(name, DealRound(), holder, f"deal {number} {name}")
            if now.round is None or not now.turn
            else now
        )
        while now.turn:
            action = taken(now)
            now = floor.execute(
                name,
                TakeAction(seat=SEAT, action=action[0], cards=action[1]),
                holder,
                f"{name} {now.snapshot.sequence}",
            )
    assert now.snapshot.number == ROUNDS + 1
    return person, name


def taken(now: TableSession) -> tuple[str, tuple[str, ...]]:
    """Return an action that gives up some cards, else the last one, and the first cards of the hand for it."""
    assert now.round is not None
    legal = now.round.list_legal_actions()
    action = next((each for each in legal if each.discards), legal[-1])
    own, deck = now.round.get_view(now.round_seats.index(SEAT))[0], now.round.game.deck
    return action.id, tuple(format_card(card, deck) for card in deck.cards if own >> card & 1)[: action.discards]


def value_all(floor: TableRegistry, name: str, holder: str) -> dict[int, list[tuple[str, str]]]:
    """Have the last choice of each position worth most, as if it had been counted.

    Return the hand and the other cards seen of each decision by round.
    """
    hands = dict[int, list[tuple[str, str]]]()
    for number in range(1, ROUNDS + 1):
        for each in iter_decisions(floor.tables.list_round_sessions(name, number), holder):
            at = each.job.arguments[3]
            own = [card for card in each.game.deck.cards if at.view[0] >> card & 1]
            choices = [
                (action, sum(1 << card for card in given))
                for action in at.legal
                for given in combinations(own, action.discards)
            ]
            hints = [Hint(action, cards, Fraction(10 * place, 7)) for place, (action, cards) in enumerate(choices)]
            floor.jobs.store_result(each.job, tuple(reversed(hints)))
            (owner, hand), *others = each.seen
            assert owner == "player"
            assert set(hand) == {format_card(card, each.game.deck) for card in own}
            hands.setdefault(number, []).append(
                (name_cards(hand), name_cards(card for _, held in others for card in held))
            )
    return hands


def name_cards(cards: Iterable[str]) -> str:
    """Return what a screen reader says of cards."""
    return " ".join(map(describe_card, cards))


@pytest.mark.parametrize("game", SOLVED)
def test_each_mistake_is_shown_with_its_round_its_hand_and_the_cards(house: House, game: str) -> None:
    person, name = played(house, game)
    hands = value_all(house.floor, name, house.floor.get_session(name).seats[SEAT].holder)
    assert "0 of 0 decisions valued, 0 of 3 rounds read" in person.look(f"/tables/{name}/leaks")
    page = unescape(person.look(f"/tables/{name}/leaks/known"))
    assert "decisions valued" not in page
    decisions = sum(map(len, hands.values()))
    assert re.search(rf"Decisions</dt><dd>{decisions}<", page)
    rows = [
        (number, *(" ".join(re.findall(r'aria-label="([^"]*)"', cell)) for cell in cells.split("</td>")[:4]))
        for number, cells in re.findall(r'<tr[^>]*><td class="number"[^>]*>(\d+)</td>(.*?)</tr>', page)
    ]
    mistakes = int(re.findall(r"Mistakes</dt><dd>(\d+)<", page)[0])
    assert len(rows) == mistakes
    # On a phone the parts of a cell stand apart: links, and cards with their name, are one part.
    assert page.count('<span class="ways"><a ') == mistakes
    assert page.count('<span class="kinds"><span class="others">') == sum(bool(others) for _, _, others, *_ in rows)
    assert all((hand, others) in hands[int(number)] for number, hand, others, *_ in rows)
    kinds = page.partition("<caption>Costliest leaks first</caption>")[2].partition("</table>")[0]
    pairs = re.findall(r'data-label="You chose"[^>]*>(.*?)</td><td[^>]*data-label="Best was"[^>]*>(.*?)</td>', kinds)
    assert bool(pairs) == bool(mistakes)
    assert all(chosen != best for chosen, best in pairs)
    printed = [parse_cents(each) for each in re.findall(r"<td[^>]*>(\$[\d.,]+)</td>", page)]
    assert sum(printed) == parse_cents(re.findall(r"Cost, in dollars</dt><dd>(\$[\d.,]+)<", page)[0])
    again = re.findall(rf'href="(/tables/{name}/rounds/\d+/try/[^"]+)"', page)
    assert [each.split("/")[4] for each in again] == [number for number, *_ in rows]
    steps = re.findall(rf'href="(/tables/{name}/rounds/\d+\?decision=[^"]+)"', page)
    assert len(steps) == len(again)
    for address in steps:  # the step at which it was taken
        sessions = house.floor.tables.list_round_sessions(name, int(address.split("/")[4].partition("?")[0]))
        (now,) = (
            step
            for step, each in enumerate(sessions)
            if each.turn == SEAT
            and each.round
            and each.round.turn
            and each.round.game.decisions[each.round.turn[1]].id == address.partition("=")[2]
        )
        before, after = sessions[now].round, sessions[now + 1].round
        assert before is not None
        assert after is not None
        made = next(each for each in after.events[len(before.events) :] if isinstance(each, DecisionMade))
        says = f"<span>Step {now + 1} of {len(sessions)}: your seat decides: {display_name(made.action)}"
        assert says in unescape(person.look(address))
    for address in again:  # the same decision, with its values hidden
        position = person.web.get(address, follow_redirects=False).headers["location"]
        assert position.startswith(f"/study/try?game={game}&player=")
    for each in iter_decisions(
        house.floor.tables.list_round_sessions(name, 1), house.floor.get_session(name).seats[SEAT].holder
    ):
        given = format_cards(each.cards_given, each.game.deck).split()
        if given:
            hand = name_cards(each.seen[0][1])
            chosen, best = next(rest for number, held, _, *rest in rows if number == "1" and held == hand)
            assert chosen == name_cards(given)
            assert best not in ("", chosen)


@pytest.mark.more
def test_nobody_waits_for_leaks_or_a_coach_but_who_asked(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, name = played(house, "six-card")
    second, elsewhere = played(house, "six-card")
    other = house.person()
    release = tmp_path / "release"
    house.floor.jobs.submit(JobClient("x", "x"), JobSpec(HINTS, "held", hold, (str(release),)), JobPriority.COACH)
    monkeypatch.setattr("pitboss.web.pages.replay._WORK_SECONDS", 600)
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", 600)
    assert "0 of 3 rounds read" in person.look(f"/tables/{name}/leaks")
    person.look(f"/tables/{name}")
    assert person.say(f"/tables/{name}/wager", **{"stake-main": "5"}).status_code == 200
    choose_coach(person.web, BEFORE)
    asks = [(person, f"/tables/{name}/leaks/known"), (second, f"/tables/{elsewhere}/leaks/known")]
    asks += [(person, f"/tables/{name}/coach")] * 60
    with ThreadPoolExecutor(len(asks)) as many:
        waiting = [many.submit(who.web.get, path, timeout=600) for who, path in asks]
        while house.floor.jobs.waiting_count < 7:  # the position at hand, and decisions of rounds before
            sleep(0.01)
        for _ in range(20):
            assert "data-sequence" in other.look(f"/tables/{name}/felt")
        assert not any(each.done() for each in waiting)
        release.touch()
        for each in waiting:
            assert each.result().status_code == 200
    assert re.search(r"Decisions</dt><dd>3<", waiting[0].result().text)


def test_a_study_ends_and_counts_only_what_is_new(house: House) -> None:
    person, name = played(house, "six-card")
    holder = house.floor.get_session(name).seats[SEAT].holder
    value_all(house.floor, name, holder)
    for _ in range(2):
        assert "hx-trigger" not in person.look(f"/tables/{name}/leaks/known")
    assert "hx-trigger" not in person.look(f"/tables/{name}/leaks")  # known at once now
    study = house.floor.leak_reviews.get_review(name, holder)
    assert (study.read_up_to, study.pending, len(study.reviewed)) == (ROUNDS, [], ROUNDS)
    study.set_last_round(ROUNDS + 250)  # older rounds than the last 200 count no more
    assert (study.summary.rounds, study.summary.total_rounds, study.summary.decisions) == (0, 200, 0)


def test_the_same_decision_is_one_question_for_coach_and_leaks(house: House) -> None:
    _, name = played(house, "six-card")  # a game that asks in every round
    holder = house.floor.get_session(name).seats[SEAT].holder
    steps = house.floor.tables.list_round_sessions(name, 1)
    before = next(each for each in steps if each.turn == SEAT)
    assert before.round is not None
    asked = build_hint_job(before.round, before.round_seats.index(SEAT))
    assert next(iter_decisions(steps, holder)).job.key == asked.key
