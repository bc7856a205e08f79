"""The page *My play* over HTTP: all tables of a guest, as far as they are read and judged, and nobody else's."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from html import unescape
from pathlib import Path
from time import sleep

import pytest

from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.player_account import BankrollRound, JudgedBet, PlayedBet
from pitboss.core.money import format_dollars
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.reports.formatting import write_minus
from pitboss.table.round import WagerSettled
from pitboss.table.service import TableService
from pitboss.table.session import CloseTable, LeaveSeat
from pitboss.web.app import create_app
from pitboss.web.jobs.account_content import (
    BEING_COUNTED,
    AccountContent,
    build_account_job,
    build_bet_job,
    count_bet,
    judge_account,
)
from pitboss.web.jobs.bet_counts import _order_bets
from pitboss.web.jobs.own_play import OwnPlay, ReviewedTable
from pitboss.web.jobs.spec import REPORTS, JobSpec
from pitboss.web.jobs.worker import pickle_object, unpickle_object
from pitboss.web.registry import TableRegistry
from web.chores import hold_at
from web.served import answering, unlimited
from web.test_guests import House, Person
from web.test_leaks import ROUNDS, SEAT, SOLVED, played, value_all


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


def holder_at(house: House, name: str) -> str:
    """Return who sits at the test's seat of a table."""
    return house.floor.get_session(name).seats[SEAT].holder


def nets_at(house: House, name: str) -> tuple[int, int]:
    """Return what the test's seat put down and won at a table, from the settlements of its rounds."""
    staked = net = 0
    for number in range(1, ROUNDS + 1):
        last = house.floor.tables.list_round_sessions(name, number)[-1]
        assert last.round is not None
        for event in last.round.events:
            if isinstance(event, WagerSettled) and last.round_seats[event.seat] == SEAT:
                staked += sum(leg.stake_cents for leg in event.legs)
                net += event.net_cents
    return staked, net


def load_known(person: Person) -> str:
    """Load the page until everything is known."""
    while "hx-trigger" in (page := person.look("/play/known")):
        sleep(0.1)
    return unescape(page)


def test_a_guest_without_rounds_is_told_what_the_page_is_for(house: House) -> None:
    person = house.person()
    page = person.look("/play")
    assert "Play a round first" in page
    assert "hx-trigger" not in page
    known = person.web.get("/play.json").json()
    assert (known["rounds"], known["tables"], known["account"]) == (0, [], None)


@pytest.mark.more
def test_all_tables_count_the_closed_one_too_and_only_the_own_seat(house: House) -> None:
    person, name = played(house, "six-card")
    stranger, elsewhere = played(house, "six-card")
    holder, other = holder_at(house, name), holder_at(house, elsewhere)
    assert holder != other
    hands = value_all(house.floor, name, holder)
    value_all(house.floor, elsewhere, other)
    staked, net = nets_at(house, name)
    house.floor.execute(name, LeaveSeat(seat=SEAT), holder, "leave-0001")
    house.floor.execute(name, CloseTable(), "house", "close-0001")
    page = person.look("/play")
    assert f"{ROUNDS} rounds are still to be read" in page  # at once, before anything is read
    page = load_known(person)
    assert f"Rounds</dt><dd>{ROUNDS}<" in page
    assert f"Wagered</dt><dd>{format_dollars(staked)}<" in page
    assert f"Result</dt><dd>{write_minus(format_dollars(net))}<" in page.replace("+$", "$")
    decisions = sum(map(len, hands.values()))
    right, judged = re.findall(r"Decisions right</dt><dd>(\d+) of (\d+)<", page)[0]
    assert int(judged) == decisions
    assert "<svg" in page
    again = re.findall(rf'href="(/tables/{name}/rounds/\d+/try/[^"]+)"', page)
    assert len(again) == decisions - int(right)
    for address in again:
        asked = person.web.get(address, follow_redirects=False).headers["location"]
        assert asked.endswith("&back=play")
    if again:
        assert 'href="/play"' in person.look(again[0])
    assert elsewhere not in page
    assert name not in load_known(stranger)


def sum_printed(pattern: str, page: str) -> Decimal:
    """Sum the costs that a page prints where a pattern finds them."""
    return sum(map(Decimal, re.findall(pattern, page)), Decimal("0.0000"))


