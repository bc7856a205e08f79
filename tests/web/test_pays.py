"""The pays of a wager at its circle: those in force at the table, and the line that one's round made."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pitboss.builders import display_name
from pitboss.games import load_game, load_games
from pitboss.paytables import load_builtin_paytables, select_paytables
from pitboss.reports.formatting import format_pay
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms
from pitboss.web.app import create_app
from pitboss.web.game_words import find_circle_word
from pitboss.web.pages.pays import describe_wager, list_settlement_blocks
from pitboss.web.pages.table_layout import find_circle_wager, load_layout, name_circle
from pitboss.web.registry import TableRegistry
from table.laying import SIX_CARD, Laid
from web.browsing import accessible
from web.casino import CHROMIUM, NO_BROWSER
from web.served import answering, unlimited
from web.test_guests import Person

PAIR_OF_ACES = "As Ad 9c 7h 4s 2d Kc Kd 8h 6s 5c 3h"
"""Six cards for the only seat, then six for the dealer."""


class Pit:
    """A floor with laid decks, and a guest."""

    def __init__(self, floor: TableRegistry, laid: Laid, address: str) -> None:
        self.floor, self.laid, self.address, self.guest = floor, laid, address, Person(address)

    def read_pays(self, table: str, bet: str, person: Person | None = None) -> str:
        """Return the text of a wager's pays, its lines marked."""
        return unescape((person or self.guest).look(f"/tables/{table}/pays/{bet}"))


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    """A floor that is served for a test."""
    laid = Laid()
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key", bits=laid)
    floor = TableRegistry(tables, limits=unlimited())
    with answering(create_app(None, floor)) as address:
        made = Pit(floor, laid, address)
        yield made
        made.guest.web.close()
    floor.close()


def list_made(page: str) -> list[str]:
    """Return the lines that are marked as made."""
    return re.findall(r'<tr class="made"><th scope="row">([^<]+?) ?<', page)


@pytest.mark.parametrize("name", load_games())
def test_every_wager_of_a_game_shows_its_pays(pit: Pit, name: str) -> None:
    game = load_game(name)
    table = pit.floor.open_table(TableTerms(game=name))
    shown = pit.guest.look(f"/tables/{table}")
    assert shown.count('<dialog id="pays"') == 1
    for wager in game.wagers:
        page = pit.read_pays(table, wager.id)
        assert f">{wager.name}</h2>" in page
        tables = select_paytables(game)
        for kind in wager.paytable_kinds:
            for pay in tables[kind].lines.values():
                assert format_pay(pay) in page
        assert list_made(page) == []
    assert pit.guest.web.get(f"/tables/{table}/pays/none").status_code == 404


@pytest.mark.parametrize("name", load_games())
def test_every_circle_and_every_result_says_what_it_is(pit: Pit, name: str) -> None:
    game = load_game(name)
    table = pit.floor.open_table(TableTerms(game=name))
    for circle in (each for row in load_layout(game).rows for each in row):
        wager, word = find_circle_wager(game, circle), find_circle_word(circle)
        page = pit.read_pays(table, f"{wager.id}?circle={circle}")
        if word:
            assert f"<strong>{name_circle(game, circle)}</strong>: {word.sentence}" in page
        else:  # it has its wager's name, which the rules describe
            assert wager.id == circle
            assert describe_wager(game, wager)
    assert ": A place" not in pit.read_pays(table, f"{game.main.id}?circle=none")


INTERNAL = re.compile(r"\b[a-z]+_[a-z_]+|\b(?:[A-Z]{2,6}[0-9]*|W[0-9]+)-[0-9]+\b|\bstub\b|by option|changes no count")
"""Names of options, labels of rulings, ids of pay tables, and words that no player knows."""


