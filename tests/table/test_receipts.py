"""Receipts and void rounds: what a house or its confederates forge, drop, add or withhold is found or undone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.conftest import Invoke, invoke
from pitboss.cards import draw_below, seeded_bits
from pitboss.cards.shuffle import BitSource
from pitboss.core.errors import HistoryError, IllegalActionError, PitbossError
from pitboss.games import load_games
from pitboss.ledger.errors import LedgerError
from pitboss.table.fair_shuffle import SeatSeed, hash_seed
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.receipts import HouseKey, Receipt, ReceiptError, format_receipt, parse_receipt
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.round.history_schema import History
from pitboss.table.round.history_writer import format_history
from pitboss.table.service import TableService
from pitboss.table.session import (
    HOUSE,
    CallTime,
    CommandForbiddenError,
    DealRound,
    ExternalInputs,
    LeaveSeat,
    Phase,
    PlaceWagers,
    RevealSeed,
    TableCommand,
    TableSession,
    TableTerms,
    TakeSeat,
    build_view,
    choose_timeout_command,
    handle_command,
    is_allowed,
    open_table,
    replay_events,
)
from pitboss.table.session.events import SecretCommitted
from pitboss.table.session.fair_seeds import find_receipt_seat, list_fixed_seats
from pitboss.table.session.terms import ProgressiveLink
from refusals import refusal
from table.fair_rounds import KEY, bind, receipt_for, record
from table.seated import CHIPS, done, lowest_wagers, seated, some_decision, some_wagers

__all__ = ["invoke"]

LUNAR = TableTerms(game="lunar", fair=True, decide_seconds=20)


def seed_of(seat: int) -> str:
    return f"seed-{seat}"


def lock(terms: TableTerms = LUNAR, bound: tuple[int, ...] = (1, 2), free: tuple[int, ...] = (4,)) -> TableSession:
    """Close the wagers of seats that are bound to seeds, and of others that are not."""
    now = seated(terms, *sorted(bound + free))
    for seat in bound:
        now = bind(now, seat, seed_of(seat))
    for seat in free:
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    return done(now, DealRound(), "p1")


def show(now: TableSession, *seats: int) -> TableSession:
    for seat in seats:
        now = done(now, RevealSeed(seat=seat, seed=seed_of(seat)), f"p{seat}", 105)
    return now


def play(now: TableSession, bits: BitSource | None = None) -> TableSession:
    chosen = bits or seeded_bits(3)
    while now.turn is not None:
        now = done(now, some_decision(now, chosen), f"p{now.turn}")
    return now


def failures(history: History, *receipts: Receipt, key: str = KEY.public) -> list[str]:
    return [check.text for check in verify_fair_round(history, receipts, key) if not check.holds]


class Held(NamedTuple):
    """A settled round: its record, and the receipts of seats 1 and 2."""

    history: History
    receipts: tuple[Receipt, ...]


def hold(terms: TableTerms = LUNAR) -> Held:
    locked = lock(terms)
    receipts = tuple(receipt_for(locked, seat) for seat in (1, 2))
    return Held(record(play(show(locked, 1, 2))), receipts)


HELD = hold()


@pytest.mark.parametrize("game", load_games())
def test_the_record_of_an_honest_round_keeps_to_every_receipt(game: str) -> None:
    held = hold(TableTerms(game=game, fair=True))
    assert failures(held.history, *held.receipts) == []
    assert failures(parse_history(format_history(held.history)), *held.receipts) == []


# A house that cheats, and then writes a record that agrees with itself.


def forge(seats: dict[int, str | None], *, secret: int = 0, table: str = "t1") -> History:
    """Play the round as a house would that knows all seeds: seats, with what they mix in, None for nothing."""
    now = replay_events(open_table(table, LUNAR, ExternalInputs(seeded_bits(secret))))
    for seat in seats:
        now = done(now, TakeSeat(seat=seat, cents=CHIPS, name="x"), f"p{seat}")
    for seat, seed in seats.items():
        now = bind(now, seat, seed) if seed else done(now, lowest_wagers(now, seat), f"p{seat}")
    now = done(now, DealRound(), f"p{min(seats)}")
    for seat, seed in seats.items():
        now = done(now, RevealSeed(seat=seat, seed=seed), f"p{seat}") if seed else now
    return record(play(now))


FORGED: dict[str, tuple[dict[int, str | None], str]] = {
    "replaced": ({1: "the-house-s", 2: "seed-2", 4: None}, "the record binds seat 1 to another hash"),
    "confederate's chosen last": ({1: "seed-1", 2: "late", 4: None}, "the record binds seat 2 to another hash"),
    "dropped with its seat": ({2: "seed-2", 4: None}, "seat 1 is missing in the record"),
    "dropped": ({1: None, 2: "seed-2", 4: None}, "the record binds seat 1 to another hash"),
    "added": ({1: "seed-1", 2: "seed-2", 4: "late"}, "the record binds seat 4 to another hash"),
    "added with a seat": ({1: "seed-1", 2: "seed-2", 3: "late", 4: None}, "the record adds seat 3"),
    "a seat without a seed added": ({1: "seed-1", 2: "seed-2", 4: None, 5: None}, "the record adds seat 5"),
    "a seat without a seed dropped": ({1: "seed-1", 2: "seed-2"}, "seat 4 is missing in the record"),
    "swapped": ({1: "seed-2", 2: "seed-1", 4: None}, "the record binds seat 1 to another hash"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_record_agrees_with_itself_and_not_with_a_receipt(what: str) -> None:
    seats, why = FORGED[what]
    forged = forge(seats)
    assert failures(forged) == []  # nothing in it is wrong but that it is another round
    assert failures(forged, HELD.receipts[0]) == [why]


def test_grinding_a_guests_seed_is_found() -> None:
    """The house tries seeds in a guest's place until the dealer gets three of a kind, as it did before receipts."""
    for tries in range(1, 200):
        forged = forge({1: f"ground-{tries}", 2: "seed-2", 4: None})
        dealers = next(action for action in forged.actions if action.startswith("d dh dealer")).split()[-1][::2]
        if max(dealers.count(rank) for rank in dealers) >= 3:
            break
    assert failures(forged) == []
    assert failures(forged, HELD.receipts[0]) == ["the record binds seat 1 to another hash"]


