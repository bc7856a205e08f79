"""The coach: what every legal action is worth at a seat's decision, exactly, as the solvers find it in a worker."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

from pitboss.analysis.hints import Hint
from pitboss.analysis.position import Position
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.builders import display_name
from pitboss.cards import format_card, seeded_bits, shuffle_cards
from pitboss.contract import Game
from pitboss.table.domain import Round, Stake, open_round
from pitboss.web.counts import value_actions
from pitboss.web.questions import HINTS, Question

_MAIN = "main"


class Worth(NamedTuple):
    """What the best form of an action is worth in Antes, the cards it gives up, and what it costs against the best."""

    action: str
    name: str
    cards: tuple[str, ...]
    value: Fraction
    cost: Fraction


def ask_for_advice(now: Round, place: int) -> Question:
    """Return the question what every action of the seat is worth whose turn it is."""
    at = _position(now, place)
    beside = _beside(now, place)
    asked = now.game.id, at.view, at.decision_index, at.legal, _frozen(now.options), _pays(now), _frozen(beside)
    key = sha256(repr(asked).encode()).digest()
    return Question(HINTS, key, value_actions, (now.game, now.paytables, now.options, at, beside))


def get_ready(game: Game) -> Question:
    """Return a question that has a game's solver compiled and loaded before anybody needs it: a hand nobody holds."""
    now = some_round(game)
    return ask_for_advice(now, 0)


@cache
def some_round(game: Game) -> Round:
    """Deal a round of the least stakes, always the same, in which something is to be decided."""
    opened = open_round(game)
    for wager in game.wagers:
        if wager.mandatory:
            opened = opened.wager(Stake(0, wager.id, wager.limits.minimum_cents))
    decks = (shuffle_cards(game.deck.cards, seeded_bits(seed)) for seed in count())
    return next(dealt for dealt in map(opened.deal, decks) if dealt.turn)


def worths(now: Round, found: Sequence[Hint]) -> Iterator[Worth]:
    """Yield every legal action with each choice of cards, the best first."""
    return (worth_of(now.game, each, found[0]) for each in found)


def best_forms(found: Iterable[Worth]) -> Iterator[Worth]:
    """Yield each action once, in its best form, the best action first."""
    seen = set()
    for each in found:
        if each.action not in seen:
            seen.add(each.action)
            yield each


def worth_of(game: Game, each: Hint, best: Hint) -> Worth:
    """Return what an action is worth, and what it costs against the best."""
    cards = tuple(format_card(card, game.deck) for card in game.deck.cards if each.cards >> card & 1)
    return Worth(each.action.id, display_name(each.action.id).capitalize(), cards, each.value, best.value - each.value)


def _position(now: Round, place: int) -> Position:
    if now.turn is None or now.turn[0] != place:
        raise ValueError("it is not this seat's turn")
    asked = now.turn[1]
    return Position(asked, now.game.decisions[asked], now.view(place), now.legal_actions())


def _beside(now: Round, place: int) -> dict[str, Fraction]:
    """Return the seat's stakes, in Antes, of the side wagers that its play decides as well."""
    ante = now.stake_cents(place, _MAIN)
    side = {stake.bet: Fraction(now.stake_cents(place, stake.bet), ante) for stake in now.stakes if stake.seat == place}
    return select_played_stakes(now.game, now.options, {bet: stake for bet, stake in side.items() if bet != _MAIN})


def _frozen(mapping: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(sorted(mapping.items()))


def _pays(now: Round) -> tuple[Any, ...]:
    return tuple(
        (kind, tuple((line, pay.amount) for line, pay in each.lines.items())) for kind, each in now.paytables.items()
    )
