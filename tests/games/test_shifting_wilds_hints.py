"""What actions of Shifting Wilds are worth: small decks deal by deal, the whole deck by another enumeration."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from oracle import shifting_wilds as oracle
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.hints import hint, hint_for_deck
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.solver_api import SolverProblem
from pitboss.strategies import get_strategy

GAME = load_game("shifting-wilds")
NETS = compute_main_nets(GAME, select_paytables(GAME))
PATHS = {"lock": (1,), "play": (0, 0), "fold": (0, 1)}
# Pays that make ties, folds and unqualified dealers matter.
ODD_NETS = (-5, *(7 * place % 11 - 5 for place in range(1, len(NETS))))
OPTIONS = {"dealer_qualifies": "pair-of-4", "wild_flush": "any_card", "bad_beat_unlisted": "push"}


def side_nets(stake: int) -> Mapping[str, tuple[int, ...]]:
    """Return what the wagers that depend on the play net at this stake, in Antes."""
    return {
        wager.id: tuple(
            int(compute_outcome_net(outcome, select_paytables(GAME), 100) / 100) * stake for outcome in wager.outcomes
        )
        for wager in GAME.wagers[1:3]
    }


def problem(nets: Sequence[int] = NETS, stake: int = 0, **options: str) -> SolverProblem:
    return SolverProblem(
        encode_options(GAME, resolve_options(GAME, options)), tuple(nets), side_nets(stake) if stake else {}
    )


def view(text: str) -> tuple[rules.ShiftingView, int]:
    """Read the own four cards, the community cards, W1 and, if it lies open, W2; and which decision is asked."""
    codes = parse_cards(text, DECK_52)
    w2 = make_mask(codes[7:])
    return rules.ShiftingView(make_mask(codes[:4]), 0, make_mask(codes[4:6]), 1 << codes[6], w2), 1 if w2 else 0


def values(asked_of: tuple[rules.ShiftingView, int], of: SolverProblem) -> dict[str, Fraction]:
    """Return the values of the hint by action."""
    return {valued.action: valued.value for valued in hint(of, *asked_of, ignore_progress)}


# Small decks: every round that may follow is dealt, decided and settled by the rules.


def net_of(deck: Sequence[int], path: str, of: SolverProblem) -> int:
    """Deal a round of one seat, take it down a path and settle it: what all wagers staked net."""
    tables, state = load_hand_tables(), rules.deal(deck, 1, 0, 0)
    for action in PATHS[path]:
        state = rules.act(state, rules.next_decision(tables, state, of.options), action, 0)
    main, bonus, beat, _ = rules.settle(tables, rules.show_dealer(state), of.options)
    staked = zip(("regular-bonus", "bad-beat"), (bonus, beat), strict=True)
    return of.nets[main] + sum(of.side_nets[bet][outcome] for bet, outcome in staked if bet in of.side_nets)


def deal_by_deal(deck: Sequence[int], seen: rules.ShiftingView, asked: int, of: SolverProblem) -> dict[str, Fraction]:
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
        order = [card for card in shuffle_deck(DECK_52, bits) if card in deck]
        seen = rules.ShiftingView(make_mask(order[:4]), 0, make_mask(order[4:6]), 1 << order[6], 0)
        for asked, at in ((0, seen), (1, seen._replace(w2=1 << order[7]))):
            valued = {each.action: each.value for each in hint_for_deck(deck, of, at, asked, ignore_progress)}
            assert valued == deal_by_deal(deck, at, asked, of)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("strategy", [None, "practical"])
def test_the_oracle_plays_a_small_deck_as_the_rules_settle_it(strategy: str | None) -> None:
    """All 415,800 deals of three ranks, W1 and the community cards up to suits; the best play is for all wagers."""
    ranks = (2, 3, 4)
    of = replace(SMALL[3], strategy=get_strategy(GAME, strategy) if strategy else None)
    deck, counts = oracle.deck_of(ranks), np.zeros(len(NETS), np.int64)
    for w1, community, weight in oracle.boards(deck):
        for hole in combinations([card for card in deck if not (w1 | community) >> card & 1], 4):
            seen = rules.ShiftingView(make_mask(hole), 0, community, w1, 0)
            first = action_at(deck, seen, 0, of)
            for w2 in (card for card in deck if not (w1 | community | seen.player) >> card & 1):
                path = action_at(deck, seen._replace(w2=1 << w2), 1, of) if first == "check" else first
                counts[outcome_of(deck, seen, w2, path, of)] += weight
    played = oracle.play_out(ranks, of)
    assert played.counts.tolist() == counts.tolist()
    assert counts.sum() == oracle.deals_of(ranks) == played.bonus[:, 0].sum() == played.beat[:, 0].sum()
    nets = counts @ np.array(of.nets)
    assert nets == played.bonus[:, 1].sum() == played.beat[:, 1].sum()


def action_at(deck: Sequence[int], seen: rules.ShiftingView, asked: int, of: SolverProblem) -> str:
    """Return the action that the problem's strategy takes, or the best one, of equal ones the first (ALL-9)."""
    if of.strategy:
        taken = of.strategy.choose(load_hand_tables(), seen, asked, of.strategy.numbers, of.options)[0]
        return str(GAME.decisions[asked].actions[taken].id)
    return max(hint_for_deck(deck, of, seen, asked, ignore_progress), key=lambda each: each.value).action


