"""Small games made at random in which the player draws a card or none before a declared showdown.

The seat sees its own cards, and decides once, if its cards let it: it folds, stands, drops or exchanges cards, or buys
one.  The dealer may draw a card before showing the hand or after.  Strengths, what is legal and what is paid are
hashes, as in ``showdown_games``.
"""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from engine.legs import MAIN_LEGS
from engine.showdown_games import FULL_SUIT, Options, ShowdownGame, rank_cards
from pitboss.cards import DECK_52, DECK_54, FIRST_JOKER, RANK_COUNT, take_cards
from pitboss.contract import (
    NO_DECISION,
    UNSETTLED,
    Action,
    Decision,
    Game,
    Outcome,
    Rules,
    Showdown,
    ViewField,
    Wager,
    Zone,
)
from pitboss.solver_api import SolverProblem, Strategy

ACTIONS = (
    Action("fold"),
    Action("stand"),
    Action("drop", discards=1),
    Action("exchange", discards=1, draws=1),
    Action("exchange-2-for-1", discards=2, draws=1),
    Action("buy", draws=1),
)
FOLD = 0
OUTCOMES = 40
FEW, MANY = 4_000, 20_000


class State(NamedTuple):
    """One seat's round."""

    player: int
    given: int
    drawn: int
    dealer: int
    sixth: int
    burnt: int
    path: int
    shown: int


class View(NamedTuple):
    """What the seat sees."""

    player: int
    dealer: int


class Shape(NamedTuple):
    """What a game is made of: numbers of cards, what is legal, and what ranks hands."""

    own: int
    hidden: int
    burnt: int
    dealer_draws: int
    legal: int
    legal_varies: bool
    automatic: bool
    fold_compares: bool
    given_counts: bool
    mine_cuts: tuple[int, ...]
    dealer_cuts: tuple[int, ...]
    seed: int


class Drawn(NamedTuple):
    """What is drawn for a game: its shape, its cards, and the nets of its outcomes."""

    shape: Shape
    cards: tuple[int, ...]
    nets: tuple[int, ...]


def draw_parts(seed: int) -> Drawn:
    """Draw the parts of a game from a seed, with some thousands of rounds at most."""
    rng = random.Random(seed)
    while True:
        shape, ranks, jokers = _draw_shape(rng), rng.choice((2, 2, 3)), rng.choice((0, 0, 1, 2))
        cards = [RANK_COUNT * suit + rank for rank in rng.sample(range(RANK_COUNT), ranks) for suit in range(4)]
        cards += range(FIRST_JOKER, FIRST_JOKER + jokers)
        if count_rounds(shape, len(cards)) <= (MANY if seed % 4 == 3 else FEW):
            break
    nets = tuple(rng.choice((-2, -1, -1, 0, 1, 1, 2, 7)) for _ in range(OUTCOMES))
    return Drawn(shape, tuple(sorted(cards)), nets)


def make_draw_game(seed: int) -> ShowdownGame:
    """Make a game from a seed."""
    shape, cards, nets = draw_parts(seed)
    game = build_game(shape, DECK_54 if cards[-1] >= FIRST_JOKER else DECK_52)
    return ShowdownGame(game, SolverProblem(Options(), nets), cards)


def _draw_shape(rng: random.Random) -> Shape:
    own = rng.choice((1, 2, 2, 3))
    allowed = [action for action, each in enumerate(ACTIONS) if each.discards <= own]
    return Shape(
        own=own,
        hidden=rng.choice((1, 2)),
        burnt=rng.choice((0, 0, 1)),
        dealer_draws=rng.choice((0, 1, 2)),
        legal=sum(1 << action for action in rng.sample(allowed, rng.randint(1, min(4, len(allowed))))),
        legal_varies=rng.random() < 0.5,
        automatic=rng.random() < 0.5,
        fold_compares=rng.random() < 0.3,
        given_counts=rng.random() < 0.3,
        mine_cuts=tuple(sorted(rng.sample(range(2, 60), rng.choice((0, 1, 2))))),
        dealer_cuts=tuple(sorted(rng.sample(range(2, 60), rng.choice((0, 1, 2))))),
        seed=rng.randrange(1000),
    )


def count_rounds(shape: Shape, cards: int) -> int:
    """Return about how many rounds are settled if every deal is played in every way."""
    deals, left = 1, cards
    for size in (shape.own, shape.hidden, shape.burnt, int(shape.dealer_draws > 0)):
        deals, left = deals * comb(left, size), left - size
    ways = sum(
        comb(shape.own, action.discards) * left**action.draws
        for index, action in enumerate(ACTIONS)
        if shape.legal >> index & 1
    )
    return deals * ways if left else MANY + 1