def list_tables_of(name: str) -> Iterator[TableTerms]:
    """Yield the terms of a table by the rule sheet, and of one for each other value of each option."""
    yield TableTerms(game=name)
    for option in load_game(name).options:
        for value in option.values:
            if value != option.default:
                yield TableTerms(game=name, options={option.name: value})


@pytest.mark.in_turn("name")
@pytest.mark.parametrize("name", load_games())
def test_the_pays_of_a_circle_have_no_internal_words(pit: Pit, name: str) -> None:
    game = load_game(name)
    for terms in list_tables_of(name):
        table = pit.floor.open_table(terms)
        for circle in (each for row in load_layout(game).rows for each in row):
            page = pit.read_pays(table, f"{find_circle_wager(game, circle).id}?circle={circle}")
            assert INTERNAL.findall(re.sub(r"<[^>]*>", " ", page)) == [], (terms, circle)


@pytest.mark.parametrize("name", load_games())
def test_the_words_of_an_option_replace_words_that_its_pays_have(name: str) -> None:
    game = load_game(name)
    values = {option.name: option.values for option in game.options}
    pays = "".join(
        f"{describe_wager(game, wager)} {list(list_settlement_blocks(game, wager))}" for wager in game.wagers
    ).replace("', '", " | ")
    for option, words in load_layout(game).option_words.items():
        assert set(words) <= {"*", *values[option]}
        assert [usual for each in words.values() for usual in each if usual not in pays] == []


@pytest.mark.parametrize(
    ("game", "option", "bet", "said", "usual"),
    [
        ("lunar", "super_at_least_ante=off", "super", "of any amount", "at least the Ante"),
        ("lunar", "akq_needs_no_pair=on", "super", "without a pair", "any hand below three of a kind"),
        ("lunar", "dealer_qualifies=pair-of-5", "main", "with a pair of fives or better", "with ace-king or better"),
        ("shifting-wilds", "bad_beat_unlisted=push", "bad-beat", "three of a kind pushes", "three of a kind loses too"),
        ("wild-52", "bonus_after_fold=off", "joker", "A fold loses the Joker", "A fold does not touch"),
        ("wild-52", "dealer_qualifies=always", "main", "Every dealer qualifies.", "a pair of fives or better"),
        ("wild-six-card", "draw_bonus=mandatory", "draw-bonus", "Mandatory; the best", "Optional"),
    ],
)
def test_the_pays_say_what_the_option_of_a_table_makes_of_them(
    pit: Pit, game: str, option: str, bet: str, said: str, usual: str
) -> None:
    name, _, value = option.partition("=")
    page = pit.read_pays(pit.floor.open_table(TableTerms(game=game, options={name: value})), bet)
    assert said in page
    assert usual not in page
    assert usual in pit.read_pays(pit.floor.open_table(TableTerms(game=game)), bet)


@pytest.mark.parametrize(
    ("game", "options", "bet", "span"),
    [
        ("shifting-wilds", {}, "regular-bonus", "$5 to $400, at most the Ante"),
        ("lunar", {}, "super", "$5 to $400, at least the Ante"),
        ("lunar", {"super_at_least_ante": "off"}, "super", "$5 to $400"),
        ("wild-six-card", {}, "taxpayers-fortune", "exactly $1, only with Queens Or Better"),
    ],
)
def test_a_circle_says_what_other_wager_limits_it(
    pit: Pit, game: str, options: dict[str, str], bet: str, span: str
) -> None:
    table = f"/tables/{pit.floor.open_table(TableTerms(game=game, options=options))}"
    pit.guest.look(table)
    pit.guest.say(f"{table}/sit", seat=1, name="Ann", dollars="1000")
    assert f'<span id="span-{bet}">{span}</span>' in unescape(pit.guest.look(table))


def test_each_wager_of_another_name_has_its_own_word() -> None:
    words = {circle: find_circle_word(circle) for circle in ("poker", "option", "multi-super", "dealer-super")}
    assert [word and word.name for word in words.values()] == ["Poker", "Play again", "Multi Super", "Dealer Super"]
    assert all("mandatory" not in word.text for name, word in words.items() if word and "super" in name)
    assert words["option"] is not None
    assert "two more Antes" in words["option"].text