def outcome_of(deck: Sequence[int], seen: rules.ShiftingView, w2: int, path: str, of: SolverProblem) -> int:
    """Return what main comes to where the dealer has the only four cards left."""
    choice = {"lock": rules.LOCKED, "play": rules.PLAYED, "fold": rules.FOLDED}[path]
    dealer = make_mask(deck) & ~(seen.player | seen.community | seen.w1 | 1 << w2)
    state = rules.ShiftingState(seen.player, dealer, seen.community, seen.w1, 1 << w2, choice, 1)
    return rules.settle(load_hand_tables(), state, of.options)[0]


# The whole deck: the dealer's hands in arrays, compared as the sheet says.


@cache
def fours_of_44() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array(list(combinations(range(44), 4)), np.int64)


def enumerated(seen: rules.ShiftingView, w2: int, of: SolverProblem) -> tuple[np.ndarray, dict[str, Fraction]]:
    """Lay out every hand of the dealer beside W2: deals of each outcome of main by Lock and Play, and what all nets."""
    left = [card for card in range(52) if not (seen.player | seen.community | seen.w1 | w2) >> card & 1]
    dealers = (1 << np.array(left, np.int64))[fours_of_44()].sum(axis=1)
    theirs = oracle.made(dealers, seen.community, w2, of.options)
    fives = oracle.natural_fives(dealers, w2)
    own = np.array([seen.player], np.int64)
    counts, worth = np.zeros(len(NETS), np.int64), {"fold": Fraction(net_of(range(52), "fold", of))}
    for raised, (path, indicator) in enumerate((("lock", seen.w1), ("play", w2))):
        mine = oracle.made(own, seen.community, indicator, of.options)
        main = np.bincount(oracle.compared(mine, theirs, raised, of.options), minlength=len(NETS))
        five = oracle.natural_fives(own, indicator)
        beat = np.bincount(oracle.beaten(five, fives, of.options), minlength=oracle.BEAT)
        bonus = oracle.bonuses(own, seen.community, indicator, mine)[0]
        total = int(main @ of.nets)
        if of.side_nets:
            total += int(beat @ of.side_nets["bad-beat"]) + of.side_nets["regular-bonus"][bonus] * len(dealers)
        worth[path] = Fraction(total, len(dealers))
        counts += main
    return counts, worth


# The own four cards, the community cards, W1, W2; and what main must come to in some deal.
AIMED = (
    ("9s 9c 4h 4s 4d Kd 9h 2c", "lock-win-qualified-five-of-a-kind"),
    ("9s 9c 4h 4s 4d Kd 2c 9h", "play-win-not-qualified-five-of-a-kind"),
    ("5s 5d 2h 2c Kh Qh 5c 7d", "lock-win-qualified-four-of-a-kind"),
    ("5s 5d Ah 2c Kh Qh 5c 7d", "lock-win-qualified-royal-flush"),
    ("5s Jh Ah 2c Kh Qh 7d 5c", "play-tie-qualified"),
    ("As Ks Qs 2c 3d 4h Js Ts", "play-win-not-qualified"),
    ("As Ks Qs Js 3d 4h 2c Ts", "play-win-qualified-royal-flush"),
    ("6h 7h 8h 2c 9h Th Ac Kd", "lock-win-not-qualified-straight-flush"),
    ("8s Kd Kh 5c 8d 2s 8h Jc", "lock-win-qualified"),
    ("2s 3d 7h 9c Jd Kh 5s 6c", "play-lose-not-qualified"),
    ("2s 3d 7h 9c Jd Jh 5s 6c", "play-lose-qualified"),
    ("Ac Ad Kc 3h Qs Jd Kd Ts", "play-tie-qualified"),
    ("3s 4d 7h 9c Td Jh 5s 2c", "play-tie-not-qualified"),
    ("7s 7d 7h 2c 9d Jh 7c 4s", "lock-win-qualified-four-of-a-kind"),
    ("7s 7d 7h 2c 9d Jh 4s 7c", "play-win-not-qualified-four-of-a-kind"),
)


