"""The page *Study* over HTTP: any position with the value of every action, and the link to it from a round."""

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from itertools import combinations
from pathlib import Path
from runpy import run_path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import httpx
import pytest
from starlette.datastructures import QueryParams
from typer.testing import CliRunner

import pitboss as pb
from clients import open_client
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.hints import Hint
from pitboss.cards import format_cards, seeded_bits, shuffle_cards
from pitboss.cli.app import app
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables, to_document
from pitboss.reports.paytable_editing import edit_paytable
from pitboss.table.round import CardsDealt
from pitboss.table.service import TableService
from pitboss.table.session import TableSession, TableTerms
from pitboss.web.app import create_app
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.coach import (
    compute_advice,
    deal_sample_round,
    get_side_stakes,
    open_minimum_round,
    select_best_forms,
)
from pitboss.web.jobs.queue import JobClient, JobPriority
from pitboss.web.jobs.spec import RATIONS, STUDIED, JobSpec
from pitboss.web.jobs.study_content import (
    StudyContent,
    StudyRequest,
    build_study_job,
    build_why_job,
    describe_seen,
    explain_position,
    study_position,
)
from pitboss.web.jobs.study_reasons import StudyReasons
from pitboss.web.jobs.value_bars import measure_values
from pitboss.web.pages.mistake_reasons import select_reasons
from pitboss.web.pages.study import find_study_address, list_played_wagers, list_studied_games, parse_study_query
from pitboss.web.pages.study_sharing import write_command, write_program
from pitboss.web.pages.table_page import BY_COUNT
from pitboss.web.registry import TableRegistry
from pitboss.web.templating import format_cost, format_signed_value, get_face_id
from table.seated import evening
from web.chores import hold
from web.served import answering, counted, said, unlimited
from web.test_guests import House, house

__all__ = ["house"]

each_game = pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.id)

HAND = {"game": "six-card", "player": "As Kd 9h 7c 4s 2d", "dealer": "Qs Jd 3h"}


class _Asked:
    """A request with this query, for the page's own reader of queries."""

    def __init__(self, address: str) -> None:
        self.query_params = QueryParams(urlsplit(address).query)


def read_address(address: str) -> Any:
    """Return what an address of the page asks for."""
    asked: Any = _Asked(address)
    named = parse_qsl(urlsplit(address).query)
    fields = dict(named)
    lists = {name: tuple(text for each, text in named if each == name) for name in ("paytable", "option")}
    return parse_study_query(asked, fields.get("game", ""), fields.get("taken", ""), **lists)


def list_decisions(game: Game, seed: int, options: dict[str, str] | None = None) -> Iterator[tuple[TableSession, int]]:
    """Yield a seat's every decision of an evening, with the seat."""
    for session in evening(game, seed, options=options):
        if session.round and session.turn is not None:
            yield session, session.turn


@each_game
@pytest.mark.parametrize("seed", [1, 2])
def test_the_link_of_every_decision_leads_to_the_same_position(game: Game, seed: int) -> None:
    """What the page would value is what the coach values: no card is lost, none is added."""
    number = 0
    for session, seat in list_decisions(game, seed):
        now, seat_index = session.round, session.round_seats.index(seat)
        assert now
        query = read_address(find_study_address(session, seat))
        position = parse_hint_request(game, query.request.terms, query.texts, query.request.taken).position
        assert position.view == now.get_view(seat_index)
        assert now.turn == (seat_index, position.decision_index)
        assert position.legal == now.list_legal_actions()
        assert query.request.terms.stakes == get_side_stakes(now, seat_index)
        assert query.request.terms.options == now.options
        assert {kind: table.lines for kind, table in query.request.terms.paytables.items()} == {
            kind: table.lines for kind, table in now.paytables.items()
        }
        number += 1
    assert number or not game.decisions


@each_game
def test_a_link_keeps_the_options_and_no_other_seat_has_one(game: Game) -> None:
    options = {each.name: each.values[-1] for each in game.options}
    for session, seat in list_decisions(game, 3, options):
        assert session.round
        assert read_address(find_study_address(session, seat)).request.terms.options == session.round.options
        others = [each for each in (None, *session.round_seats) if each != seat]
        assert [find_study_address(session, each) for each in others] == [""] * len(others)


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_without_cards_the_page_begins_with_an_example(game: Game) -> None:
    query = read_address(f"/study?game={game.id}")
    asked = parse_hint_request(game, query.request.terms, query.texts)
    assert asked.position.view == deal_sample_round(game).get_view(0)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRegistry]:
    """A floor without tables."""
    folder = tmp_path_factory.mktemp("study")
    found = TableRegistry(TableService.connect(f"sqlite:///{folder / 'tables.db'}", folder / "key"), limits=unlimited())
    yield found
    found.close()


