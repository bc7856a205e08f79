"""The coach: what every legal action is worth at a seat's decision, exactly, and what a decision taken cost.

The work is the solvers', one position at a time in a thread of its own; what was found is kept.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from pitboss.analysis.hints import Hint, hints
from pitboss.analysis.position import Position
from pitboss.analysis.stakes import played_for
from pitboss.cards import format_card, reordered, seeded_bits
from pitboss.contract import Game
from pitboss.core.progress import silent
from pitboss.describe import spoken
from pitboss.table.domain import Decided, Round, Stake, open_round
from pitboss.table.sitting import Sitting
from pitboss.web.counted import Counted

_MAIN = "main"


class Worth(NamedTuple):
    """What the best form of an action is worth in Antes, the cards it gives up, and what it costs against the best."""

    action: str
    name: str
    cards: tuple[str, ...]
    value: Fraction
    cost: Fraction


class Lesson(NamedTuple):
    """A decision that was taken: where, what, what would have been best, and what it cost, in Antes and cents."""

    round: int
    decision: str
    chosen: Worth
    best: Worth
    ante_cents: int

    @property
    def cost_cents(self) -> float:
        """What it cost on average, in cents."""
        return float(self.chosen.cost * self.ante_cents)


@dataclass
class Coach:
    """Advice, computed once a position."""

    _counted: Counted = field(default_factory=Counted)

    def advice(self, now: Round, place: int) -> Future[tuple[Hint, ...]]:
        """Begin to value every action of the seat whose turn it is, or return what was begun before."""
        at = _position(now, place)
        beside = _beside(now, place)
        key = (now.game.id, at.view, at.asked, at.legal, _frozen(now.options), _pays(now), _frozen(beside))
        return self._counted.begun(key, lambda: hints(now.game, now.paytables, now.options, at, silent, beside))

    @property
    def busy(self) -> bool:
        """Whether a position is being valued."""
        return self._counted.busy

    def warm(self, game: Game) -> Future[tuple[Hint, ...]]:
        """Have a game's solver compiled and loaded before anybody asks it: value a hand that nobody holds, once."""

        def value() -> tuple[Hint, ...]:
            now = some_round(game)
            return hints(game, now.paytables, now.options, _position(now, 0), silent)

        return self._counted.begun(("warm", game.id), value)

    def lesson(self, before: Sitting, seat: int, taken: Decided) -> Lesson:
        """Say what a decision cost that a seat took ``before``; waits until that is known."""
        if before.round is None:
            raise ValueError("nobody has anything to decide there")
        now, place = before.round, before.playing.index(seat)
        found = self.advice(now, place).result()
        given = sum(1 << card for card in taken.cards)
        chosen = next(each for each in found if each.action.id == taken.action and each.cards in (0, given))
        return Lesson(
            before.standing.number,
            taken.decision,
            _worth(now, chosen, found[0]),
            _worth(now, found[0], found[0]),
            now.stake_cents(place, _MAIN),
        )


def some_round(game: Game) -> Round:
    """Deal a round of the least stakes, always the same, in which something is to be decided."""
    opened = open_round(game)
    for wager in game.wagers:
        if wager.mandatory:
            opened = opened.wager(Stake(0, wager.id, wager.limits.minimum_cents))
    decks = (reordered(game.deck.cards, seeded_bits(seed)) for seed in count())
    return next(dealt for dealt in map(opened.deal, decks) if dealt.turn)


def worths(now: Round, found: Sequence[Hint]) -> Iterator[Worth]:
    """Yield every legal action with each choice of cards, the best first."""
    return (_worth(now, each, found[0]) for each in found)


def best_forms(found: Iterable[Worth]) -> Iterator[Worth]:
    """Yield each action once, in its best form, the best action first."""
    seen = set()
    for each in found:
        if each.action not in seen:
            seen.add(each.action)
            yield each


def _worth(now: Round, each: Hint, best: Hint) -> Worth:
    cards = tuple(format_card(card, now.game.deck) for card in now.game.deck.cards if each.cards >> card & 1)
    return Worth(each.action.id, spoken(each.action.id).capitalize(), cards, each.value, best.value - each.value)


def _position(now: Round, place: int) -> Position:
    if now.turn is None or now.turn[0] != place:
        raise ValueError("it is not this seat's turn")
    asked = now.turn[1]
    return Position(asked, now.game.decisions[asked], now.view(place), now.legal_actions())


def _beside(now: Round, place: int) -> dict[str, Fraction]:
    """Return the seat's stakes, in Antes, of the side wagers that its play decides as well."""
    ante = now.stake_cents(place, _MAIN)
    side = {stake.bet: Fraction(now.stake_cents(place, stake.bet), ante) for stake in now.stakes if stake.seat == place}
    return played_for(now.game, now.options, {bet: stake for bet, stake in side.items() if bet != _MAIN})


def _frozen(mapping: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(sorted(mapping.items()))


def _pays(now: Round) -> tuple[Any, ...]:
    return tuple(
        (kind, tuple((line, pay.amount) for line, pay in each.lines.items())) for kind, each in now.paytables.items()
    )
