"""The coach gets ready before anybody asks: where it is wanted, once."""

import re
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from html import unescape
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from coroutines import run_alone
from pitboss.analysis.hints import Hint
from pitboss.analysis.outcome_chances import OutcomeChances
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.cards import draw_below, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner
from pitboss.games import load_game, load_games
from pitboss.reports.chance_text import describe_chances
from pitboss.table.round import Stake, WagerSettled, find_decisions, open_round
from pitboss.table.service import TableService
from pitboss.value_units import name_value_unit
from pitboss.web.app import create_app
from pitboss.web.auth.guests import AFTER, BEFORE
from pitboss.web.errors import RateLimitError, WebError
from pitboss.web.jobs.coach import ActionAdvice, build_hint_job, deal_sample_round
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.requests import JobLostError, JobRefusedError
from pitboss.web.jobs.study_reasons import StudyReasons, ValueParts
from pitboss.web.jobs.value_bars import ValueBar, measure_values
from pitboss.web.jobs.warm_up import build_warm_up_job, prepare_solvers
from pitboss.web.jobs.worker import pickle_object, unpickle_object
from pitboss.web.pages.coach import ButtonValue, explain_mistake, list_known_mistakes, value_buttons
from pitboss.web.pages.mistake_reasons import select_reasons
from pitboss.web.pages.table_page import BY_COUNT
from pitboss.web.registry import TableRegistry, compute_minimum_stakes
from pitboss.web.templating import make_environment
from web.served import answering, choose_coach, unlimited
from web.test_guests import Person


@pytest.mark.parametrize("game", load_games())
def test_in_some_round_of_a_game_there_is_something_to_decide(game: str) -> None:
    now = deal_sample_round(load_game(game))
    assert now.list_legal_actions()
    assert now == deal_sample_round(load_game(game))


@pytest.mark.more
@pytest.mark.compiled
def test_getting_ready_is_to_value_a_hand_of_each_game_once() -> None:
    jobs = JobQueue()
    try:
        prepare_solvers(jobs).join()
        for game in filter(lambda each: each.solver, load_games().values()):
            question = build_warm_up_job(game)
            known = jobs.get_result(question)
            assert known is not None
            assert jobs.submit(JobClient("guest", "here"), question, JobPriority.LEAKS).result().payload == known
            assert {each.action.id for each in unpickle_object(known)} == {
                each.id for each in deal_sample_round(game).list_legal_actions()
            }
    finally:
        jobs.close()


@pytest.mark.more
def test_solvers_are_prepared_beside_a_server_that_still_loads_its_pages() -> None:
    """Two threads that load modules at once may each wait for the other; and the queue needs no page."""
    script = """
        import sys
        from concurrent.futures import Future
        from pitboss.web.jobs import queue, warm_up
        from pitboss.web.jobs.worker import JobResult, pickle_object

        class Recorder:
            jobs = []
            def submit(self, _client, job, _priority):
                self.loaded = self.loaded if self.jobs else set(sys.modules)
                self.jobs.append(pickle_object((job.function, job.arguments)))
                answered = Future()
                answered.set_result(JobResult(b"valued"))
                return answered

        recorder = Recorder()
        warm_up.prepare_solvers(recorder).join()
        print(len(recorder.jobs), sorted(set(sys.modules) - recorder.loaded), "fastapi" in sys.modules)
    """
    said = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=True).stdout
    assert said == f"{sum(bool(game.solver) for game in load_games().values())} [] False\n"


def test_nothing_is_made_ready_by_a_server_that_shuts_down() -> None:
    jobs = JobQueue()
    jobs.close()
    prepare_solvers(jobs).join()
    assert not any(jobs.get_result(build_warm_up_job(game)) for game in load_games().values())


