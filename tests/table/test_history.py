"""Histories that are wrong are refused with one line, whatever is wrong with them; the schema says what they are."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pitboss.contract import Game
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.games import load_games
from pitboss.paytables import select_paytables
from pitboss.table.round import Stake, WagerSettled, open_round
from pitboss.table.round.history import parse_history, read_history, replay_history
from pitboss.table.round.history_schema import build_history_schema
from pitboss.table.round.history_writer import build_history, format_history
from refusals import refusal
from table.laying import SIX_CARD, deck_of, net_of

SCHEMA = Path(__file__).parents[2] / "docs" / "history.schema.json"

ROUND = """\
variant = "six-card"
antes = [1000, 500]
actions = [
    "d dh p1 AsKsQsJsTs2d",
    "d dh p2 2h3h7c8cJdQd",
    "d dh dealer 4c4d9s9hKcQc",
    "p1 play",
    "p2 f",
]
_title = "A royal flush beats the dealer; seat 2 folds"

[[_wagers]]
seat = 1
bet = "aces-up"
cents = 500

[[_settlements]]
seat = 1
bet = "main"
outcome = "play-win-qualified"
net_cents = 2000

[[_settlements]]
seat = 1
bet = "aces-up"
outcome = "royal-flush"
net_cents = 250000

