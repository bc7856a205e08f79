"""Tables by their hosts' own terms: what the form says is what is played, and what cannot stand opens nothing."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from time import time

import pytest

from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms as Counting
from pitboss.cards import seeded_bits
from pitboss.contract import LegResult
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.paytables import parse_paytables, select_paytables
from pitboss.reports.rules import make_rules_sections
from pitboss.table.round.events import DecisionMade, WagerSettled
from pitboss.table.service import TableService
from pitboss.table.session import BetStake, DealRound, PlaceWagers, TableSession, TableTerms, TakeAction
from pitboss.web.app import create_app
from pitboss.web.pages.house_rules import list_paytable_kinds
from pitboss.web.pages.setup_form import FieldError, make_default_fields, parse_setup_form
from pitboss.web.registry import TableRegistry
from pitboss.web.templating import RULING_LABELS
from refusals import refusal
from web.served import answering, unlimited
from web.test_guests import Person

HOLDER = "guest-of-tests"
ROUNDS = 80


class Hosting:
    """A floor that is served, with a clock that stands still, and a guest who opens tables there."""

    def __init__(self, floor: TableRegistry, address: str, clock: list[int]) -> None:
        self.floor, self.clock, self.host = floor, clock, Person(address)

    def opened(self, game: str, **fields: str) -> TableSession:
        """Open a table by the form's own fields, some written otherwise, and return it."""
        before = set(self.floor.tables.list_names())
        self.host.look(f"/open/{game}")
        answer = self.host.say(f"/open/{game}", **Written(self.host.sent[-1]).fields | fields)
        assert answer.status_code == 200, answer.text
        (name,) = set(self.floor.tables.list_names()) - before
        assert answer.url.path == f"/tables/{name}"
        return self.floor.tables.get_session(name)

    def rounds(self, now: TableSession, action: str, **stakes: int) -> Iterator[WagerSettled]:
        """Play rounds at a table where nobody else sits, and yield what was settled of each wager."""
        name, (seat, held) = now.snapshot.table, *now.seats.items()
        placed = tuple(BetStake(bet=bet.replace("_", "-"), cents=cents) for bet, cents in stakes.items())
        for number in range(ROUNDS):
            now = self.floor.execute(name, PlaceWagers(seat=seat, stakes=placed), held.holder, f"{name} wager {number}")
            now = self.floor.execute(name, DealRound(), held.holder, f"{name} deal {number}")
            while now.round is not None and now.turn:
                legal = [each.id for each in now.round.list_legal_actions()]
                taken = TakeAction(seat=seat, action=action if action in legal else legal[0])
                now = self.floor.execute(name, taken, held.holder, f"{name} decide {now.snapshot.sequence}")
            assert now.round is not None
            yield from (event for event in now.round.events if isinstance(event, WagerSettled))


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosting]:
    """A floor for all tests of this module."""
    folder, clock = tmp_path_factory.mktemp("floor"), [int(time())]
    tables = TableService.connect(
        f"sqlite:///{folder / 't.db'}", folder / "key", clock=lambda: clock[0], bits=seeded_bits(7)
    )
    floor = TableRegistry(tables, limits=unlimited())
    with answering(create_app(None, floor)) as address:
        made = Hosting(floor, address, clock)
        yield made
        made.host.web.close()
    floor.close()


class Written(HTMLParser):
    """What a browser would send of a page's form as it stands: its fields, and the choice of each select."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field, or the option of a select that is chosen."""
        has = dict(attrs)
        name, value = has.get("name") or "", has.get("value") or ""
        if tag == "select":
            self._select = name
        elif tag == "option" and "selected" in has:
            self.fields[self._select] = value
        elif tag == "input" and has.get("type") != "hidden" and (has.get("type") != "checkbox" or "checked" in has):
            self.fields[name] = value


