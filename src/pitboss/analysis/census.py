"""Exact counts of the deals that lead to each outcome of a wager.

Deals are played by the game's own rules, every deal once.  A count depends on the rules and on options, never on a pay
(ruling ALL-8).  So each count is made once and cached under a hash of the source that made it.  For another pay table
its results are only multiplied.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import comb, sqrt
from typing import Any

from pitboss.analysis.side_stakes import depends_on_play
from pitboss.analysis.single_round import ActionChoice, play_round
from pitboss.cards import make_mask, seeded_bits, shuffle_deck
from pitboss.censuses import CardPositionCensus, CardSetCensus, Census, HandPairCensus, LastCardCensus
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.cache import get_or_make_text, read_cached_text
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.core.source_hash import collect_modules, hash_sources, stable_repr
from pitboss.engine.census_limits import explain_uncounted_sides
from pitboss.engine.solver_lookup import can_solve
from pitboss.options import encode_options, find_disabling_option

_ROUNDS = 2_000
"""How many rounds are dealt and settled to verify a count."""

_MOST_ERRORS = 6
"""The most standard errors by which they may differ from it: by chance it is more once in 10**9 times."""


def explain_uncounted(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Explain why the outcomes of ``wager`` cannot be counted; empty if they can.

    >>> from pitboss.games import load_game
    >>> game = load_game("shifting-wilds")
    >>> explain_uncounted(game, game.main, {})
    "depends on the player's choices, and this version has no solver"
    """
    reason = "depends on the player's choices, and this version has no solver"
    if wager.census is None:
        return reason
    if options.get(wager.census_option) == "off":
        return f"{reason} for {wager.census_option}=off"
    disabling_option = find_disabling_option(game, wager, options)
    return f"is not offered with {disabling_option}" if disabling_option else ""


