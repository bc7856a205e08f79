"""What actions of Shifting Wilds are worth: small decks deal by deal, the whole deck by another enumeration."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from oracle import shifting_wilds as oracle
from pitboss.analysis.solutions import main_nets
from pitboss.cards import DECK_52, mask_of, parse_cards, seeded_bits, shuffled
from pitboss.counting.evaluate import strengths
from pitboss.games import game_named
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.hints import hint, hint_in
from pitboss.hands import hand_tables
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.solving import Problem

GAME = game_named("shifting-wilds")
NETS = main_nets(GAME, choose(GAME))
PATHS = {"lock": (1,), "play": (0, 0), "fold": (0, 1)}
# Pays that make ties, folds and unqualified dealers matter.
ODD_NETS = (-5, *(7 * place % 11 - 5 for place in range(1, len(NETS))))
OPTIONS = {"dealer_qualifies": "pair-of-4", "wild_flush": "any_card", "bad_beat_unlisted": "push"}


def side_nets(stake: int) -> Mapping[str, tuple[int, ...]]:
    """Return what the wagers that depend on the play net at this stake, in Antes."""
    return {
        wager.id: tuple(int(outcome_net(outcome, choose(GAME), 100) / 100) * stake for outcome in wager.outcomes)
        for wager in GAME.wagers[1:3]
    }


def problem(nets: Sequence[int] = NETS, stake: int = 0, **options: str) -> Problem:
    return Problem(option_codes(GAME, option_values(GAME, options)), tuple(nets), side_nets(stake) if stake else {})


def quiet(_done: int, _total: int) -> None:
    """Tell nobody."""


def view(text: str) -> tuple[rules.View, int]:
    """Read the own four cards, the community cards, W1 and, if it lies open, W2; and which decision is asked."""
    codes = parse_cards(text, DECK_52)
    w2 = mask_of(codes[7:])
    return rules.View(mask_of(codes[:4]), 0, mask_of(codes[4:6]), 1 << codes[6], w2), 1 if w2 else 0


def values(asked_of: tuple[rules.View, int], of: Problem) -> dict[str, Fraction]:
    """Return the values of the hint by action."""
    return {valued.action: valued.value for valued in hint(of, *asked_of, quiet)}


# Small decks: every round that may follow is dealt, decided and settled by the rules.


def net_of(deck: Sequence[int], path: str, of: Problem) -> int:
    """Deal a round of one seat, take it down a path and settle it: what all wagers staked net."""
    tables, state = hand_tables(), rules.deal(deck, 1, 0, 0)
    for action in PATHS[path]:
        state = rules.act(state, rules.decision(tables, state, of.options), action, 0)
    main, bonus, beat, _ = rules.settle(tables, rules.show(state), of.options)
    staked = zip(("regular-bonus", "bad-beat"), (bonus, beat), strict=True)
    return of.nets[main] + sum(of.beside[bet][outcome] for bet, outcome in staked if bet in of.beside)


def deal_by_deal(deck: Sequence[int], seen: rules.View, asked: int, of: Problem) -> dict[str, Fraction]:
    """Play every round that may follow by the rules; a Check is worth the best of what W2 then leaves."""
    hole, community, w1 = (cards_of(part) for part in (seen.player, seen.community, seen.w1))
    left = [card for card in deck if card not in (*hole, *community, *w1)]
    found: dict[str, list[Fraction]] = {"check": [], "lock": [], "play": [], "fold": []}
    for w2 in cards_of(seen.w2) or left:
        dealers = list(combinations([card for card in left if card != w2], 4))
        for path in PATHS:
            total = sum(net_of((*w1, w2, *community, *hole, *dealer), path, of) for dealer in dealers)
            found[path].append(Fraction(total, len(dealers)))
        found["check"].append(max(found["play"][-1], found["fold"][-1]))
    actions = (action.id for action in GAME.decisions[asked].actions)
    return {action: sum(found[action], Fraction(0)) / len(found[action]) for action in actions}


def cards_of(mask: int) -> tuple[int, ...]:
    return tuple(card for card in range(52) if mask >> card & 1)


SMALL = [
    problem(),
    problem(ODD_NETS),
    problem(stake=1),
    problem(ODD_NETS, 3, **OPTIONS),
    problem(dealer_qualifies="ace-king"),
    problem(stake=2, wild_flush="any_card"),
]


@pytest.mark.compiled
@pytest.mark.parametrize("place", range(len(SMALL)))
def test_a_small_deck_is_played_out_by_the_rules(place: int) -> None:
    """In four suits of four ranks every W2, every dealer's hand and every path is dealt and settled."""
    of, bits = SMALL[place], seeded_bits(place)
    deck = oracle.deck_of([(0, 1, 2, 3), (8, 9, 10, 12), (3, 4, 5, 6)][place % 3])
    for _ in range(2):
        order = [card for card in shuffled(DECK_52, bits) if card in deck]
        seen = rules.View(mask_of(order[:4]), 0, mask_of(order[4:6]), 1 << order[6], 0)
        for asked, at in ((0, seen), (1, seen._replace(w2=1 << order[7]))):
            valued = {each.action: each.value for each in hint_in(deck, of, at, asked, quiet)}
            assert valued == deal_by_deal(deck, at, asked, of)


@pytest.mark.compiled
@pytest.mark.parametrize("of", SMALL[2:4])
def test_the_oracle_plays_a_small_deck_as_the_rules_settle_it(of: Problem) -> None:
    """All 415,800 deals of three ranks, W1 and the community cards up to suits, by best play for all wagers."""
    ranks = (2, 3, 4)
    deck, counts = oracle.deck_of(ranks), np.zeros(len(NETS), np.int64)
    for w1, community, weight in oracle.boards(deck):
        for hole in combinations([card for card in deck if not (w1 | community) >> card & 1], 4):
            seen = rules.View(mask_of(hole), 0, community, w1, 0)
            first = {each.action: each.value for each in hint_in(deck, of, seen, 0, quiet)}
            for w2 in (card for card in deck if not (w1 | community | seen.player) >> card & 1):
                second = {each.action: each.value for each in hint_in(deck, of, seen._replace(w2=1 << w2), 1, quiet)}
                path = "fold" if second["fold"] > second["play"] else "play"
                counts[outcome_of(deck, seen, w2, path if first["check"] >= first["lock"] else "lock", of)] += weight
    played = oracle.play_out(ranks, of.options, of.nets, of.beside)
    assert played.counts.tolist() == counts.tolist()
    assert counts.sum() == oracle.deals_of(ranks) == played.bonus[:, 0].sum() == played.beat[:, 0].sum()
    nets = counts @ np.array(of.nets)
    assert nets == played.bonus[:, 1].sum() == played.beat[:, 1].sum()


def outcome_of(deck: Sequence[int], seen: rules.View, w2: int, path: str, of: Problem) -> int:
    """Return what main comes to where the dealer has the only four cards left."""
    choice = {"lock": rules.LOCKED, "play": rules.PLAYED, "fold": rules.FOLDED}[path]
    dealer = mask_of(deck) & ~(seen.player | seen.community | seen.w1 | 1 << w2)
    state = rules.State(seen.player, dealer, seen.community, seen.w1, 1 << w2, choice, 1)
    return rules.settle(hand_tables(), state, of.options)[0]
