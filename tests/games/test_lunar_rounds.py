"""Rounds of Lunar Poker, at random and one for each outcome, settled by the rules and by the rulings' text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest

from oracle.lunar import (
    INSTANT_CASH,
    QUALIFIERS,
    SUPER,
    best_combinations,
    ending,
    forced,
    super_line,
    value,
)
from pitboss.cards import DECK_52, draw_below, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.cards.shuffle import BitSource
from pitboss.contract import NO_DECISION, Decision
from pitboss.games.lunar import GAME, rules
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables

ROUNDS = 4_000
CHOSEN = select_paytables(GAME)
OPTIONS = [
    {},
    {"force_replaces": "lowest", "paired_straight": "straight_and_pair"},
    {"dealer_qualifies": "always", "akq_needs_no_pair": "on"},
    {"dealer_qualifies": "pair-of-9"},
    {"dealer_qualifies": "pair-of-A", "force_replaces": "lowest"},
]

Hand = Sequence[int]
Chooser = Callable[[Decision], int]


class Round(NamedTuple):
    """What happened to one seat: as cards and words, for the slow oracle, and as the rules' state."""

    first_five: Hand
    final: Hand
    dealer: Hand
    words: Sequence[str]
    force_card: int
    state: rules.LunarState


def played(deck: Hand, chooser: Chooser, chosen: Mapping[str, str]) -> Round:
    """Play one seat, which exchanges the first of the cards it holds."""
    codes = encode_options(GAME, resolve_options(GAME, chosen))
    state = rules.deal(deck, 1, 0, 0b11)
    final, stub = list(deck[:5]), list(deck[10:])
    words: list[str] = []
    shown = False
    while not shown or rules.next_decision(load_hand_tables(), state, codes) != NO_DECISION:
        asked = rules.next_decision(load_hand_tables(), state, codes)
        if asked == NO_DECISION:
            state, shown = rules.show_dealer(state), True
            continue
        place = chooser(GAME.decisions[asked])
        action = GAME.decisions[asked].actions[place]
        words.append(action.id)
        state = rules.act(state, asked, place, make_mask(final[: action.discards]))
        drawn, stub = stub[: action.draws], stub[action.draws :]
        final = [*final[action.discards :], *drawn]
        assert rules.count_undrawn(state) == len(drawn)
        if drawn:
            state = rules.receive_draw(state, make_mask(drawn))
    if rules.count_dealer_draws(state):
        state = rules.receive_dealer_draw(state, make_mask(stub[:1]))
    return Round(deck[:5], final, deck[5:10], words, stub[0], state)


def verify(done: Round, chosen: Mapping[str, str]) -> str:
    """Compare what the rules and the slow oracle say of a round, and return how `main` ended."""
    values = resolve_options(GAME, chosen)
    settled = rules.settle(load_hand_tables(), done.state, encode_options(GAME, values))
    main, *supers = (wager.outcomes[index] for wager, index in zip(GAME.wagers, settled, strict=True))
    expected = ending(done.first_five, done.final, done.dealer, done.words, done.force_card, values)
    assert (main.name, int(compute_outcome_net(main, CHOSEN, 1))) == expected, done
    needs_no_pair = values["akq_needs_no_pair"] == "on"
    own, dealers = (super_line(five, needs_no_pair=needs_no_pair) for five in (done.first_five, done.dealer))
    assert [outcome.name for outcome in supers] == [own, own, dealers]
    nets = [int(compute_outcome_net(outcome, CHOSEN, 1)) for outcome in supers]
    assert nets == [SUPER.get(line, -1) for line in (own, own, dealers)]
    return main.name


# Random rounds.


def plain_deck(bits: BitSource) -> Hand:
    return shuffle_deck(DECK_52, bits)