@pytest.mark.more
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", SOLVED)
def test_the_same_decisions_cost_the_same_on_every_page_that_prints_it(house: House, game: str) -> None:
    """Whoever adds the costs of single decisions, each a difference of printed values, finds each printed sum."""
    person, name = played(house, game)
    value_all(house.floor, name, holder_at(house, name))
    while " not judged yet" in (play := unescape(person.look("/play/known"))) or " to be read" in play:
        sleep(0.1)
    rows = play.partition('id="accuracy"')[2].partition("</table>")
    leaks, cell = unescape(person.look(f"/tables/{name}/leaks/known")), r"<td[^>]*>(\d+\.\d{4})</td>"
    each_leak, _, each_mistake = leaks.partition("Each mistake</caption>")
    coach, board = unescape(person.look(f"/tables/{name}/coach")), Decimal(0)
    for number in range(1, ROUNDS + 1):
        board += sum_printed(cell, person.look(f"/tables/{name}/rounds/{number}/values"))
    costs = {
        "my play, by decision": sum_printed(r"<td[^>]*>(\d+\.\d{4}) (?:Antes|Poker bets)</td>", rows[0]),
        "my play, by leak": sum_printed(r"In all (\d+\.\d{4}) ", rows[2]),
        "my play, each mistake": sum_printed(cell, rows[2]),
        "leaks, in all": sum_printed(r"<dd>(\d+\.\d{4})</dd>", each_leak),
        "leaks, by leak": sum_printed(cell, each_leak),
        "leaks, each mistake": sum_printed(cell, each_mistake),
        "coach": sum_printed(r"decisions right, cost (\d+\.\d{4}) ", coach),
    }
    boards = {"the settled rounds": board}
    assert (costs["leaks, in all"] > 0) == bool(each_mistake)
    assert len({*costs.values(), *boards.values()}) == 1, costs | boards


@pytest.mark.more
def test_the_page_says_what_cannot_be_judged(house: House) -> None:
    person, name = played(house, "six-card")
    review = house.floor.leak_reviews.get_review(name, holder_at(house, name))
    review.refused, review.refusal = 2, "no solution of these pays is kept"
    value_all(house.floor, name, holder_at(house, name))
    assert "2 decisions cannot be judged: no solution of these pays is kept." in load_known(person)


