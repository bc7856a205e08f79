"""The page that checks a provably fair round, in a real browser, which needs no network, no mouse and no server.

It agrees with the specification and the oracle, and finds every lie.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tomli_w
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from playwright.sync_api import Browser, BrowserContext, FileChooser, FilePayload, Page, expect

from conformance.drawing import each_game
from oracle import fair_verifier as oracle
from pitboss.cards import draw_below, seeded_bits
from pitboss.contract import Game
from pitboss.games import load_games
from table.fair_rounds import KEY, Kept, play_some_round
from table.test_second_verifier import OF_THE_RULES, OF_THE_SHUFFLE, Case, Json, flip_character, judge_there
from waiting import wait_until
from web.browsing import PATIENCE, accessible, follow, kept, visitor
from web.casino import CHROMIUM, NO_BROWSER, Casino
from web.test_browser import deal, play_on

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_BROWSER)

DOCS = Path(__file__).parents[2] / "docs" / "fair-shuffle.md"
LATEST = {"width": 1440, "height": 900}
WIDTHS = (360, 768, 1440)


@cache
def blocks() -> list[tuple[str, str]]:
    """Return the test vectors of the specification, each with its language."""
    text = DOCS.read_text(encoding="utf-8").partition("## Test vectors")[2]
    return re.findall(r"```(json|toml)\n(.*?)```", text, re.DOTALL)


def steps() -> Json:
    """Return the vector of every step of one shuffle."""
    vector: Json = json.loads(blocks()[0][1])
    return vector


def records() -> list[Kept]:
    """Return each record of the vectors with its receipt."""
    return [
        Kept(history, (receipt,)) for (_, history), (_, receipt) in zip(blocks()[1::2], blocks()[2::2], strict=True)
    ]


LUNAR, RETURNED, JOKERS, VOID = range(4)
"""The places of the records of the vectors."""


@pytest.fixture(scope="module")
def page(browser: Browser, casino: Casino) -> Iterator[Page]:
    """The page, whose network is cut off once it is loaded."""
    with visitor(browser, casino) as context:
        opened = context.new_page()
        opened.goto("/fair")
        opened.wait_for_load_state()
        context.set_offline(True)
        yield opened


class Judged(NamedTuple):
    """What the page's script says of a round: a refusal, the checks that fail, all lines by check, and the verdict."""

    refused: str
    failed: list[str]
    lines: dict[str, str]
    verdict: dict[str, str]


CHECK = """async ([history, receipt, key]) => {
  const games = JSON.parse(document.getElementById("check").dataset.games);
  const found = await fairCheck.check(history, receipt, key, games);
  return { refused: found.refused, findings: found.findings, verdict: fairCheck.judge(found) };
}"""


def judge(page: Page, history: str, receipt: str = "", key: str = "") -> Judged:
    """Have the page's script check texts."""
    found = page.evaluate(CHECK, [history, receipt, key])
    failed = [each["name"] for each in found["findings"] if each["holds"] is False]
    return Judged(
        found["refused"], failed, {each["name"]: each["text"] for each in found["findings"]}, found["verdict"]
    )


# The method.