def explain_missing_sheet(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Explain why ``wager`` has no exact sheet; empty if it has one.

    A sheet is exact if its outcomes are counted, or solved, over all deals.
    """
    disabling_option = find_disabling_option(game, wager, options)
    if disabling_option:
        return f"is not offered with {disabling_option}"
    if not can_solve(game) or not depends_on_play(game, wager, options):
        return explain_uncounted(game, wager, options)
    reason = "" if wager is game.main else explain_uncounted_sides(game, encode_options(game, options))
    return f"depends on the player's choices and cannot be solved together with main: {reason}" if reason else ""


def count_outcomes(
    game: Game, wager: Wager, options: Mapping[str, str], progress: ProgressCallback = ignore_progress
) -> tuple[int, ...]:
    """Count the equally likely deals that lead to each outcome of ``wager``.

    ``options`` has a value for every option of the game.  The first count takes seconds and reports to ``progress``;
    its result is cached.

    Raises:
        WagerError: the outcomes cannot be counted (``explain_uncounted``), or rounds do not settle as they are counted.
    """
    reason = explain_uncounted(game, wager, options)
    if reason or wager.census is None:
        countable = ", ".join(
            each.id for each in (*game.wagers, *game.main_parts) if not explain_missing_sheet(game, each, options)
        )
        raise WagerError(
            f"{wager.id} of {game.id} has no exact sheet: it {reason}; bets with one: {countable or 'none'}",
            code="no-exact-sheet",
            wager=wager.id,
            game=game.id,
        )
    census, codes = wager.census, encode_options(game, options)

    def make_text() -> str:
        counts = _run_census(game, wager, census, codes, progress)
        _verify_settled(game, wager, counts, codes)
        return json.dumps(counts)

    return tuple(json.loads(get_or_make_text(_make_cache_name(game, wager, options), make_text)))


def get_cached_counts(game: Game, wager: Wager, options: Mapping[str, str]) -> tuple[int, ...] | None:
    """Return the cached result of ``count_outcomes``; None if there is none."""
    text = read_cached_text(_make_cache_name(game, wager, options))
    return None if text is None else tuple(json.loads(text))


def _make_cache_name(game: Game, wager: Wager, options: Mapping[str, str]) -> str:
    """Return the cache name of a count.

    It changes with everything that the count depends on.
    """
    census = wager.census
    rules = game.rules if isinstance(census, CardPositionCensus) else None
    key_parts = [census, len(wager.outcomes), rules, sorted(options.items())]
    digest = sha256(stable_repr(key_parts).encode()).hexdigest()[:16]
    return f"counts/{game.id}.{wager.id}.{digest}.{hash_sources(__name__, *collect_modules(census, rules))}.json"


def _run_census(game: Game, wager: Wager, census: Census, codes: Any, progress: ProgressCallback) -> list[int]:
    """Run the counter for this kind of census.

    Compiled kernels are imported only here.
    """
    outcomes = len(wager.outcomes)
    deck = game.deck.cards
    match census:
        case CardSetCensus(cards=cards, outcome=outcome):
            from pitboss.kernels.set_counts import count_sets

            return count_sets(outcome, outcomes, deck, cards, codes, progress)
        case LastCardCensus(cards=cards, outcome=outcome):
            from pitboss.kernels.set_counts import count_sets_by_last_card

            return count_sets_by_last_card(outcome, outcomes, deck, cards, codes, progress)
        case CardPositionCensus(card=card):
            from pitboss.kernels.card_position import count_positions

            index = game.wagers.index(wager)
            return count_positions(lambda order: play_without_folding(game, order, codes)[index], outcomes, deck, card)
    return _count_pairs(census, outcomes, deck, codes, progress)


def _count_pairs(
    census: HandPairCensus, outcomes: int, deck: range, codes: Any, progress: ProgressCallback
) -> list[int]:
    """Count ordered pairs of hands by outcome.

    Each unequal pair counts twice, once with either hand as the player's.
    """
    from pitboss.kernels.hand_pairs import count_pairs_by_weaker

    pairs = count_pairs_by_weaker(census.strength, deck, census.cards, codes, census.lowest_strength, progress)
    strongest = max(pairs, default=0)
    counts = [0] * outcomes
    for weaker, times in pairs.items():
        counts[census.outcome(weaker, strongest, codes)] += times
        counts[census.outcome(strongest, weaker, codes)] += times
    all_pairs = comb(len(deck), census.cards) * comb(len(deck) - census.cards, census.cards)
    counts[census.default_outcome] += all_pairs - 2 * sum(pairs.values())
    return counts


def _verify_settled(game: Game, wager: Wager, counts: Sequence[int], codes: Any) -> None:
    """Verify on rounds dealt that outcomes come as often as counted.

    A census may name another rule than ``settle`` calls, or other cards.
    """
    if wager not in game.wagers or wager.hand_owner is HandOwner.OTHER_SEAT:
        return
    index, deals, bits, times = game.wagers.index(wager), sum(counts), seeded_bits(0), [0] * len(counts)
    for _ in range(_ROUNDS):
        times[play_without_folding(game, shuffle_deck(game.deck, bits), codes)[index]] += 1
    for outcome, count, met in zip(wager.outcomes, counts, times, strict=True):
        expected = _ROUNDS * count / deals
        if abs(met - expected) > _MOST_ERRORS * (sqrt(expected * (1 - count / deals)) + 1) or (met and not count):
            raise WagerError(
                f"the census of {wager.id} of {game.id} counts {outcome.name} in {count / deals:.2%} of all deals, and "
                f"settle gives it in {met / _ROUNDS:.2%} of {_ROUNDS:,} rounds: let both call one rule with the same "
                "cards",
                code="census-not-settled",
                wager=wager.id,
                game=game.id,
                outcome=outcome.name,
            )


def play_without_folding(game: Game, order: Sequence[int], codes: Any) -> tuple[int, ...]:
    """Play and settle a round of one seat that never folds.

    It discards nothing where it may keep all its cards.
    """
    from pitboss.hands import load_hand_tables

    rules, tables = game.rules, load_hand_tables()

    def stay(state: Any, decision_index: int) -> ActionChoice:
        view, actions = rules.view(state), game.decisions[decision_index].actions
        legal = rules.legal_actions(tables, view, decision_index, 0, codes)
        index = min(
            (index for index in range(len(actions)) if legal >> index & 1),
            key=lambda index: (actions[index].id == "fold", actions[index].discards),
        )
        held = [card for card in order if view.player >> card & 1]
        return index, make_mask(held[: actions[index].discards])

    progress = play_round(game, order, codes, stay, (1 << len(game.wagers)) - 1)
    settled: tuple[int, ...] = rules.settle(tables, progress.state, codes)
    return settled