@pytest.mark.more
def test_what_is_known_is_shown_while_a_bet_is_counted_and_how_long_that_takes(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, name = played(house, "six-card")
    value_all(house.floor, name, holder_at(house, name))
    release = tmp_path / "slow"

    def build_slow_main(bet: PlayedBet) -> JobSpec:
        job = build_bet_job(bet)
        return JobSpec(REPORTS, "slow", hold_at, (str(release), 20, 351)) if bet.bet == "main" else job

    monkeypatch.setattr("pitboss.web.jobs.bet_counts.build_bet_job", build_slow_main)
    try:
        while "<svg" not in (page := unescape(person.look("/play/known"))) or "1 bet has no exact" not in page:
            sleep(0.01)
        line = r"Counting Six Card Poker, Ante and Play: 5%, \d:\d\d so far, about \d+ \w+ left</label>"
        assert re.search(line, page)
        assert '<progress id="judging-1" value="20" max="351">' in page
        assert page.count(BEING_COUNTED) == 1
        assert "parts" not in page
        assert not re.search(r"bet \d+ of", page)
        assert person.web.get("/play.json").json()["account"] is None
    finally:
        release.touch()


def test_the_bets_of_a_game_that_comes_with_its_solution_are_counted_first() -> None:
    games = "six-card", "lunar", "wild-52", "shifting-wilds"
    bets = [open_main(game) for game in games]
    assert [each.game.id for each in _order_bets(bets)] == ["lunar", "shifting-wilds", "six-card", "wild-52"]


def open_main(name: str) -> PlayedBet:
    """Return a wager on the main bet of a game, under its usual pays and options."""
    game = load_game(name)
    return PlayedBet(game, "main", GameTerms(select_paytables(game), resolve_options(game, {})), 500, 1, 500, 0)


def count_all(bets: Sequence[PlayedBet]) -> tuple[bytes, ...]:
    """Count the sheet of every bet."""
    return tuple(pickle_object(count_bet(each.game, find_bet(each.game, each.bet), each.terms)) for each in bets)


@pytest.mark.more
def test_the_last_count_stays_while_new_rounds_are_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    person, name = played(house, "six-card")
    holder = holder_at(house, name)
    value_all(house.floor, name, holder)
    review = house.floor.leak_reviews.get_review(name, holder)
    while "not judged yet" in (page := unescape(person.look("/play/known"))) or " to be read" in page:
        sleep(0.1)
    bets, rounds = OwnPlay((ReviewedTable(name, house.floor.get_session(name).terms, review),)).tally_bets()
    expected = Fraction(-67, 10)  # each row is rounded, so the sum of the rows is not the rounded sum
    judged = tuple(JudgedBet(each, expected, (-900.0, 900.0), "") for each in (*bets, *bets))
    total = f"−${7 * len(judged) / 100:.2f}"
    assert round(expected * len(judged)) != -7 * len(judged)
    data = {"bets": [], "bankroll": [{"round": each} for each in range(1, ROUNDS + 1)]}
    content = AccountContent(judged, "Bankroll", "About", "<svg></svg>", data)
    for bet, sheet in zip(bets, sheets := count_all(bets), strict=True):
        house.floor.jobs.store_result(build_bet_job(bet), unpickle_object(sheet))
    house.floor.jobs.store_result(build_account_job(bets, sheets, rounds), content)
    page = unescape(person.look("/play/known"))
    assert f"Expected result, best play</dt><dd>{total}<" in page
    assert "New rounds" not in page
    inside = sum(not each.is_outside for each in judged)
    assert f"within their band of 95 in 100</dt><dd>{inside} of {len(judged)}<" in page
    (folded,) = re.findall(r'<details class="more" id="bets-six-card">(.*?)</details>', page, re.DOTALL)
    net = write_minus(format_dollars(2 * sum(each.net_cents for each in bets))).replace("$", "", 1)
    assert net in folded.partition("</summary>")[0].replace("$", "", 1)
    assert f'expected <span class="amount">{total}</span>' in folded  # no line ends within it
    assert folded.count(">−$0.07<") == len(judged)
    assert folded.count("−$9.00 to +$9.00") == len(judged)
    costliest = re.findall(r'Costliest leak: <a href="#leak-1">(.*?)</a>', page)
    assert costliest == re.findall(r'id="leak-1" open><summary>(.*?)</summary>', page)
    review.played.pop()  # any other number of rounds is another count, and it takes longer than this test

    async def is_counted(*_arguments: object, **_more: object) -> None:
        return None

    monkeypatch.setattr("pitboss.web.pages.page_call.PageCall.wait_for_result", is_counted)
    page = unescape(person.look("/play/known"))
    assert f"Expected result of {ROUNDS} earlier rounds, best play</dt><dd>{total}<" in page
    assert f"have the {ROUNDS} rounds that were counted before" in page
    assert "<svg></svg>" in page
    assert 'hx-get="/play/known"' in page  # it asks on
    assert person.web.get("/play.json").json()["account"] is None


def test_a_bet_without_a_sheet_says_why() -> None:
    bet = open_main("six-card")
    content = judge_account((bet,), (pickle_object("it takes minutes"),), (BankrollRound(0, (0,)),))
    assert [each.reason for each in content.bets] == ["it takes minutes"]


def test_a_program_gets_the_same_figures(house: House) -> None:
    person, name = played(house, "six-card")
    value_all(house.floor, name, holder_at(house, name))
    page = load_known(person)
    known = person.web.get("/play.json").json()
    staked, net = nets_at(house, name)
    assert (known["rounds"], known["staked_cents"], known["net_cents"]) == (ROUNDS, staked, net)
    assert (known["rounds_not_read"], known["decisions_not_judged"], known["problem"]) == (0, 0, "")
    assert known["tables"] == [name]
    (main,) = (bet for bet in known["account"]["bets"] if bet["bet"] == "main")
    assert main["wagers"] == ROUNDS
    top, below = map(int, main["expected_cents_exact"].split("/"))
    assert main["expected_cents"] == pytest.approx(top / below)
    low, high = main["band_cents"]
    assert low < main["expected_cents"] < high
    assert [point["round"] for point in known["account"]["bankroll"]] == list(range(1, ROUNDS + 1))
    assert known["account"]["bankroll"][-1]["net_cents"] == net
    right = sum(each["right"] for each in known["accuracy"])
    assert f"Decisions right</dt><dd>{right} of" in page
    assert sum(len(leak["mistakes"]) for leak in known["leaks"]) == sum(
        each["judged"] - each["right"] for each in known["accuracy"]
    )


@pytest.mark.more
def test_bets_at_two_tables_of_the_same_terms_are_one_and_another_stake_is_another(house: House) -> None:
    person, name = played(house, "six-card")
    holder = holder_at(house, name)
    value_all(house.floor, name, holder)
    load_known(person)
    review, terms = house.floor.leak_reviews.get_review(name, holder), house.floor.get_session(name).terms
    twice = OwnPlay((ReviewedTable("a", terms, review), ReviewedTable("b", terms, review)))
    bets, rounds = twice.tally_bets()
    assert {bet.bet: bet.wagers for bet in bets}["main"] == 2 * ROUNDS
    assert not any(bet.shares_rounds for bet in bets)
    assert sum(each.net_cents for each in rounds) == twice.net_cents
    raised = twice.tables[1].review.played[0]
    wager = raised.wagers[0]._replace(stake_cents=1_000)
    review.played[0] = raised._replace(wagers=(wager, *raised.wagers))
    bets, _ = OwnPlay((ReviewedTable("a", terms, review),)).tally_bets()
    assert len([bet for bet in bets if bet.bet == wager.bet]) == 2
    sheets = count_all(bets)
    content = judge_account(bets, sheets, rounds)
    assert all(each.expected_cents is not None for each in content.bets)
    keys = {
        build_account_job(bets, sheets, rounds).key,
        build_account_job(bets, sheets, rounds[1:]).key,
        build_account_job(bets, (None, *sheets[1:]), rounds).key,
    }
    assert len(keys) == 3