@pytest.mark.more
def test_each_step_of_the_specification_gives_the_same_bytes(page: Page) -> None:
    said = steps()
    asked = {"table": said["table"], "round": said["round"]}
    found = page.evaluate(
        """async ([place, { secret, seats, receipt }, sizes]) => {
          const key = await fairShuffle.deriveKey(place, secret, seats);
          const bytes = fairShuffle.stream(key);
          const some = fairShuffle.stream(key);
          const decks = await Promise.all(sizes.map((size) => fairShuffle.drawDecks(place, secret, seats, size)));
          return {
            commitment: await fairShuffle.commit(place, secret),
            hashes: await Promise.all(seats.map(({ seat, seed }) => fairShuffle.hashSeed(place, seat, seed))),
            key: fairShuffle.hexadecimal(key),
            stream: fairShuffle.hexadecimal(Array.from({ length: 64 }, () => bytes.next().value)),
            first_draws_of_52: Array.from({ length: 12 }, (_, at) => fairShuffle.draw(some, 52 - at)),
            decks: decks.map(({ deck }) => deck),
            seconds: decks.map(({ second }) => second),
            receipt_bytes: fairShuffle.hexadecimal(fairShuffle.signedBytes(receipt)),
            signed: await fairShuffle.isSigned(receipt),
            altered: await fairShuffle.isSigned({ ...receipt, round: 8 }),
          };
        }""",
        [asked, said, [52, 53, 54]],
    )
    for name in ("commitment", "key", "stream", "first_draws_of_52", "receipt_bytes"):
        assert found[name] == said[name], name
    for given, hashed in zip(said["seats"], found["hashes"], strict=True):
        assert given["hash"] in {hashed, ""}
    for size, deck, second in zip((52, 53, 54), found["decks"], found["seconds"], strict=True):
        assert deck == said["decks"][str(size)]["deck_codes"]
        assert oracle.name_cards(second, size) == said["decks"][str(size)]["second_order"]
    assert (found["signed"], found["altered"]) == (True, False)


BLOCK = "([key, counter]) => Array.from(fairShuffle.computeBlock(fairShuffle.octets(key), counter))"


def test_a_block_of_the_key_stream_is_that_of_a_library(page: Page) -> None:
    bits = seeded_bits(8439)
    for counter in (0, 1, 2**31, 2**32 - 1):
        key = bytes(bits(8) for _ in range(32))
        cipher = Cipher(ChaCha20(key, counter.to_bytes(4, "little") + bytes(12)), mode=None).encryptor()
        found = page.evaluate(BLOCK, [key.hex(), counter])
        assert bytes(found) == cipher.update(bytes(64))


def test_a_key_under_which_any_signature_may_hold_is_known(page: Page) -> None:
    weak = ["01" + "00" * 31, "00" * 32, "ec" + "ff" * 30 + "7f", "ff" * 32, "ed" + "ff" * 30 + "7f"]
    for key in [*weak, KEY.public, steps()["house_key"]]:
        try:
            oracle.check_key(key)
            expected = False
        except ValueError:
            expected = True
        assert page.evaluate("fairShuffle.isWeakKey", key) is expected, key
        assert expected is (key in weak)


def test_the_records_of_the_specification_hold_against_their_receipts(page: Page) -> None:
    for place, (history, (receipt,)) in enumerate(records()):
        found = judge(page, history, receipt, steps()["house_key"])
        assert (found.refused, found.failed) == ("", []), history
        assert found.verdict["state"] == ("open" if place == VOID else "good")
    assert "for the second time, after other seats gave them up" in judge(page, *flat(RETURNED)).lines["deck"]
    assert "no card was dealt" in judge(page, *flat(VOID)).lines["deck"]
    assert "is void, and the file keeps to your receipt" in judge(page, *flat(VOID)).verdict["line"]


def flat(place: int) -> tuple[str, str]:
    """Return a record of the vectors and its receipt."""
    history, (receipt,) = records()[place]
    return history, receipt


def test_without_a_receipt_the_verdict_says_how_little_that_proves(page: Page) -> None:
    found = judge(page, flat(LUNAR)[0])
    assert found.failed == []
    assert found.verdict["state"] == "open"
    assert "Without a receipt that proves little" in found.verdict["line"]


# The oracle.


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_rounds_are_judged_as_the_oracle_judges_them(game: Game, page: Page) -> None:
    """200 rounds of the five games with each seat's receipt, and each altered twice."""
    bits, found = seeded_bits(39), Counter[bool]()
    for _ in range(40):
        history, receipts = played = play_some_round(game, bits)
        for receipt in receipts or ("",):
            said = judge(page, history, receipt, KEY.public if receipt else "")
            assert (said.refused, said.failed) == ("", []), (history, receipt)
        for _ in range(2):
            found[is_refused_by_both(page, played, bits)] += 1
    assert found[True] > 40
    assert found[False] > 2