def played(game: str, **fields: str) -> TableTerms:
    """Return the terms that a form asks for."""
    return parse_setup_form(load_game(game), fields, HOLDER).terms


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"pay-bet.ace-king": "2"}, "pay-bet.ace-king", "Bet: line 'ace-king' pays 2, more than 'pair' with 1"),
        ({"pay-bet.full-house": "2", "pay-bet.pair": "2"}, "pay-bet.full-house", "more than 'full-house' with 2"),
        ({"pay-bet.flush": "1000001"}, "pay-bet.flush", "line 'flush' pays 1000001: at most 1,000,000"),
        ({"least-main": "500", "most-main": "1000"}, "least-main", "Super cannot be $400 at most: it must reach $500"),
    ],
)
def test_terms_that_the_rules_cannot_keep_are_refused_at_their_field(
    fields: dict[str, str], field: str, says: str
) -> None:
    with pytest.raises(FieldError) as refused:
        played("lunar", **fields)
    assert refused.value.field == field
    assert says in str(refused.value)


def test_pays_that_keep_their_order_together_are_taken_together() -> None:
    (own,) = played("lunar", **{"pay-bet.pair": "3", "pay-bet.two-pair": "4", "pay-bet.ace-king": "3"}).own_paytables
    assert [own["lines"][line]["pay"] for line in ("two-pair", "pair", "ace-king")] == ["4:1", "3:1", "3:1"]


@pytest.mark.parametrize("game", load_games())
def test_the_rules_of_a_game_are_told_whole_with_the_pays_in_force(hosting: Hosting, game: str) -> None:
    kind = list_paytable_kinds(load_game(game))[0]
    line = kind.lines[0][0]
    now = hosting.opened(game, **{f"pay-{kind.id}.{line}": "987"})
    here = unescape(hosting.host.look(f"/tables/{now.snapshot.table}/rules"))
    usual_rules = unescape(hosting.host.look(f"/rules/{game}"))
    for section in make_rules_sections(load_game(game)):
        for page in (here, usual_rules):
            assert f">{RULING_LABELS.sub('', section.title)}" in page
    for other in list_paytable_kinds(load_game(game)):
        assert all(name in here and name in usual_rules for _, name, _ in other.lines)
    assert "987" in here
    assert "987" not in usual_rules


@pytest.mark.parametrize("game", load_games())
def test_the_form_as_it_stands_opens_the_game_as_its_sheet_has_it(hosting: Hosting, game: str) -> None:
    now = hosting.opened(game)
    assert now.terms == TableTerms(game=game, wager_seconds=0, decide_seconds=0) == played(game)
    assert {seat: held.bot for seat, held in now.seats.items()} == {2: "practical", 3: "", 4: "practical"}
    assert "rule sheet.</p>" in hosting.host.sent[-1]


@pytest.mark.parametrize("game", load_games())
def test_each_option_and_each_pay_table_is_played(game: str) -> None:
    known = load_game(game)
    for option in known.options:
        for value in option.values:
            wanted = {} if value == option.default else {option.name: value}
            assert played(game, **{f"option-{option.name}": value}).options == wanted
    for kind in list_paytable_kinds(known):
        for table in kind.tables:
            terms = played(game, **{f"paytable-{kind.id}": table.id})
            assert select_paytables(known, terms.paytables)[kind.id] == table
            assert len(terms.paytables) == (not table.default)


@pytest.mark.parametrize("game", load_games())
def test_all_is_chosen_at_once(hosting: Hosting, game: str) -> None:
    known = load_game(game)
    values = {option.name: next(v for v in option.values if v != option.default) for option in known.options}
    tables = {kind.id: kind.tables[-1] for kind in list_paytable_kinds(known)}
    kind = list_paytable_kinds(known)[-1]
    line = next(iter(kind.tables[-1].lines))
    now = hosting.opened(
        game,
        **{f"option-{name}": value for name, value in values.items()},
        **{f"paytable-{name}": table.id for name, table in tables.items()},
        **{f"pay-{kind.id}.{line}": "77", "least-main": "10", "most-main": "$150", "preset": "washington"},
        seats="4",
        bots="3",
        strategy="lowest" if game == "wild-six-card" else "mimic-the-dealer",
        wager_seconds="40",
        decide_seconds="25",
        fair="on",
        name="Bea",
        dollars="2,500.50",
    )
    terms = now.terms
    assert terms.options == values
    assert set(terms.paytables) == {f"{table.bet}={table.id}" for table in tables.values() if not table.default}
    (own,) = parse_paytables({"paytable": list(terms.own_paytables)}, known, "own")
    changed = {name for name, pay in own.lines.items() if pay != kind.tables[-1].lines[name]}
    assert (own.kind, own.id, changed) == (kind.id, f"{kind.tables[-1].id}-own", {line})
    assert own.lines[line].amount == 77
    assert (terms.limits, terms.preset, terms.seats, terms.fair) == ({"main": (1000, 15_000)}, "washington", 4, True)
    assert (terms.wager_seconds, terms.decide_seconds) == (40, 25)
    assert (now.seats[2].name, now.seats[2].chips_cents) == ("Bea", 250_050)
    assert {seat for seat, held in now.seats.items() if held.bot} == {1, 3, 4}
    page = hosting.host.sent[-1]
    for option in known.options:
        assert option.ruling in page
    assert f"{own.id}, custom" in page
    assert "$10 to $150" in page


