"""The program and a second verifier, which was written from ``docs/fair-shuffle.md`` alone, judge records alike."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tomli_w

from conformance.drawing import each_game
from oracle import fair_verifier as second
from pitboss.cards import draw_below, seeded_bits
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.table.fair_verification import verify_fair_round
from pitboss.table.receipts import ReceiptError, parse_receipt
from pitboss.table.round.history import parse_history
from table.fair_rounds import KEY, Kept, play_some_round

Json = dict[str, Any]

PAGE = Path(__file__).parents[2] / "docs" / "fair-shuffle.md"


def judge_here(history: str, receipts: tuple[str, ...], key: str = KEY.public) -> list[str]:
    """Return the names of what the program finds wrong: "form" for what it cannot read, "rules" for what it refuses."""
    try:
        found = verify_fair_round(parse_history(history), [parse_receipt(each) for each in receipts], key)
        return [check.name for check in found if not check.holds]
    except (HistoryError, ReceiptError):
        return ["form"]
    except PitbossError:
        return ["rules"]


def judge_there(history: str, receipts: tuple[str, ...], key: str = KEY.public) -> list[str]:
    """Return what the second verifier finds wrong."""
    try:
        return second.find_faults(second.read_history(history), [second.read_receipt(each) for each in receipts], key)
    except ValueError as error:
        return [str(error)]


# The vectors of the page.


@pytest.fixture(scope="module")
def blocks() -> list[tuple[str, str]]:
    text = PAGE.read_text(encoding="utf-8").partition("## Test vectors")[2]
    return re.findall(r"```(json|toml)\n(.*?)```", text, re.DOTALL)


def test_every_step_of_the_page_s_shuffle(blocks: list[tuple[str, str]]) -> None:
    said: Json = json.loads(blocks[0][1])
    place = said["table"], said["round"]
    secret = bytes.fromhex(said["secret"])
    seats = [(each["seat"], each["seed"]) for each in said["seats"]]
    packed = second.pack_seeds(*place, seats)
    salt, info = sha256(packed).digest(), second.pack_info(*place)
    key = second.derive_key(secret, salt, info)
    stream = second.make_stream(key)
    draws = [second.draw_number(stream, limit) for limit in range(52, 52 - len(said["first_draws_of_52"]), -1)]
    signing, receipt = bytes.fromhex(said["signing_secret"]), said["receipt"]
    message = second.pack_receipt(receipt)
    derived = {
        "version": second.VERSION,
        "committed_bytes": second.pack_commitment(*place, secret).hex(),
        "commitment": second.make_commitment(*place, secret),
        "salted_bytes": packed.hex(),
        "salt": salt.hex(),
        "info": info.hex(),
        "key": key.hex(),
        "stream": bytes(islice(second.make_stream(key), 64)).hex(),
        "first_draws_of_52": draws,
        "decks": {str(cards): decks_of(secret, place, seats, cards) for cards in (52, 53, 54)},
        "house_key": second.make_public_key(signing).hex(),
        "receipt_bytes": message.hex(),
        "receipt": second.check_receipt(receipt) | {"signature": second.sign_bytes(signing, message).hex()},
    }
    given = {"table", "round", "secret", "seats", "signing_secret"}
    assert derived == {name: value for name, value in said.items() if name not in given}
    for each in said["seats"]:
        assert each["hash"] == (second.hash_seed(*place, each["seat"], each["seed"]) if each["seed"] else "")
    assert second.holds_signature(receipt)


def decks_of(secret: bytes, place: tuple[str, int], seats: list[tuple[int, str]], cards: int) -> Json:
    deck, order = second.draw_decks(secret, *place, seats, cards)
    named = second.name_cards(deck, cards), second.name_cards(order, cards)
    return {"deck": named[0], "second_order": named[1], "deck_codes": deck}


def test_the_page_s_records_hold_and_keep_to_their_receipts(blocks: list[tuple[str, str]]) -> None:
    key = json.loads(blocks[0][1])["house_key"]
    pairs = list(zip(blocks[1::2], blocks[2::2], strict=True))
    assert len(pairs) == 4
    for (_, history), (kind, receipt) in pairs:
        assert kind == "json"
        assert judge_there(history, (receipt,), key) == judge_here(history, (receipt,), key) == []


# Rounds played at random.


def describe(game: Game, history: Json) -> Iterator[str]:
    """Yield what is special about a round, so that a test can ask whether all of it was seen."""
    actions: list[str] = history["actions"]
    bound = sum("hash" in each for each in history["_fair"]["seats"])
    yield f"{len(history['antes'])} seats"
    yield "none bound" if not bound else "all bound" if bound == len(history["antes"]) else "some bound"
    yield "played" if actions else "void"
    dealt = "".join(action.split()[-1] for action in actions if action.startswith("d "))
    if game.deck.size > 52 and "Jk" in dealt:
        yield "Joker"
    if "short_deck" in {option.name for option in game.options}:
        cards = re.findall("..", dealt)
        refuses = "refuse" in history.get("_options", {}).values()
        yield "refuse" if refuses else "reshuffle"
        if len(set(cards)) < len(cards):
            yield "back"
        if sum(action.startswith("d dh dealer") for action in actions) == 2:
            yield "forced"


def expect_special(game: Game, seen: Counter[str]) -> None:
    wanted = {*(f"{seats} seats" for seats in range(1, 7)), "none bound", "some bound", "all bound", "void", "played"}
    wanted |= {"Joker"} if game.deck.size > 52 else set()
    wanted |= {"refuse", "reshuffle", "back", "forced"} if game.id == "lunar" else set()
    assert set(seen) == wanted


# Records and receipts altered at random.


class Case(NamedTuple):
    """A record and receipts to be altered in place, and chance."""

    record: Json
    receipts: list[Json]
    bits: BitSource

    def pick(self, many: Any) -> Any:
        """Return one of many."""
        listed = list(many)
        return listed[draw_below(len(listed), self.bits)]

    @property
    def fair(self) -> Json:
        """The record's part on its shuffle."""
        part: Json = self.record["_fair"]
        return part

    @property
    def seats(self) -> list[Json]:
        """The record's seats."""
        seats: list[Json] = self.fair["seats"]
        return seats

    def deals(self) -> list[int]:
        """Return the places of the actions that deal cards."""
        return [place for place, action in enumerate(self.record["actions"]) if action.startswith("d ")]

    def hash_of(self, seat: int, seed: str) -> str:
        """Return the hash of a seed in this round."""
        return second.hash_seed(self.fair["table"], self.fair["round"], seat, seed)


