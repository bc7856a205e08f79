"""High Card Flush, of any number of cards: the longest flush wins, and its length limits the raise.

``count_by_suits`` derives its best play a second time.  It shares no code with the rules or the engine: the dealer's
hands that are weaker than a flush are a product over the four suits.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from pathlib import Path
from typing import Any, NamedTuple

from engine.legs import MAIN_LEGS
from pitboss.cards import DECK_52, get_suit_ranks, popcount, take_cards
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
from pitboss.core.rule import rule

RANKS = 13
QUALIFYING = 3, 1 << 7
"""Three cards, nine high: the length and the ranks of the dealer's lowest flush that qualifies."""

ACTIONS = ("fold", "1x", "2x", "3x")
NETS = (-1, *(net for size in (1, 2, 3) for net in (1 + size, 0, -1 - size, 1)))


class State(NamedTuple):
    """One seat's round."""

    player: int
    dealer: int
    action: int
    shown: int


class View(NamedTuple):
    """What the seat sees."""

    player: int
    dealer: int


class Options(NamedTuple):
    """No options."""


@rule
def rank_flush(cards: int) -> int:
    best = 0
    for suit in range(4):
        ranks = get_suit_ranks(cards, suit)
        best = max(best, popcount(ranks) << RANKS | ranks)
    return best


@rule
def rank_flush_of_player(_tables: Any, state: State, _options: Options) -> int:
    return rank_flush(state.player)


@rule
def rank_flush_of_dealer(_tables: Any, state: State, _options: Options) -> int:
    return rank_flush(state.dealer)


@rule
def settle_raise(state: State, mine: int, theirs: int, _options: Options) -> int:
    if state.action == 0:
        return 0
    result = 0 if mine > theirs else 1 if mine == theirs else 2
    return 4 * state.action - 3 + (3 if theirs < (3 << RANKS | 1 << 7) else result)


def make_flush_game(cards: int, lengths: tuple[int, int]) -> Game:
    """Make the game of hands of some cards; from ``lengths`` cards of a suit on, two and three Antes may be raised."""
    twice, thrice = lengths

    @rule
    def deal(deck: Sequence[int], _seats: int, _seat: int, _wagered: int) -> State:
        return State(take_cards(deck, 0, cards), take_cards(deck, cards, cards), -1, 0)

    @rule
    def legal_actions(_tables: Any, view: View, _decision: int, _stub: int, _options: Options) -> int:
        length = rank_flush(view.player) >> RANKS
        return 15 if length >= thrice else 7 if length >= twice else 3

    def settle(tables: Any, state: State, options: Options) -> tuple[int]:
        if not state.shown and state.action:
            return (UNSETTLED,)
        mine, theirs = rank_flush_of_player(tables, state, options), rank_flush_of_dealer(tables, state, options)
        return (settle_raise(state, mine, theirs, options),)

    @rule
    def view(state: State) -> View:
        return View(state.player, state.dealer if state.shown else 0)

    rules = Rules(
        count_dealt=lambda _seats: 2 * cards,
        deal=deal,
        next_decision=lambda _tables, state, _options: 0 if state.action < 0 else NO_DECISION,
        view=view,
        legal_actions=legal_actions,
        act=lambda state, _decision, action, _cards: state._replace(action=action),
        show_dealer=lambda state: state._replace(shown=1),
        settle=settle,
    )
    return Game(
        id="flush",
        name="Flush",
        summary="The longest flush wins.",
        deck=DECK_52,
        deal_order=(Zone("seat", cards), Zone("dealer", cards)),
        wagers=(Wager("main", "Main", tuple(Outcome(f"outcome-{index}", MAIN_LEGS) for index in range(len(NETS)))),),
        decisions=(
            Decision(
                "raise",
                "",
                tuple(map(Action, ("fold", "1x", "2x", "3x"))),
                "fold",
                (ViewField("player", cards, cards),),
            ),
        ),
        options=(),
        options_type=Options,
        rules=rules,
        folder=Path(),
        showdown=Showdown(rank_flush_of_player, rank_flush_of_dealer, settle_raise),
    )


def count_by_suits(cards: int, lengths: tuple[int, int], ranks: Sequence[int]) -> tuple[int, int, int]:
    """Return the player's net over all deals with his best play, the deals that he plays, and all deals."""
    suits = sorted(sum(1 << rank for rank in chosen) for chosen in list_subsets(ranks) if len(chosen) <= cards)
    deck = sum(1 << rank for rank in ranks)
    net = played = hands = 0
    theirs = comb(4 * len(ranks) - cards, cards)
    for hand in combinations_with_replacement(suits, 4):
        if sum(map(int.bit_count, hand)) != cards:
            continue
        ways = factorial(4) // prod(factorial(hand.count(suit)) for suit in set(hand))
        length, best = max((suit.bit_count(), suit) for suit in hand)
        free = [deck ^ suit for suit in hand]
        weaker, not_better = (count_weaker(free, cards, length, best + more) for more in (0, 1))
        unqualified = count_weaker(free, cards, *QUALIFYING)
        wins, losses = max(weaker - unqualified, 0), theirs - max(not_better, unqualified)
        most = 3 if length >= lengths[1] else 2 if length >= lengths[0] else 1
        values = [-theirs, *(unqualified + (1 + size) * (wins - losses) for size in range(1, most + 1))]
        net, hands = net + ways * max(values), hands + ways
        played += ways * theirs * (max(values) > -theirs)
    return net, played, hands * theirs


def list_subsets(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """List all sets of ranks."""
    subsets: list[tuple[int, ...]] = [()]
    for rank in ranks:
        subsets += [(*subset, rank) for subset in subsets]
    return subsets


def count_weaker(free: Sequence[int], cards: int, length: int, ranks: int) -> int:
    """Count the hands of free cards whose longest flush is shorter, or as long and lower."""
    ways = [1, *[0] * cards]
    for suit in free:
        shorter = [comb(suit.bit_count(), size) if size < length else 0 for size in range(cards + 1)]
        shorter[length] = count_lower(suit, length, ranks)
        ways = [sum(ways[others] * shorter[size - others] for others in range(size + 1)) for size in range(cards + 1)]
    return ways[cards]


def count_lower(suit: int, size: int, ranks: int) -> int:
    """Count the sets of so many ranks of a suit that are lower, as integers, than ``ranks``."""
    count = 0
    for rank in range(RANKS, -1, -1):
        if ranks >> rank & 1:
            count += comb((suit & (1 << rank) - 1).bit_count(), size)
            if not suit >> rank & 1 or size == 0:
                return count
            size -= 1
    return count
