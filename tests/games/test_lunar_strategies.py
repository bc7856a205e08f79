"""The strategies of Lunar Poker line by line, most of them at positions where the exact values say the same."""

from collections.abc import Sequence

import numpy as np
import pytest

from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, format_card, make_mask, parse_cards
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.lunar import strategies as rules
from pitboss.games.lunar.rules import AFTER_DRAW, FIRST_DECISION, NOT_QUALIFIED, LunarOptions, LunarView
from pitboss.games.lunar.solver.hints import hint
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem
from pitboss.strategies import get_strategy, load_strategies

GAME = load_game("lunar")
PROBLEM = SolverProblem(
    encode_options(GAME, resolve_options(GAME, {})), compute_main_nets(GAME, select_paytables(GAME))
)


def view(position: str) -> tuple[LunarView, int]:
    """Read "held / the dealer's / drawn / given up", the last two where there are any, and which decision is asked."""
    player, dealer, drew, given = (
        make_mask(parse_cards(part, DECK_52)) if part.strip() else 0 for part in (position + " /" * 3).split("/")[:4]
    )
    asked = NOT_QUALIFIED if dealer.bit_count() == 5 else AFTER_DRAW if drew else FIRST_DECISION
    return LunarView(player, dealer, 0, drew, given), asked


def taken(strategy: str, position: str) -> str:
    """Return what a strategy does at a position, with the cards it gives up in alphabetical order."""
    seen, asked = view(position)
    written = get_strategy(GAME, strategy)
    action, cards = written.choose(load_hand_tables(), seen, asked, written.numbers, PROBLEM.options)
    return named(GAME.decisions[asked].actions[action].id, cards)


def named(action: str, cards: int) -> str:
    return " ".join([action, *sorted(format_card(code, DECK_52) for code in DECK_52.cards if cards >> code & 1)])


FIRST = {
    # Straights, flushes, four of a suit.
    "Ts 9s 8s 7c 6h / 6d": "buy",
    "Qd Jd 7d 4d 2d / Qc": "buy",
    "Ks 9d 8d 3d 2d / As": "buy",
    "Kd 9s 9d 6d 5d / Th": "buy",
    # Made hands.
    "Qd Ts Td 7d 7c / Ks": "play",
    "Js Jc Th Ts Tc / Jh": "play",
    "Qh Th Ts Td Tc / Ah": "play",
    "9s 6d 4s 4h 4d / 6h": "exchange-2 6d 9s",
    "As Ad Ac Ks 5c / 9c": "buy",
    # To a straight.
    "7d 6s 4c 4s 3d / Ac": "buy",
    "Ah Kh Jd Ts 9d / 8h": "buy",
    "8d 6h 5c 4c 3h / Qc": "buy",  # two straights, open at both ends
    "Ac Qc Jh Ts 8d / Th": "buy",  # two, a king or a nine
    "Jh Ts 9d 7h 6s / 2c": "buy",  # an eight makes two
    "Ks 9h 8c 7h 5d / 9c": "exchange-4 5d 7h 8c 9h",  # one
    # Pairs.
    "Kd Jd 9h 9c 7c / 4d": "play",
    "Ad 7d 6h 5s 5c / 5d": "play",
    "Td 7d 6h 6c 4c / Js": "exchange-3 4c 7d Td",
    "As Ks Ts Td 3d / Qd": "play",
    # Three to a straight flush.
    "Ks Js Ts 5d 2d / 3s": "exchange-2 2d 5d",
    "Ah Kh Qh 4s 3c / 2h": "exchange-2 3c 4s",
    "8s 7s 6s Qh Kh / 2d": "exchange-2 Kh Qh",
    "Jh Kd 5s 4s 3s / 9d": "exchange-4 3s 4s 5s Jh",
    # Ace-king, one high card, nothing.
    "Ad Kh Th 7c 6d / Jd": "exchange-3 6d 7c Th",
    "As Qc 6d 5h 2s / Kc": "exchange-4 2s 5h 6d Qc",
    "Ac Qd 7d 4s 2h / As": "fold",
    "Ks 9d 8c 4c 2d / 9s": "exchange-4 2d 4c 8c 9d",
    "Kh Qd Jh 7s 6d / Qs": "fold",
    "Qh 8h 6s 3c 2s / 2d": "exchange-4 2s 3c 6s 8h",
    "Qh 7s 4d 3s 2c / 9h": "fold",
}

AFTER = {
    "7s 7h Kd 9c 4s / Jd / Kd 9c 4s / 3h 5h 2c": "play",
    "As Kc Qd 6h 4c / 7d / Qd 6h 4c / 7h 5h 2c": "play",
    "As Kc Qd 6h 4c / 7d / Qd 6h 4c / Th 5h 2c": "fold",
    "As Qc 9d 6h 4c / 9s / Qc 9d 6h 4c / 9h Th 5h 2c": "play",
    "As Qc 9d 6h 4c / 9s / Qc 9d 6h 4c / 8h Th 5h 2c": "fold",
    "As Qc 9d 6h 4c 3h / 8s / 3h": "fold",
}

