"""The value of each action at a position of Shifting Wilds, by plain enumeration.

Every W2 that may come is combined with every four cards the dealer may then hold: 45 x C(44, 4), some six million
showdowns, before W2 is seen, C(44, 4) after it.  The dealer always uses W2, whatever the seat does (SW-2), so one pass
serves Lock and Play.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import DECK_52
from pitboss.core.progress import ProgressCallback
from pitboss.games.shifting_wilds import GAME
from pitboss.games.shifting_wilds.rules import (
    BAD_BEAT_LOSES,
    HAND,
    REGULAR_BONUS_LOSES,
    ShiftingOptions,
    ShiftingView,
    find_wild_cards,
    rank_hand,
    rank_natural_hand,
    settle_bad_beat,
    settle_main,
    settle_regular_bonus,
)
from pitboss.hands import ROYAL_FIRST, HandTables, evaluate_strength, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, get_card_bits
from pitboss.solver_api import ActionValue, SolverProblem

FOLD_OUTCOME, AFTER_LOCK, AFTER_PLAY = 0, 0, 1
_MAIN, _BONUS, _BAD_BEAT = GAME.wagers[:3]


class ShowdownCounts(NamedTuple):
    """The outcomes of a seat against every hand of the dealer with one W2.

    Row 0 is for a seat that locked, row 1 for one that played.  ``main`` and ``bad_beat``, shapes (2, outcomes), count
    the dealer's hands by the outcome of main and of the Bad Beat; ``bonus`` is the outcome of the Regular Bonus, which
    does not depend on the dealer.
    """

    main: IntArray
    bad_beat: IntArray
    bonus: tuple[int, int]


def hint(
    problem: SolverProblem, view: ShiftingView, decision: int, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Return the values of Check and Lock, or of Play and Fold.

    A value is the round's expected net, in units of the nets.  A Check is worth the better of Play and Fold with each
    W2.  The nets of the wagers in ``problem.side_nets`` are included, and the better action is then the better one for
    all wagers together (SW-8).

    Raises:
        ValueError: a side wager that does not depend on the play.
    """
    return hint_for_deck(DECK_52.cards, problem, view, decision, progress)


def hint_for_deck(
    deck: Sequence[int], problem: SolverProblem, view: ShiftingView, decision: int, progress: ProgressCallback
) -> tuple[ActionValue, ...]:
    """Return the values of the actions for a deck of these cards, as ``hint``."""
    if any(bet not in (_BONUS.id, _BAD_BEAT.id) for bet in problem.side_nets):
        raise ValueError(
            f"side wagers with main must be {_BONUS.id} or {_BAD_BEAT.id}, not {', '.join(problem.side_nets)}"
        )
    seen = view.player | view.community | view.w1 | view.w2
    left = [card for card in deck if not seen >> card & 1]
    indicators = [view.w2] if decision else [1 << card for card in left]
    dealer_hands = comb(len(left) - (0 if decision else 1), HAND)
    fold, play, check, lock = _sum_fold_nets(problem) * dealer_hands, 0, 0, 0
    for done, w2 in enumerate(indicators, 1):
        showdowns = count_showdowns(view._replace(w2=w2), [card for card in left if 1 << card != w2], problem)
        play = _sum_wager_nets(problem, showdowns, AFTER_PLAY)
        check += max(play, fold)
        lock += _sum_wager_nets(problem, showdowns, AFTER_LOCK)
        progress(done, len(indicators))
    values = (play, fold) if decision else (check, lock)
    actions = GAME.decisions[decision].actions
    return tuple(
        ActionValue(action.id, 0, Fraction(value, dealer_hands * len(indicators)))
        for action, value in zip(actions, values, strict=True)
    )


def count_showdowns(view: ShiftingView, cards_left: Sequence[int], problem: SolverProblem) -> ShowdownCounts:
    """Count the outcomes of a seat that sees W2, locked and played.

    The dealer holds every four of ``cards_left``.
    """
    tables, options = load_hand_tables(), problem.options
    counts = [np.zeros((2, len(wager.outcomes)), np.int64) for wager in (_MAIN, _BAD_BEAT)]
    _fill_showdowns(tables, view, get_card_bits(cards_left), options, int(_BAD_BEAT.id in problem.side_nets), *counts)
    bonus = [_find_bonus_outcome(tables, view, indicator, options) for indicator in (view.w1, view.w2)]
    return ShowdownCounts(counts[0], counts[1], (bonus[0], bonus[1]))


def _find_bonus_outcome(tables: HandTables, view: ShiftingView, indicator: int, options: ShiftingOptions) -> int:
    """Return the outcome of the Regular Bonus with this indicator."""
    natural = evaluate_strength(tables, view.player | view.community | indicator, 0, ROYAL_FIRST)
    mine = rank_hand(tables, view.player, view.community, indicator, options)
    return settle_regular_bonus(natural, mine, find_wild_cards(view.player, indicator))


def _sum_wager_nets(problem: SolverProblem, showdowns: ShowdownCounts, raised: int) -> int:
    """Return the net of a Lock or a Play with all staked wagers.

    It is summed over the dealer's hands.
    """
    total = _sum_nets(problem.nets, showdowns.main[raised])
    if _BONUS.id in problem.side_nets:
        total += problem.side_nets[_BONUS.id][showdowns.bonus[raised]] * int(showdowns.main[raised].sum())
    if _BAD_BEAT.id in problem.side_nets:
        total += _sum_nets(problem.side_nets[_BAD_BEAT.id], showdowns.bad_beat[raised])
    return total


def _sum_nets(nets: Sequence[int], counts: IntArray) -> int:
    """Return the net of these counts of outcomes together, which may exceed 64 bits."""
    return sum(net * int(count) for net, count in zip(nets, counts, strict=True))


def _sum_fold_nets(problem: SolverProblem) -> int:
    """Return the net of a fold.

    A fold loses all wagers that depend on the play (SW-3).
    """
    lose_outcomes = {_BONUS.id: REGULAR_BONUS_LOSES, _BAD_BEAT.id: BAD_BEAT_LOSES}
    return problem.nets[FOLD_OUTCOME] + sum(nets[lose_outcomes[bet]] for bet, nets in problem.side_nets.items())


@kernel
def _fill_showdowns(
    tables: HandTables,
    view: ShiftingView,
    bits: IntArray,
    options: ShiftingOptions,
    with_bad_beat: int,
    main: IntArray,
    bad_beat: IntArray,
) -> None:
    """Count the dealer's hands by outcome.

    A hand is four of the cards ``bits``, which are at most 44: 135,751 hands.
    """
    locked = rank_hand(tables, view.player, view.community, view.w1, options)
    played = rank_hand(tables, view.player, view.community, view.w2, options)
    locked_five = rank_natural_hand(tables, view.player, view.w1)
    played_five = rank_natural_hand(tables, view.player, view.w2)
    for first in range(len(bits)):
        for second in range(first):
            for third in range(second):
                three = bits[first] | bits[second] | bits[third]
                for fourth in range(third):
                    dealer = three | bits[fourth]
                    strength = rank_hand(tables, dealer, view.community, view.w2, options)
                    main[AFTER_LOCK, settle_main(locked, strength, AFTER_LOCK, options)] += 1
                    main[AFTER_PLAY, settle_main(played, strength, AFTER_PLAY, options)] += 1
                    if with_bad_beat:
                        five = rank_natural_hand(tables, dealer, view.w2)
                        bad_beat[AFTER_LOCK, settle_bad_beat(locked_five, five, options)] += 1
                        bad_beat[AFTER_PLAY, settle_bad_beat(played_five, five, options)] += 1
