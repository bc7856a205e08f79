"""Small games made at random that end in a declared showdown.

The player has some cards, the dealer has some, and public cards come in up to three groups.  At each of up to three
decisions the seat folds, goes on, or raises; a raise may end its decisions.  What is paid is a hash of the path, of the
order of the two strengths and of the classes between some cuts.  Strengths depend on ranks and on how many cards share
a suit.
"""

import random
from bisect import bisect_right
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from engine.legs import MAIN_LEGS
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
from pitboss.solver_api import SolverProblem

FOLD, GO_ON, RAISE = range(3)
OUTCOMES = 40
SIDE, SIDE_OUTCOMES = "side", 3
MOST_DEALS = 3_000
NEVER = 9
"""The decision that sees a group which only the end shows."""

FULL_SUIT = (1 << RANK_COUNT) - 1


class State(NamedTuple):
    """One seat's round."""

    player: int
    dealer: int
    first: int
    second: int
    third: int
    asked: int
    path: int
    ended: int
    shown: int


class View(NamedTuple):
    """What the seat sees."""

    player: int
    dealer: int
    first: int
    second: int
    third: int


class Options(NamedTuple):
    """There are none."""


class Shape(NamedTuple):
    """What a game is made of: see ``make_shape``."""

    own: int
    hidden: int
    sizes: tuple[int, ...]
    stages: tuple[int, ...]
    decisions: int
    raise_ends: tuple[bool, ...]
    fold_first: bool
    mine_cuts: tuple[int, ...]
    dealer_cuts: tuple[int, ...]
    alike: bool
    seed: int


class ShowdownGame(NamedTuple):
    """A game, what it is played for, and its cards."""

    game: Game
    problem: SolverProblem
    cards: tuple[int, ...]