@pytest.fixture(scope="module")
def web(floor: TableRegistry) -> Iterator[httpx.Client]:
    """Somebody who studies."""
    with (
        answering(create_app(None, floor)) as address,
        open_client(address) as client,
    ):
        yield client


@pytest.mark.compiled
@pytest.mark.parametrize("path", ["/study", "/study/values"])
def test_every_action_has_the_value_that_the_library_finds(web: httpx.Client, path: str) -> None:
    answer = counted(web, path, HAND)
    assert answer.status_code == 200
    assert ("<html" in answer.text) == (path == "/study")
    best, other = pb.game("six-card").hint(player=HAND["player"], dealer=HAND["dealer"])
    rows = re.findall(
        r'<tr[^>]*><th scope="row"[^>]*>(\w+)</th><td class="number"[^>]*><span class="valued">([^<]+)'
        r'<svg class="measure".*?</svg></span></td><td class="number"[^>]*>(\S+)</td>',
        answer.text,
    )
    assert rows == [
        ("Play", format_signed_value(best.value), "best"),
        ("Fold", format_signed_value(other.value), f"{float(other.cost):.4f}"),
    ]
    assert '<span class="values-key">Average net of the whole round in Antes. Bars start at ' in answer.text
    assert 'aria-label="Ace of spades"' in answer.text


@pytest.mark.compiled
def test_the_file_is_what_the_command_prints(web: httpx.Client) -> None:
    found = counted(web, "/study/hint.json", HAND).json()
    choices = pb.game("six-card").hint(player=HAND["player"], dealer=HAND["dealer"])
    assert [each["action"] for each in found["actions"]] == [each.action for each in choices]
    exact = [f"{each.value.numerator}/{each.value.denominator}" for each in choices]
    assert [each["expected_value_exact"] for each in found["actions"]] == exact


