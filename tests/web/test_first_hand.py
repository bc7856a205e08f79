"""Somebody's first hand of a game: what the guide says, when it is silent, and what a slip of the hand is told."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from pitboss.cards import draw_below, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner, LegResult
from pitboss.core.errors import UnknownNameError
from pitboss.games import load_game, load_games
from pitboss.paytables import select_paytables
from pitboss.table.round import Stake, WagerSettled, open_round
from pitboss.table.round.wagers import get_circle_name, get_wager
from pitboss.table.session import TableTerms
from pitboss.table.session.perspective import Perspective
from pitboss.web.pages.guide import GuideProgress
from pitboss.web.pages.table_layout import load_layout
from pitboss.web.qr_code import draw_invitation, draw_qr
from pitboss.web.registry import compute_minimum_stakes
from web.browsing import accessible, follow, kept, list_games_and_sizes, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.test_browser import deal_until_asked, play_on, sit_down
from web.test_guests import House, Person, house

__all__ = ["house"]


def list_folds(game: Game) -> list[str]:
    """Return the decisions at which a seat may fold."""
    return [each.id for each in game.decisions if "fold" in {action.id for action in each.actions}]


BOTH_ENDS = ("Skip the guide", "Got it")


@pytest.mark.parametrize("name", load_games())
def test_the_guide_has_words_for_every_decision(name: str) -> None:
    game = load_game(name)
    words = load_layout(game).guide
    assert words.wagers
    assert set(words.decisions) == {each.id for each in game.decisions}


def list_results(game: Game, *, folds: bool) -> dict[str, set[LegResult]]:
    """Return how each wager of seat 1 ends over many deals, if it folds or if it plays."""
    results: dict[str, set[LegResult]] = {wager.id: set() for wager in game.wagers}
    for seed in range(150):
        now = open_round(game, 2)
        for wager in game.wagers:
            on = 1 if wager.hand_owner is HandOwner.OTHER_SEAT else None
            seats = (0, 1) if wager.mandatory else (0,)
            for seat in seats:
                now = now.place_wager(Stake(seat, wager.id, wager.limits.minimum_cents, on))
        now = now.deal(shuffle_cards(game.deck.cards, seeded_bits(seed)))
        while now.turn is not None:
            legal = [action.id for action in now.list_legal_actions()]
            wanted = "fold" if folds else "play"
            now = now.decide(now.turn[0], wanted if wanted in legal else legal[0])
        for event in now.events:
            if isinstance(event, WagerSettled) and event.seat == 0:
                outcomes = {each.name: each for each in get_wager(game, event.bet).outcomes}
                results[event.bet] |= {leg.result for leg in outcomes[event.outcome].legs}
    return results


@pytest.mark.parametrize("name", [name for name, game in load_games().items() if list_folds(game)])
def test_the_guide_names_every_wager_that_a_fold_loses_and_no_other(name: str) -> None:
    game = load_game(name)
    folded, played = list_results(game, folds=True), list_results(game, folds=False)
    lost = {bet for bet, results in folded.items() if results == {LegResult.LOSE} != played[bet]}
    assert game.main.id in lost
    circles = {get_circle_name(circle, game) for circle in game.main.circles}
    wanted = circles | {wager.name for wager in game.wagers if wager.id in lost - {game.main.id}}
    names = circles | {wager.name for wager in game.wagers[1:]}
    for decision in list_folds(game):
        given_up = re.findall(r"Fold gives up ([^.;]*)", load_layout(game).guide.decisions[decision])
        assert {each for each in names if each in given_up[0]} == wanted


SAYS_ON_WHAT = re.compile(r":| pays | are the same bet on ")


@pytest.mark.parametrize("name", load_games())
def test_the_guide_says_what_each_side_bet_is_on_and_the_least_hand_that_it_pays(name: str) -> None:
    game = load_game(name)
    tables, explained = select_paytables(game), set(game.main.paytable_kinds)
    sentences = [each for each in load_layout(game).guide.wagers.split(". ") if SAYS_ON_WHAT.search(each)]
    for wager in game.wagers[1:]:
        said = " ".join(each for each in sentences if wager.name in each)
        assert said, wager.name
        for kind in set(wager.paytable_kinds) - explained:
            least = [line for line in tables[kind].lines if not line.startswith("tax-")][-1]
            assert any(word in said.lower() for word in re.findall(r"[a-z]{4,}", least)), (wager.name, least)
            explained.add(kind)


@pytest.mark.parametrize("name", load_games())
def test_the_guide_says_what_becomes_of_each_main_bet_where_the_dealer_does_not_qualify(name: str) -> None:
    game = load_game(name)
    for decision, text in load_layout(game).guide.decisions.items():
        at = re.search(r"[^.]*(?:qualif|has less than)[^.]*", text)
        if at:
            said = text[at.start() :]
            outcomes = [each for each in game.main.outcomes if "not-qualified" in each.name or "take-ante" in each.name]
            circles = {leg.circle for outcome in outcomes for leg in outcome.legs} & {"ante", "blind", "play", "bet"}
            assert circles
            assert {each for each in circles if each.title() not in said} == set(), decision


def test_a_guide_to_a_decision_that_there_is_not_is_refused(tmp_path: Path) -> None:
    (tmp_path / "layout.toml").write_text('[guide]\nwagers = "w"\n[guide.decisions]\nraise-or-fold = "r"\n')
    with pytest.raises(UnknownNameError, match="decision"):
        load_layout(replace(load_game("six-card"), folder=tmp_path))


def sit(person: Person, table: str) -> str:
    """Take a seat, and return the page."""
    person.look(f"/tables/{table}")
    person.say(f"/tables/{table}/sit", seat="1", name="Ann", dollars="1000")
    return person.look(f"/tables/{table}")


@pytest.mark.more
def test_the_guide_is_left_for_good_and_for_one_game(house: House) -> None:
    person = house.person()
    tables = {game: house.floor.open_table(TableTerms(game=game)) for game in ("six-card", "wild-52")}
    assert all("Skip the guide" in sit(person, table) for table in tables.values())
    answer = person.say("/guide", game="six-card", back=f"/tables/{tables['six-card']}")
    assert answer.headers["HX-Refresh"] == "true"
    assert not any(end in person.look(f"/tables/{tables['six-card']}") for end in BOTH_ENDS)
    assert "Skip the guide" in person.look(f"/tables/{tables['wild-52']}")
    newest = house.floor.open_table(TableTerms(game="six-card"))
    assert not any(end in sit(person, newest) for end in BOTH_ENDS)


def play_round(person: Person, table: str) -> str:
    """Play a round of Six Card Poker, and return the page with its result."""
    person.look(f"/tables/{table}")
    page = person.say(f"/tables/{table}/wager", **{"stake-main": "5"}).text
    return person.say(f"/tables/{table}/decide", action="play").text if 'value="play"' in page else page


def test_the_guide_goes_through_one_finished_round_and_is_shown_again_when_asked(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="six-card"))
    assert "Skip the guide" in sit(person, table)
    assert "Skip the guide" in person.say(f"/tables/{table}/wager", **{"stake-main": "5"}).text
    person.say(f"/tables/{table}/decide", action="play")
    assert all("That was one round" in person.look(f"/tables/{table}/felt") for _ in range(2))
    for _ in range(2):  # a round later it is gone, also at another table
        assert "That was one round" not in play_round(person, table)
        assert "Show the guide again" in person.look(f"/tables/{table}")
        table = house.floor.open_table(TableTerms(game="six-card"))
        assert not any(end in sit(person, table) for end in BOTH_ENDS)
    play_round(person, table)
    person.say("/guide", game="six-card", back=f"/tables/{table}", again="on")
    assert "The Ante is your bet" in person.look(f"/tables/{table}")
    assert "That was one round" in play_round(person, table)
    assert "Show the guide again" in play_round(person, table)


@pytest.mark.parametrize("name", load_games())
@given(data=st.data())
def test_each_kind_of_decision_is_explained_in_the_round_that_first_has_it(name: str, data: st.DataObject) -> None:
    """Whatever the rounds are, a kind is explained throughout its first round and in no later one."""
    kinds = st.sampled_from(range(len(load_game(name).decisions) + 1))  # the last is the result of a round
    rounds = data.draw(st.lists(st.tuples(st.lists(kinds, max_size=6), st.booleans()), max_size=12))
    progress, first = GuideProgress(), dict[int, int]()
    for number, (met, reads) in enumerate(rounds):
        for kind in met:
            progress = progress.meet(kind, f"t-1:{number}")
            first.setdefault(kind, number)
            assert progress.explains(kind, f"t-1:{number}") == (first[kind] == number)
            assert GuideProgress.parse(progress.state) == progress
        assert {kind for kind in range(20) if progress.has_met(kind)} == set(first)
        if reads:
            progress = progress.close()
            assert not any(progress.explains(kind, f"t-1:{number}") for kind in first)


def find_decision(house: House, table: str) -> str:
    """Return the decision that the seat at a table has to take, "" if none."""
    session = house.floor.get_session(table)
    if session.round is None or session.round.turn is None:
        return ""
    return session.round.game.decisions[session.round.turn[1]].id


@pytest.mark.more
@pytest.mark.parametrize("name", load_games())
def test_the_guide_lasts_until_each_kind_of_decision_was_met(house: House, name: str) -> None:
    game, bits = load_game(name), seeded_bits(5)
    words, person = load_layout(game).guide.decisions, house.person()
    table = house.floor.open_table(TableTerms(game=name))
    sit(person, table)
    person.say(f"/tables/{table}/sit", seat="1", name="Ann", dollars="100000")
    stakes = {
        f"stake-{each.bet}": str(each.cents // 100) for each in compute_minimum_stakes(house.floor.get_session(table))
    }
    first_met = dict[str, int]()
    for number in range(60):
        assert person.say(f"/tables/{table}/wager", **stakes).status_code == 200
        while decision := find_decision(house, table):
            page = unescape(re.sub(r"<[^>]+>", "", person.look(f"/tables/{table}/felt")))
            is_first = first_met.setdefault(decision, number) == number
            assert (words[decision] in page) == is_first
            assert ("Skip the guide" in page) == is_first
            choose_any(person, table, bits)
        page = person.look(f"/tables/{table}/felt")
        assert ("That was one round" in page) == (number == 0)
        assert ("Any other decision of this game is explained" in page) == (number == 0 and len(first_met) < len(words))
        if number == 0:
            person.say("/guide", game=name, back=f"/tables/{table}", read="on")
            assert "That was one round" not in person.look(f"/tables/{table}")
        if number and len(first_met) == len(words):
            break
    assert set(first_met) == set(words)


def choose_any(person: Person, table: str, bits: BitSource) -> None:
    """Take any action that the page offers."""
    page = person.sent[-1]
    actions = re.findall(r'name="action" value="([\w-]+)" data-key="\w?">', page)
    action = actions[draw_below(len(actions), bits)]
    cards = re.findall(r'name="cards" value="(\w+)"', page)
    count = {"discard": 1, "by-count": 2}.get(action, 0)
    assert person.say(f"/tables/{table}/decide", action=action, cards=cards[:count]).status_code == 200


def test_the_guide_that_is_skipped_explains_nothing_more(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="wild-52"))
    sit(person, table)
    person.say("/guide", game="wild-52", back=f"/tables/{table}")
    person.look(f"/tables/{table}")
    person.say(f"/tables/{table}/wager", **{"stake-main": "5"})
    for _ in range(2):
        assert not any(end in person.look(f"/tables/{table}/felt") for end in BOTH_ENDS)
        person.say(f"/tables/{table}/decide", action="play")


@pytest.mark.parametrize("state", ["six-card-1:7", "+six-card-1:7", "x:1:2", "x:1:-2:0", f"x:1:{'f' * 17}:0"])
def test_a_guide_whose_cookie_says_something_else_is_over(house: House, state: str) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="six-card"))
    person.web.cookies.set("pitboss-guided", f"six-card~{state}")
    page = sit(person, table)
    assert not any(end in page for end in BOTH_ENDS)
    assert "Show the guide again" in page


def test_a_change_of_the_look_reloads_the_page_or_leads_back_without_scripts(house: House) -> None:
    person = house.person()
    for path, fields in (("/look", {"coach": "off", "back": "/"}), ("/guide", {"game": "lunar", "back": "/tables/x"})):
        csrf = re.findall(r'name="csrf" value="([^"]*)"', person.look("/"))[0]
        assert person.say(path, **fields).headers["HX-Refresh"] == "true"
        person.look("/")
        plain = person.web.post(path, data={"csrf": csrf, **fields}, follow_redirects=False)
        assert (plain.status_code, plain.headers["location"]) == (303, fields["back"])


def test_the_guide_is_silent_to_spectators_and_where_rules_are_changed(house: House) -> None:
    changed = house.floor.open_table(TableTerms(game="six-card", limits={"main": (1_000, 40_000)}))
    usual = house.floor.open_table(TableTerms(game="six-card"))
    assert not any(end in sit(house.person(), changed) for end in BOTH_ENDS)
    assert not any(end in house.person().look(f"/tables/{usual}") for end in BOTH_ENDS)


def test_a_wrong_number_of_cards_is_said_alike_at_every_button(house: House) -> None:
    person = house.person()
    for game, action, said in (
        ("wild-six-card", "discard", "0 cards chosen: choose 1"),
        ("lunar", "by-count", "0 cards chosen: choose 2, 3, 4 or 5"),
    ):
        table = house.floor.open_table(TableTerms(game=game))
        sit(person, table)
        while f'value="{action}"' not in person.look(f"/tables/{table}"):
            stakes = {"stake-main": "5"} | ({"stake-super": "5"} if game == "lunar" else {})
            assert person.say(f"/tables/{table}/wager", **stakes).status_code == 200
        assert said in person.say(f"/tables/{table}/decide", action=action).text


def test_a_name_typed_in_the_lobby_is_kept_by_who_joins(house: House) -> None:
    host, guest = house.person(), house.person()
    table = house.floor.open_table(TableTerms(game="lunar"))
    sit(host, table)
    assert f'formaction="/tables/{table}/join"' in guest.look("/")
    page = guest.say(f"/tables/{table}/join", name="Bea").text
    assert 'value="Bea"' in page
    assert 'value="Bea"' in guest.say(f"/tables/{table}/join", name="").text  # none typed, none lost


@pytest.mark.more
def test_the_lobby_leads_to_the_hand_that_waits_and_counts_the_bots(house: House) -> None:
    person = house.person()
    waiting = house.floor.open_table(TableTerms(game="six-card"))
    sit(person, waiting)
    person.say(f"/tables/{waiting}/bot", seat="2")
    while 'value="fold"' not in person.look(f"/tables/{waiting}"):
        assert person.say(f"/tables/{waiting}/wager", **{"stake-main": "5"}).status_code == 200
    other = house.floor.open_table(TableTerms(game="wild-52"))  # opened later, so it is listed first
    sit(person, other)
    page = person.look("/")
    assert f'<a class="button primary" href="/tables/{waiting}">Your hand is waiting at Six Card Poker</a>' in page
    assert f'<a href="/tables/{waiting}">Back to your hand<' in page
    assert f'<a href="/tables/{other}">Back to your seat<' in page
    assert ">Ann, 1 bot</td>" in page
    assert f'href="/tables/{waiting}">Back to your table</a>' in person.look("/puzzles")
    assert "Back to your table" not in house.person().look("/puzzles")
    person.look(f"/tables/{waiting}")
    assert person.say(f"/tables/{waiting}/decide", action="fold").status_code == 200
    assert "is waiting" not in person.look("/")


def test_the_menu_says_what_each_page_is(house: House) -> None:
    menu = re.findall(r'<ul id="pages" popover>(.*?)</ul>', house.person().look("/"), re.DOTALL)[0]
    assert len(re.findall(r"</a><small>\w[^<]+</small>", menu)) == menu.count("<li>") > 8


def test_a_table_shows_an_address_and_a_code_that_lead_there(house: House) -> None:
    person = house.person()
    table = house.floor.open_table(TableTerms(game="lunar"))
    page = person.web.get(f"/tables/{table}", headers={"Host": "casino.example"}).text
    assert re.search(rf'<input [^>]*value="http://casino.example/tables/{table}" readonly>', page)
    assert draw_qr(f"http://casino.example/tables/{table}", "QR code of the address of this table") in page


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "127.1.2.3", "localhost", "my.localhost:80", "[::1]:8000"])
def test_an_address_of_this_machine_alone_has_no_code_and_says_how_others_come_in(host: str) -> None:
    said = draw_invitation(f"http://{host}/tables/x", "QR code")
    assert "pitboss serve --proxy" in said
    assert "<svg" not in said
    assert "<svg" in draw_invitation("https://localhost.example/tables/x", "QR code")


def test_a_table_on_a_server_of_this_machine_alone_draws_no_code(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="lunar"))
    page = person.look(f"/tables/{table}")
    assert "pitboss serve --proxy" in page
    assert 'class="qr"' not in page


def test_a_refusal_has_the_menu(house: House) -> None:
    page = house.person().web.get("/tables/none", headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert '<nav aria-label="Pages">' in page.text


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casino]:
    """A floor for the browsers of this module."""
    made = Casino(tmp_path_factory.mktemp("first-hand"))
    made.start()
    yield made
    made.kill()


@pytest.mark.more
@pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)
@pytest.mark.in_turn("game")
@pytest.mark.parametrize(("game", "size"), list_games_and_sizes(load_games()))
def test_a_first_hand_is_guided_from_the_circles_to_the_result(
    browser: Browser, casino: Casino, game: str, size: str
) -> None:
    words = load_layout(load_game(game)).guide
    with visitor(browser, casino, size) as context:
        page = sit_down(context, game)
        guide = page.locator(".guide")
        for said in words.wagers.split(". ", 1):  # on a phone the rest is folded
            expect(guide).to_contain_text(said)
        accessible(page)
        kept(page, f"guide-{game}-{size}")
        deal_until_asked(page)
        expect(guide).to_contain_text(next(iter(words.decisions.values())))
        accessible(page)
        play_on(page)
        again = page.get_by_role("button", name="Show the guide again")
        if not again.count():  # else an earlier round ended before a decision
            expect(guide).to_contain_text("That was one round")
            follow(page, page.get_by_role("button", name="Got it"))
        expect(page.locator(".question")).to_contain_text("Place your wagers")
        expect(again).to_have_count(1)
        expect(page.get_by_text("That was one round")).to_have_count(0)


@pytest.mark.more
@pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)
def test_a_second_choice_of_the_one_card_to_discard_takes_the_first_back(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = sit_down(context, "wild-six-card", bots=0)
        deal_until_asked(page)
        chosen = page.locator(".own .hand input:checked")
        page.locator(".own .hand label").nth(1).click()
        page.locator(".own .hand label").nth(3).click()
        expect(chosen).to_have_count(1)
        expect(page.locator(".own .hand input").nth(3)).to_be_checked()


def test_who_lacks_chips_is_offered_those_that_are_missing(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="wild-52"))
    sit(person, table)
    stakes = {"stake-main": "400", "stake-bonus": "400", "stake-joker": "380"}
    page = person.say(f"/tables/{table}/wager", **stakes).text
    offer = r'<form class="buys"[^>]*?( hidden)?>.*?name="dollars" value="(\d+)"><button>Buy (\$[\d,]+) of chips'
    assert re.findall(offer, page) == [("", "200", "$200")]  # 180 are missing
    assert re.findall(offer, person.look(f"/tables/{table}/felt")) == [(" hidden", "0", "$0")]
    stakes = {"stake-main": "400", "stake-bonus": "400", "stake-joker": "199"}
    while 'id="decision"' not in page:
        page = person.say(f"/tables/{table}/wager", **stakes).text
        assert 'role="alert"' not in page
    assert re.search(r'Chips <strong>\$1</strong></p>.*name="dollars"[^>]* value="(400|800|1200)"', page, re.DOTALL)


def test_who_cannot_pay_the_smallest_wagers_is_offered_chips_before_pressing(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="lunar"))
    person.look(f"/tables/{table}")
    page = person.say(f"/tables/{table}/sit", seat=1, dollars="8", name="Ann").text
    assert '<input type="hidden" name="dollars" value="25"><button>Buy $25 of chips' in page  # Ante and Super are $10
    page = person.say(f"/tables/{table}/sit", seat=1, dollars="25").text
    assert '<p class="notice said" role="status">You bought $25 of chips.</p>' in page
    assert 'data-least="0"' in page
    page = person.say(f"/tables/{table}/leave").text
    assert '<p class="notice said" role="status">You left the table with $33.</p>' in page


def test_who_sits_down_reads_that_chips_belong_to_one_table(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="six-card"))
    assert "Chips belong to one table: at each new one you start with $1,000." in person.look("/")
    assert "Chips belong to one table" in person.look(f"/tables/{table}")
    assert "Chips belong to one table" not in sit(person, table)
    person.look("/")
    person.say("/tables", game="lunar")
    newest = next(each for each in house.floor.list_latest() if each.terms.game == "lunar")
    assert {each.chips_cents for each in newest.seats.values() if not each.bot} == {100_000}


@pytest.mark.parametrize("name", load_games())
def test_the_button_knows_whether_the_wagers_are_those_of_the_last_time(house: House, name: str) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game=name))
    page = sit(person, table)
    assert re.search(r"<small [^>]*data-says-total></small>", page)
    stakes = compute_minimum_stakes(house.floor.get_session(table))
    person.say(f"/tables/{table}/wager", **{f"stake-{each.bet}": str(each.cents // 100) for each in stakes})
    while find_decision(house, table):
        person.look(f"/tables/{table}/felt")
        choose_any(person, table, seeded_bits(1))
    assert re.search(r"<small [^>]*data-says-total data-again></small>", person.look(f"/tables/{table}"))


def test_a_hand_that_a_decision_makes_says_so_until_it_is_taken(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="shifting-wilds", wager_seconds=0))
    sit(person, table)
    said: set[bool] = set()
    while said != {True, False}:  # most hands change with W1
        page = person.say(f"/tables/{table}/wager", **{"stake-main": "5"}).text
        perspective = Perspective(house.floor.get_session(table), 1)
        is_said = '<span class="made-if">if you lock W1</span>' in page
        assert is_said == (perspective.name_hand(0) != perspective.name_hand_without("w1"))
        said.add(is_said)
        assert "made-if" not in person.say(f"/tables/{table}/decide", action="check").text
        person.say(f"/tables/{table}/decide", action="fold")


def test_the_coach_of_a_newcomer_counts_nothing_before_the_first_decision(house: House) -> None:
    first, newcomer, table = house.person(), house.person(), house.floor.open_table(TableTerms(game="six-card"))
    sit(first, table)
    play_round(first, table)
    newcomer.look(f"/tables/{table}")
    newcomer.say(f"/tables/{table}/sit", seat=2, dollars="1000", name="Bea")
    said = newcomer.look(f"/tables/{table}/coach")
    assert "After each round, the coach shows which of your decisions was not the best" in said
    assert "decisions right" not in said


def test_a_wager_that_is_settled_before_the_end_leaves_its_circle(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="lunar"))
    sit(person, table)
    found: set[str] = set()
    while len(found) < 2:
        page = person.say(f"/tables/{table}/wager", **{"stake-main": "5", "stake-super": "5"}).text
        circles = dict(re.findall(r'<a class="circle[^"]*" [^>]*/pays/(\w+)\?circle=\w+"[^>]*>(.*?)</a>', page))
        if 'id="decision"' in page:
            listed = re.search(r'aria-label="Results of your wagers">.*?([+\N{MINUS SIGN}])(\$\d+)', page, re.DOTALL)
            assert listed
            kind, verb = ("win", "won") if listed[1] == "+" else ("lose", "lost")
            assert f'<span class="result {kind}">{verb} {listed[2]}</span>' in circles["super"]
            assert "chips" not in circles["super"]
            found.add(verb)
        while 'id="decision"' in page:
            page = person.say(f"/tables/{table}/decide", action="fold").text


def test_a_table_says_which_round_is_over_and_whose_meter_it_shows(house: House) -> None:
    person, table = house.person(), house.floor.open_table(TableTerms(game="six-card"))
    page = sit(person, table)
    assert "The meter of this table alone" in page
    while "<span>Round 1 is over</span>" not in page:
        assert "<span>Round 1</span>" in page
        folds = 'value="fold"' in page
        step, fields = ("decide", {"action": "fold"}) if folds else ("wager", {"stake-main": "5"})
        page = person.say(f"/tables/{table}/{step}", **fields).text