@pytest.mark.parametrize("when", [AFTER, BEFORE, ""])
def test_a_solver_is_made_ready_for_who_sits_down_with_the_coach_and_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Whenever the coach speaks; without a choice it is after the round."""
    tables, asked = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key"), list[str]()
    monkeypatch.setattr(
        JobQueue, "submit", lambda _jobs, _asker, question, _rank: asked.append(question.arguments[0].id)
    )
    with answering(create_app(None, TableRegistry(tables, limits=unlimited()))) as address:
        guest, stranger = Person(address), Person(address)
        table = guest.say("/tables", game="wild-52").url.path
        if when:
            choose_coach(guest.web, when)
        guest.look(f"{table}/felt")
        stranger.look(f"{table}/coach")
        assert asked == []
        said = "Before each of your decisions" if when == BEFORE else "After each round"
        assert said in guest.look(f"{table}/coach")
        assert asked == ["wild-52"]
        for page in (table, f"{table}/coach"):
            assert "Your leaks at this table" in guest.look(page)
            assert "Your leaks at this table" not in stranger.look(page)
            assert "<h2>Coach</h2>" in guest.look(page)
            assert "<h2>Coach</h2>" not in stranger.look(page)
        assert "You are watching. To play, take a free seat." in stranger.look(table)
        for person, has_seat in ((guest, True), (stranger, False)):
            assert ('<select name="coach">' in person.look(table)) == has_seat
            assert '<select name="theme">' in person.look(table)
        assert '<select name="coach">' in stranger.look("/")
        number = next(n for n in range(1, 7) if f'name="seat" value="{n}"' in stranger.look(table))
        stranger.say(f"{table}/sit", seat=str(number), name="Bob")
        assert "<h2>Coach</h2>" in stranger.look(f"{table}/coach")
        for person in (guest, stranger):
            person.web.close()
    tables.close()


@pytest.mark.parametrize("lead", [1, -1])
def test_a_button_for_any_number_of_cards_has_the_value_of_the_best(lead: int) -> None:
    """Whichever is best: its bar is on the side of its sign, and both begin at one zero."""
    worth = {"fold": Fraction(-lead), "exchange-2": Fraction(lead), "exchange-1": Fraction(lead, 2)}
    best = max(worth.values())
    worths = [
        ActionAdvice(action, action, ("Ts",) if action != "fold" else (), value, best - value)
        for action, value in sorted(worth.items(), key=lambda each: -each[1])
    ]
    exchange = max(worth["exchange-1"], worth["exchange-2"])
    shown = value_buttons([{"action": "fold"}, {"action": BY_COUNT}, {"action": "buy"}], worths)
    left, right = ValueBar(0, 50, 50, is_below=True), ValueBar(50, 50, 50, is_below=False)
    bars = (left, right) if lead > 0 else (ValueBar(33, 67, 33, is_below=False), ValueBar(0, 33, 33, is_below=True))
    assert shown == {
        "fold": ButtonValue(float(worth["fold"]), lead < 0, bars[0]),
        BY_COUNT: ButtonValue(float(exchange), lead > 0, bars[1]),
    }
    assert value_buttons([{"action": "buy"}], worths) == {}


@pytest.mark.parametrize(
    ("worths", "bars"),
    [
        ({"play": "1.8191", "check": "1.1801"}, [(0, 100, 0, False), (0, 65, 0, False)]),
        ({"play": "0.5", "fold": "-1"}, [(67, 33, 67, False), (0, 67, 67, True)]),
        ({"fold": "-1", "play": "-1.8"}, [(44, 56, 100, True), (0, 100, 100, True)]),
        ({"check": "-0.5", "play": "-1"}, [(50, 50, 100, True), (0, 100, 100, True)]),
        ({"check": "0", "play": "0"}, [(0, 2, 0, False), (0, 2, 0, False)]),
    ],
)
def test_bars_share_a_zero_and_what_is_lost_runs_to_the_left(
    worths: dict[str, str], bars: list[tuple[int, int, int, bool]]
) -> None:
    advice = [ActionAdvice(name, name, (), Fraction(value), Fraction(0)) for name, value in worths.items()]
    assert [tuple(each) for each in measure_values(advice)] == bars


def test_a_watcher_is_sent_no_count_for_a_bar_that_has_no_place_for_it(tmp_path: Path) -> None:
    """The bar counts for who sits; the browser complains of a part that has no place."""
    registry = TableRegistry(
        TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key"), limits=unlimited()
    )
    with answering(create_app(None, registry)) as address:
        guest, watcher = Person(address), Person(address)
        table = guest.say("/tables", game="six-card").url.path
        for person, is_seated in ((guest, True), (watcher, False)):
            assert ('<div id="coach-count"' in person.look(table)) == is_seated
            assert ("hx-swap-oob" in person.look(f"{table}/coach")) == is_seated
            person.web.close()
    registry.close()


@pytest.mark.parametrize("when", [AFTER, BEFORE])
@pytest.mark.parametrize("sides", [("regular-bonus", "bad-beat", "blackjack-bonus"), ("blackjack-bonus",), ()])
def test_the_coach_says_which_wagers_its_values_are_of(tmp_path: Path, when: str, sides: tuple[str, ...]) -> None:
    """Values are also of the side wagers that the play changes, while wins are counted for the main wager."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    floor = TableRegistry(tables, limits=unlimited())
    of = "Ante, Blind, and Lock or Play, with Regular Bonus and Bad Beat"
    with answering(create_app(None, floor)) as address:
        guest = Person(address)
        table = guest.say("/tables", game="shifting-wilds").url.path
        choose_coach(guest.web, when)
        guest.look(table)
        stakes = {f"stake-{bet}": "5" for bet in ("main", *sides)}
        assert guest.say(f"{table}/wager", **stakes).status_code == 200
        now = floor.get_session(table.rpartition("/")[2])
        assert now.round is not None
        assert now.turn is not None
        legal = now.round.list_legal_actions()
        for _ in range(2):  # the values, and of a round that is over those of each decision
            hints = tuple(Hint(action, 0, Fraction(place)) for place, action in enumerate(legal))
            job = build_hint_job(now.round, now.round_seats.index(now.turn))
            floor.jobs.store_result(job, tuple(reversed(hints)))
            if when == BEFORE:
                break
            guest.say(f"{table}/decide", action=legal[0].id)
            now = floor.get_session(now.snapshot.table)
            if now.turn is None:
                break
            legal = now.round.list_legal_actions() if now.round else ()
        said = unescape(guest.look(f"{table}/coach")) + unescape(guest.look(f"{table}/felt"))
        guest.web.close()
    floor.close()
    if when == BEFORE:
        (room,) = re.findall(r'<div class="room(?: two)?( wagers)?"><div class="reasons" hx-get="/study/why', said)
        assert bool(room) == ("bad-beat" in sides)
    assert ("values are of" in said) == ("bad-beat" in sides)
    left_out = "Without Blackjack Bonus: no choice changes its result."
    assert said.count(left_out) == (2 if when == BEFORE and "blackjack-bonus" in sides else 0)
    assert said.count(of) == (0 if "bad-beat" not in sides else 2 if when == BEFORE else said.count("was better"))


