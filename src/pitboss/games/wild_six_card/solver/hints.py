"""Value each discard at one position over every draw and every dealer's hand.

Four cards kept and one drawn make few different strengths.  One count of all sixes of the 49 unseen cards, and of those
that hold each card (``kernels.opponent_histogram``), gives the dealer's hands without the card drawn at and between
these strengths.
"""

from collections import defaultdict
from fractions import Fraction
from math import comb

from pitboss.cards import DECK_54, bit
from pitboss.core.errors import IllegalActionError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.wild_six_card.rules import (
    DISCARDED,
    FOUR_OR_BETTER,
    STOOD,
    UNDECIDED,
    WildSixState,
    WildSixView,
    is_automatic_winner,
    legal_actions,
    rank_hand,
    settle_main,
)
from pitboss.games.wild_six_card.solver.opponent_histogram import HAND as DEALERS
from pitboss.games.wild_six_card.solver.opponent_histogram import count_opponents
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import ActionValue, SolverProblem


def hint(
    problem: SolverProblem, view: WildSixView, decision: int, progress: ProgressCallback = ignore_progress
) -> tuple[ActionValue, ...]:
    """Value each discard from the cards ``view.player``, and standing.

    Standing is valued where the options allow it.

    Raises:
        IllegalActionError: the five cards have won at once (W6-2).
        ValueError: ``problem.side_nets`` has a wager, though no side wager of this game depends on the play.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Wild Six Card Poker depends on the play")
    tables, options, five = load_hand_tables(), problem.options, view.player
    if is_automatic_winner(tables, WildSixState(five, 0, 0, 0, 0, 0, UNDECIDED, 0), options):
        raise IllegalActionError("a straight or better has won: there is no discard (W6-2)", code="round-decided")
    discards = [bit(code) for code in DECK_54.cards if five >> code & 1]
    draws = [code for code in DECK_54.cards if not five >> code & 1]
    strength_by_cards = {
        (discard, drawn): rank_hand(tables, five & ~discard | bit(drawn), options)
        for discard in discards
        for drawn in draws
    }
    standing_strength = rank_hand(tables, five, options)
    strengths = sorted({standing_strength, FOUR_OR_BETTER, *strength_by_cards.values()})
    dealers = count_opponents(rank_hand, options, DECK_54.mask & ~five, strengths)
    values = []
    for discard in discards:
        hands_by_strength: dict[int, IntArray] = defaultdict(lambda: 0 * dealers.hands)
        for drawn in draws:
            hands_by_strength[strength_by_cards[discard, drawn]] += dealers.hands - dealers.by_card[:, drawn]
        total = sum(
            _total_net(problem.nets, DISCARDED, mine, strengths, hands) for mine, hands in hands_by_strength.items()
        )
        deals = len(draws) * comb(len(draws) - 1, DEALERS)
        values.append(ActionValue("discard", discard, Fraction(total, deals)))
    if legal_actions(tables, view, decision, len(draws) - DEALERS, options) >> 1 & 1:
        total = _total_net(problem.nets, STOOD, standing_strength, strengths, dealers.hands)
        values.append(ActionValue("stand", 0, Fraction(total, comb(len(draws), DEALERS))))
    progress(1, 1)
    return tuple(values)


def _total_net(nets: tuple[int, ...], choice: int, mine: int, strengths: list[int], hands: IntArray) -> int:
    """Return the total net of a hand against the dealer's ``hands``.

    These are counted by level as ``count_opponents`` does.

    The levels are each of ``strengths``, which include four of a kind, and the ranges between them; the rule settles
    all strengths of a range alike.  A range without a whole number has no hands.
    """
    dealers = [level for strength in strengths for level in (strength - 1, strength)]
    dealers.append(strengths[-1] + 1)
    counts_by_level = zip(dealers, hands.tolist(), strict=True)
    return sum(nets[settle_main(choice, mine, dealer)] * count for dealer, count in counts_by_level)
