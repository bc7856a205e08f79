"""Small games made at random, each from a seed: the rules of ``random_rules``, cards, options, nets, a strategy."""

import random
from collections.abc import Sequence
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

from engine import random_rules
from engine.legs import MAIN_LEGS
from engine.random_rules import (
    ACTIONS,
    BUY,
    DEALT,
    DISCARDS,
    DRAWS,
    EXCHANGE_ONE,
    FIRST_PLAYED,
    FOLD,
    MAIN_OUTCOMES,
    MOST_RAISES,
    NEVER,
    RAISE,
    RESULTS,
    SIDE_OUTCOMES,
    STAY,
    SWITCHES,
    Options,
)
from pitboss.builders import collect_rules
from pitboss.cards import DECK_54, FIRST_JOKER, RANK_COUNT
from pitboss.contract import Action, Decision, Game, HandOwner, Outcome, ViewField, Wager, Zone
from pitboss.solver_api import SolverProblem, Strategy

RULES = collect_rules(random_rules)
SHOWN = (ViewField("player", 1, 3), *(ViewField(field, 0, DEALT) for field in random_rules.View._fields[1:]))
"""What a decision says that the seat sees: any of it, as the switches say."""


SHAPES = ((0, 0), (1, 1), (2, 1), (1, 0), (2, 2), (3, 3), (3, 2))
"""How many decisions, and before which the dealer shows his hand, their number where after all of them.

The first take least to compile.
"""

FOLLOWED = {(1, 1), (2, 2), (3, 2)}
"""The shapes in which a strategy is followed too: each is compiled once more."""


class RandomGame(NamedTuple):
    """A game, its cards and what it is played for; ``size`` is about how many rounds are settled to play every deal."""

    seed: int
    game: Game
    problem: SolverProblem
    cards: tuple[int, ...]
    size: int


def make_random_game(seed: int, shapes: int, smallest: int, largest: int) -> RandomGame:
    """Make a game from a seed, of one of the first shapes, with about so many rounds to settle."""
    rng = random.Random(seed)
    shape = SHAPES[seed % shapes]
    while True:
        made = _make_game(seed, shape, rng)
        if made and smallest <= made.size <= largest:
            return made


def _make_game(seed: int, shape: tuple[int, int], rng: random.Random) -> RandomGame | None:
    """Make a game of a shape, None if what is drawn does not fit together."""
    decisions, opening = shape
    cards = draw_cards(rng)
    switches = {
        "own": rng.choice((1, 2, 2, 2, 3)),
        "extra": rng.randrange(2),
        "board": rng.choice((0, 1, 1, 2)),
        "hidden": rng.choice((1, 1, 2)),
        "extra_at": rng.choice((0, 0, 1, NEVER)),
        "board_at": rng.choice((0, 1, 1, 2, NEVER)),
        "hidden_at": rng.choice((1, 2, NEVER, NEVER, NEVER)),
        "face_down": rng.randrange(2),
        "dealer_draws": rng.choice((0, 0, 0, 1, 2, 3)),
    }
    if opening < decisions:
        switches["dealer_draws"] &= 2
    legal = [_draw_legal(rng) for _ in range(3)]
    options = Options(
        decisions=decisions,
        opening=opening if opening < decisions else len(legal),
        seed=rng.randrange(1000),
        suited=rng.choice((0, 1, 1)),
        coloured=rng.choice((0, 0, 1)),
        odds_first=rng.choice((0, 0, 2, 3)),
        odds_second=rng.choice((0, 0, 2, 3)),
        odds_third=rng.choice((0, 0, 2, 3)),
        legal_first=legal[0],
        legal_second=legal[1],
        legal_third=legal[2],
        legal_varies=rng.randrange(2),
        automatic=rng.choice((0, 0, 0, 1)),
        comparison=rng.randrange(3),
        path_counts=rng.randrange(2),
        side_waits=rng.randrange(2),
        fold_loses=rng.randrange(2),
    )
    draws = [max((DRAWS[action] for action in range(len(ACTIONS)) if each >> action & 1), default=0) for each in legal]
    if any(draws[: decisions - 1]) or (options.automatic and decisions != 1):
        switches["face_down"] = 0
    kept_back = switches["dealer_draws"].bit_count()
    dealt = switches["own"] + switches["extra"] + switches["board"] + switches["hidden"]
    if dealt > DEALT or len(cards) < DEALT + kept_back + options.automatic:
        return None
    game = get_game(shape, _set_switches(switches), kept_back, coloured=bool(options.suited and options.coloured))
    problem = _draw_problem(rng, shape, options, len(cards) - DEALT - kept_back)
    size = _count_rounds(len(cards), switches, options, legal[:decisions])
    return RandomGame(seed, game, problem, cards, size)