@pytest.mark.parametrize(
    ("game", "lowest", "said", "zero"),
    [
        ("lunar", -20, "Bars start at zero, the right edge: shorter loses less.", 100),
        ("six-card", -1, "Bars start at the zero mark: red is lost.", 50),
        ("wild-52", 1, "Bars start at zero, the left edge: longer wins more.", 0),
        ("wild-six-card", -1, "", None),
    ],
)
def test_a_bar_on_a_button_is_explained_and_its_zero_marked(
    tmp_path: Path, game: str, lowest: int, said: str, zero: int | None
) -> None:
    """Values rise by two from the lowest on; where there is one button there is nothing to compare, and no bar."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    floor = TableRegistry(tables, limits=unlimited())
    with answering(create_app(None, floor)) as address:
        guest = Person(address)
        table = guest.say("/tables", game=game, bots="0").url.path
        choose_coach(guest.web, BEFORE)
        guest.look(table)
        now = floor.get_session(table.rpartition("/")[2])
        stakes = {f"stake-{each.bet}": str(each.cents // 100) for each in compute_minimum_stakes(now)}
        for _ in range(20):  # a hand that wins at once has no decision
            assert guest.say(f"{table}/wager", **stakes, do="deal").status_code == 200
            now = floor.get_session(now.snapshot.table)
            if now.turn is not None:
                break
        assert now.round is not None
        assert now.turn is not None
        legal = now.round.list_legal_actions()
        hints = [Hint(action, 0, Fraction(lowest + 2 * place)) for place, action in enumerate(legal)]
        floor.jobs.store_result(build_hint_job(now.round, now.round_seats.index(now.turn)), tuple(reversed(hints)))
        felt = unescape(guest.look(f"{table}/felt"))
        guest.web.close()
    floor.close()
    (key,) = re.findall(r'<span class="values-key">(.*?)</span>', felt)
    assert re.fullmatch(
        rf"Average net of the whole round in (Antes|Poker bets)\. ?{re.escape(said)}( Without Super: .*)?", key
    )
    assert set(re.findall(r'class="zero" x1="(\d+)"', felt)) == (set() if zero is None else {str(zero)})


@pytest.mark.parametrize("name", load_games())
def test_the_legend_names_what_the_values_are_of_and_why_a_wager_is_left_out(tmp_path: Path, name: str) -> None:
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    floor, game = TableRegistry(tables, limits=unlimited()), load_game(name)
    own = [wager for wager in game.wagers if wager.hand_owner is not HandOwner.OTHER_SEAT]
    stakes = {f"stake-{each.id}": str(max(5, each.limits.minimum_cents // 100)) for each in own}
    stakes |= {f"stake-{each.id}": "1" for each in own if each.limits.maximum_cents == 100}
    with answering(create_app(None, floor)) as address:
        guest = Person(address)
        table = guest.say("/tables", game=name, bots="0").url.path
        choose_coach(guest.web, BEFORE)
        guest.look(table)
        for _ in range(20):  # a hand that wins at once has no decision
            assert guest.say(f"{table}/wager", **stakes, do="deal").status_code == 200
            now = floor.get_session(table.rpartition("/")[2])
            if now.turn is not None:
                break
        assert now.round is not None
        assert now.turn is not None
        hints = tuple(Hint(action, 0, Fraction(-1)) for action in now.round.list_legal_actions())
        floor.jobs.store_result(build_hint_job(now.round, now.round_seats.index(now.turn)), hints)
        felt, coach = (unescape(guest.look(f"{table}/{part}")) for part in ("felt", "coach"))
        guest.web.close()
    floor.close()
    (key,) = re.findall(r'<span class="values-key">(.*?)</span>', felt)
    counted = [each.name for each in own[1:] if depends_on_play(game, each, now.round.options)]
    left_out = [each.name for each in own[1:] if each.name not in counted]
    for said in (key, coach):
        assert "main wager" not in said
        assert (f"{game.main.name}, with {' and '.join(counted)}." in said) == bool(counted)
        assert bool(left_out) == ("no choice changes" in said)
    assert re.findall(r"Without (.*): no choice", key) == [re.sub(r", (?=[^,]*$)", " and ", ", ".join(left_out))]


def settle_left_out(game: Game, deck: Sequence[int], bits: BitSource) -> tuple[frozenset[tuple[str, str]], bool]:
    """Play a hand with any choices; return the results of the wagers left out, and whether it had a choice."""
    now = open_round(game, 2)
    for wager in game.wagers:
        on = 1 if wager.hand_owner is HandOwner.OTHER_SEAT else None
        for seat in (0, 1) if wager.mandatory else (0,):
            now = now.place_wager(Stake(seat, wager.id, wager.limits.minimum_cents, on))
    now = now.deal(deck)
    while now.turn is not None:
        legal = now.list_legal_actions()
        action = legal[draw_below(len(legal), bits)]
        own = [card for card in game.deck.cards if now.get_view(now.turn[0])[0] >> card & 1]
        now = now.decide(now.turn[0], action.id, shuffle_cards(own, bits)[: action.discards])
    left_out = {wager.id for wager in game.wagers[1:] if not depends_on_play(game, wager, now.options)}
    settled = [each for each in now.events if isinstance(each, WagerSettled) and each.seat == 0]
    results = frozenset((each.bet, each.outcome) for each in settled if each.bet in left_out)
    return results, any(find_decisions(now.events, 0))


@pytest.mark.parametrize("name", load_games())
def test_no_choice_changes_the_result_of_a_wager_that_is_left_out(name: str) -> None:
    game, choices = load_game(name), 0
    for seed in range(12):
        bits = seeded_bits(seed)
        deck = shuffle_cards(game.deck.cards, bits)
        played = [settle_left_out(game, deck, bits) for _ in range(8)]
        assert len({results for results, _ in played}) == 1
        choices += played[0][1]
    assert choices


def test_what_the_values_count_is_said_of_one_mistake_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    worth = [SimpleNamespace(name=name, cards=(), value=Fraction(0)) for name in ("Fold", "Play")]
    mistake: Any = SimpleNamespace(why="asked", chosen=worth[0], best=worth[1])
    monkeypatch.setattr("pitboss.web.pages.coach._list_mistakes", lambda *_: [mistake, mistake])
    reasons = pickle_object(StudyReasons(("Play keeps your pair.",), note="The values count every card."))
    jobs: Any = SimpleNamespace(get_result=lambda _: reasons)
    nobody: Any = None
    first, second = (each.reasons for each in list_known_mistakes(nobody, nobody, nobody, jobs))
    assert first == ("Play keeps your pair.", "The values count every card.")
    assert second == ("Play keeps your pair.",)


def test_the_cards_of_a_mistake_are_written_as_on_their_faces_each_after_a_space() -> None:
    best = SimpleNamespace(name="Discard", cards=("4h",), value=Fraction(1, 2), cost=0)
    chosen = SimpleNamespace(name="Discard", cards=("Tc", "Jk1"), value=Fraction(-1, 2), cost=Fraction(1))
    made = SimpleNamespace(best=best, chosen=chosen, cost_cents=500)
    page = vars(make_environment().get_template("table/mistake.html").module)
    said: str = page["verdict"](made, "Antes")
    words = re.sub(r"<[^>]+>", "", said)
    assert words == "Discard 4♥ was better: Discard 10♣ Joker cost 1.0000 Antes, $5.00."
    assert '<span class="written h" role="img" aria-label="Four of hearts">4♥</span>' in said
    words = re.sub(r"<[^>]+>", "", page["verdict_by_cost"](made, "Antes"))
    assert words == "Cost $5.00 (1.0000 Antes): Discard 4♥ was better than Discard 10♣ Joker."


@pytest.mark.parametrize("name", load_games())
@pytest.mark.parametrize("shares", [(95, 1, 4), (40, 0, 60), (0, 0, 100), (100, 0, 0), (0, 100, 0), (0, 30, 70)])
@pytest.mark.parametrize(("unqualified", "folds"), [(20, 0), (0, 0), (16, 21), (0, 21)])
def test_a_but_stands_in_the_sentence_that_it_contrasts_with(
    name: str, shares: tuple[int, int, int], unqualified: int, folds: int
) -> None:
    """Two choices that win alike and are worth different: the sentence on wins says so, and no other."""
    game = load_game(name)
    wins, pushes, loses = (Fraction(each, 100) for each in shares)
    of_dealer = Fraction(unqualified, 100), Fraction(folds, 100)
    chances = OutcomeChances("x", 0, wins, pushes, loses, *of_dealer, won=2 * wins, lost=2 * loses)
    for counted in ("", game.main.name):
        said = [describe_chances(each, chances, counted=counted, unit=name_value_unit(game)) for each in ("A", "B")]
        for values in ((0.25, 0.5), (-1.0, -0.5)):
            (text,) = select_reasons(said, ("A ", "B "), values)
            first, *others = re.split(r"(?<=\.) ", text)
            assert re.match(r"Either choice .*(wins|pushes|loses)\b.*, but not as much: on average A ", first)
            assert not any(" but " in each for each in others)
            assert " ".join((re.sub(r", but .*\.$", ".", first), *others)) == f"Either choice {said[0][2:]}"


def test_a_mistake_says_what_each_wager_added_and_where_the_best_choice_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal wins explain nothing where the wagers that they leave out are what differs."""
    worth = [SimpleNamespace(name=name, cards=(), value=Fraction(value)) for name, value in (("Lock", 2), ("Check", 6))]
    mistake: Any = SimpleNamespace(why="asked", chosen=worth[0], best=worth[1])
    monkeypatch.setattr("pitboss.web.pages.coach._list_mistakes", lambda *_: [mistake])
    parts = (
        ValueParts("Check", (("Ante", Fraction(3, 2)), ("Bad Beat", Fraction(9, 2)))),
        ValueParts("Lock", (("Ante", Fraction(5, 2)), ("Bad Beat", Fraction(-1, 2)))),
    )
    wins = "wins 95 of 100 rounds. In 20 of the 100 the dealer does not qualify."
    reasons = pickle_object(StudyReasons((f"Lock {wins}", f"Check {wins}"), parts=parts))
    jobs: Any = SimpleNamespace(get_result=lambda _: reasons)
    nobody: Any = None
    (said,) = (each.reasons for each in list_known_mistakes(nobody, nobody, nobody, jobs))
    assert said == (
        "Lock is worth, by wager: Ante +2.5000; Bad Beat −0.5000.",
        "Check is worth, by wager: Ante +1.5000; Bad Beat +4.5000.",
        "Check gains most on Bad Beat: 5.0000 more than Lock.",
        f"Either choice {wins}",
    )


@pytest.mark.parametrize(
    ("fault", "is_kept"),
    [
        (JobRefusedError("no chances of these cards"), True),
        (JobLostError("a worker broke off"), False),
        (RateLimitError("too many questions", 1), False),
    ],
    ids=["refused", "lost", "too many"],
)
def test_reasons_of_a_mistake_are_left_out_for_good_only_if_there_are_none(*, fault: WebError, is_kept: bool) -> None:
    """A full queue or a lost worker says nothing of the position: the next look asks again."""

    class Call(SimpleNamespace):
        async def wait_for_result(self, *_job: object, **_terms: object) -> None:
            raise fault

    jobs, why = JobQueue(), build_warm_up_job(load_game("six-card"))
    try:
        call: Any = Call(registry=SimpleNamespace(jobs=jobs))
        mistake: Any = SimpleNamespace(why=why)
        run_alone(explain_mistake(call, mistake))
        assert (jobs.get_result(why) is not None) == is_kept
    finally:
        jobs.close()