def value_as_listed(floor: TableRegistry, game: Game) -> StudyContent:
    """Give every choice at a game's example a value, the last action the best, and return them."""
    request, now = read_address(f"/study?game={game.id}").request, deal_sample_round(game)
    assert now.turn
    decision, own = game.decisions[now.turn[1]], now.get_view(0)[0]
    cards = [card for card in game.deck.cards if own >> card & 1]
    offered = [
        (action, sum(1 << card for card in given))
        for action in reversed(now.list_legal_actions())
        for given in combinations(cards, action.discards)
    ]
    ranked = [Hint(action, given, Fraction(1 - place, 8)) for place, (action, given) in enumerate(offered)]
    choices = tuple(compute_advice(game, each, ranked[0]) for each in ranked)
    best = tuple(select_best_forms(choices))
    actions = tuple(zip(best, measure_values(best), strict=True))
    seen = tuple((name, tuple(text.split())) for name, text in request.cards)
    order = tuple(each.id for each in decision.actions)
    content = StudyContent(decision.question, order, "Antes", seen, actions, choices, {})
    floor.jobs.store_result(build_study_job(request), content)
    return content


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_a_line_says_that_more_is_counted_until_it_is_there(
    web: httpx.Client, floor: TableRegistry, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    """The values come first: the place of the sentence with the counts says so, and keeps its room."""
    value_as_listed(floor, game)
    said = re.compile(r'<div class="reasons" hx-get="(/study/why[^"]+)"[^>]*><p [^>]*>Counting how often each action')
    values = web.get("/study/values", params={"game": game.id}).text
    found = said.search(values)
    assert found
    assert values[: found.start()].rpartition("\n")[2].startswith('<div class="room')
    monkeypatch.setattr("pitboss.web.pages.page_call.PageCall.wait_for_result", refuse_jobs)
    waiting = said.search(web.get(unescape(found[1])).text)
    assert waiting
    assert waiting[1] == found[1]
    floor.jobs.store_result(build_why_job(read_address(f"/study?game={game.id}").request), StudyReasons(("It wins.",)))
    monkeypatch.undo()
    known = web.get(unescape(found[1])).text
    assert "It wins." in known
    assert not said.search(known)


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_the_values_name_the_wagers_of_the_game_and_fees_only_where_there_are_some(
    web: httpx.Client, floor: TableRegistry, game: Game
) -> None:
    value_as_listed(floor, game)
    fees = " and fees" if game.id == "lunar" else ""
    page = web.get("/study/values", params={"game": game.id}).text
    assert f"The net of the whole round on {game.main.name}, chips already placed{fees} included." in page


def test_show_asks_for_the_answer_on_its_page(web: httpx.Client) -> None:
    page = web.get("/study", params={"game": "six-card", "player": "nonsense"}).text
    assert 'id="asked" method="get" action="/study#values"' in page
    assert page.count('id="values"') == 1


def test_a_bar_of_a_loss_is_drawn_as_one(web: httpx.Client, floor: TableRegistry) -> None:
    """With quotation marks inside its name no style would find the class."""
    content = value_as_listed(floor, load_game("lunar"))
    page = web.get("/study/values", params={"game": "lunar"}).text
    losing = sum(advice.value < 0 for advice, _ in content.actions)
    assert losing
    assert page.count('<rect class="below"') == losing
    assert "&quot;below" not in page


async def refuse_jobs(*_asked: object, **_how: object) -> None:
    """Take no more jobs, as while too many wait."""
    raise RateLimitError("too many jobs are waiting", 2, code="busy")


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_a_decision_is_asked_without_its_values_and_every_answer_judged(
    web: httpx.Client, floor: TableRegistry, game: Game
) -> None:
    content, asked = value_as_listed(floor, game), {"game": game.id}
    page = web.get("/study/try", params=asked).text
    buttons = re.findall(r'name="chosen" value="([^"]+)"', page)
    assert buttons == [action or BY_COUNT for _, action in content.buttons]
    assert not re.search(r"worth|costs|[+\u2212-]\d\.\d{4}|best", page.partition("</nav>")[2])
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]+)"', page))
    assert read_address(f"/study?{QueryParams(fields)}").request == read_address(f"/study?game={game.id}").request
    for each in content.choices[:40]:
        chosen = each.action if each.action in buttons else BY_COUNT
        said = web.get("/study/try", params=asked | {"chosen": chosen, "discard": each.cards})
        told = (
            f"costs {format_cost(each)} {content.unit}"
            if each.cost
            else f"is worth {format_signed_value(each.value)} {content.unit}, "
        )
        assert told in said.text
        table = said.text.partition('aria-label="Value of each action"')[2].partition("</table>")[0]
        values = re.findall(r'<span class="valued">([^<]+)<', table)
        best, second = content.choices[:2]  # "more than the next best" is to be found in the table
        assert values[:2] == [format_signed_value(either.value) for either in (best, second)]
        assert format_signed_value(each.value) in values
        assert all(f"{each.name} {' '.join(each.cards)}" in unquote(unescape(said.text)) for _ in each.cards[:1])
        assert said.status_code == 200
    wrong = [asked | {"chosen": "nothing"}]
    if content.gives:
        wrong.append(asked | {"chosen": buttons[-1], "discard": ()})
    for answer in wrong:
        said = web.get("/study/try", params=answer)
        assert said.status_code == 409
        assert "0 cards chosen: choose" in said.text


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (HAND, r"Fold always loses\. Play wins \d+ of 100 rounds and loses \d+\. A win brings \d\.\d\d Antes on "),
        (
            {"game": "wild-six-card", "player": "9s 9d 7c 4s 2d"},
            r"Discard (2♦|4♠|7♣) wins \d+ of 100 rounds, pushes \d+ and loses \d+\. A win brings 1\.00 Poker bets on ",
        ),
        (
            {"game": "lunar", "player": "9s 9d 7c 4s 2d", "dealer": "Ks"},
            (
                r"Exchange 3 7♣ 4♠ 2♦ keeps your pair of nines and makes two pair or better in 29 of 100 draws\. "
                r"Play keeps your pair of nines\. "
                r"The values count every card that can come, and the best choice after it\. Buy, "
                r".*Exchange 5 pay the fee of one Ante, which is lost whatever comes; the values count it\.</p>.*"
                r"<li>Buy keeps your pair of nines and makes two pair or better in 24 of 100 draws\.</li>"
            ),
        ),
        (
            {"game": "lunar", "player": "9s 9d 7c 4s 2d", "dealer": "Ks", "choice": "Exchange 2 9s 9d"},
            (
                r"Exchange 2 9♠ 9♦ gives up your pair of nines: it makes ace-king or better in 42 of 100 draws, "
                r"a pair or better in 41 and two pair or better in 3\. Exchange 3 7♣ 4♠ 2♦ keeps your pair of nines "
                r"and makes two pair or better in 29 of 100 draws\. The values count "
            ),
        ),
        (
            {"game": "lunar", "player": "Ks 9d 7c 4s 2d", "dealer": "As"},
            (
                r"Fold costs exactly one Ante, whatever comes; no other choice costs less on average\. "
                r"Exchange 4 9♦ 7♣ 4♠ 2♦ makes ace-king or better in 65 of 100 draws, "
            ),
        ),
        (
            {"game": "lunar", "player": "Js 9d 7c 4s 2d 3h", "drew": "3h", "dealer": "Ks"},
            r"Fold costs exactly two Antes, whatever comes; no other choice costs less on average\. The values count ",
        ),
        ({"game": "six-card", "player": "As"}, r"></p>"),  # the values say what is wrong
    ],
)
def test_what_an_action_is_worth_is_said_in_rounds_out_of_a_hundred(
    web: httpx.Client, hand: dict[str, str], said: str
) -> None:
    text = unescape(counted(web, "/study/why", hand).text)
    assert re.fullmatch(rf'<div class="reasons">\s*<p class="why-text">?{said}.*', text.strip(), re.DOTALL), text
    numbers = [int(each) for each in re.findall(r"(?:wins|pushes|loses) (\d+)", text)]
    assert sum(numbers) in (0, 100)