def flip_digit(case: Case) -> None:
    part = case.pick([case.fair, *case.seats])
    fields = [name for name, value in part.items() if isinstance(value, str)]
    if fields:
        name = case.pick(fields)
        place = draw_below(len(part[name]), case.bits)
        part[name] = part[name][:place] + case.pick("0123456789abcdef") + part[name][place + 1 :]


def drop_field(case: Case) -> None:
    part = case.pick([case.fair, *case.seats])
    del part[case.pick(part)]


def empty_field(case: Case) -> None:
    part = case.pick([case.fair, *case.seats])
    part[case.pick(part)] = case.pick(["", 0, [], {}, -1, 1.0, True, 2**60, "é", "x" * 129])


def fill_field(case: Case) -> None:
    """Write a hash, seed or secret that there is not as an empty text, or as another."""
    case.pick(case.seats).setdefault(case.pick(["hash", "seed"]), case.pick(["", "0" * 64]))


def move_round(case: Case) -> None:
    """Put another table or round into the record, and all hashes anew: a void round still agrees with itself."""
    case.fair["table"] = case.pick(["t2", "T1", "", "t" * 32, "t" * 33, "t 1"])
    case.fair["round"] = case.pick([1, 2, 2**53 - 1, 2**53, 2**63 - 1])
    secret = bytes.fromhex(case.fair["secret"])
    case.fair["commitment"] = second.make_commitment(case.fair["table"], case.fair["round"], secret)
    for each in case.seats:
        if "hash" in each:
            each["hash"] = case.hash_of(each["seat"], each.get("seed", ""))