FORCE = {
    "2h 4h 7h 9h Jh / Kc Td 9s 5c 3s": "force",
    "9s Tc Jd Qd Kc Kd / 8h 7h 5s 3s 2c / Kd": "force",
    "9s Tc Jd Qd Kc / 8h 7h 5s 3s 2c": "force",
    "9s Tc Jd Qd Kc / Kh 8s 7h 4s 2c / Tc Jd / 4c 2d": "take-ante",
    "7h 7d 7c As Kd / Qc Jh 8s 4s 3d / Kd 7d / 9c 5h": "force",
    "7h 7d 7c As Qd / Qc Jh 8s 4s 3d / Qd 7d / 9c 5h": "take-ante",
    "7h 7d 8c 8s Ad Ac / Qc Jh 6s 4s 3d / Ac": "force",
    "7h 7d 8c 8s Ad / Qc Jh 6s 4s 3d": "take-ante",
}


@pytest.mark.parametrize(("position", "does"), [*FIRST.items(), *AFTER.items(), *FORCE.items()])
def test_the_practical_strategy_follows_its_lines(position: str, does: str) -> None:
    assert taken("practical", position) == does


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("position")
@pytest.mark.parametrize("position", [*AFTER, *FORCE, *list(FIRST)[::7]])
def test_the_practical_strategy_does_there_what_is_best(position: str) -> None:
    seen, asked = view(position)
    best = max(hint(PROBLEM, seen, asked, ignore_progress), key=lambda each: each.value)
    assert taken("practical", position) == named(best.action, best.cards)


@pytest.mark.parametrize(
    ("strategy", "does"),
    [
        ("simple", "buy buy exchange-3 exchange-2 play fold play fold force take-ante"),
        ("never-draw", "play fold fold play play fold play fold force take-ante"),
        ("mimic-the-dealer", "play fold play play play fold play play take-ante take-ante"),
        ("always-play", "play play play play play play play play take-ante take-ante"),
    ],
)
def test_simpler_strategies(strategy: str, does: str) -> None:
    positions = [
        *("Ts 9s 8s 7c 6h / 6d", "Ks 9d 8d 3d 2d / As", "Ad Kh Th 7c 6d / Jd", "9s 6d 4s 4h 4d / 6h"),
        *("2c 2d 9s 8h 7c / As", "Ac Qd 7d 4s 2h / As"),
        *("7s 7h Kd 9c 4s / Jd / Kd 9c 4s / 3h 5h 2c", "As Kc 9d 6h 4c / Jd / 9d 6h 4c / Jh 5h 2c"),
        *("9s Tc Jd Qd Kc / Kh 8s 7h 4s 2c / Tc Jd / 4c 2d", "7h 7d 7c As Kd / Qc Jh 8s 4s 3d / Kd 7d / 9c 5h"),
    ]
    assert [taken(strategy, position).split()[0] for position in positions] == does.split()


def test_a_strategy_may_be_asked_anything_and_gives_up_cards_it_holds() -> None:
    rng = np.random.default_rng(6)
    for written in load_strategies(GAME):
        for _ in range(300):
            order = rng.permutation(52).tolist()
            seen = LunarView(make_mask(order[:5]), 1 << order[5], 0, 0, 0)
            action, cards = written.choose(load_hand_tables(), seen, FIRST_DECISION, written.numbers, PROBLEM.options)
            assert cards & ~seen.player == 0
            assert cards.bit_count() == GAME.decisions[FIRST_DECISION].actions[action].discards


def test_suits_may_be_renamed() -> None:
    written = load_strategies(GAME)[0]
    rng = np.random.default_rng(7)

    def renamed(mask: int, suits: Sequence[int]) -> int:
        return sum(1 << (13 * suits[code // 13] + code % 13) for code in DECK_52.cards if mask >> code & 1)

    for _ in range(300):
        order, suits = rng.permutation(52).tolist(), rng.permutation(4).tolist()
        seen = LunarView(make_mask(order[:5]), 1 << order[5], 0, 0, 0)
        other = LunarView(*(renamed(mask, suits) for mask in seen))
        action, cards = written.choose(load_hand_tables(), seen, FIRST_DECISION, written.numbers, PROBLEM.options)
        again = written.choose(load_hand_tables(), other, FIRST_DECISION, written.numbers, PROBLEM.options)
        assert again == (action, renamed(cards, suits))


practical = rules.practical


@kernel
def compiled(
    tables: HandTables, views: IntArray, asked: int, numbers: tuple[int, ...], options: LunarOptions
) -> IntArray:
    """Return what the practical strategy does at many positions."""
    found = np.zeros((len(views), 2), np.int64)
    for each in range(len(views)):
        player, dealer, drew, discarded = views[each]
        found[each] = practical(tables, LunarView(player, dealer, 0, drew, discarded), asked, numbers, options)
    return found


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("positions", [FIRST, AFTER, FORCE])
def test_compiled_it_does_the_same(positions: dict[str, str]) -> None:
    seen = [view(position) for position in positions]
    masks = np.array([(each.player, each.dealer, each.drew, each.discarded) for each, _ in seen], np.int64)
    written = load_strategies(GAME)[0]
    plain = [written.choose(load_hand_tables(), each, asked, written.numbers, PROBLEM.options) for each, asked in seen]
    found = compiled(load_hand_tables(), masks, seen[0][1], written.numbers, PROBLEM.options)
    assert [tuple(each) for each in found.tolist()] == plain