def explain(game: str, cards: dict[str, str]) -> StudyReasons:
    """Explain a position by the rule sheet."""
    asked = load_game(game)
    terms = GameTerms(select_paytables(asked), resolve_options(asked, {}), {})
    return explain_position(StudyRequest(asked, terms, tuple(cards.items()), ()))


@pytest.mark.compiled
@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_a_dealer_who_does_not_qualify_is_counted_among_rounds_that_are_played_on(game: Game) -> None:
    """Of a round that is folded later nobody sees the dealer: it is said apart, and so are the folds."""
    now = deal_sample_round(game)
    terms = GameTerms(select_paytables(game), resolve_options(game, {}), {})
    reasons = explain_position(StudyRequest(game, terms, tuple(describe_seen(now, 0).items()), ()))
    assert reasons.has_unqualified == any("dealer" in each for each in reasons.sentences)
    assert reasons.has_unqualified == (game.id in ("six-card", "wild-52", "shifting-wilds"))
    sentences = () if reasons.note else reasons.sentences  # with a note they are about draws
    for sentence, each in zip(sentences, reasons.counts, strict=True):
        assert each.unqualified + each.folds <= each.ways
        is_folded_later = 0 < each.folds < each.ways
        assert is_folded_later == (game.id == "shifting-wilds" and each.name == "Check")
        assert (" you fold later, and in " in sentence) == (" you play on and the dealer " in sentence)
        assert (" you fold later" in sentence) == is_folded_later


@pytest.mark.compiled
def test_what_a_win_and_a_loss_are_on_average_explains_equal_numbers_of_wins() -> None:
    """Play again stakes two more Antes than Check, and wins just as often."""
    game = load_game("wild-52")
    now = deal_sample_round(game).decide(0, "play")
    terms = GameTerms(select_paytables(game), resolve_options(game, {}), {})
    request = StudyRequest(game, terms, tuple(describe_seen(now, 0).items()), ())
    again, check = explain_position(request).sentences
    assert re.findall(r"(wins.*?loses \d+)", again) == re.findall(r"(wins.*?loses \d+)", check)
    for sentence, name in ((again, "Play again"), (check, "Check")):
        (each,) = (action for action, _ in study_position(request).actions if action.name == name)
        shares = [int(re.findall(rf"{verb} (\d+)", sentence)[0]) for verb in ("wins", "loses")]
        means = [float(re.findall(rf"{verb} (\d+\.\d\d)", sentence)[0]) for verb in ("brings", "costs")]
        net = (shares[0] * means[0] - shares[1] * means[1]) / 100
        assert net == pytest.approx(float(each.value), abs=0.05)


@pytest.mark.compiled
def test_each_card_that_one_may_discard_has_its_reason() -> None:
    reasons = explain("wild-six-card", {"player": "9s 9d 7c 4s 2d"})
    for chosen in ("9s", "9d", "7c", "4s", "2d"):
        (said,) = select_reasons((*reasons.sentences, *reasons.others), [f"Discard {chosen} "])
        assert re.match(rf"Discard {chosen} wins \d+ of 100 rounds, ", said)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("drew", "said"),
    [
        (
            {"player": "As Ad 7c 4s 2d 9c", "drew": "9c"},
            (
                "Take the Ante wins one Ante, and the fee of one Ante is paid: 0 in all.",
                ", the fees of two Antes counted.",
            ),
        ),
        ({"player": "As Ad 7c 4s 2d"}, ("Take the Ante always wins.", ", the fee of one Ante counted.")),
    ],
)
def test_fees_that_were_paid_are_said_to_count(drew: dict[str, str], said: tuple[str, str]) -> None:
    reasons = explain("lunar", {**drew, "dealer": "Qs Jd 8h 5c 3c"})
    force, take = sorted(reasons.sentences)
    assert take == said[0]
    assert said[1] in force
    assert re.search(r" In \d+ of the 100 the dealer does not qualify\.$", force)