def alter_number(case: Case) -> None:
    part, name = case.pick([(case.fair, "round"), *((each, "seat") for each in case.seats)])
    part[name] += case.pick([-1, 1, 6])


def exchange(one: Json, other: Json, name: str) -> None:
    """Exchange a field of two tables, also where one has none."""
    mine, theirs = one.pop(name, None), other.pop(name, None)
    one.update({} if theirs is None else {name: theirs})
    other.update({} if mine is None else {name: mine})


def exchange_seats(case: Case) -> None:
    one, other = case.pick(case.seats), case.pick(case.seats)
    for name in case.pick([("seat",), ("seed",), ("hash",), ("seed", "hash"), ("seat", "seed", "hash")]):
        exchange(one, other, name)


def drop_seat(case: Case) -> None:
    place = draw_below(len(case.seats), case.bits)
    del case.seats[place]
    if draw_below(2, case.bits):
        del case.record["antes"][place]


def add_seat(case: Case) -> None:
    case.seats.insert(draw_below(len(case.seats) + 1, case.bits), {"seat": 1 + draw_below(6, case.bits)})
    if draw_below(2, case.bits):
        case.record["antes"].append(case.record["antes"][0])


def reseed(case: Case) -> None:
    """Put another seed, with its hash, in a seat's place: the record agrees with itself, its cards do not."""
    each = case.pick(case.seats)
    each["seed"] = "another"
    each["hash"] = case.hash_of(each["seat"], "another")


def unbind(case: Case) -> None:
    each = case.pick(case.seats)
    each.pop("seed", None)
    each.pop("hash", None)


def withhold(case: Case) -> None:
    """Take a seed out, and perhaps call the round off as the house would have to."""
    case.pick(case.seats).pop("seed", None)
    if draw_below(2, case.bits):
        case.record["actions"] = []
        case.record.pop("_settlements", None)


def empty_round(case: Case) -> None:
    case.record["actions"] = []
    case.record.pop("_settlements", None)


def settle_void(case: Case) -> None:
    case.record[case.pick(["_settlements", "_awards"])] = []


def change_secret(case: Case) -> None:
    secret = bytes(draw_below(256, case.bits) for _ in range(32))
    case.fair["secret"] = case.pick([secret.hex(), "", secret.hex().upper()])
    if draw_below(2, case.bits):
        case.fair["commitment"] = second.make_commitment(case.fair["table"], case.fair["round"], secret)


def exchange_cards(case: Case) -> None:
    """Exchange two cards that were dealt, wherever they lie."""
    actions = case.record["actions"]
    if not case.deals():
        return
    one, other = case.pick(case.deals()), case.pick(case.deals())
    mine, theirs = actions[one][-2:], actions[other][-2:]
    if not {*mine, *theirs} & set("Jk12"):
        actions[one] = actions[one][:-2] + theirs
        actions[other] = actions[other][:-2] + (mine if one != other else theirs)


def replace_card(case: Case) -> None:
    actions = case.record["actions"]
    if case.deals():
        place = case.pick(case.deals())
        name = case.pick("23456789TJQKA") + case.pick("shdc")
        actions[place] = actions[place][:-2] + case.pick([name, "Jk", "Jk1", "1s", name.lower(), name + name])


def shorten_deal(case: Case) -> None:
    """Take the last card of a deal out: of the last draw only the rules can tell that it is missing."""
    if case.deals():
        place = case.pick(case.deals())
        case.record["actions"][place] = case.record["actions"][place][:-2]