def rich_deck(bits: BitSource) -> Hand:
    """Deal cards of one or two suits and three neighbouring ranks first, so that rare hands meet."""
    suits, lowest = (draw_below(4, bits), draw_below(4, bits)), draw_below(13, bits)
    order = shuffle_deck(DECK_52, bits)
    return sorted(order, key=lambda card: card // 13 not in suits and (card % 13 - lowest) % 13 >= 3)


def at_random(bits: BitSource) -> Chooser:
    """Choose any action, but seldom fold."""

    def choose_one(decision: Decision) -> int:
        place = draw_below(len(decision.actions), bits)
        return draw_below(2, bits) if decision.actions[place].id == "fold" else place

    return choose_one


@pytest.mark.more
@pytest.mark.in_turn("chosen")
@pytest.mark.parametrize("chosen", OPTIONS, ids=lambda chosen: " ".join(chosen.values()) or "default")
@pytest.mark.parametrize("dealing", [plain_deck, rich_deck])
def test_random_rounds_end_as_the_rulings_say(dealing: Callable[[BitSource], Hand], chosen: dict[str, str]) -> None:
    bits = seeded_bits(52)
    reached = {verify(played(dealing(bits), at_random(bits), chosen), chosen) for _ in range(ROUNDS)}
    assert len(reached) > 50


# Every outcome occurs.

PATHS = {"": 0, "buy": 1, "exchange-2": 2, "exchange-3": 3, "exchange-4": 4, "exchange-5": 5}
WON = [  # a hand for each line and pair of lines; of five cards the first five
    *("As Ks Qs Js Ts 2h", "As Ks Qs Js Ts 9s", "As Ks Qs Js Ts 2s", "As Ks Qs Js Ts Ah"),
    *("9s 8s 7s 6s 5s 2h", "9s 8s 7s 6s 5s 4s", "9s 8s 7s 6s 5s 2s", "9s 8s 7s 6s 5s Th", "5s 4s 3s 2s As Kh"),
    *("9s 9h 9d 9c 7s 4h", "9s 9h 9d 9c 4s 4h", "Ks Kh Kd Kc As 4h"),
    *("9s 9h 9d 4s 4h 7c", "9s 9h 9d 4s 4h 4c", "As Ah Ad Qs Qh Kc"),
    *("Js 9s 7s 4s 2s Qh", "As Js 9s 7s 4s 2s", "Ks 9s 8s 7s 6s 5h", "As Js 9s 7s 4s 4h", "As Js 9s 7s 4s Kh"),
    *("9s 8h 7d 6c 5s Jh", "9s 8h 7d 6c 5s 4h", "9s 8h 7d 6c 5s 5h", "As 2h 3d 4c 5s Kh"),
    *("9s 9h 9d 7s 4h Jc", "9s 9h 9d As Kh 4c"),
    *("9s 9h 7d 7c 5s 4h", "9s 9h 7d 7c 5s 5h", "As Ah 9d 9c Ks 5h"),
    *("9s 9h Td 7d 4c 3s", "9s 9h As Kh 7d 4c"),
    "As Kh 9d 7c 4s 3h",
]
ENDS = [  # a hand, and a sixth card that leaves it as it is; the dealer's; what the seat does; the card Force turns
    ("Qs Jd 9h 5c 3d 2c", "9s 9d 7h 6c 3s", "fold", "", {}),
    ("Qs Jd 9h 5c 3d 2c", "9s 9d 7h 6c 3s", "play", "", {}),
    ("9h 9c 7s 6d 3h 2c", "9s 9d 7h 6c 3s", "play", "", {}),
    ("Qs Jd 9h 5c 3d 2c", "Ks Td 7h 6c 3s", "play take-ante", "", {}),
    ("Qs Jd 9h 5c 3d 2c", "Ks Td 7h 6c 3s", "play force", "5h", {}),
    ("Qs Td 7c 6d 3h 2c", "Ks Ts 7h 6c 3s", "play force", "Qh", {}),
    ("Qs Jd 9h 5c 3d 2c", "Ks Td 7h 6c 3s", "play force", "Kh", {}),
    ("7c 7s Tc 6s 3h 2c", "Ks Td 7h 6c 3s", "play force", "7d", {}),
    ("Qs Jd 9h 5c 3d 2c", "Ks Td 7h 6c 3s", "play force", "7d", {}),
    ("Qs Jd 9h 5c 3d 2c", "7s 6d 4h 3s 2s", "play", "", {"dealer_qualifies": "always"}),
]


def cards(text: str) -> list[int]:
    return list(parse_cards(text, DECK_52))


def in_turn(words: str) -> Chooser:
    said = iter(words.split())

    def choose_next(decision: Decision) -> int:
        return [action.id for action in decision.actions].index(next(said))

    return choose_next


def is_instant_cash(five: Hand) -> bool:
    return super_line(five) == "same-coloured-straight" and value(five)[0] >= 8


def round_for(
    final: Hand, dealer: Hand, path: str, words: str, force: Hand, chosen: Mapping[str, str]
) -> Iterator[str]:
    """Play so that the seat's final hand is ``final``, and yield the outcome; nothing if Instant Cash would end it."""
    draws = PATHS[path]
    others = [card for card in DECK_52.cards if card not in {*final, *dealer, *force}]
    given = [] if draws < 2 else others[::9][:draws]
    rest = [card for card in others if card not in given]
    for turn in range(len(final)):
        turned = [*final[turn:], *final[:turn]]
        first_five = [*given, *turned[: len(final) - draws]]
        if not is_instant_cash(first_five):
            deck = [*first_five, *dealer, *turned[len(final) - draws :], *force, *rest]
            yield verify(played(deck, in_turn(f"{path} {words}"), chosen), chosen)
            return


def beaten_dealer(final: Hand, words: str, chosen: Mapping[str, str]) -> tuple[Hand, Hand]:
    """Find a dealer, and the card that Force turns, who qualifies with it or without, and loses to ``final``."""
    qualifier = QUALIFIERS["ace-king"]
    bits = seeded_bits(1)
    lowest = chosen.get("force_replaces") == "lowest"
    while True:
        order = [card for card in shuffle_deck(DECK_52, bits) if card not in final]
        dealer, force = order[:5], order[5:6]
        if words == "play" and qualifier <= value(dealer) < value(final):
            return dealer, []
        after = value(forced(dealer, force[0], lowest=lowest))
        if words == "play force" and value(dealer) < qualifier <= after < value(final):
            return dealer, force


def wins(size: int) -> Iterator[tuple[Hand, Hand, str, Hand, dict[str, str]]]:
    """List a win of each hand, with Force and without; where a straight is paired, under either option."""
    for final in (cards(hand)[:size] for hand in WON):
        lines = best_combinations(final)
        chosen = {"force_replaces": "lowest"} if lines == ("ace-king",) else {}
        for words in ("play", "play force"):
            dealer, force = beaten_dealer(final, words, chosen)
            yield final, dealer, words, force, chosen
            if lines == ("straight", "straight"):
                yield final, dealer, words, force, {"paired_straight": "straight_and_pair"}


def test_every_outcome_of_main_occurs() -> None:
    reached = {f"instant-cash-{line}" for line in INSTANT_CASH}  # these end the round before there is a path
    for path in PATHS:
        size = 6 if path == "buy" else 5
        for final, dealer, words, force, chosen in ENDS:
            reached.update(round_for(cards(final)[:size], cards(dealer), path, words, cards(force), chosen))
        for won, beaten, words, turned, options in wins(size):
            reached.update(round_for(won, beaten, path, words, turned, options))
    assert reached == {outcome.name for outcome in GAME.wagers[0].outcomes}