@pytest.mark.compiled
@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_where_side_wagers_count_it_says_what_each_wager_is_worth(web: httpx.Client, game: Game) -> None:
    """As printed, the parts of an action add up to its value; a value of the main wager alone has no parts."""
    options = resolve_options(game, {})
    played = list_played_wagers(game, options)
    terms = GameTerms(select_paytables(game), options, {wager.id: Fraction(1) for wager in played})
    request = StudyRequest(game, terms, tuple(describe_seen(deal_sample_round(game), 0).items()), ())
    reasons, content = explain_position(request), study_position(request)
    parts = {each.name: each for each in reasons.parts}
    choices = {" ".join((each.name, *each.cards)): each for each in content.choices}
    assert set(parts) == (set(choices) if played and not reasons.note else set())
    for name, each in parts.items():
        assert [wager for wager, _ in each.parts] == [game.main.name, *(wager.name for wager in played)]
        assert sum(value for _, value in each.parts) == choices[name].value
        printed = [
            Fraction(text.replace("\N{MINUS SIGN}", "-")) for text in re.findall(r"[+−]\d+\.\d{4}", each.sentence)
        ]
        assert sum(printed) == Fraction(f"{float(choices[name].value):.4f}")
    asked = {"game": game.id, **dict(request.cards)} | {f"stake-{wager.id}": "1" for wager in played}
    page = unescape(counted(web, "/study/why", asked).text)
    assert all(each.sentence in page for each in parts.values())
    assert ("is worth, by wager: " in page) == bool(parts)


@pytest.mark.compiled
def test_who_breaks_a_pair_reads_what_the_draw_makes_of_it() -> None:
    """Each choice of cards has its sentence: a mistake, an answer and Study name the chosen and the best one."""
    reasons = explain("lunar", {"player": "9s 9d 7c 4s 2d", "dealer": "Ks"})
    said = (*reasons.sentences, *reasons.others)
    assert len(said) == len(set(said)) == 1 + 1 + 10 + 10 + 5 + 1  # Play, Buy and each choice of two to five cards
    broken, kept = select_reasons(said, ["Exchange 2 9s 9d ", "Exchange 3 7c 4s 2d "], [-1.2, 0.1])[::-1]
    assert broken.startswith("Exchange 2 9s 9d gives up your pair of nines: it makes ")
    assert kept == "Exchange 3 7c 4s 2d keeps your pair of nines and makes two pair or better in 29 of 100 draws."
    assert reasons.find_other("Exchange 2 9s 9d") == broken
    alike = select_reasons(said, ["Exchange 2 4s 2d ", "Exchange 2 7c 2d "], [0.01, 0.02])
    assert re.search(r"^Either choice keeps .* draws, but they are not worth the same: on average ", " ".join(alike))
    after = explain("lunar", {"player": "9s 9d 7c 4s 2d 3h", "drew": "3h", "dealer": "Ks"})
    assert after.sentences == ()  # nothing is drawn any more
    assert after.note


def test_every_card_of_the_deck_can_be_clicked(web: httpx.Client) -> None:
    for game in list_studied_games():
        page = web.get("/study", params={"game": game.id, "player": "nonsense"}).text
        assert set(re.findall(r'data-card="(\w+)"', page)) == set(format_cards(game.deck.cards, game.deck).split())


def test_cards_lie_on_the_page_as_they_do_on_the_table(web: httpx.Client) -> None:
    game = load_game("six-card")
    for seed in range(20):
        now = open_minimum_round(game).deal(shuffle_cards(game.deck.cards, seeded_bits(seed)))
        (dealt,) = (each.cards for each in now.events if isinstance(each, CardsDealt) and each.seat == 0)
        assert describe_seen(now, 0)["player"] == format_cards(dealt, game.deck)
    typed = {"player": "2d As 9h Kd 4s 7c", "dealer": "3h Qs Jd"}
    shown = re.findall(r'<use href="/cards.svg#(\w+)"', counted(web, "/study/values", {"game": game.id, **typed}).text)
    assert shown[:9] == " ".join(typed.values()).split()