def build_game(shape: Shape, deck: Any) -> Game:
    """Build the game of a shape, its rules as closures."""
    dealt = shape.own + shape.hidden + shape.burnt

    def deal(cards: Sequence[int], _seats: int, _seat: int, _wagered: int) -> State:
        own, hidden = take_cards(cards, 0, shape.own), take_cards(cards, shape.own, shape.hidden)
        return State(own, 0, 0, hidden, 0, take_cards(cards, shape.own + shape.hidden, shape.burnt), 0, 0)

    def is_asked(state: State) -> bool:
        return not shape.automatic or rank_cards(state.player, shape.seed + 1) % 3 > 0

    def view(state: State) -> View:
        held = state.player & ~state.given | (state.drawn if state.shown else 0)
        return View(held, state.dealer | state.sixth if state.shown else 0)

    def legal_actions(_tables: Any, seen: View, _decision: int, _stub: int, _options: Options) -> int:
        most = shape.legal.bit_length() - 1
        return 1 << most if shape.legal_varies and rank_cards(seen.player, shape.seed + 2) % 2 else shape.legal

    def count_draws(_tables: Any, state: State, _options: Options) -> int:
        return ACTIONS[state.path - 1].draws if state.path and not state.drawn else 0

    def count_dealer_draws(state: State) -> int:
        return int(shape.dealer_draws == 1 + state.shown and state.sixth == 0)

    def is_ended(state: State) -> bool:
        return (state.path == 1 + FOLD and not shape.fold_compares) or (state.path == 0 and not is_asked(state))

    def mine(_tables: Any, state: State, _options: Options) -> int:
        final = rank_cards(state.player & ~state.given | state.drawn, shape.seed)
        return final + rank_cards(state.given, shape.seed) if shape.given_counts else final

    def theirs(_tables: Any, state: State, _options: Options) -> int:
        return rank_cards(state.dealer | state.sixth, shape.seed)

    def outcome(state: State, one: int, other: int, _options: Options) -> int:
        if state.path == 0 or (state.path == 1 + FOLD and not shape.fold_compares):
            return state.path
        order = 2 if one > other else 1 if one == other else 0
        classes = bisect_right(shape.mine_cuts, one), bisect_right(shape.dealer_cuts, other)
        return (97 * state.path + 31 * classes[0] + 17 * classes[1] + 5 * order + shape.seed) % OUTCOMES

    def settle(tables: Any, state: State, options: Options) -> tuple[int]:
        if state.shown == 0 and not is_ended(state):
            return (UNSETTLED,)
        return (outcome(state, mine(tables, state, options), theirs(tables, state, options), options),)

    rules = Rules(
        count_dealt=lambda _seats: dealt,
        deal=deal,
        next_decision=lambda _tables, state, _options: NO_DECISION if state.path or not is_asked(state) else 0,
        view=view,
        legal_actions=legal_actions,
        act=lambda state, _decision, action, cards: state._replace(path=action + 1, given=cards),
        count_draws=count_draws,
        receive_draw=lambda state, cards: state._replace(drawn=cards),
        count_dealer_draws=count_dealer_draws,
        receive_dealer_draw=lambda state, cards: state._replace(sixth=cards),
        show_dealer=lambda state: state._replace(shown=1),
        settle=settle,
    )
    return Game(
        id="random-draw",
        name="Random draw",
        summary="A game made at random.",
        deck=deck,
        deal_order=(Zone("seat", dealt),),
        wagers=(
            Wager("main", "Main", tuple(Outcome(f"end-{end}", MAIN_LEGS) for end in range(OUTCOMES)), mandatory=True),
        ),
        decisions=(Decision("decision", "What now?", ACTIONS, "fold", (ViewField("player", 1, 3),)),),
        options=(),
        options_type=Options,
        rules=rules,
        folder=Path(__file__).parent,
        showdown=Showdown(mine, theirs, outcome),
    )


def follow_a_hash(made: ShowdownGame, seed: int) -> ShowdownGame:
    """Return the game with a strategy that decides by a hash, and gives up the lowest cards."""
    legal_actions = made.game.rules.legal_actions

    def choose(tables: Any, view: View, asked: int, numbers: Any, options: Any) -> tuple[int, int]:
        legal = legal_actions(tables, view, asked, 0, options)
        actions = [action for action in range(len(ACTIONS)) if legal >> action & 1]
        action = actions[rank_cards(view.player, numbers[0]) % len(actions)]
        # Of cards of one rank those whose suit has more: others are exchanged by an exchange of suits.
        held = sorted(
            (card for card in range(FIRST_JOKER + 2) if int(view.player) >> card & 1),
            key=lambda card: (
                card % RANK_COUNT if card < FIRST_JOKER else RANK_COUNT,
                int(view.player) >> card // RANK_COUNT * RANK_COUNT & FULL_SUIT,
            ),
        )
        return action, sum(1 << card for card in held[: ACTIONS[action].discards])

    strategy = Strategy("hash", "By a hash", (), choose, (seed,))
    return made._replace(problem=replace(made.problem, strategy=strategy))