def make_showdown_game(seed: int) -> ShowdownGame:
    """Make a game from a seed, with at most some thousands of deals."""
    rng = random.Random(seed)
    shape = _draw_shape(rng)
    suits, jokers = rng.choice((1, 2, 3, 4)), rng.choice((0, 0, 0, 1, 2))
    naturals = shape.own + shape.hidden + sum(shape.sizes) + 1 - jokers
    ranks = rng.sample(range(RANK_COUNT), -(-naturals // suits))
    cards = [RANK_COUNT * suit + rank for rank in ranks for suit in range(suits)][:naturals]
    cards += range(FIRST_JOKER, FIRST_JOKER + jokers)
    nets = tuple(rng.choice((-2, -1, -1, 0, 1, 1, 2, 7)) for _ in range(OUTCOMES))
    game = build_game(shape, DECK_54 if jokers else DECK_52)
    return ShowdownGame(game, SolverProblem(Options(), nets), tuple(sorted(cards)))


def is_alike(seed: int) -> bool:
    """Tell whether both hands of a game are ranked by one rule."""
    return _draw_shape(random.Random(seed)).alike


def _draw_shape(rng: random.Random) -> Shape:
    """Draw the parts of a game until it has few deals."""
    while compute_common_deal_count(shape := make_shape(rng)) > MOST_DEALS:
        pass
    return shape


def compute_common_deal_count(shape: Shape) -> int:
    """Count the deals of a deck with one card more than are dealt."""
    deals, free = 1, shape.own + shape.hidden + sum(shape.sizes) + 1
    for size in (shape.own, shape.hidden, *shape.sizes):
        deals, free = deals * comb(free, size), free - size
    return deals


def make_shape(rng: random.Random) -> Shape:
    """Draw the parts of a game."""
    decisions, groups = rng.choice((1, 1, 2, 2, 3)), rng.choice((0, 1, 1, 2, 2, 3))
    sizes = tuple(rng.choice((1, 1, 2)) for _ in range(groups))
    stages = tuple(sorted(rng.choice((0, 1, 2, NEVER)) for _ in range(groups)))
    own = rng.choice((1, 2, 2, 3)) if sum(sizes) < 4 else rng.choice((1, 2))
    alike = rng.random() < 0.5
    return Shape(
        own=own,
        hidden=own if alike else rng.choice((1, 2)),
        sizes=sizes,
        stages=tuple(stage if stage < decisions else NEVER for stage in stages),
        decisions=decisions,
        raise_ends=tuple(rng.random() < 0.6 for _ in range(decisions)),
        fold_first=rng.random() < 0.5,
        mine_cuts=tuple(sorted(rng.sample(range(2, 60), rng.choice((0, 1, 2))))),
        dealer_cuts=tuple(sorted(rng.sample(range(2, 60), rng.choice((0, 1, 2))))),
        alike=alike,
        seed=rng.randrange(1000),
    )


def rank_cards(cards: int, seed: int) -> int:
    """Rank cards from 0 to 60 by a hash of their ranks.

    Two cards of one suit add one.
    """
    cards, seed, ranks = int(cards), int(seed), []  # NumPy's come from census kernels
    rest = cards
    while rest:
        card = (rest & -rest).bit_length() - 1
        ranks.append(card % RANK_COUNT if card < FIRST_JOKER else RANK_COUNT)
        rest &= rest - 1
    most = max((cards >> RANK_COUNT * suit & FULL_SUIT).bit_count() for suit in range(4))
    total = seed
    for rank in sorted(ranks):
        total = (31 * total + rank + 7) % 9973
    return total % 29 * 2 + (most > 1)


def build_game(shape: Shape, deck: Any, *, reads_third: bool = True, blind: bool = False) -> Game:
    """Build the game of a shape, its rules as closures.

    Without ``reads_third``, no hand has the third cards; if ``blind``, the player's hand has no public cards.
    """
    dealt = shape.own + shape.hidden + sum(shape.sizes)
    starts = [shape.own + shape.hidden + sum(shape.sizes[:group]) for group in range(len(shape.sizes))]

    def deal(cards: Sequence[int], _seats: int, _seat: int, _wagered: int) -> State:
        public = [take_cards(cards, start, size) for start, size in zip(starts, shape.sizes, strict=True)]
        public += [0] * (3 - len(public))
        own, hidden = take_cards(cards, 0, shape.own), take_cards(cards, shape.own, shape.hidden)
        return State(own, hidden, public[0], public[1], public[2], 0, 0, 0, 0)

    def view(state: State) -> View:
        public = (state.first, state.second, state.third)
        stages = (*shape.stages, NEVER, NEVER, NEVER)
        seen = [
            cards if state.shown or stage <= state.asked else 0 for cards, stage in zip(public, stages, strict=False)
        ]
        return View(state.player, state.dealer if state.shown else 0, *seen)

    def act(state: State, decision: int, action: int, _cards: int) -> State:
        ends = action == FOLD or (action == RAISE and shape.raise_ends[decision])
        return state._replace(asked=decision + 1, path=3 * state.path + action + 1, ended=int(ends))

    def is_folded(state: State) -> bool:
        return bool(state.path) and state.path % 3 == FOLD + 1

    def legal_actions(_tables: Any, _view: View, decision: int, _stub: int, _options: Options) -> int:
        return 7 if shape.fold_first or decision == shape.decisions - 1 else 6

    def outcome(state: State, mine: int, theirs: int, _options: Options) -> int:
        if is_folded(state):
            return state.path % OUTCOMES
        order = 2 if mine > theirs else 1 if mine == theirs else 0
        classes = bisect_right(shape.mine_cuts, mine), bisect_right(shape.dealer_cuts, theirs)
        return (97 * state.path + 31 * classes[0] + 17 * classes[1] + 5 * order + shape.seed) % OUTCOMES

    def settle(tables: Any, state: State, options: Options) -> tuple[int, int]:
        if state.shown == 0 and not is_folded(state):
            return UNSETTLED, UNSETTLED
        main = outcome(state, mine(tables, state, options), theirs(tables, state, options), options)
        if is_folded(state) and shape.seed % 2:
            return main, 0  # a fold loses the side wager
        seen = rank_cards(state.player | state.first | state.second | state.third, shape.seed + 5)
        return main, seen % SIDE_OUTCOMES if state.shown else UNSETTLED

    def find_public(state: State) -> int:
        return state.first | state.second | (state.third if reads_third else 0)

    def mine(_tables: Any, state: State, _options: Options) -> int:
        return rank_cards(state.player | (0 if blind else find_public(state)), shape.seed)

    def theirs(_tables: Any, state: State, _options: Options) -> int:
        return rank_cards(state.dealer | find_public(state), shape.seed + (not shape.alike))

    rules = Rules(
        count_dealt=lambda _seats: dealt,
        deal=deal,
        next_decision=lambda _tables, state, _options: (
            NO_DECISION if state.ended or state.asked == shape.decisions else state.asked
        ),
        view=view,
        legal_actions=legal_actions,
        act=act,
        show_dealer=lambda state: state._replace(shown=1),
        settle=settle,
    )
    actions = tuple(Action(action) for action in ("fold", "go-on", "raise"))
    return Game(
        id="random-showdown",
        name="Random showdown",
        summary="A game made at random.",
        deck=deck,
        deal_order=(Zone("seat", dealt),),
        wagers=(
            Wager("main", "Main", tuple(Outcome(f"end-{end}", MAIN_LEGS) for end in range(OUTCOMES)), mandatory=True),
            Wager(SIDE, "Side", tuple(Outcome(f"side-{end}", ()) for end in range(SIDE_OUTCOMES))),
        ),
        decisions=tuple(
            Decision(f"decision-{at}", "What now?", actions, "go-on", (ViewField("player", 1, 3),))
            for at in range(shape.decisions)
        ),
        options=(),
        options_type=Options,
        rules=rules,
        folder=Path(__file__).parent,
        showdown=Showdown(mine, theirs, outcome),
    )