def is_refused_by_both(page: Page, played: Kept, bits: Callable[[int], int]) -> bool:
    """Alter a round, and return whether page and oracle find a fault: they must agree."""
    case = Case(tomllib.loads(played.history), [json.loads(each) for each in played.receipts[:1]], bits)
    alteration = case.pick((*OF_THE_SHUFFLE, *OF_THE_RULES, flip_character))
    history = played.history
    if alteration is flip_character:
        history = flip_character(history, bits)
    else:
        alteration(case)
        history = tomli_w.dumps(case.record)
    receipts = [json.dumps(each, separators=(",", ":")) + "\n" for each in case.receipts]
    key = KEY.public if receipts and draw_below(2, bits) else ""
    here = judge(page, history, "".join(receipts), key)
    there = judge_there(history, tuple(receipts), key)
    assert bool(here.refused or here.failed) == bool(there), (alteration.__name__, here, there, history, receipts)
    return bool(there)


# Lies.

Change = Callable[[Json, Json], None]


def put(part: Json, name: str, value: Any) -> None:
    """Put a value into a table of a record or a receipt."""
    part[name] = value


def swap_cards(record: Json, _: Json) -> None:
    first = record["actions"][0]
    record["actions"][0] = first[:-4] + first[-2:] + first[-4:-2]


def reseed(record: Json, _: Json) -> None:
    """Put another seed with its hash in the guest's place, as a house that knows the deck it wants would."""
    fair = record["_fair"]
    seed, seat = "another", fair["seats"][0]["seat"]
    fair["seats"][0] |= {"seed": seed, "hash": oracle.hash_seed(fair["table"], fair["round"], seat, seed)}


def new_secret(record: Json, _: Json) -> None:
    """Put another secret with its commitment into the record."""
    fair = record["_fair"]
    fair["secret"] = "ab" * 32
    fair["commitment"] = oracle.make_commitment(fair["table"], fair["round"], bytes.fromhex(fair["secret"]))


def move_deal(record: Json, _: Json) -> None:
    record["actions"][0], record["actions"][1] = record["actions"][1], record["actions"][0]


def call_off(record: Json, _: Json) -> None:
    """Make the round void, as a house that lost a seed would."""
    del record["_fair"]["seats"][0]["seed"]
    record["actions"] = []