def bad(field: str) -> str:
    """Return what cannot stand in a field."""
    return "x" * 25 if field == "name" else "☃ 1"


@pytest.mark.parametrize("game", load_games())
def test_bad_input_of_every_field_is_refused_in_a_line_that_is_its_own(game: str) -> None:
    fields = (*make_default_fields(load_game(game)), "unheard-of")
    for field in fields:
        with pytest.raises(FieldError) as refused:
            played(game, **{field: bad(field)})
        assert refused.value.field == field
        assert "\n" not in str(refused.value)


REFUSED = {
    "Maximum Ante and Play: 'abc' is not an amount: write dollars": {"most-main": "abc"},
    "Ante and Play: the minimum, $50, is above its maximum, $5: lower the one or raise the other": {
        "least-main": "50",
        "most-main": "5",
    },
    "The limits of Aces Up cannot be $5 to $7.50": {"most-aces-up": "7.50"},
    "$100,000,000 is too much": {"most-main": "100000000"},
    "Ante and Play cannot start at $500: washington allows at most $400 (WA-1)": {
        "preset": "washington",
        "least-main": "500",
        "most-main": "500",
    },
    "Seconds to decide: '-5' is not allowed: write a whole number from 0 to 3,600": {"decide_seconds": "-5"},
    "Seats: '7' is not allowed": {"seats": "7"},
    "5 bots and you are 6 for 2 seats: take fewer bots, or more seats": {"seats": "2", "bots": "5"},
    "Unknown strategy 'cheat'": {"strategy": "cheat"},
    "Unknown pay table 'mine.toml'": {"paytable-aces-up": "mine.toml"},
    "Aces Up, flush: '-8' is not a pay: write a whole number": {"pay-aces-up.flush": "-8"},
    "Aces Up, two pair: line 'two-pair' cannot be paid whole: 1/3 on 100 cents": {"pay-aces-up.two-pair": "1:3"},
    "Bad Beat, flush: '123456789012' is too long for a pay": {"pay-bad-beat.flush": "123456789012"},
    "Option dealer_qualifies has no value 'never'": {"option-dealer_qualifies": "never"},
    "Unknown preset 'utah'": {"preset": "utah"},
    "a seat needs chips": {"dollars": "0"},
    "Your chips: $3 do not cover the smallest wagers, $5 in all": {"dollars": "3"},
    "Your chips: 'much' is not an amount": {"dollars": "much"},
    "'purse' is not a field of this form": {"purse": "1"},
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_refusal_opens_nothing_and_loses_nothing(hosting: Hosting, line: str) -> None:
    before = hosting.floor.tables.list_names()
    hosting.host.look("/open/six-card")
    kept = {"name": "Bea & Co", "most-bad-beat": "123", "fair": "on", "option-award_order": "split"}
    answer = hosting.host.say("/open/six-card", **Written(hosting.host.sent[-1]).fields | kept | REFUSED[line])
    assert (answer.status_code, hosting.floor.tables.list_names()) == (422, before)
    page = answer.text
    (alert,) = re.findall(r'role="alert" id="fault">([^<]*)<', page)
    assert line in unescape(alert)
    again = Written(page).fields
    typed = {field: text for field, text in (kept | REFUSED[line]).items() if field in again}  # no unheard-of choice
    assert typed.items() <= again.items()
    assert kept.keys() <= again.keys()
    assert page.count('aria-invalid="true" aria-describedby="fault"') == ("purse" not in REFUSED[line])


@pytest.mark.more
def test_an_option_changes_what_is_paid(hosting: Hosting) -> None:
    now = hosting.opened("wild-52", bots="0", **{"option-ante_when_unqualified": "win"})
    legs = [leg for event in hosting.rounds(now, "play", main=500) for leg in event.legs]
    antes = [leg for leg in legs if leg.circle == "ante" and leg.reason.startswith("dealer does not qualify")]
    assert antes
    assert {(leg.result, leg.net_cents) for leg in antes} == {(LegResult.WIN, 500)}


@pytest.mark.more
def test_a_pay_of_ones_own_is_paid(hosting: Hosting) -> None:
    now = hosting.opened("six-card", bots="0", **{"paytable-aces-up": "SCP-04", "pay-aces-up.two-pair": "7:2"})
    settled = list(hosting.rounds(now, "fold", main=500, aces_up=1000))
    assert {event.net_cents for event in settled if event.outcome == "two-pair"} == {3500}


def test_wagers_keep_the_tables_own_limits(hosting: Hosting) -> None:
    now = hosting.opened("lunar", bots="1", **{"least-main": "50", "most-main": "75", "most-multi-super": "20"})
    assert [(each.bet, each.cents) for each in now.seats[2].standing] == [("main", 5000), ("super", 5000)]
    fields = Written(hosting.host.sent[-1]).fields
    assert (fields["stake-main"], fields["stake-super"]) == ("50", "50")
    assert "$50 to $75" in hosting.host.sent[-1]
    address = f"/tables/{now.snapshot.table}/wager"
    for stakes, line in (
        ({"stake-main": "80", "stake-super": "80"}, "stake $50 to $75"),
        ({"stake-main": "50", "stake-super": "50", "stake-multi-super@2": "25"}, "stake $5 to $20"),
    ):
        answer = hosting.host.say(address, **stakes)
        assert answer.status_code == 409
        assert line in answer.text
    assert hosting.host.say(address, **{"stake-main": "60", "stake-super": "60"}).status_code == 200


def test_limits_at_which_nobody_could_play_are_refused() -> None:
    with pytest.raises(
        FieldError,
        check=refusal(
            "limit-out-of-step",
            wager="super",
            fault="$20 at most: it must reach $50",
            ruling="LU-1",
            field="least-main",
        ),
    ):
        played("lunar", **{"least-main": "50", "most-super": "20"})


@pytest.mark.parametrize(
    ("game", "then", "mine"),
    [
        ("six-card", "fold", "Time ran out: your hand was folded."),
        ("wild-six-card", "discard", "Time ran out: your lowest card that is not a Joker was discarded."),
    ],
)
def test_the_time_that_is_left_is_said_and_what_happens_then(hosting: Hosting, game: str, then: str, mine: str) -> None:
    now = hosting.opened(game, bots="0", decide_seconds="20")
    name = now.snapshot.table
    assert "20 seconds for each decision." in hosting.host.sent[-1]
    assert "data-deadline" not in hosting.host.sent[-1]  # nobody waits yet
    while not hosting.floor.tables.get_session(name).turn:  # a straight of Wild Six Card has nothing to decide
        hosting.host.look(f"/tables/{name}/felt")
        hosting.host.say(f"/tables/{name}/wager", **{"stake-main": "5"})
    assert f'data-deadline="{hosting.clock[0] + 20}"' in hosting.host.sent[-1]
    assert f"left</span>, then: {then}" in hosting.host.sent[-1]
    hosting.clock[0] += 19
    hosting.floor.run_automation(name)
    assert hosting.floor.tables.get_session(name).turn == 3
    hosting.clock[0] += 1
    hosting.floor.run_automation(name)
    after = hosting.floor.tables.get_session(name).round
    assert after is not None
    assert [event.action for event in after.events if isinstance(event, DecisionMade)] == [then]
    watching, round_number = Person(str(hosting.host.web.base_url)), hosting.floor.get_session(name).last_round_number
    steps = {told: f"/tables/{name}/rounds/{round_number}?step={step}" for step, told in ((0, ""), (9, mine))}
    for told, path in {**steps, mine: f"/tables/{name}"}.items():
        assert f'role="status">{told}</p>' in hosting.host.look(path)
        assert (f"<span>Time ran out: {then}.</span>" in watching.look(path)) == bool(told)
        assert ("Sit here" in watching.sent[-1]) == ("rounds" not in path)
    watching.web.close()


def test_who_does_not_wager_in_time_is_dealt_no_hand(hosting: Hosting) -> None:
    now = hosting.opened("six-card", bots="0", wager_seconds="30")
    name = now.snapshot.table
    late = Person(str(hosting.host.web.base_url))
    late.look(f"/tables/{name}")
    assert late.say(f"/tables/{name}/sit", seat="1").status_code == 200
    assert hosting.host.say(f"/tables/{name}/wager", **{"stake-main": "5"}).status_code == 200
    waits, waited_for = hosting.host.look(f"/tables/{name}"), late.look(f"/tables/{name}")
    for page, mine in ((waits, ""), (waited_for, " mine")):
        assert f'class="clock{mine}" data-deadline="{hosting.clock[0] + 30}"' in page
        assert "then: the cards are dealt to the seats that have wagered" in page
    hosting.clock[0] += 30
    hosting.floor.run_automation(name)
    assert hosting.floor.tables.get_session(name).round_seats == (3,)
    assert 'role="status">Time ran out: the cards were dealt without you.</p>' in late.look(f"/tables/{name}")
    assert "<span>Time ran out: no hand.</span>" in hosting.host.look(f"/tables/{name}")
    late.web.close()


def test_a_par_sheets_pays_are_played(hosting: Hosting) -> None:
    hosting.host.look("/open/six-card?bet=aces-up&paytable=SCP-03&pay-flush=9&pay-straight=6")
    fields = Written(hosting.host.sent[-1]).fields
    assert fields["paytable-aces-up"] == "SCP-03"
    assert {field: text for field, text in fields.items() if field.startswith("pay-") and text} == {
        "pay-aces-up.flush": "9"
    }
    hosting.host.look("/open/lunar?bet=instant-cash&paytable=IC-3")
    assert Written(hosting.host.sent[-1]).fields["paytable-instant-cash"] == "IC-3"


@pytest.mark.more
def test_the_exact_edge_of_each_table_is_told(hosting: Hosting) -> None:
    game = load_game("wild-52")
    joker = next(wager for wager in game.wagers if wager.id == "joker")
    sheet = compute_par_sheet(game, joker, Counting(select_paytables(game), resolve_options(game, {})), ignore_progress)
    assert f"{float(sheet.house_edge):.4%}" in hosting.host.look("/open/wild-52/edges?kind=joker")
    assert "has no pay table 'x'" in unescape(hosting.host.look("/open/wild-52/edges?kind=x"))
    assert "has no pay table 'progressive'" in unescape(hosting.host.look("/open/six-card/edges?kind=progressive"))


@pytest.mark.parametrize("fields", [{"dollars": "9" * 18}, {"dollars": "5", "name": "a\x00b"}])
def test_what_no_command_takes_is_refused_in_a_line(hosting: Hosting, fields: dict[str, str]) -> None:
    name = hosting.floor.open_table(TableTerms(game="six-card"))
    hosting.host.look(f"/tables/{name}")
    answer = hosting.host.say(f"/tables/{name}/sit", seat="1", **fields)
    assert answer.status_code == 409
    assert 'class="notice bad" role="alert"' in answer.text


def test_the_lobby_refuses_a_name_that_is_none_and_opens_nothing(hosting: Hosting) -> None:
    before = hosting.floor.tables.list_names()
    hosting.host.look("/")
    answer = hosting.host.say("/tables", game="lunar", name="a\x00b", bots="1")
    assert (answer.status_code, answer.json()["detail"].partition(":")[0]) == (422, "name")
    assert hosting.floor.tables.list_names() == before