def test_the_dollar_of_taxpayers_fortune_and_its_tax_are_told_at_the_circle(pit: Pit) -> None:
    page = pit.read_pays(pit.floor.open_table(TableTerms(game="wild-six-card")), "taxpayers-fortune")
    assert "always comes back" in page
    assert "up to $5" in page
    assert "in addition to the dollar" in page


def test_a_table_shows_its_own_pays_and_limits(pit: Pit) -> None:
    other = next(each for each in load_builtin_paytables(SIX_CARD) if each.kind == "aces-up" and not each.default)
    terms = TableTerms(game="six-card", paytables=(f"aces-up={other.id}",), limits={"aces-up": (1_000, 2_000)})
    page = pit.read_pays(pit.floor.open_table(terms), "aces-up")
    assert re.findall(r'<td class="number">([^<]+)', page) == [format_pay(pay) for pay in other.lines.values()]
    assert other.lines != select_paytables(SIX_CARD)["aces-up"].lines
    assert "$10 to $20 at this table" in page


def sit_and_play(pit: Pit) -> str:
    """Play a round in which the guest has a pair of aces, and return the table."""
    table = pit.floor.open_table(TableTerms(game="six-card"))
    address = f"/tables/{table}"
    pit.guest.look(address)
    assert pit.guest.say(f"{address}/sit", seat=1, name="Ann", dollars="1000").status_code == 200
    pit.laid.lay(SIX_CARD, PAIR_OF_ACES)
    assert pit.guest.say(f"{address}/wager", **{"stake-main": "5", "stake-aces-up": "5"}).status_code == 200
    assert pit.guest.say(f"{address}/decide", action="play").status_code == 200
    return table


def test_the_line_that_ones_round_made_is_marked_for_oneself_alone(pit: Pit) -> None:
    table = sit_and_play(pit)
    assert list_made(pit.read_pays(table, "aces-up")) == ["Pair of aces"]
    assert list_made(pit.read_pays(table, "bad-beat")) == []  # not placed
    stranger = Person(pit.address)
    assert list_made(pit.read_pays(table, "aces-up", stranger)) == []
    stranger.web.close()


@pytest.mark.more
@pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)
@pytest.mark.parametrize("width", [360, 1440])
def test_a_touch_on_a_circle_shows_its_pays(browser: Browser, pit: Pit, width: int) -> None:
    table = sit_and_play(pit)
    context = browser.new_context(base_url=pit.address, viewport={"width": width, "height": 740})
    for each in pit.guest.web.cookies.jar:
        context.add_cookies([{"name": each.name, "value": each.value or "", "url": pit.address}])
    page = context.new_page()
    page.goto(f"/tables/{table}")
    dialog, opener = page.get_by_role("dialog", name="Aces Up"), page.get_by_role("link", name="pays of Aces Up")
    opener.click()
    expect(dialog.locator(".made")).to_contain_text("Pair of aces this round")
    page.keyboard.press("Space")  # presses Close, and deals no cards
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("link", name="Pays of Play").click()
    expect(page.get_by_role("dialog", name="Ante and Play")).to_contain_text("Dealer ahead, not qualified")
    page.mouse.click(width / 2, 10)  # outside
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert not pit.floor.get_session(table).seats[1].stakes
    context.close()


@pytest.mark.parametrize("name", load_games())
def test_the_rules_at_a_circle_call_the_circles_as_the_table_does(name: str) -> None:
    game = load_game(name)
    for circle, here in load_layout(game).circles.items():
        wager = find_circle_wager(game, circle)
        assert not re.search(rf"\b{display_name(circle)}\b", describe_wager(game, wager), re.IGNORECASE)
        assert here in describe_wager(game, wager)