LIES: dict[str, tuple[Change, str, str]] = {
    "a card of another rank": (
        lambda record, _: record["actions"].__setitem__(0, record["actions"][0][:-2] + "2s"),
        "deck",
        "the next cards of the deck are",
    ),
    "two cards exchanged": (swap_cards, "deck", "the next cards of the deck are"),
    "two deals exchanged": (move_deal, "deck", 'Card 1 goes to "dh p2"'),
    "a card that is none": (
        lambda record, _: record["actions"].__setitem__(0, "d dh p1 1s"),
        "deck",
        "1s is not a card",
    ),
    "another seed": (
        lambda record, _: put(record["_fair"]["seats"][0], "seed", "x"),
        "seeds",
        "The seed of seat 1 does not",
    ),
    "another seed and its hash": (reseed, "seats", "Seat 1 has one hash in the receipt, and another one in the file"),
    "another secret": (
        lambda record, _: put(record["_fair"], "secret", "ab" * 32),
        "commitment",
        "and the commitment is",
    ),
    "another secret and its commitment": (new_secret, "before", "The house committed to"),
    "no secret": (lambda record, _: put(record["_fair"], "secret", ""), "commitment", "never showed its secret"),
    "another commitment": (
        lambda record, _: put(record["_fair"], "commitment", "cd" * 32),
        "commitment",
        "and the commitment is cdcd",
    ),
    "a seat left out": (
        lambda record, _: record["_fair"]["seats"].pop(),
        "record",
        "3 have placed an Ante, and 2 are named",
    ),
    "a seat twice": (
        lambda record, _: put(record["_fair"]["seats"][1], "seat", 1),
        "record",
        "not in ascending order, each once",
    ),
    "a seed lost": (
        lambda record, _: record["_fair"]["seats"][0].pop("seed"),
        "deck",
        "is void, and yet actions is not empty",
    ),
    "a receipt of another round": (
        lambda _, receipt: put(receipt, "round", 2),
        "receipt",
        "of round 2, and the file of round 1",
    ),
    "a receipt of another table": (lambda _, receipt: put(receipt, "table", "t2"), "receipt", "of table t2"),
    "a receipt of another game": (lambda _, receipt: put(receipt, "game", "wild-52"), "receipt", "of game wild-52"),
    "a receipt with another commitment": (
        lambda _, receipt: put(receipt, "commitment", "cd" * 32),
        "before",
        "The house committed to cdcd",
    ),
    "a receipt with another hash": (
        lambda _, receipt: put(receipt["seats"][1], "hash", "cd" * 32),
        "seats",
        "Seat 3 has one hash in the receipt",
    ),
    "a receipt with a seat more": (
        lambda _, receipt: receipt["seats"].append({"seat": 6, "hash": ""}),
        "seats",
        "Seat 6 stands in the receipt, and not in the file",
    ),
    "a receipt of a seat without a seed": (
        lambda _, receipt: put(receipt, "seat", 4),
        "own",
        "binds its own seat 4 to no seed",
    ),
    "a receipt with another signature": (
        lambda _, receipt: put(receipt, "signature", "0" * 128),
        "signature",
        "The signature is not valid",
    ),
    "a receipt under another key": (
        lambda _, receipt: put(receipt, "key", KEY.public),
        "key",
        "which is not the one you noted",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_each_lie_is_found_and_named(lie: str, page: Page) -> None:
    change, check, line = LIES[lie]
    record, receipt = tomllib.loads(flat(LUNAR)[0]), json.loads(flat(LUNAR)[1])
    change(record, receipt)
    found = judge(page, tomli_w.dumps(record), json.dumps(receipt), steps()["house_key"])
    assert check in found.failed
    assert line in found.lines[check]
    assert found.verdict["state"] == "bad"
    assert found.verdict["line"].startswith(f"Do not trust this round: {len(found.failed)} of 10 checks fail")


def test_a_seed_that_the_house_says_was_never_shown_is_left_to_the_guest(page: Page) -> None:
    record, receipt = tomllib.loads(flat(LUNAR)[0]), flat(LUNAR)[1]
    call_off(record, {})
    found = judge(page, tomli_w.dumps(record), receipt)
    assert (found.failed, found.verdict["state"]) == ([], "open")
    assert "Only you know whether it did" in found.lines["own"]


ONE = '{"version": "pitboss-fair-2", "commitment": "", "signature": ""'
UNREADABLE: dict[str, tuple[str, str, str]] = {
    "no TOML": ("hello there", "", "This is not a round's file: it is not TOML (line 1, column"),
    "another TOML": ("title = 'x'", "", "This is not a round's file: it has no variant, antes and actions."),
    "not fair": ('variant = "lunar"\nantes = [5]\nactions = []', "", "This round's shuffle was not provably fair"),
    "an older version": (
        'variant = "lunar"\nantes = [5]\nactions = []\n_fair = {version = "pitboss-fair-1"}',
        "",
        "shuffled by the method pitboss-fair-1: this page checks pitboss-fair-2 only.",
    ),
    "no JSON": ("", "abc", "This is not a receipt: it is not JSON."),
    "another JSON": ("", '{"a": 1}', "This is not a receipt: it has no commitment and signature."),
    "an older receipt": ("", ONE.replace("fair-2", "fair-1") + "}", "This receipt is of the method pitboss-fair-1"),
    "a field twice": ("", ONE + ', "signature": ""}', "a field stands in it twice"),
    "a number with a fraction": ("", ONE + ', "round": 1.0}', "a number is not written in digits alone"),
    "a field too many": ("", ONE + ', "more": 1}', 'it has another field, "more"'),
    "a field missing": ("", ONE + "}", "game is missing or has a wrong form"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_round_and_no_receipt_is_refused_in_a_line(what: str, page: Page) -> None:
    history, receipt, line = UNREADABLE[what]
    found = judge(page, history or flat(LUNAR)[0], receipt)
    assert line in (found.refused if history else found.lines["receipt"])
    assert found.verdict["state"] == "bad"


# The page.


def choose(page: Page, history: Path | str, receipt: Path | str = "") -> None:
    """Choose files, each of which may be given by its text."""
    for name, each, file in (("record", history, "round.toml"), ("receipt-file", receipt, "receipt.json")):
        if isinstance(each, str) and each:
            page.locator(f"[name={name}]").set_input_files(FilePayload(name=file, mimeType="", buffer=each.encode()))
        elif each:
            page.locator(f"[name={name}]").set_input_files(each)


def states(page: Page) -> dict[str, str]:
    """Return the state of each line of the page."""
    return {str(line.get_attribute("data-check")): str(line.get_attribute("data-state"))
            for line in page.locator("[data-check]").all()}  # fmt: skip


def fair_table(context: BrowserContext, game: str) -> Page:
    """Open a provably fair table with a bot, and sit down."""
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Provably fair").check()
    page.get_by_label("Bots").select_option("1")
    follow(page, page.locator(f".tile[data-game={game}]").get_by_role("button"))
    expect(page.locator("input[name=seed_hash]")).to_have_value(re.compile("^[0-9a-f]{64}$"))
    return page


def play_fair_round(context: BrowserContext, game: str, folder: Path) -> tuple[Page, Path, Path]:
    """Play a round, save its file and the receipt, and go to the page that checks it."""
    page = fair_table(context, game)
    deal(page)
    play_on(page)
    page.get_by_text("Provably fair shuffle").click()
    history, receipt = folder / "round.toml", folder / "receipt.json"
    for link, file in (("history", history), ("Your receipt of round 1", receipt)):
        with page.expect_download() as download:
            page.get_by_role("link", name=link).click()
        download.value.save_as(file)
    follow(page, page.get_by_role("link", name="Check round 1"))
    page.wait_for_load_state()
    return page, history, receipt


@pytest.mark.more
@pytest.mark.in_turn("game")
@pytest.mark.parametrize("game", load_games())
def test_a_round_of_each_game_is_checked_without_a_network(
    browser: Browser, casino: Casino, tmp_path: Path, game: str
) -> None:
    with visitor(browser, casino, viewport=LATEST) as context:
        page, history, receipt = play_fair_round(context, game, tmp_path)
        context.set_offline(True)
        choose(page, history)
        verdict = page.locator("#verdict")
        expect(verdict).to_contain_text("All holds.")
        assert set(states(page).values()) == {"true"}
        assert page.locator("[name=receipt]").input_value() == receipt.read_text()
        expect(page.locator("[data-check=own] .found")).to_contain_text("the one that this browser made")
        expect(page.locator("[data-check=receipt] .found")).to_contain_text("as this browser stored it")
        expect(verdict).not_to_contain_text("if you had this receipt before the cards")
        choose(page, swap_first_cards(history.read_text()))
        expect(verdict).to_contain_text("Do not trust this round: 1 of 10 checks fails")
        expect(page.locator("[data-check=deck] .mark")).to_have_text("✗ Fails")


def test_who_comes_from_the_table_reads_the_verdict_at_once(browser: Browser, casino: Casino, tmp_path: Path) -> None:
    with visitor(browser, casino, "phone") as context:
        page, history, _ = play_fair_round(context, "six-card", tmp_path)
        expect(page.locator("#verdict")).to_contain_text("All holds.")
        expect(page.locator("#verdict")).to_be_in_viewport()
        assert set(states(page).values()) == {"true"}
        accessible(page)
        choose(page, swap_first_cards(history.read_text()))
        expect(page.locator("#verdict")).to_contain_text("Do not trust this round: 1 of 10 checks fails")
        page.goto("/fair?table=none&round=1")
        expect(page.locator("#verdict")).to_have_text("The house does not give this round's file. Choose your own.")
        expect(page.locator("[name=record]")).to_be_visible()


def swap_first_cards(history: str) -> str:
    """Exchange the first two cards that the first seat is dealt."""
    return re.sub(r'"d dh p1 (Jk[12]?|..)(Jk[12]?|..)', r'"d dh p1 \2\1', history, count=1)


@pytest.mark.more
def test_the_page_fits_every_width_and_passes_axe_before_and_after(browser: Browser, casino: Casino) -> None:
    for scheme, width in zip(("light", "dark", "light"), WIDTHS, strict=True):
        with visitor(browser, casino, viewport={"width": width, "height": 900}, color_scheme=scheme) as context:
            page = context.new_page()
            page.goto("/fair")
            accessible(page)
            choose(page, *flat(JOKERS))
            expect(page.locator("#verdict")).to_contain_text("if you had this receipt before the cards")
            expect(page.locator("#verdict")).to_be_in_viewport()
            accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            kept(page, f"fair-{width}-{scheme}")
            choose(page, flat(LUNAR)[0])
            expect(page.locator("#verdict")).to_have_attribute("data-state", "bad")
            accessible(page)


@pytest.mark.more
def test_everything_is_done_by_keyboard(browser: Browser, casino: Casino, tmp_path: Path) -> None:
    file = tmp_path / "round.toml"
    file.write_text(flat(LUNAR)[0])
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/fair")
        reach(page, "record")
        choosers = list[FileChooser]()

        def keep(chooser: FileChooser) -> None:
            choosers.append(chooser)

        def press() -> bool:  # on a loaded machine the browser now and then ignores the first press
            page.keyboard.press("Space")
            page.wait_for_timeout(500)
            return bool(choosers)

        page.on("filechooser", keep)
        wait_until(press)
        choosers[0].set_files(file)
        expect(page.locator("#verdict")).to_contain_text("Without a receipt")
        reach(page, "receipt")
        page.keyboard.insert_text(flat(LUNAR)[1])
        expect(page.locator("#verdict")).to_contain_text("All holds.")
        reach(page, "key")
        page.keyboard.type("0" * 64)
        expect(page.locator("[data-check=key] .mark")).to_have_text("✗ Fails")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(steps()["house_key"])
        expect(page.locator("[data-check=key] .mark")).to_have_text("✓ Holds")
        for _ in range(3):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.tagName") == "SUMMARY":
                break
        page.keyboard.press("Enter")
        expect(page.locator("[data-check=deck] code")).to_be_visible()


def reach(page: Page, name: str) -> None:
    """Press Tab until a field has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == name:
            return
    raise AssertionError(f"Tab does not reach {name}")


def test_files_are_dropped_together_whichever_is_which(browser: Browser, casino: Casino) -> None:
    history, receipt = flat(RETURNED)
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/fair")
        dropped = page.evaluate_handle(
            """([receipt, history]) => {
              const data = new DataTransfer();
              data.items.add(new File([receipt], "a.json"));
              data.items.add(new File([history], "b.toml"));
              return data;
            }""",
            [receipt, history],
        )
        choose(page, receipt)
        expect(page.locator("#verdict")).to_have_text("The receipt is there. Choose the round's file too.")
        page.locator("[name=receipt]").fill("")
        page.dispatch_event("body", "drop", {"dataTransfer": dropped})
        expect(page.locator("#verdict")).to_contain_text("All holds.")
        expect(page.locator("[name=receipt]")).to_have_value(receipt)


@pytest.mark.more
def test_a_file_that_cannot_be_one_clears_what_was_shown(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/fair")
        verdict = page.locator("#verdict")
        for content, line in (
            (
                b"x" * 1_000_001,
                "round.toml has 1,000,001 bytes: no round's file and no receipt has more than 1,000,000.",
            ),
            (b"\xff\xfe", "round.toml is not a text (UTF-8)"),
            (b"variant = ", "it is not TOML"),
        ):
            choose(page, *flat(LUNAR))
            expect(verdict).to_contain_text("All holds.")
            page.locator("[name=record]").set_input_files(FilePayload(name="round.toml", mimeType="", buffer=content))
            expect(verdict).to_contain_text(line)
            assert set(states(page).values()) == {""}


STORED = """([place, entry]) => localStorage.setItem(`fair ${place} ${entry.hash}`, JSON.stringify(entry))"""


@pytest.mark.more
def test_a_receipt_that_the_browser_stores_is_filled_in_and_compared(browser: Browser, casino: Casino) -> None:
    history, receipt = flat(LUNAR)
    said = json.loads(receipt)
    own = said["seats"][0]
    entry = {"seed": "seed of 1", "hash": own["hash"], "commitment": said["commitment"], "key": said["key"]}
    entry |= {"game": "lunar", "at": 1_700_000_000_000, "receipt": receipt}
    other = json.dumps(said | {"signature": "ab" * 64})
    lies = (
        ({"commitment": "ab" * 32}, "before", "This browser noted the commitment abab"),
        ({"seed": "mine"}, "own", "is not the one that this browser made"),
        ({"key": "ab" * 32}, "key", "this browser noted abab"),
        ({"receipt": other}, "receipt", "This browser stores another receipt of this round"),
    )
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/fair?table=t1&round=1")
        expect(page.locator("#own-receipts")).to_be_hidden()
        page.evaluate(STORED, ["t1/1/1", entry])
        page.reload()
        expect(page.locator("[name=receipt]")).to_have_value(receipt)
        expect(page.locator("[name=stored]")).to_contain_text("Lunar Poker, table t1, round 1, seat 1")
        accessible(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Save it as a file").click()
        assert download.value.suggested_filename == "t1-1-1-receipt.json"
        assert download.value.path().read_text() == receipt
        choose(page, history)
        expect(page.locator("#verdict")).to_have_text(re.compile("^All holds.*could know it\\.$"))
        for change, check, line in lies:
            page.evaluate(STORED, ["t1/1/1", entry | change])
            choose(page, history, receipt)
            expect(page.locator(f"[data-check={check}] .found")).to_contain_text(line)
            assert [name for name, state in states(page).items() if state == "false"] == [check]


def test_a_browser_without_signatures_says_so_and_checks_the_rest(browser: Browser, casino: Casino) -> None:
    with visitor(browser, casino) as context:
        context.add_init_script(
            """const importKey = SubtleCrypto.prototype.importKey;
            SubtleCrypto.prototype.importKey = function (format, data, method, ...more) {
              if (method === "Ed25519") throw new DOMException("Unrecognized name.", "NotSupportedError");
              return importKey.call(this, format, data, method, ...more);
            };"""
        )
        page = context.new_page()
        page.goto("/fair")
        choose(page, *flat(LUNAR))
        expect(page.locator("#verdict")).to_contain_text("It cannot check the signature")
        expect(page.locator("[data-check=signature] .mark")).to_have_text("- Not checked")


# The file that is saved from the page.


@pytest.mark.more
def test_the_saved_file_works_from_the_disk_and_can_send_nothing(
    browser: Browser, casino: Casino, tmp_path: Path
) -> None:
    file = tmp_path / "check.html"
    with visitor(browser, casino) as context:
        page = context.new_page()
        page.goto("/fair")
        with page.expect_download() as download:
            page.get_by_role("link", name="save the page as one file").click()
        download.value.save_as(file)
    context = browser.new_context(offline=True, viewport={"width": 360, "height": 740})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    choose(page, *flat(JOKERS))
    expect(page.locator("#verdict")).to_contain_text("All holds.")
    choose(page, swap_first_cards(flat(JOKERS)[0]))
    expect(page.locator("#verdict")).to_have_attribute("data-state", "bad")
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    kept(page, "fair-saved-phone")
    assert page.evaluate("fetch(location.href).then(() => 'sent', () => 'refused')") == "refused"
    assert (asked, faults) == ([file.as_uri()], [])
    context.close()
