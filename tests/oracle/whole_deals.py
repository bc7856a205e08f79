"""The best play of any game, found by laying out every deal: slow and obvious, nothing of it is the engine's.

A *world* is one way in which the cards can lie.  The worlds that look alike to the seat so far are played as one: it
takes the action that is worth most over all of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any, NamedTuple

from pitboss.cards import FIRST_JOKER, RANK_COUNT, make_mask
from pitboss.contract import UNSETTLED, Game, HandOwner
from pitboss.hands import NO_HAND, get_category_name, load_hand_tables
from pitboss.solver_api import SolverProblem

Masks = tuple[int, ...]


class World(NamedTuple):
    """One way in which the cards can lie: of how many deals it is one, the state, the cards not dealt yet.

    ``moved`` are the cards given up and drawn so far, decision by decision.
    """

    weight: int
    state: Any
    stub: tuple[int, ...]
    moved: Masks = ()


class Leaf(NamedTuple):
    """The end of a world: its weight, the outcome of each wager, the actions taken."""

    weight: int
    outcomes: Masks
    path: tuple[int, ...]


class Error(NamedTuple):
    """A position in which a strategy errs."""

    decision: int
    taken: str
    best: str
    hand: str
    weight: int
    cost: int


@dataclass(frozen=True, slots=True)
class Ending:
    """What worlds come to: the value of the best play, and what comes of the play that is counted."""

    value: int
    leaves: list[Leaf] = field(default_factory=list)
    equal: set[Any] = field(default_factory=set)
    errors: list[Error] = field(default_factory=list)


def join(endings: Iterable[Ending]) -> Ending:
    """Add endings up."""
    joined = Ending(0)
    value = 0
    for each in endings:
        value += each.value
        joined.leaves.extend(each.leaves)
        joined.equal.update(each.equal)
        joined.errors.extend(each.errors)
    return Ending(value, joined.leaves, joined.equal, joined.errors)


class Relabelling:
    """An exchange of suits, and of two Jokers or not."""

    def __init__(self, suits: Sequence[int], *, swaps: bool) -> None:
        jokers = (FIRST_JOKER + swaps, FIRST_JOKER + 1 - swaps)
        self.becomes = [
            *(suits[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT for card in range(FIRST_JOKER)),
            *jokers,
        ]
        self.images: dict[int, int] = {}

    def __call__(self, cards: int) -> int:
        """Return the set that a set of cards becomes."""
        if cards not in self.images:
            self.images[cards] = sum(1 << after for before, after in enumerate(self.becomes) if cards >> before & 1)
        return self.images[cards]


class WholeDeals:
    """A game, a problem and the cards of a deck, to be laid out."""

    def __init__(self, game: Game, problem: SolverProblem, cards: Sequence[int]) -> None:
        self.game, self.rules, self.problem, self.cards = game, game.rules, problem, tuple(cards)
        self.tables, self.options = load_hand_tables(), problem.options
        self.counted = [n for n, wager in enumerate(game.wagers) if wager.hand_owner is not HandOwner.OTHER_SEAT]
        self.wagered = sum(1 << n for n in self.counted)
        shows = [n for n, decision in enumerate(game.decisions) if decision.shows_dealer]
        self.opening = min(shows, default=len(game.decisions))
        ids = [wager.id for wager in game.wagers]
        self.nets = {0: problem.nets} | {ids.index(bet): nets for bet, nets in problem.side_nets.items()}
        coloured = any(game.wagers[n].depends_on_colour for n in self.counted)
        self.relabellings = self._list_relabellings(coloured=coloured)

    def _list_relabellings(self, *, coloured: bool) -> list[Relabelling]:
        """Return the relabellings that change nothing: the deck stays, and suits of one colour do where it matters."""
        deck = make_mask(self.cards)
        return [
            relabelling
            for suits in permutations(range(4))
            if not coloured or {suits[0], suits[3]} in ({0, 3}, {1, 2})
            for swaps in (False, True)
            if (relabelling := Relabelling(suits, swaps=swaps))(deck) == deck
        ]

    def play(self) -> Ending:
        """Play every deal."""
        return self._play_unseen(list(self.deal()), 0, (), ())

    # The deals.

    def deal(self) -> Iterator[World]:
        """Yield every deal: which cards lie at places that the rules tell apart."""
        kinds = self._find_kinds()
        size = self.rules.count_dealt(1)

        def fill(kind: int, left: tuple[int, ...], deck: dict[int, int]) -> Iterator[World]:
            if kind == len(kinds):
                others = iter(left)
                dealt = [deck[place] if place in deck else next(others) for place in range(size)]
                yield World(factorial(len(left)), self.rules.deal(dealt, 1, 0, self.wagered), left)
                return
            for chosen in combinations(left, len(kinds[kind])):
                lies = deck | dict(zip(kinds[kind], chosen, strict=True))
                yield from fill(kind + 1, tuple(card for card in left if card not in chosen), lies)

        yield from fill(0, self.cards, {})

    def _find_kinds(self) -> list[list[int]]:
        """Return the places that are dealt, those together whose cards may change places."""
        size, deck = self.rules.count_dealt(1), list(self.game.deck.cards)

        def exchange(one: int, other: int) -> bool:
            changed = list(deck)
            changed[one], changed[other] = deck[other], deck[one]
            return bool(self.rules.deal(changed, 1, 0, self.wagered) == self.rules.deal(deck, 1, 0, self.wagered))

        kinds: list[list[int]] = []
        for place in range(size):
            if exchange(place, size):
                continue  # burnt
            for kind in kinds:
                if exchange(kind[0], place):
                    kind.append(place)
                    break
            else:
                kinds.append([place])
        return kinds

    def _draw(self, worlds: Iterable[World], counts: Iterable[int], receive: Any) -> Iterator[World]:
        """Yield the worlds after a draw of so many cards in each."""
        for world, count in zip(worlds, counts, strict=True):
            weight, left_over = divmod(world.weight, comb(len(world.stub), count))
            assert left_over == 0
            for drawn in combinations(world.stub, count):
                stub = tuple(card for card in world.stub if card not in drawn) if count else world.stub
                state = receive(world.state, make_mask(drawn)) if count else world.state
                yield World(weight, state, stub, (*world.moved, make_mask(drawn)))

    # The play.

    def _play_unseen(self, worlds: list[World], at: int, path: tuple[int, ...], seen: Masks) -> Ending:
        """Play worlds that the seat has not looked at since the last decision."""
        if at == len(self.game.decisions):
            return self._end(worlds, path)
        if at == self.opening:
            worlds = list(self._open(worlds))
        looks = defaultdict(list)
        for world in worlds:
            looks[tuple(self.rules.view(world.state))].append(world)
        return join(self._play(alike, at, path, (*seen, *look)) for look, alike in looks.items())

    def _play(self, worlds: list[World], at: int, path: tuple[int, ...], seen: Masks) -> Ending:
        """Play worlds that look alike."""
        first = worlds[0]
        asks = {self.rules.next_decision(self.tables, world.state, self.options) == at for world in worlds}
        assert len(asks) == 1, "a decision depends on cards that nobody sees"
        if asks == {False}:
            return self._go_on([world._replace(moved=(*world.moved, 0)) for world in worlds], at, (*path, -1), seen)
        assert len({world.moved for world in worlds}) == 1
        view = self.rules.view(first.state)
        spare = len(self.cards) - self.rules.count_dealt(1) - self.game.undrawable_cards - self._count_drawn(first)
        legal = self.rules.legal_actions(self.tables, view, at, spare, self.options)
        actions = [n for n in range(len(self.game.decisions[at].actions)) if legal >> n & 1]
        choices = [(action, cards) for action in actions for cards in self._list_discards(at, action, view.player)]
        ends = {
            (action, cards): self._go_on(
                [
                    world._replace(state=self.rules.act(world.state, at, action, cards), moved=(*world.moved, cards))
                    for world in worlds
                ],
                at,
                (*path, action),
                (*seen, cards),
            )
            for action, cards in choices
        }
        most = max(end.value for end in ends.values())
        best = [choice for choice in choices if ends[choice].value == most]
        booked = min(best, key=lambda choice: self._order(at, choice, (*view, *first.moved)))
        if self.problem.strategy:
            return self._follow(worlds, at, ends, booked)
        end = ends[booked]
        if len({(action, self._canonicalize((*seen, *first.moved, cards))) for action, cards in best}) > 1:
            end.equal.add((at, path, self._canonicalize((*seen, *first.moved))))
        return end

    def _follow(
        self, worlds: list[World], at: int, ends: dict[tuple[int, int], Ending], booked: tuple[int, int]
    ) -> Ending:
        """Take the strategy's action, and note what it costs."""
        strategy, state, best = self.problem.strategy, worlds[0].state, ends[booked].value
        assert strategy
        choice = strategy.choose(self.tables, self.rules.view(state), at, strategy.numbers, self.options)
        end, errors = ends[choice], list[Error]()
        if end.value < best:
            actions, weight = self.game.decisions[at].actions, sum(world.weight for world in worlds)
            strength = self.rules.evaluate_hands(self.tables, state, self.options)[0]
            hand = "" if strength == NO_HAND or strength >> 20 == 0 else get_category_name(strength).replace("-", " ")
            errors.append(Error(at, actions[choice[0]].id, actions[booked[0]].id, hand, weight, best - end.value))
        return Ending(best, end.leaves, end.equal, [*end.errors, *errors])

    def _go_on(self, worlds: list[World], at: int, path: tuple[int, ...], seen: Masks) -> Ending:
        """Draw what is owed after a decision, and play on."""
        counts = [self.rules.count_draws(self.tables, world.state, self.options) for world in worlds]
        return self._play_unseen(list(self._draw(worlds, counts, self.rules.receive_draw)), at + 1, path, seen)

    def _count_drawn(self, world: World) -> int:
        return sum(drawn.bit_count() for drawn in world.moved[1::2])

    def _list_discards(self, at: int, action: int, held: int) -> Iterator[int]:
        cards = [card for card in self.cards if held >> card & 1]
        yield from map(make_mask, combinations(cards, self.game.decisions[at].actions[action].discards))

    def _open(self, worlds: list[World]) -> Iterator[World]:
        """Let the dealer draw and show his hand."""
        for world in self._serve(worlds):
            yield world._replace(state=self.rules.show_dealer(world.state))

    def _serve(self, worlds: list[World]) -> Iterator[World]:
        """Give the dealer the cards that he draws."""
        counts = [self.rules.count_dealer_draws(world.state) for world in worlds]
        for served in self._draw(worlds, counts, self.rules.receive_dealer_draw):
            yield served._replace(moved=served.moved[:-1])

    def _end(self, worlds: list[World], path: tuple[int, ...]) -> Ending:
        """Settle worlds in which nothing is left to decide."""
        ended = Ending(0)
        value = 0
        for world in worlds:
            early = self.rules.settle(self.tables, world.state, self.options)
            lasts = self._open([world]) if self.opening == len(self.game.decisions) else [world]
            for last in self._serve(list(lasts)):
                outcomes = self.rules.settle(self.tables, last.state, self.options)
                assert all(was in {UNSETTLED, now} for was, now in zip(early, outcomes, strict=True))
                assert UNSETTLED not in [outcomes[n] for n in self.counted]
                value += last.weight * sum(nets[outcomes[n]] for n, nets in self.nets.items())
                ended.leaves.append(Leaf(last.weight, outcomes, path))
        return Ending(value, ended.leaves)

    # Positions up to a relabelling.

    def _canonicalize(self, sets: Masks) -> Masks:
        return min(tuple(map(relabel, sets)) for relabel in self.relabellings)

    def _order(self, at: int, choice: tuple[int, int], sets: Masks) -> Any:
        """Order equal choices: the fewest draws, the first action, the lowest cards, Jokers last (ALL-9).

        Cards of the same ranks are compared after the relabelling that makes the cards seen least.
        """
        action, cards = choice
        ranks = sorted(card % RANK_COUNT if card < FIRST_JOKER else 99 for card in self.cards if cards >> card & 1)
        least = self._canonicalize((*sets, cards)) if cards else ()
        return self.game.decisions[at].actions[action].draws, action, ranks, least


def count_outcomes(ending: Ending, wager: int, nets: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return for each outcome of a wager that occurs its deals, and the sum of what main nets in them."""
    found: dict[int, tuple[int, int]] = {}
    for leaf in ending.leaves:
        deals, total = found.get(leaf.outcomes[wager], (0, 0))
        found[leaf.outcomes[wager]] = deals + leaf.weight, total + leaf.weight * nets[leaf.outcomes[0]]
    return found


def count_paths(ending: Ending, game: Game) -> dict[str, int]:
    """Return the deals of each path of actions, by the actions' names."""
    found: dict[str, int] = defaultdict(int)
    for leaf in ending.leaves:
        words = [game.decisions[at].actions[action].id for at, action in enumerate(leaf.path) if action >= 0]
        found["-".join(words) or "automatic"] += leaf.weight
    return dict(found)


def sum_errors(ending: Ending) -> dict[tuple[int, str, str, str], tuple[int, int]]:
    """Return the deals and the cost of each kind of mistake."""
    found: dict[tuple[int, str, str, str], tuple[int, int]] = {}
    for each in ending.errors:
        deals, cost = found.get(each[:4], (0, 0))
        found[each[:4]] = deals + each.weight, cost + each.cost
    return found