@pytest.mark.compiled
def test_a_ten_may_be_typed_as_its_face_says_it(web: httpx.Client) -> None:
    hands = [{"player": f"As Kd {ten} 7c 4s 2d", "dealer": "Qs Jd 3h"} for ten in ("Th", "10h", "10H")]
    hands += [{"player": "As, Kd,10h;7c; 4s, 2d,", "dealer": "Qs,Jd,3h"}]
    texts = [counted(web, "/study/hint.json", {"game": "six-card", **hand}).text for hand in hands]
    assert len(set(texts)) == 1
    assert '"actions"' in texts[0]
    assert "10x" in counted(web, "/study/values", {"game": "six-card", **hands[0], "dealer": "10x Jd 3h"}).text


@pytest.mark.compiled
@pytest.mark.parametrize("typed", ["Ts Kd 9h 7c 4s Td", "10s, Kd, 9h, 7c, 4s, 10d", "10♠ kd 9♥ 7c 4S td"])
def test_a_ten_is_printed_as_10_and_linked_in_the_notation(web: httpx.Client, typed: str) -> None:
    asked = {"game": "six-card", "player": typed, "dealer": "Qs Jd 10h"}
    counted(web, "/study/values", asked)
    page = unescape(web.get("/study", params=asked).text)
    assert re.findall(r'<input name="(?:player|dealer)" value="([^"]*)"', page) == ["10s Kd 9h 7c 4s 10d", "Qs Jd 10h"]
    assert 'pitboss hint six-card --player "Ts Kd 9h 7c 4s Td" --dealer "Qs Jd Th"' in page
    assert "player=Ts+Kd+9h+7c+4s+Td&dealer=Qs+Jd+Th" in page
    picture = web.get("/study/position.svg", params=asked).text
    assert not re.search(r">[^<]*\bT\b[^<]*<|>[^<]*\bT[shdc♠♥♦♣]", picture)
    twice = unescape(counted(web, "/study/values", asked | {"dealer": "Qs Jd Td"}).text)
    assert "10d is in your hand and in “Dealer”: a card" in twice


@pytest.mark.compiled
def test_a_file_that_takes_longer_than_an_answer_waits_is_asked_for_again(
    web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.jobs.requests.WAIT_SECONDS", 0)
    position = {"game": "six-card", "player": "Ah Kd 9c 7c 4s 3d", "dealer": "Qs Jd 3h"}  # no other test has counted it
    late = web.get("/study/hint.json", params=position)
    assert (late.status_code, "still counting" in late.text) == (429, True)
    assert '"actions"' in counted(web, "/study/hint.json", position).text


@pytest.mark.compiled
def test_a_joker_may_be_typed_by_the_name_on_its_button(web: httpx.Client) -> None:
    hands = [
        ("wild-52", "Joker, As Kd 9h 7c", "Jk As Kd 9h 7c"),
        ("wild-six-card", "Joker 2 As Kd JOKER1 7c", "Jk2 As Kd Jk1 7c"),
    ]
    for game, named, written in hands:
        texts = [counted(web, "/study/hint.json", {"game": game, "player": each}).text for each in (named, written)]
        assert len(set(texts)) == 1
        assert '"actions"' in texts[0]


@pytest.mark.parametrize(
    ("game", "hint"),
    [
        ("six-card", "for example 10d (or Td)"),
        ("wild-52", "for example 10d (or Td), or Jk for the Joker"),
        ("wild-six-card", "for example 10d (or Td), or Jk1 or Jk2 for a Joker"),
    ],
)
def test_a_word_that_is_no_card_is_answered_with_an_example(web: httpx.Client, game: str, hint: str) -> None:
    text = unescape(counted(web, "/study/values", {"game": game, "player": "As Kd 9x"}).text)
    assert f"{hint}.</p>" in text
    assert ("Joker" in hint) == ("for a Joker" in text or "for the Joker" in text)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"player": "As Kd 9h"}, "At the decision “Fold or play”, your hand must have 6 cards, not 3"),
        ({"player": "As As 9h 7c 4s 2d"}, "As"),
        ({"player": "As Kd 9h 7c 4s Xx"}, "Xx"),
        ({"dealer": ""}, "At the decision “Fold or play”, “Dealer” must have 3 cards, not 0"),
        ({"taken": "fold"}, "Fold does not lead to “Fold or play”: give the actions before it"),
        ({"player": "<script>"}, "<script>"),
    ],
)
def test_what_is_no_position_is_refused_in_a_line(web: httpx.Client, changes: dict[str, str], line: str) -> None:
    for path in ("/study", "/study/values"):
        answer = counted(web, path, HAND | changes)
        assert answer.status_code == 409
        (problem,) = re.findall(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)
        assert line in unescape(problem)
        assert "\n" not in problem
        assert "<script>" not in answer.text.replace("<script defer src", "")


