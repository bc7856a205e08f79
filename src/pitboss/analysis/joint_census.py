"""Counts of the deals that lead to each pair of outcomes of two wagers.

Every deal is counted where that is possible; otherwise rounds are simulated.  The counts depend on rules and options
alone, never on a pay, and are cached.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from pitboss.analysis.census import play_without_folding
from pitboss.analysis.side_stakes import depends_on_play
from pitboss.censuses import CardPositionCensus, CardSetCensus, HandPairCensus, LastCardCensus
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.cache import get_or_make_text
from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.options import encode_options
from pitboss.solver_api import Strategy

SIMULATED_ROUNDS = 1 << 20
SEED = 1

CountTable = list[list[int]]
WagerPair = tuple[Wager, Wager]
JointCounter = Callable[[Any, ProgressCallback], CountTable]
"""Counts every deal for two wagers, given the option codes."""

SetCensus = CardSetCensus | LastCardCensus
Sizes = tuple[int, int]
"""The numbers of outcomes of two wagers."""

_HANDS = ("seat", "dealer")


@dataclass(frozen=True, slots=True)
class JointCounts:
    """Deals by the outcomes of two wagers: rows for one, columns for the other.

    ``is_exact`` says that every deal is counted.  ``strategy`` is the one followed in simulated rounds; None where the
    play does not matter.
    """

    table: CountTable
    is_exact: bool
    strategy: Strategy | None = None


def count_joint_outcomes(
    game: Game,
    pairs: Sequence[WagerPair],
    options: Mapping[str, str],
    strategy: Strategy | None,
    progress: ProgressCallback,
) -> dict[tuple[str, str], JointCounts]:
    """Return the joint counts of pairs of wagers, by their ids.

    main may be one of a pair.  For a pair that depends on the play, rounds are simulated as ``strategy`` plays; without
    a strategy the pair has no counts.
    """
    joint_counts: dict[tuple[str, str], JointCounts] = {}
    for one, other in pairs:
        count = _find_counter(game, one, other, options)
        if count:
            tables = _cache_tables(
                game, options, [one.id, other.id], partial(_count_one_table, count, game, options, progress)
            )
            joint_counts[one.id, other.id] = JointCounts(tables[0], is_exact=True)
    rest = [pair for pair in pairs if (pair[0].id, pair[1].id) not in joint_counts]
    by_chance = [pair for pair in rest if not any(depends_on_play(game, wager, options) for wager in pair)]
    by_play = [pair for pair in rest if pair not in by_chance] if strategy else []
    for group, group_strategy in ((by_chance, None), (by_play, strategy)):
        if group:
            wager_ids = [wager.id for pair in group for wager in pair]
            strategy_key = (
                [group_strategy.id, group_strategy.choose.__qualname__, *map(str, group_strategy.numbers)]
                if group_strategy
                else []
            )
            simulate = partial(simulate_joint_counts, game, group, options, group_strategy, progress)
            for (one, other), table in zip(
                group, _cache_tables(game, options, wager_ids + strategy_key, simulate, group_strategy), strict=True
            ):
                joint_counts[one.id, other.id] = JointCounts(table, is_exact=False, strategy=group_strategy)
    return joint_counts


def is_countable(game: Game, one: Wager, other: Wager, options: Mapping[str, str]) -> bool:
    """Tell whether every deal can be counted for both wagers together."""
    return _find_counter(game, one, other, options) is not None


def _cache_tables(
    game: Game,
    options: Mapping[str, str],
    key_parts: Sequence[str],
    make: Callable[[], list[CountTable]],
    strategy: Strategy | None = None,
) -> list[CountTable]:
    """Return the cached tables; make and cache them the first time.

    They depend on the rules, the options and ``key_parts``.
    """
    digest = sha256(json.dumps([dict(options), key_parts]).encode()).hexdigest()[:16]
    censuses = tuple(wager.census for wager in game.wagers)
    source = hash_sources(__name__, *collect_modules(game.rules, censuses, strategy and strategy.choose))
    tables: list[CountTable] = json.loads(
        get_or_make_text(f"joint/{game.id}.{digest}.{source}.json", lambda: json.dumps(make()))
    )
    return tables


def _count_one_table(
    count: JointCounter, game: Game, options: Mapping[str, str], progress: ProgressCallback
) -> list[CountTable]:
    return [count(encode_options(game, options), progress)]


def _find_counter(game: Game, one: Wager, other: Wager, options: Mapping[str, str]) -> JointCounter | None:
    """Return the function that counts every deal for both wagers, if there is one."""
    if any(depends_on_play(game, wager, options) for wager in (one, other)):
        return None
    counter, swapped_counter = _match_counter(game, one, other), _match_counter(game, other, one)
    if counter or not swapped_counter:
        return counter
    return lambda codes, progress: [list(row) for row in zip(*swapped_counter(codes, progress), strict=True)]


def _match_counter(game: Game, one: Wager, other: Wager) -> JointCounter | None:
    """Return the function that counts these two wagers in this order, if any."""
    same_hand, sizes = one.hand_owner is other.hand_owner, (len(one.outcomes), len(other.outcomes))
    match one.census, other.census:
        case (CardSetCensus() | LastCardCensus() as first, CardSetCensus() | LastCardCensus() as second) if same_hand:
            cards = max(first.cards, second.cards)
            if all(census.cards == cards or _omits_last_card(census, cards) for census in (first, second)):
                return partial(_count_same_cards, game, first, second, sizes)
        case (CardSetCensus() as first, CardSetCensus() as second):
            if {first.cards, second.cards} == {zone.cards for zone in game.deal_order if zone.destination in _HANDS}:
                return partial(_count_two_hands, game, first, second, sizes)
        case (CardSetCensus() as first, CardPositionCensus() as second) if (
            same_hand and len(_list_player_places(game)) == first.cards
        ):
            return partial(_count_set_and_place, game, first, second, sizes[0], game.wagers.index(other))
        case (CardSetCensus() as first, HandPairCensus() as second) if same_hand and first.cards == second.cards:
            return partial(_count_set_and_pair, game, first, second, sizes)
    return None


def _omits_last_card(census: SetCensus, cards: int) -> bool:
    """Tell whether a wager is on all but the last of ``cards`` cards."""
    return isinstance(census, CardSetCensus) and census.cards == cards - 1


def _list_player_places(game: Game) -> list[int]:
    """List the deck places of the seat's own cards and of the shared cards.

    The round has one seat.
    """
    places: list[int] = []
    first = 0
    for zone in game.deal_order:
        if zone.destination != "dealer":
            places += range(first, first + zone.cards)
        first += zone.cards
    return places


def _count_same_cards(
    game: Game, first: SetCensus, second: SetCensus, sizes: Sizes, codes: Any, progress: ProgressCallback
) -> CountTable:
    from pitboss.kernels.set_counts import ALL_BUT_LAST, ALL_CARDS, LAST_APART, JointWager, count_joint_sets

    cards = max(first.cards, second.cards)
    one, other = (
        JointWager(
            census.outcome,
            size,
            LAST_APART if isinstance(census, LastCardCensus) else ALL_CARDS if census.cards == cards else ALL_BUT_LAST,
        )
        for census, size in zip((first, second), sizes, strict=True)
    )
    return count_joint_sets(one, other, game.deck.cards, cards, codes, progress)


def _count_two_hands(
    game: Game, first: CardSetCensus, second: CardSetCensus, sizes: Sizes, codes: Any, progress: ProgressCallback
) -> CountTable:
    from pitboss.kernels.hand_pairs import pack_hands
    from pitboss.kernels.joint_counts import count_disjoint_pairs

    deck, cards = game.deck.cards, first.cards
    one = pack_hands(first.outcome, deck, cards, codes, 0)
    progress(1, 3)
    other = one if first.outcome is second.outcome else pack_hands(second.outcome, deck, cards, codes, 0)
    progress(2, 3)
    table = count_disjoint_pairs(one, other, len(deck), cards)
    padded = [[*row, *[0] * (sizes[1] - len(row))] for row in table]
    return [*padded, *[[0] * sizes[1]] * (sizes[0] - len(padded))]


def _count_set_and_place(
    game: Game,
    first: CardSetCensus,
    second: CardPositionCensus,
    outcomes: int,
    index: int,
    codes: Any,
    progress: ProgressCallback,
) -> CountTable:
    from pitboss.kernels.joint_counts import count_joint_with_position

    deck = game.deck.cards
    others = [card for card in deck if card != second.card]
    orders = ([*others[:place], second.card, *others[place:]] for place in range(len(deck)))
    by_place = [play_without_folding(game, order, codes)[index] for order in orders]
    return count_joint_with_position(
        first.outcome, outcomes, deck, _list_player_places(game), second.card, by_place, codes, progress
    )


def _count_set_and_pair(
    game: Game, first: CardSetCensus, second: HandPairCensus, sizes: Sizes, codes: Any, progress: ProgressCallback
) -> CountTable:
    from pitboss.kernels.joint_counts import ComparedWager, count_joint_compared

    compared = ComparedWager(second.strength, second.outcome, sizes[1], second.lowest_strength, second.default_outcome)
    progress(0, 1)
    return count_joint_compared(first.outcome, sizes[0], compared, game.deck.cards, first.cards, codes)


def simulate_joint_counts(
    game: Game,
    pairs: Sequence[WagerPair],
    options: Mapping[str, str],
    strategy: Strategy | None,
    progress: ProgressCallback,
) -> list[CountTable]:
    """Simulate rounds, and count each pair of wagers by both outcomes.

    ``SIMULATED_ROUNDS`` rounds are played.  Every seat plays ``strategy``; without one, actions are drawn at random.  A
    wager on another seat's hand stands on the hand of the next of two seats.
    """
    from pitboss.simulate.players import CHANCE, Player
    from pitboss.simulate.runner import Simulation, run_simulation

    needs_other_seat = any(wager.hand_owner is HandOwner.OTHER_SEAT for pair in pairs for wager in pair)
    player = Player(strategy.id if strategy else CHANCE)
    simulation = Simulation(game.id, tuple(options.items()), player, seats=2 if needs_other_seat else 1)
    counts = run_simulation(simulation, SIMULATED_ROUNDS, SEED, progress=progress)
    return [counts.count_joint(game.wagers.index(one), game.wagers.index(other)) for one, other in pairs]