def draw_cards(rng: random.Random) -> tuple[int, ...]:
    """Draw a deck: all cards of some ranks in some suits, or most of them, and Jokers."""
    suits = rng.sample(range(4), rng.choice((2, 3, 4, 4)))
    ranks = rng.sample(range(RANK_COUNT), rng.choice((2, 3, 4, 5)))
    cards = [RANK_COUNT * suit + rank for suit in suits for rank in ranks]
    cards += range(FIRST_JOKER, FIRST_JOKER + rng.choice((0, 0, 1, 2)))
    rng.shuffle(cards)
    return tuple(sorted(cards[: rng.choice((6, 7, 7, 8, 8, 9, 10, 12))]))


def _draw_legal(rng: random.Random) -> int:
    legal = 0
    for action, chance in ((FOLD, 0.5), (STAY, 0.8), (RAISE, 0.7), (EXCHANGE_ONE, 0.3), (EXCHANGE_ONE + 1, 0.2)):
        legal |= (rng.random() < chance) << action
    return legal | (rng.random() < 0.15) << BUY or 1 << STAY


def _draw_problem(rng: random.Random, shape: tuple[int, int], options: Options, stub: int) -> SolverProblem:
    """Draw nets, those of stakes or any; side wagers that are staked, and a strategy."""
    nets = [rng.choice((-3, -2, -1, -1, 0, 0, 1, 1, 2)) for _ in range(MAIN_OUTCOMES)]
    if rng.randrange(2):
        nets[:FIRST_PLAYED] = [-1 - raises for raises in range(FIRST_PLAYED)]
        paid = rng.sample((1, 0, -1, 2), RESULTS)
        nets[FIRST_PLAYED:] = [(1 + raises) * pay for raises in range(MOST_RAISES + 1) for pay in paid]
    staked = [bet for bet in ("side", "late") if rng.random() < 0.3]
    side_nets = {bet: tuple(rng.choice((-2, -1, 0, 3)) for _ in range(SIDE_OUTCOMES)) for bet in staked}
    strategy = None
    if shape in FOLLOWED and rng.random() < 0.5:
        strategy = Strategy("hash", "By a hash", (), random_rules.choose, (rng.randrange(1000), stub))
    return SolverProblem(options, tuple(nets), side_nets, strategy)


def _set_switches(switches: dict[str, int]) -> int:
    bits, first = 0, 0
    for name, width in SWITCHES.items():
        bits |= switches[name] << first
        first += width
    return bits


@cache
def get_game(shape: tuple[int, int], switches: int, kept_back: int, *, coloured: bool) -> Game:
    """Return the game with these switches: the wagers that are one count if they are on the player's own hand."""
    decisions, opening = shape
    actions = tuple(map(Action, ACTIONS, DISCARDS, (0,) * len(ACTIONS), ("",) * len(ACTIONS), DRAWS))
    wagers = [
        Wager(
            "main",
            "Main",
            tuple(Outcome(f"end-{number}", MAIN_LEGS) for number in range(MAIN_OUTCOMES)),
            mandatory=True,
        ),
        *(
            Wager(bet, bet, tuple(Outcome(f"{bet}-{number}", ()) for number in range(SIDE_OUTCOMES)))
            for bet in ("side", "late")
        ),
    ]
    wagers[2:] = [Wager("late", "late", wagers[2].outcomes, depends_on_colour=coloured)]
    for bit in range(random_rules.SWITCH_BITS):
        owner = HandOwner.OWN_HAND if switches >> bit & 1 else HandOwner.OTHER_SEAT
        wagers.append(Wager(f"switch-{bit}", f"Switch {bit}", (Outcome(f"switch-{bit}", ()),), hand_owner=owner))
    return Game(
        id="random",
        name="Random",
        summary="A game made at random.",
        deck=DECK_54,
        deal_order=(Zone("seat", DEALT),),
        wagers=tuple(wagers),
        decisions=tuple(
            Decision(f"decision-{at}", "What now?", actions, "stay", SHOWN, at == opening) for at in range(decisions)
        ),
        options=(),
        options_type=Options,
        rules=RULES,
        folder=Path(__file__).parent,
        undrawable_cards=kept_back,
    )


def _count_rounds(deck: int, switches: dict[str, int], options: Options, legal: Sequence[int]) -> int:
    """Return about how many rounds are settled if every deal is played in every way."""
    deals, left = 1, deck
    for group in ("own", "extra", "board", "hidden"):
        deals, left = deals * comb(left, switches[group]), left - switches[group]
    ways = prod(
        sum(
            comb(switches["own"], DISCARDS[action]) * comb(left, DRAWS[action])
            for action in range(len(ACTIONS))
            if each >> action & 1
        )
        for each in legal
    )
    return deals * ways * (left if options.automatic else 1) * (1 + left * switches["dealer_draws"].bit_count() // 2)