@pytest.mark.compiled
@pytest.mark.parametrize(("text", "outcome"), AIMED)
def test_a_position_that_chance_seldom_deals_is_worth_what_all_dealers_hands_make_of_it(
    text: str, outcome: str
) -> None:
    seen, asked = view(text)
    for of in (problem(), problem(ODD_NETS, 2, **OPTIONS)):
        counts, worth = enumerated(seen, seen.w2, of)
        assert values((seen, asked), of) == {"play": worth["play"], "fold": worth["fold"]}
        names = [each.name for each, count in zip(GAME.wagers[0].outcomes, counts, strict=True) if count]
        assert outcome in names


def first_decision(seen: rules.ShiftingView, of: SolverProblem) -> dict[str, Fraction]:
    """Lay out every W2 and every hand of the dealer."""
    left = [1 << card for card in range(52) if not (seen.player | seen.community | seen.w1) >> card & 1]
    beside = [enumerated(seen, w2, of)[1] for w2 in left]
    check = sum((max(worth["play"], worth["fold"]) for worth in beside), Fraction(0))
    return {"check": check / len(left), "lock": sum((worth["lock"] for worth in beside), Fraction(0)) / len(left)}


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("text", ["9s 9c 4h 4s 4d Kd 9h", "5s Jh Ah 2c Kh Qh 7d"])
def test_a_first_decision_is_worth_what_every_w2_and_every_dealers_hand_make_of_it(text: str) -> None:
    of = problem(ODD_NETS, 2, **OPTIONS)
    assert values(view(text), of) == first_decision(view(text)[0], of)


def dealt(seed: int) -> tuple[rules.ShiftingView, int]:
    """Deal a position; in two of three a few ranks or two suits come first, which makes big hands and ties."""
    crowded = (
        lambda _: False,
        lambda card: not seed % 9 <= card % 13 < seed % 9 + 5,
        lambda card: card // 13 > 1,
    )[seed % 3]
    order = sorted(shuffle_deck(DECK_52, seeded_bits(seed)), key=crowded)
    return rules.ShiftingView(make_mask(order[:4]), 0, make_mask(order[4:6]), 1 << order[6], 0), order[7]


@pytest.mark.long
@pytest.mark.compiled
def test_two_hundred_positions_are_worth_what_another_enumeration_says() -> None:
    for seed in range(200):
        of = SMALL[seed % len(SMALL)]
        seen, w2 = dealt(seed)
        worth = enumerated(seen, 1 << w2, of)[1]
        assert values((seen._replace(w2=1 << w2), 1), of) == {"play": worth["play"], "fold": worth["fold"]}
        if seed % 4 == 0:
            assert values((seen, 0), of) == first_decision(seen, of)


@pytest.mark.compiled
@pytest.mark.parametrize("text", ["8s Kd Kh 5c 8d 2s 8h", "2s 3s 9h Qd Js Tc 5s"])
def test_rounds_played_by_the_rules_come_to_what_the_hint_says(text: str) -> None:
    """Three thousand decks of a fixed seed; a Check is followed by what the second hint says."""
    of, (seen, _), bits = problem(stake=1), view(text), seeded_bits(7)
    hinted = values((seen, 0), of)
    second = cache(
        lambda w2: max(hint(of, seen._replace(w2=1 << w2), 1, ignore_progress), key=lambda each: each.value).action
    )
    hole, community, w1 = (cards_of(part) for part in (seen.player, seen.community, seen.w1))
    nets: dict[str, list[int]] = {"check": [], "lock": []}
    for _ in range(3000):
        w2, *others = (card for card in shuffle_deck(DECK_52, bits) if card not in (*hole, *community, *w1))
        deck = (*w1, w2, *community, *hole, *others)
        nets["lock"].append(net_of(deck, "lock", of))
        nets["check"].append(net_of(deck, second(w2), of))
    for action, found in nets.items():
        assert abs(np.mean(found) - float(hinted[action])) < 4 * np.std(found) / sqrt(len(found))


@pytest.mark.compiled
@pytest.mark.parametrize(("text", "steps"), [("9s 9c 4h 4s 4d Kd 9h", 45), ("9s 9c 4h 4s 4d Kd 9h 2c", 1)])
def test_a_hint_says_how_far_it_is(text: str, steps: int) -> None:
    told: list[tuple[int, int]] = []
    hint(problem(), *view(text), lambda done, total: told.append((done, total)))
    assert told == [(done, steps) for done in range(1, steps + 1)]


def test_a_wager_that_does_not_depend_on_the_play_is_refused() -> None:
    with pytest.raises(ValueError, match="not blackjack-bonus"):
        hint(
            SolverProblem(problem().options, NETS, {"blackjack-bonus": (6, 3, -1)}),
            *view("9s 9c 4h 4s 4d Kd 9h"),
            ignore_progress,
        )