def alter_first_deal(case: Case) -> None:
    actions = case.record["actions"]
    if actions:
        place = draw_below(len(case.seats) + 1, case.bits)
        match draw_below(4, case.bits):
            case 0:
                del actions[place]
            case 1:
                actions.insert(place, actions[place])
            case 2:
                other = draw_below(len(case.seats) + 1, case.bits)
                actions[place], actions[other] = actions[other], actions[place]
            case _:
                actions[place] = actions[place].replace(
                    case.pick(["p1", "dealer", "d "]), case.pick(["p2", "p7", "D "])
                )


def change_game(case: Case) -> None:
    case.record["variant"] = case.pick(second.DECK_SIZES)


def alter_receipt(case: Case) -> None:
    """Alter a receipt, and perhaps have the house, or another, sign it again."""
    if not case.receipts:
        return
    receipt = case.pick(case.receipts)
    part = case.pick([receipt, *receipt["seats"]])
    name = case.pick(part)
    value = part[name]
    if isinstance(value, int):
        part[name] = case.pick([value + 1, value - 1, float(value), str(value), True])
    elif isinstance(value, str):
        other = value[:-1] + case.pick("0123456789abcdef")
        part[name] = case.pick([other, "", value + "0", value.upper(), 7, None])
    else:
        part[name] = case.pick([value[::-1], value[1:], value * 2, [*value, {"seat": 6, "hash": ""}], [], {}])
    if draw_below(3, case.bits):
        sign_again(case, receipt)


def alter_fields(case: Case) -> None:
    if case.receipts:
        receipt = case.pick(case.receipts)
        part = case.pick([receipt, *receipt["seats"]])
        if draw_below(2, case.bits):
            del part[case.pick(part)]
        else:
            part["more"] = 1


def sign_by_another(case: Case) -> None:
    """Have another key sign the receipts, or one of them."""
    for receipt in case.receipts[draw_below(2, case.bits) :]:
        receipt["key"] = second.make_public_key(bytes(32)).hex()
        sign_again(case, receipt, bytes(32))


def sign_again(case: Case, receipt: Json, private: bytes = bytes(range(32))) -> None:
    """Sign a receipt again where it has a form that can be signed."""
    try:
        receipt["signature"] = second.sign_bytes(private, second.pack_receipt(second.check_receipt(receipt))).hex()
    except ValueError:
        case.bits(1)


def alter_action(case: Case) -> None:
    actions = case.record["actions"]
    if actions:
        place = draw_below(len(actions), case.bits)
        word = case.pick(["f", "cc", "play", "sd", "sd 2s", "buy", "force", "take-ante", "d dh dealer 2s", "p9 f", ""])
        actions[place] = case.pick([word, f"{actions[place].split()[0]} {word}", actions[place] + " "])


def move_action(case: Case) -> None:
    actions = case.record["actions"]
    if actions:
        moved = actions.pop(draw_below(len(actions), case.bits))
        if draw_below(2, case.bits):
            actions.insert(draw_below(len(actions) + 1, case.bits), moved)


def alter_option(case: Case) -> None:
    case.record["_options"] = {"short_deck": case.pick(["refuse", "reshuffle", "no", 1])}


def alter_money(case: Case) -> None:
    name = case.pick(["antes", "_wagers", "_settlements"])
    if case.record.get(name):
        rows: list[Any] = case.record[name]
        place = draw_below(len(rows), case.bits)
        if isinstance(rows[place], int):
            rows[place] += case.pick([1, -1, 10**6, -(10**6), 2**62])
        else:
            rows[place][case.pick(rows[place])] = case.pick([0, 1, 7, "main"])


# What both must see, or neither.  Of the others the program sees more: what only the rules of a game can tell.
OF_THE_SHUFFLE: tuple[Callable[[Case], None], ...] = (
    flip_digit,
    drop_field,
    empty_field,
    fill_field,
    move_round,
    alter_number,
    exchange_seats,
    drop_seat,
    add_seat,
    reseed,
    unbind,
    withhold,
    empty_round,
    settle_void,
    change_secret,
    exchange_cards,
    replace_card,
    alter_first_deal,
    alter_receipt,
    alter_fields,
    sign_by_another,
)
OF_THE_RULES: tuple[Callable[[Case], None], ...] = (
    alter_action,
    move_action,
    shorten_deal,
    alter_option,
    alter_money,
    change_game,
)


