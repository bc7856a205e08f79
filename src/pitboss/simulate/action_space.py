"""The answers of a seat, numbered.

An answer is an action of a decision with a choice of the cards that it gives up.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, get_ranks, make_card
from pitboss.contract import Game
from pitboss.core.rule import rule

NOTHING_ASKED = -1


@cache
def list_view_fields(game: Game) -> tuple[str, ...]:
    """List the names of the view's fields.

    >>> from pitboss.games import load_game
    >>> list_view_fields(load_game("wild-52"))
    ('player', 'community', 'dealer')
    """
    fields: tuple[str, ...] = game.rules.view(game.rules.deal(game.deck.cards, 1, 0, 1))._fields
    return fields


class Choice(NamedTuple):
    """An answer to a decision: the action, and the cards it gives up.

    ``positions`` are the positions of these cards in the hand, as bits.  A hand is sorted by rank from the deuce up,
    then by suit (spades, hearts, diamonds, clubs), Jokers last.
    """

    decision: int
    action: int
    positions: int


SEE_RESULT = Choice(NOTHING_ASKED, 0, 0)
"""The only choice where nothing is asked: see how the round ends."""


@cache
def list_choices(game: Game) -> tuple[Choice, ...]:
    """List every answer to every decision of a game in order, then ``SEE_RESULT``.

    >>> from pitboss.games import load_game
    >>> [len(list_choices(load_game(name))) for name in ("six-card", "wild-six-card", "lunar")]
    [3, 7, 34]
    """
    choices: list[Choice] = []
    for index, decision in enumerate(game.decisions):
        hand = range(max(seen.max_cards for seen in decision.view_fields if seen.field == "player"))
        for number, action in enumerate(decision.actions):
            positions = (
                sum(1 << position for position in discarded) for discarded in combinations(hand, action.discards)
            )
            choices += [Choice(index, number, each) for each in positions]
    return (*choices, SEE_RESULT)


@cache
def list_circles(game: Game) -> tuple[str, ...]:
    """List the circles for chips.

    The circles of the wagers come first, then those of the raises and fees.

    >>> from pitboss.games import load_game
    >>> list_circles(load_game("six-card"))
    ('ante', 'aces-up', 'bad-beat', 'progressive', 'play')
    """
    placed = [circle for wager in game.wagers for circle in wager.circles or (wager.id,)]
    added = [action.circle for decision in game.decisions for action in decision.actions if action.circle]
    return tuple(dict.fromkeys([*placed, *added]))


def find_timeout_choices(game: Game) -> list[int]:
    """Return for each decision the choice of a seat that does not answer in time.

    Such a seat discards its lowest cards.
    """
    choices = list_choices(game)
    ids = [[action.id for action in decision.actions] for decision in game.decisions]
    return [
        next(
            number
            for number, choice in enumerate(choices)
            if choice[:2] == (index, ids[index].index(decision.timeout_action))
        )
        for index, decision in enumerate(game.decisions)
    ]


@rule
def select_cards(held: int, positions: int) -> int:
    """Return the cards at some positions of a hand, sorted as ``Choice`` says.

    >>> from pitboss.cards import DECK_53, format_cards, make_mask, parse_cards
    >>> format_cards(select_cards(make_mask(parse_cards("As 2c Jk 9d 9h", DECK_53)), 0b10101), DECK_53)
    '9d 2c Jk'
    """
    selected = 0
    if positions == 0:
        return selected
    present = get_ranks(held)
    for height in range(RANK_COUNT):
        for suit_index in range(SUIT_COUNT if present >> height & 1 else 0):
            code = make_card(height, suit_index)
            if held >> code & 1:
                selected |= (positions & 1) << code
                positions >>= 1
    for code in (FIRST_JOKER, FIRST_JOKER + 1):
        if held >> code & 1:
            selected |= (positions & 1) << code
            positions >>= 1
    return selected
