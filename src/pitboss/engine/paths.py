"""Follow every path of actions through some deals with the interpreted rules.

This tells who sees which cards when, how many cards are drawn, and how many settlements a visit makes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product, zip_longest
from math import comb, lcm
from operator import or_
from typing import Any

from pitboss.cards import make_mask, popcount, seeded_bits, shuffle_cards
from pitboss.contract import UNSETTLED, Game
from pitboss.engine.places import PlaceGroup, deal_one_seat, list_counted_wagers
from pitboss.engine.rule_errors import make_no_action_error
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.subsets import first_subset

DECKS = 12
"""How many deals tell what can happen; ways to draw that no deal shows are found out by the walk."""

ActionPath = tuple[int | None, ...]
"""The actions at the decisions before, None for one that was not asked."""


@dataclass(frozen=True, slots=True)
class Path:
    """One path of actions through one deal, up to the settlement.

    ``actions`` are the actions taken by decision, None where it was not asked.  ``seen`` has the groups seen before
    each decision and at the end, as indexes.  ``draws`` are how many cards the seat draws after each decision, and the
    dealer before and after his hand is opened, as far as the round gets.  ``ways`` is the number of ways in which the
    cards that are not seen at first can come, as far as they matter, ``choices`` the number of ways to give up cards.
    ``reached`` is the product of both, so far, before each decision.
    """

    actions: tuple[int | None, ...] = ()
    seen: tuple[frozenset[int], ...] = ()
    draws: tuple[int, ...] = ()
    ways: int = 1
    choices: int = 1
    reached: tuple[int, ...] = ()


def find_opening(game: Game) -> int:
    """Return the decision before which the dealer's hand is opened.

    It is their number where none may see the hand.
    """
    shown = [index for index, each in enumerate(game.decisions) if each.shows_dealer]
    return shown[0] if shown else len(game.decisions)


def follow_actions(game: Game, deck: Sequence[int], actions: ActionPath) -> Any:
    """Return the state of a deal after some actions, without draws.

    The dealer's hand is open if it is opened before the decision that is then due, or at the end.
    """
    state, opening = deal_one_seat(game, deck), find_opening(game)
    for decision, action in enumerate((*actions, None)):
        state = game.rules.show_dealer(state) if decision == opening else state
        state = state if action is None else game.rules.act(state, decision, action, 0)
    return state


def find_first_seen(paths: Sequence[Path], group: int) -> int:
    """Return the first decision that is asked while a group is seen.

    It is their number if none is.
    """
    return min(
        (
            decision
            for path in paths
            for decision, action in enumerate(path.actions)
            if action is not None and group in path.seen[decision]
        ),
        default=len(paths[0].actions),
    )


def name_actions(game: Game, actions: ActionPath) -> tuple[str, ...]:
    """Return the ids of the actions that were taken."""
    taken = zip(game.decisions, actions, strict=False)
    return tuple(each.actions[action].id for each, action in taken if action is not None)


def name_paths(game: Game, paths: Iterable[tuple[ActionPath, int]]) -> dict[str, int]:
    """Return the deals of each path that occurs: the actions' ids joined by hyphens."""
    named: dict[str, int] = {}
    for actions, deals in paths:
        if deals:
            name = "-".join(name_actions(game, actions)) or "automatic"
            named[name] = named.get(name, 0) + int(deals)
    return named


def list_paths(
    game: Game, options: Any, groups: Sequence[PlaceGroup], cards: Sequence[int], decks: int = DECKS
) -> list[tuple[Path, ...]]:
    """Return the paths through some deals of a deck, a tuple for each deal.

    The deals are the same in each call.

    Raises:
        PitbossError: a decision has no legal action.
    """
    bits = seeded_bits(0)
    shuffled = [shuffle_cards(cards, bits) for _ in range(decks)]
    finder = _PathFinder(game, options, groups, load_hand_tables())
    return [tuple(finder.follow(deck)) for deck in shuffled]


def compute_common_deal_count(deals: Sequence[Sequence[Path]], unseen: Sequence[int], free: int) -> int:
    """Return a common multiple of the numbers of ways to go on.

    They are the ways in which a round can go on from its first decision, one number for each path.

    ``unseen`` are the sizes of the groups that come later, ``free`` is how many cards are not seen at first.  The order
    of groups and draws does not matter to the number of ways, and any numbers of cards drawn are taken to come
    together.

    >>> compute_common_deal_count([[Path(draws=(0, 1)), Path(draws=(1, 0))]], [2], 5)
    60
    """
    counts = [
        {each for each in column if each is not None}
        for column in zip_longest(*(path.draws for paths in deals for path in paths))
    ]
    chosen = ([*unseen, *draws] for draws in product(*counts))
    return lcm(*(count_ways(sizes, free) for sizes in chosen if sum(sizes) <= free))