@each_game
def test_every_option_and_the_pays_that_matter_are_chosen_in_the_form(web: httpx.Client, game: Game) -> None:
    """Each changes what is valued, and is in the link, the command, the program and the words above the values."""
    page = unescape(web.get("/study", params={"game": game.id, "player": "nonsense"}).text)
    names = re.findall(r'<select name="((?:option|paytable)-[^"]+)" data-prices data-printed="([^"]*)"', page)
    assert {name for name, _ in names if name.startswith("option-")} == {f"option-{each.name}" for each in game.options}
    usual = read_address("/study?" + urlencode({"game": game.id, **dict(names)}))
    assert (usual.chosen, usual.address) == (((), ()), read_address(f"/study?game={game.id}").address)
    for name, default in names:
        (values,) = re.findall(rf'<select name="{re.escape(name)}".*?</select>', page)
        other = next(each for each in re.findall(r'<option value="([^"]*)"', values) if each != default)
        query = read_address("/study?" + urlencode({"game": game.id, name: other}))
        kind = name.partition("-")[2]
        terms = query.request.terms
        assert other == (terms.options[kind] if name.startswith("option-") else terms.paytables[kind].id)
        again = read_address(f"/study?{query.address}")
        assert (again.request.terms, again.chosen) == (terms, query.chosen)
        assert other in write_command(query.request)
        assert other in write_program(query.request)
        shown = unescape(web.get("/study", params={"game": game.id, name: other, "player": "nonsense"}).text)
        assert f'<option value="{other}" selected>' in shown


def test_a_table_of_a_link_wins_over_the_form_and_the_file_has_it(web: httpx.Client) -> None:
    query = read_address("/study?game=six-card&paytable=SCP-02&paytable-aces-up=SCP-03")
    assert query.chosen.paytables == ("SCP-02",)
    data = counted(web, "/study/hint.json", HAND | {"paytable-aces-up": "SCP-02"}).json()
    assert data["paytables"]["aces-up"] == "SCP-02"
    page = unescape(counted(web, "/study/values", HAND | {"option-dealer_qualifies": "always"}).text)
    assert "own rules: the lowest hand with which the dealer qualifies: always." in page
    assert "option=dealer_qualifies%3Dalways" in page


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "none"},
        {"game": "six-card", "option": "none=1"},
        {"game": "six-card", "paytable": "none"},
        {"game": "six-card", "option-dealer_qualifies": "none"},
        {"game": "six-card", "paytable-aces-up": "none"},
        {"game": "six-card", "paytable-aces-up": "none.toml"},
    ],
)
def test_a_name_that_is_not_known_is_refused(web: httpx.Client, asked: dict[str, str]) -> None:
    status, line = said(web.get("/study", params=asked))
    assert status in {404, 422}
    assert "none" in line