def test_another_secret_or_another_round_is_found() -> None:
    fair = HELD.history.fair
    assert fair is not None
    other = forge({1: "seed-1", 2: "seed-2", 4: None}, secret=5)
    assert failures(other) == []
    assert "it is of commitment" in failures(other, HELD.receipts[0])[0]
    elsewhere = forge({1: "seed-1", 2: "seed-2", 4: None}, table="t2")
    assert failures(elsewhere, HELD.receipts[0]) == ["it is of table t1, the record of table t2"]
    for field, wrong in {"table": "t9", "round": 2, "game": "six-card", "commitment": "0" * 64, "seat": 4}.items():
        said = HELD.receipts[0].model_dump() | {field: wrong}
        bound = [SeatSeed(each["seat"], each["hash"], "") for each in said["seats"]]
        signed = KEY.sign(said["game"], said["table"], said["round"], said["seat"], said["commitment"], bound)
        assert len(failures(HELD.history, signed)) == 1, field
        assert failures(HELD.history, HELD.receipts[0].model_copy(update={field: wrong})) == [
            f"it was not signed by the house key {KEY.public}"
        ], field


def test_a_receipt_of_another_key_is_found() -> None:
    other = HouseKey(bytes(32))
    fair = HELD.history.fair
    assert fair is not None
    seats = [SeatSeed(each.seat, each.hash, "") for each in fair.seats]
    receipt = other.sign("lunar", "t1", 1, 1, fair.commitment, seats)
    assert failures(HELD.history, receipt) == [f"it was not signed by the house key {KEY.public}"]
    assert failures(HELD.history, receipt, key="") == []  # who gives no key is told to compare it
    *_, last = verify_fair_round(HELD.history, [receipt])
    assert last.text.startswith(
        f"the record keeps to it; signed by the key {other.public}: check that this is the house"
    )