def count_ways(sizes: Iterable[int], free: int) -> int:
    """Return in how many ways cards can be chosen one after another.

    >>> count_ways((2, 3), 5)
    10
    """
    ways = 1
    for size in sizes:
        ways, free = ways * comb(free, size), free - size
    return ways


@dataclass(frozen=True, slots=True)
class _PathFinder:
    """The game, as its paths are followed."""

    game: Game
    options: Any
    groups: Sequence[PlaceGroup]
    tables: HandTables

    def follow(self, deck: Sequence[int]) -> Iterator[Path]:
        """Yield the paths through one deal."""
        state = deal_one_seat(self.game, deck)
        if find_opening(self.game) == 0 < len(self.game.decisions):
            state = self.game.rules.show_dealer(state)
        first = self._find_seen(state, deck)
        free = len(deck) - sum(len(self.groups[group].places) for group in first)
        stub = list(deck[self.game.rules.count_dealt(1) :])
        yield from self._walk(state, deck, stub, free, Path(seen=(first,)))

    def _find_seen(self, state: Any, deck: Sequence[int]) -> frozenset[int]:
        seen = reduce(or_, self.game.rules.view(state))
        return frozenset(index for index, group in enumerate(self.groups) if seen >> deck[group.places[0]] & 1)

    def _walk(self, state: Any, deck: Sequence[int], stub: list[int], free: int, path: Path) -> Iterator[Path]:
        rules, decision = self.game.rules, len(path.actions)
        if 0 < decision == find_opening(self.game) < len(self.game.decisions):
            state = rules.show_dealer(state)
        newly = self._find_seen(state, deck) - path.seen[-1] if path.actions else frozenset[int]()
        ways, free = self._count_ways(newly, free)
        path = replace(path, ways=path.ways * ways)
        path = replace(path, reached=(*path.reached, path.ways * path.choices))
        if path.actions:
            path = replace(path, seen=(*path.seen, path.seen[-1] | newly))
        if decision == len(self.game.decisions):
            yield self._finish(state, stub, free, path)
            return
        taken: list[tuple[int | None, int, Any]] = [(None, 1, state)]
        if rules.next_decision(self.tables, state, self.options) == decision:
            view = rules.view(state)
            spare = len(stub) - self.game.undrawable_cards
            allowed = rules.legal_actions(self.tables, view, decision, spare, self.options)
            taken = [
                (
                    index,
                    comb(popcount(view.player), action.discards),
                    rules.act(state, decision, index, first_subset(view.player, action.discards)),
                )
                for index, action in enumerate(self.game.decisions[decision].actions)
                if allowed >> index & 1
            ]
            if not taken:
                raise make_no_action_error(self.game, self.game.decisions[decision].id)
        for index, choices, after in taken:
            count = rules.count_draws(self.tables, after, self.options)
            ways = comb(free, count)
            step = replace(
                path,
                actions=(*path.actions, index),
                draws=(*path.draws, count),
                ways=path.ways * ways,
                choices=path.choices * choices,
            )
            received = rules.receive_draw(after, make_mask(stub[:count])) if count else after
            yield from self._walk(received, deck, stub[count:], free - count, step)

    def _finish(self, state: Any, stub: list[int], free: int, path: Path) -> Path:
        """Count the settlements at the end of a path.

        There is one if main is settled before the dealer's hand is opened; he still draws if another wager is not.
        """
        rules = self.game.rules
        outcomes = rules.settle(self.tables, state, self.options)
        if all(outcomes[wager] != UNSETTLED for wager in list_counted_wagers(self.game)):
            return path
        ways, free = self._count_ways(frozenset(range(len(self.groups))) - path.seen[-1], free)
        draws = [] if find_opening(self.game) == len(self.game.decisions) else [0]
        for opens in (True, False)[len(draws) :]:
            count = rules.count_dealer_draws(state)
            draws.append(count)
            if count:
                state = rules.receive_dealer_draw(state, make_mask(stub[:count]))
                ways, free, stub = ways * comb(free, count), free - count, stub[count:]
            state = rules.show_dealer(state) if opens else state
        ways = ways if outcomes[0] == UNSETTLED else 1
        return replace(path, draws=(*path.draws, *draws), ways=path.ways * ways)

    def _count_ways(self, groups: frozenset[int], free: int) -> tuple[int, int]:
        """Return in how many ways groups can have ``free`` cards, and the rest.

        The rest is how many cards are left.
        """
        sizes = [len(self.groups[group].places) for group in groups]
        return count_ways(sizes, free), free - sum(sizes)