def test_a_position_that_waits_asks_again_with_and_without_a_script(
    floor: TableRegistry, web: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pitboss.web.jobs.requests.WAIT_SECONDS", "pitboss.web.jobs.queue.PATIENCE_SECONDS"):
        monkeypatch.setattr(name, 0.05)
    release = tmp_path / "release"
    floor.jobs.submit(JobClient("x", "x"), JobSpec(STUDIED, "held", hold, (str(release),)), JobPriority.COACH)
    try:
        asked = HAND | {"player": "As Kd 9h 7c 4s 3d"}
        part, page = web.get("/study/values", params=asked), web.get("/study", params=asked)
        assert (part.status_code, part.headers["Retry-After"], page.status_code) == (202, "2", 200)
        for answer in (part, page):
            assert 'hx-get="/study/values?game=six-card' in answer.text
        refresh = '<noscript><meta http-equiv="refresh"'
        assert (refresh in page.text, refresh in part.text) == (True, False)  # a part brings no refresh of its page
        assert said(web.get("/study/hint.json", params=asked)) == (429, "still counting: try again in 2 s")
        monkeypatch.setitem(RATIONS, STUDIED.lane.name, RATIONS[STUDIED.lane.name]._replace(guest=0))
        refused = web.get("/study/values", params=asked)
        assert (refused.status_code, "0 calculations are already waiting for you" in refused.text) == (429, True)
    finally:
        release.touch()


def list_stakes(game: Game) -> dict[str, str]:
    """Return half an Ante, or one where it must be, on each side wager that depends on the play."""
    options = resolve_options(game, {})
    return {f"stake-{wager.id}": "1" for wager in list_played_wagers(game, options)}


SLOW = {"lunar"}
"""Games whose positions take long: their line is read, not run."""


def share(game: Game) -> StudyRequest:
    """Return a game's last decision of an evening, with stakes and an option that is not the usual one."""
    options = {each.name: each.values[-1] for each in game.options}
    session, seat = list(list_decisions(game, 3, options))[-1]
    request: StudyRequest = read_address(find_study_address(session, seat)).request
    return request


@pytest.mark.compiled
@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_the_lines_of_a_position_name_the_same_position_everywhere(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request = share(game)
    asked = parse_hint_request(game, request.terms, dict(request.cards), request.taken)
    if game.id in SLOW:
        words = shlex.split(write_command(request))
        assert words[:3] == ["pitboss", "hint", game.id]
        return
    ranked = asked.compute(ignore_progress)
    done = CliRunner().invoke(app, [*shlex.split(write_command(request))[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == json.loads(json.dumps(asked.as_json(ranked)))
    lines = write_program(request)
    assert len(lines.splitlines()) == 3
    (tmp_path / "hint.py").write_text(lines)
    found = run_path(str(tmp_path / "hint.py"))
    assert [(each.action, each.value) for each in found["choices"]] == [(each.action.id, each.value) for each in ranked]
    assert found["choices"][0].action in capsys.readouterr().out


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_a_picture_has_every_card_and_needs_nothing_else(web: httpx.Client, floor: TableRegistry, game: Game) -> None:
    content = value_as_listed(floor, game)
    answer = web.get("/study/position.svg", params={"game": game.id})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game.id}.svg"'
    used = re.findall(r'<use href="#(\w+)"', answer.text)
    assert used == [get_face_id(card) for _, cards in content.seen for card in cards]
    assert set(re.findall(r'<symbol id="(\w+)"', answer.text)) == {*used, "back"}
    assert "var(" not in answer.text
    assert not re.search(r'href="[^#]', answer.text)
    words = " ".join(re.findall(r"<text [^>]*>([^<]*)</text>", answer.text))
    assert all(each.name in words for each, _ in content.actions[:8])


@pytest.mark.parametrize("game", list_studied_games(), ids=lambda game: game.id)
def test_stakes_that_depend_on_the_play_are_fields_and_part_of_the_position(web: httpx.Client, game: Game) -> None:
    stakes = list_stakes(game)
    page = web.get("/study", params={"game": game.id, "player": "nonsense"}).text
    assert re.findall(r'<input name="(stake-[^"]+)"', page) == list(stakes)
    query = read_address(f"/study?{QueryParams({'game': game.id, **stakes})}")
    assert {f"stake-{bet}": str(stake) for bet, stake in query.request.terms.stakes.items()} == stakes
    assert read_address(f"/study?{query.address}").request == query.request
    if stakes:
        status, line = said(web.get("/study", params={"game": game.id, next(iter(stakes)): "much"}))
        assert (status, "is not a stake" in line) == (422, True)


@pytest.mark.parametrize(
    ("name", "kind", "line", "words"),
    [
        ("shifting-wilds", "blind", "four-of-a-kind", "this table pays its own"),
        ("six-card", "aces-up", "pair-of-aces", "Study this decision"),
    ],
)
def test_a_round_leads_here_unless_pays_of_the_tables_own_count(
    house: House, name: str, kind: str, line: str, words: str
) -> None:
    game = load_game(name)
    table = select_paytables(game)[kind]
    own = to_document(edit_paytable(game, table, {line: "1:2"}, f"{table.id}-own"))
    person, opened = house.person(), house.floor.open_table(TableTerms(game=name, own_paytables=(own,)))
    person.look(f"/tables/{opened}")
    person.say(f"/tables/{opened}/sit", seat="1", name="Ann", dollars="1000")
    page = person.say(f"/tables/{opened}/wager", **{"stake-main": "5"}).text
    while actions := re.findall(r'name="action" value="(check|fold)"', page):
        page = person.say(f"/tables/{opened}/decide", action=actions[0]).text
    pages = [person.look(f"/tables/{opened}/rounds/1?step={step}") for step in range(9)]
    others = {"this table pays its own", "Study this decision"} - {words}
    assert any(words in page for page in pages)
    assert not any(other in page for other in others for page in pages)
