"""How often the hand after a draw is a pair, two pair and so on, exactly.

Before the last decision some solvers tell no chances to win (``outcome_chances``).  What a draw makes of the hand is
counted here, over every draw from the cards that the seat has not seen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from pitboss.analysis.position import Position, find_state
from pitboss.cards import make_mask
from pitboss.contract import Game
from pitboss.hands import NO_HAND, get_category, get_category_name, load_hand_tables, pack_lowest_strength
from pitboss.options import encode_options

_MOST_DRAWS = 1 << 22
"""The most draws that are counted for a position: a fraction of a second."""

_QUALIFIES = "dealer_qualifies"


@dataclass(frozen=True, slots=True)
class DrawChances:
    """How strong a draw makes a hand.

    ``cards`` is the set of cards that the action discards, and ``held`` the strength of the hand before it.  Each of
    the ``steps`` is the lowest strength of some hands, and how likely the draw makes at least that.
    """

    action: str
    cards: int
    held: int
    steps: tuple[tuple[int, Fraction], ...]

    @property
    def held_step(self) -> int | None:
        """The highest step that the hand is at before the draw, if any."""
        return max((step for step, _ in self.steps if step <= self.held), default=None)

    @property
    def is_kept(self) -> bool:
        """Whether every draw leaves a hand at that step or a higher one."""
        return dict(self.steps).get(self.held_step or 0) == 1


def compute_draw_chances(game: Game, options: Mapping[str, str], position: Position) -> tuple[DrawChances, ...]:
    """Count the hands after each legal draw and choice of cards given up.

    There are none at the last decision, in a game whose rules do not rank the hand, or where more draws are possible
    than are counted soon.

    >>> from pitboss.analysis.game_terms import GameTerms
    >>> from pitboss.analysis.hint_request import parse_hint_request
    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("lunar")
    >>> terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    >>> asked = parse_hint_request(game, terms, {"player": "9s 9d 7c 4s 2d", "dealer": "Ks"})
    >>> buy = compute_draw_chances(game, terms.options, asked.position)[0]
    >>> [str(chance) for _, chance in buy.steps]  # ace-king, a pair, two pair or better
    ['1', '1', '11/46']
    """
    if position.decision_index == len(game.decisions) - 1 or not any(each.draws for each in position.legal):
        return ()
    codes, tables = encode_options(game, options), load_hand_tables()
    state = find_state(game, options, position)
    held = game.rules.evaluate_hands(tables, state, codes)[0]
    unseen = [card for card in game.deck.cards if not any(cards >> card & 1 for cards in position.view)]
    draws = [
        (action, given, after, game.rules.count_draws(tables, after, codes))
        for action, given, after in _iter_draws(game, position, state)
    ]
    if held == NO_HAND or sum(comb(len(unseen), size) for *_, size in draws) > _MOST_DRAWS:
        return ()
    # Kernels are imported only where something is counted.
    from pitboss.engine.drawn_hands import count_drawn_hands

    steps, found = _list_steps(held, getattr(codes, _QUALIFIES, 0)), []
    for action, given, after, size in draws:
        counts = count_drawn_hands(game, codes, after, unseen, size, steps)
        shares = (Fraction(count, comb(len(unseen), size)) for count in counts)
        found.append(DrawChances(action, given, held, tuple(zip(steps, shares, strict=True))))
    return tuple(found)


def _list_steps(held: int, qualifying: int) -> tuple[int, ...]:
    """List the strengths that tell what a draw makes of a hand, in order.

    They are the hand's own category, at least a pair, and the next one.  What the dealer needs is the first, if it is
    less than a pair and the hand is not more.

    >>> pair, ace_king = pack_lowest_strength(1, 9), pack_lowest_strength(0, 14, 13)
    >>> [hex(step) for step in _list_steps(pair, ace_king)]
    ['0xed000', '0x100000', '0x200000']
    >>> [hex(step) for step in _list_steps(pack_lowest_strength(2, 9, 9), ace_king)]
    ['0x200000', '0x300000']
    """
    category = get_category(held)
    own = category + (get_category_name(held) == "high-card")
    steps = (pack_lowest_strength(own), pack_lowest_strength(own + 1))
    is_below = get_category_name(steps[0]) == "pair" and 0 < qualifying < steps[0]
    return (qualifying, *steps) if is_below else steps


def _iter_draws(game: Game, position: Position, state: Any) -> Iterator[tuple[str, int, Any]]:
    """Yield each draw with each choice of cards given up, and the state after it."""
    held = [card for card in game.deck.cards if position.view.player >> card & 1]
    for number, action in enumerate(position.decision.actions):
        if action.draws and action in position.legal:
            for given in map(make_mask, combinations(held, action.discards)):
                yield action.id, given, game.rules.act(state, position.decision_index, number, given)