def test_no_byte_of_a_receipt_can_be_altered() -> None:
    text = format_receipt(HELD.receipts[0])
    assert format_receipt(parse_receipt(text)) == text
    for place in range(len(text) - 1):  # behind the last brace only white space may follow
        altered = text[:place] + chr(ord(text[place]) ^ 1 << place % 7) + text[place + 1 :]
        try:
            receipt = parse_receipt(altered)
        except ReceiptError:
            continue
        assert failures(HELD.history, receipt), altered[:place]


@pytest.mark.more
def test_no_byte_of_what_a_record_says_of_its_shuffle_can_be_altered() -> None:
    """Every bit of the seats, hashes, seeds, commitment, secret and cards: it is no record any more, or it fails."""
    text = format_history(HELD.history)
    watched = [*range(text.index("[_fair]"), len(text))]
    for line in ('    "d dh p1', '    "d dh dealer'):
        start = text.index(line)
        watched += range(start, text.index("\n", start))
    bits, tried = seeded_bits(8), 0
    for place in watched:
        altered = text[:place] + chr(ord(text[place]) ^ 1 << draw_below(7, bits)) + text[place + 1 :]
        try:
            history = parse_history(altered)
            if history == HELD.history:
                continue  # white space
            tried += 1
            assert failures(history, *HELD.receipts), altered[place - 40 : place + 40]
        except PitbossError:
            continue
    assert tried > 100


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": ("", "is not JSON"),
    "a list": ("[]", "is not a table"),
    "an older method": (
        {"version": "pitboss-fair-1"},
        "is of version pitboss-fair-1: this program verifies pitboss-fair-2",
    ),
    "a field more": ({"more": 1}, "more is not known here"),
    "a name twice": ('{"round":1,"round":2}', "one object has the same name twice"),
    "a round in words": ({"round": "1"}, "round: '1' is text: write 1 without quotes"),
    "a hash of capitals": ({"commitment": "A" * 64}, "commitment: 'AAAA"),
    "no signature": ({"signature": ...}, "signature is missing"),
    "a seat without a hash": ({"seats": [{"seat": 1}]}, "seats 1 hash is missing"),
    "a seat twice": ({"seats": [{"seat": 1, "hash": ""}] * 2}, "seats 1, 1 are not in ascending order, each once"),
    "no seats": ({"seats": []}, "seats is too short: give at least 1"),
    "a table in capitals": ({"table": "T1"}, "table: 'T1' has the wrong format"),
    "a round no reader of JSON holds": ({"round": 2**53}, "round: 9007199254740992 is too large: write at most 9007"),
    "a round with a point": ({"round": 1.0}, "round: 1.0 is not a whole number"),
    "nested too deep": ("[" * 100_000, "is not JSON"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_not_a_receipt_is_refused_in_a_line(what: str) -> None:
    said, why = WRONG[what]
    whole = json.loads(format_receipt(HELD.receipts[0]))
    if not isinstance(said, str):
        said = json.dumps({name: each for name, each in (whole | said).items() if each is not ...})
    with pytest.raises(ReceiptError, match=why) as raised:
        parse_receipt(said)
    assert "\n" not in str(raised.value)


RECORDS: dict[str, tuple[str, str, str]] = {
    "an empty hash": ("seat = 4\n", 'seat = 4\nhash = ""\n', "_fair seats 3 hash: '' has the wrong format"),
    "an empty seed": ("seat = 4\n", 'seat = 4\nseed = ""\n', "_fair seats 3 seed: '' is too short"),
    "a table in capitals": ('table = "t1"', 'table = "T1"', "_fair table: 'T1' has the wrong format"),
    "a round no reader of JSON holds": ("round = 1\n", f"round = {2**53}\n", "_fair round: 9007199254740992 is too"),
    "money no reader of JSON holds": (
        "antes = [\n",
        f"antes = [\n{2**53},\n",
        "antes 1: 9007199254740992 is too large",
    ),
}


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_has_one_form_only(what: str) -> None:
    said, instead, why = RECORDS[what]
    text = format_history(HELD.history)
    assert said in text
    with pytest.raises(HistoryError, match=why):
        parse_history(text.replace(said, instead, 1))


def test_receipts_of_one_round_under_two_keys_are_found() -> None:
    other, first = HouseKey(bytes(32)), HELD.receipts[0]
    seats = [SeatSeed(each.seat, each.hash, "") for each in first.seats]
    receipt = other.sign(first.game, first.table, first.round, 2, first.commitment, seats)
    assert failures(HELD.history, first, HELD.receipts[1], key="") == []
    [why] = failures(HELD.history, first, receipt, key="")
    assert why.startswith("a house has one key, and the receipts name ")


def test_a_card_that_is_dealt_twice_is_a_check_that_fails() -> None:
    first = HELD.history.actions[0]
    twice = HELD.history.model_copy(update={"actions": [f"{first[:-2]}{first[-4:-2]}", *HELD.history.actions[1:]]})
    found = {check.name: check.text for check in verify_fair_round(twice) if not check.holds}
    assert "is already dealt: a card is dealt only once" in found["deck"]


def test_a_void_round_of_an_unknown_game_or_option_is_refused() -> None:
    before = show(lock(), 1)
    history = record(done(before, CallTime(), HOUSE, 120), before)
    assert failures(history) == []
    for altered, why in (({"variant": "whist"}, "whist"), ({"options": {"short_deck": "maybe"}}, "maybe")):
        with pytest.raises(PitbossError, match=why):
            failures(history.model_copy(update=altered))


def test_verify_takes_receipts_and_the_house_key(invoke: Invoke, tmp_path: Path) -> None:
    path, forged = tmp_path / "round.toml", tmp_path / "forged.toml"
    kept: list[str | Path] = []
    path.write_text(format_history(HELD.history), encoding="utf-8")
    forged.write_text(format_history(forge(FORGED["replaced"][0])), encoding="utf-8")
    for receipt in HELD.receipts:
        file = tmp_path / f"{receipt.seat}.json"
        file.write_text(format_receipt(receipt), encoding="utf-8")
        kept += ["--receipt", file]
    result = invoke("verify", path, *kept, "--house-key", KEY.public)
    assert (result.status, result.err) == (0, "")
    assert "holds   receipt of seat 1: the record keeps to it; signed by the house key\n" in result.out
    assert "note" not in result.out
    result = invoke("verify", forged, *kept, "--json")
    assert result.status == 1
    failed = [each["name"] for each in json.loads(result.out)["checks"] if not each["holds"]]
    assert failed == ["receipt of seat 1", "receipt of seat 2"]
    assert invoke("verify", path, *kept, "--house-key", "ab" * 32).status == 1
    result = invoke("verify", path, "--house-key", "AB")
    assert (result.status, result.out) == (2, "")
    assert "--house-key 'AB' is not a valid key: write 64 hexadecimal digits" in result.err
    assert invoke("verify", path, "--receipt", path).status == 2


# Before the cards.


def test_a_receipt_is_given_once_wagers_are_closed_and_is_the_same_ever_after() -> None:
    now = seated(LUNAR, 1, 2, 4)
    now = bind(now, 1, seed_of(1))
    assert find_receipt_seat(now, "p1") is None
    now = done(bind(now, 2, seed_of(2)), lowest_wagers(now, 4), "p4")
    now = done(now, DealRound(), "p1")
    assert [find_receipt_seat(now, who) for who in ("p1", "p2", "p4", "p5", HOUSE)] == [1, 2, None, None, None]
    first = receipt_for(now, 1)
    assert [(each.seat, bool(each.hash)) for each in first.seats] == [(1, True), (2, True), (4, False)]
    assert build_view(now, 1)["fair"]["receipt"] == 1
    assert build_view(now, 4)["fair"]["receipt"] is build_view(now, None)["fair"]["receipt"] is None
    assert not any(each["seed"] for each in build_view(show(now, 2), 1)["fair"]["seats"])
    settled = play(show(now, 1, 2))
    again = KEY.sign("lunar", "t1", 1, 1, settled.last_commitment, list_fixed_seats(settled))
    assert format_receipt(again) == format_receipt(first)


def test_nothing_of_a_locked_round_can_be_changed_before_its_cards() -> None:
    """Who leaves, wagers anew, deals before the seeds, calls time early or for another: nobody."""
    now = show(lock(), 1)
    fixed = list_fixed_seats(now)
    refused: list[tuple[TableCommand, str]] = [
        (LeaveSeat(seat=2), "p2"),
        (LeaveSeat(seat=2), HOUSE),
        (lowest_wagers(now, 2), "p2"),
        (lowest_wagers(now, 4).model_copy(update={"seed_hash": "0" * 64}), "p4"),
        (PlaceWagers(seat=2, stakes=()), "p2"),
        (DealRound(), HOUSE),
        (DealRound(), "p1"),
        (CallTime(), HOUSE),
        (CallTime(), "p1"),
        (RevealSeed(seat=2, seed="another"), "p2"),
        (RevealSeed(seat=2, seed=seed_of(2)), "p1"),
    ]
    for command, by in refused:
        assert not is_allowed(now, command, by, 105), (command, by)
    assert not is_allowed(now, DealRound(), HOUSE, 10_000)  # also not when time is up
    assert not is_allowed(now, CallTime(), "p1", 10_000)
    joined = done(done(now, TakeSeat(seat=5, cents=CHIPS, name="x"), "p5"), TakeSeat(seat=1, cents=CHIPS), "p1")
    assert list_fixed_seats(joined) == fixed
    assert [each.seat for each in show(joined, 2).seeds] == [1, 2, 4]


# Void rounds.


def test_withholding_draws_no_deck() -> None:
    """Two confederates who know the secret: before, they chose among four decks; now each choice but one is void."""
    found = set()
    for shown in ((1, 2, 3), (1, 2), (1, 3), (1,)):
        now = show(lock(bound=(1, 2, 3), free=()), *shown)
        now = now if now.round else done(now, CallTime(), HOUSE, 120)
        found.add(tuple(now.round.events[:6]) if now.round else ())
        assert (now.round is None) == (len(shown) < 3)
    assert len(found) == 2


def test_a_void_round_is_told_to_all_and_kept_for_verify(invoke: Invoke, tmp_path: Path) -> None:
    before = show(lock(), 1)
    receipts = [receipt_for(before, seat) for seat in (1, 2)]
    assert (choose_timeout_command(before, 119), choose_timeout_command(before, 120)) == (None, CallTime())
    now = done(before, CallTime(), HOUSE, 120)
    line = "Round 1 is void: seat 2 never showed its seed; all wagers were returned."
    for seat in (1, 2, 4, None):
        seen = build_view(now, seat)
        assert seen["fair"]["void"] == {"round": 1, "seats": [2], "text": line}
        assert seen["fair"]["last"] == {"round": 1, "commitment": before.commitment, "secret": before.secret}
        assert seen["round"] == 2
    assert now.phase is Phase.WAGERS
    assert now.commitment not in ("", before.commitment)
    assert not now.snapshot.faults
    history = record(now, before)
    path = tmp_path / "void.toml"
    path.write_text(format_history(history), encoding="utf-8")
    assert parse_history(path.read_text(encoding="utf-8")) == history
    result = invoke("verify", path)
    assert result.status == 0
    assert f"holds   void: {line} A record alone does not show who withheld\n" in result.out
    result = invoke("replay", path)
    assert (result.status, result.out) == (2, "")
    assert line in result.err
    assert failures(history, *receipts) == []
    told = {check.name: check.text for check in verify_fair_round(history, receipts, KEY.public)}
    assert "says that this seat never showed its seed: if it did, the house has lost it" in told["receipt of seat 2"]
    assert told["receipt of seat 1"] == "the record keeps to it; signed by the house key"


def test_a_house_that_calls_off_a_round_whose_seeds_were_all_shown_is_found() -> None:
    before = show(lock(), 1)
    now = done(before, CallTime(), HOUSE, 120)
    history = record(now, before)
    fair = history.fair
    assert fair is not None
    shown = [each.model_copy(update={"seed": seed_of(each.seat) if each.hash else ""}) for each in fair.seats]
    forged = history.model_copy(update={"fair": fair.model_copy(update={"seats": shown})})
    why = "no card was dealt, though every seat showed its seed: the house may not call such a round off"
    assert failures(forged) == [why]
    assert HELD.history.fair is not None
    hidden = [each.model_copy(update={"seed": ""}) for each in HELD.history.fair.seats]
    dealt = HELD.history.model_copy(update={"fair": HELD.history.fair.model_copy(update={"seats": hidden})})
    void = "Round 1 is void: seats 1 and 2 never showed their seeds; all wagers were returned"
    assert failures(dealt) == [f"{void}: yet the record deals cards or settles wagers"]


@pytest.mark.parametrize("game", load_games())
def test_a_void_round_moves_no_cent_whatever_was_wagered(game: str) -> None:
    """Random wagers of every kind, side bets and progressives, whoever withholds: chips and meter stay as they are."""
    bits = seeded_bits(14)
    for _ in range(12):
        now = seated(TableTerms(game=game, fair=True), 1, 2, 3, 4, 5, 6)
        before = build_view(now, None)
        bound = [seat for seat in range(1, 7) if draw_below(2, bits)] or [3]
        for seat in range(1, 7):
            wager = some_wagers(now, seat, bits)
            wager = wager if wager.stakes else lowest_wagers(now, seat)
            now = bind(now, seat, seed_of(seat), wager) if seat in bound else done(now, wager, f"p{seat}")
        now = done(now, DealRound(), "p1")
        hidden = tuple(seat for seat in bound if draw_below(2, bits)) or (bound[0],)
        assert sum(now.sum_staked_cents(seat) for seat in now.seats) > 0
        now = done(show(now, *(seat for seat in bound if seat not in hidden)), CallTime(), HOUSE, 1_000)
        assert now.withholding_seats == hidden
        assert [each.chips_cents for each in now.seats.values()] == [CHIPS] * 6
        assert all(now.get_available_cents(seat) == CHIPS for seat in now.seats)
        assert now.snapshot.house_cents == 0
        assert build_view(now, None)["meter_cents"] == before["meter_cents"]
        free = tuple(seat for seat in now.seats if now.snapshot.can_add_seed(seat))
        assert set(free) == set(range(1, 7)) - set(hidden)
        for seat in now.seats:
            now = bind(now, seat, seed_of(seat)) if seat in free else done(now, lowest_wagers(now, seat), f"p{seat}")
        now = play(show(done(now, DealRound(), "p1"), *free), bits)
        assert (now.last_round_number, now.withholding_seats) == (2, ())
        assert failures(record(now)) == []


def test_who_withheld_adds_no_seed_again_nor_does_the_chair() -> None:
    """So the others of a table can void as many rounds as it has other chairs, however many names the house invents."""
    now = done(show(lock(bound=(1, 2), free=()), 1), CallTime(), HOUSE, 120)
    refused = "seat 2 has withheld a seed and cannot add another at this table: leave seed_hash out"
    with pytest.raises(IllegalActionError, match=refused):
        bind(now, 2, "again")
    assert [build_view(now, seat)["fair"]["adds"] for seat in (1, 2)] == [True, False]
    now = done(now, LeaveSeat(seat=2), "p2")
    newcomer = done(now, TakeSeat(seat=2, cents=CHIPS, name="new"), "p7")
    assert not newcomer.snapshot.can_add_seed(2)
    moved = done(now, TakeSeat(seat=3, cents=CHIPS, name="p2"), "p2")
    assert not moved.snapshot.can_add_seed(3)
    rounds = 0
    for number in range(20):
        free = [seat for seat in range(2, 7) if seat not in now.snapshot.withheld_seats]
        if not free:
            break
        now = done(now, TakeSeat(seat=free[0], cents=CHIPS, name="x"), f"x{number}")
        now = bind(now, 1, "honest")
        hashed = hash_seed("x", "t1", now.snapshot.number, free[0])
        now = done(now, lowest_wagers(now, free[0]).model_copy(update={"seed_hash": hashed}), f"x{number}")
        now = done(done(now, DealRound(), "p1"), RevealSeed(seat=1, seed="honest"), "p1")
        now = done(done(now, CallTime(), HOUSE, 1_000), LeaveSeat(seat=free[0]), f"x{number}")
        rounds += 1
    assert rounds == 4
    assert now.snapshot.can_add_seed(1)


def test_only_the_house_calls_a_round_off_and_only_once() -> None:
    now = lock()
    with pytest.raises(CommandForbiddenError, check=refusal("house-only")):
        handle_command(now, CallTime(), "p1", 1_000)
    after = done(now, CallTime(), HOUSE, 120)
    with pytest.raises(IllegalActionError, check=refusal("wrong-phase")):
        handle_command(after, CallTime(), HOUSE, 121)


def test_a_round_called_off_hurries_nobody_and_says_whose_time_ran_out() -> None:
    now = done(show(lock(), 1), CallTime(), HOUSE, 120)
    assert [(each.seat, each.kind) for each in now.timeouts] == [(2, "seed")]
    assert build_view(now, 1)["deadline"] is None


# Older methods, and tables that cannot be fair.


def test_a_table_or_record_of_an_older_method_says_so() -> None:
    opened = open_table("t1", LUNAR, ExternalInputs(seeded_bits(0)))
    old = SecretCommitted(round=1, commitment="0" * 64, secret="1" * 64)
    now = replay_events((opened[0], old))
    now = done(now, TakeSeat(seat=1, cents=CHIPS, name="p1"), "p1")
    now = done(now, lowest_wagers(now, 1), "p1")
    with pytest.raises(IllegalActionError, check=refusal("other-version", fair_version="pitboss-fair-1")):
        done(now, DealRound(), "p1")
    text = format_history(HELD.history).replace("pitboss-fair-2", "pitboss-fair-1")
    with pytest.raises(HistoryError, check=refusal("invalid-document")):
        parse_history(text)


def test_a_linked_table_is_not_provably_fair() -> None:
    link = ProgressiveLink(table=1, version=1, ledger="x", dealer="dora")
    with pytest.raises(IllegalActionError, check=refusal("no-seeds-here")):
        open_table("t1", LUNAR.model_copy(update={"linked": link}))


# Kept in the ledger.


def give(tables: TableService, name: str, key: str, what: TableCommand, by: str) -> TableSession:
    return tables.execute("t1", what, by, f"{name}-{key}").session


def play_in(tables: TableService, number: int, *, withhold: bool) -> None:
    """Play a round, or let it be void."""
    now = tables.get_session("t1")
    assert now.snapshot.number == number
    for seat in (1, 2):
        wager = lowest_wagers(now, seat)
        if now.snapshot.can_add_seed(seat):
            wager = wager.model_copy(update={"seed_hash": hash_seed(seed_of(seat), "t1", number, seat)})
        give(tables, f"{number}-wager", str(seat), wager, f"p{seat}")
    now = give(tables, str(number), "deal", DealRound(), "p1")
    assert now.phase is Phase.SEEDS
    now = give(tables, str(number), "seed-1", RevealSeed(seat=1, seed=seed_of(1)), "p1")
    if now.phase is Phase.SEEDS and not withhold:
        now = give(tables, str(number), "seed-2", RevealSeed(seat=2, seed=seed_of(2)), "p2")
    turns = 0
    while now.turn is not None:
        now = give(tables, str(number), f"turn-{turns}", some_decision(now, seeded_bits(turns)), f"p{now.turn}")
        turns += 1


class House:
    """A database of tables, which are opened as often as asked for, and what its clock says."""

    def __init__(self, where: Path) -> None:
        self.where, self.time, self.open = where, 100, list[TableService]()

    def tables(self) -> TableService:
        url = f"sqlite:///{self.where / 'tables.db'}"
        made = TableService.connect(url, self.where / "key", clock=lambda: self.time, bits=seeded_bits(9))
        self.open.append(made)
        return made


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house of its own."""
    made = House(tmp_path)
    yield made
    for tables in made.open:
        tables.close()


def test_void_rounds_stand_in_the_ledger_between_others(house: House) -> None:
    tables = house.tables()
    tables.open_table("t1", LUNAR, "open")
    for seat in (1, 2):
        tables.execute("t1", TakeSeat(seat=seat, cents=CHIPS, name=f"p{seat}"), f"p{seat}", f"sit-{seat}")
    play_in(tables, 1, withhold=False)
    play_in(tables, 2, withhold=True)
    during = tables.get_session("t1")
    assert house.tables().get_session("t1") == during  # read again while seeds are being shown
    receipt = tables.get_receipt("t1", "p1")
    assert receipt.round == 2
    house.time += 1_000
    after = tables.run_automation("t1")
    assert after.withholding_seats == (2,)
    assert tables.run_automation("t1") == after  # once
    again = house.tables()
    assert again.get_session("t1") == after
    assert [build_view(again.get_session("t1"), seat) for seat in (1, 2, None)] == [
        build_view(after, seat) for seat in (1, 2, None)
    ]
    assert again.get_receipt("t1", "p1") == receipt
    house.time = 100
    play_in(again, 3, withhold=False)
    play_in(again, 4, withhold=False)
    assert again.verify() > 0
    for number in (1, 2, 3, 4):
        history = again.get_history("t1", number)
        steps = again.list_round_sessions("t1", number)
        assert steps[-1].last_round_number == number
        kept = again.get_receipt("t1", "p1", number)
        assert [
            check.text for check in verify_fair_round(history, [kept], again.house_key.public) if not check.holds
        ] == []
        assert bool(history.actions) == (number != 2)
    assert again.get_receipt("t1", "p1", 2) == receipt
    assert again.get_receipt("t1", "p2", 2).seat == 2
    for who, number in (("p2", 3), ("p9", 1), (HOUSE, 1)):
        with pytest.raises(IllegalActionError, check=refusal("no-receipt")):
            again.get_receipt("t1", who, number)
    with pytest.raises(LedgerError, check=refusal("not-settled", round_number=5, table="t1")):
        again.get_receipt("t1", "p1", 5)
    with pytest.raises(HistoryError, check=refusal("round-void")):
        replay_history(again.get_history("t1", 2))


def test_the_house_key_follows_from_the_tables_key_and_is_not_that(house: House, tmp_path: Path) -> None:
    first, second = house.tables(), house.tables()
    assert first.house_key.public == second.house_key.public
    assert first.house_key.public != (tmp_path / "key").read_text(encoding="ascii").strip()
