"""What a choice from every first five leads to: the outcomes of ``main``, with those of the side wagers beside them.

All side wagers of the game stand on the first five and the card drawn, so every deal has one outcome of each.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, bit, get_rank, get_suit_ranks
from pitboss.counting.blocks import Integers, in_parts
from pitboss.counting.classes import lay_out
from pitboss.counting.compile import kernel, part
from pitboss.games.wild_six_card import GAME
from pitboss.games.wild_six_card.rules import (
    AUTOMATIC,
    HAND,
    RESULTS,
    WIN,
    Options,
    draw_bonus_of,
    queens_or_better_of,
    tax_of,
    taxpayers_fortune_outcome,
)
from pitboss.games.wild_six_card.solver.choices import NO_CHOICE, SCALE, STAND, Choices
from pitboss.games.wild_six_card.solver.met import SIX, Firsts, Met, results
from pitboss.hands import HandTables, evaluate_six_cards, load_hand_tables

SIDES = {wager.id: len(wager.outcomes) for wager in GAME.wagers[1:]}
OUTCOMES = len(GAME.wagers[0].outcomes)


class _Settled(NamedTuple):
    """What each first five settles: Queens Or Better, the row of the Tax Schedule, and which cards are discarded."""

    queens: Integers
    taxes: Integers
    discards: Integers


def outcomes_of(firsts: Firsts, met: Met, choices: Choices, options: Options) -> Integers:
    """Return the deals by outcome of Queens Or Better, Taxpayer's Fortune, Draw Bonus and ``main``: four dimensions.

    Sums are kept ``SCALE`` times too large, 12 x 1.9e15 for the whole deck, below 2**55, and divided at the end: cards
    that relabellings of a first five exchange are discarded equally often.
    """
    settled = _Settled(*np.zeros((3, len(choices)), np.int64))
    _settle(load_hand_tables(), options, firsts.masks, choices, settled)

    def of_part(first: int, after: int) -> Integers:
        ended = np.zeros((*SIDES.values(), OUTCOMES), np.int64)
        _book(load_hand_tables(), options, settled, met, choices, first, after, ended)
        return ended

    ended: Integers = np.sum(in_parts(of_part, len(met.masks)), axis=0)
    return ended // SCALE


@part
def _kind(mask: int, code: int) -> Any:
    """Tell cards of a set apart but those that a relabelling of the set into itself can exchange."""
    if code >= FIRST_JOKER:
        return RANK_COUNT
    return get_suit_ranks(mask, code // RANK_COUNT) << SUIT_COUNT | get_rank(code)


@kernel
def _settle(tables: HandTables, options: Options, firsts: Integers, choices: Choices, settled: _Settled) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(firsts)):
        settled.queens[each] = queens_or_better_of(tables, firsts[each], options)
        settled.taxes[each] = tax_of(tables, firsts[each], options)
        if choices[each] not in (NO_CHOICE, STAND):
            lay_out(firsts[each], codes)
            settled.discards[each] = _kind(firsts[each], codes[choices[each]])


@kernel
def _book(
    tables: HandTables, options: Options, settled: _Settled, met: Met, choices: Choices, first: int, after: int,
    ended: Integers,
) -> None:  # fmt: skip
    codes = np.zeros(SIX, np.int64)
    booked = np.zeros((SIX, RESULTS), np.int64)
    lost = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six, times = met.masks[each], SCALE * met.orbits[each]
        lay_out(six, codes)
        for gone in range(SIX):
            results(met, each, gone, times, booked[gone])
        line, bonus = evaluate_six_cards(six), draw_bonus_of(tables, six, options)
        for drawn in range(SIX):
            five = met.fives[each, drawn]
            choice = choices[five]
            into = ended[settled.queens[five], taxpayers_fortune_outcome(settled.taxes[five], line), bonus]
            if choice == NO_CHOICE:
                into[AUTOMATIC] += times * met.hands
            elif choice == STAND:
                for result in range(RESULTS):
                    into[WIN + RESULTS + result] += booked[drawn, result]
            else:
                held, alike = six ^ bit(codes[drawn]), 0
                for gone in range(SIX):
                    if gone != drawn and _kind(held, codes[gone]) == settled.discards[five]:
                        lost[alike] = gone
                        alike += 1
                for gone in lost[:alike]:
                    for result in range(RESULTS):
                        into[WIN + result] += booked[gone, result] // alike