def flip_character(text: str, bits: BitSource) -> str:
    """Put another character in the place of one."""
    place = draw_below(len(text), bits)
    return text[:place] + chr(32 + draw_below(54, bits) + draw_below(42, bits)) + text[place + 1 :]


def shuffle_part(history: str) -> Json:
    """Return what of a record the page speaks of; nothing where it is no TOML or has another form."""
    try:
        found = tomllib.loads(history)
        fair = {name: each for name, each in found["_fair"].items() if name != "seats"}
        seats = [dict(each) for each in found["_fair"]["seats"]]
        option = found.get("_options", {}).get("short_deck", "reshuffle") if found["variant"] == "lunar" else ""
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {"variant": found["variant"], "actions": found.get("actions"), "option": option, **fair, "seats": seats}


def has_other_names(history: str) -> bool:
    """Return whether the part on the shuffle has a name that the page does not know, which only the program refuses."""
    part = shuffle_part(history)
    names = {"variant", "actions", "option", "version", "table", "round", "commitment", "secret", "seats"}
    return bool(part.keys() - names) or any(each.keys() - {"seat", "hash", "seed"} for each in part.get("seats", []))


def agree_on_altered(kept: Kept, bits: BitSource) -> str:
    """Alter a round and have both judge it; return who found a fault."""
    case = Case(tomllib.loads(kept.history), [json.loads(each) for each in kept.receipts], bits)
    case.receipts[2:] = []
    alteration = case.pick((*OF_THE_SHUFFLE, *OF_THE_RULES, flip_character))
    history = kept.history
    if alteration is flip_character:
        history = flip_character(history, bits)
    else:
        alteration(case)
        history = tomli_w.dumps(case.record)
    receipts = tuple(json.dumps(each, separators=(",", ":")) + "\n" for each in case.receipts)
    key = case.pick([KEY.public, KEY.public, ""])
    here, there = judge_here(history, receipts, key), judge_there(history, receipts, key)
    said = f"{alteration.__name__}: here {here}, there {there}\n{history}\n{receipts}"
    if there:
        assert here, said
    elif alteration in OF_THE_SHUFFLE:
        assert not here, said
    elif here:  # the rules alone, or something of which the page does not speak
        untouched = shuffle_part(history) == shuffle_part(kept.history)
        assert set(here) == {"round"} or untouched or has_other_names(history), said
    return f"{'both' if there else 'here' if here else 'neither'}"


def agree_on_rounds(game: Game, seed: int, rounds: int, alterations: int) -> tuple[Counter[str], Counter[str]]:
    """Play rounds and have both judge each with all its receipts, and then altered.

    Returns what was special in how many rounds, and how many alterations were found by both, the program or neither.
    """
    bits = seeded_bits(seed)
    special, found = Counter[str](), Counter[str]()
    for _ in range(rounds):
        kept = play_some_round(game, bits)
        assert judge_here(*kept) == judge_there(*kept) == [], kept
        special.update(describe(game, tomllib.loads(kept.history)))
        found.update(agree_on_altered(kept, bits) for _ in range(alterations))
    return special, found


@pytest.mark.more
@pytest.mark.in_turn("game")
@each_game
def test_both_judge_rounds_alike_as_they_are_and_altered(game: Game) -> None:
    special, found = agree_on_rounds(game, seed=14, rounds=40, alterations=3)
    expect_special(game, special)
    assert found["both"] > 60
    assert found["here"] > 2


@pytest.mark.long
@each_game
def test_both_judge_two_thousand_rounds_alike(game: Game) -> None:
    special, found = agree_on_rounds(game, seed=15, rounds=2_000, alterations=2)
    expect_special(game, special)
    assert found["both"] > 2_000