[[_settlements]]
seat = 2
bet = "main"
outcome = "fold"
net_cents = -500
"""

DRAW = """\
variant = "wild-six-card"
antes = [1000]
actions = ["d dh p1 Jk12s5s9dTc", "d dh dealer 3h3d8c8dKc", "p1 sd 2s", "d dh p1 Th", "d dh dealer 4d"]
"""


def without(line: str) -> Callable[[str], str]:
    """Return a change that leaves a line out."""
    return lambda text: text.replace(line + "\n", "")


def with_instead(old: str, new: str) -> Callable[[str], str]:
    """Return a change of one piece of text for another."""
    return lambda text: text.replace(old, new, 1)


def test_the_round_that_is_spoilt_below_is_in_order() -> None:
    now = replay_history(parse_history(ROUND))
    nets = [(event.seat, event.bet, event.net_cents) for event in now.events if isinstance(event, WagerSettled)]
    assert sorted(nets) == [(0, "aces-up", 250_000), (0, "main", 2_000), (1, "main", -500)]
    assert replay_history(parse_history(DRAW)).is_closed


@pytest.mark.parametrize(
    ("change", "says"),
    [
        # Not a history at all.
        (lambda _: "", "is not a round's history: it has no variant"),
        (lambda _: "variant = ", "the history is not valid TOML: Invalid value (at end of document)"),
        (lambda _: f"antes = {'1' * 5_000}", "the history is not valid TOML: "),
        (lambda _: f"antes = {'[' * 3_000}", "the history is not valid TOML: "),
        (with_instead("antes =", "anten ="), "antes is missing"),
        (with_instead("_title =", "title ="), "title is not known here: did you mean _title?"),
        (with_instead("[1000, 500]", "[]"), "antes is too short: give at least 1"),
        (with_instead("[1000, 500]", '["1000", 500]'), "antes 1: '1000' is text: write 1000 without quotes"),
        (with_instead("[1000, 500]", "[1000.0, 500]"), "antes 1: 1000.0 is not a whole number"),
        (with_instead("net_cents = 2000\n", ""), "_settlements 1 net_cents is missing"),
        (with_instead("seat = 1", "seat = 0"), "_wagers 1 seat: 0 is too small: write at least 1"),
        # Wagers, options, tables that are none.
        (with_instead("six-card", "five-card"), "unknown game 'five-card'"),
        (with_instead("[1000, 500]", "[1000, 50]"), "Ante of $0.50 is not allowed"),
        (
            with_instead("[1000, 500]", "[1000, 500, 500, 500, 500, 500, 500]"),
            "the number of seats is 7",
        ),
        (with_instead('"aces-up"\ncents', '"aces"\ncents'), "unknown bet 'aces'"),
        (with_instead('bet = "aces-up"\n', 'bet = "aces-up"\non = 2\n'), "Aces Up cannot be on another seat's hand"),
        (with_instead("seat = 1", "seat = 9"), "there is no seat 9: seats are 1 to 2"),
        (with_instead("_title", '_options = { dealer = "always" }\n_title'), "unknown option 'dealer'"),
        (with_instead("_title", '_paytables = ["SCP-09"]\n_title'), "unknown pay table 'SCP-09'"),
        (with_instead("_title", '_paytables = ["aces-up=x.toml"]\n_title'), "a history names its pay tables by id"),
        (with_instead("_title", '_preset = "nevada"\n_title'), "unknown preset 'nevada'"),
        (
            with_instead("_title", '_own_paytables = [{ id = "x" }]\n_title'),
            "_own_paytables: pay table x, bet is missing",
        ),
        # Cards.
        (with_instead("2d", "As"), "'d dh p1 AsKsQsJsTsAs': As is already dealt: a card is dealt only once"),
        (with_instead("4c4d", "4cKs"), "'d dh dealer 4cKs9s9hKcQc': Ks is already dealt"),
        (with_instead("2d", "Jk"), "'d dh p1 AsKsQsJsTsJk': Jk is not in this deck of 52"),
        (with_instead("2d", "2x"), "'d dh p1 AsKsQsJsTs2x': '2x' does not begin with a card"),
        (with_instead("2d", ""), "action 1 is 'd dh p1 AsKsQsJsTs': 5 cards, but the rules deal 6"),
        (with_instead("Qc", "Qc5c"), "action 3 is 'd dh dealer 4c4d9s9hKcQc5c': 7 cards, but the rules deal 6"),
        (
            without('    "d dh p2 2h3h7c8cJdQd",'),
            "KcQc': the rules deal 6 cards here, as 'd dh p2 ...'",
        ),
        (
            with_instead("d dh dealer", "d db"),
            "KcQc': the rules deal 6 cards here, as 'd dh dealer ...'",
        ),
        # Actions.
        (with_instead("p1 play", "p2 play"), "'p2 play': seat 2 cannot play now: it is seat 1's turn"),
        (with_instead("p2 f", "p2 cc"), "'p2 cc': not a legal action here: write fold, play"),
        (with_instead("p2 f", "p2 raise"), "'p2 raise': not a legal action here: write fold, play"),
        (with_instead("p2 f", "p2 sd 2h"), "'p2 sd 2h': not a legal action here"),
        (with_instead("p2 f", "p2"), "'p2' is not a valid action: write it as"),
        (with_instead("p2 f", "px f"), "'px f' is not a valid action: write it as"),
        (with_instead("p2 f", "p2 f now please"), "'p2 f now please' is not a valid action"),
        (with_instead("p2 f", "p2 f now"), "'p2 f now': 'now' does not begin with a card"),
        (with_instead("p2 f", "p2 f 2h"), "'p2 f 2h': fold takes no cards: name none, not 2h"),
        (without('    "p2 f",'), "the history ends too early: seat 2 must still answer fold-or-play"),
        (with_instead('"p2 f"', '"p2 f", "p2 f"'), "'p2 f': not a legal action here: nobody is to act"),
        (
            with_instead('    "p1 play",\n    "p2 f",', '    "p1 play", "p2 f", "d dh p1 5s"'),
            "the history has 6 actions",
        ),
        # Settlements.
        (
            with_instead("net_cents = 2000", "net_cents = 2001"),
            "p1 main: the rules give play-win-qualified, net 2000 cents; the history has play-win-qualified, net 2001",
        ),
        (with_instead("play-win-qualified", "play-tie-qualified"), "the history has play-tie-qualified, net 2000"),
        (
            with_instead('[[_settlements]]\nseat = 2\nbet = "main"\noutcome = "fold"\nnet_cents = -500\n', ""),
            "p2 main: the rules give fold, net -500 cents; the history has no such settlement",
        ),
        (
            lambda text: text + '[[_settlements]]\nseat = 2\nbet = "main"\noutcome = "fold"\nnet_cents = -500\n',
            "p2 main: the history has fold, the rules give no such settlement",
        ),
        (
            lambda text: text + '[[_settlements]]\nseat = 2\nbet = "bad-beat"\noutcome = "lose"\nnet_cents = 0\n',
            "p2 bad-beat: the history has lose, the rules give no such settlement",
        ),
    ],
)
def test_a_spoilt_history_is_refused_with_one_line_that_says_why(change: Callable[[str], str], says: str) -> None:
    spoilt = change(ROUND)
    assert spoilt != ROUND
    with pytest.raises(PitbossError) as refused:
        replay_history(parse_history(spoilt))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("p1 sd 2s", "p1 sd 2h", "'p1 sd 2h': discard takes 1 of your cards: name 1 of"),
        ("p1 sd 2s", "p1 sd 2s5s", "'p1 sd 2s5s': not a legal action here: write sd and 1 card"),
        ("p1 sd 2s", "p1 sd", "'p1 sd': not a legal action here: write sd and 1 card"),
        ("p1 sd 2s", "p1 discard 2s", "'p1 discard 2s': not a legal action here: write sd and 1 card"),
        ("d dh p1 Th", "d dh p1 2s", "'d dh p1 2s': 2s is already dealt"),
        ("Jk1", "Jk", "'d dh p1 Jk2s5s9dTc': 's5s9dTc' does not begin with a card"),
    ],
)
def test_a_spoilt_draw_is_refused_with_one_line_that_says_why(old: str, new: str, says: str) -> None:
    with pytest.raises(HistoryError) as refused:
        replay_history(parse_history(DRAW.replace(old, new)))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_hand_that_may_stand_pat_is_told_so_in_the_words_of_a_history() -> None:
    with pytest.raises(HistoryError, check=refusal("illegal-now")):
        replay_history(parse_history('_options = { stand_pat = "on" }\n' + DRAW.replace("p1 sd 2s", "p1 keep")))


def test_a_joker_before_a_deuce_is_two_cards() -> None:
    text = (
        'variant = "wild-52"\nantes = [1000]\n'
        'actions = ["d dh p1 Jk2c5s9dTc", "d dh dealer 3h3d8c8dKc", "d db 4dQh", "p1 f"]\n'
    )
    assert replay_history(parse_history(text)).is_closed
    assert format_history(parse_history(text)) == format_history(parse_history(format_history(parse_history(text))))


def test_a_history_without_settlements_is_worked_out() -> None:
    bare = ROUND[: ROUND.index("[[_settlements]]")]
    assert len(build_history(replay_history(parse_history(bare))).settlements) == 3


def test_settlements_may_stand_in_any_order() -> None:
    head, *settlements = ROUND.split("[[_settlements]]")
    assert replay_history(
        parse_history("[[_settlements]]".join((head, *[each + "\n" for each in reversed(settlements)])))
    ).is_closed


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, check=refusal("cannot-read")):
        read_history(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'variant = "\xe9"')
    with pytest.raises(HistoryError, check=refusal("not-utf-8")):
        read_history(tmp_path / "latin.toml")
    (tmp_path / "round.toml").write_text(ROUND, encoding="utf-8")
    assert read_history(tmp_path / "round.toml") == parse_history(ROUND)
    (tmp_path / "broken.toml").write_text("actions", encoding="utf-8")
    with pytest.raises(HistoryError, check=refusal("invalid-document")):
        read_history(tmp_path / "broken.toml")


def test_a_users_own_pay_table_travels_with_the_history(tmp_path: Path) -> None:
    lines = "".join(f'{line} = "3:2"\n' for line in select_paytables(SIX_CARD)["aces-up"].lines)
    own = tmp_path / "own.toml"
    head = '[[paytable]]\nid = "mine"\nbet = "aces-up"\nunit = "to_one"\nsource = "the house"\n'
    own.write_text(f"{head}[paytable.lines]\n{lines}", encoding="utf-8")
    tables = select_paytables(SIX_CARD, [str(own), "BB-02"])
    now = (
        open_round(SIX_CARD, paytables=tables)
        .place_wager(Stake(0, "main", 1_000))
        .place_wager(Stake(0, "aces-up", 500))
    )
    history = build_history(now.deal(deck_of(SIX_CARD, "As Ks Qs Js Ts 2d")).decide(0, "play"))
    assert [table["id"] for table in history.own_paytables] == ["mine"]
    assert history.paytables == ["bad-beat=BB-02"]
    own.unlink()
    again = replay_history(parse_history(format_history(history)))
    assert again.paytables["aces-up"].lines == tables["aces-up"].lines
    assert net_of(again, 0, "aces-up") == 750


# The schema.


def written() -> list[Any]:
    """Return every golden round, and the rounds of this file, as the validator reads them."""
    texts = [
        path.read_text("utf-8") for game in load_games().values() for path in (game.folder / "rounds").glob("*.toml")
    ]
    return [pytest.param(tomllib.loads(text), id=str(place)) for place, text in enumerate((ROUND, DRAW, *texts))]


def test_the_published_schema_is_the_one_the_program_reads_by() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == build_history_schema()
    Draft202012Validator.check_schema(build_history_schema())


@pytest.mark.parametrize("document", written())
def test_the_schema_accepts_golden_rounds_and_what_is_written_of_them(document: dict[str, Any]) -> None:
    validator = Draft202012Validator(build_history_schema())
    validator.validate(document)
    now = replay_history(parse_history(tomli_w.dumps(document)))
    validator.validate(tomllib.loads(format_history(build_history(now, title="again", seed=3, deck="blue"))))


@pytest.mark.parametrize(
    "change",
    [
        with_instead("antes =", "anten ="),
        with_instead("_title =", "title ="),
        with_instead("[1000, 500]", "[]"),
        with_instead("[1000, 500]", "[-1000, 500]"),
        with_instead("[1000, 500]", '["1000", 500]'),
        with_instead("net_cents = 2000\n", ""),
        with_instead("seat = 1", "seat = 0"),
        with_instead("[[_wagers]]", "[[_wagers]]\nstake = 5"),
    ],
)
def test_the_schema_refuses_what_the_program_refuses(change: Callable[[str], str]) -> None:
    spoilt = change(ROUND)
    with pytest.raises(HistoryError):
        parse_history(spoilt)
    assert not Draft202012Validator(build_history_schema()).is_valid(tomllib.loads(spoilt))


# Spoilt at random.


def came_of(text: str) -> str:
    """Return what came of replaying a text: nothing, if it is in order and its round over, or why it is refused."""
    try:
        now = replay_history(parse_history(text))
    except PitbossError as error:
        return str(error) or "refused without a reason\n"
    return "" if now.is_closed else "replayed, but not to the end\n"


GOLDEN_TEXTS = [
    path.read_text(encoding="utf-8")
    for game in load_games().values()
    for path in sorted((game.folder / "rounds").glob("*.toml"))
]
PIECES = [
    *("As", "2d", "Jk", "Jk1", "Jk2", "p1", "p2", "p9", "d", "dh", "db", "w1", "dealer", "f", "cc", "sd", "play"),
    *("0", "1", "-1", "99999999999999999999", "1.5", "nan", "true", '"', "'", "[", "]", "{", "}", "=", ",", "\n", "\\"),
    *("_options", "_wagers", "_settlements", "_meter", "_own_paytables", "variant", "seat", "\x00", "é", "\U0001f0a1"),
]


@given(
    text=st.sampled_from(GOLDEN_TEXTS),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(["", *PIECES])), min_size=1, max_size=3
    ),
)
def test_a_history_spoilt_at_random_replays_or_is_refused_with_one_line(
    text: str, cuts: list[tuple[float, int, str]]
) -> None:
    for where, length, piece in cuts:
        place = int(where * len(text))
        text = text[:place] + piece + text[place + length :]
    assert "\n" not in came_of(text)


@given(text=st.sampled_from(GOLDEN_TEXTS), data=st.data())
def test_a_history_whose_words_are_exchanged_replays_or_is_refused_with_one_line(
    text: str, data: st.DataObject
) -> None:
    document = tomllib.loads(text)
    actions = document["actions"]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(actions) - 1))
        match data.draw(st.sampled_from(("drop", "twice", "swap", "turn"))):
            case "drop" if len(actions) > 1:
                del actions[place]
            case "swap":
                other = data.draw(st.integers(0, len(actions) - 1))
                actions[place], actions[other] = actions[other], actions[place]
            case "turn":
                actions[place] = " ".join(reversed(actions[place].split()))
            case _:
                actions.insert(place, actions[place])
    assert "\n" not in came_of(tomli_w.dumps(document))


@pytest.mark.parametrize("game", load_games().values(), ids=load_games())
def test_every_action_may_be_written_by_its_own_name(game: Game) -> None:
    """What the conventions write as a letter, ``f`` or ``cc``, is read as a word too, and written as the letter."""
    words = {"f": "fold", "cc": "check", "sd": "stand"}
    for path in (game.folder / "rounds").glob("*.toml"):
        written = path.read_text(encoding="utf-8")
        text = re.sub(r"\"(p\d) (f|cc|sd)\"", lambda found: f'"{found[1]} {words[found[2]]}"', written)
        history = parse_history(text)
        assert history == parse_history(written)
        if text != written:
            replay_history(history)
